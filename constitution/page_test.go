package constitution_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"moot/constitution"
	"moot/enum"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

var update = flag.Bool("update", false, "write the checks, the bounds and the built-in text of docs/constitution.md anew")

const page = "../docs/constitution.md"

// TestPage keeps what docs/constitution.md tells of each check, with what the rules
// find of its two sentences, the bounds, and what is built in.
func TestPage(t *testing.T) {
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := old
	for _, part := range []struct{ name, text string }{
		{"mistakes", tellMistakes(t)},
		{"bounds", tellBounds()},
		{"checks", tellChecks(t)},
		{"the default", "```toml\n" + constitution.DefaultText() + "```\n"},
	} {
		begin, end := []byte("<!-- "+part.name+": written by a test -->\n"), []byte("<!-- end of "+part.name+" -->")
		before, rest, found := bytes.Cut(want, begin)
		_, after, ends := bytes.Cut(rest, end)
		if !found || !ends {
			t.Fatalf("%s has no place for %s", page, part.name)
		}
		want = slices.Concat(before, begin, []byte("\n"+part.text+"\n"), end, after)
	}
	if bytes.Equal(old, want) {
		return
	}
	if !*update {
		t.Fatalf("%s does not tell what is built in: run go test ./constitution -run Page -update", page)
	}
	if err := os.WriteFile(page, want, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The example of the page is a constitution, and looks for harm and bias.
func TestExampleOfThePage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "<!-- an example -->\n\n```toml\n")
	example, _, found := strings.Cut(rest, "```\n")
	c, err := constitution.Read([]byte(example), "mine.toml")
	if err != nil || !found {
		t.Fatalf("the example does not read: %v", err)
	}
	has := map[state.Check]bool{}
	for _, one := range c.Constraints {
		has[one.Check] = true
	}
	if !has[state.CheckNoHarm] || !has[state.CheckBias] {
		t.Errorf("the example has the checks %v", has)
	}
}

// said is what a seat says, as far as a check looks at it.
type said struct {
	claim      string
	references []string
	// beside are items of other seats, by what they say of the claim.
	beside    map[string]ledger.Relation
	key       bool
	limit     string
	sure      float64
	because   string
	challenge string
}

// example is a check with what passes it and what does not.
type example struct {
	check          state.Check
	demands        string
	deny           []string
	passes, breaks said
}

// examples has every check once.
func examples() []example {
	fact, proposal := "Every job is run once.", "Replace the queue with a stream"
	return []example{
		{
			check: state.CheckCites, demands: "A claim of fact has a reference. What was looked up and not found is none. A value judgment needs none.",
			passes: said{claim: fact, references: []string{"docs/queue.md:3"}}, breaks: said{claim: fact},
		},
		{
			check: state.CheckUncertainty, demands: "A claim names a limit, in its text or beside it, or a range, or its author a confidence below 1 with the reason. \"None\" is no limit.",
			passes: said{claim: "Every job is run once, unless the disk fails.", sure: 1}, breaks: said{claim: fact, limit: "none", sure: 1},
		},
		{
			check: state.CheckMethod, demands: "A challenge of the seat names method, sample, assumption or confounder, or evidence that does not carry the claim.",
			passes: said{claim: fact, challenge: "It was measured with one worker, which is a sample of one."},
			breaks: said{claim: fact, challenge: "Nobody will like that."},
		},
		{
			check: state.CheckDiverse, demands: "A key claim has references of two sources. Two lines of one file are one source; what is no key claim needs no second one.",
			passes: said{claim: fact, key: true, references: []string{"docs/queue.md:3", "bench/run.txt:12"}},
			breaks: said{claim: fact, key: true, references: []string{"docs/queue.md:3", "docs/queue.md:40"}},
		},
		{
			check: state.CheckFeasible, demands: "A claim that recommends something says how it is carried out: by what means, or in which steps.",
			passes: said{claim: proposal + ": first write to both, then read from the new one."}, breaks: said{claim: proposal + "."},
		},
		{
			check: state.CheckNoHarm, demands: "No claim says a phrase of `deny`. Case and marks do not count, words are whole, and a star stands for the rest of one. What speaks against it says the phrase too.",
			deny:   []string{"drop* the backup*"},
			passes: said{claim: "The backups stay where they are."}, breaks: said{claim: "Dropping the backups makes room."},
		},
		{
			check: state.CheckBias, demands: "The support of a claim is not all of one source, of one seat, or of one polarity, with nothing neutral or against it. It is flagged only.",
			passes: said{
				claim: fact, references: []string{"docs/queue.md:3", "bench/run.txt:12"},
				beside: map[string]ledger.Relation{"src/worker.go:20": ledger.Supports, "docs/issues.md:7": ledger.Refutes},
			},
			breaks: said{claim: fact, references: []string{"docs/queue.md:3"}},
		},
	}
}

// tellChecks are the examples with what the rules find of them. A sentence that
// passes must pass, and one that does not must be the only violation.
func tellChecks(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	told := map[state.Check]bool{}
	for _, e := range examples() {
		told[e.check] = true
		seats := constitution.Seats(e.check)
		if found := e.breaches(t, seats[0], &e.passes); len(found) > 0 {
			t.Errorf("%s: what should pass does not: %+v", e.check, found)
		}
		found := e.breaches(t, seats[0], &e.breaks)
		if len(found) != 1 {
			t.Fatalf("%s: what should not pass gives %+v", e.check, found)
		}
		fmt.Fprintf(&out, "**`%s`** under %s. %s\n\n", e.check, strings.Join(enum.Words(seats), ", "), e.demands)
		if len(e.deny) > 0 {
			fmt.Fprintf(&out, "- looks for: `%s`\n", strings.Join(e.deny, "`, `"))
		}
		fmt.Fprintf(&out, "- passes: %s\n- violates: %s\n- is told as: `%s`\n\n", &e.passes, &e.breaks, found[0].Text)
	}
	for _, check := range state.Checks() {
		if !told[check] {
			t.Errorf("the page has no example of %s", check)
		}
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// breaches are the violations of the check where the seats said so.
func (e *example) breaches(t *testing.T, seat state.Seat, what *said) []state.Breach {
	t.Helper()
	var s state.State
	add := func(payload state.Payload) {
		next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: payload})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	offer := func(by state.Seat, relation ledger.Relation, reference string) {
		add(&state.EvidenceOffered{ID: state.NextID('E', s.Evidence.Len()), Point: "P1", Relation: relation, Reference: reference, By: by})
	}
	opened := &state.SessionOpened{Version: state.Version, ID: "s", Question: "Is every job run once?"}
	opened.Settings = state.Settings{Format: state.FormatCouncil, Council: &state.CouncilSettings{
		Rounds: state.DefaultCouncilRounds, Weights: state.DefaultWeights(), Decision: state.DefaultDecision,
		Constitution: state.Constitution{Constraints: []state.Constraint{{ID: "it", Seat: seat, Text: "Do it.", Check: e.check, Deny: e.deny}}},
	}}
	for _, each := range state.CouncilSeats() {
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: each})
	}
	add(opened)
	add(&state.RoundStarted{Round: 1})
	add(&state.PointRaised{ID: "P1", By: state.Strategist, Text: what.claim, Key: what.key, Limit: what.limit})
	for _, reference := range what.references {
		offer(state.Strategist, ledger.Supports, reference)
	}
	for reference, relation := range what.beside {
		offer(state.Critic, relation, reference)
	}
	if what.sure > 0 {
		add(&state.ConfidenceReported{Seat: state.Strategist, Point: "P1", Stated: what.sure, Admitted: what.sure, Cause: what.because})
	}
	if what.challenge != "" {
		add(&state.ChallengeRaised{ID: "C1", Point: "P1", By: seat, What: state.Skeptical, Objection: what.challenge})
	}
	return resolver.Breaches(&s)
}

// String is what was said, as the page tells it.
func (s *said) String() string {
	if s.challenge != "" {
		return "*" + s.challenge + "*"
	}
	parts := []string{"*" + s.claim + "*"}
	if s.key {
		parts = append(parts, "a key claim")
	}
	if len(s.references) > 0 {
		parts = append(parts, "with `"+strings.Join(s.references, "` and `")+"`")
	}
	for _, one := range []struct {
		relation ledger.Relation
		says     string
	}{{ledger.Supports, "supports it too"}, {ledger.Refutes, "refutes it"}} {
		for reference, relation := range s.beside {
			if relation == one.relation {
				parts = append(parts, "the critic cites `"+reference+"`, which "+one.says)
			}
		}
	}
	if s.limit != "" {
		parts = append(parts, "with the limit \""+s.limit+"\"")
	}
	if s.sure > 0 {
		parts = append(parts, fmt.Sprintf("confidence %g", s.sure))
	}
	return strings.Join(parts, ", ")
}

// tellMistakes are what is told of a file.
func tellMistakes(t *testing.T) string {
	t.Helper()
	_, err := constitution.Read([]byte(least+"severity = \"HIGH\"\n[[critics]]\nid = \"look\"\ntext = \"Look twice.\"\n[[critic]]\nid = \"cite\"\ntext = \"Look twice.\"\ncheck = \"challenge-method\"\n"), "mine.toml")
	if err == nil {
		t.Fatal("mistakes read")
	}
	return "```text\n" + err.Error() + "\n```\n"
}

func tellBounds() string {
	var out strings.Builder
	out.WriteString("| what | at most |\n|---|---|\n")
	for _, row := range []struct {
		what  string
		bound int
		unit  string
	}{
		{"the file", constitution.MaxBytes >> 10, "KB"},
		{"constraints of a seat", constitution.MaxPerSeat, ""},
		{"`id`", constitution.MaxID, "letters, digits, `-` and `_`, the first a letter"},
		{"`text`", constitution.MaxText, "characters; line breaks become blanks"},
		{"phrases in `deny`", constitution.MaxDeny, ""},
		{"a phrase", constitution.MaxPhrase, "characters"},
	} {
		fmt.Fprintf(&out, "| %s | %s |\n", row.what, strings.TrimSpace(fmt.Sprint(row.bound, " ", row.unit)))
	}
	return out.String()
}
