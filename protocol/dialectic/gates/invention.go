package gates

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"moot/ledger"
)

// invention is G3: every atom of a grounded field has a source.
func (ev *evaluation) invention() finding {
	f := finding{note: "no field is grounded"}
	fields := ev.in.Artifact.Proposal.Fields
	origins := ev.newOrigins()
	circular := map[int]bool{}
	for _, at := range ev.cyclic() {
		circular[at] = true
	}
	for i := range fields {
		if !fields[i].Grounded {
			continue
		}
		f.note = "every atom of every grounded field occurs in what it cites, in the directive, or follows from it"
		f.silent = true
		f.reads = append(f.reads, fields[i].Evidence...)
		f.failures = append(f.failures, ev.invented(&fields[i], origins, circular[i])...)
	}
	return f
}

// invented returns a failure for each atom of a field without a source.
func (ev *evaluation) invented(field *Field, origins *origins, circular bool) []string {
	atoms := atomsOf(field.Value)
	if len(atoms) == 0 {
		return nil
	}
	var failures []string
	type meaning struct {
		kind       atomKind
		text, with string
	}
	seen := make(map[meaning]bool, len(atoms))
	for i := range atoms {
		a := &atoms[i]
		means := meaning{a.kind, a.text, a.with}
		if seen[means] {
			continue
		}
		seen[means] = true
		if origins.contain(a, field) {
			continue
		}
		lacks := ""
		if field.Derived != nil && a.kind == atomNumber {
			if lacks = ev.underived(a, field, circular); lacks == "" {
				continue
			}
		}
		if failures = append(failures, field.Path+": INVENTED("+a.shown+")"+lacks); len(failures) == mostInvented {
			return append(failures, field.Path+": what else is in it was not looked at")
		}
	}
	return failures
}

// mostInvented is how many atoms of a field are listed. The first one fails the gate.
const mostInvented = 100

// underived returns why a number does not follow from the field's derivation, or "" if it does.
func (ev *evaluation) underived(a *atom, field *Field, circular bool) string {
	d := field.Derived
	called := string(d.Op) + " of " + strings.Join(d.Of, ", ")
	if circular {
		return ", as " + called + " leads back to the field"
	}
	result, ok := ev.compute(d)
	switch {
	case !ok:
		return ", as " + called + " does not give a number"
	case !recomputes(a, &result):
		return ", as " + called + " is " + short(&result)
	}
	return ""
}

// origins caches the texts that atoms may come from. Each is scanned once, on first use.
type origins struct {
	ev        *evaluation
	directive *origin
	items     map[int]*origin
}

func (ev *evaluation) newOrigins() *origins {
	return &origins{ev: ev, directive: newOrigin(ev.in.Directive, nil), items: map[int]*origin{}}
}

// contain reports whether an atom occurs in the directive or in an item that the field cites.
func (o *origins) contain(a *atom, field *Field) bool {
	if o.directive.contains(a) {
		return true
	}
	for _, id := range field.Evidence {
		if at, ok := o.ev.items.byID[id]; ok && o.ev.grounds(at) && o.item(at).contains(a) {
			return true
		}
	}
	return false
}

func (o *origins) item(at int) *origin {
	read, ok := o.items[at]
	if !ok {
		e := &o.ev.items.all[at]
		read = newOrigin(e.Quote, e.Value)
		o.items[at] = read
	}
	return read
}

// origin is a text with its atoms.
type origin struct {
	// text is folded; line breaks separate its parts.
	text string
	// found holds its atoms.
	found []atom
}

// newOrigin reads a text and a JSON value, either of which may be empty.
func newOrigin(text string, value []byte) *origin {
	o := &origin{}
	o.read(text)
	if len(value) > 0 {
		eachLiteral(value, func(text string, _ bool) { o.read(text) })
	}
	return o
}

func (o *origin) read(text string) {
	if text = fold(text); text == "" {
		return
	}
	if o.text != "" {
		o.text += "\n"
	}
	o.text += text
	first := len(o.found)
	s := scanner{text: text, found: o.found}
	s.run()
	o.found = s.found
	for i := range o.found[first:] {
		switch a := &o.found[first+i]; a.kind {
		case atomDate:
			o.noteDate(a.text)
		case atomCode:
			// go1.26 also counts as the number 1.26, and v1.20 is not 1.2.
			if n := (&scanner{text: strings.TrimLeft(a.text, letters)}); n.number() && n.at == len(n.text) {
				n.found[0].exact = true
				o.found = append(o.found, n.found[0])
			}
		case atomNumber, atomClock, atomURL, atomFile, atomHash, atomPassage:
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// yearOf is the unit of the year of a date, so that only a bare number matches it.
const yearOf = "year of a date"

// noteDate adds what a date implies: its month, its day and its year.
func (o *origin) noteDate(date string) {
	if len(date) != len("2026-11-21") || date[4] != '-' {
		return
	}
	o.found = append(
		o.found,
		atom{kind: atomDate, text: date[:7]},
		atom{kind: atomDate, text: "-" + date[4:]},
		atom{kind: atomNumber, text: date[:4], with: yearOf},
	)
}

// contains reports whether the origin has an atom.
func (o *origin) contains(a *atom) bool {
	switch a.kind {
	case atomPassage:
		return occurs(o.text, a.text, false)
	case atomHash:
		return occurs(o.text, a.text, true)
	case atomCode:
		if o.versionOccurs(a.text) {
			return true
		}
	case atomFile:
		// ./makefile equals makefile, which is not recognized as a file.
		if a.with == "" && !strings.ContainsAny(a.text, "./") && occurs(o.text, a.text, false) {
			return true
		}
	case atomNumber, atomDate, atomClock, atomURL:
	}
	for i := range o.found {
		if a.isIn(&o.found[i]) {
			return true
		}
	}
	return false
}

// versionOccurs reports whether a version or a numbered name occurs, also with a space before the number: tls
// 1.3, version 2.
func (o *origin) versionOccurs(version string) bool {
	if occurs(o.text, version, false) {
		return true
	}
	number := strings.TrimLeft(version, letters)
	name := version[:len(version)-len(number)]
	if name == "v" {
		name = "version"
	}
	return name != "" && number != "" && isDigit(number[0]) && occurs(o.text, name+" "+number, false)
}

// isIn reports whether an atom matches another. A bare number matches any unit, on either side; a file at a line needs
// that line.
func (a *atom) isIn(o *atom) bool {
	if a.kind != o.kind || a.text != o.text {
		return false
	}
	if o.exact && a.digits != o.digits {
		return false
	}
	loose := a.kind == atomNumber || a.kind == atomClock
	return a.with == o.with || a.with == "" || loose && o.with == ""
}

// cyclic returns the indexes of the fields whose derivation leads into a cycle, in order.
func (ev *evaluation) cyclic() []int {
	fields := ev.in.Artifact.Proposal.Fields
	const unseen, open, ends, cycles = 0, 1, 2, 3
	states := make([]int, len(fields))
	var visit func(i int) int
	visit = func(i int) int {
		switch states[i] {
		case open:
			return cycles
		case unseen:
			states[i] = open
			state := ends
			if fields[i].Derived != nil {
				for _, name := range fields[i].Derived.Of {
					// Evidence comes first if a name is both.
					_, item := ev.items.byID[name]
					if at, field := ev.fields[name]; field && !item && visit(at) == cycles {
						state = cycles
					}
				}
			}
			states[i] = state
		}
		return states[i]
	}
	var cyclic []int
	for i := range fields {
		if visit(i) == cycles {
			cyclic = append(cyclic, i)
		}
	}
	return cyclic
}

// quantity is a number with its unit, or "" for a bare number.
type quantity struct {
	number *apd.Decimal
	unit   string
}

// quantityOf reads a number, or a text with exactly one number.
func quantityOf(raw []byte) (quantity, bool) {
	var q quantity
	found := 0
	for _, a := range atomsOf(raw) {
		if a.kind == atomNumber {
			found++
			number, _, err := apd.NewFromString(a.text)
			if err != nil {
				return q, false
			}
			q.number, q.unit = number, a.with
		}
	}
	return q, found == 1
}

// operand returns the quantity of a grounding item or a field. Only count works without a number.
func (ev *evaluation) operand(name string, needed bool) (quantity, bool) {
	if at, ok := ev.items.byID[name]; ok {
		if !ev.grounds(at) {
			return quantity{}, false
		}
		q, ok := measured(&ev.items.all[at])
		return q, ok || !needed
	}
	if at, ok := ev.fields[name]; ok {
		q, ok := quantityOf(ev.in.Artifact.Proposal.Fields[at].Value)
		return q, ok || !needed
	}
	return quantity{}, false
}

// measured returns the quantity in an item's value or, without a value, the only number in its quote.
func measured(e *Evidence) (quantity, bool) {
	if len(e.Value) > 0 && !bytes.Equal(e.Value, []byte("null")) {
		return quantityOf(e.Value)
	}
	quote, err := json.Marshal(e.Quote)
	if err != nil {
		return quantity{}, false
	}
	return quantityOf(quote)
}

// grounds reports whether an item may ground a value: it is not stale or contested, and is more than what a
// model says.
func (ev *evaluation) grounds(at int) bool {
	return ev.items.kind(at) != ledger.LLMInference && !ev.items.stale(at) && !ev.items.all[at].Contested
}

// precision is the number of digits of a ratio. Sums and differences of doubles need about 700 at most.
const precision = 800

// arithmetic returns the context for decimal arithmetic.
func arithmetic() *apd.Context {
	c := apd.BaseContext.WithPrecision(precision)
	c.Traps = apd.InvalidOperation | apd.DivisionByZero | apd.DivisionUndefined | apd.Overflow
	return c
}

// compute applies a derivation; ok is false if it does not give a number. The unit of a ratio is anyUnit.
func (ev *evaluation) compute(d *Derivation) (result quantity, ok bool) {
	if len(d.Of) == 0 {
		return result, false
	}
	operands := make([]quantity, len(d.Of))
	for i, name := range d.Of {
		if operands[i], ok = ev.operand(name, d.Op != Count); !ok {
			return result, false
		}
	}
	if d.Op == Count {
		return quantity{number: apd.New(int64(len(operands)), 0)}, true
	}
	for _, q := range operands {
		switch {
		case result.unit == "":
			result.unit = q.unit
		case q.unit != "" && q.unit != result.unit && d.Op != Ratio:
			return result, false
		}
	}
	if d.Op == Ratio {
		result.unit = anyUnit
	}
	result.number = new(apd.Decimal).Set(operands[0].number)
	if (d.Op == Diff || d.Op == Ratio) && len(operands) != 2 {
		return result, false
	}
	for i := range operands[1:] {
		if !apply(d.Op, result.number, operands[i+1].number) {
			return result, false
		}
	}
	return result, true
}

// anyUnit is the unknown unit of a ratio.
const anyUnit = "*"

// apply sets total to the operation on it and the next operand.
func apply(op Operation, total, next *apd.Decimal) bool {
	var err error
	switch op {
	case Sum:
		_, err = arithmetic().Add(total, total, next)
	case Diff:
		_, err = arithmetic().Sub(total, total, next)
	case Ratio:
		_, err = arithmetic().Quo(total, total, next)
	case Minimum:
		if next.Cmp(total) < 0 {
			total.Set(next)
		}
	case Maximum:
		if next.Cmp(total) > 0 {
			total.Set(next)
		}
	case Count:
	default:
		return false
	}
	return err == nil
}

// recomputes reports whether a number equals the result of a derivation, rounded to its digits. An exact half
// may be rounded either way. A ratio may be given in percent.
func recomputes(a *atom, result *quantity) bool {
	if result.unit != anyUnit && a.with != "" && result.unit != "" && a.with != result.unit {
		return false
	}
	exact := new(apd.Decimal).Set(result.number)
	if result.unit == anyUnit && a.with == percent {
		exact.Exponent += 2
	}
	var stated apd.Decimal
	if _, _, err := stated.SetString(a.text); err != nil {
		return false
	}
	exponent := -int32(min(a.digits, precision)) //nolint:gosec // it is small by then
	for _, rounding := range []apd.Rounder{apd.RoundHalfUp, apd.RoundHalfEven} {
		c := arithmetic()
		c.Rounding = rounding
		var rounded apd.Decimal
		if _, err := c.Quantize(&rounded, exact, exponent); err == nil && rounded.Cmp(&stated) == 0 {
			return true
		}
	}
	return false
}

// short formats a quantity for a reason, with 12 digits.
func short(q *quantity) string {
	var rounded apd.Decimal
	if _, err := apd.BaseContext.WithPrecision(12).Round(&rounded, q.number); err != nil {
		return q.number.String()
	}
	text := rounded.Text('f')
	if q.unit != "" && q.unit != anyUnit {
		text += " " + q.unit
	}
	return text
}
