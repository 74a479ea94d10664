package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/lab/measure"
	"moot/plain"
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

// part is the summaries of one half whose figures are told in full.
type part struct {
	// title is what the titles of its tables begin with.
	title string
	// shown are told in full, all are those of every judge.
	shown, all []*measure.Summary
	labels     labels
	half       measure.Half
}

// parts cuts the summaries of a document by half.
func parts(d *measure.Document) []part {
	var found []part
	for _, half := range measure.Halves() {
		p := part{title: string(d.Origin), half: half}
		if half != measure.NoHalf {
			p.title += ", " + string(half) + " half"
		}
		for i := range d.Summaries {
			s := &d.Summaries[i]
			if s.Half != half {
				continue
			}
			p.all = append(p.all, s)
			if len(d.Judges) == 0 || slices.Contains(d.Judges, s.Mode.Judge) {
				p.shown = append(p.shown, s)
			}
		}
		if len(p.shown) == 0 {
			p.shown = p.all
		}
		if len(p.all) > 0 {
			p.labels = labelsOf(p.shown)
			if judges := judgesOf(p.shown); len(judges) == 1 {
				p.title += ", judge " + string(judges[0])
			}
			p.title += ": "
			found = append(found, p)
		}
	}
	return found
}

// judgesOf are the judges of some summaries, in their order.
func judgesOf(summaries []*measure.Summary) []state.JudgeVersion {
	var judges []state.JudgeVersion
	for _, s := range summaries {
		if !slices.Contains(judges, s.Mode.Judge) {
			judges = append(judges, s.Mode.Judge)
		}
	}
	return judges
}
