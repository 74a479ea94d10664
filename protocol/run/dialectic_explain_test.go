package run

import (
	"strings"
	"testing"

	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Evidence that came close is listed with what it lacks, and the smallest set of events that
// makes the proposal advance names each event once.
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
	decision, _ := view.FormatOf(&d.s).Explain(&d.s, "decision")
	text := decision.Heading + "\n"
	for _, near := range e.Before {
		text += near.Rule + " " + near.Words + "\n"
	}
	for _, c := range e.Changes {
		text += c.With + ": " + c.Outcome() + ".\n"
	}
	for _, section := range decision.Sections {
		for _, item := range section.Items {
			text += item.Text + "\n"
			for _, note := range item.Notes {
				text += note.Text + "\n"
			}
		}
	}
	for _, want := range []string{
		"R1 E1 is for the field on C1; it is fresh-research, which may not decide what is BLOCKING.",
		"R1 E2 is for the field on C1; it was not verified.",
		"R1 E3 is for the field on C2; it is at 0.75, where Safety asks for 0.80.",
		"With a verified passage that answers C1 and a verified passage that answers C2, or with your evidence for it: Agreed, textual.",
		"HOLD: another round is needed",
		"on P2 b: INVENTED(17)\nWith a verified passage that says “17” for P2",
		"With a verified passage that answers C1, a verified passage that answers C2 and a verified passage that says “17” for P2, " +
			"or with your ruling that C1 is cleared, your ruling that C2 is cleared and your agreement to P2: the proposal advances.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it is not said that %s:\n%s", want, text)
		}
	}
}
