package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/enum"
	"moot/state"
)

// seatOptions name who sits where.
type seatOptions struct {
	seats                            []string
	orchestrator, consultee, arbiter string
	proposer, tester                 string
}

func (o *seatOptions) flags(cmd *cobra.Command) {
	group(cmd, "Who sits at the table", func(f *pflag.FlagSet) {
		f.StringVar(&o.orchestrator, "orchestrator", "", "who triages, evaluates and challenges")
		f.StringVar(&o.consultee, "consultee", "", "who proposes and defends")
		f.StringVar(&o.arbiter, "arbiter", "", "who looks at the result before it is given (optional)")
		f.StringArrayVar(&o.seats, "seat", nil, "any seat as NAME=PARTICIPANT, also consultee-2, … (repeatable)")
	})
}

// place is one seat and the participant named for it.
type place struct {
	seat        state.Seat
	participant string
}

// places returns who was named, in the order of the table; an empty format is
// any.
func (o *seatOptions) places(format state.Format) ([]place, error) {
	var places []place
	add := func(flag, name, participant string) error {
		seat, err := readSeat(name, format)
		if err != nil {
			return in(fieldSeat, err)
		}
		participant = strings.TrimSpace(participant)
		if participant == "" {
			return in(seatField(seat), usage("%s names no participant; for example: --seat %s=rules", flag, seat))
		}
		for _, p := range places {
			if p.seat == seat && p.participant != participant {
				return in(seatField(seat), usage("the seat %s is given to %s and to %s: choose one", seat, p.participant, participant))
			}
			if p.seat == seat {
				return nil
			}
		}
		places = append(places, place{seat, participant})
		return nil
	}
	for _, short := range []place{{state.Orchestrator, o.orchestrator}, {state.Consultee, o.consultee}, {state.Arbiter, o.arbiter}, {state.Proposer, o.proposer}, {state.PressureTester, o.tester}} {
		if short.participant == "" {
			continue
		}
		if err := add("--"+string(short.seat), string(short.seat), short.participant); err != nil {
			return nil, err
		}
	}
	for _, typed := range o.seats {
		name, participant, ok := strings.Cut(typed, "=")
		if !ok {
			return nil, in(fieldSeat, usage("--seat is NAME=PARTICIPANT, as in --seat consultee-2=ollama:qwen3; got %q", typed))
		}
		if err := add("--seat "+name, name, participant); err != nil {
			return nil, err
		}
	}
	sortPlaces(places)
	return places, nil
}

func sortPlaces(places []place) {
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(order(a.seat), order(b.seat)) })
}

// maxConsultees is how many consultees a session may have.
const maxConsultees = 9

// seatsOf are the names of the seats of a format, of all where it is empty.
func seatsOf(format state.Format) (known []string, said string) {
	if format != state.FormatDialectic {
		known = append(known, string(state.Orchestrator), string(state.Consultee), string(state.Arbiter))
		for n := 2; n <= maxConsultees; n++ {
			known = append(known, string(state.Consultee)+"-"+strconv.Itoa(n))
		}
		said = fmt.Sprintf("consult has orchestrator, consultee, consultee-2 to consultee-%d, arbiter", maxConsultees)
	}
	if format != state.FormatConsult {
		known = append(known, string(state.Proposer), string(state.PressureTester))
		said = strings.TrimPrefix(said+"; dialectic has proposer, pressure-tester", "; ")
	}
	return known, said
}

// readSeat reads the name of a seat of a format.
func readSeat(name string, format state.Format) (state.Seat, error) {
	known, said := seatsOf(format)
	if name == string(state.User) {
		return "", usage("the seat user is always yours; name a participant for another seat, me among them")
	}
	if !slices.Contains(known, name) {
		if nearest := enum.Nearest(name, known); nearest != "" {
			return "", usage("unknown seat %q: did you mean %s?", name, nearest)
		}
		return "", usage("unknown seat %q; %s", name, said)
	}
	return state.Seat(name), nil
}

// order is the place of a seat at the table.
func order(seat state.Seat) int {
	switch {
	case seat == state.Orchestrator, seat == state.Proposer:
		return 0
	case seat == state.Consultee, seat == state.PressureTester:
		return 1
	case seat.IsConsultee():
		n, _ := strconv.Atoi(strings.TrimPrefix(string(seat), string(state.Consultee)+"-"))
		return n
	}
	return 1000
}
