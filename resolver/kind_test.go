package resolver_test

import (
	"testing"

	"moot/resolver"
	"moot/state"
)

// proposed is the kind that the author of the point proposes for a text.
func proposed(k state.Kind, text string) given {
	return point(func(p *state.Point) { p.Proposed, p.Text = k, text })
}

func framed(_ *state.State, p *state.Point) { p.Framed = true }

// judged is a seat that agrees and calls the point a kind, or none.
func judged(seat state.Seat, k state.Kind) given {
	return func(s *state.State, p *state.Point) {
		said(seat, state.Agree)(s, p)
		if k != "" {
			p.Calls = append(p.Calls, state.KindCall{Seat: seat, Kind: k})
		}
	}
}

// checkable says what would check the point in the last call.
func checkable(_ *state.State, p *state.Point) { p.Calls[len(p.Calls)-1].Check = "a test" }

func withdrawn(_ *state.State, p *state.Point) { p.Classes[len(p.Classes)-1].Withdrawn = true }

func heldBy(holder string) given { return point(func(p *state.Point) { p.Holder = holder }) }

// joined is the proposal of a point of the orchestrator that was merged with this one.
func joined(k state.Kind, text string) given {
	return func(s *state.State, p *state.Point) {
		alsoBy(state.Orchestrator)(s, p)
		p.Joined = append(p.Joined, state.KindProposal{By: state.Orchestrator, Kind: k, Text: text})
	}
}

// No kind is a way around the evidence gate (KI): a point stays empirical unless its authors, the seats that judged it and
// its text allow another kind.
func TestKindOfAPoint(t *testing.T) {
	const empirical, value, decision, position = state.Empirical, state.Value, state.Decision, state.Position
	const orchestrator, second = state.Orchestrator, state.Seat("consultee-2")
	nice, use := proposed(value, "Short names are nicer"), proposed(decision, "Use streams")
	reason := proposed(decision, "Use streams because of lists")
	statement := proposed(decision, "Use streams, which are safe")
	says := proposed(position, "The lists are faster")
	for _, c := range []struct {
		name  string
		given []given
		want  state.Kind
	}{
		{"nothing is proposed", nil, empirical},
		{"the user set it", []given{nice, kind(decision)}, decision},

		{"a value judgment that another seat calls so", []given{nice, judged(orchestrator, value)}, value},
		{"a value judgment that nobody judged", []given{nice}, empirical},
		{"a value judgment that a seat judged without a kind", []given{nice, judged(orchestrator, "")}, empirical},
		{"a value judgment to one of two seats", []given{nice, judged(orchestrator, ""), judged(second, value)}, empirical},
		{"a value judgment to its author", []given{nice, judged(state.Consultee, value)}, empirical},
		{"a value judgment to rules", []given{nice, judged(orchestrator, value), byRules}, empirical},
		{"a value judgment to a seat that took its word back", []given{nice, judged(orchestrator, value), withdrawn}, empirical},
		{"a value judgment of two authors", []given{nice, joined(value, "Brief names are nicer")}, value},
		{"a value judgment that names a file", []given{proposed(value, "The file a/b.go is nice"), judged(orchestrator, value)}, empirical},
		{
			"a value judgment, and another author's names a file",
			[]given{nice, joined(value, "The file a/b.go is nice"), judged(second, value)},
			empirical,
		},

		{"a decision", []given{use}, decision},
		{"a decision in words of a statement", []given{proposed(decision, "Streams are in use")}, empirical},
		{
			"a decision in other words that each judge calls so",
			[]given{proposed(decision, "Streams everywhere"), judged(orchestrator, decision)},
			empirical,
		},
		{"a statement of a design", []given{proposed(decision, "Retention: 7 days"), framed}, decision},
		{"a decision with a check", []given{use, judged(orchestrator, empirical), checkable}, empirical},
		{"a decision that a seat calls empirical without a check", []given{use, judged(orchestrator, empirical)}, decision},
		{"a decision that a seat calls a decision, with a check", []given{use, judged(orchestrator, decision), checkable}, decision},
		{"a decision with its reason", []given{reason}, empirical},
		{"a decision with its reason, of a design", []given{reason, framed}, decision},
		{"a decision with its reason that each judge calls so", []given{reason, judged(orchestrator, decision)}, decision},
		{
			"a decision with its reason that one judge calls so",
			[]given{reason, judged(orchestrator, ""), judged(second, decision)},
			empirical,
		},
		{"a decision with a statement", []given{statement}, empirical},
		{"a decision with a statement, of a design", []given{statement, framed}, empirical},
		{"a decision with a statement, of a holder", []given{statement, framed, heldBy("the team")}, empirical},

		{"a position", []given{says}, empirical},
		{"a position of a holder", []given{says, framed, heldBy("the team")}, position},
		{"a position of a holder that no framing gave", []given{says, heldBy("the team")}, empirical},
		{"a position in words of a decision", []given{proposed(position, "Use lists")}, empirical},
		{"a position of nobody", []given{says, framed}, empirical},

		{"authors who differ", []given{use, joined(value, "Streams are nicer")}, empirical},
		{"an author who differs and gave it up", []given{use, joined(value, "Streams are nicer"), gaveUp(orchestrator)}, decision},
		{"authors who differ and gave it up", []given{
			use, joined(value, "Streams are nicer"), gaveUp(orchestrator), gaveUp(state.Consultee),
		}, empirical},
		{"an author who proposed nothing", []given{use, joined("", "Take streams")}, empirical},
	} {
		s, p := session(c.given)
		if got := resolver.KindOf(s, p); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

func gaveUp(seat state.Seat) given {
	return point(func(p *state.Point) {
		p.Concessions = append(p.Concessions, state.Concession{Seat: seat, Round: 1, Seq: 30})
	})
}

// A new text of a point keeps its kind if it could have been proposed with it.
func TestKeepsKind(t *testing.T) {
	for _, c := range []struct {
		name     string
		given    []given
		text     string
		proposed state.Kind
		want     bool
	}{
		{"a value judgment", []given{proposed(state.Value, "It is nice")}, "It is nicer", state.Value, true},
		{"a value judgment that becomes measurable", []given{proposed(state.Value, "It is nice")}, "It takes 3 ms", state.Value, false},
		{"a value judgment that becomes a decision", []given{proposed(state.Value, "It is nice")}, "Use it", state.Decision, false},
		{"a decision", []given{proposed(state.Decision, "Use streams")}, "Use 3 nodes", state.Decision, true},
		{"a decision that becomes a statement", []given{proposed(state.Decision, "Use streams")}, "Streams are fast", state.Decision, false},
		{"a framed decision", []given{proposed(state.Decision, "One writer"), framed}, "Two writers", state.Decision, true},
		{"a framed decision, in words of a decision", []given{proposed(state.Decision, "One writer"), framed}, "Use two writers", state.Decision, true},
		{"a position", []given{proposed(state.Position, "The lists are faster")}, "Use lists", state.Position, true},
		{"no kind", []given{proposed("", "It holds")}, "It holds more", state.Empirical, true},
		{"no kind is empirical", []given{proposed(state.Empirical, "It holds")}, "It holds more", "", true},
	} {
		_, p := session(c.given)
		if got := resolver.KeepsKind(p, c.text, c.proposed); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// The words of a text tell whether it says what shall be done, or how something is.
func TestWordsOfATextTellItsKind(t *testing.T) {
	for _, c := range []struct {
		text               string
		decides, describes bool
	}{
		{"Use streams", true, false},
		{"Use", false, false},
		{"Use cases differ", false, false},
		{"We should use it", true, false},
		{"We *should* use it", true, false},
		{"Now let us begin", true, false},
		{"Let's use it", true, false},
		{"Don\u2019t keep it", true, false},
		{"It must sync", false, false},
		{"It should2 sync", false, false},
		{"It should\u0301n sync", false, true},

		{"Streams are fast", false, true},
		{"Use Wörter", true, true},
		{"Use \u200bstreams", true, true},
		{"Note the limit", false, true},
		{"Let us note the limit", true, true},
		{"It should be noted", true, true},
		{"We should note the limit", true, true},
		{"We conclude that it syncs", false, true},
		{"We of the team conclude", false, false},
		{"Use what they conclude", true, false},
		{"Use what they conclude today", true, false},
		{"alpha beta gamma delta", false, false},
		{"alpha beta gamma delta epsilon", false, true},
		{"alpha beta gamma delta for epsilon", false, false},
		{"Use alpha beta gamma delta epsilon", true, false},
	} {
		if got := resolver.WordedAsDecision(c.text); got != c.decides {
			t.Errorf("%q is worded as a decision: %t", c.text, got)
		}
		if got := resolver.Describes(c.text); got != c.describes {
			t.Errorf("%q describes: %t", c.text, got)
		}
	}
}

// Each clause of a decision has to be worded as one.
func TestAReasonBesideADecisionIsEmpirical(t *testing.T) {
	for text, want := range map[string]state.Kind{
		"Use streams":                      state.Decision,
		"Use streams. Keep lists":          state.Decision,
		"Use streams. Lists":               state.Empirical,
		"Use streams, but":                 state.Decision,
		"Use streams but keep lists":       state.Decision,
		"Use streams because lists":        state.Empirical,
		"Lists but we should use streams":  state.Empirical,
		"Since we should keep the lists":   state.Decision,
		"Use streams (lists)":              state.Empirical,
		"Keep lists, but we should rename": state.Decision,
	} {
		s, p := session([]given{proposed(state.Decision, text)})
		if got := resolver.KindOf(s, p); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
}

func TestNamesCheck(t *testing.T) {
	for text, want := range map[string]bool{"see a/b.go": true, "the benchmark tells": true, "I like it": false} {
		if got := resolver.NamesCheck(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
