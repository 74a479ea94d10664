package reply_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/datadriven"
	jsonv2 "github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/council"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/move"
	"moot/protocol/panel"
	"moot/protocol/reply"
	"moot/state"
)

var update = flag.Bool("update", false, "write docs/replies.md and the moves in prompts.md")

// theParser reads the replies of the tests in this package: it is made once, and nothing
// changes it.
var theParser = sync.OnceValues(func() (*reply.Parser, error) { return reply.NewParser(formats.All()) })

func newTestParser(t testing.TB) *reply.Parser {
	t.Helper()
	p, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stageMoves returns the usual moves of a stage; a case names others with moves=(…).
func stageMoves(t testing.TB, stage state.Stage) []move.Kind {
	t.Helper()
	words := map[state.Stage]string{
		state.StageMap: "FLAG", state.StageArbiter: "FLAG",
		state.StagePropose: "RAISE CITE SCORE FLAG", state.StageCoverage: "RAISE CITE SCORE FLAG",
		state.StageEvaluate:     "TRIAGE MERGE CLASSIFY CITE SCORE FLAG",
		state.StageAnswer:       "DEFEND CONCEDE REVISE CITE CONTEST BLOCKED CLARIFY SCORE FLAG",
		state.StageRemind:       "DEFEND CONCEDE REVISE CITE CONTEST BLOCKED CLARIFY SCORE FLAG",
		state.StageJudge:        "JUDGE CONTEST SCORE",
		state.StageStress:       "STEELMAN",
		state.StageConclude:     "ANSWER CONTEST",
		panel.StageTriage:       "TRIAGE MERGE FLAG",
		panel.StageVote:         "CLASSIFY CITE FLAG",
		council.StageFix:        "CITE SCORE CLARIFY REVISE CONCEDE CHALLENGE",
		council.StageSynthesize: "SYNTHESIZE SCORE MERGE REVISE FLAG",
		hearing.StageArgue:      "CLAIM CONCLUDE FLAG",
		hearing.StageProbe:      "CONTRADICT FLAG", hearing.StageContest: "CONTRADICT FLAG",
		hearing.StageExchange: "CLAIM CONTRADICT ANSWER SCORE CONCEDE CONCLUDE FLAG",
	}[stage]
	switch {
	case stage == council.StageCritique, stage == council.StageAttack, stage == council.StageAdvise:
		return claims.TestMoves()
	case stage == state.StageRebut:
		return claims.AnswerMoves()
	case words == "":
		return newTestParser(t).Kinds
	}
	return lists.Map(strings.Fields(words), func(word string) move.Kind { return move.Kind(word) })
}

// TestReplies runs testdata/replies: a reply above the line, and below it the form, one
// line per move as JSON, and one per refusal. Run with -rewrite to write what the parser
// says now.
func TestReplies(t *testing.T) {
	p := newTestParser(t)
	datadriven.Walk(t, "testdata/replies", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			ask := protocol.Ask{Seat: state.Consultee, Stage: state.Stage(d.Cmd)}
			ask.Moves = stageMoves(t, ask.Stage)
			if arg, ok := d.Arg("seat"); ok {
				ask.Seat = state.Seat(arg.Vals[0])
			}
			if arg, ok := d.Arg("moves"); ok {
				ask.Moves = nil
				for _, word := range arg.Vals {
					ask.Moves = append(ask.Moves, move.Kind(word))
				}
			}
			parser := p
			if f := formats.ByName(state.Format(strings.TrimSuffix(filepath.Base(path), ".txt"))); f != nil {
				parser = p.In(f)
			}
			parsed, err := parser.Parse(d.Input, ask)
			if err != nil {
				return err.Code + ": " + err.Reason + "\n"
			}
			return describe(t, parsed)
		})
	})
}

func describe(t testing.TB, parsed reply.Parsed) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", parsed.Form)
	for _, m := range parsed.Moves {
		fields, err := move.EncodeJSON(m)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %s\n", move.KindOf(m), fields)
	}
	for _, how := range parsed.Repaired {
		fmt.Fprintf(&out, "repaired: %s\n", how)
	}
	for _, refusal := range parsed.Refused {
		fmt.Fprintf(&out, "refused %d, %s: %s\n", refusal.Move, refusal.Code, refusal.Text)
	}
	return out.String()
}

// TestMoveTable: the example of each move reads the same as JSON and as a line.
func TestMoveTable(t *testing.T) {
	p := newTestParser(t)
	for _, kind := range p.Kinds {
		row, _ := &p.Specs[kind].Row, p.Specs[kind].Schema
		want, err := p.Parse(exampleJSON(kind), protocol.Ask{Moves: []move.Kind{kind}})
		if err != nil || len(want.Moves) != 1 || len(want.Refused) > 0 {
			t.Errorf("%s: %v %v", exampleJSON(kind), err, want.Refused)
			continue
		}
		line := exampleLine(row)
		got, err := p.Parse(line, protocol.Ask{Moves: []move.Kind{kind}})
		if err != nil || len(got.Refused) > 0 || got.Form != reply.FormText {
			t.Errorf("%s: %v %v", line, err, got.Refused)
			continue
		}
		if want, got := movesText(t, want.Moves...), movesText(t, got.Moves...); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", line, got, want)
		}
	}
}

// TestReplySchema: endpoints take a root that is a plain object, closed objects, and no
// keywords but these; an endpoint is offered only the moves that are allowed.
func TestReplySchema(t *testing.T) {
	p := newTestParser(t)
	supported := []string{
		"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum",
		"description",
	}
	var schema map[string]any
	if err := json.Unmarshal(p.Schema(p.Kinds), &schema); err != nil || schema["type"] != "object" {
		t.Fatalf("the root must be an object: %v %v", schema["type"], err)
	}
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch v := node.(type) {
		case []any:
			for _, item := range v {
				walk(path, item)
			}
		case map[string]any:
			for key, value := range v {
				if !slices.Contains(supported, key) {
					t.Errorf("%s: keyword %q is not supported everywhere", path, key)
				}
				if _, list := value.([]any); list && key == "type" {
					t.Errorf("%s: a list of types is not supported everywhere", path)
				}
				if properties, ok := value.(map[string]any); ok && key == "properties" {
					for name, property := range properties {
						walk(path+"."+name, property)
					}
				} else if key == "items" || key == "anyOf" {
					walk(path+"."+key, value)
				}
			}
			if v["type"] == "object" && v["additionalProperties"] != false {
				t.Errorf("%s: additionalProperties must be false", path)
			}
		}
	}
	walk("reply", schema)
	two := string(p.Schema([]move.Kind{move.KindClassify, move.KindRaise, move.KindClassify}))
	for _, part := range []string{
		`"move":{"type":"string","enum":["RAISE"]}`, `"enum":["AGREE","SKEPTICAL","REJECT","ILL-FORMED"]`,
		`"enum":["=","≠","<","≤",">","≥","in"]`, `"required":["move","text"]`,
	} {
		if !strings.Contains(two, part) {
			t.Errorf("the schema lacks %s", part)
		}
	}
	if strings.Contains(two, string(move.KindTriage)) || two != string(p.Schema([]move.Kind{move.KindRaise, move.KindClassify})) ||
		p.Schema(nil) != nil {
		t.Error("the schema must hold the allowed moves, in the order of the table")
	}
}

// FuzzParse: whatever the bytes, there is no panic, every move is allowed and within its
// bounds, and written as JSON it is read back the same.
func FuzzParse(f *testing.F) {
	for i, reply := range []string{
		`{"moves":[{"move":"SCORE","point":"p1","confidence":"80%"}]}`, "{'moves': [{'move': 'RAISE', 'text': 'a',},]}",
		"1. a [EVIDENCE] a.go:1 \"x\" (0.8)\n2. b", "AGREE: P1, P2\nREJECT P3: x | kind: empirical",
		"Re C1: x. I concede C1.",
		"CLAIM [f1, f2] 0.8: x | confidence: 1", "PROPOSE a = [\"b|c\"] | derived: sum of E1, a.b",
		"> I concede C1\n```\nRe C1: x\n```",
		"<think>x</think>{\"moves\":[]}", "\xff\xfe{\"moves\":[{\"move\":\"RAISE\",\"text\":\"\xff\"}]}",
		"BLOCKED P2:\n- Threshold: 1 %",
	} {
		f.Add(reply, uint8(i))
	}
	p := newTestParser(f)
	f.Fuzz(func(t *testing.T, reply string, n uint8) {
		stages := state.SharedStages()
		ask := protocol.Ask{Seat: state.Consultee, Stage: stages[int(n)%len(stages)]}
		ask.Moves = stageMoves(t, ask.Stage)
		if n > 127 {
			ask.Moves = p.Kinds
		}
		checkReply(t, p, reply, ask)
	})
}

// checkReply parses a reply and returns the code of its format error.
func checkReply(t testing.TB, p *reply.Parser, r string, ask protocol.Ask) string {
	t.Helper()
	parsed, err := p.Parse(r, ask)
	if err != nil {
		if err.Code == "" || err.Reason == "" || len(parsed.Moves) > 0 {
			t.Fatalf("a format error without code or reason, or with moves: %#v", err)
		}
		return err.Code
	}
	if len(parsed.Moves) > reply.MaxMoves {
		t.Fatalf("%d moves", len(parsed.Moves))
	}
	for _, m := range parsed.Moves {
		if !slices.Contains(ask.Moves, move.KindOf(m)) {
			t.Fatalf("%s is not allowed", move.KindOf(m))
		}
		checkBounds(t, reflect.ValueOf(m).Elem())
	}
	for _, refusal := range parsed.Refused {
		if (refusal.Move < 1) != (refusal.Code == state.Unread) || refusal.Code == "" || refusal.Text == "" || len(refusal.Text) > 2000 {
			t.Fatalf("refusal %#v", refusal)
		}
	}
	text, encodeErr := reply.EncodeMoves(parsed.Moves)
	if encodeErr != nil {
		t.Fatal(encodeErr)
	}
	if len(text) > reply.MaxReply {
		return ""
	}
	again, err := p.Parse(text, ask)
	if err != nil || len(again.Refused) > 0 {
		t.Fatalf("%s: %v %v", text, err, again.Refused)
	}
	if want, got := movesText(t, parsed.Moves...), movesText(t, again.Moves...); got != want {
		t.Fatalf("read again: got\n%s\nwant\n%s", got, want)
	}
	return ""
}

func checkBounds(t testing.TB, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if v.Len() > move.MaxText {
			t.Fatalf("a text of %d bytes", v.Len())
		}
	case reflect.Float64:
		if share := v.Float(); !(share >= 0 && share <= 1) {
			t.Fatalf("a confidence of %g", share)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			checkBounds(t, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkBounds(t, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			checkBounds(t, v.Field(i))
		}
	}
}

// TestHostileReplies: sizes and depths that must cost neither time nor stack.
func TestHostileReplies(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads in one goroutine, twenty times as slowly with the race detector")
	}
	p := newTestParser(t)
	many := strings.Repeat
	for name, c := range map[string]struct{ reply, code string }{
		"over the limit":        {many("x", reply.MaxReply+1), "oversized"},
		"deep lists":            {`{"moves":` + many("[", 100_000), "too-deep"},
		"deep objects":          {many(`{"moves":`, 20_000), "too-deep"},
		"deep in prose":         {"I say " + many(`{"a":[`, 20_000), ""},
		"braces without an end": {many("{\n", 120_000), ""},
		"braces in pairs":       {many("{}\n", 80_000), ""},
		"fences":                {many("```\n{\n", 20_000), ""},
		"quotation marks":       {many(" \"a", 80_000), ""},
		"backticks":             {many("` `` ```` ", 20_000), ""},
		"thinking":              {many("<think>", 30_000), "no-moves"},
		"tags":                  {many("</think", 30_000), ""},
		"mentioned tags":        {many("a </think> b\n", 18_000), ""},
		"blockquotes":           {many("> Re C1: x\n", 20_000), "no-moves"},
		"data fences":           {many("<<<DATA\n", 20_000), "no-moves"},
		"fields":                {"REJECT: P1: x" + many(" | kind: x", 20_000), ""},
		"concessions":           {"Re C1: x" + many(". I concede C1", 15_000), ""},
		"citations":             {"Re C1: " + many(`a.go:1 "x" `, 20_000), ""},
		"references":            {"Re C1: " + many(`a:1`, 70_000), ""},
		"ids":                   {"Re " + many(`C1, `, 60_000) + ": x", ""},
		"list marks":            {many("- ", 100_000) + "x", ""},
		"marks":                 {"RAISE: x" + many(" (0.5)", 40_000), ""},
		"commas":                {`{"moves":[` + many(" ,", 100_000), "broke-off"},
		"damaged":               {`{"moves":[` + many("{a:'b',},", 7_000) + "]}", ""},
		"backslashes":           {`{"moves":["` + many(`\`, 200_000), "broke-off"},
		"one long word":         {`{"moves":[{"move":"` + many("X", 200_000) + `"}]}`, ""},
		"one long class": {`{"moves":[{"move":"CLASSIFY","point":"P1","class":"` + many("X", 200_000) +
			`"}]}`, ""},
		"unknown fields": {`{"moves":[{"move":"RAISE","text":"a"` + many(`,"x`+many("y", 50)+`":1`, 3_000) +
			`}]}`, ""},
		"control characters": {many("\x00\x01\x1b[2J\n", 20_000), ""},
		"facts":              {"CLAIM [" + many("f,", 100_000) + "] 0.5: x", ""},
		"brackets":           {"CLAIM " + many("[", 200_000), ""},
		"separators":         {"CLAIM " + many(": - ", 60_000), ""},
		"one number": {`{"moves":[{"move":"SCORE","point":"P1","confidence":` + many("9", 200_000) +
			`}]}`, ""},
		"a huge exponent": {`{"moves":[{"move":"PROPOSE","path":"a","value":1e-999999999,"category":"b"}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ask := protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: p.Kinds}
			if code := checkReply(t, p, c.reply, ask); c.code != "" && code != c.code {
				t.Fatalf("want %s, got %q", c.code, code)
			}
		})
	}
}

// TestBoundsOfAReply: of a reply with too many moves the first are read, and the others are named or counted. A text
// that is too long spoils its own move only, and is named too.
func TestBoundsOfAReply(t *testing.T) {
	p := newTestParser(t)
	ask := protocol.Ask{Stage: state.StagePropose, Moves: []move.Kind{move.KindRaise}}
	for form, r := range map[reply.Form]string{
		reply.FormJSON: `{"moves":[` + strings.Repeat(`{"move":"RAISE","text":"a claim"},`, reply.MaxMoves+9) +
			`{"move":"RAISE","text":"the last claim"}]}`,
		reply.FormText: strings.Repeat("- a claim\n", reply.MaxMoves+9) + "- the last claim\n",
	} {
		parsed, err := p.Parse(r, ask)
		if err != nil || parsed.Form != form || len(parsed.Moves) != reply.MaxMoves || len(parsed.Refused) != 10 {
			t.Fatalf("%s: %d moves, %v, %v", form, len(parsed.Moves), parsed.Refused, err)
		}
		last := parsed.Refused[9]
		if last.Code != state.NotTaken || last.Move != reply.MaxMoves+10 || last.Said != "the last claim" {
			t.Errorf("%s: the last move is %+v", form, last)
		}
	}
	parsed, err := p.Parse(strings.Repeat("- a claim\n", reply.MaxMoves+1000), ask)
	if n := len(parsed.Refused); err != nil || n != 401 || parsed.Refused[n-1].Said != "600 further moves, in the reply itself" {
		t.Errorf("%d refused, %v", n, err)
	}
	long := strings.Repeat("x", move.MaxText+1)
	for _, reply := range []string{
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":"` + long +
			`"},{"move":"DEFEND","challenge":"C2","text":"fine"}]}`,
		"Re C1: " + long + "\nRe C2: fine",
	} {
		parsed, err := p.Parse(reply, protocol.Ask{Stage: state.StageAnswer, Moves: []move.Kind{move.KindDefend}})
		if err != nil || len(parsed.Moves) != 1 || len(parsed.Refused) != 1 ||
			parsed.Refused[0].Code != state.NotTaken || !strings.HasPrefix(parsed.Refused[0].Said, "xxx") {
			t.Errorf("%v %v", parsed.Refused, err)
		}
	}
}

// splitThoughts gives a reply to Thoughts in pieces of a size.
func splitThoughts(r string, size int, t reply.Thoughts) (said, thought string) {
	take := func(parts []reply.ThoughtPart) {
		for _, part := range parts {
			if part.Void {
				thought, said = thought+said, ""
			}
			said, thought = said+part.Text, thought+part.Thought
		}
	}
	for len(r) > 0 {
		n := min(size, len(r))
		take(t.Feed(r[:n]))
		r = r[n:]
	}
	take(t.End())
	return said, thought
}

func TestThoughts(t *testing.T) {
	for name, c := range map[string]struct{ reply, said, thought string }{
		"no thought":               {"Re C1: a < b, [x] → ◁", "Re C1: a < b, [x] → ◁", ""},
		"a thought first":          {"<think>\nhm\n</think>\n\nAGREE", "\n\nAGREE", "\nhm\n"},
		"the first tag is missing": {"hm, yes.\n</think>\nAGREE", "\nAGREE", "hm, yes.\n"},
		"another word":             {"<thinking>hm</thinking>AGREE", "AGREE", "hm"},
		"Magistral's":              {"[THINK]hm[/THINK]{\"a\":1}", "{\"a\":1}", "hm"},
		"Kimi's":                   {"◁think▷hm◁/think▷AGREE", "AGREE", "hm"},
		"channels": {
			"<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>AGREE",
			"AGREE", "hm<|end|>",
		},
		"two thoughts":             {"<think>a</think> <think>b</think>c", " c", "ab"},
		"a thought without an end": {"<think>I concede C2", "", "I concede C2"},
		"a tag in the middle": {
			"it puts <think> first and </think> last",
			"it puts <think> first and </think> last", "",
		},
		"a tag in JSON": {"{\"a\":\"x\n</think>\n\"}", "{\"a\":\"x\n</think>\n\"}", ""},
	} {
		for size := 1; size < len(c.reply)+2; size++ {
			if said, thought := splitThoughts(c.reply, size, reply.Thoughts{KeepJSON: true}); said != c.said ||
				thought != c.thought {
				t.Errorf("%s, in pieces of %d: said %q, thought %q", name, size, said, thought)
			}
		}
	}
	if said, thought := splitThoughts("hm</thought>AGREE", 3,
		reply.Thoughts{KeepJSON: true, Within: true}); said != "AGREE" || thought != "hm" {
		t.Errorf("within a thought: said %q, thought %q", said, thought)
	}
}

// The result does not depend on the pieces in which a reply comes.
func TestThoughtsDoNotDependOnThePieces(t *testing.T) {
	words := []string{
		"<think>", "</think>", "<thin", "k>", "[THINK]", "[/THINK]", "◁think▷", "◁/think▷", "<", "[",
		" ", "\n", "ä", "AGREE", "{",
	}
	rapid.Check(t, func(t *rapid.T) {
		r := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "reply"), "")
		start := reply.Thoughts{KeepJSON: rapid.Bool().Draw(t, "keep"), Within: rapid.Bool().Draw(t, "within")}
		said, thought := splitThoughts(r, len(r)+1, start)
		gotSaid, gotThought := splitThoughts(r, rapid.IntRange(1, 9).Draw(t, "size"), start)
		if said != gotSaid || thought != gotThought {
			t.Fatalf("%q: said %q, thought %q in one piece; %q and %q in several", r, said, thought, gotSaid,
				gotThought)
		}
	})
}

// movesText writes moves in full, each on a line; lists that are nil and empty look the same.
func movesText(t testing.TB, moves ...move.Move) string {
	t.Helper()
	var text strings.Builder
	for _, m := range moves {
		fields, err := jsonv2.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s %s\n", move.KindOf(m), fields)
	}
	return text.String()
}
