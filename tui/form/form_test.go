package form

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"moot/internal/plain"
	"moot/tui/theme"
	"moot/view"
)

// press types keys that are separated by spaces, and reports whether they submit the form.
func press(f *Form, keys string) bool {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "backspace": tea.KeyBackspace, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
	}
	submit := false
	for name := range strings.FieldsSeq(keys) {
		key := tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
		if rest, shift := strings.CutPrefix(name, "shift+"); shift {
			key = tea.KeyPressMsg{Code: codes[rest], Mod: tea.ModShift}
		} else if code, ok := codes[name]; ok {
			key = tea.KeyPressMsg{Code: code}
			if name == "space" {
				key.Text = " "
			}
		}
		submit = f.Key(key)
	}
	return submit
}

// everyKind has a field of each kind, and one that only some choices need.
func everyKind() *Form {
	return New("A form", []view.Field{
		{Key: "question", Label: "Question", Kind: view.FieldText, Required: true},
		{
			Key: "framing", Label: "Framing", Kind: view.FieldSelect, Default: "critique",
			Choices: []view.Choice{{Value: "propose"}, {Value: "critique", Help: "a design is attacked"}, {Value: "compare"}},
			Other:   "a file of your own",
		},
		{
			Key: "design", Label: "Design file", Placeholder: "none",
			Hidden: func(v view.Values) bool { return v["framing"] != "critique" },
		},
		{
			Key: "tags", Label: "Tags", Kind: view.FieldMultiSelect, Default: "b",
			Choices: []view.Choice{{Value: "a"}, {Value: "b", Label: "Beta"}, {Value: "c"}},
		},
		{Key: "sure", Label: "Sure?", Kind: view.FieldConfirm},
		{Key: "note", Label: "Note"},
	})
}

func screen(f *Form, width, height int) string {
	l := theme.New(theme.Appearance{Mono: true})
	return ansi.Strip(strings.Join(f.View(l, width, height), "\n"))
}

func TestKeysFillAForm(t *testing.T) {
	for _, test := range []struct{ name, keys, want string }{
		{"enter is a line break in a text", "a enter b", "a\nb critique - b no -"},
		{"a number chooses", "q tab 3", "q compare - b no -"},
		{"an arrow chooses", "q tab up", "q propose - b no -"},
		{"a filter chooses by name", "q tab / c o m p enter", "q compare - b no -"},
		{"another value is typed", "q tab / a n o t h enter m e enter", "q me - b no -"},
		{"typing over the choices is another value", "q tab m e", "q me - b no -"},
		{"a URL typed over the choices", "q tab h t t p : / / 1 2 7 . 0 . 0 . 1 : 1 / v 1 # m 3", "q http://127.0.0.1:1/v1#m3 - b no -"},
		{"a URL typed into the filter", "q tab / h t t p : / / 1 2 7 . 0 . 0 . 1 : 1 / v 1 # m 3 enter", "q http://127.0.0.1:1/v1#m3 - b no -"},
		{"a hidden field is empty", "q tab tab x shift+tab 3", "q compare - b no -"},
		{"a shown field keeps its value", "q tab tab x shift+tab 3 2", "q critique x b no -"},
		{"space toggles", "q tab tab tab space down space", "q critique - c no -"},
		{"a confirmation is toggled", "q tab tab tab tab left", "q critique - b yes -"},
		{"enter goes to the next field", "q tab enter x enter enter enter n", "q critique x b no n"},
		{"tab wraps around", "q shift+tab n tab s", "qs critique - b no n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := everyKind()
			press(f, test.keys)
			v, ok := f.Submit()
			if !ok {
				t.Fatalf("the form is not complete:\n%s", screen(f, 80, 30))
			}
			var got []string
			for _, key := range []string{"question", "framing", "design", "tags", "sure", "note"} {
				value := v[key]
				if value == "" {
					value = "-"
				}
				got = append(got, value)
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), test.want)
			}
		})
	}
	if f := everyKind(); !press(f, "q shift+tab enter") {
		t.Error("enter in the last field does not submit")
	}
}

// A select without a default is not confirmed by enter alone.
func TestNothingIsChosenByEnterAlone(t *testing.T) {
	f := New("Approve?", []view.Field{{
		Key: "answer", Kind: view.FieldSelect, Required: true, NoDefault: true, Choices: []view.Choice{{Value: "approve"}, {Value: "refuse"}},
	}})
	press(f, "enter")
	if _, ok := f.Submit(); ok || !strings.Contains(screen(f, 60, 10), "a value is required") {
		t.Errorf("it is submitted:\n%s", screen(f, 60, 10))
	}
	press(f, "1")
	if v, ok := f.Submit(); !ok || v["answer"] != "approve" {
		t.Errorf("got %v", v)
	}
}

func TestErrorsAreShownAtTheirFields(t *testing.T) {
	f := everyKind()
	press(f, "tab tab x")
	if _, ok := f.Submit(); ok || f.Focused() != "question" || !strings.Contains(screen(f, 80, 30), "! a value is required") {
		t.Errorf("it is submitted without a question:\n%s", screen(f, 80, 30))
	}
	press(f, "q")
	f.SetError("design", "there is no file x")
	if f.Focused() != "design" || !strings.Contains(screen(f, 80, 30), "! there is no file x") {
		t.Errorf("the error does not show:\n%s", screen(f, 80, 30))
	}
	press(f, "tab tab shift+tab shift+tab shift+tab / a n o t h enter")
	f.SetError("framing", "there is no such file")
	if f.Focused() != "framing"+otherSuffix {
		t.Errorf("the error is at %s", f.Focused())
	}
	f.SetError("no-such-key", "it is not allowed")
	if f.Focused() != "question" {
		t.Errorf("the error is at %s", f.Focused())
	}
}

func TestAPasteIsEscapedByTheCaller(t *testing.T) {
	f := everyKind()
	f.Key(tea.PasteMsg{Content: plain.Text("one\ntwo\x1b[2J")})
	if got := f.Values()["question"]; got != "one\ntwo\\x1b[2J" {
		t.Errorf("got %q", got)
	}
}

// In a field an emoji is one character, however many code points it has.
func TestEmojiAreOneCharacter(t *testing.T) {
	for _, emoji := range []string{"👨\u200d👩\u200d👧", "🇩🇪", "👍🏽", "1\ufe0f\u20e3", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "🙂"} {
		for _, kind := range []view.FieldKind{view.FieldLine, view.FieldText} {
			f := New("A form", []view.Field{{Key: "text", Kind: kind}})
			f.Key(tea.PasteMsg{Content: "a" + emoji + emoji + "b"})
			for _, want := range []string{"a" + emoji + emoji, "a" + emoji, "a", ""} {
				if press(f, "backspace"); f.Values()["text"] != want {
					t.Fatalf("%q: backspace leaves %q, want %q", emoji, f.Values()["text"], want)
				}
			}
			f.Set("text", emoji+"b")
			f.Key(tea.KeyPressMsg{Code: tea.KeyHome})
			if f.Key(tea.KeyPressMsg{Code: tea.KeyDelete}); f.Values()["text"] != "b" {
				t.Errorf("%q: delete leaves %q", emoji, f.Values()["text"])
			}
		}
		input := NewInput("")
		UpdateInput(&input, tea.PasteMsg{Content: "a" + emoji + emoji + "b"})
		for _, code := range []rune{tea.KeyLeft, tea.KeyLeft, tea.KeyLeft, tea.KeyRight, 'x', tea.KeyBackspace, tea.KeyDelete} {
			key := tea.KeyPressMsg{Code: code}
			if code == 'x' {
				key.Text = "x"
			}
			UpdateInput(&input, key)
		}
		if got, want := input.Value(), "a"+emoji+"b"; got != want {
			t.Errorf("the keys leave %q, want %q", got, want)
		}
		if UpdateInput(&input, tea.KeyPressMsg{Code: tea.KeyBackspace}); input.Value() != "ab" {
			t.Errorf("backspace leaves %q", input.Value())
		}
	}
	f := New("A form", []view.Field{{Key: "text"}})
	f.Key(tea.PasteMsg{Content: "ae\u0301"})
	if press(f, "backspace"); f.Values()["text"] != "ae" {
		t.Errorf("an accent is deleted with its letter: %q", f.Values()["text"])
	}
}

// New fields keep what was entered, also what the old ones had in common with later ones.
func TestFieldsAreReplaced(t *testing.T) {
	f := everyKind()
	press(f, "q tab 3 tab tab")
	press(f, "tab")
	focused := f.Focused()
	rounds := view.Field{Key: "rounds", Default: "3"}
	f.SetFields([]view.Field{{Key: "question", Kind: view.FieldText}, rounds, {Key: focused, Kind: view.FieldLine}})
	if v := f.Values(); v["question"] != "q" || v["rounds"] != "3" || f.Focused() != focused {
		t.Errorf("got %v, focused %s", v, f.Focused())
	}
	draft := f
	f = everyKind()
	f.Adopt(draft)
	if v := f.Values(); v["question"] != "q" || v["framing"] != "critique" {
		t.Errorf("got %v", v)
	}
}

// A long head can be read in little room, and the fields stay visible.
func TestTheHeadScrolls(t *testing.T) {
	f := New("Q1", []view.Field{{Key: "answer", Label: "Answer"}})
	f.Head = func(_ Drawer, width int) []string {
		var rows []string
		for i := range 30 {
			row := fmt.Sprintf("line %d.", i)
			rows = append(rows, row+strings.Repeat(" ", width-len(row)))
		}
		return rows
	}
	if text := screen(f, 36, 8); !strings.Contains(text, "line 0.") || !strings.Contains(text, "Answer") || strings.Contains(text, "line 29.") {
		t.Fatalf("at first:\n%s", text)
	}
	press(f, strings.Repeat("pgdown ", 12))
	if text := screen(f, 36, 8); !strings.Contains(text, "line 29.") || !strings.Contains(text, "Answer") {
		t.Errorf("at the end:\n%s", text)
	}
}

// At every size and with hostile text a form has the exact size, and the focused field is
// visible.
func TestFormsFit(t *testing.T) {
	texts := []string{
		"plain words that continue for a while", "日本語のテキストは幅が二倍です。とても長い文章を書きます。", "e\u0301\u0301\u0301 \u0301mark",
		"שלום עולם، مرحبا", "\x1b[2J\x1b[31mred\x1b]0;title\a \u202e \x00", "👩\u200d💻 👍🏽 🇩🇪 ⚠\ufe0f 1\ufe0f\u20e3", "line\nbreaks\tand\ttabs",
		strings.Repeat("longword", 20), "\xff broken", "", " ",
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.SampledFrom(texts)
		method := rapid.SampledFrom([]ansi.Method{ansi.WcWidth, ansi.GraphemeWidth}).Draw(rt, "method")
		l := theme.New(theme.Appearance{Mono: rapid.Bool().Draw(rt, "mono"), Method: method})
		width, height := rapid.IntRange(1, 130).Draw(rt, "width"), rapid.IntRange(1, 40).Draw(rt, "height")
		var fields []view.Field
		for i := range rapid.IntRange(1, 8).Draw(rt, "fields") {
			one := view.Field{
				Key: fmt.Sprint("f", i), Label: text.Draw(rt, "label"), Help: text.Draw(rt, "help"), Default: text.Draw(rt, "default"),
				Kind: view.FieldKind(rapid.IntRange(0, 5).Draw(rt, "kind")), Placeholder: text.Draw(rt, "placeholder"),
				NoDefault: rapid.Bool().Draw(rt, "no default"), Other: text.Draw(rt, "other"),
			}
			for range rapid.IntRange(1, 12).Draw(rt, "choices") {
				one.Choices = append(one.Choices, view.Choice{Value: text.Draw(rt, "choice"), Help: text.Draw(rt, "choice help")})
			}
			fields = append(fields, one)
		}
		f := New(text.Draw(rt, "title"), fields)
		for range rapid.IntRange(0, 8).Draw(rt, "keys") {
			press(f, rapid.SampledFrom([]string{"tab", "shift+tab", "down", "up", "space", "x", "enter", "/", "3"}).Draw(rt, "key"))
			f.Key(tea.PasteMsg{Content: plain.Typed(text.Draw(rt, "paste"))})
		}
		if rapid.Bool().Draw(rt, "error") {
			f.SetError(f.Focused(), text.Draw(rt, "wrong"))
		}
		rows := f.View(l, width, height)
		if len(rows) != height {
			rt.Fatalf("%d rows, want %d", len(rows), height)
		}
		for _, row := range rows {
			if got := method.StringWidth(row); got != width {
				rt.Fatalf("%d columns, want %d: %q", got, width, row)
			}
			if strings.Contains(row, "\x1b[2J") || strings.ContainsAny(row, "\x00\a\u202e") {
				rt.Fatalf("hostile text is drawn: %q", row)
			}
		}
	})
}
