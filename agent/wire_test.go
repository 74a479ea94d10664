package agent_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"moot/agent/endpoint"
	"moot/agent/record"
	"moot/protocol"
	"moot/state"
)

// A recording that came with a report of a defect becomes a test by being put into
// testdata/wire: the adapter comes to the replies, and to the failures, that are
// in it, from the bytes of the wire and in its time.
func TestRecordedWires(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		recording, err := record.Open(file)
		if err != nil {
			t.Error(err)
			continue
		}
		seats := map[state.Seat]bool{}
		for _, call := range recording.Calls {
			if len(call.Exchanges) == 0 || seats[call.Begin.Seat] {
				continue
			}
			seats[call.Begin.Seat] = true
			t.Run(filepath.Base(file)+" "+string(call.Begin.Seat), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { again(t, recording.Replay(call.Begin.Seat), call.Begin.Participant) })
			})
		}
	}
}

// again makes the calls of a seat again.
func again(t *testing.T, replay *record.Replay, participant string) {
	config, err := endpoint.Parse(participant, func(string) string { return "a-key" })
	if err != nil {
		t.Fatal(err)
	}
	asked := endpoint.New(config, endpoint.Limits{}, endpoint.WithTransport(replay))
	for made := range replay.Calls() {
		call := protocol.Call{Prompt: protocol.Prompt{Text: "again"}}
		for _, exchange := range made.Exchanges {
			if strings.Contains(exchange.Request.Text, `"response_format"`) {
				call.Schema = json.RawMessage(`{"type":"object"}`)
			}
		}
		reply, err := asked.Reply(t.Context(), call, nil)
		switch {
		case made.Reply != nil && (err != nil || reply.Text != made.Reply.Text):
			t.Errorf("call %d said %q, and now %q, %v", made.Begin.Call, made.Reply.Text, reply.Text, err)
		case made.Reply == nil && (err == nil || err.Error() != made.End.Error):
			t.Errorf("call %d failed with %q, and now with %v", made.Begin.Call, made.End.Error, err)
		}
		if left := replay.Left(); left != 0 {
			t.Errorf("call %d: %d requests were not sent again", made.Begin.Call, left)
		}
	}
}
