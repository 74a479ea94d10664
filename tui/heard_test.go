package tui

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/protocol/reply"
	"moot/state"
)

// heardPacket are the facts of a night on which a directory was copied: by a backup,
// or by somebody who used it.
func heardPacket(t testing.TB) *ledger.Packet {
	t.Helper()
	return packetIn(t, func(s string) string { return s })
}

// packetIn is that packet with its texts replaced.
func packetIn(t testing.TB, text func(string) string) *ledger.Packet {
	t.Helper()
	begin := time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC)
	packet, err := ledger.NewPacket("night-2207", begin, begin.Add(2*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range []struct {
		entity, field, value string
		source               ledger.SourceType
	}{
		{"ws-17", "process_create", `"powershell.exe -enc SQBFAFgA"`, ledger.SourceProcessList},
		{"ws-17", "parent_process", `"winword.exe"`, ledger.SourceProcessList},
		{"ws-17 -> dc-1", "logon_type", `3`, ledger.SourceAuthLog},
		{"dc-1", "command_line", `"ntdsutil \"ac i ntds\" ifm \"create full c:\\temp\\ad\" q q"`, ledger.SourceProcessList},
		{"dc-1", "scheduled_task", `"ad-backup-nightly"`, ledger.SourceSyslog},
		{"svc-backup", "task_owner", `true`, ledger.SourceSyslog},
		{"dc-1", "maintenance_window", `{"from":"02:00","to":"04:00"}`, ledger.SourceManual},
		{"dc-1 -> 203.0.113.7", "bytes_out", `48211034`, ledger.SourceNetflow},
		{"203.0.113.7", "dns_name", `"vault.backup.example"`, ledger.SourceDNSLog},
		{"svc-backup", "login_failure", `14`, ledger.SourceAuthLog},
	} {
		entityType := ledger.EntityNode
		if strings.Contains(f.entity, "->") {
			entityType = ledger.EntityEdge
		}
		if err := packet.Add(ledger.PacketFact{
			ID: fmt.Sprintf("f%02d", i+1), Entity: text(f.entity), EntityType: entityType, Field: text(f.field), Value: ledger.Value(f.value),
			At: begin.Add(time.Duration(i*11) * time.Minute), SourceType: f.source, SourceID: text("collector-3"), ParserVersion: text("1.4"),
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	return packet
}

// heardOpened is a session of the format hearing before anything happened.
func heardOpened() *state.SessionOpened {
	return &state.SessionOpened{
		Rules:   formats.ByName(hearing.Name),
		Version: state.Version, ID: "h7d3", Question: "Was the copy of the directory a threat?",
		Settings: state.Settings{
			Format: hearing.Name, Nonce: "5eed", Workspace: "/work", Attended: true,
			Input: state.Input{Options: []string{}, Views: []state.View{}},
			Own: &hearing.Settings{
				Form: hearing.FormAnchored, Judge: judge.V2, Rounds: hearing.DefaultRounds, Oracle: true,
				Domain: domain.Domain{
					Name: "security", Prefix: "THREAT", Question: "Is this a threat?",
					Opposites: [][2]string{{"login_success", "login_failure"}},
				},
			},
		},
		Seats: []state.SeatAssignment{
			{Seat: judge.Architect, Participant: "openai:gpt-5.2", Model: "gpt-5.2"},
			{Seat: judge.Skeptic, Participant: "anthropic:claude-opus", Model: "claude-opus"},
			{Seat: hearing.Oracle, Participant: "ollama:qwen3", Model: "qwen3"},
		},
	}
}

// heardReplies are three rounds of a hearing: the oracle's fact refutes P2.
func heardReplies() map[string]string {
	return map[string]string{
		"architect/argue": `
			{"move":"CLAIM","reading":"The directory of dc-1 was copied whole into a temporary folder","facts":["f04"],"confidence":0.9},
			{"move":"CLAIM","reading":"An encoded command was started from a document","facts":["f01","f02"],"confidence":0.85},
			{"move":"CLAIM","reading":"The copy was sold","facts":["f08","f99"],"confidence":0.8},
			{"move":"CONCLUDE","confidence":0.9}`,
		"skeptic/argue": `
			{"move":"CLAIM","reading":"The nightly backup ran within its window","facts":["f05","f06","f07"],"confidence":0.8},
			{"move":"CONCLUDE","confidence":0.45,"would_change":"a logon by another account than svc-backup"}`,
		"oracle/probe": `{"move":"CONTRADICT","point":"P2","facts":["f05"],"reading":"A backup of the directory copies it whole as well"}`,
		"architect/exchange/2": `
			{"move":"REBUT","challenge":"C1","text":"A backup does not write into a temporary folder","facts":["f04"]},
			{"move":"SCORE","point":"P2","confidence":0.6,"cause":"f05"},
			{"move":"SCORE","point":"P3","confidence":0.4,"cause":"the skeptic sounds sure"},
			{"move":"CONTRADICT","point":"P4","facts":["f10"],"reading":"The account of the backup failed to log in fourteen times"},
			{"move":"CLAIM","reading":"46 MB left dc-1 for a host outside","facts":["f08"],"confidence":0.7},
			{"move":"CONCLUDE","confidence":0.7}`,
		"skeptic/exchange/2": `
			{"move":"REBUT","challenge":"C1","text":"That is what the task of f05 does every night","facts":["f05"]},
			{"move":"CONTRADICT","point":"P2","facts":["f07"],"reading":"It lies within the maintenance window of dc-1"},
			{"move":"CONCLUDE","confidence":0.65}`,
		"architect/exchange/3":       `{"move":"CONCLUDE","confidence":0.5}`,
		"architect/exchange/3/again": `{"move":"CONCLUDE","confidence":0.7}`,
		"skeptic/exchange/3": `
			{"move":"REBUT","challenge":"C2","text":"Its password was changed that day; the task went on with the new one","facts":["f06"]},
			{"move":"SCORE","point":"P4","confidence":0.65,"cause":"f10"},
			{"move":"CONTRADICT","point":"P5","facts":["f09"],"reading":"The host is that of the backup"},
			{"move":"CONCLUDE","confidence":0.5}`,
	}
}

// theParser reads the replies of all tests: it is made once, and nothing changes it.
var theParser = sync.OnceValues(func() (*reply.Parser, error) { return reply.NewParser(formats.All()) })

// beingHeard is a hearing at the start of its third round, as a session that can continue.
func beingHeard(t testing.TB) *hall {
	t.Helper()
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{recorder: &recorder{t: t, state: &state.State{}}, format: hearing.Format{}, parser: parser, replies: heardReplies(), refusing: true}
	h.add(heardOpened())
	h.add(state.PacketEvents(heardPacket(t))...)
	h.replies["skeptic/exchange/3"] = ""
	h.run()
	return h
}

// heard is the session after its third and last round, as a record.
var heard = kept("heard", func(t testing.TB) *recorder {
	t.Helper()
	h := beingHeard(t)
	h.replies = heardReplies()
	h.run()
	return h.recorder
})
