package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/hearing"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// HearingTelling covers the question of a hearing with its verdict, of the claims
// of both sides with their facts, and of what is cited against them.
type HearingTelling struct{ consultTelling }

// NewHearingTelling returns an empty pane.
func NewHearingTelling(s *state.State) HearingTelling { return HearingTelling{consultTelling{s}} }

func (t HearingTelling) columns() tableColumns {
	return tableColumns{
		all: []Column{
			ColumnID, ColumnBucket, columnTag, columnSide, ColumnConfidence, columnFacts, ColumnChallenges, ColumnRound, ColumnText,
		},
		spare: []Column{ColumnRound, ColumnChallenges, columnTag, columnFacts}, share: 40, whole: allColumns,
	}
}

// tag is the verdict where the point is the question; of a claim how it stands on its
// facts, or what became of it.
func (t HearingTelling) tag(r *state.Ruling, p *state.Point) string {
	switch {
	case r.Tag == state.TagUser || p.UserRuling != nil:
		return "user"
	case p.ID == hearing.QuestionPoint:
		return string(Verdict(t.state, r))
	}
	word, _, _ := strings.Cut(r.Reason, ":")
	if slices.Contains(state.Supports(), state.Support(word)) {
		return word
	}
	return when(r.Bucket == state.BucketUnresolved, "", t.consultTelling.tag(r, p))
}

// facts are whose claim it is, since when, how sure its side is, and what it rests on;
// of the question how it is decided.
func (t HearingTelling) facts(p *state.Point) []string {
	if p.ID == hearing.QuestionPoint {
		h := t.state.HearingSettings()
		parts := []string{"the question", when(h.Domain.Name == "", "", "domain "+h.Domain.Name), string(h.Form) + " hearing", "judge " + string(h.Judge)}
		return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	}
	parts := []string{"by " + view.Seats(p.Authors), fmt.Sprintf("round %d", p.Round)}
	if len(p.Authors) > 0 {
		if score := p.Score(p.Authors[0]); score != nil {
			parts = append(parts, "confidence "+sureness(score.Admitted))
		}
	}
	return append(parts, plain.Counted(len(p.Facts), "fact"))
}

// holding are the arguments of both sides about the question, and of a claim the
// facts that it rests on.
func (t HearingTelling) holding(l *theme.Look, p *state.Point) []Block {
	if p.ID == hearing.QuestionPoint {
		return slices.Concat(t.packet(l), t.arguments(l), t.dropped(l), t.gate(l))
	}
	if t.state.Over() && p.UserRuling == nil {
		// The ruling has read them.
		return nil
	}
	return t.FactBlocks(l, "Rests on", p.Facts, 2)
}

// packet names the closed world with its digest whole.
func (t HearingTelling) packet(l *theme.Look) []Block {
	p := t.state.Hearing.Packet
	if p == nil {
		return nil
	}
	from, to := p.Window()
	return []Block{
		{Section: "Packet", Right: l.Faint.Span(plain.Counted(p.Len(), "fact"))},
		{Indent: 2, Lead: l.Bold.Span(p.ID() + "  "), Body: l.Text.Span(windowWords(from, to)), Hang: 4},
		{Indent: 2, Body: l.Faint.Span(p.Digest()), Hang: 4},
	}
}

// arguments are how sure the sides were at the end of each round: a later word of the
// same round takes the place of an earlier one.
func (t HearingTelling) arguments(l *theme.Look) []Block {
	h := &t.state.Hearing
	if len(h.Arguments) == 0 {
		return nil
	}
	list := []Block{{Section: "Arguments"}}
	for i := range h.Arguments {
		a := &h.Arguments[i]
		if h.Argument(a.Seat, a.Round) != a {
			continue
		}
		said := when(a.Stated == a.Confidence, "", fmt.Sprintf("it said %s", sureness(a.Stated)))
		would := when(a.WouldChange == "", "", "would change its mind: "+a.WouldChange)
		list = append(list, Block{
			Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("round %d  ", a.Round)), sign: l.SeatStyle(a.Seat).Span(fmt.Sprintf("%-9s  ", a.Seat)),
			Body: l.Text.Span(strings.Join(slices.DeleteFunc([]string{sureness(a.Confidence), said, would}, func(s string) bool { return s == "" }), "; ")), Hang: 22,
		})
	}
	return list
}

// dropped are the moves that cite what the packet does not hold.
func (t HearingTelling) dropped(l *theme.Look) []Block {
	found := t.state.Hearing.Violations
	if len(found) == 0 {
		return nil
	}
	list := []Block{{Section: "Dropped", Right: l.Faint.Span("not in the packet")}}
	for i := range found {
		v := &found[i]
		list = append(list, Block{
			Indent: 2, Lead: l.Warn.Span(l.Glyphs.Warn + " "), sign: l.SeatStyle(v.Seat).Span(string(v.Seat) + "  "),
			Body: l.Text.Span(view.Sentence(fmt.Sprintf("round %d, %s cites %s", v.Round, v.Move, fewFacts(v.Facts)), v.Text)), Hang: 4,
		})
	}
	return list
}

// gate is what the gate of a selective hearing found.
func (t HearingTelling) gate(l *theme.Look) []Block {
	g := t.state.Hearing.Gated
	if g == nil {
		return nil
	}
	return []Block{{Section: "Gate"}, {Indent: 2, Body: l.Text.Span(gateWords(g)), Hang: 4}}
}

// FactBlocks are facts of the packet, each in a line, below a head; none for none.
func (t HearingTelling) FactBlocks(l *theme.Look, head string, ids []string, indent int) []Block {
	if len(ids) == 0 {
		return nil
	}
	var list []Block
	if head != "" {
		list = append(list, Block{Section: head, Right: l.Faint.Span(plain.Counted(len(ids), "fact"))})
	}
	for i, id := range ids {
		if i == mostFacts {
			return append(list, Block{Indent: indent, Body: l.Faint.Span(fmt.Sprintf("and %d more", len(ids)-mostFacts))})
		}
		list = append(list, Block{Indent: indent, Lead: l.Bold.Span(id + "  "), Body: l.Text.Span(t.factWords(id)), Hang: indent + 2})
	}
	return list
}

// mostFacts is how many facts are listed in one place at most.
const mostFacts = 40

// factWords is what a fact says, in a line, and where it comes from.
func (t HearingTelling) factWords(id string) string {
	packet := t.state.Hearing.Packet
	if packet == nil {
		return ""
	}
	f, there := packet.Fact(id)
	if !there {
		return "not in the packet"
	}
	return PacketFactWords(&f)
}

// longestValue bounds the value of a fact in a line, in characters.
const longestValue = 240

// PacketFactWords is a fact of a packet in a line: what of whom, when, by what.
func PacketFactWords(f *ledger.PacketFact) string {
	return fmt.Sprintf("%s %s = %s, %s %s", f.Entity, f.Field, plain.Clip(string(f.Value), longestValue), f.At.UTC().Format("01-02 15:04:05"), f.SourceType)
}

// fewFacts names facts, the first ones where there are many.
func fewFacts(ids []string) string {
	const most = 4
	if len(ids) <= most {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}

// Meeting is how a challenge to a claim was answered.
type Meeting int

const (
	// waits is for an answer that is still to come.
	waits Meeting = iota
	// met was answered, or heeded: the confidence was lowered for it.
	met
	// ignored was left unanswered, and is on record as that.
	ignored
	// over has ended without an answer.
	over
)

// Met says how a challenge was met, in words.
func (t HearingTelling) Met(c *state.Challenge) (Meeting, string) {
	s := t.state
	p := s.Point(c.Point)
	if p == nil {
		return over, "ended"
	}
	if p.UserRuling != nil {
		return over, "ended, ruled by you"
	}
	waited := t.owing(c, p)
	if len(waited) == 0 {
		return met, "answered"
	}
	if heeded := t.heeded(c); heeded != nil {
		return met, "heeded, now " + sureness(heeded.To)
	}
	if i := slices.IndexFunc(s.Hearing.Ignored, func(i state.IgnoredRebuttal) bool { return i.Challenge == c.ID }); i >= 0 {
		return ignored, "ignored by the " + string(s.Hearing.Ignored[i].Seat)
	}
	if _, conceded := p.Conceded(); conceded {
		return over, p.ID + " was given up"
	}
	if s.Over() {
		return over, "not answered"
	}
	return waits, "waits for " + view.Seats(waited)
}

// owing are the sides that have not answered a challenge: whose claim it is, and both
// where the oracle brought it.
func (t HearingTelling) owing(c *state.Challenge, p *state.Point) []state.Seat {
	sides := p.Authors
	if c.By == state.Oracle {
		sides = []state.Seat{state.Architect, state.Skeptic}
	}
	answered := func(seat state.Seat) bool {
		return slices.ContainsFunc(c.Defenses, func(d state.Defense) bool { return (d.By == seat || d.By == state.User) && d.Seq > c.Since })
	}
	return slices.DeleteFunc(slices.Clone(sides), answered)
}

// heeded is the fall of confidence that facts of a challenge caused, nil for none.
func (t HearingTelling) heeded(c *state.Challenge) *state.ConfidenceChange {
	changes := t.state.Hearing.Changes
	for i := range changes {
		if change := &changes[i]; change.Point == c.Point && change.To < change.From && slices.Contains(c.Facts, change.Fact) {
			return change
		}
	}
	return nil
}

func (t HearingTelling) settled(c *state.Challenge) bool {
	how, _ := t.Met(c)
	return how != waits
}

func (t HearingTelling) standing(l *theme.Look, c *state.Challenge) challengeStanding {
	how, words := t.Met(c)
	g := &l.Glyphs
	switch how {
	case met:
		return challengeStanding{g.Agreed, l.Agreed, words, true}
	case ignored:
		return challengeStanding{g.Warn, l.Warn, words, true}
	case over:
		return challengeStanding{g.NotEvaluated, l.Faint, words, true}
	case waits:
	}
	return challengeStanding{g.Open, l.Open, words, false}
}

// terms are the facts that a challenge cites, as they stand in the packet.
func (t HearingTelling) terms(l *theme.Look, c *state.Challenge) []Block {
	return t.FactBlocks(l, "", c.Facts, 4)
}
