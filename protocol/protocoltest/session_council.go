package protocoltest

import (
	"testing"

	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/formats"
	"moot/state"
)

// councilOpened opens a council.
func councilOpened(t testing.TB) *state.SessionOpened {
	t.Helper()
	binding, err := constitution.Default()
	if err != nil {
		t.Fatal(err)
	}
	return &state.SessionOpened{
		Rules:   formats.ByName(council.Name),
		Version: state.Version, ID: "c6v2", Question: "Should the job queue move from Redis lists to Redis streams?",
		Settings: state.Settings{
			Format: council.Name, Nonce: "5eed", Workspace: "/work", Attended: true,
			Input: state.Input{Options: []string{}, Views: []state.View{}},
			Own: &council.Settings{
				Rounds: council.DefaultRounds, Weights: council.DefaultWeights(), Decision: council.DefaultDecision, Constitution: binding,
			},
		},
		Seats: []state.SeatAssignment{
			{Seat: constitution.Strategist, Participant: "openai:gpt-5.2", Model: "gpt-5.2"},
			{Seat: constitution.Critic, Participant: "anthropic:claude-opus", Model: "claude-opus"},
			{Seat: constitution.Adversary, Participant: "ollama:qwen3", Model: "qwen3"},
			{Seat: constitution.Moderator, Participant: "openai:gpt-5.2", Model: "gpt-5.2"},
		},
	}
}

// councilReplies are three rounds. P1 is agreed from the first round; P2 is revised as P8, and the moderator
// rewords P3 as P9.
func councilReplies() map[string]string {
	return map[string]string{
		"strategist/propose": `
			{"move":"RAISE","text":"At-least-once delivery needs acknowledgements, which lists do not have","label":"EVIDENCE","confidence":0.85,"because":"one consumer was read","limit":"does not cover a broker that loses its disk","citations":[{"reference":"queue/consumer.go:88","quote":"acks after the handler returns"},{"reference":"docs/streams.md:7","quote":"lists know no acknowledgement"}]},
			{"move":"RAISE","text":"Memory use stays bounded when the stream is trimmed","confidence":0.8,"because":"no measurement over a week","citations":[{"reference":"docs/streams.md:20","quote":"a trimmed stream keeps its length"}]},
			{"move":"RAISE","text":"Every job in the queue is run exactly once","confidence":0.7,"because":"handlers are idempotent","citations":[{"reference":"queue/handler.go:12","quote":"handlers are idempotent"}]},
			{"move":"RAISE","text":"Throughput is higher with streams","label":"EVIDENCE","key":true,"confidence":0.8,"because":"one machine","citations":[{"reference":"run/bench:12","quote":"lists 41k/s, streams 58k/s"}]},
			{"move":"RAISE","text":"There is no operational cost","confidence":0.6,"because":"the cluster is there","citations":[{"reference":"docs/operations.md:12","quote":"streams need no further service"}]},
			{"move":"RAISE","text":"The team should adopt one stream for each queue","confidence":0.7,"because":"it was read once","citations":[{"reference":"queue/claim.go:14","quote":"claims are taken by hand"}]},
			{"move":"RAISE","text":"Streams are the simpler interface for this team","value_judgment":true,"confidence":0.9,"because":"a matter of habit"}`,
		"strategist/fix": `{"move":"SCORE","point":"P6","confidence":0.7,"cause":"nothing new"}`,
		"critic/critique/1": `
			{"move":"CHALLENGE","point":"P2","class":"SKEPTICAL","flaw":"The sample is one night with few jobs.","upgrade_if":"a run over a week, or a claim about one night","narrower":"Memory use stays bounded within one night when the stream is trimmed"},
			{"move":"CHALLENGE","point":"P4","class":"SKEPTICAL","flaw":"58k/s is hardly more than what is needed.","upgrade_if":"figures of the real load"},
			{"move":"CLASSIFY","point":"P7","class":"AGREE","reason":"a matter of taste","value_judgment":true},
			{"move":"FLAG","flag":"key","point":"P3"},
			{"move":"SCORE","point":"P1","confidence":0.72,"cause":"two sources, one reader"},
			{"move":"SCORE","point":"P2","confidence":0.5,"cause":"one night"},
			{"move":"SCORE","point":"P3","confidence":0.3,"cause":"idempotent is not once"},
			{"move":"SCORE","point":"P4","confidence":0.6,"cause":"one source"},
			{"move":"SCORE","point":"P5","confidence":0.5,"cause":"hardly looked at"},
			{"move":"SCORE","point":"P6","confidence":0.65,"cause":"the script is brittle"},
			{"move":"SCORE","point":"P7","confidence":0.4,"cause":"nobody has used them here"}`,
		"critic/fix": `{"move":"CHALLENGE","point":"P4","class":"SKEPTICAL","flaw":"The benchmark ran on a laptop; the method says nothing of the real load.","upgrade_if":"a run on the real machines"}`,
		"strategist/answer/1": `
			{"move":"REVISE","point":"P2","text":"Memory use stays bounded within one night when the stream is trimmed","because":"that is what was measured","limit":"one night with few jobs","confidence":0.8},
			{"move":"DEFEND","challenge":"C2","text":"The laptop is slower than the machines, so that the share is what counts."}`,
		"adversary/attack/1": `
			{"move":"CHALLENGE","point":"P5","class":"SKEPTICAL","flaw":"The upgrade to version 7 takes every node down once.","upgrade_if":"an upgrade without downtime"},
			{"move":"CITE","point":"P5","relation":"refutes","reference":"run/upgrade:3","quote":"downtime: 4 minutes"},
			{"move":"SCORE","point":"P1","confidence":0.68,"cause":"disks do fail"},
			{"move":"SCORE","point":"P3","confidence":0.4,"cause":"a crash after the handler runs it twice"},
			{"move":"SCORE","point":"P4","confidence":0.55,"cause":"peak load is not shown"},
			{"move":"SCORE","point":"P5","confidence":0.1,"cause":"E8 shows downtime"},
			{"move":"SCORE","point":"P6","confidence":0.6,"cause":"likely"},
			{"move":"SCORE","point":"P7","confidence":0.5,"cause":"taste"},
			{"move":"SCORE","point":"P8","confidence":0.7,"cause":"narrow enough"}`,
		"strategist/rebut": `{"move":"DEFEND","challenge":"C3","text":"Four minutes at night cost nobody anything."}`,
		"critic/judge/1":   `{"move":"JUDGE","challenge":"C2","judgment":"rejected","reason":"a share on a laptop is not one under load"}`,
		"adversary/judge":  `{"move":"JUDGE","challenge":"C3","judgment":"rejected","reason":"E8 shows that there is a cost"}`,
		"moderator/synthesize/1": `
			{"move":"SYNTHESIZE","text":"Streams bring acknowledgements; all else follows from that.","agreement":true},
			{"move":"REVISE","point":"P3","text":"Every job in the queue is run at least once","because":"a crash after the handler runs it again","confidence":0.75},
			{"move":"SCORE","point":"P1","confidence":0.7,"cause":"E1 and E2"},
			{"move":"SCORE","point":"P4","confidence":0.6,"cause":"one source"},
			{"move":"SCORE","point":"P6","confidence":0.65,"cause":"as the others"},
			{"move":"SCORE","point":"P7","confidence":0.6,"cause":"as the others"},
			{"move":"SCORE","point":"P8","confidence":0.75,"cause":"E3"}`,
		"critic/critique/2": `{"move":"SCORE","point":"P9","confidence":0.7,"cause":"at least once is what was read"}`,
		"strategist/answer/2": `
			{"move":"SCORE","point":"P9","confidence":0.75,"cause":"handlers are idempotent"},
			{"move":"CITE","point":"P9","relation":"supports","reference":"docs/streams.md:9","quote":"pending entries are handed out again"},
			{"move":"DEFEND","challenge":"C2","text":"Nobody has the real machines before the move.","citations":[{"reference":"missing/load.md:3","quote":"the load is 20k/s"}]},
			{"move":"DEFEND","challenge":"C3","text":"The upgrade is due in any case."}`,
		"critic/judge/2":         `{"move":"JUDGE","challenge":"C2","judgment":"rejected","reason":"so it is not known"}`,
		"adversary/attack/2":     `{"move":"SCORE","point":"P9","confidence":0.7,"cause":"no case against it"}`,
		"moderator/synthesize/2": `{"move":"SYNTHESIZE","text":"What the move brings is settled, what it costs is not.","agreement":false,"open":["P4","P7"]}`,
		"critic/critique/3":      `{"move":"FLAG","flag":"nothing"}`,
		"strategist/answer/3":    `{"move":"SCORE","point":"P1","confidence":0.85,"cause":"nothing new"}`,
		"adversary/attack/3":     `{"move":"FLAG","flag":"nothing"}`,
		"moderator/synthesize/3": `{"move":"SYNTHESIZE","text":"Move, and measure the load first.","agreement":false,"open":["P4","P6","P7"]}`,
	}
}

// CouncilTable is a council in the third phase of its second round, as a session that can continue.
func CouncilTable(t testing.TB) *Table {
	t.Helper()
	h := newTable(t, councilOpened(t))
	h.Replies = councilReplies()
	h.Replies["adversary/attack/2"] = ""
	h.Run()
	return h
}

// Council is that session as a record.
var Council = once(func(t testing.TB) *Record {
	t.Helper()
	return CouncilTable(t).Record
})
