package hearing

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Overrides implements Format. Claims are challenged with facts of the packet. Decisions
// that a frozen packet rules out are listed with the reason.
func (Format) Overrides(o protocol.Decisions) []protocol.Override {
	list := o.Claims()
	for i := range list {
		switch one := &list[i]; one.ID {
		case "challenge":
			*one = o.OnPoint("point", func(point string) protocol.Override { return contradictForm(o, point) })
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

// contradictForm cites facts of the packet against a claim.
func contradictForm(o protocol.Decisions, point string) protocol.Override {
	override := protocol.Override{
		ID: "challenge", About: point, Title: "challenge %", Heading: "Cite facts against " + point,
		Detail: "facts of the packet that contradict it, which must be answered",
		Fields: []view.Field{
			{Key: "facts", Label: "Facts", Required: true, Placeholder: "f07 f08", Help: "The ids of facts of the packet. View 6 lists them."},
			{Key: "objection", Label: "They show", Kind: view.FieldText, Required: true, Help: "How they contradict it, in one sentence."},
		},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			ids := strings.FieldsFunc(v["facts"], func(r rune) bool { return strings.ContainsRune(" ,;[]\n\t", r) })
			if unknown := o.Hearing.UnknownFacts(ids); len(unknown) > 0 {
				return protocol.WrongField("facts", "the packet has no fact %s", strings.Join(unknown, ", "))
			}
			objection := fmt.Sprintf("[%s] %s", strings.Join(ids, ", "), v["objection"])
			move := protocol.ChallengePoint{Point: point, Class: state.Skeptical, Objection: objection}
			return protocol.One(move, plain.Counted(len(ids), "fact")+" cited against "+point+", by you")
		},
	}
	if point != "" {
		override.Title = "challenge " + point
	}
	return override
}
