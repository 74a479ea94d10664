package research

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/internal/confine"
	"moot/internal/redact"
	"moot/ledger"
)

// confined returns a Command that confines what it runs, with a home folder that holds keys, in a workspace there.
func confined(t *testing.T, environ ...string) (c *Command, home string) {
	t.Helper()
	if abi, why := confine.Supported(); abi == 0 {
		t.Skip(why)
	}
	home = t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{
		".ssh/id_ed25519", ".aws/credentials", ".mozilla/firefox/logins.json", ".cargo/credentials.toml",
		".m2/settings.xml", ".npmrc", "other/notes", ".config/gh/hosts.yml",
	} {
		write(path, "the key\n")
	}
	write("project/file", "of the workspace\n")
	write(".cargo/registry/index", "a cache\n")
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	environ = append(environ, "HOME="+home, "PATH="+systemPath())
	if c, err = OpenCommand(filepath.Join(home, "project"), environ, redactor); err != nil {
		t.Fatal(err)
	}
	c.Confine()
	return c, home
}

// systemPath returns the search path without folders in the home folder, since the tests have another one.
func systemPath() string {
	person, _ := os.UserHomeDir()
	folders := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(folder string) bool {
		return person != "" && strings.HasPrefix(folder, person)
	})
	return strings.Join(folders, string(filepath.ListSeparator))
}

func TestConfinedCommands(t *testing.T) {
	t.Parallel()
	c, home := confined(t)
	outside := t.TempDir()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	abi, _ := confine.Supported()
	for _, test := range []struct {
		name, command string
		allowed       bool
		abi           int
	}{
		{"a file of the workspace", "cat file", true, 1},
		{"a new file in the workspace", "cp file copy", true, 1},
		{
			"a file that moves within the workspace", "sh -c 'mkdir -p a b && echo x > a/x && mv a/x b/x && ln b/x a/y'",
			true, 2,
		},
		{"a temporary file", `sh -c 'x=$(mktemp) && echo text > $x && cat $x'`, true, 1},
		{"a package cache", "cp file " + home + "/.cargo/registry/new", true, 1},
		{"the null device", "sh -c 'echo x > /dev/null'", true, 1},
		{"a child process", "sh -c 'sh -c \"cat file\" | cat'", true, 1},
		{"a private key", "cat " + home + "/.ssh/id_ed25519", false, 1},
		{"a private key through a link", "sh -c 'ln -sf ../.ssh/id_ed25519 link && cat link'", false, 1},
		{"a private key through ..", "cat ../.ssh/id_ed25519", false, 1},
		{"a private key through its descriptor folder", "cat /proc/self/cwd/../.ssh/id_ed25519", false, 1},
		{"a private key by a hard link", "ln ../.ssh/id_ed25519 hard", false, 1},
		{"the names of keys", "ls " + home + "/.ssh", false, 1},
		{"the names in the home folder", "ls " + home, false, 1},
		{"cloud credentials", "cat " + home + "/.aws/credentials", false, 1},
		{"a browser's passwords", "cat " + home + "/.mozilla/firefox/logins.json", false, 1},
		{"a registry's token next to its cache", "cat " + home + "/.cargo/credentials.toml", false, 1},
		{"a settings file next to a cache", "cat " + home + "/.m2/settings.xml", false, 1},
		{"a package manager's token", "cat " + home + "/.npmrc", false, 1},
		{"a token in the configuration folder", "cat " + home + "/.config/gh/hosts.yml", false, 1},
		{"another folder of the user", "cat " + home + "/other/notes", false, 1},
		{"a new file elsewhere", "cp file " + outside + "/new", false, 1},
		{"a new file in the home folder", "cp file " + home + "/.bashrc", false, 1},
		{"a new program on the path", "cp file /usr/local/bin/moot-test-never", false, 1},
		{"a truncated file elsewhere", "truncate -s 0 " + home + "/other/notes", false, 3},
		{"a removed file elsewhere", "rm " + home + "/other/notes", false, 1},
		{"a file that moves out", "mv copy " + outside + "/copy", false, 1},
		{"the shared temporary folder", "ls " + os.TempDir(), false, 1},
		{"the environment of moot", fmt.Sprintf("cat /proc/%d/environ", os.Getpid()), false, 1},
		{"the files of moot", fmt.Sprintf("readlink -v /proc/%d/cwd", os.Getpid()), false, 1},
		{"a signal to moot", fmt.Sprintf("sh -c 'kill -CONT %d'", os.Getpid()), false, 6},
		{"a connection to this machine", "bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + port + "'", false, 4},
		{"a child without the rules", "setsid -w cat " + home + "/.ssh/id_ed25519", false, 1},
		{"a program that a link names", "sh -c 'ln -sf /bin/cat mycat && ./mycat ../.ssh/id_ed25519'", false, 1},
	} {
		words, err := ledger.ParseCommand(test.command)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(words.Words()[0]); err != nil || abi < test.abi {
			t.Logf("%s: not tested: %v, ABI %d", test.name, err, abi)
			continue
		}
		f := c.Check(t.Context(), "$ "+test.command, "exit 0")
		if f.Verified != test.allowed {
			t.Errorf("%s: %s\n%.300s", test.name, f.Reason, f.Nearest+f.Excerpt)
		}
		if strings.Contains(f.Nearest+f.Excerpt, "the key") {
			t.Errorf("%s: the key is in the output", test.name)
		}
		if f.Run == nil || !strings.HasPrefix(f.Run.Confinement, fmt.Sprintf("confined: Landlock ABI %d, ", abi)) {
			t.Errorf("%s: the record says %+v", test.name, f.Run)
		}
		if hint := strings.Contains(f.Reason, "--no-confine"); hint == test.allowed {
			t.Errorf("%s: the reason is %q", test.name, f.Reason)
		}
	}
	if kept, err := os.ReadFile(filepath.Join(home, "other", "notes")); err != nil || string(kept) != "the key\n" {
		t.Errorf("the other file holds %q, %v", kept, err)
	}
}

// Without confinement the same commands run as before, and the record says why.
func TestUnconfinedCommands(t *testing.T) {
	t.Parallel()
	c, home := confined(t)
	c.Unconfined("--no-confine")
	f := c.Check(t.Context(), "$ cat "+home+"/other/notes", "exit 0")
	if !f.Verified || f.Run.Confinement != "not confined: --no-confine" {
		t.Errorf("%s, %+v", f.Reason, f.Run)
	}
	if f := c.Check(t.Context(), "$ cat "+home+"/nothing", "exit 0"); strings.Contains(f.Reason, "--no-confine") {
		t.Errorf("a command that was not confined has the hint: %s", f.Reason)
	}
}

// A command that can't start is refused for the same reason as without confinement.
func TestConfinedStartErrors(t *testing.T) {
	t.Parallel()
	c, home := confined(t)
	none := filepath.Join(home, "project", "none.sh")
	if err := os.WriteFile(none, []byte("no program\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"moot-has-no-such-program": "there is no program",
		"./missing.sh":             "there is no program",
		"./none.sh":                "cannot be run here: exec format error",
		"./file":                   "cannot be run here",
	} {
		f := c.Check(t.Context(), "$ "+command, "exit 0")
		if f.Verified || f.Run != nil || !strings.Contains(f.Reason, want) {
			t.Errorf("%s: %s, %+v", command, f.Reason, f.Run)
		}
	}
	f := c.Check(t.Context(), "$ sh -c 'exit 126'", "exit 126")
	if !f.Verified {
		t.Errorf("an exit code is taken for a failure of the helper: %s", f.Reason)
	}
}

// If the workspace is the home folder, what is hidden there stays closed.
func TestConfinedToAHomeFolder(t *testing.T) {
	t.Parallel()
	c, home := confined(t)
	c.directory = home
	if f := c.Check(t.Context(), "$ cat .ssh/id_ed25519", "exit 0"); f.Verified {
		t.Error("the key can be read")
	}
	f := c.Check(t.Context(), "$ cp other/notes other/more", "exit 0")
	if !f.Verified || !strings.Contains(f.Run.Confinement, "hidden in the home folder was closed") {
		t.Errorf("%s, %+v", f.Reason, f.Run)
	}
}

// A repository can't open a folder by naming it as its git folder.
func TestAGitFolderOpensNothing(t *testing.T) {
	t.Parallel()
	_, home := confined(t)
	project := filepath.Join(home, "project")
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": home +
		"/.ssh\n"} {
		path := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	c, err := OpenCommand(project, []string{"HOME=" + home, "PATH=" + systemPath()}, redactor)
	if err != nil {
		t.Fatal(err)
	}
	c.Confine()
	if f := c.Check(t.Context(), "$ cat ../.ssh/id_ed25519", "exit 0"); f.Verified {
		t.Error("the key can be read")
	}
}

// The usual tools work confined: with the Go caches of the machine, and with none.
func TestToolsWorkConfined(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds programs")
	}
	var environ []string
	if folder, err := os.UserCacheDir(); err == nil {
		// Without the cache of the machine the whole standard library would be compiled.
		environ = []string{"GOCACHE=" + cmp.Or(os.Getenv("GOCACHE"), filepath.Join(folder, "go-build"))}
	}
	c, home := confined(t, environ...)
	for name, text := range map[string]string{
		"go.mod":  "module example.org/demo\n\ngo 1.24\n",
		"demo.go": "package demo\n\nfunc Double(n int) int { return 2 * n }\n",
		"demo_test.go": "package demo\n\nimport \"testing\"\n\nfunc TestDouble(t *testing.T) {\n" +
			"\tt.TempDir()\n\tif Double(2) != 4 {\n\t\tt.Fatal()\n\t}\n}\n",
		"cmd/main.go":  "package main\n\nfunc main() { println(1) }\n",
		"package.json": `{"name":"demo","version":"1.0.0","scripts":{"test":"node --test demo.test.js"}}`,
		"demo.test.js": "require('node:test')('doubles', () => { require('node:assert').equal(2 * 2, 4) })\n",
		"test_demo.py": "import tempfile, unittest\n\nclass T(unittest.TestCase):\n" +
			"    def test_double(self):\n        tempfile.NamedTemporaryFile().close()\n        self.assertEqual(2 * 2, 4)\n",
		"Makefile":      "all: out\nout: native/main.c\n\tcc -o out native/main.c && ./out\n",
		"native/main.c": "int main(void) { return 0; }\n",
	} {
		path := filepath.Join(home, "project", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{
		"git init -q .", "git status", "go test ./...", "go vet ./...", "npm test", "node --version",
		"python3 -m unittest", "make",
	} {
		name, arguments, _ := strings.Cut(command, " ")
		program := ""
		for _, folder := range filepath.SplitList(systemPath()) {
			if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil && program == "" {
				program = path
			}
		}
		if program == "" {
			t.Logf("%s: not tested: there is no %s", command, name)
			continue
		}
		command = program + " " + arguments
		if f := c.Check(t.Context(), "$ "+command, "exit 0"); !f.Verified {
			t.Errorf("%s: %s\n%.2000s", command, f.Reason, f.Nearest)
		}
	}
}

// The home folder is known, also if its path looks like a secret: it says what must stay closed.
func TestTheHomeFolderIsKept(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	const home = "HOME=/home/sk-proj-Ab3dEf6hIjAb3dEf6hIjAb3dEf6hIjAb3dEf6hIj"
	if kept := cleanEnvironment([]string{home, "USER=" + strings.TrimPrefix(home, "HOME=/home/")},
		redactor); kept[0] != home ||
		strings.HasPrefix(kept[1], "USER") {
		t.Errorf("the environment is %v", kept)
	}
}
