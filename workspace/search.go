// Package workspace lets participants look at a folder: Look lists, searches and reads files, Map describes the
// folder, and Passages finds lines that bear on a question. It sees the files that git does not ignore, ranks their
// lines with BM25 and their context, and quotes them exactly. It uses no index on disk and no model.
//
// Licenses, lock files, generated files, tables of numbers and files written by moot are searched only if the
// question names them. The package reads only below its root and does not follow links. Start at New.
package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"moot/internal/regular"
)

const (
	// maxFile is the maximum size of a searched file, in bytes.
	maxFile = 1 << 20
	// foreignPrior is the prior of a file that is searched only for a literal.
	foreignPrior = 0.1
	// mostRanked is the number of files in the second pass.
	mostRanked = 48
)

// contents caches the files that searches read, up to most bytes, so that the lookups of a turn read each file once.
// It is safe for concurrent use.
type contents struct {
	mutex       sync.Mutex
	files       map[string][]byte
	bytes, most int
}

// load returns the content of a searchable file.
func (c *contents) load(name string, read func(name string) ([]byte, bool)) (data []byte, ok bool) {
	c.mutex.Lock()
	data, ok = c.files[name]
	c.mutex.Unlock()
	if ok {
		return data, true
	}
	if data, ok = read(name); !ok || !readable(data) {
		return nil, false
	}
	c.mutex.Lock()
	if _, known := c.files[name]; !known && c.bytes+len(data) <= c.most {
		c.bytes += len(data)
		c.files[name] = data
	}
	c.mutex.Unlock()
	return data, true
}

// Passage is a group of lines that bear on a question.
type Passage struct {
	// Path is relative to the root, with slashes on every system.
	Path string
	// Line is the best line and EndLine the last, counted from 1.
	Line, EndLine int
	// Text is the exact lines of the file, joined by "\n": valid UTF-8 of at most 6 lines.
	Text string
	// Score is positive. It is comparable only within one result.
	Score float64

	// literal says that Line contains the literal of the query.
	literal bool
}

// Text is a text to search besides a workspace.
type Text struct{ Path, Text string }

// Texts returns at most limit passages of the texts that bear on a question.
func Texts(texts []Text, question string, limit int) []Passage {
	q := readQuestion(question, readWords())
	files := make([]candidate, 0, len(texts))
	total := &stats{}
	for _, text := range texts {
		data := []byte(text.Text)
		c := candidate{path: text.Path, prior: 1, named: q.names(text.Path)}
		if readable(data) && total.scan(q, &c, data) {
			files = append(files, c)
		}
	}
	r := newRanker(q, total)
	var found []Passage
	for i := range files {
		for _, text := range texts {
			if text.Path == files[i].path {
				found = append(found, r.rank(&files[i], []byte(text.Text), nil)...)
			}
		}
	}
	return best(found, limit)
}

// Passages returns at most limit passages that bear on a question, always the same for the same files. Secrets are
// not removed.
func (w *Workspace) Passages(ctx context.Context, question string, limit int) ([]Passage, error) {
	files, err := w.Files(ctx)
	if err != nil {
		return nil, err
	}
	return w.rank(ctx, files, readQuestion(question, w.words()), limit)
}

// rank is Passages for the given files.
func (w *Workspace) rank(ctx context.Context, names []string, q *query, limit int) ([]Passage, error) {
	files := make([]candidate, len(names))
	for i, name := range names {
		files[i] = candidate{path: name, prior: priorOf(name), named: q.names(name)}
	}
	// First pass: which files contain which terms, and how rare the terms are.
	parts := make([]stats, runtime.GOMAXPROCS(0))
	holds := make([]bool, len(files))
	read := w.each(ctx, len(parts), files, func(worker, i int, data []byte) {
		c := &files[i]
		c.literal = q.literally(data)
		if isForeign := foreign(c.path, data); isForeign && c.literal {
			c.prior *= foreignPrior
		} else if isForeign && !c.named {
			return
		}
		holds[i] = parts[worker].scan(q, c, data) || c.literal
	})
	w.bounded(ctx, read, len(files))
	total := &stats{}
	for i := range parts {
		total.add(&parts[i])
	}
	var hits []candidate
	for i := range files {
		if holds[i] {
			hits = append(hits, files[i])
		}
	}
	// Second pass: the lines of the most promising files.
	r := newRanker(q, total)
	hits = r.promising(hits)
	found := make([][]Passage, len(hits))
	w.each(ctx, len(parts), hits, func(_, i int, data []byte) {
		var shown []string
		if hits[i].literal {
			shown, _, _ = w.lines(hits[i].path)
		}
		found[i] = r.rank(&hits[i], data, shown)
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("search the workspace: %w", err)
	}
	return best(slices.Concat(found...), limit), nil
}

// each reads the files on several goroutines and passes searchable ones to use. It returns how many were read before
// the limits were reached. Outside of a work tree, files near the top come first.
func (w *Workspace) each(ctx context.Context, workers int, files []candidate,
	use func(worker, i int, data []byte),
) int {
	w.mutex.Lock()
	kept := w.kept
	w.mutex.Unlock()
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	if w.limits.nearestFirst {
		depth := func(i int) int { return strings.Count(files[i].path, "/") }
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(depth(a), depth(b)) })
	}
	until := time.Now().Add(w.limits.searching)
	var next, bytes atomic.Int64
	var group sync.WaitGroup
	for worker := range min(workers, len(files)) {
		group.Go(func() {
			for ctx.Err() == nil && bytes.Load() < w.limits.bytes && time.Now().Before(until) {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				if data, ok := kept.load(files[order[i]].path, w.readFile); ok {
					bytes.Add(int64(len(data)))
					use(worker, order[i], data)
				}
			}
		})
	}
	group.Wait()
	return min(int(next.Load()), len(files))
}

// bounded notes that a search read only some of the files.
func (w *Workspace) bounded(ctx context.Context, read, files int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if read < files && ctx.Err() == nil {
		w.searched = read
	}
}

// readFile reads a file from the folder or the commit.
func (w *Workspace) readFile(name string) ([]byte, bool) {
	if w.guard.tree != nil {
		data, err := w.guard.tree.Read(name, maxFile)
		return data, err == nil
	}
	return readRegular(w.root, name)
}

// readRegular reads a regular file that is not too large. It checks the opened file, which may have become a link or
// device since it was listed.
func readRegular(root *os.Root, name string) ([]byte, bool) {
	file, err := root.OpenFile(name, regular.Flags, 0)
	if err != nil {
		return nil, false
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, false
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(file, data)
	return data[:n], err == nil || errors.Is(err, io.ErrUnexpectedEOF) || n == 0
}
