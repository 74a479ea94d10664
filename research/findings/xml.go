package findings

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds of XML: how deep elements nest and how many there are.
const (
	maxDepth    = 64
	maxElements = 2_000_000
)

// element is an open element with its attributes.
type element struct {
	name string
	at   map[string]string
}

// readXML reads JUnit, Checkstyle and Cobertura, whose root element says which it is. Entities that a document defines
// are not expanded: one that is used ends the reading.
func readXML(text string) (r Report, err error) {
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var open []element
	lines, failed, said, count := &hits{}, Finding{}, strings.Builder{}, 0
	up := func(name string) map[string]string {
		for i := len(open) - 1; i >= 0; i-- {
			if open[i].name == name {
				return open[i].at
			}
		}
		return nil
	}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return r, fmt.Errorf("the report is no valid XML: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if count++; count > maxElements || len(open) == maxDepth {
				return r, fmt.Errorf("the report has more than %d elements, or more than %d in each other", maxElements, maxDepth)
			}
			e := element{t.Name.Local, map[string]string{}}
			for _, a := range t.Attr {
				e.at[a.Name.Local] = a.Value
			}
			open = append(open, e)
			if len(open) == 1 {
				form, known := map[string]string{
					"testsuites": "JUnit", "testsuite": "JUnit", "checkstyle": "Checkstyle", "coverage": "Cobertura",
				}[e.name]
				if !known {
					return r, ErrUnknown
				}
				r.Form = form
			}
			number, _ := strconv.Atoi(e.at["line"])
			switch {
			case r.Form == "JUnit" && (e.name == "failure" || e.name == "error") && up("testcase") != nil:
				test := up("testcase")
				number, _ = strconv.Atoi(test["line"])
				failed = Finding{
					Tool: "JUnit", Rule: strings.TrimPrefix(test["classname"]+"."+test["name"], "."), Path: test["file"], Line: number,
					Level: e.name, Message: e.at["message"],
				}
				said.Reset()
			case r.Form == "Checkstyle" && e.name == "error":
				r.Findings = append(r.Findings, Finding{
					Tool: "Checkstyle", Rule: e.at["source"], Path: up("file")["name"], Line: number, Level: e.at["severity"],
					Message: e.at["message"],
				})
			case r.Form == "Cobertura" && e.name == "line" && up("class") != nil && up("method") == nil:
				number, _ = strconv.Atoi(e.at["number"])
				lines.add(up("class")["filename"], number, len(strings.Trim(e.at["hits"], "0")))
			}
		case xml.CharData:
			if failed.Level != "" && said.Len() < maxLine {
				said.Write(t)
			}
		case xml.EndElement:
			if t.Name.Local == failed.Level && failed.Level != "" {
				r.Findings = append(r.Findings, placed(failed, said.String()))
				failed = Finding{}
			}
			open = open[:len(open)-1]
		}
	}
	if r.Form == "" {
		return r, ErrUnknown
	}
	r.Findings = append(r.Findings, lines.findings("Cobertura")...)
	return r, nil
}

// placed completes a failed test of JUnit from the text of its failure, which names a place in most languages.
func placed(f Finding, text string) Finding {
	for line := range strings.Lines(text) {
		m := testLine.FindStringSubmatch(line)
		if f.Line == 0 && m != nil && (f.Path == "" || strings.HasSuffix(f.Path, m[1])) {
			f.Line, _ = strconv.Atoi(m[2])
			if f.Path == "" {
				f.Path = m[1]
			}
		}
	}
	if f.Message == "" || f.Message == "Failed" {
		f.Message = strings.TrimSpace(text)
	}
	return f
}
