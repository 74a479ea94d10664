package forge

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOpenSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	event := func(text string) string {
		name := filepath.Join(dir, fmt.Sprintf("%x.json", len(text)))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		name    string
		changes map[string]string
		number  int
		want    string
	}{
		{"no token", map[string]string{"GITHUB_TOKEN": ""}, 7, "permissions: pull-requests: write"},
		{"blank token", map[string]string{"GITHUB_TOKEN": " \n"}, 7, "GITHUB_TOKEN is not set"},
		{"token of two lines", map[string]string{"GITHUB_TOKEN": "ghs_one\nghs_two"}, 7, "GITHUB_TOKEN is not a token"},
		{"token of two words", map[string]string{"GITHUB_TOKEN": "ghs_one two"}, 7, "GITHUB_TOKEN is not a token"},
		{"no repository", map[string]string{"GITHUB_REPOSITORY": ""}, 7, "GITHUB_REPOSITORY is not set"},
		{"repository without owner", map[string]string{"GITHUB_REPOSITORY": "shop"}, 7, "not OWNER/NAME: shop"},
		{"repository that leaves its path", map[string]string{"GITHUB_REPOSITORY": "acme/.."}, 7, "not OWNER/NAME"},
		{"repository with a query", map[string]string{"GITHUB_REPOSITORY": "acme/shop?x"}, 7, "not OWNER/NAME"},
		{"negative number", nil, -1, "--pr N"},
		{"no event", nil, 0, "GITHUB_EVENT_PATH is not set"},
		{"no event file", map[string]string{"GITHUB_EVENT_PATH": filepath.Join(dir, "none")}, 0, "read GITHUB_EVENT_PATH"},
		{"event that is a folder", map[string]string{"GITHUB_EVENT_PATH": dir}, 0, "read GITHUB_EVENT_PATH"},
		{"event that is not JSON", map[string]string{"GITHUB_EVENT_PATH": event("{")}, 0, "not the JSON of an event"},
		{"push", map[string]string{"GITHUB_EVENT_PATH": event(`{"ref":"x"}`)}, 0, "names no pull request"},
		{"issue", map[string]string{"GITHUB_EVENT_PATH": event(`{"issue":{"number":7}}`)}, 0, "names no pull request"},
		{"number that is text", map[string]string{"GITHUB_EVENT_PATH": event(`{"pull_request":{"number":"7"}}`)}, 0, "JSON"},
		{"unencrypted", map[string]string{"GITHUB_API_URL": "http://git.example.com/api/v3"}, 7, "unencrypted"},
		{"unencrypted to an address", map[string]string{"GITHUB_API_URL": "http://192.0.2.7/api/v3"}, 7, "unencrypted"},
		{"a host that looks local", map[string]string{"GITHUB_API_URL": "http://127.0.0.1.example.com"}, 7, "unencrypted"},
		{"a host after a user", map[string]string{"GITHUB_API_URL": "http://127.0.0.1@example.com"}, 7, "user"},
		{"password", map[string]string{"GITHUB_API_URL": "https://me:secret@example.com"}, 7, "password"},
		{"query", map[string]string{"GITHUB_API_URL": "https://example.com/?a=b"}, 7, "query"},
		{"other scheme", map[string]string{"GITHUB_API_URL": "ftp://example.com"}, 7, "not an https:// URL"},
		{"no URL", map[string]string{"GITHUB_API_URL": "api.github.com"}, 7, "not a URL"},
		{"broken URL", map[string]string{"GITHUB_API_URL": "https://[::1"}, 7, "not a URL"},
	} {
		p, err := Open(environment(c.changes), c.number)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want an error with %q", c.name, p, err, c.want)
			continue
		}
		for _, secret := range []string{testToken, "ghs_", "secret"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the error has a secret: %v", c.name, err)
			}
		}
	}
}

func TestOpenFindsThePullRequest(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"action":"opened","pull_request":{"number":31}}`:     "pull request #31 of acme/shop",
		`{"action":"opened","pull_request":{"number":1}}`:      "pull request #1 of acme/shop",
		`{"issue":{"number":32,"pull_request":{"url":"x"}}}`:   "pull request #32 of acme/shop",
		`{"pull_request":{"number":33},"issue":{"number":34}}`: "pull request #33 of acme/shop",
	} {
		name := filepath.Join(t.TempDir(), "event.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := Open(environment(map[string]string{"GITHUB_EVENT_PATH": name}), 0)
		if err != nil || p.String() != want {
			t.Errorf("%s: %v, %v", text, p, err)
		}
		if p, err = Open(environment(map[string]string{"GITHUB_EVENT_PATH": name}), 5); err != nil || p.number != 5 {
			t.Errorf("%s: a given number does not come first: %v, %v", text, p, err)
		}
	}
	for address, want := range map[string]string{
		"":                               "https://api.github.com/",
		"https://git.example.com/api/v3": "https://git.example.com/api/v3/",
		"https://git.example.com/api//":  "https://git.example.com/api/",
		"http://localhost:80":            "http://localhost:80/",
		"http://127.3.2.1:80":            "http://127.3.2.1:80/",
		"http://[::1]:80":                "http://[::1]:80/",
	} {
		p, err := Open(environment(map[string]string{"GITHUB_API_URL": address}), 7)
		if err != nil || p.api.BaseURL() != want {
			t.Errorf("%q: %v, %v", address, p, err)
		}
	}
}

func TestCheckComparesTheHead(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.merge = newHash
	p := s.open(t, nil)
	for _, commit := range []string{"", headHash, strings.ToUpper(headHash)} {
		if err := p.Check(t.Context(), commit); err != nil {
			t.Errorf("%q: %v", commit, err)
		}
	}
	var stale *StaleError
	if err := p.Check(t.Context(), newHash); !errors.As(err, &stale) || !stale.Merge || stale.Head != headHash ||
		!strings.Contains(err.Error(), "ref: ${{ github.event.pull_request.head.sha }}") {
		t.Errorf("the merge of a pull request: %v", err)
	}
	other := strings.Repeat("0", 40)
	if err := p.Check(t.Context(), other); !errors.As(err, &stale) || stale.Merge || stale.Commit != other {
		t.Errorf("another commit: %v", err)
	}
	for _, commit := range []string{"HEAD", headHash[:12], headHash + "0"} {
		if err := p.Check(t.Context(), commit); err == nil || !strings.Contains(err.Error(), "not a full hash") {
			t.Errorf("%s: %v", commit, err)
		}
	}
}

func TestCheckExplainsFailures(t *testing.T) {
	t.Parallel()
	reset := fmt.Sprint(time.Now().Add(time.Hour).Unix())
	for _, c := range []struct {
		name   string
		want   string
		status int
		tries  int
		answer func(w http.ResponseWriter, r *http.Request)
	}{
		{"bad credentials", "401 (Bad credentials); the token is wrong", 401, 1, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 401, "Bad credentials", "")
		}},
		{"no permission", "may not read it: give the job permissions", 403, 1, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 403, "Resource not accessible by integration", "/pulls/pulls#get-a-pull-request")
		}},
		{"no such pull request", "check --pr and GITHUB_REPOSITORY (acme/shop)", 404, 1, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 404, "Not Found", "")
		}},
		{"rate limit", "is used up until", 403, 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", reset)
			refuse(w, 403, "API rate limit exceeded for installation.", "")
		}},
		{"a long secondary rate limit", "run the job again in 1h0m0s", 403, 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3600")
			refuse(w, 403, "You have exceeded a secondary rate limit.", "/overview#about-secondary-rate-limits")
		}},
		{"an absurd wait", "run the job again in", 403, 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "9223372036854775807")
			refuse(w, 403, "Slow down", "")
		}},
		{"a secondary rate limit without a time", "how fast the token", 429, 4, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 429, "You have exceeded a secondary rate limit.", "/overview#about-secondary-rate-limits")
		}},
		{"a broken gateway", "GitHub answers 502; run the job again later", 502, 5, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<html>Unicorn!</html>"))
		}},
		{"a broken server", "GitHub answers 500 (Server Error); run the job again later", 500, 5, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 500, "Server Error", "")
		}},
		{"a refusal with a wait", "GitHub answers 403 (Slow down)", 403, 6, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "1")
			refuse(w, 403, "Slow down", "")
		}},
		{"a page of a proxy", "not from GitHub's API; check GITHUB_API_URL", 0, 1, func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte("<html>Log in</html>"))
		}},
		{"another kind of JSON", "not from GitHub's API", 0, 1, func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(`[1,2]`))
		}},
		{"null", "no hash of a head", 0, 1, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("null")) }},
		{"a head that is no hash", "no hash of a head", 0, 1, func(w http.ResponseWriter, r *http.Request) {
			answer(w, 200, map[string]any{"head": map[string]any{"sha": "\x1b[31m"}})
		}},
		{"hostile text", "(\\x1b]0;title ", 422, 1, func(w http.ResponseWriter, r *http.Request) {
			refuse(w, 422, "\x1b]0;title "+strings.Repeat("x", 5000)+"\n::error::", "")
		}},
		{"a huge answer", "more than 48 MB", 0, 1, func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(`{"body":"`))
			block := []byte(strings.Repeat("x", 1<<20))
			for range 50 {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}},
		{"a huge answer that is compressed", "more than 48 MB", 0, 1, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte(`{"body":"`))
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = ' '
			}
			for range 50 {
				_, _ = z.Write(block)
			}
			_ = z.Close()
		}},
		{"an answer that breaks off", "unexpected EOF", 0, 5, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"head":`))
		}},
		{"a closed connection", "check the network", 0, 5, func(w http.ResponseWriter, r *http.Request) {
			panic(http.ErrAbortHandler)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Config.ErrorLog = nil
			s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool { c.answer(w, r); return true }
			var slept time.Duration
			err := s.open(t, &slept).Check(t.Context(), headHash)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 800 {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if !strings.Contains(err.Error(), "pull request #7 of acme/shop") || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("the error does not name the pull request, or has control characters: %q", err)
			}
			var failed *Error
			if !errors.As(err, &failed) || failed.Status != c.status {
				t.Errorf("status %d, want %d", failed.Status, c.status)
			}
			if n := s.count("GET"); n != c.tries || slept > maxWait {
				t.Errorf("%d requests, want %d; waited %v", n, c.tries, slept)
			}
		})
	}
}

func TestCheckTriesAgainAfterShortLimits(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.hook = func(w http.ResponseWriter, r *http.Request, n int) bool {
		switch n {
		case 1:
			w.Header().Set("Retry-After", "7")
			refuse(w, 403, "You have exceeded a secondary rate limit.", "/overview#about-secondary-rate-limits")
		case 2:
			w.Header().Set("Retry-After", "5")
			refuse(w, 503, "Service Unavailable", "")
		}
		return n < 3
	}
	var slept time.Duration
	if err := s.open(t, &slept).Check(t.Context(), headHash); err != nil || slept.Round(time.Second) != 12*time.Second {
		t.Errorf("%v after %v", err, slept)
	}
}

func TestSlowServerAndCancel(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	released := make(chan struct{})
	t.Cleanup(func() { close(released) })
	asked := make(chan struct{}, 100)
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		asked <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-released:
		}
		return true
	}
	p := s.open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if err := p.Check(ctx, headHash); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled during a request: %v", err)
	}

	base, err := addressOf(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if p.api, err = connect(base, testToken, 20*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if err := p.Check(t.Context(), headHash); err == nil || !strings.Contains(err.Error(), "does not answer in time; run") {
		t.Errorf("a server that is too slow: %v", err)
	}

	p = s.open(t, nil)
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Post(ctx, "text", headHash); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the time of the caller is over: %v", err)
	}

	s = newServer(t)
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		w.WriteHeader(http.StatusBadGateway)
		return true
	}
	p = s.open(t, nil)
	ctx, cancel = context.WithCancel(t.Context())
	p.sleep = func(ctx context.Context, d time.Duration) error {
		cancel()
		return sleep(ctx, time.Hour)
	}
	if err := p.Check(ctx, headHash); !errors.Is(err, context.Canceled) || s.count("GET") != 1 {
		t.Errorf("canceled while it waits: %v", err)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	var reached sync.Map
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Store(r.Header.Get("Authorization"), true)
		answer(w, 200, map[string]any{"head": map[string]any{"sha": headHash}})
	}))
	t.Cleanup(other.Close)
	s := newServer(t)
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Redirect(w, r, other.URL+"/"+testToken, http.StatusMovedPermanently)
		return true
	}
	err := s.open(t, nil).Check(t.Context(), headHash)
	if err == nil || !strings.Contains(err.Error(), "redirects to another server") || s.count("GET") != 1 {
		t.Errorf("to another server: %v", err)
	}
	reached.Range(func(token, _ any) bool { t.Errorf("the other server got %q", token); return true })

	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.URL.Path == "/moved" {
			answer(w, 200, map[string]any{"head": map[string]any{"sha": headHash}})
		} else {
			http.Redirect(w, r, "/moved", http.StatusMovedPermanently)
		}
		return true
	}
	if err := s.open(t, nil).Check(t.Context(), headHash); err != nil {
		t.Errorf("within the API: %v", err)
	}
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Redirect(w, r, "/again", http.StatusFound)
		return true
	}
	if err := s.open(t, nil).Check(t.Context(), headHash); err == nil || !strings.Contains(err.Error(), "circles") {
		t.Errorf("in circles: %v", err)
	}
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, "/moved", http.StatusFound)
		}
		return r.Method == http.MethodPost
	}
	if _, err := s.open(t, nil).Post(t.Context(), "x", headHash); err == nil || !strings.Contains(err.Error(), "redirects a write") {
		t.Errorf("a write that would become a read: %v", err)
	}
}
