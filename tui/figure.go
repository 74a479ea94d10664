package tui

import (
	"strings"

	"moot/figure"
	"moot/state"
)

// role is the style of a piece of a picture.
func (l *look) role(r figure.Role) style {
	return [...]style{
		figure.RoleText: l.text, figure.RoleFaint: l.faint, figure.RoleBold: l.bold, figure.RoleBorder: l.border,
		figure.RoleSelected: l.accent, figure.RoleAgreed: l.agreed, figure.RoleDismissed: l.dismissed,
		figure.RoleUnresolved: l.unresolved, figure.RoleNotEvaluated: l.notEvaluated, figure.RoleOpen: l.open,
		figure.RoleAttack: l.attack, figure.RoleSupport: l.support, figure.RoleWarn: l.warn, figure.RoleUser: l.user,
		figure.RoleOrchestrator: l.orchestrator, figure.RoleConsultee: l.consultee, figure.RoleSeat: l.seat,
	}[r]
}

// painted draws the rows of a picture.
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
