package process

import (
	"errors"
	"os"
	"time"
)

const (
	// pulse is how often those that are ending are looked at: nothing tells when a
	// grandchild has ended.
	pulse = 5 * time.Millisecond
	// drain is how long the output of a program that is gone may take to end, which
	// something that left its group may hold.
	drain = 100 * time.Millisecond
	// burial is how long what was killed may take to be gone: it is no longer than
	// the machine takes to come to it.
	burial = 10 * time.Second
	// mostRest is more than the pipe of a stream holds.
	mostRest = 1 << 20
)

// read reads a stream to its end, or, when its deadline says that no more is waited
// for, what it holds by then.
func (p *Process) read(from *os.File, take func([]byte)) {
	buffer := make([]byte, 32<<10)
	give := func(n int) {
		if n > 0 {
			p.watch.touch()
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
	for rest := mostRest; rest > 0; {
		n, err := held(from, buffer)
		if n <= 0 || err != nil {
			return
		}
		give(n)
		rest -= n
	}
}

// supervise sees to it that a program ends, and comes back when nothing of it is
// left.
func (p *Process) supervise() {
	exited, drained, written := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		// How it ended is read from its state.
		_ = p.cmd.Wait()
		close(exited)
	}()
	go func() {
		p.streams.Wait()
		close(drained)
	}()
	go func() {
		p.outbox.serve(p.stdin)
		close(written)
	}()
	p.guard(exited, drained)
	close(p.outbox.left)
	p.stdin.Close() //nolint:errcheck // this ends a write that nobody reads
	p.finish(exited, drained)
	<-written
	// From here on no cause is set any more.
	p.stop(nil)
}

// guard waits until the program and its output have come to their ends, or it is
// told to stop, or oversteps a limit.
func (p *Process) guard(exited, drained <-chan struct{}) {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for exited != nil || drained != nil {
		over, wait := p.watch.next(&p.limits, exited == nil)
		if over != "" {
			p.stop(p.overstepped(over, exited == nil))
			return
		}
		timer.Reset(wait)
		select {
		case <-p.stopping:
			return
		case <-exited:
			exited = nil
			p.watch.touch()
			p.watch.end(time.Since(p.began), false)
		case <-drained:
			drained = nil
		case <-p.watch.changed:
		case <-timer.C:
		}
	}
}

// overstepped is the error of a limit. That a program left something which holds its
// output is none: its own output is whole.
func (p *Process) overstepped(over Limit, exited bool) error {
	switch {
	case over == Total:
		return &LimitError{Program: p.program, Limit: Total, After: p.limits.Total}
	case exited:
		return nil
	}
	return &LimitError{Program: p.program, Limit: over, After: p.limits.Silence}
}

// finish ends what is left: it is asked to end, has time to, and is killed.
func (p *Process) finish(exited, drained <-chan struct{}) {
	left := closed(exited) && p.all.Alive()
	if left || !closed(exited) {
		// Where it cannot be asked, it is made to.
		if p.all.Terminate() == nil {
			p.await(exited, p.limits.TermWait)
		}
		if !closed(exited) || p.all.Alive() {
			_ = p.all.Kill()
			p.await(exited, burial)
		}
	}
	<-exited
	took, _ := p.watch.ending()
	if took == 0 {
		took = time.Since(p.began)
	}
	p.watch.end(took, left)
	p.all.Close()
	timer := time.NewTimer(drain)
	defer timer.Stop()
	select {
	case <-drained:
	case <-timer.C:
		// What left the group on purpose holds the output, or this machine is slow:
		// what was written until now counts, and no more is heard.
		for _, stream := range []*os.File{p.stdout, p.stderr} {
			if stream.SetReadDeadline(time.Now()) != nil {
				stream.Close() //nolint:errcheck // it was only read
			}
		}
	}
	<-drained
	p.stdout.Close() //nolint:errcheck // it was only read
	p.stderr.Close() //nolint:errcheck // it was only read
}

// await waits until the program and all that it started have ended, but not for
// ever.
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
	for p.all.Alive() {
		select {
		case <-tick.C:
		case <-deadline.C:
			return
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
