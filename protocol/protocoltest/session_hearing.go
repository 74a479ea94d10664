package protocoltest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// hearingPacket returns the facts of a night on which a backup or an intruder copied a directory.
func hearingPacket(t testing.TB) *ledger.Packet {
	t.Helper()
	return HearingPacket(t, func(s string) string { return s })
}

// HearingPacket is the packet of Hearing with its texts replaced.
func HearingPacket(t testing.TB, text func(string) string) *ledger.Packet {
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

// hearingOpened opens a hearing.
func hearingOpened() *state.SessionOpened {
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

// hearingReplies are three rounds of a hearing: the oracle's fact refutes P2.
func hearingReplies() map[string]string {
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

// HearingTable is a hearing at the start of its third round, as a session that can continue.
func HearingTable(t testing.TB) *Table {
	t.Helper()
	h := newTable(t, hearingOpened())
	h.Replies, h.Refusing = hearingReplies(), true
	h.Add(state.PacketEvents(hearingPacket(t))...)
	h.Replies["skeptic/exchange/3"] = ""
	h.Run()
	return h
}

// Hearing is that session after its third and last round, as a record.
var Hearing = once(func(t testing.TB) *Record {
	t.Helper()
	h := HearingTable(t)
	h.Replies = hearingReplies()
	h.Run()
	return h.Record
})

// HearingOfTwo is a hearing without an oracle in its third round: the architect lowers the confidence in one claim
// because of a fact and in another without one, and ignores a fact.
func HearingOfTwo(t testing.TB, question string) *Record {
	t.Helper()
	begin := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	packet, err := ledger.NewPacket("night", begin, begin.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if err := packet.Add(ledger.PacketFact{
			ID: fmt.Sprint("f", i+1), Entity: "dc-1", EntityType: ledger.EntityNode, Field: "command_line", Value: ledger.TextValue("ntdsutil"),
			At: begin, SourceType: ledger.SourceSyslog, SourceID: "collector",
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	r := NewRecord(t)
	settings := &hearing.Settings{Form: hearing.FormAnchored, Judge: judge.V2, Rounds: 3}
	r.Add(&state.SessionOpened{
		Rules:   formats.ByName(hearing.Name),
		Version: state.Version, ID: "h7d3", Question: question, Settings: state.Settings{Format: hearing.Name, Own: settings},
		Seats: []state.SeatAssignment{
			{Seat: judge.Architect, Participant: "openai:gpt"},
			{Seat: judge.Skeptic, Participant: "rules"},
		},
	})
	r.Add(state.PacketEvents(packet)...)
	r.Add(
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Protocol, Text: question},
		&state.PointRaised{
			ID:    "P2",
			By:    judge.Architect,
			Text:  "the directory was copied",
			Facts: []string{"f1", "f2", "f3", "f4", "f5", "f6", "f7"},
		},
		&state.PointRaised{ID: "P3", By: judge.Architect, Text: "a command was hidden", Facts: []string{"f2"}},
		&state.PointRaised{ID: "P4", By: judge.Skeptic, Text: "a backup ran", Facts: []string{"f3"}},
	)
	r.Sure(judge.Architect, "P2", 0.9, 0.9)
	r.Sure(judge.Architect, "P3", 0.85, 0.85)
	r.Sure(judge.Skeptic, "P4", 0.8, 0.8)
	r.Add(
		&hearing.Argued{
			Seat:       judge.Architect,
			Stated:     0.9,
			Confidence: 0.9,
		},
		&hearing.Argued{Seat: judge.Skeptic, Stated: 0.45, Confidence: 0.45},
		&state.RoundStarted{Round: 2},
		&state.ChallengeRaised{
			ID:        "C1",
			Point:     "P2",
			By:        judge.Skeptic,
			Kind:      state.Skeptical,
			Objection: "within the window",
			Facts:     []string{"f4"},
		},
		&state.ChallengeRaised{
			ID:        "C2",
			Point:     "P4",
			By:        judge.Architect,
			Kind:      state.Skeptical,
			Objection: "the account failed to log in",
			Facts:     []string{"f5"},
		},
	)
	r.Sure(judge.Architect, "P2", 0.6, 0.6)
	r.Sure(judge.Architect, "P3", 0.4, 0.85)
	r.Add(
		&hearing.Argued{
			Seat:       judge.Architect,
			Stated:     0.7,
			Confidence: 0.7,
		},
		&hearing.Argued{Seat: judge.Skeptic, Stated: 0.65, Confidence: 0.65},
		&state.RoundStarted{
			Round: 3,
		},
		&state.ChallengeAnswered{
			Challenge: "C2",
			By:        judge.Skeptic,
			Text:      "its password was new",
			Facts:     []string{"f6"},
		},
		&hearing.Argued{
			Seat:       judge.Architect,
			Stated:     0.5,
			Confidence: 0.7,
		},
		&hearing.Argued{Seat: judge.Skeptic, Stated: 0.5, Confidence: 0.5},
		&hearing.RebuttalIgnored{Seat: judge.Architect, Challenge: "C1", Fact: "f4"},
	)
	return r
}
