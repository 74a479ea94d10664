package cli

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/queue"
	"moot/report"
	"moot/view"
)

// resultRow is an item in the JSON of moot batch.
type resultRow struct {
	ID  string   `json:"id"`
	IDs []string `json:"ids,omitempty"`
	// Item is the identity of the item.
	Item   string      `json:"item"`
	Repeat int         `json:"repeat,omitempty"`
	Title  string      `json:"title"`
	State  queue.State `json:"state"`
	// Decision, Answer and Reason are "" if there is none.
	Decision string   `json:"decision"`
	Answer   string   `json:"answer"`
	Reason   string   `json:"reason"`
	Code     int      `json:"exit_code"`
	Session  string   `json:"session"`
	Earlier  []string `json:"earlier_sessions,omitempty"`
	Round    int      `json:"round"`
	Doing    string   `json:"doing,omitempty"`
	Calls    int      `json:"calls"`
	Tokens   int      `json:"tokens"`
	Cost     float64  `json:"cost"`
	Unpriced int      `json:"unpriced_calls"`
	Seconds  float64  `json:"seconds"`
	Ended    string   `json:"ended_at"`
}

func exportRow(r *queue.Row) resultRow {
	out := resultRow{
		ID: r.Item.ID(), Item: r.Item.Digest, Repeat: r.Item.Parts.Number, Title: r.Item.Title, State: r.State,
		Decision: r.Result.Decision, Answer: r.Result.Answer, Reason: r.Result.Reason, Code: r.Result.Code,
		Session: r.Session, Earlier: r.Earlier, Round: r.Result.Rounds, Calls: r.Result.Usage.Calls,
		Tokens: r.Result.Usage.Tokens(), Cost: r.Result.Usage.Cost, Unpriced: r.Result.Usage.Unpriced,
		Seconds: r.Result.Seconds,
	}
	if len(r.Item.IDs) > 1 {
		out.IDs = r.Item.IDs
	}
	if !r.Result.Ended.IsZero() {
		out.Ended = r.Result.Ended.UTC().Format(time.RFC3339)
	}
	if r.Live != nil {
		out.Round, out.Doing = r.Live.Round, r.Live.Doing
	}
	return out
}

// The forms of the results of a batch.
const (
	formTable report.Form = "table"
	formCSV   report.Form = "csv"
)

func newBatchResults(c *Console) *cobra.Command {
	var form report.Form
	var against, only string
	cmd := &cobra.Command{
		Use:  "results",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder, plan, err := openBatch(c, args[0])
			if err != nil {
				return err
			}
			if against != "" {
				return c.compareBatches(folder, plan, args[0], against, form)
			}
			snapshot := folder.Snapshot(plan, c.Now(), c.classify)
			rows := []resultRow{}
			for i := range snapshot.Rows {
				if row := exportRow(&snapshot.Rows[i]); only == "" || only == string(row.State) {
					rows = append(rows, row)
				}
			}
			text, err := writeRows(rows, form)
			if err != nil {
				return err
			}
			if form == formTable {
				text += "\n" + plain.Counted(len(rows), "item")
				if only != "" {
					text += " of " + strconv.Itoa(len(snapshot.Rows)) + ", " + only
				} else {
					text += ": " + stateCounts(&snapshot)
				}
				text += "\n"
			}
			return c.Print(text)
		},
	}
	group(cmd, "Items", func(f *pflag.FlagSet) {
		choiceFlag(f, "state", &only, enum.Words(queue.States()), "only items in this state", "all")
		f.StringVar(&against, "against", "", "list the items whose outcome or decision differs from those in this other `folder`")
	})
	completeWords(cmd, "state", enum.Words(queue.States())...)
	outputFlag(cmd, &form, formTable, report.FormJSON, formCSV, report.FormMarkdown)
	return cmd
}

// writeRows writes rows as a table, JSON, CSV or Markdown. All but JSON have foreign text on one line.
func writeRows(rows []resultRow, form report.Form) (string, error) {
	header := []string{"id", "state", "decision", "answer or reason", "session", "calls", "tokens", "cost", "seconds"}
	cells := func(r *resultRow) []string {
		id := r.ID
		if r.Repeat > 1 {
			id += fmt.Sprintf(" (%d)", r.Repeat)
		}
		about := view.Join("; ", r.Answer, r.Reason)
		return []string{
			plain.Line(id), string(r.State), plain.Line(r.Decision), plain.Line(about), r.Session, strconv.Itoa(r.Calls),
			strconv.Itoa(r.Tokens), view.Price(r.Cost, r.Unpriced), strconv.FormatFloat(r.Seconds, 'f', 1, 64),
		}
	}
	if form == report.FormJSON {
		text, err := json.Marshal(rows, jsontext.WithIndent("  "))
		return string(text) + "\n", err
	}
	if form == formCSV {
		return writeCSV(rows)
	}
	if form == report.FormMarkdown {
		text := "<!-- " + queue.Schema + " -->\n\n| " + strings.Join(header, " | ") + " |\n|" + strings.Repeat("---|", len(header)) + "\n"
		for i := range rows {
			for _, cell := range cells(&rows[i]) {
				if cell = report.Escaped(cell); rows[i].Session != "" && cell == report.Escaped(rows[i].Session) {
					cell = "`" + rows[i].Session + "`" // To be copied, so it is not escaped: moot made it.
				}
				text += "| " + cell + " "
			}
			text += "|\n"
		}
		return text, nil
	}
	table := [][]string{header}
	for i := range rows {
		row := cells(&rows[i])
		row[3] = plain.Clip(row[3], 60)
		table = append(table, row)
	}
	return strings.Join(columns(table), "\n") + "\n", nil
}

// writeCSV writes all fields. A cell that a spreadsheet would run as a formula gets an apostrophe.
func writeCSV(rows []resultRow) (string, error) {
	var text strings.Builder
	w := csv.NewWriter(&text)
	err := w.Write([]string{
		"id", "repeat", "state", "decision", "answer", "reason", "exit_code", "session", "calls", "tokens", "cost",
		"unpriced_calls", "seconds", "ended_at", "title", "item",
	})
	if err != nil {
		return "", err
	}
	for i := range rows {
		r := &rows[i]
		cells := []string{
			r.ID, strconv.Itoa(r.Repeat), string(r.State), r.Decision, r.Answer, r.Reason, strconv.Itoa(r.Code), r.Session,
			strconv.Itoa(r.Calls), strconv.Itoa(r.Tokens), strconv.FormatFloat(r.Cost, 'f', -1, 64), strconv.Itoa(r.Unpriced),
			strconv.FormatFloat(r.Seconds, 'f', -1, 64), r.Ended, r.Title, r.Item,
		}
		for j, cell := range cells {
			if cell = plain.Line(cell); cell != "" && strings.ContainsRune("=+-@\t", rune(cell[0])) {
				cell = "'" + cell
			}
			cells[j] = cell
		}
		if err := w.Write(cells); err != nil {
			return "", err
		}
	}
	w.Flush()
	return text.String(), w.Error()
}

// otherOutcome is an item that came out differently in two batches.
type otherOutcome struct {
	ID   string    `json:"id"`
	Here resultRow `json:"here"`
	// There is nil if the other batch has no such item.
	There *resultRow `json:"there"`
}

// compareBatches prints the items whose outcome or decision differs. Items are the same if they are equal, or have the
// same id and number.
func (c *Console) compareBatches(
	folder *queue.Folder, plan *queue.Plan, name, against string, form report.Form,
) error {
	other, otherPlan, err := openBatch(c, against)
	if err != nil {
		return err
	}
	here, there := folder.Snapshot(plan, c.Now(), c.classify), other.Snapshot(otherPlan, c.Now(), c.classify)
	type key struct {
		id     string
		number int
	}
	known := map[key]*queue.Row{}
	for i := range there.Rows {
		row := &there.Rows[i]
		known[key{row.Item.Digest, 0}] = row
		for _, id := range row.Item.IDs {
			known[key{id, row.Item.Parts.Number}] = row
		}
	}
	different, missing, same := []otherOutcome{}, 0, 0
	for i := range here.Rows {
		row := &here.Rows[i]
		match := known[key{row.Item.Digest, 0}]
		if match == nil && len(row.Item.IDs) > 0 {
			match = known[key{row.Item.ID(), row.Item.Parts.Number}]
		}
		switch {
		case match == nil:
			missing++
		case match.State == row.State && match.Result.Decision == row.Result.Decision:
			same++
		default:
			theirs := exportRow(match)
			different = append(different, otherOutcome{ID: row.Item.ID(), Here: exportRow(row), There: &theirs})
		}
	}
	if form == report.FormJSON {
		text, err := json.Marshal(different, jsontext.WithIndent("  "))
		if err != nil {
			return err
		}
		return c.Print(string(text) + "\n")
	}
	if form != formTable {
		return usage("--against prints a table or JSON")
	}
	table := [][]string{{"id", plain.Line(name), plain.Line(against)}}
	for i := range different {
		d := &different[i]
		table = append(table, []string{plain.Line(d.ID), verdictOf(&d.Here), verdictOf(d.There)})
	}
	text := ""
	if len(different) > 0 {
		text = strings.Join(columns(table), "\n") + "\n\n"
	}
	text += fmt.Sprintf("%s with another outcome or decision, %d with the same", plain.Counted(len(different), "item"), same)
	if missing > 0 {
		text += fmt.Sprintf(", %d that the other batch does not have", missing)
	}
	return c.Print(text + "\n")
}

func verdictOf(r *resultRow) string { return plain.Line(view.Join(", ", string(r.State), r.Decision)) }

func newBatchStatus(c *Console) *cobra.Command {
	var form report.Form
	cmd := &cobra.Command{
		Use:  "status",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder, plan, err := openBatch(c, args[0])
			if err != nil {
				return err
			}
			s := folder.Snapshot(plan, c.Now(), c.classify)
			if form == report.FormJSON {
				return c.printStatus(&s, folder)
			}
			text := summaryLine(&s, "") + "\n"
			if s.Live == nil {
				text += "run        no process runs the batch now\n"
			} else {
				text += "run        since " + view.Moment(s.Live.Began) + ", " + plain.Counted(s.Live.Ended, "item") +
					" ended since then\n"
				if s.Rate > 0 {
					text += fmt.Sprintf("rate       %.1f items a minute; at that rate the other %d take %s\n", s.Rate, s.Live.Left,
						roundTime(s.Left))
				}
				if s.Live.Stopping != "" {
					text += "budget     " + s.Live.Stopping + ": no session starts beyond it\n"
				}
				for i := range s.Live.Sessions {
					one := &s.Live.Sessions[i]
					item := plan.Item(one.Item)
					if item == nil {
						continue
					}
					text += "running    " + plain.Line(item.ID()) + "  " + one.Session + fmt.Sprintf("  round %d", one.Round)
					if one.Doing != "" {
						text += ", " + plain.Line(one.Doing)
					}
					text += "\n"
				}
			}
			return c.Print(text)
		},
	}
	outputFlag(cmd, &form, report.FormText, report.FormJSON)
	return cmd
}

// roundTime is a duration for people.
func roundTime(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "about " + strconv.Itoa(max(1, int(d.Seconds()))) + " s"
	case d < time.Hour:
		return "about " + strconv.Itoa(int(d.Minutes()+0.5)) + " min"
	}
	return fmt.Sprintf("about %.1f h", d.Hours())
}

// printStatus prints the status of a batch as JSON.
func (c *Console) printStatus(s *queue.Snapshot, folder *queue.Folder) error {
	counts := map[queue.State]int{}
	for _, state := range queue.States() {
		counts[state] = s.Counts[state]
	}
	text, err := json.Marshal(struct {
		Folder string              `json:"folder"`
		Items  int                 `json:"items"`
		Counts map[queue.State]int `json:"counts"`
		Calls  int                 `json:"calls"`
		Tokens int                 `json:"tokens"`
		Cost   float64             `json:"cost"`
		// PerMinute and SecondsLeft are null as long as it is too early to tell.
		PerMinute   *float64    `json:"items_per_minute"`
		SecondsLeft *float64    `json:"seconds_left"`
		Run         *queue.Live `json:"run"`
	}{
		folder.Path(), len(s.Rows), counts, s.Usage.Calls, s.Usage.Tokens(), s.Usage.Cost, known(s.Rate, s.Rate),
		known(s.Rate, s.Left.Seconds()), s.Live,
	}, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	return c.Print(string(text) + "\n")
}

// known returns a figure, or nil if there is no rate yet.
func known(rate, figure float64) *float64 {
	if rate <= 0 {
		return nil
	}
	return &figure
}
