package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/internal/enum"
	"moot/protocol"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Spec{
		"rules":                             {"rules", KindRules, ""},
		"me":                                {"me", KindPerson, ""},
		"script:a b.txt":                    {"script:a b.txt", KindScript, "a b.txt"},
		"script:C:\\x":                      {"script:C:\\x", KindScript, "C:\\x"},
		"ollama:qwen3:8b":                   {"ollama:qwen3:8b", KindEndpoint, ""},
		"openai:gpt-5-mini":                 {"openai:gpt-5-mini", KindEndpoint, ""},
		"codex":                             {"codex", KindProgram, ""},
		"claude:opus":                       {"claude:opus", KindProgram, ""},
		"opencode:openrouter/a:free":        {"opencode:openrouter/a:free", KindProgram, ""},
		"exec:./review.sh":                  {"exec:./review.sh", KindProgram, ""},
		"exec:review --strict 'a b'":        {"exec:review --strict 'a b'", KindProgram, ""},
		"llamacpp":                          {"llamacpp", KindEndpoint, ""},
		"http://127.0.0.1:9999/v1#m":        {"http://127.0.0.1:9999/v1#m", KindEndpoint, ""},
		"https://models.example.org/v1#a/b": {"https://models.example.org/v1#a/b", KindEndpoint, ""},
	} {
		got, err := Parse(name)
		if err != nil || got != want {
			t.Errorf("%q is %+v %v", name, got, err)
		}
		if got.Modelless() != (got.Kind != KindEndpoint && got.Kind != KindProgram) {
			t.Errorf("%q: modelless %v", name, got.Modelless())
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":               "names no participant",
		" rules":         "names no participant",
		"script:":        "script:FILE",
		"script":         "script:FILE",
		"rules:x":        "write rules",
		"openai":         "names no model",
		"http://x.org":   "names no model",
		"olama:qwen3":    "ollama",
		"rulez":          "rules",
		"codex:":         "names no model",
		"codx":           "codex",
		"exec:":          "exec:PATH",
		"exec":           "exec:PATH",
		"exec:a | b":     "moot does not run a shell",
		"exec:a 'b":      "its quotes are not closed",
		"exec:''":        "names no program",
		"file:///x":      "participant",
		"nothing-at-all": "participant",
	} {
		_, err := Parse(name)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v does not say %q", name, err, want)
		}
	}
	_, err := Parse("rulez")
	var unknown *enum.UnknownError
	if !errors.As(err, &unknown) || unknown.Nearest != "rules" {
		t.Errorf("%v", err)
	}
}

// silent is a person who says nothing.
type silent struct{}

func (silent) Ask(context.Context, protocol.Call) (string, error) { return "", nil }

func TestNew(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "replies.txt")
	if err := os.WriteFile(file, []byte("1. one"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := func(name string) string {
		if name == "OPENAI_API_KEY" {
			return "sk-1"
		}
		return ""
	}
	configured := false
	deps := Deps{
		Env: key, Asker: silent{},
		Configure: func(c *endpoint.Config) { configured = configured || c.Model == "gpt-5-mini" },
	}
	for _, name := range []string{"rules", "me", "script:" + file, "openai:gpt-5-mini", "ollama:qwen3:8b"} {
		spec, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(spec, deps)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Name() != name || p.Modelless() != spec.Modelless() {
			t.Errorf("%s is %s, modelless %v", name, p.Name(), p.Modelless())
		}
	}
	if !configured {
		t.Error("the endpoint was made without the caller's configuration")
	}
	for name, want := range map[string]string{"me": "there is no terminal", "openai:gpt-5-mini": "OPENAI_API_KEY", "script:" + file + "x": "replies.txtx"} {
		spec, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := New(spec, Deps{}); err == nil || p != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(Spec{}, deps); err == nil {
		t.Error("a Spec of nobody's took a seat")
	}
}

// A program of the person's own is named like those that are built in.
func TestOwnPrograms(t *testing.T) {
	t.Parallel()
	mine := program.Adapter{Name: "mine", Command: "no-such-program"}
	spec, err := Parse("mine:small", mine)
	if err != nil || spec != (Spec{Name: "mine:small", Kind: KindProgram}) {
		t.Fatalf("%+v %v", spec, err)
	}
	p, err := New(spec, Deps{Programs: []program.Adapter{mine}})
	if err != nil || p.Name() != "mine:small" || p.Modelless() {
		t.Fatalf("%v %v", p, err)
	}
	if _, err := Parse("mine:small"); err == nil {
		t.Error("it was named without being there")
	}
	if _, err := New(spec, Deps{}); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("it was seated without being there: %v", err)
	}
	var unknown *enum.UnknownError
	if _, err := Parse("mien", mine); !errors.As(err, &unknown) || unknown.Nearest != "mine" {
		t.Errorf("%v", err)
	}
}
