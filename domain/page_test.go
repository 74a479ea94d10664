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
	"moot/resolver/detect"
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
	keepPage(t, page, old, want)
}

// keepPage asks that a page is as it should be, or writes it so.
func keepPage(t *testing.T, page string, old, want []byte) {
	t.Helper()
	if bytes.Equal(old, want) {
		return
	}
	if !*update {
		t.Fatalf("%s does not tell what is: run go test ./domain -run Page -update", page)
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
	_, rest, _ = strings.Cut(string(text), "<!-- six rules -->\n\n```toml\n")
	six, rest, found := strings.Cut(rest, "```\n")
	if d, err := domain.Read([]byte(example+six), "mine.toml"); err != nil || !found || len(d.Rules) != 2+len(state.Readings()) {
		t.Fatalf("the six rules do not read: %v", err)
	}
	_, rest, _ = strings.Cut(rest, "```toml\n")
	weights, _, found := strings.Cut(rest, "```\n")
	if d, err := domain.Read([]byte(example+six+weights), "mine.toml"); err != nil || !found || len(d.Weights.Terms)*len(d.Weights.Company)*len(d.Weights.Ties)*len(d.Weights.Sums) != 1 {
		t.Fatalf("the weights do not read: %v", err)
	}
}

// The page names every tie and every sum that weights are for.
func TestThePageNamesWeights(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.Join(strings.Fields(string(text)), " ")
	for _, name := range append(detect.TieNames(), detect.SumNames()...) {
		bare := strings.TrimPrefix(strings.TrimPrefix(name, "record: "), "seen: ")
		if !strings.Contains(joined, "`"+bare+"`") {
			t.Errorf("%s does not name %q", page, name)
		}
	}
}

// tell is a domain as the page tells it.
func tell(t *testing.T, name string) string {
	d, err := domain.BuiltIn(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	words := "It has no weights for words, and goes by its rules"
	if n := len(d.Weights.Terms); n > 0 {
		words = fmt.Sprintf("It has weights for %d terms", n)
	}
	fmt.Fprintf(&b, "%s Outcomes begin with %s. A side wins with a lead of %v. %s.\n\n", d.Question, d.Prefix, d.Margin, words)
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
