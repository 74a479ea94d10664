package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moot/internal/regular"
	"moot/protocol/review"
	"moot/state"
	"moot/state/store"
)

const (
	// indexName is the name of the index in the state folder.
	indexName = "reviews.json"
	// indexVersion changes with what Memorize returns.
	indexVersion = 1
	maxIndex     = 256 << 20
)

// index holds the rulings of the sessions, by the names of their files. It is a cache: without it, or if it is damaged, all
// sessions are read again.
type index struct {
	Version  int              `json:"version"`
	Sessions map[string]entry `json:"sessions"`
}

// entry holds the rulings of one session. It is valid as long as the size and the time of the file are the same.
type entry struct {
	Size    int64               `json:"size"`
	Time    time.Time           `json:"time"`
	Rulings []review.Remembered `json:"rulings,omitempty"`
	Unread  bool                `json:"unread,omitempty"`
}

// Indexed are the rulings of the sessions on one repository.
type Indexed struct {
	Rulings []review.Remembered
	// Sessions is the number of reviews with rulings. Unread are the IDs of those that could not be read.
	Sessions int
	Unread   []string
}

// Index returns what the reviews in a folder of sessions ruled on a repository. It reads the sessions that changed since
// the last time. An index that cannot be written is made again the next time.
func Index(dir, repository string, formats ...state.Rules) (Indexed, error) {
	var found Indexed
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, fmt.Errorf("read the sessions folder: %w", err)
	}
	path := filepath.Join(filepath.Dir(dir), indexName)
	old := readIndex(path)
	now := index{Version: indexVersion, Sessions: map[string]entry{}}
	isNew := false
	for _, file := range files {
		id, isSession := strings.CutSuffix(file.Name(), ".jsonl")
		info, err := file.Info()
		if !isSession || store.CheckID(id) != nil || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		e, known := old.Sessions[file.Name()]
		if !known || e.Size != info.Size() || !e.Time.Equal(info.ModTime()) {
			isNew = true
			e = entry{Size: info.Size(), Time: info.ModTime()}
			var err error
			e.Rulings, err = Rulings(filepath.Join(dir, file.Name()), formats...)
			e.Unread = err != nil
		}
		now.Sessions[file.Name()] = e
		if e.Unread {
			found.Unread = append(found.Unread, id)
		}
		counts := false
		for _, r := range e.Rulings {
			if r.Repository == repository {
				found.Rulings = append(found.Rulings, r)
				counts = true
			}
		}
		if counts {
			found.Sessions++
		}
	}
	if isNew || len(now.Sessions) != len(old.Sessions) {
		_ = writeIndex(path, &now)
	}
	return found, nil
}

// readIndex reads the index. If it is missing or damaged, it is empty.
func readIndex(path string) index {
	var i index
	text, err := regular.Read(path, maxIndex)
	if err != nil || json.Unmarshal(text, &i) != nil || i.Version != indexVersion {
		return index{}
	}
	return i
}

func writeIndex(path string, i *index) error {
	text, err := json.Marshal(i)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), indexName+"-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		_ = os.Remove(draft.Name())
	}
	return err
}

// Rulings returns what the session in a file rules, with those of the user after its end. A session of another format has
// none.
func Rulings(path string, formats ...state.Rules) ([]review.Remembered, error) {
	format, err := store.FormatOf(path)
	if err != nil || format != (review.Format{}).Name() {
		return nil, err
	}
	opened, err := store.Read(path, formats...)
	if err != nil {
		return nil, err
	}
	if opened.Version < state.Version {
		return nil, nil // Its rules differ.
	}
	s, err := state.Replay(opened.Events)
	if err != nil {
		return nil, err
	}
	return review.Memorize(s, func(seq int) time.Time {
		if seq < 1 || seq > len(opened.Events) {
			return s.At
		}
		return opened.Events[seq-1].At
	}), nil
}
