package council

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/protocol"
	"moot/protocol/council/constitution"
	"moot/state"
	"moot/view"
)

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	adversary := protocol.SeatField(constitution.Adversary, "Adversary", "looks for what breaks the claims", "",
		"the critic's")
	moderator := protocol.SeatField(constitution.Moderator, "Moderator",
		"draws conclusions from the claims, and rewords them", "", "the critic's")
	adversary.None.Help, moderator.None.Help = "the same participant as the critic",
		"the same participant as the critic"
	return protocol.Settings{
		About: "claims, tested by a critic and an adversary until they hold or fail", Rules: protocol.SearchRules,
		NoRules: map[state.Seat]string{"": "they hold and judge no claims"},
		Vacant:  shareCritic, Open: open,
		Fields: slices.Concat([]view.Field{
			protocol.SeatField(constitution.Strategist, "Strategist", "makes the claims and answers for them",
				view.FirstFound, ""),
			protocol.SeatField(constitution.Critic, "Critic", "looks for flaws of method and evidence",
				view.SecondFound, ""),
			adversary, moderator,
			protocol.SeatField(constitution.Expert, "Expert", "answers questions after the adversary", "", "nobody"),
			{
				Key: "rounds", Label: "Rounds", Default: strconv.Itoa(DefaultRounds),
				Help: fmt.Sprintf("How often the claims are tested at most, 1 to %d. Consensus ends it earlier.",
					MaxRounds),
				Flag: fmt.Sprintf("the maximum number of rounds, 1 to %d", MaxRounds),
			},
			{
				Key: "parallel", Label: "Asked", Kind: view.FieldSelect,
				Help: "Whether critic and adversary see each other's reply.",
				Flag: "ask critic and adversary at once, without seeing each other's reply",
				Choices: []view.Choice{
					{Value: view.No, Label: "in turn", Help: "the adversary after the critic was answered"},
					{
						Value: view.Yes, Label: "at once",
						Help: "critic and adversary, without seeing each other's reply",
					},
				},
			},
			{
				Key: "constitution", Label: "Constitution", Placeholder: "the built-in one",
				Help: "The rules for the seats: a TOML file.",
				Flag: "the rules for the seats: a TOML file (default: built in)",
			},
			{
				Key: "weights", Label: "Weights", Default: WeightWords(DefaultWeights()),
				Help: "How much each seat's confidence counts. The sum is 1.",
				Flag: "how much the confidence of each seat counts; the sum is 1",
			},
			{
				Key: "decision-threshold", Label: "Accepted from", Default: fmt.Sprint(DefaultDecision),
				Help: "The aggregate, 0 to 1, from which a claim may be accepted.",
			},
		}, protocol.ContextFields()),
	}
}

// shareCritic gives the empty seats that test claims to the critic's participant.
func shareCritic(
	taken []state.SeatAssignment, _ func(string) protocol.ParticipantKind,
) (more []state.SeatAssignment) {
	by := map[state.Seat]string{}
	for _, a := range taken {
		by[a.Seat] = a.Participant
	}
	critic := by[constitution.Critic]
	for _, seat := range []state.Seat{constitution.Adversary, constitution.Moderator} {
		if by[seat] == "" && critic != "" {
			more = append(more, state.SeatAssignment{Seat: seat, Participant: critic})
		}
	}
	return more
}

// open reads the settings of a council.
func open(v view.Values, files protocol.Files, s *state.Settings) (none protocol.Opening, err error) {
	council := defaults()
	council.Parallel = v["parallel"] == view.Yes
	s.Own = council
	if err := protocol.ReadNumber(v, "rounds", 1, MaxRounds, &council.Rounds); err != nil {
		return none, err
	}
	if text := v["decision-threshold"]; text != "" {
		if council.Decision, err = parseShare(text); err != nil {
			return none, protocol.WrongValue("decision-threshold",
				"--decision-threshold is a confidence from 0 to 1, as in 0.3, not %q", text)
		}
	}
	if v["weights"] != "" {
		if council.Weights, err = readWeights(v["weights"]); err != nil {
			return none, &view.FieldError{Key: "weights", Err: err}
		}
	}
	// All seats but the expert's are taken in the end.
	if !slices.ContainsFunc(council.Weights, func(w SeatWeight) bool {
		return w.Weight > 0 && (w.Seat != constitution.Expert || v[string(constitution.Expert)] != "")
	}) {
		return none, protocol.WrongValue("weights", "--weights: only the expert has a weight, and that seat is empty, "+
			"so no claim could be accepted: name one with --expert")
	}
	council.Constitution, err = constitution.Default()
	if v["constitution"] != "" {
		var data []byte
		if data, err = files.Read(v["constitution"], constitution.MaxBytes+1); err == nil {
			council.Constitution, err = constitution.Read(data, v["constitution"])
		}
	}
	if err != nil {
		return none, &view.FieldError{Key: "constitution", Err: err}
	}
	return none, nil
}

func parseShare(text string) (float64, error) {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err == nil && (math.IsNaN(value) || value < 0 || value > 1) {
		err = strconv.ErrRange
	}
	return value, err
}

// readWeights reads "strategist=0.3,critic=0.4,…".
func readWeights(text string) ([]SeatWeight, error) {
	var weights []SeatWeight
	sum := 0.0
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("--weights is SEAT=WEIGHT, separated by commas, as in %s; got %q",
				WeightWords(DefaultWeights()), part)
		}
		seat, err := enum.Parse("seat of a council", strings.TrimSpace(name), constitution.CouncilSeats())
		if err != nil {
			return nil, fmt.Errorf("--weights: %w", err)
		}
		if slices.ContainsFunc(weights, func(w SeatWeight) bool { return w.Seat == seat }) {
			return nil, fmt.Errorf("--weights names the %s twice", seat)
		}
		weight, err := parseShare(value)
		if err != nil {
			return nil, fmt.Errorf("--weights: the weight of the %s is from 0 to 1, as in 0.3, not %q", seat, value)
		}
		weights, sum = append(weights, SeatWeight{Seat: seat, Weight: weight}), sum+weight
	}
	if math.Abs(sum-1) > 1e-6 {
		return nil, fmt.Errorf("--weights add up to %g, and must add up to 1: %s", sum, WeightWords(weights))
	}
	return weights, nil
}
