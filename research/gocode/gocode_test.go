package gocode_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/research/gocode"
)

func TestMain(m *testing.M) {
	if gocode.IsHelper(os.Args) {
		os.Exit(gocode.Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// made makes an index of files, given by name.
func made(t *testing.T, files map[string]string, environ ...string) *gocode.Index {
	t.Helper()
	request := gocode.Request{Dir: t.TempDir()}
	for name, text := range files {
		full := filepath.Join(request.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(name) {
		case ".go", ".s":
			request.Files = append(request.Files, name)
		case ".mod":
			request.Modules = append(request.Modules, filepath.Dir(name))
		}
	}
	slices.Sort(request.Files)
	index, err := gocode.Make(t.Context(), request, append(os.Environ(), environ...))
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// said shows an answer with its places.
func said(x *gocode.Index, name string) string {
	c, err := x.Callers(name)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, d := range c.Several {
		out = append(out, "several "+d.String())
	}
	for _, d := range c.Near {
		out = append(out, "near "+d.String())
	}
	for _, group := range []struct {
		name   string
		places []gocode.Place
	}{{"call", c.Calls}, {"value", c.Values}, {"through", c.Through}, {"loose", c.Loose}, {"apart", c.Apart}} {
		for _, p := range group.places {
			out = append(out, fmt.Sprintf("%s %s:%d", group.name, x.Files[p[0]], p[1]))
		}
	}
	return strings.Join(out, ", ")
}

const mod = "module example.com/m\n\ngo 1.25\n"

func TestCallers(t *testing.T) {
	t.Parallel()
	x := made(t, map[string]string{
		"go.mod": mod,
		"queue/queue.go": `package queue

import "fmt"

type Queue[T any] struct{ inner }
type inner struct{}

func (inner) Close() error { return nil }
func (q *Queue[T]) Push(v T) { fmt.Println(v); retry() }
func New[T any]() *Queue[T] { return &Queue[T]{} }
func retry() {}
func unused() {}
func Handle() {}

type Closer interface{ Close() error }

func all(c []Closer) {
	for _, one := range c {
		_ = one.Close()
	}
}

var Hook = func() {}
var table = []func(){Handle}
`,
		"queue/queue_test.go":     "package queue\n\nfunc help() { retry(); (retry)() }\n",
		"queue/outside_test.go":   "package queue_test\n\nimport q \"example.com/m/queue\"\n\nfunc x() { q.New[int]().Push(1); q.Hook() }\n",
		"queue/system_windows.go": "package queue\n\nfunc system() {}\n",
		"queue/system_linux.go":   "package queue\n\nfunc system() {}\nfunc onLinux() { system() }\n",
		"queue/plan9.go":          "//go:build plan9\n\npackage queue\n\nfunc old() { unused() }\n",
		"main.go":                 "package main\n\nimport \"example.com/m/queue\"\n\nfunc main() { defer queue.Handle(); go run() }\nfunc run() { queue.New[string]().Close() }\n",
		"other/other.go":          "package other\n\nfunc retry() {}\n\ntype Thing struct{}\n\nfunc (Thing) Close(int) {}\n",
		"testdata/x.go":           "package x\n\nfunc y() { run() }\n",
	})
	if len(x.Problems) > 0 {
		t.Error(x.Problems)
	}
	for name, want := range map[string]string{
		"queue.retry":                      "call queue/queue.go:9, call queue/queue_test.go:3, call queue/queue_test.go:3",
		"example.com/m/queue.retry":        "call queue/queue.go:9, call queue/queue_test.go:3, call queue/queue_test.go:3",
		"retry":                            "several other.retry, several queue.retry",
		"other.retry":                      "",
		"lost.retry":                       "near other.retry, near queue.retry",
		"(*Queue).Push":                    "call queue/outside_test.go:5",
		"queue.(*Queue).Push":              "call queue/outside_test.go:5",
		"(*queue.Queue).Push":              "call queue/outside_test.go:5",
		"Push":                             "call queue/outside_test.go:5",
		"queue.New":                        "call main.go:6, call queue/outside_test.go:5",
		"Queue.Close":                      "near (*other.Thing).Close, near (*queue.inner).Close, near (*queue.Closer).Close",
		"inner.Close":                      "call main.go:6, through queue/queue.go:19",
		"Thing.Close":                      "",
		"Handle":                           "call main.go:5, value queue/queue.go:24",
		"queue.Hook":                       "call queue/outside_test.go:5",
		"main.run":                         "call main.go:5, apart testdata/x.go:3",
		"unused":                           "loose queue/plan9.go:5",
		"fmt.Println":                      "call queue/queue.go:9",
		"nothing":                          "",
		"a b":                              `"a b" is no name: write Func, pkg.Func, (*Type).Method or (*pkg.Type).Method`,
		"a.b.c.d":                          `"a.b.c.d" is no name: write Func, pkg.Func, (*Type).Method or (*pkg.Type).Method`,
		"example.com/m/queue.Queue.Push()": "call queue/outside_test.go:5",
	} {
		if got := said(x, name); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	if got := said(x, "system"); !strings.Contains(got, "call queue/system_linux.go:4") && !strings.Contains(got, "loose queue/system_linux.go:4") {
		t.Errorf("a function for each system: %s", got)
	}
	for name, want := range map[string]int{"retry": 2, "queue.retry": 1, "system": 2, "Close": 3, "Queue": 1, "Hook": 1, "x": 1, "Println": 0} {
		if got, err := x.Symbols(name); err != nil || len(got) != want {
			t.Errorf("%s is declared %d times, want %d (%v)", name, len(got), want, err)
		}
	}
}

// What the type checker cannot resolve is not taken for absent.
func TestWhatIsNotResolved(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"a missing dependency":   {"go.mod": mod + "\nrequire example.org/gone v1.0.0\n", "b.go": "package a\n\nimport \"example.org/gone\"\n\nfunc g() { gone.X().f() }\n"},
		"a newer version of Go":  {"go.mod": "module example.com/m\n\ngo 1.999\n", "b.go": "package a\n\nfunc g() { f() }\n"},
		"a type error":           {"go.mod": mod, "b.go": "package a\n\nfunc g() { y.f() }\n"},
		"a syntax error":         {"go.mod": mod, "b.go": "package a\n\nfunc g() { f( }\n"},
		"another system":         {"go.mod": mod, "b_plan9.go": "package a\n\nfunc g() { f() }\n"},
		"C":                      {"go.mod": mod, "b.go": "package a\n\nimport \"C\"\n\nfunc g() { f() }\n"},
		"an export":              {"go.mod": mod, "b.go": "package a\n\n//export f\n"},
		"a link":                 {"go.mod": mod, "b.go": "package a\n\nimport _ \"unsafe\"\n\n//go:linkname g example.com/m.f\nfunc g()\n", "b.s": "\n"},
		"assembly":               {"go.mod": mod, "b.go": "package a\n\nfunc g()\n", "b_amd64.s": "TEXT ·g(SB), 0, $0\n\tCALL ·f(SB)\n"},
		"a go.mod that is wrong": {"go.mod": "module\nmodule\n", "b.go": "package a\n\nfunc g() { f() }\n"},
		"an import cycle":        {"go.mod": mod, "b.go": "package a\n\nimport \"example.com/m/c\"\n\nfunc g() { c.Y.f() }\n", "c/c.go": "package c\n\nimport a \"example.com/m\"\n\nvar Y a.T\n"},
		"a package of two names": {"go.mod": mod, "b.go": "package b\n\nfunc g() { f() }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files["a.go"] = "package a\n\nfunc f() {}\n"
			if got := said(made(t, files), "a.f"); !strings.Contains(got, "loose b") {
				t.Errorf("%q", got)
			}
		})
	}
}

// Nothing of a repository runs, and settings of the user do not reach the go command.
func TestNothingRuns(t *testing.T) {
	t.Parallel()
	ran := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho x >"+ran+"\nexec \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := t.TempDir()
	if err := os.MkdirAll(filepath.Join(config, "go"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "go", "env"), []byte("GOFLAGS=-toolexec="+script+"\nGOPROXY=direct\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := made(t, map[string]string{
		"go.mod": mod, "a.go": "package a\n\n//go:generate " + script + "\n\nfunc f() {}\n",
		"c.go": "package a\n\n// #cgo CFLAGS: -fplugin=" + script + "\nimport \"C\"\n", ".git/config": "[core]\nfsmonitor = " + script + "\n",
	}, "XDG_CONFIG_HOME="+config, "GOFLAGS=-toolexec="+script, "GOPACKAGESDRIVER="+script, "CC="+script, "CGO_ENABLED=1")
	if said(x, "a.f") != "" {
		t.Error(said(x, "a.f"))
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository ran")
	}
}

// Without a go command, no reference is resolved.
func TestWithoutGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc f() { f() }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := gocode.Make(t.Context(), gocode.Request{Dir: dir, Files: []string{"a.go"}, Modules: []string{"."}}, []string{"PATH=" + dir})
	if err != nil || !slices.Contains(x.Problems, gocode.ErrNoGo.Error()) || said(x, "f") != "loose a.go:3" {
		t.Errorf("%v, %+v", err, x)
	}
}

// Code that makes a type checker use up all memory or time ends its process, not this one.
func TestHostileCode(t *testing.T) {
	t.Parallel()
	bomb := "package a\n\nconst c0 = \"0123456789abcdef\"\n"
	for i := range 36 {
		bomb += fmt.Sprintf("const c%d = c%d + c%d\n", i+1, i, i)
	}
	for name, text := range map[string]string{
		"memory": bomb + "const n = len(c36)\n",
		"depth":  "package a\n\nvar x = " + strings.Repeat("(", 1<<20) + "1\n",
		"NUL":    "package a\n\x00\x00func f() {}\n",
		"empty":  "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{"go.mod": mod, "a.go": text, "b.go": "package a\n\nfunc g() { f() }\n"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			x, err := gocode.Make(t.Context(), gocode.Request{Dir: dir, Files: []string{"a.go", "b.go"}, Modules: []string{"."}}, os.Environ())
			if err == nil && (name == "memory" || len(x.Loose["f"])+len(x.Broken) == 0) {
				t.Errorf("%+v", x)
			}
		})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gocode.Make(ended, gocode.Request{Dir: t.TempDir()}, os.Environ()); err == nil {
		t.Error("a canceled index is made")
	}
}
