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
}

// listOptions are the flags of moot list.
type listOptions struct {
	form        report.Form
	grep, state string
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
		f.StringVar(&o.grep, "grep", "", "only those with this `TEXT` in the question, in any case")
	})
	completeWords(cmd, "state", enum.Words(store.Statuses())...)
	outputFlag(cmd, &o.form, report.FormText, report.FormJSON)
	return cmd
}

func (o *listOptions) run(c *Console) error {
	summaries, err := listSessions(c, c.rules()...)
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
		return o.state != "" && o.state != string(s.Status()) ||
			!strings.Contains(strings.ToLower(s.Question), strings.ToLower(o.grep))
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
// counts; and the title. A third says why it paused or ended badly.
func listText(summaries []store.Summary, now time.Time) string {
	var rows [][]string
	for i := range summaries {
		s := &summaries[i]
		if s.Broken != "" {
			rows = append(rows, []string{s.ID, string(s.Status()), plain.Line(s.Broken)})
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
		if title := view.Title(summaries[i].Question); title != "" {
			out.WriteString("    " + plain.Line(clip(title)) + "\n")
		}
		s := &summaries[i]
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
