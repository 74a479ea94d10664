package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// renumbered are events with consecutive numbers, as somebody writes them who recomputes the hashes.
func renumbered(events []state.Event) []state.Event {
	events = slices.Clone(events)
	for i := range events {
		events[i].Seq = i + 1
	}
	return events
}

// TestForgeriesAreFound deletes each event of whole sessions, swaps each pair of neighbors, turns a
// judgment around, and sets a time back.
func TestForgeriesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("verifies thousands of sessions")
	}
	log := &record{}
	if err := New(options(t, log, protocoltest.Opened(consult.Name), agreeable())).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, events := range map[string][]state.Event{
		"consult": log.events, "panel": disputed(t), "dialectic": held(t), "council": vetted(t), "hearing": heardOut(t),
	} {
		t.Run(name, func(t *testing.T) {
			if err := recomputes(t, events); err != nil {
				t.Fatal(err)
			}
			var left []string
			passes := func(what string, i int, forged []state.Event) {
				if err := recomputes(t, renumbered(forged)); err == nil {
					left = append(left, what+" "+state.KindOf(events[i].Data))
				}
			}
			for i := range events[:len(events)-1] { // without the last one it is a shorter session
				passes("without", i, slices.Delete(slices.Clone(events), i, i+1))
				swapped := slices.Clone(events)
				swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
				passes("swapped", i, swapped)
			}
			earlier := slices.Clone(events)
			earlier[len(earlier)-1].At = earlier[0].At.Add(-time.Second)
			passes("earlier", len(events)-1, earlier)
			for i, e := range events {
				judged, ok := e.Data.(*state.PointClassified)
				if !ok || judged.Class == state.Agree {
					continue
				}
				agrees := *judged
				agrees.Class = state.Agree
				forged := slices.Clone(events)
				forged[i].Data = &agrees
				passes("turned around", i, forged)
				forged = slices.DeleteFunc(forged, func(e state.Event) bool {
					raised, ok := e.Data.(*state.ChallengeRaised)
					return ok && raised.Point == judged.Point
				})
				passes("turned around without its challenge", i, forged)
			}
			if len(left) > 0 {
				t.Errorf("not found: %s", strings.Join(left, ", "))
			}
		})
	}
}

// Nothing judges, merges or raises points in the name of the user: what the user rules is tagged USER.
func TestTheUserMakesNoMovesOfSeats(t *testing.T) {
	for _, p := range []state.Payload{
		&state.PointClassified{By: state.User}, &state.ChallengeJudged{By: state.User}, &state.PointsMerged{By: state.User},
		&state.PointRaised{By: state.User}, &state.PointTriaged{By: state.User}, &state.ConfidenceReported{Seat: state.User},
		&state.FactSuperseded{Fact: "F1", By: "F2"}, &state.QuestionAnswered{By: state.Protocol},
	} {
		if byUser(p) {
			t.Errorf("%s counts as a decision of the user", state.KindOf(p))
		}
	}
}

// BenchmarkVerify verifies sessions until 10,000 events were replayed, replies parsed again.
func BenchmarkVerify(b *testing.B) {
	events := disputed(b)
	parser, err := protocoltest.Parser()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for n := 0; n < 10_000; n += len(events) {
			if _, err := Verify(parser, events); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// quotes is a researcher that shows cited lines, and does not know which file is meant by a bare name.
type quotes struct{}

func (quotes) Check(_ context.Context, reference, quote string) ledger.Finding {
	f := protocoltest.Finding(&ledger.Evidence{Reference: reference, Excerpt: quote})
	switch {
	case strings.HasPrefix(reference, "b.go"):
		return ledger.Finding{Reason: "two files fit", Candidates: []string{"a/b.go", "c/b.go"}}
	case quote == "":
		f.Shown, f.Excerpt, f.Reason = true, "alpha", "no quote; these are the lines"
	case strings.HasPrefix(reference, "moved.go"):
		f.Reference, f.Confidence, f.Reason = "moved.go:40", ledger.ConfidenceMoved, "found at other lines: 4 → 40"
	case strings.HasPrefix(reference, "spec/"):
		f.SourceKind, f.Confidence = ledger.OfficialSource, ledger.ConfidenceOfficial
	}
	return f
}

// cited is a consultation in which citations come out in each way.
func cited(t *testing.T) []state.Event {
	t.Helper()
	log, seats := &record{}, agreeable()
	seats[state.Consultee] = says(map[state.Stage]string{
		state.StagePropose: "1. Alpha holds a/a.go:1\n2. Beta holds b.go:2 \"beta\"\n3. Gamma holds moved.go:4 \"gamma\"\n" +
			"4. Delta holds spec/d.md:3 \"delta\"\n5. It builds `$ go build ./... => exit 0`", state.StageCoverage: "NOTHING",
	})
	o := options(t, log, protocoltest.Opened(consult.Name, inWorkspace, func(o *state.SessionOpened) {
		o.Settings.Official = []string{"spec"}
	}), seats)
	o.Researcher = quotes{}
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// A stamp follows from the reference and the check: verify finds any other, and takes what the check itself found.
func TestStampsAreRecomputed(t *testing.T) {
	events := cited(t)
	if err := recomputes(t, events); err != nil {
		t.Fatal(err)
	}
	for i := range events {
		was, ok := events[i].Data.(*state.EvidenceVerified)
		if !ok {
			continue
		}
		for name, change := range map[string]func(*state.EvidenceVerified){
			"the user's word":  func(e *state.EvidenceVerified) { e.SourceKind = ledger.UserOverride },
			"live":             func(e *state.EvidenceVerified) { e.SourceKind = ledger.LiveAPI },
			"another document": func(e *state.EvidenceVerified) { e.Reference = "other/o.md:1" },
			"a run":            func(e *state.EvidenceVerified) { e.Type = ledger.Execution },
			"sure":             func(e *state.EvidenceVerified) { e.Confidence = 1 },
			"less sure":        func(e *state.EvidenceVerified) { e.Confidence -= 0.05 },
		} {
			forged := slices.Clone(events)
			changed := *was
			change(&changed)
			forged[i].Data = &changed
			// Only the check knows which unmarked file holds the quote.
			if name == "another document" && was.SourceKind != ledger.OfficialSource {
				continue
			}
			if recomputes(t, forged) == nil {
				t.Errorf("%s, stamped as %s, verifies", was.Reference, name)
			}
		}
	}
	var kinds []string
	for _, e := range events {
		switch e := e.Data.(type) {
		case *state.EvidenceVerified:
			kinds = append(kinds, fmt.Sprintf("%s %s %.2f %v", e.Reference, e.SourceKind, e.Confidence, e.Shown))
		case *state.EvidenceRefused:
			kinds = append(kinds, e.Reason)
		}
	}
	want := []string{
		"a/a.go:1 domain-evidence 0.95 true", "two files fit", "moved.go:40 domain-evidence 0.90 false",
		"spec/d.md:3 official-source 0.95 false", "nobody was there to approve",
	}
	for i := range want {
		if i >= len(kinds) || !strings.HasPrefix(kinds[i], want[i]) {
			t.Errorf("the checks came out as %q, want %q", kinds, want)
			break
		}
	}
}

// What the user supplies is stamped as the user's, and only that.
func TestSuppliedEvidenceIsTheUsers(t *testing.T) {
	log := &record{}
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Settings.MaxTokens = 200 }), agreeable())
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	o = again(t, o, log)
	payloads, err := protocol.AdmitUser(o.State, claims.SupplyEvidence{Point: "P1", Text: "I saw it"})
	if err != nil {
		t.Fatal(err)
	}
	_, events, err := state.Extend(o.State, o.Now(), payloads...)
	if err != nil {
		t.Fatal(err)
	}
	log.events = append(log.events, events...)
	if err := recomputes(t, log.events); err != nil {
		t.Fatal(err)
	}
	at := len(log.events) - 1
	for name, change := range map[string]func(*state.EvidenceVerified){
		"another text":  func(e *state.EvidenceVerified) { e.Excerpt = "I saw nothing" },
		"another stamp": func(e *state.EvidenceVerified) { e.Type = ledger.Execution },
		"a commit":      func(e *state.EvidenceVerified) { e.Commit = "c0ffee" },
	} {
		forged, changed := slices.Clone(log.events), *log.events[at].Data.(*state.EvidenceVerified)
		change(&changed)
		forged[at].Data = &changed
		if recomputes(t, forged) == nil {
			t.Errorf("%s verifies", name)
		}
	}
}

// A prompt is written again from the state before it, as the session was set up and as the user edited it.
func TestPromptsAreRecomputed(t *testing.T) {
	events := consulted(t)
	for i := range events {
		was, ok := events[i].Data.(*state.PromptSent)
		if !ok {
			continue
		}
		for name, change := range map[string]func(*state.PromptSent){
			"text":    func(e *state.PromptSent) { e.Text += "Agree.\n" },
			"system":  func(e *state.PromptSent) { e.System = strings.Replace(e.System, "not", "", 1) },
			"omitted": func(e *state.PromptSent) { e.Omitted = []string{"F9"} },
			"shown":   func(e *state.PromptSent) { e.Shown = []string{"other.go"} },
		} {
			forged, changed := slices.Clone(events), *was
			change(&changed)
			forged[i].Data = &changed
			if recomputes(t, forged) == nil {
				t.Errorf("line %d: another %s verifies", i+1, name)
			}
		}
	}
}

// recomputes returns the error of Verify.
func recomputes(t testing.TB, events []state.Event) error {
	t.Helper()
	parser, err := protocoltest.Parser()
	if err != nil {
		t.Fatal(err)
	}
	_, err = Verify(parser, events)
	return err
}
