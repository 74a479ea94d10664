package search_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/search"
	"moot/state"
	"moot/state/store"
)

// home is a state folder with sessions.
type home struct {
	t   testing.TB
	dir string
}

func newHome(t testing.TB) *home {
	t.Helper()
	return &home{t, filepath.Join(t.TempDir(), "sessions")}
}

// save writes the session file of some events.
func (h *home) save(id string, events []state.Event) {
	h.t.Helper()
	f, err := store.Create(h.dir, id)
	if err == nil {
		err = f.Append(events)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// ask saves a session with a question and claims.
func (h *home) ask(id, question string, claims ...string) {
	h.t.Helper()
	h.save(id, h.events(id, question, claims...))
}

// saveUnits is ask with each event in a unit of its own, so that damage does not concern those before.
func (h *home) saveUnits(id, question string, claims ...string) {
	h.t.Helper()
	f, err := store.Create(h.dir, id)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range h.events(id, question, claims...) {
		if err := f.Append([]state.Event{e}); err != nil {
			h.t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) events(id, question string, claims ...string) []state.Event {
	h.t.Helper()
	r := protocoltest.NewRecord(h.t)
	opened := protocoltest.ConsultOpened()
	opened.ID, opened.Question = id, question
	r.Add(opened)
	for i, text := range claims {
		r.Add(&state.PointRaised{ID: state.NextID('P', i), By: state.Consultee, Text: text})
	}
	return r.Events
}

func (h *home) index() *search.Index { return search.Open(h.dir, formats.Rules()...) }

// path is the file of a session.
func (h *home) path(id string) string { return filepath.Join(h.dir, id+".jsonl") }

// find searches and fails the test on an error.
func (h *home) find(q search.Query) search.Result {
	h.t.Helper()
	result, err := h.index().Find(h.t.Context(), q)
	if err != nil {
		h.t.Fatal(err)
	}
	if result.Missing > 0 || result.Problem != "" {
		h.t.Errorf("%d sessions are missing: %q", result.Missing, result.Problem)
	}
	return result
}

// hits are the sessions and places that have the words, as "s1 P1", in order.
func (h *home) hits(words string) []string {
	h.t.Helper()
	return named(h.find(search.Query{Words: words}))
}

func named(r search.Result) []string {
	list := []string{}
	for _, hit := range r.Hits {
		list = append(list, strings.TrimSpace(hit.Session+" "+hit.Place))
	}
	return list
}

func (h *home) want(words string, want ...string) {
	h.t.Helper()
	got := h.hits(words)
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		h.t.Errorf("%q finds %q, want %q", words, got, want)
	}
}

func TestFindsWordsInAnyForm(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?", "XAUTOCLAIM covers it in queue/consumer.go:88", "readTheFile calls parse_all_lines",
		"Die Größe der Straße zählt", "HTTPServer has a naïve café", "数据库连接池会泄漏", "データベースの接続", "데이터베이스를 닫는다",
		"ฐานข้อมูลช้า", "用Redis做队列", "Εξωτερικός ΟΔΌΣ")
	for words, want := range map[string][]string{
		"xautoclaim":           {"s1 P1"},
		"XAutoCl":              {"s1 P1"},
		"consumer.go":          {"s1 P1"},
		"queue/consumer.go:88": {"s1 P1"},
		"consumer.go:8":        {"s1 P1"},
		"consumer.go:99":       {},
		"file reads the":       {},
		"file read":            {"s1 P2"},
		"readthefile":          {"s1 P2"},
		"readTheF":             {"s1 P2"},
		"thefile":              {},
		"the_file":             {"s1 P2"},
		"all_lines":            {"s1 P2"},
		"lines_all":            {},
		"grosse STRASSE":       {"s1 P3"},
		"große":                {"s1 P3"},
		"zahlt":                {"s1 P3"},
		"server cafe NAIVE":    {"s1 P4"},
		"http":                 {"s1 P4"},
		"数据":                   {"s1 P5"},
		"数":                    {"s1 P5"},
		"漏":                    {"s1 P5"},
		"数据库连接池会泄漏":            {"s1 P5"},
		"连接 数据库":               {"s1 P5"},
		"据数":                   {},
		"データベース":               {"s1 P6"},
		"ﾃﾞｰﾀﾍﾞｰｽ":             {"s1 P6"},
		"接続":                   {"s1 P6"},
		"接":                    {"s1 P5", "s1 P6"},
		"데이터베이스":               {"s1 P7"},
		"이스":                   {"s1 P7"},
		"ข้อมูล":               {"s1 P8"},
		"ช้า":                  {"s1 P8"},
		"redis":                {"s1 P9"},
		"Redis做队列":             {"s1 P9"},
		"队列":                   {"s1 P9"},
		"用Redis":               {"s1 P9"},
		"οδος":                 {"s1 P10"},
		"queue":                {"s1", "s1 P1"},
		"nothing of this":      {},
	} {
		h.want(words, want...)
	}
}
