package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"moot/agent/record"
	"moot/state/store"
)

// checkRecord refuses a recording over a file that is there, before anything is
// made.
func (o *frontOptions) checkRecord(c *Console) error {
	if o.record == "" {
		return nil
	}
	if _, err := os.Lstat(c.path(o.record)); err == nil {
		return in(fieldRecord, usage("--record: %w", fmt.Errorf("record to %s: %w", o.record, record.ErrExists)))
	}
	return nil
}

// record opens the recording of a session, where one was asked for, before
// anything is sent.
func (s *sitting) record(id string) error {
	if s.front.record == "" {
		return nil
	}
	head := record.Head{Moot: version(), Session: id, At: s.console.Now()}
	recorder, err := record.Create(s.console.path(s.front.record), head, s.console.Environ)
	if err != nil {
		return in(fieldRecord, usage("--record: %w; nothing was sent", err))
	}
	s.recorder = recorder
	return nil
}

// recorded says what was recorded, where anything was.
func (s *sitting) recorded() {
	if said := s.recorder.Summary(); said != "" {
		s.console.Say("recorded   %s", said)
	}
}

// ours are the files and folders that are written while a session is held: its
// recording, and what moot keeps of sessions.
func (s *sitting) ours() []string {
	var paths []string
	if s.front.record != "" {
		paths = append(paths, s.console.path(s.front.record))
	}
	if sessions, err := store.Dir(); err == nil {
		paths = append(paths, filepath.Dir(sessions))
	}
	return paths
}
