package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/tui/form"
	"moot/tui/theme"
	"moot/view"
)

// formDialog is a form as a dialog. A hidden one keeps what was typed.
type formDialog struct {
	*form.Form
	// submit returns what the values do. nil keeps the form open, with an error.
	submit func(v view.Values) perform
	// changed is called after a key may have changed a value; it may be nil.
	changed func()
	// request is the request that the form replies to, or nil.
	request *request
}

func newForm(title string, fields []view.Field, submit func(v view.Values) perform) *formDialog {
	return &formDialog{Form: form.New(title, fields), submit: submit}
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

func (f *formDialog) key(msg tea.Msg) intent {
	submit := f.Key(msg)
	if f.changed != nil {
		f.changed()
	}
	if submit {
		return f.send()
	}
	return nil
}

func (f *formDialog) click(_, y, _, _ int) intent { //nolint:unparam // dialogs that can be clicked have this method
	f.Click(y)
	if f.changed != nil {
		f.changed()
	}
	return nil
}

func (f *formDialog) send() intent {
	if v, ok := f.Submit(); ok {
		if do := f.submit(v); do != nil {
			return do
		}
	}
	return nil
}

func (f *formDialog) setError(key, text string) { f.SetError(key, text) }

func (f *formDialog) editedText() string { return f.Text() }

func (f *formDialog) setEditedText(text string) { f.SetText(text) }

// editable is a dialog with a text that can be written in the person's editor.
type editable interface {
	// editedText is the text that is being written.
	editedText() string
	// setEditedText replaces it.
	setEditedText(text string)
}

// openForm opens a form under a name, filled in with the draft of that name.
func (m *Model) openForm(name string, f *formDialog) {
	if draft, ok := m.drafts[name].(*formDialog); ok {
		f.Adopt(draft.Form)
	}
	m.drafts[name] = f
	m.push(f)
}

// pick is something to choose, and what choosing it does.
type pick = form.Pick[perform]

// picker is a list to choose from as a dialog.
type picker struct {
	*form.Picker[perform]
	// taken is told what is chosen; it may be nil.
	taken func(p pick)
}

func newPicker(title string, fill func() []pick) *picker {
	return &picker{Picker: form.NewPicker(title, fill)}
}

func (p *picker) title() string { return p.Title }

func (p *picker) place() Place { return InList }

func (p *picker) hint() string { return p.Hint() }

func (p *picker) refresh() { p.Refresh() }

func (p *picker) size(l *theme.Look, width, height int) (int, int) { return p.Size(l, width, height) }

func (p *picker) view(l *theme.Look, width, height int) []string { return p.View(l, width, height) }

func (p *picker) key(msg tea.Msg) intent {
	p.Key(msg)
	return nil
}

func (p *picker) scroll(a Action, height int) {
	page := max(height/2, 1)
	p.Move(map[Action]int{ActionUp: -1, ActionDown: 1, ActionPageUp: -page, ActionPageDown: page}[a])
}

func (p *picker) click(_, y, width, height int) intent {
	if p.Click(y, width, height) {
		return p.send()
	}
	return nil
}

func (p *picker) send() intent {
	one, ok := p.Choose()
	if !ok {
		return nil
	}
	if p.taken != nil {
		p.taken(one)
	}
	if one.Do == nil {
		return nil
	}
	return one.Do
}

// questionHead draws the question that a form answers, and what to know about it.
func questionHead(l *theme.Look, width int, o *protocol.Override, about string) []string {
	var rows []string
	for _, line := range l.Wrap(o.Question.Text, width) {
		rows = append(rows, l.Row(width, []theme.Span{l.Bold.Span(line)}, nil))
	}
	if len(o.Asking.About) == 0 {
		if about != "" {
			rows = append(rows, l.Paragraph(width, nil, l.Faint.Span(about), nil, 0)...)
		}
		return rows
	}
	rows = append(rows, theme.Blank(width))
	widest := 0
	for _, a := range o.Asking.About {
		widest = max(widest, l.Width(a.Label))
	}
	for _, a := range o.Asking.About {
		lead := []theme.Span{l.Faint.Span(a.Label + strings.Repeat(" ", widest-l.Width(a.Label)+2))}
		rows = append(rows, l.Paragraph(width, lead, l.Text.Span(a.Text), nil, 0)...)
	}
	return rows
}
