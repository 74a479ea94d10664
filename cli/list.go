package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/report"
	"moot/state"
	"moot/state/store"
	"moot/tui/home"
	"moot/view"
)

// listed is one session in the JSON of moot list.
type listed struct {
	ID       string       `json:"id"`
	Question string       `json:"question"`
	Format   state.Format `json:"format"`
	Status   store.Status `json:"status"`
	Exit     state.Exit   `json:"exit"`
	Phase    state.Phase  `json:"phase"`
	Round    int          `json:"round"`
	// Workspace is the folder that citations refer to, or "".
	Workspace string `json:"workspace"`
	// Decision is the last decision on a proposal: ADVANCE, HOLD, ESCALATE or "".
	Decision string               `json:"decision"`
	Buckets  map[state.Bucket]int `json:"buckets"`
	OpenedAt string               `json:"opened_at"`
	Updated  string               `json:"updated_at"`
	Events   int                  `json:"events"`
	Path     string               `json:"path"`
	// Fork is the source of the first events.
	Fork report.Fork `json:"fork"`
	// Failure is why the session paused or ended badly; all of it is "" otherwise.
	Failure view.Failure `json:"failure"`
	// Needs says why a running session waits for the user, or is "".
	Needs string `json:"needs"`
	// Broken says why the file can't be read completely, or is "".
	Broken string `json:"broken"`
	// Name and Tags are those that the user gave it; TagsUnread says why they can't be read, or is "".
	Name       string   `json:"name"`
	Tags       []string `json:"tags"`
	TagsUnread string   `json:"tags_unread"`
	// Answer is the first sentence of the answer, or "".
	Answer string `json:"answer"`
}

// listOptions are the flags of moot list.
type listOptions struct {
	form        report.Form
	grep, state string
	tags        []string
}

func newList(c *Console) *cobra.Command {
	o := &listOptions{}
	cmd := &cobra.Command{
		Use:  "list",
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error { return o.run(c) },
	}
	group(cmd, "Sessions", func(f *pflag.FlagSet) {
		f.StringVar(
			&o.state,
			"state",
			"",
			"only sessions in this state: "+strings.Join(enum.Words(store.Statuses()), ", "),
		)
		f.StringVar(&o.grep, "grep", "", "only those with this `TEXT` in the question or the name, in any case")
		f.StringArrayVar(&o.tags, "tag", nil, "only those with this `TAG`; may be repeated")
	})
	completeWords(cmd, "state", enum.Words(store.Statuses())...)
	outputFlag(cmd, &o.form, report.FormText, report.FormJSON)
	return cmd
}

func (o *listOptions) run(c *Console) error {
	summaries, err := liveSessions(c)
	if err != nil {
		return err
	}
	some := len(summaries) > 0
	if o.state != "" {
		if _, err := oneOf("state", o.state, store.Statuses()); err != nil {
			return err
		}
	}
	summaries = slices.DeleteFunc(summaries, func(s store.Summary) bool {
		lacks := func(tag string) bool {
			same := func(has string) bool { return strings.EqualFold(has, strings.TrimPrefix(tag, "#")) }
			return !slices.ContainsFunc(s.Tags, same)
		}
		return o.state != "" && o.state != string(s.Status()) || slices.ContainsFunc(o.tags, lacks) ||
			!strings.Contains(strings.ToLower(s.Name+"\n"+s.Question), strings.ToLower(o.grep))
	})
	if o.form == report.FormJSON {
		rows := []listed{}
		for i := range summaries {
			s := &summaries[i]
			failure, _ := view.Stop(s.Paused, s.Exit, s.Reason, s.Failure)
			rows = append(rows, listed{
				Failure: failure,
				ID:      s.ID, Question: s.Question, Format: s.Format, Status: s.Status(), Exit: s.Exit, Phase: s.Phase,
				Round: s.Round, Decision: s.Decision, Buckets: s.Buckets, Workspace: s.Workspace,
				OpenedAt: s.OpenedAt.UTC().Format(time.RFC3339), Updated: s.UpdatedAt.UTC().Format(time.RFC3339),
				Events: s.Events, Path: s.Path, Needs: s.Needs, Broken: s.Broken, Fork: report.NewFork(s.Fork),
				Name: s.Name, Tags: view.Some(s.Tags), TagsUnread: s.TagsUnread, Answer: s.Answer,
			})
		}
		text, err := report.JSON(rows)
		if err != nil {
			return err
		}
		return c.Print(text)
	}
	switch {
	case len(summaries) > 0:
		return c.Print(listText(summaries, c.Now()))
	case some:
		c.Say("no session matches")
	default:
		c.Say("no sessions yet; type: moot ask \"Is the cache safe under load?\"")
	}
	return nil
}

// listText has two lines for each session: ID, status, round, age, repository, decision and
// counts; and the title. A third says why it paused or ended badly, or cannot be read.
func listText(summaries []store.Summary, now time.Time) string {
	var rows [][]string
	for i := range summaries {
		s := &summaries[i]
		if s.Broken != "" {
			// The reason is long, and has a line of its own.
			rows = append(rows, []string{s.ID, string(s.Status())})
			continue
		}
		result := view.BucketCounts(s.Buckets)
		if len(s.Buckets) == 0 && !s.Closed && s.Exit == state.ExitNone {
			result = "nothing is proposed yet"
		}
		if s.Decision != "" {
			result = plain.Line(clip(s.Decision)) + ": " + result
		}
		repository := "-"
		if s.Workspace != "" {
			repository = plain.Line(clip(filepath.Base(s.Workspace)))
		}
		age := home.Age(now.Sub(s.UpdatedAt))
		rows = append(rows, []string{s.ID, string(s.Status()), home.Progress(s), age, repository, result})
	}
	var out strings.Builder
	for i, line := range columns(rows) {
		out.WriteString(line + "\n")
		s := &summaries[i]
		title := view.Title(s.Question)
		if s.Name != "" {
			title = s.Name + ": " + title
		}
		if title != "" {
			out.WriteString("    " + plain.Line(clip(title)) + "\n")
		}
		if s.Broken != "" {
			out.WriteString("    " + plain.Clip(plain.Line(s.Broken), 400) + "\n")
		}
		if s.TagsUnread != "" {
			out.WriteString("    " + plain.Clip(s.TagsUnread, 400) + "\n")
		} else if len(s.Tags) > 0 {
			out.WriteString("    " + plain.Line(tagText(store.Tags{Tags: s.Tags})) + "\n")
		}
		if s.Needs != "" {
			out.WriteString("    " + plain.Clip(s.Needs, 400) + "; moot attach " + s.ID + "\n")
		} else if _, stopped := view.Stop(s.Paused, s.Exit, s.Reason, s.Failure); stopped != "" && s.Broken == "" {
			out.WriteString("    " + plain.Clip(stopped, 400) + "\n")
		}
	}
	return out.String()
}

func newRemove(c *Console) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:               "rm",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: c.completeMoreSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			return remove(c, args, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

// remove removes sessions once all of them are found.
func remove(c *Console, names []string, yes bool) error {
	dir, err := c.sessions()
	if err != nil {
		return err
	}
	var ids []string
	for _, name := range names {
		path, err := store.Find(dir, name)
		if err != nil {
			return err
		}
		if id := sessionID(path); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if !yes {
		for _, id := range ids {
			if s, err := read(c, id); err == nil {
				c.Say("%s, %s", id, plain.Line(clip(view.Title(s.state.Question))))
			}
		}
		confirmed, err := c.confirm("Remove " + strings.Join(ids, ", ") + "? This cannot be undone.")
		if err != nil || !confirmed {
			return err
		}
	}
	for _, id := range ids {
		if err := c.removeSession(dir, id); err != nil {
			return err
		}
		c.Say("removed %s", id)
	}
	return nil
}
