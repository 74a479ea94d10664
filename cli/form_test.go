package cli

import (
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
	"moot/tui"
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

// The form opens a panel with as many panelists as it names, in their order, and
// what is wrong with one of them is said of its seat.
func TestTheFormOpensAPanel(t *testing.T) {
	o := &screenServices{console: formDesk(t)}
	script := filepath.Join(t.TempDir(), "s.txt")
	if err := os.WriteFile(script, []byte("--- panelist-2/propose\n1. one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := tui.Question{Text: "Is it safe?", Format: state.FormatPanel, Settings: view.Values{
		"then":       "consult",
		"strategy":   "vote",
		"panelist":   "script:" + script,
		"panelist-2": "script:" + script,
		"panelist-3": "me",
	}}
	opened, err := o.ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	s := opened.State
	if got := len(s.Panelists()); got != 3 || s.Settings.Panel.Strategy != "vote" || s.Settings.Panel.Then != "consult" {
		t.Errorf("%d panelists, %+v", got, s.Settings.Panel)
	}
	if who, _ := s.Assignment("panelist-3"); who.Participant != "me" {
		t.Errorf("the third panelist is %+v", who)
	}
	for _, test := range []struct {
		change view.Values
		field  string
	}{
		{view.Values{"panelist-3": "nosuch:"}, "panelist-3"},
		{view.Values{"panelist": "script:" + script, "panelist-2": "", "panelist-3": ""}, "panelist-2"},
		{view.Values{"panelist": "script:" + script, "panelist-2": "rules", "panelist-3": ""}, "panelist-2"},
		{view.Values{"strategy": "toss"}, "strategy"},
	} {
		wrong := q
		wrong.Settings = maps.Clone(q.Settings)
		maps.Copy(wrong.Settings, test.change)
		_, err := o.ask(t.Context(), wrong)
		var at *view.FieldError
		if !errors.As(err, &at) || at.Key != test.field {
			t.Errorf("the error is %v, not one of %s", err, test.field)
		}
	}
}

// The form opens a council with the seats, rounds, weights and the constitution that
// it names, and what is wrong with one of them is said at its field.
func TestTheFormOpensACouncil(t *testing.T) {
	o := &screenServices{console: formDesk(t)}
	book := filepath.Join(t.TempDir(), "book.toml")
	if err := os.WriteFile(book, []byte("[[critic]]\nid = \"be-kind\"\ntext = \"Be kind.\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken.toml")
	if err := os.WriteFile(broken, []byte("[[critic]]\nid = \"x\"\ntext = \"x\"\ncheck = \"mood\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	replies := filepath.Join(t.TempDir(), "replies.txt")
	if err := os.WriteFile(replies, []byte("--- propose\n1. It is safe\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := tui.Question{Text: "Is it safe?", Format: state.FormatCouncil, Settings: view.Values{
		"rounds":             "2",
		"strategist":         "script:" + replies,
		"critic":             "me",
		"expert":             "script:" + replies,
		"weights":            "strategist=0.5,critic=0.5",
		"decision-threshold": "0.7",
		"constitution":       book,
		"parallel":           view.Yes,
	}}
	opened, err := o.ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	council := opened.State.Settings.Council
	if council.Rounds != 2 || !council.Parallel || council.Weight(state.Critic) != 0.5 || council.Decision != 0.7 || council.Constitution.Constraint("be-kind") == nil {
		t.Errorf("it is opened with %+v", council)
	}
	for seat, want := range map[state.Seat]string{state.Strategist: "script:" + replies, state.Critic: "me", state.Adversary: "me", state.Moderator: "me", state.Expert: "script:" + replies} {
		if who, _ := opened.State.Assignment(seat); who.Participant != want {
			t.Errorf("the %s is %s, not %s", seat, who.Participant, want)
		}
	}
	for _, test := range []struct {
		change view.Values
		field  string
	}{
		{view.Values{"moderator": "nosuch:"}, "moderator"},
		{view.Values{"moderator": "rules"}, "moderator"},
		{view.Values{"rounds": "9"}, "rounds"},
		{view.Values{"weights": "strategist=0.5,critic=0.6"}, "weights"},
		{view.Values{"weights": "expert=1", "expert": ""}, "weights"},
		{view.Values{"decision-threshold": "2"}, "decision-threshold"},
		{view.Values{"constitution": broken}, "constitution"},
		{view.Values{"constitution": "nosuch.toml"}, "constitution"},
	} {
		wrong := q
		wrong.Settings = maps.Clone(q.Settings)
		maps.Copy(wrong.Settings, test.change)
		_, err := o.ask(t.Context(), wrong)
		var at *view.FieldError
		if !errors.As(err, &at) || at.Key != test.field {
			t.Errorf("the error is %v, not one of %s", err, test.field)
		}
	}
}

// Seats that nobody is named for are taken in the end, but the expert's: weights may
// be theirs.
func TestWeightsMayBeOfSeatsThatNobodyIsNamedFor(t *testing.T) {
	expert := []state.SeatWeight{{Seat: state.Expert, Weight: 1}}
	if !weighty(state.DefaultWeights(), nil) || weighty(expert, nil) || !weighty(expert, []place{{state.Expert, "rules"}}) {
		t.Error("weights are taken for those of an empty seat, or the other way round")
	}
}

// The form opens a hearing on the packet that it names, with its form, judge and seats,
// and what is wrong with one of them is said at its field.
func TestTheFormOpensAHearing(t *testing.T) {
	o := &screenServices{console: formDesk(t)}
	dir := t.TempDir()
	packet, broken := filepath.Join(dir, "packet.json"), filepath.Join(dir, "broken.json")
	for name, text := range map[string]string{
		packet: `{"packet_id":"night","window":["2026-11-20T02:00:00Z","2026-11-20T04:00:00Z"],"facts":[
			{"id":"f1","entity":"dc-1","entity_type":"node","field":"bytes_out","value":7,"timestamp":"2026-11-20T02:01:00Z","source_type":"netflow","source_id":"c"}]}`,
		broken: `{"packet_id":"night"`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q := tui.Question{Format: state.FormatHearing, Settings: view.Values{
		"closed-world": packet,
		"architect":    "rules",
		"skeptic":      "me",
		"oracle":       "rules",
		"domain":       "security",
		"form":         "selective",
		"gate":         "escalation",
		"then":         "multi",
		"rounds":       "4",
		"judge":        "v2",
	}}
	opened, err := o.ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	h := opened.State.HearingSettings()
	if h.Form != state.FormSelective || h.Gate != state.GateEscalation || h.Then != state.FormMulti || h.Rounds != 4 || h.Judge != state.JudgeV2 || h.Domain.Name != "security" || !h.Oracle {
		t.Errorf("it is opened with %+v", h)
	}
	if opened.State.Question != h.Domain.Question || opened.State.Hearing.Packet.Len() != 1 {
		t.Errorf("it asks %q on %d facts", opened.State.Question, opened.State.Hearing.Packet.Len())
	}
	for _, test := range []struct {
		change view.Values
		field  string
	}{
		{view.Values{"closed-world": ""}, "closed-world"},
		{view.Values{"closed-world": broken}, "closed-world"},
		{view.Values{"closed-world": filepath.Join(dir, "none.json")}, "closed-world"},
		{view.Values{"architect": "nosuch:"}, "architect"},
		{view.Values{"rounds": "9"}, "rounds"},
		{view.Values{"domain": "nosuch.toml"}, "domain"},
		{view.Values{"then": "audit", "rounds": "", "judge": "claims"}, "judge"},
		{view.Values{"form": "single", "gate": "", "then": "", "rounds": ""}, "oracle"},
	} {
		wrong := q
		wrong.Settings = maps.Clone(q.Settings)
		maps.Copy(wrong.Settings, test.change)
		_, err := o.ask(t.Context(), wrong)
		var at *view.FieldError
		if !errors.As(err, &at) || at.Key != test.field {
			t.Errorf("the error is %v, not one of %s", err, test.field)
		}
	}
}
