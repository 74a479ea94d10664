package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"moot/agent"
	"moot/constitution"
	"moot/internal/enum"
	"moot/state"
)

// councilOptions are what the format council takes beside the question.
type councilOptions struct {
	// weights and decision are as typed, "" for the usual.
	weights, decision string
	parallel          bool
	// constitution is a TOML file, "" for the one that is built in.
	constitution string
}

func councilRow() formatRow {
	return formatRow{
		format: state.FormatCouncil,
		seats: []seatRow{
			{state.Strategist, "who holds the claims, and answers for them"},
			{state.Critic, "who looks for flaws of method and evidence"},
			{state.Adversary, "who looks for what breaks the claims; the critic's participant where nobody is named"},
			{state.Moderator, "who says what follows; the critic's participant where nobody is named"},
			{state.Expert, "who is asked after the adversary (optional)"},
		},
		said:  "council has strategist, critic, adversary, moderator, expert",
		first: state.Critic, second: state.Strategist,
		other: sharing,
		flags: func(a *asking, f *pflag.FlagSet) { a.council.flags(a, f) },
		given: func(a *asking) []givenField {
			o := &a.council
			return []givenField{
				{fieldRounds, a.rounds != ""},
				{fieldParallel, o.parallel},
				{fieldConstitution, o.constitution != ""},
				{fieldWeights, o.weights != ""},
				{fieldDecision, o.decision != ""},
			}
		},
		read: func(a *asking, c *Console, s *state.Settings, _ func(string)) error {
			if err := a.council.read(a.rounds, c, s); err != nil {
				return err
			}
			places, err := a.table(s.Format)
			if err == nil && !weighty(s.Council.Weights, places) {
				return in(fieldWeights, usage("--weights: only the expert has a weight, and nobody sits there, so that no claim could stand: name one with --expert"))
			}
			return err
		},
	}
}

func (o *councilOptions) flags(a *asking, f *pflag.FlagSet) {
	f.StringVar(&a.rounds, "rounds", "", fmt.Sprintf("how often the claims are tested at most, 1 to %d (default %d); of a hearing how\noften the sides argue, 2 to %d (default %d)", state.MaxCouncilRounds, state.DefaultCouncilRounds, state.MaxHearingRounds, state.DefaultHearingRounds))
	f.BoolVar(&o.parallel, "parallel", false, "critic and adversary are asked at once, unseen by each other")
	f.StringVar(&o.constitution, "constitution", "", "what binds the seats: a TOML file (default: the one that is built in)")
	f.StringVar(&o.weights, "weights", "", "how much the confidence of each seat counts, adding up to 1\n(default "+state.WeightWords(state.DefaultWeights())+")")
	f.StringVar(&o.decision, "decision-threshold", "", fmt.Sprintf("the aggregate, 0 to 1, from which a claim may stand (default %g)", state.DefaultDecision))
}

// sharing seats who tests: one participant may sit on several seats, and who holds
// the claims says last what follows from them.
func sharing(places []place, _ *agent.Book) []place {
	tester := ""
	for _, p := range places {
		if p.seat == state.Critic {
			tester = p.participant
		}
	}
	var more []place
	for _, seat := range []state.Seat{state.Adversary, state.Moderator} {
		if tester != "" && !sits(places, seat) {
			more = append(more, place{seat, tester})
		}
	}
	return more
}

func (o *councilOptions) read(typed string, c *Console, s *state.Settings) error {
	council := &state.CouncilSettings{Rounds: state.DefaultCouncilRounds, Parallel: o.parallel, Weights: state.DefaultWeights(), Decision: state.DefaultDecision}
	if typed != "" {
		rounds, err := strconv.Atoi(strings.TrimSpace(typed))
		if err != nil || rounds < 1 || rounds > state.MaxCouncilRounds {
			return in(fieldRounds, usage("--rounds is a number from 1 to %d, not %q", state.MaxCouncilRounds, typed))
		}
		council.Rounds = rounds
	}
	if err := threshold(fieldDecision, "a confidence", o.decision, &council.Decision); err != nil {
		return err
	}
	if o.weights != "" {
		weights, err := readWeights(o.weights)
		if err != nil {
			return in(fieldWeights, err)
		}
		council.Weights = weights
	}
	book, err := o.book(c)
	if err != nil {
		return in(fieldConstitution, err)
	}
	council.Constitution = book
	s.Council = council
	return nil
}

// book is the built-in constitution, or that of the file.
func (o *councilOptions) book(c *Console) (state.Constitution, error) {
	if o.constitution == "" {
		return constitution.Default()
	}
	data, err := readFile(c, o.constitution, constitution.MaxBytes+1)
	if err != nil {
		return state.Constitution{}, err
	}
	book, err := constitution.Read(data, o.constitution)
	if err != nil {
		return state.Constitution{}, usage("%w", err)
	}
	return book, nil
}

// readWeights reads "strategist=0.3,critic=0.4,…".
func readWeights(typed string) ([]state.SeatWeight, error) {
	var weights []state.SeatWeight
	sum := 0.0
	for part := range strings.SplitSeq(typed, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, usage("--weights is SEAT=WEIGHT, parted by commas, as in %s; got %q", state.WeightWords(state.DefaultWeights()), part)
		}
		seat, err := enum.Parse("seat of a council", strings.TrimSpace(name), state.CouncilSeats())
		if err != nil {
			return nil, usage("--weights: %w", err)
		}
		if slices.ContainsFunc(weights, func(w state.SeatWeight) bool { return w.Seat == seat }) {
			return nil, usage("--weights names the %s twice", seat)
		}
		weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || math.IsNaN(weight) || weight < 0 || weight > 1 {
			return nil, usage("--weights: the weight of the %s is from 0 to 1, as in 0.3, not %q", seat, value)
		}
		weights, sum = append(weights, state.SeatWeight{Seat: seat, Weight: weight}), sum+weight
	}
	if math.Abs(sum-1) > 1e-6 {
		return nil, usage("--weights add up to %g, and must add up to 1: %s", sum, state.WeightWords(weights))
	}
	return weights, nil
}

// weighty reports whether a seat has a weight on which somebody sits: all seats but
// the expert's are taken in the end.
func weighty(weights []state.SeatWeight, places []place) bool {
	return slices.ContainsFunc(weights, func(w state.SeatWeight) bool {
		return w.Weight > 0 && (w.Seat != state.Expert || sits(places, state.Expert))
	})
}
