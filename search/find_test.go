package search_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/protocoltest"
	"moot/search"
	"moot/state"
	"moot/state/store"
)

func TestQueriesAreData(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?", "streams NEAR lists AND NOT maps", "C++ and a-b c:d * \"quoted\" (text)")
	for words, want := range map[string][]string{
		"streams AND lists":      {"s1 P1"},
		"streams OR nothing":     {},
		"streams NOT lists":      {"s1 P1"},
		"NEAR(streams lists, 5)": {},
		"NEAR streams":           {"s1 P1"},
		"parts:streams":          {},
		"^streams":               {"s1 P1"},
		"streams*":               {"s1 P1"},
		"-streams":               {"s1 P1"},
		`"`:                      {},
		`"streams" 'lists'`:      {"s1 P1"},
		`"quoted" (text`:         {"s1 P2"},
		"a-b c:d":                {"s1 P2"},
		"c++":                    {"s1 P2"},
		"'; DROP TABLE words --": {},
		"streams\x00lists":       {},
		"streams \xff\xfe lists": {"s1 P1"},
	} {
		h.want(words, want...)
	}
	for _, words := range []string{"", " ", "\"*()-", "…。、!?", "\x00\x1b[31m"[:1], "\u0301"} {
		if r := h.find(search.Query{Words: words}); len(r.Hits) > 0 || !r.NoWords {
			t.Errorf("%q: %+v", words, r)
		}
	}
	if _, err := h.index().Find(t.Context(), search.Query{Words: strings.Repeat("queue ", 200_000)}); err == nil {
		t.Error("a megabyte of words is taken")
	}
	if _, err := h.index().Find(t.Context(), search.Query{Words: manyWords(65)}); err == nil {
		t.Error("65 words are taken")
	}
	h.want(manyWords(64))
	h.want(strings.Repeat("queue ", 100), "s1")
	h.want(strings.Repeat("数", 1000))
	h.want(strings.Repeat("q", 4000))
}

func manyWords(n int) string {
	var words []string
	for i := range n {
		words = append(words, fmt.Sprintf("word%d", i))
	}
	return strings.Join(words, " ")
}

// TestHostileText checks that nothing in a session gets onto the screen with a snippet, and that marks are in it.
func TestHostileText(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?", "before \x1b[2Jneedle\x07 \u202eafter\r\n\tnext", "\x00\x00needle", strings.Repeat("\u0301", 3000)+" needle",
		"words FROM words; DROP TABLE words; needle \"' -- */", strings.Repeat("needle", 20_000), "x needle\xffneedle")
	r := h.find(search.Query{Words: "needle"})
	if len(r.Hits) < 5 {
		t.Errorf("%d hits", len(r.Hits))
	}
	for _, hit := range r.Hits {
		checkSnippet(t, hit)
	}
}

func checkSnippet(t *testing.T, hit search.Hit) {
	t.Helper()
	if plain.Line(hit.Snippet) != hit.Snippet || len(hit.Snippet) > 4000 {
		t.Errorf("%s is shown as %q", hit.Place, hit.Snippet)
	}
	at := 0
	for _, m := range hit.Marks {
		if m[0] < at || m[1] <= m[0] || m[1] > len(hit.Snippet) || !utf8.ValidString(hit.Snippet[m[0]:m[1]]) {
			t.Errorf("marks %v of %q", hit.Marks, hit.Snippet)
			return
		}
		at = m[1]
	}
}

func TestWordsInDifferentPlaces(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?", "streams keep order", "lists are simple")
	h.ask("s2", "Which cache?", "maps are fast", "streams and lists")
	h.ask("s3", "Which log?", "streams keep order")
	r := h.find(search.Query{Words: "lists streams"})
	if got := named(r); len(got) != 2 || got[0] != "s2 P2" || r.Hits[0].Partial || !r.Hits[1].Partial || r.Hits[1].Session != "s1" {
		t.Errorf("%q %+v", got, r.Hits)
	}
	// The words of a path must be next to each other in one place.
	h.want("order/simple queue")
	h.want("queue simple", "s1")
	if r := h.find(search.Query{Words: "lists streams", Bucket: state.BucketAgreed}); len(r.Hits) > 0 {
		t.Errorf("%q are agreed", named(r))
	}
}

// TestFrequentWords checks that a word that is everywhere is still found in sessions that have the others.
func TestFrequentWords(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?", "the streams", "the lists")
	for _, id := range []string{"s2", "s3", "s4"} {
		h.ask(id, "Which cache?", "the maps", "the trees", "the arrays")
	}
	h.ask("s5", "Which streams?", "a list")
	for _, limit := range []int{1, 2, 5, 100} {
		x := h.index()
		x.LimitApart(limit)
		for words, want := range map[string][]string{
			"queue the ":         {"s1"},
			"the streams queue ": {"s1"},
			"lists streams ":     {"s1"},
			"queue maps ":        {},
			"queue maps the ":    {},
		} {
			r, err := x.Find(t.Context(), search.Query{Words: words})
			if got := sessionsOf(r); err != nil || !slices.Equal(got, want) {
				t.Errorf("with %d places, %q is in %q, want %q: %v", limit, words, got, want, err)
			}
		}
	}
}

// TestRanking checks that questions come before claims and claims before quotes, and newer sessions before older ones.
func TestRanking(t *testing.T) {
	h := newHome(t)
	r := protocoltest.NewRecord(t)
	opened := protocoltest.ConsultOpened()
	opened.ID, opened.Question = "s1", "Which queue is the best?"
	r.Add(opened,
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "this is a claim"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: state.Consultee},
		&state.EvidenceVerified{
			ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Excerpt: "the queue of it",
			Admitted: true, Reason: "in place", Digest: "sha256:0",
		},
		&state.PointRaised{ID: "P2", By: state.Consultee, Text: "a queue is best now"},
	)
	h.save("s1", r.Events)
	if got := h.hits("queue"); !slices.Equal(got, []string{"s1", "s1 P2", "s1 E1"}) {
		t.Errorf("the order is %q", got)
	}
	for i, id := range []string{"t2", "t3", "t1"} {
		events := h.events(id, "Is the wheel round?")
		events[0].At = protocoltest.RecordTime().Add(time.Duration(i) * time.Hour)
		h.save(id, events)
	}
	if got := h.hits("wheel"); !slices.Equal(got, []string{"t1", "t3", "t2"}) {
		t.Errorf("the order is %q", got)
	}
}

func TestFilters(t *testing.T) {
	h := newHome(t)
	for id, change := range map[string]func(*state.SessionOpened){
		"s1": func(o *state.SessionOpened) { o.Settings.Workspace = "/src/shop" },
		"s2": func(o *state.SessionOpened) { o.Settings.Workspace = "/src/shop/api" },
		"s3": func(o *state.SessionOpened) { o.Settings.Workspace = "/src/shopping" },
		"s4": func(o *state.SessionOpened) { o.Settings.Workspace = "" },
	} {
		r := protocoltest.NewRecord(t)
		opened := protocoltest.ConsultOpened()
		opened.ID, opened.Question = id, "Which queue?"
		change(opened)
		r.Add(opened)
		if id == "s3" {
			r.Add(&state.SessionPaused{Why: state.PauseUser, Reason: "later"})
		}
		if id == "s4" {
			r.Events[0].At = r.Events[0].At.AddDate(-1, 0, 0)
		}
		h.save(id, r.Events)
	}
	everybucket := protocoltest.EveryBucket(t)
	everybucket.Rule()
	h.save("every", everybucket.Events)
	day := protocoltest.RecordTime()
	for name, c := range map[string]struct {
		q    search.Query
		want []string
	}{
		"folder":      {search.Query{Repository: "shop"}, []string{"s1"}},
		"path":        {search.Query{Repository: "/src/shop"}, []string{"s1", "s2"}},
		"workspace":   {search.Query{Workspace: "/src/shop"}, []string{"s1"}},
		"case":        {search.Query{Repository: "API"}, []string{"s2"}},
		"unknown":     {search.Query{Repository: "other"}, nil},
		"paused":      {search.Query{Status: store.StatusPaused}, []string{"s3"}},
		"cut off":     {search.Query{Status: store.StatusCutOff, Sessions: []string{"s1", "s3"}}, []string{"s1"}},
		"running":     {search.Query{Status: store.StatusRunning}, nil},
		"since":       {search.Query{Since: day.AddDate(0, 0, -1), Sessions: []string{"s1", "s4"}}, []string{"s1"}},
		"far future":  {search.Query{Since: day.AddDate(3000, 0, 0)}, nil},
		"format":      {search.Query{Format: "panel"}, nil},
		"no sessions": {search.Query{Sessions: []string{}}, nil},
		"per session": {search.Query{PerSession: 1, Sessions: []string{"s1", "every"}}, []string{"every", "s1"}},
	} {
		c.q.Words = "queue"
		r := h.find(c.q)
		got := slices.Compact(slices.Sorted(slices.Values(sessionsOf(r))))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if name == "per session" && (len(r.Hits) != 2 || !r.More) {
			t.Errorf("%q of each session, more: %v", named(r), r.More)
		}
	}
	for _, bucket := range state.Buckets() {
		for _, hit := range h.find(search.Query{Words: "the", Bucket: bucket}).Hits {
			if hit.Bucket != bucket {
				t.Errorf("%+v is not in %s", hit, bucket)
			}
		}
	}
	if r := h.find(search.Query{Words: "queries", Bucket: state.BucketNotEvaluated}); !slices.Contains(named(r), "every P7") {
		t.Errorf("%q", named(r))
	}
	if r := h.find(search.Query{Words: "queue", Limit: 2}); len(r.Hits) != 2 || !r.More {
		t.Errorf("%q more: %v", named(r), r.More)
	}
}

func sessionsOf(r search.Result) []string {
	var list []string
	for _, hit := range r.Hits {
		list = append(list, hit.Session)
	}
	return list
}

// TestAllFormats finds a claim, a fact or an item of evidence of each scenario of all formats by its own words.
func TestAllFormats(t *testing.T) {
	h := newHome(t)
	last := map[string]*protocoltest.Desk{}
	protocoltest.AllScenarios(t, "../protocol", func(t *testing.T, d *protocoltest.Desk) { last[t.Name()] = d })
	ids := map[string]*protocoltest.Desk{}
	for name, d := range last {
		id := strings.NewReplacer("/", "-", "TestAllFormats", "s").Replace(name)
		id = id[:min(len(id), 60)]
		ids[id] = d
		h.save(id, d.Events)
	}
	for id, d := range ids {
		s := d.State
		for _, p := range s.Points.All() {
			if len(strings.Fields(p.Text)) < 4 || len(p.Text) > 1000 {
				continue
			}
			r := h.find(search.Query{Words: p.Text, Sessions: []string{id}, Limit: 1000})
			if !slices.Contains(named(r), id+" "+p.ID) {
				t.Errorf("%q is not found as %s %s but in %q", p.Text, id, p.ID, named(r))
			}
			for _, hit := range r.Hits {
				checkSnippet(t, hit)
			}
			break
		}
	}
}

// TestNamesAndTags finds a session by the name and the tags that the user gave it, as soon as they change.
func TestNamesAndTags(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?", "streams keep order")
	h.want("migration")
	tag := func(tags store.Tags) {
		t.Helper()
		_, err := store.ChangeTags(h.path("s1"), func(now *store.Tags) error {
			*now = tags
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	tag(store.Tags{Name: "The big migration", Tags: []string{"redis", "to-do"}})
	r := h.find(search.Query{Words: "migration"})
	if len(r.Hits) != 1 || r.Hits[0].Kind != "name" || r.Hits[0].Place != "" {
		t.Errorf("%+v", r.Hits)
	}
	h.want("to-do redis", "s1")
	tag(store.Tags{Tags: []string{"redis"}})
	h.want("migration")
	h.want("redis streams", "s1")
	path := strings.TrimSuffix(h.path("s1"), ".jsonl") + ".tags.json"
	for _, tags := range []string{"tagged", "retagged"} {
		// A copy that keeps the time of the file is seen by its size, also a time that clocks do not show.
		write(t, path, `{"tags":["`+tags+`"]}`)
		if err := os.Chtimes(path, time.Unix(0, 0), time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		h.want(tags, "s1")
	}
	write(t, path, "no tags")
	h.want("redis")
	if r := h.find(search.Query{Words: "streams"}); len(r.Hits) != 1 || len(r.Unread) > 0 {
		t.Errorf("%+v", r)
	}
}
