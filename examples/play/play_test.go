package play

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"moot/cli"
)

// written are two endpoints, of which the second takes no response_format.
const written = `
[[endpoint]]
name = "first"
model = "written-first"
schema = true

[[endpoint.reply]]
words = ["round 1", "propose"]
text = "1. It is so"

[[endpoint]]
name = "second"
model = "written-second"
schema = false
`

// show is an example of nothing.
func show() Show {
	return Show{
		Name: "shown", Replies: []byte(written), Addresses: []string{freeAddress, freeAddress},
		Ask: func(names []string) []string { return append([]string{"ask"}, names...) },
	}
}

func read(t *testing.T) []endpoint {
	t.Helper()
	endpoints, err := readEndpoints([]byte(written))
	if err != nil {
		t.Fatal(err)
	}
	return endpoints
}

// A prompt gets the reply whose words it holds. One that no reply was written for
// is refused, and so is what a server without models cannot do: nothing is made up.
func TestRequests(t *testing.T) {
	endpoints := read(t)
	for _, c := range []struct {
		endpoint int
		request  string
		status   int
		says     string
	}{
		{0, `{"model":"written-first","stream":true,"messages":[{"role":"system","content":"propose"},{"role":"user","content":"round 1"}]}`, 200, `"content":"1. It is so"`},
		{0, `{"model":"written-first","stream":true,"messages":[{"role":"user","content":"propose"}]}`, 400, "no model is at work"},
		{0, `{"model":"gpt","stream":true,"messages":[]}`, 404, `only \"written-first\"`},
		{0, `{"model":"written-first","messages":[]}`, 400, "only streams"},
		{1, `{"model":"written-second","stream":true,"response_format":{"type":"json_object"}}`, 400, "response_format is not supported"},
		{0, `{"model":`, 400, "this is no request"},
	} {
		answer := httptest.NewRecorder()
		asked := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(c.request))
		endpoints[c.endpoint].handler().ServeHTTP(answer, asked)
		if answer.Code != c.status || !strings.Contains(answer.Body.String(), c.says) {
			t.Errorf("%s\nis answered with %d %s", c.request, answer.Code, answer.Body)
		}
	}
}

func console(said io.Writer) *cli.Console {
	return &cli.Console{In: strings.NewReader(""), Out: said, Err: said, Dir: ".", Now: time.Now, Signals: make(chan os.Signal)}
}

// With -serve it says what to type for the addresses that it serves, and ends with
// its context.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	served, err := start(ctx, read(t), []string{freeAddress, freeAddress}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer served.stop()
	said := &bytes.Buffer{}
	cancel()
	if code := wait(ctx, console(said), append(show().Ask(served.names), "")); code != cli.ExitConcluded {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	for _, name := range served.names {
		if !strings.Contains(said.String(), ` "`+name+`"`) {
			t.Errorf("does not name %s:\n%s", name, said)
		}
	}
}

// Arguments that it does not know start nothing.
func TestUsage(t *testing.T) {
	for _, arguments := range [][]string{{"-server"}, {"-without", "third"}, {"--strategy", "vote"}, {"more"}} {
		said := &bytes.Buffer{}
		if code := show().Run(t.Context(), console(said), arguments); code != cli.ExitUsage || !strings.Contains(said.String(), "usage: shown [-serve]") {
			t.Errorf("%q: exit code %d: %s", arguments, code, said)
		}
	}
}

// Replies that cannot be read start nothing, and are told.
func TestDamagedReplies(t *testing.T) {
	said := &bytes.Buffer{}
	damaged := show()
	damaged.Replies = []byte("[[endpoint]]\nwhat = 1\n")
	if code := damaged.Run(t.Context(), console(said), nil); code != cli.ExitError || !strings.Contains(said.String(), "read the written replies") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// The endpoint that is to be without has an address at which nobody answers.
func TestWithout(t *testing.T) {
	served, err := start(t.Context(), read(t), []string{freeAddress, freeAddress}, "first")
	if err != nil {
		t.Fatal(err)
	}
	defer served.stop()
	for i, name := range served.names {
		address, _, _ := strings.Cut(name, "#")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/models", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if answer != nil {
			answer.Body.Close()
		}
		if answers := err == nil; answers != (i == 1) {
			t.Errorf("%s answers: %v", name, answers)
		}
	}
}

// A port that is taken is told with what to do about it.
func TestPortTaken(t *testing.T) {
	first, err := start(t.Context(), read(t), []string{freeAddress, freeAddress}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer first.stop()
	taken := strings.TrimPrefix(strings.SplitN(first.names[0], "/v1", 2)[0], "http://")
	if _, err := start(t.Context(), read(t), []string{freeAddress, taken}, ""); err == nil || !strings.Contains(err.Error(), "leave -serve out") {
		t.Errorf("error %v", err)
	}
}
