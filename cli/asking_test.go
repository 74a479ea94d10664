package cli

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
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

// filled is a form with all that a question needs.
func filled() asking {
	return asking{question: "Which queue?", seats: seatOptions{named: map[state.Seat]string{state.Orchestrator: "rules", state.Consultee: "rules"}}}
}

func TestAFormOpensASession(t *testing.T) {
	c := formDesk(t)
	if err := os.WriteFile(filepath.Join(c.Dir, "notes.md"), []byte("password = \"hunter2hunter2\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := filled()
	a.question = " @none is no file here, and - is a hyphen "
	a.framing = "compare"
	a.given = givenOptions{context: []string{"notes.md"}, facts: []string{"writes are idempotent"}, options: []string{"lists", "streams"}}
	s, notes, err := openQuestion(t.Context(), c, a, frontOptions{output: "text"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	got := &s.state
	if got.Question != "@none is no file here, and - is a hyphen" || got.Settings.Framing != state.FramingCompare ||
		got.Settings.Mode != state.ModeStandard || got.Facts.Len() != 1 || len(got.Settings.Input.Options) != 2 || !got.Settings.Attended {
		t.Errorf("opened %+v", got.Settings)
	}
	if len(notes) == 0 || !strings.HasPrefix(notes[0], "redacted   notes.md line 1") {
		t.Errorf("notes: %q", notes)
	}
	if read, err := store.Read(s.file.Path()); err != nil || len(read.Events) != 2 {
		t.Errorf("%d events on disk, %v", len(read.Events), err)
	}
}

// pressedForm is a form with all that a proposal needs.
func pressedForm(t *testing.T, c *Console) asking {
	t.Helper()
	for name, text := range map[string]string{"change.md": "Raise the limit to 5\n", "seat.txt": "--- proposer/propose\nP\n"} {
		if err := os.WriteFile(filepath.Join(c.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return asking{
		question: "@change.md", format: "dialectic", press: dialecticOptions{playbook: "code-review"},
		seats: seatOptions{named: map[state.Seat]string{state.Proposer: "script:seat.txt", state.PressureTester: "script:seat.txt"}},
	}
}

// A form opens a proposal too, and its question may be a file.
func TestAFormOpensAProposal(t *testing.T) {
	c := formDesk(t)
	s, _, err := openQuestion(t.Context(), c, pressedForm(t, c), frontOptions{output: "text"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	got := &s.state
	if got.Question != "Raise the limit to 5" || got.Settings.Format != state.FormatDialectic || got.Settings.Playbook.Name != "code-review" ||
		len(got.Seats) != 2 || got.Seats[0].Seat != state.Proposer {
		t.Errorf("opened %q %+v", got.Question, got.Seats)
	}
}

// spoiled is a form with one value that is wrong.
type spoiled struct {
	name  string
	spoil func(*asking)
	field field
	says  string
}

// refused spoils a form, and checks that no session is opened with it and that the
// error names the value.
func (s *spoiled) refused(t *testing.T, c *Console, a asking) {
	t.Helper()
	s.spoil(&a)
	opened, _, err := openQuestion(t.Context(), c, a, frontOptions{output: "text"})
	wrong, ok := errors.AsType[*fieldError](err)
	if opened != nil || !ok || wrong.field != s.field || !strings.Contains(err.Error(), s.says) {
		t.Errorf("got %v, want %q at %s", err, s.says, s.field)
	}
}

// A form shows an error of a proposal at the value that is wrong.
func TestAnErrorOfAProposalNamesItsField(t *testing.T) {
	c := formDesk(t)
	for _, test := range []spoiled{
		{"a file that is missing", func(a *asking) { a.question = "@none.md" }, fieldQuestion, "there is no file none.md"},
		{"no playbook", func(a *asking) { a.press.playbook = "" }, fieldPlaybook, "needs --playbook"},
		{"a playbook that is missing", func(a *asking) { a.press.playbook = "none.toml" }, fieldPlaybook, "there is no file none.toml"},
		{"a playbook that is none", func(a *asking) { a.press.playbook = "change.md" }, fieldPlaybook, "change.md:1"},
		{"nobody to propose", func(a *asking) { a.seats.named[state.Proposer] = "" }, field(state.Proposer), "the seat proposer is empty"},
		{"nobody to attack", func(a *asking) { a.seats.named[state.PressureTester] = "" }, field(state.PressureTester), "the seat pressure-tester is empty"},
		{"an unknown participant", func(a *asking) { a.seats.named[state.PressureTester] = "olama:qwen3" }, field(state.PressureTester), `did you mean "ollama"?`},
	} {
		t.Run(test.name, func(t *testing.T) { test.refused(t, c, pressedForm(t, c)) })
	}
}

// A form shows an error at the value that is wrong.
func TestAnErrorNamesItsField(t *testing.T) {
	c := formDesk(t)
	for _, test := range []spoiled{
		{"no question", func(a *asking) { a.question = " \n" }, fieldQuestion, "is empty"},
		{"a long question", func(a *asking) { a.question = strings.Repeat("x", maxQuestion+1) }, fieldQuestion, "longer than"},
		{"a question that is no text", func(a *asking) { a.question = "\xff" }, fieldQuestion, "UTF-8"},
		{"another format", func(a *asking) { a.format = "senate" }, fieldFormat, "unknown format"},
		{"no such framing", func(a *asking) { a.framing = "critiqe" }, fieldFraming, `did you mean "critique"?`},
		{"no such mode", func(a *asking) { a.mode = "quik" }, fieldMode, `did you mean "quick"?`},
		{"what quick does not take", func(a *asking) { a.mode, a.given.facts = "quick", []string{"a"} }, fieldMode, "use --mode standard"},
		{"stakes that minimal does not take", func(a *asking) { a.mode, a.highStakes = "minimal", true }, fieldHighStakes, "use --mode standard"},
		{"a framing without its input", func(a *asking) { a.framing = "critique" }, fieldDesign, "needs --design"},
		{"a framing without its position", func(a *asking) { a.framing = "steelman" }, fieldPosition, "needs --position"},
		{"one option", func(a *asking) { a.framing, a.given.options = "compare", []string{"a"} }, fieldOption, "needs --option"},
		{"input of another framing", func(a *asking) { a.given.position = "it is slow" }, fieldPosition, "--position is a flag of --framing steelman"},
		{"a view without its name", func(a *asking) { a.framing, a.given.viewTexts = "synthesize", []string{"a", "b"} }, fieldView, "NAME=TEXT"},
		{"a file that is missing", func(a *asking) { a.given.context = []string{"none.md"} }, fieldContext, "there is no file none.md"},
		{"a design that is missing", func(a *asking) { a.given.design = "none.md" }, fieldDesign, "there is no file none.md"},
		{"an empty fact", func(a *asking) { a.given.facts = []string{" "} }, fieldFact, "needs a text"},
		{"an empty seat", func(a *asking) { a.seats.named[state.Consultee] = "" }, field(state.Consultee), "the seat consultee is empty"},
		{"nobody", func(a *asking) { a.seats.named[state.Orchestrator] = " " }, field(state.Orchestrator), "names no participant"},
		{"an unknown participant", func(a *asking) { a.seats.named[state.Consultee] = "olama:qwen3" }, field(state.Consultee), `did you mean "ollama"?`},
		{"a key that is missing", func(a *asking) { a.seats.named[state.Orchestrator] = "openai:gpt-5.2" }, field(state.Orchestrator), "OPENAI_API_KEY"},
		{"a script that is missing", func(a *asking) { a.seats.named[state.Arbiter] = "script:none.txt" }, field(state.Arbiter), "none.txt"},
		{"an unknown seat", func(a *asking) { a.seats.typed = []string{"consulte=rules"} }, fieldSeat, "did you mean consultee?"},
		{"a further consultee that is unknown", func(a *asking) { a.seats.typed = []string{"consultee-2=olama:x"} }, fieldSeat, `did you mean "ollama"?`},
		{"a missing workspace", func(a *asking) { a.workspace.dir = "nowhere" }, fieldWorkspace, "does not exist"},
		{"a workspace and none", func(a *asking) { a.workspace.dir, a.workspace.none = ".", true }, fieldNoWorkspace, "excludes"},
		{"a specification elsewhere", func(a *asking) { a.workspace.official = []string{"../.."} }, fieldOfficial, "outside of the workspace"},
		{"fewer than no tokens", func(a *asking) { a.budget.maxTokens = -1 }, fieldMaxTokens, "positive number"},
		{"less than no cost", func(a *asking) { a.budget.maxCost = -1 }, fieldMaxCost, "positive number"},
		{"less than no time", func(a *asking) { a.budget.timeout = -1 }, fieldTimeout, "positive number"},
	} {
		t.Run(test.name, func(t *testing.T) { test.refused(t, c, filled()) })
	}
	dir, err := store.Dir()
	if err != nil {
		t.Fatal(err)
	}
	if all, err := store.List(dir); err != nil || len(all) != 0 {
		t.Errorf("wrong values left %d sessions, %v", len(all), err)
	}
}
