package process

import (
	"sync"
	"time"
)

// watch measures a program against its limits.
type watch struct {
	mutex sync.Mutex
	// active says that a turn is under way, since began; heard is when the program
	// last wrote something, or was last listened to.
	active       bool
	began, heard time.Time
	// working counts those that are given what came: the time is theirs.
	working int
	// bytes are those of the turn, all those of the program.
	bytes, all int
	took       time.Duration
	left       bool
	// changed tells that a turn has begun.
	changed chan struct{}
}

func newWatch() *watch { return &watch{changed: make(chan struct{}, 1)} }

// begin begins a turn.
func (w *watch) begin() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.active, w.bytes = true, 0
	w.began = time.Now()
	w.heard = w.began
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// rest ends a turn.
func (w *watch) rest() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.active = false
}

// touch says that the program did something.
func (w *watch) touch() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.heard = time.Now()
}

// busy says that somebody works on what came, or is done with it.
func (w *watch) busy(begun bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.heard = time.Now()
	if begun {
		w.working++
	} else {
		w.working--
	}
}

// count counts bytes of standard output, and returns how many of them are within
// the cap of a turn, and whether all are.
func (w *watch) count(n, limit int) (taken int, within bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.all += n
	if !w.active {
		return n, true
	}
	taken = min(n, max(0, limit-w.bytes))
	w.bytes += n
	return taken, taken == n
}

// total is how many bytes came on standard output.
func (w *watch) total() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.all
}

// end says how long the program ran, and whether it left something running.
func (w *watch) end(took time.Duration, left bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.took, w.left = took, left
}

func (w *watch) ending() (took time.Duration, left bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.took, w.left
}

// idle is how long to wait where no limit is near.
const idle = time.Hour

// next returns the limit that is overstepped now, or how long it takes until one
// may be. What a program that has exited left running may linger.
func (w *watch) next(limits *Limits, exited bool) (over Limit, wait time.Duration) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	now := time.Now()
	if w.working > 0 {
		w.heard = now
	}
	silence := limits.Silence
	switch {
	case exited:
		silence = limits.Linger
	case !w.active:
		return "", idle
	}
	quiet, lasted := now.Sub(w.heard), now.Sub(w.began)
	switch {
	case w.active && lasted >= limits.Total:
		return Total, 0
	case quiet >= silence:
		return Silence, 0
	case w.active:
		return "", min(silence-quiet, limits.Total-lasted)
	}
	return "", silence - quiet
}

// tail keeps the end of a stream.
type tail struct {
	mutex sync.Mutex
	limit int
	kept  []byte
}

func (t *tail) write(piece []byte) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.kept = append(t.kept, piece...)
	if len(t.kept) > 2*t.limit {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-t.limit:]...)
	}
}

func (t *tail) text() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(t.kept[max(0, len(t.kept)-t.limit):])
}
