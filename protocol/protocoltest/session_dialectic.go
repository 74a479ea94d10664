package protocoltest

import (
	"testing"

	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/formats"
	"moot/state"
)

// proposalPlaybook is the playbook of the proposals.
func proposalPlaybook() playbook.Playbook {
	return playbook.Playbook{
		Name: "infrastructure-change", Config: gates.Config{MaxRounds: 2},
		Flags: []playbook.Flag{
			{
				ID:        "no-rollback",
				Title:     "no way back",
				Look:      "a change that cannot be undone",
				Category:  "Safety",
				Severity:  "BLOCKING",
				Predicate: "the change can be undone",
				Clears:    "a run of the way back",
			},
			{
				ID:        "untested",
				Title:     "not tested",
				Look:      "what no test covers",
				Category:  "Factual",
				Severity:  "HIGH",
				Predicate: "a test covers the change",
				Clears:    "the test",
			},
			{
				ID:        "undocumented",
				Title:     "not documented",
				Look:      "what operators must know",
				Category:  "Categorical",
				Severity:  "MEDIUM",
				Predicate: "the change is documented",
				Clears:    "the passage",
			},
		},
	}
}

// proposalOpened opens a dialectic.
func proposalOpened() *state.SessionOpened {
	return &state.SessionOpened{
		Rules:   formats.ByName(dialectic.Name),
		Version: state.Version, ID: "p7q2", Question: "How do we roll out the new scheduler?",
		Settings: state.Settings{
			Format: dialectic.Name, Nonce: "5eed", Workspace: "/work", Attended: true,
			Input: state.Input{
				Options: []string{},
				Views:   []state.View{},
			}, Own: &dialectic.Settings{Playbook: proposalPlaybook()},
		},
		Seats: []state.SeatAssignment{
			{Seat: dialectic.Proposer, Participant: "openai:gpt-5.2", Model: "gpt-5.2"},
			{Seat: dialectic.PressureTester, Participant: "ollama:qwen3", Model: "qwen3"},
		},
	}
}

// ProposalHeld is a proposal after its first round: on hold, with a field that contradicts a fact, an invented field,
// and objections of every severity.
func ProposalHeld(t testing.TB) *Table {
	t.Helper()
	d := newTable(t, proposalOpened())
	d.prompt = state.PromptSent{Omitted: []string{}}
	d.usage = state.UsageCounted{
		Calls: 1, PromptTokens: 1620, CompletionTokens: 310, Cost: 0.011, Attempts: 1, TookMillis: 2400,
	}
	d.Do(protocol.RecordFact{
		Text: "rollout.percent <= 10",
	})
	d.Reply(dialectic.Proposer, `
		{"move":"PROPOSE","path":"rollout.percent","value":25,"text":"the error budget bears it","category":"Safety","severity":"BLOCKING","citations":[{"reference":"docs/budget.md:12","quote":"25 % of the users cost a fifth of the error budget"}]},
		{"move":"PROPOSE","path":"rollback.command","value":"schedctl rollback","category":"Safety","citations":[{"reference":"docs/runbook.md:40","quote":"schedctl rollback restores the old scheduler"}]},
		{"move":"PROPOSE","path":"alert.after","value":"5 minutes","category":"Factual","citations":[{"reference":"web/status.example/alerts:3","quote":"pages go out within 5 minutes"}]},
		{"move":"PROPOSE","path":"window.start","value":"2026-11-24","category":"External-Availability"},
		{"move":"PROPOSE","path":"docs.page","value":"docs/scheduler.md","category":"Categorical","severity":"MEDIUM","citations":[{"reference":"docs/index.md:8","quote":"the scheduler is described in docs/scheduler.md"}]},
		{"move":"PROPOSE","path":"announce.channel","value":"ops","category":"Taste","severity":"LOW","grounded":false}`)
	d.Reply(dialectic.PressureTester, `
		{"move":"OBJECT","point":"rollback.command","flag":"no-rollback","text":"nobody has run the way back since the queue was sharded","request":"a run of the command on staging"},
		{"move":"OBJECT","point":"alert.after","flag":"untested","text":"no test covers the alert"},
		{"move":"OBJECT","point":"rollout.percent","category":"Safety","severity":"HIGH","predicate":"the error budget allows the share","text":"a quarter of the users is more than the budget allows","citations":[{"reference":"official/slo.md:7","quote":"a change may cost a tenth of the budget"}]},
		{"move":"OBJECT","point":"docs.page","flag":"undocumented","text":"the page does not say how to drain a shard"},
		{"move":"OBJECT","point":"announce.channel","category":"Taste","severity":"LOW","predicate":"operators read the channel","text":"on-call does not read that channel"},
		{"move":"OBJECT","point":"window.start","category":"External-Availability","severity":"HIGH","predicate":"the storage team is there","text":"the storage team is away that week"},
		{"move":"OBJECT","point":"alert.after","category":"Factual","severity":"HIGH","predicate":"payments can wait 5 minutes","text":"five minutes is long for payments","citations":[{"reference":"model/queue:1","quote":"600 payments wait after 5 minutes"}]}`)
	d.Reply(dialectic.Proposer, `
		{"move":"SUPPLY_EVIDENCE","challenge":"C2","reference":"run/alert_test:31","quote":"ok: the alert fires after 5 minutes"},
		{"move":"DEFEND","challenge":"C1","text":"the runbook describes it step by step"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C4","reference":"missing/scheduler.md:90","quote":"to drain a shard, stop its claims first"}`)
	d.Reply(dialectic.PressureTester, `{"move":"ACCEPT","evidence":"E7","reason":"the alert has its test now"}`)
	return d
}

// ProposalTable is Proposal as a session that can continue.
func ProposalTable(t testing.TB) *Table {
	t.Helper()
	d := ProposalHeld(t)
	d.Reply(dialectic.Proposer, `
		{"move":"REVISE","point":"rollout.percent","value":10,"text":"as the fact says","citations":[{"reference":"docs/budget.md:14","quote":"10 % of the users cost 8 % of the error budget"}]},
		{"move":"SUPPLY_EVIDENCE","challenge":"C3","reference":"run/budget:1","quote":"10 % of the users: 8 % of the budget"},
		{"move":"CONCEDE","challenge":"C6","reason":"their calendar says so"},
		{"move":"WITHDRAW","point":"announce.channel","reason":"it is no part of the change"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"docs/staging.md:21","quote":"schedctl rollback was run on staging and took 40 seconds"}`)
	d.Add(&dialectic.ObjectionRuled{Challenge: "C7", Verdict: "cleared", Reason: "payments are retried for an hour"})
	d.Run()
	d.Reply(dialectic.PressureTester, `
		{"move":"ACCEPT","evidence":"E10","reason":"8 % is within the budget"},
		{"move":"ACCEPT","evidence":"E11","reason":"the command was run"},
		{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"docs/incidents.md:9","quote":"schedctl rollback left two shards without an owner"}`)
	d.Reply(dialectic.Proposer, `{"move":"DEFEND","challenge":"C1","text":"that was before the shards were moved"}`)
	return d
}

// Proposal is a proposal after its second and last round: escalated, with objections of every outcome, evidence of
// every source, and questions that wait for the user.
var Proposal = once(func(t testing.TB) *Record {
	t.Helper()
	return ProposalTable(t).Record
})
