package endpoint

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"moot/agent/scrub"
)

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
	return scrub.Redacted
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

// newScrubber returns a scrubber for the secrets: some servers echo the key that
// they refuse.
func newScrubber(secrets ...Secret) *scrub.Scrubber {
	scrubber := scrub.New()
	hide(scrubber, secrets)
	return scrubber
}

// Hide tells a scrubber what of a config is secret.
func (c *Config) Hide(from *scrub.Scrubber) { hide(from, c.secrets()) }

func hide(from *scrub.Scrubber, secrets []Secret) {
	for _, secret := range secrets {
		from.Hide(secret.reveal())
	}
}
