package protocol

import "strings"

// thoughtTags are between what models write their thoughts, where their server
// does not tell these apart from the reply. The last is how the models of OpenAI's
// open weights part their channels.
func thoughtTags() [12][2]string {
	return [...][2]string{
		{"<think>", "</think>"},
		{"<thinking>", "</thinking>"},
		{"<thought>", "</thought>"},
		{"<THINK>", "</THINK>"},
		{"<reasoning>", "</reasoning>"},
		{"<reflection>", "</reflection>"},
		{"<seed:think>", "</seed:think>"},
		{"<|START_THINKING|>", "<|END_THINKING|>"},
		{"<|begin_of_thought|>", "<|end_of_thought|>"},
		{"[THINK]", "[/THINK]"},
		{"◁think▷", "◁/think▷"},
		{"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"},
	}
}

// Thoughts parts a reply into what its writer says and what it thinks aloud, while
// the reply comes in pieces of any size. Thoughts stand between tags; of a thought
// that the reply begins with, the first tag may be missing, since some templates
// put it into the prompt. The zero Thoughts is ready.
type Thoughts struct {
	// KeepJSON leaves a reply that begins as JSON as it is: there a tag is but a
	// part of some string.
	KeepJSON bool
	// Within says that the reply begins with a thought, whose first tag is missing.
	Within bool

	parts []ThoughtPart
	// held is what may be the beginning of a tag.
	held string
	// end is the tag that ends the thought, "" for any of them.
	end string
	// last is the last byte that was said, 0 before the first; behind says that
	// something was said on its line.
	last                        byte
	behind, begun, whole, ended bool
	// doubt is a thought that began behind a text on its line, with its tag, nil for
	// none: where it does not end, the reply only spoke of the tag.
	doubt []byte
}

// maxDoubt is how much is kept of a thought that may be none, in bytes. What thinks
// for longer thinks.
const maxDoubt = 1 << 16

// ThoughtPart is a piece of a reply: exactly one of Text and Thought is set, or
// neither beside Void.
type ThoughtPart struct {
	Text, Thought string
	// Void says that all Text before this part was a thought.
	Void bool
}

// blanks say nothing.
const blanks = " \t\r\n\uFEFF"

// Feed takes the next piece of the reply. What it returns is valid until the next
// call.
func (t *Thoughts) Feed(piece string) []ThoughtPart {
	t.parts = t.parts[:0]
	if !t.begun {
		piece = t.begin(piece)
	}
	switch {
	case piece == "" && t.held == "":
	case !t.begun:
		t.held = piece
	case t.whole, !t.Within && t.held == "" && !strings.ContainsAny(piece, "<[") && strings.IndexByte(piece, '\xe2') < 0:
		t.say(piece)
	default:
		t.held += piece
		t.part()
	}
	return t.parts
}

// End takes the end of the reply. What it returns is valid until the next call.
func (t *Thoughts) End() []ThoughtPart {
	t.parts = t.parts[:0]
	t.begun, t.ended = true, true
	t.part()
	t.spend(len(t.held))
	if t.Within && t.doubt != nil {
		t.Within = false
		t.say(string(t.doubt))
	}
	return t.parts
}

// begin decides by its first sign whether a reply is JSON. It returns what is left
// to part, and leaves begun unset where it cannot tell yet.
func (t *Thoughts) begin(piece string) string {
	piece, t.held = t.held+piece, ""
	rest := strings.TrimLeft(piece, blanks)
	t.say(piece[:len(piece)-len(rest)])
	if rest == "" {
		return ""
	}
	const tag = "[THINK]"
	if t.KeepJSON && rest[0] == '[' && len(rest) < len(tag) && strings.HasPrefix(tag, rest) {
		return rest
	}
	t.begun = true
	t.whole = t.KeepJSON && (rest[0] == '{' || rest[0] == '[' && !strings.HasPrefix(rest, tag))
	t.Within = t.Within && !t.whole
	return rest
}

// say adds a text to the parts.
func (t *Thoughts) say(text string) {
	if text != "" {
		t.last = text[len(text)-1]
		line := text[strings.LastIndexByte(text, '\n')+1:]
		t.behind = strings.Trim(line, blanks) != "" || len(line) == len(text) && t.behind
		t.parts = append(t.parts, ThoughtPart{Text: text})
	}
}

// spend takes so many bytes of what is held, as text or as a thought.
func (t *Thoughts) spend(n int) {
	spent := t.held[:n]
	t.held = t.held[n:]
	switch {
	case spent == "":
	case t.Within:
		t.parts = append(t.parts, ThoughtPart{Thought: spent})
		if t.doubt != nil {
			t.doubt = append(t.doubt, spent...)
		}
		if len(t.doubt) > maxDoubt {
			t.doubt = nil
		}
	default:
		t.say(spent)
	}
}

// part takes all of what is held that can be told apart already.
func (t *Thoughts) part() {
	for at := 0; at < len(t.held); {
		if c := t.held[at]; c != '<' && c != '[' && c != tagRune {
			at++
			continue
		}
		begin, end, open := t.tagAt(at)
		switch {
		case open && !t.ended:
			t.spend(at)
			return
		case begin != "" && !t.Within:
			t.spend(at)
			t.held = t.held[len(begin):]
			t.Within, t.end, at = true, end, 0
			if t.behind {
				t.doubt = []byte(begin)
			}
		case begin == "" && end != "" && (!t.Within || t.end == "" || t.end == end):
			t.close(at, len(end))
			at = 0
		default:
			at++
		}
	}
	t.spend(len(t.held))
}

// tagRune is the first byte of the tags that are not ASCII.
const tagRune = '\xe2'

// close ends a thought; one that was not begun began with the reply.
func (t *Thoughts) close(at, size int) {
	if !t.Within {
		t.Within = true
		t.parts = append(t.parts, ThoughtPart{Void: true})
	}
	t.spend(at)
	t.held = t.held[size:]
	t.Within, t.end, t.last, t.behind, t.doubt = false, "", 0, false, nil
}

// tagAt returns the tag that stands at a place of what is held: both of a pair
// where it is the first, only the end where it is the last. open says that more of
// the reply is needed to tell.
func (t *Thoughts) tagAt(at int) (begin, end string, open bool) {
	rest := t.held[at:]
	for _, tags := range thoughtTags() {
		for i, tag := range tags {
			switch {
			case len(rest) < len(tag):
				open = open || strings.HasPrefix(tag, rest)
			case !strings.HasPrefix(rest, tag):
			case t.Within && i == 1:
				return "", tag, false
			case t.Within:
				return tag, tags[1], false
			default:
				spoken, unclear := t.spokenOf(at, rest[len(tag):], i == 1)
				switch {
				case spoken || unclear:
					return "", "", unclear
				case i == 0:
					return tag, tags[1], false
				}
				return "", tag, false
			}
		}
	}
	return "", "", open
}

// spokenOf reports that the reply only speaks of a tag: it stands in quotation
// marks, a last one also between blanks or before what ends a clause. unclear says that what follows is needed to
// tell.
func (t *Thoughts) spokenOf(at int, after string, last bool) (spoken, unclear bool) {
	before := t.last
	if at > 0 {
		before = t.held[at-1]
	}
	switch {
	case strings.IndexByte("`\"'", before) >= 0 && !last:
		// In a string of JSON, or as code.
		return true, false
	case strings.IndexByte("`\"'", before) >= 0, before == ' ' && last && (after == "" || after[0] == ' '):
		return after != "" && after[0] == before, after == ""
	}
	return last && after != "" && strings.IndexByte("`\"',.;:!?)", after[0]) >= 0, last && after == "" && !t.ended
}

// thinkless drops what a model thought aloud before it spoke.
func thinkless(text string) string {
	text = unchanneled(strings.ReplaceAll(text, "\r\n", "\n"))
	var out strings.Builder
	var aloud Thoughts
	take := func(parts []ThoughtPart) {
		for _, part := range parts {
			if part.Void {
				out.Reset()
			}
			out.WriteString(part.Text)
		}
	}
	take(aloud.Feed(text))
	take(aloud.End())
	return out.String()
}

// unchanneled takes what a model that parts its reply into channels says in the
// final one: the others are thoughts. Servers that leave the special tokens out run
// the channels together: "analysisWe need …assistantfinal{…}".
func unchanneled(text string) string {
	const channel, message = "<|channel|>", "<|message|>"
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "analysis") {
		if at := strings.LastIndex(trimmed, "assistantfinal"); at >= 0 {
			return trimmed[at+len("assistantfinal"):]
		}
	}
	if !strings.HasPrefix(trimmed, channel) && !strings.HasPrefix(trimmed, "<|start|>") {
		return text
	}
	var said strings.Builder
	for _, part := range strings.Split(trimmed, channel)[1:] {
		name, body, ok := strings.Cut(part, message)
		if !ok || !strings.HasPrefix(strings.TrimSpace(name), "final") {
			continue
		}
		for _, end := range []string{"<|end|>", "<|return|>", "<|start|>", "<|call|>"} {
			body, _, _ = strings.Cut(body, end)
		}
		said.WriteString(body)
	}
	return said.String()
}
