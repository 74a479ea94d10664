package endpoint

import (
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
)

// failure is what went wrong in an attempt.
type failure struct {
	// short is for a note while it is tried again: "429", "connection refused".
	short string
	// what is a sentence without its subject: "refused the request (400)".
	what string
	// fix says what to do; "" where that takes a closer look (see fixes.go).
	fix string
	// again says that another attempt may help; after is how long the server
	// asked to wait before it, or 0.
	again bool
	after time.Duration
	// said is the server's refusal, or nil.
	said *refusal
	// tooLong says that the prompt did not fit; broken is the code of a reply
	// that was none, or "".
	tooLong bool
	broken  string
}

// Error implements error.
func (f *failure) Error() string { return f.what }

// classify says what an error of an attempt means.
func (r *run) classify(ctx context.Context, err error) *failure {
	var said *refusal
	var stall *stallError
	var foreign *foreignError
	if queued := r.classifyQueue(err); queued != nil {
		return queued
	}
	switch {
	case ctx.Err() != nil:
		return &failure{
			short: "stopped", what: "did not finish within " + roundWait(r.limits.Total), fix: "allow it more time",
		}
	case errors.As(err, &said):
		return r.classifyRefusal(said)
	case errors.As(err, &stall):
		return &failure{
			short: stall.what + " in " + roundWait(stall.limit), again: true,
			what: fmt.Sprintf("sent %s in %s", stall.what, roundWait(stall.limit)),
			fix:  "see whether it is overloaded, or allow it more time",
		}
	case errors.As(err, &foreign):
		what := "answered with " + foreign.what
		if title := r.heard(foreign.title); title != "" {
			what += fmt.Sprintf(" (%q)", title)
		}
		return &failure{short: foreign.what, what: what, fix: r.addressFix()}
	case errors.Is(err, errOversized), errors.Is(err, errLongLine):
		return &failure{
			short: "oversized", broken: "oversized",
			what: fmt.Sprintf("sent a reply longer than the limit of %d bytes", r.limits.MaxReplyBytes),
		}
	case errors.Is(err, errUnsent):
		return &failure{
			short: "not sent", what: "was not asked: " + r.quote(innermost(err)), fix: "check the model's name and its settings",
		}
	case errors.Is(err, errCut), errors.Is(err, io.ErrUnexpectedEOF):
		return &failure{short: "cut off", again: true, what: "ended the stream without a reply", fix: r.addressFix()}
	case errors.Is(err, errMalformed), errors.Is(err, errIdleLines), errors.Is(err, errGivenUp):
		return &failure{short: err.Error(), again: true, what: "sent no readable reply: " + err.Error(), fix: r.addressFix()}
	}
	return r.classifyConnection(err)
}

// classifyRefusal says what an error told by the server means.
func (r *run) classifyRefusal(said *refusal) *failure {
	status := "an error"
	if said.status != 0 {
		status = strconv.Itoa(said.status)
	}
	failed := &failure{short: status, said: said, after: said.after}
	message := ""
	if quoted := r.heard(said.message); quoted != "" && !said.page {
		message = ": " + quoted
	}
	switch {
	case said.isOverflow():
		failed.tooLong = true
		failed.what = "refused it (" + status + ")" + message
	case said.isFailedGeneration():
		failed.broken = "broken"
		failed.what = "gave up a reply that did not fit the schema (" + status + ")" + message
	case said.status == 401 || said.status == 403:
		failed.what, failed.fix = r.deniedText(status, message)
	case said.status == http.StatusProxyAuthRequired:
		failed.what = "was not reached: the proxy on the way wants a user and a password (" + status + ")"
		failed.fix = "write them into HTTP_PROXY or HTTPS_PROXY, as http://user:password@host:port"
	case said.isUnpaid():
		failed.what = "has no credit left for this key (" + status + ")" + message
		failed.fix = "add credit to the account, or name another participant"
	case said.status >= 300 && said.status < 400:
		failed.what = "redirects to " + hostOf(said.location) + " (" + status + "), where nothing was sent"
		failed.fix = "name that address if you trust it"
	case said.isUnknownModel():
		failed.what = fmt.Sprintf("has no model %q there (%s)%s", r.config.Model, status, message)
	case said.isTransient():
		failed.again = true
		failed.what = "answered " + status + message
		failed.fix = "wait a little, or name another participant"
		if said.after > r.limits.MaxRetryAfter {
			failed.what += fmt.Sprintf("; it asks to wait %s, and the limit is %s",
				roundWait(said.after), roundWait(r.limits.MaxRetryAfter))
			failed.fix = "go on after " + time.Now().Add(said.after).Format("15:04")
		}
	default:
		failed.what = "refused the request (" + status + ")" + message
		failed.fix = "check the model's name and its settings"
		if said.page {
			failed.fix = r.addressFix()
		}
	}
	return failed
}

// deniedText says that the server wants a key, or another one.
func (e *Endpoint) deniedText(status, message string) (what, fix string) {
	variable := e.config.KeyVariable
	switch {
	case !e.config.User.IsZero() || !e.config.Password.IsZero():
		return "refused the user and password in its address (" + status + ")" + message, "check them"
	case e.config.Key.IsZero() && variable == "":
		return "asks for a key (" + status + ")" + message, "name it by its address, " + e.config.Base + "#MODEL, and set " + URLKeyVariable + " to the key"
	case e.config.Key.IsZero():
		return "asks for a key (" + status + ")" + message, "set " + variable + " to it"
	case variable == "":
		return "refused its key (" + status + ")" + message, "check the key"
	}
	return "refused the key in " + variable + " (" + status + ")" + message, "check " + variable + ", or name another participant"
}

// classifyConnection says what an error of the network means.
func (r *run) classifyConnection(err error) *failure {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	at := " at " + r.config.Base
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return &failure{short: "connection refused", what: "refused the connection" + at, again: true, fix: r.startFix()}
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return &failure{short: "connection reset", what: "reset the connection" + at, again: true, fix: r.hungUpFix()}
	case errors.Is(err, io.EOF):
		return &failure{short: "connection closed", what: "closed the connection" + at, again: true, fix: r.hungUpFix()}
	case errors.As(err, &dns):
		return &failure{
			short: "no such host", what: "was not found: no such host " + r.quote(dns.Name), again: !dns.IsNotFound,
			fix: "check the address and the network",
		}
	case errors.As(err, &certificate), errors.As(err, &record),
		strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return &failure{
			short: "no TLS", what: "gave no secure connection" + at + ": " + r.quote(innermost(err)),
			fix: "check whether the address begins with http or https, and its certificate",
		}
	}
	short := r.quote(innermost(err))
	return &failure{
		short: short, what: "failed" + at + ": " + short, again: true, fix: r.startFix(),
	}
}

// innermost returns the text of an error without the URL that net/http puts
// before it.
func innermost(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err.Error()
}

// hostOf returns scheme and host of an address, which may hold secrets
// elsewhere.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "another address"
	}
	return (&url.URL{Scheme: parsed.Scheme, Host: parsed.Host}).String()
}

// startFix says how to get a server that does not answer.
func (e *Endpoint) startFix() string {
	switch {
	case e.config.Start != "":
		return fmt.Sprintf("is the server running at %s? start it with `%s`", e.config.Base, e.config.Start)
	case e.config.Local:
		return fmt.Sprintf("is the server running at %s?", e.config.Base)
	}
	return "check the network and the address " + e.config.Base
}

// hungUpFix says what to do about a server that took the request and gave no answer.
func (e *Endpoint) hungUpFix() string {
	if e.config.Local {
		return "something is running there: see what it writes about the request where it was started"
	}
	return "wait a little, or check that no proxy stands before it"
}

// addressFix says how to find the right address.
func (e *Endpoint) addressFix() string {
	return fmt.Sprintf("check that %s is the base of an OpenAI-compatible endpoint (it usually ends in /v1), "+
		"and that no proxy or login page stands before it", e.config.Base)
}
