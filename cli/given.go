package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/redact"
	"moot/protocol/consult"
	"moot/state"
)

// The maximum sizes in bytes of the question, which is in every prompt, of a file, and of all files.
const (
	maxQuestion = 32 << 10
	maxDocument = 256 << 10
	maxGiven    = 1 << 20
)

// readQuestion returns the question: the text, the content of @FILE, or standard input for -.
func readQuestion(c *Console, typed string) (string, error) {
	text, from := typed, "the question"
	switch {
	case typed == "-":
		from = "standard input"
		if c.InTerminal {
			c.Say("reading the question from standard input; end it with ctrl-d")
		}
		read, err := io.ReadAll(io.LimitReader(c.In, maxQuestion+1))
		if err != nil {
			return "", fmt.Errorf("read the question from standard input: %w", err)
		}
		text = string(read)
	case strings.HasPrefix(typed, "@"):
		from = typed[1:]
		if from == "" {
			return "", usage("@ needs the name of the file with the question: moot ask @question.md")
		}
		read, err := readFile(c, from, maxQuestion+1)
		if err != nil {
			return "", err
		}
		text = string(read)
	}
	return checkQuestion(text, from)
}

// checkQuestion trims a question, and refuses one that is empty, too long or not UTF-8.
func checkQuestion(text, from string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", usage("%s is empty; type: moot ask \"Is the cache safe under load?\"", from)
	case len(text) > maxQuestion:
		return "", usage("%s is longer than %d bytes: ask a shorter question and give the rest with --context FILE",
			from, maxQuestion)
	case !utf8.ValidString(text):
		return "", usage("%s is not UTF-8 text", from)
	}
	return text, nil
}

// readFile reads at most limit bytes of a file that the user named.
func readFile(c *Console, name string, limit int64) ([]byte, error) {
	file, err := openNamed(c, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read, err := io.ReadAll(io.LimitReader(file, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w; no session was opened", name, err)
	}
	return read, nil
}

// openNamed opens a regular file that the user named.
func openNamed(c *Console, name string) (*os.File, error) {
	path := c.path(name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("there is no file %s; no session was opened", name)
	case err != nil:
		return nil, fmt.Errorf("find %s: %w; no session was opened", name, err)
	case info.IsDir():
		return nil, usage("%s is a folder; name its files, or make it the workspace: --workspace %s", name, name)
	case !info.Mode().IsRegular():
		return nil, usage("%s is not a regular file", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w; no session was opened", name, err)
	}
	return file, nil
}

// givenOptions are the texts that the user gives besides the question.
type givenOptions struct {
	context, facts     []string
	design, position   string
	options, viewTexts []string
	noRedact           bool
}

func (o *givenOptions) flags(cmd *cobra.Command) {
	group(cmd, "Material", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.context, "context", nil, "a text file for the participants (repeatable)")
		f.StringArrayVar(&o.facts, "fact", nil, "a fact or constraint that binds everyone (repeatable)")
		f.BoolVar(&o.noRedact, "no-redact", false, "don't redact secrets in the material and in citations")
	})
}

// framingFlags are the flags for the framings of a consultation.
func (o *givenOptions) framingFlags(f *pflag.FlagSet) {
	f.StringVar(&o.design, "design", "", "the file of the design, partial solution or reasoning (critique, "+
		"complete, verify, redteam)")
	f.StringVar(&o.position, "position", "", "the view to argue against or about (steelman, position)")
	f.StringArrayVar(&o.options, "option", nil, "an option (compare; twice or more)")
	f.StringArrayVar(&o.viewTexts, "view", nil, "a stakeholder's view as NAME=TEXT (synthesize; twice or more)")
}

// giver reads what the user gives, and redacts secrets in it.
type giver struct {
	console  *Console
	note     func(string)
	redactor *redact.Redactor
	left     int
	redacted int
}

func (g *giver) say(format string, args ...any) { g.note(fmt.Sprintf(format, args...)) }

// read redacts the question, and reads everything else.
func (o *givenOptions) read(
	c *Console, question *string, s *state.Settings, note func(string),
) (facts []string, err error) {
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
		g.say("redacted   %d passages that look like secrets; --no-redact keeps them", g.redacted)
	}
	return facts, nil
}

// input reads the input of the framing.
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
			return in(fieldView, usage("--view is NAME=TEXT, as in --view \"operations=no new service to run\"; got %q",
				view))
		}
		to.Views = append(to.Views, state.View{Name: name, Text: g.clean("--view "+name, text)})
	}
	return nil
}

// file reads a text file, and cuts it at the limit.
func (g *giver) file(name string) (string, error) {
	read, err := readFile(g.console, name, maxDocument+1)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(read, 0) >= 0 {
		return "", usage("%s is a binary file; give a text file", name)
	}
	limit := min(maxDocument, g.left)
	text := string(read)
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + fmt.Sprintf("\n[cut: only the first %d bytes of this file "+
			"were read]", limit)
		g.say("cut        %s after %d bytes: the rest was not read", name, limit)
	}
	g.left = max(0, g.left-len(text))
	return g.clean(name, text), nil
}

// clean redacts the secrets in a text.
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

// checkFraming refuses a framing without its input, and the input of another framing.
func checkFraming(s *state.Settings) error {
	if needs := consult.FramingNeeds(s.Framing, &s.Input); needs != "" {
		missing := fieldFraming
		for _, f := range []field{fieldDesign, fieldPosition, fieldOption, fieldView} {
			if strings.Contains(needs, "--"+string(f)) {
				missing = f
				break
			}
		}
		return in(missing, usage("--framing %s needs %s; type: moot ask --framing %s %s QUESTION",
			s.Framing, needs, s.Framing, needs))
	}
	for _, given := range []struct {
		field    field
		given    bool
		framings []state.Framing
	}{
		{fieldDesign, s.Input.Design != "", []state.Framing{
			state.FramingCritique, state.FramingComplete, state.FramingVerify, state.FramingRedteam,
		}},
		{fieldPosition, s.Input.Position != "", []state.Framing{state.FramingSteelman, state.FramingPosition}},
		{fieldOption, len(s.Input.Options) > 0, []state.Framing{state.FramingCompare}},
		{fieldView, len(s.Input.Views) > 0, []state.Framing{state.FramingSynthesize}},
	} {
		if !given.given || slices.Contains(given.framings, s.Framing) {
			continue
		}
		var names []string
		for _, f := range given.framings {
			names = append(names, "--framing "+string(f))
		}
		return in(given.field, usage("--%s is a flag of %s, but the framing is %s", given.field,
			strings.Join(names, ", "), s.Framing))
	}
	return nil
}
