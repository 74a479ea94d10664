package scrub

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// maxNames is how many names of JSON strings are followed at once.
const maxNames = 256

// spelling is the end of what the JSON strings of one name spell out together:
// streams send a reply in pieces, {"content":"sk-"} and then {"content":"abc"}.
type spelling struct {
	text  string
	parts []part
}

// part is one string: where it stands in the stream, without its quotes, and in
// the text of the spelling.
type part struct {
	start, end int
	from, to   int
	value      string
	// gone are the ranges of the value that are taken out, in order.
	gone []span
}

// readLines reads the lines that are whole as JSON, as far as they are. The last
// line of a stream counts as whole.
func (s *Stream) readLines(set *secrets, last bool) {
	for {
		s.looked = max(s.looked, s.lineAt)
		end := bytes.IndexByte(s.held[s.looked-s.base:], '\n') + s.looked + 1
		if end == s.looked {
			s.looked = s.base + len(s.held)
			if end = s.looked; !last || end == s.lineAt {
				return
			}
		}
		s.readLine(set, s.held[s.lineAt-s.base:end-s.base])
		s.lineAt = end
	}
}

// readLine follows the JSON strings of a line by their names. A line that is no
// JSON, or only a part of it, is read as far as there are strings in it.
func (s *Stream) readLine(set *secrets, line []byte) {
	if !bytes.ContainsAny(line, "{[") {
		return
	}
	name := ""
	for at := 0; at < len(line); at++ {
		if line[at] != '"' {
			continue
		}
		end := stringEnd(line, at+1)
		if end < 0 {
			return
		}
		value := unquoted(line[at : end+1])
		after := bytes.TrimLeft(line[end+1:], " \t")
		if len(after) > 0 && after[0] == ':' {
			name = value
		} else if value != "" {
			s.spell(set, name, value, s.lineAt+at+1, s.lineAt+end)
		}
		at = end
	}
}

// stringEnd is where a JSON string ends that goes on at a place, or -1.
func stringEnd(line []byte, at int) int {
	for ; at < len(line); at++ {
		switch line[at] {
		case '\\':
			at++
		case '"':
			return at
		}
	}
	return -1
}

// unquoted is the value of a JSON string; of what is none, its bytes.
func unquoted(literal []byte) string {
	var value string
	if json.Unmarshal(literal, &value) == nil {
		return value
	}
	return string(literal[1 : len(literal)-1])
}

// spell adds a string to what those of its name spell, and hides the secrets that
// end in it.
func (s *Stream) spell(set *secrets, name, value string, start, end int) {
	sp := s.strings[name]
	if sp == nil {
		if len(s.strings) >= maxNames {
			clear(s.strings)
		}
		sp = &spelling{}
		s.strings[name] = sp
	}
	sp.parts = append(sp.parts, part{start: start, end: end, from: len(sp.text), to: len(sp.text) + len(value), value: value})
	fresh := len(sp.text)
	sp.text += value
	for at := max(0, fresh-set.longest); at < len(sp.text); {
		length := set.formAt(sp.text[at:])
		if length == 0 {
			at++
			continue
		}
		if at+length > fresh {
			s.hide(set, sp, at, at+length)
		}
		at += length
	}
	sp.shorten(set.longest)
}

// hide takes a range of what is spelt out of the strings that it touches, where
// they were not given out yet.
func (s *Stream) hide(set *secrets, sp *spelling, from, to int) {
	first := true
	for i := range sp.parts {
		p := &sp.parts[i]
		if p.to <= from || to <= p.from {
			continue
		}
		mark := ""
		if first {
			mark, first = Redacted, false
		}
		p.gone = append(p.gone, span{max(from, p.from) - p.from, min(to, p.to) - p.from, mark})
		if p.start < s.base {
			continue
		}
		s.hidden = slices.DeleteFunc(s.hidden, func(h span) bool { return h.start == p.start })
		s.hidden = append(s.hidden, span{p.start, p.end, set.replacer.Replace(p.without())})
	}
}

// without is the string, as JSON without quotes, less what is taken out.
func (p *part) without() string {
	var out strings.Builder
	at := 0
	for _, gone := range p.gone {
		out.WriteString(p.value[at:gone.start])
		out.WriteString(gone.text)
		at = gone.end
	}
	out.WriteString(p.value[at:])
	quoted, _ := json.Marshal(out.String()) // A string always marshals.
	return string(quoted[1 : len(quoted)-1])
}

// shorten drops what no secret can begin in any more.
func (sp *spelling) shorten(longest int) {
	drop := 0
	for drop < len(sp.parts) && sp.parts[drop].to <= len(sp.text)-longest {
		drop++
	}
	if drop == 0 {
		return
	}
	less := sp.parts[drop-1].to
	sp.text = strings.Clone(sp.text[less:])
	sp.parts = slices.Clone(sp.parts[drop:])
	for i := range sp.parts {
		sp.parts[i].from -= less
		sp.parts[i].to -= less
	}
}

// spellingHold is where the first string begins that may be the beginning of a
// secret, unless it lies far back.
func (s *Stream) spellingHold(set *secrets) int {
	end := s.base + len(s.held)
	cut := end
	for _, sp := range s.strings {
		at := set.prefixAt(sp.text)
		for i := range sp.parts {
			p := &sp.parts[i]
			if p.to > at && p.start >= s.base && end-p.start <= maxHeld {
				cut = min(cut, p.start)
			}
		}
	}
	return cut
}

// prefixAt is where in a text something begins that may become a secret.
func (set *secrets) prefixAt(text string) int {
	for at := max(0, len(text)-set.longest); at < len(text); at++ {
		rest := text[at:]
		for _, form := range set.byFirst[rest[0]] {
			if len(rest) < len(form) && strings.HasPrefix(form, rest) {
				return at
			}
		}
	}
	return len(text)
}

// apart returns spans in order, none of which meets another. One that lies in
// another goes with it; where two only overlap, nothing of either is left.
func apart(found []span) []span {
	slices.SortStableFunc(found, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	kept := found[:0]
	for _, f := range found {
		last := len(kept) - 1
		switch {
		case last < 0 || f.start >= kept[last].end:
			kept = append(kept, f)
		case f.end > kept[last].end:
			kept[last] = span{kept[last].start, f.end, Redacted}
		}
	}
	return kept
}
