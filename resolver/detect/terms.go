package detect

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"moot/ledger"
	"moot/state"
)

// A term is a small text that says one thing of a fact:
//
//	copied            a word of its field or its value
//	first seen        two in a row
//	encry*            how a longer word begins
//	field:bytes       a word of the field's name
//	said:confirmed    a word of a statement
//	entity:desk       a word of the entity; speaker:desk of that of a statement
//	from:edr          a word of the collector's name
//	source:manual     the type of the source; edge for an edge
//	rule:persistence  a rule speaks of it
//	seen:2 stated:1   how many facts, and statements, have a name in common with it
//	time:3            the quarter of the packet that it is in
//	course:rises      a course that holds of it
//	class:repair      a word of a vocabulary, where the domain reckons courses
//
// Words are in small letters; of a word of letters and digits is only known that it is
// one (mix), of a number how many digits it has (#4).

// readings are how likely a fact does each of state.Readings, 0 to 1; what is left to 1 is
// that it does nothing.
type readings [6]float64

// The places of readings, those of state.Readings.
const (
	readAct = iota
	readCover
	readMisfit
	readDenial
	readGap
	readFailed
)

// placeOf is the place of a reading, -1 for none.
func placeOf(role state.FactRole) int {
	return slices.Index(state.Readings(), role.Reading())
}

// lexicon are the terms of a domain.
type lexicon struct {
	// numbers are the places of terms in rows, which are logits.
	numbers map[string]int32
	rows    []readings
}

// always is a term that every fact has.
const always = "always"

// newLexicon numbers terms; of none there is no lexicon. The error names a term with more
// or fewer weights than readings: a session that others wrote may have one.
func newLexicon(terms []state.Term) (*lexicon, error) {
	if len(terms) == 0 {
		return nil, nil //nolint:nilnil // without terms there is none, which is no error
	}
	const hundredth = 0.01
	l := &lexicon{numbers: make(map[string]int32, len(terms)), rows: make([]readings, len(terms))}
	for i := range terms {
		if len(terms[i].Weights) != len(readings{}) {
			return nil, fmt.Errorf("the term %q has %d weights: it has %d", terms[i].Name, len(terms[i].Weights), len(readings{}))
		}
		l.numbers[terms[i].Name] = int32(i)
		for k, n := range terms[i].Weights {
			l.rows[i][k] = float64(n) * hundredth
		}
	}
	return l, nil
}

// wording takes the terms of one fact after the other, and adds up what they weigh.
type wording struct {
	*lexicon
	// sum is that of the fact's terms, each of which counts once; taken is the number of
	// the last fact that had it, from 1.
	sum   readings
	taken []int32
	fact  int32
	// term is what the next term is written into.
	term []byte
	// text is what names are read into.
	text text
	// list takes every term, for those who learn weights.
	list func(term string)
}

func newWording(l *lexicon) *wording {
	w := &wording{lexicon: l}
	if l != nil {
		w.taken = make([]int32, len(l.rows))
	}
	return w
}

// begin begins a fact.
func (w *wording) begin() {
	w.fact++
	w.sum = readings{}
	w.write(always)
	w.add()
}

// write begins a term, and more goes on with it.
func (w *wording) write(parts ...string) {
	w.term = w.term[:0]
	for _, p := range parts {
		w.term = append(w.term, p...)
	}
}

// add takes the term that is written.
func (w *wording) add() {
	if w.list != nil {
		w.list(string(w.term))
		return
	}
	if number, known := w.numbers[string(w.term)]; known {
		w.take(number)
	}
}

// take takes the term at a place, where it was not taken before.
func (w *wording) take(number int32) {
	if number < 0 || w.taken[number] == w.fact {
		return
	}
	w.taken[number] = w.fact
	for k, n := range &w.rows[number] {
		w.sum[k] += n
	}
}

// word takes a word of a place, "" for the field and the value.
func (w *wording) word(place string, word []byte) {
	w.write(place)
	w.term = appendNormal(w.term, word)
	w.add()
}

// read takes the words of a text in their order: each, how it begins, and two in a row.
func (w *wording) read(words []word, statement bool) {
	for i := range words {
		w.word("", words[i].text)
		if len(words[i].text) > stemTerm && isLetters(words[i].text) {
			w.write()
			w.term = append(append(w.term, words[i].text[:stemTerm]...), '*')
			w.add()
		}
		if statement {
			w.word("said:", words[i].text)
		}
		if i > 0 && words[i-1].segment == words[i].segment {
			w.write()
			w.term = appendNormal(append(appendNormal(w.term, words[i-1].text), ' '), words[i].text)
			w.add()
		}
	}
}

// stemTerm is how many letters are kept of how a word begins.
const stemTerm = 5

// appendNormal adds a word as terms have it: of a number its digits are counted, and
// letters with digits are one name as good as another.
func appendNormal(to, word []byte) []byte {
	const shortest = 4
	digits, letters := 0, 0
	for _, c := range word {
		switch {
		case isDigit(c):
			digits++
		case c != '.':
			letters++
		}
	}
	switch {
	case digits > 0 && letters > 0 && len(word) >= shortest:
		return append(to, "mix"...)
	case letters == 0 && len(word) > 1:
		return strconv.AppendInt(append(to, '#'), int64(digits), 10)
	}
	return append(to, word...)
}

// isLetters reports whether a word has small letters alone.
func isLetters(word []byte) bool {
	return !slices.ContainsFunc(word, func(c byte) bool { return !isSmall(c) })
}

// likely turns logits into how likely each reading is, against none.
func (r *readings) likely() readings {
	most := 0.0
	for _, z := range r {
		most = max(most, z)
	}
	total := math.Exp(-most)
	var p readings
	for k, z := range r {
		p[k] = math.Exp(z - most)
		total += p[k]
	}
	for k := range p {
		p[k] = finite(p[k] / total)
	}
	return p
}

// terms takes the terms of a fact, of which the rules speak that are given. What it has in
// common with others is looked for in packets that are not large.
func (c *Case) terms(w *wording, place int32, spoken []int32) {
	f := c.packet.At(int(place))
	statement := isStatement(&f)
	w.begin()
	w.write("source:", string(f.SourceType))
	w.add()
	if f.EntityType == ledger.EntityEdge {
		w.write("edge")
		w.add()
	}
	c.scanner.read(&f)
	w.read(c.scanner.text.words, statement)
	for i, of := range []struct{ place, name string }{{"field:", f.Field}, {entityTerm(statement), f.Entity}, {"from:", f.SourceID}} {
		if i > 0 && c.courses != nil {
			// What a thing is called tells nothing of a change: any may be changed.
			break
		}
		for _, one := range w.text.name(of.name) {
			w.word(of.place, one.text)
		}
	}
	for _, number := range spoken {
		w.write("rule:", c.detector.rules[number].ID)
		w.add()
	}
	if c.courses != nil {
		c.courseTerms(w, place, &f)
	}
	if c.packet.Len() > maxNear {
		return
	}
	seen, stated := c.shares(place)
	counts := &c.detector.counts
	w.count(&counts.seen, seen)
	w.count(&counts.stated, stated)
	if statement {
		w.count(&counts.saidOf, seen)
	}
	const quarters = 4
	w.count(&counts.time, quarters*c.ranks[place]/c.packet.Len())
}

// counts are the terms that end in a number.
type counts struct {
	seen, stated, saidOf, time counted
	// others are how many others do a thing, first how likely a fact does it by its words.
	others, first     [len(readings{})]counted
	named, same, fits counted
}

func newCounts(words, company *lexicon) counts {
	c := counts{
		seen: words.counted("seen:"), stated: words.counted("stated:"), saidOf: words.counted("said of:"), time: words.counted("time:"),
		named: company.counted("acts with its names:"), same: company.counted("acts of its entity:"), fits: company.counted("fits:"),
	}
	for k, role := range state.Readings() {
		c.others[k], c.first[k] = company.counted("others "+string(role)+":"), company.counted("first "+string(role)+":")
	}
	return c
}

// entityTerm is where the words of an entity are.
func entityTerm(statement bool) string {
	if statement {
		return "speaker:"
	}
	return "entity:"
}

// counted is a term that ends in a number, from 0 to 4; places are those of the terms in
// a lexicon, -1 where it has none.
type counted struct {
	name   string
	places [5]int32
}

func (l *lexicon) counted(name string) counted {
	c := counted{name: name}
	for n := range c.places {
		c.places[n] = -1
		if l == nil {
			continue
		}
		if place, known := l.numbers[name+strconv.Itoa(n)]; known {
			c.places[n] = place
		}
	}
	return c
}

// count takes a number, up to 4.
func (w *wording) count(c *counted, n int) {
	n = min(n, len(c.places)-1)
	if w.list != nil {
		w.list(c.name + strconv.Itoa(n))
		return
	}
	w.take(c.places[n])
}

// isStatement reports whether a fact is what somebody says.
func isStatement(f *ledger.PacketFact) bool {
	return f.SourceType == ledger.SourceManual
}

// shares counts the facts that machines observed, and those that somebody stated, with
// which a fact has a name in common that not most have.
func (c *Case) shares(place int32) (seen, stated int) {
	own := c.tracer.of(place)
	for i := range c.packet.Len() {
		if int32(i) == place {
			continue
		}
		other := c.tracer.of(int32(i))
		for _, name := range own.names {
			if c.names[name] <= c.packet.Len()/2 && other.names.has(name) {
				if isStatement(other.fact) {
					stated++
				} else {
					seen++
				}
				break
			}
		}
	}
	return seen, stated
}
