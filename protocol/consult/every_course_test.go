package consult_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/protocol/protocoltest/random"
	"moot/resolver"
	"moot/state"
)

var exhaustive = flag.Duration("exhaustive", 2*time.Second, "how long TestEveryCourse visits each of its two spaces")

// TestEveryCourse visits the sessions of a consultation with one point, then with two, through
// all 8 rounds: every choice of the seats among those of choices, until all was visited or the time
// is up. Two states are the same if they differ only in texts and in the numbers of events. After
// each event the invariants hold, and from every state the session continues or ends.
func TestEveryCourse(t *testing.T) {
	t.Parallel()
	for _, points := range []int{1, 2} {
		t.Run(fmt.Sprintf("%d points", points), func(t *testing.T) {
			t.Parallel()
			v := &visit{t: t, seen: map[[sha256.Size]byte]bool{}, points: points}
			o := protocoltest.Opened(consult.Name)
			s := &state.State{}
			v.apply(s, o)
			v.settle(s)
			v.queue = []*state.State{s}
			ended, chance := time.Now().Add(*exhaustive), rand.New(rand.NewPCG(1, uint64(points)))
			for len(v.queue) > 0 && time.Now().Before(ended) {
				// Any state, so that a visit that is cut short has been in all rounds.
				at := chance.IntN(len(v.queue))
				next := v.queue[at]
				v.queue[at] = v.queue[len(v.queue)-1]
				v.queue = v.queue[:len(v.queue)-1]
				v.visit(next)
			}
			t.Logf("%d states, %d transitions, %d ends, by round %v; %d states were left out", len(v.seen), v.transitions,
				v.ends, v.rounds[1:], len(v.queue))
			if v.transitions < 100 || v.ends == 0 && len(v.queue) == 0 {
				t.Error("hardly anything was visited")
			}
		})
	}
}

type visit struct {
	t                 *testing.T
	points            int
	seen              map[[sha256.Size]byte]bool
	queue             []*state.State
	transitions, ends int
	rounds            [state.MaxRounds + 1]int
}

// apply adds events and checks the invariants after each.
func (v *visit) apply(s *state.State, payloads ...state.Payload) {
	v.t.Helper()
	for _, p := range payloads {
		before := *s
		next, err := state.Apply(&before, state.Event{Seq: before.Seq + 1, Data: p})
		if err != nil {
			v.t.Fatalf("%T: %v\n%s", p, err, key(&before))
		}
		*s = *next
		if s.Round > state.MaxRounds {
			v.t.Fatal("INV7: the session is past its last round")
		}
		if before.Seq > 0 && s.Question != before.Question {
			v.t.Fatal("INV2: the anchor changed")
		}
	}
	rulings := resolver.Rule(s)
	if len(rulings) != s.Points.Len() {
		v.t.Fatal("INV6: not one ruling per point")
	}
	if wrong := random.WronglyStopped(s); wrong != "" {
		v.t.Fatalf("%s\n%s", wrong, key(s))
	}
	for i := range rulings {
		if r := &rulings[i]; r.Bucket == state.BucketUnresolved && (r.Status == "" || r.Crux == "") {
			v.t.Fatalf("no status or crux: %+v\n%s", r, key(s))
		}
		if rulings[i].Bucket != state.BucketAgreed {
			continue
		}
		if wrong := random.WronglyAgreed(s, s.Points.At(i)); wrong != "" {
			v.t.Fatalf("%s: %+v\n%s", wrong, rulings[i], key(s))
		}
	}
}

// settle does what the rules do by themselves.
func (v *visit) settle(s *state.State) (asks []protocol.Ask) {
	v.t.Helper()
	for range 100 {
		turn := protocol.Of(s).Next(s)
		switch {
		case turn.Close:
			return nil
		case len(turn.Events) > 0:
			v.apply(s, turn.Events...)
		case len(turn.Check) > 0:
			var findings []ledger.Finding
			for _, id := range turn.Check {
				findings = append(findings, protocoltest.Finding(s.Item(id)))
			}
			v.apply(s, claims.AdmitFindings(s, turn.Check, findings)...)
		case len(turn.Asks) > 0:
			return turn.Asks
		default:
			v.t.Fatalf("there is no next turn\n%s", key(s))
		}
	}
	v.t.Fatalf("the rules do not come to an end\n%s", key(s))
	return nil
}

func (v *visit) visit(s *state.State) {
	asks := v.settle(s)
	if len(asks) == 0 {
		v.ends++
		return
	}
	ask := asks[0]
	v.apply(s, &state.PromptSent{Seat: ask.Seat, Stage: ask.Stage})
	for _, moves := range v.choices(s, ask) {
		v.transitions++
		copied := *s
		next := &copied
		admission := protocol.Of(s).Admit(s, ask, moves)
		v.apply(next, &state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage, Valid: true, Refused: admission.Refused})
		v.apply(next, admission.Events...)
		v.settle(next)
		if id := sha256.Sum256([]byte(key(next))); !v.seen[id] {
			v.seen[id] = true
			v.rounds[next.Round]++
			v.queue = append(v.queue, next)
		}
	}
}

// mostChoices bounds the replies that are tried in one turn: with two points the choices for each
// multiply.
const mostChoices = 120

// choices are the replies that a seat may make: for each open task, each answer that it may
// give, and silence.
func (v *visit) choices(s *state.State, ask protocol.Ask) [][]move.Move {
	cite := []move.Citation{{Reference: fmt.Sprintf("a/a.go:%d", s.Evidence.Len()+1), Quote: "alpha"}}
	replies := [][]move.Move{nil}
	each := func(options ...[]move.Move) {
		var all [][]move.Move
		for _, before := range replies {
			for _, option := range options {
				if len(all) < mostChoices {
					all = append(all, slices.Concat(before, option))
				}
			}
		}
		replies = all
	}
	one := func(m ...move.Move) []move.Move { return m }
	switch ask.Stage { //nolint:exhaustive // the others owe what is due
	case state.StageMap:
		return [][]move.Move{one(&move.Flag{Flag: move.FlagShape, Text: "a list"})}
	case state.StagePropose:
		for i := range v.points {
			text := []string{"Alpha holds", "Beta is bounded"}[i]
			each(one(&move.Raise{Text: text}),
				one(&move.Raise{Text: text, Citations: []move.Citation{{Reference: fmt.Sprintf("a/a.go:%d", i+1), Quote: "alpha"}}}))
		}
		return replies
	case state.StageCoverage:
		return [][]move.Move{nil}
	case state.StageStress:
		return [][]move.Move{
			one(&consult.Steelman{Point: "P1", Objection: "It may fail.", Grade: state.StressUnresolved}),
			one(&consult.Steelman{Point: "P1", Objection: "It may fail.", Grade: state.StressMitigable}),
		}
	}
	due := claims.DueOf(s, ask)
	for _, id := range due.Classify {
		because := ""
		for _, item := range s.Point(id).Evidence {
			because += item + " "
		}
		agree := &move.Classify{Point: id, Class: state.Agree, Reason: "it is the call " + because, Because: because}
		options := [][]move.Move{
			nil, one(agree), one(&move.Classify{Point: id, Class: state.IllFormed, Reason: "which?"}),
			one(&move.Classify{Point: id, Class: state.IllFormed, Term: "alpha", Reading: "the first", OtherReading: "the best"}),
			one(&move.Classify{Point: id, Class: state.Skeptical, Flaw: "Nothing shows it.", UpgradeIf: "a line", Because: because}),
			one(&move.Classify{
				Point: id, Class: state.Reject, Flaw: "It is wrong.", FlawKind: state.Empirical, Grounds: "the code",
				WhyNotSkeptical: "it is plain", Because: because,
			}),
		}
		for _, item := range s.Point(id).Evidence {
			options = append(options, one(agree, &move.Contest{Evidence: item, Reason: "it is a comment"}))
		}
		each(options...)
	}
	for _, id := range due.Judge {
		reason := fmt.Sprintf("the answer shows the case of round %d", s.Round)
		each(one(&move.Judge{Challenge: id, Judgment: state.Accepted, Reason: reason}),
			one(&move.Judge{Challenge: id, Judgment: state.Rejected, Reason: "it shows nothing"}), nil)
	}
	for _, id := range due.Weigh {
		if !slices.Contains(due.Classify, s.Item(id).Point) {
			each(nil, one(&move.Accept{Evidence: id}), one(&move.Contest{Evidence: id, Reason: "it is a comment"}))
		}
	}
	for _, id := range due.Answer {
		c := s.Challenge(id)
		text := fmt.Sprintf("answer number %d of round %d", len(c.Defenses), s.Round)
		options := [][]move.Move{
			nil, one(&move.Defend{Challenge: id, Text: text}), one(&move.Concede{Challenge: id, Reason: "true"}),
		}
		if s.Evidence.Len() <= v.points {
			options = append(options, one(&move.Defend{Challenge: id, Text: text, Citations: cite}))
		}
		if s.Points.Len() <= v.points {
			options = append(options, one(&move.Revise{
				Point: c.Point, Challenge: id, Text: s.Point(c.Point).Text + " below a load", Because: "it was too wide",
			}))
		}
		for _, item := range resolver.RestsOn(s, c) {
			options = append(options, one(&move.Contest{Evidence: item.ID, Reason: "it is a comment"}))
		}
		each(options...)
	}
	for _, r := range due.Requests {
		switch r.Kind {
		case state.RequestEvidence:
			if s.Evidence.Len() <= v.points {
				each(nil, one(&move.Cite{Point: r.Point, Citation: cite[0]}))
			}
		case state.RequestClarification, state.RequestTerms:
			each(nil, one(&move.Clarify{Point: r.Point, Term: "alpha", Text: "the one of " + string(ask.Seat)}))
		case state.RequestCrux:
		}
	}
	return replies
}

// key is a state without its texts and the numbers of its events.
func key(s *state.State) string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"|", args...) }
	age := func(round int) int { return min(s.Round-round, 4) }
	add("%d %s %v %d %d %d %s %d %v %v", s.Round, s.Phase, s.Extended, consult.Of(s).Coverage, consult.Of(s).NewDisputes, s.Stress, s.Exit, s.Idle,
		s.Trivial, s.Arbitrated)
	for _, a := range s.Asked {
		add("%s %s %d %d %d", a.Seat, a.Stage, a.Replies, a.Failed, len(a.Refusals))
	}
	for _, r := range resolver.Rule(s) {
		add("%s %s %s", r.Rule, r.Bucket, r.Status)
	}
	for _, p := range s.Points.All() {
		add("P %d %s %s %v %d %s %v %d", age(p.Round), p.Scope, p.RevisedBy, p.Authors, len(p.Concessions), p.Deadlock, p.Blocked != nil,
			len(p.Deferred))
		add("%d %d %d", len(resolver.IllFormedRounds(p, state.Orchestrator)), len(resolver.IllFormedRounds(p, state.Consultee)), len(p.Terms))
		for _, seat := range []state.Seat{state.Orchestrator, state.Consultee} {
			latest, said := p.Latest(seat), p.LastVerdict(seat)
			if said != nil {
				add("%s %v", said.Class, latest == said)
			}
		}
	}
	for _, c := range s.Challenges.All() {
		last := c.Last()
		add("C %s %s %s %s %d %d %v %v %v %v", c.Point, c.By, c.Kind, c.Status, c.RejectedDefenses(), age(c.Disputed), c.ReminderSent,
			c.Confirm, last != nil && last.Blocked, last != nil && last.Again)
	}
	for _, e := range s.Evidence.All() {
		add("E %s %s %v %v %v", e.Point, e.Relation, e.Proven(), e.Heard, e.For != "")
		for _, seat := range []state.Seat{state.Orchestrator, state.Consultee} {
			add("%v %v", e.Seq > s.LastTurn(seat), e.AcceptedBy(string(seat)))
		}
		for _, c := range e.Contests {
			add("%s %v %v %d", c.Seat, c.Ended, c.Answer != "", age(c.Round))
		}
	}
	for _, r := range s.Requests.All() {
		add("R %s %s %v %v %d", r.Point, r.Kind, r.Answered, r.Passed, age(r.Round))
	}
	for _, q := range s.Questions.All() {
		add("Q %s %s", q.Point, q.Kind)
	}
	add("%d drifts", s.Drifts.Len())
	return b.String()
}

// The order in which a reply lists two items of evidence changes no ruling.
func TestOrderOfEvidence(t *testing.T) {
	var cited []move.Citation
	for _, reference := range []string{"a/a.go:1", "bad/b.go:2", "run/c", "official/d.md:3"} {
		for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
			cited = append(cited, move.Citation{Reference: reference, Quote: "alpha", Relation: relation})
		}
	}
	outcome := func(class state.Class, over bool, citations ...move.Citation) string {
		v := &visit{t: t}
		s := &state.State{}
		v.apply(s, protocoltest.Opened(consult.Name))
		say := func(moves ...move.Move) {
			ask := v.settle(s)[0]
			v.apply(s, &state.PromptSent{Seat: ask.Seat, Stage: ask.Stage})
			admission := protocol.Of(s).Admit(s, ask, moves)
			v.apply(s, &state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage, Valid: true, Refused: admission.Refused})
			v.apply(s, admission.Events...)
		}
		say()
		say(&move.Raise{Text: "Alpha holds", Citations: citations})
		say(&move.Classify{Point: "P1", Class: class, Reason: "it is the call", Flaw: "It is not.", UpgradeIf: "a line"})
		v.settle(s)
		if over {
			v.apply(s, &state.ExitReached{Exit: state.ExitUser})
		}
		r := resolver.Rule(s)[0]
		return fmt.Sprint(r.Rule, r.Bucket, r.Tag, r.Status)
	}
	for _, one := range cited {
		for _, other := range cited {
			for _, class := range []state.Class{state.Agree, state.Skeptical} {
				for _, over := range []bool{false, true} {
					if here, there := outcome(class, over, one, other), outcome(class, over, other, one); here != there {
						t.Errorf("%v, then %v: %s; the other way round: %s", one, other, here, there)
					}
				}
			}
		}
	}
}
