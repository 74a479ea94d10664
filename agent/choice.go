package agent

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/enum"
	"moot/protocol"
	"moot/state"
)

// Parse reads the string that names a participant: one that moot knows, a name of
// the person's own, or both as the record has them, "fast=openai:gpt-5-mini". Of
// the latter the options of the entry count as long as it still is the same
// participant; else the string counts alone, and a note says so.
func (b *Book) Parse(name string) (Choice, error) {
	if own, is := state.OwnName(name); own != "" {
		return b.recorded(own, is)
	}
	if e := b.find(name); e != nil {
		return b.chosen(e)
	}
	if word, _, parted := strings.Cut(name, ":"); parted && b.find(word) != nil {
		return Choice{}, fmt.Errorf("%q: %s is a name of your own, and takes nothing behind it", name, word)
	}
	if line := b.unusableLine(name); line > 0 {
		return Choice{}, fmt.Errorf("%s cannot be asked as it is given from line %d on", name, line)
	}
	spec, err := Parse(name, b.agentPrograms()...)
	if err != nil {
		return Choice{}, withNames(err, b.Names())
	}
	return Choice{Spec: spec}, nil
}

// chosen is an entry with its fallback.
func (b *Book) chosen(e *entry) (Choice, error) {
	c := Choice{Spec: e.spec, As: e.options.Name + "=" + e.is, Options: &e.options}
	if e.options.Fallback == "" {
		return c, nil
	}
	other, err := b.Parse(e.options.Fallback)
	if err != nil {
		return Choice{}, fmt.Errorf("the fallback of %s: %w", e.options.Name, err)
	}
	c.Fallback = &other
	return c, nil
}

// recorded reads what the record says: a name, and what it was then.
func (b *Book) recorded(own, is string) (Choice, error) {
	e := b.find(own)
	if e != nil && e.is == is {
		return b.chosen(e)
	}
	spec, err := Parse(is, b.agentPrograms()...)
	if err != nil {
		return Choice{}, withNames(err, b.Names())
	}
	why := "is not in the configuration"
	if e != nil {
		why = "is " + e.is + " in the configuration now"
	}
	return Choice{
		Spec: spec, As: own + "=" + is,
		Note: fmt.Sprintf("%s %s: %s is asked as it is, without options and without a fallback", own, why, is),
	}, nil
}

// Name is how the record names the participant, without its fallback.
func (c *Choice) Name() string {
	if c.As != "" {
		return c.As
	}
	return c.Spec.Name
}

// Shown is how it is shown: as the record names it, without the password of a URL,
// and with its fallback.
func (c *Choice) Shown() string {
	name := c.Name()
	if c.As == "" && c.Spec.Kind == KindEndpoint && isURL(name) {
		address, model, _ := strings.Cut(name, "#")
		name = ShownAddress(address) + "#" + model
	}
	if c.Fallback != nil {
		name += fallbackMark + c.Fallback.Shown() + ")"
	}
	return name
}

// ShownAddress is a URL without the name and the password that it may hold.
func ShownAddress(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be read"
	}
	parsed.User = nil
	return parsed.String()
}

// Has reports whether it, or who is asked in its place, is of a kind.
func (c *Choice) Has(kind Kind) bool {
	return c.Spec.Kind == kind || c.Fallback != nil && c.Fallback.Has(kind)
}

// IsModel reports that a language model is known to be at work: that of an endpoint
// or of an agent program. What a program of the person's own (exec:PATH) does, nobody
// knows.
func (c *Choice) IsModel() bool {
	return !c.Spec.Modelless() && !strings.HasPrefix(c.Spec.Name, program.ExecPrefix)
}

// withNames adds names of the person's own to those that an error knows.
func withNames(err error, names []string) error {
	var unknown *enum.UnknownError
	if !errors.As(err, &unknown) || len(names) == 0 {
		return err
	}
	known := slices.Concat(names, unknown.Known)
	return &enum.UnknownError{What: unknown.What, Word: unknown.Word, Known: known, Nearest: enum.Nearest(unknown.Word, known)}
}

// Seat makes the participant that was chosen, with its fallback, which is asked in
// its place also where it lacks a key. It sends nothing. Errors are those of New.
func Seat(c Choice, deps Deps) (protocol.Participant, error) {
	mine := deps
	mine.as, mine.own = c.As, c.Options
	if c.Options != nil {
		mine.Settings = deps.Settings.Over(settingsOf(c.Options))
	}
	first, err := New(c.Spec, mine)
	lacks, keyless := errors.AsType[*endpoint.MissingKeyError](err)
	switch {
	case keyless && c.Fallback != nil:
		first = &unequipped{name: c.Spec.Name, lacks: lacks}
	case err != nil:
		return nil, err
	}
	if c.As != "" && first.Name() != c.As {
		first = &titled{Participant: first, name: c.As}
	}
	if c.Fallback == nil {
		return first, nil
	}
	second, err := Seat(*c.Fallback, deps)
	if err != nil {
		if keyless {
			return nil, fmt.Errorf("%w; nor can its fallback be asked: %w", lacks, err)
		}
		return nil, errors.Join(fmt.Errorf("the fallback of %s: %w", c.Name(), err), closeOf(first))
	}
	return &fallback{first: first, second: second}, nil
}
