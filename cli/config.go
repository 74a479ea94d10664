package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/config"
	"moot/internal/enum"
	"moot/tui"
	"moot/tui/theme"
)

// The variables of the environment that say how the screen looks.
const (
	// ConfigVariable names the configuration in place of config.toml in the
	// folder moot under the XDG config home.
	ConfigVariable = "MOOT_CONFIG"
	// ThemeVariable names a theme.
	ThemeVariable = "MOOT_THEME"
)

// lookOptions say how the screen looks: the flags, and once they are settled
// what holds of them, of the environment and of the configuration.
type lookOptions struct {
	theme                       string
	ascii, noAnimation, noMouse bool
	// given says whether a flag was given.
	given func(flag string) bool

	settled screenLook
}

// screenLook is what the screen is opened with.
type screenLook struct {
	file     config.File
	theme    *theme.Theme
	themes   *theme.Themes
	keys     []tui.Binding
	problems []string
}

func (o *lookOptions) flags(cmd *cobra.Command) {
	o.given = cmd.Flags().Changed
	group(cmd, "How it looks (config.toml says it for good)", func(f *pflag.FlagSet) {
		f.StringVar(&o.theme, "theme", "", "the colors: auto, dark, light, contrast, ansi, mono, or a theme of your\nconfiguration (also MOOT_THEME)")
		f.BoolVar(&o.ascii, "ascii", false, "borders and signs in ASCII")
		f.BoolVar(&o.noAnimation, "no-animation", false, "nothing moves by itself")
		f.BoolVar(&o.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	})
}

// settle reads the configuration where there is a screen to show, and finds out
// what holds: a flag before the environment before the file. What is wrong in
// the latter two is said, and left out; an unknown --theme is an error, with or
// without a screen.
func (o *lookOptions) settle(c *Console, screen bool) error {
	if !screen && o.theme == "" {
		return nil
	}
	h, err := c.holds()
	if err != nil {
		return err
	}
	s, problems, err := o.look(c, h)
	if err != nil {
		return err
	}
	o.settled = s
	if screen {
		o.tell(c, append(h.problems, problems...))
	}
	return nil
}

// look is what the screen is opened with, and what is wrong with it.
func (o *lookOptions) look(c *Console, h *holding) (s screenLook, problems []config.Problem, err error) {
	s = screenLook{file: h.file}
	var wrong []config.Problem
	s.themes, wrong = theme.Load(h.file.Themes)
	problems = config.In(h.name, wrong)
	s.keys, wrong = tui.Rebind(tui.Bindings(), h.file.Keys)
	problems = append(problems, config.In(h.name, wrong)...)
	s.theme, wrong, err = o.chosen(c, h.name, &s)
	return s, append(problems, wrong...), err
}

// all is what is wrong with a configuration, for the looks too.
func (h *holding) all(c *Console) []config.Problem {
	_, looks, err := (&lookOptions{}).look(c, h)
	if err != nil {
		// Only a flag is an error.
		looks = nil
	}
	return sorted(slices.Concat(h.problems, looks))
}

// sorted are problems in the order of the lines, and then what has none.
func sorted(problems []config.Problem) []config.Problem {
	slices.SortStableFunc(problems, func(a, b config.Problem) int {
		if (a.Line == 0) != (b.Line == 0) {
			return b.Line - a.Line
		}
		return a.Line - b.Line
	})
	return problems
}

// chosen is the theme that holds.
func (o *lookOptions) chosen(c *Console, name string, s *screenLook) (*theme.Theme, []config.Problem, error) {
	if o.theme != "" {
		theme, err := s.themes.Find(o.theme)
		if err != nil {
			return nil, nil, usage("%w", err)
		}
		return theme, nil, nil
	}
	var problems []config.Problem
	for _, from := range []config.Problem{
		{File: ThemeVariable, What: c.Getenv(ThemeVariable)},
		{File: name, Line: s.file.Screen.ThemeLine, What: s.file.Screen.Theme},
	} {
		if from.What == "" {
			continue
		}
		theme, err := s.themes.Find(from.What)
		if err == nil {
			return theme, problems, nil
		}
		from.What = "unknown theme " + config.Named(from.What)
		if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
			from.What += config.Meant(unknown.Nearest)
		}
		problems = append(problems, from)
	}
	return nil, problems, nil
}

// tell says the problems before the screen covers the terminal, and keeps them
// for the screen to show: in the order of the lines, and then what has none.
func (o *lookOptions) tell(c *Console, problems []config.Problem) {
	problems = config.Few(sorted(problems))
	for _, p := range problems {
		c.Say("moot: %s", p)
		o.settled.problems = append(o.settled.problems, p.String())
	}
	if len(problems) > 0 {
		c.Say("moot: what is wrong there is left out, and the default holds")
	}
	if len(config.Deciding(problems)) > 0 {
		c.Say("moot: nobody is asked before it is mended where it says who is asked: moot config edit")
	}
}

// apply says to the screen what was settled.
func (o *lookOptions) apply(to *tui.Options) {
	s := &o.settled
	if s.themes == nil {
		// Nobody settled it, so that nothing was said.
		s.file = config.Default()
	}
	screen := &s.file.Screen
	to.Theme, to.Themes, to.Keys, to.Problems = s.theme, s.themes, s.keys, s.problems
	to.ASCII = o.prefer("ascii", o.ascii, screen.ASCII)
	to.NoAnimation = o.prefer("no-animation", o.noAnimation, !screen.Animation)
	to.NoMouse = o.prefer("no-mouse", o.noMouse, !screen.Mouse)
	to.NoNotify = !screen.Notify
}

// prefer is the flag where it was given, else what the file says.
func (o *lookOptions) prefer(flag string, value, file bool) bool {
	if o.given != nil && o.given(flag) {
		return value
	}
	return file
}

// configPath is where the configuration is, and what problems call it.
func configPath(c *Console) (path, name string, err error) {
	if named := c.Getenv(ConfigVariable); named != "" {
		if !filepath.IsAbs(named) {
			named = filepath.Join(c.Dir, named)
		}
		return named, c.Getenv(ConfigVariable), nil
	}
	path, err = filepath.Abs(filepath.Join(xdg.ConfigHome, "moot", "config.toml"))
	if err != nil {
		return "", "", fmt.Errorf("find the configuration (%s names it): %w", ConfigVariable, err)
	}
	return path, "config.toml", nil
}

// nowhere is a file that says nothing.
func nowhere() string { return os.DevNull }

// readConfig reads the file, as far as a configuration may be long, and says
// whether there is one. One that is not there is empty, unless the person named it.
func readConfig(path, name string, named bool) (data []byte, there bool, problems []config.Problem) {
	file, err := os.Open(path)
	if err == nil {
		defer func() { _ = file.Close() }()
		if data, err = io.ReadAll(io.LimitReader(file, config.MaxBytes+1)); err == nil {
			return data, true, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil, false, nil
	}
	why := err
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		why = inner.Err
	}
	return nil, !errors.Is(err, fs.ErrNotExist), []config.Problem{{File: name, What: fmt.Sprintf("cannot be read: %s", why), Decides: true}}
}
