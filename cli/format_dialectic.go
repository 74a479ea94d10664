package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"moot/internal/redact"
	"moot/playbook"
	"moot/state"
)

// dialecticOptions are what the format dialectic takes beside the question.
type dialecticOptions struct{ playbook string }

func dialecticRow() formatRow {
	return formatRow{
		format: state.FormatDialectic,
		seats:  []seatRow{{state.Proposer, "who makes the proposal"}, {state.PressureTester, "who attacks it"}},
		said:   "dialectic has proposer, pressure-tester",
		first:  state.PressureTester, second: state.Proposer,
		flags: func(a *asking, f *pflag.FlagSet) {
			f.StringVar(&a.press.playbook, "playbook", "", "the red flags, and how strict to be: a TOML file, or one of\n"+strings.Join(playbook.Names(), ", "))
		},
		given: func(a *asking) []givenField { return []givenField{{fieldPlaybook, a.press.playbook != ""}} },
		read: func(a *asking, c *Console, s *state.Settings, note func(string)) error {
			if err := a.press.read(c, s); err != nil || a.given.noRedact {
				return err
			}
			return redactPlaybook(s.Playbook, note)
		},
	}
}

// read reads the playbook into the settings, so that the session's file holds
// all that it is led by.
func (o *dialecticOptions) read(c *Console, s *state.Settings) error {
	if o.playbook == "" {
		return in(fieldPlaybook, usage("--format dialectic needs --playbook: a TOML file, or one of %s", strings.Join(playbook.Names(), ", ")))
	}
	book, err := o.book(c)
	if err != nil {
		return in(fieldPlaybook, err)
	}
	s.Playbook, err = book.Record()
	return err
}

// book is the built-in playbook of the name, else the file.
func (o *dialecticOptions) book(c *Console) (playbook.Playbook, error) {
	if slices.Contains(playbook.Names(), o.playbook) {
		return playbook.BuiltIn(o.playbook)
	}
	data, err := readFile(c, o.playbook, playbook.MaxBytes+1)
	if err != nil {
		if _, unknown := playbook.BuiltIn(o.playbook); !strings.ContainsAny(o.playbook, `/\.`) {
			return playbook.Playbook{}, usage("%w, and %w", unknown, err)
		}
		return playbook.Playbook{}, err
	}
	book, err := playbook.Read(o.playbook, data)
	if err != nil {
		return book, usage("%w", err)
	}
	return book, nil
}

// redactPlaybook takes secrets out of what a playbook has a model read, as out of
// all else that is given.
func redactPlaybook(book *state.Playbook, note func(string)) error {
	redactor, err := redact.New()
	if err != nil {
		return err
	}
	g := &giver{note: note, redactor: redactor}
	for i := range book.Flags {
		f := &book.Flags[i]
		for _, text := range []*string{&f.Title, &f.Look, &f.Predicate, &f.Clears} {
			*text = g.clean("the playbook's flag "+f.ID, *text)
		}
	}
	return nil
}
