package endpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"moot/protocol"
)

// TestReplies runs testdata/replies.txt: what a server does on each request, and the result
// of the call. The lines of a case are
//
//	status CODE BODY    a whole answer; "header NAME: VALUE" before it sets a header
//	data TEXT           a server-sent event; token TEXT, finish WORD, counted and done are common ones
//	raw TEXT            bytes as they are, quoted as in Go
//	sleep DURATION, hang, break
//	next                the answers to the next request; after the last the server replies "fine"
//
// "N× LINE" repeats a line. Any line may hold (N×TEXT).
func TestReplies(t *testing.T) {
	waits := regexp.MustCompile(`(retrying in|continue after) [\d.:]+(?: m?s)?`)
	many := regexp.MustCompile(`x{40,}`)
	datadriven.RunTest(t, "testdata/replies.txt", func(t *testing.T, d *datadriven.TestData) string {
		s := setup{limits: Limits{Attempts: 5}}
		for _, argument := range d.CmdArgs {
			number := 0
			if len(argument.Vals) > 0 {
				number, _ = strconv.Atoi(argument.Vals[0])
			}
			switch argument.Key {
			case "attempts":
				s.limits.Attempts = number
			case "max":
				s.limits.MaxReplyBytes = number
			case "total":
				s.limits.Total = time.Duration(number) * time.Second
			case "tokens":
				s.config = testConfig()
				s.config.MaxTokens = number
			default:
				d.Fatalf(t, "unknown argument %s", argument.Key)
			}
		}
		var handlers []http.HandlerFunc
		for part := range strings.SplitSeq(d.Input, "\nnext\n") {
			handlers = append(handlers, serve(strings.Split(part, "\n")))
		}
		var out strings.Builder
		inBubble(t, s, firstly(handlers...), func(b *bench) {
			began := time.Now()
			reply, err := b.ask(b.Context())
			took := time.Since(began)
			switch err := err.(type) { //nolint:errorlint // the type is the outcome
			case nil:
				fmt.Fprintf(&out, "reply %q", reply.Text)
			case *protocol.Broken:
				fmt.Fprintf(&out, "broken %s, partial %q", err.Code, err.Partial)
			case *protocol.Unreachable:
				out.WriteString("unreachable")
			case *protocol.TooLong:
				fmt.Fprintf(&out, "too long, limit %d", err.Limit)
			default:
				t.Errorf("an error of type %T", err)
			}
			fmt.Fprintf(&out, ", %d attempts, %d+%d tokens", reply.Attempts, reply.PromptTokens, reply.CompletionTokens)
			if len(b.thoughts) > 0 || b.restarts > 0 {
				fmt.Fprintf(&out, "\nthought %q, %d restarts", strings.Join(b.thoughts, ""), b.restarts)
			}
			if err == nil && b.scrubber.Clean(strings.Join(b.texts, "")) != reply.Text {
				t.Errorf("shown %q as %q", reply.Text, b.texts)
			}
			for _, note := range b.notes {
				fmt.Fprintf(&out, "\n- %s", note)
			}
			if err != nil {
				fmt.Fprintf(&out, "\n%v", err)
			}
			if reply.Waited > took || took > cmp.Or(s.limits.Total, 15*time.Minute) {
				t.Errorf("took %s, waited %s", took, reply.Waited)
			}
		})
		if strings.ContainsAny(out.String(), "\x1b\x07\u202e\u009b") || strings.Contains(out.String(), "S3cret") {
			t.Errorf("an escape or the key is shown: %q", out.String())
		}
		shown := many.ReplaceAllStringFunc(out.String(), func(x string) string { return fmt.Sprintf("(%d×x)", len(x)) })
		return waits.ReplaceAllString(shown, "$1 …") + "\n"
	})
}

var (
	repeated = regexp.MustCompile(`^(\d+)× `)
	filled   = regexp.MustCompile(`\((\d+)×([^)]+)\)`)
)

// serve answers one request as the lines say.
func serve(lines []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, line := range lines {
			times := 1
			if found := repeated.FindStringSubmatch(line); found != nil {
				times, _ = strconv.Atoi(found[1])
				line = strings.TrimPrefix(line, found[0])
			}
			line = filled.ReplaceAllStringFunc(line, func(part string) string {
				found := filled.FindStringSubmatch(part)
				n, _ := strconv.Atoi(found[1])
				return strings.Repeat(found[2], n)
			})
			verb, text, _ := strings.Cut(line, " ")
			for range times {
				if r.Context().Err() == nil {
					step(w, r, verb, text)
				}
			}
		}
	}
}

func step(w http.ResponseWriter, r *http.Request, verb, text string) {
	switch verb {
	case "header":
		name, value, _ := strings.Cut(text, ": ")
		w.Header().Set(name, value)
	case "status":
		code, body, _ := strings.Cut(text, " ")
		status, _ := strconv.Atoi(code)
		refuse(w, status, body)
	case "data":
		stream(w, text)
	case "token":
		text, _ := strconv.Unquote(`"` + text + `"`)
		stream(w, token(text))
	case "reasoning", "reasoning_content", "thinking":
		stream(w, fmt.Sprintf(`{"choices":[{"index":0,"delta":{%q:%q}}]}`, verb, text))
	case "finish":
		stream(w, finish(text))
	case "counted":
		stream(w, counted)
	case "done":
		stream(w, "[DONE]")
	case "raw":
		text, _ := strconv.Unquote(`"` + text + `"`)
		_, _ = io.WriteString(w, text)
		w.(http.Flusher).Flush()
	case "sleep":
		wait, _ := time.ParseDuration(text)
		sleep(r, wait)
	case "hang":
		untilGone(r)
	case "break":
		panic(http.ErrAbortHandler)
	case "":
	default:
		panic(errors.New("unknown step " + verb))
	}
}
