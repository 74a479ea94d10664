package pane

import (
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// tone is what an entry means; it decides sign and style.
type tone view.Role

const (
	tonePlain   = tone(view.RolePlain)
	toneRound   = tone(view.RoleRound)
	toneHead    = tone(view.RoleReply)
	tonePoint   = tone(view.RolePoint)
	toneGood    = tone(view.RoleGood)
	toneBad     = tone(view.RoleBad)
	toneDoubt   = tone(view.RoleDoubt)
	toneOpen    = tone(view.RoleOpen)
	toneQuiet   = tone(view.RoleQuiet)
	toneUser    = tone(view.RoleUser)
	toneWarn    = tone(view.RoleWarn)
	tonePending = tone(view.RolePending)
)

// entry is one item of the transcript: what an event says in a line or two.
type entry struct {
	// seq is the event that it tells.
	seq  int
	tone tone
	// seat colors the lead of a head.
	seat state.Seat
	// Lead is the short word in front: "P3", "Re C1"; text what follows; right
	// what stands at the right end.
	Lead, Text, Right string
	// reference is a place that right ends with; it is shortened from its front.
	reference string

	// What was drawn last, and for which width and look.
	drawn      []string
	drawnWidth int
	drawnLook  *theme.Look
}

// about is the first id that the entry names: "P3", "C1", "E7", or "".
func (e *entry) about() string {
	for word := range strings.FieldsSeq(e.Lead + " " + e.Text) {
		word = strings.TrimRight(word, ".,:;")
		if len(word) > 1 && strings.ContainsRune("PCEFK", rune(word[0])) && strings.Trim(word[1:], "0123456789") == "" {
			return word
		}
	}
	return ""
}

// plainText is what the entry says in a line.
func (e *entry) plainText() string {
	return plain.Line(strings.TrimSpace(e.Lead + "  " + e.Text + "  " + e.Right + e.reference))
}

// holds reports whether a part of the entry holds a query in small letters.
func (e *entry) holds(query string) bool {
	return holds(e.Text, query) || holds(e.Lead, query) || holds(e.Right, query) || holds(e.reference, query)
}

// set changes an entry that is on the transcript already.
func (e *entry) set(t tone, text, right string) {
	e.tone, e.Text, e.Right, e.drawn = t, text, right, nil
}

// Rows draws the entry, or returns what was drawn before.
func (e *entry) Rows(l *theme.Look, width int) []string {
	if e.drawn == nil || e.drawnWidth != width || e.drawnLook != l {
		e.drawn, e.drawnWidth, e.drawnLook = e.draw(l, width), width, l
	}
	return e.drawn
}

func (e *entry) draw(l *theme.Look, width int) []string {
	switch e.tone {
	case toneRound:
		return []string{theme.Blank(width), l.Rule(width, e.Text)}
	case toneHead:
		right := []theme.Span{l.Faint.Span(e.Right + " ")}
		return []string{theme.Blank(width), l.Row(width, []theme.Span{{Text: " "}, l.SeatStyle(e.seat).Span(e.Lead), l.Faint.Span("  " + e.Text)}, right)}
	case tonePlain, tonePoint, toneGood, toneBad, toneDoubt, toneOpen, toneQuiet, toneUser, toneWarn, tonePending:
	}
	glyph, mark, body := e.tone.signs(l)
	lead := []theme.Span{{Text: "  "}, mark.Span(glyph + " ")}
	if e.Lead != "" {
		st := l.Bold
		if e.tone == toneQuiet {
			st = l.Faint
		}
		lead = append(lead, st.Span(e.Lead+"  "))
	}
	var right []theme.Span
	if end := e.Right + l.ShortPath(e.reference, width/3); end != "" {
		right = []theme.Span{l.Faint.Span(end + " ")}
	}
	return l.Paragraph(width, lead, body.Span(e.Text), right, 0)
}

// signs is the sign of the tone, its style, and the style of the text.
func (t tone) signs(l *theme.Look) (glyph string, mark, body theme.Style) {
	g := &l.Glyphs
	switch t {
	case toneGood:
		return g.Verified, l.Agreed, l.Text
	case toneBad:
		return g.Refused, l.Dismissed, l.Text
	case toneDoubt:
		return g.Unresolved, l.Unresolved, l.Text
	case toneOpen:
		return g.Open, l.Open, l.Text
	case toneUser:
		return g.User, l.User, l.Text
	case toneWarn:
		return g.Warn, l.Warn, l.Text
	case tonePending:
		return g.Pending, l.Faint, l.Faint
	case toneQuiet:
		return g.Bullet, l.Faint, l.Faint
	case tonePlain, tonePoint, toneRound, toneHead:
	}
	return " ", l.Text, l.Text
}
