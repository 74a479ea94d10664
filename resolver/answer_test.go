package resolver_test

import (
	"slices"
	"testing"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// marked is a state with one point and the items and facts that a ruling of it may read.
func marked(items ...*ledger.Evidence) (*state.State, *state.Point) {
	s := &state.State{}
	p := &state.Point{ID: "P1", Text: "retries is 3"}
	for _, item := range items {
		s.Evidence = s.Evidence.Append(item)
		p.Evidence = append(p.Evidence, item.ID)
	}
	s.Points = s.Points.Append(p)
	s.Facts = s.Facts.Append(&ledger.Fact{ID: "F1", Tag: ledger.TagUser, Live: true, Text: "five retries"})
	return s, p
}

// The mark of a point says what its ruling says, and nothing firmer: only agreement with evidence is tested or cited, and
// only what evidence, a fact of the user or the user dismissed is a firm denial.
func TestMarkOfAPoint(t *testing.T) {
	const agreed, dismissed, unresolved = state.BucketAgreed, state.BucketDismissed, state.BucketUnresolved
	for _, c := range []struct {
		name             string
		ruling           state.Ruling
		asserted, denied resolver.AnswerBasis
		ended            string
	}{
		{"run", ruled("AC16", agreed, state.TagExecution, ""), resolver.BasisTested, resolver.BasisDisputed, ""},
		{"cited", ruled("AC16", agreed, state.TagTextual, ""), resolver.BasisCited, resolver.BasisDisputed, ""},
		{"agreed by the user", ruled("AC1", agreed, state.TagUser, ""), resolver.BasisUser, resolver.BasisDisputed, ""},
		{"a value", ruled("AC15", agreed, state.TagNotApplicable, ""), resolver.BasisAgreed, resolver.BasisDisputed, ""},
		{"by the user", ruled("AC1", dismissed, state.TagUser, ""), resolver.BasisDisputed, resolver.BasisUser, "dismissed by you"},
		{"by a fact", ruled("AC5", dismissed, state.TagViolates, "", "F1"), resolver.BasisDisputed, resolver.BasisRefuted, "contradicts F1"},
		{"by evidence", ruled("AC8", dismissed, state.TagRejected, "", "E1"), resolver.BasisDisputed, resolver.BasisRefuted, "refuted by E1"},
		{"conceded", ruled("AC6", dismissed, state.TagConceded, "", "C1"), resolver.BasisOpen, resolver.BasisOpen, "conceded"},
		{"undefended", ruled("AC7", dismissed, state.TagUndefended, "", "C1"), resolver.BasisOpen, resolver.BasisOpen, "not defended"},
		{"rejected", ruled("AC10", dismissed, state.TagRejected, "", "C1"), resolver.BasisOpen, resolver.BasisOpen, "rejected without evidence"},
		{"out of scope", ruled("AC2", dismissed, state.TagOutOfScope, "", "P1"), resolver.BasisOpen, resolver.BasisOpen, "out of scope"},
		{"outvoted", ruled("PN1", dismissed, state.TagRejected, "", "K1"), resolver.BasisOpen, resolver.BasisOpen, "because"},
		{"late", ruled("AC3", state.BucketNotEvaluated, "phase closed", "", "P1"), resolver.BasisOpen, resolver.BasisOpen, "not evaluated: phase closed"},
		{"found", ruled("AC17b", unresolved, "", state.StatusFound), resolver.BasisFound, resolver.BasisFound, ""},
		{"unverified", ruled("AC17", unresolved, "", state.StatusUnverified), resolver.BasisUnverified, resolver.BasisUnverified, ""},
		{"disputed", ruled("AC9", unresolved, "", state.StatusDisputed), resolver.BasisDisputed, resolver.BasisDisputed, ""},
		{"a tradeoff", ruled("AC11", unresolved, "", state.StatusTradeoff), resolver.BasisDisputed, resolver.BasisDisputed, ""},
		{"blocked", ruled("AC13", unresolved, "", state.StatusBlocked), resolver.BasisOpen, resolver.BasisOpen, ""},
	} {
		s, p := marked()
		rulings := []state.Ruling{c.ruling}
		if m := resolver.MarkOf(s, rulings, p, false); m.Basis != c.asserted || m.Ended != c.ended {
			t.Errorf("%s, asserted: %+v, not %s %q", c.name, m, c.asserted, c.ended)
		}
		m := resolver.MarkOf(s, rulings, p, true)
		if m.Basis != c.denied || m.Ended != c.ended || !m.Denied {
			t.Errorf("%s, denied: %+v, not %s %q", c.name, m, c.denied, c.ended)
		}
		if _, refuted := resolver.Ended(s, &c.ruling); refuted != m.Basis.Firm() {
			t.Errorf("%s is refuted: %t, and the mark of its denial is %s", c.name, refuted, m.Basis)
		}
	}
}

func ruled(rule string, b state.Bucket, tag state.Tag, status state.Status, reads ...string) state.Ruling {
	return state.Ruling{
		Point: "P1", Bucket: b, Tag: tag, Status: status, Reason: "because", Receipt: state.Receipt{Rule: rule, Reads: reads},
	}
}

// A fact of the user that a verified item contradicts still binds, and refutes nothing.
func TestAContradictedFactRefutesNothing(t *testing.T) {
	item := func(change func(*ledger.Evidence)) *ledger.Evidence {
		e := &ledger.Evidence{
			ID: "E1", Point: "P1", Relation: ledger.Supports, Admitted: true, Verified: true, Checked: true,
			SourceKind: ledger.DomainEvidence, Excerpt: "const limit = 9",
		}
		change(e)
		return e
	}
	five := []ledger.Predicate{{Path: "retries", Op: "=", Value: []byte("5")}}
	for _, c := range []struct {
		name       string
		item       *ledger.Evidence
		predicates []ledger.Predicate
		refuted    bool
	}{
		{"an item for the point", item(func(*ledger.Evidence) {}), nil, false},
		{"an item that failed", item(func(e *ledger.Evidence) { e.Verified = false }), nil, true},
		{"an item against the point", item(func(e *ledger.Evidence) { e.Relation = ledger.Refutes }), nil, true},
		{"a line with another value", item(func(e *ledger.Evidence) {
			e.Relation, e.Excerpt = ledger.Neutral, "retries = 3"
		}), five, false},
		{"a line with the value", item(func(e *ledger.Evidence) {
			e.Relation, e.Excerpt = ledger.Neutral, "retries = 5"
		}), five, true},
	} {
		s, _ := marked(c.item)
		s.Facts = s.Facts.Update(0, func(f *ledger.Fact) { f.Predicates = c.predicates })
		r := ruled("AC5", state.BucketDismissed, state.TagViolates, "", "F1")
		if how, refuted := resolver.Ended(s, &r); refuted != c.refuted {
			t.Errorf("%s: %q, refuted %t", c.name, how, refuted)
		}
	}
}

// The basis of a sentence is the weakest of its points, and disputed at best if a seat contests it.
func TestBasisOfASentence(t *testing.T) {
	s := &state.State{}
	rulings := []state.Ruling{
		ruled("AC16", state.BucketAgreed, state.TagExecution, ""), ruled("AC16", state.BucketAgreed, state.TagTextual, ""),
		ruled("AC15", state.BucketAgreed, state.TagNotApplicable, ""), ruled("AC17", state.BucketUnresolved, "", state.StatusUnverified),
		ruled("AC8", state.BucketDismissed, state.TagRejected, "", "E1"), ruled("AC6", state.BucketDismissed, state.TagSuperseded, "", "P1"),
	}
	for i := range rulings {
		p := &state.Point{ID: state.NextID('P', i)}
		if i == 5 {
			p.RevisedBy = "P1"
		}
		rulings[i].Point, s.Points = p.ID, s.Points.Append(p)
	}
	for _, c := range []struct {
		points, denies []string
		want           resolver.AnswerBasis
		marks          []string
	}{
		{[]string{"P1"}, nil, resolver.BasisTested, []string{"P1 tested"}},
		{[]string{"P1", "P2"}, nil, resolver.BasisCited, []string{"P1 tested", "P2 cited"}},
		{[]string{"P2"}, []string{"P5"}, resolver.BasisRefuted, []string{"P2 cited", "P5 refuted"}},
		{[]string{"P3", "P1"}, []string{"P5"}, resolver.BasisAgreed, []string{"P3 agreed", "P1 tested", "P5 refuted"}},
		{[]string{"P4", "P1"}, nil, resolver.BasisUnverified, []string{"P4 unverified", "P1 tested"}},
		{[]string{"P6"}, nil, resolver.BasisTested, []string{"P1 tested"}},
		{nil, []string{"P6"}, resolver.BasisOpen, []string{"P6 open"}},
		{nil, nil, resolver.BasisOpen, nil},
	} {
		one := &state.Sentence{ID: "S1", Points: c.points, Denies: c.denies}
		s.Answers = nil
		if got := resolver.BasisOf(s, rulings, one); got != c.want {
			t.Errorf("%v, denying %v: %s, not %s", c.points, c.denies, got, c.want)
		}
		var marks []string
		for _, m := range resolver.Marks(s, rulings, one) {
			marks = append(marks, m.Point+" "+string(m.Basis))
		}
		if !slices.Equal(marks, c.marks) {
			t.Errorf("%v, denying %v: marks %v", c.points, c.denies, marks)
		}
		s.Answers = []state.Answer{{
			AnswerGiven: state.AnswerGiven{By: state.Orchestrator, Sentences: []state.Sentence{*one}},
			Contests:    []state.AnswerContested{{Sentence: "S1", By: state.Consultee, Reason: "no"}},
		}}
		if got := resolver.BasisOf(s, rulings, one); got != resolver.BasisDisputed && c.want != resolver.BasisOpen {
			t.Errorf("%v, contested: %s", c.points, got)
		}
	}
}

// A session has a result if a point was agreed, or dismissed for a reason that shows something (EX9). Found points alone
// make it FOUND. A session that ended for its quality is inconclusive.
func TestWhatIsAResult(t *testing.T) {
	conceded := ruled("AC6", state.BucketDismissed, state.TagConceded, "")
	undefended := ruled("AC7", state.BucketDismissed, state.TagUndefended, "")
	rejected := ruled("AC10", state.BucketDismissed, state.TagRejected, "")
	revised := ruled("AC6", state.BucketDismissed, state.TagSuperseded, "")
	beside := ruled("AC2", state.BucketDismissed, state.TagOutOfScope, "")
	found := ruled("AC17b", state.BucketUnresolved, "", state.StatusFound)
	for _, c := range []struct {
		name                string
		exit                state.Exit
		rulings             []state.Ruling
		inconclusive, found bool
	}{
		{"nothing", state.ExitCap, nil, true, false},
		{"what shows nothing", state.ExitUnresolved, []state.Ruling{conceded, undefended, rejected, revised, beside}, true, false},
		{"agreed", state.ExitCap, []state.Ruling{conceded, ruled("AC16", state.BucketAgreed, state.TagTextual, "")}, false, false},
		{"by evidence", state.ExitCap, []state.Ruling{ruled("AC8", state.BucketDismissed, state.TagRejected, "")}, false, false},
		{"by a fact", state.ExitCap, []state.Ruling{ruled("AC5", state.BucketDismissed, state.TagViolates, "")}, false, false},
		{"by the user", state.ExitCap, []state.Ruling{ruled("AC1", state.BucketDismissed, state.TagUser, "")}, false, false},
		{"left open by the user", state.ExitCap, []state.Ruling{ruled("AC1", state.BucketUnresolved, "", state.StatusOpen)}, true, false},
		{"found and conceded", state.ExitCap, []state.Ruling{found, conceded}, false, true},
		{"found and agreed", state.ExitCap, []state.Ruling{found, ruled("AC16", state.BucketAgreed, state.TagTextual, "")}, false, false},
		{"found, for its quality", state.ExitQuality, []state.Ruling{found}, true, false},
		{"agreed, for its quality", state.ExitQuality, []state.Ruling{ruled("AC16", state.BucketAgreed, state.TagTextual, "")}, true, false},
	} {
		s := &state.State{Ending: state.Ending{Exit: c.exit}}
		if got := resolver.Inconclusive(s, c.rulings); got != c.inconclusive {
			t.Errorf("%s: inconclusive %t", c.name, got)
		}
		if got := resolver.Found(s, c.rulings); got != c.found {
			t.Errorf("%s: found %t", c.name, got)
		}
	}
}
