package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
)

// hearing tells of the packet, of how sure the sides are, and of what was dropped or
// let pass. The facts themselves have a view of their own.
func (t *transcript) hearing(p state.Payload) bool {
	switch p := p.(type) {
	case *state.PacketFacts:
		// What is frozen is told with its number.
	case *state.PacketFrozen:
		t.put(toneQuiet, "packet", packetWords(p), "")
	case *state.SchemaViolated:
		t.put(toneWarn, "dropped", violationWords(p.Move, p.Facts, p.Text), string(p.Seat))
	case *state.Argued:
		t.argued(p)
	case *state.ConfidenceChanged:
		t.put(toneOpen, p.Point, changeWords(p), string(p.Seat))
	case *state.RebuttalIgnored:
		t.put(toneWarn, p.Challenge, ignoredWords(p.Fact), string(p.Seat))
	case *state.Gated:
		t.put(when(p.Opens, toneOpen, toneQuiet), "gate", gateWords(&p.Gating), "")
	default:
		return false
	}
	return true
}

// sureness is a confidence with two digits, and a third where it has one.
func sureness(confidence float64) string {
	text := strconv.FormatFloat(confidence, 'f', 3, 64)
	return strings.TrimSuffix(text, "0")
}

// packetWords name a frozen packet: the digest stands for its whole content.
func packetWords(p *state.PacketFrozen) string {
	return fmt.Sprintf("%s, %s, %s, %s", p.ID, plain.Counted(p.Facts, "fact"), windowWords(p.From, p.To), shortDigest(p.Digest))
}

// windowWords are the time that a packet covers; the day is said once where both ends
// lie in it.
func windowWords(from, to time.Time) string {
	const day, clock = "2006-01-02", "15:04"
	if from.Format(day) == to.Format(day) {
		return from.Format(day+" "+clock) + " to " + to.Format(clock)
	}
	return from.Format(day+" "+clock) + " to " + to.Format(day+" "+clock)
}

// shortDigest is the beginning of a digest, behind what it is made by.
func shortDigest(digest string) string {
	const characters = 12
	kind, sum, found := strings.Cut(digest, ":")
	if !found {
		kind, sum = "", digest
	}
	return strings.TrimSpace(kind + " " + sum[:min(len(sum), characters)])
}

// violationWords say which move was dropped since the packet lacks what it cites.
func violationWords(move string, facts []string, text string) string {
	return sentence(fmt.Sprintf("%s cites %s, which the packet does not hold", move, strings.Join(facts, ", ")), text)
}

// argued is how sure a side is at the end of its turn, and what would change that.
func (t *transcript) argued(p *state.Argued) {
	text := fmt.Sprintf("%s that it %s", sureness(p.Confidence), when(p.Seat == state.Skeptic, "does not hold", "holds"))
	if p.Stated == p.Confidence {
		t.put(tonePlain, "concludes", text, string(p.Seat))
	} else {
		t.put(toneWarn, "concludes", text+fmt.Sprintf("; it said %s, and falls by no more than its claims did", sureness(p.Stated)), string(p.Seat))
	}
	if p.WouldChange != "" {
		t.put(toneQuiet, "", "would change its mind: "+p.WouldChange, "")
	}
}

// changeWords are a change of confidence, and the fact that caused it.
func changeWords(p *state.ConfidenceChanged) string {
	return fmt.Sprintf("confidence from %s to %s", sureness(p.From), sureness(p.To)) + when(p.Fact == "", "", ", by "+p.Fact)
}

func ignoredWords(fact string) string {
	return sentence("ignored", fact+" was neither answered nor heeded")
}

// gateWords are what the gate found, and whether the hearing goes on.
func gateWords(g *state.Gating) string {
	text := fmt.Sprintf("%s %s at a verdict of %s", g.Gate, when(g.Opens, "opens", "stays shut"), sureness(g.Confidence))
	if len(g.Flags) > 0 {
		text += fmt.Sprintf("; risk %s: %s", sureness(g.Risk), strings.Join(g.Flags, ", "))
	}
	return text
}

// Citing is a text with the facts that it rests on, as moves are written.
func Citing(text string, facts []string) string {
	if len(facts) == 0 {
		return text
	}
	return text + " [" + strings.Join(facts, ", ") + "]"
}

// sure tells of a confidence in a claim of a hearing. Its first stands beside the
// claim; a change, and a fall that no fact causes, are told by what follows it.
func (t *transcript) sure(p *state.ConfidenceReported) {
	if claim := t.told[p.Point]; claim != nil && claim.Right == "" {
		claim.set(claim.tone, claim.Text, sureness(p.Admitted))
	}
}

// kept tells of a fall of confidence that no fact causes. Of the question that is said
// with the conclusion.
func (t *transcript) kept(p *state.DriftDetected) {
	if p.Point != resolver.QuestionPoint {
		t.put(toneWarn, p.Point, keptWords(p), string(p.Seat))
	}
}

func keptWords(p *state.DriftDetected) string {
	return fmt.Sprintf("kept at %s: no fact cited (it said %s)", p.From, p.To)
}

// toldElsewhere reports whether a refusal has an event of its own in a hearing: a move
// that was dropped, or a confidence that was kept.
func (t *transcript) toldElsewhere(code string) bool {
	return t.format == state.FormatHearing && (code == "outside-packet" || code == "no-cause")
}

// judged tells the verdict of a hearing, and passes over its claims while they are
// open: that they are argued stands in their lines.
func (t *transcript) judged(r *state.Ruling) bool {
	if t.format != state.FormatHearing {
		return false
	}
	if r.Point == resolver.QuestionPoint {
		t.put(bucketTone(r.Bucket), "verdict", strings.TrimPrefix(r.Reason, "under deliberation; "), r.Rule)
	}
	return r.Point == resolver.QuestionPoint || r.Bucket == state.BucketOpen
}
