package matrix

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"moot/lab/measure"
	"moot/state"
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
	Case    string               `json:"case"`
	Repeat  int                  `json:"repeat"`
	Form    state.Form           `json:"form"`
	Judges  []state.JudgeVersion `json:"judges"`
	Results []measure.Result     `json:"results"`
}

// Journal stores the results of a run in a file, one line per session. It locks the file until it is closed, so that
// two runs never mix their lines.
type Journal struct {
	path    string
	file    *os.File
	unlock  func() error
	entries []entry
}

// Create creates the journal of a run. If the file exists, the error is fs.ErrExist, or a *store.HeldError while
// another run writes to it.
func (m *Matrix) Create(path string) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		// A run that is still writing to it is the better explanation.
		unlock, locked := store.Lock(path)
		if held, is := errors.AsType[*store.HeldError](locked); is {
			err = held
		} else if locked == nil {
			err = errors.Join(err, unlock())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("store the results: %w", err)
	}
	unlock, err := store.Lock(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store the results: %w", err), file.Close())
	}
	j := &Journal{path: path, file: file, unlock: unlock}
	if err := j.append(m.head()); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// Reopen opens the journal of an interrupted run, and removes a partly written last line. The error is a
// *DifferentError for a run with other settings, a *store.HeldError if another run writes to the journal, and
// fs.ErrNotExist if the journal does not exist.
func (m *Matrix) Reopen(path string) (*Journal, error) {
	unlock, err := store.Lock(path)
	if err != nil {
		return nil, fmt.Errorf("continue the results: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("continue the results: %w", err), unlock())
	}
	j := &Journal{path: path, file: file, unlock: unlock}
	if err := j.read(m); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// read reads the journal and moves to its end.
func (j *Journal) read(m *Matrix) error {
	text, err := io.ReadAll(j.file)
	if err != nil {
		return fmt.Errorf("read the results: %w", err)
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
		other := func(r measure.Result) bool { return r.Case != e.Case || r.Repeat != e.Repeat }
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

// DifferentError reports that the results are from a run with other settings.
type DifferentError struct {
	// Path is the path of the results, There what they state about their run, and Here what this run states instead;
	// one of them may be "".
	Path, There, Here string
}

// Error names what differs.
func (e *DifferentError) Error() string {
	said := func(line string) string {
		if line == "" {
			return "nothing"
		}
		return "“" + line + "”"
	}
	return fmt.Sprintf("the results in %s are from another run: they state %s, and this run states %s", e.Path,
		said(e.There), said(e.Here))
}

// same refuses the head of a journal of another run.
func (m *Matrix) same(path string, line []byte) error {
	var there head
	if err := json.Unmarshal(line, &there); err != nil || there.Format != journalFormat {
		return fmt.Errorf("%s is not a journal of moot lab run", path)
	}
	return m.Same(path, there.Stated)
}

// Same returns a *DifferentError if the results were stated differently than those of this run.
func (m *Matrix) Same(path string, stated []string) error {
	here := m.Stated()
	for i := range max(len(stated), len(here)) {
		e := &DifferentError{Path: path}
		if i < len(stated) {
			e.There = stated[i]
		}
		if i < len(here) {
			e.Here = here[i]
		}
		if e.There != e.Here {
			return e
		}
	}
	return nil
}

// append writes lines and waits until they are safe.
func (j *Journal) append(lines ...any) error {
	var text []byte
	for _, l := range lines {
		line, err := lineOf(l)
		if err != nil {
			return err
		}
		text = append(text, line...)
	}
	_, err := j.file.Write(text)
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
func (j *Journal) Close() error { return closing(j.file.Close(), j.unlock()) }

// Remove closes and deletes the file, whose results are now in another one. The lock is released last, so that no
// other run takes it for a file that is being deleted.
func (j *Journal) Remove() error {
	closed := j.file.Close()
	removed := os.Remove(j.path)
	err := closing(closed, j.unlock())
	if removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, fmt.Errorf("remove the journal, whose results are in the results file now: %w",
			removed))
	}
	return err
}

// closing joins the errors of closing a file and releasing its lock.
func closing(closed, unlocked error) error {
	if err := errors.Join(closed, unlocked); err != nil {
		return fmt.Errorf("close the results: %w", err)
	}
	return nil
}
