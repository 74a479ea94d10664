//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

var battery = flag.Bool("battery", false, "run the fault battery in full: 300 kills, every truncation, 2,000 flips")

// faultSession is how a session of its scripts is asked for.
var faultSession = []string{
	"ask", "--headless", "--workspace", ".", "--orchestrator", "script:orchestrator.txt", "--consultee", "script:consultee.txt",
	"How often is a job retried?",
}

// TestBatteryKills kills moot at random moments, first in a new session and then in the same one
// when it is resumed. The session ends as it does without a kill.
func TestBatteryKills(t *testing.T) {
	dir, kills := stateIn(t), 6
	if *battery {
		kills = 300
	}
	scripts(t, dir)
	start := time.Now()
	runFor(t, time.Hour, dir, faultSession...)
	took, want := time.Since(start), ends(t)[0]
	random := rand.New(rand.NewPCG(20, 26))
	moment := func() time.Duration { return time.Duration(random.Int64N(int64(took + took/4))) }
	killed, resumed := 0, 0
	for killed < kills {
		t.Setenv(store.StateVariable, t.TempDir())
		if runFor(t, moment(), dir, faultSession...) {
			killed++
		}
		for killed < kills && random.IntN(3) > 0 {
			if left := ends(t); len(left) == 0 || left[0].Closed {
				break
			}
			if runFor(t, moment(), dir, "resume", "--headless") {
				killed++
			}
		}
		left := ends(t)
		switch {
		case len(left) == 0: // It was killed before the session was created.
			runFor(t, time.Hour, dir, faultSession...)
		case !left[0].Closed:
			runFor(t, time.Hour, dir, "resume", "--headless")
			resumed++
		}
		if got := verified(t); len(got) != 1 || !reflect.DeepEqual(outcome(got[0]), outcome(want)) {
			t.Fatalf("after %d kills, %d sessions: %+v, without a kill: %+v", killed, len(got), outcome(got[0]), outcome(want))
		}
	}
	t.Logf("%d kills, %d sessions resumed", killed, resumed)
}

// runFor runs moot and reports whether it was killed when its time was over.
func runFor(t *testing.T, limit time.Duration, dir string, args ...string) (killed bool) {
	t.Helper()
	cmd := exec.Command("moot", args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if exit := (*exec.ExitError)(nil); !kill.Stop() && errors.As(err, &exit) && exit.ExitCode() == -1 {
		return true
	}
	if err != nil && cmd.ProcessState.ExitCode() != 0 {
		t.Fatalf("moot %s: %v\n%s", args[0], err, said.String())
	}
	return false
}

// ends are the sessions as their files have them.
func ends(t *testing.T) []*state.State {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv(store.StateVariable), "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*state.State
	for _, file := range files {
		opened, err := store.Read(file, formats.Rules()...)
		if len(opened.Events) == 0 {
			continue // It was killed before the first event.
		}
		s, replayed := state.Replay(opened.Events)
		if err = errors.Join(err, replayed); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// outcome returns the result of a session.
func outcome(s *state.State) any {
	rulings := resolver.Rule(s)
	for i := range rulings {
		rulings[i].Reads = nil
	}
	return []any{s.Closed, s.Exit, s.Round, s.Questions, rulings}
}

// finished is the file of a finished session, and its events.
func finished(t *testing.T) ([]byte, []state.Event) {
	t.Helper()
	dir := stateIn(t)
	scripts(t, dir)
	runFor(t, time.Hour, dir, faultSession...)
	file := sessionFile(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := store.Read(file, formats.Rules()...)
	if err != nil {
		t.Fatal(err)
	}
	return text, opened.Events
}

// TestBatteryTruncations cuts the file of a session at every byte. moot reads the beginning of
// the session up to a complete write, and reports the rest.
func TestBatteryTruncations(t *testing.T) {
	text, events := finished(t)
	step := 211
	if *battery {
		step = 1
	}
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	cuts, refused, checked := 0, 0, 0
	for n := 0; n < len(text); n += step {
		cuts++
		write(t, path, text[:n])
		opened, err := store.Read(path, formats.Rules()...)
		if err != nil {
			refused++
			continue
		}
		got := len(opened.Events)
		if !reflect.DeepEqual(opened.Events, events[:got]) {
			t.Fatalf("cut after %d bytes: the events differ", n)
		}
		if opened.Size < int64(n) && opened.Repaired == (store.Repair{}) {
			t.Fatalf("cut after %d bytes: nothing is told about %d of them", n, int64(n)-opened.Size)
		}
		if got == checked {
			continue
		}
		checked = got
		if _, err := recomputed(t, opened.Events); err != nil {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
	t.Logf("%d truncations of %d bytes, %d refused", cuts, len(text), refused)
}

// TestBatteryFlips flips single bits of a finished session. Each is found.
func TestBatteryFlips(t *testing.T) {
	text, events := finished(t)
	flips := 60
	if *battery {
		flips = 2000
	}
	random := rand.New(rand.NewPCG(20, 26))
	path := filepath.Join(t.TempDir(), "flipped.jsonl")
	for i := range flips {
		at, bit := random.IntN(len(text)), byte(1)<<random.IntN(8)
		if i < 8 {
			at, bit = len(text)-1, 1<<i // the last newline
		}
		flipped := bytes.Clone(text)
		flipped[at] ^= bit
		write(t, path, flipped)
		if opened, err := store.Read(path, formats.Rules()...); err == nil {
			t.Errorf("bit %#x of byte %d of %d: %d of %d events are read, %+v", bit, at, len(text), len(opened.Events), len(events), opened.Repaired)
		}
	}
	t.Logf("%d flips in %d bytes", flips, len(text))
}
