package record

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
)

// maxBody is how much of a request's body is recorded, in bytes.
const maxBody = 16 << 20

// Transport records what goes over another transport in the calls of a session;
// what goes over it outside of them is not recorded. A nil recorder returns the
// other one.
func (r *Recorder) Transport(over http.RoundTripper) http.RoundTripper {
	if r == nil {
		return over
	}
	return &transport{over: over}
}

type transport struct{ over http.RoundTripper }

// CloseIdleConnections closes those of the transport that is recorded.
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
	number := call.next()
	request, err := call.request(number, request)
	if err != nil {
		return nil, err
	}
	response, err := t.over.RoundTrip(request)
	if err != nil {
		call.line(Line{Kind: KindFailed, Request: number, Error: err.Error(), Cause: cause(err)})
		return nil, err
	}
	call.line(Line{
		Kind: KindResponse, Request: number, Status: response.StatusCode,
		Headers: responseHeaders(response.Header, call.recorder.scrubber),
	})
	response.Body = &body{ReadCloser: response.Body, flow: call.flow(number, KindChunk)}
	return response, nil
}

// request records a request, and returns it with a body that can still be read.
func (c *Call) request(number int, request *http.Request) (*http.Request, error) {
	headers := requestHeaders(request.Header, c.recorder.scrubber)
	l := Line{Kind: KindRequest, Request: number, Method: request.Method, URL: plainURL(request.URL), Headers: headers}
	if request.Body != nil && request.Body != http.NoBody {
		data, err := io.ReadAll(request.Body)
		_ = request.Body.Close() // Whoever sends it has it whole now.
		if err != nil {
			return nil, err
		}
		request = request.Clone(request.Context())
		request.Body = io.NopCloser(bytes.NewReader(data))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
		l.put(c.whole(data[:min(len(data), maxBody)]))
	}
	c.line(l)
	return request, nil
}

// body records what is read of an answer.
type body struct {
	io.ReadCloser
	flow *flow
	once sync.Once
}

// Read implements io.Reader.
func (b *body) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data)
	if n > 0 {
		b.flow.add(data[:n])
	}
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

// end records once how the body ended; nil says that nobody read on.
func (b *body) end(err error) {
	b.once.Do(func() {
		b.flow.close()
		l := Line{Kind: KindClosed, Request: b.flow.request, Cause: causeLeft}
		if err != nil {
			l.Cause = cause(err)
		}
		if l.Cause != causeEOF && err != nil {
			l.Error = err.Error()
		}
		b.flow.call.line(l)
	})
}

// The sorts of errors of a connection.
const (
	causeEOF        = "eof"
	causeLeft       = "left"
	causeUnexpected = "unexpected-eof"
	causeRefused    = "refused"
	causeReset      = "reset"
	causeDNS        = "dns"
	causeTLS        = "tls"
	causeTimeout    = "timeout"
	causeCancelled  = "cancelled"
	causeOther      = "other"
)

// cause sorts an error of a connection.
func cause(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return causeCancelled
	case errors.Is(err, io.ErrUnexpectedEOF):
		return causeUnexpected
	case errors.Is(err, io.EOF):
		return causeEOF
	case errors.Is(err, syscall.ECONNREFUSED):
		return causeRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return causeReset
	case errors.As(err, &dns):
		return causeDNS
	case errors.As(err, &certificate), errors.As(err, &record):
		return causeTLS
	case errors.Is(err, os.ErrDeadlineExceeded):
		return causeTimeout
	}
	return causeOther
}
