package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/change"
	"moot/internal/forge"
	"moot/protocol"
	"moot/protocol/review"
	"moot/report"
	"moot/state"
)

func newReview(c *Console) *cobra.Command {
	b := newQuestion(c)
	var options change.Options
	var post bool
	patch, number := "", 0
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
			if err := b.openPull(post, number); err != nil {
				return err
			}
			if patch != "" {
				text, err := readInput(c, patch, maxPatch)
				if err != nil {
					return err
				}
				options.Patch = &change.Patch{Name: patch, Text: text}
			}
			if b.memory.none && b.memory.file != "" {
				return usage("--no-memory remembers nothing, and --memory %s would: choose one", b.memory.file)
			}
			if err := b.review(cmd.Context(), options); err != nil {
				return err
			}
			defer b.reviewed.Close()
			if err := b.checkPull(cmd.Context()); err != nil {
				return err
			}
			return b.ask(cmd.Context())
		},
	}
	group(cmd, "Change", func(f *pflag.FlagSet) {
		f.BoolVar(&options.Staged, "staged", false, "review the index")
		f.StringVar(&patch, "patch", "", "review a diff from a `file`, or from standard input with -")
	})
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.BoolVar(&post, "post", false, "write the result as a comment in a pull request on GitHub, or edit the one that "+
			"is there; needs GITHUB_TOKEN and GITHUB_REPOSITORY")
		f.IntVar(&number, "pr", 0, "the `number` of the pull request, if GITHUB_EVENT_PATH does not name it")
	})
	b.memory.flags(cmd)
	b.flags(cmd, review.Format{})
	b.detachable(cmd)
	c.completeFlags(cmd)
	return cmd
}

// review reads the change under review, without the files that the user's configuration leaves out. The caller closes it.
func (b *builder) review(ctx context.Context, o change.Options) error {
	defaults, err := b.console.validDefaults()
	if err != nil {
		return err
	}
	o.Allow, o.Ignore = b.workspace.allow, defaults.file.Review.Ignore.Values
	if b.reviewed, err = readChange(ctx, b.console, "", o, b.given.noRedact); err != nil {
		return err
	}
	if b.workspace.tree = b.reviewed.Tree; b.workspace.tree == "" {
		// The patch does not apply, so the files of the folder are not those under review.
		b.workspace.none, b.workspace.dir = true, ""
	}
	return nil
}

// maxPatch is the maximum size of a patch in bytes.
const maxPatch = 32 << 20

// openPull finds the pull request that gets the result, before anything is read.
func (b *builder) openPull(post bool, number int) (err error) {
	switch {
	case !post && b.flagged.Changed("pr"):
		return usage("--pr names the pull request for --post: add --post, or leave out --pr")
	case !post:
		return nil
	case b.flagged.Changed("pr") && number < 1:
		return usage("a pull request has no number %d; give it with --pr N, N at least 1", number)
	case b.front.dryRun:
		return usage("--dry-run sends nothing, and --post writes a comment: choose one")
	}
	if b.pull, err = forge.Open(b.console.Getenv, number); err != nil {
		return usage("--post: %w", err)
	}
	return nil
}

// checkPull compares the change with the head of the pull request, before anybody is asked.
func (b *builder) checkPull(ctx context.Context) error {
	if b.pull == nil {
		return nil
	}
	if b.reviewed.Head == "" {
		return usage("--post needs a commit, and the change has none: review a range that ends with the head of the pull " +
			"request, as in moot review --post BASE...HEAD")
	}
	ctx, stop := b.console.untilSignal(ctx)
	defer stop()
	if err := b.pull.Check(ctx, b.reviewed.Head); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("--post: %w; nobody was asked", err)
	}
	return nil
}

// post writes the result into the pull request, and returns how the run ended, with what went wrong. An interrupted
// review is not posted: a job is canceled when a newer push starts another one, which writes the comment.
func (s *session) post(ctx context.Context, pull *forge.PullRequest, ended error) error {
	signals := []protocol.ExitCode{protocol.ExitHangup, protocol.ExitInterrupted, protocol.ExitTerminated}
	id := s.state.ID
	if slices.Contains(signals, exitCode(ended)) {
		s.console.Say("not posted the review was interrupted; %s is unchanged", pull)
		return ended
	}
	saved, err := read(s.console, id)
	if err != nil {
		return errors.Join(ended, err)
	}
	if !saved.state.Over() && saved.state.Paused == state.PauseNone {
		s.console.Say("not posted the review has not ended; %s is unchanged", pull)
		return ended
	}
	text, err := saved.exported(report.FormComment, false)
	if err != nil {
		return errors.Join(ended, err)
	}
	head := review.SettingsOf(saved.state).Change.Head
	ctx, stop := s.console.untilSignal(ctx)
	defer stop()
	done, err := pull.Post(ctx, text, head)
	switch {
	case done.Stale:
		s.console.Say("not posted the head of %s is %.12s now, and the review is of %.12s", pull, done.Head, head)
	case done.Created:
		s.console.Say("posted     created %s", commentIn(done.URL, pull))
	case done.Edited:
		s.console.Say("posted     edited %s", commentIn(done.URL, pull))
	}
	switch {
	case err == nil:
		return ended
	case ctx.Err() != nil:
		return errors.Join(ended, context.Cause(ctx))
	case done.Created || done.Edited:
		return errors.Join(ended, fmt.Errorf("%w; the comment was written", err))
	}
	return errors.Join(ended, fmt.Errorf("%w; the review is kept, but its comment was not written: moot export %s --as pr "+
		"prints it", err, id))
}

// commentIn names the comment in a pull request.
func commentIn(address string, pull *forge.PullRequest) string {
	if address == "" {
		return "the comment in " + pull.String()
	}
	return address
}
