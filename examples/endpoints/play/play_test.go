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

// A prompt that no reply was written for is refused, and so is what a server
// without models cannot do: nothing is made up.
func TestRefusals(t *testing.T) {
	endpoints, err := readEndpoints()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		endpoint int
		request  string
		status   int
		says     string
	}{
		{0, `{"model":"written-proposer","stream":true,"messages":[{"role":"user","content":"Hello"}]}`, 400, "no model is at work"},
		{0, `{"model":"gpt","stream":true,"messages":[]}`, 404, `only \"written-proposer\"`},
		{0, `{"model":"written-proposer","messages":[]}`, 400, "only streams"},
		{1, `{"model":"written-pressure-tester","stream":true,"response_format":{"type":"json_object"}}`, 400, "response_format is not supported"},
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
	served, err := start(ctx, []string{freeAddress, freeAddress})
	if err != nil {
		t.Fatal(err)
	}
	defer served.stop()
	said := &bytes.Buffer{}
	cancel()
	if code := wait(ctx, console(said), ask(served.names)); code != cli.ExitConcluded {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	for _, name := range served.names {
		if !strings.Contains(said.String(), ` "`+name+`" `) {
			t.Errorf("does not name %s:\n%s", name, said)
		}
	}
}

// Arguments that it does not know start nothing.
func TestUsage(t *testing.T) {
	said := &bytes.Buffer{}
	if code := Run(t.Context(), console(said), []string{"-server"}); code != cli.ExitUsage || !strings.Contains(said.String(), "usage: endpoints [-serve]") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// A port that is taken is told with what to do about it.
func TestPortTaken(t *testing.T) {
	first, err := start(t.Context(), []string{freeAddress, freeAddress})
	if err != nil {
		t.Fatal(err)
	}
	defer first.stop()
	taken := strings.TrimPrefix(strings.SplitN(first.names[0], "/v1", 2)[0], "http://")
	if _, err := start(t.Context(), []string{freeAddress, taken}); err == nil || !strings.Contains(err.Error(), "leave -serve out") {
		t.Errorf("error %v", err)
	}
}
