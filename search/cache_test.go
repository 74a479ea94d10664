package search_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"moot/search"
	"moot/state/store"
)

// exec runs a statement on the cache.
func (h *home) exec(statement string) {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.index().Path())
	if err == nil {
		_, err = db.ExecContext(h.t.Context(), statement)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// write replaces a file.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDamagedCacheIsMadeAgain(t *testing.T) {
	for name, damage := range map[string]func(h *home, path string){
		"garbage":         func(h *home, path string) { write(h.t, path, strings.Repeat("no cache\n", 1000)) },
		"truncated":       func(h *home, path string) { write(h.t, path, read(h.t, path)[:20_000]) },
		"truncated pages": func(h *home, path string) { write(h.t, path, read(h.t, path)[:3*4096]) },
		"zeros in the middle": func(h *home, path string) {
			text := []byte(read(h.t, path))
			copy(text[4096:], make([]byte, len(text)-4096))
			write(h.t, path, string(text))
		},
		"another database": func(h *home, path string) {
			if err := os.Remove(path); err != nil {
				h.t.Fatal(err)
			}
			h.exec("CREATE TABLE notes (text)")
		},
		"another version": func(h *home, _ string) { h.exec("PRAGMA user_version = 99") },
		"no places":       func(h *home, _ string) { h.exec("DROP TABLE places") },
		"no words":        func(h *home, _ string) { h.exec("DROP TABLE words") },
		"no row":          func(h *home, _ string) { h.exec("DELETE FROM places") },
		"wrong types":     func(h *home, _ string) { h.exec("UPDATE sessions SET size = 'x', time = x'00'") },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			for i := range 20 {
				h.ask(fmt.Sprintf("s%d", i), "Which queue?", fmt.Sprintf("claim %d of all", i), "streams keep order")
			}
			if got := h.hits("17 claim"); !slices.Equal(got, []string{"s17 P1"}) {
				t.Fatal(got)
			}
			damage(h, h.index().Path())
			r := h.find(search.Query{Words: "17 claim"})
			if !r.Rebuilt || !slices.Equal(named(r), []string{"s17 P1"}) {
				t.Errorf("%+v", r)
			}
			if r := h.find(search.Query{Words: "17 claim"}); r.Rebuilt || len(r.Hits) != 1 {
				t.Errorf("the second time %+v", r)
			}
		})
	}
}

func TestEmptyAndMissingCache(t *testing.T) {
	h := newHome(t)
	if r := h.find(search.Query{Words: "queue"}); r.Rebuilt || len(r.Hits) > 0 || r.Searched != 0 {
		t.Errorf("without a folder: %+v", r)
	}
	h.ask("s1", "Which queue?")
	for _, damage := range []func(){
		func() { write(t, h.index().Path(), "") },
		func() { write(t, h.index().Path(), "x") }, // Too short for a page: SQLite begins anew.
		func() {
			if err := os.Remove(h.index().Path()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		damage()
		if r := h.find(search.Query{Words: "queue"}); r.Rebuilt || len(r.Hits) != 1 {
			t.Errorf("%+v", r)
		}
	}
	if info, err := os.Stat(h.index().Path()); err != nil || info.Mode().Perm() != 0o600 && filepath.Separator == '/' {
		t.Error(info.Mode(), err)
	}
}

// TestOtherCharacters checks that a cache of a moot with another Unicode is made again, which is no damage.
func TestOtherCharacters(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?")
	h.want("queue", "s1")
	h.exec("PRAGMA application_id = 7")
	if r := h.find(search.Query{Words: "queue"}); r.Rebuilt || len(r.Hits) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestCacheThatCannotBeMade(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?")
	if err := os.Mkdir(h.index().Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := h.index().Find(t.Context(), search.Query{Words: "queue"})
	if err == nil || !strings.Contains(err.Error(), h.index().Path()) {
		t.Error(err)
	}
}

// TestFullDisk checks that a search answers from what the cache has if it cannot grow.
func TestFullDisk(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?")
	h.want("queue", "s1")
	var claims []string
	for i := range 10 {
		claims = append(claims, strings.Repeat(fmt.Sprintf("words that fill page%d ", i), 4000))
	}
	h.ask("s2", "Which stream?", claims...)
	x := h.index()
	x.LimitPages(30)
	r, err := x.Find(t.Context(), search.Query{Words: "which"})
	if err != nil || r.Missing != 1 || !strings.Contains(r.Problem, "full") || !slices.Equal(named(r), []string{"s1"}) {
		t.Errorf("%v %+v", err, r)
	}
}

func TestAnotherProcessReads(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?")
	h.want("queue", "s1")
	h.ask("s2", "Another queue?")
	lock := strings.TrimSuffix(h.index().Path(), ".sqlite") + ".lock"
	unlock, err := store.Lock(lock)
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.index().Find(t.Context(), search.Query{Words: "queue"})
	if err != nil || r.Missing != 1 || r.Problem != "" || !slices.Equal(named(r), []string{"s1"}) {
		t.Errorf("%v %+v", err, r)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	h.want("queue", "s1", "s2")
}

// TestManyAtOnce searches and forgets from several indexes at once, as processes do.
func TestManyAtOnce(t *testing.T) {
	h := newHome(t)
	for i := range 40 {
		h.ask(fmt.Sprintf("s%02d", i), "Which queue?", fmt.Sprintf("claim number%d", i))
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range 10 {
				id := fmt.Sprintf("s%02d", worker*10+i)
				r, err := h.index().Find(context.Background(), search.Query{Words: "queue", Limit: 100})
				if err != nil || r.Rebuilt || r.Problem != "" {
					t.Errorf("%v %+v", err, r.Problem)
				}
				if i%2 == 0 {
					continue
				}
				if err := errors.Join(store.Remove(h.dir, id), h.index().Forget(id)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := h.hits("number"); len(got) != 20 {
		t.Errorf("%d sessions are left: %q", len(got), got)
	}
	h.exec("INSERT INTO words(words) VALUES('integrity-check')")
}

func TestForget(t *testing.T) {
	h := newHome(t)
	if err := h.index().Forget("s1"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(h.index().Path()); !errors.Is(err, os.ErrNotExist) {
		t.Error("forgetting made a cache")
	}
	for i := range 10 {
		claims := []string{"locks protect it", fmt.Sprintf("Xyzzyplugh%d holds 数据库", i)}
		if i == 7 {
			claims = append(claims, "Qwyjibo and 秘密")
		}
		h.ask(fmt.Sprintf("s%d", i), "Which queue?", claims...)
	}
	h.want("qwyjibo", "s7 P3")
	h.want("xyzzyplugh7", "s7 P2")
	other := filepath.Join(filepath.Dir(h.dir), "search-0.sqlite")
	write(t, other, "Xyzzyplugh7")
	write(t, other+"-wal", "Xyzzyplugh7")
	if err := errors.Join(store.Remove(h.dir, "s7"), h.index().Forget("s7"), h.index().Forget("s7")); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(h.dir), "search-*"))
	if err != nil || len(files) == 0 || slices.Contains(files, other) || slices.Contains(files, other+"-wal") {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text := strings.ToLower(read(t, name))
		if strings.Contains(text, "zyplugh7") || strings.Contains(text, "yjibo") || strings.Contains(text, "秘密") || !strings.Contains(text, "zyplugh8") && strings.HasSuffix(name, "sqlite") {
			t.Errorf("%s has the wrong text", name)
		}
	}
	h.want("xyzzyplugh7")
	h.want("xyzzyplugh8", "s8 P2")
	h.exec("INSERT INTO words(words) VALUES('integrity-check')")
}

// TestForgetFromDamagedCache checks that the text is gone even if the cache cannot be read.
func TestForgetFromDamagedCache(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?")
	h.want("queue", "s1")
	h.exec("DROP TABLE places")
	if err := h.index().Forget("s1"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(h.index().Path()); !errors.Is(err, os.ErrNotExist) {
		t.Error("a damaged cache is left:", err)
	}
}

func TestChangedSessions(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?", "streams")
	h.ask("s2", "Which cache?", "maps")
	h.want("which", "s1", "s2")

	// A session that grows keeps what it had, and one that is replaced does not.
	first := read(t, h.path("s1"))
	h.ask("s3", "Which queue?", "streams", "lists are simpler")
	write(t, h.path("s1"), strings.Join(strings.SplitAfter(read(t, h.path("s3")), "\n"), ""))
	h.want("simpler", "s1 P2", "s3 P2")
	write(t, h.path("s1"), first)
	h.want("simpler", "s3 P2")
	h.want("streams", "s1 P1", "s3 P1")

	// One that was removed without moot rm is gone, and one that was copied is there.
	if err := os.Rename(h.path("s3"), h.path("s4")); err != nil {
		t.Fatal(err)
	}
	h.want("simpler", "s4 P2")
	if err := os.Remove(h.path("s4")); err != nil {
		t.Fatal(err)
	}
	h.want("simpler")

	// Files that are no sessions are left out.
	write(t, filepath.Join(h.dir, "s1.labels.jsonl"), "{}\n")
	write(t, filepath.Join(h.dir, "notes.txt"), "simpler")
	write(t, h.path("s5"), "")
	if r := h.find(search.Query{Words: "which"}); r.Searched != 2 || len(r.Unread) > 0 {
		t.Errorf("%+v", r)
	}
	h.exec("INSERT INTO words(words) VALUES('integrity-check')")
}

// TestUnreadSessions checks that damaged sessions do not hide others, and that what is intact of them is found.
func TestUnreadSessions(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Is the queue safe?", "streams protect it")
	h.saveUnits("s2", "Is the queue safe?", "streams protect it", "acks protect it", "locks protect it")
	write(t, h.path("s2"), strings.Replace(read(t, h.path("s2")), "acks", "axes", 1))
	write(t, h.path("s3"), "no session at all\n")
	write(t, h.path("s4"), strings.Replace(read(t, h.path("s1")), `"version":`, `"version":9`, 1))
	write(t, h.path("s5"), string(bytes.Repeat([]byte{0}, 4096)))
	r := h.find(search.Query{Words: "protect queue"})
	r2 := h.find(search.Query{Words: "protect"})
	if want := []string{"s2", "s3", "s4", "s5"}; !slices.Equal(r.Unread, want) || !slices.Equal(r2.Unread, want) {
		t.Errorf("unread are %q and %q", r.Unread, r2.Unread)
	}
	h.want("protect", "s1 P1", "s2 P1")
	if r := h.find(search.Query{Words: "protect", Status: store.StatusBroken}); !slices.Equal(named(r), []string{"s2 P1"}) {
		t.Errorf("broken are %q", named(r))
	}
	h.want("axes")
}

func TestPatience(t *testing.T) {
	h := newHome(t)
	for i := range 200 {
		h.ask(fmt.Sprintf("s%03d", i), "Which queue?")
	}
	searches := 0
	for missing := 1; missing > 0; searches++ {
		progress := 0
		r, err := h.index().Find(t.Context(), search.Query{
			Words: "queue", Limit: 1000, Patience: time.Nanosecond, Progress: func(done, total int) { progress = total - done },
		})
		if err != nil || r.Missing != progress || len(r.Hits) != 200-r.Missing || searches > 200 {
			t.Fatalf("%v: %d missing, %d by progress, %d hits", err, r.Missing, progress, len(r.Hits))
		}
		missing = r.Missing
	}
}

func TestEndedContext(t *testing.T) {
	h := newHome(t)
	h.ask("s1", "Which queue?")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := h.index().Find(ctx, search.Query{Words: "queue"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	h.want("queue", "s1")
}

// TestForgetWhileSessionsAreRead checks that moot rm gets its turn between the writes of a long search, and that the
// search does not put back what was removed.
func TestForgetWhileSessionsAreRead(t *testing.T) {
	h := newHome(t)
	w := newWriter(7)
	for i := range 300 {
		id := fmt.Sprintf("s%03d", i)
		h.save(id, w.session(t, id))
	}
	h.ask("gone", "Which queue is qwyjibo?")
	var forgotten sync.WaitGroup
	started := false
	_, err := h.index().Find(t.Context(), search.Query{Words: "nothing", Progress: func(int, int) {
		if started {
			return
		}
		started = true
		forgotten.Go(func() {
			if err := errors.Join(store.Remove(h.dir, "gone"), h.index().Forget("gone")); err != nil {
				t.Error(err)
			}
		})
	}})
	if err != nil {
		t.Error(err)
	}
	forgotten.Wait()
	if text := read(t, h.index().Path()); strings.Contains(text, "qwyjibo") || strings.Contains(text, "wyjibo") {
		t.Error("the text is still there")
	}
	h.want("qwyjibo")
}
