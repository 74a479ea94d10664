package pane

import (
	"fmt"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// costWidth is the width from which tokens and cost have room beside the phase.
const costWidth = 60

// Header is what the lines above and below the panes say.
type Header struct {
	Look  *theme.Look
	State state.State
	Stage state.Stage
	Note  string
	// Outcome is what code last said of a proposal, nil where it did not; rounds
	// are those that there can be.
	Outcome *resolver.Outcome
	Rounds  int
	// Clashes are the conflicts of a panel, nil in other formats.
	Clashes *conflicts
	// Question is the ruling on the question of a hearing, nil in other formats and
	// before it is ruled on.
	Question *state.Ruling
}

// TitleLine is the first line: the product, the question, what kind of session.
func (h *Header) TitleLine(width int) string {
	l, s := h.Look, &h.State.Settings
	var kind []string
	for _, w := range []string{string(s.Format), string(s.Framing), string(s.Mode)} {
		if w != "" {
			kind = append(kind, w)
		}
	}
	if s.Playbook != nil && s.Playbook.Name != "" {
		kind = append(kind, s.Playbook.Name)
	}
	var right []theme.Span
	if width >= WideWidth {
		right = []theme.Span{l.Faint.Span(strings.Join(kind, l.Glyphs.Separator) + " ")}
	}
	return l.Row(width, []theme.Span{l.Accent.Span(" moot"), l.Bold.Span("  " + h.State.Question)}, right)
}

// NoteLine says that no language model is at work.
func (h *Header) NoteLine(width int) string {
	text := " " + h.Note
	if h.Look.Width(text) > width && width < CompactWidth {
		text = " no language model"
	}
	return h.Look.Row(width, []theme.Span{h.Look.Unresolved.Span(text)}, nil)
}

// PhaseLine is the second line: where the deliberation stands and what it cost.
func (h *Header) PhaseLine(width int) string {
	l := h.Look
	var right []theme.Span
	if cost := h.cost(); cost != "" && width >= costWidth {
		right = []theme.Span{l.Faint.Span(cost + " ")}
	}
	return l.Row(width, h.where(width), right)
}

// where says how far a session is, in the terms of its format.
func (h *Header) where(width int) []theme.Span {
	switch h.State.Settings.Format {
	case state.FormatDialectic:
		return h.proposal(width)
	case state.FormatPanel:
		return h.panel(width)
	case state.FormatCouncil:
		return h.council(width)
	case state.FormatHearing:
		return h.hearing(width)
	case state.FormatConsult:
	}
	return h.phase(width)
}

// phase is where a deliberation stands: its phase and round.
func (h *Header) phase(width int) []theme.Span {
	l := h.Look
	left := []theme.Span{{Text: " "}}
	if width >= WideWidth {
		left = append(left, h.phaseBar()...)
	} else {
		left = append(left, l.Bold.Span(h.phaseName(width)), theme.Span{Text: "  "})
	}
	if width >= CompactWidth {
		left = append(left, l.Text.Span(h.round()), theme.Span{Text: " "})
	}
	left = append(left, h.dots(state.MaxRounds)...)
	if h.Stage != "" {
		left = append(left, l.Text.Span("  "+StageName(h.Stage)))
	}
	return left
}

// phaseName is the present phase, shortened where there is no room.
func (h *Header) phaseName(width int) string {
	name := h.State.Phase.String()
	switch {
	case h.State.Round == 0:
		return when(width < CompactWidth, "opening", "not begun")
	case name == "":
		return "phase unknown"
	case width < CompactWidth:
		return fmt.Sprintf("%.4s. %d/%d", name, h.State.Round, state.MaxRounds)
	}
	return name
}

// phaseBar draws the three phases with as many strokes as they have rounds:
// heavy ones for those that were reached (PH1, PH2).
func (h *Header) phaseBar() []theme.Span {
	l := h.Look
	first, rounds := 1, []int{2, 3, 3}
	if h.State.Extended {
		rounds = []int{3, 2, 3}
	}
	var spans []theme.Span
	for i, phase := range state.Phases() {
		name := l.Faint
		if phase == h.State.Phase && h.State.Round > 0 {
			name = l.Bold
		}
		done := min(max(h.State.Round-first+1, 0), rounds[i])
		spans = append(spans,
			name.Span(string(phase)+" "),
			l.Accent.Span(strings.Repeat(l.Glyphs.Heavy, 2*done)),
			l.Border.Span(strings.Repeat(l.Glyphs.Light, 2*(rounds[i]-done))),
			theme.Span{Text: "  "})
		first += rounds[i]
	}
	return spans
}

func (h *Header) round() string {
	return fmt.Sprintf("round %d/%d", h.State.Round, state.MaxRounds)
}

// dots are as many as there can be rounds, full ones for those that were reached.
func (h *Header) dots(rounds int) []theme.Span {
	l, n := h.Look, min(max(h.State.Round, 0), rounds)
	return []theme.Span{
		l.Accent.Span(strings.Repeat(l.Glyphs.DotFull, n)),
		l.Border.Span(strings.Repeat(l.Glyphs.DotEmpty, rounds-n)),
	}
}

func (h *Header) cost() string {
	u := h.State.Usage
	var parts []string
	if n := u.PromptTokens + u.CompletionTokens; n > 0 {
		parts = append(parts, about(u.Estimated > 0)+FormatCount(n)+" tok")
	}
	if u.Cost > 0 {
		parts = append(parts, FormatMoney(u.Cost))
	}
	return strings.Join(parts, "  ")
}

// Modelless is the sentence that says that no language model is at work, or
// "" where one is.
func Modelless(s *state.State, note string) string {
	rules, seated := true, false
	for _, a := range s.Seats {
		if a.Seat == state.User {
			continue
		}
		if !a.NoModel || a.Answering != "" {
			return ""
		}
		seated = true
		rules = rules && a.Participant == "rules"
	}
	switch {
	case !seated:
		return ""
	case note != "":
		return note
	case rules:
		if s.Settings.Format == state.FormatHearing {
			return "no language model: rules of the domain " + s.Settings.Hearing.Domain.Name + " are held against the facts"
		}
		return "no language model: rules answer by search and checks"
	}
	return "no language model sits at the table"
}
