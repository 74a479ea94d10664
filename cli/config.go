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
	"moot/enum"
	"moot/tui"
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
	theme    *tui.Theme
	themes   *tui.Themes
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
	path, name, err := configPath(c)
	if err != nil {
		return err
	}
	data, problems := readConfig(path, name, c.Getenv(ConfigVariable) != "")
	file, wrong := config.Read(name, data)
	problems = append(problems, wrong...)
	s := screenLook{file: file}
	s.themes, wrong = tui.NewThemes(file.Themes)
	problems = append(problems, config.In(name, wrong)...)
	s.keys, wrong = tui.Rebind(tui.Bindings(), file.Keys)
	problems = append(problems, config.In(name, wrong)...)
	if s.theme, wrong, err = o.chosen(c, name, &s); err != nil {
		return err
	}
	o.settled = s
	if screen {
		o.tell(c, append(problems, wrong...))
	}
	return nil
}

// chosen is the theme that holds.
func (o *lookOptions) chosen(c *Console, name string, s *screenLook) (*tui.Theme, []config.Problem, error) {
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
	slices.SortStableFunc(problems, func(a, b config.Problem) int {
		if (a.Line == 0) != (b.Line == 0) {
			return b.Line - a.Line
		}
		return a.Line - b.Line
	})
	problems = config.Few(problems)
	for _, p := range problems {
		c.Say("moot: %s", p)
		o.settled.problems = append(o.settled.problems, p.String())
	}
	if len(problems) > 0 {
		c.Say("moot: what is wrong there is left out, and the default holds")
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

// readConfig reads the file, as far as a configuration may be long. One that is
// not there is empty, unless the person named it.
func readConfig(path, name string, named bool) ([]byte, []config.Problem) {
	file, err := os.Open(path)
	if err == nil {
		defer func() { _ = file.Close() }()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(file, config.MaxBytes+1)); err == nil {
			return data, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil, nil
	}
	why := err
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		why = inner.Err
	}
	return nil, []config.Problem{{File: name, What: fmt.Sprintf("cannot be read: %s", why)}}
}
