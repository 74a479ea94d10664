package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/review"
	"moot/state"
	"moot/state/store"
	"moot/tui/home"
	"moot/view"
)

// formDesk is the console of a person at a screen: nothing may be written to it
// or read from it while a form is shown.
func formDesk(t *testing.T) *Console {
	t.Helper()
	t.Setenv(store.StateVariable, t.TempDir())
	return &Console{
		In: closedReader{t}, Out: io.Discard, Err: silence{t}, Dir: t.TempDir(),
		InTerminal: true, OutTerminal: true, Now: time.Now, Random: rand.NewChaCha8([32]byte{1}),
	}
}

type (
	closedReader struct{ t *testing.T }
	silence      struct{ t *testing.T }
)

func (r closedReader) Read([]byte) (int, error) {
	r.t.Error("the form reads the terminal")
	return 0, io.EOF
}

func (w silence) Write(p []byte) (int, error) {
	w.t.Errorf("the form writes over the screen: %s", p)
	return len(p), nil
}

// formFiles are the files that the forms of the tests name.
func formFiles(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"notes.md": "password = \"hunter2hunter2\"\n", "change.md": "Raise the limit to 5\n",
		"seat.txt":    "--- propose\n1. It is safe\n",
		"book.toml":   "[[critic]]\nid = \"be-kind\"\ntext = \"Be kind.\"\n",
		"broken.toml": "[[critic]]\nid = \"x\"\ntext = \"x\"\ncheck = \"mood\"\n",
		"packet.json": `{"packet_id":"night","window":["2026-11-20T02:00:00Z","2026-11-20T04:00:00Z"],"facts":[{"id":"f1",` +
			`"entity":"dc-1","entity_type":"node","field":"bytes_out","value":7,"timestamp":"2026-11-20T02:01:00Z",` +
			`"source_type":"netflow","source_id":"c"}]}`,
		"broken.json": `{"packet_id":"night"`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForm opens a session of each format from the form of a new question. Then it changes one value at a time, which
// must be refused with an error at that value, and without a session.
func TestForm(t *testing.T) {
	type wrong struct {
		change    view.Values
		key, says string
	}
	for _, test := range []struct {
		format   string
		question string
		values   view.Values
		check    func(s *state.State) error
		wrong    []wrong
	}{
		{
			"consult", " @none is no file here, and - is a hyphen ",
			view.Values{
				"orchestrator": "rules", "consultee": "rules", "context": "notes.md", "fact": "writes are idempotent",
				"framing": "compare", "option": "lists\nstreams",
			},
			func(s *state.State) error {
				set := &s.Settings
				if s.Question != "@none is no file here, and - is a hyphen" || set.Framing != state.FramingCompare ||
					set.Mode != state.ModeStandard || s.Facts.Len() != 1 || len(set.Input.Options) != 2 || !set.Attended ||
					strings.Contains(set.Context[0].Text, "hunter2") {
					return fmt.Errorf("%q %+v", s.Question, set)
				}
				return nil
			},
			[]wrong{
				{view.Values{"question": " \n"}, "question", "is empty"},
				{view.Values{"question": "\xff"}, "question", "UTF-8"},
				{view.Values{"format": "senate"}, "format", "unknown format"},
				{view.Values{"framing": "comparre"}, "framing", `did you mean "compare"?`},
				{view.Values{"mode": "quik"}, "mode", `did you mean "quick"?`},
				{view.Values{"mode": "quick"}, "mode", "use --mode standard"},
				{view.Values{"mode": "minimal", "high-stakes": view.Yes}, "high-stakes", "use --mode standard"},
				{view.Values{"framing": "critique", "option": ""}, "design", "needs --design"},
				{view.Values{"framing": "critique", "option": "", "design": "none.md"}, "design", "there is no file none.md"},
				{view.Values{"framing": "steelman", "option": ""}, "position", "needs --position"},
				{view.Values{"option": "a"}, "option", "needs --option"},
				{view.Values{"position": "it is slow"}, "position", "--position is a flag of --framing steelman"},
				{view.Values{"framing": "synthesize", "option": "", "view": "a\nb"}, "view", "NAME=TEXT"},
				{view.Values{"context": "none.md"}, "context", "there is no file none.md"},
				{view.Values{"consultee": ""}, "consultee", "the seat consultee is empty"},
				{view.Values{"orchestrator": " "}, "orchestrator", "names no participant"},
				{view.Values{"consultee": "olama:qwen3"}, "consultee", `did you mean "ollama"?`},
				{view.Values{"orchestrator": "openai:gpt-5.2"}, "orchestrator", "OPENAI_API_KEY"},
				{view.Values{"arbiter": "script:none.txt"}, "arbiter", "none.txt"},
				{view.Values{"workspace": "nowhere"}, "workspace", "does not exist"},
			},
		},
		{
			"dialectic", "@change.md",
			view.Values{"playbook": "code-review", "proposer": "script:seat.txt", "pressure-tester": "script:seat.txt"},
			func(s *state.State) error {
				if s.Question != "Raise the limit to 5" || dialectic.SettingsOf(s).Playbook.Name != "code-review" || len(s.Seats) != 2 ||
					s.Seats[0].Seat != dialectic.Proposer {
					return fmt.Errorf("%q %+v", s.Question, s.Seats)
				}
				return nil
			},
			[]wrong{
				{view.Values{"question": "@none.md"}, "question", "there is no file none.md"},
				{view.Values{"playbook": ""}, "playbook", "needs --playbook"},
				{view.Values{"playbook": "none.toml"}, "playbook", "there is no file none.toml"},
				{view.Values{"playbook": "change.md"}, "playbook", "change.md:1"},
				{view.Values{"proposer": ""}, "proposer", "the seat proposer is empty"},
				{view.Values{"pressure-tester": "olama:qwen3"}, "pressure-tester", `did you mean "ollama"?`},
			},
		},
		{
			"panel", "Is it safe?",
			view.Values{
				"then": "consult", "strategy": "vote", "panelist": "script:seat.txt", "panelist-2": "script:seat.txt",
				"panelist-3": "me",
			},
			func(s *state.State) error {
				third, _ := s.Assignment("panelist-3")
				if len(s.SeatsThat(panel.IsPanelist)) != 3 || third.Participant != "me" ||
					*s.Settings.Own.(*panel.Settings) != (panel.Settings{Strategy: "vote", Then: "consult"}) {
					return fmt.Errorf("%+v %+v", s.Seats, s.Settings.Own)
				}
				return nil
			},
			[]wrong{
				{view.Values{"panelist-3": "nosuch:"}, "panelist-3", "nosuch"},
				{view.Values{"panelist-2": "", "panelist-3": ""}, "panelist-2", "is empty"},
				{view.Values{"panelist-2": "rules", "panelist-3": ""}, "panelist-2", "rules"},
				{view.Values{"strategy": "toss"}, "strategy", "unknown strategy"},
				{view.Values{"then": "toss"}, "then", "unknown then"},
			},
		},
		{
			"council", "Is it safe?",
			view.Values{
				"rounds": "2", "strategist": "script:seat.txt", "critic": "me", "expert": "script:seat.txt",
				"weights": "strategist=0.5,critic=0.5", "decision-threshold": "0.7", "constitution": "book.toml",
				"parallel": view.Yes,
			},
			func(s *state.State) error {
				c := s.Settings.Own.(*council.Settings)
				seats := ""
				for _, a := range s.Seats {
					seats += string(a.Seat) + "=" + filepath.Base(a.Participant) + " "
				}
				if c.Rounds != 2 || !c.Parallel || c.Weight(constitution.Critic) != 0.5 || c.Decision != 0.7 ||
					c.Constitution.Constraint("be-kind") == nil ||
					seats != "strategist=seat.txt critic=me adversary=me moderator=me expert=seat.txt " {
					return fmt.Errorf("%s %+v", seats, c)
				}
				return nil
			},
			[]wrong{
				{view.Values{"moderator": "nosuch:"}, "moderator", "nosuch"},
				{view.Values{"moderator": "rules"}, "moderator", "rules"},
				{view.Values{"rounds": "9"}, "rounds", "from 1 to 8"},
				{view.Values{"weights": "strategist=0.5,critic=0.6"}, "weights", "add up to 1.1"},
				{view.Values{"weights": "expert=1", "expert": ""}, "weights", "that seat is empty"},
				{view.Values{"decision-threshold": "2"}, "decision-threshold", "from 0 to 1"},
				{view.Values{"constitution": "broken.toml"}, "constitution", "mood"},
				{view.Values{"constitution": "nosuch.toml"}, "constitution", "there is no file"},
			},
		},
		{
			"hearing", "",
			view.Values{
				"closed-world": "packet.json", "architect": "rules", "skeptic": "me", "oracle": "rules", "domain": "security",
				"form": "selective", "gate": "escalation", "then": "multi", "rounds": "4", "judge": "v2",
			},
			func(s *state.State) error {
				h := hearing.SettingsOf(s)
				if h.Form != hearing.FormSelective || h.Gate != judge.GateEscalation || h.Then != hearing.FormMulti || h.Rounds != 4 ||
					h.Judge != judge.V2 || h.Domain.Name != "security" || !h.Oracle || s.Question != h.Domain.Question ||
					s.Packet.Len() != 1 {
					return fmt.Errorf("%q %+v", s.Question, h)
				}
				return nil
			},
			[]wrong{
				{view.Values{"closed-world": ""}, "closed-world", "needs a packet"},
				{view.Values{"closed-world": "broken.json"}, "closed-world", "moot packet check"},
				{view.Values{"closed-world": "none.json"}, "closed-world", "there is no file"},
				{view.Values{"architect": "nosuch:"}, "architect", "nosuch"},
				{view.Values{"rounds": "9"}, "rounds", "from 2 to 8"},
				{view.Values{"domain": "nosuch.toml"}, "domain", "there is no file"},
				{view.Values{"then": "audit", "rounds": "", "judge": "claims"}, "judge", `unknown judge "claims"`},
				{view.Values{"form": "single", "gate": "", "then": "", "rounds": ""}, "oracle", "no other round"},
				{view.Values{"form": "single"}, "gate", "--gate is a flag of --form selective"},
				{view.Values{"fact": "it was dark"}, "fact", "no claim can cite another one"},
			},
		},
	} {
		t.Run(test.format, func(t *testing.T) {
			c := formDesk(t)
			formFiles(t, c.Dir)
			services := &screenServices{console: c}
			q := home.Question{Text: test.question, Format: state.Format(test.format), Settings: test.values}
			for _, wrong := range test.wrong {
				bad := q
				bad.Settings = maps.Clone(q.Settings)
				maps.Copy(bad.Settings, wrong.change)
				if text, ok := wrong.change["question"]; ok {
					bad.Text = text
				}
				if format, ok := wrong.change["format"]; ok {
					bad.Format = state.Format(format)
				}
				_, err := services.ask(t.Context(), bad)
				at, ok := errors.AsType[*view.FieldError](err)
				if !ok || at.Key != wrong.key || !strings.Contains(err.Error(), wrong.says) {
					t.Errorf("%v: got %v, want %q at %s", wrong.change, err, wrong.says, wrong.key)
				}
			}
			dir, err := store.Dir()
			if err != nil {
				t.Fatal(err)
			}
			if all, err := store.List(dir); err != nil || len(all) != 0 {
				t.Errorf("wrong values left %d sessions, %v", len(all), err)
			}
			opened, err := services.ask(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			if err := test.check(opened.State); err != nil {
				t.Errorf("opened with %v", err)
			}
			if all, err := store.List(dir); err != nil || len(all) != 1 {
				t.Errorf("%d sessions, %v", len(all), err)
			}
		})
	}
}

// A question of several lines becomes material, and the files that it names as @PATH are included.
func TestFilesOfAQuestion(t *testing.T) {
	c := formDesk(t)
	path := filepath.Join(c.Dir, "docs/b.md")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("b\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	services := &screenServices{console: c}
	opened, err := services.ask(t.Context(), home.Question{
		Text: "Is it safe? It is since\n@docs/b.md says so.", Format: "consult", Settings: view.Values{"orchestrator": "rules", "consultee": "rules"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	given := opened.State.Settings.Context
	if opened.State.Question != "Is it safe?" || len(given) != 2 || given[0].Path != "question" || given[1].Path != "docs/b.md" ||
		!strings.Contains(opened.Note, "context docs/b.md, about") {
		t.Errorf("%q %+v %s", opened.State.Question, given, opened.Note)
	}
}

// A review from the form leaves out the files that the configuration ignores, as moot review does.
func TestFormReviewsWithoutIgnoredFiles(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	c := formDesk(t)
	config := filepath.Join(t.TempDir(), "config.toml")
	c.Environ = append(os.Environ(), "MOOT_CONFIG="+config)
	if out, err := exec.CommandContext(t.Context(), "git", "-C", c.Dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	commit := []string{"-C", c.Dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "start"}
	if out, err := exec.CommandContext(t.Context(), "git", commit...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for path, text := range map[string]string{
		filepath.Join(c.Dir, "limit.go"): "package limit\n", filepath.Join(c.Dir, "limit.golden"): "8\n",
		config: "[review]\nignore = [\"*.golden\"]\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	services := &screenServices{console: c}
	opened, err := services.ask(t.Context(), home.Question{Format: review.Format{}.Name(), Settings: view.Values{
		"workspace": c.Dir, "reviewer": "rules", "reviewer-2": "rules",
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if n := review.LeftOut(opened.State); n != 1 || len(review.SettingsOf(opened.State).Change.Files) != 2 {
		t.Errorf("%d files are left out of %+v", n, review.SettingsOf(opened.State).Change.Files)
	}
}

// The form for a review reads the change that it names, or what moot review reads. A range that is wrong is refused at
// the field, and opens no session.
func TestAChangeIsReviewedFromTheForm(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	c := formDesk(t)
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"commit", "-qm", "first", "--allow-empty"}, {"add", "queue.go"}, {"commit", "-qm", "second"},
	} {
		if err := os.WriteFile(filepath.Join(c.Dir, "queue.go"), []byte("package queue\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append([]string{"-C", c.Dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	services := &screenServices{console: c}
	q := home.Question{Format: review.Name, Settings: view.Values{"reviewer": "rules", "reviewer-2": "rules", "workspace": c.Dir}}
	for text, says := range map[string]string{
		"nope": "there is no commit nope", "HEAD..HEAD": "changes no file", "--staged": "--staged", "": "nothing to review",
	} {
		q.Text = text
		_, err := services.ask(t.Context(), q)
		if at, ok := errors.AsType[*view.FieldError](err); !ok || at.Key != "question" || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %q at the change", text, err, says)
		}
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "next.go"), []byte("package queue\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, title := range map[string]string{" HEAD ": "Review of commit", "HEAD~1..HEAD": "Review of 1 commit", "": "Review of the working tree"} {
		q.Text = text
		opened, err := services.ask(t.Context(), q)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if !strings.HasPrefix(opened.State.Question, title) {
			t.Errorf("%q opens %q", text, opened.State.Question)
		}
		opened.Close()
	}
}
