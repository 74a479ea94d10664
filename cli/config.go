package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/config"
	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
)

func newConfig(c *Console) *cobra.Command {
	return parent(&cobra.Command{Use: "config"}, newConfigShow(c), newConfigEdit(c), newConfigPath(c))
}

func newConfigPath(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:  "path",
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error {
			path, _ := configPath(c)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				c.Say("note       there is no such file, so the defaults are used; moot config edit writes one")
			}
			return c.Print(path + "\n")
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
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error { return editConfig(c) },
	}
}

// editConfig runs the editor, and checks the configuration afterwards.
func editConfig(c *Console) error {
	path, _ := configPath(c)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := writeTemplate(path); err != nil {
			return err
		}
		c.Say("wrote      %s", path)
	}
	cmd, err := editorCommand(c, path, 0)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out, c.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s: %w; %s is as the editor left it", cmd.Path, err, path)
	}
	d := c.readDefaults()
	if problems := d.allProblems(c); len(problems) > 0 {
		sayProblems(c, problems)
		return leaveWith(ExitFound)
	}
	c.Say("checked    %s: no problems; moot config show lists the settings", path)
	return nil
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

// valueShown is one setting. Its source is "config.toml:12", "environment MOOT_THEME" or "default".
type valueShown struct{ section, name, value, source string }

const byDefault = "default"

func newConfigShow(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:  "show",
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error { return showConfig(c) },
	}
}

func showConfig(c *Console) error {
	d := c.readDefaults()
	problems := d.allProblems(c)
	sayProblems(c, problems)
	text := plain.Line(d.path)
	if !d.exists {
		text += " (does not exist: using the defaults)"
	}
	section, rows := "", [][]string{}
	for _, v := range slices.Concat(d.values(), d.screenValues(c)) {
		if v.section != section {
			section = v.section
			rows = append(rows, []string{""}, []string{"[" + section + "]"})
		}
		rows = append(rows, []string{"  " + plain.Line(v.name), plain.Line(v.value), plain.Line(v.source)})
	}
	if err := c.Print(text + "\n" + strings.Join(append(columns(rows), ""), "\n")); err != nil {
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
			add("participants", p.Name, d.describe(p.Name), d.at(p.Line))
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

// describe describes a named participant. The password of a URL is hidden.
func (d *defaults) describe(name string) string {
	choice, err := d.book.Parse(name)
	if err != nil {
		return ""
	}
	_, is := state.OwnName(choice.Name())
	if choice.Fallback != nil {
		is += ", fallback " + choice.Fallback.Shown()
	}
	return is
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
		list[0].value, list[0].source = named, "environment "+ThemeVariable
	}
	add("ascii", strconv.FormatBool(screen.ASCII))
	add("animation", strconv.FormatBool(screen.Animation))
	add("mouse", strconv.FormatBool(screen.Mouse))
	add("notify", strconv.FormatBool(screen.Notify))
	return list
}
