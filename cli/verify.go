package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

// verifyOptions are what moot verify was told.
type verifyOptions struct {
	console *Console
	head    string
}

func newVerify(c *Console) *cobra.Command {
	o := &verifyOptions{console: c}
	cmd := &cobra.Command{
		Use:   "verify [--head HASH] [ID|FILE|-]",
		Short: "Check that a session is whole and its rulings recompute, the newest without ID",
		Long: "Check that the chain of a session is whole, and that every ruling on the record\n" +
			"recomputes to the same receipt. Nothing is changed. Whole writes that were cut off\n" +
			"at the end are found only with --head, the head that an export or an earlier run told.\n" +
			"Of an export with its events all is computed again; without them, the receipts of a\n" +
			"proposal are checked against each other. - is standard input.",
		Example: "  moot verify 20261121-153045-k3f9\n  moot verify ./session.jsonl --head $(jq -r .chain.head session.json)\n" +
			"  moot export --as json --events | moot verify -",
		Args: atMostOne("session or file"),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(firstOf(args)) },
	}
	cmd.Flags().StringVar(&o.head, "head", "", "the head of the chain as it was known, 64 hex digits")
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
	if e, ok := readExport(text); ok {
		return o.export(path, e, head)
	}
	s, found, err := recomputed(path, text, head)
	if err != nil {
		return o.failed(path, err)
	}
	return o.console.Print(fmt.Sprintf("OK %s: %d events, every ruling recomputes, head %s\n", path, s.Seq, found))
}

// recomputed checks the lines of a session and gives the state that they lead
// to, and the head of their chain.
func recomputed(path string, text []byte, head string) (state.State, string, error) {
	found, _, err := store.VerifyChain(bytes.NewReader(text), head)
	if err != nil {
		return state.State{}, "", err
	}
	opened, err := store.Decode(bytes.NewReader(text), path)
	if err != nil {
		return state.State{}, "", err
	}
	s, err := resolver.Verify(opened.Events)
	return s, found, err
}

// read gives the text of a file, a session or standard input, and what to call it.
func (o *verifyOptions) read(name string) (path string, text []byte, err error) {
	if name == "-" {
		if text, err = io.ReadAll(o.console.In); err != nil {
			return "", nil, fmt.Errorf("read standard input: %w", err)
		}
		return "standard input", text, nil
	}
	if path, err = o.path(name); err != nil {
		return "", nil, err
	}
	text, err = readWhole(path)
	return path, text, err
}

// path takes a name for a file where it is one, else for a session's id.
func (o *verifyOptions) path(name string) (string, error) {
	path := o.console.path(name)
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return path, nil
	}
	if strings.ContainsAny(name, `/\.`) {
		return "", usage("there is no file %s", name)
	}
	return find(name)
}

// readWhole reads a session file without its lock.
func readWhole(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the session file: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read the session file: %w", err)
	}
	return text, nil
}

// failed tells what a check found, with the line.
func (o *verifyOptions) failed(path string, err error) error {
	var damage *store.DamageError
	var mismatch *resolver.MismatchError
	switch {
	case errors.As(err, &damage):
		err = fmt.Errorf("FAILED %s: line %d: %s; the first %d events are whole, the file was left as it is", path, damage.Line, damage.Why, damage.Seq)
	case errors.As(err, &mismatch):
		err = fmt.Errorf("FAILED %s: line %d: the chain is whole, but %s; the file was left as it is", path, mismatch.Seq, mismatch.What)
	case errors.Is(err, store.ErrEmpty):
		err = fmt.Errorf("FAILED %s: %w", path, err)
	default:
		return err
	}
	return &codeError{code: ExitFound, err: err}
}
