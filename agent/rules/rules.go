package rules

import (
	"context"
	"slices"
	"sync"
	"time"

	"moot/internal/git"
	"moot/internal/redact"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/protocol/review"
	"moot/state"
)

// Name is the participant string.
const Name = state.BuiltInRules

// Options say what the participant may read. With the zero value, it reads only the session's own context.
type Options struct {
	// Workspace is the folder to search, or "".
	Workspace string
	// Tree holds the files of a commit under review, which are searched instead. It may be nil.
	Tree *git.Tree
}

// Rules is the participant. No reply depends on earlier ones. It is safe for concurrent use.
type Rules struct {
	options  Options
	redactor *redact.Redactor

	// parsed are the rules of text, the domain of the last hearing. Reading them takes longer than applying them.
	mutex  sync.Mutex
	text   string
	parsed *domain.Rules
}

var _ protocol.Participant = (*Rules)(nil)

// New returns the participant. It does not read anything; if the workspace cannot be searched, the notes of a reply
// say so.
func New(options Options) *Rules {
	redactor, err := redact.New()
	if err != nil {
		// Cannot fail: the redaction rules are embedded and tested. Without them, nothing may be quoted.
		options.Workspace = ""
	}
	return &Rules{options: options, redactor: redactor}
}

// Name implements protocol.Participant.
func (*Rules) Name() string { return Name }

// Modelless implements protocol.Participant.
func (*Rules) Modelless() bool { return true }

// Reply implements protocol.Participant. The reply is always valid JSON; the only error is the context's.
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
	case slices.Contains(t.ask.Moves, review.MoveNoFindings):
		err = t.find()
	case heard:
		err = r.hear(t, &settings.Domain)
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

// turn builds one reply.
type turn struct {
	ctx    context.Context //nolint:containedctx // a turn ends with its call
	s      *state.State
	ask    protocol.Ask
	due    claims.Due
	source *source
	moves  []move.Move
	// notes are shown with the reply.
	notes    []string
	redactor *redact.Redactor
}

// add adds a move if it is allowed.
func (t *turn) add(m move.Move) {
	if slices.Contains(t.ask.Moves, move.KindOf(m)) {
		t.moves = append(t.moves, m)
	}
}

func (t *turn) flag(kind move.FlagKind, text string) {
	t.add(&move.Flag{Flag: kind, Text: text})
}

// note adds a note once.
func (t *turn) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}
