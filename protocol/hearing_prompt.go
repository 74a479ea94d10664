package protocol

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"moot/enum"
	"moot/ledger"
	"moot/plain"
	"moot/resolver"
	"moot/state"
)

// Prompt implements Format: preamble and role, the question, the facts of the packet,
// what both sides argued so far, and what is asked now. Before the first argument
// neither side sees anything of the other.
func (Hearing) Prompt(s state.State, ask Ask) Prompt {
	b := &brief{s: &s, ask: ask}
	system := strings.ReplaceAll(text("hearing-preamble"), "{{nonce}}", s.Settings.Nonce) + "\n\n" +
		text("hearing-role-"+string(ask.Seat)) + "\n\n" +
		strings.ReplaceAll(text("form"), "{{moves}}", strings.Join(enum.Words(ask.Moves), ", ")) + " " + text("hearing-form")
	b.anchor()
	b.line("Round %d of %d.", s.Round, lastRound(&s))
	head := b.take()
	b.argued()
	b.citedAgainst()
	if ask.Retry != "" {
		b.line("Your last reply was not enough:")
		b.fence("refusals", ask.Retry)
	}
	b.line("%s", text("hearing-"+string(ask.Stage)))
	if s.Course() == state.FormAnchored && ask.Stage == state.StageExchange {
		b.line("%s", text("hearing-anchored"))
	}
	b.hearingTodo()
	tail := b.take()
	return b.closedWorld(system, head, tail)
}

// argued lists the claims of both sides, as far as the seat may know them.
func (b *brief) argued() {
	if b.ask.Stage == state.StageArgue {
		return
	}
	for _, seat := range sides() {
		inner := &strings.Builder{}
		for _, p := range resolver.ClaimsOf(b.s, seat, b.s.Round) {
			if seat != b.ask.Seat && b.unseen(p.Round) {
				continue
			}
			fmt.Fprintf(inner, "%s [facts %s; confidence %s]: %s\n", p.ID, listedFacts(p.Facts), share(p.Score(seat).Admitted), within(p.Text))
		}
		b.line("What the %s claims:", seat)
		b.fence(string(seat), orNone(inner.String()))
		if last := b.s.Hearing.Argument(seat, b.s.Round-1); last != nil {
			b.line("Its confidence in round %d: %s.", last.Round, share(last.Confidence))
		}
	}
}

// unseen reports whether what was said in a round is not shown yet: both sides are
// asked at once, and neither sees what the other says in that round.
func (b *brief) unseen(round int) bool {
	return round >= b.s.Round && b.ask.Stage != state.StageProbe && b.s.Course() != state.FormAudit
}

// citedAgainst lists the facts that were cited against the claims, and how they were met.
func (b *brief) citedAgainst() {
	switch b.ask.Stage { //nolint:exhaustive // the others are shown the claims alone
	case state.StageExchange, state.StageAnswer:
	default:
		return
	}
	inner := &strings.Builder{}
	listed := 0
	for _, c := range b.s.Challenges.All() {
		if c.By != b.ask.Seat && c.Round >= b.s.Round && b.s.Course() != state.FormAudit {
			continue
		}
		if listed++; listed > maxListed {
			break
		}
		fmt.Fprintf(inner, "%s on %s, by the %s, round %d [facts %s]: %s\n", c.ID, c.Point, c.By, c.Round, listedFacts(c.Facts), within(c.Objection))
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == b.ask.Seat || d.Round < b.s.Round {
				fmt.Fprintf(inner, "   %s answered%s: %s\n", d.By, factsCited(d.Facts), within(d.Text))
			}
		}
	}
	if inner.Len() > 0 {
		b.line("What was cited against claims:")
		b.fence("contested", inner.String())
	}
}

func factsCited(facts []string) string {
	if len(facts) == 0 {
		return ""
	}
	return " [facts " + listedFacts(facts) + "]"
}

func listedFacts(ids []string) string { return plain.Clip(oneLine(strings.Join(ids, ", ")), 400) }

// share is a confidence as it is told: in as many digits as it has, three at most.
func share(confidence float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(confidence, 'f', 3, 64), "0"), ".")
}

// hearingTodo names what is due by id.
func (b *brief) hearingTodo() {
	due := DueOf(b.s, b.ask)
	if len(due.Answer) > 0 {
		b.line("To answer: %s.", strings.Join(due.Answer, " "))
	}
	if len(due.Classify) > 0 {
		b.line("The claims to look at: %s.", strings.Join(due.Classify, " "))
	}
}

// closedWorld puts the facts of the packet between head and tail, as many as the
// budget of the session leaves room for: those that were cited first.
func (b *brief) closedWorld(system, head, tail string) Prompt {
	budget := b.s.Settings.PromptBudget
	if budget == 0 {
		budget = DefaultPromptBudget
	}
	left := budget*bytesPerToken - len(system) - len(head) - len(tail)
	packet := b.s.Hearing.Packet
	inner := &strings.Builder{}
	shown := 0
	for _, f := range b.byUse(packet) {
		line := factOfPacket(&f)
		if inner.Len()+len(line) > left {
			break
		}
		inner.WriteString(line)
		shown++
	}
	from, to := packet.Window()
	b.line("The packet %s, %s to %s: %d facts. They are all there is.", strconv.Quote(plain.Clip(oneLine(packet.ID()), 80)), from.Format(time.RFC3339), to.Format(time.RFC3339), packet.Len())
	b.fence("facts", inner.String())
	if omitted := packet.Len() - shown; omitted > 0 {
		b.line("%d more facts do not fit and are left out.", omitted)
		b.omitted = append(b.omitted, fmt.Sprintf("%d facts of the packet", omitted))
		b.warning = fmt.Sprintf("%d of %d facts of the packet do not fit the prompt budget", omitted, packet.Len())
	}
	return Prompt{System: system, Text: head + b.take() + tail, Omitted: b.omitted, Warning: b.warning}
}

// mostShown bounds the facts that are looked at for one prompt: no budget holds more.
const mostShown = 100_000

// byUse are the facts of the packet, those that were cited first.
func (b *brief) byUse(packet *ledger.Packet) []ledger.PacketFact {
	var facts []ledger.PacketFact
	cited := map[string]bool{}
	if b.ask.Stage != state.StageArgue {
		for _, seat := range sides() {
			for _, id := range resolver.FactsOf(b.s, seat, b.s.Round-1) {
				if f, there := packet.Fact(id); there && !cited[id] {
					cited[id] = true
					facts = append(facts, f)
				}
			}
		}
	}
	for i := range min(packet.Len(), mostShown) {
		if f := packet.At(i); !cited[f.ID] {
			facts = append(facts, f)
		}
	}
	return facts
}

// longestFact bounds a fact in a prompt, in characters.
const longestFact = 600

// factOfPacket is a fact on one line.
func factOfPacket(f *ledger.PacketFact) string {
	return plain.Clip(fmt.Sprintf("%s | %s | %s (%s) | %s = %s | %s %s", oneLine(f.ID), f.At.Format(time.RFC3339), oneLine(f.Entity), f.EntityType,
		oneLine(f.Field), oneLine(string(f.Value)), f.SourceType, oneLine(f.SourceID)), longestFact) + "\n"
}
