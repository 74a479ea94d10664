package home

import (
	"fmt"
	"slices"

	"moot/state/store"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Preview shows the answer of the selected session beside the list. It keeps what was read for as long as the file is the
// same.
type Preview struct {
	*pane.Document
	// key identifies what is shown: a session and its size and time. needs says what it waits for, or is "".
	key, needs string
	// read are the documents by their keys, the latest last.
	read []previewed
}

// previewed is a document, or the error with which it could not be read.
type previewed struct {
	key string
	doc *view.Document
	err error
}

// maxPreviews is the most documents that are kept.
const maxPreviews = 64

// NewPreview returns a preview of no session.
func NewPreview(l *theme.Look) *Preview {
	p := &Preview{}
	p.Document = pane.NewDocument(l, p.parts)
	p.Plain = true
	return p
}

// PreviewKey identifies a session and the version of its file.
func PreviewKey(s *store.Summary) string {
	return fmt.Sprintf("%s %d %d", s.ID, s.Size, s.Changed.UnixNano())
}

// Title implements pane.Pane.
func (p *Preview) Title() string { return pane.PreviewID.String() }

// Shows returns the key of what is shown.
func (p *Preview) Shows() string { return p.key }

// Show shows a session and what it waits for, or nothing for "". It reports whether its document is known; else it has
// to be read.
func (p *Preview) Show(key, needs string) bool {
	if p.needs != needs {
		p.needs = needs
		p.Refresh()
	}
	if p.key != key {
		p.key = key
		p.Win = pane.Window{}
		p.Chosen = ""
		p.Refresh()
	}
	return key == "" || p.find(key) != nil
}

func (p *Preview) find(key string) *previewed {
	i := slices.IndexFunc(p.read, func(one previewed) bool { return one.key == key })
	if i < 0 {
		return nil
	}
	return &p.read[i]
}

// Put keeps the document of a session, or why it cannot be read.
func (p *Preview) Put(key string, doc *view.Document, err error) {
	p.read = append(p.read, previewed{key, doc, err})
	if n := len(p.read) - maxPreviews; n > 0 {
		p.read = slices.Delete(p.read, 0, n)
	}
	if key == p.key {
		p.Refresh()
	}
}

func (p *Preview) parts(l *theme.Look) []pane.Part {
	one := p.find(p.key)
	switch {
	case p.key == "":
		return nil
	case one == nil:
		return []pane.Part{{Blocks: []pane.Block{{Body: l.Faint.Span("reading its answer")}}}}
	case one.err != nil:
		return []pane.Part{{Blocks: []pane.Block{{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(one.err.Error())}}}}
	}
	parts := pane.DocumentParts(l, one.doc)
	if p.needs != "" {
		waits := pane.Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(p.needs), Hang: 2}
		parts = append([]pane.Part{{Blocks: []pane.Block{waits, {}}}}, parts...)
	}
	return parts
}
