package rules_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"moot/agent/rules"
	"moot/agent/script"
	"moot/ledger"
	"moot/protocol"
	"moot/research"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

// corpus is a small repository that the search is tested with, too.
const corpus = "../search/testdata/corpus"

const question = "How often is a failed webhook delivery retried, and how long is the wait between attempts?"

// table is a session in a test.
type table struct {
	settings state.Settings
	question string
	seats    map[state.Seat]protocol.Participant
	extra    []state.Seat
}

func newTable(framing state.Framing, mode state.Mode) *table {
	both := ferry()
	return &table{
		question: question,
		settings: state.Settings{
			Format: state.FormatConsult, Framing: framing, Mode: mode, Nonce: "n", Workspace: corpus, Context: []state.Document{},
			Official: []string{},
			Input: state.Input{
				Options: []string{"keep the queue in Postgres", "retry webhook deliveries with exponential backoff"},
				Views: []state.View{
					{Name: "operations", Text: "webhook deliveries should be retried for a day"},
					{Name: "security", Text: "API tokens must be rotated"},
				},
				Position: "Failed webhook deliveries are retried for ever.",
				Design: "# Delivery\n\n1. A failed delivery is retried with exponential backoff.\n2. Leases expire after a while.\n" +
					"3. TODO: decide how long a webhook is retried.\n",
				DesignPath: "design.md",
			},
		},
		seats: map[state.Seat]protocol.Participant{state.Orchestrator: both, state.Consultee: both},
	}
}

func (b *table) sit(seat state.Seat, p protocol.Participant) *table {
	b.seats[seat] = p
	b.extra = append(b.extra, seat)
	return b
}

// run drives the session to its end and returns its last state.
func (b *table) run(t testing.TB) state.State {
	t.Helper()
	opened := &state.SessionOpened{Version: state.Version, ID: "s", Question: b.question, Settings: b.settings}
	for _, seat := range append([]state.Seat{state.Orchestrator, state.Consultee}, b.extra...) {
		known := false
		for _, a := range opened.Seats {
			known = known || a.Seat == seat
		}
		if p := b.seats[seat]; !known {
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: p.Name(), NoModel: p.Modelless()})
		}
	}
	log := &store.Memory{}
	at := time.Unix(1_700_000_000, 0).UTC()
	first := state.Event{Seq: 1, At: at, Data: opened}
	s, err := state.Apply(state.State{}, first)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append([]state.Event{first}); err != nil {
		t.Fatal(err)
	}
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	citation, err := research.OpenCitation(corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	r := protocol.NewRunner(protocol.Options{
		Format: protocol.FormatOf(b.settings.Format), State: s, Log: log, Participants: b.seats, Researcher: citation, Parser: parser,
		Now: func() time.Time { return at },
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.Run(ctx); err != nil {
		t.Fatalf("the session failed: %v\n%s", err, told(&r.State))
	}
	if !r.State.Closed || r.State.Exit == state.ExitNone {
		t.Fatalf("the session did not close: %s %s\n%s", r.State.Paused, r.State.PauseReason, told(&r.State))
	}
	for _, e := range log.Events() {
		if reply, ok := e.Data.(*state.ReplyReceived); ok && b.seats[reply.Seat].Name() == rules.Name {
			if !reply.Valid {
				t.Errorf("%s in %s gave no valid reply: %s", reply.Seat, reply.Stage, reply.Text)
			}
			for _, refused := range reply.Refused {
				t.Errorf("refused to %s in %s: %s: %s\n%s", reply.Seat, reply.Stage, refused.Code, refused.Text, reply.Text)
			}
		}
	}
	return r.State
}

// told tells how a session ended.
func told(s *state.State) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "round %d, exit %s (%s), inconclusive %v\n", s.Round, s.Exit, s.ExitReason, s.Inconclusive)
	for _, r := range resolver.Rule(*s) {
		p := s.Point(r.Point)
		fmt.Fprintf(b, "%s %v %s %s %s %s: %s\n    %s | %s\n", r.Point, p.Authors, r.Bucket, r.Tag, r.Status, r.Rule, p.Text, r.Reason, r.Crux)
	}
	for _, c := range s.Challenges.All() {
		fmt.Fprintf(b, "%s on %s by %s, %s: %s\n", c.ID, c.Point, c.By, c.Status, c.Objection)
		for _, d := range c.Defenses {
			fmt.Fprintf(b, "    %d %s: %s\n    -> %s %s\n", d.Round, d.By, d.Text, d.Judgment, d.Reason)
		}
	}
	for _, e := range s.Evidence.All() {
		fmt.Fprintf(b, "%s %s %s %s verified=%v direct=%v %q: %s\n", e.ID, e.Point, e.Relation, e.Reference, e.Verified, e.Direct, e.Excerpt, e.Reason)
	}
	for _, q := range s.Questions.All() {
		fmt.Fprintf(b, "%s %s: %s\n", q.ID, q.Kind, q.Text)
	}
	return b.String()
}

// TestRulesAlone is the promise to somebody with no model and no key: the
// session ends, and all that it agrees on is quoted and checked.
func TestRulesAlone(t *testing.T) {
	t.Parallel()
	for _, framing := range state.Framings() {
		for _, mode := range state.Modes() {
			t.Run(string(framing)+"/"+string(mode), func(t *testing.T) {
				t.Parallel()
				s := newTable(framing, mode).run(t)
				t.Log("\n" + told(&s))
				checkAgreed(t, &s)
			})
		}
	}
}

// checkAgreed demands that what rules agrees on rests on verified text.
func checkAgreed(t *testing.T, s *state.State) {
	t.Helper()
	for _, r := range resolver.Rule(*s) {
		if r.Bucket != state.BucketAgreed {
			continue
		}
		found := false
		for _, id := range s.Point(r.Point).Evidence {
			item := s.Item(id)
			found = found || item.Counts() && item.Relation == ledger.Supports && item.Type == ledger.Textual
		}
		if !found {
			t.Errorf("%s is agreed without a verified quotation:\n%s", r.Point, told(s))
		}
	}
}

func mustScript(t testing.TB, text string) *script.Script {
	t.Helper()
	s, err := script.Read(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
