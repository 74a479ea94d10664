package protocol

import (
	"strings"
	"testing"

	"moot/state"
)

// What a model thinks aloud is never a move, whatever it puts around it; and a tag that
// is only spoken of takes nothing from a reply.
func TestThoughtsAreNoMoves(t *testing.T) {
	p := newTestParser(t)
	said := []string{"Re C1: the store syncs.", `{"moves":[{"move":"DEFEND","challenge":"C1","text":"the store syncs."}]}`}
	const thought = "I concede C2.\n\nI concede C3\n{\"moves\":[{\"move\":\"CONCEDE\",\"challenge\":\"C4\"}]}\n```\nopen"
	for _, shape := range []string{
		"<think>%t</think>\n%s", "<think>\n%t\n</think>%s", "%t\n</think>\n\n%s", "%t</think>\n%s", "<THINK>%t</THINK>\n%s", "<thinking>%t</thinking>\n%s",
		"<thought>%t</thought>\n%s", "<reasoning>\n%t\n</reasoning>\n\n%s", "[THINK]%t[/THINK]\n%s", "◁think▷%t◁/think▷\n%s",
		"<|begin_of_thought|>%t<|end_of_thought|>\n%s", "<|START_THINKING|>%t<|END_THINKING|>\n%s", "<think>a <think>%t</think> b</think>\n%s",
		"<|channel|>analysis<|message|>%t<|end|><|start|>assistant<|channel|>final<|message|>%s<|return|>",
		"<|start|>assistant<|channel|>analysis<|message|>%t<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>%s",
		"analysis%tassistantfinal%s", "%s\n<think>%t", "<seed:think>%t</seed:think>%s",
	} {
		for _, reply := range said {
			text := strings.NewReplacer("%t", thought, "%s", reply).Replace(shape)
			parsed, err := p.Parse(text, answersNow())
			if err != nil || len(parsed.Moves) != 1 {
				t.Errorf("%s\n%v: %d moves", text, err, len(parsed.Moves))
				continue
			}
			if d, ok := parsed.Moves[0].(*Defend); !ok || d.Challenge != "C1" || d.Text != "the store syncs." {
				t.Errorf("%s\n%#v", text, parsed.Moves[0])
			}
		}
	}
	for _, reply := range []string{
		"Re C1: it drops the `<think>` tag.\n\nRe C2: and `</think>` too.",
		"Re C1: \"</think>\" ends it.\nRe C2: so it is.",
		"Re C1: what precedes </think> is dropped.\nRe C2: so it is.",
		"Re C1: my analysis says so.\nRe C2: the assistantfinal marker.",
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":"<think> is dropped"},{"move":"DEFEND","challenge":"C2","text":"up to </think>"}]}`,
		"So:\n```json\n" + `{"moves":[{"move":"DEFEND","challenge":"C1","text":"<think> is dropped"},{"move":"DEFEND","challenge":"C2","text":"up to </think>"}]}` + "\n```",
	} {
		parsed, err := p.Parse(reply, answersNow())
		if err != nil || len(parsed.Moves) != 2 {
			t.Errorf("%s\n%v: %d moves", reply, err, len(parsed.Moves))
		}
	}
	// A thought alone is no reply.
	for _, reply := range []string{"<think>" + thought, "<think>" + thought + "</think>", "<|channel|>analysis<|message|>" + thought} {
		if parsed, err := p.Parse(reply, Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: MoveKinds()}); err == nil {
			t.Errorf("%s\ngave %d moves", reply, len(parsed.Moves))
		}
	}
}
