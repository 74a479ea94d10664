package own

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-shellwords"
)

// Prefix is what the name of such a participant begins with: "exec:PATH".
const Prefix = "exec:"

// Words returns the program and the arguments of a name: what stands behind the
// prefix, in quotes as a shell takes them. No shell reads them: variables stay as
// they are, and what would join commands is refused.
func Words(name string) ([]string, error) {
	command := strings.TrimPrefix(name, Prefix)
	if strings.TrimSpace(command) == "" || command+":" == Prefix {
		return nil, errors.New("exec names no program: write exec:PATH, or 'exec:PATH ARGUMENT…'")
	}
	var parser shellwords.Parser
	words, err := parser.Parse(command)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %q: %w; a quote or a bracket is open: quote what holds one ('…')", name, err)
	case parser.Position >= 0:
		return nil, fmt.Errorf("%q holds ; & | < or >, and no shell runs here: quote it if it is an argument ('…'), or write a script and name that", name)
	case len(words) == 0 || words[0] == "":
		return nil, fmt.Errorf("%q names no program: write exec:PATH", name)
	}
	return words, nil
}

// locate returns the path of a program: one without a folder of its own stays, for
// the search path.
func locate(program string, path func(string) string) string {
	if rest, home := strings.CutPrefix(program, "~/"); home {
		// A shell does not replace it behind a colon.
		if of, err := os.UserHomeDir(); err == nil {
			return filepath.Join(of, rest)
		}
	}
	if path == nil || !strings.ContainsRune(filepath.ToSlash(program), '/') {
		return program
	}
	return path(program)
}
