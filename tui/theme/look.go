// Package theme holds what the screens are drawn with: themes from config.toml,
// the look that results from a theme, the user's settings and the terminal
// (styles, glyphs, the width of characters), and rows and paragraphs of styled
// text. Text is escaped when it is drawn.
package theme

import (
	"image/color"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"moot/figure"
	"moot/state"
	"moot/view"
)

// Style is a pair of escape sequences around a text. It is computed once, since
// rendering each word with lipgloss would take most of a frame's time.
type Style struct{ On, off string }

// Paint returns the text in this style.
func (s Style) Paint(text string) string {
	if s.On == "" || text == "" {
		return text
	}
	return s.On + text + s.off
}

// Over adds the style to a text that is already styled. It is resumed after each
// inner style ends.
func (s Style) Over(text string) string {
	if s.On == "" || text == "" {
		return text
	}
	return s.On + strings.ReplaceAll(text, s.off, s.off+s.On) + s.off
}

// styleOf extracts the escape sequences from a lipgloss style.
func styleOf(s lipgloss.Style) Style {
	on, off, _ := strings.Cut(s.Render("x"), "x")
	return Style{On: on, off: off}
}

// Look holds what the screen is drawn with: colors, glyphs and the method of
// measuring text. Every color has a meaning and is accompanied by a glyph or a
// word with the same meaning.
type Look struct {
	figure.Ruler
	NoAnimation bool
	Glyphs      glyphs

	Text, Faint, Bold, Title Style
	// Thought is for an agent's thoughts, which are not part of a reply.
	Thought Style
	// Accent is for the focused pane and the pointer, Selected for the row or box
	// that keys act on.
	Accent, Border, Selected Style
	// MatchStyle is the lipgloss style of search results.
	MatchStyle lipgloss.Style
	// The buckets.
	Agreed, Dismissed, Unresolved, Open Style
	// User marks the user's actions, Warn what needs attention.
	User, Warn Style
	// roles are the styles by the names of their roles.
	roles map[string]Style
	inks  map[string]color.Color
	seats figure.SeatRoles

	// Input styles the text fields.
	Input textinput.Styles
}

// glyphs are the symbols, in Unicode or ASCII.
type glyphs struct {
	Horizontal, Vertical                        string
	TopLeft, TopRight, BottomLeft, BottomRight  string
	teeDown, teeUp, teeRight, teeLeft, cross    string
	Heavy, Light, DotFull, DotEmpty             string
	Pointer, Ellipsis, Bullet, Arrow, Separator string
	Agreed, Unresolved, NotEvaluated            string
	Open, User, Warn, Pending                   string
	ScrollUp, ScrollDown, Folded, Unfolded      string
	Earlier, Later, Passed, Ahead, Mark, Knob   string
	Spinner                                     []string
}

func unicodeGlyphs() glyphs {
	return glyphs{
		Horizontal: "─", Vertical: "│", TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
		teeDown: "┬", teeUp: "┴", teeRight: "├", teeLeft: "┤", cross: "┼",
		Heavy: "━", Light: "─", DotFull: "●", DotEmpty: "○",
		Pointer: "▸", Ellipsis: "…", Bullet: "·", Arrow: "→", Separator: " · ",
		Agreed: "✓", Unresolved: "?", NotEvaluated: "–", Open: "○",
		User: "◆", Warn: "!", Pending: "○",
		ScrollUp: "↑", ScrollDown: "↓", Folded: "+", Unfolded: "-",
		Earlier: "◂", Later: "▸", Passed: "━", Ahead: "┄", Mark: "┿", Knob: "●",
		Spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"},
	}
}

func asciiGlyphs() glyphs {
	return glyphs{
		Horizontal: "-", Vertical: "|", TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		teeDown: "+", teeUp: "+", teeRight: "+", teeLeft: "+", cross: "+",
		Heavy: "=", Light: "-", DotFull: "#", DotEmpty: ".",
		Pointer: ">", Ellipsis: "~", Bullet: "-", Arrow: "->", Separator: " - ",
		Agreed: "+", Unresolved: "?", NotEvaluated: "-", Open: "o",
		User: "*", Warn: "!", Pending: "o",
		ScrollUp: "^", ScrollDown: "v", Folded: "[+]", Unfolded: "[-]",
		Earlier: "<", Later: ">", Passed: "=", Ahead: "-", Mark: "|", Knob: "O",
		Spinner: []string{"|", "/", "-", "\\"},
	}
}

// Appearance holds the settings of the user, the environment and the terminal.
type Appearance struct {
	Light, Mono, ASCII, NoAnimation bool
	// Theme is the user's choice; nil follows the terminal.
	Theme *Theme
	// Themes are the known ones; nil means BuiltIn.
	Themes *Themes
	// Profile is the color profile of the terminal; Unknown means true color.
	Profile colorprofile.Profile
	Method  ansi.Method
}

// New returns the look for an appearance.
func New(a Appearance) *Look {
	l := &Look{
		Ruler: figure.Ruler{Method: a.Method, ASCII: a.ASCII}, NoAnimation: a.NoAnimation,
		Glyphs: unicodeGlyphs(), roles: map[string]Style{}, inks: map[string]color.Color{}, seats: figure.NewSeatRoles(),
	}
	if a.ASCII {
		l.Glyphs = asciiGlyphs()
	}
	l.Bold = swatch{bold: true}.style()
	p := choosePalette(a)
	for role, swatch := range p {
		l.roles[role] = swatch.style()
		l.inks[role] = swatch.lipgloss().GetForeground()
	}
	l.Text, l.Faint, l.Title, l.Accent = l.roles["text"], l.roles["faint"], l.roles["title"], l.roles["accent"]
	l.Border, l.Selected = l.roles["border"], l.roles["selected"]
	l.Agreed, l.Dismissed, l.Unresolved = l.roles["agreed"], l.roles["dismissed"], l.roles["unresolved"]
	l.Open, l.User, l.Warn = l.roles["open"], l.roles["user"], l.roles["warn"]
	l.Thought = styleOf(p["faint"].lipgloss().Italic(true))
	l.MatchStyle = p["match"].lipgloss()
	// The library's defaults are invisible on a light background. The cursor is inverted and doesn't blink.
	faint := p["faint"].lipgloss()
	line := textinput.StyleState{
		Text: p["text"].lipgloss(), Placeholder: faint, Suggestion: faint, Prompt: p["accent"].lipgloss(),
	}
	cursor := textinput.CursorStyle{Color: lipgloss.NoColor{}, Shape: tea.CursorBlock}
	l.Input = textinput.Styles{Focused: line, Blurred: line, Cursor: cursor}
	return l
}

// Role returns the style with a name in themes.
func (l *Look) Role(name string) Style { return l.roles[name] }

// Ink returns the text color of a role, for widgets of libraries. Without colors it draws nothing.
func (l *Look) Ink(name string) color.Color {
	if ink := l.inks[name]; ink != nil {
		return ink
	}
	return lipgloss.NoColor{}
}

// SeatStyle returns the style of a seat's name.
func (l *Look) SeatStyle(s state.Seat) Style { return l.roles[string(l.seats.Of(s))] }

// Bucket returns the glyph, style and name of a bucket.
func (l *Look) Bucket(b state.Bucket) (glyph string, st Style, name string) {
	sign, role, name := figure.BucketLook(b)
	return l.Own(sign), l.roles[string(role)], name
}

// RoleLook returns the glyph and style of a role in a document.
func (l *Look) RoleLook(r view.Role) (glyph string, st Style) {
	sign, role := figure.RoleLook(r)
	return l.Own(sign), l.roles[string(role)]
}
