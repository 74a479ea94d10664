package process

import (
	"time"
)

// Spec is a program to run.
type Spec struct {
	// Path is that of the program, or its name on the search path (see Find).
	Path string
	// Args are its arguments, as they are: no shell reads them.
	Args []string
	// Dir is the folder that it runs in, "" for the current one.
	Dir string
	// Env is its environment, NAME=value each (see Environment); nil gives it none.
	Env []string
	// Stdin is what it reads on standard input, which is closed after that by Run
	// and stays open after Start. A program that does not read it all is no error.
	Stdin []byte
	// Limits bound it; zero fields take their defaults.
	Limits Limits
	// Line is given each line of standard output as it comes, without its line end.
	// The line is valid during the call only. An error of Line stops the program and
	// is that of Run. Line may be nil.
	Line func(line []byte) error
	// Output is given standard output in pieces as they come, at most 32 KiB each,
	// valid during the call only, and is otherwise as Line. Where it is set, lines
	// may be of any length.
	Output func(piece []byte) error
}

// Limits bound a call of a program. A field that is zero or negative takes its
// default. Of a program that stays up, they bound each turn.
type Limits struct {
	// Total is how long a call may take in all; default 15 min.
	Total time.Duration
	// Silence is how long a program may write nothing, on standard output or standard
	// error; default 5 min.
	Silence time.Duration
	// TermWait is how long a program may take to end when it was asked to, before it
	// is killed; default 3 s.
	TermWait time.Duration
	// Linger is how long what a program has left running may hold its output and
	// write nothing, after the program itself has ended; default 1 s.
	Linger time.Duration
	// MaxLineBytes is the longest line; default 1 MiB.
	MaxLineBytes int
	// MaxOutputBytes is the most on standard output; default 16 MiB.
	MaxOutputBytes int
	// StderrBytes is how much of the end of standard error is kept; default 64 KiB.
	StderrBytes int
}

// filled returns the limits with defaults for what is not set.
func (l Limits) filled() Limits {
	return Limits{
		Total:          positive(l.Total, 15*time.Minute),
		Silence:        positive(l.Silence, 5*time.Minute),
		TermWait:       positive(l.TermWait, 3*time.Second),
		Linger:         positive(l.Linger, time.Second),
		MaxLineBytes:   positive(l.MaxLineBytes, 1<<20),
		MaxOutputBytes: positive(l.MaxOutputBytes, 16<<20),
		StderrBytes:    positive(l.StderrBytes, 64<<10),
	}
}

// positive returns value, or otherwise if value is not above 0.
func positive[T int | time.Duration](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}

// Result is how a program ended.
type Result struct {
	// Exit is its exit code, -1 where a signal ended it or it has not ended yet.
	Exit int
	// Signal is that which ended it ("SIGTERM"), or "".
	Signal string
	// Stderr is the end of what it wrote on standard error, as it wrote it: any bytes.
	Stderr string
	// Bytes is how many bytes came on standard output.
	Bytes int
	// Took is how long it ran, or has run so far.
	Took time.Duration
	// Left says that it left something running, which was ended.
	Left bool
}
