package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/tidwall/gjson"
)

// maxRefusalBytes limits how much of an error body is read.
const maxRefusalBytes = 64 << 10

// refusal is an error from a server, in a response or inside a stream. Its texts are foreign; quoteMessage cleans
// them.
type refusal struct {
	// status is the HTTP status. Inside a stream it is the error's code, or the status that usually goes with its
	// name (then named is set), or 0.
	status int
	named  bool
	// code, kind and param are the error's fields code, type and param.
	code, kind, param, message string
	// page says that the body is an HTML page; message is its title.
	page bool
	// location is the target of a redirect.
	location string
	// after is the wait requested by Retry-After, or 0.
	after time.Duration
	// context is the server's context size in tokens, if a field reports it.
	context int
	// daily says that a daily limit is used up, and resets when it resets, if known.
	daily  bool
	resets time.Time
	// model is the requested model. Words in its name say nothing about the request.
	model string
	// partial is the text that the model had written before the server gave up.
	partial string
}

// Error implements error. It shows only the status, since the rest is not cleaned.
func (r *refusal) Error() string { return "refused with status " + strconv.Itoa(r.status) }

// readRefusal reads a response with a non-2xx status. It fails if the connection does.
func readRefusal(ctx context.Context, response *http.Response) (*refusal, error) {
	defer func() { _ = response.Body.Close() }()
	var body []byte
	// After status 101 the body is the raw connection, which the context does not close.
	if response.StatusCode != http.StatusSwitchingProtocols {
		var err error
		body, err = io.ReadAll(io.LimitReader(response.Body, maxRefusalBytes))
		if err != nil && len(body) == 0 && ctx.Err() != nil {
			return nil, err
		}
	}
	said := parseRefusal(body)
	said.status, said.named = response.StatusCode, false
	if after := retryAfter(response.Header, time.Now()); after > 0 {
		said.after = after
	}
	said.location = response.Header.Get("Location")
	return said, nil
}

// parseRefusal parses an error body, or a chunk that holds an error. Servers write {"error":{…}}, {"error":"…"},
// [{"error":{…}}], {"detail":…}, {"message":…}, plain text or HTML, and code as a string, a number or null.
func parseRefusal(body []byte) *refusal {
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("<")) {
		return &refusal{page: true, message: pageTitle(body)}
	}
	if !json.Valid(body) {
		return &refusal{message: string(body)}
	}
	root := gjson.ParseBytes(body)
	if root.IsArray() {
		root = root.Get("0")
	}
	inner := root.Get("error")
	if !inner.IsObject() {
		inner = root
	}
	said := &refusal{partial: inner.Get("failed_generation").String(), context: int(inner.Get("n_ctx").Int())}
	var standard openai.ErrorResponse
	if json.Unmarshal([]byte(root.Raw), &standard) == nil && standard.Error != nil {
		said.kind, said.param = standard.Error.Type, ""
		if standard.Error.Param != nil {
			said.param = *standard.Error.Param
		}
	}
	said.code = inner.Get("code").String() // a string, a number, or a number in a string
	said.kind = cmp.Or(said.kind, inner.Get("type").String())
	if details := root.Get("detail"); details.IsArray() { // FastAPI, which also repeats the whole request
		for _, detail := range details.Array() {
			said.message += strings.Trim(detail.Get("loc").Raw, "[]") + ": " + detail.Get("msg").String() + " "
		}
		return said
	}
	for _, text := range []gjson.Result{
		inner.Get("message"), root.Get("error"), inner.Get("detail"), root.Get("message"), inner.Get("msg"), inner,
	} {
		if said.message = text.String(); said.message != "" && said.message != "{}" && said.message != "[]" {
			break
		}
	}
	said.kind = cmp.Or(said.kind, inner.Get("status").String())
	if upstream := inner.Get("metadata.raw"); upstream.Type == gjson.String {
		// OpenRouter says "Provider returned error" and puts the cause here.
		said.message += ": " + upstream.Str
	}
	if status, err := strconv.Atoi(said.code); err == nil && status >= 400 && status <= 599 {
		said.status = status
	}
	if said.status == 0 {
		said.status = statusOfKind(said.code, said.kind)
		said.named = said.status != 0
	}
	said.readWait(root)
	return said
}

// statusOfKind returns the status that goes with an error name inside a stream, or 0.
func statusOfKind(code, kind string) int {
	name := strings.ToLower(code + " " + kind)
	switch {
	case containsAny(name, "overloaded", "unavailable"):
		return http.StatusServiceUnavailable
	case containsAny(name, "rate_limit", "resource_exhausted", "too_many_requests"):
		return http.StatusTooManyRequests
	case containsAny(name, "authentication", "invalid_api_key", "permission"):
		return http.StatusUnauthorized
	case containsAny(name, "insufficient_quota", "billing"):
		return http.StatusPaymentRequired
	case containsAny(name, "invalid_request", "invalid_argument"):
		return http.StatusBadRequest
	}
	return 0
}

var (
	// waitPattern matches the requested wait in an error message: "Please try again in 1m20s".
	waitPattern = regexp.MustCompile(`(?i)(?:try again|retry(?:ing)?|wait)\b[^.\d]{0,30}?` +
		`((?:\d+(?:\.\d+)?\s*(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)\b\s*)+|` +
		`(?:\d+(?:\.\d+)?(?:ms|s|m|h))+)`)
	waitPart = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|` +
		`hrs?|h|days?|d)`)
	// dailyPattern matches the names of daily limits.
	dailyPattern = regexp.MustCompile(`(?i)per[ _-]?day|\b[RT]PD\b|\bdaily\b`)
)

// readWait reads the requested wait, and whether a daily limit is used up, from an error body.
func (r *refusal) readWait(root gjson.Result) {
	inner, daily := root.Get("error"), false
	for _, detail := range inner.Get("details").Array() { // Google
		if delay := detail.Get("retryDelay").Str; delay != "" {
			r.after = readDuration(delay)
		}
		for _, violation := range detail.Get("violations").Array() {
			daily = daily || dailyPattern.MatchString(violation.Get("quotaId").Str)
		}
	}
	for _, path := range []string{"retry_after", "retry_after_seconds", "metadata.retry_after_seconds"} {
		if seconds := inner.Get(path).Float(); seconds > 0 && r.after == 0 {
			r.after = boundedWait(seconds, time.Second)
		}
	}
	if found := waitPattern.FindStringSubmatch(r.message); found != nil && r.after == 0 {
		r.after = readDuration(found[1])
	}
	if reset := inner.Get("metadata.headers.X-RateLimit-Reset").String(); reset != "" { // OpenRouter
		r.resets = epoch(reset)
	}
	// For a limit over the last 24 hours, the message has the right wait. For a daily quota, the wait is too short.
	r.daily = daily || r.after == 0 && dailyPattern.MatchString(r.message)
}

// readDuration reads "40s", "1m20s" or "2 minutes".
func readDuration(text string) time.Duration {
	total := time.Duration(0)
	for _, part := range waitPart.FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseFloat(part[1], 64)
		if err != nil {
			return 0
		}
		unit := time.Second
		switch name := strings.ToLower(part[2]); {
		case strings.HasPrefix(name, "ms"), strings.HasPrefix(name, "milli"):
			unit = time.Millisecond
		case name[0] == 'm':
			unit = time.Minute
		case name[0] == 'h':
			unit = time.Hour
		case name[0] == 'd':
			unit = 24 * time.Hour
		}
		total = min(total+boundedWait(n, unit), maxAfter)
	}
	return total
}

// boundedWait returns n units, at most maxAfter.
func boundedWait(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(n, float64(maxAfter/unit)) * float64(unit))
}

// epoch parses a time in seconds or milliseconds since 1970, or returns zero.
func epoch(text string) time.Time {
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || n < 1e9 || n > 1e14:
		return time.Time{}
	case n < 1e11:
		return time.Unix(int64(n), 0)
	}
	return time.UnixMilli(int64(n))
}

// pageTitle returns the title of an HTML page, or "".
func pageTitle(page []byte) string {
	found := regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`).FindSubmatch(page)
	if found == nil {
		return ""
	}
	return string(found[1])
}

// maxAfter is the longest wait that is reported.
const maxAfter = 24 * time.Hour

// retryAfter returns the wait that a server requests, at most maxAfter: from retry-after-ms, from Retry-After in
// seconds or as a date (relative to the server's clock if it sends that), or from the reset time of an exhausted
// limit. It returns 0 for invalid values.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return boundedWait(ms, time.Millisecond)
	}
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return boundedWait(seconds, time.Second)
	}
	date, err := http.ParseTime(value)
	if err != nil {
		for _, limit := range []string{"requests", "tokens"} {
			reset := header.Get("X-Ratelimit-Reset-" + limit)
			if header.Get("X-Ratelimit-Remaining-"+limit) == "0" && reset != "" {
				return min(max(0, openai.ResetTime(reset).Time().Sub(now)), maxAfter)
			}
		}
		return 0
	}
	if clock, err := http.ParseTime(header.Get("Date")); err == nil {
		now = clock
	}
	return min(max(0, date.Sub(now)), maxAfter)
}

var (
	// otherFields matches the start of a list of supported fields, which says nothing about the rejected one.
	otherFields = regexp.MustCompile(`(?i)(?:allowed|valid|supported|accepted|permitted) ` +
		`(?:fields|parameters|arguments|keys)[^:]{0,20}:`)
	// refusedField matches the name of an unknown field.
	refusedField = regexp.MustCompile(`(?i)(?:unknown|unsupported|unrecognized|unexpected)\s+(?:field|parameter|` +
		`argument|` +
		`keyword argument|request argument supplied)s?:?\s*['"\x60]?([a-z_][a-z_.]*)`)
)

// words returns the parts of the error that say what is rejected, in lower case.
func (r *refusal) words() string {
	message := r.message
	if at := otherFields.FindStringIndex(message); at != nil {
		message = message[:at[0]]
	}
	text := strings.ToLower(r.code + " " + r.kind + " " + r.param + " " + message)
	if found := refusedField.FindStringSubmatch(message); found != nil &&
		containsAny(strings.ToLower(found[1]), "effort",
			"stream_options", "tool", "function", "response_format", "max_", "temperature", "store", "background",
			"include") {
		text = strings.ToLower(r.code + " " + r.kind + " " + found[1])
		if strings.HasPrefix(found[1], "max_tokens") { // the message may suggest the other one
			text = strings.ToLower(message)
		}
	}
	for _, name := range []string{strings.ToLower(r.model), bareModel(r.model)} {
		if len(name) > 3 { // shorter names are parts of many words
			text = withoutName(text, name)
		}
	}
	return text
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// withoutName removes a name from a text, except inside longer words.
func withoutName(text, name string) string {
	isPart := func(b byte) bool { return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' }
	var out strings.Builder
	for {
		at := strings.Index(text, name)
		if at < 0 {
			return out.String() + text
		}
		end := at + len(name)
		out.WriteString(text[:at])
		if at > 0 && isPart(text[at-1]) || end < len(text) && isPart(text[end]) {
			out.WriteString(name)
		}
		text = text[end:]
	}
}

// refusesRequest reports whether the error may be about the fields of the request.
func (r *refusal) refusesRequest() bool {
	switch r.status {
	case 0, http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity,
		http.StatusInternalServerError, http.StatusNotImplemented:
		if containsAny(r.words(), "model_not_found", "decommissioned", "model '' not found", `model "" not found`) {
			return false
		}
		return !r.isOverflow() && !r.isFailedGeneration() && !r.isFiltered() && !r.isOutOfCredit() && !r.isLogin()
	}
	return false
}

// refusesStructure reports whether the error is about the structured reply.
func (r *refusal) refusesStructure() bool {
	if r.status == http.StatusNotFound {
		// A router found no provider that supports the parameters.
		return containsAny(r.words(), "response_format", "requested parameters")
	}
	return containsAny(r.words(), "response_format", "response format", "schema", "json_object", "grammar",
		"structured output", "structured_output", "guided_json", "json mode", "mime type", "output_format")
}

// isOverflow reports whether the prompt exceeds the model's context.
func (r *refusal) isOverflow() bool {
	switch r.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return false
	case http.StatusRequestEntityTooLarge:
		return true
	}
	return containsAny(r.words(), "context_length_exceeded", "exceed_context_size", "context length", "context size",
		"context window", "maximum context", "prompt is too long", "input is too long", "too many tokens",
		"maximum number of tokens", "input token count", "reduce the length", "prompt too long",
		"too large for model", "maximum prompt length", "model token limit", "range of input length",
		"prompt exceeds max", "max_new_tokens` must be", "exceed context limit", "maximum allowed length")
}

// isFiltered reports whether a filter of the provider blocked the request.
func (r *refusal) isFiltered() bool {
	return r.code == "content_filter" || containsAny(r.words(), "content management policy", "content_policy_violation",
		"responsibleaipolicyviolation", "prohibited_content", "data may contain inappropriate content",
		"content exists risk", "sensitive content", "requires moderation", "input was flagged")
}

// isLimit reports whether a rate limit, a quota or a credit is used up.
func (r *refusal) isLimit() bool {
	return r.status == http.StatusTooManyRequests || r.status == http.StatusPaymentRequired || r.isOutOfCredit()
}

// isOutOfCredit reports whether waiting does not help.
func (r *refusal) isOutOfCredit() bool {
	return r.status == http.StatusPaymentRequired ||
		containsAny(r.words(), "insufficient_quota", "insufficient balance",
			"credit balance is too low", "arrearage", "billing_hard_limit", "any credits")
}

// isOverload reports whether the server is overloaded. Such an error inside a stream counts like one before it.
func (r *refusal) isOverload() bool {
	return r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable || r.status == 529
}

// teaches reports whether the error says something about the server rather than about this attempt.
func (r *refusal) teaches() bool {
	return r.status >= 400 && r.status < 500 && !r.named ||
		containsAny(r.words(), "not support", "unsupported", "unknown",
			"not allowed", "not permitted", "not recognized", "unrecognized", "cannot be", "grammar",
			"rejects", "disabled")
}

// calledTool reports whether the model called a tool that it may not call.
func (r *refusal) calledTool() bool {
	return r.code == "tool_use_failed" || containsAny(strings.ToLower(r.message), "model called a tool",
		"attempted to call tool")
}

// isLogin reports whether the key is wrong even though the status does not say so.
func (r *refusal) isLogin() bool {
	return r.status == http.StatusBadRequest && containsAny(r.words(), "incorrect api key", "invalid api key",
		"api key not valid", "api_key_invalid", "invalid_api_key")
}

// isFailedGeneration reports whether the model, not the request, violated the schema (PH3).
func (r *refusal) isFailedGeneration() bool {
	return r.code == "json_validate_failed" || r.partial != ""
}

// isUnknownModel reports whether the model, or the path, does not exist.
func (r *refusal) isUnknownModel() bool {
	switch r.status {
	case http.StatusNotFound:
		return !containsAny(r.words(), "no endpoints found")
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return containsAny(r.words(), "model_not_found", "model not found", "model not exist", "not a valid model",
			"invalid model", "model does not exist", "unknown model")
	}
	return false
}

// isTransient reports whether the same request may succeed later.
func (r *refusal) isTransient() bool {
	switch r.status {
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	case 0, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true // 0 means inside a stream, without a code
	}
	return r.status >= 500
}

// mostContext is larger than any model's context, so a larger number is not a limit.
const mostContext = 100_000_000

// contextLimit returns how many tokens the server accepts for prompt and reply together, or 0 if unknown.
func (r *refusal) contextLimit() int {
	if r.context > 0 && r.context < mostContext {
		return r.context
	}
	found := limitPattern.FindStringSubmatch(strings.ToLower(r.message))
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(strings.Join(found[1:], "")))
	if err != nil || n >= mostContext {
		return 0
	}
	return n
}

var limitPattern = regexp.MustCompile(
	// OpenAI, vLLM, OpenRouter; "maximum context length of only 4096" of LM Studio.
	`(?:maximum |model'?s? )?context (?:length|window|size)\s*(?:is|of|:)?\s*(?:only|at most)?\s*\(?(\d[\d,_]*)` +
		// "210000 tokens > 200000 maximum" of Anthropic.
		`|\d[\d,_]* tokens? > (\d[\d,_]*) maximum` +
		// "exceeds the maximum number of tokens allowed (1048576)" of Gemini.
		`|maximum number of (?:input )?tokens(?: allowed)?\s*\(?(\d[\d,_]*)` +
		// "too large for model with 32768 maximum context length" of Mistral.
		`|(\d[\d,_]*) maximum context` +
		`|limit (?:is|of) (\d[\d,_]*) tokens`)
