package protocoltest

import (
	"slices"
	"strings"

	"moot/view"
)

// Groups returns the texts of a document in their order, in groups that every form shows together: a row, a line, or
// an item with its notes (SE3). The title comes first.
func Groups(d *view.Document) (groups [][]string) {
	add := func(texts ...string) {
		texts = slices.DeleteFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
		if len(texts) > 0 {
			groups = append(groups, texts)
		}
	}
	section := func(s *view.Section) {
		add(s.Heading())
		for _, line := range s.Lines {
			add(line)
		}
		for _, row := range s.Table {
			add(row...)
		}
		for _, it := range s.Items {
			texts := append([]string{it.ID}, it.Aliases...)
			texts = append(texts, it.Mark, it.Text)
			for _, n := range it.Notes {
				texts = append(texts, n.Label, n.Text, n.Quote)
			}
			add(texts...)
		}
		add(s.After)
	}
	add(d.Lead)
	add(d.Title, d.Question)
	add(d.Stopped)
	for _, notice := range d.Notices {
		add(notice)
	}
	if len(d.Answer.Items) > 0 {
		section(&d.Answer)
	}
	rows := func() {
		for _, r := range d.Rows {
			add(r.Label, r.Text)
		}
	}
	if !d.RowsLast {
		rows()
	}
	add(d.Heading)
	for _, line := range d.Verdict {
		add(line)
	}
	if !d.Open.Empty() {
		section(&d.Open)
	}
	for _, warning := range d.Warnings {
		add(warning)
	}
	for i := range d.Sections {
		section(&d.Sections[i])
	}
	if d.RowsLast {
		rows()
	}
	return groups
}
