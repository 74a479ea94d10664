package endpoint

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

// redacted stands where a secret stood.
const redacted = "[REDACTED]"

// shortestSecret is the length in bytes under which a key is not looked for in
// foreign text: local servers are given keys like "x", and a message with each
// x replaced says nothing any more.
const shortestSecret = 4

// Secret is a key or a password. Whatever prints it, as text, JSON, a log
// attribute or by reflection, prints [REDACTED], or "" if there is none.
type Secret struct {
	// value is behind a pointer, since package fmt walks into fields that are
	// not exported without asking them how they want to be shown.
	value *string
}

// NewSecret keeps a secret; white space around it is dropped, since keys are
// read from files and pasted with their newline.
func NewSecret(text string) Secret {
	text = strings.TrimSpace(text)
	if text == "" {
		return Secret{}
	}
	return Secret{value: &text}
}

// IsZero reports that there is no secret.
func (s Secret) IsZero() bool { return s.value == nil }

// reveal is called where a request's header is written, and by the scrubber.
func (s Secret) reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// String returns [REDACTED], or "" if there is no secret.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return redacted
}

// GoString is String.
func (s Secret) GoString() string { return s.String() }

// Format is String for every verb and flag.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = state.Write([]byte(s.String())) }

// MarshalJSON is String in quotes.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// MarshalText is String; TOML and others use it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue is String as a log attribute.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// scrubber takes secrets out of text that a server wrote: some echo the key
// that they refuse.
type scrubber struct {
	replacer *strings.Replacer
	heads    []string
}

// newScrubber returns a scrubber for the secrets in each form in which a
// server or a library may write them.
func newScrubber(secrets ...Secret) *scrubber {
	var pairs, heads []string
	for _, secret := range secrets {
		plain := secret.reveal()
		if len(plain) < shortestSecret {
			continue
		}
		quoted, _ := json.Marshal(plain) // A string always marshals.
		for _, form := range []string{
			plain, url.QueryEscape(plain), url.PathEscape(plain), strings.Trim(string(quoted), `"`),
			base64.StdEncoding.EncodeToString([]byte(plain)),
		} {
			pairs = append(pairs, form, redacted)
		}
		heads = append(heads, plain[:shortestSecret-1])
	}
	if len(pairs) == 0 {
		return &scrubber{}
	}
	return &scrubber{replacer: strings.NewReplacer(pairs...), heads: heads}
}

// clean returns the text without the secrets.
func (s *scrubber) clean(text string) string {
	if s.replacer == nil {
		return text
	}
	return s.dropMasked(s.replacer.Replace(text))
}

// dropMasked replaces words that look like a secret with its middle starred
// out, "sk-pr***********9xQz": the ends of a key are no business of a log.
func (s *scrubber) dropMasked(text string) string {
	if !strings.Contains(text, "**") && !strings.Contains(text, "...") {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		end := strings.IndexAny(text, " \t\r\n\"'`,;:()[]{}<>")
		word, rest := text, ""
		if end >= 0 {
			word, rest = text[:end], text[end:end+1]
			text = text[end+1:]
		} else {
			text = ""
		}
		if s.masked(word) {
			word = redacted
		}
		out.WriteString(word)
		out.WriteString(rest)
	}
	return out.String()
}

// masked reports that a word begins like a secret and has a masked middle.
func (s *scrubber) masked(word string) bool {
	if !strings.Contains(word, "**") && !strings.Contains(word, "...") {
		return false
	}
	for _, head := range s.heads {
		if strings.HasPrefix(word, head) {
			return true
		}
	}
	return false
}
