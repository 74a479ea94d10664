package dialectic

import (
	"bytes"
	"encoding/json"

	"github.com/cockroachdb/apd/v3"

	"moot/ledger"
)

// cyclic returns the places of the fields whose derivation leads back to them or into a cycle, in order.
func (b *bench) cyclic() []int {
	fields := b.in.Artifact.Proposal.Fields
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
					_, item := b.items.byID[name]
					if at, field := b.fields[name]; field && !item && visit(at) == cycles {
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

// quantity is a number with its unit, "" for a bare one.
type quantity struct {
	number *apd.Decimal
	unit   string
}

// quantityOf reads a value that is a number, or a text with exactly one.
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

// operand is the quantity of an item that counts, or of a field. Only a count
// goes without a number.
func (b *bench) operand(name string, needed bool) (quantity, bool) {
	if at, ok := b.items.byID[name]; ok {
		if !b.grounds(at) {
			return quantity{}, false
		}
		q, ok := measured(&b.items.all[at])
		return q, ok || !needed
	}
	if at, ok := b.fields[name]; ok {
		q, ok := quantityOf(b.in.Artifact.Proposal.Fields[at].Value)
		return q, ok || !needed
	}
	return quantity{}, false
}

// measured is the quantity in the value of an item, or without a value the only number of its quote.
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

// grounds reports whether an item may ground a value: it counts, and is more
// than what a model says.
func (b *bench) grounds(at int) bool {
	return b.items.kind(at) != ledger.LLMInference && !b.items.stale(at) && !b.items.all[at].Contested
}

// precision is how many digits a ratio is computed to; sums and differences of
// doubles need no more than some 700.
const precision = 800

// arithmetic is the context of all decimal arithmetic.
func arithmetic() *apd.Context {
	c := apd.BaseContext.WithPrecision(precision)
	c.Traps = apd.InvalidOperation | apd.DivisionByZero | apd.DivisionUndefined | apd.Overflow
	return c
}

// compute applies a derivation; ok is false where it does not give a number.
// A ratio may have any unit, which is then "*".
func (b *bench) compute(d *Derivation) (result quantity, ok bool) {
	if len(d.Of) == 0 {
		return result, false
	}
	operands := make([]quantity, len(d.Of))
	for i, name := range d.Of {
		if operands[i], ok = b.operand(name, d.Op != Count); !ok {
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

// anyUnit is the unit of a ratio, which is unknown.
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

// recomputes reports whether a number atom equals the result of a derivation, rounded to its digits. An exact half may
// be rounded either way. A ratio may be given in percent.
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

// short is a quantity as a reason shows it, to 12 digits.
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
