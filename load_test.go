//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moot/agent/endpoint"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/run"
	"moot/research"
	"moot/state"
	"moot/state/store"
)

const (
	// loadServer makes the test binary the model server of BenchmarkSessions,
	// so that its work is not counted as ours.
	loadServer = "MOOT_LOAD_SERVER"
	// thinking is how long that server takes to answer, and callsASession how
	// often a session asks it: their product is the floor of a session.
	thinking      = 50 * time.Millisecond
	callsASession = 16
)

func TestMain(m *testing.M) {
	if os.Getenv(loadServer) != "" {
		serveLoad()
		return
	}
	os.Exit(m.Run())
}

// BenchmarkSessions runs whole sessions over HTTP against a server that
// answers after 50 ms: streaming, parsing, citations, rulings, and the session
// file with fsync. Targets: one session within 1.05 times the floor and under
// 0.05 s of CPU; 100 at once within 1.25 times, under 0.5 s and 60 MB.
func BenchmarkSessions(b *testing.B) {
	address := startLoadServer(b)
	for _, n := range []int{1, 100} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			workspace := b.TempDir()
			if err := os.WriteFile(filepath.Join(workspace, "lock.go"), []byte("package lock\n\nfair = true\n"), 0o600); err != nil {
				b.Fatal(err)
			}
			runs := 0
			var wall time.Duration
			before := cpu(b)
			for b.Loop() {
				started := time.Now()
				runSessions(b, n, address, workspace)
				wall += time.Since(started)
				runs++
			}
			used := cpu(b) - before
			floor := callsASession * thinking
			b.ReportMetric(wall.Seconds()/float64(runs)/floor.Seconds(), "floors")
			b.ReportMetric(used.Seconds()/float64(runs), "cpu-s")
			b.ReportMetric(float64(peakMemory(b))/1e6, "peak-MB")
		})
	}
}

func cpu(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// peakMemory is the largest resident size of this process so far, in bytes.
func peakMemory(b *testing.B) int64 {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Maxrss * 1024
}

func runSessions(b *testing.B, n int, address, workspace string) {
	b.Helper()
	parser, err := protocol.NewParser()
	if err != nil {
		b.Fatal(err)
	}
	citations, err := research.OpenCitation(workspace)
	if err != nil {
		b.Fatal(err)
	}
	transport := endpoint.NewTransport()
	dir := b.TempDir()
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			if err := runSession(b.Context(), dir, fmt.Sprintf("session-%d", i), address, transport, parser, citations); err != nil {
				b.Error(err)
			}
		})
	}
	group.Wait()
	transport.CloseIdleConnections()
	if err := citations.Close(); err != nil {
		b.Error(err)
	}
}

func runSession(ctx context.Context, dir, id, address string, transport http.RoundTripper, parser *protocol.Parser, citations protocol.Researcher) error {
	config, err := endpoint.Parse("http://"+address+"/v1#bench", func(string) string { return "" })
	if err != nil {
		return err
	}
	file, err := store.Create(dir, id)
	if err != nil {
		return err
	}
	defer file.Close()
	first := state.Event{Seq: 1, At: time.Now().UTC(), Data: &state.SessionOpened{
		Rules:   formats.ByName(state.FormatConsult),
		Version: state.Version, ID: id, Question: "Is the lock fair?",
		Settings: state.Settings{Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "5eed", Workspace: "w"},
		Seats:    []state.SeatAssignment{{Seat: state.Orchestrator, Participant: config.Name}, {Seat: state.Consultee, Participant: config.Name}},
	}}
	s, err := state.Apply(state.State{}, first)
	if err != nil {
		return err
	}
	if err := file.Append([]state.Event{first}); err != nil {
		return err
	}
	var last protocol.Ended
	runner := run.New(run.Options{
		State: s, Log: file, Parser: parser, Researcher: citations, Now: time.Now,
		Participants: map[state.Seat]protocol.Participant{
			state.Orchestrator: endpoint.New(config, endpoint.Limits{}, endpoint.WithTransport(transport)),
			state.Consultee:    endpoint.New(config, endpoint.Limits{}, endpoint.WithTransport(transport)),
		},
		Watch: func(n protocol.Notice) {
			if e, ok := n.(protocol.Ended); ok {
				last = e
			}
		},
	})
	if err := runner.Run(ctx); err != nil {
		return err
	}
	if s := last.State; !s.Closed || s.Usage.Calls != callsASession || s.Exit != state.ExitConverged || s.Inconclusive {
		return fmt.Errorf("%s: closed %v, %d calls, exit %q (%s), inconclusive %v", id, s.Closed, s.Usage.Calls, s.Exit, s.PauseReason, s.Inconclusive)
	}
	return nil
}

// startLoadServer runs this binary again as the server, until the benchmark
// ends.
func startLoadServer(b *testing.B) string {
	b.Helper()
	server := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$")
	server.Env = append(os.Environ(), loadServer+"=1")
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = server.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// serveLoad answers chat completions until standard input closes.
func serveLoad() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	server := &http.Server{Handler: http.HandlerFunc(answerLoad), ReadHeaderTimeout: time.Minute}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	_ = server.Serve(listener)
}

// answerLoad streams the reply of a debate that goes on by revisions to its
// seventh round: 16 calls in all.
func answerLoad(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) == 0 {
		http.Error(w, "no messages", http.StatusBadRequest)
		return
	}
	time.Sleep(thinking)
	reply := loadReply(request.Messages[len(request.Messages)-1].Content)
	w.Header().Set("Content-Type", "text/event-stream")
	const pieces = 8
	for i := range pieces {
		from, to := i*len(reply)/pieces, (i+1)*len(reply)/pieces
		chunk, _ := json.Marshal(reply[from:to])
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"model\":\"bench\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", chunk)
	}
	fmt.Fprint(w, "data: {\"id\":\"x\",\"model\":\"bench\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":900,\"completion_tokens\":60}}\n\ndata: [DONE]\n\n")
}

func loadReply(prompt string) string {
	cited := `"citations":[{"reference":"lock.go:3","quote":"fair = true","direct":true}]`
	// word is what follows a marker in the prompt, up to the next separator.
	word := func(marker string) string {
		_, rest, _ := strings.Cut(prompt, marker)
		return rest[:max(0, strings.IndexAny(rest, " ,.\n"))]
	}
	round, _ := strconv.Atoi(word("Round "))
	switch {
	case strings.Contains(prompt, "draw the map"):
		return `{"moves":[{"move":"FLAG","flag":"shape","text":"yes or no"}]}`
	case strings.Contains(prompt, "Give your points"):
		return `{"moves":[{"move":"RAISE","text":"The lock is fair to all waiters in case 1","label":"EVIDENCE","confidence":0.8,` + cited + `}]}`
	case strings.Contains(prompt, "Are there other points"):
		return `{"moves":[{"move":"FLAG","flag":"nothing"}]}`
	case strings.Contains(prompt, "Answer each open challenge"):
		return fmt.Sprintf(`{"moves":[{"move":"REVISE","point":%q,"challenge":%q,"because":"the case is narrowed","text":"The lock is fair to all waiters in case %d",%s}]}`,
			word("SKEPTICAL on "), word("To answer: "), round, cited)
	case round < callsASession/2-1:
		return fmt.Sprintf(`{"moves":[{"move":"CLASSIFY","point":%q,"class":"SKEPTICAL","flaw":"Case %d is not all cases","upgrade_if":"another case is cited","confidence":0.4}]}`,
			word("To classify: "), round)
	}
	return fmt.Sprintf(`{"moves":[{"move":"CLASSIFY","point":%q,"class":"AGREE","reason":"the line says so"}]}`, word("To classify: "))
}
