package gates_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"mvdan.cc/sh/v3/shell"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
)

// TestScenarios runs testdata/scenarios: the
// smallest example of every rule. Each line of a case is one thing:
//
//	directive TEXT · round N · as-of TIME · proposed N
//	config JSON
//	field PATH = JSON [category=WORD] [severity=WORD] [grounded] [cites=E1,E2] [derived=sum:E1,E2]
//	objection C1 PATH [category=WORD] [severity=WORD] [predicate=TEXT] [evidence=E1] [ruling=WORD] [conceded]
//	evidence E1 KIND CONFIDENCE supports|contradicts PATH [value=JSON] [quote=TEXT] [predicate=TEXT] [round=N]
//	         [unverified] [contested] [observed=TIME]
//	fact F1 PATH OP JSON
//	request Q1 C1 [answered]
//	before: the lines above were the round before, whose result is given along
//
// An objection is about Safety and BLOCKING where it does not say otherwise. The
// answer has the resolutions, what each gate has to say that did not simply
// pass, the warnings and the decision; "receipts" shows those instead.
func TestScenarios(t *testing.T) {
	datadriven.Walk(t, "testdata/scenarios", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			in := scene(t, d.Input)
			result := gates.Resolve(in)
			switch d.Cmd {
			case "resolve":
				return told(&result)
			case "receipts":
				return receipted(&result)
			}
			return "unknown command " + d.Cmd
		})
	})
}

func told(r *gates.Result) string {
	var out strings.Builder
	for _, s := range r.Artifact.Resolutions {
		fmt.Fprintf(&out, "%s %s by %s", s.Objection, s.Outcome, s.Rule)
		if s.Decider != "" {
			fmt.Fprintf(&out, ", decided by %s", s.Decider)
		}
		out.WriteByte('\n')
	}
	for _, g := range r.Artifact.Validation.Gates {
		for _, reason := range g.Reasons {
			word := map[bool]string{true: "passes", false: "FAILS"}[g.Pass]
			if g.Pass && (strings.HasPrefix(reason, "no ") || strings.HasPrefix(reason, "nothing was")) {
				continue
			}
			fmt.Fprintf(&out, "%s %s: %s\n", g.Gate, word, reason)
		}
	}
	for _, w := range r.Artifact.Validation.Warnings {
		fmt.Fprintf(&out, "warning: %s\n", w)
	}
	last := r.Receipts[len(r.Receipts)-1]
	fmt.Fprintf(&out, "%s: %s\n", r.Decision, last.Reason)
	return out.String()
}

func receipted(r *gates.Result) string {
	var out strings.Builder
	for _, s := range r.Receipts {
		fmt.Fprintf(&out, "%d round %d %s of %s read %v, %v of %v: %s, %s\n  %.12s… after %.12s…\n", s.Seq, s.Round,
			s.Rule, s.Subject,
			s.Reads, s.Observed, s.Threshold, s.Outcome, s.Reason, s.Hash, s.Prev)
	}
	return out.String()
}

// scene reads a case.
func scene(t *testing.T, text string) *gates.Input {
	t.Helper()
	in := &gates.Input{Round: 1}
	in.Artifact.Proposal = gates.Proposal{ID: "P1", Round: 1}
	for line := range strings.SplitSeq(text, "\n") {
		words, err := shell.Fields(line, func(string) string { return "" })
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if len(words) == 0 {
			continue
		}
		if words[0] == "before" {
			result := gates.Resolve(in)
			again := &gates.Input{
				Directive: in.Directive, Round: in.Round + 1, Config: in.Config,
				Rounds: append(in.Rounds, result),
			}
			again.Artifact.Proposal = gates.Proposal{ID: "P1", Round: 1}
			in = again
			continue
		}
		if err := enter(in, words); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return in
}

func enter(in *gates.Input, words []string) (err error) {
	rest := strings.Join(words[1:], " ")
	switch words[0] {
	case "directive":
		in.Directive = rest
	case "round":
		in.Round, err = strconv.Atoi(rest)
	case "proposed":
		in.Artifact.Proposal.Round, err = strconv.Atoi(rest)
	case "as-of":
		in.AsOf, err = time.Parse(time.RFC3339, rest)
	case "config":
		err = json.Unmarshal([]byte(rest), &in.Config)
	case "field":
		f := gates.Field{Path: words[1], Value: json.RawMessage(words[3])}
		for key, value := range options(words[4:]) {
			switch key {
			case "category":
				f.Category = value
			case "severity":
				f.Severity = gates.Severity(value)
			case "grounded":
				f.Grounded = true
			case "cites":
				f.Evidence = strings.Split(value, ",")
			case "derived":
				op, of, _ := strings.Cut(value, ":")
				f.Derived = &gates.Derivation{Op: gates.Operation(op), Of: strings.Split(of, ",")}
			default:
				return fmt.Errorf("unknown option %s", key)
			}
		}
		in.Artifact.Proposal.Fields = append(in.Artifact.Proposal.Fields, f)
	case "objection":
		o := gates.Objection{
			ID: words[1], Target: words[2], Category: "Safety", Severity: gates.Blocking,
			Round: 1,
		}
		for key, value := range options(words[3:]) {
			switch key {
			case "category":
				o.Category = value
			case "severity":
				o.Severity = gates.Severity(value)
			case "predicate":
				o.Predicate = value
			case "evidence":
				o.Evidence = strings.Split(value, ",")
			case "ruling":
				o.Ruling = gates.Ruling(value)
			case "conceded":
				o.Conceded = true
			default:
				return fmt.Errorf("unknown option %s", key)
			}
		}
		in.Artifact.Objections = append(in.Artifact.Objections, o)
	case "evidence":
		return enterEvidence(in, words)
	case "fact":
		f := gates.Constraint{
			ID: words[1], Path: words[2], Op: words[3], Value: json.RawMessage(words[4]),
		}
		in.Facts = append(in.Facts, f)
	case "request":
		in.Requests = append(in.Requests,
			gates.Request{ID: words[1], Objection: words[2], Answered: len(words) > 3})
	default:
		return fmt.Errorf("unknown line %s", words[0])
	}
	return err
}

func enterEvidence(in *gates.Input, words []string) (err error) {
	e := gates.Evidence{
		ID: words[1], SourceKind: ledger.SourceKind(words[2]), Point: words[5], Round: 1,
		Verified: true, Relation: ledger.Supports,
	}
	if words[4] == "contradicts" {
		e.Relation = ledger.Refutes
	}
	if e.Confidence, err = strconv.ParseFloat(words[3], 64); err != nil {
		return err
	}
	for key, value := range options(words[6:]) {
		switch key {
		case "value":
			e.Value = json.RawMessage(value)
		case "quote":
			e.Quote = value
		case "predicate":
			e.Predicate = value
		case "round":
			e.Round, err = strconv.Atoi(value)
		case "unverified":
			e.Verified = false
		case "contested":
			e.Contested = true
		case "observed":
			e.ObservedAt, err = time.Parse(time.RFC3339, value)
		default:
			return fmt.Errorf("unknown option %s", key)
		}
	}
	in.Evidence = append(in.Evidence, e)
	return err
}

func options(words []string) map[string]string {
	read := map[string]string{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		read[key] = value
	}
	return read
}

// bytesOf is a result as it is written.
func bytesOf(t testing.TB, r gates.Result) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
