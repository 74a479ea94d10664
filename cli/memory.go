package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/forge"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/memory"
	"moot/protocol/review"
	"moot/state"
)

// memoryOptions say what a review remembers of earlier ones.
type memoryOptions struct {
	// file is the memory file, or "".
	file string
	none bool
	// kept are the rulings of the user in earlier reviews, which the file may lack.
	kept []review.Remembered
	// recorded is the memory of a demo, or nil.
	recorded *review.MemoryTaken
}

func (o *memoryOptions) flags(cmd *cobra.Command) {
	group(cmd, "Change", func(f *pflag.FlagSet) {
		f.StringVar(&o.file, "memory", "", "also remember the rulings in this JSON Lines `FILE`, and add those of this "+
			"review at the end")
		f.BoolVar(&o.none, "no-memory", false, "remember nothing of earlier reviews")
	})
}

// remember returns what a review takes in of earlier ones, as the event that records it, or nil.
func (b *builder) remember(ctx context.Context, own *review.Settings, files *material) (state.Payload, error) {
	o := &b.memory
	if o.recorded != nil {
		return o.recorded, nil
	}
	if o.none || b.front.demo {
		return nil, nil //nolint:nilnil // nothing is remembered
	}
	change := &own.Change
	event := &review.MemoryTaken{Known: []review.Known{}}
	var rulings []review.Remembered
	name := ""
	if o.file != "" {
		name = plain.Line(o.file)
		read, err := b.reviewed.ReadMemory(ctx, b.console.path(o.file), memory.ReadFile)
		if err != nil {
			return nil, in("memory", usage("--memory %s: %w", name, err))
		}
		place := name
		if read.Commit != "" {
			place = fmt.Sprintf("%s as of commit %.12s", name, read.Commit)
			files.say("memory     %s is read as of commit %.12s, where the change begins", name, read.Commit)
		}
		if rulings, err = memory.Parse(read.Text); err != nil {
			return nil, in("memory", usage("--memory %s: %w", place, err))
		}
		if rulings = lists.Filter(rulings, func(r review.Remembered) bool {
			return !r.OtherRepository(change.Repository)
		}); len(rulings) > 0 {
			name = place
		} else {
			name = ""
		}
		event.Changed = read.Changed
	}
	dir, err := b.console.sessions()
	if err != nil {
		return nil, err
	}
	index, err := memory.Index(dir, change.Repository, b.console.rules()...)
	if err != nil {
		return nil, err
	}
	if n := len(index.Unread); n > 0 {
		files.say("note       %s cannot be read, so nothing of it is remembered: moot list shows why",
			plain.Counted(n, "session"))
	}
	o.kept = lists.Filter(index.Rulings, func(r review.Remembered) bool { return r.ByUser })
	event.Source = cmp.Or(memory.Source(index.Sessions, name), "no earlier review")
	all := slices.Concat(rulings, index.Rulings)
	if len(all) > 0 && b.reviewed.Tree == "" {
		files.say("note       nothing is remembered of earlier reviews: the patch does not apply, so nobody knows which lines " +
			"are unchanged")
		all = nil
	}
	known, left, err := memory.Take(all, change, func(paths []string) (map[string]string, error) {
		return b.reviewed.Texts(ctx, paths)
	})
	if err != nil {
		return nil, err
	}
	event.Known = append(event.Known, known...)
	if left > 0 {
		files.say("note       the oldest %s of earlier reviews are left out: a review takes in %d", plain.Counted(left, "finding"),
			memory.Most)
	}
	if len(event.Known) == 0 && event.Changed == "" {
		return nil, nil //nolint:nilnil // nothing is remembered
	}
	files.say("memory     %s from %s", plain.Counted(len(event.Known), "known finding"), plain.Line(event.Source))
	return event, nil
}

// complete adds to the memory file what the session ruled, and what the user ruled after earlier ones.
func (b *builder) complete(s *session) {
	o := &b.memory
	if o.file == "" || s.state.Seq == 0 {
		return
	}
	rulings := review.Memorize(s.state, nil)
	if s.file != nil {
		var err error
		if rulings, err = memory.Rulings(s.file.Path(), b.console.rules()...); err != nil {
			b.console.Say("memory     %s was not completed: %v", plain.Line(o.file), err)
			return
		}
	}
	added, err := memory.Complete(b.console.path(o.file), append(rulings, o.kept...))
	if err != nil {
		b.console.Say("memory     %s was not completed: %v", plain.Line(o.file), err)
		return
	}
	b.console.Say("memory     %s: %s added", plain.Line(o.file), plain.Counted(added, "line"))
}

// onPullRequest names the pull request of a workflow as the branch of a change: there, nothing but a commit is checked out.
func (b *builder) onPullRequest(change *review.Change) {
	if number := forge.Number(b.console.Getenv); number > 0 {
		change.Branch = fmt.Sprintf("pull request %d", number)
	}
}
