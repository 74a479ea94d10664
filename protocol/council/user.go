package council

import (
	"moot/protocol"
	"moot/state"
)

// UserMove implements Format.
func (Format) UserMove(u *protocol.UserAdmitter, move protocol.UserMove) (handled bool, err error) {
	m, marks := move.(protocol.MarkKey)
	if !marks {
		return false, nil
	}
	p := u.State.Live(m.Point)
	if p == nil {
		return true, protocol.Refuse("unknown-point", "there is no point %q", m.Point)
	}
	return true, markKeyOf(u.Draft, p, m.Key, state.User)
}
