package cli

import (
	"io"

	"github.com/spf13/cobra"

	"moot/resolver/conflict"
)

// conflictsOptions are what moot conflicts was told.
type conflictsOptions struct {
	summary bool
}

func newConflicts(c *Console) *cobra.Command {
	o := &conflictsOptions{}
	b := &batch{console: c, open: o.from}
	cmd := &cobra.Command{
		Use:   "conflicts [--keep-going] [--summary] FILE",
		Short: "Find where the outputs of several agents conflict, and settle it",
		Long: "Compare the outputs of several agents, each with each: JSON in, JSON out, no model and no\n" +
			"session. FILE holds one object, or one a line; - is standard input. Each gives one line\n" +
			"with the conflicts, how a strategy settles them, and what they come to. An object that is\n" +
			"wrong gives an error with its line and path, no output, and exit code 1; those behind it\n" +
			"are read only with --keep-going. docs/conflicts.md has the contract.",
		Example: "  moot conflicts answers.json\n" +
			"  moot conflicts --summary answers.json\n" +
			"  generate | moot conflicts --keep-going - > conflicts.jsonl",
		Args: oneArgument("file", "moot conflicts answers.json"),
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd.Context(), args[0]) },
	}
	b.flags(cmd.Flags())
	cmd.Flags().BoolVar(&o.summary, "summary", false, "count the conflicts by type and agent instead of listing them")
	return cmd
}

// from finds the conflicts of a stream.
func (o *conflictsOptions) from(from io.Reader) func(to io.Writer) error {
	reader := conflict.NewReader(from)
	return func(to io.Writer) error {
		c, err := reader.Next()
		switch {
		case err != nil:
			return err
		case o.summary:
			return c.WriteSummary(to)
		}
		return c.Write(to)
	}
}
