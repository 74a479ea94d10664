package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// picture draws a layout with a letter per part.
func picture(l Layout) string {
	rows := make([][]byte, l.Height)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", l.Width))
	}
	draw := func(r Rect, c byte) {
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if rows[y][x] != '.' && rows[y][x] != '+' {
					c = '!'
				}
				rows[y][x] = c
			}
		}
	}
	draw(l.Frame, '+')
	for i, r := range []Rect{l.Header, l.Phases, l.Note, l.Live, l.Counts, l.Names, l.Status, l.Questions, l.Footer} {
		draw(r, "hpnlcNsqf"[i])
	}
	for p, r := range l.Panes {
		draw(r, "DPCL"[p])
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(squeeze(string(row)) + "\n")
	}
	return b.String()
}

// squeeze writes runs as a letter and a count: "h120".
func squeeze(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 1
		for i+n < len(s) && s[i+n] == s[i] {
			n++
		}
		fmt.Fprintf(&b, "%c%d ", s[i], n)
		i += n
	}
	return strings.TrimSpace(b.String())
}

func TestArrangePictures(t *testing.T) {
	for _, test := range []struct {
		name          string
		width, height int
		showing       Showing
		want          string
	}{
		{"wide", 100, 18, Showing{}, `
			h100
			p100
			+100
			+1 D55 +1 P42 +1
			+1 D55 +1 P42 +1
			+1 D55 +1 P42 +1
			+1 D55 +1 P42 +1
			+1 D55 +1 P42 +1
			+1 D55 +1 P42 +1
			+1 D55 +1 P42 +1
			+100
			+1 C55 +1 L42 +1
			+1 C55 +1 L42 +1
			+1 C55 +1 L42 +1
			+1 C55 +1 L42 +1
			+100
			s100
			f100`},
		{"wide with note and questions", 120, 20, Showing{Note: true, Questions: true}, `
			h120
			p120
			n120
			+120
			+1 D66 +1 P51 +1
			+1 D66 +1 P51 +1
			+1 D66 +1 P51 +1
			+1 D66 +1 P51 +1
			+1 D66 +1 P51 +1
			+1 D66 +1 P51 +1
			+1 D66 +1 P51 +1
			+120
			+1 C66 +1 L51 +1
			+1 C66 +1 L51 +1
			+1 C66 +1 L51 +1
			+1 C66 +1 L51 +1
			+120
			s120
			q120
			f120`},
		{"compact", 40, 10, Showing{Focus: PaneLedger}, `
			h40
			p40
			+40
			L40
			L40
			L40
			L40
			L40
			s40
			f40`},
		{"tiny", 20, 6, Showing{Note: true}, `
			p20
			l20
			n20
			c20
			N20
			f20`},
		{"tiny asked", 30, 8, Showing{Questions: true}, `
			p30
			l30
			l30
			l30
			l30
			c30
			q30
			f30`},
		{"too small", 19, 2, Showing{}, ".19\n.19"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Fields(strings.ReplaceAll(picture(Arrange(test.width, test.height, test.showing)), " ", "_"))
			want := strings.Split(strings.TrimSpace(test.want), "\n")
			for i := range want {
				want[i] = strings.ReplaceAll(strings.TrimSpace(want[i]), " ", "_")
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// Every part lies on the screen and no two parts share a cell, at any size.
func TestArrangeNeverOverlaps(t *testing.T) {
	for width := range 141 {
		for height := range 41 {
			for bits := range 16 {
				s := Showing{Focus: Pane(bits & 3), Note: bits&4 != 0, Questions: bits&8 != 0, Status: bits & 5}
				if p := picture(Arrange(width, height, s)); strings.Contains(p, "!") {
					t.Fatalf("%dx%d %+v:\n%s", width, height, s, p)
				}
			}
		}
	}
}
