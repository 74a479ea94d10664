package report

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/resolver"
)

// Why renders for a terminal or a file the ruling on a point: the rule,
// what it read, and what would change it. Lines are broken at width columns; 0
// leaves them as long as they are. Whatever moot did not write is escaped.
func Why(e *resolver.Explanation, width int) string {
	t := newTextWriter(width)
	t.entry(e.Point, e.Text)
	t.WriteByte('\n')
	t.block("", "", e.Where)
	t.block("  ", "  ", e.Means)
	t.heading("WHY")
	t.block("  ", "  ", e.Sentence)
	t.block("  ", "    ", fmt.Sprintf("Rule %s: %s", e.Rule, e.Says))
	if e.Ruling.Crux != "" {
		t.block("  ", "    ", "It would be resolved by: "+e.Ruling.Crux)
	}
	t.council(e)
	t.hearing(e)
	// Both are above already for the claims of a hearing.
	heard, _ := e.Details.(*hearing.HearingExplanation)
	if len(e.Reads) > 0 && (heard == nil || heard.Claim == nil) {
		t.heading("THE RULE READ")
		for _, r := range e.Reads {
			t.entry(r.ID, r.What)
		}
	}
	if len(e.Before) > 0 && heard == nil {
		t.heading("RULES THAT CAME CLOSE")
		for _, miss := range e.Before {
			t.entry(miss.Rule, miss.Words)
		}
	}
	t.changes(e.Changes, e.More, e.Limit)
	return t.String()
}

// WhyDecision renders as Why does why the proposal of a session advances or does
// not: what holds it, and what would change that.
func WhyDecision(e *dialectic.DecisionExplanation, width int) string {
	t := newTextWriter(width)
	t.block("", "", e.Where)
	t.heading("WHY")
	t.block("  ", "  ", e.Sentence)
	switch {
	case e.Changed:
		t.block("  ", "  ", fmt.Sprintf("Round %d of %d. Something came since; what follows is of the proposal as it "+
			"stands.", e.Round, e.Rounds))
	case e.Round > 0:
		t.block("  ", "  ", fmt.Sprintf("Round %d of %d.", e.Round, e.Rounds))
	}
	if len(e.Holds) > 0 {
		t.heading("WHAT HOLDS IT")
	}
	for i := range e.Holds {
		h := &e.Holds[i]
		what := h.What
		if h.Point != "" {
			what = "on " + h.Point + " " + h.Path + ": " + what
		}
		t.entry(h.ID, what)
		if h.Release != "" {
			t.block(strings.Repeat(" ", textIndent), strings.Repeat(" ", textIndent+2),
				h.Release+", it no longer holds.")
		}
	}
	if len(e.Warnings) > 0 {
		t.heading("WHAT ONLY WARNS")
	}
	for _, w := range e.Warnings {
		t.block("  - ", "    ", w)
	}
	t.changes(e.Changes, 0, e.Limit)
	return t.String()
}

// changes say what would move the point or the decision, how many more there
// are, and what bounds that.
func (t *textWriter) changes(changes []resolver.Change, more int, limit string) {
	heading := "WHAT WOULD CHANGE IT"
	if len(changes) > 0 && !slices.ContainsFunc(changes, func(c resolver.Change) bool { return !c.Ways[0].Past }) {
		heading = "WHAT WOULD HAVE CHANGED IT"
	}
	if limit != "" || len(changes) > 0 {
		t.heading(heading)
	}
	for i := range changes {
		t.block("  - ", "    ", changes[i].With+": "+changes[i].Outcome()+".")
	}
	switch {
	case more == 1:
		t.block("  - ", "    ", "One more outcome is possible.")
	case more > 1:
		t.block("  - ", "    ", fmt.Sprintf("%d more outcomes are possible.", more))
	}
	if limit != "" {
		t.block("  ", "  ", limit)
	}
}

// entry writes an id with its text.
func (t *textWriter) entry(id, text string) {
	t.block("  "+pad(id, textIndent-3)+" ", strings.Repeat(" ", textIndent), text)
}
