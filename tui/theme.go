package tui

import (
	_ "embed" // The themes are a file of their own.
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"moot/config"
	"moot/internal/enum"
)

//go:embed theme_data.toml
var themeData []byte

// AutoTheme is the name of the theme that goes by the terminal: dark or light
// by its background, ansi where it has 16 colors, mono where it has none.
const AutoTheme = "auto"

// role is what a style says; a theme has a swatch for each.
type role int

const (
	roleText role = iota
	roleFaint
	roleTitle
	roleAccent
	roleBorder
	roleSelected
	roleMatch
	roleAgreed
	roleDismissed
	roleUnresolved
	roleNotEvaluated
	roleOpen
	roleAttack
	roleSupport
	roleUser
	roleWarn
	roleOrchestrator
	roleConsultee
	roleSeat
	roleCount
)

// roleNames are the roles as the configuration writes them, in their order.
func roleNames() []string {
	return []string{
		"text", "faint", "title", "accent", "border", "selected", "match", "agreed", "dismissed", "unresolved",
		"not-evaluated", "open", "attack", "support", "user", "warn", "orchestrator", "consultee", "seat",
	}
}

// palette is a swatch for each role.
type palette [roleCount]swatch

// Theme is how things are drawn, by their roles. It may say one thing for dark
// backgrounds and another for light ones.
type Theme struct {
	Name            string
	onDark, onLight palette
}

// on is the palette for a background.
func (t *Theme) on(light bool) palette {
	if light {
		return t.onLight
	}
	return t.onDark
}

// Themes are those that can be named: moot's own, and after them the person's.
type Themes struct{ list []Theme }

// BuiltInThemes returns the themes that moot is built with: auto, dark, light,
// contrast with one half each as contrast-dark and contrast-light, ansi, mono.
func BuiltInThemes() *Themes {
	// A test reads the file that is built in, and knows that nothing is wrong.
	file, _ := config.Read("theme_data.toml", themeData)
	halves := map[string]palette{}
	for _, section := range file.Themes {
		t := Theme{}
		t.change(section.Entries)
		halves[section.Name] = t.onDark
	}
	whole := func(name, dark, light string) Theme {
		return Theme{Name: name, onDark: halves[dark], onLight: halves[light]}
	}
	list := []Theme{whole(AutoTheme, "dark", "light"), whole("contrast", "contrast-dark", "contrast-light")}
	for _, name := range []string{"dark", "light", "ansi", "mono", "contrast-dark", "contrast-light"} {
		list = append(list, whole(name, name, name))
	}
	return &Themes{list}
}

// NewThemes returns the built-in themes and those of the sections. What is
// wrong with a section is among the problems, which do not name the file yet;
// the rest of it holds.
func NewThemes(sections []config.Section) (*Themes, []config.Problem) {
	t := BuiltInThemes()
	builtIn := t.Names()
	var problems []config.Problem
	for _, s := range sections {
		if slices.Contains(builtIn, s.Name) {
			problems = append(problems, config.Problem{
				Line: s.Line, What: "the theme " + s.Name + " is built in; give yours another name, and base = \"" + s.Name + "\"",
			})
			continue
		}
		theme, wrong := NewTheme(s.Name, s.Entries, t)
		t.list, problems = append(t.list, theme), append(problems, wrong...)
	}
	return t, problems
}

// Names returns the names of the themes, moot's own first.
func (t *Themes) Names() []string {
	names := make([]string, len(t.list))
	for i := range t.list {
		names[i] = t.list[i].Name
	}
	return names
}

// Find returns the theme of that name, or an *enum.UnknownError that names the
// nearest.
func (t *Themes) Find(name string) (*Theme, error) {
	for i := range t.list {
		if t.list[i].Name == name {
			return &t.list[i], nil
		}
	}
	return nil, &enum.UnknownError{What: "theme", Word: name, Known: t.Names(), Nearest: enum.Nearest(name, t.Names())}
}

// Next returns the theme after the given one, and the first after the last; nil
// stands for auto.
func (t *Themes) Next(now *Theme) *Theme {
	name := AutoTheme
	if now != nil {
		name = now.Name
	}
	at := slices.IndexFunc(t.list, func(other Theme) bool { return other.Name == name })
	return &t.list[(at+1)%len(t.list)]
}

// NewTheme returns a theme of the person: that which the entry "base" names,
// auto without one, changed by the other entries. The base is among the known.
// An entry that says nothing known is a problem, without its file, and leaves
// what the base says.
func NewTheme(name string, entries []config.Entry, known *Themes) (Theme, []config.Problem) {
	var problems []config.Problem
	base := AutoTheme
	rest := make([]config.Entry, 0, len(entries))
	for _, e := range entries {
		if e.Name != "base" {
			rest = append(rest, e)
			continue
		}
		base = strings.Join(e.Values, " ")
		if _, err := known.Find(base); err != nil {
			problems = append(problems, config.Problem{
				Line: e.Line,
				What: "unknown theme " + config.Named(base) + " as the base of [theme." + config.Named(name) + "]" + config.Meant(enum.Nearest(base, known.Names())),
			})
			base = AutoTheme
		}
	}
	t := Theme{Name: name}
	if from, err := known.Find(base); err == nil {
		t.onDark, t.onLight = from.onDark, from.onLight
	}
	return t, append(problems, t.change(rest)...)
}

// change sets the roles that the entries name, for both backgrounds.
func (t *Theme) change(entries []config.Entry) []config.Problem {
	var problems []config.Problem
	table := "[theme." + config.Named(t.Name) + "]"
	for _, e := range entries {
		at := slices.Index(roleNames(), e.Name)
		if at < 0 {
			problems = append(problems, config.Problem{
				Line: e.Line, What: "unknown key " + config.Named(e.Name) + " in " + table + config.Meant(enum.Nearest(e.Name, roleNames())),
			})
			continue
		}
		s, err := parseSwatch(strings.Join(e.Values, " "))
		if err != nil {
			problems = append(problems, config.Problem{Line: e.Line, What: e.Name + " in " + table + ": " + err.Error()})
			continue
		}
		t.onDark[at], t.onLight[at] = s, s
	}
	return problems
}

// chooseTheme is the palette to draw with. What the person named holds, save
// for colors where there are none to be; without a name the terminal decides.
func chooseTheme(a appearance) palette {
	themes := a.themes
	if themes == nil {
		themes = BuiltInThemes()
	}
	named := func(name string) *Theme {
		t, err := themes.Find(name)
		if err != nil {
			return &Theme{Name: name}
		}
		return t
	}
	colorless := a.mono || a.profile == colorprofile.ASCII
	t := a.theme
	if t == nil || t.Name == AutoTheme {
		switch {
		case colorless:
			return named("mono").onDark
		case a.profile == colorprofile.ANSI:
			return named("ansi").onDark
		}
		return named(AutoTheme).on(a.light)
	}
	if colorless {
		return t.on(a.light).withoutColors(named("mono").onDark)
	}
	return t.on(a.light)
}

// withoutColors keeps the attributes of each swatch. One that was told by its
// background, or by nothing but a color, is drawn as in mono.
func (p palette) withoutColors(mono palette) palette {
	for r := range p {
		bare := p[r]
		bare.ink, bare.ground = "", ""
		if p[r].ground != "" || p[r].colored() && bare == (swatch{}) {
			bare = mono[r]
		}
		p[r] = bare
	}
	return p
}
