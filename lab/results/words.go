package results

import (
	"fmt"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/lab/measure"
	"moot/state"
)

// percent is a share in hundredths, without its sign.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }

// interval is that of a proportion, in hundredths.
func interval(p measure.Proportion) string {
	low, high := p.Wilson()
	return percent(low) + "-" + percent(high)
}

// shareOf is a share with its interval, "-" of nothing.
func shareOf(p measure.Proportion) string {
	if p.Total == 0 {
		return "-"
	}
	return percent(p.Share()) + " " + interval(p)
}

// onlyShare is a share, "-" of nothing.
func onlyShare(p measure.Proportion) string {
	if p.Total == 0 {
		return "-"
	}
	return percent(p.Share())
}

// figure3 writes a number with three digits behind the point.
func figure3(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// chance writes a p value; what is smaller than anybody needs is said so.
func chance(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// labels names modes as briefly as they can be told apart.
type labels struct {
	// seats are those that need no word: of the first mode. judges says that the
	// judge is named.
	seats  string
	judges bool
}

// labelsOf are for the modes of some summaries.
func labelsOf(summaries []*measure.Summary) labels {
	l := labels{}
	for i, s := range summaries {
		if i == 0 {
			l.seats = s.Mode.Seats
		}
		l.judges = l.judges || s.Mode.Judge != summaries[0].Mode.Judge
	}
	return l
}

// of is the name of a mode.
func (l labels) of(m measure.Mode) string {
	parts := []string{m.FormName()}
	if m.Form == state.FormSelective {
		parts[0] = fmt.Sprintf("%s %s > %s", m.Form, m.Gate, m.Then)
	}
	if l.judges {
		parts = append(parts, string(m.Judge))
	}
	if m.Seats != l.seats {
		parts = append(parts, m.Seats)
	}
	return plain.Line(strings.Join(parts, ", "))
}

// part is the summaries of one half.
type part struct {
	// title is what the titles of its tables begin with.
	title  string
	shown  []*measure.Summary
	labels labels
	half   measure.Half
}

// parts cuts the summaries of a document by half.
func parts(d *measure.Document) []part {
	var found []part
	for _, half := range measure.Halves() {
		p := part{half: half, title: titleOf(half)}
		for i := range d.Summaries {
			if s := &d.Summaries[i]; s.Half == half {
				p.shown = append(p.shown, s)
			}
		}
		if len(p.shown) > 0 {
			p.labels = labelsOf(p.shown)
			found = append(found, p)
		}
	}
	return found
}

// titleOf is the half that a table is about, as its title begins.
func titleOf(half measure.Half) string {
	if half == measure.NoHalf {
		return "all cases: "
	}
	return string(half) + " half: "
}
