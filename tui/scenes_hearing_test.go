package tui

import (
	"testing"

	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// inHearing puts a hearing on the stage: the one that is asked for, or the foul one
// of the cast.
func (s *stage) inHearing(of func(t testing.TB) *recorder) *stage {
	record := s.hearing
	if record == nil {
		record = of(s.t)
	}
	s.cast = &cast{record: record, hearing: s.hearing, text: s.text}
	return s
}

// openHearing is a hearing before a packet was frozen.
func openHearing(t testing.TB) *recorder {
	t.Helper()
	r := &recorder{t: t}
	r.add(heardOpened())
	return r
}

// hearingScenes are the view of a hearing: its facts, the confidences, the judge.
func hearingScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.inHearing(record).session(keys, ready(state.Skeptic)) }}
	}
	return []scene{
		of("hearing-facts", "10 facts · by use", heard, "6"),
		of("hearing-fact", "in answer to C1", heard, "6 enter"),
		of("hearing-facts-by-time", "by time", heard, "6 end > i"),
		of("hearing-facts-of-one-side", "cited by the skeptic", heard, "6 b b"),
		of("hearing-facts-of-nobody", "1 of 10 facts", heard, "6 b b b b"),
		of("hearing-facts-found", "found · by use", heard, "6 / b a c k u p"),
		of("hearing-facts-not-found", "No fact holds that.", heard, "6 / z z z"),
		of("hearing-confidence", "= rebuttal ignored", heard, "6 c"),
		of("hearing-confidence-claim", "▸● architect  P3", heard, "6 c down"),
		of("hearing-judge", "v2.3  ", heard, "6 c c"),
		of("hearing-judge-below", "The rounds before", heard, "6 c c end"),
		{"hearing-claims", "What the facts cited come to", func(s *stage) *Model { return s.weighed("") }},
		{"hearing-claims-below", "rests on", func(s *stage) *Model { return s.weighed("end") }},
		of("hearing-gate", "The gate “either”", heardByGate, "6 c c end"),
		of("hearing-before-the-first-round", "10 facts", heardFirst, "6"),
		of("hearing-no-confidence-yet", "No side has said yet how sure it is.", heardFirst, "6 c"),
		of("hearing-not-judged-yet", "waits for an argument of each side", heardFirst, "6 c c"),
		of("hearing-no-packet", "No packet is frozen yet.", openHearing, "6"),
		{"hearing-replay", "architect 0.90", func(s *stage) *Model { return s.inHearing(heard).past(30, "6 c") }},
	}
}

// weighed is the screen of a hearing whose judge goes by the claims, with numbers of
// our own: what the rules of a domain find is no matter of the screen.
func (s *stage) weighed(keys string) *Model {
	m := s.inHearing(heard).session("6 c c", ready(state.Skeptic))
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
