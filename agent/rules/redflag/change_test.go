package redflag_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"moot/agent/rules/redflag"
	"moot/protocol/dialectic/playbook"
)

// bookOf is a built-in playbook.
func bookOf(t testing.TB, name string) *playbook.Playbook {
	t.Helper()
	book, err := playbook.BuiltIn(name)
	if err != nil {
		t.Fatal(err)
	}
	return &book
}

// Each file and line of a diff is read and can be found again in the diff.
func TestReadDiff(t *testing.T) {
	for _, c := range []struct{ name, diff, want string }{
		{"plain", "--- a.txt\t2026-01-01\n+++ a.txt\t2026-01-02\n@@ -1 +1 @@\n-x\n+y\n", "modified a.txt | -x@1/4 +y@1/5"},
		{"git", "commit text\n\ndiff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -4,2 +4,2 @@ func f() {\n x\n-y\n+z\n", "modified a.txt |  x@4/8 -y@5/9 +z@5/10"},
		{"no newline", "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n", "modified a |  x@1/4 -y@2/5 +z@2/7"},
		{"CRLF file", "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\r\n+y\r\n", "modified a | -x@1/5 +y@1/6"},
		{"CRLF diff", "diff --git a/a b/a\r\n--- a/a\r\n+++ b/a\r\n@@ -1 +1 @@\r\n-x\r\n+y\r\n", "modified a | -x@1/5 +y@1/6"},
		{"rename", "diff --git a/old name.go b/new name.go\nsimilarity index 90%\nrename from old name.go\nrename to new name.go\n--- a/old name.go\n+++ b/new name.go\n@@ -1 +1 @@\n-x\n+y\n", "renamed new name.go | -x@1/8 +y@1/9"},
		{"spaces", "diff --git a/my file b/my file\n--- a/my file\t\n+++ b/my file\t\n@@ -1 +1 @@\n-x\n+y\n", "modified my file | -x@1/5 +y@1/6"},
		{"quoted", "diff --git \"a/\\303\\244.txt\" \"b/\\303\\244.txt\"\n--- \"a/\\303\\244.txt\"\n+++ \"b/\\303\\244.txt\"\n@@ -1 +1 @@\n-x\n+y\n", "modified ä.txt | -x@1/5 +y@1/6"},
		{"added", "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+y\n", "added a | +y@1/6"},
		{"deleted", "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n", "deleted a | -y@1/6"},
		{"mode", "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", "modified a |"},
		{"binary", "diff --git a/a.png b/a.png\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/a.png differ\n", "added binary a.png |"},
		{"escapes", "--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-x\n+y\n", ""},
		{"hunk in the preamble", "@@ - this is no hunk\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-@@ -1 +1 @@\n+y\n", "modified a | -@@ -1 +1 @@@1/5 +y@1/6"},
		{"two files", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n--- a/b\n+++ b/b\n@@ -9 +9 @@\n--- x\n+++ y\n", "modified a | -x@1/4 +y@1/5\nmodified b | --- x@9/9 +++ y@9/10"},
	} {
		read, err := redflag.ReadDiff("c.diff", []byte(c.diff))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := shown(read); c.want != "" && got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// shown is a change in a line for each file: side, text, line of the file and
// of the diff.
func shown(c *redflag.Change) string {
	var files []string
	for i := range c.Files {
		f := &c.Files[i]
		text := string(f.Alteration) + " "
		if f.Binary {
			text += "binary "
		}
		text += f.Name() + " |"
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				text += fmt.Sprintf(" %c%s@%d/%d", l.Side, l.Text, max(l.Old*int(boolean(l.Side == redflag.Removed)), l.New), l.Diff)
			}
		}
		files = append(files, text)
	}
	return strings.Join(files, "\n")
}

func boolean(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// A text that is not a diff is refused with the line of the mistake.
func TestReadDiffRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":        "",
		"prose":          "Dear reviewer,\n\nplease look.\n",
		"miscounted":     "--- a/a\n+++ b/a\n@@ -1,5 +1 @@\n-x\n+y\n",
		"hunk alone":     "@@ -1 +1 @@\n-x\n+y\n",
		"no names":       "diff --git\n",
		"negative":       "--- a/a\n+++ b/a\n@@ -1,-1 +1,-1 @@\n x\n",
		"huge numbers":   "--- a/a\n+++ b/a\n@@ -1,99999999999999999999 +1 @@\n x\n",
		"cut in a hunk":  "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n",
		"binary garbage": "diff --git a/a b/a\nGIT binary patch\nliteral 3\n\x00\x01\x02\n",
	} {
		_, err := redflag.ReadDiff("c.diff", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "c.diff") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := redflag.ReadDiff("c.diff", []byte("prose")); !errors.Is(err, redflag.ErrNoDiff) {
		t.Errorf("%v is no ErrNoDiff", err)
	}
	if _, err := redflag.ReadDiff("c.diff", make([]byte, redflag.MaxDiff+1)); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("too large: %v", err)
	}
}

// A binary file is found by the line of the diff that names it, and only if
// it exists afterwards.
func TestBinaryFiles(t *testing.T) {
	book := one(t, "kind = \"binary-file\"\nexcept = [\"*.png\"]\n")
	for text, want := range map[string]string{
		"diff --git a/a.bin b/a.bin\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/a.bin differ\n":     "c.diff:1 diff --git a/a.bin b/a.bin",
		"diff --git a/a.bin b/a.bin\ndeleted file mode 100644\nindex 0..1\nBinary files a/a.bin and /dev/null differ\n": "",
		"diff --git a/a.png b/a.png\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/a.png differ\n":     "",
		"--- a/a.bin\n+++ b/a.bin\n@@ -1 +1 @@\n-x\n+y\n":                                                               "",
	} {
		read, err := redflag.ReadDiff("c.diff", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		found, err := newChecker(t).Find(context.Background(), book, read, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range found {
			got += f.Reference + " " + f.Quote
		}
		if got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

// A file that lies elsewhere is never opened, and what the workspace holds
// otherwise than the diff says is not cited.
func TestWorkspaceIsNotTrusted(t *testing.T) {
	book := one(t, "kind = \"added-line\"\npattern = 'evil'\nwhere = \"whole\"\n")
	workspace := fstest.MapFS{"a.txt": {Data: []byte("another text\n")}}
	for _, name := range []string{"../a.txt", "/etc/passwd", "a.txt", "b/../../a.txt", "."} {
		read, err := redflag.ReadDiff("c.diff", []byte("diff --git a/"+name+" b/"+name+"\n--- a/"+name+"\n+++ b/"+name+"\n@@ -1 +1 @@\n-x\n+evil\n"))
		if err != nil {
			t.Fatal(err)
		}
		found, err := newChecker(t).Find(context.Background(), book, read, workspace)
		if err != nil || len(found) != 1 || found[0].Reference != "c.diff:6" || found[0].Quote != "+evil" {
			t.Errorf("%s: %+v (%v)", name, found, err)
		}
	}
}

// At most twenty findings of a flag are reported, with the number of the others.
func TestFindingsAreBounded(t *testing.T) {
	text := strings.Repeat("TODO decide\n", 50)
	found, err := newChecker(t).Find(context.Background(), one(t, "kind = \"added-line\"\npattern = 'TODO'\n"), redflag.ReadDocument("a.md", []byte(text)), nil)
	if err != nil || len(found) != 20 || found[19].More != 30 {
		t.Errorf("%d findings, %d more (%v)", len(found), found[len(found)-1].More, err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newChecker(t).Find(gone, one(t, "kind = \"secret\"\n"), redflag.ReadDocument("a.md", nil), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the context is gone: %v", err)
	}
}

// Long lines, bytes that are no text and secrets are cut out of quotes.
func TestQuotesAreClean(t *testing.T) {
	book := one(t, "kind = \"added-line\"\npattern = 'x'\nwhere = \"whole\"\n")
	for text, want := range map[string]string{
		"x" + strings.Repeat("y", 1000):   "x" + strings.Repeat("y", 399),
		"x is \xff\xfe":                   "x is ",
		`x password = "hV7_pQ2x9sLm4Zk8"`: `x password = "`,
		// Of a secret that would be cut in two nothing is left.
		"x" + strings.Repeat("y", 380) + " ghp_16C7e42F292c6912E7710c838347Ae178B4a": "x" + strings.Repeat("y", 380) + " ",
		"x" + strings.Repeat("é", 300) + "\u0001end":                                 "x" + strings.Repeat("é", 199),
	} {
		found, err := newChecker(t).Find(context.Background(), book, redflag.ReadDocument("a.txt", []byte(text)), nil)
		if err != nil || len(found) != 1 || found[0].Quote != want {
			t.Errorf("%.40q: %+v (%v)", text, found, err)
		}
	}
}

// No finding says a secret: not one that runs over several lines, of which each
// looks like none, and not the value that a setting or a dependency had.
func TestNoFindingHoldsASecret(t *testing.T) {
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for diff, check := range map[string]string{
		"--- a/k.txt\n+++ b/k.txt\n@@ -1,3 +1,3 @@\n -----BEGIN RSA PRIVATE KEY-----\n-aaaa\n+" + token[4:] + "\n -----END RSA PRIVATE KEY-----\n": "kind = \"added-line\"\npattern = 'C7'\n",
		"--- a/k.txt\n+++ b/k.txt\n@@ -1,3 +1,3 @@\n -----BEGIN RSA PRIVATE KEY-----\n-" + token[4:] + "\n+aaaa\n -----END RSA PRIVATE KEY-----\n": "kind = \"removed-line\"\npattern = 'C7'\n",
		"--- a/c.ini\n+++ b/c.ini\n@@ -1 +1 @@\n-token = " + token + "\n+token = x\n":                                                              "kind = \"added-line\"\npattern = 'token'\n",
		"--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n-requests==2.1+" + token + "\n+other==1.0\n":                                 "kind = \"removed-line\"\npattern = 'requests==2'\n",
	} {
		read, err := redflag.ReadDiff("c.diff", []byte(diff))
		if err != nil {
			t.Fatal(err)
		}
		found, err := newChecker(t).Find(context.Background(), one(t, check), read, nil)
		if err != nil || len(found) == 0 {
			t.Errorf("%s finds nothing (%v)", check, err)
		}
		for i := range found {
			if strings.Contains(fmt.Sprintf("%+v", found[i]), token[4:20]) {
				t.Errorf("%s: %+v", check, found[i])
			}
		}
	}
}

// Ten megabytes are read, in one line or in many, and a line that nobody wrote
// by hand is looked at no further than its beginning.
func TestLargeDiffs(t *testing.T) {
	const size = 10 << 20
	long := "--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-x\n+debugger;" + strings.Repeat("eval(x);", size/8) + "\n"
	read, err := redflag.ReadDiff("c.diff", []byte(long))
	if err != nil {
		t.Fatal(err)
	}
	found, err := newChecker(t).Find(context.Background(), bookOf(t, "code-review"), read, nil)
	if err != nil || len(found) == 0 || found[0].Flag != "built-from-text" || len(found[0].Quote) > 500 {
		t.Errorf("%d findings (%v)", len(found), err)
	}
	many := "--- a/a\n+++ b/a\n@@ -0,0 +1," + strconv.Itoa(size/128) + " @@\n" + strings.Repeat("+"+strings.Repeat("x", 126)+"\n", size/128)
	read, err = redflag.ReadDiff("c.diff", []byte(many))
	if err != nil || len(read.Files[0].Hunks[0].Lines) != size/128 {
		t.Errorf("lines are missing (%v)", err)
	}
}

// FuzzReadDiff reads anything: no panic, and what is read is in the diff.
func FuzzReadDiff(f *testing.F) {
	for _, seed := range []string{
		"--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@ func f() {\n x\n-\tif err != nil {\n+\tfor {\n",
		"diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\n--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\r\n\\ No newline at end of file\n+y\n",
		"diff --git a/x.sql b/x.sql\nnew file mode 100644\n--- /dev/null\n+++ b/x.sql\n@@ -0,0 +1,2 @@\n+UPDATE a\n+SET b\n",
		"diff --git a/go.mod b/go.mod\n--- a/go.mod\n+++ b/go.mod\n@@ -1 +1 @@\n-require a.b/c v1.2.3\n+require a.b/c v0.0.0-rc\n",
		"diff --git a/p.bin b/p.bin\nindex 1..2\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n",
		"diff --git \"a/\\000\" \"b/../x\"\n--- a/..\n+++ b/..\n@@ -0,0 +1 @@\n+// TODO 2027-01\n", "@@ -1 +1 @@", "\xef\xbb\xbf--- a\r\n+++ b\r\n",
		"--- a/migrations/1.py\n+++ b/migrations/1.py\n@@ -1,1 +1,2 @@\n def upgrade():\n+while True:\n",
	} {
		f.Add([]byte(seed))
	}
	var books []*playbook.Playbook
	for _, name := range playbook.Names() {
		books = append(books, bookOf(f, name))
	}
	checker := newChecker(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := redflag.ReadDiff("c.diff", data)
		if err != nil {
			return
		}
		lines := strings.Split(strings.TrimPrefix(string(data), "\xef\xbb\xbf"), "\n")
		for i := range read.Files {
			for _, h := range read.Files[i].Hunks {
				for _, l := range h.Lines {
					if l.Diff < 1 || l.Diff > len(lines) || !sameLine(lines[l.Diff-1], &l) {
						t.Errorf("line %d is not %c%q", l.Diff, l.Side, l.Text)
					}
				}
			}
		}
		for _, book := range books {
			found, err := checker.Find(context.Background(), book, read, fstest.MapFS{})
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range found {
				at, _ := strconv.Atoi(strings.TrimPrefix(path.Ext(strings.ReplaceAll(one.Reference, ":", ".")), "."))
				if at < 1 || at > len(lines) || !strings.Contains(lines[at-1], strings.TrimRight(one.Quote, "\r")) && one.Quote != " " {
					t.Errorf("%s %q is not in the diff", one.Reference, one.Quote)
				}
			}
		}
	})
}

func sameLine(written string, l *redflag.Line) bool {
	written = strings.TrimRight(written, "\r")
	return written == string(l.Side)+strings.TrimRight(l.Text, "\r") || written == "" && l.Side == redflag.Context && l.Text == ""
}
