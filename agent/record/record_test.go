package record

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/state"
)

const (
	testKey  = "sk-proj-VeryS3cret+Key/0123456789abcdef"
	otherKey = "gsk_0therSecret0fAn0ther"
	envKey   = "hunter2-of-the-environment"
)

// tape is a recorder on a file of the test.
type tape struct {
	*Recorder
	t    *testing.T
	path string
}

func record(t *testing.T) *tape {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wire.jsonl")
	r, err := Create(path, Head{Moot: "v1", Session: "s1", At: time.Unix(1, 0)}, []string{
		"DB_PASSWORD=" + envKey, "PATH=/bin", "KEYBOARD=us", "DATABASE=postgres://me:" + "p4ssw0rd-of-db" + "@host/db", "MOOT_TOKEN=",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	r.Hidden().Hide(otherKey)
	return &tape{r, t, path}
}

func (r *tape) text() string {
	r.t.Helper()
	data, err := os.ReadFile(r.path)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

// holdsNoKey fails the test where the file shows a key or a piece of one.
func (r *tape) holdsNoKey() {
	r.t.Helper()
	text := r.text()
	for _, piece := range []string{"S3cret", "0therSecret", "hunter2", "p4ssw0rd", "cdef", "0123456789"} {
		if strings.Contains(text, piece) {
			r.t.Errorf("the recording shows %q:\n%s", piece, text)
		}
		encoded := base64.StdEncoding.EncodeToString([]byte(piece + "\x00\x00"))
		if len(piece) > 5 && strings.Contains(text, encoded[:7]) {
			r.t.Errorf("the recording shows %q in base64:\n%s", piece, text)
		}
	}
}

func ask(seat state.Seat, stage state.Stage) protocol.Call {
	return protocol.Call{Ask: protocol.Ask{Seat: seat, Stage: stage}, State: &state.State{Round: 2}}
}

// call makes one call that sends one request and reads the answer.
func (r *tape) call(server *httptest.Server, size int) {
	r.t.Helper()
	ctx, call := r.Begin(r.t.Context(), ask(state.Consultee, state.StagePropose), "openai:gpt")
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		strings.Replace(server.URL, "http://", "http://me:"+url.QueryEscape(testKey)+"@", 1)+"/v1/chat?api-version=3&key="+url.QueryEscape(testKey),
		strings.NewReader(`{"model":"gpt","note":"`+otherKey+`"}`))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+testKey)
	request.Header.Set("Api-Key", testKey)
	request.Header.Set("X-Team", "the-red-team-0123456789")
	request.Header.Set("Cookie", "id="+testKey)
	response, err := r.Transport(http.DefaultTransport).RoundTrip(request)
	if err != nil {
		r.t.Fatal(err)
	}
	reader := bufio.NewReaderSize(response.Body, max(size, 16))
	buffer := make([]byte, size)
	for err == nil {
		_, err = reader.Read(buffer)
	}
	if !errors.Is(err, io.EOF) {
		r.t.Fatal(err)
	}
	_ = response.Body.Close()
	call.Tell(protocol.Delta{Note: "429 for " + testKey + ", again in 1 s", Wait: time.Second})
	call.Tell(protocol.Delta{Text: "not recorded"})
	if said := call.End(protocol.Reply{Text: "it is " + otherKey, Model: "gpt", PromptTokens: 3}, nil); said != "" {
		r.t.Error(said)
	}
}

// No key reaches the file, in whatever way the server sends it back.
func TestNoKeyIsRecorded(t *testing.T) {
	t.Parallel()
	quoted, _ := json.Marshal(testKey)
	pair := base64.StdEncoding.EncodeToString([]byte("anna:" + testKey))
	for name, body := range map[string]string{
		"as it is":       "key " + testKey + " and " + otherKey + " and " + envKey + " and p4ssw0rd-of-db",
		"in JSON":        `{"error":` + string(quoted) + `}`,
		"in escapes":     `{"error":"sk-proj-Very\u00533cret+Key\/0123456789abcdef"}`,
		"encoded":        pair + " " + url.QueryEscape(testKey) + " " + url.PathEscape(testKey),
		"starred out":    "sk-proj-*****cdef",
		"in tokens":      "data: {\"content\":\"sk-proj-VeryS3\"}\n\ndata: {\"content\":\"cret+Key/0123456789ab\"}\n\ndata: {\"content\":\"cdef\"}\n\n",
		"between bytes":  "\xff\xfe" + testKey + "\xff",
		"in the headers": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Set-Cookie", "id="+testKey)
				w.Header().Set("X-Echo", "you sent "+testKey)
				w.Header().Set("Openai-Organization", "the person")
				w.Header().Set("X-Ratelimit-Remaining-Tokens", "77")
				_, _ = io.WriteString(w, body)
			}))
			defer server.Close()
			for _, size := range []int{1, 16, 70} {
				r := record(t)
				r.call(server, size)
				r.holdsNoKey()
				text := r.text()
				for _, must := range []string{
					`{"recording":3,"moot":"v1","session":"s1"`, `"kind":"call","call":1`, `"seat":"consultee"`, `"round":2`, `"method":"POST"`,
					`api-version=3`, `"Authorization":["[REDACTED]"]`, `"X-Team":["[REDACTED]"]`, `"Set-Cookie":["[REDACTED]"]`,
					`"Openai-Organization":["[REDACTED]"]`, `"X-Ratelimit-Remaining-Tokens":["77"]`, `"kind":"note"`, `"kind":"end"`,
				} {
					if !strings.Contains(text, must) {
						t.Fatalf("the recording does not have %s:\n%s", must, text)
					}
				}
			}
		})
	}
}

// What programs are given and say is cleaned in the same way.
func TestNoKeyOfAProgramIsRecorded(t *testing.T) {
	t.Parallel()
	r := record(t)
	ctx, call := r.Begin(t.Context(), ask(state.Consultee, state.StageAnswer), "codex")
	p := From(ctx).Program([]string{"codex", "exec", "--key=" + otherKey})
	p.Stdin([]byte("the question and " + envKey))
	for _, b := range []byte("{\"text\":\"gsk_0ther\"}\n{\"text\":\"Secret0fAn0ther\"}\nlast " + otherKey) {
		p.Stdout([]byte{b})
		p.Stderr([]byte{b})
	}
	exit := 3
	p.End(&exit, "ended with "+otherKey)
	call.End(protocol.Reply{}, &protocol.Broken{Code: "broken", What: "cut", Partial: "half " + otherKey})
	r.holdsNoKey()
	for _, must := range []string{`"argv":["codex","exec","--key=[REDACTED]"]`, `"exit":3`, `"code":"broken"`} {
		if text := r.text(); !strings.Contains(text, must) {
			t.Errorf("the recording does not have %s:\n%s", must, text)
		}
	}
}

// Without a recorder everything goes as it does with one.
func TestNothingIsRecordedWithoutARecorder(t *testing.T) {
	t.Parallel()
	var r *Recorder
	ctx, call := r.Begin(t.Context(), ask(state.Consultee, state.StagePropose), "x")
	call.Tell(protocol.Delta{Note: "x"})
	p := From(ctx).Program([]string{"x"})
	p.Stdin(nil)
	p.Stdout(nil)
	p.Stderr(nil)
	p.End(nil, "")
	r.Hidden().Hide("secret")
	r.Discard()
	if said := call.End(protocol.Reply{}, nil); said != "" || r.Summary() != "" || r.Close() != nil || r.Transport(http.DefaultTransport) != http.DefaultTransport {
		t.Error("something is recorded")
	}
}

// A file that is there is left as it is; one that is made is its owner's alone.
func TestCreate(t *testing.T) {
	t.Parallel()
	r := record(t)
	before := r.text()
	if _, err := Create(r.path, Head{}, nil); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), r.path) || r.text() != before {
		t.Errorf("over a file: %v", err)
	}
	if info, err := os.Stat(r.path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := Create(filepath.Join(t.TempDir(), "none", "wire.jsonl"), Head{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in no folder: %v", err)
	}
	r.Discard()
	if _, err := os.Stat(r.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("discarded: %v", err)
	}
}

// A recording that is full or cannot be written stops, says so once, and the
// session continues.
func TestRecordingStops(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*Recorder){
		"64 MiB":              func(r *Recorder) { r.size = MaxFile },
		"file already closed": func(r *Recorder) { _ = r.file.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := record(t)
			stop(r.Recorder)
			ctx, call := r.Begin(t.Context(), ask(state.Consultee, state.StagePropose), "p")
			From(ctx).Program([]string{"p"})
			if said := call.End(protocol.Reply{}, nil); !strings.Contains(said, name) || !strings.Contains(said, "the session continues") {
				t.Errorf("it says %q", said)
			}
			_, call = r.Begin(t.Context(), ask(state.Consultee, state.StageAnswer), "p")
			if said := call.End(protocol.Reply{}, nil); said != "" {
				t.Errorf("it says again %q", said)
			}
			if said := r.Summary(); !strings.Contains(said, "incomplete") {
				t.Error(said)
			}
		})
	}
}
