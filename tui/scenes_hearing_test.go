package tui

import (
	"testing"

	"moot/protocol"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// hearingMoves are those of an exchange.
func hearingMoves() []protocol.MoveKind {
	return []protocol.MoveKind{
		protocol.MoveClaim, protocol.MoveContradict, protocol.MoveAnswer, protocol.MoveScore, protocol.MoveConcede, protocol.MoveConclude,
	}
}

// hearingScenes are the views that a hearing has of its own.
func hearingScenes() []scene {
	of := func(name string, p Pane, keys string) scene {
		return scene{name, func(s *stage) *Model { return s.about(heard(s.t), p, "", keys) }}
	}
	return []scene{
		of("hearing-facts", PaneHearing, ""), of("hearing-confidence", PaneHearing, "c"), of("hearing-judge", PaneHearing, "c c"),
		of("hearing-debate", PaneDebate, ""),
	}
}

// weighed is the screen of a hearing whose judge goes by the claims, with numbers of
// our own: what the rules of a domain find is no matter of the screen.
func (s *stage) weighed(keys string) *Model {
	m := s.play(heard(s.t), "6 c c", ready(state.Skeptic))
	settings := *m.state.Settings.Hearing
	settings.Judge = state.JudgeClaims
	now := m.state
	now.Settings.Hearing = &settings
	verdict := hearing.Verdict{Outcome: state.Confirmed, Confidence: 0.65, Supporting: []string{"f04", "f01", "f02"}, Rule: "claims.1"}
	claims := []hearing.Ruled{
		{ID: "P2", By: state.Architect, Support: state.Supported, Weight: 0.65, Against: []string{"f05", "f07"}},
		{ID: "P3", By: state.Architect, Support: state.Weak, Weight: 0.2},
		{ID: "P4", By: state.Skeptic, Support: state.Unsupported, Weight: 0.1, Against: []string{"f10"}},
	}
	m.hearing.judge.setState(now)
	m.hearing.judge.stale = false
	m.hearing.judge.take(&reckoned{
		state: now, judged: true, standing: claims, flags: []hearing.MiscalibrationFlag{hearing.FlagConflict},
		verdict: resolver.HearingVerdict{
			Verdict: verdict, Version: state.JudgeClaims, Round: 3, Sentence: s.text("THREAT_CONFIRMED by claims.1: the architect's facts come to 0.65 and the skeptic's to 0.1 (f04, f01, f02)"),
			Architect: hearing.Side{Confidence: 0.7, Facts: []string{"f04", "f01", "f02"}}, Skeptic: hearing.Side{Confidence: 0.5, Facts: []string{"f05"}},
			Weighed: &hearing.ClaimsVerdict{Verdict: verdict, Claims: claims, Architect: 0.65, Skeptic: 0.1, Neither: 0.25},
		},
	})
	pressAll(m, keys)
	return m
}

// heardByGate is a hearing that a gate sent on.
var heardByGate = kept("heardByGate", func(t testing.TB) *recorder {
	t.Helper()
	open, first := heard(t), heardOpened()
	first.Settings.Hearing.Form, first.Settings.Hearing.Gate, first.Settings.Hearing.Then = state.FormSelective, state.GateEither, state.FormAnchored
	r := &recorder{t: t}
	r.add(first)
	for _, e := range open.events[1:] {
		if begun, ok := e.Data.(*state.RoundStarted); ok && begun.Round == 2 {
			r.add(&state.Gated{Gating: resolver.GatingOf(&r.state)})
		}
		if _, ruled := e.Data.(*state.Ruled); !ruled {
			r.add(e.Data)
		}
	}
	return r
})
