package review

import (
	"cmp"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Verdict says whether a change may be merged.
type Verdict string

// The verdicts. A review that has not ended, or that ended before it could decide, has NoDecision.
const (
	Merge      Verdict = "merge"
	DontMerge  Verdict = "dont-merge"
	NeedsYou   Verdict = "needs-you"
	NoDecision Verdict = "none"
)

// Words are the verdict in the first line of the result.
func (v Verdict) Words() string {
	return map[Verdict]string{Merge: "MERGE", DontMerge: "DON'T MERGE", NeedsYou: "NEEDS YOU", NoDecision: "NO DECISION"}[v]
}

// Decision says whether a change may be merged, and why (RW8). Code makes it.
type Decision struct {
	Verdict Verdict
	// Reason is a clause, with the place if it is about a finding.
	Reason string
	// Points are the findings that decide, the most severe first. Files are the changed files that too few saw.
	Points []string
	Files  []string
}

// String is the first line of the result.
func (d *Decision) String() string { return view.Sentence(d.Verdict.Words(), d.Reason) }

// DecisionOf decides by the rulings and by what the reviewers saw. There is no decision before the review has ended.
func DecisionOf(s *state.State) Decision {
	if s.Exit != state.ExitDecided {
		_, why := view.StopOf(s)
		if rest, paused := strings.CutPrefix(why, "paused, no decision: "); paused {
			why = "paused: " + rest // The verdict says that there is no decision.
		}
		return Decision{Verdict: NoDecision, Reason: cmp.Or(why, undecided(s))}
	}
	agreed, open := Gating(s, state.BucketAgreed), Gating(s, state.BucketUnresolved)
	files := Unseen(s)
	switch {
	case len(agreed) > 0:
		return Decision{DontMerge, reasonOf(s, agreed), pointsOf(agreed), files}
	case len(open) > 0:
		return Decision{NeedsYou, reasonOf(s, open), pointsOf(open), files}
	case len(files) > 0:
		return Decision{NeedsYou, view.Stated("unseen", view.Record{State: s}), []string{}, files}
	}
	return Decision{Merge, view.Stated("merge", view.Record{State: s}), []string{}, []string{}}
}

// undecided says why a review that did not stop has no decision.
func undecided(s *state.State) string {
	if s.Over() {
		return s.ExitReason
	}
	return "the review has not ended"
}

// Gating returns the findings in a bucket that are severe enough to matter for the decision, the most severe first.
// What lies outside the change does not.
func Gating(s *state.State, bucket state.Bucket) []*state.Point {
	gate := SettingsOf(s).Gate
	found := lists.Filter(Heads(s), func(p *state.Point) bool {
		return rules{}.RuleOne(s, p).Bucket == bucket && SeverityOf(s, p).AtLeast(gate) && !Outside(s, p)
	})
	slices.SortStableFunc(found, func(a, b *state.Point) int { return bySeverity(s, a, b) })
	return found
}

func bySeverity(s *state.State, a, b *state.Point) int {
	index := func(p *state.Point) int { return slices.Index(Severities(), SeverityOf(s, p)) }
	return cmp.Compare(index(a), index(b))
}

// reasonOf names the first finding that decides, its place and who says so, and how many more there are.
func reasonOf(s *state.State, points []*state.Point) string {
	p := points[0]
	f := Of(s).Finding(p.ID)
	spot := SpotOf(s, placed(s, p))
	text := Title(f)
	if place := spot.String(); place != "" {
		text += " (" + place + ")"
	}
	r := rules{}.RuleOne(s, p)
	text += "; " + r.Reason
	if more := len(points) - 1; more > 0 {
		text += "; and " + view.Counted(more, "more finding")
	}
	return text
}

// Unseen returns the changed files that fewer than two of the reviewers that answered saw, unless the user left them
// out.
func Unseen(s *state.State) []string {
	files := []string{}
	change := &SettingsOf(s).Change
	for i := range change.Files {
		f := &change.Files[i]
		if f.Ignored == "" && len(SawFile(s, f)) < leastAnswers {
			files = append(files, f.Path)
		}
	}
	return files
}

// SawFile returns the reviewers that answered and saw a changed file.
func SawFile(s *state.State, f *File) []state.Seat {
	return lists.Filter(Answered(s), func(seat state.Seat) bool { return Saw(s, seat, f) })
}

// LeftOut counts the changed files that the user left out.
func LeftOut(s *state.State) int {
	n := 0
	for _, f := range SettingsOf(s).Change.Files {
		if f.Ignored != "" {
			n++
		}
	}
	return n
}

// ExitCode returns the code of the decision.
func (Format) ExitCode(s *state.State) protocol.ExitCode {
	switch DecisionOf(s).Verdict {
	case Merge:
		return protocol.ExitConcluded
	case DontMerge:
		return protocol.ExitInconclusive
	case NeedsYou:
		return protocol.ExitPerson
	case NoDecision:
	}
	return protocol.ExitError
}

// Ruling returns the ruling on a finding.
func Ruling(s *state.State, p *state.Point) state.Ruling { return resolver.FormatOf(s).RuleOne(s, p) }
