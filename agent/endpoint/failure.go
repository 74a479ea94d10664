package endpoint

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"moot/internal/enum"
	"moot/protocol"
	"moot/state"
)

// failure describes a failed attempt.
type failure struct {
	// short is the reason in a retry note: "429", "connection refused".
	short string
	// what is a phrase without a subject: "refused the request (400)". fix says what to do, or is "" if that depends
	// on the server's models.
	what, fix string
	// again says that a retry may help, after the wait that the server asked for, or 0.
	again bool
	after time.Duration
	// said is the server's error, or nil.
	said *refusal
	// tooLong says that the prompt did not fit. broken is the code of a reply that does not count, or "".
	tooLong bool
	broken  string
	// kind and resets are for the result (SE4).
	kind   state.FailureKind
	resets time.Time
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
		return &failure{short: "oversized", broken: "oversized", what: what, kind: state.FailureFormat}
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
	if said.named {
		status = e.quote(cmp.Or(said.kind, said.code))
	} else if said.status != 0 {
		status = strconv.Itoa(said.status)
	}
	f := &failure{short: status, said: said, after: said.after, kind: state.FailureUnreachable, resets: said.resets}
	if said.isLimit() {
		f.kind = state.FailureLimit
		if said.after > 0 && f.resets.IsZero() {
			f.resets = time.Now().Add(said.after)
		}
	}
	message := ""
	if quoted := e.quoteMessage(said.message); quoted != "" && !said.page {
		message = ": " + quoted
	}
	shown := " (" + status + ")" + message
	variable := e.config.KeyVariable
	switch {
	case said.isOverflow():
		f.tooLong, f.what, f.kind = true, "refused it"+shown, state.FailureContext
	case said.isFailedGeneration():
		f.broken, f.what = "broken", "gave up on a reply that did not match the schema"+shown
		f.kind = state.FailureFormat
	case said.isFiltered():
		f.broken, f.what, f.kind = "filtered", "filtered the request"+shown, state.FailureFiltered
	case said.isOutOfCredit():
		f.what = "has no credit left for this key" + shown
		f.fix = "add credit to the account, or name another participant"
	case said.status == http.StatusUnauthorized || said.isLogin() ||
		said.status == http.StatusForbidden && !said.page &&
			(said.message == "" || containsAny(said.words(), "key", "auth", "token", "permission", "credential")):
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
		f.kind = state.FailureLogin
	case said.status == http.StatusProxyAuthRequired:
		f.what = "could not be reached: the proxy requires a user and a password (" + status + ")"
		f.fix = "set them in HTTP_PROXY or HTTPS_PROXY, as http://user:password@host:port"
	case said.status >= 300 && said.status < 400:
		// The address may hold secrets outside of its host.
		target := "another address"
		if parsed, err := url.Parse(said.location); err == nil && parsed.Host != "" {
			target = e.quote((&url.URL{Scheme: parsed.Scheme, Host: parsed.Host}).String())
		}
		f.what = "redirects to " + target + " (" + status + "); nothing was sent there"
		f.fix = "use that address if you trust it"
	case said.isUnknownModel():
		f.what = fmt.Sprintf("has no model %q there%s", e.config.Model, shown)
	case said.status == http.StatusTooManyRequests && said.daily && said.after <= e.limits.MaxRetryAfter:
		// A daily quota is not restored after the short wait that some servers give.
		f.what, f.resets = "has used up a limit per day"+shown, said.resets
		f.fix = "continue tomorrow, or name another participant"
		if !said.resets.IsZero() {
			f.fix = "continue after " + said.resets.Format("15:04 on January 2") + ", or name another participant"
		}
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
		f.what, f.fix, f.kind = "refused the request"+shown, "check the model's name and its "+
			"settings", state.FailureUnreachable
		switch {
		case said.page, said.status == http.StatusSwitchingProtocols:
			f.fix = addressFix
		case said.status == http.StatusForbidden:
			f.fix = "check what the account may use, or name another participant"
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
			failed.kind, failed.said, failed.resets = r.last.kind, r.last.said, r.last.resets
		}
	}
	cause := protocol.Cause{Kind: cmp.Or(failed.kind, state.FailureUnreachable), Resets: failed.resets}
	if failed.said != nil {
		cause.Said = r.quoteMessage(failed.said.message)
	}
	if r.text.Len() > 0 || failed.broken != "" {
		code, partial := cmp.Or(failed.broken, "broken"), r.text.String()
		if partial == "" && failed.said != nil {
			partial = failed.said.partial
		}
		broken := r.broken(code, r.Name()+" "+failed.what, partial)
		broken.Cause = cause
		return broken
	}
	if failed.tooLong {
		return &protocol.TooLong{
			Participant: r.Name(), What: "it " + failed.what, Limit: failed.said.contextLimit(), Cause: cause,
		}
	}
	what, fix := "it "+failed.what, failed.fix
	if failed.again && r.tries > 1 {
		what += fmt.Sprintf(" (tried %d times)", r.tries)
	}
	if fix == "" {
		fix = r.modelFix(ctx)
	}
	return &protocol.Unreachable{Participant: r.Name(), What: what, Fix: fix, Cause: cause}
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
