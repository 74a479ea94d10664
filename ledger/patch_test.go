package ledger

import (
	"fmt"
	"strings"
	"testing"
)

const newTest = `diff --git a/queue/pop_test.go b/queue/pop_test.go
new file mode 100644
--- /dev/null
+++ b/queue/pop_test.go
@@ -0,0 +1,3 @@
+package queue
+
+func TestPop(t *testing.T) {}
`

func TestPatchesThatCanBeTried(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, words string }{
		{"a new file", newTest, "adds queue/pop_test.go (+3)"},
		{"words around it", "Here it is:\n\n" + newTest + "\n\n", "adds queue/pop_test.go (+3)"},
		{"wrong counts", strings.Replace(newTest, "+1,3", "+1,7", 1), "adds queue/pop_test.go (+3)"},
		{"diff -u", "--- a/queue/pop.go\n+++ b/queue/pop.go\n@@ -1,1 +1,1 @@\n-a\n+b\n", "changes queue/pop.go (+1 -1)"},
		{"diff -u without prefixes", "--- pop.go\n+++ pop.go\n@@ -1 +1 @@\n-a\n+b", "changes pop.go (+1 -1)"},
		{
			"lost blanks of empty lines", "--- a/pop.go\n+++ b/pop.go\n@@ -1,9 +1,9 @@\n a\n\n-b\n+c\n\n d\n\n",
			"changes pop.go (+1 -1)",
		},
		{
			"a deleted line that looks like a header", "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- note\n a\n",
			"changes x.sql (+0 -1)",
		},
		{
			"two files", newTest + "--- a/pop.go\n+++ b/pop.go\n@@ -3,2 +3,3 @@ func Pop()\n a\n+b\n c\n",
			"adds queue/pop_test.go (+3), changes pop.go (+1 -0)",
		},
		{
			"a deleted file", "diff --git a/x.go b/x.go\ndeleted file mode 100644\n--- a/x.go\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n",
			"deletes x.go (-1)",
		},
		{"an empty new file", "diff --git a/x b/x\nnew file mode 100644\n", "adds x (+0)"},
		{"a new file of diff -u", "--- /dev/null\n+++ b/a/x.go\n@@ -0,0 +1 @@\n+x\n", "adds a/x.go (+1)"},
		{"a deleted file of diff -u", "--- a/x.go\t2026-01-01\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "deletes x.go (-1)"},
		{"a quoted name", "--- \"a/\\303\\244.go\"\n+++ \"b/\\303\\244.go\"\n@@ -1 +1 @@\n-a\n+b\n", "changes \u00e4.go (+1 -1)"},
		{"two slashes in a path", "--- a/a//x.go\n+++ b/a//x.go\n@@ -1 +1 @@\n-a\n+b\n", "changes a/x.go (+1 -1)"},
		{"no end of line", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "changes x (+1 -1)"},
		{"carriage returns", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n", "changes x (+1 -1)"},
		{"another script", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+\u0431\n", "changes x (+1 -1)"},
	} {
		p, err := ParsePatch(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := p.Words(); got != c.words {
			t.Errorf("%s: %q, want %q", c.name, got, c.words)
		}
		again, err := ParsePatch(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%s: the normal form is read as %v, %v:\n%s", c.name, again, err, p)
		}
	}
}

func TestPatchesThatAreRefused(t *testing.T) {
	t.Parallel()
	edit := func(name string) string {
		return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1 +1 @@\n-a\n+b\n", name)
	}
	quoted := func(name string) string {
		return fmt.Sprintf("--- \"a/%[1]s\"\n+++ \"b/%[1]s\"\n@@ -1 +1 @@\n-a\n+b\n", name)
	}
	mode := func(mode string) string { return strings.Replace(newTest, "100644", mode, 1) }
	many := ""
	for i := range maxPatchFiles + 1 {
		many += edit(fmt.Sprintf("f%d.go", i))
	}
	for _, c := range []struct{ name, text, why string }{
		{"nothing", " \n", "it is empty"},
		{"prose", "Please change the queue.\n", "it is no diff of a file"},
		{"too large", newTest + strings.Repeat("+x\n", MaxPatch), "may have 65536"},
		{"too many files", many, "may change 50"},
		{"no UTF-8", newTest + "+\xff\n", "not UTF-8"},
		{"an escape", newTest + "+\x1b[2J\n", "U+001B"},
		{"a carriage return inside", newTest + "+a\rb\n", "U+000D"},
		{"text from right to left", newTest + "+\u202ea\n", "U+202E"},
		{"a blank without width", newTest + "+\u200b\n", "U+200B"},
		{"out of the folder", edit("../x.go"), "leaves the workspace"},
		{"out of the folder later", edit("a/../../x.go"), "leaves the workspace"},
		{"quoted", quoted(`..\057x.go`), "leaves the workspace"},
		{"absolute", "--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", "leaves the workspace"},
		{"absolute behind a prefix", edit("/etc/passwd"), "leaves the workspace"},
		{"absolute and new", "--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+b\n", "leaves the workspace"},
		{"a drive", edit("C:/x.go"), `a \ or a :`},
		{"backslashes", quoted(`a\\x.go`), `a \ or a :`},
		{"not the shortest", edit("a/./x.go"), "shortest form"},
		{"git", edit(".git/hooks/pre-commit"), "belongs to git"},
		{"git below", edit("sub/.git/config"), "belongs to git"},
		{"git in capitals", edit(".GIT/config"), "belongs to git"},
		{"git as of NTFS", edit("git~1/config"), "belongs to git"},
		{"git as of NTFS again", edit("GIT~12/config"), "belongs to git"},
		{"git with a dot", edit(".git./config"), "ends with a dot"},
		{"git with a blank", quoted(`.git /config`), "ends with a blank"},
		{"a stream", edit(".git::$INDEX_ALLOCATION/config"), `a \ or a :`},
		{"git as of HFS", quoted(`.g\342\200\214it/config`), "cannot be printed"},
		{"a new line in the name", quoted(`a\nb`), "cannot be printed"},
		{"no UTF-8 in the name", quoted(`a\377b`), "cannot be printed"},
		{"a link", mode("120000"), "it is a link"},
		{"a submodule", mode("160000"), "it is a submodule"},
		{"a mode of more", mode("104755"), "is not that of a file"},
		{
			"a file that becomes a link",
			"diff --git a/x b/x\nold mode 100644\nnew mode 120000\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+/etc\n", "it is a link",
		},
		{"a mode alone", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "nothing in it is changed"},
		{"a rename", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", "renames or copies"},
		{"a copy", "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n", "renames or copies"},
		{"two names", "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "two names"},
		{"binary", "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n", "it is binary"},
		{
			"binary with data",
			"diff --git a/x b/x\nnew file mode 100644\nindex 0000000..b6fc4c6\nGIT binary patch\nliteral 5\nMcmZQzU|?i`00031\n\nliteral 0\nHcmV?d00001\n\n",
			"binary",
		},
		{"twice", edit("x.go") + edit("x.go"), "twice"},
		{"twice in another case", edit("x.go") + edit("X.go"), "twice"},
		{"a hunk without a file", "@@ -1 +1 @@\n-a\n+b\n", "without file header"},
	} {
		p, err := ParsePatch(c.text)
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: it is read as %v, %v, want an error with %q", c.name, p.Words(), err, c.why)
		}
	}
}

func TestTrialExpectations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                 DefaultTrial,
		"without: exit 1; with: exit 0":    DefaultTrial,
		"Without: exits 1, With: exits 0":  DefaultTrial,
		"without: exit 1 and with: exit 0": DefaultTrial,
		"without: exit 0; with: exit 1; output has 'FAIL'":   `without: exit 0; with: exit 1; output has "FAIL"`,
		`without: output has "; with: exit 0"; with: exit 0`: `without: output has "; with: exit 0"; with: exit 0`,
		"exit 0":                          "!does not begin with without:",
		"without: exit 1":                 "!with: is missing",
		"without: exit 1; with: it works": "!is not a condition",
		"without: ; with: exit 0":         "!it is empty",
		"without: exit 0; with: exit 0":   "!the same without and with",
		"with: exit 0; without: exit 1":   "!does not begin with without:",
	} {
		e, err := ParseTrialExpectation(text)
		if why, refused := strings.CutPrefix(want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%q: %v, %v, want an error with %q", text, e, err, why)
			}
			continue
		}
		if err != nil || e.String() != want {
			t.Errorf("%q: %q, %v, want %q", text, e, err, want)
		}
	}
}

// A trial shows something only if its two results differ in what was announced.
func TestWhatATrialShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expected      string
		without, with Ended
		want          bool
	}{
		{DefaultTrial, Ended{Code: 1}, Ended{Code: 0}, true},
		{DefaultTrial, Ended{Code: 1}, Ended{Code: 1}, false},
		{DefaultTrial, Ended{Code: 0}, Ended{Code: 0}, false},
		{"without: exit 0; with: stdout has \"ok\"", Ended{Stdout: []byte("ok")}, Ended{Stdout: []byte("ok")}, false},
		{"without: exit 0; with: stdout has \"ok\"", Ended{}, Ended{Stdout: []byte("ok")}, true},
		{"without: stdout has \"ok\"; with: exit 0", Ended{Stdout: []byte("ok")}, Ended{}, true},
	} {
		e, err := ParseTrialExpectation(c.expected)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Shown(c.without, c.with); got != c.want {
			t.Errorf("%s shows %v of %v and %v, want %v", c.expected, got, c.without, c.with, c.want)
		}
	}
}

func FuzzParsePatch(f *testing.F) {
	f.Add(newTest)
	f.Add("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePatch(text)
		if err != nil {
			return
		}
		again, err := ParsePatch(p.String())
		if err != nil || again.String() != p.String() {
			t.Fatalf("%q is read as %q, and that as %q: %v", text, p, again, err)
		}
	})
}
