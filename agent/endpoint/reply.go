package endpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"moot/config"
	"moot/protocol"
	"moot/protocol/reply"
	"moot/state"
)

const (
	// maxLeftOut limits how many options one attempt may drop, each with another request.
	maxLeftOut = 8
	// maxNamedWaits limits the waits that a server requests; they do not count as attempts.
	maxNamedWaits = 20
)

// errTotal reports that a call used up its time.
var errTotal = errors.New("the time for one call is used up")

var (
	// errCut reports that a stream ended without a finish_reason, or without [DONE] after some text. Only these mark
	// a complete reply.
	errCut     = errors.New("the stream ended before the reply did")
	errGivenUp = errors.New("the server gave up on the reply")
)

// run is the state of one call to Reply.
type run struct {
	*Endpoint
	call  protocol.Call
	watch func(protocol.Delta)
	reply protocol.Reply
	// tries counts attempts. reply.Attempts also counts requests that only dropped an option. waits counts the waits
	// that the server requested.
	tries, waits int

	// The current request: how it is encoded, and what has arrived.
	wire     wire
	text     strings.Builder
	thoughts strings.Builder
	thinking reply.Thoughts
	// finish is why the model stopped, or "". declined is the model's refusal to answer.
	finish, declined string
	// other counts the bytes that are neither text nor thoughts, such as lookups.
	other int
	// background is the id of a response that the server produces without a connection, or "".
	background string
	// usage is the cost of this request, and earlier that of the previous ones. answered says that this request was
	// answered.
	usage, earlier usage
	answered       bool
	// sent is the length of the prompt in bytes.
	sent int

	// turns are the lookups so far, as tool messages. begun is how many lookups the seat had before this call.
	turns []turn
	begun int
	// flat says that lookup results become part of the prompt, final that no more tools are offered, insists that the
	// model still asks for some.
	flat, final, insists bool
	// inWords says that the reply is requested without a response format. maxTokens and effort override the settings
	// after a reply that was all thought; unthinking counts those replies.
	inWords    bool
	maxTokens  int
	effort     string
	unthinking int
	// last is the last failure. It is reported if the time runs out during a wait.
	last *failure
}

// Reply calls the model. It drops and remembers options that the server rejects, and retries transient failures with
// growing waits. It does not retry once part of the reply was shown, unless the server reports an overload; such a
// failure is a *protocol.Broken (PH3). A server that cannot be used is a *protocol.Unreachable (EX7). A prompt that
// does not fit, or that the server cut, is a *protocol.TooLong. Even with an error, the Reply has the attempts,
// waits, notes, lessons and cost. watch may be nil.
func (e *Endpoint) Reply(
	ctx context.Context, call protocol.Call, watch func(protocol.Delta),
) (protocol.Reply, error) {
	if err := ctx.Err(); err != nil {
		return protocol.Reply{}, err
	}
	if watch == nil {
		watch = func(protocol.Delta) {}
	}
	r := &run{Endpoint: e, call: call, watch: watch}
	if call.Look != nil {
		r.begun = call.Look.Count()
	}
	if e.config.Warning != "" {
		r.noteOnce(e.quote(e.config.Warning))
	}
	if e.config.Temperature != nil && isReasoning(e.config.Model) {
		r.noteOnce(e.Name() + " does not support a temperature: it is left out")
	}
	began := time.Now()
	total, cancel := context.WithTimeoutCause(ctx, e.limits.Total, errTotal)
	defer cancel()
	err := r.retry(total)
	r.stop(ctx)
	r.reply.Took = time.Since(began)
	replied := err == nil
	if replied {
		err = r.cutSilently(ctx)
	}
	r.count(replied, err != nil)
	if err == nil {
		err = r.conclude()
	}
	r.reply.Learned = r.untold()
	for _, lesson := range r.reply.Learned {
		r.noteOnce(lesson.Text) // even if another session learned it
	}
	r.reply.Model = r.quote(r.reply.Model)
	// A longer name with the version is the same model.
	asked, answered := bareModel(r.config.Model), bareModel(r.reply.Model)
	same := strings.Contains(answered, asked) || strings.Contains(asked, answered)
	if answered != "" && asked != "default" && !same {
		r.noteOnce(fmt.Sprintf("requested %s, but %s answered", r.quote(r.config.Model), r.reply.Model))
	}
	if err == nil {
		return r.reply, nil
	}
	if gone := ctx.Err(); gone != nil {
		return r.reply, gone
	}
	return r.reply, r.explain(ctx, err)
}

// retry makes attempts until one succeeds, none can, or the time is up.
func (r *run) retry(ctx context.Context) error {
	for wait := r.limits.BaseWait; ; {
		failed := r.try(ctx)
		if failed == nil {
			return nil
		}
		if r.text.Len() > 0 && failed.said != nil && failed.said.isOverload() {
			r.restart() // the server was overloaded, so ask it again
		}
		named := failed.again && failed.after > 0 && r.waits < maxNamedWaits
		if named { // the server named the wait, so this does not count as an attempt
			r.waits++
			r.tries--
		}
		if !failed.again || r.text.Len() > 0 || r.tries >= r.limits.Attempts {
			return failed
		}
		// Randomize the wait so that clients that failed together do not return together: by half, or by a tenth if
		// the server named it.
		pause := time.Duration((0.5 + rand.Float64()) * float64(wait)) //nolint:gosec // not a secret
		wait = min(2*wait, r.limits.MaxWait)
		count := fmt.Sprintf(" (%d/%d)", r.tries+1, r.limits.Attempts)
		if failed.after > 0 {
			spread := time.Duration(rand.Float64() * float64(failed.after) / 10) //nolint:gosec // not a secret
			pause = min(failed.after+spread, r.limits.MaxRetryAfter)
			wait = r.limits.BaseWait
		}
		if named {
			count = ", as it asked"
			if r.waits > 3 { // the server keeps naming too short waits
				pause = max(pause, r.limits.BaseWait)
			}
		}
		began := time.Now()
		r.watch(protocol.Delta{
			Note: fmt.Sprintf("%s, retrying in %s%s", failed.short, roundWait(pause), count), Wait: pause,
			Throttled: failed.said != nil && failed.said.status == http.StatusTooManyRequests,
		})
		select {
		case <-time.After(pause):
			r.reply.Waited += pause
		case <-ctx.Done():
			r.reply.Waited += time.Since(began)
			return context.Cause(ctx)
		}
	}
}

// roundWait formats a wait for people: "340 ms", "2.5 s", "1 min 30 s", "1 h".
func roundWait(wait time.Duration) string {
	switch {
	case wait < time.Second:
		return fmt.Sprintf("%d ms", wait.Round(time.Millisecond).Milliseconds())
	case wait < 10*time.Second:
		return fmt.Sprintf("%.3g s", wait.Round(100*time.Millisecond).Seconds())
	}
	text := strings.NewReplacer("h", " h ", "m", " min ", "s", " s ").Replace(wait.Round(time.Second).String())
	text = strings.TrimSpace(strings.TrimSuffix(text, " 0 s "))
	return strings.TrimSuffix(text, " 0 min")
}

// try makes one attempt. If an option is rejected, it repeats the request without it; if the model looks something
// up, it sends the answers.
func (r *run) try(ctx context.Context) *failure {
	r.tries++
	for left := maxLeftOut; ; {
		c := r.conversation()
		err := r.ask(ctx, c)
		switch {
		case err == nil && r.looked(ctx), err == nil && r.askOtherwise(c):
			continue
		case err == nil:
			return nil
		}
		var said *refusal
		if left--; left >= 0 && r.text.Len() == 0 && (errors.As(err, &said) || r.guessedResponses(c, err)) {
			if said != nil && said.calledTool() && r.call.Look != nil && !r.final {
				// No lookups are left: repeat the results in the prompt and offer no tools.
				r.flat, r.final = true, true
				continue
			}
			if lesson, ok := r.lessonOf(said, err, c); ok {
				r.lessons.add(lesson)
				r.noteOnce(lesson.Text)
				continue
			}
			if said != nil && said.refusesRequest() && !reflect.DeepEqual(r.conversation().options, c.options) {
				continue // another seat learned it in the meantime
			}
		}
		r.last = r.classify(ctx, err)
		r.last.again = r.last.again && r.last.after <= r.limits.MaxRetryAfter
		return r.last
	}
}

// lessonOf returns what a failure teaches about the server. A rejected history is never sent again.
func (r *run) lessonOf(said *refusal, err error, c *conversation) (state.Lesson, bool) {
	if said != nil {
		if lesson, ok := r.learn(said, c); ok {
			return lesson, true
		}
	}
	if r.guessedResponses(c, err) {
		return r.withoutResponses(c), true
	}
	if said == nil || len(c.turns) == 0 || !said.refusesRequest() {
		return state.Lesson{}, false
	}
	// A server that fails to render the messages will fail again. Other failures may be transient.
	if said.status >= 400 && (said.status < 500 || said.refusesHistory() || r.tries > 1) {
		return r.withoutHistory(c), true
	}
	return state.Lesson{}, false
}

const schemaInPrompt = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"

// conversation returns what to send, limited to what the server accepts.
func (r *run) conversation() *conversation {
	prompt := r.call.Prompt
	c := &conversation{
		options: r.options(r.call.Look != nil && !r.final), model: r.config.Model,
		maxTokens: cmp.Or(r.maxTokens, r.config.MaxTokens),
	}
	if r.inWords {
		c.structure = StructurePlain
	}
	if r.effort != "" && !r.lessons.has(c.key(refusesEffort)) {
		c.effort = r.effort
	}
	if c.sampling {
		c.temperature = r.config.Temperature
	}
	if schema := r.call.Schema; len(schema) > 0 {
		if c.structure == StructureStrict {
			if strict := r.strictOf(schema); strict != nil {
				schema = strict
			} else {
				c.structure = StructureSchema // without a strict form, the schema is sent unchanged
			}
		}
		switch c.structure {
		case StructureStrict, StructureSchema:
			c.schema = withoutWords(schema, c.words)
		case StructureObject:
			prompt.System += "\n\n" + schemaInPrompt + string(schema)
		case StructurePlain:
			prompt.System += "\n\n" + reply.SchemaInFence + string(schema)
		}
	} else {
		c.structure = StructurePlain
	}
	if c.offer {
		for _, t := range r.call.Look.Tools() {
			t.Schema = withoutWords(t.Schema, c.words)
			c.tools = append(c.tools, t)
		}
		c.last = r.call.Look.Spent()
	}
	if r.call.Look != nil && r.call.Look.Count() > r.begun {
		otherAPI := func(t turn) bool { return t.responses != c.responses }
		if c.history && c.offer && !r.flat && !slices.ContainsFunc(r.turns, otherAPI) {
			c.turns = r.turns
		} else {
			prompt = r.call.Look.Answered(r.call.State, prompt, r.begun)
		}
	}
	c.system, c.prompt = strings.TrimPrefix(prompt.System, "\n\n"), prompt.Text
	return c
}

// strictOf returns the strict form of a schema, or nil if the schema has no such form.
func (e *Endpoint) strictOf(schema []byte) []byte {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	strict, known := e.strict[string(schema)]
	if !known { // computing it takes time, and a session has few schemas
		strict, _ = Strict(schema)
		e.strict[string(schema)] = strict
	}
	return strict
}

// ask sends one request and reads its stream. A nil error means that the reply is
// complete.
func (r *run) ask(ctx context.Context, c *conversation) error {
	if r.answered {
		r.earlier.add(r.spent(false))
	} else {
		r.earlier.add(r.usage)
	}
	r.answered = false
	r.finish, r.declined, r.usage, r.other = "", "", usage{}, 0
	r.thoughts.Reset()
	r.thinking = reply.Thoughts{KeepJSON: true}
	r.wire = &chat{}
	if c.responses {
		r.wire = &responses{}
	}
	r.sent = len(c.system) + len(c.prompt)
	for _, t := range c.turns {
		for _, call := range t.calls {
			r.sent += len(call.answer)
		}
		for _, said := range t.said {
			r.sent += len(said)
		}
	}
	r.reply.Attempts++
	x := &exchange{Endpoint: r.Endpoint}
	streaming, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x.dog = newWatchdog(cancel, "no connection", r.limits.Connect)
	defer x.dog.timer.Stop()
	traced := httptrace.WithClientTrace(streaming, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { x.dog.expect("no token", r.limits.FirstToken) },
	})
	stream, err := r.wire.open(traced, x.client(), x, c)
	if x.refused != nil {
		return x.refused
	}
	if err != nil {
		return stalled(streaming, err)
	}
	err = stalled(streaming, r.read(stream, x))
	_ = stream.Close()
	var said *refusal
	if err != nil && r.background != "" && ctx.Err() == nil && !errors.As(err, &said) {
		err = r.poll(ctx)
	}
	if err == nil && c.responses {
		r.lessons.setResponds()
	}
	r.answered = err == nil
	return err
}

// read reads the events of a reply.
func (r *run) read(stream events, x *exchange) error {
	for {
		event, err := stream.RecvRaw()
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		if err != nil {
			return r.ended(x, err)
		}
		if len(event) == 0 {
			continue
		}
		finished, before := r.finish != "", r.progress()
		p, err := r.wire.read(event)
		if x.whole != nil && (err != nil || p.empty()) {
			return &foreignError{what: "no chat completion"}
		}
		if err == nil {
			err = r.add(&p)
		}
		if err != nil && !finished {
			return err
		}
		switch progress := r.progress(); {
		case finished:
		case r.finish != "":
			x.most = x.count + tailBytes
			x.dog.expect("no end of the stream", tailWait)
		case progress > before || progress > 0:
			x.most = r.maxBody() + maxOverhead*progress
			x.dog.expect("nothing more", r.limits.Idle)
		}
		if x.whole != nil {
			return r.endedWhole()
		}
	}
}

// progress returns the number of bytes of the reply so far.
func (r *run) progress() int { return r.text.Len() + r.thoughts.Len() + len(r.declined) + r.other }

// ended decides whether a stream that ended with err was complete.
func (r *run) ended(x *exchange, err error) error {
	if last := r.takeParts(r.thinking.End()); last != nil {
		return last
	}
	said := r.declined != "" || len(r.wire.calls()) > 0 || strings.TrimSpace(r.text.String()) != ""
	switch {
	case r.finish != "":
		return nil // at most the token counts are missing
	case x.done && said:
		return nil // some servers send [DONE] without a finish reason
	}
	return err
}

// endedWhole is ended for an answer that was not streamed.
func (r *run) endedWhole() error {
	if err := r.takeParts(r.thinking.End()); err != nil {
		return err
	}
	if r.finish == "" {
		return errCut
	}
	r.noteOnce("the endpoint does not stream: replies arrive in one piece")
	return nil
}

// add adds a piece to the reply and shows it.
func (r *run) add(p *piece) error {
	if p.id != "" && p.waiting && r.options(false).background {
		r.background = p.id
	}
	if p.finish != "" || p.refused != nil {
		r.background = ""
	}
	if p.refused != nil {
		p.refused.model = r.config.Model
		return p.refused
	}
	if p.model != "" {
		r.reply.Model = p.model
	}
	if p.usage.reported {
		r.usage = p.usage
	}
	r.declined += p.declined
	if r.other += p.other; max(len(r.declined), r.other) > r.limits.MaxReplyBytes {
		return errOversized
	}
	r.think(p.thought)
	if err := r.takeParts(r.thinking.Feed(p.text)); err != nil {
		return err
	}
	if r.thoughts.Len() > r.limits.MaxReplyBytes {
		return errOversized
	}
	switch p.finish {
	case "":
	case "error", "insufficient_system_resource", "network_error", "abort":
		return errGivenUp
	default:
		r.finish = p.finish
	}
	return nil
}

// takeParts appends parts to the reply and to the thoughts.
func (r *run) takeParts(parts []reply.ThoughtPart) error {
	for _, part := range parts {
		if part.Void {
			// The opening mark of the thought was in the model's template.
			thought := r.text.String()
			r.restart()
			r.think(thought)
		}
		r.think(part.Thought)
		if r.text.Len()+len(part.Text) > r.limits.MaxReplyBytes {
			return errOversized
		}
		if part.Text != "" {
			r.text.WriteString(part.Text)
			r.watch(protocol.Delta{Text: part.Text})
		}
	}
	return nil
}

// restart discards the text so far.
func (r *run) restart() {
	if r.text.Len() > 0 {
		r.text.Reset()
		r.watch(protocol.Delta{Restart: true})
	}
}

// think shows a thought.
func (r *run) think(thought string) {
	if thought != "" {
		r.thoughts.WriteString(thought)
		r.watch(protocol.Delta{Thought: thought})
	}
}

// isCutShort reports whether the model ran out of tokens.
func (r *run) isCutShort() bool {
	return slices.Contains([]string{
		"length", "max_tokens", "MAX_TOKENS", "model_length",
		"model_context_window_exceeded",
	},
		r.finish)
}

// replyForm matches the start of a reply rather than a plan: JSON, or a numbered line with a label.
var replyForm = regexp.MustCompile(`^\s*(?:[{\[]|\x60\x60\x60|(?:1[.)]|Re C\d|AGREE|P\d)[^\n]*(?:\[(?:EVIDENCE|` +
	`INFERENCE|GUESS)\]|:))`)

// askOtherwise reports whether to repeat a request that brought no reply: with more tokens if the model used them up
// thinking, or without a response format if it wrote the reply into its thoughts.
func (r *run) askOtherwise(c *conversation) bool {
	if strings.TrimSpace(r.text.String()) != "" || r.thoughts.Len() == 0 || r.declined != "" || r.insists {
		return false
	}
	model := r.quote(r.config.Model)
	if r.isCutShort() {
		if r.unthinking++; r.unthinking > 2 {
			return false
		}
		if lower := lowerEffort(c.effort); lower != "" && !r.lessons.has(c.key(refusesEffort)) && r.unthinking == 1 {
			r.effort = lower
			r.note(fmt.Sprintf("%s used up its tokens for its thoughts: asked again with the effort %s", model, lower))
			return true
		}
		if c.maxTokens > 0 {
			r.maxTokens = 2 * c.maxTokens
			const more = "%s used up its tokens for its thoughts: asked again with %d tokens"
			r.note(fmt.Sprintf(more, model, r.maxTokens))
			return true
		}
		return false
	}
	if thought := r.thoughts.String(); replyForm.MatchString(thought) && r.call.Parses != nil &&
		r.call.Parses(thought) {
		r.noteOnce(model + " wrote its reply where its thoughts belong: it was taken from there")
		r.text.WriteString(r.thoughts.String())
		return false
	}
	if c.schema == nil && c.structure != StructureObject || r.inWords {
		return false
	}
	r.inWords = true
	r.note(model + " sent thoughts and no reply: asked again without a response format")
	return true
}

// lowerEffort returns the next lower effort: "low" for the default, "" for "low" and below.
func lowerEffort(effort string) string {
	if effort == "" {
		return "low"
	}
	at := slices.Index(config.Efforts(), effort)
	if at <= slices.Index(config.Efforts(), "low") {
		return ""
	}
	return config.Efforts()[at-1]
}

// note shows a note, and adds it to the reply.
func (r *run) note(note string) {
	r.reply.Notes = append(r.reply.Notes, note)
	r.watch(protocol.Delta{Note: note})
}

// noteOnce is note for what an endpoint reports only once.
func (r *run) noteOnce(note string) {
	if r.once(note) {
		r.note(note)
	}
}

// conclude fills in the reply, or returns an error if the stream did not contain one.
func (r *run) conclude() error {
	text := r.text.String()
	blank := strings.TrimSpace(text) == ""
	thoughts := r.thoughts.Len()
	switch {
	case r.isCutShort():
		what, kind := r.Name()+" reached the end of its context or its token limit", state.FailureFormat
		if tokens := cmp.Or(r.maxTokens, r.config.MaxTokens); tokens > 0 {
			const capped = "%s reached the cap of %d tokens on a reply (max-tokens), or the end of its context"
			what = fmt.Sprintf(capped, r.Name(), tokens)
		}
		if blank && thoughts > 0 {
			what += fmt.Sprintf(" while it was still thinking (%d bytes of thoughts)", thoughts)
			kind = state.FailureThinking
		}
		return r.failed("length", what, text, kind, "")
	case isFilter(r.finish):
		what := r.Name() + "'s reply was stopped by a content filter of the endpoint"
		return r.failed("filtered", what, text, state.FailureFiltered, "finish_reason: "+r.finish)
	case r.declined != "" && (blank || r.call.Parses == nil || !r.call.Parses(text)), r.finish == "refusal":
		said := cmp.Or(strings.TrimSpace(r.declined), strings.TrimSpace(text))
		what := r.Name() + " declined to answer: " + r.quoteMessage(said)
		return r.failed("refused", what, "", state.FailureRefused, said)
	case r.insists:
		what := r.Name() + " kept asking for lookups after the last one, and gave no reply"
		return r.failed("lookups", what, text, state.FailureLookups, "")
	case blank && thoughts > 0:
		const what = "%s sent %d bytes of thoughts, but no reply"
		return r.failed("empty", fmt.Sprintf(what, r.Name(), thoughts), "", state.FailureEmpty, "")
	case blank && r.finish != "" && r.finish != "stop":
		what := r.Name() + " ended without a reply (" + r.quoteMessage(r.finish) + ")"
		return r.failed("empty", what, "", state.FailureEmpty, "finish_reason: "+r.finish)
	case blank:
		return r.failed("empty", r.Name()+" ended without a reply", "", state.FailureEmpty, "")
	}
	if r.inWords && r.call.Parses != nil && r.call.Parses(text) {
		c := r.conversation()
		for _, structure := range []Structure{StructureStrict, StructureSchema, StructureObject} {
			r.lessons.add(state.Lesson{
				Key: c.key(refusesFormat + string(structure)), Text: r.quote(r.config.Model) +
					" replies only in its thoughts if it is sent a response format: it is asked for JSON in words",
			})
		}
	}
	r.reply.Text = r.scrubber.Clean(text)
	return nil
}

// isFilter reports whether a filter of the provider ended the reply.
func isFilter(finish string) bool {
	return containsAny(strings.ToLower(finish), "content_filter", "safety", "recitation", "prohibited_content",
		"blocklist",
		"spii", "sensitive")
}

// failed is broken with its cause.
func (r *run) failed(code, what, partial string, kind state.FailureKind, said string) *protocol.Broken {
	broken := r.broken(code, what, partial)
	broken.Cause = protocol.Cause{Kind: kind, Said: r.quoteMessage(said)}
	return broken
}

// broken returns the error for a reply that broke off, with the amount that arrived.
func (r *run) broken(code, what, partial string) *protocol.Broken {
	if partial == "" {
		return &protocol.Broken{Code: code, What: what + "; no part of a reply was received"}
	}
	return &protocol.Broken{
		Code: code, Partial: r.scrubber.Clean(partial),
		What: fmt.Sprintf("%s; the %d bytes received do not count as a reply", what, len(partial)),
	}
}

// spent returns the token counts of the last request. Missing and impossible counts are estimated, since limits need
// a number. cut says that the server read only part of the prompt.
func (r *run) spent(cut bool) usage {
	said := r.progress()
	u := r.usage
	switch {
	case !u.reported:
		r.noteOnce("the endpoint reports no token counts: tokens and cost are estimated")
		r.reply.Estimated = true
		return usage{
			reported: true, prompt: protocol.EstimateTokens(r.sent), completion: protocol.EstimateTokens(said),
		}
	case cut:
		return u
	}
	counted := u.prompt
	if counted*oddBytesPerToken < r.sent && u.cached <= r.sent {
		counted += u.cached // some servers count cached tokens separately
	}
	var odd bool
	if u.prompt, u.completion, odd = protocol.CheckTokens(counted, u.completion, r.sent, said); odd {
		r.reply.Estimated = true
		r.noteOnce("the endpoint's token counts cannot be right: tokens and cost are estimated")
	}
	return u
}

// count fills in the tokens and cost of all attempts, and notes what is unknown. Calls without a reply cost too
// (EX6).
func (r *run) count(replied, cut bool) {
	spent := r.usage
	if replied {
		spent = r.spent(cut)
	}
	spent.add(r.earlier)
	if !spent.reported {
		return
	}
	r.reply.PromptTokens, r.reply.CompletionTokens = spent.prompt, spent.completion
	switch {
	case r.config.ReportsCost && spent.cost > 0:
		r.reply.Cost = spent.cost
	case r.priced:
		r.reply.Cost = r.price.Cost(spent.prompt, spent.completion)
	default:
		r.reply.Unpriced = true
		if r.once("unpriced") {
			r.note(fmt.Sprintf("no price is known for %s: no cap on the cost counts it", r.quote(r.config.Model)))
		}
	}
}
