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

// style is a pair of escape sequences around a text. It is computed once, since
// rendering each word with lipgloss would take most of a frame's time.
type style struct{ on, off string }

// paint returns the text in this style.
func (s style) paint(text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return s.on + text + s.off
}

// over adds the style to a text that is already styled. It is resumed after each
// inner style ends.
func (s style) over(text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return s.on + strings.ReplaceAll(text, s.off, s.off+s.on) + s.off
}

// styleOf extracts the escape sequences from a lipgloss style.
func styleOf(s lipgloss.Style) style {
	on, off, _ := strings.Cut(s.Render("x"), "x")
	return style{on: on, off: off}
}

// look holds what the screen is drawn with: colors, glyphs and the method of
// measuring text. Every color has a meaning and is accompanied by a glyph or a
// word with the same meaning.
type look struct {
	method ansi.Method
	ascii  bool
	still  bool
	glyphs glyphs

	text, faint, bold, title style
	// aside is for thoughts, which are not part of a reply.
	aside style
	// accent is for the focused pane and pointer, selected for the row or box
	// that keys act on, match for search results.
	accent, border, selected, match style
	// found is match as a lipgloss style.
	found lipgloss.Style
	// The buckets.
	agreed, dismissed, unresolved, notEvaluated, open style
	// attack and support are for edges between points.
	attack, support style
	// user marks the user's actions, warn what needs attention.
	user, warn style
	// The seats; seat is for all others.
	orchestrator, consultee, seat style

	// input and area style the text fields.
	input textinput.Styles
	area  textarea.Styles
}

// glyphs are the symbols, in Unicode or ASCII.
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

// appearance holds the settings of the user, the environment and the terminal.
type appearance struct {
	light, mono, ascii, still bool
	// theme is the user's choice; nil follows the terminal.
	theme *Theme
	// themes are the known ones; nil means BuiltIn.
	themes *Themes
	// profile is the color profile of the terminal; Unknown means true color.
	profile colorprofile.Profile
	method  ansi.Method
}

// newLook returns the look for an appearance.
func newLook(a appearance) *look {
	l := &look{method: a.method, ascii: a.ascii, still: a.still, glyphs: unicodeGlyphs()}
	if a.ascii {
		l.glyphs = asciiGlyphs()
	}
	l.bold = swatch{bold: true}.style()
	p := choosePalette(a)
	for r := range roleCount {
		*l.ofRole(r) = p[r].style()
	}
	l.aside = styleOf(p[roleFaint].lipgloss().Italic(true))
	l.found = p[roleMatch].lipgloss()
	l.styleInputs(p[roleText].lipgloss(), p[roleFaint].lipgloss(), p[roleAccent].lipgloss())
	return l
}

// styleInputs gives text fields the theme's colors, since the library's defaults
// are invisible on a light background. The cursor is inverted and doesn't blink.
func (l *look) styleInputs(text, faint, accent lipgloss.Style) {
	line := textinput.StyleState{Text: text, Placeholder: faint, Suggestion: faint, Prompt: accent}
	lineCursor := textinput.CursorStyle{Color: lipgloss.NoColor{}, Shape: tea.CursorBlock}
	l.input = textinput.Styles{Focused: line, Blurred: line, Cursor: lineCursor}
	area := textarea.StyleState{Text: text, CursorLine: text, Placeholder: faint, EndOfBuffer: faint, Prompt: accent}
	areaCursor := textarea.CursorStyle{Color: lipgloss.NoColor{}, Shape: tea.CursorBlock}
	l.area = textarea.Styles{Focused: area, Blurred: area, Cursor: areaCursor}
}

// ofRole returns the field for the style of a role.
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

// seatStyle returns the style of a seat's name.
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

// bucket returns the glyph, style and name of a bucket.
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
