package protocoltest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/hearing"
	"moot/resolver"
	"moot/state"
)

// Table plays a session whose replies are prepared. It records what a run with models records: prompts, usage and
// replies.
type Table struct {
	*Record
	// Replies are the moves of a seat in a stage, by "panelist-2/vote"; what it says in one round only is by
	// "critic/critique/2".
	Replies map[string]string
	// Refusing allows refused moves, which are on the record.
	Refusing bool
	// Asks are the pending seats.
	Asks []protocol.Ask
	// Each call records prompt and usage.
	prompt state.PromptSent
	usage  state.UsageCounted
}

// newTable opens a session.
func newTable(t testing.TB, opened *state.SessionOpened) *Table {
	t.Helper()
	d := &Table{
		Record: NewRecord(t),
		prompt: state.PromptSent{System: "You sit in a panel.", Text: "The question.", Omitted: []string{}},
		usage: state.UsageCounted{
			Calls: 1, PromptTokens: 1240, CompletionTokens: 280, Cost: 0.009, Attempts: 1, TookMillis: 3100,
		},
	}
	d.Add(opened)
	return d
}

// Run continues until the user is asked, or a seat without a prepared reply.
func (d *Table) Run() {
	d.T.Helper()
	d.Asks = nil
	for range 100 {
		turn := protocol.Of(d.State).Next(d.State)
		switch {
		case len(turn.Events) > 0:
			d.Add(turn.Events...)
		case len(turn.Check) > 0:
			findings := make([]ledger.Finding, len(turn.Check))
			for i, id := range turn.Check {
				findings[i] = foundBy(d.State.Item(id))
			}
			d.Add(claims.AdmitFindings(d.State, turn.Check, findings)...)
		case len(turn.Asks) > 0 && !slices.ContainsFunc(turn.Asks, func(a protocol.Ask) bool { return d.prepared(a) == "" }):
			for _, ask := range turn.Asks {
				d.answer(ask, d.prepared(ask))
			}
		default:
			d.Asks = turn.Asks
			return
		}
	}
	d.T.Fatal("the rules do not come to an end")
}

// prepared returns the moves that are prepared for an ask, or "".
func (d *Table) prepared(ask protocol.Ask) string {
	key := string(ask.Seat) + "/" + string(ask.Stage)
	round := fmt.Sprint(key, "/", d.State.Round)
	if d.State.AskedOf(ask.Seat, ask.Stage).Replies == 0 || len(d.Replies) == 0 {
		return cmp.Or(d.Replies[round], d.Replies[key])
	}
	if d.State.Settings.Format == hearing.Name {
		return d.Replies[round+"/again"]
	}
	// A seat of a council is asked again for the confidences that it left out.
	var scores []string
	for _, p := range d.State.Points.All() {
		if resolver.Held(p) && p.Score(ask.Seat) == nil {
			scores = append(scores,
				fmt.Sprintf(`{"move":"SCORE","point":%q,"confidence":0.72,"cause":"as it is worded now"}`, p.ID))
		}
	}
	return strings.Join(scores, ",")
}

// Reply records the moves of the only pending seat and continues.
func (d *Table) Reply(seat state.Seat, moves string) {
	d.T.Helper()
	if len(d.Asks) != 1 || d.Asks[0].Seat != seat {
		d.T.Fatalf("the rules ask %+v, not %s", d.Asks, seat)
	}
	d.answer(d.Asks[0], moves)
	d.Run()
}

// answer records the moves of a seat.
func (d *Table) answer(ask protocol.Ask, moves string) {
	d.T.Helper()
	prompt, usage, text := d.prompt, d.usage, `{"moves":[`+moves+`]}`
	prompt.Seat, prompt.Stage, usage.Seat = ask.Seat, ask.Stage, ask.Seat
	parser, err := Parser()
	if err != nil {
		d.T.Fatal(err)
	}
	parsed, failure := parser.In(protocol.Of(d.State)).Parse(text, ask)
	if failure != nil {
		d.T.Fatal(failure)
	}
	d.Add(&prompt)
	admitted := protocol.Of(d.State).Admit(d.State, ask, parsed.Moves)
	refused := slices.Concat(parsed.Refused, admitted.Refused)
	if len(refused) > 0 && !d.Refusing {
		d.T.Fatalf("a move of %s is refused: %+v", ask.Seat, refused)
	}
	d.Add(&usage, &state.ReplyReceived{
		Seat: ask.Seat, Stage: ask.Stage, Model: string(ask.Seat) + "-1", Valid: true, Text: text, Refused: refused,
	})
	d.Add(admitted.Events...)
}

// Do records a move of the user and continues.
func (d *Table) Do(move protocol.UserMove) {
	d.T.Helper()
	events, err := protocol.AdmitUser(d.State, move)
	if err != nil {
		d.T.Fatal(err)
	}
	d.Add(events...)
	d.Run()
}

// foundBy returns the result of a check by its source.
func foundBy(item *ledger.Evidence) ledger.Finding {
	f := ledger.Finding{
		Verified: true, Reason: "in place", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
		Confidence: ledger.ConfidenceInPlace, Reference: item.Reference, Excerpt: item.Excerpt, Digest: "sha256:0",
	}
	switch source, _, _ := strings.Cut(item.Reference, "/"); source {
	case "missing":
		return ledger.Finding{
			Reason:           "the passage is not in the file",
			NearestReference: "docs/scheduler.md:3",
			Similarity:       0.4,
		}
	case "run":
		f.Type, f.SourceKind, f.Confidence = ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution
	case "official":
		f.SourceKind = ledger.OfficialSource
	case "web":
		f.SourceKind, f.Confidence = ledger.FreshResearch, ledger.ConfidenceFetched
	case "model":
		f.SourceKind, f.Confidence = ledger.ModeledFallback, ledger.ConfidenceModeled
	}
	return f
}
