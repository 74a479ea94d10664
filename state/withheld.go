package state

import (
	"errors"
	"slices"
)

// Withheld says what did not reach a seat, or any: it is data of the decision.
type Withheld struct {
	// Path is the file or the document.
	Path string `json:"path"`
	// Lines are the lines of the file that are missing, as 12, 12-40 or 12- to its end, or "" for the whole file.
	Lines string `json:"lines"`
	// Reason says why, in a few words.
	Reason string `json:"reason"`
	// Seats are those that it did not reach; none means that it reaches nobody.
	Seats []Seat `json:"seats"`
}

// The reasons for what a prompt has no room for.
const (
	NotFitting    = "it does not fit the prompt"
	OnlyBeginning = "only its beginning fits the prompt"
)

// Fold implements Payload.
func (e *Withheld) Fold(s *State) error {
	if e.Path == "" || e.Reason == "" {
		return errors.New("what is withheld has a path and a reason")
	}
	for _, seat := range e.Seats {
		if _, seated := s.Assignment(seat); !seated {
			return Unknown("seat", string(seat))
		}
	}
	s.Withheld = append(slices.Clip(s.Withheld), *e)
	return nil
}

// shown is a document or a changed file that a prompt holds whole.
type shown struct {
	seat Seat
	path string
	// answered says that the seat answered that prompt: before, nobody knows whether it was read.
	answered bool
}

// send records what the prompt of a seat holds.
func (s *State) send(seat Seat, paths []string) {
	s.shown = slices.DeleteFunc(slices.Clone(s.shown), func(o shown) bool { return o.seat == seat && !o.answered })
	for _, path := range paths {
		if !s.WasShown(seat, path) {
			s.shown = append(s.shown, shown{seat: seat, path: path})
		}
	}
}

// read records that a seat answered its prompt.
func (s *State) read(seat Seat) {
	s.shown = slices.Clone(s.shown)
	for i := range s.shown {
		s.shown[i].answered = s.shown[i].answered || s.shown[i].seat == seat
	}
}

// WasShown reports whether a seat answered a prompt that held a given document or a changed file, apart from the lines
// that are withheld from all.
func (s *State) WasShown(seat Seat, path string) bool {
	return slices.Contains(s.shown, shown{seat, path, true})
}

// WasShownAny reports whether a seat answered a prompt that held given material whole.
func (s *State) WasShownAny(seat Seat) bool {
	return slices.ContainsFunc(s.shown, func(o shown) bool { return o.seat == seat && o.answered })
}

// WithheldFrom returns what a seat has not been shown. What did not fit one of its prompts but a later one is not
// part of it.
func (s *State) WithheldFrom(seat Seat) []Withheld {
	return slices.DeleteFunc(slices.Clone(s.Withheld), func(w Withheld) bool {
		return len(w.Seats) > 0 && (!slices.Contains(w.Seats, seat) || s.WasShown(seat, w.Path))
	})
}
