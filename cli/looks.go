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

// lookOptions are the flags for the appearance of the screen. The configuration can turn on the same.
type lookOptions struct {
	theme              string
	ascii, noAnimation bool

	// loaded are the options of the screen from the flags, the environment and the configuration.
	loaded tui.Options
}

func (o *lookOptions) flags(cmd *cobra.Command) {
	group(cmd, "Appearance (config.toml sets the defaults)", func(f *pflag.FlagSet) {
		f.StringVar(&o.theme, "theme", "",
			"the colors: auto, dark, light, contrast, ansi, mono, or a theme of your configuration (also MOOT_THEME)")
		f.BoolVar(&o.ascii, "ascii", false, "draw borders and signs in ASCII")
		f.BoolVar(&o.noAnimation, "no-animation", false, "turn animations off")
	})
}

// load reads the configuration if a screen is shown. It reports mistakes in the configuration and the environment, and
// uses the defaults for them. An unknown --theme is an error even without a screen.
func (o *lookOptions) load(c *Console, screen bool) error {
	if !screen && o.theme == "" {
		return nil
	}
	d := c.readDefaults()
	problems, err := o.resolve(c, d)
	if err != nil || !screen {
		return err
	}
	// They are printed before the screen covers the terminal, and shown on the screen too.
	problems = config.Few(sortProblems(slices.Concat(d.problems, problems)))
	for _, p := range problems {
		c.Say("moot: %s", p)
		o.loaded.Problems = append(o.loaded.Problems, p.String())
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
func (o *lookOptions) resolve(c *Console, d *defaults) (problems []config.Problem, err error) {
	screen, to := &d.file.Screen, &o.loaded
	to.ASCII, to.NoAnimation = o.ascii || screen.ASCII, o.noAnimation || !screen.Animation
	to.NoMouse, to.NoNotify = !screen.Mouse, !screen.Notify
	var wrong []config.Problem
	to.Themes, wrong = theme.Load(d.file.Themes)
	problems = config.In(d.name, wrong)
	to.Keys, wrong = tui.Rebind(tui.Bindings(), d.file.Keys)
	problems = append(problems, config.In(d.name, wrong)...)
	if o.theme != "" {
		if to.Theme, err = to.Themes.Find(o.theme); err != nil {
			return nil, usage("%w", err)
		}
		return problems, nil
	}
	for _, source := range []config.Problem{
		{File: ThemeVariable, What: c.Getenv(ThemeVariable)},
		{File: d.name, Line: d.file.Lines["screen.theme"], What: d.file.Screen.Theme},
	} {
		if source.What == "" {
			continue
		}
		named, err := to.Themes.Find(source.What)
		if err == nil {
			to.Theme = named
			break
		}
		source.What = "unknown theme " + config.Named(source.What)
		if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
			source.What += config.Meant(unknown.Nearest)
		}
		problems = append(problems, source)
	}
	return problems, nil
}
