// Package windows reads events of Windows: event logs (EVTX), and their exports as XML and JSON. An event becomes a record
// with its id, provider, channel, computer, account and number, and each field of its data under the name that Windows gives
// it. The package is pure, and decodes the binary XML of event logs itself, within limits: its values are those that Windows
// writes in XML (a hexadecimal number stays one), and no file can take more memory or time than its size allows. Start at
// Forms; evtx.go reads chunks, binxml.go their records, export.go XML and JSON.
package windows

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"moot/ledger"
	"moot/research/extract"
)

// Forms returns the forms of events of Windows.
func Forms() []extract.Form { return []extract.Form{EVTX(), XML(), JSON()} }

// event is an event of Windows.
type event struct {
	// place is its place in the file, and number its number in the log.
	place, number string
	id            int
	provider      string
	channel       string
	computer      string
	// user is the SID of the account in whose name it was written.
	user    string
	at      time.Time
	assumed string
	// data has the fields in their order.
	data []extract.Field
	raw  string
}

const (
	security   = "Microsoft-Windows-Security-Auditing"
	eventlog   = "Microsoft-Windows-Eventlog"
	services   = "Service Control Manager"
	powershell = "Microsoft-Windows-PowerShell"
	sysmon     = "Microsoft-Windows-Sysmon"
)

// kind describes an event, and names the field with its account.
type kind struct {
	words, account string
	source         ledger.SourceType
}

// eventKey tells kinds apart.
type eventKey struct {
	provider string
	id       int
}

// kinds are the kinds of events that moot knows.
//
//nolint:gochecknoglobals // a table
var kinds = map[eventKey]kind{
	{security, 4624}:   {"logon", "TargetUserName", ledger.SourceAuthLog},
	{security, 4625}:   {"failed logon", "TargetUserName", ledger.SourceAuthLog},
	{security, 4634}:   {"logoff", "TargetUserName", ledger.SourceAuthLog},
	{security, 4647}:   {"logoff", "TargetUserName", ledger.SourceAuthLog},
	{security, 4648}:   {"logon with other credentials", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4672}:   {"special privileges", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4688}:   {"process created", "SubjectUserName", ledger.SourceProcessList},
	{security, 4689}:   {"process ended", "SubjectUserName", ledger.SourceProcessList},
	{security, 4697}:   {"service installed", "SubjectUserName", ledger.SourceSyslog},
	{security, 4698}:   {"scheduled task created", "SubjectUserName", ledger.SourceSyslog},
	{security, 4699}:   {"scheduled task deleted", "SubjectUserName", ledger.SourceSyslog},
	{security, 4702}:   {"scheduled task updated", "SubjectUserName", ledger.SourceSyslog},
	{security, 4719}:   {"audit policy changed", "SubjectUserName", ledger.SourceSyslog},
	{security, 4720}:   {"account created", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4722}:   {"account enabled", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4724}:   {"password reset", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4725}:   {"account disabled", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4726}:   {"account deleted", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4728}:   {"member added to a global group", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4729}:   {"member removed from a global group", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4732}:   {"member added to a local group", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4733}:   {"member removed from a local group", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4738}:   {"account changed", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4740}:   {"account locked", "TargetUserName", ledger.SourceAuthLog},
	{security, 4756}:   {"member added to a universal group", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4757}:   {"member removed from a universal group", "SubjectUserName", ledger.SourceAuthLog},
	{security, 4768}:   {"Kerberos ticket requested", "TargetUserName", ledger.SourceAuthLog},
	{security, 4769}:   {"Kerberos service ticket requested", "TargetUserName", ledger.SourceAuthLog},
	{security, 4771}:   {"Kerberos preauthentication failed", "TargetUserName", ledger.SourceAuthLog},
	{security, 4776}:   {"credentials checked", "TargetUserName", ledger.SourceAuthLog},
	{security, 5140}:   {"share opened", "SubjectUserName", ledger.SourceAuthLog},
	{security, 5156}:   {"connection allowed", "", ledger.SourceNetflow},
	{security, 5157}:   {"connection blocked", "", ledger.SourceNetflow},
	{eventlog, 104}:    {"log cleared", "SubjectUserName", ledger.SourceSyslog},
	{eventlog, 1102}:   {"log cleared", "SubjectUserName", ledger.SourceSyslog},
	{services, 7045}:   {"service installed", "", ledger.SourceSyslog},
	{powershell, 4104}: {"PowerShell script", "", ledger.SourceProcessList},
	{sysmon, 1}:        {"sysmon process created", "User", ledger.SourceProcessList},
	{sysmon, 3}:        {"sysmon connection", "User", ledger.SourceNetflow},
	{sysmon, 5}:        {"sysmon process ended", "User", ledger.SourceProcessList},
	{sysmon, 7}:        {"sysmon image loaded", "User", ledger.SourceProcessList},
	{sysmon, 8}:        {"sysmon remote thread", "SourceUser", ledger.SourceProcessList},
	{sysmon, 10}:       {"sysmon process opened", "SourceUser", ledger.SourceProcessList},
	{sysmon, 11}:       {"sysmon file created", "User", ledger.SourceProcessList},
	{sysmon, 13}:       {"sysmon registry value set", "User", ledger.SourceProcessList},
	{sysmon, 22}:       {"sysmon DNS query", "User", ledger.SourceDNSLog},
}

// record returns the record of an event.
func (e *event) record() extract.Record {
	r := extract.Record{
		Place: e.place, At: e.at, Assumed: e.assumed, Host: e.computer, Source: ledger.SourceSyslog, Raw: e.raw,
		Kind: strconv.Itoa(e.id) + " " + strings.TrimPrefix(e.provider, "Microsoft-Windows-"),
	}
	accounts := []string{"SubjectUserName", "TargetUserName", "User"}
	if k, known := kinds[eventKey{e.provider, e.id}]; known {
		r.Kind, r.Source, accounts = strconv.Itoa(e.id)+" "+k.words, k.source, []string{k.account}
	} else if e.provider == security {
		r.Source = ledger.SourceAuthLog
	}
	for _, name := range accounts {
		if r.Account = e.value(name); r.Account == "" {
			continue
		}
		domain := e.value(strings.Replace(name, "UserName", "DomainName", 1))
		if domain != "" && domain != r.Account && !strings.ContainsAny(r.Account, `\@`) {
			r.Account = domain + `\` + r.Account
		}
		break
	}
	r.Account = cmp.Or(r.Account, e.user)
	if e.computer != "" && e.number != "" {
		r.Identity = fmt.Sprintf("windows\x00%s\x00%s\x00%s\x00%d\x00%d", strings.ToLower(e.computer), e.channel, e.number, e.id, e.at.Unix())
	}
	add := func(name, text string) {
		if text != "" {
			r.Fields = append(r.Fields, extract.Field{Name: name, Value: ledger.TextValue(text)})
		}
	}
	add("kind", r.Kind)
	r.Fields = append(r.Fields, extract.Field{Name: "event_id", Value: ledger.Value(strconv.Itoa(e.id))})
	add("provider", e.provider)
	add("channel", e.channel)
	add("computer", e.computer)
	add("record_id", e.number)
	add("account", r.Account)
	if e.user != r.Account {
		add("user_id", e.user)
	}
	if e.provider == sysmon && e.id == 3 && e.value("SourceIp") != "" {
		// The relations over flows read both ends in one text.
		add("connection", net.JoinHostPort(e.value("SourceIp"), e.value("SourcePort"))+" -> "+
			net.JoinHostPort(e.value("DestinationIp"), e.value("DestinationPort")))
	}
	r.Fields = append(r.Fields, e.data...)
	return r
}

// value returns the text of the first field with a name, or "" if that is "-".
func (e *event) value(name string) string {
	for i := range e.data {
		if e.data[i].Name == name {
			if text, _ := e.data[i].Value.Text(); text != "-" {
				return text
			}
			return ""
		}
	}
	return ""
}

// eventOf reads an event of its XML.
func eventOf(root *element) (e event, err error) {
	system := root.kid("System")
	if root.name != "Event" || system.name == "" {
		return e, errors.New("it is no event: it has no System")
	}
	if e.id, err = strconv.Atoi(strings.TrimSpace(system.kid("EventID").text)); err != nil {
		return e, errors.New("its EventID is no number")
	}
	e.provider = cmp.Or(system.kid("Provider").attr("Name"), system.kid("Provider").attr("EventSourceName"))
	e.channel, e.computer = strings.TrimSpace(system.kid("Channel").text), strings.TrimSpace(system.kid("Computer").text)
	e.number = strings.TrimSpace(system.kid("EventRecordID").text)
	e.user = system.kid("Security").attr("UserID")
	if written := system.kid("TimeCreated").attr("SystemTime"); written != "" {
		if e.at, err = ledger.ParseMoment([]byte(written)); err != nil {
			return e, fmt.Errorf("its time: %w", err)
		}
	}
	for _, part := range root.kids {
		switch part.name {
		case "System", "RenderingInfo":
		case "EventData":
			e.eventData(part)
		case "UserData":
			for _, inner := range part.kids {
				e.leaves(inner, "")
			}
		default:
			e.leaves(part, part.name)
		}
	}
	return e, nil
}

func (e *event) add(name, text string) {
	e.data = append(e.data, extract.Field{Name: name, Value: ledger.TextValue(strings.ReplaceAll(text, "\r\n", "\n"))})
}

// eventData reads the data of an event: Data with or without a name, and others.
func (e *event) eventData(part *element) {
	for _, data := range part.kids {
		name := data.attr("Name")
		switch {
		case len(data.kids) > 0:
			e.leaves(data, cmp.Or(name, data.name))
		case name == "" && len(data.list) > 0:
			for _, one := range data.list {
				e.add(data.name, one)
			}
		default:
			e.add(cmp.Or(name, data.name), data.text)
		}
	}
	if len(part.kids) == 0 && strings.TrimSpace(part.text) != "" {
		e.add("Data", part.text)
	}
}

// leaves reads the texts and attributes of an element with the names of those around them.
func (e *event) leaves(part *element, path string) {
	below := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	for _, a := range part.attrs {
		if !strings.HasPrefix(a.name, "xmlns") {
			e.add(below(a.name), a.value)
		}
	}
	if text := strings.TrimSpace(part.text); text != "" || len(part.kids) == 0 && len(part.attrs) == 0 {
		e.add(cmp.Or(path, part.name), part.text)
	}
	for _, kid := range part.kids {
		e.leaves(kid, below(kid.name))
	}
}
