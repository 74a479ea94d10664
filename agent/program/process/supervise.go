package process

import (
	"errors"
	"os"
	"sync"
	"time"
)

// input queues what is written to standard input, so that the writer does not wait
// until the program reads.
type input struct {
	mutex   sync.Mutex
	waiting [][]byte
	// last says that standard input is closed after the queue.
	last bool
	// news has a value while the queue does; left is closed when the program ends.
	news, left chan struct{}
}

func newInput() *input { return &input{news: make(chan struct{}, 1), left: make(chan struct{})} }

func (in *input) put(content []byte, last bool) {
	in.mutex.Lock()
	defer in.mutex.Unlock()
	if in.last {
		return
	}
	in.waiting, in.last = append(in.waiting, content), last
	select {
	case in.news <- struct{}{}:
	default:
	}
}

// serve writes the queue until its end, or until the program reads no more.
func (in *input) serve(stdin *os.File) {
	defer func() { _ = stdin.Close() }()
	for {
		select {
		case <-in.news:
		case <-in.left:
			return
		}
		in.mutex.Lock()
		contents, last := in.waiting, in.last
		in.waiting = nil
		in.mutex.Unlock()
		for _, content := range contents {
			if _, err := stdin.Write(content); err != nil {
				return
			}
		}
		if last {
			return
		}
	}
}

// clock measures a program against its limits.
type clock struct {
	mutex sync.Mutex
	// active says that a turn is running, since began; heard is the time of the last
	// output.
	active       bool
	began, heard time.Time
	// working counts the receivers that are busy with output: the time is theirs.
	working int
	// bytes were written during the turn.
	bytes int
	// changed has a value after a turn has begun.
	changed chan struct{}
}

func (c *clock) begin() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.active, c.bytes, c.began = true, 0, time.Now()
	c.heard = c.began
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

func (c *clock) rest() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.active = false
}

func (c *clock) touch() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.heard = time.Now()
}

func (c *clock) busy(begins bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.heard = time.Now()
	if begins {
		c.working++
	} else {
		c.working--
	}
}

// count adds bytes of standard output, and returns how many are within the limit of
// a turn.
func (c *clock) count(n, limit int) (taken int, within bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.active {
		return n, true
	}
	taken = min(n, max(0, limit-c.bytes))
	c.bytes += n
	return taken, taken == n
}

// next returns the limit that is exceeded now, or the time until one may be. What
// an exited program left running may linger.
func (c *clock) next(limits *Limits, exited bool) (over Limit, wait time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := time.Now()
	if c.working > 0 {
		c.heard = now
	}
	silence := limits.Silence
	if exited {
		silence = limits.Linger
	} else if !c.active {
		return "", time.Hour
	}
	quiet, lasted := now.Sub(c.heard), now.Sub(c.began)
	switch {
	case c.active && lasted >= limits.Total:
		return Total, 0
	case quiet >= silence:
		return Silence, 0
	case c.active:
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
	if t.kept = append(t.kept, piece...); len(t.kept) > 2*t.limit {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-t.limit:]...)
	}
}

func (t *tail) text() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(t.kept[max(0, len(t.kept)-t.limit):])
}

const (
	// pulse is how often an ending group is checked: nothing announces the end of a
	// grandchild.
	pulse = 5 * time.Millisecond
	// drain is how long the output of a program that has ended may take; a process
	// that left its group may hold it.
	drain = 100 * time.Millisecond
	// killWait is how long killed processes may take to end.
	killWait = 10 * time.Second
	// maxRest is more than the pipe of a stream holds.
	maxRest = 1 << 20
)

// read reads a stream to its end, or, once its deadline has passed, the rest that it
// holds by then.
func (p *Process) read(from *os.File, take func([]byte)) {
	buffer := make([]byte, 32<<10)
	give := func(n int) {
		if n > 0 {
			p.clock.touch()
			take(buffer[:n])
		}
	}
	for {
		n, err := from.Read(buffer)
		give(n)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if err != nil {
			return
		}
	}
	for rest := maxRest; rest > 0; {
		n, err := held(from, buffer)
		if n <= 0 || err != nil {
			return
		}
		give(n)
		rest -= n
	}
}

// supervise makes sure that a program ends, and returns when no process of it is
// left.
func (p *Process) supervise() {
	exited, drained, written := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		_ = p.cmd.Wait() // Its state says how it ended.
		close(exited)
	}()
	go func() {
		p.streams.Wait()
		close(drained)
	}()
	go func() {
		p.input.serve(p.stdin)
		close(written)
	}()
	p.guard(exited, drained)
	close(p.input.left)
	_ = p.stdin.Close() // This ends a write that nobody reads.
	p.finish(exited, drained)
	<-written
	p.stop(nil) // No cause is set after this.
}

// guard waits until the program and its output have ended, or stop was called,
// or exceeds a limit.
func (p *Process) guard(exited, drained <-chan struct{}) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for exited != nil || drained != nil {
		over, wait := p.clock.next(&p.limits, exited == nil)
		switch {
		case over == Total:
			p.stop(&LimitError{Program: p.program, Limit: Total, After: p.limits.Total})
			return
		case over != "" && exited == nil:
			// The program's own output is complete; what it left running holds it.
			p.stop(nil)
			return
		case over != "":
			p.stop(&LimitError{Program: p.program, Limit: over, After: p.limits.Silence})
			return
		}
		timer.Reset(wait)
		select {
		case <-p.stopping:
			return
		case <-exited:
			exited = nil
			p.clock.touch()
			p.took = time.Since(p.began)
		case <-drained:
			drained = nil
		case <-p.clock.changed:
		case <-timer.C:
		}
	}
}

// finish ends the processes that are left: SIGTERM, a wait, SIGKILL.
func (p *Process) finish(exited, drained <-chan struct{}) {
	p.left = closed(exited) && p.group.Alive()
	if p.left || !closed(exited) {
		if p.group.Terminate() == nil { // Windows has no way to ask.
			p.await(exited, p.limits.TermWait)
		}
		if !closed(exited) || p.group.Alive() {
			_ = p.group.Kill()
			p.await(exited, killWait)
		}
	}
	<-exited
	if p.took == 0 {
		p.took = time.Since(p.began)
	}
	p.group.Close()
	timer := time.NewTimer(drain)
	defer timer.Stop()
	select {
	case <-drained:
	case <-timer.C:
		// A process that left the group holds the output, or this machine is slow:
		// the output until now counts.
		for _, stream := range []*os.File{p.stdout, p.stderr} {
			if stream.SetReadDeadline(time.Now()) != nil {
				_ = stream.Close()
			}
		}
	}
	<-drained
	_, _ = p.stdout.Close(), p.stderr.Close()
}

// await waits until the program and all that it started have ended, within a limit.
func (p *Process) await(exited <-chan struct{}, most time.Duration) {
	deadline := time.NewTimer(most)
	defer deadline.Stop()
	select {
	case <-exited:
	case <-deadline.C:
		return
	}
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for p.group.Alive() {
		select {
		case <-tick.C:
		case <-deadline.C:
			return
		}
	}
}
