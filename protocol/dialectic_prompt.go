package protocol

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// Prompt implements Format. As in a consultation the whole of what a seat must
// know is in every prompt; what others wrote stands between fences.
func (Dialectic) Prompt(s state.State, ask Ask) Prompt {
	b := &brief{s: &s, ask: ask}
	role := "dialectic-role-proposer"
	if ask.Seat == state.PressureTester {
		role = "dialectic-role-pressure-tester"
	}
	system := strings.ReplaceAll(text("dialectic-preamble"), "{{nonce}}", s.Settings.Nonce) + "\n\n" + text(role) +
		"\n\n" +
		formText(ask.Moves) + b.commands()
	b.anchor()
	b.line("Round %d of %d.", max(s.Round, 1), resolver.Configured(&s).MaxRounds)
	b.strictness()
	b.redFlags()
	head := b.take()
	b.proposal()
	// A resolution that cannot be read says nothing of any objection.
	outcome, _ := resolver.OutcomeOf(&s)
	b.objections(resolver.NewObjected(&s, outcome))
	b.items()
	b.receipts(outcome)
	b.pressed()
	tail := b.take()
	return b.within(system, head, tail)
}

// strictness says how sure evidence must be, and which sources may decide.
func (b *brief) strictness() {
	config := resolver.Configured(b.s)
	var parts []string
	for _, category := range slices.Sorted(maps.Keys(config.Thresholds)) {
		parts = append(parts, fmt.Sprintf("%s %.2f", oneLine(category), config.Thresholds[category]))
	}
	b.line("Categories, with how sure evidence must be: %s; any other takes the highest.", strings.Join(parts, ", "))
	parts = nil
	for _, severity := range dialectic.Severities() {
		parts = append(parts, string(severity)+": "+strings.Join(enum.Words(config.Allow[severity]), ", "))
	}
	b.line("Sources that may decide, by severity: %s. A checked passage of a file is %s.", strings.Join(parts, "; "),
		ledger.DomainEvidence)
}

// redFlags lists the playbook for the seat that looks for them.
func (b *brief) redFlags() {
	book := b.s.Settings.Playbook
	if book == nil || len(book.Flags) == 0 || b.ask.Seat != state.PressureTester {
		return
	}
	inner := &strings.Builder{}
	for i := range book.Flags {
		f := &book.Flags[i]
		fmt.Fprintf(inner, "%s [%s, %s]: %s\n   look for: %s\n   true if nothing is wrong: %s\n   clears it: %s\n",
			f.ID, oneLine(f.Category), f.Severity, within(f.Title), within(f.Look), within(f.Predicate),
			within(f.Clears))
	}
	b.line("Red flags of the playbook %s:", oneLine(book.Name))
	b.fence("red flags", inner.String())
}

// proposal lists the fields as they stand.
func (b *brief) proposal() {
	inner := &strings.Builder{}
	for _, p := range b.s.Points.All() {
		f := p.Field
		if f == nil {
			continue
		}
		if !resolver.Proposed(p) {
			fmt.Fprintf(inner, "%s %s [no longer proposed]\n", p.ID, f.Path)
			continue
		}
		marks := []string{f.Category, f.Severity, fmt.Sprintf("round %d", f.Round)}
		if !f.Grounded {
			marks = append(marks, "not grounded")
		}
		if f.Derived != nil {
			marks = append(marks, f.Derived.Op+" of "+strings.Join(f.Derived.Of, ", "))
		}
		if len(f.Cites) > 0 {
			marks = append(marks, "cites "+strings.Join(f.Cites, ", "))
		}
		fmt.Fprintf(inner, "%s [%s]: %s\n", p.ID, strings.NewReplacer("[", "(", "]",
			")").Replace(oneLine(strings.Join(marks, "; "))), within(p.Text))
		for _, former := range f.Earlier {
			fmt.Fprintf(inner, "   was %s in round %d\n", clip(string(former.Value)), former.Round)
		}
	}
	b.list("The proposal:", "proposal", inner)
}

// objections lists what was raised against fields that are still proposed, with
// where each stands.
func (b *brief) objections(objected *resolver.Objected) {
	inner := &strings.Builder{}
	for _, c := range b.s.Challenges.All() {
		if c.Typed == nil || !resolver.Proposed(b.s.Point(c.Point)) {
			continue
		}
		came := objected.Of(c)
		where := came.Words("the user")
		if came.Outcome == dialectic.Cleared {
			// What is settled is recalled in short.
			fmt.Fprintf(inner, "%s %s on %s, %s: %s\n", c.ID, c.Typed.Severity, c.Point, where, clip(c.Objection))
			continue
		}
		fmt.Fprintf(inner, "%s %s on %s, %s, by %s, round %d, %s: %s\n   would have to be true: %s\n",
			c.ID, c.Typed.Severity, c.Point, oneLine(c.Typed.Category), c.By, c.Round, where, within(c.Objection),
			within(c.Typed.Predicate))
		if c.UpgradeIf != "" {
			fmt.Fprintf(inner, "   what clears it: %s\n", within(c.UpgradeIf))
		}
		if len(c.Typed.Evidence) > 0 {
			fmt.Fprintf(inner, "   evidence: %s\n", oneLine(strings.Join(c.Typed.Evidence, ", ")))
		}
		if last := c.Last(); last != nil {
			fmt.Fprintf(inner, "   answered by %s: %s\n", last.By, within(last.Text))
		}
		for _, r := range b.s.Requests.All() {
			if r.About == c.ID && r.Open() {
				fmt.Fprintf(inner, "   asked for: %s\n", within(r.Text))
			}
		}
	}
	b.list("Objections:", "objections", inner)
}

// items lists the evidence on fields that are still proposed.
func (b *brief) items() {
	inner := &strings.Builder{}
	for _, item := range b.s.Evidence.All() {
		p := b.s.Point(item.Point)
		if p == nil || !resolver.Proposed(p) {
			continue
		}
		inner.WriteString(evidenceLine(item, item.Point, fmt.Sprintf("verified, %s, %.2f", item.SourceKind, item.Confidence)))
	}
	b.list("Evidence (checked by code):", "evidence", inner)
}

// receipts shows both seats what code made of the last round.
func (b *brief) receipts(outcome *resolver.Outcome) {
	if outcome == nil {
		return
	}
	inner := &strings.Builder{}
	for i := range outcome.Receipts {
		r := &outcome.Receipts[i]
		fmt.Fprintf(inner, "%s %s %s: %s\n", r.Rule, oneLine(r.Subject), r.Outcome, within(r.Reason))
	}
	b.line("What code made of round %d: %s. The receipts:", outcome.Round, outcome.Decision)
	b.fence("receipts", inner.String())
}

// pressed writes what the seat is asked for now.
func (b *brief) pressed() {
	b.lastReply()
	name := "dialectic-" + string(b.ask.Stage)
	if b.ask.Stage == state.StagePropose && b.s.Round > 1 {
		name = "dialectic-revise"
	}
	b.line("%s", text(name))
}
