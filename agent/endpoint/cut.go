package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/tidwall/gjson"

	"moot/protocol"
)

// A server may drop a part of a prompt that does not fit, answer to the rest and say
// nothing of it. Ollama does: it keeps the first few tokens and the end, so that what
// goes is the instructions and the question. How it counts tells it (as read in its
// source, llm/llama_server.go and runner/*/runner.go): until 0.24 a prompt that was cut
// counts as many tokens as the context has, from 0.30 one less, from 0.31 half of it
// and half of what is kept. Tokens that it had cached are counted.
const (
	// oddBytes is the length of a prompt, in bytes, under which nothing is odd about
	// its count; oddBytesPerToken is more than any tokenizer gets into a token over that
	// length: English has about 4, code 3.
	oddBytes         = 8 << 10
	oddBytesPerToken = 8
	// halfBytesPerToken is what no text has where the count is just what half of a
	// context leaves, and mostKept how many tokens stay at the beginning at most.
	halfBytesPerToken = 5
	mostKept          = 33
	// A context whose length nobody tells is a multiple of contextStep, from
	// leastContext on.
	contextStep  = 256
	leastContext = 1 << 10
)

// reading is how much of a prompt a server seems to have read.
type reading int

const (
	// readWhole is all of it, as far as can be told.
	readWhole reading = iota
	// readOddly is less than its length lets expect; why is not known, and it may be
	// that cached tokens are not counted.
	readOddly
	// readLikelyCut is as much as a context has, by the number.
	readLikelyCut
	// readCut is just what the server leaves of a prompt that does not fit.
	readCut
)

// readingOf judges by the length of a prompt in bytes, the tokens that the server
// counted for it, and the length of its context in tokens, 0 where it tells none. In
// doubt nothing was cut: a tokenizer may be sparing, tokens may be cached and not
// counted, and a count of 0 says nothing.
func readingOf(sent, counted, context int) reading {
	odd := sent > oddBytes && counted*oddBytesPerToken < sent
	switch {
	case counted <= 0:
		return readWhole
	case context > 0 && sent <= context:
		return readWhole // No token is less than a byte.
	case context > 0 && (counted == context || counted == context-1):
		return readCut
	case context > 0 && isHalf(counted, context) && counted*halfBytesPerToken < sent:
		return readCut
	case odd && context == 0 && counted >= leastContext && counted%contextStep == 0:
		return readLikelyCut
	case odd:
		return readOddly
	}
	return readWhole
}

// isHalf reports that a count is half of a context, and half of what is kept at the
// beginning.
func isHalf(counted, context int) bool {
	return counted >= context/2 && counted <= (context+mostKept+1)/2
}

// cutSilently looks whether the server dropped a part of the prompt that it replied to.
// The error says so; sure says that the reply does not count in any case. What is odd
// and proves nothing is noted.
func (r *run) cutSilently(ctx context.Context) (long *protocol.TooLong, sure bool) {
	counted := r.usage.prompt + r.usage.cached
	if counted == 0 {
		return nil, false
	}
	context := r.contextLength(ctx)
	read := readingOf(r.sent, counted, context)
	if total := counted + r.usage.completion; read != readCut && context > 0 && total > context && r.sent > context {
		r.note(fmt.Sprintf("%s's context of %d tokens was full before its reply ended (%d of prompt, %d of reply): what it wrote "+
			"last it wrote without the beginning of the prompt; raise its context length", r.Name(), context, counted, r.usage.completion))
	}
	long = &protocol.TooLong{Participant: r.Name(), Limit: context, Cut: true}
	switch read {
	case readWhole:
		return nil, false
	case readCut:
		long.What = fmt.Sprintf("its context has %d tokens, so that it dropped a part of the prompt and read %d tokens of %d bytes",
			context, counted, r.sent)
		long.Fix = "give it a longer context (OLLAMA_CONTEXT_LENGTH where `ollama serve` runs)"
		return long, true
	case readOddly, readLikelyCut:
	}
	r.note(fmt.Sprintf("%s counted %d tokens for %d bytes of prompt: it seems to have cut the prompt silently; "+
		"raise its context length", r.Name(), counted, r.sent))
	if read == readOddly {
		return nil, false
	}
	long.Limit = counted
	long.What = fmt.Sprintf("it counted %d tokens for %d bytes, so that it seems to have dropped a part of the prompt", counted, r.sent)
	return long, false
}

// contextLength is how many tokens of context the server gives the model at present, or
// 0 where it does not tell. It is asked after each reply: who else uses the server may
// change it.
func (r *run) contextLength(ctx context.Context) int {
	address := r.config.fromRoot(r.config.Contexts)
	if address == "" || r.sent <= leastContext || !r.tellsContexts() {
		return 0
	}
	length := 0
	err := r.get(ctx, address, func(body []byte) bool {
		length = parseContext(body, r.config.Model)
		return true
	})
	if said, ok := errors.AsType[*refusal](err); ok && said.status == http.StatusNotFound {
		r.forgetContexts()
	}
	return length
}

// tellsContexts reports that the server was not found to tell no contexts.
func (e *Endpoint) tellsContexts() bool {
	e.memory.Lock()
	defer e.memory.Unlock()
	return !e.memory.noContexts
}

// forgetContexts remembers that the server tells no contexts.
func (e *Endpoint) forgetContexts() {
	e.memory.Lock()
	defer e.memory.Unlock()
	e.memory.noContexts = true
}

// parseContext reads how much context a model has out of Ollama's list of those that
// are loaded, or returns 0.
func parseContext(body []byte, model string) int {
	if tooDeep(body) || !gjson.ValidBytes(body) {
		return 0
	}
	length := 0
	gjson.GetBytes(body, "models").ForEach(func(_, loaded gjson.Result) bool {
		for _, field := range []string{"name", "model"} {
			if name := loaded.Get(field).Str; name != "" && (name == model || name == model+":latest") {
				length = int(loaded.Get("context_length").Int())
			}
		}
		return length == 0
	})
	if length < 0 || length > mostContext {
		return 0
	}
	return length
}
