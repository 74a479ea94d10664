package resolver

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"moot/enum"
	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// release is something that takes away what holds a field.
type release struct {
	who Mover
	// clause reads well after "if", had after "had".
	clause, had string
	// value is the one that the field is given, or nil.
	value json.RawMessage
	do    func(*course) *course
}

// fails reports whether a gate fails for a field.
func (w *prospect) fails(p *state.Point, gates ...string) bool {
	return slices.ContainsFunc(FailuresOf(&w.result, p.Field.Path), func(g dialectic.GateResult) bool { return slices.Contains(gates, g.Gate) })
}

// burdens are the objections to a field that hold it, or for which evidence is
// owed.
func (w *prospect) burdens(p *state.Point) []*state.Challenge {
	var list []*state.Challenge
	for _, id := range p.Challenges {
		if c := w.s.Challenge(id); c != nil && c.Typed != nil && (w.standing[id] || w.owed(id) != "") {
			list = append(list, c)
		}
	}
	return list
}

// owed is what G7 says of an objection, or "".
func (w *prospect) owed(objection string) string { return Outstanding(&w.result, objection) }

// Outstanding is what G7 says is owed for an objection, "" where it says nothing.
func Outstanding(result *dialectic.Result, objection string) string {
	for _, g := range result.Artifact.Validation.Gates {
		if g.Gate != "G7" || g.Pass {
			continue
		}
		for _, reason := range g.Reasons {
			if strings.Contains(reason, " about "+objection+" ") {
				return reason
			}
		}
	}
	return ""
}

// held reports whether anything holds a field.
func (w *prospect) held(p *state.Point) bool {
	return Proposed(p) && (len(w.burdens(p)) > 0 || len(FailuresOf(&w.result, p.Field.Path)) > 0)
}

// mends are what the proposer may do about the gates that fail for a field, one
// by one: cite what says it, say another thing, mend a word.
func (w *prospect) mends(p *state.Point) []release {
	var list []release
	if p.UserRuling != nil {
		return nil
	}
	if w.fails(p, "G3", "G4", "G8") {
		for _, k := range proofs() {
			list = append(list, w.cites(p, &k, nil, nil))
		}
	}
	return append(list, w.rewrites(p)...)
}

// cites is that the proposer brings an item that says what the field says, and
// that answers objections to it; value is another one that it was given before,
// or nil.
func (w *prospect) cites(p *state.Point, k *proof, answered []*state.Challenge, value json.RawMessage) release {
	says := ""
	if w.fails(p, "G3") && value == nil {
		says = " that says " + quote(saidOf(p.Field.Value))
	}
	ids := challengeIDs(answered)
	r := release{who: MovedByEvidence, do: func(c *course) *course {
		return c.on(p).answering().evidence(state.Proposer, k, ledger.Supports, ids...)
	}}
	if len(answered) == 0 {
		r.clause, r.had = k.words+says+" is cited for "+w.name(p), k.words+says+" been cited for "+w.name(p)
		return r
	}
	r.clause, r.had = k.words+says+" answers "+listed(ids), k.words+says+" answered "+listed(ids)
	return r
}

// rewrites are revisions of a field that could make its gates pass.
func (w *prospect) rewrites(p *state.Point) []release {
	severity, cites := w.mended(p)
	rewrite := func(value json.RawMessage) release {
		said, had := w.revision(p, value, severity, cites)
		return release{
			who: MovedBySeats, clause: "the proposer " + said, had: "the proposer " + had, value: value,
			do: func(c *course) *course { return c.on(p).revise(value, severity, cites) },
		}
	}
	var list []release
	if severity != "" || cites != nil {
		list = append(list, rewrite(nil))
	}
	for _, value := range w.values(p) {
		list = append(list, rewrite(value))
	}
	return list
}

// revision says what a revision does, and what it had done.
func (w *prospect) revision(p *state.Point, value json.RawMessage, severity string, cites []string) (said, had string) {
	var says, hads []string
	add := func(verb, did, rest string) {
		says, hads = append(says, verb+rest), append(hads, did+rest)
	}
	if value != nil {
		add("changes ", "changed ", w.name(p)+" to "+clip(string(value)))
	}
	if severity != "" {
		add("gives ", "given ", w.name(p)+" a severity of the list")
	}
	if cites != nil {
		add("cites ", "cited ", "only what exists for "+w.name(p))
	}
	return joined(says), joined(hads)
}

// mended are the severity and the citations that a field could have where what
// it has is not allowed (G1, G2).
func (w *prospect) mended(p *state.Point) (severity string, cites []string) {
	if !slices.Contains(enum.Words(dialectic.Severities()), p.Field.Severity) {
		severity = string(dialectic.High)
	}
	known := []string{}
	for _, id := range p.Field.Cites {
		if w.s.Item(id) != nil {
			known = append(known, id)
		}
	}
	if len(known) < len(p.Field.Cites) {
		cites = known
	}
	return severity, cites
}

// mostValues is how many values are tried in place of one that fails a gate.
const mostValues = 4

// values are what a field could say instead where it contradicts the user (G6)
// or says what nothing says (G3).
func (w *prospect) values(p *state.Point) []json.RawMessage {
	var list []json.RawMessage
	if w.fails(p, "G6") {
		for _, f := range w.s.Facts.All() {
			if value := allowed(f); value != nil && Binds(f, p) {
				list = append(list, value)
			}
		}
	}
	if w.fails(p, "G3") {
		in := w.back.proposalOf(w.s, w.s.At)
		list = append(list, dialectic.Grounds(&in, p.Field.Path)...)
	}
	list = slices.DeleteFunc(list, func(v json.RawMessage) bool { return string(v) == string(p.Field.Value) })
	return list[:min(len(list), mostValues)]
}

// allowed is a value that a fact of the user's allows, or nil where none is known.
func allowed(f *ledger.Fact) json.RawMessage {
	if f.Predicate == nil {
		return nil
	}
	var step float64
	switch f.Predicate.Op {
	case "=", "≤", "≥":
		return f.Predicate.Value
	case "in":
		var list []json.RawMessage
		if json.Unmarshal(f.Predicate.Value, &list) != nil || len(list) == 0 {
			return nil
		}
		return list[0]
	case "<":
		step = -1
	case ">":
		step = 1
	default:
		return nil
	}
	var limit float64
	if json.Unmarshal(f.Predicate.Value, &limit) != nil {
		return nil
	}
	return json.RawMessage(strconv.FormatFloat(limit+step, 'f', -1, 64))
}

// together is the nearest thing by which seats take away all that holds a field,
// where that takes more than one: it is more than what is tried one by one.
func (w *prospect) together(p *state.Point) (release, bool) {
	burdens, failures := w.burdens(p), FailuresOf(&w.result, p.Field.Path)
	if len(burdens)+len(failures) < 2 {
		return release{}, false
	}
	return w.bySeatsReleased(p, burdens)
}

// bySeatsReleased is the first release by seats after which nothing holds the
// field.
func (w *prospect) bySeatsReleased(p *state.Point, burdens []*state.Challenge) (release, bool) {
	for _, r := range w.candidates(p, burdens) {
		c := r.do(w.seats(p)).resolve()
		if c.impossible {
			continue
		}
		if after := c.ruling(); after.Bucket == state.BucketAgreed {
			return r, true
		}
	}
	return release{}, false
}

// candidates are the releases by seats, the nearest first.
func (w *prospect) candidates(p *state.Point, burdens []*state.Challenge) []release {
	var list []release
	if p.UserRuling != nil {
		return nil
	}
	for _, k := range proofs() {
		list = append(list, w.cites(p, &k, burdens, nil))
	}
	rewrites := w.rewrites(p)
	if len(burdens) == 0 {
		list = append(list, rewrites...)
	}
	for _, first := range rewrites {
		for _, k := range proofs() {
			list = append(list, both(first, w.cites(p, &k, burdens, first.value)))
		}
	}
	return list
}

// both is one release after another.
func both(a, b release) release {
	return release{
		who: b.who, clause: a.clause + ", and " + b.clause, had: a.had + ", and " + b.had,
		do: func(c *course) *course { return b.do(a.do(c)) },
	}
}
