package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// because says only why a point is where it is.
func (d Details) because(id string) (resolver.Explanation, bool) {
	r := d.ruling(id)
	if r == nil {
		return resolver.Explanation{}, false
	}
	return resolver.Because(*d.State, *r), true
}

// ruling is that on a point, nil where nothing ruled on it.
func (d Details) ruling(id string) *state.Ruling {
	i := slices.IndexFunc(d.Rulings, func(r state.Ruling) bool { return r.Point == id })
	if i < 0 {
		return nil
	}
	return &d.Rulings[i]
}

// ReceiptBlocks explains the ruling on a point. Keys name what the user can do, in a sentence.
func (d Details) ReceiptBlocks(l *theme.Look, id, keys string) []Block {
	r := d.ruling(id)
	if r == nil {
		return []Block{{Body: l.Faint.Span("Nothing has ruled on " + id + " yet.")}}
	}
	why := view.Why(d.State, r)
	list := DocumentBlocks(l, &why)
	if keys != "" {
		list = append(list, Block{Section: "Keys"}, Block{Indent: 2, Body: l.User.Span(keys)})
	}
	return list
}

// whereBlock says where the point stands, and what that stands for.
func (d Details) whereBlock(l *theme.Look, e *resolver.Explanation) Block {
	glyph, st, _ := l.Bucket(e.Ruling.Bucket)
	b := Block{Lead: st.Span(glyph + " " + view.Ruling(&e.Ruling) + "  "), Body: l.Faint.Span(e.Means), Hang: 2}
	if p := d.State.Point(e.Point); p != nil && p.UserRuling != nil {
		b.Right = l.User.Span(l.Glyphs.User + " user")
	}
	return b
}

// becauseBlocks are the rule's sentence and what it read.
func becauseBlocks(l *theme.Look, e *resolver.Explanation) []Block {
	list := []Block{
		{Section: "Because", Right: l.Faint.Span(e.Rule)},
		{Indent: 2, Body: l.Text.Span(e.Sentence)},
	}
	if e.Says != "" {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(e.Says)})
	}
	if e.Ruling.Crux != "" {
		list = append(list, Block{Indent: 2, Lead: l.Bold.Span("crux  "), Body: l.Text.Span(e.Ruling.Crux)})
	}
	if len(e.Reads) == 0 {
		return list
	}
	widest := 0
	for i := range e.Reads {
		widest = max(widest, len(e.Reads[i].ID))
	}
	list = append(list, Block{Section: "It read"})
	for i := range e.Reads {
		id := fmt.Sprintf("%-*s  ", widest, e.Reads[i].ID)
		b := Block{Indent: 2, Lead: l.Bold.Span(id), Body: l.Text.Span(e.Reads[i].What)}
		if strings.HasPrefix(id, "E") {
			b.cites = e.Reads[i].ID
		}
		list = append(list, b)
	}
	return list
}
