package tui

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"moot/protocol/protocoltest"
	"moot/tui/pane"
	"moot/tui/theme"
)

// nasty are texts that break screens: wide, combining, right to left, hostile.
func nasty() []string {
	return []string{
		"plain words that go on for a while and then some more",
		"日本語のテキストは幅が二倍です。とても長い文章を書きます。",
		"e\u0301e\u0301\u0301\u0301\u0301\u0301\u0301\u0301 n\u0303 \u0301 begins with a mark",
		"שלום עולם، مرحبا بالعالم می\u200cخواهم",
		"\x1b[2J\x1b[31mred\x1b]0;title\a\u009b1m \u202ereversed\u202c \u200bzero\u2060 \x00\x7f",
		"👩\u200d💻 👍🏽 🇩🇪 ⚠\ufe0f 1\ufe0f\u20e3 ✔\ufe0f",
		"line\nbreaks\r\nand\ttabs\rreturns\u2028separators",
		strings.Repeat("longwordwithoutspaces", 20),
		"\xff\xfe broken \xc3",
		"", " ", "\n\n",
	}
}

// skipShort skips a test that draws a lot in one goroutine: the race detector, which
// runs with -short, draws ten times as slowly and has nothing to find.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("draws a lot, in one goroutine")
	}
}

// styles matches what switches styles on and off.
var styles = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// checkFits fails where a screen has not exactly its rows or a row is not
// exactly as wide, or holds anything but styles that could act on a terminal.
func checkFits(t rapid.TB, m *Model, what string) {
	rows := m.drawScreen()
	if len(rows) != m.height && m.width > 0 {
		t.Fatalf("%s: %d rows on a screen of %dx%d", what, len(rows), m.width, m.height)
	}
	for y, row := range rows {
		if w := m.look.Method.StringWidth(row); w != m.width {
			t.Fatalf("%s at %dx%d: row %d is %d wide: %q", what, m.width, m.height, y, w, row)
		}
		if plain := styles.ReplaceAllString(row, ""); strings.ContainsFunc(plain, acts) {
			t.Fatalf("%s at %dx%d: row %d: %q", what, m.width, m.height, y, plain)
		}
	}
}

// acts reports whether a character does something to a terminal, or turns the
// text around it.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune("\u200b\u2028\u2029\u2060\ufeff", r)
}

// looks are the ways in which a screen is drawn.
func looks() []func(a *theme.Appearance) {
	return []func(a *theme.Appearance){
		func(*theme.Appearance) {},
		func(a *theme.Appearance) { a.Mono = true },
		func(a *theme.Appearance) { a.Method = ansi.GraphemeWidth },
		func(a *theme.Appearance) { a.ASCII, a.Light = true, true },
		func(a *theme.Appearance) { a.ASCII, a.Mono, a.Method = true, true, ansi.GraphemeWidth },
	}
}

// Whatever the text, the size and the keys, on every pane and dialog of every format,
// nothing overflows and nothing acts on the terminal.
func TestNothingOverflows(t *testing.T) { checkScenes(t, scenes()) }

// The same on the screen of a batch, with hostile names, questions, reasons and machines.
func TestNothingOverflowsInABatch(t *testing.T) { checkScenes(t, batchScenes()) }

// checkScenes draws scenes at random sizes after random keys.
func checkScenes(t *testing.T, all []scene) {
	t.Helper()
	skipShort(t)
	var keys []string
	for _, b := range Bindings() {
		if b.Action != ActionQuit {
			keys = append(keys, b.Keys...)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		width, height := rapid.IntRange(1, 200), rapid.IntRange(1, 60)
		s := rapid.SampledFrom(all).Draw(rt, "scene")
		c := foul(t, rapid.IntRange(0, len(nasty())-1).Draw(rt, "first text"))
		m := s.play(&stage{t: t, cast: c, width: width.Draw(rt, "width"), height: height.Draw(rt, "height")})
		m.appear(rapid.SampledFrom(looks()).Draw(rt, "look"))
		checkFits(rt, m, s.name)
		m.Update(tea.WindowSizeMsg{Width: width.Draw(rt, "later width"), Height: height.Draw(rt, "later height")})
		m.say(rapid.SampledFrom(nasty()).Draw(rt, "flash"), true)
		m.rearrange()
		checkFits(rt, m, s.name)
		for range rapid.IntRange(0, 6).Draw(rt, "keys") {
			key := rapid.SampledFrom(keys).Draw(rt, "key")
			typeKeys(m, key)
			m.rearrange()
			checkFits(rt, m, s.name+" after "+key)
		}
	})
}

// Every pane draws exactly its size, from 1x1 on, with hostile text.
func TestPanesFit(t *testing.T) {
	t.Parallel()
	skipShort(t)
	for name, of := range map[string]func(t testing.TB) *protocoltest.Record{
		"consult": func(t testing.TB) *protocoltest.Record { return protocoltest.Consultation(t) }, "dialectic": protocoltest.Proposal, "panel": protocoltest.Panel, "council": protocoltest.Council, "hearing": protocoltest.Hearing,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := screenOf(t, foul(t, 5).record(of(t)), Options{}, 100, 40)
			speak(m)
			for _, height := range []int{1, 2, 3, 7, 20, 60} {
				for width := 1; width <= 200; width += 1 + width/6 {
					m.eachPane(func(id pane.ID, p pane.Pane) {
						rows := p.View(width, height)
						if len(rows) != height {
							t.Fatalf("%s at %dx%d has %d rows", id, width, height, len(rows))
						}
						for _, row := range rows {
							if w := m.look.Method.StringWidth(row); w != width {
								t.Fatalf("%s at %dx%d: %d wide: %q", id, width, height, w, row)
							}
						}
					})
				}
			}
		})
	}
}
