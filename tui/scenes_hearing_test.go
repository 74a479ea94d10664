package tui

import (
	"testing"

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
		of("hearing-judge", "THREAT_CONFIRMED", heard, "6 c c"),
		of("hearing-before-the-first-round", "10 facts", heardFirst, "6"),
		of("hearing-no-confidence-yet", "No side has said yet how sure it is.", heardFirst, "6 c"),
		of("hearing-not-judged-yet", "waits for an argument of each side", heardFirst, "6 c c"),
		of("hearing-no-packet", "No packet is frozen yet.", openHearing, "6"),
		{"hearing-replay", "architect 0.90", func(s *stage) *Model { return s.inHearing(heard).past(30, "6 c") }},
	}
}
