package domain_test

import (
	"strings"
	"testing"

	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/state"
)

const small = `prefix = "CAUSE"
question = "Is this change the cause?"
[kinds]
"errors" = ["deploy"]
[words]
"bad" = ["error rate", "timeouts"]
[[finding]]
id = "errors"
name = "Errors"
strength = "suspicious"
kind = "errors"
when = [{ words = ["@bad"] }]
[[cover]]
id = "test"
name = "A load test"
explains = ["errors"]
tie = ["host"]
when = [{ sources = ["manual"], words = ["load test"] }]
[[relation]]
id = "after"
name = "Higher after the change"
strength = "conclusive"
kind = "errors"
computes = "after a change"
at_least = 2
hours = 2
`

// A file of the user's own is read and applied as the built-in one.
func TestOwnDomain(t *testing.T) {
	d, err := domain.Read([]byte(small), "cause.toml")
	if err != nil || d.Shown(judge.Confirmed) != "CAUSE_CONFIRMED" {
		t.Fatalf("%v, %+v", err, d)
	}
	rules, err := domain.Of(&d)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{
		"10:00 | web-1 | latency_ms | 40", "10:30 | web-1 | deployment | @deployed 4.2 to web-1@", "11:00 | web-1 | latency_ms | 130",
	}
	c := rules.Find(packetOf(t, lines...))
	if left := c.Left(domain.Conclusive); len(left) != 1 || left[0].Facts[0] != "f3" || !strings.Contains(left[0].Quote, "40 before and 130 after") {
		t.Errorf("%+v", c.Findings)
	}
	c = rules.Find(packetOf(t, append(lines, "09:00 | web-1 | note | @load test from 11:00@ | manual")...))
	if len(c.Left(domain.Conclusive)) != 0 || c.Confidence(judge.Skeptic) != 0.9 {
		t.Errorf("it is explained: %+v", c.Findings)
	}
}

// Everything that is wrong with a file is reported with its line, and what was removed with what
// replaced it.
func TestBadDomains(t *testing.T) {
	for _, c := range []struct{ was, is, says string }{
		{`"CAUSE"`, `"cause"`, "x.toml:1: prefix is at most 20 capital letters"},
		{`"Is this change the cause?"`, `""`, "x.toml:2: question is missing"},
		{`kind = "errors"`, `kind = "erors"`, `x.toml:11: unknown kind erors; did you mean errors?`},
		{`"suspicious"`, `"certain"`, "unknown strength certain; use one of conclusive, suspicious"},
		{`strength = "suspicious"`, ``, "x.toml:7: unknown strength"},
		{`[{ words = ["@bad"] }]`, `[]`, "the rule has no when"},
		{`words = ["@bad"]`, `words = ["@worse"]`, "unknown list in [words] worse"},
		{`words = ["@bad"]`, `words = ["time-out"]`, `"time-out" is not a phrase`},
		{`words = ["@bad"]`, `words = ["a ..."]`, `"a ..." is not a phrase`},
		{`words = ["@bad"]`, `at_least = 2`, "the condition needs words, fields, is or bits"},
		{`words = ["@bad"]`, `word = ["x"]`, "unknown key word"},
		{`tie = ["host"]`, `tie = ["place"]`, "unknown tie place"},
		{`tie = ["host"]`, ``, "a cover needs a scope"},
		{`explains = ["errors"]`, `explains = ["all"]`, "unknown kind all"},
		{`sources = ["manual"]`, `sources = ["people"]`, "unknown type of source people"},
		{`id = "test"`, `id = "errors"`, "the id errors is already used on line 8"},
		{`id = "test"`, `id = "A test"`, "is not valid: use at most 60 lower-case letters"},
		{`"after a change"`, `"before"`, "unknown computation before"},
		{`hours = 2`, "hours = 2\nof = [\"a\", \"b\"]", "of names two findings if it computes"},
		{`hours = 2`, `hours = 0`, "a relation has at_least and hours above 0"},
		{`name = "Errors"`, "name = \"Errors\"\ntechnique = \"1003\"", "technique is an id of MITRE ATT&CK"},
	} {
		text := strings.Replace(small, c.was, c.is, 1)
		if text == small {
			t.Fatalf("nothing was changed: %s", c.was)
		}
		if _, err := domain.Read([]byte(text), "x.toml"); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.is, err, c.says)
		}
	}
	if _, err := domain.BuiltIn("change"); err == nil {
		t.Error("there is a second domain")
	}
}

// FuzzRead reads whatever may be a domain: what is read can be applied to a packet.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add("[[rule]]\nid = \"x\"\n")
	f.Add("[[finding]]\nwhen = [{ is = { \"a\" = [\"1\"] } }]\n")
	p := packetOf(f, "10:00 | a -> b | x | {@y@:[1,null,@z@]} | netflow", "10:01 | a | deployment | @a@")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := domain.Read([]byte(text), "x.toml")
		if err != nil {
			return
		}
		rules, err := domain.Of(&d)
		if err != nil {
			t.Fatal(err)
		}
		c := rules.Find(p)
		for _, seat := range []state.Seat{judge.Architect, judge.Skeptic} {
			if n := c.Confidence(seat); n <= 0 || n >= 1 {
				t.Errorf("the confidence %v", n)
			}
			c.Claims(seat)
		}
	})
}
