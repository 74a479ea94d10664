package claims_test

import (
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// RV4: where a document came from puts it under examination; how the question is worded never takes it out.
func TestDocumentsUnderExamination(t *testing.T) {
	const plan = "# Plan\nThe queue keeps every job.\n"
	given := []state.Document{{Path: "docs/plan.md", Text: plan}, {Path: "queue.go", Text: "package queue\n"}}
	digest := ledger.Digest([]byte(plan))
	design := state.Input{Design: plan, DesignPath: "design.md"}
	for _, c := range []struct {
		name      string
		format    protocol.Format
		question  string
		settings  state.Settings
		reference string
		digest    string
		examined  bool
	}{
		{"a council tests what it is given", council.Format{}, "Does it hold?", state.Settings{Context: given}, "docs/plan.md:2", "", true},
		{"and not the source code", council.Format{}, "Does it hold?", state.Settings{Context: given}, "queue.go:1", "", false},
		{"nor other documents", council.Format{}, "Does it hold?", state.Settings{Context: given}, "docs/market.md:2", "", false},
		{"a copy of it too", council.Format{}, "Does it hold?", state.Settings{Context: given}, "old/copy.md:2", digest, true},
		{
			"an official document is evidence",
			council.Format{},
			"Does it hold?",
			state.Settings{Context: given, Official: []string{"docs"}},
			"docs/plan.md:2", "", false,
		},
		{
			"critique",
			consult.Format{},
			"Is it sound?",
			state.Settings{Context: given, Framing: state.FramingCritique},
			"docs/plan.md:2", "", true,
		},
		{
			"redteam",
			consult.Format{},
			"Is it sound?",
			state.Settings{Context: given, Framing: state.FramingRedteam},
			"docs/plan.md:2", "", true,
		},
		{
			"verify",
			consult.Format{},
			"Is it sound?",
			state.Settings{Context: given, Framing: state.FramingVerify},
			"docs/plan.md:2", "", true,
		},
		{
			"the framing propose takes context as evidence",
			consult.Format{},
			"Is it sound?",
			state.Settings{Context: given, Framing: state.FramingPropose},
			"docs/plan.md:2", "", false,
		},
		{"a panel does", panel.Format{}, "Is it sound?", state.Settings{Context: given}, "docs/plan.md:2", "", false},
		{"unless the question names it", panel.Format{}, "Is docs/plan.md sound?", state.Settings{}, "docs/plan.md:2", "", true},
		{"by its base name", panel.Format{}, "Is Plan.MD sound?", state.Settings{}, "docs/plan.md:2", "", true},
		{"in a script without blanks", panel.Format{}, "请看docs/plan.md是否合理", state.Settings{}, "docs/plan.md:2", "", true},
		{"in quotation marks", panel.Format{}, "Ist „plan.md“ schlüssig?", state.Settings{}, "docs/plan.md:2", "", true},
		{"with a line", panel.Format{}, "Is plan.md:2 true?", state.Settings{}, "docs/plan.md:2", "", true},
		{"another file is not named", panel.Format{}, "Is my-plan.md sound?", state.Settings{}, "docs/plan.md:2", "", false},
		{"nor a longer name", panel.Format{}, "Is plan.md.bak sound?", state.Settings{}, "docs/plan.md:2", "", false},
		{"nor one in another folder", panel.Format{}, "Is old/plan.md sound?", state.Settings{}, "docs/plan.md:2", "", false},
		{
			"an official document that the question names",
			panel.Format{},
			"Does queue.go follow spec.md?",
			state.Settings{Official: []string{"spec.md"}},
			"spec.md:2", "", false,
		},
		{"code that the question names", panel.Format{}, "Is queue.go sound?", state.Settings{}, "queue.go:2", "", false},
		{
			"a document given as the question",
			panel.Format{},
			"Plan",
			state.Settings{QuestionPath: "docs/plan.md", Context: given},
			"docs/plan.md:2", "", true,
		},
		{
			"also from standard input",
			panel.Format{},
			"Plan",
			state.Settings{QuestionPath: "stdin", Context: []state.Document{{Path: "stdin", Text: plan}}},
			"stdin:2", "", true,
		},
		{
			"and a copy of that",
			panel.Format{},
			"Plan",
			state.Settings{QuestionPath: "stdin", Context: []state.Document{{Path: "stdin", Text: plan}}},
			"copy.md:2", digest, true,
		},
		{
			"code given as the question",
			panel.Format{},
			"Review queue.go",
			state.Settings{QuestionPath: "queue.go", Context: given},
			"queue.go:1", "", false,
		},
		{"the design", consult.Format{}, "Is it sound?", state.Settings{Input: design}, "design.md:2", "", true},
		{
			"the design under an official name",
			consult.Format{},
			"Is it sound?",
			state.Settings{Input: design, Official: []string{"spec.md"}},
			"spec.md:2", digest, true,
		},
		{"the output of a command", council.Format{}, "Does it hold?", state.Settings{Context: given}, "$ cat docs/plan.md", "", false},
	} {
		c.settings.Format = c.format.Name()
		s := &state.State{Rules: c.format, Question: c.question, Settings: c.settings}
		name := claims.ExaminedBy(s, &ledger.Finding{Reference: c.reference, Digest: c.digest})
		if (name != "") != c.examined {
			t.Errorf("%s: %q of %q is examined: %t", c.name, c.reference, c.question, name != "")
		}
	}
}

// RV4: the document under examination is no evidence under another name either, as a link or a copy, also if it was
// given without a path.
func TestACopyOfTheDesignIsNoEvidence(t *testing.T) {
	const design = "No write is lost."
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Settings.Input.Design = design
	}))
	d.Append(&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Consultee, Text: "Alpha holds"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", By: state.Consultee, Reference: "copy.txt:1", Relation: ledger.Supports})
	for text, admitted := range map[string]bool{design: false, "Other words.": true} {
		f := ledger.Finding{Verified: true, Reference: "copy.txt:1", Excerpt: text, Digest: ledger.Digest([]byte(text))}
		found, _ := claims.AdmitFindings(d.State, []string{"E1"}, []ledger.Finding{f})[0].(*state.EvidenceVerified)
		if found.Admitted != admitted {
			t.Errorf("%q is admitted: %v", text, found.Admitted)
		}
	}
}
