package protocoltest

import (
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/resolver/conflict"
	"moot/state"
)

// panelOpened opens a panel.
func panelOpened() *state.SessionOpened {
	return &state.SessionOpened{
		Item:    "5f2c",
		Rules:   formats.ByName(panel.Name),
		Version: state.Version, ID: "n4t8", Question: "Should the job queue move from Redis lists to Redis streams?",
		Settings: state.Settings{
			Format: panel.Name, Nonce: "5eed", Workspace: "/work", Attended: true,
			Input: state.Input{Options: []string{}, Views: []state.View{}},
			Own:   &panel.Settings{Strategy: "tiered"},
		},
		Seats: []state.SeatAssignment{
			{Seat: state.Orchestrator, Participant: "openai:gpt-5.2", Model: "gpt-5.2"},
			{Seat: panel.Panelist, Participant: "openai:gpt-5.2", Model: "gpt-5.2"},
			{Seat: "panelist-2", Participant: "anthropic:claude-opus", Model: "claude-opus"},
			{Seat: "panelist-3", Participant: "ollama:qwen3", Model: "qwen3"},
			{Seat: "panelist-4", Participant: "script:review.txt"},
		},
	}
}

// alikeAndApart compares the answers of the first three panelists.
const alikeAndApart = `
	{"move":"TRIAGE","point":"P1","other":"P11","alike":true},
	{"move":"TRIAGE","point":"P4","other":"P9","alike":true},
	{"move":"TRIAGE","point":"P2","other":"P7","same_subject":true},
	{"move":"TRIAGE","point":"P3","other":"P8","opposed":true}`

// panelReplies has claims that all share, that two word differently and that one makes alone, and four
// conflicts: K1 is a tie, K2 is settled by the votes, K3 by evidence, and K4 is to be argued.
func panelReplies() map[string]string {
	return map[string]string{
		"panelist/propose": `
			{"move":"RAISE","text":"At-least-once delivery needs acknowledgements, which lists do not have","citations":[{"reference":"queue/consumer.go:88","quote":"acks after the handler returns"}]},
			{"move":"RAISE","text":"The migration takes about a week"},
			{"move":"RAISE","text":"Streams are the simpler interface for this team","value_judgment":true},
			{"move":"RAISE","text":"Consumer groups replace the hand-written claim logic","citations":[{"reference":"missing/claim.go:14","quote":"claims are taken by hand"}]},
			{"move":"RAISE","text":"Memory use stays bounded when the stream is trimmed"}`,
		"panelist-2/propose": `
			{"move":"RAISE","text":"At-least-once delivery needs acknowledgements, which lists do not have"},
			{"move":"RAISE","text":"The migration takes about a month, since every producer must write twice for a while"},
			{"move":"RAISE","text":"Streams are the harder interface for this team","value_judgment":true},
			{"move":"RAISE","text":"A consumer group takes over what the claim script does today"},
			{"move":"RAISE","text":"Memory use does not stay bounded when the stream is trimmed"}`,
		"panelist-3/propose": `
			{"move":"RAISE","text":"Lists have no acknowledgements, so a crash between read and handling loses the job"},
			{"move":"RAISE","text":"The migration takes about a week"},
			{"move":"RAISE","text":"Streams are the simpler interface for this team","value_judgment":true},
			{"move":"RAISE","text":"A dead letter stream must exist before the move"},
			{"move":"RAISE","text":"Throughput is higher with streams","citations":[{"reference":"run/bench:12","quote":"lists 41k/s, streams 58k/s"}]}`,
		"panelist-4/propose": `
			{"move":"RAISE","text":"At-least-once delivery needs acknowledgements, which lists do not have"},
			{"move":"RAISE","text":"The migration takes about a month, since every producer must write twice for a while"},
			{"move":"RAISE","text":"Throughput is lower with streams"},
			{"move":"RAISE","text":"Every node needs Redis 7 first"},
			{"move":"RAISE","text":"The whole company should move to Kafka"}`,
		"orchestrator/triage": alikeAndApart + `,{"move":"TRIAGE","point":"P20","scope":"out-of-scope","reason":"another question"}`,
		"panelist/vote":       `{"move":"FLAG","flag":"nothing"}`,
		"panelist-2/vote":     `{"move":"CLASSIFY","point":"P15","class":"REJECT","reason":"acknowledging costs a round trip"}`,
		"panelist-3/vote":     `{"move":"CLASSIFY","point":"P5","class":"AGREE","reason":"the length is capped"}`,
		"panelist-4/vote": `
			{"move":"CLASSIFY","point":"P3","class":"AGREE","reason":"less code to own","value_judgment":true},
			{"move":"CLASSIFY","point":"P10","class":"AGREE","reason":"entries that nobody read are kept"}`,
	}
}

// PanelConvened is a panel whose panelists are about to be asked.
func PanelConvened(t testing.TB) *Table {
	t.Helper()
	h := newTable(t, panelOpened())
	h.Run()
	h.Replies = panelReplies()
	return h
}

// PanelContested is that panel after its strategy: two conflicts are settled, and the user is asked about two.
func PanelContested(t testing.TB) *Table {
	t.Helper()
	h := PanelConvened(t)
	h.Run()
	return h
}

// PanelArgued is that panel when the user has one of the two argued out, and both sides are asked in round 2.
func PanelArgued(t testing.TB) *Table {
	t.Helper()
	h := PanelContested(t)
	h.Do(protocol.AnswerQuestion{Question: "Q2", Answer: "argue it out"})
	return h
}

// PanelTable is Panel as a session that can continue.
func PanelTable(t testing.TB) *Table {
	t.Helper()
	h := PanelArgued(t)
	h.Replies["panelist/answer"] = `{"move":"CONCEDE","challenge":"C3","reason":"trimming drops no pending entry"}`
	h.Replies["panelist-2/answer"] = `{"move":"DEFEND","challenge":"C4","text":"pending entries are kept after a trim","citations":[{"reference":"docs/streams.md:31","quote":"pending entries survive a trim"}]}`
	h.Run()
	return h
}

// Panel is a panel in round 2 with something in every pane: a claim that all share, others that two share in one or
// two wordings or that one says alone, conflicts settled by the vote (K2) and by evidence (K4), one argued out (K3) and
// one that waits for the user (K1).
var Panel = once(func(t testing.TB) *Record {
	t.Helper()
	return PanelTable(t).Record
})

// PanelOfThree has K1 settled by vote, K2 open and K3 argued out; P7 says the same as P1.
func PanelOfThree(t testing.TB) *Record {
	r := NewRecord(t)
	r.Add(&state.SessionOpened{
		Rules:   formats.ByName(panel.Name),
		Version: state.Version, ID: "p4n3", Question: "Is the queue safe?",
		Settings: state.Settings{Format: panel.Name, Own: &panel.Settings{Strategy: "tiered"}},
		Seats: []state.SeatAssignment{
			{Seat: state.Orchestrator, Participant: "rules"},
			{Seat: panel.Panelist, Participant: "a"},
			{Seat: "panelist-2", Participant: "b"},
			{Seat: "panelist-3", Participant: "c"},
		},
	}, &state.RoundStarted{Round: 1})
	for i, p := range []struct {
		by   state.Seat
		text string
	}{
		{panel.Panelist, "the queue is safe to retry"},
		{"panelist-2", "the queue is not safe to retry"},
		{panel.Panelist, "lists are nicer"},
		{"panelist-2", "streams are nicer"},
		{panel.Panelist, "retries are bounded"},
		{"panelist-3", "retries are unbounded"},
		{"panelist-3", "a retry harms nothing"},
		{"panelist-3", "names matter"},
	} {
		id := state.NextID('P', i)
		r.Add(
			&state.PointRaised{ID: id, By: p.by, Text: p.text},
			&state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope},
		)
	}
	r.Add(&state.PointsPaired{A: "P1", B: "P7", Same: true, Alike: true, By: state.Orchestrator})
	for i, sides := range [][2]string{{"P1", "P2"}, {"P3", "P4"}, {"P5", "P6"}} {
		kind, challenges := conflict.Contradiction, []string{}
		if i == 1 {
			kind = conflict.Disagreement
		}
		r.Add(&state.PointsPaired{A: sides[0], B: sides[1], Same: true, Opposed: i != 1, By: state.Orchestrator})
		if i != 1 {
			for j := range sides {
				id := state.NextID('C', r.State.Challenges.Len())
				r.Add(
					&state.ChallengeRaised{
						ID:        id,
						Point:     sides[j],
						By:        state.Protocol,
						Kind:      state.Skeptical,
						Objection: sides[1-j] + " says the opposite",
					},
				)
				challenges = append(challenges, id)
			}
		}
		r.Add(
			&panel.ConflictFound{
				ID:         state.NextID('K', i),
				What:       kind,
				A:          sides[0],
				B:          sides[1],
				By:         state.Orchestrator,
				Challenges: challenges,
			},
		)
	}
	table := panel.NewTable(r.State)
	for _, c := range table.Conflicts {
		r.Add(&panel.ConflictSettled{ID: c.ID, Settlement: table.Settle(c)})
	}
	r.Add(
		&state.QuestionSurfaced{
			ID:      "Q1",
			What:    state.QuestionEscalation,
			About:   "conflict K2",
			Text:    "which?",
			Options: []string{},
		},
		&panel.ConflictArgued{ID: "K3", By: state.Protocol},
		&state.RoundStarted{Round: 2},
		&state.ChallengeAnswered{Challenge: "C4", By: "panelist-3", Text: "nothing counts them"},
		&state.ChallengeConceded{Challenge: "C3", By: panel.Panelist},
	)
	return r
}
