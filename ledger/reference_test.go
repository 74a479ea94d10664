package ledger

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

const someCommit = "4f2d8c1b7a6e5d3c2b1a0f9e8d7c6b5a49382716"

// The forms of the evidence rules are all read, into one normal form.
func TestParseReferenceReadsEveryForm(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a.go:12", "a.go:12"},
		{"a.go:12-18", "a.go:12-18"},
		{"a.go:12,18", "a.go:12,18"},
		{"a.go:18,12", "a.go:12,18"},
		{"a.go:12,13", "a.go:12-13"},
		{"a.go:12-18,15,20-22", "a.go:12-18,20-22"},
		{"a.go#L12", "a.go:12"},
		{"a.go#L12-L18", "a.go:12-18"},
		{"a.go#L12-18", "a.go:12-18"},
		{"a.go (line 12)", "a.go:12"},
		{"a.go (lines 12-18)", "a.go:12-18"},
		{"a.go (lines 12, 18)", "a.go:12,18"},
		{" ./x//y/./a.go:12 ", "x/y/a.go:12"},
		{`x\y\a.go:12`, "x/y/a.go:12"},
		{`C:\x\a.go:12`, "C:/x/a.go:12"},
		{"/etc/passwd:1", "/etc/passwd:1"},
		{"//etc/passwd:1", "/etc/passwd:1"},
		{"../a.go:1", "../a.go:1"},
		{"a b:c.go:1", "a b:c.go:1"},
		{"größe/価格.go:1", "größe/価格.go:1"},
		{"a.go", "a.go"},
		{"a.go:", "a.go"},
		{"a.go:Retry", "a.go"},
		{"`a.go:12`", "a.go:12"},
		{"`a.go`:12", "a.go:12"},
		{"**a.go:12**", "a.go:12"},
		{"(a.go:12)", "a.go:12"},
		{"[a.go:12]", "a.go:12"},
		{"<a.go:12>", "a.go:12"},
		{"“a.go:12”", "a.go:12"},
		{"（a.go:12）", "a.go:12"},
		{"「a.go」：12", "a.go:12"},
		{"a.go：12", "a.go:12"},
		{"a.go:12。", "a.go:12"},
		{"a.go:12,", "a.go:12"},
		{"a.go:12-18:", "a.go:12-18"},
		{"a.go:12:3", "a.go:12"},
		{"a.go:12:3-18:5", "a.go:12-18"},
		{"a.go:12–18", "a.go:12-18"},
		{"a.go:12—18", "a.go:12-18"},
		{"a.go:12..18", "a.go:12-18"},
		{"a.go:12 to 18", "a.go:12-18"},
		{"a.go:12～18", "a.go:12-18"},
		{"a.go:~12", "a.go:12"},
		{"a.go:12+", "a.go:12"},
		{"a.go::12", "a.go:12"},
		{"a.go: 12", "a.go:12"},
		{"a.go : 12", "a.go:12"},
		{"a.go:L12", "a.go:12"},
		{"a.go:L12-L18", "a.go:12-18"},
		{"a.go L12", "a.go:12"},
		{"a.go L12-18", "a.go:12-18"},
		{"a.go#12", "a.go:12"},
		{"a.go @ 12", "a.go:12"},
		{"a.go(12)", "a.go:12"},
		{"a.go(12,3)", "a.go:12"},
		{"a.go line 12", "a.go:12"},
		{"a.go, line 12", "a.go:12"},
		{"a.go lines 12-18", "a.go:12-18"},
		{"a.go, lines 12–18", "a.go:12-18"},
		{"a.go lines 12 to 18", "a.go:12-18"},
		{"a.go at line 12", "a.go:12"},
		{"a.go Zeile 12", "a.go:12"},
		{"a.go 第12行", "a.go:12"},
		{"a.go第 12-18 行", "a.go:12-18"},
		{"line 12 of a.go", "a.go:12"},
		{"lines 12-18 in `x/a.go`", "x/a.go:12-18"},
		{"line 12 of the file my notes/a b.go", "my notes/a b.go:12"},
		{"a.go:12 (Retry)", "a.go:12"},
		{"a.go:12 in Retry()", "a.go:12"},
		{"[a.go:12](x/a.go#L12)", "x/a.go:12"},
		{"[a.go](/srv/x/a.go:12)", "/srv/x/a.go:12"},
		{"[x/a.go](x/a.go):12", "x/a.go:12"},
		{"@x/a.go:12", "@x/a.go:12"},
		{"file:///srv/x/a%20b.go#L12", "/srv/x/a b.go:12"},
		{"vscode://file/srv/x/a.go:12", "/srv/x/a.go:12"},
		{`"quo\"te.txt":12`, `"quo\"te.txt":12`},
		{`"new\nline.txt":12`, `"new\nline.txt":12`},
		{`"\303\234.txt":12`, "Ü.txt:12"},
		{`\/srv\/x\/a.go:12`, "/srv/x/a.go:12"},
		{"app/[id]/(group)/page.tsx:12", "app/[id]/(group)/page.tsx:12"},
		{"report:3/a.go:12", "report:3/a.go:12"},
		{"https://github.com/o/r/blob/" + someCommit + "/a.go#L1C2-L3C4", "a.go:1-3"},
		{"https://github.com/o/r/blob/" + someCommit + "/x/a.go#L1-L2", "x/a.go:1-2"},
		{"https://gitlab.com/g/h/r/-/blob/" + someCommit + "/x/a%20b.go?x=1#L1-2", "x/a b.go:1-2"},
	}
	for _, test := range tests {
		got, err := ParseReference(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
		} else if got.String() != test.want {
			t.Errorf("%q is read as %q, want %q", test.text, got, test.want)
		}
	}
}

// A permalink keeps its commit, whatever the repository's kind of hash.
func TestParseReferenceKeepsTheCommit(t *testing.T) {
	for _, commit := range []string{someCommit, strings.Repeat("0a", 32)} {
		got, err := ParseReference("https://github.com/o/r/blob/" + commit + "/a.go#L1")
		if err != nil || got.Commit != commit {
			t.Errorf("commit %q, %v; want %q", got.Commit, err, commit)
		}
	}
}

// Anything else is a typed error that names the reason and the usual form.
func TestParseReferenceRefuses(t *testing.T) {
	tests := []struct{ text, why string }{
		{"", "no file"},
		{"``", "no file"},
		{"a.go:0", "count from 1"},
		{"a.go:18-12", "backwards"},
		{"a.go:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "over 16 places"},
		{"a.go:9999999999", "is no line"},
		{":12", "no file"},
		{"/:12", "no file"},
		{"./ a:12", "blank"},
		{"a\x00b:12", "control character"},
		{"a\xffb:12", "UTF-8"},
		{strings.Repeat("a/", MaxReference/2) + "b:12", "bytes long"},
		{"https://github.com/o/r/blob/main/a.go#L1", "branch"},
		{"https://github.com/o/r/blob/" + someCommit + "/a.go", "no line"},
		{"https://github.com/o/r/blob/" + someCommit + "/a%0Ab.go#L1", "control character"},
		{"https://github.com/o/r/blob/" + someCommit + "/a%FFb.go#L1", "UTF-8"},
		{"https://github.com/%zz", "link"},
		{"https://example.com/a.go#L1", "link"},
		{"ftp://example.com/a.go:1", "link"},
		{"file://https://example.com/a.go:1", "link"},
		{"a.go lines 18-12", "backwards"},
	}
	for _, test := range tests {
		got, err := ParseReference(test.text)
		if err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%.60q is read as %v, %v; want %q", test.text, got, err, test.why)
		}
		if !reflect.DeepEqual(got, Reference{}) {
			t.Errorf("%.60q: a refused reference is not empty: %+v", test.text, got)
		}
		if message := err.Error(); len(message) > 1200 || !strings.Contains(message, "path:12") {
			t.Errorf("%.60q: the message is too long or does not help: %s", test.text, message)
		}
	}
}

// Whatever the text, a reference that is read keeps its bounds, and its normal
// form is read back as the same.
func FuzzParseReference(f *testing.F) {
	for _, seed := range []string{
		"a.go:12", "a.go:12-18", "a.go:12,18,3-4", "a.go#L12-L18", "a.go (lines 12-18)", `C:\x\a.go:1`,
		"https://github.com/o/r/blob/" + someCommit + "/a%23L3%3A4.go#L1-L2",
		"https://x/-/blob/" + someCommit + "/%2e%2e/a#L1",
		`"quo\"te.txt":1`, `"a\b":1`, "line 5 of a.go", "a.go, lines 4–6", "[a](b.go):5", "a.go:5 (b)", "「a」：5", "a.go:Retry",
		"a (line 3):4", "a:b#L5:6", " . / ./a:1", "\u00a0a\u00a0:1", ".\\..\\a:1", "a (line 3", "(line 3)", "#L1",
		":1", "::1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseReference(text)
		if err != nil {
			if !utf8.ValidString(err.Error()) {
				t.Fatalf("%q: the message is not UTF-8", text)
			}
			return
		}
		if got.Path == "" || len(got.Path) > MaxReference || strings.Contains(got.Path, `\`) ||
			strings.Contains(got.Path, "//") {
			t.Fatalf("%q: path %q", text, got.Path)
		}
		if len(got.Spans) > MaxSpans {
			t.Fatalf("%q: %d spans", text, len(got.Spans))
		}
		last := -1
		for _, span := range got.Spans {
			if span.First < 1 || span.Last < span.First || span.First <= last+1 && last > 0 {
				t.Fatalf("%q: spans %v", text, got.Spans)
			}
			last = span.Last
		}
		got.Commit, got.other = "", ""
		again, err := ParseReference(got.String())
		if again.other = ""; err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("%q is read as %+v, but %q as %+v, %v", text, got, got, again, err)
		}
	})
}
