// Package endpoint is the participant that calls a model behind an OpenAI-compatible endpoint. Parse turns a
// participant string into a Config, New makes the Endpoint, and Endpoint.Reply calls the model.
//
// The client is go-openai on top of an exchange that limits it (transport.go). chat.go and responses.go are the two
// APIs behind the wire interface, and lessons.go records what a server refuses. A key leaves this package only as a
// request header. Start at Parse, then reply.go.
package endpoint

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"moot/agent/scrub"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/protocol"
	"moot/state"
)

var _ protocol.Participant = (*Endpoint)(nil)

// Endpoint is a model at a chat endpoint, as a participant. It is safe for
// concurrent use.
type Endpoint struct {
	config    Config
	limits    Limits
	transport http.RoundTripper
	scrubber  *scrub.Scrubber
	price     Price
	priced    bool

	// lessons holds what the server refused so far. Other sessions may share it.
	lessons *lessons

	// mutex guards what follows.
	mutex sync.Mutex
	// strict caches the strict form of each schema, or nil if it has none.
	strict map[string]json.RawMessage
	// noted holds the notes that are shown only once, and told the lessons already in the session's record.
	noted, told map[string]bool
}

// New returns the participant for a config. A nil transport means a new one. memory, which may be nil, shares what is
// learned about the server with other endpoints. New sends nothing.
func New(config Config, limits Limits, transport http.RoundTripper, memory *Memory) *Endpoint {
	if transport == nil {
		transport = NewTransport()
	}
	e := &Endpoint{
		config: config, limits: limits.filled(), transport: transport, scrubber: scrub.New(),
		lessons: memory.of(&config), strict: map[string]json.RawMessage{}, noted: map[string]bool{},
		told: map[string]bool{},
	}
	config.Hide(e.scrubber)
	e.price, e.priced = config.findPrice()
	return e
}

// Name returns the participant string, without secrets.
func (e *Endpoint) Name() string { return e.config.Name }

// Modelless implements protocol.Participant.
func (e *Endpoint) Modelless() bool { return false }

// NeedsLookups is true: a model behind an endpoint cannot see the workspace by itself (LU2).
func (e *Endpoint) NeedsLookups() bool { return true }

// Price returns what the model costs, and whether that is known.
func (e *Endpoint) Price() (Price, bool) { return e.price, e.priced }

// Priced reports whether the cost of a reply will be known.
func (e *Endpoint) Priced() bool { return e.priced || e.config.ReportsCost }

// Estimate returns the cost of sending a prompt in US dollars, and whether the price is known.
func (e *Endpoint) Estimate(promptTokens int) (float64, bool) {
	return e.price.Cost(promptTokens, 0), e.priced
}

// Recall restores what an earlier part of the session learned about the server.
func (e *Endpoint) Recall(lessons []state.Lesson) {
	for _, lesson := range lessons {
		if lesson.Participant != e.Name() {
			continue // the lesson belongs to a fallback
		}
		e.lessons.add(lesson)
		e.mutex.Lock()
		e.told[lesson.Key] = true
		e.mutex.Unlock()
	}
}

// untold returns the lessons that are not in the session's record yet.
func (e *Endpoint) untold() []state.Lesson {
	var untold []state.Lesson
	known := e.lessons.all()
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, lesson := range known {
		if !e.told[lesson.Key] {
			e.told[lesson.Key] = true
			lesson.Participant = e.Name()
			untold = append(untold, lesson)
		}
	}
	return untold
}

// once reports whether a note is new.
func (e *Endpoint) once(note string) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	seen := e.noted[note]
	e.noted[note] = true
	return !seen
}

// Secret is a key or a password. Every format prints it as [REDACTED], or "" if it is zero.
type Secret struct {
	// value is a pointer because fmt prints unexported fields without calling their methods.
	value *string
}

// NewSecret returns a secret without surrounding white space.
func NewSecret(text string) Secret {
	if text = strings.TrimSpace(text); text == "" {
		return Secret{}
	}
	return Secret{value: &text}
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.value == nil }

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

// Format implements fmt.Formatter: every verb prints String.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = state.Write([]byte(s.String())) }

// MarshalText returns String, for JSON and TOML encoders and log handlers.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Hide adds the config's secrets to a scrubber.
func (c *Config) Hide(from *scrub.Scrubber) {
	from.Hide(c.Key.reveal(), c.Password.reveal())
	if !c.Password.IsZero() {
		from.Hide(c.User.reveal() + ":" + c.Password.reveal())
	}
}

// maxQuotedRunes is the maximum length of a quoted server message.
const maxQuotedRunes = 300

// quote returns foreign text on one line, without secrets or control characters.
func (e *Endpoint) quote(text string) string {
	text = e.scrubber.Clean(strings.ToValidUTF8(text, "\uFFFD"))
	return plain.Line(plain.Clip(text, maxQuotedRunes))
}

// quoteMessage is quote for an error message, which may hold other people's keys: gateways report the keys that they
// use.
func (e *Endpoint) quoteMessage(text string) string {
	redactor, err := redact.New()
	if err != nil {
		return "" // never show an unchecked message
	}
	text = e.scrubber.Clean(strings.ToValidUTF8(text, "\uFFFD"))
	cleaned, _ := redactor.Text(plain.Clip(text, 16<<10))
	return e.quote(cleaned)
}
