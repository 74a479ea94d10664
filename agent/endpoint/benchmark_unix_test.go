//go:build unix

package endpoint

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"

	"moot/agent/pace"
)

const (
	// serverVariable makes the test program the benchmark's server, so that the
	// client's processor time can be told from the server's.
	serverVariable = "MOOT_BENCHMARK_SERVER"
	// answerAfter is how long that server takes to answer.
	answerAfter = 50 * time.Millisecond
	// callsPerSession is a usual session of two participants.
	callsPerSession = 16
	// piecesPerReply is how many chunks a reply comes in.
	piecesPerReply = 20
)

// TestMain runs the server instead of the tests where it is asked to.
func TestMain(m *testing.M) {
	if name := os.Getenv(askVariable); name != "" {
		os.Exit(askOnce(name))
	}
	if os.Getenv(serverVariable) == "" {
		os.Exit(m.Run())
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(listener.Addr().String() + "\n")
	_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(answerAfter)
		events := make([]string, 0, piecesPerReply+3)
		for range piecesPerReply {
			events = append(events, token("eight tokens or so of an argument "))
		}
		stream(w, append(events, finish("stop"), counted, "[DONE]")...)
	}))
}

// startServer starts the server in a process of its own.
func startServer(b *testing.B) string {
	b.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), serverVariable+"=1")
	output, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	address, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// processorTime is what this process has used, in user and system mode.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkSessions measures sessions of 16 calls, one after the other, alone
// and a hundred at once: wall time per call beyond the server's 50 ms, and
// processor time of the client per call.
func BenchmarkSessions(b *testing.B) {
	for name, sessions := range map[string]int{"1": 1, "100": 100} {
		b.Run(name, func(b *testing.B) {
			address := startServer(b)
			transport := NewTransport()
			defer transport.CloseIdleConnections()
			endpoints := make([]*Endpoint, sessions)
			for i := range endpoints {
				config := Config{Name: "x", Base: "http://" + address + "/v1", Model: "gpt-test", Structured: StructureStrict}
				endpoints[i] = New(config, Limits{}, WithTransport(transport))
			}
			began, used := time.Now(), processorTime(b)
			for b.Loop() {
				var group sync.WaitGroup
				for _, e := range endpoints {
					group.Go(func() {
						for range callsPerSession {
							if _, err := e.Reply(b.Context(), testCall(), nil); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				group.Wait()
			}
			wall, spent := time.Since(began), processorTime(b)-used
			rounds := time.Duration(b.N)
			floor := rounds * callsPerSession * answerAfter //nolint:durationcheck // rounds is a number
			b.ReportMetric(float64(wall)/float64(floor), "wall/floor")
			b.ReportMetric(float64((wall-floor)/rounds/callsPerSession)/1e6, "ms-over-floor/call")
			b.ReportMetric(float64(spent)/float64(rounds)/callsPerSession/float64(sessions)/1e6, "cpu-ms/call")
		})
	}
}

// bareCall is a call as the library makes it, without anything of ours.
func bareCall(ctx context.Context, client *openai.Client, request openai.ChatCompletionRequest) error {
	stream, err := client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	for text := ""; ; {
		chunk, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF) && text != "":
			return nil
		case err != nil:
			return err
		case len(chunk.Choices) > 0:
			text += chunk.Choices[0].Delta.Content
		}
	}
}

// BenchmarkOverhead compares, in one run and in turns, a streaming call of the bare
// library with ours, and with ours where calls are paced by files: processor time
// for each call, and wall time as a ratio to the bare one.
func BenchmarkOverhead(b *testing.B) {
	address := startServer(b)
	transport := NewTransport()
	defer transport.CloseIdleConnections()
	config := Config{Name: "x", Base: "http://" + address + "/v1", Model: "gpt-test", Structured: StructureStrict}
	paced := config
	paced.PerMinute = 1_000_000
	settings := openai.DefaultConfig("k")
	settings.BaseURL, settings.HTTPClient = config.Base, &http.Client{Transport: transport}
	client := openai.NewClientWithConfig(settings)
	keeper := pace.New(b.TempDir())
	ours := New(config, Limits{}, WithTransport(transport))
	request := ours.request(testCall(), ours.ability(testCall().Schema))
	request.Stream = true
	reply := func(e *Endpoint) func() error {
		return func() error {
			_, err := e.Reply(b.Context(), testCall(), nil)
			return err
		}
	}
	variants := []struct {
		name string
		call func() error
	}{
		{"bare", func() error { return bareCall(b.Context(), client, request) }},
		{"ours", reply(ours)},
		{"shared", reply(New(config, Limits{}, WithTransport(transport), WithPace(keeper)))},
		{"paced", reply(New(paced, Limits{}, WithTransport(transport), WithPace(keeper)))},
	}
	wall, spent := make([]time.Duration, len(variants)), make([]time.Duration, len(variants))
	for b.Loop() {
		for i, v := range variants {
			began, used := time.Now(), processorTime(b)
			for range callsPerSession {
				if err := v.call(); err != nil {
					b.Fatalf("%s: %v", v.name, err)
				}
			}
			wall[i] += time.Since(began)
			spent[i] += processorTime(b) - used
		}
	}
	calls := float64(b.N) * callsPerSession
	b.ReportMetric(0, "ns/op")
	for i, v := range variants {
		b.ReportMetric(float64(spent[i])/calls/1e3, v.name+"-cpu-us/call")
		if i > 0 {
			b.ReportMetric(float64(wall[i])/float64(wall[0]), v.name+"-wall/bare")
		}
	}
}

// BenchmarkChunk measures what one token costs.
func BenchmarkChunk(b *testing.B) {
	data := []byte(token("eight tokens or so of an argument "))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseChunk(data); err != nil {
			b.Fatal(err)
		}
	}
}
