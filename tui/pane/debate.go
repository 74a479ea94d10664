package pane

import (
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
	look       *theme.Look
	focused    bool
	Transcript *Transcript
	// shown is the number of entries that are shown. At is the selected entry, or -1.
	shown, At int
	live      []*Call
	clock     Clock
	// blind hides the text of the calls in progress.
	blind   bool
	Win     Window
	version int
	cached  cachedRows
}

// NewDebate returns an empty pane.
func NewDebate(l *theme.Look) *Debate {
	return &Debate{look: l, Transcript: NewTranscript(), At: -1, Win: Window{Follow: true}}
}

// Changed drops the drawn rows.
func (p *Debate) Changed() { p.version++ }

// SetLook implements Pane.
func (p *Debate) SetLook(l *theme.Look) {
	p.look = l
	p.Changed()
}

// SetLive sets the calls in progress and the time. blind hides their text.
func (p *Debate) SetLive(calls []*Call, clock Clock, blind bool) {
	p.live, p.clock, p.blind = calls, clock, blind
	p.Changed()
}

// SetShown hides the entries after the event, for a replay.
func (p *Debate) SetShown(seq int) {
	if n := p.Transcript.upTo(seq); n != p.shown {
		p.shown = n
		if p.At >= n {
			p.At = -1
		}
		p.Changed()
	}
}

// SetFocused implements Pane.
func (p *Debate) SetFocused(on bool) {
	if p.focused != on {
		p.focused = on
		p.Changed()
	}
}

// Title implements Pane.
func (p *Debate) Title() string { return DebateID.String() }

// More implements Pane.
func (p *Debate) More() bool { return p.cached.more }

// Count implements Items.
func (p *Debate) Count() int { return p.shown + len(p.live) }

// Rows implements Items.
func (p *Debate) Rows(i, width int) []string {
	if i >= p.shown {
		return p.live[i-p.shown].Rows(p.look, width, p.clock, p.tail())
	}
	rows := p.Transcript.Entries[i].Rows(p.look, width)
	if i != p.At || !p.focused {
		return rows
	}
	return pointed(p.look, rows)
}

// tail returns how many rows of a streamed reply are shown.
func (p *Debate) tail() int {
	switch {
	case p.blind:
		return 0
	case len(p.live) < 2:
		return tailRows
	}
	return max(tailRows/len(p.live), fewestRows)
}

// pointed marks an entry with a pointer in its first cell.
func pointed(l *theme.Look, rows []string) []string {
	rows = slices.Clone(rows)
	k := 0
	for k < len(rows)-1 && strings.TrimSpace(rows[k]) == "" {
		k++
	}
	if rest, empty := strings.CutPrefix(rows[k], " "); empty {
		rows[k] = l.Accent.Paint(l.Glyphs.Pointer) + rest
	}
	rows[k] = l.Selected.Over(rows[k])
	return rows
}

// Move scrolls. Left and right select the entry before and after.
func (p *Debate) Move(a Motion, width, height int) {
	switch a { //nolint:exhaustive // the others scroll
	case MoveHome, MoveEnd:
		p.Edge(a == MoveEnd)
	case MoveLeft:
		p.step(-1, width, height)
	case MoveRight:
		p.step(1, width, height)
	default:
		p.Wheel(a.rows(height), width, height)
	}
}

// step selects the entry before or after the selected one. If none is selected, it selects
// the last visible one.
func (p *Debate) step(by, width, height int) {
	next := p.At + by
	if p.At < 0 {
		next = p.Win.ItemAt(p, height-1, width, height)
		if next < 0 || next >= p.shown {
			next = p.shown - 1
		}
	}
	if next < 0 || next >= p.shown {
		return
	}
	p.At = next
	p.Win.Show(p, next, width, height)
	p.Win.Follow = next == p.Count()-1
	p.Changed()
}

// Wheel scrolls. At the end the pane follows new entries again.
func (p *Debate) Wheel(by, width, height int) {
	p.Win.scroll(p, by, width, height, true)
	p.Changed()
}

// Edge scrolls to the beginning or the end.
func (p *Debate) Edge(end bool) {
	p.Win = Window{Follow: end}
	p.Changed()
}

// Click selects the entry at the cell.
func (p *Debate) Click(_, y, width, height int) {
	p.At = -1
	if i := p.Win.ItemAt(p, y, width, height); i >= 0 && i < p.shown {
		p.At = i
	}
	p.Changed()
}

// Selected returns the first id in the selected entry, or else its event. It is "" if no
// entry is selected.
func (p *Debate) Selected() string {
	if p.At < 0 || p.At >= p.shown {
		return ""
	}
	e := p.Transcript.Entries[p.At]
	if id := e.about(); id != "" {
		return id
	}
	return fmt.Sprintf("#%d", e.seq)
}

// Choose implements Pane.
func (p *Debate) Choose(string) {}

// Copied returns the selected entry, or the visible text.
func (p *Debate) Copied() string {
	if p.At >= 0 && p.At < p.shown {
		e := p.Transcript.Entries[p.At]
		return plain.Line(strings.TrimSpace(e.Lead + "  " + e.Text + "  " + e.Right))
	}
	return unstyled(p.cached.Rows)
}

// Find implements Pane.
func (p *Debate) Find(query string, forwards, from bool, width, height int) bool {
	at := p.At
	if at < 0 {
		at, _ = p.Win.start(p, width, height)
	}
	i := NextMatch(query, p.shown, at, forwards, from, func(i int) string {
		e := p.Transcript.Entries[i]
		return e.Lead + " " + e.Text + " " + e.Right
	})
	if i < 0 {
		return false
	}
	p.At = i
	p.Win.Show(p, i, width, height)
	p.Changed()
	return true
}

// View implements Pane.
func (p *Debate) View(width, height int) []string {
	if !p.cached.fits(width, height, p.version) {
		rows, more := p.Win.View(p, width, height)
		if p.Count() == 0 && height > 0 {
			rows[0] = p.look.Row(width, []theme.Span{p.look.Faint.Span("  nobody has spoken yet")}, nil)
		}
		p.cached = cachedRows{rows, more, width, height, p.version}
	}
	return p.cached.Rows
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
	return &Transcript{lines: view.NewTranscript(state.State{}), byKey: map[string]*entry{}}
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

// about returns the first id in the entry, such as "P3", "C1" or "E7", or "".
func (e *entry) about() string {
	for word := range strings.FieldsSeq(e.Lead + " " + e.Text) {
		word = strings.TrimRight(word, ".,:;")
		if len(word) > 1 && strings.ContainsRune("PCEFK", rune(word[0])) && strings.Trim(word[1:], "0123456789") == "" {
			return word
		}
	}
	return ""
}

// Rows draws the entry or returns the cached rows.
func (e *entry) Rows(l *theme.Look, width int) []string {
	if e.drawn == nil || e.drawnWidth != width || e.drawnLook != l {
		e.drawn, e.drawnWidth, e.drawnLook = e.draw(l, width), width, l
	}
	return e.drawn
}

func (e *entry) draw(l *theme.Look, width int) []string {
	switch e.role { //nolint:exhaustive // the others are paragraphs
	case view.RoleRound:
		return []string{theme.Blank(width), l.Rule(width, e.Text)}
	case view.RoleReply:
		right := []theme.Span{l.Faint.Span(e.Right + " ")}
		left := []theme.Span{{Text: " "}, l.SeatStyle(e.seat).Span(e.Lead), l.Faint.Span("  " + e.Text)}
		return []string{theme.Blank(width), l.Row(width, left, right)}
	}
	glyph, mark, body := signs(l, e.role)
	lead := []theme.Span{{Text: "  "}, mark.Span(glyph + " ")}
	if e.Lead != "" {
		st := l.Bold
		if e.role == view.RoleQuiet {
			st = l.Faint
		}
		lead = append(lead, st.Span(e.Lead+"  "))
	}
	var right []theme.Span
	if e.Right != "" {
		right = []theme.Span{l.Faint.Span(e.Right + " ")}
	}
	return l.Paragraph(width, lead, body.Span(e.Text), right, 0)
}

// signs returns the sign of a role, its style, and the style of the text.
func signs(l *theme.Look, r view.Role) (glyph string, mark, body theme.Style) {
	g := &l.Glyphs
	switch r {
	case view.RoleGood:
		return g.Verified, l.Agreed, l.Text
	case view.RoleBad:
		return g.Refused, l.Dismissed, l.Text
	case view.RoleDoubt:
		return g.Unresolved, l.Unresolved, l.Text
	case view.RoleOpen:
		return g.Open, l.Open, l.Text
	case view.RoleUser:
		return g.User, l.User, l.Text
	case view.RoleWarn:
		return g.Warn, l.Warn, l.Text
	case view.RolePending:
		return g.Pending, l.Faint, l.Faint
	case view.RoleQuiet:
		return g.Bullet, l.Faint, l.Faint
	case view.RolePlain, view.RolePoint, view.RoleRound, view.RoleReply:
	}
	return " ", l.Text, l.Text
}
