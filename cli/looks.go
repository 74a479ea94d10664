package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/config"
	"moot/internal/enum"
	"moot/tui"
	"moot/tui/theme"
)

// lookOptions are the flags for the appearance of the screen, and once they are loaded, the values to use.
type lookOptions struct {
	theme                       string
	ascii, noAnimation, noMouse bool
	// changed reports whether a flag was given.
	changed func(flag string) bool

	loaded screenLook
}

// screenLook is the appearance from the flags, the environment and the configuration.
type screenLook struct {
	file     config.File
	theme    *theme.Theme
	themes   *theme.Themes
	keys     []tui.Binding
	problems []string
}

func (o *lookOptions) flags(cmd *cobra.Command) {
	o.changed = cmd.Flags().Changed
	group(cmd, "Appearance (config.toml sets the defaults)", func(f *pflag.FlagSet) {
		f.StringVar(&o.theme, "theme", "",
			"the colors: auto, dark, light, contrast, ansi, mono, or a theme of your configuration (also MOOT_THEME)")
		f.BoolVar(&o.ascii, "ascii", false, "draw borders and signs in ASCII")
		f.BoolVar(&o.noAnimation, "no-animation", false, "turn animations off")
		f.BoolVar(&o.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	})
}

// load reads the configuration if a screen is shown. It reports mistakes in the configuration and the environment, and
// uses the defaults for them. An unknown --theme is an error even without a screen.
func (o *lookOptions) load(c *Console, screen bool) error {
	if !screen && o.theme == "" {
		return nil
	}
	d := c.readDefaults()
	look, problems, err := o.resolve(c, d)
	if err != nil {
		return err
	}
	o.loaded = look
	if !screen {
		return nil
	}
	// They are printed before the screen covers the terminal, and shown on the screen too.
	problems = config.Few(sortProblems(slices.Concat(d.problems, problems)))
	for _, p := range problems {
		c.Say("moot: %s", p)
		o.loaded.problems = append(o.loaded.problems, p.String())
	}
	if len(problems) > 0 {
		c.Say("moot: the defaults are used instead")
	}
	if len(config.Deciding(problems)) > 0 {
		c.Say("moot: fix the participants and limits before asking a question: moot config edit")
	}
	return nil
}

// resolve combines the flags, the environment and the configuration.
func (o *lookOptions) resolve(c *Console, d *defaults) (look screenLook, problems []config.Problem, err error) {
	look = screenLook{file: d.file}
	var wrong []config.Problem
	look.themes, wrong = theme.Load(d.file.Themes)
	problems = config.In(d.name, wrong)
	look.keys, wrong = tui.Rebind(tui.Bindings(), d.file.Keys)
	problems = append(problems, config.In(d.name, wrong)...)
	if o.theme != "" {
		if look.theme, err = look.themes.Find(o.theme); err != nil {
			return look, nil, usage("%w", err)
		}
		return look, problems, nil
	}
	for _, source := range []config.Problem{
		{File: ThemeVariable, What: c.Getenv(ThemeVariable)},
		{File: d.name, Line: d.file.Lines["screen.theme"], What: d.file.Screen.Theme},
	} {
		if source.What == "" {
			continue
		}
		named, err := look.themes.Find(source.What)
		if err == nil {
			look.theme = named
			break
		}
		source.What = "unknown theme " + config.Named(source.What)
		if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
			source.What += config.Meant(unknown.Nearest)
		}
		problems = append(problems, source)
	}
	return look, problems, nil
}

// apply sets the options of a screen.
func (o *lookOptions) apply(to *tui.Options) {
	look := &o.loaded
	if look.themes == nil {
		look.file = config.Default()
	}
	choose := func(flag string, value, inFile bool) bool {
		if o.changed != nil && o.changed(flag) {
			return value
		}
		return inFile
	}
	screen := &look.file.Screen
	to.Theme, to.Themes, to.Keys, to.Problems = look.theme, look.themes, look.keys, look.problems
	to.ASCII = choose("ascii", o.ascii, screen.ASCII)
	to.NoAnimation = choose("no-animation", o.noAnimation, !screen.Animation)
	to.NoMouse = choose("no-mouse", o.noMouse, !screen.Mouse)
	to.NoNotify = !screen.Notify
}
