package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// The answers to the question whether a command may run, and what marks it.
const (
	aboutRun     = "run "
	answerOnce   = string(ledger.ApprovalOnce)
	answerAlways = string(ledger.ApprovalAlways)
	answerNever  = string(ledger.ApprovalNever)
)

// approving decides on the commands that were offered as evidence: by what the
// user decided of them, by the patterns that the run was started with, else the
// user is asked; where nobody attends they are refused. Nothing else waits on
// that. It serves every format that takes evidence.
func approving(s *state.State) (Turn, bool) {
	d := &draft{s: *s}
	patterns := patternsOf(s.AllowedCommands)
	for _, id := range s.Commands {
		item := s.Item(id)
		if item.Verified || item.Run != nil || !item.NeedsApproval() {
			continue
		}
		d.try(0, func() error { return d.approve(item, patterns) })
	}
	return Turn{Events: d.events}, len(d.events) > 0
}

func patternsOf(texts []string) []ledger.CommandPattern {
	var patterns []ledger.CommandPattern
	for _, text := range texts {
		if p, err := ledger.ParseCommandPattern(text); err == nil {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// approve decides on one command, as far as it can be decided without asking.
func (d *draft) approve(item *ledger.Evidence, patterns []ledger.CommandPattern) error {
	text := commandOf(item)
	command, err := ledger.ParseCommand(text)
	approved := &state.CommandApproved{Evidence: item.ID, Command: text, By: state.Protocol}
	rule := d.s.CommandRule(text)
	allowed := slices.IndexFunc(patterns, func(p ledger.CommandPattern) bool { return p.Matches(command) })
	switch {
	case err != nil:
		return d.refuseCommand(item, err.Error())
	case d.s.Settings.Workspace == "":
		return d.refuseCommand(item, "commands run in the workspace, and the session has none")
	case rule == ledger.ApprovalNever:
		return d.refuseCommand(item, "the user refused this command for the session")
	case rule == ledger.ApprovalAlways:
		approved.Decision = ledger.ApprovalAlways
		return d.add(approved)
	case allowed >= 0:
		approved.Decision, approved.Pattern = ledger.ApprovalPattern, patterns[allowed].String()
		return d.add(approved)
	case !d.s.Settings.Attended:
		return d.refuseCommand(item, "nobody was there to approve the command; allow it with "+allowFlag(command))
	case !item.Checked && !askedToRun(&d.s, item.ID):
		return d.add(&state.QuestionSurfaced{
			ID: d.nextQuestion(), Point: item.Point, What: state.QuestionApproval, About: aboutRun + item.ID,
			Options: []string{answerOnce, answerAlways, answerNever},
			Text: fmt.Sprintf("%s would run this in your workspace as evidence %s %s: %s (expected: %s). Run it?",
				item.OfferedBy, bearing(item.Relation), item.Point, item.Reference, item.Expect),
		})
	}
	return nil
}

func bearing(r ledger.Relation) string {
	switch r {
	case ledger.Supports:
		return "for"
	case ledger.Refutes:
		return "against"
	case ledger.Neutral:
	}
	return "on"
}

// commandOf is an item's command in its normal form.
func commandOf(item *ledger.Evidence) string { return strings.TrimPrefix(item.Reference, "$ ") }

// allowFlag is the flag that allows exactly a command, as it is typed.
func allowFlag(c ledger.Command) string {
	return "--allow-command '" + strings.ReplaceAll(c.String(), "'", `'\''`) + "'"
}

// refuseCommand refuses a command that does not run, once.
func (d *draft) refuseCommand(item *ledger.Evidence, reason string) error {
	if item.Checked {
		return nil
	}
	return d.add(&state.EvidenceRefused{ID: item.ID, Reason: reason})
}

// askedToRun reports whether the user was asked about an item and has not answered.
func askedToRun(s *state.State, item string) bool {
	for _, q := range s.Questions.All() {
		if q.About == aboutRun+item && !q.Answered {
			return true
		}
	}
	return false
}

// unapproved refuses the commands that were not decided on when the session
// closes, and takes their questions back.
func unapproved(s *state.State) (Turn, bool) {
	d := &draft{s: *s}
	for _, id := range s.Commands {
		if item := s.Item(id); !item.Checked {
			d.try(0, func() error {
				return d.refuseCommand(item,
					"the session closed before the command was approved")
			})
		}
	}
	for _, q := range s.Questions.All() {
		if strings.HasPrefix(q.About, aboutRun) && !q.Answered {
			d.try(0, func() error {
				return d.add(&state.QuestionAnswered{ID: q.ID, By: state.Protocol, Answer: "the session ended"})
			})
		}
	}
	return Turn{Events: d.events}, len(d.events) > 0
}

// answerRun is the user's decision on a command: for this once, for the session,
// or against it. A later one undoes an earlier.
func (u *userAdmission) answerRun(q *state.Question, answer string) error {
	item := u.s.Item(strings.TrimPrefix(q.About, aboutRun))
	if item == nil {
		return refuse("unknown-evidence", "the command of %s is not known", q.ID)
	}
	decision := ledger.Approval(strings.ToLower(answer))
	switch {
	case yes(answer):
		decision = ledger.ApprovalOnce
	case strings.EqualFold(answer, "no"), strings.EqualFold(answer, "refuse"):
		decision = ledger.ApprovalNever
	}
	switch decision { //nolint:exhaustive // the others are no answers
	case ledger.ApprovalOnce, ledger.ApprovalAlways, ledger.ApprovalNever:
		return u.add(&state.CommandApproved{
			Evidence: item.ID, Command: commandOf(item), Decision: decision,
			By: state.User,
		})
	}
	return refuse("approval", "a command is approved once or always, or never: %q is none of these", clip(answer))
}

// proposal brings a citation that is a command into its normal form: the
// reference "$ " and the command, the quote what is expected.
func proposal(c Citation) (Citation, error) {
	if !ledger.IsCommand(c.Reference) {
		return c, nil
	}
	// The form for lines, in the place of the reference alone.
	text, _, _ := ledger.CutProposal(c.Reference)
	command, err := ledger.ParseCommand(text)
	if err != nil {
		return c, refuse("no-command", "%s", err)
	}
	expected, err := ledger.ParseExpectation(c.Quote)
	if err != nil {
		return c, refuse("no-expectation", "%s", err)
	}
	c.Reference, c.Quote = command.Reference(), expected.String()
	return c, nil
}
