package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/dialectic"
	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/search"
	"moot/state"
	"moot/state/store"
	"moot/tui/home"
	"moot/view"
)

// someSessions stand in every way in which a session can.
func someSessions() []store.Summary {
	seats := []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "openai:gpt-5.2"}, {Seat: state.Consultee, Participant: "ollama:qwen3"}}
	at := func(ago time.Duration) time.Time { return protocoltest.RecordTime().Add(time.Hour - ago) }
	return []store.Summary{
		{ID: "20260304-a", Workspace: "/home/ada/queue", Question: "Should the job queue move from Redis lists to Redis streams?", Format: consult.Name, Seats: seats, Phase: state.Development, Round: 4, UpdatedAt: at(3 * time.Minute), Buckets: map[state.Bucket]int{state.BucketAgreed: 3, state.BucketDismissed: 1, state.BucketOpen: 2}},
		{ID: "20260304-b", Workspace: "/home/ada/queue", Tags: []string{"cache", "later"}, Question: "Is the cache safe under load?", Format: consult.Name, Seats: seats, Phase: state.Constructive, Round: 1, Paused: state.PauseUser, Reason: "the user left", UpdatedAt: at(2 * time.Hour), Buckets: map[state.Bucket]int{state.BucketOpen: 12}},
		{ID: "20260303-c", Workspace: "/home/ada/parsers", Answer: "The second one:\nit alone reads every file that the tests have.", Question: "Which of the three\nparsers do we keep? Two of them\nare slow.", Format: consult.Name, Seats: seats[:1], Phase: state.Crystallization, Round: 7, Exit: state.ExitConverged, Closed: true, UpdatedAt: at(50 * time.Hour), Buckets: map[state.Bucket]int{state.BucketAgreed: 5, state.BucketUnresolved: 1}},
		{ID: "20260302-d", Workspace: "/home/ada/parsers", Name: "The importer", Question: "Rewrite the importer, or mend it where it breaks, given that the format changes twice a year?", Format: consult.Name, Seats: seats, Round: 8, Exit: state.ExitCap, Closed: true, Inconclusive: true, UpdatedAt: at(72 * time.Hour), Buckets: map[state.Bucket]int{state.BucketUnresolved: 4, state.BucketNotEvaluated: 2}},
		{ID: "20260301-e", Question: "What does the old tool do?", Format: consult.Name, UpdatedAt: at(96 * time.Hour), Broken: "line 12 does not follow from line 11; the file was left as it is"},
	}
}

// someFound are participants and an agent program.
func someFound() home.Candidates {
	return home.Candidates{
		Found: []home.Candidate{
			{Name: "openai:gpt-5.2", Title: "OpenAI", Why: "OPENAI_API_KEY is set", Usable: true},
			{Name: "ollama:qwen3", Title: "Ollama", Why: "it answers at http://localhost:11434", Usable: true, Local: true},
			{Name: "claude-code", Title: "Claude Code", Why: "/usr/bin/claude is on the PATH", Local: true},
		},
		Orchestrator: "openai:gpt-5.2", Consultee: "ollama:qwen3", Workspace: "/home/ada/queue",
	}
}

// house is a home whose functions note what they are asked.
type house struct {
	sessions []store.Summary
	listing  error
	found    home.Candidates
	asked    []home.Question
	refusal  error
	earlier  []view.Choice
	opened   []string
	deleted  []string
	// preview reads what a session answers; nil answers with its ID.
	preview func(id string) (view.Document, error)
	// hits are what a search finds; searched are the words that were searched for.
	hits     search.Result
	searched []string
	tagged   map[string]store.Tags
	// later has tags that all sessions got after they were listed.
	later store.Tags
}

func (h *house) home() *Home {
	h.tagged = map[string]store.Tags{}
	return &Home{
		List: func(context.Context, func(store.Progress)) ([]store.Summary, error) { return h.sessions, h.listing },
		Open: func(_ context.Context, id string, replay bool) (Opened, error) {
			h.opened = append(h.opened, fmt.Sprint(id, " ", replay))
			return h.open(id), h.refusal
		},
		Delete: func(_ context.Context, id string) error {
			h.deleted = append(h.deleted, id)
			return h.refusal
		},
		Here: "/home/ada/queue",
		Preview: func(_ context.Context, id string) (view.Document, error) {
			if h.preview != nil {
				return h.preview(id)
			}
			answer := view.Section{Title: "ANSWER", Items: []view.Item{{Text: "The answer of " + id + "."}}, Uncounted: true}
			return view.Document{Title: "The question of " + id, Answer: answer}, nil
		},
		Search: func(_ context.Context, words string) (search.Result, error) {
			h.searched = append(h.searched, words)
			return h.hits, h.refusal
		},
		ChangeTags: func(_ context.Context, id string, change func(*store.Tags)) error {
			if h.refusal == nil {
				tags := h.later
				for i := range h.sessions {
					if s := &h.sessions[i]; s.ID == id {
						tags = store.Tags{Name: s.Name, Tags: append(slices.Clone(s.Tags), h.later.Tags...)}
					}
				}
				change(&tags)
				h.tagged[id] = tags
			}
			return h.refusal
		},
	}
}

func (h *house) services() Services {
	return Services{
		New: func(_ context.Context, q home.Question) (Opened, error) {
			h.asked = append(h.asked, q)
			return h.open("new"), h.refusal
		},
		Found: func(context.Context) home.Candidates { return h.found },
		Earlier: func(context.Context, home.Question) ([]view.Choice, []string) {
			return h.earlier, []string{"old:P2 was decided, evidence changed: it is safe (a.go:1 changed)"}
		},
	}
}

func (h *house) open(id string) Opened {
	return Opened{
		State: &state.State{ID: id, Question: "the question of " + id}, ResumeCommand: "moot resume " + id,
		Start: func(func(protocol.Notice)) (Session, error) { return &noting{}, nil },
	}
}

// homeOf is the model of a home screen whose sessions were read.
func homeOf(t testing.TB, h *house, o Options, width, height int) *Model {
	t.Helper()
	own := h.services()
	o.Services.New, o.Services.Found, o.Services.Earlier = own.New, own.Found, own.Earlier
	o.Home, o.Environ = h.home(), []string{"TERM=xterm-256color"}
	o.Now = func() time.Time { return protocoltest.RecordTime().Add(time.Hour) }
	if o.Themes == nil {
		o.Themes = ownThemes()
	}
	m := newModel(o)
	m.resting = 0
	m.width, m.height = width, height
	m.rearrange()
	finish(m, m.readHome(""))
	m.rearrange()
	finish(m, m.showPreview())
	return m
}

// typeAtHome presses keys, and waits for what they set off.
func typeAtHome(m *Model, keys string) {
	for name := range strings.FieldsSeq(keys) {
		cmd := press(m, name)
		if !m.atHome {
			// A session listens without an end.
			return
		}
		finish(m, cmd)
	}
}

// The first start says what was found and what to do, and is never an error.
func TestFirstStart(t *testing.T) {
	m := homeOf(t, &house{}, Options{NoColor: true}, 80, 24)
	for _, says := range []string{"n  ask a question", "moot demo", "export OPENAI_API_KEY", "no key in the environment"} {
		if !strings.Contains(screenText(m), says) {
			t.Errorf("it does not say %q:\n%s", says, screenText(m))
		}
	}
	m = homeOf(t, &house{found: someFound()}, Options{NoColor: true}, 80, 24)
	if text := screenText(m); !strings.Contains(text, "OpenAI: OPENAI_API_KEY is set") || strings.Contains(text, "export OPENAI") {
		t.Errorf("it does not say what was found:\n%s", text)
	}
}

// Before anything is read the screen is there.
func TestHomeIsThereAtOnce(t *testing.T) {
	o := Options{NoColor: true, Home: (&house{}).home(), Environ: []string{"TERM=xterm"}, Width: 80, Height: 24, Now: time.Now}
	m := newModel(o)
	m.rearrange()
	if text := screenText(m); !strings.Contains(text, "reading your sessions") || strings.Contains(text, "asks a question\n") {
		t.Errorf("got:\n%s", text)
	}
}

// The selected session stays selected while the filter changes, and enter opens it.
func TestTheFilterKeepsTheSelection(t *testing.T) {
	h := &house{sessions: someSessions()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	typeAtHome(m, "=Which_of_the_three / z esc")
	if m.home.Selected() != "20260303-c" {
		t.Errorf("%s is selected", m.home.Selected())
	}
	typeAtHome(m, "/ t h e =Rewrite_the_importer enter")
	if fmt.Sprint(h.opened) != "[20260302-d false]" || m.atHome {
		t.Errorf("opened %q", h.opened)
	}
}

func TestHomeKeys(t *testing.T) {
	for _, test := range []struct{ name, keys, want string }{
		{"enter goes on", "enter", "opened [20260304-a false]"},
		{"enter looks at a finished one", "=Which_of_the_three enter", "opened [20260303-c false]"},
		{"r replays", "=Is_the_cache r", "opened [20260304-b true]"},
		{"a broken one is never opened", "=What_does_the_old_tool_do enter", "says the session file is broken and was left as it is: line 12"},
		{"delete asks", "d enter", "deleted []"},
		{"delete, and mean it", "=Is_the_cache d y enter", "deleted [20260304-b]"},
		{"delete, and think better", "d y esc", "deleted []"},
		{"f forks", "=Is_the_cache f", "forked [20260304-b 0]"},
		{"x exports", "x / j s o n enter o u t enter", "exported [{20260304-a json out}]"},
		{"y copies", "y", "says 20260304-a: sent to the terminal"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &house{sessions: someSessions()}
			var forked []string
			var exported []Export
			m := homeOf(t, h, Options{NoColor: true, Services: Services{
				Fork: func(_ context.Context, id string, at int) (Opened, error) {
					forked = append(forked, fmt.Sprint(id, " ", at))
					return h.open(id + "-fork"), nil
				},
				Export: func(_ context.Context, e Export) (string, error) {
					exported = append(exported, e)
					return e.Path, nil
				},
			}}, 100, 30)
			typeAtHome(m, test.keys)
			got := map[string]string{
				"opened": fmt.Sprint(h.opened), "deleted": fmt.Sprint(h.deleted), "forked": fmt.Sprint(forked),
				"exported": fmt.Sprint(exported), "says": m.flash,
			}
			what, want, _ := strings.Cut(test.want, " ")
			if !strings.HasPrefix(got[what], want) {
				t.Errorf("%s %q, want %q", what, got[what], want)
			}
		})
	}
}

// What cannot be opened or deleted says why, and the list stays.
func TestHomeSaysWhyNot(t *testing.T) {
	h := &house{sessions: someSessions(), refusal: errors.New("a.jsonl is open in another moot")}
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	for _, keys := range []string{"enter", "d y enter"} {
		typeAtHome(m, keys)
		if !m.atHome || !strings.Contains(screenText(m), "is open in another moot") {
			t.Errorf("%s: it does not say why:\n%s", keys, screenText(m))
		}
	}
	m = homeOf(t, &house{listing: errors.New("read the folder: permission denied")}, Options{NoColor: true}, 100, 30)
	if !strings.Contains(screenText(m), "permission denied") {
		t.Errorf("it does not say why:\n%s", screenText(m))
	}
}

// Values for one format are kept while another is selected, and only those of the selected format are submitted.
func TestAProposalIsAskedForFromHome(t *testing.T) {
	h := &house{found: someFound()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 40)
	typeAtHome(m, "n @ c tab tab / c o m p a r e enter a enter b shift+tab shift+tab / d i a l e c tab / d e s i g n tab")
	if text := screenText(m); !strings.Contains(text, "Pressure-tester") || strings.Contains(text, "Framing") {
		t.Errorf("the fields are not those of a proposal:\n%s", text)
	}
	typeAtHome(m, "shift+tab shift+tab / c o n s u l t tab")
	if v := m.question.Values(); v["framing"] != "compare" || v["option"] != "a\nb" || v["playbook"] != "" {
		t.Errorf("what was filled in is lost: %q", v)
	}
	typeAtHome(m, "shift+tab / d i a l e c tab ctrl+s")
	if len(h.asked) != 1 {
		t.Fatalf("asked %+v", h.asked)
	}
	q, v := h.asked[0], h.asked[0].Settings
	if q.Text != "@c" || q.Format != dialectic.Name || q.Step || v["proposer"] != "ollama:qwen3" || v["pressure-tester"] != "openai:gpt-5.2" ||
		v["playbook"] != "design-review" || v["workspace"] != "/home/ada/queue" || v["framing"] != "" {
		t.Errorf("asked %+v", q)
	}
}

// Home, a session and home again.
func TestAQuestionIsAskedFromHome(t *testing.T) {
	h := &house{sessions: someSessions(), found: someFound()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 40)
	typeAtHome(m, "n W h y tab tab / c o m p a r e tab a enter b ctrl+s")
	if len(h.asked) != 1 {
		t.Fatalf("asked %+v", h.asked)
	}
	q, v := h.asked[0], h.asked[0].Settings
	if q.Text != "Why" || q.Format != consult.Name || v["framing"] != "compare" || v["mode"] != "standard" ||
		v["orchestrator"] != "openai:gpt-5.2" || v["consultee"] != "ollama:qwen3" || v["option"] != "a\nb" || v["workspace"] != "/home/ada/queue" {
		t.Errorf("asked %+v", q)
	}
	if m.atHome || m.opened.ResumeCommand != "moot resume new" || m.dialog() != nil {
		t.Fatal("the session is not shown")
	}
	m.start.Do(func() { close(m.over) })
	typeKeys(m, "q")
	m.receiveItem(sessionOver{m.session, nil})
	left := m.left()
	if !m.atHome || m.flash != "" {
		t.Errorf("home %v, it says %q before the session can be opened", m.atHome, m.flash)
	}
	finish(m, left)
	if m.flash != "saved; press enter to continue" {
		t.Errorf("home %v, it says %q", m.atHome, m.flash)
	}
	typeAtHome(m, "n")
	if v := m.question.Values(); v["question"] != "" {
		t.Errorf("the question that was asked is still typed: %q", v["question"])
	}
}

// Keys do nothing to a session until the list is read, since another session is selected before.
// What earlier sessions agreed on is offered between the form and the session, and esc leads back to the form.
func TestEarlierDecisionsAreOffered(t *testing.T) {
	h := &house{sessions: someSessions(), found: someFound(), earlier: []view.Choice{
		{Value: "old:P1", Label: "The limit is eight (retry.go:3)"}, {Value: "old:P3", Label: "The timeout is 30 s (retry.go:4)"},
	}}
	m := homeOf(t, h, Options{NoColor: true}, 100, 40)
	typeAtHome(m, "n W h y ctrl+s")
	if len(h.asked) != 0 || m.dialog() == nil {
		t.Fatalf("asked %+v before the user was offered anything", h.asked)
	}
	text := screenText(m)
	for _, want := range []string{"Earlier sessions agreed on these", "The limit is eight (retry.go:3)", "old:P2 was decided, evidence changed"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	typeAtHome(m, "esc")
	if v := m.question.Values(); v["question"] != "Why" || !m.atHome {
		t.Errorf("esc lost the question: %v", v)
	}
	typeAtHome(m, "ctrl+s down space ctrl+s")
	if len(h.asked) != 1 || !slices.Equal(h.asked[0].Earlier, []string{"old:P3"}) {
		t.Errorf("asked %+v", h.asked)
	}
}

func TestKeysWaitUntilTheSessionsAreRead(t *testing.T) {
	for key, done := range map[string]func(h *house, m *Model) bool{
		"enter": func(h *house, m *Model) bool { return !m.atHome && slices.Equal(h.opened, []string{"new false"}) },
		"r":     func(h *house, m *Model) bool { return !m.atHome && slices.Equal(h.opened, []string{"new true"}) },
		"d":     func(_ *house, m *Model) bool { return m.atHome && strings.Contains(screenText(m), "Delete new?") },
	} {
		h := &house{sessions: someSessions()}
		m := homeOf(t, h, Options{NoColor: true}, 100, 40)
		typeAtHome(m, "n W h y ctrl+s")
		m.start.Do(func() { close(m.over) })
		h.sessions = append([]store.Summary{{ID: "new", Question: "Why"}}, h.sessions...)
		read := m.goHome()
		m.Update(keyOf(key))
		if len(h.opened) != 0 || m.dialog() != nil || !strings.Contains(screenText(m), "still being read") {
			t.Errorf("%s opened %q, dialog %v:\n%s", key, h.opened, m.dialog(), screenText(m))
		}
		finish(m, read)
		typeAtHome(m, key)
		if !done(h, m) {
			t.Errorf("%s opened %q:\n%s", key, h.opened, screenText(m))
		}
	}
}

// An error shows at its field, and what was typed stays, also until the next n.
func TestAQuestionThatIsRefusedStays(t *testing.T) {
	h := &house{sessions: someSessions(), found: someFound(), refusal: &view.FieldError{Key: "context", Err: errors.New("there is no file notes.md")}}
	m := homeOf(t, h, Options{NoColor: true}, 100, 40)
	typeAtHome(m, "n W h y ctrl+s")
	if text := screenText(m); !strings.Contains(text, "! there is no file notes.md") || !strings.Contains(text, "Why") {
		t.Errorf("the error is not at its field:\n%s", text)
	}
	typeAtHome(m, "esc n")
	if v := m.question.Values(); v["question"] != "Why" || m.dialog() != m.question.formDialog {
		t.Errorf("what was typed is lost: %q", v)
	}
}

// A change is named in the form for a review, or left out. A wrong one is refused at its field, and nothing is lost.
func TestAChangeIsReviewedFromHome(t *testing.T) {
	h := &house{found: someFound()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 40)
	typeAtHome(m, "n tab / r e v i e w tab")
	if text := screenText(m); !strings.Contains(text, "Change") || strings.Contains(text, "Question") {
		t.Errorf("the fields are not those of a review:\n%s", text)
	}
	h.refusal = &view.FieldError{Key: "question", Err: errors.New("there is no commit nope")}
	typeAtHome(m, "shift+tab shift+tab n o p e ctrl+s")
	if text := screenText(m); !strings.Contains(text, "! there is no commit nope") || m.question.Values()["question"] != "nope" {
		t.Errorf("the error is not at the change:\n%s", text)
	}
	h.refusal = nil
	typeAtHome(m, "backspace backspace backspace backspace ctrl+s")
	if n := len(h.asked); n == 0 || h.asked[n-1].Text != "" || h.asked[n-1].Format != review.Name || m.atHome {
		t.Errorf("asked %+v, at home %t:\n%s", h.asked, m.atHome, screenText(m))
	}
}
