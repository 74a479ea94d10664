package program

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/config"
)

const least = "title = \"t\"\ncommand = \"c\"\nread_only = \"r\"\n[[read]]\ntext = \"text\"\n"

// lines speaks to a program that writes lines, and ends with line 11.
const lines = "title = \"t\"\ncommand = \"c\"\nread_only = \"r\"\n[arguments]\nbegin = [\"a\"]\ngo_on = [\"{conversation}\"]\nconversation = \"told\"\n" +
	"[[read]]\nconversation = \"c\"\nmessage = \"m\"\n\n"

func TestReadProblems(t *testing.T) {
	t.Parallel()
	if _, err := Read("mine", "mine.toml", []byte(least)); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"", "mine.toml: title is missing"},
		{"titel = \"x\"\n" + least, "mine.toml:1: unknown key titel; did you mean title?"},
		{least + "[arguments]\nbegn = []\n", "mine.toml:7: unknown key begn in [arguments]; did you mean begin?"},
		{least + "[fix]\nbegin = []\n", "mine.toml:7: unknown key begin in [fix]; it has install, login, update"},
		{least + "[version]\ntried = 1\n", `mine.toml:7: tried is a list in square brackets`},
		{least + "x", "mine.toml:6: this is not a valid adapter"},
		{least + "text = \"x\"\n", "mine.toml:6: this is not a valid adapter: key text is already defined"},
		{"\xff", "mine.toml:1: this is not UTF-8 text"},
		{strings.Repeat("#", MaxBytes+1), "larger than"},
		{"title = \"a\\nb\"\n" + least[12:], "mine.toml:1: title is too long, or has a line break"},
		{"title = \"\\u202e\"\n" + least[12:], "or a control or hidden character in it"},
		{least + "[arguments]\nbegin = [\"{modell}\"]\n", "mine.toml:7: unknown placeholder {modell}"},
		{least + "[arguments]\nbegin = [\"a\"]\ngo_on = [\"b\"]\n", "mine.toml:8: go_on needs conversation"},
		{least + "[arguments]\nbegin = [\"a\"]\nconversation = \"told\"\n", "go_on has no {conversation}"},
		{least + "[arguments]\nconversation = \"maybe\"\n", "maybe"},
		{least + "[[failure]]\nmeans = \"lots\"\nwords = [\"abc\"]\n", "lots"},
		{least + "[[failure]]\nmeans = \"lost\"\n", "mine.toml:6: a failure needs words, status or exit"},
		{least + "[[failure]]\nmeans = \"lost\"\nexit = [1]\nsays = \"(\"\n", "mine.toml:9: says is not a regular expression"},
		{strings.Replace(least, "text =", "model =", 1), "no [[read]] reads a reply"},
		{least + "[[read]]\nmessage = \"m\"\nwhen = { a = 1.5 }\n", "mine.toml:8: when: a has to be"},
		{least + "[[read]]\nmessage = \"m\"\n[plain]\nuntil = \"x\"\n", "mine.toml:8: from is missing"},
		{lines + "[stay]\nbegin = [\"a\"]\n", "mine.toml:12: stay needs begin and go_on"},
		{lines + "[stay]\nbegin = [\"a\"]\ngo_on = [\"b\"]\n", "mine.toml:12: stay needs {conversation}"},
		{lines + "[stay]\nbegin = [\"{modell}\"]\n", "mine.toml:13: unknown placeholder {modell}"},
		{lines + "[stay]\nbegin = [\"a\"]\nmessage = '{\"a\":{prompt}}'\n", "mine.toml:14: message is not a JSON object on one line; a place is part of a text, in quotes"},
		{lines + "[stay]\nmessage = '[\"{prompt}\"]'\n", "mine.toml:13: message is not a JSON object"},
		{lines + "[stay]\nmessage = '{\"a\":\"{prompt}\"} {}'\n", "mine.toml:13: message is not a JSON object"},
		{lines + "[stay]\nmessage = '{\"a\":\"{promt}\"}'\n", "mine.toml:13: unknown placeholder {promt}; did you mean prompt?"},
		{lines + "[stay]\nbegin = [\"a\"]\n", "mine.toml:12: stay needs message"},
		{lines + "[stay]\nhello = ['{\"id\":1}', '{\"id\":null}']\n", "mine.toml:13: hello needs an id that is a number or a text"},
		{lines + "[stay]\nhello = ['{\"id\":\"{model}\"}']\n", "mine.toml:13: hello needs an id that is a number or a text"},
		{lines + "[stay]\nhello = ['{\"a\":\"{prompt}\"}']\n", "mine.toml:13: unknown placeholder {prompt}"},
		{lines + "[stay]\nopen = '{\"a\":\"{schema}\"}'\nreopen = 'b'\n", "mine.toml:13: unknown placeholder {schema}"},
		{lines + "[stay]\nopen = '{}'\nreopen = 'b'\n", "mine.toml:14: reopen is not a JSON object"},
		{lines + "[[read]]\nanswer = '{\"id\":{id}}'\n", "mine.toml:13: answer is not a JSON object"},
		{lines + "[stay]\nbegin = [\"a\"]\n", `stay needs a [[read]] with done`},
	} {
		text, want := c[0], c[1]
		_, err := Read("mine", "mine.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200q:\n%v\ndoes not say %q", text, err, want)
		}
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"mine.toml": least, "codex.toml": least, "opencode.toml": "x", "me.toml": least, "groq.toml": least, "a b.toml": least, "notes.txt": "x", ".hidden.toml": "x",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	known, problems := Known(folder)
	if got := strings.Join(Names(known), " "); got != "codex claude gemini-cli qwen-code mine" {
		t.Errorf("known: %s", got)
	}
	if known[0].Title != "t" || !known[0].Replaces || known[0].File != filepath.Join(folder, "codex.toml") || known[4].Replaces || known[1].File != "" {
		t.Errorf("%+v", known[0])
	}
	told := config.Problems(problems).Error()
	for _, want := range []string{"opencode.toml:1: this is not a valid adapter", "me.toml: me is the name of another kind", "groq.toml: groq is the name", `"a b" cannot name a participant`} {
		if !strings.Contains(told, want) {
			t.Errorf("%s does not say %q", told, want)
		}
	}
	if len(problems) != 4 {
		t.Errorf("%v", problems)
	}
	if known, problems := Known(filepath.Join(folder, "none")); len(known) != len(BuiltIn()) || len(problems) != 0 {
		t.Errorf("%v %v", Names(known), problems)
	}
}

// Nothing that a program writes is an error of the reader, and no event of it is
// without its rule.
func FuzzEvents(f *testing.F) {
	known, _ := Known("")
	for _, line := range []string{
		`{"type":"item.completed","item":{"type":"agent_message","text":"a"}}`, `{"type":"result","is_error":true}`, `{"type":"text","part":{"text":1e999}}`,
		`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"\u001b[31m"}]}}`, `[]`, `{`, "\xef\xbb\xbf{}", `{"id":{"a":["\u2028"]},"method":"ask"}`, `{"id":1e999,"method":"ask"}`, `{"type":"system","subtype":"api_retry","retry_delay_ms":-1e300}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for i := range known {
			events, read := known[i].Events(line)
			if len(events) > 0 && !read {
				t.Error("events of a line that is not known")
			}
			for _, e := range events {
				if e.Wait < 0 || e.Rule == nil || len([]rune(e.Note)) > maxRead || strings.ContainsAny(e.Note, "\x1b\n") {
					t.Errorf("%+v", e)
				}
				if e.Answer != nil && (!json.Valid(e.Answer) || bytes.IndexByte(e.Answer, '\n') != len(e.Answer)-1) {
					t.Errorf("answers %q", e.Answer)
				}
				if e.Tokens != nil && (e.Tokens.Prompt < 0 || e.Tokens.Completion < 0) {
					t.Errorf("%+v", e.Tokens)
				}
			}
		}
	})
}
