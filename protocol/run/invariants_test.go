package run

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// TestInvariants lets seats and the user move at random in every format. It checks INV1 to INV8
// after every event and recomputes and replays the record at the end.
func TestInvariants(t *testing.T) {
	t.Parallel()
	randomly(t, false, func(r *randomSession) {
		r.ended(r)
		r.recomputed()
	})
}

// randomly runs random sessions of each format to their end, and checks what ended. Only with quick, the invariants are
// not checked after each event.
func randomly(t *testing.T, quick bool, check func(r *randomSession)) {
	t.Helper()
	for name, open := range map[state.Format]func(*rapid.T) (*state.SessionOpened, randomSeats){
		consult.Name: randomConsult, dialectic.Name: randomDialectic, panel.Name: randomPanel,
		council.Name: randomCouncil, hearing.Name: randomHearing,
	} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				opened, seats := open(rt)
				opened.Settings.Attended = rapid.Bool().Draw(rt, "attended")
				r := &randomSession{
					T: rt, randomSeats: seats, s: &state.State{}, tags: map[string]ledger.Tag{},
					allowed: map[string]bool{}, quick: quick,
				}
				r.append(opened)
				if opened.Settings.Format == hearing.Name {
					r.append(state.PacketEvents(protocoltest.Packet(t, 9))...)
				} else if rapid.Bool().Draw(rt, "allow") {
					r.append(&state.CommandsAllowed{Patterns: []string{"go vet ..."}, By: state.User})
				}
				r.drive()
				check(r)
			})
		})
	}
}

// randomSeats is the part of the random sessions that differs between formats.
type randomSeats interface {
	// asked looks at what seats are about to be asked, and records their prompts.
	asked(r *randomSession, asks []protocol.Ask)
	// applied checks an event against the state before it.
	applied(r *randomSession, before *state.State, p state.Payload)
	// agreed checks a point that is Agreed without an override.
	agreed(r *randomSession, p *state.Point, ruling *state.Ruling)
	// move draws a move of a seat.
	move(r *randomSession, ask protocol.Ask, kind protocol.MoveKind) protocol.Move
	// override draws a move of the user, or returns the one that was drawn.
	override(r *randomSession, other protocol.UserMove) protocol.UserMove
	// ended checks how a session ended.
	ended(r *randomSession)
}

// randomConsultation is the part of a consultation, and the defaults of the others.
type randomConsultation struct{}

func randomConsult(t *rapid.T) (*state.SessionOpened, randomSeats) {
	o := protocoltest.Opened(consult.Name)
	o.Settings.Framing = rapid.SampledFrom(state.Framings()).Draw(t, "framing")
	o.Settings.Mode = rapid.SampledFrom(state.Modes()).Draw(t, "mode")
	o.Settings.HighStakes = rapid.Bool().Draw(t, "stakes")
	o.Settings.Workspace = rapid.SampledFrom([]string{"", "/work"}).Draw(t, "workspace")
	o.Settings.Input = state.Input{
		Design: "1. alpha holds\n2. beta holds", Position: "alpha holds", Options: []string{"alpha", "beta"},
		Views: []state.View{{Name: "a", Text: "alpha"}, {Name: "b", Text: "beta"}},
	}
	o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Arbiter})
	if rapid.Bool().Draw(t, "second") {
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: "consultee-2"})
	}
	return o, randomConsultation{}
}

// asked checks that no seat of a consultation is asked about a challenge that has ended (CH), and the user about no point
// that is closed.
func (randomConsultation) asked(r *randomSession, asks []protocol.Ask) {
	if r.quick || r.s.Settings.Format != consult.Name {
		return
	}
	for _, q := range r.s.Questions.All() {
		aside := strings.HasPrefix(q.About, protocol.AboutRun) || q.Kind == state.QuestionAnchorShift
		if !q.Answered && !aside && r.closed(q.Point) {
			r.Fatalf("%s still asks the user about %s, which is closed: %s", q.ID, q.Point, q.Text)
		}
	}
	rulings := resolver.Rule(r.s)
	for _, ask := range asks {
		due := protocol.DueOf(r.s, ask)
		for _, id := range slices.Concat(due.Answer, due.Judge) {
			if c := r.s.Challenge(id); resolver.StatusOf(r.s, rulings, c) == state.StandsEnded {
				r.Fatalf("CH: the %s is asked about %s, which ended with %s: %+v", ask.Seat, id, c.Point,
					resolver.RulingOn(rulings, c.Point))
			}
		}
	}
}

func (randomConsultation) applied(r *randomSession, before *state.State, p state.Payload) {
	switch p := p.(type) {
	case *state.RoundStarted:
		heard := r.s.Settings.Format != consult.Name
		for i := len(r.events) - 2; i >= 0 && !heard; i-- {
			if _, started := r.events[i].Data.(*state.RoundStarted); started {
				r.Fatalf("nobody was asked in round %d, and round %d starts", before.Round, p.Round)
			}
			_, heard = r.events[i].Data.(*state.ReplyReceived)
		}
	case *state.QuestionSurfaced:
		if r.s.Settings.Format == consult.Name && r.closed(p.Point) && !strings.HasPrefix(p.About, protocol.AboutRun) {
			r.Fatalf("the user is asked about %s, which is closed: %s", p.Point, p.Text)
		}
	}
	if _, ends := p.(*state.ExitReached); r.s.Over() && (!ends || before.Over()) {
		return // The user may still challenge a point after the exit, and no seat is asked.
	}
	if wrong := wronglyStopped(r.s); wrong != "" {
		r.Fatal(wrong)
	}
}

// closed reports whether a point needs no word of the user: the user gave it, the point was replaced or given up, or it
// was not defended.
func (r *randomSession) closed(point string) bool {
	p := r.s.Live(point)
	if p == nil {
		return false
	}
	ruling := resolver.RulingOn(resolver.Rule(r.s), p.ID)
	return p.UserRuling != nil || slices.Contains([]string{"AC6", "AC7"}, ruling.Rule)
}

func (randomConsultation) move(r *randomSession, _ protocol.Ask, kind protocol.MoveKind) protocol.Move {
	return r.claimMove(kind)
}

func (randomConsultation) override(_ *randomSession, other protocol.UserMove) protocol.UserMove {
	return other
}

func (randomConsultation) ended(r *randomSession) {
	for _, ruling := range resolver.Rule(r.s) {
		if ruling.Bucket == state.BucketOpen {
			r.Fatalf("RD10: %s is still open at the end", ruling.Point)
		}
	}
}

// agreed looks at a point that is Agreed without the user's word.
func (randomConsultation) agreed(r *randomSession, p *state.Point, ruling *state.Ruling) {
	if wrong := wronglyAgreed(r.s, p); wrong != "" {
		r.Fatalf("%s: %+v", wrong, ruling)
	}
}

// randomSession is a session whose seats and user move at random.
type randomSession struct {
	*rapid.T
	randomSeats
	s    *state.State
	tags map[string]ledger.Tag
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

func (r *randomSession) drive() {
	for steps := 0; !r.s.Closed; steps++ {
		if steps > 2000 || r.calls > maxCalls {
			r.Fatalf("INV7: no end after %d steps and %d calls, round %d", steps, r.calls, r.s.Round)
		}
		if rapid.IntRange(0, 9).Draw(r.T, "user") == 0 {
			if events, err := protocol.AdmitUser(r.s, r.override(r, r.userMove())); err == nil {
				r.append(events...)
			}
		}
		if r.s.Paused != state.PauseNone {
			if waiting := r.waiting(); len(waiting) > 0 {
				r.answer(waiting)
			}
			r.append(&state.SessionResumed{Attended: r.s.Settings.Attended})
		}
		if r.s.Round > 0 && !r.s.Closed && rapid.IntRange(0, 29).Draw(r.T, "interrupted") == 0 {
			r.append(&state.SessionResumed{Attended: rapid.Bool().Draw(r.T, "attended from now on")})
		}
		turn := protocol.Of(r.s).Next(r.s)
		switch {
		case turn.Close:
			r.append(protocol.Closing(r.s, turn.Exit))
		case len(turn.Events) > 0:
			r.append(turn.Events...)
		case len(turn.Check) > 0:
			findings := make([]ledger.Finding, len(turn.Check))
			for i, id := range turn.Check {
				item := r.s.Item(id)
				if ledger.IsCommand(item.Reference) && !r.allowed[id] {
					r.Fatalf("%s (%s) runs without approval", id, item.Reference)
				}
				findings[i] = protocoltest.Finding(item)
			}
			r.append(protocol.AdmitFindings(r.s, turn.Check, findings)...)
		case len(turn.Asks) > 0:
			r.asked(r, turn.Asks)
			for _, ask := range turn.Asks {
				r.reply(ask)
			}
		case len(turn.Await) > 0:
			r.answer(turn.Await)
		default:
			r.Fatalf("the format knows no next turn in round %d", r.s.Round)
		}
	}
	if r.s.Round > state.MaxRounds {
		r.Fatalf("INV7: %d rounds", r.s.Round)
	}
	// AN3: what the user decides after the end is taken in without asking a seat, and the session is closed again.
	for range rapid.IntRange(0, 3).Draw(r.T, "decisions after the end") {
		events, next, err := Decide(r.s, r.override(r, r.userMove()), r.s.At)
		if err != nil {
			// A refusal is fine, but not an event that does not fit behind the end.
			if strings.Contains(err.Error(), "follow the end") || strings.Contains(err.Error(), "bug in moot") {
				r.Fatalf("after the end: %v", err)
			}
			continue
		}
		for i := range events {
			r.append(events[i].Data)
		}
		if !r.s.Closed || r.s.Seq != next.Seq {
			r.Fatalf("after the end: closed %v at %d, not %d", r.s.Closed, r.s.Seq, next.Seq)
		}
	}
}

// waiting are the ids of the open questions.
func (r *randomSession) waiting() (ids []string) {
	for _, q := range r.s.Questions.All() {
		if !q.Answered {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

func (r *randomSession) reply(ask protocol.Ask) {
	r.calls++
	if r.s.Settings.Format == panel.Name && r.missed < 6 && rapid.IntRange(0, 14).Draw(r.T, "missing") == 0 {
		r.missed++
		r.append(&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: "connection refused"})
		return
	}
	if set := &r.s.Settings; set.Format != panel.Name && set.Format != council.Name && set.Format != hearing.Name {
		r.append(&state.PromptSent{Seat: ask.Seat, Stage: ask.Stage})
	}
	if rapid.IntRange(0, 19).Draw(r.T, "format failure") == 0 {
		r.append(&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage}, &state.ReplyRefused{Seat: ask.Seat, Stage: ask.Stage})
		return
	}
	if !r.quick && rapid.IntRange(0, 3).Draw(r.T, "words alone") == 0 {
		r.anyOrder(ask)
	}
	var moves []protocol.Move
	for range rapid.IntRange(0, 6).Draw(r.T, "moves") {
		moves = append(moves, r.move(r, ask, rapid.SampledFrom(ask.Moves).Draw(r.T, "kind")))
	}
	admission := protocol.Of(r.s).Admit(r.s, ask, moves)
	r.append(&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage, Valid: true, Refused: admission.Refused})
	r.append(admission.Events...)
}

// anyOrder checks ST0 with a reply that only gives words on points (it names no premise, which is a point of its own) and is
// not recorded: it rules the same in both
// orders of its moves, and what it objects to is not Agreed, even if the same reply accepts and agrees.
func (r *randomSession) anyOrder(ask protocol.Ask) {
	if r.s.Settings.Format == hearing.Name || r.s.Settings.Format == dialectic.Name || ask.Stage == state.StageConclude {
		return
	}
	words := []protocol.MoveKind{
		protocol.MoveClassify, protocol.MoveChallenge, protocol.MoveJudge, protocol.MoveDefend, protocol.MoveConcede,
	}
	words = slices.DeleteFunc(words, func(k protocol.MoveKind) bool { return !slices.Contains(ask.Moves, k) })
	if len(words) == 0 {
		return
	}
	var moves []protocol.Move
	for range rapid.IntRange(2, 6).Draw(r.T, "words") {
		m := r.claimMove(rapid.SampledFrom(words).Draw(r.T, "word"))
		switch m := m.(type) {
		case *protocol.Classify:
			m.Kind, m.Needs, m.Citations, m.Confidence = "", nil, nil, nil
		case *protocol.Challenge:
			m.Citations = nil
		case *protocol.Defend:
			// A passage without an id is matched to what the moves before it left unanswered (CH4).
			m.Challenge, m.Needs, m.Citations = r.challenge(), nil, nil
		}
		moves = append(moves, m)
	}
	apply := func() (*state.State, []state.Ruling) {
		s, _, err := state.Extend(r.s, r.s.At, protocol.Of(r.s).Admit(r.s, ask, moves).Events...)
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
		if raised.By != ask.Seat || raised.Seq <= r.s.Seq || raised.Status != state.StandsOpen {
			continue
		}
		p := s.Live(raised.Point)
		if p.UserRuling == nil && one[state.Index(p.ID, 'P')].Bucket == state.BucketAgreed {
			r.Fatalf("INV8: %s is Agreed over %s of the same reply:\n%s", p.ID, raised.ID, shown(moves))
		}
	}
}

// shown prints moves for a failure.
func shown(moves []protocol.Move) string {
	var b strings.Builder
	for _, m := range moves {
		fmt.Fprintf(&b, "%s %+v\n", protocol.KindOf(m), m)
	}
	return b.String()
}

// answer has the user answer one of the questions that the session waits for.
func (r *randomSession) answer(questions []string) {
	id := rapid.SampledFrom(questions).Draw(r.T, "awaited")
	answer := r.userAnswer()
	if q := r.s.QuestionByID(id); q.Kind == state.QuestionPriority {
		answer = "P1 P2"
	} else if len(q.Options) > 0 && rapid.Bool().Draw(r.T, "an option") {
		answer = rapid.SampledFrom(q.Options).Draw(r.T, "option")
	}
	if events, err := protocol.AdmitUser(r.s, protocol.AnswerQuestion{Question: id, Answer: answer}); err == nil {
		r.append(events...)
	}
}

// decided records command approvals from an event.
func (r *randomSession) decided(p state.Payload) {
	switch p := p.(type) {
	case *state.CommandApproved:
		r.allowed[p.Evidence] = p.Decision.Allows()
		pattern := p.Decision == ledger.ApprovalPattern && len(r.s.AllowedCommands) > 0 &&
			strings.HasPrefix(p.Command, "go vet")
		ruled := p.Decision == ledger.ApprovalAlways && r.s.CommandRule(p.Command) == ledger.ApprovalAlways
		if p.By != state.User && !pattern && !ruled {
			r.Fatalf("code allows %s by itself: %+v", p.Command, p)
		}
	case *state.SessionResumed:
		clear(r.allowed)
	}
}

func (r *randomSession) append(payloads ...state.Payload) {
	for _, p := range payloads {
		event := state.Event{Seq: r.s.Seq + 1, Data: p}
		next, err := state.Apply(r.s, event)
		if err != nil {
			r.Fatalf("apply %T: %v", p, err)
		}
		before := r.s
		r.s, r.events = next, append(r.events, event)
		r.decided(p)
		if q, asked := p.(*state.QuestionSurfaced); asked {
			r.asking(q)
		}
		if !r.quick {
			r.applied(r, before, p)
			r.check(before, p)
		}
	}
}

func (r *randomSession) check(before *state.State, p state.Payload) {
	if before.Seq > 0 && r.s.Question != before.Question {
		r.Fatal("INV2: the anchor changed")
	}
	if _, consent := p.(*state.AnchorShiftConsented); r.s.Reading != before.Reading && !consent {
		r.Fatal("INV2: another reading without the user's consent")
	}
	rulings := resolver.Rule(r.s)
	if len(rulings) != r.s.Points.Len() {
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
			r.agreed(r, r.s.Points.At(i), &rulings[i])
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
func (r *randomSession) answered(p *state.AnswerGiven, rulings []state.Ruling) {
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
		for _, m := range resolver.Marks(r.s, rulings, one) {
			if rule := resolver.RulingOn(rulings, m.Point); m.Basis.Firm() && !m.Denied && rule.Bucket != state.BucketAgreed {
				r.Fatalf("AN2: the mark of %s in %+v is %s, and the point is %s", m.Point, one, m.Basis, rule.Bucket)
			}
			unmet := func(id string) bool {
				return resolver.RulingOn(rulings, r.s.Current(id).ID).Bucket != state.BucketAgreed
			}
			if p := r.s.Point(m.Point); m.Basis == resolver.BasisAgreed && m.Firm() && slices.ContainsFunc(p.Needs, unmet) {
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
func (r *randomSession) takenBack(rulings []state.Ruling) {
	if r.s.Closed || r.s.Decided > 0 || r.s.Seq%20 != 0 || r.s.Settings.Format == dialectic.Name {
		return
	}
	for _, item := range r.s.Evidence.All() {
		if item.AcceptedBy(string(state.Orchestrator)) || item.Contested() != nil {
			continue
		}
		s := r.s
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
func (r *randomSession) cleared(resolved *dialectic.RoundResolved) {
	for _, one := range resolved.Artifact.Resolutions {
		if item := r.s.Item(one.Decider); one.Outcome == gates.Cleared && item != nil && item.Contested() != nil {
			r.Fatalf("%s is cleared by %s, which is contested", one.Objection, item.ID)
		}
	}
}

// facts looks at INV5: no tag changes in place, and none is superseded by a
// weaker one.
func (r *randomSession) facts() {
	for _, f := range r.s.Facts.All() {
		if tag, known := r.tags[f.ID]; known && tag != f.Tag {
			r.Fatalf("INV5: the tag of %s rose from %s to %s", f.ID, tag, f.Tag)
		}
		r.tags[f.ID] = f.Tag
		if old := r.s.Fact(f.Supersedes); old != nil && !ledger.MaySupersede(f.Tag, old.Tag) {
			r.Fatalf("LE3: %s (%s) supersedes %s (%s)", f.ID, f.Tag, old.ID, old.Tag)
		}
	}
}

// checkMetrics checks the metrics after an event: shares are from 0 to 1, all figures are finite, and every live point
// has its figures.
func (r *randomSession) checkMetrics(rulings []state.Ruling) {
	s := r.s
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
func (r *randomSession) recomputed() {
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
		next := protocol.Of(r.s).Next(live)
		if len(next.Events) > 0 {
			continue
		}
		if here, there := fmt.Sprintf("%+v", next), fmt.Sprintf("%+v", protocol.Of(r.s).Next(again)); here != there {
			r.Fatalf("after event %d, %s:\n%s\nand replayed:\n%s", e.Seq, state.KindOf(e.Data), here, there)
		}
	}
	if here, there := resolver.Digest(resolver.Rule(r.s)), resolver.Digest(resolver.Rule(again)); here != there {
		r.Fatal("replayed, the rulings differ")
	}
}

// id draws an id, mostly of something that exists.
func (r *randomSession) id(prefix string, n int) string {
	return fmt.Sprintf("%s%d", prefix, rapid.IntRange(1, max(2, n+1)).Draw(r.T, prefix))
}

func (r *randomSession) point() string { return r.id("P", r.s.Points.Len()) }

func (r *randomSession) item() string { return r.id("E", r.s.Evidence.Len()) }

func (r *randomSession) challenge() string { return r.id("C", r.s.Challenges.Len()) }

func (r *randomSession) text() string {
	return rapid.SampledFrom([]string{
		"alpha holds", "alpha does not hold", "beta holds", "the cache is safe", "the cache is unsafe", "no flaw",
		"gamma holds in `x`", "I agree", "Revising from AGREE to REJECT because E1", "", "It is old. It is wrong.",
		"delta", "use alpha", "we should adopt beta", "let us note that gamma never fails",
	}).Draw(r.T, "text")
}

func (r *randomSession) citations() []protocol.Citation {
	var cited []protocol.Citation
	for range rapid.IntRange(0, 2).Draw(r.T, "citations") {
		if rapid.IntRange(0, 3).Draw(r.T, "a command") == 0 {
			cited = append(cited, protocol.Citation{
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
		cited = append(cited, protocol.Citation{
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

func (r *randomSession) confidence() *float64 {
	v := rapid.Float64Range(0, 1).Draw(r.T, "confidence")
	return &v
}

// claimMove draws a move of a consultation.
func (r *randomSession) claimMove(kind protocol.MoveKind) protocol.Move {
	flag := func() bool { return rapid.Bool().Draw(r.T, "flag") }
	class := func() state.Class { return rapid.SampledFrom(state.Classes()).Draw(r.T, "class") }
	kindOf := func() state.Kind { return rapid.SampledFrom(append(state.Kinds(), "")).Draw(r.T, "kind") }
	needs := func() []string {
		return rapid.SampledFrom([][]string{nil, {r.point()}, {r.text()}}).Draw(r.T, "needs")
	}
	switch kind { //nolint:exhaustive // those of a consultation
	case protocol.MoveRaise:
		return &protocol.Raise{
			Text: r.text(), Kind: kindOf(), Needs: needs(), Citations: r.citations(),
			Confidence: r.confidence(),
		}
	case protocol.MoveTriage:
		return &protocol.Triage{
			Point: r.point(), Scope: rapid.SampledFrom(state.Scopes()).Draw(r.T, "scope"),
			Other:       rapid.SampledFrom([]string{"", r.point()}).Draw(r.T, "other"),
			SameSubject: flag(), Opposed: flag(), Alike: flag(), Reason: r.text(),
		}
	case protocol.MoveMerge:
		return &protocol.Merge{Into: r.point(), From: []string{r.point(), r.point()}}
	case protocol.MoveClassify:
		return &protocol.Classify{
			Point: r.point(), Class: class(), Reason: r.text(), Flaw: r.text(), UpgradeIf: r.text(),
			FlawKind: state.Empirical,
			Grounds:  r.text(), WhyNotSkeptical: r.text(), Kind: kindOf(), Needs: needs(), Because: r.text(),
			Term: rapid.SampledFrom([]string{"", "alpha"}).Draw(r.T, "term"), Reading: r.text(), OtherReading: r.text(),
			Citations: r.citations(), Confidence: r.confidence(),
		}
	case protocol.MoveChallenge:
		return &protocol.Challenge{
			Point: r.point(), Class: class(), Flaw: r.text(), UpgradeIf: r.text(),
			Citations: r.citations(),
		}
	case protocol.MoveDefend:
		return &protocol.Defend{
			Challenge: rapid.SampledFrom([]string{"", r.challenge(), r.item()}).Draw(r.T, "defended"),
			Text:      r.text(), Needs: needs(), Citations: r.citations(),
		}
	case protocol.MoveConcede:
		return &protocol.Concede{Challenge: r.challenge(), Reason: r.text()}
	case protocol.MoveJudge:
		return &protocol.Judge{
			Challenge: r.challenge(), Judgment: rapid.SampledFrom(state.Judgments()).Draw(r.T, "judgment"),
			Reason: r.text(),
			Lift:   rapid.SampledFrom([]state.Class{"", state.Agree, state.Skeptical}).Draw(r.T, "lift"),
		}
	case protocol.MoveRevise:
		return &protocol.Revise{
			Point: r.point(), Text: r.text(), Challenge: r.challenge(), Because: r.text(),
			Citations: r.citations(),
		}
	case protocol.MoveCite:
		cited := append(r.citations(), protocol.Citation{Reference: "a/a.go:1", Quote: "alpha"})
		return &protocol.Cite{Point: r.point(), Citation: cited[0]}
	case protocol.MoveAccept:
		return &protocol.Accept{Evidence: r.item(), Reason: r.text()}
	case protocol.MoveContest:
		if r.s.Over() {
			return &protocol.Contest{Sentence: r.id("S", 3), Reason: r.text()}
		}
		return &protocol.Contest{Evidence: r.item(), Reason: r.text()}
	case protocol.MoveAnswer:
		return &protocol.Answer{Text: r.text(), Points: []string{r.point()}, Denies: rapid.SampledFrom([][]string{nil, {r.point()}}).Draw(r.T, "denies")}
	case protocol.MoveViolates:
		return &protocol.Violates{Point: r.point(), Fact: r.id("F", r.s.Facts.Len()), Words: r.text()}
	case protocol.MoveWithdraw:
		switch rapid.IntRange(0, 3).Draw(r.T, "withdrawn") {
		case 0:
			return &protocol.Withdraw{Evidence: r.item(), Reason: r.text()}
		case 1:
			return &protocol.Withdraw{Challenge: r.challenge(), Reason: r.text()}
		case 2:
			return &protocol.Withdraw{Point: r.point(), Fact: r.id("F", r.s.Facts.Len())}
		}
		return &protocol.Withdraw{Point: r.point(), Reason: r.text()}
	case protocol.MoveBlocked:
		return &protocol.Blocked{
			Challenge: r.challenge(), Point: r.point(), Measurement: r.text(),
			Threshold: r.text(), Below: r.text(), Above: r.text(),
		}
	case protocol.MoveClarify:
		return &protocol.Clarify{
			Point: r.point(), Text: r.text(), Term: rapid.SampledFrom([]string{"", "alpha"}).Draw(r.T, "term"),
		}
	case protocol.MoveScore:
		return &protocol.Score{Point: r.point(), Confidence: *r.confidence(), Cause: r.text()}
	case consult.MoveSteelman:
		return &consult.Steelman{
			Point: r.point(), Objection: r.text(),
			Grade: rapid.SampledFrom(state.StressGrades()).Draw(r.T, "grade"),
		}
	case protocol.MoveFlag:
		return &protocol.FlagMove{
			Flag: rapid.SampledFrom(protocol.FlagKinds()).Draw(r.T, "flag kind"), Text: r.text(), Point: r.point(),
		}
	}
	r.Fatalf("no random %s", kind)
	return nil
}

// userMove draws what the user does.
func (r *randomSession) userMove() protocol.UserMove {
	switch rapid.IntRange(0, 10).Draw(r.T, "override") {
	case 0, 1:
		return protocol.RuleOn{
			Point: r.point(), What: rapid.SampledFrom(state.OverrideKinds()).Draw(r.T, "what"),
			Reason: r.text(),
		}
	case 2:
		return protocol.RecordFact{
			Text:       r.text(),
			Supersedes: rapid.SampledFrom([]string{"", r.id("F", r.s.Facts.Len())}).Draw(r.T, "supersedes"),
		}
	case 3:
		return protocol.ChallengePoint{Point: r.point(), Objection: r.text(), Class: state.Reject}
	case 4:
		return protocol.AnswerChallenge{Challenge: r.challenge(), Text: r.text()}
	case 5:
		return protocol.SupplyEvidence{
			Point: r.point(), Text: r.text(),
			Relation: rapid.SampledFrom(ledger.Relations()).Draw(r.T, "user relation"),
		}
	case 6:
		return protocol.AnswerQuestion{
			Question: r.id("Q", r.s.Questions.Len()),
			Answer:   r.userAnswer(),
		}
	case 7:
		return protocol.SetKind{Point: r.point(), Kind: rapid.SampledFrom(state.Kinds()).Draw(r.T, "point kind")}
	case 8:
		return protocol.ConcedePoint{Point: r.point()}
	case 9:
		return protocol.WeighEvidence{Evidence: r.item(), Accept: rapid.Bool().Draw(r.T, "accepts")}
	}
	return protocol.SetPriority{Points: []string{r.point(), r.point()}}
}

func (r *randomSession) userAnswer() string {
	return rapid.SampledFrom([]string{
		"yes", "no", "1", "2", "3", "4", "5", "consent", "refuse", "P1 P2", "supports: seen", "stop", "once",
		"always", "never", "close",
	}).Draw(r.T, "answer")
}
