package cli_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"moot/cli"
)

// Every bad object is an error with its line and path and exit code 1, and prints
// nothing: not it, and without --keep-going not what stands behind it.
func TestConflictsRefusesABadObject(t *testing.T) {
	const good = `{"outputs":[]}`
	outputs := func(list string) string { return `{"outputs": [{"agentId": "a", "output": 1}, ` + list + `]}` }
	options := func(list string) string { return `{"outputs": [], "options": {` + list + `}}` }
	for name, c := range map[string]struct{ object, says string }{
		"thresholds out of order":     {options(`"contradictionThreshold": 0.9`), `line 2: options: the contradiction threshold 0.9 is above the agreement threshold 0.8`},
		"a threshold above 1":         {options(`"agreementThreshold": 1.01`), `line 2: options: the agreement threshold is 1.01: it must be from 0 to 1`},
		"a threshold below 0":         {options(`"contradictionThreshold": -1`), `line 2: options: the contradiction threshold is -1`},
		"NaN":                         {options(`"contradictionThreshold": NaN`), `line 2: options.contradictionThreshold: invalid character 'N'`},
		"an unknown preset":           {options(`"preset": "securty"`), `line 2: options.preset: unknown preset "securty": did you mean "security"?`},
		"an unknown strategy":         {`{"outputs": [], "strategy": "votes"}`, `line 2: strategy: unknown strategy "votes": did you mean "vote"?`},
		"an agent twice":              {outputs(`{"agentId": "a", "output": 2}`), `line 2: outputs[1].agentId: the agent "a" is there twice`},
		"an agent without id":         {outputs(`{"agentId": "", "output": 2}`), `line 2: outputs[1].agentId: the id of the agent is missing`},
		"no output":                   {outputs(`{"agentId": "b"}`), `line 2: outputs[1].output: the output is missing`},
		"no outputs":                  {`{"strategy": "vote"}`, `line 2: outputs: there are none`},
		"fewer than no tokens":        {outputs(`{"agentId": "b", "output": 2, "tokens": -5}`), `line 2: outputs[1].tokens: -5 is not 0 or more`},
		"half a token":                {outputs(`{"agentId": "b", "output": 2, "tokens": 0.5}`), `line 2: outputs[1].tokens: 0.5 is not a whole number`},
		"an unknown field":            {outputs(`{"agentid": "b", "output": 2}`), `line 2: outputs[1].agentid: there is no such field; did you mean "agentId"?`},
		"a field that is there twice": {`{"outputs": [], "outputs": []}`, `line 2: outputs: duplicate object member name`},
		"a name twice in an output":   {outputs(`{"agentId": "b", "output": {"x": 1, "x": 2}}`), `line 2: outputs[1].output.x: duplicate object member name`},
		"more than a double":          {outputs(`{"agentId": "b", "output": [{"x": 1e400}]}`), `line 2: outputs[1].output[0].x: 1e400 is not a number that a double can hold`},
		"depth without end":           {outputs(`{"agentId": "b", "output": ` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`), `more than 10000 objects and lists lie in each other`},
		"bytes that are no text":      {outputs("{\"agentId\": \"b\", \"output\": \"\xff\"}"), `line 2: outputs[1].output: invalid UTF-8`},
		"a comma too much":            {`{"outputs": [],}`, `line 2: invalid character '}'`},
		"a list":                      {`[]`, `line 2: it takes an object, not a list`},
		"nonsense":                    {`nonsense`, `line 2: invalid character`},
		"half of an object":           {`{"outputs": [`, `: the JSON ends before the object does`},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			file := filepath.Join(d.Dir, "in.jsonl")
			if err := os.WriteFile(file, []byte(good+"\r\n"+c.object+"\n\n"+good+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, arguments := range []string{"", "--summary"} {
				d.refuses(t, c.says, 1, strings.Fields("conflicts "+arguments+" "+file)...)
				d.refuses(t, c.says, 2, strings.Fields("conflicts --keep-going "+arguments+" "+file)...)
			}
		})
	}
}

// refuses runs a command that says what is wrong with an object, and has results
// of the others.
func (d *desk) refuses(t *testing.T, says string, results int, args ...string) {
	t.Helper()
	d.out.Reset()
	d.err.Reset()
	if code := d.run(args...); code != cli.ExitError {
		t.Errorf("%s: exit code %d", args, code)
	}
	if n := strings.Count(d.out.String(), `"agreed":true`); n != results || strings.Count(d.out.String(), "\n") != n {
		t.Errorf("%s: %d results, want %d", args, n, results)
	}
	if said := d.err.String(); !strings.Contains(said, says) || !strings.Contains(said, "in.jsonl") {
		t.Errorf("%s: it says %.300q, want %q", args, said, says)
	}
}

// hundred are as many outputs of which each contradicts each other: 4,950
// conflicts, a line of several MiB.
func hundred() string {
	var outputs []string
	for i := range 100 {
		outputs = append(outputs, fmt.Sprintf(`{"agentId":"%d","output":"%d%s"}`, i, i, strings.Repeat("x", 200)))
	}
	return `{"outputs":[` + strings.Join(outputs, ",") + `]}` + "\n"
}

// slow is a terminal that takes no more after the first piece, until it is let go.
type slow struct {
	mutex  sync.Mutex
	text   strings.Builder
	begun  chan struct{}
	begin  sync.Once
	letGo  chan struct{}
	pieces int
}

func newSlow() *slow { return &slow{begun: make(chan struct{}), letGo: make(chan struct{})} }

// Write implements io.Writer.
func (s *slow) Write(text []byte) (int, error) {
	s.mutex.Lock()
	s.pieces++
	s.text.Write(text)
	s.mutex.Unlock()
	s.begin.Do(func() { close(s.begun) })
	<-s.letGo
	return len(text), nil
}

func (s *slow) shown() (text string, pieces int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String(), s.pieces
}

// running starts a command, whose exit code comes from the channel.
func (d *desk) running(args ...string) <-chan int {
	code := make(chan int, 1)
	go func() { code <- d.run(args...) }()
	return code
}

// A command that waits for input leaves at once, and what was printed are whole
// lines.
func TestConflictsLeavesWhileItWaits(t *testing.T) {
	for got, want := range map[syscall.Signal]int{syscall.SIGINT: cli.ExitInterrupted, syscall.SIGTERM: cli.ExitTerminated} {
		d := newDesk(t)
		from, typed := io.Pipe()
		shown := newSlow()
		close(shown.letGo)
		d.In, d.Out = from, shown
		code := d.running("conflicts", "-")
		if _, err := io.WriteString(typed, `{"outputs":[]} {"outputs":`); err != nil {
			t.Fatal(err)
		}
		<-shown.begun
		d.signals <- got
		if c := <-code; c != want {
			t.Errorf("exit code %d, want %d", c, want)
		}
		if text, _ := shown.shown(); text != `{"conflicts":[],"review":{"agreed":true,"escalated":false,"winner":""}}`+"\n" {
			t.Errorf("%q", text)
		}
		typed.Close()
	}
}

// A line that was begun gets its end, and no other begins.
func TestConflictsEndsTheLineItLeavesIn(t *testing.T) {
	d := newDesk(t)
	shown := newSlow()
	d.In, d.Out = strings.NewReader(hundred()+hundred()), shown
	code := d.running("conflicts", "-")
	<-shown.begun
	d.signals <- os.Interrupt
	close(shown.letGo)
	if c := <-code; c != cli.ExitInterrupted {
		t.Errorf("exit code %d", c)
	}
	text, pieces := shown.shown()
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, `"winner":"0"}}`+"\n") || strings.Count(text, `"id":`) != 4950 || pieces < 2 {
		t.Errorf("%d lines in %d pieces, %d conflicts", strings.Count(text, "\n"), pieces, strings.Count(text, `"id":`))
	}
}

// What is left while a line is printed waits for no other object.
func TestConflictsWaitsForNoMoreOnceItIsLeft(t *testing.T) {
	d := newDesk(t)
	d.signals = make(chan os.Signal)
	d.Signals = d.signals
	from, typed := io.Pipe()
	defer typed.Close()
	shown := newSlow()
	d.In, d.Out = from, shown
	code := d.running("conflicts", "-")
	go func() { _, _ = io.WriteString(typed, hundred()+"{") }()
	<-shown.begun
	d.signals <- os.Interrupt
	close(shown.letGo)
	if c := <-code; c != cli.ExitInterrupted {
		t.Errorf("exit code %d", c)
	}
}

// The second time nothing is waited for.
func TestConflictsLeavesTheSecondTime(t *testing.T) {
	d := newDesk(t)
	shown := newSlow()
	d.In, d.Out = strings.NewReader(hundred()), shown
	code := d.running("conflicts", "-")
	<-shown.begun
	d.signals <- os.Interrupt
	d.signals <- os.Interrupt
	if c := <-code; c != cli.ExitInterrupted {
		t.Errorf("exit code %d", c)
	}
	if _, pieces := shown.shown(); pieces != 1 {
		t.Errorf("%d pieces", pieces)
	}
	close(shown.letGo)
}

// Where nobody takes the output, it ends, and says so once.
func TestConflictsEndsWithItsOutput(t *testing.T) {
	d := newDesk(t)
	reader, writer := io.Pipe()
	reader.Close()
	d.In, d.Out = strings.NewReader(hundred()+hundred()), writer
	if code := d.run("conflicts", "--keep-going", "-"); code != cli.ExitError {
		t.Errorf("exit code %d", code)
	}
	if want := "moot: write the result to standard output: io: read/write on closed pipe\n"; d.err.String() != want {
		t.Errorf("%q, want %q", d.err.String(), want)
	}
}
