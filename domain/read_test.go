package domain_test

import (
	"strings"
	"testing"

	"moot/config"
	"moot/domain"
	"moot/resolver/detect"
)

// small is a domain that is right.
const small = `prefix = "THREAT"
question = "Is this a threat?"
margin = 0.2
opposites = [["allow", "deny"]]

[concepts]
"command line" = ["cmdline", "command line"]

[words]
"tools" = ["psexec"]

[activities]
"backup" = ["backup*"]

[[rule]]
id = "lateral"
name = "lateral movement"
role = "act"
technique = "T1021.002"
weight = 0.5
[[rule.when]]
fields = ["command line"]
words = ["@tools", "c$"]
without = ["backup*"]

[[rule]]
id = "change"
name = "an approved change"
role = "cover"
weight = 0.7
cancel = ["denial", "lateral"]
[[rule.when]]
sources = ["manual"]
words = ["change"]
`

func TestRead(t *testing.T) {
	d, err := domain.Read([]byte(small), "mine.toml")
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "mine.toml" || d.Prefix != "THREAT" || d.Margin != 0.2 || len(d.Opposites) != 1 || len(d.Rules) != 2 {
		t.Errorf("%+v", d)
	}
	if r := d.Rules[0]; r.ID != "lateral" || r.Technique != "T1021.002" || len(r.When) != 1 || len(r.When[0].Words) != 2 {
		t.Errorf("%+v", r)
	}
	// A mark of UTF-8 at the beginning, as some editors write it, changes nothing.
	if _, err := domain.Read([]byte("\xef\xbb\xbf"+small), "mine.toml"); err != nil {
		t.Error(err)
	}
}

// What is wrong is told with its line, all of it at once.
func TestReadTellsLines(t *testing.T) {
	for _, c := range []struct{ name, was, is, tells string }{
		{"a margin", "margin = 0.2", "margin = 2", "mine.toml:3: margin is a number between 0 and 1"},
		{"a prefix", `"THREAT"`, `"threat!"`, "mine.toml:1: prefix is at most"},
		{"no question", `"Is this a threat?"`, `""`, "mine.toml:2: question is empty"},
		{"an unknown key", "margin = 0.2", "margn = 0.2", "mine.toml:3: unknown key margn; did you mean margin?"},
		{"an unknown role", `role = "act"`, `role = "acts"`, "mine.toml:18: unknown role"},
		{"no technique of ATT&CK", `"T1021.002"`, `"1021"`, "mine.toml:19: technique is an id of MITRE ATT&CK"},
		{"a weight", "weight = 0.5", "weight = 0", "mine.toml:20: weight is above 0 and up to 1"},
		{"an unknown list", `"@tools"`, `"@tool"`, "mine.toml:23: no list in [words] is named tool; did you mean tools?"},
		{"no phrase", `"c$"`, `"c*"`, "mine.toml:23: \"c*\": a star ends a word"},
		{"a phrase twice", `"c$"`, `"c$", "C$"`, "mine.toml:23: \"c$\" stands twice"},
		{"an id twice", `id = "change"`, `id = "lateral"`, "mine.toml:27: the id lateral is taken in line 16"},
		{"an id with a blank", `id = "change"`, `id = "my change"`, "mine.toml:27: the id \"my change\" is none"},
		{"an unknown cancel", `"denial", "lateral"`, `"denials"`, "mine.toml:31: no rule and no role is named denials"},
		{"an unknown source", `["manual"]`, `["manuals"]`, "mine.toml:33: unknown source type"},
		{"a pair of one", `["allow", "deny"]`, `["allow"]`, "mine.toml:4: pair 1 of opposites has 1 names"},
		{"a condition of nothing", "sources = [\"manual\"]\nwords = [\"change\"]\n", "", "the condition has neither words nor fields nor sources"},
		{"what is hidden", "Is this a threat?", "Is this\u202e a threat?", "mine.toml:2: question has a control or hidden character"},
		{"a wrong type", "weight = 0.7", "weight = \"high\"", "mine.toml:30: weight is a number, without quotes"},
		{"no list", `["manual"]`, `"manual"`, "mine.toml:33: sources is a list of texts"},
		{"no table", "prefix =", "words = 1\nprefix =", "mine.toml:1: words is a table of names"},
		{"broken TOML", "prefix = \"", "prefix = ", "mine.toml:1: this is no domain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(small, c.was, c.is, 1)
			if text == small {
				t.Fatal("nothing was changed")
			}
			_, err := domain.Read([]byte(text), "mine.toml")
			if err == nil || !strings.Contains(err.Error(), c.tells) {
				t.Errorf("%v, want %s", err, c.tells)
			}
		})
	}
	_, err := domain.Read([]byte("margin = 7\n"), "mine.toml")
	if problems, is := err.(config.Problems); !is || len(problems) < 3 { //nolint:errorlint // the type is promised
		t.Errorf("not all is told: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no UTF-8": "prefix = \"\xff\"", "no TOML": "[[[", "nothing": "", "too long": strings.Repeat("#", domain.MaxBytes+1),
	} {
		if _, err := domain.Read([]byte(text), "mine.toml"); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := domain.BuiltIn("weather"); err == nil || !strings.Contains(err.Error(), "security and change") {
		t.Errorf("%v", err)
	}
}

// What is built in is read, and names no host, user or case.
func TestBuiltIn(t *testing.T) {
	for _, name := range domain.Names() {
		d, err := domain.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		if d.Name != name || len(d.Rules) < 10 || len(d.Concepts) == 0 || len(d.Activities) == 0 {
			t.Errorf("%s has %d rules", name, len(d.Rules))
		}
	}
}

// FuzzRead holds that any bytes are read or refused, and that what is read is ready to
// be used.
func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("[[rule]]\n[[rule.when]]\nwords = [\"@a\"]\n"))
	f.Add([]byte(small + weights))
	f.Add([]byte("[terms]\na = [1]\n[company]\n\"\\u00ad.x\" = [1, 2, 3, 4, 5, 6]\n[ties]\n\"record: always\" = nan\n[sums]\nalways = []\n"))
	f.Add([]byte("[words]\na = [\"... b\", \"#\", \"c ... #\"]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := domain.Read(data, "fuzzed.toml")
		if err != nil {
			return
		}
		if _, err := detect.Compile(&d); err != nil {
			t.Errorf("what was read is refused: %v", err)
		}
		// Its weights may be written into the file of another domain.
		if _, err := domain.Read([]byte(small+domain.WriteWeights(d.Weights)), "again.toml"); err != nil {
			t.Errorf("its weights are refused: %v", err)
		}
	})
}
