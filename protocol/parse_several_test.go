package protocol_test

import (
	"strings"
	"testing"

	"moot/protocol"
)

// CH6: what a reply says is read whole or not at all. A list that broke off behind a
// whole move, a field that is there twice, and two lists with text between them would
// lose the half of it without a word.
func TestHalfOfAReplyIsNeverRead(t *testing.T) {
	const alpha, beta = `{"move":"RAISE","text":"Alpha"}`, `{"move":"RAISE","text":"Beta"}`
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	ask := protocol.Ask{Moves: []protocol.MoveKind{protocol.MoveRaise}}
	for name, c := range map[string]struct{ text, code, reason string }{
		"a list cut behind a move":       {"[" + alpha, "broke-off", "broke off"},
		"a list cut behind a comma":      {"Here:\n[" + alpha + ", ", "broke-off", "broke off"},
		"a fenced list cut":              {"```json\n[" + alpha + ",\n", "broke-off", "broke off"},
		"moves without braces, cut":      {`"moves":[` + alpha, "broke-off", "broke off"},
		"moves twice":                    {`{"moves":[` + alpha + `],"moves":[` + beta + `]}`, "broken-json", "a field twice"},
		"moves twice in prose":           {`So: {"moves":[` + alpha + `],"moves":[` + beta + `]} is it`, "broken-json", "a field twice"},
		"a text twice":                   {`{"moves":[{"move":"RAISE","text":"Alpha","text":"Beta"}]}`, "broken-json", "a field twice"},
		"a text twice in a fence":        {"```json\n" + `{"moves":[{"move":"RAISE","text":"Alpha","text":"Beta"}]}` + "\n```", "broken-json", "a field twice"},
		"an example, then the answer":    {`One would say {"moves":[` + alpha + `]}, and I say {"moves":[` + beta + `]}`, "broken-json", "more than one list"},
		"an answer, then another":        {`{"moves":[` + alpha + "]}\nI correct myself:\n" + `{"moves":[` + beta + `]}`, "broken-json", "more than one list"},
		"an answer, then another, fence": {"```json\n{\"moves\":[" + alpha + "]}\n```\nBetter:\n```json\n{\"moves\":[" + beta + "]}\n```", "broken-json", "more than one list"},
	} {
		parsed, failed := parser.Parse(c.text, ask)
		if failed == nil || failed.Code != c.code || !strings.Contains(failed.Reason, c.reason) {
			t.Errorf("%s: %+v, %v", name, parsed.Moves, failed)
		}
	}
	for name, text := range map[string]string{
		"the same field twice":  `{"moves":[{"move":"RAISE","text":"Alpha","text":"Alpha"}]}`,
		"the same answer twice": `{"moves":[` + alpha + "]}\nAgain:\n" + `{"moves":[` + alpha + `]}`,
		"an empty list behind":  `{"moves":[` + alpha + `]} and then {"moves":[]}`,
		"a list in prose":       "Here: [" + alpha + "] as asked",
		"a list with a comma":   "Here: [" + alpha + ",\n]",
	} {
		if parsed, failed := parser.Parse(text, ask); failed != nil || len(parsed.Moves) != 1 {
			t.Errorf("%s: %+v, %v", name, parsed.Moves, failed)
		}
	}
}
