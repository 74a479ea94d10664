package forge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	testToken = "ghs_Q7vTokenOfTheTests0123456789abcdef"
	headHash  = "1f0c5a7e9b3d2c4e6a8f0b1d3c5e7a9b2d4f6a8c"
	newHash   = "9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d"
	bot       = "github-actions[bot]"
)

// posted is a comment of the server.
type posted struct {
	id           int64
	author, text string
}

// server plays the part of GitHub's API that a comment needs, for one pull request.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	head     string
	merge    string
	login    string // "" for a token that may not ask
	author   string // who writes with the token
	comments []posted
	lastID   int64
	// requests are those that were answered, such as "POST /repos/acme/shop/issues/7/comments".
	requests []string
	// hook may answer a request instead, or change what is there. It is called without the lock.
	hook func(w http.ResponseWriter, r *http.Request, n int) (isAnswered bool)
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{head: headHash, author: bot, lastID: 100}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func refuse(w http.ResponseWriter, status int, message, page string) {
	answer(w, status, map[string]string{
		"message": message, "documentation_url": "https://docs.github.com/rest" + page, "status": strconv.Itoa(status),
	})
}

func (s *server) json(c posted) map[string]any {
	return map[string]any{
		"id": c.id, "body": c.text, "user": map[string]any{"login": c.author},
		"html_url": fmt.Sprintf("https://github.com/acme/shop/pull/7#issuecomment-%d", c.id),
	}
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	n, hook := len(s.requests), s.hook
	s.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer "+testToken {
		refuse(w, http.StatusUnauthorized, "Bad credentials", "")
		return
	}
	if hook != nil && hook(w, r, n) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const repository = "/repos/acme/shop"
	var sent struct{ Body string }
	if data, _ := io.ReadAll(r.Body); len(data) > 0 && json.Unmarshal(data, &sent) != nil {
		refuse(w, http.StatusBadRequest, "Problems parsing JSON", "")
		return
	}
	number, _ := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, repository+"/issues/comments/"), 10, 64)
	at := slices.IndexFunc(s.comments, func(c posted) bool { return c.id == number })
	switch r.Method + " " + r.URL.Path {
	case "GET /user":
		if s.login == "" {
			refuse(w, http.StatusForbidden, "Resource not accessible by integration", "/users/users")
			return
		}
		answer(w, http.StatusOK, map[string]any{"login": s.login})
	case "GET " + repository + "/pulls/7":
		answer(w, http.StatusOK, map[string]any{
			"number": 7, "head": map[string]any{"sha": s.head}, "merge_commit_sha": s.merge,
		})
	case "GET " + repository + "/issues/7/comments":
		s.list(w, r)
	case "POST " + repository + "/issues/7/comments":
		s.lastID++
		c := posted{s.lastID, s.author, sent.Body}
		s.comments = append(s.comments, c)
		answer(w, http.StatusCreated, s.json(c))
	default:
		switch {
		case at < 0:
			refuse(w, http.StatusNotFound, "Not Found", "")
		case r.Method == http.MethodPatch:
			s.comments[at].text = sent.Body
			answer(w, http.StatusOK, s.json(s.comments[at]))
		case r.Method == http.MethodDelete:
			s.comments = slices.Delete(s.comments, at, at+1)
			w.WriteHeader(http.StatusNoContent)
		}
	}
}

// list answers with a page of comments, and with links to the others as GitHub does.
func (s *server) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	size, _ := strconv.Atoi(cmp.Or(query.Get("per_page"), "30"))
	size = min(size, 100)
	page, _ := strconv.Atoi(cmp.Or(query.Get("page"), "1"))
	last := (len(s.comments) + size - 1) / size
	link := func(page int, rel string) string {
		return fmt.Sprintf(`<%s%s?per_page=%d&page=%d>; rel="%s"`, s.URL, r.URL.Path, size, page, rel)
	}
	if page < last {
		w.Header().Set("Link", link(page+1, "next")+", "+link(last, "last"))
	}
	all := []map[string]any{}
	for _, c := range s.comments[min((page-1)*size, len(s.comments)):min(page*size, len(s.comments))] {
		all = append(all, s.json(c))
	}
	answer(w, http.StatusOK, all)
}

// count returns how many requests had a method.
func (s *server) count(method string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if strings.HasPrefix(r, method+" ") {
			n++
		}
	}
	return n
}

// open returns the pull request of the server. It does not wait, and adds what it would have waited to slept.
func (s *server) open(t *testing.T, slept *time.Duration) *PullRequest {
	t.Helper()
	p, err := Open(environment(map[string]string{"GITHUB_API_URL": s.URL}), 7)
	if err != nil {
		t.Fatal(err)
	}
	p.sleep = func(ctx context.Context, d time.Duration) error {
		if slept != nil {
			*slept += d
		}
		return ctx.Err()
	}
	return p
}

// environment returns the environment of a job, with changes.
func environment(changes map[string]string) func(string) string {
	return func(name string) string {
		if value, ok := changes[name]; ok {
			return value
		}
		return map[string]string{"GITHUB_TOKEN": testToken, "GITHUB_REPOSITORY": "acme/shop"}[name]
	}
}
