package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"moot/protocol"
)

// wireKey is the key of all endpoints here, which no recording may show.
const wireKey = "sk-proj-VeryS3cretKey0123456789abcdef"

// faulty is a server that refuses json_schema, is too busy now and then, breaks off
// replies, and says the rest by chance.
func faulty(t *testing.T, seed uint64, busy int) string {
	t.Helper()
	var mutex sync.Mutex
	chance := rand.New(rand.NewPCG(seed, 11))
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		var request map[string]any
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, "no request", http.StatusBadRequest)
			return
		}
		format, _ := request["response_format"].(map[string]any)
		if seed%2 == 0 && format["type"] == "json_schema" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"message":"response_format json_schema is not supported by this model, %s","type":"invalid_request_error","param":"response_format"}}`, r.Header.Get("Authorization"))
			return
		}
		if asked++; asked == 1 {
			if busy == http.StatusTooManyRequests {
				w.Header().Set("Retry-After-Ms", "1")
			}
			w.WriteHeader(busy)
			fmt.Fprint(w, `{"error":{"message":"slow down"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		text := randomReply(chance, schemaIn(request))
		// One that breaks off after another failure would pause the session (EX7), of
		// which a session file keeps no reply.
		broken := asked == 2
		for i := 0; i < len(text); i += 40 {
			piece, _ := json.Marshal(text[i:min(i+40, len(text))])
			fmt.Fprintf(w, "data: {\"model\":\"random-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", piece)
			w.(http.Flusher).Flush()
			if broken {
				return
			}
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":4000,\"completion_tokens\":5,\"total_tokens\":4005}}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1#random"
}

func schemaIn(request map[string]any) map[string]any {
	messages, _ := request["messages"].([]any)
	for _, message := range messages {
		fields, _ := message.(map[string]any)
		text, _ := fields["content"].(string)
		_, after, found := strings.Cut(text, "JSON Schema:\n")
		var schema any
		if found && json.NewDecoder(strings.NewReader(after)).Decode(&schema) == nil {
			return map[string]any{"response_format": map[string]any{"json_schema": map[string]any{"schema": schema}}}
		}
	}
	return request
}

// refusing is a server that nobody has a key for.
func refusing(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no such key"}}`, http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1#random"
}

// table is a format and who sits at it.
type table struct {
	name  string
	seats []string
	args  []string
	// missed is a seat that gives no answer, busy the status that servers answer with at first.
	missed string
	busy   int
}

func tables(t *testing.T) []table {
	t.Helper()
	packet := filepath.Join(t.TempDir(), "packet.json")
	facts := `{"packet_id":"night","window":["2026-03-10T20:00:00Z","2026-03-11T04:00:00Z"],"facts":[
{"id":"F1","entity":"h1","entity_type":"node","field":"process","value":{"command_line":"procdump.exe -ma lsass.exe","signed":false},"timestamp":"2026-03-11T01:16:51Z","source_type":"process_list","source_id":"edr-4"},
{"id":"F2","entity":"h1","entity_type":"node","field":"bytes_out","value":412006144,"timestamp":"2026-03-11T01:31:20Z","source_type":"netflow","source_id":"edge-1"}
]}`
	if err := os.WriteFile(packet, []byte(facts), 0o600); err != nil {
		t.Fatal(err)
	}
	return []table{
		{name: "consult", busy: http.StatusServiceUnavailable, seats: []string{"orchestrator", "consultee"}},
		{name: "dialectic", busy: http.StatusTooManyRequests, seats: []string{"proposer", "pressure-tester"}, args: []string{"--playbook", "code-review"}},
		{name: "panel", busy: http.StatusServiceUnavailable, seats: []string{"panelist", "panelist-2", "panelist-3", "panelist-4", "orchestrator"}, missed: "panelist-4"},
		{name: "council", busy: http.StatusServiceUnavailable, seats: []string{"strategist", "critic", "adversary", "moderator"}},
		{name: "hearing", busy: http.StatusServiceUnavailable, seats: []string{"architect", "skeptic"}, args: []string{"--closed-world", packet, "--form", "multi"}},
	}
}

// ask runs a session of a table whose seats sit says, and returns what was exported.
func (b *table) ask(t *testing.T, sit func(seat string) string, more ...string) (exported map[string]json.RawMessage, said string) {
	t.Helper()
	d := newDesk(t)
	d.Environ = append(d.Environ, "MOOT_API_KEY="+wireKey)
	args := []string{"ask", "--headless", "--output", "json", "--no-workspace", "--base-wait", "1ms", "--format", b.name}
	for _, seat := range b.seats {
		args = append(args, "--seat", seat+"="+sit(seat))
	}
	args = append(append(args, b.args...), more...)
	ended := []protocol.ExitCode{protocol.ExitConcluded, protocol.ExitInconclusive, protocol.ExitPerson}
	if code := d.run(append(args, "Which way is better?")...); !slices.Contains(ended, protocol.ExitCode(code)) {
		t.Fatalf("exit code %d\n%s", code, d.err.String())
	}
	if err := json.Unmarshal([]byte(d.out.String()), &exported); err != nil {
		t.Fatal(err)
	}
	return exported, d.err.String()
}

// A session runs again from its session file, with the same rulings to the byte, whatever went wrong on the wire. The recording shows no key.
func TestSessionsRunAgainFromTheirFile(t *testing.T) {
	for seed, b := range tables(t) {
		t.Run(b.name, func(t *testing.T) {
			wire := filepath.Join(t.TempDir(), "wire.jsonl")
			n := uint64(seed)
			first, said := b.ask(t, func(seat string) string {
				if n += 2; seat == b.missed {
					return refusing(t)
				}
				return faulty(t, n, b.busy)
			}, "--record", wire)
			if !strings.Contains(said, "recorded   "+wire) {
				t.Errorf("it is not said what was recorded:\n%s", said)
			}
			if !regexp.MustCompile(`used +[a-z0-9-]+: (about )?4000 tokens in, [1-9]\d* out, `).MatchString(said) {
				t.Errorf("it is not said what calls took:\n%s", said)
			}
			file := sessionFile(t)
			text, err := os.ReadFile(wire)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), wireKey) || strings.Contains(string(text), "S3cret") {
				t.Error("the recording shows the key")
			}
			again, _ := b.ask(t, func(string) string { return "script:" + file })
			for _, part := range []string{"rulings", "baseline", "outcome"} {
				// Who sits there and when differs, and nothing else.
				if was, is := timeless(first[part]), timeless(again[part]); is != was {
					t.Errorf("%s differ:\n%s\nwere\n%s", part, is, was)
				}
			}
			if len(first["rulings"]) == 0 {
				t.Error("nothing was ruled")
			}
			for _, want := range []string{fmt.Sprintf(`"status":%d`, b.busy), `"code":"broken"`, `"status":200`} {
				if !strings.Contains(string(text), want) {
					t.Errorf("the recording has no %s: the test tries nothing", want)
				}
			}
		})
	}
}

// timeless is a part of an export without what differs between two runs of one session: when
// they were, the names of the participants, and the numbers of events, which count those that
// say who answered.
func timeless(part json.RawMessage) string {
	named := regexp.MustCompile(`"(as_of|participant)": "[^"]*"`).ReplaceAllString(string(part), `"$1": ""`)
	return regexp.MustCompile(`#\d+`).ReplaceAllString(named, "#")
}
