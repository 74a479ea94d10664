// Package constitution reads what binds the seats of a council: per seat a list of
// constraints, each a sentence for its prompt, and a check where code can look
// after it. Bytes go in, a state.Constitution or all that is wrong with its lines
// comes out. What the checks look for is in package resolver. The package is pure.
// Start at Read.
package constitution

import (
	_ "embed"

	"moot/config"
	"moot/state"
)

//go:embed default.toml
var builtIn []byte

// DefaultName names the constitution that is built in.
const DefaultName = "default"

// Bounds of a file.
const (
	// MaxBytes is the largest file that is read.
	MaxBytes = 256 << 10
	// MaxPerSeat is how many constraints one seat may have: its prompt holds them all.
	MaxPerSeat = 20
	// MaxID is the length of an id in bytes.
	MaxID = 40
	// MaxText is the length of a text in characters.
	MaxText = 400
	// MaxDeny is how many phrases a deny list holds.
	MaxDeny = 200
	// MaxPhrase is the length of one of them in characters.
	MaxPhrase = 100
)

// Default returns the constitution that is built in.
func Default() (state.Constitution, error) { return Read(builtIn, DefaultName) }

// DefaultText is the file of the constitution that is built in, in TOML.
func DefaultText() string { return string(builtIn) }

// Read reads a constitution; name is what errors call the file, and is kept with it.
// The error is of type config.Problems, and holds all that is wrong at once, with
// the lines; a constitution with a problem is not to be used.
func Read(data []byte, name string) (state.Constitution, error) {
	r := &reader{Reader: config.Reader{Name: name}, first: map[string]string{}}
	c := state.Constitution{Name: name, Constraints: []state.Constraint{}}
	if r.Decode(data, kind(), &r.form) {
		r.constraints(&c)
	}
	if err := r.Err(); err != nil {
		return state.Constitution{}, err
	}
	return c, nil
}

// Seats are those under which a check may stand: where code can apply it. Every seat
// may have constraints without one.
func Seats(check state.Check) []state.Seat {
	switch check {
	case state.CheckCites, state.CheckUncertainty, state.CheckDiverse, state.CheckFeasible, state.CheckBias,
		state.CheckNoHarm:
		// They look at claims: the strategist answers for all of them, the moderator
		// for those that it worded anew.
		return []state.Seat{state.Strategist, state.Moderator}
	case state.CheckMethod:
		// It looks at challenges.
		return []state.Seat{state.Critic, state.Adversary, state.Expert}
	case state.CheckNone:
	}
	return state.CouncilSeats()
}
