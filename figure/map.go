// Package figure draws the argument map of a session: points as boxes, and under each
// the challenges, answers and evidence that bear on it. A box is drawn as rows of terminal
// cells, whose runs carry a role in place of a color; an SVG document holds the same rows.
// A sign or a word repeats everything that a color says. The package is pure: the same
// session always gives the same picture. Start at New.
package figure

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/state"
	"moot/view"
)

// Kind says what a box of the map is; each kind has its own corners.
type Kind uint8

// The kinds of boxes.
const (
	// KindPoint is a claim, a box with round corners.
	KindPoint Kind = iota
	// KindChallenge is an attack on a point, a box with all corners cut.
	KindChallenge
	// KindDefense is an answer to a challenge, a shield.
	KindDefense
	// KindEvidence is a cited item, a page with a folded corner.
	KindEvidence
)

// corners lists the corners clockwise from the top left.
func (k Kind) corners() []string {
	return [...][]string{
		KindPoint:     {"╭", "╮", "╯", "╰"},
		KindChallenge: {"╱", "╲", "╱", "╲"},
		KindDefense:   {"┌", "┐", "╱", "╲"},
		KindEvidence:  {"┌", "╲", "┘", "└"},
	}[k]
}

// Map is an argument map. It does not change.
type Map struct {
	// Nodes are the boxes in reading order.
	Nodes []Node
	Ruler
	// title and summary describe the map in words.
	title, summary string
}

// Node is one box of the map.
type Node struct {
	// ID is the id of the item; the answers to C1 are C1.1, C1.2, ….
	ID   string
	Kind Kind
	// Point is the point that the box bears on.
	Point string
	// heading is a line above the box, or nil.
	heading Row
	box     *box
	// trunks say for the parent, and its parents, whether their line continues below the box.
	trunks []bool
}

// New maps the points of a session with what attacks and supports them. A point without one of the
// given rulings is shown by its recorded ruling. The method counts the cells of a text; with ascii
// the signs of the map are ASCII, but not its texts.
func New(s *state.State, rulings []state.Ruling, method ansi.Method, ascii bool) *Map {
	m := &Map{Ruler: Ruler{method, ascii}, title: "Argument map: " + safe(s.Question)}
	w := &writer{Ruler: m.Ruler, s: s, rulings: rulings, seats: NewSeatRoles(), shown: view.FormatOf(s).Map(s)}
	byBucket := map[state.Bucket][]*box{}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" {
			bucket := w.ruling(p).Bucket
			byBucket[bucket] = append(byBucket[bucket], w.point(p))
		}
	}
	for _, bucket := range state.Buckets() {
		sign, role, name := BucketLook(bucket)
		heading := Row{{m.Own(sign) + " " + name, role}, {fmt.Sprint(" ", len(byBucket[bucket])), RoleFaint}}
		for _, b := range byBucket[bucket] {
			m.add(b, b.id, heading, nil)
			heading = nil
		}
	}
	var counts [KindEvidence + 1]int
	for i := range m.Nodes {
		counts[m.Nodes[i].Kind]++
	}
	m.summary = plain.Counted(counts[KindPoint], "point") + ", " +
		plain.Counted(counts[KindChallenge], "challenge") + ", " +
		plain.Counted(counts[KindDefense], "answer") + " and " +
		plain.Counted(counts[KindEvidence], "evidence item") + "."
	return m
}

// add adds a box and its children.
func (m *Map) add(b *box, point string, heading Row, trunks []bool) {
	m.Nodes = append(m.Nodes, Node{b.id, b.kind, point, heading, b, trunks})
	for i, child := range b.children {
		continues := i < len(b.children)-1
		m.add(child, point, nil, append(trunks[:len(trunks):len(trunks)], continues))
	}
}

const (
	// step is how far a child is moved to the right of its parent.
	step = 6
	// widestBox limits the width of a box: longer lines read badly. A box has at least leastBox cells, even if they
	// are cut off.
	widestBox, leastBox = 76, 16
	// A box shows mostLines of its text.
	mostLines = 4
)

// Draw draws a box in at most width cells, with the lines that connect it to its parents.
func (m *Map) Draw(i, width int, selected bool) []Row {
	n := &m.Nodes[i]
	var rows []Row
	if len(n.trunks) == 0 && i > 0 {
		rows = append(rows, Row{})
	}
	if n.heading != nil {
		rows = append(rows, n.heading)
	}
	for y, row := range m.box(n.box, max(min(width-step*len(n.trunks), widestBox), leastBox), selected) {
		var lead Row
		for level, continues := range n.trunks {
			parent := level == len(n.trunks)-1
			switch {
			case parent && y == 1:
				joint := "╰"
				if continues {
					joint = "├"
				}
				line, role := n.box.line()
				lead = append(lead, Run{m.Own("  " + joint), RoleBorder}, Run{m.Own(line), role})
			case continues || parent && y == 0:
				lead = append(lead, Run{m.Own("  │   "), RoleBorder})
			default:
				lead = append(lead, Run{"      ", RoleText})
			}
		}
		rows = append(rows, append(lead, row...))
	}
	return rows
}

// box draws a box: its id and status in the upper border, how it relates to others in the lower one.
func (m *Map) box(b *box, width int, selected bool) []Row {
	role, titleRole, pointer := RoleBorder, RoleBold, " "
	if selected {
		role, titleRole, pointer = RoleSelected, RoleSelected, m.Own("▸")
	}
	corners, room := b.kind.corners(), width-4
	border := func(left, right string, middle, tail Row) Row {
		used := 2
		for _, run := range append(middle[:len(middle):len(middle)], tail...) {
			used += m.Width(run.Text)
		}
		line := strings.Repeat(m.Own("─"), max(width-used, 0))
		row := append(append(Row{{m.Own(left), role}}, middle...), Run{line, role})
		return append(append(row, tail...), Run{m.Own(right), role})
	}
	title, used := m.clipRow(b.title, room-1), 0
	for _, run := range title {
		used += m.Width(run.Text)
	}
	title[0].Role = titleRole
	var by Row
	if n := m.Width(b.by.Text); n > 0 && used+n+4 <= room {
		by = Row{{" ", role}, b.by, {m.Own(" ─"), role}}
	}
	rows := []Row{border(corners[0], corners[1], append(append(Row{{pointer, role}}, title...), Run{" ", role}), by)}

	var body Row
	if b.lead != "" {
		body = Row{{m.Clip(b.lead, room), RoleText}}
	}
	for _, text := range m.wrap(b.text, room, mostLines-len(body)) {
		body = append(body, Run{text, b.textRole})
	}
	if len(body) == 0 {
		body = Row{{"(no text)", RoleFaint}}
	}
	foot := Row{{m.Own("─"), role}}
	if b.word != "" {
		_, bears := b.line()
		foot = Row{{" ", role}, {m.Clip(b.word, room), bears}, {" ", role}}
	}
	if also := strings.Join(b.also, m.Own(" · ")); also != "" {
		if joined := view.Join(m.Own(" · "), b.word, also); m.Width(joined) <= room {
			_, bears := b.line()
			foot = Row{{" ", role}, {joined, bears}, {" ", role}}
		} else {
			for _, text := range m.wrap(also, room, mostLines) {
				body = append(body, Run{text, RoleFaint})
			}
		}
	}
	for _, run := range body {
		space := strings.Repeat(" ", max(room-m.Width(run.Text), 0))
		rows = append(rows, Row{{m.Own("│ "), role}, run, {m.Own(space + " │"), role}})
	}
	return append(rows, border(corners[3], corners[2], foot, nil))
}
