package figure

import (
	"fmt"
	"strings"

	"moot/plain"
	"moot/state"
)

// section is a heading with the boxes below it.
type section struct {
	heading Row
	boxes   []*box
}

// tie is a relation between two points that a line shows: it leads from one to
// the other, with a head there, or with heads at both.
type tie struct {
	from, to string
	kind     tied
	both     bool
	// word says how the first bears on the second. conflict is the id of a conflict
	// of a panel, came how it came out, ended the same in fewer words.
	word, conflict, came, ended string
}

// words say in a sentence what the tie is.
func (t *tie) words() string {
	words := t.from + " " + t.word + " " + t.to
	if t.conflict != "" {
		words = t.conflict + ": " + words + ", " + t.came
	}
	return words
}

// choice is what a map shows.
type choice struct {
	sections []section
	ties     []tie
	// counts are the numbers of boxes of each kind that are shown.
	counts [NodeEvidence + 1]int
	hidden Hidden
	// contested are the conflicts of a panel, nil in other formats.
	contested *contested
}

// choose finds what the options ask for, by buckets.
func (w *writer) choose(o MapOptions) *choice {
	c := &choice{contested: w.contested}
	focus := w.pointOf(o.Focus)
	only := o.Only && focus != nil
	related := map[string]bool{}
	if only {
		related = w.related(focus)
	}
	byBucket := map[state.Bucket][]*box{}
	for _, p := range w.s.Points.All() {
		switch {
		case p.MergedInto != "":
			if only && w.s.Live(p.ID) != focus {
				c.hidden.Points++
			}
			continue
		case only && p != focus && !related[p.ID]:
			c.leaveOut(w, p, true)
			continue
		}
		b := w.point(p)
		if only && p != focus {
			c.leaveOut(w, p, false)
			if n := len(w.challenged(p)) + len(p.Evidence); n > 0 {
				b.also = append(b.also, fmt.Sprintf("what bears on it is not shown (%d)", n))
			}
		} else {
			b = w.whole(p)
		}
		at := w.bucket(p).Bucket
		byBucket[at] = append(byBucket[at], b)
		c.count(b)
	}
	c.arrange(byBucket, w.signs)
	c.tie(w)
	return c
}

// pointOf is the point that an item with the id bears on, or nil.
func (w *writer) pointOf(id string) *state.Point {
	challenge, _, _ := strings.Cut(id, ".")
	if c := w.s.Challenge(challenge); c != nil {
		return w.s.Live(c.Point)
	}
	if e := w.s.Item(id); e != nil {
		return w.s.Live(e.Point)
	}
	return w.s.Live(id)
}

// related are the points that oppose the point, or replace it, or are replaced.
func (w *writer) related(p *state.Point) map[string]bool {
	found := map[string]bool{}
	for _, id := range []string{p.Revises, p.RevisedBy} {
		if other := w.s.Live(id); other != nil {
			found[other.ID] = true
		}
	}
	for _, id := range w.beside[p.ID] {
		found[id] = true
	}
	if w.contested != nil {
		for _, t := range w.contested.of[p.ID] {
			found[t.from], found[t.to] = true, true
		}
	}
	return found
}

// leaveOut counts what bears on a point that is not shown whole.
func (c *choice) leaveOut(w *writer, p *state.Point, itself bool) {
	if itself {
		c.hidden.Points++
	}
	challenges := w.challenged(p)
	c.hidden.Challenges += len(challenges)
	c.hidden.Evidence += len(p.Evidence)
	for _, challenge := range challenges {
		c.hidden.Answers += len(challenge.Defenses)
	}
}

func (c *choice) count(b *box) {
	c.counts[b.kind]++
	for _, child := range b.children {
		c.count(child)
	}
}

// arrange puts the boxes under headings, in the order of the result.
func (c *choice) arrange(byBucket map[state.Bucket][]*box, signs signs) {
	for _, bucket := range state.Buckets() {
		boxes := byBucket[bucket]
		if len(boxes) == 0 {
			continue
		}
		sign, role, word := signs.bucketLook(bucket)
		heading := Row{{sign + " " + strings.ToUpper(word[:1]) + word[1:], role}, {fmt.Sprint(" ", len(boxes)), RoleFaint}}
		c.sections = append(c.sections, section{heading, boxes})
	}
}

// tie finds the relations between the points that are shown.
func (c *choice) tie(w *writer) {
	shown := map[string]bool{}
	for _, s := range c.sections {
		for _, b := range s.boxes {
			shown[b.id] = true
		}
	}
	if w.contested != nil {
		for _, t := range w.contested.ties {
			if shown[t.from] && shown[t.to] {
				c.ties = append(c.ties, t)
			}
		}
	}
	known := map[[2]string]bool{}
	for _, s := range c.sections {
		for _, b := range s.boxes {
			for _, other := range w.beside[b.id] {
				pair := [2]string{min(b.id, other), max(b.id, other)}
				if shown[other] && !known[pair] {
					known[pair] = true
					c.ties = append(c.ties, tie{from: b.id, to: other, kind: tiedOpposes, both: true, word: "opposes"})
				}
			}
			if p := w.s.Point(b.id); p.Revises != "" {
				if old := w.s.Live(p.Revises); old != nil && shown[old.ID] && old != p {
					c.ties = append(c.ties, tie{from: b.id, to: old.ID, kind: tiedReplaces, word: "replaces"})
				}
			}
		}
	}
}

// summary says in words what the map shows and what it leaves out.
func (c *choice) summary() string {
	shown := plain.Counted(c.counts[NodePoint], "point") + ", " + plain.Counted(c.counts[NodeChallenge], "challenge") + ", " +
		plain.Counted(c.counts[NodeDefense], "answer") + " and " + plain.Counted(c.counts[NodeEvidence], "evidence item") + "."
	if c.contested != nil {
		came := c.contested.counts.Words("the user")
		shown += " " + strings.ToUpper(came[:1]) + came[1:] + "."
	}
	if left := c.hidden.words(); left != "" {
		shown += " Not shown: " + left + "."
	}
	return shown
}

// words lists what is hidden, "" for nothing.
func (h Hidden) words() string {
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{h.Points, "point"}, {h.Challenges, "challenge"}, {h.Answers, "answer"}, {h.Evidence, "evidence item"}} {
		if part.n > 0 {
			parts = append(parts, plain.Counted(part.n, part.word))
		}
	}
	return strings.Join(parts, ", ")
}
