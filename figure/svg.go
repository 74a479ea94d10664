package figure

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
)

// SVGStyle says how an SVG document looks.
type SVGStyle struct {
	// Dark draws light on dark.
	Dark bool
}

// A cell of the grid in the units of an SVG document. The widest of the usual
// monospace fonts fit. leading is the distance of the lines in a box, margin the space
// around the whole picture.
const (
	cellWidth, cellHeight = 8.0, 20.0
	fontSize, leading     = 13, 18.0
	margin                = 24.0
)

// palette holds the colors of one background; back is the background itself, panel
// that of a box.
type palette struct {
	back, panel string
	roles       [RoleSeat + 1]string
}

func (s SVGStyle) palette() palette {
	if s.Dark {
		return palette{"#16181d", "#1e2128", [...]string{
			RoleText: "#e4e6ea", RoleBold: "#e4e6ea", RoleFaint: "#9aa0a8", RoleBorder: "#6b7385",
			RoleSelected: "#e6c384",
			RoleAgreed:   "#8fce7e", RoleDismissed: "#f07178", RoleUnresolved: "#e5b567", RoleNotEvaluated: "#9aa0a8",
			RoleOpen: "#7fb4e6", RoleAttack: "#f07178", RoleSupport: "#8fce7e", RoleWarn: "#e5b567",
			RoleUser:         "#c7a0e8",
			RoleOrchestrator: "#6fc7c0", RoleConsultee: "#7fb4e6", RoleSeat: "#e6a0b4",
		}}
	}
	return palette{"#ffffff", "#fafafa", [...]string{
		RoleText: "#1d2026", RoleBold: "#1d2026", RoleFaint: "#666b73", RoleBorder: "#9aa0ab", RoleSelected: "#8a5a00",
		RoleAgreed: "#2f7d1f", RoleDismissed: "#b3261e", RoleUnresolved: "#8a6100", RoleNotEvaluated: "#666b73",
		RoleOpen: "#1f5fa8", RoleAttack: "#b3261e", RoleSupport: "#2f7d1f", RoleWarn: "#8a6100", RoleUser: "#7a3fb0",
		RoleOrchestrator: "#0f6f69", RoleConsultee: "#1f5fa8", RoleSeat: "#a03a5c",
	}}
}

// document is an SVG document under construction.
type document struct {
	strings.Builder
	ruler
	palette
}

// newDocument opens a document with a title and a description for screen readers.
func newDocument(style SVGStyle, title, description string, width, height float64) *document {
	d := &document{ruler: newRuler(nil, false), palette: style.palette()}
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" `+
		`aria-labelledby="map-title map-desc" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, `+
		`'DejaVu Sans Mono', 'Liberation Mono', monospace" font-size="%[3]d">`,
		number(width), number(height), fontSize)
	d.add(`<!-- %s1 -->`, ledger.Marker)
	d.add(`<title id="map-title">%s</title><desc id="map-desc">%s</desc>`, escaped(title), escaped(description))
	d.add(`<rect width="100%%" height="100%%" fill="%s"/>`, d.back)
	d.label(margin, margin+14, "start", Run{d.clip(title, int((width-2*margin)/cellWidth)), RoleBold})
	return d
}

// close ends the document and returns it.
func (d *document) close() string {
	d.WriteString("</svg>\n")
	return d.String()
}

// add writes a line of markup; texts among the values are escaped already.
func (d *document) add(format string, values ...any) { fmt.Fprintf(&d.Builder, format+"\n", values...) }

// label writes runs from x on, with the base line at y. The anchor is start, middle
// or end.
func (d *document) label(x, y float64, anchor string, runs ...Run) {
	fmt.Fprintf(&d.Builder, `<text x="%s" y="%s" text-anchor="%s" xml:space="preserve">`, number(x), number(y), anchor)
	for _, r := range runs {
		weight := ""
		if r.Role == RoleBold {
			weight = ` font-weight="700"`
		}
		fmt.Fprintf(&d.Builder, `<tspan fill="%s"%s>%s</tspan>`, d.roles[r.Role], weight, escaped(r.Text))
	}
	d.WriteString("</text>\n")
}

// rows writes lines of text from a height on.
func (d *document) rows(top float64, rows []Row) {
	for i, row := range rows {
		d.label(margin, top+float64(i)*cellHeight, "start", row...)
	}
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

// points lists places for a polygon or polyline.
func points(places ...place) string {
	parts := lists.Map(places, func(at place) string { return number(at.x) + "," + number(at.y) })
	return strings.Join(parts, " ")
}

// SVG draws the whole map as an SVG document, with the legend below.
func (g *Graph) SVG(style SVGStyle) string {
	right := 60
	for _, b := range g.boxes {
		right = max(right, b.Rect.X+b.Rect.W)
	}
	rows := g.Legend(right)
	width := float64(right)*cellWidth + 2*margin
	below := margin + 48 + float64(g.height+1)*cellHeight
	d := newDocument(style, g.title, g.summary, width, below+float64(len(rows))*cellHeight+margin)
	d.label(margin, margin+34, "start", Run{g.summary, RoleFaint})
	d.heads()
	d.add(`<g transform="translate(%s %s)">`, number(margin), number(margin+48))
	for _, b := range g.boxes {
		if len(b.path) > 0 {
			d.line(b, g.boxes[g.index[b.Of]])
		}
	}
	for _, m := range g.headings {
		d.label(0, baseLine(m.y), "start", m.row...)
	}
	for _, b := range g.boxes {
		d.box(b)
	}
	d.add(`</g>`)
	d.rows(below+cellHeight, rows)
	return d.close()
}

// baseLine is the height that the letters of a row stand on.
func baseLine(y int) float64 { return float64(y)*cellHeight + 15 }

// heads defines the heads of lines.
func (d *document) heads() {
	cross, arrow, ring := "M3 2 L11 10 M11 2 L3 10", "M2 1.5 L11 6 L2 10.5 Z", "M5 6 a3 3 0 1 0 6 0 a3 3 0 1 0 -6 0"
	d.add(`<defs>`)
	for _, h := range []struct{ id, shape, stroke, fill string }{
		{"attack", cross, d.roles[RoleAttack], "none"},
		{"attack-failed", cross, d.roles[RoleFaint], "none"},
		{"support", arrow, d.roles[RoleSupport], d.roles[RoleSupport]},
		{"support-failed", arrow, d.roles[RoleFaint], d.back},
		{"note", ring, d.roles[RoleFaint], d.back},
		{"note-failed", ring, d.roles[RoleFaint], d.back},
	} {
		d.add(`<marker id="map-%s" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" `+
			`markerUnits="userSpaceOnUse" orient="auto-start-reverse">`+
			`<path d="%s" stroke="%s" fill="%s" stroke-width="1.6"/></marker>`,
			h.id, h.shape, h.stroke, h.fill)
	}
	d.add(`</defs>`)
}

// line draws the line from a box to its parent, with its head there.
func (d *document) line(b, parent *box) {
	places := make([]place, len(b.path))
	for i, at := range b.path {
		places[i] = place{(float64(at.x) + 0.5) * cellWidth, (float64(at.y) + 0.5) * cellHeight}
	}
	// The ends are at the sides of the boxes.
	o, last := outlineOf(parent), len(places)-1
	if places[0].y > o.y+o.h {
		places[0].y = o.y + o.h
	} else {
		places[0].x = o.x + o.w
	}
	places[last].x = outlineOf(b).x
	head, width, dashes := "note", 1.4, "5 3"
	switch b.bearing {
	case relationAttack:
		head, width, dashes = "attack", 2.2, "9 4"
	case relationSupport:
		head, width, dashes = "support", 1.8, "none"
	case relationNote, relationNone:
	}
	if b.broken {
		head, width, dashes = head+"-failed", 1.4, "1.5 4"
	}
	_, role := b.line()
	d.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="%s" stroke-dasharray="%s" `+
		`stroke-linejoin="round" marker-start="url(#map-%s)"><title>%s</title></polyline>`,
		points(places...), d.roles[role], number(width), dashes, head, escaped(b.ID+" "+b.word+" "+b.Of))
}

// outline is the place of a box in the document.
type outline struct{ x, y, w, h float64 }

func outlineOf(b *box) outline {
	r := b.Rect
	return outline{
		float64(r.X) * cellWidth, float64(r.Y)*cellHeight + 1, float64(r.W) * cellWidth, float64(r.H)*cellHeight - 4,
	}
}

// box draws a box with its texts.
func (d *document) box(b *box) {
	d.add(`<g id="map-%s"><title>%s</title>`, escaped(b.ID), escaped(b.ID+": "+strings.TrimSpace(b.lead+" "+b.text)))
	role := b.title[1].Role
	if b.bearing != relationNone {
		_, role = b.line()
	}
	o, corner := outlineOf(b), 9.0
	right, bottom := o.x+o.w, o.y+o.h
	paint := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="1.5" stroke-linejoin="round"`, d.panel, d.roles[role])
	switch b.Kind {
	case NodePoint:
		d.add(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" %s/>`,
			number(o.x), number(o.y), number(o.w), number(o.h), number(corner), paint)
	case NodeChallenge:
		d.add(`<polygon points="%s" %s/>`, points(
			place{o.x + corner, o.y}, place{right - corner, o.y}, place{right, o.y + corner},
			place{right, bottom - corner},
			place{right - corner, bottom}, place{o.x + corner, bottom}, place{o.x, bottom - corner},
			place{o.x, o.y + corner},
		), paint)
	case NodeDefense:
		d.add(`<polygon points="%s" %s/>`, points(
			place{o.x, o.y}, place{right, o.y}, place{right, bottom - corner}, place{right - corner, bottom},
			place{o.x + corner, bottom}, place{o.x, bottom - corner},
		), paint)
	case NodeEvidence:
		// The outline goes around the folded corner once on its way.
		top, side := place{right - corner, o.y}, place{right, o.y + corner}
		d.add(`<polygon points="%s" %s/>`, points(
			place{o.x, o.y}, top, place{top.x, side.y}, side, top, side, place{right, bottom}, place{o.x, bottom},
		), paint)
	}
	left, end := float64(b.Rect.X+2)*cellWidth, float64(b.Rect.X+b.Rect.W-2)*cellWidth
	title, used := d.clipRow(b.title, b.Rect.W-6), 0
	for _, run := range title {
		used += d.width(run.Text)
	}
	d.label(left, baseLine(b.Rect.Y), "start", title...)
	if used+d.width(b.by.Text)+4 <= b.Rect.W-4 {
		d.label(end, baseLine(b.Rect.Y), "end", b.by)
	}
	for i, run := range append(b.body[:len(b.body):len(b.body)], b.foot) {
		d.label(left, baseLine(b.Rect.Y)+leading*float64(i+1), "start", run)
	}
	d.add(`</g>`)
}
