// Package forge writes the one comment of moot review in a pull request, through GitHub's REST API, and makes foreign
// text harmless in such comments. Of the comments that are there it reads who wrote them and whether their first line
// is Marker, nothing else. The token is sent to the host of the API alone and reaches no error. Start at Open and Post;
// Escape, CodeBlock and Fit in markdown.go help to build the text.
package forge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v89/github"

	"moot/internal/plain"
	"moot/internal/regular"
)

// Marker is the first line of the comment, by which the next job finds it. GitHub does not show it.
const Marker = "<!-- moot review -->"

// MaxComment is the maximum length of a comment in characters, as Fit counts them. GitHub takes 65,536.
const MaxComment = 60_000

const (
	// actionsLogin writes the comments of workflows. Their token may not ask who it is.
	actionsLogin = "github-actions[bot]"
	// maxEvent is the maximum size of the event file. GitHub's events have at most 25 MB.
	maxEvent = 32 << 20
	// maxPages is the maximum number of pages of 100 comments. GitHub allows 2,500 comments.
	maxPages = 100
	// totalTime is how long a Check or a Post may take, with all of its waiting.
	totalTime = 2 * time.Minute
)

var (
	repositoryName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$`)
	fullHash       = regexp.MustCompile(`^[0-9a-fA-F]{40}([0-9a-fA-F]{24})?$`)
)

// PullRequest is a pull request in which a token may comment.
type PullRequest struct {
	owner, name string
	number      int
	api         *github.Client
	// hide takes the token out of a text.
	hide func(string) string
	// sleep waits, or ends early with the error of the context.
	sleep func(context.Context, time.Duration) error
}

// String implements fmt.Stringer.
func (p *PullRequest) String() string {
	return fmt.Sprintf("pull request #%d of %s/%s", p.number, p.owner, p.name)
}

// GoString implements fmt.GoStringer.
func (p *PullRequest) GoString() string { return p.String() }

// Result says what Post did.
type Result struct {
	// URL leads to the comment. It is empty if the pull request has none.
	URL             string
	Created, Edited bool
	// Stale says that Head is not the reviewed commit anymore, so nothing was written.
	Stale bool
	Head  string
}

// StaleError reports that a commit is not the head of the pull request.
type StaleError struct {
	Commit, Head string
	// Merge says that the commit is the merge that GitHub makes of the head and the base.
	Merge bool
}

// Error implements error.
func (e *StaleError) Error() string {
	if e.Merge {
		return fmt.Sprintf("the reviewed commit %.12s is the test merge of the pull request, not its head %.12s: set ref: "+
			"${{ github.event.pull_request.head.sha }} at actions/checkout", e.Commit, e.Head)
	}
	return fmt.Sprintf("the reviewed commit %.12s is not the head of the pull request, which is %.12s: review the head, "+
		"or leave it to the job of the newer push", e.Commit, e.Head)
}

// Number returns the number of the pull request for which a workflow runs, or 0.
func Number(getenv func(string) string) int {
	number, err := numberOf(getenv("GITHUB_EVENT_PATH"))
	if err != nil {
		return 0
	}
	return number
}

// Open finds the pull request and the token in the environment that GitHub gives to workflows. A number of 0 is
// replaced by the one in the event file. Open does not use the network.
func Open(getenv func(string) string, number int) (*PullRequest, error) {
	token := strings.TrimSpace(getenv("GITHUB_TOKEN"))
	switch {
	case token == "":
		return nil, errors.New("GITHUB_TOKEN is not set: in a workflow, set it to ${{ github.token }} under env, and give " +
			"the job permissions: pull-requests: write; elsewhere, set it to a token that may write pull requests")
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("GITHUB_TOKEN is not a token: it has spaces or characters that are not ASCII; set it again")
	}
	repository := strings.TrimSpace(getenv("GITHUB_REPOSITORY"))
	owner, name, _ := strings.Cut(repository, "/")
	switch {
	case repository == "":
		return nil, errors.New("GITHUB_REPOSITORY is not set: set it to OWNER/NAME; GitHub sets it in workflows")
	case !repositoryName.MatchString(repository) || strings.Trim(owner, ".") == "" || strings.Trim(name, ".") == "":
		return nil, fmt.Errorf("GITHUB_REPOSITORY is not OWNER/NAME: %s", plain.Clip(plain.Line(repository), 100))
	}
	if number < 0 {
		return nil, fmt.Errorf("a pull request has no number %d; give it with --pr N, N at least 1", number)
	}
	if number == 0 {
		var err error
		if number, err = numberOf(getenv("GITHUB_EVENT_PATH")); err != nil {
			return nil, err
		}
	}
	base, err := addressOf(getenv("GITHUB_API_URL"))
	if err != nil {
		return nil, err
	}
	api, err := connect(base, token, requestTime)
	if err != nil {
		return nil, errors.New("GITHUB_API_URL cannot be used: check it, or unset it")
	}
	hide := func(text string) string { return strings.ReplaceAll(text, token, "(the token)") }
	return &PullRequest{owner: owner, name: name, number: number, api: api, hide: hide, sleep: sleep}, nil
}

// numberOf reads the number of the pull request from GitHub's event file.
func numberOf(path string) (int, error) {
	const advice = "; run on pull_request events, or give the number with --pr N"
	if path == "" {
		return 0, errors.New("which pull request is meant is not known: GITHUB_EVENT_PATH is not set" + advice)
	}
	data, err := regular.Read(path, maxEvent)
	if err != nil {
		return 0, fmt.Errorf("read GITHUB_EVENT_PATH: %w%s", err, advice)
	}
	var event struct {
		PullRequest *struct{ Number int } `json:"pull_request"`
		Issue       *struct {
			Number int
			// PullRequest is there if the issue is one.
			PullRequest *struct{} `json:"pull_request"`
		}
	}
	if json.Unmarshal(data, &event) != nil {
		return 0, errors.New("the file of GITHUB_EVENT_PATH is not the JSON of an event" + advice)
	}
	number := 0
	switch {
	case event.PullRequest != nil:
		number = event.PullRequest.Number
	case event.Issue != nil && event.Issue.PullRequest != nil:
		number = event.Issue.Number
	}
	if number < 1 {
		return 0, errors.New("the event of GITHUB_EVENT_PATH names no pull request" + advice)
	}
	return number, nil
}

// addressOf checks the address of the API. The token must not travel unencrypted, so http is for this machine alone.
func addressOf(text string) (*url.URL, error) {
	base, err := url.Parse(cmp.Or(strings.TrimSpace(text), "https://api.github.com"))
	if err != nil || base.Host == "" || base.Opaque != "" {
		return nil, errors.New("GITHUB_API_URL is not a URL such as https://api.github.com: correct it, or unset it")
	}
	switch address, err := netip.ParseAddr(base.Hostname()); {
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("GITHUB_API_URL must not have a user, a password, a query or a fragment: remove them; the " +
			"token goes into GITHUB_TOKEN")
	case base.Scheme == "http" && base.Hostname() != "localhost" && (err != nil || !address.IsLoopback()):
		return nil, errors.New("GITHUB_API_URL begins with http://, which would send the token unencrypted: use https://")
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, errors.New("GITHUB_API_URL is not an https:// URL: correct it, or unset it")
	}
	base.Path = strings.TrimRight(base.Path, "/") + "/"
	base.RawPath = ""
	return base, nil
}

// Check asks for the head of the pull request, so that a job fails before it asks any model. If commit is a full hash
// other than that of the head, the error is a *StaleError. An empty one is not compared.
func (p *PullRequest) Check(ctx context.Context, commit string) error {
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	if commit != "" && !fullHash.MatchString(commit) {
		return fmt.Errorf("the reviewed commit is not a full hash: %s", plain.Clip(plain.Line(commit), 80))
	}
	head, merge, err := p.attempt().head(ctx)
	if err != nil || commit == "" || strings.EqualFold(head, commit) {
		return err
	}
	return &StaleError{Commit: commit, Head: head, Merge: strings.EqualFold(merge, commit)}
}

// Post writes text as the comment on the review of commit: it edits the oldest comment with Marker that this token
// wrote, or creates one. Jobs that post at the same time leave one comment, since each lists the comments again after
// it created one, and all of them keep the oldest. If commit is not the head of the pull request anymore, nothing is
// written. With an error, the result says what was written before.
func (p *PullRequest) Post(ctx context.Context, text, commit string) (Result, error) {
	if !marked(text) {
		text = Marker + "\n" + text
	}
	switch {
	case !fullHash.MatchString(commit):
		return Result{}, fmt.Errorf("the reviewed commit is not a full hash: %s", plain.Clip(plain.Line(commit), 80))
	case length(text) > MaxComment:
		return Result{}, fmt.Errorf("the comment has %d characters, more than %d", length(text), MaxComment)
	}
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	a := p.attempt()
	me, err := a.login(ctx)
	if err != nil {
		return Result{}, err
	}
	var done Result
	var created comment
	var gone int64 // the comment that could not be edited, since it was gone
	// Each turn lists the comments, asks for the head, and writes once. A failed write takes another turn, because by
	// then another job may have written, or the head may be another one. The attempt limits the failures.
	for range 4 * maxTries {
		own, err := a.own(ctx, me)
		if err != nil {
			return done, err
		}
		if done.Head, _, err = a.head(ctx); err != nil {
			return done, err
		}
		isStale := !strings.EqualFold(done.Head, commit)
		switch {
		case isStale && created.id != 0 && len(own) > 0 && own[0].id != created.id:
			// Between creating and now came a push: only remove what would be a second comment.
			return Result{URL: own[0].url, Stale: true, Head: done.Head}, a.remove(ctx, created)
		case isStale && created.id != 0:
			return done, nil
		case isStale:
			done.Stale = true
			if len(own) > 0 {
				done.URL = own[0].url
			}
			return done, nil
		case len(own) == 0 && created.id != 0:
			return done, nil
		case len(own) == 0:
			var author string
			if created, author, err = a.create(ctx, text); err == nil {
				done.Created, done.URL = true, created.url
				// A token of a GitHub App may not ask who it is either. Now it is known.
				me = cmp.Or(author, me)
				continue
			}
		case own[0].id == created.id:
			return done, a.remove(ctx, own[1:]...)
		default:
			if created.id != 0 && !slices.ContainsFunc(own, func(c comment) bool { return c.id == created.id }) {
				own = append(own, created) // The list does not show it yet.
			}
			_, _, err = a.api.Issues.EditComment(ctx, a.owner, a.name, own[0].id, &github.IssueComment{Body: &text})
			if err == nil {
				return Result{URL: own[0].url, Edited: true, Head: done.Head}, a.remove(ctx, own[1:]...)
			}
			if isMissing(err) && gone != own[0].id {
				gone = own[0].id // Somebody deleted it.
				continue
			}
		}
		if err := a.again(ctx, a.writing(), err); err != nil {
			return done, err
		}
	}
	return done, fmt.Errorf("comment in %s: other jobs write and delete comments all the time; run the job again", p)
}

// comment identifies a comment that this token wrote.
type comment struct {
	id  int64
	url string
}

// marked reports whether the first line of a comment is Marker.
func marked(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(first, " \t\r") == Marker
}

func (a *attempt) reading() string { return "read " + a.String() }
func (a *attempt) writing() string { return "comment in " + a.String() }

// head returns the hash of the head of the pull request, and that of GitHub's test merge if there is one.
func (a *attempt) head(ctx context.Context) (head, merge string, err error) {
	for {
		pull, _, err := a.api.PullRequests.Get(ctx, a.owner, a.name, a.number)
		switch head := pull.GetHead().GetSHA(); {
		case err == nil && fullHash.MatchString(head):
			return head, pull.GetMergeCommitSHA(), nil
		case err == nil:
			return "", "", &Error{Doing: a.reading(), Reason: "the answer has no hash of a head", Advice: notGitHub}
		}
		if err := a.again(ctx, a.reading(), err); err != nil {
			return "", "", err
		}
	}
}

// login returns whose comments the token writes.
func (a *attempt) login(ctx context.Context) (string, error) {
	for {
		user, _, err := a.api.Users.Get(ctx, "")
		var refused *github.ErrorResponse
		isRefused := errors.As(err, &refused) &&
			(refused.Response.StatusCode == http.StatusForbidden || refused.Response.StatusCode == http.StatusNotFound)
		_, mayPass := pauseOf(err)
		switch {
		case err == nil && user.GetLogin() != "":
			return user.GetLogin(), nil
		case err == nil:
			return "", &Error{Doing: "ask whose token it is", Reason: "the answer has no login", Advice: notGitHub}
		case isRefused && !mayPass:
			return actionsLogin, nil
		}
		if err := a.again(ctx, "ask whose token it is", err); err != nil {
			return "", err
		}
	}
}

// own lists the comments with Marker that me wrote, the oldest first.
func (a *attempt) own(ctx context.Context, me string) ([]comment, error) {
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	var own []comment
	for pages := 0; pages < maxPages; {
		page, response, err := a.api.Issues.ListComments(ctx, a.owner, a.name, a.number, options)
		if err != nil {
			if err := a.again(ctx, "list the comments of "+a.String(), err); err != nil {
				return nil, err
			}
			continue
		}
		for _, c := range page {
			if strings.EqualFold(c.GetUser().GetLogin(), me) && marked(c.GetBody()) && c.GetID() > 0 {
				own = append(own, a.known(c))
			}
		}
		if response.NextPage == 0 {
			slices.SortFunc(own, func(x, y comment) int { return cmp.Compare(x.id, y.id) })
			// If a comment is deleted or added in the meantime, a page may repeat one.
			return slices.CompactFunc(own, func(x, y comment) bool { return x.id == y.id }), nil
		}
		pages++
		options.Page = response.NextPage
	}
	return nil, &Error{Doing: "list the comments of " + a.String(), Reason: "the list does not end", Advice: notGitHub}
}

// known keeps what is needed of a comment.
func (a *attempt) known(c *github.IssueComment) comment {
	at := a.hide(c.GetHTMLURL())
	if u, err := url.Parse(at); err != nil || u.Scheme != "https" && u.Scheme != "http" || plain.Line(at) != at {
		at = ""
	}
	return comment{c.GetID(), at}
}

// create creates the comment, and returns who wrote it. It does not try twice: GitHub may have created it although it
// answers with an error, which only the list of comments can tell.
func (a *attempt) create(ctx context.Context, text string) (created comment, author string, err error) {
	c, _, err := a.api.Issues.CreateComment(ctx, a.owner, a.name, a.number, &github.IssueComment{Body: &text})
	if err == nil && c.GetID() < 1 {
		err = errForeign
	}
	if err != nil {
		return comment{}, "", err
	}
	return a.known(c), c.GetUser().GetLogin(), nil
}

// remove deletes comments that would be second ones.
func (a *attempt) remove(ctx context.Context, surplus ...comment) error {
	for _, c := range surplus {
		for {
			_, err := a.api.Issues.DeleteComment(ctx, a.owner, a.name, c.id)
			if err == nil || isMissing(err) {
				break
			}
			if err := a.again(ctx, "delete the second comment in "+a.String(), err); err != nil {
				return err
			}
		}
	}
	return nil
}

// isMissing reports whether a comment does not exist anymore.
func isMissing(err error) bool {
	var refused *github.ErrorResponse
	return errors.As(err, &refused) &&
		(refused.Response.StatusCode == http.StatusNotFound || refused.Response.StatusCode == http.StatusGone)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
