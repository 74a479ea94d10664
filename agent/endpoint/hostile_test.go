package endpoint

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"moot/protocol"
)

// hijack answers with bare bytes and keeps the connection open until the client closes it.
func hijack(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = io.WriteString(conn, answer)
		_, _ = io.Copy(io.Discard, conn)
	}
}

// bare is an answer after which net/http hands out the connection itself.
const bare = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n{"

// flood sends the events and then repeats a text, with pauses. Time does not pass in a
// flood without pauses: only a limit of bytes can end it. A client that reads more than
// that many bytes gets a reply that says so.
func flood(bytes int, pause time.Duration, text string, events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range events {
			_, _ = io.WriteString(w, event)
		}
		if pause == 0 {
			text = strings.Repeat(text, 1+1000/len(text))
		}
		for sent := 0; r.Context().Err() == nil; sent += len(text) {
			if sent > bytes {
				_, _ = io.WriteString(w, "data: "+token("too many bytes are read")+"\n\ndata: "+finish("stop")+"\n\n")
				return
			}
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			if pause > 0 {
				sleep(r, pause)
			}
		}
	}
}

func event(data string) string { return "data: " + data + "\n\n" }

// Every call ends within its limits, whatever the server does.
func TestHostileServers(t *testing.T) {
	const most, whole = 1 << 20, `{"choices":[{"message":{"content":"fine"},"finish_reason":"stop"}]}`
	said, half := []string{event(token("fine")), event(finish("stop"))}, event(token("half"))
	header := func(name, value string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(name, value)
			refuse(w, 429, "{}")
		}
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		// words are the reply or a part of the error, within how long the call may take.
		words  string
		within time.Duration
	}{
		"101":                            {hijack(bare), "refused the request (101); check that", 0},
		"headers without end":            {hijack("HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Header: x\r\n", most/8)), "exceeded", 0},
		"events after the finish reason": {flood(most, 0, event(token("x")), said...), "fine", 0},
		"comments after the finish reason, slowly":     {flood(most, time.Second/2, ": x\n\n", said...), "fine", tailWait},
		"empty events after the finish reason, slowly": {flood(most, time.Second/2, event("{}"), said...), "fine", tailWait},
		"a line without end after the finish reason":   {flood(most, time.Second/2, "x", append(said, "data: ")...), "fine", tailWait},
		"[DONE] without end":                           {flood(most, time.Second/2, event("[DONE]"), said...), "fine", drainWait},
		"a whole reply on an open connection":          {flood(most, time.Second/2, " ", whole), "fine", drainWait},
		"a whole reply, and more":                      {flood(most, 0, " ", whole), "fine", drainWait},
		"blank lines before the first token":           {flood(most, 0, "\n"), "sends too much around the reply", 0},
		"comments before the first token":              {flood(most, 0, ": x\n\n"), "sends too much around the reply", 0},
		"empty events before the first token":          {flood(most, 0, event("")), "sends too much around the reply", 0},
		"events before the first token":                {flood(most, 0, event("{}")), "sends too much around the reply", 0},
		"comments before the first token, slowly":      {flood(most, time.Second/2, ": x\n\n"), "sent no token in 10 s", 10 * time.Second},
		"comments in the reply":                        {flood(most, 0, ": x\n\n", half), "sends too much around the reply", 0},
		"comments in the reply, slowly":                {flood(most, time.Second/2, ": x\n\n", half), "sent nothing more in 3 s", 4 * time.Second},
		"events in the reply, slowly":                  {flood(most, time.Second/2, event("{}"), half), "did not finish within 20 s", 20 * time.Second},
		"much noise around each token":                 {flood(32<<20, 0, event(token("x"))+strings.Repeat(": x\n", 1000)), "sends too much around the reply", 0},
		"an event of lines without end":                {flood(most, 0, "data: {\n", half), "sends too much around the reply", 0},
		"a line without end":                           {flood(most, 0, "x", "data: "), "longer than the limit", 0},
		"a page without end":                           {flood(most, 0, "x", "<html>"), "an HTML page", 0},
		"JSON without end":                             {flood(most, 0, "x", `{"`), "longer than the limit", 0},
		"a wait until the year 9999":                   {header("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), "it asks to wait a day or longer, and the limit is 2 min; name another participant", 0},
		"a wait of many seconds":                       {header("Retry-After", "1e300"), "it asks to wait a day or longer", 0},
		"a wait of many milliseconds":                  {header("Retry-After-Ms", "99999999999999999999"), "it asks to wait a day or longer", 0},
		"a wait of no number":                          {header("Retry-After", "NaN"), "answered 429", 0},
	} {
		t.Run(name, func(t *testing.T) {
			limits := Limits{
				Attempts: 1, FirstToken: 10 * time.Second, Idle: 3 * time.Second, Total: 20 * time.Second, MaxReplyBytes: 10_000,
			}
			inBubble(t, setup{limits: limits}, c.handler, func(b *bench) {
				began := time.Now()
				reply, err := b.ask(b.Context())
				if took := time.Since(began); took > c.within {
					b.Errorf("took %s, the limit is %s", took, c.within)
				}
				if got := fmt.Sprint(reply.Text, " ", err); !strings.Contains(got, c.words) {
					b.Errorf("%q, want %q", got, c.words)
				}
			})
		})
	}
}

// The other kind of request, as moot doctor sends it, ends too.
func TestSurveyOfABareConnection(t *testing.T) {
	inBubble(t, setup{}, hijack(bare), func(b *bench) {
		if survey := b.Survey(b.Context()); survey.Status != StatusForeign {
			b.Errorf("%+v", survey)
		}
	})
}

// The line ends and events of the standard, in pieces of every size.
func TestEventsAsInTheStandard(t *testing.T) {
	for name, text := range map[string]string{
		"CR":              strings.ReplaceAll(event(token("fi"))+event(token("ne"))+event(finish("stop")), "\n", "\r"),
		"CRLF":            strings.ReplaceAll(event(token("fi"))+event(token("ne"))+event(finish("stop")), "\n", "\r\n"),
		"mixed":           "data: " + token("fi") + "\r\r\ndata: " + token("ne") + "\n\rdata: " + finish("stop") + "\r\n\n",
		"several lines":   event(strings.ReplaceAll(token("fi"), ",", ",\ndata: ")) + event(strings.ReplaceAll(token("ne"), ":", ":\ndata:\ndata:")) + event(finish("stop")),
		"a comment in it": event(strings.ReplaceAll(token("fine"), ",", ",\n: x\nid: 7\ndata: ")) + event(finish("stop")),
		"lines in CRLF":   strings.ReplaceAll(event(strings.ReplaceAll(token("fine"), ",", ",\ndata: "))+event(finish("stop")), "\n", "\r\n"),
		"no last line":    event(token("fine")) + "data: " + strings.ReplaceAll(finish("stop"), ",", ",\ndata: "),
	} {
		for _, size := range []int{1, 7, len(text)} {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) {
					for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
						_, _ = io.WriteString(w, rest[:min(size, len(rest))])
						w.(http.Flusher).Flush()
					}
				}, func(b *bench) { b.mustReply("fine") })
			})
		}
	}
	// A line that ends in CR counts before the next byte has arrived.
	inBubble(t, setup{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.ReplaceAll(event(token("fine")), "\n", "\r"))
		w.(http.Flusher).Flush()
		untilGone(r)
	}, func(b *bench) {
		if _, err := b.ask(b.Context()); !errors.As(err, new(*protocol.Broken)) || strings.Join(b.texts, "") != "fine" {
			b.Errorf("shown %q, error %v", b.texts, err)
		}
	})
	// A hole in the middle is an error, even if the end is announced.
	inBubble(t, setup{limits: Limits{Attempts: 1}}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: "+token("fi")+"\ndata: {\ndata: [DONE]\n")
	}, func(b *bench) { mustFail[*protocol.Broken](b, "not JSON") })
}

// Token counts that no model has are not reported, and no sum overflows.
func TestAbsurdUsage(t *testing.T) {
	for _, counts := range []string{
		`"prompt_tokens":9223372036854775807,"completion_tokens":1`, `"prompt_tokens":1,"completion_tokens":1e300`,
		`"prompt_tokens":1,"completion_tokens":1,"cost":1e999`,
	} {
		inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) {
			stream(w, token("fine"), finish("stop"), `{"choices":[],"usage":{`+counts+`}}`, "[DONE]")
		}, func(b *bench) {
			reply := b.mustReply("fine")
			if !reply.Estimated || reply.PromptTokens != 6 || reply.CompletionTokens != 1 || reply.Cost > 1 {
				b.Errorf("%s: %+v", counts, reply)
			}
		})
	}
}
