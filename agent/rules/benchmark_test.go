package rules_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/agent/rules"
	"moot/protocol"
	"moot/state"
)

// BenchmarkPropose is one proposal over ten thousand files of source code,
// 60 lines each.
func BenchmarkPropose(b *testing.B) {
	root := b.TempDir()
	const files, perFolder = 10_000, 100
	line := "func handle%d(request *Request) error { return request.queue.push(%d) } // keeps the order\n"
	for i := range files {
		folder := filepath.Join(root, fmt.Sprintf("package%03d", i/perFolder))
		if i%perFolder == 0 {
			if err := os.Mkdir(folder, 0o700); err != nil {
				b.Fatal(err)
			}
		}
		text := &strings.Builder{}
		for n := range 60 {
			fmt.Fprintf(text, line, i*60+n, n)
		}
		if i == files/2 {
			text.WriteString("// maxRetries is how often a failed webhook delivery is retried.\nconst maxRetries = 5\n")
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("file%05d.go", i)), []byte(text.String()), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	participant := rules.New(rules.Options{Workspace: root})
	call := protocol.Call{
		Ask:   protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose, Moves: protocol.MoveKinds()},
		State: state.State{Question: question},
	}
	b.ResetTimer()
	for b.Loop() {
		reply, err := participant.Reply(context.Background(), call, nil)
		if err != nil {
			b.Fatal(err)
		}
		if !strings.Contains(reply.Text, "maxRetries = 5") {
			b.Fatalf("the line was not found: %s", reply.Text)
		}
	}
}

// BenchmarkSession is a whole session of rules in both seats over the small
// repository.
func BenchmarkSession(b *testing.B) {
	for b.Loop() {
		newTable(state.FramingPropose, state.ModeStandard).run(b)
	}
}
