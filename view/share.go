package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/resolver"
	"moot/state"
)

// Round has the events of one round of a session in words, for pages that show the debate round by round.
type Round struct {
	// Number is 0 for what came before the first round.
	Number int
	// Lines leave out routine ones, such as prompts.
	Lines []Line
	// Counts are the ruled points by bucket at the end of the round, without merged ones. Ruled says that rulings were
	// recorded in it.
	Counts map[state.Bucket]int
	Ruled  bool
}

// Title returns the heading of the round.
func (r *Round) Title() string {
	if r.Number == 0 {
		return "Before round 1"
	}
	return fmt.Sprintf("Round %d", r.Number)
}

// Summary says how the points are ruled by the end of the round.
func (r *Round) Summary() string {
	if !r.Ruled {
		return "no rulings are recorded in it"
	}
	return "ruled by its end: " + BucketCounts(r.Counts)
}

// History tells the events of a session by rounds, in the order of time. It folds them, so it returns the error of an event that does not follow
// from those before.
func History(events []state.Event) ([]Round, error) {
	var rounds []Round
	t := NewTranscript(&state.State{})
	for len(events) > 0 {
		begins := func(e state.Event) bool { _, ok := e.Data.(*state.RoundStarted); return ok }
		n := len(events)
		if next := slices.IndexFunc(events[1:], begins); next >= 0 {
			n = next + 1
		}
		lines, err := t.Add(events[:n])
		if err != nil {
			return nil, err
		}
		round := Round{Number: t.after.Round, Counts: map[state.Bucket]int{}}
		round.Lines = told(lines)
		round.Ruled = slices.ContainsFunc(events[:n], func(e state.Event) bool {
			_, ok := e.Data.(*state.Ruled)
			return ok
		})
		for _, r := range t.after.Rulings.All() {
			if p := t.after.Point(r.Point); p != nil && p.MergedInto == "" {
				round.Counts[r.Bucket]++
			}
		}
		if events = events[n:]; len(round.Lines) > 0 || round.Number > 0 {
			rounds = append(rounds, round)
		}
	}
	return rounds, nil
}

// told leaves out lines that say what the page has elsewhere: routine ones, what a call used, who has which seat, the
// beginning of a round, and a judgment that the challenge behind it repeats.
func told(lines []Line) []Line {
	var kept []Line
	for i := range lines {
		l := &lines[i]
		again := func(other Line) bool { return !other.Minor && other.Seat == l.Seat && other.Text == l.Text }
		switch {
		case l.Routine, l.Minor && l.Text != "" && slices.ContainsFunc(lines[i+1:min(i+4, len(lines))], again):
			continue
		}
		switch l.Label {
		case "session", "question", "seat", "round", "used":
			// A question to the user has the label of the question of the session, and a lead.
			if l.Lead == "" || l.Label != "question" {
				continue
			}
		}
		kept = append(kept, *l)
	}
	return kept
}

// NoAnswer says why a session has no answer.
func NoAnswer(s *state.State) string {
	if s.Over() {
		return "The session ended without an answer."
	}
	return "The session has not ended, and has no answer yet."
}

// Spending lists what each seat used, if the session counted it.
func Spending(s *state.State) Section {
	sec := Section{Title: "USAGE", Uncounted: true, Lines: []string{"All calls: " + UsageRow(s.Usage) + "."}}
	if len(s.Spent) == 0 {
		return sec
	}
	sec.Table, sec.Words = [][]string{{"seat", "participant", "used"}}, true
	for i := range s.Spent {
		u := &s.Spent[i]
		sec.Table = append(sec.Table, []string{string(u.Seat), u.Participant, UsageRow(u.Usage)})
	}
	return sec
}

// NotShown lists what seats were not shown, with the reasons.
func NotShown(s *state.State) Section {
	sec := Section{Title: "NOT SHOWN", Uncounted: true}
	for i := range s.Withheld {
		w := &s.Withheld[i]
		sec.Items = append(sec.Items, Item{Text: withheldPlace(w) + ", " + withheldText(s, w)})
	}
	return sec
}

// ReceiptTable lists the rulings with the rule that made each one, and the ids that it read.
func ReceiptTable(rulings []state.Ruling) Section {
	sec := Section{Title: "RECEIPTS", Words: true, Count: len(rulings)}
	if len(rulings) == 0 {
		return sec
	}
	sec.Table = [][]string{{"claim", "ruling", "rule", "read"}}
	for i := range rulings {
		r := &rulings[i]
		read := strings.Join(r.Reads, " ")
		if read == "" {
			read = "nothing else"
		}
		sec.Table = append(sec.Table, []string{r.Point, Ruling(r), r.Rule, read})
	}
	sec.After = "A receipt names the rule that made a ruling, and what the rule read; #7 is event 7 of the session."
	return sec
}

// Check is a sentence on how to check an export, with the command for it, or "".
type Check struct{ Text, Command string }

// HowToVerify says how a reader of an export checks it against the session file.
func HowToVerify(s *state.State, head string) []Check {
	checks := []Check{
		{
			"This page is a copy, and a copy can be edited. Whoever has the session file makes the page again with the same version " +
				"of moot, and compares. No output means that they are the same:",
			"moot export " + s.ID + " --as html | cmp - PAGE.html",
		},
		{
			"The session file itself is checked event by event, and each ruling is made again:",
			"moot verify " + s.ID,
		},
	}
	if head != "" {
		checks = append(checks, Check{
			fmt.Sprintf("The file had %s when the page was made, and this head, which moot verify prints too:", Counted(s.Seq, "event")), head,
		})
	}
	return checks
}

// BucketTable lists the points by bucket at the end of the rounds, without buckets that were always empty.
func BucketTable(rounds []Round) [][]string {
	used := slices.DeleteFunc(state.Buckets(), func(b state.Bucket) bool {
		return !slices.ContainsFunc(rounds, func(r Round) bool { return r.Counts[b] > 0 })
	})
	table := [][]string{append([]string{"round"}, lists.Map(used, BucketName)...)}
	for i := range rounds {
		if r := &rounds[i]; r.Ruled {
			row := []string{strconv.Itoa(r.Number)}
			for _, b := range used {
				row = append(row, strconv.Itoa(r.Counts[b]))
			}
			table = append(table, row)
		}
	}
	return table
}

// ConfidenceTable lists the confidence of the seats in the points by rounds, 0 to 1.
func ConfidenceTable(traces []Trace, last int) [][]string {
	head := []string{"point and seat"}
	for round := 1; round <= last; round++ {
		head = append(head, fmt.Sprintf("round %d", round))
	}
	table := [][]string{head}
	for i := range traces {
		for j := range traces[i].Seats {
			seat := &traces[i].Seats[j]
			row := []string{traces[i].Point + " " + string(seat.Seat)}
			for round := 1; round <= last; round++ {
				cell := "-"
				if r := seat.Rounds[round]; r.Known {
					cell = fmt.Sprintf("%.2f", r.Admitted)
				}
				row = append(row, cell)
			}
			table = append(table, row)
		}
	}
	return table
}

// SentenceCase returns a heading in capitals as "Still open". Other headings stay as they are.
func SentenceCase(heading string) string {
	if heading != strings.ToUpper(heading) {
		return heading
	}
	return resolver.Capital(strings.ToLower(heading))
}
