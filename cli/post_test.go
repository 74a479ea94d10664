package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moot/internal/forge"
	"moot/protocol"
)

const (
	postToken = "ghs_PostTokenOfTheTests0123456789"
	actions   = "github-actions[bot]"
)

// github plays the part of GitHub's API that a comment needs, for pull request 7 of acme/shop.
type github struct {
	*httptest.Server
	mutex    sync.Mutex
	head     string
	comments []githubComment
	last     int64
	// writes counts the requests that change something.
	writes int
	// hook may answer a request instead, or change what is there.
	hook func(w http.ResponseWriter, r *http.Request) (isAnswered bool)
}

type githubComment struct {
	ID   int64             `json:"id"`
	Body string            `json:"body"`
	User map[string]string `json:"user"`
	URL  string            `json:"html_url"`
}

func (g *github) add(author, text string) githubComment {
	g.last++
	c := githubComment{g.last, text, map[string]string{"login": author}, fmt.Sprintf("https://github.com/acme/shop/pull/7#issuecomment-%d", g.last)}
	g.comments = append(g.comments, c)
	return c
}

func githubAnswer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// refusal is an answer of GitHub's with an error, in its words.
func refusal(w http.ResponseWriter, status int, message string) {
	githubAnswer(w, status, map[string]string{
		"message": message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status),
	})
}

func (g *github) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if r.Header.Get("Authorization") != "Bearer "+postToken {
		refusal(w, http.StatusUnauthorized, "Bad credentials")
		return
	}
	if r.Method != http.MethodGet {
		g.writes++
	}
	if g.hook != nil && g.hook(w, r) {
		return
	}
	const repository = "/api/v3/repos/acme/shop"
	var sent struct{ Body string }
	if data, err := io.ReadAll(r.Body); err != nil || len(data) > 0 && json.Unmarshal(data, &sent) != nil {
		refusal(w, http.StatusBadRequest, "Problems parsing JSON")
		return
	}
	id, _ := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, repository+"/issues/comments/"), 10, 64)
	at := slices.IndexFunc(g.comments, func(c githubComment) bool { return c.ID == id })
	switch request := r.Method + " " + r.URL.Path; {
	case request == "GET /api/v3/user":
		refusal(w, http.StatusForbidden, "Resource not accessible by integration")
	case request == "GET "+repository+"/pulls/7":
		githubAnswer(w, http.StatusOK, map[string]any{"number": 7, "head": map[string]string{"sha": g.head}})
	case request == "GET "+repository+"/issues/7/comments":
		githubAnswer(w, http.StatusOK, g.comments)
	case request == "POST "+repository+"/issues/7/comments":
		githubAnswer(w, http.StatusCreated, g.add(actions, sent.Body))
	case at >= 0 && r.Method == http.MethodPatch:
		g.comments[at].Body = sent.Body
		githubAnswer(w, http.StatusOK, g.comments[at])
	case at >= 0 && r.Method == http.MethodDelete:
		g.comments = slices.Delete(g.comments, at, at+1)
		w.WriteHeader(http.StatusNoContent)
	default:
		refusal(w, http.StatusNotFound, "Not Found")
	}
}

// own are the comments that the token wrote.
func (g *github) own() []githubComment {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	var own []githubComment
	for _, c := range g.comments {
		if c.User["login"] == actions {
			own = append(own, c)
		}
	}
	return own
}

// posting is a desk in a repository with a change, and with the environment of a job.
type posting struct {
	*desk
	github *github
}

func newPosting(t *testing.T) *posting {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	p := &posting{newDesk(t), &github{last: 100}}
	p.github.Server = httptest.NewServer(p.github)
	t.Cleanup(p.github.Close)
	p.Environ = append(os.Environ(), "GITHUB_TOKEN="+postToken, "GITHUB_REPOSITORY=acme/shop", "GITHUB_API_URL="+p.github.URL+"/api/v3")
	p.git(t, "init", "-q", "-b", "main")
	p.commit(t, "package queue\n\nconst maxRetries = 5\n")
	p.github.head = p.commit(t, "package queue\n\nconst maxRetries = 6\n")
	return p
}

func (p *posting) git(t *testing.T, args ...string) string {
	t.Helper()
	args = append([]string{"-C", p.Dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)
	out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit changes queue.go, and returns the hash of the commit.
func (p *posting) commit(t *testing.T, text string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.Dir, "queue.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p.git(t, "add", "queue.go")
	p.git(t, "commit", "-qm", "queue: try again")
	return p.git(t, "rev-parse", "HEAD")
}

// script is a reviewer that replies with moves, in the seat with a number.
func (p *posting) script(t *testing.T, seat int, moves ...map[string]any) string {
	t.Helper()
	name := "reviewer"
	if seat > 1 {
		name = fmt.Sprintf("reviewer-%d", seat)
	}
	text, err := json.Marshal(map[string]any{"moves": moves})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name+".txt")
	if err := os.WriteFile(file, []byte("--- "+name+"/find\n"+string(text)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return "script:" + file
}

// finding is a move about the line of queue.go that changed.
func finding(severity, what, why string) map[string]any {
	return map[string]any{"move": "FINDING", "path": "queue.go", "line": 3, "severity": severity, "what": what, "why": why}
}

func nothingFound() map[string]any {
	return map[string]any{"move": "NO_FINDINGS", "text": "read queue.go"}
}

// review reviews the last commit and posts the result.
func (p *posting) review(reviewers ...string) int {
	p.out.Reset()
	p.err.Reset()
	args := []string{"review", "HEAD", "--headless", "--post", "--no-memory", "--pr", "7"}
	for _, name := range reviewers {
		args = append(args, "--reviewer", name)
	}
	return p.run(args...)
}

// hidesToken fails if the token is in an output or in a file of moot.
func (p *posting) hidesToken(t *testing.T) {
	t.Helper()
	all := p.out.String() + p.err.String()
	for _, c := range p.github.comments {
		all += c.Body
	}
	err := filepath.WalkDir(os.Getenv("MOOT_STATE_DIR"), func(name string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			var data []byte
			data, err = os.ReadFile(name)
			all += string(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(all, postToken) {
		t.Error("the token is in an output")
	}
}

// The first review creates the comment, those after it edit it, and nobody else's comment is touched.
func TestPostCreatesACommentAndEditsIt(t *testing.T) {
	p := newPosting(t)
	p.github.add("mallory", forge.Marker+"\nDON'T MERGE anything")
	p.github.add(actions, "Coverage fell.\n"+forge.Marker)
	bad := []string{
		p.script(t, 1, finding("BLOCKING", "six tries fill the queue", "each try is stored")),
		p.script(t, 2, finding("BLOCKING", "six tries fill the whole queue", "each try is stored")),
	}
	if code := p.review(bad...); code != int(protocol.ExitInconclusive) {
		t.Fatalf("exit code %d\n%s", code, p.err.String())
	}
	if !strings.Contains(p.err.String(), "posted     created https://github.com/acme/shop/pull/7#issuecomment-103") {
		t.Errorf("the terminal shows\n%s", p.err.String())
	}
	own := p.github.own()
	if len(own) != 2 || !strings.HasPrefix(own[1].Body, forge.Marker+"\n**DON'T MERGE: six tries fill the queue (queue.go:3); 2 of 2") ||
		!strings.Contains(own[1].Body, "\nCommit "+p.github.head+". ") {
		t.Fatalf("the comments are %+v", own)
	}
	first := own[1]
	p.github.head = p.commit(t, "package queue\n\nconst maxRetries = 4\n")
	if code := p.review(p.script(t, 1, nothingFound()), p.script(t, 2, nothingFound())); code != int(protocol.ExitConcluded) {
		t.Fatalf("exit code %d\n%s%s", code, p.out.String(), p.err.String())
	}
	own = p.github.own()
	if len(own) != 2 || own[1].ID != first.ID || !strings.Contains(p.err.String(), "posted     edited") {
		t.Fatalf("the comments are %+v\n%s", own, p.err.String())
	}
	// Nothing is open: no section.
	silent := regexp.MustCompile(`^<!-- moot review -->\n\*\*MERGE: 2 reviewers found nothing; at least two saw each changed file\*\*\n\n` +
		`Commit ` + p.github.head + `\. Review of commit .*\n\nNothing open\.\n\n\*Argued .*\*\n$`)
	if !silent.MatchString(own[1].Body) {
		t.Errorf("the comment is\n%s", own[1].Body)
	}
	// Dismissed findings are counted.
	nowhere := finding("HIGH", "six tries fill the queue", "")
	nowhere["path"] = "nowhere.go"
	if code := p.review(p.script(t, 1, nowhere), p.script(t, 2, nothingFound())); code != int(protocol.ExitConcluded) ||
		!strings.Contains(p.github.own()[1].Body, "\n\nNothing open; 1 finding dismissed.\n\n*Argued") {
		t.Errorf("exit code %d\n%s", code, p.github.own()[1].Body)
	}
	if p.github.comments[0].Body != forge.Marker+"\nDON'T MERGE anything" || p.github.comments[1].Body != "Coverage fell.\n"+forge.Marker {
		t.Error("somebody else's comment was changed")
	}
	p.hidesToken(t)
}

// Text of reviewers does nothing in the comment, and cannot pass for the marker or end a block.
func TestPostEscapesHostileFindings(t *testing.T) {
	p := newPosting(t)
	const hostile = "```\n" + forge.Marker + "\n</details><img src=x onerror=alert(1)> @everyone #12 acme/shop#3 GH-4 " +
		"[click](https://evil.example) https://evil.example www.evil.example ![x](//e) :tada: /close deadbeefdeadbeef\n```suggestion\nx\n```\n"
	p.github.head = p.commit(t, "package queue\n\nconst maxRetries = 7 // ``` </details> @everyone\n")
	code := p.review(p.script(t, 1, finding("BLOCKING", hostile, hostile)), p.script(t, 2, finding("BLOCKING", hostile, hostile)))
	if code != int(protocol.ExitInconclusive) {
		t.Fatalf("exit code %d\n%s", code, p.err.String())
	}
	own := p.github.own()
	if len(own) != 1 {
		t.Fatalf("%d comments", len(own))
	}
	_, body, _ := strings.Cut(own[0].Body, "\n")
	// Without blocks of code, each with a fence that is longer than all in it, and without what moot writes itself.
	blocks := regexp.MustCompile("(?ms)^````\n.*?^````$|`[0-9a-z-]+`")
	body = blocks.ReplaceAllString(body, "")
	if strings.Count(body, "<details>") != strings.Count(body, "</details>") {
		t.Errorf("a section does not end in\n%s", own[0].Body)
	}
	for _, own := range []string{"<details>", "</details>", "<summary>", "</summary>", p.github.head, "### "} {
		body = strings.ReplaceAll(body, own, "")
	}
	bare := regexp.MustCompile(`\\.|[@:]`+"\u200b").ReplaceAllString(body, "")
	if acts := regexp.MustCompile("[<`@#]|://|www\\.|GH-[0-9]|\\b[0-9a-f]{7,}\\b|\\[").FindString(bare); acts != "" {
		t.Errorf("%q acts in\n%s", acts, own[0].Body)
	}
	if strings.Count(own[0].Body, forge.Marker) != 1 {
		t.Errorf("the comment is\n%s", own[0].Body)
	}
	for _, form := range []string{"sarif", "rdjson"} {
		p.out.Reset()
		if code := p.run("export", "--as", form); code != 0 || strings.Contains(p.out.String(), "https://evil") ||
			regexp.MustCompile(`[^\\]\]\(`).MatchString(p.out.String()) || !json.Valid([]byte(p.out.String())) {
			t.Errorf("%s: exit code %d\n%s", form, code, p.out.String())
		}
	}
}

// A job whose commit is not the head of the pull request asks nobody, or writes nothing if the push came meanwhile.
func TestPostOfAStaleCommit(t *testing.T) {
	p := newPosting(t)
	reviewers := []string{p.script(t, 1, nothingFound()), p.script(t, 2, nothingFound())}
	reviewed, pushed := p.github.head, strings.Repeat("a", 40)
	p.github.head = pushed
	if code := p.review(reviewers...); code != int(protocol.ExitError) || !strings.Contains(p.err.String(), "is not the head of the pull request, which is aaaaaaaaaaaa") ||
		strings.Contains(p.err.String(), "\nask ") || p.github.writes > 0 {
		t.Errorf("exit code %d, %d writes\n%s", code, p.github.writes, p.err.String())
	}
	p.github.head = reviewed
	heads := 0
	p.github.hook = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/pulls/7") {
			if heads++; heads > 1 {
				p.github.head = pushed
			}
		}
		return false
	}
	if code := p.review(reviewers...); code != int(protocol.ExitConcluded) ||
		!strings.Contains(p.err.String(), "not posted the head of pull request #7 of acme/shop is aaaaaaaaaaaa now") || p.github.writes > 0 {
		t.Errorf("exit code %d, %d writes\n%s", code, p.github.writes, p.err.String())
	}
}

// If the comment cannot be written, the review is kept, and the error says why and how to get the comment.
func TestPostThatGitHubRefuses(t *testing.T) {
	long := func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3600") }
	for _, c := range []struct {
		status        int
		message, want string
		header        func(http.ResponseWriter)
	}{
		{401, "Bad credentials", "401 (Bad credentials); the token is wrong", nil},
		{403, "Resource not accessible by integration", "give the job permissions: pull-requests: write", nil},
		{404, "Not Found", "check --pr and GITHUB_REPOSITORY (acme/shop)", nil},
		{422, "Validation Failed", "422 (Validation Failed)", nil},
		{429, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.", "run the job again in 1h0m0s", long},
		{500, "Server Error " + postToken, "run the job again", long},
	} {
		t.Run(strconv.Itoa(c.status), func(t *testing.T) {
			p := newPosting(t)
			p.github.hook = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPost {
					return false
				}
				if c.header != nil {
					c.header(w)
				}
				refusal(w, c.status, c.message)
				return true
			}
			code := p.review(p.script(t, 1, nothingFound()), p.script(t, 2, nothingFound()))
			id := strings.TrimSuffix(filepath.Base(sessionFile(t)), ".jsonl")
			for _, want := range []string{c.want, "the review is kept", "moot export " + id + " --as pr"} {
				if !strings.Contains(p.err.String(), want) {
					t.Errorf("there is no %q in\n%s", want, p.err.String())
				}
			}
			if code != int(protocol.ExitError) || !strings.HasPrefix(p.out.String(), "MERGE: ") {
				t.Errorf("exit code %d, result\n%s", code, p.out.String())
			}
			if code := p.run("verify"); code != 0 {
				t.Errorf("verify: exit code %d", code)
			}
			p.hidesToken(t)
		})
	}
}

// GitHub refuses the token before anybody is asked.
func TestPostChecksTheTokenFirst(t *testing.T) {
	p := newPosting(t)
	p.Environ = append(slices.DeleteFunc(p.Environ, func(v string) bool { return strings.HasPrefix(v, "GITHUB_TOKEN=") }), "GITHUB_TOKEN=ghs_another")
	code := p.review(p.script(t, 1, nothingFound()), p.script(t, 2, nothingFound()))
	if code != int(protocol.ExitError) || !strings.Contains(p.err.String(), "401 (Bad credentials)") ||
		!strings.Contains(p.err.String(), "nobody was asked") || strings.Contains(p.err.String(), "\nask ") {
		t.Errorf("exit code %d\n%s", code, p.err.String())
	}
}

// A review without a decision says so in its comment, and why.
func TestPostWithoutADecision(t *testing.T) {
	p := newPosting(t)
	code := p.review(p.script(t, 1, finding("HIGH", "six tries fill the queue", "")), "rules")
	own := p.github.own()
	if code != int(protocol.ExitError) || len(own) != 1 ||
		!strings.HasPrefix(own[0].Body, forge.Marker+"\n**NO DECISION: ended early: only the reviewer answered, and a decision needs two reviewers**") ||
		!strings.Contains(own[0].Body, "six tries fill the queue") || strings.Contains(own[0].Body, "Nothing open") {
		t.Errorf("exit code %d, %+v\n%s", code, own, p.err.String())
	}
	p.out.Reset()
	if code := p.run("export", "--as", "sarif"); code != 0 || !strings.Contains(p.out.String(), `"executionSuccessful": false`) {
		t.Errorf("exit code %d\n%s", code, p.out.String())
	}
}

// An interrupted review writes nothing: the job of the newer push does.
func TestPostOfAnInterruptedReview(t *testing.T) {
	p := newPosting(t)
	asked, hold := make(chan struct{}, 8), make(chan struct{})
	stuck := endpoint(t, func(map[string]any) string {
		asked <- struct{}{}
		<-hold
		return ""
	})
	t.Cleanup(func() { close(hold) })
	code := make(chan int)
	go func() { code <- p.review(p.script(t, 1, nothingFound()), stuck) }()
	<-asked
	p.signals <- syscall.SIGTERM
	if got := <-code; got != int(protocol.ExitTerminated) || p.github.writes > 0 || !strings.Contains(p.err.String(), "not posted the review was interrupted") {
		t.Errorf("exit code %d, %d writes\n%s", got, p.github.writes, p.err.String())
	}
}

// Two jobs at once leave one comment.
func TestTwoJobsPostOneComment(t *testing.T) {
	p := newPosting(t)
	reviewers := []string{p.script(t, 1, nothingFound()), p.script(t, 2, nothingFound())}
	other := &posting{newDesk(t), p.github}
	other.Dir, other.Environ, other.Random = p.Dir, p.Environ, strings.NewReader(strings.Repeat("another job", 1000))
	// Both list the comments before one of them writes.
	var listed sync.WaitGroup
	listed.Add(2)
	lists := 0
	p.github.hook = func(_ http.ResponseWriter, r *http.Request) bool {
		if lists < 2 && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/comments") {
			lists++
			listed.Done()
		}
		if r.Method == http.MethodPost {
			p.github.mutex.Unlock()
			listed.Wait()
			p.github.mutex.Lock()
		}
		return false
	}
	codes := make(chan int, 2)
	for _, job := range []*posting{p, other} {
		go func() { codes <- job.review(reviewers...) }()
	}
	for range 2 {
		if code := <-codes; code != 0 {
			t.Errorf("exit code %d\n%s\n%s", code, p.err.String(), other.err.String())
		}
	}
	if own := p.github.own(); len(own) != 1 || p.github.last != 102 {
		t.Errorf("%d comments of %d created", len(own), p.github.last-100)
	}
}

// A comment that would be too long leaves out whole findings from the end, and counts them.
func TestPostOfManyFindings(t *testing.T) {
	p := newPosting(t)
	var lines strings.Builder
	for i := range 60 {
		fmt.Fprintf(&lines, "var name%d = %d\n", i, i)
	}
	p.github.head = p.commit(t, "package queue\n"+lines.String())
	var moves [2][]map[string]any
	for i := range 60 {
		f := finding("HIGH", fmt.Sprintf("name%d is wrong & %s", i, strings.Repeat(fmt.Sprintf("word%d ", i), 100)), strings.Repeat("& < ", 200))
		f["line"] = 2 + i
		moves[i%2] = append(moves[i%2], f)
	}
	if code := p.review(p.script(t, 1, moves[0]...), p.script(t, 2, moves[1]...)); code != int(protocol.ExitPerson) {
		t.Fatalf("exit code %d\n%s", code, p.err.String())
	}
	own := p.github.own()
	if len(own) != 1 {
		t.Fatalf("%d comments", len(own))
	}
	body := own[0].Body
	shown := len(regexp.MustCompile(`(?m)^\*\*P[0-9]+.*\*\* \\\[High`).FindAllString(body, -1))
	left := regexp.MustCompile(`Left out from the end, because the comment would be too long: (\d+) findings`).FindStringSubmatch(body)
	if len(body) < forge.MaxComment/2 || len([]rune(body)) > forge.MaxComment || left == nil || left[1] != strconv.Itoa(60-shown) || shown < 6 {
		t.Errorf("%d characters, %d findings, left out %v\n%s", len(body), shown, left, body[len(body)-500:])
	}
	if strings.Count(body, "<details>") != strings.Count(body, "</details>") {
		t.Error("a section does not end")
	}
	// The line for the memory file is folded in for what needs the reader.
	if n := strings.Count(body, "The line for the memory file on the base branch"); n != 5 || !strings.Contains(body, `"tag":"USER"`) {
		t.Errorf("%d lines for the memory file", n)
	}
}

// Only reviews have findings for other programs.
func TestFindingsAreOfReviewsAlone(t *testing.T) {
	d := newDesk(t)
	d.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	if code := d.run("ask", "--headless", "--no-workspace", "--orchestrator", "rules", "--consultee", "rules", "Is it safe?"); code == int(protocol.ExitUsage) {
		t.Fatal(d.err.String())
	}
	for _, form := range []string{"sarif", "rdjson"} {
		d.err.Reset()
		if code := d.run("export", "--as", form); code != int(protocol.ExitUsage) || !strings.Contains(d.err.String(), "is no review") {
			t.Errorf("%s: exit code %d\n%s", form, code, d.err.String())
		}
	}
}
