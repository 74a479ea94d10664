package figure

import (
	"fmt"
	"strings"
)

// The measures of a chart in an SVG document.
const (
	chartWidth  = 960.0
	chartInside = chartWidth - 2*margin
	// A plot that stands alone is higher than one of several.
	plotHeight, plotHeightWide, plotHeightAlone = 210.0, 260.0, 320.0
	lineHeight                                  = 22.0
)

// SVG draws the chart as an SVG document.
func (c *Chart) SVG(style SVGStyle) string {
	legend := flowKeys(c.keys)
	columns := min(len(c.plots), when(c.wide, 2, 3))
	each := when(len(c.plots) == 1, plotHeightAlone, when(c.wide, plotHeightWide, plotHeight))
	y := margin + 40 + legend.height
	height := y + float64(len(c.notes))*lineHeight + 2*margin
	if columns > 0 {
		height += float64((len(c.plots)+columns-1)/columns) * each
	}
	r := newRuler(nil, false)
	d := newDocument(style, c.name, c.title, c.described(), chartWidth, height)
	d.label(margin, margin+14, "start", Run{r.clip(c.title, int(chartInside/cellWidth)), RoleBold})
	if c.empty != "" {
		d.label(margin, margin+40, "start", Run{c.empty, RoleFaint})
		return d.close()
	}
	legend.draw(d, margin+34)
	for i, p := range c.plots {
		wide := chartInside / float64(columns)
		d.plot(p, margin+float64(i%columns)*wide, y+float64(i/columns)*each, wide-16, each-20)
	}
	if columns > 0 {
		y += float64((len(c.plots)+columns-1)/columns) * each
	}
	y += margin / 2
	for _, n := range c.notes {
		y += lineHeight
		d.label(margin, y, "start", Run{n.sign, n.role}, Run{" " + r.clip(n.words, int(chartInside/cellWidth)-3), RoleText})
	}
	return d.close()
}

// described says in words what a chart shows.
func (c *Chart) described() string {
	parts := []string{}
	for _, b := range c.brief {
		parts = append(parts, b.words+" "+strings.TrimSpace(b.end))
	}
	for _, n := range c.notes {
		parts = append(parts, n.words)
	}
	return strings.Join(append(parts, c.empty), "; ")
}

// plot draws one plot into a place.
func (d *document) plot(p plot, x, y, wide, high float64) {
	r := newRuler(nil, false)
	d.label(x, y+14, "start", Run{r.clip(p.title, int(wide/cellWidth)), RoleText})
	left, top, right, bottom := x+58, y+32, x+wide-22, y+high-34-when(len(p.counts) > 0, lineHeight, 0)
	at := func(v sample) place {
		return place{
			left + (v.x-p.left)/max(p.right-p.left, 1e-9)*(right-left),
			bottom - v.y/max(p.high, 1e-9)*(bottom-top),
		}
	}
	for _, t := range p.yTicks {
		level := at(sample{p.left, t.at}).y
		d.add(`<path d="M%s %s H%s" stroke="%s" stroke-width="1" stroke-opacity="0.35"/>`, number(left-6), number(level), number(right+8), d.colors.border)
		d.label(left-12, level+4, "end", Run{t.label, RoleFaint})
	}
	d.add(`<path d="M%s %s V%s H%s" fill="none" stroke="%s"/>`, number(left-6), number(top), number(bottom), number(right+8), d.colors.border)
	for _, t := range p.xTicks {
		spot := at(sample{t.at, 0})
		d.add(`<path d="M%s %s v5" stroke="%s"/>`, number(spot.x), number(bottom), d.colors.border)
		d.label(spot.x, bottom+19, "middle", Run{t.label, RoleFaint})
	}
	d.label(left-12, bottom+19, "end", Run{p.xWord, RoleFaint})
	d.counts(p, left, bottom+19+lineHeight, at)
	d.spreads(p, at)
	d.curves(p, at)
}

// curves draws the lines, then the values, then what is remarkable.
func (d *document) curves(p plot, at func(sample) place) {
	for _, c := range p.curves {
		color := d.colors.of(c.role)
		var path strings.Builder
		for i, v := range c.samples {
			spot := at(v)
			fmt.Fprintf(&path, "%s%s %s ", when(i == 0, "M", "L"), number(spot.x), number(spot.y))
		}
		if !c.loose {
			d.add(`<path d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round"%s><title>%s</title></path>`,
				strings.TrimSpace(path.String()), color, when(c.guide, "1", "2"), when(c.guide, ` stroke-dasharray="4 4"`, ""), escaped(c.name))
		}
		for _, v := range c.hollow {
			spot := at(v)
			for _, counts := range c.samples {
				if counts.x == v.x {
					d.add(`<path d="M%s %s V%s" stroke="%s" stroke-dasharray="2 3"/>`, number(spot.x), number(spot.y), number(at(counts).y), color)
				}
			}
			d.sign(c.shape, spot, color, d.colors.back)
		}
		for _, v := range c.samples {
			if !c.guide {
				d.sign(c.shape, at(v), color, color)
			}
		}
	}
	for _, m := range p.marks {
		spot := at(m.sample)
		d.label(spot.x+9, spot.y+when(m.sign == signRetreat, 16.0, -8.0), "start", Run{m.sign + " " + m.word, RoleWarn})
	}
}

// sign draws the sign of a seat.
func (d *document) sign(shape int, at place, color, fill string) {
	paint := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="1.6"`, fill, color)
	x, y := number(at.x), number(at.y)
	switch shape % 6 {
	case 0:
		d.add(`<circle cx="%s" cy="%s" r="4" %s/>`, x, y, paint)
	case 1:
		d.add(`<path d="M%s %s m0 -5 l5 5 l-5 5 l-5 -5 z" %s/>`, x, y, paint)
	case 2:
		d.add(`<path d="M%s %s m-4 -4 h8 v8 h-8 z" %s/>`, x, y, paint)
	case 3:
		d.add(`<path d="M%s %s m0 -5 l5 9 h-10 z" %s/>`, x, y, paint)
	case 4:
		d.add(`<path d="M%s %s m0 5 l5 -9 h-10 z" %s/>`, x, y, paint)
	default:
		d.add(`<circle cx="%s" cy="%s" r="5.5" fill="none" stroke="%s" stroke-width="1.2"/><circle cx="%s" cy="%s" r="2.5" %s/>`, x, y, color, x, y, paint)
	}
}

// keyLegend is the legend of a chart, with places.
type keyLegend struct {
	keys   []note
	places []place
	height float64
}

// flowKeys sets the keys beside each other, over as many lines as they need.
func flowKeys(keys []note) keyLegend {
	l := keyLegend{keys: keys}
	if len(keys) == 0 {
		return l
	}
	x, y := margin, 0.0
	for _, k := range keys {
		wide := 26 + float64(len(k.words))*cellWidth
		if x > margin && x+wide > chartWidth-margin {
			x, y = margin, y+lineHeight
		}
		l.places = append(l.places, place{x, y})
		x += wide + 22
	}
	l.height = y + lineHeight + 8
	return l
}

// draw draws the legend from a height on.
func (l keyLegend) draw(d *document, top float64) {
	for i, k := range l.keys {
		x, y := l.places[i].x, l.places[i].y+top
		switch {
		case k.shape > 0:
			d.sign(k.shape-1, place{x + 7, y + 7}, d.colors.of(k.role), when(k.hollow, d.colors.back, d.colors.of(k.role)))
		default:
			d.label(x+3, y+12, "start", Run{k.sign, k.role})
		}
		d.label(x+24, y+12, "start", Run{k.words, RoleText})
	}
}
