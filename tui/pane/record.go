package pane

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Record lists every event of the session. It follows the end until the selection leaves it.
type Record struct {
	List
	Events []state.Event
	// begun contains the first event of each round among the seen events.
	begun []int
	seen  int
	state *state.State
	// texts caches the texts of the events that were searched.
	texts []string
}

// NewRecord returns an empty pane.
func NewRecord(l *theme.Look) *Record {
	p := &Record{List: List{
		Look: l, id: RecordID, empty: "nothing is recorded yet", At: -1, follows: true, Win: Window{Follow: true},
	}}
	p.Draw, p.Key, p.Text = p.drawEvent, p.KeyOf, p.textOf
	return p
}

// SetEvents shows events: more than before, or the first of them in a replay.
func (p *Record) SetEvents(s *state.State, events []state.Event) {
	p.state = s
	p.Events = events
	for ; p.seen < len(events); p.seen++ {
		if _, ok := events[p.seen].Data.(*state.RoundStarted); ok {
			p.begun = append(p.begun, events[p.seen].Seq)
		}
	}
	p.N, p.count = len(events), len(events)
	if p.Win.Follow || p.At < 0 || p.At >= p.N {
		p.At = p.N - 1
	}
	p.Chosen = ""
	if p.At >= 0 {
		p.Chosen = p.KeyOf(p.At)
	}
	p.Changed()
}

// Place returns the index of the event with the id, or -1.
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

// KeyOf returns the id of an event: "#57".
func (p *Record) KeyOf(i int) string { return "#" + strconv.Itoa(p.Events[i].Seq) }

// textOf returns the text of an event. It is cached for fast searches of long records.
func (p *Record) textOf(i int) string {
	for len(p.texts) <= i {
		p.texts = append(p.texts, "")
	}
	if p.texts[i] == "" {
		w := eventLine(p.state, &p.Events[i])
		text := strings.TrimSpace(w.Lead + "  " + w.Text)
		p.texts[i] = strings.TrimSpace(fmt.Sprintf("%s %s  %s", p.KeyOf(i), state.KindOf(p.Events[i].Data), text))
	}
	return p.texts[i]
}

// timeWidth is the width from which time and round are shown, kindWidth the one for the kind.
const timeWidth, kindWidth = 56, 72

// kindCells is the width of the kind.
const kindCells = 20

func (p *Record) drawEvent(i, width int, mark theme.Span) []string {
	e, l := &p.Events[i], p.Look
	w := eventLine(p.state, e)
	id := fmt.Sprintf("%-*s  ", len(strconv.Itoa(p.N))+1, p.KeyOf(i))
	spans := []theme.Span{mark, idStyle(l, mark).Span(id)}
	if width >= timeWidth {
		at := e.At.UTC().Format(time.TimeOnly)
		spans = append(spans, l.Faint.Span(fmt.Sprintf("%s  r%d  ", at, p.round(e.Seq))))
	}
	if width >= kindWidth {
		kind := l.Clip(state.KindOf(e.Data), kindCells)
		spans = append(spans, l.Faint.Span(kind+theme.Blank(kindCells+2-l.Width(kind))))
	}
	glyph, st, body := signs(l, w.Role)
	spans = append(spans, st.Span(glyph+" "))
	if w.Lead != "" {
		lead := l.Bold
		if w.Role == view.RoleQuiet {
			lead = l.Faint
		}
		spans = append(spans, lead.Span(w.Lead+"  "))
	}
	spans = append(spans, body.Span(w.Text))
	if w.Role == view.RoleUser {
		return []string{l.Row(width, spans, []theme.Span{l.User.Span("user ")})}
	}
	// An empty last cell separates the text from the border.
	return []string{l.Row(width-1, spans, nil) + theme.Blank(min(width, 1))}
}

// EventParts shows an event: its words, and its fields as they are in the record.
func (p *Record) EventParts(l *theme.Look, e *state.Event) []Part {
	w := eventLine(p.state, e)
	glyph, st, _ := signs(l, w.Role)
	in := "before round 1"
	if round := p.round(e.Seq); round > 0 {
		in = fmt.Sprintf("round %d", round)
	}
	list := []Block{
		{Lead: l.Bold.Span(fmt.Sprintf("#%d  ", e.Seq)), Body: l.Bold.Span(state.KindOf(e.Data))},
		{Body: l.Faint.Span(e.At.UTC().Format("2006-01-02 15:04:05.000 UTC") + l.Glyphs.Separator + in)},
		{Lead: st.Span(strings.TrimLeft(glyph+" ", " ")), Body: l.Text.Span(view.Sentence(w.Lead, w.Text))},
		{Section: "Fields"},
	}
	for line := range strings.SplitSeq(fieldsOf(e.Data), "\n") {
		bare := strings.TrimLeft(line, " ")
		indent := len(line) - len(bare)
		list = append(list, Block{Indent: 2 + indent, Body: l.Text.Span(bare), Hang: 4 + indent})
	}
	return []Part{{Blocks: list}}
}

// mostFieldBytes limits how much of the fields of an event is shown.
const mostFieldBytes = 64 << 10

// fieldsOf returns the fields of an event as indented JSON.
func fieldsOf(p state.Payload) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(p); err != nil {
		return "the fields cannot be written: " + err.Error()
	}
	text := strings.TrimRight(b.String(), "\n")
	if len(text) > mostFieldBytes {
		return strings.ToValidUTF8(text[:mostFieldBytes], "") + "\nand so on: " + FormatCount(len(text)) + " bytes"
	}
	return text
}

// round returns the round of an event, or 0 before the first round.
func (p *Record) round(seq int) int {
	return sort.SearchInts(p.begun, seq+1)
}
