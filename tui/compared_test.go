package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/panel"
	"moot/protocol/reply"
	"moot/resolver"
	"moot/state"
)

// hall runs a session without models: the protocol decides who is asked, and the replies are prepared.
type hall struct {
	*recorder
	format protocol.Format
	parser *reply.Parser
	// replies are the moves of a seat in a stage, by "panelist-2/vote"; what it says
	// in one round only by "critic/critique/2".
	replies map[string]string
	// unreachable are the seats that give no answer.
	unreachable []state.Seat
	// refusing says that moves may be refused, as is then on the record.
	refusing bool
	// asks and awaits are the pending seats and questions.
	asks   []protocol.Ask
	awaits []string
}

// run continues until a seat without a prepared reply is asked, or the user.
func (h *hall) run() {
	h.t.Helper()
	h.asks, h.awaits = nil, nil
	for range 100 {
		turn := h.format.Next(h.state)
		switch {
		case len(turn.Events) > 0:
			h.add(turn.Events...)
		case len(turn.Check) > 0:
			findings := make([]ledger.Finding, len(turn.Check))
			for i, id := range turn.Check {
				findings[i] = foundBy(h.state.Item(id))
			}
			h.add(claims.AdmitFindings(h.state, turn.Check, findings)...)
		case len(turn.Asks) > 0 && !slices.ContainsFunc(turn.Asks, h.unwritten):
			for _, ask := range turn.Asks {
				h.reply(ask)
			}
		default:
			h.asks, h.awaits = turn.Asks, turn.Await
			return
		}
	}
	h.t.Fatal("the rules do not come to an end")
}

func (h *hall) unwritten(ask protocol.Ask) bool {
	return h.written(ask) == "" && !slices.Contains(h.unreachable, ask.Seat)
}

// written are the moves that are written down for what is asked, or "".
func (h *hall) written(ask protocol.Ask) string {
	key := string(ask.Seat) + "/" + string(ask.Stage)
	round := fmt.Sprint(key, "/", h.state.Round)
	if h.state.AskedOf(ask.Seat, ask.Stage).Replies > 0 {
		if h.state.Settings.Format == hearing.Name {
			return h.replies[round+"/again"]
		}
		return h.scoring(ask.Seat)
	}
	return cmp.Or(h.replies[round], h.replies[key])
}

// scoring returns confidences for the claims that a seat of a council has not scored.
func (h *hall) scoring(seat state.Seat) string {
	var scores []string
	for _, p := range h.state.Points.All() {
		if resolver.Held(p) && p.Score(seat) == nil {
			scores = append(scores, fmt.Sprintf(`{"move":"SCORE","point":%q,"confidence":0.72,"cause":"as it is worded now"}`, p.ID))
		}
	}
	return strings.Join(scores, ",")
}

// reply returns the prepared reply of a seat for the stage.
func (h *hall) reply(ask protocol.Ask) {
	h.t.Helper()
	h.add(&state.PromptSent{Seat: ask.Seat, Stage: ask.Stage, System: "You sit in a panel.", Text: "The question.", Omitted: []string{}})
	if slices.Contains(h.unreachable, ask.Seat) {
		h.add(&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: "connection refused"})
		return
	}
	text := `{"moves":[` + h.written(ask) + `]}`
	parsed, failure := h.parser.Parse(text, ask)
	if failure != nil {
		h.t.Fatal(failure)
	}
	admitted := h.format.Admit(h.state, ask, parsed.Moves)
	refused := slices.Concat(parsed.Refused, admitted.Refused)
	if len(refused) > 0 && !h.refusing {
		h.t.Fatalf("a move of %s is refused: %+v", ask.Seat, refused)
	}
	h.add(
		&state.UsageCounted{Seat: ask.Seat, Calls: 1, PromptTokens: 1240, CompletionTokens: 280, Cost: 0.009, Attempts: 1, TookMillis: 3100},
		&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage, Model: string(ask.Seat) + "-1", Valid: true, Text: text, Refused: refused},
	)
	h.add(admitted.Events...)
}

// does is a move of the user's.
func (h *hall) does(move protocol.UserMove) {
	h.t.Helper()
	events, err := protocol.AdmitUser(h.state, move)
	if err != nil {
		h.t.Fatal(err)
	}
	h.add(events...)
	h.run()
}

// comparedOpened is a session of the format panel before anything happened.
func comparedOpened() *state.SessionOpened {
	return &state.SessionOpened{
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

// comparedReplies has claims that all share, that two word differently and that one makes alone, and four
// conflicts: K1 is a tie, K2 is settled by the votes, K3 by evidence, and K4 is to be argued.
func comparedReplies() map[string]string {
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

// convened is the session when all panelists are about to be asked.
func convened(t testing.TB) *hall {
	t.Helper()
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{recorder: &recorder{t: t, state: &state.State{}}, format: panel.Format{}, parser: parser}
	h.add(comparedOpened())
	h.run()
	h.replies = comparedReplies()
	return h
}

// contested is the session when the strategy is done: two conflicts are settled,
// and for two the user is asked.
func contested(t testing.TB) *hall {
	t.Helper()
	h := convened(t)
	h.run()
	return h
}

// argued is the session when the user has one of the two argued out, and both
// sides are asked in round 2.
func argued(t testing.TB) *hall {
	t.Helper()
	h := contested(t)
	h.does(protocol.AnswerQuestion{Question: "Q2", Answer: "argue it out"})
	return h
}

// compared is the session in round 2 with something in every pane: a claim that
// all share, others that two share in one or two wordings or that one says alone,
// conflicts settled by the vote (K2) and by evidence (K4), one argued out (K3) and
// one that waits for the user (K1).
var compared = kept("compared", func(t testing.TB) *recorder {
	t.Helper()
	return comparing(t).recorder
})

// comparing is compared as a session that can continue.
func comparing(t testing.TB) *hall {
	t.Helper()
	h := argued(t)
	h.replies["panelist/answer"] = `{"move":"CONCEDE","challenge":"C3","reason":"trimming drops no pending entry"}`
	h.replies["panelist-2/answer"] = `{"move":"DEFEND","challenge":"C4","text":"pending entries are kept after a trim","citations":[{"reference":"docs/streams.md:31","quote":"pending entries survive a trim"}]}`
	h.run()
	return h
}
