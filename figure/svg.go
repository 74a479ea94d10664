package figure

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"

	"moot/ledger"
)

// A cell in the units of an SVG document, in the proportions of the usual monospace fonts, in which lines of
// neighboring rows touch. The margin is around the whole picture.
const cellWidth, cellHeight, baseLine, fontSize, margin = 8, 16, 12, 13, 24

// SVG draws the whole map in a width as an SVG document. Roles without a color have that of the text.
func (m *Map) SVG(width int, background, text string, colors map[string]string) string {
	rows := []Row{{{m.Clip(m.title, width), RoleBold}}, {{m.Clip(m.summary, width), RoleFaint}}, nil}
	for i := range m.Nodes {
		rows = append(rows, m.Draw(i, width, false)...)
	}

	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" `+
			`aria-labelledby="map-title map-desc" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, `+
			`'DejaVu Sans Mono', 'Liberation Mono', monospace" font-size="%[3]d">`+"\n",
		width*cellWidth+2*margin,
		len(rows)*cellHeight+2*margin,
		fontSize,
	)
	fmt.Fprintf(&b, "<!-- %s1 -->\n<title id=\"map-title\">%s</title><desc id=\"map-desc\">%s</desc>\n",
		ledger.Marker, escaped(m.title), escaped(m.summary))
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", background)
	for y, row := range rows {
		x := 0
		for _, run := range row {
			at, shown := x, strings.TrimRight(run.Text, " ")
			x += m.Width(run.Text)
			if shown == "" {
				continue
			}
			weight := ""
			if run.Role == RoleBold {
				weight = ` font-weight="700"`
			}
			// The length keeps the columns in a font with other proportions.
			fmt.Fprintf(&b, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" fill="%s"%s `+
				`xml:space="preserve">%s</text>`+"\n", margin+at*cellWidth, margin+y*cellHeight+baseLine,
				m.Width(shown)*cellWidth, cmp.Or(colors[string(run.Role)], text), weight, escaped(shown))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// escaped makes a text safe inside an XML document.
func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) //nolint:errcheck // text that is built in memory cannot fail
	return b.String()
}
