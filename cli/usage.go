package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/report"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// usageReport is the JSON of moot usage.
type usageReport struct {
	Schema string `json:"schema"`
	// Since is the earliest time that counts, or "".
	Since    string `json:"since"`
	Sessions int    `json:"sessions"`
	// Total is the sum of Spent, which has a row for each day, seat and participant.
	Total  state.Usage    `json:"total"`
	Spent  []store.Spent  `json:"spent"`
	Unread []store.Unread `json:"unread"`
}

func newUsage(c *Console) *cobra.Command {
	var form report.Form
	var since time.Time
	cmd := &cobra.Command{
		Use:  "usage",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := c.sessions()
			if len(args) > 0 {
				dir = c.path(args[0])
				err = checkFolder(dir)
				if below := filepath.Join(dir, "sessions"); checkFolder(below) == nil {
					dir = below
				}
			}
			if err != nil {
				return err
			}
			u, err := store.ReadUsage(dir, since, c.Now().Location())
			if err != nil {
				return err
			}
			text, err := writeSpent(&u, since, form, c.Width)
			if err != nil {
				return err
			}
			return c.Print(text)
		},
	}
	group(cmd, "Sessions", func(f *pflag.FlagSet) {
		f.Func("since", "only calls since a `date` (2026-11-21) or a time before now (12h, 7d, 2w)", func(text string) (err error) {
			since, err = parseSince(text, c.Now())
			return err
		})
	})
	outputFlag(cmd, &form, outputs()...)
	return cmd
}

func writeSpent(u *store.Usage, since time.Time, form report.Form, width int) (string, error) {
	var total state.Usage
	for i := range u.Spent {
		total.Add(&u.Spent[i].Usage)
	}
	if form == report.FormJSON {
		r := usageReport{
			Schema: ledger.Marker + "usage/1", Sessions: u.Sessions, Total: total,
			Spent: append([]store.Spent{}, u.Spent...), Unread: append([]store.Unread{}, u.Unread...),
		}
		if !since.IsZero() {
			r.Since = since.UTC().Format(time.RFC3339)
		}
		return report.JSON(&r)
	}
	when := ""
	if !since.IsZero() {
		when = " since " + since.Format("2006-01-02 15:04")
	}
	d := view.Document{Title: plain.Counted(u.Sessions, "session") + when + ": " + view.UsageRow(total)}
	if u.Sessions == 0 {
		d.Title = "no call with tokens or a price is recorded" + when + " in " + plain.Counted(u.Read, "session")
	}
	for _, s := range u.Unread {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s is counted as far as it can be read: %s", s.ID, s.Reason))
	}
	d.Add(
		spentTable("BY DAY", "day", u.Spent, func(s *store.Spent) string { return s.Day }),
		spentTable("BY PARTICIPANT", "participant", u.Spent, func(s *store.Spent) string { return s.Participant }),
		spentTable("BY SEAT", "seat", u.Spent, func(s *store.Spent) string { return string(s.Seat) }),
	)
	if form == report.FormMarkdown {
		return report.Markdown(&d), nil
	}
	return report.Text(&d, width), nil
}

// spentTable adds up the rows with the same key. The days stay in their order, other keys are sorted by tokens.
func spentTable(title, column string, spent []store.Spent, key func(*store.Spent) string) view.Section {
	section := view.Section{Title: title, Uncounted: true}
	var order []string
	sums := map[string]*state.Usage{}
	for i := range spent {
		k := key(&spent[i])
		if sums[k] == nil {
			order = append(order, k)
			sums[k] = &state.Usage{}
		}
		sums[k].Add(&spent[i].Usage)
	}
	if len(order) == 0 {
		return section
	}
	if column != "day" {
		slices.SortStableFunc(order, func(a, b string) int { return sums[b].Tokens() - sums[a].Tokens() })
	}
	section.Table = append([][]string{{column, "calls", "tokens in", "tokens out", "cost"}}, lists.Map(order, func(k string) []string {
		s := sums[k]
		return []string{
			k, strconv.Itoa(s.Calls), strconv.Itoa(s.PromptTokens), strconv.Itoa(s.CompletionTokens),
			view.Price(s.Cost, s.Unpriced),
		}
	})...)
	return section
}
