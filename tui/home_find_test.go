package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/search"
	"moot/state/store"
	"moot/tui/home"
	"moot/tui/pane"
	"moot/view"
)

// Enter on a place that a search found opens its session there.
func TestFoundPlaceIsOpened(t *testing.T) {
	r := protocoltest.EveryBucket(t)
	for _, test := range []struct {
		place, selects string
		focus          pane.ID
	}{
		{"P3", "P3", pane.PointID}, {"C1", "C1", pane.PointID}, {"E1", "E1", pane.PointID}, {"F1", "F1", pane.LedgerID}, {"Q1", "Q1", pane.ResultID}, {"", "", pane.DebateID},
	} {
		h := &house{sessions: someSessions(), hits: search.Result{Hits: []search.Hit{
			{Session: "20260303-c", Question: "Which?", Place: test.place, Kind: "claim", Snippet: "a deadline is argued"},
		}}}
		o := Options{NoColor: true}
		m := homeOf(t, h, o, 120, 30)
		m.options.Home.Open = func(_ context.Context, id string, _ bool) (Opened, error) {
			h.opened = append(h.opened, id)
			return Opened{State: r.State, Rulings: resolver.Rule(r.State), Events: r.Events}, nil
		}
		typeAtHome(m, "/ d e a d l i n e")
		if text := screenText(m); !strings.Contains(text, "In what was argued  1 place in 1 session") || !strings.Contains(text, "a deadline is argued") {
			t.Fatalf("the place is not listed:\n%s", text)
		}
		typeAtHome(m, "enter")
		if m.atHome || !slices.Equal(h.opened, []string{"20260303-c"}) || m.focus != test.focus {
			t.Errorf("%q opens %q at %s", test.place, h.opened, m.focus)
		}
		if test.focus == pane.PointID && m.topic != m.pointOf(test.place) {
			t.Errorf("%q shows %s", test.place, m.topic)
		}
		if oneOf(test.focus, pane.LedgerID, pane.ResultID) && m.paneOf(m.focus).Selected() != test.selects {
			t.Errorf("%q selects %q", test.place, m.paneOf(m.focus).Selected())
		}
	}
}

// Each key finds names. Once the typing rests, the last words are searched for in the sessions, and an earlier search ends.
func TestSearchWaitsUntilTypingRests(t *testing.T) {
	h := &house{sessions: someSessions()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	var waiting []tea.Cmd
	for key := range strings.FieldsSeq("/ c a c") {
		waiting = append(waiting, press(m, key))
	}
	if text := screenText(m); !strings.Contains(text, "1 of 5 sessions") || !strings.Contains(text, "searching") {
		t.Errorf("names are not found at once:\n%s", text)
	}
	finish(m, waiting...)
	if !slices.Equal(h.searched, []string{"cac"}) {
		t.Errorf("searched for %q", h.searched)
	}
	var ended []error
	m.options.Home.Search = func(ctx context.Context, words string) (search.Result, error) {
		if words == "cach" {
			press(m, "e") // A key while the search is under way.
			ended = append(ended, ctx.Err())
		}
		return search.Result{Hits: []search.Hit{{Session: "x", Snippet: "found " + words}}}, nil
	}
	finish(m, press(m, "h"))
	if len(ended) != 1 || !errors.Is(ended[0], context.Canceled) || strings.Contains(screenText(m), "found cach") {
		t.Errorf("the earlier search goes on: %v\n%s", ended, screenText(m))
	}
	typeAtHome(m, "!")
	if !strings.Contains(screenText(m), "found cache!") {
		t.Errorf("the last words are not found:\n%s", screenText(m))
	}
	typeAtHome(m, "esc")
	if text := screenText(m); strings.Contains(text, "argued") || !strings.Contains(text, "5 sessions:") {
		t.Errorf("what was found stays:\n%s", text)
	}
}

// The screen says which sessions a search did not read, and why it failed or is disabled.
func TestSearchSaysWhatItLacks(t *testing.T) {
	for name, test := range map[string]struct {
		house house
		says  []string
	}{
		"nothing":    {house{}, []string{"In what was argued  nothing found"}},
		"not read":   {house{hits: search.Result{Missing: 3, Unread: []string{"a", "b"}}}, []string{"3 sessions not read yet, 2 damaged sessions searched up to the damage"}},
		"a problem":  {house{hits: search.Result{Missing: 1, Problem: "the disk is full", Rebuilt: true}}, []string{"1 session not read: the disk is full, the search cache was damaged"}},
		"no word":    {house{hits: search.Result{NoWords: true}}, []string{"In what was argued  type a letter or a digit"}},
		"it failed":  {house{refusal: errors.New("the cache cannot be opened: permission denied")}, []string{"the cache cannot be opened"}},
		"best first": {house{hits: search.Result{Hits: []search.Hit{{Session: "x"}}, More: true}}, []string{"the best 1 place in 1 session"}},
	} {
		h := test.house
		h.sessions = someSessions()
		m := homeOf(t, &h, Options{NoColor: true}, 100, 30)
		typeAtHome(m, "/ z z")
		for _, says := range test.says {
			if !strings.Contains(screenText(m), says) {
				t.Errorf("%s: it does not say %q:\n%s", name, says, screenText(m))
			}
		}
	}
	m := newModel(Options{Home: &Home{NoSearch: "MOOT_STATE_DIR is on a disk that is full"}, Now: time.Now, Width: 100, Height: 30})
	m.home.SetData(home.Prepare(&home.Source{Sessions: someSessions()}), nil)
	m.rearrange()
	typeKeys(m, "/ c a c h e")
	if text := screenText(m); !strings.Contains(text, "1 of 5 sessions; names only: MOOT_STATE_DIR is on a disk that is full") {
		t.Errorf("it does not say why:\n%s", text)
	}
}

// Sessions that were not read in time are read by searching again, as long as they become fewer.
func TestSearchGoesOnWhileSessionsAreRead(t *testing.T) {
	m := homeOf(t, &house{sessions: someSessions()}, Options{NoColor: true}, 100, 30)
	missing := []int{30, 20, 20}
	m.options.Home.Search = func(context.Context, string) (search.Result, error) {
		r := search.Result{Missing: missing[0], Hits: []search.Hit{{Session: "b", Snippet: "the first that is found"}}}
		if missing = missing[1:]; len(missing) < 2 {
			r.Hits = append([]search.Hit{{Session: "a", Snippet: "a better one"}}, r.Hits...)
		}
		return r, nil
	}
	typeAtHome(m, "/ x")
	if m.home.Selected() != "b" {
		t.Errorf("the selection moved to %q", m.home.Selected())
	}
	if len(missing) != 0 || !strings.Contains(screenText(m), "20 sessions not read yet") {
		t.Errorf("it stopped before %v:\n%s", missing, screenText(m))
	}
}

// Tags, names, repositories and participants are found.
func TestFindByName(t *testing.T) {
	for words, want := range map[string]string{
		"#cache": "20260304-b", "importer twice": "20260302-d", "parsers second": "", "ada/parsers which": "20260303-c", "qwen3 safe": "20260304-b",
	} {
		h := &house{sessions: someSessions()}
		m := homeOf(t, h, Options{NoColor: true}, 100, 30)
		typeAtHome(m, "/")
		m.Update(tea.PasteMsg{Content: words})
		if got := m.home.Selected(); got != want {
			t.Errorf("%q finds %q, want %q", words, got, want)
		}
	}
}

// Marked sessions are deleted after one question that names them. One that stays does not keep the others.
func TestSeveralAreDeleted(t *testing.T) {
	h := &house{sessions: someSessions()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	typeAtHome(m, "=Is_the_cache space =Which_of_the_three space =The_importer space =The_importer space d")
	if text := screenText(m); !strings.Contains(text, "Delete 2 sessions?") || !strings.Contains(text, "Is the cache safe under load?") || strings.Contains(text, "· Rewrite") {
		t.Fatalf("the question does not name them:\n%s", text)
	}
	typeAtHome(m, "esc")
	if len(h.deleted) != 0 {
		t.Fatalf("deleted %q", h.deleted)
	}
	m.options.Home.Delete = func(_ context.Context, id string) error {
		if id == "20260304-b" {
			return errors.New("20260304-b is open in another moot")
		}
		h.deleted = append(h.deleted, id)
		h.sessions = slices.DeleteFunc(h.sessions, func(s store.Summary) bool { return s.ID == id })
		return nil
	}
	typeAtHome(m, "d y enter")
	if !slices.Equal(h.deleted, []string{"20260303-c"}) || !strings.Contains(m.flash, "deleted 1 session; 1 stay: 20260304-b is open") {
		t.Errorf("deleted %q: %s", h.deleted, m.flash)
	}
	if marked := m.home.Marked(); len(marked) != 1 || marked[0].ID != "20260304-b" {
		t.Errorf("marked %v", marked)
	}
	typeAtHome(m, "esc")
	if len(m.home.Marked()) != 0 {
		t.Error("esc does not take the marks away")
	}
}

// A form sets a name and tags. It keeps its text if they are refused.
func TestSessionsAreTagged(t *testing.T) {
	h := &house{sessions: someSessions()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	typeAtHome(m, "=Is_the_cache t space # h o t enter")
	if got := h.tagged["20260304-b"]; fmt.Sprint(got) != "{ [cache later hot]}" || m.flash != "tagged cache later hot" {
		t.Errorf("tagged %v: %s", got, m.flash)
	}
	h.later.Tags = []string{"new"}
	typeAtHome(m, "=Is_the_cache t space x enter")
	if got := h.tagged["20260304-b"]; fmt.Sprint(got) != "{ [new cache later x]}" {
		t.Errorf("a tag that the form did not show is gone: %v", got)
	}
	h.later.Tags = nil
	typeAtHome(m, "=The_importer e ! enter")
	if got := h.tagged["20260302-d"]; got.Name != "The importer!" {
		t.Errorf("named %q", got.Name)
	}
	typeAtHome(m, "=Is_the_cache space =The_importer space t h o t space - c a c h e enter")
	if b, d := h.tagged["20260304-b"], h.tagged["20260302-d"]; fmt.Sprint(b, d) != "{ [later hot]} {The importer [hot]}" {
		t.Errorf("tagged %v and %v: %s", b, d, m.flash)
	}
	typeAtHome(m, "esc =The_importer")
	h.refusal = errors.New("the disk is full")
	typeAtHome(m, "e ? enter")
	if text := screenText(m); !strings.Contains(text, "the disk is full") || !strings.Contains(text, "The importer?") {
		t.Errorf("what was typed is lost:\n%s", text)
	}
}

// The preview is read when the selection rests, once for each version of a file, and only the selected session is shown.
func TestPreviewIsReadOnceSelectionRests(t *testing.T) {
	h := &house{sessions: someSessions()}
	var read []string
	h.preview = func(id string) (view.Document, error) {
		read = append(read, id)
		if id == "20260303-c" {
			return view.Document{}, errors.New("line 3 is damaged")
		}
		return view.Document{Title: "Q", Answer: view.Section{Title: "ANSWER", Items: []view.Item{{Text: "The answer of " + id}}}}, nil
	}
	m := homeOf(t, h, Options{NoColor: true}, 120, 30)
	if !slices.Equal(read, []string{"20260304-a"}) || !strings.Contains(screenText(m), "The answer of 20260304-a") {
		t.Fatalf("read %q:\n%s", read, screenText(m))
	}
	waiting := []tea.Cmd{press(m, "down"), press(m, "down")}
	if text := screenText(m); !strings.Contains(text, "reading its answer") || strings.Contains(text, "The answer of") {
		t.Errorf("the preview is of another session:\n%s", text)
	}
	finish(m, waiting...)
	if !slices.Equal(read, []string{"20260304-a", "20260303-c"}) || !strings.Contains(screenText(m), "line 3 is damaged") {
		t.Errorf("read %q:\n%s", read, screenText(m))
	}
	typeAtHome(m, "home")
	if len(read) != 2 || !strings.Contains(screenText(m), "The answer of 20260304-a") {
		t.Errorf("it is read again: %q", read)
	}
	h.sessions[0].Size++
	finish(m, m.listSessions(""))
	if len(read) != 3 {
		t.Errorf("a file that changed is not read again: %q", read)
	}
	m = homeOf(t, h, Options{NoColor: true}, 119, 30)
	if len(read) != 3 || strings.Contains(screenText(m), "The answer of") {
		t.Errorf("a preview that is not shown is read: %q", read)
	}
}

// While a session runs the list is read again by itself, and the selection stays. When none runs, nothing happens.
func TestHomeFollowsRunningSessions(t *testing.T) {
	h := &house{sessions: someSessions()}
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	m.options.Home.Every = time.Nanosecond
	typeAtHome(m, "=The_importer")
	again := m.listAgain()
	if again == nil || m.listAgain() != nil {
		t.Fatal("the list is not read again once")
	}
	h.sessions = someSessions()
	h.sessions[0].Closed, h.sessions[0].Answer = true, "Streams."
	h.sessions = append([]store.Summary{{ID: "new", Question: "A new one?", Closed: true, UpdatedAt: h.sessions[0].UpdatedAt.Add(time.Minute)}}, h.sessions...)
	finish(m, again)
	if m.home.Selected() != "20260302-d" || !strings.Contains(screenText(m), "Streams.") || m.home.Len() != 6 {
		t.Errorf("%s is selected:\n%s", m.home.Selected(), screenText(m))
	}
	if m.refreshing || m.listAgain() != nil {
		t.Error("it goes on although nothing runs")
	}
}

// A list that is read again stays where the user scrolled to, also if the selected session is not visible there.
func TestHomeKeepsItsPlace(t *testing.T) {
	h := &house{sessions: crowdedHome()[:100]}
	m := homeOf(t, h, Options{NoColor: true}, 100, 20)
	screenText(m)
	r := m.layout.Panes[pane.HomeID]
	m.home.Wheel(40, r.W, r.H)
	before := screenText(m)
	if m.home.Visible() {
		t.Fatalf("it did not scroll:\n%s", before)
	}
	h.sessions = append([]store.Summary{{ID: "new", Question: "A new one?", Closed: true, UpdatedAt: m.options.Now()}}, h.sessions...)
	h.sessions[0].Workspace = h.sessions[1].Workspace
	finish(m, m.listSessions(""))
	if after := screenText(m); m.home.Len() != 101 || strings.Replace(after, "101 sessions: 76", "100 sessions: 75", 1) != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// The list shows sessions while others are still read, and the session to select is selected when it comes.
func TestHomeShowsWhatIsReadSoFar(t *testing.T) {
	all := someSessions()
	h := &house{sessions: all}
	m := homeOf(t, &house{}, Options{NoColor: true}, 100, 30)
	m.home.Select("20260301-e")
	m.options.Home.List = func(_ context.Context, report func(store.Progress)) ([]store.Summary, error) {
		report(store.Progress{Done: 3, Total: 3200, Summaries: all[:3]})
		return h.sessions, nil
	}
	read := m.listSessions("")
	msg := read()
	m.deliver(m.inbox.take())
	if text := screenText(m); !strings.Contains(text, "reading 3 of 3,200 sessions") || !strings.Contains(text, "Which of the three") {
		t.Errorf("what is read is not shown:\n%s", text)
	}
	_, next := m.Update(msg)
	finish(m, next)
	if m.home.Selected() != "20260301-e" {
		t.Errorf("%s is selected", m.home.Selected())
	}
}

// If the cache cannot be written, home shows the list and says so.
func TestHomeSaysThatCacheCannotBeWritten(t *testing.T) {
	m := homeOf(t, &house{sessions: someSessions()}, Options{NoColor: true}, 100, 30)
	m.options.Home.Listed = func() error { return errors.New("keep a cache: the disk is full") }
	finish(m, m.listSessions(""))
	if !strings.Contains(screenText(m), "the disk is full") || m.home.Len() != 5 {
		t.Errorf("got:\n%s", screenText(m))
	}
}
