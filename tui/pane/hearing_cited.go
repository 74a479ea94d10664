package pane

import (
	"slices"
	"strings"

	"moot/state"
)

// citedAs is what a fact of the packet is cited for.
type citedAs int

const (
	// citedFor bears a claim out, citedAgainst contradicts one, citedAnswering meets
	// what was cited against one.
	citedFor citedAs = iota
	citedAgainst
	citedAnswering
)

// factUse is one place where a fact of the packet is cited.
type factUse struct {
	seat state.Seat
	as   citedAs
	// point is the claim, challenge what attacks it, "" where the claim itself cites.
	point, challenge string
	round            int
	// text is what is said of the fact there.
	text string
	// gone says that its side gave the claim up.
	gone bool
}

// words say what it is cited for: "for P2", "against P3", "in answer to C1".
func (u *factUse) words() string {
	switch u.as {
	case citedFor:
		return "for " + u.point
	case citedAgainst:
		return "against " + u.point
	case citedAnswering:
	}
	return "in answer to " + u.challenge
}

// factUses are the uses of each fact that is cited, by its place in the packet, in
// the order of the claims and the challenges.
func factUses(s *state.State) map[int][]factUse {
	uses := map[int][]factUse{}
	add := func(facts []string, u factUse) {
		for _, id := range facts {
			if place := s.Hearing.Packet.Place(id); place >= 0 {
				uses[place] = append(uses[place], u)
			}
		}
	}
	if s.Hearing.Packet == nil {
		return uses
	}
	for _, p := range s.Points.All() {
		if len(p.Facts) == 0 || len(p.Authors) == 0 {
			continue
		}
		_, conceded := p.Conceded()
		add(p.Facts, factUse{seat: p.Authors[0], as: citedFor, point: p.ID, round: p.Round, text: p.Text, gone: conceded})
	}
	for _, c := range s.Challenges.All() {
		add(c.Facts, factUse{seat: c.By, as: citedAgainst, point: c.Point, challenge: c.ID, round: c.Round, text: c.Objection})
		for i := range c.Defenses {
			d := &c.Defenses[i]
			add(d.Facts, factUse{seat: d.By, as: citedAnswering, point: c.Point, challenge: c.ID, round: d.Round, text: d.Text})
		}
	}
	return uses
}

// citedBy reports whether a seat is among those who cite.
func citedBy(uses []factUse, seat state.Seat) bool {
	return slices.ContainsFunc(uses, func(u factUse) bool { return u.seat == seat })
}

// usesWords say who cites a fact for what: "architect for P2, P4; skeptic against
// P2".
func usesWords(uses []factUse) string {
	var seats []state.Seat
	said := map[state.Seat][]string{}
	last := map[state.Seat]citedAs{}
	for i := range uses {
		u := &uses[i]
		words := u.words()
		if !slices.Contains(seats, u.seat) {
			seats = append(seats, u.seat)
		} else if last[u.seat] == u.as {
			words = words[strings.LastIndexByte(words, ' ')+1:]
		}
		last[u.seat] = u.as
		if !slices.Contains(said[u.seat], words) {
			said[u.seat] = append(said[u.seat], words)
		}
	}
	var parts []string
	for _, seat := range seats {
		parts = append(parts, string(seat)+" "+strings.Join(said[seat], ", "))
	}
	return strings.Join(parts, "; ")
}
