package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/panel"
	"moot/state"
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
	rulings map[string]*state.Ruling
	// opposed lists the points that contradict a point.
	opposed map[string][]string
	// objected knows how the objections to a proposal came out.
	objected *dialectic.Objections
	// panel is the table of a panel, nil in other formats. conflicts describes the
	// conflicts of each point, and disputed holds the challenges that only repeat one.
	panel     *panel.Table
	conflicts map[string][]string
	disputed  map[string]bool
}

func newWriter(s *state.State, rulings []state.Ruling, r ruler) *writer {
	w := &writer{
		ruler: r, s: s, rulings: map[string]*state.Ruling{}, opposed: map[string][]string{},
		conflicts: map[string][]string{}, disputed: map[string]bool{},
	}
	for i := range rulings {
		w.rulings[rulings[i].Point] = &rulings[i]
	}
	// If a resolution cannot be read, its objections are shown as unresolved.
	outcome, _ := dialectic.OutcomeOf(s)
	w.objected = dialectic.NewObjections(s, outcome)
	oppose := func(a, b string) {
		w.opposed[a] = append(w.opposed[a], b)
		w.opposed[b] = append(w.opposed[b], a)
	}
	if s.Settings.Format != state.FormatPanel {
		for _, p := range s.Pairs.All() {
			if a, b := s.Live(p.A), s.Live(p.B); p.Opposed && a != nil && b != nil && a != b {
				oppose(a.ID, b.ID)
			}
		}
		return w
	}
	w.panel = panel.NewTable(s)
	for _, k := range w.panel.Conflicts() {
		one, other := w.panel.Sides(k)
		a, b := one.Points[0], other.Points[0]
		oppose(a, b)
		verb := " contradicts "
		if k.Kind == state.Disagreement {
			verb = " differs from "
		}
		ending := w.panel.Ending(k)
		came := ", " + ending.Short("the user")
		w.conflicts[a] = append(w.conflicts[a], safe(k.ID+verb+b+came))
		w.conflicts[b] = append(w.conflicts[b], safe(k.ID+verb+a+came))
	}
	for _, k := range s.Panel.Conflicts.All() {
		for _, id := range k.Challenges {
			w.disputed[id] = true
		}
	}
	return w
}

// ruling is the ruling of a point: one of those given, else the recorded one.
func (w *writer) ruling(p *state.Point) *state.Ruling {
	if r := w.rulings[p.ID]; r != nil {
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
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = safe(string(s))
	}
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
	if w.panel == nil && len(w.opposed[p.ID]) > 0 {
		b.also = append(b.also, "opposed to "+strings.Join(w.opposed[p.ID], ", "))
	}
	b.also = append(b.also, w.conflicts[p.ID]...)
	if w.panel != nil {
		if claim := w.panel.Claim(p.ID); claim != nil && len(claim.Points) > 1 {
			same := slices.DeleteFunc(slices.Clone(claim.Points), func(id string) bool { return id == p.ID })
			b.also = append(b.also, "the same as "+strings.Join(same, ", "))
		}
	}
	if w.s.Settings.Format == state.FormatCouncil && p.MergedInto == "" && p.RevisedBy == "" {
		if p.Key {
			b.also = append(b.also, "key")
		}
		if v := council.Validate(w.s, p); v.Aggregate != nil {
			b.also = append(b.also, fmt.Sprintf("aggregate %.2f", *v.Aggregate))
		}
	}
	b.also = append(b.also, factWords("rests on ", p.Facts)...)
	if p.Revises != "" {
		b.also = append(b.also, "replaces "+safe(p.Revises))
	}
	if p.RevisedBy != "" {
		b.also = append(b.also, "replaced by "+safe(p.RevisedBy))
	}
	return b
}

// factWords names the cited facts of a packet; the last of many are counted.
func factWords(verb string, facts []string) []string {
	const most = 6
	switch n := len(facts); {
	case n == 0:
		return nil
	case n > most:
		return []string{fmt.Sprintf("%s and %d more", verb+safe(strings.Join(facts[:most], ", ")), n-most)}
	}
	return []string{verb + safe(strings.Join(facts, ", "))}
}

// addChildren hangs all that bears on a point on its box: attacks, then support, then
// the rest.
func (w *writer) addChildren(b *box, p *state.Point) {
	for _, id := range p.Challenges {
		c := w.s.Challenge(id)
		if c == nil || w.disputed[id] && len(c.Defenses) == 0 && c.Status != state.StandsUndefended {
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
	var status Run
	kind, answer := safe(string(c.Kind)), w.argument
	switch {
	case c.Typed != nil:
		// Evidence settles an objection of a dialectic session.
		came := w.objected.Of(c)
		sign, role := objectionLook(&came)
		words, rule, _ := strings.Cut(came.Words("the user"), ", ")
		kind, status = safe(c.Typed.Severity), w.status(sign, words, role)
		if rule != "" {
			b.also = append(b.also, safe(rule))
		}
		if came.Settled() {
			b.broken, b.word = true, "attacked"
		}
	case w.s.Settings.Format == state.FormatHearing:
		kind, b.word, status = "contradiction", "contradicts", w.status("○", "unanswered", RoleFaint)
		if len(c.Defenses) > 0 {
			status = w.status("✓", "answered", RoleFaint)
		}
		for i := range w.s.Hearing.Ignored {
			if w.s.Hearing.Ignored[i].Challenge == c.ID {
				status = w.status("!", "ignored", RoleFaint)
			}
		}
		b.also = factWords("cites ", c.Facts)
	default:
		sign, words := challengeStatus(c)
		status, answer = w.status(sign, words, RoleFaint), w.judged
		if words == "defeated" {
			b.broken, b.word = true, "attacked"
		}
	}
	b.title = []Run{{c.ID, RoleBold}, {" " + kind, RoleAttack}, status}
	for i := range c.Defenses {
		b.children = append(b.children, answer(c, i))
	}
	return b
}

// challengeStatus describes how far a challenge got, as a sign and words.
func challengeStatus(c *state.Challenge) (sign, words string) {
	switch c.Status {
	case state.StandsDefended:
		last := c.Last()
		switch {
		case last == nil, last.Judgment == state.Unjudged:
			return "○", "answer not judged"
		case last.Judgment == state.Accepted:
			return "✗", "defeated"
		}
		return "!", "answer rejected"
	case state.StandsDropped, state.StandsReminded:
		return "!", string(c.Status)
	case state.StandsUndefended, state.StandsConceded:
		return "✓", string(c.Status)
	case state.StandsOpen:
	}
	return "○", string(c.Status)
}

// objectionLook is the sign and the role of how an objection came out.
func objectionLook(came *dialectic.Objection) (sign string, role Role) {
	switch {
	case came.Outcome == "", came.Outcome.Holds() && !came.Holds && !came.Warns:
		return "○", RoleFaint
	case came.Warns:
		return "!", RoleWarn
	}
	switch came.Outcome {
	case gates.Cleared:
		return "✓", RoleAgreed
	case gates.Upheld:
		return "✗", RoleDismissed
	case gates.Unresolved:
		return "?", RoleUnresolved
	case gates.Moot:
	}
	return "–", RoleFaint
}

// argument is the box of an answer that no seat judges.
func (w *writer) argument(c *state.Challenge, i int) *box {
	d := &c.Defenses[i]
	id := c.ID + "." + strconv.Itoa(i+1)
	return &box{
		Node: Node{ID: id, Kind: NodeDefense}, bearing: relationAttack, word: "answers",
		by: seatRun(d.By), text: safe(d.Text), title: []Run{{id, RoleBold}, {" answer", RoleText}},
		also: factWords("cites ", d.Facts),
	}
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
		by: seatRun(state.Seat(e.OfferedBy)), lead: strings.TrimSpace(safe(e.Reference)), text: safe(e.Excerpt), textRole: RoleFaint,
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
	case e.Counts():
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
	if e.Contested != "" {
		b.also = append(b.also, "contested by "+safe(e.Contested))
	}
	b.title = []Run{{e.ID, RoleBold}, {" " + w.own(sign) + " " + word, role}}
	return b
}
