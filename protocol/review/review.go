package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/protocol/review/merge"
	"moot/state"
	"moot/view"
)

// Next implements Format. Round 1 finds, checks and merges; each further round is an exchange about what only one
// reviewer raised.
func (Format) Next(s *state.State) protocol.Turn {
	turn, _ := protocol.FirstDue(s,
		protocol.OpenSession,
		claims.CheckEvidence, // RW3: the places
		claims.ApproveCommands,
		closeSession,
		markMissing,
		find,          // RW2: blind, at once
		tooFewAnswers, // RW8: no decision
		askPlaces,     // RW3
		group,         // RW4
		recall,        // RW7
		askAuthor,
		examine,        // RW5
		answerRefuters, // RW5
		claims.RecordRulings,
		nextExchange,
		decide, // RW8
	)
	return turn
}

// present returns the reviewers that are not missing.
func present(s *state.State) []state.Seat { return slices.DeleteFunc(Reviewers(s), s.Misses) }

// Blind tells whether a participant still owes its findings, and whether others have given theirs.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	owes = s.Round <= 1 && !s.Over() && slices.ContainsFunc(s.Seats, func(a state.SeatAssignment) bool {
		return a.Participant == participant && IsReviewer(a.Seat) && !s.Misses(a.Seat) && !replied(s, a.Seat)
	})
	unseen = owes && slices.ContainsFunc(Reviewers(s), func(seat state.Seat) bool {
		asked := s.AskedOf(seat, StageFind)
		return asked.Replies+asked.Failed > 0
	})
	return owes, unseen
}

// find asks all reviewers for what is wrong with the change. What does not fit one prompt comes in further ones.
func find(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range present(s) {
		asked := s.AskedOf(seat, StageFind)
		ask := protocol.Ask{
			Seat: seat, Stage: StageFind, Moves: []move.Kind{MoveFinding, MoveNoFindings}, Retry: protocol.RetryOf(asked),
			Kinds: ledger.Kinds(s.Settings.Kinds),
		}
		switch {
		case asked.Replies == 0:
		case s.ByRules(seat):
			continue
		case !replied(s, seat) && asked.Replies == 1:
			ask.Retry = "the reply names no finding: give each as a FINDING with its path, line, severity and what is wrong, " +
				"or NO_FINDINGS with what you looked at"
		case replied(s, seat) && asked.Replies < SettingsOf(s).Turns && len(unshown(s, seat)) > 0:
			ask.Retry = ""
		default:
			continue
		}
		asks = append(asks, ask)
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// unshown returns the changed files that a seat has still to be shown: no prompt that it answered held them, and none
// said that they do not fit.
func unshown(s *state.State, seat state.Seat) []*File {
	change := &SettingsOf(s).Change
	var left []*File
	for i := range change.Files {
		f := &change.Files[i]
		withheld := slices.ContainsFunc(s.WithheldFrom(seat), func(w state.Withheld) bool {
			return w.Path == f.Path && len(w.Seats) > 0
		})
		if f.Diff != "" && !s.WasShown(seat, f.Path) && !withheld {
			left = append(left, f)
		}
	}
	return left
}

// markMissing marks a reviewer as missing whose replies could not be used twice in a row, or that named no finding also
// after a critique. The others continue.
func markMissing(s *state.State) (protocol.Turn, bool) {
	var gone []state.Payload
	for _, a := range s.Seats {
		if m := missed(s, a.Seat); m != nil && !s.Misses(a.Seat) {
			gone = append(gone, m)
		}
	}
	return protocol.Turn{Events: gone}, len(gone) > 0
}

func missed(s *state.State, seat state.Seat) *state.SeatMissed {
	if IsReviewer(seat) && !s.ByRules(seat) && s.AskedOf(seat, StageFind).Replies > 1 && !replied(s, seat) {
		const reason = "named no finding, and did not say that there is none, also after a critique"
		return &state.SeatMissed{
			Seat: seat, Answered: true, Stage: StageFind, Reason: reason, Failure: claims.Formless(seat, reason),
		}
	}
	return protocol.MissedTwice(s, seat)
}

// Missing implements Format: a review continues without a seat that can't be reached.
func (Format) Missing(_ *state.State, ask protocol.Ask, reason string, failure *state.Failure) []state.Payload {
	return []state.Payload{&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: reason, Failure: failure}}
}

// leastAnswers is the number of reviewers that a decision needs.
const leastAnswers = 2

// tooFewAnswers ends a review that has too few answers for a decision. If a reviewer could not be reached, the session
// waits for it.
func tooFewAnswers(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 || len(Answered(s)) >= leastAnswers {
		return protocol.NotDue()
	}
	// What was found so far is checked and merged first, so that it can be listed.
	if turn, due := protocol.FirstDue(s, group, claims.RecordRulings); due {
		return turn, due
	}
	var again []state.Payload
	var why []string
	var failure *state.Failure
	for i := range s.Missing {
		m := &s.Missing[i]
		why = append(why, string(m.Seat)+": "+m.Reason)
		failure = cmp.Or(failure, m.Failure)
		if !m.Answered {
			again = append(again, &state.SeatRecalled{Seat: m.Seat, By: state.Protocol})
		}
	}
	reason := view.Stated("answers", view.Record{State: s})
	if len(why) > 0 {
		reason += "; " + strings.Join(why, "; ")
	}
	if len(again) > 0 {
		return protocol.Emit(append(again, &state.SessionPaused{
			Why: state.PauseUnreachable, Reason: reason, Failure: failure,
		})...)
	}
	return protocol.Emit(&state.ExitReached{Exit: state.ExitQuality, Reason: reason, Failure: failure})
}

// askPlaces asks the reviewers of misplaced findings for the right place, once.
func askPlaces(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	if found := toPlace(s); len(found) > 0 {
		return protocol.Emit(&PlaceAsked{Points: lists.Map(found, func(f *Finding) string { return f.Point })})
	}
	var seats []state.Seat
	for _, seat := range present(s) {
		if len(misplacedOf(s, seat)) > 0 && !s.ByRules(seat) {
			seats = append(seats, seat)
		}
	}
	return protocol.AskOnce(s, StagePlace, seats, MoveFinding)
}

// group merges the findings that mean the same (RW4).
func group(s *state.State) (protocol.Turn, bool) {
	compared := Comparable(s)
	if len(compared) == Of(s).Grouped || s.Round != 1 {
		return protocol.NotDue()
	}
	return protocol.Emit(grouped(s))
}

// Comparable returns the findings that reviewers raised, within the limit.
func Comparable(s *state.State) []*Finding {
	return Of(s).Findings.Filter(func(f *Finding) bool { return !f.Over && IsReviewer(f.By) })
}

// grouped computes which findings mean the same.
func grouped(s *state.State) *FindingsGrouped {
	compared := Comparable(s)
	e := &FindingsGrouped{Groups: [][]string{}, Compared: len(compared)}
	found := lists.Map(compared, func(f *Finding) merge.Finding { return toMerge(s, f) })
	for _, members := range merge.Groups(found, Of(s).Apart) {
		// A ruling that dismissed a finding must not silence others, so those that are remembered stand apart.
		by := map[string][]string{}
		for _, i := range members {
			known := Of(s).dismissed(s, compared[i])
			by[known] = append(by[known], found[i].ID)
		}
		e.Groups = slices.AppendSeq(e.Groups, maps.Values(by))
	}
	for _, pair := range Of(s).Joined {
		e.join(pair)
	}
	for _, ids := range e.Groups {
		slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(state.Index(a, 'P'), state.Index(b, 'P')) })
	}
	e.Groups = slices.DeleteFunc(e.Groups, func(ids []string) bool { return len(ids) < 2 })
	slices.SortFunc(e.Groups, func(a, b []string) int {
		return cmp.Compare(state.Index(a[0], 'P'), state.Index(b[0], 'P'))
	})
	return e
}

// join merges the groups of two findings.
func (e *FindingsGrouped) join(pair [2]string) {
	at := func(id string) int {
		return slices.IndexFunc(e.Groups, func(ids []string) bool { return slices.Contains(ids, id) })
	}
	a, b := at(pair[0]), at(pair[1])
	if a < 0 || b < 0 || a == b {
		return
	}
	e.Groups[a] = append(e.Groups[a], e.Groups[b]...)
	e.Groups[b] = nil
}

// toMerge is a finding as package merge compares it.
func toMerge(s *state.State, f *Finding) merge.Finding {
	spot := SpotOf(s, f)
	return merge.Finding{
		ID: f.Point, Reviewer: string(f.By), Path: spot.Path, Line: spot.Line, End: spot.End, Hunk: spot.Hunk,
		Symbol: spot.Symbol, Category: string(f.Category), Text: strings.TrimSpace(f.What + "\n" + f.Why),
	}
}

// live reports whether seats can still say something about a finding.
func live(s *state.State, p *state.Point) bool {
	r := rules{}.RuleOne(s, p)
	return r.Bucket == state.BucketOpen || r.Bucket == state.BucketUnresolved && r.Rule != "RW6.1"
}

// ToExamine returns the findings of others that a seat is asked about in this round, in an order that says nothing about
// who raised them: those that one model alone raised, and remembered ones whose lines changed.
func ToExamine(s *state.State, seat state.Seat) []*state.Point {
	if s.Round < 2 || s.ByRules(seat) || s.Misses(seat) {
		return nil
	}
	mine := model(s, seat)
	points := lists.Filter(Heads(s), func(p *state.Point) bool {
		r := s.Ruling(p.ID)
		switch n, _ := Support(s, p); {
		case p.IsAuthor(seat) || slices.Contains(models(s, p.Authors), mine) || n > 1:
			return false
		case remembered(s, p):
			return asksWhetherFixed(s, p)
		case r == nil, r.Bucket == state.BucketOpen, r.Bucket == state.BucketUnresolved && r.Status != state.StatusOpen:
			return p.UserRuling == nil
		}
		return false
	})
	key := func(p *state.Point) string { return ledger.Hash([]byte(digest(s) + " " + Of(s).Finding(p.ID).What)) }
	slices.SortFunc(points, func(a, b *state.Point) int {
		return cmp.Or(strings.Compare(key(a), key(b)), strings.Compare(a.ID, b.ID))
	})
	return points
}

// digest identifies the material.
func digest(s *state.State) string {
	var text strings.Builder
	for _, f := range SettingsOf(s).Change.Files {
		text.WriteString(f.Path + "\n" + f.Diff)
	}
	return ledger.Hash([]byte(text.String()))
}

// Merged returns the merged findings that a seat is one of the raisers of, which it may split, in the first exchange.
func Merged(s *state.State, seat state.Seat) []*state.Point {
	if s.Round != 2 || s.ByRules(seat) || s.Misses(seat) {
		return nil
	}
	return lists.Filter(Heads(s), func(p *state.Point) bool { return len(p.Aliases) > 0 && p.IsAuthor(seat) })
}

// ToAnswer returns the findings that the author of the change is asked about.
func ToAnswer(s *state.State) []*state.Point {
	return lists.Filter(Heads(s), func(p *state.Point) bool {
		r := rules{}.RuleOne(s, p)
		return r.Bucket != state.BucketDismissed && r.Bucket != state.BucketNotEvaluated
	})
}

// askAuthor asks the author of the change what it says to the findings, once.
func askAuthor(s *state.State) (protocol.Turn, bool) {
	if _, seated := s.Assignment(Author); !seated || s.Round != 2 || s.Misses(Author) || len(ToAnswer(s)) == 0 {
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, StageAuthor, []state.Seat{Author}, MoveFixed, MoveIntended, MoveWrong)
}

// examine asks the reviewers about the findings that others raised alone, and the raisers of merged ones whether they
// mean the same.
func examine(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range present(s) {
		asked := s.AskedOf(seat, StageExamine)
		others, own := ToExamine(s, seat), Merged(s, seat)
		if asked.Replies > 0 || len(others)+len(own) == 0 {
			continue
		}
		ask := protocol.Ask{
			Seat: seat, Stage: StageExamine, Retry: protocol.RetryOf(asked), Kinds: ledger.Kinds(s.Settings.Kinds),
		}
		if len(others) > 0 {
			ask.Moves = []move.Kind{MoveConfirm, MoveRefute, MoveUnsure}
		}
		if slices.ContainsFunc(others, func(p *state.Point) bool { return asksWhetherFixed(s, p) }) {
			ask.Moves = append(ask.Moves, MoveFixed)
		}
		if len(own) > 0 {
			ask.Moves = append(ask.Moves, MoveSplit)
		}
		asks = append(asks, ask)
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// against returns the items against a seat's findings that it has not had a turn to answer.
func against(s *state.State, seat state.Seat) []*ledger.Evidence {
	var items []*ledger.Evidence
	for _, p := range Heads(s) {
		if !p.IsAuthor(seat) || !live(s, p) {
			continue
		}
		for _, w := range words(s, p) {
			if w.Kind != WordRefute || !speaks(s, p, w) {
				continue
			}
			for _, id := range w.Items {
				if item := s.Item(id); item.Proven() && !Of(s).heard(seat, id) {
					items = append(items, item)
				}
			}
		}
	}
	return items
}

// answerRefuters asks the raisers what they say to the items against their findings (RV2).
func answerRefuters(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 {
		return protocol.NotDue()
	}
	var seats []state.Seat
	for _, seat := range present(s) {
		if len(against(s, seat)) > 0 && !s.ByRules(seat) {
			seats = append(seats, seat)
		}
	}
	return protocol.AskOnce(s, state.StageAnswer, seats, move.KindWithdraw, move.KindContest)
}

// nextExchange starts the next round if somebody can be asked about a finding in it.
func nextExchange(s *state.State) (protocol.Turn, bool) {
	if s.Over() || s.Round > SettingsOf(s).Exchanges {
		return protocol.NotDue()
	}
	next := *s
	next.Round++
	_, author := s.Assignment(Author)
	due := author && next.Round == 2 && len(ToAnswer(&next)) > 0
	for _, seat := range present(s) {
		due = due || len(ToExamine(&next, seat))+len(Merged(&next, seat)) > 0
	}
	if !due || s.Round > 1 && !moved(s) {
		return protocol.NotDue()
	}
	return protocol.NextRound(s)
}

// moved reports whether this round brought a word for or against a finding.
func moved(s *state.State) bool {
	return Of(s).Findings.Any(func(f *Finding) bool {
		return slices.ContainsFunc(f.Words, func(w Word) bool {
			return w.Round == s.Round && (w.Kind == WordConfirm || w.Kind == WordRefute)
		})
	})
}

// decide ends the review with its decision (RW8).
func decide(s *state.State) (protocol.Turn, bool) {
	if s.Over() {
		return protocol.NotDue()
	}
	return protocol.Emit(decided(s))
}

// decided is the exit of a review that was decided.
func decided(s *state.State) *state.ExitReached {
	over := *s
	over.Exit = state.ExitDecided
	d := DecisionOf(&over)
	return &state.ExitReached{Exit: state.ExitDecided, Reason: d.String()}
}

// closeSession closes the session. A decision of the user after the end changes the decision.
func closeSession(s *state.State) (protocol.Turn, bool) {
	turn, due := claims.ClosingSteps(s)
	if !turn.Close || s.Exit != state.ExitDecided {
		return turn, due
	}
	switch exit := decided(s); {
	case s.Decided > 0:
		turn.Exit = *exit
	case exit.Reason != s.ExitReason:
		return protocol.Emit(exit)
	}
	return turn, due
}

// Place in words: "lock/unix.go:111".
func (p *Spot) String() string {
	if p.Path == "" {
		return ""
	}
	r := ledger.Reference{Path: p.Path}
	if p.Line > 0 {
		r.Spans = []ledger.Span{{First: p.Line, Last: max(p.Line, p.End)}}
	}
	if p.Before {
		return fmt.Sprintf("%s (before the change)", r)
	}
	return r.String()
}
