package figure

// Role says what a piece of a picture is; who draws it chooses the color.
type Role uint8

// The roles.
const (
	RoleText Role = iota
	// RoleFaint is for what matters less: units, counts, what was refused.
	RoleFaint
	RoleBold
	// RoleBorder is for frames, axes and lines that neither attack nor support.
	RoleBorder
	// RoleSelected is for the frame and the title of the selected box.
	RoleSelected
	// The buckets.
	RoleAgreed
	RoleDismissed
	RoleUnresolved
	RoleNotEvaluated
	RoleOpen
	// RoleAttack and RoleSupport are for lines and their words.
	RoleAttack
	RoleSupport
	// RoleWarn is for what needs attention: a retreat, a rigid seat.
	RoleWarn
	// The seats.
	RoleUser
	RoleOrchestrator
	RoleConsultee
	RoleSeat
)

// Roles returns every Role.
func Roles() []Role {
	return []Role{
		RoleText, RoleFaint, RoleBold, RoleBorder, RoleSelected, RoleAgreed, RoleDismissed, RoleUnresolved,
		RoleNotEvaluated, RoleOpen, RoleAttack, RoleSupport, RoleWarn, RoleUser, RoleOrchestrator, RoleConsultee, RoleSeat,
	}
}

// String returns the role's name.
func (r Role) String() string {
	switch r {
	case RoleText:
		return "text"
	case RoleFaint:
		return "faint"
	case RoleBold:
		return "bold"
	case RoleBorder:
		return "border"
	case RoleSelected:
		return "selected"
	case RoleAgreed:
		return "agreed"
	case RoleDismissed:
		return "dismissed"
	case RoleUnresolved:
		return "unresolved"
	case RoleNotEvaluated:
		return "not-evaluated"
	case RoleOpen:
		return "open"
	case RoleAttack:
		return "attack"
	case RoleSupport:
		return "support"
	case RoleWarn:
		return "warn"
	case RoleUser:
		return "user"
	case RoleOrchestrator:
		return "orchestrator"
	case RoleConsultee:
		return "consultee"
	case RoleSeat:
		return "seat"
	}
	return "unknown"
}

// Run is a text in one role, without control characters.
type Run struct {
	Text string
	Role Role
}

// Row is one line of a picture.
type Row []Run

// Measure returns how many cells a text without control characters takes.
type Measure func(text string) int
