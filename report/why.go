package report

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
)

// Why renders for a terminal or a file why a point is where it is: the rule,
// what it read, and what would change it. Lines are broken at width columns; 0
// leaves them as long as they are. Whatever moot did not write is escaped.
func Why(e *resolver.Explanation, width int) string {
	t := &textWriter{width: width}
	if width > 0 {
		t.width = max(width, minWidth)
	}
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
	if len(e.Reads) > 0 {
		t.heading("THE RULE READ")
	}
	for _, r := range e.Reads {
		t.entry(r.ID, r.What)
	}
	if len(e.Before) > 0 {
		t.heading("RULES THAT CAME CLOSE")
	}
	for _, miss := range e.Before {
		t.entry(miss.Rule, miss.Words)
	}
	t.changes(e)
	return t.String()
}

// changes are what would move the point, and what bounds that.
func (t *textWriter) changes(e *resolver.Explanation) {
	heading := "WHAT WOULD CHANGE IT"
	if len(e.Changes) > 0 && !slices.ContainsFunc(e.Changes, func(c resolver.Change) bool { return !c.Ways[0].Past }) {
		heading = "WHAT WOULD HAVE CHANGED IT"
	}
	if e.Limit != "" || len(e.Changes) > 0 {
		t.heading(heading)
	}
	for _, c := range e.Changes {
		t.block("  - ", "    ", c.If+": "+c.Words+".")
	}
	switch {
	case e.More == 1:
		t.block("  - ", "    ", "One more outcome is possible.")
	case e.More > 1:
		t.block("  - ", "    ", fmt.Sprintf("%d more outcomes are possible.", e.More))
	}
	if e.Limit != "" {
		t.block("  ", "  ", e.Limit)
	}
}

func (t *textWriter) heading(words string) { t.WriteString("\n" + words + "\n") }

// entry is an id with what is to be said of it.
func (t *textWriter) entry(id, text string) {
	t.block("  "+pad(id, textIndent-3)+" ", strings.Repeat(" ", textIndent), text)
}
