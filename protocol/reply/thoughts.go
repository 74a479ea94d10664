package reply

import (
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// FormatFailure returns what happened to a reply without readable moves.
func FormatFailure(text string) state.Failure {
	if said := plain.FirstLine(withoutThoughts(text)); said != "" {
		return state.Failure{Kind: state.FailureFormat, Text: said, Said: true}
	}
	f := state.Failure{Kind: state.FailureEmpty}
	if strings.TrimSpace(text) != "" {
		f.Text = "only thoughts came, and no reply"
	}
	return f
}

// thoughtTags returns the tags around the thoughts of models, for servers that do not separate them
// from the reply. The last pair separates the channels of OpenAI's open-weight models.
func thoughtTags() [8][2]string {
	return [...][2]string{
		{"<think>", "</think>"},
		{"<thinking>", "</thinking>"},
		{"<thought>", "</thought>"},
		{"<reasoning>", "</reasoning>"},
		{"<|START_THINKING|>", "<|END_THINKING|>"},
		{"[THINK]", "[/THINK]"},
		{"◁think▷", "◁/think▷"},
		{"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"},
	}
}

// longestTag is more bytes than any tag has.
const longestTag = 40

// Thoughts separates the reply of a model from the thoughts before it, in a stream of pieces of any
// size. Thoughts are between tags at the beginning of the reply; the first tag may be missing,
// since some templates put it into the prompt. The zero Thoughts is ready.
type Thoughts struct {
	// KeepJSON leaves a reply that begins as JSON unchanged: a tag in it is part of a string.
	KeepJSON bool
	// Within says that the reply begins with a thought whose first tag is missing.
	Within bool

	parts []ThoughtPart
	// held may be the beginning of a tag. end is the tag that ends the thought, "" for
	// any.
	held, end string
	// begun says that the reply has more than blanks so far, speaking that the thoughts before the
	// reply are over, plain that the reply is JSON.
	begun, speaking, plain bool
	// last is the last byte of the text, 0 before the first. tail is the end of the text, and opened are the first tags
	// that occur in it: a reply that quotes a whole thought is no thought.
	last   byte
	tail   string
	opened [8]bool
}

// ThoughtPart is a piece of a reply: exactly one of Text and Thought is set, or neither
// if Void is.
type ThoughtPart struct {
	Text, Thought string
	// Void says that all Text before this part was a thought.
	Void bool
}

// Feed takes the next piece of the reply. What it returns is valid until the next call.
func (t *Thoughts) Feed(piece string) []ThoughtPart {
	t.parts = t.parts[:0]
	t.held += piece
	for t.step(false) {
	}
	return t.parts
}

// End takes the end of the reply. What it returns is valid until the next call.
func (t *Thoughts) End() []ThoughtPart {
	t.parts = t.parts[:0]
	for t.step(true) {
	}
	return t.parts
}

// step consumes as much of held as can be classified and reports whether to call it again.
func (t *Thoughts) step(last bool) bool {
	switch {
	case t.held == "":
		return false
	case t.plain:
		t.say(len(t.held))
		return false
	case t.Within && !t.begun:
		rest := strings.TrimLeft(t.held, " \t\r\n\uFEFF")
		if bracketed := "[THINK]"; !last && strings.HasPrefix(bracketed, rest) {
			return false
		}
		t.begun = true
		t.Within = !t.KeepJSON || rest == "" || rest[0] != '{' && (rest[0] != '[' || strings.HasPrefix(rest, "[THINK]"))
		return true
	case t.Within:
		return t.think(last)
	case !t.speaking:
		return t.begin(last)
	}
	return t.speak(last)
}

// begin decides whether the reply begins with a thought, with JSON or with text.
func (t *Thoughts) begin(last bool) bool {
	rest := strings.TrimLeft(t.held, " \t\r\n\uFEFF")
	if rest == "" {
		if last {
			t.say(len(t.held))
		}
		return false
	}
	for _, tags := range thoughtTags() {
		if strings.HasPrefix(rest, tags[0]) {
			t.say(len(t.held) - len(rest))
			t.held, t.end, t.Within, t.begun = rest[len(tags[0]):], tags[1], true, true
			return true
		}
		if strings.HasPrefix(tags[0], rest) && !last {
			return false
		}
	}
	t.say(len(t.held) - len(rest))
	t.speaking, t.plain = true, t.KeepJSON && (rest[0] == '{' || rest[0] == '[')
	return true
}

// think takes a thought up to its end.
func (t *Thoughts) think(last bool) bool {
	at, size := t.endTag(t.held, last)
	if at > 0 {
		t.parts = append(t.parts, ThoughtPart{Thought: t.held[:at]})
	}
	t.held = t.held[at:]
	if size == 0 {
		return false
	}
	t.held, t.Within, t.speaking = t.held[size:], false, false
	return true
}

// speak takes text. An end tag says that all before it was a thought, unless the text only
// mentions it: in quotation marks, or between blanks.
func (t *Thoughts) speak(last bool) bool {
	t.end = ""
	at, size := t.endTag(t.held, last)
	if size == 0 {
		t.say(at)
		return false
	}
	after := t.held[at+size:]
	if after == "" && !last {
		t.say(at)
		return false
	}
	before := t.last
	if at > 0 {
		before = t.held[at-1]
	}
	const marks = " \t`\"'"
	if strings.IndexByte(marks, before) >= 0 && (after == "" || strings.IndexByte(marks+",.;:!?)", after[0]) >= 0) {
		t.say(at + size)
		return true
	}
	t.say(at)
	for i, tags := range thoughtTags() {
		if t.opened[i] && t.held[:size] == tags[1] {
			t.say(size)
			return true
		}
	}
	t.parts = append(t.parts, ThoughtPart{Void: true})
	t.held, t.speaking, t.last, t.tail, t.opened = after, false, 0, "", [8]bool{}
	return true
}

// endTag finds the first end tag. Without one, size is 0 and at is how much cannot be a
// part of one.
func (t *Thoughts) endTag(text string, last bool) (at, size int) {
	for at = 0; at < len(text); at++ {
		next := strings.IndexAny(text[at:], "<[◁")
		if next < 0 {
			break
		}
		at += next
		for _, tags := range thoughtTags() {
			switch tag := tags[1]; {
			case t.end != "" && t.end != tag:
			case strings.HasPrefix(text[at:], tag):
				return at, len(tag)
			case !last && strings.HasPrefix(tag, text[at:]):
				return at, 0
			}
		}
	}
	// A piece may end within the first rune of a tag.
	for n := 2; n > 0; n-- {
		if !last && strings.HasSuffix(text, "◁"[:n]) {
			return len(text) - n, 0
		}
	}
	return len(text), 0
}

// say moves the first n bytes of held to the text.
func (t *Thoughts) say(n int) {
	if n > 0 {
		t.parts = append(t.parts, ThoughtPart{Text: t.held[:n]})
		t.last = t.held[n-1]
		if t.speaking && !t.plain {
			t.tail += t.held[:n]
			for i, tags := range thoughtTags() {
				t.opened[i] = t.opened[i] || strings.Contains(t.tail, tags[0])
			}
			t.tail = t.tail[max(0, len(t.tail)-longestTag):]
		}
		t.held = t.held[n:]
	}
}

// withoutThoughts removes the thoughts before a reply.
func withoutThoughts(text string) string {
	t := Thoughts{KeepJSON: true}
	var said strings.Builder
	take := func(parts []ThoughtPart) {
		for _, part := range parts {
			if part.Void {
				said.Reset()
			}
			said.WriteString(part.Text)
		}
	}
	take(t.Feed(text))
	take(t.End())
	out, _, _ := strings.Cut(said.String(), "<|return|>")
	return out
}
