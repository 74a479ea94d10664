//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/agent/program/process"
	"moot/agent/record"
	"moot/protocol"
	"moot/state"
)

// What a program is given and says is recorded, run once or kept up; no secret is.
func TestProgramsAreRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wire.jsonl")
	recorder, err := record.Create(path, record.Head{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer recorder.Close()
	recorder.Hidden().Hide("the-secret-1")
	var runner process.Runner
	defer runner.Close()

	ctx, call := recorder.Begin(t.Context(), protocol.Call{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}}, "exec:echo")
	spec := playing(t, "echo")
	spec.Stdin = []byte("hear the-secret-1\n")
	if _, err := runner.Run(ctx, spec); err != nil {
		t.Fatal(err)
	}
	if _, err := runner.Run(ctx, playing(t, "fail")); err != nil {
		t.Fatal(err)
	}
	call.End(protocol.Reply{Text: "hear"}, nil)

	ctx, call = recorder.Begin(t.Context(), protocol.Call{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer}}, "exec:session")
	p, err := runner.Start(ctx, playing(t, "session"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Turn(ctx, []byte("one\n"), func(line []byte) (bool, error) { return string(line) == ".", nil }); err != nil {
		t.Fatal(err)
	}
	call.End(protocol.Reply{Text: "one"}, nil)

	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{
		`"kind":"stdin","call":1,"at_ms":`, `"text":"hear [REDACTED]\n"`, `"kind":"stdout","call":1`, `"exit":0`,
		`"kind":"stderr","call":1`, `cannot: no login`, `"exit":3`,
		`"kind":"program","call":2`, `"kind":"stdin","call":2`, `heard 3 bytes`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the recording does not have %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "the-secret") {
		t.Errorf("the recording shows a secret:\n%s", text)
	}
}
