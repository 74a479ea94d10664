package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/spf13/pflag"

	"moot/resolver/jsonlines"
)

// batch answers the JSON objects of a file, one line for each: moot resolve,
// moot conflicts and moot judge.
type batch struct {
	console   *Console
	keepGoing bool
	// open begins to read. What it returns answers the next object: it writes a
	// line, or writes nothing and returns an *jsonlines.Error about the object, or
	// io.EOF behind the last.
	open func(from io.Reader) (next func(to io.Writer) error)
}

func (b *batch) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&b.keepGoing, "keep-going", false, "go on behind an object that is wrong; the exit code tells")
}

// run answers the objects of a file; - is standard input.
func (b *batch) run(ctx context.Context, name string) error {
	if name == "-" {
		return b.answer(ctx, b.console.In, "standard input")
	}
	file, err := os.Open(b.console.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return usage("there is no file %s", name)
	}
	if err != nil {
		return fmt.Errorf("open the input: %w", err)
	}
	defer file.Close()
	return b.answer(ctx, file, name)
}

// answer leaves on a signal, with whole lines only. What works is left behind
// where it has printed nothing of a line: it may wait for input that never comes,
// and the process ends.
func (b *batch) answer(ctx context.Context, from io.Reader, name string) error {
	signals, stop := b.console.signals()
	defer stop()
	out := &lineOut{to: b.console}
	var ended error
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		ended = b.all(b.open(from), out, name)
	}()
	code := ExitInterrupted
	select {
	case <-finished:
		return ended
	case <-ctx.Done():
	case got := <-signals:
		code = signalCode(got)
	}
	if out.leave() {
		return leaveWith(code)
	}
	select {
	case <-finished:
	case <-signals:
	}
	return leaveWith(code)
}

// all answers one object after the other. What was printed before an error
// stands.
func (b *batch) all(next func(io.Writer) error, out *lineOut, name string) error {
	wrong := 0
	for objects := 0; ; objects++ {
		err := next(out)
		if err == nil {
			err = out.end()
		}
		_, about := errors.AsType[*jsonlines.Error](err)
		switch {
		case out.failed != nil:
			return out.failed
		case errors.Is(err, io.EOF):
			if wrong > 0 {
				return fmt.Errorf("%s: %d of %d objects gave no result", name, wrong, objects)
			}
			return nil
		case about && b.keepGoing:
			wrong++
			out.say("wrong      %s: %s", name, err)
		case about:
			return fmt.Errorf("%s: %w; this object gave no result, and nothing behind it was read (--keep-going goes on)", name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// longLine is how much of a line waits for its end, in bytes. A line that is
// longer is printed while it is made.
const longLine = 1 << 20

// errLeft ends the work of a batch that is left.
var errLeft = errors.New("the command was left")

// lineOut prints whole lines: one that was begun is printed to its end also when
// the command is left.
type lineOut struct {
	to   *Console
	line []byte
	// failed is the error that ended it.
	failed error

	mutex sync.Mutex
	// begun says that a part of the line was printed, left that no line is to begin,
	// told that somebody was told why one is still printed.
	begun, left, told bool
}

// Write implements io.Writer.
func (o *lineOut) Write(text []byte) (int, error) {
	o.line = append(o.line, text...)
	if len(o.line) < longLine || o.print() != nil {
		return len(text), o.failed
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.left && !o.told {
		o.told = true
		o.to.Say("leaving    the line that was begun is printed to its end; once more ends it where it is")
	}
	return len(text), nil
}

// end prints what is left of a line.
func (o *lineOut) end() error {
	err := o.print()
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.begun = false
	if err == nil && o.left {
		// It was left while the line was printed: what comes next may wait for ever.
		o.failed, err = errLeft, errLeft
	}
	return err
}

func (o *lineOut) print() error {
	if o.failed == nil && !o.begin() {
		o.failed = errLeft
	}
	if o.failed == nil {
		o.failed = o.to.Print(string(o.line))
	}
	o.line = o.line[:0]
	return o.failed
}

// begin reports whether a part of a line may be printed now.
func (o *lineOut) begin() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.begun = o.begun || !o.left
	return o.begun
}

// leave lets no line begin, and reports whether none is begun. A line that is gets
// its end.
func (o *lineOut) leave() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.left = true
	return !o.begun
}

// say tells of an object, unless the command was left.
func (o *lineOut) say(format string, args ...any) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if !o.left {
		o.to.Say(format, args...)
	}
}
