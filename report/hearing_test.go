package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moot/agent/script"
	"moot/domain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/state"
)

// trial is a session of the format hearing as a test runs it: the sides say what stands
// in testdata/hearing, and the user moves after the run has paused.
type trial struct {
	script   string
	settings state.HearingSettings
	// away is a seat that cannot be reached, or "".
	away    state.Seat
	answers []protocol.UserMove
}

// The sessions of the tests: one with everything that can happen to numbers, one that
// is ruled claim by claim, one in which nobody found anything, one whose gate opened and
// one whose gate stayed shut, one that waits for a seat, one that the user ended, and
// one that the user overruled.
func trials() map[string]trial {
	anchored := state.HearingSettings{Form: state.FormAnchored, Judge: state.JudgeV2, Rounds: 3, Oracle: true}
	selective := state.HearingSettings{Form: state.FormSelective, Judge: state.JudgeV1, Rounds: 2, Gate: state.GateEscalation, Then: state.FormMulti}
	shut := selective
	shut.Gate = state.GateMiscalibration
	audit := state.HearingSettings{Form: state.FormAudit, Judge: state.JudgeV2, Rounds: 3}
	return map[string]trial{
		"anchored":  {script: "anchored", settings: anchored},
		"audit":     {script: "audit", settings: audit},
		"nothing":   {script: "nothing", settings: state.HearingSettings{Form: state.FormSingle, Judge: state.JudgeV2Bounded}},
		"opened":    {script: "nothing", settings: selective},
		"shut":      {script: "nothing", settings: shut},
		"waiting":   {script: "audit", settings: audit, away: state.Skeptic},
		"stopped":   {script: "audit", settings: audit, away: state.Skeptic, answers: []protocol.UserMove{protocol.EndSession{Reason: "another time"}}},
		"overruled": {script: "audit", settings: audit, away: state.Skeptic, answers: []protocol.UserMove{protocol.RuleOn{Point: "P1", What: state.OverrideDismiss, Reason: "it was an exercise"}, protocol.EndSession{Reason: "I know it"}}},
	}
}

// packetOfTest is the closed world of the sessions.
func packetOfTest(t *testing.T) *ledger.Packet {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "hearing", "packet.json"))
	if err != nil {
		t.Fatal(err)
	}
	var form struct {
		ID     string          `json:"packet_id"`
		Window [2]time.Time    `json:"window"`
		Facts  json.RawMessage `json:"facts"`
	}
	if err := json.Unmarshal(text, &form); err != nil {
		t.Fatal(err)
	}
	packet, err := ledger.NewPacket(form.ID, form.Window[0], form.Window[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := packet.AddJSON(form.Facts); err != nil {
		t.Fatal(err)
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	return packet
}

// domainOfTest has one pattern and one explanation.
func domainOfTest(t *testing.T) state.Domain {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "hearing", "domain.toml"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := domain.Read(text, "small")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// tried runs one of the sessions.
func tried(t *testing.T, name string) (state.State, []state.Ruling) {
	t.Helper()
	p, ok := trials()[name]
	if !ok {
		t.Fatalf("there is no session %q", name)
	}
	lines, err := script.Open(filepath.Join("testdata", "hearing", p.script+".script"))
	if err != nil {
		t.Fatal(err)
	}
	settings := p.settings
	settings.Domain = domainOfTest(t)
	d := &table{t: t, clock: time.Date(2026, 11, 21, 15, 30, 45, 0, time.UTC)}
	var seats []state.SeatAssignment
	participants := map[state.Seat]protocol.Participant{}
	for _, seat := range state.HearingSeats() {
		if seat == state.Oracle && !settings.Oracle {
			continue
		}
		seats = append(seats, state.SeatAssignment{Seat: seat, Participant: "openai:" + string(seat)})
		participants[seat] = lines
		if seat == p.away {
			participants[seat] = away{lines}
		}
	}
	d.add(&state.SessionOpened{
		Rules:   formats.ByName(state.FormatHearing),
		Version: state.Version, ID: "20261121-153045-k3f9", Question: "Is this a threat?", Seats: seats,
		Settings: state.Settings{Format: state.FormatHearing, Nonce: "5eed", Hearing: &settings, Input: state.Input{Options: []string{}, Views: []state.View{}}},
	})
	d.add(state.PacketEvents(packetOfTest(t))...)
	return d.answered(hearing.Format{}, participants, p.answers)
}
