package pane

import (
	"cmp"
	"fmt"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// costWidth is the width from which tokens and cost fit beside the phase.
const costWidth = 60

// Header draws the lines above the panes.
type Header struct {
	Look  *theme.Look
	State *state.State
	Stage state.Stage
	Note  string
	// Status is the progress of the session in the words of its format.
	Status string
	Role   view.Role
}

// TitleLine is the first line: the product, the question, and the kind of session.
func (h *Header) TitleLine(width int) string {
	l, s := h.Look, &h.State.Settings
	var kind []string
	for _, w := range []string{string(s.Format), string(s.Framing), string(s.Mode), view.Variant(s)} {
		if w != "" {
			kind = append(kind, w)
		}
	}
	var right []theme.Span
	if width >= WideWidth {
		right = []theme.Span{l.Faint.Span(strings.Join(kind, l.Glyphs.Separator) + " ")}
	}
	return l.Row(width, []theme.Span{l.Accent.Span(" moot"), l.Bold.Span("  " + view.Title(h.State.Question))}, right)
}

// NoteLine shows the note of the session.
func (h *Header) NoteLine(width int) string {
	return h.Look.Row(width, []theme.Span{h.Look.Unresolved.Span(" " + h.Note)}, nil)
}

// PhaseLine is the second line: phase, round, and cost.
func (h *Header) PhaseLine(width int) string {
	l := h.Look
	var right []theme.Span
	if cost := h.cost(); cost != "" && width >= costWidth {
		right = []theme.Span{l.Text.Span(cost + " ")}
	}
	return l.Row(width, h.where(width), right)
}

// where shows the phase and the round of the session, and the status of its format.
func (h *Header) where(width int) []theme.Span {
	l := h.Look
	if h.State.Round == 0 {
		return []theme.Span{{Text: " "}, l.Bold.Span("not begun")}
	}
	last := resolver.LastRound(h.State)
	left := []theme.Span{{Text: " "}}
	switch name := string(h.State.Phase); {
	case name == "", view.ListsFindings(h.State), h.Status != "" && width < WideWidth: // A review has no phases.
	case width >= WideWidth && h.Status == "":
		left = append(left, h.phaseBar()...)
	default:
		left = append(left, l.Bold.Span(name+"  "))
	}
	left = append(left, l.Text.Span(fmt.Sprintf("round %d/%d", h.State.Round, last)), theme.Span{Text: " "})
	if width >= costWidth || h.Status == "" {
		left = append(left, h.dots(last)...)
	}
	if h.Status != "" {
		_, st, _ := signs(l, h.Role)
		left = append(left, st.Span("  "+h.Status))
	}
	switch {
	case h.State.Exit != state.ExitNone && h.Status != "":
		left = append(left, l.Text.Span("  exit "+string(h.State.Ended())))
	case h.Stage != "":
		left = append(left, l.Text.Span("  "+view.StageName(h.Stage)))
	}
	return left
}

// phaseBar draws the three phases with strokes for their rounds: heavy ones for the rounds
// that were reached (PH1, PH2).
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

// dots draws a dot for each possible round: full ones for the rounds that were reached.
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
		tokens := FormatCount(n) + " tok"
		if u.Estimated > 0 {
			tokens = "~" + tokens
		}
		parts = append(parts, tokens)
	}
	if u.Cost > 0 || u.Unpriced > 0 {
		parts = append(parts, view.Price(u.Cost, u.Unpriced))
	}
	return strings.Join(parts, "  ")
}

// SessionNote returns what the user must know of the session at any time, or "": that no language model takes part, in
// the words of note if it isn't empty, that nothing is saved, and that an earlier version recorded it.
func SessionNote(s *state.State, note string) string {
	unsaved := ""
	if s.Settings.Mode == state.ModeQuick {
		unsaved = "mode quick: nothing is saved"
	}
	earlier := ""
	if s.ByEarlierRules() {
		earlier = fmt.Sprintf("read-only: recorded by version %d of the session file", s.Version)
	}
	return view.Join("; ", modelless(s, note), unsaved, earlier)
}

// modelless returns a sentence if no language model takes part in the session, or "".
func modelless(s *state.State, note string) string {
	seated := false
	for _, a := range s.Seats {
		if a.Seat != state.User && (!a.NoModel || a.Answering != "") {
			return ""
		}
		seated = seated || a.Seat != state.User
	}
	if !seated {
		return ""
	}
	return cmp.Or(note, "no language model takes part")
}
