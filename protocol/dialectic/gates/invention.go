package gates

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/ledger"
)

// invention is G3: every atom of a grounded field has a source.
func (ev *evaluation) invention() finding {
	f := finding{note: "no field is grounded"}
	fields := ev.in.Artifact.Proposal.Fields
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
		f.failures = append(f.failures, ev.invented(&fields[i], circular[i])...)
	}
	return f
}

// invented returns a failure for each atom of a field without a source.
func (ev *evaluation) invented(field *Field, circular bool) []string {
	sources := []*origin{ev.origin(-1)}
	for _, id := range field.Evidence {
		if at, ok := ev.items.byID[id]; ok && ev.grounds(at) {
			sources = append(sources, ev.origin(at))
		}
	}
	var failures []string
	for _, a := range atomsOf(field.Value) {
		if slices.ContainsFunc(sources, func(o *origin) bool { return o.contains(&a) }) {
			continue
		}
		failure := field.Path + ": INVENTED(" + a.shown + ")"
		if field.Derived != nil && a.kind == atomNumber {
			lacks := ev.underived(&a, field.Derived, circular)
			if lacks == "" {
				continue
			}
			failure += ", as " + string(field.Derived.Op) + " of " + strings.Join(field.Derived.Of, ", ") + lacks
		}
		if !slices.Contains(failures, failure) {
			failures = append(failures, failure)
		}
		if len(failures) == mostInvented {
			return append(failures, field.Path+": what else is in it was not looked at")
		}
	}
	return failures
}

// mostInvented is how many atoms of a field are listed. The first one fails the gate.
const mostInvented = 100

// underived returns why a number does not follow from a derivation, or "" if it does.
func (ev *evaluation) underived(a *atom, d *Derivation, circular bool) string {
	if circular {
		return " leads back to the field"
	}
	result, ok := ev.compute(d)
	switch {
	case !ok:
		return " does not give a number"
	case !recomputes(&a.quantity, &result):
		return " is " + short(&result)
	}
	return ""
}

// origin is a text that atoms may come from.
type origin struct {
	// text is folded; line breaks separate its parts.
	text string
	// known holds what its atoms say, and what follows from that.
	known map[string]bool
}

// Instead of its unit, the key of a number has anyUnit for a bare number that is looked up.
const anyUnit = "*"

// origin returns the directive for -1, or the item with an index. Each is scanned once, on first use.
func (ev *evaluation) origin(at int) *origin {
	if o, ok := ev.origins[at]; ok {
		return o
	}
	o := &origin{known: map[string]bool{}}
	if at < 0 {
		o.read(ev.in.Directive)
	} else {
		o.read(ev.items.all[at].Quote)
		eachLiteral(ev.items.all[at].Value, func(text string, _ bool) { o.read(text) })
	}
	ev.origins[at] = o
	return o
}

func (o *origin) read(text string) {
	text = fold(text)
	o.text += text + "\n"
	for _, a := range scan(text) {
		o.known[a.key()] = true
		switch a.kind {
		case atomNumber:
			a.quantity.unit = anyUnit
			o.known[a.key()] = true
		case atomDate:
			o.known[a.text[:len(time.DateOnly)]] = true
			// The year is a bare number.
			o.known[a.text[:len("2006")]+" "+anyUnit] = true
		case atomName:
			// A file at a line names the file, and a fragment its page.
			name, _, _ := strings.Cut(a.text, "#")
			o.known[name] = true
			file, _, _ := strings.Cut(name, ":")
			o.known[file] = true
		case atomPassage:
		}
	}
}

// key returns what distinguishes an atom from others.
func (a *atom) key() string {
	if a.kind != atomNumber {
		return a.text
	}
	// The blank separates a bare number from a name.
	return strings.TrimSuffix(a.quantity.String(), " "+a.quantity.unit) + " " + a.quantity.unit
}

// contains reports whether the origin has an atom. A bare number matches any unit, on either side.
func (o *origin) contains(a *atom) bool {
	bare := *a
	switch {
	case a.kind == atomPassage:
		return occurs(o.text, a.text)
	case o.known[a.key()]:
		return true
	case a.quantity.unit == "":
		bare.quantity.unit = anyUnit
	default:
		bare.quantity.unit = ""
	}
	return o.known[bare.key()]
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

// quantityOf reads a number, or a text with exactly one number.
func quantityOf(raw []byte) (q quantity, ok bool) {
	found := 0
	for _, a := range atomsOf(raw) {
		if a.kind == atomNumber {
			found++
			q = a.quantity
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
		return quantity{number: big.NewRat(int64(len(operands)), 1)}, true
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
	result.number = new(big.Rat).Set(operands[0].number)
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

// apply sets total to the operation on it and the next operand.
func apply(op Operation, total, next *big.Rat) bool {
	switch op {
	case Sum:
		total.Add(total, next)
	case Diff:
		total.Sub(total, next)
	case Ratio:
		if next.Sign() == 0 {
			return false
		}
		total.Quo(total, next)
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
	return true
}

// recomputes reports whether a number equals the result of a derivation, rounded to its digits. An exact half
// may be rounded either way. A ratio may be given in percent.
func recomputes(stated, result *quantity) bool {
	if result.unit != anyUnit && stated.unit != "" && result.unit != "" && stated.unit != result.unit {
		return false
	}
	exact := new(big.Rat).Set(result.number)
	if result.unit == anyUnit && stated.unit == "percent" {
		exact.Mul(exact, power(2))
	}
	// In units of the last digit that was written, the stated number is an integer.
	last := new(big.Rat).Mul(stated.number, power(stated.places))
	exact.Mul(exact, power(stated.places))
	off := new(big.Rat).Sub(last, exact)
	if c := off.Abs(off).Cmp(big.NewRat(1, 2)); c != 0 {
		return c < 0
	}
	isEven := last.Num().Bit(0) == 0
	return isEven || exact.Abs(exact).Cmp(last.Abs(last)) < 0
}

// power returns 10 to the power of n.
func power(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// short formats a quantity for a reason, with 12 digits.
func short(q *quantity) string {
	_, exponent, _ := strings.Cut(new(big.Float).SetPrec(256).SetRat(q.number).Text('e', 60), "e")
	magnitude, err := strconv.Atoi(exponent)
	if err != nil {
		return q.String()
	}
	scale := power(11 - magnitude)
	rounded, ok := new(big.Rat).SetString(new(big.Rat).Mul(q.number, scale).FloatString(0))
	if !ok {
		return q.String()
	}
	rounded.Quo(rounded, scale)
	unit := q.unit
	if unit == anyUnit {
		unit = ""
	}
	return (&quantity{number: rounded, unit: unit}).String()
}
