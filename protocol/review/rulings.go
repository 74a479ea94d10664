package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// rules rules on the findings of a review: RW6.
type rules struct{ resolver.Base }

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return rules{} }

func (f rules) Rule(s *state.State) []state.Ruling { return resolver.RuleEach(s, f.RuleOne) }

func (f rules) RuleOne(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		r := resolver.MergedAway(p)
		r.Rule, r.Reason = "RW4", "merged into "+p.MergedInto+", which means the same"
		return r
	}
	ruling, _ := table.Rule(f.Basis(s, p))
	return ruling
}

// LastRound implements resolver.Format: the round of finding, and the exchanges.
func (rules) LastRound(s *state.State) int { return 1 + SettingsOf(s).Exchanges }

// Evaluators implements resolver.Format: the other reviewers.
func (rules) Evaluators(s *state.State, p *state.Point) []state.Seat {
	return slices.DeleteFunc(Reviewers(s), func(seat state.Seat) bool { return p.IsAuthor(seat) || s.ByRules(seat) })
}

// Inconclusive implements resolver.Format: a review has a decision or none.
func (rules) Inconclusive(*state.State, []state.Ruling) bool { return false }

// Says implements resolver.Format.
func (rules) Says(rule string) string {
	if rule == "RW4" {
		return "Findings of different reviewers that mean the same are one finding."
	}
	return table.Says(rule)
}

// Candidates implements resolver.Format: what would change the ruling.
func (rules) Candidates(l *resolver.Candidates) {
	for _, seat := range Reviewers(l.State) {
		if l.Point.IsAuthor(seat) || l.State.ByRules(seat) {
			continue
		}
		for _, kind := range []WordKind{WordConfirm, WordRefute} {
			verb := map[WordKind]string{WordConfirm: "confirming", WordRefute: "refuting"}[kind]
			l.Add(resolver.MovedBySeats, resolver.SeatName(seat)+" "+verb+" it with a place of its own that nobody contests", func(x *resolver.Scenario) {
				item := l.State.NextEvidence()
				relation := ledger.Supports
				if kind == WordRefute {
					relation = ledger.Refutes
				}
				x.Add(
					&state.EvidenceOffered{ID: item, Point: l.Point.ID, Relation: relation, Reference: "other:1", By: seat},
					&state.EvidenceVerified{
						ID: item, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
						Reference: "other:1", Excerpt: "a line", Admitted: true,
					},
					&FindingJudged{Point: l.Point.ID, By: seat, Word: kind, Items: []string{item}, Reason: "what it shows"},
				)
				if kind == WordRefute {
					x.Add(&state.EvidenceAccepted{ID: item, By: state.User})
				}
			})
		}
	}
	for _, seat := range l.Point.Authors {
		if IsReviewer(seat) {
			l.Add(resolver.MovedBySeats, resolver.SeatName(seat)+" taking it back", func(x *resolver.Scenario) {
				for _, f := range Members(l.State, l.Point) {
					if f.By == seat && f.WithdrawnSeq == 0 {
						x.Add(&FindingWithdrawn{Point: f.Point, By: seat, Reason: "taken back"})
					}
				}
			})
		}
	}
	l.Outside()
}

// Follow implements resolver.Format: code raises no challenges.
func (rules) Follow(*resolver.Scenario) {}

// table is RW6: the first row that applies decides. It never changes.
var table = resolver.Rules{ //nolint:gochecknoglobals // a table
	{
		Rule: "RW6.1", Says: "Your decision on a finding overrides every other rule.",
		Tag: state.TagUser, Sentence: "%s", Crux: "%s", When: byUser,
	},
	{
		Rule: "RW2", Says: "A reviewer's findings after the first 30 are kept, not ruled on.",
		Bucket: state.BucketNotEvaluated, Tag: state.TagBeyondLimit,
		Sentence: "it is beyond the first 30 findings of its reviewer",
		When: func(b *resolver.Basis) *resolver.Match {
			if !Of(b.State).Finding(b.Point.ID).Over {
				return nil
			}
			return resolver.Read(b.Point.ID)
		},
	},
	{
		Rule: "RW6.2", Says: "A finding of an earlier review keeps its ruling until its lines change.",
		Sentence: "%s", Crux: "%s", When: byMemory,
	},
	{
		Rule: "RW6.3", Says: "A finding without a place in the change or the tree is dismissed.",
		Bucket: state.BucketDismissed, Tag: state.TagMisplaced, Sentence: "%s", When: byPlace,
	},
	{
		Rule: "RW6.4", Says: "A finding that its reviewers took back is dismissed.",
		Bucket: state.BucketDismissed, Tag: state.TagConceded, Sentence: "%s", When: byRaisers,
	},
	{
		Rule: "RW6.5", Says: "A finding is dismissed if another reviewer's refutation counts, and nobody's confirmation does.",
		Bucket: state.BucketDismissed, Tag: state.TagRefuted, Sentence: "%s", When: byRefutation,
	},
	{
		Rule: "RW6.6", Says: "A finding that two or more raised before they saw each other is agreed.",
		Bucket: state.BucketAgreed, Tag: state.TagIndependent, Sentence: "%d of %d raised it independently",
		When: func(b *resolver.Basis) *resolver.Match {
			n, of := Support(b.State, b.Point)
			if n < 2 {
				return nil
			}
			return resolver.Read(raisings(b)...).Saying(n, of)
		},
	},
	{
		Rule:   "RW5",
		Says:   "A finding that the reviewers have not been asked about is open.",
		Bucket: state.BucketOpen, Sentence: "the other reviewers have not been asked about it",
		When: func(b *resolver.Basis) *resolver.Match {
			asked := slices.ContainsFunc(Of(b.State).Examined, func(e FindingsExamined) bool {
				return slices.Contains(e.Points, b.Point.ID)
			})
			if b.State.Over() || asked {
				return nil
			}
			return resolver.Read(b.Point.ID)
		},
	},
	{
		Rule: "RW6.7", Says: "A finding that another reviewer confirms with an item of its own is agreed, if no refutation counts.",
		Bucket: state.BucketAgreed, Tag: state.TagConfirmed, Sentence: "%s confirmed it with %s",
		When: func(b *resolver.Basis) *resolver.Match {
			w, item := confirmation(b)
			if w == nil || refutation(b) != nil {
				return nil
			}
			return resolver.Read(append(raisings(b), item.ID, resolver.Event(w.Seq))...).
				Saying(resolver.SeatName(w.By), item.Reference)
		},
	},
	{
		Rule: "RW6.8", Says: "A finding that a reviewer refutes, without an item that counts or against a confirmation, is open to dispute.",
		Bucket: state.BucketUnresolved, Status: state.StatusDisputed, Sentence: "%s", Crux: "%s", When: byDispute,
	},
	{
		Rule: "RW6.9", Says: "A finding that one reviewer raised, and nobody confirmed or refuted, is left to you.",
		Bucket: state.BucketUnresolved, Status: state.StatusSingle, Sentence: "%s", Crux: "%s", When: alone,
	},
}

// raisings are the events or points that raised a finding.
func raisings(b *resolver.Basis) []string { return append([]string{b.Point.ID}, b.Point.Aliases...) }

// Support returns how many distinct models raised a finding without seeing each other, and how many answered and saw
// its file.
func Support(s *state.State, p *state.Point) (raised, of int) {
	var raisers []state.Seat
	var saw []state.Seat
	file := SettingsOf(s).Change.file(SpotOf(s, placed(s, p)).Path)
	for _, f := range Members(s, p) {
		if IsReviewer(f.By) && f.WithdrawnSeq == 0 {
			raisers = append(raisers, f.By)
		}
	}
	for _, seat := range Answered(s) {
		if slices.Contains(raisers, seat) || file == nil || Saw(s, seat, file) {
			saw = append(saw, seat)
		}
	}
	return len(models(s, raisers)), len(models(s, saw))
}

// byUser is RW6.1: the latest decision of the user on any of the findings that the point stands for, or the word of the
// user as the author of the change.
func byUser(b *resolver.Basis) *resolver.Match {
	var u *state.UserRuling
	for _, f := range Members(b.State, b.Point) {
		if one := b.State.Point(f.Point).UserRuling; one != nil && (u == nil || one.Seq > u.Seq) {
			u = one
		}
	}
	w := authorOf(b.State, b.Point)
	if w != nil && b.State.ByPerson(Author) && (u == nil || w.Seq > u.Seq) && w.Seq > b.Point.Reopened {
		m := resolver.Read(resolver.Event(w.Seq))
		m.Bucket = state.BucketDismissed
		m.Tag = map[WordKind]state.Tag{WordFixed: state.TagFixed, WordIntended: state.TagIntended}[w.Kind]
		return m.Saying(view.Sentence("you said that it is "+string(w.Kind), w.Reason))
	}
	if u == nil || u.Seq <= b.Point.Reopened {
		return nil
	}
	m := resolver.Read(resolver.Event(u.Seq)).Saying(view.Sentence("you ruled so", u.Reason))
	m.Bucket = u.Bucket
	switch {
	case u.Intended:
		m.Tag = state.TagIntended
		m.Saying(view.Sentence("you said that it is intended", u.Reason))
	case u.Bucket == state.BucketUnresolved:
		m.Status = state.StatusOpen
		m.ResolvedBy("you left it open; ruling on it ends that")
	}
	return m
}

// authorOf returns what the author of the change said about a finding, or nil.
func authorOf(s *state.State, p *state.Point) *Word {
	var found *Word
	for _, w := range words(s, p) {
		if w.By == Author {
			found = w
		}
	}
	return found
}

// words returns what seats said about the findings that a point stands for, in order.
func words(s *state.State, p *state.Point) []*Word {
	var all []*Word
	for _, f := range Members(s, p) {
		for i := range f.Words {
			if w := &f.Words[i]; w.Seq > p.Reopened {
				all = append(all, w)
			}
		}
	}
	slices.SortFunc(all, func(a, b *Word) int { return cmp.Compare(a.Seq, b.Seq) })
	return all
}

// byPlace is RW6.3.
func byPlace(b *resolver.Basis) *resolver.Match {
	members := Members(b.State, b.Point)
	for _, f := range members {
		if !misplaced(b.State, f) || !f.Asked && !b.State.Over() {
			return nil
		}
	}
	f := members[0]
	item := placeItem(b.State, f)
	says := "it names no place"
	switch {
	case f.Path != "" && item != nil:
		says = view.Sentence("it names "+Place(f), item.Reason)
	case f.Path != "" && f.Line == 0:
		says = "it names " + Place(f) + ", which the change does not touch, and no line of it"
	case f.Path != "":
		says = "it names " + Place(f) + ", which is beyond the end of the file"
	}
	return resolver.Read(raisings(b)...).Saying(says)
}

// Place is the place of a finding as its reviewer gave it: path:line, path:line-line, or the path alone.
func Place(f *Finding) string {
	r := ledger.Reference{Path: f.Path}
	if f.Line > 0 {
		r.Spans = []ledger.Span{{First: f.Line, Last: f.End}}
	}
	return r.String()
}

// byRaisers is RW6.4.
func byRaisers(b *resolver.Basis) *resolver.Match {
	reason := ""
	var seats []state.Seat
	for _, f := range Members(b.State, b.Point) {
		if f.WithdrawnSeq == 0 || f.WithdrawnSeq <= b.Point.Reopened {
			return nil
		}
		seats = append(seats, f.By)
		reason = cmp.Or(reason, f.Withdrawn)
	}
	return resolver.Read(raisings(b)...).Saying(view.Sentence(resolver.SeatNames(lists.Distinct(seats))+" took it back", reason))
}

// speaks reports whether a reviewer may speak on a point: neither it nor its model raised it.
func speaks(s *state.State, p *state.Point, w *Word) bool {
	mine := model(s, w.By)
	return IsReviewer(w.By) && mine != "" && !slices.Contains(models(s, p.Authors), mine)
}

// refutation returns the first refutation with an item that counts, or nil (RW6.5). Silence lets no item count against
// a blocking finding.
func refutation(b *resolver.Basis) *Word {
	for _, w := range words(b.State, b.Point) {
		if w.Kind == WordRefute && speaks(b.State, b.Point, w) && countingItem(b, w) != nil {
			return w
		}
	}
	return nil
}

// countingItem returns the item of a refutation that counts, or nil.
func countingItem(b *resolver.Basis, w *Word) *ledger.Evidence {
	for _, id := range w.Items {
		item := b.State.Item(id)
		if !item.Proven() || item.Contested() != nil {
			continue
		}
		accepted := slices.ContainsFunc(item.Accepted, func(a ledger.Acceptance) bool {
			return !a.ByRules && a.Seat != item.OfferedBy
		})
		if accepted || SeverityOf(b.State, b.Point) != Blocking && uncontested(b.State, b.Point, item) {
			return item
		}
	}
	return nil
}

// uncontested reports whether all raisers of a finding had a turn to contest an item, and none did (RV2). Built-in rules
// and code do not argue.
func uncontested(s *state.State, p *state.Point, item *ledger.Evidence) bool {
	return !slices.ContainsFunc(p.Authors, func(seat state.Seat) bool {
		return IsReviewer(seat) && p.Holds(seat) && !s.ByRules(seat) && !Of(s).heard(seat, item.ID)
	})
}

// byRefutation is RW6.5.
func byRefutation(b *resolver.Basis) *resolver.Match {
	w := refutation(b)
	if w == nil {
		return nil
	}
	if confirmed, _ := confirmation(b); confirmed != nil {
		return nil
	}
	item := countingItem(b, w)
	return resolver.Read(item.ID, resolver.Event(w.Seq)).
		Saying(view.Sentence(fmt.Sprintf("%s refuted it with %s", resolver.SeatName(w.By), item.Reference), w.Reason))
}

// confirmation returns the first confirmation with an item of its own, and that item; or nil. A reviewer that confirms
// everything confirms nothing.
func confirmation(b *resolver.Basis) (*Word, *ledger.Evidence) {
	for _, w := range words(b.State, b.Point) {
		if w.Kind != WordConfirm || !speaks(b.State, b.Point, w) || ConfirmsAll(b.State, w.By) {
			continue
		}
		if item := bringsOwn(b.State, b.Point, w); item != nil {
			return w, item
		}
	}
	return nil, nil
}

// bringsOwn returns the first item of its own that came with a word, or nil.
func bringsOwn(s *state.State, p *state.Point, w *Word) *ledger.Evidence {
	for _, id := range w.Items {
		if item := s.Item(id); ownItem(s, p, item) {
			return item
		}
	}
	return nil
}

// ownItem reports whether an item is one of its own: verified and outside the lines that the finding names, or a command
// that met its expectation.
func ownItem(s *state.State, p *state.Point, item *ledger.Evidence) bool {
	if !item.Proven() || item.Contested() != nil {
		return false
	}
	if item.Type == ledger.Execution {
		return true
	}
	r, err := ledger.ParseReference(item.Reference)
	if err != nil || len(r.Spans) == 0 {
		return false
	}
	return !slices.ContainsFunc(Members(s, p), func(f *Finding) bool {
		spot := SpotOf(s, f)
		return spot.Path == r.Path && slices.ContainsFunc(r.Spans, func(span ledger.Span) bool {
			return span.First <= spot.End && spot.Line <= span.Last
		})
	})
}

// leastConfirmed is the number of confirmations from which a reviewer that confirms all it was asked about confirms none.
const leastConfirmed = 4

// ConfirmsAll reports whether a reviewer confirmed everything that it was asked about, four findings or more.
func ConfirmsAll(s *state.State, seat state.Seat) bool {
	asked := map[string]bool{}
	for _, e := range Of(s).Examined {
		for _, id := range e.Points {
			if e.By == seat {
				asked[id] = true
			}
		}
	}
	if len(asked) < leastConfirmed {
		return false
	}
	for id := range asked {
		f := Of(s).Finding(id)
		if !slices.ContainsFunc(f.Words, func(w Word) bool { return w.By == seat && w.Kind == WordConfirm }) {
			return false
		}
	}
	return true
}

// byDispute is RW6.8: a refutation is on record.
func byDispute(b *resolver.Basis) *resolver.Match {
	var against *Word
	for _, w := range words(b.State, b.Point) {
		if w.Kind == WordRefute && speaks(b.State, b.Point, w) {
			against = w
			break
		}
	}
	if against == nil {
		return nil
	}
	reads := append(raisings(b), resolver.Event(against.Seq))
	says := view.Sentence(resolver.SeatName(against.By)+" refutes it", against.Reason)
	crux := "a place that shows which is right"
	for _, id := range against.Items {
		item := b.State.Item(id)
		reads = append(reads, id)
		switch contest := item.Contested(); {
		case contest != nil:
			says += fmt.Sprintf("; %s contests %s", resolver.SeatName(state.Seat(contest.Seat)), item.Reference)
			crux = "whether " + item.Reference + " bears on it: " + contest.Reason
		case !item.Proven():
			says += "; " + plain.OneLine(item.Reference) + " was not verified"
		case countingItem(b, against) == nil && SeverityOf(b.State, b.Point) == Blocking:
			says += "; no raiser accepted " + item.Reference + ", and silence does not count against a BLOCKING finding"
		}
	}
	if w, item := confirmation(b); w != nil {
		says += fmt.Sprintf("; %s confirms it with %s", resolver.SeatName(w.By), item.Reference)
		reads = append(reads, item.ID)
	}
	return resolver.Read(reads...).Saying(says).ResolvedBy(crux)
}

// alone is RW6.9: no word counts for or against it.
func alone(b *resolver.Basis) *resolver.Match {
	says := "raised by " + resolver.SeatNames(b.Point.Authors) + " alone"
	if seats := lists.Filter(b.Point.Authors, IsReviewer); len(seats) > 1 && len(models(b.State, seats)) == 1 {
		says += ", which count as one reviewer"
	}
	crux := "a second reviewer, or you"
	var unsure []state.Seat
	for _, w := range words(b.State, b.Point) {
		switch {
		case !IsReviewer(w.By):
		case w.Kind == WordConfirm && !speaks(b.State, b.Point, w):
			says += "; " + resolver.SeatName(w.By) + ", which is the same model, says so too"
		case w.Kind == WordConfirm && ConfirmsAll(b.State, w.By):
			says += "; " + resolver.SeatName(w.By) + " confirms everything, which says nothing"
		case w.Kind == WordConfirm:
			says += "; " + resolver.SeatName(w.By) + " confirms it without a verified place of its own"
		case w.Kind == WordUnsure:
			unsure = append(unsure, w.By)
			if w.Reason != "" {
				crux = w.Reason
			}
		}
	}
	if len(unsure) > 0 {
		says += "; " + resolver.SeatNames(unsure) + " cannot tell"
	}
	if w := authorOf(b.State, b.Point); w != nil {
		says += "; " + view.Sentence("the author says that it is "+string(w.Kind), w.Reason)
	}
	return resolver.Read(raisings(b)...).Saying(says).ResolvedBy(crux)
}

// SeverityOf is the severity of a finding: the second highest that raisers and those whose confirmation counts named, one
// for each model; with one voice, that one's.
func SeverityOf(s *state.State, p *state.Point) Severity {
	voices := map[string]Severity{}
	add := func(who string, severity Severity) {
		if severity != "" && (voices[who] == "" || severity.AtLeast(voices[who])) {
			voices[who] = severity
		}
	}
	for _, f := range Members(s, p) {
		// Built-in rules and code have a voice where nobody else has one.
		if who := model(s, f.By); who != "" && IsReviewer(f.By) && f.WithdrawnSeq == 0 {
			add(who, f.Severity)
		}
	}
	for _, w := range words(s, p) {
		// A confirmation that counts for nothing does not lower the severity either.
		if w.Kind == WordConfirm && speaks(s, p, w) && !ConfirmsAll(s, w.By) && bringsOwn(s, p, w) != nil {
			add(model(s, w.By), w.Severity)
		}
	}
	var named []Severity
	for _, severity := range voices {
		named = append(named, severity)
	}
	slices.SortFunc(named, func(a, b Severity) int {
		return cmp.Compare(slices.Index(Severities(), a), slices.Index(Severities(), b))
	})
	switch len(named) {
	case 0:
		return Of(s).Finding(p.ID).Severity
	case 1:
		return named[0]
	}
	return named[1]
}

// Heads returns the points that stand for findings, without merged ones and those over the limit.
func Heads(s *state.State) []*state.Point {
	return s.Points.Filter(func(p *state.Point) bool {
		f := Of(s).Finding(p.ID)
		return p.MergedInto == "" && f != nil && !f.Over
	})
}

func pointsOf(points []*state.Point) []string {
	ids := lists.Map(points, func(p *state.Point) string { return p.ID })
	return append([]string{}, ids...)
}

// Title returns the text of a finding on one line.
func Title(f *Finding) string { return strings.TrimRight(plain.OneLine(f.What), ". ") }
