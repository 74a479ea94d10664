//go:build unix

package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"moot/internal/redact"
	"moot/protocol/move"
)

func opened(t testing.TB, root string, allow ...string) *Workspace {
	t.Helper()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(root, redactor, allow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// strange is a workspace with everything that a lookup has to refuse or bound.
func strange(t testing.TB) string {
	t.Helper()
	root := repository(t, map[string]string{
		"store.go": "package store\n\n// Append writes a batch.\nfunc Append() {}\n", "docs/a.md": "# Alpha\nalpha\n",
		".gitignore": "*.log\nout/\n", "debug.log": "x", "out/report.txt": "x", ".env": "GITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a",
		"vendor/v/v.go": "package v\n", "keys/server.pem": "x", "notes/.env.local": "A=1",
		"binary.dat": "a\x00b", "long.txt": strings.Repeat("a line of text\n", 5000),
		"wide.txt": strings.Repeat("a", 15_000) + "!\n", "bytes.txt": "\xff\xfe\n\x1b]52;c;x\x07\n",
		"token.go": "package x\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890abcdefghijklmnopqrstuvwxyzABCDEFGH\n" +
			"1234567890abcdefghijklmnopqrstuvwxyzABCDEFGH1234567890abcdefghij\n-----END RSA PRIVATE KEY-----\nvar after = 1\n",
	})
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	huge, err := os.Create(filepath.Join(root, "huge.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := huge.Truncate(2 << 30); err != nil {
		t.Fatal(err)
	}
	_ = huge.Close()
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "passwd")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(root, "etc")); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestLook(t *testing.T) {
	root := strange(t)
	w := opened(t, root)
	for _, c := range []struct {
		lookup move.Move
		want   string // in the answer, or in the refusal after "refused:"
	}{
		{&move.Read{Path: "store.go"}, "1: package store\n2: \n3: // Append writes a batch.\n4: func Append() {}\n"},
		{&move.Read{Path: "./store.go", From: 3, To: 3}, "3: // Append writes a batch.\n"},
		{&move.Read{Path: root + "/store.go", From: 4}, "4: func Append() {}\n"},
		{&move.Read{Path: "store.go", From: 3, To: 900}, "4: func Append() {}\n"},
		{&move.Read{Path: "long.txt", From: 1000}, "cut at line 1199 of 5000: read on from 1200"},
		{&move.Read{Path: "wide.txt"}, "1: aaaa"},
		{&move.Read{Path: "vendor/v/v.go"}, "1: package v"},
		{&move.Read{Path: "token.go", From: 1, To: 9}, "6: var after = 1"},
		{&move.Read{Path: "/etc/passwd"}, `refused: "/etc/passwd" is not a file of the workspace`},
		{&move.Read{Path: "../x"}, "refused: \"../x\" is not a file of the workspace"},
		{&move.Read{Path: "."}, "refused: \".\" is not a file"},
		{&move.Read{Path: ""}, "refused: \"\" is not a file"},
		{&move.Read{Path: "passwd"}, "refused: passwd is a link"},
		{&move.Read{Path: "etc/passwd"}, "refused: etc/passwd cannot be read"},
		{&move.Read{Path: ".env", From: 2}, "refused: .env is not shown: it holds environment variables, such as passwords"},
		{&move.Read{Path: "notes/.env.local"}, "refused: notes/.env.local is not shown"},
		{&move.Read{Path: ".git/config"}, "refused: .git/config is not shown"},
		{&move.Read{Path: "keys/server.pem"}, "refused: keys/server.pem is not shown"},
		{&move.Read{Path: "debug.log"}, "refused: debug.log is not shown: git ignores it"},
		{&move.Read{Path: "out/report.txt"}, "refused: out/report.txt is not shown: git ignores it"},
		{&move.Read{Path: "pipe"}, "refused: pipe is not a regular file"},
		{&move.Read{Path: "docs"}, "refused: docs is a folder"},
		{&move.Read{Path: "huge.go"}, "refused: huge.go has 2147483648 bytes, the limit is 1048576"},
		{&move.Read{Path: "binary.dat"}, "refused: binary.dat is a binary file"},
		{&move.Read{Path: "store.go", From: 1_000_000_000}, "refused: store.go has 4 lines, so there is no line 1000000000"},
		{&move.Read{Path: "store.go", From: 3, To: 2}, "refused: the last line, 2, is before the first, 3"},
		{&move.Read{Path: "src/store.go"}, "refused: there is no file src/store.go; did you mean store.go?"},
		{&move.Read{Path: "bytes.txt"}, "1: \uFFFD"},
		{&move.List{}, "docs/a.md\n"},
		{&move.List{Glob: "*.md"}, "docs/a.md\n"},
		{&move.List{Glob: "docs"}, "docs/a.md\n"},
		{&move.List{Glob: "docs/**"}, "docs/a.md\n"},
		{&move.List{Glob: "*.zip"}, "refused: no file matches *.zip"},
		{&move.List{Glob: "[a"}, "refused: \"[a\" is not a glob"},
		{&move.List{Glob: strings.Repeat("*", 100_000)}, "is not a glob"},
		{&move.Search{Query: "append a batch"}, "store.go:1-4\n1: package store\n2: \n3: // Append writes a batch.\n4: func Append() {}"},
		{&move.Search{Query: "alpha", Glob: "*.md"}, "docs/a.md:"},
		{&move.Search{Query: "alpha", Glob: "*.go"}, "refused: nothing found"},
		{&move.Search{Query: "  "}, "refused: the query is empty"},
		{&move.Search{Query: "/^func A/"}, "store.go:4: func Append() {}"},
		{&move.Search{Query: "/ghp_16/"}, "refused: nothing matches /ghp_16/ in what was searched; binary files"},
		{&move.Search{Query: "/a+!$/", Glob: "wide.txt"}, "wide.txt:1: aaaa"},
		{&move.Search{Query: "/(a+)+$/", Glob: "wide.txt"}, "refused: nothing matches"},
		{&move.Search{Query: "/a line/"}, "there are more matches"},
		{&move.Search{Query: "/(/"}, "refused: the regular expression is not valid"},
		{&move.Search{Query: "/" + strings.Repeat("a", 2000) + "/"}, "refused: the regular expression has 2000 bytes"},
	} {
		text, shown, err := w.Look(t.Context(), c.lookup, 64<<10)
		if err != nil {
			text = "refused: " + err.Error()
		}
		if !strings.Contains(text, c.want) || len(text) > maxAnswer+200 {
			t.Errorf("%#v: %.300q (%d bytes), want %q", c.lookup, text, len(text), c.want)
		}
		for _, secret := range []string{"16C7e42F", "MIIEp", "root:"} {
			if strings.Contains(text, secret) {
				t.Errorf("%#v shows %q", c.lookup, secret)
			}
		}
		if _, reads := c.lookup.(*move.Read); reads && err == nil && (len(shown) != 1 || !strings.HasPrefix(shown[0].Digest, "sha256:")) {
			t.Errorf("%#v: shown %+v", c.lookup, shown)
		}
	}
	if text, _, err := opened(t, root, ".env").Look(t.Context(), &move.Read{Path: ".env"}, 1000); err != nil || !strings.Contains(text, "REDACTED") {
		t.Errorf("an allowed file: %q, %v", text, err)
	}
	if text, _, err := w.Look(t.Context(), &move.Read{Path: "store.go"}, 20); err != nil || !strings.Contains(text, "cut at line") {
		t.Errorf("with 20 bytes left: %q, %v", text, err)
	}
}

func TestMap(t *testing.T) {
	files := map[string]string{"go.mod": "module m\n", "store/store.go": "package store\n\n// Append writes a batch to disk.\nfunc Append() {}\n"}
	for i := range 300 {
		files[fmt.Sprintf("many/f%03d.txt", i)] = "x\n"
	}
	for i := range 100 {
		files[fmt.Sprintf("some/deep/f%03d.txt", i)] = "x\n"
	}
	m, err := opened(t, writeTree(t, files)).Map(t.Context(), "How is a batch written?", "abc1234")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(m.Tree, "\n")
	if !strings.Contains(m.Tree, "many/ (300 files)\n") || !strings.Contains(m.Tree, "store/\n  store.go\n") || lines > mostEntries {
		t.Errorf("%d lines:\n%s", lines, m.Tree)
	}
	if len(m.Passages) != 1 || m.Passages[0].Path != "store/store.go" || !strings.Contains(m.Passages[0].Text, "3: // Append") {
		t.Errorf("passages %+v", m.Passages)
	}
}

// A search tells nothing about a secret: a right guess at the start of one is answered like a wrong one.
func TestSearchIsNoOracleForSecrets(t *testing.T) {
	t.Parallel()
	root := writeTree(t, map[string]string{
		"token.go": "package x\n\nconst token = \"ghp_16C7e42F292c6912E7710c838347Ae178B4a\"\n", "other.go": "package x\n\n// token\n",
	})
	w := opened(t, root)
	look := func(query string) string {
		text, _, err := w.Look(t.Context(), &move.Search{Query: query}, 64<<10)
		if err != nil {
			return "refused"
		}
		return text
	}
	for _, guess := range [][2]string{{"ghp_16C7", "ghp_16C8"}, {`token = "ghp_1`, `token = "ghp_2`}, {"6912e77", "6912e78"}} {
		if right, wrong := look(guess[0]), look(guess[1]); right != wrong {
			t.Errorf("%s:\n%s\n%s:\n%s", guess[0], right, guess[1], wrong)
		}
	}
}
