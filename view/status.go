package view

import (
	"cmp"
	"fmt"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
)

// Asking is a seat that is asked. Person says that the user fills it.
type Asking struct {
	Seat        state.Seat
	Participant string
	Stage       state.Stage
	Person      bool
}

// String names the seat and what it is asked to do.
func (a Asking) String() string { return Who(a.Seat, a.Participant) + " to " + StageName(a.Stage) }

// Present says what the process that runs a session does at the moment.
type Present struct {
	// Asked are the seats that are asked now, Next those that are asked once the user lets the session continue.
	Asked, Next []Asking
	// Questions are the ids of the questions without whose answers the session does not continue.
	Questions []string
	// Waits says that the session waits for the user to let it continue: it is paused, or runs step by step.
	Waits bool
}

// NeedsUser says in a line why a running session waits for the user, or returns "". The line begins with a word of moot's:
// what a model wrote comes later in it.
func NeedsUser(s *state.State, p *Present) string {
	var text string
	first := s.QuestionByID(strings.Join(p.Questions[:min(len(p.Questions), 1)], ""))
	switch _, stopped := StopOf(s); {
	case first != nil:
		text = first.ID + " asks: " + first.Text
		if len(first.Options) > 0 {
			text += " (" + strings.Join(first.Options, " | ") + ")"
		}
		if more := len(p.Questions) - 1; more > 0 {
			text = Counted(more+1, "question") + ", the first: " + text
		}
	case len(p.Questions) > 0:
		text = Counted(len(p.Questions), "question") + ": " + strings.Join(p.Questions, " ")
	case p.Waits && s.Paused != state.PauseNone:
		text = stopped
	case p.Waits && len(p.Next) > 0:
		text = "step by step: next is " + said(p.Next)
	case p.Waits:
		text = "it waits until you let it continue"
	}
	for _, a := range p.Asked {
		if text == "" && a.Person {
			text = "you are asked, as the " + string(a.Seat) + ", to " + StageName(a.Stage)
		}
	}
	return bounded(text)
}

// Running says in a line what a running session does: its round, who is asked, and what it took so far. The Present is nil
// if only the record is known.
func Running(s *state.State, p *Present) string {
	text := "round 1 has not begun"
	if s.Round > 0 {
		text = fmt.Sprintf("round %d of %d", s.Round, resolver.LastRound(s))
	}
	doing := "no seat is asked at the moment"
	switch {
	case p == nil:
		doing = "its process cannot be asked what it does"
	case len(p.Asked) > 0:
		doing = said(p.Asked)
	case s.Over():
		doing = "it is ending"
	}
	return bounded(text + ", " + doing + "; " + UsageRow(s.Usage))
}

func said(list []Asking) string { return strings.Join(lists.Map(list, Asking.String), ", ") }

// Result says in a line how a session ended, or why it is paused. It is "" for one that is neither.
func Result(s *state.State, rulings []state.Ruling) string {
	_, stopped := StopOf(s)
	if !s.Closed {
		return stopped
	}
	text := plain.FirstLine(FormatOf(s).Decision(s))
	if text == "" {
		d := Session(s, rulings)
		text = Join("; ", d.Heading, RuledCounts(s), Sentence(string(s.Ended()), s.ExitReason))
	}
	return bounded(cmp.Or(text, stopped))
}
