package store

import "os"

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
