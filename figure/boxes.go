package figure

import (
	"cmp"
	"fmt"
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
	Node
	// bearing is how the box bears on its parent, word says so, and broken means that
	// it fails to.
	bearing relation
	broken  bool
	word    string

	// title is the left part of the upper border, by the right part.
	title []Run
	by    Run
	// lead is a line of its own above the text.
	lead     string
	text     string
	textRole Role
	// also lists what the box says about others, in the lower border if there is room.
	also     []string
	children []*box

	// The layout sets the rest: the lines of text, the words in the lower border, and the
	// line from the parent.
	body []Run
	foot Run
	path []spot
}

// line is how the line to the parent is drawn.
func (b *box) line() (stroke, Role) {
	switch {
	case b.broken:
		return strokeBroken, RoleFaint
	case b.bearing == relationAttack:
		return strokeAttack, RoleAttack
	case b.bearing == relationSupport:
		return strokeSupport, RoleSupport
	}
	return strokeNote, RoleFaint
}

// head is the sign at the parent's end of the line.
func (b *box) head() string {
	beside := b.path[0].x != b.path[1].x
	switch {
	case b.bearing == relationAttack:
		return "╳"
	case b.bearing != relationSupport:
		return "○"
	case beside && b.broken:
		return "◁"
	case beside:
		return "◄"
	case b.broken:
		return "△"
	}
	return "▲"
}

// writer puts the items of a session into boxes.
type writer struct {
	ruler
	s       *state.State
	rulings []state.Ruling
	// shown holds what the format adds.
	shown view.Map
}

func newWriter(s *state.State, rulings []state.Ruling, r ruler) *writer {
	return &writer{ruler: r, s: s, rulings: rulings, shown: view.FormatOf(s).Map(s)}
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

func seatRun(seats ...state.Seat) Run {
	if len(seats) == 0 {
		return Run{}
	}
	names := lists.Map(seats, func(s state.Seat) string { return safe(string(s)) })
	return Run{strings.Join(names, ", "), seatRole(seats[0])}
}

// status is the last part of a title: a sign and words.
func (w *writer) status(sign, words string, role Role) Run {
	return Run{w.own(" · "+sign+" ") + safe(words), role}
}

// point is the box of a point without its children.
func (w *writer) point(p *state.Point) *box {
	ruling := w.ruling(p)
	sign, role, word := bucketLook(ruling.Bucket)
	more := cmp.Or(string(ruling.Tag), string(ruling.Status))
	if view.AgreementOnly(ruling) {
		more = view.OnlyAgreement
	}
	if p.Field != nil {
		more = p.Field.Severity
		if ruling.Rule != "" && ruling.Bucket != state.BucketOpen {
			more += ", " + ruling.Rule
		}
	}
	if more != "" {
		more = w.own(" · ") + safe(more)
	}
	b := &box{
		Node: Node{ID: p.ID, Kind: NodePoint}, by: seatRun(p.Authors...), text: safe(p.Text),
		title: []Run{{p.ID, RoleBold}, {" " + w.own(sign) + " " + word, role}, {more, RoleFaint}},
	}
	b.note(w.shown.Notes[p.ID]...)
	b.note(view.CitedFacts("rests on", p.Facts)...)
	if p.Revises != "" {
		b.also = append(b.also, "replaces "+safe(p.Revises))
	}
	if p.RevisedBy != "" {
		b.also = append(b.also, "replaced by "+safe(p.RevisedBy))
	}
	return b
}

// note adds words about others.
func (b *box) note(words ...string) {
	for _, w := range words {
		b.also = append(b.also, safe(w))
	}
}

// addChildren hangs all that bears on a point on its box: attacks, then support, then
// the rest.
func (w *writer) addChildren(b *box, p *state.Point) {
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
			alias := w.point(merged)
			alias.title = []Run{{merged.ID, RoleBold}, {w.own(" · ") + "merged", RoleFaint}}
			alias.bearing, alias.word, alias.textRole = relationNote, "same as", RoleFaint
			b.children = append(b.children, alias)
		}
	}
}

// challenge is the box of a challenge with its answers.
func (w *writer) challenge(c *state.Challenge) *box {
	b := &box{
		Node: Node{ID: c.ID, Kind: NodeChallenge}, bearing: relationAttack, word: "attacks",
		by: seatRun(c.By), text: safe(c.Objection),
	}
	shown, answer := w.shown.Challenge(w.s, w.rulings, c), w.argument
	if shown.Judged {
		answer = w.judged
	}
	sign, role := lookOf(shown.Role)
	b.broken, b.word = shown.Defeated, shown.Verb
	b.note(shown.Notes...)
	b.title = []Run{{c.ID, RoleBold}, {" " + safe(shown.Kind), RoleAttack}, w.status(sign, shown.Outcome, role)}
	for i := range c.Defenses {
		b.children = append(b.children, answer(c, i))
	}
	return b
}

// lookOf is the sign and the role on the map of a role in a document.
func lookOf(r view.Role) (sign string, role Role) {
	switch r { //nolint:exhaustive // the others have no look of their own
	case view.RoleGood:
		return "✓", RoleAgreed
	case view.RoleBad:
		return "✗", RoleDismissed
	case view.RoleDoubt:
		return "?", RoleUnresolved
	case view.RoleWarn:
		return "!", RoleWarn
	case view.RoleOpen:
		return "○", RoleFaint
	}
	return "–", RoleFaint
}

// argument is the box of an answer that no seat judges.
func (w *writer) argument(c *state.Challenge, i int) *box {
	d := &c.Defenses[i]
	id := c.ID + "." + strconv.Itoa(i+1)
	b := &box{
		Node: Node{ID: id, Kind: NodeDefense}, bearing: relationAttack, word: "answers",
		by: seatRun(d.By), text: safe(d.Text), title: []Run{{id, RoleBold}, {" answer", RoleText}},
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
		status, b.broken, b.word = w.status("–", "void since the reopening", RoleFaint), true, "answered"
	case d.Judgment == state.Accepted:
		status, b.word = w.status("✓", "accepted", RoleAgreed), "defeats"
	case d.Judgment == state.Rejected:
		status, b.broken, b.word = w.status("✗", "rejected", RoleDismissed), true, "answered"
		if d.Reason != "" {
			b.also = append(b.also, safe(d.Reason))
		}
	}
	b.title = append(b.title, status)
	return b
}

// evidence is the box of an evidence item.
func (w *writer) evidence(e *ledger.Evidence) *box {
	b := &box{
		Node: Node{ID: e.ID, Kind: NodeEvidence}, bearing: relationNote, word: "bears on",
		by: seatRun(state.Seat(e.OfferedBy)), lead: strings.TrimSpace(safe(e.Reference)), text: safe(e.Excerpt),
		textRole: RoleFaint,
	}
	failed := b.word
	switch e.Relation {
	case ledger.Supports:
		b.bearing, b.word, failed = relationSupport, "supports", "cannot support"
	case ledger.Refutes:
		b.bearing, b.word, failed = relationAttack, "refutes", "cannot refute"
	case ledger.Neutral:
	}
	sign, word, role := "○", "not checked", RoleFaint
	switch {
	case e.Proven():
		sign, word, role = "✓", "verified"+w.own(" · ")+safe(string(e.Type)), RoleAgreed
		if p := w.s.Point(e.Point); p != nil && p.Field != nil {
			// The source of an item decides what it may settle about a field.
			word = fmt.Sprintf("%s %.2f", safe(string(e.SourceKind)), e.Confidence)
		}
	case e.Verified:
		sign, word, role, b.broken = "!", "verified, not admitted", RoleWarn, true
	case e.Checked:
		sign, word, role, b.broken = "✗", "refused", RoleDismissed, true
	}
	if b.broken {
		b.word = failed
		if e.Reason != "" {
			b.also = append(b.also, safe(e.Reason))
		}
	}
	if weighed := resolver.Weighed(e); weighed != "" {
		b.also = append(b.also, safe(weighed))
	}
	b.title = []Run{{e.ID, RoleBold}, {" " + w.own(sign) + " " + word, role}}
	return b
}
