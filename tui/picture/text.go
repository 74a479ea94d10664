package picture

import (
	"bytes"
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// pen is how a cell is drawn, its colors resolved.
type pen struct {
	// ink and paper are written as hex.
	ink, paper               string
	bold, italic             bool
	underline, strikethrough bool
	hidden                   bool
}

// run is text in one pen that takes one cell a byte, or one character alone.
type run struct {
	x, y, cells int
	text        string
	alone       bool
	pen         pen
}

// drawing collects what is drawn, from the back to the front.
type drawing struct {
	options Options
	fields  bytes.Buffer
	lines   strokes
	text    bytes.Buffer
}

// row draws a row of cells.
func (d *drawing) row(screen Screen, area uv.Rectangle, y int) {
	var open run
	flush := func() {
		if open.cells > 0 {
			d.write(open)
		}
		open = run{}
	}
	for x := 0; x < area.Dx(); {
		cell := screen.CellAt(area.Min.X+x, area.Min.Y+y)
		width, content, p := 1, " ", d.pen(uv.Style{})
		if cell != nil {
			width, content, p = max(cell.Width, 1), cell.Content, d.pen(cell.Style)
		}
		width = min(width, area.Dx()-x)
		d.field(p, x, y, width)
		switch {
		case p.hidden || content == "" || strings.TrimSpace(content) == "":
			// One blank inside of a run is kept; more part it.
			if open.cells > 0 && !strings.HasSuffix(open.text, " ") && open.pen == p && width == 1 {
				open.text, open.cells = open.text+" ", open.cells+1
			} else {
				flush()
			}
		case d.lines.box(content, p.ink, x, y):
			flush()
		case len(content) == 1 && width == 1:
			if open.cells == 0 || open.pen != p {
				flush()
				open = run{x: x, y: y, pen: p}
			}
			open.text, open.cells = open.text+content, open.cells+1
		default:
			flush()
			d.write(run{x: x, y: y, cells: width, text: content, alone: true, pen: p})
		}
		x += width
	}
	flush()
}

// pen resolves a style.
func (d *drawing) pen(s uv.Style) pen {
	p := pen{
		bold: s.Attrs&uv.AttrBold != 0, italic: s.Attrs&uv.AttrItalic != 0,
		underline: s.Underline != uv.UnderlineNone, strikethrough: s.Attrs&uv.AttrStrikethrough != 0,
		hidden: s.Attrs&uv.AttrConceal != 0,
	}
	ink, paper := s.Fg, s.Bg
	if ink == nil {
		ink = d.options.Foreground
	}
	if paper == nil {
		paper = d.options.Background
	}
	if s.Attrs&uv.AttrReverse != 0 {
		ink, paper = paper, ink
	}
	if s.Attrs&uv.AttrFaint != 0 {
		ink = mixed(ink, paper)
	}
	p.ink, p.paper = hex(ink), hex(paper)
	return p
}

// field draws what lies behind and across a cell.
func (d *drawing) field(p pen, x, y, width int) {
	left, top := float64(x)*cellWidth, float64(y)*cellHeight
	if p.paper != hex(d.options.Background) {
		fmt.Fprintf(&d.fields, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s" shape-rendering="crispEdges"/>`+"\n",
			number(left), number(top), number(float64(width)*cellWidth), number(cellHeight), p.paper)
	}
	if p.underline {
		d.lines.across(p.ink, x, y, width, baseline+2.6)
	}
	if p.strikethrough {
		d.lines.across(p.ink, x, y, width, cellHeight/2)
	}
}

// write draws a run of text.
func (d *drawing) write(r run) {
	text := strings.TrimRight(r.text, " ")
	cells := r.cells - (len(r.text) - len(text))
	attributes := ""
	if r.pen.bold {
		attributes += ` font-weight="bold"`
	}
	if r.pen.italic {
		attributes += ` font-style="italic"`
	}
	left, width := float64(r.x)*cellWidth, float64(cells)*cellWidth
	place := fmt.Sprintf(`textLength="%s" lengthAdjust="spacingAndGlyphs"`, number(width))
	if r.alone {
		left += width / 2
		place = `text-anchor="middle"`
	}
	fmt.Fprintf(&d.text, `<text x="%s" y="%s" %s fill="%s"%s>%s</text>`+"\n",
		number(left), number(float64(r.y)*cellHeight+baseline), place, r.pen.ink, attributes, escape(text))
}
