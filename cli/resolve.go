package cli

import (
	"io"

	"github.com/spf13/cobra"

	"moot/resolver/dialectic"
)

func newResolve(c *Console) *cobra.Command {
	b := &batch{console: c, open: resolveFrom}
	cmd := &cobra.Command{
		Use:   "resolve [--keep-going] FILE",
		Short: "Say of typed proposals whether they advance, hold or escalate",
		Long: "Resolve a proposal with its objections and evidence: JSON in, JSON out, no model and no\n" +
			"session. FILE holds one object, or one a line; - is standard input. Each gives one line\n" +
			"with the decision, the resolutions, the gates and the receipts. An object that is wrong\n" +
			"gives an error with its line and path, no output, and exit code 1; those behind it are\n" +
			"resolved only with --keep-going. docs/resolve.md has the contract.",
		Example: "  moot resolve proposal.json\n  generate | moot resolve --keep-going - > results.jsonl",
		Args:    oneArgument("file", "moot resolve proposal.json"),
		RunE:    func(cmd *cobra.Command, args []string) error { return b.run(cmd.Context(), args[0]) },
	}
	b.flags(cmd.Flags())
	return cmd
}

// resolveFrom resolves the proposals of a stream.
func resolveFrom(from io.Reader) func(to io.Writer) error {
	reader := dialectic.NewReader(from)
	return func(to io.Writer) error {
		in, err := reader.Next()
		if err != nil {
			return err
		}
		result := dialectic.Resolve(in)
		return result.Write(to)
	}
}
