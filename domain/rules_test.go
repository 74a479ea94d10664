package domain_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"moot/domain"
	"moot/ledger"
	"moot/resolver/detect"
	"moot/state"
)

// example is a rule's facts: of which it speaks, of which it must not, and what cancels
// it; with are there in all three.
type example struct{ with, fires, not, cancels []string }

// examples reads an archive of rules.
func examples(t *testing.T, name string) map[string]example {
	t.Helper()
	data, err := os.ReadFile("testdata/rules/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]example{}
	for _, file := range txtar.Parse(data).Files {
		var e example
		for line := range strings.Lines(string(file.Data)) {
			kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			of := map[string]*[]string{"with": &e.with, "fires": &e.fires, "not": &e.not, "cancels": &e.cancels}[kind]
			if of == nil {
				t.Fatalf("%s: %s: unknown line %q", name, file.Name, line)
			}
			*of = append(*of, strings.TrimSpace(rest))
		}
		all[file.Name] = e
	}
	return all
}

// packetOf makes a packet of lines: time, entity, field, value, source. The facts are
// f1, f2 and so on.
func packetOf(t testing.TB, lines ...string) *ledger.Packet {
	t.Helper()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("example", day, day.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		columns := strings.Split(line, " | ")
		if len(columns) != 5 {
			t.Fatalf("%d columns, not 5: %s", len(columns), line)
		}
		clock, err := time.Parse("15:04", columns[0])
		if err != nil {
			t.Fatal(err)
		}
		value, err := ledger.ParseValue([]byte(columns[3]))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		kind := ledger.EntityNode
		if strings.Contains(columns[1], "->") {
			kind = ledger.EntityEdge
		}
		err = p.Add(ledger.PacketFact{
			ID: "f" + string(rune('1'+i)), Entity: columns[1], EntityType: kind, Field: columns[2], Value: value,
			At:         day.Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute),
			SourceType: ledger.SourceType(columns[4]), SourceID: "source",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// found is the finding of a rule that speaks of a fact, or nil.
func found(c *detect.Case, rule, fact string) *detect.Finding {
	all := c.Findings()
	at := slices.IndexFunc(all, func(f detect.Finding) bool { return f.Rule.ID == rule && slices.Contains(f.Facts, fact) })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// rulesOf is a domain that is built in without the weights that words have: what its
// rules alone find.
func rulesOf(t testing.TB, name string) *detect.Detector {
	t.Helper()
	d, err := domain.BuiltIn(name)
	if err != nil {
		t.Fatal(err)
	}
	d.Weights = &state.Weights{Ties: d.Weights.Ties, Sums: d.Weights.Sums}
	ready, err := detect.Compile(&d)
	if err != nil {
		t.Fatal(err)
	}
	return ready
}

// Every rule of the domains that are built in speaks of what it should, is silent on
// what it should not speak of, and is cancelled by what should cancel it.
func TestEveryRule(t *testing.T) {
	for _, name := range domain.Names() {
		ready := rulesOf(t, name)
		d := ready.Domain()
		given := examples(t, name)
		for i := range d.Rules {
			rule := &d.Rules[i]
			if rule.Reads {
				continue
			}
			e, there := given[rule.ID]
			delete(given, rule.ID)
			if !there || len(e.fires) != 1 || len(e.not) != 1 || rule.Role.Seat() != "" && len(e.cancels) != 1 {
				t.Errorf("%s: %s has not one fact that fires, one that must not and one that cancels", name, rule.ID)
				continue
			}
			t.Run(name+"/"+rule.ID, func(t *testing.T) { checkRule(t, ready, rule, &e) })
		}
		for id := range given {
			t.Errorf("%s: no rule is named %s", name, id)
		}
	}
}

func checkRule(t *testing.T, ready *detect.Detector, rule *state.FactRule, e *example) {
	spoken := found(ready.Find(packetOf(t, append(e.fires, e.with...)...)), rule.ID, "f1")
	if spoken == nil {
		t.Fatalf("nothing is found in %s", e.fires[0])
	}
	if f := found(ready.Find(packetOf(t, append(e.not, e.with...)...)), rule.ID, "f1"); f != nil && (f.Strength > 0 || rule.Role.Seat() == "") {
		t.Errorf("it speaks of %s", e.not[0])
	}
	if rule.Role.Seat() == "" {
		return
	}
	if spoken.Strength <= 0 {
		t.Fatalf("what is found in %s has no strength", e.fires[0])
	}
	lines := append(append(slices.Clone(e.fires), e.cancels...), e.with...)
	after := found(ready.Find(packetOf(t, lines...)), rule.ID, "f1")
	if after == nil || after.Strength >= spoken.Strength {
		t.Fatalf("%s does not cancel it: strength %v, then %+v", e.cancels[0], spoken.Strength, after)
	}
	if !slices.ContainsFunc(after.Cancelled, func(by detect.Cancelled) bool { return slices.Contains(by.Facts, "f2") }) {
		t.Errorf("it does not say that %s cancels it: %+v", e.cancels[0], after.Cancelled)
	}
}
