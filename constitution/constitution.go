// Package constitution reads what binds the seats of a council: per seat a list of
// constraints, each a sentence for its prompt, and a check where code can look
// after it.
package constitution

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"moot/state"
)

//go:embed default.toml
var builtIn []byte

// MaxBytes is how long a file may be.
const MaxBytes = 256 << 10

// DefaultName names the constitution that is built in.
const DefaultName = "default"

type file struct {
	Strategist []entry `toml:"strategist"`
	Critic     []entry `toml:"critic"`
	Adversary  []entry `toml:"adversary"`
	Expert     []entry `toml:"expert"`
	Moderator  []entry `toml:"moderator"`
}

type entry struct {
	ID    string      `toml:"id"`
	Text  string      `toml:"text"`
	Check state.Check `toml:"check"`
	Deny  []string    `toml:"deny"`
}

// Default returns the constitution that is built in.
func Default() (state.Constitution, error) { return Read(builtIn, DefaultName) }

// Read reads a constitution; the name is kept with it. An error says what is wrong,
// and where.
func Read(data []byte, name string) (state.Constitution, error) {
	if len(data) > MaxBytes {
		return state.Constitution{}, fmt.Errorf("%s: a constitution has at most %d bytes", name, MaxBytes)
	}
	var f file
	decoder := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return state.Constitution{}, fmt.Errorf("%s: %w", name, err)
	}
	c := state.Constitution{Name: name, Constraints: []state.Constraint{}}
	for _, list := range []struct {
		seat    state.Seat
		entries []entry
	}{{state.Strategist, f.Strategist}, {state.Critic, f.Critic}, {state.Adversary, f.Adversary}, {state.Expert, f.Expert}, {state.Moderator, f.Moderator}} {
		for _, e := range list.entries {
			if e.ID == "" || e.Text == "" || c.Constraint(e.ID) != nil {
				return state.Constitution{}, errors.New(name + ": each constraint has an id of its own and a text")
			}
			c.Constraints = append(c.Constraints, state.Constraint{ID: e.ID, Seat: list.seat, Text: e.Text, Check: e.Check, Deny: e.Deny})
		}
	}
	return c, nil
}
