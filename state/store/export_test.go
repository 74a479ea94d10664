package store

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"moot/state"
)

// dyingDisk is a file whose process is killed in the middle of a write.
type dyingDisk struct {
	*os.File
	after int
}

func (d *dyingDisk) WriteAt(b []byte, at int64) (int, error) {
	n, err := d.File.WriteAt(b[:d.after], at)
	if err != nil {
		return n, err
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return n, err
	}
	if err := self.Kill(); err != nil {
		return n, err
	}
	select {}
}

// DieAfter has the process killed once the next write has put so many bytes
// into the file.
func DieAfter(f *File, n int) {
	if file, ok := f.file.(*os.File); ok {
		f.file = &dyingDisk{File: file, after: n}
	}
}

// RemoveEmpty removes a session file that was empty when it was listed.
func RemoveEmpty(path string) { removeLeftover(path, false) }

// Len returns the number of events in the file.
func (f *File) Len() int { return f.chain.seq }

// Transcript is a Memory that also keeps the lines that a file would contain.
type Transcript struct {
	Memory
	text string
}

func (t *Transcript) Append(events []state.Event) error {
	before := t.chain
	before.head = t.head()
	var lines bytes.Buffer
	if _, err := before.encode(&lines, events); err != nil {
		return err
	}
	t.text += lines.String()
	return t.Memory.Append(events)
}

// Lines returns the lines without newlines.
func (t *Transcript) Lines() []string {
	return slices.Collect(strings.SplitSeq(strings.TrimSuffix(t.text, "\n"), "\n"))
}

// ReportAll has a Lister report its progress after each file.
func (l *Lister) ReportAll() { l.every = 0 }

// MarkChanged has a Lister write its cache the next time.
func (l *Lister) MarkChanged() { l.changed = true }
