package rules_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"moot/agent/rules"
	"moot/agent/script"
	"moot/internal/redact"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/move"
	"moot/protocol/panel"
	"moot/protocol/reply"
	"moot/protocol/run"
	"moot/research"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

// corpus is a folder with the small repository that the search is tested with, too.
var corpus string

func TestMain(m *testing.M) { os.Exit(withCorpus(m.Run)) }

func withCorpus(run func() int) int {
	dir, err := os.MkdirTemp("", "moot-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	archive, err := txtar.ParseFile("../../workspace/testdata/corpus.txtar")
	if err == nil {
		err = txtar.Write(archive, dir)
	}
	if err != nil {
		panic(err)
	}
	corpus = dir
	return run()
}

const question = "How often is a failed webhook delivery retried, and how long is the wait between attempts?"

var theParser = sync.OnceValues(func() (*reply.Parser, error) { return reply.NewParser(formats.All()) })

// blind is a participant that reads nothing.
func blind() protocol.Participant { return rules.New(rules.Options{}) }

func reads(workspace string) protocol.Participant {
	return rules.New(rules.Options{Workspace: workspace})
}

func scripted(t testing.TB, text string) protocol.Participant {
	t.Helper()
	s, err := script.Read(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run drives a session until it ends or waits for the user, and checks that no move of
// rules was refused and that the record recomputes.
func runSession(t testing.TB, asked string, settings state.Settings, seats map[state.Seat]protocol.Participant) *state.State {
	t.Helper()
	settings.Nonce = "n"
	opened := &state.SessionOpened{Rules: formats.ByName(settings.Format), Version: state.Version, ID: "s", Question: asked, Settings: settings}
	for _, seat := range []state.Seat{state.Orchestrator, state.Consultee, dialectic.Proposer, dialectic.PressureTester} {
		if p := seats[seat]; p != nil {
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: p.Name(), NoModel: p.Modelless()})
		}
	}
	log, at := &eventLog{}, time.Unix(1_700_000_000, 0).UTC()
	first := state.Event{Seq: 1, At: at, Data: opened}
	s, err := state.Apply(&state.State{}, first)
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
	citation, err := research.OpenCitation(settings.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	r := run.New(run.Options{
		State: s, Log: log, Participants: seats, Parser: parser,
		Researcher: research.Checkers{List: []research.Checker{citation}, Redactor: redactor}, Now: func() time.Time { return at },
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := r.Run(ctx); err != nil {
		t.Fatal(err)
	}
	for _, e := range log.events {
		reply, ok := e.Data.(*state.ReplyReceived)
		if ok && seats[reply.Seat].Name() == rules.Name && (!reply.Valid || len(reply.Refused) > 0) {
			t.Errorf("refused to %s in %s: %v\n%s", reply.Seat, reply.Stage, reply.Refused, reply.Text)
		}
	}
	if _, err := run.Verify(parser, log.events); err != nil {
		t.Error(err)
	}
	return r.State
}

func consultation(framing state.Framing, mode state.Mode) state.Settings {
	return state.Settings{
		Format: consult.Name, Framing: framing, Mode: mode, Workspace: corpus,
		Input: state.Input{
			Options:  []string{"keep the queue in Postgres", "retry webhook deliveries with exponential backoff"},
			Views:    []state.View{{Name: "operations", Text: "webhook deliveries should be retried for a day"}, {Name: "security", Text: "API tokens must be rotated"}},
			Position: "Failed webhook deliveries are retried for ever.",
			Design: "# Delivery\n\n1. A failed delivery is retried with exponential backoff.\n2. Leases expire after a while.\n" +
				"3. TODO: decide how long a webhook is retried.\n",
			DesignPath: "design.md",
			Audit:      &state.Audit{Statements: []state.AuditedStatement{{Text: "Failed webhook deliveries are retried for ever.", Line: 1}}},
		},
	}
}

// With no model and no key every framing ends, and nothing is ever Agreed or Dismissed:
// what is quoted is found, and the rest is unverified (AC17, AC17b).
func TestRulesAlone(t *testing.T) {
	t.Parallel()
	for _, framing := range state.Framings() {
		for _, mode := range state.Modes() {
			t.Run(string(framing)+"/"+string(mode), func(t *testing.T) {
				t.Parallel()
				s := runSession(t, question, consultation(framing, mode), map[state.Seat]protocol.Participant{state.Orchestrator: reads(corpus), state.Consultee: reads(corpus)})
				if !s.Closed || s.Exit == state.ExitConverged || s.Challenges.Len() > 0 {
					t.Errorf("closed %t, exit %s (%s), %d challenges", s.Closed, s.Exit, s.ExitReason, s.Challenges.Len())
				}
				// A design of the user's is no passage: its steps stay unverified.
				found := framing == state.FramingCritique || framing == state.FramingRedteam
				for _, r := range resolver.Rule(s) {
					if r.Rule == "RD2" {
						continue
					}
					found = found || r.Status == state.StatusFound && r.Rule == "AC17b"
					if r.Bucket == state.BucketAgreed || r.Bucket == state.BucketDismissed {
						t.Errorf("%s is %s by %s: %s", r.Point, r.Bucket, r.Rule, s.Point(r.Point).Text)
					}
				}
				if framing == state.FramingAudit {
					// What code found of the places is the result.
					if s.Inconclusive {
						t.Error("the audit has no result")
					}
					return
				}
				if !found || s.Inconclusive == resolver.Found(s, resolver.Rule(s)) {
					t.Errorf("found %t, inconclusive %t", found, s.Inconclusive)
				}
			})
		}
	}
}

// If no passage fits, the session says so and is inconclusive (EX9).
func TestNothingFound(t *testing.T) {
	t.Parallel()
	for _, mode := range state.Modes() {
		both := reads(corpus)
		s := runSession(t, "Which zeppelin anchors the marmalade festival?", consultation(state.FramingPropose, mode),
			map[state.Seat]protocol.Participant{state.Orchestrator: both, state.Consultee: both})
		if !s.Inconclusive || s.Exit != state.ExitUnresolved || s.ExitReason != "nothing found that answers this" || s.Points.Len() != 0 {
			t.Errorf("%s: inconclusive %t, exit %s (%s), %d points", mode, s.Inconclusive, s.Exit, s.ExitReason, s.Points.Len())
		}
	}
}

// Facing a model, rules as orchestrator ask once for evidence and challenge nothing: a
// point with a verified passage is found, one without is unverified.
func TestCheckingOrchestrator(t *testing.T) {
	t.Parallel()
	model := scripted(t, `--- consultee/propose
{"moves":[
 {"move":"RAISE","text":"Deliveries wait longer after each attempt","citations":[{"reference":"internal/webhook/deliver.go:1","quote":"package webhook"}]},
 {"move":"RAISE","text":"The dashboard polls every second"},
 {"move":"RAISE","text":"Tokens never expire"}]}
--- consultee/answer
{"moves":[{"move":"CITE","point":"P2","reference":"internal/webhook/deliver.go:1","quote":"package webhook"}]}
--- consultee/coverage
{"moves":[]}
`)
	s := runSession(t, question, consultation(state.FramingPropose, state.ModeStandard),
		map[state.Seat]protocol.Participant{state.Orchestrator: reads(corpus), state.Consultee: model})
	want := map[string]string{"P1": "found AC17b", "P2": "found AC17b", "P3": "unverified AC17"}
	for _, r := range resolver.Rule(s) {
		if got := string(r.Status) + " " + r.Rule; got != want[r.Point] {
			t.Errorf("%s is %s %s (%s), not %s", r.Point, r.Bucket, got, r.Reason, want[r.Point])
		}
	}
	if s.Challenges.Len() != 0 || s.Requests.Len() != 2 || s.Round > 3 || s.Inconclusive {
		t.Errorf("%d challenges, %d requests, %d rounds, inconclusive %t", s.Challenges.Len(), s.Requests.Len(), s.Round, s.Inconclusive)
	}
}

// A model as orchestrator judges what rules found: what it accepts is Agreed, and what it
// doubts is conceded, since rules do not argue.
func TestConsulteeOfAModel(t *testing.T) {
	t.Parallel()
	model := scripted(t, `--- orchestrator/map
{"moves":[]}
--- orchestrator/evaluate
{"moves":[{"move":"CLASSIFY","point":"P1","class":"AGREE","reason":"the lines say so"},
 {"move":"CLASSIFY","point":"P2","class":"SKEPTICAL","flaw":"it is beside the question","upgrade_if":"it names the wait"}]}
--- orchestrator/evaluate
{"moves":[]}
--- orchestrator/judge
{"moves":[]}
`)
	s := runSession(t, question, consultation(state.FramingPropose, state.ModeStandard),
		map[state.Seat]protocol.Participant{state.Orchestrator: model, state.Consultee: reads(corpus)})
	want := map[string]string{"P1": "AC16", "P2": "AC6", "P3": "AC17b"}
	for _, r := range resolver.Rule(s) {
		if want[r.Point] != "" && r.Rule != want[r.Point] {
			t.Errorf("%s is %s by %s: %s", r.Point, r.Bucket, r.Rule, r.Reason)
		}
	}
	if !s.Closed || s.Inconclusive {
		t.Errorf("closed %t, inconclusive %t: %s", s.Closed, s.Inconclusive, s.PauseReason)
	}
}

// Context files are searched too, and passages with a secret are not quoted.
func TestContextAndSecrets(t *testing.T) {
	t.Parallel()
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	workspace := t.TempDir()
	notes := "# Notes\n\nThe flamingo pond is drained in winter.\nThe flamingo pond key is " + secret + "\n"
	if err := os.WriteFile(filepath.Join(workspace, "notes.md"), []byte(notes), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := consultation(state.FramingPropose, state.ModeStandard)
	settings.Workspace = workspace
	settings.Context = []state.Document{{Path: "notes.md", Text: notes}}
	for name, p := range map[string]protocol.Participant{"context": blind(), "workspace": reads(workspace)} {
		s := runSession(t, "When is the flamingo pond drained?", settings, map[state.Seat]protocol.Participant{state.Orchestrator: p, state.Consultee: p})
		if s.Points.Len() != 1 || !strings.Contains(s.Points.At(0).Text, "drained in winter") || strings.Contains(s.Points.At(0).Text, secret) {
			t.Errorf("%s: %d points", name, s.Points.Len())
		}
	}
}

// A passage is quoted once, though two searches of a framing find it, and the quote begins with the line that answers,
// however long the lines before it are.
func TestPassagesAreQuotedOnce(t *testing.T) {
	t.Parallel()
	workspace := t.TempDir()
	notes := strings.Repeat("A flock is what many people like to look at from the bridge. ", 5) +
		"\nThe keeper drains the flamingo pond in winter.\n"
	if err := os.WriteFile(filepath.Join(workspace, "notes.md"), []byte(notes), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := consultation(state.FramingPosition, state.ModeStandard)
	settings.Workspace, settings.Input.Position = workspace, "The keeper drains the pond in winter."
	both := reads(workspace)
	s := runSession(t, "When does the keeper drain the flamingo pond?", settings,
		map[state.Seat]protocol.Participant{state.Orchestrator: both, state.Consultee: both})
	var lines []string
	for _, p := range s.Points.All() {
		if strings.Contains(p.Text, "notes.md:") {
			lines = append(lines, p.Text)
		}
	}
	if len(lines) != 1 || !strings.Contains(lines[0], `says: "The keeper drains`) {
		t.Errorf("quoted %q", lines)
	}
}

// A question for an opinion finds nothing where the workspace only shares words with it (EX9).
func TestOpinionFindsNothing(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{
		"Should we move the webhook deliveries to Kafka?", "Ist Postgres besser als Kafka?", "应该把 webhook 换成 Kafka 吗？",
	} {
		both := reads(corpus)
		s := runSession(t, asked, consultation(state.FramingPropose, state.ModeQuick),
			map[state.Seat]protocol.Participant{state.Orchestrator: both, state.Consultee: both})
		if !s.Inconclusive || s.ExitReason != "nothing found that answers this" || s.Points.Len() != 0 {
			t.Errorf("%s: inconclusive %t (%s), %d points", asked, s.Inconclusive, s.ExitReason, s.Points.Len())
		}
	}
}

// The pressure-tester raises the playbook's patterns on the fields that name the file,
// with a citation, and names the flags that take a reader.
func TestPressureTester(t *testing.T) {
	t.Parallel()
	const diff = `diff --git a/store/lock.go b/store/lock.go
--- a/store/lock.go
+++ b/store/lock.go
@@ -2,5 +2,4 @@
 
 func Unlock(file *os.File) error {
-	if err := file.Close(); err != nil {
-		return err
-	}
+	client := &tls.Config{InsecureSkipVerify: true}
+	file.Close()
`
	book, err := playbook.BuiltIn("code-review")
	if err != nil {
		t.Fatal(err)
	}
	proposal := `--- proposer/propose
{"moves":[{"move":"PROPOSE","path":"change","value":"merge store/lock.go","category":"Factual","severity":"HIGH","grounded":false}]}
`
	for name, c := range map[string]struct {
		context []state.Document
		flags   []string
	}{
		"a diff":         {[]state.Document{{Path: "change.diff", Text: diff}}, []string{"peer-not-checked", "error-handling-lost", "change-not-tested"}},
		"a document":     {[]state.Document{{Path: "plan.md", Text: "# Plan\n\nWe ship it.\n"}}, nil},
		"a damaged diff": {[]state.Document{{Path: "change.diff", Text: "@@ -1 +1 @@\n+x\n"}}, nil},
		"nothing":        {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			workspace := t.TempDir()
			for _, d := range c.context {
				if err := os.WriteFile(filepath.Join(workspace, d.Path), []byte(d.Text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			settings := state.Settings{Format: dialectic.Name, Workspace: workspace, Own: &dialectic.Settings{Playbook: book}, Context: c.context, Official: []string{}}
			s := runSession(t, "May this be merged?", settings,
				map[state.Seat]protocol.Participant{dialectic.Proposer: scripted(t, proposal), dialectic.PressureTester: reads(workspace)})
			raised := map[string]bool{}
			for _, o := range s.Challenges.All() {
				raised[dialectic.ObjectionOf(o).Flag] = true
				if len(dialectic.ObjectionOf(o).Evidence) == 0 || !s.Item(dialectic.ObjectionOf(o).Evidence[0]).Verified {
					t.Errorf("%s cites nothing that stands: %s", dialectic.ObjectionOf(o).Flag, o.Objection)
				}
			}
			if len(raised) != len(c.flags) {
				t.Errorf("raised %v", raised)
			}
			for _, flag := range c.flags {
				if !raised[flag] {
					t.Errorf("%s was not raised", flag)
				}
			}
		})
	}
}

// Rules refuse the seats that they cannot play, and say what to type instead.
func TestRefuse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format state.Format
		seat   state.Seat
		want   string // "" if they play it
	}{
		{consult.Name, state.Orchestrator, ""},
		{consult.Name, "consultee-2", ""},
		{consult.Name, state.Arbiter, "--arbiter ollama:MODEL"},
		{dialectic.Name, dialectic.PressureTester, ""},
		{dialectic.Name, dialectic.Proposer, "moot demo dialectic"},
		{panel.Name, "panelist-2", "--panelist ollama:MODEL"},
		{panel.Name, state.Orchestrator, "moot demo panel"},
		{council.Name, constitution.Critic, "--critic ollama:MODEL"},
		{hearing.Name, judge.Skeptic, ""},
		{hearing.Name, hearing.Oracle, ""},
	} {
		err := rules.Refuse(formats.ByName(c.format), c.seat)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: %v", c.seat, c.format, err)
		}
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	call := protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose, Moves: []move.Kind{move.KindRaise}}}
	call.State.Question, call.State.Settings = question, consultation(state.FramingPropose, state.ModeStandard)
	call.State.Rules = formats.ByName(consult.Name)
	if _, err := reads(corpus).Reply(ctx, call, nil); err == nil {
		t.Error("a canceled call gives a reply")
	}
}

// eventLog is a log that can be read.
type eventLog struct {
	store.Memory
	events []state.Event
}

func (l *eventLog) Append(events []state.Event) error {
	l.events = append(l.events, events...)
	return l.Memory.Append(events)
}
