package pane

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"moot/state"
	"moot/tui/theme"
)

// words are what an event says in a line.
type words struct {
	tone       tone
	lead, text string
}

func (w *words) Plain() string { return strings.TrimSpace(w.lead + "  " + w.text) }

// EventWords say an event in a line: in the transcript's words where it has any.
func EventWords(e *state.Event) words {
	if w, known := talkWords(e.Data); known {
		return w
	}
	if w, known := quietWords(e.Data); known {
		return w
	}
	t := NewTranscript()
	t.Add([]state.Event{*e})
	if len(t.Entries) == 0 {
		return words{toneQuiet, "", e.Data.Kind()}
	}
	first := t.Entries[0]
	w := words{first.tone, first.Lead, first.Text}
	for _, more := range t.Entries[1:] {
		w.text += "; " + more.plainText()
	}
	if w.tone == toneRound || w.tone == toneHead {
		w.tone = tonePlain
	}
	return w
}

// talkWords are those of calls, whose texts the transcript shows apart, and of
// rulings, of which there may be very many.
func talkWords(p state.Payload) (w words, known bool) {
	switch p := p.(type) {
	case *state.SessionOpened:
		return words{toneQuiet, "opened " + p.ID, p.Question}, true
	case *state.PromptSent:
		return words{toneQuiet, "to " + string(p.Seat), fmt.Sprintf("%s, about %s tokens", StageName(p.Stage), FormatCount((len(p.System)+len(p.Text))/4))}, true
	case *state.PromptEdited:
		return words{toneUser, "to " + string(p.Seat), StageName(p.Stage) + ", the prompt was edited"}, true
	case *state.PromptShrunk:
		return words{toneWarn, "to " + string(p.Seat), shrunkWords(p)}, true
	case *state.MapDrawn:
		return words{toneQuiet, "map", p.Shape}, true
	case *state.UsageCounted:
		spent := usage(p)
		return words{toneQuiet, string(p.Seat), strings.Join(append([]string{when(spent == "", "nothing is known of the cost", spent)}, p.Notes...), "; ")}, true
	case *state.WorkspaceChanged:
		return words{toneWarn, string(p.Seat), p.Text}, true
	case *state.ReplyReceived:
		return words{when(p.Valid && p.By == "", tonePlain, toneWarn), "from " + string(p.Seat), replyWords(p)}, true
	case *state.RoundResolved:
		return words{decisionTone(p.Decision), p.Decision, fmt.Sprintf("round %d, receipt %.12s", p.Round, p.Head)}, true
	case *state.Ruled:
		var parts []string
		for i := range min(len(p.Rulings), 12) {
			parts = append(parts, p.Rulings[i].Point+" "+ruled(&p.Rulings[i]))
		}
		return words{tonePlain, fmt.Sprintf("%d ruled", len(p.Rulings)), strings.Join(parts, ", ")}, true
	}
	return words{}, false
}

// shrunkWords say how a prompt was made smaller (LE7).
func shrunkWords(p *state.PromptShrunk) string {
	text := fmt.Sprintf("the prompt of about %s tokens was too long", FormatCount(p.Sent))
	if p.Limit > 0 {
		text += fmt.Sprintf(", %s are taken", FormatCount(p.Limit))
	}
	if p.Cut {
		text += "; a part of it was dropped silently, and the reply to the rest does not count"
	}
	return text + fmt.Sprintf("; asked again with at most %s", FormatCount(p.Budget))
}

// replyWords say of a reply who gave it and what was made of it.
func replyWords(p *state.ReplyReceived) string {
	text := StageName(p.Stage)
	switch {
	case p.By != "":
		text += ", by " + fallback(p)
	case p.Model != "":
		text += ", " + p.Model
	}
	if p.Recovered != "" {
		text += ", recovered: " + p.Recovered
	}
	if !p.Valid {
		text += ", not readable"
	}
	refused := 0
	for _, r := range p.Refused {
		if r.Code != state.DroppedField {
			refused++
		}
	}
	if refused > 0 {
		text += fmt.Sprintf(", %d refused", refused)
	}
	if len(p.Repaired) > 0 {
		text += ", repaired: " + strings.Join(p.Repaired, "; ")
	}
	return text
}

// quietWords are those of events that the transcript passes over, or says
// together with another.
func quietWords(p state.Payload) (w words, known bool) {
	switch p := p.(type) {
	case *state.PointTriaged:
		if p.Scope == state.InScope {
			return words{toneQuiet, p.Point, sentence(string(p.Scope), p.Reason)}, true
		}
	case *state.PointsPaired:
		if !p.Same {
			return words{toneQuiet, p.A + " " + p.B, "not the same subject"}, true
		}
	case *state.RequestSettled:
		if p.Answered {
			return words{when(p.By == state.User, toneUser, toneQuiet), p.Point, sentence(string(p.What)+" given", p.Text)}, true
		}
	case *state.PacketFacts:
		return words{toneQuiet, "packet", fmt.Sprintf("facts, %s bytes", FormatCount(len(p.Facts)))}, true
	case *state.ConfidenceReported:
		if p.Stated == p.Admitted {
			return words{toneQuiet, p.Point, fmt.Sprintf("%s is sure at %.2f", p.Seat, p.Stated)}, true
		}
	case *state.EvidenceVerified:
		return words{toneGood, p.ID, sentence("verified"+when(p.Admitted, "", ", not admitted"), p.Reference) + when(p.Reason == "", "", " ("+p.Reason+")")}, true
	case *state.EvidenceRefused:
		return words{toneBad, p.ID, sentence("refused", p.Reason)}, true
	}
	return words{}, false
}

// EventBlocks are an event whole: its fields as they are on the record, and what
// the ids in them stand for.
func (d Details) EventBlocks(l *theme.Look, e *state.Event, round int) []Block {
	w := EventWords(e)
	glyph, st, _ := w.tone.signs(l)
	list := []Block{
		{Lead: l.Bold.Span(fmt.Sprintf("#%d  ", e.Seq)), Body: l.Bold.Span(e.Data.Kind()), Right: l.User.Span(when(w.tone == toneUser, l.Glyphs.User+" user", ""))},
		{Body: l.Faint.Span(e.At.UTC().Format("2006-01-02 15:04:05.000 UTC") + l.Glyphs.Separator + when(round == 0, "before round 1", fmt.Sprintf("round %d", round)))},
		{Lead: st.Span(strings.TrimLeft(glyph+" ", " ")), Body: l.Text.Span(sentence(w.lead, w.text))},
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
