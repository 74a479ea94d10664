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

// head is the first line of a journal: what its results are of.
type head struct {
	Format string   `json:"format"`
	Title  string   `json:"title"`
	Stated []string `json:"stated"`
}

// entry is a line of a journal: a session with what its judges say.
type entry struct {
	Case   string     `json:"case"`
	Repeat int        `json:"repeat"`
	Form   state.Form `json:"form"`
	// Judges are those that ruled on the session, Results what each said.
	Judges  []state.JudgeVersion `json:"judges"`
	Results []measure.Result     `json:"results"`
}

// Journal keeps the results of a run in a file as they come: a line for each session. It
// holds the file's lock until it is closed, so that no two runs mix their lines.
type Journal struct {
	path    string
	file    *os.File
	letGo   func() error
	entries []entry
}

// Create begins the journal of a run. A file that is there is refused with
// fs.ErrExist, or with a *store.HeldError while another run writes to it.
func (m *Matrix) Create(path string) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if held := heldBy(path); held != nil {
			err = held
		}
	}
	if err != nil {
		return nil, fmt.Errorf("keep the results: %w", err)
	}
	letGo, err := store.Lock(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("keep the results: %w", err), file.Close())
	}
	j := &Journal{path: path, file: file, letGo: letGo}
	if err := j.append(m.head()); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// heldBy is the error that another run writes to a journal, nil where none does.
func heldBy(path string) error {
	letGo, err := store.Lock(path)
	if err == nil {
		err = letGo()
	}
	if held, is := errors.AsType[*store.HeldError](err); is {
		return held
	}
	return nil
}

// Reopen opens the journal of a run that was broken off. What of its last line was
// written only in part is cut off. A journal of a run with other settings is refused
// with a *DifferentError; one that another run writes to with a *store.HeldError; one
// that is not there with fs.ErrNotExist.
func (m *Matrix) Reopen(path string) (*Journal, error) {
	letGo, err := store.Lock(path)
	if err != nil {
		return nil, fmt.Errorf("go on with the results: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("go on with the results: %w", err), letGo())
	}
	j := &Journal{path: path, file: file, letGo: letGo}
	if err := j.read(m); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// read takes in what the journal holds, and goes to where it goes on.
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
		return fmt.Errorf("%s is no journal of moot lab run", j.path)
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
		if err := json.Unmarshal(line, &e); err != nil || len(e.Judges) != len(e.Results) || slices.ContainsFunc(e.Results, func(r measure.Result) bool { return r.Case != e.Case || r.Repeat != e.Repeat }) {
			return fmt.Errorf("%s: line %d is damaged: remove it, and what it says is heard again", j.path, number)
		}
		j.entries = append(j.entries, e)
	}
	err = j.file.Truncate(int64(len(whole)))
	if err == nil {
		_, err = j.file.Seek(0, io.SeekEnd)
	}
	switch {
	case err != nil:
		return fmt.Errorf("go on with the results: %w", err)
	case number == 0:
		return j.append(m.head())
	}
	return nil
}

// head is what a journal of this run begins with.
func (m *Matrix) head() head {
	return head{Format: journalFormat, Title: m.title(), Stated: m.Stated()}
}

func (m *Matrix) title() string { return "corpus " + m.plan.Corpus.Name }

// DifferentError says that results are those of a run with other settings.
type DifferentError struct {
	// Path is that of the results, There what they say of their run, Here what this
	// run says in its place; one of them is "" where nothing corresponds.
	Path, There, Here string
}

// Error names what differs.
func (e *DifferentError) Error() string {
	said := func(line string) string {
		if line == "" {
			return "nothing of the kind"
		}
		return "“" + line + "”"
	}
	return fmt.Sprintf("the results in %s are of another run: they say %s, and this run says %s", e.Path, said(e.There), said(e.Here))
}

// same refuses the head of a journal of another run.
func (m *Matrix) same(path string, line []byte) error {
	var there head
	if err := json.Unmarshal(line, &there); err != nil || there.Format != journalFormat {
		return fmt.Errorf("%s is no journal of moot lab run", path)
	}
	return m.Same(path, there.Stated)
}

// Same refuses results that were stated otherwise than those of this run, with a
// *DifferentError.
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
		return fmt.Errorf("keep the results: %w; those before are safe in %s", err, j.path)
	}
	return nil
}

// lineOf is a value as a line of a journal.
func lineOf(value any) ([]byte, error) {
	line, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("write the results: %w", err)
	}
	return append(line, '\n'), nil
}

// Close closes the file and lets go of its lock.
func (j *Journal) Close() error {
	return closing(j.file.Close(), j.letGo())
}

// Remove closes the file and takes it away: its results stand elsewhere. The lock is let
// go of last, so that nobody takes it for a file that is about to go.
func (j *Journal) Remove() error {
	closed := j.file.Close()
	removed := os.Remove(j.path)
	err := closing(closed, j.letGo())
	if removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, fmt.Errorf("remove the journal, whose results stand in the results file now: %w", removed))
	}
	return err
}

// closing is what went wrong with a file and with its lock.
func closing(closed, unlocked error) error {
	if err := errors.Join(closed, unlocked); err != nil {
		return fmt.Errorf("close the results: %w", err)
	}
	return nil
}
