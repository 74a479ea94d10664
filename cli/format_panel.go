package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"moot/agent"
	"moot/internal/enum"
	"moot/internal/plain"
	"moot/resolver/conflict"
	"moot/state"
)

// maxPanelists is how many may sit in a panel.
const maxPanelists = 12

// panelOptions are what the format panel takes beside the question.
type panelOptions struct {
	strategy string
}

func panelRow() formatRow {
	return formatRow{
		format: state.FormatPanel,
		seats: []seatRow{
			{state.Orchestrator, "who says which answers are on one subject"},
			{state.Panelist, fmt.Sprintf("who answers, unseen by the others: given once for each, 2 to %d times", maxPanelists)},
		},
		further: further(state.Panelist, maxPanelists), after: state.Panelist,
		said:  fmt.Sprintf("panel has orchestrator, panelist, panelist-2 to panelist-%d", maxPanelists),
		first: state.Panelist + "-2", second: state.Panelist,
		other: comparer,
		flags: func(a *asking, f *pflag.FlagSet) { a.panel.flags(a, f) },
		given: func(a *asking) []givenField {
			o := &a.panel
			return []givenField{
				{fieldStrategy, o.strategy != ""},
				{fieldThen, a.then != ""},
			}
		},
		read: func(a *asking, _ *Console, s *state.Settings, _ func(string)) error { return a.panel.read(a.then, s) },
	}
}

func (o *panelOptions) flags(a *asking, f *pflag.FlagSet) {
	f.StringVar(&o.strategy, "strategy", "", "what settles a conflict: "+strings.Join(enum.Words(conflict.Strategies()), ", ")+" (default tiered)")
	f.StringVar(&a.then, "then", "", "what becomes of a conflict that the strategy does not settle: consult has the two sides\nargue it; without it the user is asked; of a hearing the form with which it goes on")
}

// comparer is who compares the answers where nobody was named: the first panelist
// that is a model or an agent program, else the first that can be asked without a
// person. A program of the person's own may be anything, and is not taken for a model.
func comparer(places []place, book *agent.Book) []place {
	if sits(places, state.Orchestrator) {
		return nil
	}
	for _, p := range places {
		if choice, err := book.Parse(p.participant); err == nil && choice.IsModel() {
			return []place{{state.Orchestrator, p.participant}}
		}
	}
	for _, p := range places {
		if choice, err := book.Parse(p.participant); err == nil && !choice.Has(agent.KindPerson) {
			return []place{{state.Orchestrator, p.participant}}
		}
	}
	return nil
}

// doubles says which panelists are the same participant, "" where none are. It is
// allowed: one model asked twice may well answer otherwise, which is worth knowing;
// but that it agrees with itself is no second opinion. A script may hold the replies
// of several seats.
func doubles(s *state.State) string {
	of := map[string][]string{}
	var names []string
	for _, a := range s.Seats {
		// By whatever name: what counts is who it is.
		_, is := state.OwnName(a.Participant)
		if !a.Seat.IsPanelist() || strings.HasPrefix(is, string(agent.KindScript)+":") {
			continue
		}
		if of[is] == nil {
			names = append(names, is)
		}
		of[is] = append(of[is], string(a.Seat))
	}
	var said []string
	for _, name := range names {
		if seats := of[name]; len(seats) > 1 {
			said = append(said, fmt.Sprintf("%s are all %s: each has its vote, but to agree with itself is no second opinion", strings.Join(seats, ", "), plain.Line(name)))
		}
	}
	return strings.Join(said, "; ")
}

func (o *panelOptions) read(then string, s *state.Settings) error {
	strategy := conflict.Tiered
	if o.strategy != "" {
		if err := word(fieldStrategy, o.strategy, &strategy, conflict.Strategies()); err != nil {
			return err
		}
	}
	if then != "" && then != state.ThenConsult {
		return in(fieldThen, usage("--then %s: there is only --then %s, which has the two sides argue what was not settled", then, state.ThenConsult))
	}
	s.Panel = &state.PanelSettings{Strategy: string(strategy), Then: then}
	return nil
}

// threshold reads a number from 0 to 1 if one was given.
func threshold(f field, what, typed string, into *float64) error {
	if typed == "" {
		return nil
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(typed), 64)
	if err != nil || math.IsNaN(value) || value < 0 || value > 1 {
		return in(f, usage("--%s is %s from 0 to 1, as in 0.3, not %q", f, what, typed))
	}
	*into = value
	return nil
}
