package run

import (
	"context"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// RD1, RD8, EX3: a headless session asks for the map and for further points along with its judging. A trivial question
// takes 4 calls, and of a session of two rounds only the answer and the objections to it are not part of the debate.
func TestHowManyCallsASessionTakes(t *testing.T) {
	cited := `1. There are five retries r/r.go:4 "retries = 5"`
	for name, c := range map[string]struct {
		mode    state.Mode
		replies map[state.Stage]string
		rounds  int
		asked   string
	}{
		"trivial": {
			replies: map[state.Stage]string{
				state.StagePropose: "TRIVIAL: it is in one line\n" + cited, state.StageEvaluate: "AGREE: P1 because E1 says five",
			},
			rounds: 1, asked: "propose evaluate conclude conclude",
		},
		"trivial, and agreed as a value judgment": {
			replies: map[state.Stage]string{
				state.StagePropose:  "TRIVIAL: a matter of taste\nVALUE: Readable beats short",
				state.StageEvaluate: `{"moves":[{"move":"CLASSIFY","point":"P1","class":"AGREE","reason":"it is read often","value_judgment":true}]}`,
				state.StageStress:   "STEELMAN P1 mitigable: short is read faster",
			},
			rounds: 1, asked: "propose evaluate stress conclude conclude",
		},
		"two rounds with an objection": {
			replies: map[state.Stage]string{
				state.StagePropose: "1. There are five retries", state.StageEvaluate: "SKEPTICAL: P1: no line | upgrade if: a line",
				state.StageAnswer: `Re C1: it is set in one line r/r.go:4 "retries = 5"`, state.StageJudge: "ACCEPT C1: E1 shows the figure",
			},
			rounds: 2, asked: "propose evaluate answer judge conclude conclude",
		},
		"agreed at once": {
			mode:    state.ModeMinimal,
			replies: map[state.Stage]string{state.StagePropose: cited, state.StageEvaluate: "AGREE: P1 because E1 says five"},
			rounds:  2, asked: "propose evaluate conclude conclude",
		},
	} {
		log, seats := &record{}, map[state.Seat]protocol.Participant{}
		var asked []string
		for _, name := range []state.Seat{state.Orchestrator, state.Consultee} {
			seats[name] = &seat{reply: func(_ context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
				text := c.replies[call.Ask.Stage]
				if call.Ask.Stage == state.StageConclude && call.Ask.Seat == state.Orchestrator {
					text = "ANSWER [P1]: Five"
				}
				if text == "" {
					text = `{"moves":[]}`
				}
				asked = append(asked, string(call.Ask.Stage))
				return protocol.Reply{Text: text, Attempts: 1}, nil
			}}
		}
		o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
			if c.mode != "" {
				o.Settings.Mode = c.mode
			}
		}), seats)
		if err := New(o).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := again(t, o, log).State
		if got := strings.Join(asked, " "); got != c.asked || s.Round != c.rounds || s.Inconclusive {
			t.Errorf("%s: asked to %s in %d rounds, inconclusive %v", name, got, s.Round, s.Inconclusive)
		}
		mapped := slices.ContainsFunc(log.events, func(e state.Event) bool {
			e1, is := e.Data.(*state.PromptSent)
			return is && e1.Stage == state.StageEvaluate && strings.Contains(e1.Text, "FLAG shape") && strings.Contains(e1.Text, "RAISE")
		})
		if !mapped || consult.Of(s).Coverage == 0 {
			t.Errorf("%s: the map was asked for: %v; coverage in round %d", name, mapped, consult.Of(s).Coverage)
		}
	}
}
