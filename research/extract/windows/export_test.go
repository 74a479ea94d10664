package windows_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"moot/research/extract"
	"moot/research/extract/windows"
)

const schema = "http://schemas.microsoft.com/win/2004/08/events/event"

// xmlEvent is an event in XML, with pairs of names and values.
func xmlEvent(provider, channel string, id, number int, data ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<Event xmlns='%s'><System><Provider Name='%s'/><EventID>%d</EventID><Level>0</Level>`+
		`<TimeCreated SystemTime='2026-11-21T10:00:%02d.1234567Z'/><EventRecordID>%d</EventRecordID><Channel>%s</Channel>`+
		`<Computer>dc01.corp.example</Computer><Security UserID='S-1-5-18'/></System><EventData>`, schema, provider, id, number%60, number, channel)
	for i := 0; i+1 < len(data); i += 2 {
		fmt.Fprintf(&out, "<Data Name='%s'>%s</Data>", data[i], data[i+1])
	}
	return out.String() + "</EventData></Event>"
}

const auditing = "Microsoft-Windows-Security-Auditing"

// The events that moot knows have their kind, and the account that acts.
func TestKindsAndAccounts(t *testing.T) {
	t.Parallel()
	subject := []string{"SubjectUserName", "dora", "SubjectDomainName", "CORP"}
	target := []string{"SubjectUserName", "DC01$", "SubjectDomainName", "CORP", "TargetUserName", "erik", "TargetDomainName", "CORP"}
	both := slices.Concat(subject, []string{"TargetUserName", "new", "TargetDomainName", "CORP"})
	user := []string{"User", `CORP\dora`}
	for _, c := range []struct {
		provider, channel string
		id                int
		data              []string
		kind, account     string
		source            string
	}{
		{auditing, "Security", 4624, target, "4624 logon", `CORP\erik`, "auth_log"},
		{auditing, "Security", 4625, target, "4625 failed logon", `CORP\erik`, "auth_log"},
		{auditing, "Security", 4648, both, "4648 logon with other credentials", `CORP\dora`, "auth_log"},
		{auditing, "Security", 4672, subject, "4672 special privileges", `CORP\dora`, "auth_log"},
		{auditing, "Security", 4688, subject, "4688 process created", `CORP\dora`, "process_list"},
		{auditing, "Security", 4698, subject, "4698 scheduled task created", `CORP\dora`, "syslog"},
		{auditing, "Security", 4720, both, "4720 account created", `CORP\dora`, "auth_log"},
		{auditing, "Security", 4728, both, "4728 member added to a global group", `CORP\dora`, "auth_log"},
		{auditing, "Security", 4732, both, "4732 member added to a local group", `CORP\dora`, "auth_log"},
		{auditing, "Security", 4756, both, "4756 member added to a universal group", `CORP\dora`, "auth_log"},
		{"Microsoft-Windows-Eventlog", "Security", 1102, subject, "1102 log cleared", `CORP\dora`, "syslog"},
		{"Microsoft-Windows-Eventlog", "System", 104, subject, "104 log cleared", `CORP\dora`, "syslog"},
		{"Service Control Manager", "System", 7045, []string{"ServiceName", "x"}, "7045 service installed", "S-1-5-18", "syslog"},
		{"Microsoft-Windows-PowerShell", "PS", 4104, []string{"ScriptBlockText", "dir"}, "4104 PowerShell script", "S-1-5-18", "process_list"},
		{"Microsoft-Windows-Sysmon", "Sysmon", 1, user, "1 sysmon process created", `CORP\dora`, "process_list"},
		{"Microsoft-Windows-Sysmon", "Sysmon", 3, user, "3 sysmon connection", `CORP\dora`, "netflow"},
		{"Microsoft-Windows-Sysmon", "Sysmon", 10, []string{"SourceUser", `CORP\dora`}, "10 sysmon process opened", `CORP\dora`, "process_list"},
		{"Microsoft-Windows-Sysmon", "Sysmon", 11, user, "11 sysmon file created", `CORP\dora`, "process_list"},
		{"Other", "Application", 7, []string{"SubjectUserName", "-", "TargetUserName", "erik"}, "7 Other", "erik", "syslog"},
	} {
		r, err := read(windows.XML(), []byte(xmlEvent(c.provider, c.channel, c.id, 5, c.data...)))
		if err != nil || len(r.lost) > 0 || len(r.records) != 1 {
			t.Errorf("%d: %q, %v", c.id, r.lost, err)
			continue
		}
		got := &r.records[0]
		if got.Kind != c.kind || got.Account != c.account || got.Host != "dc01.corp.example" || string(got.Source) != c.source ||
			field(got, "account") != c.account || field(got, "kind") != c.kind || field(got, "event_id") != fmt.Sprint(c.id) ||
			field(got, "computer") != got.Host || field(got, "channel") != c.channel || field(got, "record_id") != "5" {
			t.Errorf("%d: %+v", c.id, got)
		}
		if want := time.Date(2026, 11, 21, 10, 0, 5, 123456700, time.UTC); !got.At.Equal(want) {
			t.Errorf("%d: %s", c.id, got.At)
		}
	}
}

// A connection of Sysmon is also one text, by which relations see flows.
func TestConnections(t *testing.T) {
	t.Parallel()
	text := xmlEvent("Microsoft-Windows-Sysmon", "Sysmon", 3, 5, "SourceIp", "10.0.0.4", "SourcePort", "50000", "DestinationIp", "2001:db8::1", "DestinationPort", "443")
	r, err := read(windows.XML(), []byte(text))
	if err != nil || len(r.records) != 1 || field(&r.records[0], "connection") != "10.0.0.4:50000 -> [2001:db8::1]:443" {
		t.Errorf("%+v, %v", r, err)
	}
}

// What a damaged export lacks is named by line, and the events around it are read.
func TestExportsInXML(t *testing.T) {
	t.Parallel()
	one := func(number int) string { return xmlEvent(auditing, "Security", 4624, number, "TargetUserName", "erik") }
	long := xmlEvent(auditing, "Security", 4624, 9, "TargetUserName", strings.Repeat("x", extract.Longest))
	cleared := fmt.Sprintf("<Event xmlns=\"%s\"><System><Provider Name=\"Microsoft-Windows-Eventlog\"/><EventID Qualifiers=\"0\">1102</EventID>"+
		"<TimeCreated SystemTime=\"2026-11-21T10:00:00Z\"/></System><UserData><LogFileCleared xmlns=\"x\"><SubjectUserName>dora</SubjectUserName>"+
		"<Inner a=\"1\"><Deep>2</Deep></Inner></LogFileCleared></UserData></Event>", schema)
	for name, c := range map[string]struct {
		text string
		want []string
		lost []string
	}{
		"one":                {one(1), []string{"1"}, nil},
		"a list":             {"\ufeff<?xml version=\"1.0\"?>\r\n<Events>\r\n" + one(1) + "\r\n" + one(2) + "</Events>", []string{"3", "4"}, nil},
		"one after another":  {one(1) + one(2) + "\n" + one(3), []string{"1", "1.2", "2"}, nil},
		"without an end":     {one(1) + "\n" + one(2)[:400] + "\n" + one(3), []string{"1", "3"}, []string{"line 2: the event has no end"}},
		"the last without":   {one(1) + "\n" + one(2)[:400], []string{"1"}, []string{"line 2: the event has no end"}},
		"too long":           {one(1) + "\n" + long + "\n" + one(3), []string{"1", "3"}, []string{"line 2: the event is longer than 1048576 bytes"}},
		"broken":             {one(1) + "\n" + strings.Replace(one(2), "</Data>", "</Dat>", 1) + "\n" + one(3), []string{"1", "3"}, []string{"line 2: it is not valid XML, or nested too deep"}},
		"nested":             {one(1) + "\n" + strings.Replace(one(2), "erik", strings.Repeat("<a>", 1000)+strings.Repeat("</a>", 1000), 1), []string{"1"}, []string{"line 2: it is not valid XML, or nested too deep"}},
		"no number":          {one(1) + strings.Replace(one(2), "4624", "many", 1), []string{"1"}, []string{"line 1: its EventID is no number"}},
		"a wrong time":       {one(1) + strings.Replace(one(2), "10:00", "25:00", 1), []string{"1"}, []string{`line 1: its time: "2026-11-21T25:00:02.1234567Z" is not a time of RFC 3339, as in 2026-11-21T10:00:00Z`}},
		"without a time":     {one(1) + strings.Replace(one(2), "SystemTime", "Time", 1), []string{"1"}, []string{"line 1: it has no time"}},
		"an external entity": {one(1) + strings.Replace(one(2), "erik", "&file;", 1), []string{"1"}, []string{"line 1: it is not valid XML, or nested too deep"}},
		"data of the user":   {cleared, []string{"1"}, nil},
	} {
		form := windows.XML()
		if !form.Recognize([]byte(c.text)[:min(len(c.text), extract.HeadSize)]) && !strings.HasPrefix(c.text, "\ufeff") {
			t.Errorf("%s is not recognized", name)
		}
		r, err := read(form, []byte(c.text))
		if err != nil || !slices.Equal(numbers(&r), c.want) || !slices.Equal(r.lost, c.lost) {
			t.Errorf("%s: %v, lost %q, %v", name, numbers(&r), r.lost, err)
		}
		if name == "data of the user" && (r.records[0].Account != "dora" || field(&r.records[0], "Inner.a") != "1" || field(&r.records[0], "Inner.Deep") != "2") {
			t.Errorf("%+v", r.records[0])
		}
	}
	var wide bytes.Buffer
	for _, unit := range utf16.Encode([]rune("\ufeff<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + strings.Replace(one(1), "erik", "jörg", 1))) {
		wide.Write([]byte{byte(unit), byte(unit >> 8)})
	}
	if r, err := read(windows.XML(), wide.Bytes()); err != nil || len(r.records) != 1 || r.records[0].Account != "jörg" || !strings.Contains(r.records[0].Raw, "jörg") {
		t.Errorf("UTF-16: %+v, %v", r, err)
	}
}

// One event reads the same in each form of JSON as in XML.
func TestExportsInJSON(t *testing.T) {
	t.Parallel()
	names := []string{"SubjectUserSid", "SubjectUserName", "SubjectDomainName", "SubjectLogonId", "TargetUserSid", "TargetUserName", "TargetDomainName", "Status", "FailureReason", "SubStatus", "LogonType"}
	values := []string{"S-1-0-0", "-", "-", "0x0", "S-1-0-0", "erik", "CORP", "0xc000006d", "%%2313", "0xc000006a", "10"}
	var data []string
	var object, properties []string
	for i, name := range names {
		data = append(data, name, values[i])
		object = append(object, fmt.Sprintf("%q:%q", name, values[i]))
		properties = append(properties, fmt.Sprintf(`{"Value":%q}`, values[i]))
	}
	fields := strings.Join(object, ",")
	want, err := read(windows.XML(), []byte(xmlEvent(auditing, "Security", 4625, 7, data...)))
	if err != nil || len(want.records) != 1 {
		t.Fatal(err, want.lost)
	}
	for name, text := range map[string]string{
		"evtx_dump": `{"Event":{"#attributes":{"xmlns":"x"},"System":{"Provider":{"#attributes":{"Name":"Microsoft-Windows-Security-Auditing","Guid":"x"}},"EventID":{"#attributes":{"Qualifiers":0},"#text":4625},` +
			`"TimeCreated":{"#attributes":{"SystemTime":"2026-11-21T10:00:07.1234567Z"}},"EventRecordID":7,"Channel":"Security","Computer":"dc01.corp.example","Security":{"#attributes":{"UserID":"S-1-5-18"}}},"EventData":{` + fields + `}}}`,
		"evtx_dump with separate attributes": `{"Event":{"System":{"Provider_attributes":{"Name":"Microsoft-Windows-Security-Auditing"},"EventID":4625,` +
			`"TimeCreated_attributes":{"SystemTime":"2026-11-21T10:00:07.1234567Z"},"EventRecordID":7,"Channel":"Security","Computer":"dc01.corp.example","Security_attributes":{"UserID":"S-1-5-18"}},"EventData":{` + fields + `}}}`,
		"Get-WinEvent of PowerShell 7": `[
  {
    "Id": 4625, "Version": 0, "RecordId": 7, "ProviderName": "Microsoft-Windows-Security-Auditing", "LogName": "Security", "MachineName": "dc01.corp.example",
    "UserId": {"BinaryLength": 12, "Value": "S-1-5-18"}, "TimeCreated": "2026-11-21T12:00:07.1234567+02:00", "Properties": [` + strings.Join(properties, ",") + `], "Message": "An account failed to log on."
  }
]`,
		"Winlogbeat": `{"@timestamp":"2026-11-21T10:00:07.1234567Z","event":{"code":"4625"},"winlog":{"event_id":"4625","provider_name":"Microsoft-Windows-Security-Auditing","channel":"Security",` +
			`"computer_name":"dc01.corp.example","record_id":7,"user":{"identifier":"S-1-5-18"},"event_data":{` + fields + `}}}`,
		"NXLog": `{"EventTime":"2026-11-21T10:00:07.1234567Z","Hostname":"dc01.corp.example","Keywords":"x","EventType":"AUDIT_FAILURE","EventID":4625,"SourceName":"Microsoft-Windows-Security-Auditing",` +
			`"RecordNumber":7,"Channel":"Security","UserID":"S-1-5-18","Message":"x",` + fields + `,"SourceModuleType":"im_msvistalog"}`,
	} {
		form := windows.JSON()
		if !form.Recognize([]byte(text)) {
			t.Errorf("%s is not recognized", name)
		}
		r, err := read(form, []byte(text))
		if err != nil || len(r.records) != 1 {
			t.Errorf("%s: lost %q, %v", name, r.lost, err)
			continue
		}
		got := r.records[0]
		if !json.Valid([]byte(got.Raw)) {
			t.Errorf("%s: %s is its text", name, got.Raw)
		}
		got.Raw, got.Place = want.records[0].Raw, want.records[0].Place
		if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want.records[0]); g != w {
			t.Errorf("%s:\n%s, want\n%s", name, g, w)
		}
	}
}

func TestPartsOfJSON(t *testing.T) {
	t.Parallel()
	shell := func(rest string) string {
		return `{"Id":4104,"ProviderName":"Microsoft-Windows-PowerShell","LogName":"PS","MachineName":"ws-1","RecordId":1,` + rest + `}`
	}
	dump := func(data string) string {
		return `{"Event":{"System":{"Provider":{"Name":"Other"},"EventID":{"Value":7},"TimeCreated":{"SystemTime":1763719200.5},"EventRecordID":1,"Channel":"A","Computer":"c"},"EventData":` + data + `}}`
	}
	for name, c := range map[string]struct{ text, want string }{
		"a time of .NET":             {shell(`"TimeCreated":"/Date(1763719200500)/"`), "2025-11-21T10:00:00.5Z"},
		"a time as an object":        {shell(`"TimeCreated":{"value":"/Date(1763719200500)/","DateTime":"x"}`), "2025-11-21T10:00:00.5Z"},
		"a time without a zone":      {shell(`"TimeCreated":"2026-11-21T10:00:00"`), "2026-11-21T08:00:00Z the zone"},
		"properties without names":   {strings.Replace(shell(`"TimeCreated":"2026-11-21T10:00:00Z","Properties":[{"Value":1},{"Value":true}]`), "4104", "9", 1), "2026-11-21T10:00:00Z Property1=1 Property2=true"},
		"properties with names":      {shell(`"TimeCreated":"2026-11-21T10:00:00Z","Properties":[{"Value":1},{"Value":1},{"Value":"dir"}]`), "2026-11-21T10:00:00Z MessageNumber=1 MessageTotal=1 ScriptBlockText=dir"},
		"a message of Sysmon":        {strings.NewReplacer("PowerShell", "Sysmon", "4104", "1").Replace(shell(`"TimeCreated":"2026-11-21T10:00:00Z","Message":"Process Create:\r\nImage: C:\\a.exe\r\nCommandLine: a: b\r\nUser: CORP\\dora"`)), `2026-11-21T10:00:00Z Image=C:\a.exe CommandLine=a: b User=CORP\dora`},
		"data without names":         {dump(`{"Data":{"#text":["a","b"]},"Binary":"00"}`), "2025-11-21T10:00:00.5Z Data=a Data=b Binary=00"},
		"one without a name":         {dump(`{"Data":"a"}`), "2025-11-21T10:00:00.5Z Data=a"},
		"null, objects and lists":    {dump(`{"x":null,"y":{"z":1},"l":[1, 2]}`), "2025-11-21T10:00:00.5Z x= y.z=1 l=[1,2]"},
		"no time":                    {shell(`"x":1`), "lost line 1: it is no event of Windows in a form that moot knows"},
		"a wrong time":               {shell(`"TimeCreated":"soon"`), `lost line 1: its time: "soon" is not a time of RFC 3339, as in 2026-11-21T10:00:00Z`},
		"a time far away":            {shell(`"TimeCreated":1e300`), "lost line 1: its time is no number of seconds since 1970"},
		"no id":                      {strings.Replace(shell(`"TimeCreated":1`), "4104", `"x"`, 1), "lost line 1: its event id is no number"},
		"an object that is no event": {`{"a":1}`, "lost line 1: it is no event of Windows in a form that moot knows"},
		"a broken object":            {`{"Event":{"a"}}`, "lost line 1: Event.a: invalid character '}' after object name (expecting ':')"},
	} {
		from := &extract.File{Name: "log", ReaderAt: strings.NewReader(c.text), Size: int64(len(c.text)), Zone: time.FixedZone("", 2*60*60)}
		got := ""
		err := windows.JSON().Read(t.Context(), from, extract.Sink{
			Record: func(r extract.Record) error {
				got = strings.TrimSpace(r.At.Format(time.RFC3339Nano) + " " + r.Assumed)
				for _, f := range r.Fields {
					if own := []string{"kind", "event_id", "provider", "channel", "computer", "record_id", "account", "user_id"}; !slices.Contains(own, f.Name) {
						got += " " + f.Name + "=" + field(&extract.Record{Fields: []extract.Field{f}}, f.Name)
					}
				}
				return nil
			},
			Lost: func(place string, _ int, what string) { got = "lost " + place + ": " + what },
		})
		if err != nil || got != c.want {
			t.Errorf("%s: %s, want %s, %v", name, got, c.want, err)
		}
	}
}

// JSON of other programs is not recognized.
func TestOtherJSONIsNotRecognized(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"Id":1,"TimeCreated":1}`, `{"event":{"System":1}}`, `{"EventTime":1,"EventID":1}`, `[1]`, `{`, ``, `{"@timestamp":1}`, `{"Event":"logon","EventID":7}`} {
		if windows.JSON().Recognize([]byte(text)) || windows.XML().Recognize([]byte(text)) || windows.EVTX().Recognize([]byte(text)) {
			t.Errorf("%s is recognized", text)
		}
	}
	if windows.XML().Recognize([]byte("<Events><Event/></Events>")) {
		t.Error("XML of another schema is recognized")
	}
}

func FuzzExports(f *testing.F) {
	f.Add(xmlEvent(auditing, "Security", 4624, 1, "TargetUserName", "erik"))
	f.Add(`{"Event":{"System":{"EventID":1,"TimeCreated":{"SystemTime":1}},"EventData":{"Data":{"#text":["a"]}}}}`)
	f.Add(`[{"Id":1,"ProviderName":"a","LogName":"b","TimeCreated":"/Date(1)/","Properties":[{"Value":[1]}]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range []extract.Form{windows.XML(), windows.JSON()} {
			if _, err := read(form, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	})
}
