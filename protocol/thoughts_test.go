package protocol

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/state"
)

// partThoughts gives a reply to Thoughts in pieces of a size, and collects what is said
// and what is thought.
func partThoughts(reply string, size int, t Thoughts) (said, thought string) {
	take := func(parts []ThoughtPart) {
		for _, part := range parts {
			if part.Void {
				thought, said = thought+said, ""
			}
			said, thought = said+part.Text, thought+part.Thought
		}
	}
	for len(reply) > 0 {
		n := min(size, len(reply))
		take(t.Feed(reply[:n]))
		reply = reply[n:]
	}
	take(t.End())
	return said, thought
}

func TestThoughtsAreParted(t *testing.T) {
	for name, c := range map[string]struct {
		reply, said, thought string
	}{
		"no thought":                     {"Re C1: a < b, [x] → ◁", "Re C1: a < b, [x] → ◁", ""},
		"a thought first":                {"<think>\nhm\n</think>\n\nAGREE", "\n\nAGREE", "\nhm\n"},
		"the first tag is missing":       {"hm, yes.</think>\nAGREE", "\nAGREE", "hm, yes."},
		"another word":                   {"<thinking>hm</thinking>AGREE", "AGREE", "hm"},
		"Magistral's":                    {"[THINK]hm[/THINK]AGREE", "AGREE", "hm"},
		"Kimi's":                         {"◁think▷hm◁/think▷AGREE", "AGREE", "hm"},
		"a channel":                      {"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>AGREE", "AGREE", "hm<|end|><|start|>assistant"},
		"in the middle":                  {"Sure. <think>hm</think> AGREE", "Sure.  AGREE", "hm"},
		"twice":                          {"<think>a</think>b<think>c</think>d", "bd", "ac"},
		"one inside another":             {"<think>a<think>b</think>c</think>d", "d", "a<think>bc"},
		"another's end inside":           {"<think>a[/THINK]b</think>c", "c", "a[/THINK]b"},
		"never ended":                    {"<think>I CONCEDE C2", "", "I CONCEDE C2"},
		"a tag that breaks off":          {"AGREE <thin", "AGREE <thin", ""},
		"in quotation marks":             {"the parser drops `<think>` and \"</think>\" alone", "the parser drops `<think>` and \"</think>\" alone", ""},
		"between blanks":                 {"it strips </think> from a text", "it strips </think> from a text", ""},
		"behind a quotation, not in one": {"he said 'yes'</think>\nAGREE", "\nAGREE", "he said 'yes'"},
		"spoken of, and never ended":     {"Re C1: it puts <think> first, so\n2. Second", "Re C1: it puts <think> first, so\n2. Second", " first, so\n2. Second"},
		"spoken of on a line of a list":  {"a\n- <think> first", "a\n- <think> first", " first"},
		"on a line of its own":           {"Sure.\n <think>I CONCEDE C2", "Sure.\n ", "I CONCEDE C2"},
		"the end before a comma":         {"all before </think>, which it drops", "all before </think>, which it drops", ""},
		"behind a blank":                 {"so be it </think>\nAGREE", "\nAGREE", "so be it "},
	} {
		for size := 1; size < len(c.reply)+2; size++ {
			if said, thought := partThoughts(c.reply, size, Thoughts{}); said != c.said || thought != c.thought {
				t.Errorf("%s, in pieces of %d: said %q, thought %q", name, size, said, thought)
			}
		}
	}
}

func TestThoughtsLeaveJSONAlone(t *testing.T) {
	for reply, thinks := range map[string]bool{
		` {"moves":[{"text":"it drops <think> and </think>\n"}]}`: false,
		"\n[1, \"</think>x\"]":      false,
		"[THINK]a[/THINK]{}":        true,
		"<think>a</think>{\"a\":1}": true,
	} {
		for size := 1; size <= len(reply); size++ {
			said, thought := partThoughts(reply, size, Thoughts{KeepJSON: true, Within: !thinks})
			if (thought != "") != thinks || !thinks && said != reply {
				t.Errorf("%q in pieces of %d: said %q, thought %q", reply, size, said, thought)
			}
		}
	}
	if said, thought := partThoughts("hm</thought>AGREE", 3, Thoughts{KeepJSON: true, Within: true}); said != "AGREE" || thought != "hm" {
		t.Errorf("said %q, thought %q", said, thought)
	}
}

// However a reply is cut into pieces, the same is said and thought, and nothing is lost
// of a reply without tags.
func TestThoughtsDoNotDependOnThePieces(t *testing.T) {
	words := []string{"<think>", "</think>", "<thin", "k>", "[THINK]", "[/THINK]", "◁think▷", "◁/think▷", "<", "[", " ", "`", "\n", "ä", "AGREE", "{"}
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "reply"), "")
		start := Thoughts{KeepJSON: rapid.Bool().Draw(t, "keep"), Within: rapid.Bool().Draw(t, "within")}
		said, thought := partThoughts(reply, len(reply)+1, start)
		gotSaid, gotThought := partThoughts(reply, rapid.IntRange(1, 9).Draw(t, "size"), start)
		if said != gotSaid || thought != gotThought {
			t.Fatalf("%q: said %q, thought %q in one piece; %q and %q in several", reply, said, thought, gotSaid, gotThought)
		}
		if !strings.ContainsAny(reply, "<[◁") && said+thought != reply {
			t.Fatalf("%q: said %q, thought %q", reply, said, thought)
		}
	})
}

// What a model thinks aloud is no move, in whatever form it is written (PH3).
func TestMovesInsideOfThinkingDoNotCount(t *testing.T) {
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	ask := Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: MoveKinds()}
	for _, thought := range []string{
		`{"moves":[{"move":"concede","challenge":"C1"}]}`, "I concede C1", "```json\n{\"moves\":[{\"move\":\"concede\",\"challenge\":\"C1\"}]}\n```",
	} {
		if parsed, failed := parser.Parse(thought, ask); failed != nil || len(parsed.Moves) != 1 {
			t.Fatalf("%q alone makes the moves %v, %v", thought, parsed.Moves, failed)
		}
		for _, reply := range []string{
			"<think>" + thought + "</think>\n", "<think>" + thought, thought + "\n</think>\n", "<think>x</think>" + thought + "</think>\n",
		} {
			parsed, failed := parser.Parse(reply, ask)
			if failed == nil && len(parsed.Moves) > 0 {
				t.Errorf("%q makes the moves %v", reply, parsed.Moves)
			}
		}
	}
}
