package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
	"moot/tui/theme"
)

// details write points, challenges and what is known whole.
type details struct {
	state   *state.State
	rulings []state.Ruling
	told    telling
}

// challengeThread is a challenge, what its author answers, and what the
// challenger says to that.
func (d details) challengeThread(l *theme.Look, id string) []block {
	c := d.state.Challenge(id)
	if c == nil {
		return nil
	}
	st := d.told.standing(l, c)
	list := []block{
		{
			indent: 2, lead: st.style.Span(st.glyph + " " + c.ID + " " + challengeSort(c) + "  "),
			body:  l.Faint.Span(strings.Join(d.told.about(c), l.Glyphs.Separator)),
			right: st.style.Span(st.words), hang: 4,
		},
		{indent: 4, body: l.Text.Span(c.Objection)},
	}
	list = append(list, d.told.terms(l, c)...)
	for i := range c.Defenses {
		list = append(list, defenseBlocks(l, c, &c.Defenses[i])...)
	}
	return append(list, d.told.came(l, c)...)
}

func defenseBlocks(l *theme.Look, c *state.Challenge, answer *state.Defense) []block {
	void := when(answer.Seq <= c.Since, ", void since it was reopened", "")
	list := []block{
		{
			indent: 4, lead: l.Border.Span(l.Glyphs.Arrow + " "), sign: l.SeatStyle(answer.By).Span(string(answer.By)),
			body: l.Faint.Span(fmt.Sprintf(" answers, round %d%s", answer.Round, void)),
		},
		{indent: 6, body: l.Text.Span(citing(answer.Text, answer.Facts))},
	}
	if answer.Judgment != state.Unjudged {
		good := answer.Judgment == state.Accepted
		sign := when(good, l.Glyphs.Agreed, l.Glyphs.Dismissed) + " " + string(answer.Judgment) + "  "
		list = append(list, block{indent: 6, lead: when(good, l.Agreed, l.Dismissed).Span(sign), body: l.Text.Span(answer.Reason)})
	}
	return list
}

// challengeBlocks is a challenge, then its point.
func (d details) challengeBlocks(l *theme.Look, id string) []block {
	list := d.challengeThread(l, id)
	c := d.state.Challenge(id)
	if c == nil {
		return list
	}
	return append(list, d.aboutPoint(l, c.Point)...)
}

// aboutPoint is the point that something bears on, and where it stands.
func (d details) aboutPoint(l *theme.Look, id string) []block {
	p := d.state.Point(id)
	if p == nil {
		return nil
	}
	list := []block{{section: "Its point"}, {indent: 2, lead: l.Bold.Span(p.ID + "  "), body: l.Text.Span(p.Text)}}
	e, found := d.because(id)
	if !found {
		return list
	}
	where := d.whereBlock(l, &e)
	where.indent, where.hang, where.body = 2, 4, l.Faint.Span(e.Sentence)
	return append(list, where)
}

// evidenceBlocks is an item with the check's answer and the lines that it
// quotes.
func (d details) evidenceBlocks(l *theme.Look, id string) []block {
	e := d.state.Item(id)
	if e == nil {
		return nil
	}
	glyph, st, word := evidenceSign(l, d.told, e)
	about := string(e.SourceKind) + when(e.SourceKind == "", "", ", ") + fmt.Sprintf("by %s, round %d", e.OfferedBy, e.Round)
	if e.Direct {
		about += when(e.Contested == "", ", direct", ", direct, contested by "+e.Contested)
	}
	list := []block{
		{
			indent: 2, lead: st.Span(glyph + " " + e.ID + " "), sign: st.Span(string(e.Relation) + "  "),
			body: l.Text.Span(e.Reference), right: st.Span(word), hang: 4,
		},
		{indent: 4, body: l.Faint.Span(when(e.Reason == "", about, about+"; "+e.Reason))},
	}
	list = append(list, quoted(l, e)...)
	for i := range list {
		list[i].cites = e.ID
	}
	return list
}

// quoted are the lines of an item in a gutter, with their numbers where the
// reference tells them.
func quoted(l *theme.Look, e *ledger.Evidence) []block {
	text := strings.TrimRight(e.Excerpt, "\r\n")
	if text == "" {
		return nil
	}
	lines := outdented(text)
	first := firstLine(e.Reference)
	digits := len(strconv.Itoa(first + len(lines) - 1))
	list := make([]block, len(lines))
	for i, line := range lines {
		number := ""
		if first > 0 {
			number = fmt.Sprintf("%*d ", digits, first+i)
		}
		list[i] = block{
			indent: 4, lead: l.Faint.Span(number), sign: l.Border.Span(l.Glyphs.Vertical + " "),
			body: l.Text.Span(line), gutter: true,
		}
	}
	return list
}

// outdented are the lines of a text without the space that all of them begin
// with.
func outdented(text string) []string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\t", "    ")
	lines := strings.Split(text, "\n")
	common := -1
	for _, line := range lines {
		if bare := strings.TrimLeft(line, " "); bare != "" && (common < 0 || len(line)-len(bare) < common) {
			common = len(line) - len(bare)
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(common, 0), len(line)):]
	}
	return lines
}

// firstLine is the line that a reference begins at, 0 where it tells none.
func firstLine(reference string) int {
	_, lines, found := cutLast(reference, ":")
	if !found {
		return 0
	}
	lines, _, _ = strings.Cut(lines, "-")
	n, err := strconv.Atoi(lines)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// conflictBlocks are a conflict and where its two sides stand.
func (d details) conflictBlocks(l *theme.Look, c *state.Conflict) []block {
	list := d.told.conflicts().blocks(l, c)
	for i, id := range d.told.conflicts().sides(c) {
		if e, found := d.because(id); found {
			side := block{section: when(i == 0, "One side, ", "The other side, ") + id}
			list = append(list, side, d.whereBlock(l, &e), block{indent: 2, body: l.Text.Span(e.Sentence)})
		}
	}
	return list
}

// knownBlocks is a conflict, a fact or an evidence item whole.
func (d details) knownBlocks(l *theme.Look, id string) []block {
	if c := d.state.Conflict(id); c != nil && d.told.conflicts() != nil {
		return d.conflictBlocks(l, c)
	}
	f := d.state.Fact(id)
	if f == nil {
		list := d.evidenceBlocks(l, id)
		if e := d.state.Item(id); e != nil {
			list = append(list, d.told.bearing(l, e)...)
			list = append(list, d.aboutPoint(l, e.Point)...)
		}
		return list
	}
	list := []block{{body: l.Bold.Span(f.Text)}, {body: l.Faint.Span(fmt.Sprintf("%s, round %d%s", f.Label(), f.Round, when(f.Live, "", ", superseded")))}}
	if f.Supersedes != "" {
		list = append(list, block{body: l.Faint.Span("supersedes " + f.Supersedes)})
	}
	if f.Tag == ledger.TagUnverified {
		list = append(list, block{body: l.Unresolved.Span("A hypothesis of a seat: it lifts nothing until it is verified.")})
	}
	return append(list, d.bearsOn(l, id)...)
}

// bearsOn are the points that are said to contradict a fact.
func (d details) bearsOn(l *theme.Look, fact string) []block {
	var list []block
	for _, p := range d.state.Points.All() {
		i := slices.IndexFunc(p.Violates, func(v state.Violation) bool { return v.Fact == fact })
		if i < 0 {
			continue
		}
		if list == nil {
			list = []block{{section: "Said to contradict it"}}
		}
		said := "by " + string(p.Violates[i].By) + when(p.Violates[i].Confirmed, ", confirmed by you", ", not confirmed")
		list = append(list, block{indent: 2, lead: l.Bold.Span(p.ID + "  "), body: l.Text.Span(p.Text), right: l.Faint.Span(said)})
	}
	return list
}
