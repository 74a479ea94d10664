package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/figure"
	"moot/internal/plain"
	"moot/state"
	"moot/view"
)

// The figures of the page are data that the template draws: numbers and texts, no markup.

// htmlMap is the argument map, a tree with a row for each box.
type htmlMap struct {
	Title, Summary string
	Width, Height  int
	Rows           []mapRow
	// More says how many boxes are left out, or is "".
	More string
}

// mapRow is a row of the map. X and Y are the left end and the middle of its box, in pixels.
type mapRow struct {
	// Heading is set in the rows that begin a bucket, which have nothing else but Role.
	Heading, Role string
	ID, Link      string
	X, Y, Width   int
	// IDX is the middle of the box.
	IDX int
	// Outline draws the box in its kind, Kind names the kind, and Trunks are the lines past the box.
	Outline, Kind string
	Trunks        []mapLine
	// Elbow leads from the line of the parent to the box. Bearing is its class.
	Elbow, Bearing string
	// Word says how it bears on its parent.
	Word   string
	Broken bool
	TextX  int
	Status []figure.Run
	Text   string
}

type mapLine struct{ X, From, To int }

// The layout of the map, in pixels. mapWidth is as wide as the page's column; a phone shows the left part.
const (
	mapWidth, mapRowHeight, mapStep, boxHeight = 720, 30, 24, 22
	mapTop, charWidth                          = 8, 7
)

func (p *htmlPage) drawMap() {
	if p.state.Points.Len() == 0 {
		return
	}
	m := figure.New(p.state, p.rulings, ansi.GraphemeWidth, false)
	out := htmlMap{Title: p.clean(m.Title(), 300), Summary: p.clean(m.Summary(), 300), Width: mapWidth}
	y := mapTop
	branches := m.Branches()
	for i := range branches {
		b := &branches[i]
		if i >= mostBoxes {
			out.More = plain.Counted(len(branches)-i, "more box") + ", which the claims above list"
			break
		}
		if b.Heading != nil {
			if i > 0 {
				y += 10
			}
			words := ""
			for _, run := range b.Heading {
				words += run.Text
			}
			out.Rows = append(out.Rows, mapRow{Heading: words, Role: string(b.Heading[0].Role), Y: y + mapRowHeight/2})
			y += mapRowHeight
		}
		out.Rows = append(out.Rows, p.mapRow(b, y+mapRowHeight/2))
		y += mapRowHeight
	}
	out.Height = y + mapTop
	p.Map = out
}

func (p *htmlPage) mapRow(b *figure.Branch, y int) mapRow {
	row := mapRow{
		ID: p.clean(b.ID, 20), X: 2 + mapStep*b.Level, Y: y, Width: 20 + 8*len(b.ID), Bearing: string(b.Bearing),
		Broken: b.Broken,
	}
	if id, _, _ := strings.Cut(b.ID, "."); p.known[id] {
		row.Link = id
	}
	row.Word = b.Word
	if at := strings.LastIndexByte(row.Word, ' '); at > 0 && idForm.MatchString(strings.SplitN(row.Word[at+1:], ".", 2)[0]) {
		row.Word = row.Word[:at] // The line leads to what it bears on.
	}
	row.Outline, row.Kind = outline(b.Kind, row.X, y, row.Width)
	for level, continues := range b.Trunks {
		x := 2 + mapStep*level + mapStep/2
		parent := level == len(b.Trunks)-1
		if continues && !parent {
			row.Trunks = append(row.Trunks, mapLine{x, y - mapRowHeight/2, y + mapRowHeight/2})
		}
		if parent {
			to := y
			if continues {
				to = y + mapRowHeight/2
			}
			row.Trunks = append(row.Trunks, mapLine{x, y - mapRowHeight/2 - 4, to})
			row.Elbow = fmt.Sprintf("M%d %d H%d", x, y, row.X)
		}
	}
	used := len([]rune(row.Word)) + 1
	for _, run := range b.Title {
		run.Text = plain.Line(p.clean(run.Text, 80))
		used += len([]rune(run.Text))
		row.Status = append(row.Status, figure.Run{Text: run.Text, Role: run.Role})
	}
	row.IDX, row.TextX = row.X+row.Width/2, row.X+row.Width+6
	room := (mapWidth-row.TextX)/charWidth - used - 3
	if text := p.clean(plain.Line(b.Text), mostText); room > 8 && text != "" {
		row.Text = plain.Clip(text, room)
	}
	return row
}

// outline is the path of a box in its kind, and the name of the kind.
func outline(kind figure.Kind, x, y, width int) (path, name string) {
	top, bottom, right, cut := y-boxHeight/2, y+boxHeight/2, x+width, 7
	switch kind {
	case figure.KindPoint:
		return fmt.Sprintf("M%d %d H%d A11 11 0 0 1 %d %d H%d A11 11 0 0 1 %d %d Z", x+11, top, right-11, right-11, bottom,
			x+11, x+11, top), "claim"
	case figure.KindChallenge:
		return fmt.Sprintf("M%d %d H%d L%d %d L%d %d H%d L%d %d Z", x+cut, top, right-cut, right, y, right-cut, bottom, x+cut,
			x, y), "challenge"
	case figure.KindDefense:
		return fmt.Sprintf("M%d %d H%d V%d L%d %d H%d L%d %d Z", x, top, right, bottom-cut, right-cut, bottom, x+cut, x,
			bottom-cut), "answer"
	case figure.KindEvidence:
	}
	return fmt.Sprintf("M%d %d H%d L%d %d V%d H%d Z", x, top, right-cut, right, top+cut, bottom, x), "evidence"
}

// htmlBuckets is the chart of the points by bucket over the rounds, with the same as a table.
type htmlBuckets struct {
	Height int
	Bars   []bar
	Table  htmlSection
}

type bar struct {
	Label string
	Y     int
	Parts []barPart
}

type barPart struct {
	Role, Text  string
	X, Y, Width int
	// Middle is where the text is, if there is room.
	Middle int
}

// The layout of the bars.
const barLeft, barRight, barStep = 30, 340, 30

func (p *htmlPage) drawBuckets(rounds []view.Round) {
	most := 0
	for i := range rounds {
		total := 0
		for _, n := range rounds[i].Counts {
			total += n
		}
		most = max(most, total)
	}
	y := 4
	for i := range rounds {
		r := &rounds[i]
		if !r.Ruled || most == 0 {
			continue
		}
		b := bar{Label: strconv.Itoa(r.Number), Y: y}
		x := barLeft
		for _, bucket := range state.Buckets() {
			n := r.Counts[bucket]
			if n == 0 {
				continue
			}
			sign, role, _ := figure.BucketLook(bucket)
			width := (barRight - barLeft) * n / most
			part := barPart{Role: string(role), X: x, Y: y, Width: max(width-2, 1)}
			if width >= 26 {
				part.Text, part.Middle = fmt.Sprintf("%s %d", sign, n), x+width/2-1
			}
			b.Parts, x = append(b.Parts, part), x+width
		}
		p.Buckets.Bars, y = append(p.Buckets.Bars, b), y+barStep
	}
	p.Buckets.Height = y
	if len(p.Buckets.Bars) > 0 {
		p.Buckets.Table = p.section(&view.Section{Table: view.BucketTable(rounds)}, "")
	}
}

// htmlConfidence are charts of confidence, one for each point, with the same as a table.
type htmlConfidence struct {
	Charts []chart
	Table  htmlSection
	More   string
}

type chart struct {
	Point      []span
	Name, Text string
	Rounds     []tick
	Seats      []curve
	Remarks    [][]span
}

type tick struct {
	X    int
	Text string
}

// curve is the confidence of a seat. Mark is the path of its sign at each report.
type curve struct {
	Seat, Last, Path, Class, Legend string
	Marks                           []string
}

// The layout of a chart: rounds are columns, and confidence 1 is at the top.
const chartLeft, chartRight, chartTop, chartBottom = 26, 250, 8, 92

func (p *htmlPage) drawConfidence() {
	traces := view.Traces(p.state, "")
	last := 0
	for i := range traces {
		for j := range traces[i].Seats {
			for round, r := range traces[i].Seats[j].Rounds {
				if r.Known {
					last = max(last, round)
				}
			}
		}
	}
	if last == 0 {
		return
	}
	p.Confidence.Table = p.section(&view.Section{Table: view.ConfidenceTable(traces, last)}, "")
	// A seat has the same sign in all charts.
	var seats []state.Seat
	for i := range traces {
		for j := range traces[i].Seats {
			if seat := traces[i].Seats[j].Seat; !slices.Contains(seats, seat) {
				seats = append(seats, seat)
			}
		}
	}
	at := func(round int) int {
		if last == 1 {
			return (chartLeft + chartRight) / 2
		}
		return chartLeft + 12 + (chartRight-chartLeft-24)*(round-1)/(last-1)
	}
	for i := range traces {
		if i >= mostCharts {
			p.Confidence.More = plain.Counted(len(traces)-i, "more claim") + " in the table only"
			break
		}
		t := &traces[i]
		c := chart{Point: p.text(t.Point), Name: p.clean(t.Point, 20), Remarks: p.lines(t.Remarks)}
		if point := p.state.Point(t.Point); point != nil {
			c.Text = plain.Clip(p.clean(point.Text, mostText), 90)
		}
		for round := 1; round <= last; round++ {
			c.Rounds = append(c.Rounds, tick{at(round), strconv.Itoa(round)})
		}
		for j := range t.Seats {
			seat := &t.Seats[j]
			which := slices.Index(seats, seat.Seat)
			line := curve{
				Seat: p.clean(string(seat.Seat), 60), Class: fmt.Sprint("s", which%4+1), Legend: sign(which, 7, 7),
			}
			for round := 1; round <= last; round++ {
				r := seat.Rounds[round]
				if !r.Known {
					continue
				}
				y := chartBottom - int(float64(chartBottom-chartTop)*min(max(r.Admitted, 0), 1)+0.5)
				step := "L"
				if line.Path == "" {
					step = "M"
				}
				line.Path += fmt.Sprintf("%s%d %d", step, at(round), y)
				line.Marks = append(line.Marks, sign(which, at(round), y))
				line.Last = fmt.Sprintf("%.2f", r.Admitted)
			}
			c.Seats = append(c.Seats, line)
		}
		p.Confidence.Charts = append(p.Confidence.Charts, c)
	}
}

// sign is the path of the sign of a seat: a circle, a square, a triangle or a diamond.
func sign(seat, x, y int) string {
	switch seat % 4 {
	case 0:
		return fmt.Sprintf("M%d %da4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", x-4, y)
	case 1:
		return fmt.Sprintf("M%d %dh8v8h-8Z", x-4, y-4)
	case 2:
		return fmt.Sprintf("M%d %dl5 9h-10Z", x, y-5)
	}
	return fmt.Sprintf("M%d %dl5 5l-5 5l-5 -5Z", x, y-5)
}
