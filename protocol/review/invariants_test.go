package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/protocol"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/protocol/protocoltest/random"
	"moot/protocol/review"
	"moot/resolver"
	"moot/state"
)

// TestInvariants lets reviewers, the author and the user move at random. It checks the invariants after every event, and
// recomputes and replays the record at the end. There are more sessions with -rapid.checks=10000.
func TestInvariants(t *testing.T) {
	t.Parallel()
	random.Invariants(t, randomReview)
}

// TestSentences checks each sentence of the results of random sessions (SE2).
func TestSentences(t *testing.T) {
	t.Parallel()
	random.Sentences(t, randomReview)
}

// randomReviewers is the part of a review.
type randomReviewers struct{ random.Consultation }

func randomReview(t *rapid.T) (*state.SessionOpened, random.Seats) {
	o := protocoltest.Opened(review.Name)
	o.Settings.Workspace = rapid.SampledFrom([]string{"", "w"}).Draw(t, "workspace")
	set := o.Settings.Own.(*review.Settings)
	set.Gate = rapid.SampledFrom(review.Severities()).Draw(t, "gate")
	set.Exchanges = rapid.IntRange(1, review.MostExchanges).Draw(t, "rounds")
	set.Change.Files[1].Ignored = rapid.SampledFrom([]string{"", "", "", "[review] ignore"}).Draw(t, "ignored")
	o.Seats = nil
	for i := range rapid.IntRange(2, 5).Draw(t, "reviewers") {
		seat := review.Reviewer
		if i > 0 {
			seat = state.Seat(fmt.Sprintf("%s-%d", review.Reviewer, i+1))
		}
		participant := rapid.SampledFrom([]string{"script:a", "script:b", "script:c", "script:d", state.BuiltInRules}).Draw(t, "participant")
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: seat, Participant: participant})
	}
	if rapid.Bool().Draw(t, "has an author") {
		participant := rapid.SampledFrom([]string{"script:e", "me"}).Draw(t, "author")
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: review.Author, Participant: participant})
	}
	return o, randomReviewers{}
}

// mark is a word that only one seat uses.
func mark(seat state.Seat) string { return "mark" + strings.TrimPrefix(string(seat), "reviewer") + "!" }

// Asked checks that reviewers see nothing of each other before they were compared (RW2), and not who raised a single
// finding afterwards (RW5), and records the prompts.
func (randomReviewers) Asked(r *random.Session, asks []protocol.Ask) {
	for _, ask := range asks {
		if r.State.Misses(ask.Seat) {
			r.Fatalf("%s is asked to %s, and is missing", ask.Seat, ask.Stage)
		}
		if ask.Stage != review.StageFind && len(review.Answered(r.State)) < 2 {
			r.Fatalf("%s is asked to %s, and fewer than two answered", ask.Seat, ask.Stage)
		}
		prompt := protocol.Of(r.State).Prompt(r.State, ask)
		if ask.Stage == review.StageFind {
			for _, a := range r.State.Seats {
				if a.Seat != ask.Seat && strings.Contains(prompt.Text, mark(a.Seat)) {
					r.Fatalf("RW2: %s is shown what %s said:\n%s", ask.Seat, a.Seat, prompt.Text)
				}
			}
		}
		if ask.Stage == review.StageExamine {
			for _, p := range review.ToExamine(r.State, ask.Seat) {
				if p.IsAuthor(ask.Seat) {
					r.Fatalf("RW5: %s is asked about %s, which it raised", ask.Seat, p.ID)
				}
			}
		}
		r.Append(prompt.Sent(ask)...)
	}
}

func (randomReviewers) Move(r *random.Session, ask protocol.Ask, kind move.Kind) move.Move {
	point := func() string {
		// Mostly one that the seat was asked about.
		asked := review.ToExamine(r.State, ask.Seat)
		if ask.Stage == review.StageAuthor {
			asked = review.ToAnswer(r.State)
		}
		if len(asked) > 0 && rapid.IntRange(0, 4).Draw(r.T, "asked") > 0 {
			return asked[rapid.IntRange(0, len(asked)-1).Draw(r.T, "which")].ID
		}
		return r.Point()
	}
	severity := func() string {
		return rapid.SampledFrom([]string{"", "BLOCKING", "HIGH", "MEDIUM", "LOW", "awful"}).Draw(r.T, "severity")
	}
	switch kind { //nolint:exhaustive // the others are shared
	case review.MoveFinding:
		what := rapid.SampledFrom([]string{
			"Unlock removes the lock file while a waiter holds it", "the lock file is removed by Unlock under a waiter",
			"open counts without an atomic", "the counter open is a data race", "the package has no documentation", "",
		}).Draw(r.T, "what")
		if what != "" && rapid.Bool().Draw(r.T, "marked") {
			what += " " + mark(ask.Seat)
		}
		m := &review.FindingMove{
			Path: rapid.SampledFrom([]string{"lock.go", "lock.go", "store.go", "a/lock.go", "other.go", "bad/x.go", ""}).Draw(r.T, "path"),
			Line: rapid.SampledFrom([]int{0, 1, 2, 11, 12, 14, 30, 4000}).Draw(r.T, "line"),
			What: what, Why: r.Text(), Severity: severity(),
			Category:  rapid.SampledFrom([]string{"", "concurrency", "fun"}).Draw(r.T, "category"),
			Citations: citations(r),
		}
		if ask.Stage == review.StagePlace {
			m.Point = r.Point()
		}
		return m
	case review.MoveNoFindings:
		return &review.NoFindings{Text: r.Text()}
	case review.MoveConfirm:
		return &review.Confirm{Point: point(), Severity: severity(), Reason: r.Text(), Citations: citations(r)}
	case review.MoveRefute:
		return &review.Refute{Point: point(), Reason: r.Text(), Citations: citations(r)}
	case review.MoveUnsure:
		return &review.Unsure{Point: point(), Reason: r.Text()}
	case review.MoveSplit:
		return &review.Split{Point: r.Point(), Reason: r.Text()}
	case review.MoveFixed:
		return &review.Fixed{Point: point(), Reason: r.Text(), Citations: citations(r)}
	case review.MoveIntended:
		return &review.Intended{Point: point(), Reason: r.Text()}
	case review.MoveWrong:
		return &review.Wrong{Point: point(), Reason: r.Text(), Citations: citations(r)}
	case move.KindContest:
		return &move.Contest{Evidence: r.ID("E", r.State.Evidence.Len()), Reason: r.Text()}
	}
	return r.ClaimMove(kind)
}

// citations are places in the change, outside of it, and nowhere, and commands.
func citations(r *random.Session) []move.Citation {
	var cited []move.Citation
	for range rapid.IntRange(0, 2).Draw(r.T, "citations") {
		cited = append(cited, rapid.SampledFrom([]move.Citation{
			{Reference: "lock.go:11"},
			{Reference: "lock.go:38", Quote: "defer Unlock()"},
			{Reference: "other.go:3"},
			{Reference: "bad/b.go:2", Quote: "beta"},
			{Reference: "$ go vet ./...", Quote: "exit 0"},
			{Reference: "$ bad idea", Quote: "exit 0"},
		}).Draw(r.T, "citation"))
	}
	return cited
}

func (randomReviewers) Override(r *random.Session, other protocol.UserMove) protocol.UserMove {
	switch rapid.IntRange(0, 5).Draw(r.T, "of the review") {
	case 0:
		return review.MergeFindings{A: r.Point(), B: r.Point()}
	case 1:
		return review.SplitFinding{Point: r.Point(), Reason: r.Text()}
	}
	return other
}

// Applied checks that a group never has two findings of one reviewer (RW4), unless the user merged some.
func (randomReviewers) Applied(r *random.Session, _ *state.State, p state.Payload) {
	if _, grouped := p.(*review.FindingsGrouped); !grouped || len(review.Of(r.State).Joined) > 0 {
		return
	}
	for _, group := range review.Of(r.State).Groups {
		var seats []state.Seat
		for _, id := range group {
			f := review.Of(r.State).Finding(id)
			if slices.Contains(seats, f.By) {
				r.Fatalf("RW4: %v holds two findings of %s", group, f.By)
			}
			seats = append(seats, f.By)
		}
	}
}

// participant returns the participant in a seat, or "" for built-in rules.
func participant(s *state.State, seat state.Seat) string {
	for _, a := range s.Seats {
		if a.Seat == seat && a.Participant != state.BuiltInRules {
			return a.Participant
		}
	}
	return ""
}

// Agreed checks a finding that is Agreed without a ruling of the user: two participants stand behind it, each by having
// raised it blind, or by a confirmation with a verified item.
func (randomReviewers) Agreed(r *random.Session, p *state.Point, ruling *state.Ruling) {
	raised := map[string]bool{}
	for _, f := range review.Members(r.State, p) {
		if who := participant(r.State, f.By); who != "" && f.WithdrawnSeq == 0 {
			raised[who] = true
		}
	}
	confirmed := false
	for _, f := range review.Members(r.State, p) {
		for _, w := range f.Words {
			who := participant(r.State, w.By)
			confirmed = confirmed || w.Kind == review.WordConfirm && who != "" && !raised[who] &&
				slices.ContainsFunc(w.Items, func(id string) bool { return r.State.Item(id).Proven() })
		}
	}
	if len(raised) < 2 && !confirmed {
		r.Fatalf("RW6: %s is Agreed on one word: %+v", p.ID, ruling)
	}
	if spot := review.SpotOf(r.State, review.Of(r.State).Finding(p.ID)); len(review.Members(r.State, p)) == 1 && spot.Where == review.Nowhere {
		r.Fatalf("RW3: %s is Agreed and has no place: %+v", p.ID, ruling)
	}
}

// Ended checks the decision (RW8) against the rulings and what the reviewers saw.
func (randomReviewers) Ended(r *random.Session) {
	if r.State.Round > 1+review.MostExchanges {
		r.Fatalf("INV7: round %d", r.State.Round)
	}
	gate := review.SettingsOf(r.State).Gate
	worst := map[state.Bucket]int{}
	for i, ruling := range resolver.Rule(r.State) {
		p := r.State.Points.At(i)
		f := review.Of(r.State).Finding(p.ID)
		if p.MergedInto == "" && !f.Over && !review.Outside(r.State, p) && review.SeverityOf(r.State, p).AtLeast(gate) {
			worst[ruling.Bucket]++
		}
		if r.State.Exit == state.ExitDecided && ruling.Bucket == state.BucketOpen {
			r.Fatalf("%s is open after the end: %+v", p.ID, ruling)
		}
	}
	d := review.DecisionOf(r.State)
	want := review.Merge
	switch {
	case r.State.Exit != state.ExitDecided:
		want = review.NoDecision
	case worst[state.BucketAgreed] > 0:
		want = review.DontMerge
	case worst[state.BucketUnresolved] > 0 || len(review.Unseen(r.State)) > 0:
		want = review.NeedsYou
	}
	if d.Verdict != want {
		r.Fatalf("RW8: %s, want %s: %+v", d.Verdict, want, worst)
	}
	if d.Verdict != review.NoDecision && len(review.Answered(r.State)) < 2 {
		r.Fatalf("RW8: %s with %d answers", d.Verdict, len(review.Answered(r.State)))
	}
}
