package corpora

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/enum"
	"moot/ledger"
	"moot/state"
)

// Roles are what the facts of a scenario do, as somebody who knows why the outcome is the
// expected one sorted them. From these weights are learnt.
type Roles struct {
	// Of is the reading of a fact by its id (state.Readings); facts that are not there
	// do nothing.
	Of map[string]state.FactRole
	// Accounts says of a cover which acts it accounts for; false are those for which it
	// looks as if it did, and does not. What is not there nobody says.
	Accounts map[string]map[string]bool
}

// writtenRoles is how they are written: {"act": ["f1"], "cover": ["f2"]}, and which facts
// account for which, and do not.
type writtenRoles struct {
	Roles       map[string][]string `json:"roles"`
	Accounts    map[string][]string `json:"accounts_for"`
	DoesNotHelp map[string][]string `json:"not_for"`
}

// rolesOf reads the roles of a scenario.
func rolesOf(text jsontext.Value, packet *ledger.Packet, note func(string, ...any)) *Roles {
	var w writtenRoles
	if err := json.Unmarshal(text, &w); err != nil {
		note("roles: %v", err)
		return nil
	}
	if len(w.Roles) == 0 || packet == nil {
		return nil
	}
	r := &Roles{Of: map[string]state.FactRole{}, Accounts: map[string]map[string]bool{}}
	is := func(what, id string) bool {
		if packet.Has(id) {
			return true
		}
		note("%s: there is no fact %q", what, id)
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(w.Roles)) {
		role, err := enum.Parse("role", name, state.Readings())
		if err != nil {
			note("roles: %v", err)
			continue
		}
		for _, id := range w.Roles[name] {
			if other, twice := r.Of[id]; is("roles", id) && twice {
				note("roles: fact %q is %s and %s", id, other, role)
			}
			r.Of[id] = role
		}
	}
	for _, of := range []struct {
		name     string
		written  map[string][]string
		accounts bool
	}{{"accounts_for", w.Accounts, true}, {"not_for", w.DoesNotHelp, false}} {
		for _, cover := range slices.Sorted(maps.Keys(of.written)) {
			for _, act := range of.written[cover] {
				if !is(of.name, cover) || !is(of.name, act) {
					continue
				}
				if r.Accounts[cover] == nil {
					r.Accounts[cover] = map[string]bool{}
				}
				r.Accounts[cover][act] = of.accounts
			}
		}
	}
	return r
}
