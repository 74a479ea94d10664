package tui

import (
	"slices"
	"strings"
)

// passage is a text on one side: an id, what it says, and a remark.
type passage struct{ id, text, remark string }

// twoPassages are all that their rows depend on, beside the look and the width.
// Marked says that the words that differ are marked; numbers name the two sides
// where one stands below the other.
type twoPassages struct {
	left, right passage
	marked      bool
	numbers     [2]string
}

// pair puts two texts beside each other and marks the words that differ.
func (r *besideReading) pair(left, right passage) {
	r.passages(twoPassages{left: left, right: right, marked: true})
}

// passages puts two passages beside each other, or one below the other. They are
// drawn once: an event changes few of them.
func (r *besideReading) passages(two twoPassages) {
	if r.width < bothWidth {
		for i, head := range r.heads {
			two.numbers[i], _, _ = strings.Cut(head, " ")
		}
	}
	rows, drawn := r.kept[two]
	if !drawn {
		rows = r.draw(&two)
		r.kept[two] = rows
	}
	r.out = append(r.out, rows...)
}

// draw draws two passages.
func (r *besideReading) draw(two *twoPassages) []string {
	sides := [2]passage{two.left, two.right}
	var words [2][]markedWord
	if two.marked {
		left, right, told := differingWords(two.left.text, two.right.text)
		words = [2][]markedWord{left, right}
		if !told && two.left.id != two.right.id {
			sides[0].remark = strings.TrimPrefix(sides[0].remark+", other words throughout", ", ")
		}
	} else {
		words = [2][]markedWord{wordsOf(two.left.text), wordsOf(two.right.text)}
	}
	widths := [2]int{r.width, r.width}
	if r.width >= bothWidth {
		widths[0], widths[1] = r.columns()
	}
	var rows [2][]string
	for i, p := range sides {
		rows[i] = r.passageRows(p, words[i], widths[i], two.numbers[i])
	}
	if r.width < bothWidth {
		return slices.Concat(rows[0], rows[1])
	}
	return r.joined(rows[0], rows[1])
}

// passageRows draws a passage. Of is the number of who says it, where it stands
// among those of others.
func (r *besideReading) passageRows(p passage, words []markedWord, width int, of string) []string {
	l := r.look
	if p.id == "" {
		return nil
	}
	lead := []span{{text: " "}}
	if of != "" && of != p.id {
		lead = append(lead, span{l.seat, of + " "})
	}
	rows := l.markedRows(max(width-1, 0), append(lead, span{l.bold, p.id + "  "}), words)
	for i := range rows {
		rows[i] += blank(min(width, 1))
	}
	if p.remark != "" {
		rows = append(rows, l.paragraph(width, []span{{text: blank(len(p.id) + 3)}}, span{l.faint, "(" + p.remark + ")"}, nil, 0)...)
	}
	return rows
}
