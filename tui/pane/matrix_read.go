package pane

import (
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
)

// Stand is how a panelist stands to a claim.
type Stand int

const (
	// StandSilent says nothing of it.
	StandSilent Stand = iota
	// standHolds says it in its own answer, standVoted when it was asked.
	standHolds
	standVoted
	// standAgainst holds the other side of a conflict, or rejected the claim.
	standAgainst
	// standGaveUp said it, and conceded it since.
	standGaveUp
	// StandMissing gave no answer.
	StandMissing
)

// stoodFor reports whether the panelist says the claim, or took its side.
func (s Stand) stoodFor() bool { return s == standHolds || s == standVoted }

// comparison is how the answers of a panel lie beside each other.
type comparison struct {
	state  *state.State
	table  *resolver.Table
	matrix resolver.Matrix
	seats  []state.Seat
	// done says that it was found which claims are about the same; before that no
	// claim is said to be anybody's alone.
	done bool
	// Claims are all there are; lead is the place of the claim that a point says.
	Claims []asserted
	lead   map[string]int
	// disputes are the conflicts that stand.
	disputes []dispute
}

// asserted is a claim with how each panelist stands to it.
type asserted struct {
	*resolver.Claim
	ID string
	// text is escaped.
	text   string
	bucket state.Bucket
	stands []Stand
	// aside says that it does not answer the question.
	aside bool
}

// dispute is a conflict with the places of its two claims. Taken is the side that
// each panelist takes: 0, 1, or -1 for neither.
type dispute struct {
	*state.Conflict
	sides  [2]int
	taken  []int
	ending resolver.Ending
}

// Compare lays the answers of a session beside each other. The table is made from
// the same state.
func Compare(s *state.State, table *resolver.Table, rulings []state.Ruling) *comparison {
	c := &comparison{state: s, table: table, seats: s.Panelists(), lead: map[string]int{}, done: wasCompared(s)}
	c.matrix = c.table.Matrix()
	buckets := make(map[string]state.Bucket, len(rulings))
	for i := range rulings {
		buckets[rulings[i].Point] = rulings[i].Bucket
	}
	for _, claim := range c.table.Claims() {
		id := claim.Points[0]
		for _, point := range claim.Points {
			c.lead[point] = len(c.Claims)
		}
		c.Claims = append(c.Claims, asserted{
			Claim: claim, ID: id, text: plain.Line(s.Point(id).Text), bucket: buckets[id], stands: c.own(claim),
			aside: !slices.ContainsFunc(claim.Points, func(id string) bool { return answers(s.Point(id)) }),
		})
	}
	for _, k := range c.table.Conflicts() {
		c.dispute(k)
	}
	return c
}

// wasCompared reports whether it was found which points are about the same: the
// points of the first round have their places then.
func wasCompared(s *state.State) bool {
	if s.Round > 1 || s.Over() {
		return true
	}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && p.Scope == state.Untriaged {
			return false
		}
	}
	return s.Points.Len() > 0
}

// answers reports whether a point was not put aside.
func answers(p *state.Point) bool { return p.Scope == state.InScope || p.Scope == state.Untriaged }

// own is how each panelist stands to a claim by what it said of it.
func (c *comparison) own(claim *resolver.Claim) []Stand {
	stands := make([]Stand, len(c.seats))
	for i, seat := range c.seats {
		switch {
		case slices.Contains(claim.Holders, seat):
			stands[i] = standHolds
		case slices.ContainsFunc(claim.Points, func(id string) bool { return c.state.Point(id).IsAuthor(seat) }):
			stands[i] = standGaveUp
		case !c.matrix.Seats[i].Answered && c.state.Panel.Misses(seat):
			stands[i] = StandMissing
		default:
			stands[i] = c.voted(claim, seat)
		}
	}
	return stands
}

// voted is what a seat last said of a claim of others when it was asked.
func (c *comparison) voted(claim *resolver.Claim, seat state.Seat) Stand {
	var last *state.Classification
	for _, id := range claim.Points {
		if latest := c.state.Point(id).Latest(seat); latest != nil && (last == nil || latest.Seq > last.Seq) {
			last = latest
		}
	}
	switch {
	case last == nil:
		return StandSilent
	case last.Class == state.Agree:
		return standVoted
	}
	return standAgainst
}

// dispute adds a conflict. Who takes one side of it is against the other.
func (c *comparison) dispute(k *state.Conflict) {
	a, b := c.table.Sides(k)
	if a == nil || b == nil {
		return
	}
	d := dispute{Conflict: k, sides: [2]int{c.lead[a.Points[0]], c.lead[b.Points[0]]}, taken: make([]int, len(c.seats)), ending: c.table.Ending(k)}
	for i := range d.taken {
		d.taken[i] = -1
	}
	for _, position := range c.table.Positions(k) {
		i := slices.Index(c.seats, position.Seat)
		if i < 0 {
			continue
		}
		side := when(c.lead[position.Point] == d.sides[0], 0, 1)
		d.taken[i] = side
		if other := &c.Claims[d.sides[1-side]].stands[i]; *other == StandSilent {
			*other = standAgainst
		}
	}
	c.disputes = append(c.disputes, d)
}

// words say how a conflict came out; what is left to the user says no more than
// that.
func (d *dispute) words() string {
	e := d.ending
	if e.By == resolver.EndedByNothing {
		e.Why = ""
	}
	return e.Words("you")
}

// ClaimGroup is where a claim stands among the others.
type ClaimGroup int

const (
	GroupEveryone ClaimGroup = iota
	GroupSeveral
	GroupContested
	GroupAlone
	// groupUncompared is for all while it was not found which are about the same.
	groupUncompared
	// GroupNobody is for claims that nobody holds any more, or that are beside the
	// question.
	GroupNobody
	claimGroupCount
)

// String is the head of the group.
func (g ClaimGroup) String() string {
	return []string{"Everyone shares", "Several share", "Contested", "One alone", "Not compared yet", "Given up or beside the question", ""}[g]
}

// name is what a participant is called, by its place.
func (c *comparison) name(i int) string {
	a, seated := c.state.Assignment(c.seats[i])
	if !seated || a.Participant == "" {
		return string(c.seats[i])
	}
	if name, fallback := a.Answers(); fallback {
		return name + " (fallback)"
	}
	if own, _ := state.OwnName(a.Participant); own != "" {
		return own
	}
	// Of a script the name of its file tells more than where that lies.
	if file, script := strings.CutPrefix(a.Participant, "script:"); script {
		return "script:" + file[strings.LastIndexAny(file, `/\`)+1:]
	}
	return a.Participant
}

// Group is the group of a claim.
func (c *comparison) Group(claim *asserted) ClaimGroup {
	answered := 0
	for i := range c.matrix.Seats {
		answered += when(c.matrix.Seats[i].Answered, 1, 0)
	}
	switch {
	case claim.aside:
		return GroupNobody
	case !c.done:
		return groupUncompared
	case len(claim.Conflicts) > 0:
		return GroupContested
	case len(claim.Holders) == 0:
		return GroupNobody
	case len(claim.Holders) == 1:
		return GroupAlone
	case len(claim.Holders) >= answered:
		return GroupEveryone
	}
	return GroupSeveral
}
