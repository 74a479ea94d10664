package change

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/git"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/protocol/review"
	"moot/state"
	"moot/workspace"
)

const (
	// maxFile is the maximum size of the diff of one file, and maxChange of all of them, in bytes. Generated and large
	// ones are withheld so that the others fit.
	maxFile, maxChange = 256 << 10, 8 << 20
	// maxKept is the maximum size of a file in which the functions around its hunks are looked for, and maxAllKept that
	// of all of them, in bytes.
	maxKept, maxAllKept = 1 << 20, 64 << 20
	// maxAround is how many names are listed beside a file.
	maxAround = 30
	// maxMemory is the maximum size of a memory file, and of a file in which the lines of remembered findings are looked
	// for.
	maxMemory = 4 << 20
)

// notNamed is the reason for files that are not among Options.Paths.
const notNamed = "not among the paths you named"

// changed is a changed file that is being read.
type changed struct {
	review.File
	sides git.Change
	// path and from are the paths in the repository; those of the file are without secrets.
	path, from string
	// reason says why it is withheld, or is "".
	reason string
	hunks  string
	// content is the file after the change, or before it if it was deleted, if it was kept.
	content []byte
	// secrets are the secrets of several lines before the change and after it.
	secrets [2][]redact.Finding
}

// readFiles reads the changed files of a comparison.
func readFiles(ctx context.Context, g *git.Repository, c *comparison, o Options) (*Material, error) {
	changes, err := g.Changes(ctx, c.from, c.to)
	if err != nil {
		return nil, err
	}
	files := make([]*changed, 0, len(changes))
	for _, one := range changes {
		file := &changed{sides: one, path: one.Path, from: one.From}
		switch {
		case one.From != "":
			file.Status = review.Renamed
		case one.Was.Mode == "":
			file.Status = review.Added
		case one.Now.Mode == "":
			file.Status = review.Deleted
		default:
			file.Status = review.Modified
		}
		files = append(files, file)
	}
	if c.made != nil {
		if files, err = addUnread(ctx, g, files, c.to, c.made.Withheld); err != nil {
			return nil, err
		}
		if len(c.made.Unmerged) > 0 {
			o.Note("a merge is not finished: " + conflicts(c.made.Unmerged) + ", and is reviewed as it is in the folder")
		}
	}
	if len(files) == 0 {
		switch {
		case o.Since != "":
			return nil, mistake("nothing changed since then; name another revision, such as main")
		case o.Patch != nil:
			return nil, mistake("nothing to review: %s changes no file", c.changed)
		case o.Staged:
			return nil, mistake("nothing to review: the index has no change; git add files, or review the working tree " +
				"with: moot review")
		case o.Revision == "":
			return nil, mistake("nothing to review: no file changed since %s; name a commit or a range, as in: moot "+
				"review HEAD", c.changed)
		}
		return nil, mistake("nothing to review: %s changes no file", c.changed)
	}
	if err := leaveOut(g.Top(), files, o); err != nil {
		return nil, err
	}
	if err := readDiffs(ctx, g, files, o.Redact); err != nil {
		return nil, err
	}
	m := &Material{
		Change: review.Change{
			Base: c.base, Head: c.head, Branch: c.branch, Repository: repositoryID(ctx, g, c.head),
		},
		Tree: c.to, folder: o.Folder, repository: g, clean: o.Redact,
	}
	if c.head != "" {
		m.Tree = c.head
	}
	listed, err := g.Paths(ctx, c.to)
	if err != nil {
		return nil, err
	}
	around := newNeighbors(listed, o.Redact)
	for _, file := range files {
		file.Around = around.of(file.path)
	}
	m.finish(files, c.what, o)
	return m, ctx.Err()
}

// addUnread adds the files of the working tree that were not read.
func addUnread(
	ctx context.Context, g *git.Repository, files []*changed, tree string, withheld []git.Withheld,
) ([]*changed, error) {
	if len(withheld) == 0 {
		return files, nil
	}
	listed, err := g.Paths(ctx, tree)
	if err != nil {
		return nil, err
	}
	isBefore, known := map[string]bool{}, map[string]*changed{}
	for _, name := range listed {
		isBefore[name] = true
	}
	for _, file := range files {
		known[file.path] = file
	}
	for _, w := range withheld {
		file := known[w.Path]
		if file == nil {
			file = &changed{path: w.Path}
			if file.Status = review.Added; isBefore[w.Path] {
				file.Status = review.Modified
			}
			files = append(files, file)
		}
		if file.Status == review.Deleted {
			// It is only left out of the tree.
			file.Status = review.Modified
		}
		file.reason = w.Reason
	}
	slices.SortStableFunc(files, func(a, b *changed) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// leaveOut notes which files the user leaves out, and which hold secrets by their names.
func leaveOut(top string, files []*changed, o Options) error {
	paths := make([]string, len(o.Paths))
	for i, typed := range o.Paths {
		var err error
		if paths[i], err = below(top, o.Folder, typed); err != nil {
			return err
		}
	}
	named := 0
	for _, file := range files {
		// A file that was moved is left out only if both of its paths are.
		both := []string{file.path, cmp.Or(file.from, file.path)}
		if len(paths) > 0 && !slices.ContainsFunc(both, func(name string) bool { return isAmong(name, paths) }) {
			file.Ignored = notNamed
			continue
		}
		named++
		for _, glob := range o.Ignore {
			if matches(glob, both[0]) && matches(glob, both[1]) {
				file.Ignored = fmt.Sprintf("%s of [review] ignore in your configuration", glob)
				break
			}
		}
		for _, name := range both {
			if why := workspace.SecretName(name); why != "" && !workspace.Allowed(name, o.Allow) && file.Ignored == "" {
				file.reason = why
			}
		}
	}
	if named == 0 && len(paths) > 0 {
		return mistake("nothing to review: the change has %s, and nothing of it is among the paths you named; they are "+
			"relative to the current folder", plain.Counted(len(files), "file"))
	}
	if !slices.ContainsFunc(files, func(f *changed) bool { return f.Ignored == "" }) {
		return mistake("nothing to review: your configuration leaves out all of the %s ([review] ignore)",
			plain.Counted(named, "changed file"))
	}
	return nil
}

// matches reports whether a glob matches a path, or with no slash in it the last element of the path.
func matches(glob, name string) bool {
	glob = strings.TrimPrefix(glob, "./")
	if folder, is := strings.CutSuffix(glob, "/"); is {
		glob = folder + "/**"
	}
	if !strings.Contains(glob, "/") {
		name = path.Base(name)
	}
	ok, _ := doublestar.Match(glob, name)
	return ok
}

// below returns a path that the user typed as git names it: relative to the top of the repository.
func below(top, folder, typed string) (string, error) {
	name := filepath.FromSlash(typed)
	if !filepath.IsAbs(name) {
		name = filepath.Join(realPath(folder), name)
	}
	for _, base := range []string{realPath(top), top} {
		if relative, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(relative) {
			return filepath.ToSlash(relative), nil
		}
	}
	return "", mistake("%s is outside of the repository in %s", plain.Line(typed), top)
}

// isAmong reports whether a path is one of some, or in one of them.
func isAmong(name string, paths []string) bool {
	return slices.ContainsFunc(paths, func(one string) bool {
		return one == "." || name == one || strings.HasPrefix(name, one+"/")
	})
}

// readDiffs reads how the files differ.
func readDiffs(ctx context.Context, g *git.Repository, files []*changed, clean redactor) error {
	var shown []*changed
	var changes []git.Change
	for _, file := range files {
		if file.Ignored == "" && (file.sides.Was.ID != "" || file.sides.Now.ID != "") {
			shown, changes = append(shown, file), append(changes, file.sides)
		}
	}
	left := maxAllKept
	err := g.Contents(ctx, changes, func(i int, now bool, content []byte, why string) error {
		file := shown[i]
		if why != "" {
			file.reason = cmp.Or(file.reason, why)
			return nil
		}
		side, count := 0, &file.Was
		if now {
			side, count = 1, &file.Lines
		}
		*count = countLines(content)
		if file.reason != "" {
			return nil
		}
		if clean != nil && mayHoldKey(content) {
			file.secrets[side] = longSecrets(clean, file.path, string(content))
		}
		if now && file.Status != review.Added && len(content) <= min(maxKept, left) {
			file.content = bytes.Clone(content)
			left -= len(content)
		}
		return nil
	})
	if err != nil {
		return err
	}
	shown = slices.DeleteFunc(shown, func(f *changed) bool { return f.reason != "" })
	changes = changes[:0]
	for _, file := range shown {
		changes = append(changes, file.sides)
	}
	err = g.Hunks(ctx, changes, maxFile, func(i int, hunks string) {
		file := shown[i]
		if file.hunks = hunks; hunks == "" && file.Lines+file.Was > 0 {
			file.reason = fmt.Sprintf("its change is larger than %d KiB", maxFile>>10)
		}
	})
	if err != nil {
		return err
	}
	for _, file := range shown {
		if file.reason != "" {
			continue
		}
		hunks := file.hunks
		if file.content != nil {
			hunks = withFunctions(hunks, file.content)
			file.content = nil
		}
		// A NUL byte inside of a text would end it for some programs.
		file.Diff = printable(file.header(hunks != "") + hunks)
	}
	return nil
}

// printable makes a diff valid text.
func printable(diff string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(diff, "\uFFFD"), "\x00", "\u2400")
}

func countLines(content []byte) int {
	n := bytes.Count(content, []byte("\n"))
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}

// header returns the lines that git writes before the hunks of a file.
func (f *changed) header(withHunks bool) string {
	was, now := cmp.Or(f.from, f.path), f.path
	var out strings.Builder
	fmt.Fprintf(&out, "diff --git %s %s\n", quoted("a/"+was), quoted("b/"+now))
	before, after := quoted("a/"+was), quoted("b/"+now)
	switch {
	case f.sides.Was.Mode == "":
		fmt.Fprintf(&out, "new file mode %s\n", f.sides.Now.Mode)
		before = "/dev/null"
	case f.sides.Now.Mode == "":
		fmt.Fprintf(&out, "deleted file mode %s\n", f.sides.Was.Mode)
		after = "/dev/null"
	case f.sides.Was.Mode != f.sides.Now.Mode:
		fmt.Fprintf(&out, "old mode %s\nnew mode %s\n", f.sides.Was.Mode, f.sides.Now.Mode)
	}
	if f.from != "" {
		fmt.Fprintf(&out, "similarity index %d%%\nrename from %s\nrename to %s\n", f.sides.Similarity, quoted(was), quoted(now))
	}
	if withHunks {
		fmt.Fprintf(&out, "--- %s\n+++ %s\n", before, after)
	}
	return out.String()
}

// quoted writes a path as git does in a diff.
func quoted(name string) string {
	var out strings.Builder
	isQuoted := false
	for _, c := range []byte(strings.ToValidUTF8(name, "\uFFFD")) {
		escape := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c)
		switch {
		case escape >= 0:
			out.WriteByte('\\')
			out.WriteByte("abtnvfr\"\\"[escape])
			isQuoted = true
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, "\\%03o", c)
			isQuoted = true
		default:
			out.WriteByte(c)
		}
	}
	if isQuoted {
		return `"` + out.String() + `"`
	}
	return out.String()
}

// finish takes secrets out of the files, withholds what is too much, and writes the title.
func (m *Material) finish(files []*changed, what string, o Options) {
	m.fit(files)
	reviewed := 0
	m.Files = make([]review.File, 0, len(files))
	for _, file := range files {
		file.Path, file.From = validName(file.path), validName(file.from)
		if o.Redact != nil {
			file.Path, file.From = workspace.ShownName(file.Path), workspace.ShownName(file.From)
		}
		file.Generated = IsGenerated(file.path)
		if file.Around == nil {
			file.Around = []string{}
		}
		switch {
		case file.Ignored != "":
			file.Diff = ""
		case file.reason != "":
			m.withhold(file.Path, "", file.reason)
			file.Diff = ""
		case o.Redact != nil:
			m.redact(file, o)
		}
		if file.Ignored == "" {
			reviewed++
		}
		m.Files = append(m.Files, file.File)
	}
	count := plain.Counted(len(files), "file")
	if reviewed < len(files) {
		count = fmt.Sprintf("%d of %s", reviewed, count)
	}
	m.Title = fmt.Sprintf("Review of %s (%s)", plain.Line(what), count)
	if o.Redact != nil {
		m.Title, _ = o.Redact("", m.Title)
		m.Branch, _ = o.Redact("", m.Branch)
	}
}

func (m *Material) withhold(name, lines, reason string) {
	m.Withheld = append(m.Withheld, &state.Withheld{Path: name, Lines: lines, Reason: reason, Seats: []state.Seat{}})
}

// fit withholds diffs until the others are not too much: generated files first, then the largest.
func (m *Material) fit(files []*changed) {
	size := 0
	var bySize []*changed
	for _, file := range files {
		size += len(file.Diff)
		bySize = append(bySize, file)
	}
	if size <= maxChange {
		return
	}
	slices.SortStableFunc(bySize, func(a, b *changed) int {
		if one, other := IsGenerated(a.path), IsGenerated(b.path); one != other {
			if one {
				return -1
			}
			return 1
		}
		return cmp.Compare(len(b.Diff), len(a.Diff))
	})
	for _, file := range bySize {
		if size <= maxChange {
			break
		}
		if file.Diff != "" && file.Ignored == "" {
			size -= len(file.Diff)
			file.Diff, file.reason = "", fmt.Sprintf("the change is larger than %d MiB", maxChange>>20)
		}
	}
}

func validName(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

// neighbors lists the names beside files.
type neighbors struct {
	// folders has the names in each folder, in order; folders among them end in a slash.
	folders map[string][]string
	clean   bool
	shown   map[string]string
}

func newNeighbors(paths []string, clean redactor) *neighbors {
	n := &neighbors{folders: map[string][]string{}, clean: clean != nil, shown: map[string]string{}}
	seen := map[string]bool{}
	for _, name := range paths {
		folder, base := path.Split(name)
		for {
			n.folders[folder] = append(n.folders[folder], base)
			if folder == "" || seen[folder] {
				break
			}
			seen[folder] = true
			folder, base = path.Split(strings.TrimSuffix(folder, "/"))
			base += "/"
		}
	}
	for _, names := range n.folders {
		slices.Sort(names)
	}
	return n
}

// of returns the names nearest to a file in its folder.
func (n *neighbors) of(name string) []string {
	folder, base := path.Split(name)
	names := n.folders[folder]
	at, found := slices.BinarySearch(names, base)
	skipped := 0
	if found {
		skipped = 1
	}
	first := max(0, min(at-maxAround/2, len(names)-maxAround-skipped))
	around := []string{}
	for i := first; i < len(names) && len(around) < maxAround; i++ {
		if i == at && found {
			continue
		}
		one, known := n.shown[names[i]]
		if !known {
			if one = validName(names[i]); n.clean {
				one = workspace.ShownName(one)
			}
			n.shown[names[i]] = one
		}
		around = append(around, one)
	}
	return around
}

// Texts returns files of the tree under review as reviewers see them, by their paths. Files that are not there or larger
// than 4 MiB are left out. It must be called before Open.
func (m *Material) Texts(ctx context.Context, paths []string) (map[string]string, error) {
	texts := map[string]string{}
	if m.Tree == "" || m.repository == nil || len(paths) == 0 {
		return texts, nil
	}
	return texts, m.repository.Texts(ctx, m.Tree, paths, maxMemory, func(name, text string) {
		if texts[name] = text; m.clean != nil {
			texts[name], _ = m.clean(name, text)
		}
	})
}

// MemoryFile is the file with the memory of reviews that the user named.
type MemoryFile struct {
	Text []byte
	// Commit is the commit in which it was read, or "" if it was read from the folder.
	Commit string
	// Changed is its path if the change touches it, or "".
	Changed string
}

// ReadMemory reads the memory file that the user named. A change must not rule on itself, so a file that the repository
// tracks is read from the commit that the change begins with, and is empty if that has none. read reads a
// file of the folder.
func (m *Material) ReadMemory(
	ctx context.Context, path string, read func(string) ([]byte, error),
) (found MemoryFile, err error) {
	g := m.repository
	if g == nil {
		g, err = git.Open(ctx, m.folder)
		if _, isGit := errors.AsType[*git.Error](err); isGit {
			found.Text, err = read(path)
			return found, err
		}
		if err != nil {
			return found, err
		}
		defer g.Close()
	}
	base := cmp.Or(m.Base, g.Head())
	for _, name := range namesOf(path) {
		relative, err := below(g.Top(), m.folder, name)
		if err != nil {
			continue // It is outside of the repository.
		}
		if m.changes(relative) {
			found.Changed = relative
		}
		isTracked, err := g.Tracks(ctx, relative)
		if err != nil {
			return found, err
		}
		for _, commit := range []string{m.Head, g.Head(), base} {
			if commit == "" {
				continue
			}
			text, err := g.File(ctx, commit, relative, maxMemory)
			switch {
			case err == nil && commit == base:
				found.Text, found.Commit = text, base
				return found, nil
			case err == nil:
				isTracked = true
			case !errors.Is(err, fs.ErrNotExist):
				return found, err
			}
		}
		if isTracked {
			found.Commit = cmp.Or(base, g.EmptyTree())
			return found, nil
		}
	}
	found.Changed = ""
	found.Text, err = read(path)
	return found, err
}

// changes reports whether the change touches the file of a path.
func (m *Material) changes(path string) bool {
	return slices.ContainsFunc(m.Files, func(f review.File) bool { return f.Path == path || f.From == path })
}

// namesOf returns a path, and where it leads if a part of it is a link.
func namesOf(path string) []string {
	names := []string{path}
	target := realPath(path)
	if target == path {
		target = filepath.Join(realPath(filepath.Dir(path)), filepath.Base(path))
	}
	return lists.Distinct(append(names, target))
}

// CopyForPrograms writes the files of a tree to a new folder in which one agent program works, and returns it. The files
// that steer such programs, and those that hold secrets by their names, are left out. Closing the tree removes the
// folder.
func CopyForPrograms(ctx context.Context, tree *git.Tree, allow []string) (string, error) {
	return tree.CopyWithout(ctx, func(name string) bool {
		return Steers(name) || workspace.SecretName(name) != "" && !workspace.Allowed(name, allow)
	})
}
