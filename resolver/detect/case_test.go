package detect

import (
	"fmt"
	"strings"
	"time"

	"moot/ledger"
	"moot/state"
)

// fataler is what both a test and a property tell.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// packetOf makes a packet of lines: time, entity, field, value, type of the source and,
// where it matters, its name. The facts are f1, f2 and so on.
func packetOf(t fataler, lines ...string) *ledger.Packet {
	t.Helper()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("example", day, day.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		columns := append(strings.Split(line, " | "), "edr-4")
		clock, err := time.Parse("15:04", columns[0])
		if err != nil {
			t.Fatal(err)
		}
		value, err := ledger.ParseValue([]byte(columns[3]))
		if err != nil {
			t.Fatal(line, err)
		}
		f := ledger.PacketFact{
			ID: fmt.Sprintf("f%d", i+1), Entity: columns[1], EntityType: ledger.EntityNode, Field: columns[2], Value: value,
			At:         day.Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute),
			SourceType: ledger.SourceType(columns[4]), SourceID: columns[5],
		}
		if strings.Contains(f.Entity, "->") {
			f.EntityType = ledger.EntityEdge
		}
		if err := p.Add(f); err != nil {
			t.Fatal(line, err)
		}
	}
	return p
}

// ruleOf is one that speaks of facts with a word.
func ruleOf(id string, role state.FactRole, word string) state.FactRule {
	return state.FactRule{ID: id, Name: id, Role: role, Weight: 0.5, When: []state.FactCondition{{Words: []string{word}}}}
}

// example is a domain in which facts are acts and covers by a word; w may be nil.
func example(t fataler, w *state.Weights, more ...state.FactRule) *Detector {
	t.Helper()
	exercise := ruleOf("exercise", state.RoleCover, "exercise")
	exercise.Whole = true
	d, err := Compile(&state.Domain{
		Name: "example", Margin: 0.1, Weights: w,
		Rules:      append([]state.FactRule{ruleOf("act", state.RoleAct, "ran"), ruleOf("cover", state.RoleCover, "approved"), exercise}, more...),
		Activities: []state.Vocabulary{{Name: "dump", Phrases: []string{"dump*"}}, {Name: "backup", Phrases: []string{"backup*"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// itemOf is what a fact does in the case, nil where it does nothing.
func itemOf(c *Case, id string) *item {
	for _, one := range c.all {
		if one.fact.ID == id {
			return one
		}
	}
	return nil
}
