package record

// Program is the record of a program that is asked in a call. It may be used by
// several goroutines; nil records nothing.
type Program struct {
	call           *Call
	number         int
	stdout, stderr *flow
}

// Program records that a program is started, or, where it stays up, that it is
// asked again: its path and arguments.
func (c *Call) Program(argv []string) *Program {
	if c == nil {
		return nil
	}
	p := &Program{call: c, number: c.next()}
	p.stdout, p.stderr = c.flow(p.number, KindStdout), c.flow(p.number, KindStderr)
	c.line(Line{Kind: KindProgram, Request: p.number, Argv: argv})
	return p
}

// Stdin records what the program is given to read.
func (p *Program) Stdin(data []byte) {
	if p == nil {
		return
	}
	l := Line{Kind: KindStdin, Request: p.number}
	l.put(p.call.whole(data))
	p.call.line(l)
}

// Stdout records what the program wrote, as it comes, line ends included.
func (p *Program) Stdout(data []byte) {
	if p != nil {
		p.stdout.add(data)
	}
}

// Stderr records what the program said on the side, as it comes.
func (p *Program) Stderr(data []byte) {
	if p != nil {
		p.stderr.add(data)
	}
}

// Exit records the end of the program with its exit code and what is said of it,
// or "". A program that stays up has no end in a call: Done tells the end of what
// it said.
func (p *Program) Exit(code int, what string) {
	if p == nil {
		return
	}
	p.Done()
	p.call.line(Line{Kind: KindExit, Request: p.number, Exit: &code, Error: what})
}

// Done records what was held back of what the program wrote.
func (p *Program) Done() {
	if p != nil {
		p.stdout.close()
		p.stderr.close()
	}
}
