package state

import (
	"errors"
	"fmt"
	"slices"
)

// Sentence is a sentence of an answer, with the points that it rests on (AN1).
type Sentence struct {
	// ID is S1, S2 and so on.
	ID     string   `json:"id"`
	Text   string   `json:"text"`
	Points []string `json:"points"`
	// Denies are the points that the sentence contradicts.
	Denies []string `json:"denies"`
	// Part is the place of the sentence in a synthesis of views, or "".
	Part Part `json:"part,omitempty"`
}

// LeftOut is a sentence that was kept out of an answer, and why (AN2).
type LeftOut struct {
	Text string `json:"text"`
	Why  string `json:"why"`
}

// AnswerGiven is an answer to the question: from a seat, in the user's own words (AN3), or from
// Protocol, which composes one of the rulings.
type AnswerGiven struct {
	By        Seat       `json:"by"`
	Sentences []Sentence `json:"sentences"`
	LeftOut   []LeftOut  `json:"left_out"`
	// Corrects is the seat whose answer Protocol corrects after a decision of the user, or "". The sentences that
	// stay keep their words and the objections to them.
	Corrects Seat `json:"corrects,omitempty"`
}

// Answer is an answer with the other seats' objections to it.
type Answer struct {
	AnswerGiven
	Contests []AnswerContested
	// Seen are the seats that have had a turn to contest it.
	Seen []Seat
	// Seq is its event, Rulings are those on the record when it was given.
	Seq     int
	Rulings List[Ruling]
}

// Fold implements Payload.
func (e *AnswerGiven) Fold(s *State) error {
	if len(e.Sentences) == 0 {
		return errors.New("an answer without a sentence")
	}
	for i, one := range e.Sentences {
		if want := NextID('S', i); one.ID != want {
			return fmt.Errorf("sentence %d of the answer is %q, not %s", i+1, one.ID, want)
		}
		for _, id := range slices.Concat(one.Points, one.Denies) {
			if s.Point(id) == nil {
				return Unknown("point", id)
			}
		}
	}
	given := Answer{AnswerGiven: *e, Seq: s.Seq, Rulings: s.Rulings}
	if e.Corrects != "" {
		before := s.AnswerBy(e.Corrects)
		if before == nil {
			return fmt.Errorf("an answer that corrects one of %s, which gave none", e.Corrects)
		}
		given.Seen = before.Seen
		for _, c := range before.Contests {
			about := first(before.Sentences, func(one *Sentence) bool { return one.ID == c.Sentence })
			if now := first(e.Sentences, func(one *Sentence) bool { return one.Text == about.Text }); now != nil {
				c.Sentence = now.ID
				given.Contests = append(given.Contests, c)
			}
		}
	}
	s.Answers = append(slices.Clip(s.Answers), given)
	return nil
}

// Answer returns the latest answer to the question, or nil. Answers has the earlier ones.
func (s *State) Answer() *Answer {
	if len(s.Answers) == 0 {
		return nil
	}
	return &s.Answers[len(s.Answers)-1]
}

// AnswerBy returns the latest answer that a seat gave itself, or nil.
func (s *State) AnswerBy(seat Seat) *Answer {
	for i := len(s.Answers) - 1; i >= 0; i-- {
		if s.Answers[i].By == seat {
			return &s.Answers[i]
		}
	}
	return nil
}

// Sentence returns a sentence of the answer, or nil.
func (s *State) Sentence(id string) *Sentence {
	if a := s.Answer(); a != nil {
		return first(a.Sentences, func(one *Sentence) bool { return one.ID == id })
	}
	return nil
}

// changeAnswer changes a copy of the latest answer.
func (s *State) changeAnswer(change func(*Answer)) {
	s.Answers = slices.Clone(s.Answers)
	change(s.Answer())
}

// AnswerContested is a seat's objection to a sentence of the answer (AN2).
type AnswerContested struct {
	Sentence string `json:"sentence"`
	By       Seat   `json:"by"`
	Reason   string `json:"reason"`
}

// Fold implements Payload.
func (e *AnswerContested) Fold(s *State) error {
	if s.Sentence(e.Sentence) == nil {
		return Unknown("sentence", e.Sentence)
	}
	s.changeAnswer(func(a *Answer) { a.Contests = append(slices.Clip(a.Contests), *e) })
	return nil
}
