package workspace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
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

// maxDepth is how many folders below the root are entered.
const maxDepth = 128

// limits bound how much of a folder is listed and searched.
type limits struct {
	// files is how many files are listed, inFolder how many entries of one folder are looked at.
	files, inFolder int
	// bytes is how much of them a search reads.
	bytes int64
	// listing and searching are how long either may take.
	listing, searching time.Duration
	// kept is how many bytes of files stay in memory.
	kept int
	// nearestFirst says that the files near the top are searched before the others.
	nearestFirst bool
}

// limitsOf returns the limits of a folder. A folder outside of git work trees may hold a whole disk.
func limitsOf(dir string) limits {
	if !InWorkTree(dir) {
		return limits{
			files: 20_000, inFolder: 40_000, bytes: 128 << 20, listing: 2 * time.Second, searching: 3 * time.Second,
			kept: 32 << 20, nearestFirst: true,
		}
	}
	return limits{
		files: 500_000, inFolder: 500_000, bytes: 4 << 30, listing: time.Minute, searching: time.Minute, kept: 128 << 20,
	}
}

// isLockFile reports whether a file is a list of dependencies that a program writes.
func isLockFile(name string) bool {
	switch strings.ToLower(name) {
	case "go.sum", "go.work.sum", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb",
		"package.resolved",
		"packages.lock.json", "gradle.lockfile", ".terraform.lock.hcl":
		return true
	}
	return strings.HasSuffix(strings.ToLower(name), ".lock")
}

// Files calls visit for each file below root, level by level, so that what is near the root comes first, and in each
// folder in the order of the names. It leaves out the folders of which git lists no file and those of other tools,
// such as .git and node_modules, but no files, and it follows no links. In is the open folder of the file, and path is
// relative to root, with slashes. What cannot be read is passed over. An error of visit or the context ends the walk
// and is returned.
func Files(ctx context.Context, root string, visit func(in *os.Root, path string, entry fs.DirEntry) error) error {
	opened, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("open the folder: %w", err)
	}
	defer opened.Close() //nolint:errcheck // it was only read
	return NewGuard(opened).Walk(ctx, visit)
}

// Walk is Files for the folder of the guard.
func (g *Guard) Walk(ctx context.Context, visit func(in *os.Root, path string, entry fs.DirEntry) error) error {
	w := &walker{ctx: ctx, visit: visit, everyFile: true, inFolder: limitsOf(g.root.Name()).inFolder, guard: g}
	return w.walk(g.root)
}

// walker is one walk through the folders.
type walker struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call
	visit func(in *os.Root, path string, entry fs.DirEntry) error
	guard *Guard
	// everyFile visits the ignored files of folders that are not ignored, too.
	everyFile bool
	// allow are globs of files that are visited although they are ignored.
	allow []string
	// inFolder is how many entries of one folder are looked at, and cut says that one had more.
	inFolder int
	cut      bool
	// next are the folders of the next level.
	next []pending
}

// pending is a folder that the walk is going to enter. Names lead to it from the root, and list is git's answer for the
// folder of the first repository names.
type pending struct {
	names      []string
	repository int
	list       *gitList
}

// walk visits the files below a root.
func (w *walker) walk(root *os.Root) error {
	list, err := w.guard.fresh(w.ctx, missFresh)
	if err != nil && (!w.everyFile || w.ctx.Err() != nil) {
		return err
	}
	w.next = []pending{{list: list}}
	// The folders that lead to the last one stay open, because the next one is mostly its sibling.
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

// folder visits the files of an open folder.
func (w *walker) folder(in *os.Root, p pending) error {
	entries, err := w.entries(in)
	if err != nil {
		return err
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

// entries lists an open folder in the order of the names, up to the limit. The error is the context's.
func (w *walker) entries(in *os.Root) ([]fs.DirEntry, error) {
	const atOnce = 1000
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	folder, err := in.Open(".")
	if err != nil {
		return nil, nil
	}
	defer folder.Close() //nolint:errcheck // it was only read
	if isVirtual(folder) {
		return nil, nil
	}
	var entries []fs.DirEntry
	for {
		// The entries that could be listed are visited even after an error.
		more, err := folder.ReadDir(atOnce)
		entries = append(entries, more...)
		if w.ctx.Err() != nil {
			return nil, w.ctx.Err()
		}
		if len(entries) > w.inFolder {
			entries, w.cut = entries[:w.inFolder], true
			break
		}
		if err != nil || len(more) == 0 {
			break
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// candidate is a file that may hold an answer.
type candidate struct {
	path string
	// prior is how likely the file is to answer at all, by its path, and promise how much it seems to hold.
	prior, promise float64
	// named says that the question names the file, literal that the file holds the literal of the query.
	named, literal bool
	// inPath are the terms in its path, all those anywhere in it, and lines the sets
	// of terms that occur together on a line.
	inPath, all uint64
	lines       []uint64
}

// priorOf is 1 for ordinary source and documents, and less for tests, copies of other
// people's code, examples and lists of past changes.
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

// has reports whether a text has one of the words.
func has(text []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// own reports whether a part of a file marks that moot wrote it: a session, an export, a report.
func own(name string, text []byte) bool {
	return ledger.WrittenByMoot(name, text) || has(text, "generated by moot", "written by moot")
}

// foreign reports whether a file answers no question unless it is named: a license, a list of dependencies, a
// generated file, a table of numbers, or a file that moot wrote.
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

// readable reports whether a file holds text that people read: no NUL byte, and no lines
// that a program packed together.
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

// quotable reports whether a line can be quoted as it is.
func quotable(line []byte) bool {
	const longest = 1000
	return len(line) <= longest && utf8.Valid(line)
}
