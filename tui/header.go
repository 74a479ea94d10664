package tui

import (
	"fmt"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// costWidth is the width from which tokens and cost have room beside the phase.
const costWidth = 60

// heading is what the lines above and below the panes say.
type heading struct {
	look  *theme.Look
	state state.State
	stage state.Stage
	note  string
	// outcome is what code last said of a proposal, nil where it did not; rounds
	// are those that there can be.
	outcome *resolver.Outcome
	rounds  int
	// clashes are the conflicts of a panel, nil in other formats.
	clashes *conflicts
	// question is the ruling on the question of a hearing, nil in other formats and
	// before it is ruled on.
	question *state.Ruling
}

// header is the first line: the product, the question, what kind of session.
func (h *heading) header(width int) string {
	l, s := h.look, &h.state.Settings
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
	if width >= wideWidth {
		right = []theme.Span{l.Faint.Span(strings.Join(kind, l.Glyphs.Separator) + " ")}
	}
	return l.Row(width, []theme.Span{l.Accent.Span(" moot"), l.Bold.Span("  " + h.state.Question)}, right)
}

// noteLine says that no language model is at work.
func (h *heading) noteLine(width int) string {
	text := " " + h.note
	if h.look.Width(text) > width && width < compactWidth {
		text = " no language model"
	}
	return h.look.Row(width, []theme.Span{h.look.Unresolved.Span(text)}, nil)
}

// phases is the second line: where the deliberation stands and what it cost.
func (h *heading) phases(width int) string {
	l := h.look
	var right []theme.Span
	if cost := h.cost(); cost != "" && width >= costWidth {
		right = []theme.Span{l.Faint.Span(cost + " ")}
	}
	return l.Row(width, h.where(width), right)
}

// where says how far a session is, in the terms of its format.
func (h *heading) where(width int) []theme.Span {
	switch h.state.Settings.Format {
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
func (h *heading) phase(width int) []theme.Span {
	l := h.look
	left := []theme.Span{{Text: " "}}
	if width >= wideWidth {
		left = append(left, h.phaseBar()...)
	} else {
		left = append(left, l.Bold.Span(h.phaseName(width)), theme.Span{Text: "  "})
	}
	if width >= compactWidth {
		left = append(left, l.Text.Span(h.round()), theme.Span{Text: " "})
	}
	left = append(left, h.dots(state.MaxRounds)...)
	if h.stage != "" {
		left = append(left, l.Text.Span("  "+stageName(h.stage)))
	}
	return left
}

// phaseName is the present phase, shortened where there is no room.
func (h *heading) phaseName(width int) string {
	name := h.state.Phase.String()
	switch {
	case h.state.Round == 0:
		return when(width < compactWidth, "opening", "not begun")
	case name == "":
		return "phase unknown"
	case width < compactWidth:
		return fmt.Sprintf("%.4s. %d/%d", name, h.state.Round, state.MaxRounds)
	}
	return name
}

// phaseBar draws the three phases with as many strokes as they have rounds:
// heavy ones for those that were reached (PH1, PH2).
func (h *heading) phaseBar() []theme.Span {
	l := h.look
	first, rounds := 1, []int{2, 3, 3}
	if h.state.Extended {
		rounds = []int{3, 2, 3}
	}
	var spans []theme.Span
	for i, phase := range state.Phases() {
		name := l.Faint
		if phase == h.state.Phase && h.state.Round > 0 {
			name = l.Bold
		}
		done := min(max(h.state.Round-first+1, 0), rounds[i])
		spans = append(spans,
			name.Span(string(phase)+" "),
			l.Accent.Span(strings.Repeat(l.Glyphs.Heavy, 2*done)),
			l.Border.Span(strings.Repeat(l.Glyphs.Light, 2*(rounds[i]-done))),
			theme.Span{Text: "  "})
		first += rounds[i]
	}
	return spans
}

func (h *heading) round() string {
	return fmt.Sprintf("round %d/%d", h.state.Round, state.MaxRounds)
}

// dots are as many as there can be rounds, full ones for those that were reached.
func (h *heading) dots(rounds int) []theme.Span {
	l, n := h.look, min(max(h.state.Round, 0), rounds)
	return []theme.Span{
		l.Accent.Span(strings.Repeat(l.Glyphs.DotFull, n)),
		l.Border.Span(strings.Repeat(l.Glyphs.DotEmpty, rounds-n)),
	}
}

func (h *heading) cost() string {
	u := h.state.Usage
	var parts []string
	if n := u.PromptTokens + u.CompletionTokens; n > 0 {
		parts = append(parts, about(u.Estimated > 0)+count(n)+" tok")
	}
	if u.Cost > 0 {
		parts = append(parts, money(u.Cost))
	}
	return strings.Join(parts, "  ")
}

// modelless is the sentence that says that no language model is at work, or
// "" where one is.
func modelless(s *state.State, note string) string {
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
