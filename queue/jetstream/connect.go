package jetstream

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"moot/internal/plain"
)

// Why a connection failed. The errors of Connect wrap one of them and say what to do.
var (
	// ErrAddress is an address that moot does not use, such as one with a password in it.
	ErrAddress = errors.New("not an address of a queue")
	// ErrUnreachable means that nothing answered as a NATS server.
	ErrUnreachable = errors.New("the server cannot be reached")
	// ErrToken means that the server refused the token or the credentials.
	ErrToken = errors.New("the server refused the token or credentials")
	// ErrCertificate means that the server is not the one that was pinned, or that nothing vouches for it.
	ErrCertificate = errors.New("the certificate of the server is not the expected one")
	// ErrNoJetStream means that the server carries messages but keeps none.
	ErrNoJetStream = errors.New("the server has no JetStream")
)

// Options says how to connect to a server.
type Options struct {
	// URL is nats://HOST[:PORT] or tls://HOST[:PORT]; several servers of a cluster are separated by commas. It never
	// holds credentials.
	URL string
	// Token authenticates with a server of Serve. CredsFile is a file of credentials, for clusters. Both may be empty.
	Token     string
	CredsFile string
	// Pin is "sha256:" and the digest of the server's certificate. If it is set, only TLS with this certificate is
	// accepted, whatever its dates and names say. If not, TLS is checked as usual.
	Pin string
	// Name is shown by the server in its list of connections.
	Name string
	// Note is told in one line of printable text when the connection is lost or works again, and why something is
	// tried again. It may be nil and is called from several goroutines.
	Note func(string)
	// Timeout bounds one request. 0 means 5 s.
	Timeout time.Duration
	// Ping is how often the connection is tested; two missing answers close it. 0 means 10 s.
	Ping time.Duration
	// Replicas is how many servers of a cluster keep each stream that is made. 0 means 1.
	Replicas int

	// now is the clock of this machine; tests set a wrong one.
	now func() time.Time
}

// Queue is a connection to a server. It reconnects without end. Its methods are safe for concurrent use.
type Queue struct {
	conn    *nats.Conn
	js      jetstream.JetStream
	options Options
	host    string

	mutex sync.Mutex
	// again is closed and replaced at each reconnect.
	again   chan struct{}
	limits  *Limits
	handles map[string]jetstream.Stream
	// lastNote and lastNoteAt suppress a note that repeats itself.
	lastNote   string
	lastNoteAt time.Time

	orders orders
}

// Connect connects to a server and checks that it has JetStream. It tries once; later losses are repaired without end.
func Connect(ctx context.Context, o Options) (*Queue, error) {
	o.Timeout, o.Ping, o.Replicas = orElse(o.Timeout, 5*time.Second), orElse(o.Ping, 10*time.Second), max(o.Replicas, 1)
	if o.now == nil {
		o.now = time.Now
	}
	host, err := checkURL(o.URL)
	if err != nil {
		return nil, err
	}
	q := &Queue{options: o, host: host, again: make(chan struct{})}
	options := []nats.Option{
		nats.Name(o.Name),
		nats.Timeout(o.Timeout),
		nats.PingInterval(o.Ping),
		nats.MaxPingsOutstanding(2),
		nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(func(attempts int) time.Duration {
			delay := min(5*time.Second, 100*time.Millisecond<<min(attempts, 6))
			return delay/2 + rand.N(delay/2+1) //nolint:gosec // spreads retries, hides nothing
		}),
		// A restarted server may refuse the token until it is set again.
		nats.IgnoreAuthErrorAbort(),
		// Nothing is published behind our back after a reconnect: its outcome would be known to nobody.
		nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(q.disconnected),
		nats.ReconnectHandler(q.reconnected),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { q.note("the queue at %s: %v; trying again", host, err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { q.note("the queue at %s: %v", host, err) }),
	}
	if o.Token != "" {
		options = append(options, nats.Token(o.Token))
	}
	if o.CredsFile != "" {
		options = append(options, nats.UserCredentials(o.CredsFile))
	}
	if o.Pin != "" {
		digest, err := checkPin(o.Pin)
		if err != nil {
			return nil, err
		}
		// A server with a pin stands alone: addresses that it announces are not used.
		options = append(options, nats.Secure(pinned(digest)), nats.IgnoreDiscoveredServers())
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q.conn, err = nats.Connect(o.URL, options...)
	if err != nil {
		return nil, q.connectError(err)
	}
	if version := q.conn.ConnectedServerVersion(); tooOld(version) {
		q.conn.Close()
		return nil, fmt.Errorf("connect to the queue at %s: %w: it is version %s, and 2.%d is needed at least", q.host,
			ErrNoJetStream, plain.Short(plain.Line(version)), oldestMinor)
	}
	if q.js, err = jetstream.New(q.conn, jetstream.WithDefaultTimeout(o.Timeout)); err == nil {
		_, err = q.js.AccountInfo(undated{ctx})
	}
	if err != nil {
		q.conn.Close()
		return nil, q.connectError(err)
	}
	return q, nil
}

// Close ends the connection.
func (q *Queue) Close() {
	q.mutex.Lock()
	limits := q.limits
	q.limits = nil
	q.mutex.Unlock()
	if limits != nil {
		limits.close()
	}
	q.conn.Close()
}

// checkURL returns the hosts of a URL for messages, or why it is not used.
func checkURL(text string) (hosts string, err error) {
	var all []string
	for one := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		switch {
		case err != nil:
			// The error of url.Parse quotes the URL, which may hold a password.
			return "", fmt.Errorf("the address of the queue: %w: write nats://HOST:PORT", ErrAddress)
		case u.User != nil:
			return "", fmt.Errorf("the address of the queue: %w: it holds a user, a password or a token, which other "+
				"users of this machine can read; pass the token in MOOT_QUEUE_TOKEN or a file", ErrAddress)
		case u.Scheme != "nats" && u.Scheme != "tls", u.Hostname() == "", u.Path != "" && u.Path != "/",
			u.RawQuery != "", u.Fragment != "":
			return "", fmt.Errorf("the address of the queue: %w: write nats://HOST:PORT or tls://HOST:PORT", ErrAddress)
		}
		all = append(all, plain.Line(u.Host))
	}
	return strings.Join(all, ", "), nil
}

const pinPrefix = "sha256:"

func checkPin(pin string) ([]byte, error) {
	digest, err := hex.DecodeString(strings.TrimPrefix(pin, pinPrefix))
	if err != nil || len(digest) != sha256.Size || !strings.HasPrefix(pin, pinPrefix) {
		return nil, fmt.Errorf("the pin %q: write sha256: and 64 hex digits, as the line for workers has them",
			plain.Short(plain.Line(pin)))
	}
	return digest, nil
}

// pinned is TLS with exactly one certificate. The dates of the certificate do not count, so that a wrong clock harms
// nothing.
func pinned(digest []byte) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		// VerifyConnection below replaces the usual checks.
		InsecureSkipVerify: true, //nolint:gosec // the certificate is pinned
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return fmt.Errorf("%w: it sent none", ErrCertificate)
			}
			if got := sha256.Sum256(state.PeerCertificates[0].Raw); !bytes.Equal(got[:], digest) {
				return fmt.Errorf("%w: it has sha256:%x, the pin is sha256:%x", ErrCertificate, got, digest)
			}
			return nil
		},
	}
}

// connectError says why the first connection failed and what to do.
func (q *Queue) connectError(err error) error {
	var unknown x509.UnknownAuthorityError
	var verification *tls.CertificateVerificationError
	where := "connect to the queue at " + q.host
	reason := plain.Short(plain.Line(err.Error()))
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("%s: %w: check MOOT_QUEUE_TOKEN, --token-file or --queue-creds", where, ErrToken)
	case errors.Is(err, ErrCertificate):
		return fmt.Errorf("%s: %w; copy the pin from the line for workers, and do not connect if it still differs",
			where, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s: %w: it has no TLS, but a pin was given", where, ErrCertificate)
	case errors.As(err, &unknown), errors.As(err, &verification):
		return fmt.Errorf("%s: %w: %s; pass its pin", where, ErrCertificate, reason)
	case noJetStream(err):
		return fmt.Errorf("%s: %w: enable it on the server (nats-server -js) or for this account", where, ErrNoJetStream)
	}
	return fmt.Errorf("%s: %w: %s; check the address, and that the server runs", where, ErrUnreachable, reason)
}

func noJetStream(err error) bool {
	return errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount)
}

func (q *Queue) disconnected(_ *nats.Conn, err error) {
	if err != nil {
		q.note("lost the connection to the queue at %s: %v; trying again", q.host, err)
	}
}

func (q *Queue) reconnected(*nats.Conn) {
	q.note("connected again to the queue at %s", q.host)
	q.mutex.Lock()
	defer q.mutex.Unlock()
	close(q.again)
	q.again = make(chan struct{})
}

// reconnects returns a channel that is closed at the next reconnect.
func (q *Queue) reconnects() <-chan struct{} {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.again
}

// note reports one line, but not the same line again within ten seconds.
func (q *Queue) note(format string, arguments ...any) {
	if q.options.Note == nil {
		return
	}
	line := plain.Clip(plain.Line(fmt.Sprintf(format, arguments...)), 500)
	q.mutex.Lock()
	repeated := line == q.lastNote && time.Since(q.lastNoteAt) < 10*time.Second
	if !repeated {
		q.lastNote, q.lastNoteAt = line, time.Now()
	}
	q.mutex.Unlock()
	if !repeated {
		q.options.Note(line)
	}
}

// permanent reports whether trying again cannot help: the server has understood the request and refuses it.
func permanent(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code < 500 && !wrongSequence(err)
	}
	for _, one := range []error{
		nats.ErrMaxPayload, nats.ErrConnectionClosed, nats.ErrBadSubject, nats.ErrInvalidMsg, nats.ErrHeadersNotSupported,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// wrongSequence reports whether the server refused a message because another one is the last of its subject.
func wrongSequence(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// undated is a context without its deadline. Requests of the client library have a timeout of their own only then, and
// one whose answer is lost would wait for the deadline of everything. The end of the context still ends them.
type undated struct{ context.Context }

// Deadline reports none.
func (undated) Deadline() (time.Time, bool) { return time.Time{}, false }

// persist runs what until it works, fails for good, or ctx ends. What must be safe to repeat.
func (q *Queue) persist(ctx context.Context, doing string, what func(context.Context) error) error {
	ctx = undated{ctx}
	for attempt := 0; ; attempt++ {
		err := what(ctx)
		if err == nil {
			return nil
		}
		if ended := ctx.Err(); ended != nil {
			return fmt.Errorf("%s: %w", doing, context.Cause(ctx))
		}
		if errors.Is(err, ErrHeld) || errors.Is(err, errClosed) {
			return fmt.Errorf("%s: %w", doing, err)
		}
		if permanent(err) {
			return fmt.Errorf("%s: the queue at %s: %w", doing, q.host, err)
		}
		if attempt > 0 {
			q.note("%s: %v; trying again", doing, err)
		}
		q.pause(ctx, attempt)
	}
}

// pause waits before another attempt: longer each time, but not beyond a reconnect.
func (q *Queue) pause(ctx context.Context, attempt int) {
	delay := min(5*time.Second, 50*time.Millisecond<<min(attempt, 7))
	timer := time.NewTimer(delay/2 + rand.N(delay/2+1)) //nolint:gosec // spreads retries, hides nothing
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-q.reconnects():
	case <-timer.C:
	}
}

func orElse(value, otherwise time.Duration) time.Duration {
	if value <= 0 {
		return otherwise
	}
	return value
}
