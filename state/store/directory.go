package store

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	"moot/internal/lists"
)

// StateVariable is the environment variable for moot's state folder, which overrides the one under the XDG state
// home.
const StateVariable = "MOOT_STATE_DIR"

const (
	extension       = ".jsonl"
	labelsExtension = ".labels.jsonl"
)

// Dir returns the folder of the sessions: "sessions" in $MOOT_STATE_DIR, or else in "moot" under the XDG state home
// (~/.local/state, ~/Library/Application Support, %LOCALAPPDATA%). It need not exist yet.
func Dir() (string, error) {
	home := cmp.Or(os.Getenv(StateVariable), filepath.Join(xdg.StateHome, "moot"))
	absolute, err := filepath.Abs(home)
	if err != nil {
		return "", fmt.Errorf("find the state folder (%s names it): %w", StateVariable, err)
	}
	return filepath.Join(absolute, "sessions"), nil
}

// CheckID refuses an id that is not a plain file name on every system: 1 to 64 letters, digits, hyphens and
// underscores, starting with a letter or digit.
func CheckID(id string) error {
	plain := len(id) >= 1 && len(id) <= 64 && id[0] != '-' && id[0] != '_'
	for _, b := range []byte(id) {
		plain = plain && (b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_')
	}
	if !plain {
		return fmt.Errorf("%.80q is not a session id: an id has 1 to 64 letters, digits, hyphens and underscores", id)
	}
	return nil
}

// Path returns the path of the session id in dir; it need not exist.
func Path(dir, id string) (string, error) {
	if err := CheckID(id); err != nil {
		return "", err
	}
	return filepath.Join(dir, id+extension), nil
}

// NewID returns an id such as 20261121-153045-k3f9: the time in UTC to the second, then 4 random characters, so that
// ids sort by time. If an id is taken, Create returns an error.
func NewID(now time.Time, random io.Reader) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	var suffix [4]byte
	// The system's randomness never fails; if it did, Create would refuse an id that is taken.
	_, _ = io.ReadFull(random, suffix[:])
	for i, b := range suffix {
		suffix[i] = digits[int(b)%len(digits)]
	}
	return now.UTC().Format("20060102-150405-") + string(suffix[:])
}

// unknown reports that no session has the id or begins with it, and suggests the most similar one.
func unknown(dir, id string, ids []string) error {
	hint := "moot list shows your sessions"
	if nearest := enum.Nearest(id, ids); nearest != "" {
		hint = "did you mean " + nearest + "?"
	}
	return fmt.Errorf("no session %q in %s; %s", id, dir, hint)
}

// Find returns the path of the session id, or else of the only session whose id begins with it, or ends with it behind a
// hyphen.
func Find(dir, id string) (string, error) {
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
	matches := lists.Filter(ids, func(known string) bool { return strings.HasPrefix(known, id) })
	if len(matches) == 0 {
		// People remember the four characters at the end.
		matches = lists.Filter(ids, func(known string) bool { return strings.HasSuffix(known, "-"+id) })
	}
	switch len(matches) {
	case 0:
		return "", unknown(dir, id, ids)
	case 1:
		return Path(dir, matches[0])
	}
	named := strings.Join(matches[:min(len(matches), 5)], ", ")
	if more := len(matches) - 5; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return "", fmt.Errorf("%d sessions begin with %q: %s; give more of the id", len(matches), id, named)
}

// list returns the ids of the sessions in dir in reverse order, which is newest first for ids from NewID.
func list(dir string) ([]string, error) {
	files, err := scan(dir)
	return lists.Map(files, func(f sessionFile) string { return f.id }), err
}

// sessionFile is a session in a folder. Its files have not been opened; info and tags are nil if they are unknown or missing.
type sessionFile struct {
	id         string
	info, tags fs.FileInfo
}

// scan returns the sessions in dir in reverse order of their ids. A missing folder has none. Files that a killed process
// left before they became a session are removed.
func scan(dir string) ([]sessionFile, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the sessions folder: %w", err)
	}
	var files []sessionFile
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), extension)
		ok = ok && CheckID(id) == nil
		if of, tags := strings.CutSuffix(entry.Name(), tagsExtension); tags {
			// It comes after its session.
			if n := len(files); n > 0 && files[n-1].id == of {
				files[n-1].tags, _ = entry.Info()
			}
			continue
		}
		if draft := strings.HasPrefix(entry.Name(), draftPrefix); entry.IsDir() || !ok && !draft {
			continue
		}
		info, err := entry.Info()
		if ok && (err != nil || info.Size() > 0) {
			files = append(files, sessionFile{id: id, info: info})
		} else if err == nil && time.Since(info.ModTime()) > startTime {
			removeLeftover(filepath.Join(dir, entry.Name()), !ok)
		}
	}
	slices.Reverse(files)
	return files, nil
}

// startTime is longer than a process takes between creating a file and locking it.
const startTime = 2 * time.Second

// removeLeftover removes a draft or an empty file, unless a process is writing it or has written it since it was
// listed. If that fails, it stays for the next time.
func removeLeftover(path string, draft bool) {
	lock, err := acquire(path)
	if err != nil {
		return
	}
	if info, err := os.Stat(path); err == nil && (draft || info.Size() == 0) {
		_ = os.Remove(path)
	}
	_ = release(lock, path)
}

// Remove deletes a session with its labels and tags, and its summary in the cache of the list; id is the full id. If the session is open for writing, the error is a
// *HeldError and the session stays.
func Remove(dir, id string) error {
	path, err := Path(dir, id)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		ids, _ := list(dir)
		return unknown(dir, id, ids)
	}
	lock, err := acquire(path)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return errors.Join(fmt.Errorf("remove session %s: %w", id, err), release(lock, path))
	}
	// The session is gone: what is beside it goes as far as it can.
	var left error
	for _, beside := range []string{labelsPath(path), tagsPath(path)} {
		if err := os.Remove(beside); !errors.Is(err, fs.ErrNotExist) {
			left = errors.Join(left, err)
		}
	}
	left = errors.Join(left, release(lock, path))
	if err := forgetListed(dir, id); err != nil {
		left = errors.Join(left, fmt.Errorf("its question may still be in the cache of the list: %w", err))
	}
	if left != nil {
		return fmt.Errorf("session %s is removed, but not all that belongs to it: %w", id, left)
	}
	return nil
}

// Label records, after the session ended, whether a point turned out to be true (ST5). The session file never
// changes: labels are stored in ID.labels.jsonl next to it, one JSON line each.
type Label struct {
	At time.Time `json:"at"`
	// Point is the id of the point, such as P3.
	Point string `json:"point"`
	// True reports that the point turned out to be true.
	True bool `json:"true"`
}

func labelsPath(path string) string { return strings.TrimSuffix(path, extension) + labelsExtension }

// Labels returns the labels of the session at path, one per point, in the order in which the points were first
// labeled. The last label of a point wins.
func Labels(path string) ([]Label, error) {
	text, err := os.ReadFile(labelsPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the labels of the session: %w", err)
	}
	var labels []Label
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		var label Label
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&label); err != nil || label.Point == "" {
			return labels, fmt.Errorf("%s: line %d is not a label, the file was left unchanged; correct or remove "+
				"that "+
				"line", labelsPath(path), number)
		}
		at := slices.IndexFunc(labels, func(l Label) bool { return l.Point == label.Point })
		if at < 0 {
			labels = append(labels, label)
		} else {
			labels[at] = label
		}
	}
	return labels, nil
}

// AppendLabel adds a label to the session at path and syncs it. It does not check that the session has the point.
func AppendLabel(path string, label Label) error {
	labels := labelsPath(path)
	label.At = label.At.UTC()
	raw, err := json.Marshal(label)
	if err != nil {
		return fmt.Errorf("write the label: %w", err)
	}
	file, err := os.OpenFile(labels, os.O_WRONLY|os.O_CREATE|os.O_APPEND, fileMode)
	if err != nil {
		return fmt.Errorf("open the labels of the session: %w", err)
	}
	lock, err := acquire(labels)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	_, err = file.Write(append(raw, '\n'))
	err = errors.Join(err, file.Sync(), file.Close(), release(lock, labels))
	if err != nil {
		return fmt.Errorf("add a label to %s, the earlier ones are kept: %w", labels, err)
	}
	return nil
}
