package pane

import (
	"moot/state"
)

// ItemText is what an item says in a line, by its id: a point, a challenge, an
// evidence item, a fact; "" for none.
func ItemText(s *state.State, id string) string {
	if p := s.Point(id); p != nil {
		return p.ID + " " + p.Text
	}
	if c := s.Challenge(id); c != nil {
		return c.ID + " " + ChallengeAbout(c) + ": " + c.Objection
	}
	if e := s.Item(id); e != nil {
		return e.ID + " " + string(e.Relation) + " " + e.Point + ": " + e.Reference + " " + e.Excerpt
	}
	if f := s.Fact(id); f != nil {
		return f.ID + " " + f.Text
	}
	return ""
}
