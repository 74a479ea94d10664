package forge

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/go-github/v89/github"

	"moot/internal/plain"
)

const (
	// requestTime is how long one request may take, with its answer.
	requestTime = 30 * time.Second
	// maxResponse is the maximum size of an answer. A page of 100 comments of 65,536 characters can have 40 MB.
	maxResponse = 48 << 20
	// maxWait is how long a Check or a Post waits in total before it tries again, and maxTries how often it does.
	maxWait  = 30 * time.Second
	maxTries = 5
	// limitWait is the wait after a rate limit that names none.
	limitWait = 10 * time.Second

	maxRedirects = 3
)

// notGitHub is the advice for answers that GitHub would not give.
const notGitHub = "check GITHUB_API_URL, and whether a proxy answers in its place"

var (
	errTooLarge = errors.New("the answer is too large")
	errForeign  = errors.New("the answer is not from GitHub's API")
)

// Error says why GitHub could not be asked or did not do something. It wraps no error of the library, since those hold
// the request with the token.
type Error struct {
	// Doing names what failed, such as "read pull request #7 of owner/name".
	Doing string
	// Status is the HTTP status of the answer, or 0.
	Status int
	// Reason says what happened, and Advice what to do.
	Reason, Advice string
}

// Error implements error.
func (e *Error) Error() string {
	text := e.Doing + ": " + e.Reason
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}

// redirectError reports a redirect that is not followed.
type redirectError struct{ why string }

// Error implements error.
func (e *redirectError) Error() string { return e.why }

// transport adds the token to requests to the API, and limits the answers.
type transport struct {
	next http.RoundTripper
	base *url.URL
	// authorize sets the token. A function, so that no way to print a transport shows it.
	authorize func(http.Header)
}

// connect returns a client for an API. The library's own way to add a token would send it along with redirects.
func connect(base *url.URL, token string, timeout time.Duration) (*github.Client, error) {
	t := &transport{
		next: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			ForceAttemptHTTP2:      true,
			IdleConnTimeout:        10 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 256 << 10,
		},
		base:      base,
		authorize: func(h http.Header) { h.Set("Authorization", "Bearer "+token) },
	}
	address := base.String()
	return github.NewClient(
		github.WithHTTPClient(&http.Client{Transport: t, CheckRedirect: t.redirect, Timeout: timeout}),
		github.WithURLs(&address, nil), github.WithUserAgent("moot"), github.WithDisableRateLimitCheck())
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if t.owns(request.URL) {
		request = request.Clone(request.Context())
		t.authorize(request.Header)
	}
	response, err := t.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{response.Body, maxResponse}
	return response, nil
}

// owns reports whether an address is of the API.
func (t *transport) owns(u *url.URL) bool { return u.Scheme == t.base.Scheme && u.Host == t.base.Host }

// redirect decides whether a redirect is followed. GitHub redirects within its API, from a renamed repository.
func (t *transport) redirect(next *http.Request, via []*http.Request) error {
	switch {
	case !t.owns(next.URL):
		return &redirectError{"the answer redirects to another server (" + next.URL.Host + "), which does not get the token"}
	case next.Method != via[0].Method:
		return &redirectError{"the answer redirects a write to another address; the repository may have another name now"}
	case len(via) > maxRedirects:
		return &redirectError{"the answers redirect in circles"}
	}
	return nil
}

// boundedBody fails after so many bytes.
type boundedBody struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (b *boundedBody) Read(data []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(data[:min(int64(len(data)), b.left)])
	b.left -= int64(n)
	return n, err
}

// attempt is one Check or Post: how long it may still wait, and how often it has.
type attempt struct {
	*PullRequest
	left  time.Duration
	tries int
}

func (p *PullRequest) attempt() *attempt { return &attempt{PullRequest: p, left: maxWait} }

// again waits and returns nil if a failure may pass. Otherwise it returns the error for the user.
func (a *attempt) again(ctx context.Context, doing string, err error) error {
	pause, mayPass := pauseOf(err)
	if pause == 0 {
		pause = time.Second << min(a.tries, maxTries)
	}
	if ctx.Err() == nil && mayPass && a.tries < maxTries && pause <= a.left {
		a.tries++
		a.left -= pause
		if a.sleep(ctx, pause) == nil {
			return nil
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	return a.explain(doing, err)
}

// pauseOf reports whether a failure may pass, and how long GitHub asks to wait, 0 if it does not say.
func pauseOf(err error) (pause time.Duration, mayPass bool) {
	var limit *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var refused *github.ErrorResponse
	var failed net.Error
	var certificate *tls.CertificateVerificationError
	var redirect *redirectError
	switch {
	case errors.As(err, &limit):
		return max(time.Until(limit.Rate.Reset.Time), time.Second), true
	case errors.As(err, &secondary):
		if secondary.RetryAfter != nil {
			return max(*secondary.RetryAfter, time.Second), true
		}
		return limitWait, true
	case errors.As(err, &refused):
		status := refused.Response.StatusCode
		if seconds, e := strconv.Atoi(refused.Response.Header.Get("Retry-After")); e == nil && seconds >= 0 {
			// Before it multiplies: a huge number must not become a short wait.
			pause = time.Duration(min(seconds, 1<<20))*time.Second + time.Millisecond
			if status == http.StatusForbidden {
				return pause, true
			}
		}
		if status == http.StatusTooManyRequests {
			return max(pause, limitWait), true
		}
		return pause, status >= http.StatusInternalServerError && status != http.StatusNotImplemented
	case errors.Is(err, errTooLarge), errors.As(err, &redirect), errors.As(err, &certificate):
		return 0, false
	case errors.As(err, &failed), errors.Is(err, io.ErrUnexpectedEOF):
		return 0, true
	}
	return 0, false
}

// explain turns an error of the library into one for the user.
func (a *attempt) explain(doing string, err error) *Error {
	e := &Error{Doing: doing}
	clean := func(text string) string { return plain.Clip(plain.Line(a.hide(text)), 300) }
	var limit *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var refused *github.ErrorResponse
	var failed net.Error
	var network *url.Error
	var redirect *redirectError
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	pause, _ := pauseOf(err)
	asked := "run the job again later"
	if pause > maxWait {
		asked = "run the job again in " + pause.Round(time.Second).String()
	}
	switch {
	case errors.As(err, &limit):
		e.Status = limit.Response.StatusCode
		e.Reason = "the rate limit of the token is used up until " + limit.Rate.Reset.UTC().Format("15:04 UTC")
		e.Advice = "run the job again then"
	case errors.As(err, &secondary):
		e.Status = secondary.Response.StatusCode
		e.Reason, e.Advice = "GitHub limits how fast the token may write or ask", asked
	case errors.As(err, &refused):
		e.Status = refused.Response.StatusCode
		e.Reason = fmt.Sprintf("GitHub answers %d", e.Status)
		if text := clean(refused.Message); text != "" {
			e.Reason += " (" + text + ")"
		}
		e.Advice = a.advice(e.Status, pause, doing == a.reading(), asked)
	case errors.As(err, &redirect):
		e.Reason, e.Advice = clean(redirect.why), "check GITHUB_API_URL and GITHUB_REPOSITORY"
	case errors.Is(err, errTooLarge):
		e.Reason, e.Advice = fmt.Sprintf("the answer has more than %d MB", maxResponse>>20), notGitHub
	case errors.Is(err, errForeign), errors.As(err, &syntax), errors.As(err, &kind):
		e.Reason, e.Advice = errForeign.Error(), notGitHub
	case errors.As(err, &failed) && failed.Timeout():
		e.Reason, e.Advice = "GitHub does not answer in time", asked
	case errors.As(err, &network):
		e.Reason, e.Advice = clean(network.Err.Error()), "check the network and GITHUB_API_URL"
	default:
		e.Reason, e.Advice = clean(err.Error()), notGitHub
	}
	return e
}

// advice says what to do after a status.
func (a *attempt) advice(status int, pause time.Duration, isHead bool, later string) string {
	switch {
	case status == http.StatusUnauthorized:
		return "the token is wrong, has expired, or is for another server: set GITHUB_TOKEN again, and check GITHUB_API_URL"
	case status == http.StatusTooManyRequests, pause > 0, status >= http.StatusInternalServerError:
		return later
	case status == http.StatusForbidden && isHead:
		return "the token may not read it: give the job permissions: pull-requests: write"
	case status == http.StatusForbidden:
		return "the token may not write there: give the job permissions: pull-requests: write; a pull_request event from a " +
			"fork has a token that only reads, and docs/ci.md has a workflow for forks"
	case status == http.StatusNotFound:
		return "check --pr and GITHUB_REPOSITORY (" + a.owner + "/" + a.name +
			"), and that the token may read it: permissions: pull-requests: write"
	}
	return ""
}
