package config_test

import (
	"reflect"
	"strings"
	"testing"

	"moot/config"
)

func TestReadsAWholeFile(t *testing.T) {
	file, problems := config.Read("config.toml", []byte(`# mine
[screen]
theme = "paper"
ascii = true
animation = false
mouse = false

[keys.session]
next-turn = ["space", "n"]
auto = "g"
stop = []

[theme.paper]
base = "light"
accent = "bold #8a5a00"
faint = 8

[keys.home]
`))
	want := config.File{
		Screen: config.Screen{Theme: "paper", ASCII: true},
		Keys: []config.Section{
			{Name: "session", Line: 8, Entries: []config.Entry{
				{Name: "next-turn", Values: []string{"space", "n"}, Line: 9},
				{Name: "auto", Values: []string{"g"}, Line: 10},
				{Name: "stop", Line: 11},
			}},
			{Name: "home", Line: 18},
		},
		Themes: []config.Section{{Name: "paper", Line: 13, Entries: []config.Entry{
			{Name: "base", Values: []string{"light"}, Line: 14},
			{Name: "accent", Values: []string{"bold #8a5a00"}, Line: 15},
			{Name: "faint", Values: []string{"8"}, Line: 16},
		}}},
	}
	if file.Lines["screen.mouse"] != 6 {
		t.Error(file.Lines)
	}
	file.Lines = nil
	if !reflect.DeepEqual(file, want) || len(problems) > 0 {
		t.Errorf("problems %v, got\n%+v, want\n%+v", problems, file, want)
	}
}

// Each problem has its line and, where one is near, the name that was meant.
func TestProblems(t *testing.T) {
	for _, test := range []struct{ data, want string }{
		{"[scren]\ntheme = \"dark\"", "config.toml:1: unknown key scren; did you mean screen?"},
		{"\n[themes.paper]\naccent = 3", "config.toml:2: unknown key themes; did you mean theme?"},
		{"mouse = false", "config.toml:1: unknown key mouse; the file has screen, keys"},
		{"screen = 3", "config.toml:1: screen is a table: put its keys below [screen]; the whole file is ignored"},
		{"[screen]\nthem = \"dark\"", "config.toml:2: unknown key them in [screen]; did you mean theme?"},
		{"[screen]\nmouse = \"false\"", "config.toml:2: mouse is true or false, without quotes; the whole file is ignored"},
		{"[screen]\nascii = true\nascii = false", "config.toml:3: this is not a valid configuration: key ascii is already defined"},
		{"[screen]\n[screen]", "config.toml:2: this is not a valid configuration: table screen already exists"},
		{"[theme]\naccent = 3", "config.toml:2: accent is a table: put its keys below [theme.accent]"},
		{"[theme.paper]\naccent = true", "config.toml:2: accent in [theme.paper] is a text or a list of texts"},
		{"[theme.paper]\naccent = []", "config.toml:2: accent in [theme.paper] is a text or a list of texts"},
		{"[keys.session]\nauto = [[\"a\"]]", "config.toml:2: auto in [keys.session] is a text or a list of texts"},
		{"[SCREEN]\nMouse = 3", "config.toml:2: Mouse is true or false, without quotes; the whole file is ignored"},
		{"notify_command = \"true\"", `config.toml:1: notify_command is a program with its arguments, such as ["notify-send", "moot"]`},
		{"notify_command = [\" \"]", "config.toml:1: notify_command is a program"},
		{"notify_command = [\"true\", 3]", "config.toml:1: notify_command is a program"},
		{"notify_command = [[\"true\"]]", "config.toml:1: notify_command is a program"},
		{"notify_comand = [\"true\"]", "config.toml:1: unknown key notify_comand; did you mean notify_command?"},
		{"[prIces]\n\"\" = {in = 0}", `config.toml:2: `},
		{"moot ask", "config.toml:1: this is not a valid configuration: "},
		{"\xff\xfe", "config.toml:1: this is not UTF-8 text: save it as UTF-8; the whole file is ignored"},
		{"\"a\\u001b[31m\" = 1", `config.toml:1: unknown key "a\x1b[31m"`},
	} {
		_, problems := config.Read("config.toml", []byte(test.data))
		if len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), test.want) {
			t.Errorf("%q: got %q, want %q", test.data, problems, test.want)
		}
	}
}

// FuzzRead feeds foreign bytes: the reader never panics, tells
// problems on lines that exist, and passes no control character on.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "[screen]\ntheme = \"dark\"\nmouse = false\n", "[keys.session]\nauto = [\"a\", \"b\"]\n", "[theme.x]\nbase = \"light\"\naccent = 3\n",
		"a.b.c.d.e.f = {g = {h = [[1], {i = 2}]}}", "[[keys.home]]\n", "\"\\u001b\" = 1979-05-27T07:32:00Z", "screen = {ascii = true}", "'", "[", "x = '''\n",
		"[seats]\nconsultee = [\"a\", \"b\"]\n[participants.a]\nis = \"openai:m\"\nkey = \"K_1\"\ntemperature = 1.5\n",
		"[prices]\n\"m\" = { in = 1, out = 2 }\n[limits]\nattempts = 3\n[budget]\nmax-cost = 0x10\n", config.Template(), uncommented(),
		"participants.a.is.b.c.d = 1", "[prices.a.b]\nin=nan",
		"\xef\xbb\xbf[screen]", "[screen]\r\nascii = true\r\n", "theme.a.b = \"\"\"\n x \"\"\"", "[priCes]\n\"\"={in=0,out=0}", "[SEATS]\nConsultee = [\"\"]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, problems := config.Read("config.toml", data)
		lines := 1 + strings.Count(string(data), "\n")
		if len(problems) > len(data) {
			t.Errorf("%d problems in %d bytes", len(problems), len(data))
		}
		for _, p := range problems {
			if p.Line < 0 || p.Line > lines || p.What == "" {
				t.Errorf("line %d of %d: %q", p.Line, lines, p.What)
			}
			if strings.ContainsFunc(p.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q has a control character", p.Error())
			}
		}
		for _, p := range file.Participants {
			if p.Is == "" || p.Line < 1 || p.Line > lines || p.Key != "" && !config.IsVariable(p.Key) {
				t.Errorf("%+v", p)
			}
		}
		for _, p := range file.Prices {
			// Neither is true of NaN.
			if !(p.In >= 0) || !(p.Out >= 0) || p.Line < 1 || p.Line > lines {
				t.Errorf("%+v", p)
			}
		}
		for _, s := range append(file.Keys, file.Themes...) {
			for _, e := range s.Entries {
				if e.Line < 1 || e.Line > lines {
					t.Errorf("%s: line %d of %d", e.Name, e.Line, lines)
				}
			}
		}
	})
}
