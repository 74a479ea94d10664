package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/redact"
	"moot/protocol"
	"moot/state"
)

// The most that is read of a file that the user gives, and of all of them.
const (
	maxDocument = 256 << 10
	maxGiven    = 1 << 20
)

// givenOptions are what the user gives beside the question.
type givenOptions struct {
	context, facts     []string
	design, position   string
	options, viewTexts []string
	noRedact           bool
}

func (o *givenOptions) flags(cmd *cobra.Command) {
	group(cmd, "What you give to read", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.context, "context", nil, "a text file for the participants (repeatable)")
		f.StringArrayVar(&o.facts, "fact", nil, "a fact or constraint, binding for all (repeatable)")
		f.BoolVar(&o.noRedact, "no-redact", false, "leave what looks like a secret in what you give and in what is cited")
	})
}

// framingFlags are what a framing of a consultation takes.
func (o *givenOptions) framingFlags(f *pflag.FlagSet) {
	f.StringVar(&o.design, "design", "", "the design, partial solution or reasoning (critique, complete, verify, redteam)")
	f.StringVar(&o.position, "position", "", "the view to argue against or about (steelman, position)")
	f.StringArrayVar(&o.options, "option", nil, "an option (compare; twice or more)")
	f.StringArrayVar(&o.viewTexts, "view", nil, "a stakeholder's view as NAME=TEXT (synthesize; twice or more)")
}

// giver reads what the user gives, and takes secrets out of it. What it did is
// told to note.
type giver struct {
	console  *Console
	note     func(string)
	redactor *redact.Redactor
	left     int
	redacted int
}

func (g *giver) say(format string, args ...any) { g.note(fmt.Sprintf(format, args...)) }

// read takes secrets out of the question, and reads the rest.
func (o *givenOptions) read(c *Console, question *string, s *state.Settings, note func(string)) (facts []string, err error) {
	g := &giver{console: c, note: note, left: maxGiven}
	if !o.noRedact {
		if g.redactor, err = redact.New(); err != nil {
			return nil, err
		}
	}
	*question = g.clean("the question", *question)
	if err := o.input(g, &s.Input); err != nil {
		return nil, err
	}
	s.Context = []state.Document{}
	for _, name := range o.context {
		text, err := g.file(name)
		if err != nil {
			return nil, in(fieldContext, err)
		}
		s.Context = append(s.Context, state.Document{Path: filepath.ToSlash(name), Text: text})
	}
	for i, fact := range o.facts {
		if strings.TrimSpace(fact) == "" {
			return nil, in(fieldFact, usage("--fact needs a text"))
		}
		facts = append(facts, g.clean(fmt.Sprintf("--fact number %d", i+1), fact))
	}
	if g.redacted > 0 {
		g.say("redacted   passages that look like secrets: %d; --no-redact leaves them in", g.redacted)
	}
	return facts, nil
}

// input reads what the framing takes, and refuses what belongs to another one.
func (o *givenOptions) input(g *giver, to *state.Input) error {
	to.Options, to.Views = []string{}, []state.View{}
	if o.design != "" {
		text, err := g.file(o.design)
		if err != nil {
			return in(fieldDesign, err)
		}
		to.Design, to.DesignPath = text, filepath.ToSlash(o.design)
	}
	to.Position = g.clean("--position", o.position)
	for _, option := range o.options {
		to.Options = append(to.Options, g.clean("--option", option))
	}
	for _, view := range o.viewTexts {
		name, text, ok := strings.Cut(view, "=")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		if !ok || name == "" || text == "" {
			return in(fieldView, usage("--view is NAME=TEXT, as in --view \"operations=no new service to run\"; got %q", view))
		}
		to.Views = append(to.Views, state.View{Name: name, Text: g.clean("--view "+name, text)})
	}
	return nil
}

// file reads a text file within the bounds, and says where it cut.
func (g *giver) file(name string) (string, error) {
	read, err := readFile(g.console, name, maxDocument+1)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(read, 0) >= 0 {
		return "", usage("%s is a binary file; give text", name)
	}
	limit := min(maxDocument, g.left)
	text := string(read)
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + fmt.Sprintf("\n[cut: only the first %d bytes of this file were read]", limit)
		g.say("cut        %s after %d bytes: more of it was not read", name, limit)
	}
	g.left = max(0, g.left-len(text))
	return g.clean(name, text), nil
}

// clean takes secrets out of a text and says which.
func (g *giver) clean(name, text string) string {
	if g.redactor == nil {
		return text
	}
	cleaned, findings := g.redactor.Text(text)
	for _, f := range findings {
		g.redacted++
		g.say("redacted   %s line %d: %s", name, f.Line, f.Reason)
	}
	return cleaned
}

// checkFraming shows the line to type where a framing lacks its input, and says
// whose input was given in vain.
func checkFraming(s *state.Settings) error {
	if needs := protocol.FramingNeeds(s.Framing, &s.Input); needs != "" {
		return in(needed(needs), usage("--framing %s needs %s; type: moot ask --framing %s %s QUESTION", s.Framing, needs, s.Framing, needs))
	}
	for _, given := range []struct {
		field field
		there bool
		of    []state.Framing
	}{
		{fieldDesign, s.Input.Design != "", []state.Framing{state.FramingCritique, state.FramingComplete, state.FramingVerify, state.FramingRedteam}},
		{fieldPosition, s.Input.Position != "", []state.Framing{state.FramingSteelman, state.FramingPosition}},
		{fieldOption, len(s.Input.Options) > 0, []state.Framing{state.FramingCompare}},
		{fieldView, len(s.Input.Views) > 0, []state.Framing{state.FramingSynthesize}},
	} {
		if !given.there || slices.Contains(given.of, s.Framing) {
			continue
		}
		var names []string
		for _, f := range given.of {
			names = append(names, "--framing "+string(f))
		}
		return in(given.field, usage("--%s is a flag of %s, and the framing is %s", given.field, strings.Join(names, ", "), s.Framing))
	}
	return nil
}

// needed is the field that a framing lacks, from the flags that it names.
func needed(flags string) field {
	for _, f := range []field{fieldDesign, fieldPosition, fieldOption, fieldView} {
		if strings.Contains(flags, "--"+string(f)) {
			return f
		}
	}
	return fieldFraming
}
