package rules

import (
	"path"
	"slices"
	"strings"

	"moot/agent/rules/redflag"
	"moot/ledger"
	"moot/playbook"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// mostSupplied is how many items are brought against one objection.
const mostSupplied = 2

// rebut answers the objections that stand: with evidence that can be found, else
// by granting what is shown. What was answered is not answered again.
func (t *turn) rebut() error {
	for _, c := range t.s.Challenges.All() {
		if c.Typed == nil || c.Status == state.StandsConceded || c.Typed.Verdict != "" || !resolver.Proposed(t.s.Point(c.Point)) {
			continue
		}
		if err := t.answerObjection(c); err != nil {
			return err
		}
	}
	return nil
}

// answerObjection answers one objection.
func (t *turn) answerObjection(c *state.Challenge) error {
	p := t.s.Point(c.Point)
	against, own, waits := t.weighed(c)
	if own != nil || waits {
		// What speaks for the field is on record, or waits for leave to run.
		return nil
	}
	answers, err := t.counter(c)
	if err != nil {
		return err
	}
	supplied := 0
	for i := range answers {
		if supplied < mostSupplied && !t.offered(p, &answers[i]) {
			t.cites[p.ID+" "+answers[i].Reference] = true
			t.add(&protocol.Supply{
				Challenge: c.ID, Reference: answers[i].Reference, Quote: answers[i].Quote, Relation: ledger.Supports,
			})
			supplied++
		}
	}
	switch {
	case supplied > 0:
	case against != nil:
		t.add(&protocol.Concede{Challenge: c.ID, Reason: t.say(sayConcedeShown, "item", against.ID, "place", against.Reference)})
	case c.Last() == nil:
		t.add(&protocol.Defend{Challenge: c.ID, Text: t.say(sayDefendUnshown)})
	}
	return nil
}

// weighed are the first verified items against a field and for it that bear on an
// objection; waits says that a command of this seat waits for leave to run.
func (t *turn) weighed(c *state.Challenge) (against, own *ledger.Evidence, waits bool) {
	for _, id := range c.Typed.Evidence {
		item := t.s.Item(id)
		switch {
		case item == nil:
		case !item.Counts():
			waits = waits || item.OfferedBy == string(t.ask.Seat) && item.NeedsApproval() && !item.Checked
		case item.Relation == ledger.Refutes && against == nil:
			against = item
		case item.Relation == ledger.Supports && own == nil:
			own = item
		}
	}
	return against, own, waits
}

// counter is what speaks against an objection: what a machine check would accept
// in its place, or a passage that states what the objection denies.
func (t *turn) counter(c *state.Challenge) ([]protocol.Citation, error) {
	book, err := t.playbook()
	if err != nil {
		// Nothing is known of the flags; what the pressure-tester says of it stands.
		return nil, nil //nolint:nilerr // the other seat tells it
	}
	all, err := t.raised(&book)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(r *raised) bool { return r.flag.ID == c.Typed.Flag && r.point == c.Point })
	if at < 0 {
		return t.stating(c)
	}
	var answers []protocol.Citation
	for i := range all[at].findings {
		f := &all[at].findings[i]
		var more []protocol.Citation
		switch f.Kind { //nolint:exhaustive // what the others find, no quotation answers
		case playbook.UntestedChange:
			more, err = t.testsOf(f)
		case playbook.ChangedInterface:
			more = t.notesOn(f)
		}
		if err != nil || len(more) == 0 {
			// What answers for one of the places does not for the others.
			return nil, err
		}
		answers = append(answers, more...)
	}
	return answers, nil
}

// stating are the passages that state an objection's predicate.
func (t *turn) stating(c *state.Challenge) ([]protocol.Citation, error) {
	found, err := t.find(c.Typed.Predicate, cited)
	if err != nil {
		return nil, err
	}
	var answers []protocol.Citation
	for i := range found.passages {
		one := &found.passages[i]
		if t.states(one.text, c.Typed.Predicate) && t.inWorkspace(one.path) {
			answers = append(answers, protocol.Citation{Reference: one.reference(), Quote: one.text})
		}
	}
	return answers, nil
}

// inWorkspace reports whether a file can be cited.
func (t *turn) inWorkspace(name string) bool {
	_, ok := t.readOwn(name, redflag.MaxDiff)
	return ok
}

// testsOf are the lines of tests that name a changed function and, of a Go
// module, a run of them where that can come to run.
func (t *turn) testsOf(f *redflag.Finding) ([]protocol.Citation, error) {
	found, err := t.find(f.About, mostTests)
	if err != nil {
		return nil, err
	}
	for i := range found.passages {
		one := &found.passages[i]
		if !t.checker().Tests(one.path) {
			continue
		}
		for n, line := range strings.Split(one.text, "\n") {
			if !names(line, f.About) {
				continue
			}
			at := passage{path: one.path, line: one.line + n, last: one.line + n}
			answers := []protocol.Citation{{Reference: at.reference(), Quote: line}}
			if run := t.testRun(one.path); run != nil {
				answers = append([]protocol.Citation{*run}, answers...)
			}
			return answers, nil
		}
	}
	return nil, nil
}

// mostTests is how many passages are looked through for a test.
const mostTests = 12

// testRun is a run of the tests beside a file; nil where it cannot come to run.
func (t *turn) testRun(test string) *protocol.Citation {
	if !t.source.module || path.Ext(test) != ".go" {
		return nil
	}
	folder := "./" + path.Dir(test)
	if folder == "./." {
		folder = "."
	}
	for _, text := range []string{"go test " + folder, "go test ./..."} {
		if command, err := ledger.ParseCommand(text); err == nil && t.mayRun(command) {
			return &protocol.Citation{Reference: command.Reference(), Quote: "exit 0"}
		}
	}
	return nil
}

// notesOn are lines of the workspace's notes on changes that name what changed.
func (t *turn) notesOn(f *redflag.Finding) []protocol.Citation {
	for _, name := range lines("notes") {
		text, ok := t.readOwn(name, maxDocument)
		if !ok {
			continue
		}
		for i, line := range strings.Split(string(text), "\n") {
			line = strings.TrimRight(line, "\r")
			if f.About != "" && names(line, f.About) && len(line) <= maxLine && !t.source.secret(line) {
				at := passage{path: name, line: i + 1, last: i + 1}
				return []protocol.Citation{{Reference: at.reference(), Quote: line}}
			}
		}
	}
	return nil
}
