package review

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"moot/internal/enum"
	"moot/protocol"
	"moot/protocol/dialectic/playbook"
	"moot/state"
	"moot/view"
)

// MaxReviewers is the maximum number of reviewers.
const MaxReviewers = 5

// DefaultPlaybook has the red flags of a review.
const DefaultPlaybook = "code-review"

// ErrNoChange says that a review was opened without a change.
var ErrNoChange = errors.New("a review needs a change: type moot review")

// Settings implements protocol.Format. The command line adds the change to the session's settings.
func (Format) Settings() protocol.Settings {
	proposed := []string{view.FirstFound, view.SecondFound, view.ThirdFound}
	var fields []view.Field
	var keys []string
	for i := range MaxReviewers {
		f := protocol.SeatField(Reviewer, fmt.Sprintf("Reviewer %d", i+1),
			"looks for defects without seeing what the others find", "", "")
		f.Flag = fmt.Sprintf("looks for defects without seeing what the others find; once for each of 2 to %d reviewers",
			MaxReviewers)
		if i < len(proposed) {
			f.Default = proposed[i]
		}
		if i > 0 {
			f.Key = fmt.Sprintf("%s-%d", Reviewer, i+1)
		}
		if i > 1 {
			f.Help, f.None = "One more reviewer, or nobody.", view.Choice{Label: "nobody"}
			before := slices.Clone(keys[2:])
			f.Hidden = func(v view.Values) bool {
				return slices.ContainsFunc(before, func(key string) bool { return v[key] == "" })
			}
		}
		keys, fields = append(keys, f.Key), append(fields, f)
	}
	author := protocol.SeatField(Author, "Author", "says to each finding whether it is fixed, intended or wrong", "",
		"nobody")
	return protocol.Settings{
		About:   "a change, reviewed by several who do not see each other's findings",
		Rules:   "no language model: looks for the red flags of the playbook by patterns",
		NoRules: map[state.Seat]string{Author: "they cannot say what was intended"},
		Question: view.Field{
			Label: "Change", Placeholder: "what is not pushed, with the working tree",
			Help: "A commit or a range, as in main or A..B; empty for what is not pushed, with the working tree.",
		},
		OptionalQuestion: true, Repeated: Reviewer, Most: MaxReviewers, Open: open,
		Fields: slices.Concat(fields, []view.Field{
			author,
			{
				Key: "playbook", Label: "Playbook", Kind: view.FieldSelect, Default: DefaultPlaybook,
				Help:    "What to look for, and how strict to be.",
				Choices: protocol.Choices[string](nil, playbook.Names()...),
				Other:   "a file of your own", OtherPlaceholder: "its file", OtherHelp: "Your own playbook: a TOML file.",
			},
			{
				Key: "gate", Label: "Gate", Kind: view.FieldSelect, Default: "high",
				Help: "The lowest severity that keeps the change from being merged.",
				Flag: "the lowest severity that keeps the change from being merged",
				Choices: []view.Choice{
					{Value: "high", Help: "wrong results or failures that will occur"},
					{Value: "blocking", Help: "only what must not be merged"},
					{Value: "medium", Help: "also rare cases and traps"},
					{Value: "low", Help: "everything"},
				},
			},
			{
				Key: "rounds", Label: "Exchanges", Default: "1",
				Help: fmt.Sprintf("How often findings of one reviewer alone are put to the others at most, 1 to %d.",
					MostExchanges),
				Flag: fmt.Sprintf("how often findings of one reviewer alone are put to the others, 1 to %d", MostExchanges),
			},
			{
				Key: "turns", Label: "Turns", Default: strconv.Itoa(DefaultTurns),
				Help: "How many prompts a reviewer gets for a change that does not fit one, 1 to 8.",
				Flag: "how many prompts a reviewer gets for a change that does not fit one, 1 to 8",
			},
		}, protocol.ContextFields()),
	}
}

// open reads the settings of a review.
func open(v view.Values, files protocol.Files, s *state.Settings) (none protocol.Opening, err error) {
	own := defaults()
	s.Own = own
	own.Playbook, err = playbook.Open(v["playbook"], files.Read, files.Redact)
	if err != nil {
		return none, &view.FieldError{Key: "playbook", Err: err}
	}
	if own.Gate, err = ReadSeverity(v["gate"]); err != nil {
		var unknown *enum.UnknownError
		if errors.As(err, &unknown) {
			unknown.What = "gate"
		}
		return none, &view.FieldError{Key: "gate", Err: err}
	}
	if err := protocol.ReadNumber(v, "rounds", 1, MostExchanges, &own.Exchanges); err != nil {
		return none, err
	}
	return none, protocol.ReadNumber(v, "turns", 1, 8, &own.Turns)
}
