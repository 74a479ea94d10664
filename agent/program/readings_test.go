package program

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"moot/internal/plain"
	"moot/internal/process"
	"moot/protocol"
)

func TestReadings(t *testing.T) {
	datadriven.Walk(t, filepath.Join("testdata", "readings"), func(t *testing.T, path string) {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		a, err := builtIn(name)
		if err != nil {
			t.Fatal(err)
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "recording" {
				t.Fatalf("unknown command %s", d.Cmd)
			}
			result := process.Result{Signal: "", Stderr: recorded(t, name, d.CmdArgs[0].Key+".stderr")}
			var up *values
			for _, argument := range d.CmdArgs[1:] {
				switch argument.Key {
				case "exit":
					argument.Scan(t, 0, &result.Exit)
				case "signal":
					argument.Scan(t, 0, &result.Signal)
					result.Exit = -1
				case "up":
					up = &values{}
				case "conversation":
					argument.Scan(t, 0, &up.conversation)
				}
			}
			return reading(t, &a, recorded(t, name, d.CmdArgs[0].Key+".stdout"), result, up)
		})
	})
}

// recorded is a file of a program's output, "" where it wrote nothing.
func recorded(t *testing.T, program, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", program, file))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

func reading(t *testing.T, a *Adapter, stdout string, result process.Result, up *values) string {
	t.Helper()
	p, err := New(Options{Adapter: *a})
	if err != nil {
		t.Fatal(err)
	}
	p.clock = func() time.Time { return time.Date(2026, time.November, 28, 14, 0, 0, 0, time.UTC) }
	var out strings.Builder
	pieces := 0
	n := &answer{adapter: a, clean: func(text string) string { return text }, most: defaultReplyBytes, watch: func(d protocol.Delta) {
		switch {
		case d.Restart:
			out.WriteString("begins again\n")
		case d.Thought != "":
			fmt.Fprintf(&out, "thinks: %s\n", plain.Clip(d.Thought, 80))
		case d.Note != "":
			fmt.Fprintf(&out, "notes: %s", d.Note)
			if d.Wait > 0 {
				fmt.Fprintf(&out, " (waits %s)", d.Wait)
			}
			out.WriteString("\n")
		default:
			pieces++
		}
	}}
	take := func(line []byte) (bool, error) { return false, n.take(line) }
	if up != nil {
		take = talking(t, p, n, up, &out)
	}
	var failure *Failure
	for line := range strings.Lines(stdout) {
		done, wrong := take([]byte(line))
		if wrong != nil {
			err = p.stopped(t.Context(), wrong, n)
		}
		if done || wrong != nil {
			break
		}
	}
	if err == nil {
		n.plain(n.head.String(), result.Stderr)
		failure, err = p.ended(n, &result)
	}
	fmt.Fprintf(&out, "lines: %d, known: %d, pieces: %d\n", n.lines, n.known, pieces)
	if n.conversation != "" {
		fmt.Fprintf(&out, "conversation: %s\n", n.conversation)
	}
	if failure != nil {
		fmt.Fprintf(&out, "means: %s\n", failure.Means)
	}
	if err != nil {
		fmt.Fprintf(&out, "%T: %v\n", err, err)
		cause := causeOf(t, err)
		fmt.Fprintf(&out, "cause: %s, %q\n", cause.Kind, plain.Clip(cause.Said, 80))
		if b, ok := errors.AsType[*protocol.Broken](err); ok && b.Partial != "" {
			fmt.Fprintf(&out, "partial: %q\n", plain.Clip(b.Partial, 80))
		}
		return out.String()
	}
	reply := protocol.Reply{Text: n.text(), Model: n.model}
	p.count(&reply, n, true, 0)
	fmt.Fprintf(&out, "reply: %q (%d bytes)\nmodel: %q, tokens: %d + %d, cost: %g\n",
		plain.Clip(reply.Text, 80), len(reply.Text), reply.Model, reply.PromptTokens, reply.CompletionTokens, reply.Cost)
	if reply.Estimated {
		out.WriteString("the tokens are estimated, with a prompt of none\n")
	}
	return out.String()
}

func talking(t *testing.T, p *Program, n *answer, v *values, out *strings.Builder) func([]byte) (bool, error) {
	t.Helper()
	turn := &turn{program: p, call: &protocol.Call{Prompt: protocol.Prompt{Text: "What?"}}, values: *v, continues: v.conversation != ""}
	write := func(lines []byte) {
		for line := range strings.Lines(string(lines)) {
			fmt.Fprintf(out, "told: %s\n", plain.Clip(strings.TrimSpace(line), 160))
		}
	}
	said := turn.talk(&resident{}, v, n, true)
	said.write = write
	write(said.next())
	return said.take
}
