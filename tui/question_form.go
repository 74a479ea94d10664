package tui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// questionForm answers a question of the session.
type questionForm struct {
	question state.Question
	about    string
	// asking is what the person should know before answering.
	asking protocol.Asking
	input  textinput.Model
	// chosen is the option that is selected, -1 for what is typed.
	chosen int
	// wrong says why the answer was refused, or "".
	wrong string
	// spots are the rows at which the options begin, as they were drawn last, and
	// after them where they end.
	spots []int
	// top is the first row of the question that is seen, last the last that can be,
	// seen how many are.
	top, last, seen int
}

func newQuestionForm(q state.Question, about string) *questionForm {
	f := &questionForm{question: q, about: about, chosen: -1, input: newInput("your answer")}
	if len(q.Options) > 0 {
		f.input.Placeholder = "or another answer"
		if q.Kind != state.QuestionApproval && q.Kind != state.QuestionEscalation {
			// What one gives leave for, and what lets a proposal advance, is never a
			// bare enter away.
			f.chosen = 0
		}
	}
	return f
}

func (f *questionForm) title() string {
	return f.question.ID + " asks you: " + questionSubject(&f.question)
}

func (f *questionForm) place() Place { return InForm }

func (f *questionForm) hint() string {
	said := "enter answers"
	if len(f.question.Options) > 0 {
		said = when(f.last > 0, "1-9 chooses, enter answers", "1-9 or up down chooses, enter answers")
	}
	return when(f.last > 0, "pgdn reads on, ", "") + said
}

func (f *questionForm) size(l *theme.Look, width, height int) (int, int) {
	if len(f.asking.About) == 0 {
		return min(width, 90), min(height, 8+2*len(f.question.Options)+len(f.question.Text)/80)
	}
	width = min(width, 90)
	options, _ := f.optionRows(l, width, true)
	return width, min(height, len(f.head(l, width))+len(options)+2)
}

// scroll moves what is read of the question.
func (f *questionForm) scroll(a Action, _ int) {
	f.top += map[Action]int{ActionUp: -1, ActionDown: 1}[a]
}

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
	if isPress(msg, "pgup") || isPress(msg, "pgdown") {
		f.top += when(isPress(msg, "pgup"), -f.seen, f.seen)
		return nil
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

func (f *questionForm) view(l *theme.Look, width, height int) []string {
	// The line to type in stays in view, and what can be answered before what is
	// asked: that can be read on.
	room := max(height-1, 0)
	head := f.head(l, width)
	options, spots := f.optionRows(l, width, true)
	if len(head)+len(options) > room {
		options, spots = f.optionRows(l, width, false)
	}
	seen := min(len(head), max(room-len(options), min(room, leastRead)))
	f.seen, f.last = seen, len(head)-seen
	f.top = max(min(f.top, f.last), 0)
	from := 0
	if f.chosen >= 0 && spots[f.chosen+1] > room-seen {
		from = spots[f.chosen]
	}
	rows := append(slices.Clone(head[f.top:f.top+seen]), options[from:]...)
	rows = rows[:min(len(rows), room)]
	f.spots = f.spots[:0]
	for _, at := range spots {
		f.spots = append(f.spots, max(min(seen+at-from, len(rows)), 0))
	}
	return pane.Fit(append(rows, inputRow(l, &f.input, width)), width, height)
}

// leastRead is how many rows of a question are seen, whatever its options take.
const leastRead = 2

// head is what is asked, and what is to be known of it.
func (f *questionForm) head(l *theme.Look, width int) []string {
	var rows []string
	if f.wrong != "" {
		rows = l.Paragraph(width, []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}, l.Warn.Span(f.wrong), nil, mostShown)
	}
	for _, line := range l.Wrap(f.question.Text, width) {
		rows = append(rows, l.Row(width, []theme.Span{l.Bold.Span(line)}, nil))
	}
	if len(f.asking.About) > 0 {
		rows = append(rows, theme.Blank(width))
	} else if f.about != "" {
		rows = append(rows, l.Paragraph(width, nil, l.Faint.Span(f.about), nil, 0)...)
	}
	widest := 0
	for _, a := range f.asking.About {
		widest = max(widest, l.Width(a.Label))
	}
	for _, a := range f.asking.About {
		lead := []theme.Span{l.Faint.Span(a.Label + theme.Blank(widest-l.Width(a.Label)+2))}
		rows = append(rows, l.Paragraph(width, lead, l.Text.Span(a.Text), nil, 0)...)
	}
	return append(rows, theme.Blank(width))
}

// optionRows are the options with what each would do: of all, or of the chosen one
// alone. The spots are the rows at which they begin, and where they end.
func (f *questionForm) optionRows(l *theme.Look, width int, all bool) (rows []string, spots []int) {
	for i, o := range f.question.Options {
		spots = append(spots, len(rows))
		mark, st := "  ", l.Text
		if i == f.chosen {
			mark, st = l.Glyphs.Pointer+" ", l.Accent
		}
		rows = append(rows, l.Paragraph(width, []theme.Span{l.Accent.Span(mark), st.Span(strconv.Itoa(i+1) + "  ")}, st.Span(o), nil, 0)...)
		if i < len(f.asking.Does) && (all || i == f.chosen) {
			rows = append(rows, l.Paragraph(width, []theme.Span{{Text: "     "}}, l.Faint.Span(f.asking.Does[i]), nil, mostDone)...)
		}
	}
	return rows, append(spots, len(rows))
}

// mostDone is how many rows say what an answer would do.
const mostDone = 4

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
