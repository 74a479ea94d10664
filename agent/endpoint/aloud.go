package endpoint

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"moot/protocol"
)

const (
	// thoughtEvery is how often it is told that a model still thinks.
	thoughtEvery = 2 * time.Second
	// maxThought is how much of what a model thinks is shown in one attempt, in
	// bytes.
	maxThought = 1 << 20
)

// aloud is what a model thinks in one attempt. None of it is part of the reply.
type aloud struct {
	protocol.Thoughts
	// guessed says that the reply is taken to begin with a thought, since one of
	// this endpoint did so without saying it; opening is what then came, in case
	// that it was the reply after all.
	guessed bool
	opening strings.Builder
	// bytes counts all thoughts, shown those that were; told is when their number
	// was last told.
	bytes, shown int
	told         time.Time
	flushed      bool
}

// listen begins an attempt.
func (r *run) listen() {
	r.memory.Lock()
	guessed := r.memory.thinksAloud
	r.memory.Unlock()
	told := r.aloud.told
	r.aloud = aloud{Thoughts: protocol.Thoughts{KeepJSON: true, Within: guessed}, guessed: guessed, told: told}
}

// hear takes the next piece of the content, in which thoughts may stand between
// tags.
func (r *run) hear(content string) error {
	if r.aloud.guessed && r.aloud.Within {
		if r.aloud.opening.Len()+len(content) > r.limits.MaxReplyBytes {
			return errOversized
		}
		r.aloud.opening.WriteString(content)
	}
	return r.takeParts(r.aloud.Feed(content))
}

// takeParts adds to the reply and to the thoughts.
func (r *run) takeParts(parts []protocol.ThoughtPart) error {
	for _, part := range parts {
		if part.Void {
			// The template began the thought, and will begin the next one too.
			r.setThinksAloud(true)
			thought := r.text.String()
			r.text.Reset()
			r.watch(protocol.Delta{Restart: true})
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

// flush takes what was held back at the end of the content. What was taken for a
// thought and was never ended as one is the reply.
func (r *run) flush() error {
	if r.aloud.flushed {
		return nil
	}
	r.aloud.flushed = true
	if err := r.takeParts(r.aloud.End()); err != nil {
		return err
	}
	if !r.aloud.guessed || !r.aloud.Within {
		return nil
	}
	r.setThinksAloud(false)
	parts := protocol.Thoughts{KeepJSON: true}
	r.watch(protocol.Delta{Restart: true})
	// The parts are valid until the next call.
	if err := r.takeParts(parts.Feed(r.aloud.opening.String())); err != nil {
		return err
	}
	return r.takeParts(parts.End())
}

// setThinksAloud remembers whether replies begin with a thought that is not marked
// as one.
func (e *Endpoint) setThinksAloud(thinks bool) {
	e.memory.Lock()
	defer e.memory.Unlock()
	e.memory.thinksAloud = thinks
}

// think shows what the model thinks before it speaks, and where no more of it is
// shown tells now and then how much it was.
func (r *run) think(thought string) {
	if thought == "" {
		return
	}
	a := &r.aloud
	a.bytes += len(thought)
	if room := maxThought - a.shown; room > 0 {
		shown := thought
		if len(shown) > room {
			for room > 0 && !utf8.RuneStart(shown[room]) {
				room--
			}
			shown = shown[:room]
			a.shown = maxThought
		}
		a.shown += len(shown)
		if shown != "" {
			r.watch(protocol.Delta{Thought: shown})
		}
	}
	if now := time.Now(); a.shown >= maxThought && now.Sub(a.told) >= thoughtEvery {
		a.told = now
		r.watch(protocol.Delta{Note: fmt.Sprintf("thinking … (%d bytes so far)", a.bytes)})
	}
}

// silence says of a reply without a word what the model did instead.
func (r *run) silence() string {
	if r.aloud.bytes == 0 {
		return "ended its reply without a word"
	}
	return fmt.Sprintf("only thought, for %d bytes, and ended its reply without a word", r.aloud.bytes)
}
