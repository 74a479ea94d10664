package figure

import (
	"cmp"
	"fmt"
	"strings"
)

// headingRoom is above the map, for its title.
const headingRoom = 64.0

// SVG draws the whole map as an SVG document: the boxes and lines of the cells
// as shapes, with a legend in words below.
func (g *Graph) SVG(style SVGStyle) string {
	width := max(float64(g.right), 60)*cellWidth + 2*margin
	legend := mapLegend(width, g.legend)
	height := headingRoom + float64(g.height)*cellHeight + legend.height + 2*margin
	d := newDocument(style, "map", g.title, g.summary, width, height)
	d.markers()
	r := newRuler(nil, false)
	room := int((width - 2*margin) / cellWidth)
	d.label(margin, margin+14, "start", Run{r.clip(g.title, room), RoleBold})
	d.label(margin, margin+34, "start", Run{r.clip(g.summary, room), RoleFaint})
	d.add(`<g transform="translate(%s %s)">`, number(margin), number(margin+headingRoom-16))
	for i := range g.links {
		d.link(g, &g.links[i])
	}
	for _, m := range g.marks {
		// Heads and words of lines belong to the links.
		if m.heading {
			d.label(float64(m.x)*cellWidth, base(m.y), "start", emphasised(m.row)...)
		}
	}
	for _, p := range g.placed {
		d.node(p)
	}
	d.add(`</g>`)
	legend.draw(d, height-margin-legend.height)
	return d.close()
}

// base is the line that the letters of a row stand on.
func base(y int) float64 { return float64(y)*cellHeight + 15.5 }

// emphasised makes the first run of a heading bold.
func emphasised(row Row) Row {
	return append(Row{{row[0].Text, RoleBold}}, row[1:]...)
}

// markers defines the heads of lines.
func (d *document) markers() {
	d.add(`<defs>`)
	head := func(id, color, shape string, back float64) {
		d.add(`<marker id="map-%s" viewBox="0 0 12 12" refX="%s" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="%s" stroke="%s" stroke-linecap="round" %s/></marker>`,
			id, number(back), shape, color, when(strings.HasSuffix(id, "support"), fmt.Sprintf(`fill="%s" stroke-width="1"`, color), `fill="none" stroke-width="2.4"`))
	}
	cross, arrow := "M3 2 L11 10 M11 2 L3 10", "M2 1.5 L11 6 L2 10.5 Z"
	head("attack", d.colors.attack, cross, 12)
	head("attack-failed", d.colors.faint, cross, 12)
	head("support", d.colors.support, arrow, 12)
	d.add(`<marker id="map-support-failed" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="%s" stroke="%s" stroke-width="1.4" fill="%s"/></marker>`, arrow, d.colors.faint, d.colors.back)
	d.add(`<marker id="map-note" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><circle cx="8" cy="6" r="3" stroke="%s" stroke-width="1.4" fill="%s"/></marker>`, d.colors.border, d.colors.back)
	d.add(`<marker id="map-replaces" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M2 1.5 L11 6 L2 10.5" stroke="%s" stroke-width="1.6" fill="none"/></marker>`, d.colors.border)
	d.add(`</defs>`)
}

// drawn is how a line of a bearing looks: color, width, dashes and head.
func (d *document) drawn(l *link) (attributes, marker string) {
	stroke := func(color string, width float64, dashes string) string {
		a := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%s"`, color, number(width))
		if dashes != "" {
			a += ` stroke-dasharray="` + dashes + `"`
		}
		return a
	}
	switch {
	case l.broken && l.bearing == relationAttack:
		return stroke(d.colors.faint, 1.4, "1.5 4"), "attack-failed"
	case l.broken:
		return stroke(d.colors.faint, 1.4, "1.5 4"), "support-failed"
	case l.bearing == relationAttack && l.dashed:
		return stroke(d.colors.attack, 1.6, "3 3"), "attack"
	case l.bearing == relationAttack:
		return stroke(d.colors.attack, 2.2, "9 4"), "attack"
	case l.bearing == relationSupport:
		return stroke(d.colors.support, 1.8, ""), "support"
	case l.word == "replaces":
		return stroke(d.colors.border, 1.4, "5 3"), "replaces"
	}
	return stroke(d.colors.border, 1.4, "5 3"), "note"
}

// link draws the line from one box to another, its head at the other.
func (d *document) link(g *Graph, l *link) {
	places := make([]place, len(l.path))
	for i, at := range l.path {
		places[i] = place{(float64(at.x) + 0.5) * cellWidth, (float64(at.y) + 0.5) * cellHeight}
	}
	settle(&places[0], outline(g.placed[l.to]))
	settle(&places[len(places)-1], outline(g.placed[l.from]))
	attributes, marker := d.drawn(l)
	heads := fmt.Sprintf(`marker-start="url(#map-%s)"`, marker)
	if l.both {
		heads += fmt.Sprintf(` marker-end="url(#map-%s)"`, marker)
	}
	d.add(`<path d="%s" %s %s><title>%s</title></path>`, round(places), attributes, heads,
		escaped(cmp.Or(l.title, g.nodes[l.from].ID+" "+l.word+" "+g.nodes[l.to].ID)))
	if p := g.placed[l.from]; p.word && !l.between && p.bearing != relationNone {
		wide := float64(len(l.word)+1) * cellWidth
		x := places[len(places)-1].x - 6
		y := base(p.Y + 1)
		d.add(`<rect x="%s" y="%s" width="%s" height="14" fill="%s"/>`, number(x-wide), number(y-11), number(wide), d.colors.back)
		_, role := lineOf(l.bearing, l.broken)
		d.label(x-wide/2, y, "middle", Run{l.word, when(role == RoleBorder, RoleFaint, role)})
	}
}

// settle moves the end of a line to the side of a box that it is next to.
func settle(at *place, box outlined) {
	switch {
	case at.y > box.y+box.h:
		at.y = box.y + box.h
	case at.x < box.x:
		at.x = box.x
	case at.x > box.x+box.w:
		at.x = box.x + box.w
	}
}

// outlined is the place of a box in the document.
type outlined struct{ x, y, w, h float64 }

// outline is as high as the texts of the box need, which leaves some room
// between boxes that touch in the grid.
func outline(p *placed) outlined {
	lines := 1 + len(p.body)
	if p.foot != "" {
		lines++
	}
	return outlined{
		float64(p.X) * cellWidth, float64(p.Y)*cellHeight + 4, float64(p.W) * cellWidth, leading*float64(lines) + 9,
	}
}

// node draws a box with its texts.
func (d *document) node(p *placed) {
	d.add(`<g id="map-%s"><title>%s</title>`, escaped(p.id), escaped(p.id+": "+strings.TrimSpace(p.lead+" "+p.text)))
	d.shape(p.kind, outline(p), d.frameColor(p))
	left, right := float64(p.X+2)*cellWidth, float64(p.X+p.W-2)*cellWidth
	r := newRuler(nil, false)
	title := r.clipRow(p.title, p.W-6)
	y := float64(p.Y)*cellHeight + leading + 4
	d.label(left, y, "start", title...)
	if r.runsWidth(title)+r.width(p.by.Text)+4 <= p.W-4 {
		d.label(right, y, "end", p.by)
	}
	for _, run := range append(p.body[:len(p.body):len(p.body)], Run{p.foot, footRole(p)}) {
		if y += leading; run.Text != "" {
			d.label(left, y, "start", run)
		}
	}
	d.add(`</g>`)
}

// frameColor is that of the bucket or of the bearing.
func (d *document) frameColor(p *placed) string {
	if p.bearing == relationNone {
		return d.colors.of(p.title[1].Role)
	}
	if p.kind == NodeDefense && !p.broken {
		return d.colors.of(p.title[len(p.title)-1].Role)
	}
	_, role := lineOf(p.bearing, p.broken)
	return d.colors.of(when(role == RoleFaint, RoleBorder, role))
}

// shape draws the outline of a kind of box.
func (d *document) shape(k NodeKind, o outlined, color string) {
	x, y, right, bottom := o.x, o.y, o.x+o.w, o.y+o.h
	paint := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="1.5" stroke-linejoin="round"`, d.colors.panel, color)
	corner := min(9, o.h/3)
	polygon := func(places ...place) {
		var b strings.Builder
		for _, at := range places {
			fmt.Fprintf(&b, "%s,%s ", number(at.x), number(at.y))
		}
		d.add(`<polygon points="%s" %s/>`, strings.TrimSpace(b.String()), paint)
	}
	switch k {
	case NodePoint:
		d.add(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" %s/>`, number(x), number(y), number(o.w), number(o.h), number(corner), paint)
	case NodeChallenge:
		polygon(place{x + corner, y}, place{right - corner, y}, place{right, y + corner}, place{right, bottom - corner},
			place{right - corner, bottom}, place{x + corner, bottom}, place{x, bottom - corner}, place{x, y + corner})
	case NodeDefense:
		polygon(place{x, y}, place{right, y}, place{right, bottom - corner}, place{right - corner, bottom},
			place{x + corner, bottom}, place{x, bottom - corner})
	case NodeEvidence:
		polygon(place{x, y}, place{right - corner, y}, place{right, y + corner}, place{right, bottom}, place{x, bottom})
		d.add(`<path d="M%s %s v%s h%s" fill="none" stroke="%s" stroke-width="1.5"/>`, number(right-corner), number(y), number(corner), number(corner), color)
	}
}
