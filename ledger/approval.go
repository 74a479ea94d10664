package ledger

import "moot/internal/enum"

// Approval is the state of an evidence item that needs the permission of the user before it is checked: a command.
type Approval string

// The approvals. Items that need none have the first.
const (
	ApprovalNone Approval = ""
	// ApprovalWaiting: nobody has decided.
	ApprovalWaiting Approval = "waiting"
	// ApprovalOnce: the user allowed this one item.
	ApprovalOnce Approval = "once"
	// ApprovalAlways: the user allowed this exact command in this session.
	ApprovalAlways Approval = "always"
	// ApprovalPattern: a pattern that the run was started with allows it.
	ApprovalPattern Approval = "pattern"
	// ApprovalNever: the user refused this exact command in this session.
	ApprovalNever Approval = "never"
)

// Approvals returns every Approval.
func Approvals() []Approval {
	return []Approval{ApprovalNone, ApprovalWaiting, ApprovalOnce, ApprovalAlways, ApprovalPattern, ApprovalNever}
}

// UnmarshalText refuses a word that is neither an Approval nor "".
func (a *Approval) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*a = ApprovalNone
		return nil
	}
	return enum.Unmarshal("approval", text, Approvals(), a)
}

// Allows reports whether a command with this approval may run.
func (a Approval) Allows() bool {
	return a == ApprovalOnce || a == ApprovalAlways || a == ApprovalPattern
}

// Run is how a command ran.
type Run struct {
	// ExitCode is 0 to 255, or -1 where the command was ended before it exited.
	ExitCode int `json:"exit_code"`
	// Milliseconds is how long it ran.
	Milliseconds int `json:"milliseconds"`
	// OutputBytes is how much it wrote, of which the excerpt may hold a part.
	OutputBytes int `json:"output_bytes"`
}
