package forge

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"moot/internal/plain"
)

func TestEscapeShowsTextAsItIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Unlock removes the file (lock/unix.go:111)": "Unlock removes the file (lock/unix.go:111)",
		"cc @ann and @acme/owners":                   "cc @^ann and @^acme/owners",
		"see #12, GH-12, acme/shop#12":               `see \#^12, GH-^12, acme/shop\#^12`,
		"GHSA-abcd, CVE-2024-1":                      "GHSA-^abcd, CVE-^2024-1",
		"since 1f0c5a7e9b3d2c4e6a8f":                 "since 1f0c5a^7e9b3d^2c4e6a^8f",
		"a 1f0c5a and 0x1f0c5a7e9b":                  "a 1f0c5a and 0x1f0c5a7e9b",
		"https://evil.example/x www.evil.example":    "https:^//evil.example/x www^.evil.example",
		"mail ann@evil.example":                      "mail ann@^evil.example",
		`<img src=x onerror=y> <!-- --> &amp;`:       `&lt;img src=x onerror=y&gt; &lt;\!-- --&gt; &amp;amp;`,
		"![a](b) [c](d) [e]: f":                      `\!\[a\](b) \[c\](d) \[e\]: f`,
		"**bold** __b__ ~~s~~ `code` $x$ a|b \\":     "\\*\\*bold\\*\\* \\_\\_b\\_\\_ \\~\\~s\\~\\~ \\`code\\` \\$x\\$ a\\|b \\\\",
		"# title\n> quote":                           `\#^ title &gt; quote`,
		"- [ ] task":                                 `\- \[ \] task`,
		"/approve":                                   `\/approve`,
		"12. a":                                      `12\. a`,
		"12) a":                                      `12\) a`,
		"12.5 a":                                     "12.5 a",
		"  :tada: :a:b: 10:30 ":                      ":^tada: :^a:^b: 10:30",
		"\x1b[31m\u202eabc\u200b":                    `\\x1b\[31m\\u202eabc\\u200b`,
		"```\ncode":                                  "\\`\\`\\` code",
		"":                                           "",
	} {
		if got := strings.ReplaceAll(Escape(text), gap, "^"); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

// shown undoes the escapes, as GitHub does before it looks for mentions and links.
func shown(text string) string {
	text = regexp.MustCompile(`\\([[:punct:]])`).ReplaceAllString(text, "$1")
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
}

func TestNothingInEscapedTextFires(t *testing.T) {
	t.Parallel()
	fires := regexp.MustCompile(`(?i)@[a-z0-9]|#[0-9]|\bGH-[0-9]|://|\bwww\.|\b[0-9a-f]{7,40}\b|:[a-z0-9_+-]+:`)
	markup := regexp.MustCompile("(^|[^\\\\])(\\\\\\\\)*[`*_\\[\\]|~$!#]|[<>]|&([^lga]|$)|^[-+=/]|^[0-9]+[.)]( |$)")
	parts := rapid.SampledFrom([]string{
		"@", "#", "GH-", ":", "//", "https:", "www.", "ann", "12", "1f0c5a7", "/", "<", ">", "&", "!", "[", "]", "(", ")",
		"*", "_", "`", "~", "|", "$", "\\", " ", "\n", "-", "+", "=", ".", "é", "\u200b", "\x1b", "\xff", "tada",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 0, 12).Draw(t, "parts"), "")
		escaped := Escape(text)
		if found := markup.FindString(escaped); found != "" {
			t.Errorf("%q has markup: %q in %q", text, found, escaped)
		}
		if found := fires.FindString(shown(escaped)); found != "" {
			t.Errorf("%q fires: %q in %q", text, found, escaped)
		}
		if got, want := strings.ReplaceAll(shown(escaped), gap, ""), plain.Line(strings.TrimSpace(text)); got != want {
			t.Errorf("%q is shown as %q", want, got)
		}
	})
}

func TestNoLineEndsACodeBlock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"go", "a := 1\n", "\n\n```go\na := 1\n```\n"},
		{"go", "```\n<img src=x>\n````\n@ann", "\n\n`````go\n```\n<img src=x>\n````\n@ann\n`````\n"},
		{"", "`````", "\n\n``````\n`````\n``````\n"},
		{"mermaid", "graph", "\n\n```\ngraph\n```\n"},
		{"Suggestion", "x", "\n\n```\nx\n```\n"},
		{"go`\n<b>", "x", "\n\n```\nx\n```\n"},
		{"c++", "\x1b[1m\tx\r\ny", "\n\n```c++\n\\x1b[1m    x\ny\n```\n"},
		{"", "", "\n\n```\n\n```\n"},
	} {
		if got := CodeBlock(c.language, c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"`", "``", "~~~", "\n", " ", "x"}), 0, 20).Draw(t, "text"), "")
		lines := strings.Split(strings.Trim(CodeBlock("", text), "\n"), "\n")
		fence, body := lines[0], lines[1:len(lines)-1]
		if strings.Trim(fence, "`") != "" || lines[len(lines)-1] != fence {
			t.Fatalf("%q", lines)
		}
		for _, line := range body {
			if strings.HasPrefix(strings.TrimSpace(line), fence) {
				t.Fatalf("%q ends the block %q", line, lines)
			}
		}
	})
}

func TestFitLeavesOutWholeParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit int
		parts []string
		want  string
		left  int
	}{
		{6, []string{"abc", "def"}, "abcdef", 0},
		{5, []string{"abc", "def"}, "abc", 1},
		{5, []string{"abc", "def", "g"}, "abc", 2},
		{2, []string{"abc", "d"}, "", 2},
		{4, []string{"日本", "語é"}, "日本語é", 0},
		{3, []string{"😀", "😀"}, "😀", 1},
		{0, []string{""}, "", 0},
		{9, nil, "", 0},
	} {
		if got, left := Fit(c.limit, c.parts); got != c.want || left != c.left {
			t.Errorf("%d %q: %q, %d", c.limit, c.parts, got, left)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.String()).Draw(t, "parts")
		limit := rapid.IntRange(0, 100).Draw(t, "limit")
		got, left := Fit(limit, parts)
		if got != strings.Join(parts[:len(parts)-left], "") || utf8.RuneCountInString(got) > limit {
			t.Fatalf("%q, %d", got, left)
		}
	})
}
