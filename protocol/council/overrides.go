package council

import (
	"slices"

	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Overrides implements protocol.Format.
func (Format) Overrides(o protocol.Decisions) []protocol.Override {
	first, rest := o.OnQuestions()
	return slices.Concat(o.SelectedFact(), first, o.OnPoints(), []protocol.Override{key(o)}, o.OnChallenges(),
		o.OnFacts(), rest, o.SessionOverrides(), o.Answered())
}

// key marks a claim as a key claim, or unmarks it.
func key(o protocol.Decisions) protocol.Override {
	return o.OnPoint("claim", func(id string) protocol.Override {
		key := true
		p := o.Live(id)
		if p != nil {
			id, key = p.ID, !p.Key
		}
		override := protocol.Override{
			ID: "key", About: id, Title: "mark % as key",
			Detail: "much depends on it: it needs verified evidence of two sources (CV1)",
			Build: func(view.Values) ([]protocol.UserMove, string, error) {
				if key {
					return protocol.SingleMove(protocol.MarkKey{Point: id, Key: true},
						id+" is a key claim: it needs two sources")
				}
				return protocol.SingleMove(protocol.MarkKey{Point: id}, id+" is not a key claim any more")
			},
		}
		switch {
		case id == "":
			return override
		case key:
			override.Title = "mark " + id + " as key"
		default:
			override.Title, override.Detail = "unmark "+id+" as key", "verified evidence of one source is enough (CV1)"
		}
		override.Why = o.Refusal(protocol.MarkKey{Point: id, Key: key})
		return override
	})
}

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
