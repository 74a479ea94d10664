package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
)

// details write points, challenges and what is known whole.
type details struct {
	state   *state.State
	rulings []state.Ruling
	told    telling
}

// details are those of what is shown.
func (m *Model) details() details { return details{&m.state, m.rulings, m.telling} }

// challengeThread is a challenge, what its author answers, and what the
// challenger says to that.
func (d details) challengeThread(l *look, id string) []block {
	c := d.state.Challenge(id)
	if c == nil {
		return nil
	}
	st := d.told.standing(l, c)
	list := []block{
		{
			indent: 2, lead: span{st.style, st.glyph + " " + c.ID + " " + challengeSort(c) + "  "},
			body:  span{l.faint, strings.Join(d.told.about(c), l.glyphs.separator)},
			right: span{st.style, st.words}, hang: 4,
		},
		{indent: 4, body: span{l.text, c.Objection}},
	}
	list = append(list, d.told.terms(l, c)...)
	for i := range c.Defenses {
		list = append(list, defenseBlocks(l, c, &c.Defenses[i])...)
	}
	return append(list, d.told.came(l, c)...)
}

func defenseBlocks(l *look, c *state.Challenge, answer *state.Defense) []block {
	void := when(answer.Seq <= c.Since, ", void since it was reopened", "")
	list := []block{
		{
			indent: 4, lead: span{l.border, l.glyphs.arrow + " "}, sign: span{l.seatStyle(answer.By), string(answer.By)},
			body: span{l.faint, fmt.Sprintf(" answers, round %d%s", answer.Round, void)},
		},
		{indent: 6, body: span{l.text, citing(answer.Text, answer.Facts)}},
	}
	if answer.Judgment != state.Unjudged {
		good := answer.Judgment == state.Accepted
		sign := when(good, l.glyphs.agreed, l.glyphs.dismissed) + " " + string(answer.Judgment) + "  "
		list = append(list, block{indent: 6, lead: span{when(good, l.agreed, l.dismissed), sign}, body: span{l.text, answer.Reason}})
	}
	return list
}

// challengeBlocks is a challenge, then its point.
func (d details) challengeBlocks(l *look, id string) []block {
	list := d.challengeThread(l, id)
	c := d.state.Challenge(id)
	if c == nil {
		return list
	}
	return append(list, d.aboutPoint(l, c.Point)...)
}

// aboutPoint is the point that something bears on, and where it stands.
func (d details) aboutPoint(l *look, id string) []block {
	p := d.state.Point(id)
	if p == nil {
		return nil
	}
	list := []block{{section: "Its point"}, {indent: 2, lead: span{l.bold, p.ID + "  "}, body: span{l.text, p.Text}}}
	e, found := d.because(id)
	if !found {
		return list
	}
	where := d.whereBlock(l, &e)
	where.indent, where.hang, where.body = 2, 4, span{l.faint, e.Sentence}
	return append(list, where)
}

// evidenceBlocks is an item with the check's answer and the lines that it
// quotes.
func (d details) evidenceBlocks(l *look, id string) []block {
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
			indent: 2, lead: span{st, glyph + " " + e.ID + " "}, sign: span{st, string(e.Relation) + "  "},
			body: span{l.text, e.Reference}, right: span{st, word}, hang: 4,
		},
		{indent: 4, body: span{l.faint, when(e.Reason == "", about, about+"; "+e.Reason)}},
	}
	list = append(list, quoted(l, e)...)
	for i := range list {
		list[i].cites = e.ID
	}
	return list
}

// quoted are the lines of an item in a gutter, with their numbers where the
// reference tells them.
func quoted(l *look, e *ledger.Evidence) []block {
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
			indent: 4, lead: span{l.faint, number}, sign: span{l.border, l.glyphs.vertical + " "},
			body: span{l.text, line}, gutter: true,
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
func (d details) conflictBlocks(l *look, c *state.Conflict) []block {
	list := d.told.conflicts().blocks(l, c)
	for i, id := range d.told.conflicts().sides(c) {
		if e, found := d.because(id); found {
			side := block{section: when(i == 0, "One side, ", "The other side, ") + id}
			list = append(list, side, d.whereBlock(l, &e), block{indent: 2, body: span{l.text, e.Sentence}})
		}
	}
	return list
}

// knownBlocks is a conflict, a fact or an evidence item whole.
func (d details) knownBlocks(l *look, id string) []block {
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
	list := []block{{body: span{l.bold, f.Text}}, {body: span{l.faint, fmt.Sprintf("%s, round %d%s", f.Label(), f.Round, when(f.Live, "", ", superseded"))}}}
	if f.Supersedes != "" {
		list = append(list, block{body: span{l.faint, "supersedes " + f.Supersedes}})
	}
	if f.Tag == ledger.TagUnverified {
		list = append(list, block{body: span{l.unresolved, "A hypothesis of a seat: it lifts nothing until it is verified."}})
	}
	return append(list, d.bearsOn(l, id)...)
}

// bearsOn are the points that are said to contradict a fact.
func (d details) bearsOn(l *look, fact string) []block {
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
		list = append(list, block{indent: 2, lead: span{l.bold, p.ID + "  "}, body: span{l.text, p.Text}, right: span{l.faint, said}})
	}
	return list
}
