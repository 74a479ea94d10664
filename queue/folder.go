package queue

import (
	"bufio"
	"bytes"
	"cmp"
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

	"moot/ledger"
	"moot/state/store"
)

// The files of a folder. The sessions are the truth; the others say what to run and speed things up.
const (
	sessionsName = "sessions"
	planName     = "items.jsonl"
	settingsName = "batch.json"
	indexName    = "index.json"
	failedName   = "failed.jsonl"
	runningName  = "running.json"
	requestsName = "requests"
	lockName     = "lock"
	ignoreName   = ".gitignore"

	fileMode = 0o600
	dirMode  = 0o700
)

// Schema is in every file of a batch. Seats can neither search nor cite what moot wrote.
const Schema = ledger.Marker + "batch"

// Settings record how a batch was started, so that its folder is enough to continue it.
type Settings struct {
	Schema string `json:"schema"`
	// Batch is the random name of the batch on a queue.
	Batch string `json:"batch"`
	// Command is the command that opens and runs the items, "" for moot batch run.
	Command string `json:"command,omitempty"`
	// Items is the file of the items as it was named, Dir the folder that paths are relative to.
	Items string `json:"items"`
	Dir   string `json:"dir"`
	// Flags are the shared flags, in the order of the command line.
	Flags []Field `json:"flags"`
	// Repeat is how often each item runs, Limit how many lines count; 0 is all.
	Repeat int `json:"repeat"`
	Limit  int `json:"limit,omitempty"`
}

// Entry describes a session of a batch.
type Entry struct {
	Session string `json:"session"`
	// Item is the digest of its item.
	Item   string    `json:"item"`
	Opened time.Time `json:"opened"`
	// Size and Modified describe the file when it was read; Modified is in nanoseconds.
	Size     int64 `json:"size"`
	Modified int64 `json:"modified"`
	// Closed and Paused come from store.Ends. With neither, the session runs or was cut off.
	Closed bool `json:"closed,omitempty"`
	Paused bool `json:"paused,omitempty"`
	// Result is its result. Its Outcome is "" as long as the file was not read as a whole.
	Result Result `json:"result"`
	// Broken says why the file cannot be read, or "".
	Broken string `json:"broken,omitempty"`
}

// Over reports whether the session ended or waits, so that nothing runs it.
func (e *Entry) Over() bool { return e.Closed || e.Paused || e.Broken != "" }

// Failed is a run of an item that has no session: it could not be opened.
type Failed struct {
	Schema string    `json:"schema"`
	Item   string    `json:"item"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
}

// Folder is the folder of a batch. The methods that read are safe for concurrent use with one writer.
type Folder struct {
	path   string
	unlock func() error

	mutex sync.Mutex
	// entries are the sessions by ID. saved is when the index was last written.
	entries map[string]*Entry
	failed  []Failed
	saved   time.Time
	changed bool
	// scans counts how often the sessions were looked at.
	scans int
	// These are files as they were read last: watching reads them again only when they changed.
	index, failures, planned os.FileInfo
}

// HeldError reports that another process runs the batch.
type HeldError struct{ Path string }

// Error implements error.
func (e *HeldError) Error() string {
	return "another process runs the batch in " + e.Path + "; follow it with moot batch watch, or end it with moot batch stop"
}

// Create opens the folder of a batch for one process, and makes it if it is missing. If another process runs the
// batch, the error is a *HeldError. A folder with something else in it is refused.
func Create(path string) (*Folder, error) {
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(entries) > 0 && !isBatch(path) {
		return nil, fmt.Errorf("%s is a folder with something else in it; name a new one, or that of an earlier batch", path)
	}
	if err := os.MkdirAll(filepath.Join(path, sessionsName), dirMode); err != nil {
		return nil, err
	}
	return open(path)
}

// Open opens the folder of an existing batch for one process.
func Open(path string) (*Folder, error) {
	if !isBatch(path) {
		return nil, errNone(path)
	}
	return open(path)
}

func errNone(path string) error {
	return fmt.Errorf("%s is not the folder of a batch; moot batch run ITEMS --out DIR makes one", path)
}

// isBatch reports whether a folder has a batch. Before it has settings, it has a lock.
func isBatch(path string) bool {
	_, err := os.Stat(filepath.Join(path, lockName))
	return err == nil
}

// Who watches a batch holds its lock for an instant when it looks whether a process runs it. Nobody holds it that long.
const (
	lockAttempts = 10
	lockPause    = 10 * time.Millisecond
)

func open(path string) (*Folder, error) {
	lock := filepath.Join(path, lockName)
	file, err := os.OpenFile(lock, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	unlock, err := store.Lock(lock)
	for range lockAttempts {
		if _, held := errors.AsType[*store.HeldError](err); !held {
			break
		}
		time.Sleep(lockPause)
		unlock, err = store.Lock(lock)
	}
	if _, held := errors.AsType[*store.HeldError](err); held {
		return nil, &HeldError{Path: path}
	}
	if err != nil {
		return nil, err
	}
	f := &Folder{path: path, unlock: unlock}
	// Requests to an earlier process are not for this one.
	f.takeRequests()
	// The folder may be inside of a workspace: the sessions of one item are no evidence for another.
	ignored := f.file(ignoreName)
	if _, err := os.Stat(ignored); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignored, []byte("*\n"), fileMode); err != nil {
			return nil, errors.Join(err, unlock())
		}
	}
	if err := f.load(); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return f, nil
}

// Look opens the folder of a batch to read it, also while another process runs it.
func Look(path string) (*Folder, error) {
	if !isBatch(path) {
		return nil, errNone(path)
	}
	f := &Folder{path: path}
	err := f.load()
	return f, err
}

// Follow is Look, but reads nothing before the first Refresh: a screen is there at once.
func Follow(path string) (*Folder, error) {
	if !isBatch(path) {
		return nil, errNone(path)
	}
	return &Folder{path: path, entries: map[string]*Entry{}}, nil
}

// Close saves the index, and lets another process run the batch.
func (f *Folder) Close() error {
	if f.unlock == nil {
		return nil
	}
	return errors.Join(f.SaveIndex(), f.unlock())
}

// Path is the path of the folder.
func (f *Folder) Path() string { return f.path }

// Sessions is the folder of the session files.
func (f *Folder) Sessions() string { return filepath.Join(f.path, sessionsName) }

func (f *Folder) file(name string) string { return filepath.Join(f.path, name) }

// IsRun reports whether a process runs the batch now.
func (f *Folder) IsRun() bool { return f.unlock == nil && store.IsHeld(f.file(lockName)) }

// Settings reads the settings. The error is fs.ErrNotExist if the batch has none yet.
func (f *Folder) Settings() (Settings, error) {
	var s Settings
	text, err := os.ReadFile(f.file(settingsName))
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s, json.RejectUnknownMembers(true)); err != nil {
		return s, fmt.Errorf("%s: %w; run the batch again with its items to write it anew", f.file(settingsName), err)
	}
	return s, nil
}

// Plan reads the plan; a new batch has an empty one.
func (f *Folder) Plan() (*Plan, error) { return readPlan(f.file(planName)) }

// Replan returns the plan as it is now. If nobody changed it since the last Replan, it is the one before.
func (f *Folder) Replan(before *Plan) (*Plan, error) {
	f.mutex.Lock()
	renewed := f.renewed(planName, &f.planned)
	f.mutex.Unlock()
	if before != nil && !renewed {
		return before, nil
	}
	return f.Plan()
}

// Save stores the plan, and then the settings.
func (f *Folder) Save(plan *Plan, s Settings) error {
	text, err := plan.encode()
	if err == nil {
		err = f.write(planName, text)
	}
	if err != nil {
		return err
	}
	s.Schema = Schema
	if text, err = json.Marshal(s); err != nil {
		return err
	}
	return f.write(settingsName, text)
}

// write replaces a file: a reader sees the old or the new one.
func (f *Folder) write(name string, text []byte) error {
	draft, err := os.CreateTemp(f.path, name+".new*")
	if err != nil {
		return fmt.Errorf("write %s: %w", f.file(name), err)
	}
	_, err = draft.Write(text)
	if err == nil && (name == planName || name == settingsName) {
		err = draft.Sync()
	}
	err = errors.Join(err, draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), f.file(name))
	}
	if err != nil {
		_ = os.Remove(draft.Name())
		return fmt.Errorf("write %s: %w; the earlier one was kept", f.file(name), err)
	}
	return nil
}

// load reads the index, if there is a good one, and what changed since it was written.
func (f *Folder) load() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.entries = map[string]*Entry{}
	return f.reread(f.unlock != nil)
}

// reread reads what changed since the last time: the index, the failed runs, and the sessions. clean is passed to scan.
func (f *Folder) reread(clean bool) error {
	var list []*Entry
	if f.renewed(indexName, &f.index) {
		// A damaged index is ignored: it is a cache.
		if text, err := os.ReadFile(f.file(indexName)); err == nil && json.Unmarshal(text, &list) == nil {
			for _, e := range list {
				// What the process that ran it says of a session counts more than what a watcher read from its file.
				known := f.entries[e.Session]
				if known == nil || known.Result.Outcome == "" || known.Modified <= e.Modified && e.Result.Outcome != "" {
					f.entries[e.Session] = e
				}
			}
		}
	}
	if f.renewed(failedName, &f.failures) {
		if err := f.loadFailed(); err != nil {
			return err
		}
	}
	return f.scan(clean)
}

// renewed reports whether a file is another one than at the last look, and keeps what it looks like now.
func (f *Folder) renewed(name string, last *os.FileInfo) bool {
	now, err := os.Stat(f.file(name))
	before := *last
	*last = now
	if err != nil {
		*last = nil
		return before != nil
	}
	return before == nil || !os.SameFile(before, now) || before.Size() != now.Size() ||
		!before.ModTime().Equal(now.ModTime())
}

// loadFailed reads the runs that have no session. A line that was cut short by a crash is left out.
func (f *Folder) loadFailed() error {
	text, err := os.ReadFile(f.file(failedName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.failed = nil
	for raw := range bytes.Lines(text) {
		var one Failed
		if json.Unmarshal(raw, &one) == nil {
			f.failed = append(f.failed, one)
		}
	}
	return nil
}

// closedEvery is how often the file of a session that is closed is looked at: only a later decision of a person changes
// it, and 10,000 of them are looked at twice a second.
const closedEvery = 16

// scan reads the ends of the session files that are new or changed, and forgets those that are gone. The first time it
// looks at all files. With clean, it removes files that a killed process left before their first event: no other process
// writes there.
func (f *Folder) scan(clean bool) error {
	files, err := os.ReadDir(f.Sessions())
	if err != nil {
		return fmt.Errorf("read the sessions of the batch: %w", err)
	}
	present := make(map[string]bool, len(files))
	var stale []*Entry
	turn := f.scans % closedEvery
	f.scans++
	for i, file := range files {
		id, is := strings.CutSuffix(file.Name(), ".jsonl")
		if !is || strings.HasSuffix(id, ".labels") || file.IsDir() || store.CheckID(id) != nil {
			continue
		}
		if known := f.entries[id]; f.scans > 1 && known != nil && known.Closed && i%closedEvery != turn {
			present[id] = true
			continue
		}
		info, err := file.Info()
		if err == nil && info.Size() == 0 && clean {
			_ = os.Remove(f.SessionPath(id))
		}
		if err != nil || info.Size() == 0 {
			continue
		}
		present[id] = true
		known := f.entries[id]
		if known != nil && known.Size == info.Size() && known.Modified == info.ModTime().UnixNano() && known.Over() {
			continue
		}
		e := &Entry{Session: id, Size: info.Size(), Modified: info.ModTime().UnixNano()}
		f.entries[id] = e
		stale = append(stale, e)
	}
	maps.DeleteFunc(f.entries, func(id string, _ *Entry) bool { return !present[id] })
	f.changed = f.changed || len(stale) > 0
	f.readEnds(stale)
	return nil
}

// readEnds reads the first and the last lines of files.
func (f *Folder) readEnds(entries []*Entry) {
	var workers sync.WaitGroup
	next := make(chan *Entry)
	for range min(len(entries), 4*runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for e := range next {
				ends, err := store.ReadEnds(f.SessionPath(e.Session))
				e.Item, e.Opened, e.Closed, e.Paused = ends.Item, ends.OpenedAt, ends.Closed, ends.Paused
				if err != nil {
					e.Broken = err.Error()
				}
			}
		})
	}
	for _, e := range entries {
		next <- e
	}
	close(next)
	workers.Wait()
}

// Refresh looks for what another process wrote since the folder was read. It reads only what changed.
func (f *Folder) Refresh() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.reread(false)
}

// SessionPath is the path of the file of a session.
func (f *Folder) SessionPath(id string) string { return filepath.Join(f.Sessions(), id+".jsonl") }

// Attempts returns the sessions of each item, the oldest first, and the last run of each item that has no session.
func (f *Folder) Attempts() (sessions map[string][]*Entry, failed map[string]Failed) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	sessions, failed = map[string][]*Entry{}, map[string]Failed{}
	for _, e := range f.entries {
		copied := *e
		sessions[e.Item] = append(sessions[e.Item], &copied)
	}
	for _, list := range sessions {
		slices.SortFunc(list, func(a, b *Entry) int {
			return cmp.Or(a.Opened.Compare(b.Opened), strings.Compare(a.Session, b.Session))
		})
	}
	for _, one := range f.failed {
		failed[one.Item] = one
	}
	return sessions, failed
}

// Record stores the result of a session whose file is complete.
func (f *Folder) Record(session, item string, r Result) error {
	info, err := os.Stat(f.SessionPath(session))
	if err != nil {
		return err
	}
	e := &Entry{Session: session, Item: item, Size: info.Size(), Modified: info.ModTime().UnixNano(), Result: r}
	ends, err := store.ReadEnds(f.SessionPath(session))
	if err != nil {
		e.Broken = err.Error()
	}
	e.Opened, e.Closed, e.Paused = ends.OpenedAt, ends.Closed, ends.Paused
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.entries[session], f.changed = e, true
	return nil
}

// RecordFailed stores that an item could not be opened.
func (f *Folder) RecordFailed(one Failed) error {
	one.Schema = Schema
	text, err := json.Marshal(one)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	file, err := os.OpenFile(f.file(failedName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, fileMode)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	_, _ = out.Write(append(text, '\n'))
	f.failed = append(f.failed, one)
	return errors.Join(out.Flush(), file.Close())
}

// indexEvery is how often the index is written while a batch runs. It is a cache, so a crash loses nothing.
const indexEvery = 5 * time.Second

// SaveIndexAt writes the index if it changed and is due.
func (f *Folder) SaveIndexAt(now time.Time) error {
	f.mutex.Lock()
	due := f.changed && now.Sub(f.saved) >= indexEvery
	f.mutex.Unlock()
	if !due {
		return nil
	}
	return f.SaveIndex()
}

// SaveIndex writes the index.
func (f *Folder) SaveIndex() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if !f.changed {
		return nil
	}
	list := make([]*Entry, 0, len(f.entries))
	for _, id := range slices.Sorted(maps.Keys(f.entries)) {
		list = append(list, f.entries[id])
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if err := f.write(indexName, text); err != nil {
		return err
	}
	f.changed, f.saved = false, time.Now()
	return nil
}
