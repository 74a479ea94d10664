package figure

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// drawn lays out the map of a session drawn at random.
func drawn(rt *rapid.T, t *testing.T, texts []string) (*Graph, *recorder, MapOptions) {
	r, rulings := session(rt, t, texts)
	o := MapOptions{
		Width: rapid.IntRange(-1, 220).Draw(rt, "width"), ASCII: rapid.Bool().Draw(rt, "ascii"),
		Method: rapid.SampledFrom([]ansi.Method{ansi.GraphemeWidth, ansi.WcWidth}).Draw(rt, "method"),
	}
	return Map(&r.state, rulings, o), r, o
}

func TestEveryWindowOfTheMapIsExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, o := drawn(rt, t, hostile())
		width, height := g.Size()
		x, y := rapid.IntRange(-9, width+9).Draw(rt, "x"), rapid.IntRange(-9, height+9).Draw(rt, "y")
		w, h := rapid.IntRange(-1, 130).Draw(rt, "w"), rapid.IntRange(-1, 50).Draw(rt, "h")
		if err := exact(g.Draw(x, y, w, h, "P1"), w, h, o.Method); err != nil {
			rt.Fatal(err)
		}
	})
}

func TestAWindowIsAPieceOfTheWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := drawn(rt, t, []string{"", "words of a claim that goes on for a while", "short"})
		width, height := g.Size()
		lines := strings.Split(whole(g, "C1"), "\n")
		x, y := rapid.IntRange(0, width-1).Draw(rt, "x"), rapid.IntRange(0, height-1).Draw(rt, "y")
		w, h := rapid.IntRange(1, width-x).Draw(rt, "w"), rapid.IntRange(1, height-y).Draw(rt, "h")
		var want []string
		for _, line := range lines[y : y+h] {
			want = append(want, string([]rune(line)[x:x+w]))
		}
		if got := text(g.Draw(x, y, w, h, "C1")); got != strings.Join(want, "\n") {
			rt.Fatalf("the window %d %d %d %d is\n%s\nand not\n%s", x, y, w, h, got, strings.Join(want, "\n"))
		}
	})
}

func TestEachBoxCanBeReached(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := drawn(rt, t, []string{"a claim"})
		reached := map[string]bool{}
		for next := []string{g.Neighbor("", Down)}; len(next) > 0; next = next[1:] {
			if next[0] == "" || reached[next[0]] {
				continue
			}
			reached[next[0]] = true
			for _, to := range []Direction{Up, Down, Left, Right} {
				next = append(next, g.Neighbor(next[0], to))
			}
		}
		for _, n := range g.Nodes() {
			if !reached[n.ID] || g.At(n.Rect.X, n.Rect.Y) != n.ID {
				rt.Fatalf("%s at %v cannot be reached by keys or by the mouse", n.ID, n.Rect)
			}
		}
	})
}

func TestTheMapAsSVG(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g, _, _ := drawn(rt, t, hostile())
		seen, err := wellFormed(g.SVG(rapid.Bool().Draw(rt, "dark")))
		if err != nil {
			rt.Fatal(err)
		}
		for _, n := range g.Nodes() {
			if !strings.Contains(seen, n.ID) {
				rt.Fatalf("the document does not hold %s", n.ID)
			}
		}
	})
}

func TestASCIIMapIsASCII(t *testing.T) {
	r := demo(t)
	for _, width := range []int{60, 120, 200} {
		g := Map(&r.state, resolver.Rule(r.state), MapOptions{Width: width, ASCII: true})
		drawing := whole(g, "P2")
		for _, row := range g.Legend(width) {
			drawing += text([]Row{row})
		}
		for _, c := range drawing {
			if c > '~' {
				t.Fatalf("%q is no ASCII", c)
			}
		}
	}
}

func TestAttackAndSupportDifferWithoutColor(t *testing.T) {
	r := demo(t)
	for _, ascii := range []bool{false, true} {
		for _, width := range []int{60, 80, 120, 200} {
			g := Map(&r.state, resolver.Rule(r.state), MapOptions{Width: width, ASCII: ascii})
			drawing := whole(g, "")
			for _, word := range []string{"attacks", "refutes", "supports", "defeats", "answered", "opposed to P6", "replaced by P8", "same as"} {
				if !strings.Contains(drawing, word) {
					t.Errorf("at %d columns the map does not say %q", width, word)
				}
			}
		}
	}
}

func TestADefeatedChallengeNoLongerAttacks(t *testing.T) {
	r := demo(t)
	g := Map(&r.state, nil, MapOptions{Width: 120})
	broken := map[string]bool{}
	for _, b := range g.boxes {
		broken[b.ID] = b.broken
	}
	want := map[string]bool{"C1": true, "C2": false, "C3": false, "C4": false, "C1.1": true, "C1.2": false, "E1": false, "E2": true, "E3": false, "E4": false}
	for id, failed := range want {
		if broken[id] != failed {
			t.Errorf("%s failed is %v, not %v", id, broken[id], failed)
		}
	}
}

func TestAMapWithoutPointsSaysSo(t *testing.T) {
	r := &recorder{t: t}
	r.add(&state.SessionOpened{Rules: formats.ByName(state.FormatConsult), Version: state.Version, ID: "x", Question: "?", Settings: state.Settings{Format: state.FormatConsult}})
	if drawing := whole(Map(&r.state, nil, MapOptions{Width: 80}), ""); !strings.Contains(drawing, "Nothing is proposed yet.") {
		t.Errorf("it says %q", drawing)
	}
}

func TestLegendNamesEveryShapeAndLine(t *testing.T) {
	r := demo(t)
	for _, width := range []int{-20, 20, 60, -80, 80, 200} {
		drawing := text(Map(&r.state, nil, MapOptions{Width: 80, ASCII: width < 0}).Legend(max(width, -width)))
		for line := range strings.SplitSeq(drawing, "\n") {
			if n := len([]rune(line)); n > max(width, -width) {
				t.Errorf("a line of the legend takes %d cells: %s", n, line)
			}
		}
		for _, word := range []string{"point", "challenge", "answer", "evidence", "attacks", "supports", "failed", "same as"} {
			if !strings.Contains(drawing, word) {
				t.Errorf("the legend does not say %q:\n%s", word, drawing)
			}
		}
	}
}

// Drawing a window of a large map must stay far below the time of a frame.
func BenchmarkDraw(b *testing.B) {
	r, rulings := big(b, 1000, 500, 1500)
	g := Map(&r.state, rulings, MapOptions{Width: 160})
	_, height := g.Size()
	for b.Loop() {
		g.Draw(0, height/2, 160, 50, "P500")
	}
}
