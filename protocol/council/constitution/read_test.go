package constitution_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"moot/config"
	"moot/protocol/council/constitution"
)

// least is a constitution with one constraint.
const least = `[[strategist]]
id = "cite"
text = """Cite
   evidence."""
check = "cites-evidence"
`

func TestRead(t *testing.T) {
	c, err := constitution.Read([]byte("\xef\xbb\xbf"+least+`
[[critic]]
id = "look"
text = "Look twice."
[[moderator]]
id = "no-loss"
text = "Advise nothing that destroys data."
check = "no-harm"
deny = [" drop   the database ", "delet* backup"]
`), "mine.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := constitution.Constitution{Name: "mine.toml", Constraints: []constitution.Constraint{
		{ID: "cite", Seat: constitution.Strategist, Text: "Cite evidence.", Check: constitution.CheckCites, Deny: []string{}},
		{ID: "look", Seat: constitution.Critic, Text: "Look twice.", Deny: []string{}},
		{ID: "no-loss", Seat: constitution.Moderator, Text: "Advise nothing that destroys data.", Check: constitution.CheckNoHarm, Deny: []string{"drop the database", "delet* backup"}},
	}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got\n%+v, want\n%+v", c, want)
	}
}

// Each problem is reported with its line and what to do.
func TestReadProblems(t *testing.T) {
	entry := func(lines string) string { return "[[strategist]]\n" + lines }
	whole := func(lines string) string { return entry("id = \"x\"\ntext = \"Do.\"\n" + lines) }
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "mine.toml: no constraint: add at least one"},
		{"blank", "# nothing\n\n", "mine.toml: no constraint"},
		{"an empty list", "critic = []\n", "no constraint"},
		{"no TOML", "[[strategist]]\nid = ", "mine.toml:2: this is not a valid constitution"},
		{"not UTF-8", least + "# \xff\n", "mine.toml:6: this is not UTF-8 text"},
		{"binary", "\x00\x01\x02", "mine.toml:1: this is not a valid constitution"},
		{"too large", strings.Repeat("#", constitution.MaxBytes+1), "mine.toml: larger than 262144 bytes"},
		{"unknown seat", "[[critics]]\nid = \"x\"\n", "mine.toml:1: unknown key critics; did you mean critic?"},
		{"a seat of another format", "[[proposer]]\nid = \"x\"\n", "mine.toml:1: unknown key proposer; the file has strategist, critic, adversary, expert, moderator"},
		{"a key at the top", "title = \"x\"\n" + least, "mine.toml:1: unknown key title"},
		{"unknown key", whole("chek = \"bias\"\n"), "mine.toml:4: unknown key chek in [[strategist]]; did you mean check?"},
		{"a key that is like none", whole("severity = \"HIGH\"\n"), "mine.toml:4: unknown key severity in [[strategist]]; it has id, text, check, deny"},
		{"a text for a seat", "critic = \"be good\"\n", "mine.toml:1: the constraints of critic are a list"},
		{"a number for a text", entry("id = \"x\"\ntext = 4\n"), "mine.toml:3: text is a text in quotes"},
		{"a list for an id", entry("id = [\"x\"]\n"), "mine.toml:2: id is a text in quotes"},
		{"a text for deny", whole("check = \"no-harm\"\ndeny = \"drop\"\n"), "mine.toml:5: deny is a list of phrases"},
		{"numbers in deny", whole("check = \"no-harm\"\ndeny = [1]\n"), "mine.toml:5: deny is a list of phrases"},
		{"no id", entry("text = \"Do.\"\n"), "mine.toml:1: id is missing"},
		{"blank id", entry("id = \" \"\ntext = \"Do.\"\n"), "mine.toml:2: the id \" \" is not valid"},
		{"id of blanks and words", entry("id = \"my id\"\ntext = \"Do.\"\n"), "mine.toml:2: the id \"my id\" is not valid"},
		{"id begins with a digit", entry("id = \"1st\"\ntext = \"Do.\"\n"), "mine.toml:2: the id 1st is not valid"},
		{"id with a control character", entry("id = \"a\\u001b[2J\"\ntext = \"Do.\"\n"), `mine.toml:2: the id "a\x1b[2J" is not valid`},
		{"long id", entry("id = \"" + strings.Repeat("x", 61) + "\"\ntext = \"Do.\"\n"), "is not valid: use at most 60 lower-case letters"},
		{"id of a challenge", entry("id = \"C1\"\ntext = \"Do.\"\n"), "mine.toml:2: the id C1 is not valid"},
		{"id twice", least + "[[critic]]\nid = \"cite\"\ntext = \"Do.\"\n", "mine.toml:7: the id cite is already used on line 2"},
		{"no text", entry("id = \"x\"\n"), "mine.toml:1: text is missing"},
		{"blank text", entry("id = \"x\"\ntext = \" \\t\\n\"\n"), "mine.toml:3: text is missing"},
		{"long text", entry("id = \"x\"\ntext = \"" + strings.Repeat("é", constitution.MaxText+1) + "\"\n"), "mine.toml:3: text is longer than 400 characters"},
		{"control character", entry("id = \"x\"\ntext = \"Do \\u001b[2J it.\"\n"), "mine.toml:3: text contains a control or hidden character"},
		{"hidden character", entry("id = \"x\"\ntext = \"Do \\u202e it.\"\n"), "mine.toml:3: text contains a control or hidden character"},
		{"unknown check", whole("check = \"cite-evidence\"\n"), "mine.toml:4: unknown check cite-evidence; did you mean cites-evidence?"},
		{"a check like none", whole("check = \"vibes\"\n"), "mine.toml:4: unknown check vibes; use one of cites-evidence, states-uncertainty"},
		{"check of claims under the critic", "[[critic]]\nid = \"x\"\ntext = \"Do.\"\ncheck = \"bias\"\n", "mine.toml:4: the check bias does not apply to the critic; it applies to the strategist, moderator"},
		{"check of challenges under the strategist", whole("check = \"challenges-method\"\n"), "mine.toml:4: the check challenges-method does not apply to the strategist; it applies to the critic, adversary, expert"},
		{"no-harm without phrases", whole("check = \"no-harm\"\n"), "mine.toml:1: check = \"no-harm\" and deny belong together"},
		{"deny without a check", whole("deny = [\"drop it\"]\n"), "mine.toml:1: check = \"no-harm\" and deny belong together"},
		{"deny with another check", whole("check = \"bias\"\ndeny = [\"drop it\"]\n"), "mine.toml:1: check = \"no-harm\" and deny belong together"},
		{"a phrase of nothing", whole("check = \"no-harm\"\ndeny = [\" - \"]\n"), "mine.toml:5: \"-\" in deny is not a phrase"},
		{"a star for everything", whole("check = \"no-harm\"\ndeny = [\"*\"]\n"), "mine.toml:5: \"*\" in deny is not a phrase"},
		{"a star for nearly everything", whole("check = \"no-harm\"\ndeny = [\"drop a*\"]\n"), "\"drop a*\" in deny is not a phrase"},
		{"a star within a word", whole("check = \"no-harm\"\ndeny = [\"de*ete\"]\n"), "\"de*ete\" in deny is not a phrase"},
		{"a hidden phrase", whole("check = \"no-harm\"\ndeny = [\"de\\u200blete\"]\n"), "contains a control or hidden character"},
		{"a long phrase", whole("check = \"no-harm\"\ndeny = [\"" + strings.Repeat("x", constitution.MaxPhrase+1) + "\"]\n"), "longer than 100 characters"},
		{"too many phrases", whole("check = \"no-harm\"\ndeny = [" + strings.Repeat("\"drop it\",", constitution.MaxDeny+1) + "]\n"), "deny has 201 phrases; the limit is 200"},
		{"too many constraints", many(), "mine.toml:61: the strategist has 21 constraints; the limit is 20"},
	} {
		_, err := constitution.Read([]byte(c.file), "mine.toml")
		var problems config.Problems
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// many has one constraint more than a seat may have.
func many() string {
	var file strings.Builder
	for n := range constitution.MaxPerSeat + 1 {
		fmt.Fprintf(&file, "[[strategist]]\nid = \"x-%d\"\ntext = \"Do.\"\n", n)
	}
	return file.String()
}

// All problems of a file are reported at once, in the order of its lines, and an unknown key is reported once.
func TestReadTellsAll(t *testing.T) {
	_, err := constitution.Read([]byte(`[[critics]]
id = "a"
text = "b"
[[critic]]
id = "c"
check = "bais"
[[strategist]]
txt = "d"
`), "mine.toml")
	want := `mine.toml:1: unknown key critics; did you mean critic?
mine.toml:4: text is missing
mine.toml:6: unknown check bais; did you mean bias?
mine.toml:7: id is missing
mine.toml:7: text is missing
mine.toml:8: unknown key txt in [[strategist]]; did you mean text?`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// FuzzRead reads anything: no panic; what is read keeps its bounds, and what is wrong
// has a line of the file and nothing in it that would steer a terminal.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		least, "", "critic = [{ id = \"a\", text = \"b\" }]\n", "[[critic]]\n[[critic]]\nid = 'x'\n",
		"[a.b.c]\n[[a.d]]\nx = 1979-05-27\n", "\xef\xbb\xbf[[critic.id]]\r\n", "[[moderator]]\nid = \"x\"\ntext = \"y\"\ncheck = \"no-harm\"\ndeny = [\"a b*\", \"\\u202e\"]\n",
		"[[critic]]\n\"a\\u001b\" = nan\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := constitution.Read(data, "mine.toml")
		if err == nil {
			if len(c.Constraints) == 0 {
				t.Error("an empty constitution")
			}
			for _, one := range c.Constraints {
				if one.ID == "" || one.Text == "" || len([]rune(one.Text)) > constitution.MaxText || c.Constraint(one.ID).Text != one.Text {
					t.Errorf("%+v", one)
				}
			}
			return
		}
		var problems config.Problems
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
