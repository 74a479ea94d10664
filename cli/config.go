package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/config"
	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
)

func newConfig(c *Console) *cobra.Command {
	return parent(&cobra.Command{
		Use: "config",
	}, newConfigShow(c), newConfigEdit(c), newConfigPath(c), newConfigInit(c))
}

func newConfigPath(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:  "path",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			path, _, err := configPath(c)
			if err != nil {
				return err
			}
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				c.Say("note       there is no such file, so the defaults are used; moot config init writes one")
			}
			return c.Print(path + "\n")
		},
	}
}

func newConfigInit(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:  "init",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			path, _, err := configPath(c)
			if err != nil {
				return err
			}
			err = writeTemplate(path)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s exists and was left unchanged: edit it with moot config edit, or move it away "+
					"first", path)
			}
			if err != nil {
				return err
			}
			c.Say("wrote      %s; edit it with moot config edit", path)
			return nil
		},
	}
}

// writeTemplate writes a configuration that sets nothing. The error is fs.ErrExist if the file exists.
func writeTemplate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the configuration: %w; nothing was written", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create the configuration: %w; nothing was written", err)
	}
	_, err = file.WriteString(config.Template())
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the configuration: %w; %s may be incomplete", err, path)
	}
	return nil
}

func newConfigEdit(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:  "edit",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return editConfig(c) },
	}
}

// editConfig runs the editor until the configuration is valid or the user gives up.
func editConfig(c *Console) error {
	path, _, err := configPath(c)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := writeTemplate(path); err != nil {
			return err
		}
		c.Say("wrote      %s", path)
	}
	for line := 0; ; {
		cmd, err := editorCommand(c, path, line)
		if err != nil {
			return err
		}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out, c.Err
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("the editor %s: %w; %s is as the editor left it", cmd.Path, err, path)
		}
		d, err := c.readDefaults()
		if err != nil {
			return err
		}
		problems := d.allProblems(c)
		if len(problems) == 0 {
			c.Say("checked    %s: no problems; moot config show lists the settings", path)
			return nil
		}
		sayProblems(c, problems)
		line = problems[0].Line
		if !c.InTerminal {
			return leaveWith(ExitFound)
		}
		if again, err := c.editAgain(); err != nil || !again {
			return errors.Join(err, leaveWith(ExitFound))
		}
	}
}

// editAgain asks whether to run the editor again. The end of the input is no.
func (c *Console) editAgain() (bool, error) {
	c.Say("choose     1) edit again  2) leave it as it is (enter selects 1)")
	line, err := c.readLine()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	answer := strings.TrimSpace(line)
	return answer == "" || answer == "1", err
}

// sayProblems lists the mistakes in a configuration.
func sayProblems(c *Console, problems []config.Problem) {
	for _, p := range config.Few(problems) {
		c.Say("problem    %s", p)
	}
	if len(config.Deciding(problems)) > 0 {
		c.Say("note       fix the participants and limits before asking a question")
	}
}

// configShown is the JSON form of moot config show.
type configShown struct {
	Path     string       `json:"path"`
	Exists   bool         `json:"exists"`
	Problems []string     `json:"problems"`
	Values   []valueShown `json:"values"`
	Keys     []keyShown   `json:"keys"`
}

// valueShown is one setting. Its source is "config.toml:12", "environment MOOT_THEME" or "default".
type valueShown struct {
	Section string `json:"section"`
	Name    string `json:"name"`
	Value   string `json:"value"`
	Source  string `json:"source"`
}

const byDefault = "default"

func newConfigShow(c *Console) *cobra.Command {
	var form output
	cmd := &cobra.Command{
		Use:  "show",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return showConfig(c, form)
		},
	}
	outputFlag(cmd, &form, outputText, outputJSON)
	return cmd
}

func showConfig(c *Console, form output) error {
	d, err := c.readDefaults()
	if err != nil {
		return err
	}
	problems := d.allProblems(c)
	shown := configShown{
		Path: d.path, Exists: d.exists, Problems: []string{}, Values: slices.Concat(d.values(),
			d.screenValues(c)), Keys: c.keysShown(d),
	}
	for _, p := range config.Few(problems) {
		shown.Problems = append(shown.Problems, p.String())
	}
	sayProblems(c, problems)
	if trouble, ok := errors.AsType[*keyringError](c.keyringTrouble()); ok && !trouble.absent {
		c.Say("note       %s", trouble)
	}
	if err := c.printAs(form, shown, shown.text); err != nil {
		return err
	}
	if len(problems) > 0 {
		return leaveWith(ExitFound)
	}
	return nil
}

// values returns the settings of participants, prices and limits.
func (d *defaults) values() []valueShown {
	var list []valueShown
	add := func(section, name, value, source string) {
		list = append(list, valueShown{section, name, value, source})
	}
	for _, s := range d.seats {
		name := s.value
		if choice, err := d.book.Parse(s.value); err == nil {
			// Shown hides the password of a URL.
			name = choice.Shown()
		}
		add("seats", s.name, name, s.source)
	}
	if len(d.seats) == 0 {
		add("seats", "all", "what is found and you confirm, else rules", byDefault)
	}
	for i := range d.file.Participants {
		p := &d.file.Participants[i]
		// Participants with a mistake aren't in the book.
		if slices.Contains(d.book.Names(), p.Name) {
			add("participants", p.Name, d.describeParticipant(p.Name), d.at(p.Line))
		}
	}
	for _, p := range d.file.Prices {
		add("prices", p.Model, number(p.In)+" in, "+number(p.Out)+" out, per million tokens", d.at(p.Line))
	}
	for _, section := range []struct {
		name  string
		flags *pflag.FlagSet
		set   []setting
	}{{"limits", limitFlags(), d.limits}, {"budget", budgetFlags(), d.budget}} {
		section.flags.VisitAll(func(f *pflag.Flag) {
			if i := slices.IndexFunc(section.set, func(s setting) bool { return s.name == f.Name }); i >= 0 {
				add(section.name, f.Name, section.set[i].value, section.set[i].source)
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
	return list
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// describeParticipant describes a named participant with its options.
func (d *defaults) describeParticipant(name string) string {
	choice, err := d.book.Parse(name)
	if err != nil || choice.Options == nil {
		return ""
	}
	_, is := state.OwnName(choice.Name())
	parts, o := []string{is}, choice.Options
	if o.Temperature != nil {
		parts = append(parts, "temperature "+number(*o.Temperature))
	}
	if o.ReasoningEffort != "" {
		parts = append(parts, "reasoning-effort "+o.ReasoningEffort)
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"max-tokens", o.MaxTokens}, {"requests-per-minute", o.PerMinute}, {"parallel", o.Parallel}} {
		if n.value > 0 {
			parts = append(parts, n.name+" "+strconv.Itoa(n.value))
		}
	}
	if o.Base != "" {
		parts = append(parts, "at "+agent.ShownAddress(o.Base))
	}
	if o.Key != "" {
		parts = append(parts, "key "+o.Key)
	}
	if len(o.Headers) > 0 {
		parts = append(parts, "headers "+strings.Join(slices.Sorted(maps.Keys(o.Headers)), " "))
	}
	if choice.Fallback != nil {
		parts = append(parts, "fallback "+choice.Fallback.Shown())
	}
	return strings.Join(parts, ", ")
}

// screenValues returns the settings of the screen.
func (d *defaults) screenValues(c *Console) []valueShown {
	screen := d.file.Screen
	var list []valueShown
	add := func(name, value string) {
		source := byDefault
		if line := d.file.Lines["screen."+name]; line > 0 {
			source = d.at(line)
		}
		list = append(list, valueShown{"screen", name, value, source})
	}
	add("theme", screen.Theme)
	if named := c.Getenv(ThemeVariable); named != "" {
		list[0].Value, list[0].Source = named, "environment "+ThemeVariable
	}
	add("ascii", strconv.FormatBool(screen.ASCII))
	add("animation", strconv.FormatBool(screen.Animation))
	add("mouse", strconv.FormatBool(screen.Mouse))
	add("notify", strconv.FormatBool(screen.Notify))
	for _, section := range d.file.Keys {
		for _, e := range section.Entries {
			list = append(list, valueShown{"keys." + section.Name, e.Name, strings.Join(e.Values, " "), d.at(e.Line)})
		}
	}
	for _, section := range d.file.Themes {
		for _, e := range section.Entries {
			list = append(list, valueShown{"theme." + section.Name, e.Name, strings.Join(e.Values, " "), d.at(e.Line)})
		}
	}
	return list
}

func (s *configShown) text() string {
	const maxValue = 44
	var out strings.Builder
	out.WriteString(plain.Line(s.Path))
	if !s.Exists {
		out.WriteString(" (does not exist: using the defaults)")
	}
	out.WriteString("\n")
	name, value := 0, 0
	for _, v := range s.Values {
		name = max(name, len(v.Name))
		value = max(value, len(v.Value))
	}
	value = min(value, maxValue)
	section := ""
	for _, v := range s.Values {
		if v.Section != section {
			section = v.Section
			fmt.Fprintf(&out, "\n[%s]\n", plain.Line(section))
		}
		source := plain.Line(v.Source)
		fmt.Fprintf(&out, "  %-*s  %-*s  %s\n", name, plain.Line(v.Name), value, plain.Line(v.Value), source)
	}
	var keys []keyShown
	for _, k := range s.Keys {
		if k.Where != "" || k.own {
			keys = append(keys, k)
		}
	}
	out.WriteString("\nkeys\n" + keyTable(keys))
	if others := len(s.Keys) - len(keys); others > 0 {
		fmt.Fprintf(&out, "  %d others are not set; moot key list shows them all\n", others)
	}
	return out.String()
}
