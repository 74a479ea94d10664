package search

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Index is a workspace that can be searched. It holds an open folder and no
// content: each search reads the files as they are then. It may be used by
// several goroutines at once.
type Index struct {
	root       *os.Root
	options    options
	vocabulary *vocabulary
	paths      []namedPath     // what the search is restricted to; empty for all
	named      map[string]bool // the same, by path
}

// A namedPath is a file or folder that WithPaths restricts the search to.
type namedPath struct {
	path   string // relative to the root, with slashes
	folder bool
}

// Open opens the folder root for searching. It fails if the folder cannot be
// opened, or if a path of WithPaths does not exist or lies outside it.
func Open(root string, with ...Option) (*Index, error) {
	opened, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open the workspace to search: %w", err)
	}
	x := &Index{root: opened, options: newOptions(with), vocabulary: readVocabulary(), named: map[string]bool{}}
	for _, name := range x.options.paths {
		if err := x.addPath(name); err != nil {
			opened.Close() //nolint:errcheck // the first error is the one to tell
			return nil, fmt.Errorf("restrict the search to %q: %w", name, err)
		}
	}
	return x, nil
}

// Close releases the workspace. Searches that run meanwhile see unreadable
// files.
func (x *Index) Close() error {
	return x.root.Close()
}

func (x *Index) addPath(name string) error {
	if filepath.IsAbs(name) {
		base, err := filepath.Abs(x.root.Name())
		if err != nil {
			return err
		}
		if name, err = filepath.Rel(base, name); err != nil {
			return err
		}
	}
	info, err := x.root.Stat(name) // refuses what lies outside
	if err != nil {
		return err
	}
	clean := filepath.ToSlash(filepath.Clean(name))
	if !x.named[clean] {
		x.named[clean] = true
		x.paths = append(x.paths, namedPath{clean, info.IsDir()})
	}
	return nil
}

// seeds returns the tasks that a walk begins with, and what could not be read.
func (x *Index) seeds() ([]task, Survey) {
	survey := Survey{Skipped: map[Reason]int{}}
	if len(x.paths) == 0 {
		return []task{{path: ".", chain: x.chainAbove(".")}}, survey
	}
	var tasks []task
	for _, named := range x.paths {
		if named.folder {
			tasks = append(tasks, task{path: named.path, chain: x.chainAbove(named.path)})
			continue
		}
		folder, base := path.Split(named.path)
		folder = path.Clean(folder)
		root, err := x.root.OpenRoot(folder)
		if err != nil {
			survey.skip(ReasonUnreadable, 1)
			continue
		}
		single := batches(folder, root, []string{base})
		single[0].named = true
		tasks = append(tasks, single...)
	}
	return tasks, survey
}

// chainAbove reads the rules that a folder inherits: those of the repository
// and of each folder above it, but not above the root.
func (x *Index) chainAbove(folder string) ignoreChain {
	chain := ignoreChain{}.with(0, readIgnore(x.root, ".git/info/exclude"))
	names := pathNames(folder)
	for depth := range names {
		above := path.Join(strings.Join(names[:depth], "/"), ".gitignore")
		chain = chain.with(depth, readIgnore(x.root, above))
	}
	return chain
}

// A Passage is a few lines of a file that bear on a question.
type Passage struct {
	// Path is relative to the root, with slashes on every system.
	Path string `json:"path"`
	// Line and EndLine are the first and last line, counted from 1.
	Line    int `json:"line"`
	EndLine int `json:"end_line"`
	// Text is the lines as they stand in the file, joined by "\n", without the
	// last line's end. It is valid UTF-8 of at most 6 lines.
	Text string `json:"text"`
	// Score is greater than 0, and comparable within one result only.
	Score float64 `json:"score"`
	// Terms are the words of the question that are here, in its order and in
	// lower case; none if the question pointed to the file or line by its path.
	Terms []string `json:"terms"`
}

// A Result is what a search found, and how far it looked.
type Result struct {
	// Passages are the best ones, best first; empty if nothing bears on the
	// question.
	Passages []Passage `json:"passages"`
	// Terms are the words that were sought, in lower case.
	Terms  []string `json:"terms"`
	Survey Survey   `json:"survey"`
}

// Search returns at most limit passages that bear on the question (limit below
// 1 means 8). The same files and the same question give the same passages. The
// only error is the context's, and then the result is empty but for the survey.
func (x *Index) Search(ctx context.Context, question string, limit int) (Result, error) {
	began := time.Now()
	if limit < 1 {
		limit = 8
	}
	q := readQuestion(question, x.vocabulary)
	result := Result{Survey: Survey{Skipped: map[Reason]int{}}}
	for _, t := range q.terms {
		if t.cue == nil {
			result.Terms = append(result.Terms, t.spelled)
		}
	}
	if len(q.terms) == 0 && len(q.mentions) == 0 {
		return result, ctx.Err()
	}
	m := newMatcher(q, x.vocabulary)
	census, survey, err := x.scan(ctx, m)
	result.Survey = survey
	if err == nil {
		r := newRanker(m, census)
		result.Passages, err = x.rank(ctx, r, limit)
	}
	result.Survey.Took = time.Since(began)
	if err != nil {
		return Result{Terms: result.Terms, Survey: result.Survey}, fmt.Errorf("search the workspace: %w", err)
	}
	return result, nil
}

// mentionsName says whether the question names a file or folder of that name.
func (q *query) mentionsName(base string) bool {
	return slices.ContainsFunc(q.mentions, func(m mention) bool {
		return slices.Contains(strings.Split(m.path, "/"), base)
	})
}
