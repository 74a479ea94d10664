package resolver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
)

// Row is one row of a table of rules. A rule that gives several sentences has
// several rows, one after another.
type Row struct {
	// Rule is the rule's id. Says is the rule in one sentence, for any point.
	Rule, Says string
	// Bucket, Tag and Status go into the ruling, unless the match has others.
	Bucket state.Bucket
	Tag    state.Tag
	Status state.Status
	// When returns what the rule read and found, or nil if it does not apply.
	When func(b *Basis) *Match
	// Sentence gives the reason for the ruling, Crux names what would settle an unresolved
	// point. Both are templates for the values of the match.
	Sentence, Crux string
}

// Match holds the findings of a rule that applies to a point.
type Match struct {
	Reads       []string
	Words, Crux []any
	// Rule, Bucket, Tag and Status, if set, replace those of the row.
	Rule   string
	Bucket state.Bucket
	Tag    state.Tag
	Status state.Status
}

// Read returns a match of a rule that read the items with the IDs.
func Read(ids ...string) *Match { return &Match{Reads: ids} }

// Saying sets the words that fill in the rule's sentence.
func (m *Match) Saying(words ...any) *Match {
	m.Words = words
	return m
}

// ResolvedBy sets the words that fill in what would resolve the point.
func (m *Match) ResolvedBy(words ...any) *Match {
	m.Crux = words
	return m
}

// Rules is a table: the first row that applies decides.
type Rules []Row

// Rule returns the ruling of the first row that applies to the point.
func (rules Rules) Rule(b *Basis) (ruling state.Ruling, ok bool) {
	for i := range rules {
		r := &rules[i]
		m := r.When(b)
		if m == nil {
			continue
		}
		ruling = state.Ruling{
			Point: b.Point.ID, Bucket: cmp.Or(m.Bucket, r.Bucket), Tag: cmp.Or(m.Tag, r.Tag),
			Status: cmp.Or(m.Status, r.Status), Reason: fill(r.Sentence, m.Words), Crux: fill(r.Crux, m.Crux),
			Receipt: state.Receipt{Rule: cmp.Or(m.Rule, r.Rule), Reads: NoNil(m.Reads)},
		}
		return ruling, true
	}
	return ruling, false
}

func fill(template string, words []any) string {
	if len(words) > 0 {
		return fmt.Sprintf(template, words...)
	}
	if strings.Contains(template, "%") {
		return ""
	}
	return template
}

// Through returns the part of the table that ends with the rows of a rule.
func (rules Rules) Through(rule string) Rules { return rules[:rules.end(rule)] }

// After returns the part of the table after the rows of a rule.
func (rules Rules) After(rule string) Rules { return rules[rules.end(rule):] }

func (rules Rules) end(rule string) int {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].Rule == rule {
			return i + 1
		}
	}
	return 0
}

// Only returns the rows of the named rules.
func (rules Rules) Only(names ...string) Rules {
	return slices.DeleteFunc(slices.Clone(rules), func(r Row) bool { return !slices.Contains(names, r.Rule) })
}

// Says returns the sentence of a rule of the table, or "" for other rules.
func (rules Rules) Says(rule string) string {
	if i := slices.IndexFunc(rules, func(r Row) bool { return r.Rule == rule }); i >= 0 {
		return rules[i].Says
	}
	return ""
}

// Acceptance returns the table that the formats share. Its last row always applies.
func Acceptance() Rules { return acceptance }

// acceptance never changes.
var acceptance = Rules{ //nolint:gochecknoglobals // a table
	{
		Rule: "AC1", Says: "Your decision on a point overrides every other rule.",
		Tag: state.TagUser, Sentence: "the user ruled so%s", Crux: "%s",
		When: func(b *Basis) *Match {
			u := b.Point.UserRuling
			if u == nil {
				return nil
			}
			m := Read(Event(u.Seq)).Saying(strings.TrimSuffix(": "+u.Reason, ": "))
			if m.Bucket = u.Bucket; m.Bucket == state.BucketUnresolved {
				m.Status = state.StatusOpen
				m.ResolvedBy("the user left it open; reopening it or ruling on it ends that")
			}
			return m
		},
	},
	{
		Rule: "AC2", Says: "A point that does not belong to the question is dismissed.",
		Bucket: state.BucketDismissed, Tag: state.TagOutOfScope, Sentence: "%s",
		When: func(b *Basis) *Match {
			switch {
			case b.Point.Scope == state.OutOfScope:
				return Read(b.Point.ID).Saying(cmp.Or(b.Point.ScopeReason, "triage found it beside the question"))
			case b.Point.Scope == state.AnchorShift && b.Point.Refused:
				return Read(b.Point.ID).Saying("it answers another question, and the user refused to change the " +
					"question")
			}
			return nil
		},
	},
	{
		Rule: "AC3", Says: "A point that comes too late, or is not among the 7 kept, is not evaluated.",
		Bucket: state.BucketNotEvaluated, Sentence: "%s",
		When: func(b *Basis) *Match {
			switch b.Point.Scope { //nolint:exhaustive // the others are evaluated
			case state.OverLimit:
				m := Read(b.Point.ID)
				m.Tag = state.TagOverLimit
				return m.Saying("more than 7 points were in scope, and this was not among those kept")
			case state.Late:
				phase := "in " + string(b.Point.Phase)
				if b.Point.Phase == state.PhaseUnknown {
					phase = "phase unknown"
				}
				m := Read(b.Point.ID)
				m.Tag = b.Point.LateTag
				return m.Saying(fmt.Sprintf("raised in round %d, %s", b.Point.Round, phase))
			}
			return nil
		},
	},
	{
		Rule: "AC4", Says: "A point that answers another reading of the question waits for your consent.",
		Bucket: state.BucketUnresolved, Status: state.StatusAnchorShift,
		Sentence: "it answers another reading of the question",
		Crux:     "does the user consent to that reading?",
		When:     func(b *Basis) *Match { return b.when(b.Point.Scope == state.AnchorShift) },
	},
	{
		Rule: "AC5", Says: "A point that contradicts one of your facts is dismissed.",
		Bucket: state.BucketDismissed, Tag: state.TagViolates, Sentence: "%s",
		When: func(b *Basis) *Match {
			fact, why := violated(b.State, b.Point)
			if fact == nil {
				return nil
			}
			return Read(fact.ID).Saying(why)
		},
	},
	{
		Rule: "AC6", Says: "A point that all its authors gave up or replaced is dismissed.",
		Bucket: state.BucketDismissed, Tag: state.TagSuperseded, Sentence: "revised as %s",
		When: func(b *Basis) *Match {
			if b.Point.RevisedBy == "" {
				return nil
			}
			return Read(b.Point.RevisedBy).Saying(b.Point.RevisedBy)
		},
	},
	{
		Rule: "AC6", Bucket: state.BucketDismissed, Tag: state.TagConceded,
		Sentence: "conceded by all its authors in round %d",
		When: func(b *Basis) *Match {
			round, conceded := b.Point.Conceded()
			if !conceded {
				return nil
			}
			m := Read().Saying(round)
			for _, c := range b.Challenges {
				if c.Status == state.StandsConceded {
					m.Reads = append(m.Reads, c.ID)
				}
			}
			for _, c := range b.Point.Concessions {
				m.Reads = append(m.Reads, Event(c.Seq))
			}
			return m
		},
	},
	{
		Rule: "AC7", Says: "A point is dismissed when a challenge to it is never answered.",
		Bucket: state.BucketDismissed, Tag: state.TagUndefended,
		Sentence: "%s was not answered %s (challenged in round %d)",
		When: func(b *Basis) *Match {
			for _, c := range b.Challenges {
				if c.Status != state.StandsUndefended {
					continue
				}
				when := "after a reminder"
				if c.Kind == state.Reject {
					when = "in its one defense round"
				}
				return Read(c.ID).Saying(c.ID, when, c.Round)
			}
			return nil
		},
	},
	{
		Rule: "AC8", Says: "Evidence against an empirical point dismisses it when no support ranks as high and its " +
			"author's " +
			"answer was rejected, or never came.",
		Bucket: state.BucketDismissed, Tag: state.TagRejected,
		Sentence: "%s (%s, %s) refutes it, and no support that counts ranks as high",
		When: func(b *Basis) *Match {
			against, support := Best(b.Refutes), Best(b.Supports)
			if !b.Empirical() || against == nil || support != nil && ledger.CompareRank(against, support) >= 0 {
				return nil
			}
			upheld := b.first(func(c *state.Challenge) bool {
				return c.Status == state.StandsUpheld && restsOn(c, against)
			})
			if !b.State.Over() && upheld == nil {
				return nil
			}
			m := Read(against.ID).Saying(against.ID, against.Type, against.Reference)
			if support != nil {
				m.Reads = append(m.Reads, support.ID)
			}
			if upheld != nil {
				m.Reads = append(m.Reads, upheld.ID)
			}
			return m
		},
	},
	{
		Rule: "AC5b", Says: "A point that may contradict one of your facts waits for your answer.",
		Bucket: state.BucketUnresolved, Status: state.StatusConstraint,
		Sentence: "%s %s%s", Crux: "does %s contradict your fact %s (%q)?",
		When: func(b *Basis) *Match {
			for _, v := range b.Point.Violates {
				// AC5 has dismissed the point if the user confirmed it.
				if fact := b.State.Fact(v.Fact); fact.Binds() && !v.Denied {
					says := SeatName(v.By) + " says that it contradicts"
					if v.By == state.Protocol {
						says = "it may contradict"
					}
					return Read(fact.ID).Saying(says, fact.ID, Colon(v.Words)).
						ResolvedBy(b.Point.ID, fact.ID, Clip(fact.Text))
				}
			}
			return nil
		},
	},
	{
		Rule: "AC9", Says: "If the best evidence for and against an empirical point ranks the same, nothing is " +
			"decided; " +
			"nor is a decision that needs a point that evidence, a fact of yours or you dismissed.",
		Bucket: state.BucketUnresolved, Status: state.StatusDisputed,
		Sentence: "conflicting evidence: %s supports it and %s of equal rank refutes it",
		Crux:     "evidence that ranks above both %s and %s",
		When: func(b *Basis) *Match {
			against, support := Best(b.Refutes), Best(b.Supports)
			if !b.Empirical() || against == nil || support == nil || ledger.CompareRank(against, support) != 0 {
				return nil
			}
			return Read(support.ID, against.ID).Saying(support.ID, against.ID).ResolvedBy(support.ID, against.ID)
		},
	},
	{
		Rule: "AC9", Bucket: state.BucketUnresolved, Status: state.StatusDisputed,
		Sentence: "it needs %s, which was dismissed: %s", Crux: "does the decision hold without %s (%q)?",
		When: func(b *Basis) *Match {
			if b.Kind != state.Decision {
				return nil
			}
			p, why := b.fallenPremise()
			if p == nil {
				return nil
			}
			return Read(p.ID).Saying(p.ID, why).ResolvedBy(p.ID, Clip(p.Text))
		},
	},
	{
		Rule: "AC10", Says: "An empirical point is dismissed when its defense against a REJECT was rejected and it " +
			"has " +
			"no uncontested verified evidence.",
		Bucket: state.BucketDismissed, Tag: state.TagRejected, Sentence: "%s was upheld: %s",
		When: func(b *Basis) *Match {
			c := b.rejected()
			if c == nil || !b.Empirical() || slices.ContainsFunc(b.For,
				func(e *ledger.Evidence) bool { return e.Contested() == nil }) {
				return nil
			}
			return Read(c.ID).Saying(c.ID, cmp.Or(c.Last().Reason, c.Objection))
		},
	},
	{
		Rule: "AC11", Says: "A value judgment, decision or position whose defense against a REJECT was rejected is " +
			"a tradeoff.",
		Bucket: state.BucketUnresolved, Status: state.StatusTradeoff,
		Sentence: "the defense against %s was rejected, and no evidence settles a %s",
		Crux:     "which side matters more to you: %s - or: %s",
		When: func(b *Basis) *Match {
			c := b.rejected()
			if c == nil || b.Empirical() {
				return nil
			}
			return Read(c.ID).Saying(c.ID, KindName(b.Kind)).ResolvedBy(b.Point.Text, c.Objection)
		},
	},
	{
		Rule: "AC12",
		Says: "A point that a seat calls ill-formed stays undecided when the clarification that was " +
			"asked for does not come, or the seat calls it so again after it came.",
		Bucket: state.BucketUnresolved, Status: state.StatusDefinitional, Sentence: "%s", Crux: "%s",
		When: func(b *Basis) *Match {
			r, class := b.Request(state.RequestClarification), b.LastVerdict(state.IllFormed)
			if r == nil || r.Open() || r.Seq < b.Point.Reopened || class == nil {
				return nil
			}
			m := Read(Event(r.Seq), Event(class.Seq))
			switch {
			case r.Passed:
				return m.Saying("ill-formed, and the clarification that was asked for did not come").
					ResolvedBy(cmp.Or(r.Text, "what does the point mean?"))
			case class.Seq > r.Seq && len(IllFormedRounds(b.Point, class.Seat)) > 1:
				return m.Saying(SeatName(class.Seat) + " called it ill-formed again after it was clarified").
					ResolvedBy(strings.Trim(r.Text+"; "+b.terms(), "; "))
			}
			return nil
		},
	},
	{
		Rule: "AC13", Says: "A point waits if a measurement is known to be missing and no newer evidence counts.",
		Bucket: state.BucketUnresolved, Status: state.StatusBlocked,
		Sentence: "a measurement is missing: %s", Crux: "%s: %s; below it %s, above it %s",
		When: func(b *Basis) *Match {
			c, k := b.first(func(c *state.Challenge) bool { return c.Status == state.StandsBlocked }),
				b.Point.Blocked
			if c == nil || k == nil {
				return nil
			}
			since := func(item *ledger.Evidence) bool { return item.Seq > k.Seq }
			if slices.ContainsFunc(b.Supports, since) || slices.ContainsFunc(b.Refutes, since) {
				return nil
			}
			return Read(c.ID, Event(k.Seq)).Saying(k.Measurement).ResolvedBy(k.Measurement, k.Threshold, k.Below,
				k.Above)
		},
	},
	{
		Rule: "AC14", Says: "A dispute that the seats could not end stays unresolved.",
		Bucket: state.BucketUnresolved, Sentence: "%s (%s)", Crux: "%s",
		When: func(b *Basis) *Match {
			if g := b.granted(); g != nil && b.Point.Deadlock == state.DeadlockNone {
				m := Read(g.ID).Saying("the "+string(g.GrantedBy)+" gave way under "+g.ID,
					"the point is yours to decide")
				m.Status = state.StatusDisputed
				if !b.Empirical() {
					m.Status = state.StatusTradeoff
				}
				return m.ResolvedBy(fmt.Sprintf("do you give up %s? The %s would, under %s: %s", b.Point.ID,
					g.GrantedBy,
					g.ID, g.GrantReason))
			}
			c := b.first(func(c *state.Challenge) bool { return c.Status == state.StandsUpheld })
			class := b.Point.Deadlock
			if class == state.DeadlockNone && c == nil {
				return nil
			}
			status, name := b.standoff(class)
			m := Read().Saying("it has stood contested for three rounds or more", name)
			if c != nil {
				m = Read(c.ID).Saying("the last answer to "+c.ID+" was rejected", name)
			} else if c = b.disputed(); c != nil {
				m = Read(c.ID).Saying(c.ID+" stays disputed", name)
			}
			m.Status = status
			crux := b.Point.DeadlockCrux
			if crux == "" && b.Answers != nil && c != nil {
				crux = b.Answers.Crux(b, c)
			}
			return m.ResolvedBy(cmp.Or(crux, b.Crux(class, c)))
		},
	},
	{
		Rule: "AC15",
		Says: "A value judgment, decision or position is agreed when another seat supports it and no objection is " +
			"left.",
		Bucket: state.BucketAgreed, Tag: state.TagNotApplicable, Sentence: "%s",
		When: func(b *Basis) *Match {
			if b.Empirical() {
				return nil
			}
			reads, ok := b.Upheld()
			if !ok {
				return nil
			}
			why := "a " + KindName(b.Kind) + " on which " + seatsAgree
			if accord := b.accord(); accord != seatsAgree {
				why = "a " + KindName(b.Kind) + ": " + accord
			}
			why += "; agreement is no proof"
			if b.Kind == state.Position {
				why = "a position to which no objection is left; that somebody holds it is no proof"
			}
			answered := lists.Filter(b.Challenges,
				func(c *state.Challenge) bool { return c.Status == state.StandsDefended })
			if b.Kind == state.Decision && len(answered) > 0 {
				why += fmt.Sprintf("; %d of %s answered", len(answered), plain.Counted(len(b.Challenges), "objection"))
			}
			return Read(reads...).Saying(why + b.untested())
		},
	},
	{
		Rule: "AC16", Says: "An empirical point is agreed when evidence that bears on it supports it, another seat " +
			"agrees and no objection is left.",
		Bucket: state.BucketAgreed, Sentence: "%s, and %s %s (%s)%s",
		When: func(b *Basis) *Match {
			// A point that is not empirical and upheld was agreed by AC15.
			firm := b.FirmSupport()
			reads, ok := b.Upheld()
			if firm == nil || !ok {
				return nil
			}
			m := Read(append([]string{firm.ID}, reads...)...).Saying(b.accord(), firm.ID, Origin(firm),
				relevance(b.State, b.Point, firm), b.untested())
			m.Tag = EvidenceTag(firm)
			return m
		},
	},
	{
		Rule: "AC17", Says: "An empirical point that the seats agree on, or that only built-in rules face, is " +
			"unverified without evidence.",
		Bucket: state.BucketUnresolved, Status: state.StatusUnverified, Sentence: "%s%s",
		Crux: "evidence that anyone can check: a file and line, or a command and its output",
		When: func(b *Basis) *Match {
			if !b.Empirical() {
				return nil
			}
			why := b.unproven()
			reads, ok := b.Upheld()
			if !ok {
				_, judged := b.judged()
				if judged || b.Waiting() != nil || len(b.For) > 0 || !FacesRules(b.State, b.Point) {
					return nil
				}
				why = "no seat that can judge has judged it, and no verified evidence supports it"
				reads = []string{b.Point.ID}
			}
			asked := b.Request(state.RequestEvidence)
			if !b.State.Over() && (asked == nil || asked.Open()) {
				return nil
			}
			if asked == nil {
				return Read(reads...).Saying(why, "")
			}
			return Read(append(reads, Event(asked.Seq))...).Saying(why,
				"; evidence was asked for in round "+strconv.Itoa(asked.Round))
		},
	},
	{
		Rule: "AC17b", Says: "A verified passage is found, not agreed, if no model or person has judged it.",
		Bucket: state.BucketUnresolved, Status: state.StatusFound,
		Sentence: "%s %s; no model judged whether it answers the question",
		Crux:     "a model or a person who judges whether %s bears on it",
		When: func(b *Basis) *Match {
			firm := Best(b.For)
			if firm == nil || firm.Type == ledger.Claim || b.Waiting() != nil {
				return nil
			}
			if _, judged := b.judged(); judged ||
				!b.State.ByRules(state.Seat(firm.OfferedBy)) && !FacesRules(b.State, b.Point) {
				return nil
			}
			return Read(firm.ID).Saying(firm.ID, Origin(firm)).ResolvedBy(firm.ID)
		},
	},
	{
		Rule: "AC18", Says: "A point that no rule has decided by the end of the session is unresolved.",
		Bucket: state.BucketUnresolved, Status: state.StatusOpen, Sentence: "the session ended with %s %s",
		Crux: "%s",
		When: func(b *Basis) *Match {
			c := b.disputed()
			if !b.State.Over() || c == nil {
				return nil
			}
			return Read(c.ID).Saying(c.ID, waitsFor(c)).ResolvedBy(b.Crux("", c))
		},
	},
	{
		Rule: "AC18", Bucket: state.BucketUnresolved, Status: state.StatusOpen,
		Sentence: "the session ended with %s %s: %s", Crux: "an answer to that doubt",
		When: func(b *Basis) *Match {
			if !b.State.Over() {
				return nil
			}
			c := b.LastVerdict(state.Skeptical, state.Reject, state.IllFormed)
			if c == nil {
				return nil
			}
			return Read(Event(c.Seq)).Saying(c.Seat, c.Class, c.Reason)
		},
	},
	{
		Rule: "AC18", Bucket: state.BucketUnresolved, Status: state.StatusOpen,
		Sentence: "the session ended before another seat had judged it",
		Crux:     "a judgment by another seat, with evidence",
		When:     func(b *Basis) *Match { return b.when(b.State.Over()) },
	},
	{
		Rule: "AC19", Says: "A point that no rule has decided yet is open.",
		Bucket: state.BucketOpen, Sentence: "%s",
		When: func(b *Basis) *Match {
			if c := b.Waiting(); c != nil {
				return Read().Saying(c.ID + " is " + waitsFor(c))
			}
			return Read().Saying("under deliberation")
		},
	},
}

// waitsFor describes what a challenge waits for, in a few words.
func waitsFor(c *state.Challenge) string {
	if c.Status == state.StandsAnswered {
		return "not judged yet"
	}
	return string(c.Status)
}

// Basis is a point with everything that the rules read about it.
type Basis struct {
	State      *state.State
	Point      *state.Point
	Challenges []*state.Challenge
	// Supports and Refutes are the items that count (RV), in their order. For are all verified
	// items for the point, whether they count or not.
	Supports, Refutes, For []*ledger.Evidence
	// Kind is the kind by which the point is ruled (KI).
	Kind state.Kind
	// Answers holds the support of other answers for the point. It is nil in formats with one
	// answer.
	Answers Answers
}

// Answers is the support of several answers to one question for a point.
type Answers interface {
	// Upheld reports whether other answers uphold the point, and the ids that it read. Applies is
	// false while seats argue about the point.
	Upheld(b *Basis) (reads []string, upheld, applies bool)
	// Accord describes in a clause what upholds the point.
	Accord(b *Basis) string
	// Crux names what would settle a challenge of code that marks a conflict; it returns
	// "" for other challenges.
	Crux(b *Basis, c *state.Challenge) string
}

// NewBasis collects what the rules read about a point.
func NewBasis(s *state.State, p *state.Point, kind state.Kind) *Basis {
	b := &Basis{State: s, Point: p, Kind: kind, Challenges: lists.Map(p.Challenges, s.Challenge)}
	for _, id := range p.Evidence {
		item := s.Item(id)
		if !item.Proven() {
			continue
		}
		if item.Relation == ledger.Supports {
			b.For = append(b.For, item)
		}
		if !Counts(s, p, item) {
			continue
		}
		switch item.Relation {
		case ledger.Supports:
			b.Supports = append(b.Supports, item)
		case ledger.Refutes:
			b.Refutes = append(b.Refutes, item)
		case ledger.Neutral:
		}
	}
	return b
}

// Empirical reports whether the point says how something is, which only evidence can establish.
func (b *Basis) Empirical() bool { return b.Kind == state.Empirical }

// fallenPremise returns a point that this one needs and that you, a fact of yours or evidence dismissed, and why; or
// nil (AC9).
func (b *Basis) fallenPremise() (premise *state.Point, why string) {
	for _, id := range b.Point.Needs {
		p := b.State.Current(id)
		if p.UserRuling == nil && KindOf(b.State, p) != state.Empirical {
			// It needs no evidence, so only a fact of the user can dismiss it. Its own premises are not read:
			// two decisions may need each other, and one may be merged with a point that it needs.
			if fact, why := violated(b.State, p); fact != nil && Held(p) {
				return p, why
			}
			continue
		}
		r := FormatOf(b.State).RuleOne(b.State, p)
		if r.Bucket == state.BucketDismissed && slices.Contains([]string{"AC1", "AC5", "AC8"}, r.Rule) {
			return p, r.Reason
		}
	}
	return nil, ""
}

// when returns the match of a rule that reads only the point, or nil if it does not apply.
func (b *Basis) when(applies bool) *Match {
	if !applies {
		return nil
	}
	return Read(b.Point.ID)
}

// MergedAway returns the ruling on a point that was merged into another; results leave it out.
func MergedAway(p *state.Point) state.Ruling {
	return state.Ruling{
		Point: p.ID, Bucket: state.BucketDismissed, Tag: state.TagSuperseded,
		Reason:  "merged into " + p.MergedInto + ", which asserts the same",
		Receipt: state.Receipt{Rule: "RD2", Reads: []string{p.MergedInto}},
	}
}

// violated returns the fact of the user that a point contradicts (AC5), or nil. Facts that exclude each other bind
// nobody.
func violated(s *state.State, p *state.Point) (fact *ledger.Fact, why string) {
	for _, v := range p.Violates {
		if fact := s.Fact(v.Fact); v.Confirmed && fact.Binds() {
			return fact, "the user confirmed that it contradicts " + fact.ID + lineAgainst(s, fact)
		}
	}
	stated := p.Predicates()
	if len(stated) == 0 {
		return nil, ""
	}
	for _, fact := range s.Facts.All() {
		if !fact.Binds() {
			continue
		}
		if found, one, other := ledger.Conflicts(stated, fact.Predicates); found == ledger.CertainConflict {
			return fact, fmt.Sprintf("it says %s, and the user's %s says %s", one, fact.ID, other) +
				lineAgainst(s, fact)
		}
	}
	return nil, ""
}

// Answerable reports whether a challenge waits for an answer.
func Answerable(c *state.Challenge) bool {
	return c.Status == state.StandsOpen || c.Status == state.StandsDropped || c.Status == state.StandsReminded
}

// restsOn reports whether a challenge rests on an item.
func restsOn(c *state.Challenge, item *ledger.Evidence) bool {
	return c.About == item.ID || item.For == c.ID && item.Relation == ledger.Refutes
}

// RestsOn returns the items on which a challenge rests.
func RestsOn(s *state.State, c *state.Challenge) []*ledger.Evidence {
	return lists.Filter(lists.Map(s.Point(c.Point).Evidence, s.Item), func(item *ledger.Evidence) bool {
		return restsOn(c, item)
	})
}

// first returns the first challenge on the point for which pick is true, or nil.
func (b *Basis) first(pick func(*state.Challenge) bool) *state.Challenge {
	if at := slices.IndexFunc(b.Challenges, pick); at >= 0 {
		return b.Challenges[at]
	}
	return nil
}

// Best returns the strongest item, the first of equals, or nil.
func Best(items []*ledger.Evidence) *ledger.Evidence {
	if len(items) == 0 {
		return nil
	}
	return slices.MinFunc(items, ledger.CompareRank)
}

// FirmSupport returns the strongest verified support of type execution or
// textual, or nil.
func (b *Basis) FirmSupport() *ledger.Evidence {
	if top := Best(b.Supports); top != nil && top.Type != ledger.Claim {
		return top
	}
	return nil
}

// Waiting returns a challenge that waits for an answer or a judgment, or nil.
func (b *Basis) Waiting() *state.Challenge {
	return b.first(func(c *state.Challenge) bool {
		return Answerable(c) || c.Status == state.StandsAnswered && !b.State.ByRules(JudgeOf(b.State, c))
	})
}

// judged reports whether a seat other than the authors has judged the point (INV1), and which of
// those seats agrees now. If all seats are authors, each agrees (RD2). Built-in rules cannot judge
// (RV2).
func (b *Basis) judged() (agreeing state.Seat, judged bool) {
	if AllAuthors(b.State, b.Point) && !slices.ContainsFunc(b.Point.Authors, b.State.ByRules) {
		return b.Point.Authors[0], true
	}
	for i := range b.Point.Classes {
		c := &b.Point.Classes[i]
		if c.ByRules || b.Point.IsAuthor(c.Seat) {
			continue
		}
		if latest := b.Point.Latest(c.Seat); latest != nil {
			judged = true
			if latest.Class == state.Agree && !latest.ByRules && agreeing == "" {
				agreeing = c.Seat
			}
		}
	}
	return agreeing, judged
}

// Upheld reports whether another seat supports the point and no objection is left: the
// condition that AC15 to AC17 share. It returns what it read.
func (b *Basis) Upheld() ([]string, bool) {
	if b.Answers != nil {
		if reads, upheld, applies := b.Answers.Upheld(b); applies {
			return reads, upheld
		}
	}
	agreeing, _ := b.judged()
	objects := func(c *state.Challenge) bool { return !c.Settled() }
	if agreeing == "" || b.first(objects) != nil ||
		b.LastVerdict(state.Skeptical, state.Reject, state.IllFormed) != nil {
		return nil, false
	}
	reads := lists.Map(b.Challenges, func(c *state.Challenge) string { return c.ID })
	if latest := b.Point.Latest(agreeing); latest != nil {
		reads = append(reads, Event(latest.Seq))
	}
	return reads, true
}

// accord describes in a clause what upholds the point.
func (b *Basis) accord() string {
	if b.Answers != nil {
		return b.Answers.Accord(b)
	}
	return seatsAgree
}

// seatsAgree is for a point to which no latest word objects.
const seatsAgree = "the seats agree"

// unproven says who holds an empirical point, and what is missing.
func (b *Basis) unproven() string {
	who := b.accord()
	if who == seatsAgree {
		who = "the seats that judged it hold it"
	}
	if len(b.Supports) > 0 {
		return who + "; what counts for it is only somebody's word"
	}
	return who + "; no evidence for it counts"
}

// untested says that only one seat judged an agreed point, and that nobody answered the stress test it was due (RD9).
func (b *Basis) untested() string {
	if b.State.StressAsked == 0 || b.State.Stress > 0 {
		return ""
	}
	var judges []state.Seat
	for i := range b.Point.Classes {
		c := &b.Point.Classes[i]
		if !c.ByRules && !b.Point.IsAuthor(c.Seat) && !slices.Contains(judges, c.Seat) &&
			b.Point.Latest(c.Seat) != nil {
			judges = append(judges, c.Seat)
		}
	}
	if len(judges) != 1 {
		return ""
	}
	return "; only " + SeatName(judges[0]) + " judged it, and the stress test was not done"
}

// LastVerdict returns the first classification that is the latest of its seat and has one of the
// classes, or nil.
func (b *Basis) LastVerdict(classes ...state.Class) *state.Classification {
	for i := range b.Point.Classes {
		c := &b.Point.Classes[i]
		if slices.Contains(classes, c.Class) && b.Point.Latest(c.Seat) == c && !c.ByRules {
			return c
		}
	}
	return nil
}

// rejected returns the REJECT challenge whose defense was rejected, or nil.
func (b *Basis) rejected() *state.Challenge {
	return b.first(func(c *state.Challenge) bool { return c.Kind == state.Reject && c.Status == state.StandsUpheld })
}

// granted returns the challenge under which a defender gave way on the user's point, or nil.
func (b *Basis) granted() *state.Challenge {
	return b.first(func(c *state.Challenge) bool { return c.Status == state.StandsGranted })
}

// disputed returns the first unsettled challenge that is not granted, preferably an upheld one, or nil.
func (b *Basis) disputed() *state.Challenge {
	if c := b.first(func(c *state.Challenge) bool { return c.Status == state.StandsUpheld }); c != nil {
		return c
	}
	return b.first(func(c *state.Challenge) bool { return !c.Settled() && c.Status != state.StandsGranted })
}

// Deadlock classifies a dispute that does not end (EX8): as one about terms, if a seat asked for or gave some; about
// values; as one that lacks data, if evidence was asked for and did not come or the answers only repeat; else as
// disputed.
func (b *Basis) Deadlock() state.Deadlock {
	asked := b.Request(state.RequestEvidence)
	switch {
	case b.termsRaised():
		return state.DeadlockDefinitional
	case !b.Empirical():
		return state.DeadlockCriteria
	case asked != nil && !asked.Answered || b.repeats():
		return state.DeadlockMissingData
	}
	return state.DeadlockDisputed
}

// standoff returns the status of a dispute that did not end, and what it turns on: by the class of its deadlock
// (EX8), or without one by what is on the table (AC14).
func (b *Basis) standoff(class state.Deadlock) (status state.Status, name string) {
	verified := slices.ContainsFunc(b.Point.Evidence, func(id string) bool {
		item := b.State.Item(id)
		return item.Proven() && item.Relation != ledger.Neutral
	})
	asked := b.Request(state.RequestEvidence)
	switch {
	case class == state.DeadlockDefinitional:
		return state.StatusDefinitional, "a matter of definitions"
	case class == state.DeadlockCriteria || class == state.DeadlockNone && !b.Empirical():
		return state.StatusTradeoff, "a matter of criteria"
	case class == state.DeadlockMissingData && b.repeats():
		return state.StatusBlocked, "the answers only repeat"
	case class == state.DeadlockMissingData && asked != nil && asked.Answered:
		return state.StatusBlocked, "the evidence that was asked for did not settle it"
	case class == state.DeadlockMissingData && asked != nil:
		return state.StatusBlocked, "evidence was asked for, and none came"
	case class == state.DeadlockDisputed && !verified:
		return state.StatusDisputed, "no evidence settles it"
	case class == state.DeadlockDisputed, class == state.DeadlockNone && verified:
		return state.StatusDisputed, "what the evidence shows is disputed"
	}
	return state.StatusBlocked, "no verified evidence is on the table"
}

// Lineage returns a point and the points that it revises, the newest first (RD5).
func Lineage(s *state.State, p *state.Point) []*state.Point {
	var forms []*state.Point
	for p != nil && !slices.Contains(forms, p) {
		forms, p = append(forms, p), s.Point(p.Revises)
	}
	return forms
}

// termsRaised reports whether a seat asked what a term of the point means, or said so.
func (b *Basis) termsRaised() bool {
	return slices.ContainsFunc(Lineage(b.State, b.Point), func(p *state.Point) bool {
		named := func(d state.Definition) bool { return d.Term != "" && d.Seq > p.Reopened }
		illFormed := func(c state.Classification) bool {
			return c.Class == state.IllFormed && !c.ByRules && c.Seq > p.Reopened
		}
		return slices.ContainsFunc(p.Terms, named) || slices.ContainsFunc(p.Classes, illFormed)
	})
}

// repeats reports whether the last answer to an unsettled challenge repeats an answer of an earlier round.
func (b *Basis) repeats() bool {
	c := b.disputed()
	if c == nil || c.Last() == nil {
		return false
	}
	last := c.Last()
	return slices.ContainsFunc(c.Defenses, func(d state.Defense) bool {
		return !last.Again && d.By == last.By && d.Round < last.Round && Similarity(d.Text, last.Text) >= Repeats
	})
}

// terms says what each seat means by the point, in its last words: "durable: the consultee says …".
func (b *Basis) terms() string {
	var said []string
	var seats []state.Seat
	for _, p := range Lineage(b.State, b.Point) {
		for i := len(p.Terms) - 1; i >= 0; i-- {
			d := p.Terms[i]
			if slices.Contains(seats, d.Seat) {
				continue
			}
			seats = append(seats, d.Seat)
			what := "it"
			if d.Term != "" {
				what = strconv.Quote(Clip(d.Term))
			}
			said = append(said, fmt.Sprintf("%s means by %s: %s", SeatName(d.Seat), what, Clip(d.Means)))
		}
	}
	slices.Reverse(said)
	return strings.Join(said, "; ")
}

// Gave reports whether a seat has given its terms since a request for them.
func Gave(p *state.Point, r *state.Request, seat state.Seat) bool {
	return r.Kind == state.RequestTerms &&
		slices.ContainsFunc(p.Terms, func(d state.Definition) bool { return d.Seat == seat && d.Seq > r.Seq })
}

// IllFormedRounds returns the rounds in which a seat called a point ill-formed.
func IllFormedRounds(p *state.Point, seat state.Seat) []int {
	var rounds []int
	for _, c := range p.Classes {
		if c.Seat == seat && c.Class == state.IllFormed && c.Seq > p.Reopened && !slices.Contains(rounds, c.Round) {
			rounds = append(rounds, c.Round)
		}
	}
	return rounds
}

// Crux describes what would resolve a dispute, in the words of the seats: the contested items with the
// reasons, the missing measurement, or what the challenger asks for.
func (b *Basis) Crux(class state.Deadlock, c *state.Challenge) string {
	var parts []string
	if terms := b.terms(); class == state.DeadlockDefinitional && terms != "" {
		return terms
	}
	for _, id := range b.Point.Evidence {
		if item := b.State.Item(id); item.Proven() && item.Contested() != nil {
			contest := item.Contested()
			parts = append(parts, fmt.Sprintf("whether %s bears on it (%s: %s)", item.ID, contest.Seat,
				Clip(contest.Reason)))
		}
	}
	if k := b.Point.Blocked; k != nil && class != state.DeadlockDefinitional {
		parts = append(parts, k.Measurement+": "+k.Threshold)
	}
	if c != nil {
		answer := fmt.Sprintf("an answer to %s (%q) that %s accepts", c.ID, Clip(c.Objection),
			SeatName(JudgeOf(b.State, c)))
		parts = append(parts, cmp.Or(c.UpgradeIf, answer))
	}
	return strings.Join(parts, "; ")
}

// Request returns the last request of a kind on the point, or nil.
func (b *Basis) Request(kind state.RequestKind) *state.Request {
	return Request(b.State, b.Point, kind)
}

// Request returns the last request of a kind on a point, or nil.
func Request(s *state.State, p *state.Point, kind state.RequestKind) *state.Request {
	for _, at := range slices.Backward(p.Asked) {
		if r := s.Requests.At(at); r.Kind == kind {
			return r
		}
	}
	return nil
}

// Origin says where verified evidence comes from.
func Origin(e *ledger.Evidence) string {
	if e.Run != nil {
		return "came of running " + strings.TrimPrefix(e.Reference, "$ ")
	}
	switch {
	case e.OfferedBy == string(state.User):
		return "is your word"
	case e.SourceKind == ledger.UserOverride:
		return "is your fact " + e.Reference
	}
	return "is at " + e.Reference
}

// EvidenceTag returns the tag of a point that rests on an item, or on no evidence if it is nil.
func EvidenceTag(e *ledger.Evidence) state.Tag {
	switch {
	case e == nil || e.Type == ledger.Claim:
		return state.TagNotApplicable
	case e.Type == ledger.Execution:
		return state.TagExecution
	}
	return state.TagTextual
}

// Event returns the id of an event in a receipt: "#41".
func Event(seq int) string { return "#" + strconv.Itoa(seq) }

// NoNil returns an empty list for nil, since receipts are written as JSON.
func NoNil(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}
