package endpoint

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"moot/protocol"
)

// maxLeftOut bounds the requests of one attempt that each leave out one more
// option, so that no server is asked without end.
const maxLeftOut = 8

// errTotal says that a call used up its time.
var errTotal = errors.New("the time for one call is used up")

// run is one call of Reply.
type run struct {
	*Endpoint
	call  protocol.Call
	watch func(protocol.Delta)
	reply protocol.Reply
	// tries counts attempts; reply.Attempts also counts the requests that only
	// left out an option.
	tries int
	text  strings.Builder
	// finish is why the model stopped, "" until it has; declined is its refusal.
	finish, declined string
	// usage is the cost of this attempt, earlier that of those before it.
	usage, earlier usage
	// sent is the length of the prompt in bytes.
	sent     int
	thinking thinking
	// tools are the calls of tools in this attempt, turn the messages that the lookups so
	// far added to the prompt.
	tools toolCalls
	turn  []message
	// last is the last failure, reported if the time runs out during a wait.
	last *failure
}

// Reply asks the model once. It leaves out and remembers what the server refuses
// of the request, and retries failures on the way, with growing waits, but never
// after the first piece of the reply was shown: from then on a failure is a
// *protocol.Broken (PH3). A server that cannot be used is a *protocol.Unreachable
// (EX7); a prompt that does not fit, or that the server cut, a *protocol.TooLong.
// The Reply beside an error holds attempts, waits, notes and cost. watch may be nil.
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
	r.reply.Took = time.Since(began)
	r.count(err == nil)
	if err == nil {
		err = r.conclude(ctx)
	}
	r.reply.Model = r.quote(r.reply.Model)
	// A name that only adds a version is the same model.
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

// retry makes attempts until one brings a reply, no other can help, or the time is up.
func (r *run) retry(ctx context.Context) error {
	for wait := r.limits.BaseWait; ; {
		failed := r.try(ctx)
		if failed == nil {
			return nil
		}
		if !failed.again || r.text.Len() > 0 || r.tries >= r.limits.Attempts {
			return failed
		}
		// The wait is spread at random, so that clients that failed together do not
		// return together: by a half, or by a tenth if the server named the time.
		pause := time.Duration((0.5 + rand.Float64()) * float64(wait)) //nolint:gosec // not a secret
		wait = min(2*wait, r.limits.MaxWait)
		if failed.after > 0 {
			spread := time.Duration(rand.Float64() * float64(failed.after) / 10) //nolint:gosec // not a secret
			pause = min(failed.after+spread, r.limits.MaxRetryAfter)
			wait = r.limits.BaseWait
		}
		r.reply.Waited += pause
		const note = "%s, retrying in %s (%d/%d)"
		r.watch(protocol.Delta{
			Note: fmt.Sprintf(note, failed.short, roundWait(pause), r.tries+1, r.limits.Attempts), Wait: pause,
		})
		select {
		case <-time.After(pause):
		case <-ctx.Done():
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

// try makes one attempt. If an option is refused, it sends the request again
// without it, at once.
func (r *run) try(ctx context.Context) *failure {
	r.tries++
	for left := maxLeftOut; ; left-- {
		taken, schema := r.takes(r.call.Schema)
		err := r.ask(ctx, taken, schema)
		switch {
		case err == nil && r.looked(ctx):
			continue
		case err == nil:
			return nil
		}
		var said *refusal
		if errors.As(err, &said) && r.text.Len() == 0 && left > 0 {
			if rest, note := taken.without(said, len(r.call.Schema) > 0, r.call.Look != nil); note != "" {
				r.mutex.Lock()
				r.ability = rest
				r.mutex.Unlock()
				r.note(note)
				continue
			}
		}
		r.last = r.classify(ctx, err)
		r.last.again = r.last.again && r.last.after <= r.limits.MaxRetryAfter
		return r.last
	}
}

// note shows what happens on the wire, and keeps it with the reply.
func (r *run) note(note string) {
	r.reply.Notes = append(r.reply.Notes, note)
	r.watch(protocol.Delta{Note: note})
}

// noteOnce is note for what an endpoint says only once.
func (r *run) noteOnce(note string) {
	if r.once(note) {
		r.note(note)
	}
}

// conclude decides whether a complete stream brought a reply, and fills it in. A
// reply to a prompt that the server cut is a *protocol.TooLong.
func (r *run) conclude(ctx context.Context) error {
	text := r.text.String()
	blank := strings.TrimSpace(text) == ""
	if err := r.cutSilently(ctx); err != nil {
		return err
	}
	switch r.finish {
	case "length", "max_tokens", "MAX_TOKENS", "model_length":
		what := r.Name() + " reached the end of its context or its token limit"
		if r.config.MaxTokens > 0 {
			const capped = "%s reached the cap of %d tokens on a reply (max-tokens), or the end of its context"
			what = fmt.Sprintf(capped, r.Name(), r.config.MaxTokens)
		}
		if blank && r.thinking.bytes > 0 {
			what += fmt.Sprintf(" while it was still thinking (%d bytes of thoughts)", r.thinking.bytes)
		}
		return r.broken("length", what, text)
	case "content_filter", "SAFETY", "safety":
		return r.broken("filtered", r.Name()+"'s reply was stopped by a content filter of the endpoint", text)
	}
	switch {
	case blank && r.declined != "":
		return r.broken("refused", r.Name()+" declined to answer: "+r.quoteMessage(r.declined), "")
	case blank && r.thinking.bytes > 0:
		const what = "%s sent %d bytes of thoughts, but no reply"
		return r.broken("empty", fmt.Sprintf(what, r.Name(), r.thinking.bytes), "")
	case blank:
		return r.broken("empty", r.Name()+" ended without a reply", "")
	}
	r.reply.Text = r.scrubber.Clean(text)
	return nil
}

// broken says how much had arrived, and that it does not count.
func (r *run) broken(code, what, partial string) *protocol.Broken {
	if partial == "" {
		return &protocol.Broken{Code: code, What: what + "; no part of a reply was received"}
	}
	return &protocol.Broken{
		Code: code, Partial: r.scrubber.Clean(partial),
		What: fmt.Sprintf("%s; the %d bytes received do not count as a reply", what, len(partial)),
	}
}

// count fills in tokens and cost of all attempts, and notes what is unknown. The
// cost of a call without a reply counts too (EX6).
func (r *run) count(replied bool) {
	spent := r.earlier
	spent.add(r.usage)
	if !spent.reported {
		if !replied {
			return
		}
		r.noteOnce("the endpoint reports no token counts: tokens and cost are estimated")
		r.reply.Estimated = true
		spent.prompt = protocol.EstimateTokens(r.sent)
		spent.completion = protocol.EstimateTokens(r.text.Len() + r.thinking.bytes)
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
