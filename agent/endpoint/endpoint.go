// Package endpoint seats a model behind an OpenAI-compatible chat endpoint.
// Parse turns the string that names it into a Config, New makes the Endpoint,
// and Endpoint.Reply asks it: with retries, limits, and a schema that falls back
// to what the server accepts. A key leaves this package only as a request
// header. Start at Parse, then reply.go and stream.go.
package endpoint

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"moot/agent/scrub"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/protocol"
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

	// mutex guards what the endpoint learns about its server.
	mutex   sync.Mutex
	ability ability
	// strict holds the strict form of each schema, nil if it has none.
	strict map[string]json.RawMessage
	// noted holds the notes that are shown only once.
	noted map[string]bool
}

// New returns the participant for a config, which sends its requests over a transport. Nil stands for one of its own.
// It sends nothing.
func New(config Config, limits Limits, transport http.RoundTripper) *Endpoint {
	if transport == nil {
		transport = NewTransport()
	}
	e := &Endpoint{
		config: config, limits: limits.filled(), transport: transport, scrubber: scrub.New(),
		ability: firstAbility(&config), strict: map[string]json.RawMessage{}, noted: map[string]bool{},
	}
	config.Hide(e.scrubber)
	e.price, e.priced = config.findPrice()
	return e
}

// Name returns the string that the user named the endpoint by, without secrets.
func (e *Endpoint) Name() string { return e.config.Name }

// Modelless is false: a language model is at work.
func (e *Endpoint) Modelless() bool { return false }

// NeedsLookups is true: a model behind an endpoint sees nothing of the workspace by itself (LU2).
func (e *Endpoint) NeedsLookups() bool { return true }

// Price returns what the model costs, and whether that is known.
func (e *Endpoint) Price() (Price, bool) { return e.price, e.priced }

// Priced reports whether the cost of a reply will be known.
func (e *Endpoint) Priced() bool { return e.priced || e.config.ReportsCost }

// Estimate returns the cost of a prompt in US dollars, without the reply, and
// whether a price is known.
func (e *Endpoint) Estimate(promptTokens int) (float64, bool) {
	return e.price.Cost(promptTokens, 0), e.priced
}

// once reports whether a note is new.
func (e *Endpoint) once(note string) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	seen := e.noted[note]
	e.noted[note] = true
	return !seen
}

// Secret is a key or a password. It prints as [REDACTED], or "" if it is zero,
// in any format.
type Secret struct {
	// value is a pointer because package fmt walks into unexported fields
	// without calling their methods.
	value *string
}

// NewSecret keeps a secret without the white space around it.
func NewSecret(text string) Secret {
	if text = strings.TrimSpace(text); text == "" {
		return Secret{}
	}
	return Secret{value: &text}
}

// IsZero reports that there is no secret.
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

// MarshalText is String; encoders of JSON and TOML and log handlers use it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Hide names the secrets of a config to a scrubber.
func (c *Config) Hide(from *scrub.Scrubber) {
	from.Hide(c.Key.reveal(), c.Password.reveal())
	if !c.Password.IsZero() {
		from.Hide(c.User.reveal() + ":" + c.Password.reveal())
	}
}

// maxQuotedRunes bounds how much of a server's message is quoted.
const maxQuotedRunes = 300

// quote returns foreign text on one line, without secrets and control characters.
func (e *Endpoint) quote(text string) string {
	text = e.scrubber.Clean(strings.ToValidUTF8(text, "\uFFFD"))
	return plain.Line(plain.Clip(text, maxQuotedRunes))
}

// quoteMessage is quote for an error message, which may hold the key of somebody
// else: a gateway may report the one that it uses itself.
func (e *Endpoint) quoteMessage(text string) string {
	redactor, err := redact.New()
	if err != nil {
		return "" // Never show what was not checked.
	}
	text = e.scrubber.Clean(strings.ToValidUTF8(text, "\uFFFD"))
	cleaned, _ := redactor.Text(plain.Clip(text, 16<<10))
	return e.quote(cleaned)
}

// NewTransport returns a transport for endpoints to share. It asks for no
// compression, because proxies hold compressed streams back.
func NewTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        512,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
		WriteBufferSize:     16 << 10, // Most requests are one write.

		MaxResponseHeaderBytes: 256 << 10,
	}
}

// do sends a request with the key, and turns every answer but a 2xx into a *refusal. It follows no redirects: they turn
// a POST into a GET, or carry the prompt to where the user did not send it.
func (e *Endpoint) do(request *http.Request) (*http.Response, error) {
	c := &e.config
	switch {
	case !c.User.IsZero() || !c.Password.IsZero():
		request.SetBasicAuth(c.User.reveal(), c.Password.reveal())
	case !c.Key.IsZero() && c.KeyHeader != "":
		request.Header.Set(c.KeyHeader, c.Key.reveal())
	case !c.Key.IsZero():
		request.Header.Set("Authorization", "Bearer "+c.Key.reveal())
	}
	request.Header.Set("User-Agent", "moot")
	response, err := e.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, readRefusal(request.Context(), response)
	}
	return response, nil
}
