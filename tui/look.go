package tui

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
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

// over puts the style behind a text that holds other styles: where one of them
// ends this one goes on.
func (s style) over(text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return s.on + strings.ReplaceAll(text, s.off, s.off+s.on) + s.off
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

	text, faint, bold, title style
	// aside is what is no part of what is said: a thought.
	aside style
	// accent marks the focus, border the frame, selected the row or box that
	// keys act on, match what a search found.
	accent, border, selected, match style
	// found is match for what was drawn already.
	found lipgloss.Style
	// The buckets.
	agreed, dismissed, unresolved, notEvaluated, open style
	// attack and support are the edges between points.
	attack, support style
	// user marks what the person did, warn what needs attention.
	user, warn style
	// seats are for orchestrator, consultees and the others.
	orchestrator, consultee, seat style

	// input and area are for what is typed into.
	input textinput.Styles
	area  textarea.Styles
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
	earlier, later, passed, ahead, mark, knob    string
	voted, silent, alike, apart                  string
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
		earlier: "◂", later: "▸", passed: "━", ahead: "┄", mark: "┿", knob: "●",
		voted: "◐", silent: "·", alike: "=", apart: "≠",
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
		earlier: "<", later: ">", passed: "=", ahead: "-", mark: "|", knob: "O",
		voted: "+", silent: ".", alike: "=", apart: "~",
		spinner: []string{"|", "/", "-", "\\"},
	}
}

// appearance is what the person, the environment and the terminal ask for.
type appearance struct {
	light, mono, ascii, still bool
	// theme is what the person chose; nil leaves it to the terminal.
	theme *Theme
	// themes hold moot's own among others; nil is BuiltInThemes.
	themes *Themes
	// profile is how many colors the terminal has; unknown is all.
	profile colorprofile.Profile
	method  ansi.Method
}

func newLook(a appearance) *look {
	l := &look{method: a.method, ascii: a.ascii, still: a.still, glyphs: unicodeGlyphs()}
	if a.ascii {
		l.glyphs = asciiGlyphs()
	}
	l.bold = swatch{bold: true}.style()
	p := chooseTheme(a)
	for r := range roleCount {
		*l.ofRole(r) = p[r].style()
	}
	l.aside = styleOf(p[roleFaint].made().Italic(true))
	l.found = p[roleMatch].made()
	l.styleTyping(p[roleText].made(), p[roleFaint].made(), p[roleAccent].made())
	return l
}

// styleTyping draws what is typed into in the theme's colors: the library's own
// cannot be seen on a light background. The cursor is drawn in reverse, and does
// not blink.
func (l *look) styleTyping(text, faint, accent lipgloss.Style) {
	line := textinput.StyleState{Text: text, Placeholder: faint, Suggestion: faint, Prompt: accent}
	l.input = textinput.Styles{Focused: line, Blurred: line, Cursor: textinput.CursorStyle{Color: lipgloss.NoColor{}, Shape: tea.CursorBlock}}
	area := textarea.StyleState{Text: text, CursorLine: text, Placeholder: faint, EndOfBuffer: faint, Prompt: accent}
	l.area = textarea.Styles{Focused: area, Blurred: area, Cursor: textarea.CursorStyle{Color: lipgloss.NoColor{}, Shape: tea.CursorBlock}}
}

// ofRole is where the style of a role is kept.
func (l *look) ofRole(r role) *style {
	return [roleCount]*style{
		roleText: &l.text, roleFaint: &l.faint, roleTitle: &l.title, roleAccent: &l.accent, roleBorder: &l.border,
		roleSelected: &l.selected, roleMatch: &l.match,
		roleAgreed: &l.agreed, roleDismissed: &l.dismissed, roleUnresolved: &l.unresolved,
		roleNotEvaluated: &l.notEvaluated, roleOpen: &l.open,
		roleAttack: &l.attack, roleSupport: &l.support,
		roleUser: &l.user, roleWarn: &l.warn,
		roleOrchestrator: &l.orchestrator, roleConsultee: &l.consultee, roleSeat: &l.seat,
	}[r]
}

// seatStyle is the color of a seat; its name always stands beside it.
func (l *look) seatStyle(s state.Seat) style {
	switch {
	case s == state.User:
		return l.user
	case s == state.Orchestrator, s == state.Architect:
		return l.orchestrator
	case s.IsConsultee(), s == state.Skeptic:
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
