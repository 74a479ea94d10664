package pane

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Debate shows the transcript and, below it, the calls in progress. It follows the end until
// it is scrolled.
type Debate struct {
	List
	Transcript *Transcript
	// shown is the number of entries that are shown.
	shown int
	live  []*Call
	clock Clock
	// blind hides the text of the calls in progress.
	blind bool
}

// NewDebate returns an empty pane.
func NewDebate(l *theme.Look) *Debate {
	p := &Debate{Transcript: NewTranscript(), List: List{
		Look: l, id: DebateID, empty: "nobody has spoken yet", At: -1, follows: true, Win: Window{Follow: true},
	}}
	p.Draw, p.Key, p.Text = p.draw, p.keyOf, p.textOf
	return p
}

// SetLive sets the calls in progress and the time. blind hides their text.
func (p *Debate) SetLive(calls []*Call, clock Clock, blind bool) {
	p.live, p.clock, p.blind, p.N = calls, clock, blind, p.shown+len(calls)
	p.Changed()
}

// SetShown hides the entries after the event, for a replay.
func (p *Debate) SetShown(seq int) {
	p.shown = p.Transcript.upTo(seq)
	p.N = p.shown + len(p.live)
	if p.At >= p.shown {
		p.At, p.Chosen = -1, ""
	}
	p.Changed()
}

func (p *Debate) draw(i, width int, mark theme.Span) []string {
	if i < p.shown {
		return p.Transcript.Entries[i].rows(p.Look, width, mark)
	}
	tail := tailRows
	switch {
	case p.blind:
		tail = 0
	case len(p.live) > 1:
		tail = max(tailRows/len(p.live), fewestRows)
	}
	return p.live[i-p.shown].Rows(p.Look, width, p.clock, tail)
}

// keyOf returns the first id in an entry, or else its event. It is "" for calls in progress.
func (p *Debate) keyOf(i int) string {
	if i >= p.shown {
		return ""
	}
	e := p.Transcript.Entries[i]
	return cmp.Or(e.about(), fmt.Sprintf("#%d", e.seq))
}

func (p *Debate) textOf(i int) string {
	if i >= p.shown {
		return ""
	}
	e := p.Transcript.Entries[i]
	return plain.Line(view.Join("  ", e.Lead, e.Text, e.Right))
}

// Move scrolls. Left and right select the entry before and after; the first one is the last visible entry.
func (p *Debate) Move(a Motion, width, height int) {
	switch a { //nolint:exhaustive // the others scroll
	case MoveHome:
		p.Win = Window{}
		p.Changed()
	case MoveEnd:
		p.FollowEnd()
	case MoveLeft, MoveRight:
		if p.At >= 0 {
			p.step(map[Motion]int{MoveLeft: -1, MoveRight: 1}[a], width, height)
			return
		}
		last := p.Win.ItemAt(p, height-1, width, height)
		if last < 0 || last >= p.shown {
			last = p.shown - 1
		}
		p.pick(last)
		p.reveal(width, height)
	default:
		p.Wheel(a.rows(height), width, height)
	}
}

// Find implements Pane. The search begins at the first visible entry if none is selected.
func (p *Debate) Find(query string, forwards, from bool, width, height int) bool {
	if p.At < 0 {
		p.At, _ = p.Win.start(p, width, height)
	}
	return p.List.Find(query, forwards, from, width, height)
}

// Transcript turns the lines of a session into entries. A line with the same key as an
// earlier one replaces it.
type Transcript struct {
	Entries []*entry
	lines   *view.Transcript
	byKey   map[string]*entry
	// call holds the cost and the notes of a call until its reply comes.
	call []view.Line
}

// NewTranscript returns an empty transcript.
func NewTranscript() *Transcript {
	return &Transcript{lines: view.NewTranscript(&state.State{}), byKey: map[string]*entry{}}
}

// Add appends the entries of events.
func (t *Transcript) Add(events []state.Event) {
	lines, err := t.lines.Add(events)
	for i := range lines {
		t.add(&lines[i])
	}
	if err != nil {
		t.put(&view.Line{Label: "warning", Text: err.Error(), Role: view.RoleWarn})
	}
}

func (t *Transcript) add(l *view.Line) {
	if l.Routine || l.Label == "ruled" {
		// Each ruling follows in a separate line.
		return
	}
	switch l.Label {
	case "used", "note":
		t.call = append(t.call, *l)
		return
	case "reply":
		head := t.put(l)
		head.seat = l.Seat
		for i := range t.call {
			if call := &t.call[i]; call.Label == "used" {
				head.Right = call.Text
			} else {
				t.put(call)
			}
		}
		t.call = nil
		return
	}
	for i := range t.call {
		t.put(&t.call[i])
	}
	t.call = nil
	t.put(l)
}

// put adds a line, or replaces the earlier one with the same key.
func (t *Transcript) put(l *view.Line) *entry {
	if e := t.byKey[l.Key]; e != nil && l.Key != "" {
		e.role, e.Lead, e.Text, e.Right, e.drawn = l.Role, l.Lead, l.Action(), l.Detail, nil
		return e
	}
	e := &entry{seq: l.Seq, role: l.Role, Lead: l.Lead, Text: l.Action(), Right: l.Detail}
	if l.Role == view.RoleUser && e.Right == "" {
		e.Right = "user"
	}
	if l.Key != "" {
		t.byKey[l.Key] = e
	}
	t.Entries = append(t.Entries, e)
	return e
}

// upTo counts the entries of the events up to one.
func (t *Transcript) upTo(seq int) int {
	return sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].seq > seq })
}

// history lists the lines about a point up to an event, without those that repeat the one before.
func (t *Transcript) history(id string, upTo int) view.Section {
	sec := view.Section{Title: "HISTORY", Uncounted: true}
	round, before := "", map[string]string{}
	for _, e := range t.Entries[:t.upTo(upTo)] {
		if e.role == view.RoleRound {
			round = e.Text
		}
		if before[e.Lead] != e.Text && slices.Contains(strings.Fields(e.Lead), id) {
			before[e.Lead] = e.Text
			text := view.Sentence(e.Lead, e.Text)
			sec.Items = append(sec.Items, view.Item{Role: e.role, Mark: round, Text: text})
		}
	}
	return sec
}

// mostLines limits how many lines of an event are joined.
const mostLines = 12

// eventLine puts an event of a session into words, on one line.
func eventLine(s *state.State, e *state.Event) view.Line {
	lines := view.Event(s, s, e)
	if len(lines) == 0 {
		return view.Line{Role: view.RolePlain}
	}
	l := lines[0]
	l.Text = l.Action()
	for i := 1; i < min(len(lines), mostLines); i++ {
		l.Text += "; " + lines[i].String()
	}
	if l.Role == view.RoleRound || l.Role == view.RoleReply {
		l.Role = view.RolePlain
	}
	return l
}

// FormatCount formats a number of tokens: 340, 1.2k, 3.4M.
func FormatCount(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return strconv.Itoa(n)
}

// entry is one item of the transcript: an event in a line or two.
type entry struct {
	// seq is the number of the event.
	seq  int
	role view.Role
	// seat is the seat whose color the lead of a reply has.
	seat state.Seat
	// Lead is a short prefix: "P3", "Re C1". Right is shown at the right end.
	Lead, Text, Right string

	// drawn caches the rows for a width and a look.
	drawn      []string
	drawnWidth int
	drawnLook  *theme.Look
}

// about returns the first id in the entry, such as "P3", "C1" or "S2", or "".
func (e *entry) about() string {
	for word := range strings.FieldsSeq(e.Lead + " " + e.Text) {
		word = strings.TrimRight(word, ".,:;")
		if len(word) > 1 && strings.ContainsRune("PCEFKQS", rune(word[0])) && strings.Trim(word[1:], "0123456789") == "" {
			return word
		}
	}
	return ""
}

// rows draws the entry with a mark, or returns the cached rows without one.
func (e *entry) rows(l *theme.Look, width int, mark theme.Span) []string {
	if mark.Text != " " {
		return e.draw(l, width, mark)
	}
	if e.drawn == nil || e.drawnWidth != width || e.drawnLook != l {
		e.drawn, e.drawnWidth, e.drawnLook = e.draw(l, width, mark), width, l
	}
	return e.drawn
}

func (e *entry) draw(l *theme.Look, width int, mark theme.Span) []string {
	switch e.role { //nolint:exhaustive // the others are paragraphs
	case view.RoleRound:
		return []string{theme.Blank(width), l.Rule(width, e.Text)}
	case view.RoleReply:
		right := []theme.Span{l.Faint.Span(e.Right + " ")}
		left := []theme.Span{mark, l.SeatStyle(e.seat).Span(e.Lead), l.Faint.Span("  " + e.Text)}
		return []string{theme.Blank(width), l.Row(width, left, right)}
	}
	glyph, sign, body := signs(l, e.role)
	lead := []theme.Span{mark, sign.Span(" " + glyph + " ")}
	if e.Lead != "" {
		st := l.Bold
		if e.role == view.RoleQuiet {
			st = l.Faint
		}
		lead = append(lead, st.Span(e.Lead+"  "))
	}
	var right []theme.Span
	if e.Right != "" {
		right = []theme.Span{body.Span(e.Right + " ")}
	}
	return l.Paragraph(width, lead, body.Span(e.Text), right, 0)
}

// signs returns the sign of a role, its style, and the style of the text.
func signs(l *theme.Look, r view.Role) (glyph string, mark, body theme.Style) {
	glyph, mark = l.RoleLook(r)
	switch r { //nolint:exhaustive // the others have a look
	case view.RolePlain, view.RolePoint, view.RoleRound, view.RoleReply:
		return " ", l.Text, l.Text
	case view.RolePending:
		return glyph, mark, l.Text
	case view.RoleQuiet:
		return l.Glyphs.Bullet, mark, l.Faint
	}
	return glyph, mark, l.Text
}
