package workspace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"moot/ledger"
)

// maxDepth is the maximum depth of folders.
const maxDepth = 128

// limits limit how much of a folder is listed and searched.
type limits struct {
	// files is the maximum number of files listed, and inFolder of entries in one folder.
	files, inFolder int
	// bytes is how much a search reads.
	bytes int64
	// listing and searching are time limits.
	listing, searching time.Duration
	// kept is the maximum size of cached files, in bytes.
	kept int
	// nearestFirst says that files near the top are searched first.
	nearestFirst bool
}

// limitsOf returns the limits for a folder. A folder outside of git work trees may contain a whole disk.
func limitsOf(dir string) limits {
	if !InWorkTree(dir) {
		return limits{
			files: 20_000, inFolder: 40_000, bytes: 128 << 20, listing: 2 * time.Second, searching: 3 * time.Second,
			kept: 32 << 20, nearestFirst: true,
		}
	}
	return limits{
		files: 500_000, inFolder: 500_000, bytes: 4 << 30, listing: time.Minute, searching: time.Minute,
		kept: 128 << 20,
	}
}

// isLockFile reports whether a file is a generated list of dependencies.
func isLockFile(name string) bool {
	switch strings.ToLower(name) {
	case "go.sum", "go.work.sum", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb",
		"package.resolved",
		"packages.lock.json", "gradle.lockfile", ".terraform.lock.hcl":
		return true
	}
	return strings.HasSuffix(strings.ToLower(name), ".lock")
}

// Files calls visit for each file below root, level by level and sorted by name in each folder, so that files near
// the root come first. It skips folders without files listed by git and folders of other tools, such as .git and
// node_modules, and it does not follow links. in is the opened folder of the file, and path is slash-separated and
// relative to root. Unreadable folders are skipped. An error of visit or of the context ends the walk and is
// returned.
func Files(ctx context.Context, root string, visit func(in *os.Root, path string, entry fs.DirEntry) error) error {
	opened, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("open the folder: %w", err)
	}
	defer opened.Close() //nolint:errcheck // it was only read
	return NewGuard(opened).Walk(ctx, visit)
}

// Walk is Files for the guard's folder.
func (g *Guard) Walk(ctx context.Context, visit func(in *os.Root, path string, entry fs.DirEntry) error) error {
	w := &walker{ctx: ctx, visit: visit, everyFile: true, inFolder: limitsOf(g.root.Name()).inFolder, guard: g}
	return w.walk(g.root)
}

// walker is the state of a walk.
type walker struct {
	ctx   context.Context //nolint:containedctx // a walker ends with its call
	visit func(in *os.Root, path string, entry fs.DirEntry) error
	guard *Guard
	// everyFile also visits ignored files in folders that are not ignored.
	everyFile bool
	// allow are globs of files to visit even if they are ignored.
	allow []string
	// inFolder is the maximum number of entries per folder; cut says that a folder had more.
	inFolder int
	cut      bool
	// unread are folders that could not be opened or listed whole, or are too deep.
	unread []string
	// next are the folders of the next level.
	next []pending
}

// pending is a folder still to visit. names is its path from the root. list is git's answer for the repository that
// contains it, the folder of the first repository names.
type pending struct {
	names      []string
	repository int
	list       *gitList
}

func (w *walker) walk(root *os.Root) error {
	list, err := w.guard.fresh(w.ctx, missFresh)
	if err != nil && (!w.everyFile || w.ctx.Err() != nil) {
		return err
	}
	w.next = []pending{{list: list}}
	// Keep the parents of the last folder open, because the next folder is usually a sibling.
	open := []*os.Root{root}
	var at []string
	leave := func(depth int) {
		for len(open) > depth+1 {
			open[len(open)-1].Close() //nolint:errcheck // it was only read
			open = open[:len(open)-1]
		}
		at = at[:min(len(at), depth)]
	}
	defer leave(0)
	for len(w.next) > 0 {
		level := w.next
		w.next = nil
	folders:
		for _, p := range level {
			to, shared := p.names, 0
			for shared < min(len(at), len(to)) && at[shared] == to[shared] {
				shared++
			}
			leave(shared)
			for _, name := range to[shared:] {
				below, err := open[len(open)-1].OpenRoot(name)
				if err != nil {
					w.unread = append(w.unread, path.Join(to...))
					continue folders
				}
				open, at = append(open, below), append(at, name)
			}
			if err := w.folder(open[len(open)-1], p); err != nil {
				return err
			}
		}
	}
	return nil
}

// skippedFolders belong to other tools.
//
//nolint:gochecknoglobals // a table
var skippedFolders = []string{
	".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "__pycache__", ".venv", ".tox", ".mypy_cache",
	".pytest_cache", ".gradle", ".idea",
}

// folder visits the files of an opened folder.
func (w *walker) folder(in *os.Root, p pending) error {
	entries, whole, err := w.entries(in)
	if err != nil {
		return err
	}
	if !whole {
		w.unread = append(w.unread, path.Join(append([]string{"."}, p.names...)...))
	}
	names := append(slices.Clone(p.names), "")
	for _, entry := range entries {
		names[len(names)-1] = entry.Name()
		name := path.Join(names...)
		listed := p.list.has(path.Join(names[p.repository:]...))
		if !entry.IsDir() {
			if !listed && !w.everyFile && !Allowed(name, w.allow) {
				continue
			}
			if err := w.visit(in, name, entry); err != nil {
				return err
			}
			continue
		}
		if len(names) > maxDepth && listed {
			w.unread = append(w.unread, name)
		}
		if len(names) > maxDepth || slices.Contains(skippedFolders, entry.Name()) || !listed && len(w.allow) == 0 {
			continue
		}
		below := pending{slices.Clone(names), p.repository, p.list}
		if listed && isRepository(in, entry.Name()) {
			if list := w.guard.inner(w.ctx, name, p.list); list != p.list {
				below.repository, below.list = len(names), list
			}
		}
		w.next = append(w.next, below)
	}
	return nil
}

// entries lists an opened folder sorted by name, up to the limit, and says whether all of it could be read. The error is
// the context's.
func (w *walker) entries(in *os.Root) (entries []fs.DirEntry, whole bool, err error) {
	const atOnce = 1000
	if err := w.ctx.Err(); err != nil {
		return nil, false, err
	}
	folder, err := in.Open(".")
	if err != nil {
		return nil, false, nil
	}
	defer folder.Close() //nolint:errcheck // it was only read
	if isVirtual(folder) {
		return nil, false, nil
	}
	for {
		// Use the listed entries even after an error.
		more, err := folder.ReadDir(atOnce)
		entries = append(entries, more...)
		if w.ctx.Err() != nil {
			return nil, false, w.ctx.Err()
		}
		if len(entries) > w.inFolder {
			entries, w.cut = entries[:w.inFolder], true
			break
		}
		if err != nil || len(more) == 0 {
			whole = err == nil || errors.Is(err, io.EOF)
			break
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, whole || w.cut, nil
}

// candidate is a file that may contain an answer.
type candidate struct {
	path string
	// prior is the likelihood, by its path, that the file has answers; promise is how well it matches.
	prior, promise float64
	// named says that the question names the file, and literal that the file contains the literal.
	named, literal bool
	// inPath are the terms in the path, all those in the whole file, and lines the sets of terms that occur together
	// on a line.
	inPath, all uint64
	lines       []uint64
}

// priorOf returns 1 for ordinary source and documents, and less for tests, vendored code, examples and changelogs.
func priorOf(name string) float64 {
	folders, base := path.Split(strings.ToLower(name))
	stemmed := strings.TrimSuffix(base, path.Ext(base))
	in := func(names ...string) bool {
		return slices.ContainsFunc(strings.Split(folders, "/"), func(f string) bool {
			return slices.Contains(names, f)
		})
	}
	prior := 1.0
	if strings.HasSuffix(stemmed, "_test") || strings.HasPrefix(base, "test_") || strings.HasSuffix(stemmed, ".test") ||
		strings.HasSuffix(stemmed, ".spec") || in("test", "tests", "testdata", "__tests__", "spec", "fixtures", "e2e") {
		prior *= 0.5
	}
	if in("vendor", "third_party", "external", "deps", "dist", "build") {
		prior *= 0.5
	}
	if in("example", "examples", "samples", "demo") || strings.HasPrefix(base, "example_") {
		prior *= 0.75
	}
	if strings.HasPrefix(base, "changelog") || strings.HasPrefix(base, "changes") {
		prior *= 0.7
	}
	return prior
}

var licenseName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)` +
	`(-[\w.-]*)?(\.(md|txt|rst|html))?$`)

// has reports whether a text contains one of the words.
func has(text []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// own reports whether the start of a file shows that moot wrote it: a session, an export, a report.
func own(name string, text []byte) bool {
	return ledger.WrittenByMoot(name, text) || has(text, "generated by moot", "written by moot")
}

// foreign reports whether a file is only searched if it is named: a license, a list of dependencies, a generated
// file, a table of numbers, or a file written by moot.
func foreign(name string, data []byte) bool {
	head := data[:min(len(data), 1<<10)]
	beginning := head
	if !ledger.IsSource(name) {
		beginning = data[:min(len(data), 4<<10)]
	}
	base := path.Base(name)
	return isLockFile(base) || strings.ContainsAny(base[:1], "LCNPUlcnpu") && licenseName.MatchString(base) ||
		own(name, beginning) || own(name, data[max(0, len(data)-200):]) || isTable(data) ||
		has(head, "ode generated", "@generated", "utogenerated", "O NOT EDIT", "o not edit")
}

// isTable reports whether most characters of a longer file are digits and separators.
func isTable(data []byte) bool {
	data = data[:min(len(data), 16<<10)]
	figures, letters := 0, 0
	for _, c := range data {
		switch {
		case '0' <= c && c <= '9' || c == '.' || c == '-':
			figures++
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			letters++
		}
	}
	return figures > 200 && figures > 2*letters
}

// readable reports whether a file is text for people: without NUL bytes and minified lines.
func readable(data []byte) bool {
	const longest = 20_000
	if bytes.IndexByte(data, 0) >= 0 || bytes.HasPrefix(data, []byte("\xff\xfe")) {
		return false
	}
	for line := range bytes.Lines(data) {
		if len(line) > longest {
			return false
		}
	}
	return true
}

// quotable reports whether a line can be quoted unchanged.
func quotable(line []byte) bool {
	const longest = 1000
	return len(line) <= longest && utf8.Valid(line)
}
