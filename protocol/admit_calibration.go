package protocol

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// reversed reports whether a class turns round the seat's standing position;
// what the user reopened has none (ST1).
func reversed(old *state.Classification, class state.Class, reopened int) bool {
	if old == nil || old.Seq < reopened {
		return false
	}
	favors, against := func(c state.Class) bool { return c == state.Agree }, func(c state.Class) bool {
		return c == state.Skeptical || c == state.Reject
	}
	return favors(old.Class) && against(class) || against(old.Class) && favors(class)
}

// caused reports whether a text names a valid cause for a change on the point
// (ST1): a verified item, a live user fact, or for a value point a challenge
// that was answered after the given event.
func (d *draft) caused(p *state.Point, text string, since int) bool {
	for _, id := range ids(text) {
		switch id[0] {
		case 'E':
			if item := d.s.Item(id); item != nil && item.Counts() && item.Point == p.ID {
				return true
			}
		case 'F':
			if fact := d.s.Fact(id); fact != nil && fact.Live && fact.Tag == ledger.TagUser {
				return true
			}
		case 'C':
			if c := d.s.Challenge(id); c != nil && c.Point == p.ID && calledValue(p) && answeredAfter(c, since) {
				return true
			}
		}
	}
	return false
}

func answeredAfter(c *state.Challenge, since int) bool {
	last := c.Last()
	return last != nil && last.Seq > since
}

// calledValue reports whether anyone calls the point a value judgment and
// nobody set it empirical.
func calledValue(p *state.Point) bool {
	return p.UserKind == state.Value || (p.UserKind == "" && len(p.CalledValue) > 0)
}

// ids returns the ids of items in a text: E3, F2, C1.
func ids(text string) []string {
	var found []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		if len(word) > 1 && strings.ContainsRune("EFC", rune(word[0])) && strings.Trim(word[1:], "0123456789") == "" {
			found = append(found, word)
		}
	}
	return found
}

// keepPosition records a reversal without a cause: the earlier position stands
// (ST1, LE2). The move counts as refused.
func (a *admission) keepPosition(p *state.Point, from, to string) error {
	a.refused = append(a.refused, state.Refusal{Code: "no-cause", Text: fmt.Sprintf(
		"%s: your earlier position stands; a reversal says \"Revising from X to Y because …\" and names a verified item or a user fact (ST1)", p.ID)})
	if err := a.add(&state.DriftDetected{
		Seat: a.seat, Point: p.ID, From: clip(from), To: clip(to),
		Kept: true,
	}); err != nil {
		return err
	}
	return a.recordRevision(a.seat, fmt.Sprintf("refused: %s on %s from %s to %s without a cause", a.seat, p.ID,
		clip(from), clip(to)))
}

// reverse records a reversal with a cause.
func (a *admission) reverse(p *state.Point, m *Classify) error {
	from := string(p.Latest(a.seat).Class)
	if err := a.add(&state.DriftDetected{Seat: a.seat, Point: p.ID, From: from, To: string(m.Class)}); err != nil {
		return err
	}
	return a.recordRevision(a.seat, fmt.Sprintf("%s on %s from %s to %s: %s", a.seat, p.ID, from, m.Class, m.Because))
}

// warnDrop is a stated drop in one round that the session warns of (ST3).
const warnDrop = 0.3

// score is SCORE and the confidence inside other moves (ST3): an admitted
// value moves only with a cause.
func (a *admission) score(id string, stated float64, cause string) error {
	p, err := a.point(id)
	if err != nil {
		return err
	}
	if math.IsNaN(stated) || stated < 0 || stated > 1 {
		return refuse("confidence", "a confidence is 0 to 1, not %v", stated)
	}
	admitted, before := stated, lastReport(&a.s, a.seat, p.ID)
	if before != nil && !a.caused(p, cause, 0) {
		admitted = before.Admitted
	}
	if err := a.add(&state.ConfidenceReported{
		Seat: a.seat, Point: p.ID, Stated: stated, Admitted: admitted,
		Cause: cause,
	}); err != nil {
		return err
	}
	// Doubles: 0.8 - 0.5 is a little more than 0.3; the drop counts in full.
	if before != nil && before.Stated-stated >= warnDrop-1e-9 && !a.caused(p, cause, 0) {
		return a.add(&state.PointNoted{Point: p.ID, Text: fmt.Sprintf(
			"%s dropped its confidence from %.2f to %.2f without a cause", a.seat, before.Stated, stated)})
	}
	return nil
}

// report is the confidence inside another move; one that cannot stand does not
// spoil the move.
func (a *admission) report(point string, stated *float64, cause string) {
	if stated != nil {
		a.try(0, func() error { return a.score(point, *stated, cause) })
	}
}

func lastReport(s *state.State, seat state.Seat, point string) *state.Confidence {
	for i := s.Confidence.Len() - 1; i >= 0; i-- {
		if r := s.Confidence.At(i); r.Seat == seat && r.Point == point {
			return r
		}
	}
	return nil
}

// cite is CITE and the citations inside other moves.
func (a *admission) cite(point string, c Citation, label Label) error {
	p, err := a.point(point)
	if err != nil && point != a.justRaised() {
		return err
	}
	if p == nil {
		p = a.s.Point(point)
	}
	if _, err := a.offer(p, c, label); err != nil {
		return err
	}
	return a.settle(p, state.RequestEvidence, "")
}

// offer offers an item on a point and returns its id; of one that the seat
// offered already it returns the id with the refusal.
func (a *admission) offer(p *state.Point, c Citation, label Label) (string, error) {
	relation := c.Relation
	if relation == "" {
		relation = ledger.Supports
	}
	c, err := proposal(c)
	if err != nil {
		return "", err
	}
	switch {
	case strings.TrimSpace(c.Reference) == "":
		return "", refuse("no-reference", "evidence needs a reference: path:line")
	case strings.TrimSpace(c.Quote) == "":
		return "", refuse("no-quote", "evidence needs the quoted text at %s, verbatim", clip(c.Reference))
	case a.offered >= maxOffered:
		return "", refuse("too-many", "a reply offers at most %d evidence items", maxOffered)
	}
	for _, id := range p.Evidence {
		if e := a.s.Item(id); e.OfferedBy == string(a.seat) && e.Relation == relation &&
			e.Reference == c.Reference && offers(e, c.Quote) {
			return id, refuse("repeated", "%s offers that already", id)
		}
	}
	a.offered++
	id := a.nextEvidence()
	return id, a.add(&state.EvidenceOffered{
		ID: id, Point: p.ID, Relation: relation, Reference: c.Reference, Quote: c.Quote,
		Direct: c.Direct, Label: string(label), By: a.seat,
	})
}

// offers reports whether an item offers a quote already, or expects the same of
// its command.
func offers(e *ledger.Evidence, quote string) bool {
	if e.Approval != ledger.ApprovalNone {
		return e.Expect == quote
	}
	return strings.Contains(e.Excerpt, quote)
}

// justRaised is the last point's id: evidence may come with a point that is
// too late to be evaluated.
func (a *admission) justRaised() string {
	if n := a.s.Points.Len(); n > 0 {
		return a.s.Points.At(n - 1).ID
	}
	return ""
}

// settle marks a request on the point as answered by this seat, where one is
// open.
func (a *admission) settle(p *state.Point, kind state.RequestKind, text string) error {
	r := request(&a.s, p, kind)
	if r == nil || !r.Open() || !slices.Contains(r.Of, a.seat) {
		return nil
	}
	return a.add(&state.RequestSettled{Point: p.ID, What: kind, Answered: true, By: a.seat, Text: text})
}

// contest is CONTEST (PH6).
func (a *admission) contest(m *Contest) error {
	item := a.s.Item(m.Evidence)
	switch {
	case item == nil:
		return refuse("unknown-evidence", "there is no evidence %q", m.Evidence)
	case item.OfferedBy == string(a.seat):
		return refuse("own-evidence", "a seat does not contest its own evidence %s", item.ID)
	case !item.Direct || item.Contested != "":
		return refuse("not-direct", "%s is not marked as direct", item.ID)
	case strings.TrimSpace(m.Reason) == "":
		return refuse("no-reason", "contesting %s needs a reason", item.ID)
	}
	return a.add(&state.EvidenceContested{ID: item.ID, By: a.seat, Reason: m.Reason})
}

// clarify is CLARIFY: an author answers, another seat asks.
func (a *admission) clarify(m *Clarify) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return refuse("empty", "a clarification needs a text")
	}
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	if m.Term != "" {
		text = m.Term + ": " + text
	}
	for _, kind := range []state.RequestKind{state.RequestClarification, state.RequestTerms, state.RequestCrux} {
		r := request(&a.s, p, kind)
		if r == nil || !r.Open() || !slices.Contains(r.Of, a.seat) {
			continue
		}
		if err := a.settle(p, kind, text); err != nil {
			return err
		}
		return a.add(&state.PointNoted{Point: p.ID, Text: string(a.seat) + " clarifies: " + text})
	}
	if slices.Contains(defenders(p), a.seat) {
		return a.add(&state.PointNoted{Point: p.ID, Text: string(a.seat) + " clarifies: " + text})
	}
	if r := request(&a.s, p, state.RequestClarification); r != nil {
		return refuse("repeated", "a clarification of %s was asked for already", p.ID)
	}
	return a.add(&state.Requested{
		Point: p.ID, What: state.RequestClarification, Of: defenders(p), By: a.seat,
		Text: text,
	})
}
