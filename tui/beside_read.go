package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/state"
)

// besideReading writes two answers, or the two sides of a conflict, beside each
// other.
type besideReading struct {
	look    *look
	c       *comparison
	details details
	width   int
	// heads name the two sides, said are what those said themselves.
	heads [2]string
	said  [2]map[int]*state.Point
	// kept are the passages that were drawn before.
	kept map[twoPassages][]string
	out  []string
}

// bothWidth is the width from which two texts stand beside each other; in less
// one stands below the other.
const bothWidth = 72

func (r *besideReading) rows(b *beside) []string {
	if at := r.c.disputeAt(b.conflict); at >= 0 {
		r.sides(&r.c.disputes[at])
	} else if b.conflict != "" {
		r.paragraph(r.look.faint, b.conflict+" does not stand any more.")
	} else if max(b.left, b.right) < len(r.c.seats) {
		r.answers(b.left, b.right)
	}
	return r.out
}

// answers are all that two panelists said: what both say, what sets them apart,
// and the rest.
func (r *besideReading) answers(left, right int) {
	pair := [2]int{left, right}
	for i, at := range pair {
		r.heads[i] = fmt.Sprintf("%d %s", at+1, r.c.name(at))
		r.said[i] = r.c.wordings(r.c.seats[at])
	}
	r.headline()
	if a := r.c.matrix.Pair(r.c.seats[left], r.c.seats[right]); a != nil {
		r.paragraph(r.look.faint, r.c.pairWords(a, left, right)+".")
	}
	told := map[int]bool{}
	r.shared(pair, told)
	r.apart(pair, told)
	r.rest(pair, told)
}

// shared are the claims that both stand for.
func (r *besideReading) shared(pair [2]int, told map[int]bool) {
	var both []int
	for i := range r.c.claims {
		if claim := &r.c.claims[i]; claim.stands[pair[0]].stoodFor() && claim.stands[pair[1]].stoodFor() {
			both = append(both, i)
			told[i] = true
		}
	}
	r.section("Both say", len(both))
	for _, i := range both {
		r.pair(r.passage(pair, 0, i), r.passage(pair, 1, i))
	}
}

// apart are the conflicts in which they take opposite sides.
func (r *besideReading) apart(pair [2]int, told map[int]bool) {
	list := r.c.apart(pair[0], pair[1])
	r.section("Against each other", len(list))
	for _, d := range list {
		r.opposed(d, pair, [2]int{d.sides[d.taken[pair[0]]], d.sides[d.taken[pair[1]]]}, told)
	}
	var once []func()
	for i := range r.c.disputes {
		d := &r.c.disputes[i]
		for _, sides := range [][2]int{d.sides, {d.sides[1], d.sides[0]}} {
			if !slices.Contains(list, d) && r.spoke(pair[0], sides[0]) && r.spoke(pair[1], sides[1]) {
				once = append(once, func() { r.opposed(d, pair, sides, told) })
				break
			}
		}
	}
	r.section("Once against each other", len(once))
	for _, write := range once {
		write()
	}
}

// spoke reports whether a panelist stands, or once stood, for a claim.
func (r *besideReading) spoke(seat, claim int) bool {
	s := r.c.claims[claim].stands[seat]
	return s.stoodFor() || s == standGaveUp
}

// opposed puts the two sides of a conflict beside each other, in the words of
// those who took them.
func (r *besideReading) opposed(d *dispute, pair, sides [2]int, told map[int]bool) {
	told[sides[0]], told[sides[1]] = true, true
	r.dispute(d)
	r.pair(r.passage(pair, 0, sides[0]), r.passage(pair, 1, sides[1]))
}

// rest is what only one of the two says.
func (r *besideReading) rest(pair [2]int, told map[int]bool) {
	var only [2][]passage
	for side, at := range pair {
		for i := range r.c.claims {
			if !told[i] && r.spoke(at, i) {
				only[side] = append(only[side], r.passage(pair, side, i))
			}
		}
	}
	r.section("Only one of the two says", len(only[0])+len(only[1]))
	for i := range max(len(only[0]), len(only[1])) {
		var two [2]passage
		for side := range two {
			if i < len(only[side]) {
				two[side] = only[side][i]
			}
		}
		r.passages(twoPassages{left: two[0], right: two[1]})
	}
}

// passage is what a panelist said of a claim, in its own words where it has any.
func (r *besideReading) passage(pair [2]int, side, claim int) passage {
	c := &r.c.claims[claim]
	said := r.said[side][claim]
	if said == nil {
		said = r.c.state.Point(c.id)
	}
	p := passage{id: said.ID, text: said.Text}
	switch c.stands[pair[side]] {
	case standVoted:
		p.remark = "when it was asked"
	case standGaveUp:
		p.remark = "gave it up"
	case standAgainst, standHolds, standSilent, standMissing:
	}
	if c.aside {
		p.remark = strings.TrimPrefix(p.remark+", put aside", ", ")
	}
	return p
}

// sides are the two claims of a conflict: what each says, who stands for it, on
// which evidence, and where it stands.
func (r *besideReading) sides(d *dispute) {
	l := r.look
	for i, at := range d.sides {
		r.heads[i] = r.c.claims[at].id
	}
	r.dispute(d)
	var two [2]passage
	for i, at := range d.sides {
		two[i] = passage{id: r.c.claims[at].id, text: r.c.state.Point(r.c.claims[at].id).Text}
	}
	r.pair(two[0], two[1])
	r.lists("Who", func(i int) []block { return r.standing(&r.c.claims[d.sides[i]]) })
	r.lists("Other wordings", func(i int) []block {
		var list []block
		for _, id := range r.c.claims[d.sides[i]].Points[1:] {
			list = append(list, block{lead: span{l.bold, id + "  "}, body: span{l.text, r.c.state.Point(id).Text}})
		}
		return list
	})
	r.lists("Evidence", func(i int) []block {
		var list []block
		for _, id := range r.c.claims[d.sides[i]].Points {
			for _, e := range r.c.state.Point(id).Evidence {
				list = append(list, r.details.evidenceBlocks(l, e)...)
			}
		}
		return list
	})
	r.lists("Where it stands", func(i int) []block {
		e, found := r.details.because(r.c.claims[d.sides[i]].id)
		if !found {
			return nil
		}
		where := r.details.whereBlock(l, &e)
		where.body = span{l.faint, e.Sentence}
		return []block{where}
	})
}

// standing says who stands how to a claim.
func (r *besideReading) standing(claim *asserted) []block {
	l := r.look
	var list []block
	for _, s := range []stand{standHolds, standVoted, standGaveUp, standAgainst} {
		var names []string
		for i := range r.c.seats {
			if claim.stands[i] == s {
				names = append(names, fmt.Sprintf("%d %s", i+1, l.line(r.c.name(i))))
			}
		}
		if len(names) > 0 {
			glyph, st, words := standSign(l, s)
			list = append(list, block{lead: span{st, glyph + " "}, sign: span{l.faint, words + "  "}, body: span{l.text, strings.Join(names, ", ")}, hang: 4})
		}
	}
	return list
}

// dispute heads a conflict.
func (r *besideReading) dispute(d *dispute) {
	l := r.look
	glyph, st := conflictSign(l, d.Kind)
	r.out = append(r.out, l.paragraph(r.width, []span{{text: " "}, {l.bold, d.ID + "  "}, {st, glyph + " " + string(d.Kind)}, {text: "  "}}, span{l.faint, d.ending.Words("you")}, nil, 0)...)
}

func (r *besideReading) paragraph(st style, text string) {
	r.out = append(r.out, r.look.paragraph(r.width, []span{{text: " "}}, span{st, text}, nil, 0)...)
}

// section heads a part, where there is anything in it.
func (r *besideReading) section(title string, n int) {
	if n == 0 {
		return
	}
	r.out = append(r.out, blank(r.width), r.look.sectionRule(r.width, fmt.Sprintf("%s %d", title, n), nil))
}

// headline names the two sides.
func (r *besideReading) headline() {
	l := r.look
	if r.width < bothWidth {
		for _, head := range r.heads {
			r.out = append(r.out, l.row(r.width, []span{{l.seat, " " + head}}, nil))
		}
		return
	}
	left, right := r.columns()
	r.out = append(r.out, l.row(left, []span{{l.seat, " " + r.heads[0]}}, nil)+r.gutter()+l.row(right, []span{{l.seat, " " + r.heads[1]}}, nil))
}

// columns are the widths of the two sides.
func (r *besideReading) columns() (left, right int) {
	left = (r.width - 1) / 2
	return left, r.width - 1 - left
}

func (r *besideReading) gutter() string { return r.look.border.paint(r.look.glyphs.vertical) }

// lists puts two lists beside each other below a head, where there is anything in
// them.
func (r *besideReading) lists(title string, of func(side int) []block) {
	lists := [2][]block{of(0), of(1)}
	if len(lists[0])+len(lists[1]) == 0 {
		return
	}
	r.out = append(r.out, blank(r.width), r.look.sectionRule(r.width, title, nil))
	left, right := r.columns()
	if r.width >= bothWidth {
		r.out = append(r.out, r.joined(r.blockRows(lists[0], left), r.blockRows(lists[1], right))...)
		return
	}
	for i, list := range lists {
		if len(list) > 0 {
			r.out = append(r.out, r.look.row(r.width, []span{{r.look.bold, " " + r.heads[i]}}, nil))
			r.out = append(r.out, r.blockRows(list, r.width)...)
		}
	}
}

func (r *besideReading) blockRows(list []block, width int) []string {
	var rows []string
	for i := range list {
		list[i].indent++
		rows = append(rows, list[i].rows(r.look, width, true)...)
	}
	return rows
}

// joined puts two columns of rows beside each other.
func (r *besideReading) joined(left, right []string) []string {
	wide, narrow := r.columns()
	rows := make([]string, max(len(left), len(right)))
	for i := range rows {
		row, other := blank(wide), blank(narrow)
		if i < len(left) {
			row = left[i]
		}
		if i < len(right) {
			other = right[i]
		}
		rows[i] = row + r.gutter() + other
	}
	return rows
}

// stoodFor reports whether a panelist stands for the claim.
func (s stand) stoodFor() bool { return s == standHolds || s == standVoted }

// wordings are the points in which a panelist itself said each claim, by their
// places: the first of them that was not revised.
func (c *comparison) wordings(seat state.Seat) map[int]*state.Point {
	own := map[int]*state.Point{}
	for _, p := range c.state.Points.All() {
		if p.RevisedBy != "" || len(p.Authors) == 0 || p.Authors[0] != seat {
			continue
		}
		if now := c.state.Current(p.ID); now != nil {
			if at, known := c.lead[now.ID]; known && own[at] == nil {
				own[at] = p
			}
		}
	}
	return own
}

// disputeAt is the place of a conflict, or -1.
func (c *comparison) disputeAt(id string) int {
	return slices.IndexFunc(c.disputes, func(d dispute) bool { return d.ID == id })
}
