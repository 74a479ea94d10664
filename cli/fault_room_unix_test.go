//go:build unix

package cli_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moot/cli"
	"moot/state"
	"moot/state/store"
)

// meeting is a session in which each of two seats is asked in round 2 as well.
type meeting struct {
	format string
	// seats are those that are put to the test, one at a time; who sits in them
	// otherwise, seated says, and rules where it says nothing.
	seats  []string
	seated map[string]string
	// others are further seats, with rules in them.
	others []string
	args   []string
}

// meetings are a session of each format. Its files lie where newRoom puts them.
func meetings() []meeting {
	return []meeting{
		{format: "consult", seats: []string{"orchestrator", "consultee"}, args: []string{"--workspace", "limits", "What is the limit, and should it be raised?"}},
		{format: "dialectic", seats: []string{"proposer", "pressure-tester"}, args: []string{
			"--playbook", "code-review", "--workspace", "repo", "--context", "change.diff", "Is this change fit to merge?",
		}},
		{
			format: "panel", seats: []string{"panelist", "panelist-2"}, seated: map[string]string{"panelist": "script:yes.txt", "panelist-2": "script:no.txt"},
			args: []string{"--then", "consult", "--workspace", "repo", "Are calls retried?"},
		},
		{format: "council", seats: []string{"critic", "moderator"}, others: []string{"strategist", "adversary"}, args: []string{
			"--workspace", "ferry", "@question.md",
		}},
		{format: "hearing", seats: []string{"architect", "skeptic"}, args: []string{"--form", "multi", "--closed-world", "night.json"}},
	}
}

// said is a reply of a seat.
type said struct {
	round int
	text  string
}

// reference is how a session goes where nothing goes wrong: what each seat says, and
// what stands in the end.
type reference struct {
	meeting
	said   map[string][]said
	stands string
}

// second is which of a seat's replies is the first of round 2 or later.
func (r *reference) second(seat string) int {
	return slices.IndexFunc(r.said[seat], func(s said) bool { return s.round > 1 })
}

// room is where the sessions of a test run, side by side.
type room struct {
	dir        string
	references map[string]*reference
	random     atomic.Uint64
}

// newRoom makes the files that the meetings need, and has some held.
func newRoom(t *testing.T, some ...meeting) *room {
	t.Helper()
	t.Setenv(store.StateVariable, t.TempDir())
	r := &room{dir: t.TempDir(), references: map[string]*reference{}}
	if err := os.CopyFS(r.dir, os.DirFS("testdata/room")); err != nil {
		t.Fatal(err)
	}
	r.write(t, "limits/limit.go", "package limit\n\n// limit is the most that is taken.\nconst limit = 8\n")
	r.write(t, "yes.txt", "1. Calls are retried three times [EVIDENCE]\n")
	r.write(t, "no.txt", "1. Calls are not retried three times [EVIDENCE]\n")
	for _, held := range some {
		r.references[held.format] = r.hold(t, held)
	}
	return r
}

func (r *room) write(t *testing.T, path, text string) {
	t.Helper()
	path = filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// hold holds a session with nobody at fault.
func (r *room) hold(t *testing.T, held meeting) *reference {
	t.Helper()
	o := r.sit(held, "", "", nil)
	if o.ask(); o.code != cli.ExitConcluded && o.code != cli.ExitInconclusive {
		t.Fatalf("%s: exit code %d\n%s", held.format, o.code, o.talk())
	}
	ref := &reference{meeting: held, said: map[string][]said{}}
	round := 0
	for _, e := range o.events(t) {
		switch e := e.Data.(type) {
		case *state.RoundStarted:
			round = e.Round
		case *state.ReplyReceived:
			ref.said[string(e.Seat)] = append(ref.said[string(e.Seat)], said{round, e.Text})
		}
	}
	ref.stands = stands(o.events(t))
	for _, seat := range held.seats {
		if ref.second(seat) < 0 {
			t.Fatalf("%s: %s is not asked after round 1", held.format, seat)
		}
	}
	return ref
}

// occasion is one session, with all runs of moot that it takes.
type occasion struct {
	*room
	meeting
	seat, participant string
	flags             []string
	environ           []string

	id   string
	last *desk
	code int
}

// sit prepares a session with a participant in one of its seats; "" leaves all to
// those who sit there otherwise.
func (r *room) sit(held meeting, seat, participant string, environ []string, flags ...string) *occasion {
	return &occasion{room: r, meeting: held, seat: seat, participant: participant, environ: environ, flags: flags}
}

// ask opens the session.
func (o *occasion) ask() {
	args := []string{"ask", "--headless", "--format", o.format}
	for _, seat := range append(slices.Clone(o.others), o.seats...) {
		who := o.seated[seat]
		switch {
		case seat == o.seat:
			who = o.participant
		case who == "":
			who = "rules"
		}
		args = append(args, "--seat", seat+"="+who)
	}
	o.run(append(append(args, o.flags...), o.args...)...)
	if found := regexp.MustCompile(`(?m)^session +(\S+)$`).FindStringSubmatch(o.talk()); found != nil {
		o.id = found[1]
	}
}

// resume goes on with the session.
func (o *occasion) resume(flags ...string) {
	o.run(append(append([]string{"resume", "--headless", o.id}, o.flags...), flags...)...)
}

func (o *occasion) run(args ...string) {
	d := &desk{signals: make(chan os.Signal, 2)}
	d.Console = &cli.Console{
		In: strings.NewReader(""), Out: &d.out, Err: &d.err, Dir: o.dir, Environ: o.environ,
		Now: time.Now, Random: rand.NewChaCha8([32]byte{1, byte(o.random.Add(1)), byte(o.random.Load() >> 8)}), Signals: d.signals,
	}
	o.last, o.code = d, d.run(args...)
}

// talk is what the last run wrote on standard error.
func (o *occasion) talk() string { return o.last.err.String() }

// path is that of the session's file.
func (o *occasion) path(t *testing.T) string {
	t.Helper()
	dir, err := store.Dir()
	if err != nil {
		t.Fatal(err)
	}
	path, err := store.Path(dir, o.id)
	if err != nil {
		t.Fatalf("%v\n%s", err, o.talk())
	}
	return path
}

func (o *occasion) events(t *testing.T) []state.Event {
	t.Helper()
	read, err := store.Read(o.path(t))
	if err != nil {
		t.Fatal(err)
	}
	return read.Events
}

// now is the session as its file has it.
func (o *occasion) now(t *testing.T) state.State {
	t.Helper()
	s, err := state.Replay(o.events(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// says checks what the last run told: each of the words, nothing that a terminal
// would obey, and no flood.
func (o *occasion) says(t *testing.T, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(o.talk(), word) {
			t.Errorf("it is not said %q", word)
		}
	}
	all := o.talk() + o.last.out.String()
	if at := strings.IndexAny(all, "\x1b\x07\u009b\u202e\u2066"); at >= 0 {
		t.Errorf("a control character reaches the terminal: %q", all[at:min(len(all), at+40)])
	}
	if strings.Contains(all, "sk-proj-") {
		t.Error("a key is told")
	}
	if len(o.talk()) > 64<<10 {
		t.Errorf("%d bytes are told", len(o.talk()))
	}
	if t.Failed() {
		t.Logf("exit code %d\n%.6000s", o.code, o.talk())
	}
}

// paused checks that the session waits in round 2 or later, that the reason names the
// seat and what is to be done, and that all that came before is kept.
func (o *occasion) paused(t *testing.T, why state.PauseKind, words ...string) {
	t.Helper()
	s := o.now(t)
	if o.code != cli.ExitInconclusive || s.Paused != why || s.Round < 2 || s.Closed {
		t.Fatalf("exit code %d, paused %q in round %d, closed %v\n%.6000s", o.code, s.Paused, s.Round, s.Closed, o.talk())
	}
	o.says(t, append(words, "pause      ", "paused     go on with: moot resume "+o.id)...)
	if why == state.PauseUnreachable && !strings.HasPrefix(s.PauseReason, o.seat+": ") {
		t.Errorf("the reason does not name the seat: %s", s.PauseReason)
	}
}

// ends checks that the session came to the end that it comes to where nothing goes
// wrong: nothing was lost on the way.
func (o *occasion) ends(t *testing.T) {
	t.Helper()
	if got, want := stands(o.events(t)), o.references[o.format].stands; got != want {
		t.Errorf("exit code %d; what stands is\n%s\nand without the fault\n%s\n%.6000s", o.code, got, want, o.talk())
	}
}

// stands is what stands of each point in the end, and how the session ended: a
// proposal that is escalated waits for the person.
func stands(events []state.Event) string {
	points, end := map[string]string{}, "it goes on"
	for _, e := range events {
		switch e := e.Data.(type) {
		case *state.Ruled:
			for i := range e.Rulings {
				r := &e.Rulings[i]
				points[r.Point] = fmt.Sprintf("%s %s %s by %s", r.Point, r.Bucket, r.Tag, r.Rule)
			}
		case *state.SessionPaused:
			end = e.Reason
		case *state.SessionResumed:
			end = "it goes on"
		case *state.SessionClosed:
			end = string(e.Exit)
		}
	}
	return strings.Join(append(slices.Sorted(maps.Values(points)), end), "\n")
}
