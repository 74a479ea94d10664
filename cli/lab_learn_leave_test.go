package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/lab/corpora"
	"moot/lab/learn"
)

// A signal ends learning, with its own exit code, and nothing is kept.
func TestASignalLeavesLabLearn(t *testing.T) {
	var said bytes.Buffer
	signals := make(chan os.Signal, 1)
	c := &Console{Out: &said, Err: &said, Signals: signals, Dir: t.TempDir()}
	book, err := readDomain(c, "change")
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := corpora.Open("change")
	if err != nil {
		t.Fatal(err)
	}
	// The development half is read from two folders, so that one may be tried on the other.
	var sorted []corpora.Scenario
	for i, s := range corpus.Scenarios {
		if s.Roles != nil {
			s.Place = filepath.ToSlash(filepath.Join([]string{"one", "other"}[i%2], "x.json"))
			sorted = append(sorted, s)
		}
	}
	signals <- os.Interrupt
	learnt, err := learnUntilLeft(t.Context(), c, learn.Options{Domain: book}, sorted)
	if learnt != nil || exitCode(err) != ExitInterrupted || !strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("it leaves with %v", err)
	}
}
