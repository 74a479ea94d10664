package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// MaxRaised bounds the points of one reply that are triaged. At most 7 of them stay in scope (RD2). Those beyond it
// are recorded as over the limit at once.
const MaxRaised = 60

// maxOffered bounds the evidence items that one reply may offer.
const maxOffered = 60

// Admitter admits the moves of one reply.
type Admitter struct {
	*protocol.Draft
	Ask  protocol.Ask
	Seat state.Seat
	// Began is the sequence number of the last event before the reply.
	Began int
	// Raised and offered count the points and evidence of this reply; referenced are the challenges
	// that it answered.
	Raised, offered int
	referenced      []string
	// givesWay are the challenges under which the reply gives way on a point of the user.
	givesWay []string
	// FramedKind returns the kind that the framing gives to a new point, and whether that is by the framing alone;
	// nil gives none (KI).
	FramedKind func(m *move.Raise) (kind state.Kind, framed bool)
	// judging are the challenges whose defense the reply judges.
	judging []string
	// AgreesFrom is the lowest score that counts as an AGREE (RV2), or 0 if scores never do.
	AgreesFrom float64
	// agreed are the points that the reply agrees with, objected those that it objects to, contested the
	// items that it contests.
	agreed              []agreement
	objected, contested []string
	// left are the challenges on points that the seat gave up and other authors still hold.
	left    []string
	trivial bool
	// said are the points that the reply raises and its defenses.
	said []statement
}

// NewAdmitter returns an Admitter for a reply.
func NewAdmitter(s *state.State, ask protocol.Ask) *Admitter {
	return &Admitter{Draft: &protocol.Draft{State: s}, Ask: ask, Seat: ask.Seat, Began: s.Seq}
}

// Each calls admit for each move of the reply, the most critical on a point first (ST0), and refuses the
// moves that are not allowed in the turn.
func (a *Admitter) Each(moves []move.Move, admit func(move.Move) error) {
	for _, m := range moves {
		if judge, ok := m.(*move.Judge); ok {
			a.judging = append(a.judging, judge.Challenge)
		}
	}
	for _, i := range mostCriticalFirst(a.State, moves) {
		m := moves[i]
		a.Try(i+1, func() error {
			if !slices.Contains(a.Ask.Moves, move.KindOf(m)) {
				return protocol.Refuse("not-allowed", "%s is not allowed in this turn", move.KindOf(m))
			}
			return admit(m)
		})
	}
}

// Admission returns the events of the reply and its refused moves.
func (a *Admitter) Admission() protocol.Admission {
	return protocol.Admission{Events: a.Events, Refused: a.Refused}
}

// unseen reports whether the seat has not seen the current challenge: the user raised or
// reopened it during the seat's turn, or this very reply triggered it. The seat will get its
// turn to answer.
func (a *Admitter) unseen(c *state.Challenge) bool {
	shown := a.Began
	if sent := a.State.AskedOf(a.Seat, a.Ask.Stage).Sent; sent > 0 {
		shown = min(shown, sent)
	}
	return c.Seq > shown
}

// lastDefender reports whether no other author still has a window this round. The user always has
// one: no silence of a seat dismisses a point that only the user holds.
func (a *Admitter) lastDefender(c *state.Challenge) bool {
	p := a.State.Point(c.Point)
	return slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return seat != state.User && p.Holds(seat) }) &&
		!slices.ContainsFunc(p.Defenders(), func(seat state.Seat) bool {
			return seat != a.Seat && a.State.AskedOf(seat, a.Ask.Stage).Replies == 0
		})
}

// Point returns the point with an id that a seat named, following merges, if it is still debated.
func (a *Admitter) Point(id string) (*state.Point, error) {
	p := a.State.Live(id)
	switch {
	case p == nil:
		return nil, protocol.Refuse("unknown-point", "there is no point %q", id)
	case p.RevisedBy != "":
		return nil, protocol.Refuse("closed-point", "%s was revised: %s replaced it", p.ID, p.RevisedBy)
	case p.Scope == state.Late, p.Scope == state.OverLimit:
		return nil, protocol.Refuse("closed-point", "%s is not evaluated", p.ID)
	}
	return p, nil
}

// caused reports whether a text names a valid cause for a change on the point
// (ST1) that is newer than the given event: a verified item, a live user fact, or for a value
// point a challenge that was answered.
func caused(d *protocol.Draft, p *state.Point, text string, since int) bool {
	for _, id := range ids(text) {
		switch id[0] {
		case 'E':
			if item := d.State.Item(id); item != nil && item.Proven() && item.Point == p.ID && item.Seq > since {
				return true
			}
		case 'F':
			if fact := d.State.Fact(id); fact != nil && fact.Binds() && fact.Seq > since {
				return true
			}
		case 'C':
			if c := d.State.Challenge(id); c != nil && c.Point == p.ID &&
				resolver.KindOf(d.State, p) != state.Empirical {
				if last := c.Last(); last != nil && last.Seq > since {
					return true
				}
			}
		}
	}
	return false
}

// ids returns the ids of items in a text: E3, F2, C1.
func ids(text string) []string {
	return lists.Filter(strings.FieldsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}), func(word string) bool {
		return len(word) > 1 && strings.ContainsRune("EFC", rune(word[0])) && strings.Trim(word[1:], "0123456789") == ""
	})
}

// warnDrop is the drop of a confidence in one round from which the session shows a warning (ST3).
const warnDrop = 0.3

// Report admits the confidence of another move. If it is refused, the rest of the move is still
// admitted.
func (a *Admitter) Report(point string, stated *float64, cause string) {
	if stated != nil {
		a.Try(0, func() error { return a.score(point, *stated, cause) })
	}
}

// ForRequest is the For of an item that answers a request for evidence.
const ForRequest = "request"

// numbered returns the point that a seat means by an id in the reply that raises points. It counts its own points on
// from those that it was shown: other seats may have raised theirs at the same time.
func (a *Admitter) numbered(id string) string {
	if a.Ask.Stage != state.StagePropose {
		return id
	}
	at := state.Index(id, 'P')
	for _, p := range a.State.Points.All() {
		if p.Raised <= a.Began && (p.IsAuthor(a.Seat) || p.IsAuthor(state.User) || p.Round < a.State.Round) {
			at--
		}
	}
	for _, said := range a.said {
		if at == 0 && said.challenge == "" {
			return said.point
		}
		at--
	}
	return id
}

// Cite admits a CITE or a citation of another move. what is the challenge that it answers or
// supports, or "".
func (a *Admitter) Cite(point string, c move.Citation, label move.Label, what string) error {
	p, err := a.Point(point)
	if err != nil {
		// A point that is too late to be evaluated may still have evidence.
		last := a.State.Points.Len() - 1
		if p = a.State.Points.At(last); p == nil || p.ID != point {
			return err
		}
	}
	if what == "" && a.asked(p, state.RequestEvidence) {
		what = ForRequest
	}
	if what == "" && c.Relation == ledger.Refutes {
		// Other evidence that a challenger cites supports its challenge.
		for _, id := range p.Challenges {
			if own := a.State.Challenge(id); own.By == a.Seat && resolver.Answerable(own) {
				what = id
			}
		}
	}
	if _, err := a.Offer(p, c, label, what); err != nil {
		return err
	}
	if a.asked(p, state.RequestEvidence) {
		a.Record(&state.RequestSettled{Point: p.ID, What: state.RequestEvidence, Answered: true, By: a.Seat})
	}
	return nil
}

// Offer offers an item on a point and returns its id. If the seat offered it before, it returns the
// id of that item with a refusal.
func (a *Admitter) Offer(p *state.Point, c move.Citation, label move.Label, what string) (string, error) {
	relation := cmp.Or(c.Relation, ledger.Supports)
	c, err := a.Proposal(c)
	if err != nil {
		return "", err
	}
	switch {
	case strings.TrimSpace(c.Reference) == "":
		return "", protocol.Refuse("no-reference", "evidence needs a reference: path:line")
	case a.offered >= maxOffered:
		return "", protocol.OverLimit(strings.TrimSpace(c.Reference+" "+c.Quote)+" for "+p.ID,
			"a reply offers at most %d evidence items", maxOffered)
	}
	for _, id := range p.Evidence {
		e := a.State.Item(id)
		same := c.Quote != "" && strings.Contains(e.Excerpt, c.Quote)
		if e.Approval != ledger.ApprovalNone {
			same = e.Expect == c.Quote && e.Patch == c.Patch
		}
		if same && e.OfferedBy == string(a.Seat) && e.Relation == relation && e.Reference == c.Reference {
			return id, protocol.Refuse("repeated", "%s offers that already", id)
		}
	}
	a.offered++
	id := a.State.NextEvidence()
	return id, a.Add(&state.EvidenceOffered{
		ID: id, Point: p.ID, Relation: relation, Reference: c.Reference, Quote: c.Quote,
		Patch: c.Patch, For: what, Label: string(label), By: a.Seat,
	})
}

// asked reports whether this seat has an open request on the point.
func (a *Admitter) asked(p *state.Point, kind state.RequestKind) bool {
	r := resolver.Request(a.State, p, kind)
	return r != nil && r.Open() && slices.Contains(r.Of, a.Seat) && !resolver.Gave(p, r, a.Seat)
}

// RecordRevision records that a position changed, or that a change was refused (LE2).
func RecordRevision(d *protocol.Draft, seat state.Seat, text string) error {
	return d.Add(&state.FactRecorded{ID: d.State.NextFact(), Tag: ledger.TagRevision, Seat: seat, Text: text})
}

// Notify notifies the seat of the part of its move that had no effect; the rest is accepted.
func (a *Admitter) Notify(code, format string, args ...any) {
	a.Refused = append(a.Refused, state.Refusal{Code: code, Text: fmt.Sprintf(format, args...)})
}

// severity ranks what a seat can say about a point: the most critical class is the highest.
func severity(c state.Class) int {
	switch c {
	case state.Reject:
		return 3
	case state.Skeptical:
		return 2
	case state.IllFormed:
		return 1
	case state.Agree:
	}
	return 0
}

// mostCriticalFirst returns the places of the moves in the order in which they are admitted. Moves of one seat
// about the same point or item trade places, so that the most critical comes first and a milder one is admitted
// knowing it. All other moves keep their places.
func mostCriticalFirst(s *state.State, moves []move.Move) []int {
	order, ranks := make([]int, len(moves)), make([]int, len(moves))
	slots := map[string][]int{}
	for i, m := range moves {
		order[i] = i
		about, rank := said(s, m)
		ranks[i] = rank
		if about != "" {
			slots[about] = append(slots[about], i)
		}
	}
	for _, places := range slots {
		sorted := slices.Clone(places)
		slices.SortStableFunc(sorted, func(a, b int) int { return ranks[a] - ranks[b] })
		for i, at := range places {
			order[at] = sorted[i]
		}
	}
	return order
}

// said returns the point or item that a move gives the seat's word on, or "", and the rank of the word: 0 is the
// most critical.
func said(s *state.State, m move.Move) (about string, rank int) {
	live := func(id string) string {
		if p := s.Live(id); p != nil {
			return p.ID
		}
		return ""
	}
	challenged := func(id string) string {
		if c := s.Challenge(id); c != nil {
			return live(c.Point)
		}
		return ""
	}
	class := func(c state.Class) int { return severity(state.Reject) - severity(c) }
	switch m := m.(type) {
	case *move.Classify:
		if m.Class == state.Agree {
			// It comes after an accepted defense, which is no reversal and says the same.
			return live(m.Point), class(state.Agree) + 1
		}
		return live(m.Point), class(m.Class)
	case *move.Challenge:
		return live(m.Point), class(m.Class)
	case *move.Judge:
		switch {
		case m.Judgment != state.Accepted:
			return challenged(m.Challenge), class(state.Skeptical)
		case m.Lift == state.Skeptical:
			return challenged(m.Challenge), class(state.IllFormed)
		}
		return challenged(m.Challenge), class(state.Agree)
	case *move.Revise:
		return live(m.Point), 0
	case *move.Defend:
		return challenged(m.Challenge), 1
	case *move.Blocked:
		if m.Challenge != "" {
			return challenged(m.Challenge), 1
		}
		return live(m.Point), 1
	case *move.Concede:
		if m.Challenge != "" {
			return challenged(m.Challenge), 2
		}
		return live(m.Point), 2
	case *move.Contest:
		return m.Evidence, 0
	case *move.Accept:
		return m.Evidence, 1
	}
	return "", 0
}

// Objects reports whether the reply says anything more critical about the point than AGREE.
func (a *Admitter) Objects(p *state.Point) bool { return slices.Contains(a.objected, p.ID) }

// Object notes that the reply objects to the point.
func (a *Admitter) Object(p *state.Point) { a.objected = append(a.objected, p.ID) }

// statement is a text of a seat on a point: the point itself, or a defense of it against a challenge.
type statement struct {
	point, challenge, text string
	round                  int
}

// label names the statement in the words of a challenge.
func (s *statement) label() string {
	if s.challenge != "" {
		return "in answer to " + s.challenge
	}
	return s.point
}

// contradicts reports whether two statements cannot both hold: they state values that exclude each other, or one is
// about the other's point and says the opposite.
func (s *statement) contradicts(earlier *statement) bool {
	found, _, _ := ledger.Conflicts(ledger.ParsePredicates(s.text), ledger.ParsePredicates(earlier.text))
	if found == ledger.CertainConflict {
		return true
	}
	about := earlier.challenge == "" && (s.challenge == "" || s.point == earlier.point)
	return about && resolver.Opposed(earlier.text, s.text)
}

// OfferAll offers the citations of another move. If one is refused, the move and the other
// citations are still admitted. challenge is the one that they answer or support, or "".
func (a *Admitter) OfferAll(
	point string, citations []move.Citation, label move.Label, relation ledger.Relation, challenge string,
) {
	for _, c := range citations {
		c.Relation = cmp.Or(c.Relation, relation)
		a.Try(0, func() error { return a.Cite(point, c, label, challenge) })
	}
}

// challengedBy reports whether a challenge on a point makes an objection.
func (a *Admitter) challengedBy(point, objection string) bool {
	return slices.ContainsFunc(a.State.Point(point).Challenges, func(id string) bool {
		return resolver.Normalized(a.State.Challenge(id).Objection) == resolver.Normalized(objection)
	})
}

// ReasonText returns the text, or "no reason given" if it is blank.
func ReasonText(text string) string {
	if strings.TrimSpace(text) == "" {
		return "no reason given"
	}
	return text
}

// item returns an item of evidence that a seat named, and its point.
func (a *Admitter) item(id string) (*ledger.Evidence, *state.Point, error) {
	item := a.State.Item(id)
	if item == nil {
		return nil, nil, protocol.Refuse("unknown-evidence", "there is no evidence %q", id)
	}
	p, err := a.Point(item.Point)
	return item, p, err
}

// Agrees notes that the reply agrees with a point, in these words. AcceptSupport applies that to
// the evidence after the last move, so that the order of the moves does not matter.
func (a *Admitter) Agrees(p *state.Point, words string) {
	a.agreed = append(a.agreed, agreement{p.ID, words})
}

type agreement struct{ point, words string }
