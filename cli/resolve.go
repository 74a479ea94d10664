package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"moot/resolver/dialectic"
	"moot/resolver/jsonlines"
)

// resolveOptions are what moot resolve was told.
type resolveOptions struct {
	console   *Console
	keepGoing bool
}

func newResolve(c *Console) *cobra.Command {
	o := &resolveOptions{console: c}
	cmd := &cobra.Command{
		Use:   "resolve [--keep-going] FILE",
		Short: "Say of typed proposals whether they advance, hold or escalate",
		Long: "Resolve a proposal with its objections and evidence: JSON in, JSON out, no model and no\n" +
			"session. FILE holds one object, or one a line; - is standard input. Each gives one line\n" +
			"with the decision, the resolutions, the gates and the receipts. An object that is wrong\n" +
			"gives an error with its line and path, no output, and exit code 1; those behind it are\n" +
			"resolved only with --keep-going. docs/resolve.md has the contract.",
		Example: "  moot resolve proposal.json\n  generate | moot resolve --keep-going - > results.jsonl",
		Args:    oneArgument("the file", "moot resolve proposal.json"),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	cmd.Flags().BoolVar(&o.keepGoing, "keep-going", false, "go on behind an object that is wrong; the exit code tells")
	return cmd
}

func (o *resolveOptions) run(ctx context.Context, name string) error {
	if name == "-" {
		return o.resolve(ctx, o.console.In, "standard input")
	}
	file, err := os.Open(o.console.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return usage("there is no file %s", name)
	}
	if err != nil {
		return fmt.Errorf("open the input: %w", err)
	}
	defer file.Close()
	return o.resolve(ctx, file, name)
}

// resolve answers one object after the other. What was printed before an error
// stands.
func (o *resolveOptions) resolve(ctx context.Context, from io.Reader, name string) error {
	reader := dialectic.NewReader(from)
	wrong := 0
	for objects := 0; ctx.Err() == nil; objects++ {
		in, err := reader.Next()
		_, about := errors.AsType[*jsonlines.Error](err)
		switch {
		case errors.Is(err, io.EOF):
			if wrong > 0 {
				return fmt.Errorf("%s: %d of %d objects gave no result", name, wrong, objects)
			}
			return nil
		case about && o.keepGoing:
			wrong++
			o.console.Say("wrong      %s: %s", name, err)
			continue
		case about:
			return fmt.Errorf("%s: %w; this object gave no result, and nothing behind it was read (--keep-going goes on)", name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		result := dialectic.Resolve(in)
		var line bytes.Buffer
		if err := result.Write(&line); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := o.console.Print(line.String()); err != nil {
			return err
		}
	}
	return leaveWith(ExitInterrupted)
}
