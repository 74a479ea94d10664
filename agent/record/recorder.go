package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"moot/agent/scrub"
	"moot/protocol"
)

// MaxFile is how long a recording may become, in bytes. What comes after that is
// not recorded.
const MaxFile = 64 << 20

// ErrExists says that there is a file of that name already.
var ErrExists = errors.New("there is a file of that name, which is left as it is; name another one, or remove it")

// Head is what the first line of a recording says.
type Head struct {
	// Moot is the version of the program, Session the id of the session.
	Moot, Session string
	At            time.Time
}

// Recorder writes a recording. It may be used by several goroutines; nil records
// nothing.
type Recorder struct {
	scrubber *scrub.Scrubber
	// beginning is held while a call begins; calls counts them.
	beginning sync.Mutex
	calls     atomic.Int64

	mutex sync.Mutex
	file  *os.File
	path  string
	// room is how many bytes may still be written, size how many were.
	room, size int64
	// stopped says why nothing more is recorded, told that this was said.
	stopped string
	told    bool
	closed  bool
}

// A recorder is told of the calls of a session.
var _ protocol.Recorder = (*Recorder)(nil)

// Create makes the file of a recording, which only its owner may read, and
// writes its head. An existing file is ErrExists. Of the environment, as
// NAME=value, what looks like a secret is kept out of the recording, like what
// Hide names.
func Create(path string, head Head, environ []string) (*Recorder, error) {
	hidden, err := secretsOf(environ)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("record to %s: %w", path, ErrExists)
	}
	if err != nil {
		return nil, fmt.Errorf("record to a file: %w", err)
	}
	r := &Recorder{scrubber: scrub.New(hidden...), file: file, path: path, room: MaxFile}
	r.write(header{Recording: Version, Moot: head.Moot, Session: head.Session, At: head.At.UTC()})
	if r.stopped != "" {
		r.Discard()
		return nil, fmt.Errorf("record to %s: %s", path, r.stopped)
	}
	return r, nil
}

// Hidden is what takes the secrets out of the recording; more can be named to it.
func (r *Recorder) Hidden() *scrub.Scrubber {
	if r == nil {
		return nil
	}
	return r.scrubber
}

// Begin implements protocol.Recorder.
func (r *Recorder) Begin(ctx context.Context, call protocol.Call, participant string) (context.Context, protocol.CallRecord) {
	if r == nil {
		return ctx, (*Call)(nil)
	}
	// Calls begin in the order of their numbers, also where several begin at once.
	r.beginning.Lock()
	defer r.beginning.Unlock()
	r.calls.Add(1)
	c := &Call{recorder: r, number: int(r.calls.Load()), began: time.Now()}
	c.line(Line{
		Kind: KindBegin, Seat: call.Ask.Seat, Stage: call.Ask.Stage, Round: call.State.Round,
		Participant: participant, Retry: call.Ask.Retry,
	})
	return context.WithValue(ctx, callKey{}, c), c
}

// write appends a line and sees to it that it is with the system. What fails
// stops the recording, never the session.
func (r *Recorder) write(value any) {
	line, err := encode(value)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	switch {
	case r.stopped != "" || r.closed:
		return
	case err != nil:
		r.stop(err.Error())
		return
	case int64(len(line)) > r.room:
		// The reason is the last line: there is always room for it.
		why := fmt.Sprintf("it has reached its bound of %d MiB", MaxFile>>20)
		last, _ := encode(Line{Kind: KindStopped, Error: why}) // Plain text always encodes.
		r.append(last)
		r.stop(why)
		return
	}
	r.room -= int64(len(line))
	r.append(line)
}

// append writes whole lines only: what was written of one is cut off again.
func (r *Recorder) append(line []byte) {
	if _, err := r.file.Write(line); err != nil {
		r.stop(err.Error())
		if err := r.file.Truncate(r.size); err != nil {
			r.stop(r.stopped + "; its last line is cut")
		}
		return
	}
	r.size += int64(len(line))
}

func (r *Recorder) stop(why string) { r.stopped = why }

// trouble says once why nothing more is recorded, or "".
func (r *Recorder) trouble() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.stopped == "" || r.told {
		return ""
	}
	r.told = true
	return fmt.Sprintf("the recording %s is not whole, and nothing more is recorded: %s; the session goes on", r.path, r.stopped)
}

// Summary says what was recorded, in a line without its label.
func (r *Recorder) Summary() string {
	if r == nil {
		return ""
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.stopped != "" {
		return fmt.Sprintf("%s is not whole: %s; what came before is in it", r.path, r.stopped)
	}
	return fmt.Sprintf("%s, %d calls, %d bytes; keys were taken out, prompts and replies stand in it", r.path, r.calls.Load(), r.size)
}

// Close lets go of the file. It may be called more than once.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	if err := r.file.Close(); err != nil {
		return fmt.Errorf("close the recording %s: %w", r.path, err)
	}
	return nil
}

// Discard removes the file of a session that did not come to be.
func (r *Recorder) Discard() {
	if r == nil {
		return
	}
	_ = r.Close()
	_ = os.Remove(r.path) // What stays is a file with one line, without a secret.
}
