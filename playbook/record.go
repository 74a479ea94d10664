package playbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"moot/protocol/dialectic/gates"
	"moot/state"
)

// recordedCheck is a Check as stored in a session. Its pattern sets are written out, so that the session does
// not depend on the version of moot.
type recordedCheck struct {
	Kind     Kind              `json:"kind"`
	Files    []string          `json:"files,omitempty"`
	Except   []string          `json:"except,omitempty"`
	Scope    Scope             `json:"scope"`
	Patterns []recordedPattern `json:"patterns,omitempty"`
	Near     string            `json:"near,omitempty"`
	When     string            `json:"when,omitempty"`
	Needs    []string          `json:"needs,omitempty"`
	Changes  []Alteration      `json:"change,omitempty"`
	Unless   string            `json:"unless,omitempty"`
	Limit    int               `json:"limit,omitempty"`
}

type recordedPattern struct {
	Files  []string `json:"files,omitempty"`
	Match  string   `json:"match"`
	Unless string   `json:"unless,omitempty"`
	Where  Part     `json:"where"`
}

// Record returns the playbook as stored in a session, with its checks.
func (p *Playbook) Record() (*state.Playbook, error) {
	config, err := json.Marshal(p.Config)
	if err != nil {
		return nil, fmt.Errorf("store the playbook %s: %w", p.Name, err)
	}
	kept := &state.Playbook{Name: p.Name, Config: config, Flags: []state.RedFlag{}}
	for i := range p.Flags {
		f := &p.Flags[i]
		flag := state.RedFlag{
			ID: f.ID, Title: f.Title, Look: f.Look, Category: f.Category, Severity: string(f.Severity),
			Predicate: f.Predicate, Clears: f.Clears,
		}
		if len(f.Checks) > 0 {
			if flag.Checks, err = json.Marshal(recordChecks(f.Checks)); err != nil {
				return nil, fmt.Errorf("store the checks of the flag %s: %w", f.ID, err)
			}
		}
		kept.Flags = append(kept.Flags, flag)
	}
	return kept, nil
}

func recordChecks(checks []Check) []recordedCheck {
	var all []recordedCheck
	for i := range checks {
		c := &checks[i]
		one := recordedCheck{
			Kind: c.Kind, Files: c.Files, Except: c.Except, Scope: c.Scope, Near: source(c.Near), When: source(c.When),
			Needs: c.Needs, Changes: c.Changes, Unless: source(c.Unless),
			Limit: c.Limit,
		}
		for _, p := range c.Patterns {
			one.Patterns = append(one.Patterns, recordedPattern{p.Files, source(p.Match), source(p.Unless), p.Where})
		}
		all = append(all, one)
	}
	return all
}

// source returns the text of an expression, or "" for nil.
func source(expression *regexp.Regexp) string {
	if expression == nil {
		return ""
	}
	return expression.String()
}

// Recorded reads a playbook as stored in a session. The title of the playbook and the Why of a flag are not
// stored. It fails if another version of moot wrote the checks, or somebody changed them.
func Recorded(kept *state.Playbook) (Playbook, error) {
	book := Playbook{Name: kept.Name, Config: gates.DefaultConfig()}
	if len(kept.Config) > 0 {
		var own gates.Config
		if err := strictly(kept.Config, &own); err != nil {
			return Playbook{}, fmt.Errorf("read the settings of the playbook %s in the session: %w",
				nameOf(kept.Name), err)
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
			return Playbook{}, fmt.Errorf("read the checks of the flag %s in the session: %w", nameOf(f.ID),
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

func readChecks(data json.RawMessage) ([]Check, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var recorded []recordedCheck
	if err := strictly(data, &recorded); err != nil {
		return nil, err
	}
	var checks []Check
	for i := range recorded {
		check, err := recorded[i].read()
		if err != nil {
			return nil, fmt.Errorf("check %d: %w", i+1, err)
		}
		checks = append(checks, check)
	}
	return checks, nil
}

// read converts it to a Check. Unknown words are rejected by the decoder, missing ones here.
func (r *recordedCheck) read() (Check, error) {
	c := Check{
		Kind: r.Kind, Files: r.Files, Except: r.Except, Scope: r.Scope, Needs: r.Needs,
		Changes: r.Changes, Limit: r.Limit,
	}
	switch {
	case r.Kind == "" || r.Scope == "":
		return c, errors.New("its kind or scope is missing")
	case r.Limit < 0:
		return c, fmt.Errorf("its limit is %d; use a number of lines from 0", r.Limit)
	}
	for _, glob := range slices.Concat(r.Files, r.Except, r.Needs) {
		if !doublestar.ValidatePattern(glob) {
			return c, fmt.Errorf("%q is not a glob", glob)
		}
	}
	for _, one := range []struct {
		text string
		into **regexp.Regexp
	}{{r.Near, &c.Near}, {r.When, &c.When}, {r.Unless, &c.Unless}} {
		if err := compile(one.text, one.into); err != nil {
			return c, err
		}
	}
	for i := range r.Patterns {
		pattern, err := r.Patterns[i].read()
		if err != nil {
			return c, err
		}
		c.Patterns = append(c.Patterns, pattern)
	}
	return c, nil
}

func (r *recordedPattern) read() (Pattern, error) {
	p := Pattern{Files: r.Files, Where: r.Where}
	if r.Match == "" || r.Where == "" {
		return p, errors.New("a pattern has no match or where")
	}
	for _, glob := range r.Files {
		if !doublestar.ValidatePattern(glob) {
			return p, fmt.Errorf("%q is not a glob", glob)
		}
	}
	if err := compile(r.Match, &p.Match); err != nil {
		return p, err
	}
	p.Words = wordsOf(p.Match)
	return p, compile(r.Unless, &p.Unless)
}

// compile compiles an expression. It leaves into nil for "".
func compile(text string, into **regexp.Regexp) error {
	if text == "" {
		return nil
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("%q is not a regular expression: %w", text, err)
	}
	*into = compiled
	return nil
}
