package store

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"moot/state"
)

// Summary is what moot list shows of a session.
type Summary struct {
	// ID is the name of the file, which is what commands take.
	ID   string
	Path string
	// Question, Format, Seats and OpenedAt are those of the opening; Seats
	// follow later changes of participants.
	Question string
	Format   state.Format
	Seats    []state.SeatAssignment
	OpenedAt time.Time
	// Fork says where the past was taken from; its From is "" where the session
	// began by itself.
	Fork state.Fork
	// UpdatedAt is when the last event was appended, or when the session was
	// forked, which is later where nothing was appended since.
	UpdatedAt time.Time
	// Exit is set once no further round comes, Paused while the session waits.
	Exit   state.Exit
	Paused state.PauseKind
	// Decision is what code last said of a proposal, "" where there is none.
	Decision string
	// Conflicts are those between the answers of a panel, Left those of them that
	// its strategy did not settle; they may have ended otherwise.
	Conflicts, Left int
	// Came is what a panel came to, as its end says, "" before.
	Came  string
	Phase state.Phase
	Round int
	// Rounds is how many a council has at most, or a hearing whose sides exchange
	// arguments, 0 in other formats; Tested a council's last test for consensus, nil
	// before.
	Rounds int
	Tested *state.Consensus
	// Form is that of a hearing, "" in other formats; Verdict its outcome as it is
	// shown, "" while it goes on, where nothing was judged, and where the user ruled.
	Form    state.Form
	Verdict string
	Closed  bool
	// Inconclusive is set by the closing.
	Inconclusive bool
	// CutOff says that nobody runs the session, though it is neither paused nor
	// closed: what ran it was killed.
	CutOff bool
	// Buckets counts the recorded rulings; a point without one is Open.
	Buckets map[state.Bucket]int
	Events  int
	// Size is the length of the file in bytes.
	Size int64
	// Broken says why the file cannot be read to its end, "" where it can; the
	// other fields are then those of the whole units before the damage. An
	// unfinished last unit is no damage: it is in Repaired.
	Broken   string
	Repaired Repair

	// hearing is how a hearing goes, nil in other formats.
	hearing *state.HearingSettings
}

// List returns a summary of every session in dir, newest first. A broken file
// is listed as broken; only a folder that cannot be read is an error. Chains
// are checked, but of the events only those that a summary shows are read.
func List(dir string) ([]Summary, error) {
	ids, err := list(dir)
	if err != nil {
		return nil, err
	}
	summaries := make([]Summary, len(ids))
	var workers sync.WaitGroup
	next := make(chan int)
	for range min(len(ids), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			decoder := state.NewDecoder()
			for i := range next {
				summaries[i] = summarize(dir, ids[i], decoder)
			}
		})
	}
	for i := range ids {
		next <- i
	}
	close(next)
	workers.Wait()
	slices.SortStableFunc(summaries, func(a, b Summary) int {
		return cmp.Or(b.began().Compare(a.began()), strings.Compare(b.ID, a.ID))
	})
	return summaries, nil
}

// began is when the file came to be: a fork is newer than its past.
func (s *Summary) began() time.Time {
	if s.Fork.From != "" {
		return s.Fork.At
	}
	return s.OpenedAt
}

// summarize reads one session.
func summarize(dir, id string, decoder *state.Decoder) Summary {
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
		s.Size = info.Size()
		// What cannot tell when it was opened is listed by its file's time.
		s.OpenedAt = info.ModTime().UTC()
	}
	n := notes{
		summary: &s, path: path, decoder: decoder, rulings: map[string]state.Bucket{},
		settled: map[string]bool{},
	}
	end, err := walk(file, path, n.take)
	if err != nil {
		s.Broken = err.Error()
	}
	s.Events, s.Repaired = end.seq, end.repair
	if s.Broken == "" && !s.Closed && s.Paused == state.PauseNone {
		s.CutOff = !held(path)
	}
	for _, bucket := range n.rulings {
		s.Buckets[bucket]++
	}
	for _, settled := range n.settled {
		s.Conflicts++
		if !settled {
			s.Left++
		}
	}
	return s
}

// notes gather a summary line by line.
type notes struct {
	summary *Summary
	path    string
	decoder *state.Decoder
	rulings map[string]state.Bucket
	// settled says of each conflict whether the strategy settled it.
	settled map[string]bool
	// unit is what a unit that is not whole yet would add.
	unit []state.Event
}

// shown are the kinds of events that a summary reads.
func shown(kind string) bool {
	switch kind {
	case (*state.SessionOpened)(nil).Kind(), (*state.SeatTaken)(nil).Kind(),
		(*state.SessionPaused)(nil).Kind(), (*state.SessionResumed)(nil).Kind(),
		(*state.ExitReached)(nil).Kind(), (*state.SessionClosed)(nil).Kind(),
		(*state.RoundStarted)(nil).Kind(), (*state.PhaseChanged)(nil).Kind(), (*state.PointRaised)(nil).Kind(),
		(*state.Ruled)(nil).Kind(), (*state.RoundResolved)(nil).Kind(),
		(*state.ConflictFound)(nil).Kind(), (*state.ConflictDropped)(nil).Kind(), (*state.ConflictSettled)(nil).Kind(),
		(*state.ConsensusTested)(nil).Kind():
		return true
	}
	return false
}

// take notes what the summary shows of a line, and with the last line of a
// unit adds the unit to the summary.
func (n *notes) take(_ []byte, l line) error {
	if err := readable(n.path, l); err != nil {
		return err
	}
	if !n.decoder.Knows(l.kind) {
		return &state.UnknownKindError{Kind: l.kind, FileVersion: state.Version}
	}
	if shown(l.kind) {
		payload, err := unmarshal(n.decoder, l.kind, l.data)
		if err != nil {
			return err
		}
		n.unit = append(n.unit, state.Event{Seq: l.seq, At: l.at, Data: payload})
	}
	if l.left > 0 {
		return nil
	}
	for _, e := range n.unit {
		n.summary.note(e, n.rulings)
		n.conflict(e.Data)
	}
	n.unit, n.summary.UpdatedAt = n.unit[:0], l.at
	if n.summary.Fork.At.After(l.at) {
		n.summary.UpdatedAt = n.summary.Fork.At
	}
	return nil
}

// conflict notes what became of the conflicts of a panel.
func (n *notes) conflict(p state.Payload) {
	switch e := p.(type) {
	case *state.ConflictFound:
		n.settled[e.ID] = false
	case *state.ConflictSettled:
		n.settled[e.ID] = e.Settled
	case *state.ConflictDropped:
		delete(n.settled, e.ID)
	case *state.ExitReached:
		// What the seats argued out, and the user decided, the reason knows.
		if n.summary.Format == state.FormatPanel && (e.Exit == state.ExitDecided || e.Exit == state.ExitQuality) {
			n.summary.Came = e.Reason
		}
	}
}

// mergedRule is the rule of a point that was merged into another: what it says
// counts with that one.
const mergedRule = "RD2"

// note takes from an event what the summary shows.
func (s *Summary) note(event state.Event, rulings map[string]state.Bucket) {
	switch e := event.Data.(type) {
	case *state.SessionOpened:
		s.Question, s.Format, s.Seats, s.OpenedAt = e.Question, e.Settings.Format, e.Seats, event.At
		if e.Fork != nil {
			s.Fork = *e.Fork
		}
		if e.Settings.Council != nil {
			s.Rounds = e.Settings.Council.Rounds
		}
		s.opensHearing(e.Settings.Hearing)
	case *state.SeatTaken:
		s.seat(e.SeatAssignment)
	case *state.SessionPaused:
		s.Paused = e.Why
	case *state.SessionResumed:
		s.Paused = state.PauseNone
	case *state.ExitReached:
		s.Exit = e.Exit
	case *state.SessionClosed:
		s.Exit, s.Closed, s.Inconclusive = e.Exit, true, e.Inconclusive
	case *state.RoundStarted:
		s.Round = e.Round
	case *state.PhaseChanged:
		s.Phase = e.Phase
	case *state.PointRaised:
		rulings[e.ID] = state.BucketOpen
	case *state.RoundResolved:
		s.Decision = e.Decision
	case *state.ConsensusTested:
		s.Tested = &e.Consensus
	case *state.Ruled:
		for i := range e.Rulings {
			r := &e.Rulings[i]
			s.judged(r)
			if rulings[r.Point] = r.Bucket; r.Rule == mergedRule {
				delete(rulings, r.Point)
			}
		}
	}
}

// opensHearing takes over how a hearing goes.
func (s *Summary) opensHearing(h *state.HearingSettings) {
	if h == nil {
		return
	}
	s.hearing, s.Form = h, h.Form
	if h.Form == state.FormMulti || h.Form == state.FormAnchored {
		s.Rounds = h.Rounds
	}
}

// question is the point that is the question of a hearing. A rule that begins with
// userOrPoint is about what happened to a point, not about its facts.
const question, userOrPoint = "P1", "AC"

// judged takes the verdict of a hearing from the ruling on its question.
func (s *Summary) judged(r *state.Ruling) {
	if s.hearing == nil || r.Point != question {
		return
	}
	s.Verdict = ""
	if strings.HasPrefix(r.Rule, userOrPoint) {
		return
	}
	outcome := map[state.Bucket]state.Outcome{
		state.BucketAgreed: state.Confirmed, state.BucketDismissed: state.Dismissed,
		state.BucketUnresolved: state.Inconclusive,
	}[r.Bucket]
	s.Verdict = s.hearing.Domain.Shown(outcome)
}

func (s *Summary) seat(taken state.SeatAssignment) {
	at := slices.IndexFunc(s.Seats, func(a state.SeatAssignment) bool { return a.Seat == taken.Seat })
	if at < 0 {
		s.Seats = append(s.Seats, taken)
		return
	}
	s.Seats[at] = taken
}
