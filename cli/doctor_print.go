package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"moot/agent/doctor"
	"moot/internal/plain"
)

// The columns of a check: its sign and word, and its name.
const (
	wordColumn               = 12
	leastNamed, mostNamed    = 13, 23
	besideColumns            = 60
	mostAbsent, mostListed   = 3, 8
	belowIndent, leastBroken = 4, 12
)

// doctorText is what was found as aligned lines. In little width what was found
// stands below the name.
func (c *Console) doctorText(r *doctorReport) string {
	var out strings.Builder
	named, parts := leastNamed, map[doctor.Part][]doctor.Check{}
	for _, part := range doctor.Parts() {
		parts[part] = partOf(r.Checks, part)
		for i := range parts[part] {
			named = max(named, min(ansi.StringWidth(plain.Line(parts[part][i].Name)), mostNamed))
		}
	}
	for _, part := range doctor.Parts() {
		checks := parts[part]
		if len(checks) == 0 {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString(c.styled(strings.ToUpper(string(part[:1]))+string(part[1:]), ansi.NewStyle().Bold()) + "\n")
		for i := range checks {
			out.WriteString(c.checkText(&checks[i], named))
		}
	}
	if r.Proposal != nil {
		out.WriteString(c.proposalText(r))
	}
	return out.String()
}

// partOf are the checks of a part. Of what this machine was never set up for the first
// few servers are told each, and all else together.
func partOf(all []doctor.Check, part doctor.Part) []doctor.Check {
	var checks, folded []doctor.Check
	place := 0
	for i := range all {
		if all[i].Part != part {
			continue
		}
		place++
		if all[i].Absent && (part == doctor.PartServices || place > mostAbsent) {
			folded = append(folded, all[i])
			continue
		}
		checks = append(checks, all[i])
	}
	if len(folded) < 2 {
		return append(checks, folded...)
	}
	names := make([]string, len(folded))
	for i := range folded {
		names[i] = folded[i].Name
	}
	said := strings.Join(names[:min(len(names), mostListed)], ", ")
	if more := len(names) - mostListed; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	together := doctor.Check{Part: part, Name: "others", Word: doctor.Missing, Found: "not running: " + said}
	if part == doctor.PartServices {
		together.Found, together.Fix = "no key for "+said, folded[0].Fix
	}
	return append(checks, together)
}

// checkText is one check: a sign and a word, the name, what was found, and below it
// what mends it, which is not broken: it is there to be copied.
func (c *Console) checkText(check *doctor.Check, named int) string {
	sign, style := signOf(check.Word)
	found, name := plain.Line(check.Found), plain.Line(check.Name)
	if check.Millis > 0 && check.Asked == nil {
		found += ", " + doctor.Lasted(check.Millis)
	}
	width := c.lineWidth()
	indent := wordColumn + named + 4
	var out strings.Builder
	out.WriteString("  " + c.styled(fmt.Sprintf("%s %-*s", sign, wordColumn-2, check.Word), style) + name)
	if gap := named + 2 - ansi.StringWidth(name); width >= besideColumns && gap > 0 {
		lines := broken(found, width-indent)
		out.WriteString(strings.Repeat(" ", gap) + lines[0] + "\n")
		writeBelow(&out, lines[1:], indent)
	} else {
		if width < besideColumns {
			indent = belowIndent
		}
		out.WriteString("\n")
		writeBelow(&out, broken(found, width-indent), indent)
	}
	if check.Fix != "" && check.Word != doctor.OK {
		out.WriteString(strings.Repeat(" ", indent) + c.styled("→ "+plain.Line(check.Fix), ansi.NewStyle().ForegroundColor(ansi.Cyan)) + "\n")
	}
	return out.String()
}

// lineWidth is where lines are broken: nowhere where they go to a file or a program.
func (c *Console) lineWidth() int {
	if c.Width == 0 {
		return math.MaxInt
	}
	return c.Width
}

// writeBelow writes lines under one another.
func writeBelow(out *strings.Builder, lines []string, indent int) {
	for _, line := range lines {
		out.WriteString(strings.Repeat(" ", indent) + line + "\n")
	}
}

// broken breaks a text at its words, and a word that is too long where it must be.
func broken(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(width, leastBroken), ""), "\n")
}

// signOf is the sign of a word, and its color.
func signOf(w doctor.Word) (string, ansi.Style) {
	style := ansi.NewStyle()
	switch w {
	case doctor.OK:
		return "✓", style.ForegroundColor(ansi.Green)
	case doctor.Missing:
		return "–", style.Faint()
	case doctor.Broken:
		return "✗", style.ForegroundColor(ansi.Red)
	case doctor.Untried:
		return "·", style.ForegroundColor(ansi.Yellow)
	}
	return " ", style
}

// styled is a text in color where standard output has some.
func (c *Console) styled(text string, style ansi.Style) string {
	if !c.OutTerminal || colorprofile.Env(c.Environ) <= colorprofile.ASCII {
		return text
	}
	return style.Styled(text)
}

// proposalText names the two participants and the command line.
func (c *Console) proposalText(r *doctorReport) string {
	p := r.Proposal
	width := c.lineWidth()
	said := "Two that can take the seats: " + p.Orchestrator + " judges, " + p.Consultee + " answers. " + p.Why + "."
	switch {
	case p.Configured:
		said = "Where nobody is named, " + p.Orchestrator + " judges and " + p.Consultee + " answers (" + p.Why + ")."
	case p.Orchestrator == rulesName && p.Consultee == rulesName:
		said = "No model can take a seat yet: rules, which are no language model, take both."
	case p.Orchestrator == p.Consultee:
		said = "One model that works: " + p.Consultee + " takes both seats. A second model is better."
	}
	out := "\n" + strings.Join(broken(plain.Line(said), width), "\n") + "\n\n"
	words := make([]string, len(p.Command))
	for i, word := range p.Command {
		words[i] = plain.ShellWord(word)
	}
	out += "  " + strings.Join(words, " ") + "\n"
	if !r.OK {
		out += "\n" + strings.Join(broken("Something that is configured is broken: see ✗ above.", width), "\n") + "\n"
	}
	return out
}
