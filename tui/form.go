package tui

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/state"
)

// giveAnswer and giveReply are what the forms want done.
type giveAnswer struct {
	form   *questionForm
	answer string
}

type giveReply struct {
	request *request
	text    string
}

func (giveAnswer) intent() {}
func (giveReply) intent()  {}

// newInput is a line to type in, whose cursor does not blink: an idle screen
// wakes nobody up.
func newInput(placeholder string) textinput.Model {
	input := textinput.New()
	input.Prompt = "> "
	input.Placeholder = placeholder
	styles := input.Styles()
	styles.Cursor.Blink = false
	input.SetStyles(styles)
	input.Focus()
	return input
}

// inputRow draws a line to type in, cut to the width.
func inputRow(l *look, input *textinput.Model, width int) string {
	input.SetStyles(l.input)
	input.SetWidth(max(width-3, 1))
	return l.cut(input.View(), width)
}

// cut makes a styled row exactly as wide. What is cut between the parts of a
// sign may still be too wide, and is cut again.
func (l *look) cut(row string, width int) string {
	for k := width; k >= 0 && l.method.StringWidth(row) > width; k-- {
		row = l.method.Truncate(row, k, "")
	}
	return row + blank(width-l.method.StringWidth(row))
}

// fit cuts and fills rows to a height.
func fit(rows []string, width, height int) []string {
	rows = rows[:min(len(rows), max(height, 0))]
	for len(rows) < height {
		rows = append(rows, blank(width))
	}
	return rows
}

// questionForm answers a question of the session.
type questionForm struct {
	question state.Question
	about    string
	input    textinput.Model
	// chosen is the option that is selected, -1 for what is typed.
	chosen int
	// wrong says why the answer was refused, or "".
	wrong string
	// spots are the rows at which the options begin, as they were drawn last, and
	// after them where they end.
	spots []int
}

func newQuestionForm(q state.Question, about string) *questionForm {
	f := &questionForm{question: q, about: about, chosen: -1, input: newInput("your answer")}
	if len(q.Options) > 0 {
		f.input.Placeholder = "or another answer"
		if q.Kind != state.QuestionApproval {
			// What one gives leave for is never a bare enter away.
			f.chosen = 0
		}
	}
	return f
}

func (f *questionForm) title() string {
	return f.question.ID + " asks you: " + string(f.question.Kind)
}

func (f *questionForm) place() Place { return InForm }

func (f *questionForm) hint() string {
	if len(f.question.Options) > 0 {
		return "1-9 or up down chooses, enter answers"
	}
	return "enter answers"
}

func (f *questionForm) size(_ *look, width, height int) (int, int) {
	return min(width, 90), min(height, 8+2*len(f.question.Options)+len(f.question.Text)/80)
}

func (f *questionForm) scroll(Action, int) {}

func (f *questionForm) setError(_, text string) { f.wrong = text }

func (f *questionForm) key(msg tea.Msg) intent {
	f.wrong = ""
	options := len(f.question.Options)
	if k, ok := msg.(tea.KeyPressMsg); ok && options > 0 {
		n, err := strconv.Atoi(k.String())
		switch {
		case err == nil && n >= 1 && n <= options && f.input.Value() == "":
			f.chosen = n - 1
			return nil
		case k.String() == "up" || k.String() == "down":
			f.move(when(k.String() == "up", -1, 1))
			return nil
		}
	}
	if isPress(msg, "enter") {
		return f.send()
	}
	f.input, _ = f.input.Update(msg)
	if f.input.Value() != "" {
		f.chosen = -1
	}
	return nil
}

// move goes through the options and the line to type in.
func (f *questionForm) move(by int) {
	n := len(f.question.Options) + 1
	f.chosen = (f.chosen+1+by+n)%n - 1
}

func (f *questionForm) send() intent {
	answer := strings.TrimSpace(f.input.Value())
	if f.chosen >= 0 {
		answer = f.question.Options[f.chosen]
	}
	if answer == "" {
		return nil
	}
	return giveAnswer{f, answer}
}

func (f *questionForm) view(l *look, width, height int) []string {
	var rows []string
	for _, line := range l.wrap(f.question.Text, width) {
		rows = append(rows, l.row(width, []span{{l.bold, line}}, nil))
	}
	if f.about != "" {
		rows = append(rows, l.paragraph(width, nil, span{l.faint, f.about}, nil, 0)...)
	}
	rows = append(rows, blank(width))
	f.spots = f.spots[:0]
	for i, o := range f.question.Options {
		f.spots = append(f.spots, len(rows))
		mark, st := "  ", l.text
		if i == f.chosen {
			mark, st = l.glyphs.pointer+" ", l.accent
		}
		rows = append(rows, l.paragraph(width, []span{{l.accent, mark}, {st, strconv.Itoa(i+1) + "  "}}, span{st, o}, nil, 0)...)
	}
	f.spots = append(f.spots, len(rows))
	if f.wrong != "" {
		said := l.paragraph(width, []span{{l.warn, l.glyphs.warn + " "}}, span{l.warn, f.wrong}, nil, mostShown)
		rows = append(said, rows...)
		for i := range f.spots {
			f.spots[i] += len(said)
		}
	}
	// The line to type in stays in view, whatever the text's length.
	if room := max(height-1, 0); len(rows) > room {
		rows = rows[:room]
	}
	rows = append(rows, inputRow(l, &f.input, width))
	return fit(rows, width, height)
}

// click chooses an option, or the line to type in.
func (f *questionForm) click(_, y, _, height int) intent { //nolint:unparam // it is sent with its key
	if y == height-1 {
		f.chosen = -1
		return nil
	}
	for i := range len(f.spots) - 1 {
		if y >= f.spots[i] && y < f.spots[i+1] {
			f.chosen = i
		}
	}
	return nil
}

// isPress reports whether the message is the press of the key.
func isPress(msg tea.Msg, key string) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && k.String() == key
}
