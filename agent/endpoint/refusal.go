package endpoint

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tidwall/gjson"

	"moot/plain"
	"moot/redact"
)

const (
	// maxRefusalBytes is how much of an error's body is read.
	maxRefusalBytes = 64 << 10
	// maxQuotedRunes is how much of a server's message is quoted.
	maxQuotedRunes = 300
)

// refusal is an error as a server tells it, in a response or inside a stream.
// Its texts are foreign: they go through Endpoint.heard before anyone sees them.
type refusal struct {
	// status is the HTTP status; inside a stream it is the code, if that is one,
	// else 0.
	status int
	// code, kind and param are the fields code, type and param of the error.
	code, kind, param, message string
	// page says that the body is an HTML page; message is then its title.
	page bool
	// location is where a redirect points to.
	location string
	// after is what Retry-After asks for, or 0.
	after time.Duration
	// context is the size of the server's context in tokens, where a field tells it.
	context int
	// partial is what a model had written when the server gave it up.
	partial string
}

// Error implements error with the status alone: the rest is not cleaned yet.
func (r *refusal) Error() string { return "refused with status " + strconv.Itoa(r.status) }

// parseRefusal reads the body of an error, or a chunk that holds one. Servers
// write it as {"error":{…}}, {"error":"…"}, [{"error":{…}}], {"detail":…},
// {"message":…}, plain text or a page of HTML, and code as a string, a number
// or null. It never fails.
func parseRefusal(body []byte) refusal {
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("<")) {
		return refusal{page: true, message: pageTitle(body)}
	}
	if tooDeep(body) || !gjson.ValidBytes(body) {
		return refusal{message: string(body)}
	}
	root := gjson.ParseBytes(body)
	if root.IsArray() {
		root = root.Get("0")
	}
	told := root.Get("error")
	if !told.IsObject() {
		told = root
	}
	said := refusal{
		code: told.Get("code").String(), kind: told.Get("type").String(), param: told.Get("param").String(),
		message: firstText(
			told.Get("message"), root.Get("error"), told.Get("detail"), root.Get("message"), told.Get("msg"), told,
		),
		partial: told.Get("failed_generation").String(),
		context: int(told.Get("n_ctx").Int()),
	}
	if said.kind == "" {
		said.kind = told.Get("status").String()
	}
	if upstream := told.Get("metadata.raw"); upstream.Type == gjson.String {
		// A router says "Provider returned error" and hides what it was.
		said.message += ": " + upstream.Str
	}
	if status, err := strconv.Atoi(said.code); err == nil && status >= 400 && status <= 599 {
		said.status = status
	}
	return said
}

// firstText returns the first result that says something; what is no string
// is given as its JSON.
func firstText(results ...gjson.Result) string {
	for _, result := range results {
		switch text := result.String(); text {
		case "", "{}", "[]":
		default:
			return text
		}
	}
	return ""
}

// pageTitle returns the title of an HTML page, or "".
func pageTitle(page []byte) string {
	lower := bytes.ToLower(page)
	start := bytes.Index(lower, []byte("<title"))
	if start < 0 || len(lower) != len(page) {
		return ""
	}
	open := bytes.IndexByte(lower[start:], '>')
	end := bytes.Index(lower[start:], []byte("</title"))
	if open < 0 || end < open {
		return ""
	}
	return string(page[start+open+1 : start+end])
}

// words returns what a refusal says, folded, for the comparisons below.
func (r *refusal) words() string {
	return strings.ToLower(r.code + " " + r.kind + " " + r.param + " " + r.message)
}

// refusesRequest reports that the refusal may be about the request's fields.
func (r *refusal) refusesRequest() bool {
	switch r.status {
	case 0, http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity,
		http.StatusInternalServerError, http.StatusNotImplemented:
		return !r.isOverflow() && !r.isFailedGeneration()
	}
	return false
}

// refusesStructure reports that the refusal is about the structured reply.
func (r *refusal) refusesStructure() bool {
	words := r.words()
	if r.status == http.StatusNotFound {
		// A router that has no provider for the parameters.
		return containsAny(words, "response_format", "requested parameters")
	}
	return containsAny(words, "response_format", "response format", "json_schema", "json schema", "json_object",
		"grammar", "schema", "structured output", "structured_output", "guided_json", "json mode")
}

// isOverflow reports that the prompt does not fit the model's context.
func (r *refusal) isOverflow() bool {
	switch r.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return false
	case http.StatusRequestEntityTooLarge:
		return true
	}
	return containsAny(r.words(), "context_length_exceeded", "exceed_context_size", "context length", "context size",
		"context window", "maximum context", "prompt is too long", "input is too long", "too many tokens",
		"maximum number of tokens", "input token count", "reduce the length", "prompt too long")
}

// isFailedGeneration reports that the model, not the request, broke the
// schema: a format failure (PH3).
func (r *refusal) isFailedGeneration() bool {
	return r.code == "json_validate_failed" || r.partial != ""
}

// isUnpaid reports that the account has no credit: to wait does not help.
func (r *refusal) isUnpaid() bool {
	return r.status == http.StatusPaymentRequired ||
		containsAny(r.words(), "insufficient_quota", "insufficient balance", "credit balance is too low")
}

// isUnknownModel reports that the model, or the path, is not there.
func (r *refusal) isUnknownModel() bool {
	switch r.status {
	case http.StatusNotFound:
		return true
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return containsAny(r.words(), "model_not_found", "model not found", "model not exist", "not a valid model",
			"invalid model", "model does not exist", "unknown model")
	}
	return false
}

// isTransient reports that the same request may succeed later.
func (r *refusal) isTransient() bool {
	switch {
	case r.status == 0:
		return true // Inside a stream, with no more to go by.
	case r.status == http.StatusNotImplemented, r.status == http.StatusHTTPVersionNotSupported:
		return false
	case r.status == http.StatusRequestTimeout, r.status == http.StatusConflict, r.status == http.StatusTooManyRequests:
		return true
	}
	return r.status >= 500
}

// retryAfter reads how long a server asks to wait: retry-after-ms, or
// Retry-After in seconds or as a date, which is taken relative to the server's
// own clock where it tells that. It returns 0 for none or nonsense.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if seconds > 0 && seconds < 1e9 {
			return time.Duration(seconds * float64(time.Second))
		}
		return 0
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if told, err := http.ParseTime(header.Get("Date")); err == nil {
		now = told
	}
	return max(0, date.Sub(now))
}

// heard is quote of what a server says of a failure, without what looks like a key: one
// that stands before another may tell a key that is not ours.
func (e *Endpoint) heard(text string) string {
	const most = 16 << 10
	text = e.scrubber.Clean(strings.ToValidUTF8(text, "\uFFFD"))
	redactor, err := redact.New()
	if err != nil {
		// Nothing is shown that was not looked at.
		return ""
	}
	cleaned, _ := redactor.Text(plain.Clip(text, most))
	return e.quote(cleaned)
}

// quote returns foreign text fit to be shown: without secrets, on one line,
// without control characters, and not longer than people read.
func (e *Endpoint) quote(text string) string {
	text = e.scrubber.Clean(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
	words := strings.Join(strings.Fields(text), " ")
	if runes := []rune(words); len(runes) > maxQuotedRunes {
		words = string(runes[:maxQuotedRunes]) + " …"
	}
	return words
}
