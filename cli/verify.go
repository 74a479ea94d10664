package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moot/protocol/dialectic/gates"
	"moot/report"
	"moot/resolver"
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
		Args:              atMostOne("session or file"),
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
	var e exported
	if json.Unmarshal(text, &e) == nil && e.Schema == report.SchemaName {
		return o.verifyExport(path, text, &e, head)
	}
	s, last, err := recompute(o.console, path, text, head)
	if err != nil {
		return verifyFailed(path, err)
	}
	return o.console.Print(fmt.Sprintf("OK %s: %d events, every ruling recomputes, head %s\n", path, s.Seq, last))
}

// read returns the text of standard input, a file or a session, and its name in messages.
func (o *verifyOptions) read(name string) (path string, text []byte, err error) {
	if name == "-" {
		if text, err = io.ReadAll(o.console.In); err != nil {
			return "", nil, fmt.Errorf("read standard input: %w", err)
		}
		return "standard input", text, nil
	}
	path = o.console.path(name)
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		if strings.ContainsAny(name, `/\.`) {
			return "", nil, usage("there is no file %s", name)
		}
		if path, err = find(name); err != nil {
			return "", nil, err
		}
	}
	if text, err = os.ReadFile(path); err != nil {
		return "", nil, fmt.Errorf("read the session file: %w", err)
	}
	return path, text, nil
}

// recompute checks the lines of a session, and returns the final state and the head of the chain.
func recompute(c *Console, path string, text []byte, head string) (state.State, string, error) {
	last, _, err := store.VerifyChain(bytes.NewReader(text), head)
	if err != nil {
		return state.State{}, "", err
	}
	opened, err := store.Decode(bytes.NewReader(text), path, c.rules()...)
	if err != nil {
		return state.State{}, "", err
	}
	s, err := resolver.Verify(opened.Events)
	return s, last, err
}

// verifyFailed describes the mistake in a session.
func verifyFailed(path string, err error) error {
	var damage *store.DamageError
	var mismatch *resolver.MismatchError
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

// exported is the part of an export that can be verified.
type exported struct {
	Schema  string `json:"schema"`
	Outcome struct {
		Decision string          `json:"decision"`
		Receipts []gates.Receipt `json:"receipts"`
		Head     string          `json:"head"`
	} `json:"outcome"`
	Chain  report.Chain `json:"chain"`
	Events []string     `json:"events"`
}

// verifyExport checks an export: all of it if it has events, else the receipts of a proposal.
func (o *verifyOptions) verifyExport(path string, text []byte, e *exported, head string) error {
	if head != "" && head != e.Chain.Head {
		return found("FAILED %s: its chain.head is %s, not the known %s", path, e.Chain.Head, head)
	}
	receipts := e.Outcome.Receipts
	last, err := gates.Replay(receipts)
	if err != nil {
		return found("FAILED %s: outcome: %s", path, err)
	}
	if len(receipts) > 0 {
		outcome := receipts[len(receipts)-1].Outcome
		if last != e.Outcome.Head || outcome != e.Outcome.Decision {
			return found("FAILED %s: outcome: the last receipt is %s %s, but the export says %s %s",
				path, outcome, last, e.Outcome.Decision, e.Outcome.Head)
		}
	}
	switch {
	case len(e.Events) > 0:
		return o.verifyEvents(path, text, e)
	case len(receipts) == 0:
		return usage("%s has nothing that can be checked by itself: export it with --events, or check the session: "+
			"moot verify ID --head %s", path, e.Chain.Head)
	}
	return o.console.Print(fmt.Sprintf("OK %s: %d receipts follow from one another, the last is %s; "+
		"to check what they read, export with --events, or run: moot verify ID --head %s\n",
		path, len(receipts), last, e.Chain.Head))
}

// verifyEvents checks that the events of an export are intact, and that the rest of it follows from them.
func (o *verifyOptions) verifyEvents(path string, text []byte, e *exported) error {
	s, last, err := recompute(o.console, path, []byte(strings.Join(e.Events, "\n")+"\n"), e.Chain.Head)
	if err != nil {
		return verifyFailed(path, err)
	}
	again, err := json.Marshal(report.Export(&s, resolver.Rule(s), last, nil))
	if err != nil {
		return fmt.Errorf("export the events again: %w", err)
	}
	var want, got map[string]any
	for _, part := range []struct {
		text []byte
		into *map[string]any
	}{{again, &want}, {text, &got}} {
		decoder := json.NewDecoder(bytes.NewReader(part.text))
		decoder.UseNumber()
		if err := decoder.Decode(part.into); err != nil {
			return fmt.Errorf("read the exported session: %w", err)
		}
	}
	var different []string
	for name := range want {
		if !reflect.DeepEqual(want[name], got[name]) {
			different = append(different, name)
		}
	}
	slices.Sort(different)
	if len(different) > 0 {
		return found("FAILED %s: the events are intact, but the export differs from them under %s; "+
			"or another version of moot wrote it", path, strings.Join(different, ", "))
	}
	return o.console.Print(fmt.Sprintf("OK %s: %d events, every ruling recomputes, and so does the rest of the "+
		"export; head %s\n",
		path, s.Seq, last))
}
