package examples_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"moot/cli"
	council "moot/examples/council/show"
	endpoints "moot/examples/endpoints/show"
	hearing "moot/examples/hearing/show"
	panel "moot/examples/panel/show"
	"moot/state/store"
)

var update = flag.Bool("update", false, "write the output in the READMEs of the examples anew")

// Every command of a README ends with the code that its fence names, and says what
// stands in the block that follows: those of the examples, and the one of moot.
func TestReadmes(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("*", "README.md"))
	if err != nil || len(paths) < 2 {
		t.Fatalf("READMEs %q, %v", paths, err)
	}
	for _, path := range append(paths, filepath.Join("..", "README.md")) {
		t.Run(filepath.Dir(path), func(t *testing.T) {
			t.Setenv(store.StateVariable, t.TempDir())
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := refreshed(t, string(text))
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("%s is not what comes out (-file +run); -update writes it:\n%s", path, diff)
			}
		})
	}
}

// A block of commands opens with "```sh exits 3"; what they say follows in a block
// of text. A comment before that names the labels of the lines that are shown of
// what was said on the way; without it the block is the result.
var (
	opening = regexp.MustCompile("^```sh exits ([0-9]+)$")
	shown   = regexp.MustCompile(`^<!-- shown: (.*) -->$`)
)

// refreshed runs the commands of a README, and returns it with what they say
// now.
func refreshed(t *testing.T, text string) string {
	t.Helper()
	var out []string
	var came outcome
	labels, commands := "", 0
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		if found := shown.FindStringSubmatch(lines[i]); found != nil {
			labels = found[1]
		}
		found := opening.FindStringSubmatch(lines[i])
		if found == nil && lines[i] != "```text" {
			continue
		}
		var body []string
		for i++; i < len(lines) && lines[i] != "```"; i++ {
			body = append(body, lines[i])
		}
		if found != nil {
			want, _ := strconv.Atoi(found[1])
			came, labels, commands = run(t, strings.Join(body, "\n"), want), "", commands+1
		} else {
			body = strings.Split(strings.TrimRight(came.pick(labels), "\n"), "\n")
		}
		out = append(append(out, body...), "```")
	}
	if commands == 0 {
		t.Fatal("there is no command")
	}
	return strings.Join(out, "\n")
}

// outcome is what commands wrote: the result, and what was said on the way.
type outcome struct{ result, said string }

// pick returns the lines of what was said that begin with one of the labels,
// parted by commas, or the result where none is named.
func (o *outcome) pick(labels string) string {
	if labels == "" {
		return o.result
	}
	var kept []string
	for line := range strings.Lines(o.said) {
		for label := range strings.SplitSeq(labels, ", ") {
			if strings.HasPrefix(line, label+" ") {
				kept = append(kept, line)
			}
		}
	}
	return strings.Join(kept, "")
}

// run runs commands as a shell does, from the root of the module, where "go run"
// is a call within the test.
func run(t *testing.T, commands string, want int) outcome {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := syntax.NewParser().Parse(strings.NewReader(commands), "README.md")
	if err != nil {
		t.Fatal(err)
	}
	result, said := &bytes.Buffer{}, &bytes.Buffer{}
	shell, err := interp.New(
		interp.StdIO(nil, result, said), interp.Dir(root),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return goRun(root) }),
	)
	if err != nil {
		t.Fatal(err)
	}
	code := 0
	err = shell.Run(t.Context(), parsed)
	var status interp.ExitStatus
	switch {
	case errors.As(err, &status):
		code = int(status)
	case err != nil:
		t.Fatal(err)
	}
	if code != want {
		t.Fatalf("%s\nexit code %d, want %d:\n%s", commands, code, want, said)
	}
	return outcome{masked(result.String(), root), masked(said.String(), root)}
}

func goRun(root string) interp.ExecHandlerFunc {
	return func(ctx context.Context, words []string) error {
		at := interp.HandlerCtx(ctx)
		if len(words) < 3 || words[0] != "go" || words[1] != "run" {
			return fmt.Errorf("a README of an example runs %q", words)
		}
		console := &cli.Console{
			In: at.Stdin, Out: at.Stdout, Err: at.Stderr, Environ: os.Environ(), Dir: root,
			Now: time.Now, Random: rand.Reader, Signals: make(chan os.Signal),
		}
		if at.Stdin == nil {
			console.In = strings.NewReader("")
		}
		var code int
		switch words[2] {
		case ".":
			code = cli.Run(ctx, console, words[3:])
		case "./examples/council":
			code = council.New().Run(ctx, console, words[3:])
		case "./examples/endpoints":
			code = endpoints.New().Run(ctx, console, words[3:])
		case "./examples/hearing":
			code = hearing.New().Run(ctx, console, words[3:])
		case "./examples/panel":
			code = panel.New().Run(ctx, console, words[3:])
		default:
			return fmt.Errorf("a README of an example runs the program %s", words[2])
		}
		if code == 0 {
			return nil
		}
		return interp.ExitStatus(code)
	}
}

// masked puts the same for what is another at each run or machine.
func masked(said, root string) string {
	for _, other := range []struct{ pattern, text string }{
		{`[0-9]{8}-[0-9]{6}-[a-z0-9]{4}\b`, "20261121-153045-k3f9"},
		{`\b(head) [0-9a-f]{64}\b`, "$1 …"},
		{`\bOK \S+([0-9]{8}-[0-9]{6}-k3f9\.jsonl)`, "OK …/$1"},
		{`127\.0\.0\.1:[0-9]+`, "127.0.0.1:PORT"},
		{`(ok\s+\S+\s+)(?:[0-9.]+s|\(cached\))`, "${1}0.01s"},
	} {
		said = regexp.MustCompile(other.pattern).ReplaceAllString(said, other.text)
	}
	return strings.ReplaceAll(strings.ReplaceAll(said, root+string(filepath.Separator), ""), filepath.ToSlash(root)+"/", "")
}
