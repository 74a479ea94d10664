package protocol

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// closedWorld puts the facts of the packet between head and tail, as many as the
// budget of the session leaves room for: those that were cited first.
func (b *brief) closedWorld(system, head, tail string) Prompt {
	packet := b.s.Hearing.Packet
	if packet == nil {
		return Prompt{System: system, Text: head + tail}
	}
	from, to := packet.Window()
	b.line("The packet, %s to %s: %d facts. They are all there is. Each is: id | time | entity (type) | field = value | source.",
		from.Format(time.RFC3339), to.Format(time.RFC3339), packet.Len())
	head += b.take()
	inner := &strings.Builder{}
	shown, left := 0, b.room(len(system)+len(head)+len(tail))
	for f := range b.byUse(packet) {
		line := factOfPacket(&f)
		if inner.Len()+len(line) > left {
			break
		}
		inner.WriteString(line)
		shown++
	}
	b.fence("facts", inner.String())
	if omitted := packet.Len() - shown; omitted > 0 {
		b.line("%d more facts do not fit and are left out; those that were cited come first.", omitted)
		b.omitted = append(b.omitted, fmt.Sprintf("%d facts of the packet", omitted))
		b.warning = fmt.Sprintf("%d of %d facts of the packet do not fit the prompt budget", omitted, packet.Len())
	}
	return Prompt{System: system, Text: head + b.take() + tail, Omitted: b.omitted, Warning: b.warning}
}

// ofTheFence is what the marks around the facts take, and the line that says how many
// are left out, in bytes.
const ofTheFence = 200

// room is what the budget of a prompt leaves, in bytes, when so many are taken.
func (b *brief) room(taken int) int {
	return b.s.PromptBudget(b.ask.Seat, DefaultPromptBudget)*bytesPerToken - taken - ofTheFence
}

// byUse yields the facts of the packet: those that were cited first, as far as the
// asked seat knows, and then the others in their order.
func (b *brief) byUse(packet *ledger.Packet) iter.Seq[ledger.PacketFact] {
	return func(yield func(ledger.PacketFact) bool) {
		cited := map[string]bool{}
		for _, id := range b.citedFacts() {
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
func (b *brief) citedFacts() []string {
	var ids []string
	for _, seat := range sides() {
		ids = append(ids, resolver.FactsOf(b.s, seat, b.known(seat))...)
	}
	for _, c := range b.s.Challenges.All() {
		if c.Round < b.s.Round || b.ask.Stage == state.StageAnswer || b.ask.Stage == state.StageJudge {
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
