// Package random lets the seats of a session and its user move at random, and checks the invariants of the protocol
// after each event and every sentence of the result. A format brings its own part and runs its sessions in its own
// tests.
package random

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/move"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
)

// Open draws how a session of a format begins, and returns the part of its seats.
type Open func(*rapid.T) (*state.SessionOpened, Seats)

// Invariants lets seats and the user move at random. It checks INV1 to INV8 after every event, and recomputes and
// replays the record at the end.
func Invariants(t *testing.T, open Open) {
	t.Helper()
	play(t, open, false, func(r *Session) {
		r.Ended(r)
		r.recomputed()
	})
}

// Sentences checks the results of random sessions (SE2): each sentence must be true. The long step of .ci/run has
// 20,000.
func Sentences(t *testing.T, open Open) {
	t.Helper()
	if testing.Short() {
		t.Skip("long: these sessions have one goroutine, so the race detector finds nothing in them")
	}
	play(t, open, true, (*Session).truthful)
}

// play runs random sessions of a format to their end, and then calls a function with each. Only with quick, the
// invariants are not checked after each event. The sessions are drawn with a fixed seed, so that a failure belongs to
// the change under test. To look for more, give another one: -rapid.seed=2, or with 0 a random one.
func play(t *testing.T, open Open, quick bool, then func(r *Session)) {
	t.Helper()
	fix()
	rapid.Check(t, func(rt *rapid.T) {
		opened, seats := open(rt)
		opened.Settings.Attended = rapid.Bool().Draw(rt, "attended")
		r := &Session{
			T: rt, Seats: seats, State: &state.State{}, tags: map[string]ledger.Tag{}, allowed: map[string]bool{}, quick: quick,
		}
		r.Append(opened)
		if opened.Settings.Format == hearing.Name {
			r.Append(state.PacketEvents(protocoltest.Packet(t, 9))...)
		} else if rapid.Bool().Draw(rt, "allow") {
			r.Append(&state.CommandsAllowed{Patterns: []string{"go vet ..."}, By: state.User})
		}
		r.drive()
		then(r)
	})
}

// fix sets the seed and the number of the random sessions, if no flag does: 40, which are the first of those of .ci/run.
var fix = sync.OnceFunc(func() {
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": "40"} {
		if !given[name] {
			_ = flag.Set(name, value)
		}
	}
})

// Seats is the part of the random sessions that differs between formats.
type Seats interface {
	// Asked looks at what seats are about to be asked, and records their prompts.
	Asked(r *Session, asks []protocol.Ask)
	// Applied checks an event against the state before it.
	Applied(r *Session, before *state.State, p state.Payload)
	// Agreed checks a point that is Agreed without an override.
	Agreed(r *Session, p *state.Point, ruling *state.Ruling)
	// Move draws a move of a seat.
	Move(r *Session, ask protocol.Ask, kind move.Kind) move.Move
	// Override draws a move of the user, or returns the one that was drawn.
	Override(r *Session, other protocol.UserMove) protocol.UserMove
	// Ended checks how a session ended.
	Ended(r *Session)
}

// Consultation is the part of a consultation, and the defaults of the others.
type Consultation struct{}

// Asked checks that no seat of a consultation is asked about a challenge that has ended (CH), and the user about no
// point that is closed.
func (Consultation) Asked(r *Session, asks []protocol.Ask) {
	if r.quick || r.State.Settings.Format != consult.Name {
		return
	}
	for _, q := range r.State.Questions.All() {
		aside := strings.HasPrefix(q.About, claims.AboutRun) || q.Kind == state.QuestionAnchorShift
		if !q.Answered && !aside && r.closed(q.Point) {
			r.Fatalf("%s still asks the user about %s, which is closed: %s", q.ID, q.Point, q.Text)
		}
	}
	rulings := resolver.Rule(r.State)
	for _, ask := range asks {
		due := claims.DueOf(r.State, ask)
		for _, id := range slices.Concat(due.Answer, due.Judge) {
			if c := r.State.Challenge(id); resolver.StatusOf(r.State, rulings, c) == state.StandsEnded {
				r.Fatalf("CH: the %s is asked about %s, which ended with %s: %+v", ask.Seat, id, c.Point,
					resolver.RulingOn(rulings, c.Point))
			}
		}
	}
}

// Applied checks that a seat was asked in each round, and that the user is not asked about a closed point.
func (Consultation) Applied(r *Session, before *state.State, p state.Payload) {
	switch p := p.(type) {
	case *state.RoundStarted:
		heard := r.State.Settings.Format != consult.Name
		for i := len(r.events) - 2; i >= 0 && !heard; i-- {
			if _, started := r.events[i].Data.(*state.RoundStarted); started {
				r.Fatalf("nobody was asked in round %d, and round %d starts", before.Round, p.Round)
			}
			_, heard = r.events[i].Data.(*state.ReplyReceived)
		}
	case *state.QuestionSurfaced:
		if r.State.Settings.Format == consult.Name && r.closed(p.Point) && !strings.HasPrefix(p.About, claims.AboutRun) {
			r.Fatalf("the user is asked about %s, which is closed: %s", p.Point, p.Text)
		}
	}
	if _, ends := p.(*state.ExitReached); r.State.Over() && (!ends || before.Over()) {
		return // The user may still challenge a point after the exit, and no seat is asked.
	}
	if wrong := WronglyStopped(r.State); wrong != "" {
		r.Fatal(wrong)
	}
}

// closed reports whether a point needs no word of the user: the user gave it, the point was replaced or given up, or it
// was not defended.
func (r *Session) closed(point string) bool {
	p := r.State.Live(point)
	if p == nil {
		return false
	}
	ruling := resolver.RulingOn(resolver.Rule(r.State), p.ID)
	return p.UserRuling != nil || slices.Contains([]string{"AC6", "AC7"}, ruling.Rule)
}

// Move draws a move over claims.
func (Consultation) Move(r *Session, _ protocol.Ask, kind move.Kind) move.Move {
	return r.ClaimMove(kind)
}

// Override returns the move that was drawn.
func (Consultation) Override(_ *Session, other protocol.UserMove) protocol.UserMove {
	return other
}

// Ended checks that no point is open at the end (RD10).
func (Consultation) Ended(r *Session) {
	for _, ruling := range resolver.Rule(r.State) {
		if ruling.Bucket == state.BucketOpen {
			r.Fatalf("RD10: %s is still open at the end", ruling.Point)
		}
	}
}

// Agreed looks at a point that is Agreed without the user's word.
func (Consultation) Agreed(r *Session, p *state.Point, ruling *state.Ruling) {
	if wrong := WronglyAgreed(r.State, p); wrong != "" {
		r.Fatalf("%s: %+v", wrong, ruling)
	}
}

// Session is a session whose seats and user move at random.
type Session struct {
	*rapid.T
	Seats
	State *state.State
	tags  map[string]ledger.Tag
	// allowed are the commands that may run, by their evidence.
	allowed map[string]bool
	// quick leaves out the checks after each event.
	quick bool
	// calls counts the asks, missed those of a panel that could not be reached.
	calls, missed int
	events        []state.Event
}

// maxCalls is far above what 8 rounds with seats that are asked twice can take.
const maxCalls = 600

func (r *Session) drive() {
	for steps := 0; !r.State.Closed; steps++ {
		if steps > 2000 || r.calls > maxCalls {
			r.Fatalf("INV7: no end after %d steps and %d calls, round %d", steps, r.calls, r.State.Round)
		}
		if rapid.IntRange(0, 9).Draw(r.T, "user") == 0 {
			if events, err := protocol.AdmitUser(r.State, r.Override(r, r.userMove())); err == nil {
				r.Append(events...)
			}
		}
		if r.State.Paused != state.PauseNone {
			if waiting := r.waiting(); len(waiting) > 0 {
				r.answer(waiting)
			}
			r.Append(&state.SessionResumed{Attended: r.State.Settings.Attended})
		}
		if r.State.Round > 0 && !r.State.Closed && rapid.IntRange(0, 29).Draw(r.T, "interrupted") == 0 {
			r.Append(&state.SessionResumed{Attended: rapid.Bool().Draw(r.T, "attended from now on")})
		}
		turn := protocol.Of(r.State).Next(r.State)
		switch {
		case turn.Close:
			r.Append(protocol.Closing(r.State, turn.Exit))
		case len(turn.Events) > 0:
			r.Append(turn.Events...)
		case len(turn.Check) > 0:
			findings := make([]ledger.Finding, len(turn.Check))
			for i, id := range turn.Check {
				item := r.State.Item(id)
				if ledger.IsCommand(item.Reference) && !r.allowed[id] {
					r.Fatalf("%s (%s) runs without approval", id, item.Reference)
				}
				findings[i] = protocoltest.Finding(item)
			}
			r.Append(claims.AdmitFindings(r.State, turn.Check, findings)...)
		case len(turn.Asks) > 0:
			r.Asked(r, turn.Asks)
			for _, ask := range turn.Asks {
				r.reply(ask)
			}
		case len(turn.Await) > 0:
			r.answer(turn.Await)
		default:
			r.Fatalf("the format knows no next turn in round %d", r.State.Round)
		}
	}
	if r.State.Round > state.MaxRounds {
		r.Fatalf("INV7: %d rounds", r.State.Round)
	}
	// AN3: what the user decides after the end is taken in without asking a seat, and the session is closed again.
	for range rapid.IntRange(0, 3).Draw(r.T, "decisions after the end") {
		events, next, err := run.Decide(r.State, r.Override(r, r.userMove()), r.State.At)
		if err != nil {
			// A refusal is fine, but not an event that does not fit behind the end.
			if strings.Contains(err.Error(), "follow the end") || strings.Contains(err.Error(), "bug in moot") {
				r.Fatalf("after the end: %v", err)
			}
			continue
		}
		for i := range events {
			r.Append(events[i].Data)
		}
		if !r.State.Closed || r.State.Seq != next.Seq {
			r.Fatalf("after the end: closed %v at %d, not %d", r.State.Closed, r.State.Seq, next.Seq)
		}
	}
}

// waiting are the ids of the open questions.
func (r *Session) waiting() (ids []string) {
	for _, q := range r.State.Questions.All() {
		if !q.Answered {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

func (r *Session) reply(ask protocol.Ask) {
	r.calls++
	if mayMiss := r.State.Settings.Format == panel.Name || r.State.Settings.Format == review.Name; mayMiss && r.missed < 6 && rapid.IntRange(0, 14).Draw(r.T, "missing") == 0 {
		r.missed++
		r.Append(&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: "connection refused"})
		return
	}
	if set := &r.State.Settings; set.Format != panel.Name && set.Format != council.Name && set.Format != hearing.Name &&
		set.Format != review.Name {
		r.Append(&state.PromptSent{Seat: ask.Seat, Stage: ask.Stage})
	}
	if rapid.IntRange(0, 19).Draw(r.T, "format failure") == 0 {
		r.Append(&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage}, &state.ReplyRefused{Seat: ask.Seat, Stage: ask.Stage})
		return
	}
	if !r.quick && rapid.IntRange(0, 3).Draw(r.T, "words alone") == 0 {
		r.anyOrder(ask)
	}
	var moves []move.Move
	for range rapid.IntRange(0, 6).Draw(r.T, "moves") {
		moves = append(moves, r.Move(r, ask, rapid.SampledFrom(ask.Moves).Draw(r.T, "kind")))
	}
	admission := protocol.Of(r.State).Admit(r.State, ask, moves)
	r.Append(&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage, Valid: true, Refused: admission.Refused})
	r.Append(admission.Events...)
}

// anyOrder checks ST0 with a reply that only gives words on points (it names no premise, which is a point of its own)
// and is not recorded: it rules the same in both orders of its moves, and what it objects to is not Agreed, even if
// the same reply accepts and agrees.
func (r *Session) anyOrder(ask protocol.Ask) {
	if r.State.Settings.Format == hearing.Name || r.State.Settings.Format == dialectic.Name || ask.Stage == state.StageConclude {
		return
	}
	words := []move.Kind{
		move.KindClassify, move.KindChallenge, move.KindJudge, move.KindDefend, move.KindConcede,
	}
	words = slices.DeleteFunc(words, func(k move.Kind) bool { return !slices.Contains(ask.Moves, k) })
	if len(words) == 0 {
		return
	}
	var moves []move.Move
	for range rapid.IntRange(2, 6).Draw(r.T, "words") {
		m := r.ClaimMove(rapid.SampledFrom(words).Draw(r.T, "word"))
		switch m := m.(type) {
		case *move.Classify:
			m.Kind, m.Needs, m.Citations, m.Confidence = "", nil, nil, nil
		case *move.Challenge:
			m.Citations = nil
		case *move.Defend:
			// A passage without an id is matched to what the moves before it left unanswered (CH4).
			m.Challenge, m.Needs, m.Citations = r.Challenge(), nil, nil
		}
		moves = append(moves, m)
	}
	apply := func() (*state.State, []state.Ruling) {
		s, _, err := state.Extend(r.State, r.State.At, protocol.Of(r.State).Admit(r.State, ask, moves).Events...)
		if err != nil {
			r.Fatal(err)
		}
		return s, resolver.Rule(s)
	}
	s, one := apply()
	slices.Reverse(moves)
	_, other := apply()
	for i := range one {
		if one[i].Bucket != other[i].Bucket || one[i].Rule != other[i].Rule || one[i].Status != other[i].Status {
			r.Fatalf("ST0: the order of the moves matters:\n%+v\n%+v\n%s", one[i], other[i], shown(moves))
		}
	}
	for _, raised := range s.Challenges.All() {
		if raised.By != ask.Seat || raised.Seq <= r.State.Seq || raised.Status != state.StandsOpen {
			continue
		}
		p := s.Live(raised.Point)
		if p.UserRuling == nil && one[state.Index(p.ID, 'P')].Bucket == state.BucketAgreed {
			r.Fatalf("INV8: %s is Agreed over %s of the same reply:\n%s", p.ID, raised.ID, shown(moves))
		}
	}
}

// shown prints moves for a failure.
func shown(moves []move.Move) string {
	var b strings.Builder
	for _, m := range moves {
		fmt.Fprintf(&b, "%s %+v\n", move.KindOf(m), m)
	}
	return b.String()
}

// answer has the user answer one of the questions that the session waits for.
func (r *Session) answer(questions []string) {
	id := rapid.SampledFrom(questions).Draw(r.T, "awaited")
	answer := r.UserAnswer()
	if q := r.State.QuestionByID(id); q.Kind == state.QuestionPriority {
		answer = "P1 P2"
	} else if len(q.Options) > 0 && rapid.Bool().Draw(r.T, "an option") {
		answer = rapid.SampledFrom(q.Options).Draw(r.T, "option")
	}
	if events, err := protocol.AdmitUser(r.State, protocol.AnswerQuestion{Question: id, Answer: answer}); err == nil {
		r.Append(events...)
	}
}

// decided records command approvals from an event.
func (r *Session) decided(p state.Payload) {
	switch p := p.(type) {
	case *state.CommandApproved:
		r.allowed[p.Evidence] = p.Decision.Allows()
		pattern := p.Decision == ledger.ApprovalPattern && len(r.State.AllowedCommands) > 0 &&
			strings.HasPrefix(p.Command, "go vet")
		ruled := p.Decision == ledger.ApprovalAlways && r.State.CommandRule(p.Command) == ledger.ApprovalAlways
		if p.By != state.User && !pattern && !ruled {
			r.Fatalf("code allows %s by itself: %+v", p.Command, p)
		}
	case *state.SessionResumed:
		clear(r.allowed)
	}
}

// Append records events and checks the invariants after each.
func (r *Session) Append(payloads ...state.Payload) {
	for _, p := range payloads {
		event := state.Event{Seq: r.State.Seq + 1, Data: p}
		next, err := state.Apply(r.State, event)
		if err != nil {
			r.Fatalf("apply %T: %v", p, err)
		}
		before := r.State
		r.State, r.events = next, append(r.events, event)
		r.decided(p)
		if q, asked := p.(*state.QuestionSurfaced); asked {
			r.asking(q)
		}
		if !r.quick {
			r.Applied(r, before, p)
			r.check(before, p)
		}
	}
}

func (r *Session) check(before *state.State, p state.Payload) {
	if before.Seq > 0 && r.State.Question != before.Question {
		r.Fatal("INV2: the anchor changed")
	}
	if _, consent := p.(*state.AnchorShiftConsented); r.State.Reading != before.Reading && !consent {
		r.Fatal("INV2: another reading without the user's consent")
	}
	rulings := resolver.Rule(r.State)
	if len(rulings) != r.State.Points.Len() {
		r.Fatal("INV6: not one ruling per point")
	}
	r.checkMetrics(rulings)
	for i := range rulings {
		if !slices.Contains(state.Buckets(), rulings[i].Bucket) || rulings[i].Rule == "" {
			r.Fatalf("INV6: %+v", rulings[i])
		}
		if rulings[i].Bucket == state.BucketUnresolved && (rulings[i].Status == "" || rulings[i].Crux == "") {
			r.Fatalf("no status or crux: %+v", rulings[i])
		}
		if rulings[i].Bucket == state.BucketAgreed && rulings[i].Tag != state.TagUser {
			r.Agreed(r, r.State.Points.At(i), &rulings[i])
		}
	}
	r.facts()
	r.takenBack(rulings)
	r.explained(rulings)
	switch p := p.(type) {
	case *dialectic.RoundResolved:
		r.cleared(p)
	case *state.AnswerGiven:
		r.answered(p, rulings)
	}
}

// answered checks an answer (AN2): what it denies was refuted, and what a seat asserts was not dismissed.
func (r *Session) answered(p *state.AnswerGiven, rulings []state.Ruling) {
	if len(p.Sentences) == 0 {
		r.Fatal("AN2: an answer without a sentence")
	}
	for i := range p.Sentences {
		one := &p.Sentences[i]
		if len(one.Points)+len(one.Denies) == 0 && p.By != state.User {
			r.Fatalf("AN2: %+v names no point", one)
		}
		for _, id := range one.Denies {
			denied := resolver.RulingOn(rulings, id)
			if denied.Bucket != state.BucketDismissed || !slices.Contains([]string{"AC1", "AC5", "AC8"}, denied.Rule) {
				r.Fatalf("AN2: %+v denies %s, which is %s by %s", one, id, denied.Bucket, denied.Rule)
			}
		}
		for _, id := range one.Points {
			if p.By != state.Protocol && p.By != state.User &&
				resolver.RulingOn(rulings, id).Bucket == state.BucketDismissed {
				r.Fatalf("AN2: %+v rests on %s, which was dismissed", one, id)
			}
		}
		for _, m := range resolver.Marks(r.State, rulings, one) {
			if rule := resolver.RulingOn(rulings, m.Point); m.Basis.Firm() && !m.Denied && rule.Bucket != state.BucketAgreed {
				r.Fatalf("AN2: the mark of %s in %+v is %s, and the point is %s", m.Point, one, m.Basis, rule.Bucket)
			}
			unmet := func(id string) bool {
				return resolver.RulingOn(rulings, r.State.Current(id).ID).Bucket != state.BucketAgreed
			}
			if p := r.State.Point(m.Point); m.Basis == resolver.BasisAgreed && m.Firm() && slices.ContainsFunc(p.Needs, unmet) {
				r.Fatalf("AN2: the mark of %s in %+v is firm, and a premise of %v is not agreed", m.Point, one, p.Needs)
			}
		}
		if strings.HasPrefix(one.Text, "No claim was established") && p.By == state.Protocol && slices.ContainsFunc(rulings,
			func(r state.Ruling) bool { return r.Bucket == state.BucketAgreed || r.Rule == "AC8" }) {
			r.Fatalf("AN2: %+v, but a claim was agreed or refuted", one)
		}
	}
}

// takenBack checks, after some events, that an acceptance that is withdrawn leaves the rulings as
// they were before it. A dialectic session is not asked: there any turn makes the decision old.
func (r *Session) takenBack(rulings []state.Ruling) {
	if r.State.Closed || r.State.Decided > 0 || r.State.Seq%20 != 0 || r.State.Settings.Format == dialectic.Name {
		return
	}
	for _, item := range r.State.Evidence.All() {
		if item.AcceptedBy(string(state.Orchestrator)) || item.Contested() != nil {
			continue
		}
		s := r.State
		for _, p := range []state.Payload{
			&state.EvidenceAccepted{ID: item.ID, By: state.Orchestrator},
			&state.Withdrawn{ID: item.ID, By: state.Orchestrator},
		} {
			next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: p})
			if err != nil {
				r.Fatal(err)
			}
			s = next
		}
		for i, after := range resolver.Rule(s) {
			if !after.Equal(&rulings[i]) {
				r.Fatalf("%s accepted and withdrawn:\n%+v\n%+v", item.ID, rulings[i], after)
			}
		}
		return
	}
}

// cleared checks that no contested item clears an objection.
func (r *Session) cleared(resolved *dialectic.RoundResolved) {
	for _, one := range resolved.Artifact.Resolutions {
		if item := r.State.Item(one.Decider); one.Outcome == gates.Cleared && item != nil && item.Contested() != nil {
			r.Fatalf("%s is cleared by %s, which is contested", one.Objection, item.ID)
		}
	}
}

// facts looks at INV5: no tag changes in place, and none is superseded by a
// weaker one.
func (r *Session) facts() {
	for _, f := range r.State.Facts.All() {
		if tag, known := r.tags[f.ID]; known && tag != f.Tag {
			r.Fatalf("INV5: the tag of %s rose from %s to %s", f.ID, tag, f.Tag)
		}
		r.tags[f.ID] = f.Tag
		if old := r.State.Fact(f.Supersedes); old != nil && !ledger.MaySupersede(f.Tag, old.Tag) {
			r.Fatalf("LE3: %s (%s) supersedes %s (%s)", f.ID, f.Tag, old.ID, old.Tag)
		}
	}
}

// checkMetrics checks the metrics after an event: shares are from 0 to 1, all figures are finite, and every live point
// has its figures.
func (r *Session) checkMetrics(rulings []state.Ruling) {
	s := r.State
	metrics := resolver.Measure(s, rulings)
	for _, figure := range metrics.Figures() {
		if figure.Value == nil {
			continue
		}
		v := *figure.Value
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || figure.Share && v > 1 {
			r.Fatalf("event %d: %s is %v", s.Seq, figure.Name, v)
		}
	}
	i := 0
	for _, p := range s.Points.All() {
		if p.MergedInto != "" || s.Settings.Format == hearing.Name && p.ID == hearing.QuestionPoint {
			continue
		}
		if i >= len(metrics.Points) || metrics.Points[i].Point != p.ID {
			r.Fatalf("event %d: the metrics leave out %s", s.Seq, p.ID)
		}
		i++
	}
	if i != len(metrics.Points) {
		r.Fatalf("event %d: %d points have figures, and %d stand", s.Seq, len(metrics.Points), i)
	}
	if metrics.Compliance != nil && s.Settings.Format != council.Name &&
		s.Settings.Format != hearing.Name {
		r.Fatalf("event %d: a %s has nothing that its moves comply with", s.Seq, s.Settings.Format)
	}
}

// recomputed checks the record: what was stored and read again verifies, and gives
// the same turn behind each event.
func (r *Session) recomputed() {
	live, again := &state.State{}, &state.State{}
	decoder := state.NewDecoder(formats.Rules()...)
	for _, e := range r.events {
		data, err := json.Marshal(e.Data)
		if err != nil {
			r.Fatal(err)
		}
		read := e
		if read.Data, err = decoder.Decode(state.KindOf(e.Data), data); err != nil {
			r.Fatal(err)
		}
		if ruled, ok := read.Data.(*state.Ruled); ok {
			if want := resolver.Changed(again, resolver.Rule(again)); !reflect.DeepEqual(ruled.Rulings, want) {
				r.Fatalf("event %d records %v, and the rules give %v", e.Seq, ruled.Rulings, want)
			}
		}
		if live, err = state.Apply(live, e); err != nil {
			r.Fatal(err)
		}
		if again, err = state.Apply(again, read); err != nil {
			r.Fatal(err)
		}
		next := protocol.Of(r.State).Next(live)
		if len(next.Events) > 0 {
			continue
		}
		if here, there := fmt.Sprintf("%+v", next), fmt.Sprintf("%+v", protocol.Of(r.State).Next(again)); here != there {
			r.Fatalf("after event %d, %s:\n%s\nand replayed:\n%s", e.Seq, state.KindOf(e.Data), here, there)
		}
	}
	if here, there := resolver.Digest(resolver.Rule(r.State)), resolver.Digest(resolver.Rule(again)); here != there {
		r.Fatal("replayed, the rulings differ")
	}
}

// ID draws an id, mostly of something that exists.
func (r *Session) ID(prefix string, n int) string {
	return fmt.Sprintf("%s%d", prefix, rapid.IntRange(1, max(2, n+1)).Draw(r.T, prefix))
}

// Point draws the id of a point.
func (r *Session) Point() string { return r.ID("P", r.State.Points.Len()) }

func (r *Session) item() string { return r.ID("E", r.State.Evidence.Len()) }

// Challenge draws the id of a challenge.
func (r *Session) Challenge() string { return r.ID("C", r.State.Challenges.Len()) }

// Text draws a text of a few words.
func (r *Session) Text() string {
	return rapid.SampledFrom([]string{
		"alpha holds", "alpha does not hold", "beta holds", "the cache is safe", "the cache is unsafe", "no flaw",
		"gamma holds in `x`", "I agree", "Revising from AGREE to REJECT because E1", "", "It is old. It is wrong.",
		"delta", "use alpha", "we should adopt beta", "let us note that gamma never fails",
	}).Draw(r.T, "text")
}

func (r *Session) citations() []move.Citation {
	var cited []move.Citation
	for range rapid.IntRange(0, 2).Draw(r.T, "citations") {
		if rapid.IntRange(0, 3).Draw(r.T, "a command") == 0 {
			cited = append(cited, move.Citation{
				Reference: rapid.SampledFrom([]string{"$ go vet ./...", "$ bad idea", "$ go test | tee"}).Draw(r.T,
					"command"),
				Quote: rapid.SampledFrom([]string{"exit 0", "exit 1", "it works"}).Draw(r.T, "expected"),
				Relation: rapid.SampledFrom([]ledger.Relation{
					"", ledger.Supports, ledger.Refutes,
					ledger.Neutral,
				}).Draw(r.T, "relation"),
			})
			continue
		}
		cited = append(cited, move.Citation{
			Reference: rapid.SampledFrom([]string{"a/a.go:1", "bad/b.go:2", "run/c", "official/d.md:3"}).Draw(r.T,
				"reference"),
			Quote: rapid.SampledFrom([]string{"alpha", "beta"}).Draw(r.T, "quote"),
			Relation: rapid.SampledFrom([]ledger.Relation{
				"", ledger.Supports, ledger.Refutes,
				ledger.Neutral,
			}).Draw(r.T, "relation"),
		})
	}
	return cited
}

// Confidence draws a confidence.
func (r *Session) Confidence() *float64 {
	v := rapid.Float64Range(0, 1).Draw(r.T, "confidence")
	return &v
}

// ClaimMove draws a move of a consultation.
func (r *Session) ClaimMove(kind move.Kind) move.Move {
	flag := func() bool { return rapid.Bool().Draw(r.T, "flag") }
	class := func() state.Class { return rapid.SampledFrom(state.Classes()).Draw(r.T, "class") }
	kindOf := func() state.Kind { return rapid.SampledFrom(append(state.Kinds(), "")).Draw(r.T, "kind") }
	needs := func() []string {
		return rapid.SampledFrom([][]string{nil, {r.Point()}, {r.Text()}}).Draw(r.T, "needs")
	}
	switch kind { //nolint:exhaustive // those of a consultation
	case move.KindRaise:
		return &move.Raise{
			Text: r.Text(), Kind: kindOf(), Needs: needs(), Citations: r.citations(),
			Confidence: r.Confidence(),
		}
	case move.KindTriage:
		return &move.Triage{
			Point: r.Point(), Scope: rapid.SampledFrom(state.Scopes()).Draw(r.T, "scope"),
			Other:       rapid.SampledFrom([]string{"", r.Point()}).Draw(r.T, "other"),
			SameSubject: flag(), Opposed: flag(), Alike: flag(), Reason: r.Text(),
		}
	case move.KindMerge:
		return &move.Merge{Into: r.Point(), From: []string{r.Point(), r.Point()}}
	case move.KindClassify:
		return &move.Classify{
			Point: r.Point(), Class: class(), Reason: r.Text(), Flaw: r.Text(), UpgradeIf: r.Text(),
			FlawKind: state.Empirical,
			Grounds:  r.Text(), WhyNotSkeptical: r.Text(), Kind: kindOf(), Needs: needs(), Because: r.Text(),
			Term: rapid.SampledFrom([]string{"", "alpha"}).Draw(r.T, "term"), Reading: r.Text(), OtherReading: r.Text(),
			Citations: r.citations(), Confidence: r.Confidence(),
		}
	case move.KindChallenge:
		return &move.Challenge{
			Point: r.Point(), Class: class(), Flaw: r.Text(), UpgradeIf: r.Text(),
			Citations: r.citations(),
		}
	case move.KindDefend:
		return &move.Defend{
			Challenge: rapid.SampledFrom([]string{"", r.Challenge(), r.item()}).Draw(r.T, "defended"),
			Text:      r.Text(), Needs: needs(), Citations: r.citations(),
		}
	case move.KindConcede:
		return &move.Concede{Challenge: r.Challenge(), Reason: r.Text()}
	case move.KindJudge:
		return &move.Judge{
			Challenge: r.Challenge(), Judgment: rapid.SampledFrom(state.Judgments()).Draw(r.T, "judgment"),
			Reason: r.Text(),
			Lift:   rapid.SampledFrom([]state.Class{"", state.Agree, state.Skeptical}).Draw(r.T, "lift"),
		}
	case move.KindRevise:
		return &move.Revise{
			Point: r.Point(), Text: r.Text(), Challenge: r.Challenge(), Because: r.Text(),
			Citations: r.citations(),
		}
	case move.KindCite:
		cited := append(r.citations(), move.Citation{Reference: "a/a.go:1", Quote: "alpha"})
		return &move.Cite{Point: r.Point(), Citation: cited[0]}
	case move.KindAccept:
		return &move.Accept{Evidence: r.item(), Reason: r.Text()}
	case move.KindContest:
		if r.State.Over() {
			return &move.Contest{Sentence: r.ID("S", 3), Reason: r.Text()}
		}
		return &move.Contest{Evidence: r.item(), Reason: r.Text()}
	case move.KindAnswer:
		return &move.Answer{Text: r.Text(), Points: []string{r.Point()}, Denies: rapid.SampledFrom([][]string{nil, {r.Point()}}).Draw(r.T, "denies")}
	case move.KindViolates:
		return &move.Violates{Point: r.Point(), Fact: r.ID("F", r.State.Facts.Len()), Words: r.Text()}
	case move.KindWithdraw:
		switch rapid.IntRange(0, 3).Draw(r.T, "withdrawn") {
		case 0:
			return &move.Withdraw{Evidence: r.item(), Reason: r.Text()}
		case 1:
			return &move.Withdraw{Challenge: r.Challenge(), Reason: r.Text()}
		case 2:
			return &move.Withdraw{Point: r.Point(), Fact: r.ID("F", r.State.Facts.Len())}
		}
		return &move.Withdraw{Point: r.Point(), Reason: r.Text()}
	case move.KindBlocked:
		return &move.Blocked{
			Challenge: r.Challenge(), Point: r.Point(), Measurement: r.Text(),
			Threshold: r.Text(), Below: r.Text(), Above: r.Text(),
		}
	case move.KindClarify:
		return &move.Clarify{
			Point: r.Point(), Text: r.Text(), Term: rapid.SampledFrom([]string{"", "alpha"}).Draw(r.T, "term"),
		}
	case move.KindScore:
		return &move.Score{Point: r.Point(), Confidence: *r.Confidence(), Cause: r.Text()}
	case consult.MoveSteelman:
		return &consult.Steelman{
			Point: r.Point(), Objection: r.Text(),
			Grade: rapid.SampledFrom(state.StressGrades()).Draw(r.T, "grade"),
		}
	case move.KindFlag:
		return &move.Flag{
			Flag: rapid.SampledFrom(move.FlagKinds()).Draw(r.T, "flag kind"), Text: r.Text(), Point: r.Point(),
		}
	}
	r.Fatalf("no random %s", kind)
	return nil
}

// userMove draws what the user does.
func (r *Session) userMove() protocol.UserMove {
	switch rapid.IntRange(0, 10).Draw(r.T, "override") {
	case 0, 1:
		return claims.RuleOn{
			Point: r.Point(), What: rapid.SampledFrom(state.OverrideKinds()).Draw(r.T, "what"),
			Reason: r.Text(),
		}
	case 2:
		return protocol.RecordFact{
			Text:       r.Text(),
			Supersedes: rapid.SampledFrom([]string{"", r.ID("F", r.State.Facts.Len())}).Draw(r.T, "supersedes"),
		}
	case 3:
		return claims.ChallengePoint{Point: r.Point(), Objection: r.Text(), Class: state.Reject}
	case 4:
		return claims.AnswerChallenge{Challenge: r.Challenge(), Text: r.Text()}
	case 5:
		return claims.SupplyEvidence{
			Point: r.Point(), Text: r.Text(),
			Relation: rapid.SampledFrom(ledger.Relations()).Draw(r.T, "user relation"),
		}
	case 6:
		return protocol.AnswerQuestion{
			Question: r.ID("Q", r.State.Questions.Len()),
			Answer:   r.UserAnswer(),
		}
	case 7:
		return claims.SetKind{Point: r.Point(), Kind: rapid.SampledFrom(state.Kinds()).Draw(r.T, "point kind")}
	case 8:
		return claims.ConcedePoint{Point: r.Point()}
	case 9:
		return claims.WeighEvidence{Evidence: r.item(), Accept: rapid.Bool().Draw(r.T, "accepts")}
	}
	return claims.SetPriority{Points: []string{r.Point(), r.Point()}}
}

// UserAnswer draws what the user answers to a question.
func (r *Session) UserAnswer() string {
	return rapid.SampledFrom([]string{
		"yes", "no", "1", "2", "3", "4", "5", "consent", "refuse", "P1 P2", "supports: seen", "stop", "once",
		"always", "never", "close",
	}).Draw(r.T, "answer")
}

// WronglyStopped says which point is called ill-formed too often (AC12), is a matter of definitions that nobody raised
// (EX8), or has a challenge that its author never had a turn to answer when nothing more is asked (CH3b), or "".
func WronglyStopped(s *state.State) string {
	for _, p := range s.Points.All() {
		illFormed := map[state.Seat]map[int]bool{}
		for _, c := range p.Classes {
			if c.Class == state.IllFormed && c.Seq > p.Reopened {
				if illFormed[c.Seat] == nil {
					illFormed[c.Seat] = map[int]bool{}
				}
				illFormed[c.Seat][c.Round] = true
			}
		}
		for seat, rounds := range illFormed {
			if len(rounds) > 2 {
				return fmt.Sprintf("AC12: %s called %s ill-formed in %d rounds", seat, p.ID, len(rounds))
			}
		}
		raised := len(illFormed) > 0 || slices.ContainsFunc(p.Terms, func(d state.Definition) bool { return d.Term != "" })
		for form := s.Point(p.Revises); form != nil; form = s.Point(form.Revises) {
			raised = raised || len(form.Terms) > 0 ||
				slices.ContainsFunc(form.Classes, func(c state.Classification) bool { return c.Class == state.IllFormed })
		}
		if p.Deadlock == state.DeadlockDefinitional && !raised {
			return "EX8: no seat asked for terms of " + p.ID + " or gave any"
		}
		stopped := s.Exit == state.ExitConverged || s.Exit == state.ExitUnresolved || s.Exit == state.ExitTrivial
		if !stopped || s.Decided > 0 || p.MergedInto != "" || p.UserRuling != nil || p.Scope != state.InScope {
			continue
		}
		ruling, _ := resolver.RuleOne(s, p.ID)
		for _, id := range p.Challenges {
			c := s.Challenge(id)
			// One that was answered had its turn, also if the answer was rejected.
			// In the last round nobody is asked anymore. On a point that another rule dismissed it has ended.
			ended := ruling.Bucket == state.BucketDismissed && !slices.Contains(ruling.Reads, id)
			if c.Status == state.StandsOpen && len(c.Defenses) == 0 && s.Round < resolver.LastRound(s) && !ended &&
				!slices.ContainsFunc(p.Defenders(), func(seat state.Seat) bool { return s.LastTurn(seat) > c.Seq }) {
				return fmt.Sprintf("CH3b: the session ended (%s), and the author of %s had no turn to answer %s: %+v", s.Exit, p.ID, id, *c)
			}
		}
	}
	return ""
}

// WronglyAgreed says which invariant a point breaks that is Agreed without the user's word, or "".
func WronglyAgreed(s *state.State, p *state.Point) string {
	judged := resolver.AllAuthors(s, p) || slices.ContainsFunc(p.Classes, func(c state.Classification) bool {
		return !p.IsAuthor(c.Seat)
	})
	firm := resolver.KindOf(s, p) != state.Empirical || slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := s.Item(id)
		return item.Relation == ledger.Supports && resolver.Counts(s, p, item) && item.Type != ledger.Claim
	})
	switch {
	case !judged:
		return "INV1: nobody else judged " + p.ID
	case !firm:
		return "INV3: no evidence that counts supports " + p.ID
	}
	for _, id := range p.Challenges {
		if c := s.Challenge(id); !c.Settled() || c.Status == state.StandsUndefended {
			return fmt.Sprintf("INV4: %s is %s", id, c.Status)
		}
	}
	for i := range p.Classes {
		seat := p.Classes[i].Seat
		if latest := p.Latest(seat); latest != nil && !p.IsAuthor(seat) &&
			(latest.Class == state.Reject || latest.Class == state.Skeptical) {
			return fmt.Sprintf("INV8: the last word of %s is %s", seat, latest.Class)
		}
	}
	return ""
}
