package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/protocol/review"
	agents "moot/serve"
)

// sixTries is a finding on the change of newReviewed, which two reviewers raise in their own words.
const (
	sixTries     = `{"move":"FINDING","path":"queue.go","line":3,"severity":"HIGH","what":"six tries are too many: the queue fills"}`
	tooManyTries = `{"move":"FINDING","path":"queue.go","line":3,"severity":"HIGH","what":"six tries are too many, so the queue fills"}`
)

// newReviewed is a desk in a repository with two commits, and reviewers that are scripts.
func newReviewed(t *testing.T) *desk {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	d := newDesk(t)
	d.Environ = append(os.Environ(), "MOOT_CONFIG="+filepath.Join(t.TempDir(), "config.toml"))
	d.configure(t, "")
	git := func(args ...string) {
		args = append([]string{"-C", d.Dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, tries := range []string{"5", "6"} {
		write(t, filepath.Join(d.Dir, "queue.go"), []byte("package queue\n\nconst maxRetries = "+tries+"\n"))
		git("add", "queue.go")
		git("commit", "-qm", "queue: try again")
	}
	return d
}

// configure writes the configuration.
func (d *desk) configure(t testing.TB, text string) {
	t.Helper()
	_, path, _ := strings.Cut(d.Environ[len(d.Environ)-1], "=")
	write(t, path, []byte(text))
}

// reviewer writes a script with the first reply of a reviewer, and returns its name.
func (d *desk) reviewer(t testing.TB, file string, moves ...string) string {
	t.Helper()
	path := filepath.Join(d.Dir, file)
	write(t, path, []byte("--- find\n{\"moves\":["+strings.Join(moves, ",")+"]}\n"))
	return "script:" + path
}

// review calls the tool review, and replies by the moves that are due until the review has ended. It returns the last
// turn, its structured content, and the moves of each prompt.
func (a *agentDesk) review(args map[string]any, reply func(turn agents.Turn) []any) (turn agents.Turn, content map[string]any, asked [][]string) {
	a.t.Helper()
	name := "review"
	for {
		result, err := a.session.CallTool(a.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			a.t.Fatal(err)
		}
		text, _ := result.Content[0].(*mcp.TextContent)
		turn, content = agents.Turn{}, nil
		if err := json.Unmarshal([]byte(text.Text), &turn); result.IsError || err != nil || len(result.Content) != 1 {
			a.t.Fatalf("%s: %v\n%s\n%s", name, err, text.Text, a.err.String())
		}
		if result.StructuredContent != nil {
			content, _ = result.StructuredContent.(map[string]any)
		}
		switch args = map[string]any{"session": turn.Session}; turn.Status {
		case agents.Working:
			name = "wait"
		case agents.YourTurn:
			if content != nil || turn.Decision != "" {
				a.t.Errorf("a review that runs has the outcome %v %s", content, turn.Decision)
			}
			asked = append(asked, turn.Moves)
			name, args["moves"] = "reply", append([]any{}, reply(turn)...)
		case agents.NeedsUser, agents.Paused, agents.Finished:
			return turn, content, asked
		}
	}
}

// outcome is the outcome of moot show -o json.
func (a *agentDesk) outcome(id string) (first string, outcome map[string]any) {
	a.t.Helper()
	a.end()
	a.Out = &a.out
	var shown struct{ Outcome map[string]any }
	a.run("show", id, "-o", "json")
	if err := json.Unmarshal([]byte(a.out.String()), &shown); err != nil {
		a.t.Fatalf("%v\n%s", err, a.out.String())
	}
	a.out.Reset()
	a.run("show", id)
	first, _, _ = strings.Cut(a.out.String(), "\n")
	return first, shown.Outcome
}

func findingsIn(content map[string]any) (list []map[string]any) {
	all, _ := content["findings"].([]any)
	for _, f := range all {
		one, _ := f.(map[string]any)
		list = append(list, one)
	}
	return list
}

// An agent that observes gets the decision as text, and as structured content what moot show has. A later review
// remembers what was left open.
func TestAgentHasAChangeReviewed(t *testing.T) {
	d := newReviewed(t)
	one, two, silent := d.reviewer(t, "one.txt", sixTries), d.reviewer(t, "two.txt", tooManyTries), d.reviewer(t, "silent.txt", `{"move":"NO_FINDINGS","text":"all of it"}`)
	a := d.agent(t, nil)
	turn, content, _ := a.review(map[string]any{"range": "HEAD", "reviewers": []string{one, two}}, nil)
	if turn.Status != agents.Finished || !strings.HasPrefix(turn.Decision, "DON'T MERGE: six tries are too many") {
		t.Fatalf("%+v", turn)
	}
	if text, failed := a.call("reply", map[string]any{"session": turn.Session, "moves": []any{}}); !failed || !strings.Contains(text, "you observe") {
		t.Errorf("a reply: %s", text)
	}
	if text, failed := a.call("result", map[string]any{"session": turn.Session}); failed || !strings.Contains(text, turn.Decision) {
		t.Errorf("the result: %s", text)
	}
	if text, failed := a.call("wait", map[string]any{"session": turn.Session}); failed || !strings.Contains(text, turn.Decision) {
		t.Errorf("after the end: %s", text)
	}
	first, outcome := a.outcome(turn.Session)
	if first != turn.Decision {
		t.Errorf("the decision is %q, moot shows %q", turn.Decision, first)
	}
	if !reflect.DeepEqual(content, outcome) || content["decision"] != "dont-merge" || len(findingsIn(content)) != 1 {
		t.Errorf("got %v\nmoot shows %v", content, outcome)
	}
	b := d.agent(t, nil)
	again, content, _ := b.review(map[string]any{"range": "HEAD", "gate": "blocking", "reviewers": []string{silent, silent + " "}}, nil)
	if found := findingsIn(content); len(found) != 1 || found[0]["known"] != turn.Session || content["gate"] != "BLOCKING" {
		t.Errorf("%+v\n%v", again, content)
	}
}

// As a reviewer the agent gets the change, and what it raises counts like the findings of others.
func TestAgentReviews(t *testing.T) {
	d := newReviewed(t)
	one := d.reviewer(t, "one.txt", sixTries)
	a := d.agent(t, nil)
	turn, content, asked := a.review(map[string]any{"range": "HEAD~1..HEAD", "role": "reviewer", "reviewers": []string{one}}, func(turn agents.Turn) []any {
		if !slices.Contains(turn.Moves, "FINDING") {
			return nil
		}
		if !strings.Contains(turn.Prompt, "+const maxRetries = 6") {
			t.Errorf("the prompt has no change: %s", turn.Prompt)
		}
		return []any{json.RawMessage(tooManyTries)}
	})
	if turn.Status != agents.Finished || len(asked) == 0 || len(findingsIn(content)) != 1 {
		t.Fatalf("%+v, asked %v\n%v", turn, asked, content)
	}
	f := findingsIn(content)[0]
	if f["tag"] != "independent" || !reflect.DeepEqual(f["raised_by"], []any{"reviewer", "reviewer-2"}) {
		t.Errorf("%v", f)
	}
	a.end()
	if s := verified(t)[0]; s.Seats[0].Seat != review.Reviewer || s.Seats[0].Participant != "mcp:test-agent" {
		t.Errorf("the seats are %+v", s.Seats)
	}
}

// A review that its agent left continues in another server, with the agent in its seat.
func TestAgentContinuesAReview(t *testing.T) {
	d := newReviewed(t)
	a := d.agent(t, nil)
	args := map[string]any{"range": "HEAD", "role": "reviewer", "reviewers": []string{d.reviewer(t, "one.txt", sixTries)}}
	turn := a.turn("review", args)
	a.end()
	b := d.agent(t, nil)
	again := b.turn("wait", map[string]any{"session": turn.Session})
	if again.Status != agents.YourTurn || again.Prompt != turn.Prompt || again.Decision != "" {
		t.Fatalf("%+v", again)
	}
	for again.Status == agents.YourTurn {
		again = b.turn("reply", map[string]any{"session": turn.Session, "moves": []any{json.RawMessage(tooManyTries)}})
	}
	if again.Status != agents.Finished || !strings.HasPrefix(again.Decision, "DON'T MERGE: ") {
		t.Errorf("%+v", again)
	}
}

// As the author the agent answers findings. Its word rules nothing: it is not the user.
func TestAgentIsTheAuthor(t *testing.T) {
	d := newReviewed(t)
	one, two := d.reviewer(t, "one.txt", sixTries), d.reviewer(t, "two.txt", tooManyTries)
	a := d.agent(t, nil)
	turn, content, asked := a.review(map[string]any{"range": "HEAD", "role": "author", "reviewers": []string{one, two}}, func(agents.Turn) []any {
		return []any{map[string]any{"move": "INTENDED", "point": "P1", "reason": "servers restart slowly"}}
	})
	if len(asked) != 1 || !slices.Contains(asked[0], "INTENDED") || slices.Contains(asked[0], "FINDING") {
		t.Errorf("asked %v", asked)
	}
	if found := findingsIn(content); len(found) != 1 || found[0]["bucket"] != "agreed" || content["decision"] != "dont-merge" {
		t.Errorf("%+v\n%v", turn, content)
	}
	a.end()
	s := verified(t)[0]
	if author, ok := s.Assignment(review.Author); !ok || author.Participant != "mcp:test-agent" {
		t.Errorf("the seats are %+v", s.Seats)
	}
	a.Out = &a.out
	if a.run("show"); !strings.Contains(a.out.String(), "servers restart slowly") {
		t.Errorf("its answer is not shown: %s", a.out.String())
	}
}

// Without reviewers, those of the configuration review, and its ignored files are left out. The agent's own seat takes that of
// the last one.
func TestAgentUsesTheConfiguredReviewers(t *testing.T) {
	d := newReviewed(t)
	var names []string
	for i := range 5 {
		names = append(names, fmt.Sprintf("%q", d.reviewer(t, fmt.Sprintf("%d.txt", i), sixTries)))
	}
	d.configure(t, "[review]\nreviewers = ["+strings.Join(names, ", ")+"]\nignore = [\"*.txt\"]\n")
	write(t, filepath.Join(d.Dir, "queue.go"), []byte("package queue\n\nconst maxRetries = 7\n"))
	a := d.agent(t, nil)
	said := ""
	_, content, _ := a.review(map[string]any{"role": "reviewer"}, func(turn agents.Turn) []any {
		said += strings.Join(turn.News, "\n")
		return nil
	})
	if ignored, _ := content["ignored"].([]any); len(ignored) != 5 {
		t.Errorf("left out: %v", ignored)
	}
	if !strings.Contains(said, "does not review: you have its seat") {
		t.Errorf("it is not told who reviews: %s", said)
	}
	a.end()
	seats := verified(t)[0].Seats
	if len(seats) != 5 || seats[0].Participant != "mcp:test-agent" || !strings.HasSuffix(seats[1].Participant, "0.txt") || !strings.HasSuffix(seats[4].Participant, "3.txt") {
		t.Errorf("the seats are %+v", seats)
	}
}

// Each mistake has an error that says what is wrong, and opens no session.
func TestAgentReviewMistakes(t *testing.T) {
	d := newReviewed(t)
	one, two := d.reviewer(t, "one.txt", sixTries), d.reviewer(t, "two.txt", sixTries)
	outside := t.TempDir()
	a := d.agent(t, nil)
	six := []string{one, two, one, two, one, two}
	for _, c := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"range": "nosuch"}, "there is no commit nosuch"},
		{map[string]any{"range": "nosuch", "reviewers": []string{}}, "there is no commit nosuch"},
		{map[string]any{"range": "-"}, "there is no commit -"},
		{map[string]any{"range": "--output=ran"}, "there is no commit --output=ran"},
		{map[string]any{"range": "main..nosuch"}, "there is no commit nosuch"},
		{map[string]any{"range": "HEAD..HEAD"}, "nothing to review: HEAD..HEAD changes no file"},
		{map[string]any{"range": 7}, "range"},
		{map[string]any{"gate": "grave"}, "gate"},
		{map[string]any{"role": "user"}, "role"},
		{map[string]any{"override": "P1"}, "override"},
		{map[string]any{"workspace": outside}, "workspace: " + outside + " is outside of your roots"},
		{map[string]any{"workspace": "../"}, "outside of your roots"},
		{map[string]any{"reviewers": []string{one}}, "reviewers: a review needs two"},
		{map[string]any{"reviewers": []string{one}, "role": "author"}, "reviewers: a review needs two"},
		{map[string]any{"reviewers": six}, "reviewers: there are only 5 seats"},
		{map[string]any{"reviewers": six[:5], "role": "reviewer"}, "reviewers: there are only 5 seats"},
		{map[string]any{"reviewers": []string{one, " "}}, "reviewers: "},
		{map[string]any{"reviewers": []string{one, "me"}}, "reviewers: me is the user"},
		{map[string]any{"reviewers": []string{one, "mcp:test-agent"}}, "reviewers: "},
		{map[string]any{"reviewers": []string{one, "exec:/bin/sh"}}, "--allow-participant"},
	} {
		args := map[string]any{"range": "HEAD", "reviewers": []string{one, two}}
		for k, v := range c.args {
			args[k] = v
		}
		if text, failed := a.call("review", args); !failed || !strings.Contains(text, c.want) {
			t.Errorf("%v: %s", c.args, text)
		}
	}
	if all := a.storedSessions(); len(all) != 0 {
		t.Errorf("sessions: %v", all)
	}
	a.end()
	// The repository around a root is not the agent's.
	below := filepath.Join(d.Dir, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	b := d.agent(t, nil, &mcp.Root{URI: "file://" + filepath.ToSlash(below)}) //nolint:staticcheck // hosts declare roots
	if text, failed := b.call("review", map[string]any{"range": "HEAD", "reviewers": []string{one, two}}); !failed || !strings.Contains(text, "workspace: a review reads the whole repository") {
		t.Errorf("in a folder of the repository: %s", text)
	}
	b.end()
	d.Dir = outside
	if text, failed := d.agent(t, nil).call("review", map[string]any{"reviewers": []string{one, two}}); !failed || !strings.Contains(text, "is in no git repository") {
		t.Errorf("without a repository: %s", text)
	}
}

// An outcome that does not fit into an answer loses its least severe findings, and says how many.
func TestAgentGetsWhatFitsOfAReview(t *testing.T) {
	d := newReviewed(t)
	var moves []string
	for i := range 30 {
		severity := "LOW"
		if i == 29 {
			severity = "BLOCKING"
		}
		moves = append(moves, fmt.Sprintf(`{"move":"FINDING","path":"queue.go","line":3,"severity":%q,"what":"defect %d <&> %s","why":%q}`, severity, i, strings.Repeat(string(rune('a'+i%26)), 30), strings.Repeat("\u202ewhy ", 150)))
	}
	one, two := d.reviewer(t, "one.txt", moves...), d.reviewer(t, "two.txt", sixTries)
	a := d.agent(t, nil)
	turn, content, _ := a.review(map[string]any{"range": "HEAD", "reviewers": []string{one, two}}, nil)
	sent, err := json.Marshal(content)
	found := findingsIn(content)
	left, _ := content["findings_left_out"].(float64)
	if err != nil || len(sent) > 20000 || len(found) == 0 || found[0]["severity"] != "BLOCKING" || content["decision"] == nil || content["seen"] == nil {
		t.Fatalf("%d bytes, %d findings: %v\n%s", len(sent), len(found), err, sent)
	}
	if content["resource"] != "moot://sessions/"+turn.Session+".json" {
		t.Errorf("the resource is %v", content["resource"])
	}
	_, outcome := a.outcome(turn.Session)
	if all := findingsIn(outcome); left == 0 || len(found)+int(left) != len(all) || !reflect.DeepEqual(found, all[:len(found)]) {
		t.Errorf("%d findings, %v left out, of %d", len(found), left, len(all))
	}
}

// The prompt of moot mcp names the tool.
func TestAgentPromptNamesTheToolReview(t *testing.T) {
	a := newAgent(t, nil)
	for given, want := range map[string]string{"": "what is not pushed", "main..work": "main..work"} {
		prompt, err := a.session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "review", Arguments: map[string]string{"range": given}})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := prompt.Messages[0].Content.(*mcp.TextContent)
		if !strings.Contains(text.Text, want) || !strings.Contains(text.Text, "Call the tool review") || strings.Contains(text.Text, "consult") {
			t.Errorf("%s: %s", given, text.Text)
		}
	}
}
