package resolver

import "moot/state"

// coverage is the share of the pairs of a seat and a point in which the seat made a
// move about the point.
func (m *measure) coverage() *float64 {
	c := &covered{m: m, seats: make(map[state.Seat]int, len(m.seats)), moved: make([]bool, len(m.seats)*len(m.points))}
	for i, seat := range m.seats {
		c.seats[seat] = i
	}
	for _, p := range m.s.Points.All() {
		c.point(p)
	}
	c.challenges()
	for _, item := range m.s.Evidence.All() {
		c.by(state.Seat(item.OfferedBy), item.Point)
		c.by(state.Seat(item.Contested), item.Point)
	}
	for _, r := range m.s.Requests.All() {
		c.by(r.By, r.Point)
		if r.Answered && len(r.Of) == 1 {
			// Of several the record does not keep who answered.
			c.by(r.Of[0], r.Point)
		}
	}
	for _, pair := range m.s.Pairs.All() {
		c.by(pair.By, pair.A)
		c.by(pair.By, pair.B)
	}
	for i := range m.s.Council.Syntheses {
		said := &m.s.Council.Syntheses[i]
		for _, id := range said.Open {
			c.by(said.By, id)
		}
	}
	return ratio(c.pairs, len(c.moved))
}

// covered is which seats made a move about which points.
type covered struct {
	m     *measure
	seats map[state.Seat]int
	// moved has a place for each pair, pairs counts those that are set.
	moved []bool
	pairs int
}

// by notes a move. Seats that do not take part, such as the user's and the
// protocol's, are passed over.
func (c *covered) by(seat state.Seat, point string) {
	i, takesPart := c.seats[seat]
	at, known := c.m.at[point]
	if !takesPart || !known {
		return
	}
	if pair := at*len(c.m.seats) + i; !c.moved[pair] {
		c.moved[pair] = true
		c.pairs++
	}
}

// point notes the moves that a point itself keeps.
func (c *covered) point(p *state.Point) {
	for _, seat := range p.Authors {
		c.by(seat, p.ID)
	}
	c.by(p.WordedBy, p.ID)
	if p.Revises != "" {
		// Who words a claim anew moves the old one.
		if p.WordedBy != "" {
			c.by(p.WordedBy, p.Revises)
		} else {
			c.by(p.Authors[0], p.Revises)
		}
	}
	for i := range p.Classes {
		c.by(p.Classes[i].Seat, p.ID)
	}
	for i := range p.Scores {
		c.by(p.Scores[i].Seat, p.ID)
	}
	for i := range p.Concessions {
		c.by(p.Concessions[i].Seat, p.ID)
	}
	for i := range p.Violates {
		c.by(p.Violates[i].By, p.ID)
	}
	if p.Blocked != nil {
		c.by(p.Blocked.By, p.ID)
	}
	if p.Field != nil {
		c.by(p.Field.WithdrawnBy, p.ID)
	}
}

// challenges notes who challenged, defended and judged.
func (c *covered) challenges() {
	for _, challenge := range c.m.s.Challenges.All() {
		c.by(challenge.By, challenge.Point)
		for i := range challenge.Defenses {
			defense := &challenge.Defenses[i]
			c.by(defense.By, challenge.Point)
			if defense.Judgment != state.Unjudged {
				c.by(JudgeOf(c.m.s, challenge), challenge.Point)
			}
		}
	}
}
