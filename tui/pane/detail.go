package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
	"moot/tui/theme"
)

// Details write points, challenges and what is known whole.
type Details struct {
	State   *state.State
	Rulings []state.Ruling
	Told    Telling
}

// challengeThread is a challenge, what its author answers, and what the
// challenger says to that.
func (d Details) challengeThread(l *theme.Look, id string) []Block {
	c := d.State.Challenge(id)
	if c == nil {
		return nil
	}
	st := d.Told.standing(l, c)
	list := []Block{
		{
			Indent: 2, Lead: st.style.Span(st.glyph + " " + c.ID + " " + challengeSort(c) + "  "),
			Body:  l.Faint.Span(strings.Join(d.Told.about(c), l.Glyphs.Separator)),
			Right: st.style.Span(st.words), Hang: 4,
		},
		{Indent: 4, Body: l.Text.Span(c.Objection)},
	}
	list = append(list, d.Told.terms(l, c)...)
	for i := range c.Defenses {
		list = append(list, defenseBlocks(l, c, &c.Defenses[i])...)
	}
	return append(list, d.Told.came(l, c)...)
}

func defenseBlocks(l *theme.Look, c *state.Challenge, answer *state.Defense) []Block {
	void := when(answer.Seq <= c.Since, ", void since it was reopened", "")
	list := []Block{
		{
			Indent: 4, Lead: l.Border.Span(l.Glyphs.Arrow + " "), sign: l.SeatStyle(answer.By).Span(string(answer.By)),
			Body: l.Faint.Span(fmt.Sprintf(" answers, round %d%s", answer.Round, void)),
		},
		{Indent: 6, Body: l.Text.Span(Citing(answer.Text, answer.Facts))},
	}
	if answer.Judgment != state.Unjudged {
		good := answer.Judgment == state.Accepted
		sign := when(good, l.Glyphs.Agreed, l.Glyphs.Dismissed) + " " + string(answer.Judgment) + "  "
		list = append(list, Block{Indent: 6, Lead: when(good, l.Agreed, l.Dismissed).Span(sign), Body: l.Text.Span(answer.Reason)})
	}
	return list
}

// ChallengeBlocks is a challenge, then its point.
func (d Details) ChallengeBlocks(l *theme.Look, id string) []Block {
	list := d.challengeThread(l, id)
	c := d.State.Challenge(id)
	if c == nil {
		return list
	}
	return append(list, d.aboutPoint(l, c.Point)...)
}

// aboutPoint is the point that something bears on, and where it stands.
func (d Details) aboutPoint(l *theme.Look, id string) []Block {
	p := d.State.Point(id)
	if p == nil {
		return nil
	}
	list := []Block{{Section: "Its point"}, {Indent: 2, Lead: l.Bold.Span(p.ID + "  "), Body: l.Text.Span(p.Text)}}
	e, found := d.because(id)
	if !found {
		return list
	}
	where := d.whereBlock(l, &e)
	where.Indent, where.Hang, where.Body = 2, 4, l.Faint.Span(e.Sentence)
	return append(list, where)
}

// evidenceBlocks is an item with the check's answer and the lines that it
// quotes.
func (d Details) evidenceBlocks(l *theme.Look, id string) []Block {
	e := d.State.Item(id)
	if e == nil {
		return nil
	}
	glyph, st, word := evidenceSign(l, d.Told, e)
	about := string(e.SourceKind) + when(e.SourceKind == "", "", ", ") + fmt.Sprintf("by %s, round %d", e.OfferedBy, e.Round)
	if e.Direct {
		about += when(e.Contested == "", ", direct", ", direct, contested by "+e.Contested)
	}
	list := []Block{
		{
			Indent: 2, Lead: st.Span(glyph + " " + e.ID + " "), sign: st.Span(string(e.Relation) + "  "),
			Body: l.Text.Span(e.Reference), Right: st.Span(word), Hang: 4,
		},
		{Indent: 4, Body: l.Faint.Span(when(e.Reason == "", about, about+"; "+e.Reason))},
	}
	list = append(list, quoted(l, e)...)
	for i := range list {
		list[i].cites = e.ID
	}
	return list
}

// quoted are the lines of an item in a gutter, with their numbers where the
// reference tells them.
func quoted(l *theme.Look, e *ledger.Evidence) []Block {
	text := strings.TrimRight(e.Excerpt, "\r\n")
	if text == "" {
		return nil
	}
	lines := outdented(text)
	first := firstLine(e.Reference)
	digits := len(strconv.Itoa(first + len(lines) - 1))
	list := make([]Block, len(lines))
	for i, line := range lines {
		number := ""
		if first > 0 {
			number = fmt.Sprintf("%*d ", digits, first+i)
		}
		list[i] = Block{
			Indent: 4, Lead: l.Faint.Span(number), sign: l.Border.Span(l.Glyphs.Vertical + " "),
			Body: l.Text.Span(line), gutter: true,
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
	_, lines, found := CutLast(reference, ":")
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

func CutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// conflictBlocks are a conflict and where its two sides stand.
func (d Details) conflictBlocks(l *theme.Look, c *state.Conflict) []Block {
	list := d.Told.Conflicts().blocks(l, c)
	for i, id := range d.Told.Conflicts().Sides(c) {
		if e, found := d.because(id); found {
			side := Block{Section: when(i == 0, "One side, ", "The other side, ") + id}
			list = append(list, side, d.whereBlock(l, &e), Block{Indent: 2, Body: l.Text.Span(e.Sentence)})
		}
	}
	return list
}

// KnownBlocks is a conflict, a fact or an evidence item whole.
func (d Details) KnownBlocks(l *theme.Look, id string) []Block {
	if c := d.State.Conflict(id); c != nil && d.Told.Conflicts() != nil {
		return d.conflictBlocks(l, c)
	}
	f := d.State.Fact(id)
	if f == nil {
		list := d.evidenceBlocks(l, id)
		if e := d.State.Item(id); e != nil {
			list = append(list, d.Told.bearing(l, e)...)
			list = append(list, d.aboutPoint(l, e.Point)...)
		}
		return list
	}
	list := []Block{{Body: l.Bold.Span(f.Text)}, {Body: l.Faint.Span(fmt.Sprintf("%s, round %d%s", f.Label(), f.Round, when(f.Live, "", ", superseded")))}}
	if f.Supersedes != "" {
		list = append(list, Block{Body: l.Faint.Span("supersedes " + f.Supersedes)})
	}
	if f.Tag == ledger.TagUnverified {
		list = append(list, Block{Body: l.Unresolved.Span("A hypothesis of a seat: it lifts nothing until it is verified.")})
	}
	return append(list, d.bearsOn(l, id)...)
}

// bearsOn are the points that are said to contradict a fact.
func (d Details) bearsOn(l *theme.Look, fact string) []Block {
	var list []Block
	for _, p := range d.State.Points.All() {
		i := slices.IndexFunc(p.Violates, func(v state.Violation) bool { return v.Fact == fact })
		if i < 0 {
			continue
		}
		if list == nil {
			list = []Block{{Section: "Said to contradict it"}}
		}
		said := "by " + string(p.Violates[i].By) + when(p.Violates[i].Confirmed, ", confirmed by you", ", not confirmed")
		list = append(list, Block{Indent: 2, Lead: l.Bold.Span(p.ID + "  "), Body: l.Text.Span(p.Text), Right: l.Faint.Span(said)})
	}
	return list
}
