package agent

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/config"
	"moot/internal/enum"
	"moot/internal/lists"
	"moot/protocol"
	"moot/state"
)

// Book holds the participants that the user named in the configuration. A nil Book
// holds none.
type Book struct {
	entries []*entry
	// unusable maps the names of invalid entries to their lines.
	unusable map[string]int
	// programs are the agent programs that may be named.
	programs []program.Adapter
}

// entry is a named participant.
type entry struct {
	options config.Participant
	spec    Spec
	// is names the participant without its fallback, as in the record.
	is string
}

// Choice is a participant that was chosen by its own string or by a name from the
// configuration.
type Choice struct {
	Spec Spec
	// As is the name in the record, such as "fast=openai:gpt-5-mini", or "" for Spec.Name.
	As string
	// Options come from its entry, or are nil.
	Options *config.Participant
	// Fallback takes over if the participant cannot be reached. It may be nil.
	Fallback *Choice
	// Note says which part of a recorded name no longer applies.
	Note string
}

// fallbackMark separates a participant from its fallback in the record.
const fallbackMark = " (fallback "

type bookMaker struct {
	named    []config.Participant
	programs []program.Adapter
	problems []config.Problem
}

// NewBook checks the participants of a configuration. Invalid entries are reported with their lines and left out of
// the Book. programs are the agent programs that may be named; the default is the built-in ones.
func NewBook(named []config.Participant, programs ...program.Adapter) (*Book, []config.Problem) {
	m := &bookMaker{named: named, programs: programs}
	book := &Book{programs: programs, unusable: map[string]int{}}
	for i := range named {
		if e := m.entry(&named[i]); e != nil {
			book.entries = append(book.entries, e)
		} else if !m.builtIn(named[i].Name) {
			book.unusable[named[i].Name] = named[i].Line
		}
	}
	for _, e := range book.entries {
		m.fallback(book, e)
	}
	return book, m.problems
}

func (m *bookMaker) report(line int, format string, args ...any) {
	m.problems = append(m.problems, config.Problem{Line: line, What: fmt.Sprintf(format, args...), Decides: true})
}

// builtIn reports whether a name is already taken by a built-in participant.
func (m *bookMaker) builtIn(name string) bool {
	_, err := Parse(name, m.programs...)
	var unknown *enum.UnknownError
	return !errors.As(err, &unknown)
}

// entry reads one participant, or returns nil.
func (m *bookMaker) entry(named *config.Participant) *entry {
	table := "[participants." + config.Named(named.Name) + "]"
	if m.builtIn(named.Name) {
		m.report(named.Line, "%s: moot has a participant of that name; choose another name for yours", table)
		return nil
	}
	options := *named
	spec, err := Parse(options.Is, m.programs...)
	if err != nil {
		m.report(named.Lines["is"], "is in %s: %s", table, err)
		return nil
	}
	e := &entry{options: options, spec: spec, is: spec.Name}
	takes, why := []string{"is", "fallback", "calls-at-once", "calls-per-minute"}, "a program is no model endpoint"
	switch spec.Kind {
	case KindProgram:
		takes = append(takes, "reasoning-effort")
	case KindEndpoint:
		noKeys := func(string) string { return "" }
		c, err := endpoint.ParseOwn(spec.Name, noKeys, endpoint.Own{Base: options.Base})
		if missing := (*endpoint.MissingKeyError)(nil); err != nil && !errors.As(err, &missing) {
			m.report(named.Lines["is"], "is in %s: %s", table, err)
			return nil
		}
		e.is = cmp.Or(c.Name, e.is) // Without the password of a URL.
		takes = config.Options()
		if isURL(spec.Name) {
			takes = slices.DeleteFunc(takes, func(option string) bool { return option == "base" })
			why = "is has an address of its own"
		}
	case KindScript, KindRules, KindPerson:
		m.report(named.Lines["is"], "is in %s is no model endpoint or program: name %s itself", table, spec.Name)
		return nil
	}
	fits := true
	for _, option := range config.Options() {
		if line := named.Lines[option]; line > 0 && !slices.Contains(takes, option) {
			m.report(line, "%s in %s has no effect: %s", option, table, why)
			fits = false
		}
	}
	if !fits {
		return nil
	}
	return e
}

// fallback checks the fallback of an entry, and removes it if it cannot be used.
func (m *bookMaker) fallback(book *Book, e *entry) {
	name, what := e.options.Fallback, ""
	if name == "" {
		return
	}
	next := book.find(name)
	_, err := Parse(name, m.programs...)
	listed := slices.ContainsFunc(m.named, func(p config.Participant) bool { return p.Name == name })
	switch {
	case name == e.options.Name, name == e.options.Is, name == e.is, next != nil && next.is == e.is:
		what = " is the same participant, so it cannot answer either"
	case next != nil && next.options.Fallback != "":
		what = " has a fallback itself: name a participant without one"
	case next == nil && listed:
		// The problem was reported with its entry.
	case next == nil && err != nil:
		what = ": " + withNames(err, lists.Map(m.named, func(p config.Participant) string { return p.Name })).Error()
	}
	if what != "" {
		m.report(e.options.Lines["fallback"], "fallback in [participants.%s]%s", config.Named(e.options.Name), what)
		e.options.Fallback = ""
	}
}

// find returns the entry of that name, or nil.
func (b *Book) find(name string) *entry {
	if b == nil {
		return nil
	}
	for _, e := range b.entries {
		if e.options.Name == name {
			return e
		}
	}
	return nil
}

// Names returns the names in the order of the file.
func (b *Book) Names() []string {
	if b == nil {
		return nil
	}
	return lists.Map(b.entries, func(e *entry) string { return e.options.Name })
}

// Parse reads the string that names a participant: a built-in one, a name from the
// configuration, or both as in the record, "fast=openai:gpt-5-mini". In the last case the
// options of the entry apply if it is still the same participant; otherwise only the
// string after "=" counts, and a note says so.
func (b *Book) Parse(name string) (Choice, error) {
	var programs []program.Adapter
	if b != nil {
		programs = b.programs
	}
	own, is := state.SplitName(name)
	e := b.find(cmp.Or(own, name))
	if e != nil && (own == "" || e.is == is) {
		c := Choice{Spec: e.spec, As: e.options.Name + "=" + e.is, Options: &e.options}
		if e.options.Fallback != "" {
			other, err := b.Parse(e.options.Fallback)
			if err != nil {
				return Choice{}, fmt.Errorf("the fallback of %s: %w", e.options.Name, err)
			}
			c.Fallback = &other
		}
		return c, nil
	}
	if own == "" {
		if word, _, split := strings.Cut(name, ":"); split && b.find(word) != nil {
			return Choice{}, fmt.Errorf("%q: %s is a name of your own, and takes nothing after it", name, word)
		}
		if b != nil && b.unusable[name] > 0 {
			const unusable = "%s cannot be used: fix its entry in the configuration, line %d"
			return Choice{}, fmt.Errorf(unusable, name, b.unusable[name])
		}
	}
	spec, err := Parse(cmp.Or(is, name), programs...)
	if err != nil {
		return Choice{}, withNames(err, b.Names())
	}
	if own == "" {
		return Choice{Spec: spec}, nil
	}
	why := "is not in the configuration"
	if e != nil {
		why = "is " + e.is + " in the configuration now"
	}
	return Choice{
		Spec: spec, As: name,
		Note: fmt.Sprintf("%s %s: %s is asked without options and without a fallback", own, why, is),
	}, nil
}

// withNames adds the configured names to the known names in an error.
func withNames(err error, names []string) error {
	var unknown *enum.UnknownError
	if !errors.As(err, &unknown) || len(names) == 0 {
		return err
	}
	known := slices.Concat(names, unknown.Known)
	nearest := enum.Nearest(unknown.Word, known)
	return &enum.UnknownError{What: unknown.What, Word: unknown.Word, Known: known, Nearest: nearest}
}

// Name is the name of the participant in the record, without its fallback.
func (c *Choice) Name() string { return cmp.Or(c.As, c.Spec.Name) }

// Shown returns the name for display: without the password of a URL, and with the fallback.
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

// ShownAddress returns a URL without its user information.
func ShownAddress(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be parsed"
	}
	parsed.User = nil
	return parsed.String()
}

// Has reports whether the participant or its fallback is of a kind.
func (c *Choice) Has(kind Kind) bool {
	return c.Spec.Kind == kind || c.Fallback != nil && c.Fallback.Has(kind)
}

// IsModel reports whether the participant is known to use a language model: an endpoint
// or an agent program. Nothing is known about exec: programs.
func (c *Choice) IsModel() bool {
	return !c.Spec.Modelless() && !strings.HasPrefix(c.Spec.Name, program.ExecPrefix)
}

// Endpoint returns the endpoint that was chosen with its configuration, without
// sending anything. The error says which key or address is missing.
func (c *Choice) Endpoint(env func(string) string) (endpoint.Config, error) {
	deps := Deps{as: c.As, own: c.Options}
	return deps.endpoint(c.Spec.Name, env)
}

// Seat makes the chosen participant with its fallback, which also answers if a key is
// missing. It sends nothing. It returns the errors of New.
func Seat(c Choice, deps Deps) (protocol.Participant, error) {
	mine := deps
	if mine.as, mine.own = c.As, c.Options; c.Options != nil {
		mine.Settings = deps.Settings.Over(endpoint.Settings{
			Temperature: c.Options.Temperature, MaxTokens: c.Options.MaxTokens,
			Effort: c.Options.ReasoningEffort,
		})
	}
	first, err := New(c.Spec, mine)
	lacks, keyless := errors.AsType[*endpoint.MissingKeyError](err)
	switch {
	case keyless && c.Fallback != nil:
		first = &withoutKey{name: c.Name(), lacks: lacks}
	case err != nil:
		return nil, err
	}
	if c.Fallback == nil {
		return first, nil
	}
	second, err := Seat(*c.Fallback, deps)
	if err != nil && keyless {
		return nil, fmt.Errorf("%w; its fallback cannot be asked either: %w", lacks, err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the fallback of %s: %w", c.Name(), err), closeOf(first))
	}
	return &fallback{first: first, second: second}, nil
}

// endpoint reads the name of an endpoint together with its configuration.
func (d *Deps) endpoint(name string, env func(string) string) (endpoint.Config, error) {
	own := d.own
	if own == nil {
		c, err := endpoint.Parse(name, env)
		c.Name = cmp.Or(d.as, c.Name)
		return c, err
	}
	c, err := endpoint.ParseOwn(name, env, endpoint.Own{Base: own.Base, Key: own.Key})
	if err != nil {
		return c, err
	}
	c.Name = d.as
	return c, nil
}
