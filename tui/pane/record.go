package pane

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"moot/state"
	"moot/tui/theme"
)

// Record lists every event of the session. It follows the end until one
// moves away from it.
type Record struct {
	List
	Events []state.Event
	Rounds rounds
	state  *state.State
	// said is what was said of the events when they were searched.
	said []string
}

// NewRecord returns an empty pane.
func NewRecord(l *theme.Look) *Record {
	p := &Record{List: List{Look: l, At: -1, single: true, win: Window{Follow: true}}}
	p.Draw, p.Key, p.Text = p.drawEvent, p.KeyOf, p.textOf
	return p
}

// SetEvents takes over the events that are shown: more than before, or, where
// an earlier moment is shown, the first of them. It costs no more where there
// are many.
func (p *Record) SetEvents(s *state.State, events []state.Event) {
	p.state = s
	p.Events = events
	p.Rounds.Add(events)
	p.N = len(events)
	if p.win.Follow || p.At < 0 || p.At >= p.N {
		p.At = p.N - 1
	}
	p.Chosen = ""
	if p.At >= 0 {
		p.Chosen = p.KeyOf(p.At)
	}
	p.Changed()
}

// Title implements Pane.
func (p *Record) Title() string {
	if p.N > 0 {
		return fmt.Sprintf("%s %d", RecordID, p.N)
	}
	return RecordID.String()
}

// View implements Pane.
func (p *Record) View(width, height int) []string {
	return p.RowsOrEmpty(width, height, "nothing is recorded yet")
}

// Move implements Pane.
func (p *Record) Move(a Motion, width, height int) {
	p.List.Move(a, width, height)
	p.followEnd()
}

// Click implements Pane.
func (p *Record) Click(x, y, width, height int) {
	p.List.Click(x, y, width, height)
	p.followEnd()
}

// Find implements Pane.
func (p *Record) Find(query string, forwards, from bool, width, height int) bool {
	found := p.List.Find(query, forwards, from, width, height)
	p.followEnd()
	return found
}

// followEnd follows the end where the last event is selected.
func (p *Record) followEnd() {
	p.win.Follow = p.At == p.N-1
	p.Changed()
}

// Wheel scrolls; from the end on it is followed again.
func (p *Record) Wheel(by, width, height int) {
	p.win.scroll(p, by, width, height, true)
	p.Changed()
}

// Choose selects the event with the id, "#57".
func (p *Record) Choose(id string) {
	if i := p.Place(id); i >= 0 && i != p.At {
		p.pick(i)
		p.Moved = true
		p.followEnd()
	}
}

// Place is where the event with the id stands, or -1.
func (p *Record) Place(id string) int {
	seq, err := strconv.Atoi(strings.TrimPrefix(id, "#"))
	if err != nil {
		return -1
	}
	i := sort.Search(p.N, func(i int) bool { return p.Events[i].Seq >= seq })
	if i == p.N || p.Events[i].Seq != seq {
		return -1
	}
	return i
}

// KeyOf returns the id of an item, or "".
func (p *Record) KeyOf(i int) string { return "#" + strconv.Itoa(p.Events[i].Seq) }

// textOf is what an event says; it is kept, so that a search through very many
// events stays quick.
func (p *Record) textOf(i int) string {
	for len(p.said) <= i {
		p.said = append(p.said, "")
	}
	if p.said[i] == "" {
		w := p.wordsOf(i)
		p.said[i] = strings.TrimSpace(fmt.Sprintf("%s %s  %s", p.KeyOf(i), p.Events[i].Data.Kind(), w.Plain()))
	}
	return p.said[i]
}

// wordsOf are what an event says.
func (p *Record) wordsOf(i int) Words { return EventWords(p.state, &p.Events[i]) }

// The widths from which an event has its time and its round, and its kind.
const timeWidth, kindWidth = 56, 72

// kindCells is the room for the kind.
const kindCells = 20

func (p *Record) drawEvent(i, width int, mark theme.Span) []string {
	e, l := &p.Events[i], p.Look
	w := p.wordsOf(i)
	id := fmt.Sprintf("%-*s  ", len(strconv.Itoa(p.N))+1, p.KeyOf(i))
	spans := []theme.Span{mark, when(mark.Text == " ", l.Bold, l.Accent).Span(id)}
	if width >= timeWidth {
		spans = append(spans, l.Faint.Span(fmt.Sprintf("%s  r%d  ", e.At.UTC().Format(time.TimeOnly), p.Rounds.Of(e.Seq))))
	}
	if width >= kindWidth {
		kind := l.Clip(e.Data.Kind(), kindCells)
		spans = append(spans, l.Faint.Span(kind+theme.Blank(kindCells+2-l.Width(kind))))
	}
	glyph, st, body := w.tone.signs(l)
	spans = append(spans, st.Span(glyph+" "))
	if w.lead != "" {
		spans = append(spans, when(w.tone == toneQuiet, l.Faint, l.Bold).Span(w.lead+"  "))
	}
	spans = append(spans, body.Span(w.text))
	if w.tone == toneUser {
		return []string{l.Row(width, spans, []theme.Span{l.User.Span("user ")})}
	}
	// The last cell stays free, so that no text touches a border.
	return []string{l.Row(width-1, spans, nil) + when(width > 0, " ", "")}
}
