package tui

import (
	"slices"

	"moot/protocol"
)

// councilDecisions are all that the person can decide about the claims of a council:
// those of a deliberation, and what much rests on.
func (m *Model) councilDecisions(point, id string) []pick {
	about, asked := m.questionPicks(point, id)
	return slices.Concat(
		m.factPicks(id), about, m.rulingPicks(point), m.keyPicks(point), m.challengePicks(point, id), m.knownPicks(), asked,
		m.coursePicks(), m.answeredPicks(),
	)
}

// keyPicks mark a claim as one that much rests on, or take that back.
func (m *Model) keyPicks(point string) []pick {
	p := m.state.Live(point)
	if p != nil {
		point = p.ID
	}
	key := p == nil || !p.Key
	name := when(point == "", "a claim", point)
	one := pick{
		id: "key", name: "mark " + name + " as key", detail: "much rests on it: verified evidence of two sources is needed (CV1)",
		why: when(m.state.Points.Len() == 0, "there is no claim yet", ""),
		do: m.onPoint(point, func(m *Model, point string) {
			marked := m.state.Live(point)
			m.markKey(point, marked == nil || !marked.Key)
		}),
	}
	if !key {
		one.name, one.detail = point+" is no key claim", "verified evidence of one source will do (CV1)"
	}
	if point != "" {
		one.why = m.refusal(protocol.MarkKey{Point: point, Key: key})
	}
	return []pick{one}
}

func (m *Model) markKey(point string, key bool) {
	m.override(protocol.MarkKey{Point: point, Key: key}, point+when(key, " is a key claim: it needs two sources", " is no key claim any more"))
}
