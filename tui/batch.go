package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/queue"
	"moot/tui/batch"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Batch gives access to the items of a batch, whose screen takes the place of the list of sessions. Its functions are
// called on their own goroutines, one Look at a time, and may take time.
type Batch struct {
	// Look reads the batch as it is now.
	Look func(ctx context.Context) (queue.Snapshot, error)
	// Open opens a session of the batch: live if another process runs it, else to read it.
	Open func(ctx context.Context, session string) (Opened, error)
	// Ask passes a request to the process that runs the batch.
	Ask func(ctx context.Context, q queue.Request) error
	// Command runs the batch again when no process runs it, such as "moot batch retry DIR".
	Command string
	// Every is the time between two looks; 0 is half a second, and two while no process runs the batch.
	Every time.Duration
}

// How often a batch is looked at. A look that takes long is followed by a longer pause.
const (
	lookEvery = 500 * time.Millisecond
	idleEvery = 2 * time.Second
	maxShare  = 5
)

// lookDue says that it is time to look at the batch again.
type lookDue struct{}

// onBatch reports whether the lists of a batch are on the screen.
func (m *Model) onBatch() bool { return m.atHome && m.options.Batch != nil }

// followBatch begins to look at the batch, if there is one.
func (m *Model) followBatch() tea.Cmd {
	if m.options.Batch == nil {
		return nil
	}
	return m.lookAtBatch()
}

// lookAtBatch reads the batch in the background, and prepares what is drawn there, so that no key waits for it.
func (m *Model) lookAtBatch() tea.Cmd {
	source, before := m.options.Batch, m.batch.Data()
	return m.outside(func() answer {
		began := time.Now()
		snapshot, err := source.Look(context.Background())
		var data *batch.Data
		if err == nil {
			data = batch.Prepare(&snapshot, before)
		}
		took := time.Since(began)
		return func(m *Model) tea.Cmd {
			m.batch.SetData(data, err)
			if m.atHome {
				m.unsay()
			}
			if m.focus == pane.RunningID && m.whyOneList() != "" {
				m.focusOn(pane.BatchID)
			}
			m.refreshDialogs()
			wait := lookEvery
			if data == nil || !data.Held {
				wait = idleEvery
			}
			if source.Every > 0 {
				wait = source.Every
			}
			return tea.Tick(max(wait, maxShare*took), func(time.Time) tea.Msg { return lookDue{} })
		}
	})
}

// goToBatch shows the lists of the batch after a session, and says what became of it.
func (m *Model) goToBatch() tea.Cmd {
	switch {
	case m.err != nil:
		m.say(m.err.Error(), true)
	case m.opened.Joined:
		m.say("the session continues; press "+m.keyOf(ActionOpen)+" to join it again", false)
	}
	m.rearrange()
	return nil
}

// batchFamily are the actions that exist only on the screen of a batch.
func batchFamily() family {
	return family{
		title:   "Batch",
		actions: []Action{ActionItem, ActionRetry, ActionRetryAll, ActionPause, ActionStopBatch, ActionOnlyState},
		why:     (*Model).whyNotInBatch,
		do:      (*Model).actOnBatch,
	}
}

// selectedItem is the selected item of the list that has the focus, or nil.
func (m *Model) selectedItem() *queue.Row {
	if m.focus == pane.RunningID {
		return m.batch.RowOf(m.batch.Running.Selected())
	}
	return m.batch.Row()
}

// shortID is the name of an item in a message.
func shortID(row *queue.Row) string {
	const longest = 60
	return plain.Clip(plain.Line(row.Item.ID()), longest)
}

// whyNoItem says why no item is selected, or "".
func (m *Model) whyNoItem() string {
	switch {
	case m.selectedItem() != nil:
		return ""
	case m.batch.Data() == nil:
		return "the batch is still being read"
	case m.focus == pane.RunningID:
		return "no session of the batch runs now"
	case m.batch.Len() == 0:
		return "the batch has no items"
	}
	return "no item matches the filter"
}

// whyNotInBatch says why an action is not possible now, or "".
func (m *Model) whyNotInBatch(a Action) string {
	if !m.onBatch() {
		return "go to the screen of a batch first"
	}
	data := m.batch.Data()
	switch {
	case data == nil:
		return "the batch is still being read"
	case a == ActionOnlyState && m.batch.Len() == 0:
		return "the batch has no items"
	case a == ActionOnlyState:
		return ""
	case oneOf(a, ActionItem, ActionRetry, ActionPause) && m.whyNoItem() != "":
		return m.whyNoItem()
	case a == ActionItem:
		return ""
	case !data.Held && a == ActionStopBatch:
		return "no process runs the batch, so there is nothing to stop"
	case !data.Held && a == ActionPause:
		return "no process runs the batch, so nothing can be paused"
	case !data.Held:
		return "no process runs the batch; to run items again: " + m.options.Batch.Command
	case oneOf(a, ActionRetry, ActionRetryAll) && data.Live != nil && data.Live.Stopping != "":
		return "no session starts anymore, for a cap is reached: " + plain.Line(data.Live.Stopping)
	case a == ActionRetryAll && len(m.toRetry()) == 0:
		return "no listed item failed or is inconclusive"
	case oneOf(a, ActionStopBatch, ActionRetryAll):
		return ""
	}
	row := m.selectedItem()
	switch {
	case a == ActionPause && row.State != queue.StateRunning:
		return "this session does not run: it is " + string(row.State)
	case a == ActionPause && row.Session == "":
		return "its session is still being opened"
	case a == ActionRetry && row.State == queue.StateRunning:
		return "this item runs already"
	case a == ActionRetry && row.Result.Outcome == "":
		return "this item is " + string(row.State) + ": it runs when it is its turn"
	}
	return ""
}

// whyOneList says why only the list of items is shown, or "".
func (m *Model) whyOneList() string {
	if data := m.batch.Data(); data == nil || !data.Held {
		return "there is one list: no process runs the batch"
	}
	return ""
}

// toRetry are the listed items that failed or are inconclusive.
func (m *Model) toRetry() []*queue.Row {
	return m.batch.Listed(queue.State(queue.Failure), queue.State(queue.Inconclusive))
}

func (m *Model) actOnBatch(a Action) tea.Cmd {
	switch {
	case a == ActionOnlyState:
		m.focusOn(pane.BatchID)
		m.batch.NextState()
	case a == ActionItem:
		m.showItem(m.selectedItem().Item.Digest)
	case a == ActionPause:
		row := m.selectedItem()
		return m.askBatch(queue.Request{Pause: row.Session}, "asked to pause "+shortID(row)+"; its session is saved")
	case a == ActionStopBatch:
		m.confirm("Stop the batch?",
			func() string {
				return plain.Counted(m.batch.Running.Count(), "session") + " running now: each is paused and saved. Items that wait " +
					"keep waiting. The same command continues the batch."
			},
			func(m *Model) tea.Cmd {
				return m.askBatch(queue.Request{Stop: true}, "asked the batch to stop; sessions that run are paused and saved")
			})
	case a == ActionRetry:
		row := m.selectedItem()
		again := func(m *Model) tea.Cmd {
			return m.askBatch(queue.Request{Retry: []string{row.Item.Digest}}, "asked to run "+shortID(row)+" again")
		}
		if row.State != queue.State(queue.Concluded) {
			return again(m)
		}
		m.confirm("Run "+shortID(row)+" again?", said("It is concluded. Its session stays, as an earlier attempt."), again)
	case a == ActionRetryAll:
		m.confirmRetryAll()
	}
	return nil
}

// confirmRetryAll counts the listed items that failed or are inconclusive, and asks whether to run them again.
func (m *Model) confirmRetryAll() {
	rows := m.toRetry()
	counts := map[queue.State]int{}
	digests := lists.Map(rows, func(r *queue.Row) string {
		counts[r.State]++
		return r.Item.Digest
	})
	var parts []string
	for _, s := range []queue.State{queue.State(queue.Failure), queue.State(queue.Inconclusive)} {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	about := strings.Join(parts, " and ") + " of the " + plain.Counted(len(m.batch.Listed(queue.States()...)), "listed item") + "."
	what := plain.Counted(len(rows), "item")
	m.confirm("Run "+what+" again?", said(about), func(m *Model) tea.Cmd {
		return m.askBatch(queue.Request{Retry: digests}, "asked to run "+what+" again")
	})
}

// said is a text that does not change.
func said(text string) func() string { return func() string { return text } }

// confirm asks before something is done. The text above the question may change while it is read.
func (m *Model) confirm(title string, about func() string, do perform) {
	f := newForm(title, []view.Field{{Key: "sure", Label: "Do it?", Kind: view.FieldConfirm, Default: view.No}},
		func(v view.Values) perform {
			return func(m *Model) tea.Cmd {
				if v["sure"] != view.Yes {
					return nil
				}
				return do(m)
			}
		})
	f.Head = func(l *theme.Look, width int) []string { return l.Paragraph(width, nil, l.Text.Span(about()), nil, 4) }
	m.push(f)
}

// askBatch passes a request to the process that runs the batch, and says what was asked.
func (m *Model) askBatch(q queue.Request, said string) tea.Cmd {
	ask := m.options.Batch.Ask
	return m.outside(func() answer {
		err := ask(context.Background(), q)
		return func(m *Model) tea.Cmd {
			if err != nil {
				m.say(err.Error(), true)
				return nil
			}
			m.say(said, false)
			return nil
		}
	})
}

// openItem opens the session of the selected item, or shows what is known of one that has none.
func (m *Model) openItem() tea.Cmd {
	row := m.selectedItem()
	if row.Session == "" {
		m.showItem(row.Item.Digest)
		return nil
	}
	id, open := row.Session, m.options.Batch.Open
	return m.openWith("opening the session", func(ctx context.Context) (Opened, error) { return open(ctx, id) })
}

// showItem shows everything that is known of an item.
func (m *Model) showItem(digest string) {
	m.push(&reader{heading: "Item", about: digest, parts: func(l *theme.Look) []pane.Part {
		row := m.batch.RowOf(digest)
		if row == nil {
			return []pane.Part{{Blocks: []pane.Block{{Body: l.Faint.Span("The plan does not have this item anymore.")}}}}
		}
		return []pane.Part{{Blocks: batch.Details(l, row)}}
	}})
}

// batchStatus is the status below the lists of a batch. On a narrow screen the footer has no room for how to leave.
func (m *Model) batchStatus() (theme.Style, string) {
	style, text := m.batch.Status()
	if text == "" && m.width < quitWidth {
		text = m.keyOf(ActionQuit) + " " + m.leaveWords()
	}
	return style, text
}

// leaveWords says in the footer what leaving does.
func (m *Model) leaveWords() string {
	switch {
	case m.options.Batch == nil:
		return "leave"
	case !m.atHome:
		return "back to the batch"
	case m.batch.Data() != nil && m.batch.Data().Held:
		return "leaves it running"
	}
	return "leave"
}

// batchShowing is how many rows the head and the running sessions of a batch take.
func (m *Model) batchShowing(width, height int) BatchShowing {
	head := min(batch.MaxHead, height/3)
	if height < wideHeight-3 {
		head = max(height-5, 1) // The title of a list and some of its rows.
	}
	s := BatchShowing{Head: len(m.batch.Head(width, head))}
	data := m.batch.Data()
	if data == nil {
		return s
	}
	if data.Held {
		s.Running = 1
	}
	if data.Live != nil {
		s.Running = min(max(len(data.Live.Sessions), min(data.Live.Jobs, data.Live.Left), 1), max((height-s.Head-4)/3, 1))
	}
	return s
}

// drawBatch draws what is around the lists of a batch.
func (m *Model) drawBatch(c canvas, l *Layout) {
	m.putRow(c, l.Header, m.batchHeader)
	if !l.Head.Empty() {
		c.put(l.Head, m.batch.Head(l.Head.W, l.Head.H))
	}
	for _, p := range []pane.ID{pane.RunningID, pane.BatchID} {
		r := l.Panes[p]
		if r.W == 0 || m.batch.Data() == nil {
			continue
		}
		m.putRow(c, pane.Rect{X: 0, Y: r.Y - 1, W: r.W, H: 1}, func(width int) string { return m.listTitle(p, width) })
	}
}

// listTitle draws the line above a list. If the other list is hidden, it names it.
func (m *Model) listTitle(p pane.ID, width int) string {
	look := m.look
	title := m.paneOf(p).Title()
	if p == m.focus {
		title = look.Glyphs.Pointer + " " + title
	}
	var right []theme.Span
	more := ""
	if m.paneOf(p).More() {
		more = " " + look.Glyphs.ScrollDown + " more "
	}
	if data := m.batch.Data(); m.layout.Kind != Wide && data.Held {
		other := pane.BatchID
		if p == pane.BatchID {
			other = pane.RunningID
		}
		for _, name := range []string{m.paneOf(other).Title(), other.String(), ""} {
			text := " " + m.keyOf(ActionNextPane) + " " + name + " "
			if name != "" && look.Width(text+more) <= width/2 && look.Width(title+text+more)+6 < width {
				right = append(right, look.Faint.Span(text))
				break
			}
		}
	}
	if more != "" {
		right = append(right, look.Faint.Span(more))
	}
	return look.SectionRule(width, title, right)
}

// batchHeader names the batch, and says whether a process runs it.
func (m *Model) batchHeader(width int) string {
	l, data := m.look, m.batch.Data()
	left := []theme.Span{l.Accent.Span(" moot"), l.Faint.Span("  batch ")}
	if data == nil {
		return l.Row(width, left, nil)
	}
	left = append(left, l.Bold.Span(data.Name))
	var right theme.Span
	switch live := data.Live; {
	case live != nil:
		right = l.Open.Span(l.Glyphs.DotFull + " runs for " + batch.Span(data.At.Sub(live.Began)) + " ")
	case data.Held:
		right = l.Open.Span(l.Glyphs.DotFull + " begins to run ")
	case len(data.Rows) == 0:
		right = l.Faint.Span(" no items ")
	case m.batch.Ended():
		right = l.Agreed.Span(l.Glyphs.Agreed + " over ")
	default:
		right = l.Warn.Span(l.Glyphs.Warn + " does not run ")
	}
	return l.Row(width, left, []theme.Span{right})
}
