package domain_test

import (
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/resolver/detect"
	"moot/state"
)

// spoken is a packet by hand in which people speak of an act that a machine saw.
func spoken() []string {
	return append(
		stolen(),
		`09:30 | HELP-7 | ticket | "user saw ntdsutil dump credentials from lsass with mimikatz on dc-2" | manual`,
	)
}

// A fact stands under one claim of a side, whatever rules speak of it, and the claim names
// some of the others.
func TestAFactStandsUnderOneClaim(t *testing.T) {
	d := security(t)
	also := 0
	for name, facts := range map[string][]string{"stolen": stolen(), "ordered": ordered(), "spoken": spoken()} {
		found := d.Find(packetOf(t, facts...))
		for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
			var cited []string
			for _, c := range found.Argue(seat).Claims {
				for _, id := range c.Facts {
					if slices.Contains(cited, id) {
						t.Errorf("%s: the %s cites %s twice", name, seat, id)
					}
					cited = append(cited, id)
				}
				if strings.Contains(c.Reading, "(also ") {
					also++
				}
			}
			for _, id := range ofFindings(found, seat) {
				if !slices.Contains(cited, id) {
					t.Errorf("%s: the %s cites %s no more", name, seat, id)
				}
			}
		}
	}
	if also == 0 {
		t.Error("no claim names another finding of the same facts")
	}
}

// ofFindings are the facts of the findings that are strong enough for claims.
func ofFindings(found *detect.Case, seat state.Seat) []string {
	var ids []string
	for _, f := range found.Findings() {
		if f.Rule.Role.Seat() == seat && f.Strength >= 0.05 {
			ids = append(ids, f.Facts...)
		}
	}
	return ids
}

// What people say is no act that a machine saw: it is out of the ordinary.
func TestAStatementIsNoAct(t *testing.T) {
	p := packetOf(t, spoken()...)
	found := security(t).Find(p)
	stated := false
	for _, c := range found.Argue(state.Architect).Claims {
		for _, id := range c.Facts {
			f, _ := p.Fact(id)
			if f.SourceType != ledger.SourceManual || c.Role.Reading() != state.RoleAct {
				continue
			}
			stated = true
			if c.Rule != "reads-as-act" {
				t.Errorf("%q cites %s, which somebody said: %s", c.Name, id, c.Reading)
			}
		}
	}
	if !stated {
		t.Error("no claim cites what somebody said as out of the ordinary")
	}
}
