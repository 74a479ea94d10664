package theme

import (
	_ "embed" // for theme_data.toml
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"moot/config"
	"moot/internal/enum"
	"moot/internal/lists"
)

//go:embed theme_data.toml
var themeData []byte

// Auto is the name of the theme that follows the terminal: dark or light by
// its background, ansi if it has 16 colors, mono if it has none.
const Auto = "auto"

// RoleNames returns the names of the roles in config.toml. A theme has a swatch for each of them.
func RoleNames() []string {
	return []string{
		"text", "faint", "title", "accent", "border", "selected", "match", "agreed", "dismissed", "unresolved",
		"not-evaluated", "open", "attack", "support", "user", "warn", "orchestrator", "consultee", "seat",
	}
}

// palette is a swatch for each role by its name.
type palette map[string]swatch

// Theme maps roles to swatches. The palettes for dark and light backgrounds may
// differ.
type Theme struct {
	Name            string
	onDark, onLight palette
}

// on returns the palette for a background.
func (t *Theme) on(light bool) palette {
	if light {
		return t.onLight
	}
	return t.onDark
}

// Themes lists the built-in themes, followed by those from config.toml.
type Themes struct{ list []Theme }

// BuiltIn returns the built-in themes: auto, dark, light, contrast (also as
// contrast-dark and contrast-light), ansi and mono.
func BuiltIn() *Themes {
	// A test checks that the embedded file has no problems.
	file, _ := config.Read("theme_data.toml", themeData)
	halves := map[string]palette{}
	for _, section := range file.Themes {
		t := Theme{onDark: palette{}, onLight: palette{}}
		t.change(section.Entries)
		halves[section.Name] = t.onDark
	}
	whole := func(name, dark, light string) Theme {
		return Theme{Name: name, onDark: halves[dark], onLight: halves[light]}
	}
	list := []Theme{whole(Auto, "dark", "light"), whole("contrast", "contrast-dark", "contrast-light")}
	for _, name := range []string{"dark", "light", "ansi", "mono", "contrast-dark", "contrast-light"} {
		list = append(list, whole(name, name, name))
	}
	return &Themes{list}
}

// Load returns the built-in themes and those of the sections. A problem with an
// entry skips only that entry; the problems don't name the file yet.
func Load(sections []config.Section) (*Themes, []config.Problem) {
	t := BuiltIn()
	builtIn := t.Names()
	var problems []config.Problem
	for _, s := range sections {
		if slices.Contains(builtIn, s.Name) {
			what := "the theme " + s.Name + " is built in; give yours another name, and base = \"" + s.Name + "\""
			problems = append(problems, config.Problem{Line: s.Line, What: what})
			continue
		}
		theme, wrong := parseTheme(s.Name, s.Entries, t)
		t.list, problems = append(t.list, theme), append(problems, wrong...)
	}
	return t, problems
}

// Names returns the names of the themes, built-in ones first.
func (t *Themes) Names() []string {
	return lists.Map(t.list, func(one Theme) string { return one.Name })
}

// Find returns the named theme, or an *enum.UnknownError that suggests the
// nearest name.
func (t *Themes) Find(name string) (*Theme, error) {
	for i := range t.list {
		if t.list[i].Name == name {
			return &t.list[i], nil
		}
	}
	return nil, &enum.UnknownError{What: "theme", Word: name, Known: t.Names(), Nearest: enum.Nearest(name, t.Names())}
}

// Next returns the theme after now, wrapping around. A nil theme means auto.
func (t *Themes) Next(now *Theme) *Theme {
	name := Auto
	if now != nil {
		name = now.Name
	}
	at := slices.IndexFunc(t.list, func(other Theme) bool { return other.Name == name })
	return &t.list[(at+1)%len(t.list)]
}

// parseTheme reads a theme of config.toml: the one that the entry "base" names
// (default auto), changed by the other entries. An invalid entry is reported and
// leaves the base's value.
func parseTheme(name string, entries []config.Entry, known *Themes) (Theme, []config.Problem) {
	var problems []config.Problem
	base := Auto
	rest := make([]config.Entry, 0, len(entries))
	for _, e := range entries {
		if e.Name != "base" {
			rest = append(rest, e)
			continue
		}
		base = strings.Join(e.Values, " ")
		if _, err := known.Find(base); err != nil {
			what := "unknown theme " + config.Named(base) + " as the base of [theme." + config.Named(name) + "]"
			meant := config.Meant(enum.Nearest(base, known.Names()))
			problems = append(problems, config.Problem{Line: e.Line, What: what + meant})
			base = Auto
		}
	}
	t := Theme{Name: name}
	if from, err := known.Find(base); err == nil {
		t.onDark, t.onLight = maps.Clone(from.onDark), maps.Clone(from.onLight)
	}
	return t, append(problems, t.change(rest)...)
}

// change sets the roles named by the entries, for both backgrounds.
func (t *Theme) change(entries []config.Entry) []config.Problem {
	var problems []config.Problem
	table := "[theme." + config.Named(t.Name) + "]"
	for _, e := range entries {
		if !slices.Contains(RoleNames(), e.Name) {
			what := "unknown key " + config.Named(e.Name) + " in " + table
			meant := config.Meant(enum.Nearest(e.Name, RoleNames()))
			problems = append(problems, config.Problem{Line: e.Line, What: what + meant})
			continue
		}
		s, err := parseSwatch(strings.Join(e.Values, " "))
		if err != nil {
			what := e.Name + " in " + table + ": " + err.Error()
			problems = append(problems, config.Problem{Line: e.Line, What: what})
			continue
		}
		t.onDark[e.Name], t.onLight[e.Name] = s, s
	}
	return problems
}

// choosePalette returns the palette to draw with: mono if the terminal has no colors, that of
// the user's theme, or one that suits the terminal.
func choosePalette(a Appearance) palette {
	themes := a.Themes
	if themes == nil {
		themes = BuiltIn()
	}
	named := func(name string) *Theme {
		t, err := themes.Find(name)
		if err != nil {
			return &Theme{Name: name}
		}
		return t
	}
	switch t := a.Theme; {
	case a.Mono || a.Profile == colorprofile.ASCII:
		return named("mono").onDark
	case t != nil && t.Name != Auto:
		return t.on(a.Light)
	case a.Profile == colorprofile.ANSI:
		return named("ansi").onDark
	}
	return named(Auto).on(a.Light)
}

// Inks returns the colors of a built-in theme by role. Roles in the terminal's own color are left out.
func Inks(name string) map[string]string {
	inks := map[string]string{}
	if t, err := BuiltIn().Find(name); err == nil {
		for role, s := range t.onDark {
			if s.ink != "" {
				inks[role] = s.ink
			}
		}
	}
	return inks
}
