package battery

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
	"moot/state/store"
)

var rewrite = flag.Bool("rewrite", false, "write sample.jsonl anew")

// sample is the session of sample.jsonl: a little of everything, with texts
// that are hard to keep. Written in units, the last one is of one line.
func sample() []state.Event {
	payloads := []state.Payload{
		&state.SessionOpened{
			Version: state.Version, ID: "sample", Question: "Is a queue with \"at least once\" <enough>?\n",
			Settings: state.Settings{Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard},
			Seats:    []state.SeatAssignment{{Seat: "consultee", Participant: "rules", NoModel: true}},
		},
		&state.RoundStarted{Round: 1},
		&state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"},
		&state.ReplyReceived{Seat: "consultee", Stage: state.StagePropose, Text: "a\x00b \xff\xfe \u2028 \U0010FFFE ✓ \\ufffd \ufffd", Valid: true},
		&state.PointRaised{ID: "P1", By: "consultee", Text: "Duplicates are harmless: the key is unique."},
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: "orchestrator", What: state.Skeptical, Objection: "Which key?", UpgradeIf: "name it"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "db/schema.sql:7", Quote: "UNIQUE (key)", By: "consultee"},
		&state.FactRecorded{
			ID: "F1", Tag: ledger.TagUser, Seat: "user", Text: "at most 3 retries",
			Predicate: &ledger.Predicate{Path: "queue.max_retries", Op: "≤", Value: []byte("3")},
		},
		&state.Ruled{Round: 1, Rulings: []state.Ruling{{
			Point: "P1", Bucket: state.BucketAgreed, Tag: state.TagTextual, Reason: "quoted",
			Receipt: state.Receipt{Rule: "AC16", Reads: []string{"C1", "E1"}},
		}}},
		&state.ExitReached{Exit: state.ExitConverged, Reason: "nothing is open"},
		&state.SessionClosed{Exit: state.ExitConverged, Digest: ledger.Digest(nil)},
	}
	at := time.Date(2026, 11, 21, 15, 30, 45, 250_000_000, time.UTC)
	events := make([]state.Event, len(payloads))
	for i, p := range payloads {
		events[i] = state.Event{Seq: i + 1, At: at.Add(time.Duration(i) * time.Second), Data: p}
	}
	return events
}

// written returns the text of the sample.
func written(t *testing.T) string {
	t.Helper()
	var memory store.Memory
	events := sample()
	for _, n := range []int{3, 4, 1, 2, 1} {
		if err := memory.Append(events[:n]); err != nil {
			t.Fatal(err)
		}
		events = events[n:]
	}
	return strings.Join(memory.Lines(), "\n") + "\n"
}

// The bytes of the format do not change by accident.
func TestTheSampleIsWrittenAsItIs(t *testing.T) {
	text := written(t)
	if *rewrite {
		if err := os.WriteFile("sample.jsonl", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("sample.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != text {
		t.Fatal("sample.jsonl is not what is written today; if the format was meant to change, run go test -rewrite")
	}
	got, err := store.Decode(bytes.NewReader(kept), "")
	if err != nil || !sameEvents(got.Events, sample()) {
		t.Fatalf("read back differently: %v", err)
	}
	if _, err := state.Replay(got.Events); err != nil {
		t.Errorf("the sample does not replay: %v", err)
	}
}

func TestEveryChangeIsFoundAndEveryPrefixRecovered(t *testing.T) {
	score, err := Run()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range score.Counts {
		t.Logf("%-6s %-31s %-8s found %d of %d, recovered %d", c.Change, c.Place, c.FoundBy, c.Found, c.Total, c.Recovered)
		for _, miss := range c.Misses {
			t.Error(miss)
		}
	}
	if !score.Perfect() {
		t.Errorf("found %d, recovered %d of %d", score.Found, score.Recovered, score.Total)
	}
	if want := score.Bytes * (len(masks()) + 1); score.Total < want {
		t.Errorf("%d changes, want at least %d", score.Total, want)
	}
}

// A battery that cannot miss proves nothing: with a wrong answer it does.
func TestAWrongAnswerIsAMiss(t *testing.T) {
	text := []byte(written(t))
	pristine, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Case{
		{FoundBy: "damage", Line: 1, Kept: -1},
		{FoundBy: "torn", Kept: -1},
		{FoundBy: "head", Kept: -1},
		{FoundBy: "no such way", Kept: -1},
	} {
		count := Count{Case: c}
		count.try(change{text: bytes.Replace(text, []byte("Duplicates"), []byte("duplicates"), 1), line: 5}, pristine)
		if count.Found != 0 || count.Recovered != 1 || len(count.Misses) != 1 {
			t.Errorf("%+v", count)
		}
	}
	count := Count{Case: Case{FoundBy: "damage", Line: -1, Kept: 0}}
	count.try(change{text: text, line: 5}, pristine)
	if count.Found != 0 || count.Recovered != 0 {
		t.Errorf("an untouched file counts as found: %+v", count)
	}
}
