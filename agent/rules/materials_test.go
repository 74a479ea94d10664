package rules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// Whatever is given, the replies are taken and the session ends or asks.
func TestHostileMaterials(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads in one goroutine, slowly with the race detector")
	}
	heading := "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n"
	var large strings.Builder
	large.WriteString(heading + "@@ -0,0 +1,200000 @@\n")
	for range 200_000 {
		large.WriteString("+ lorem ipsum dolor sit amet, consetetur sadipscing eli\n")
	}
	var many strings.Builder
	for i := range 90 {
		fmt.Fprintf(&many, "diff --git a/f%[1]d.go b/f%[1]d.go\n--- a/f%[1]d.go\n+++ b/f%[1]d.go\n@@ -1 +1,2 @@\n package a\n+const v = %[1]d\n", i)
	}
	many.WriteString("diff --git a/last.sql b/last.sql\n--- a/last.sql\n+++ b/last.sql\n@@ -1 +1,2 @@\n select 1;\n+DROP TABLE users;\n")
	for name, one := range map[string]struct{ file, text, want string }{
		"escape sequences": {"c.diff", strings.ReplaceAll(heading, "a.go", "\x1b[31ma.go") + "@@ -1 +1,2 @@\n package a\n+// \x1b]0;owned\x07 \u202eevil TODO\n", "ADVANCE"},
		"ten megabytes":    {"c.diff", large.String(), "split it"},
		"binary":           {"c.diff", "diff --git a/p.bin b/p.bin\nnew file mode 100644\nindex 0000000..1111111\nBinary files /dev/null and b/p.bin differ\n", "the file is binary"},
		"no diff":          {"c.diff", "this is no diff\n", "no unified diff in it"},
		"torn":             {"c.diff", heading + "@@ -1,9 +1,9 @@\n a\n", "exit quality"},
		"bytes":            {"c.md", "\x00\x01\x02", "is no text"},
		"outside":          {"c.diff", strings.ReplaceAll(heading, "a.go", "../../etc/passwd") + "@@ -1 +1,2 @@\n root\n+evil\n", "change[../../etc/passwd]"},
		"absolute":         {"c.diff", strings.ReplaceAll(heading, "a/a.go", "/etc/passwd") + "@@ -1 +1,2 @@\n root\n+evil\n", "passwd"},
		"too many files":   {"c.diff", many.String(), "DROP"},
		"deep JSON":        {"c.json", strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested too deep"},
		"torn JSON":        {"c.json", `{"a":`, "cannot be read"},
		"many values":      {"c.json", "[" + strings.Repeat(`{"a":1},`, 9000) + `{"a":1}]`, "too many values"},
		"laughs":           {"c.yaml", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n", "a = [\"x\",\"x\"]"},
		"torn YAML":        {"c.yaml", "a: [1\nb: }\n", "cannot be read"},
		"torn TOML":        {"c.toml", "a = \n", "cannot be read"},
		"odd keys":         {"c.json", `{"":1,"a b":2,"a_b":3,"` + strings.Repeat("x", 300) + `":4,"é\u001b":5,"n":null}`, "a_b-2"},
		"long values":      {"c.json", `{"a":"` + strings.Repeat("word ", 1000) + `","b":1}`, "too long for a field"},
		"nothing decided":  {"c.md", "x\n", "document[c.md]"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPress(t, map[string]string{one.file: one.text})
			p.given = []string{one.file}
			s := p.run(t)
			told := p.told()
			if !strings.Contains(told, one.want) || strings.ContainsAny(told, "\x1b\x07\u202e") && name != "escape sequences" {
				t.Errorf("%.3000s", told)
			}
			if !s.Closed && s.Paused != state.PauseUser {
				t.Errorf("it neither ends nor asks: %q\n%.3000s", s.Paused, told)
			}
			for _, c := range s.Challenges.All() {
				if strings.ContainsAny(c.Objection, "\x1b\x07\u202e") {
					t.Errorf("%q steers a terminal", c.Objection)
				}
			}
		})
	}
}

// A diff that lies outside of the workspace was redacted and cut before anybody
// read it: what was taken out is found all the same, and half a diff is not read
// as a whole one.
func TestChangesFromOutside(t *testing.T) {
	added := "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1,%d @@\n package a\n"
	for name, one := range map[string]struct{ text, want string }{
		"a secret": {fmt.Sprintf(added, 2) + "+const token = \"ghp_16C7e42F292c6912E7710c838347Ae178B4a\"\n", "C1 is secret-in-change, BLOCKING"},
		"half":     {fmt.Sprintf(added, 20_001) + strings.Repeat("+var sumOfAll = 1 + 2\n", 20_000), "of the diff c.diff only the beginning was read"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPress(t, map[string]string{"c.diff": one.text})
			p.given = []string{"c.diff"}
			settings := p.settings(t)
			if err := os.Remove(filepath.Join(p.workspace, "c.diff")); err != nil {
				t.Fatal(err)
			}
			p.store(t, &state.SessionOpened{
				Version: state.Version, ID: "s", Question: "May it?", Settings: settings,
				Seats: []state.SeatAssignment{{Seat: state.Proposer, Participant: "rules"}, {Seat: state.PressureTester, Participant: "rules"}},
			})
			if s := p.run(t); !strings.Contains(p.told(), one.want) || s.Exit == state.ExitDecided {
				t.Errorf("%.3000s", p.told())
			}
		})
	}
}

// A secret of a given file is in no reply, whatever it stands in.
func TestSecretsAreNotProposed(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for name, text := range map[string]string{
		"c.yaml": "user: me\ntoken: " + secret + "\n", "c.json": `{"user":"me",` + "\n" + `"token":"` + secret + `"}`,
		"c.toml": "user = 'me'\ntoken = '" + secret + "'\n", "c.md": "# Plan\n\n- use " + secret + " for all\n", "c.diff": plainChange,
		"first.md": "token: " + secret + "\n\n- use it for all of them\n",
		"key.md":   "# Plan\n\n-----BEGIN RSA PRIVATE KEY-----\n\n- we will use\n" + secret[4:] + "\n\n-----END RSA PRIVATE KEY-----\n",
		"key.yaml": "user: me\nfirst: '-----BEGIN RSA PRIVATE KEY-----'\nthen: " + secret[4:] + "\nlast: '-----END RSA PRIVATE KEY-----'\n",
		"c.ini":    "retries = 3\npassword = hV7_pQ2x9sLm4Zk8\nuser = me\n",
	} {
		p := newPress(t, map[string]string{name: text})
		p.given = []string{name}
		s := p.run(t)
		if s.Points.Len() == 0 {
			t.Errorf("%s: nothing is proposed\n%s", name, p.told())
		}
		for _, e := range p.log.Events() {
			if reply, ok := e.Data.(*state.ReplyReceived); ok && (strings.Contains(reply.Text, secret[4:]) || strings.Contains(reply.Text, "hV7_")) {
				t.Errorf("%s: %s", name, reply.Text)
			}
		}
	}
}

// A cited heading carries the field that it stands for: no gate fails for it.
func TestDraftedFieldsPassTheGates(t *testing.T) {
	files := map[string]string{
		"c.diff": "diff --git a/old name.go b/new/name.go\nsimilarity index 100%\nrename from old name.go\nrename to new/name.go\n" +
			"diff --git a/gone.go b/gone.go\ndeleted file mode 100644\n--- a/gone.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package a\n",
		"c.toml": "rate = 2.5\nwhen = 2026-11-21\nhosts = [\n  'a.example.org', # first\n  'b.example.org',\n]\n[retry]\nwait = '30s'\n[[queue]]\nname = \"a\"\n[queue.limit]\nmost = 10\n[[queue]]\nname = \"b\"\n[queue.limit]\nmost = 20\n",
		"c.yaml": "rate: 2.5\nwhen: 2026-11-21\ntext: |\n  first 10\n\n  second 20\nfolded: >\n  runs over\n  2 lines\nlist:\n  - name: x\n    size: 3 GB\nlast: true\n",
		"c.json": "{\n  \"rate\": 2.5,\n  \"deep\": {\"list\": [\n    1,\n    2\n  ], \"of\": [{\"x\": \"10 ms\"}]}\n}\n",
		"c.md":   "# Plan 7\n\nThe queue will be drained\nwithin 10 minutes by `drain.sh`.\n\n1. Roll out to 10 % by 2026-12-01\n   and to all on 2026-12-08.\n",
	}
	for name := range files {
		p := newPress(t, files)
		p.given = []string{name}
		p.book = "design-review"
		s := p.run(t)
		var result dialectic.Result
		if err := json.Unmarshal(s.Dialectic.Last().Result, &result); err != nil {
			t.Fatal(err)
		}
		for _, g := range result.Artifact.Validation.Gates {
			if !g.Pass && g.Gate != "G5" && g.Gate != "G7" {
				t.Errorf("%s: %s fails: %v\n%s", name, g.Gate, g.Reasons, p.told())
			}
		}
		for _, item := range s.Evidence.All() {
			if !item.Counts() || item.Relation == ledger.Supports && item.Confidence != ledger.ConfidenceInPlace {
				t.Errorf("%s: %s is not verified in place: %s", name, item.ID, item.Reason)
			}
		}
		if s.Points.Len() < 2 || strings.Contains(p.told(), "cannot be read") {
			t.Errorf("%s:\n%s", name, p.told())
		}
	}
}
