package hearing

import (
	"strings"

	"moot/internal/lists"

	"moot/protocol"
	"moot/state"
)

// Overrides implements Format. Claims are challenged with facts of the packet. Decisions
// that a frozen packet rules out are listed with the reason.
func (Format) Overrides(o protocol.Decisions) []protocol.Override {
	list := protocol.ClaimsBase{}.Overrides(o)
	for i := range list {
		switch one := &list[i]; one.ID {
		case "challenge":
			one.Detail = "facts of the packet contradict it; begin with their ids in brackets, as in [f7 f8]"
		case "evidence":
			one.Why = "the packet is frozen: nobody adds to it; challenge the claim with its facts, or rule on it"
		case "kind":
			one.Why = "every claim of a hearing is about facts"
		case "priorities":
			one.Why = "every claim of a hearing is judged"
		case protocol.OverrideFact:
			one.Detail = "every prompt includes it; it is not in the packet, and no claim can cite it"
		}
	}
	return list
}

// AdmitUser implements Format. The user cites facts in brackets before the text: "[f7] it
// was denied". Brackets without a fact of the packet are text.
func (Format) AdmitUser(base *protocol.UserAdmitter, move protocol.UserMove) error {
	u := protocol.NewClaimsUser(base)
	switch m := move.(type) {
	case protocol.ChallengePoint:
		facts, text, err := leadingFacts(u, m.Objection)
		switch {
		case err != nil:
			return err
		case len(facts) == 0:
			return u.Move(move)
		}
		p, err := u.Point(m.Point)
		if err != nil {
			return err
		}
		return u.Add(&state.ChallengeRaised{
			ID: u.State.NextChallenge(), Point: p.ID, By: state.User, Kind: state.Skeptical, Objection: text,
			UpgradeIf: "an answer that the user accepts", Facts: facts,
		})
	case protocol.AnswerChallenge:
		facts, text, err := leadingFacts(u, m.Text)
		switch {
		case err != nil:
			return err
		case len(facts) == 0 || u.State.Challenge(m.Challenge) == nil:
			return u.Move(move)
		}
		return u.Add(&state.ChallengeAnswered{Challenge: m.Challenge, By: state.User, Text: text, Facts: facts})
	}
	return u.Move(move)
}

// leadingFacts returns the facts at the start of the user's text, and the rest of it. If the packet
// has none of these ids, they are text; if it has only some of them, the move is refused, and so
// are facts without a text.
func leadingFacts(u *protocol.ClaimsUser, text string) (facts []string, rest string, err error) {
	text = strings.TrimSpace(text)
	inner, rest, found := strings.Cut(strings.TrimPrefix(text, "["), "]")
	if !found || !strings.HasPrefix(text, "[") {
		return nil, "", nil
	}
	facts, rest = lists.Distinct(protocol.FactIDs(inner)), strings.TrimLeft(rest, " \t:")
	switch unknown := unknownFacts(u.State, facts); {
	case len(unknown) == len(facts):
		return nil, "", nil
	case len(unknown) > 0:
		return nil, "", protocol.Refuse("outside-packet", "the packet holds no fact %s: nothing was recorded",
			quoted(unknown...))
	case rest == "":
		return nil, "", protocol.Refuse("empty", "say in words what the facts show")
	}
	return facts, rest, nil
}
