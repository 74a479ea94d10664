package tui

import (
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// tone says what an entry of the transcript means; it decides sign and style.
type tone int

const (
	tonePlain tone = iota
	// toneRound opens a round, toneHead a reply.
	toneRound
	toneHead
	// tonePoint is a claim.
	tonePoint
	toneGood
	toneBad
	toneDoubt
	toneOpen
	toneQuiet
	toneUser
	toneWarn
	tonePending
)

// entry is one item of the transcript: what an event says in a line or two.
type entry struct {
	// seq is the event that it tells.
	seq  int
	tone tone
	// seat colors the lead of a head.
	seat state.Seat
	// lead is the short word in front: "P3", "Re C1"; text what follows; right
	// what stands at the right end.
	lead, text, right string
	// reference is a place that right ends with; it is shortened from its front.
	reference string

	// What was drawn last, and for which width and look.
	drawn      []string
	drawnWidth int
	drawnLook  *look
}

// about is the first id that the entry names: "P3", "C1", "E7", or "".
func (e *entry) about() string {
	for word := range strings.FieldsSeq(e.lead + " " + e.text) {
		word = strings.TrimRight(word, ".,:;")
		if len(word) > 1 && strings.ContainsRune("PCEFK", rune(word[0])) && strings.Trim(word[1:], "0123456789") == "" {
			return word
		}
	}
	return ""
}

// plainText is what the entry says in a line.
func (e *entry) plainText() string {
	return plain.Line(strings.TrimSpace(e.lead + "  " + e.text + "  " + e.right + e.reference))
}

// holds reports whether a part of the entry holds a query in small letters.
func (e *entry) holds(query string) bool {
	return holds(e.text, query) || holds(e.lead, query) || holds(e.right, query) || holds(e.reference, query)
}

// set changes an entry that is on the transcript already.
func (e *entry) set(t tone, text, right string) {
	e.tone, e.text, e.right, e.drawn = t, text, right, nil
}

// rows draws the entry, or returns what was drawn before.
func (e *entry) rows(l *look, width int) []string {
	if e.drawn == nil || e.drawnWidth != width || e.drawnLook != l {
		e.drawn, e.drawnWidth, e.drawnLook = e.draw(l, width), width, l
	}
	return e.drawn
}

func (e *entry) draw(l *look, width int) []string {
	switch e.tone {
	case toneRound:
		return []string{blank(width), l.rule(width, e.text)}
	case toneHead:
		right := []span{{l.faint, e.right + " "}}
		return []string{blank(width), l.row(width, []span{{text: " "}, {l.seatStyle(e.seat), e.lead}, {l.faint, "  " + e.text}}, right)}
	case tonePlain, tonePoint, toneGood, toneBad, toneDoubt, toneOpen, toneQuiet, toneUser, toneWarn, tonePending:
	}
	glyph, mark, body := e.tone.signs(l)
	lead := []span{{text: "  "}, {mark, glyph + " "}}
	if e.lead != "" {
		st := l.bold
		if e.tone == toneQuiet {
			st = l.faint
		}
		lead = append(lead, span{st, e.lead + "  "})
	}
	var right []span
	if end := e.right + l.reference(e.reference, width/3); end != "" {
		right = []span{{l.faint, end + " "}}
	}
	return l.paragraph(width, lead, span{body, e.text}, right, 0)
}

// signs is the sign of the tone, its style, and the style of the text.
func (t tone) signs(l *look) (glyph string, mark, body style) {
	g := &l.glyphs
	switch t {
	case toneGood:
		return g.verified, l.agreed, l.text
	case toneBad:
		return g.refused, l.dismissed, l.text
	case toneDoubt:
		return g.unresolved, l.unresolved, l.text
	case toneOpen:
		return g.open, l.open, l.text
	case toneUser:
		return g.user, l.user, l.text
	case toneWarn:
		return g.warn, l.warn, l.text
	case tonePending:
		return g.pending, l.faint, l.faint
	case toneQuiet:
		return g.bullet, l.faint, l.faint
	case tonePlain, tonePoint, toneRound, toneHead:
	}
	return " ", l.text, l.text
}
