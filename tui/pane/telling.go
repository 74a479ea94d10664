package pane

import (
	"moot/ledger"
	"moot/protocol/dialectic"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// Telling is how a format tells of its points, its challenges and its evidence:
// what stands in the rows of the panes. Each format has one.
type Telling interface {
	columns() tableColumns
	// Buckets are those that a point of the format can be in.
	Buckets() []state.Bucket
	// tag is what put a point where it is, in a word or two; "" for nothing.
	tag(r *state.Ruling, p *state.Point) string
	// facts are what belongs to a point beside its text.
	facts(p *state.Point) []string
	// holding are the blocks of a point on what code checked of it; none in a
	// format without such checks.
	holding(l *theme.Look, p *state.Point) []Block
	// covers reports whether holding tells all that a ruling rests on.
	covers(r *state.Ruling) bool

	// Conflicts are those between the answers of a panel; nil in other formats.
	Conflicts() *conflicts

	// because says why a ruling is what it is, without what would change it.
	because(r *state.Ruling) resolver.Explanation

	standing(l *theme.Look, c *state.Challenge) challengeStanding
	// settled is that of the standing, without its signs and words.
	settled(c *state.Challenge) bool
	// gravity orders challenges, the least first; those that are the same there
	// stay in the order of the ids.
	gravity(c *state.Challenge) int
	// counted says how many challenges are not settled: "2 open".
	counted(n int) string
	// about is who raised a challenge when, and what it is about.
	about(c *state.Challenge) []string
	// terms are what belongs to a challenge beside its text and its answers.
	terms(l *theme.Look, c *state.Challenge) []Block
	// came are the blocks on what became of it, behind its answers.
	came(l *theme.Look, c *state.Challenge) []Block
	// owed is evidence that was asked for about a challenge, in words, or "".
	owed(c *state.Challenge) string

	// sources are the groups of evidence, the strongest first; none where
	// evidence stands in the order in which it came.
	sources() []source
	// sourceOf is the place of an item's source among them.
	sourceOf(e *ledger.Evidence) int
	// stamped is what code says of an item that it checked: its type, its
	// confidence.
	stamped(e *ledger.Evidence) string
	// bearing are the blocks on what an item bears on, beside its point.
	bearing(l *theme.Look, e *ledger.Evidence) []Block
}

// tableColumns are those of the table of points, from the left, the text last.
// Where it gets less than its share of the width, in percent, the spare ones are
// left out, in their order. From whole cells on the heads of counts are whole
// words.
type tableColumns struct {
	all, spare   []Column
	share, whole int
}

// challengeStanding is where a challenge stands, as it is shown.
type challengeStanding struct {
	glyph string
	style theme.Style
	words string
	// settled says that nothing is owed on it any more.
	settled bool
}

// source is a group of evidence: where it comes from, and what it may decide.
type source struct{ name, decides string }

// challengeKind is what sort of challenge it is, in a line without a telling: its
// severity where it is an objection to a proposal.
func challengeKind(c *state.Challenge) string {
	if c.Typed != nil {
		return c.Typed.Severity
	}
	return string(c.Kind)
}

// challengeSort is challengeKind, or the facts that a challenge of a hearing cites.
func challengeSort(c *state.Challenge) string {
	if len(c.Facts) > 0 {
		return "cites " + fewFacts(c.Facts)
	}
	return challengeKind(c)
}

// ChallengeAbout is what sort of challenge it is, and what about: "SKEPTICAL on P3",
// or "cites f07 against P3" in a hearing.
func ChallengeAbout(c *state.Challenge) string {
	return challengeSort(c) + when(len(c.Facts) > 0, " against ", " on ") + c.Point
}

// NewTelling is the telling of a session's format. The outcome is that of its
// proposal, nil where there is none.
func NewTelling(s *state.State, o *dialectic.Outcome) Telling {
	switch s.Settings.Format {
	case state.FormatDialectic:
		return newDialecticTelling(s, o)
	case state.FormatPanel:
		return newPanelTelling(s)
	case state.FormatCouncil:
		return newCouncilTelling(s)
	case state.FormatHearing:
		return NewHearingTelling(s)
	case state.FormatConsult:
	}
	return consultTelling{s}
}

// unsettled counts the challenges of a point on which something is owed. Those that
// only say that there is a conflict are counted as that.
func unsettled(t Telling, s *state.State, p *state.Point) int {
	n := 0
	for _, id := range p.Challenges {
		if c := s.Challenge(id); c != nil && !t.settled(c) && !t.Conflicts().echoed(c) {
			n++
		}
	}
	return n
}
