package lab

import (
	"context"
	"fmt"
	"hash/fnv"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/state"
)

// arguer takes any seat of a hearing. What it says follows from the packet, the seat and
// the round alone.
type arguer struct {
	seat state.Seat
	// fails reports for which packets the participant is unreachable; it may be nil.
	fails func(packet string) bool
	// asked is called for each reply; it may be nil.
	asked func()
}

func (*arguer) Name() string    { return "arguer" }
func (*arguer) Modelless() bool { return true }

func (a *arguer) Reply(ctx context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	if a.asked != nil {
		a.asked()
	}
	if err := ctx.Err(); err != nil {
		return protocol.Reply{}, err
	}
	s := call.State
	packet := s.Packet
	if a.fails != nil && a.fails(packet.ID()) {
		return protocol.Reply{}, &protocol.Unreachable{Participant: "arguer", What: "the line is dead", Fix: "try again"}
	}
	sum := fnv.New64a()
	fmt.Fprint(sum, packet.ID(), a.seat, s.Round, call.Ask.Stage)
	drawn := sum.Sum64()
	confidence := float64(drawn%101) / 100
	fact := func(n uint64) []string { return []string{packet.At(int((drawn / 7 >> n) % uint64(packet.Len()))).ID} }
	other := hearing.ClaimsOf(s, hearing.Opponent(a.seat), s.Round)
	var moves []move.Move
	contradict := func() {
		for _, p := range other {
			moves = append(moves, &hearing.Contradict{Point: p.ID, Facts: fact(5), Reading: "it says otherwise"})
		}
	}
	switch call.Ask.Stage { //nolint:exhaustive // no others are asked
	case hearing.StageArgue:
		moves = append(moves, &hearing.Claim{Reading: "it shows", Facts: append(fact(1), fact(9)...), Confidence: &confidence}, &hearing.Conclude{Confidence: &confidence})
	case hearing.StageContest:
		contradict()
	case hearing.StageProbe:
		for _, p := range hearing.ClaimsOf(s, hearing.MoreConfident(s), s.Round) {
			moves = append(moves, &hearing.Contradict{Point: p.ID, Facts: fact(3), Reading: "the strongest"})
		}
	default:
		for _, c := range s.Challenges.All() {
			if drawn%3 > 0 && (s.Point(c.Point).IsAuthor(a.seat) || c.By == hearing.Oracle) && len(c.Defenses) == 0 {
				moves = append(moves, &hearing.Rebut{Challenge: c.ID, Text: "it stands", Facts: fact(7)})
			}
		}
		for _, p := range hearing.ClaimsOf(s, a.seat, s.Round-1) {
			moves = append(moves, &move.Score{Point: p.ID, Confidence: confidence / 2})
		}
		if call.Ask.Stage == hearing.StageExchange {
			contradict()
		}
		moves = append(moves, &hearing.Conclude{Confidence: &confidence})
	}
	text, err := reply.EncodeMoves(moves)
	return protocol.Reply{Text: text, Attempts: 1, PromptTokens: 100, CompletionTokens: 10, Cost: 0.001}, err
}
