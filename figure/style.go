package figure

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Role says what a piece of a picture is, by the name of its style in a theme.
type Role string

// The roles.
const (
	RoleText Role = "text"
	// RoleFaint is for what matters less: refused items.
	RoleFaint Role = "faint"
	RoleBold  Role = "title"
	// RoleBorder is for frames.
	RoleBorder Role = "border"
	// RoleSelected is for the frame and the title of the selected box.
	RoleSelected Role = "accent"
	// The buckets.
	RoleAgreed       Role = "agreed"
	RoleDismissed    Role = "dismissed"
	RoleUnresolved   Role = "unresolved"
	RoleNotEvaluated Role = "not-evaluated"
	RoleOpen         Role = "open"
	// RoleAttack and RoleSupport are for lines and their words.
	RoleAttack  Role = "attack"
	RoleSupport Role = "support"
	// RoleWarn is for what needs attention.
	RoleWarn Role = "warn"
	// The seats.
	RoleUser         Role = "user"
	RoleOrchestrator Role = "orchestrator"
	RoleConsultee    Role = "consultee"
	RoleSeat         Role = "seat"
)

// Run is a text in one role, without control characters.
type Run struct {
	Text string
	Role Role
}

// Row is one line of a picture.
type Row []Run

// SeatRoles are the roles of the names of seats.
type SeatRoles map[state.Seat]Role

// NewSeatRoles asks each format which of its seats judges, and which ones answer.
func NewSeatRoles() SeatRoles {
	roles := SeatRoles{}
	for _, format := range formats.All() {
		settings := format.Settings()
		answers, judges := settings.Required()
		roles[judges], roles[answers] = RoleOrchestrator, RoleConsultee
		for _, name := range settings.Seats() {
			if seat := state.Seat(name); seat.Is(settings.Repeated) {
				roles[seat] = RoleConsultee
			}
		}
	}
	roles[state.User], roles[state.Orchestrator] = RoleUser, RoleOrchestrator
	return roles
}

// Of returns the role of a seat's name.
func (r SeatRoles) Of(seat state.Seat) Role { return cmp.Or(r[seat], RoleSeat) }

// BucketLook returns the sign, the role and the name of a bucket: "Not evaluated".
func BucketLook(b state.Bucket) (sign string, role Role, name string) {
	name = resolver.Capital(view.BucketName(b))
	if b == state.BucketNotEvaluated {
		return "–", RoleNotEvaluated, name
	}
	sign, role = RoleLook(view.BucketRole(b))
	return sign, role, name
}

// RoleLook returns the sign and the role of a role in a document.
func RoleLook(r view.Role) (sign string, role Role) {
	switch r { //nolint:exhaustive // the others have no look of their own
	case view.RoleGood:
		return "✓", RoleAgreed
	case view.RoleBad:
		return "✗", RoleDismissed
	case view.RoleDoubt:
		return "?", RoleUnresolved
	case view.RoleWarn:
		return "!", RoleWarn
	case view.RoleOpen:
		return "○", RoleOpen
	case view.RolePending:
		return "○", RoleFaint
	case view.RoleUser:
		return "◆", RoleUser
	}
	return "–", RoleFaint
}

// maxBytes limits the part of a text that is looked at; no box shows more.
const maxBytes = 4096

// safe escapes foreign text for display and limits its length.
func safe(s string) string {
	if len(s) <= maxBytes {
		return plain.Line(s)
	}
	at := maxBytes
	for at > maxBytes-utf8.UTFMax && !utf8.RuneStart(s[at]) {
		at--
	}
	return plain.Line(s[:at]) + " …"
}

// Ruler measures and cuts texts, and knows which signs the terminal can show.
type Ruler struct {
	Method ansi.Method
	ASCII  bool
}

// Own translates signs of the picture itself to ASCII if needed. It must not be used
// on foreign text.
func (r Ruler) Own(s string) string {
	if !r.ASCII || isASCII(s) {
		return s
	}
	signs := []rune("─–·│═╌…┈╭╮╯╰╱╲✓◆✗╳▸◄◁○├┌┐┘└")
	return strings.Map(func(c rune) rune {
		if at := slices.Index(signs, c); at >= 0 {
			return rune(`---|=~~:..''/\+*xx><<o+++++`[at])
		}
		return c
	}, s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Width measures a text that is safe to show.
func (r Ruler) Width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return r.Method.StringWidth(s)
}

// Clip shortens a text to the width and ends a cut one with an ellipsis.
func (r Ruler) Clip(s string, width int) string {
	if r.Width(s) <= width {
		return s
	}
	for w := width; w > 0; w-- {
		// Truncate measures a skin tone by itself differently.
		if cut := r.Method.Truncate(s, w, r.Own("…")); r.Width(cut) <= width {
			return cut
		}
	}
	return ""
}

// Exact drops the last characters while the text is too wide, which Truncate and Wrap leave if characters change their
// width next to others.
func (r Ruler) Exact(s string, width int) string {
	if r.Width(s) <= width {
		return s
	}
	kept := 0
	for kept < len(s) {
		character, _ := ansi.FirstGraphemeCluster(s[kept:], r.Method)
		if r.Width(s[:kept+len(character)]) > width {
			break
		}
		kept += max(len(character), 1)
	}
	return s[:kept]
}

// clipRow shortens a row to the width.
func (r Ruler) clipRow(row Row, width int) Row {
	var kept Row
	for _, run := range row {
		if width <= 0 {
			break
		}
		run.Text = r.Clip(run.Text, width)
		width -= r.Width(run.Text)
		kept = append(kept, run)
	}
	return kept
}

// wrap breaks a safe text into at most so many lines of the width. The last line is clipped if the text is longer.
func (r Ruler) wrap(s string, width, most int) []string {
	if width < 1 || most < 1 || s == "" {
		return nil
	}
	lines := strings.Split(r.Method.Wrap(strings.Join(strings.Fields(s), " "), width, ""), "\n")
	if len(lines) > most {
		lines[most-1] = r.Clip(lines[most-1]+" "+strings.Join(lines[most:], " "), width)
		lines = lines[:most]
	}
	for i := range lines {
		lines[i] = r.Exact(lines[i], width)
	}
	return lines
}
