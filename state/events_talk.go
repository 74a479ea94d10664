package state

import (
	"fmt"
	"slices"
)

// PromptSent is a prompt as it went out. The text is kept for the record; the
// state keeps only its place.
type PromptSent struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	System string `json:"system"`
	Text   string `json:"text"`
	// Omitted are ledger ids that the budget left out (LE7).
	Omitted []string `json:"omitted"`
	// Warning is "constraint-incomplete: …" where user facts do not fit, or
	// says that a conversation was rebuilt (JU8).
	Warning string `json:"warning"`
}

// Kind implements Payload.
func (*PromptSent) Kind() string { return "prompt-sent" }

// Fold implements Payload.
func (e *PromptSent) Fold(s *State) error {
	s.askedOf(e.Seat, e.Stage, func(a *Asked) { a.Sent = s.Seq })
	if e.Warning != "" {
		s.warn(e.Warning)
	}
	return nil
}

// PromptEdited says that the user changed the next prompt of a seat. The
// text that went out is in the prompt-sent that follows.
type PromptEdited struct {
	Seat  Seat   `json:"seat"`
	Stage Stage  `json:"stage"`
	Text  string `json:"text"`
}

// Kind implements Payload.
func (*PromptEdited) Kind() string { return "prompt-edited" }

// Fold implements Payload.
func (*PromptEdited) Fold(*State) error { return nil }

// ReplyReceived is a finished reply, verbatim.
type ReplyReceived struct {
	Seat  Seat   `json:"seat"`
	Stage Stage  `json:"stage"`
	Text  string `json:"text"`
	// Model is the model that answered, as the endpoint names it.
	Model string `json:"model"`
	// Valid says that it parsed; a reply-refused follows where it did not.
	Valid bool `json:"valid"`
	// Refused are the moves of it that were not admitted, Moves counts those that
	// were.
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
}

// Kind implements Payload.
func (*ReplyReceived) Kind() string { return "reply-received" }

// Fold implements Payload.
func (e *ReplyReceived) Fold(s *State) error {
	s.askedOf(e.Seat, e.Stage, func(a *Asked) {
		a.Refusals, a.Shrunk = e.Refused, 0
		if e.Valid {
			a.Replies++
		} else {
			a.Failed++
		}
	})
	s.Notices = slices.DeleteFunc(slices.Clone(s.Notices), func(n SeatNotice) bool { return n.Seat == e.Seat })
	for _, r := range e.Refused {
		if r.Code == DroppedField {
			s.Notices = append(s.Notices, SeatNotice{Seat: e.Seat, Text: r.Text})
		}
	}
	if e.Moves > 0 {
		s.Moves = counted(s.Moves, e.Seat, e.Moves)
	}
	// What a fallback keeps is no conversation of who sits here.
	if e.Conversation != "" && e.By == "" {
		s.converse(e.Seat, e.Conversation)
	}
	if e.Recovered != "" {
		s.recovered(e.Seat, e.Recovered)
	}
	s.stoodIn(e.Seat, e.By)
	failures := slices.Clone(s.Failures)
	i := slices.IndexFunc(failures, func(f SeatCount) bool { return f.Seat == e.Seat })
	if i < 0 {
		failures = append(failures, SeatCount{Seat: e.Seat})
		i = len(failures) - 1
	}
	if e.Valid {
		failures[i].Count = 0
	} else {
		failures[i].Count++
	}
	s.Failures = failures
	return nil
}

// AskedOf returns the progress of the seat's stage in this round; it is zero if the seat was
// not asked yet.
func (s *State) AskedOf(seat Seat, stage Stage) Asked {
	for _, a := range s.Asked {
		if a.Seat == seat && a.Stage == stage {
			return a
		}
	}
	return Asked{Seat: seat, Stage: stage}
}

func (s *State) askedOf(seat Seat, stage Stage, change func(*Asked)) {
	s.Asked = slices.Clone(s.Asked)
	for i := range s.Asked {
		if s.Asked[i].Seat == seat && s.Asked[i].Stage == stage {
			change(&s.Asked[i])
			return
		}
	}
	a := Asked{Seat: seat, Stage: stage}
	change(&a)
	s.Asked = append(s.Asked, a)
}

// ReplyRefused says why a reply could not be read: a format failure, which
// costs no round (PH3).
type ReplyRefused struct {
	Seat  Seat  `json:"seat"`
	Stage Stage `json:"stage"`
	// Code is a short word: "no-moves", "broken", "oversized", ….
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*ReplyRefused) Kind() string { return "reply-refused" }

// Fold implements Payload.
func (*ReplyRefused) Fold(*State) error { return nil }

// UsageCounted is the cost of one call, with its network statistics.
type UsageCounted struct {
	Seat             Seat `json:"seat"`
	Calls            int  `json:"calls"`
	PromptTokens     int  `json:"prompt_tokens"`
	CompletionTokens int  `json:"completion_tokens"`
	// Estimated says that nobody told the tokens.
	Estimated bool    `json:"estimated,omitempty"`
	Cost      float64 `json:"cost"`
	// Attempts counts requests, WaitedMillis the time spent between them.
	Attempts     int `json:"attempts"`
	WaitedMillis int `json:"waited_ms"`
	// TookMillis is the time from the first request to the last byte.
	TookMillis int `json:"took_ms"`
	// Notes say what happened: "429, waited 2 s", "json_schema refused".
	Notes []string `json:"notes"`
}

// Kind implements Payload.
func (*UsageCounted) Kind() string { return "usage-counted" }

// Fold implements Payload.
func (e *UsageCounted) Fold(s *State) error {
	s.Usage.Calls += e.Calls
	s.Usage.PromptTokens += e.PromptTokens
	s.Usage.CompletionTokens += e.CompletionTokens
	s.Usage.Cost += e.Cost
	if e.Estimated {
		s.Usage.Estimated += e.Calls
	}
	s.Tokens = counted(s.Tokens, e.Seat, e.PromptTokens+e.CompletionTokens)
	return nil
}

// WorkspaceChanged says what the participant of a seat changed in the workspace during
// a call that was cancelled, of which no reply tells.
type WorkspaceChanged struct {
	Seat Seat `json:"seat"`
	// Text is a sentence that names the program and the files.
	Text string `json:"text"`
}

// Kind implements Payload.
func (*WorkspaceChanged) Kind() string { return "workspace-changed" }

// Fold implements Payload.
func (e *WorkspaceChanged) Fold(s *State) error {
	s.warn(fmt.Sprintf("%s: %s, in a call that was cancelled", e.Seat, e.Text))
	return nil
}

// counted adds to the count of a seat, in a list of its own.
func counted(counts []SeatCount, seat Seat, more int) []SeatCount {
	counts = slices.Clone(counts)
	for i := range counts {
		if counts[i].Seat == seat {
			counts[i].Count += more
			return counts
		}
	}
	return append(counts, SeatCount{Seat: seat, Count: more})
}
