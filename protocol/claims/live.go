package claims

import (
	"cmp"
	"slices"

	"moot/internal/lists"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// ToWeigh returns the items on points under deliberation whose relevance the seat should judge: it
// is undecided, the seat's judgment counts, and the item is new to the seat or was contested since
// (RV2).
func ToWeigh(s *state.State, seat state.Seat) []*ledger.Evidence {
	if s.ByRules(seat) {
		return nil
	}
	var found []*ledger.Evidence
	last := s.LastTurn(seat)
	for _, p := range LivePoints(s) {
		for _, id := range p.Evidence {
			item := s.Item(id)
			if !item.Proven() || item.Relation == ledger.Neutral || resolver.Counts(s, p, item) {
				continue
			}
			fresh := item.Seq > last || slices.ContainsFunc(item.Contests, func(c ledger.Contest) bool {
				return !c.Ended && c.Seq > last && (c.Seat != string(seat) || c.Answer != "")
			})
			heard := item.Relation == ledger.Refutes && !item.Heard && slices.Contains(p.Defenders(), seat)
			own := item.OfferedBy == string(seat) && item.Contested() == nil
			if fresh && !own && (heard || item.OfferedBy == string(seat) || resolver.MayAccept(s, p, item, seat)) {
				found = append(found, item)
			}
		}
	}
	return found
}

// awaitsVerdict returns the items of ToWeigh that alone are a reason to ask the seat: those on points
// that it judges, holds or has mentioned, and those with an undecided contest.
func awaitsVerdict(s *state.State, seat state.Seat) []*ledger.Evidence {
	return slices.DeleteFunc(ToWeigh(s, seat), func(e *ledger.Evidence) bool {
		p := s.Live(e.Point)
		return e.Contested() == nil && p.Latest(seat) == nil && !slices.Contains(p.Defenders(), seat) &&
			!slices.Contains(resolver.Evaluators(s, p), seat)
	})
}

// weighs reports whether an item on the point waits for the seat's judgment.
func weighs(s *state.State, seat state.Seat, p *state.Point) bool {
	return slices.ContainsFunc(awaitsVerdict(s, seat), func(e *ledger.Evidence) bool { return e.Point == p.ID })
}

// Weighed reports whether no item on the point waits for a seat's judgment.
func Weighed(s *state.State, p *state.Point) bool {
	return !slices.ContainsFunc(Seated(s), func(seat state.Seat) bool { return weighs(s, seat, p) })
}

// Live reports whether a point is still under deliberation: not merged,
// revised, conceded, late, out of scope, deadlocked or decided by the user.
func Live(p *state.Point) bool { return resolver.Held(p) && p.Deadlock == state.DeadlockNone }

// Revisable reports whether a seat may revise a point: it is held, and no recorded ruling has
// dismissed it, unless that was because of a fact of the user.
func Revisable(s *state.State, p *state.Point) bool {
	r := s.Ruling(p.ID)
	if r != nil && r.Bucket == state.BucketDismissed && r.Tag != state.TagViolates && p.Reopened < s.RuledSeq {
		return false
	}
	return resolver.Held(p) && !resolver.Lost(s, p)
}

// ClosedReason says in a few words how a point ended.
func ClosedReason(s *state.State, p *state.Point) string {
	_, conceded := p.Conceded()
	r := s.Ruling(p.ID)
	switch {
	case p.UserRuling != nil:
		return "the user ruled on it"
	case p.MergedInto != "":
		return "merged into " + p.MergedInto
	case p.RevisedBy != "":
		return "revised as " + p.RevisedBy
	case conceded:
		return "conceded"
	case resolver.Lost(s, p):
		return "undefended"
	case resolver.Violates(s, p):
		return "it contradicts a fact of the user"
	case r != nil && r.Bucket != state.BucketOpen:
		return view.Join(" ", view.BucketName(r.Bucket), cmp.Or(string(r.Status), string(r.Tag)))
	case p.Deadlock != state.DeadlockNone:
		return "deadlocked"
	}
	return map[state.Scope]string{
		state.OutOfScope: "out of scope", state.AnchorShift: "it answers another question",
		state.Late: "raised too late", state.OverLimit: "over the limit of 7",
	}[p.Scope]
}

// LivePoints returns the points under deliberation, in order: live ones that were not dismissed by
// an undefended challenge or a user fact.
func LivePoints(s *state.State) []*state.Point {
	return s.Points.Filter(func(p *state.Point) bool { return resolver.Debated(s, p) })
}

// OpenChallenges returns the challenges on live points that the seat must
// answer, of the given statuses.
func OpenChallenges(s *state.State, seat state.Seat, statuses ...state.ChallengeStatus) []*state.Challenge {
	var open []*state.Challenge
	for _, p := range LivePoints(s) {
		if !slices.Contains(p.Defenders(), seat) {
			continue
		}
		open = append(open, lists.Filter(lists.Map(p.Challenges, s.Challenge), func(c *state.Challenge) bool {
			return slices.Contains(statuses, c.Status) && !resolver.Idle(s, c)
		})...)
	}
	return open
}

// Unjudged returns the challenges whose last defense the seat must judge.
func Unjudged(s *state.State, seat state.Seat) []*state.Challenge {
	var found []*state.Challenge
	for _, p := range LivePoints(s) {
		for _, id := range p.Challenges {
			c := s.Challenge(id)
			if c.Status == state.StandsAnswered && resolver.JudgeOf(s, c) == seat && !resolver.Idle(s, c) &&
				!(c.Last().Again && c.Last().Round == s.Round) { // It is judged again once both sides gave their terms.
				found = append(found, c)
			}
		}
	}
	return found
}

// unclassified returns the live points that the seat must classify: it has not done so yet, it
// called the point ill-formed and the point was clarified, or there is new evidence (RV2).
func unclassified(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(LivePoints(s), func(p *state.Point) bool {
		latest := p.Latest(seat)
		due := latest == nil || weighs(s, seat, p) ||
			latest.Class == state.IllFormed && slices.ContainsFunc(p.Asked, func(at int) bool {
				r := s.Requests.At(at)
				return r.Kind == state.RequestClarification && r.Answered && r.Seq > latest.Seq
			})
		return !due || !slices.Contains(resolver.Evaluators(s, p), seat)
	})
}

// Untriaged returns the points that have no scope yet.
func Untriaged(s *state.State) []*state.Point {
	return slices.DeleteFunc(LivePoints(s), func(p *state.Point) bool { return p.Scope != state.Untriaged })
}

// RequestsOf returns the open requests to the seat on live points: those of earlier rounds and, in
// a council, where the asked seat speaks next, of this one too.
func RequestsOf(s *state.State, seat state.Seat) []*state.Request {
	var found []*state.Request
	for _, r := range s.Requests.All() {
		p := s.Live(r.Point)
		if r.Open() && (r.Round < s.Round || Of(s).AsksAtOnce()) &&
			slices.Contains(r.Of, seat) && p != nil && Live(p) && !resolver.Gave(p, r, seat) {
			found = append(found, r)
		}
	}
	return found
}

// MaxInScope is how many points a session evaluates (RD2).
const MaxInScope = 7

// Seated returns the seats that take part in the rounds.
func Seated(s *state.State) []state.Seat { return Of(s).Seated(s) }
