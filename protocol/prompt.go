package protocol

import (
	"cmp"
	_ "embed" // for prompts.md
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// Material is a given document, or a file of the change under review.
type Material struct{ Path, Text string }

// Prompt is the text for a model.
type Prompt struct {
	System, Text string
	// Omitted are the ledger ids and the given documents that the budget left out (LE7).
	Omitted []string
	// Shown is the given material that it holds whole, Withheld what does not fit and the seat has not seen yet.
	Shown    []Material
	Withheld []*state.Withheld
	// Warning is a warning about this prompt for the session to show, or "".
	Warning string
}

// Sent are the events of a prompt that goes out: what it holds, and what it has no room for.
func (p *Prompt) Sent(ask Ask) []state.Payload {
	events := []state.Payload{&state.PromptSent{
		Seat: ask.Seat, Stage: ask.Stage, System: p.System, Text: p.Text, Omitted: append([]string{}, p.Omitted...),
		Shown:   lists.Map(p.Shown, func(m Material) string { return m.Path }),
		Warning: p.Warning,
	}}
	return append(events, lists.Map(p.Withheld, func(withheld *state.Withheld) state.Payload { return withheld })...)
}

//go:embed prompts.md
var prompts string

// PromptText returns the section NAME of the prompts.md of a package, or "" if there is no such section.
func PromptText(prompts, name string) string {
	_, text, _ := strings.Cut(prompts, "\n# "+name+"\n")
	text, _, _ = strings.Cut(text, "\n# ")
	return strings.TrimSpace(text)
}

// DefaultPromptBudget is the default limit for a prompt in tokens, estimated as bytes/4 (LE7).
const DefaultPromptBudget = 24000

// BytesPerToken estimates the size of a token (LE7).
const BytesPerToken = 4

// EstimateTokens estimates the tokens of a text from its length in bytes (LE7).
func EstimateTokens(bytes int) int { return bytes / BytesPerToken }

// mostBytesPerToken is more than the average of any tokenizer over a text: English has about 4, code 3.
const mostBytesPerToken = 8

// CheckTokens returns the token counts of a call as they count for caps. Reported counts are claims: what is 0,
// negative or too low for the bytes that were sent and received is estimated instead.
func CheckTokens(prompt, completion, sent, received int) (checkedPrompt, checkedCompletion int, estimated bool) {
	if prompt < 0 || prompt*mostBytesPerToken < sent {
		prompt, estimated = EstimateTokens(sent), true
	}
	// A few tokens may be long words.
	if completion < 0 || completion == 0 && received > 0 || (completion+8)*mostBytesPerToken < received {
		completion, estimated = EstimateTokens(received), true
	}
	return prompt, completion, estimated
}

// PromptBuilder builds a prompt: first its system prompt, then its text, which Anchor begins.
type PromptBuilder struct {
	strings.Builder
	Prompt
	State *state.State
	Ask   Ask
	// Texts are files of prompts in sections. The first one with a section counts, before the shared file.
	Texts []string
	// Without are the fields of moves that the session does not use in this turn.
	Without []string
	// Disputed, if set, returns the references and the ids of facts that are argued about: these facts come first if
	// not all of them fit (LE7).
	Disputed func() map[string]bool
	// Anonymous hides which seat a fact is from: the arbiter does not see who said what (AR), and a
	// format may hide it too (RD1b).
	Anonymous bool
	// UsersFacts leaves out all facts but the user's.
	UsersFacts bool
	// head is the length of the text before the facts.
	head int
}

// Begin writes the system prompt: the preamble, the role, and how to reply.
func (b *PromptBuilder) Begin(preamble, role string) {
	b.Grow(5 << 10) // as long as most
	Write(&b.Builder, strings.ReplaceAll(preamble, "{{nonce}}", b.State.Settings.Nonce), "\n\n")
	if role != "" {
		Write(&b.Builder, role, "\n\n")
	}
	b.ReplyForm()
}

// Facts marks where the facts and the given documents belong in the text.
func (b *PromptBuilder) Facts() { b.head = b.Len() }

// Within finishes a prompt. It adds as many facts and given documents as fit the budget of the
// session or the seat (LE7).
func (b *PromptBuilder) Within() Prompt {
	if slices.Contains(b.Ask.Moves, move.KindRead) {
		b.System += "\n\n" + strings.ReplaceAll(PromptText(prompts, "lookups"), "{{most}}",
			strconv.Itoa(b.State.Settings.Lookups))
	}
	text := b.Take()
	left := b.State.PromptBudget(b.Ask.Seat, DefaultPromptBudget)*BytesPerToken - len(b.System) - len(text)
	facts := b.ledger(left)
	b.inputs(left - len(facts))
	b.Text = text[:b.head] + b.String() + facts + text[b.head:]
	return b.Prompt
}

// Section returns a section of the prompts.
func (b *PromptBuilder) Section(name string) string {
	for _, text := range b.Texts {
		if section := PromptText(text, name); section != "" {
			return section
		}
	}
	return PromptText(prompts, name)
}

// Take returns the text so far and starts over.
func (b *PromptBuilder) Take() string {
	out := b.String()
	b.Reset()
	return out
}

// Line writes one formatted line.
func (b *PromptBuilder) Line(format string, args ...any) {
	fmt.Fprintf(&b.Builder, format, args...)
	b.WriteByte('\n')
}

// Fence writes untrusted text as data. The nonce cannot occur in it.
func (b *PromptBuilder) Fence(label, data string) {
	nonce := b.State.Settings.Nonce
	if nonce != "" {
		data = strings.ReplaceAll(data, nonce, "[nonce]")
		label = strings.ReplaceAll(label, nonce, "[nonce]")
	}
	Write(
		&b.Builder,
		"<<DATA ",
		nonce,
		" ",
		plain.OneLine(label),
		"\n",
		strings.TrimRight(data, "\n"),
		"\nDATA ",
		nonce,
		">>\n",
	)
}

// Write writes the parts one after another.
func Write(to *strings.Builder, parts ...string) {
	for _, part := range parts {
		to.WriteString(part)
	}
}

// List writes a list inside a fence, if it has any items.
func (b *PromptBuilder) List(title, label string, items *strings.Builder) {
	if items.Len() > 0 {
		b.Line("%s", title)
		b.Fence(label, items.String())
	}
}

// ReplyForm explains how to reply: the moves that the seat may make, with their fields and an
// example each. The sections "moves" have a line for each move: those that formats share, the lookups, and those of the
// format, which may also replace a shared line. A test generates them from the tables of moves: inferring the schemas
// for every prompt is slow.
func (b *PromptBuilder) ReplyForm() {
	before, after, _ := strings.Cut(PromptText(prompts, "form"), "{{moves}}")
	b.WriteString(before)
	var shared, own []string
	for i, text := range b.Texts {
		lines := strings.Split(PromptText(text, "moves"), "\n")
		if i == 0 {
			own = lines
		} else {
			shared = append(shared, lines...)
		}
	}
	shared = append(shared, strings.Split(PromptText(prompts, "moves"), "\n")...)
	newline := ""
	write := func(line string) {
		kind := moveOfLine(line)
		if !slices.Contains(b.Ask.Moves, kind) {
			return
		}
		head, rest, _ := strings.Cut(line, "Fields: ")
		fields, example, _ := strings.Cut(rest, ". ")
		Write(&b.Builder, newline, head)
		newline = "\n"
		separator := "Fields: "
		for field := range strings.SplitSeq(fields, ", ") {
			name, _, _ := strings.Cut(field, "?")
			if slices.Contains(b.Without, name) {
				continue
			}
			Write(&b.Builder, separator, field)
			separator = ", "
		}
		Write(&b.Builder, ". ", example)
	}
	for _, line := range shared {
		if i := slices.IndexFunc(own, func(one string) bool { return moveOfLine(one) == moveOfLine(line) }); i >= 0 {
			line, own = own[i], slices.Delete(slices.Clone(own), i, i+1)
		}
		write(line)
	}
	for _, line := range own {
		write(line)
	}
	b.WriteString(after)
}

// moveOfLine returns the move that a line of a section "moves" describes.
func moveOfLine(line string) move.Kind {
	kind, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), " ")
	return move.Kind(kind)
}

// LastReply says why the seat is asked again, or which fields of its last reply were dropped.
func (b *PromptBuilder) LastReply() {
	if b.Ask.Retry != "" {
		b.Line("Your last reply was not enough:")
		b.Fence("refusals", b.Ask.Retry)
		return
	}
	var dropped []string
	for _, n := range b.State.Notices {
		if n.Seat == b.Ask.Seat {
			dropped = append(dropped, n.Text)
		}
	}
	if len(dropped) > 0 {
		b.Line("Your last reply was taken without these fields:")
		b.Fence("notices", strings.Join(dropped, "\n"))
	}
}

// Anchor ends the system prompt, and writes the question.
func (b *PromptBuilder) Anchor() {
	b.System = b.Take()
	b.Grow(1 << 10) // as long as most texts
	b.Line("The question, verbatim:")
	b.Fence("question", b.State.Question)
	if b.State.Reading != "" {
		b.Line("The user consented to this reading of it:")
		b.Fence("reading", b.State.Reading)
	}
	if e := b.State.Settings.Follows; e != nil {
		b.Line("It follows up on an earlier session. Nothing of that is evidence until somebody cites it again:")
		var text strings.Builder
		text.WriteString("It was asked: " + plain.Indent(e.Question) + "\n")
		for _, part := range []struct {
			label string
			lines []string
		}{{"The answer:", e.Answer}, {"Left open:", e.Open}, {"Lines that were cited:", e.Cited}} {
			for i, line := range part.lines {
				if i == 0 {
					text.WriteString(part.label + "\n")
				}
				text.WriteString("- " + plain.Indent(line) + "\n")
			}
		}
		b.Fence("earlier session", text.String())
	}
}

// audited lists the places that the points of a written review name, with what code found there.
func audited(a *state.Audit) string {
	if a == nil {
		return ""
	}
	text := &strings.Builder{}
	text.WriteString("At most the first 12 lines of a place are shown.\n")
	for i := range a.Statements {
		for _, place := range a.Statements[i].Places {
			fmt.Fprintf(text, "%s names %s: %s, %s\n", state.NextID('P', i), place.Cited, place.Verdict, place.Reason)
			switch {
			case place.Text != "":
				fmt.Fprintf(text, "%s:\n%s\n", place.Path, strings.TrimRight(place.Text, "\n"))
			case place.Path != "" && place.Verdict != state.PlaceAbsent:
				fmt.Fprintf(text, "%s: its lines are not shown here\n", place.Path)
			}
		}
	}
	return text.String()
}

// inputs writes the framing's input and the context from the user, as far as they fit.
func (b *PromptBuilder) inputs(left int) {
	in := &b.State.Settings.Input
	// Texts with a path are material: the record says whether a seat saw them.
	write := func(label, path, data string) {
		whole, why := len(data) <= left, state.NotFitting
		if data == "" {
			return
		}
		switch {
		case left <= 0:
			b.Omitted = append(b.Omitted, label)
		case !whole:
			b.Omitted = append(b.Omitted, label+" (in part)")
			b.Fence(label, strings.ToValidUTF8(data[:left], "")+"\n[cut to fit the prompt]")
			why, left = state.OnlyBeginning, 0
		default:
			left -= len(data)
			b.Fence(label, data)
		}
		if path != "" {
			b.reached(path, data, whole, why)
		}
	}
	write("design "+in.DesignPath, cmp.Or(in.DesignPath, "design"), in.Design)
	write("places of the review", "", audited(b.State.Settings.Audited()))
	write("position", "position", in.Position)
	for i, o := range in.Options {
		label := fmt.Sprintf("option %d", i+1)
		write(label, label, o)
	}
	for _, v := range in.Views {
		label := "view of " + plain.OneLine(v.Name)
		write(label, label, v.Text)
	}
	for i := range b.State.Settings.Context {
		d := &b.State.Settings.Context[i]
		if len(d.Files) > 0 {
			left = b.change(d, left)
			continue
		}
		write("file "+plain.OneLine(d.Path), d.Path, d.Text)
	}
	if m := b.State.Settings.Map; m != nil && b.State.LastTurn(b.Ask.Seat) == 0 {
		label := "workspace " + m.Name + " " + m.Commit
		if m.Bound != "" {
			label += " (only " + m.Bound + ")"
		}
		write(plain.OneLine(label), "", m.Tree)
		for _, p := range m.Passages {
			write(fmt.Sprintf("%s:%d-%d", plain.OneLine(p.Path), p.From, p.To), "", p.Text)
		}
	}
	b.notShown()
}

// change writes the changed files of a diff that fit, each whole, and returns how many bytes are left. A large file
// does not keep a small one after it out.
func (b *PromptBuilder) change(d *state.Document, left int) int {
	var text strings.Builder
	rest := d.Text
	for _, file := range d.Files {
		part := rest[:min(file.Bytes, len(rest))]
		rest = rest[len(part):]
		fits := len(part) <= left
		switch {
		case len(part) == 0:
			continue
		case fits:
			text.WriteString(part)
			left -= len(part)
		default:
			b.Omitted = append(b.Omitted, plain.OneLine(file.Path))
		}
		b.reached(file.Path, part, fits, state.NotFitting)
	}
	if text.Len() > 0 {
		b.Fence("file "+plain.OneLine(d.Path), text.String())
	}
	return left
}

// reached records whether the prompt holds given material whole, and why not.
func (b *PromptBuilder) reached(path, text string, whole bool, why string) {
	seat := b.Ask.Seat
	switch {
	case whole || b.State.ByRules(seat):
		// The built-in rules read the material itself.
		b.Shown = append(b.Shown, Material{path, text})
	case !b.State.WasShown(seat, path) && !slices.ContainsFunc(b.State.WithheldFrom(seat), func(w state.Withheld) bool {
		return w.Path == path && len(w.Seats) > 0
	}):
		b.Withheld = append(b.Withheld, &state.Withheld{Path: path, Reason: why, Seats: []state.Seat{seat}})
	}
}

// mostNamed is how many withheld files a prompt names.
const mostNamed = 100

// notShown tells the seat what it does not see.
func (b *PromptBuilder) notShown() {
	withheld := b.State.WithheldFrom(b.Ask.Seat)
	withheld = append(withheld, lists.Map(b.Withheld, func(w *state.Withheld) state.Withheld { return *w })...)
	withheld = slices.DeleteFunc(withheld, func(w state.Withheld) bool {
		return len(w.Seats) > 0 && slices.ContainsFunc(b.Shown, func(m Material) bool { return m.Path == w.Path })
	})
	if len(withheld) == 0 {
		return
	}
	var names strings.Builder
	for i, w := range withheld {
		if i == mostNamed {
			fmt.Fprintf(&names, "and %d more\n", len(withheld)-i)
			break
		}
		place := plain.OneLine(w.Path)
		if w.Lines != "" {
			place += ":" + w.Lines
		}
		fmt.Fprintf(&names, "%s: %s\n", place, plain.OneLine(w.Reason))
	}
	b.Line("Not shown to you. Do not judge it as if you had seen it:")
	b.Fence("not shown", names.String())
}

// ledger writes the live facts: all of them if they fit, else those of the user and those that
// current disputes cite, with the omitted ids listed (LE7).
func (b *PromptBuilder) ledger(left int) string {
	var user, other []*ledger.Fact
	for _, f := range b.State.Facts.All() {
		// In the blind first pass, no seat sees the facts from another seat's reply (RD1b).
		given := f.Tag == ledger.TagUser || f.Tag == ledger.TagEarlier
		hidden := b.Ask.Stage == state.StagePropose && !given && f.Seat != string(b.Ask.Seat)
		if !f.Live || hidden || b.UsersFacts && f.Tag != ledger.TagUser {
			continue
		}
		if f.Tag == ledger.TagUser {
			user = append(user, f)
		} else {
			other = append(other, f)
		}
	}
	if len(user)+len(other) == 0 {
		return ""
	}
	lines := b.factLines(slices.Concat(user, other))
	if len(lines) > left {
		lines = b.factLines(b.cited(user, other, left))
	}
	if slices.ContainsFunc(user, func(f *ledger.Fact) bool { return !f.Binds() }) {
		b.Line("Ledger (live facts; the user's are binding, unless they are marked as excluding each other):")
	} else {
		b.Line("Ledger (live facts; the user's are binding):")
	}
	if slices.ContainsFunc(other, func(f *ledger.Fact) bool { return f.Tag == ledger.TagEarlier }) {
		b.Line("Those marked earlier were ruled in another session. They bind nobody: challenge them, or cite their lines again.")
	}
	b.Fence("ledger", lines)
	if len(b.Omitted) > 0 {
		b.Line("Left out for length: %s.", strings.Join(b.Omitted, " "))
	}
	return b.Take()
}

func (b *PromptBuilder) factLines(facts []*ledger.Fact) string {
	return strings.Join(lists.Map(facts, b.factLine), "")
}

// cited returns the user's facts and those that disputes cite, and records the others as omitted.
func (b *PromptBuilder) cited(user, other []*ledger.Fact, left int) []*ledger.Fact {
	kept := user
	for _, f := range user {
		left -= len(b.factLine(f))
	}
	if left < 0 {
		var affected []string
		for _, p := range b.State.Points.All() {
			if resolver.Debated(b.State, p) {
				affected = append(affected, p.ID)
			}
		}
		b.Warning = "constraint-incomplete: your facts alone do not fit the prompt budget; they went out whole, " +
			"and other facts did not; affected: " + cmp.Or(strings.Join(affected, " "), "no reason given")
	}
	var cites map[string]bool
	if b.Disputed != nil {
		cites = b.Disputed()
	}
	for _, f := range other {
		size := len(b.factLine(f))
		if (cites[f.ID] || f.Reference != "" && cites[f.Reference]) && size <= left {
			kept, left = append(kept, f), left-size
			continue
		}
		b.Omitted = append(b.Omitted, f.ID)
	}
	return kept
}

func (b *PromptBuilder) factLine(f *ledger.Fact) string {
	id := f.ID
	if f.Supersedes != "" {
		id += " (supersedes " + f.Supersedes + ")"
	}
	label, text := f.Label(), f.Text
	if len(f.Conflicts) > 0 {
		label += "; not binding: it and " + strings.Join(
			f.Conflicts,
			", ",
		) + " exclude each other, and the user has to decide"
	}
	if b.Anonymous {
		label = b.Unattributed(label)
		if f.Tag == ledger.TagRevision {
			text = b.Unattributed(text)
		}
	}
	return id + " [" + plain.OneLine(label) + "]: " + plain.Indent(text) + "\n"
}

// Unattributed removes the names of the seats from a text that code wrote.
func (b *PromptBuilder) Unattributed(text string) string {
	names := lists.Map(b.State.Seats, func(a state.SeatAssignment) string { return string(a.Seat) })
	// consultee-2 before consultee.
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(len(y)-len(x), strings.Compare(x, y)) })
	for _, name := range names {
		text = strings.ReplaceAll(text, name, "a seat")
	}
	return strings.ReplaceAll(text, "a seat-unverified", "unverified")
}
