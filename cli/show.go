package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

func newShow(c *Console) *cobra.Command {
	var form report.Form
	var subject, place string
	var required requirements
	var metrics bool
	cmd := &cobra.Command{
		Use:               "show",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			why, atPlace := cmd.Flags().Changed("why"), cmd.Flags().Changed("at")
			switch {
			case atPlace && (why || cmd.Flags().Changed("output") || cmd.Flags().Changed("require")):
				return usage("--at shows one place as text: leave --why, --output and --require out")
			case why && cmd.Flags().Changed("output"):
				return usage("--why is always text: leave --output out")
			case why && cmd.Flags().Changed("require"):
				return usage("--why explains a part of the result, and --require checks all of it: choose one")
			}
			s, err := read(c, firstOf(args))
			if err != nil {
				return err
			}
			if atPlace {
				text, err := at(s, place, c.Width)
				if err != nil {
					return err
				}
				return c.Print(text)
			}
			if why {
				text, err := explain(s.state, subject, c.Width)
				if err != nil {
					return fmt.Errorf("--why: %w", err)
				}
				return c.Print(text)
			}
			code := protocol.SessionExitCode(s.state, required.missed(c, s.state, s.rulings))
			text, err := form.Write(report.Input{
				State: s.state, Rulings: s.rulings, Metrics: metrics, Width: c.Width, Head: s.head, ExitCode: code,
			})
			if err == nil {
				err = c.Print(text)
			}
			if err != nil || len(required) == 0 {
				return err
			}
			if !s.state.Closed {
				c.Say("require    the session is not finished: requirements are checked at its end")
			}
			return leaveWith(code)
		},
	}
	outputFlag(cmd, &form, outputs()...)
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&place, "at", "", "show one `place`: a claim (P3), challenge (C2), evidence (E7), fact (F1), question (Q1), ...")
		f.StringVar(&subject, "why", "", "explain a `point` (P3) or a conflict (K1)")
		metricsFlag(f, &metrics)
		required.flags(f)
	})
	complete(cmd, "at", func(context.Context, string) []string { return c.placesOf(cmd.Flags().Args()) },
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
	return cmd
}

// explain explains the ruling on a point, or what the format explains by a name of its own: a
// conflict (K1).
func explain(s *state.State, subject string, width int) (string, error) {
	subject = strings.TrimSpace(subject)
	if d, ok := view.FormatOf(s).Explain(s, subject); ok {
		return report.Text(&d, width), nil
	}
	ruling, ok := resolver.RuleOne(s, strings.ToUpper(subject))
	if !ok {
		return "", usage("this session has no %q; it has %s", subject, plain.Counted(s.Points.Len(), "point"))
	}
	d := view.Why(s, &ruling)
	return report.Text(&d, width), nil
}

func newReplay(c *Console) *cobra.Command {
	var plainMode bool
	looks := &lookOptions{}
	cmd := &cobra.Command{
		Use:               "replay",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			screen := c.showsScreen(plainMode)
			if err := looks.load(c, screen); err != nil {
				return err
			}
			s, damage, err := readIntact(c, firstOf(args))
			if err != nil {
				return err
			}
			if screen {
				if damage != nil {
					c.Say("moot: %s", damage)
				}
				opened := s.readOnly(c, 1)
				services := &screenServices{console: c}
				options := services.options(looks)
				options.Opened = &opened
				return services.run(cmd.Context(), options, nil)
			}
			text, err := transcript(s.events)
			if err != nil {
				return err
			}
			return errors.Join(c.Print(text), damage)
		},
	}
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.BoolVar(&plainMode, "plain", false, "no screen: labeled lines (also ACCESSIBLE=1)")
	})
	looks.flags(cmd)
	return cmd
}

// readIntact reads a session up to the first damage, which it also returns.
func readIntact(c *Console, id string) (s *stored, damage, err error) {
	path, err := find(c, id)
	if err != nil {
		return nil, nil, err
	}
	opened, err := store.Read(path, c.rules()...)
	if errors.As(err, new(*store.DamageError)) && len(opened.Events) > 0 {
		damage, err = err, nil
	}
	if err != nil {
		return nil, nil, err
	}
	s, err = fold(path, opened)
	return s, damage, err
}

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
		ValidArgsFunction: c.completeSessionsOrFiles,
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
		if name, err = find(o.console, name); err != nil {
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
