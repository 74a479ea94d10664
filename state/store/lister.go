package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"moot/internal/regular"
	"moot/state"
)

const (
	// cacheName is the name of the cache of the summaries, beside the folder of the sessions.
	cacheName = "sessions.jsonl"
	// cacheVersion changes when the same file gets another Summary.
	cacheVersion = 1
	maxCache     = 1 << 30
)

// Lister lists the sessions of a folder. It opens only those files whose size or time changed since the last time, also
// that of another process: what a Lister found is kept in a cache, beside the folder. The cache may be deleted; if it is
// missing or damaged, all files are read again. A Lister may be used by several goroutines.
type Lister struct {
	dir     string
	formats []state.Rules
	// every is the time between two reports of progress.
	every time.Duration

	mutex sync.Mutex
	// known are the sessions that were read, by their IDs; nil before the first time.
	known map[string]entry
	// changed says that the cache has something else.
	changed bool
}

// entry is a line of the cache.
type entry struct {
	Size int64     `json:"size"`
	Time time.Time `json:"time"`
	// TagsSize and TagsTime belong to the file with its tags, and are zero without one.
	TagsSize int64     `json:"tags_size,omitzero"`
	TagsTime time.Time `json:"tags_time,omitzero"`
	Summary  Summary   `json:"summary"`
	// rests says that no process writes to the session. Others are not in the cache: their entries would be old at once.
	// fresh says that it was read by this listing.
	rests, fresh bool
}

// cacheHead is the first line of the cache. A cache with another one is not used.
type cacheHead struct {
	Version int `json:"version"`
	// State is the version of the session files, Formats are those that the summaries know decisions of.
	State   int    `json:"state"`
	Formats string `json:"formats"`
}

// NewLister returns a Lister of a folder, which need not exist. Decisions are only known of the given formats.
func NewLister(dir string, formats ...state.Rules) *Lister {
	return &Lister{dir: dir, formats: formats, every: reportEvery}
}

// Progress is how far a Lister is that has to open files.
type Progress struct {
	Done, Total int
	// Summaries has the sessions that are known so far, sorted.
	Summaries []Summary
}

// reportEvery is the time between two reports of progress.
const reportEvery = 150 * time.Millisecond

// List returns a summary of every session, newest first. A broken file is listed as broken; the only errors are a folder
// that cannot be read, and a context that ended. Chains of files that changed are checked in full, but only the events
// that a summary shows are decoded. While files are read, report gets the progress now and then, unless it is nil.
func (l *Lister) List(ctx context.Context, report func(Progress)) ([]Summary, error) {
	files, err := scan(l.dir)
	if err != nil {
		return nil, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.known == nil {
		l.known = l.readCache()
	}
	summaries := make([]Summary, len(files))
	found := make(map[string]entry, len(files))
	var unread []int
	for i, f := range files {
		e, known := l.known[f.id]
		if !known || f.info == nil || e.Size != f.info.Size() || !e.Time.Equal(f.info.ModTime()) {
			unread = append(unread, i)
			continue
		}
		if size, changed := stamp(f.tags); e.TagsSize != size || !e.TagsTime.Equal(changed) {
			e.readTags(l.dir, f)
			l.changed = true
		}
		summaries[i], found[f.id] = e.Summary, e
	}
	err = l.read(ctx, files, unread, func(i int, e *entry, done int) {
		summaries[i] = e.Summary
		whole := e.Summary.Broken == "" && e.Summary.Repaired == Repair{}
		if whole && files[i].info != nil && files[i].info.Mode().IsRegular() {
			e.fresh = true
			found[files[i].id] = *e
		}
		if report != nil && done >= 0 {
			report(Progress{Done: len(files) - len(unread) + done, Total: len(files), Summaries: known(summaries)})
		}
	})
	if err != nil {
		return nil, err
	}
	if len(found) != len(l.known) {
		for id := range l.known {
			if _, still := found[id]; !still {
				l.changed = true
			}
		}
	}
	for i := range summaries {
		s := &summaries[i]
		s.Size, s.Changed = 0, time.Time{}
		if f := files[i]; f.info != nil {
			s.Size, s.Changed = f.info.Size(), f.info.ModTime()
		}
		s.Path = filepath.Join(l.dir, s.ID+extension)
		ended := s.Closed || s.Paused != state.PauseNone
		s.CutOff = s.Broken == "" && !ended && !isLocked(s.Path)
		if e, is := found[s.ID]; is {
			e.rests = ended || s.CutOff
			l.changed = l.changed || e.fresh && e.rests
			e.fresh = false
			found[s.ID] = e
		}
	}
	l.known = found
	sortSummaries(summaries)
	return summaries, nil
}

// read reads the sessions at the indexes, several at once. keep gets each on the calling goroutine, with the number of
// those that were read if it is time to report them, else -1.
func (l *Lister) read(ctx context.Context, files []sessionFile, unread []int, keep func(i int, e *entry, done int)) error {
	type result struct {
		i int
		e entry
	}
	ctx, stop := context.WithCancel(ctx)
	results, next := make(chan result), make(chan int)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	shown := summarized(l.formats)
	for range min(len(unread), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			decoder := state.NewDecoder(l.formats...)
			for i := range next {
				e := entry{Summary: summarize(l.dir, files[i].id, decoder, shown)}
				e.Size, e.Time = e.Summary.Size, e.Summary.Changed
				e.readTags(l.dir, files[i])
				select {
				case results <- result{i, e}:
				case <-ctx.Done():
				}
			}
		})
	}
	workers.Go(func() {
		defer close(next)
		for _, i := range unread {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	reported := time.Now()
	for done := 1; done <= len(unread); done++ {
		select {
		case r := <-results:
			due := -1
			if done < len(unread) && time.Since(reported) >= l.every {
				due, reported = done, time.Now()
			}
			keep(r.i, &r.e, due)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// known returns the summaries that were read so far, sorted.
func known(summaries []Summary) []Summary {
	some := slices.DeleteFunc(slices.Clone(summaries), func(s Summary) bool { return s.ID == "" })
	sortSummaries(some)
	return some
}

// sortSummaries sorts the newest first: a fork is newer than its events.
func sortSummaries(summaries []Summary) {
	slices.SortStableFunc(summaries, func(a, b Summary) int {
		return cmp.Or(b.began().Compare(a.began()), strings.Compare(b.ID, a.ID))
	})
}

// List returns a summary of every session in dir, newest first. It reads every file; a Lister with the cache is faster.
func List(dir string, formats ...state.Rules) ([]Summary, error) {
	l := NewLister(dir, formats...)
	l.known = map[string]entry{}
	return l.List(context.Background(), nil)
}

// stamp returns the size and time of a file, or zeros for nil.
func stamp(info fs.FileInfo) (int64, time.Time) {
	if info == nil {
		return 0, time.Time{}
	}
	return info.Size(), info.ModTime()
}

// readTags reads the name and the tags of the session.
func (e *entry) readTags(dir string, f sessionFile) {
	s := &e.Summary
	s.Name, s.Tags, s.TagsUnread = "", nil, ""
	if e.TagsSize, e.TagsTime = stamp(f.tags); f.tags == nil {
		return
	}
	t, err := ReadTags(filepath.Join(dir, f.id+extension))
	if err != nil {
		s.TagsUnread = err.Error()
		// The note is not in the cache: the file is read again the next time.
		e.TagsSize, e.TagsTime = -1, time.Time{}
		return
	}
	s.Name, s.Tags = t.Name, t.Tags
}

func cachePath(dir string) string { return filepath.Join(filepath.Dir(dir), cacheName) }

func (l *Lister) head() cacheHead {
	names := make([]string, len(l.formats))
	for i, f := range l.formats {
		names[i] = string(f.Name())
	}
	return cacheHead{Version: cacheVersion, State: state.Version, Formats: strings.Join(names, " ")}
}

// readCache reads the cache. If it is missing, damaged or of another version, it is empty.
func (l *Lister) readCache() map[string]entry {
	text, err := regular.Read(cachePath(l.dir), maxCache)
	if err != nil {
		return map[string]entry{}
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var head cacheHead
	if json.Unmarshal(first, &head) != nil || head != l.head() {
		return map[string]entry{}
	}
	lines := bytes.Split(bytes.TrimSuffix(rest, []byte("\n")), []byte("\n"))
	entries := make([]entry, len(lines))
	var workers sync.WaitGroup
	share := len(lines)/runtime.GOMAXPROCS(0) + 1
	for from := 0; from < len(lines); from += share {
		workers.Go(func() {
			for i := from; i < min(from+share, len(lines)); i++ {
				if json.Unmarshal(lines[i], &entries[i]) != nil {
					entries[i] = entry{}
				}
			}
		})
	}
	workers.Wait()
	known := make(map[string]entry, len(entries))
	for _, e := range entries {
		if CheckID(e.Summary.ID) == nil {
			known[e.Summary.ID] = e
		}
	}
	return known
}

// Save writes the cache if it lacks what List found. Without it, the next listing takes longer.
func (l *Lister) Save() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.changed {
		return nil
	}
	var text bytes.Buffer
	line, err := json.Marshal(l.head())
	text.Write(append(line, '\n'))
	for _, id := range slices.Sorted(maps.Keys(l.known)) {
		e := l.known[id]
		if err != nil || !e.rests {
			continue
		}
		line, err = json.Marshal(&e)
		text.Write(append(line, '\n'))
	}
	if err == nil {
		err = writeWhole(cachePath(l.dir), text.Bytes())
	}
	if err != nil {
		return fmt.Errorf("keep a cache of the list of sessions, which would make the next listing faster: %w", err)
	}
	l.changed = false
	return nil
}

// forgetListed takes a session that was removed out of the cache, if there is one.
func forgetListed(dir, id string) error {
	path := cachePath(dir)
	text, err := regular.Read(path, maxCache)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// An ID has only letters, digits, hyphens and underscores, and quotes in the texts of a line are escaped.
	mark := []byte(`"id":"` + id + `"`)
	rest := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, mark) {
			rest = append(rest, line...)
		}
	}
	if len(rest) == len(text) {
		return nil
	}
	return writeWhole(path, rest)
}

// writeWhole writes a file so that a reader finds the old or the new text, never a part.
func writeWhole(path string, text []byte) error {
	draft, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		_ = os.Remove(draft.Name())
	}
	return err
}
