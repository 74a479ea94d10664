package resolver

import (
	"regexp"
	"slices"
	"strings"

	"moot/state"
)

// JudgeOf returns the seat that judges defenses against a challenge: the challenger (CH5). For
// challenges of the user or by code it is the author of the contradicting point, else an evaluator
// that is not an author, else an author that did not answer.
func JudgeOf(s *state.State, c *state.Challenge) state.Seat {
	if c.By != state.User && c.By != state.Protocol {
		return c.By
	}
	p := s.Point(c.Point)
	if p == nil {
		return state.Orchestrator
	}
	if other := s.Live(c.About); other != nil {
		for _, seat := range other.Defenders() {
			if !p.IsAuthor(seat) && !s.ByRules(seat) {
				return seat
			}
		}
	}
	seats := Evaluators(s, p)
	if AllAuthors(s, p) {
		seats = p.Defenders()
		if last := c.Last(); last != nil && len(seats) > 1 {
			seats = slices.DeleteFunc(seats, func(seat state.Seat) bool { return seat == last.By })
		}
	}
	if len(seats) > 0 {
		return seats[0]
	}
	return state.Orchestrator
}

// Held reports whether a point is neither merged, revised, conceded, decided by
// the user, late nor out of scope.
func Held(p *state.Point) bool {
	if p.MergedInto != "" || p.RevisedBy != "" || p.UserRuling != nil {
		return false
	}
	if _, conceded := p.Conceded(); conceded {
		return false
	}
	return p.Scope == state.InScope || p.Scope == state.Untriaged
}

// Lost reports whether a challenge on the point is undefended (AC7).
func Lost(s *state.State, p *state.Point) bool {
	for _, id := range p.Challenges {
		if c := s.Challenge(id); c != nil && c.Status == state.StandsUndefended {
			return true
		}
	}
	return false
}

// Debated reports whether seats are still asked about the point: it is held, not deadlocked, not
// dismissed by an undefended challenge or a user fact, and under debate in its format.
func Debated(s *state.State, p *state.Point) bool {
	return FormatOf(s).Debated(s, p) && Held(p) && p.Deadlock == state.DeadlockNone && !Lost(s, p) && !Violates(s, p)
}

// Contradicted returns a supported point that says the opposite of the named one:
// another seat agrees with it, or its challenges were accepted (RD1b, ST6). It returns
// nil if there is no such point.
func Contradicted(s *state.State, id string) *state.Point {
	for _, pair := range s.Pairs.All() {
		if !pair.Opposed {
			continue
		}
		for _, ids := range [][2]string{{pair.A, pair.B}, {pair.B, pair.A}} {
			this, other := s.Live(ids[0]), s.Live(ids[1])
			if this == nil || this.ID != id || other == nil || other.ID == id {
				continue
			}
			if Held(other) && other.Deadlock == state.DeadlockNone && Upheld(s, other) {
				return other
			}
		}
	}
	return nil
}

// FacesRules reports whether only built-in rules face the authors of a point of a
// consultation: then no seat can judge it.
func FacesRules(s *state.State, p *state.Point) bool { return FormatOf(s).FacesRules(s, p) }

// Idle reports whether a challenge needs no answer, because it only records a conflict that nobody
// argues about.
func Idle(s *state.State, c *state.Challenge) bool { return FormatOf(s).Idle(s, c) }

// Waiting returns the challenge on the point that waits for an answer or a judgment, or nil.
func Waiting(s *state.State, p *state.Point) *state.Challenge { return activeBasis(s, p).Waiting() }

// Disputed returns the first challenge on the point that was not accepted,
// conceded or lost, or nil.
func Disputed(s *state.State, p *state.Point) *state.Challenge { return activeBasis(s, p).disputed() }

// activeBasis returns the basis of a point without idle challenges.
func activeBasis(s *state.State, p *state.Point) *Basis {
	b := NewBasis(s, p, false)
	b.Challenges = slices.DeleteFunc(b.Challenges, func(c *state.Challenge) bool { return Idle(s, c) })
	return b
}

// Tradeoff returns the REJECT challenge that makes the point a tradeoff (AC11),
// or nil.
func Tradeoff(s *state.State, p *state.Point) *state.Challenge {
	b := NewBasis(s, p, IsValue(s, p))
	rejected := b.rejected()
	if rejected == nil {
		return nil
	}
	if ruling, _ := Acceptance().Rule(b); ruling.Rule != "AC11" {
		return nil
	}
	return rejected
}

// Rejected reports whether a REJECT of the point is upheld, so that no seat is asked about it
// anymore (AC10, AC11).
func Rejected(s *state.State, p *state.Point) bool { return NewBasis(s, p, false).rejected() != nil }

// Supported reports whether the point has supporting evidence that counts, of type execution or
// textual.
func Supported(s *state.State, p *state.Point) bool {
	return NewBasis(s, p, false).FirmSupport() != nil
}

// Upheld reports whether another seat agrees with the point or every challenge
// on it was accepted, with none waiting.
func Upheld(s *state.State, p *state.Point) bool {
	_, ok := NewBasis(s, p, false).Upheld()
	return ok
}

// Violates reports whether the point contradicts a live user fact (AC5).
func Violates(s *state.State, p *state.Point) bool {
	fact, _ := violated(s, p)
	return fact != nil
}

// IsValue reports whether a point is a value judgment: the user said so, or its authors and every
// seat that judged it call it one, at least two seats in all, and its text holds no number
// with unit, path or identifier. Else it is empirical. In a panel a seat that
// holds the other side of a conflict, or says the same in other words, and says so
// of its own point, counts as an evaluator.
func IsValue(s *state.State, p *state.Point) bool {
	return IsValueBy(p, func() bool { return FormatOf(s).CalledValue(s, p) })
}

// IsValueBy is IsValue, where seconded reports whether a seat calls a related point a value
// judgment.
func IsValueBy(p *state.Point, seconded func() bool) bool {
	switch p.UserKind {
	case state.Value:
		return true
	case state.Empirical:
		return false
	}
	called := func(seat state.Seat) bool { return slices.Contains(p.CalledValue, seat) }
	if slices.ContainsFunc(p.Authors, func(a state.Seat) bool { return p.Holds(a) && !called(a) }) || Measurable(p.Text) {
		return false
	}
	denies := func(c state.Classification) bool { return !c.ByRules && p.Latest(c.Seat) != nil && !called(c.Seat) }
	judgesAgree := len(p.CalledValue) > 1 && !slices.ContainsFunc(p.Classes, denies)
	return judgesAgree || len(p.CalledValue) > 0 && seconded()
}

// Measurable reports whether a text contains something that can be looked up or measured: a number
// with a unit, a path, or an identifier.
func Measurable(text string) bool {
	text = strings.ReplaceAll(text, "and/or", "or")
	// A file has a name or an extension of at least two letters: "main.c" is one, "e.g" is not.
	names := regexp.MustCompile("`|_|::|[a-z][A-Z]|\\w\\(\\)|\\S/|/\\S|" +
		`\w[A-Za-z]\.[A-Za-z]\w{0,3}\b|[A-Za-z]\.[A-Za-z]\w{1,3}\b`)
	if names.MatchString(text) {
		return true
	}
	const marks = `.,;:!?"'()[]{}`
	words := strings.Fields(text)
	for i, word := range words {
		word = strings.Trim(word, marks)
		unit := strings.TrimLeft(word, "0123456789.,")
		followed := i+1 < len(words) && IsUnit(strings.Trim(words[i+1], marks))
		if isNumber := unit != word; isNumber && (unit != "" || followed) {
			return true
		}
	}
	return false
}

// IsUnit reports whether a word is a unit of measurement.
func IsUnit(word string) bool {
	switch strings.ToLower(word) {
	case "%", "percent", "ms", "s", "seconds", "second", "minutes", "minute", "hours", "hour", "days", "day",
		"weeks", "months", "years", "b", "bytes", "kb", "kib", "mb", "mib", "gb", "gib", "tb", "qps", "rps",
		"requests", "users", "rows", "lines", "files", "eur", "usd", "dollars", "hz", "mhz", "ghz", "cores",
		"times", "retries", "calls", "queries", "connections", "nodes", "servers", "engineers", "people":
		return true
	}
	return false
}
