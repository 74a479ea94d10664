package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/config"
	"moot/internal/enum"
	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
)

// configShown is what holds, and the form of --output json.
type configShown struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
	// Problems are what is wrong, a line each.
	Problems []string      `json:"problems"`
	Values   []valueShown  `json:"values"`
	Keys     []secretShown `json:"keys"`
}

// valueShown is one value that holds.
type valueShown struct {
	Section string `json:"section"`
	Name    string `json:"name"`
	Value   string `json:"value"`
	// Source is where it comes from: "config.toml:12", "environment MOOT_THEME" or
	// "default".
	Source string `json:"source"`
}

// secretShown says where a key is, and never what it is.
type secretShown struct {
	Variable string `json:"variable"`
	// For are those that ask for it.
	For []string `json:"for"`
	// Where is "environment", "keyring", or "" for nowhere.
	Where string `json:"where"`
	// own says that a participant of the configuration asks for it.
	own bool
}

const (
	byDefault     = "default"
	inEnvironment = "environment"
	inKeyring     = "keyring"
)

func newConfigShow(c *Console) *cobra.Command {
	form := string(outputText)
	cmd := &cobra.Command{
		Use:   "show [--output FORM]",
		Short: "Show what holds, and where each value comes from",
		Long: "Show what holds where no flag is given, and where each value comes from: the environment,\n" +
			"a line of the file, or the defaults. Of keys it tells where they are, and never what. Exit\n" +
			"code 4 says that something is wrong in the file or the environment.",
		Example: "  moot config show\n  moot config show --output json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if _, err := enum.Parse("form of output", form, enum.Words(doctorOutputs())); err != nil {
				return usage("--output: %w", err)
			}
			return showConfig(c, output(form))
		},
	}
	cmd.Flags().StringVar(&form, "output", form, "the form of the result: text, json")
	return cmd
}

func showConfig(c *Console, form output) error {
	h, err := c.holds()
	if err != nil {
		return err
	}
	problems := h.all(c)
	shown := configShown{Path: h.path, Exists: h.there, Problems: []string{}, Values: h.values(c), Keys: c.secretsShown(h)}
	for _, p := range config.Few(problems) {
		shown.Problems = append(shown.Problems, p.String())
	}
	tellProblems(c, problems)
	if trouble, ok := errors.AsType[*keyringError](c.keyringTrouble()); ok && !trouble.absent {
		c.Say("note       %s", trouble)
	}
	text := shown.text()
	if form == outputJSON {
		data, err := json.MarshalIndent(shown, "", "  ")
		if err != nil {
			return fmt.Errorf("write what holds as JSON: %w", err)
		}
		text = string(data) + "\n"
	}
	if err := c.Print(text); err != nil {
		return err
	}
	if len(problems) > 0 {
		return leaveWith(ExitFound)
	}
	return nil
}

// secretsShown are the keys that somebody asks for, and where they are.
func (c *Console) secretsShown(h *holding) []secretShown {
	list := []secretShown{}
	for _, use := range agent.KeyUses(h.names()) {
		own := slices.ContainsFunc(h.names().Secrets(), func(o agent.KeyUse) bool { return o.Variable == use.Variable })
		shown := secretShown{Variable: use.Variable, For: use.For, own: own}
		if strings.TrimSpace(c.Getenv(use.Variable)) != "" {
			shown.Where = inEnvironment
		} else if key, err := c.kept(use.Variable); err == nil && key != "" {
			shown.Where = inKeyring
		}
		list = append(list, shown)
	}
	return list
}

// values are all that hold, section by section.
func (h *holding) values(c *Console) []valueShown {
	var list []valueShown
	add := func(section, name, value, source string) {
		list = append(list, valueShown{section, name, value, source})
	}
	for _, name := range knownSeats() {
		i := slices.IndexFunc(h.seats, func(s sourced) bool { return s.name == name })
		if i < 0 {
			continue
		}
		add("seats", name, h.shownName(h.seats[i].value), h.seats[i].source)
	}
	if len(h.seats) == 0 {
		add("seats", "all", "who is at hand and you confirm, else rules", byDefault)
	}
	for i := range h.file.Participants {
		p := &h.file.Participants[i]
		if !slices.Contains(h.book.Names(), p.Name) {
			// It is among the problems.
			continue
		}
		add("participants", p.Name, h.shownParticipant(p.Name), h.at(p.Line))
	}
	for _, p := range h.file.Prices {
		add("prices", p.Model, dollars(p.In)+" in, "+dollars(p.Out)+" out, per million tokens", h.at(p.Line))
	}
	for _, section := range []struct {
		name  string
		flags *pflag.FlagSet
		held  []sourced
	}{{"limits", limitFlags(), h.limits}, {"budget", budgetFlags(), h.budget}} {
		section.flags.VisitAll(func(f *pflag.Flag) {
			if i := slices.IndexFunc(section.held, func(s sourced) bool { return s.name == f.Name }); i >= 0 {
				add(section.name, f.Name, section.held[i].value, section.held[i].source)
				return
			}
			value := f.Value.String()
			switch {
			case f.Name == "prompt-budget":
				value = strconv.Itoa(protocol.DefaultPromptBudget)
			case section.name == "budget":
				value = "no cap"
			}
			add(section.name, f.Name, value, byDefault)
		})
	}
	return append(list, h.looks(c)...)
}

// knownSeats are the seats of all formats, each once, in the order of the table.
func knownSeats() []string {
	known, _ := seatsOf("")
	var once []string
	for _, name := range known {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

func dollars(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// shownName is a participant as it may be shown: without the password of a URL.
func (h *holding) shownName(name string) string {
	choice, err := h.book.Parse(name)
	if err != nil {
		return name
	}
	return choice.Shown()
}

// shownParticipant is a participant of the file with what is said of it.
func (h *holding) shownParticipant(name string) string {
	choice, err := h.book.Parse(name)
	if err != nil || choice.Options == nil {
		return ""
	}
	_, is := state.OwnName(choice.Name())
	said, o := []string{is}, choice.Options
	if o.Temperature != nil {
		said = append(said, "temperature "+dollars(*o.Temperature))
	}
	if o.ReasoningEffort != "" {
		said = append(said, "reasoning-effort "+o.ReasoningEffort)
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"max-tokens", o.MaxTokens}, {"requests-per-minute", o.PerMinute}, {"parallel", o.Parallel}} {
		if n.value > 0 {
			said = append(said, n.name+" "+strconv.Itoa(n.value))
		}
	}
	if o.Base != "" {
		said = append(said, "at "+agent.ShownAddress(o.Base))
	}
	if o.Key != "" {
		said = append(said, "key "+o.Key)
	}
	var headers []string
	for _, header := range o.Headers {
		headers = append(headers, header.Name)
	}
	if len(headers) > 0 {
		said = append(said, "headers "+strings.Join(headers, " "))
	}
	if choice.Fallback != nil {
		said = append(said, "fallback "+choice.Fallback.Shown())
	}
	return strings.Join(said, ", ")
}

// looks are the values that say how the screen looks.
func (h *holding) looks(c *Console) []valueShown {
	screen := h.file.Screen
	from := func(name string) string {
		if line := h.file.Lines["screen."+name]; line > 0 {
			return h.at(line)
		}
		return byDefault
	}
	theme := valueShown{"screen", "theme", screen.Theme, from("theme")}
	if named := c.Getenv(ThemeVariable); named != "" {
		theme.Value, theme.Source = named, "environment "+ThemeVariable
	}
	list := []valueShown{
		theme,
		{"screen", "ascii", strconv.FormatBool(screen.ASCII), from("ascii")},
		{"screen", "animation", strconv.FormatBool(screen.Animation), from("animation")},
		{"screen", "mouse", strconv.FormatBool(screen.Mouse), from("mouse")},
		{"screen", "notify", strconv.FormatBool(screen.Notify), from("notify")},
	}
	for _, section := range h.file.Keys {
		for _, e := range section.Entries {
			list = append(list, valueShown{"keys." + section.Name, e.Name, strings.Join(e.Values, " "), h.at(e.Line)})
		}
	}
	for _, section := range h.file.Themes {
		for _, e := range section.Entries {
			list = append(list, valueShown{"theme." + section.Name, e.Name, strings.Join(e.Values, " "), h.at(e.Line)})
		}
	}
	return list
}

// text is what holds for a person to read.
func (s *configShown) text() string {
	var out strings.Builder
	out.WriteString(plain.Line(s.Path))
	if !s.Exists {
		out.WriteString(" (not there: the defaults hold)")
	}
	out.WriteString("\n")
	name, value := 0, 0
	for _, v := range s.Values {
		name = max(name, len(v.Name))
		value = max(value, len(v.Value))
	}
	const widest = 44
	value = min(value, widest)
	section := ""
	for _, v := range s.Values {
		if v.Section != section {
			section = v.Section
			fmt.Fprintf(&out, "\n[%s]\n", plain.Line(section))
		}
		fmt.Fprintf(&out, "  %-*s  %-*s  %s\n", name, plain.Line(v.Name), value, plain.Line(v.Value), plain.Line(v.Source))
	}
	out.WriteString("\nkeys\n")
	var told []secretShown
	for _, k := range s.Keys {
		if k.Where != "" || k.own {
			told = append(told, k)
		}
	}
	out.WriteString(keyTable(told))
	if others := len(s.Keys) - len(told); others > 0 {
		fmt.Fprintf(&out, "  %d others are not set; moot key list has them all\n", others)
	}
	return out.String()
}

// keyTable says of each key where it is, and who asks for it.
func keyTable(keys []secretShown) string {
	var out strings.Builder
	wide, said := 0, 0
	for _, k := range keys {
		wide, said = max(wide, len(k.Variable)), max(said, len(k.where()))
	}
	for _, k := range keys {
		fmt.Fprintf(&out, "  %-*s  %-*s  %s\n", wide, k.Variable, said, k.where(), strings.Join(k.For, ", "))
	}
	return out.String()
}

// where says in words where a key is.
func (k *secretShown) where() string {
	switch k.Where {
	case inEnvironment:
		return "set in " + k.Variable
	case inKeyring:
		return "in the keyring"
	}
	return "not set"
}
