package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/state"
)

// seatOptions name who sits where.
type seatOptions struct {
	// named are who was named with the flag of a seat, typed who with --seat.
	named map[state.Seat]string
	typed []string
}

// seatFlag is the flag of a seat. Given again it names who takes the next seat
// of its like, where there are such.
type seatFlag struct {
	named   map[state.Seat]string
	seat    state.Seat
	further []string
}

// String implements pflag.Value.
func (f *seatFlag) String() string { return f.named[f.seat] }

// Set implements pflag.Value.
func (f *seatFlag) Set(participant string) error {
	if strings.TrimSpace(participant) == "" {
		return fmt.Errorf("it names no participant; for example: --%s rules", f.seat)
	}
	free := f.seat
	for i := 0; f.named[free] != "" && len(f.further) > 0; i++ {
		if i == len(f.further) {
			return fmt.Errorf("there are seats for %d at most", len(f.further)+1)
		}
		free = state.Seat(f.further[i])
	}
	f.named[free] = participant
	return nil
}

// Type implements pflag.Value.
func (*seatFlag) Type() string { return "string" }

// flags adds the flag of every seat, format by format, and the one for any seat.
func (o *seatOptions) flags(cmd *cobra.Command) { o.flagsOf(cmd, formatRows()) }

// flagsOf adds the flags of the seats of some formats, and the one for any of them.
func (o *seatOptions) flagsOf(cmd *cobra.Command, rows []formatRow) {
	o.named = map[state.Seat]string{}
	group(cmd, "Who sits at the table", func(f *pflag.FlagSet) {
		for _, row := range rows {
			for _, s := range row.seats {
				if f.Lookup(string(s.seat)) != nil {
					// A seat of several formats has one flag.
					continue
				}
				does := s.does
				if row.format != state.FormatConsult && len(rows) > 1 {
					does += " (--format " + string(row.format) + ")"
				}
				flag := &seatFlag{named: o.named, seat: s.seat}
				if s.seat == row.after {
					flag.further = row.further
				}
				f.Var(flag, string(s.seat), does)
			}
		}
		said := "any seat as NAME=PARTICIPANT (repeatable)"
		if slices.ContainsFunc(rows, func(r formatRow) bool { return r.after == state.Consultee }) {
			said = "any seat as NAME=PARTICIPANT, also consultee-2, … (repeatable)"
		}
		f.StringArrayVar(&o.typed, "seat", nil, said)
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
	for _, row := range formatRows() {
		for _, name := range row.names() {
			if o.named[state.Seat(name)] == "" {
				continue
			}
			if err := add("--"+name, name, o.named[state.Seat(name)]); err != nil {
				return nil, err
			}
		}
	}
	for _, typed := range o.typed {
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

// seatsOf are the names of the seats of a format, of all where it is empty.
func seatsOf(format state.Format) (known []string, said string) {
	var each []string
	for _, row := range formatRows() {
		if format == "" || row.format == format {
			known, each = append(known, row.names()...), append(each, row.said)
		}
	}
	return known, strings.Join(each, "; ")
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
	for _, row := range formatRows() {
		if i := slices.Index(row.names(), string(seat)); i >= 0 {
			return i
		}
	}
	return len(state.Formats()) + maxConsultees + maxPanelists
}
