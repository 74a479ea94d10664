package cli

import (
	"os"
	"slices"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/state"
	"moot/view"
)

// follow takes along what is known of the session that a question follows up on: its answer, its
// open points and cited lines as material, the user's facts as facts. Its participants and its
// folder are the defaults.
func (a *asking) follow(c *Console, format protocol.Format, s *state.Settings) error {
	earlier, err := read(c, a.follows)
	if err != nil {
		return in("follow", err)
	}
	was := &earlier.state
	s.Follows = earlierSession(was, earlier.rulings)
	var facts []string
	for _, f := range was.Facts.All() {
		if f.Live && f.Tag == ledger.TagUser && !slices.Contains(a.given.facts, f.Text) {
			facts = append(facts, f.Text)
		}
	}
	a.given.facts = append(facts, a.given.facts...)
	if was.Settings.Format == format.Name() && len(a.seats.named) == 0 {
		for _, seat := range was.Seats {
			a.seats.named[seat.Seat] = seat.Participant
		}
	}
	if _, err := os.Stat(was.Settings.Workspace); err == nil && a.workspace.dir == "" && a.typed {
		a.workspace.dir = was.Settings.Workspace
	}
	return nil
}

// earlierSession is what a follow-up takes along of a session.
func earlierSession(s *state.State, rulings []state.Ruling) *state.Earlier {
	const most, longest = 12, 600
	e := &state.Earlier{
		ID: s.ID, Question: plain.Clip(s.Question, longest), Answer: []string{}, Open: []string{},
		Cited: []string{},
	}
	add := func(list *[]string, text string) {
		if text = plain.Clip(text, longest); len(*list) < most && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	if answer := view.AnswerOf(s, rulings); answer != nil {
		for _, one := range answer.Sentences {
			add(&e.Answer, one.Text+" ["+string(one.Basis)+"]")
		}
	}
	for _, r := range rulings {
		if p := s.Point(r.Point); p.MergedInto == "" &&
			slices.Contains([]state.Bucket{state.BucketUnresolved, state.BucketOpen}, r.Bucket) {
			add(&e.Open, p.Text)
		}
	}
	for _, item := range s.Evidence.All() {
		if item.Proven() && item.SourceKind != ledger.UserOverride {
			add(&e.Cited, item.Reference+" "+item.Excerpt)
		}
	}
	return e
}
