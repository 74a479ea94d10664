package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Import writes lines, as Lines returns them, to the file of a new session
// and returns its path. The chain and its last unit must be whole; a
// *DamageError says where they are not. With the lines that Lines returns of a
// damaged file this is how one is recovered. The file comes to be whole or not
// at all, whatever happens meanwhile; a session that exists is an fs.ErrExist.
func Import(dir, id string, lines []string) (string, error) {
	var text bytes.Buffer
	for _, l := range lines {
		text.WriteString(l)
		text.WriteByte('\n')
	}
	opened, err := Decode(bytes.NewReader(text.Bytes()), "")
	if err == nil && opened.Repaired.Cut > 0 {
		err = opened.Repaired.damage(len(opened.Events))
	}
	if err != nil {
		return "", fmt.Errorf("check the lines to import, nothing was written: %w", err)
	}
	if len(opened.Events) != len(lines) {
		return "", fmt.Errorf("%d lines to import hold %d events, nothing was written: %w", len(lines),
			len(opened.Events), errLayout)
	}
	return place(dir, id, text.Bytes())
}

// place makes the file of a new session whole: it is written and synced under a
// name that no command looks at, and takes its own name then.
func place(dir, id string, text []byte) (string, error) {
	path, err := Path(dir, id)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return "", fmt.Errorf("make the folder of the sessions: %w", err)
	}
	// The name ends unlike that of a session, and only the owner may read it.
	draft, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return "", fmt.Errorf("make the session file, nothing was kept: %w", err)
	}
	_, err = draft.Write(text)
	if err == nil {
		err = draft.Sync()
	}
	err = errors.Join(err, draft.Close())
	if err == nil {
		err = publish(draft.Name(), path)
	}
	// Where it was moved, it is no longer there.
	if removed := os.Remove(draft.Name()); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", existing(id)
	case err != nil:
		return "", fmt.Errorf("write %s, nothing was kept: %w", path, err)
	}
	if err := syncDir(dir); err != nil {
		return path, fmt.Errorf("sync the folder of %s, which is whole: %w", path, err)
	}
	return path, nil
}

// publish gives a file its name without ever taking that of another one. A file
// system without hard links leaves a moment in which two could meet; their ids
// hold four characters of chance.
func publish(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fs.ErrExist, err)
	}
	return os.Rename(draft, path)
}

// existing says that an id is taken.
func existing(id string) error {
	return fmt.Errorf("there is a session %s already, it was left as it is; take another id: %w", id, fs.ErrExist)
}
