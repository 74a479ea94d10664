package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"unicode"

	"github.com/tidwall/gjson"

	"moot/protocol"
)

// Status is the result of asking an endpoint for its models.
type Status string

// The statuses.
const (
	// StatusAnswers means that it listed its models.
	StatusAnswers Status = "answers"
	// StatusAbsent means that nothing listens at its address.
	StatusAbsent Status = "absent"
	// StatusSilent means that it did not answer within Limits.Probe.
	StatusSilent Status = "silent"
	// StatusDenied means that it requires a key, or another one.
	StatusDenied Status = "denied"
	// StatusForeign means that something else answers at its address.
	StatusForeign Status = "foreign"
	// StatusFailing means that it failed in another way.
	StatusFailing Status = "failing"
)

// Survey is an endpoint's answer to the request for its models.
type Survey struct {
	Status Status
	// Models are in the endpoint's order, without control characters.
	Models []string
	// What describes the problem in a phrase without a subject, and Fix says what to do. Neither holds a secret or a
	// control character.
	What, Fix string
}

// Survey asks the endpoint for its models, once and within Limits.Probe. If the endpoint has no list of models, the
// result has none.
func (e *Endpoint) Survey(ctx context.Context) Survey {
	body, err := e.get(ctx, e.config.Base+"/models")
	s := Survey{Status: StatusAnswers}
	if ctx.Err() != nil {
		return Survey{Status: StatusSilent, What: "did not answer in time"}
	}
	var said *refusal
	missing := errors.As(err, &said) &&
		(said.status == http.StatusNotFound || said.status == http.StatusMethodNotAllowed)
	if missing && e.config.NoModels {
		return s
	}
	if err == nil {
		models, ok := parseModels(body)
		if s.Models = models; ok || e.config.NoModels {
			return s
		}
		foreign := &foreignError{what: "no list of models"}
		if body = bytes.TrimSpace(body); bytes.HasPrefix(body, []byte("<")) {
			foreign = &foreignError{what: "a page that is not a list of models", title: pageTitle(body)}
		}
		err = foreign
	}
	failed := e.classify(ctx, err)
	s.Status, s.What, s.Fix = statusOf(err), failed.what, failed.fix
	if s.Fix == "" {
		s.Fix = "check that " + e.config.Base + " is the base of an OpenAI-compatible endpoint (it usually ends in /v1)"
	}
	return s
}

func statusOf(err error) Status {
	var said *refusal
	var stall *stallError
	var foreign *foreignError
	var dns *net.DNSError
	switch {
	case errors.As(err, &said) && (said.status == http.StatusUnauthorized || said.status == http.StatusForbidden):
		return StatusDenied
	case errors.As(err, &said) && (said.page || said.status < 500):
		return StatusForeign
	case errors.As(err, &stall):
		return StatusSilent
	case errors.As(err, &foreign), strings.Contains(err.Error(), "malformed HTTP"):
		return StatusForeign
	case errors.Is(err, syscall.ECONNREFUSED), errors.As(err, &dns):
		return StatusAbsent
	}
	return StatusFailing
}

// get fetches an address within Limits.Probe.
func (e *Endpoint) get(ctx context.Context, address string) ([]byte, error) {
	const maxBytes = 8 << 20 // the longest known list is under one megabyte
	ctx, cancel := context.WithTimeoutCause(ctx, e.limits.Probe, &stallError{"no answer", e.limits.Probe})
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := e.send(request)
	if err != nil {
		return nil, stalled(ctx, err)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		said, err := readRefusal(ctx, response)
		if err != nil {
			return nil, stalled(ctx, err)
		}
		return nil, said
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBytes))
	if err == nil && len(body) == maxBytes {
		err = errors.New("the response is too long")
	}
	return body, stalled(ctx, err)
}

const (
	// maxModels is the maximum length of a model list, and maxModelBytes of a model name.
	maxModels     = 10_000
	maxModelBytes = 512
)

// parseModels reads a list of models: {"data":[{"id":…}]}, the bare list of one
// provider, Ollama's {"models":[{"name":…}]}, and lists of plain names.
func parseModels(body []byte) ([]string, bool) {
	if !json.Valid(body) {
		return nil, false
	}
	root := gjson.ParseBytes(body)
	list := root
	if !list.IsArray() {
		list = root.Get("data")
	}
	if !list.IsArray() {
		list = root.Get("models")
	}
	if !list.IsArray() && !(list.Type == gjson.Null && root.Get("object").Str == "list") {
		return nil, false
	}
	models, seen := []string{}, map[string]bool{}
	list.ForEach(func(_, entry gjson.Result) bool {
		name := entry.Str
		for _, field := range []string{"id", "name", "model"} {
			if value := entry.Get(field); value.Type == gjson.String && name == "" {
				name = value.Str
			}
		}
		name = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(name, ""))
		if name != "" && len(name) <= maxModelBytes && !seen[name] {
			seen[name] = true
			models = append(models, name)
		}
		return len(models) < maxModels
	})
	return models, true
}

// Some servers silently cut a prompt that does not fit. Ollama keeps the first few tokens and the end, so the
// instructions and the question are lost. Its token count reveals this (see llm/llama_server.go and
// runner/*/runner.go in its source). Until 0.24, the count of a cut prompt equals the context size; from 0.30 it is
// one less; from 0.31 it is half of the context plus half of the kept beginning. Cached tokens are included.
const (
	// A prompt longer than oddBytes with more than oddBytesPerToken bytes per counted token looks cut: English has
	// about 4 bytes per token, code 3.
	oddBytes         = 8 << 10
	oddBytesPerToken = 8
	// halfBytesPerToken is the same threshold if the count is half of the context. mostKept is the longest beginning
	// that is kept, in tokens.
	halfBytesPerToken = 5
	mostKept          = 33
	// leastContext is the smallest context size that makes sense.
	leastContext = 1 << 10
)

// isCut reports whether a prompt was cut, given its length in bytes, the tokens that the server counted, and the
// context size. If in doubt, it returns false.
func isCut(sent, counted, context int) bool {
	half := counted >= context/2 && counted <= (context+mostKept+1)/2
	// A token has at least one byte.
	return counted > 0 && context > 0 && sent > context &&
		(counted == context || counted == context-1 || half && counted*halfBytesPerToken < sent)
}

// cutSilently returns an error if the server cut the prompt. A count that merely looks suspicious adds a note.
func (r *run) cutSilently(ctx context.Context) error {
	counted := r.usage.prompt + r.usage.cached
	if counted == 0 {
		return nil
	}
	size := r.contextLength(ctx)
	if isCut(r.sent, counted, size) {
		const what = "its context has %d tokens, so it dropped part of the prompt and read only %d tokens of %d bytes"
		return &protocol.TooLong{
			Participant: r.Name(), Limit: size, Cut: true, What: fmt.Sprintf(what, size, counted, r.sent),
			Fix: "increase its context (OLLAMA_CONTEXT_LENGTH for `ollama serve`)",
		}
	}
	if r.sent > max(oddBytes, size) && counted*oddBytesPerToken < r.sent {
		r.note(fmt.Sprintf("%s counted %d tokens for %d bytes of prompt: it probably truncated the prompt silently; "+
			"increase its context length", r.Name(), counted, r.sent))
	}
	return nil
}

// contextLength returns the model's context size in tokens, or 0 if the server does not report it. Other users of the
// server may change it at any time.
func (r *run) contextLength(ctx context.Context) int {
	if r.config.Contexts == "" || r.sent <= leastContext {
		return 0
	}
	address, err := url.Parse(r.config.Base)
	if err != nil {
		return 0
	}
	address.Path, address.RawPath = r.config.Contexts, ""
	body, err := r.get(ctx, address.String())
	if err != nil {
		return 0
	}
	return parseContext(body, r.config.Model)
}

// parseContext finds a model's context size in Ollama's list of loaded models.
func parseContext(body []byte, model string) int {
	if !json.Valid(body) {
		return 0
	}
	length := 0
	gjson.GetBytes(body, "models").ForEach(func(_, loaded gjson.Result) bool {
		for _, field := range []string{"name", "model"} {
			if name := loaded.Get(field).Str; name != "" && (name == model || name == model+":latest") {
				length = int(loaded.Get("context_length").Int())
			}
		}
		return length == 0
	})
	if length < 0 || length > mostContext {
		return 0
	}
	return length
}
