package judge_test

import (
	"fmt"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/hearing/judge"
)

// seen is the entity and field of a fact.
type seen struct {
	entity, field string
	source        ledger.SourceType
}

func packetOf(t *testing.T, facts ...seen) *ledger.Packet {
	t.Helper()
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("p", at, at)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range facts {
		if f.source == "" {
			f.source = ledger.SourceSyslog
		}
		if err := p.Add(ledger.PacketFact{
			ID: fmt.Sprint("f", i), Entity: f.entity, EntityType: ledger.EntityNode, Field: f.field, Value: "1", At: at,
			SourceType: f.source, SourceID: "s",
		}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// Both fields of a pair conflict on one entity, in either order and however their
// words are put together; on two entities, or with other words, they do not.
func TestConflicts(t *testing.T) {
	pairs := [][2]string{{"login success", "login failure"}, {"allow", "deny"}, {"permit", "block"}}
	for name, c := range map[string]struct {
		facts []seen
		want  bool
	}{
		"nothing":              {nil, false},
		"as listed":            {[]seen{{entity: "a", field: "allow"}, {entity: "a", field: "deny"}}, true},
		"the other way round":  {[]seen{{entity: "a", field: "deny"}, {entity: "a", field: "allow"}}, true},
		"facts between":        {[]seen{{entity: "a", field: "allow"}, {entity: "a", field: "port"}, {entity: "b", field: "deny"}, {entity: "a", field: "deny"}}, true},
		"underscores":          {[]seen{{entity: "a", field: "login_success"}, {entity: "a", field: "login_failure"}}, true},
		"capitals":             {[]seen{{entity: "a", field: "LoginSuccess"}, {entity: "a", field: "loginFailure"}}, true},
		"all capitals":         {[]seen{{entity: "a", field: "LOGIN_SUCCESS"}, {entity: "a", field: "Login-Failure"}}, true},
		"dots and blanks":      {[]seen{{entity: "a", field: " login.success "}, {entity: "a", field: "login  failure"}}, true},
		"two entities":         {[]seen{{entity: "a", field: "allow"}, {entity: "b", field: "deny"}}, false},
		"one field twice":      {[]seen{{entity: "a", field: "allow"}, {entity: "a", field: "Allow"}}, false},
		"halves of two pairs":  {[]seen{{entity: "a", field: "allow"}, {entity: "a", field: "block"}}, false},
		"a part of a word":     {[]seen{{entity: "a", field: "allowed"}, {entity: "a", field: "deny"}}, false},
		"words beside":         {[]seen{{entity: "a", field: "login_success_rate"}, {entity: "a", field: "login_failure"}}, false},
		"words run together":   {[]seen{{entity: "a", field: "loginsuccess"}, {entity: "a", field: "login_failure"}}, false},
		"the case of entities": {[]seen{{entity: "a", field: "allow"}, {entity: "A", field: "deny"}}, false},
	} {
		if got := judge.Conflicts(packetOf(t, c.facts...), pairs); got != c.want {
			t.Errorf("%s: it conflicts: %t", name, got)
		}
	}
	both := packetOf(t, seen{entity: "a", field: "allow"}, seen{entity: "a", field: "deny"})
	if judge.Conflicts(both, nil) || judge.Conflicts(&ledger.Packet{}, pairs) {
		t.Error("without pairs, or without facts, something conflicts")
	}
	if judge.Conflicts(both, [][2]string{{"allow", "Allow"}}) {
		t.Error("a name is its own opposite")
	}
}

// A type of sources counts once.
func TestSourceTypesAreCounted(t *testing.T) {
	p := packetOf(t, seen{"a", "x", ledger.SourceSyslog}, seen{"a", "y", ledger.SourceDNSLog}, seen{"b", "x", ledger.SourceSyslog}, seen{"b", "y", ledger.SourceUnknown})
	if got := judge.SourceTypes(p); got != 3 {
		t.Errorf("%d types", got)
	}
}
