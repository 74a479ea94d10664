// Package scrub removes known secrets from foreign text, such as keys that a server echoes, in any encoding that the
// server may use. It also decides which environment variables look like secrets. Package redact finds unknown
// secrets. Start at Scrubber.
package scrub

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Redacted replaces a secret.
const Redacted = "[REDACTED]"

// Shortest is the minimum length of a secret. Local servers use keys like "x", and replacing each x would make
// messages unreadable.
const Shortest = 4

// Scrubber removes secrets from text. It is safe for concurrent use. A nil Scrubber removes nothing.
type Scrubber struct {
	mutex sync.RWMutex
	// set is a pointer because fmt prints unexported fields, but only the address of a nested pointer.
	set *secrets
}

// secrets is immutable.
type secrets struct {
	known    []string
	replacer *strings.Replacer
}

// New returns a scrubber for secrets.
func New(hidden ...string) *Scrubber {
	s := &Scrubber{set: &secrets{replacer: strings.NewReplacer()}}
	s.Hide(hidden...)
	return s
}

// Hide adds secrets. It ignores those shorter than Shortest.
func (s *Scrubber) Hide(hidden ...string) {
	if s == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := slices.Clone(s.set.known)
	for _, secret := range hidden {
		if secret = strings.TrimSpace(secret); len(secret) >= Shortest && !slices.Contains(known, secret) {
			known = append(known, secret)
		}
	}
	if len(known) == len(s.set.known) {
		return
	}
	var all []string
	for _, secret := range known {
		all = append(all, forms(secret)...)
	}
	// Replace the longest form first, so that no part of a longer one remains.
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(all))
	for _, form := range all {
		pairs = append(pairs, form, Redacted)
	}
	s.set = &secrets{known: known, replacer: strings.NewReplacer(pairs...)}
}

// escapes matches URL-encoded bytes.
var escapes = regexp.MustCompile(`%[0-9A-F]{2}`)

// forms returns the encodings of a secret that a server or library may use.
func forms(secret string) []string {
	const shortestEncoded = 8 // a few base64 letters occur in many words
	quoted, _ := json.Marshal(secret)
	query, path := url.QueryEscape(secret), url.PathEscape(secret)
	found := []string{
		secret, query, path, escapes.ReplaceAllStringFunc(query, strings.ToLower),
		escapes.ReplaceAllStringFunc(path, strings.ToLower), strings.Trim(string(quoted), `"`),
		html.EscapeString(secret), strings.ReplaceAll(secret, "/", `\/`),
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)),
	}
	if len(secret) < shortestEncoded {
		return found
	}
	digits := hex.EncodeToString([]byte(secret))
	found = append(found, digits, strings.ToUpper(digits))
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			found = append(found, inside(encoding, secret, before))
		}
	}
	return found
}

// inside returns the part of a secret's base64 encoding that does not depend on the surrounding text, given the
// number of bytes before it modulo 3, as in user:password.
func inside(encoding *base64.Encoding, secret string, before int) string {
	text := encoding.EncodeToString(append(make([]byte, before), secret...))
	text = text[(before*8+5)/6:]
	if (before+len(secret))%3 != 0 {
		text = text[:len(text)-1]
	}
	return text
}

// current returns the current secrets.
func (s *Scrubber) current() *secrets {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.set
}

// maskedWord matches a word with a masked middle, "sk-pr***********9xQz".
var maskedWord = regexp.MustCompile("[^ \t\r\n\"'`,;:()\\[\\]{}<>]*(?:\\*\\*|\\.\\.\\.)[^ \t\r\n\"'`,;:()\\[\\]{}<>]*")

// Clean removes the secrets from a text. It also removes words that start like a secret and have a masked middle,
// because the ends of a key are secret too.
func (s *Scrubber) Clean(text string) string {
	if s == nil {
		return text
	}
	set := s.current()
	text = set.replacer.Replace(text)
	if len(set.known) == 0 || !strings.Contains(text, "**") && !strings.Contains(text, "...") {
		return text
	}
	return maskedWord.ReplaceAllStringFunc(text, func(word string) string {
		for _, secret := range set.known {
			if strings.HasPrefix(word, secret[:Shortest-1]) {
				return Redacted
			}
		}
		return word
	})
}

// jsonString matches a JSON string, including the colon if it is a name.
var jsonString = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"(?:[ \t]*:)?`)

// Spelled replaces a text whose parts spell out a secret.
const Spelled = "[REDACTED: the pieces of this text spell out a secret]"

// Body cleans a text that may contain JSON, such as an event stream. It also checks JSON strings unescaped, and
// joined by name: a model may spell out a secret token by token.
func (s *Scrubber) Body(text string) string {
	text = s.Clean(text)
	if s == nil || len(s.current().known) == 0 {
		return text
	}
	name, joined := "", map[string]*strings.Builder{}
	text = jsonString.ReplaceAllStringFunc(text, func(literal string) string {
		var value string
		if quoted := strings.TrimRight(literal, " \t:"); json.Unmarshal([]byte(quoted), &value) != nil {
			return literal
		}
		if strings.HasSuffix(literal, ":") {
			name = value
			return literal
		}
		cleaned := s.Clean(value)
		if joined[name] == nil {
			joined[name] = &strings.Builder{}
		}
		joined[name].WriteString(cleaned)
		if cleaned == value {
			return literal
		}
		quoted, _ := json.Marshal(cleaned)
		return string(quoted)
	})
	set := s.current()
	for _, all := range joined {
		if set.replacer.Replace(all.String()) != all.String() {
			return Spelled
		}
	}
	return text
}
