package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/tui/form"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// dialog is a window over the panes. The topmost one gets the keys.
type dialog interface {
	title() string
	// place returns the bindings that work in the dialog.
	place() Place
	// size returns the size that the dialog needs inside of its frame, at most the given one.
	size(l *theme.Look, width, height int) (int, int)
	// view draws the inside: exactly height rows of exactly the width.
	view(l *theme.Look, width, height int) []string
	// scroll moves the cursor or what is visible.
	scroll(a Action, height int)
	// key handles a paste, or a key without a binding. It returns what to do once the dialog is closed, or nil.
	key(msg tea.Msg) perform
	// send returns what ActionSend does once the dialog is closed, or nil.
	send() perform
	// hint is shown in the frame beside the keys.
	hint() string
}

// perform runs after a dialog is closed.
type perform func(m *Model) tea.Cmd

// dialog returns the topmost dialog, or nil.
func (m *Model) dialog() dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

func (m *Model) push(d dialog) { m.dialogs = append(m.dialogs, d) }

func (m *Model) pop() { m.dialogs = m.dialogs[:max(len(m.dialogs)-1, 0)] }

// withoutDialogs calls f as if no dialog were open, for lists of what can be done after the list is closed.
func withoutDialogs[T any](m *Model, f func() T) T {
	open := m.dialogs
	defer func() { m.dialogs = open }()
	m.dialogs = nil
	return f()
}

// carryOut closes the dialog and does what it asks for; nil keeps it open.
func (m *Model) carryOut(do perform) tea.Cmd {
	if do == nil {
		return nil
	}
	m.pop()
	return do(m)
}

// open reports whether the dialog accepts keys. A request to a seat must be visible for a quiet moment first.
func (m *Model) open(d dialog) bool {
	f, ok := d.(*formDialog)
	return !ok || f.request == nil || m.armed
}

// drawDialog draws the topmost dialog over the rows of the screen.
func (m *Model) drawDialog(rows []string) []string {
	d := m.dialog()
	if d == nil {
		return rows
	}
	r := m.dialogRect(d)
	if r.Empty() {
		return rows
	}
	for i, line := range m.drawBox(d, r) {
		y := r.Y + i
		if y >= len(rows) {
			break
		}
		rows[y] = m.look.Cut(m.look.Method.Truncate(rows[y], r.X, ""), r.X) + line + m.rest(rows[y], r.X+r.W)
	}
	return rows
}

// rest returns the part of a row from a column on. If a wide character is cut, its remaining cell becomes a space.
func (m *Model) rest(row string, x int) string {
	want := max(m.width-x, 0)
	right := m.look.Method.TruncateLeft(row, x, "")
	for cut := x + 1; m.look.Method.StringWidth(right) > want && cut <= m.width; cut++ {
		right = m.look.Method.TruncateLeft(row, cut, "")
	}
	return theme.Blank(want-m.look.Method.StringWidth(right)) + right
}

// dialogRect centers a dialog. On a small screen it takes all of it.
func (m *Model) dialogRect(d dialog) pane.Rect {
	if m.layout.Kind == TooSmall {
		return pane.Rect{}
	}
	if m.width < smallWidth*3/2 || m.height < 15 {
		return pane.Rect{X: 0, Y: 0, W: m.width, H: m.height}
	}
	if p, ok := d.(*picker); ok && p.fills {
		return pane.Rect{X: 0, Y: 0, W: m.width, H: m.height}
	}
	// A status of several lines stays visible.
	room := m.height - max(m.layout.Status.H-1, 0)
	w, h := d.size(m.look, m.width-8, room-6)
	w, h = min(max(w, 24), m.width-8)+4, min(max(h, 3), room-6)+2
	if m.width-w < 20 {
		w = m.width
	}
	return pane.Rect{X: (m.width - w) / 2, Y: (room - h) / 2, W: w, H: h}
}

func (m *Model) drawBox(d dialog, r pane.Rect) []string {
	l, g := m.look, &m.look.Glyphs
	w, h := max(r.W-4, 0), max(r.H-2, 0)
	title := l.Clip(" "+l.Line(d.title())+" ", r.W-4)
	line := func(left string, middle []theme.Span, used int, tail, right string) string {
		if r.W-3-used-l.Width(tail) < 0 {
			tail = ""
		}
		spans := append([]theme.Span{l.Accent.Span(left + g.Horizontal)}, middle...)
		rest := strings.Repeat(g.Horizontal, max(r.W-3-used-l.Width(tail), 0))
		return l.Row(r.W, append(spans, l.Accent.Span(rest), l.Faint.Span(tail), l.Accent.Span(right)), nil)
	}
	rows := make([]string, 0, r.H)
	rows = append(rows, line(g.TopLeft, []theme.Span{l.Title.Span(title)}, l.Width(title), "", g.TopRight))
	bar := l.Accent.Paint(g.Vertical)
	for _, row := range d.view(l, w, h) {
		rows = append(rows, bar+" "+row+" "+bar)
	}
	if r.H == m.height && m.flash != "" {
		// The dialog covers the status, so its frame shows the message.
		text, style := l.Clip(" "+l.Line(m.flash)+" ", r.W-4), l.User
		if m.flashWarn {
			style = l.Warn
		}
		return append(rows, line(g.BottomLeft, []theme.Span{style.Span(text)}, l.Width(text), "", g.BottomRight))
	}
	hints := append(m.keyHints(r.W-6), theme.Span{Text: " "})
	used := 1
	for _, s := range hints {
		used += l.Width(s.Text)
	}
	tail := d.hint()
	if tail != "" {
		tail = " " + tail + " "
	}
	return append(rows, line(g.BottomLeft, append([]theme.Span{{Text: " "}}, hints...), used, tail, g.BottomRight))
}

// formDialog is a form as a dialog. It keeps its values while it is closed.
type formDialog struct {
	*form.Form
	// submit returns what to do with the values; nil keeps the form open, with an error.
	submit func(v view.Values) perform
	// changed is called after a key may have changed a value. It may be nil.
	changed func()
	// request is the request that the form answers, or nil.
	request *request
}

func newForm(title string, fields []view.Field, submit func(v view.Values) perform) *formDialog {
	return &formDialog{Form: form.New(title, fields), submit: submit}
}

// openForm opens a form with the values of its draft. Drafts have names.
func (m *Model) openForm(name string, f *formDialog) {
	if draft, ok := m.drafts[name].(*formDialog); ok {
		f.Adopt(draft.Form)
	}
	m.drafts[name] = f
	m.push(f)
}

func (f *formDialog) title() string { return f.Title }

func (f *formDialog) place() Place { return InForm }

func (f *formDialog) hint() string { return f.Hint() }

func (f *formDialog) size(l *theme.Look, width, height int) (int, int) {
	return f.Size(l, width, height)
}

func (f *formDialog) view(l *theme.Look, width, height int) []string { return f.View(l, width, height) }

func (f *formDialog) scroll(a Action, _ int) {
	f.Scroll(map[Action]int{ActionUp: -1, ActionDown: 1}[a])
}

func (f *formDialog) key(msg tea.Msg) perform {
	submit := f.Key(msg)
	if f.changed != nil {
		f.changed()
	}
	if submit {
		return f.send()
	}
	return nil
}

func (f *formDialog) send() perform {
	if v, ok := f.Submit(); ok {
		return f.submit(v)
	}
	return nil
}

// questionHead draws a question above the form that answers it, and what the user should know about it.
// end is the number of rows that the user must have seen before approving.
func questionHead(l *theme.Look, width int, o *protocol.Override, about string) (rows []string, end int) {
	if !claims.IsRun(o.Question) { // Its text repeats the command.
		for _, line := range l.Wrap(o.Question.Text, width) {
			rows = append(rows, l.Row(width, []theme.Span{l.Bold.Span(line)}, nil))
		}
	}
	if len(o.Info.About) == 0 {
		if about != "" {
			rows = append(rows, l.Paragraph(width, nil, l.Text.Span(about), nil, 0)...)
		}
		return rows, end
	}
	if len(rows) > 0 {
		rows = append(rows, theme.Blank(width))
	}
	widest := 0
	for _, a := range o.Info.About {
		widest = max(widest, l.Width(a.Label))
	}
	for _, a := range o.Info.About {
		label := l.Faint.Span(l.Padded(a.Label, widest+2))
		if a.Lines {
			rows = append(rows, l.Row(width, []theme.Span{label}, nil))
			for line := range strings.Lines(a.Text) {
				rows = append(rows, l.Paragraph(width, nil, l.Text.Span(strings.TrimSuffix(line, "\n")), nil, 0)...)
			}
		} else {
			rows = append(rows, l.Paragraph(width, []theme.Span{label}, l.Text.Span(a.Text), nil, 0)...)
		}
		if a.Whole {
			end = len(rows)
		}
	}
	return rows, end
}

// reader is a dialog with a text to read: the keys, a challenge, the next prompt.
type reader struct {
	heading string
	// titled returns the heading if it can change; else it is nil.
	titled func() string
	// parts returns the text; it is called again after refresh.
	parts func(l *theme.Look) []pane.Part
	// point is the point that the text is about, or "".
	point string
	// about is the ID of what is shown, or "".
	about string
	// prompt says that the text is the next prompt, which can be edited.
	prompt bool
	// copies returns the text to copy; nil copies what is shown.
	copies func() string

	text          *pane.Document
	width, height int
}

func (r *reader) title() string {
	if r.titled != nil {
		return r.titled()
	}
	return r.heading
}

func (r *reader) place() Place { return InReader }

func (r *reader) hint() string { return "" }

func (r *reader) key(tea.Msg) perform { return nil }

func (r *reader) send() perform { return nil }

// document returns the text in a look.
func (r *reader) document(l *theme.Look) *pane.Document {
	if r.text == nil {
		r.text = pane.NewDocument(l, r.parts)
		r.text.Plain = true
	}
	r.text.SetLook(l)
	return r.text
}

func (r *reader) size(l *theme.Look, width, height int) (int, int) {
	w := min(width, 100)
	return w, min(height, r.document(l).Height(w))
}

func (r *reader) view(l *theme.Look, width, height int) []string {
	r.width, r.height = width, height
	return r.document(l).View(width, height)
}

func (r *reader) scroll(a Action, _ int) {
	if r.text != nil {
		r.text.Scroll(pane.Motion(a), r.width, r.height)
	}
}

// refresh draws the text again because the session has changed.
func (r *reader) refresh() {
	if r.text != nil {
		r.text.Refresh()
	}
}

// copied returns the text with unwrapped lines.
func (r *reader) copied(l *theme.Look) string {
	if r.copies != nil {
		return r.copies()
	}
	return r.document(l).Content()
}
