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

// seatOptions are the flags that name participants.
type seatOptions struct {
	// named are the values of the seats' own flags, typed those of --seat.
	named map[state.Seat]string
	typed []string
}

// seatFlag is the flag of a seat. If it has numbered siblings, repeating the flag names the next one.
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
		return fmt.Errorf("the participant is empty; for example: --%s rules", f.seat)
	}
	free := f.seat
	for i := 0; f.named[free] != "" && len(f.further) > 0; i++ {
		if i == len(f.further) {
			return fmt.Errorf("there are only %d seats", len(f.further)+1)
		}
		free = state.Seat(f.further[i])
	}
	f.named[free] = participant
	return nil
}

// Type implements pflag.Value.
func (*seatFlag) Type() string { return "string" }

// flags adds the flags of all seats, and --seat.
func (o *seatOptions) flags(cmd *cobra.Command) { o.flagsOf(cmd, formatRows()) }

// flagsOf adds the flags of the seats of some formats, and --seat.
func (o *seatOptions) flagsOf(cmd *cobra.Command, rows []formatRow) {
	o.named = map[state.Seat]string{}
	group(cmd, "Participants", func(f *pflag.FlagSet) {
		for _, row := range rows {
			for _, s := range row.seats {
				if f.Lookup(string(s.seat)) != nil {
					// Several formats have this seat.
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
		help := "any seat as NAME=PARTICIPANT (repeatable)"
		if slices.ContainsFunc(rows, func(r formatRow) bool { return r.after == state.Consultee }) {
			help = "any seat as NAME=PARTICIPANT, also consultee-2, … (repeatable)"
		}
		f.StringArrayVar(&o.typed, "seat", nil, help)
	})
}

// place is a seat and the name of its participant.
type place struct {
	seat        state.Seat
	participant string
}

// places returns the named participants, in the order of the seats. An empty format allows the seats of all formats.
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
				return in(seatField(seat), usage("the seat %s is given to %s and to %s: choose one", seat,
					p.participant, participant))
			}
			if p.seat == seat {
				return nil
			}
		}
		places = append(places, place{seat, participant})
		return nil
	}
	for _, name := range knownSeats() {
		if participant := o.named[state.Seat(name)]; participant != "" {
			if err := add("--"+name, name, participant); err != nil {
				return nil, err
			}
		}
	}
	for _, typed := range o.typed {
		name, participant, ok := strings.Cut(typed, "=")
		if !ok {
			return nil, in(fieldSeat, usage("--seat is NAME=PARTICIPANT, as in --seat consultee-2=ollama:qwen3; got %q",
				typed))
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

// sits reports whether a seat has a participant.
func sits(places []place, seat state.Seat) bool {
	return slices.ContainsFunc(places, func(p place) bool { return p.seat == seat })
}

// seatsOf returns the names of the seats of a format, or of all formats, and a list of them for messages.
func seatsOf(format state.Format) (known []string, text string) {
	var each []string
	for _, row := range formatRows() {
		if format == "" || row.format == format {
			known, each = append(known, row.names()...), append(each, row.said)
		}
	}
	return known, strings.Join(each, "; ")
}

// knownSeats returns the names of the seats of all formats, each once.
func knownSeats() []string {
	known, _ := seatsOf("")
	var unique []string
	for _, name := range known {
		if !slices.Contains(unique, name) {
			unique = append(unique, name)
		}
	}
	return unique
}

// readSeat parses the name of a seat of a format.
func readSeat(name string, format state.Format) (state.Seat, error) {
	known, text := seatsOf(format)
	if name == string(state.User) {
		return "", usage("the seat user is always yours; to take another seat yourself, name the participant me for it")
	}
	if !slices.Contains(known, name) {
		if nearest := enum.Nearest(name, known); nearest != "" {
			return "", usage("unknown seat %q: did you mean %s?", name, nearest)
		}
		return "", usage("unknown seat %q; %s", name, text)
	}
	return state.Seat(name), nil
}

// order is the position of a seat among the seats of its format.
func order(seat state.Seat) int {
	for _, row := range formatRows() {
		if i := slices.Index(row.names(), string(seat)); i >= 0 {
			return i
		}
	}
	return len(state.Formats()) + maxConsultees + maxPanelists
}
