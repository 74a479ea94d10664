package protocol

import "moot/state"

// userMove implements Format.
func (Council) userMove(u *userAdmission, move UserMove) (handled bool, err error) {
	m, marks := move.(MarkKey)
	if !marks {
		return false, nil
	}
	p := u.s.Live(m.Point)
	if p == nil {
		return true, refuse("unknown-point", "there is no point %q", m.Point)
	}
	return true, u.markKeyOf(p, m.Key, state.User)
}
