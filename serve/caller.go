package serve

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"moot/protocol"
)

// callerPrefix begins the name of every caller in the record.
const callerPrefix = "mcp:"

// Caller is the participant that a coding agent is: Reply waits until the agent calls the tool reply.
type Caller struct {
	name string

	mutex   sync.Mutex
	waiting *request
	// changed is called when the caller is asked.
	changed func()
}

// request is a call that waits for the agent's reply.
type request struct {
	call  protocol.Call
	reply chan string
}

var _ protocol.Participant = (*Caller)(nil)

// NewCaller returns the participant for a client with a name such as "claude-code".
func NewCaller(client string) *Caller {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', strings.ContainsRune("-_.", r):
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, client)
	if safe = strings.Trim(safe[:min(len(safe), 40)], "-"); safe == "" {
		safe = "agent"
	}
	return &Caller{name: callerPrefix + safe}
}

// IsCaller reports whether a participant in a record was a coding agent.
func IsCaller(name string) bool { return strings.HasPrefix(name, callerPrefix) }

// Name implements protocol.Participant.
func (c *Caller) Name() string { return c.name }

// Modelless implements protocol.Participant.
func (*Caller) Modelless() bool { return false }

// NeedsLookups reports that the caller is offered lookups, in its replies.
func (*Caller) NeedsLookups() bool { return true }

// Reply implements protocol.Participant.
func (c *Caller) Reply(ctx context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	began, r := time.Now(), &request{call: call, reply: make(chan string, 1)}
	c.set(r)
	select {
	case text := <-r.reply:
		return protocol.Reply{
			Text: text, Attempts: 1, Took: time.Since(began), Estimated: true,
			PromptTokens:     protocol.EstimateTokens(len(call.Prompt.System) + len(call.Prompt.Text)),
			CompletionTokens: protocol.EstimateTokens(len(text)),
		}, nil
	case <-ctx.Done():
		c.set(nil)
		return protocol.Reply{}, ctx.Err()
	}
}

func (c *Caller) set(r *request) {
	c.mutex.Lock()
	c.waiting = r
	c.mutex.Unlock()
	if c.changed != nil {
		c.changed()
	}
}

// asked returns the call that waits, or nil.
func (c *Caller) asked() *protocol.Call {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.waiting == nil {
		return nil
	}
	return &c.waiting.call
}

// errNotAsked is the error of a reply that nothing waits for.
var errNotAsked = errors.New("the session isn't waiting for a reply from you: an earlier reply is being admitted, " +
	"or others are at work; call wait")

// answer passes the reply to the call that waits. Each call takes one reply.
func (c *Caller) answer(text string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.waiting == nil {
		return errNotAsked
	}
	c.waiting.reply <- text
	c.waiting = nil
	return nil
}

// Absent takes the seat of a coding agent where that agent isn't connected: in a terminal.
type Absent string

// Name implements protocol.Participant.
func (a Absent) Name() string { return string(a) }

// Modelless implements protocol.Participant.
func (Absent) Modelless() bool { return false }

// Reply implements protocol.Participant. It always fails.
func (a Absent) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	return protocol.Reply{}, &protocol.Unreachable{
		Participant: string(a), What: "this coding agent only answers through moot mcp",
		Fix: "let it call the tool wait to continue the session, or resume with another participant in its seat",
	}
}
