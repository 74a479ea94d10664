package search

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	maxDepth  = 128 // folders below the root
	batchSize = 64  // files of one folder that one goroutine reads in a row
)

// A task is a folder to list, or files of a folder that is already open.
type task struct {
	path  string // of the folder, relative to the root; "." for the root itself
	chain ignoreChain
	open  *openFolder // set if files are to be read
	files []string    // base names
	named bool        // the user named the files one by one
}

// An openFolder is closed when the last of its batches is read.
type openFolder struct {
	root *os.Root
	left atomic.Int32
}

func (f *openFolder) release() {
	if f.left.Add(-1) == 0 {
		f.root.Close() //nolint:errcheck // it was only read
	}
}

// A walk visits the files of a workspace with several goroutines. Each folder
// is opened once, and its files by their base names in it, which spares the
// way from the root for each and follows no link that takes a folder's place.
type walk struct {
	index  *Index
	query  *query
	mutex  sync.Mutex
	wake   *sync.Cond
	tasks  []task // a stack, so that few folders are open at a time
	busy   int    // tasks not yet done
	seen   int    // files, for the progress report
	halted bool
	// gone is the error of the walk's context.
	gone func() error
}

// A visitor gets the content of each file, valid during the call.
type visitor func(path string, data []byte)

// run walks with one goroutine per visitor and returns what was seen. It ends
// early with the context's error.
func (w *walk) run(ctx context.Context, visitors []visitor) (Survey, error) {
	w.wake = sync.NewCond(&w.mutex)
	var total Survey
	w.tasks, total = w.index.seeds()
	w.busy = len(w.tasks)
	// The callback wakes those that wait; gone is for those that work, since it
	// may come late.
	w.gone = ctx.Err
	stop := context.AfterFunc(ctx, w.halt)
	defer stop()
	surveys := make([]Survey, len(visitors))
	var group sync.WaitGroup
	for i, visit := range visitors {
		group.Go(func() {
			one := walker{walk: w, visit: visit, reader: reader{limit: w.index.options.maxFileSize}}
			one.work()
			surveys[i] = one.survey
		})
	}
	group.Wait()
	for _, survey := range surveys {
		total.add(survey)
	}
	return total, ctx.Err()
}

// halt ends the walk after the files that are being read.
func (w *walk) halt() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.halted = true
	w.wake.Broadcast()
}

// take waits for a task; false says that there will be none.
func (w *walk) take() (task, bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for len(w.tasks) == 0 && w.busy > 0 && !w.halted {
		w.wake.Wait()
	}
	if len(w.tasks) == 0 || w.halted || w.gone() != nil {
		w.drop()
		return task{}, false
	}
	last := len(w.tasks) - 1
	t := w.tasks[last]
	w.tasks = w.tasks[:last]
	return t, true
}

// drop closes the folders of the tasks that nobody will do.
func (w *walk) drop() {
	for _, t := range w.tasks {
		if t.open != nil {
			t.open.release()
		}
	}
	w.tasks = nil
}

// done ends a task that saw some files, and adds those that came of it.
func (w *walk) done(files int, more []task) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.busy += len(more) - 1
	w.tasks = append(w.tasks, more...)
	w.seen += files
	if files > 0 && w.index.options.progress != nil && !w.halted {
		w.index.options.progress(w.seen)
	}
	w.wake.Broadcast()
}

// A walker is one goroutine of a walk.
type walker struct {
	*walk
	visit  visitor
	reader reader
	survey Survey
}

func (w *walker) work() {
	for {
		t, ok := w.take()
		if !ok {
			return
		}
		if t.open == nil {
			w.done(0, w.list(t))
			continue
		}
		w.readFiles(t)
		w.done(len(t.files), nil)
	}
}

func (w *walker) readFiles(t task) {
	defer t.open.release()
	for _, name := range t.files {
		data, reason := w.reader.read(t.open.root, name, t.named)
		if reason != "" {
			w.survey.skip(reason, 1)
			continue
		}
		w.survey.Files++
		w.survey.Bytes += int64(len(data))
		w.visit(path.Join(t.path, name), data)
	}
}

// list reads a folder and returns tasks for what is in it.
func (w *walker) list(t task) []task {
	names := pathNames(t.path)
	if len(names) > maxDepth {
		w.survey.skip(ReasonTooDeep, 1)
		return nil
	}
	root, err := w.index.root.OpenRoot(t.path)
	if err != nil {
		w.survey.skip(ReasonUnreadable, 1)
		return nil
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		w.survey.skip(ReasonUnreadable, 1) // what could be listed is still searched
	}
	w.survey.Folders++
	chain := t.chain
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		chain = chain.with(len(names), readIgnore(root, ".gitignore"))
	}
	var more []task
	var files []string
	names = append(names, "")
	for _, entry := range entries {
		names[len(names)-1] = entry.Name()
		switch keep := w.judge(entry, names, chain); {
		case keep && entry.IsDir():
			more = append(more, task{path: path.Join(t.path, entry.Name()), chain: chain})
		case keep:
			files = append(files, entry.Name())
		}
	}
	return append(more, batches(t.path, root, files)...)
}

// batches makes tasks of the files of an open folder.
func batches(folder string, root *os.Root, files []string) []task {
	var tasks []task
	open := &openFolder{root: root}
	open.left.Store(1)
	for batch := range slices.Chunk(files, batchSize) {
		open.left.Add(1)
		tasks = append(tasks, task{path: folder, open: open, files: batch})
	}
	open.release()
	return tasks
}

// judge says whether an entry is to be searched, and counts it if not.
func (w *walker) judge(entry fs.DirEntry, names []string, chain ignoreChain) bool {
	full := strings.Join(names, "/")
	var reason Reason
	name := entry.Name()
	if entry.IsDir() {
		name += "/"
	}
	switch kind := entry.Type(); {
	case w.index.named[full]:
		return false // it has a task of its own
	case w.index.vocabulary.skip[name] && !w.query.mentionsName(entry.Name()):
		reason = ReasonTooling
	case kind&fs.ModeSymlink != 0:
		reason = ReasonSymlink
	case !kind.IsDir() && !kind.IsRegular():
		reason = ReasonSpecial
	case chain.ignores(names, kind.IsDir()):
		reason = ReasonIgnored
	default:
		return true
	}
	w.survey.skip(reason, 1)
	return false
}

// pathNames cuts a slash-separated path below the root into its names.
func pathNames(folder string) []string {
	if folder == "." {
		return nil
	}
	return strings.Split(folder, "/")
}

// readIgnore reads a file of ignore rules; one that cannot be read has none.
func readIgnore(root *os.Root, name string) []ignoreRule {
	const limit = 4 << 20
	r := reader{limit: limit}
	data, reason := r.read(root, name, true)
	if reason != "" {
		return nil
	}
	return parseIgnore(string(data))
}
