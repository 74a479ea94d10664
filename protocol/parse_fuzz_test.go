package protocol

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"moot/state"
)

// corpus returns the replies of testdata.
func corpus(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/replies/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no replies: %v", err)
	}
	var replies []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(data), "\n\n#") {
			above, _, _ := strings.Cut(part, "\n----\n")
			_, reply, _ := strings.Cut(above, "\n")
			_, reply, _ = strings.Cut(reply, "\n")
			replies = append(replies, reply)
		}
	}
	return replies
}

// FuzzParse: whatever the bytes, there is no panic, every move is allowed and
// within its bounds, and written as JSON it is read back the same.
func FuzzParse(f *testing.F) {
	for i, reply := range corpus(f) {
		f.Add(reply, uint8(i))
	}
	f.Add("\xff\xfe{\"moves\":[{\"move\":\"RAISE\",\"text\":\"\xff\"}]}", uint8(1))
	p := newTestParser(f)
	stages := state.Stages()
	f.Fuzz(func(t *testing.T, reply string, n uint8) {
		ask := Ask{Seat: state.Consultee, Stage: stages[int(n)%len(stages)]}
		ask.Moves = stageMoves(ask.Stage)
		ask.Seat = []state.Seat{state.Consultee, state.Strategist, state.Architect}[int(n)%3]
		if n > 127 {
			ask.Moves = MoveKinds()
		}
		parsed, err := p.Parse(reply, ask)
		if err != nil {
			if err.Code == "" || err.Reason == "" || len(parsed.Moves) > 0 {
				t.Fatalf("a format error without code or reason, or with moves: %#v", err)
			}
			return
		}
		checkParsed(t, p, parsed, ask)
	})
}

func checkParsed(t testing.TB, p *Parser, parsed Parsed, ask Ask) {
	t.Helper()
	if len(parsed.Moves) > MaxMoves {
		t.Fatalf("%d moves", len(parsed.Moves))
	}
	for _, move := range parsed.Moves {
		if !slices.Contains(ask.Moves, move.Kind()) {
			t.Fatalf("%s is not allowed", move.Kind())
		}
		checkBounds(t, reflect.ValueOf(move).Elem())
	}
	for _, refusal := range parsed.Refused {
		if refusal.Move < 1 || refusal.Code == "" || refusal.Text == "" || len(refusal.Text) > 1000 {
			t.Fatalf("refusal %#v", refusal)
		}
	}
	text, err := EncodeMoves(parsed.Moves)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > MaxReply {
		return
	}
	again, formatError := p.Parse(text, ask)
	if formatError != nil || len(again.Refused) > 0 {
		t.Fatalf("%s: %v %v", text, formatError, again.Refused)
	}
	if diff := cmp.Diff(parsed.Moves, again.Moves, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("read again: %s", diff)
	}
}

func checkBounds(t testing.TB, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if v.Len() > maxText {
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

// TestMovesSurviveJSON: any list of moves that is written as JSON is read back
// as the same moves.
func TestMovesSurviveJSON(t *testing.T) {
	p := newTestParser(t)
	rapid.Check(t, func(t *rapid.T) {
		moves := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Move {
			kind := rapid.SampledFrom(MoveKinds()).Draw(t, "kind")
			move := newMove(kind)
			drawObject(t, p.schemas.shapes[kind], reflect.ValueOf(move).Elem())
			if m, ok := move.(*Concede); ok && m.Point == "" {
				m.Challenge = "C1"
			}
			return move
		}), 0, 8).Draw(t, "moves")
		text, err := EncodeMoves(moves)
		if err != nil {
			t.Fatal(err)
		}
		parsed, formatError := p.Parse(text, Ask{Moves: MoveKinds()})
		if formatError != nil || len(parsed.Refused) > 0 || parsed.Form != FormJSON {
			t.Fatalf("%s: %v %v", text, formatError, parsed.Refused)
		}
		if diff := cmp.Diff(moves, parsed.Moves, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func drawObject(t *rapid.T, s *shape, v reflect.Value) {
	for _, f := range s.fields {
		if f.required && !f.lax || rapid.Bool().Draw(t, f.name) {
			drawValue(t, f.shape, v.FieldByIndex(f.index))
		}
	}
}

func drawValue(t *rapid.T, s *shape, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch s.as {
	case asText:
		v.SetString(rapid.StringMatching(`[ -~“”é\n]{0,20}[a-zé"\\<&]`).Draw(t, "text"))
	case asID:
		v.SetString(rapid.StringMatching(`[PCEF][1-9]\d?`).Draw(t, "id"))
	case asWord:
		v.SetString(rapid.SampledFrom(s.words).Draw(t, "word"))
	case asShare:
		v.SetFloat(rapid.Float64Range(0, 1).Draw(t, "share"))
	case asFlag:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case asValue:
		v.Set(reflect.ValueOf(json.RawMessage(rapid.SampledFrom([]string{`1`, `"<a>"`, `true`, `[1,"b"]`, `-1.50`}).Draw(t, "value"))))
	case asList:
		n := rapid.IntRange(1, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			drawValue(t, s.item, v.Index(i))
		}
	case asObject:
		drawObject(t, s, v)
	}
}

// TestHostileReplies: sizes and depths that must cost neither time nor stack.
func TestHostileReplies(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads in one goroutine, twenty times as slowly with the race detector")
	}
	p := newTestParser(t)
	many := func(part string, n int) string { return strings.Repeat(part, n) }
	cases := []struct {
		name, reply string
		code        string
	}{
		{"over the limit", many("x", MaxReply+1), "oversized"},
		{"deep lists", many("[", 100_000), "too-deep"},
		{"deep objects", many(`{"moves":`, 20_000), "too-deep"},
		{"deep in prose", "I say " + many(`{"a":[`, 20_000), ""},
		{"braces without an end", "x " + many("{ ", 120_000), ""},
		{"braces in pairs", "x " + many("{}", 120_000), ""},
		{"fences", many("```\n{\n", 20_000), ""},
		{"quotation marks", many(" \"a", 80_000), ""},
		{"backticks", many("` `` ```` ", 20_000), ""},
		{"thinking", many("<think>", 30_000), ""},
		{"blockquotes", many("> Re C1: x\n", 20_000), ""},
		{"data fences", many("<<<DATA\n", 20_000), ""},
		{"labels", "REJECT: P1: x" + many(" | kind: x", 20_000), ""},
		{"concessions", "Re C1: x" + many(". I concede C1", 15_000), ""},
		{"citations", "Re C1: " + many(`a.go:1 "x" `, 20_000), ""},
		{"references", "Re C1: " + many(`a:1`, 70_000), ""},
		{"ids", "Re " + many(`C1, `, 60_000) + ": x", ""},
		{"marks", many("- ", 100_000) + "x", ""},
		{"commas", `{"moves":[` + many(" ,", 100_000), ""},
		{"backslashes", `{"moves":["` + many(`\`, 200_000), ""},
		{"one long line", "Re C1: " + many("x", 200_000), ""},
		{"one long word", `{"moves":[{"move":"` + many("X", 200_000) + `"}]}`, ""},
		{"one long class", `{"moves":[{"move":"CLASSIFY","point":"P1","class":"` + many("X", 200_000) + `"}]}`, ""},
		{"control characters", many("\x00\x01\x1b[2J\n", 20_000), ""},
		{"claims of a hearing", many("CLAIM [f1] 0.5: x (", 12_000), ""},
		{"facts", "CLAIM [" + many("f,", 100_000) + "] 0.5: x", ""},
		{"brackets", "CLAIM " + many("[", 200_000), ""},
		{"separators", "CLAIM " + many(": - ", 60_000), ""},
		{"parts of a hearing", "CLAIM [f1] 0.5: x" + many(" | facts: x", 20_000), ""},
		{"one number", `{"moves":[{"move":"SCORE","point":"P1","confidence":` + many("9", 200_000) + `}]}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, seat := range []state.Seat{state.Consultee, state.Architect} {
				ask := Ask{Seat: seat, Stage: state.StageAnswer, Moves: MoveKinds()}
				parsed, err := p.Parse(c.reply, ask)
				switch {
				case c.code != "" && (err == nil || err.Code != c.code):
					t.Fatalf("want %s, got %v", c.code, err)
				case err == nil:
					checkParsed(t, p, parsed, ask)
				}
			}
		})
	}
}

func TestReplyWithTooManyMoves(t *testing.T) {
	p := newTestParser(t)
	ask := Ask{Stage: state.StagePropose, Moves: []MoveKind{MoveRaise}}
	for form, reply := range map[Form]string{
		FormJSON: `{"moves":[` + strings.Repeat(`{"move":"RAISE","text":"a"},`, MaxMoves+10) + `{}]}`,
		FormText: strings.Repeat("- a claim\n", MaxMoves+10),
	} {
		parsed, err := p.Parse(reply, ask)
		if err != nil || parsed.Form != form || len(parsed.Moves) != MaxMoves || len(parsed.Refused) != 1 {
			t.Errorf("%s: %d moves, %v, %v", form, len(parsed.Moves), parsed.Refused, err)
		}
	}
}

func TestTextsThatAreTooLongAreRefused(t *testing.T) {
	p := newTestParser(t)
	long := strings.Repeat("x", maxText+1)
	for _, reply := range []string{
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":"` + long + `"},{"move":"DEFEND","challenge":"C2","text":"fine"}]}`,
		"Re C1: " + long + "\nRe C2: fine",
	} {
		parsed, err := p.Parse(reply, Ask{Stage: state.StageAnswer, Moves: []MoveKind{MoveDefend}})
		if err != nil || len(parsed.Moves) != 1 || len(parsed.Refused) != 1 || parsed.Refused[0].Code != "too-long" {
			t.Errorf("%v %v", parsed.Refused, err)
		}
	}
}

// typical is a reply of eight moves and 3 KB.
func typical(t testing.TB) string {
	t.Helper()
	var moves []Move
	share := 0.7
	for range 8 {
		moves = append(moves, &Classify{
			Point: "P1", Class: state.Reject, Flaw: strings.Repeat("the figure is old ", 5),
			FlawKind: state.Empirical, Grounds: strings.Repeat("see the run ", 5), WhyNotSkeptical: "it is explicit",
			Confidence: &share, Citations: []Citation{{Reference: "queue/store.go:77", Quote: "f.Sync()"}},
		})
	}
	text, err := EncodeMoves(moves)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func BenchmarkParse(b *testing.B) {
	p := newTestParser(b)
	reply := typical(b)
	text := strings.Repeat("REJECT: P1: the figure is old | kind: empirical | grounds: queue/store.go:77 \"f.Sync()\" | why not skeptical: it is explicit\n", 8)
	for name, reply := range map[string]string{"json": reply, "text": text} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(reply)))
			b.ReportAllocs()
			for b.Loop() {
				if parsed, err := p.Parse(reply, Ask{Stage: state.StageEvaluate, Moves: MoveKinds()}); err != nil || len(parsed.Moves) != 8 {
					b.Fatal(err, len(parsed.Moves))
				}
			}
		})
	}
}

// BenchmarkValidate is what jsonschema's validation alone costs: why Parse
// uses shapes.
func BenchmarkValidate(b *testing.B) {
	p := newTestParser(b)
	var schema jsonschema.Schema
	if err := json.Unmarshal(p.Schema([]MoveKind{MoveClassify}), &schema); err != nil {
		b.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		b.Fatal(err)
	}
	var value any
	if err := json.Unmarshal([]byte(typical(b)), &value); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := resolved.Validate(value); err != nil {
			b.Fatal(err)
		}
	}
}
