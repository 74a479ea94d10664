package hearing

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// packetPrompt puts the facts of the packet between head and tail, as many as the prompt
// budget allows, cited facts first.
func packetPrompt(b *protocol.Brief, system, head, tail string) protocol.Prompt {
	packet := b.State.Hearing.Packet
	if packet == nil {
		return protocol.Prompt{System: system, Text: head + tail}
	}
	from, to := packet.Window()
	b.Line("The packet, %s to %s: %d facts. They are all there is. Each is: id | time | entity (type) | field = value | source.",
		from.Format(time.RFC3339), to.Format(time.RFC3339), packet.Len())
	head += b.Take()
	inner := &strings.Builder{}
	shown, left := 0, bytesLeft(b, len(system)+len(head)+len(tail))
	for f := range citedFirst(b, packet) {
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

// fenceBytes is the space for the fence around the facts and the line that counts the
// omitted ones.
const fenceBytes = 200

// bytesLeft returns how many bytes the prompt budget leaves for facts.
func bytesLeft(b *protocol.Brief, taken int) int {
	return b.State.PromptBudget(b.Ask.Seat, protocol.DefaultPromptBudget)*protocol.BytesPerToken - taken - fenceBytes
}

// citedFirst yields the facts of the packet: first those that were cited, as far as the
// asked seat knows, then the others in packet order.
func citedFirst(b *protocol.Brief, packet *ledger.Packet) iter.Seq[ledger.PacketFact] {
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

// citedFacts returns the facts cited by both sides and their challengers, as far as the
// asked seat knows.
func citedFacts(b *protocol.Brief) []string {
	var ids []string
	for _, seat := range sides() {
		ids = append(ids, FactsOf(b.State, seat, knownRound(b, seat))...)
	}
	for _, c := range b.State.Challenges.All() {
		if c.Round < b.State.Round || b.Ask.Stage == state.StageAnswer || b.Ask.Stage == state.StageJudge {
			ids = append(ids, c.Facts...)
		}
	}
	return ids
}

// longestFact limits a fact in a prompt, in characters.
const longestFact = 600

// factOfPacket formats a fact on one line.
func factOfPacket(f *ledger.PacketFact) string {
	return plain.Clip(fmt.Sprintf("%s | %s | %s (%s) | %s = %s | %s %s", shownID(f.ID), f.At.Format(time.RFC3339), plain.Line(f.Entity), f.EntityType,
		plain.Line(f.Field), plain.Line(string(f.Value)), f.SourceType, plain.Line(f.SourceID)), longestFact) + "\n"
}
