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

// drawn fails if the picture is not well-formed XML, or has an element or an
// attribute that could load or run something.
func drawn(t *testing.T, screen picture.Screen, text string) string {
	t.Helper()
	svg := picture.SVG(screen, text, text, picture.Dark())
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
		if !strings.Contains(" svg title rect path g circle text ", " "+element.Name.Local+" ") {
			t.Errorf("the picture has <%s>", element.Name.Local)
		}
		for _, a := range element.Attr {
			name := strings.ToLower(a.Name.Local)
			if strings.HasPrefix(name, "on") || name == "href" || name == "style" {
				t.Errorf("the picture has %s=%q", name, a.Value)
			}
		}
	}
}

func TestSVG(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a run has the width of its cells": {"abc", `textLength="25.2" lengthAdjust="spacingAndGlyphs" fill="#d4d7dd">abc<`},
		"one blank stays in a run":         {"a b", ">a b<"},
		"two blanks end a run":             {"a  b", `<text x="25.2" y="13.4" textLength="8.4"`},
		"a wide character takes two cells": {"世b", `<text x="8.4" y="13.4" text-anchor="middle" fill="#d4d7dd">世<`},
		"a grapheme stays whole":           {"e\u0301x", ">e\u0301<"},
		"bold and colored":                 {"\x1b[1;38;2;1;2;3ma", `fill="#010203" font-weight="bold">a<`},
		"reversed":                         {"\x1b[7ma", `height="18" fill="#d4d7dd"`},
		"a border":                         {"┬", `d="M0 9H4.2M4.2 9H8.4M4.2 9V18"`},
	} {
		screen := vt.NewEmulator(10, 2)
		if _, err := screen.WriteString(test.text); err != nil {
			t.Fatal(err)
		}
		if got := drawn(t, screen, name); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s is not in\n%s", name, test.want, got)
		}
	}
}

// one is a screen with a single cell.
type one struct{ cell *uv.Cell }

func (one) Bounds() uv.Rectangle       { return uv.Rect(3, 2, 4, 1) }
func (o one) CellAt(x, _ int) *uv.Cell { return o.cell }

func TestHostileText(t *testing.T) {
	for _, text := range []string{
		`</text><script>alert(1)</script>`, `"><image href="http://example.com/x"/>`, "]]>", "<!--", "&amp;&#0;&nbsp;",
		"a\x00b\x1b[2J\x07", "\xff\xfe", "\u202eevil", "\ufffe", strings.Repeat("a", 10_000), "\n", "",
	} {
		for _, width := range []int{-1, 0, 1, 1 << 30} {
			drawn(t, one{&uv.Cell{Content: text, Width: width}}, text)
		}
	}
	drawn(t, one{}, "")
}
