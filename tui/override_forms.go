package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// openForm opens a form under a name, filled in with what was typed into one of
// that name before.
func (m *Model) openForm(name string, f *fieldForm) {
	if before, ok := m.drafts[name].(*fieldForm); ok {
		for _, one := range f.fields {
			if old := before.named(one.name); old != nil {
				one.set(old.current())
			}
		}
	}
	m.drafts[name] = f
	m.push(f)
}

// decided is what a form makes of its values: the move, and what is said once it
// is made. Without a move nothing is made: what is said closes the form, and where
// nothing is said it stays open and shows what is wrong.
type decided func(f *fieldForm, values map[string]string) (move protocol.UserMove, said string)

// decide opens a form whose values become a move of the user.
func (m *Model) decide(name, heading string, fields []*field, made decided) {
	var f *fieldForm
	f = newFieldForm(heading, fields, func(values map[string]string) perform {
		move, said := made(f, values)
		if move == nil && said == "" {
			return nil
		}
		return func(m *Model) tea.Cmd {
			if move == nil {
				m.say(said, false)
				return nil
			}
			m.overrideFrom(f, name, move, said)
			return nil
		}
	})
	m.openForm(name, f)
}

// reasonField asks why.
func reasonField(help string) *field {
	return &field{name: "reason", label: "Reason", placeholder: "none", help: help}
}

// undoing says what takes a ruling of the user back.
func (m *Model) undoing(what state.OverrideKind) string {
	if what == state.OverrideReopen {
		return ""
	}
	if key := m.keyOf(ActionReopen); key != "" {
		return "; " + key + " reopens it"
	}
	return ""
}

// openRuling asks why a point is ruled so.
func (m *Model) openRuling(point string, what state.OverrideKind) {
	said := map[state.OverrideKind][2]string{
		state.OverrideAgree: {"Agree with " + point, "Agreed"}, state.OverrideDismiss: {"Dismiss " + point, "Dismissed"},
		state.OverrideUnresolved: {"Leave " + point + when(m.format().proposes, " aside", " unresolved"), "Unresolved"}, state.OverrideReopen: {"Reopen " + point, "open again"},
	}[what]
	undo := m.undoing(what)
	fields := []*field{reasonField("It goes on the record; it may be empty." + when(undo == "", "", " A later ruling undoes this one."))}
	m.decide(string(what)+" "+point, said[0], fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.RuleOn{Point: point, What: what, Reason: v["reason"]}, fmt.Sprintf("%s is %s, by you%s", point, said[1], undo)
	})
}

// openSide chooses a side of a tradeoff that no question asks about.
func (m *Model) openSide(point string) {
	against := "what stands against it"
	for _, id := range m.state.Point(point).Challenges {
		if c := m.state.Challenge(id); c != nil && !c.Settled() {
			against = c.Objection
		}
	}
	side := &field{
		name: "side", label: "Side", kind: fieldChoice, help: "It is a choice, not a question of fact: yours decides.",
		options: []choice{
			{value: string(state.OverrideAgree), label: "for it", help: m.state.Point(point).Text},
			{value: string(state.OverrideDismiss), label: "against it", help: against},
		},
	}
	fields := []*field{side, reasonField("What weighs more, and why; it may be empty.")}
	m.decide("side "+point, "Choose a side of "+point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		what := state.OverrideKind(v["side"])
		reason := "chose a side of the tradeoff" + when(v["reason"] == "", "", ": "+v["reason"])
		said := when(what == state.OverrideAgree, "Agreed", "Dismissed")
		return protocol.RuleOn{Point: point, What: what, Reason: reason}, fmt.Sprintf("%s is %s, by you%s", point, said, m.undoing(what))
	})
}

// openChallenge attacks a point in the user's name.
func (m *Model) openChallenge(point string) {
	fields := []*field{
		{
			name: "class", label: "Challenge", kind: fieldChoice, help: "What you say of " + point + ".",
			options: []choice{
				{value: string(state.Skeptical), help: "something is missing that would settle it"},
				{value: string(state.Reject), help: "it is wrong, and an answer must show otherwise"},
			},
		},
		{name: "objection", label: "Objection", kind: fieldText, required: true, help: "The flaw, in a sentence."},
	}
	m.decide("challenge "+point, "Challenge "+point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.ChallengePoint{Point: point, Class: state.Class(v["class"]), Objection: v["objection"]},
			point + " is challenged, by you"
	})
}

// openDefense answers a challenge in a seat's place.
func (m *Model) openDefense(id string) {
	c := m.state.Challenge(id)
	if c == nil {
		return
	}
	fields := []*field{{name: "text", label: "Answer", kind: fieldText, required: true, help: "To: " + c.Objection}}
	m.decide("answer "+id, "Answer "+id+" on "+c.Point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.AnswerChallenge{Challenge: id, Text: v["text"]}, id + " is answered, by you"
	})
}

// openEvidence gives evidence on a point.
func (m *Model) openEvidence(point string) {
	relation := &field{name: "relation", label: "It", kind: fieldChoice, help: "Which way it points."}
	for _, r := range ledger.Relations() {
		relation.options = append(relation.options, choice{value: string(r), label: when(r == ledger.Neutral, "is neutral on it", string(r)+" it")})
	}
	fields := []*field{
		relation,
		{name: "text", label: "Evidence", kind: fieldText, required: true, help: "What you know; it counts as verified."},
		{name: "reference", label: "Reference", placeholder: "none", help: "Where it stands, as in queue/consumer.go:88; it may be empty."},
	}
	m.decide("evidence "+point, "Evidence on "+point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.SupplyEvidence{Point: point, Text: v["text"], Reference: v["reference"], Relation: ledger.Relation(v["relation"])},
			"your evidence on " + point + " is recorded"
	})
}

// openKind sets the kind of a point.
func (m *Model) openKind(point string) {
	kind := &field{
		name: "kind", label: "Kind", kind: fieldChoice, value: string(m.state.Point(point).UserKind),
		help: "The last one takes back what you set.",
		options: []choice{
			{value: string(state.Empirical), help: "evidence can settle it"},
			{value: string(state.Value), help: "a judgment: it is yours to make"},
			{value: "", label: "as the seats say", help: "nothing is set by you"},
		},
	}
	m.decide("kind "+point, "Kind of "+point, []*field{kind}, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		said := point + " is " + when(v["kind"] == string(state.Value), "a value judgment", v["kind"]) + ", by you"
		if v["kind"] == "" {
			said = "the kind of " + point + " is what the seats say"
		}
		return protocol.SetKind{Point: point, Kind: state.Kind(v["kind"])}, said
	})
}

// openConcession gives up a point that the user brought.
func (m *Model) openConcession(point string) {
	if why := m.whyNoConcession(point); why != "" {
		m.say(why, true)
		return
	}
	fields := []*field{reasonField("What changed your mind; it may be empty.")}
	m.decide("concede "+point, "Concede "+point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.ConcedePoint{Point: point, Reason: v["reason"]}, point + " is conceded, by you"
	})
}

// openFact records a fact, in the place of an older one where that is named.
func (m *Model) openFact(supersedes string) {
	if m.format().proposes {
		m.openConstraint(supersedes, "")
		return
	}
	fact := &field{
		name: "fact", label: "Fact", required: true,
		help: "What the user says outranks everyone; it is never left out of a prompt.",
	}
	heading, said := "Record a fact, as the user", "recorded as a fact of the user"
	if f := m.state.Fact(supersedes); f != nil {
		heading, fact.value, said = "Replace "+supersedes, f.Text, supersedes+" is superseded; it stays on the record"
	}
	m.decide(strings.TrimSpace("fact "+supersedes), heading, []*field{fact}, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.RecordFact{Text: v["fact"], Supersedes: supersedes}, said
	})
}

// openTerm defines a term as a fact of the user.
func (m *Model) openTerm() {
	fields := []*field{
		{name: "term", label: "Term", required: true, help: "The word or phrase."},
		{name: "meaning", label: "Means", required: true, help: "What it means in this session; recorded as a fact of yours."},
	}
	m.decide("term", "Define a term", fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.RecordFact{Text: v["term"] + " means " + v["meaning"]}, "the definition is recorded as a fact of the user"
	})
}
