package pane_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"moot/tui/pane"
)

// preview returns what is shown after the pieces.
func preview(pieces ...string) string {
	var p pane.Preview
	for _, piece := range pieces {
		p.Feed(piece)
	}
	return p.Text()
}

func TestPreviewShowsMovesInWords(t *testing.T) {
	for _, test := range []struct{ name, reply, want string }{
		{"plain text", "plain text", "plain text"},
		{"plain text of several lines", "Re C1: a {\n\tb := 1\n}\nP2: é", "Re C1: a {\n\tb := 1\n}\nP2: é"},
		{"a list that is no JSON", "[EVIDENCE] P1: it holds [1]", "[EVIDENCE] P1: it holds [1]"},
		{"cut off", `{"moves":[{"move":"RAISE","text":"a claim with \"quotes\" in it","confidence":0.8},{"move":"DEF`, "RAISE a claim with \"quotes\" in it\nDEF"},
		{"nothing yet", `{"moves":[`, ""},
		{"typographic quotes", `{"moves":[{"move":"RAISE","text":"a \u201cclaim\u201d"}]}`, "RAISE a “claim”\n"},
		{"a surrogate pair", `{"moves":[{"move":"RAISE","text":"a \ud83d\ude42"}]}`, "RAISE a 🙂\n"},
		{"half a surrogate pair", `{"moves":[{"move":"RAISE","text":"a \ud83d b"}]}`, "RAISE a \ufffd b\n"},
		{"a broken escape", `{"moves":[{"move":"RAISE","text":"a \uzz b"}]}`, "RAISE a \\uzz b\n"},
		{"strings that are no text", `{"thoughts":"x","moves":[{"move":"RAISE","label":"EVIDENCE","text":"a","citations":[{"reference":"a.go:3","quote":"q","text":"b"}],"from":["P1"]}]}`, "RAISE a\n"},
		{"ids and reasons", `{"moves":[{"move":"CLASSIFY","point":"P1","class":"SKEPTICAL","flaw":"f","upgrade_if":"u"},{"move":"ACCEPT","evidence":"E1"}]}`, "CLASSIFY P1 SKEPTICAL f\nu\nACCEPT E1\n"},
		{"an answer", `{"moves":[{"move":"ANSWER","sentences":[{"text":"Yes.","points":["P1"]},{"text":"Or no."}]}]}`, "ANSWER Yes.\nOr no.\n"},
		{"a fenced block in prose", "Here it is:\n```json\n{\"moves\":[{\"move\":\"RAISE\",\"text\":\"a\"}]}\n```\nDone.", "Here it is:\n\nRAISE a\n\n\nDone."},
		{"in the middle of a line", `So: {"moves":[{"move":"RAISE","text":"a"}]}`, "So: \nRAISE a\n"},
		{"one move alone", `{"text":"a","move":"RAISE"}`, "a\nRAISE\n"},
		{"a list of moves", `[{"move":"RAISE","text":"a"}]`, "RAISE a\n"},
		{"unquoted keys", `{moves: [{move: 'RAISE', text: 'it''s'}]}`, "RAISE it\ns\n"},
		{"too many brackets", `{"moves":[{"move":"RAISE","text":"a"}]}]}}`, "RAISE a\n]}}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := preview(test.reply); got != test.want {
				t.Errorf("%s\ngot  %q\nwant %q", test.reply, got, test.want)
			}
			for i := range len(test.reply) {
				if got := preview(test.reply[:i], test.reply[i:]); got != test.want {
					t.Errorf("split at %d: got %q, want %q", i, got, test.want)
				}
			}
		})
	}
}

// encoded writes a string as JSON, each character in one of the ways that servers use.
func encoded(rt *rapid.T, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		high, low := utf16.EncodeRune(r)
		switch escape := rapid.Bool().Draw(rt, "escaped"); {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case escape && high != utf8.RuneError:
			fmt.Fprintf(&b, `\u%04x\u%04X`, high, low)
		case escape || r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Wherever a JSON reply is cut, the preview shows a prefix of the words, ids and texts of its moves, and nothing else.
func TestPreviewShowsOnlyPrefixesOfTexts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := func(label string) string {
			letters := rapid.SampledFrom([]rune{'a', ' ', '"', '\\', '{', '}', '[', ':', ',', '\n', '“', 'é', '語', '🙂', '\u200d', '\'', 'u', '`', '\x1b'})
			return "t" + string(rapid.SliceOfN(letters, 0, 12).Draw(rt, label))
		}
		space := func() string { return rapid.SampledFrom([]string{"", " ", "\n  ", "\t"}).Draw(rt, "space") }
		var want strings.Builder
		line := func(s string) {
			want.WriteString(s)
			if !strings.HasSuffix(s, "\n") {
				want.WriteByte('\n')
			}
		}
		var moves []string
		for range rapid.IntRange(0, 4).Draw(rt, "moves") {
			said, other, hidden := text("text"), text("reason"), text("hidden")
			citation := fmt.Sprintf(`{"quote":%s,"text":%s,"of":[{"text":%[1]s}]}`, encoded(rt, hidden), encoded(rt, hidden))
			fields := []string{
				`"move":` + space() + `"RAISE"`, `"label":` + encoded(rt, hidden), `"point":"P1"`, `"confidence":0.5`,
				`"citations":` + space() + `[` + citation + `]`, `"text":` + encoded(rt, said), `"predicate":` + citation,
				`"reason":` + space() + encoded(rt, other), `"from":[` + encoded(rt, hidden) + `]`, `"limit":null`,
			}
			moves = append(moves, "{"+space()+strings.Join(fields, space()+","+space())+space()+"}")
			line("RAISE P1 " + said)
			line(other)
		}
		reply := `{"note":` + encoded(rt, text("note")) + `,"moves":[` + strings.Join(moves, space()+","+space()) + "]" + space() + "}"
		full := want.String()
		var p pane.Preview
		for i := range len(reply) {
			p.Feed(reply[i : i+1])
			if got := p.Text(); !strings.HasPrefix(full, got) || !utf8.ValidString(got) {
				rt.Fatalf("after %s\nit shows %q, which is no prefix of %q", reply[:i+1], got, full)
			}
			if got := preview(reply[:i], reply[i:]); got != full {
				rt.Fatalf("split at %d: %s\ngot  %q\nwant %q", i, reply, got, full)
			}
		}
	})
}

// A long reply is shown by its end, in whole characters.
func TestPreviewKeepsTheEnd(t *testing.T) {
	long := strings.Repeat("語", 4*pane.TailBytes)
	for _, reply := range []string{long, `{"moves":[{"move":"RAISE","text":"` + long} {
		var p pane.Preview
		for i := 0; i < len(reply); i += 100 {
			p.Feed(reply[i:min(i+100, len(reply))])
		}
		if got := p.Text(); len(got) > 2*pane.TailBytes || len(got) < pane.TailBytes-3 || strings.Trim(got, "語") != "" {
			t.Errorf("it keeps %d bytes: %.40q", len(got), got)
		}
	}
}

func FuzzPreview(f *testing.F) {
	f.Add("{\"moves\":[{\"move\":\"RAISE\",\"text\":\"a \\u201c\"}]}", 20)
	f.Add("```json\n{'moves': [", 9)
	f.Add("\xc3\x28 [[[{\"", 1)
	f.Fuzz(func(t *testing.T, reply string, at int) {
		at = max(0, min(at, len(reply)))
		if whole, split := preview(reply), preview(reply[:at], reply[at:]); whole != split && len(reply) < pane.TailBytes {
			t.Errorf("split at %d: %q\ngot  %q\nwant %q", at, reply, split, whole)
		}
	})
}
