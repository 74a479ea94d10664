package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"moot/config"
	"moot/tui/theme"
)

// configurationPage is the page that says what a configuration may hold.
func configurationPage() string { return filepath.Join("..", "docs", "configuration.md") }

// readPage returns the page with the line ends of Unix.
func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(configurationPage())
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(page), "\r\n", "\n")
}

// The file that the page shows is one without problems, and says what holds
// without it.
func TestConfigurationPageShowsAFileThatHolds(t *testing.T) {
	_, after, found := strings.Cut(readPage(t), "```toml\n")
	text, _, closed := strings.Cut(after, "```\n")
	if !found || !closed {
		t.Fatal("the page shows no file")
	}
	file, problems := config.Read("config.toml", []byte(text))
	themes, wrong := theme.Load(file.Themes)
	problems = append(problems, wrong...)
	table, wrong := Rebind(Bindings(), file.Keys)
	for _, p := range append(problems, wrong...) {
		t.Error(p)
	}
	want := config.Default().Screen
	if !reflect.DeepEqual(file.Screen, want) {
		t.Errorf("the page shows\n%+v, the defaults are\n%+v", file.Screen, want)
	}
	for i, b := range Bindings() {
		if !slices.Equal(b.Keys, table[i].Keys) {
			t.Errorf("%s in %s has %q, the page says %q", b.Action, b.Place, b.Keys, table[i].Keys)
		}
	}
	if _, err := themes.Find("paper"); err != nil {
		t.Error(err)
	}
}

// roleMeanings says what each role is for.
func roleMeanings() map[string]string {
	return map[string]string{
		"text": "text", "faint": "what matters less", "title": "headings",
		"accent": "what has the keys, and how far something is", "border": "frames and rules",
		"selected": "the row or the box that is selected", "match": "what a search found",
		"agreed": "the bucket Agreed, and what is verified", "dismissed": "the bucket Dismissed, and what is refused",
		"unresolved": "the bucket Unresolved", "not-evaluated": "the bucket Not evaluated", "open": "the bucket Open",
		"attack": "an attack in the map of the argument", "support": "a support in it",
		"user": "what you did", "warn": "what needs attention",
		"orchestrator": "the orchestrator", "consultee": "a consultee", "seat": "any other seat",
	}
}

// rolesTable and keysTable are the generated parts of the page.
func rolesTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| role | is for |\n|---|---|\n")
	for _, name := range theme.RoleNames() {
		meaning, known := roleMeanings()[name]
		if !known {
			t.Errorf("nothing says what the role %s is for", name)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, meaning)
	}
	return b.String()
}

func keysTable() string {
	var b strings.Builder
	for i, place := range Places() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "### %s: `[keys.%s]`\n\n| action | keys | does |\n|---|---|---|\n", place.Title(), place)
		for _, binding := range Bindings() {
			if binding.Place != place {
				continue
			}
			var where strings.Builder
			for _, p := range binding.In {
				where.WriteString(", in " + p.String())
			}
			keys := "none"
			if len(binding.Keys) > 0 {
				keys = "`" + strings.Join(binding.Keys, "` `") + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s%s |\n", binding.Action, keys, binding.Help, where.String())
		}
	}
	return b.String()
}

// The page lists each role, and each action of each place with its keys.
func TestConfigurationPageIsComplete(t *testing.T) {
	page := readPage(t)
	got := between(t, page, "roles", rolesTable(t))
	got = between(t, got, "keys", keysTable())
	if *update {
		if err := os.WriteFile(configurationPage(), []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := diff.Diff("page", []byte(page), "program", []byte(got)); len(diff) > 0 {
		t.Errorf("%s is not what the program does (-page +program); go test ./tui -run ConfigurationPage -update writes it:\n%s", configurationPage(), diff)
	}
}

// between replaces a part of a page that is marked by its name.
func between(t *testing.T, page, name, text string) string {
	t.Helper()
	begin, end := "<!-- "+name+": written by the tests of tui -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("the page has no part %s", name)
	}
	return before + begin + "\n" + text + "\n" + end + after
}

// FuzzConfiguration reads key bindings from arbitrary bytes: nothing panics, no
// key has two meanings, and the program can be left.
func FuzzConfiguration(f *testing.F) {
	for _, seed := range []string{
		"[keys.session]\nauto = \"s\"\nstop = \"a\"\n", "[keys.form]\nsend = \"C-S-F5\"\nclose = []\n", "[keys.everywhere]\ninterrupt = [\"<C-c>\", \"^\"]\n",
		"[keys.\"\"]\n\"\" = \"\"\n", "[keys.list]\nclose = \"ctrl+\xc3\xa9\"\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, problems := config.Read("config.toml", data)
		table, wrong := Rebind(Bindings(), file.Keys)
		for _, p := range append(problems, wrong...) {
			if p.What == "" || strings.ContainsFunc(p.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q", p.Error())
			}
		}
		for i := range table {
			if b := &table[i]; len(b.Keys) == 0 && oneOf(b.Action, ActionInterrupt, ActionClose, ActionQuit) {
				t.Errorf("%s in %s has no key", b.Action, b.Place)
			}
			for j := range table[:i] {
				if key := common(&table[i], &table[j]); key != "" {
					t.Errorf("%s is %s and %s", key, table[i].Action, table[j].Action)
				}
			}
		}
	})
}
