package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"moot/internal/git"
	"moot/internal/regular"
	"moot/ledger"
)

// MaxFile is the size, in bytes, over which a file is not read.
const MaxFile = 16 << 20

// read returns a file's text. A path is relative to the root, with slashes.
func (c *Citation) read(ctx context.Context, path string) (*text, string) {
	if leaves(path) {
		return nil, fmt.Sprintf("%q leaves the workspace: cite a path below its root", path)
	}
	if err := ctx.Err(); err != nil {
		return nil, ended(err)
	}
	tree := c.guard.Tree()
	if tree != nil {
		if why := tree.Withheld(path); why != "" {
			return nil, why
		}
	}
	userNamed := slices.Contains(c.official, path) || slices.Contains(c.named, path)
	if why := c.guard.Secret(ctx, path, c.allow); why != "" && !userNamed {
		return nil, fmt.Sprintf("%q is not read, since it may hold secrets: %s; --allow-path permits it", path, why)
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ended(ctx.Err())
	}
	var raw []byte
	var refused string
	named := c.isOfficial(path) || slices.Contains(c.named, path)
	if tree != nil {
		raw, refused = loadFrom(tree, path)
	} else {
		raw, refused = c.load(path, named)
	}
	if refused != "" {
		return nil, refused
	}
	source := newText(raw)
	switch {
	case bytes.IndexByte(source.raw, 0) >= 0:
		return nil, fmt.Sprintf("%q is binary (it holds a NUL byte): only text can be quoted", path)
	case !named && ledger.WrittenByMoot(path, source.raw):
		return nil, writtenByMoot(path)
	}
	return source, ""
}

// isOfficial reports whether the user marked a path, or a directory above it.
func (c *Citation) isOfficial(path string) bool {
	return slices.ContainsFunc(c.official, func(marked string) bool {
		return marked == "." || path == marked || strings.HasPrefix(path, marked+"/")
	})
}

// writtenByMoot refuses a text of moot's own (RV4).
func writtenByMoot(path string) string {
	const own = "%q was written by moot, in whole or in part; it counts only if the user names it (--context)"
	return fmt.Sprintf(own, path)
}

// loadFrom reads a file of a commit.
func loadFrom(tree *git.Tree, path string) ([]byte, string) {
	isFolder, err := tree.Stat(path)
	switch {
	case isFolder:
		return nil, fmt.Sprintf("%q is a directory: only a regular file can be quoted", path)
	case err != nil:
		return nil, fmt.Sprintf("there is no file %q in commit %.12s", path, tree.Commit)
	}
	raw, err := tree.Read(path, MaxFile)
	if err != nil {
		return nil, fmt.Sprintf("%q cannot be read as it is in commit %.12s: %v", path, tree.Commit, err)
	}
	return raw, ""
}

// load reads a file of the folder. One that changed since the session began is refused unless the user named it.
func (c *Citation) load(path string, named bool) ([]byte, string) {
	info, err := c.root.Stat(filepath.FromSlash(path))
	if err != nil {
		return nil, refuseOpening(path, err)
	}
	if refused := refuseKind(path, info); refused != "" {
		return nil, refused
	}
	if !named && !c.opened.IsZero() && info.ModTime().After(c.opened) {
		const changed = "%q changed after the session was opened; it counts only if the user names it (--context)"
		return nil, fmt.Sprintf(changed, path)
	}
	return c.open(path)
}

// open reads a file. Its kind is asked of the open file, since the name may stand for another file by now.
func (c *Citation) open(path string) ([]byte, string) {
	file, err := c.root.OpenFile(filepath.FromSlash(path), regular.Flags, 0)
	if err != nil {
		return nil, refuseOpening(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, refuseOpening(path, err)
	}
	if refused := refuseKind(path, info); refused != "" {
		return nil, refused
	}
	content := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := content.ReadFrom(io.LimitReader(file, MaxFile+1)); err != nil {
		return nil, refuseOpening(path, err)
	}
	if content.Len() > MaxFile {
		return nil, tooLarge(path)
	}
	return content.Bytes(), ""
}

// leaves reports whether a path's very name leads out of the workspace, on any
// system: a session that was recorded on one is rechecked on another. The root
// itself refuses what a symlink makes of a path.
func leaves(path string) bool {
	// On Windows a colon names a drive or an alternate stream of a file.
	colon := runtime.GOOS == "windows" && strings.Contains(path, ":")
	return colon || isAbsolute(path) || slices.Contains(strings.Split(path, "/"), "..")
}

// isAbsolute reports whether a path begins with a slash or a drive.
func isAbsolute(path string) bool {
	drive := len(path) >= 2 && path[1] == ':' && unicode.IsLetter(rune(path[0])) && (len(path) == 2 || path[2] == '/')
	return drive || strings.HasPrefix(path, "/")
}

// refuseKind refuses what is no regular file, and what is too large.
func refuseKind(path string, info fs.FileInfo) string {
	for _, kind := range []struct {
		bits fs.FileMode
		name string
	}{
		{fs.ModeDir, "a directory"},
		{fs.ModeNamedPipe, "a named pipe"},
		{fs.ModeSocket, "a socket"},
		{fs.ModeDevice, "a device"},
		{fs.ModeType, "no regular file"},
	} {
		if info.Mode()&kind.bits != 0 {
			return fmt.Sprintf("%q is %s: only a regular file can be quoted", path, kind.name)
		}
	}
	if info.Size() > MaxFile {
		return tooLarge(path)
	}
	return ""
}

func tooLarge(path string) string {
	return fmt.Sprintf("%q is over 16 MiB: cite a smaller file", path)
}

// refuseOpening turns an error of the system into a refusal.
func refuseOpening(path string, err error) string {
	var system syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return fmt.Sprintf("there is no file %q in the workspace", path)
	case !errors.As(err, &system) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrClosed):
		// os.Root reports a path that escapes with an error of its own, which
		// it does not export; all others come from the system.
		return fmt.Sprintf("%q leads out of the workspace through a symlink", path)
	}
	return fmt.Sprintf("%q cannot be read: %v", path, errors.Unwrap(err))
}
