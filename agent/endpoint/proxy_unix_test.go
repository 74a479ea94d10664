//go:build unix

package endpoint

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// askVariable makes the test program a session that asks the endpoint it names: the
// environment's proxies are read once in the life of a process.
const askVariable = "MOOT_ENDPOINT_ASK"

func askOnce(name string) int {
	config, err := Parse(name, os.Getenv)
	if err != nil {
		_, _ = fmt.Println(err)
		return 1
	}
	reply, err := New(config, Limits{Attempts: 1}).Reply(context.Background(), testCall(), nil)
	_, _ = fmt.Printf("reply %q, error %v\n", reply.Text, err)
	return 0
}

// TestMain asks an endpoint instead of running the tests if askVariable is set.
func TestMain(m *testing.M) {
	if name := os.Getenv(askVariable); name != "" {
		os.Exit(askOnce(name))
	}
	os.Exit(m.Run())
}

// through asks in a process of its own that has those variables.
func through(t *testing.T, name string, variables ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	clean := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		return strings.HasSuffix(name, "_PROXY")
	})
	command.Env = append(clean, append(variables, askVariable+"="+name, "MOOT_API_KEY="+testKey)...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestTheProxyOfTheEnvironmentIsAsked(t *testing.T) {
	// The hosts that the proxy was asked for.
	hosts := make(chan string, 10)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts <- r.Host
		switch {
		case r.Method == http.MethodConnect:
			w.WriteHeader(http.StatusBadGateway)
		case strings.HasPrefix(r.Host, "closed"):
			w.WriteHeader(http.StatusProxyAuthRequired)
		case strings.HasPrefix(r.Host, "page"):
			refuse(w, 502, "<html><title>Proxy error</title></html>")
		default:
			good(w, "fine")
		}
	}))
	defer proxy.Close()
	for name, c := range map[string]struct {
		endpoint, variable, host string
		words                    []string
	}{
		"HTTP_PROXY":             {"http://models.example/v1#m", "HTTP_PROXY=", "models.example", []string{`reply "fine", error <nil>`}},
		"its address in small":   {"http://models.example/v1#m", "http_proxy=", "models.example", []string{`reply "fine"`}},
		"HTTPS_PROXY":            {"https://models.example/v1#m", "HTTPS_PROXY=", "models.example:443", []string{"https://models.example/v1#m gives no answer", "Bad Gateway"}},
		"one that wants a name":  {"http://closed.example/v1#m", "HTTP_PROXY=", "closed.example", []string{"the proxy requires a user and a password (407)", "set them in HTTP_PROXY"}},
		"one that writes a page": {"http://page.example/v1#m", "HTTP_PROXY=", "page.example", []string{"answered 502", "retry later"}},
	} {
		out := through(t, c.endpoint, c.variable+proxy.URL)
		for _, word := range c.words {
			if !strings.Contains(out, word) {
				t.Errorf("%s: %q does not say %q", name, out, word)
			}
		}
		asked := ""
		select {
		case asked = <-hosts:
		default:
		}
		if asked != c.host || strings.Contains(out, testKey) {
			t.Errorf("%s: the proxy was asked for %q: %s", name, asked, out)
		}
	}
	if out := through(t, "http://127.0.0.1:1/v1#m", "HTTP_PROXY="+proxy.URL); len(hosts) > 0 || !strings.Contains(out, "refused the connection") {
		t.Errorf("a server on this machine was asked for through the proxy: %s", out)
	}
	if out := through(t, "http://models.example/v1#m", "HTTP_PROXY=http://127.0.0.1:1"); !strings.Contains(out, "refused the connection") {
		t.Errorf("a proxy that is not there: %s", out)
	}
}
