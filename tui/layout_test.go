package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/tui/pane"
)

// picture draws a layout with a letter per part.
func picture(l Layout) string {
	rows := make([][]byte, l.Height)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", l.Width))
	}
	draw := func(r pane.Rect, c byte) {
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
	for i, r := range []pane.Rect{l.Header, l.Phases, l.Note, l.Status, l.Questions, l.Footer, l.Slider, l.Head} {
		draw(r, "hpnsqfSd"[i])
	}
	for p, r := range l.Panes {
		draw(r, "DPQLGKRNXBCHvrb"[p])
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

// batchRows is what the screen of a batch shows.
func batchRows(head, running int) func(int, int) BatchShowing {
	return func(int, int) BatchShowing { return BatchShowing{Head: head, Running: running} }
}

// holding is what panes hold: the rows that they can use.
func holding(buckets, challenges, ledger int) func(pane.ID, int, int) int {
	return func(p pane.ID, _, most int) int {
		return min(map[pane.ID]int{pane.BucketsID: buckets, pane.ChallengesID: challenges, pane.LedgerID: ledger}[p], most)
	}
}

// Rows are given to those that want them; what nobody wants is for the last one.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		total  int
		wanted []int
		want   string
	}{
		{20, []int{5, 1, 3}, "[5 1 14]"},
		{20, []int{30, 1, 40}, "[9 1 10]"},
		{21, []int{30, 30, 30}, "[7 7 7]"},
		{20, []int{30, 1, 3}, "[16 1 3]"},
		{3, []int{30, 30, 30}, "[1 1 1]"},
	} {
		if got := fmt.Sprint(share(c.total, c.wanted)); got != c.want {
			t.Errorf("%d rows for %v: %s, not %s", c.total, c.wanted, got, c.want)
		}
	}
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
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+56 B43 +1
			+1 C54 +1 B43 +1
			+1 C54 +1 B43 +1
			+100
			+1 L98 +1
			+1 L98 +1
			+1 L98 +1
			+100
			s100
			f100`},
		{"wide with note and questions", 120, 20, Showing{Note: true, Questions: true}, `
			h120
			p120
			n120
			+120
			+1 D66 +1 B51 +1
			+1 D66 +1 B51 +1
			+1 D66 +1 B51 +1
			+1 D66 +1 B51 +1
			+1 D66 +1 B51 +1
			+68 B51 +1
			+1 C66 +1 B51 +1
			+1 C66 +1 B51 +1
			+120
			+1 L118 +1
			+1 L118 +1
			+1 L118 +1
			+120
			s120
			q120
			f120`},
		{"panes shrink to what they hold", 100, 18, Showing{Rows: holding(9, 0, 1)}, `
			h100
			p100
			+100
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+1 D54 +1 B43 +1
			+56 B43 +1
			+1 C54 +1 B43 +1
			+100
			+1 L98 +1
			+100
			s100
			f100`},
		{"from 160 columns the debate has the full height", 160, 18, Showing{Rows: holding(4, 0, 99)}, `
			h160
			p160
			+160
			+1 D88 +1 B69 +1
			+1 D88 +1 B69 +1
			+1 D88 +1 B69 +1
			+1 D88 +1 B69 +1
			+1 D88 +71
			+1 D88 +1 C69 +1
			+1 D88 +71
			+1 D88 +1 L69 +1
			+1 D88 +1 L69 +1
			+1 D88 +1 L69 +1
			+1 D88 +1 L69 +1
			+1 D88 +1 L69 +1
			+160
			s160
			f160`},
		{"panes that hold too much share the rows", 200, 20, Showing{Rows: holding(99, 99, 2), Note: true}, `
			h200
			p200
			n200
			+200
			+1 D110 +1 B87 +1
			+1 D110 +1 B87 +1
			+1 D110 +1 B87 +1
			+1 D110 +1 B87 +1
			+1 D110 +89
			+1 D110 +1 C87 +1
			+1 D110 +1 C87 +1
			+1 D110 +1 C87 +1
			+1 D110 +1 C87 +1
			+1 D110 +1 C87 +1
			+1 D110 +89
			+1 D110 +1 L87 +1
			+1 D110 +1 L87 +1
			+200
			s200
			f200`},
		{"another view has the room of the debate, the challenges and the ledger", 100, 18, Showing{Main: pane.GraphID}, `
			h100
			p100
			+100
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+1 G62 +1 B35 +1
			+100
			s100
			f100`},
		{"a slider, and a view with all the room", 100, 18, Showing{Main: pane.PointsID, Focus: pane.PointsID, Zoom: true, Slider: true}, `
			h100
			p100
			+100
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+100
			S100
			s100
			f100`},
		{"the table has all the room", 100, 18, Showing{Main: pane.PointsID, Focus: pane.PointsID, Note: true}, `
			h100
			p100
			n100
			+100
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+1 P98 +1
			+100
			s100
			f100`},
		{"home", 40, 12, Showing{Focus: pane.HomeID, Note: true, Questions: true}, `
			h40
			.40
			H40
			H40
			H40
			H40
			H40
			H40
			H40
			H40
			s40
			f40`},
		{"compact", 40, 12, Showing{Focus: pane.LedgerID}, `
			h40
			p40
			+40
			L40
			L40
			L40
			L40
			L40
			L40
			L40
			s40
			f40`},
		{"batch", 80, 20, Showing{Focus: pane.BatchID, Questions: true, Slider: true, Batch: batchRows(4, 3)}, `
			h80
			d80
			d80
			d80
			d80
			.80
			.80
			r80
			r80
			r80
			.80
			.80
			b80
			b80
			b80
			b80
			b80
			b80
			s80
			f80`},
		{"batch that does not run", 60, 18, Showing{Focus: pane.BatchID, Status: 2, Batch: batchRows(9, 0)}, `
			h60
			d60
			d60
			d60
			d60
			d60
			d60
			d60
			d60
			d60
			.60
			.60
			b60
			b60
			b60
			s60
			s60
			f60`},
		{"small batch", 40, 12, Showing{Focus: pane.RunningID, Batch: batchRows(3, 2)}, `
			h40
			d40
			d40
			d40
			.40
			r40
			r40
			r40
			r40
			r40
			s40
			f40`},
		{"home with a preview", 120, 12, Showing{Focus: pane.HomeID, Preview: true}, `
			h120
			.120
			H58 .3 v59
			H58 .3 v59
			H58 .3 v59
			H58 .3 v59
			H58 .3 v59
			H58 .3 v59
			H58 .3 v59
			H58 .3 v59
			s120
			f120`},
		{"home without room for one", 119, 12, Showing{Focus: pane.HomeID, Preview: true}, `
			h119
			.119
			H119
			H119
			H119
			H119
			H119
			H119
			H119
			H119
			s119
			f119`},
		{"too small", 39, 2, Showing{}, ".39\n.39"},
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
