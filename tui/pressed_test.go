package tui

import (
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/formats"
	"moot/protocol/reply"
	"moot/state"
)

// desk runs a dialectic without models: the protocol decides who is asked.
type desk struct {
	*recorder
	format dialectic.Format
	parser *reply.Parser
	asks   []protocol.Ask
}

// run does what the rules do by themselves, until a seat or the user is asked.
func (d *desk) run() {
	d.t.Helper()
	for range 100 {
		turn := d.format.Next(d.state)
		switch {
		case len(turn.Events) > 0:
			d.add(turn.Events...)
		case len(turn.Check) > 0:
			findings := make([]ledger.Finding, len(turn.Check))
			for i, id := range turn.Check {
				findings[i] = foundBy(d.state.Item(id))
			}
			d.add(claims.AdmitFindings(d.state, turn.Check, findings)...)
		default:
			d.asks = turn.Asks
			return
		}
	}
	d.t.Fatal("the rules do not come to an end")
}

// reply records the reply of the pending seat.
func (d *desk) reply(seat state.Seat, moves string) {
	d.t.Helper()
	if len(d.asks) != 1 || d.asks[0].Seat != seat {
		d.t.Fatalf("the rules ask %+v, not %s", d.asks, seat)
	}
	ask, text := d.asks[0], `{"moves":[`+moves+`]}`
	parsed, failure := d.parser.Parse(text, ask)
	if failure != nil {
		d.t.Fatal(failure)
	}
	admitted := d.format.Admit(d.state, ask, parsed.Moves)
	refused := slices.Concat(parsed.Refused, admitted.Refused)
	if len(refused) > 0 {
		d.t.Fatalf("a move is refused: %+v", refused)
	}
	d.add(
		&state.PromptSent{Seat: seat, Stage: ask.Stage, Omitted: []string{}},
		&state.UsageCounted{Seat: seat, Calls: 1, PromptTokens: 1620, CompletionTokens: 310, Cost: 0.011, Attempts: 1, TookMillis: 2400},
		&state.ReplyReceived{Seat: seat, Stage: ask.Stage, Model: string(seat) + "-1", Valid: true, Text: text},
	)
	d.add(admitted.Events...)
	d.run()
}

// does is a move of the user's.
func (d *desk) does(move protocol.UserMove) {
	d.t.Helper()
	events, err := protocol.AdmitUser(d.state, move)
	if err != nil {
		d.t.Fatal(err)
	}
	d.add(events...)
	d.run()
}

// foundBy returns the result of a check by its source.
func foundBy(item *ledger.Evidence) ledger.Finding {
	f := ledger.Finding{
		Verified: true, Reason: "in place", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
		Confidence: ledger.ConfidenceInPlace, Reference: item.Reference, Excerpt: item.Excerpt, Digest: "sha256:0",
	}
	switch source, _, _ := strings.Cut(item.Reference, "/"); source {
	case "missing":
		return ledger.Finding{Reason: "the passage is not in the file", NearestReference: "docs/scheduler.md:3", Similarity: 0.4}
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

// pressedBook is the playbook of the sessions of pressed.
func pressedBook() playbook.Playbook {
	return playbook.Playbook{
		Name: "infrastructure-change", Config: gates.Config{MaxRounds: 2},
		Flags: []playbook.Flag{
			{ID: "no-rollback", Title: "no way back", Look: "a change that cannot be undone", Category: "Safety", Severity: "BLOCKING", Predicate: "the change can be undone", Clears: "a run of the way back"},
			{ID: "untested", Title: "not tested", Look: "what no test covers", Category: "Factual", Severity: "HIGH", Predicate: "a test covers the change", Clears: "the test"},
			{ID: "undocumented", Title: "not documented", Look: "what operators must know", Category: "Categorical", Severity: "MEDIUM", Predicate: "the change is documented", Clears: "the passage"},
		},
	}
}

// pressedOpened is a session of the format dialectic before anything happened.
func pressedOpened() *state.SessionOpened {
	return &state.SessionOpened{
		Rules:   formats.ByName(dialectic.Name),
		Version: state.Version, ID: "p7q2", Question: "How do we roll out the new scheduler?",
		Settings: state.Settings{
			Format: dialectic.Name, Nonce: "5eed", Workspace: "/work", Attended: true,
			Input: state.Input{Options: []string{}, Views: []state.View{}}, Own: &dialectic.Settings{Playbook: pressedBook()},
		},
		Seats: []state.SeatAssignment{
			{Seat: dialectic.Proposer, Participant: "openai:gpt-5.2", Model: "gpt-5.2"},
			{Seat: dialectic.PressureTester, Participant: "ollama:qwen3", Model: "qwen3"},
		},
	}
}

// held is a session of the format dialectic after its first round: held, with a
// field that contradicts a fact, one that is invented, and objections of every
// severity.
func held(t testing.TB) *desk {
	t.Helper()
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{recorder: &recorder{t: t, state: &state.State{}}, parser: parser}
	d.add(pressedOpened())
	d.does(protocol.RecordFact{
		Text: "rollout.percent <= 10",
	})
	d.reply(dialectic.Proposer, `
		{"move":"PROPOSE","path":"rollout.percent","value":25,"text":"the error budget bears it","category":"Safety","severity":"BLOCKING","citations":[{"reference":"docs/budget.md:12","quote":"25 % of the users cost a fifth of the error budget"}]},
		{"move":"PROPOSE","path":"rollback.command","value":"schedctl rollback","category":"Safety","citations":[{"reference":"docs/runbook.md:40","quote":"schedctl rollback restores the old scheduler"}]},
		{"move":"PROPOSE","path":"alert.after","value":"5 minutes","category":"Factual","citations":[{"reference":"web/status.example/alerts:3","quote":"pages go out within 5 minutes"}]},
		{"move":"PROPOSE","path":"window.start","value":"2026-11-24","category":"External-Availability"},
		{"move":"PROPOSE","path":"docs.page","value":"docs/scheduler.md","category":"Categorical","severity":"MEDIUM","citations":[{"reference":"docs/index.md:8","quote":"the scheduler is described in docs/scheduler.md"}]},
		{"move":"PROPOSE","path":"announce.channel","value":"ops","category":"Taste","severity":"LOW","grounded":false}`)
	d.reply(dialectic.PressureTester, `
		{"move":"OBJECT","point":"rollback.command","flag":"no-rollback","text":"nobody has run the way back since the queue was sharded","request":"a run of the command on staging"},
		{"move":"OBJECT","point":"alert.after","flag":"untested","text":"no test covers the alert"},
		{"move":"OBJECT","point":"rollout.percent","category":"Safety","severity":"HIGH","predicate":"the error budget allows the share","text":"a quarter of the users is more than the budget allows","citations":[{"reference":"official/slo.md:7","quote":"a change may cost a tenth of the budget"}]},
		{"move":"OBJECT","point":"docs.page","flag":"undocumented","text":"the page does not say how to drain a shard"},
		{"move":"OBJECT","point":"announce.channel","category":"Taste","severity":"LOW","predicate":"operators read the channel","text":"on-call does not read that channel"},
		{"move":"OBJECT","point":"window.start","category":"External-Availability","severity":"HIGH","predicate":"the storage team is there","text":"the storage team is away that week"},
		{"move":"OBJECT","point":"alert.after","category":"Factual","severity":"HIGH","predicate":"payments can wait 5 minutes","text":"five minutes is long for payments","citations":[{"reference":"model/queue:1","quote":"600 payments wait after 5 minutes"}]}`)
	d.reply(dialectic.Proposer, `
		{"move":"SUPPLY_EVIDENCE","challenge":"C2","reference":"run/alert_test:31","quote":"ok: the alert fires after 5 minutes"},
		{"move":"DEFEND","challenge":"C1","text":"the runbook describes it step by step"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C4","reference":"missing/scheduler.md:90","quote":"to drain a shard, stop its claims first"}`)
	d.reply(dialectic.PressureTester, `{"move":"ACCEPT","evidence":"E7","reason":"the alert has its test now"}`)
	return d
}

// pressed is a session of the format dialectic after its second and last round:
// escalated, with objections that came out in every way, evidence of every
// source, and questions that wait for the user.
var pressed = kept("pressed", func(t testing.TB) *recorder {
	t.Helper()
	return escalated(t).recorder
})

// escalated is pressed as a session that can continue.
func escalated(t testing.TB) *desk {
	t.Helper()
	d := held(t)
	d.reply(dialectic.Proposer, `
		{"move":"REVISE","point":"rollout.percent","value":10,"text":"as the fact says","citations":[{"reference":"docs/budget.md:14","quote":"10 % of the users cost 8 % of the error budget"}]},
		{"move":"SUPPLY_EVIDENCE","challenge":"C3","reference":"run/budget:1","quote":"10 % of the users: 8 % of the budget"},
		{"move":"CONCEDE","challenge":"C6","reason":"their calendar says so"},
		{"move":"WITHDRAW","point":"announce.channel","reason":"it is no part of the change"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"docs/staging.md:21","quote":"schedctl rollback was run on staging and took 40 seconds"}`)
	d.add(&dialectic.ObjectionRuled{Challenge: "C7", Verdict: "cleared", Reason: "payments are retried for an hour"})
	d.run()
	d.reply(dialectic.PressureTester, `
		{"move":"ACCEPT","evidence":"E10","reason":"8 % is within the budget"},
		{"move":"ACCEPT","evidence":"E11","reason":"the command was run"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"docs/incidents.md:9","quote":"schedctl rollback left two shards without an owner"}`)
	d.reply(dialectic.Proposer, `{"move":"DEFEND","challenge":"C1","text":"that was before the shards were moved"}`)
	return d
}
