package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/natefinch/atomic"
	"github.com/spf13/pflag"

	"moot/lab/matrix"
	"moot/lab/measure"
	"moot/state/store"
)

// journalEnding is what the name of a journal has behind that of the results.
const journalEnding = ".journal"

// keptResults is where the results of a run are kept as they come.
type keptResults struct {
	out    string
	resume bool
	// journal is open while the run is under way, nil where nothing is kept.
	journal *matrix.Journal
}

func (k *keptResults) flags(f *pflag.FlagSet) {
	f.StringVar(&k.out, "out", "", "keep the results in this file, for moot lab report; while they come they are safe in\nFILE"+journalEnding)
	f.BoolVar(&k.resume, "resume", false, "go on where a run with the same settings and --out stopped")
}

// check refuses flags that exclude one another.
func (k *keptResults) check(c *Console, output *labOutput) error {
	switch {
	case k.resume && k.out == "":
		return usage("--resume goes on with the results of --out: name their file")
	case k.out != "" && output.json != "" && c.path(k.out) == c.path(output.json):
		return usage("--out and --json name the same file: --out is enough")
	}
	return nil
}

// open begins the journal, or goes on with it. What it returns is the whole of the
// results where there was nothing left to do.
func (k *keptResults) open(c *Console, m *matrix.Matrix) (*measure.Document, error) {
	if k.out == "" {
		return nil, nil //nolint:nilnil // nothing is kept, which is no error
	}
	path := c.path(k.out)
	if _, err := os.Stat(path); err == nil {
		if !k.resume {
			return nil, usage("--out %s: it is there already; name another file, or add --resume where it is of the same run", k.out)
		}
		d, err := readResults(c, k.out)
		if err != nil {
			return nil, fmt.Errorf("--resume: %s: %w", k.out, err)
		}
		if err := m.Same(k.out, d.Stated); err != nil {
			return nil, usage("--resume: %w; use the same flags, or another --out", err)
		}
		return &d, nil
	}
	var err error
	if k.resume {
		k.journal, err = m.Reopen(path + journalEnding)
	}
	if !k.resume || errors.Is(err, fs.ErrNotExist) {
		k.journal, err = m.Create(path + journalEnding)
	}
	var different *matrix.DifferentError
	switch {
	case errors.As(err, new(*store.HeldError)):
		return nil, fmt.Errorf("--out %s: another moot lab run keeps its results there, and alone may write to %s; wait until it has ended, or stop it and add --resume", k.out, k.out+journalEnding)
	case errors.As(err, &different):
		return nil, usage("--resume: %w; use the same flags, or another --out", err)
	case errors.Is(err, fs.ErrExist):
		return nil, usage("--out %s: a run that keeps its results there was broken off; add --resume to go on with it, or remove %s", k.out, k.out+journalEnding)
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("--out %s: there is no such folder", k.out)
	}
	return nil, err
}

// finish writes the results where all are there; else it says how to go on.
func (k *keptResults) finish(c *Console, d *measure.Document) error {
	switch {
	case k.journal == nil && !d.Whole():
		c.Say("stopped    nothing is kept without --out")
		return nil
	case k.journal == nil:
		return nil
	case !d.Whole():
		return k.leave(c)
	}
	var text bytes.Buffer
	err := d.Write(&text)
	if err == nil {
		err = atomic.WriteFile(c.path(k.out), &text)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", k.out, err), k.leave(c))
	}
	return k.journal.Remove()
}

// leave closes the journal of a run that is not done, and says how to go on.
func (k *keptResults) leave(c *Console) error {
	if k.journal == nil {
		return nil
	}
	c.Say("stopped    what was heard is kept in %s; go on with the same command and --resume", k.out+journalEnding)
	return k.journal.Close()
}
