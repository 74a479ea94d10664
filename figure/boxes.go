package figure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// relation is how a box bears on its parent.
type relation uint8

const (
	relationNone relation = iota
	relationAttack
	relationSupport
	relationNote
)

// box is one node of the map with its texts.
type box struct {
	id   string
	kind Kind
	// bearing is how the box bears on its parent, word says so, and broken means that
	// it fails to.
	bearing relation
	broken  bool
	word    string

	// title is the left part of the upper border, by the right part.
	title Row
	by    Run
	// lead is a line of its own above the text.
	lead     string
	text     string
	textRole Role
	// also lists what the box says about others, in the lower border if there is room.
	also     []string
	children []*box
}

// line is the line to the parent, with its head there.
func (b *box) line() (signs string, role Role) {
	switch {
	case b.bearing == relationAttack && b.broken:
		return "╳┈┈", RoleFaint
	case b.bearing == relationAttack:
		return "╳══", RoleAttack
	case b.bearing == relationSupport && b.broken:
		return "◁┈┈", RoleFaint
	case b.bearing == relationSupport:
		return "◄──", RoleSupport
	}
	return "○╌╌", RoleFaint
}

// writer puts the items of a session into boxes.
type writer struct {
	Ruler
	s       *state.State
	rulings []state.Ruling
	seats   SeatRoles
	// shown holds what the format adds.
	shown view.Map
}

// ruling is the ruling of a point: one of those given, else the recorded one.
func (w *writer) ruling(p *state.Point) *state.Ruling {
	if r := resolver.RulingOn(w.rulings, p.ID); r != nil {
		return r
	}
	if r := w.s.Ruling(p.ID); r != nil {
		return r
	}
	return &state.Ruling{Point: p.ID, Bucket: state.BucketOpen}
}

func (w *writer) seatRun(seats ...state.Seat) Run {
	if len(seats) == 0 {
		return Run{}
	}
	names := lists.Map(seats, func(s state.Seat) string { return safe(string(s)) })
	return Run{strings.Join(names, ", "), w.seats.Of(seats[0])}
}

// status is the last part of a title: a sign and words.
func (w *writer) status(sign, words string, role Role) Run {
	return Run{w.Own(" · "+sign+" ") + safe(words), role}
}

// point is the box of a point with all that bears on it: attacks, then support, then the rest.
func (w *writer) point(p *state.Point) *box {
	b := w.claim(p)
	for _, id := range p.Challenges {
		c := w.s.Challenge(id)
		if c == nil || w.shown.Hidden[id] && len(c.Defenses) == 0 && c.Status != state.StandsUndefended {
			continue
		}
		b.children = append(b.children, w.challenge(c))
	}
	for _, id := range p.Evidence {
		if item := w.s.Item(id); item != nil {
			b.children = append(b.children, w.evidence(item))
		}
	}
	slices.SortStableFunc(b.children, func(a, b *box) int { return cmp.Compare(a.bearing, b.bearing) })
	for _, id := range p.Aliases {
		if merged := w.s.Point(id); merged != nil {
			alias := w.claim(merged)
			alias.title = Row{{merged.ID, RoleBold}, {w.Own(" · ") + "merged", RoleFaint}}
			alias.bearing, alias.word, alias.textRole = relationNote, "same as "+p.ID, RoleFaint
			b.children = append(b.children, alias)
		}
	}
	return b
}

// claim is the box of a point without its children.
func (w *writer) claim(p *state.Point) *box {
	ruling := w.ruling(p)
	sign, role, name := BucketLook(ruling.Bucket)
	more := cmp.Or(w.shown.Points[p.ID].Mark, strings.ToLower(view.TagOf(w.s, ruling)))
	if more != "" {
		more = w.Own(" · ") + safe(more)
	}
	b := &box{
		id: p.ID, kind: KindPoint, by: w.seatRun(p.Authors...), text: safe(p.Text),
		title: Row{{p.ID, RoleBold}, {" " + w.Own(sign) + " " + name, role}, {more, RoleFaint}},
	}
	b.note(w.shown.Notes[p.ID]...)
	b.note(view.CitedFacts("rests on", p.Facts)...)
	if p.Revises != "" {
		b.note("replaces " + p.Revises)
	}
	if p.RevisedBy != "" {
		b.note("replaced by " + p.RevisedBy)
	}
	return b
}

// note adds words about others.
func (b *box) note(words ...string) {
	for _, w := range words {
		b.also = append(b.also, safe(w))
	}
}

// challenge is the box of a challenge with its answers.
func (w *writer) challenge(c *state.Challenge) *box {
	b := &box{
		id: c.ID, kind: KindChallenge, bearing: relationAttack,
		by: w.seatRun(c.By), text: safe(c.Objection),
	}
	shown, answer := w.shown.Challenge(w.s, w.rulings, c), w.argument
	if shown.Judged {
		answer = w.judged
	}
	sign, role := RoleLook(shown.Role)
	b.broken, b.word = shown.Defeated, shown.Verb+" "+c.Point
	b.note(shown.Notes...)
	b.title = Row{{c.ID, RoleBold}, {" " + safe(shown.Kind), RoleAttack}, w.status(sign, shown.Outcome, role)}
	for i := range c.Defenses {
		b.children = append(b.children, answer(c, i))
	}
	return b
}

// argument is the box of an answer that no seat judges.
func (w *writer) argument(c *state.Challenge, i int) *box {
	d := &c.Defenses[i]
	id := c.ID + "." + strconv.Itoa(i+1)
	b := &box{
		id: id, kind: KindDefense, bearing: relationAttack, word: "answers " + c.ID,
		by: w.seatRun(d.By), text: safe(d.Text), title: Row{{id, RoleBold}, {" answer", RoleText}},
	}
	b.note(view.CitedFacts("cites", d.Facts)...)
	return b
}

// judged is the box of an answer that the challenger accepts or rejects.
func (w *writer) judged(c *state.Challenge, i int) *box {
	d, b := &c.Defenses[i], w.argument(c, i)
	status := w.status("○", "not judged", RoleFaint)
	switch {
	case d.Seq <= c.Since:
		status, b.broken, b.word = w.status("–", "void since the reopening", RoleFaint), true, "answered "+c.ID
	case d.Judgment == state.Accepted:
		status, b.word = w.status("✓", "accepted", RoleAgreed), "defeats "+c.ID
	case d.Judgment == state.Rejected:
		status, b.broken, b.word = w.status("✗", "rejected", RoleDismissed), true, "answered "+c.ID
		if d.Reason != "" {
			b.note(d.Reason)
		}
	}
	b.title = append(b.title, status)
	return b
}

// evidence is the box of an evidence item.
func (w *writer) evidence(e *ledger.Evidence) *box {
	shown := view.EvidenceItem(e)
	b := &box{
		id: e.ID, kind: KindEvidence, bearing: relationNote, word: "bears on",
		by: w.seatRun(state.Seat(e.OfferedBy)), lead: strings.TrimSpace(safe(e.Reference)), text: safe(e.Excerpt),
		textRole: RoleFaint, broken: e.Checked && !e.Proven(),
	}
	failed := b.word
	switch e.Relation {
	case ledger.Supports:
		b.bearing, b.word, failed = relationSupport, "supports", "cannot support"
	case ledger.Refutes:
		b.bearing, b.word, failed = relationAttack, "refutes", "cannot refute"
	case ledger.Neutral:
	}
	if b.broken {
		b.word = failed
		if e.Reason != "" {
			b.note(e.Reason)
		}
	}
	b.word += " " + e.Point
	if weighed := resolver.RelevanceWords(e); weighed != "" {
		b.note(weighed)
	}
	sign, role := RoleLook(shown.Role)
	b.title = Row{{e.ID, RoleBold}, {" " + w.Own(sign) + " " + safe(shown.Mark), role}}
	return b
}
