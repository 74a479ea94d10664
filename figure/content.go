package figure

import (
	"cmp"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// relation is how a box bears on the one that it hangs on.
type relation uint8

const (
	relationNone relation = iota
	relationAttack
	relationSupport
	relationNote
)

// box is what one node says, before it has a place.
type box struct {
	id   string
	kind NodeKind
	// bearing is how the box bears on its parent, broken that it fails to; word
	// says so, and target is the parent's id.
	bearing relation
	broken  bool
	word    string
	target  string

	// title stands at the left of the upper border, by at its right.
	title []Run
	by    Run
	// lead is a line of its own above the text.
	lead     string
	text     string
	textRole Role
	// also says how the box relates to others.
	also     []string
	children []*box
}

// writer says what the boxes hold.
type writer struct {
	s       *state.State
	rulings map[string]*state.Ruling
	signs   signs
	// beside are the points that a point opposes.
	beside map[string][]string
	// objected tells where the objections to a proposal stand, in a session of
	// one.
	objected *resolver.Objected
	// contested are the conflicts of a panel, nil in other formats.
	contested *contested
}

func newWriter(s *state.State, rulings []state.Ruling, ascii bool) *writer {
	w := &writer{
		s: s, signs: signsOf(ascii), rulings: make(map[string]*state.Ruling, len(rulings)),
		beside: make(map[string][]string, 2*s.Pairs.Len()),
	}
	for i := range rulings {
		w.rulings[rulings[i].Point] = &rulings[i]
	}
	// Of a resolution that cannot be read nothing is known.
	outcome, _ := resolver.OutcomeOf(s)
	w.objected = resolver.NewObjected(s, outcome)
	if w.contested = newContested(s); w.contested != nil {
		return w
	}
	for _, p := range s.Pairs.All() {
		if a, b := s.Live(p.A), s.Live(p.B); p.Opposed && a != nil && b != nil && a != b {
			w.beside[a.ID] = append(w.beside[a.ID], b.ID)
			w.beside[b.ID] = append(w.beside[b.ID], a.ID)
		}
	}
	return w
}

// bucket is where the point stands: by the rulings given, else as recorded.
func (w *writer) bucket(p *state.Point) *state.Ruling {
	if r := w.rulings[p.ID]; r != nil {
		return r
	}
	if r := w.s.Ruling(p.ID); r != nil {
		return r
	}
	return &state.Ruling{Point: p.ID, Bucket: state.BucketOpen}
}

// bucketLook is the sign, the role and the word of a bucket.
func (s signs) bucketLook(b state.Bucket) (sign string, role Role, word string) {
	switch b {
	case state.BucketAgreed:
		return s.agreed, RoleAgreed, "agreed"
	case state.BucketDismissed:
		return s.dismissed, RoleDismissed, "dismissed"
	case state.BucketUnresolved:
		return s.unresolved, RoleUnresolved, "unresolved"
	case state.BucketNotEvaluated:
		return s.notEvaluated, RoleNotEvaluated, "not evaluated"
	case state.BucketOpen:
		return s.open, RoleOpen, "open"
	}
	return s.open, RoleText, safe(string(b))
}

// seatRole is the role of a seat's name.
func seatRole(s state.Seat) Role {
	switch {
	case s == state.User:
		return RoleUser
	case s == state.Orchestrator, s == state.Architect:
		return RoleOrchestrator
	case s.IsConsultee(), s.IsPanelist(), s == state.Skeptic:
		return RoleConsultee
	}
	return RoleSeat
}

func seatRun(seats ...state.Seat) Run {
	if len(seats) == 0 {
		return Run{}
	}
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = safe(string(s))
	}
	return Run{Text: strings.Join(names, ", "), Role: seatRole(seats[0])}
}

// point is the box of a point, without what hangs on it.
func (w *writer) point(p *state.Point) *box {
	ruling := w.bucket(p)
	sign, role, word := w.signs.bucketLook(ruling.Bucket)
	more := cmp.Or(string(ruling.Tag), string(ruling.Status))
	if p.Field != nil {
		more = ofField(p, ruling)
	}
	if more != "" {
		more = w.signs.separator + safe(more)
	}
	b := &box{
		id: p.ID, kind: NodePoint, by: seatRun(p.Authors...), text: safe(p.Text),
		title: []Run{{p.ID, RoleBold}, {" " + sign + " " + word, role}, {more, RoleFaint}},
	}
	if other := w.beside[p.ID]; len(other) > 0 {
		b.also = append(b.also, "opposed to "+strings.Join(other, ", "))
	}
	w.ofPanel(b, p)
	w.ofCouncil(b, p)
	w.ofHearing(b, p)
	if p.Revises != "" {
		b.also = append(b.also, "replaces "+safe(p.Revises))
	}
	if p.RevisedBy != "" {
		b.also = append(b.also, "replaced by "+safe(p.RevisedBy))
	}
	return b
}

// whole is the box of a point with all that bears on it.
func (w *writer) whole(p *state.Point) *box {
	b := w.point(p)
	var supports, notes []*box
	for _, c := range w.challenged(p) {
		b.children = append(b.children, w.challenge(c))
	}
	for _, id := range p.Evidence {
		item := w.s.Item(id)
		if item == nil {
			continue
		}
		switch child := w.evidence(item); child.bearing {
		case relationAttack:
			b.children = append(b.children, child)
		case relationSupport:
			supports = append(supports, child)
		case relationNote, relationNone:
			notes = append(notes, child)
		}
	}
	for _, id := range p.Aliases {
		if merged := w.s.Point(id); merged != nil {
			notes = append(notes, w.merged(merged, p.ID))
		}
	}
	b.children = append(append(b.children, supports...), notes...)
	return b
}

// merged is the box of a point that says the same as another.
func (w *writer) merged(p *state.Point, into string) *box {
	b := w.point(p)
	b.title = []Run{{p.ID, RoleBold}, {w.signs.separator + "merged", RoleFaint}}
	b.bearing, b.word, b.target, b.textRole = relationNote, "same as", into, RoleFaint
	return b
}

// challenge is the box of a challenge with its answers.
func (w *writer) challenge(c *state.Challenge) *box {
	if c.Typed != nil {
		return w.objection(c)
	}
	if w.s.Settings.Format == state.FormatHearing {
		return w.contradiction(c)
	}
	sign, status := w.standing(c)
	b := &box{
		id: c.ID, kind: NodeChallenge, bearing: relationAttack, word: "attacks", target: c.Point,
		by: seatRun(c.By), text: safe(c.Objection),
		title: []Run{{c.ID, RoleBold}, {" " + safe(string(c.Kind)), RoleAttack}, {w.signs.separator + sign + " " + status, RoleFaint}},
	}
	if last := c.Last(); c.Status == state.StandsDefended && last != nil && last.Judgment == state.Accepted {
		b.broken, b.word = true, "attacked"
	}
	for i := range c.Defenses {
		b.children = append(b.children, w.defense(c, i))
	}
	return b
}

// standing is where a challenge stands, as a sign and words.
func (w *writer) standing(c *state.Challenge) (sign, words string) {
	switch c.Status {
	case state.StandsDefended:
		last := c.Last()
		switch {
		case last == nil, last.Judgment == state.Unjudged:
			return w.signs.pending, "answer not judged"
		case last.Judgment == state.Accepted:
			return w.signs.no, "defeated"
		}
		return w.signs.warn, "answer rejected"
	case state.StandsDropped, state.StandsReminded:
		return w.signs.warn, string(c.Status)
	case state.StandsUndefended, state.StandsConceded:
		return w.signs.yes, string(c.Status)
	case state.StandsOpen:
		return w.signs.pending, string(c.Status)
	}
	return w.signs.pending, safe(string(c.Status))
}

// DefenseID is the id of a challenge's answer on the map; n counts from 1.
func DefenseID(challenge string, n int) string { return challenge + "." + strconv.Itoa(n) }

// defense is the box of an answer to a challenge.
func (w *writer) defense(c *state.Challenge, i int) *box {
	d := &c.Defenses[i]
	b := &box{
		id: DefenseID(c.ID, i+1), kind: NodeDefense, bearing: relationAttack, word: "answers", target: c.ID,
		by: seatRun(d.By), text: safe(d.Text),
	}
	sign, word, role := w.signs.pending, "not judged", RoleFaint
	switch {
	case d.Seq <= c.Since:
		sign, word, b.broken, b.word = w.signs.notEvaluated, "void since the reopening", true, "answered"
	case d.Judgment == state.Accepted:
		sign, word, role, b.word = w.signs.yes, "accepted", RoleAgreed, "defeats"
	case d.Judgment == state.Rejected:
		sign, word, role, b.broken, b.word = w.signs.no, "rejected", RoleDismissed, true, "answered"
		if d.Reason != "" {
			b.also = append(b.also, safe(d.Reason))
		}
	}
	b.title = []Run{{b.id, RoleBold}, {" answer", RoleText}, {w.signs.separator, RoleFaint}, {sign + " " + word, role}}
	return b
}

// evidence is the box of an evidence item.
func (w *writer) evidence(e *ledger.Evidence) *box {
	b := &box{
		id: e.ID, kind: NodeEvidence, target: e.Point, by: seatRun(state.Seat(e.OfferedBy)), lead: strings.TrimSpace(safe(e.Reference)),
		text: safe(e.Excerpt), textRole: RoleFaint,
	}
	switch e.Relation {
	case ledger.Supports:
		b.bearing, b.word = relationSupport, "supports"
	case ledger.Refutes:
		b.bearing, b.word = relationAttack, "refutes"
	case ledger.Neutral:
		b.bearing, b.word = relationNote, "bears on"
	default:
		b.bearing, b.word = relationNote, "bears on"
	}
	sign, word, role := w.signs.pending, "not checked", RoleFaint
	switch {
	case e.Counts():
		sign, word, role = w.signs.yes, w.verified(e), RoleAgreed
	case e.Verified:
		sign, word, role, b.broken = w.signs.warn, "verified, not admitted", RoleWarn, true
	case e.Checked:
		sign, word, role, b.broken = w.signs.no, "refused", RoleDismissed, true
	}
	if b.broken {
		b.word = strings.Replace(strings.Replace(b.word, "supports", "cannot support", 1), "refutes", "cannot refute", 1)
		if e.Reason != "" {
			b.also = append(b.also, safe(e.Reason))
		}
	}
	if e.Contested != "" {
		b.also = append(b.also, "contested by "+safe(e.Contested))
	}
	b.title = []Run{{e.ID, RoleBold}, {" " + sign + " " + word, role}}
	return b
}
