package search

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestIgnoreRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
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
		{"an escaped blank stays", "name\\ ", "", "name"},
		{"a class", "[ab].txt", "a.txt b.txt", "c.txt ab.txt"},
		{"a range and a negated class", "[!a-c]x", "dx zx", "ax cx x"},
		{"a named class", "v[[:digit:]]", "v1 v9", "va v"},
		{"every named class", "[[:alpha:]][[:alnum:]][[:lower:]][[:upper:]][[:xdigit:]][[:punct:]][[:graph:]][[:print:]]", "a1bCf.xy", "11bCf.xy a1bcf.xy a1bCg.xy a1bCfaxy"},
		{"an unknown class is empty", "[[:vowel:]]", "", "a v"},
		{"a closing bracket first in its class", "[]x]", "] x", "y"},
		{"an escape in a class", "[\\]]", "]", "a"},
		{"an open class matches nothing", "[ab", "", "a b [ab"},
		{"a lone backslash matches nothing", "a\\", "", "a a\\"},
		{"an escaped star is literal", "\\*", "*", "a"},
		{"carriage returns are line ends", "log\r\ntmp\r\n", "log tmp", "log2"},
		{"a byte order mark is skipped", "\ufefflog", "log", "xlog"},
		{"bytes beyond ASCII", "größe", "größe", "grosse"},
		{"only a slash is no rule", "/", "", "a a/"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			chain := ignoreChain{}.with(0, parseIgnore(test.rules))
			for _, path := range strings.Fields(test.ignored) {
				if !ignoresPath(chain, path) {
					t.Errorf("%q keeps %q, want ignored", test.rules, path)
				}
			}
			for _, path := range strings.Fields(test.kept) {
				if ignoresPath(chain, path) {
					t.Errorf("%q ignores %q, want kept", test.rules, path)
				}
			}
		})
	}
}

func ignoresPath(chain ignoreChain, path string) bool {
	name, folder := strings.CutSuffix(path, "/")
	return chain.ignores(strings.Split(name, "/"), folder)
}

func TestIgnoreNestedFiles(t *testing.T) {
	t.Parallel()
	chain := ignoreChain{}.
		with(0, parseIgnore("*.log\n/only-here\nsub/deep.txt")).
		with(1, parseIgnore("!debug.log\n/anchored\n"))
	for path, want := range map[string]bool{
		"sub/x.log":       true,
		"sub/debug.log":   false, // the nested file is the stronger
		"sub/anchored":    true,
		"sub/a/anchored":  false, // anchored to the folder of its file
		"sub/only-here":   false,
		"sub/deep.txt":    true,
		"sub/a/debug.log": false,
	} {
		if got := ignoresPath(chain, path); got != want {
			t.Errorf("ignores(%q) = %v, want %v", path, got, want)
		}
	}
}

// TestIgnoreAgreesWithGit compares random rules and paths with what git says.
func TestIgnoreAgreesWithGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	random := rand.New(rand.NewPCG(7, 11))
	for round := range 12 {
		folder := t.TempDir()
		if out, err := exec.Command("git", "init", "-q", folder).CombinedOutput(); err != nil {
			t.Skipf("git init: %v: %s", err, out)
		}
		rules := randomRules(random)
		if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte(rules), 0o600); err != nil {
			t.Fatal(err)
		}
		paths := randomPaths(random)
		want := gitIgnored(t, folder, paths)
		chain := ignoreChain{}.with(0, parseIgnore(rules))
		for _, path := range paths {
			if got := ignoresWithParents(chain, path); got != want[path] {
				t.Errorf("round %d: ignores(%q) = %v, git says %v; rules:\n%s", round, path, got, want[path], rules)
			}
		}
	}
}

// ignoresWithParents applies the rules the way the walk does: a folder that is
// ignored takes everything below it along.
func ignoresWithParents(chain ignoreChain, path string) bool {
	names := strings.Split(path, "/")
	for i := 1; i <= len(names); i++ {
		if chain.ignores(names[:i], i < len(names)) {
			return true
		}
	}
	return false
}

func gitIgnored(t *testing.T, folder string, paths []string) map[string]bool {
	t.Helper()
	command := exec.Command("git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin")
	command.Dir = folder
	command.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	out, err := command.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("git check-ignore: %v", err)
	}
	ignored := map[string]bool{}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		ignored[string(name)] = true
	}
	return ignored
}

func randomRules(random *rand.Rand) string {
	pieces := []string{"a", "b", "ab", "c.d", "*", "**", "?", "/", "/", "[ab]", "[!a]", "a*", "*b", "\\a", "[a-c]", "\\*"}
	var text strings.Builder
	for range 1 + random.IntN(5) {
		if random.IntN(4) == 0 {
			text.WriteString("!")
		}
		for range 1 + random.IntN(5) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		if random.IntN(5) == 0 {
			text.WriteString("/")
		}
		text.WriteString("\n")
	}
	return text.String()
}

func randomPaths(random *rand.Rand) []string {
	names := []string{"a", "b", "ab", "c.d", "ba", "abc", "x", "aab"}
	var paths []string
	for range 120 {
		var parts []string
		for range 1 + random.IntN(4) {
			parts = append(parts, names[random.IntN(len(names))])
		}
		paths = append(paths, strings.Join(parts, "/"))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func FuzzIgnore(f *testing.F) {
	for _, seed := range []string{"*.log\n!a", "a/**/b", "[a-", "[[:alpha:]]\\", "**/**/**", "/\n!/\n", "a\\ "} {
		f.Add(seed, "a/b/c.log")
	}
	f.Fuzz(func(t *testing.T, rules, path string) {
		if path == "" {
			return
		}
		chain := ignoreChain{}.with(0, parseIgnore(rules))
		names := strings.Split(path, "/")
		first := chain.ignores(names, false)
		if second := chain.ignores(names, false); first != second {
			t.Fatalf("%q: %q is ignored once and not the next time", rules, path)
		}
		if !chain.with(0, parseIgnore("*")).ignores(names, false) {
			t.Fatalf("a later %q does not ignore %q", "*", path)
		}
	})
}
