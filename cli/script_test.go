package cli_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/zalando/go-keyring"

	"moot/agent/doctor"
	"moot/cli"
	"moot/internal/confine"
	"moot/ledger"
	"moot/research"
	"moot/research/gocode"
	"moot/state"
	"moot/state/store"
)

func TestMain(m *testing.M) {
	if research.IsPDFHelper(os.Args) {
		os.Exit(research.MainPDF(os.Stdin, os.Stdout))
	}
	if confine.IsHelper(os.Args) {
		os.Exit(confine.Main(os.Args))
	}
	if gocode.IsHelper(os.Args) {
		os.Exit(gocode.Main(os.Stdin, os.Stdout))
	}
	// The tests and the programs of their scripts are short-lived, and spend a fifth of their time on collecting garbage.
	debug.SetGCPercent(400)
	testscript.Main(alone{m}, map[string]func(){"moot": func() {
		os.Exit(cli.Run(context.Background(), processConsole(), os.Args[1:]))
	}, "copy": copyArgument, "coverage-server": coverageServer})
}

// alone runs the tests without what the machine has of a person: a configuration,
// and a keyring.
type alone struct{ *testing.M }

// Run implements testscript.TestingM.
func (a alone) Run() int {
	xdg.ConfigHome = filepath.Join(os.TempDir(), "moot-tests-have-no-configuration")
	keyring.MockInit()
	return a.M.Run()
}

func processConsole() *cli.Console {
	console, err := cli.NewConsole()
	if err != nil {
		panic(err)
	}
	console.Keyring = fileKeyring(os.Getenv("KEYRING_FILE"))
	console.Transport = scripted{}
	console.Confines = true
	// A check is not failed by a busy machine, but where a script waits for just that.
	console.CheckTime = time.Minute
	if os.Getenv("TEST_HANGS") != "" {
		console.CheckTime = doctor.DefaultLimit
	}
	return console
}

// fileKeyring is a keyring in a file, JSON, for the commands of a script; "" is an
// empty one, and one that ends in a slash gives an error.
type fileKeyring string

func (f fileKeyring) read() (map[string]string, error) {
	secrets := map[string]string{}
	if strings.HasSuffix(string(f), "/") {
		return nil, errors.New("no such service")
	}
	text, err := os.ReadFile(string(f))
	if err != nil {
		return secrets, nil //nolint:nilerr // it was not made yet
	}
	return secrets, json.Unmarshal(text, &secrets)
}

func (f fileKeyring) Get(service, entry string) (string, error) {
	secrets, err := f.read()
	if err != nil {
		return "", err
	}
	secret, there := secrets[service+"/"+entry]
	if !there {
		return "", keyring.ErrNotFound
	}
	return secret, nil
}

func (f fileKeyring) Set(service, entry, secret string) error {
	secrets, err := f.read()
	if err != nil {
		return err
	}
	secrets[service+"/"+entry] = secret
	return f.write(secrets)
}

func (f fileKeyring) Delete(service, entry string) error {
	secrets, err := f.read()
	if err != nil {
		return err
	}
	if _, there := secrets[service+"/"+entry]; !there {
		return keyring.ErrNotFound
	}
	delete(secrets, service+"/"+entry)
	return f.write(secrets)
}

func (f fileKeyring) write(secrets map[string]string) error {
	text, err := json.Marshal(secrets)
	if err != nil {
		return err
	}
	return os.WriteFile(string(f), text, 0o600)
}

// copyArgument puts its last argument on the clipboard; with -soon it does not
// wait long.
func copyArgument() {
	ctx := context.Background()
	if os.Args[1] == "-soon" {
		limited, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	how, err := cli.CopyText(ctx, processConsole(), os.Args[len(os.Args)-1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(how)
}

// TestScripts runs the command line as people type it. "code N moot …" runs moot in this process, and demands its exit
// code, or "any"; "exec moot …" and "code N exec moot …" run it as a process of its own, which is needed where it reads
// standard input or the environment of the process; "schema FILE" checks an export against its schema;
// "flip FILE LINE" changes one byte of a line; "earlier FILE" makes a session one of
// version 6; "session NAME" puts the id of the
// newest session into a variable; "large FILE SIZE" and "windows FILE" make files; "hold FILE" takes the lock of a file until the end.
func TestScripts(t *testing.T) {
	dir, files := "testdata/script", []string(nil)
	if testing.Short() {
		dir, files = "", concurrent(t, dir)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir, Files: files,
		Setup: func(e *testscript.Env) error {
			started()
			e.Setenv("MOOT_STATE_DIR", filepath.Join(e.WorkDir, "state"))
			// Whoever runs the tests may write there, and nobody else finds it: the
			// programs that a script runs leave their files at home.
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			// Where the commands of TestMain are, for a PATH of nothing else.
			e.Setenv("COMMANDS", filepath.SplitList(e.Getenv("PATH"))[0])
			e.Values[environment{}] = slices.Clone(e.Vars)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": code, "schema": checkSchema, "flip": flip, "earlier": earlier, "session": session, "replace": replace,
			"hold": hold, "serve": serve, "large": large, "windows": windows,
		},
		Condition: func(name string) (bool, error) {
			abi, _ := confine.Supported()
			return name == "landlock" && abi > 0, nil
		},
		RequireExplicitExec: true,
	})
}

// concurrent are the scripts of commands that start goroutines which no other test
// starts, for the race detector: under it the program is slow to start.
func concurrent(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	for _, name := range []string{"clipboard", "commands", "doctor", "key"} {
		file := filepath.Join(dir, name+".txtar")
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// started waits until all children that other scripts are starting run their own
// program. Until then they have open what was open here, such as a program that this
// script wrote, and none can be run that is open for writing.
func started() {
	syscall.ForkLock.Lock()
	syscall.ForkLock.Unlock() //nolint:staticcheck // it is waited for, and protects nothing
}

// large makes a file of so many bytes.
func large(ts *testscript.TestScript, neg bool, args []string) {
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte("#"), size), 0o600))
}

// windows copies NAME.txt to a file as a program of Windows writes it.
func windows(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(strings.TrimSuffix(args[0], ".toml") + ".txt")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("\xef\xbb\xbf"+strings.ReplaceAll(text, "\n", "\r\n")), 0o600))
}

// hold takes the lock of a file, as another moot does, until the script ends.
func hold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold FILE")
	}
	letGo, err := store.Lock(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Defer(func() { ts.Check(letGo()) })
}

// replace puts a text in the place of the first one like OLD in a file.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s holds no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
}

// environment is the key of the variables that a script starts with.
type environment struct{}

// runMoot runs moot in this process, in the folder and with the variables of a script, and returns the exit code.
func runMoot(ts *testscript.TestScript, args []string) int {
	var names, variables []string
	for _, variable := range ts.Value(environment{}).([]string) {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "script", ts.Name()+".txtar"))
	ts.Check(err)
	for _, set := range regexp.MustCompile(`(?m)^env (\w+)=`).FindAllStringSubmatch(string(script), -1) {
		names = append(names, set[1])
	}
	for _, name := range names {
		variables = append(variables, name+"="+ts.Getenv(name))
	}
	return cli.Run(context.Background(), &cli.Console{
		In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr(), Environ: variables, Dir: ts.MkAbs("."),
		Now: time.Now, Random: rand.Reader, Signals: make(chan os.Signal), Keyring: fileKeyring(""), Transport: scripted{},
		CheckTime: time.Minute, State: ts.Getenv("MOOT_STATE_DIR"), Confines: true,
	}, args)
}

// code runs a command and compares its exit code.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command …")
	}
	if args[1] == "moot" {
		if got := strconv.Itoa(runMoot(ts, args[2:])); got != args[0] && args[0] != "any" {
			ts.Fatalf("exit code %s, want %s", got, args[0])
		}
		return
	}
	if args[1] == "exec" {
		args = slices.Delete(args, 1, 2)
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		text := err.Error()
		got = strings.TrimPrefix(text, "exit status ")
		if got == text {
			ts.Fatalf("%v", err)
		}
	}
	if got != args[0] && args[0] != "any" {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

func checkSchema(ts *testscript.TestScript, neg bool, args []string) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "session.schema.json"))
	ts.Check(err)
	var schema jsonschema.Schema
	ts.Check(json.Unmarshal(text, &schema))
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{})
	ts.Check(err)
	var instance any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &instance))
	if err := resolved.Validate(instance); (err != nil) != neg {
		ts.Fatalf("%s against the schema: %v", args[0], err)
	}
}

// earlier rewrites a session as version 6 of the file, with a whole chain: one of its fields and one of its kinds of
// events no longer exist, and its rules called agreed what is unresolved today.
func earlier(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: earlier FILE")
	}
	path, old := ts.MkAbs(args[0]), strings.NewReplacer(
		fmt.Sprintf(`"version":%d`, state.Version), `"version":6,"mood":"calm"`,
		`"kind":"coverage-checked"`, `"kind":"coverage-sung"`,
		`"bucket":"unresolved"`, `"bucket":"agreed"`)
	var text bytes.Buffer
	prev := ledger.ZeroHash
	for line := range strings.Lines(ts.ReadFile(path)) {
		open, _, err := ledger.Unseal([]byte(strings.TrimSuffix(line, "\n")))
		ts.Check(err)
		head, rest, _ := strings.Cut(string(open), `"prev":"`)
		begin := text.Len()
		text.WriteString(head + `"prev":"` + prev + old.Replace(rest[len(prev):]))
		prev = ledger.Seal(&text, begin)
		text.WriteByte('\n')
	}
	ts.Check(os.WriteFile(path, text.Bytes(), 0o600))
}

// flip changes the case of a letter in the middle of a line.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || len(args[1]) != 1 {
		ts.Fatalf("usage: flip FILE LINE")
	}
	path := ts.MkAbs(args[0])
	text, err := os.ReadFile(path)
	ts.Check(err)
	lines := bytes.Split(text, []byte("\n"))
	line := lines[args[1][0]-'1']
	at := bytes.Index(line, []byte(`"kind":"`)) + len(`"kind":"`)
	line[at] ^= 0x20
	ts.Check(os.WriteFile(path, bytes.Join(lines, []byte("\n")), 0o600))
}

func session(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: session VARIABLE")
	}
	entries, err := filepath.Glob(filepath.Join(ts.Getenv("MOOT_STATE_DIR"), "sessions", "*.jsonl"))
	ts.Check(err)
	if len(entries) == 0 {
		ts.Fatalf("there is no session")
	}
	newest, at := "", time.Time{}
	for _, entry := range entries {
		info, err := os.Stat(entry)
		ts.Check(err)
		if info.ModTime().After(at) {
			newest, at = entry, info.ModTime()
		}
	}
	ts.Setenv(args[0], strings.TrimSuffix(filepath.Base(newest), ".jsonl"))
	ts.Setenv(args[0]+"_FILE", newest)
}
