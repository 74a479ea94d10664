package endpoint

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"moot/enum"
	"moot/protocol"
)

// shownModels is how many models an error names.
const shownModels = 6

// explain turns the end of a call into the error that the protocol knows.
func (r *run) explain(ctx context.Context, err error) error {
	var broken *protocol.Broken
	if errors.As(err, &broken) {
		return broken
	}
	var cut *protocol.TooLong
	if errors.As(err, &cut) {
		return cut
	}
	var failed *failure
	if !errors.As(err, &failed) {
		failed = &failure{what: "did not answer within " + roundWait(r.limits.Total), fix: "allow it more time"}
		if r.last != nil {
			failed.what += "; at last it " + r.last.what
		}
	}
	switch {
	case r.text.Len() > 0 || failed.broken != "":
		return r.brokenBy(failed)
	case failed.tooLong:
		long := &protocol.TooLong{Participant: r.Name(), What: "it " + failed.what}
		if failed.said != nil {
			long.Limit = failed.said.contextLimit()
		}
		return long
	}
	what := "it " + failed.what
	if failed.again && r.tries > 1 {
		what += fmt.Sprintf(" (tried %d times)", r.tries)
	}
	fix := failed.fix
	if failed.said != nil && failed.said.isUnknownModel() && fix == "" {
		fix = r.modelFix(ctx)
	}
	return &protocol.Unreachable{Participant: r.Name(), What: what, Fix: fix}
}

// brokenBy says that a reply broke off, or never was one.
func (r *run) brokenBy(failed *failure) *protocol.Broken {
	code, partial := failed.broken, r.text.String()
	if code == "" {
		code = "broken"
	}
	if partial == "" && failed.said != nil {
		partial = failed.said.partial
	}
	return r.broken(code, fmt.Sprintf("%s %s", r.Name(), failed.what), partial)
}

// broken says how much had come, and that none of it counts.
func (r *run) broken(code, what, partial string) *protocol.Broken {
	if partial == "" {
		return &protocol.Broken{Code: code, What: what + "; nothing of a reply had come"}
	}
	return &protocol.Broken{
		Code: code, Partial: r.scrubber.Clean(partial),
		What: fmt.Sprintf("%s; the %d bytes that had come do not count as a reply", what, len(partial)),
	}
}

// modelFix asks the endpoint which models it has.
func (r *run) modelFix(ctx context.Context) string {
	models, err := r.Models(ctx)
	if err != nil || len(models) == 0 {
		return r.addressFix()
	}
	var fix strings.Builder
	if r.config.Pull != "" {
		fmt.Fprintf(&fix, "get it with `%s %s`; ", r.config.Pull, r.quote(r.config.Model))
	}
	shown := models[:min(len(models), shownModels)]
	fmt.Fprintf(&fix, "the endpoint serves %s", r.quote(strings.Join(shown, ", ")))
	if more := len(models) - len(shown); more > 0 {
		fmt.Fprintf(&fix, " and %d more", more)
	}
	if nearest := enum.Nearest(r.config.Model, models); nearest != "" {
		fmt.Fprintf(&fix, "; did you mean %s?", r.quote(nearest))
	}
	return fix.String()
}

// conclude decides whether a stream that ended well brought a reply, and fills
// the reply in. A reply to a prompt of which a part was dropped is a
// *protocol.TooLong; it is filled in where that is not sure.
func (r *run) conclude(ctx context.Context) error {
	text := r.text.String()
	cut, sure := r.cutSilently(ctx)
	if sure {
		return cut
	}
	switch r.finish {
	case "length", "max_tokens", "MAX_TOKENS", "model_length":
		what := r.Name() + " reached the end of its context or its limit of tokens"
		if r.config.MaxTokens > 0 {
			what = fmt.Sprintf("%s reached the cap of %d tokens on a reply (max-tokens), or the end of its context", r.Name(), r.config.MaxTokens)
		}
		if strings.TrimSpace(text) == "" && r.aloud.bytes > 0 {
			what += fmt.Sprintf(" while it still thought (%d bytes of it)", r.aloud.bytes)
		}
		return r.broken("length", what, text)
	case "content_filter", "SAFETY", "safety":
		return r.broken("filtered", r.Name()+"'s reply was stopped by a content filter of the endpoint", text)
	}
	switch {
	case r.declined != "" && strings.TrimSpace(text) == "":
		return r.broken("refused", r.Name()+" declined to answer: "+r.heard(r.declined), "")
	case strings.TrimSpace(text) == "":
		return r.broken("empty", r.Name()+" "+r.silence(), "")
	}
	r.reply.Text = r.scrubber.Clean(text)
	if cut != nil {
		return cut
	}
	return nil
}

// count fills in tokens and cost of all attempts, and says where they are not known.
// What a call cost that brought no reply counts too (EX6).
func (r *run) count(replied bool) {
	spent := r.earlier
	spent.add(r.usage)
	if !spent.told {
		if !replied {
			return
		}
		r.noteOnce("the endpoint tells no token counts: they are estimated, and the cost by them")
		r.reply.Estimated = true
		spent.prompt, spent.completion = protocol.EstimateTokens(r.sent), protocol.EstimateTokens(r.text.Len()+r.aloud.bytes)
	}
	r.reply.PromptTokens, r.reply.CompletionTokens = spent.prompt, spent.completion
	switch {
	case r.config.ReportsCost && spent.cost > 0:
		r.reply.Cost = spent.cost
	case r.priced:
		r.reply.Cost = r.price.Cost(spent.prompt, spent.completion)
	default:
		r.noteOnce(fmt.Sprintf("no price is known for %s: its cost counts as 0", r.quote(r.config.Model)))
	}
}

// compareModel says so when another model answered than was asked for. A name
// that only adds a version to it is no other model.
func (r *run) compareModel() {
	r.reply.Model = r.quote(r.reply.Model)
	asked, answered := bareModel(r.config.Model), bareModel(r.reply.Model)
	if answered == "" || asked == "default" || strings.Contains(answered, asked) || strings.Contains(asked, answered) {
		return
	}
	r.noteOnce(fmt.Sprintf("asked for %s, and %s answered", r.quote(r.config.Model), r.reply.Model))
}
