package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/agent/rules"
	"moot/constitution"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// councilTable is a council in a test: rules on all seats, but for those that are
// given.
type councilTable struct {
	files    map[string]string
	question string
	seats    map[state.Seat]protocol.Participant
	settings state.CouncilSettings
	expert   bool
}

func newCouncil(t testing.TB, files map[string]string) *councilTable {
	t.Helper()
	book, err := constitution.Default()
	if err != nil {
		t.Fatal(err)
	}
	return &councilTable{
		files: files, question: "Does design.md hold?", seats: map[state.Seat]protocol.Participant{},
		settings: state.CouncilSettings{Rounds: 3, Weights: state.DefaultWeights(), Decision: state.DefaultDecision, Constitution: book},
	}
}

// run drives the session to its end. What is refused to rules is a fault.
func (b *councilTable) run(t testing.TB) state.State {
	t.Helper()
	dir := t.TempDir()
	for name, text := range b.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opened := &state.SessionOpened{
		Version: state.Version, ID: "s", Question: b.question,
		Settings: state.Settings{Format: state.FormatCouncil, Nonce: "n", Workspace: dir, Council: &b.settings},
	}
	alike := rules.New(rules.Options{Workspace: dir})
	for _, seat := range state.CouncilSeats() {
		if seat == state.Expert && !b.expert {
			continue
		}
		if b.seats[seat] == nil {
			b.seats[seat] = alike
		}
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: b.seats[seat].Name(), NoModel: true})
	}
	runner, log := held(t, protocol.Council{}, opened, b.seats)
	if !runner.State.Closed {
		t.Fatalf("the session did not close: %s %s\n%s", runner.State.Paused, runner.State.PauseReason, told(&runner.State))
	}
	for _, e := range log.Events() {
		reply, ok := e.Data.(*state.ReplyReceived)
		if !ok || b.seats[reply.Seat].Name() != rules.Name {
			continue
		}
		if !reply.Valid {
			t.Errorf("%s in %s gave no valid reply: %s", reply.Seat, reply.Stage, reply.Text)
		}
		for _, refused := range reply.Refused {
			t.Errorf("refused to %s in %s: %s: %s\n%s", reply.Seat, reply.Stage, refused.Code, refused.Text, reply.Text)
		}
	}
	if tested := runner.State.Council.Tested; len(tested) > 0 && b.seats[state.Moderator].Name() == rules.Name {
		for i := range tested {
			if tested[i].Contradicted() {
				t.Errorf("rules report of round %d what the rules do not find: %+v\n%s", tested[i].Round, tested[i], told(&runner.State))
			}
		}
	}
	return runner.State
}

// pointOf is the last claim that holds the words.
func pointOf(t testing.TB, s *state.State, words string) *state.Point {
	t.Helper()
	var found *state.Point
	for _, p := range s.Points.All() {
		if strings.Contains(p.Text, words) {
			found = p
		}
	}
	if found == nil {
		t.Fatalf("no claim says %q\n%s", words, told(s))
	}
	return found
}

func rulingOn(t testing.TB, s *state.State, words string) state.Ruling {
	t.Helper()
	ruled, _ := resolver.RuleOne(*s, pointOf(t, s, words).ID)
	return ruled
}

// A claim that its source says, and that nothing speaks against, stands by all four
// rules: CV.
func TestCouncilSupportedClaimStands(t *testing.T) {
	t.Parallel()
	s := newCouncil(t, map[string]string{"design.md": "# The queue\n\nThe worker acks a job after its handler returned.\n"}).run(t)
	if ruled := rulingOn(t, &s, "acks a job"); ruled.Bucket != state.BucketAgreed || ruled.Rule != "CV" || ruled.Tag != state.TagTextual {
		t.Errorf("%+v\n%s", ruled, told(&s))
	}
	if s.Round != 1 || s.Exit != state.ExitConverged {
		t.Errorf("round %d, exit %s\n%s", s.Round, s.Exit, told(&s))
	}
}

// What a setting or another document contradicts falls: the document that was read
// is no evidence against what it describes.
func TestCouncilContradictedClaimFalls(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"a setting":      {"config.toml": "[worker]\nmax_retries = 3\n"},
		"another number": {"notes.md": "After the incident a job gets 3 retries at most, max.\n"},
		"the opposite":   {"notes.md": "A job does not get 5 retries at most, max.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files["design.md"] = "# The queue\n\nA job gets 5 retries at most, max.\n"
			s := newCouncil(t, files).run(t)
			if ruled := rulingOn(t, &s, "5 retries"); ruled.Bucket != state.BucketDismissed || ruled.Rule != "AC6" {
				t.Errorf("%+v\n%s", ruled, told(&s))
			}
		})
	}
}

// A number that is stated as measured is asked for its method, by CV2 held up until
// there is one, and stands once a source states it with one.
func TestCouncilNumberWithoutMethod(t *testing.T) {
	t.Parallel()
	design := "# The queue\n\nThe median latency of a job is 40 ms.\n"
	s := newCouncil(t, map[string]string{"design.md": design}).run(t)
	ruled := rulingOn(t, &s, "median latency")
	if ruled.Bucket != state.BucketUnresolved || ruled.Rule != "CV2" || !strings.Contains(ruled.Crux, "states 40 ms with its method") {
		t.Errorf("%+v\n%s", ruled, told(&s))
	}
	if s.Round != 3 || s.Exit != state.ExitCap {
		t.Errorf("round %d, exit %s", s.Round, s.Exit)
	}
	s = newCouncil(t, map[string]string{"design.md": design, "bench/results.md": "We measured latency over 10,000 jobs: the median was 40 ms in May.\n"}).run(t)
	if ruled := rulingOn(t, &s, "median latency"); ruled.Bucket != state.BucketAgreed {
		t.Errorf("%+v\n%s", ruled, told(&s))
	}
}

// A key claim of one source ends with what would have to come: CV1.
func TestCouncilKeyClaimOfOneSource(t *testing.T) {
	t.Parallel()
	b := newCouncil(t, map[string]string{"design.md": "# The queue\n\nThe worker acks a job after its handler returned.\nThe queue keeps jobs in one table.\nOperators may pause a queue.\n"})
	b.question = "Is it so, as design.md says, that the worker acks a job after its handler returned?"
	s := b.run(t)
	if p := pointOf(t, &s, "acks a job"); !p.Key {
		t.Fatalf("not key\n%s", told(&s))
	}
	ruled := rulingOn(t, &s, "acks a job")
	if ruled.Bucket != state.BucketUnresolved || ruled.Rule != "CV1" || !strings.Contains(ruled.Crux, "second source") {
		t.Errorf("%+v\n%s", ruled, told(&s))
	}
	b = newCouncil(t, b.files)
	b.question = "Is it so, as design.md says, that the worker acks a job after its handler returned?"
	b.files["worker.go"] = "package worker\n\n// The worker acks a job after its handler returned.\nfunc ack() {}\n"
	s = b.run(t)
	if ruled := rulingOn(t, &s, "acks a job"); ruled.Bucket != state.BucketAgreed {
		t.Errorf("%+v\n%s", ruled, told(&s))
	}
}

// What claims more than its source is worded anew and tested again: a condition
// that another source names, a failure, all cases.
func TestCouncilNarrows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ claim, file, text, narrower string }{
		"condition": {"One worker handles 1,200 jobs per second.", "bench.md", "Measured in May, with payloads of 1 KB, one worker handles 1,200 jobs per second.\n", "with payloads of 1 KB"},
		"failure":   {"Each job in the queue is run at least once by a worker.", "queue.go", "package queue\n\n// Known issue: a job that waits in the queue is lost before a worker gets it where the disk is full.\nfunc Put() {}\n", "except where queue.go:3"},
		"all cases": {"The queue never runs a job before its time.", "other.md", "Mail is sent by a gateway.\n", "so far as design.md says"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCouncil(t, map[string]string{"design.md": "# The queue\n\n" + c.claim + "\n", c.file: c.text}).run(t)
			p := pointOf(t, &s, c.narrower)
			if ruled := rulingOn(t, &s, c.narrower); ruled.Bucket != state.BucketAgreed || p.Revises == "" {
				t.Errorf("%+v\n%s", ruled, told(&s))
			}
		})
	}
}
