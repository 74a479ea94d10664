package rules

import (
	"cmp"
	"slices"
	"strings"

	"moot/agent/rules/redflag"
	"moot/ledger"
	"moot/plain"
	"moot/playbook"
	"moot/protocol"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// press makes the moves of the seats that put a proposal under pressure.
func (t *turn) press() error {
	switch {
	case t.ask.Seat == state.Proposer && t.ask.Stage == state.StagePropose && t.s.Round <= 1:
		t.tabling()
	case t.ask.Seat == state.Proposer:
		return t.rebut()
	case t.ask.Stage == state.StageEvaluate:
		return t.examine()
	default:
		t.add(&protocol.NoObjection{Reason: t.say(sayNothingNew)})
	}
	return nil
}

const (
	// mostObjected is how many objections one reply raises.
	mostObjected = 20
	// mostPlaces is how many places one objection names and cites.
	mostPlaces = 3
)

// raised is what one flag found in one field.
type raised struct {
	flag     *playbook.Flag
	point    string
	from     *material
	findings []redflag.Finding
}

// findings are the red flags in a material, once in a turn.
func (t *turn) findings(m *material) ([]redflag.Finding, error) {
	if found, known := t.found[m]; known {
		return found, nil
	}
	book, err := t.playbook()
	if err != nil || t.checker() == nil {
		return nil, err
	}
	found, err := t.checker().Find(t.ctx, &book, m.change, t.source.files())
	if err != nil {
		return nil, err
	}
	t.found[m] = found
	return found, nil
}

// examine looks for the playbook's red flags with what needs no model, and raises
// each once on each field that it was found in (OBJECT), the gravest first. What
// nobody looked for is said.
func (t *turn) examine() error {
	book, err := t.playbook()
	switch {
	case err != nil:
		t.add(&protocol.NoObjection{Reason: t.say(sayNoPlaybook, "reason", plain.Line(plain.Clip(err.Error(), quoted)))})
		return nil
	case len(t.about()) == 0 || t.checker() == nil:
		t.add(&protocol.NoObjection{Reason: strings.Join(append([]string{t.say(sayNothingLooked)}, t.notes...), "; ")})
		return nil
	}
	all, err := t.raised(&book)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b *raised) int { return cmp.Compare(a.flag.Severity.Gravity(), b.flag.Severity.Gravity()) })
	objected := 0
	for _, r := range all {
		if t.objectedTo(r) {
			continue
		}
		if objected++; objected <= mostObjected {
			t.object(r)
		}
	}
	if objected > mostObjected {
		t.note(sayNoteObjections, "left", plain.Counted(objected-mostObjected, "objection"), "most", itoa(mostObjected))
	}
	switch {
	case objected == 0 && t.s.Dialectic.Examined > 0:
		t.add(&protocol.NoObjection{Reason: t.say(sayNothingNew)})
	case objected == 0:
		t.add(&protocol.NoObjection{Reason: t.lookedFor(&book, sayLookedNone)})
	case t.s.Dialectic.Examined == 0:
		t.notes = append(t.notes, t.lookedFor(&book, sayLooked))
	}
	return nil
}

// raised are the findings by flag and field, in the order of the playbook.
func (t *turn) raised(book *playbook.Playbook) ([]*raised, error) {
	var all []*raised
	for _, m := range t.about() {
		found, err := t.findings(m)
		if err != nil {
			return nil, err
		}
		for i := range found {
			flag, p := book.Flag(found[i].Flag), t.fieldOf(m, &found[i])
			if flag == nil || p == nil {
				continue
			}
			at := slices.IndexFunc(all, func(r *raised) bool { return r.flag == flag && r.point == p.ID })
			if at < 0 {
				all = append(all, &raised{flag: flag, point: p.ID, from: m})
				at = len(all) - 1
			}
			all[at].findings = append(all[at].findings, found[i])
		}
	}
	return all, nil
}

// objectedTo reports whether a flag was raised on a field before.
func (t *turn) objectedTo(r *raised) bool {
	return slices.ContainsFunc(t.s.Point(r.point).Challenges, func(id string) bool {
		c := t.s.Challenge(id)
		return c.Typed != nil && c.Typed.Flag == r.flag.ID
	})
}

// fieldOf is the field that a finding is about: the one that rules would have
// drafted there, else one that names the file, else the first for
// which it was not settled before. It is nil where there is none.
func (t *turn) fieldOf(m *material, f *redflag.Finding) *state.Point {
	var drafted *state.Point
	for i, all := 0, t.draft(); i < len(all); i++ {
		d := &all[i]
		if d.from != m || m.diff && d.file != f.Path || !m.diff && d.line > max(f.Line, 1) {
			continue
		}
		if p := t.s.FieldAt(d.path); p != nil && resolver.Proposed(p) {
			drafted = p
		}
	}
	if drafted != nil {
		return drafted
	}
	var named, first *state.Point
	for _, p := range t.s.Points.All() {
		if !resolver.Proposed(p) {
			continue
		}
		if first == nil && !t.settledBefore(p, f.Flag) {
			first = p
		}
		if named == nil && t.namesFile(p, f.Path) {
			named = p
		}
	}
	if named != nil {
		return named
	}
	return first
}

// settledBefore reports whether a flag was raised on a field that is gone, when
// this one was there already: what was withdrawn for it does not come back as the
// fault of another field.
func (t *turn) settledBefore(p *state.Point, flag string) bool {
	for _, c := range t.s.Challenges.All() {
		if c.Typed != nil && c.Typed.Flag == flag && c.Round >= p.Round && !resolver.Proposed(t.s.Point(c.Point)) {
			return true
		}
	}
	return false
}

// namesFile reports whether a field, or what it rests on, names a file.
func (t *turn) namesFile(p *state.Point, file string) bool {
	if strings.Contains(p.Text, file) {
		return true
	}
	return slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := t.s.Item(id)
		return item != nil && (strings.HasPrefix(item.Reference, file+":") || strings.Contains(item.Excerpt, file))
	})
}

// object raises one flag on one field, with what was found as evidence.
func (t *turn) object(r *raised) {
	var said []string
	m := &protocol.Object{Point: r.point, Flag: r.flag.ID}
	left := 0
	for i := range r.findings {
		f := &r.findings[i]
		left += f.More
		if i >= mostPlaces {
			left++
			continue
		}
		said = append(said, t.placed(f))
		if r.from.citable && strings.TrimSpace(f.Quote) != "" {
			m.Citations = append(m.Citations, protocol.Citation{Reference: f.Reference, Quote: f.Quote, Relation: ledger.Refutes})
		}
	}
	if left > 0 {
		said = append(said, t.say(sayFlagMore, "places", plain.Counted(left, "more place")))
	}
	m.Text = t.say(sayFlag, "title", r.flag.Title, "found", strings.Join(said, "; "))
	if r.flag.Severity != dialectic.Low {
		m.Request = r.flag.Clears
	}
	t.add(m)
}

// placed says what was found, and where.
func (t *turn) placed(f *redflag.Finding) string {
	what := f.What
	if quote := strings.TrimSpace(strings.TrimLeft(f.Quote, "+-")); quote != "" && (f.Kind == playbook.AddedLine || f.Kind == playbook.RemovedLine) {
		what = t.say(sayFlagQuote, "what", f.What, "quote", plain.Clip(quote, recited/2))
	}
	what = plain.Line(plain.Clip(what, recited))
	switch file := shown(f.Path); {
	case f.Line == 0:
		return t.say(sayFlagFile, "what", what, "file", file)
	case f.Removed:
		return t.say(sayFlagRemoved, "what", what, "file", file, "line", itoa(f.Line))
	default:
		return t.say(sayFlagLine, "what", what, "file", file, "line", itoa(f.Line))
	}
}

// lookedFor says which flags were looked for, and which take a reader.
func (t *turn) lookedFor(book *playbook.Playbook, key phrase) string {
	var readers []string
	for i := range book.Flags {
		if len(book.Flags[i].Checks) == 0 {
			readers = append(readers, book.Flags[i].ID)
		}
	}
	looked := t.say(key, "checked", itoa(len(book.Flags)-len(readers)), "all", plain.Counted(len(book.Flags), "red flag"), "book", shown(book.Name))
	if len(readers) > 0 {
		looked += "; " + t.say(sayReaders, "flags", strings.Join(readers, ", "))
	}
	return looked
}
