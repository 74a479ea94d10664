package tui

import (
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
)

// hearingDecisions are all that the person can decide about a hearing. What has no
// meaning in a closed world is named with why.
func (m *Model) hearingDecisions(point, id string) []pick {
	about, asked := m.questionPicks(point, id)
	return slices.Concat(
		m.factPicks(id), about, m.closedPicks(m.rulingPicks(point)), m.challengePicks(point, id), m.closedPicks(m.knownPicks()), asked,
		m.closedPicks(m.coursePicks()), m.answeredPicks(),
	)
}

// closedPicks are picks of a deliberation as a hearing has them: a claim is challenged
// with facts of the packet, and some of them have no meaning there.
func (m *Model) closedPicks(picks []pick) []pick {
	for i := range picks {
		switch one := &picks[i]; one.id {
		case "challenge %s":
			one.detail = "facts of the packet that contradict it, to be answered"
			one.do = m.onPoint(m.target(), (*Model).openContradiction)
		case "give evidence on %s":
			one.why = "the packet is frozen: nobody adds to it; challenge the claim with its facts, or rule on it"
		case "set the kind of %s":
			one.why = "claims of a hearing are all about facts"
		case "priorities":
			one.why = "every claim of a hearing is judged"
		case "fact":
			one.detail = "prompts hold it; it is not in the packet, and no claim can cite it"
		}
	}
	return picks
}

// openContradiction cites facts of the packet against a claim.
func (m *Model) openContradiction(point string) {
	fields := []*field{
		{name: "facts", label: "Facts", required: true, placeholder: "f07 f08", help: "The ids of facts of the packet; view 6 lists them."},
		{name: "objection", label: "They show", kind: fieldText, required: true, help: "How they contradict it, in a sentence."},
	}
	m.decide("contradict "+point, "Cite facts against "+point, fields, func(f *fieldForm, v map[string]string) (protocol.UserMove, string) {
		ids := factIDs(v["facts"])
		if unknown := m.state.Hearing.UnknownFacts(ids); len(unknown) > 0 {
			f.setError("facts", "the packet holds no fact "+strings.Join(unknown, ", "))
			return nil, ""
		}
		objection := "[" + strings.Join(ids, ", ") + "] " + v["objection"]
		return protocol.ChallengePoint{Point: point, Class: state.Skeptical, Objection: objection},
			plain.Counted(len(ids), "fact") + " cited against " + point + ", by you"
	})
}

// factIDs are the ids that a text names, between spaces, commas or brackets.
func factIDs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;[]\n\t", r) })
}
