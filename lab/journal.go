package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/state/store"
)

// journalFormat is the format of journals.
const journalFormat = "moot.lab.journal/1"

// head is the first line of a journal.
type head struct {
	Format string   `json:"format"`
	Title  string   `json:"title"`
	Stated []string `json:"stated"`
}

// entry is a line of a journal: a session with the results of its judges.
type entry struct {
	Case    string          `json:"case"`
	Repeat  int             `json:"repeat"`
	Form    hearing.Form    `json:"form"`
	Judges  []judge.Version `json:"judges"`
	Results []Result        `json:"results"`
}

// Journal stores the results of a run in a file, one line per session. It locks the file until it is closed, so that
// two runs never mix their lines.
type Journal struct {
	path    string
	file    *os.File
	unlock  func() error
	entries []entry
}

// OpenJournal opens the journal of a run, and creates it if needed. With resume it continues that of a stopped run, and
// removes a partly written last line; otherwise the error for a file with content is fs.ErrExist. The error is
// ErrDifferent for a run with other settings, and a *store.HeldError if another run writes to the journal.
func (m *Matrix) OpenJournal(path string, resume bool) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store the results: %w", err)
	}
	unlock, err := store.Lock(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store the results: %w", err), file.Close())
	}
	j := &Journal{path: path, file: file, unlock: unlock}
	if err := j.read(m, resume); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// read reads the journal and moves to its end.
func (j *Journal) read(m *Matrix, resume bool) error {
	text, err := io.ReadAll(j.file)
	if err != nil {
		return fmt.Errorf("read the results: %w", err)
	}
	if len(text) > 0 && !resume {
		return fmt.Errorf("store the results: %s: %w", j.path, fs.ErrExist)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	own, err := lineOf(m.head())
	if err != nil {
		return err
	}
	if len(whole) == 0 && !bytes.HasPrefix(own, text) {
		return fmt.Errorf("%s is not a journal of moot lab run", j.path)
	}
	number := 0
	for line := range bytes.Lines(whole) {
		number++
		if number == 1 {
			if err := m.same(j.path, line); err != nil {
				return err
			}
			continue
		}
		var e entry
		err := json.Unmarshal(line, &e)
		other := func(r Result) bool { return r.Case != e.Case || r.Repeat != e.Repeat }
		if err != nil || len(e.Judges) != len(e.Results) || slices.ContainsFunc(e.Results, other) {
			return fmt.Errorf("%s: line %d is damaged: remove it, and its session is run again", j.path, number)
		}
		j.entries = append(j.entries, e)
	}
	err = j.file.Truncate(int64(len(whole)))
	if err == nil {
		_, err = j.file.Seek(0, io.SeekEnd)
	}
	switch {
	case err != nil:
		return fmt.Errorf("continue the results: %w", err)
	case number == 0:
		return j.append(m.head())
	}
	return nil
}

// head returns the first line of the journal of this run.
func (m *Matrix) head() head {
	return head{Format: journalFormat, Title: m.title(), Stated: m.Stated()}
}

func (m *Matrix) title() string { return "corpus " + m.plan.Corpus.Name }

// ErrDifferent means that a journal belongs to a run with other settings.
var ErrDifferent = errors.New("use the same flags, or another --out")

// same refuses the head of a journal of another run.
func (m *Matrix) same(path string, line []byte) error {
	var there head
	if err := json.Unmarshal(line, &there); err != nil || there.Format != journalFormat {
		return fmt.Errorf("%s is not a journal of moot lab run", path)
	}
	here := m.Stated()
	for i := range max(len(there.Stated), len(here)) {
		const nothing = "nothing"
		theirs, ours := nothing, nothing
		if i < len(there.Stated) {
			theirs = "“" + there.Stated[i] + "”"
		}
		if i < len(here) {
			ours = "“" + here[i] + "”"
		}
		if theirs != ours {
			return fmt.Errorf("the results in %s are from another run: they state %s, and this run states %s; %w", path,
				theirs, ours, ErrDifferent)
		}
	}
	return nil
}

// append writes a line and waits until it is safe.
func (j *Journal) append(value any) error {
	line, err := lineOf(value)
	if err != nil {
		return err
	}
	_, err = j.file.Write(line)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("store the results: %w; earlier results are safe in %s", err, j.path)
	}
	return nil
}

// lineOf encodes a line of a journal.
func lineOf(value any) ([]byte, error) {
	line, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("write the results: %w", err)
	}
	return append(line, '\n'), nil
}

// Close closes the file and releases its lock.
func (j *Journal) Close() error {
	if err := errors.Join(j.file.Close(), j.unlock()); err != nil {
		return fmt.Errorf("close the results: %w", err)
	}
	return nil
}

// Remove deletes the file, whose results are now in another one. The lock is released last, so that no
// other run takes it for a file that is being deleted.
func (j *Journal) Remove() error {
	closed, removed := j.file.Close(), os.Remove(j.path)
	if err := errors.Join(closed, removed, j.unlock()); err != nil {
		return fmt.Errorf("remove the journal, whose results are in the results file now: %w", err)
	}
	return nil
}
