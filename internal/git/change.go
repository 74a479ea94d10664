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
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"moot/internal/regular"
)

const (
	// maxBlob is the maximum size of a changed file in the work tree.
	maxBlob = 32 << 20
	// maxNames is the maximum length of the paths in the arguments of one git command, in bytes; Windows allows 32
	// KiB.
	maxNames = 20 << 10

	modeLink, modeFile, modeProgram, modeModule = "120000", "100644", "100755", "160000"
)

// Withheld is a path that is not shown, and the reason.
type Withheld struct{ Path, Reason string }

// Change is a path where two trees differ. A mode is "000000" where the path does not exist.
type Change struct {
	Path                         string
	oldMode, newMode, oldID, new string
}

// entry is a path in a tree.
type entry struct{ mode, id string }

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

// Parent returns the first parent of a commit, or "" if it has none. In a shallow clone the parent may be missing,
// which is an error: the commit must not look as if it added every file.
func (r *Repository) Parent(ctx context.Context, commit string) (string, error) {
	parent := ""
	err := r.objects(ctx, []string{commit}, maxConfig, func(_, kind string, _ int64, content io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(content, maxConfig))
		for line := range strings.Lines(string(text)) {
			if name, found := strings.CutPrefix(line, "parent "); found && parent == "" {
				parent = strings.TrimSpace(name)
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
		return "", err
	}
	err = r.objects(ctx, []string{parent}, maxConfig, func(_, kind string, _ int64, _ io.Reader) error {
		if kind == "commit" {
			return nil
		}
		return &Error{Text: fmt.Sprintf("the parent of %.12s, %.12s, is not in this shallow clone: git fetch "+
			"--deepen=1 "+
			"brings it", commit, parent)}
	})
	return parent, err
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

// Subject returns the short id and the subject of a commit: "4f2d8c1 (Fix the parser)".
func (r *Repository) Subject(ctx context.Context, commit string) (string, error) {
	out, err := r.git(ctx, maxSmall, "log", "-1", "--no-show-signature", "--no-mailmap", "--format=%h (%s)", commit)
	return strings.TrimSpace(strings.ToValidUTF8(out, "\uFFFD")), err
}

// Head returns the checked-out commit, or "".
func (r *Repository) Head() string { return r.place.Head() }

// EmptyTree returns the id of the empty tree.
func (r *Repository) EmptyTree() string { return r.name("tree", nil) }

// Changes lists the paths where two trees or commits differ.
func (r *Repository) Changes(ctx context.Context, from, to string) ([]Change, error) {
	out, err := r.git(ctx, maxList, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to, "--")
	if err != nil {
		return nil, unread(err)
	}
	var changes []Change
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		parts := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(parts) != 5 {
			return nil, &Error{Text: fmt.Sprintf("git diff-tree: unexpected line %q", fields[i])}
		}
		changes = append(changes, Change{fields[i+1], parts[0], parts[1], parts[2], parts[3]})
	}
	return changes, nil
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

// Hidden returns the changes that cannot be shown as text, with the reasons: submodules, missing objects, and binary
// files.
func (r *Repository) Hidden(ctx context.Context, changes []Change) ([]Withheld, error) {
	reasons, sides := map[string]string{}, map[string][]string{}
	var ids []string
	for _, c := range changes {
		for _, side := range []entry{{c.oldMode, c.oldID}, {c.newMode, c.new}} {
			switch {
			case side.mode == modeModule:
				reasons[c.Path] = fmt.Sprintf("it is a submodule, a repository of its own (%s before, %s after)",
					shortModule(c.oldMode, c.oldID), shortModule(c.newMode, c.new))
			case strings.Trim(side.id, "0") != "":
				if sides[side.id] == nil {
					ids = append(ids, side.id)
				}
				sides[side.id] = append(sides[side.id], c.Path)
			}
		}
	}
	err := r.objects(ctx, ids, maxBlob, func(id, kind string, size int64, content io.Reader) error {
		why := ""
		switch {
		case kind == "missing":
			why = "its contents are not in this clone, which is partial or damaged"
		case kind != "blob":
			why = "it is not a file"
		case size > maxBlob:
			why = fmt.Sprintf("it has more than %d MiB", maxBlob>>20)
		default:
			isText, err := looksLikeText(content)
			if err != nil {
				return err
			}
			if !isText {
				why = "it is a binary file"
			}
		}
		for _, name := range sides[id] {
			if why != "" && reasons[name] == "" {
				reasons[name] = why
			}
		}
		return nil
	})
	var withheld []Withheld
	for _, c := range changes {
		if why := reasons[c.Path]; why != "" {
			withheld = append(withheld, Withheld{c.Path, why})
		}
	}
	return withheld, err
}

func shortModule(mode, id string) string {
	if mode != modeModule {
		return "none"
	}
	return id[:min(len(id), 12)]
}

// looksLikeText reports whether at most a tenth of the bytes do not occur in text. A single NUL byte does not make a
// file binary, because that would be an easy way to hide a change.
func looksLikeText(content io.Reader) (bool, error) {
	buffer := make([]byte, 32<<10)
	odd, all := 0, 0
	for {
		n, err := content.Read(buffer)
		for _, c := range buffer[:n] {
			if c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b || c >= 0xf8 || c == 0x7f {
				odd++
			}
		}
		if all += n; errors.Is(err, io.EOF) {
			return odd*10 <= all, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// Diff returns a unified diff of two trees, limited to some paths and to limit bytes. All files are compared as text,
// and the repository's attributes have no effect.
func (r *Repository) Diff(ctx context.Context, from, to string, paths []string, limit int) (string, error) {
	var out strings.Builder
	for len(paths) > 0 {
		n, size := 0, 0
		for n < len(paths) && (n == 0 || size+len(paths[n]) < maxNames) {
			size += len(paths[n]) + 1
			n++
		}
		text, err := r.git(ctx, limit-out.Len()+1, append([]string{
			"diff-tree", "-r", "-p", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames",
			"--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", from, to, "--",
		}, paths[:n]...)...)
		if err != nil {
			return "", err
		}
		if out.WriteString(text); out.Len() > limit {
			return "", &Error{Text: fmt.Sprintf("the change is larger than %d KiB", limit>>10), TooMuch: true}
		}
		paths = paths[n:]
	}
	return out.String(), nil
}

// WorkTree compares a commit with the work tree: tracked files as they are on disk and, if withNew is set, new files
// that are not ignored. It returns two trees that contain only the differing paths. Files are compared by content:
// the index, whose times and flags may hide a change, is only used to list files. withheld has changed files that are
// not read.
func (r *Repository) WorkTree(
	ctx context.Context, commit string, withNew bool,
) (from, to string, withheld []Withheld, err error) {
	base, err := r.entries(ctx, commit)
	if err != nil {
		return "", "", nil, err
	}
	listed, err := r.list(ctx, r.place.Top)
	if err != nil {
		return "", "", nil, err
	}
	s := &snapshot{repository: r, base: base, next: map[string]entry{}}
	if err := s.take(ctx, listed, withNew); err != nil {
		return "", "", nil, err
	}
	before := map[string]entry{}
	for name := range s.next {
		before[name] = base[name]
	}
	if from, err = r.writeTree(ctx, before); err == nil {
		to, err = r.writeTree(ctx, s.next)
	}
	slices.SortFunc(s.withheld, func(a, b Withheld) int { return strings.Compare(a.Path, b.Path) })
	return from, to, s.withheld, err
}

// CheckedOut reports whether there is an index. Without one, as after git clone -n, no files are checked out.
func (r *Repository) CheckedOut() bool {
	_, err := os.Lstat(filepath.Join(r.place.dir, "index"))
	return err == nil
}

// entries returns the paths of a tree.
func (r *Repository) entries(ctx context.Context, tree string) (map[string]entry, error) {
	out, err := r.git(ctx, maxList, "ls-tree", "-r", "-z", "--full-tree", tree)
	if err != nil {
		return nil, unread(err)
	}
	found := map[string]entry{}
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		if fields := strings.Fields(about); len(fields) == 3 {
			found[name] = entry{fields[0], fields[2]}
		}
	}
	return found, nil
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
	base       map[string]entry
	// names are the paths to compare. converts says how git converts them, once that is known.
	names    []string
	asking   sync.Mutex
	converts map[string]conversion

	mutex sync.Mutex
	// next has the paths that differ from base. Deleted ones have no mode.
	next     map[string]entry
	withheld []Withheld
}

// take compares all files that git lists, and those in base that were deleted.
func (s *snapshot) take(ctx context.Context, listed string, withNew bool) error {
	seen, sparse := map[string]bool{}, map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		tag, name, found := strings.Cut(line, " ")
		if _, known := s.base[name]; !found || seen[name] || tag == "?" && !withNew && !known {
			continue
		}
		seen[name] = true
		if tag == "S" {
			sparse[name] = true
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

func (s *snapshot) set(name string, e entry) {
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
			s.set(name, entry{})
		}
		return nil
	case err != nil:
		s.withhold(name, "it cannot be read")
		return nil //nolint:nilerr // it is named
	case info.IsDir() && was.mode == modeModule:
		top := filepath.Join(s.repository.place.Top, filepath.FromSlash(name))
		if module, err := Find(top); err == nil && module.Top == top && module.Head() != "" {
			s.set(name, entry{modeModule, module.Head()})
		}
		return nil
	case info.IsDir():
		if known {
			s.set(name, entry{})
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
	case s.repository.noLinks && was.mode == modeLink, s.repository.noModes && known:
		mode = was.mode
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
	if s.repository.name("blob", content) == was.id {
		s.set(name, entry{mode, was.id})
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
	if err != nil || n != size || hex.EncodeToString(sum.Sum(nil)) != s.base[name].id {
		s.withhold(name, fmt.Sprintf("it has more than %d MiB", maxBlob>>20))
	}
	return nil
}

// keep stores the content of a path, and writes it as an object unless it is unchanged.
func (s *snapshot) keep(name, mode string, content []byte) error {
	id := s.repository.name("blob", content)
	if s.base[name].id != id {
		if err := s.repository.writeBlob(id, content); err != nil {
			return err
		}
	}
	s.set(name, entry{mode, id})
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

// writeBlob writes an object into the private folder.
func (r *Repository) writeBlob(id string, content []byte) error {
	file := filepath.Join(r.gitDir(), "objects", id[:2], id[2:])
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err != nil {
		return err
	}
	_, headErr := fmt.Fprintf(w, "blob %d\x00", len(content))
	_, err = w.Write(content)
	if err := errors.Join(headErr, err, w.Close()); err != nil {
		return err
	}
	return os.WriteFile(file, packed.Bytes(), 0o600)
}

// writeTree writes a tree into the private folder.
func (r *Repository) writeTree(ctx context.Context, entries map[string]entry) (string, error) {
	var lines bytes.Buffer
	for name, e := range entries {
		if e.mode != "" {
			fmt.Fprintf(&lines, "%s %s\t%s\x00", e.mode, e.id, name)
		}
	}
	index := filepath.Join(r.gitDir(), "new-index")
	if err := os.Remove(index); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	folder, env := filepath.Join(r.private, "empty"), append(r.environ(), "GIT_INDEX_FILE="+index)
	if _, err := run(ctx, call{
		dir: folder, env: env, stdin: lines.Bytes(), limit: maxSmall,
		args: []string{"update-index", "-z", "--index-info"},
	}); err != nil {
		return "", err
	}
	// In a partial clone, objects may be missing.
	out, err := run(ctx, call{dir: folder, env: env, limit: maxSmall, args: []string{"write-tree", "--missing-ok"}})
	return strings.TrimSpace(out), err
}
