package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol/council"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Explain says why a point is where it is, and what would change it; false where
// nothing ruled on it.
func (d Details) Explain(id string) (resolver.Explanation, bool) {
	r := d.ruling(id)
	if r == nil {
		return resolver.Explanation{}, false
	}
	return resolver.Explain(*d.State, *r), true
}

// because says only why a point is where it is.
func (d Details) because(id string) (resolver.Explanation, bool) {
	r := d.ruling(id)
	if r == nil {
		return resolver.Explanation{}, false
	}
	return d.Told.because(r), true
}

// ruling is that on a point, nil where nothing ruled on it.
func (d Details) ruling(id string) *state.Ruling {
	i := slices.IndexFunc(d.Rulings, func(r state.Ruling) bool { return r.Point == id })
	if i < 0 {
		return nil
	}
	return &d.Rulings[i]
}

// ReceiptBlocks is the receipt of a point in words. Keys name what the person
// can do, in a sentence.
func (d Details) ReceiptBlocks(l *theme.Look, id, keys string) []Block {
	e, found := d.Explain(id)
	if !found {
		return []Block{{Body: l.Faint.Span("Nothing has ruled on " + id + " yet.")}}
	}
	list := []Block{{Lead: l.Bold.Span(e.Point + "  "), Body: l.Text.Span(e.Text)}, {}, d.whereBlock(l, &e)}
	list = append(list, becauseBlocks(l, &e)...)
	list = append(list, councilBlocks(l, &e)...)
	list = append(list, nearlyBlocks(l, &e)...)
	if p := d.State.Point(id); p != nil {
		list = append(list, d.Told.receipts(l, p)...)
	}
	return append(list, changeBlocks(l, &e, keys)...)
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

// nearlyBlocks are the rules that came close, by where they would have put the
// point.
func nearlyBlocks(l *theme.Look, e *resolver.Explanation) []Block {
	if len(e.Before) == 0 {
		return nil
	}
	list := []Block{{Section: "It came close to"}}
	var outcomes outcomes
	for i := range e.Before {
		near := &e.Before[i]
		_, _, name := l.Bucket(ruleLeads(near.Rule))
		outcomes.Add(ruleLeads(near.Rule), name, near.Words, near.Rule, l.Text)
	}
	return append(list, outcomes.blocks(l)...)
}

// ruleLeads is the bucket that a rule leads to.
func ruleLeads(rule string) state.Bucket {
	switch rule {
	case "AC2", "AC5", "AC6", "AC7", "AC8", "AC10", "R2":
		return state.BucketDismissed
	case "AC3":
		return state.BucketNotEvaluated
	case "AC15", "AC16", "R1", "G3", "G4":
		return state.BucketAgreed
	}
	return state.BucketUnresolved
}

// changeBlocks are what would move the point: what others do, then what the
// person can do.
func changeBlocks(l *theme.Look, e *resolver.Explanation, keys string) []Block {
	var others, yours outcomes
	title := "What would have changed it"
	for i := range e.Changes {
		c := &e.Changes[i]
		past := c.Ways[0].Past
		if keys != "" && saidByKeys(c) {
			// The keys say it in fewer words.
			continue
		}
		list := &others
		if c.Who == resolver.MovedByUser && !past {
			list = &yours
		}
		if !past {
			title = "What would change it"
		}
		text := c.With + "."
		if c.Proposal != "" {
			text = c.With + "; " + c.Proposal + "."
		}
		list.Add(c.Then.Bucket, view.Ruling(&c.Then), text, c.Then.Rule, when(past, l.Faint, l.Text))
	}
	list := others.blocks(l)
	if e.More > 0 {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(fmt.Sprintf("and %d more", e.More))})
	}
	if e.Limit != "" {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(e.Limit)})
	}
	if len(list) > 0 {
		list = append([]Block{{Section: title}}, list...)
	}
	if keys == "" && len(yours) == 0 {
		return list
	}
	list = append(list, Block{Section: "What you can do"})
	list = append(list, yours.blocks(l)...)
	if keys != "" {
		list = append(list, Block{Indent: 2, Body: l.User.Span(keys)})
	}
	return list
}

// saidByKeys reports whether a change is the user's ruling on the point, and
// nothing comes of it beyond that.
func saidByKeys(c *resolver.Change) bool {
	ruled := c.Then.Rule == "AC1" || c.Then.Rule == "R0" && c.Then.Tag == state.TagUser
	return ruled && c.Proposal == "" && !c.Ways[0].Past
}

// outcomes are places in which a point would be, each with its condition, drawn
// in two columns.
type outcomes []outcome

type outcome struct {
	bucket            state.Bucket
	words, text, rule string
	style             theme.Style
}

func (o *outcomes) Add(b state.Bucket, words, text, rule string, st theme.Style) {
	*o = append(*o, outcome{b, words, text, rule, st})
}

func (o outcomes) blocks(l *theme.Look) []Block {
	widest := 0
	for i := range o {
		widest = max(widest, len(o[i].words))
	}
	list := make([]Block, len(o))
	for i := range o {
		glyph, st, _ := l.Bucket(o[i].bucket)
		lead := glyph + " " + fmt.Sprintf("%-*s  ", widest, o[i].words)
		list[i] = Block{
			Indent: 2, Lead: st.Span(lead), Body: o[i].style.Span(o[i].text), Right: l.Faint.Span(o[i].rule),
			Hang: 2 + l.Width(lead), column: true,
		}
	}
	return list
}

// councilBlocks are how a claim of a council stands against CV1 to CV4, and how sure the
// seats are of it. It is empty in other formats.
func councilBlocks(l *theme.Look, e *resolver.Explanation) []Block {
	c, ok := e.Details.(*council.CouncilExplanation)
	if !ok {
		return nil
	}
	list := []Block{{Section: "Validation"}}
	for i := range c.Validation.Rules {
		r := &c.Validation.Rules[i]
		glyph, st, _ := l.Bucket(state.BucketAgreed)
		if !r.Passed {
			glyph, st, _ = l.Bucket(state.BucketUnresolved)
		}
		list = append(list, Block{Indent: 2, Lead: st.Span(glyph + " " + r.Rule + "  "), Body: l.Text.Span(r.Says), Hang: 9})
		for _, required := range r.Requires {
			list = append(list, Block{Indent: 9, Lead: l.Bold.Span("needs  "), Body: l.Text.Span(required)})
		}
	}
	list = append(list, Block{Section: "Confidence"})
	widest := 0
	for i := range c.Confidences {
		widest = max(widest, l.Width(string(c.Confidences[i].Seat)))
	}
	for i := range c.Confidences {
		one := &c.Confidences[i]
		lead := fmt.Sprintf("%-*s  ", widest, one.Seat)
		list = append(list, Block{
			Indent: 2, Lead: l.Bold.Span(lead), Body: l.Text.Span(sureWords(one.Score)),
			Right: l.Faint.Span(fmt.Sprintf("weight %v", one.Weight)), Hang: 2 + l.Width(lead), column: true,
		})
	}
	if c.Aggregate != "" {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(c.Aggregate)}, Block{Indent: 2, Body: l.Faint.Span("Validation confidence: " + c.Confidence)})
	}
	return list
}

// sureWords is what a seat reports of a claim: what counts, what it said where that
// is another figure, and why.
func sureWords(score *state.Score) string {
	if score == nil {
		return "reported nothing"
	}
	words := fmt.Sprintf("%.2f", score.Admitted)
	if score.Stated != score.Admitted {
		words += fmt.Sprintf(" (it said %.2f, with no cause to move)", score.Stated)
	}
	if score.Cause != "" {
		words += "  " + score.Cause
	}
	return words
}
