package corpora

import (
	"errors"
	"maps"
	"slices"
	"strings"

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

// rolesReader reads the roles of one scenario, and notes what is wrong with them.
type rolesReader struct {
	packet *ledger.Packet
	note   func(string, ...any)
	roles  Roles
}

// rolesOf reads the roles of a scenario; nil where nobody sorted its facts, or it has none.
func rolesOf(text jsontext.Value, packet *ledger.Packet, note func(string, ...any)) *Roles {
	var w writtenRoles
	var wrong *json.SemanticError
	switch err := json.Unmarshal(text, &w); {
	case errors.As(err, &wrong):
		note("%s: it takes lists of the ids of facts, by their names", strings.TrimPrefix(string(wrong.JSONPointer), "/"))
		return nil
	case err != nil:
		note("roles: %v", err)
		return nil
	case packet == nil:
		return nil
	case len(w.Roles) == 0 && len(w.Accounts)+len(w.DoesNotHelp) > 0:
		note("roles: there are none, so that accounts_for and not_for are of no use")
		return nil
	case len(w.Roles) == 0:
		return nil
	}
	r := rolesReader{packet, note, Roles{Of: map[string]state.FactRole{}, Accounts: map[string]map[string]bool{}}}
	for _, name := range slices.Sorted(maps.Keys(w.Roles)) {
		r.of(name, w.Roles[name])
	}
	r.accounts("accounts_for", w.Accounts, true)
	r.accounts("not_for", w.DoesNotHelp, false)
	return &r.roles
}

// is reports whether a fact is there.
func (r *rolesReader) is(what, id string) bool {
	if r.packet.Has(id) {
		return true
	}
	r.note("%s: there is no fact %q", what, id)
	return false
}

// of reads the facts of one role.
func (r *rolesReader) of(name string, ids []string) {
	role, err := enum.Parse("role", name, state.Readings())
	if err != nil {
		r.note("roles: %v", err)
		return
	}
	for _, id := range ids {
		if !r.is("roles", id) {
			continue
		}
		if other, twice := r.roles.Of[id]; twice && other != role {
			r.note("roles: the fact %q is %s and %s: it has one role", id, other, role)
		}
		r.roles.Of[id] = role
	}
}

// accounts reads which facts account for which, or do not.
func (r *rolesReader) accounts(name string, written map[string][]string, does bool) {
	for _, cover := range slices.Sorted(maps.Keys(written)) {
		for _, act := range written[cover] {
			if !r.is(name, cover) || !r.is(name, act) {
				continue
			}
			if r.roles.Accounts[cover] == nil {
				r.roles.Accounts[cover] = map[string]bool{}
			}
			if said, twice := r.roles.Accounts[cover][act]; twice && said != does {
				r.note("%s: the fact %q accounts for %q, as accounts_for says", name, cover, act)
			}
			r.roles.Accounts[cover][act] = does
		}
	}
}
