package pane

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// EventBlocks are an event whole: its fields as they are on the record, and what
// the ids in them stand for.
func (d Details) EventBlocks(l *theme.Look, e *state.Event, round int) []Block {
	w := EventWords(d.State, e)
	glyph, st, _ := w.tone.signs(l)
	list := []Block{
		{Lead: l.Bold.Span(fmt.Sprintf("#%d  ", e.Seq)), Body: l.Bold.Span(e.Data.Kind()), Right: l.User.Span(when(w.tone == toneUser, l.Glyphs.User+" user", ""))},
		{Body: l.Faint.Span(e.At.UTC().Format("2006-01-02 15:04:05.000 UTC") + l.Glyphs.Separator + when(round == 0, "before round 1", fmt.Sprintf("round %d", round)))},
		{Lead: st.Span(strings.TrimLeft(glyph+" ", " ")), Body: l.Text.Span(view.Sentence(w.lead, w.text))},
		{Section: "Fields"},
	}
	text := FieldsOf(e.Data)
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimLeft(line, " ")
		indent := len(line) - len(bare)
		list = append(list, Block{Indent: 2 + indent, Body: l.Text.Span(bare), Hang: 4 + indent})
	}
	return append(list, d.namedBlocks(l, text)...)
}

// MostFieldBytes is how much of the facts of a packet an event shows: their view shows
// all of them.
const MostFieldBytes = 8 << 10

// FieldsOf are the fields of an event as they are stored, a line for each.
func FieldsOf(p state.Payload) string {
	if packet, large := p.(*state.PacketFacts); large && len(packet.Facts) > MostFieldBytes {
		return fmt.Sprintf("%s\nand so on: %s bytes of facts", packet.Facts[:MostFieldBytes], FormatCount(len(packet.Facts)))
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(p); err != nil {
		return "the fields cannot be written: " + err.Error()
	}
	return strings.TrimRight(b.String(), "\n")
}

// mostNamed is how many ids of an event are explained.
const mostNamed = 24

// namedBlocks say what the ids in a text stand for, each once.
func (d Details) namedBlocks(l *theme.Look, text string) []Block {
	var seen []string
	list := []Block{{Section: "It names"}}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a' }) {
		what := d.named(word)
		if what == "" || slices.Contains(seen, word) {
			continue
		}
		if seen = append(seen, word); len(seen) > mostNamed {
			break
		}
		list = append(list, Block{Indent: 2, Lead: l.Bold.Span(word + "  "), Body: l.Text.Span(what)})
	}
	if len(list) == 1 {
		return nil
	}
	return list
}

// named is what an id stands for, in its own words; "" for none.
func (d Details) named(id string) string {
	if p := d.State.Point(id); p != nil {
		return p.Text
	}
	if c := d.State.Challenge(id); c != nil {
		return ChallengeAbout(c) + ": " + c.Objection
	}
	if e := d.State.Item(id); e != nil {
		return string(e.Relation) + " " + e.Point + ": " + e.Reference
	}
	if f := d.State.Fact(id); f != nil {
		return f.Text
	}
	if q := d.State.QuestionByID(id); q != nil {
		return q.Text
	}
	if c := d.State.Conflict(id); c != nil {
		return string(c.Kind) + " of " + c.A + " and " + c.B
	}
	return ""
}
