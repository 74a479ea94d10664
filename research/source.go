package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// MaxFile is the size, in bytes, over which a file is not read.
	MaxFile = 16 << 20
	// maxCached bounds the cache, in bytes: a little more than one file of MaxFile bytes with its normalized text.
	maxCached = 40 << 20
	// settled is how long before it is read a file must have been changed last
	// for its time to tell one content from the next: the coarsest clock of a
	// usual file system ticks every two seconds.
	settled = 2 * time.Second
	// openFlags open a file without waiting (for a pipe's writer) and without
	// taking a terminal as one's own.
	openFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY
)

// sources reads the files of a workspace, and keeps the last ones that it
// read. It is safe for concurrent use.
type sources struct {
	root *os.Root
	// turn lets one file at a time be read, so that many checks at once need
	// the memory of one.
	turn chan struct{}

	mutex sync.Mutex
	// cached is ordered by last use, the latest last.
	cached []cachedText
}

// cachedText is a file's text, and the file as it was when it was read.
type cachedText struct {
	path string
	info fs.FileInfo
	text *text
}

func newSources(root *os.Root) *sources {
	return &sources{root: root, turn: make(chan struct{}, 1)}
}

// read returns a file's text. A path is relative to the root, with slashes.
func (s *sources) read(ctx context.Context, path string) (*text, *refusal) {
	if leaves(path) {
		return nil, &refusal{Outside, fmt.Sprintf("%q leaves the workspace: cite a path below its root", path)}
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ended(ctx.Err())
	}
	name := filepath.FromSlash(path)
	info, err := s.root.Stat(name)
	if err != nil {
		return nil, refuseOpening(path, err)
	}
	if refused := refuseKind(path, info); refused != nil {
		return nil, refused
	}
	if t := s.lookUp(path, info); t != nil {
		return t, nil
	}
	begun := time.Now()
	t, info, refused := s.load(path, name)
	if refused == nil && begun.Sub(info.ModTime()) >= settled {
		s.keep(cachedText{path: path, info: info, text: t})
	}
	return t, refused
}

// load reads a file. Its kind is asked once more of the open file: the name may
// stand for another file by now.
func (s *sources) load(path, name string) (*text, fs.FileInfo, *refusal) {
	file, err := s.root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, nil, refuseOpening(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, refuseOpening(path, err)
	}
	if refused := refuseKind(path, info); refused != nil {
		return nil, nil, refused
	}
	raw := make([]byte, 0, info.Size()+bytes.MinRead)
	content := bytes.NewBuffer(raw)
	if _, err := content.ReadFrom(io.LimitReader(file, MaxFile+1)); err != nil {
		return nil, nil, refuseOpening(path, err)
	}
	raw = content.Bytes()
	switch {
	case len(raw) > MaxFile:
		return nil, nil, tooLarge(path)
	case bytes.IndexByte(raw, 0) >= 0:
		return nil, nil, &refusal{Binary,
			fmt.Sprintf("%q is binary (it holds a NUL byte): only text can be quoted", path)}
	}
	return newFileText(raw), info, nil
}

// lookUp returns the cached text of a file that has not changed since, or nil.
func (s *sources) lookUp(path string, info fs.FileInfo) *text {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	i := slices.IndexFunc(s.cached, func(c cachedText) bool { return c.path == path })
	if i < 0 {
		return nil
	}
	entry := s.cached[i]
	s.cached = slices.Delete(s.cached, i, i+1)
	if !os.SameFile(entry.info, info) || entry.info.Size() != info.Size() ||
		!entry.info.ModTime().Equal(info.ModTime()) {
		return nil
	}
	s.cached = append(s.cached, entry)
	return entry.text
}

// keep puts a text into the cache, and drops the oldest while it is too large.
func (s *sources) keep(entry cachedText) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.cached = append(s.cached, entry)
	total := 0
	for _, c := range s.cached {
		total += c.text.size()
	}
	for total > maxCached {
		total -= s.cached[0].text.size()
		s.cached = slices.Delete(s.cached, 0, 1)
	}
}

// leaves reports whether a path's very name leads out of the workspace, on any
// system: a session that was recorded on one is rechecked on another. The root
// itself refuses what a symlink makes of a path.
func leaves(path string) bool {
	drive := len(path) >= 2 && path[1] == ':' && isScheme(path[:1]) && (len(path) == 2 || path[2] == '/')
	// On Windows a colon names a drive or an alternate stream of a file.
	colon := runtime.GOOS == "windows" && strings.Contains(path, ":")
	return drive || colon || strings.HasPrefix(path, "/") || slices.Contains(strings.Split(path, "/"), "..")
}

// refuseKind refuses what is no regular file, and what is too large.
func refuseKind(path string, info fs.FileInfo) *refusal {
	var kind string
	switch mode := info.Mode(); {
	case mode.IsRegular():
		if info.Size() > MaxFile {
			return tooLarge(path)
		}
		return nil
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "no regular file"
	}
	return &refusal{NotRegular, fmt.Sprintf("%q is %s: only a regular file can be quoted", path, kind)}
}

func tooLarge(path string) *refusal {
	return &refusal{TooLarge, fmt.Sprintf("%q is over 16 MiB: cite a smaller file", path)}
}

// refuseOpening turns an error of the system into a refusal.
func refuseOpening(path string, err error) *refusal {
	var system syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return &refusal{Missing, fmt.Sprintf("there is no file %q in the workspace%s", path, hintColumn(path))}
	case !errors.As(err, &system) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrClosed):
		// os.Root reports a path that escapes with an error of its own, which
		// it does not export; all others come from the system.
		return &refusal{Outside, fmt.Sprintf("%q leads out of the workspace through a symlink", path)}
	}
	return &refusal{Unreadable, fmt.Sprintf("%q cannot be read: %v", path, errors.Unwrap(err))}
}

// hintColumn explains the commonest slip of a reference: path:line:column, as
// compilers write it.
func hintColumn(path string) string {
	_, tail, found := strings.Cut(filepath.Base(path), ":")
	if _, isLine := parseLine(tail); found && isLine {
		return "; write path:line without a column"
	}
	return ""
}

// ended is the refusal of a check that was not let finish.
func ended(err error) *refusal {
	return &refusal{Ended, fmt.Sprintf("the check did not finish: %v", err)}
}
