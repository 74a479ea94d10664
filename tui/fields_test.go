package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// aForm has a field of each kind, and one that only some choices need.
func aForm(sent *map[string]string) *fieldForm {
	return newFieldForm("A form", []*field{
		{name: "question", label: "Question", kind: fieldText, required: true, help: "what is asked"},
		{
			name: "framing", label: "Framing", kind: fieldChoice, value: "critique", help: "how it opens",
			options: []choice{{value: "propose", help: "a proposal is argued"}, {value: "critique", help: "a design is attacked"}, {value: "compare", help: "options are weighed"}},
		},
		{name: "design", label: "Design file", help: "the file", placeholder: "none", hidden: func(v map[string]string) bool { return v["framing"] != "critique" }},
		{name: "tags", label: "Tags", kind: fieldChoices, options: []choice{{value: "a"}, {value: "b", label: "Beta"}}, value: "b", help: "any of them"},
		{name: "note", label: "Note", help: "a line"},
	}, func(values map[string]string) perform {
		return func(*Model) tea.Cmd {
			*sent = values
			return nil
		}
	})
}

// formed is a screen with the form on it.
func formed(t *testing.T, width, height int) (m *Model, f *fieldForm, sent *map[string]string) {
	t.Helper()
	sent = new(map[string]string)
	m = screenOf(t, demo(t), Options{NoColor: true}, width, height)
	f = aForm(sent)
	m.push(f)
	return m, f, sent
}

func TestAFormIsFilledInWithKeys(t *testing.T) {
	for _, test := range []struct{ name, keys, want string }{
		{"enter is a line in a text, tab goes on", "a enter b tab enter x enter enter n enter", "question=a\nb framing=critique design=x tags=b note=n"},
		{"a number takes", "q tab 3 tab enter z enter", "question=q framing=compare design= tags=b note=z"},
		{"left and right take", "q tab left ctrl+s", "question=q framing=propose design= tags=b note="},
		{"enter takes what is pointed at", "q tab down enter ctrl+s", "question=q framing=compare design= tags=b note="},
		{"sending takes what is pointed at", "q tab up ctrl+s", "question=q framing=propose design= tags=b note="},
		{"what is passed is not taken", "q down down down down down ctrl+s", "question=q framing=critique design= tags=b note="},
		{"space takes and lets go", "q tab tab tab space down space ctrl+s", "question=q framing=critique design= tags=a note="},
		{"up in a text is a row up first", "a enter c up b ctrl+s", "question=ab\nc framing=critique design= tags=b note="},
		{"back again", "q tab tab shift+tab shift+tab r ctrl+s", "question=qr framing=critique design= tags=b note="},
		{"around", "q shift+tab n tab s ctrl+s", "question=qs framing=critique design= tags=b note=n"},
		{"a space in a text", "a space b ctrl+s", "question=a b framing=critique design= tags=b note="},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, _, sent := formed(t, 100, 30)
			typeKeys(m, test.keys)
			var got []string
			for _, name := range []string{"question", "framing", "design", "tags", "note"} {
				got = append(got, name+"="+(*sent)[name])
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("sent %q, want %q", got, test.want)
			}
			if len(m.dialogs) != 0 {
				t.Error("the form stays open")
			}
		})
	}
}

// What is required is asked for; an error stands at its field, and what was typed
// stays.
func TestAFormSaysWhatIsWrong(t *testing.T) {
	m, f, sent := formed(t, 100, 30)
	typeKeys(m, "tab tab x ctrl+s")
	if *sent != nil || f.focused().name != "question" || !strings.Contains(ansi.Strip(m.View().Content), "! this is needed") {
		t.Errorf("it is sent without the question:\n%s", ansi.Strip(m.View().Content))
	}
	typeKeys(m, "q")
	f.setError("design", "there is no file x")
	m.dirty = true
	if content := ansi.Strip(m.View().Content); f.focused().name != "design" || !strings.Contains(content, "! there is no file x") {
		t.Errorf("the error does not show:\n%s", content)
	}
	typeKeys(m, "y ctrl+s")
	if (*sent)["design"] != "xy" || f.named("design").wrong != "" {
		t.Errorf("sent %q", *sent)
	}
}

// clickOn clicks where a text stands on the screen.
func clickOn(t *testing.T, m *Model, text string) {
	t.Helper()
	for y, row := range strings.Split(ansi.Strip(m.View().Content), "\n") {
		if before, _, found := strings.Cut(row, text); found {
			m.Update(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, ansi.Strip(m.View().Content))
}

func TestAFormIsFilledInWithTheMouse(t *testing.T) {
	m, f, sent := formed(t, 100, 30)
	typeKeys(m, "q")
	clickOn(t, m, "Framing")
	if f.focused().name != "framing" {
		t.Fatalf("the keys go to %s", f.focused().name)
	}
	clickOn(t, m, "○ propose")
	clickOn(t, m, "Tags")
	clickOn(t, m, "Beta")
	clickOn(t, m, "ctrl+s send")
	if (*sent)["framing"] != "propose" || (*sent)["tags"] != "" {
		t.Errorf("sent %q", *sent)
	}
}

// A paste goes into the text with the keys, and its line breaks stay there.
func TestAFormTakesAPaste(t *testing.T) {
	m, f, _ := formed(t, 100, 30)
	m.Update(tea.PasteMsg{Content: "one\ntwo\x1b[2J"})
	if got := f.values()["question"]; got != "one\ntwo\\x1b[2J" {
		t.Errorf("got %q", got)
	}
	f.setEditedText("from the editor")
	if f.editedText() != "from the editor" {
		t.Errorf("got %q", f.editedText())
	}
}

// The field with the keys is seen at every size.
func TestFormsFit(t *testing.T) {
	skipShort(t)
	records := hostile(t, 3)
	rapid.Check(t, func(rt *rapid.T) {
		width, height := rapid.IntRange(smallWidth, 130).Draw(rt, "width"), rapid.IntRange(smallHeight, 40).Draw(rt, "height")
		m := screenOf(t, records, Options{}, width, height)
		text := rapid.SampledFrom(nasty())
		var fields []*field
		for i := range rapid.IntRange(1, 8).Draw(rt, "fields") {
			one := &field{
				name: fmt.Sprint("f", i), label: text.Draw(rt, "label"), help: text.Draw(rt, "help"), value: text.Draw(rt, "value"),
				kind: fieldKind(rapid.IntRange(0, 3).Draw(rt, "kind")), placeholder: text.Draw(rt, "placeholder"),
			}
			for range rapid.IntRange(1, 12).Draw(rt, "options") {
				one.options = append(one.options, choice{value: text.Draw(rt, "option"), help: text.Draw(rt, "option help")})
			}
			fields = append(fields, one)
		}
		f := newFieldForm(text.Draw(rt, "heading"), fields, func(map[string]string) perform { return nil })
		m.push(f)
		for range rapid.IntRange(0, 8).Draw(rt, "keys") {
			typeKeys(m, rapid.SampledFrom([]string{"tab", "shift+tab", "down", "up", "space", "x", "enter"}).Draw(rt, "key"))
			m.paste(tea.PasteMsg{Content: text.Draw(rt, "paste")})
		}
		if rapid.Bool().Draw(rt, "error") {
			f.setError(f.focused().name, text.Draw(rt, "wrong"))
		}
		m.rearrange()
		checkFits(rt, m, "form")
		seen := false
		for _, s := range f.spots {
			seen = seen || s.field == f.at
		}
		if !seen {
			rt.Fatalf("the field %d is not in view at %dx%d", f.at, width, height)
		}
	})
}
