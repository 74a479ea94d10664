package lab

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/reply"
	"moot/protocol/run"
	"moot/queue"
	"moot/state"
	"moot/state/store"
)

// identified is what a hearing is, by all of its first events.
func identified(opened *state.SessionOpened, events []state.Payload) (queue.Parts, error) {
	var text strings.Builder
	for _, p := range append([]state.Payload{opened}, events...) {
		if err := state.Encode(&text, p); err != nil {
			return queue.Parts{}, err
		}
	}
	return queue.Parts{Options: ledger.Digest([]byte(text.String()))}, nil
}

// inFolder opens the folder of a run.
func inFolder(t testing.TB, path string) *queue.Folder {
	t.Helper()
	f, err := queue.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// holder holds the hearings of a matrix with the participants of seats, in files if kept is true.
type holder struct {
	matrix *Matrix
	folder *queue.Folder
	kept   bool
	seats  seating
	parser *reply.Parser
	opened atomic.Int64
}

// seating makes the participants of a hearing.
type seating = func() (map[state.Seat]protocol.Participant, error)

// holding returns the options of a run in a folder, whose hearings have files if kept is true.
func holding(t testing.TB, m *Matrix, f *queue.Folder, kept bool, seats seating) Options {
	t.Helper()
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	h := &holder{matrix: m, folder: f, kept: kept, seats: seats, parser: parser}
	return Options{Folder: f, Hold: h.hold, Classify: classify, Jobs: 2, Now: time.Now}
}

// hold is a Hold.
func (h *holder) hold(ctx context.Context, job queue.Job, _ func(queue.Pulse)) (string, *state.State, queue.Result) {
	s, log, err := h.open(job)
	if err != nil {
		return "", &state.State{}, queue.Result{Outcome: queue.Failure, Reason: err.Error()}
	}
	seats, err := h.seats()
	if err == nil {
		runner := run.New(run.Options{State: s, Log: log, Participants: seats, Parser: h.parser, Now: time.Now})
		err = runner.Run(ctx)
		s = runner.State
	}
	file, is := log.(*store.File)
	if !is {
		return "", s, resultOf(s, err)
	}
	return s.ID, s, resultOf(s, errors.Join(err, file.Close()))
}

// open opens the session of a job, in a file or in memory.
func (h *holder) open(job queue.Job) (*state.State, protocol.Log, error) {
	if job.Session != "" {
		file, opened, err := store.Open(h.folder.SessionPath(job.Session), hearing.Format{})
		if err != nil {
			return nil, nil, err
		}
		s, err := state.Replay(opened.Events)
		return s, file, err
	}
	opened, events := h.matrix.Opening(job.Item)
	opened.ID = fmt.Sprintf("%s-%d-%d", job.Item.Digest[:16], time.Now().UnixNano(), h.opened.Add(1))
	s, first, err := state.Extend(&state.State{}, time.Now(), append([]state.Payload{opened}, events...)...)
	var log protocol.Log = &store.Memory{}
	if err == nil && h.kept {
		log, err = store.Create(h.folder.Sessions(), opened.ID)
	}
	if err == nil {
		err = log.Append(first)
	}
	return s, log, err
}

// resultOf is the result of a session that ended, paused, or failed with an error.
func resultOf(s *state.State, err error) queue.Result {
	switch {
	case s.Closed:
		return queue.Result{Outcome: queue.Concluded, Usage: s.Usage}
	case err != nil && !errors.Is(err, protocol.ErrStopped):
		return queue.Result{Outcome: queue.Failure, Reason: err.Error(), Usage: s.Usage}
	case s.Paused == state.PauseUnreachable:
		return queue.Result{Outcome: queue.Failure, Reason: s.PauseReason, Usage: s.Usage}
	}
	return queue.Result{Outcome: queue.Stopped, Usage: s.Usage}
}

// classify reads the result of a session from its file.
func classify(path string) queue.Result {
	opened, err := store.Read(path, hearing.Format{})
	if err == nil {
		var s *state.State
		if s, err = state.Replay(opened.Events); err == nil {
			return resultOf(s, nil)
		}
	}
	return queue.Result{Outcome: queue.Failure, Reason: err.Error()}
}

// runIn runs a matrix in a folder to its end, and counts the calls.
func runIn(t *testing.T, m *Matrix, path string) (d Document, calls int, last Progress) {
	t.Helper()
	f := inFolder(t, path)
	var asked atomic.Int64
	o := holding(t, m, f, true, seated(arguer{asked: func() { asked.Add(1) }}))
	o.Watch = func(p Progress) { last = p }
	d, err := m.Run(t.Context(), o)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return d, int(asked.Load()), last
}

// sessionFiles returns the session files of a folder.
func sessionFiles(t *testing.T, path string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(path, "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestARunThatWasKilledAnywhereGivesTheSame(t *testing.T) {
	m := few(t, func(p *Plan) {
		p.Corpus = p.Corpus.Select(nil, 1)
		p.Forms = []hearing.Form{hearing.FormSingle, hearing.FormMulti}
	})
	whole, _, _ := runIn(t, m, filepath.Join(t.TempDir(), "whole"))
	want := written(t, &whole)
	random := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		path := filepath.Join(t.TempDir(), "killed")
		runIn(t, m, path)
		kept := 0
		for _, file := range sessionFiles(t, path) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			switch place := random.IntN(2 * len(text)); {
			case place < len(text):
				err = os.WriteFile(file, text[:place], 0o600)
			case place%7 == 0:
				err = os.Remove(file)
			default:
				kept++
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if random.IntN(2) == 0 {
			if err := os.Remove(filepath.Join(path, "index.json")); err != nil {
				t.Fatal(err)
			}
		}
		d, _, last := runIn(t, m, path)
		if got := written(t, &d); got != want {
			t.Fatalf("it gives\n%s", difference(got, want))
		}
		if last.Kept != kept || last.Done != m.Sessions() || last.Planned != m.Sessions() {
			t.Errorf("%d sessions are whole, and it tells %+v", kept, last)
		}
		if _, calls, _ := runIn(t, m, path); calls != 0 {
			t.Errorf("what is done is held again, with %d calls", calls)
		}
	}
}

func TestAStoppedRunContinues(t *testing.T) {
	m := few(t, nil)
	whole, _, _ := runIn(t, m, filepath.Join(t.TempDir(), "whole"))
	want := written(t, &whole)
	random := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "stopped")
	for range 100 {
		f := inFolder(t, path)
		ctx, cancel := context.WithCancel(t.Context())
		var asked atomic.Int64
		last := int64(5 + random.IntN(40))
		o := holding(t, m, f, true, seated(arguer{asked: func() {
			if asked.Add(1) == last {
				cancel()
			}
		}}))
		o.Jobs = 3
		d, ended := m.Run(ctx, o)
		cancel()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		switch {
		case ended == nil:
			if got := written(t, &d); got != want {
				t.Errorf("it gives\n%s", difference(got, want))
			}
			return
		case !errors.Is(ended, context.Canceled):
			t.Fatal(ended)
		case d.Whole() || d.Planned != whole.Planned:
			t.Fatalf("a run that was stopped has %d of %d", d.Done, d.Planned)
		}
		for _, run := range d.Runs {
			for i := range run.Results {
				if run.Results[i].Failed != "" {
					t.Fatalf("what was stopped counts as failed: %+v", run.Results[i])
				}
			}
		}
	}
	t.Error("it never came to its end")
}

func TestAFailedHearingIsHeldAgain(t *testing.T) {
	m := few(t, func(p *Plan) { p.Forms = []hearing.Form{hearing.FormSingle} })
	path := filepath.Join(t.TempDir(), "failed")
	unlucky := m.plan.Corpus.Scenarios[0].ID
	f := inFolder(t, path)
	d, err := m.Run(t.Context(), holding(t, m, f, true, seated(arguer{fails: func(packet string) bool { return packet == unlucky }})))
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if d.Summaries[0].Failed != 1 || !d.Whole() {
		t.Fatalf("%d failed", d.Summaries[0].Failed)
	}
	d, _, last := runIn(t, m, path)
	if d.Summaries[0].Failed != 0 || last.Kept != 3 || len(sessionFiles(t, path)) != 4 {
		t.Errorf("%d failed again, %+v", d.Summaries[0].Failed, last)
	}
}

func TestADamagedSessionIsHeldAgain(t *testing.T) {
	m := few(t, func(p *Plan) { p.Forms = []hearing.Form{hearing.FormSingle} })
	path := filepath.Join(t.TempDir(), "damaged")
	whole, _, _ := runIn(t, m, path)
	file := sessionFiles(t, path)[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	d, calls, last := runIn(t, m, path)
	if written(t, &d) != written(t, &whole) || calls != 2 || last.Kept != 3 {
		t.Errorf("it took %d calls, and told %+v", calls, last)
	}
}

// What is said depends on the facts, the seats and the form: another label, another judge of a form without a gate, or
// another repeat does not take another session of the earlier ones.
func TestAnItemIsItsContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "content")
	forms := []hearing.Form{hearing.FormSingle, hearing.FormSelective}
	plan := func(change func(*Plan)) *Matrix {
		return few(t, func(p *Plan) {
			p.Forms, p.Judges = forms, []judge.Version{judge.V2}
			if change != nil {
				change(p)
			}
		})
	}
	first, _, _ := runIn(t, plan(nil), path)
	for what, c := range map[string]struct {
		change func(*Plan)
		more   int
	}{
		"the same": {nil, 0},
		"another label": {func(p *Plan) {
			p.Corpus.Scenarios[0].Expected, p.Corpus.Scenarios[0].Name = judge.Inconclusive, "another"
		}, 0},
		"another nonce":                 {func(p *Plan) { p.Nonce = "lab" }, 0},
		"another judge, without a gate": {func(p *Plan) { p.Judges = []judge.Version{judge.V1}; p.Forms = forms[:1] }, 0},
		"another judge, with a gate":    {func(p *Plan) { p.Judges = []judge.Version{judge.V1, judge.V2} }, 4},
		"repeats":                       {func(p *Plan) { p.Repeats = 2 }, 8},
		"other facts": {func(p *Plan) {
			p.Corpus.Scenarios[0].Packet = p.Corpus.Scenarios[1].Packet
			p.Corpus.Scenarios[2].Packet = p.Corpus.Scenarios[3].Packet
		}, 0},
		"another question": {func(p *Plan) { p.Domain.Question = "Is it?" }, 8},
	} {
		t.Run(what, func(t *testing.T) {
			copied := filepath.Join(t.TempDir(), "copy")
			if err := os.CopyFS(copied, os.DirFS(path)); err != nil {
				t.Fatal(err)
			}
			d, _, _ := runIn(t, plan(c.change), copied)
			if got := len(sessionFiles(t, copied)) - 8; got != c.more {
				t.Errorf("%d more sessions, want %d", got, c.more)
			}
			if !d.Whole() {
				t.Errorf("%d of %d", d.Done, d.Planned)
			}
			switch same := written(t, &d) == written(t, &first); {
			case what == "the same" && !same:
				t.Error("the same sessions give another document")
			case what == "another label" && d.Summaries[0].Accuracy == first.Summaries[0].Accuracy:
				t.Error("the sessions are compared with the earlier label")
			case what == "other facts" && d.Runs[0].Results[0].Case == d.Runs[0].Results[1].Case:
				t.Error("two cases with the same facts have one id")
			}
		})
	}
}

func TestAFolderThatCannotBeWrittenStopsTheRun(t *testing.T) {
	m := few(t, nil)
	path := filepath.Join(t.TempDir(), "lost")
	f := inFolder(t, path)
	o := holding(t, m, f, true, seated(arguer{}))
	hold := o.Hold
	o.Hold = func(ctx context.Context, job queue.Job, pulse func(queue.Pulse)) (string, *state.State, queue.Result) {
		_, s, r := hold(ctx, job, pulse)
		return "lost", s, r
	}
	if _, err := m.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "keep the result of") {
		t.Errorf("it ends with %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// difference returns the first lines in which two documents differ.
func difference(got, want string) string {
	ours, theirs := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(ours), len(theirs)) {
		if ours[i] != theirs[i] {
			from := max(0, i-8)
			return strings.Join(ours[from:min(i+5, len(ours))], "\n") + "\nand not\n" + strings.Join(theirs[from:min(i+5, len(theirs))], "\n")
		}
	}
	return "another length"
}
