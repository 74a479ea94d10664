package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/state"
)

// ambiguous is a researcher for which a name alone fits two files.
type ambiguous struct{}

func (ambiguous) Check(_ context.Context, reference, quote string) ledger.Finding {
	if strings.HasPrefix(reference, "same.go") {
		return ledger.Finding{Reason: "unclear: several files fit", Candidates: []string{"a/same.go", "b/same.go"}}
	}
	return protocoltest.Finding(&ledger.Evidence{Reference: reference, Excerpt: quote})
}

// A name that fits several files means the one that the seat cited before, and another seat's citation decides nothing.
func TestTheFileThatTheSeatCitedBefore(t *testing.T) {
	for name, c := range map[string]struct {
		earlier []string
		by      string
		want    string
	}{
		"one":               {[]string{"a/same.go:1"}, "consultee", "a/same.go:3"},
		"both":              {[]string{"a/same.go:1", "b/same.go:2"}, "consultee", ""},
		"none":              {[]string{"other.go:1"}, "consultee", ""},
		"by another seat":   {[]string{"a/same.go:1"}, "orchestrator", ""},
		"among other files": {[]string{"other.go:1", "b/same.go:2", "b/same.go:9"}, "consultee", "b/same.go:3"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &state.State{}
			for i, reference := range append(c.earlier, "same.go:3") {
				item := &ledger.Evidence{ID: state.NextID('E', i), Reference: reference, OfferedBy: c.by}
				if i == len(c.earlier) {
					item.OfferedBy = "consultee"
				}
				s.Evidence = s.Evidence.Append(item)
			}
			item := s.Item(state.NextID('E', len(c.earlier)))
			first := ambiguous{}.Check(t.Context(), item.Reference, "")
			again := clearer(item, first.Candidates, citedBefore(s, item))
			if got := again; (got != nil) != (c.want != "") || got != nil && got.Reference != c.want {
				t.Errorf("%+v, want %q", got, c.want)
			}
		})
	}
}

// troubled is a researcher in which some checks go wrong. Each waits until all have begun.
type troubled struct {
	begun   sync.WaitGroup
	forever chan struct{}
}

func (r *troubled) Check(ctx context.Context, reference, quote string) ledger.Finding {
	r.begun.Done()
	r.begun.Wait()
	limit, _ := ctx.Deadline()
	switch where, _, _ := strings.Cut(reference, "/"); where {
	case "fails":
		return ledger.Finding{Reason: "no such place"}
	case "panics":
		panic("a defect " + strings.Repeat("x", 1000))
	case "slow":
		<-ctx.Done()
		return ledger.Finding{Reason: "ended after " + time.Until(limit).String()}
	case "stuck":
		<-r.forever
	}
	return protocoltest.Finding(&ledger.Evidence{Reference: reference, Excerpt: quote})
}

// Checks run side by side with a deadline each. One that fails, panics, takes too long or never ends refuses its own item,
// with the reason, and the session continues.
func TestABadCheckRefusesItsOwnItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &record{otherRules: true}
		seats := agreeable()
		seats[state.Consultee] = says(map[state.Stage]string{
			state.StagePropose: "1. Alpha holds good/a.go:1 \"alpha\"\n2. Beta holds fails/a.go:1 \"beta\"\n" +
				"3. Gamma holds panics/a.go:1 \"gamma\"\n4. Delta holds slow/a.go:1 \"delta\"\n" +
				"5. Epsilon holds stuck/a.go:1 \"epsilon\"",
			state.StageCoverage: "NOTHING",
		})
		researcher := &troubled{forever: make(chan struct{})}
		researcher.begun.Add(5)
		o := options(t, log, protocoltest.Opened(consult.Name), seats)
		o.Researcher = researcher
		began := time.Now()
		if err := New(o).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took, most := time.Since(began), 10*time.Second+afterDeadline; took != most {
			t.Errorf("the checks took %v, want %v", took, most)
		}
		close(researcher.forever)
		s, err := state.Replay(log.events)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{
			"in place", "no such place", "the check failed: a defect xxx", "ended after 0s",
			"the check did not end: context deadline exceeded",
		} {
			item := s.Evidence.At(i)
			if !item.Checked || item.Verified != (i == 0) || !strings.HasPrefix(item.Reason, want) || len(item.Reason) > 400 {
				t.Errorf("%s is checked %t, verified %t: %s; want %s", item.Reference, item.Checked, item.Verified, item.Reason, want)
			}
		}
		if !s.Closed {
			t.Error("the session did not end")
		}
	})
}

// found holds the results of a search of the folder. Bound names the part that was searched, if not everything.
type found struct {
	text  string
	shown []state.Passage
	err   error
	bound string
	asked *move.Search
}

func (f *found) Look(_ context.Context, lookup move.Move, _ int) (string, []state.Passage, error) {
	f.asked, _ = lookup.(*move.Search)
	return f.text, f.shown, f.err
}

func (f *found) Bound() string { return f.bound }

// A query or lookup that was asked for as evidence is met, or not met, only if what was found says so: lines that are no
// evidence, an incomplete search and an error are neither.
func TestARequestedLookup(t *testing.T) {
	t.Parallel()
	places := func(count int) (shown []state.Passage) {
		for i := range count {
			shown = append(shown, state.Passage{Path: fmt.Sprintf("a%d.go", i), From: 1, To: 1})
		}
		return shown
	}
	nothing := protocol.NothingFound("no line has the text")
	for _, c := range []struct {
		name, expect string
		looker       *found
		// outcome is "met", "not met" or "unknown".
		outcome, reason string
	}{
		{"found", "found", &found{shown: places(1)}, "met", "found in a0.go:1; expected and met"},
		{"lines from and to", "found", &found{shown: []state.Passage{{Path: "a.go", From: 2, To: 4}}}, "met", "found in a.go:2-4"},
		{"found without an expectation", "", &found{shown: places(1)}, "met", "found in a0.go:1"},
		{"nothing found", "found", &found{err: nothing}, "not met", "no line has the text; expected and not met"},
		{"none expected", "none", &found{err: nothing}, "met", "no line has the text; expected and met"},
		{"none expected, and found", "none", &found{shown: places(1)}, "not met", "found in a0.go:1"},
		{"has the text", `has "lines of a1.go"`, &found{shown: places(2)}, "met", "found in a0.go:1, a1.go:1"},
		{"lacks the text", `lacks "lines of a9.go"`, &found{shown: places(2)}, "met", "found in"},
		{"lacks a text that is there", `lacks "lines of a1.go"`, &found{shown: places(2)}, "not met", "found in"},
		{"a text in nothing", `lacks "x"`, &found{err: nothing}, "unknown", "nothing was found that could hold the text"},
		{"more places than are checked", `lacks "x"`, &found{shown: places(mostPlaces + 1)}, "unknown", "not everything could be searched"},
		{"an answer that was cut", `has "x"`, &found{shown: places(1), text: "a0.go\nthere are more matches: 9"}, "unknown", "not everything could be searched"},
		{"a folder too large to find nothing in", "none", &found{err: nothing, bound: "the first 9 files"}, "unknown", "only the first 9 files of the folder were looked at"},
		{"only refused lines", "found", &found{shown: []state.Passage{{Path: "bad.go", From: 1, To: 1}}}, "unknown", "what it found is no evidence: bad.go:1"},
		{"refused lines where none were expected", "none", &found{shown: []state.Passage{{Path: "bad.go", From: 1, To: 1}}}, "unknown", "what it found is no evidence"},
		{"an error", "found", &found{err: errors.New("the glob is broken")}, "unknown", "the glob is broken"},
		{"an expectation that cannot be read", "probably", &found{shown: places(1)}, "unknown", "cannot be read"},
	} {
		r := &Session{Options: Options{State: &state.State{}, Looker: c.looker, Researcher: quoting{}}}
		f := r.lookUp(t.Context(), &ledger.Evidence{Reference: "SEARCH retries(", Expect: c.expect, Asked: true})
		outcome := map[[2]bool]string{{true, false}: "met", {false, true}: "not met", {false, false}: "unknown"}[[2]bool{f.Verified, f.Unmet}]
		if outcome != c.outcome || !strings.Contains(f.Reason, c.reason) {
			t.Errorf("%s: %q, want %s: %+v", c.name, outcome, c.outcome, f)
		}
		if asked := c.looker.asked; asked != nil && asked.Query != `/(?i)retries\(/` {
			t.Errorf("%s: the words are searched as %q", c.name, asked.Query)
		}
	}
	none := &Session{Options: Options{State: &state.State{}, Researcher: quoting{}}}
	if f := none.lookUp(t.Context(), &ledger.Evidence{Reference: "SEARCH x", Asked: true}); f.Verified || f.Unmet || !strings.Contains(f.Reason, "switched off") {
		t.Errorf("without a workspace: %+v", f)
	}
	if f := none.lookUp(t.Context(), &ledger.Evidence{Reference: "GUESS x", Asked: true}); f.Verified || f.Unmet || !strings.Contains(f.Reason, "is no lookup") {
		t.Errorf("no lookup: %+v", f)
	}
	// What a document under examination says is no evidence (RV4).
	examined := &state.State{Question: "Is plan.md sound?"}
	r := &Session{Options: Options{State: examined, Looker: &found{shown: []state.Passage{{Path: "plan.md", From: 1, To: 1}}}, Researcher: quoting{}}}
	if f := r.lookUp(t.Context(), &ledger.Evidence{Reference: "SEARCH x", Asked: true}); f.Verified || f.Unmet || !strings.Contains(f.Reason, "plan.md is under examination") {
		t.Errorf("a plan that is under examination: %+v", f)
	}
}

// quoting finds each place but those of bad files, and gives lines that name the file.
type quoting struct{}

func (quoting) Check(_ context.Context, reference, _ string) ledger.Finding {
	if strings.HasPrefix(reference, "bad") {
		return ledger.Finding{Reason: "it changed since the session was opened"}
	}
	path, _, _ := strings.Cut(reference, ":")
	return ledger.Finding{Verified: true, Excerpt: "lines of " + path}
}
