package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"moot/protocol"
)

// What counts as cut: the numbers that Ollama leaves of a prompt that does not fit, of
// each way that it ever had, and nothing that has another reason too.
func TestIsCut(t *testing.T) {
	for name, c := range map[string]struct {
		sent, counted, context int
		want                   bool
	}{
		"Ollama up to 0.24":               {20_000, 4096, 4096, true},
		"Ollama 0.30":                     {20_000, 4095, 4096, true},
		"Ollama from 0.31":                {20_000, 2050, 4096, true},
		"an odd context":                  {20_000, 2552, 5101, true},
		"in a script of many tokens":      {5_000, 4096, 4096, true},
		"it fits":                         {16_000, 4000, 4096, false},
		"it fits by half":                 {8_000, 2050, 4096, false},
		"shorter than the context":        {100_000, 2048, 131_072, false},
		"no count":                        {100_000, 0, 4096, false},
		"no context told":                 {65_600, 8192, 0, false},
		"a small context, a short prompt": {3_000, 512, 512, true},
	} {
		if got := isCut(c.sent, c.counted, c.context); got != c.want {
			t.Errorf("%s: %d tokens of %d bytes, a context of %d: %t", name, c.counted, c.sent, c.context, got)
		}
	}
}

func TestParseContext(t *testing.T) {
	for body, want := range map[string]int{
		`{"models":[{"name":"other:1b","model":"other:1b","context_length":9},{"name":"m:latest","model":"m:latest","context_length":4096}]}`: 4096,
		`{"models":[{"model":"m","context_length":8192}]}`:  8192,
		`{"models":[{"name":"m"}]}`:                         0,
		`{"models":[{"name":"m","context_length":"many"}]}`: 0,
		`{"models":[{"name":"m","context_length":-4}]}`:     0,
		`{"models":[{"name":"m","context_length":4e18}]}`:   0,
		`{"models":[{"name":"m2","context_length":4096}]}`:  0,
		`{"models":null}`:            0,
		`{"models":{"name":"m"}}`:    0,
		`[]`:                         0,
		`<html>`:                     0,
		strings.Repeat("[", 100_000): 0,
		`{"models":[{"name":"","context_length":4096}]}`:                  0,
		`{"models":[{"name":7,"model":["m"],"context_length":4096},"m"]}`: 0,
	} {
		if got := parseContext([]byte(body), "m"); got != want {
			t.Errorf("%.80s: %d, want %d", body, got, want)
		}
	}
}

// cutter is a server that cuts prompts as Ollama does: what does not fit is dropped,
// and the reply begins as if it were nothing. A token is 4 bytes.
type cutter struct {
	context int
	// leaves is how many tokens stay of a prompt that does not fit.
	leaves func(context int) int
	silent bool
	// whole says that replies do not stream.
	whole bool
	reply string
	// said is how many tokens a reply has.
	said int
	// cuts counts the prompts that did not fit.
	cuts int
}

func all(context int) int { return context }

func (c *cutter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/api/ps" && !c.silent:
		_, _ = fmt.Fprintf(w, `{"models":[{"name":"m:latest","model":"m:latest","size":1,"context_length":%d}]}`, c.context)
		return
	case !strings.HasSuffix(r.URL.Path, "/chat/completions"):
		refuse(w, http.StatusNotFound, "404 page not found")
		return
	}
	var request struct {
		Messages []struct{ Content string }
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &request)
	tokens := 0
	for _, m := range request.Messages {
		tokens += len(m.Content) / 4
	}
	switch {
	case tokens > c.context:
		tokens = c.leaves(c.context)
		c.cuts++
	}
	usage := fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":%d}`, tokens, c.said)
	if c.whole {
		_, _ = fmt.Fprintf(w, `{"model":"m","choices":[{"message":{"content":%q},"finish_reason":"stop"}],%s}`, c.reply, usage)
		return
	}
	stream(w, token(c.reply), finish("stop"), `{"choices":[],`+usage+`}`, "[DONE]")
}

func TestSilentCut(t *testing.T) {
	long, short := testCall(), testCall()
	long.Prompt.Text = strings.Repeat("a line of the prompt\n", 2000)
	short.Prompt.Text = strings.Repeat("a line of the prompt\n", 300)
	for name, leaves := range map[string]func(int) int{
		"up to 0.24": all, "0.30": func(context int) int { return context - 1 },
		"from 0.31": func(context int) int { return context - (context-5)/2 },
	} {
		for _, whole := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s whole=%v", name, whole), func(t *testing.T) {
				server := &cutter{context: 4096, leaves: leaves, whole: whole, reply: "I never saw the question", said: 30}
				config := Config{Name: "ollama:m", Base: "http://127.0.0.1:8080/v1", Model: "m", Contexts: ollamaContexts}
				inBubble(t, setup{config: config}, server.ServeHTTP, func(b *bench) {
					reply, err := b.Reply(b.Context(), long, nil)
					cut, ok := errors.AsType[*protocol.TooLong](err)
					if !ok || !cut.Cut || cut.Limit != 4096 || reply.Text != "" || reply.PromptTokens != leaves(4096) || reply.CompletionTokens != 30 {
						b.Fatalf("%v, reply %+v", err, reply)
					}
					if strings.Contains(strings.Join(reply.Notes, " "), "was full") {
						b.Errorf("one fault is told twice: %q", reply.Notes)
					}
					if !strings.Contains(err.Error(), "context has 4096 tokens") || !strings.Contains(cut.Fix, "OLLAMA_CONTEXT_LENGTH") {
						b.Errorf("%v: %s", err, cut.Fix)
					}
					if reply, err = b.Reply(b.Context(), short, nil); err != nil || reply.Text != server.reply {
						b.Errorf("one that fits: %v", err)
					}
				})
			})
		}
	}
}

// Where the server does not report its context, a suspicious count is only noted.
func TestCutThatIsNotSure(t *testing.T) {
	long := testCall()
	long.Prompt.Text = strings.Repeat("a line of the prompt\n", 2000)
	server := &cutter{context: 4096, leaves: all, silent: true, reply: "fine"}
	config := Config{Name: "http://127.0.0.1:8080/v1#m", Base: "http://127.0.0.1:8080/v1", Model: "m", Contexts: ollamaContexts}
	inBubble(t, setup{config: config}, server.ServeHTTP, func(b *bench) {
		reply, err := b.Reply(b.Context(), long, nil)
		if err != nil || reply.Text != "fine" || !strings.Contains(strings.Join(reply.Notes, " "), "truncated the prompt silently") {
			b.Fatalf("%v, reply %+v", err, reply)
		}
	})
}

// Only what may be an Ollama is asked how much context a model has.
func TestWhoIsAskedForContexts(t *testing.T) {
	for name, want := range map[string]string{
		"ollama:m": ollamaContexts, "http://10.0.0.7:11434/v1#m": ollamaContexts,
		"http://127.0.0.1:8080/v1#m": "", "https://models.example.org/v1#m": "", "llamacpp": "",
	} {
		config, err := Parse(name, func(string) string { return "" })
		if err != nil || config.Contexts != want {
			t.Errorf("%s: %q, %v", name, config.Contexts, err)
		}
	}
}
