package workspace

import (
	"strings"
	"testing"
)

func TestIgnoreRules(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		rules   string
		ignored string // paths, a trailing slash for a folder
		kept    string
	}{
		{"a bare name matches at any depth", "log", "log a/log a/b/log/", "logs a/log.txt"},
		{"a leading slash anchors", "/log", "log log/", "a/log"},
		{"a slash in the middle anchors", "a/log", "a/log", "b/a/log log"},
		{"a trailing slash wants a folder", "build/", "build/ a/build/", "build a/build"},
		{"a trailing slash does not anchor", "build/", "x/y/build/", "builds/"},
		{"a star stays in its segment", "a/*.go", "a/x.go a/.go", "a/b/x.go x.go"},
		{"a star in a bare name", "*.tmp", "x.tmp a/b.tmp .tmp", "x.tmpl tmp"},
		{"a question mark is one character", "a?c", "abc a-c", "ac abbc"},
		{"leading double star", "**/foo/bar", "foo/bar a/foo/bar a/b/foo/bar", "foo/x/bar"},
		{"trailing double star is what lies inside", "abc/**", "abc/x abc/x/y", "abc/ abc"},
		{"double star in the middle", "a/**/b", "a/b a/x/b a/x/y/b", "a/x b"},
		{"double star within a name is a star", "a**b", "ab axxb d/axb", "a/b"},
		{"the last match wins", "*.log\n!keep.log", "x.log a/y.log", "keep.log a/keep.log"},
		{"a later rule takes it back", "!keep.log\n*.log", "keep.log", "keep"},
		{"an escaped bang is literal", "\\!important", "!important", "important"},
		{"an escaped hash is literal", "\\#tag", "#tag", "tag"},
		{"a comment is no rule", "#tag\n\n", "", "#tag tag"},
		{"trailing blanks go", "name   ", "name", "nam"},
		{"a class", "[ab].txt", "a.txt b.txt", "c.txt ab.txt"},
		{"a range and a negated class", "[!a-c]x", "dx zx", "ax cx x"},
		{"braces are literal", "{a,b}", "{a,b}", "a b"},
		{"an open class matches nothing", "[ab", "", "a b [ab"},
		{"a lone backslash matches nothing", "a\\", "", "a a\\"},
		{"an escaped star is literal", "\\*", "*", "a"},
		{"carriage returns are line ends", "log\r\ntmp\r\n", "log tmp", "log2"},
		{"a byte order mark is skipped", "\ufefflog", "log", "xlog"},
		{"bytes beyond ASCII", "größe", "größe", "grosse"},
		{"only a slash is no rule", "/", "", "a a/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			chain := ignoreChain{}.with(0, parseIgnore(test.rules))
			for _, name := range strings.Fields(test.ignored) {
				if !ignoresPath(chain, name) {
					t.Errorf("%q keeps %q, want ignored", test.rules, name)
				}
			}
			for _, name := range strings.Fields(test.kept) {
				if ignoresPath(chain, name) {
					t.Errorf("%q ignores %q, want kept", test.rules, name)
				}
			}
		})
	}
}

func ignoresPath(chain ignoreChain, name string) bool {
	name, folder := strings.CutSuffix(name, "/")
	return chain.ignores(strings.Split(name, "/"), folder)
}

func TestIgnoreNestedFiles(t *testing.T) {
	t.Parallel()
	chain := ignoreChain{}.
		with(0, parseIgnore("*.log\n/only-here\nsub/deep.txt")).
		with(1, parseIgnore("!debug.log\n/anchored\n"))
	for name, want := range map[string]bool{
		"sub/x.log":       true,
		"sub/debug.log":   false, // the nested file is the stronger
		"sub/anchored":    true,
		"sub/a/anchored":  false, // anchored to the folder of its file
		"sub/only-here":   false,
		"sub/deep.txt":    true,
		"sub/a/debug.log": false,
	} {
		if got := ignoresPath(chain, name); got != want {
			t.Errorf("ignores(%q) = %v, want %v", name, got, want)
		}
	}
}

func FuzzIgnore(f *testing.F) {
	for _, seed := range []string{"*.log\n!a", "a/**/b", "[a-", "[[:alpha:]]\\", "**/**/**", "/\n!/\n", "a\\ ", "{a,b"} {
		f.Add(seed, "a/b/c.log")
	}
	f.Fuzz(func(t *testing.T, rules, name string) {
		if name == "" {
			return
		}
		chain := ignoreChain{}.with(0, parseIgnore(rules))
		names := strings.Split(name, "/")
		chain.ignores(names, false) // must not panic
		if !chain.with(0, parseIgnore("*")).ignores(names, false) {
			t.Fatalf("a later %q does not ignore %q", "*", name)
		}
	})
}
