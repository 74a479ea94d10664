// Package git runs git on untrusted repositories. A repository cannot make it start a program, use the network, or
// read other places: git never sees the repository's own configuration, hooks or attributes. Instead it uses a
// private folder that moot creates for each use, with a few allowed settings (formatKeys), a copy of the refs, and
// the repository's objects as an alternate. git writes only to this folder, which is removed afterwards.
//
// Start at Open. All git commands go through run; the house test forbids others.
package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moot/internal/process"
)

// MaxTime is the time limit of one git command.
const MaxTime = 20 * time.Second

const (
	// maxIndex is the maximum size of the index, and maxRefs the maximum number of loose refs and logs that are
	// copied.
	maxIndex, maxRefs = 1 << 30, 100_000
	// maxList is the maximum size of a list from git, in bytes.
	maxList = 256 << 20
)

// nothing is an empty file for git, on Windows too.
const nothing = "/dev/null"

// Error reports why git failed. Text is one line for the user.
type Error struct {
	Text string
	// NoRepository says that the folder is not in a work tree, and Foreign that the repository belongs to another
	// user.
	NoRepository, Foreign bool
	// TooMuch says that git exceeded the output limit.
	TooMuch bool
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// call is one git command.
type call struct {
	dir   string
	env   []string
	args  []string
	stdin []byte
	limit int
	// time is the time limit; the default is MaxTime.
	time time.Duration
	// each receives the output in pieces. If it is nil, run returns the output.
	each func(piece []byte) error
}

// run is the only function that starts git. The error is an *Error, that of each, or the context's.
func run(ctx context.Context, c call) (string, error) {
	runner := &process.Runner{}
	var out strings.Builder
	each := c.each
	if each == nil {
		each = func(piece []byte) error {
			out.Write(piece)
			return nil
		}
	}
	limit := cmp.Or(c.time, MaxTime)
	result, err := runner.Run(ctx, process.Spec{
		Path: "git", Dir: c.dir, Env: c.env, Args: append([]string{"--no-pager", "--literal-pathspecs"}, c.args...),
		Stdin: c.stdin, Output: each,
		Limits: process.Limits{Total: limit, Silence: limit, MaxOutputBytes: c.limit},
	})
	err = errors.Join(err, runner.Close())
	var start *process.StartError
	var over *process.LimitError
	switch {
	case err == nil && result.Exit == 0:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &start) && start.Missing:
		return "", &Error{Text: "git is not installed"}
	case errors.As(err, &over) && over.Limit == process.Output:
		return out.String(), &Error{
			Text:    fmt.Sprintf("git %s: more than %d KiB", c.args[0], c.limit>>10),
			TooMuch: true,
		}
	case errors.As(err, &over):
		return "", &Error{Text: fmt.Sprintf("git %s took longer than %s", c.args[0], limit)}
	case err != nil:
		return "", &Error{Text: fmt.Sprintf("git %s: %v", c.args[0], err)}
	}
	// The first line states the problem; the others suggest configuration changes.
	line, _, _ := strings.Cut(strings.TrimSpace(result.Stderr), "\n")
	if line == "" {
		line = result.Ending()
	}
	line = strings.ToValidUTF8(strings.TrimPrefix(line, "fatal: "), "\uFFFD")
	return "", &Error{
		Text: fmt.Sprintf("git %s: %s", c.args[0], line), NoRepository: strings.HasPrefix(line, "not a git repository"),
	}
}

// environ returns the environment for git: that of moot without variables that redirect git to another repository or
// program, such as those in a hook. The user's settings are read only if withUser is set.
func environ(withUser bool, more ...string) []string {
	kept := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		ofUser := name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_NOSYSTEM"
		return strings.HasPrefix(name, "GIT_") && name != "GIT_EXEC_PATH" && !(withUser && ofUser)
	})
	if !withUser {
		kept = append(kept, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM="+nothing, "GIT_CONFIG_GLOBAL="+nothing)
	}
	kept = append(kept, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=none", "GIT_PROTOCOL_FROM_USER=0")
	return append(kept, more...)
}

// Repository is a git repository opened for reading. The caller must close it.
type Repository struct {
	place *Place
	// private is a folder made by Open. GIT_DIR is private/repository. GIT_WORK_TREE is private/empty, except when
	// git lists files.
	private string
	// hasObjects says that the refs and objects were added.
	hasObjects bool
	// sha256 is the object format. noModes and noLinks say that the disk does not store executable bits or symbolic
	// links.
	sha256, noModes, noLinks bool
	// trees has the trees that the repository is known to have, and patches counts the folders of Patched.
	trees   map[string]bool
	patches int
	// alternates are the folders of objects.
	alternates []string
}

// Open opens the repository that contains a folder. It fails like Find, or with an *Error that names an unsupported
// setting or format.
func Open(ctx context.Context, folder string) (*Repository, error) {
	place, err := Find(folder)
	if err != nil {
		return nil, err
	}
	private, err := place.private()
	if err != nil {
		return nil, err
	}
	r := &Repository{place: place, private: private, trees: map[string]bool{}}
	if err := r.prepare(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close removes the private folder.
func (r *Repository) Close() { _ = os.RemoveAll(r.private) }

// Top returns the folder that contains .git.
func (r *Repository) Top() string { return r.place.Top }

// Common returns the folder of the repository that its work trees share.
func (r *Repository) Common() string { return r.place.common }

// Prefix returns a folder's slash-separated path below the top, or "" for the top.
func (r *Repository) Prefix(folder string) string { return r.place.Prefix(folder) }

func (r *Repository) gitDir() string { return filepath.Join(r.private, "repository") }

func (r *Repository) environ() []string {
	return environ(false, "GIT_DIR="+r.gitDir(), "GIT_WORK_TREE="+filepath.Join(r.private, "empty"))
}

// git runs git on the objects and refs of the repository.
func (r *Repository) git(ctx context.Context, limit int, args ...string) (string, error) {
	if err := r.openObjects(); err != nil {
		return "", err
	}
	return run(ctx, call{dir: filepath.Join(r.private, "empty"), env: r.environ(), args: args, limit: limit})
}

// prepare creates the private repository with what git needs to list files.
func (r *Repository) prepare(ctx context.Context) error {
	for _, folder := range []string{"empty", "repository/objects/info", "repository/refs/heads", "repository/info"} {
		if err := os.MkdirAll(filepath.Join(r.private, filepath.FromSlash(folder)), 0o700); err != nil {
			return err
		}
	}
	if err := r.write("HEAD", []byte(readAt(r.place.dir, "HEAD")+"\n")); err != nil {
		return err
	}
	settings, err := r.allowed(ctx)
	if err != nil {
		return err
	}
	exclude, err := r.place.read("info/exclude", maxConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{Text: fmt.Sprintf("info/exclude of the repository cannot be read: %v", err)}
	}
	return errors.Join(r.write("config", writeSettings(settings)), r.write("info/exclude", exclude))
}

func (r *Repository) write(name string, content []byte) error {
	return os.WriteFile(filepath.Join(r.gitDir(), filepath.FromSlash(name)), content, 0o600)
}

// openObjects adds the refs and objects once.
func (r *Repository) openObjects() error {
	if r.hasObjects {
		return nil
	}
	objects := filepath.Join(r.place.common, "objects")
	if err := r.place.checkObjects(objects, 0); err != nil {
		return err
	}
	r.alternates = []string{objects}
	if err := r.writeAlternates(); err != nil {
		return err
	}
	if err := r.copyRefs(); err != nil {
		return &Error{Text: fmt.Sprintf("the refs of the repository cannot be read: %v", err)}
	}
	r.hasObjects = true
	return nil
}

// writeAlternates names the folders of objects for git.
func (r *Repository) writeAlternates() error {
	// A path with a line break or a quotation mark must be quoted like a C string.
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	var out bytes.Buffer
	for _, folder := range r.alternates {
		out.WriteString(`"` + quoted.Replace(filepath.ToSlash(folder)) + "\"\n")
	}
	return r.write("objects/info/alternates", out.Bytes())
}

// copyRefs copies what refers to commits: the refs of this work tree and the common ones, their logs, and the list of
// shallow commits. It does not follow links out of the git folder.
func (r *Repository) copyRefs() error {
	loose, copied := map[string]string{}, 0
	for _, folder := range []string{r.place.common, r.place.dir} {
		root, err := os.OpenRoot(folder)
		if err != nil {
			return err
		}
		for _, name := range []string{"refs", "logs", "reftable"} {
			err = errors.Join(err, fs.WalkDir(root.FS(), name, func(name string, entry fs.DirEntry, err error) error {
				if err != nil || !entry.Type().IsRegular() {
					return nil //nolint:nilerr // not a readable ref
				}
				if copied++; copied > maxRefs {
					return fmt.Errorf("there are more than %d files", maxRefs)
				}
				if strings.HasPrefix(name, "refs/") {
					content, err := readRegular(root, filepath.FromSlash(name), maxSmall)
					value := strings.TrimSpace(string(content))
					if err == nil && isID(value) {
						loose[name] = value
						return nil
					}
					if err != nil || !strings.HasPrefix(value, "ref: refs/") {
						return nil //nolint:nilerr // as above
					}
				}
				if err := r.copy(root, name); err != nil && !strings.HasPrefix(name, "logs/") {
					return err
				}
				return nil // without logs, only revisions such as main@{1} are missing
			}))
		}
		for _, name := range []string{
			"shallow", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD",
			"REVERT_HEAD", "REBASE_HEAD",
		} {
			if _, missing := root.Lstat(name); missing == nil {
				err = errors.Join(err, r.copy(root, name))
			}
		}
		if err := errors.Join(err, root.Close()); err != nil {
			return err
		}
	}
	return r.packRefs(loose)
}

// packRefs writes packed-refs: the loose refs, and the packed ones that they do not override.
func (r *Repository) packRefs(loose map[string]string) error {
	packed, err := r.place.read("packed-refs", maxPackedRefs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var out bytes.Buffer
	out.WriteString("# pack-refs with: peeled \n")
	lines := bufio.NewScanner(bytes.NewReader(packed))
	lines.Buffer(nil, maxSmall)
	isKept := false
	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "^") {
			id, name, _ := strings.Cut(line, " ")
			_, replaced := loose[name]
			isKept = isID(id) && !replaced
		}
		if isKept {
			out.WriteString(line + "\n")
		}
	}
	for name, id := range loose {
		out.WriteString(id + " " + name + "\n")
	}
	return errors.Join(lines.Err(), r.write("packed-refs", out.Bytes()))
}

// copy copies a regular file of the git folder.
func (r *Repository) copy(root *os.Root, name string) error {
	content, err := readRegular(root, filepath.FromSlash(name), maxPackedRefs)
	if err != nil {
		return err
	}
	target := filepath.Join(r.gitDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	return os.WriteFile(target, content, 0o600)
}

// Files lists the tracked files in a folder of the work tree, and new ones that are not ignored, relative to the
// folder. A nested repository ends in a slash.
func (r *Repository) Files(ctx context.Context, folder string) ([]string, error) {
	out, err := r.list(ctx, folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if _, name, found := strings.Cut(entry, " "); found {
			names = append(names, name)
		}
	}
	return names, nil
}

// list returns the files of a folder in the format of git ls-files -t: "H" for tracked files, "S" for those excluded
// by a sparse checkout, "?" for new ones.
func (r *Repository) list(ctx context.Context, folder string) (string, error) {
	// git would block on a named pipe here.
	ignore := filepath.Join(r.place.Top, ".gitignore")
	if info, err := os.Lstat(ignore); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeSocket) != 0 {
		return "", &Error{Text: ignore + " is not a file"}
	}
	env := environ(false, "GIT_DIR="+r.gitDir(), "GIT_WORK_TREE="+r.place.Top)
	if _, err := os.Lstat(filepath.Join(r.place.dir, "index")); err == nil {
		index, err := r.copyIndex()
		if err != nil {
			return "", &Error{Text: fmt.Sprintf("the index of the repository cannot be read: %v", err)}
		}
		env = append(env, "GIT_INDEX_FILE="+index)
	}
	return run(ctx, call{
		dir: folder, env: env, limit: maxList,
		args: []string{"ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard"},
	})
}

// copyIndex copies the index, and the shared index if it is split.
func (r *Repository) copyIndex() (string, error) {
	root, err := os.OpenRoot(r.place.dir)
	if err != nil {
		return "", err
	}
	defer root.Close() //nolint:errcheck // it was only read
	shared, err := fs.Glob(root.FS(), "sharedindex.*")
	if err != nil {
		return "", err
	}
	for _, name := range append(shared, "index") {
		content, err := readRegular(root, name, maxIndex)
		if err != nil {
			return "", err
		}
		if err := r.write(name, content); err != nil {
			return "", err
		}
		// A sparse index lists folders, so git needs their trees.
		if bytes.Contains(content, []byte("sdir")) {
			if err := r.openObjects(); err != nil {
				return "", err
			}
		}
	}
	return filepath.Join(r.gitDir(), "index"), nil
}
