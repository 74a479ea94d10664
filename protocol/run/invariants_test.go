package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// TestInvariants lets seats and the user move at random and looks at INV1 to
// INV7 after every event.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opened := &state.SessionOpened{
			Rules:   formats.ByName(state.FormatConsult),
			Version: state.Version, ID: "s", Question: "q",
			Settings: state.Settings{
				Format: state.FormatConsult, Nonce: "5eed",
				Framing:    rapid.SampledFrom(state.Framings()).Draw(t, "framing"),
				Mode:       rapid.SampledFrom(state.Modes()).Draw(t, "mode"),
				HighStakes: rapid.Bool().Draw(t, "stakes"),
				Attended:   rapid.Bool().Draw(t, "attended"),
				Workspace:  rapid.SampledFrom([]string{"", "/work"}).Draw(t, "workspace"),
				Input: state.Input{
					Design: "1. alpha holds\n2. beta holds", Position: "alpha holds",
					Options: []string{"alpha", "beta"},
					Views:   []state.View{{Name: "a", Text: "alpha"}, {Name: "b", Text: "beta"}},
				},
			},
			Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}, {Seat: state.Arbiter}},
		}
		if rapid.Bool().Draw(t, "second") {
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: "consultee-2"})
		}
		r := &randomSession{
			t: t, format: consult.Format{}, ruler: resolver.NewRuler(), tags: map[string]ledger.Tag{},
			leave: map[string]bool{},
		}
		r.append(opened)
		if rapid.Bool().Draw(t, "allow") {
			r.append(&state.CommandsAllowed{Patterns: []string{"go vet ..."}, By: state.User})
		}
		r.drive()
	})
}

// randomSession is a session whose seats move at random.
type randomSession struct {
	t      *rapid.T
	format protocol.Format
	ruler  func(state.State) []state.Ruling
	s      state.State
	tags   map[string]ledger.Tag
	// leave are the commands that may run, by their evidence.
	leave map[string]bool
	calls int
	// panel is set for panels only; council and hearing likewise for theirs.
	panel   *randomPanel
	council *randomCouncil
	hearing *randomHearing
	// events holds all events for the checks at the end.
	events []state.Event
}

// mostCalls is far above what 8 rounds can ask for.
const mostCalls = 200

func (r *randomSession) drive() {
	for steps := 0; !r.s.Closed; steps++ {
		if steps > 2000 || r.calls > mostCalls+r.panel.more()+r.council.more() {
			r.t.Fatalf("INV7: no end after %d steps and %d calls, round %d", steps, r.calls, r.s.Round)
		}
		if rapid.IntRange(0, 9).Draw(r.t, "user") == 0 {
			move := r.userMove()
			if r.panel != nil {
				move = r.panelUser(move)
			}
			if r.council != nil {
				move = r.councilUser(move)
			}
			if r.hearing != nil {
				move = r.hearing.user(r, move)
			}
			if events, err := protocol.AdmitUser(r.s, move); err == nil {
				r.append(events...)
			}
		}
		if r.s.Paused != state.PauseNone {
			r.append(&state.SessionResumed{Attended: r.s.Settings.Attended})
		}
		if r.s.Round > 0 && !r.s.Closed && rapid.IntRange(0, 29).Draw(r.t, "interrupted") == 0 {
			r.append(&state.SessionResumed{Attended: rapid.Bool().Draw(r.t, "attended from now on")})
		}
		turn := r.format.Next(r.s)
		switch {
		case turn.Close:
			rulings := resolver.Rule(r.s)
			r.append(&state.SessionClosed{
				Exit: r.s.Exit, Inconclusive: cameToNothing(&r.s, rulings),
				Digest: resolver.Digest(rulings),
			})
		case len(turn.Events) > 0:
			r.append(turn.Events...)
		case len(turn.Check) > 0:
			findings := make([]ledger.Finding, len(turn.Check))
			for i, id := range turn.Check {
				r.mayRun(id)
				findings[i] = finding(r.s.Item(id))
			}
			r.append(protocol.Found(r.s, turn.Check, findings)...)
		case len(turn.Asks) > 0:
			r.shown(turn.Asks)
			for _, ask := range turn.Asks {
				r.reply(ask)
			}
		case len(turn.Await) > 0:
			r.answer(turn.Await)
		default:
			r.t.Fatalf("the format knows no next turn in round %d", r.s.Round)
		}
	}
	if r.s.Round > state.MaxRounds {
		r.t.Fatalf("INV7: %d rounds", r.s.Round)
	}
	for _, ruling := range resolver.Rule(r.s) {
		if ruling.Bucket == state.BucketOpen {
			r.t.Fatalf("RD10: %s is still open at the end", ruling.Point)
		}
	}
}

func (r *randomSession) reply(ask protocol.Ask) {
	r.calls++
	if r.panel != nil && r.missing(ask) {
		return
	}
	if rapid.IntRange(0, 19).Draw(r.t, "format failure") == 0 {
		r.append(&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage})
		return
	}
	var moves []protocol.Move
	for range rapid.IntRange(0, 6).Draw(r.t, "moves") {
		kind := rapid.SampledFrom(ask.Moves).Draw(r.t, "kind")
		if r.council != nil {
			moves = append(moves, r.councilMove(kind))
			continue
		}
		if r.hearing != nil {
			moves = append(moves, r.hearing.move(r, ask, kind))
			continue
		}
		m := r.move(kind)
		if raised, ok := m.(*protocol.Raise); ok && r.panel != nil && raised.Text != "" &&
			rapid.Bool().Draw(r.t, "marked") {
			raised.Text += " " + mark(ask.Seat)
		}
		moves = append(moves, m)
	}
	admission := r.format.Admit(r.s, ask, moves)
	r.append(&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage, Valid: true, Refused: admission.Refused})
	r.append(admission.Events...)
}

// answer has the user answer one of the questions that the session waits for.
func (r *randomSession) answer(questions []string) {
	id := rapid.SampledFrom(questions).Draw(r.t, "awaited")
	answer := r.userAnswer()
	if r.s.QuestionByID(id).Kind == state.QuestionPriority {
		answer = "P1 P2"
	}
	if events, err := protocol.AdmitUser(r.s, protocol.AnswerQuestion{Question: id, Answer: answer}); err == nil {
		r.append(events...)
	}
}

// mayRun looks at a command that is about to run: an event allows it, and the
// session was not interrupted since.
func (r *randomSession) mayRun(id string) {
	if item := r.s.Item(id); ledger.IsCommand(item.Reference) && !r.leave[id] {
		r.t.Fatalf("%s (%s) runs without leave", id, item.Reference)
	}
}

// decided records command approvals from an event.
func (r *randomSession) decided(p state.Payload) {
	switch p := p.(type) {
	case *state.CommandApproved:
		r.leave[p.Evidence] = p.Decision.Allows()
		pattern := p.Decision == ledger.ApprovalPattern && len(r.s.AllowedCommands) > 0 &&
			strings.HasPrefix(p.Command, "go vet")
		ruled := p.Decision == ledger.ApprovalAlways && r.s.CommandRule(p.Command) == ledger.ApprovalAlways
		if p.By != state.User && !pattern && !ruled {
			r.t.Fatalf("code allows %s by itself: %+v", p.Command, p)
		}
	case *state.SessionResumed:
		clear(r.leave)
	}
}

func (r *randomSession) append(payloads ...state.Payload) {
	for _, p := range payloads {
		next, err := state.Apply(r.s, state.Event{Seq: r.s.Seq + 1, Data: p})
		if err != nil {
			r.t.Fatalf("apply %T: %v", p, err)
		}
		before := r.s
		r.s = next
		if r.panel != nil || r.council != nil || r.hearing != nil {
			r.events = append(r.events, state.Event{Seq: next.Seq, Data: p})
		}
		if r.council != nil {
			r.council.look(r, &before, p)
		}
		if r.hearing != nil {
			r.hearing.look(r, &before, p)
		}
		r.decided(p)
		r.check(&before, p)
	}
}

func (r *randomSession) check(before *state.State, p state.Payload) {
	if before.Seq > 0 && r.s.Question != before.Question {
		r.t.Fatal("INV2: the anchor changed")
	}
	if _, consent := p.(*state.AnchorShiftConsented); r.s.Reading != before.Reading && !consent {
		r.t.Fatal("INV2: another reading without the user's consent")
	}
	rulings, cached := resolver.Rule(r.s), r.ruler(r.s)
	if len(rulings) != r.s.Points.Len() || len(cached) != len(rulings) {
		r.t.Fatal("INV6: not one ruling per point")
	}
	checkMetrics(r.t, &r.s, rulings)
	for i := range rulings {
		if !rulings[i].Equal(&cached[i]) {
			r.t.Fatalf("INV6: the reused ruling of %s differs:\n%+v\n%+v", rulings[i].Point, rulings[i], cached[i])
		}
		if !slices.Contains(state.Buckets(), rulings[i].Bucket) || rulings[i].Rule == "" {
			r.t.Fatalf("INV6: %+v", rulings[i])
		}
		if rulings[i].Bucket == state.BucketUnresolved && (rulings[i].Status == "" || rulings[i].Crux == "") {
			r.t.Fatalf("no status or crux: %+v", rulings[i])
		}
		if rulings[i].Bucket == state.BucketAgreed && rulings[i].Tag != state.TagUser {
			if r.panel != nil {
				r.panelAgreed(r.s.Points.At(i), &rulings[i])
				continue
			}
			if r.council != nil {
				r.checkCouncilAgreed(r.s.Points.At(i), &rulings[i])
				continue
			}
			if r.hearing != nil {
				// The judge decides, by arithmetic.
				continue
			}
			r.agreed(r.s.Points.At(i), &rulings[i])
		}
	}
	r.facts()
}

// agreed looks at a point that is Agreed without the user's word.
func (r *randomSession) agreed(p *state.Point, ruling *state.Ruling) {
	judged := slices.ContainsFunc(p.Classes, func(c state.Classification) bool {
		return len(p.Authors) > 1 || !p.IsAuthor(c.Seat)
	})
	if !judged {
		r.t.Fatalf("INV1: %s is Agreed and nobody else judged it: %+v", p.ID, ruling)
	}
	firm, decisive := false, false
	for _, id := range p.Evidence {
		if item := r.s.Item(id); item.Relation == ledger.Supports {
			firm = firm || item.Counts() && item.Type != ledger.Claim
			decisive = decisive || item.Decisive()
		}
	}
	if !firm && !resolver.IsValue(&r.s, p) {
		r.t.Fatalf("INV3: %s is empirical and Agreed without verified evidence: %+v", p.ID, ruling)
	}
	for _, id := range p.Challenges {
		c := r.s.Challenge(id)
		last := c.Last()
		switch {
		case c.Status == state.StandsConceded:
		case c.Status != state.StandsDefended || last == nil || last.Judgment == state.Unjudged:
			r.t.Fatalf("INV4: %s is Agreed while %s is %s", p.ID, id, c.Status)
		case last.Judgment == state.Rejected && !decisive:
			r.t.Fatalf("INV4: %s is Agreed against a rejected defense of %s", p.ID, id)
		}
	}
}

// facts looks at INV5: no tag changes in place, and none is superseded by a
// weaker one.
func (r *randomSession) facts() {
	for _, f := range r.s.Facts.All() {
		if tag, known := r.tags[f.ID]; known && tag != f.Tag {
			r.t.Fatalf("INV5: the tag of %s rose from %s to %s", f.ID, tag, f.Tag)
		}
		r.tags[f.ID] = f.Tag
		if old := r.s.Fact(f.Supersedes); old != nil && !ledger.MaySupersede(f.Tag, old.Tag) {
			r.t.Fatalf("LE3: %s (%s) supersedes %s (%s)", f.ID, f.Tag, old.ID, old.Tag)
		}
	}
}

// id draws an id, mostly of something that exists.
func (r *randomSession) id(prefix string, n int) string {
	return fmt.Sprintf("%s%d", prefix, rapid.IntRange(1, max(2, n+1)).Draw(r.t, prefix))
}

func (r *randomSession) point() string { return r.id("P", r.s.Points.Len()) }

func (r *randomSession) challenge() string { return r.id("C", r.s.Challenges.Len()) }

func (r *randomSession) text() string {
	return rapid.SampledFrom([]string{
		"alpha holds", "alpha does not hold", "beta holds", "the cache is safe", "the cache is unsafe", "no flaw",
		"gamma holds in `x`", "I agree", "Revising from AGREE to REJECT because E1", "", "It is old. It is wrong.",
		"delta",
	}).Draw(r.t, "text")
}

func (r *randomSession) citations() []protocol.Citation {
	var cited []protocol.Citation
	for range rapid.IntRange(0, 2).Draw(r.t, "citations") {
		if rapid.IntRange(0, 3).Draw(r.t, "a command") == 0 {
			cited = append(cited, protocol.Citation{
				Reference: rapid.SampledFrom([]string{"$ go vet ./...", "$ bad idea", "$ go test | tee"}).Draw(r.t,
					"command"),
				Quote: rapid.SampledFrom([]string{"exit 0", "exit 1", "it works"}).Draw(r.t, "expected"),
				Relation: rapid.SampledFrom([]ledger.Relation{
					"", ledger.Supports, ledger.Refutes,
					ledger.Neutral,
				}).Draw(r.t, "relation"),
			})
			continue
		}
		cited = append(cited, protocol.Citation{
			Reference: rapid.SampledFrom([]string{"a/a.go:1", "bad/b.go:2", "run/c", "official/d.md:3"}).Draw(r.t,
				"reference"),
			Quote: rapid.SampledFrom([]string{"alpha", "beta"}).Draw(r.t, "quote"),
			Relation: rapid.SampledFrom([]ledger.Relation{
				"", ledger.Supports, ledger.Refutes,
				ledger.Neutral,
			}).Draw(r.t, "relation"),
			Direct: rapid.Bool().Draw(r.t, "direct"),
		})
	}
	return cited
}

func (r *randomSession) confidence() *float64 {
	v := rapid.Float64Range(0, 1).Draw(r.t, "confidence")
	return &v
}
