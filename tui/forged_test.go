package tui

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moot/figure"
	"moot/protocol"
	"moot/report"
	"moot/resolver"
	"moot/state"
)

// forger makes events that nobody would write: of every kind, in any order, with
// ids that stand for something and ids that do not.
type forger struct{ t *rapid.T }

// forgedWords are what a forged field says: ids, seats and words of enums, each as
// likely where it belongs as where it does not.
func forgedWords() []string {
	return []string{
		"", "P1", "P2", "P3", "P4", "P9", "K1", "K2", "K9", "C1", "C2", "C9", "E1", "E9", "F1", "Q1", "Q2",
		"panelist", "panelist-2", "panelist-9", "orchestrator", "user", "protocol", "consultee",
		"contradiction", "disagreement", "vote", "evidence_weight", "escalate", "tiered", "evidence", "tokens",
		"conflict K1", "conflict K9", "missing panelist", "missing panelist-9", "AGREE", "REJECT", "SKEPTICAL",
		"in_scope", "out_of_scope", "supports", "refutes", "textual", "execution", "agree", "dismiss", "agreed", "dismissed",
		"strategist", "critic", "adversary", "moderator", "expert", "cite-facts", "attack-method", "one-sided", "limit", "critique", "synthesize",
		"PN1", "PN2", "PN3", "AC9", "neither", "propose", "vote", "triage", "decided", "the queue is safe", "the queue is not safe",
	}
}

// fill puts something into each field of a payload.
func (f *forger) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if rapid.Bool().Draw(f.t, "there") {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				f.fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 2).Draw(f.t, "many"), 2))
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.String:
		v.SetString(rapid.SampledFrom(forgedWords()).Draw(f.t, "word"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(f.t, "so"))
	case reflect.Int:
		v.SetInt(int64(rapid.IntRange(-1, 9).Draw(f.t, "number")))
	case reflect.Float64:
		v.SetFloat(rapid.SampledFrom([]float64{-1, 0, 0.5, 0.6, 1, 2}).Draw(f.t, "share"))
	}
}

// payload is one forged payload; the ids of what it adds are mostly the next ones,
// so that something comes of it.
func (f *forger) payload(s *state.State) state.Payload {
	likely := []string{
		"conflict-found", "conflict-settled", "conflict-dropped", "conflict-argued", "seat-missed", "seat-recalled", "points-paired",
		"points-merged", "point-revised", "point-conceded", "point-classified", "challenge-raised", "challenge-undefended",
		"constitution-violated", "claim-marked-key", "claim-limited", "challenge-mended", "synthesized", "consensus-tested", "confidence-reported",
		"round-started", "evidence-offered", "evidence-verified", "question-surfaced", "override-made", "exit-reached", "ruled",
	}
	kinds := slices.Concat(likely, likely, state.KindNames())
	kind := rapid.SampledFrom(kinds).Draw(f.t, "kind")
	if kind == "session-opened" || kind == "session-closed" {
		kind = "conflict-settled"
	}
	data, err := state.Decode(kind, []byte("{}"))
	if err != nil {
		f.t.Fatal(err)
	}
	f.fill(reflect.ValueOf(data).Elem())
	f.next(s, data)
	return data
}

func (f *forger) next(s *state.State, data state.Payload) {
	point := func() string { return fmt.Sprint("P", rapid.IntRange(1, max(s.Points.Len(), 1)).Draw(f.t, "point")) }
	switch e := data.(type) {
	case *state.ConflictFound:
		e.ID, e.A, e.B, e.What = state.NextID('K', s.Panel.Conflicts.Len()), point(), point(), rapid.SampledFrom(state.ConflictKinds()).Draw(f.t, "what")
	case *state.PointRevised:
		e.Point, e.New = point(), point()
	case *state.ChallengeRaised:
		e.ID, e.Point = state.NextID('C', s.Challenges.Len()), point()
	case *state.EvidenceOffered:
		e.ID, e.Point = state.NextID('E', s.Evidence.Len()), point()
	case *state.QuestionSurfaced:
		e.ID = state.NextID('Q', s.Questions.Len())
	case *state.PointRaised:
		e.ID = state.NextID('P', s.Points.Len())
	}
}

// forgedSession is a session of any format with what a file could hold that
// somebody made by hand, as far as the fold takes it.
func forgedSession(t *rapid.T) ([]state.Event, state.State) {
	open := comparedOpened()
	open.Settings.Format = rapid.SampledFrom(state.Formats()).Draw(t, "format")
	if rapid.Bool().Draw(t, "bare") {
		open.Settings.Panel = nil
	}
	if rapid.Bool().Draw(t, "bound") {
		open.Settings.Council = &state.CouncilSettings{
			Rounds: rapid.IntRange(-1, 9).Draw(t, "rounds"), Weights: state.DefaultWeights(), Decision: state.DefaultDecision,
			Constitution: state.Constitution{Constraints: []state.Constraint{
				{ID: "cite-facts", Seat: state.Strategist, Check: state.CheckCites},
				{ID: "attack-method", Seat: state.Critic, Check: state.CheckMethod},
				{ID: "one-sided", Seat: state.Moderator, Check: state.CheckBias},
			}},
		}
	}
	payloads := []state.Payload{open, &state.RoundStarted{Round: 1}}
	for i, seat := range []state.Seat{state.Panelist, "panelist-2", state.Panelist, "panelist-3"} {
		payloads = append(payloads, &state.PointRaised{ID: state.NextID('P', i), By: seat, Text: fmt.Sprint("the queue is safe ", i)})
	}
	var s state.State
	var events []state.Event
	f := &forger{t}
	for i, tries := 0, rapid.IntRange(1, 40).Draw(t, "events"); i < len(payloads)+tries; i++ {
		var data state.Payload
		if i < len(payloads) {
			data = payloads[i]
		} else {
			data = f.payload(&s)
		}
		e := state.Event{Seq: s.Seq + 1, At: demoTime, Data: data}
		next, err := state.Apply(s, e)
		if err != nil {
			continue
		}
		s, events = next, append(events, e)
	}
	return events, s
}

// Whatever stands in a session file is ruled on, explained, verified, reported and
// shown, or refused: nothing of it ends the program.
func TestForgedSessions(t *testing.T) {
	skipShort(t)
	rapid.Check(t, func(rt *rapid.T) {
		events, s := forgedSession(rt)
		rulings := resolver.Rule(s)
		for _, r := range rulings {
			resolver.Explain(s, r)
		}
		for _, c := range s.Panel.Conflicts.All() {
			resolver.ExplainConflict(s, c.ID)
		}
		// It is forged: what Verify says of it does not matter, that it says it does.
		_, _ = resolver.Verify(events, resolver.Rule)
		protocol.FormatOf(s.Settings.Format).Next(s)
		for _, q := range s.Questions.All() {
			protocol.AskingOf(s, q)
			for _, answer := range q.Options {
				_, _ = protocol.AdmitUser(s, protocol.AnswerQuestion{Question: q.ID, Answer: answer})
			}
		}
		report.Export(&s, rulings, "", nil)
		report.Markdown(&s, rulings)
		report.Text(&s, rulings, 80)
		resolver.Measure(&s, rulings)
		resolver.ConsensusOf(&s)
		for _, p := range s.Points.All() {
			figure.Course(resolver.Course(&s, p.ID))
		}
		figure.Map(&s, rulings, figure.MapOptions{})
		m := screenOf(t, &recorder{t: t, state: s, events: events}, Options{NoColor: true}, 120, 40)
		for n := range len(m.views()) {
			pressAll(m, fmt.Sprint(n+1)+" down down")
			m.View()
		}
		pressAll(m, "0 down")
		m.View()
		m.decisions("P1", "")
	})
}
