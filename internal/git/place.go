package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moot/internal/regular"
)

const (
	// maxSmall is the maximum size of files with one line: .git, HEAD, commondir, a ref.
	maxSmall = 4 << 10
	// maxPackedRefs is the maximum size of packed-refs, which has one line per ref.
	maxPackedRefs = 64 << 20
	// maxAlternates is how deep alternates may be nested, as in git.
	maxAlternates = 5
)

// Place is a work tree and the folders of its repository. It is found without running git.
type Place struct {
	// Top is the folder that contains .git.
	Top string
	// dir holds HEAD and the index; common holds the configuration, refs and objects, which linked work trees share.
	dir, common string
}

// Folders returns the folder of the work tree and those of its repository.
func (p *Place) Folders() []string {
	return slices.Compact([]string{p.Top, p.dir, p.common})
}

// Find returns the work tree that contains a folder. The error is an *Error with NoRepository or Foreign set. If
// another user put a .git above a folder that the user owns, such as /tmp/.git, Find ignores it. It follows a .git
// file or link only if the target points back.
func Find(folder string) (*Place, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, &Error{Text: err.Error()}
	}
	ignored := ""
	for top := folder; ; top = filepath.Dir(top) {
		place, err := at(top)
		var failed *Error
		switch {
		case err == nil:
			return place, nil
		case errors.As(err, &failed) && failed.Foreign && top != folder && isOwn(folder):
			ignored = "; " + filepath.Join(top, ".git") + " belongs to another user and is ignored"
		case !errors.As(err, &failed) || !failed.NoRepository:
			return nil, err
		}
		if top == filepath.Dir(top) {
			return nil, &Error{Text: folder + " is in no git repository" + ignored, NoRepository: true}
		}
	}
}

// at returns the work tree with a folder as its top.
func at(top string) (*Place, error) {
	link := filepath.Join(top, ".git")
	info, err := os.Lstat(link)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Text: "there is no " + link, NoRepository: true}
	case err != nil:
		return nil, &Error{Text: err.Error()}
	case !info.IsDir() && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
		return nil, &Error{Text: link + " is neither a file nor a folder"}
	}
	named := link
	if info.Mode().IsRegular() {
		text, found := strings.CutPrefix(readSmall(link), "gitdir: ")
		if !found {
			return nil, &Error{Text: link + " does not name a git folder", NoRepository: true}
		}
		named = within(top, text)
	}
	dir, err := filepath.EvalSymlinks(named)
	if err != nil {
		return nil, &Error{Text: "there is no git repository in " + named, NoRepository: true}
	}
	// git ignores a folder without HEAD. If HEAD cannot be read, it may be a repository.
	for _, name := range []string{"HEAD", "commondir"} {
		info, err := os.Lstat(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == "HEAD":
			return nil, &Error{Text: "there is no git repository in " + named, NoRepository: true}
		case err == nil && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
			return nil, &Error{Text: filepath.Join(dir, name) + " is not a file"}
		}
	}
	common := dir
	if text := readAt(dir, "commondir"); text != "" {
		if common, err = filepath.EvalSymlinks(within(dir, text)); err != nil {
			return nil, &Error{Text: fmt.Sprintf("%s names a git folder that is missing",
				filepath.Join(dir, "commondir"))}
		}
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return nil, &Error{Text: common + " is not a git folder: it has no " + name, NoRepository: true}
		}
	}
	place := &Place{Top: top, dir: dir, common: common}
	for _, name := range []string{top, link, dir, common} {
		if !isOwn(name) && !isSafe(top) {
			return nil, &Error{Foreign: true, Text: fmt.Sprintf("%s belongs to another user, so its repository is not "+
				"used; git config --global --add safe.directory %s permits it", name, top)}
		}
	}
	if err := place.pointsBack(); err != nil {
		return nil, err
	}
	return place, nil
}

// pointsBack returns nil if the git folder is inside the work tree or refers to it. Otherwise, a .git file or link
// from an archive could lead to any repository of the user.
func (p *Place) pointsBack() error {
	top, err := filepath.EvalSymlinks(p.Top)
	if err != nil {
		return &Error{Text: err.Error()}
	}
	isInside := isBelow(top, p.dir)
	if p.common != p.dir {
		// A linked work tree: its git folder is inside that of the repository, and refers to its .git.
		back := readAt(p.dir, "gitdir")
		switch {
		case filepath.Dir(p.dir) != filepath.Join(p.common, "worktrees"):
			return &Error{Text: fmt.Sprintf("%s names %s, which does not know it", filepath.Join(p.dir, "commondir"),
				p.common)}
		case back == "" || !sameFile(within(p.dir, back), filepath.Join(p.Top, ".git")):
			return &Error{Text: fmt.Sprintf("%s names %s, which belongs to another work tree; git worktree repair "+
				"repairs "+
				"a moved one", filepath.Join(p.Top, ".git"), p.dir)}
		}
		return nil
	}
	if isInside {
		return nil
	}
	// A submodule: the configuration of its repository names the work tree. git parses it later; here the line is
	// enough.
	config, _ := p.read("config", maxConfig)
	for line := range strings.Lines(string(config)) {
		key, value, _ := strings.Cut(line, "=")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if strings.EqualFold(strings.TrimSpace(key), "worktree") && sameFile(within(p.dir, value), p.Top) {
			return nil
		}
	}
	return &Error{Text: fmt.Sprintf("%s names the git folder %s, which does not name %s as its work tree: set its "+
		"core.worktree", filepath.Join(p.Top, ".git"), p.dir, p.Top)}
}

// read reads a regular file in the common git folder, without following links out of it.
func (p *Place) read(name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(p.common)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	return readRegular(root, filepath.FromSlash(name), limit)
}

// within resolves a path found in a file of a folder.
func within(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, filepath.FromSlash(name))
}

// isBelow reports whether a path is a folder or inside it. Both must be absolute and without links.
func isBelow(folder, name string) bool {
	relative, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(relative)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Prefix returns a folder's slash-separated path below the top, or "" for the top.
func (p *Place) Prefix(folder string) string {
	top, err := filepath.EvalSymlinks(p.Top)
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	if prefix, relErr := filepath.Rel(top, folder); err == nil && relErr == nil && prefix != "." {
		return filepath.ToSlash(prefix)
	}
	return ""
}

// private makes a private folder. If the temporary folder is in the work tree, it is elsewhere if possible: programs that
// work below it would take instructions from the folders above.
func (p *Place) private() (string, error) {
	choices := []string{os.TempDir()}
	if cache, err := os.UserCacheDir(); err == nil {
		choices = append(choices, cache)
	}
	if os.PathSeparator == '/' {
		choices = append(choices, "/var/tmp", "/tmp")
	}
	for _, choice := range choices {
		below := p.Prefix(choice)
		if !filepath.IsAbs(choice) || below == "" || filepath.IsLocal(filepath.FromSlash(below)) {
			continue
		}
		if private, err := os.MkdirTemp(choice, "moot-git-*"); err == nil {
			return private, nil
		}
	}
	return os.MkdirTemp("", "moot-git-*")
}

// Head returns the checked-out commit in lower-case hex, or "" if nothing is committed yet or the refs are stored in
// an unsupported format (reftable). See gitrepository-layout(5).
func (p *Place) Head() string {
	value := readAt(p.dir, "HEAD")
	if ref, symbolic := strings.CutPrefix(value, "ref: "); symbolic {
		if !strings.HasPrefix(ref, "refs/") || !filepath.IsLocal(filepath.FromSlash(ref)) {
			return ""
		}
		value = p.resolve(ref)
	}
	if !isID(value) {
		return ""
	}
	return value
}

// resolve returns the value of a ref, or "" for an unknown ref. It reads the file in the folder of this work tree or
// the common one, or packed-refs.
func (p *Place) resolve(ref string) string {
	for _, folder := range []string{p.dir, p.common} {
		if value := readAt(folder, filepath.FromSlash(ref)); value != "" {
			return value
		}
	}
	file, err := regular.Open(filepath.Join(p.common, "packed-refs"))
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(io.LimitReader(file, maxPackedRefs))
	for lines.Scan() {
		if value, name, _ := strings.Cut(lines.Text(), " "); name == ref {
			return value
		}
	}
	return ""
}

// checkObjects returns nil if the repository's objects are in its own folder. Links and info/alternates could lead to
// another repository, which is not part of the workspace.
func (p *Place) checkObjects(folder string, depth int) error {
	resolved, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return &Error{Text: fmt.Sprintf("the objects of the repository cannot be read: %v", err)}
	}
	if !isBelow(p.common, resolved) || depth > maxAlternates {
		return &Error{Text: fmt.Sprintf("the repository keeps objects in another place, %s, which is not read: git "+
			"repack -a -d "+
			"copies them into the repository, then remove .git/objects/info/alternates", folder)}
	}
	for _, name := range []string{"", "pack", "info"} {
		entries, err := os.ReadDir(filepath.Join(folder, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &Error{Text: fmt.Sprintf("the objects of the repository cannot be read: %v", err)}
		}
		for _, entry := range entries {
			if !entry.IsDir() && !entry.Type().IsRegular() {
				return &Error{Text: fmt.Sprintf("%s is neither a file nor a folder, so the objects of the repository "+
					"are not read",
					filepath.Join(folder, name, entry.Name()))}
			}
		}
	}
	text, err := regular.Read(filepath.Join(folder, "info", "alternates"), maxConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{Text: err.Error()}
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.checkObjects(within(folder, line), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// isID reports whether a text is an object id: a SHA-1 or SHA-256 in lower-case hex.
func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// readSmall returns the trimmed text of a small file, or "".
func readSmall(path string) string {
	text, err := regular.Read(path, maxSmall)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// readAt is readSmall for a file in a folder, without following links out of it.
func readAt(folder, name string) string {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return ""
	}
	defer root.Close() //nolint:errcheck // it was only read
	text, err := readRegular(root, name, maxSmall)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// readRegular reads a regular file in an open folder, of at most limit bytes.
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	file, err := root.OpenFile(name, regular.Flags, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return text, err
}
