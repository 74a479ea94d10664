package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"moot/agent/rules/redflag"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/move"
	"moot/state"
)

const (
	// maxObjections is the maximum number of objections per reply, and maxPlaces the maximum number of places that an
	// objection names and cites.
	maxObjections, maxPlaces = 20, 3
	// maxMaterial is the maximum size of a file or diff that is examined, in bytes.
	maxMaterial = 1 << 20
	// cutMark starts the line that replaces the cut part of a file.
	cutMark = "\n[cut: only the first "
)

// material is a diff or document to check for red flags.
type material struct {
	change *redflag.Change
	diff   bool
}

// raised holds the findings of one flag on one field of the proposal.
type raised struct {
	flag     *playbook.Flag
	point    string
	findings []redflag.Finding
}

// press plays the pressure-tester. It searches for the playbook's red flags by their patterns, and raises each flag
// once per field, the most severe first. It lists the flags that only a reader can check.
func (t *turn) press() error {
	if t.ask.Stage != state.StageEvaluate {
		const reason = "nothing new: every finding is already raised, and code evaluates the supplied evidence"
		t.add(&dialectic.NoObjection{Reason: reason})
		return nil
	}
	book := &dialectic.SettingsOf(t.s).Playbook
	var all []*raised
	materials := t.materials()
	for _, m := range materials {
		found, err := redflag.Find(t.ctx, t.redactor, book, m.change, t.source.files())
		if err != nil {
			return err
		}
		for _, f := range found {
			flag, p := book.Flag(f.Flag), t.pointFor(f.Path, f.Flag)
			if flag == nil || p == nil {
				continue
			}
			at := slices.IndexFunc(all, func(r *raised) bool { return r.flag == flag && r.point == p.ID })
			if at < 0 {
				all, at = append(all, &raised{flag: flag, point: p.ID}), len(all)
			}
			all[at].findings = append(all[at].findings, f)
		}
	}
	slices.SortStableFunc(all, func(a, b *raised) int {
		return cmp.Compare(a.flag.Severity.Gravity(), b.flag.Severity.Gravity())
	})
	all = slices.DeleteFunc(all, func(r *raised) bool {
		return slices.ContainsFunc(t.s.Point(r.point).Challenges, func(id string) bool {
			o := dialectic.ObjectionOf(t.s.Challenge(id))
			return o != nil && o.Flag == r.flag.ID
		})
	})
	for _, r := range all[:min(len(all), maxObjections)] {
		t.object(r)
	}
	if left := len(all) - maxObjections; left > 0 {
		const more = "%s left for the next round: a reply raises at most %d"
		t.note(fmt.Sprintf(more, plain.Counted(left, "objection"), maxObjections))
	}
	checked := checkedFlags(book)
	switch {
	case len(materials) == 0:
		reason := "no red flags were checked: give a diff or a document, as @FILE or with --context FILE"
		t.add(&dialectic.NoObjection{Reason: strings.Join(append([]string{reason}, t.notes...), "; ")})
	case len(all) == 0 && len(dialectic.Of(t.s).Examined) > 0:
		t.add(&dialectic.NoObjection{Reason: "nothing new: every finding is already raised"})
	case len(all) == 0:
		t.add(&dialectic.NoObjection{Reason: "no pattern matched: " + checked})
	case len(dialectic.Of(t.s).Examined) == 0:
		t.note(checked)
	}
	return nil
}

// checkedFlags says which flags have patterns, and which need a reader.
func checkedFlags(book *playbook.Playbook) string {
	var readers []string
	for i := range book.Flags {
		if len(book.Flags[i].Checks) == 0 {
			readers = append(readers, book.Flags[i].ID)
		}
	}
	text := fmt.Sprintf("built-in rules (no model) checked %d of the %s of %s by pattern",
		len(book.Flags)-len(readers), plain.Counted(len(book.Flags), "red flag"), plain.Line(book.Name))
	if len(readers) > 0 {
		text += "; the others need a reader and were not checked: " + strings.Join(readers, ", ")
	}
	return text
}

// pointFor returns the field for a finding: one that names the file, or else the first for which the flag was not
// already cleared by withdrawing another field. It may be nil.
func (t *turn) pointFor(file, flag string) *state.Point {
	var first *state.Point
	for _, p := range t.s.Points.All() {
		if !dialectic.Proposed(p) {
			continue
		}
		names := strings.Contains(p.Text, file) || slices.ContainsFunc(p.Evidence, func(id string) bool {
			item := t.s.Item(id)
			return item != nil && (strings.HasPrefix(item.Reference, file+":") || strings.Contains(item.Excerpt, file))
		})
		if names {
			return p
		}
		settled := func(c *state.Challenge) bool {
			o := dialectic.ObjectionOf(c)
			return o != nil && o.Flag == flag && c.Round >= p.Round && !dialectic.Proposed(t.s.Point(c.Point))
		}
		if first == nil && !slices.ContainsFunc(t.challenges(), settled) {
			first = p
		}
	}
	return first
}

func (t *turn) challenges() []*state.Challenge {
	var all []*state.Challenge
	for _, c := range t.s.Challenges.All() {
		all = append(all, c)
	}
	return all
}

// object raises a flag on a field, with the findings as evidence.
func (t *turn) object(r *raised) {
	m := &dialectic.Object{Point: r.point, Flag: r.flag.ID}
	var said []string
	left := max(0, len(r.findings)-maxPlaces)
	for i := range r.findings {
		f := &r.findings[i]
		left += f.More
		if i >= maxPlaces {
			continue
		}
		what := f.What
		if quote := strings.TrimSpace(strings.TrimLeft(f.Quote, "+-")); quote != "" && f.Line > 0 {
			what += ": " + plain.Clip(quote, quoted/2)
		}
		at := f.Path
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		if f.Removed {
			at += " before the change"
		}
		said = append(said, fmt.Sprintf("%s (%s)", plain.Line(plain.Clip(what, quoted)), plain.Line(at)))
		if strings.TrimSpace(f.Quote) != "" {
			cited := move.Citation{Reference: f.Reference, Quote: f.Quote, Relation: ledger.Refutes}
			m.Citations = append(m.Citations, cited)
		}
	}
	if left > 0 {
		said = append(said, "and "+plain.Counted(left, "more place"))
	}
	m.Text = r.flag.Title + ": " + strings.Join(said, "; ")
	if r.flag.Severity != gates.Low {
		m.Request = r.flag.Clears
	}
	t.add(m)
}

// materials returns the diffs among the given files, or all given files if no file is a diff.
func (t *turn) materials() []*material {
	var given []*material
	for i := range t.source.documents {
		if m := t.material(&t.source.documents[i]); m != nil {
			given = append(given, m)
		}
	}
	if changes := lists.Filter(given, func(m *material) bool { return m.diff }); len(changes) > 0 {
		return changes
	}
	return given
}

// material reads a given file as a diff or as a document. If it cannot be examined, it adds a note and returns nil.
func (t *turn) material(d *state.Document) *material {
	name, text := path.Clean(strings.ReplaceAll(d.Path, `\`, "/")), []byte(d.Text)
	shown := plain.Line(name)
	m := &material{diff: looksLikeDiff(name, text[:min(len(text), maxMaterial)])}
	switch {
	case len(text) > maxMaterial:
		t.note(fmt.Sprintf("%s is larger than %d bytes and was not examined: split it", shown, maxMaterial))
		return nil
	case bytes.IndexByte(text, 0) >= 0 || len(bytes.TrimSpace(text)) == 0:
		t.note(shown + " is empty or not text, and was not examined")
		return nil
	case !m.diff:
		m.change = redflag.ReadDocument(name, text)
	case bytes.Contains(text, []byte(cutMark)):
		t.note("only the beginning of the diff " + shown + " was read: split it")
		return nil
	default:
		if !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, '\n')
		}
		change, err := redflag.ReadDiff(name, text)
		if err != nil {
			t.note(plain.Line(plain.Clip(err.Error(), quoted)))
			return nil
		}
		m.change = change
	}
	m.change.Redacted = t.source.redactor != nil
	return m
}

// looksLikeDiff reports whether a text is probably a unified diff.
func looksLikeDiff(name string, text []byte) bool {
	if end := path.Ext(name); end == ".diff" || end == ".patch" {
		return true
	}
	var before []byte
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("diff --git ")) ||
			bytes.HasPrefix(before, []byte("--- ")) && bytes.HasPrefix(line, []byte("+++ ")) {
			return true
		}
		before = line
	}
	return false
}
