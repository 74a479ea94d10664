package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/git"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/state"
)

// The limits of a request and its answer.
const (
	maxAnswer   = 16 << 10
	maxLines    = 200
	maxLineSize = 500
	maxGlob     = 1000
	maxPattern  = 1000
	maxMatches  = 60
	// linesAround is the number of lines shown before and after a search result.
	linesAround = 9
	// listFresh is the maximum age of the file list and contents used by a search. READ, and the lines shown for a
	// result, are read from disk.
	listFresh = 20 * time.Second
)

// notSearched says what a search skips, so that no result is not mistaken for absence.
const notSearched = "binary files and files over 1 MiB or with very long lines are not searched"

// Workspace is a folder that can be listed, searched and read. It is safe for concurrent use.
type Workspace struct {
	dir   string
	root  *os.Root
	guard *Guard
	// redactor is nil if the user wants to keep secrets.
	redactor *redact.Redactor
	// allow are globs of files to show even though they may hold secrets.
	allow []string

	limits limits
	// words loads the word lists once.
	words func() *lists

	mutex  sync.Mutex
	listed time.Time
	files  []string
	// kept caches the contents of these files.
	kept *contents
	// cut says that the file list is incomplete. searched is how many files the last search read, if not all.
	cut      bool
	searched int
}

// New opens a folder. A nil redactor shows files unchanged. allow are globs of files to show even though their names
// suggest secrets.
func New(dir string, redactor *redact.Redactor, allow []string) (*Workspace, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the workspace to search: %w", err)
	}
	return &Workspace{
		dir: dir, root: root, guard: NewGuard(root), redactor: redactor, allow: allow,
		kept:   &contents{files: map[string][]byte{}},
		limits: limitsOf(dir), words: sync.OnceValue(readWords),
	}, nil
}

// Bound returns which part of a large folder is listed and searched, such as "the first 20,000 files", or "".
func (w *Workspace) Bound() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	n := len(w.files)
	switch {
	case w.searched > 0:
		n = w.searched
	case !w.cut:
		return ""
	}
	number := strconv.Itoa(n)
	for at := len(number) - 3; at > 0; at -= 3 {
		number = number[:at] + "," + number[at:]
	}
	return "the first " + number + " files"
}

// Close closes the folder.
func (w *Workspace) Close() error { return w.root.Close() }

// Look implements protocol.Looker.
func (w *Workspace) Look(ctx context.Context, lookup move.Move, limit int) (string, []state.Passage, error) {
	out := &answer{left: min(limit, maxAnswer)}
	err := w.look(ctx, out, lookup)
	_, reads := lookup.(*move.Read)
	bound := w.Bound()
	switch {
	case reads || bound == "":
	case err != nil:
		err = fmt.Errorf("%w; only %s of the folder were looked at", err, bound)
	default:
		out.text.WriteString("only " + bound + " of the folder were looked at\n")
	}
	if err != nil {
		return "", nil, err
	}
	return out.text.String(), out.shown, nil
}

func (w *Workspace) look(ctx context.Context, out *answer, lookup move.Move) error {
	switch m := lookup.(type) {
	case *move.List:
		return w.list(ctx, out, m.Glob)
	case *move.Search:
		if pattern := strings.TrimSpace(m.Query); len(pattern) > 2 && pattern[0] == '/' &&
			pattern[len(pattern)-1] == '/' {
			return w.grep(ctx, out, pattern[1:len(pattern)-1], m.Glob)
		}
		return w.search(ctx, out, m.Query, m.Glob)
	case *move.Read:
		return w.read(ctx, out, m.Path, m.From, m.To)
	}
	return fmt.Errorf("%s is no lookup", move.KindOf(lookup))
}

// answer builds the answer to a lookup within its limits.
type answer struct {
	text  strings.Builder
	left  int
	shown []state.Passage
}

// line adds a line, and reports whether it fit.
func (a *answer) line(text string) bool {
	if a.left -= len(text) + 1; a.left < 0 {
		return false
	}
	a.text.WriteString(text + "\n")
	return true
}

// list lists the files that match a glob.
func (w *Workspace) list(ctx context.Context, out *answer, glob string) error {
	files, err := w.matching(ctx, glob)
	if err != nil {
		return err
	}
	for i, name := range files {
		if i == maxLines || !out.line(plain.Line(name)) {
			fmt.Fprintf(&out.text, "and %d more: narrow the glob\n", len(files)-i)
			return nil
		}
	}
	return nil
}

// matching returns the files that match a glob; "" matches all. A glob without a slash matches names in any folder,
// and the name of a folder matches its contents.
func (w *Workspace) matching(ctx context.Context, glob string) ([]string, error) {
	files, err := w.Files(ctx)
	if err != nil {
		return nil, err
	}
	matches, err := matcher(glob)
	if err != nil {
		return nil, err
	}
	matching := slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !matches(name) })
	if len(matching) == 0 {
		return nil, protocol.NothingFound(fmt.Sprintf("no file matches %s; git-ignored files are not shown",
			plain.Clip(glob, 60)))
	}
	return matching, nil
}

// matcher returns which names a glob matches.
func matcher(glob string) (func(name string) bool, error) {
	glob = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(filepath.ToSlash(glob)), "./"), "/")
	switch {
	case glob == "" || glob == "." || glob == "**":
		return func(string) bool { return true }, nil
	case len(glob) > maxGlob || !doublestar.ValidatePattern(glob):
		return nil, fmt.Errorf("%q is not a glob; examples: *.go, docs/**/*.md", plain.Clip(glob, 60))
	}
	return func(name string) bool {
		target := name
		if !strings.Contains(glob, "/") {
			target = path.Base(name)
		}
		return doublestar.MatchUnvalidated(glob, target) || strings.HasPrefix(name, strings.TrimSuffix(glob, "/")+"/")
	}, nil
}

// Files returns the files that can be shown, sorted by name. In a very large folder, it returns those nearest to the
// top.
func (w *Workspace) Files(ctx context.Context) ([]string, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.files != nil && time.Since(w.listed) < listFresh {
		return w.files, nil
	}
	if w.guard.tree != nil {
		return w.treeFiles()
	}
	files, skipped, err := w.walkFiles(ctx)
	if err != nil {
		return nil, err
	}
	if w.cut = skipped.Cut != ""; len(files) == 0 {
		return nil, errNoFiles
	}
	w.keep(files)
	return files, nil
}

// treeFiles is Files for the files of a commit.
func (w *Workspace) treeFiles() ([]string, error) {
	files, skipped := w.listTree()
	if w.cut = skipped.Cut != ""; len(files) == 0 {
		return nil, errNoFiles
	}
	w.keep(files)
	return files, nil
}

// keep remembers a list of files and forgets the contents of the earlier one.
func (w *Workspace) keep(files []string) {
	w.files, w.listed, w.searched = files, time.Now(), 0
	w.kept = &contents{files: map[string][]byte{}, most: w.limits.kept}
}

// In switches the workspace to the files of a commit.
func (w *Workspace) In(tree *git.Tree) { w.guard.In(tree) }

var errEnough = errors.New("enough files were listed")

var errNoFiles = errors.New("the workspace has no files to look at")

// read shows lines of a file.
func (w *Workspace) read(ctx context.Context, out *answer, name string, from, to int) error {
	name, err := w.clean(ctx, name)
	if err != nil {
		return err
	}
	lines, digest, err := w.lines(name)
	if err != nil {
		return err
	}
	from = max(from, 1)
	switch {
	case from > len(lines):
		return protocol.NothingFound(fmt.Sprintf("%s has %d lines, so there is no line %d", name, len(lines), from))
	case to != 0 && to < from:
		return fmt.Errorf("the last line, %d, is before the first, %d", to, from)
	case to == 0 || to > len(lines):
		to = len(lines)
	}
	last := from - 1
	for last < to && last-from+1 < maxLines && out.line(numbered(last+1, lines[last])) {
		last++
	}
	if last < from {
		return errors.New("there is no room left for this line in this turn")
	}
	out.shown = []state.Passage{{Path: name, From: from, To: last, Digest: digest}}
	if last < to {
		fmt.Fprintf(&out.text, "cut at line %d of %d: read on from %d\n", last, len(lines), last+1)
	}
	return nil
}

// search shows the passages that match the words of a query.
func (w *Workspace) search(ctx context.Context, out *answer, query, glob string) error {
	if strings.TrimSpace(query) == "" {
		return errors.New("the query is empty: give words, or a regular expression between slashes")
	}
	var within []string
	if glob != "" {
		files, err := w.matching(ctx, glob)
		if err != nil {
			return err
		}
		within = files
	}
	const results = 10
	q := readQuestion(query, w.words())
	q.seekLiteral(query)
	found, err := w.find(ctx, q, results, within)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("nothing found for %q in what was searched; try other words, or LIST; %s",
			plain.Clip(query, 60), notSearched)
	}
	for _, p := range found {
		if !out.line(fmt.Sprintf("%s:%d-%d\n%s", p.Path, p.From, p.To, p.Text)) {
			break
		}
		p.Text = ""
		out.shown = append(out.shown, p)
	}
	return nil
}

// find returns at most limit passages that best match a query, numbered and without secrets. No line is repeated, and
// the best line is in the middle of its passage unless the file or another passage starts there. within are the files
// to search; nil means all.
func (w *Workspace) find(ctx context.Context, q *query, limit int, within []string) ([]state.Passage, error) {
	if within == nil {
		var err error
		if within, err = w.Files(ctx); err != nil {
			return nil, err
		}
	}
	q.judges, q.apart = nil, linesAround // Merely related passages are useful too.
	found, err := w.rank(ctx, within, q, limit)
	if err != nil {
		return nil, err
	}
	var passages []state.Passage
	type file struct {
		lines  []string
		digest string
		err    error
	}
	files := map[string]file{}
	for _, p := range found {
		f, known := files[p.Path]
		if !known {
			f.lines, f.digest, f.err = w.lines(p.Path)
			files[p.Path] = f
		}
		if f.err != nil || p.Line > len(f.lines) {
			continue // the file changed
		}
		from, to := max(1, p.Line-linesAround), min(len(f.lines), p.Line+linesAround)
		for _, q := range passages {
			switch {
			case q.Path != p.Path:
			case q.From <= p.Line && p.Line <= q.To:
				to = 0 // already shown
			case q.To < p.Line:
				from = max(from, q.To+1)
			default:
				to = min(to, q.From-1)
			}
		}
		if to < from {
			continue
		}
		var text []string
		for n := from; n <= to; n++ {
			line := f.lines[n-1]
			if at := strings.Index(strings.ToLower(line), q.literal); n == p.Line && at+len(q.literal) > maxLineSize {
				// Shorten a long line at its start, because its end would be cut off.
				line = "…" + strings.ToValidUTF8(line[min(at, len(line)):], "")
			}
			text = append(text, numbered(n, line))
		}
		passages = append(passages, state.Passage{
			Path: p.Path, From: from, To: to, Digest: f.digest, Text: strings.Join(text, "\n"),
		})
	}
	return passages, nil
}

// grep shows the lines that match a regular expression.
func (w *Workspace) grep(ctx context.Context, out *answer, pattern, glob string) error {
	if len(pattern) > maxPattern {
		return fmt.Errorf("the regular expression has %d bytes, the limit is %d", len(pattern), maxPattern)
	}
	matcher, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return fmt.Errorf("the regular expression is not valid: %w", err)
	}
	files, err := w.matching(ctx, glob)
	if err != nil {
		return err
	}
	candidates := make([]candidate, len(files))
	for i, name := range files {
		candidates[i].path = name
	}
	hits := make([]bool, len(files))
	w.bounded(ctx, w.each(ctx, runtime.GOMAXPROCS(0), candidates, func(_, i int, data []byte) {
		hits[i] = matcher.Match(data)
	}), len(files))
	if err := ctx.Err(); err != nil {
		return err
	}
	matches := 0
	for i, name := range files {
		if !hits[i] {
			continue
		}
		lines, digest, err := w.lines(name)
		if err != nil {
			continue
		}
		for n, line := range lines {
			if !matcher.MatchString(line) {
				continue
			}
			if matches == maxMatches || !out.line(name+":"+numbered(n+1, line)) {
				out.text.WriteString("there are more matches: narrow the pattern or the glob\n")
				return nil
			}
			matches++
			out.shown = append(out.shown, state.Passage{Path: name, From: n + 1, To: n + 1, Digest: digest})
		}
	}
	if matches == 0 {
		return protocol.NothingFound(fmt.Sprintf("nothing matches /%s/ in what was searched; %s",
			plain.Clip(pattern, 60),
			notSearched))
	}
	return nil
}

func numbered(n int, line string) string {
	line = strings.TrimRight(line, " \t\r")
	if len(line) > maxLineSize {
		line = strings.ToValidUTF8(line[:maxLineSize], "") + "…"
	}
	return fmt.Sprintf("%d: %s", n, line)
}

// clean converts a path from a seat to one in the workspace.
func (w *Workspace) clean(ctx context.Context, name string) (string, error) {
	shown := plain.Clip(name, 80)
	name = filepath.ToSlash(strings.TrimSpace(name))
	if rest, below := strings.CutPrefix(name, strings.TrimSuffix(filepath.ToSlash(w.dir), "/")+"/"); below {
		name = rest
	}
	name = path.Clean(name)
	if !filepath.IsLocal(filepath.FromSlash(name)) || name == "." {
		return "", fmt.Errorf("%q is not a file of the workspace", shown)
	}
	if w.guard.tree != nil {
		if why := w.guard.tree.Withheld(name); why != "" {
			return "", errors.New(why)
		}
	}
	if why := w.guard.Secret(ctx, name, w.allow); why != "" {
		return "", fmt.Errorf("%s is not shown: %s", shown, why)
	}
	return name, nil
}

// data returns the content of a file, or an error that says why it is not shown.
func (w *Workspace) data(name string) ([]byte, error) {
	absent := func() error {
		return protocol.NothingFound(fmt.Sprintf("there is no file %s%s", plain.Clip(name, 80), w.like(name)))
	}
	if w.guard.tree != nil {
		isFolder, err := w.guard.tree.Stat(name)
		if isFolder {
			return nil, fmt.Errorf("%s is a folder: LIST it", name)
		}
		if err != nil {
			return nil, absent()
		}
		data, err := w.guard.tree.Read(name, maxFile)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", plain.Clip(name, 80), err)
		}
		return data, nil
	}
	info, err := w.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, absent()
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read", plain.Clip(name, 80))
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder: LIST it", name)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a link; links are not followed", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s has %d bytes, the limit is %d", name, info.Size(), maxFile)
	}
	data, ok := w.readFile(name)
	if !ok {
		return nil, fmt.Errorf("%s cannot be read", name)
	}
	return data, nil
}

// lines returns the redacted lines of a file, and the digest of its bytes. It searches the whole file for secrets,
// because some have several lines.
func (w *Workspace) lines(name string) ([]string, string, error) {
	data, err := w.data(name)
	if err != nil {
		return nil, "", err
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, "", fmt.Errorf("%s is a binary file", name)
	}
	text := strings.ToValidUTF8(string(data), "\uFFFD")
	if w.redactor != nil {
		text, _ = w.redactor.Named(name, text)
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), ledger.Digest(data), nil
}

// like lists files with the same name in other folders.
func (w *Workspace) like(name string) string {
	files, _ := w.Files(context.Background())
	var same []string
	for _, other := range files {
		if path.Base(other) == path.Base(name) && len(same) < 3 {
			same = append(same, other)
		}
	}
	if len(same) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(same, " or ") + "?"
}
