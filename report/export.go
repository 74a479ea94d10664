package report

import (
	"encoding/json"
	"time"

	"moot/ledger"
	"moot/state"
)

// SchemaName is the value of "schema" in every export.
const SchemaName = "moot.session/1"

// Session is the exported JSON of one session. Nothing is left out: what is
// absent is "", [] or 0; only "events" is there on demand. docs/session.md
// describes it, docs/session.schema.json is its JSON Schema.
type Session struct {
	// Schema is SchemaName.
	Schema  string `json:"schema"`
	Session Header `json:"session"`
	State   Folded `json:"state"`
	// Rulings holds one ruling per point, in the order of the points.
	Rulings  []Ruling `json:"rulings"`
	Baseline []Change `json:"baseline"`
	Outcome  Outcome  `json:"outcome"`
	Metrics  Metrics  `json:"metrics"`
	Chain    Chain    `json:"chain"`
	// Events are the lines of the session file as they stand there, without
	// their newlines; they are there on demand.
	Events []string `json:"events,omitempty"`
}

// Header is what a session was opened with and how it ended.
type Header struct {
	ID       string        `json:"id"`
	Question string        `json:"question"`
	Format   state.Format  `json:"format"`
	Framing  state.Framing `json:"framing"`
	Mode     state.Mode    `json:"mode"`
	// OpenedAt and ClosedAt are in UTC as RFC 3339; ClosedAt is "" while the
	// session is not closed.
	OpenedAt     string      `json:"opened_at"`
	ClosedAt     string      `json:"closed_at"`
	Exit         state.Exit  `json:"exit"`
	Inconclusive bool        `json:"inconclusive"`
	Warnings     []string    `json:"warnings"`
	Seats        []Seat      `json:"seats"`
	Usage        state.Usage `json:"usage"`
	Fork         Fork        `json:"fork"`
	// Playbook is that of the format dialectic, else nil.
	Playbook *Playbook `json:"playbook"`
}

// NewFork returns where a session was forked from in its exported form.
func NewFork(f state.Fork) Fork {
	return Fork{From: f.From, Seq: f.Seq, Head: f.Head, At: moment(f.At)}
}

// Fork says that the first events of a session are those of another one.
type Fork struct {
	// From is the id of the other session, "" where there is none; then the
	// other fields are "" and 0.
	From string `json:"from"`
	// Seq is the last event that was taken, from 1.
	Seq int `json:"seq"`
	// Head is the SHA-256 of that event's line in the other session, in hex.
	Head string `json:"head"`
	// At is when it was taken, in UTC as RFC 3339.
	At string `json:"at"`
}

// Seat says who filled a seat at the end.
type Seat struct {
	Seat        state.Seat `json:"seat"`
	Participant string     `json:"participant"`
	// Model is the model that answered, as its endpoint names it, or "".
	Model string `json:"model"`
	// NoModel says that no language model was at work.
	NoModel bool `json:"no_model"`
	// Answering is the fallback that answered last in place of Participant, because
	// the user named it for that.
	Answering string `json:"answering,omitempty"`
}

// Folded is the state that the events lead to.
type Folded struct {
	Round      int                `json:"round"`
	Phase      state.Phase        `json:"phase"`
	Map        state.Map          `json:"map"`
	Ledger     []Fact             `json:"ledger"`
	Points     []Point            `json:"points"`
	Challenges []Challenge        `json:"challenges"`
	Evidence   []ledger.Evidence  `json:"evidence"`
	Confidence []state.Confidence `json:"confidence"`
	Drifts     []state.Drift      `json:"drifts"`
	Questions  []state.Question   `json:"questions"`
	Flags      []state.Flag       `json:"flags"`
}

// Fact is a ledger entry.
type Fact struct {
	ID string `json:"id"`
	// Tag is user, verified, revision, or a seat's name and "-unverified".
	Tag        string `json:"tag"`
	Text       string `json:"text"`
	Reference  string `json:"reference"`
	Supersedes string `json:"supersedes"`
	Round      int    `json:"round"`
	// Live is false once another fact supersedes this one.
	Live bool `json:"live"`
	// Evaluated is false for unverified facts that nothing was said of.
	Evaluated bool `json:"evaluated"`
}

// Point is a claim under deliberation.
type Point struct {
	ID      string       `json:"id"`
	Text    string       `json:"text"`
	Kind    state.Kind   `json:"kind"`
	Authors []state.Seat `json:"authors"`
	Round   int          `json:"round"`
	Phase   state.Phase  `json:"phase"`
	// Classifications are the last of each seat.
	Classifications map[state.Seat]state.Class `json:"classifications"`
	// Aliases are the ids of points that were merged into this one, MergedInto
	// the point that this one was merged into.
	Aliases    []string `json:"aliases"`
	MergedInto string   `json:"merged_into"`
	// Revises is the point that this one replaces.
	Revises   string     `json:"revises"`
	Predicate *Predicate `json:"predicate"`
	// Facts are the facts of the packet that it cites, in a hearing.
	Facts []string `json:"facts"`
	// Field is what the point is in the format dialectic, else nil.
	Field *Field `json:"field"`
}

// Predicate is what a point says in a form that a machine can compare.
type Predicate struct {
	Path string `json:"path"`
	Op   string `json:"op"`
	// Value is any JSON value.
	Value json.RawMessage `json:"value"`
}

// Challenge is an attack on a point, with its defenses.
type Challenge struct {
	ID           string                `json:"id"`
	Point        string                `json:"point"`
	By           state.Seat            `json:"by"`
	Kind         state.Class           `json:"kind"`
	Objection    string                `json:"objection"`
	UpgradeIf    string                `json:"upgrade_if"`
	Status       state.ChallengeStatus `json:"status"`
	Round        int                   `json:"round"`
	ReminderSent bool                  `json:"reminder_sent"`
	// Facts are the facts of the packet that it cites against the point, in a hearing.
	Facts    []string  `json:"facts"`
	Defenses []Defense `json:"defenses"`
	// Typed is what the challenge is in the format dialectic, else nil.
	Typed *Typed `json:"typed"`
}

// Defense is one answer to a challenge.
type Defense struct {
	Round    int            `json:"round"`
	By       state.Seat     `json:"by"`
	Text     string         `json:"text"`
	Judgment state.Judgment `json:"judgment"`
	Reason   string         `json:"reason"`
	// Facts are the facts of the packet that it cites, in a hearing.
	Facts []string `json:"facts"`
}

// Ruling is what the resolver says of a point, with the receipt: the rule that
// fired and the ids that it read.
type Ruling struct {
	Point  string       `json:"point"`
	Bucket state.Bucket `json:"bucket"`
	Tag    state.Tag    `json:"tag"`
	Status state.Status `json:"status"`
	Crux   string       `json:"crux"`
	Reason string       `json:"reason"`
	Rule   string       `json:"rule"`
	Reads  []string     `json:"reads"`
}

// Chain is the end of the session file's chain.
type Chain struct {
	// Head is the SHA-256 of the last line without its newline, in hex; ""
	// where there is no file.
	Head string `json:"head"`
	// Events counts the lines.
	Events int `json:"events"`
}

// Export returns the JSON form of a session. Head is that of its chain, lines
// the text of its events, or nil to leave them out.
func Export(s *state.State, rulings []state.Ruling, head string, lines []string) Session {
	return Session{
		Schema: SchemaName,
		Session: Header{
			ID: s.ID, Question: s.Question, Format: s.Settings.Format, Framing: s.Settings.Framing,
			Mode:     s.Settings.Mode,
			OpenedAt: moment(s.OpenedAt), ClosedAt: moment(s.ClosedAt),
			Exit: exitOf(s), Inconclusive: s.Inconclusive, Warnings: some(Warnings(s, rulings)),
			Seats: exportSeats(s), Usage: s.Usage,
			Fork: NewFork(s.Fork), Playbook: exportPlaybook(s),
		},
		State:    exportState(s),
		Rulings:  exportRulings(rulings),
		Baseline: some(Baseline(s, rulings)),
		Outcome:  formOf(s).outcome(s),
		Metrics:  Measure(s, rulings),
		Chain:    Chain{Head: head, Events: s.Seq},
		Events:   lines,
	}
}

// exitOf is the exit as exports name it: a pause is one as long as it lasts.
func exitOf(s *state.State) state.Exit {
	if s.Exit != state.ExitNone {
		return s.Exit
	}
	switch s.Paused {
	case state.PauseBudget:
		return state.ExitBudget
	case state.PauseUser, state.PauseUnreachable, state.PauseContext:
		return state.ExitPaused
	case state.PauseNone:
	}
	return state.ExitNone
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// some returns the list, never nil: absent is [].
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func exportSeats(s *state.State) []Seat {
	seats := []Seat{}
	for _, a := range s.Seats {
		seats = append(seats, Seat(a))
	}
	return seats
}

func exportRulings(rulings []state.Ruling) []Ruling {
	out := []Ruling{}
	for i := range rulings {
		r := &rulings[i]
		out = append(out, Ruling{
			Point: r.Point, Bucket: r.Bucket, Tag: r.Tag, Status: r.Status,
			Crux: r.Crux, Reason: r.Reason, Rule: r.Rule, Reads: some(r.Reads),
		})
	}
	return out
}
