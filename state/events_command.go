package state

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
)

// CommandRule is the user's decision about a command for the whole session.
type CommandRule struct {
	// Command is the normal form, without "$ ".
	Command  string
	Decision ledger.Approval
	// Seq is the place of the decision.
	Seq int
}

// CommandRule returns the user's last decision about a command in its normal form:
// ApprovalAlways, ApprovalNever, or ApprovalNone if the user must be asked. A fork is
// another session: it does not inherit the commands that may always run.
func (s *State) CommandRule(command string) ledger.Approval {
	for _, r := range slices.Backward(s.CommandRules) {
		switch {
		case r.Command != command:
			continue
		case r.Decision == ledger.ApprovalNever, r.Decision == ledger.ApprovalAlways && r.Seq > s.Fork.Seq:
			return r.Decision
		}
		return ledger.ApprovalNone
	}
	return ledger.ApprovalNone
}

// CommandApproved is the decision on one command that was offered as evidence:
// by the user, or by code where the user decided before.
type CommandApproved struct {
	// Evidence is the item, Command its command in the normal form.
	Evidence string `json:"evidence"`
	Command  string `json:"command"`
	// Decision is once, always, never or pattern.
	Decision ledger.Approval `json:"decision"`
	// Pattern is the pattern that allows it, or "".
	Pattern string `json:"pattern"`
	By      Seat   `json:"by"`
}

// Kind implements Payload.
func (*CommandApproved) Kind() string { return "command-approved" }

// Fold implements Payload.
func (e *CommandApproved) Fold(s *State) error {
	item := s.Item(e.Evidence)
	switch {
	case item == nil:
		return unknown("evidence item", e.Evidence)
	case item.Approval == ledger.ApprovalNone || item.Reference != "$ "+e.Command:
		return fmt.Errorf("%s is not the command %q", e.Evidence, e.Command)
	case !e.Decision.Allows() && e.Decision != ledger.ApprovalNever:
		return fmt.Errorf("%q is no decision on a command", e.Decision)
	}
	if e.By == User {
		s.CommandRules = append(slices.Clip(s.CommandRules),
			CommandRule{Command: e.Command, Decision: e.Decision, Seq: s.Seq})
	}
	if item.Run != nil {
		// It has run: the decision is for the next time.
		return nil
	}
	s.Evidence = s.Evidence.Update(index(e.Evidence, 'E'), func(i *evidence) {
		i.Approval = e.Decision
		if e.Decision.Allows() {
			// A refusal for want of leave is void.
			i.Checked, i.Reason = false, ""
		}
	})
	s.touchPoint(item.Point, nil)
	return nil
}

// Words says the decision, without the command.
func (e *CommandApproved) Words() string {
	switch e.Decision {
	case ledger.ApprovalOnce:
		return "approved once"
	case ledger.ApprovalAlways:
		return "approved for the session"
	case ledger.ApprovalPattern:
		return "allowed by " + e.Pattern
	case ledger.ApprovalNever:
		return "refused for the session"
	case ledger.ApprovalNone, ledger.ApprovalWaiting:
	}
	return "a decision on a command"
}

// lapseApprovals revokes the approval of commands that had not finished when the session was
// resumed: they may have been interrupted halfway.
func (s *State) lapseApprovals() {
	for _, id := range s.Commands {
		if item := s.Item(id); item.Approval.Allows() && !item.Checked {
			s.Evidence = s.Evidence.Update(index(id, 'E'), func(i *evidence) { i.Approval = ledger.ApprovalWaiting })
		}
	}
}

// CommandsAllowed says which commands may run without being asked for, from now
// on; it replaces what was allowed so before.
type CommandsAllowed struct {
	// Patterns are of words, with * for one and ... for the rest.
	Patterns []string `json:"patterns"`
	By       Seat     `json:"by"`
}

// Kind implements Payload.
func (*CommandsAllowed) Kind() string { return "commands-allowed" }

// Fold implements Payload.
func (e *CommandsAllowed) Fold(s *State) error {
	if e.By != User {
		return errors.New("only the user allows commands")
	}
	s.AllowedCommands = slices.Clone(e.Patterns)
	return nil
}

// Words says which commands may run.
func (e *CommandsAllowed) Words() string {
	if len(e.Patterns) == 0 {
		return "none may run unasked"
	}
	return "these may run unasked: " + strings.Join(e.Patterns, "; ")
}
