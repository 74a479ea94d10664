package cli

import (
	"slices"
	"strings"

	"moot/enum"
	"moot/state"
)

// sayUnread tells of what kinds a domain has no rule that reads words. Facts of them may
// decide, but rules cite only those of which another rule speaks.
func sayUnread(c *Console, book *state.Domain) {
	unread := slices.DeleteFunc(state.Readings(), func(kind state.FactRole) bool {
		return slices.ContainsFunc(book.Rules, func(r state.FactRule) bool { return r.Reads && r.Role.Reading() == kind })
	})
	if len(unread) > 0 {
		c.Say("note       no rule with reads = true for %s: what only its words tell is cited by nobody, and wins for nobody", strings.Join(enum.Words(unread), ", "))
	}
}
