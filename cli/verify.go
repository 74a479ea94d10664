package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"moot/protocol/run"
	"moot/state"
	"moot/state/store"
)

// verifyOptions are the flags of moot verify.
type verifyOptions struct {
	console *Console
	head    string
}

func newVerify(c *Console) *cobra.Command {
	o := &verifyOptions{console: c}
	cmd := &cobra.Command{
		Use:               "verify",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeSessionsOrFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return o.run(firstOf(args)) },
	}
	cmd.Flags().StringVar(&o.head, "head", "", "the known head of the chain, 64 hex digits")
	return cmd
}

func (o *verifyOptions) run(name string) error {
	head := strings.ToLower(strings.TrimSpace(o.head))
	if head != "" && (len(head) != 64 || strings.Trim(head, "0123456789abcdef") != "") {
		return usage("--head takes 64 hex digits, as in an export's chain.head")
	}
	path, text, err := o.read(name)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, []byte("{\n")) {
		return usage("%s is an export; its events can be verified: jq -r '.events[]' FILE | moot verify -", path)
	}
	s, last, err := recompute(o.console, path, text, head)
	if err != nil {
		return verifyFailed(path, err)
	}
	if s.ByEarlierRules() {
		return o.console.Print(fmt.Sprintf("OK %s: the chain of %d events is whole, head %s; its rulings were not "+
			"recomputed: version %d of the session file recorded them, and the rules have changed since (version %d)\n",
			path, s.Seq, last, s.Version, state.Version))
	}
	return o.console.Print(fmt.Sprintf("OK %s: %d events, every ruling recomputes, head %s\n", path, s.Seq, last))
}

// read returns the text of standard input, a file or a session, and its name in messages.
func (o *verifyOptions) read(name string) (path string, text []byte, err error) {
	const largest = 256 << 20
	if info, err := os.Stat(o.console.path(name)); name != "-" && (err != nil || info.IsDir()) &&
		!strings.ContainsAny(name, `/\.`) {
		if name, err = find(name); err != nil {
			return "", nil, err
		}
	}
	text, err = readInput(o.console, name, largest)
	return inputName(name), text, err
}

// recompute checks the lines of a session, and returns the final state and the head of the chain.
func recompute(c *Console, path string, text []byte, head string) (*state.State, string, error) {
	last, _, err := store.VerifyChain(bytes.NewReader(text), head)
	if err != nil {
		return nil, "", err
	}
	opened, err := store.Decode(bytes.NewReader(text), path, c.rules()...)
	if err != nil {
		return nil, "", err
	}
	if opened.Version < state.Version {
		s, err := state.Replay(opened.Events)
		return s, last, err
	}
	parser, _, err := c.shared()
	if err != nil {
		return nil, "", err
	}
	s, err := run.Verify(parser, opened.Events)
	return s, last, err
}

// verifyFailed describes the mistake in a session.
func verifyFailed(path string, err error) error {
	var damage *store.DamageError
	var mismatch *run.MismatchError
	switch {
	case errors.As(err, &damage):
		return found("FAILED %s: line %d: %s; the first %d events are intact, and the file was left unchanged",
			path, damage.Line, damage.Why, damage.Seq)
	case errors.As(err, &mismatch):
		return found("FAILED %s: line %d: the chain is intact, but %s; the file was left unchanged",
			path, mismatch.Seq, mismatch.What)
	case errors.Is(err, store.ErrEmpty):
		return found("FAILED %s: %w", path, err)
	}
	return err
}
