package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"moot/internal/enum"
)

// StateVariable is the environment variable that names moot's state folder
// in place of the one under the XDG state home.
const StateVariable = "MOOT_STATE_DIR"

// The names of the files of a session.
const (
	extension       = ".jsonl"
	labelsExtension = ".labels.jsonl"
)

// Dir returns where sessions live: the folder "sessions" of $MOOT_STATE_DIR,
// or where that is not set, of "moot" under the XDG state home
// (~/.local/state, ~/Library/Application Support, %LOCALAPPDATA%). It need not
// exist yet.
func Dir() (string, error) {
	home := os.Getenv(StateVariable)
	if home == "" {
		home = filepath.Join(xdg.StateHome, "moot")
	}
	absolute, err := filepath.Abs(home)
	if err != nil {
		return "", fmt.Errorf("find the state folder (%s names it): %w", StateVariable, err)
	}
	return filepath.Join(absolute, "sessions"), nil
}

// CheckID refuses a session's id that is no plain file name on every system:
// 1 to 64 letters, digits, hyphens and underscores, a letter or digit first,
// and none of the device names of Windows.
func CheckID(id string) error {
	plain := len(id) >= 1 && len(id) <= 64 && id[0] != '-' && id[0] != '_'
	for _, b := range []byte(id) {
		plain = plain && (b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_')
	}
	if !plain {
		return fmt.Errorf("%.80q is no id of a session: an id has 1 to 64 letters, digits, hyphens and underscores", id)
	}
	if isDevice(strings.ToLower(id)) {
		return fmt.Errorf("%q is no id of a session: on Windows it names a device", id)
	}
	return nil
}

func isDevice(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && name[3] >= '0' && name[3] <= '9'
}

// Path returns where the session of the id lives in dir; it need not exist.
func Path(dir, id string) (string, error) {
	if err := CheckID(id); err != nil {
		return "", err
	}
	return filepath.Join(dir, id+extension), nil
}

// NewID returns an id such as 20261121-153045-k3f9: the time in UTC to the
// second, then 4 characters of 32 from random, so that ids sort by time. Two
// sessions of one second meet once in a million; Create then says so.
func NewID(now time.Time, random io.Reader) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	var suffix [4]byte
	if _, err := io.ReadFull(random, suffix[:]); err != nil {
		// Without a source of chance the time's fraction tells ids apart.
		nanos := now.Nanosecond()
		for i := range suffix {
			suffix[i] = byte(nanos >> (5 * i) & 0xFF)
		}
	}
	for i, b := range suffix {
		suffix[i] = digits[int(b)%len(digits)]
	}
	return now.UTC().Format("20060102-150405-") + string(suffix[:])
}

// UnknownError says that no session has the id, or begins with it.
type UnknownError struct {
	Dir, ID string
	// Nearest is the id most like it, or "".
	Nearest string
}

// Error names the nearest id.
func (e *UnknownError) Error() string {
	hint := "moot list shows what there is"
	if e.Nearest != "" {
		hint = "did you mean " + e.Nearest + "?"
	}
	if e.ID == "" {
		return fmt.Sprintf("no unfinished session in %s; %s", e.Dir, hint)
	}
	return fmt.Sprintf("no session %q in %s; %s", e.ID, e.Dir, hint)
}

// AmbiguousError says that several ids begin with what was given.
type AmbiguousError struct {
	ID string
	// IDs are those that do, newest first.
	IDs []string
}

// Error names up to five of them.
func (e *AmbiguousError) Error() string {
	named := strings.Join(e.IDs[:min(len(e.IDs), 5)], ", ")
	if more := len(e.IDs) - 5; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%d sessions begin with %q: %s; give more of the id", len(e.IDs), e.ID, named)
}

// Find returns the path of the session with the id, else of the only one that
// begins with it; for "" that of the newest session that is neither closed nor
// damaged. Errors are *UnknownError, *AmbiguousError, those of CheckID, and of
// reading dir.
func Find(dir, id string) (string, error) {
	if id == "" {
		return newestUnfinished(dir)
	}
	if err := CheckID(id); err != nil {
		return "", err
	}
	ids, err := list(dir)
	if err != nil {
		return "", err
	}
	if slices.Contains(ids, id) {
		return Path(dir, id)
	}
	var matches []string
	for _, known := range ids {
		if strings.HasPrefix(known, id) {
			matches = append(matches, known)
		}
	}
	switch len(matches) {
	case 0:
		return "", &UnknownError{Dir: dir, ID: id, Nearest: enum.Nearest(id, ids)}
	case 1:
		return Path(dir, matches[0])
	}
	return "", &AmbiguousError{ID: id, IDs: matches}
}

func newestUnfinished(dir string) (string, error) {
	summaries, err := List(dir)
	if err != nil {
		return "", err
	}
	for i := range summaries {
		if s := &summaries[i]; s.Broken == "" && !s.Closed {
			return s.Path, nil
		}
	}
	return "", &UnknownError{Dir: dir}
}

// list returns the ids of the sessions in dir, the last of the alphabet first,
// which is the newest first for ids that NewID made. A folder that is missing
// holds none.
func list(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the folder of the sessions: %w", err)
	}
	var ids []string
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), extension)
		if ok && CheckID(id) == nil && !entry.IsDir() {
			ids = append(ids, id)
		}
	}
	slices.Reverse(ids)
	return ids, nil
}

// Remove deletes a session and its labels; the id is the whole id. A session
// that is open for writing is a *HeldError and stays.
func Remove(dir, id string) error {
	path, err := Path(dir, id)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		ids, _ := list(dir)
		return &UnknownError{Dir: dir, ID: id, Nearest: enum.Nearest(id, ids)}
	}
	lock, err := hold(path)
	if err != nil {
		return err
	}
	err = os.Remove(path)
	if err == nil {
		err = os.Remove(labelsPath(path))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if released := release(lock, path); err == nil {
		err = released
	}
	if err != nil {
		return fmt.Errorf("remove session %s: %w", id, err)
	}
	return nil
}
