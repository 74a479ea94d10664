package queue

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"moot/state"
	"moot/state/store"
)

// Row is an item with what is known of it.
type Row struct {
	Item *Item
	// State says how the item is.
	State State
	// Result describes its last session, or the run that could not open one. It has no Outcome while the item runs
	// or waits.
	Result Result
	// Session is its last session, or "". Earlier are the sessions of earlier attempts, the oldest first.
	Session string
	Earlier []string
	// Live is set while its session runs, and a process tells how far it is.
	Live *Running
}

// State is an outcome, or how an item is that has none.
type State string

// The states beside the outcomes.
const (
	// StateRunning means that a process runs its session.
	StateRunning State = "running"
	// StateWaiting means that it has not begun.
	StateWaiting State = "waiting"
	// StateCutOff means that the process that ran its session was killed. It continues with the batch.
	StateCutOff State = "cut off"
	// StateBroken means that its session file is damaged. The item starts again with the batch.
	StateBroken State = "broken"
)

// States returns the states in the order of counts: the outcomes first.
func States() []State {
	return []State{
		State(Concluded), State(Inconclusive), State(NeedsYou), State(Failure), State(Stopped),
		StateRunning, StateWaiting, StateCutOff, StateBroken,
	}
}

// Snapshot is a batch at one moment.
type Snapshot struct {
	At time.Time
	// Name is the name of the folder.
	Name string
	// Held says that a process runs the batch. Live is its description, or nil if there is none yet.
	Held bool
	Live *Live
	Rows []Row
	// Counts has the number of rows of each state that occurs.
	Counts map[State]int
	// Usage counts all sessions, also earlier attempts.
	Usage state.Usage
	// Rate is how many items of this run ended in a minute, on average. Left is how long the others take at that rate.
	// Both are 0 if it is too early to tell, see EnoughEnded, or if the others do not start anymore.
	Rate float64
	Left time.Duration
}

// EnoughEnded is how many items must have ended in a run before an estimate is more than a guess.
const EnoughEnded = 3

// Outcomes are the outcomes of all rows, "" for those without one.
func (s *Snapshot) Outcomes() []Outcome {
	outcomes := make([]Outcome, len(s.Rows))
	for i := range s.Rows {
		outcomes[i] = s.Rows[i].Result.Outcome
	}
	return outcomes
}

// Snapshot returns the batch as it is. Sessions that are over and whose results are not in the index are read with
// classify. Of items of earlier plans only the usage counts.
func (f *Folder) Snapshot(plan *Plan, now time.Time, classify func(path string) Result) Snapshot {
	s := Snapshot{At: now, Name: filepath.Base(f.path), Counts: map[State]int{}, Rows: make([]Row, 0, len(plan.Items))}
	live := map[string]*Running{}
	if s.Held, s.Live = f.readLive(); s.Live != nil {
		for i := range s.Live.Sessions {
			live[s.Live.Sessions[i].Item] = &s.Live.Sessions[i]
		}
	}
	sessions, failed := f.Attempts()
	for digest, list := range sessions {
		for _, e := range list {
			if e.Result.Outcome == "" && e.Over() && e.Broken == "" {
				e.Result = classify(f.SessionPath(e.Session))
				f.remember(e)
			}
			if running := live[digest]; running == nil || running.Session != e.Session || e.Closed {
				s.Usage.Add(&e.Result.Usage)
			}
		}
	}
	for digest, running := range live {
		if !isOver(sessions[digest], running.Session) {
			s.Usage.Add(&running.Usage)
		}
	}
	for _, item := range plan.Items {
		row := f.row(item, sessions[item.Digest], failed)
		// What a process told a moment ago may be over by now.
		if running := live[item.Digest]; running != nil && !isOver(sessions[item.Digest], running.Session) {
			row.State, row.Live, row.Result = StateRunning, running, Result{Usage: running.Usage}
			if running.Session != "" && row.Session != running.Session {
				if row.Session != "" {
					row.Earlier = append(row.Earlier, row.Session)
				}
				row.Session = running.Session
			}
		}
		s.Counts[row.State]++
		s.Rows = append(s.Rows, row)
	}
	s.estimate()
	return s
}

// isOver reports whether the file of a session says that it has ended.
func isOver(list []*Entry, session string) bool {
	return slices.ContainsFunc(list, func(e *Entry) bool { return e.Session == session && e.Closed })
}

// row is an item without what a running process tells.
func (f *Folder) row(item *Item, list []*Entry, failed map[string]Failed) Row {
	row := Row{Item: item, State: StateWaiting}
	for i, e := range list {
		if i < len(list)-1 {
			row.Earlier = append(row.Earlier, e.Session)
			continue
		}
		row.Session, row.Result = e.Session, e.Result
		switch {
		case e.Broken != "":
			row.State, row.Result = StateBroken, Result{Outcome: Failure, Reason: e.Broken}
		case e.Over():
			row.State = State(e.Result.Outcome)
		case f.isHeld(e):
			row.State = StateRunning
		default:
			row.State = StateCutOff
		}
	}
	one, is := failed[item.Digest]
	if is && (len(list) == 0 || list[len(list)-1].Opened.Before(one.At) && row.State != StateRunning && list[len(list)-1].Over()) {
		if ended := row.Result.Ended; ended.Before(one.At) {
			row.State, row.Result = State(Failure), Result{Outcome: Failure, Reason: one.Reason, Ended: one.At}
		}
	}
	return row
}

func (f *Folder) isHeld(e *Entry) bool { return store.IsHeld(f.SessionPath(e.Session)) }

// remember keeps a result that was read, for the next snapshot of this Folder.
func (f *Folder) remember(e *Entry) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if known := f.entries[e.Session]; known != nil {
		known.Result, f.changed = e.Result, true
	}
}

// estimate sets the rate and the time that is left.
func (s *Snapshot) estimate() {
	if s.Live == nil || s.Live.Ended < EnoughEnded || s.Live.Stopping != "" {
		return
	}
	took := s.Live.At.Sub(s.Live.Began)
	if took <= 0 {
		return
	}
	s.Rate = float64(s.Live.Ended) / took.Minutes()
	s.Left = time.Duration(float64(s.Live.Left) / s.Rate * float64(time.Minute))
}

// readLive reports whether a process runs the batch, and what it tells, or nil.
func (f *Folder) readLive() (held bool, live *Live) {
	if !f.IsRun() {
		return false, nil
	}
	text, err := os.ReadFile(f.file(runningName))
	live = &Live{}
	if err != nil || json.Unmarshal(text, live) != nil {
		return true, nil
	}
	return true, live
}
