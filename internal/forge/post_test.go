package forge

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPostCreatesOneCommentAndEditsIt(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	p := s.open(t, nil)
	got, err := p.Post(t.Context(), "first", headHash)
	want := Result{URL: "https://github.com/acme/shop/pull/7#issuecomment-101", Created: true, Head: headHash}
	if err != nil || got != want {
		t.Fatalf("%+v, %v", got, err)
	}
	s.head = newHash
	got, err = p.Post(t.Context(), Marker+"\r\nsecond", newHash)
	want = Result{URL: want.URL, Edited: true, Head: newHash}
	if err != nil || got != want {
		t.Fatalf("%+v, %v", got, err)
	}
	if !slices.Equal(s.comments, []posted{{101, bot, Marker + "\r\nsecond"}}) {
		t.Errorf("%+v", s.comments)
	}
}

func TestStaleJobWritesNothing(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	p := s.open(t, nil)
	for _, before := range [][]posted{nil, {{50, bot, Marker + "\nof the newer push"}}} {
		s.comments = slices.Clone(before)
		got, err := p.Post(t.Context(), "text", newHash)
		if err != nil || !got.Stale || got.Created || got.Edited || got.Head != headHash {
			t.Errorf("%+v, %v", got, err)
		}
		if !slices.Equal(s.comments, before) {
			t.Errorf("%+v", s.comments)
		}
	}
	if n := s.count("POST") + s.count("PATCH") + s.count("DELETE"); n > 0 {
		t.Errorf("%d writes", n)
	}
}

func TestOnlyOwnFirstLinesAreMarkers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		login string
		there []posted
		want  int64
	}{
		"somebody else":          {"", []posted{{1, "mallory", Marker + "\nx"}}, 0},
		"a login that is like":   {"", []posted{{1, "github-actions", Marker}, {2, "xgithub-actions[bot]", Marker}}, 0},
		"in the middle":          {"", []posted{{1, bot, "text\n" + Marker + "\nx"}}, 0},
		"after a word":           {"", []posted{{1, bot, "x " + Marker}}, 0},
		"before a word":          {"", []posted{{1, bot, Marker + " x"}}, 0},
		"quoted":                 {"", []posted{{1, bot, "> " + Marker + "\n> x"}}, 0},
		"another marker":         {"", []posted{{1, bot, "<!-- moot review 2 -->\nx"}}, 0},
		"with the user's token":  {"Ann", []posted{{1, bot, Marker}, {2, "ann", Marker + "\nx"}}, 2},
		"the oldest of its own":  {"", []posted{{1, "mallory", Marker}, {3, bot, Marker + "\r\nx"}, {2, bot, Marker + "\nx"}}, 2},
		"one without a new line": {"", []posted{{4, bot, Marker}}, 4},
	} {
		s := newServer(t)
		s.login, s.comments = c.login, slices.Clone(c.there)
		got, err := s.open(t, nil).Post(t.Context(), "new text", headHash)
		if err != nil || got.Edited != (c.want != 0) || got.Created != (c.want == 0) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, after := range s.comments {
			isOld := slices.Contains(c.there, after)
			if isTarget := after.id == c.want || c.want == 0 && after.id > 100; isTarget == isOld {
				t.Errorf("%s: %+v", name, s.comments)
			}
		}
	}
}

func TestPostFindsItsCommentAmongHundreds(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for i := range 250 {
		s.comments = append(s.comments, posted{int64(i + 1), "ann", fmt.Sprint("comment ", i)})
	}
	s.comments[240] = posted{241, bot, Marker + "\nold"}
	s.lastID = 250
	got, err := s.open(t, nil).Post(t.Context(), "new", headHash)
	if err != nil || !got.Edited || s.comments[240].text != Marker+"\nnew" || len(s.comments) != 250 {
		t.Errorf("%+v, %v, %+v", got, err, s.comments[240])
	}
	lists := 0
	for _, r := range s.requests {
		if strings.HasSuffix(r, "/issues/7/comments") {
			lists++
		}
	}
	if lists != 3 {
		t.Errorf("%d pages were asked for, want 3", lists)
	}
}

func TestEndlessListEnds(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if !strings.HasSuffix(r.URL.Path, "/comments") {
			return false
		}
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?page=1>; rel="next"`, s.URL, r.URL.Path))
		answer(w, 200, []any{nil, map[string]any{"id": 1}})
		return true
	}
	if _, err := s.open(t, nil).Post(t.Context(), "x", headHash); err == nil || !strings.Contains(err.Error(), "does not end") {
		t.Error(err)
	}
}

// TestJobsAtOnceLeaveOneComment holds each creation until all jobs want to create.
func TestJobsAtOnceLeaveOneComment(t *testing.T) {
	t.Parallel()
	for jobs := 2; jobs <= 4; jobs++ {
		s := newServer(t)
		var all sync.WaitGroup
		all.Add(jobs)
		s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if r.Method == http.MethodPost {
				all.Done()
				all.Wait()
			}
			return false
		}
		results, failures := make([]Result, jobs), make([]error, jobs)
		var posts sync.WaitGroup
		for i := range jobs {
			p := s.open(t, nil)
			posts.Go(func() { results[i], failures[i] = p.Post(t.Context(), fmt.Sprint("job ", i), headHash) })
		}
		posts.Wait()
		created := 0
		for i, r := range results {
			if failures[i] != nil || r.Created == r.Edited || r.Stale || r.URL != results[0].URL {
				t.Errorf("%d jobs: %+v, %v", jobs, r, failures[i])
			}
			if r.Created {
				created++
			}
		}
		if s.count("POST") != jobs || created != 1 || len(s.comments) != 1 || s.comments[0].id != 101 {
			t.Errorf("%d jobs: %d requests to create, %d results, comments %+v", jobs, s.count("POST"), created, s.comments)
		}
	}
}

// after runs what happens on GitHub once, right before it answers the n-th request with a method.
func after(method string, n int, happens func()) func(http.ResponseWriter, *http.Request, int) bool {
	return func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.Method == method {
			if n--; n == 0 {
				happens()
			}
		}
		return false
	}
}

func TestPushBetweenCreatingAndListing(t *testing.T) {
	t.Parallel()
	// The other job's comment is older, and the head is newer: only the second comment goes away.
	s := newServer(t)
	s.hook = after(http.MethodPost, 1, func() {
		s.comments = append(s.comments, posted{90, bot, Marker + "\nof the newer push"})
		s.head = newHash
	})
	got, err := s.open(t, nil).Post(t.Context(), "text", headHash)
	if err != nil || !got.Stale || got.Created || got.Edited {
		t.Errorf("%+v, %v", got, err)
	}
	if !slices.Equal(s.comments, []posted{{90, bot, Marker + "\nof the newer push"}}) {
		t.Errorf("%+v", s.comments)
	}
	// Somebody deleted it in the meantime, too.
	s = newServer(t)
	s.hook = func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		if strings.HasSuffix(r.URL.Path, "/comments") && r.Method == http.MethodGet && len(s.comments) > 0 {
			s.comments, s.head = nil, newHash
		}
		return false
	}
	if got, err = s.open(t, nil).Post(t.Context(), "text", headHash); err != nil || !got.Created || got.Head != newHash || len(s.comments) > 0 {
		t.Errorf("%+v, %v, %+v", got, err, s.comments)
	}
	// No other comment: what was written while it was the head stays, for the next job to edit.
	s = newServer(t)
	s.hook = after(http.MethodPost, 1, func() { s.head = newHash })
	got, err = s.open(t, nil).Post(t.Context(), "text", headHash)
	if err != nil || !got.Created || got.Stale || got.Head != newHash || len(s.comments) != 1 {
		t.Errorf("%+v, %v, %+v", got, err, s.comments)
	}
}

func TestCommentDeletedBeforeTheEdit(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.comments = []posted{{50, bot, Marker + "\nold"}}
	s.hook = after(http.MethodPatch, 1, func() { s.comments = nil })
	got, err := s.open(t, nil).Post(t.Context(), "new", headHash)
	if err != nil || !got.Created || got.Edited || len(s.comments) != 1 || s.comments[0].text != Marker+"\nnew" {
		t.Errorf("%+v, %v, %+v", got, err, s.comments)
	}
	// One that is listed and cannot be edited is an error, not a circle.
	s = newServer(t)
	s.comments = []posted{{50, bot, Marker + "\nold"}}
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.Method == http.MethodPatch {
			refuse(w, 404, "Not Found", "")
		}
		return r.Method == http.MethodPatch
	}
	if _, err = s.open(t, nil).Post(t.Context(), "new", headHash); err == nil || s.count("PATCH") != 2 {
		t.Errorf("%v after %d edits", err, s.count("PATCH"))
	}
}

// TestFailedCreationIsNotRepeatedBlindly has GitHub answer 502 although it created the comment.
func TestFailedCreationIsNotRepeatedBlindly(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.Method != http.MethodPost {
			return false
		}
		s.comments = append(s.comments, posted{60, bot, Marker + "\ntext"})
		w.WriteHeader(http.StatusBadGateway)
		return true
	}
	got, err := s.open(t, nil).Post(t.Context(), "text", headHash)
	if err != nil || !got.Edited || s.count("POST") != 1 || len(s.comments) != 1 {
		t.Errorf("%+v, %v, %+v", got, err, s.comments)
	}
	// A push while the failed write waits: the second try does not write.
	s = newServer(t)
	s.comments = []posted{{50, bot, Marker + "\nof the newer push"}}
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.Method == http.MethodPatch {
			s.head = newHash
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return r.Method == http.MethodPatch
	}
	got, err = s.open(t, nil).Post(t.Context(), "old", headHash)
	if err != nil || !got.Stale || s.count("PATCH") != 1 {
		t.Errorf("%+v, %v after %d edits", got, err, s.count("PATCH"))
	}
}

func TestSecondCommentsAreRemoved(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	mine := posted{50, bot, Marker + "\nold"}
	s.comments = []posted{mine, {51, "ann", Marker}, {52, bot, Marker + "\nof a job that died"}, {53, bot, "other"}}
	got, err := s.open(t, nil).Post(t.Context(), "new", headHash)
	if err != nil || !got.Edited || len(s.comments) != 3 || s.comments[0].text != Marker+"\nnew" || s.comments[1].id != 51 ||
		s.comments[2].id != 53 {
		t.Errorf("%+v, %v, %+v", got, err, s.comments)
	}
}

// TestTokenOfAnApp may not ask who it is, and writes under a name of its own.
func TestTokenOfAnApp(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.author = "house-reviews[bot]"
	s.comments = []posted{{50, bot, Marker + "\nof another workflow"}, {51, s.author, Marker + "\nold"}}
	s.comments = s.comments[1:]
	got, err := s.open(t, nil).Post(t.Context(), "new", headHash)
	if err != nil || !got.Edited || !slices.Equal(s.comments, []posted{{51, s.author, Marker + "\nnew"}}) {
		t.Errorf("%+v, %v, %+v", got, err, s.comments)
	}
}

// The list may not show a new comment yet, although it shows one of another job.
func TestCommentThatTheListDoesNotShowYet(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	other := posted{90, bot, Marker + "\nof another job"}
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		isLate := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/comments") && len(s.comments) > 0
		if isLate {
			if len(s.comments) == 1 {
				s.comments = append([]posted{other}, s.comments...)
			}
			answer(w, 200, []any{s.json(other)})
		}
		return isLate
	}
	got, err := s.open(t, nil).Post(t.Context(), "text", headHash)
	if want := []posted{{90, bot, Marker + "\ntext"}}; err != nil || !got.Edited || got.Created || !slices.Equal(s.comments, want) {
		t.Errorf("%+v, %v, %+v", got, err, s.comments)
	}
}

// Only a token that may not ask who it is belongs to a workflow.
func TestPostAsksWhoseTokenItIs(t *testing.T) {
	t.Parallel()
	for want, respond := range map[string]func(http.ResponseWriter){
		"the answer has no login": func(w http.ResponseWriter) { answer(w, 200, map[string]any{}) },
		"401 (Bad credentials)":   func(w http.ResponseWriter) { refuse(w, 401, "Bad credentials", "") },
		"422 (Validation Failed)": func(w http.ResponseWriter) { refuse(w, 422, "Validation Failed", "") },
		"is used up until": func(w http.ResponseWriter) {
			w.Header().Set("X-Ratelimit-Remaining", "0")
			w.Header().Set("X-Ratelimit-Reset", "99999999999")
			refuse(w, 403, "API rate limit exceeded for installation ID 1.", "")
		},
	} {
		s := newServer(t)
		s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if r.URL.Path != "/user" {
				return false
			}
			respond(w)
			return true
		}
		if _, err := s.open(t, nil).Post(t.Context(), "x", headHash); err == nil || !strings.Contains(err.Error(), want) || len(s.comments) > 0 {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// An address that is no web page is not shown, and the first comment of a server is one like any other.
func TestAddressOfTheComment(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://github.com/acme/shop/pull/7#issuecomment-1": "https://github.com/acme/shop/pull/7#issuecomment-1",
		"javascript:alert(1)":                                "",
		"https://github.com/\x1b[31m":                        "",
	} {
		s := newServer(t)
		s.lastID = 0
		s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if r.Method != http.MethodPost {
				return false
			}
			s.comments = []posted{{1, bot, Marker + "\nx"}}
			answer(w, 201, map[string]any{"id": 1, "html_url": address, "user": map[string]any{"login": bot}})
			return true
		}
		if got, err := s.open(t, nil).Post(t.Context(), "x", headHash); err != nil || !got.Created || got.URL != want {
			t.Errorf("%q: %+v, %v", address, got, err)
		}
	}
}

func TestPostExplainsRefusedWrites(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"Resource not accessible by integration":                "pull-requests: write; a pull_request event from a fork",
		"Unable to create comment because issue is locked.":     "issue is locked",
		"the token is Bearer " + testToken + " and nobody else": "Bearer (the token) and",
	} {
		s := newServer(t)
		s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if r.Method == http.MethodPost {
				refuse(w, 403, message, "")
			}
			return r.Method == http.MethodPost
		}
		got, err := s.open(t, nil).Post(t.Context(), "x", headHash)
		if err == nil || !strings.Contains(err.Error(), want) || got.Created || s.count("POST") != 1 {
			t.Errorf("%+v, %v, want %q", got, err, want)
		}
	}
}

func TestPostTellsWhatItWroteBeforeAFailure(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		isBroken := r.Method == http.MethodGet && len(s.comments) > 0
		if isBroken {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return isBroken
	}
	got, err := s.open(t, nil).Post(t.Context(), "x", headHash)
	if err == nil || !got.Created || got.URL == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPostRefusesWhatGitHubWould(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	p := s.open(t, nil)
	if _, err := p.Post(t.Context(), strings.Repeat("😀", MaxComment/2), headHash); err == nil || !strings.Contains(err.Error(), "60021 characters") {
		t.Error(err)
	}
	if got, err := newServer(t).open(t, nil).Post(t.Context(), Marker+"\n"+strings.Repeat("x", MaxComment-len(Marker)-1), headHash); err != nil || !got.Created {
		t.Errorf("the longest comment: %+v, %v", got, err)
	}
	if _, err := p.Post(t.Context(), "x", "HEAD"); err == nil || !strings.Contains(err.Error(), "not a full hash") {
		t.Error(err)
	}
	if len(s.requests) > 0 {
		t.Errorf("it asked before it looked: %q", s.requests)
	}
}

// TestTokenIsNeverPrinted lets the server repeat the token wherever it can.
func TestTokenIsNeverPrinted(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for name, hook := range map[string]func(w http.ResponseWriter, r *http.Request){
		"message": func(w http.ResponseWriter, r *http.Request) { refuse(w, 422, strings.Repeat("x", 280)+testToken, "") },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://"+strings.Repeat("x", 90)+testToken+".example/")
			w.WriteHeader(http.StatusMovedPermanently)
		},
		"location": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://\x7f"+testToken)
			w.WriteHeader(http.StatusMovedPermanently)
		},
		"status": func(w http.ResponseWriter, r *http.Request) { refuse(w, 401, "no: "+r.Header.Get("Authorization"), "") },
		"limit": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			refuse(w, 403, testToken, "")
		},
		"page": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, testToken) },
		"head": func(w http.ResponseWriter, r *http.Request) {
			answer(w, 200, map[string]any{"login": testToken, "head": map[string]any{"sha": testToken}})
		},
	} {
		s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool { hook(w, r); return true }
		p := s.open(t, nil)
		got, err := p.Post(t.Context(), "x", headHash)
		checked := p.Check(t.Context(), headHash)
		if err == nil || checked == nil {
			t.Errorf("%s: no error", name)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q"} {
			text := fmt.Sprintf(verb+verb+verb+verb+verb, p, *p, got, err, checked)
			for _, form := range []string{testToken, testToken[:12], fmt.Sprintf("%x", testToken)} {
				if strings.Contains(text, form) {
					t.Errorf("%s: %s prints the token: %s", name, verb, text)
				}
			}
		}
	}
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.Method == http.MethodPost {
			answer(w, 201, map[string]any{"id": 5, "html_url": "https://github.com/" + testToken, "user": map[string]any{"login": bot}})
		}
		return r.Method == http.MethodPost
	}
	if got, err := s.open(t, nil).Post(t.Context(), "x", headHash); err != nil || strings.Contains(got.URL, testToken) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSleepEndsWithTheContext(t *testing.T) {
	t.Parallel()
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
}
