// Package constitution reads the constraints on the seats of a council: for each seat a list of sentences for
// its prompt, some with a check by code. Read returns a Constitution, or all problems of the file with
// their lines. Package resolver applies the checks. The package is pure.
package constitution

import (
	_ "embed"

	"moot/config"
	"moot/state"
)

//go:embed default.toml
var builtIn []byte

// DefaultName is the name of the built-in constitution.
const DefaultName = "default"

// Bounds of a file.
const (
	// MaxBytes is the size limit of a file.
	MaxBytes = 256 << 10
	// MaxPerSeat is how many constraints a seat may have. Its prompt holds all of them.
	MaxPerSeat = 20
	// MaxText is the length of a text in characters.
	MaxText = 400
	// MaxDeny is how many phrases a deny list may have.
	MaxDeny = 200
	// MaxPhrase is the length of a phrase in characters.
	MaxPhrase = 100
)

// Default returns the built-in constitution.
func Default() (Constitution, error) { return Read(builtIn, DefaultName) }

// Read reads a constitution. name is used in errors and stored with it. The error is of type config.Problems
// and lists all problems with their lines.
func Read(data []byte, name string) (Constitution, error) {
	r := &reader{Reader: config.Reader{Name: name}, first: map[string]string{}}
	c := Constitution{Name: name, Constraints: []Constraint{}}
	if r.Decode(data, kind(), &r.form) {
		r.constraints(&c)
	}
	if err := r.Err(); err != nil {
		return Constitution{}, err
	}
	return c, nil
}

// Seats returns the seats to which code can apply a check. Every seat may have constraints without a check.
func Seats(check Check) []state.Seat {
	switch check {
	case CheckCites, CheckUncertainty, CheckDiverse, CheckFeasible, CheckBias,
		CheckNoHarm:
		// These check claims. The strategist is responsible for all of them, the moderator for those that it
		// reworded.
		return []state.Seat{Strategist, Moderator}
	case CheckMethod:
		// This checks challenges.
		return []state.Seat{Critic, Adversary, Expert}
	case CheckNone:
	}
	return CouncilSeats()
}
