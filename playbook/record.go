package playbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"moot/config"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// Record returns the playbook as stored in a session, with its checks.
func (p *Playbook) Record() (*state.Playbook, error) {
	settings, err := json.Marshal(p.Config)
	if err != nil {
		return nil, fmt.Errorf("store the playbook %s: %w", p.Name, err)
	}
	kept := &state.Playbook{Name: p.Name, Config: settings, Flags: []state.RedFlag{}}
	for i := range p.Flags {
		f := &p.Flags[i]
		flag := state.RedFlag{
			ID: f.ID, Title: f.Title, Look: f.Look, Category: f.Category, Severity: string(f.Severity),
			Predicate: f.Predicate, Clears: f.Clears,
		}
		if len(f.Checks) > 0 {
			if flag.Checks, err = json.Marshal(f.Checks); err != nil {
				return nil, fmt.Errorf("store the checks of the flag %s: %w", f.ID, err)
			}
		}
		kept.Flags = append(kept.Flags, flag)
	}
	return kept, nil
}

// Recorded reads a playbook as stored in a session. The title of the playbook and the Why of a flag are not
// stored. It fails if another version of moot wrote the checks, or somebody changed them.
func Recorded(kept *state.Playbook) (Playbook, error) {
	book := Playbook{Name: kept.Name, Config: gates.DefaultConfig()}
	if len(kept.Config) > 0 {
		var own gates.Config
		if err := strictly(kept.Config, &own); err != nil {
			return Playbook{}, fmt.Errorf("read the settings of the playbook %s in the session: %w",
				config.Named(kept.Name), err)
		}
		book.Config = own.Over(book.Config)
	}
	for i := range kept.Flags {
		f := &kept.Flags[i]
		flag := Flag{
			ID: f.ID, Title: f.Title, Look: f.Look, Category: f.Category, Severity: gates.Severity(f.Severity),
			Predicate: f.Predicate, Clears: f.Clears,
		}
		var err error
		if flag.Checks, err = readChecks(f.Checks); err != nil {
			return Playbook{}, fmt.Errorf("read the checks of the flag %s in the session: %w", config.Named(f.ID),
				err)
		}
		book.Flags = append(book.Flags, flag)
	}
	return book, nil
}

// errTrailing reports data after the JSON value.
var errTrailing = errors.New("there is more data after the value")

// strictly decodes one JSON value without unknown fields.
func strictly(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// readChecks decodes checks. The decoder rejects unknown words and invalid expressions.
func readChecks(data json.RawMessage) ([]Check, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var checks []Check
	if err := strictly(data, &checks); err != nil {
		return nil, err
	}
	for i := range checks {
		for k := range checks[i].Patterns {
			pattern := &checks[i].Patterns[k]
			if pattern.Match == nil || pattern.Where == "" {
				return nil, fmt.Errorf("check %d: a pattern has no match or where", i+1)
			}
		}
		if checks[i].Kind == "" || checks[i].Scope == "" {
			return nil, fmt.Errorf("check %d: its kind or scope is missing", i+1)
		}
	}
	return checks, nil
}
