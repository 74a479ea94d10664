package cli_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"

	"github.com/charmbracelet/x/vt"

	"moot/internal/plain"
)

// Sizes in pixels: of a cell, of the margin around all cells, and of the window's
// title bar. The baseline is counted from the top of a cell.
const (
	cellWidth, cellHeight = 8.4, 18.0
	baseline              = 13.4
	margin, bar           = 16.0, 34.0
)

const fonts = `ui-monospace, SFMono-Regular, Menlo, Consolas, &quot;DejaVu Sans Mono&quot;, monospace`

// Bits of the attributes of a cell.
const (
	bold = 1 << iota
	faint
	italic
	_
	_
	reverse
	conceal
)

// drawnCell is a cell of the screen as it is drawn: its colors in hex, and the attributes of an SVG text.
type drawnCell struct {
	content, ink, paper, style string
	width                      int
}

// colors are for the window and for cells without colors of their own.
type colors struct{ ink, paper, bar, edge, faint string }

// dark and light return the colors for pages with such a background.
func dark() colors  { return colors{"#d4d7dd", "#16181d", "#1e2128", "#454b57", "#8a8f98"} }
func light() colors { return colors{"#23272e", "#fdfdfc", "#f1f1ef", "#c6c9ce", "#6a6f78"} }

// svg draws the screen in a window, as an SVG that stands alone: no script, no
// font, no reference to anything else. It does not depend on the reader's font:
// a run of text is stretched to its cells, a character beyond ASCII is centered
// in its own, and box drawing characters are drawn as lines. The title is in the
// window's bar; about replaces the picture for people who cannot see it.
func svg(screen *vt.Emulator, title, about string, c colors) []byte {
	columns, rows := screen.Width(), screen.Height()
	width, height := float64(columns)*cellWidth+2*margin, float64(rows)*cellHeight+bar+margin
	d := &drawing{colors: c, lines: map[string]*strings.Builder{}}
	for y := range rows {
		d.row(screen, columns, y)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%.6[1]g" height="%.6[2]g" `+
		`viewBox="0 0 %.6[1]g %.6[2]g">`+"\n<title>%[3]s</title>\n", width, height, xmlText(about))
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%.6g" height="%.6g" rx="9.5" fill="%s" stroke="%s"/>`+"\n",
		width-1, height-1, c.paper, c.edge)
	fmt.Fprintf(&b, `<path d="M1 26V10a9 9 0 0 1 9 -9H%.6ga9 9 0 0 1 9 9V26z" fill="%s"/>`+"\n", width-10, c.bar)
	for _, x := range []int{18, 36, 54} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="13" r="5" fill="%s"/>`+"\n", x, c.edge)
	}
	fmt.Fprintf(&b, `<g font-family="%s" font-size="14" text-rendering="geometricPrecision">`+"\n", fonts)
	fmt.Fprintf(&b, `<text x="%.6g" y="17" font-size="12" text-anchor="middle" fill="%s">%s</text>`+"\n",
		width/2, c.faint, xmlText(plain.Clip(title, max(int((width-132)/7.3), 1))))
	fmt.Fprintf(&b, `<g transform="translate(%g %g)">`+"\n", margin, bar)
	b.Write(d.fields.Bytes())
	for _, ink := range d.inks {
		stroke, weight, _ := strings.Cut(ink, " ")
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="%s"/>`+"\n", d.lines[ink], stroke, weight)
	}
	b.Write(d.text.Bytes())
	b.WriteString("</g>\n</g>\n</svg>\n")
	return b.Bytes()
}

// drawing collects the parts of a picture, which are painted in this order.
type drawing struct {
	colors colors
	fields bytes.Buffer
	// lines are paths by "COLOR WIDTH", inks their keys in the order of their first use.
	lines map[string]*strings.Builder
	inks  []string
	text  bytes.Buffer
}

// row draws a row of cells. Neighbors of one style, with single blanks between
// them, become one run of text.
func (d *drawing) row(screen *vt.Emulator, columns, y int) {
	run, start, style := "", 0, ""
	flush := func() {
		if text := strings.TrimRight(run, " "); text != "" {
			width := float64(len(text)) * cellWidth
			place := fmt.Sprintf(`textLength="%.6g" lengthAdjust="spacingAndGlyphs"`, width)
			d.write(float64(start)*cellWidth, y, place, style, text)
		}
		run = ""
	}
	for x := 0; x < columns; {
		cell := d.cell(screen, x, y)
		content, width := cell.content, min(cell.width, columns-x)
		if cell.paper != d.colors.paper {
			fmt.Fprintf(&d.fields, `<rect x="%.6g" y="%.6g" width="%.6g" height="%g" `+
				`fill="%s" shape-rendering="crispEdges"/>`+"\n",
				float64(x)*cellWidth, float64(y)*cellHeight, float64(width)*cellWidth, cellHeight, cell.paper)
		}
		switch {
		case content == " " && (width > 1 || strings.HasSuffix(run, " ")), d.line(content, cell.ink, x, y):
			flush()
		case len(content) == 1 && width == 1:
			if run == "" || cell.style != style {
				flush()
				start, style = x, cell.style
			}
			if run != "" || content != " " {
				run += content
			}
		default:
			flush()
			d.write((float64(x)+float64(width)/2)*cellWidth, y, `text-anchor="middle"`, cell.style, content)
		}
		x += width
	}
	flush()
}

func (d *drawing) write(x float64, y int, place, style, text string) {
	fmt.Fprintf(&d.text, `<text x="%.6g" y="%.6g" %s %s>%s</text>`+"\n",
		x, float64(y)*cellHeight+baseline, place, style, xmlText(text))
}

// cell returns the cell at a position. An empty or concealed one holds a blank.
func (d *drawing) cell(screen *vt.Emulator, x, y int) drawnCell {
	out := drawnCell{content: " ", ink: d.colors.ink, paper: d.colors.paper, width: 1}
	if cell := screen.CellAt(x, y); cell != nil {
		s := cell.Style
		out.ink, out.paper, out.width = hex(s.Fg, out.ink), hex(s.Bg, out.paper), max(cell.Width, 1)
		if s.Attrs&reverse != 0 {
			out.ink, out.paper = out.paper, out.ink
		}
		if s.Attrs&conceal == 0 && strings.TrimSpace(cell.Content) != "" {
			out.content = cell.Content
		}
		for _, a := range []struct {
			set  bool
			text string
		}{
			{s.Attrs&bold != 0, ` font-weight="bold"`},
			{s.Attrs&italic != 0, ` font-style="italic"`},
			{s.Attrs&faint != 0, ` fill-opacity="0.6"`},
			{s.Underline != 0, ` text-decoration="underline"`},
		} {
			if a.set {
				out.style += a.text
			}
		}
	}
	out.style = `fill="` + out.ink + `"` + out.style
	return out
}

// arms say which lines lead from the middle of a cell to the left, right, up and
// down: 0 none, 1 thin, 2 thick.
func arms() map[string]string {
	return map[string]string{
		"─": "1100", "━": "2200", "│": "0011", "┃": "0022", "┼": "1111",
		"┌": "0101", "┐": "1001", "└": "0110", "┘": "1010", "╭": "0101", "╮": "1001", "╰": "0110", "╯": "1010",
		"├": "0111", "┤": "1011", "┬": "1101", "┴": "1110",
		"╴": "1000", "╶": "0100", "╵": "0010", "╷": "0001",
		"╸": "2000", "╺": "0200", "╼": "1200", "╾": "2100",
	}
}

// line draws a box drawing character and reports whether the content is one.
func (d *drawing) line(content, ink string, x, y int) bool {
	lead, found := arms()[content]
	if !found {
		return false
	}
	left, top := float64(x)*cellWidth, float64(y)*cellHeight
	middle, center := left+cellWidth/2, top+cellHeight/2
	for i, path := range []string{
		fmt.Sprintf("M%.6g %.6gH%.6g", left, center, middle),
		fmt.Sprintf("M%.6g %.6gH%.6g", middle, center, left+cellWidth),
		fmt.Sprintf("M%.6g %.6gV%.6g", middle, top, center),
		fmt.Sprintf("M%.6g %.6gV%.6g", middle, center, top+cellHeight),
	} {
		if lead[i] == '0' {
			continue
		}
		key := ink + " 1.2"
		if lead[i] == '2' {
			key = ink + " 2.4"
		}
		if d.lines[key] == nil {
			d.lines[key], d.inks = &strings.Builder{}, append(d.inks, key)
		}
		d.lines[key].WriteString(path)
	}
	return true
}

// hex writes a color, or the default for nil; transparency is ignored.
func hex(c color.Color, usual string) string {
	if c == nil {
		return usual
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// xmlText makes any text safe inside an element: what XML cannot hold becomes U+FFFD.
func xmlText(text string) string {
	var b strings.Builder
	// Writing to memory does not fail.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}
