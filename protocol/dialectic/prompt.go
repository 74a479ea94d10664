package dialectic

import (
	_ "embed" // for prompts.md
	"fmt"
	"maps"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

//go:embed prompts.md
var prompts string

// text returns an embedded prompt text.
func text(name string) string { return protocol.PromptText(prompts, name) }

// Prompt implements Format. Every prompt contains everything a seat must know. Text of
// other seats is fenced.
func (Format) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	b := claims.NewPrompt(s, ask, prompts, "derived", "severity", "value", "cites")
	role := "role-proposer"
	if ask.Seat == PressureTester {
		role = "role-pressure-tester"
	}
	b.Begin(text("preamble"), text(role))
	b.Commands()
	b.Anchor()
	b.Line("Round %d of %d.", max(s.Round, 1), Configured(s).MaxRounds)
	thresholds(b)
	redFlags(b)
	b.Facts()
	proposal(b)
	coverage(b)
	objections(b, newOutcomes(s))
	items(b)
	receipts(b, Of(s).Last())
	instructions(b)
	return b.Within()
}

// thresholds lists the required confidence by category, and the sources that may decide by
// severity.
func thresholds(b *claims.PromptBuilder) {
	config := Configured(b.State)
	var parts []string
	for _, category := range slices.Sorted(maps.Keys(config.Thresholds)) {
		parts = append(parts, fmt.Sprintf("%s %.2f", plain.OneLine(category), config.Thresholds[category]))
	}
	b.Line("Categories, with the confidence that evidence needs: %s; any other needs the highest.",
		strings.Join(parts, ", "))
	parts = nil
	for _, severity := range gates.Severities() {
		parts = append(parts, string(severity)+": "+strings.Join(enum.Words(config.Allow[severity]), ", "))
	}
	b.Line("Sources that may decide, by severity: %s. A checked passage of a file is %s, or %s if the user named the file so.",
		strings.Join(parts, "; "), ledger.DomainEvidence, ledger.OfficialSource)
}

// redFlags lists the playbook for the pressure-tester.
func redFlags(b *claims.PromptBuilder) {
	book := &SettingsOf(b.State).Playbook
	if len(book.Flags) == 0 || b.Ask.Seat != PressureTester {
		return
	}
	inner := &strings.Builder{}
	for i := range book.Flags {
		f := &book.Flags[i]
		fmt.Fprintf(inner, "%s [%s, %s]: %s\n   look for: %s\n   true if nothing is wrong: %s\n   clears it: %s\n",
			f.ID, plain.OneLine(f.Category), f.Severity, plain.Indent(f.Title), plain.Indent(f.Look),
			plain.Indent(f.Predicate), plain.Indent(f.Clears))
		onlyBy(inner, f.ClearedBy)
	}
	b.Line("Red flags of the playbook %s:", plain.OneLine(book.Name))
	b.Fence("red flags", inner.String())
}

// onlyBy says which source kinds may clear a flag or objection, if not all do that its severity allows.
func onlyBy(inner *strings.Builder, kinds []ledger.SourceKind) {
	if len(kinds) > 0 {
		fmt.Fprintf(inner, "   only evidence of these sources clears it: %s\n", strings.Join(enum.Words(kinds), ", "))
	}
}

// proposal lists the fields.
func proposal(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, p := range b.State.Points.All() {
		f := FieldOf(p)
		if f == nil {
			continue
		}
		if !Proposed(p) {
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
			")").Replace(plain.OneLine(strings.Join(marks, "; "))), plain.Indent(p.Text))
		for _, former := range f.Earlier {
			fmt.Fprintf(inner, "   was %s in round %d\n", plain.Short(string(former.Value)), former.Round)
		}
	}
	b.List("The proposal:", "proposal", inner)
}

// objections lists the objections to fields that are still proposed, with their status.
func objections(b *claims.PromptBuilder, objected *outcomes) {
	inner := &strings.Builder{}
	for _, c := range b.State.Challenges.All() {
		if ObjectionOf(c) == nil || !Proposed(b.State.Point(c.Point)) || c.Status == state.StandsEnded {
			continue
		}
		outcome := objected.Of(c)
		where := outcome.Words("the user")
		if outcome.Outcome == gates.Cleared {
			// Settled objections are shortened.
			fmt.Fprintf(inner, "%s %s on %s, %s: %s\n", c.ID, ObjectionOf(c).Severity, c.Point, where,
				plain.Short(c.Objection))
			continue
		}
		fmt.Fprintf(inner, "%s %s on %s, %s, by %s, round %d, %s: %s\n   would have to be true: %s\n",
			c.ID, ObjectionOf(c).Severity, c.Point, plain.OneLine(ObjectionOf(c).Category), c.By, c.Round, where,
			plain.Indent(c.Objection), plain.Indent(ObjectionOf(c).Predicate))
		if c.UpgradeIf != "" {
			fmt.Fprintf(inner, "   what clears it: %s\n", plain.Indent(c.UpgradeIf))
		}
		onlyBy(inner, clearedBy(b.State, ObjectionOf(c)))
		if len(ObjectionOf(c).Evidence) > 0 {
			fmt.Fprintf(inner, "   evidence: %s\n", plain.OneLine(strings.Join(ObjectionOf(c).Evidence, ", ")))
		}
		if last := c.Last(); last != nil {
			fmt.Fprintf(inner, "   answered by %s: %s\n", last.By, plain.Indent(last.Text))
		}
		for _, r := range b.State.Requests.All() {
			if r.About == c.ID {
				fmt.Fprintf(inner, "   asked for: %s\n", plain.Indent(describe(b.State, r)))
			}
		}
	}
	b.List("Objections:", "objections", inner)
}

// items lists the evidence on fields that are still proposed.
func items(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, item := range b.State.Evidence.All() {
		p := b.State.Point(item.Point)
		if !Proposed(p) {
			continue
		}
		verified := fmt.Sprintf("verified, %s, %.2f", item.SourceKind, item.Confidence)
		if item.Asked {
			verified = fmt.Sprintf(
				"checked, %s, %.2f: %s",
				item.SourceKind,
				item.Confidence,
				plain.OneLine(item.Reason),
			)
		}
		inner.WriteString(claims.EvidenceLine(item, verified))
	}
	b.List("Evidence (checked by code):", "evidence", inner)
}

// receipts shows how code ruled on the last round.
func receipts(b *claims.PromptBuilder, outcome *Resolution) {
	if outcome == nil {
		return
	}
	inner := &strings.Builder{}
	for i := range outcome.Receipts {
		r := &outcome.Receipts[i]
		fmt.Fprintf(inner, "%s %s %s: %s\n", r.Rule, plain.OneLine(r.Subject), r.Outcome, plain.Indent(r.Reason))
	}
	b.Line("The result of round %d: %s. The receipts:", outcome.Round, outcome.Decision)
	b.Fence("receipts", inner.String())
}

// instructions writes what the seat is asked to do now.
func instructions(b *claims.PromptBuilder) {
	b.LastReply()
	name := string(b.Ask.Stage)
	if b.Ask.Stage == state.StagePropose && b.State.Round > 1 {
		name = "revise"
	}
	b.Line("%s", text(name))
	if weigh := claims.DueOf(b.State, b.Ask).Weigh; len(weigh) > 0 {
		b.Line("To accept or contest: %s.", strings.Join(weigh, ", "))
	}
}
