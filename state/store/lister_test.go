package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
)

// someSessions are a folder with sessions in every way that a cache could get wrong.
func someSessions(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "sessions")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	event := func(seq int, data state.Payload) state.Event {
		return state.Event{Seq: seq, At: noon.Add(time.Duration(seq) * time.Second), Data: data}
	}
	keep(t, dir, "closed", noon, closing(1)...)
	keep(t, dir, "cut-off", noon.Add(time.Minute))
	keep(t, dir, "paused", noon.Add(2*time.Minute), event(2, &state.SessionPaused{
		Why: state.PauseUnreachable, Reason: "no credit", Failure: &state.Failure{Seat: "consultee", Kind: state.FailureLimit, Resets: noon},
	}))
	keep(t, dir, "answered", noon.Add(3*time.Minute), append([]state.Event{
		event(2, &state.PointRaised{ID: "P1", By: "consultee", Text: "streams keep what a worker lost"}),
		event(3, &state.Ruled{Round: 1, Rulings: []state.Ruling{{Point: "P1", Bucket: state.BucketAgreed}}}),
		event(4, &state.AnswerGiven{By: state.Orchestrator, Sentences: []state.Sentence{{ID: "S1", Text: "No, streams."}, {ID: "S2", Text: "They keep more."}}}),
	}, closing(4)...)...)
	return dir
}

// listed lists a folder through the cache, and saves it.
func listed(t *testing.T, dir string) []store.Summary {
	t.Helper()
	l := store.NewLister(dir)
	all, err := l.List(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	return all
}

func cacheOf(dir string) string { return filepath.Join(filepath.Dir(dir), "sessions.jsonl") }

// spoil changes a byte of a session without changing its size and its time.
func spoil(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
}

// The cache says what the files say, and files that did not change are not opened.
func TestListerReadsOnlyWhatChanged(t *testing.T) {
	dir := someSessions(t)
	want, err := store.List(dir)
	if err != nil || len(want) != 4 || want[0].Answer != "No, streams." || !want[2].CutOff {
		t.Fatalf("%+v, %v", want, err)
	}
	for _, which := range []string{"without a cache", "with it"} {
		if got := listed(t, dir); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", which, got, want)
		}
	}
	path := filepath.Join(dir, "closed.jsonl")
	spoil(t, path)
	if got := listed(t, dir); got[3].Broken != "" {
		t.Errorf("a file that did not change was opened: %s", got[3].Broken)
	}
	if err := os.Chtimes(path, noon, noon); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := listed(t, dir); got[3].Broken == "" || got[3].ID != "closed" {
			t.Errorf("the damaged file is not listed as damaged: %+v", got[3])
		}
	}
	if err := store.Remove(dir, "paused"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(cacheOf(dir)); err != nil || strings.Contains(string(text), "no credit") || !strings.Contains(string(text), "No, streams.") {
		t.Errorf("the cache has a removed session, or lacks another one: %s, %v", text, err)
	}
	if got := listed(t, dir); len(got) != 3 {
		t.Errorf("a removed session is listed: %+v", got)
	}
}

// Whether a process runs a session is looked up each time, and its file is not in the cache.
func TestListerKnowsWhatRuns(t *testing.T) {
	dir := someSessions(t)
	listed(t, dir)
	f, session, err := store.Open(filepath.Join(dir, "cut-off.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if got := listed(t, dir); got[2].Status() != store.StatusRunning {
		t.Errorf("it is %s", got[2].Status())
	}
	appendTo(t, f, points(len(session.Events)+1, 1)...)
	if got := listed(t, dir); got[2].Buckets[state.BucketOpen] != 1 {
		t.Errorf("its point is not counted: %+v", got[2])
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := listed(t, dir); got[2].Status() != store.StatusCutOff || got[2].Buckets[state.BucketOpen] != 1 {
		t.Errorf("%+v", got[2])
	}
}

// A cache that is damaged, of another version, or a part of one, costs time and nothing else.
func TestDamagedCacheIsMadeAgain(t *testing.T) {
	dir := someSessions(t)
	want := listed(t, dir)
	whole, err := os.ReadFile(cacheOf(dir))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(whole), "\n")
	for name, text := range map[string]string{
		"nothing": "", "no JSON": "\x00\xff{", "cut": string(whole[:len(whole)*2/3]), "another version": strings.Replace(string(whole), `"version":1`, `"version":0`, 1),
		"lines of another kind": head + "\n[1]\n{\"summary\":{\"id\":\"../x\"}}\n\n",
	} {
		if err := os.WriteFile(cacheOf(dir), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := listed(t, dir); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", name, got, want)
		}
		if got, err := os.ReadFile(cacheOf(dir)); err != nil || string(got) != string(whole) {
			t.Errorf("%s: the cache was not made again: %v", name, err)
		}
	}
	info, err := os.Stat(cacheOf(dir))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the cache: %v, %v", info.Mode(), err)
	}
}

// A cache that cannot be written is an error of Save alone.
func TestListWithoutCache(t *testing.T) {
	dir := someSessions(t)
	if err := os.Mkdir(cacheOf(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	l := store.NewLister(dir)
	if all, err := l.List(t.Context(), nil); err != nil || len(all) != 4 {
		t.Errorf("%d sessions, %v", len(all), err)
	}
	if err := l.Save(); err == nil {
		t.Error("it does not say that the cache cannot be written")
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 2 {
		t.Errorf("a draft of the cache is left: %v, %v", entries, err)
	}
}

// While many files are read, those that are known so far are reported in their order. A context ends it.
func TestListerReportsProgress(t *testing.T) {
	dir := someSessions(t)
	l := store.NewLister(dir)
	l.ReportAll()
	var seen []string
	all, err := l.List(t.Context(), func(p store.Progress) {
		seen = append(seen, fmt.Sprintf("%d of %d", p.Done, p.Total))
		if len(p.Summaries) != p.Done {
			t.Errorf("%d of %d sessions are listed", len(p.Summaries), p.Done)
		}
	})
	if err != nil || len(all) != 4 || strings.Join(seen, ", ") != "1 of 4, 2 of 4, 3 of 4" {
		t.Errorf("%d sessions, %q, %v", len(all), seen, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	again := store.NewLister(dir)
	again.ReportAll()
	if _, err := again.List(ctx, func(store.Progress) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func setTags(path string, tags store.Tags) error {
	_, err := store.ChangeTags(path, func(t *store.Tags) error {
		*t = tags
		return nil
	})
	return err
}

// Changes of tags that are made at the same time are all kept.
func TestTagsTogether(t *testing.T) {
	dir := someSessions(t)
	path := filepath.Join(dir, "closed.jsonl")
	var want []string
	var all sync.WaitGroup
	for i := range store.MaxTags {
		tag := string(rune('a' + i))
		want = append(want, tag)
		all.Go(func() {
			_, err := store.ChangeTags(path, func(tags *store.Tags) error {
				tags.Tags = append(tags.Tags, tag)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got, err := store.ReadTags(path); err != nil || !reflect.DeepEqual(got.Tags, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// A name and tags are beside the session, are found through the cache, and leave with it.
func TestTags(t *testing.T) {
	dir := someSessions(t)
	path := filepath.Join(dir, "closed.jsonl")
	listed(t, dir)
	if err := setTags(path, store.Tags{Name: " The queue ", Tags: []string{"redis", "decided", "redis"}}); err != nil {
		t.Fatal(err)
	}
	want := store.Tags{Name: "The queue", Tags: []string{"decided", "redis"}}
	for range 2 {
		if s := listed(t, dir)[3]; s.Name != want.Name || !reflect.DeepEqual(s.Tags, want.Tags) {
			t.Errorf("%+v", s)
		}
	}
	for _, wrong := range []store.Tags{
		{Tags: []string{"two words"}},
		{Tags: []string{"a,b"}},
		{Tags: []string{""}},
		{Tags: []string{"-x"}},
		{Tags: []string{"\x1b[31m"}},
		{Tags: []string{strings.Repeat("é", store.MaxTag+1)}},
		{Name: "two\nlines"},
		{Name: strings.Repeat("n", store.MaxName+1)},
		{Tags: make([]string, store.MaxTags+1)},
	} {
		if err := setTags(path, wrong); err == nil {
			t.Errorf("%q is written", wrong)
		}
	}
	if got, err := store.ReadTags(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("refused tags changed the file: %+v, %v", got, err)
	}
	file := filepath.Join(dir, "closed.tags.json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	for _, damaged := range []string{"", "{", `{"tags":["a b"]}`, `{"title":"\u001b[2J"}`, `{"names":1}`, `{} {}`, `{}}`, strings.Repeat(" ", 1<<20)} {
		if err := os.WriteFile(file, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if s := listed(t, dir)[3]; s.TagsUnread == "" || s.Name != "" || s.Tags != nil || s.Status() != store.StatusFinished {
				t.Errorf("%.20q: %+v", damaged, s)
			}
		}
		if err := setTags(path, want); err == nil {
			t.Errorf("%.20q is replaced", damaged)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != damaged {
			t.Errorf("%.20q was changed", damaged)
		}
	}
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := setTags(path, store.Tags{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no tags leave a file: %v", err)
	}
	if err := setTags(path, want); err != nil {
		t.Fatal(err)
	}
	if err := store.Remove(dir, "closed"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the tags outlive the session: %v", err)
	}
}
