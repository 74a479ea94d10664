package figure

import (
	"encoding/xml"
	"fmt"
	"strings"

	"moot/ledger"
)

// A cell in the units of an SVG document, in the proportions of the usual monospace fonts, in which lines of
// neighboring rows touch. The margin is around the whole picture.
const cellWidth, cellHeight, baseLine, fontSize, margin = 8, 16, 12, 13, 24

// colors holds the colors of a background by role.
type colors [RoleSeat + 1]string

// palette returns the background and the colors on it.
func palette(dark bool) (background string, byRole colors) {
	if dark {
		return "#16181d", colors{
			RoleText: "#e4e6ea", RoleBold: "#e4e6ea", RoleFaint: "#9aa0a8", RoleBorder: "#6b7385",
			RoleSelected: "#e6c384",
			RoleAgreed:   "#8fce7e", RoleDismissed: "#f07178", RoleUnresolved: "#e5b567", RoleNotEvaluated: "#9aa0a8",
			RoleOpen: "#7fb4e6", RoleAttack: "#f07178", RoleSupport: "#8fce7e", RoleWarn: "#e5b567",
			RoleUser:         "#c7a0e8",
			RoleOrchestrator: "#6fc7c0", RoleConsultee: "#7fb4e6", RoleSeat: "#e6a0b4",
		}
	}
	return "#ffffff", colors{
		RoleText: "#1d2026", RoleBold: "#1d2026", RoleFaint: "#666b73", RoleBorder: "#9aa0ab", RoleSelected: "#8a5a00",
		RoleAgreed: "#2f7d1f", RoleDismissed: "#b3261e", RoleUnresolved: "#8a6100", RoleNotEvaluated: "#666b73",
		RoleOpen: "#1f5fa8", RoleAttack: "#b3261e", RoleSupport: "#2f7d1f", RoleWarn: "#8a6100", RoleUser: "#7a3fb0",
		RoleOrchestrator: "#0f6f69", RoleConsultee: "#1f5fa8", RoleSeat: "#a03a5c",
	}
}

// SVG draws the whole map in a width as an SVG document.
func (m *Map) SVG(width int, dark bool) string {
	rows := []Row{{{m.clip(m.title, width), RoleBold}}, {{m.clip(m.summary, width), RoleFaint}}, nil}
	for i := range m.Nodes {
		rows = append(rows, m.Draw(i, width, false)...)
	}

	background, byRole := palette(dark)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" `+
		`aria-labelledby="map-title map-desc" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, `+
		`'DejaVu Sans Mono', 'Liberation Mono', monospace" font-size="%[3]d">`+"\n",
		width*cellWidth+2*margin, len(rows)*cellHeight+2*margin, fontSize)
	fmt.Fprintf(&b, "<!-- %s1 -->\n<title id=\"map-title\">%s</title><desc id=\"map-desc\">%s</desc>\n",
		ledger.Marker, escaped(m.title), escaped(m.summary))
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", background)
	for y, row := range rows {
		x := 0
		for _, run := range row {
			at, text := x, strings.TrimRight(run.Text, " ")
			x += m.width(run.Text)
			if text == "" {
				continue
			}
			weight := ""
			if run.Role == RoleBold {
				weight = ` font-weight="700"`
			}
			// The length keeps the columns in a font with other proportions.
			fmt.Fprintf(&b, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" fill="%s"%s `+
				`xml:space="preserve">%s</text>`+"\n", margin+at*cellWidth, margin+y*cellHeight+baseLine,
				m.width(text)*cellWidth, byRole[run.Role], weight, escaped(text))
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
