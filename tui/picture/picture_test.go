package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"moot/tui/picture"
)

// drawn is the picture of what a program writes to a screen of the size.
func drawn(t *testing.T, width, height int, text string) string {
	t.Helper()
	screen := vt.NewEmulator(width, height)
	if _, err := screen.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return checked(t, picture.SVG(screen, picture.Dark()))
}

// checked fails where a picture is no well-formed XML, or holds an element or a
// reference that a picture has no need of.
func checked(t *testing.T, svg []byte) string {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return string(svg)
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, svg)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch element.Name.Local {
		case "svg", "title", "rect", "path", "g", "circle", "text":
		default:
			t.Errorf("the picture holds <%s>", element.Name.Local)
		}
		for _, a := range element.Attr {
			if name := strings.ToLower(a.Name.Local); strings.HasPrefix(name, "on") || name == "href" || name == "style" {
				t.Errorf("the picture holds %s=%q", name, a.Value)
			}
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	const plain = `fill="#d4d7dd"`
	for name, test := range map[string]struct{ text, want string }{
		"a run has the width of its cells": {"abc", `<text x="0" y="13.4" textLength="25.2" lengthAdjust="spacingAndGlyphs" ` + plain + `>abc</text>`},
		"one blank stays in a run":         {"a b", `textLength="25.2" lengthAdjust="spacingAndGlyphs" ` + plain + `>a b</text>`},
		"more blanks part it":              {"a  b", `<text x="25.2" y="13.4" textLength="8.4"`},
		"a second row":                     {"a\r\nb", `<text x="0" y="31.4"`},
		"a sign stands alone":              {"a✓b", `<text x="12.6" y="13.4" text-anchor="middle" ` + plain + `>✓</text>`},
		"a wide character takes two cells": {"世b", `<text x="8.4" y="13.4" text-anchor="middle" ` + plain + `>世</text>`},
		"what follows a wide one":          {"世b", `<text x="16.8" y="13.4"`},
		"a grapheme stays whole":           {"e\u0301x", ">e\u0301</text>"},
		"bold":                             {"\x1b[1ma", plain + ` font-weight="bold">a`},
		"italic":                           {"\x1b[3ma", plain + ` font-style="italic">a`},
		"a color":                          {"\x1b[38;2;1;2;3ma", `fill="#010203">a`},
		"faint is half of the background":  {"\x1b[2;38;2;100;100;100;48;2;0;0;0ma", `fill="#323232">a`},
		"a background":                     {"\x1b[48;2;1;2;3ma", `<rect x="0" y="0" width="8.4" height="18" fill="#010203"`},
		"reverse":                          {"\x1b[7ma", `fill="#16181d">a`},
		"what lies behind reverse":         {"\x1b[7ma", `<rect x="0" y="0" width="8.4" height="18" fill="#d4d7dd"`},
		"underline is drawn":               {"\x1b[4mab", `<path d="M0 16H16.8" fill="none" stroke="#d4d7dd"`},
		"a strike is drawn":                {"\x1b[9ma", `<path d="M0 9H8.4" fill="none"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := drawn(t, 10, 2, test.text); !strings.Contains(got, test.want) {
				t.Errorf("got:\n%s\nwant in it: %s", got, test.want)
			}
		})
	}
	if strings.Contains(drawn(t, 10, 1, "\x1b[8msecret"), "secret") {
		t.Error("what is concealed is shown")
	}
}

// Lines that meet on the screen are one line of the picture.
func TestLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"level":      {"──┬──", `d="M0 9H42M21 9V18"`},
		"upright":    {"│\r\n│", `d="M4.2 0V36"`},
		"heavy":      {"━━", `d="M0 9H16.8" fill="none" stroke="#d4d7dd" stroke-width="2.4"`},
		"corner":     {"╭─", `d="M8.4 9H16.8M4.2 18V13.2Q4.2 9 8.4 9"`},
		"mixed":      {"╾", `d="M4.2 9H8.4" fill="none" stroke="#d4d7dd" stroke-width="1.2"`},
		"parted":     {"─ ─", `d="M0 9H8.4M16.8 9H25.2"`},
		"two inks":   {"─\x1b[38;2;0;0;1m─", `d="M8.4 9H16.8" fill="none" stroke="#000001"`},
		"a crossing": {"┼", `d="M0 9H8.4M4.2 0V18"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := drawn(t, 6, 2, test.text); !strings.Contains(got, test.want) || strings.Contains(got, "</text>\n<text") {
				t.Errorf("got:\n%s\nwant in it: %s", got, test.want)
			}
		})
	}
}

// fake is a screen that holds anything, as no emulator would.
type fake struct {
	area  uv.Rectangle
	cells []uv.Cell
}

func (f fake) Bounds() uv.Rectangle { return f.area }

func (f fake) CellAt(x, _ int) *uv.Cell {
	if i := x - f.area.Min.X; i < len(f.cells) {
		return &f.cells[i]
	}
	return nil
}

// odd is a color that cannot be compared.
type odd []uint32

func (o odd) RGBA() (r, g, b, a uint32) { return o[0], o[1], o[2], 0xffff }

func TestHostileText(t *testing.T) {
	t.Parallel()
	hostile := []string{
		`</text><script>alert(1)</script>`, `"><image href="http://example.com/x"/>`, "]]>", "<!--", "&amp;&lt;&#0;&nbsp;",
		"a\x00b\x1b[2J\x07", "\xff\xfe", "\u202e\u2066evil", "\ufffe\uffff", strings.Repeat("a", 10_000), "\n", "",
	}
	for _, text := range hostile {
		for width := -1; width < 4; width++ {
			f := fake{area: uv.Rect(3, 2, 6, 1), cells: []uv.Cell{
				{Content: text, Width: width, Style: uv.Style{Fg: odd{1, 2, 3}, Bg: odd{0xffff, 0, 0}}},
				{Content: text, Width: 1 << 30},
				{Content: "<", Width: 1},
				{Content: "&", Width: 1},
			}}
			o := picture.Light()
			o.Title, o.Description = text, text
			checked(t, picture.SVG(f, o))
		}
	}
	for _, area := range []uv.Rectangle{{}, uv.Rect(0, 0, 0, 5), uv.Rect(5, 5, 1, 1)} {
		checked(t, picture.SVG(fake{area: area}, picture.Dark()))
	}
}

// The same cells give the same bytes, whatever their order of colors.
func TestPictureIsDeterministic(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 16 {
		text.WriteString("\x1b[38;5;" + string(rune('0'+i%10)) + "m─│╭━a✓世 ")
	}
	first := drawn(t, 80, 4, text.String())
	for range 20 {
		if drawn(t, 80, 4, text.String()) != first {
			t.Fatal("the same cells give other bytes")
		}
	}
	if !strings.Contains(first, "#16181d") {
		t.Error("the background is missing")
	}
}

// A title that is longer than the bar ends before its edge, off the dots.
func TestALongTitleIsClipped(t *testing.T) {
	t.Parallel()
	o := picture.Dark()
	o.Title = strings.Repeat("word ", 40)
	got := string(picture.SVG(fake{area: uv.Rect(0, 0, 60, 1)}, o))
	if strings.Contains(got, o.Title) || !strings.Contains(got, "…</text>") {
		t.Errorf("the title is not clipped:\n%s", got)
	}
}
