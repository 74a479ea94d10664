package playbook_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
)

var update = flag.Bool("update", false, "rewrite the lists of docs/playbooks.md")

// Every built-in playbook reads, has flags enough, and asks of each a threshold
// and somebody who may decide.
func TestBuiltIn(t *testing.T) {
	for _, name := range playbook.Names() {
		book, err := playbook.BuiltIn(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(book.Flags) < 12 || book.Name != name || book.About == "" {
			t.Errorf("%s (%q) has %d flags", name, book.Name, len(book.Flags))
		}
		ids, titles, checked := map[string]bool{}, map[string]bool{}, 0
		severities := map[gates.Severity]bool{}
		for _, f := range book.Flags {
			if ids[f.ID] || titles[f.Title] {
				t.Errorf("%s: %s stands twice", name, f.ID)
			}
			ids[f.ID], titles[f.Title], severities[f.Severity] = true, true, true
			if _, listed := book.Config.Thresholds[f.Category]; !listed {
				t.Errorf("%s: %s is of the category %s, which has no threshold", name, f.ID, f.Category)
			}
			if len(book.Config.Allow[f.Severity]) == 0 {
				t.Errorf("%s: nothing may decide on %s", name, f.ID)
			}
			if len(f.Checks) > 0 {
				checked++
			}
			sentences(t, name, &f)
		}
		if checked < 12 {
			t.Errorf("%s: a machine looks for %d flags only", name, checked)
		}
		for _, severity := range []gates.Severity{gates.Blocking, gates.High, gates.Medium} {
			if !severities[severity] {
				t.Errorf("%s has no flag that is %s", name, severity)
			}
		}
	}
	_, err := playbook.BuiltIn("code-reviews")
	if err == nil || !strings.Contains(err.Error(), `did you mean "code-review"?`) {
		t.Errorf("%v", err)
	}
}

// sentences checks the form of a flag's texts: a title and a predicate are
// clauses, the others end as sentences do, and why is one.
func sentences(t *testing.T, name string, f *playbook.Flag) {
	t.Helper()
	for what, text := range map[string]string{"look": f.Look, "why": f.Why, "clears": f.Clears} {
		if !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %s of %s does not end: %q", name, what, f.ID, text)
		}
	}
	if strings.Count(f.Why, ". ") > 0 {
		t.Errorf("%s: why of %s is more than a sentence: %q", name, f.ID, f.Why)
	}
	if strings.HasSuffix(f.Title, ".") || strings.HasSuffix(f.Predicate, ".") || f.Predicate[0] >= 'A' && f.Predicate[0] <= 'Z' {
		t.Errorf("%s: %s: %q, %q", name, f.ID, f.Title, f.Predicate)
	}
}

// TestPage keeps the lists of flags and pattern sets in docs/playbooks.md.
func TestPage(t *testing.T) {
	const name = "../../../docs/playbooks.md"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := page
	for _, part := range []struct{ name, text string }{{"flags", listFlags(t)}, {"sets", listSets()}} {
		begin, end := []byte("<!-- "+part.name+": written by a test -->\n"), []byte("<!-- end of "+part.name+" -->")
		before, rest, found := bytes.Cut(want, begin)
		_, after, ends := bytes.Cut(rest, end)
		if !found || !ends {
			t.Fatalf("%s has no place for the %s", name, part.name)
		}
		want = slices.Concat(before, begin, []byte("\n"+part.text+"\n"), end, after)
	}
	if bytes.Equal(page, want) {
		return
	}
	if !*update {
		t.Fatalf("%s does not list what is built in: run go test ./playbook -run Page -update", name)
	}
	if err := os.WriteFile(name, want, 0o600); err != nil {
		t.Fatal(err)
	}
}

func listFlags(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for i, name := range playbook.Names() {
		book, err := playbook.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "### %s\n\n%s: %s\n\n| flag | severity, category | what it says, and why it hurts | what clears it | found by |\n|---|---|---|---|---|\n", name, book.Title, book.About)
		for _, f := range book.Flags {
			var kinds []string
			for _, c := range f.Checks {
				if kind := "`" + string(c.Kind) + "`"; !slices.Contains(kinds, kind) {
					kinds = append(kinds, kind)
				}
			}
			if kinds == nil {
				kinds = []string{"a reader"}
			}
			fmt.Fprintf(&out, "| `%s` | %s, %s | **%s.** %s | %s | %s |\n", f.ID, f.Severity, f.Category, f.Title, f.Why, f.Clears, strings.Join(kinds, ", "))
		}
	}
	return out.String()
}

func listSets() string { return "`" + strings.Join(playbook.Sets(), "`, `") + "`\n" }

// The examples of the page are playbooks.
func TestExampleOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/playbooks.md")
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	for _, part := range strings.Split(string(page), "```toml\n")[1:] {
		example, _, _ := strings.Cut(part, "```\n")
		book, err := playbook.Read("mine.toml", []byte(example))
		if err != nil {
			t.Error(err)
		}
		for i := range book.Flags {
			flags = append(flags, book.Flags[i].ID)
		}
	}
	for _, want := range []string{"below-cost", "image-without-text", "secret-in-change"} {
		if !slices.Contains(flags, want) {
			t.Errorf("no example has the flag %s: %v", want, flags)
		}
	}
}
