package gates

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/enum"
	"moot/internal/jsonlines"
	"moot/ledger"
)

// LargestProposal is how many bytes of JSON a proposal may have.
const LargestProposal = 1 << 20

// Parse reads an input of moot resolve, or returns a *jsonlines.Fault. It rejects unknown and repeated fields,
// unknown words, numbers out of range, and repeated or missing ids.
func Parse(text jsontext.Value) (*Input, error) {
	in := &Input{Round: 1}
	in.Config.MaxRounds = DefaultConfig().MaxRounds
	err := jsonlines.Decode(text, in, json.UnmarshalFromFunc(readProposal),
		json.UnmarshalFunc(func(text []byte, into *ledger.Relation) error {
			var word string
			if err := json.Unmarshal(text, &word); err != nil {
				return fmt.Errorf("read a stance: %w", err)
			}
			relation, err := stanceOf(word)
			*into = relation
			return err
		}),
		json.UnmarshalFromFunc(func(from *jsontext.Decoder, _ *Config) error {
			if from.PeekKind() != jsontext.KindNull {
				return errors.ErrUnsupported
			}
			return from.SkipValue() //nolint:wrapcheck // the decoder knows the place
		}))
	switch {
	case err != nil:
		return nil, err
	case in.Round == 0:
		return nil, jsonlines.Faultf("/round", "0 is not 1 or more")
	case in.Config.MaxRounds == 0:
		return nil, jsonlines.Faultf("/config/maxRounds", "0 is not 1 or more")
	}
	if err := in.Check(); err != nil {
		return nil, err
	}
	return in, nil
}

// Check returns a *jsonlines.Fault if a word, a number or an id is wrong (G1, G2), or nil.
func (in *Input) Check() error {
	if found := newEvaluation(in).problems(); len(found) > 0 {
		return jsonlines.Faultf(found[0].at, "%s", found[0].what)
	}
	return nil
}

// readProposal rejects a proposal that is too large.
func readProposal(from *jsontext.Decoder, p *Proposal) error {
	type plain Proposal
	begins := from.InputOffset()
	if err := json.UnmarshalDecode(from, (*plain)(p)); err != nil {
		return err //nolint:wrapcheck // the decoder knows the place
	}
	if n := from.InputOffset() - begins; n > LargestProposal {
		return jsonlines.Faultf("", "the proposal has %d bytes, more than %d MiB", n, LargestProposal>>20)
	}
	return nil
}

// member is an element of a list in the input.
type member struct {
	list string
	at   int
}

// field returns the path of a field.
func (m member) field(name string) string { return m.list + "/" + strconv.Itoa(m.at) + "/" + name }

// entry returns the path of an entry of a list in the element.
func (m member) entry(name string, i int) string { return m.field(name) + "/" + strconv.Itoa(i) }

// problem is an invalid word, number or id in the input.
type problem struct {
	// gate is G1, or G2 for a reference.
	gate string
	at   jsontext.Pointer
	what string
}

// String returns the path as in artifact.objections[2].severity, and the problem.
func (p *problem) String() string { return jsonlines.Dotted(p.at) + ": " + p.what }

// checker collects problems.
type checker struct {
	ev    *evaluation
	found []problem
}

// problems returns the failures of G1 and G2, in the order of the input's fields.
func (ev *evaluation) problems() []problem {
	c := &checker{ev: ev}
	in := ev.in
	if in.Round < 0 {
		c.schema("/round", "%d is not 1 or more", in.Round)
	}
	c.proposal(&in.Artifact.Proposal)
	for i := range in.Artifact.Objections {
		c.objection(i, &in.Artifact.Objections[i])
	}
	for i := range in.Evidence {
		c.evidence(i, &in.Evidence[i])
	}
	c.facts(in.Facts)
	c.requests(in.Requests)
	c.config(&in.Config)
	return c.found
}

func (c *checker) schema(at, format string, args ...any) {
	c.found = append(c.found, problem{"G1", jsontext.Pointer(at), fmt.Sprintf(format, args...)})
}

func (c *checker) reference(at, format string, args ...any) {
	c.found = append(c.found, problem{"G2", jsontext.Pointer(at), fmt.Sprintf(format, args...)})
}

// word requires that a word is one of the known ones.
func word[T ~string](c *checker, m member, field, what string, given T, known []T) {
	if slices.Contains(known, given) {
		return
	}
	_, err := enum.Parse(what, string(given), known)
	c.schema(m.field(field), "%v", err)
}

// name requires that an id or path is present and unique; first is the index of its first use.
func (c *checker) name(m member, field, name string, first int, known bool) {
	switch {
	case name == "":
		c.schema(m.field(field), "the %s is missing", field)
	case known && first != m.at:
		c.schema(m.field(field), "the %s %q is used twice", field, name)
	}
}

func (c *checker) round(m member, round int) {
	if round < 0 {
		c.schema(m.field("round"), "%d is not 0 or more", round)
	}
}

func (c *checker) value(m member, raw []byte) {
	if len(raw) > 0 && !jsontext.Value(raw).IsValid() {
		c.schema(m.field("value"), "the value is not JSON")
		return
	}
	eachLiteral(raw, func(text string, isNumber bool) {
		if !isNumber || len(c.found) > 0 && c.found[len(c.found)-1].at == jsontext.Pointer(m.field("value")) {
			return
		}
		if f, err := strconv.ParseFloat(text, 64); err != nil || math.IsInf(f, 0) {
			c.schema(m.field("value"), "%s is not a finite number", text)
		}
	})
}

func (c *checker) proposal(p *Proposal) {
	if p.Round < 0 {
		c.schema("/artifact/proposal/round", "%d is not 0 or more", p.Round)
	}
	for i := range p.Fields {
		f, m := &p.Fields[i], member{"/artifact/proposal/fields", i}
		first, known := c.ev.fields[f.Path]
		c.name(m, "path", f.Path, first, known)
		c.value(m, f.Value)
		word(c, m, "severity", "severity", f.weight(), Severities())
		c.cited(m, f.Evidence)
		if f.Derived != nil {
			c.derived(m, f.Derived)
		}
	}
	for _, i := range c.ev.cyclic() {
		c.reference(member{"/artifact/proposal/fields", i}.field("derived"), "%s follows from itself", p.Fields[i].Path)
	}
}

// cited requires that the cited evidence exists.
func (c *checker) cited(m member, ids []string) {
	for i, id := range ids {
		if _, known := c.ev.items.byID[id]; !known {
			c.reference(m.entry("evidence", i), "there is no evidence %q", id)
		}
	}
}

func (c *checker) derived(m member, d *Derivation) {
	word(c, m, "derived/op", "operation", d.Op, Operations())
	switch two := d.Op == Diff || d.Op == Ratio; {
	case two && len(d.Of) != 2:
		c.schema(m.field("derived/of"), "%s takes two, not %d", d.Op, len(d.Of))
	case len(d.Of) == 0:
		c.schema(m.field("derived/of"), "%s takes at least one", d.Op)
	}
	seen := make(map[string]bool, len(d.Of))
	for i, name := range d.Of {
		_, item := c.ev.items.byID[name]
		_, field := c.ev.fields[name]
		if !item && !field {
			c.reference(m.entry("derived/of", i), "there is no evidence and no field %q", name)
		}
		if seen[name] {
			c.schema(m.entry("derived/of", i), "%q is used twice", name)
		}
		seen[name] = true
	}
}

func (c *checker) objection(i int, o *Objection) {
	m := member{"/artifact/objections", i}
	first, known := c.ev.objections[o.ID]
	c.name(m, "id", o.ID, first, known)
	word(c, m, "severity", "severity", o.Severity, Severities())
	if o.Ruling != RulingNone {
		word(c, m, "ruling", "ruling", o.Ruling, Rulings())
	}
	for k, kind := range o.ClearedBy {
		c.kind(m.entry("clearedBy", k), kind)
	}
	c.round(m, o.Round)
	c.cited(m, o.Evidence)
}

func (c *checker) evidence(i int, e *Evidence) {
	m := member{"/evidence", i}
	first, known := c.ev.items.byID[e.ID]
	c.name(m, "id", e.ID, first, known)
	word(c, m, "sourceKind", "source kind", e.SourceKind, ledger.SourceKinds())
	if e.Relation != ledger.Supports && e.Relation != ledger.Refutes {
		_, err := stanceOf(string(e.Relation))
		c.schema(m.field("stance"), "%v", err)
	}
	c.round(m, e.Round)
	if !inUnit(e.Confidence) {
		c.schema(m.field("confidence"), "%v is not between 0 and 1", e.Confidence)
	}
	c.value(m, e.Value)
}

// inUnit reports whether a number is between 0 and 1; NaN is not.
func inUnit(f float64) bool { return f >= 0 && f <= 1 }

func (c *checker) facts(facts []Constraint) {
	seen := map[string]int{}
	for i := range facts {
		f, m := &facts[i], member{"/facts", i}
		if f.ID != "" {
			place(seen, f.ID, i)
			c.name(m, "id", f.ID, seen[f.ID], true)
		}
		if f.Path == "" && f.Op == "" {
			// A fact in words only cannot be checked by code.
			continue
		}
		if f.Path == "" {
			c.schema(m.field("path"), "the path is missing")
		}
		word(c, m, "op", "operator", f.Op, ledger.Operators())
		c.value(m, f.Value)
		if f.Op == "in" && !bytes.HasPrefix(bytes.TrimLeft(f.Value, " \t\r\n"), []byte("[")) {
			c.schema(m.field("value"), "in takes a list of values")
		}
	}
}

func (c *checker) requests(requests []Request) {
	seen := map[string]int{}
	for i := range requests {
		r, m := &requests[i], member{"/requests", i}
		if r.ID != "" {
			place(seen, r.ID, i)
			c.name(m, "id", r.ID, seen[r.ID], true)
		}
		if _, known := c.ev.objections[r.Objection]; !known {
			c.reference(m.field("objection"), "there is no objection %q", r.Objection)
		}
	}
}

func (c *checker) config(given *Config) {
	for _, category := range sorted(given.Thresholds) {
		if t := given.Thresholds[category]; !inUnit(t) {
			c.schema(string(jsontext.Pointer("/config/thresholds").AppendToken(category)),
				"%v is not between 0 and 1", t)
		}
	}
	for _, severity := range sorted(given.Allow) {
		at := "/config/allow/" + string(severity)
		if !slices.Contains(Severities(), severity) {
			c.schema(at, "there is no severity %q", severity)
		}
		for i, kind := range given.Allow[severity] {
			c.kind(at+"/"+strconv.Itoa(i), kind)
			if kind == ledger.LLMInference && severity != Low {
				c.schema(at+"/"+strconv.Itoa(i), "%s decides nothing above %s", kind, Low)
			}
		}
	}
	for i, kind := range given.Authority {
		at := "/config/authority/" + strconv.Itoa(i)
		c.kind(at, kind)
		if slices.Index(given.Authority, kind) != i {
			c.schema(at, "%q is used twice", kind)
		}
	}
	if given.MaxRounds < 0 {
		c.schema("/config/maxRounds", "%d is not 1 or more", given.MaxRounds)
	}
	for _, kind := range sorted(given.Freshness) {
		at := "/config/freshness/" + string(kind)
		c.kind(at, kind)
		if given.Freshness[kind] <= 0 {
			c.schema(at, "an age is above 0")
		}
	}
}

func (c *checker) kind(at string, kind ledger.SourceKind) {
	if !slices.Contains(ledger.SourceKinds(), kind) {
		c.schema(at, "there is no source kind %q", kind)
	}
}

// sorted returns the keys of a map in order.
func sorted[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
