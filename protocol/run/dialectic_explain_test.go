package run

import (
	"strings"
	"testing"

	"moot/resolver"
	"moot/state"
)

// The smallest set of events that changes a field names each event once.
func TestProposalExplanation(t *testing.T) {
	d := newDesk(t, openedAs(state.FormatDialectic, func(o *state.SessionOpened) { o.Question = "Set a to 1" }))
	d.quiet = true
	d.run()
	d.reply(state.Proposer, `{"moves":[{"move":"PROPOSE","path":"a","value":1,"category":"Taste"},{"move":"PROPOSE","path":"b","value":17,"category":"Taste"}]}`)
	d.run()
	d.reply(state.PressureTester, `{"moves":[{"move":"OBJECT","point":"a","flag":"no-rollback","text":"no way back"},
		{"move":"OBJECT","point":"a","text":"unsafe","category":"Safety","severity":"HIGH","predicate":"it is safe"}]}`)
	d.run()
	d.reply(state.Proposer, `{"moves":[{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"web/x:1","quote":"so it is"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"bad.go:1","quote":"no"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C2","reference":"web/y:1","quote":"it is safe"}]}`)
	d.run()
	d.reply(state.PressureTester, "NO OBJECTION: seen")
	d.run()
	ruling, _ := resolver.RuleOne(d.s, "P1")
	e := resolver.Explain(d.s, ruling)
	text := ""
	for _, c := range e.Changes {
		text += c.With + ": " + c.Outcome() + ".\n"
	}
	for _, want := range []string{
		"With a verified passage that answers C1 and a verified passage that answers C2, or with your evidence for it: Agreed, textual.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it is not said that %s:\n%s", want, text)
		}
	}
}
