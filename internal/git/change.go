package git

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"crypto/sha1" //nolint:gosec // it names objects
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"moot/internal/regular"
)

const (
	// maxBlob is the maximum size of a changed file in the work tree.
	maxBlob = 32 << 20

	modeLink, modeFile, modeProgram, modeModule = "120000", "100644", "100755", "160000"
)

// Withheld is a path that is not shown, and the reason.
type Withheld struct{ Path, Reason string }

// Change is a path where two trees differ. From is the path before if the file was renamed, else "", and Similarity is
// how much of its content stayed, in percent.
type Change struct {
	Path, From string
	Similarity int
	Was, Now   Entry
}

// Entry is a path in a tree. Its mode is "" where the path does not exist.
type Entry struct{ Mode, ID string }

// Commit resolves a revision to a commit id.
func (r *Repository) Commit(ctx context.Context, revision string) (string, error) {
	if err := r.openObjects(); err != nil {
		return "", err
	}
	out, err := r.git(ctx, maxSmall, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil || strings.HasPrefix(revision, "-") {
		return "", &Error{Text: fmt.Sprintf("there is no commit %s here", revision)}
	}
	return strings.TrimSpace(out), nil
}

// Parent returns the first parent of a commit, or "" if it has none, and how many it has. In a shallow clone the parent
// may be missing, which is an error: the commit must not look as if it added every file.
func (r *Repository) Parent(ctx context.Context, commit string) (parent string, count int, err error) {
	err = r.objects(ctx, []string{commit}, maxConfig, func(_, kind string, _ int64, content io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(content, maxConfig))
		for line := range strings.Lines(string(text)) {
			if name, found := strings.CutPrefix(line, "parent "); found {
				if count++; count == 1 {
					parent = strings.TrimSpace(name)
				}
			}
			if line == "\n" {
				break
			}
		}
		if err == nil && kind != "commit" {
			err = &Error{Text: fmt.Sprintf("%.12s is not a commit", commit)}
		}
		return err
	})
	if err != nil || parent == "" {
		return "", 0, err
	}
	err = r.objects(ctx, []string{parent}, maxConfig, func(_, kind string, _ int64, _ io.Reader) error {
		if kind == "commit" {
			return nil
		}
		return &Error{Text: fmt.Sprintf("the parent of %.12s, %.12s, is not in this shallow clone: git fetch "+
			"--deepen=1 brings it", commit, parent)}
	})
	return parent, count, err
}

// IsShallow reports whether the history ends at commits whose parents are not in this clone.
func (r *Repository) IsShallow() bool {
	info, err := os.Lstat(filepath.Join(r.place.common, "shallow"))
	return err == nil && info.Size() > 0
}

// Root returns the first commit of the history of a commit, by first parents.
func (r *Repository) Root(ctx context.Context, commit string) (string, error) {
	out, err := r.git(ctx, maxSmall, "rev-list", "--first-parent", "--max-parents=0", commit)
	first, _, _ := strings.Cut(out, "\n")
	return first, err
}

// Count returns how many commits are in the history of to and not in that of from.
func (r *Repository) Count(ctx context.Context, from, to string) (int, error) {
	out, err := r.git(ctx, maxSmall, "rev-list", "--count", from+".."+to)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(out))
}

// TreeOf returns the tree of a commit.
func (r *Repository) TreeOf(ctx context.Context, commit string) (string, error) {
	out, err := r.git(ctx, maxSmall, "rev-parse", "--verify", commit+"^{tree}")
	return strings.TrimSpace(out), err
}

// Branch returns the short name of the branch that is checked out, also if it has no commit yet, or "".
func (r *Repository) Branch() string {
	name, found := strings.CutPrefix(readAt(r.place.dir, "HEAD"), "ref: refs/heads/")
	if !found {
		return ""
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}

// Name returns the full name of a ref, such as refs/heads/main, or "" if the revision is not a ref.
func (r *Repository) Name(ctx context.Context, revision string) string {
	out, err := r.git(ctx, maxSmall, "rev-parse", "--symbolic-full-name", revision)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// Short returns the short name of a ref, such as origin/main for @{upstream}.
func (r *Repository) Short(ctx context.Context, revision string) (string, error) {
	out, err := r.git(ctx, maxSmall, "rev-parse", "--abbrev-ref", revision)
	return strings.TrimSpace(out), err
}

// MergeBase returns the merge base of two commits.
func (r *Repository) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.git(ctx, maxSmall, "merge-base", a, b)
	return strings.TrimSpace(out), err
}

// Subject returns the short id and the subject of a commit.
func (r *Repository) Subject(ctx context.Context, commit string) (short, subject string, err error) {
	out, err := r.git(ctx, maxConfig, "log", "-1", "--no-show-signature", "--no-mailmap", "--format=%h %s", commit)
	short, subject, _ = strings.Cut(strings.TrimSpace(strings.ToValidUTF8(out, "\uFFFD")), " ")
	return short, subject, err
}

// Head returns the checked-out commit, or "".
func (r *Repository) Head() string { return r.place.Head() }

// EmptyTree returns the id of the empty tree.
func (r *Repository) EmptyTree() string { return r.name("tree", nil) }

// Changes lists the paths where two trees or commits differ. A deleted file and a new one with mostly the same content
// are one renamed file, unless there are too many files to compare or some of them are missing here.
func (r *Repository) Changes(ctx context.Context, from, to string) ([]Change, error) {
	args := []string{"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M", "-l400", from, to, "--"}
	out, err := r.git(ctx, maxList, args...)
	if err != nil && ctx.Err() == nil {
		args[5] = "--no-renames"
		out, err = r.git(ctx, maxList, args...)
	}
	if err != nil {
		return nil, unread(err)
	}
	var changes []Change
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for len(fields) > 1 {
		parts := strings.Fields(strings.TrimPrefix(fields[0], ":"))
		if len(parts) != 5 {
			return nil, &Error{Text: fmt.Sprintf("git diff-tree: unexpected line %q", fields[0])}
		}
		c := Change{Path: fields[1], Was: entryOf(parts[0], parts[2]), Now: entryOf(parts[1], parts[3])}
		fields = fields[2:]
		if score, renamed := strings.CutPrefix(parts[4], "R"); renamed && len(fields) > 0 {
			c.From, c.Path, fields = c.Path, fields[0], fields[1:]
			c.Similarity, _ = strconv.Atoi(score)
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// entryOf returns a side of a change as git describes it.
func entryOf(mode, id string) Entry {
	if strings.Trim(mode, "0") == "" {
		return Entry{}
	}
	return Entry{mode, id}
}

// unread explains an error of git about a missing object.
func unread(err error) error {
	var failed *Error
	if errors.As(err, &failed) && !failed.TooMuch {
		return &Error{Text: fmt.Sprintf("the folders of a commit cannot be read, perhaps since this clone is partial "+
			"(%s); "+
			"git checkout or git fetch --refetch brings them", failed.Text)}
	}
	return err
}

// Contents passes both sides of each change to use, each object read once: the content, which is valid until use
// returns, or why it cannot be shown as text: submodules, missing objects, binary and large files.
func (r *Repository) Contents(
	ctx context.Context, changes []Change, use func(change int, now bool, content []byte, why string) error,
) error {
	type side struct {
		change int
		now    bool
	}
	sides := map[string][]side{}
	var ids []string
	for i, c := range changes {
		if c.Was.Mode == modeModule || c.Now.Mode == modeModule {
			why := fmt.Sprintf("it is a submodule, a repository of its own (%s before, %s after)",
				shortModule(c.Was.Mode, c.Was.ID), shortModule(c.Now.Mode, c.Now.ID))
			if err := use(i, true, nil, why); err != nil {
				return err
			}
			continue
		}
		for _, now := range []bool{false, true} {
			id := c.Was.ID
			if now {
				id = c.Now.ID
			}
			if id == "" {
				continue
			}
			if sides[id] == nil {
				ids = append(ids, id)
			}
			sides[id] = append(sides[id], side{i, now})
		}
	}
	var buffer bytes.Buffer
	return r.objects(ctx, ids, maxBlob, func(id, kind string, size int64, content io.Reader) error {
		why := ""
		buffer.Reset()
		switch {
		case kind == "missing":
			why = "its contents are not in this clone, which is partial or damaged"
		case kind != "blob":
			why = "it is not a file"
		case size > maxBlob:
			why = fmt.Sprintf("it has more than %d MiB", maxBlob>>20)
		default:
			if _, err := buffer.ReadFrom(content); err != nil {
				return err
			}
			if !looksLikeText(buffer.Bytes()) {
				why = "it is a binary file"
			}
		}
		for _, s := range sides[id] {
			if err := use(s.change, s.now, buffer.Bytes(), why); err != nil {
				return err
			}
		}
		return nil
	})
}

func shortModule(mode, id string) string {
	if mode != modeModule {
		return "none"
	}
	return id[:min(len(id), 12)]
}

// looksLikeText reports whether at most a tenth of the bytes do not occur in text. A single NUL byte does not make a
// file binary, because that would be an easy way to hide a change.
func looksLikeText(content []byte) bool {
	odd := 0
	for _, c := range content {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b || c >= 0xf8 || c == 0x7f {
			odd++
		}
	}
	return odd*10 <= len(content)
}

// maxDiff is the maximum size of the hunks that one git command writes, in bytes.
const maxDiff = 32 << 20

// Hunks passes the hunks of each change to use, with three lines of context, or "" if they have more than most bytes.
// All files are compared as text, and the repository's attributes have no effect. A change of the mode alone has no
// hunks and is left out.
//
// git does not see the paths: it compares two trees that have the contents under numbers. So one command is enough for
// any number of files, whatever their names are and however they were renamed.
func (r *Repository) Hunks(ctx context.Context, changes []Change, most int, use func(change int, hunks string)) error {
	var differing []int
	for i, c := range changes {
		if c.Was.ID != c.Now.ID {
			differing = append(differing, i)
		}
	}
	return r.hunks(ctx, changes, differing, most, use)
}

func (r *Repository) hunks(
	ctx context.Context, changes []Change, numbers []int, most int, use func(change int, hunks string),
) error {
	if len(numbers) == 0 {
		return nil
	}
	var before, after bytes.Buffer
	for _, i := range numbers {
		for _, side := range []struct {
			out *bytes.Buffer
			id  string
		}{{&before, changes[i].Was.ID}, {&after, changes[i].Now.ID}} {
			if side.id == "" {
				continue
			}
			id, err := hex.DecodeString(side.id)
			if err != nil {
				return fmt.Errorf("read the id of an object: %w", err)
			}
			fmt.Fprintf(side.out, "%s %08d\x00%s", modeFile, i, id)
		}
	}
	from, err := r.writeObject("tree", before.Bytes())
	if err != nil {
		return err
	}
	to, err := r.writeObject("tree", after.Bytes())
	if err != nil {
		return err
	}
	limit := most + maxSmall
	if len(numbers) > 1 {
		limit = max(limit, maxDiff)
	}
	text, err := r.git(ctx, limit, "diff-tree", "-p", "--text", "--no-ext-diff", "--no-textconv", "--no-color",
		"--no-renames", "-U3", "--src-prefix=a/", "--dst-prefix=b/", from, to, "--")
	failed, isFailure := errors.AsType[*Error](err)
	switch {
	case isFailure && failed.TooMuch && len(numbers) == 1:
		use(numbers[0], "")
		return nil
	case isFailure && failed.TooMuch:
		half := len(numbers) / 2
		if err := r.hunks(ctx, changes, numbers[:half], most, use); err != nil {
			return err
		}
		return r.hunks(ctx, changes, numbers[half:], most, use)
	case err != nil:
		return err
	}
	// No other line begins like the header of a file: those of a file have a sign before them.
	const header = "diff --git a/"
	for text != "" {
		part := text
		if end := strings.Index(text, "\n"+header); end >= 0 {
			part = text[:end+1]
		}
		text = text[len(part):]
		number, _, _ := strings.Cut(strings.TrimPrefix(part, header), " ")
		i, err := strconv.Atoi(number)
		if err != nil || i >= len(changes) {
			return &Error{Text: fmt.Sprintf("git diff-tree: unexpected line %q", number)}
		}
		// An empty file that is new or deleted has no hunk.
		_, hunks, found := strings.Cut(part, "\n@@ ")
		switch {
		case !found:
			use(i, "")
		case len(hunks) > most:
			use(i, "")
		default:
			use(i, "@@ "+hunks)
		}
	}
	return nil
}

// Snapshot is a tree that was made of files outside of the repository. Its new objects are in the private folder.
type Snapshot struct {
	// Tree is its id.
	Tree string
	// Withheld has files that were not read; they are in the tree as they were before.
	Withheld []Withheld
	// Unmerged has the paths with conflicts of a merge that is not finished.
	Unmerged []string
}

// WorkTree makes a tree of the work tree: tracked files as they are on disk and, if withNew is set, new files that are
// not ignored. Files are compared with those of a commit by content: the index, whose times and flags may hide a
// change, is only used to list files.
func (r *Repository) WorkTree(ctx context.Context, commit string, withNew bool) (*Snapshot, error) {
	base, err := r.entries(ctx, commit)
	if err != nil {
		return nil, err
	}
	listed, err := r.list(ctx, r.place.Top)
	if err != nil {
		return nil, err
	}
	s := &snapshot{repository: r, base: base, next: map[string]Entry{}}
	if err := s.take(ctx, listed, withNew); err != nil {
		return nil, err
	}
	for name, e := range s.next {
		base[name] = e
	}
	made := &Snapshot{Withheld: s.withheld, Unmerged: s.unmerged}
	for name := range base {
		if !isPlain(name) {
			made.Withheld = append(made.Withheld, Withheld{name, "git does not check out a path of this kind"})
			delete(base, name)
		}
	}
	slices.SortFunc(made.Withheld, func(a, b Withheld) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(made.Unmerged)
	made.Tree, err = r.writeTree(base)
	return made, err
}

// Index makes a tree of the index.
func (r *Repository) Index(ctx context.Context) (*Snapshot, error) {
	if !r.CheckedOut() {
		return &Snapshot{Tree: r.EmptyTree()}, nil
	}
	index, err := r.copyIndex()
	if err != nil {
		return nil, &Error{Text: fmt.Sprintf("the index of the repository cannot be read: %v", err)}
	}
	if err := r.openObjects(); err != nil {
		return nil, err
	}
	out, err := run(ctx, call{
		dir: filepath.Join(r.private, "empty"), env: append(r.environ(), "GIT_INDEX_FILE="+index), limit: maxList,
		args: []string{"ls-files", "-z", "--stage"},
	})
	if err != nil {
		return nil, err
	}
	// The tree is made of the entries, since an index may name a tree that does not have them.
	made := &Snapshot{}
	entries, unmerged := staged(out)
	made.Unmerged = unmerged
	if err := r.dropIntended(ctx, index, entries); err != nil {
		return nil, err
	}
	made.Tree, err = r.writeTree(entries)
	return made, err
}

// dropIntended removes the entries of git add -N, which have no content yet and look like empty files.
func (r *Repository) dropIntended(ctx context.Context, index string, entries map[string]Entry) error {
	empty := r.name("blob", nil)
	if !slices.ContainsFunc(slices.Collect(maps.Values(entries)), func(e Entry) bool { return e.ID == empty }) {
		return nil
	}
	out, err := run(ctx, call{
		dir: filepath.Join(r.private, "empty"), env: append(r.environ(), "GIT_INDEX_FILE="+index), limit: maxList,
		args: []string{"ls-files", "-z", "--debug"},
	})
	if err != nil {
		return err
	}
	// After each name and NUL come lines about it, the last one with its flags.
	const intended = 1 << 29
	for {
		name, rest, found := strings.Cut(out, "\x00")
		_, flags, known := strings.Cut(rest, "\tflags: ")
		if !found || !known {
			return nil
		}
		flags, out, _ = strings.Cut(flags, "\n")
		if bits, err := strconv.ParseUint(strings.TrimSpace(flags), 16, 32); err == nil && bits&intended != 0 &&
			entries[name].ID == empty {
			delete(entries, name)
		}
	}
}

// Patched makes a tree of a commit with a patch applied to it, which changes or removes the files named. prefix is the
// folder that the paths of the patch are in, or "", and strip how many elements of them are not part of the path. An
// *Error says why the patch does not apply.
func (r *Repository) Patched(
	ctx context.Context, commit string, patch []byte, named []string, prefix string, strip int,
) (string, error) {
	entries, err := r.entries(ctx, commit)
	if err != nil {
		return "", err
	}
	// git works in a folder of objects that has the files named and no others, since it touches objects that exist
	// already.
	apart := filepath.Join(r.private, fmt.Sprintf("patched-%d", r.patches))
	r.patches++
	var lines bytes.Buffer
	for name, e := range entries {
		if isPlain(name) {
			fmt.Fprintf(&lines, "%s %s\t%s\x00", e.Mode, e.ID, name)
		}
	}
	var ids []string
	for _, name := range named {
		if e := entries[name]; e.Mode != "" && e.Mode != modeModule {
			ids = append(ids, e.ID)
		}
	}
	slices.Sort(ids)
	err = r.objects(ctx, slices.Compact(ids), maxBlob, func(_, kind string, _ int64, content io.Reader) error {
		data, err := io.ReadAll(content)
		if err != nil || kind != "blob" {
			return err
		}
		_, err = r.writeObjectTo(apart, kind, data)
		return err
	})
	if err == nil {
		err = os.MkdirAll(filepath.Join(apart, "pack"), 0o700)
	}
	if err != nil {
		return "", err
	}
	index := apart + "-index"
	git := func(stdin []byte, args ...string) (string, error) {
		return run(ctx, call{
			dir: filepath.Join(r.private, "empty"), limit: maxList, stdin: stdin, args: args,
			env: append(r.environ(), "GIT_INDEX_FILE="+index, "GIT_OBJECT_DIRECTORY="+apart),
		})
	}
	if _, err := git(lines.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	args := []string{"apply", "--cached", "--whitespace=nowarn", fmt.Sprintf("-p%d", strip)}
	if prefix != "" {
		args = append(args, "--directory="+prefix)
	}
	if _, err := git(patch, args...); err != nil {
		return "", err
	}
	out, err := git(nil, "ls-files", "-z", "--stage")
	if err != nil {
		return "", err
	}
	r.alternates = append(r.alternates, apart)
	if err := r.writeAlternates(); err != nil {
		return "", err
	}
	patched, _ := staged(out)
	return r.writeTree(patched)
}

// Edit is a change of a file of a tree.
type Edit struct {
	// From is the path before, or "" for a new file, and Path the path after, or "" for a deleted one. Mode is the mode
	// after, or "" if it stays.
	From, Path, Mode string
	// Apply returns the content after, or false if the edit does not fit the content before.
	Apply func(before []byte) (after []byte, ok bool)
}

// With makes a tree of a commit or a tree and edits. failed has the paths of edits that do not fit; those files are as
// they were before.
func (r *Repository) With(ctx context.Context, tree string, edits []Edit) (made string, failed []string, err error) {
	entries := map[string]Entry{}
	if tree != r.EmptyTree() {
		if entries, err = r.entries(ctx, tree); err != nil {
			return "", nil, err
		}
	}
	before := map[string][]Edit{}
	var ids []string
	next := map[string]Entry{}
	apply := func(edit *Edit, content []byte) error {
		was := entries[edit.From]
		after, ok := edit.Apply(content)
		if !ok || edit.Path != "" && !isPlain(edit.Path) {
			failed = append(failed, cmp.Or(edit.Path, edit.From))
			return nil
		}
		if edit.From != "" && edit.From != edit.Path && next[edit.From].Mode == "" {
			next[edit.From] = Entry{}
		}
		if edit.Path == "" {
			return nil
		}
		id, err := r.writeObject("blob", after)
		next[edit.Path] = Entry{cmp.Or(edit.Mode, was.Mode), id}
		return err
	}
	for _, edit := range edits {
		was := entries[edit.From]
		switch {
		case edit.From == "":
			err = apply(&edit, nil)
		case was.Mode == "" || was.Mode == modeModule:
			failed = append(failed, cmp.Or(edit.Path, edit.From))
		default:
			if before[was.ID] == nil {
				ids = append(ids, was.ID)
			}
			before[was.ID] = append(before[was.ID], edit)
		}
		if err != nil {
			return "", nil, err
		}
	}
	err = r.objects(ctx, ids, maxBlob, func(id, kind string, size int64, in io.Reader) error {
		content, err := io.ReadAll(in)
		for i := range before[id] {
			edit := &before[id][i]
			if kind != "blob" || size > maxBlob {
				failed = append(failed, cmp.Or(edit.Path, edit.From))
				continue
			}
			err = errors.Join(err, apply(edit, content))
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	for name, e := range next {
		entries[name] = e
	}
	slices.Sort(failed)
	made, err = r.writeTree(entries)
	return made, failed, err
}

// staged reads the output of git ls-files --stage.
func staged(listed string) (entries map[string]Entry, unmerged []string) {
	entries = map[string]Entry{}
	for line := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(about)
		switch {
		case len(fields) != 3:
		case fields[2] != "0":
			unmerged = append(unmerged, name)
		default:
			entries[name] = Entry{fields[0], fields[1]}
		}
	}
	return entries, slices.Compact(unmerged)
}

// CheckedOut reports whether there is an index. Without one, as after git clone -n, no files are checked out.
func (r *Repository) CheckedOut() bool {
	_, err := os.Lstat(filepath.Join(r.place.dir, "index"))
	return err == nil
}

// entries returns the paths of a tree, and notes the trees in it.
func (r *Repository) entries(ctx context.Context, tree string) (map[string]Entry, error) {
	out, err := r.git(ctx, maxList, "ls-tree", "-r", "-t", "-z", "--full-tree", tree)
	if err != nil {
		return nil, unread(err)
	}
	found := map[string]Entry{}
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(about)
		switch {
		case len(fields) != 3:
		case fields[1] == "tree":
			r.trees[fields[2]] = true
		default:
			found[name] = Entry{fields[0], fields[2]}
		}
	}
	return found, nil
}

// Paths lists the paths of the files of a tree.
func (r *Repository) Paths(ctx context.Context, tree string) ([]string, error) {
	entries, err := r.entries(ctx, tree)
	if err != nil {
		return nil, err
	}
	return slices.Collect(maps.Keys(entries)), nil
}

// File reads a regular file of a commit or a tree, of at most most bytes. Without one, the error is fs.ErrNotExist.
func (r *Repository) File(ctx context.Context, tree, name string, most int64) (content []byte, err error) {
	out, err := r.git(ctx, maxSmall, "ls-tree", "-z", "--full-tree", tree, "--", name)
	if err != nil {
		return nil, err
	}
	about, found, _ := strings.Cut(strings.TrimSuffix(out, "\x00"), "\t")
	fields := strings.Fields(about)
	switch {
	case found != name || len(fields) != 3:
		return nil, fs.ErrNotExist
	case fields[0] != modeFile && fields[0] != modeProgram:
		return nil, &Error{Text: name + " is not a regular file"}
	}
	err = r.objects(ctx, fields[2:], most, func(_, kind string, size int64, in io.Reader) error {
		switch {
		case kind == "missing":
			return &Error{Text: "the contents of " + name + " are not in this clone, which is partial or damaged"}
		case size > most:
			return &Error{Text: fmt.Sprintf("%s has more than %d MiB", name, most>>20)}
		}
		content, err = io.ReadAll(in)
		return err
	})
	return content, err
}

// Texts passes the regular files of a tree among some paths, of at most most bytes each, to use. Those that are missing
// or larger are left out.
func (r *Repository) Texts(ctx context.Context, tree string, names []string, most int64, use func(name, text string)) error {
	entries, err := r.entries(ctx, tree)
	if err != nil {
		return err
	}
	paths := map[string][]string{}
	for _, name := range names {
		if e := entries[name]; e.Mode == modeFile || e.Mode == modeProgram {
			paths[e.ID] = append(paths[e.ID], name)
		}
	}
	return r.objects(ctx, slices.Sorted(maps.Keys(paths)), most, func(id, kind string, size int64, in io.Reader) error {
		if kind == "missing" || size > most {
			return nil
		}
		content, err := io.ReadAll(in)
		for _, name := range paths[id] {
			use(name, string(content))
		}
		return err
	})
}

// Tracks reports whether the index has a file. The path is relative to the top of the work tree.
func (r *Repository) Tracks(ctx context.Context, name string) (bool, error) {
	out, err := r.list(ctx, r.place.Top)
	for entry := range strings.SplitSeq(out, "\x00") {
		if how, path, _ := strings.Cut(entry, " "); path == name && how != "?" {
			return true, nil
		}
	}
	return false, err
}

// eachFile calls visit for files of the work tree, on several goroutines. in is the opened folder of the file, or nil
// if it is missing or reached through a link. visit may reuse the buffer.
func (r *Repository) eachFile(
	ctx context.Context, names []string, visit func(in *os.Root, name string, buffer *bytes.Buffer) error,
) error {
	const atOnce = 100
	root, err := os.OpenRoot(r.place.Top)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // it was only read
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(strings.Compare(path.Dir(a), path.Dir(b)), strings.Compare(a, b))
	})
	var next atomic.Int64
	var group sync.WaitGroup
	failures := make([]error, runtime.GOMAXPROCS(0))
	for worker := range failures {
		group.Go(func() {
			var in *os.Root
			at, buffer := "", &bytes.Buffer{}
			for ctx.Err() == nil && failures[worker] == nil {
				first := int(next.Add(atOnce)) - atOnce
				if first >= len(names) {
					break
				}
				for _, name := range names[first:min(first+atOnce, len(names))] {
					if folder := path.Dir(name); folder != at {
						if in != nil {
							in.Close() //nolint:errcheck // it was only read
						}
						at, in = folder, openReal(root, folder)
					}
					if failures[worker] = visit(in, name, buffer); failures[worker] != nil {
						break
					}
				}
			}
			if in != nil {
				in.Close() //nolint:errcheck // it was only read
			}
		})
	}
	group.Wait()
	return errors.Join(ctx.Err(), errors.Join(failures...))
}

// openReal opens a folder below root. It returns nil if the folder is missing or reached through a link.
func openReal(root *os.Root, folder string) *os.Root {
	for i, c := range folder {
		if c != '/' {
			continue
		}
		if info, err := root.Lstat(filepath.FromSlash(folder[:i])); err != nil || !info.IsDir() {
			return nil
		}
	}
	if info, err := root.Lstat(filepath.FromSlash(folder)); err != nil || !info.IsDir() {
		return nil
	}
	in, err := root.OpenRoot(filepath.FromSlash(folder))
	if err != nil {
		return nil
	}
	return in
}

// readFile reads a regular file of an open folder into a buffer, up to most bytes.
func readFile(in *os.Root, base string, buffer *bytes.Buffer, most int64) ([]byte, error) {
	file, err := in.OpenFile(base, regular.Flags, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", base)
	}
	if err != nil {
		return nil, err
	}
	// The size is usually right, and saves the read that detects the end.
	size := int(min(info.Size(), most))
	buffer.Reset()
	buffer.Grow(size + 1)
	content := buffer.AvailableBuffer()[:size]
	n, err := io.ReadFull(file, content)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil // the file became shorter
	}
	return content[:n], err
}

// snapshot reads the work tree.
type snapshot struct {
	repository *Repository
	base       map[string]Entry
	// names are the paths to compare. converts says how git converts them, once that is known.
	names    []string
	asking   sync.Mutex
	converts map[string]conversion

	mutex sync.Mutex
	// next has the paths that differ from base. Deleted ones have no mode.
	next     map[string]Entry
	withheld []Withheld
	// unmerged are the paths with conflicts of a merge.
	unmerged []string
}

// take compares all files that git lists, and those in base that were deleted. The private folder may be in the work
// tree, and is no part of it.
func (s *snapshot) take(ctx context.Context, listed string, withNew bool) error {
	private := s.repository.place.Prefix(s.repository.private) + "/"
	seen, sparse := map[string]bool{}, map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		tag, name, found := strings.Cut(line, " ")
		if _, known := s.base[name]; !found || seen[name] || tag == "?" && !withNew && !known ||
			strings.HasPrefix(name, private) {
			continue
		}
		seen[name] = true
		switch tag {
		case "S":
			sparse[name] = true
		case "M":
			s.unmerged = append(s.unmerged, name)
		}
		s.names = append(s.names, name)
	}
	for name := range s.base {
		if !seen[name] {
			s.names = append(s.names, name)
		}
	}
	return s.repository.eachFile(ctx, s.names, func(in *os.Root, name string, buffer *bytes.Buffer) error {
		return s.compare(ctx, in, name, sparse[name], buffer)
	})
}

func (s *snapshot) withhold(name, reason string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.withheld = append(s.withheld, Withheld{strings.TrimSuffix(name, "/"), reason})
}

func (s *snapshot) set(name string, e Entry) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.base[name] != e {
		s.next[name] = e
	}
}

// compare compares one path. sparse says that it is not checked out.
func (s *snapshot) compare(ctx context.Context, in *os.Root, name string, sparse bool, buffer *bytes.Buffer) error {
	was, known := s.base[name]
	if strings.HasSuffix(name, "/") {
		s.withhold(name, "it is a repository of its own")
		return nil
	}
	base := path.Base(name)
	var info fs.FileInfo
	err := fs.ErrNotExist
	if in != nil {
		info, err = in.Lstat(base)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The file was deleted, unless it is excluded on purpose.
		if known && !sparse {
			s.set(name, Entry{})
		}
		return nil
	case err != nil:
		s.withhold(name, "it cannot be read")
		return nil //nolint:nilerr // it is named
	case info.IsDir() && was.Mode == modeModule:
		top := filepath.Join(s.repository.place.Top, filepath.FromSlash(name))
		if module, err := Find(top); err == nil && module.Top == top && module.Head() != "" {
			s.set(name, Entry{modeModule, module.Head()})
		}
		return nil
	case info.IsDir():
		if known {
			s.set(name, Entry{})
		}
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := in.Readlink(base)
		if err != nil {
			s.withhold(name, "the link cannot be read")
			return nil //nolint:nilerr // it is named
		}
		return s.keep(name, modeLink, []byte(filepath.ToSlash(target)))
	case !info.Mode().IsRegular():
		s.withhold(name, "it is neither a file nor a link")
		return nil
	}
	mode := modeFile
	switch {
	case s.repository.noLinks && was.Mode == modeLink, s.repository.noModes && known:
		mode = was.Mode
	case !s.repository.noModes && info.Mode()&0o100 != 0:
		mode = modeProgram
	}
	if info.Size() > maxBlob {
		return s.compareLarge(in, name, info.Size())
	}
	content, err := readFile(in, base, buffer, maxBlob)
	if err != nil {
		s.withhold(name, "it cannot be read")
		return nil //nolint:nilerr // it is named
	}
	if s.repository.name("blob", content) == was.ID {
		s.set(name, Entry{mode, was.ID})
		return nil
	}
	if mode != modeLink {
		if content, err = s.converted(ctx, name, was, content); err != nil {
			return err
		}
	}
	return s.keep(name, mode, content)
}

// compareLarge only determines whether a file that is too large to show has changed.
func (s *snapshot) compareLarge(in *os.Root, name string, size int64) error {
	file, err := in.OpenFile(path.Base(name), regular.Flags, 0)
	if err != nil {
		s.withhold(name, "it cannot be read")
		return nil
	}
	defer file.Close() //nolint:errcheck // it was only read
	sum := s.repository.hash("blob", size)
	n, err := io.Copy(sum, io.LimitReader(file, size+1))
	if err != nil || n != size || hex.EncodeToString(sum.Sum(nil)) != s.base[name].ID {
		s.withhold(name, fmt.Sprintf("it has more than %d MiB", maxBlob>>20))
	}
	return nil
}

// keep stores the content of a path, and writes it as an object unless it is unchanged.
func (s *snapshot) keep(name, mode string, content []byte) error {
	id := s.repository.name("blob", content)
	if s.base[name].ID != id {
		if _, err := s.repository.writeObject("blob", content); err != nil {
			return err
		}
	}
	s.set(name, Entry{mode, id})
	return nil
}

// name returns the id of an object.
func (r *Repository) name(kind string, content []byte) string {
	sum := r.hash(kind, int64(len(content)))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

func (r *Repository) hash(kind string, size int64) hash.Hash {
	sum := sha1.New() //nolint:gosec // git's own object ids
	if r.sha256 {
		sum = sha256.New()
	}
	sum.Write(fmt.Appendf(nil, "%s %d\x00", kind, size))
	return sum
}

// writeObject writes an object into the private folder, and returns its id.
func (r *Repository) writeObject(kind string, content []byte) (string, error) {
	return r.writeObjectTo(filepath.Join(r.gitDir(), "objects"), kind, content)
}

func (r *Repository) writeObjectTo(folder, kind string, content []byte) (string, error) {
	id := r.name(kind, content)
	file := filepath.Join(folder, id[:2], id[2:])
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err != nil {
		return "", err
	}
	_, headErr := fmt.Fprintf(w, "%s %d\x00", kind, len(content))
	_, err = w.Write(content)
	if err := errors.Join(headErr, err, w.Close()); err != nil {
		return "", err
	}
	return id, os.WriteFile(file, packed.Bytes(), 0o600)
}

// writeTree writes a tree with the entries that exist. git itself would touch the objects that the repository has.
func (r *Repository) writeTree(entries map[string]Entry) (string, error) {
	names := make([]string, 0, len(entries))
	for name, e := range entries {
		if e.Mode != "" {
			names = append(names, name)
		}
	}
	// In this order the files of a folder are together, where git puts the folder.
	slices.Sort(names)
	return r.writeFolder(names, 0, entries)
}

// writeFolder writes the tree of a folder and those below it. The names are the paths of its files, in order; from is
// where they differ.
func (r *Repository) writeFolder(names []string, from int, entries map[string]Entry) (string, error) {
	var out bytes.Buffer
	for len(names) > 0 {
		base, e, count := names[0][from:], entries[names[0]], 1
		if folder, _, deeper := strings.Cut(base, "/"); deeper {
			below := names[0][:from+len(folder)+1]
			for count < len(names) && strings.HasPrefix(names[count], below) {
				count++
			}
			id, err := r.writeFolder(names[:count], len(below), entries)
			if err != nil {
				return "", err
			}
			base, e = folder, Entry{"40000", id}
		}
		id, err := hex.DecodeString(e.ID)
		if err != nil {
			return "", fmt.Errorf("read the id of an object: %w", err)
		}
		fmt.Fprintf(&out, "%s %s\x00%s", e.Mode, base, id)
		names = names[count:]
	}
	if id := r.name("tree", out.Bytes()); r.trees[id] {
		return id, nil
	}
	return r.writeObject("tree", out.Bytes())
}
