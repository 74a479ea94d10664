package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/playbook"
	"moot/state"
)

// pressOptions are what the format dialectic takes beside the question.
type pressOptions struct{ playbook string }

func (o *pressOptions) flags(cmd *cobra.Command, seats *seatOptions) {
	group(cmd, "What --format dialectic takes", func(f *pflag.FlagSet) {
		f.StringVar(&o.playbook, "playbook", "", "the red flags, and how strict to be: a TOML file, or one of\n"+strings.Join(playbook.Names(), ", "))
		f.StringVar(&seats.proposer, "proposer", "", "who makes the proposal")
		f.StringVar(&seats.tester, "pressure-tester", "", "who attacks it")
	})
}

// read reads the playbook into the settings, so that the session's file holds
// all that it is led by.
func (o *pressOptions) read(c *Console, s *state.Settings) error {
	if s.Format != state.FormatDialectic {
		return nil
	}
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
func (o *pressOptions) book(c *Console) (playbook.Playbook, error) {
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

// otherFormat refuses what only another format than the one that was named takes.
func (a *asking) otherFormat() error {
	consult, press := state.FormatConsult, state.FormatDialectic
	for _, given := range []struct {
		field field
		there bool
		of    state.Format
	}{
		{fieldFraming, a.framing != "" && a.framing != string(state.FramingPropose), consult},
		{fieldMode, a.mode != "" && a.mode != string(state.ModeStandard), consult},
		{fieldHighStakes, a.highStakes, consult},
		{fieldDesign, a.given.design != "", consult},
		{fieldPosition, a.given.position != "", consult},
		{fieldOption, len(a.given.options) > 0, consult},
		{fieldView, len(a.given.viewTexts) > 0, consult},
		{fieldOrchestrator, a.seats.orchestrator != "", consult},
		{fieldConsultee, a.seats.consultee != "", consult},
		{fieldArbiter, a.seats.arbiter != "", consult},
		{fieldPlaybook, a.press.playbook != "", press},
		{fieldProposer, a.seats.proposer != "", press},
		{fieldTester, a.seats.tester != "", press},
	} {
		if given.there && a.format != string(given.of) {
			return in(given.field, usage("--%s is a flag of --format %s, and the format is %s", given.field, given.of, a.format))
		}
	}
	return nil
}
