package learn

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"moot/lab/corpora"
	"moot/lab/measure"
	"moot/resolver/detect"
	"moot/resolver/hearing"
	"moot/state"
)

// Learnt is what Learn made.
type Learnt struct {
	Weights state.Weights
	// Checked are the verdicts on scenarios of each part by weights that were made of
	// the others.
	Checked []Checked
	// Scenarios and Facts count what was learnt from.
	Scenarios, Facts int
}

// Checked is a scenario with what came of it.
type Checked struct {
	measure.Case
	// Part is what it belongs to: its file, its folder, or a share of the only folder.
	Part    string
	Outcome state.Outcome
}

// ErrTooFew is that scenarios with roles come from fewer than two files: what was learnt
// from one could be tried on no other.
var ErrTooFew = errors.New("weights are learnt from scenarios with roles in two files at least, so that what is learnt from one can be tried on the other")

// Options are what Learn is told.
type Options struct {
	// Domain is whose weights are learnt; those that it has are not looked at.
	Domain state.Domain
	// RulesAlone leaves out terms: weights for domains that go by their rules alone.
	RulesAlone bool
	// Progress is told how many parts are done, one after the other; nil: nobody is.
	Progress func(done, of int)
}

// Learn makes the weights of a domain from scenarios with roles. Each file of them is a
// part (parts says how they are told apart): its scenarios are judged by weights that were
// made of all other parts. A scenario that is given twice counts once. The error is
// ErrTooFew, that of a domain that is none, or of the context.
func Learn(ctx context.Context, o Options, scenarios []corpora.Scenario) (*Learnt, error) {
	l, err := newLearner(o.Domain, scenarios)
	if err != nil {
		return nil, err
	}
	if o.RulesAlone {
		return l.finish(ctx, make([][]state.Term, len(l.parts)+1))
	}
	// Every part has terms of its own, and the last ones are of all.
	terms := make([][]state.Term, len(l.parts)+1)
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var telling sync.Mutex
	done := 0
	for i := range terms {
		group.Go(func() error {
			terms[i] = l.terms(working, i)
			if err := working.Err(); err != nil {
				return err
			}
			telling.Lock()
			defer telling.Unlock()
			if done++; o.Progress != nil {
				o.Progress(done, len(terms))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("learn the terms: %w", err)
	}
	return l.finish(ctx, terms)
}

// learner holds what is learnt from.
type learner struct {
	domain state.Domain
	all    []one
	parts  []string
	vocab  *vocabulary
}

// one is a scenario as it is learnt from.
type one struct {
	*corpora.Scenario
	part    int
	lessons []lesson
}

func newLearner(domain state.Domain, scenarios []corpora.Scenario) (*learner, error) {
	l := &learner{domain: domain}
	domain.Weights = nil
	d, err := detect.Compile(&domain)
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	l.take(scenarios)
	if len(l.parts) < fewestParts {
		return nil, ErrTooFew
	}
	var facts [][]string
	words := ordinary{}
	for i := range l.all {
		s := &l.all[i]
		c := d.Find(s.Packet)
		for place := range s.Packet.Len() {
			f := s.Packet.At(place)
			words.add(&f, s.part)
			facts = append(facts, c.Terms(place))
		}
	}
	l.vocab = newVocabulary(facts, words.holds)
	for i := range l.all {
		s := &l.all[i]
		for place := range s.Packet.Len() {
			role := none
			if r, has := s.Roles.Of[s.Packet.At(place).ID]; has {
				role = slices.Index(state.Readings(), r)
			}
			s.lessons = append(s.lessons, lesson{terms: l.vocab.of(facts[0]), role: role})
			facts = facts[1:]
		}
	}
	return l, nil
}

// terms learns from all parts but one.
func (l *learner) terms(ctx context.Context, without int) []state.Term {
	var lessons []lesson
	for i := range l.all {
		if l.all[i].part != without {
			lessons = append(lessons, l.all[i].lessons...)
		}
	}
	return l.vocab.written(learnTerms(ctx, l.vocab, lessons), lessons)
}

// finish learns company, ties and sums of what the weights before them make of each part
// by what was learnt from the others, and judges each part so.
func (l *learner) finish(ctx context.Context, terms [][]state.Term) (*Learnt, error) {
	pairs, err := l.pairs(ctx, func(part int) *state.Weights { return &state.Weights{Terms: terms[part]} })
	if err != nil {
		return nil, err
	}
	company := make([][]state.Term, len(terms))
	if terms[0] != nil {
		company, err = l.company(ctx, func(part int) *state.Weights {
			return &state.Weights{Terms: terms[part], Ties: learnTies(without(pairs, part))}
		})
		if err != nil {
			return nil, err
		}
	}
	closer, err := l.pairs(ctx, func(part int) *state.Weights {
		return &state.Weights{Terms: terms[part], Company: company[part], Ties: learnTies(without(pairs, part))}
	})
	if err != nil {
		return nil, err
	}
	weights := make([]*state.Weights, len(l.parts)+1)
	for part := range weights {
		weights[part] = &state.Weights{Terms: terms[part], Company: company[part], Ties: learnTies(without(closer, part))}
	}
	cases := make([][]ended, len(l.parts))
	err = l.find(ctx, func(part int) *state.Weights { return weights[part] }, func(s *one, c *detect.Case) {
		cases[s.part] = append(cases[s.part], ending(s, c))
	})
	if err != nil {
		return nil, err
	}
	for part := range weights {
		weights[part].Sums = learnSums(without(cases, part))
	}
	learnt := &Learnt{Weights: *weights[len(l.parts)], Scenarios: len(l.all)}
	err = l.find(ctx, func(part int) *state.Weights { return weights[part] }, func(s *one, c *detect.Case) {
		learnt.Facts += s.Packet.Len()
		learnt.Checked = append(learnt.Checked, Checked{s.Case, l.parts[s.part], judged(c)})
	})
	if err != nil {
		return nil, err
	}
	return learnt, nil
}

// pairs are those of each part, as weights that were not made of it find them.
func (l *learner) pairs(ctx context.Context, weights func(part int) *state.Weights) ([][]pair, error) {
	all := make([][]pair, len(l.parts))
	err := l.find(ctx, weights, func(s *one, c *detect.Case) {
		all[s.part] = append(all[s.part], sorted(s, c)...)
	})
	return all, err
}

// company learns what the company of facts adds, for each part from all others, and from
// all. Of packets that are read without company there is nothing to learn.
func (l *learner) company(ctx context.Context, weights func(part int) *state.Weights) ([][]state.Term, error) {
	type fact struct {
		terms []string
		lesson
	}
	facts := make([][]fact, len(l.parts))
	err := l.find(ctx, weights, func(s *one, c *detect.Case) {
		for place := range s.Packet.Len() {
			terms, logits := c.CompanyTerms(s.Packet.At(place).ID)
			if terms == nil {
				continue
			}
			facts[s.part] = append(facts[s.part], fact{terms, lesson{role: s.lessons[place].role, from: row(logits)}})
		}
	})
	if err != nil {
		return nil, err
	}
	var all [][]string
	for _, f := range without(facts, len(l.parts)) {
		all = append(all, f.terms)
	}
	v := newVocabulary(all, func(string) bool { return true })
	learnt := make([][]state.Term, len(l.parts)+1)
	for part := range learnt {
		var lessons []lesson
		for _, f := range without(facts, part) {
			f.lesson.terms = v.of(f.terms)
			lessons = append(lessons, f.lesson)
		}
		learnt[part] = v.written(learnTerms(ctx, v, lessons), lessons)
	}
	return learnt, nil
}

// find goes over all scenarios, each with the weights of its part. The error is that of the
// context, or of weights that are none.
func (l *learner) find(ctx context.Context, weights func(part int) *state.Weights, call func(*one, *detect.Case)) error {
	for part := range l.parts {
		domain := l.domain
		domain.Weights = weights(part)
		d, err := detect.Compile(&domain)
		if err != nil {
			return fmt.Errorf("learn: %w", err)
		}
		for i := range l.all {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("learn: %w", err)
			}
			if l.all[i].part == part {
				call(&l.all[i], d.Find(l.all[i].Packet))
			}
		}
	}
	return nil
}

// without is everything but what is at a place.
func without[T any](lists [][]T, place int) []T {
	var all []T
	for i, list := range lists {
		if i != place {
			all = append(all, list...)
		}
	}
	return all
}

// sorted are the pairs of which somebody said whether the one accounts for the other, or
// of whose cover somebody said for which other acts it does.
func sorted(s *one, c *detect.Case) []pair {
	var all []pair
	for _, p := range c.Pairs() {
		accounts, said := s.Roles.Accounts[p.Cover][p.Act]
		isAct, role := s.Roles.Of[p.Act] == state.RoleAct, s.Roles.Of[p.Cover]
		said = said || role == state.RoleMisfit || role == state.RoleCover && len(s.Roles.Accounts[p.Cover]) > 0
		if isAct && said {
			all = append(all, pair{p.Ties, accounts})
		}
	}
	return all
}

// ending is what a case came to.
func ending(s *one, c *detect.Case) ended {
	return ended{c.Evidence(), slices.Index([]state.Outcome{state.Confirmed, state.Dismissed, state.Inconclusive}, s.Expected)}
}

// judged is the verdict of claims on what rules in both seats say in the first round.
func judged(c *detect.Case) state.Outcome {
	var claims []hearing.Claim
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		for i, claim := range c.Argue(seat).Claims {
			claims = append(claims, hearing.Claim{ID: fmt.Sprintf("%s-%d", seat, i), By: seat, Facts: claim.Facts, Confidence: claim.Confidence})
		}
	}
	v, err := hearing.JudgeFound(c, claims)
	if err != nil {
		return ""
	}
	return v.Outcome
}
