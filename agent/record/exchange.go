package record

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"moot/agent/scrub"
)

// Transport wraps a transport to record requests that belong to a call. A nil recorder returns it unchanged.
func (r *Recorder) Transport(over http.RoundTripper) http.RoundTripper {
	if r == nil {
		return over
	}
	return &transport{over}
}

type transport struct{ over http.RoundTripper }

// CloseIdleConnections closes the idle connections of the wrapped transport.
func (t *transport) CloseIdleConnections() {
	if closer, ok := t.over.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	call := From(request.Context())
	if call == nil {
		return t.over.RoundTrip(request)
	}
	l := Line{Kind: KindExchange, Method: request.Method, URL: plainURL(request.URL)}
	l.Headers = call.headers(request.Header, true)
	if request.Body != nil && request.Body != http.NoBody {
		data, err := io.ReadAll(request.Body)
		_ = request.Body.Close()
		if err != nil {
			return nil, err
		}
		request = request.Clone(request.Context())
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
		request.Body, _ = request.GetBody()
		l.Body = string(data[:min(len(data), maxBody)])
	}
	response, err := t.over.RoundTrip(request)
	if err != nil {
		l.Error = err.Error()
		call.write(l)
		return nil, err
	}
	l.Status, l.ResponseHeaders = response.StatusCode, call.headers(response.Header, false)
	response.Body = &body{ReadCloser: response.Body, call: call, line: l}
	return response, nil
}

// body records a response when it has been read.
type body struct {
	io.ReadCloser
	call *Call
	line Line
	kept buffer
	once sync.Once
}

// Read implements io.Reader.
func (b *body) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data)
	b.kept.add(data[:n])
	if err != nil {
		b.end(err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.end(nil)
	return b.ReadCloser.Close()
}

func (b *body) end(err error) {
	b.once.Do(func() {
		b.line.Response = b.kept.String()
		if err != nil && !errors.Is(err, io.EOF) {
			b.line.Error = err.Error()
		}
		b.call.write(b.line)
	})
}

// buffer keeps the beginning of a stream. It is safe for concurrent use.
type buffer struct {
	mutex sync.Mutex
	data  []byte
}

func (b *buffer) add(piece []byte) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.data = append(b.data, piece[:min(len(piece), maxBody-len(b.data))]...)
}

// String returns the text so far.
func (b *buffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return string(b.data)
}

// plainHeader reports whether a header cannot hold private data.
func plainHeader(name string) bool {
	return strings.HasPrefix(name, "X-Ratelimit-") || slices.Contains([]string{
		"Accept", "Accept-Encoding", "Anthropic-Beta", "Anthropic-Version", "Cache-Control", "Connection",
		"Content-Length", "Content-Type", "Date", "Openai-Beta", "Retry-After", "Retry-After-Ms", "Server",
		"User-Agent",
	}, name)
}

// headers returns headers without values that may be secret. Secret request headers are removed from all later
// output, since servers echo them.
func (c *Call) headers(all http.Header, sent bool) map[string][]string {
	kept := map[string][]string{}
	for name, values := range all {
		for _, value := range values {
			if plainHeader(name) {
				kept[name] = append(kept[name], c.recorder.scrubber.Clean(value))
				continue
			}
			kept[name] = []string{scrub.Redacted}
			if !sent {
				continue
			}
			request := http.Request{Header: http.Header{"Authorization": {value}}}
			if _, password, ok := request.BasicAuth(); ok {
				c.recorder.scrubber.Hide(password)
			}
			for field := range strings.FieldsSeq(value) {
				if scrub.Searchable(field) || name == "Authorization" && !strings.EqualFold(field, "bearer") {
					c.recorder.scrubber.Hide(field)
				}
			}
		}
	}
	return kept
}

// plainURL returns a URL without user information and without query values that may be private.
func plainURL(full *url.URL) string {
	shown := *full
	shown.User, shown.Fragment, shown.RawFragment = nil, "", ""
	query := shown.Query()
	for name := range query {
		if !slices.Contains([]string{"alt", "api-version", "beta"}, strings.ToLower(name)) {
			query[name] = []string{scrub.Redacted}
		}
	}
	shown.RawQuery = query.Encode()
	return shown.String()
}

// Program records one run of a program, or one turn of a program that stays up.
// It is safe for concurrent use; nil records nothing.
type Program struct {
	call                  *Call
	argv                  []string
	stdin, stdout, stderr buffer
	once                  sync.Once
}

// Program starts the record of a program with its path and arguments.
func (c *Call) Program(argv []string) *Program {
	if c == nil {
		return nil
	}
	return &Program{call: c, argv: argv}
}

// Stdin records standard input.
func (p *Program) Stdin(data []byte) {
	if p != nil {
		p.stdin.add(data)
	}
}

// Stdout records standard output.
func (p *Program) Stdout(data []byte) {
	if p != nil {
		p.stdout.add(data)
	}
}

// Stderr records standard error.
func (p *Program) Stderr(data []byte) {
	if p != nil {
		p.stderr.add(data)
	}
}

// End writes the record once. exit is nil for a program that stays up, and why is the reason for the end, or "".
func (p *Program) End(exit *int, why string) {
	if p == nil {
		return
	}
	p.once.Do(func() {
		p.call.write(Line{
			Kind: KindProgram, Argv: p.argv, Stdin: p.stdin.String(), Stdout: p.stdout.String(),
			Stderr: p.stderr.String(), Exit: exit, Error: why,
		})
	})
}
