package figure

import "fmt"

// entry is one part of a legend: the sign of a shape or a line, and its words.
type entry struct {
	sign, words string
	role        Role
	// kind is the shape of an entry about boxes, link the line of one about
	// lines; only one of them is set.
	kind *NodeKind
	link *link
}

// legendEntries say what lines and shapes mean, first what matters most: in a
// panel its conflicts.
func legendEntries(s signs, ascii, panel bool) []entry {
	across := func(k stroke) string { return straightAcross(k, ascii) + straightAcross(k, ascii) }
	var entries []entry
	if panel {
		entries = []entry{
			{sign: s.cross + across(strokeAttack) + s.cross, words: "contradiction", role: RoleAttack, link: &link{bearing: relationAttack, both: true}},
			{sign: s.cross + across(strokeNote) + s.cross, words: "disagreement", role: RoleAttack, link: &link{bearing: relationAttack, both: true, dashed: true}},
		}
	}
	entries = append(
		entries,
		entry{sign: s.cross + across(strokeAttack), words: when(panel, "attacks, or prevailed over", "attacks"), role: RoleAttack, link: &link{bearing: relationAttack}},
		entry{sign: s.arrowLeft + across(strokeSupport), words: "supports", role: RoleSupport, link: &link{bearing: relationSupport}},
	)
	for _, k := range []NodeKind{NodePoint, NodeChallenge, NodeDefense, NodeEvidence} {
		f := frameOf(k, ascii)
		entries = append(entries, entry{sign: f.topLeft + f.across + f.topRight, words: k.String(), role: RoleBorder, kind: &k})
	}
	return append(entries,
		entry{sign: s.cross + across(strokeBroken), words: "failed attack", role: RoleFaint, link: &link{bearing: relationAttack, broken: true}},
		entry{sign: s.failedLeft + across(strokeBroken), words: "failed support", role: RoleFaint, link: &link{bearing: relationSupport, broken: true}},
		entry{sign: across(strokeNote) + s.replaces, words: "replaces", role: RoleBorder, link: &link{bearing: relationNote, word: "replaces"}},
		entry{sign: s.note + across(strokeNote), words: "same as, bears on", role: RoleBorder, link: &link{bearing: relationNote}},
	)
}

// Legend says in words what the lines and shapes of the map mean: as many rows
// of at most width cells as it takes, what matters most in the first.
func (g *Graph) Legend(width int) []Row {
	const between = "  "
	r := g.ruler
	var rows []Row
	used := 0
	for _, e := range g.legend {
		item := Row{{e.sign, e.role}, {" " + e.words, RoleFaint}}
		wide := r.width(e.sign) + r.width(item[1].Text)
		if len(rows) > 0 && used+len(between)+wide <= width {
			last := len(rows) - 1
			rows[last] = append(append(rows[last], Run{between, RoleText}), item...)
			used += len(between) + wide
			continue
		}
		rows, used = append(rows, r.clipRow(item, width)), wide
	}
	return rows
}

// svgLegend is a legend whose entries have places.
type svgLegend struct {
	entries []entry
	places  []place
	height  float64
}

// mapLegend flows the entries over as many lines as they need.
func mapLegend(width float64, entries []entry) svgLegend {
	const sign, gap, line = 42.0, 28.0, 26.0
	l := svgLegend{entries: entries}
	x, y := margin, 0.0
	for _, e := range l.entries {
		wide := sign + float64(len(e.words))*cellWidth
		if x > margin && x+wide > width-margin {
			x, y = margin, y+line
		}
		l.places = append(l.places, place{x, y})
		x += wide + gap
	}
	l.height = y + line
	return l
}

// draw draws the legend from the height on.
func (l svgLegend) draw(d *document, top float64) {
	for i, e := range l.entries {
		x, y := l.places[i].x, l.places[i].y+top
		if e.kind != nil {
			d.shape(*e.kind, outlined{x, y, 30, 18}, d.colors.border)
		} else {
			attributes, marker := d.drawn(e.link)
			heads := fmt.Sprintf(`marker-start="url(#map-%s)"`, marker)
			if e.link.both {
				heads += fmt.Sprintf(` marker-end="url(#map-%s)"`, marker)
			}
			d.add(`<path d="M%s %s h32" %s %s/>`, number(x), number(y+9), attributes, heads)
		}
		d.label(x+42, y+13.5, "start", Run{e.words, RoleFaint})
	}
}
