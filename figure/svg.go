package figure

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SVGStyle says how an SVG document looks.
type SVGStyle struct {
	// Dark draws light on dark.
	Dark bool
}

// A cell of the grid in the units of an SVG document, and the size and the
// distance of its lines of text. The widest of the usual monospace fonts fit.
const (
	cellWidth, cellHeight = 8.0, 22.0
	fontSize              = 13
	leading               = 17.0
	// margin is around the whole picture.
	margin = 24.0
)

// colors are those of one background.
type colors struct {
	back, panel, text, faint, border, selected        string
	agreed, dismissed, unresolved, notEvaluated, open string
	attack, support, warn                             string
	user, orchestrator, consultee, seat               string
}

func (s SVGStyle) colors() colors {
	if s.Dark {
		return colors{
			back: "#16181d", panel: "#1e2128", text: "#e4e6ea", faint: "#9aa0a8", border: "#6b7385", selected: "#e6c384",
			agreed: "#8fce7e", dismissed: "#f07178", unresolved: "#e5b567", notEvaluated: "#9aa0a8", open: "#7fb4e6",
			attack: "#f07178", support: "#8fce7e", warn: "#e5b567",
			user: "#c7a0e8", orchestrator: "#6fc7c0", consultee: "#7fb4e6", seat: "#e6a0b4",
		}
	}
	return colors{
		back: "#ffffff", panel: "#fafafa", text: "#1d2026", faint: "#666b73", border: "#9aa0ab", selected: "#8a5a00",
		agreed: "#2f7d1f", dismissed: "#b3261e", unresolved: "#8a6100", notEvaluated: "#666b73", open: "#1f5fa8",
		attack: "#b3261e", support: "#2f7d1f", warn: "#8a6100",
		user: "#7a3fb0", orchestrator: "#0f6f69", consultee: "#1f5fa8", seat: "#a03a5c",
	}
}

// of returns the color of a role.
func (c colors) of(r Role) string {
	switch r {
	case RoleText, RoleBold:
		return c.text
	case RoleFaint:
		return c.faint
	case RoleBorder:
		return c.border
	case RoleSelected:
		return c.selected
	case RoleAgreed:
		return c.agreed
	case RoleDismissed:
		return c.dismissed
	case RoleUnresolved:
		return c.unresolved
	case RoleNotEvaluated:
		return c.notEvaluated
	case RoleOpen:
		return c.open
	case RoleAttack:
		return c.attack
	case RoleSupport:
		return c.support
	case RoleWarn:
		return c.warn
	case RoleUser:
		return c.user
	case RoleOrchestrator:
		return c.orchestrator
	case RoleConsultee:
		return c.consultee
	case RoleSeat:
		return c.seat
	}
	return c.text
}

// document is an SVG document under construction.
type document struct {
	strings.Builder
	colors colors
}

// newDocument opens a document with a title and a description for those who
// cannot see it. The prefix keeps its ids apart from those of other pictures on
// the same page.
func newDocument(style SVGStyle, prefix, title, description string, width, height float64) *document {
	d := &document{colors: style.colors()}
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="%s-title %s-desc" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace" font-size="%d">`,
		number(width), number(height), number(width), number(height), prefix, prefix, fontSize)
	d.add(`<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`, prefix, escaped(title), prefix, escaped(description))
	d.add(`<rect width="100%%" height="100%%" fill="%s"/>`, d.colors.back)
	return d
}

// close ends the document and returns it.
func (d *document) close() string {
	d.WriteString("</svg>\n")
	return d.String()
}

// add writes a line of markup; texts among the values are escaped already.
func (d *document) add(format string, values ...any) {
	fmt.Fprintf(&d.Builder, format, values...)
	d.WriteByte('\n')
}

// label writes runs from x on, with the base line at y. The anchor is start,
// middle or end.
func (d *document) label(x, y float64, anchor string, runs ...Run) {
	fmt.Fprintf(&d.Builder, `<text x="%s" y="%s" xml:space="preserve"%s>`, number(x), number(y), when(anchor == "start", "", ` text-anchor="`+anchor+`"`))
	for _, r := range runs {
		weight := when(r.Role == RoleBold, ` font-weight="700"`, "")
		if r.Text != "" {
			fmt.Fprintf(&d.Builder, `<tspan fill="%s"%s>%s</tspan>`, d.colors.of(r.Role), weight, escaped(r.Text))
		}
	}
	d.WriteString("</text>\n")
}

// number writes a length without needless digits.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// escaped makes a text safe inside an XML document.
func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) //nolint:errcheck // text that is built in memory cannot fail
	return b.String()
}

// place is a position in an SVG document.
type place struct{ x, y float64 }

// round draws a line through places with soft corners.
func round(places []place) string {
	const radius = 7
	var b strings.Builder
	fmt.Fprintf(&b, "M%s %s", number(places[0].x), number(places[0].y))
	for i := 1; i < len(places); i++ {
		at := places[i]
		if i == len(places)-1 {
			fmt.Fprintf(&b, " L%s %s", number(at.x), number(at.y))
			break
		}
		in, out := toward(at, places[i-1], radius), toward(at, places[i+1], radius)
		fmt.Fprintf(&b, " L%s %s Q%s %s %s %s", number(in.x), number(in.y), number(at.x), number(at.y), number(out.x), number(out.y))
	}
	return b.String()
}

// toward is the place some way from one place to another, half the way at most.
func toward(from, to place, way float64) place {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return from
	}
	share := min(way, length/2) / length
	return place{from.x + (to.x-from.x)*share, from.y + (to.y-from.y)*share}
}
