package pane

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
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
	Outcome *dialectic.Outcome
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
	return h.Look.Row(width, []theme.Span{h.Look.Unresolved.Span(" " + h.Note)}, nil)
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
		left = append(left, l.Bold.Span(h.phaseName()), theme.Span{Text: "  "})
	}
	left = append(left, l.Text.Span(h.round()), theme.Span{Text: " "})
	left = append(left, h.dots(state.MaxRounds)...)
	if h.Stage != "" {
		left = append(left, l.Text.Span("  "+StageName(h.Stage)))
	}
	return left
}

// phaseName returns the present phase.
func (h *Header) phaseName() string {
	name := h.State.Phase.String()
	switch {
	case h.State.Round == 0:
		return "not begun"
	case name == "":
		return "phase unknown"
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

// phaseBarWidth is the width from which all phases of a council stand in a row.
const phaseBarWidth = 120

// council is where a council stands: the phase of its round, its round of how
// many, and what the rules said of consensus.
func (h *Header) council(width int) []theme.Span {
	l := h.Look
	number, name := council.Phase(&h.State)
	rounds := resolver.LastRound(&h.State)
	left, found := []theme.Span{{Text: " "}}, h.found(width)
	switch {
	case number == 0:
		return append(left, l.Bold.Span("not begun"))
	case h.State.Over(), found != nil && width < costWidth:
		// What the rules found says more than the phase.
	case width >= phaseBarWidth:
		left = append(left, h.councilBar(number)...)
	default:
		left = append(left, l.Bold.Span(name+"  "))
	}
	round := fmt.Sprintf("%d/%d", h.State.Round, rounds)
	left = append(left, l.Text.Span("round "+round), theme.Span{Text: " "})
	if width >= costWidth || found == nil {
		left = append(left, h.dots(rounds)...)
	}
	left = append(left, found...)
	if h.Stage != "" {
		left = append(left, l.Text.Span("  "+StageName(h.Stage)))
	}
	return left
}

// councilBar draws the phases of a round: heavy strokes behind those that were
// reached.
func (h *Header) councilBar(number int) []theme.Span {
	l := h.Look
	var spans []theme.Span
	for i, name := range council.Phases() {
		reached := i < number
		spans = append(spans,
			when(i == number-1, l.Bold, l.Faint).Span(name+" "),
			when(reached, l.Accent, l.Border).Span(strings.Repeat(when(reached, l.Glyphs.Heavy, l.Glyphs.Light), 2)),
			theme.Span{Text: "  "})
	}
	return spans
}

// found is what the rules said of consensus in this round, and whether the
// moderator said otherwise.
func (h *Header) found(width int) []theme.Span {
	l := h.Look
	tested := h.State.Council.Consensus(h.State.Round)
	if tested == nil {
		return nil
	}
	var spans []theme.Span
	switch n := len(tested.Unsettled); {
	case tested.Reached:
		spans = []theme.Span{l.Agreed.Span(when(width < costWidth, " ", "  ") + l.Glyphs.Agreed + " consensus")}
	case width < costWidth:
		spans = []theme.Span{l.Unresolved.Span(fmt.Sprintf(" %s %d unsettled", l.Glyphs.Unresolved, n))}
	default:
		spans = []theme.Span{l.Unresolved.Span(fmt.Sprintf("  %s no consensus, %d unsettled", l.Glyphs.Unresolved, n))}
	}
	if tested.Contradicted() {
		words := when(width < costWidth, " "+l.Glyphs.Warn+" contradicted", "  "+l.Glyphs.Warn+" moderator contradicted")
		spans = append(spans, l.Warn.Span(words))
	}
	return spans
}

// QuestionRuling is the ruling on the question of a hearing, nil where there is none.
func QuestionRuling(s *state.State, rulings []state.Ruling) *state.Ruling {
	if s.Settings.Format != state.FormatHearing {
		return nil
	}
	for i := range rulings {
		if rulings[i].Point == hearing.QuestionPoint {
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
	for brief := whole; brief <= tight; brief++ {
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
)

// heard is the line with as much as a brevity leaves.
func (h *Header) heard(brief brevity) []theme.Span {
	l, s := h.Look, &h.State
	gap := when(brief < tight, "  ", " ")
	spans := []theme.Span{{Text: " "}, l.Bold.Span(string(s.Course()) + gap)}
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
		words := string(outcome)
		if brief < bareOutcome {
			words = s.HearingSettings().Domain.Shown(outcome)
		}
		spans = append(spans, st.Span(gap+glyph+" "+words))
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

// panel is where a panel stands: its round, how many answered while it is the
// first, and what became of the conflicts.
func (h *Header) panel(width int) []theme.Span {
	l := h.Look
	if h.State.Round == 0 {
		return []theme.Span{{Text: " "}, l.Bold.Span("not begun")}
	}
	round := fmt.Sprintf("%d/%d", h.State.Round, state.MaxRounds)
	if h.State.Round == 1 {
		// Most panels have no other.
		round = "1"
	}
	spans := []theme.Span{{Text: " "}, l.Bold.Span("round " + round)}
	if h.State.Round > 1 && width >= WideWidth {
		spans = append(append(spans, theme.Span{Text: " "}), h.dots(state.MaxRounds)...)
		spans = append(spans, l.Text.Span("  "+h.phaseName()))
	}
	spans = append(spans, h.answers()...)
	spans = append(spans, h.clashing(width)...)
	return append(spans, h.step()...)
}

// answers says how many of the panelists answered, and how many are missing.
func (h *Header) answers() []theme.Span {
	l, n := h.Look, &h.Clashes.counts
	if h.State.Round > 1 && n.Missing == 0 {
		return nil
	}
	spans := []theme.Span{l.Text.Span(fmt.Sprintf("  answers %d/%d", n.Answered, n.Panelists))}
	if n.Missing > 0 {
		spans = append(spans, l.Warn.Span(fmt.Sprintf(" %s %d missing", l.Glyphs.Warn, n.Missing)))
	}
	return spans
}

// clashing says how many conflicts there are, and how many of them are left.
func (h *Header) clashing(width int) []theme.Span {
	l, n := h.Look, &h.Clashes.counts
	found := n.Conflicts()
	switch {
	case found == 0 && h.State.Over():
		return []theme.Span{l.Agreed.Span("  " + l.Glyphs.Agreed + " no conflicts")}
	case found == 0:
		return nil
	}
	spans := []theme.Span{l.Text.Span("  " + plain.Counted(found, "conflict"))}
	if found > n.Left && (width >= costWidth || n.Left == 0) {
		spans = append(spans, l.Agreed.Span(fmt.Sprintf("  %s %d settled", l.Glyphs.Agreed, found-n.Left)))
	}
	if n.Left > 0 {
		spans = append(spans, when(h.State.Over(), l.Unresolved, l.Open).Span(fmt.Sprintf("  %s %d left", when(h.State.Over(), l.Glyphs.Unresolved, l.Glyphs.Open), n.Left)))
	}
	return spans
}

// proposal is where a session of the format dialectic stands: the round, and what
// code last decided.
func (h *Header) proposal(width int) []theme.Span {
	l := h.Look
	if h.State.Round == 0 {
		return []theme.Span{{Text: " "}, l.Bold.Span("not begun")}
	}
	round := fmt.Sprintf("%d/%d", h.State.Round, h.Rounds)
	spans := []theme.Span{{Text: " "}, l.Bold.Span("round " + round)}
	spans = append(append(spans, theme.Span{Text: " "}), h.dots(h.Rounds)...)
	spans = append(append(spans, theme.Span{Text: "  "}), h.decision(width)...)
	return append(spans, h.step()...)
}

// decision is what code last decided, with its sign, and where there is room
// whether that was in an earlier round or no longer holds.
func (h *Header) decision(width int) []theme.Span {
	l, o := h.Look, h.Outcome
	if o == nil {
		return []theme.Span{l.Faint.Span(when(width < costWidth, "undecided", "nothing is decided yet"))}
	}
	glyph, st, _ := tone(dialectic.DecisionRole(string(o.Decision))).signs(l)
	spans := []theme.Span{st.Span(glyph + " " + string(o.Decision))}
	switch {
	case width < costWidth || h.State.Over():
	case o.Round < h.State.Round:
		spans = append(spans, l.Faint.Span(fmt.Sprintf(" in round %d", o.Round)))
	case o.Changed:
		spans = append(spans, l.Faint.Span(", changed since"))
	}
	return spans
}

// step is how the session ended, or what is asked for now, where there is room.
func (h *Header) step() []theme.Span {
	switch {
	case h.State.Exit != state.ExitNone:
		return []theme.Span{h.Look.Text.Span("  exit " + string(h.State.Exit))}
	case h.Stage != "":
		return []theme.Span{h.Look.Text.Span("  " + StageName(h.Stage))}
	}
	return nil
}
