package endpoint

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"time"
)

// exchangeKey finds the exchange in a request's context.
type exchangeKey struct{}

// exchange is one request and its response. The library hands out neither
// headers nor body, so that the wire puts them here.
type exchange struct {
	response *http.Response
}

// wire is the library's way to the network. It adds the key, so that nothing
// above it holds one, and turns every answer but a 2xx into a *refusal with
// what its headers say.
type wire struct {
	client *http.Client
	// header is the key's, with its value.
	header        string
	authorization Secret
	// headers are sent besides, query is added to each address.
	headers map[string]Secret
	query   string
}

// newWire returns a wire over a transport. Redirects are not followed: they
// turn a POST into a GET, or carry the prompt to where the user did not send it.
func newWire(transport http.RoundTripper, config Config) *wire {
	w := &wire{
		client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		header: "Authorization", headers: config.Headers, query: config.Query,
	}
	switch {
	case !config.User.IsZero() || !config.Password.IsZero():
		pair := config.User.reveal() + ":" + config.Password.reveal()
		w.authorization = NewSecret("Basic " + base64.StdEncoding.EncodeToString([]byte(pair)))
	case !config.Key.IsZero() && config.KeyHeader != "":
		w.header, w.authorization = config.KeyHeader, config.Key
	case !config.Key.IsZero():
		w.authorization = NewSecret("Bearer " + config.Key.reveal())
	}
	return w
}

// Do sends a request; the library calls it.
func (w *wire) Do(request *http.Request) (*http.Response, error) {
	for name, value := range w.headers {
		request.Header.Set(name, value.reveal())
	}
	if !w.authorization.IsZero() {
		request.Header.Set(w.header, w.authorization.reveal())
	}
	request.Header.Set("User-Agent", "moot")
	if w.query != "" {
		request.URL.RawQuery = w.query
	}
	response, err := w.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		if kept, ok := request.Context().Value(exchangeKey{}).(*exchange); ok {
			kept.response = response
		}
		return response, nil
	}
	defer closeBody(response.Body)
	body, err := io.ReadAll(io.LimitReader(response.Body, maxRefusalBytes))
	if err != nil && len(body) == 0 && request.Context().Err() != nil {
		return nil, err
	}
	said := parseRefusal(body)
	said.status = response.StatusCode
	said.after = retryAfter(response.Header, time.Now())
	said.location = response.Header.Get("Location")
	return nil, &said
}

// withExchange returns a context that keeps the response of its request.
func withExchange(ctx context.Context) (context.Context, *exchange) {
	kept := &exchange{}
	return context.WithValue(ctx, exchangeKey{}, kept), kept
}

// closeBody closes a body; what that says is of no consequence any more.
func closeBody(body io.Closer) { _ = body.Close() }
