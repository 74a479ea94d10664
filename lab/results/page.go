package results

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strings"

	"moot/figure"
	"moot/internal/plain"
	"moot/lab/measure"
)

//go:embed page.html
var pageTemplate string

// File is a document with the name of the file that it was read from.
type File struct {
	Name     string
	Document measure.Document
}

// section is a file on the page.
type section struct {
	Title, File, Broken string
	Stated              []string
	Pictures            []picture
	// Tables are above the pictures, Long ones below them.
	Tables, Long []Table
}

// picture is a chart on a light and on a dark ground; the page shows one of them.
type picture struct{ Light, Dark template.HTML }

// Page makes one HTML page from files of results. It has no scripts or external resources, and follows the reader's
// choice of light or dark. Without files it fails.
func Page(files []File) (string, error) {
	if len(files) == 0 {
		return "", errors.New("there is no file of results to report on")
	}
	var page struct{ Sections []section }
	for i := range files {
		page.Sections = append(page.Sections, sectionOf(&files[i], i))
	}
	parsed, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return "", fmt.Errorf("read the template of the page: %w", err)
	}
	var out strings.Builder
	if err := parsed.Execute(&out, page); err != nil {
		return "", fmt.Errorf("write the page: %w", err)
	}
	return out.String(), nil
}

func sectionOf(f *File, at int) section {
	d := &f.Document
	s := section{Title: plain.Line(d.Title), File: plain.Line(f.Name), Broken: Broken(d)}
	for _, t := range Tables(d) {
		if t.Long {
			s.Long = append(s.Long, t)
		} else {
			s.Tables = append(s.Tables, t)
		}
	}
	for _, line := range d.Stated {
		s.Stated = append(s.Stated, plain.Line(line))
	}
	light, dark := Charts(d, fmt.Sprintf("light-%d", at)), Charts(d, fmt.Sprintf("dark-%d", at))
	for i := range light {
		s.Pictures = append(s.Pictures, picture{
			Light: template.HTML(light[i].SVG(figure.SVGStyle{})),          //nolint:gosec // the chart escapes every text
			Dark:  template.HTML(dark[i].SVG(figure.SVGStyle{Dark: true})), //nolint:gosec // as above
		})
	}
	return s
}

// Charts draws a document: for each half the calibration plots, then the confidence by round. The ids in the SVG start
// with name.
func Charts(d *measure.Document, name string) []*figure.Chart {
	var charts []*figure.Chart
	for i, p := range parts(d) {
		mark := strings.TrimSuffix(p.title, ": ")
		var reliability []figure.Reliability
		for _, s := range p.summaries {
			r := figure.Reliability{Name: p.labels.of(s.Mode), Error: s.Calibration.Error()}
			for _, b := range s.Calibration {
				r.Bins = append(r.Bins, figure.Bin{Confidence: b.Mean(), Right: b.Right.Share(), Count: b.Right.Total})
			}
			reliability = append(reliability, r)
		}
		for _, c := range []*figure.Chart{
			figure.Calibration(fmt.Sprintf("%s-%d-calibration", name, i), mark, reliability),
			figure.Traces(fmt.Sprintf("%s-%d-traces", name, i), mark, p.traces()),
		} {
			if c.Empty() == "" {
				charts = append(charts, c)
			}
		}
	}
	return charts
}

// traces returns the confidence by round of each mode. Modes that share their hearings, since several judges ruled on
// them, are drawn once and without the judge.
func (p *part) traces() []figure.Trace {
	var found []figure.Trace
	shared := labels{seats: p.labels.seats}
	for _, s := range p.summaries {
		t := figure.Trace{Name: shared.of(s.Mode)}
		for _, round := range s.Traces {
			t.Architect = append(t.Architect, figure.Stand{Mean: round.Architect.Mean, Count: round.Architect.N})
			t.Skeptic = append(t.Skeptic, figure.Stand{Mean: round.Skeptic.Mean, Count: round.Skeptic.N})
		}
		if at := slices.IndexFunc(found, func(o figure.Trace) bool { return o.Name == t.Name }); at >= 0 {
			if reflect.DeepEqual(found[at], t) {
				continue
			}
			t.Name = p.labels.of(s.Mode)
		}
		found = append(found, t)
	}
	return found
}
