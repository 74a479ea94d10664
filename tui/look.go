package tui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/state"
)

// style is a pair of escape sequences around a text, computed once: rendering
// through lipgloss for each word would cost most of a frame's time.
type style struct{ on, off string }

// paint puts the style around the text.
func (s style) paint(text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return s.on + text + s.off
}

// styleOf takes the sequences out of a lipgloss style.
func styleOf(s lipgloss.Style) style {
	on, off, _ := strings.Cut(s.Render("x"), "x")
	return style{on: on, off: off}
}

// look is how things are drawn: colors, signs and the way to measure. Every
// color has a meaning, and stands beside a sign or a word that says the same.
type look struct {
	method ansi.Method
	ascii  bool
	still  bool
	glyphs glyphs

	text, faint, bold style
	// accent marks the focus, border the frame.
	accent, border style
	// The buckets.
	agreed, dismissed, unresolved, notEvaluated, open style
	// user marks what the person did, warn what needs attention.
	user, warn style
	// seats are for orchestrator, consultees and the others.
	orchestrator, consultee, seat style
}

// glyphs are the signs, in Unicode or ASCII.
type glyphs struct {
	horizontal, vertical                         string
	topLeft, topRight, bottomLeft, bottomRight   string
	teeDown, teeUp, teeRight, teeLeft, cross     string
	heavy, light, dotFull, dotEmpty              string
	pointer, ellipsis, bullet, arrow, separator  string
	agreed, dismissed, unresolved, notEvaluated  string
	open, user, warn, verified, refused, pending string
	scrollUp, scrollDown                         string
	spinner                                      []string
}

func unicodeGlyphs() glyphs {
	return glyphs{
		horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
		teeDown: "┬", teeUp: "┴", teeRight: "├", teeLeft: "┤", cross: "┼",
		heavy: "━", light: "─", dotFull: "●", dotEmpty: "○",
		pointer: "▸", ellipsis: "…", bullet: "·", arrow: "→", separator: " · ",
		agreed: "✓", dismissed: "✗", unresolved: "?", notEvaluated: "–", open: "○",
		user: "◆", warn: "!", verified: "✓", refused: "✗", pending: "○",
		scrollUp: "↑", scrollDown: "↓",
		spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"},
	}
}

func asciiGlyphs() glyphs {
	return glyphs{
		horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
		teeDown: "+", teeUp: "+", teeRight: "+", teeLeft: "+", cross: "+",
		heavy: "=", light: "-", dotFull: "#", dotEmpty: ".",
		pointer: ">", ellipsis: "~", bullet: "-", arrow: "->", separator: " - ",
		agreed: "+", dismissed: "x", unresolved: "?", notEvaluated: "-", open: "o",
		user: "*", warn: "!", verified: "+", refused: "x", pending: "o",
		scrollUp: "^", scrollDown: "v",
		spinner: []string{"|", "/", "-", "\\"},
	}
}

// palette are the colors of one background.
type palette struct {
	faint, accent, border, green, red, amber, gray, blue, violet, teal, rose string
}

func darkPalette() palette {
	return palette{
		faint: "#8a8f98", accent: "#e6c384", border: "#4b5263", green: "#8fce7e", red: "#f07178", amber: "#e5b567",
		gray: "#9aa0a8", blue: "#7fb4e6", violet: "#c7a0e8", teal: "#6fc7c0", rose: "#e6a0b4",
	}
}

func lightPalette() palette {
	return palette{
		faint: "#6a6f78", accent: "#8a5a00", border: "#b4b8c0", green: "#2f7d1f", red: "#b3261e", amber: "#8a6100",
		gray: "#666b73", blue: "#1f5fa8", violet: "#7a3fb0", teal: "#0f6f69", rose: "#a03a5c",
	}
}

// appearance is what the person, the environment and the terminal ask for.
type appearance struct {
	light, mono, ascii, still bool
	method                    ansi.Method
}

func newLook(a appearance) *look {
	l := &look{method: a.method, ascii: a.ascii, still: a.still, glyphs: unicodeGlyphs()}
	if a.ascii {
		l.glyphs = asciiGlyphs()
	}
	p := darkPalette()
	if a.light {
		p = lightPalette()
	}
	plain := lipgloss.NewStyle()
	tint := func(s lipgloss.Style, hex string) style {
		if a.mono {
			return styleOf(s)
		}
		return styleOf(s.Foreground(lipgloss.Color(hex)))
	}
	l.bold = styleOf(plain.Bold(true))
	l.faint = tint(plain, p.faint)
	if a.mono {
		l.faint = styleOf(plain.Faint(true))
	}
	l.accent, l.border = tint(plain.Bold(true), p.accent), tint(plain, p.border)
	l.agreed, l.dismissed = tint(plain, p.green), tint(plain, p.red)
	l.unresolved, l.notEvaluated, l.open = tint(plain, p.amber), tint(plain, p.gray), tint(plain, p.blue)
	l.user, l.warn = tint(plain.Bold(true), p.violet), tint(plain.Bold(true), p.amber)
	l.orchestrator, l.consultee, l.seat = tint(plain.Bold(true), p.teal), tint(plain.Bold(true), p.blue), tint(plain.Bold(true), p.rose)
	return l
}

// seatStyle is the color of a seat; its name always stands beside it.
func (l *look) seatStyle(s state.Seat) style {
	switch {
	case s == state.User:
		return l.user
	case s == state.Orchestrator:
		return l.orchestrator
	case s.IsConsultee():
		return l.consultee
	}
	return l.seat
}

// bucket is the sign, the style and the name of a bucket.
func (l *look) bucket(b state.Bucket) (glyph string, st style, name string) {
	switch b {
	case state.BucketAgreed:
		return l.glyphs.agreed, l.agreed, "Agreed"
	case state.BucketDismissed:
		return l.glyphs.dismissed, l.dismissed, "Dismissed"
	case state.BucketUnresolved:
		return l.glyphs.unresolved, l.unresolved, "Unresolved"
	case state.BucketNotEvaluated:
		return l.glyphs.notEvaluated, l.notEvaluated, "Not evaluated"
	case state.BucketOpen:
		return l.glyphs.open, l.open, "Open"
	}
	return l.glyphs.bullet, l.text, string(b)
}
