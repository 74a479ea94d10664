package program

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"moot/internal/process"
	"moot/ledger"
	"moot/protocol"
)

// ExecPrefix is the start of a user-supplied program's name: "exec:PATH".
const ExecPrefix = "exec:"

// Words splits such a name into a program and arguments, with shell quoting. Anything that a shell would expand or
// run is an error; quote it to pass it on.
func Words(name string) ([]string, error) {
	command := strings.TrimPrefix(name, ExecPrefix)
	if strings.TrimSpace(command) == "" || command+":" == ExecPrefix {
		return nil, errors.New("exec names no program: write exec:PATH, or 'exec:PATH ARGUMENT…'")
	}
	parsed, err := ledger.ParseCommand(command)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w; moot does not run a shell: quote such an argument ('…'), or put the "+
			"command in a script", name, err)
	}
	return parsed.Words(), nil
}

// NewExec makes a participant from a user-supplied program, which reads the prompt on standard input and writes the
// reply to standard output. Nothing prevents it from changing files, but changes are reported. path makes a relative
// path absolute; by default it is relative to the current folder. NewExec starts nothing. The error comes from Words,
// or is a *process.StartError for a missing program.
func NewExec(o Options, path func(string) string) (*Program, error) {
	words, err := Words(o.Command)
	if err != nil {
		return nil, err
	}
	program := words[0]
	home, homeErr := os.UserHomeDir()
	rest, inHome := strings.CutPrefix(program, "~/")
	switch {
	case inHome && homeErr == nil: // a shell does not expand ~ after a colon
		program = filepath.Join(home, rest)
	case path != nil && strings.ContainsRune(filepath.ToSlash(program), '/'):
		program = path(program)
	}
	if program, err = process.Find(program); err != nil {
		return nil, err
	}
	o.Name = cmp.Or(o.Name, o.Command)
	o.Adapter = Adapter{Name: filepath.Base(words[0]), Command: program, words: words[1:], raw: true}
	o.Adapter.Arguments.Conversation = NoConversation
	return New(o)
}

// piece adds raw output to the reply and shows complete characters of it.
func (n *answer) piece(piece []byte) error {
	n.partial = append(n.partial, piece...)
	whole := len(n.partial) - incomplete(n.partial)
	if whole > 0 {
		valid := strings.ToValidUTF8(string(n.partial[:whole]), string(utf8.RuneError))
		n.streamed.WriteString(valid)
		n.watch(protocol.Delta{Text: valid})
	}
	n.partial = append(n.partial[:0], n.partial[whole:]...)
	return nil
}

// incomplete returns the length of an incomplete character at the end.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}
