package playbook_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
)

// least is a playbook with nothing but what it must have.
const least = `title = "Mine"

[[flag]]
id = "it"
title = "It is so"
look = "Whether it
is so."
why = "It hurts."
category = "Safety"
severity = "HIGH"
predicate = "it is not so"
clears = "That it is not."
`

func leastBook() string {
	return strings.ReplaceAll(least, "\"Whether it\nis so.\"", "\"\"\"Whether it\n is so.\"\"\"")
}

// What a file leaves out is the resolver's default.
func TestReadDefaults(t *testing.T) {
	book, err := playbook.Read("mine.toml", []byte("\xef\xbb\xbf"+leastBook()))
	if err != nil {
		t.Fatal(err)
	}
	want := playbook.Playbook{
		Name: "mine.toml", Title: "Mine", Config: gates.DefaultConfig(),
		Flags: []playbook.Flag{{
			ID: "it", Title: "It is so", Look: "Whether it is so.", Why: "It hurts.", Category: "Safety",
			Severity: gates.High, Predicate: "it is not so", Clears: "That it is not.",
		}},
	}
	if !reflect.DeepEqual(book, want) {
		t.Errorf("got\n%+v, want\n%+v", book, want)
	}
	if book.Flag("it") != &book.Flags[0] || book.Flag("other") != nil {
		t.Error("a flag is found by its id")
	}
}

// What a file says goes over the default, and leaves the rest as it is.
func TestReadSettings(t *testing.T) {
	book, err := playbook.Read("mine.toml", []byte(`maxRounds = 5
authority = ["user-override", "official-source", "live-api", "domain-evidence", "fresh-research", "modeled-fallback", "llm-inference"]
`+leastBook()+`
[thresholds]
Safety = 0.9
Beauty = 1
[allow]
HIGH = ["user-override", "live-api"]
[gates]
freshness = { live-api = "90m", fresh-research = "7d" }
`))
	if err != nil {
		t.Fatal(err)
	}
	c := book.Config
	if c.MaxRounds != 5 || c.Authority[1] != ledger.OfficialSource || c.Thresholds["Safety"] != 0.9 || c.Thresholds["Beauty"] != 1 ||
		c.Thresholds["Factual"] != 0.7 || len(c.Allow[gates.High]) != 2 || len(c.Allow[gates.Blocking]) != 4 ||
		c.Freshness[ledger.LiveAPI].String() != "1h30m0s" || c.Freshness[ledger.FreshResearch].String() != "7d" {
		t.Errorf("%+v", c)
	}
}

// A playbook that extends a built-in one has its flags, less those that it
// leaves out, and its own.
func TestReadExtends(t *testing.T) {
	base, err := playbook.BuiltIn("code-review")
	if err != nil {
		t.Fatal(err)
	}
	book, err := playbook.Read("mine.toml", []byte("extends = \"code-review\"\nwithout = [\"time-bomb\", \"half-done\"]\n"+leastBook()))
	if err != nil {
		t.Fatal(err)
	}
	if len(book.Flags) != len(base.Flags)-1 || book.Flag("time-bomb") != nil || book.Flag("it") == nil || book.Title != "Mine" {
		t.Errorf("%d flags of %d, titled %s", len(book.Flags), len(base.Flags), book.Title)
	}
	again, err := playbook.BuiltIn("code-review")
	if err != nil || len(again.Flags) != len(base.Flags) {
		t.Errorf("the built-in one has changed: %d flags (%v)", len(again.Flags), err)
	}
	_, err = playbook.Read("mine.toml", []byte("extends = \"code-review\"\ntitle = \"Mine\"\n"))
	if err != nil {
		t.Errorf("it needs no flags of its own: %v", err)
	}
}

// Each problem is reported with its line and a suggestion.
func TestReadProblems(t *testing.T) {
	flagged := func(lines string) string { return leastBook() + "[[flag.check]]\n" + lines }
	for _, c := range []struct{ name, file, want string }{
		{"no TOML", "title = ", "mine.toml:1: this is not a valid playbook"},
		{"empty", "", "mine.toml: no flag"},
		{"no title", strings.Replace(leastBook(), `title = "Mine"`, "", 1), "mine.toml: title is missing"},
		{"unknown key", "titel = \"x\"\n" + leastBook(), "mine.toml:1: unknown key titel; did you mean title?"},
		{"unknown key of a flag", leastBook() + "severty = \"LOW\"\n", "mine.toml:13: unknown key severty in [[flag]]; did you mean severity?"},
		{"unknown key of a check", flagged("kind = \"secret\"\nfile = [\"*\"]\n"), "mine.toml:15: unknown key file in [[flag.check]]; did you mean files?"},
		{"unknown table", leastBook() + "[threshold]\nSafety = 1\n", "unknown key threshold; did you mean thresholds?"},
		{"unknown gate", leastBook() + "[gates]\nfreshnes = {}\n", "unknown key freshnes in [gates]; did you mean freshness?"},
		{"wrong type", "maxRounds = \"three\"\n" + leastBook(), "mine.toml:1: maxRounds is a whole number, without quotes"},
		{"rounds", "maxRounds = 9\n" + leastBook(), "mine.toml:1: maxRounds is 9; use a number from 1 to 8"},
		{"no rounds", "maxRounds = 0\n" + leastBook(), "mine.toml:1: maxRounds is 0"},
		{"threshold above", leastBook() + "[thresholds]\nSafety = 1.5\n", "mine.toml:14: the threshold of Safety is 1.5; use a number from 0 to 1"},
		{"threshold below", leastBook() + "[thresholds]\nSafety = -0.1\n", "mine.toml:14: the threshold of Safety is -0.1"},
		{"threshold nan", leastBook() + "[thresholds]\nSafety = nan\n", "mine.toml:14: the threshold of Safety is NaN"},
		{"threshold inf", leastBook() + "[thresholds]\nSafety = inf\n", "mine.toml:14: the threshold of Safety is +Inf"},
		{"category misspelt", leastBook() + "[thresholds]\nSaftey = 0.5\n", "mine.toml:14: the category Saftey is too similar to Safety"},
		{"severity of a list", leastBook() + "[allow]\nHIHG = [\"live-api\"]\n", "mine.toml:14: unknown severity HIHG; did you mean HIGH?"},
		{"source kind", leastBook() + "[allow]\nHIGH = [\"user-override\", \"live-apis\"]\n", "mine.toml:14: unknown source kind live-apis; did you mean live-api?"},
		{"nobody may decide", leastBook() + "[allow]\nHIGH = []\n", "mine.toml:14: user-override is missing"},
		{"models decide", leastBook() + "[allow]\nMEDIUM = [\"user-override\", \"llm-inference\"]\n", "mine.toml:14: llm-inference decides nothing above LOW"},
		{"the user is left out", leastBook() + "[allow]\nLOW = [\"live-api\"]\n", "mine.toml:14: user-override is missing"},
		{"authority lacks one", "authority = [\"user-override\", \"live-api\", \"llm-inference\"]\n" + leastBook(), "mine.toml:1: authority lists all source kinds once"},
		{"authority upside down", "authority = [\"live-api\", \"user-override\", \"official-source\", \"domain-evidence\", \"fresh-research\", \"llm-inference\", \"modeled-fallback\"]\n" + leastBook(), "mine.toml:1: authority lists all source kinds once, user-override first"},
		{"age", leastBook() + "[gates.freshness]\nlive-api = \"soon\"\n", "mine.toml:14: the age of live-api: \"soon\" is not an age"},
		{"age of what", leastBook() + "[gates.freshness]\nlive = \"1h\"\n", "mine.toml:14: unknown source kind live; did you mean live-api?"},
		{"id", strings.Replace(leastBook(), `id = "it"`, `id = "It is"`, 1), "mine.toml:4: the id \"It is\" is not valid"},
		{"id twice", leastBook() + strings.Replace(leastBook(), `title = "Mine"`, "", 1), "mine.toml:16: the id it is already used on line 4"},
		{"severity", strings.Replace(leastBook(), `"HIGH"`, `"Hihg"`, 1), "mine.toml:10: unknown severity Hihg; did you mean HIGH?"},
		{"category", strings.Replace(leastBook(), `"Safety"`, `"Saftey"`, 1), "mine.toml:9: the category Saftey has no threshold; did you mean Safety?"},
		{"category of one's own", strings.Replace(leastBook(), `"Safety"`, `"Beauty"`, 1), "mine.toml:9: the category Beauty has no threshold; give it a threshold in [thresholds]"},
		{"nothing to look for", strings.Replace(leastBook(), "\"\"\"Whether it\n is so.\"\"\"", "\" \"", 1), "mine.toml:6: look is missing"},
		{"control characters", strings.Replace(leastBook(), `"It hurts."`, `"It \u001b[2J hurts."`, 1), "mine.toml:8: why contains a control or hidden character"},
		{"long", strings.Replace(leastBook(), `"It hurts."`, `"`+strings.Repeat("x", 1001)+`"`, 1), "mine.toml:8: why is longer than 1000 characters"},
		{"cleared by an unknown kind", leastBook() + "clearedBy = [\"user-override\", \"live-apis\"]\n", "mine.toml:13: unknown source kind live-apis; did you mean live-api?"},
		{"cleared by what decides nothing", leastBook() + "clearedBy = [\"user-override\", \"modeled-fallback\"]\n", "mine.toml:13: modeled-fallback decides nothing that is HIGH: remove it, or allow it in [allow]"},
		{"cleared by what is not allowed here", leastBook() + "clearedBy = [\"user-override\", \"live-api\"]\n[allow]\nHIGH = [\"user-override\"]\n", "mine.toml:13: live-api decides nothing that is HIGH"},
		{"cleared by nobody", leastBook() + "clearedBy = []\n", "mine.toml:13: user-override is missing"},
		{"cleared without the user", leastBook() + "clearedBy = [\"live-api\"]\n", "mine.toml:13: user-override is missing"},
		{"cleared by a text", leastBook() + "clearedBy = \"live-api\"\n", "mine.toml:13: "},
		{"check", flagged("kind = \"secrets\"\n"), "mine.toml:14: unknown check secrets; did you mean secret?"},
		{"check of nothing", flagged("files = [\"*.go\"]\n"), "mine.toml:13: unknown check"},
		{"pattern missing", flagged("kind = \"added-line\"\n"), "mine.toml:13: the check added-line needs pattern"},
		{"pattern", flagged("kind = \"added-line\"\npattern = '('\n"), "mine.toml:15: pattern: error parsing regexp"},
		{"set", flagged("kind = \"added-line\"\nset = \"sleep\"\n"), "mine.toml:15: unknown set of patterns sleep; did you mean sleeps?"},
		{"where", flagged("kind = \"added-line\"\npattern = 'x'\nwhere = \"comments\"\n"), "mine.toml:16: unknown part of a line comments; did you mean comment?"},
		{"scope", flagged("kind = \"secret\"\nscope = \"test\"\n"), "mine.toml:15: unknown scope test; did you mean tests?"},
		{"glob", flagged("kind = \"secret\"\nfiles = [\"[\"]\n"), "mine.toml:13: \"[\" is not a glob"},
		{"limit", flagged("kind = \"large-change\"\nlimit = -5\n"), "mine.toml:15: limit is -5"},
		{"alteration", flagged("kind = \"touched-file\"\nfiles = [\"*\"]\nchange = [\"add\"]\n"), "mine.toml:16: unknown alteration add; did you mean added?"},
		{"extends", "extends = \"code-reviews\"\n" + leastBook(), "mine.toml:1: unknown playbook code-reviews; did you mean code-review?"},
		{"without", "extends = \"code-review\"\nwithout = [\"timebomb\"]\n" + leastBook(), "mine.toml:2: unknown flag timebomb; did you mean time-bomb?"},
		{"without what", "without = [\"timebomb\"]\n" + leastBook(), "mine.toml:1: unknown flag timebomb"},
		{"id of the base", "extends = \"code-review\"\n" + strings.Replace(leastBook(), `id = "it"`, `id = "time-bomb"`, 1), "mine.toml:5: the id time-bomb is already used in the playbook code-review"},
		{"too large", strings.Repeat("#", playbook.MaxBytes+1), "mine.toml: larger than"},
	} {
		_, err := playbook.Read("mine.toml", []byte(c.file))
		var problems playbook.Problems
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// All problems of a file are reported at once, in the order of its lines.
func TestReadTellsAll(t *testing.T) {
	_, err := playbook.Read("mine.toml", []byte(strings.NewReplacer(`"HIGH"`, `"high"`, `"Safety"`, `"Safe"`, `id = "it"`, `id = ""`).Replace(leastBook())))
	want := `mine.toml:4: id is missing
mine.toml:9: the category Safe has no threshold; did you mean Safety?
mine.toml:10: unknown severity high; did you mean HIGH?`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// FuzzRead reads anything: no panic; what is wrong has a line of the file, and
// nothing in it that would steer a terminal.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		leastBook(), leastBook() + "[[flag.check]]\nkind = \"secret\"\n", "flag = [{ id = \"a\", check = [{ kind = \"x\" }] }]\n",
		"extends = \"code-review\"\ntitle = \"x\"\n", "[thresholds]\n\"a\\u001b\" = nan\n", "title = \"\"\"\n\n\"\"\"\n[[flag]]\n[[flag]]\nid = 'x'\n", "[[flag.check]]\n",
		"[a.b.c]\n[[a.d]]\nx = 1979-05-27\n", "\xef\xbb\xbf[gates.freshness]\r\nlive-api = '1d'\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		book, err := playbook.Read("mine.toml", data)
		if err == nil {
			if len(book.Flags) == 0 || book.Title == "" || book.Config.MaxRounds < 1 {
				t.Errorf("an empty playbook: %+v", book)
			}
			return
		}
		var problems playbook.Problems
		if !errors.As(err, &problems) || len(problems) == 0 {
			t.Fatalf("%v is no list of problems", err)
		}
		lines := 1 + strings.Count(string(data), "\n")
		for _, p := range problems {
			if p.Line < 0 || p.Line > lines || p.What == "" {
				t.Errorf("line %d of %d: %q", p.Line, lines, p.What)
			}
			if strings.ContainsFunc(p.Error(), func(c rune) bool { return c < ' ' || c == 0x7f }) {
				t.Errorf("%q has a control character", p.Error())
			}
		}
	})
}
