package resolver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moot/resolver/hearing"
	"moot/state"
)

// hearingWhatIf looks for what would move the question of a hearing, or one of its
// claims: each course is judged anew.
type hearingWhatIf struct {
	*whatIf

	judge *HearingJudge
	// ended is the ruling where the session ends as it is.
	ended state.Ruling
}

// changes returns what would move the point, the nearest first, and how many were left
// out.
func (w *hearingWhatIf) changes() ([]Change, int) {
	if w.p.MergedInto != "" {
		return nil, 0
	}
	w.ended = w.base
	if w.running() {
		x := w.end(w.supposeUser())
		w.ended = w.judge.ruleOne(&x.s, x.here())
		w.keep(MovedBySession, "the session ends now", "", x)
	}
	if w.p.UserRuling == nil {
		if w.p.ID == QuestionPoint {
			w.byConfidence()
		}
		w.byClaims()
		w.byAnswers()
	}
	w.byWord()
	return grouped(w.ways)
}

// end has the session end, where it has not.
func (w *hearingWhatIf) end(x *supposed) *supposed {
	if x.impossible || x.s.Over() {
		return x
	}
	return x.add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"})
}

// try keeps a course that moves the point once the session ends.
func (w *hearingWhatIf) try(clause, had string, x *supposed) {
	w.end(x)
	if x.impossible {
		return
	}
	if then := w.judge.ruleOne(&x.s, x.here()); !sameEnd(&then, &w.ended) {
		w.keep(MovedBySeats, clause, had, x)
	}
}

// keep keeps a course that moves the point.
func (w *hearingWhatIf) keep(who Mover, clause, had string, x *supposed) {
	if x.impossible {
		return
	}
	then := w.judge.ruleOne(&x.s, x.here())
	if sameEnd(&then, &w.base) {
		return
	}
	way := Way{If: clause, Who: who, Events: x.events, Then: then, Past: x.past}
	if x.past {
		way.If = had
	}
	w.ways = append(w.ways, way)
}

// byConfidence tries the smallest changes of one confidence that flip the outcome.
func (w *hearingWhatIf) byConfidence() {
	v, judged := w.judge.Verdict(w.s)
	if !judged {
		return
	}
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		for _, to := range flips(&v, seat) {
			words := to.words()
			x := w.suppose().add(&state.Argued{Seat: seat, Stated: to.confidence, Confidence: to.confidence})
			w.try(fmt.Sprintf("the %s's confidence %ss to %s", seat, to.verb(), words), fmt.Sprintf("the %s's confidence %s to %s", seat, to.past(), words), x)
		}
	}
}

// flip is a confidence at which the outcome is another one.
type flip struct {
	from, confidence float64
	outcome          state.Outcome
	// beside is the double beside it at which the outcome is still the same.
	beside float64
}

func (f *flip) verb() string {
	if f.confidence > f.from {
		return "rise"
	}
	return "fall"
}

func (f *flip) past() string {
	if f.confidence > f.from {
		return "risen"
	}
	return "fallen"
}

// words are the number that must be reached, or passed: what stands beside a bound is
// told by the bound.
func (f *flip) words() string {
	here, there := hearing.Figure(f.confidence), hearing.Figure(f.beside)
	switch {
	case len(there) >= len(here):
		return here
	case f.confidence > f.from:
		return "just above " + there
	}
	return "just below " + there
}

// flips are for each other outcome the nearest confidence of a side at which the judge
// says it, with all else as it is. Of the version claims there are none: it reads no
// confidence.
func flips(v *HearingVerdict, seat state.Seat) []flip {
	own, other := v.Architect.Confidence, v.Skeptic.Confidence
	if seat == state.Skeptic {
		own, other = other, own
	}
	outcomeAt := func(confidence float64) state.Outcome {
		a, k := v.Architect, v.Skeptic
		if seat == state.Skeptic {
			k.Confidence = confidence
		} else {
			a.Confidence = confidence
		}
		verdict, err := hearing.Judge(v.Version, a, k)
		if err != nil {
			return v.Outcome
		}
		return verdict.Outcome
	}
	var found []flip
	for _, candidate := range candidates(v.Version, own, other) {
		outcome := outcomeAt(candidate)
		known := slices.ContainsFunc(found, func(f flip) bool { return f.outcome == outcome })
		if outcome == v.Outcome || known {
			continue
		}
		found = append(found, flip{from: own, confidence: candidate, outcome: outcome, beside: math.Nextafter(candidate, own)})
	}
	return found
}

// besideBound is how many doubles on each side of a bound are tried: a difference of
// two doubles meets its bound within these.
const besideBound = 3

// candidates are the confidences at which an outcome may change: the bounds of the
// version, and what lies a bounded difference from the other side; the nearest first.
func candidates(version state.JudgeVersion, own, other float64) []float64 {
	confidences, differences := hearing.Bounds(version)
	bounds := append(slices.Clone(confidences), other, 0, 1)
	for _, d := range differences {
		bounds = append(bounds, other+d, other-d)
	}
	var list []float64
	for _, bound := range bounds {
		below, above := bound, bound
		list = append(list, bound)
		for range besideBound {
			below, above = math.Nextafter(below, math.Inf(-1)), math.Nextafter(above, math.Inf(1))
			list = append(list, below, above)
		}
	}
	list = slices.DeleteFunc(list, func(c float64) bool { return c < 0 || c > 1 || c == own })
	slices.SortFunc(list, func(a, b float64) int { return nearer(own, a, b) })
	return slices.Compact(list)
}

// nearer orders two numbers by how near they are to a third. Of two on one side the
// doubles themselves tell, since their distances may round to the same.
func nearer(to, a, b float64) int {
	switch {
	case a < to && b < to:
		return cmp.Compare(b, a)
	case a > to && b > to:
		return cmp.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(math.Abs(a-to), math.Abs(b-to)), cmp.Compare(a, b))
}

// byClaims tries that one claim falls: of the question each, of a claim itself.
func (w *hearingWhatIf) byClaims() {
	for _, p := range w.s.Points.All() {
		if p.ID == QuestionPoint || w.p.ID != QuestionPoint && p.ID != w.p.ID || !made(w.s, p, w.s.Round) {
			continue
		}
		of := "it is"
		had := "it been"
		if w.p.ID == QuestionPoint {
			of, had = p.ID+" is", p.ID+" been"
		}
		w.try(of+" given up", had+" given up", w.suppose().add(&state.PointConceded{Point: p.ID, By: p.Authors[0], Reason: "given up"}))
	}
}

// byAnswers tries answers to what was cited: to each challenge, and to all of a claim
// at once.
func (w *hearingWhatIf) byAnswers() {
	all := w.suppose()
	var ids []string
	for _, c := range w.s.Challenges.All() {
		p := w.s.Point(c.Point)
		if w.p.ID != QuestionPoint && c.Point != w.p.ID || !made(w.s, p, w.s.Round) || len(c.Defenses) > 0 || len(c.Facts) == 0 {
			continue
		}
		answer := &state.ChallengeAnswered{Challenge: c.ID, By: p.Authors[0], Text: "an answer"}
		w.try(c.ID+" is answered", c.ID+" been answered", w.suppose().add(answer))
		all.add(answer)
		ids = append(ids, c.ID)
	}
	if len(ids) > 1 {
		w.try(listed(ids)+" are answered", listed(ids)+" been answered", all)
	}
}

// byWord tries the user's rulings.
func (w *hearingWhatIf) byWord() {
	if w.s.Closed {
		return
	}
	for _, r := range []struct {
		what state.OverrideKind
		word string
	}{
		{state.OverrideReopen, "reopen it"},
		{state.OverrideAgree, "agree with it"},
		{state.OverrideDismiss, "dismiss it"},
		{state.OverrideUnresolved, "leave it unresolved"},
	} {
		w.keep(MovedByUser, "you "+r.word, "", w.supposeUser().add(&state.OverrideMade{What: r.what, Point: w.p.ID}))
	}
}
