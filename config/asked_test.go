package config_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"moot/config"
)

// What says who is asked is read whole.
func TestReadsWhoIsAsked(t *testing.T) {
	file, problems := config.Read("config.toml", []byte(`[seats]
consultee = "fast"
panelist = ["fast", "rules"]
[participants.fast]
is = "openai:gpt-5-mini"
temperature = 0.2
reasoning-effort = "low"
max-tokens = 4_000
base = "https://models.example.org/v1"
key = "WORK_OPENAI_KEY"
fallback = "ollama:qwen3:8b"
[prices]
"gpt-5.1" = { in = 1, out = 2.50 }
[prices."o3"]
in = 0
out = 1e1
[limits]
attempts = 3
idle-timeout = "90s"
[budget]
max-cost = 1.50
`))
	cool := 0.2
	want := config.Default()
	want.Seats = []config.Entry{{Name: "consultee", Values: []string{"fast"}, Line: 2}, {Name: "panelist", Values: []string{"fast", "rules"}, Line: 3}}
	want.Participants = []config.Participant{{
		Name: "fast", Line: 4, Is: "openai:gpt-5-mini", Temperature: &cool, ReasoningEffort: "low", MaxTokens: 4000,
		Base: "https://models.example.org/v1", Key: "WORK_OPENAI_KEY", Fallback: "ollama:qwen3:8b",
		Lines: map[string]int{
			"is": 5, "temperature": 6, "reasoning-effort": 7, "max-tokens": 8, "base": 9, "key": 10, "fallback": 11,
		},
	}}
	want.Prices = []config.Price{{Model: "gpt-5.1", In: 1, Out: 2.5, Line: 13}, {Model: "o3", In: 0, Out: 10, Line: 14}}
	want.Limits = []config.Setting{{Name: "attempts", Value: "3", Line: 18}, {Name: "idle-timeout", Value: "90s", Quoted: true, Line: 19}}
	want.Budget = []config.Setting{{Name: "max-cost", Value: "1.5", Line: 21}}
	file.Lines = nil
	if !reflect.DeepEqual(file, want) || len(problems) > 0 {
		t.Errorf("problems %v, got\n%+v, want\n%+v", problems, file, want)
	}
}

// Each problem of who is asked stops the asking, and no key is ever shown.
func TestProblemsOfWhoIsAsked(t *testing.T) {
	const key = "sk-proj-abcdefghijklmnop"
	for _, test := range []struct{ data, want string }{
		{"[seat]\nconsultee = \"rules\"", "config.toml:1: unknown key seat; did you mean seats?"},
		{"[seats]\nconsultee = 3", "config.toml:2: consultee in [seats] is a participant, or a list of them"},
		{"[seats]\nconsultee = []", "config.toml:2: consultee in [seats] is a participant, or a list of them"},
		{"[seats]\nconsultee = [\"rules\", \" \"]", "config.toml:2: consultee in [seats] is a participant, or a list of them"},
		{"[review]\nreviewers = 2", "config.toml:2: reviewers in [review] is a list of participants"},
		{"[review]\nreviewers = []", "config.toml:2: reviewers in [review] is a list of participants"},
		{"[review]\nreviewers = [\"rules\", \"\"]", "config.toml:2: reviewers in [review] is a list of participants"},
		{"[review]\nignore = 7", "config.toml:2: ignore in [review] is a list of globs"},
		{"[review]\nreviewer = \"rules\"", "config.toml:2: unknown key reviewer in [review]; did you mean reviewers?"},
		{"[seats.consult]\nconsultee = \"rules\"", "config.toml:1: consult in [seats] is a participant, or a list of them"},
		{"[seats]\nconsultee = \"rules\"\nconsultee = \"me\"", "config.toml:3: this is not a valid configuration: key consultee is already defined"},
		{"[participants.a]\ntemperature = 1", `config.toml:1: [participants.a] has no participant: write is = "openai:MODEL"`},
		{"[participants.a]\nis = 3", "config.toml:2: is is a text in quotes; the whole file is ignored"},
		{"[participants.a]\nis = \" \"", "config.toml:2: is in [participants.a] is empty, or has spaces around it"},
		{"[participants.\"a b\"]\nis = \"rules\"", `config.toml:1: [participants."a b"]: a name has letters, digits, - and _, at most 40`},
		{"[participants.a]\nis = \"openai:m\"\ntemprature = 1", "config.toml:3: unknown key temprature in [participants.a]; did you mean temperature?"},
		{"[participants.a]\nis = \"openai:m\"\ntemperature = nan", "config.toml:3: temperature in [participants.a] is a number from 0 to 2"},
		{"[participants.a]\nis = \"openai:m\"\nmax-tokens = 0", "config.toml:3: max-tokens in [participants.a] is a whole number from 1"},
		{"[participants.a]\nis = \"openai:m\"\nreasoning-effort = \"hihg\"", `config.toml:3: reasoning-effort in [participants.a]: unknown effort "hihg": did you mean "high"?`},
		{"[participants.a]\nis = \"openai:m\"\nkey = \"" + key + "\"", "config.toml:3: key in [participants.a] is the name of the variable or keyring entry that holds the key"},
		{"[participants.a]\nis = \"openai:m\"\nkey = [\"" + key + "\"]", "config.toml:3: key is the name of the variable that holds the key, in quotes"},
		{"[participants.a]\nis = \"openai:m\"\nkey = \"AKIAIOSFODNN7EXAMPLE\"", "config.toml:3: key in [participants.a] is the name of the variable"},
		{"[prices]\n\"m\" = { in = -1, out = 2 }", "config.toml:2: the prices of m are numbers from 0 to 100000"},
		{"[prices]\n\"m\" = { in = inf, out = 2 }", "config.toml:2: the prices of m are numbers from 0 to 100000"},
		{"[prices]\n\"m\" = { in = 1 }", "config.toml:2: the price of m is incomplete: write { in = 0.25, out = 2.00 }, in US dollars per million tokens"},
		{"[prices]\nm = 3", "config.toml:2: the price of m is { in = 0.25, out = 2.00 }, in US dollars per million tokens"},
		{"[prices.m]\nin = 1\nuot = 2", "config.toml:1: the price of m is incomplete"},
		{"[limits]\nattempts = true", `config.toml:2: attempts in [limits] is a number, or a time in quotes such as "90s"`},
		{"consultee = \"me\"", "config.toml:1: unknown key consultee; the file has screen, keys, theme, seats, review, participants, prices, hosts, limits, budget"},
		{"[budget\n", "config.toml:1: this is not a valid configuration"},
		{"\"" + strings.Repeat("x", config.MaxBytes) + "\"", "config.toml: larger than 131072 bytes"},
	} {
		_, problems := config.Read("config.toml", []byte(test.data))
		if len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), test.want) || !problems[0].Decides || len(config.Deciding(problems)) == 0 {
			t.Errorf("%.80q: got %q, want %q", test.data, problems, test.want)
		}
		for _, p := range problems {
			if strings.Contains(p.Error(), key) || strings.Contains(p.Error(), "AKIA") {
				t.Errorf("%q shows the key", p)
			}
		}
	}
}

// A tool server is read whole, with the source of what its tools say.
func TestReadsToolServers(t *testing.T) {
	t.Parallel()
	file, problems := config.Read("config.toml", []byte(`[tools.coverage]
command = ["coverage-server", "--stdio"]
tools = ["query", "estimate"]
trust = true
env = ["PATH", "CoverageDB"]
source = "live-api"
sources = { estimate = "modeled-fallback" }
[tools.tickets]
url = "https://tools.example.org/mcp?team=a"
[tools.here]
url = "http://127.0.0.1:8080/mcp"
`))
	want := []config.ToolServer{
		{
			Name: "coverage", Line: 1, Command: []string{"coverage-server", "--stdio"}, Tools: []string{"query", "estimate"}, Trust: true,
			Env: []string{"PATH", "CoverageDB"}, Source: "live-api", Sources: map[string]string{"estimate": "modeled-fallback"},
		},
		{Name: "tickets", Line: 8, URL: "https://tools.example.org/mcp?team=a"},
		{Name: "here", Line: 10, URL: "http://127.0.0.1:8080/mcp"},
	}
	if !reflect.DeepEqual(file.Tools, want) || len(problems) > 0 {
		t.Errorf("problems %v, got\n%+v, want\n%+v", problems, file.Tools, want)
	}
	for tool, source := range map[string]string{"estimate": "modeled-fallback", "query": "live-api"} {
		if got := file.Tools[0].SourceOf(tool); got != source {
			t.Errorf("%s is %q, want %q", tool, got, source)
		}
	}
}

// A tool server with a mistake is not called at all, and its address is never shown.
func TestProblemsOfToolServers(t *testing.T) {
	t.Parallel()
	const key = "Ab3dEf6hIjAb3dEf6hIj"
	for _, test := range []struct{ data, want string }{
		{"[tools]\na = 3", "config.toml:2: a is a table: put its keys below [tools.a]"},
		{"[tools.a]", `config.toml:1: [tools.a] needs a command or a url, one of them: command = ["PROGRAM", "ARGUMENT"]`},
		{"[tools.a]\ncommand = []", "config.toml:1: [tools.a] needs a command or a url"},
		{"[tools.a]\ncommand = [\"x\"]\nurl = \"https://h/\"", "config.toml:1: [tools.a] needs a command or a url"},
		{"[tools.a]\ncommand = \"x\"", "config.toml:2: command is a list in square brackets"},
		{"[tools.a]\ncommand = [\" \"]", "config.toml:2: command in [tools.a] names no program"},
		{"[tools.\"a/b\"]\ncommand = [\"x\"]", `config.toml:1: [tools."a/b"]: a name has letters, digits, - and _, at most 40`},
		{"[tools.a]\nurl = \"http://tools.example.org/" + key + "\"", "config.toml:2: url in [tools.a] is an address that begins with https://"},
		{"[tools.a]\nurl = \"https://me:" + key + "@h/\"", "config.toml:2: url in [tools.a] is an address"},
		{"[tools.a]\nurl = \"file:///tmp/" + key + "\"", "config.toml:2: url in [tools.a] is an address"},
		{"[tools.a]\nurl = \"https://h/\"\nenv = [\"PATH\"]", "config.toml:3: env in [tools.a] has no effect: only a program gets variables"},
		{"[tools.a]\ncommand = [\"x\"]\nenv = [\"TOKEN=" + key + "\"]", "config.toml:3: env in [tools.a] has names of variables, without values"},
		{"[tools.a]\ncommand = [\"x\"]\nenv = [\"MOOT_API_KEY\"]", "config.toml:3: env in [tools.a] has names of variables, without values, and none of moot's own"},
		{"[tools.a]\ncommand = [\"x\"]\ntools = [\"ask me\"]", `config.toml:3: "ask me" in tools of [tools.a] is not the name of a tool`},
		{"[tools.a]\ncommand = [\"x\"]\nsource = \"user-override\"", "config.toml:3: unknown source in [tools.a] user-override; use one of official-source, live-api, modeled-fallback"},
		{"[tools.a]\ncommand = [\"x\"]\nsources = { b = \"modelled-fallback\" }", "config.toml:3: unknown b in sources of [tools.a] modelled-fallback; did you mean modeled-fallback?"},
		{"[tools.a]\ncommand = [\"x\"]\nsources = { \"b\\u001b\" = \"live-api\" }", `config.toml:3: "b\x1b" in sources of [tools.a] is not the name of a tool`},
		{"[tools.a]\ncommand = [\"x\"]\ntool = [\"b\"]", "config.toml:3: unknown key tool in [tools.a]; did you mean tools?"},
		{"[tool.a]\ncommand = [\"x\"]", "config.toml:1: unknown key tool; did you mean tools?"},
	} {
		file, problems := config.Read("config.toml", []byte(test.data))
		if len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), test.want) || !problems[0].Decides {
			t.Errorf("%.80q: got %q, want %q", test.data, problems, test.want)
		}
		if len(file.Tools) > 0 && !strings.Contains(test.data, "tool = ") {
			t.Errorf("%.80q: the server is used: %+v", test.data, file.Tools)
		}
		for _, p := range problems {
			if strings.Contains(p.Error(), key) {
				t.Errorf("%q shows the key", p)
			}
		}
	}
}

// A name of a variable is capitals; keys have other signs, or are one long word.
func TestIsVariable(t *testing.T) {
	for text, want := range map[string]bool{
		"OPENAI_API_KEY": true, "KEY": true, "_K2": true, "HF_TOKEN": true, "OPENAIKEYOFMYWORK": true,
		"": false, "sk-1": false, "gsk_abc": false, "AKIAIOSFODNN7EXAMPLE": false, "A KEY": false, "1KEY": false, "KEY=1": false,
		"ABCDEF0123456789ABCDEF0123456789": false, strings.Repeat("A_", 40): false, "Ä_KEY": false,
	} {
		if got := config.IsVariable(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// uncommented returns the template with its settings in force.
func uncommented() string {
	return regexp.MustCompile(`(?m)^#([^ \n])`).ReplaceAllString(config.Template(), "$1")
}

// The template says nothing until a # is taken away, and then holds.
func TestTemplateIsAllComments(t *testing.T) {
	file, problems := config.Read("config.toml", []byte(config.Template()))
	file.Lines = nil
	if !reflect.DeepEqual(file, config.Default()) || len(problems) > 0 {
		t.Errorf("problems %v, got\n%+v, want\n%+v", problems, file, config.Default())
	}
	for line := range strings.Lines(config.Template()) {
		if line != "\n" && line[0] != '#' {
			t.Errorf("%q is no comment", line)
		}
	}
	file, problems = config.Read("config.toml", []byte(uncommented()))
	for _, p := range problems {
		t.Error(p)
	}
	if len(file.Participants) != 1 || len(file.Seats) < 10 || len(file.Prices) == 0 {
		t.Errorf("%+v", file)
	}
	for _, option := range config.Options() {
		if file.Participants[0].Lines[option] == 0 {
			t.Errorf("the template does not show %s", option)
		}
	}
}
