package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"

	"moot/internal/enum"
	"moot/protocol"
)

// maxRefusalBytes bounds how much of an error's body is read.
const maxRefusalBytes = 64 << 10

// refusal is an error that a server reports, in a response or inside a stream.
// Its texts are foreign: quoteMessage cleans them.
type refusal struct {
	// status is the HTTP status; inside a stream the code of the error, or 0.
	status int
	// code, kind and param are the fields code, type and param of the error.
	code, kind, param, message string
	// page says that the body is an HTML page, whose title is the message.
	page bool
	// location is the target of a redirect.
	location string
	// after is the wait that Retry-After asks for, or 0.
	after time.Duration
	// context is the size of the server's context in tokens, if a field reports it.
	context int
	// partial is the text that the model had written when the server gave up.
	partial string
}

// Error implements error with the status alone: the rest is not cleaned.
func (r *refusal) Error() string { return "refused with status " + strconv.Itoa(r.status) }

// readRefusal reads a response that is no success.
func readRefusal(ctx context.Context, response *http.Response) error {
	defer func() { _ = response.Body.Close() }()
	var body []byte
	// With 101 the body is the bare connection, which the context does not end.
	if response.StatusCode != http.StatusSwitchingProtocols {
		var err error
		body, err = io.ReadAll(io.LimitReader(response.Body, maxRefusalBytes))
		if err != nil && len(body) == 0 && ctx.Err() != nil {
			return err
		}
	}
	said := parseRefusal(body)
	said.status = response.StatusCode
	said.after = retryAfter(response.Header, time.Now())
	said.location = response.Header.Get("Location")
	return said
}

// parseRefusal reads the body of an error, or a chunk that holds one. Servers
// write {"error":{…}}, {"error":"…"}, [{"error":{…}}], {"detail":…},
// {"message":…}, plain text or HTML, and code as a string, a number or null.
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
	said := &refusal{
		code: inner.Get("code").String(), kind: inner.Get("type").String(), param: inner.Get("param").String(),
		partial: inner.Get("failed_generation").String(), context: int(inner.Get("n_ctx").Int()),
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
		// A router says "Provider returned error" and hides the error here.
		said.message += ": " + upstream.Str
	}
	if status, err := strconv.Atoi(said.code); err == nil && status >= 400 && status <= 599 {
		said.status = status
	}
	return said
}

// pageTitle returns the title of an HTML page, or "".
func pageTitle(page []byte) string {
	found := regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`).FindSubmatch(page)
	if found == nil {
		return ""
	}
	return string(found[1])
}

// maxAfter is the longest wait that is reported as it is.
const maxAfter = 24 * time.Hour

// retryAfter reads how long a server asks to wait, at most maxAfter: retry-after-ms,
// or Retry-After in seconds or as a date, relative to the server's clock if it
// reports that. It returns 0 for nonsense.
func retryAfter(header http.Header, now time.Time) time.Duration {
	bounded := func(n float64, unit time.Duration) time.Duration {
		return time.Duration(min(n, float64(maxAfter/unit)) * float64(unit))
	}
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return bounded(ms, time.Millisecond)
	}
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return bounded(seconds, time.Second)
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if clock, err := http.ParseTime(header.Get("Date")); err == nil {
		now = clock
	}
	return min(max(0, date.Sub(now)), maxAfter)
}

// words returns the texts of a refusal in lower case.
func (r *refusal) words() string {
	return strings.ToLower(r.code + " " + r.kind + " " + r.param + " " + r.message)
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
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
	if r.status == http.StatusNotFound {
		// A router that has no provider for the parameters.
		return containsAny(r.words(), "response_format", "requested parameters")
	}
	return containsAny(r.words(), "response_format", "response format", "schema", "json_object", "grammar",
		"structured output", "structured_output", "guided_json", "json mode")
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

// isFailedGeneration reports that the model, not the request, broke the schema (PH3).
func (r *refusal) isFailedGeneration() bool {
	return r.code == "json_validate_failed" || r.partial != ""
}

// isUnknownModel reports that the model, or the path, does not exist.
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
	switch r.status {
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	case 0, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true // 0: inside a stream, without a code.
	}
	return r.status >= 500
}

// mostContext is more tokens than any model takes: a larger number is no limit.
const mostContext = 100_000_000

// contextLimit returns how many tokens the server accepts, prompt and reply
// together, or 0 if its refusal does not say.
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

// failure says what went wrong in an attempt.
type failure struct {
	// short is for the note about a retry: "429", "connection refused".
	short string
	// what is a sentence without its subject: "refused the request (400)"; fix
	// says what to do, or "" if that needs a look at the server's models.
	what, fix string
	// again says that a retry may help; after is the wait that the server asked
	// for, or 0.
	again bool
	after time.Duration
	// said is the server's refusal, or nil.
	said *refusal
	// tooLong says that the prompt did not fit; broken is the code of a reply that
	// does not count, or "".
	tooLong bool
	broken  string
}

// Error implements error.
func (f *failure) Error() string { return f.what }

// classify explains the error of an attempt.
func (e *Endpoint) classify(ctx context.Context, err error) *failure {
	var (
		known       *failure
		said        *refusal
		stall       *stallError
		foreign     *foreignError
		dns         *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	at := " at " + e.config.Base
	addressFix := fmt.Sprintf("check that %s is the base of an OpenAI-compatible endpoint (it usually ends in /v1), "+
		"and that no proxy or login page intercepts it", e.config.Base)
	startFix := "check the network and the address"
	hungUpFix := "retry later, or check that no proxy intercepts it"
	if e.config.Local {
		startFix = "is the server running? start it, or check the address"
		hungUpFix = "something is running there: check its log for the request"
	}
	if e.config.Start != "" {
		startFix = fmt.Sprintf("is the server running? start it with `%s`", e.config.Start)
	}
	switch {
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		what := "did not finish within " + roundWait(e.limits.Total)
		return &failure{short: "stopped", what: what, fix: "allow more time"}
	case errors.As(err, &said):
		return e.classifyRefusal(said, addressFix)
	case errors.As(err, &stall):
		what := stall.what + " in " + roundWait(stall.limit)
		return &failure{
			short: what, what: "sent " + what, again: true, fix: "check whether it is overloaded, or allow more time",
		}
	case errors.As(err, &foreign):
		what := "answered with " + foreign.what
		if title := e.quoteMessage(foreign.title); title != "" {
			what += ` ("` + title + `")`
		}
		return &failure{short: foreign.what, what: what, fix: addressFix}
	case errors.Is(err, errOversized):
		what := fmt.Sprintf("sent a reply longer than the limit of %d bytes", e.limits.MaxReplyBytes)
		return &failure{short: "oversized", broken: "oversized", what: what}
	case errors.Is(err, errCut), errors.Is(err, io.ErrUnexpectedEOF):
		return &failure{short: "cut off", again: true, what: "ended the stream without a reply", fix: addressFix}
	case errors.Is(err, errMalformed), errors.Is(err, errEndless), errors.Is(err, errGivenUp):
		what := "sent no valid reply: " + err.Error()
		return &failure{short: err.Error(), again: true, what: what, fix: addressFix}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &failure{
			short: "connection refused", what: "refused the connection" + at, again: !e.config.IsHere(),
			fix: startFix,
		}
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return &failure{short: "connection reset", what: "reset the connection" + at, again: true, fix: hungUpFix}
	case errors.Is(err, io.EOF):
		return &failure{short: "connection closed", what: "closed the connection" + at, again: true, fix: hungUpFix}
	case errors.As(err, &dns):
		what := "was not found: no such host " + e.quote(dns.Name)
		const fix = "check the address and the network"
		return &failure{short: "no such host", what: what, again: !dns.IsNotFound, fix: fix}
	case errors.As(err, &certificate), errors.As(err, &record):
		if string(record.RecordHeader[:]) == "HTTP/" {
			err = http.ErrSchemeMismatch
		}
		what := "did not make a secure connection" + at + ": " + e.quote(err.Error())
		fix := "check whether the address starts with http or https, and check its certificate"
		return &failure{short: "no TLS", what: what, fix: fix}
	}
	short := e.quote(err.Error())
	return &failure{short: short, what: "failed" + at + ": " + short, again: true, fix: startFix}
}

// classifyRefusal explains an error that the server reported.
func (e *Endpoint) classifyRefusal(said *refusal, addressFix string) *failure {
	status := "an error"
	if said.status != 0 {
		status = strconv.Itoa(said.status)
	}
	f := &failure{short: status, said: said, after: said.after}
	message := ""
	if quoted := e.quoteMessage(said.message); quoted != "" && !said.page {
		message = ": " + quoted
	}
	shown := " (" + status + ")" + message
	variable := e.config.KeyVariable
	switch {
	case said.isOverflow():
		f.tooLong, f.what = true, "refused it"+shown
	case said.isFailedGeneration():
		f.broken, f.what = "broken", "gave up on a reply that did not match the schema"+shown
	case said.status == http.StatusUnauthorized || said.status == http.StatusForbidden:
		switch {
		case !e.config.User.IsZero() || !e.config.Password.IsZero():
			f.what, f.fix = "refused the user and password in its address", "check them"
		case e.config.Key.IsZero() && variable == "":
			f.what = "asks for a key"
			f.fix = "name it by its address, " + e.config.Base + "#MODEL, and set " + URLKeyVariable + " to the key"
		case e.config.Key.IsZero():
			f.what, f.fix = "asks for a key", "set "+variable+" to it"
		case variable == "":
			f.what, f.fix = "refused its key", "check the key"
		default:
			f.what, f.fix = "refused the key in "+variable, "check "+variable+", or name another participant"
		}
		f.what += shown
	case said.status == http.StatusProxyAuthRequired:
		f.what = "could not be reached: the proxy requires a user and a password (" + status + ")"
		f.fix = "set them in HTTP_PROXY or HTTPS_PROXY, as http://user:password@host:port"
	case said.status == http.StatusPaymentRequired,
		containsAny(said.words(), "insufficient_quota", "insufficient balance", "credit balance is too low"):
		f.what = "has no credit left for this key" + shown
		f.fix = "add credit to the account, or name another participant"
	case said.status >= 300 && said.status < 400:
		// The address may hold secrets outside of its host.
		target := "another address"
		if parsed, err := url.Parse(said.location); err == nil && parsed.Host != "" {
			target = (&url.URL{Scheme: parsed.Scheme, Host: parsed.Host}).String()
		}
		f.what = "redirects to " + target + " (" + status + "); nothing was sent there"
		f.fix = "use that address if you trust it"
	case said.isUnknownModel():
		f.what = fmt.Sprintf("has no model %q there%s", e.config.Model, shown)
	case said.isTransient():
		f.again, f.what, f.fix = true, "answered "+status+message, "retry later, or name another participant"
		if said.after > e.limits.MaxRetryAfter {
			long := roundWait(said.after)
			f.fix = "continue after " + time.Now().Add(said.after).Format("15:04")
			if said.after >= maxAfter {
				long, f.fix = "a day or longer", "name another participant"
			}
			f.what += fmt.Sprintf("; it asks to wait %s, and the limit is %s", long, roundWait(e.limits.MaxRetryAfter))
		}
	default:
		f.what, f.fix = "refused the request"+shown, "check the model's name and its settings"
		if said.page || said.status == http.StatusSwitchingProtocols {
			f.fix = addressFix
		}
	}
	return f
}

// explain turns the error of a call into one that the protocol knows.
func (r *run) explain(ctx context.Context, err error) error {
	if broken, ok := errors.AsType[*protocol.Broken](err); ok {
		return broken
	}
	if cut, ok := errors.AsType[*protocol.TooLong](err); ok {
		return cut
	}
	var failed *failure
	if !errors.As(err, &failed) {
		failed = &failure{what: "did not answer within " + roundWait(r.limits.Total), fix: "allow more time"}
		if r.last != nil {
			failed.what += "; its last failure: it " + r.last.what
		}
	}
	if r.text.Len() > 0 || failed.broken != "" {
		code, partial := cmp.Or(failed.broken, "broken"), r.text.String()
		if partial == "" && failed.said != nil {
			partial = failed.said.partial
		}
		return r.broken(code, r.Name()+" "+failed.what, partial)
	}
	if failed.tooLong {
		return &protocol.TooLong{Participant: r.Name(), What: "it " + failed.what, Limit: failed.said.contextLimit()}
	}
	what, fix := "it "+failed.what, failed.fix
	if failed.again && r.tries > 1 {
		what += fmt.Sprintf(" (tried %d times)", r.tries)
	}
	if fix == "" {
		fix = r.modelFix(ctx)
	}
	return &protocol.Unreachable{Participant: r.Name(), What: what, Fix: fix}
}

// modelFix asks the endpoint which models it has.
func (e *Endpoint) modelFix(ctx context.Context) string {
	const shown = 6
	survey := e.Survey(ctx)
	if len(survey.Models) == 0 {
		return fmt.Sprintf("check the model's name, and that %s is the base of an OpenAI-compatible endpoint "+
			"(it usually ends in /v1)", e.config.Base)
	}
	models, fix := survey.Models, ""
	if e.config.Pull != "" {
		fix = fmt.Sprintf("get it with `%s %s`; ", e.config.Pull, e.quote(e.config.Model))
	}
	fix += "the endpoint serves " + e.quote(strings.Join(models[:min(len(models), shown)], ", "))
	if more := len(models) - shown; more > 0 {
		fix += fmt.Sprintf(" and %d more", more)
	}
	if nearest := enum.Nearest(e.config.Model, models); nearest != "" {
		fix += fmt.Sprintf("; did you mean %s?", e.quote(nearest))
	}
	return fix
}
