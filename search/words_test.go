package search

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
)

// TestTokens holds the tokens of the cache. They are deleted by making them again, so a change needs another
// schemaVersion.
func TestTokens(t *testing.T) {
	if schemaVersion != 1 {
		t.Error("update the tokens below for the new version")
	}
	for text, want := range map[string][2]string{
		"Which queue?":                 {"which queue", ""},
		"HTTPServer getURLFor v2 x9":   {"http server get url for v2 x9", "httpserver geturlfor"},
		"snake_case a/b.go:88 XAUTO":   {"snake case a b go 88 xauto", ""},
		"Größe ﬁx Ａｂ é e\u0301 ΟΔΌΣ":   {"grosse fix ab e e οδοσ", ""},
		"数据库 a数 用Redis做":               {"数据 据库 库 a 数 用 redis 做", ""},
		"ガーデン ｶﾞ":                      {"ガー ーデ デン ン ガ", ""},
		"데이터 ที่นี่":                   {"데이 이터 터 ที่นี่ นี่", ""},
		"हिन्दी עִבְרִית العَرَبِيَّة": {"हिन्दी עברית العربية", ""},
		"İstanbul ıI":                  {"istanbul i i", "ii"},
		"\xff\x00\u202e…":              {"", ""},
		strings.Repeat("a", 100):       {strings.Repeat("a", maxToken), ""},
	} {
		parts, wholes := tokens(text)
		if parts != want[0] || wholes != want[1] {
			t.Errorf("%q has %q and %q, want %q", text, parts, wholes, want)
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("filler words here ", 40)
	for _, c := range []struct{ text, words, want string }{
		{"streams keep order", "keep", "streams [keep] order"},
		{"streams  keep\n\torder", "keep order", "streams [keep] [order]"},
		{"in queue/consumer.go:88 it", "consumer.go:88", "in queue/[consumer.go:88] it"},
		{"readTheFile now", "thefile file", "readThe[File] now"},
		{"readTheFile now", "readthefile", "[readTheFile] now"},
		{"数据库连接池", "据库", "数[据库]连接池"},
		{"数据库连接池", "池", "数据库连接[池]"},
		{"数据库连接池", "连", "数据库[连]接池"},
		{"no mark", "other", "no mark"},
		{"a\x1b[31mred", "red", `a\x1b[31mred`},
	} {
		list, err := terms(c.words)
		if err != nil {
			t.Fatal(err)
		}
		line, ranges := snippet(c.text, list)
		if got := shown(line, ranges); got != c.want {
			t.Errorf("%q in %q is %q, want %q", c.words, c.text, got, c.want)
		}
	}
	list, _ := terms("needle thread")
	line, ranges := snippet(long+"needle "+long+"a thread and a needle "+long, list)
	if got := shown(line, ranges); !strings.Contains(got, "a [thread] and a [needle]") || len(line) > 2*snippetBytes ||
		!strings.HasPrefix(line, "… ") || !strings.HasSuffix(line, " …") {
		t.Errorf("%q", got)
	}
}

// shown writes marks as brackets.
func shown(line string, marks [][2]int) string {
	var out strings.Builder
	at := 0
	for _, m := range marks {
		out.WriteString(line[at:m[0]] + "[" + line[m[0]:m[1]] + "]")
		at = m[1]
	}
	return out.String() + line[at:]
}

func TestFit(t *testing.T) {
	line := strings.Repeat("数据库 filler ", 10) + "needle " + strings.Repeat("and more ", 10)
	list, _ := terms("needle")
	for width := range 120 {
		cut, kept := Fit(line, ranges(marks(line, list)), width)
		if width >= 2 && ansi.StringWidth(cut) > width {
			t.Errorf("%d columns in %d", ansi.StringWidth(cut), width)
		}
		if got := shown(cut, kept); width > 20 && !strings.Contains(got, "[needle]") {
			t.Errorf("in %d: %q", width, got)
		}
	}
	if cut, kept := Fit("needle", [][2]int{{0, 6}}, 10); cut != "needle" || len(kept) != 1 {
		t.Error(cut, kept)
	}
}

// FuzzSnippet checks that words of a text are marked in its snippet, whatever the text.
func FuzzSnippet(f *testing.F) {
	f.Add("streams keep order", "keep", 40)
	f.Add("数据库连接池 camelCase", "据库", 10)
	f.Add("\x1b[2J\xff\u202e\u0301", "j", 3)
	f.Fuzz(func(t *testing.T, text, words string, width int) {
		if len(text) > 20_000 {
			return
		}
		tokenize(text, func(one token) {
			if one.start < 0 || one.end <= one.start || one.end > len(text) || one.text == "" || !utf8.ValidString(one.text) ||
				strings.ContainsAny(one.text, "\" *()\x00") {
				t.Fatalf("token %+v of %q", one, text)
			}
		})
		list, err := terms(words)
		if err != nil {
			return
		}
		line, ranges := snippet(text, list)
		if plain.Line(line) != line {
			t.Errorf("%q is shown", line)
		}
		for _, cut := range []func() (string, [][2]int){
			func() (string, [][2]int) { return line, ranges },
			func() (string, [][2]int) { return Fit(line, ranges, width%300) },
		} {
			line, ranges := cut()
			at := 0
			for _, m := range ranges {
				if m[0] < at || m[1] <= m[0] || m[1] > len(line) || !utf8.ValidString(line[m[0]:m[1]]) {
					t.Fatalf("marks %v of %q", ranges, line)
				}
				at = m[1]
			}
		}
		// A text has its own words.
		if own, err := terms(text); err == nil {
			for i := range own {
				if len(marks(text, own[i:i+1])) == 0 {
					t.Errorf("%+v is not in %q", own[i], text)
				}
			}
		}
	})
}
