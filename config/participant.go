package config

import (
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
)

// longestName is how long a name of the person's own may be.
const longestName = 40

// participant finds a participant by its name, or adds it.
func (r *reader) participant(name string, line int) *Participant {
	for i := range r.file.Participants {
		if p := &r.file.Participants[i]; p.Name == name {
			return p
		}
	}
	if !plainName(name) {
		r.tell(line, "[%s]: a name of your own is letters, digits, - and _, %d at most",
			dotted([]string{"participants", name}), longestName)
	}
	r.file.Participants = append(r.file.Participants, Participant{Name: name, Line: line, Lines: map[string]int{}})
	return &r.file.Participants[len(r.file.Participants)-1]
}

func plainName(name string) bool {
	return name != "" && len(name) <= longestName && strings.IndexFunc(name, notBare) < 0 && name[0] != '-'
}

// option takes an entry of [participants.NAME].
func (r *reader) option(l leaf) {
	p, name, table := r.participant(l.path[1], l.line), l.path[2], dotted(l.path[:2])
	if name == "headers" {
		r.header(p, l)
		return
	}
	if len(l.path) > 3 || !slices.Contains(Options(), name) {
		r.tell(l.line, "unknown key %s in [%s]%s", dotted(l.path[2:]), table, Meant(enum.Nearest(name, Options())))
		return
	}
	if r.again(l.path, l.line, name+" in ["+table+"]") {
		return
	}
	p.Lines[name] = l.line
	switch name {
	case "temperature":
		if value, ok := r.number(l, 0, hottest); ok {
			p.Temperature = &value
		}
	case "max-tokens":
		r.count(l, &p.MaxTokens)
	case "requests-per-minute":
		r.count(l, &p.PerMinute)
	case "parallel":
		r.count(l, &p.Parallel)
	case "reasoning-effort":
		if l.kind != kindText || !slices.Contains(Efforts(), l.values[0]) {
			near := ""
			if l.kind == kindText {
				near = Meant(enum.Nearest(l.values[0], Efforts()))
			}
			r.tell(l.line, "reasoning-effort in [%s] is one of %s, in quotes%s", table, strings.Join(Efforts(), ", "),
				near)
			return
		}
		p.ReasoningEffort = l.values[0]
	case "key":
		if l.kind != kindText || !IsVariable(l.values[0]) {
			// Never shown: it may be the key itself.
			r.tell(l.line, `key in [%s] is the name of the variable or keyring entry that holds the key, such as key = "WORK_OPENAI_KEY", and never the key itself; what stands there is not shown: if it is a key, take it out of the file, and keep it with moot key set WORK_OPENAI_KEY`, table)
			return
		}
		p.Key = l.values[0]
	default:
		r.text(l, map[string]*string{"is": &p.Is, "base": &p.Base, "fallback": &p.Fallback}[name])
	}
}

// text takes a text in quotes.
func (r *reader) text(l leaf, into *string) {
	samples := map[string]string{
		"is": "openai:gpt-5-mini", "base": "https://models.example.org/v1",
		"fallback": "ollama:qwen3:8b",
	}
	name := l.path[2]
	if l.kind != kindText || strings.TrimSpace(l.values[0]) != l.values[0] || l.values[0] == "" {
		r.tell(l.line, "%s in [%s] is a text in quotes, such as %q", name, dotted(l.path[:2]), samples[name])
		return
	}
	*into = l.values[0]
}

// count takes a whole number from 1.
func (r *reader) count(l leaf, into *int) {
	value, err := strconv.ParseInt(strings.ReplaceAll(strings.Join(l.values, ""), "_", ""), 0, 32)
	if l.kind != kindNumber || err != nil || value < 1 {
		r.tell(l.line, "%s in [%s] is a whole number from 1, without quotes", l.path[2], dotted(l.path[:2]))
		return
	}
	*into = int(value)
}

// header takes an entry of headers = { … }.
func (r *reader) header(p *Participant, l leaf) {
	table := dotted(l.path[:2])
	if len(l.path) != 4 {
		r.tell(l.line, `headers in [%s] is a table of texts, such as { X-Team = "search" }`, table)
		return
	}
	name := l.path[3]
	if l.kind != kindText || !headerText(l.values[0]) || !headerName(name) {
		r.tell(l.line, `%s in the headers of [%s] is a text in quotes, on one line, such as X-Team = "search" or X-Key = "$TEAM_KEY"`, Named(name), table)
		return
	}
	if secretHeader(name) && !strings.Contains(l.values[0], "$") {
		r.tell(l.line, `%s in the headers of [%s] would hold a secret, which is never written here: name the variable that holds it, such as %s = "$TEAM_KEY"; what stands there is not shown`, name, table, name)
		return
	}
	if r.again(append(slices.Clone(l.path[:3]), strings.ToLower(name)), l.line,
		strings.ToLower(name)+" in the headers of ["+table+"]") {
		return
	}
	p.Lines["headers"] = l.line
	p.Headers = append(p.Headers, Header{Name: name, Value: l.values[0], Line: l.line})
}

// headerName is a token as HTTP wants it.
func headerName(name string) bool {
	return name != "" && len(name) <= 60 && strings.IndexFunc(name, notBare) < 0
}

// headerText reports whether a text may stand in a header.
func headerText(text string) bool {
	return text != "" && len(text) <= 1<<12 &&
		!strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
}

// secretHeader reports whether a header is one that carries a key.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"authorization", "api-key", "apikey", "token", "secret", "password", "cookie"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// IsVariable reports whether a text is the name of a variable: capitals, digits
// and _. A key never is: it has small letters, other signs, or is one long word.
func IsVariable(text string) bool {
	const longest, oneWord = 64, 16
	if text == "" || len(text) > longest || text[0] >= '0' && text[0] <= '9' {
		return false
	}
	if strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			c != '_'
	}) {
		return false
	}
	return strings.Contains(text, "_") || len(text) < oneWord || !strings.ContainsAny(text, "0123456789")
}
