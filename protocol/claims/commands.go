package claims

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/state"
)

// The answers to the question whether a command may run, and the About prefix of that question.
const (
	AboutRun     = "run "
	answerOnce   = string(ledger.ApprovalOnce)
	answerAlways = string(ledger.ApprovalAlways)
	answerNever  = string(ledger.ApprovalNever)
)

// ApproveCommands decides on the commands that were offered as evidence: by the user's decisions,
// then by the patterns that the run was started with. Otherwise it asks the user, or refuses the
// command in an unattended run. The session does not wait for the answer. Every format with
// evidence uses it.
func ApproveCommands(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: s}
	var patterns []ledger.CommandPattern
	for _, text := range s.AllowedCommands {
		if p, err := ledger.ParseCommandPattern(text); err == nil {
			patterns = append(patterns, p)
		}
	}
	for _, id := range s.Commands {
		item := s.Item(id)
		if item.Verified || item.Run != nil || !item.NeedsApproval() {
			continue
		}
		d.Try(0, func() error { return approve(d, item, patterns) })
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// approve decides on one command without asking, if it can, or else asks.
func approve(d *protocol.Draft, item *ledger.Evidence, patterns []ledger.CommandPattern) error {
	text := item.Command()
	command, err := ledger.ParseCommand(item.Reference)
	approved := &state.CommandApproved{Evidence: item.ID, Command: text, By: state.Protocol}
	rule := d.State.CommandRule(text)
	allowed := -1
	if !item.Kind.Patch { // It runs what the patch says, so its command alone shows nothing.
		allowed = slices.IndexFunc(patterns, func(p ledger.CommandPattern) bool { return p.Matches(command) })
	}
	asked := d.State.Questions.Any(func(q *state.Question) bool { return q.About == AboutRun+item.ID && !q.Answered })
	switch {
	case err != nil:
		return refuseCommand(d, item, err.Error())
	case d.State.Settings.Workspace == "":
		return refuseCommand(d, item, "commands run in the workspace, and the session has none")
	case rule == ledger.ApprovalNever:
		return refuseCommand(d, item, "the user refused this command for the session")
	case rule == ledger.ApprovalAlways:
		approved.Decision = ledger.ApprovalAlways
		return d.Add(approved)
	case allowed >= 0:
		approved.Decision, approved.Pattern = ledger.ApprovalPattern, patterns[allowed].String()
		return d.Add(approved)
	case item.Kind.Patch && d.State.AllowedTrials:
		approved.Decision, approved.Pattern = ledger.ApprovalPattern, allowTry
		return d.Add(approved)
	case !d.State.Settings.Attended && item.Kind.Patch && d.State.Unconfined != "":
		return refuseCommand(d, item, "a trial runs code of a model, and commands are not confined: "+
			d.State.Unconfined+"; only a person may approve it, so "+allowTry+" does not")
	case !d.State.Settings.Attended && item.Kind.Patch:
		return refuseCommand(d, item, "nobody was there to approve the trial; allow trials of patches with "+allowTry)
	case !d.State.Settings.Attended:
		quoted := "'" + strings.ReplaceAll(command.String(), "'", `'\''`) + "'"
		return refuseCommand(d, item, "nobody was there to approve the command; allow it with --allow-command "+quoted)
	case !item.Checked && !asked:
		return d.Add(&state.QuestionSurfaced{
			ID: d.State.NextQuestion(), Point: item.Point, What: state.QuestionApproval, About: AboutRun + item.ID,
			Options: []string{answerOnce, answerAlways, answerNever},
			Text: fmt.Sprintf("%s %s%s as evidence %s %s: %s (expected: %s). Run it?",
				item.OfferedBy, wouldRun(item), where(item), Bearing(item.Relation), item.Point,
				plain.Exact(item.Reference), plain.Exact(item.Expect)),
		})
	}
	return nil
}

// allowTry is the flag that lets trials run without asking.
const allowTry = "--allow-try"

// wouldRun says what the seat of a command wants.
func wouldRun(item *ledger.Evidence) string {
	switch {
	case item.Patch != "":
		return "would run this without and with its patch (" + plain.Exact(item.Tried()) + ") in copies of your workspace"
	case item.Asked:
		return "asks for a run of this"
	}
	return "would run this"
}

// where says where a command runs. The checkers of other kinds decide that themselves.
func where(item *ledger.Evidence) string {
	if item.Kind == ledger.CommandKind() {
		return " in your workspace"
	}
	return ""
}

// Bearing is the preposition for a relation: "for", "against" or "on".
func Bearing(r ledger.Relation) string {
	switch r {
	case ledger.Supports:
		return "for"
	case ledger.Refutes:
		return "against"
	case ledger.Neutral:
	}
	return "on"
}

// refuseCommand refuses a command that does not run, once.
func refuseCommand(d *protocol.Draft, item *ledger.Evidence, reason string) error {
	if item.Checked {
		return nil
	}
	return d.Add(&state.EvidenceRefused{ID: item.ID, Reason: reason})
}

// RefuseUnapproved refuses the undecided commands when the session closes, and withdraws their
// questions.
func RefuseUnapproved(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: s}
	for _, id := range s.Commands {
		if item := s.Item(id); !item.Checked {
			d.Try(0, func() error {
				return refuseCommand(d, item, "the session closed before the command was approved")
			})
		}
	}
	questions, _ := protocol.WithdrawQuestions(s, protocol.AnswerEnded, IsRun)
	events := slices.Concat(d.Events, questions.Events)
	return protocol.Turn{Events: events}, len(events) > 0
}

// answerRun records the user's decision on a command: once, always in this session, or never. A
// later decision replaces an earlier one.
func (u *UserAdmitter) answerRun(q *state.Question, answer string) error {
	item := u.State.Item(strings.TrimPrefix(q.About, AboutRun))
	if item == nil {
		return protocol.Refuse("unknown-evidence", "the command of %s is not known", q.ID)
	}
	decision := runDecision(answer)
	switch decision { //nolint:exhaustive // the others are no answers
	case ledger.ApprovalOnce, ledger.ApprovalAlways, ledger.ApprovalNever:
		return u.Add(&state.CommandApproved{
			Evidence: item.ID, Command: item.Command(), Decision: decision,
			By: state.User,
		})
	}
	return protocol.Refuse(
		"approval",
		"a command is approved once or always, or never: %q is none of these",
		plain.Short(answer),
	)
}

// runDecision reads an answer to the question whether a command may run.
func runDecision(answer string) ledger.Approval {
	answer = strings.TrimSpace(answer)
	switch {
	case yes(answer):
		return ledger.ApprovalOnce
	case strings.EqualFold(answer, "no"), strings.EqualFold(answer, "refuse"):
		return ledger.ApprovalNever
	}
	return ledger.Approval(strings.ToLower(answer))
}

// LookupOf returns the lookup of a reference that a request asks for: "SEARCH text", "LIST glob" or "READ path:line".
// A query that is no regular expression is sought as it is, in any case of letters.
func LookupOf(reference string) (move.Move, error) {
	word, what, _ := strings.Cut(strings.TrimSpace(reference), " ")
	what = strings.TrimSpace(what)
	switch kind := move.Kind(word); {
	case what == "":
	case kind == move.KindSearch:
		return &move.Search{Query: what}, nil
	case kind == move.KindList:
		return &move.List{Glob: what}, nil
	case kind == move.KindRead:
		e := move.LookedUp(&move.Read{Path: what})
		return &move.Read{Path: e.Path, From: e.From, To: max(e.To, e.From)}, nil
	}
	return nil, fmt.Errorf(
		"%q is no lookup; write SEARCH and a text, LIST and a glob, or READ and a path:line",
		plain.Short(reference),
	)
}

// Examined returns the document under examination that a place lies in, or "" (RV4).
func Examined(s *state.State, place string) string {
	return examined(s, &ledger.Finding{Reference: place})
}

// IsRun reports whether the question asks to approve a command.
func IsRun(q *state.Question) bool {
	return q.Kind == state.QuestionApproval && strings.HasPrefix(q.About, AboutRun)
}

// NeedsReading reports whether an answer lets a command run, which the user must have seen whole.
func NeedsReading(q *state.Question, answer string) bool {
	if n := protocol.OptionIndex(strings.TrimSpace(answer), len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	return IsRun(q) && runDecision(answer).Allows()
}
