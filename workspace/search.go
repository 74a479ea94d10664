// Package workspace lets participants look at a folder: Look lists, searches and reads its files,
// Map draws it, Passages finds what bears on a question. It sees the files that .gitignore
// leaves in, ranks their lines by BM25 with what is around them, and quotes them exactly. There is
// no index on disk and no model.
//
// Licenses, lock files, generated files, tables of numbers and files that moot wrote are
// searched only if the question names them. It reads only below the root that it was opened
// on and follows no links. Start at New; the search itself is (*Index).Search.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

const (
	// maxFile is the size in bytes above which a file is not searched.
	maxFile = 1 << 20
	// mostRanked is how many files the second pass reads.
	mostRanked = 48
	// maxKept is how many bytes of files are kept in memory.
	maxKept = 128 << 20
)

// Index is a workspace that can be searched. It holds an open folder and no content:
// each search reads the files as they are then. It may be used by several goroutines.
type Index struct {
	root  *os.Root
	allow []string
}

// contents are files in memory, up to maxKept bytes, so that the lookups of a turn read them
// once. It may be used by several goroutines; nil keeps nothing.
type contents struct {
	mutex sync.Mutex
	files map[string]content
	bytes int
}

// content is a file that was read. Text says that it can be searched, foreign that it answers no
// question unless it is named.
type content struct {
	data          []byte
	text, foreign bool
}

// reader reads files of an index, from memory if they are there. It keeps the folder of the last
// file open, since the next file is often in the same one.
type reader struct {
	kept   *contents
	root   *os.Root
	dir    string
	folder *os.Root
}

func (r *reader) load(name string) content {
	if r.kept != nil {
		r.kept.mutex.Lock()
		c, known := r.kept.files[name]
		r.kept.mutex.Unlock()
		if known {
			return c
		}
	}
	var c content
	if dir, base := path.Split(name); dir == "" {
		c.data, c.text = readRegular(r.root, name)
	} else {
		if dir != r.dir {
			r.close()
			r.dir = dir
			r.folder, _ = r.root.OpenRoot(dir)
		}
		if r.folder != nil {
			c.data, c.text = readRegular(r.folder, base)
		}
	}
	if c.text = c.text && readable(c.data); c.text {
		c.foreign = foreign(name, c.data)
	}
	if r.kept != nil && c.text {
		r.kept.mutex.Lock()
		if r.kept.bytes+len(c.data) <= maxKept {
			r.kept.bytes += len(c.data)
			r.kept.files[name] = c
		}
		r.kept.mutex.Unlock()
	}
	return c
}

func (r *reader) close() {
	if r.folder != nil {
		r.folder.Close() //nolint:errcheck // it was only read
	}
	r.folder = nil
}

// Open opens the folder for searching. Allow are globs of paths that are searched although
// they may hold secrets.
func Open(root string, allow ...string) (*Index, error) {
	opened, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open the workspace to search: %w", err)
	}
	return &Index{root: opened, allow: allow}, nil
}

// Close releases the workspace.
func (x *Index) Close() error { return x.root.Close() }

// Passage is a few lines of a file that bear on a question.
type Passage struct {
	// Path is relative to the root, with slashes on every system.
	Path string
	// Line and EndLine are the first and last line, counted from 1.
	Line, EndLine int
	// Text is the lines exactly as they are in the file, joined by "\n": valid UTF-8 of
	// at most 6 lines.
	Text string
	// Score is greater than 0, and comparable within one result only.
	Score float64
}

// Text is a text to search in addition to a workspace, or without one.
type Text struct{ Path, Text string }

// Texts returns at most limit passages of the texts that bear on the question.
func Texts(texts []Text, question string, limit int) []Passage {
	q := readQuestion(question)
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
				found = append(found, r.rank(&files[i], []byte(text.Text))...)
			}
		}
	}
	return best(found, limit)
}

// Search returns at most limit passages that bear on the question, the same for the
// same files. The only error is the context's.
func (x *Index) Search(ctx context.Context, question string, limit int) ([]Passage, error) {
	q := readQuestion(question)
	if len(q.terms) == 0 && len(q.mentions) == 0 {
		return nil, ctx.Err()
	}
	unsafe := func(c candidate) bool { return Secret(x.root, c.path, x.allow) != "" }
	return x.find(ctx, q, x.candidates(ctx, q), nil, unsafe, limit)
}

// find is Search among these files. Unsafe tells the files that must not be quoted.
func (x *Index) find(ctx context.Context, q *query, files []candidate, kept *contents, unsafe func(candidate) bool, limit int) ([]Passage, error) {
	// First pass: which files hold which terms, and how rare the terms are.
	parts := make([]stats, runtime.GOMAXPROCS(0))
	holds := make([]bool, len(files))
	x.each(ctx, len(parts), files, kept, func(worker, i int, data []byte) {
		holds[i] = parts[worker].scan(q, &files[i], data)
	})
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
	hits = slices.DeleteFunc(r.promising(hits), unsafe)
	found := make([][]Passage, len(hits))
	x.each(ctx, len(parts), hits, kept, func(_, i int, data []byte) { found[i] = r.rank(&hits[i], data) })
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("search the workspace: %w", err)
	}
	return best(slices.Concat(found...), limit), nil
}

// each reads the files on several goroutines and hands over those that can be searched.
func (x *Index) each(ctx context.Context, workers int, files []candidate, kept *contents, use func(worker, i int, data []byte)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range min(workers, len(files)) {
		group.Go(func() {
			r := &reader{kept: kept, root: x.root}
			defer r.close()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				if c := r.load(files[i].path); c.text && (files[i].named || !c.foreign) {
					use(worker, i, c.data)
				}
			}
		})
	}
	group.Wait()
}

// readRegular reads a regular file that is not too large, judged by what was opened: a
// file may have become a link or a device since it was listed.
func readRegular(root *os.Root, name string) ([]byte, bool) {
	// Without O_NONBLOCK a pipe that took a file's place holds up the search until somebody
	// writes to it.
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
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
