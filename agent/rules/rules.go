package rules

import (
	"context"
	"sync"
	"time"

	"moot/agent/rules/redflag"
	"moot/protocol"
	"moot/redact"
	"moot/state"
)

// Name is the string that names this participant.
const Name = "rules"

// Options say what the participant may read. The zero Options is a participant
// that reads nothing but the session's own context.
type Options struct {
	// Workspace is the root folder to search, "" for none.
	Workspace string
	// Context is read besides the session's own context files.
	Context []state.Document
}

// Rules is the participant. It holds no state between replies and may be asked
// by several goroutines at once.
type Rules struct {
	options  Options
	lexicon  *lexicon
	patterns patterns
	redactor *redact.Redactor
	// checker looks for red flags, and is built for the first change that is looked
	// at; it is nil where its data are damaged.
	checker func() *redflag.Checker
	// detectors hold the rules of a hearing's domain.
	detectors detectors
}

// The participant of rules is one.
var _ protocol.Participant = (*Rules)(nil)

// New returns the participant. It reads nothing yet; a workspace that cannot be
// opened is told in the notes of each reply.
func New(options Options) *Rules {
	redactor, err := redact.New()
	if err != nil {
		// Its rules are embedded and tested; without them nothing is quoted.
		options.Workspace = ""
	}
	checker := sync.OnceValue(func() *redflag.Checker {
		c, err := redflag.New()
		if err != nil {
			// As above: without it no flag is looked for, and that is said.
			return nil
		}
		return c
	})
	return &Rules{options: options, lexicon: readLexicon(), patterns: newPatterns(), redactor: redactor, checker: checker}
}

// Name implements protocol.Participant.
func (*Rules) Name() string { return Name }

// Modelless implements protocol.Participant: no language model is at work.
func (*Rules) Modelless() bool { return true }

// Reply implements protocol.Participant. The reply is JSON and always valid;
// the only error is the context's. Nothing is told to watch: the reply is there
// at once.
func (r *Rules) Reply(ctx context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	began := time.Now()
	t := r.newTurn(ctx, &call)
	defer t.source.close()
	err := t.take()
	if gone := ctx.Err(); gone != nil {
		return protocol.Reply{}, gone
	}
	if err != nil {
		return protocol.Reply{}, err
	}
	text, err := protocol.EncodeMoves(t.moves)
	if err != nil {
		return protocol.Reply{}, err
	}
	reply := protocol.Reply{Text: text, Attempts: 1, Took: time.Since(began), Notes: t.notes}
	if t.source.failure != "" {
		reply.Notes = append(reply.Notes, r.lexicon.say(sayNoteWorkspace, "reason", t.source.failure))
	}
	return reply, nil
}
