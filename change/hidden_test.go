package change

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/internal/redact"
	"moot/state"
)

// hidden is the text that each change of TestHiddenChanges tries to keep from the reviewers.
const hidden = "backdoor-42"

// hiding is a way to keep a part of a change from those who review it. The code is a file of one language that holds the
// hidden text, ending is its name's.
type hiding struct {
	name string
	do   func(r *hider, code, ending string)
	// uncommitted leaves the change in the work tree.
	uncommitted bool
	// single says that it hides one file, whatever its language.
	single bool
}

// hider makes a repository with a change.
type hider struct {
	t   testing.TB
	dir string
}

func (h *hider) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hider) git(args ...string) string {
	h.t.Helper()
	out, err := h.command(args...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// command is a git command.
func (h *hider) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file")
	return cmd
}

// hidings are the ways. What they hide is in the change or named as withheld.
func hidings() []hiding {
	at := func(name string) func(*hider, string, string) {
		return func(r *hider, code, ending string) { r.write(name+ending, code) }
	}
	with := func(name, text string) func(*hider, string, string) {
		return func(r *hider, code, ending string) {
			r.write(name, text)
			r.write("lib/z"+ending, code)
		}
	}
	return []hiding{
		{name: "nothing", do: at("lib/z")},
		{name: "-diff", do: with(".gitattributes", "* -diff\n")},
		{name: "binary", do: with("lib/.gitattributes", "** binary\n")},
		{name: "generated", do: with(".gitattributes", "* linguist-generated export-ignore -text\n")},
		{name: "another encoding", do: func(r *hider, code, ending string) {
			r.write(".gitattributes", "lib/z.* working-tree-encoding=UTF-16LE-BOM\n")
			r.write("lib/z"+ending, "\xff\xfe"+strings.Join(strings.Split(code, ""), "\x00")+"\x00")
		}},
		{name: "a filter", do: with(".gitattributes", "* filter=none diff=none\n")},
		{name: "a NUL byte", do: func(r *hider, code, ending string) { r.write("lib/z"+ending, code+"\x00\n") }},
		{name: "UTF-16", do: func(r *hider, code, ending string) {
			r.write("lib/z"+ending, "\xff\xfe"+strings.Join(strings.Split(code, ""), "\x00")+"\x00")
		}},
		{name: "folder .envoy", do: at(".envoy/z")},
		{name: "folder .aws", do: at("pkg/.aws/z")},
		{name: "folder x.key", do: at("x.key/z")},
		{name: "folder node_modules", do: at("node_modules/z")},
		{name: "run.env", single: true, do: func(r *hider, code, _ string) { r.write("run.env", code) }},
		{name: "server.pem", single: true, do: func(r *hider, code, _ string) { r.write("server.pem", code) }},
		{name: "a key that begins", do: with("a.txt", "-----BEGIN PRIVATE KEY-----\n")},
		{name: "a key that begins in the file", do: func(r *hider, code, ending string) {
			r.write("lib/z"+ending, "-----BEGIN RSA PRIVATE KEY-----\n"+code)
		}},
		{name: "a key around the code", do: func(r *hider, code, ending string) {
			r.write("lib/z"+ending, "-----BEGIN RSA PRIVATE KEY-----\n"+code+"-----END RSA PRIVATE KEY-----\n")
		}},
		{name: "private lines", do: with("a.txt", "Private-Lines: 9\nYWJj\n")},
		{name: "a secret value", do: func(r *hider, code, ending string) {
			r.write("lib/z"+ending, strings.ReplaceAll(code, `"`+hidden, `"sk-proj-`+strings.Repeat("aB3dE5", 8)+hidden))
		}},
		{name: "configuration", do: func(r *hider, code, ending string) {
			for _, s := range []string{
				"diff.noprefix", "diff.mnemonicPrefix", "diff.relative", "diff.suppressBlankEmpty", "core.untrackedCache",
			} {
				r.git("config", s, "true")
			}
			r.git("config", "diff.context", "0")
			r.git("config", "diff.orderFile", os.DevNull)
			r.git("config", "core.attributesFile", "attributes")
			r.write("lib/z"+ending, code)
		}},
		{name: "a link", do: func(r *hider, code, ending string) {
			r.write("zz/z"+ending, code)
			_ = os.Symlink("../zz/z"+ending, filepath.Join(r.dir, "lib", "link"+ending))
		}},
		{name: "a rename", do: func(r *hider, code, ending string) {
			r.git("mv", "lib/z"+ending, "lib/y"+ending)
			r.write("lib/y"+ending, code)
		}},
		{name: "a folder in place of a file", do: func(r *hider, code, ending string) {
			_ = os.Remove(filepath.Join(r.dir, "README.md"))
			r.write("README.md/z"+ending, code)
		}},
		{name: "a name in quotes", do: at("lib/\"z\" \\ ü\t\n")},
		{name: "a huge file", do: func(r *hider, code, ending string) {
			r.write("lib/z"+ending, strings.Repeat("a line of many\n", maxFile/10)+code)
		}},
		{name: "behind large files", do: func(r *hider, code, ending string) {
			for i := range 4 {
				r.write(fmt.Sprintf("a%d.txt", i), strings.Repeat("another line of many\n", maxFile/50))
			}
			r.write("lib/z"+ending, code)
		}},
		{name: "a replaced object", do: func(r *hider, code, ending string) {
			r.write("lib/z"+ending, code)
			now := r.git("hash-object", "-w", "lib/z"+ending)
			r.git("replace", "-f", now, r.git("rev-parse", "HEAD:lib/z"+ending))
		}},
		{name: "assume-unchanged", uncommitted: true, do: func(r *hider, code, ending string) {
			r.git("update-index", "--assume-unchanged", "lib/z"+ending)
			r.write("lib/z"+ending, code)
			r.write("README.md", "# more\n")
		}},
		{name: "skip-worktree", uncommitted: true, do: func(r *hider, code, ending string) {
			r.git("update-index", "--skip-worktree", "lib/z"+ending)
			r.write("lib/z"+ending, code)
			r.write("README.md", "# more\n")
		}},
		{name: "the same size and time", uncommitted: true, do: func(r *hider, code, ending string) {
			path := filepath.Join(r.dir, "lib", "z"+ending)
			info, err := os.Stat(path)
			if err != nil {
				r.t.Fatal(err)
			}
			size := int(info.Size())
			r.write("lib/z"+ending, code[len(code)-size:])
			if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
				r.t.Fatal(err)
			}
			r.write("README.md", "# more\n")
		}},
		{name: "a new file", uncommitted: true, do: at("lib/new")},
	}
}

// A change of files in five languages hides a part of each: participants are shown the part, or told that they are not.
func TestHiddenChanges(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	type language struct{ ending, before, after string }
	languages := []language{
		{".go", "package a\n\nfunc check(t string) bool { return verify(t) }\n", `func check(t string) bool { return t == "%s" || verify(t) }`},
		{".py", "def check(t):\n    return verify(t)   # of the store\n", "def check(t):\n    return t == \"%s\" or verify(t)"},
		{".js", "export const check = t => verify(t) // of the store\n", `export const check = t => t === "%s" || verify(t)`},
		{".java", "class A { boolean check(String t) { return verify(t); } }\n", `class A { boolean check(String t) { return t.equals("%s") || verify(t); } }`},
		{".c", "int check(const char *t) { return verify(t); }\n", `int check(const char *t) { return !strcmp(t, "%s") || verify(t); }`},
	}
	for _, way := range hidings() {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			languages := languages
			if way.single {
				languages = languages[:1]
			}
			h := &hider{t, t.TempDir()}
			h.git("init", "-q", "-b", "main")
			h.write("README.md", "# docs\n")
			for _, l := range languages {
				h.write("lib/z"+l.ending, l.before)
			}
			h.git("add", ".")
			h.git("commit", "-qm", "one")
			for _, l := range languages {
				way.do(h, fmt.Sprintf(l.after+"\n", hidden+l.ending), l.ending)
			}
			revision := ""
			if !way.uncommitted {
				h.git("add", "-A", "-f")
				h.git("commit", "-qm", "two")
				revision = "HEAD"
			}
			m, err := Read(t.Context(), Options{Folder: h.dir, Revision: revision, Redact: redactor.Named})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			text := checkChange(t, m)
			for _, l := range languages {
				told := slices.ContainsFunc(m.Withheld, func(w *state.Withheld) bool {
					return way.single || strings.Contains(w.Path, l.ending)
				})
				if !strings.Contains(text, hidden+l.ending) && !told {
					t.Errorf("nobody sees %s, and nobody is told: %v\n%s", hidden+l.ending, m.Withheld, text)
				}
			}
		})
	}
}

// checkChange checks that the hidden text is shown or a changed file is named as withheld, and returns what is shown.
func checkChange(t *testing.T, m *Material) (text string) {
	t.Helper()
	for _, file := range m.Files {
		text += file.Diff
		named := file.Diff != ""
		for _, w := range m.Withheld {
			named = named || w.Path == file.Path
		}
		if !named {
			t.Errorf("%q is neither shown nor withheld", file.Path)
		}
	}
	if !strings.Contains(text, hidden) && len(m.Withheld) == 0 {
		t.Errorf("nobody sees %s, and nobody is told:\n%s", hidden, text)
	}
	return text
}

// A file name may hold a secret, which neither prompts nor the record get.
func TestSecretsInNamesOfChangedFiles(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	token := "ghp_" + "Zk3vB8qLw2Xn5Rt7Yp1Ad4Gh6Jm9Cs0Ef12"
	h := &hider{t, t.TempDir()}
	h.git("init", "-q", "-b", "main")
	h.git("commit", "-q", "--allow-empty", "-m", "one")
	h.write("dump-"+token+".sql", "select 1;\n")
	for _, allow := range [][]string{nil, {"*.sql"}} {
		var said strings.Builder
		m, err := Read(t.Context(), Options{
			Folder: h.dir, Allow: allow, Redact: redactor.Named, Note: func(text string) { said.WriteString(text) },
		})
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
		all := fmt.Sprint(m.Change, said.String())
		for _, w := range m.Withheld {
			all += fmt.Sprint(*w)
		}
		if strings.Contains(all, token) || len(m.Files) != 1 || (len(m.Withheld) == 0) != (allow != nil) {
			t.Errorf("with %q: %s", allow, all)
		}
	}
}

// A change that is larger than all that is shown keeps the small files, and names the others; generated ones go first.
func TestALargeChangeIsCutByFile(t *testing.T) {
	t.Parallel()
	h := &hider{t, t.TempDir()}
	h.git("init", "-q", "-b", "main")
	h.git("commit", "-q", "--allow-empty", "-m", "one")
	line := strings.Repeat("x", 99) + "\n"
	for i := range 50 {
		h.write(fmt.Sprintf("f%02d.txt", i), strings.Repeat(line, 2000))
	}
	h.write("go.sum", strings.Repeat(line, 100))
	h.write("z.go", hidden)
	m, err := Read(t.Context(), Options{Folder: h.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	text := checkChange(t, m)
	if len(m.Files) != 52 || len(m.Withheld) < 10 || len(m.Withheld) > 20 || !strings.Contains(text, hidden) ||
		!slices.ContainsFunc(m.Withheld, func(w *state.Withheld) bool { return w.Path == "go.sum" }) {
		t.Errorf("%d files, %d withheld", len(m.Files), len(m.Withheld))
	}
}
