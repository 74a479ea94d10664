package theme

import (
	"errors"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"moot/config"
	"moot/internal/enum"
)

func TestSwatches(t *testing.T) {
	for text, want := range map[string]swatch{
		"#8a5a00":                    {ink: "#8a5a00"},
		"#ABC":                       {ink: "#aabbcc"},
		"12":                         {ink: "12"},
		"255":                        {ink: "255"},
		"red":                        {ink: "1"},
		"Bright-Blue":                {ink: "12"},
		"bold #ff0000":               {ink: "#ff0000", bold: true},
		"red bold":                   {ink: "1", bold: true},
		"underline":                  {underline: true},
		"reverse faint italic":       {invert: true, faint: true, italic: true},
		"default":                    {},
		"bold on #222222":            {ground: "#222222", bold: true},
		"black on 3":                 {ink: "0", ground: "3"},
		"on default red":             {ink: "1"},
		"  underline   bright-white": {ink: "15", underline: true},
	} {
		if got, err := parseSwatch(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":         `names no style; write "default" for the terminal's own color`,
		"grean":    "unknown color grean; did you mean green?",
		"bolt":     "unknown color bolt; did you mean bold?",
		"#12":      `"#12" is no color; write # and 3 or 6 hexadecimal digits, such as #8a5a00`,
		"#ggg":     `"#ggg" is no color; write # and 3 or 6 hexadecimal digits, such as #8a5a00`,
		"#-12":     `"#-12" is no color; write # and 3 or 6 hexadecimal digits, such as #8a5a00`,
		"256":      `"256" is no color; the numbers are 0 to 255`,
		"-1":       `"-1" is no color; the numbers are 0 to 255`,
		"red on":   "unknown color on",
		"\x1b[31m": `unknown color "\x1b[31m"`,
	} {
		if _, err := parseSwatch(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestChooseTheme(t *testing.T) {
	themes, problems := Load([]config.Section{{Name: "mine", Entries: []config.Entry{{Name: "agreed", Values: []string{"underline #123456"}}}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	find := func(name string) *Theme {
		theme, err := themes.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return theme
	}
	dark, light, mono, ansi := find("dark").onDark, find("light").onDark, find("mono").onDark, find("ansi").onDark
	for _, test := range []struct {
		name string
		a    Appearance
		want palette
	}{
		{"nothing is known", Appearance{}, dark},
		{"a light background", Appearance{Light: true}, light},
		{"no colors", Appearance{Mono: true, Light: true}, mono},
		{"a terminal without colors", Appearance{Profile: colorprofile.ASCII}, mono},
		{"16 colors", Appearance{Profile: colorprofile.ANSI, Light: true}, ansi},
		{"16 colors, of which none are wanted", Appearance{Profile: colorprofile.ANSI, Mono: true}, mono},
		{"256 colors", Appearance{Profile: colorprofile.ANSI256}, dark},
		{"all colors", Appearance{Profile: colorprofile.TrueColor, Light: true}, light},
		{"auto is as good as none", Appearance{Theme: find("auto"), Profile: colorprofile.ANSI}, ansi},
		{"auto on light", Appearance{Theme: find("auto"), Light: true}, light},
		{"a name holds on any background", Appearance{Theme: find("dark"), Light: true}, dark},
		{"a name holds with 16 colors", Appearance{Theme: find("light"), Profile: colorprofile.ANSI}, light},
		{"contrast on dark", Appearance{Theme: find("contrast")}, find("contrast-dark").onDark},
		{"contrast on light", Appearance{Theme: find("contrast"), Light: true}, find("contrast-light").onDark},
	} {
		if got := choosePalette(test.a); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got\n%+v, want\n%+v", test.name, got, test.want)
		}
	}
	if got := choosePalette(Appearance{Theme: find("mine"), Mono: true}); !reflect.DeepEqual(got, mono) {
		t.Errorf("without colors: got %+v", got)
	}
}

func TestOwnThemes(t *testing.T) {
	entry := func(name string, values ...string) config.Entry {
		return config.Entry{Name: name, Values: values, Line: 7}
	}
	themes, problems := Load([]config.Section{
		{Name: "paper", Line: 1, Entries: []config.Entry{entry("base", "light"), entry("accent", "bold", "#8a5a00"), entry("acent", "red"), entry("open", "grean"), entry("faint", "8")}},
		{Name: "dark", Line: 20},
		{Name: "night", Line: 30, Entries: []config.Entry{entry("base", "paper"), entry("text", "15")}},
		{Name: "lost", Line: 40, Entries: []config.Entry{entry("base", "papper")}},
		{Name: "plain", Line: 50},
	})
	told := make([]string, len(problems))
	for i, p := range config.In("config.toml", problems) {
		told[i] = p.Error()
	}
	want := []string{
		"config.toml:7: unknown key acent in [theme.paper]; did you mean accent?",
		"config.toml:7: open in [theme.paper]: unknown color grean; did you mean green?",
		`config.toml:20: the theme dark is built in; give yours another name, and base = "dark"`,
		"config.toml:7: unknown theme papper as the base of [theme.lost]; did you mean paper?",
	}
	if !slices.Equal(told, want) {
		t.Errorf("got\n%q, want\n%q", told, want)
	}
	night, err := themes.Find("night")
	if err != nil {
		t.Fatal(err)
	}
	light, _ := themes.Find("light")
	expected := maps.Clone(light.onDark)
	expected["accent"], expected["faint"], expected["text"] = swatch{ink: "#8a5a00", bold: true}, swatch{ink: "8"}, swatch{ink: "15"}
	if !reflect.DeepEqual(night.onDark, expected) {
		t.Errorf("got\n%+v, want\n%+v", night.onDark, expected)
	}
	// Without a base it goes by the background.
	if plain, _ := themes.Find("plain"); !maps.Equal(plain.onLight, light.onLight) || maps.Equal(plain.onDark, light.onDark) {
		t.Error("a theme without a base is not auto")
	}
	_, err = themes.Find("contrst")
	if unknown, ok := errors.AsType[*enum.UnknownError](err); !ok || unknown.Nearest != "contrast" {
		t.Errorf("%v", err)
	}
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for shift, weight := range map[int]float64{16: 0.2126, 8: 0.7152, 0: 0.0722} {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	if got := contrast(t, "#000000", "#ffffff"); math.Abs(got-21) > 0.01 {
		t.Fatalf("black on white is %.2f", got)
	}
	if got := contrast(t, "#777777", "#ffffff"); math.Abs(got-4.48) > 0.01 {
		t.Fatalf("gray on white is %.2f", got)
	}
	black, white := []string{"#000000", "#1e1e1e"}, []string{"#ffffff", "#fafafa"}
	for _, test := range []struct {
		name    string
		grounds []string
		text    float64
		// border is a line that nothing depends on.
		border float64
	}{
		{"dark", black, 4.5, 2},
		{"light", white, 4.5, 1.8},
		{"contrast-dark", black, 7, 7},
		{"contrast-light", white, 7, 7},
	} {
		theme, err := BuiltIn().Find(test.name)
		if err != nil {
			t.Fatal(err)
		}
		p := theme.onDark
		for r, s := range p {
			least := test.text
			if r == "border" {
				least = test.border
			}
			// Text without a color is the terminal's own, and turned around it
			// has the same contrast.
			if s.ink == "" {
				continue
			}
			grounds := test.grounds
			if s.ground != "" {
				grounds = []string{s.ground}
			}
			for _, ground := range grounds {
				if got := contrast(t, s.ink, ground); got < least {
					t.Errorf("%s: %s on %s has %.2f, less than %.1f", test.name, r, ground, got, least)
				}
			}
			if behind := p["selected"].ground; behind != "" && s.ground == "" && r != "border" {
				if got := contrast(t, s.ink, behind); got < least {
					t.Errorf("%s: %s where it is selected has %.2f, less than %.1f", test.name, r, got, least)
				}
			}
		}
	}
}

// What is selected keeps its contrast in every theme: it has a ground of its own, which TestContrast measures, or it is
// turned around whole, so that the two colors are the same. A color of a theme that is not measured would be neither.
func TestSelectedRowsAreMeasured(t *testing.T) {
	measured := []string{"auto", "dark", "light", "contrast", "contrast-dark", "contrast-light"}
	for _, name := range BuiltIn().Names() {
		theme, err := BuiltIn().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []palette{theme.onDark, theme.onLight} {
			s := p["selected"]
			switch {
			case s.ink != "":
				t.Errorf("%s: what is selected has one color, whatever its text means", name)
			case s.ground == "" && !s.invert:
				t.Errorf("%s: what is selected is not marked", name)
			case s.ground != "" && !slices.Contains(measured, name):
				t.Errorf("%s: nothing measures what is selected", name)
			}
		}
	}
}

// FuzzThemes reads themes from arbitrary bytes: nothing panics, problems are
// printable, and a style holds nothing but sequences that set colors.
func FuzzThemes(f *testing.F) {
	for _, seed := range []string{
		"[theme.a]\nbase = \"light\"\naccent = \"bold #fff on 12\"\n[theme.b]\nbase = \"a\"\nopen = 300\n",
		"[theme.\"\\u001b\"]\n\"\\u001b\" = \"\\u001b[31m\"\n",
		"[theme.a]\nbase = \"a\"\n", "[theme.a]\naccent = [\"red\", \"on\"]\n",
	} {
		f.Add([]byte(seed))
	}
	sequence := regexp.MustCompile(`^(\x1b\[[0-9;]*m)?$`)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, problems := config.Read("config.toml", data)
		themes, wrong := Load(file.Themes)
		for _, p := range append(problems, wrong...) {
			if p.What == "" || strings.ContainsFunc(p.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q", p.Error())
			}
		}
		for i := range themes.list {
			for r, swatch := range themes.list[i].onDark {
				if s := swatch.style(); !sequence.MatchString(s.On) || !sequence.MatchString(s.off) {
					t.Errorf("%s is drawn as %q", r, s.On)
				}
			}
		}
	})
}
