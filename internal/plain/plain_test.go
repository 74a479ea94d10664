package plain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ name, in, line, text string }{
		{"ascii stays", `a \ b ~`, `a \ b ~`, `a \ b ~`},
		{"letters stay", "naïve 日本 שלום", "naïve 日本 שלום", "naïve 日本 שלום"},
		{"lines", "a\r\nb\n\tc", "a b  c", "a\nb\n    c"},
		{"a lone return", "a\rb", `a\x0db`, `a\x0db`},
		{"escape sequence", "\x1b[31mred\x1b]0;t\a", `\x1b[31mred\x1b]0;t\x07`, `\x1b[31mred\x1b]0;t\x07`},
		{"C1", "\u009b31m", `\u009b31m`, `\u009b31m`},
		{"bidi override", "a\u202egnp.exe", `a\u202egnp.exe`, `a\u202egnp.exe`},
		{"isolates", "\u2066x\u2069", `\u2066x\u2069`, `\u2066x\u2069`},
		{"zero width", "ad\u200bmin\ufeff", `ad\u200bmin\ufeff`, `ad\u200bmin\ufeff`},
		{"tags", "x\U000e0041", `x\U000e0041`, `x\U000e0041`},
		{"no UTF-8", "a\xff\xfeb", `a\xff\xfeb`, `a\xff\xfeb`},
		{"line separator", "a\u2028b", `a\u2028b`, `a\u2028b`},
		{"picture selector", "⚠\ufe0f a\ufe0f", `⚠ a\ufe0f`, `⚠ a\ufe0f`},
		{"joined emoji", "👩🏽\u200d💻 ❤\ufe0f\u200d🔥", `👩🏽💻 ❤🔥`, `👩🏽💻 ❤🔥`},
		{"a joiner that joins nothing", "a\u200d💻 💻\u200da", `a\u200d💻 💻\u200da`, `a\u200d💻 💻\u200da`},
		{"keycap", "1\ufe0f\u20e3", "1\u20e3", "1\u20e3"},
		{"flags", "🇩🇪 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🇩🇪 🏴", "🇩🇪 🏴"},
		{"joiner between Persian letters", "می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"},
		{"a heap of marks", "e" + strings.Repeat("\u0301", 6), "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`, "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`},
		{"filler", "a\u3164b", `a\u3164b`, `a\u3164b`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Line(test.in); got != test.line {
				t.Errorf("Line: got %q, want %q", got, test.line)
			}
			if got := Text(test.in); got != test.text {
				t.Errorf("Text: got %q, want %q", got, test.text)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\x1b[2J", "\u202e\u200d", "\xff", "e\u0301\u0301", "\u0645\u200c\u0645", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, lines := range []bool{false, true} {
			got := Line(s)
			if lines {
				got = Text(s)
			}
			if !utf8.ValidString(got) {
				t.Fatalf("%q is not UTF-8", got)
			}
			for _, r := range got {
				if r == '\n' && lines || r == '\u200c' || r == '\u200d' {
					continue
				}
				if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Bidi_Control, r) || !unicode.IsGraphic(r) {
					t.Fatalf("%U is left in %q", r, got)
				}
			}
		}
	})
}

// emoji are characters of several code points.
func emoji() []string {
	return []string{
		"👨\u200d👩\u200d👧", "🇩🇪", "👍🏽", "1\ufe0f\u20e3", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "👩🏾\u200d🚀", "🙂", "e\u0301",
		"🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	}
}

// What a person types keeps its emoji, and nothing invisible besides.
func TestTyped(t *testing.T) {
	for _, one := range emoji() {
		if got := Typed("a" + one + one + "b"); got != "a"+one+one+"b" {
			t.Errorf("%q became %q", one, got)
		}
	}
	for in, want := range map[string]string{
		"a\u200db": `a\u200db`, "x\U000e0041": `x\U000e0041`, "\x1b[2J": `\x1b[2J`, "a\r\nb": "a\nb", "a\u202eb": `a\u202eb`,
		"🏴\U000e0067\U000e0062\U000e0078": `🏴\U000e0067\U000e0062\U000e0078`,
	} {
		if got := Typed(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// A text is never cut inside of a character.
func TestCutsKeepCharactersWhole(t *testing.T) {
	for _, one := range emoji() {
		text := strings.Repeat(one, 12)
		for most := 1; most < len(text); most++ {
			for name, got := range map[string]string{"Clip": Clip(text, most), "Cut": Cut(text, most)} {
				if rest := strings.ReplaceAll(strings.TrimSuffix(got, "…"), one, ""); rest != "" {
					t.Errorf("%s of %q at %d leaves a part: %q", name, one, most, rest)
				}
			}
		}
	}
	if got := Cut(strings.Repeat("e"+strings.Repeat("\u0301", 40), 2), 60); len(got) < 50 {
		t.Errorf("endless marks leave nothing: %q", got)
	}
}

func TestClip(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"  two\n\twords ", "two words"},
		{"exactly ten", "exactly t…"},
		{"größer als", "größer als"},
		{"größer als zehn", "größer al…"},
		{"", ""},
	} {
		if got := Clip(test.text, 10); got != test.want {
			t.Errorf("%q is clipped to %q, not %q", test.text, got, test.want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 calls", 1: "1 call", 2: "2 calls"} {
		if got := Counted(n, "call"); got != want {
			t.Errorf("%d are %q, not %q", n, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"":                           "''",
		"openai:gpt-5-mini":          "openai:gpt-5-mini",
		"fast=hf:org/model@1":        "fast=hf:org/model@1",
		"gpt4all:Llama 3 8B":         "'gpt4all:Llama 3 8B'",
		"http://h/v1#a b":            "'http://h/v1#a b'",
		"exec:'my tool' $HOME":       `'exec:'\''my tool'\'' $HOME'`,
		"~/tool":                     "'~/tool'",
		"größer":                     "'größer'",
		"a;b":                        "'a;b'",
		"Is the cache safe? `rm` !!": "'Is the cache safe? `rm` !!'",
	} {
		if got := ShellWord(word); got != want {
			t.Errorf("%q is written %s, not %s", word, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"größe\": \"é 界 \\n\"\n}": "{\n  \"größe\": \"é 界 \\n\"\n}",
		"\u009b2J \u200b\u202e\x7f":      `\u009b2J \u200b\u202e\u007f`,
		"\ufeff\U000e0001\U0001f600":     `\ufeff\udb40\udc01` + "\U0001f600",
	} {
		if got := JSON(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// In an exact text no character passes for another, and nothing is hidden.
func TestExact(t *testing.T) {
	for _, test := range []struct{ name, in, want, legend string }{
		{"ASCII", "go test ./... -run 'A b'", "go test ./... -run 'A b'", ""},
		{"a homoglyph", "p\u0430ss", "p<U+0430>ss", "<U+0430> is \u0430 (Cyrillic)"},
		{"the same twice", "\u0430\u0430", "<U+0430><U+0430>", "<U+0430> is \u0430 (Cyrillic)"},
		{"bidi", "a\u202eb", "a<U+202E>b", "<U+202E> is invisible or a control (Common)"},
		{"zero width", "a\u200bb", "a<U+200B>b", "<U+200B> is invisible or a control (Common)"},
		{"C1", "a\u0085b", "a<U+0085>b", "<U+0085> is invisible or a control (Common)"},
		{"no-break space", "a\u00a0b", "a<U+00A0>b", "<U+00A0> is invisible or a control (Common)"},
		{"right to left", "\u05d0", "<U+05D0>", "<U+05D0> (Hebrew)"},
		{"line breaks", "a\r\nb\tc", "a<U+000D><U+000A>b<U+0009>c", ""},
		{"blanks at the ends", " a ", "<U+0020>a<U+0020>", ""},
		{"many blanks", "a   b  ", "a<3 blanks>b<2 blanks>", ""},
		{"no UTF-8", "a\xffb", `a\xffb`, "<U+FFFD> (Common)"},
		{"a mark", "e\u0301", "e<U+0301>", "<U+0301> is a mark on the character before it (Inherited)"},
	} {
		if got := Exact(test.in); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if got := Legend(test.in); got != test.legend {
			t.Errorf("%s: the legend is %q, want %q", test.name, got, test.legend)
		}
	}
	if got := Legend("абвгдежзиклм"); !strings.HasSuffix(got, "and 4 more characters") {
		t.Errorf("a long legend ends: %s", got)
	}
}

func TestExactLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "",
		"@@ -1 +1 @@\n-\ta\n+\t\tb":            "@@ -1 +1 @@\n-    a\n+        b",
		" x  :=   1\n\n+\n":                    " x  :=   1\n\n+\n",
		"+a" + strings.Repeat(" ", 30) + "b\n": "+a<30 blanks>b\n",
		"+" + strings.Repeat(" ", 300) + "b\n": "+<300 blanks>b\n",
		"+a \n+b   \n+ \n+\t\n":                "+a<U+0020>\n+b<3 blanks>\n+<U+0020>\n+<U+0009>\n",
		"+a\tb\r\n":                            "+a<U+0009>b<U+000D>\n",
		"+\u0430\u202e\x1b[2J\xff":             "+<U+0430><U+202E><U+001B>[2J\\xff",
	} {
		if got := ExactLines(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
