package rules

import (
	"context"
	"slices"
	"time"

	"moot/internal/git"
	"moot/internal/redact"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/state"
)

// Name is the string that names this participant.
const Name = state.BuiltInRules

// Options say what the participant may read. The zero Options is a participant
// that reads nothing but the session's own context.
type Options struct {
	// Workspace is the root folder to search, "" for none.
	Workspace string
	// Tree holds the files of the commit under review, which are searched instead, or is nil.
	Tree *git.Tree
}

// Rules is the participant. It holds no state between replies and may be asked
// by several goroutines at once.
type Rules struct {
	options  Options
	redactor *redact.Redactor
}

var _ protocol.Participant = (*Rules)(nil)

// New returns the participant. It reads nothing yet; the notes of a reply say
// if the workspace cannot be searched.
func New(options Options) *Rules {
	redactor, err := redact.New()
	if err != nil {
		// Its rules are embedded and tested; without them nothing is quoted.
		options.Workspace = ""
	}
	return &Rules{options: options, redactor: redactor}
}

// Name implements protocol.Participant.
func (*Rules) Name() string { return Name }

// Modelless implements protocol.Participant: no language model is at work.
func (*Rules) Modelless() bool { return true }

// Reply implements protocol.Participant. The reply is JSON and always valid;
// the only error is the context's.
func (r *Rules) Reply(ctx context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	began := time.Now()
	t := &turn{
		ctx: ctx, s: call.State, ask: call.Ask, due: claims.DueOf(call.State, call.Ask),
		source: r.openSource(call.State), redactor: r.redactor,
	}
	defer t.source.close()
	var err error
	switch settings, heard := t.s.Settings.Own.(*hearing.Settings); {
	case slices.Contains(t.ask.Moves, dialectic.MoveNoObjection):
		err = t.press()
	case heard:
		err = t.hear(&settings.Domain)
	default:
		err = t.consult()
	}
	if ctx.Err() != nil {
		return protocol.Reply{}, ctx.Err()
	}
	if err != nil {
		return protocol.Reply{}, err
	}
	text, err := reply.EncodeMoves(t.moves)
	if err != nil {
		return protocol.Reply{}, err
	}
	if t.source.failure != "" {
		t.note("the workspace could not be searched: " + t.source.failure)
	}
	if t.source.bound != "" {
		t.note(t.source.bound)
	}
	return protocol.Reply{Text: text, Attempts: 1, Took: time.Since(began), Notes: t.notes}, nil
}

// turn is one reply in the making.
type turn struct {
	ctx    context.Context //nolint:containedctx // a turn lives no longer than its call
	s      *state.State
	ask    protocol.Ask
	due    claims.Due
	source *source
	moves  []move.Move
	// notes are shown beside the reply.
	notes    []string
	redactor *redact.Redactor
}

// add makes a move if it is allowed.
func (t *turn) add(m move.Move) {
	if slices.Contains(t.ask.Moves, move.KindOf(m)) {
		t.moves = append(t.moves, m)
	}
}

func (t *turn) flag(kind move.FlagKind, text string) {
	t.add(&move.Flag{Flag: kind, Text: text})
}

// note shows a text beside the reply, once.
func (t *turn) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}
