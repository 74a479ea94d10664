package rules_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/agent/rules"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

func rulingOf(t *testing.T, s *state.State, id string) state.Ruling {
	t.Helper()
	for _, r := range resolver.Rule(*s) {
		if r.Point == id {
			return r
		}
	}
	t.Fatalf("there is no %s", id)
	return state.Ruling{}
}

func expect(t *testing.T, s *state.State, id string, bucket state.Bucket, word string) {
	t.Helper()
	if r := rulingOf(t, s, id); r.Bucket != bucket || string(r.Tag) != word && string(r.Status) != word {
		t.Errorf("%s is %s %s %s, not %s %s\n%s", id, r.Bucket, r.Tag, r.Status, bucket, word, told(s))
	}
}

func TestPointsBearOnTheQuestion(t *testing.T) {
	t.Parallel()
	s := newTable(state.FramingPropose, state.ModeStandard).run(t)
	if n := s.Points.Len(); n < 3 || n > 7 {
		t.Errorf("%d points", n)
	}
	asked := []string{"retr", "tried again", "attempt", "backoff", "webhook", "deliver", "wait", "fail"}
	for _, p := range s.Points.All() {
		if !slices.ContainsFunc(asked, func(w string) bool { return strings.Contains(strings.ToLower(p.Text), w) }) {
			t.Errorf("%s has no word of the question: %s", p.ID, p.Text)
		}
		expect(t, &s, p.ID, state.BucketAgreed, "textual")
	}
	if s.Map.Shape == "" || s.Exit != state.ExitConverged {
		t.Errorf("the map is %+v, the exit %s", s.Map, s.Exit)
	}
}

// Where nothing bears on the question the session says so and ends
// inconclusive, with what would settle it; that is no failure.
func TestNothingFound(t *testing.T) {
	t.Parallel()
	for _, mode := range state.Modes() {
		b := newTable(state.FramingPropose, mode)
		b.question = "Which zeppelin anchors the marmalade festival?"
		s := b.run(t)
		if !s.Inconclusive || s.Exit == state.ExitQuality || s.Points.Len() != 1 {
			t.Errorf("%s: inconclusive %v, exit %s\n%s", mode, s.Inconclusive, s.Exit, told(&s))
		}
		expect(t, &s, "P1", state.BucketUnresolved, "blocked")
		if text := s.Point("P1").Text; !strings.Contains(text, "zeppelin") || !strings.Contains(text, "files searched") {
			t.Errorf("the finding does not say what was sought where: %s", text)
		}
	}
}

func TestWithoutWorkspace(t *testing.T) {
	t.Parallel()
	b := newTable(state.FramingPropose, state.ModeStandard)
	none := rules.New(rules.Options{})
	b.sit(state.Orchestrator, none).sit(state.Consultee, none)
	s := b.run(t)
	if !s.Inconclusive || !strings.Contains(s.Point("P1").Text, "neither a workspace nor a context") {
		t.Error(told(&s))
	}
}

// A context file is quoted, too: here one that the workspace holds as well.
func TestContextIsQuoted(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(corpus, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	b := newTable(state.FramingPropose, state.ModeStandard)
	b.question = "When do leases expire?"
	b.sit(state.Consultee, rules.New(rules.Options{Context: []state.Document{{Path: "docs/operations.md", Text: string(text)}}}))
	s := b.run(t)
	if !strings.HasPrefix(s.Point("P1").Text, "docs/operations.md:") {
		t.Error(told(&s))
	}
	expect(t, &s, "P1", state.BucketAgreed, "textual")
}

func TestMissingWorkspaceIsTold(t *testing.T) {
	t.Parallel()
	gone := rules.New(rules.Options{Workspace: filepath.Join(t.TempDir(), "gone")})
	reply, err := gone.Reply(context.Background(), protocol.Call{
		Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose, Moves: protocol.MoveKinds()}, State: state.State{Question: question},
	}, nil)
	if err != nil || len(reply.Notes) != 1 || !strings.Contains(reply.Notes[0], "gone") || !strings.Contains(reply.Text, "RAISE") {
		t.Errorf("%+v %v", reply, err)
	}
}

func TestSameStateSameReply(t *testing.T) {
	t.Parallel()
	call := protocol.Call{
		Ask:   protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose, Moves: protocol.MoveKinds()},
		State: state.State{Question: question},
	}
	first := ""
	for range 5 {
		reply, err := rules.New(rules.Options{Workspace: corpus}).Reply(context.Background(), call, nil)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = reply.Text
		}
		if reply.Text != first {
			t.Errorf("%s\nis not\n%s", reply.Text, first)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := rules.New(rules.Options{Workspace: corpus}).Reply(ctx, protocol.Call{
		Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose, Moves: protocol.MoveKinds()}, State: state.State{Question: question},
	}, nil)
	if err != context.Canceled { //nolint:errorlint // the context's own error, unwrapped
		t.Errorf("the error is %v", err)
	}
}

// The skeptic takes what is cited and stands, and nothing else: a made-up
// quotation, a quotation beside the point and a bare claim are asked for
// evidence, and what is not answered is dismissed by procedure.
func TestSkepticJudgesByEvidence(t *testing.T) {
	t.Parallel()
	b := newTable(state.FramingPropose, state.ModeStandard)
	b.sit(state.Consultee, mustScript(t, `--- consultee/propose
{"moves":[
{"move":"RAISE","text":"A job is tried again after backoff.Delay","citations":[{"reference":"internal/queue/transition.go:46","quote":"j.RunAt = now.Add(backoff.Delay(j.Attempt))"}]},
{"move":"RAISE","text":"Deliveries are sent over carrier pigeon","citations":[{"reference":"internal/queue/transition.go:46","quote":"pigeon.Send(job)"}]},
{"move":"RAISE","text":"Postgres is slow","citations":[{"reference":"internal/backoff/backoff.go:2","quote":"package backoff"}]},
{"move":"RAISE","text":"The scheduler runs every minute"}]}
`))
	s := b.run(t)
	expect(t, &s, "P1", state.BucketAgreed, "textual")
	for _, id := range []string{"P2", "P3", "P4"} {
		expect(t, &s, id, state.BucketDismissed, "UNDEFENDED")
	}
	for i, want := range []string{"was refused", "shares no word", "no evidence is cited"} {
		if c := s.Challenge(state.NextID('C', i)); c == nil || !strings.Contains(c.Objection, want) {
			t.Errorf("challenge %d does not say %q\n%s", i+1, want, told(&s))
		}
	}
}

func TestDefenseWithEvidenceIsAccepted(t *testing.T) {
	t.Parallel()
	b := newTable(state.FramingPropose, state.ModeStandard)
	b.sit(state.Consultee, mustScript(t, `--- propose
{"moves":[{"move":"RAISE","text":"A job is tried again after a delay"},{"move":"RAISE","text":"The moon is a backoff"}]}
--- answer
{"moves":[
{"move":"DEFEND","challenge":"C1","text":"it is set here","citations":[{"reference":"internal/queue/transition.go:46","quote":"j.RunAt = now.Add(backoff.Delay(j.Attempt))"}]},
{"move":"DEFEND","challenge":"C2","text":"everybody knows that it is"}]}
--- answer
{"moves":[{"move":"DEFEND","challenge":"C2","text":"as was said before, nobody has ever doubted that"}]}
`))
	s := b.run(t)
	expect(t, &s, "P1", state.BucketAgreed, "textual")
	if r := rulingOf(t, &s, "P2"); r.Bucket != state.BucketUnresolved {
		t.Error(told(&s))
	}
}

// Value judgments are left to the user: Unresolved as a tradeoff, with a
// question, whatever the consultee says.
func TestValueJudgmentsAreTheUsers(t *testing.T) {
	t.Parallel()
	b := newTable(state.FramingPropose, state.ModeStandard)
	b.sit(state.Consultee, mustScript(t, `--- propose
{"moves":[{"move":"RAISE","text":"A simple design is nicer than a fast one","value_judgment":true}]}
--- answer
Re C1: simple code is read more often than it runs
--- answer
Re C1: a team of two keeps what it understands
`))
	s := b.run(t)
	expect(t, &s, "P1", state.BucketUnresolved, "tradeoff")
	if q := s.QuestionByID("Q1"); q == nil || q.Kind != state.QuestionTradeoff {
		t.Error(told(&s))
	}
}

// A step that cites its own evidence is checked; one that the files say word
// for word is found; one that they do not say ends Unresolved, not lost.
func TestVerifyChecksTheStepsOwnCitations(t *testing.T) {
	t.Parallel()
	b := newTable(state.FramingVerify, state.ModeStandard)
	b.settings.Input.Design = `1. Delays grow: internal/queue/transition.go:46 "j.RunAt = now.Add(backoff.Delay(j.Attempt))"
2. Pigeons: internal/queue/transition.go:46 "pigeon.Send(job)"
3. Ferry is a small job queue that keeps its jobs in PostgreSQL
4. Ferry is not a small job queue that keeps its jobs in PostgreSQL
5. Ferry forgets everything at midnight
`
	s := b.run(t)
	expect(t, &s, "P1", state.BucketAgreed, "textual")
	expect(t, &s, "P3", state.BucketAgreed, "textual")
	for _, id := range []string{"P2", "P4", "P5"} {
		if r := rulingOf(t, &s, id); r.Bucket != state.BucketUnresolved || r.Crux == "" {
			t.Errorf("%s is %s\n%s", id, r.Bucket, told(&s))
		}
	}
}

// Nasty counterparts: the session ends all the same, and nothing is agreed that
// has no verified quotation.
func TestNastyCounterparts(t *testing.T) {
	t.Parallel()
	yields := strings.Repeat("---\nAGREE: P1 the ground is solid\nAGREE: P2 so is this\nI concede C1\nI concede C2\nACCEPT C1: it shows it\n", 40)
	never := strings.Repeat("---\nREJECT: P1: it is false. Kind: empirical. Grounds: I know it. Why: nothing else fits\nREJECTED C1: no\nRe C1: I stay with it\n", 40)
	repeats := strings.Repeat("---\n1. The queue loses jobs\n2. The queue loses jobs at night\nRe C1: the queue loses jobs, as I said\nSKEPTICAL: P1: it is vague. Upgrade if: it is not\n", 40)
	for name, text := range map[string]string{"silent": "---\n", "yields": yields, "never yields": never, "repeats": repeats} {
		for _, seat := range []state.Seat{state.Orchestrator, state.Consultee} {
			for _, framing := range state.Framings() {
				t.Run(name+" "+string(seat)+" "+string(framing), func(t *testing.T) {
					t.Parallel()
					s := newTable(framing, state.ModeStandard).sit(seat, mustScript(t, text)).run(t)
					checkAgreed(t, &s)
				})
			}
		}
	}
}

// The arbiter doubts what rests on little, and nothing else.
func TestArbiterDoubts(t *testing.T) {
	t.Parallel()
	b := newTable(state.FramingPropose, state.ModeStandard)
	b.settings.Arbitration = true
	b.sit(state.Arbiter, blind())
	s := b.run(t)
	if !s.Arbitrated || len(s.Flags) != 0 {
		t.Errorf("plain quotations are doubted: %+v\n%s", s.Flags, told(&s))
	}
	b = newTable(state.FramingPropose, state.ModeStandard)
	b.settings.Arbitration = true
	b.sit(state.Arbiter, blind())
	b.sit(state.Consultee, mustScript(t, `--- propose
{"moves":[{"move":"RAISE","text":"Retries can overload a receiver because the delay has no floor","citations":[{"reference":"internal/queue/transition.go:46","quote":"backoff.Delay(j.Attempt)","relation":"supports"}]}]}
`))
	s = b.run(t)
	if len(s.Flags) != 1 || s.Flags[0].Point != "P1" {
		t.Errorf("%+v\n%s", s.Flags, told(&s))
	}
}
