package report

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
)

// councilWarnings are where the moderator said what the rules do not bear out, key
// claims that do not stand, what makes agreement cheap, and what a consultation
// warns of.
func councilWarnings(s *state.State) []string {
	var warnings []string
	for i := range s.Council.Tested {
		if test := &s.Council.Tested[i]; test.Contradicted() {
			warnings = append(warnings, fmt.Sprintf("moderator: in round %d %s", test.Round, contradiction(test)))
		}
	}
	if s.Over() {
		warnings = append(warnings, fallenKeys(s)...)
	}
	settings := s.CouncilSettings()
	if s.Settings.Council != nil && checked(&settings.Constitution) == 0 {
		warnings = append(warnings, fmt.Sprintf(
			"constitution: code checks nothing of %s; that no claim violates it says nothing (CV3)",
			plain.Line(orUnnamed(settings.Constitution.Name))))
	}
	return append(warnings, consultWarnings(s)...)
}

func orUnnamed(name string) string {
	if name == "" {
		return "the constitution"
	}
	return name
}

// contradiction says in plain words how the moderator's report and the rules differ.
func contradiction(test *state.Consensus) string {
	switch {
	case !test.Contradicted():
		return ""
	case test.Reached:
		return "it reported that there is no agreement, and the rules find consensus: no live claim is unsettled; " +
			"the rules decide"
	}
	return fmt.Sprintf("it reported agreement, and the rules find none: %s not settled; the rules decide",
		areOrIs(test.Unsettled))
}

// areOrIs are ids with their verb.
func areOrIs(ids []string) string {
	if len(ids) == 1 {
		return ids[0] + " is"
	}
	return strings.Join(ids, ", ") + " are"
}

// fallenKeys name the key claims that do not stand in the end.
func fallenKeys(s *state.State) []string {
	var warnings []string
	for _, p := range s.Points.All() {
		if !p.Key || p.MergedInto != "" || p.RevisedBy != "" {
			continue
		}
		if ruling, _ := resolver.RuleOne(*s, p.ID); ruling.Bucket != state.BucketAgreed {
			warnings = append(warnings, fmt.Sprintf("key claim: much rests on %s, and it ended %s", p.ID,
				bucketName(ruling.Bucket)))
		}
	}
	return warnings
}

// checked counts the constraints that code looks after.
func checked(c *state.Constitution) int {
	n := 0
	for _, one := range c.Constraints {
		if one.Check != state.CheckNone {
			n++
		}
	}
	return n
}
