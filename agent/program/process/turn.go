package process

import "bytes"

// turn is who is given the lines of a program.
type turn struct {
	take func(line []byte) (done bool, err error)
	// done is closed when the turn came to its end.
	done chan struct{}
}

func newTurn(take func([]byte) (bool, error)) *turn {
	return &turn{take: take, done: make(chan struct{})}
}

// deliver gives the turn under way a line; where there is none, the line is dropped.
func (p *Process) deliver(line []byte) {
	p.speak(func(t *turn) error {
		done, err := t.take(line)
		if done {
			close(t.done)
			p.turn = nil
			p.watch.rest()
		}
		return err
	})
}

// speak calls a turn under way, and stops the program for its error.
func (p *Process) speak(to func(*turn) error) {
	p.speaking.Lock()
	defer p.speaking.Unlock()
	if p.turn == nil || p.muted.Load() {
		return
	}
	if err := to(p.turn); err != nil {
		p.stop(err)
	}
}

// splitter parts standard output into lines. It belongs to the goroutine that reads.
type splitter struct {
	process *Process
	begun   []byte
	// over says that the line under way is too long and dropped to its end.
	over bool
}

// take takes a piece of standard output, within the cap. No time that it takes counts
// as silence.
func (s *splitter) take(piece []byte) {
	p := s.process
	p.watch.busy(true)
	defer p.watch.busy(false)
	p.record.Load().Stdout(piece)
	n, within := p.watch.count(len(piece), p.limits.MaxOutputBytes)
	s.pass(piece[:n])
	if !within {
		p.stop(&LimitError{Program: p.program, Limit: Output, Bytes: p.limits.MaxOutputBytes})
	}
}

func (s *splitter) pass(piece []byte) {
	if raw := s.process.raw; raw != nil {
		if len(piece) > 0 {
			s.process.speak(func(*turn) error { return raw(piece) })
		}
		return
	}
	for len(piece) > 0 {
		line, rest, whole := bytes.Cut(piece, []byte{'\n'})
		piece = rest
		s.add(line)
		if whole {
			s.flush()
		}
	}
}

// add adds to the line under way.
func (s *splitter) add(part []byte) {
	p := s.process
	if s.over = s.over || len(s.begun)+len(part) > p.limits.MaxLineBytes; s.over {
		s.begun = nil
		p.speak(func(*turn) error {
			return &LimitError{Program: p.program, Limit: Line, Bytes: p.limits.MaxLineBytes}
		})
		return
	}
	s.begun = append(s.begun, part...)
}

// flush ends the line under way.
func (s *splitter) flush() {
	if s.process.raw == nil && !s.over {
		s.process.deliver(bytes.TrimSuffix(s.begun, []byte{'\r'}))
	}
	s.begun, s.over = s.begun[:0], false
}

// end ends the stream: a last line without a line end counts.
func (s *splitter) end() {
	s.process.watch.busy(true)
	defer s.process.watch.busy(false)
	if len(s.begun) > 0 {
		s.flush()
	}
}
