//go:build unix

package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// wire is a server that says what a seat said in the reference, one reply after the
// other, and from one of them on is at fault, until it is mended.
type wire struct {
	*httptest.Server
	replies []said
	at      int
	// whole says that replies come in one piece in place of a stream.
	whole bool

	mutex sync.Mutex
	next  int
	// fault is what is done in place of a reply; times is how often, 0 for always.
	fault http.HandlerFunc
	times int
}

func newWire(t *testing.T, r *reference, seat string, whole bool, fault http.HandlerFunc) *wire {
	t.Helper()
	w := &wire{replies: r.said[seat], at: r.second(seat), whole: whole, fault: fault}
	w.Server = httptest.NewServer(w)
	t.Cleanup(func() {
		w.CloseClientConnections()
		w.Close()
	})
	return w
}

func (w *wire) name() string { return w.URL + "/v1#model" }

// set says what is done from here on, and how often; nil mends it.
func (w *wire) set(fault http.HandlerFunc, times int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.fault, w.times = fault, times
}

// ServeHTTP implements http.Handler.
func (w *wire) ServeHTTP(to http.ResponseWriter, request *http.Request) {
	_, _ = io.Copy(io.Discard, request.Body)
	w.mutex.Lock()
	fault, text := w.fault, `{"moves":[]}`
	if w.next < w.at {
		fault = nil
	}
	switch {
	case fault != nil && w.times > 0:
		if w.times--; w.times == 0 {
			w.fault = nil
		}
	case fault == nil && w.next < len(w.replies):
		text = w.replies[w.next].text
		w.next++
	}
	w.mutex.Unlock()
	switch {
	case fault != nil:
		fault(to, request)
	case w.whole:
		answers(200, fmt.Sprintf(`{"model":"model","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],`+
			`"usage":{"prompt_tokens":10,"completion_tokens":5}}`, quoted(text)))(to, request)
	default:
		chunks(to, piece(text), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`, "[DONE]")
	}
}

// piece is a chunk with a part of a reply.
func piece(text string) string {
	return fmt.Sprintf(`{"model":"model","choices":[{"index":0,"delta":{"role":"assistant","content":%s}}]}`, quoted(text))
}

// chunks writes events, each at once.
func chunks(to http.ResponseWriter, events ...string) {
	to.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		_, _ = fmt.Fprintf(to, "data: %s\n\n", event)
		to.(http.Flusher).Flush()
	}
}

// answers gives one body, as JSON.
func answers(status int, body string) http.HandlerFunc {
	return func(to http.ResponseWriter, _ *http.Request) {
		to.Header().Set("Content-Type", "application/json")
		to.WriteHeader(status)
		_, _ = io.WriteString(to, body)
	}
}

// kind is how a program is spoken to.
type kind struct {
	// name is that of the participant; command, that of its program.
	name, command string
	// version is what it says of itself.
	version string
	// form makes the output of a turn of a reply.
	form func(reply string) string
	// refuses are the files of recorded output with which it refuses its key, on
	// standard output and on standard error; "" is none. Exit is its exit code.
	refuses [2]string
	exit    int
	// says are words of the pause for that.
	says []string
}

const conversation = "381e4e02-82ca-4d0e-9d7b-61a28f96e821"

// kinds of programs: those that are built in, one with a file of the person's own,
// and one that is merely run.
func programKinds() []kind {
	lines := func(format string) func(string) string {
		return func(reply string) string {
			return strings.NewReplacer("ID", conversation, "TEXT", quoted(reply)).Replace(format)
		}
	}
	return []kind{
		{
			name: "codex", command: "codex", version: "codex-cli 0.169.0",
			form: lines(`{"type":"thread.started","thread_id":"ID"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":TEXT}}
{"type":"turn.completed","usage":{"input_tokens":11,"output_tokens":5}}
`),
			refuses: [2]string{"codex/err-401.stdout", "codex/err-401.stderr"}, exit: 1, says: []string{"codex", "Incorrect API key"},
		},
		{
			name: "claude", command: "claude", version: "2.1.1 (Claude Code)",
			form: lines(`{"type":"system","subtype":"init","session_id":"ID","model":"claude-opus-5-5"}
{"type":"stream_event","event":{"type":"message_start"},"session_id":"ID"}
{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":TEXT}},"session_id":"ID"}
{"type":"result","subtype":"success","is_error":false,"result":TEXT,"session_id":"ID","usage":{"input_tokens":11,"output_tokens":5},"total_cost_usd":0.1}
`),
			refuses: [2]string{"claude/err-401.stdout", ""}, exit: 1, says: []string{"claude", "Failed to authenticate"},
		},
		{
			name: "gemini-cli", command: "gemini", version: "0.61.0",
			form: lines(`{"type":"init","session_id":"ID","model":"gemini-2.5-pro"}
{"type":"message","role":"assistant","content":TEXT,"delta":true}
{"type":"result","status":"success","stats":{"total_tokens":16,"input_tokens":11,"output_tokens":5}}
`),
			refuses: [2]string{"", "gemini-cli/err-401.stderr"}, exit: 145, says: []string{"gemini-cli", "Incorrect API key"},
		},
		{
			name: "opencode", command: "opencode", version: "1.18.2",
			form: lines(`{"type":"step_start","sessionID":"ses_1","part":{"type":"step-start"}}
{"type":"text","sessionID":"ses_1","part":{"type":"text","text":TEXT}}
{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop","tokens":{"input":11,"output":5},"cost":0}}
`),
			refuses: [2]string{"opencode/err-401.stdout", ""}, exit: 1, says: []string{"opencode", "Incorrect API key"},
		},
		{
			name: "mine", command: "mine", form: lines(`{"kind":"said","text":TEXT}` + "\n"),
			refuses: [2]string{"", "codex/nogit.stderr"}, exit: 4, says: []string{"mine failed: Not inside a trusted directory", "see what `mine` says"},
		},
		{
			name: "exec", command: "own.sh", form: func(reply string) string { return reply },
			refuses: [2]string{"", "codex/nogit.stderr"}, exit: 4, says: []string{"own.sh", "exit code 4"},
		},
	}
}

// mine is the file of a program of the person's own.
const mine = `title = "a program of mine"
command = "mine"
read_only = "it writes nothing"
[environment]
keep = ["MINE_PLAY"]
[arguments]
begin = ["begin"]
[[read]]
when = { kind = "said" }
message = "text"
done = true
`

// installed puts the programs on the PATH, from a folder of their own. Each gives the reply whose
// turn it is from the folder that it plays; a file fault.sh there is what it does from
// the first of round 2 on.
func (r *room) installed(t *testing.T) {
	t.Helper()
	for _, k := range programKinds() {
		play := strings.ToUpper(strings.TrimSuffix(k.command, ".sh")) + "_PLAY"
		r.write(t, filepath.Join("bin", k.command), `#!/bin/sh
case "$1" in
--version) echo "`+k.version+`"; exit 0 ;;
app-server) exit 2 ;; # a codex that cannot stay up is started for each turn
esac
dir=${`+play+`:-$1}
turn() {
	read -r n < "$dir/next"
	read -r at < "$dir/at"
	if [ "$n" -ge "$at" ] && [ -e "$dir/fault.sh" ]; then . "$dir/fault.sh"; fi
	cat "$dir/reply-$n"
	echo $((n + 1)) > "$dir/next"
}
case " $* " in
*" --input-format "*) while IFS= read -r line; do turn; done ;;
*) cat > /dev/null; turn ;;
esac
`)
	}
	r.write(t, "config/programs/mine.toml", mine)
	r.write(t, "config/config.toml", "")
	t.Setenv("PATH", filepath.Join(r.dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// player is a program with what it plays.
type player struct {
	kind
	dir string
}

// plays prepares what a program says in a seat.
func (r *room) plays(t *testing.T, k kind, ref *reference, seat string) *player {
	t.Helper()
	p := &player{kind: k, dir: t.TempDir()}
	for i, s := range ref.said[seat] {
		p.write(t, "reply-"+strconv.Itoa(i), k.form(s.text))
	}
	p.write(t, "next", "0\n")
	p.write(t, "at", strconv.Itoa(ref.second(seat))+"\n")
	return p
}

func (p *player) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fault says what it does in place of a reply, as a script; "" mends it.
func (p *player) fault(t *testing.T, script string) {
	t.Helper()
	if script != "" {
		p.write(t, "fault.sh", script+"\n")
		return
	}
	if err := os.Remove(filepath.Join(p.dir, "fault.sh")); err != nil {
		t.Fatal(err)
	}
}

// refusal is the script that refuses a key as the real program was seen to.
func (p *player) refusal(t *testing.T) string {
	t.Helper()
	script := ""
	for i, name := range p.refuses {
		if name == "" {
			continue
		}
		path, err := filepath.Abs(filepath.Join("../agent/program/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		script += "cat '" + path + "'" + []string{"\n", " >&2\n"}[i]
	}
	return script + "exit " + strconv.Itoa(p.exit)
}

// participant is how it is named, and environ what it finds in its environment.
func (p *player) participant(r *room) string {
	if p.name == "exec" {
		return "exec:'" + filepath.Join(r.dir, "bin", p.command) + "' '" + p.dir + "'"
	}
	return p.name
}

func (p *player) environ(r *room) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "MOOT_CONFIG=" + filepath.Join(r.dir, "config", "config.toml"),
		strings.ToUpper(p.command) + "_PLAY=" + p.dir,
	}
}
