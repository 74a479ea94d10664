package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/change"
	"moot/protocol/review"
)

func newReview(c *Console) *cobra.Command {
	b := newQuestion(c)
	var options change.Options
	patch := ""
	cmd := &cobra.Command{
		Use: "review",
		RunE: func(cmd *cobra.Command, args []string) error {
			revisions := args
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				revisions, options.Paths = args[:at], args[at:]
			}
			if len(revisions) > 1 {
				return usage("one revision or range at a time; put paths behind --, as in: moot review HEAD -- cli")
			}
			if options.Revision = firstOf(revisions); options.Revision == "-" {
				options.Revision, patch = "", "-"
			}
			named := 0
			for _, is := range []bool{options.Revision != "", options.Staged, patch != ""} {
				if is {
					named++
				}
			}
			if named > 1 {
				return usage("a revision, --staged and --patch exclude each other: name one")
			}
			if patch != "" {
				text, err := readInput(c, patch, maxPatch)
				if err != nil {
					return err
				}
				options.Patch = &change.Patch{Name: patch, Text: text}
			}
			defaults, err := c.validDefaults()
			if err != nil {
				return err
			}
			options.Allow, options.Ignore = b.workspace.allow, defaults.file.Review.Ignore.Values
			read, err := readChange(cmd.Context(), c, "", options, b.given.noRedact)
			if err != nil {
				return err
			}
			defer read.Close()
			b.reviewed = read
			b.workspace.tree = read.Tree
			if read.Tree == "" {
				// The patch does not apply, so the files of the folder are not those under review.
				b.workspace.none, b.workspace.dir = true, ""
			}
			return b.ask(cmd.Context())
		},
	}
	group(cmd, "Change", func(f *pflag.FlagSet) {
		f.BoolVar(&options.Staged, "staged", false, "review the index")
		f.StringVar(&patch, "patch", "", "review a diff from a `file`, or from standard input with -")
	})
	b.flags(cmd, review.Format{})
	c.completeFlags(cmd)
	return cmd
}

// maxPatch is the maximum size of a patch in bytes.
const maxPatch = 32 << 20
