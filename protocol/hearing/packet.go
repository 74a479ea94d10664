package hearing

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// closedWorld puts the facts of the packet between head and tail, as many as the
// budget of the session leaves room for: those that were cited first.
func closedWorld(b *protocol.Brief, system, head, tail string) protocol.Prompt {
	packet := b.State.Hearing.Packet
	if packet == nil {
		return protocol.Prompt{System: system, Text: head + tail}
	}
	from, to := packet.Window()
	b.Line("The packet, %s to %s: %d facts. They are all there is. Each is: id | time | entity (type) | field = value | source.",
		from.Format(time.RFC3339), to.Format(time.RFC3339), packet.Len())
	head += b.Take()
	inner := &strings.Builder{}
	shown, left := 0, room(b, len(system)+len(head)+len(tail))
	for f := range byUse(b, packet) {
		line := factOfPacket(&f)
		if inner.Len()+len(line) > left {
			break
		}
		inner.WriteString(line)
		shown++
	}
	b.Fence("facts", inner.String())
	if omitted := packet.Len() - shown; omitted > 0 {
		b.Line("%d more facts do not fit and are left out; those that were cited come first.", omitted)
		b.Omitted = append(b.Omitted, fmt.Sprintf("%d facts of the packet", omitted))
		b.Warning = fmt.Sprintf("%d of %d facts of the packet do not fit the prompt budget", omitted, packet.Len())
	}
	return protocol.Prompt{System: system, Text: head + b.Take() + tail, Omitted: b.Omitted, Warning: b.Warning}
}

// ofTheFence is what the marks around the facts take, and the line that says how many
// are left out, in bytes.
const ofTheFence = 200

// room is what the budget of a prompt leaves, in bytes, when so many are taken.
func room(b *protocol.Brief, taken int) int {
	return b.State.PromptBudget(b.Ask.Seat, protocol.DefaultPromptBudget)*protocol.BytesPerToken - taken - ofTheFence
}

// byUse yields the facts of the packet: those that were cited first, as far as the
// asked seat knows, and then the others in their order.
func byUse(b *protocol.Brief, packet *ledger.Packet) iter.Seq[ledger.PacketFact] {
	return func(yield func(ledger.PacketFact) bool) {
		cited := map[string]bool{}
		for _, id := range citedFacts(b) {
			f, there := packet.Fact(id)
			if there && !cited[id] && !yield(f) {
				return
			}
			cited[id] = true
		}
		for _, f := range packet.All() {
			if !cited[f.ID] && !yield(f) {
				return
			}
		}
	}
}

// citedFacts are the facts that both sides, and who challenges them, cited, as far as
// the asked seat knows.
func citedFacts(b *protocol.Brief) []string {
	var ids []string
	for _, seat := range sides() {
		ids = append(ids, resolver.FactsOf(b.State, seat, known(b, seat))...)
	}
	for _, c := range b.State.Challenges.All() {
		if c.Round < b.State.Round || b.Ask.Stage == state.StageAnswer || b.Ask.Stage == state.StageJudge {
			ids = append(ids, c.Facts...)
		}
	}
	return ids
}

// longestFact bounds a fact in a prompt, in characters.
const longestFact = 600

// factOfPacket is a fact on one line.
func factOfPacket(f *ledger.PacketFact) string {
	return plain.Clip(fmt.Sprintf("%s | %s | %s (%s) | %s = %s | %s %s", shownID(f.ID), f.At.Format(time.RFC3339), plain.Line(f.Entity), f.EntityType,
		plain.Line(f.Field), plain.Line(string(f.Value)), f.SourceType, plain.Line(f.SourceID)), longestFact) + "\n"
}
