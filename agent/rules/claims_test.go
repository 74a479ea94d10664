package rules

import (
	"testing"

	"moot/ledger"
	"moot/state"
)

func TestCompareClaims(t *testing.T) {
	l := readLexicon()
	for _, c := range []struct {
		a, b string
		want likeness
	}{
		{"The queue is safe to retry", "the queue is really safe to retry.", sameWords},
		{"Put blocks the caller (queue.go:12)", "Put blocks the caller", sameWords},
		{`queue.go:12 says: "// Put blocks the caller"`, "Put blocks the caller", sameWords},
		{"In the store writes are locked", "Writes are locked in the store", sameWords},
		{"A job is tried three times", "a job is tried 3 times", sameWords},
		// What binds is never the same.
		{"The queue is safe to retry", "The queue is not safe to retry", apart},
		{"The reader waits for the writer", "The writer waits for the reader", apart},
		{"The queue may lose a job", "The queue will lose a job", apart},
		{"It is locked for the writer alone", "It is locked by the writer alone", apart},
		{"It stops on errors and timeouts", "It stops on errors or timeouts", apart},
		{"The offset starts at -5 here", "The offset starts at 5 here", otherValue},
		{"The share is 0.5 percent", "The share is 5.0 percent", otherValue},
		{"It compares a == b here", "It compares a != b here", apart},
		// One subject, another value.
		{"A job is tried 3 times", "A job is tried five times", otherValue},
		{"The lock is taken in store.go", "The lock is taken in cache.go", otherValue},
		{"The timeout is set by maxWait", "The timeout is set by maxIdle", otherValue},
		// What they are about differs, or too little is shared.
		{"store.go locks the file", "cache.go locks the file", apart},
		{"3 of 5 jobs", "4 of 6 tries", apart},
		{"The pause is 5 s long", "The pause is 5 ms long", apart},
		{"yes", "yes", apart},
		{"", "", apart},
	} {
		if got := l.compareClaims(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.a, c.b, got, c.want)
		}
		if got := l.compareClaims(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.b, c.a, got, c.want)
		}
	}
}

func TestStatementsOf(t *testing.T) {
	l := readLexicon()
	for _, c := range []struct {
		name string
		passage
		want []statement
	}{
		{"comments", passage{path: "a.go", line: 4, text: "// Put blocks the caller. It never\n// drops a job.\nfunc Put() {"}, []statement{
			{"Put blocks the caller", 4, 4}, {"It never drops a job", 4, 5},
		}},
		{"a beginning that is not seen", passage{path: "a.go", line: 4, text: "// and drops the oldest job. Then Put blocks the caller."}, []statement{
			{"Then Put blocks the caller", 4, 4},
		}},
		{"a list", passage{path: "notes.md", line: 9, text: "# Limits of the queue\n\n- Put blocks the caller\n- Get drops the job"}, []statement{
			{"Put blocks the caller", 11, 11}, {"Get drops the job", 12, 12},
		}},
		{"code", passage{path: "a.go", line: 1, text: "x := put(job)\nreturn x, nil"}, nil},
	} {
		got := l.statementsOf(&c.passage)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %+v, want %+v", c.name, got[i], c.want[i])
			}
		}
	}
}

// A point of a panel is conceded where a verified refutation outranks its support:
// a run outranks a text. What ranks alike is argued, and no other format concedes so.
func TestRefuted(t *testing.T) {
	text := &ledger.Evidence{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence}
	run := &ledger.Evidence{ID: "E2", Type: ledger.Execution, SourceKind: ledger.LiveAPI}
	for _, c := range []struct {
		name     string
		format   state.Format
		standing standing
		want     *ledger.Evidence
	}{
		{"a run against a text", state.FormatPanel, standing{support: text, refutation: run}, run},
		{"nothing for it", state.FormatPanel, standing{refutation: text}, text},
		{"as strong", state.FormatPanel, standing{support: text, refutation: text}, nil},
		{"not refuted", state.FormatPanel, standing{support: text}, nil},
		{"a consultation", state.FormatConsult, standing{support: text, refutation: run}, nil},
	} {
		of := &turn{s: &state.State{Settings: state.Settings{Format: c.format}}}
		if got := of.refuted(&c.standing); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
