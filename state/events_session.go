package state

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
)

// SessionOpened is the first line of every session.
type SessionOpened struct {
	// Version is the version of the session file's format.
	Version int    `json:"version"`
	ID      string `json:"id"`
	// Item is the identity of the item of a batch that the session belongs to, in hex, or "".
	Item     string           `json:"item,omitempty"`
	Question string           `json:"question"`
	Settings Settings         `json:"settings"`
	Seats    []SeatAssignment `json:"seats"`
	// Fork names the session that this one was forked from, or is nil.
	Fork *Fork `json:"fork,omitempty"`
	// Rules is the format that Settings.Format names. A Decoder fills it in.
	Rules Rules `json:"-"`
}

// Fork identifies the session that the first events were copied from.
type Fork struct {
	// From is the id of the other session.
	From string `json:"from"`
	// Seq is the last event that was copied, from 1.
	Seq int `json:"seq"`
	// Head is the SHA-256 of that event's line in the other session, in hex. It identifies the
	// copied events even if the other file is gone.
	Head string `json:"head"`
	// At is the time of the fork, in UTC. The copied events keep their times.
	At time.Time `json:"at"`
}

func (e *SessionOpened) Fold(s *State) error {
	if s.Seq != 1 {
		return errors.New("a session opens with its first event only")
	}
	if e.Version > Version {
		return fmt.Errorf("the session was written by version %d of the format, this program reads up to version %d",
			e.Version, Version)
	}
	if e.Rules != nil && e.Rules.Name() != e.Settings.Format {
		return fmt.Errorf("the session names the format %q and was opened with %q", e.Settings.Format, e.Rules.Name())
	}
	if err := ledger.CheckKinds(e.Settings.Kinds); err != nil {
		return err
	}
	if err := ledger.CheckHosts(e.Settings.Hosts); err != nil {
		return err
	}
	s.Version, s.ID, s.BatchItem, s.Question, s.Settings, s.Rules = e.Version, e.ID, e.Item, e.Question, e.Settings, e.Rules
	if s.ByEarlierRules() {
		s.Warnings = append(slices.Clip(s.Warnings),
			fmt.Sprintf("recorded by version %d of the session file, and this "+
				"moot writes version %d: it opens read-only, and its rulings are those that it stores",
				e.Version, Version))
	}
	if e.Rules != nil {
		own := e.Rules.Own()
		s.Own, s.noClaims = own.State, !own.Claims
	}
	s.OpenedAt, s.Resumed, s.ByAgent = s.At, s.At, e.Settings.Agent
	s.Seats = slices.Clone(e.Seats)
	if e.Fork != nil {
		s.Fork = *e.Fork
	}
	s.MaxTokens, s.MaxCost, s.MaxSeconds = e.Settings.MaxTokens, e.Settings.MaxCost, e.Settings.MaxSeconds
	return nil
}

// SeatTaken says who fills a seat from now on: the participant that answered,
// or one that the user put in its place.
type SeatTaken struct {
	SeatAssignment
	// By decided it: user, or protocol when a participant reported its model.
	By Seat `json:"by"`
}

func (e *SeatTaken) Fold(s *State) error {
	if e.By == User {
		// The new participant starts without the failures and limits of the old one (EX4, LE7).
		s.forgetFailures(e.Seat)
		s.shown = slices.DeleteFunc(slices.Clone(s.shown), func(o shown) bool { return o.seat == e.Seat })
		s.Budgets = without(s.Budgets, e.Seat)
		s.setConversation(e.Seat, "")
		s.Asked = slices.Clone(s.Asked)
		for i := range s.Asked {
			if s.Asked[i].Seat == e.Seat {
				s.Asked[i].Shrunk = 0
			}
		}
	}
	s.Seats = slices.Clone(s.Seats)
	if a := first(s.Seats, func(a *SeatAssignment) bool { return a.Seat == e.Seat }); a != nil {
		*a = e.SeatAssignment
		return nil
	}
	s.Seats = append(s.Seats, e.SeatAssignment)
	return nil
}

// Misses reports whether the seat is in s.Missing.
func (s *State) Misses(seat Seat) bool {
	return slices.ContainsFunc(s.Missing, func(m SeatMissed) bool { return m.Seat == seat })
}

// SeatMissed records that a seat gave no answer. The others continue.
type SeatMissed struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	Reason string `json:"reason"`
	// Answered says that the seat replied, but no reply could be used.
	Answered bool `json:"answered"`
	// Failure is nil if an older moot recorded it.
	Failure *Failure `json:"failure,omitempty"`
}

func (e *SeatMissed) Fold(s *State) error {
	if _, seated := s.Assignment(e.Seat); !seated {
		return Unknown("seat", string(e.Seat))
	}
	if !s.Misses(e.Seat) {
		s.Missing = append(slices.Clip(s.Missing), *e)
	}
	return nil
}

// SeatRecalled says that a seat that gave no answer will be asked again.
type SeatRecalled struct {
	Seat Seat `json:"seat"`
	By   Seat `json:"by"`
}

func (e *SeatRecalled) Fold(s *State) error {
	// A request that the seat could not answer does not count.
	var missed []Stage
	for _, m := range s.Missing {
		if m.Seat == e.Seat {
			missed = append(missed, m.Stage)
		}
	}
	s.Missing = slices.DeleteFunc(slices.Clone(s.Missing),
		func(m SeatMissed) bool { return m.Seat == e.Seat })
	s.forgetFailures(e.Seat)
	s.QualityOf = without(s.QualityOf, e.Seat)
	s.Asked = slices.DeleteFunc(slices.Clone(s.Asked), func(a Asked) bool {
		return a.Seat == e.Seat && (a.Replies == 0 || slices.Contains(missed, a.Stage))
	})
	return nil
}

// SessionPaused stops the session until it is resumed from here.
type SessionPaused struct {
	Why    PauseKind `json:"why"`
	Reason string    `json:"reason"`
	// Failure is nil if no seat is the cause.
	Failure *Failure `json:"failure,omitempty"`
}

func (e *SessionPaused) Fold(s *State) error {
	s.Paused, s.PauseReason, s.PauseFailure = e.Why, e.Reason, e.Failure.orNone()
	s.stopClock()
	return nil
}

// orNone returns the failure, or the zero Failure for nil.
func (f *Failure) orNone() Failure {
	if f == nil {
		return Failure{}
	}
	return *f
}

// forgetFailures forgets that replies of a seat could not be used.
func (s *State) forgetFailures(seat Seat) {
	s.Failures = slices.DeleteFunc(slices.Clone(s.Failures), func(f Failure) bool { return f.Seat == seat })
}

// stopClock adds the time since the last start or resume to the running time.
func (s *State) stopClock() {
	if !s.Resumed.IsZero() {
		s.Active += since(s.Resumed, s.At)
		s.Resumed = time.Time{}
	}
}

// SessionResumed continues a paused session.
type SessionResumed struct {
	// Attended and Agent are the same as in Settings, from now on.
	Attended bool `json:"attended"`
	Agent    bool `json:"agent,omitempty"`
}

func (e *SessionResumed) Fold(s *State) error {
	if s.Closed {
		return errors.New("a closed session cannot be resumed")
	}
	if !s.Resumed.IsZero() {
		// A process that was killed wrote no pause: its time counts up to its
		// last event.
		s.Active += since(s.Resumed, s.Before)
	}
	// Commands that had not finished may have been interrupted halfway: their approval lapses.
	for _, id := range s.Commands {
		if item := s.Item(id); item.Approval.Allows() && !item.Checked {
			s.Evidence = s.Evidence.Update(Index(id, 'E'), func(i *evidence) { i.Approval = ledger.ApprovalWaiting })
		}
	}
	if s.PauseFailure.Kind != FailureNone {
		failure := s.PauseFailure
		s.Unsettled = &SessionPaused{Why: s.Paused, Reason: s.PauseReason, Failure: &failure}
	}
	s.Paused, s.PauseReason, s.PauseFailure = PauseNone, "", Failure{}
	s.Settings.Attended, s.Settings.Agent = e.Attended, e.Agent
	s.Resumed = s.At
	return nil
}

// ExitReached says that no further round follows, and why (EX). The final rulings come next.
type ExitReached struct {
	Exit   Exit   `json:"exit"`
	Reason string `json:"reason"`
	// Failure is nil if no seat is the cause.
	Failure *Failure `json:"failure,omitempty"`
}

func (e *ExitReached) Fold(s *State) error {
	s.Exit, s.ExitReason, s.ExitFailure = e.Exit, e.Reason, e.Failure.orNone()
	s.Constraints = s.Seq
	return nil
}

// SessionClosed ends a session. Decisions of the user may follow; another SessionClosed comes after each.
type SessionClosed struct {
	Exit Exit `json:"exit"`
	// Reason is the new reason of the exit if a decision after the end changed it.
	Reason string `json:"reason,omitempty"`
	// Inconclusive says that Agreed and Dismissed are both empty (EX9).
	Inconclusive bool `json:"inconclusive"`
	// Digest is the hash of all rulings at the end.
	Digest string `json:"digest"`
}

func (e *SessionClosed) Fold(s *State) error {
	if s.Closed {
		return errors.New("the session is closed already")
	}
	s.Closed, s.ClosedAt, s.Decided = true, s.At, 0
	if e.Reason != "" {
		s.ExitReason = e.Reason
	}
	s.Exit, s.Inconclusive, s.Digest = e.Exit, e.Inconclusive, e.Digest
	s.stopClock()
	return nil
}

// RoundStarted begins round Round, 1 to 8 (PH1).
type RoundStarted struct {
	Round int `json:"round"`
}

// MaxRounds is the cap on rounds, whatever the participants say (PH1, INV7).
const MaxRounds = 8

func (e *RoundStarted) Fold(s *State) error {
	if e.Round != s.Round+1 || e.Round > MaxRounds {
		return fmt.Errorf("round %d cannot follow round %d", e.Round, s.Round)
	}
	s.Round, s.RoundSeq, s.Asked, s.Answers = e.Round, s.Seq, nil, nil
	if s.Rules != nil && s.Rules.Own().OnePhase {
		s.Phase = Constructive
	}
	return nil
}

// PhaseChanged sets the phase; a replay never computes it again (PH2).
type PhaseChanged struct {
	Phase Phase `json:"phase"`
	// Extended says that round 3 stays CONSTRUCTIVE.
	Extended bool   `json:"extended"`
	Reason   string `json:"reason"`
}

func (e *PhaseChanged) Fold(s *State) error {
	s.Phase = e.Phase
	s.Extended = s.Extended || e.Extended
	return nil
}

// QualityFailed says that a seat's reply was off-topic or held no discrete
// point (EX4).
type QualityFailed struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	Reason string `json:"reason"`
	// Failure is nil for a reply that is off-topic.
	Failure *Failure `json:"failure,omitempty"`
}

func (e *QualityFailed) Fold(s *State) error {
	s.Quality++
	s.QualityFailure = e.Failure.orNone()
	s.QualityOf = addCount(s.QualityOf, e.Seat, 1)
	s.QualityReason, s.QualityStage = e.Reason, e.Stage
	return nil
}

// PromptSent is a prompt as it was sent. The text is kept for the record; the state keeps only its
// sequence number.
type PromptSent struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	System string `json:"system"`
	Text   string `json:"text"`
	// Omitted are the ledger ids and the given documents that the budget left out (LE7).
	Omitted []string `json:"omitted"`
	// Shown are the paths of the given documents and changed files that it holds whole.
	Shown []string `json:"shown,omitzero"`
	// Warning is "constraint-incomplete: …" if user facts do not fit, or says that a conversation
	// was rebuilt (JU8).
	Warning string `json:"warning"`
}

func (e *PromptSent) Fold(s *State) error {
	s.askedOf(e.Seat, e.Stage, func(a *Asked) { a.Sent = s.Seq })
	if e.Stage == StageStress && s.StressAsked == 0 {
		s.StressAsked = max(1, s.Round)
	}
	s.send(e.Seat, e.Shown)
	if e.Warning != "" {
		s.warn(e.Warning)
	}
	return nil
}

// PromptEdited says that the user changed the next prompt of a seat. The text that was sent is in
// the prompt-sent that follows.
type PromptEdited struct {
	Seat  Seat   `json:"seat"`
	Stage Stage  `json:"stage"`
	Text  string `json:"text"`
}

func (*PromptEdited) Fold(*State) error { return nil }

// ReplyReceived is a finished reply, verbatim.
type ReplyReceived struct {
	Seat  Seat   `json:"seat"`
	Stage Stage  `json:"stage"`
	Text  string `json:"text"`
	// Model is the model that answered, as the endpoint names it.
	Model string `json:"model"`
	// Valid says that it parsed; otherwise a reply-refused follows.
	Valid bool `json:"valid"`
	// Refused are its moves that were not admitted, Moves counts those that were.
	Refused []Refusal `json:"refused"`
	Moves   int       `json:"moves,omitempty"`
	// Conversation is the participant's ID of the conversation that it keeps across rounds.
	// Recovered explains how it was lost and started again (JU8). By is the fallback that
	// answered in place of the seat's participant. Each is "" if it does not apply.
	Conversation string `json:"conversation,omitempty"`
	Recovered    string `json:"recovered,omitempty"`
	By           string `json:"by,omitempty"`
	// Repaired lists the repairs to damaged JSON, one sentence for each kind.
	Repaired []string `json:"repaired,omitzero"`
	// ReadAs says how a reply that was not in the form of moves was read.
	ReadAs string `json:"read_as,omitempty"`
}

func (e *ReplyReceived) Fold(s *State) error {
	if e.Valid {
		s.read(e.Seat)
	}
	s.askedOf(e.Seat, e.Stage, func(a *Asked) {
		a.Refusals, a.Shrunk = e.Refused, 0
		if e.Valid {
			a.Replies++
			if e.Stage == StageConclude {
				// The debate is over: evidence can no longer be contested.
				return
			}
			s.Turns = append(without(s.Turns, e.Seat), SeatCount{Seat: e.Seat, Count: a.Sent})
		} else {
			a.Failed++
		}
	})
	if e.Stage == StageConclude {
		if a := s.Answer(); e.Valid && a != nil && a.By != e.Seat {
			s.changeAnswer(func(a *Answer) { a.Seen = append(slices.Clip(a.Seen), e.Seat) })
		}
		return nil
	}
	if e.Valid {
		s.Unsettled = nil
		s.markHeard()
		s.warnUntaken(e)
	}
	s.Notices = slices.DeleteFunc(slices.Clone(s.Notices), func(n SeatNotice) bool { return n.Seat == e.Seat })
	for _, r := range e.Refused {
		if r.Code == DroppedField {
			s.Notices = append(s.Notices, SeatNotice{Seat: e.Seat, Text: r.Text})
		}
	}
	if e.Moves > 0 {
		s.Moves = addCount(s.Moves, e.Seat, e.Moves)
	}
	// The conversation of a fallback does not belong to the seat's participant.
	if e.Conversation != "" && e.By == "" {
		s.setConversation(e.Seat, e.Conversation)
	}
	if e.Recovered != "" {
		s.warn(fmt.Sprintf("%s: recovered at round %d: %s", e.Seat, s.Round, e.Recovered))
	}
	if a, seated := s.Assignment(e.Seat); seated && e.By != "" {
		text := fmt.Sprintf("%s: its fallback %s answered in place of %s, since round ", e.Seat, e.By, a.Participant)
		if !slices.ContainsFunc(s.Warnings, func(known string) bool { return strings.HasPrefix(known, text) }) {
			s.warn(text + strconv.Itoa(s.Round))
		}
	}
	if e.Valid {
		s.forgetFailures(e.Seat)
	}
	return nil
}

// AskedOf returns the progress of the seat's stage in this round; it is zero if the seat was
// not asked yet.
func (s *State) AskedOf(seat Seat, stage Stage) Asked {
	if a := first(s.Asked, func(a *Asked) bool { return a.Seat == seat && a.Stage == stage }); a != nil {
		return *a
	}
	return Asked{Seat: seat, Stage: stage}
}

func (s *State) askedOf(seat Seat, stage Stage, change func(*Asked)) {
	s.Asked = slices.Clone(s.Asked)
	a := first(s.Asked, func(a *Asked) bool { return a.Seat == seat && a.Stage == stage })
	if a == nil {
		s.Asked = append(s.Asked, Asked{Seat: seat, Stage: stage})
		a = &s.Asked[len(s.Asked)-1]
	}
	change(a)
}

// warnUntaken warns about what a reply said and nobody argued: moves over a limit, and parts that were not read.
func (s *State) warnUntaken(e *ReplyReceived) {
	over := map[string]int{}
	var reasons []string
	for _, r := range e.Refused {
		switch r.Code {
		case NotTaken:
			if over[r.Text]++; over[r.Text] == 1 {
				reasons = append(reasons, r.Text)
			}
			s.Untaken = append(slices.Clip(s.Untaken),
				Untaken{Seat: e.Seat, Round: s.Round, Text: r.Said, Reason: r.Text})
		case Unread:
			s.warn(fmt.Sprintf("%s: of its reply in round %d, %s", e.Seat, s.Round, r.Text))
		}
	}
	for _, why := range reasons {
		was := "were"
		if over[why] == 1 {
			was = "was"
		}
		s.warn(fmt.Sprintf("%s: %s of the reply in round %d %s not taken: %s", e.Seat, plain.Counted(over[why], "move"),
			s.Round, was, why))
	}
}

// ReplyRefused says why a reply could not be used, which costs no round (PH3).
type ReplyRefused struct {
	Seat  Seat  `json:"seat"`
	Stage Stage `json:"stage"`
	// Code is a short word: "no-moves", "broken", "oversized", ….
	Code   string `json:"code"`
	Reason string `json:"reason"`
	// Failure describes it. It is nil if an older moot recorded it.
	Failure *Failure `json:"failure,omitempty"`
}

func (e *ReplyRefused) Fold(s *State) error {
	if _, seated := s.Assignment(e.Seat); !seated {
		return Unknown("seat", string(e.Seat))
	}
	failure := e.Failure.orNone()
	failure.Seat = e.Seat
	if e.Stage == StageConclude {
		// The session ends all the same, with an answer that code composes.
		if s.ConcludeFailure == (Failure{}) && s.Answer() == nil {
			s.ConcludeFailure = failure
		}
		return nil
	}
	s.Failures = append(slices.Clip(s.Failures), failure)
	return nil
}

// UsageCounted is the cost of one call, with its network statistics.
type UsageCounted struct {
	Seat             Seat `json:"seat"`
	Calls            int  `json:"calls"`
	PromptTokens     int  `json:"prompt_tokens"`
	CompletionTokens int  `json:"completion_tokens"`
	// Estimated says that the participant did not report its tokens.
	Estimated bool    `json:"estimated,omitempty"`
	Cost      float64 `json:"cost"`
	// Unpriced says that the price is unknown, and that Cost leaves it out.
	Unpriced bool `json:"unpriced,omitempty"`
	// Attempts counts requests, WaitedMillis the time spent between them.
	Attempts     int `json:"attempts"`
	WaitedMillis int `json:"waited_ms"`
	// TookMillis is the time from the first request to the last byte.
	TookMillis int `json:"took_ms"`
	// Notes say what happened: "429, waited 2 s", "json_schema refused".
	Notes []string `json:"notes"`
}

// Used returns what the call used.
func (e *UsageCounted) Used() Usage {
	used := Usage{
		Calls: e.Calls, PromptTokens: e.PromptTokens, CompletionTokens: e.CompletionTokens, Cost: e.Cost,
	}
	if e.Estimated {
		used.Estimated = e.Calls
	}
	if e.Unpriced {
		used.Unpriced = e.Calls
	}
	return used
}

func (e *UsageCounted) Fold(s *State) error {
	used := e.Used()
	s.Usage.Add(&used)
	if s.ByRules(e.Seat) {
		for _, note := range e.Notes {
			if !slices.Contains(s.Searched, note) {
				s.Searched = append(slices.Clip(s.Searched), note)
			}
			s.warn(string(e.Seat) + ": " + note)
		}
	}
	if add(e.PromptTokens, e.CompletionTokens) == 0 {
		return nil
	}
	s.Spent = slices.Clone(s.Spent)
	spent := s.SpentBy(e.Seat)
	if spent == nil {
		a, _ := s.Assignment(e.Seat)
		s.Spent = append(s.Spent, SeatUsage{Seat: e.Seat, Participant: a.Participant})
		spent = &s.Spent[len(s.Spent)-1]
	}
	spent.Add(&used)
	return nil
}

// add adds counts from a file that may be forged, so it bounds them: the sum cannot overflow.
func add(a, b int) int {
	bounded := func(n int) int { return min(max(n, 0), math.MaxInt/8) }
	return bounded(bounded(a) + bounded(b))
}

// WorkspaceChanged says what the participant of a seat changed in the workspace during a cancelled
// call, which has no reply that could say so.
type WorkspaceChanged struct {
	Seat Seat `json:"seat"`
	// Text is a sentence that names the program and the files.
	Text string `json:"text"`
}

func (e *WorkspaceChanged) Fold(s *State) error {
	s.warn(fmt.Sprintf("%s: %s, in a call that was cancelled", e.Seat, e.Text))
	return nil
}

// ParticipantLearned says what the participant of a seat turned out to be unable to take, so that a resumed session
// does not have to find out again.
type ParticipantLearned struct {
	Seat    Seat     `json:"seat"`
	Lessons []Lesson `json:"lessons"`
}

func (e *ParticipantLearned) Fold(s *State) error {
	for _, lesson := range e.Lessons {
		if lesson.Lost {
			s.warn(fmt.Sprintf("%s: %s", e.Seat, lesson.Text))
		}
	}
	return nil
}

// addCount returns a copy of the counts with more added to that of the seat.
func addCount(counts []SeatCount, seat Seat, more int) []SeatCount {
	counts = slices.Clone(counts)
	if c := countOf(counts, seat); c != nil {
		c.Count = add(c.Count, more)
		return counts
	}
	return append(counts, SeatCount{Seat: seat, Count: more})
}

// SpentBy returns what the seat's current participant used in that seat, or nil.
func (s *State) SpentBy(seat Seat) *SeatUsage {
	a, _ := s.Assignment(seat)
	return first(s.Spent, func(u *SeatUsage) bool { return u.Seat == seat && u.Participant == a.Participant })
}

func countOf(counts []SeatCount, seat Seat) *SeatCount {
	return first(counts, func(c *SeatCount) bool { return c.Seat == seat })
}

// without returns the counts of the other seats.
func without(counts []SeatCount, seat Seat) []SeatCount {
	return slices.DeleteFunc(slices.Clone(counts), func(c SeatCount) bool { return c.Seat == seat })
}
