package results

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
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
	// Tables stand before the pictures, Long ones behind them.
	Tables, Long []Table
}

// picture is a chart on a light and on a dark ground; the page shows one of them.
type picture struct{ Light, Dark template.HTML }

// Page makes one page of HTML out of some files. It needs nothing beside itself, no
// script and no network, and follows the reader's choice of light or dark. No file at all is an error.
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
	light, dark := Charts(d, fmt.Sprintf("light-%d", at), true), Charts(d, fmt.Sprintf("dark-%d", at), true)
	for i := range light {
		s.Pictures = append(s.Pictures, picture{
			Light: template.HTML(light[i].SVG(figure.SVGStyle{})),          //nolint:gosec // the chart escapes every text
			Dark:  template.HTML(dark[i].SVG(figure.SVGStyle{Dark: true})), //nolint:gosec // as above
		})
	}
	return s
}

// Broken says that a document does not hold all that was planned, or "".
func Broken(d *measure.Document) string {
	if d.Whole() {
		return ""
	}
	return fmt.Sprintf("broken off: %d of %d hearings were held, and the figures are of those", d.Done, d.Planned)
}
