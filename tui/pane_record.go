package tui

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"moot/protocol"
	"moot/state"
	"moot/tui/theme"
)

// recordPane lists every event of the session. It follows the end until one
// moves away from it.
type recordPane struct {
	list
	events []state.Event
	rounds rounds
	// said is what was said of the events when they were searched.
	said []string
}

func newRecordPane(l *theme.Look) *recordPane {
	p := &recordPane{list: list{look: l, at: -1, single: true, win: window{follow: true}}}
	p.draw, p.key, p.text = p.drawEvent, p.keyOf, p.textOf
	return p
}

// setEvents takes over the events that are shown: more than before, or, where
// an earlier moment is shown, the first of them. It costs no more where there
// are many.
func (p *recordPane) setEvents(events []state.Event) {
	p.events = events
	p.rounds.add(events)
	p.n = len(events)
	if p.win.follow || p.at < 0 || p.at >= p.n {
		p.at = p.n - 1
	}
	p.chosen = ""
	if p.at >= 0 {
		p.chosen = p.keyOf(p.at)
	}
	p.changed()
}

func (p *recordPane) title() string {
	if p.n > 0 {
		return fmt.Sprintf("%s %d", PaneRecord, p.n)
	}
	return PaneRecord.String()
}

func (p *recordPane) view(width, height int) []string {
	return p.rowsOrEmpty(width, height, "nothing is recorded yet")
}

func (p *recordPane) move(a Motion, width, height int) {
	p.list.move(a, width, height)
	p.followEnd()
}

func (p *recordPane) click(x, y, width, height int) {
	p.list.click(x, y, width, height)
	p.followEnd()
}

func (p *recordPane) find(query string, forwards, from bool, width, height int) bool {
	found := p.list.find(query, forwards, from, width, height)
	p.followEnd()
	return found
}

// followEnd follows the end where the last event is selected.
func (p *recordPane) followEnd() {
	p.win.follow = p.at == p.n-1
	p.changed()
}

// wheel scrolls; from the end on it is followed again.
func (p *recordPane) wheel(by, width, height int) {
	p.win.scroll(p, by, width, height, true)
	p.changed()
}

// choose selects the event with the id, "#57".
func (p *recordPane) choose(id string) {
	if i := p.place(id); i >= 0 && i != p.at {
		p.pick(i)
		p.moved = true
		p.followEnd()
	}
}

// place is where the event with the id stands, or -1.
func (p *recordPane) place(id string) int {
	seq, err := strconv.Atoi(strings.TrimPrefix(id, "#"))
	if err != nil {
		return -1
	}
	i := sort.Search(p.n, func(i int) bool { return p.events[i].Seq >= seq })
	if i == p.n || p.events[i].Seq != seq {
		return -1
	}
	return i
}

func (p *recordPane) keyOf(i int) string { return "#" + strconv.Itoa(p.events[i].Seq) }

// textOf is what an event says; it is kept, so that a search through very many
// events stays quick.
func (p *recordPane) textOf(i int) string {
	for len(p.said) <= i {
		p.said = append(p.said, "")
	}
	if p.said[i] == "" {
		w := p.wordsOf(i)
		p.said[i] = strings.TrimSpace(fmt.Sprintf("%s %s  %s", p.keyOf(i), p.events[i].Data.Kind(), w.plain()))
	}
	return p.said[i]
}

// wordsOf are what an event says. The phases of a deliberation, which are on every
// record, mean nothing in a council: it has its own, which follow from who is asked.
func (p *recordPane) wordsOf(i int) words {
	if _, phase := p.events[i].Data.(*state.PhaseChanged); phase {
		if opened, first := p.events[0].Data.(*state.SessionOpened); first && opened.Settings.Format == state.FormatCouncil {
			return words{toneQuiet, "phase", protocol.CouncilPhases()[0]}
		}
	}
	return eventWords(&p.events[i])
}

// The widths from which an event has its time and its round, and its kind.
const timeWidth, kindWidth = 56, 72

// kindCells is the room for the kind.
const kindCells = 20

func (p *recordPane) drawEvent(i, width int, mark theme.Span) []string {
	e, l := &p.events[i], p.look
	w := p.wordsOf(i)
	id := fmt.Sprintf("%-*s  ", len(strconv.Itoa(p.n))+1, p.keyOf(i))
	spans := []theme.Span{mark, when(mark.Text == " ", l.Bold, l.Accent).Span(id)}
	if width >= timeWidth {
		spans = append(spans, l.Faint.Span(fmt.Sprintf("%s  r%d  ", e.At.UTC().Format(time.TimeOnly), p.rounds.of(e.Seq))))
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
