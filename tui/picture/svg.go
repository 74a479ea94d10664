package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"

	"moot/plain"
)

// The size of a cell and what lies around the cells, in pixels.
const (
	cellWidth, cellHeight = 8.4, 18.0
	// baseline is where text stands, from the top of its cell.
	baseline = 13.4
	fontSize = 14
	margin   = 16.0
	// bar is the height of the window's title bar.
	bar = 34.0
)

const fonts = `ui-monospace, SFMono-Regular, Menlo, Consolas, &quot;DejaVu Sans Mono&quot;, monospace`

// A letter of the title is so wide; buttons is what the three dots take on the left,
// and what stays free on the right.
const (
	captionWidth = 7.3
	buttons      = 66.0
)

// Screen is what a picture is drawn of. An emulator is one.
type Screen interface {
	Bounds() uv.Rectangle
	// CellAt returns the cell in a place; nil is an empty one.
	CellAt(x, y int) *uv.Cell
}

// Options say how a picture looks. Start from Dark or Light.
type Options struct {
	// Title stands in the bar of the window, Description is what is read aloud
	// in the picture's place.
	Title, Description string
	// Foreground and Background are the colors of cells without their own.
	Foreground, Background color.Color
	// Bar is the color of the window's bar, Edge of its outline, Buttons of the
	// three dots, Caption of the title.
	Bar, Edge, Buttons, Caption color.Color
}

// Dark returns the options for a page with a dark background.
func Dark() Options {
	return Options{
		Foreground: gray(0xd4, 0xd7, 0xdd), Background: gray(0x16, 0x18, 0x1d), Bar: gray(0x1e, 0x21, 0x28),
		Edge: gray(0x31, 0x36, 0x40), Buttons: gray(0x45, 0x4b, 0x57), Caption: gray(0x8a, 0x8f, 0x98),
	}
}

// Light returns the options for a page with a light background.
func Light() Options {
	return Options{
		Foreground: gray(0x23, 0x27, 0x2e), Background: gray(0xfd, 0xfd, 0xfc), Bar: gray(0xf1, 0xf1, 0xef),
		Edge: gray(0xd3, 0xd5, 0xd9), Buttons: gray(0xc6, 0xc9, 0xce), Caption: gray(0x6a, 0x6f, 0x78),
	}
}

func gray(r, g, b uint8) color.Color { return color.RGBA{R: r, G: g, B: b, A: 0xff} }

// caption is the title as far as there is room beside the dots.
func (o *Options) caption(width float64) string {
	return plain.Clip(o.Title, max(int((width-2*buttons)/captionWidth), 1))
}

// SVG draws the screen in a window.
func SVG(screen Screen, o Options) []byte {
	area := screen.Bounds()
	d := &drawing{options: o, lines: strokes{}}
	for y := range area.Dy() {
		d.row(screen, area, y)
	}
	width, height := float64(area.Dx())*cellWidth+2*margin, float64(area.Dy())*cellHeight+bar+margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n", number(width), number(height))
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(o.Description))
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%s" height="%s" rx="9.5" fill="%s"/>`+"\n", number(width-1), number(height-1), hex(o.Background))
	fmt.Fprintf(&b, `<path d="M0.5 %[1]sV10a9.5 9.5 0 0 1 9.5 -9.5H%[2]sa9.5 9.5 0 0 1 9.5 9.5V%[1]sz" fill="%[3]s"/>`+"\n", number(bar-8), number(width-10), hex(o.Bar))
	fmt.Fprintf(&b, `<g fill="%[1]s"><circle cx="18" cy="%[2]s" r="5"/><circle cx="36" cy="%[2]s" r="5"/><circle cx="54" cy="%[2]s" r="5"/></g>`+"\n", hex(o.Buttons), number((bar-8)/2))
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%s" height="%s" rx="9.5" fill="none" stroke="%s"/>`+"\n", number(width-1), number(height-1), hex(o.Edge))
	fmt.Fprintf(&b, `<g font-family="%s" font-size="%d" text-rendering="geometricPrecision">`+"\n", fonts, fontSize)
	fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="12" text-anchor="middle" fill="%s">%s</text>`+"\n", number(width/2), number((bar-8)/2+4), hex(o.Caption), escape(o.caption(width)))
	fmt.Fprintf(&b, `<g transform="translate(%s %s)">`+"\n", number(margin), number(bar))
	b.Write(d.fields.Bytes())
	d.lines.write(&b)
	b.Write(d.text.Bytes())
	b.WriteString("</g>\n</g>\n</svg>\n")
	return b.Bytes()
}

// number writes a length with at most two places.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// hex writes a color; what shines through it is not looked at.
func hex(c color.Color) string {
	r, g, b := channels(c)
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

func channels(c color.Color) (r, g, b uint32) {
	r, g, b, _ = c.RGBA()
	return r >> 8, g >> 8, b >> 8
}

// mixed is the color between two, a half of each.
func mixed(a, b color.Color) color.Color {
	ar, ag, ab := channels(a)
	br, bg, bb := channels(b)
	return gray(uint8((ar+br)/2), uint8((ag+bg)/2), uint8((ab+bb)/2)) //nolint:gosec // The mean of two bytes is a byte.
}

// escape makes any text safe inside of an element: what XML cannot hold, such
// as control characters and broken UTF-8, becomes U+FFFD.
func escape(text string) string {
	var b strings.Builder
	// Writing into memory does not fail.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}
