package protocol

import (
	"strings"

	"moot/resolver/hearing"
	"moot/state"
)

// userMove implements Format: the user cites facts as the seats do, in brackets before
// the text, "[f7] it was denied". What names no fact of the packet is text.
func (Hearing) userMove(u *userAdmission, move UserMove) (handled bool, err error) {
	switch m := move.(type) {
	case ChallengePoint:
		facts, text := u.citing(m.Objection)
		if len(facts) == 0 {
			return false, nil
		}
		p, err := u.point(m.Point)
		if err != nil {
			return true, err
		}
		if err := u.inPacket(facts, text); err != nil {
			return true, err
		}
		return true, u.add(&state.ChallengeRaised{
			ID: u.nextChallenge(), Point: p.ID, By: state.User, What: state.Skeptical, Objection: text, UpgradeIf: "an answer that the user accepts", Facts: facts,
		})
	case AnswerChallenge:
		facts, text := u.citing(m.Text)
		c := u.s.Challenge(m.Challenge)
		if len(facts) == 0 || c == nil {
			return false, nil
		}
		if err := u.inPacket(facts, text); err != nil {
			return true, err
		}
		return true, u.add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: text, Facts: facts})
	}
	return false, nil
}

// citing are the facts that a text of the user's begins with, and the text behind
// them; none where the packet holds none of them.
func (u *userAdmission) citing(text string) (facts []string, rest string) {
	text = strings.TrimSpace(text)
	inner, rest, found := strings.Cut(strings.TrimPrefix(text, "["), "]")
	if !found || !strings.HasPrefix(text, "[") {
		return nil, text
	}
	facts = hearing.Distinct(factIDs(inner))
	if len(u.s.Hearing.UnknownFacts(facts)) == len(facts) {
		return nil, text
	}
	return facts, strings.TrimLeft(rest, " \t:")
}

// inPacket refuses what the packet does not hold, and facts without a text.
func (u *userAdmission) inPacket(facts []string, text string) error {
	if unknown := u.s.Hearing.UnknownFacts(facts); len(unknown) > 0 {
		return refuse("outside-packet", "the packet holds no fact %s: nothing was recorded", strings.Join(quoted(unknown), ", "))
	}
	if strings.TrimSpace(text) == "" {
		return refuse("empty", "say in words what the facts show")
	}
	return nil
}
