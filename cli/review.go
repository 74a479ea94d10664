package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"moot/change"
	"moot/protocol/dialectic"
)

// reviewed is the playbook of moot review.
const reviewed = "code-review"

func newReview(c *Console) *cobra.Command {
	b := newQuestion(c)
	cmd := &cobra.Command{
		Use: "review",
		RunE: func(cmd *cobra.Command, args []string) error {
			revisions, paths := args, []string{}
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				revisions, paths = args[:at], args[at:]
			}
			if len(revisions) > 1 {
				return usage("one revision or range at a time; put paths behind --, as in: moot review HEAD -- cli")
			}
			options := change.Options{Revision: firstOf(revisions), Paths: paths, Allow: b.workspace.allow}
			read, err := readChange(cmd.Context(), c, "change.diff", options, b.given.noRedact)
			if err != nil {
				return err
			}
			what := strings.TrimPrefix(read.Title, "Review of ")
			read.question = "May " + what + " be merged? Propose each part of the change that somebody has to approve " +
				"as a field: its path is the changed file, its value says in a sentence what the change does there."
			b.question.text, b.given.change = read.question, read
			b.workspace.tree = read.Head
			b.values["playbook"] = cmp.Or(b.values["playbook"], reviewed)
			return b.ask(cmd.Context())
		},
	}
	b.flags(cmd, dialectic.Format{})
	c.completeFlags(cmd)
	return cmd
}
