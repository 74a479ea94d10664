package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"moot/state"
)

// style is how a model writes what it takes for JSON.
type style struct {
	open, close          string
	bareKeys, python     bool
	trailing, comments   bool
	noCommas, lineBreaks bool
}

func (s style) write(out *strings.Builder, value any) {
	switch v := value.(type) {
	case map[string]any:
		out.WriteString("{")
		for i, key := range slices.Sorted(mapKeys(v)) {
			s.comma(out, i)
			if s.bareKeys {
				out.WriteString(key)
			} else {
				s.text(out, key)
			}
			out.WriteString(": ")
			s.write(out, v[key])
		}
		s.end(out, "}", len(v))
	case []any:
		out.WriteString("[")
		for i, item := range v {
			s.comma(out, i)
			s.write(out, item)
		}
		s.end(out, "]", len(v))
	case string:
		s.text(out, v)
	case bool:
		word := fmt.Sprint(v)
		if s.python {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		out.WriteString(word)
	default:
		fmt.Fprint(out, v)
	}
}

func mapKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

func (s style) comma(out *strings.Builder, i int) {
	if i == 0 {
		return
	}
	if s.noCommas {
		out.WriteString(" ")
		return
	}
	out.WriteString(", ")
	if s.comments && i == 1 {
		out.WriteString("// what \"I\" think\n")
	}
}

func (s style) end(out *strings.Builder, bracket string, n int) {
	if s.trailing && n > 0 {
		out.WriteString(",")
	}
	out.WriteString(bracket)
}

func (s style) text(out *strings.Builder, text string) {
	quoted, _ := json.Marshal(text)
	inner := string(quoted[1 : len(quoted)-1])
	if s.open == "'" {
		// As Python writes it: the other marks where the text holds these.
		if strings.Contains(text, "'") {
			out.Write(quoted)
			return
		}
		inner = strings.ReplaceAll(inner, `\"`, `"`)
	}
	if s.lineBreaks {
		inner = strings.ReplaceAll(inner, `\n`, "\n")
	}
	out.WriteString(s.open + inner + s.close)
}

// damages are what models do to JSON. Each takes a valid reply.
func damages() map[string]func(value any, text string) string {
	in := func(s style) func(any, string) string {
		return func(value any, _ string) string {
			var out strings.Builder
			s.write(&out, value)
			return out.String()
		}
	}
	straight := style{open: `"`, close: `"`}
	with := func(change func(*style)) func(any, string) string {
		s := straight
		change(&s)
		return in(s)
	}
	return map[string]func(any, string) string{
		"trailing commas":      with(func(s *style) { s.trailing = true }),
		"single quotes":        in(style{open: "'", close: "'", python: true}),
		"curly quotes":         in(style{open: "“", close: "”"}),
		"keys without quotes":  with(func(s *style) { s.bareKeys = true }),
		"constants of Python":  with(func(s *style) { s.python = true }),
		"comments":             with(func(s *style) { s.comments = true }),
		"missing commas":       with(func(s *style) { s.noCommas = true }),
		"line breaks in texts": with(func(s *style) { s.lineBreaks = true }),
		"no last brace":        func(_ any, text string) string { return text[:len(text)-1] },
		"no last brackets":     func(_ any, text string) string { return text[:len(text)-2] },
		"a bracket too many":   func(_ any, text string) string { return text + "}" },
		"prose around":         func(_ any, text string) string { return "Here it is:\n" + text + "\nI hope that helps {you}." },
		"a fence without end":  func(_ any, text string) string { return "Sure.\n```json\n" + text },
		"a fence and no brace": func(_ any, text string) string { return "```json\n" + text[:len(text)-1] + "\n```" },
		"JSON in a text": func(_ any, text string) string {
			quoted, _ := json.Marshal(text)
			return string(quoted)
		},
		"escaped marks": func(_ any, text string) string {
			quoted, _ := json.Marshal(text)
			return string(quoted[1 : len(quoted)-1])
		},
		"moves in a text": func(_ any, text string) string {
			quoted, _ := json.Marshal(strings.TrimSuffix(strings.TrimPrefix(text, `{"moves":`), "}"))
			return `{"moves":` + string(quoted) + "}"
		},
		"no number": func(_ any, text string) string {
			return strings.ReplaceAll(text, `"confidence":0.5`, `"confidence":NaN`)
		},
		"twice broken": func(_ any, text string) string { return "{'moves': " + strings.TrimPrefix(text, `{"moves":`) + ",}" },
		"in two objects": func(value any, text string) string {
			list := value.(map[string]any)[movesKey].([]any)
			if len(list) < 2 {
				return text
			}
			first, _ := json.Marshal(map[string]any{movesKey: list[:1]})
			second, _ := json.Marshal(map[string]any{movesKey: list[1:]})
			return string(first) + "\n" + string(second)
		},
	}
}

func answersNow() Ask {
	return Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: MoveKinds()}
}

// CH6, PH3: what is mended never says what the reply did not, and never more of it;
// of a reply that ends too soon nothing counts.
func TestDamagedRepliesSayNothingElse(t *testing.T) {
	p := newTestParser(t)
	kinds := damages()
	names := slices.Sorted(mapKeysOf(kinds))
	rapid.Check(t, func(t *rapid.T) {
		var moves []Move
		for range rapid.IntRange(1, 4).Draw(t, "moves") {
			kind := rapid.SampledFrom(MoveKinds()).Draw(t, "kind")
			move := newMove(kind)
			drawObject(t, p.schemas.shapes[kind], reflect.ValueOf(move).Elem())
			if m, ok := move.(*Concede); ok && m.Point == "" {
				m.Challenge = "C1"
			}
			moves = append(moves, move)
		}
		text, err := EncodeMoves(moves)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		damaged := kinds[rapid.SampledFrom(names).Draw(t, "damage")](value, text)
		if rapid.Bool().Draw(t, "cut") {
			damaged = damaged[:rapid.IntRange(0, len(damaged)).Draw(t, "at")]
		}
		saysWithin(t, p, damaged, moves)
	})
}

func mapKeysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// TestCutRepliesSayNothing: a reply that is cut anywhere before its list of moves has
// ended is asked for again (CH6), with the moves that were complete.
func TestCutRepliesSayNothing(t *testing.T) {
	p := newTestParser(t)
	reply := `{"moves":[{"move":"DEFEND","challenge":"C1","text":"it [syncs], {always}"},{"move":"CONCEDE","challenge":"C2"}]}`
	whole, err := p.Parse(reply, answersNow())
	if err != nil {
		t.Fatal(err)
	}
	for _, lead := range []string{"", "Here: ", "```json\n"} {
		for at := 1; at < len(reply); at++ {
			parsed, err := p.Parse(lead+reply[:at], answersNow())
			switch {
			case at < len(reply)-1 && err == nil && len(parsed.Moves) > 0:
				t.Fatalf("%q: %v", lead+reply[:at], parsed.Moves)
			case at == len(reply)-1:
				if err != nil || !cmp.Equal(parsed.Moves, whole.Moves) || !slices.Contains(parsed.Repaired, mendedBracket) {
					t.Fatalf("the list has ended: %v %v %v", err, parsed.Moves, parsed.Repaired)
				}
			}
		}
	}
	said := completeMoves("Here: " + reply[:len(reply)-5])
	if !strings.Contains(said, `"C1"`) || strings.Contains(said, `"C2"`) || !strings.Contains(said, "say them again") {
		t.Fatalf("the seat is told %q", said)
	}
	if said := completeMoves("<think>" + reply + "</think> and so"); said != "" {
		t.Fatalf("what was only thought is told: %q", said)
	}
}

// TestRepairs: each kind of damage is mended where nothing has to be guessed, and
// told.
func TestRepairs(t *testing.T) {
	p := newTestParser(t)
	flag := true
	moves := []Move{
		&Defend{Challenge: "C1", Text: "it \"syncs\" [always], {each} time: \\d+\nin C:\\dir, as queue/store.go says", Citations: []Citation{{Reference: "queue/store.go:77", Quote: "f.Sync(“x”)", Direct: flag}}},
		&Score{Point: "P1", Confidence: 0.5, Cause: "E1"},
	}
	text, err := EncodeMoves(moves)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"trailing commas": mendedComma, "single quotes": mendedQuotes, "keys without quotes": mendedWord,
		"constants of Python": mendedPython, "comments": mendedComment, "missing commas": mendedMissing, "line breaks in texts": mendedBreak,
		"no last brace": mendedBracket, "a bracket too many": mendedTooMany, "prose around": mendedProse, "a fence without end": mendedFence,
		"a fence and no brace": mendedBracket, "JSON in a text": mendedEscaped, "escaped marks": mendedEscaped, "moves in a text": mendedEscaped,
		"twice broken": mendedQuotes, "in two objects": mendedSeveral,
		// What the text holds might be its end.
		"curly quotes": "refused",
		// The list has no end, and a number none that is one.
		"no last brackets": "refused", "no number": "one less",
	}
	for name, damage := range damages() {
		t.Run(name, func(t *testing.T) {
			damaged := damage(value, text)
			parsed, err := p.Parse(damaged, answersNow())
			switch {
			case want[name] == "refused":
				if err == nil {
					t.Fatalf("%s\ngave %v", damaged, parsed.Moves)
				}
			case want[name] == "one less":
				if err != nil || len(parsed.Moves) != 1 || len(parsed.Refused) != 1 {
					t.Fatalf("%s\n%v %v", damaged, err, parsed)
				}
			case err != nil:
				t.Fatalf("%s\n%v", damaged, err)
			case !cmp.Equal(parsed.Moves, moves, cmpopts.EquateEmpty()):
				t.Fatal(cmp.Diff(moves, parsed.Moves, cmpopts.EquateEmpty()))
			case !slices.ContainsFunc(parsed.Repaired, func(told string) bool { return strings.HasPrefix(told, want[name]) }):
				t.Fatalf("%s\nis told as %q", damaged, parsed.Repaired)
			}
		})
	}
}

// TestWhatIsNoRepair: what would take a guess is refused, and speech is left alone.
func TestWhatIsNoRepair(t *testing.T) {
	p := newTestParser(t)
	for reply, want := range map[string]string{
		// The end of a text would be guessed, and a field be invented.
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":"the "fast" path, "slow": no"}]}`: "broken-json",
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":"a, "reason": b"}]}`:              "broken-json",
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":}]}`:                              "broken-json",
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":"a"}, ...]}`:                      "broken-json",
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":f("a")}]}`:                        "broken-json",
		`{"moves":[{"move":"DEFEND","challenge":"C1","text":"a" + "b"}]}`:                     "broken-json",
		// Of two replies one cannot be read.
		`{"move":"DEFEND","challenge":"C1","text":"a"} {"move":"DEFEND" "challenge":"C2" text}`: "broken-json",
		"Re C1: as {move: fast} says": "",
		"Re C1: see {'moves': fast}":  "",
	} {
		parsed, err := p.Parse(reply, answersNow())
		switch {
		case want != "" && (err == nil || err.Code != want):
			t.Errorf("%s\nwant %s, got %v %v", reply, want, err, parsed.Moves)
		case want == "" && (err != nil || parsed.Form != FormText || len(parsed.Moves) != 1 || parsed.Repaired != nil):
			t.Errorf("%s\n%v %+v", reply, err, parsed)
		}
	}
}

// A reply that is valid is not repaired.
func TestValidRepliesAreNotRepaired(t *testing.T) {
	p := newTestParser(t)
	for _, reply := range []string{typical(t), "```json\n" + typical(t) + "\n```", `{"moves":[]}`, `[]`, "Re C1: it syncs"} {
		if parsed, err := p.Parse(reply, answersNow()); err != nil || parsed.Repaired != nil {
			t.Errorf("%.80s: %v %q", reply, err, parsed.Repaired)
		}
	}
}

// saysWithin checks that a reply says nothing but these moves, each once at most.
func saysWithin(t *rapid.T, p *Parser, reply string, moves []Move) {
	parsed, err := p.Parse(reply, answersNow())
	if err != nil || parsed.Form == FormText {
		return
	}
	left := slices.Clone(moves)
	for _, move := range parsed.Moves {
		at := slices.IndexFunc(left, func(m Move) bool { return cmp.Equal(m, move, cmpopts.EquateEmpty()) })
		if at < 0 {
			t.Fatalf("%s\nsays %#v, which was not said", reply, move)
		}
		left = slices.Delete(left, at, at+1)
	}
}

// FuzzRepair: whatever the bytes, what is read holds no letter or digit that was not
// written, in the order in which it was.
func FuzzRepair(f *testing.F) {
	text, _ := EncodeMoves([]Move{&Defend{Challenge: "C1", Text: "it \"syncs\""}, &Score{Point: "P1", Confidence: 0.5}})
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		f.Fatal(err)
	}
	for _, damage := range damages() {
		f.Add(damage(value, text))
	}
	f.Add(`{"a":"it's" /* x */, 'b': 0., c: None,}`)
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		got, ok := repairJSON(text)
		if !ok {
			return
		}
		written := []rune(strings.ReplaceAll(text, "None", "null"))
		for _, c := range letters(got.value) {
			at := slices.IndexFunc(written, func(w rune) bool { return unicode.ToLower(w) == unicode.ToLower(c) })
			if at < 0 {
				t.Fatalf("%q\nwas read as %v: %q was not written there", text, got.value, c)
			}
			written = written[at+1:]
		}
	})
}

// letters are those of the texts in lists, which keep their order. Escapes and
// numbers are written in more than one way.
func letters(value any) []rune {
	var out []rune
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			out = append(out, letters(item)...)
		}
	case string:
		for _, c := range v {
			if c > ' ' && c < 127 && unicode.IsLetter(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// BenchmarkHostile is the time that texts cost which are made to take long.
func BenchmarkHostile(b *testing.B) {
	p := newTestParser(b)
	for _, part := range []string{`1 `, `"" `, `"`, `x", y "`, `"a":1,`, `+"a"`, `it's `, "a\n\",", "{}\n", `a(`, `/*`, `{'move':1}`} {
		for _, n := range []int{maxRepair - 100, MaxReply - 100} {
			reply := `{'moves':['` + strings.Repeat(part, (n-20)/len(part))
			b.Run(fmt.Sprintf("%q/%d", part, n), func(b *testing.B) {
				for b.Loop() {
					_, _ = p.Parse(reply, answersNow())
				}
			})
		}
	}
}
