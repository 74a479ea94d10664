package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"moot/agent"
	"moot/state"
)

// formatRow is what the command line knows of a format.
type formatRow struct {
	format state.Format
	// seats are those with a flag of their own, in the order of the table.
	seats []seatRow
	// further are the names of other seats that it can have, after which of the
	// seats they stand, and how an error lists all of them.
	further []string
	after   state.Seat
	said    string
	// first and second are the seats that it cannot do without. Rules sit down as
	// the first where only one model is at hand.
	first, second state.Seat
	// other names somebody for the seats that are still empty, given who sits; nil
	// leaves them empty.
	other func(places []place, book *agent.Book) []place
	// flags are those that no other format takes, beside its seats.
	flags func(o *asking, f *pflag.FlagSet)
	// given says which of them were given.
	given func(a *asking) []givenField
	// read checks what it takes, and reads it into the settings. What is to be said
	// of it is told to note.
	read func(a *asking, c *Console, s *state.Settings, note func(string)) error
}

// seatRow is a seat with a flag of its own, and what who takes it does.
type seatRow struct {
	seat state.Seat
	does string
}

// givenField is a value that one format takes, and whether it was given.
type givenField struct {
	field field
	there bool
}

// formatRows are the formats that run, the usual one first.
func formatRows() []formatRow {
	return []formatRow{consultRow(), dialecticRow(), panelRow(), councilRow(), hearingRow()}
}

// rowOf returns what is known of a format; of one that is none, the usual one's.
func rowOf(format state.Format) formatRow {
	rows := formatRows()
	if i := slices.IndexFunc(rows, func(r formatRow) bool { return r.format == format }); i >= 0 {
		return rows[i]
	}
	return rows[0]
}

// names are all seats of a format, in the order of the table.
func (r *formatRow) names() []string {
	var names []string
	for _, s := range r.seats {
		names = append(names, string(s.seat))
		if s.seat == r.after {
			names = append(names, r.further...)
		}
	}
	return names
}

// maxConsultees is how many consultees a session may have.
const maxConsultees = 9

func consultRow() formatRow {
	row := formatRow{
		format: state.FormatConsult,
		seats: []seatRow{
			{state.Orchestrator, "who triages, evaluates and challenges"},
			{state.Consultee, "who proposes and defends"},
			{state.Arbiter, "who looks at the result before it is given (optional)"},
		},
		after: state.Consultee,
		said:  fmt.Sprintf("consult has orchestrator, consultee, consultee-2 to consultee-%d, arbiter", maxConsultees),
		first: state.Orchestrator, second: state.Consultee,
		flags: consultFlags, given: consultGiven, read: consultRead,
	}
	row.further = further(state.Consultee, maxConsultees)
	return row
}

// further are the names of a seat's like from the second to the last.
func further(seat state.Seat, last int) []string {
	var names []string
	for n := 2; n <= last; n++ {
		names = append(names, string(seat)+"-"+strconv.Itoa(n))
	}
	return names
}

func consultFlags(a *asking, f *pflag.FlagSet) {
	f.StringVar(&a.framing, "framing", string(state.FramingPropose), "how a consultation opens: propose, critique, steelman, complete, compare,\nverify, position, synthesize, redteam, parallel")
	f.StringVar(&a.mode, "mode", string(state.ModeStandard), "how much of the protocol runs: standard, minimal, quick")
	f.BoolVar(&a.highStakes, "high-stakes", false, "a stress test, and the look of the arbiter where one is named, whatever the seats agree on")
	a.given.framingFlags(f)
}

func consultGiven(a *asking) []givenField {
	return []givenField{
		{fieldFraming, a.framing != "" && a.framing != string(state.FramingPropose)},
		{fieldMode, a.mode != "" && a.mode != string(state.ModeStandard)},
		{fieldHighStakes, a.highStakes},
		{fieldDesign, a.given.design != ""},
		{fieldPosition, a.given.position != ""},
		{fieldOption, len(a.given.options) > 0},
		{fieldView, len(a.given.viewTexts) > 0},
	}
}

func consultRead(a *asking, _ *Console, s *state.Settings, _ func(string)) error {
	if err := word(fieldFraming, a.framing, &s.Framing, state.Framings()); err != nil {
		return err
	}
	if err := word(fieldMode, a.mode, &s.Mode, state.Modes()); err != nil {
		return err
	}
	if err := checkFraming(s); err != nil {
		return err
	}
	if s.Mode == state.ModeQuick && (len(a.given.facts) > 0 || len(s.Context) > 0) {
		return in(fieldMode, usage("--mode quick is for questions without constraints, and --fact or --context was given; use --mode standard"))
	}
	if a.highStakes && s.Mode != state.ModeStandard {
		return in(fieldHighStakes, usage("--high-stakes asks for a stress test and arbitration, which --mode %s leaves out; use --mode standard", s.Mode))
	}
	return nil
}

// otherFormat refuses what only another format than the one that was named takes.
func (a *asking) otherFormat() error {
	for _, row := range formatRows() {
		if a.format == string(row.format) {
			continue
		}
		given := row.given(a)
		own := rowOf(state.Format(a.format))
		for _, s := range row.seats {
			shared := slices.Contains(own.names(), string(s.seat))
			given = append(given, givenField{field(s.seat), a.seats.named[s.seat] != "" && !shared})
		}
		for _, g := range given {
			// A flag may be one of several formats.
			also := slices.ContainsFunc(own.given(a), func(o givenField) bool { return o.field == g.field })
			if g.there && !also {
				return in(g.field, usage("--%s is a flag of --format %s, and the format is %s", g.field, row.format, a.format))
			}
		}
	}
	return nil
}

// formatNames are the names of the formats that run.
func formatNames() string {
	var names []string
	for _, row := range formatRows() {
		names = append(names, string(row.format))
	}
	return strings.Join(names, ", ")
}
