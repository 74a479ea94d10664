//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
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
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/reply"
	"moot/protocol/run"
	"moot/research"
	"moot/state"
	"moot/state/store"
	"moot/workspace"
)

const (
	// loadServer makes the test binary the model server of BenchmarkSessions,
	// so that its work is not counted as ours.
	loadServer = "MOOT_LOAD_SERVER"
	// thinking is how long that server takes to answer, and callsASession how
	// often a session asks it: their product is the floor of a session.
	thinking      = 50 * time.Millisecond
	callsASession = 14
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
// file with fsync.
func BenchmarkSessions(b *testing.B) {
	address := startLoadServer(b)
	for _, c := range []struct {
		name       string
		n, lookups int
	}{{"1", 1, 0}, {"1,lookups", 1, 4}, {"100", 100, 0}} {
		n := c.n
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "lock.go"), []byte("package lock\n\nfair = true\n"), 0o600); err != nil {
				b.Fatal(err)
			}
			runs, requests := 0, 0
			var wall time.Duration
			before := cpu(b)
			for b.Loop() {
				started := time.Now()
				requests = runSessions(b, n, c.lookups, address, dir)
				wall += time.Since(started)
				runs++
			}
			used := cpu(b) - before
			floor := time.Duration(requests) * thinking
			b.ReportMetric(wall.Seconds()/float64(runs)/floor.Seconds(), "floors")
			b.ReportMetric((wall.Seconds()/float64(runs)-floor.Seconds())*1000/float64(requests), "ms/request")
			b.ReportMetric(used.Seconds()/float64(runs), "cpu-s")
			b.ReportMetric(peakMemory(b), "peak-MB")
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

// peakMemory is the largest resident size of this process so far, in megabytes. Getrusage would count the process that
// started it too. Systems without /proc report 0.
func peakMemory(b *testing.B) float64 {
	b.Helper()
	status, _ := os.ReadFile("/proc/self/status")
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kibibytes := 0.0
	_, _ = fmt.Sscan(peak, &kibibytes)
	return kibibytes * 1024 / 1e6
}

// runSessions runs n sessions at once and returns the number of requests of one.
func runSessions(b *testing.B, n, lookups int, address, dir string) int {
	b.Helper()
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		b.Fatal(err)
	}
	citations, err := research.OpenCitation(dir)
	if err != nil {
		b.Fatal(err)
	}
	looker, err := workspace.New(dir, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	sessions := b.TempDir()
	options := run.Options{Parser: parser, Researcher: citations, Looker: looker, Now: time.Now}
	transport := endpoint.NewTransport()
	requests := make([]int, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			var err error
			id := fmt.Sprintf("session-%d", i)
			if requests[i], err = runSession(b.Context(), sessions, id, lookups, address, transport, options); err != nil {
				b.Error(err)
			}
		})
	}
	group.Wait()
	transport.CloseIdleConnections()
	if err := citations.Close(); err != nil {
		b.Error(err)
	}
	return requests[0]
}

func runSession(ctx context.Context, dir, id string, lookups int, address string, transport http.RoundTripper, o run.Options) (int, error) {
	config, err := endpoint.Parse("http://"+address+"/v1#bench", func(string) string { return "" })
	if err != nil {
		return 0, err
	}
	file, err := store.Create(dir, id)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	first := state.Event{Seq: 1, At: time.Now().UTC(), Data: &state.SessionOpened{
		Rules:   formats.ByName(consult.Name),
		Version: state.Version, ID: id, Question: "Is the lock fair?",
		Settings: state.Settings{Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "5eed", Workspace: "w", Lookups: lookups},
		Seats: []state.SeatAssignment{
			{Seat: state.Orchestrator, Participant: config.Name}, {Seat: state.Consultee, Participant: config.Name},
		},
	}}
	s, err := state.Apply(&state.State{}, first)
	if err != nil {
		return 0, err
	}
	if err := file.Append([]state.Event{first}); err != nil {
		return 0, err
	}
	var last protocol.Ended
	o.State, o.Log = s, file
	o.Participants = map[state.Seat]protocol.Participant{
		state.Orchestrator: endpoint.New(config, endpoint.Limits{}, transport, nil),
		state.Consultee:    endpoint.New(config, endpoint.Limits{}, transport, nil),
	}
	o.Watch = func(n protocol.Notice) {
		if e, ok := n.(protocol.Ended); ok {
			last = e
		}
	}
	if err := run.New(o).Run(ctx); err != nil {
		return 0, err
	}
	s = last.State
	if !s.Closed || s.Usage.Calls != callsASession || s.Exit != state.ExitConverged || s.Inconclusive {
		return 0, fmt.Errorf("%s: closed %v, %d calls, exit %q (%s), inconclusive %v", id, s.Closed, s.Usage.Calls, s.Exit,
			s.PauseReason, s.Inconclusive)
	}
	return s.Usage.Calls + s.Lookups.Len()/4, nil
}

// startLoadServer runs this binary again as the server, until the benchmark
// ends.
func startLoadServer(b *testing.B) string {
	b.Helper()
	server := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$")
	// It shares the processors with the sessions, so it collects little garbage.
	server.Env = append(os.Environ(), loadServer+"=1", "GOGC=400")
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

// answerLoad streams the reply of a debate that continues by revisions to its
// sixth round, and the answer: 14 calls in all. A model with tools uses them once in each turn.
func answerLoad(w http.ResponseWriter, r *http.Request) {
	body := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case <-time.After(thinking):
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if bytes.Contains(body, []byte(`"tools":[`)) && !bytes.Contains(body, []byte(`"role":"tool"`)) {
		lookUpLoad(w)
		return
	}
	_, prompt, _ := strings.Cut(string(body), `"role":"user"`)
	reply := loadReply(prompt)
	const pieces = 8
	var stream []byte
	for i := range pieces {
		stream = append(stream, `data: {"id":"x","object":"chat.completion.chunk","model":"bench",`...)
		stream = append(stream, `"choices":[{"index":0,"delta":{"content":`...)
		stream = strconv.AppendQuote(stream, reply[i*len(reply)/pieces:(i+1)*len(reply)/pieces])
		stream = append(stream, "}}]}\n\n"...)
	}
	stream = append(stream, `data: {"id":"x","model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],`...)
	stream = append(stream, `"usage":{"prompt_tokens":900,"completion_tokens":60}}`+"\n\ndata: [DONE]\n\n"...)
	_, _ = w.Write(stream)
}

// lookUpLoad calls four tools.
func lookUpLoad(w io.Writer) {
	for i, call := range []string{`"list","arguments":"{}"`, `"search","arguments":"{\"query\":\"fair lock\"}"`, `"read","arguments":"{\"path\":\"lock.go\"}"`, `"search","arguments":"{\"query\":\"waiters\"}"`} {
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":\"bench\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":\"c%d\",\"type\":\"function\",\"function\":{\"name\":%s}}]}}]}\n\n", i, i, call)
	}
	fmt.Fprint(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}],\"usage\":{\"prompt_tokens\":900,\"completion_tokens\":60}}\n\ndata: [DONE]\n\n")
}

func loadReply(prompt string) string {
	cited := `"citations":[{"reference":"lock.go:3","quote":"fair = true","direct":true}]`
	// word returns the text after a marker in the prompt, which is still JSON, up to the next separator.
	word := func(marker string) string {
		_, rest, _ := strings.Cut(prompt, marker)
		return rest[:max(0, strings.IndexAny(rest, ` ,.\`))]
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
	case strings.Contains(prompt, "Answer the question in"):
		return `{"moves":[{"move":"ANSWER","text":"The lock is fair","points":["P1"]}]}`
	case strings.Contains(prompt, "this is the answer"):
		return `{"moves":[]}`
	case round < 6:
		return fmt.Sprintf(`{"moves":[{"move":"CLASSIFY","point":%q,"class":"SKEPTICAL","flaw":"Case %d is not all cases","upgrade_if":"another case is cited","confidence":0.4}]}`,
			word("To classify: "), round)
	}
	return fmt.Sprintf(`{"moves":[{"move":"CLASSIFY","point":%q,"class":"AGREE","reason":"the line says so"}]}`, word("To classify: "))
}
