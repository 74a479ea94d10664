package hearing

import (
	"cmp"
	_ "embed" // for prompts.md
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
)

//go:embed prompts.md
var prompts string

// text returns an embedded prompt text.
func text(name string) string { return protocol.PromptText(prompts, name) }

// Prompt implements Format: preamble, role, question, facts of the packet, the arguments
// so far, and the instructions. Neither side sees what the other says in the same round.
func (Format) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	b := claims.NewPrompt(s, ask, prompts)
	b.Begin(text("preamble"), text("role-"+string(ask.Seat)))
	b.Anchor()
	userFacts(b)
	b.Line("Round %d of %d.", s.Round, resolver.LastRound(s))
	head := b.Take()
	for _, seat := range sides() {
		listClaims(b, seat)
	}
	contradictions(b)
	b.LastReply()
	b.Line("%s", text(string(ask.Stage)))
	if CurrentForm(s) == FormAnchored && ask.Stage == StageExchange {
		b.Line("%s", text("anchored"))
	}
	if ask.Stage == StageProbe {
		b.Line("The %s is more confident.", MoreConfident(b.State))
	}
	b.Todo()
	tail := b.Take()
	return packetPrompt(b, head, tail)
}

// longestSaid limits the text of one claim, challenge or answer in a prompt, in
// characters.
const longestSaid = 1000

// said formats a seat's text for a list.
func said(text string) string { return plain.Clip(plain.Line(text), longestSaid) }

// userFacts lists facts recorded by the user. They aren't part of the packet and get no
// id, so they can't be cited.
func userFacts(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, f := range b.State.Facts.All() {
		if f.Live && f.Tag == ledger.TagUser {
			fmt.Fprintf(inner, "- %s\n", said(f.Text))
		}
	}
	b.List("The user added (not facts of the packet, so nobody can cite them):", "user", inner)
}

// knownRound returns the last round in which the asked seat knows what a side said:
// neither side sees what the other says in the same round.
func knownRound(b *claims.PromptBuilder, seat state.Seat) int {
	if seat == b.Ask.Seat || b.Ask.Stage == StageProbe {
		return b.State.Round
	}
	return b.State.Round - 1
}

// listClaims lists the claims of a side, as far as the asked seat knows them.
func listClaims(b *claims.PromptBuilder, seat state.Seat) {
	round := knownRound(b, seat)
	list := ClaimsOf(b.State, seat, round)
	last := Of(b.State).Argument(seat, round)
	if len(list) == 0 && last == nil {
		return
	}
	inner := &strings.Builder{}
	for i, p := range list {
		if i == claims.MaxListed {
			fmt.Fprintf(inner, "%d more are left out for length.\n", len(list)-claims.MaxListed)
			break
		}
		ruled := ""
		if p.UserRuling != nil {
			ruled = "; the user ruled: " + string(p.UserRuling.Bucket)
		}
		fmt.Fprintf(inner, "%s [facts %s; confidence %s%s]: %s\n", p.ID, listedFacts(p.Facts),
			judge.Figure(confidenceIn(b.State, p, seat, round)), ruled, said(p.Text))
	}
	b.Line("What the %s claims:", seat)
	b.Fence(string(seat), cmp.Or(inner.String(), "nothing"))
	if last != nil {
		b.Line("Its confidence in round %d: %s.", last.Round, judge.Figure(last.Confidence))
	}
}

// contradictions lists the facts cited against claims, and the answers.
func contradictions(b *claims.PromptBuilder) {
	switch b.Ask.Stage { //nolint:exhaustive // the others are shown the claims alone
	case StageExchange, state.StageAnswer, state.StageJudge:
	default:
		return
	}
	inner := &strings.Builder{}
	listed := 0
	for _, c := range b.State.Challenges.All() {
		if c.By != b.Ask.Seat && c.Round >= b.State.Round && b.Ask.Stage == StageExchange {
			continue
		}
		if listed++; listed > claims.MaxListed {
			continue
		}
		fmt.Fprintf(inner, "%s on %s, by the %s, round %d%s: %s\n", c.ID, c.Point, c.By, c.Round,
			factsCited(c.Facts), said(c.Objection))
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == b.Ask.Seat || d.By == state.User || d.Round < b.State.Round ||
				b.Ask.Stage == state.StageJudge {
				fmt.Fprintf(inner, "   %s answered%s: %s\n", d.By, factsCited(d.Facts), said(d.Text))
			}
		}
	}
	b.List("What was cited against claims:", "contested", inner)
	if listed > claims.MaxListed {
		b.Line("%d more are left out for length.", listed-claims.MaxListed)
	}
}

// factsCited formats the ids of cited facts, or "".
func factsCited(facts []string) string {
	if len(facts) == 0 {
		return ""
	}
	return " [facts " + listedFacts(facts) + "]"
}

// listedFacts lists ids on one line, as they can be cited.
func listedFacts(ids []string) string {
	if len(ids) == 0 {
		return "none, it rests on the whole packet"
	}
	shown := lists.Map(ids, shownID)
	return plain.Clip(strings.Join(shown, ", "), longestSaid)
}

// shownID is the id of a fact in a prompt, as a JSON string if it would break a list or a
// line.
func shownID(id string) string {
	if id == plain.Line(id) && !strings.ContainsAny(id, " ,[]|\"") {
		return id
	}
	quoted, err := json.Marshal(id)
	if err != nil {
		return plain.Line(id)
	}
	return plain.Line(string(quoted))
}

// packetPrompt puts the facts of the packet between head and tail, as many as the prompt
// budget allows, cited facts first.
func packetPrompt(b *claims.PromptBuilder, head, tail string) protocol.Prompt {
	packet := &b.State.Packet
	from, to := packet.Window()
	b.Line("The packet, %s to %s: %d facts. They are all there is. Each is: id | time | entity (type) | field = "+
		"value | source. The fields of a record of a log stand below it, each as id = value.",
		from.Format(time.RFC3339), to.Format(time.RFC3339), packet.Len())
	head += b.Take()
	inner := &strings.Builder{}
	shown, left := 0, bytesLeft(b, len(b.System)+len(head)+len(tail))
	record := ""
	for _, id := range citedFirst(b) {
		f, _ := packet.Fact(id)
		line := factOfPacket(&f)
		if f.OfRecord() {
			// The fields of a record share a heading.
			if line = fieldOfRecord(&f); record != f.Entity {
				line = recordOfPacket(&f) + line
			}
			record = f.Entity
		} else {
			record = ""
		}
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
	b.Text = head + b.Take() + tail
	return b.Prompt
}

// fenceBytes is the space for the fence around the facts and the line that counts the
// omitted ones.
const fenceBytes = 200

// bytesLeft returns how many bytes the prompt budget leaves for facts.
func bytesLeft(b *claims.PromptBuilder, taken int) int {
	return b.State.PromptBudget(b.Ask.Seat, protocol.DefaultPromptBudget)*protocol.BytesPerToken - taken - fenceBytes
}

// citedFirst returns the ids of all facts of the packet: first those that were cited by both sides
// and their challengers, as far as the asked seat knows, then the others in packet order.
func citedFirst(b *claims.PromptBuilder) []string {
	var ids []string
	for _, seat := range sides() {
		ids = append(ids, FactsOf(b.State, seat, knownRound(b, seat))...)
	}
	for _, c := range b.State.Challenges.All() {
		if c.Round < b.State.Round || b.Ask.Stage == state.StageAnswer || b.Ask.Stage == state.StageJudge {
			ids = append(ids, c.Facts...)
		}
	}
	for _, f := range b.State.Packet.All() {
		ids = append(ids, f.ID)
	}
	return lists.Distinct(ids)
}

// longestFact limits a fact in a prompt, in characters.
const longestFact = 600

// factOfPacket formats a fact on one line.
func factOfPacket(f *ledger.PacketFact) string {
	return plain.Clip(fmt.Sprintf("%s | %s | %s (%s) | %s = %s | %s %s", shownID(f.ID), f.At.Format(time.RFC3339),
		plain.Line(f.Entity), f.EntityType,
		plain.Line(f.Field), plain.Line(string(f.Value)), f.SourceType, plain.Line(f.SourceID)), longestFact) + "\n"
}

// recordOfPacket is the line above the fields of a record of a log, and fieldOfRecord one of them.
func recordOfPacket(f *ledger.PacketFact) string {
	return plain.Clip(fmt.Sprintf("record %s | %s | %s %s", plain.Line(f.Entity), f.At.Format(time.RFC3339), f.SourceType,
		plain.Line(f.SourceID)), longestFact) + "\n"
}

func fieldOfRecord(f *ledger.PacketFact) string {
	return "  " + plain.Clip(shownID(f.ID)+" = "+plain.Line(string(f.Value)), longestFact) + "\n"
}
