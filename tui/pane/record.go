package pane

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Record lists every event of the session. It follows the end until the selection leaves it.
type Record struct {
	List
	Events []state.Event
	Rounds rounds
	state  *state.State
	// texts caches the texts of the events that were searched.
	texts []string
}

// NewRecord returns an empty pane.
func NewRecord(l *theme.Look) *Record {
	p := &Record{List: List{Look: l, At: -1, single: true, win: Window{Follow: true}}}
	p.Draw, p.Key, p.Text = p.drawEvent, p.KeyOf, p.textOf
	return p
}

// SetEvents shows events: more than before, or the first of them in a replay.
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
func (p *Record) Title() string { return RecordID.titled(p.N, "") }

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

// followEnd follows the end if the last event is selected.
func (p *Record) followEnd() {
	p.win.Follow = p.At == p.N-1
	p.Changed()
}

// Wheel scrolls. At the end the pane follows new events again.
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
		w := EventWords(p.state, &p.Events[i])
		text := strings.TrimSpace(w.lead + "  " + w.text)
		p.texts[i] = strings.TrimSpace(fmt.Sprintf("%s %s  %s", p.KeyOf(i), p.Events[i].Data.Kind(), text))
	}
	return p.texts[i]
}

// timeWidth is the width from which time and round are shown, kindWidth the one for the kind.
const timeWidth, kindWidth = 56, 72

// kindCells is the width of the kind.
const kindCells = 20

func (p *Record) drawEvent(i, width int, mark theme.Span) []string {
	e, l := &p.Events[i], p.Look
	w := EventWords(p.state, e)
	id := fmt.Sprintf("%-*s  ", len(strconv.Itoa(p.N))+1, p.KeyOf(i))
	spans := []theme.Span{mark, idStyle(l, mark).Span(id)}
	if width >= timeWidth {
		at := e.At.UTC().Format(time.TimeOnly)
		spans = append(spans, l.Faint.Span(fmt.Sprintf("%s  r%d  ", at, p.Rounds.Of(e.Seq))))
	}
	if width >= kindWidth {
		kind := l.Clip(e.Data.Kind(), kindCells)
		spans = append(spans, l.Faint.Span(kind+theme.Blank(kindCells+2-l.Width(kind))))
	}
	glyph, st, body := w.tone.signs(l)
	spans = append(spans, st.Span(glyph+" "))
	if w.lead != "" {
		lead := l.Bold
		if w.tone == toneQuiet {
			lead = l.Faint
		}
		spans = append(spans, lead.Span(w.lead+"  "))
	}
	spans = append(spans, body.Span(w.text))
	if w.tone == toneUser {
		return []string{l.Row(width, spans, []theme.Span{l.User.Span("user ")})}
	}
	// An empty last cell separates the text from the border.
	return []string{l.Row(width-1, spans, nil) + theme.Blank(min(width, 1))}
}

// EventBlocks shows an event: its fields as they are in the record, and the items that they
// name.
func (d Details) EventBlocks(l *theme.Look, e *state.Event, round int) []Block {
	w := EventWords(d.State, e)
	glyph, st, _ := w.tone.signs(l)
	in := "before round 1"
	if round > 0 {
		in = fmt.Sprintf("round %d", round)
	}
	title := Block{Lead: l.Bold.Span(fmt.Sprintf("#%d  ", e.Seq)), Body: l.Bold.Span(e.Data.Kind())}
	if w.tone == toneUser {
		title.Right = l.User.Span(l.Glyphs.User + " user")
	}
	list := []Block{
		title,
		{Body: l.Faint.Span(e.At.UTC().Format("2006-01-02 15:04:05.000 UTC") + l.Glyphs.Separator + in)},
		{Lead: st.Span(strings.TrimLeft(glyph+" ", " ")), Body: l.Text.Span(view.Sentence(w.lead, w.text))},
		{Section: "Fields"},
	}
	text := FieldsOf(e.Data)
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimLeft(line, " ")
		indent := len(line) - len(bare)
		list = append(list, Block{Indent: 2 + indent, Body: l.Text.Span(bare), Hang: 4 + indent})
	}
	return append(list, d.namedBlocks(l, text)...)
}

// MostFieldBytes limits how much of a packet's facts an event shows. The ledger pane shows
// all of them.
const MostFieldBytes = 8 << 10

// FieldsOf returns the fields of an event as indented JSON.
func FieldsOf(p state.Payload) string {
	if packet, large := p.(*state.PacketFacts); large && len(packet.Facts) > MostFieldBytes {
		size := FormatCount(len(packet.Facts))
		return fmt.Sprintf("%s\nand so on: %s bytes of facts", packet.Facts[:MostFieldBytes], size)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(p); err != nil {
		return "the fields cannot be written: " + err.Error()
	}
	return strings.TrimRight(b.String(), "\n")
}

// mostNamed limits how many ids of an event are explained.
const mostNamed = 24

// namedBlocks shows the text of each id in the fields of an event.
func (d Details) namedBlocks(l *theme.Look, text string) []Block {
	var seen []string
	list := []Block{{Section: "It names"}}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.In(r, unicode.L, unicode.Nd)
	}) {
		what := ItemText(d.State, word)
		if what == "" || slices.Contains(seen, word) {
			continue
		}
		if seen = append(seen, word); len(seen) > mostNamed {
			break
		}
		list = append(list, Block{Indent: 2, Lead: l.Bold.Span(word + "  "), Body: l.Text.Span(what)})
	}
	if len(seen) == 0 {
		return nil
	}
	return list
}
