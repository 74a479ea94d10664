package tui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/queue"
	"moot/state"
	"moot/tui/pane"
)

// crowd is a batch whose functions note what they are asked.
type crowd struct {
	snapshot queue.Snapshot
	err      error
	opened   []string
	asked    []queue.Request
	refusal  error
	session  *protocoltest.Record
}

// itemNow is a row of a batch.
func itemNow(id string, s queue.State, change func(r *queue.Row)) queue.Row {
	row := queue.Row{
		Item:  &queue.Item{Digest: "digest of " + id, IDs: []string{id}, Title: "Is " + id + " safe to retry after a crash?", Parts: queue.Parts{Number: 1, Seats: "orchestrator=rules consultee=rules"}},
		State: s,
	}
	if slices.Contains(queue.Outcomes(), queue.Outcome(s)) {
		row.Session = "20261121-150000-" + id
		row.Result = queue.Result{
			Outcome: queue.Outcome(s), Rounds: 4, Seconds: 75, Usage: state.Usage{Calls: 9, PromptTokens: 11800, CompletionTokens: 600, Cost: 0.04},
			Ended: protocoltest.RecordTime(),
		}
	}
	if change != nil {
		change(&row)
	}
	return row
}

// someItems are items in every state in which one can be.
func someItems() []queue.Row {
	return []queue.Row{
		itemNow("auth", queue.State(queue.Concluded), func(r *queue.Row) {
			r.Result.Decision, r.Result.Answer = "AGREED", "It is safe to retry, since every write carries the key of its request."
		}),
		itemNow("billing", queue.State(queue.Concluded), func(r *queue.Row) {
			r.Result.Answer, r.Earlier = "It is not: the charge is sent before the row is written.", []string{"20261121-140000-billing"}
		}),
		itemNow("catalog", queue.State(queue.Inconclusive), func(r *queue.Row) { r.Result.Reason = "8 rounds are over, and 4 points are unresolved" }),
		itemNow("checkout-of-the-large-shop-with-a-long-name", queue.State(queue.NeedsYou), func(r *queue.Row) { r.Result.Reason = "a tradeoff is yours to decide: is a slower start worth it?" }),
		itemNow("delivery", queue.State(queue.Failure), func(r *queue.Row) {
			r.Result.Reason, r.Earlier = "openai:gpt-5.2 cannot be reached: 503 after 5 attempts", []string{"a", "b"}
		}),
		itemNow("export", queue.State(queue.Failure), func(r *queue.Row) {
			r.Session, r.Result = "", queue.Result{Outcome: queue.Failure, Reason: "the workspace /srv/export does not exist"}
		}),
		itemNow("feed", queue.State(queue.Stopped), func(r *queue.Row) { r.Result.Reason = "you paused it" }),
		itemNow("gateway", queue.StateRunning, nil),
		itemNow("history", queue.StateRunning, nil),
		itemNow("invoices", queue.StateWaiting, nil),
		itemNow("jobs", queue.StateWaiting, func(r *queue.Row) { r.Item.IDs = append(r.Item.IDs, "jobs-2") }),
		itemNow("kitchen", queue.StateCutOff, func(r *queue.Row) { r.Session = "20261121-150000-kitchen" }),
		itemNow("ledger", queue.StateBroken, func(r *queue.Row) {
			r.Session, r.Result = "20261121-150000-ledger", queue.Result{Outcome: queue.Failure, Reason: "line 12 does not follow from line 11"}
		}),
	}
}

// batchNow is a batch that a process runs, with some rows.
func batchNow(rows []queue.Row) queue.Snapshot {
	now := protocoltest.RecordTime().Add(time.Hour)
	s := queue.Snapshot{
		At: now, Name: "services", Held: true, Rows: rows, Rate: 1.5, Left: 200 * time.Second,
		Live: &queue.Live{At: now, Began: now.Add(-4 * time.Minute), Jobs: 4, Ended: 6, Left: 5, Usage: state.Usage{Calls: 63, PromptTokens: 84000, CompletionTokens: 5000, Cost: 0.31}},
	}
	for i := range rows {
		row := &rows[i]
		if row.State != queue.StateRunning {
			continue
		}
		one := queue.Running{Item: row.Item.Digest, Since: now.Add(-time.Duration(40+50*i) * time.Second)}
		one.Session, one.Round, one.Doing = "20261121-150000-"+row.Item.ID(), 1+i%4, "orchestrator"
		one.Usage = state.Usage{Calls: 3, PromptTokens: 4100, CompletionTokens: 300, Cost: 0.01}
		s.Live.Sessions = append(s.Live.Sessions, one)
	}
	for i := range s.Live.Sessions {
		for k := range rows {
			if rows[k].Item.Digest == s.Live.Sessions[i].Item {
				rows[k].Live, rows[k].Session = &s.Live.Sessions[i], s.Live.Sessions[i].Session
			}
		}
	}
	return counted(s)
}

// counted adds up a snapshot.
func counted(s queue.Snapshot) queue.Snapshot {
	s.Counts, s.Usage = map[queue.State]int{}, state.Usage{}
	for i := range s.Rows {
		s.Counts[s.Rows[i].State]++
		s.Usage.Add(&s.Rows[i].Result.Usage)
	}
	return s
}

// resting is a batch that no process runs, with the rows in some states only.
func resting(states ...queue.State) queue.Snapshot {
	rows := slices.DeleteFunc(someItems(), func(r queue.Row) bool { return !slices.Contains(states, r.State) })
	return counted(queue.Snapshot{At: protocoltest.RecordTime().Add(time.Hour), Name: "services", Rows: rows})
}

// over is a batch in which everything is done.
func over() queue.Snapshot {
	return resting(queue.State(queue.Concluded), queue.State(queue.Inconclusive), queue.State(queue.NeedsYou), queue.State(queue.Failure))
}

// halted is a batch that was stopped in the middle.
func halted() queue.Snapshot {
	return resting(queue.State(queue.Concluded), queue.State(queue.Stopped), queue.StateWaiting, queue.StateCutOff)
}

func (c *crowd) batch() *Batch {
	return &Batch{
		Look: func(context.Context) (queue.Snapshot, error) { return c.snapshot, c.err },
		Open: func(_ context.Context, id string) (Opened, error) {
			c.opened = append(c.opened, id)
			o := Opened{State: &state.State{ID: id, Question: "the question of " + id}, ShowCommand: "moot show " + id}
			if c.session != nil {
				o.State, o.Events = c.session.State, c.session.Events
			}
			for _, one := range c.running() {
				if one.Session == id {
					o.State, o.Joined = &state.State{ID: id, Question: "the question of " + id}, true
					o.Start = func(func(protocol.Notice)) (Session, error) { return &noting{}, nil }
				}
			}
			return o, c.refusal
		},
		Ask: func(_ context.Context, q queue.Request) error {
			c.asked = append(c.asked, q)
			return c.refusal
		},
		Command: "moot batch retry services", Every: time.Nanosecond,
	}
}

func (c *crowd) running() []queue.Running {
	if c.snapshot.Live == nil {
		return nil
	}
	return c.snapshot.Live.Sessions
}

// batchOf is the model of the screen of a batch that was read.
func batchOf(t testing.TB, c *crowd, o Options, width, height int) *Model {
	t.Helper()
	o.Batch, o.Environ = c.batch(), []string{"TERM=xterm-256color"}
	o.Now = func() time.Time { return protocoltest.RecordTime().Add(time.Hour) }
	if o.Themes == nil {
		o.Themes = ownThemes()
	}
	m := newModel(o)
	m.width, m.height = width, height
	m.rearrange()
	finish(m, m.followBatch())
	m.rearrange()
	return m
}

// batch is the screen of a batch after some keys. The texts of its items may be hostile.
func (s *stage) batch(snapshot queue.Snapshot, keys string) *Model {
	snapshot.Name = s.text(snapshot.Name)
	for i := range snapshot.Rows {
		row := &snapshot.Rows[i]
		item := *row.Item
		item.IDs = slices.Clone(item.IDs)
		for k := range item.IDs {
			item.IDs[k] = s.text(item.IDs[k])
		}
		item.Title, item.Parts.Seats = s.text(item.Title), s.text(item.Parts.Seats)
		row.Item = &item
		for _, text := range []*string{&row.Result.Decision, &row.Result.Answer, &row.Result.Reason} {
			if *text != "" {
				*text = s.text(*text)
			}
		}
	}
	if snapshot.Live != nil {
		for i := range snapshot.Live.Sessions {
			one := &snapshot.Live.Sessions[i]
			one.Doing = s.text(one.Doing)
			if one.Worker != "" {
				one.Worker = s.text(one.Worker)
			}
		}
		if snapshot.Live.Stopping != "" {
			snapshot.Live.Stopping = s.text(snapshot.Live.Stopping)
		}
	}
	m := batchOf(s.t, &crowd{snapshot: snapshot}, s.options, s.width, s.height)
	for name := range strings.FieldsSeq(keys) {
		m.View()
		press(m, name)
	}
	m.rearrange()
	return m
}

func batchScenes() []scene {
	of := func(name, keys string, change func(s *queue.Snapshot)) scene {
		return scene{name, func(s *stage) *Model {
			snapshot := batchNow(someItems())
			if change != nil {
				change(&snapshot)
			}
			return s.batch(snapshot, keys)
		}}
	}
	at := func(name, keys string, snapshot func() queue.Snapshot) scene {
		return scene{name, func(s *stage) *Model { return s.batch(snapshot(), keys) }}
	}
	return []scene{
		of("batch-running", "", nil),
		of("batch-filter", "/ c h", nil),
		of("batch-state", "t t", nil),
		of("batch-retry-all", "R", nil),
		of("batch-item", "down i", nil),
		of("batch-sessions", "tab down", func(s *queue.Snapshot) { s.Live.Sessions[1].Worker = "worker-2.example.org" }),
		of("batch-caps", "", func(s *queue.Snapshot) {
			s.Live.MaxTokens, s.Live.MaxCost, s.Live.Stopping, s.Live.Usage.Unpriced = 90000, 5, "91000 of 90000 tokens are used", 3
			s.Usage.Unpriced, s.Rate, s.Left = 3, 0, 0
		}),
		of("batch-early", "", func(s *queue.Snapshot) { s.Live.Ended, s.Rate, s.Left = 2, 0, 0 }),
		of("batch-begins", "", func(s *queue.Snapshot) {
			*s = counted(queue.Snapshot{Name: "services", Held: true, Rows: halted().Rows})
		}),
		at("batch-over", "", over), at("batch-halted", "", halted),
		at("batch-empty", "", func() queue.Snapshot { return resting() }),
		of("batch-many", "pgdown", func(s *queue.Snapshot) { *s = manyItems(300, 16) }),
		{"batch-unread", func(s *stage) *Model {
			return batchOf(s.t, &crowd{err: errors.New(s.text("read the sessions of the batch: permission denied"))}, s.options, s.width, s.height)
		}},
	}
}

// manyItems is a batch that runs, with n items, of which some run.
func manyItems(n, running int) queue.Snapshot {
	some, rows := someItems(), make([]queue.Row, 0, n)
	ended := n * 3 / 5
	for i := range n {
		row := some[i%7]
		switch {
		case i >= ended+running:
			row = some[9]
		case i >= ended:
			row = some[7]
		}
		item := *row.Item
		item.IDs = []string{fmt.Sprintf("service-%05d", i)}
		item.Digest = "digest of " + item.IDs[0]
		row.Item = &item
		if row.Session != "" {
			row.Session += item.IDs[0]
		}
		rows = append(rows, row)
	}
	s := batchNow(rows)
	s.Live.Jobs, s.Live.Ended, s.Live.Left = running, ended, n-ended
	return s
}

// TestGoldenBatches holds the text of the screen of a batch, in each state and size.
func TestGoldenBatches(t *testing.T) {
	t.Parallel()
	skipShort(t)
	cast := friendly(t)
	for _, s := range batchScenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			golden(t, filepath.Join("screens", s.name), drawnScene(t, cast, s, [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}}))
		})
	}
}

func TestBatchKeys(t *testing.T) {
	for _, test := range []struct{ name, keys, want string }{
		{"enter opens a recorded session", "enter", "opened [20261121-150000-auth]"},
		{"enter opens a live one", "=gateway enter", "opened [20261121-150000-gateway]"},
		{"from the other list too", "tab down enter", "opened [20261121-150000-history]"},
		{"without a session its reason is shown", "=export enter", "shows the workspace /srv/export does not exist"},
		{"the filter is typed and opened", "/ k i t c h enter", "opened [20261121-150000-kitchen]"},
		{"r retries", "=delivery r", "asked [{false [digest of delivery] }]"},
		{"r on a concluded one asks first", "=auth r enter", "asked []"},
		{"r on a concluded one, and mean it", "=auth r y enter", "asked [{false [digest of auth] }]"},
		{"r on one that runs", "=gateway r", "says this item runs already"},
		{"r on one that waits", "=invoices r", "says this item is waiting: it runs when it is its turn"},
		{"R counts", "R", "shows 1 inconclusive"},
		{"R counts what failed", "R", "shows 2 failed"},
		{"R, and mean it", "R y enter", "asked [{false [digest of catalog digest of delivery digest of export] }]"},
		{"R, and think better", "R enter", "asked []"},
		{"R of the state that is listed", "t t R y enter", "asked [{false [digest of catalog] }]"},
		{"R with nothing to do", "t R", "says no listed item failed or is inconclusive"},
		{"p pauses", "=gateway p", "asked [{false [] 20261121-150000-gateway}]"},
		{"p in the other list", "tab down p", "asked [{false [] 20261121-150000-history}]"},
		{"p on one that is over", "=auth p", "says this session does not run: it is concluded"},
		{"s asks first", "s enter", "asked []"},
		{"s, and mean it", "s y enter", "asked [{true [] }]"},
		{"s counts", "s", "shows 2 sessions running now"},
		{"t lists one state", "t t", "shows Items 1 of 13, only inconclusive"},
		{"esc lists all", "t t esc", "shows Items 13"},
		{"i shows all of an item", "=billing i", "shows 20261121-140000-billing"},
		{"y copies", "y", "says auth: sent to the terminal"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &crowd{snapshot: batchNow(someItems())}
			m := batchOf(t, c, Options{NoColor: true}, 120, 40)
			typeAtHome(m, test.keys)
			got := map[string]string{"opened": fmt.Sprint(c.opened), "asked": fmt.Sprint(c.asked), "says": m.flash, "shows": screenText(m)}
			what, want, _ := strings.Cut(test.want, " ")
			if what == "shows" && strings.Contains(strings.Join(strings.Fields(got[what]), " "), want) {
				return
			}
			if !strings.HasPrefix(got[what], want) {
				t.Errorf("%s %q, want %q", what, got[what], want)
			}
		})
	}
}

// Without a process that runs the batch, each key says why it does nothing, and what to do.
func TestBatchSaysWhyNot(t *testing.T) {
	for key, want := range map[string]string{
		"r": "to run items again: moot batch retry services", "R": "moot batch retry services", "p": "nothing can be paused", "s": "there is nothing to stop",
	} {
		c := &crowd{snapshot: halted()}
		m := batchOf(t, c, Options{NoColor: true}, 120, 40)
		typeAtHome(m, key)
		if !strings.Contains(m.flash, want) || len(c.asked) > 0 || m.dialog() != nil {
			t.Errorf("%s says %q, asked %v", key, m.flash, c.asked)
		}
	}
	capped := batchNow(someItems())
	capped.Live.Stopping = "900 of 800 tokens are used"
	m := batchOf(t, &crowd{snapshot: capped}, Options{NoColor: true}, 120, 40)
	if typeAtHome(m, "=delivery r"); !strings.Contains(m.flash, "no session starts anymore") || !strings.Contains(m.flash, "900 of 800 tokens") {
		t.Errorf("beyond the cap r says %q", m.flash)
	}
	c := &crowd{snapshot: batchNow(someItems()), refusal: errors.New("no process runs the batch anymore")}
	m = batchOf(t, c, Options{NoColor: true}, 120, 40)
	for _, keys := range []string{"=delivery r", "enter", "s y enter"} {
		typeAtHome(m, keys)
		if !m.atHome || m.flash != c.refusal.Error() {
			t.Errorf("%s: at home %t, it says %q", keys, m.atHome, m.flash)
		}
	}
}

// esc and q come back from a session to the batch, to the list and the item as they were, and q then leaves it running.
func TestASessionComesBackToTheBatch(t *testing.T) {
	for _, key := range []string{"q", "esc"} {
		c := &crowd{snapshot: batchNow(someItems()), session: protocoltest.Consultation(t)}
		m := batchOf(t, c, Options{NoColor: true}, 120, 40)
		typeAtHome(m, "=billing enter")
		if m.atHome || !strings.Contains(screenText(m), key+" back") && !strings.Contains(screenText(m), "back to the batch") {
			t.Fatalf("the session is not shown:\n%s", screenText(m))
		}
		typeKeys(m, key)
		if !m.atHome || m.batch.Row().Item.ID() != "billing" {
			t.Errorf("%s: at home %t:\n%s", key, m.atHome, screenText(m))
		}
		if _, quit := press(m, "q")().(tea.QuitMsg); !quit {
			t.Errorf("q does not leave")
		}
	}
	// A session that runs is left, and its call is never canceled.
	c := &crowd{snapshot: batchNow(someItems())}
	m := batchOf(t, c, Options{NoColor: true}, 120, 40)
	typeAtHome(m, "tab down enter")
	m.start.Do(func() { close(m.over) })
	tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee}})
	if got := ordered(m, "esc"); !slices.Equal(got, []string{"leave"}) {
		t.Errorf("esc orders %q", got)
	}
	m.receiveItem(sessionOver{m.session, nil})
	finish(m, m.left())
	if !m.atHome || m.focus != pane.RunningID || !strings.Contains(m.flash, "the session continues") {
		t.Errorf("at home %t, focus %s, it says %q", m.atHome, m.focus, m.flash)
	}
}

// A click selects an item, or a session that runs, in its list; the wheel scrolls the list below the pointer.
func TestBatchMouse(t *testing.T) {
	m := batchOf(t, &crowd{snapshot: batchNow(someItems())}, Options{NoColor: true}, 120, 40)
	click := func(text string) {
		for y, row := range strings.Split(screenText(m), "\n") {
			if x := strings.Index(row, text); x >= 0 {
				m.Update(tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("%q is not on the screen:\n%s", text, screenText(m))
	}
	click("✗ failed        delivery")
	if m.focus != pane.BatchID || m.selectedItem().Item.ID() != "delivery" {
		t.Errorf("%s: %s is selected", m.focus, m.selectedItem().Item.ID())
	}
	click("● history")
	if m.focus != pane.RunningID || m.selectedItem().Item.ID() != "history" {
		t.Errorf("%s: %s is selected", m.focus, m.selectedItem().Item.ID())
	}
	m = batchOf(t, &crowd{snapshot: manyItems(300, 16)}, Options{NoColor: true}, 80, 24)
	screenText(m)
	m.Update(tea.MouseWheelMsg{X: 5, Y: 20, Button: tea.MouseWheelDown})
	if text := screenText(m); strings.Contains(text, "service-00002 ") || !strings.Contains(text, "service-00003 ") || !strings.Contains(text, "service-00180 ") {
		t.Errorf("the wheel shows\n%s", text)
	}
}

// When the run ends while its sessions have the focus, the list of items has it.
func TestFocusLeavesAListThatIsGone(t *testing.T) {
	c := &crowd{snapshot: batchNow(someItems())}
	m := batchOf(t, c, Options{NoColor: true}, 120, 40)
	typeAtHome(m, "tab")
	c.snapshot = halted()
	finish(m, m.lookAtBatch())
	m.rearrange()
	if m.focus != pane.BatchID || !m.layout.Panes[pane.RunningID].Empty() {
		t.Errorf("the focus is on %s:\n%s", m.focus, screenText(m))
	}
	typeAtHome(m, "tab")
	if m.focus != pane.BatchID || !strings.Contains(m.flash, "no process runs the batch") {
		t.Errorf("the focus is on %s, it says %q", m.focus, m.flash)
	}
}

// What is selected stays selected while the batch goes on, and what was read stays if a look fails.
func TestALookKeepsTheSelection(t *testing.T) {
	c := &crowd{snapshot: batchNow(someItems())}
	m := batchOf(t, c, Options{NoColor: true}, 120, 40)
	typeAtHome(m, "=delivery / i")
	c.snapshot = over()
	finish(m, m.lookAtBatch())
	if row := m.batch.Row(); row == nil || row.Item.ID() != "delivery" {
		t.Errorf("%+v is selected", row)
	}
	c.err = errors.New("read the sessions of the batch: permission denied")
	typeAtHome(m, "esc")
	finish(m, m.lookAtBatch())
	m.rearrange()
	if text := screenText(m); !strings.Contains(text, "permission denied") || !strings.Contains(text, "delivery") {
		t.Errorf("got:\n%s", text)
	}
}

// The screen says only what is known.
func TestBatchForecast(t *testing.T) {
	screen := func(change func(s *queue.Snapshot)) string {
		s := batchNow(someItems())
		change(&s)
		return strings.Join(strings.Fields(screenText(batchOf(t, &crowd{snapshot: s}, Options{NoColor: true}, 120, 40))), " ")
	}
	early := screen(func(s *queue.Snapshot) { s.Live.Ended, s.Rate, s.Left = queue.EnoughEnded-1, 0, 0 })
	if !strings.Contains(early, "too early to tell") || strings.Contains(early, "at that rate") {
		t.Errorf("early: %s", early)
	}
	if text := screen(func(*queue.Snapshot) {}); !strings.Contains(text, "1.5 items a minute in this run so far, of 4 min; at that rate the 5 that are left take about 3 min") {
		t.Errorf("later: %s", text)
	}
	capped := screen(func(s *queue.Snapshot) { s.Live.Stopping, s.Live.MaxTokens = "89000 of 80000 tokens are used", 80000 })
	if strings.Contains(capped, "at that rate") || !strings.Contains(capped, "no session starts anymore") || !strings.Contains(capped, "89k of 80k tokens") {
		t.Errorf("capped: %s", capped)
	}
	if text := screen(func(s *queue.Snapshot) { *s = halted() }); !strings.Contains(text, "no process runs it: 3 items did not end yet, 1 stopped") || strings.Contains(text, "leaves it running") {
		t.Errorf("halted: %s", text)
	}
	if text := screen(func(s *queue.Snapshot) { *s = over() }); !strings.Contains(text, "everything is done") || strings.Contains(text, "leaves it running") {
		t.Errorf("over: %s", text)
	}
}
