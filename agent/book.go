package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/config"
	"moot/enum"
)

// Book holds the participants that the person gave a name in the configuration.
// A nil Book holds none.
type Book struct {
	entries []*entry
	// unusable are the lines of those that cannot be asked as they stand there.
	unusable map[string]int
	// programs are the agent programs that may be named.
	programs []program.Adapter
}

// entry is one of them, with what it is and what it takes over from others.
type entry struct {
	options config.Participant
	spec    Spec
	// is names the participant itself, as the record does.
	is string
}

// Choice is a participant as it was chosen: by its own string, or by a name of
// the person's own.
type Choice struct {
	// Spec is what it is.
	Spec Spec
	// As is how the record names it, "fast=openai:gpt-5-mini"; "" where the string
	// has no name before it.
	As string
	// Options are those of its entry, nil where it has none.
	Options *config.Participant
	// Fallback is who is asked where it cannot be reached, nil for nobody.
	Fallback *Choice
	// Note says what of the name could not be kept, or "".
	Note string
}

// fallbackMark parts a participant from its fallback in the record.
const fallbackMark = " (fallback "

// NewBook checks the participants of a configuration. Path makes the path of a
// file absolute; nil leaves paths as they are. What is wrong is told with its
// line, and is not in the Book. Programs are the agent programs that may be named,
// those that are built in where none are given.
func NewBook(named []config.Participant, path func(string) string, programs ...program.Adapter) (*Book, []config.Problem) {
	if path == nil {
		path = func(p string) string { return p }
	}
	m := &bookMaker{named: named, path: path, programs: programs}
	book := &Book{programs: programs, unusable: map[string]int{}}
	for i := range named {
		if e := m.entry(&named[i]); e != nil {
			book.entries = append(book.entries, e)
		} else if !m.builtIn(named[i].Name) {
			book.unusable[named[i].Name] = named[i].Line
		}
	}
	for _, e := range slices.Clone(book.entries) {
		m.fallback(book, e)
	}
	return book, m.problems
}

// bookMaker makes a Book.
type bookMaker struct {
	named    []config.Participant
	path     func(string) string
	programs []program.Adapter
	problems []config.Problem
}

func (m *bookMaker) tell(line int, format string, args ...any) {
	m.problems = append(m.problems, config.Problem{Line: line, What: fmt.Sprintf(format, args...), Decides: true})
}

// find is the participant of that name in the file, or nil.
func (m *bookMaker) find(name string) *config.Participant {
	for i := range m.named {
		if m.named[i].Name == name {
			return &m.named[i]
		}
	}
	return nil
}

// entry reads one participant; nil where it cannot be asked.
func (m *bookMaker) entry(named *config.Participant) *entry {
	table := "[participants." + config.Named(named.Name) + "]"
	if m.builtIn(named.Name) {
		m.tell(named.Line, "%s: moot has a participant of that name; choose another name for yours", table)
		return nil
	}
	options, way := *named, []string{named.Name}
	for next := m.find(options.Is); next != nil; next = m.find(options.Is) {
		if slices.Contains(way, next.Name) {
			m.tell(named.Lines["is"], "is in %s goes in a circle: %s", table, strings.Join(append(way, next.Name), " is "))
			return nil
		}
		way = append(way, next.Name)
		options = over(options, *next)
	}
	spec, err := Parse(options.Is, m.programs...)
	if err != nil {
		m.tell(named.Lines["is"], "is in %s: %s", table, m.wrong(err))
		return nil
	}
	e := &entry{options: options, spec: spec}
	if err := e.name(m.path); err != nil {
		m.tell(named.Lines["is"], "is in %s: %s", table, err)
		return nil
	}
	if !m.fits(named, &e.spec, table) {
		return nil
	}
	return e
}

// wrong words what is wrong with a string, with the names of the file among those
// that are known.
func (m *bookMaker) wrong(err error) string {
	names := make([]string, len(m.named))
	for i := range m.named {
		names[i] = m.named[i].Name
	}
	return withNames(err, names).Error()
}

// over is an entry that says what another one leaves open.
func over(e, under config.Participant) config.Participant {
	e.Is = under.Is
	if e.Temperature == nil {
		e.Temperature = under.Temperature
	}
	for _, text := range []struct {
		into *string
		from string
	}{
		{&e.ReasoningEffort, under.ReasoningEffort},
		{&e.Base, under.Base},
		{&e.Key, under.Key},
		{&e.Fallback, under.Fallback},
	} {
		if *text.into == "" {
			*text.into = text.from
		}
	}
	for _, number := range []struct {
		into *int
		from int
	}{
		{&e.MaxTokens, under.MaxTokens},
		{&e.PerMinute, under.PerMinute},
		{&e.Parallel, under.Parallel},
	} {
		if *number.into == 0 {
			*number.into = number.from
		}
	}
	for _, h := range under.Headers {
		if !slices.ContainsFunc(e.Headers, func(o config.Header) bool { return strings.EqualFold(o.Name, h.Name) }) {
			e.Headers = append(slices.Clip(e.Headers), h)
		}
	}
	return e
}

// name makes paths absolute, and finds how the record names the participant.
func (e *entry) name(path func(string) string) error {
	e.is = e.spec.Name
	switch e.spec.Kind {
	case KindScript:
		e.spec.File = path(e.spec.File)
		e.spec.Name = "script:" + e.spec.File
		e.is = e.spec.Name
	case KindEndpoint:
		c, err := endpoint.ParseOwn(e.spec.Name, func(string) string { return "" }, endpoint.Own{Base: e.options.Base})
		if missing := (*endpoint.MissingKeyError)(nil); err != nil && !errors.As(err, &missing) {
			return err
		}
		if c.Name != "" {
			// Without the password of a URL.
			e.is = c.Name
		}
	case KindRules, KindPerson, KindProgram:
	}
	return nil
}

// fits tells options that the participant has no use for.
func (m *bookMaker) fits(named *config.Participant, spec *Spec, table string) bool {
	takes := []string{"is", "fallback"}
	why := string(spec.Kind) + " is no model endpoint"
	if spec.Kind == KindProgram {
		takes = append(takes, "reasoning-effort")
		why = "a program is no model endpoint"
	}
	if spec.Kind == KindEndpoint {
		takes = config.Options()
		if isURL(spec.Name) {
			takes = slices.DeleteFunc(takes, func(option string) bool { return option == "base" })
			why = "is has an address of its own"
		}
	}
	fit := true
	for _, option := range config.Options() {
		if line := named.Lines[option]; line > 0 && !slices.Contains(takes, option) {
			m.tell(line, "%s in %s is of no use: %s", option, table, why)
			fit = false
		}
	}
	return fit
}

// fallback checks who is asked in the place of an entry, and takes out one that
// cannot be.
func (m *bookMaker) fallback(book *Book, e *entry) {
	if e.options.Fallback == "" {
		return
	}
	table, line := "[participants."+config.Named(e.options.Name)+"]", e.options.Lines["fallback"]
	way := []string{e.options.Name}
	for at := e; at != nil && at.options.Fallback != ""; {
		next := book.find(at.options.Fallback)
		if next == nil {
			if m.find(at.options.Fallback) != nil {
				// What is wrong with it was told there.
				break
			}
			if _, err := Parse(at.options.Fallback, m.programs...); err != nil && at == e {
				m.tell(line, "fallback in %s: %s", table, m.wrong(err))
				e.options.Fallback = ""
			}
			break
		}
		if slices.Contains(way, next.options.Name) {
			m.tell(line, "fallback in %s goes in a circle: %s", table, strings.Join(append(way, next.options.Name), " falls back to "))
			e.options.Fallback = ""
			return
		}
		way = append(way, next.options.Name)
		at = next
	}
	if e.options.Fallback == e.options.Is || e.options.Fallback == e.is {
		m.tell(line, "fallback in %s is the participant itself, which cannot be reached then", table)
		e.options.Fallback = ""
	}
}

// builtIn reports whether a name means something without a Book.
func (m *bookMaker) builtIn(name string) bool {
	_, err := Parse(name, m.programs...)
	var unknown *enum.UnknownError
	return !errors.As(err, &unknown)
}

// find is the entry of that name, or nil.
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

// unusableLine is the line of an entry of that name that cannot be asked, or 0.
func (b *Book) unusableLine(name string) int {
	if b == nil {
		return 0
	}
	return b.unusable[name]
}

// agentPrograms are the agent programs that may be named.
func (b *Book) agentPrograms() []program.Adapter {
	if b == nil {
		return nil
	}
	return b.programs
}

// Names are the names of the person's own, in the order of the file.
func (b *Book) Names() []string {
	if b == nil {
		return nil
	}
	names := make([]string, len(b.entries))
	for i, e := range b.entries {
		names[i] = e.options.Name
	}
	return names
}

// Secrets are the variables that hold keys or stand in headers, by the names that
// ask for them.
func (b *Book) Secrets() []KeyUse {
	if b == nil {
		return nil
	}
	var uses []KeyUse
	for _, e := range b.entries {
		if e.options.Key != "" {
			uses = append(uses, KeyUse{e.options.Key, []string{e.options.Name}})
		}
		for _, h := range e.options.Headers {
			for _, variable := range variablesOf(h.Value) {
				uses = append(uses, KeyUse{variable, []string{e.options.Name}})
			}
		}
	}
	return uses
}
