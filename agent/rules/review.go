package rules

import (
	"fmt"
	"strings"

	"moot/agent/rules/redflag"
	"moot/internal/plain"
	"moot/protocol/review"
)

// find reviews a change by the patterns of the playbook. It raises each place of a red flag as a finding, and says that
// it is one of a pattern: nobody read the code.
func (t *turn) find() error {
	settings := review.SettingsOf(t.s)
	var whole strings.Builder
	for i := range settings.Change.Files {
		whole.WriteString(settings.Change.Files[i].Diff)
	}
	diffs := []string{whole.String()}
	if whole.Len() > redflag.MaxDiff {
		diffs = diffs[:0]
		for i := range settings.Change.Files {
			diffs = append(diffs, settings.Change.Files[i].Diff)
		}
	}
	checked := 0
	for i := range settings.Playbook.Flags {
		if len(settings.Playbook.Flags[i].Checks) > 0 {
			checked++
		}
	}
	by := fmt.Sprintf("found by a pattern of the playbook %s, not by reading", plain.OneLine(settings.Playbook.Name))
	for _, diff := range diffs {
		if strings.TrimSpace(diff) == "" {
			continue
		}
		change, err := redflag.ReadDiff("change.diff", []byte(diff))
		if err != nil {
			t.note(plain.Line(plain.Clip(err.Error(), quoted)))
			continue
		}
		change.Redacted = t.source.redactor != nil
		found, err := redflag.Find(t.ctx, t.redactor, &settings.Playbook, change, nil)
		if err != nil {
			return err
		}
		for _, f := range found {
			flag := settings.Playbook.Flag(f.Flag)
			t.add(&review.FindingMove{
				Path: f.Path, Line: f.Line, End: f.Line, Severity: string(flag.Severity),
				What: strings.TrimRight(flag.Title+": "+f.What, ". "), Why: by + "; cleared by " + flag.Clears,
			})
		}
	}
	if len(t.moves) == 0 {
		t.add(&review.NoFindings{Text: fmt.Sprintf("no pattern matched; %d of the %d red flags of %s have patterns", checked,
			len(settings.Playbook.Flags), plain.OneLine(settings.Playbook.Name))})
	}
	return nil
}
