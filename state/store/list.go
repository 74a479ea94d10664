package store

import (
	"os"
	"slices"
	"time"

	"moot/state"
)

// Summary is one row of moot list. A Lister keeps it as JSON in its cache, without the fields that can change while the
// file does not.
type Summary struct {
	// ID is the name of the file, as commands take it.
	ID   string `json:"id"`
	Path string `json:"-"`
	// Question, Format, Seats and OpenedAt come from the first event; Seats includes later changes of participants.
	Question string                 `json:"question,omitzero"`
	Format   state.Format           `json:"format,omitzero"`
	Seats    []state.SeatAssignment `json:"seats,omitzero"`
	// Workspace is the folder that the session's citations refer to, or "".
	Workspace string    `json:"workspace,omitzero"`
	OpenedAt  time.Time `json:"opened"`
	// Fork is the origin of the session; its From is "" if it is not a fork.
	Fork state.Fork `json:"fork,omitzero"`
	// UpdatedAt is the time of the last event or of the fork, whichever is later.
	UpdatedAt time.Time `json:"updated"`
	// Exit is set when no further round follows, Paused while the session waits. Reason and Failure
	// belong to the pause, or else to the exit.
	Exit    state.Exit      `json:"exit,omitzero"`
	Paused  state.PauseKind `json:"paused,omitzero"`
	Reason  string          `json:"reason,omitzero"`
	Failure *state.Failure  `json:"failure,omitzero"`
	// Decision is the latest decision of its format on the session, or "".
	Decision string `json:"decision,omitzero"`
	// Answer is the first sentence of the latest answer, or "".
	Answer string      `json:"answer,omitzero"`
	Phase  state.Phase `json:"phase,omitzero"`
	Round  int         `json:"round,omitzero"`
	Closed bool        `json:"closed,omitzero"`
	// Inconclusive is set by the closing event.
	Inconclusive bool `json:"inconclusive,omitzero"`
	// Needs says why a running session waits for the user, or is "". The file does not tell: whoever asks the process of
	// the session sets it.
	Needs string `json:"-"`
	// CutOff reports that the session is neither paused nor closed and nothing is running it: its process was killed.
	CutOff bool `json:"-"`
	// Buckets counts the recorded rulings. A point without one is Open.
	Buckets map[state.Bucket]int `json:"buckets"`
	Events  int                  `json:"events"`
	// Size is the length of the file in bytes, Changed when it was written last.
	Size    int64     `json:"-"`
	Changed time.Time `json:"-"`
	// Name and Tags come from the user and are not in the session file, see ReadTags. TagsUnread says why they cannot be
	// read, or is "".
	Name       string   `json:"name,omitzero"`
	Tags       []string `json:"tags,omitzero"`
	TagsUnread string   `json:"-"`
	// Broken says why the file cannot be read to its end, or "". If set, the other fields describe the complete units
	// before the damage. An incomplete last unit is not damage; see Repaired.
	Broken   string `json:"-"`
	Repaired Repair `json:"-"`
}

// Status says how a session is.
type Status string

// The statuses.
const (
	// StatusRunning means that a process runs it.
	StatusRunning Status = "running"
	// StatusNeedsYou means that a process runs it, which waits for the user.
	StatusNeedsYou Status = "needs you"
	// StatusWaiting means that it is a fork that nobody continued yet.
	StatusWaiting Status = "waiting"
	// StatusCutOff means that the process that ran it was killed.
	StatusCutOff       Status = "cut off"
	StatusPaused       Status = "paused"
	StatusFinished     Status = "finished"
	StatusInconclusive Status = "inconclusive"
	// StatusEndedEarly means that a seat could not be used, in a format that calls no session inconclusive for that.
	StatusEndedEarly Status = "ended early"
	// StatusBroken means that the file cannot be read to its end.
	StatusBroken Status = "broken"
)

// Statuses returns every Status.
func Statuses() []Status {
	return []Status{
		StatusRunning, StatusNeedsYou, StatusWaiting, StatusCutOff, StatusPaused, StatusFinished, StatusInconclusive,
		StatusEndedEarly, StatusBroken,
	}
}

// Status returns the status of the session when it was read.
func (s *Summary) Status() Status {
	switch {
	case s.Broken != "":
		return StatusBroken
	case s.Closed && s.Inconclusive:
		return StatusInconclusive
	case s.Closed && s.Exit == state.ExitQuality:
		return StatusEndedEarly
	case s.Closed:
		return StatusFinished
	case s.Needs != "":
		return StatusNeedsYou
	case s.Paused != state.PauseNone:
		return StatusPaused
	case s.CutOff && s.Fork.From != "" && !s.UpdatedAt.After(s.Fork.At):
		return StatusWaiting
	case s.CutOff:
		return StatusCutOff
	}
	return StatusRunning
}

// began returns when the file was created: a fork is newer than its events.
func (s *Summary) began() time.Time {
	if s.Fork.From != "" {
		return s.Fork.At
	}
	return s.OpenedAt
}

func summarize(dir, id string, decoder *state.Decoder, shown map[string]bool) Summary {
	s := Summary{ID: id, Buckets: map[state.Bucket]int{}}
	path, err := Path(dir, id)
	if err != nil {
		s.Broken = err.Error()
		return s
	}
	s.Path = path
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		s.Broken = err.Error()
		return s
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		s.Size, s.Changed = info.Size(), info.ModTime()
		// If the first event cannot be read, the file's time is used.
		s.OpenedAt = info.ModTime().UTC()
	}
	reader := summaryReader{
		summary: &s, path: path, decoder: decoder, shown: shown, rulings: map[string]state.Bucket{},
	}
	end, err := walk(file, path, reader.line)
	if err != nil {
		s.Broken = err.Error()
	}
	s.Events, s.Repaired = end.seq, end.repair
	for _, bucket := range reader.rulings {
		s.Buckets[bucket]++
	}
	s.Exit = s.Exit.WithUnresolved(s.Buckets[state.BucketUnresolved])
	return s
}

// summaryReader builds a summary line by line.
type summaryReader struct {
	summary *Summary
	path    string
	decoder *state.Decoder
	// shown are the kinds of events that a summary reads.
	shown   map[string]bool
	rulings map[string]state.Bucket
	// exit is the last exit-reached.
	exit state.ExitReached
	// unit holds the events of the current, incomplete unit.
	unit []state.Event
}

// decider is an event in which a format decides on the session.
type decider interface{ Decided() string }

// summarized returns the kinds of events that a summary reads.
func summarized(formats []state.Rules) map[string]bool {
	kinds := map[string]bool{}
	for _, kind := range []string{
		"session-opened", "seat-taken", "session-paused", "session-resumed", "exit-reached", "session-closed",
		"round-started", "phase-changed", "point-raised", "ruled", "answer-given",
	} {
		kinds[kind] = true
	}
	for _, f := range formats {
		for _, create := range f.Own().Kinds {
			if p, ok := create().(decider); ok {
				kinds[state.KindOf(p.(state.Payload))] = true
			}
		}
	}
	return kinds
}

// line reads a line, and at the end of a unit adds the unit to the summary.
func (r *summaryReader) line(_ []byte, l line) error {
	if l.seq == 1 {
		version, err := versionOf(r.path, l)
		if err != nil {
			return err
		}
		if version < state.Version {
			r.decoder = r.decoder.Earlier()
		}
	}
	if r.shown[l.kind] {
		payload, err := r.decoder.Decode(l.kind, l.data)
		if err != nil {
			return err
		}
		r.unit = append(r.unit, state.Event{Seq: l.seq, At: l.at, Data: payload})
	}
	if l.left > 0 {
		return nil
	}
	for _, e := range r.unit {
		r.add(e)
	}
	r.unit, r.summary.UpdatedAt = r.unit[:0], l.at
	if r.summary.Fork.At.After(l.at) {
		r.summary.UpdatedAt = r.summary.Fork.At
	}
	return nil
}

// mergedRule is the rule of a point that was merged into another one, which counts instead.
const mergedRule = "RD2"

// add updates the summary from an event.
func (r *summaryReader) add(event state.Event) {
	s := r.summary
	switch e := event.Data.(type) {
	case *state.SessionOpened:
		s.Question, s.Format, s.Seats, s.OpenedAt = e.Question, e.Settings.Format, e.Seats, event.At
		s.Workspace = e.Settings.Workspace
		if e.Fork != nil {
			s.Fork = *e.Fork
		}
	case *state.SeatTaken:
		same := func(a state.SeatAssignment) bool { return a.Seat == e.Seat }
		if at := slices.IndexFunc(s.Seats, same); at >= 0 {
			s.Seats[at] = e.SeatAssignment
		} else {
			s.Seats = append(s.Seats, e.SeatAssignment)
		}
	case *state.SessionPaused:
		s.Paused, s.Reason, s.Failure = e.Why, e.Reason, e.Failure
	case *state.SessionResumed:
		s.Paused, s.Reason, s.Failure = state.PauseNone, r.exit.Reason, r.exit.Failure
	case *state.ExitReached:
		r.exit, s.Exit, s.Reason, s.Failure = *e, e.Exit, e.Reason, e.Failure
	case *state.SessionClosed:
		s.Exit, s.Closed, s.Inconclusive = e.Exit, true, e.Inconclusive
	case *state.RoundStarted:
		s.Round = e.Round
	case *state.PhaseChanged:
		s.Phase = e.Phase
	case *state.PointRaised:
		r.rulings[e.ID] = state.BucketOpen
	case *state.AnswerGiven:
		s.Answer = ""
		if len(e.Sentences) > 0 {
			s.Answer = e.Sentences[0].Text
		}
	case decider:
		s.Decision = e.Decided()
	case *state.Ruled:
		for i := range e.Rulings {
			ruling := &e.Rulings[i]
			if r.rulings[ruling.Point] = ruling.Bucket; ruling.Rule == mergedRule {
				delete(r.rulings, ruling.Point)
			}
		}
	}
}
