package detect

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/enum"
	"moot/ledger"
	"moot/state"
)

// Detector is a domain that is ready to read packets. It does not change, and may be
// used by several at once.
type Detector struct {
	domain     *state.Domain
	index      *index
	conditions []condition
	rules      []rule
	// reckonsCourses says that a condition asks for a course.
	reckonsCourses bool
	// open are the conditions that have neither words nor fields: all facts of their
	// sources call for them.
	open []int32
	// activities find the kinds of things that are done, by which a cover is held
	// against an act; the condition of a heed is the place of the activity.
	activities *index
	// classes find vocabularies, where the domain reckons courses: the words of a fact
	// are few, and what they mean tells more than which they are.
	classes *index
	// lexicon is nil where the domain goes by its rules alone.
	lexicon  *lexicon
	company  *lexicon
	counts   counts
	ties     ties
	verdicts verdicts
}

// rule is a FactRule with what the engine needs.
type rule struct {
	*state.FactRule
	// reading is the place of what its facts do, -1 for nothing.
	reading int
	// cancel are the rules that cancel it, by their places.
	cancel []bool
}

// condition is a FactCondition that is ready to be held against a fact.
type condition struct {
	*state.FactCondition
	rule int32
	// fields are the words of the concepts' names; empty: any field.
	fields [][]part
	// sources is a bit for each type of source; 0: any.
	sources uint16
	// words are the phrases of Words, where fields bind them to a place.
	words [][]part
	// bare says that the condition has no words: its fields call for it.
	bare bool
}

// maxActivities is how many kinds of things that are done are told apart.
const maxActivities = 64

// Compile makes a domain ready. The error names the rule and what is wrong with it.
func Compile(d *state.Domain) (*Detector, error) {
	c := &compiler{
		Detector:     &Detector{domain: d, index: newIndex(), activities: newIndex()},
		concepts:     map[string][]string{},
		vocabularies: map[string][]string{},
	}
	for _, one := range d.Concepts {
		// The list is the domain's, which several may make ready at once.
		c.concepts[one.Name] = append(slices.Clip(one.Fields), one.Name)
	}
	for _, one := range d.Vocabularies {
		c.vocabularies[one.Name] = one.Phrases
	}
	for i := range d.Rules {
		if err := c.rule(&d.Rules[i]); err != nil {
			return nil, fmt.Errorf("rule %q of domain %q: %w", d.Rules[i].ID, d.Name, err)
		}
	}
	for i, one := range d.Activities[:min(len(d.Activities), maxActivities)] {
		for _, phrase := range one.Phrases {
			if err := c.activities.add(phrase, heed{condition: int32(i)}); err != nil {
				return nil, fmt.Errorf("activity %q of domain %q: %w", one.Name, d.Name, err)
			}
		}
	}
	if c.reckonsCourses {
		if err := c.readClasses(); err != nil {
			return nil, err
		}
	}
	c.cancels()
	return c.Detector, c.weights(d.Weights)
}

// weights takes the domain's weights; without any nothing decides.
func (d *Detector) weights(w *state.Weights) error {
	if w == nil {
		w = &state.Weights{}
	}
	var wrong [4]error
	d.lexicon, wrong[0] = newLexicon(w.Terms)
	d.company, wrong[1] = newLexicon(w.Company)
	d.counts = newCounts(d.lexicon, d.company)
	d.ties, wrong[2] = newTies(w)
	d.verdicts, wrong[3] = newVerdicts(w)
	if err := errors.Join(wrong[:]...); err != nil {
		return fmt.Errorf("weights of domain %q: %w", d.domain.Name, err)
	}
	return nil
}

// Domain is what the detector was made of. It is not to be changed.
func (d *Detector) Domain() *state.Domain { return d.domain }

type compiler struct {
	*Detector
	concepts, vocabularies map[string][]string
}

// readClasses makes an index of the vocabularies.
func (c *compiler) readClasses() error {
	c.classes = newIndex()
	for i, one := range c.domain.Vocabularies {
		for _, phrase := range one.Phrases {
			if err := c.classes.add(phrase, heed{condition: int32(i)}); err != nil {
				return fmt.Errorf("vocabulary %q of domain %q: %w", one.Name, c.domain.Name, err)
			}
		}
	}
	return nil
}

func (c *compiler) rule(r *state.FactRule) error {
	if !(r.Weight > 0 && r.Weight <= 1) {
		return fmt.Errorf("its weight %v is not above 0 and up to 1", r.Weight)
	}
	if len(r.When) == 0 != r.Reads {
		return errors.New("it has no condition, or has some and reads words: one of both")
	}
	number := int32(len(c.rules)) //nolint:gosec // a domain has few rules
	c.rules = append(c.rules, rule{FactRule: r, reading: placeOf(r.Role)})
	for i := range r.When {
		if err := c.condition(number, &r.When[i]); err != nil {
			return fmt.Errorf("condition %d: %w", i+1, err)
		}
	}
	return nil
}

func (c *compiler) condition(number int32, given *state.FactCondition) error {
	one := condition{FactCondition: given, rule: number, bare: len(given.Words) == 0}
	at := int32(len(c.conditions)) //nolint:gosec // a domain has few conditions
	for _, field := range given.Fields {
		names := c.concepts[field]
		if names == nil {
			names = []string{field}
		}
		for _, name := range names {
			parts, err := parsePhrase(name)
			if err != nil {
				return err
			}
			one.fields = append(one.fields, parts)
			if one.bare {
				if err := c.index.add(name, heed{at, listField}); err != nil {
					return err
				}
			}
		}
	}
	c.reckonsCourses = c.reckonsCourses || len(given.Course) > 0
	for _, source := range given.Sources {
		one.sources |= sourceBit(source)
	}
	if one.bare && len(one.fields) == 0 {
		if one.sources == 0 {
			return errors.New("it names neither words nor fields nor sources")
		}
		c.open = append(c.open, at)
	}
	for _, of := range []struct {
		phrases []string
		list    list
	}{{given.Words, listWords}, {given.And, listAnd}, {given.Without, listWithout}} {
		expanded, err := c.expand(of.phrases)
		if err != nil {
			return err
		}
		for _, phrase := range expanded {
			if err := c.index.add(phrase, heed{at, of.list}); err != nil {
				return err
			}
			if of.list == listWords && len(one.fields) > 0 {
				parts, _ := parsePhrase(phrase)
				one.words = append(one.words, parts)
			}
		}
	}
	c.conditions = append(c.conditions, one)
	return nil
}

// expand puts the phrases of vocabularies in the place of their names, which stand
// alone or between words: "@not ... @done" is every phrase of the first, followed by
// every one of the second.
func (c *compiler) expand(phrases []string) ([]string, error) {
	var expanded []string
	for _, phrase := range phrases {
		made := []string{""}
		for piece := range strings.FieldsSeq(phrase) {
			choices := []string{piece}
			if name, is := strings.CutPrefix(piece, "@"); is {
				if choices = c.vocabularies[name]; choices == nil {
					return nil, fmt.Errorf("no vocabulary is named %q", name)
				}
			}
			if len(made)*len(choices) > maxExpanded {
				return nil, fmt.Errorf("%q stands for more than %d phrases", phrase, maxExpanded)
			}
			longer := make([]string, 0, len(made)*len(choices))
			for _, begun := range made {
				for _, choice := range choices {
					longer = append(longer, strings.TrimSpace(begun+" "+choice))
				}
			}
			made = longer
		}
		expanded = append(expanded, made...)
	}
	return expanded, nil
}

// maxExpanded is how many phrases one may stand for.
const maxExpanded = 5000

// cancels notes for each rule which others cancel it.
func (c *compiler) cancels() {
	for i := range c.rules {
		names := c.rules[i].Cancel
		if len(names) == 0 {
			names = enum.Words(c.rules[i].Role.CancelledBy())
		}
		c.rules[i].cancel = make([]bool, len(c.rules))
		for j := range c.rules {
			c.rules[i].cancel[j] = slices.Contains(names, c.rules[j].ID) || slices.Contains(names, string(c.rules[j].Role))
		}
	}
}

// sourceBit is the bit of a type of source.
func sourceBit(source ledger.SourceType) uint16 {
	switch source {
	case ledger.SourceNetflow:
		return 1
	case ledger.SourceSyslog:
		return 1 << 1
	case ledger.SourceProcessList:
		return 1 << 2
	case ledger.SourceDNSLog:
		return 1 << 3
	case ledger.SourceAuthLog:
		return 1 << 4
	case ledger.SourceGraph:
		return 1 << 5
	case ledger.SourceManual:
		return 1 << 6
	case ledger.SourceUnknown:
	}
	return 1 << 7
}
