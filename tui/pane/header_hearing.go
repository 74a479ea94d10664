package pane

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// QuestionRuling is the ruling on the question of a hearing, nil where there is none.
func QuestionRuling(s *state.State, rulings []state.Ruling) *state.Ruling {
	if s.Settings.Format != state.FormatHearing {
		return nil
	}
	for i := range rulings {
		if rulings[i].Point == resolver.QuestionPoint {
			return &rulings[i]
		}
	}
	return nil
}

// Verdict is the outcome of a hearing as it is shown, by what is known so far; ""
// where both sides have not argued yet, and where the user ruled.
func Verdict(s *state.State, question *state.Ruling) state.Outcome {
	if question == nil {
		return ""
	}
	shown := &s.HearingSettings().Domain
	for word := range strings.FieldsSeq(question.Reason) {
		for _, outcome := range state.Outcomes() {
			if strings.TrimRight(word, ":") == shown.Shown(outcome) {
				return outcome
			}
		}
	}
	return ""
}

// hearing is where a hearing stands: its form and round, both confidences, the
// verdict as it now is, and the packet. What there is no room for is left out, the
// least telling first.
func (h *Header) hearing(width int) []theme.Span {
	room := width
	if cost := h.cost(); cost != "" && width >= costWidth {
		room -= h.Look.Width(cost) + 2
	}
	var spans []theme.Span
	for brief := whole; brief <= noOutcome; brief++ {
		spans = h.heard(brief)
		used := 0
		for _, s := range spans {
			used += h.Look.Width(plain.Line(s.Text))
		}
		if used <= room {
			break
		}
	}
	return spans
}

// brevity is how much of the line is left out: each leaves out what is named, and all
// that those before it do.
type brevity int

const (
	whole brevity = iota
	noDigest
	noJudge
	noPacket
	// lettered names the sides by their first letters.
	lettered
	// bareOutcome is without the dots, and without the domain's prefix of the outcome.
	bareOutcome
	// tight is without what is going on.
	tight
	noForm
	noOutcome
)

// heard is the line with as much as a brevity leaves.
func (h *Header) heard(brief brevity) []theme.Span {
	l, s := h.Look, &h.State
	gap := when(brief < tight, "  ", " ")
	spans := []theme.Span{{Text: " "}}
	if brief < noForm {
		spans = append(spans, l.Bold.Span(string(s.Course())+gap))
	}
	last := resolver.LastRound(s)
	round := fmt.Sprintf("%d/%d", s.Round, last)
	switch {
	case s.Round == 0:
		spans = append(spans, l.Text.Span("not begun"))
	case brief < bareOutcome:
		spans = append(append(spans, l.Text.Span("round "+round+" ")), h.dots(last)...)
	default:
		spans = append(spans, l.Text.Span(when(brief < tight, "round "+round, round)))
	}
	spans = append(spans, h.confidences(brief)...)
	if outcome := Verdict(s, h.Question); outcome != "" {
		glyph, st := outcomeSign(l, outcome)
		if !s.Over() {
			glyph, st = l.Glyphs.Open, l.Open
		}
		words := when(brief < bareOutcome, " "+s.HearingSettings().Domain.Shown(outcome), " "+string(outcome))
		spans = append(spans, st.Span(gap+glyph+when(brief < noOutcome, words, "")))
	}
	if h.Stage != "" && brief < tight {
		spans = append(spans, l.Text.Span(gap+StageName(h.Stage)))
	}
	return append(spans, h.packet(brief)...)
}

// confidences are how sure both sides are of theirs, as it counts.
func (h *Header) confidences(brief brevity) []theme.Span {
	var spans []theme.Span
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		argument := h.State.Hearing.Argument(seat, h.State.Round)
		if argument == nil {
			continue
		}
		name := when(brief < lettered, string(seat), string(seat[:1]))
		spans = append(spans, h.Look.SeatStyle(seat).Span(when(brief < tight, "  ", " ")+name+" "), h.Look.Bold.Span(sureness(argument.Confidence)))
	}
	return spans
}

// packet names the closed world, and who decides on it.
func (h *Header) packet(brief brevity) []theme.Span {
	const characters = 24
	l, p := h.Look, h.State.Hearing.Packet
	var spans []theme.Span
	if p != nil && brief < noPacket {
		id := l.Clip(plain.Line(p.ID()), characters)
		spans = append(spans, l.Faint.Span("  "+id+l.Glyphs.Separator+plain.Counted(p.Len(), "fact")))
		if brief < noDigest {
			spans = append(spans, l.Faint.Span(l.Glyphs.Separator+shortDigest(p.Digest())))
		}
	}
	if brief < noJudge {
		spans = append(spans, l.Faint.Span(l.Glyphs.Separator+"judge "+string(h.State.HearingSettings().Judge)))
	}
	return spans
}
