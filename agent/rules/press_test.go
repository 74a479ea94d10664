package rules_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"moot/agent/rules"
	"moot/playbook"
	"moot/protocol"
	"moot/research"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
	"moot/state/store"
)

var update = flag.Bool("update", false, "write what the sessions of testdata/press come to anew")

// press is a session of the format dialectic in a test.
type press struct {
	workspace, book, question, asked string
	given                            []string
	allowed                          []string
	seats                            map[state.Seat]protocol.Participant
	// log is what was stored.
	log *store.Memory
}

// newPress lays out a workspace and puts rules in both seats.
func newPress(t testing.TB, files map[string]string) *press {
	t.Helper()
	workspace := t.TempDir()
	for name, text := range files {
		at := filepath.Join(workspace, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	both := rules.New(rules.Options{Workspace: workspace})
	return &press{
		workspace: workspace, book: "code-review", question: "May this be done?", log: &store.Memory{},
		seats: map[state.Seat]protocol.Participant{state.Proposer: both, state.PressureTester: both},
	}
}

// settings are those of the session, with the given files as the command line
// gives them: cut and redacted.
func (p *press) settings(t testing.TB) state.Settings {
	t.Helper()
	book, err := playbook.BuiltIn(p.book)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := book.Record()
	if err != nil {
		t.Fatal(err)
	}
	redactor, err := theRedactor()
	if err != nil {
		t.Fatal(err)
	}
	s := state.Settings{
		Format: state.FormatDialectic, Nonce: "5eed", Workspace: p.workspace, QuestionPath: p.asked, Playbook: kept,
		Official: []string{}, Context: []state.Document{}, Input: state.Input{Options: []string{}, Views: []state.View{}},
	}
	for _, name := range p.given {
		text, err := os.ReadFile(filepath.Join(p.workspace, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		const most = 256 << 10
		cut := ""
		if len(text) > most {
			cut = fmt.Sprintf("\n[cut: only the first %d bytes of this file were read]", most)
		}
		cleaned, _ := redactor.Text(string(text[:min(len(text), most)]) + cut)
		s.Context = append(s.Context, state.Document{Path: name, Text: cleaned})
	}
	return s
}

// run drives the session as far as it goes without a person, and checks that its
// record recomputes and that no move of rules was refused.
func (p *press) run(t testing.TB) state.State {
	t.Helper()
	if len(p.log.Events()) == 0 {
		opened := &state.SessionOpened{Version: state.Version, ID: "s", Question: p.question, Settings: p.settings(t)}
		for _, seat := range []state.Seat{state.Proposer, state.PressureTester} {
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: p.seats[seat].Name(), NoModel: p.seats[seat].Modelless()})
		}
		p.store(t, opened, &state.CommandsAllowed{Patterns: p.allowed, By: state.User})
	}
	redactor, err := theRedactor()
	if err != nil {
		t.Fatal(err)
	}
	citation, err := research.OpenCitation(p.workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	command, err := research.OpenCommand(p.workspace, os.Environ(), redactor)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	r := protocol.NewRunner(protocol.Options{
		Format: protocol.Dialectic{}, State: p.state(t), Log: p.log, Parser: parser, Now: func() time.Time { return time.Unix(1_700_000_000, 0).UTC() },
		Participants: p.seats, Researcher: research.Kinds{Citation: research.NewRedacting(citation, redactor), Command: command},
	})
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := resolver.Verify(p.log.Events(), resolver.Rule); err != nil {
		t.Fatal(err)
	}
	for _, e := range p.log.Events() {
		if reply, ok := e.Data.(*state.ReplyReceived); ok && p.seats[reply.Seat].Name() == rules.Name && (!reply.Valid || len(reply.Refused) > 0) {
			t.Errorf("refused to %s in %s: %v\n%.2000s", reply.Seat, reply.Stage, reply.Refused, reply.Text)
		}
	}
	return r.State
}

// store appends events.
func (p *press) store(t testing.TB, payloads ...state.Payload) {
	t.Helper()
	for _, data := range payloads {
		e := state.Event{Seq: len(p.log.Events()) + 1, At: time.Unix(1_700_000_000, 0).UTC(), Data: data}
		if err := p.log.Append([]state.Event{e}); err != nil {
			t.Fatal(err)
		}
	}
}

// state is the session as it was stored.
func (p *press) state(t testing.TB) state.State {
	t.Helper()
	var s state.State
	for _, e := range p.log.Events() {
		next, err := state.Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return s
}

// told tells what was said, and what code made of it.
func (p *press) told() string {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for _, e := range p.log.Events() {
		switch e := e.Data.(type) {
		case *state.RoundStarted:
			say("round %d", e.Round)
		case *state.UsageCounted:
			for _, note := range e.Notes {
				say("note: %s", note)
			}
		case *state.FieldProposed:
			say("%s %s = %s [%s, %s]", e.Point, e.Path, e.Value, e.Category, e.Severity)
		case *state.EvidenceOffered:
			say("%s %s %s: %s: %q", e.ID, e.Relation, e.Point, e.Reference, e.Quote)
		case *state.EvidenceRefused:
			say("%s is refused: %s", e.ID, e.Reason)
		case *state.ChallengeRaised:
			say("%s on %s: %s", e.ID, e.Point, e.Objection)
		case *state.ObjectionFiled:
			say("%s is %s, %s", e.Challenge, e.Flag, e.Severity)
		case *state.ChallengeAnswered:
			say("%s is answered: %s", e.Challenge, e.Text)
		case *state.ChallengeConceded:
			say("%s is conceded: %s", e.Challenge, e.Reason)
		case *state.ProposalExamined:
			if e.Reason != "" {
				say("examined: %s", e.Reason)
			}
		case *state.RoundResolved:
			var result dialectic.Result
			if err := json.Unmarshal(e.Result, &result); err != nil {
				say("%v", err)
			}
			for i := range result.Receipts {
				if r := &result.Receipts[i]; r.Outcome != "PASS" {
					say("%s %s %s: %s", r.Rule, r.Subject, r.Outcome, r.Reason)
				}
			}
		case *state.ExitReached:
			say("exit %s: %s", e.Exit, e.Reason)
		case *state.SessionPaused:
			say("paused: %s", e.Why)
		}
	}
	return out.String()
}

// TestPress plays the sessions of testdata/press with rules in both seats. Each is
// an archive: lines of the comment say "playbook NAME", "question TEXT",
// "asked FILE", "given FILE" and "allowed COMMAND"; its files are the workspace,
// and want is what must be told.
func TestPress(t *testing.T) {
	names, err := filepath.Glob("testdata/press/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string]string{}, -1
			for i, f := range archive.Files {
				if f.Name == "want" {
					want = i
					continue
				}
				files[f.Name] = string(f.Data)
			}
			p := newPress(t, files)
			for line := range strings.Lines(string(archive.Comment)) {
				key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch key {
				case "playbook":
					p.book = rest
				case "question":
					p.question = rest
				case "asked":
					p.asked, p.question = rest, strings.TrimSpace(files[rest])
				case "given":
					p.given = append(p.given, rest)
				case "allowed":
					p.allowed = append(p.allowed, rest)
				}
			}
			p.run(t)
			got := p.told()
			if want < 0 {
				archive.Files = append(archive.Files, txtar.File{Name: "want"})
				want = len(archive.Files) - 1
			}
			if *update {
				archive.Files[want].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if said := string(archive.Files[want].Data); said != got {
				t.Errorf("%s", diff.Diff("want", []byte(said), "got", []byte(got)))
			}
		})
	}
}

const plainChange = `diff --git a/store/lock.go b/store/lock.go
--- a/store/lock.go
+++ b/store/lock.go
@@ -1,2 +1,3 @@
 package store
 
+const apiToken = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
`

// A session goes on where it was left: the user's answers settle what rules
// raised, and nothing is raised again.
func TestAPressedSessionGoesOn(t *testing.T) {
	p := newPress(t, map[string]string{"change.diff": plainChange})
	p.given = []string{"change.diff"}
	s := p.run(t)
	if s.Paused != state.PauseUser || s.Questions.Len() != 1 {
		t.Fatalf("paused %q with %d questions\n%s", s.Paused, s.Questions.Len(), p.told())
	}
	answered, err := protocol.AdmitUser(s, protocol.AnswerQuestion{Question: "Q1", Answer: "cleared"})
	if err != nil {
		t.Fatal(err)
	}
	p.store(t, answered...)
	if s = p.run(t); s.Exit != state.ExitDecided || s.Challenges.Len() != 1 || s.Dialectic.Last().Decision != "ADVANCE" {
		t.Errorf("exit %q\n%s", s.Exit, p.told())
	}
}

// The same state gives the same bytes, whoever is asked and how often.
func TestAPressedStateHasOneReply(t *testing.T) {
	p := newPress(t, map[string]string{"change.diff": plainChange, "settings.toml": "b = 1\na = [1, 2]\n[t]\nx = {z = 1, y = 2}\n"})
	p.given = []string{"change.diff"}
	p.run(t)
	last := p.state(t)
	first := state.State{Question: "May settings.toml be used?", Settings: last.Settings}
	first.Settings.Context = nil
	for _, call := range []protocol.Call{
		{State: first, Ask: protocol.Ask{Seat: state.Proposer, Stage: state.StagePropose, Moves: protocol.MoveKinds()}},
		{State: last, Ask: protocol.Ask{Seat: state.Proposer, Stage: state.StageAnswer, Moves: protocol.MoveKinds()}},
		{State: last, Ask: protocol.Ask{Seat: state.PressureTester, Stage: state.StageEvaluate, Moves: protocol.MoveKinds()}},
	} {
		var texts []string
		for range 4 {
			reply, err := rules.New(rules.Options{Workspace: p.workspace}).Reply(t.Context(), call, nil)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, reply.Text)
			if reply.Text != texts[0] {
				t.Errorf("%s\nis not\n%s", reply.Text, texts[0])
			}
		}
	}
}

// With a model in the other seat, what is found goes to the field that is about
// the file, however that is called.
func TestFindingsMeetTheFieldsOfOthers(t *testing.T) {
	p := newPress(t, map[string]string{"change.diff": plainChange})
	p.given = []string{"change.diff"}
	p.seats[state.Proposer] = says{text: `{"moves":[
		{"move":"PROPOSE","path":"release","value":"next","category":"Taste"},
		{"move":"PROPOSE","path":"locking","value":"as in store/lock.go","category":"Taste"}]}`}
	s := p.run(t)
	if c := s.Challenge("C1"); c == nil || c.Point != "P2" || c.Typed.Flag != "secret-in-change" {
		t.Errorf("%s", p.told())
	}
}

// What was withdrawn for a finding does not come back as the fault of a field
// that was there all along and is about something else.
func TestAFindingGoesWithItsField(t *testing.T) {
	p := newPress(t, map[string]string{"change.diff": plainChange})
	p.given = []string{"change.diff"}
	p.seats[state.Proposer] = says{text: `{"moves":[
		{"move":"PROPOSE","path":"release","value":"next","category":"Taste"},
		{"move":"PROPOSE","path":"notes","value":"7 days","category":"Taste"},
		{"move":"WITHDRAW","point":"P1","reason":"not now"}]}`}
	s := p.run(t)
	if s.Challenges.Len() != 1 || s.Challenge("C1").Point != "P1" || !s.Point("P1").Field.Withdrawn {
		t.Errorf("%s", p.told())
	}
}

// A session from before the checks were kept is not led by others: it says that
// nothing was looked for.
func TestAPlaybookWithoutChecksFindsNothing(t *testing.T) {
	p := newPress(t, map[string]string{"change.diff": plainChange})
	p.given = []string{"change.diff"}
	settings := p.settings(t)
	for i := range settings.Playbook.Flags {
		settings.Playbook.Flags[i].Checks = nil
	}
	p.store(t, &state.SessionOpened{
		Version: state.Version, ID: "s", Question: "May it?", Settings: settings,
		Seats: []state.SeatAssignment{{Seat: state.Proposer, Participant: "rules"}, {Seat: state.PressureTester, Participant: "rules"}},
	})
	if s := p.run(t); s.Challenges.Len() != 0 || !strings.Contains(p.told(), "looked for 0 of the 28 red flags") {
		t.Errorf("%s", p.told())
	}
}

// says is a participant of one reply.
type says struct{ text string }

func (says) Name() string    { return "says" }
func (says) Modelless() bool { return true }

func (s says) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	return protocol.Reply{Text: s.text, Attempts: 1}, nil
}
