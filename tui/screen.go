package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// drawScreen draws all rows of the screen, each exactly as wide as it.
func (m *Model) drawScreen() []string {
	l := &m.layout
	if l.Width == 0 || l.Height == 0 {
		return nil
	}
	c := newCanvas(l.Height)
	if l.Kind == TooSmall {
		need := fmt.Sprintf("moot needs %dx%d", smallWidth, smallHeight)
		for y, line := range m.look.Wrap(need, l.Width) {
			c.put(pane.Rect{X: 0, Y: y, W: l.Width, H: 1}, []string{m.look.Row(l.Width, []theme.Span{m.look.Text.Span(line)}, nil)})
		}
		return c.lines(l.Width)
	}
	m.drawPanes(c, l)
	if m.atHome {
		m.putRow(c, l.Header, m.homeHeader)
	} else {
		m.drawSession(c, l)
	}
	if m.dialog() != nil {
		// What a dialog lies over cannot be clicked.
		m.hits = m.hits[:0]
	}
	c.put(l.Status, m.statusRows(l.Status.W))
	m.putRow(c, l.Footer, m.footer)
	return m.drawDialog(c.lines(l.Width))
}

// drawSession draws what stands around the panes of a session.
func (m *Model) drawSession(c *canvas, l *Layout) {
	switch l.Kind {
	case Compact:
		m.drawTabs(c, l)
	case Wide:
		m.drawFrame(c, l)
	case TooSmall:
	}
	h := pane.Header{Look: m.look, State: m.state, Stage: m.shownStage(), Note: pane.Modelless(&m.state, m.options.ModelessNote)}
	h.Status, h.Role = view.FormatOf(&m.state).Status(&m.state, m.rulings)
	m.putRow(c, l.Header, h.TitleLine)
	m.putRow(c, l.Phases, h.PhaseLine)
	m.putRow(c, l.Note, h.NoteLine)
	m.putRow(c, l.Slider, m.sliderLine)
	m.putRow(c, l.Questions, m.questionLine)
	m.hit(l.Questions, func() tea.Cmd { return m.act(ActionAnswer) })
}

// putRow draws a row where there is one.
func (m *Model) putRow(c *canvas, r pane.Rect, draw func(width int) string) {
	if !r.Empty() {
		c.put(r, []string{draw(r.W)})
	}
}

func (m *Model) drawPanes(c *canvas, l *Layout) {
	m.debate.SetLive(when(m.replaying(), nil, m.calls), m.clock(), m.blind())
	for _, p := range l.Shown() {
		r := l.Panes[p]
		rows := m.paneOf(p).View(r.W, r.H)
		if p == m.focus && m.search.on() {
			rows = m.search.mark(m.look, rows)
		}
		c.put(r, rows)
	}
}

func (m *Model) clock() pane.Clock { return pane.Clock{Now: m.options.Now(), Frame: m.frame} }

// footer names the keys that do something now, as many as there is room for.
func (m *Model) footer(width int) string {
	if m.dialog() != nil {
		// Its frame names the keys.
		return theme.Blank(width)
	}
	if m.typing() {
		return m.typingHints(width)
	}
	right, room := m.fixedHints(width)
	return m.look.Row(width, append([]theme.Span{{Text: " "}}, m.keyHints(1, m.layout.Footer.Y, room-2)...), right)
}

// typingHints are the keys of the line that is typed into: all others are text.
func (m *Model) typingHints(width int) string {
	l := m.look
	what, enter := "ends the search", "goes there"
	if m.atHome {
		what, enter = "ends the filter", "opens"
	}
	hints := []theme.Span{l.Bold.Span(" esc "), l.Faint.Span(what), l.Bold.Span("  enter "), l.Faint.Span(enter)}
	return l.Row(width, hints, nil)
}

// leaveWidth is the width from which the footer always names the way out.
const leaveWidth = 60

// fixedHints are the keys that the footer always names, at its end: the ways to
// all commands, out, and to all keys, as far as the width allows. Room is what
// they leave.
func (m *Model) fixedHints(width int) (spans []theme.Span, room int) {
	named := m.fixed(width)
	words := map[Action]string{ActionPalette: "commands  ", ActionQuit: "leave  ", ActionHelp: "help "}
	for _, a := range named {
		spans = append(spans, m.look.Bold.Span(m.keyOf(a)+" "), m.look.Faint.Span(words[a]))
	}
	room = width
	for i := len(named) - 1; i >= 0; i-- {
		wide := m.look.Width(spans[2*i].Text + spans[2*i+1].Text)
		room -= wide
		m.hit(pane.Rect{X: room, Y: m.layout.Footer.Y, W: wide, H: 1}, func() tea.Cmd { return m.act(named[i]) })
	}
	return spans, room
}

// fixed are the actions at the end of the footer.
func (m *Model) fixed(width int) []Action {
	switch {
	case width < leaveWidth:
		return []Action{ActionHelp}
	case width < pane.WideWidth:
		return []Action{ActionQuit, ActionHelp}
	}
	return []Action{ActionPalette, ActionQuit, ActionHelp}
}

// keyOf is the key of an action where the screen has the keys.
func (m *Model) keyOf(a Action) string {
	for _, place := range m.places() {
		for i := range m.keys.table {
			if b := &m.keys.table[i]; b.Place == place && b.Action == a && b.holds(m.focus) && !m.shadowed(b) {
				return b.Shown
			}
		}
	}
	return ""
}

// keyHints names the keys of the present places from a cell on, as far as there
// is room; each can be clicked. The first one is named in a word where there is
// room for no more.
func (m *Model) keyHints(x, y, room int) []theme.Span {
	var spans []theme.Span
	for _, place := range m.places() {
		for i := range m.keys.table {
			b := &m.keys.table[i]
			if b.Place != place || !m.named(b) || !b.holds(m.focus) || m.shadowed(b) || m.disabled(b.Action) != "" {
				continue
			}
			gap := when(len(spans) == 0, "", "  ")
			key, what := b.Shown+" ", when(b.Action == ActionAuto && m.auto, "auto off", b.Footer)
			if word, _, found := strings.Cut(what, " "); found && gap == "" && x+m.look.Width(key+what) > room {
				what = word
			}
			width := m.look.Width(key + what)
			if x+len(gap)+width > room {
				continue
			}
			m.hit(pane.Rect{X: x + len(gap), Y: y, W: width, H: 1}, func() tea.Cmd { return m.act(b.Action) })
			x += len(gap) + width
			spans = append(spans, theme.Span{Text: gap}, m.look.Bold.Span(key), m.look.Faint.Span(what))
		}
	}
	return spans
}

// named reports whether the footer names a key beside those at its end. Exports and replays
// are named once the session is over and nothing else is left to do, rulings while a point is
// selected.
func (m *Model) named(b *Binding) bool {
	switch {
	case b.Footer == "" || oneOf(b.Action, m.fixed(m.width)...):
		return false
	case oneOf(b.Action, ActionExport, ActionReplay):
		return m.atHome || m.ended
	case oneOf(b.Action, ActionAgree, ActionDismiss, ActionReopen):
		return m.target() != ""
	}
	return true
}

// shadowed reports whether another binding takes the first key of this one now.
func (m *Model) shadowed(b *Binding) bool {
	if len(b.Keys) == 0 {
		return true
	}
	found, ok := m.keys.find(m.places(), m.holds, b.Keys[0])
	return ok && found != b
}

// questionLine says what is asked of the person.
func (m *Model) questionLine(width int) string {
	asking := m.asking()
	if len(asking) == 0 {
		return theme.Blank(width)
	}
	mark := fmt.Sprintf(" %s %d asked ", m.look.Glyphs.Unresolved, len(asking))
	var right []theme.Span
	if key := m.keyOf(ActionAnswer); key != "" {
		right = []theme.Span{m.look.Bold.Span(key + " "), m.look.Faint.Span("answers ")}
	}
	return m.look.Row(width, []theme.Span{m.look.Warn.Span(mark), m.look.Text.Span(" " + asking[0].text())}, right)
}

// canvas joins the parts of a screen. What is put on it lies inside of its
// rectangle: rows are exactly as wide.
type canvas struct {
	rows [][]piece
}

// piece is a part of a row.
type piece struct {
	x, width int
	text     string
}

func newCanvas(height int) *canvas { return &canvas{rows: make([][]piece, max(height, 0))} }

// put places rows into a rectangle.
func (c *canvas) put(r pane.Rect, rows []string) {
	for i, row := range rows {
		if y := r.Y + i; i < r.H && y >= 0 && y < len(c.rows) {
			c.rows[y] = append(c.rows[y], piece{r.X, r.W, row})
		}
	}
}

// lines joins the pieces of each row from left to right.
func (c *canvas) lines(width int) []string {
	lines := make([]string, len(c.rows))
	var b strings.Builder
	for y, row := range c.rows {
		b.Reset()
		x := 0
		for len(row) > 0 {
			next := 0
			for i := range row {
				if row[i].x < row[next].x {
					next = i
				}
			}
			p := row[next]
			row = append(row[:next:next], row[next+1:]...)
			theme.Pad(&b, p.x-x)
			b.WriteString(p.text)
			x = p.x + p.width
		}
		theme.Pad(&b, width-x)
		lines[y] = b.String()
	}
	return lines
}

// titled is a pane's title: its number key, its name, what counts in it.
func (m *Model) titled(p pane.ID) string {
	name := m.paneOf(p).Title()
	if p == pane.HomeID {
		return name
	}
	return numberKey(p) + " " + name
}

// frameLines are the lines of a frame, a byte of directions for each cell. Where
// panes share a line their corners become tees.
func frameLines(l *Layout) []uint8 {
	lines := make([]uint8, l.Width*l.Height)
	for _, p := range l.Shown() {
		r := l.Panes[p].Outer()
		right, bottom := r.X+r.W-1, r.Y+r.H-1
		for x := r.X; x <= right; x++ {
			along := when[uint8](x > r.X, theme.LineLeft, 0) | when[uint8](x < right, theme.LineRight, 0)
			lines[r.Y*l.Width+x] |= along
			lines[bottom*l.Width+x] |= along
		}
		for y := r.Y; y <= bottom; y++ {
			along := when[uint8](y > r.Y, theme.LineUp, 0) | when[uint8](y < bottom, theme.LineDown, 0)
			lines[y*l.Width+r.X] |= along
			lines[y*l.Width+right] |= along
		}
	}
	return lines
}

// drawFrame draws the lines around and between the panes (wide), with the
// titles of the panes in the lines above them.
func (m *Model) drawFrame(c *canvas, l *Layout) {
	lines := frameLines(l)
	for y := l.Frame.Y; y < l.Frame.Y+l.Frame.H; y++ {
		for x := 0; x < l.Width; {
			if lines[y*l.Width+x] == 0 {
				x++
				continue
			}
			if p, found := l.titleAt(x, y); found {
				width := l.Panes[p].W
				m.hit(pane.Rect{X: x, Y: y, W: width, H: 1}, func() tea.Cmd { return m.focusOn(p) })
				c.put(pane.Rect{X: x, Y: y, W: width, H: 1}, []string{m.titleLine(p, width)})
				x += width
				continue
			}
			from := x
			var text strings.Builder
			for x < l.Width && lines[y*l.Width+x] != 0 {
				if _, found := l.titleAt(x, y); found && x > from {
					break
				}
				text.WriteString(m.look.Glyphs.Corner(lines[y*l.Width+x]))
				x++
			}
			c.put(pane.Rect{X: from, Y: y, W: x - from, H: 1}, []string{m.look.Border.Paint(text.String())})
		}
	}
}

// titleAt is the pane whose title begins at the cell.
func (l *Layout) titleAt(x, y int) (pane.ID, bool) {
	for p := range pane.NumIDs {
		if r := l.Panes[p]; !r.Empty() && r.X == x && r.Y == y+1 {
			return p, true
		}
	}
	return 0, false
}

// titleLine is the line above a pane.
func (m *Model) titleLine(p pane.ID, width int) string {
	line := m.look.Glyphs.Horizontal
	title, st := " "+m.titled(p)+" ", m.look.Title
	if p == m.focus {
		title, st = " "+m.look.Glyphs.Pointer+" "+m.titled(p)+" ", m.look.Accent
	}
	title = m.look.Clip(title, width-2)
	more := when(m.paneOf(p).More(), " "+m.look.Glyphs.ScrollDown+" more ", "")
	others, wide := []theme.Span(nil), 0
	if p == m.main {
		r := m.layout.Panes[p]
		others, wide = m.otherPanes(r.X, r.Y-1, width-m.look.Width(more), width-m.look.Width(title)-m.look.Width(more)-2)
	}
	used := 1 + m.look.Width(title) + wide + m.look.Width(more)
	if used > width {
		more, used = "", used-m.look.Width(more)
	}
	spans := append([]theme.Span{m.look.Border.Span(line), st.Span(title), m.look.Border.Span(strings.Repeat(line, max(width-used, 0)))}, others...)
	return m.look.Row(width, append(spans, m.look.Faint.Span(more)), nil)
}

// otherPanes names the panes that are not on the screen, as far as there is
// room, and what they take. The names end at a cell of the line; each can be
// clicked.
func (m *Model) otherPanes(x, y, end, room int) (spans []theme.Span, width int) {
	hidden := m.layout.Hidden(Views())
	// The result gives way first.
	fewer := slices.DeleteFunc(slices.Clone(hidden), func(p pane.ID) bool { return p == pane.ResultID })
	for _, try := range []struct {
		panes []pane.ID
		name  func(pane.ID) string
	}{{hidden, m.countedTab}, {hidden, m.numberedTab}, {fewer, m.numberedTab}} {
		width = 0
		for _, p := range try.panes {
			width += m.look.Width(try.name(p)) + 2
		}
		if width == 0 || width > room {
			continue
		}
		at := x + end - width + 1
		for _, p := range try.panes {
			spans = append(spans, m.look.Faint.Span(" "+try.name(p)+" "))
			m.hit(pane.Rect{X: at, Y: y, W: m.look.Width(try.name(p)), H: 1}, func() tea.Cmd { return m.focusOn(p) })
			at += m.look.Width(try.name(p)) + 2
		}
		return spans, width
	}
	const text = " 1-9 0 views "
	if width == 0 || m.look.Width(text) > room {
		return nil, 0
	}
	return []theme.Span{m.look.Faint.Span(text)}, m.look.Width(text)
}

// countedTab names a pane with its number, and the challenges with those that
// are open.
func (m *Model) countedTab(p pane.ID) string {
	return when(p == pane.ChallengesID, m.titled(p), m.numberedTab(p))
}

// drawTabs draws the bar of tabs (compact): every pane is named in it, with as
// many words as there is room for.
func (m *Model) drawTabs(c *canvas, l *Layout) {
	names := []func(pane.ID) string{m.titled, m.numberedTab, pane.ID.String, m.lastShort(1), m.lastShort(2), m.shortTab}
	at := slices.IndexFunc(names, func(name func(pane.ID) string) bool {
		width := 1
		for _, p := range Views() {
			width += m.look.Width(m.tab(p, name)) + 1
		}
		return width <= l.Frame.W
	})
	m.putTabs(c, l, names[when(at < 0, len(names)-1, at)])
}

// numberedTab names a pane with its number.
func (m *Model) numberedTab(p pane.ID) string { return numberKey(p) + " " + p.String() }

// lastShort names the last n views by their numbers, and the others whole.
func (m *Model) lastShort(n int) func(pane.ID) string {
	views := Views()
	last := views[len(views)-n:]
	return func(p pane.ID) string {
		if slices.Contains(last, p) {
			return m.shortTab(p)
		}
		return p.String()
	}
}

// shortTab names the focused pane whole and the others by their number.
func (m *Model) shortTab(p pane.ID) string {
	if p == m.focus {
		return p.String()
	}
	return numberKey(p)
}

// tab is a tab's text: the focused one is marked.
func (m *Model) tab(p pane.ID, name func(pane.ID) string) string {
	if p == m.focus {
		return m.look.Glyphs.Pointer + " " + name(p)
	}
	return name(p)
}

func (m *Model) putTabs(c *canvas, l *Layout, name func(pane.ID) string) {
	spans, x := []theme.Span{{Text: " "}}, 1
	for _, p := range Views() {
		text := m.tab(p, name)
		spans = append(spans, when(p == m.focus, m.look.Accent, m.look.Faint).Span(text), theme.Span{Text: " "})
		m.hit(pane.Rect{X: l.Frame.X + x, Y: l.Frame.Y, W: m.look.Width(text), H: 1}, func() tea.Cmd { return m.focusOn(p) })
		x += m.look.Width(text) + 1
	}
	c.put(l.Frame, []string{m.look.Row(l.Frame.W, spans, nil)})
}

// statusLine says what happens, or what the session waits for.
func (m *Model) statusLine(width int) string {
	st, text := m.status()
	mode := when(m.auto, "auto", "step by step")
	if m.ended || m.atHome {
		mode = ""
	}
	// What the round costs at least stays in sight where it goes on by itself.
	if cost := m.roundCost(); mode != "" && len(m.calls) > 0 && cost != "" {
		if both := cost + "  " + mode; m.look.Width(text)+m.look.Width(both)+4 <= width {
			mode = both
		}
	}
	return m.look.Row(width, []theme.Span{st.Span(" " + text)}, []theme.Span{m.look.Faint.Span(when(mode == "", "", mode+" "))})
}

// statusRows is the status wrapped, where it takes more than a line.
func (m *Model) statusRows(width int) []string {
	if m.layout.Status.H <= 1 {
		return []string{m.statusLine(width)}
	}
	st, text := m.status()
	return pane.Fit(m.look.Paragraph(width, []theme.Span{{Text: " "}}, st.Span(text), nil, m.layout.Status.H), width, m.layout.Status.H)
}

// statusHeight is how many lines the status needs.
func (m *Model) statusHeight() int {
	_, text := m.status()
	if room := m.width - len(" step by step "); m.look.Width(text) < room {
		return 1
	}
	return max(len(m.look.Wrap(text, m.width-1)), 1)
}

func (m *Model) status() (theme.Style, string) {
	l := m.look
	switch {
	case m.flash != "":
		return when(m.flashWarn, l.Warn, l.User), m.flash
	case m.search.on():
		return m.search.status(l)
	case m.afterRead != "":
		return l.Faint, "reading your sessions"
	case m.atHome:
		return m.home.Status()
	case m.replaying():
		return m.replayStatus()
	case m.ended:
		return m.endStatus()
	case m.leaving:
		return l.Faint, "leaving: the session is saved"
	case m.state.Paused != state.PauseNone && m.idle:
		next := "space tries again"
		if run.CapReached(&m.state) != "" {
			next = "override sets the budget here"
		}
		return l.Warn, fmt.Sprintf("paused, %s; all up to here is saved; %s", cmp.Or(m.state.PauseReason, string(m.state.Paused)), next)
	case len(m.veiled) > 0 && m.idle:
		return l.User, "the other answers are hidden until you have given yours; " + m.keyOf(ActionNext) + " asks you"
	case m.waiting:
		return l.Warn, "nothing goes on until you answer"
	case len(m.calls) > 0:
		return l.Text, m.callStatus()
	case len(m.ready) > 0 && m.yours() != "":
		return l.User, "next: " + m.nextTurn() + "; " + m.yours()
	case len(m.ready) > 0:
		return l.Text, "next: " + m.nextTurn()
	case !m.told:
		return l.Faint, "opening the session"
	case len(m.running()) > 0:
		return l.Text, m.commandStatus()
	}
	return l.Faint, "checking and ruling"
}

func (m *Model) callStatus() string {
	var parts []string
	for _, c := range m.calls {
		if c.Done {
			continue
		}
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s  %s", c.Seat, pane.StageName(c.Stage), c.Progress(m.clock()))))
	}
	switch ended := len(m.calls) - len(parts); {
	case len(parts) == 0:
		return "reading the reply"
	case ended > 0:
		return fmt.Sprintf("%d/%d ended, ", ended, len(m.calls)) + strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ")
}

// nextTurn names who is asked next for what, and what the round costs.
func (m *Model) nextTurn() string {
	var parts []string
	for _, a := range m.ready {
		parts = append(parts, string(a.Seat)+" "+pane.StageName(a.Stage))
	}
	text := strings.Join(parts, ", ")
	if cost := m.roundCost(); cost != "" {
		text += "; " + cost
	}
	return text
}

// roundCost says what this round costs at least, "" where no model is asked.
func (m *Model) roundCost() string {
	f := m.forecast
	if f == nil || f.Round != m.state.Round {
		return ""
	}
	text := fmt.Sprintf("round %d takes at least %s, %s tok", f.Round, when(f.Calls == 1, "1 call", fmt.Sprint(f.Calls, " calls")), pane.FormatCount(f.Tokens))
	if f.Priced {
		text += ", " + pane.FormatMoney(f.Cost)
	}
	return text
}

func (m *Model) endStatus() (theme.Style, string) {
	if m.state.Closed {
		ended := "closed"
		switch {
		case m.state.Inconclusive:
			ended = "inconclusive"
		case resolver.Found(m.rulings):
			ended = "FOUND, judged by no model"
		}
		text := ended + ": " + m.buckets.Summary()
		if m.state.Exit != state.ExitNone {
			text += ", exit " + string(m.state.Exit)
		}
		if m.opened.ShowCommand != "" {
			text += "  " + m.look.Glyphs.Arrow + " " + m.opened.ShowCommand
		}
		return when(m.state.Inconclusive, m.look.Warn, m.look.Agreed), text
	}
	text := "the session stopped; it is saved"
	if m.err != nil {
		text = m.err.Error()
	}
	if m.opened.ResumeCommand != "" {
		text += "  " + m.look.Glyphs.Arrow + " " + m.opened.ResumeCommand
	}
	return m.look.Warn, text
}

// homeHeader says what moot is.
func (m *Model) homeHeader(width int) string {
	l := m.look
	about := "models argue your question; code decides what stands"
	for _, shorter := range []string{"models argue; code decides", "your sessions"} {
		if l.Width(about)+len(" moot   ") > width {
			about = shorter
		}
	}
	return l.Row(width, []theme.Span{l.Accent.Span(" moot"), l.Faint.Span("  " + about)}, nil)
}
