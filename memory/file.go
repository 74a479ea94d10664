package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"moot/internal/jsonlines"
	"moot/internal/regular"
	"moot/protocol/review"
	"moot/state"
	"moot/state/store"
)

// Largest is the maximum size of a memory file in bytes, and mostText that of a text in it.
const (
	Largest  = 4 << 20
	mostText = 16 << 10
)

// Parse reads the text of a memory file. An error says on which line it is and what to do.
func Parse(text []byte) ([]review.Remembered, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	if len(text) > Largest {
		return nil, fmt.Errorf("it is larger than %d MiB; take out its oldest lines", Largest>>20)
	}
	const repair = "correct or delete the line; docs/review.md, \"Memory\", has the keys"
	var list []review.Remembered
	for objects := jsonlines.NewReader(text); ; {
		object, err := objects.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		var r review.Remembered
		if err == nil {
			err = objects.Locate(jsonlines.Decode(object, &r))
		}
		if err == nil {
			err = objects.Locate(check(&r))
		}
		if err != nil {
			return nil, fmt.Errorf("%w; %s", err, repair)
		}
		list = append(list, r)
	}
}

// check refuses what moot does not write.
func check(r *review.Remembered) error {
	for _, text := range []struct{ key, value string }{
		{"fingerprint", r.Fingerprint}, {"path", r.Path}, {"what", r.What}, {"bucket", string(r.Bucket)},
	} {
		if text.value == "" {
			return jsonlines.Faultf("", "%s is missing", text.key)
		}
	}
	for _, text := range []struct{ key, value string }{
		{"fingerprint", r.Fingerprint},
		{"repository", r.Repository},
		{"branch", r.Branch},
		{"session", r.Session},
		{"path", r.Path},
		{"symbol", r.Symbol},
		{"what", r.What},
		{"why", r.Why},
		{"lines", r.Lines},
		{"digest", r.Digest},
		{"refuted_at", r.RefutedAt},
		{"refuted_lines", r.RefutedLines},
		{"reason", r.Reason},
	} {
		if len(text.value) > mostText || !utf8.ValidString(text.value) {
			return jsonlines.Faultf("", "%s is longer than %d KiB", text.key, mostText>>10)
		}
	}
	if _, err := time.Parse(time.RFC3339, r.At); err != nil {
		return jsonlines.Faultf("/at", "%.40q is not a time such as 2026-01-31T12:00:00Z", r.At)
	}
	if r.Severity == "" {
		return jsonlines.Faultf("/severity", "it is missing")
	}
	if r.Line < 0 || r.End < r.Line {
		return jsonlines.Faultf("/line", "%d to %d are no lines", r.Line, r.End)
	}
	settled := []state.Bucket{state.BucketAgreed, state.BucketUnresolved, state.BucketDismissed}
	if !slices.Contains(settled, r.Bucket) {
		return jsonlines.Faultf("/bucket", "a remembered finding is not %s", r.Bucket)
	}
	return nil
}

// ReadFile reads a memory file. One that does not exist is empty.
func ReadFile(path string) ([]byte, error) {
	text, err := regular.Read(path, Largest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Complete adds the rulings that a memory file lacks, and returns how many those are. It makes the file if it does not
// exist. Processes that complete it at the same time wait for each other.
func Complete(path string, list []review.Remembered) (added int, err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|regular.Flags, 0o644) //nolint:gosec // it is made to be shared
	if err != nil {
		return 0, err
	}
	if err := file.Close(); err != nil {
		return 0, err
	}
	unlock, err := waitFor(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	text, err := regular.Read(path, Largest)
	if err != nil {
		return 0, err
	}
	known, err := Parse(text)
	if err != nil {
		return 0, err
	}
	var lines bytes.Buffer
	if len(text) > 0 && text[len(text)-1] != '\n' {
		lines.WriteByte('\n')
	}
	for i := range list {
		if r := &list[i]; !has(known, r) && check(r) == nil {
			known = append(known, *r)
			lines.WriteString(r.JSON() + "\n")
			added++
		}
	}
	switch {
	case added == 0:
		return 0, nil
	case len(text)+lines.Len() > Largest:
		return 0, fmt.Errorf("it would be larger than %d MiB, so nothing was added; take out its oldest lines", Largest>>20)
	}
	return added, write(path, append(text, lines.Bytes()...))
}

// has reports whether a file has a ruling already, maybe at other lines.
func has(known []review.Remembered, r *review.Remembered) bool {
	essence := func(r *review.Remembered) review.Remembered {
		same := *r
		same.Line, same.End, same.Repository, same.Symbol = 0, 0, "", ""
		same.Lines, same.RefutedLines = withoutSpace(r.Lines), withoutSpace(r.RefutedLines)
		return same
	}
	wanted := essence(r)
	return slices.ContainsFunc(known, func(k review.Remembered) bool { return essence(&k) == wanted })
}

// lockTime is how long moot waits for other processes that complete a memory file.
const lockTime = 10 * time.Second

// waitFor locks a file.
func waitFor(path string) (unlock func() error, err error) {
	for deadline := time.Now().Add(lockTime); ; {
		unlock, err = store.Lock(path)
		if !errors.As(err, new(*store.HeldError)) {
			return unlock, err
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("another process has kept it locked for %s; run the review again", lockTime)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// write replaces a file at once, with the permissions that it has.
func write(path string, text []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".moot-memory-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(info.Mode().Perm()), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		_ = os.Remove(draft.Name())
	}
	return err
}
