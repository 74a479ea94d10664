package lab

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/state/store"
)

// journaled runs with a journal in a file, and returns both.
func journaled(t *testing.T, m *Matrix) (whole Document, journal []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	j, err := m.OpenJournal(path, false)
	if err != nil {
		t.Fatal(err)
	}
	whole = ran(t, m, Options{Jobs: 3, Journal: j})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	journal, err = os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole, journal
}

func TestAJournalThatWasCutAnywhereGivesTheSame(t *testing.T) {
	m := few(t, func(p *Plan) {
		p.Corpus = p.Corpus.Select(nil, 1)
		p.Forms = []hearing.Form{hearing.FormSingle, hearing.FormMulti}
	})
	whole, journal := journaled(t, m)
	want := written(t, &whole)
	lines := bytes.Count(journal, []byte("\n"))
	if lines != 1+m.Sessions() {
		t.Fatalf("the journal has %d lines", lines)
	}
	path := filepath.Join(t.TempDir(), "journal")
	places := rand.New(rand.NewPCG(1, 2)).Perm(len(journal) + 1)[:20]
	for place := range journal {
		if c := journal[place]; c == '\n' {
			places = append(places, place, place+1)
		}
	}
	for _, place := range append(places, 0, 1) {
		if err := os.WriteFile(path, journal[:place], 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := m.OpenJournal(path, true)
		if err != nil {
			t.Fatalf("cut at %d: %v", place, err)
		}
		var kept int
		d := ran(t, m, Options{Jobs: 2, Journal: j, Watch: func(p Progress) { kept = p.Kept }})
		if got := written(t, &d); got != want {
			t.Fatalf("cut at %d it gives\n%s", place, got)
		}
		if before := max(bytes.Count(journal[:place], []byte("\n"))-1, 0); kept != before {
			t.Errorf("cut at %d, %d sessions are kept of %d", place, kept, before)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(path)
		if err != nil || bytes.Count(after, []byte("\n")) != lines {
			t.Fatalf("cut at %d the journal has %d lines, %v", place, bytes.Count(after, []byte("\n")), err)
		}
	}
}

func TestAStoppedRunContinues(t *testing.T) {
	m := few(t, nil)
	whole, _ := journaled(t, m)
	want := written(t, &whole)
	random := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "journal")
	j, err := m.OpenJournal(path, false)
	for range 100 {
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var asked atomic.Int64
		last := int64(5 + random.IntN(40))
		stopping := seated(arguer{asked: func() {
			if asked.Add(1) == last {
				cancel()
			}
		}})
		d, ended := m.Run(ctx, Options{Jobs: 3, Journal: j, Seats: stopping})
		cancel()
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		switch {
		case ended == nil:
			if got := written(t, &d); got != want {
				t.Errorf("it gives\n%s", got)
			}
			return
		case !errors.Is(ended, protocol.ErrStopped):
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
		j, err = m.OpenJournal(path, true)
	}
	t.Error("it never came to its end")
}

func TestAJournalHasOneWriter(t *testing.T) {
	m := few(t, nil)
	path := filepath.Join(t.TempDir(), "journal")
	j, err := m.OpenJournal(path, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, resume := range []bool{false, true} {
		_, err := m.OpenJournal(path, resume)
		if held, is := errors.AsType[*store.HeldError](err); !is || held.Path != path {
			t.Errorf("a journal in use is opened with resume %v: %v", resume, err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.OpenJournal(path, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a journal with results is overwritten: %v", err)
	}
	if j, err = m.OpenJournal(path, true); err != nil {
		t.Fatalf("a journal with results cannot be continued: %v", err)
	}
	if err := j.Remove(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
}

func TestWhatIsNoJournalIsRefused(t *testing.T) {
	m := few(t, nil)
	_, journal := journaled(t, m)
	lines := bytes.SplitAfter(journal, []byte("\n"))
	for what, text := range map[string]string{
		"is not a journal":     "{}\n",
		"x is not a journal":   "a text",
		"line 2 is damaged":    string(lines[0]) + "{\n",
		"line 3 is damaged":    string(lines[0]) + string(lines[1]) + `{"case":"a","judges":["v1"],"results":[]}` + "\n" + string(lines[2]),
		"not part of this run": string(lines[0]) + `{"case":"a","judges":[],"results":[]}` + "\n",
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := m.OpenJournal(path, true)
		if err == nil {
			_, err = m.Run(t.Context(), Options{Journal: j, Seats: seated(arguer{})})
			if closed := j.Close(); closed != nil {
				t.Fatal(closed)
			}
		}
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("%s: the file was changed", what)
		}
	}
}

func TestAJournalThatCannotBeWrittenStopsTheRun(t *testing.T) {
	m := few(t, nil)
	j, err := m.OpenJournal(filepath.Join(t.TempDir(), "journal"), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := m.Run(t.Context(), Options{Jobs: 2, Journal: j, Seats: seated(arguer{})})
	if err == nil || !strings.Contains(err.Error(), "store the results") || d.Done > 0 {
		t.Errorf("%d are done, %v", d.Done, err)
	}
}
