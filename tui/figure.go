package tui

import (
	"strings"

	"moot/figure"
	"moot/state"
)

// role is the style of a piece of a picture.
func (l *look) role(r figure.Role) style {
	switch r {
	case figure.RoleText:
		return l.text
	case figure.RoleFaint:
		return l.faint
	case figure.RoleBold:
		return l.bold
	case figure.RoleBorder:
		return l.border
	case figure.RoleSelected:
		return l.accent
	case figure.RoleAgreed:
		return l.agreed
	case figure.RoleDismissed:
		return l.dismissed
	case figure.RoleUnresolved:
		return l.unresolved
	case figure.RoleNotEvaluated:
		return l.notEvaluated
	case figure.RoleOpen:
		return l.open
	case figure.RoleAttack:
		return l.attack
	case figure.RoleSupport:
		return l.support
	case figure.RoleWarn:
		return l.warn
	case figure.RoleUser:
		return l.user
	case figure.RoleOrchestrator:
		return l.orchestrator
	case figure.RoleConsultee:
		return l.consultee
	case figure.RoleSeat:
		return l.seat
	}
	return l.text
}

// painted draws the rows of a picture, which are as wide as they should be
// already.
func (l *look) painted(rows []figure.Row) []string {
	lines := make([]string, len(rows))
	var b strings.Builder
	for i, row := range rows {
		b.Reset()
		for _, run := range row {
			b.WriteString(l.role(run.Role).paint(run.Text))
		}
		lines[i] = b.String()
	}
	return lines
}

// itemText is what an item says in a line, by its id: a point, a challenge, an
// evidence item, a fact; "" for none.
func itemText(s *state.State, id string) string {
	if p := s.Point(id); p != nil {
		return p.ID + " " + p.Text
	}
	if c := s.Challenge(id); c != nil {
		return c.ID + " " + challengeAbout(c) + ": " + c.Objection
	}
	if e := s.Item(id); e != nil {
		return e.ID + " " + string(e.Relation) + " " + e.Point + ": " + e.Reference + " " + e.Excerpt
	}
	if f := s.Fact(id); f != nil {
		return f.ID + " " + f.Text
	}
	return ""
}
