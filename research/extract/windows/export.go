package windows

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
	"moot/research/extract"
)

// XML is the form of events in XML, as wevtutil and the event viewer export them: one Event, Events with a root, or one
// after another.
func XML() extract.Form {
	return extract.Form{
		Name: "Windows events in XML", Takes: "Windows events in XML", Parser: "moot windows xml 1",
		Recognize: func(head []byte) bool {
			return bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) && bytes.Contains(head, []byte("<Event")) &&
				bytes.Contains(head, []byte("schemas.microsoft.com/win/2004/08/events/event"))
		},
		Read: readXML,
	}
}

// readXML cuts the text into events by their tags, so that a damaged one does not end the reading.
func readXML(_ context.Context, from *extract.File, into extract.Sink) error {
	r := &tagReader{from: bufio.NewReaderSize(from.Text(), 64<<10), line: 1}
	var text []byte
	inside, begun, before, nth := false, 1, 0, 1
	lost := func(what string) { into.Lost("line "+strconv.Itoa(begun), 1, what) }
	for {
		line := r.line
		part, err := r.next()
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		if at := bytes.LastIndex(part, []byte("<Event")); at >= 0 && isEvent.Match(part[at:]) {
			if inside {
				lost("the event has no end")
			}
			begun = line + bytes.Count(part[:at], []byte("\n"))
			inside, text, part = true, text[:0], part[at:]
		}
		if inside && len(text) <= extract.Longest {
			text = append(text, part...)
		}
		if inside && (ended || bytes.HasSuffix(part, []byte("</Event>"))) {
			inside = false
			if nth++; begun != before {
				before, nth = begun, 1
			}
			e, err := eventOfXML(text)
			switch {
			case len(text) > extract.Longest:
				lost(fmt.Sprintf("the event is longer than %d bytes", extract.Longest))
			case ended:
				lost("the event has no end")
			case err != nil:
				lost(err.Error())
			default:
				e.place, e.raw = strconv.Itoa(begun), string(text)
				if nth > 1 {
					e.place += "." + strconv.Itoa(nth)
				}
				if err := into.Record(e.record()); err != nil {
					return err
				}
			}
		}
		if ended {
			return nil
		}
	}
}

// isEvent matches the tag of an event, and not those of its parts.
var isEvent = regexp.MustCompile(`^<Event[\s/>]`)

// tagReader reads a text up to the end of each tag.
type tagReader struct {
	from *bufio.Reader
	// line counts from 1.
	line int
	part []byte
}

// next returns the text up to the next ">", and only its beginning and end if it is longer than extract.Longest.
func (r *tagReader) next() ([]byte, error) {
	r.part = r.part[:0]
	for {
		piece, err := r.from.ReadSlice('>')
		if len(r.part) > 2*extract.Longest {
			r.part = r.part[:extract.Longest]
		}
		r.part = append(r.part, piece...)
		r.line += bytes.Count(piece, []byte("\n"))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return r.part, err
		}
	}
}

func eventOfXML(text []byte) (e event, err error) {
	root, err := parseXML(text)
	if err != nil {
		return e, err
	}
	if e, err = eventOf(root); err == nil && e.at.IsZero() {
		err = errors.New("it has no time")
	}
	return e, err
}

// parseXML reads one element.
func parseXML(text []byte) (*element, error) {
	const most = 20_000
	decoder := xml.NewDecoder(bytes.NewReader(text))
	root := &element{}
	open := []*element{root}
	for tokens := 0; ; tokens++ {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || tokens > most || len(open) > 2*maxDepth {
			return nil, errors.New("it is not valid XML, or nested too deep")
		}
		in := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local}
			for _, a := range t.Attr {
				e.attrs = append(e.attrs, attribute{a.Name.Local, a.Value})
			}
			in.kids = append(in.kids, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			in.text += string(t)
		}
	}
	if len(root.kids) != 1 {
		return nil, errors.New("it is not one element of XML")
	}
	return root.kids[0], nil
}

// JSON is the form of events in JSON: of evtx_dump, of Get-WinEvent | ConvertTo-Json, of Winlogbeat and of NXLog.
func JSON() extract.Form {
	return extract.Form{
		Name: "Windows events in JSON", Parser: "moot windows json 1",
		Takes: "Windows events in JSON (evtx_dump, Get-WinEvent | ConvertTo-Json, Winlogbeat, NXLog)",
		Recognize: func(head []byte) bool {
			keys := extract.FirstKeys(head)
			isDump := bytes.Contains(head, []byte(`"System"`)) && bytes.Contains(head, []byte(`"EventID"`))
			return readerOf(keys) != nil && (keys[0] != "Event" || isDump)
		},
		Read: func(_ context.Context, from *extract.File, into extract.Sink) error {
			return from.Objects(into, func(place string, object jsontext.Value) error {
				root := parseJSON(object)
				read := readerOf(root.keys())
				e, err := event{}, errors.New("it is no event of Windows in a form that moot knows")
				if read != nil {
					e, err = read(root, from)
				}
				if err == nil && e.at.IsZero() {
					err = errors.New("it has no time")
				}
				if err != nil {
					into.Lost("line "+place, 1, err.Error())
					return nil
				}
				e.place, e.raw = place, string(object)
				return into.Record(e.record())
			})
		},
	}
}

// readerOf returns the reader of objects with such keys, or nil.
func readerOf(keys []string) func(*node, *extract.File) (event, error) {
	has := func(all ...string) bool {
		return !slices.ContainsFunc(all, func(key string) bool { return !slices.Contains(keys, key) })
	}
	switch {
	case len(keys) > 0 && keys[0] == "Event":
		return ofDump
	case has("Id", "ProviderName", "LogName", "TimeCreated"):
		return ofPowerShell
	case has("winlog", "@timestamp"):
		return ofWinlogbeat
	case has("EventTime", "EventID", "SourceName", "Channel"):
		return ofNXLog
	}
	return nil
}

// node is a JSON value with the order of its keys.
type node struct {
	value  jsontext.Value
	fields []named
}

type named struct {
	name string
	node
}

// parseJSON reads a value, objects down to maxDepth.
func parseJSON(value jsontext.Value) *node { return parseNode(value, 0) }

func parseNode(value jsontext.Value, depth int) *node {
	n := &node{value: value.Clone()}
	if value.Kind() != jsontext.KindBeginObject || depth > maxDepth {
		return n
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(value))
	if _, err := decoder.ReadToken(); err != nil {
		return n
	}
	for decoder.PeekKind() == jsontext.KindString {
		key, err := decoder.ReadToken()
		if err != nil {
			break
		}
		name := key.String()
		inner, err := decoder.ReadValue()
		if err != nil {
			break
		}
		n.fields = append(n.fields, named{name, *parseNode(inner, depth+1)})
	}
	return n
}

func (n *node) keys() (keys []string) {
	for i := range n.fields {
		keys = append(keys, n.fields[i].name)
	}
	return keys
}

// at returns the value below some keys, or an empty one.
func (n *node) at(path ...string) *node {
	for _, name := range path {
		i := slices.IndexFunc(n.fields, func(f named) bool { return f.name == name })
		if i < 0 {
			return &node{}
		}
		n = &n.fields[i].node
	}
	return n
}

// text returns a text, a number or a truth value as text, and "" for others.
func (n *node) text() string {
	switch kind := n.value.Kind(); {
	case kind == jsontext.KindString:
		text, _ := jsontext.AppendUnquote(nil, n.value) // The object is valid.
		return string(text)
	case kind == jsontext.KindNumber, kind == jsontext.KindTrue, kind == jsontext.KindFalse:
		return string(n.value)
	}
	return ""
}

// add adds the fields of an object, and of those in it.
func (e *event) addJSON(n *node, path string) {
	for i := range n.fields {
		f := &n.fields[i]
		name := f.name
		switch {
		case name == "#text" || name == "Value" && path != "":
			name = path
		case name == "#attributes" || strings.HasSuffix(name, "_attributes"):
			continue // The namespace.
		case path != "":
			name = path + "." + name
		}
		switch kind := f.value.Kind(); {
		case kind == jsontext.KindBeginObject:
			e.addJSON(&f.node, name)
		case kind == jsontext.KindBeginArray:
			if value, err := ledger.ParseValue(f.value); err == nil {
				e.data = append(e.data, extract.Field{Name: name, Value: value})
			}
		default:
			e.add(name, f.text())
		}
	}
}

// number reads the number of an event.
func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, errors.New("its event id is no number")
	}
	return n, nil
}

// moment reads a time of RFC 3339, as .NET writes it (/Date(1700000000000)/), or as seconds since 1970. A time without a
// zone is in that of the file.
func moment(n *node, from *extract.File) (at time.Time, assumed string, err error) {
	text := n.text()
	if ms, is := strings.CutPrefix(text, "/Date("); is {
		ms, _, _ = strings.Cut(ms, ")")
		count, err := strconv.ParseInt(ms, 10, 64)
		if err != nil {
			return at, "", fmt.Errorf("its time %q is not one that moot knows", text)
		}
		return time.UnixMilli(count).UTC(), "", nil
	}
	if n.value.Kind() == jsontext.KindNumber {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil || seconds < -62e9 || seconds > 253e9 {
			return at, "", errors.New("its time is no number of seconds since 1970")
		}
		return time.UnixMicro(int64(seconds * 1e6)).UTC(), "", nil
	}
	if at, err = ledger.ParseMoment([]byte(text)); err != nil {
		return at, "", fmt.Errorf("its time: %w", err)
	}
	if end := text[max(0, len(text)-6):]; !strings.ContainsAny(end, "Zz+-") {
		return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(),
			cmp.Or(from.Zone, time.UTC)).UTC(), "the zone", nil
	}
	return at, "", nil
}

// ofDump reads an event of evtx_dump or dumpevtx: the XML as objects, with the attributes in #attributes, in
// NAME_attributes next to it, or among the elements.
func ofDump(root *node, from *extract.File) (e event, err error) {
	system := root.at("Event", "System")
	attribute := func(element, name string) *node {
		for _, path := range [][]string{{element, "#attributes", name}, {element + "_attributes", name}, {element, name}} {
			if found := system.at(path...); found.value != nil {
				return found
			}
		}
		return &node{}
	}
	id := cmp.Or(system.at("EventID").text(), system.at("EventID", "#text").text(), system.at("EventID", "Value").text())
	if e.id, err = number(id); err != nil {
		return e, err
	}
	if at := attribute("TimeCreated", "SystemTime"); at.value != nil {
		if text := at.text(); strings.HasSuffix(text, " UTC") {
			at = &node{value: jsontext.Value(ledger.TextValue(strings.TrimSuffix(text, " UTC") + "Z"))}
		}
		if e.at, _, err = moment(at, &extract.File{Zone: time.UTC}); err != nil {
			return e, err
		}
	}
	e.provider, e.user = attribute("Provider", "Name").text(), attribute("Security", "UserID").text()
	e.channel, e.computer = system.at("Channel").text(), system.at("Computer").text()
	e.number = system.at("EventRecordID").text()
	event := root.at("Event")
	for i := range event.fields {
		switch f := &event.fields[i]; f.name {
		case "System", "#attributes", "RenderingInfo":
		case "EventData":
			e.dumpedData(&f.node)
		case "UserData":
			for j := range f.fields {
				e.addJSON(&f.fields[j].node, "")
			}
		default:
			e.addJSON(&f.node, f.name)
		}
	}
	return e, nil
}

// dumpedData reads EventData: fields by name, or Data without names as a text or a list.
func (e *event) dumpedData(data *node) {
	unnamed := data.at("Data")
	for _, path := range []string{"#text", "Value"} {
		if inner := unnamed.at(path); inner.value != nil {
			unnamed = inner
		}
	}
	if unnamed.value == nil || len(unnamed.fields) > 0 {
		e.addJSON(data, "")
		return
	}
	for i := range data.fields {
		f := &data.fields[i]
		if f.name != "Data" {
			e.addJSON(&node{fields: []named{*f}}, "")
			continue
		}
		if unnamed.value.Kind() != jsontext.KindBeginArray {
			e.add("Data", unnamed.text())
			continue
		}
		for _, one := range elements(unnamed) {
			e.add("Data", one.text())
		}
	}
}

// elements returns the elements of a list.
func elements(n *node) (all []*node) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(n.value))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginArray {
		return nil
	}
	for decoder.PeekKind() != jsontext.KindEndArray {
		value, err := decoder.ReadValue()
		if err != nil {
			break
		}
		all = append(all, parseNode(value, 1))
	}
	return all
}

// ofPowerShell reads an event of Get-WinEvent | ConvertTo-Json. Its Properties have no names: those of the events that moot
// knows are added, and other ones are Property1, Property2, and so on. Sysmon writes names into its message.
func ofPowerShell(root *node, from *extract.File) (e event, err error) {
	if e.id, err = number(root.at("Id").text()); err != nil {
		return e, err
	}
	at := root.at("TimeCreated")
	for _, name := range []string{"value", "DateTime"} {
		if inner := at.at(name); inner.value != nil && len(at.fields) > 0 {
			at = inner
			break
		}
	}
	if e.at, e.assumed, err = moment(at, from); err != nil {
		return e, err
	}
	e.provider, e.channel = root.at("ProviderName").text(), root.at("LogName").text()
	e.computer, e.number = root.at("MachineName").text(), root.at("RecordId").text()
	e.user = cmp.Or(root.at("UserId", "Value").text(), root.at("UserId").text())
	if e.provider == sysmon {
		for line := range strings.Lines(root.at("Message").text()) {
			name, text, is := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
			if is && !strings.Contains(name, " ") {
				e.add(name, text)
			}
		}
		return e, nil
	}
	names := properties(e.provider, e.id)
	for i, property := range elements(root.at("Properties")) {
		name := "Property" + strconv.Itoa(i+1)
		if i < len(names) {
			name = names[i]
		}
		e.add(name, cmp.Or(property.at("Value").text(), property.text(), property.at("Value", "Value").text()))
	}
	return e, nil
}

// ofWinlogbeat reads an event of Winlogbeat or of Elastic Agent.
func ofWinlogbeat(root *node, from *extract.File) (e event, err error) {
	log := root.at("winlog")
	if e.id, err = number(cmp.Or(log.at("event_id").text(), root.at("event", "code").text())); err != nil {
		return e, err
	}
	if e.at, _, err = moment(root.at("@timestamp"), from); err != nil {
		return e, err
	}
	e.provider, e.channel = log.at("provider_name").text(), log.at("channel").text()
	e.computer, e.number = log.at("computer_name").text(), log.at("record_id").text()
	e.user = log.at("user", "identifier").text()
	e.addJSON(log.at("event_data"), "")
	e.addJSON(log.at("user_data"), "")
	return e, nil
}

// ofNXLog reads an event of NXLog's im_msvistalog, which has the fields of the data among its own.
func ofNXLog(root *node, from *extract.File) (e event, err error) {
	if e.id, err = number(root.at("EventID").text()); err != nil {
		return e, err
	}
	if e.at, e.assumed, err = moment(root.at("EventTime"), from); err != nil {
		return e, err
	}
	e.provider, e.channel = root.at("SourceName").text(), root.at("Channel").text()
	e.computer, e.number = root.at("Hostname").text(), root.at("RecordNumber").text()
	e.user = root.at("UserID").text()
	own := []string{
		"EventTime", "EventTimeWritten", "EventReceivedTime", "Hostname", "Keywords", "EventType", "SeverityValue", "Severity",
		"EventID", "SourceName", "ProviderGuid", "Version", "TaskValue", "Task", "OpcodeValue", "Opcode", "RecordNumber",
		"ExecutionProcessID", "ExecutionThreadID", "ProcessID", "ThreadID", "Channel", "Message", "Category", "UserID",
		"AccountName", "AccountType", "Domain", "ActivityID", "RelatedActivityID", "SourceModuleName", "SourceModuleType",
	}
	for i := range root.fields {
		if f := root.fields[i]; !slices.Contains(own, f.name) {
			e.addJSON(&node{fields: []named{f}}, "")
		}
	}
	return e, nil
}

// properties returns the names of the data of an event in their order, as its manifest has them. Later versions of an event
// only add fields at the end.
func properties(provider string, id int) []string {
	const subject = "SubjectUserSid SubjectUserName SubjectDomainName SubjectLogonId "
	const target = "TargetUserSid TargetUserName TargetDomainName "
	const member = "MemberName MemberSid TargetUserName TargetDomainName TargetSid " + subject + "PrivilegeList"
	names := ""
	switch provider {
	case security:
		names = map[int]string{
			4624: subject + target + "TargetLogonId LogonType LogonProcessName AuthenticationPackageName WorkstationName " +
				"LogonGuid TransmittedServices LmPackageName KeyLength ProcessId ProcessName IpAddress IpPort " +
				"ImpersonationLevel RestrictedAdminMode TargetOutboundUserName TargetOutboundDomainName VirtualAccount " +
				"TargetLinkedLogonId ElevatedToken",
			4625: subject + target + "Status FailureReason SubStatus LogonType LogonProcessName AuthenticationPackageName " +
				"WorkstationName TransmittedServices LmPackageName KeyLength ProcessId ProcessName IpAddress IpPort",
			4648: subject + "LogonGuid TargetUserName TargetDomainName TargetLogonGuid TargetServerName TargetInfo ProcessId " +
				"ProcessName IpAddress IpPort",
			4672: subject + "PrivilegeList",
			4688: subject + "NewProcessId NewProcessName TokenElevationType ProcessId CommandLine " + target + "TargetLogonId " +
				"ParentProcessName MandatoryLabel",
			4698: subject + "TaskName TaskContent",
			4720: "TargetUserName TargetDomainName TargetSid " + subject + "PrivilegeList SamAccountName DisplayName " +
				"UserPrincipalName HomeDirectory HomePath ScriptPath ProfilePath UserWorkstations PasswordLastSet AccountExpires " +
				"PrimaryGroupId AllowedToDelegateTo OldUacValue NewUacValue UserAccountControl UserParameters SidHistory LogonHours",
			4728: member, 4732: member, 4756: member,
		}[id]
	case eventlog:
		names = map[int]string{
			104:  "SubjectUserName SubjectDomainName Channel BackupPath",
			1102: subject,
		}[id]
	case services:
		names = map[int]string{7045: "ServiceName ImagePath ServiceType StartType AccountName"}[id]
	case powershell:
		names = map[int]string{4104: "MessageNumber MessageTotal ScriptBlockText ScriptBlockId Path"}[id]
	}
	return strings.Fields(names)
}
