package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

// stored is a session as it stands on disk, read without its lock.
type stored struct {
	path    string
	head    string
	state   state.State
	rulings []state.Ruling
	events  []state.Event
}

// id is what commands take: the name of the file.
func (s *stored) id() string {
	return strings.TrimSuffix(filepath.Base(s.path), filepath.Ext(s.path))
}

// find returns the path of a session by its id or the beginning of one, or of
// the newest where id is "".
func find(id string) (string, error) {
	dir, err := store.Dir()
	if err != nil {
		return "", err
	}
	if id == "" {
		sessions, err := store.List(dir)
		if err != nil {
			return "", err
		}
		if len(sessions) == 0 {
			return "", usage("there is no session yet; type: moot ask \"Is the cache safe under load?\"")
		}
		return sessions[0].Path, nil
	}
	return store.Find(dir, id)
}

// read folds the session of an id.
func read(id string) (*stored, error) {
	path, err := find(id)
	if err != nil {
		return nil, err
	}
	opened, err := store.Read(path)
	if err != nil {
		return nil, err
	}
	return fold(path, opened)
}

func fold(path string, opened store.Opened) (*stored, error) {
	s, err := state.Replay(opened.Events)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; the file was left as it is", path, err)
	}
	return &stored{path: path, head: opened.Head, state: s, rulings: resolver.Rule(s), events: opened.Events}, nil
}
