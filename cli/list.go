package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/report"
	"moot/state"
	"moot/state/store"
)

// listed is one session in moot list --json.
type listed struct {
	ID       string       `json:"id"`
	Question string       `json:"question"`
	Format   state.Format `json:"format"`
	// Status is running, cut off, paused, finished, inconclusive or broken.
	Status string      `json:"status"`
	Exit   state.Exit  `json:"exit"`
	Phase  state.Phase `json:"phase"`
	Round  int         `json:"round"`
	// Decision is what code last said of a proposal, ADVANCE, HOLD or ESCALATE;
	// "" where there is none.
	Decision string `json:"decision"`
	// Conflicts is what became of the conflicts of a panel, in words; "" where
	// there is none.
	Conflicts string `json:"conflicts"`
	// Rounds is how many rounds a council may have, 0 in other formats; Consensus
	// what its last test for consensus found, in words, "" before.
	Rounds    int                  `json:"rounds"`
	Consensus string               `json:"consensus"`
	Buckets   map[state.Bucket]int `json:"buckets"`
	OpenedAt  string               `json:"opened_at"`
	Updated   string               `json:"updated_at"`
	Events    int                  `json:"events"`
	Path      string               `json:"path"`
	// Fork says where the first events were taken from.
	Fork report.Fork `json:"fork"`
	// Broken says why the file cannot be read to its end, or "".
	Broken string `json:"broken"`
}

func newList(c *Console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list [--json]",
		Short:   "List your sessions, the newest first",
		Example: "  moot list\n  moot list --json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			return list(c, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, one array")
	return cmd
}

func list(c *Console, asJSON bool) error {
	dir, err := store.Dir()
	if err != nil {
		return err
	}
	summaries, err := store.List(dir)
	if err != nil {
		return err
	}
	if asJSON {
		rows := []listed{}
		for i := range summaries {
			rows = append(rows, newListed(&summaries[i]))
		}
		text, err := json.MarshalIndent(rows, "", "  ")
		if err != nil {
			return fmt.Errorf("write the list as JSON: %w", err)
		}
		return c.Print(string(text) + "\n")
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

func newListed(s *store.Summary) listed {
	return listed{
		ID: s.ID, Question: s.Question, Format: s.Format, Status: status(s), Exit: s.Exit, Phase: s.Phase, Round: s.Round,
		Decision: s.Decision, Conflicts: conflictWords(s), Rounds: s.Rounds, Consensus: consensusWords(s), Buckets: s.Buckets, OpenedAt: s.OpenedAt.UTC().Format(time.RFC3339), Updated: s.UpdatedAt.UTC().Format(time.RFC3339),
		Events: s.Events, Path: s.Path, Broken: s.Broken,
		Fork: report.NewFork(s.Fork),
	}
}

// status is where a session stands, in a word.
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

// listLine is one session: its id, status, round, age, decision and counts, and
// its question.
func listLine(s *store.Summary, now time.Time) string {
	if s.Broken != "" {
		return fmt.Sprintf("%s  %-12s  %s\n", s.ID, "broken", plain.Line(s.Broken))
	}
	where := fmt.Sprintf("round %d", s.Round)
	if s.Rounds > 0 {
		where += fmt.Sprintf("/%d", s.Rounds)
	}
	if s.Exit != state.ExitNone {
		where += " " + string(s.Exit)
	}
	came := bucketCounts(s.Buckets)
	if s.Decision != "" {
		came = plain.Line(clip(s.Decision)) + ": " + came
	}
	for _, words := range []string{conflictWords(s), consensusWords(s)} {
		if words != "" {
			came += "; " + plain.Line(clip(words))
		}
	}
	return fmt.Sprintf("%s  %-12s  %-19s  %-8s  %s\n    %s\n",
		s.ID, status(s), where, age(now.Sub(s.UpdatedAt)), came, plain.Line(clip(s.Question)))
}

// conflictWords say how many conflicts a panel has while it runs, then what its
// end says.
func conflictWords(s *store.Summary) string {
	if s.PanelResult != "" || s.Conflicts == 0 {
		return s.PanelResult
	}
	return fmt.Sprintf("%s, %d settled", plain.Counted(s.Conflicts, "conflict"), s.Conflicts-s.Unsettled)
}

// consensusWords say what the last test of a council found, and where its moderator
// said otherwise.
func consensusWords(s *store.Summary) string {
	if s.Tested == nil {
		return ""
	}
	words := fmt.Sprintf("consensus in round %d", s.Tested.Round)
	if !s.Tested.Reached {
		words = fmt.Sprintf("no consensus in round %d: %s", s.Tested.Round, strings.Join(s.Tested.Unsettled, ", "))
	}
	if s.Tested.Contradicted() {
		words += " (the moderator said otherwise)"
	}
	return words
}

// age is how long ago, in one unit.
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
