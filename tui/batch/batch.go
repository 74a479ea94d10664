// Package batch is the screen of a batch: how far it is, the sessions that run, and a list of all items. Its panes are
// plain structs that draw a queue.Snapshot; package tui reads it, opens sessions and passes requests on.
//
// Read Prepare first: it runs beside the screen, so that 10,000 items block no key.
package batch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/queue"
	"moot/state"
	"moot/tui/form"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Data is a snapshot, prepared for the panes.
type Data struct {
	queue.Snapshot
	// lines are the rows as they are drawn, words what the filter searches, in lower case.
	lines []line
	words []string
	// idWidth is the width of the widest name, at most maxID.
	idWidth int
	// unended counts the items without an outcome.
	unended int
	// repeated says that some item was attempted more than once, asked that some call had tokens. Without, there is no
	// column for it.
	repeated, asked bool
}

// line is what a row of the list says.
type line struct {
	id string
	// about is the decision and the answer, or the reason.
	about string
}

// maxID bounds the column of the names. maxText is how much of a text is searched and drawn, in bytes.
const maxID, maxText = 32, 400

// Prepare prepares a snapshot. Rows that are as in an earlier one, which may be nil, are not prepared again.
func Prepare(s *queue.Snapshot, before *Data) *Data {
	d := &Data{Snapshot: *s, lines: make([]line, len(s.Rows)), words: make([]string, len(s.Rows))}
	for i := range s.Rows {
		row := &s.Rows[i]
		if row.Result.Outcome == "" {
			d.unended++
		}
		if before != nil && i < len(before.Rows) && sameRow(row, &before.Rows[i]) {
			d.lines[i], d.words[i] = before.lines[i], before.words[i]
		} else {
			d.lines[i] = line{id: name(row.Item), about: about(row)}
			d.words[i] = searched(row, &d.lines[i])
		}
		d.repeated = d.repeated || len(row.Earlier) > 0
		d.asked = d.asked || row.Result.Usage.Tokens() > 0
		d.idWidth = max(d.idWidth, min(ansi.StringWidth(d.lines[i].id), maxID))
	}
	return d
}

// sameRow reports whether two rows say the same in the list.
func sameRow(a, b *queue.Row) bool {
	return a.Item == b.Item && a.State == b.State && a.Session == b.Session && len(a.Earlier) == len(b.Earlier) &&
		a.Result.Outcome == b.Result.Outcome && a.Result.Reason == b.Result.Reason && a.Result.Ended.Equal(b.Result.Ended) &&
		a.Live == nil && b.Live == nil
}

// name is the first name of an item, with its number among repeats and how many other names it has.
func name(item *queue.Item) string {
	text := plain.Line(item.ID())
	if item.Parts.Number > 1 {
		text += fmt.Sprintf(" (%d)", item.Parts.Number)
	}
	if more := len(item.IDs) - 1; more > 0 {
		text += fmt.Sprintf(" +%d", more)
	}
	return text
}

// about is what a row says behind the name.
func about(row *queue.Row) string {
	text := view.Join("; ", row.Result.Decision, row.Result.Answer, row.Result.Reason)
	switch {
	case row.Live != nil:
		text = progress(row.Live)
	case text == "":
		text = row.Item.Title
	}
	return plain.Clip(plain.Line(text), maxText)
}

// searched are the texts of a row that the filter searches.
func searched(row *queue.Row, l *line) string {
	parts := append([]string{string(row.State), l.id, l.about, plain.Clip(row.Item.Title, maxText), row.Session}, row.Item.IDs...)
	return strings.ToLower(strings.Join(parts, "\n"))
}

// progress says how far a running session is, and who speaks.
func progress(r *queue.Running) string {
	round := ""
	if r.Round > 0 {
		round = fmt.Sprintf("round %d", r.Round)
	}
	doing := r.Doing
	if doing == "" && r.Session == "" {
		doing = "its session is being opened"
	}
	return plain.Clip(plain.Line(view.Join(", ", round, doing)), maxText)
}

// Look returns the sign and the style of a state. The word of the state goes with them.
func Look(l *theme.Look, s queue.State) (sign string, style theme.Style) {
	sign, style = l.Glyphs.DotEmpty, l.Faint
	switch s {
	case queue.State(queue.Concluded):
		sign, style, _ = l.Bucket(state.BucketAgreed)
	case queue.State(queue.Failure):
		sign, style, _ = l.Bucket(state.BucketDismissed)
	case queue.State(queue.Inconclusive):
		sign, style = l.Glyphs.Unresolved, l.Unresolved
	case queue.State(queue.NeedsYou):
		sign, style = l.Glyphs.User, l.User
	case queue.State(queue.Stopped):
		sign, style, _ = l.Bucket(state.BucketNotEvaluated)
	case queue.StateRunning:
		sign, style = l.Glyphs.DotFull, l.Open
	case queue.StateCutOff:
		sign, style = l.Glyphs.NotEvaluated, l.Warn
	case queue.StateBroken:
		sign, style = l.Glyphs.Warn, l.Warn
	case queue.StateWaiting:
	}
	return sign, style
}

// Pane is the list of items. It also draws the head of the screen, and has the list of running sessions.
type Pane struct {
	pane.List
	// Running are the sessions that run now.
	Running *Running

	// command runs the batch again when no process runs it.
	command string
	data    *Data
	err     error
	busy    string
	// matching are the indexes of the rows that are listed, found those that match the filter in any state.
	matching, found []int
	filter          form.Filter
	// only is the state that is listed, or "".
	only queue.State
	// last was selected last. It is selected again once it is listed.
	last string
}

// New returns a list that was not read yet. The command runs the batch again when no process runs it.
func New(l *theme.Look, command string) *Pane {
	p := &Pane{List: pane.List{Look: l, At: -1}, command: command, Running: newRunning(l)}
	p.Draw = func(i, width int, mark theme.Span) []string { return p.row(p.matching[i], width, mark) }
	p.Key = func(i int) string { return p.data.Rows[p.matching[i]].Item.Digest }
	p.Text = func(i int) string { return p.data.lines[p.matching[i]].id }
	return p
}

// Title implements pane.Pane.
func (p *Pane) Title() string {
	text := pane.BatchID.String()
	switch {
	case p.data == nil:
	case len(p.matching) != len(p.data.Rows):
		text += fmt.Sprintf(" %d of %d", len(p.matching), len(p.data.Rows))
	default:
		text += fmt.Sprintf(" %d", len(p.data.Rows))
	}
	if p.only != "" {
		text += ", only " + string(p.only)
	}
	return text
}

// SetData shows a snapshot, or says why there is none; then the earlier one stays.
func (p *Pane) SetData(d *Data, err error) {
	p.err = err
	if d == nil {
		return
	}
	p.data = d
	p.Running.setData(d)
	p.applyFilter()
}

// Data returns what is shown, or nil if nothing was read yet.
func (p *Pane) Data() *Data { return p.data }

// applyFilter lists the items in the state that is shown, with all words of the filter.
func (p *Pane) applyFilter() {
	if p.data == nil {
		return
	}
	p.last = cmp.Or(p.Chosen, p.last)
	p.found = p.filter.Matching(p.data.words, p.found)
	p.matching = p.matching[:0]
	for _, i := range p.found {
		if p.only == "" || p.data.Rows[i].State == p.only {
			p.matching = append(p.matching, i)
		}
	}
	p.SetCount(len(p.matching))
	p.Moved = true
	p.Choose(p.last)
}

// Len returns the number of items, whether they are listed or not.
func (p *Pane) Len() int {
	if p.data == nil {
		return 0
	}
	return len(p.data.Rows)
}

// Row returns the selected item, or nil.
func (p *Pane) Row() *queue.Row {
	if p.data == nil || p.At < 0 || p.At >= len(p.matching) {
		return nil
	}
	return &p.data.Rows[p.matching[p.At]]
}

// RowOf returns the item with a digest, or nil.
func (p *Pane) RowOf(digest string) *queue.Row {
	if p.data == nil {
		return nil
	}
	i := slices.IndexFunc(p.data.Rows, func(r queue.Row) bool { return r.Item.Digest == digest })
	if i < 0 {
		return nil
	}
	return &p.data.Rows[i]
}

// Listed returns the listed items in one of the states.
func (p *Pane) Listed(states ...queue.State) []*queue.Row {
	var rows []*queue.Row
	for _, i := range p.matching {
		if row := &p.data.Rows[i]; slices.Contains(states, row.State) {
			rows = append(rows, row)
		}
	}
	return rows
}

// NextState lists only the items in the next state that occurs, and after the last one all items again.
func (p *Pane) NextState() {
	states := append([]queue.State{""}, queue.States()...)
	at := slices.Index(states, p.only)
	p.only = ""
	for _, s := range states[at+1:] {
		if p.data != nil && p.data.Counts[s] > 0 {
			p.only = s
			break
		}
	}
	p.applyFilter()
}

// StartFilter lets the user type a filter.
func (p *Pane) StartFilter() {
	p.filter.Start()
	p.applyFilter()
}

// EndFilter shows all items again.
func (p *Pane) EndFilter() {
	p.filter.End()
	p.only = ""
	p.applyFilter()
}

// Filtered reports whether some items may not be listed.
func (p *Pane) Filtered() bool { return p.filter.On() || p.only != "" }

// Typing reports whether keys edit the filter.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// StopTyping keeps the filter as it is.
func (p *Pane) StopTyping() { p.filter.StopTyping() }

// Type passes a key or a paste to the filter.
func (p *Pane) Type(msg tea.Msg) {
	if p.filter.Type(msg) {
		p.applyFilter()
	}
}

// SetBusy says what the user waits for; "" is nothing.
func (p *Pane) SetBusy(what string) { p.busy = what }

// IsBusy reports whether the user waits for something.
func (p *Pane) IsBusy() bool { return p.busy != "" }

// Status says what the user waits for, what the filter finds, or how to go on; "" if there is nothing to say.
func (p *Pane) Status() (theme.Style, string) {
	l := p.Look
	switch {
	case p.busy != "":
		return l.Faint, p.busy
	case p.err != nil:
		return l.Warn, p.err.Error()
	case p.filter.On():
		style := l.Text
		if len(p.matching) == 0 {
			style = l.Warn
		}
		return style, fmt.Sprintf("%s  %d of %d", p.filter.Shown(), len(p.matching), p.Len())
	case p.data == nil:
		return l.Faint, "reading the batch"
	case p.data.Held:
		return l.Faint, ""
	case len(p.data.Rows) == 0:
		return l.Faint, ""
	case !p.Ended():
		return l.Warn, "to continue it: " + p.command
	case p.data.Counts[queue.State(queue.Failure)] > 0:
		return l.Faint, "to run what failed again: " + p.command
	}
	return l.Faint, ""
}

// Ended reports whether every item has ended, none because it was stopped, and no process runs the batch.
func (p *Pane) Ended() bool {
	d := p.data
	return d != nil && !d.Held && d.unended+d.Counts[queue.State(queue.Stopped)] == 0 && len(d.Rows) > 0
}

// The widths of the columns, and the width from which a row has columns.
const (
	columnsFrom   = 60
	stateColumn   = 14
	attemptColumn = 11
	tokensColumn  = 9
)

// View implements pane.Pane.
func (p *Pane) View(width, height int) []string {
	empty := ""
	switch {
	case p.data == nil:
		return pane.Fit(nil, width, height)
	case p.Filtered():
		empty = "no item matches; esc shows all"
	case len(p.data.Rows) == 0 && p.data.Held:
		empty = "the batch has no plan yet"
	case len(p.data.Rows) == 0:
		empty = "the plan of this batch has no items"
	}
	return p.RowsOrEmpty(width, height, empty)
}

// row draws an item in columns, or in two lines on a narrow screen.
func (p *Pane) row(i, width int, mark theme.Span) []string {
	l, d := p.Look, p.data
	row, text := &d.Rows[i], &d.lines[i]
	sign, style := Look(l, row.State)
	attempts := ""
	if row.Session != "" && len(row.Earlier) > 0 {
		attempts = fmt.Sprintf("%d attempts", len(row.Earlier)+1)
	}
	id := l.Text
	if mark.Text != " " {
		id = l.Bold
	}
	left := []theme.Span{mark, style.Span(" " + sign + " ")}
	if width < columnsFrom {
		first := l.Row(width, append(left, id.Span(text.id)), []theme.Span{l.Faint.Span(attempts)})
		second := []theme.Span{style.Span("    " + string(row.State)), l.Faint.Span("  " + text.about)}
		return []string{first, l.Row(width, second, nil)}
	}
	column := func(text string, width int) string { return l.Padded(text, width-1) + " " }
	left = append(left, style.Span(column(string(row.State), stateColumn)),
		id.Span(column(text.id, min(d.idWidth, width/4)+2)), aboutStyle(l, row).Span(text.about))
	end := ""
	switch {
	case width < pane.WideWidth && attempts != "":
		end = attempts + " "
	case width >= pane.WideWidth && d.repeated:
		end = fmt.Sprintf("%*s ", attemptColumn, attempts)
	}
	if width >= pane.WideWidth && d.asked {
		tokens := ""
		if n := row.Result.Usage.Tokens(); n > 0 {
			tokens = pane.FormatCount(n) + " tok"
		}
		end += fmt.Sprintf("%*s ", tokensColumn, tokens)
	}
	return []string{l.Row(width, left, []theme.Span{l.Faint.Span(end)})}
}

// aboutStyle is faint for what only repeats the question.
func aboutStyle(l *theme.Look, row *queue.Row) theme.Style {
	if row.Result.Outcome == "" && row.Live == nil {
		return l.Faint
	}
	return l.Text
}

// Running is the list of sessions that run now.
type Running struct {
	pane.List
	data *Data
	// ids are the names of the items that run.
	ids []string
}

func newRunning(l *theme.Look) *Running {
	p := &Running{List: pane.List{Look: l, At: -1}}
	p.Draw = p.row
	p.Key = func(i int) string { return p.data.Live.Sessions[i].Item }
	p.Text = func(i int) string { return p.ids[i] }
	return p
}

// Title implements pane.Pane.
func (p *Running) Title() string {
	if p.data == nil || p.data.Live == nil {
		return pane.RunningID.String()
	}
	if p.data.Live.Jobs == 0 { // Workers decide how many run.
		return fmt.Sprintf("%s %d", pane.RunningID, p.N)
	}
	return fmt.Sprintf("%s %d of %d at once", pane.RunningID, p.N, p.data.Live.Jobs)
}

// setData shows a snapshot.
func (p *Running) setData(d *Data) {
	p.data, p.ids = d, p.ids[:0]
	if d.Live != nil {
		known := make(map[string]string, len(d.Live.Sessions))
		for i := range d.Rows {
			if d.Rows[i].Live != nil {
				known[d.Rows[i].Item.Digest] = d.lines[i].id
			}
		}
		for i := range d.Live.Sessions {
			p.ids = append(p.ids, cmp.Or(known[d.Live.Sessions[i].Item], "an item of an earlier plan"))
		}
	}
	p.SetCount(len(p.ids))
}

// View implements pane.Pane.
func (p *Running) View(width, height int) []string {
	empty := ""
	switch {
	case p.data == nil:
	case p.data.Live == nil:
		empty = "the process that runs the batch has not told yet what it does"
	default:
		empty = "no session runs at this moment"
	}
	return p.RowsOrEmpty(width, height, empty)
}

// row draws a running session.
func (p *Running) row(i, width int, mark theme.Span) []string {
	l, one := p.Look, &p.data.Live.Sessions[i]
	id := l.Text
	if mark.Text != " " {
		id = l.Bold
	}
	sign, style := Look(l, queue.StateRunning)
	left := []theme.Span{mark, style.Span(" " + sign + " ")}
	doing := progress(one)
	if one.Worker != "" {
		doing = view.Join(", ", doing, "on "+plain.Clip(plain.Line(one.Worker), maxText))
	}
	since := Span(p.data.At.Sub(one.Since))
	if width < columnsFrom {
		return []string{l.Row(width, append(left, id.Span(p.ids[i]), l.Faint.Span("  "+doing)), []theme.Span{l.Faint.Span(since + " ")})}
	}
	tokens := pane.FormatCount(one.Usage.Tokens()) + " tok"
	left = append(left, id.Span(l.Padded(p.ids[i], min(p.data.idWidth, width/3)+1)+" "), l.Text.Span(doing))
	return []string{l.Row(width, left, []theme.Span{l.Faint.Span(fmt.Sprintf("%*s %*s ", tokensColumn, tokens, tokensColumn, since))})}
}

// Span is how long something took so far, in one unit.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return plain.Counted(int(d.Hours()/24), "day")
}
