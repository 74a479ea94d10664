package protocol

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

//go:embed prompts/*.md
var prompts embed.FS

// text returns an embedded prompt text.
func text(name string) string {
	b, err := prompts.ReadFile("prompts/" + name + ".md")
	if err != nil {
		// The names are fixed; a test opens every one of them.
		return ""
	}
	return strings.TrimSpace(string(b))
}

// DefaultPromptBudget is the size of a prompt in tokens, estimated as bytes/4,
// where the user sets none (LE7).
const DefaultPromptBudget = 24000

// bytesPerToken is the estimate of LE7.
const bytesPerToken = 4

// EstimateTokens is about how many tokens a text of so many bytes has (LE7).
func EstimateTokens(bytes int) int { return bytes / bytesPerToken }

// Prompt implements Format (JU7). The whole of what a seat must know is in
// every prompt: preamble, anchor, phase and round, live ledger, points and open
// challenges. A participant that lost its conversation loses nothing (JU8).
func (Consult) Prompt(s state.State, ask Ask) Prompt {
	b := &brief{s: &s, ask: ask}
	system := strings.ReplaceAll(text("preamble"), "{{nonce}}", s.Settings.Nonce) + "\n\n" + b.role() + "\n\n" +
		formText(ask.Moves) + b.commands()
	b.anchor()
	b.position()
	head := b.take()
	b.points()
	b.challenges()
	b.evidence()
	b.request()
	tail := b.take()
	return b.within(system, head, tail)
}

// brief is a prompt in the making.
type brief struct {
	strings.Builder
	s       *state.State
	ask     Ask
	omitted []string
	warning string
}

// within puts the facts and the given documents between the head and the tail,
// as many as the budget of the session, or of the seat, leaves room for (LE7).
func (b *brief) within(system, head, tail string) Prompt {
	left := b.s.PromptBudget(b.ask.Seat, DefaultPromptBudget)*bytesPerToken - len(system) - len(head) - len(tail)
	facts := b.ledger(left)
	b.inputs(left - len(facts))
	return Prompt{System: system, Text: head + b.take() + facts + tail, Omitted: b.omitted, Warning: b.warning}
}

func (b *brief) take() string {
	out := b.String()
	b.Reset()
	return out
}

func (b *brief) line(format string, args ...any) {
	fmt.Fprintf(&b.Builder, format, args...)
	b.WriteByte('\n')
}

// fence writes foreign text as data. The nonce cannot occur inside.
func (b *brief) fence(label, data string) {
	nonce := b.s.Settings.Nonce
	if nonce != "" {
		data = strings.ReplaceAll(data, nonce, "[nonce]")
		label = strings.ReplaceAll(label, nonce, "[nonce]")
	}
	b.line("<<DATA %s %s", nonce, oneLine(label))
	b.line("%s", strings.TrimRight(data, "\n"))
	b.line("DATA %s>>", nonce)
}

// list writes a list of ours inside a fence, if it has any items.
func (b *brief) list(title, label string, items *strings.Builder) {
	if items.Len() > 0 {
		b.line("%s", title)
		b.fence(label, items.String())
	}
}

func (b *brief) role() string {
	switch {
	case b.ask.Seat == state.Orchestrator:
		return text("role-orchestrator")
	case b.ask.Seat == state.Arbiter:
		return text("role-arbiter")
	case b.ask.Seat.IsPanelist():
		return strings.ReplaceAll(text("panel-role-panelist"), "{{seat}}", string(b.ask.Seat))
	}
	return strings.ReplaceAll(text("role-consultee"), "{{seat}}", string(b.ask.Seat))
}

// commands says that commands may be proposed, where they can come to run.
func (b *brief) commands() string {
	settings := &b.s.Settings
	if settings.Workspace == "" || !settings.Attended && len(b.s.AllowedCommands) == 0 {
		return ""
	}
	leave := "The user is asked before one runs."
	switch allowed := strings.Join(b.s.AllowedCommands, "; "); {
	case allowed != "" && settings.Attended:
		leave = "The user is asked before one runs; these run at once (* is any word, ... any that follow): " + allowed
	case allowed != "":
		leave = "Only these may run (* is any word, ... any that follow): " + allowed
	}
	return "\n\n" + text("commands") + " " + leave
}

// formText says how to reply: the moves that the seat may make, with their fields and an
// example each.
func formText(allowed []MoveKind) string {
	return strings.ReplaceAll(text("form"), "{{moves}}", MoveList(allowed))
}

// lastReply says why the seat is asked again, or which fields of its last reply were dropped.
func (b *brief) lastReply() {
	if b.ask.Retry != "" {
		b.line("Your last reply was not enough:")
		b.fence("refusals", b.ask.Retry)
		return
	}
	var dropped []string
	for _, n := range b.s.Notices {
		if n.Seat == b.ask.Seat {
			dropped = append(dropped, n.Text)
		}
	}
	if len(dropped) > 0 {
		b.line("Your last reply was taken without these fields:")
		b.fence("notices", strings.Join(dropped, "\n"))
	}
}

func (b *brief) anchor() {
	b.line("The question, verbatim:")
	b.fence("question", b.s.Question)
	if b.s.Reading != "" {
		b.line("The user consented to this reading of it:")
		b.fence("reading", b.s.Reading)
	}
}

func (b *brief) position() {
	if b.s.Settings.Mode == state.ModeQuick {
		b.line("Round %d of %d.", b.s.Round, lastRound(b.s))
		return
	}
	phase := string(b.s.Phase)
	if phase == "" {
		phase = "unknown (as DEVELOPMENT)"
	}
	b.line("Round %d of %d, phase %s.", b.s.Round, lastRound(b.s), phase)
	switch b.s.Phase {
	case state.Constructive:
	case state.Development, state.PhaseUnknown:
		b.line("New independent points are no longer evaluated; defenses, rebuttals and revisions are.")
	case state.Crystallization:
		b.line("Only defenses to open challenges are taken, and only decisive evidence: a verbatim quote that states the very predicate.")
	}
}

// inputs writes what the user gave: the framing's input and the context, as
// far as they fit.
func (b *brief) inputs(left int) {
	in := &b.s.Settings.Input
	write := func(label, data string) {
		if data == "" {
			return
		}
		if left <= 0 {
			b.omitted = append(b.omitted, label)
			return
		}
		if len(data) > left {
			b.omitted = append(b.omitted, label+" (in part)")
			data = strings.ToValidUTF8(data[:left], "") + "\n[cut to fit the prompt]"
		}
		left -= len(data)
		b.fence(label, data)
	}
	write("design "+in.DesignPath, in.Design)
	write("position", in.Position)
	for i, o := range in.Options {
		write(fmt.Sprintf("option %d", i+1), o)
	}
	for _, v := range in.Views {
		write("view of "+oneLine(v.Name), v.Text)
	}
	for _, d := range b.s.Settings.Context {
		write("file "+oneLine(d.Path), d.Text)
	}
}

// within writes foreign text into a list of ours inside a fence: its further
// lines are set in, so that none of them passes for an item of the list.
func within(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "\r\n\v\f\u0085\u2028\u2029") {
		// Most texts are one line; a replacer costs more than they do.
		return text
	}
	return strings.NewReplacer("\r\n", "\n   | ", "\n", "\n   | ", "\r", "\n   | ", "\v", "\n   | ", "\f", "\n   | ",
		"\u0085", "\n   | ", "\u2028", "\n   | ", "\u2029", "\n   | ").Replace(text)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// ledger writes the live facts: all of them where they fit, else the user's
// and those that current disputes cite, with the omitted ids listed (LE7).
func (b *brief) ledger(left int) string {
	var user, other []*ledger.Fact
	total := 0
	for _, f := range b.s.Facts.All() {
		if !f.Live || b.hides(f) {
			continue
		}
		if f.Tag == ledger.TagUser {
			user = append(user, f)
		} else {
			other = append(other, f)
		}
		total += len(b.factLine(f)) + 1
	}
	if len(user)+len(other) == 0 {
		return ""
	}
	kept := slices.Concat(user, other)
	if total > left {
		kept = b.cited(user, other, left)
	}
	inner := &strings.Builder{}
	for _, f := range kept {
		inner.WriteString(b.factLine(f) + "\n")
	}
	out := &brief{s: b.s}
	out.line("Ledger (live facts; the user's are binding):")
	out.fence("ledger", inner.String())
	if len(b.omitted) > 0 {
		out.line("Left out for length: %s.", strings.Join(b.omitted, " "))
	}
	return out.String()
}

// hides reports whether the fact comes from another seat's reply, in the blind
// first pass (RD1b).
func (b *brief) hides(f *ledger.Fact) bool {
	return b.ask.Stage == state.StagePropose && f.Tag != ledger.TagUser && f.Seat != string(b.ask.Seat)
}

// cited keeps the user's facts and those that disputes cite, and lists what it
// omits.
func (b *brief) cited(user, other []*ledger.Fact, left int) []*ledger.Fact {
	kept := user
	for _, f := range user {
		left -= len(b.factLine(f)) + 1
	}
	if left < 0 {
		var affected []string
		for _, p := range livePoints(b.s) {
			affected = append(affected, p.ID)
		}
		b.warning = "constraint-incomplete: your facts alone do not fit the prompt budget; they went out whole, and other facts did not; affected: " + orNone(strings.Join(affected, " "))
	}
	cites := b.disputed()
	for _, f := range other {
		size := len(b.factLine(f)) + 1
		if (cites[f.ID] || f.Reference != "" && cites[f.Reference]) && size <= left {
			kept, left = append(kept, f), left-size
			continue
		}
		b.omitted = append(b.omitted, f.ID)
	}
	return kept
}
