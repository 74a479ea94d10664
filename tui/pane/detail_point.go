package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// pointBlocks is a point whole: what it says, where it stands and why, what
// became of it, what is said for and against it.
func (d Details) pointBlocks(l *theme.Look, id string, events []state.Event, rounds *rounds) []Block {
	p := d.State.Point(id)
	if p == nil {
		return nil
	}
	list := []Block{
		{Lead: l.Accent.Span(p.ID + "  "), Body: l.Bold.Span(p.Text)},
		{Indent: len(p.ID) + 2, Body: l.Faint.Span(strings.Join(d.Told.facts(p), l.Glyphs.Separator))},
		{},
	}
	if e, found := d.because(id); found {
		list = append(list, d.whereBlock(l, &e))
		if !d.Told.covers(&e.Ruling) {
			list = append(list, becauseBlocks(l, &e)...)
		}
	}
	list = append(list, d.Told.holding(l, p)...)
	list = append(list, d.historyBlocks(l, id, events, rounds)...)
	list = append(list, d.challengesOf(l, p)...)
	list = append(list, d.evidenceOf(l, p)...)
	list = append(list, d.confidenceBlocks(l, p)...)
	return append(list, d.noteBlocks(l, id)...)
}

func (d Details) challengesOf(l *theme.Look, p *state.Point) []Block {
	ids := slices.DeleteFunc(slices.Clone(p.Challenges), func(id string) bool { return d.Told.Conflicts().echoed(d.State.Challenge(id)) })
	if len(ids) == 0 {
		return nil
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		return cmp.Compare(d.Told.gravity(d.State.Challenge(a)), d.Told.gravity(d.State.Challenge(b)))
	})
	var threads []Block
	for i, id := range ids {
		if i > 0 {
			threads = append(threads, Block{})
		}
		threads = append(threads, d.challengeThread(l, id)...)
	}
	counted := d.Told.counted(unsettled(d.Told, d.State, p))
	number, word, _ := strings.Cut(counted, " ")
	return append([]Block{{Section: "Challenges", Right: l.Faint.Span(fmt.Sprintf("%s of %d %s", number, len(ids), word))}}, threads...)
}

// evidenceOf are the items of a point: by their sources where the format has an
// order of them, else as they came.
func (d Details) evidenceOf(l *theme.Look, p *state.Point) []Block {
	if len(p.Evidence) == 0 {
		return nil
	}
	verified := 0
	groups := make([][]*ledger.Evidence, max(len(d.Told.sources()), 1))
	for _, id := range p.Evidence {
		if e := d.State.Item(id); e != nil {
			verified += when(e.Verified, 1, 0)
			at := d.Told.sourceOf(e)
			groups[at] = append(groups[at], e)
		}
	}
	list := []Block{{Section: "Evidence", Right: l.Faint.Span(fmt.Sprintf("%d of %d verified", verified, len(p.Evidence)))}}
	for at, items := range groups {
		if sources := d.Told.sources(); sources != nil && len(items) > 0 {
			list = append(list, spaced(len(list) > 1)...)
			list = append(list, Block{Indent: 2, Lead: l.Bold.Span(sources[at].name + "  "), Body: l.Faint.Span(sources[at].decides)})
		}
		for i, e := range items {
			list = append(list, spaced(i > 0)...)
			list = append(list, d.evidenceBlocks(l, e.ID)...)
		}
	}
	return list
}

// spaced is an empty row where there is one.
func spaced(there bool) []Block { return make([]Block, when(there, 1, 0)) }

// confidenceBlocks are the numbers of each seat over the rounds, and in words
// where it retreated and where it was rigid (ST3).
func (d Details) confidenceBlocks(l *theme.Look, p *state.Point) []Block {
	only := *d.State
	only.Confidence = state.List[state.Confidence]{}
	numbers := map[state.Seat][]string{}
	var order []state.Seat
	last := 1
	for _, c := range d.State.Confidence.All() {
		if c.Point != p.ID && !slices.Contains(p.Aliases, c.Point) {
			continue
		}
		only.Confidence = only.Confidence.Append(c)
		if numbers[c.Seat] == nil {
			order = append(order, c.Seat)
			numbers[c.Seat] = slices.Repeat([]string{"   " + l.Glyphs.Bullet}, state.MaxRounds+1)
		}
		round := max(min(c.Round, state.MaxRounds), 0)
		numbers[c.Seat][round] = fmt.Sprintf("%.2f", c.Admitted)
		last = max(last, round)
	}
	if len(order) == 0 {
		return nil
	}
	widest := len("round")
	for _, seat := range order {
		widest = max(widest, len(seat))
	}
	var head strings.Builder
	for round := 1; round <= last; round++ {
		fmt.Fprintf(&head, "%4d  ", round)
	}
	list := []Block{{Section: "Confidence"}, {Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("%-*s  ", widest, "round")), Body: l.Faint.Span(head.String())}}
	for _, seat := range order {
		list = append(list, Block{
			Indent: 2, Lead: l.SeatStyle(seat).Span(fmt.Sprintf("%-*s  ", widest, seat)),
			Body: l.Text.Span(strings.Join(numbers[seat][1:last+1], "  ")),
		})
	}
	only.Evidence = d.evidenceOnly(p)
	for _, seat := range order {
		list = append(list, calibrationBlocks(l, seat, resolver.Calibrate(&only, seat))...)
	}
	return list
}

// evidenceOnly are the items of one point, so that nothing else is looked
// through.
func (d Details) evidenceOnly(p *state.Point) (items state.List[ledger.Evidence]) {
	for _, id := range p.Evidence {
		if e := d.State.Item(id); e != nil {
			items = items.Append(e)
		}
	}
	return items
}

// calibrationBlocks say where a seat retreated and where it was rigid.
func calibrationBlocks(l *theme.Look, seat state.Seat, found resolver.Calibration) []Block {
	var list []Block
	warn := func(lead, text string) {
		list = append(list, Block{Indent: 2, Lead: l.Warn.Span(l.Glyphs.Warn + " " + lead + "  "), Body: l.Text.Span(text)})
	}
	for _, shift := range found.Shifts {
		if shift.Uncaused() > 0 {
			warn("retreat", fmt.Sprintf("%s in round %d: %.2f to %.2f without a cause; %.2f counts",
				seat, shift.Now.Round, shift.Before.Stated, shift.Now.Stated, shift.Now.Admitted))
		}
	}
	for _, counter := range found.Counter {
		if !counter.Moved {
			warn("rigid", fmt.Sprintf("%s did not move when %s %s it in round %d", seat, counter.Item.ID, counter.Item.Relation, counter.Item.Round))
		}
	}
	return list
}

// noteBlocks are the remarks on a point: drifts, the arbiter's flags, notes,
// what was asked.
func (d Details) noteBlocks(l *theme.Look, id string) []Block {
	var list []Block
	put := func(st theme.Style, lead, text string) {
		list = append(list, Block{Indent: 2, Lead: st.Span(lead + "  "), Body: l.Text.Span(text)})
	}
	for _, n := range d.State.Drifts.All() {
		if n.Point == id {
			put(l.Warn, l.Glyphs.Warn+" drift", fmt.Sprintf("%s in round %d: from %s to %s%s", n.Seat, n.Round, n.From, n.To, when(n.Kept, "; the earlier position stands", "")))
		}
	}
	for _, f := range d.State.Flags {
		if f.Point == id {
			put(l.Unresolved, l.Glyphs.Unresolved+" arbiter", f.Text)
		}
	}
	for _, n := range d.State.Notes.All() {
		if n.Point == id {
			put(l.Faint, l.Glyphs.Bullet+" note", n.Text)
		}
	}
	for _, q := range d.State.Questions.All() {
		if q.Point != id {
			continue
		}
		text := q.Text
		switch {
		case q.Answered && q.Answer != "":
			text += " " + l.Glyphs.Arrow + " " + q.Answer
		case q.Answered:
			text += " " + l.Glyphs.Arrow + " no answer"
		}
		put(when(q.Answered, l.Faint, l.Warn), l.Glyphs.Unresolved+" "+q.ID+" asks you", text)
	}
	if list == nil {
		return nil
	}
	return append([]Block{{Section: "Remarks"}}, list...)
}
