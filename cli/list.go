package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/report"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// listed is one session in the JSON of moot list.
type listed struct {
	ID       string       `json:"id"`
	Question string       `json:"question"`
	Format   state.Format `json:"format"`
	// Status is running, cut off, paused, finished, inconclusive or broken.
	Status string      `json:"status"`
	Exit   state.Exit  `json:"exit"`
	Phase  state.Phase `json:"phase"`
	Round  int         `json:"round"`
	// Decision is the last decision on a proposal: ADVANCE, HOLD, ESCALATE or "".
	Decision string               `json:"decision"`
	Buckets  map[state.Bucket]int `json:"buckets"`
	OpenedAt string               `json:"opened_at"`
	Updated  string               `json:"updated_at"`
	Events   int                  `json:"events"`
	Path     string               `json:"path"`
	// Fork is the source of the first events.
	Fork report.Fork `json:"fork"`
	// Broken says why the file can't be read completely, or is "".
	Broken string `json:"broken"`
}

func newList(c *Console) *cobra.Command {
	var form output
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return list(c, form)
		},
	}
	outputFlag(cmd, &form, outputText, outputJSON)
	return cmd
}

func list(c *Console, form output) error {
	summaries, err := listSessions()
	if err != nil {
		return err
	}
	if form == outputJSON {
		rows := []listed{}
		for i := range summaries {
			s := &summaries[i]
			rows = append(rows, listed{
				ID: s.ID, Question: s.Question, Format: s.Format, Status: status(s), Exit: s.Exit, Phase: s.Phase,
				Round:    s.Round,
				Decision: s.Decision,
				Buckets:  s.Buckets, OpenedAt: s.OpenedAt.UTC().Format(time.RFC3339),
				Updated: s.UpdatedAt.UTC().Format(time.RFC3339), Events: s.Events, Path: s.Path, Broken: s.Broken,
				Fork: report.NewFork(s.Fork),
			})
		}
		return c.printJSON(rows)
	}
	if len(summaries) == 0 {
		c.Say("no sessions yet; type: moot ask \"Is the cache safe under load?\"")
		return nil
	}
	var out strings.Builder
	for i := range summaries {
		out.WriteString(listLine(&summaries[i], c.Now()))
	}
	return c.Print(out.String())
}

// status is the status of a session in one or two words.
func status(s *store.Summary) string {
	switch {
	case s.Broken != "":
		return "broken"
	case s.Closed && s.Inconclusive:
		return "inconclusive"
	case s.Closed:
		return "finished"
	case s.Paused != state.PauseNone:
		return "paused"
	case s.CutOff:
		return "cut off"
	}
	return "running"
}

// listLine is one session: ID, status, round, age, decision and counts, and the question.
func listLine(s *store.Summary, now time.Time) string {
	if s.Broken != "" {
		return fmt.Sprintf("%s  %-12s  %s\n", s.ID, "broken", plain.Line(s.Broken))
	}
	where := fmt.Sprintf("round %d", s.Round)
	if s.Exit != state.ExitNone {
		where += " " + string(s.Exit)
	}
	result := view.BucketCounts(s.Buckets)
	if s.Decision != "" {
		result = plain.Line(clip(s.Decision)) + ": " + result
	}
	return fmt.Sprintf("%s  %-12s  %-19s  %-8s  %s\n    %s\n",
		s.ID, status(s), where, age(now.Sub(s.UpdatedAt)), result, plain.Line(clip(s.Question)))
}

// age is a duration in one unit.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

func newRemove(c *Console) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:               "rm",
		Args:              oneArgument("session", "moot rm 20261121-153045-k3f9"),
		ValidArgsFunction: completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			return remove(c, args[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

func remove(c *Console, id string, yes bool) error {
	dir, err := store.Dir()
	if err != nil {
		return err
	}
	path, err := store.Find(dir, id)
	if err != nil {
		return err
	}
	id = sessionID(path)
	if !yes {
		if !c.InTerminal {
			return usage("removing %s cannot be undone, and there is no terminal to confirm it: add --yes", id)
		}
		question := id
		if s, err := read(c, id); err == nil {
			question += ", " + plain.Line(clip(s.state.Question))
		}
		c.Say("remove %s? This cannot be undone. Type yes:", question)
		answer, err := c.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !strings.EqualFold(strings.TrimSpace(answer), "yes") {
			c.Say("kept %s", id)
			return nil
		}
	}
	if err := store.Remove(dir, id); err != nil {
		return err
	}
	c.Say("removed %s", id)
	return nil
}
