package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"moot/protocol"
)

// streamed answers every request with the same stream, as a whole or byte by byte.
type streamed struct {
	data  string
	bytes bool
}

func (s streamed) RoundTrip(r *http.Request) (*http.Response, error) {
	var body io.Reader = strings.NewReader(s.data)
	if s.bytes {
		body = iotest.OneByteReader(body)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body), Request: r}, nil
}

// randomStream is a stream with text, thoughts, lookups and noise, in the forms and line ends of several servers.
func randomStream(random *rand.Rand, responses bool) string {
	texts := []string{`{"moves":[`, "再試行に上限がない 🇩🇪 ", `\u201c`, "“quoted”", "<think>", "</think>", "1. A point [EVIDENCE] a.go:3 \"for {\"\n", "\u2028", `"}`, "é", ""}
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	quote := func(text string) string {
		if random.IntN(2) == 0 {
			var raw bytes.Buffer
			encoder := json.NewEncoder(&raw)
			encoder.SetEscapeHTML(false)
			_ = encoder.Encode(text)
			return strings.TrimSpace(raw.String())
		}
		quoted := ""
		for _, r := range text {
			if r > 0xffff {
				r -= 0x10000
				quoted += fmt.Sprintf(`\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
			} else {
				quoted += fmt.Sprintf(`\u%04x`, r)
			}
		}
		return `"` + quoted + `"`
	}
	var events []string
	for range 1 + random.IntN(12) {
		text := quote(pick(texts))
		switch {
		case responses && random.IntN(4) == 0:
			events = append(events, `{"type":"response.reasoning_summary_text.delta","delta":`+text+`}`)
		case responses:
			events = append(events, `{"type":"response.output_text.delta","delta":`+text+`}`)
		case random.IntN(5) == 0:
			events = append(events, `{"choices":[{"delta":{"`+pick([]string{"reasoning", "reasoning_content", "thinking"})+`":`+text+`}}]}`)
		case random.IntN(6) == 0:
			events = append(events, `{"choices":[{"delta":{"content":[{"type":"text","text":`+text+`}]}}]}`)
		case random.IntN(8) == 0:
			events = append(events, `{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`)
		case random.IntN(40) == 0:
			events = append(events, `{"error":{"message":`+text+`,"code":400}}`)
		default:
			events = append(events, `{"model":"gpt-test","choices":[{"index":0,"delta":{"role":"assistant","content":`+text+`}}]}`)
		}
	}
	usage := `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20}}`
	if responses {
		events = append(events, `{"type":"response.completed","response":{"object":"response","status":"completed","output":[],"usage":{"input_tokens":9,"output_tokens":2}}}`)
	} else if random.IntN(10) > 0 {
		events = append(events, `{"choices":[{"delta":{},"finish_reason":"`+pick([]string{"stop", "length", "content_filter"})+`"}]}`, usage, "[DONE]")
	}
	end := pick([]string{"\n", "\r\n", "\r"})
	out := pick([]string{"", "\xEF\xBB\xBF", end, ": OPENROUTER PROCESSING" + end + end})
	for _, e := range events {
		field := pick([]string{"data: ", "data:"})
		if random.IntN(6) == 0 && e[0] == '{' { // of several lines
			e = strings.Replace(e, ",", ","+end+field, 1)
		}
		out += pick([]string{"", "", "id: 7" + end, "event: x" + end, ": ping" + end + end}) + field + e + end + end
	}
	return out
}

// Where the network splits a stream changes nothing: 500 streams, each as a whole and byte by byte.
func TestSplitStreams(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	replied := 0
	for i := range 150 {
		config := testConfig()
		if config.Responses = i%2 == 1; config.Responses {
			config.Model = "gpt-5"
		}
		stream := randomStream(random, config.Responses)
		type outcome struct {
			reply protocol.Reply
			err   string
			shown string
		}
		var outcomes [2]outcome
		for j := range outcomes {
			o := &outcomes[j]
			e := New(config, Limits{Attempts: 1}, streamed{stream, j == 1}, nil)
			reply, err := e.Reply(t.Context(), testCall(), func(d protocol.Delta) {
				if o.shown += d.Text + "|" + d.Thought; d.Restart {
					o.shown = ""
				}
			})
			o.shown = strings.ReplaceAll(o.shown, "|", "")
			if reply.Took = 0; err != nil {
				o.err = err.Error()
			} else {
				replied++
			}
			o.reply = reply
		}
		if !reflect.DeepEqual(outcomes[0], outcomes[1]) {
			t.Fatalf("stream %d:\n%s\nas a whole: %+v\nbyte by byte: %+v", i, stream, outcomes[0], outcomes[1])
		}
	}
	if replied < 120 {
		t.Errorf("only %d of 300 calls brought a reply: the streams test little", replied)
	}
}
