package domain_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"moot/domain"
	"moot/state"
)

var update = flag.Bool("update", false, "write the rules of docs/domains.md anew")

const page = "../docs/domains.md"

// TestPage keeps what docs/domains.md tells of the domains that are built in.
func TestPage(t *testing.T) {
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := old
	for _, name := range domain.Names() {
		begin, end := []byte("<!-- "+name+": written by a test -->\n"), []byte("<!-- end of "+name+" -->")
		before, rest, found := bytes.Cut(want, begin)
		_, after, ends := bytes.Cut(rest, end)
		if !found || !ends {
			t.Fatalf("%s has no place for %s", page, name)
		}
		want = slices.Concat(before, begin, []byte("\n"+tell(t, name)+"\n"), end, after)
	}
	if bytes.Equal(old, want) {
		return
	}
	if !*update {
		t.Fatalf("%s does not tell what is built in: run go test ./domain -run Page -update", page)
	}
	if err := os.WriteFile(page, want, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The example of the page is a domain.
func TestExampleOfThePage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "<!-- an example -->\n\n```toml\n")
	example, _, found := strings.Cut(rest, "```\n")
	if d, err := domain.Read([]byte(example), "mine.toml"); err != nil || !found || len(d.Rules) != 2 {
		t.Fatalf("the example does not read: %v", err)
	}
}

// tell is a domain as the page tells it.
func tell(t *testing.T, name string) string {
	d, err := domain.BuiltIn(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s Outcomes begin with %s. A side wins with a lead of %v.\n\n", d.Question, d.Prefix, d.Margin)
	b.WriteString("| rule | finds | role | weight | ATT&CK |\n|---|---|---|---|---|\n")
	for i := range d.Rules {
		r := &d.Rules[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %v | %s |\n", r.ID, r.Name, r.Role, r.Weight, technique(r))
	}
	return b.String()
}

func technique(r *state.FactRule) string {
	if r.Technique == "" {
		return ""
	}
	return fmt.Sprintf("[%s](https://attack.mitre.org/techniques/%s/)", r.Technique, strings.ReplaceAll(r.Technique, ".", "/"))
}
