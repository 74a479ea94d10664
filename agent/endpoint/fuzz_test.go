package endpoint

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"moot/protocol"
)

// body answers every request with the same bytes, without a network.
type body struct {
	status int
	bytes  []byte
}

// RoundTrip implements http.RoundTripper.
func (b body) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: b.status, Header: http.Header{}, Request: request,
		Body: io.NopCloser(bytes.NewReader(b.bytes)),
	}, nil
}

// FuzzReply feeds foreign bytes to a whole call: it ends with a reply or with
// one of the errors that the protocol knows, and shows neither the key nor a
// control character.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{
		"data: " + token("fine") + "\n\ndata: " + finish("stop") + "\n\n" + "data: " + counted + "\n\ndata: [DONE]\n\n",
		"data: " + strings.ReplaceAll(token("fine"), ",", ",\r\ndata: ") + "\r\rdata: " + finish("stop") + "\r",
		`{"error":{"message":"` + testKey + `","code":42}}`, `{"error":"x"}`, `[{"error":{"code":null}}]`,
		"<html><title>a\x00b</title>", "error: {", "data: {\"choices\":[{\"delta\":{\"content\":[{}]}}]}\n", ": x\n", "",
		"\xef\xbb\xbfdata:{}", `{"detail":[{"loc":["body","response_format"]}]}`, "data: " + `{"error":{"metadata":{"raw":"` + testKey + `"}}}`,
	} {
		for _, status := range []int{200, 400, 404, 500, 301} {
			f.Add(status, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, status int, data []byte) {
		if status < 200 || status > 599 {
			return
		}
		limits := Limits{Attempts: 2, BaseWait: time.Nanosecond, MaxWait: time.Nanosecond, MaxReplyBytes: 1000}
		config := Config{Name: "x", Base: "http://h/v1", Model: "m", Key: NewSecret(testKey)}
		e := New(config, limits, body{status, data}, nil)
		var shown []string
		reply, err := e.Reply(t.Context(), testCall(), func(d protocol.Delta) { shown = append(shown, d.Note) })
		if err != nil {
			var broken *protocol.Broken
			var gone *protocol.Unreachable
			var long *protocol.TooLong
			if !errors.As(err, &broken) && !errors.As(err, &gone) && !errors.As(err, &long) {
				t.Fatalf("error %T %v", err, err)
			}
			shown = append(shown, err.Error())
		} else if strings.TrimSpace(reply.Text) == "" || reply.PromptTokens < 0 || reply.Cost < 0 || !utf8.ValidString(reply.Text) {
			t.Fatalf("reply %+v", reply)
		}
		for _, text := range append(shown, reply.Notes...) {
			if strings.Contains(text, testKey) || strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
				t.Fatalf("shown: %q", text)
			}
		}
	})
}
