package report

import (
	"fmt"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// SchemaName is the value of "schema" in every export.
const SchemaName = ledger.Marker + "1"

// Session is the exported JSON of one session. Nothing is omitted: an absent value is
// "", [] or 0; only "events" is optional. docs/session.md describes it, and
// docs/session.schema.json is its JSON Schema.
type Session struct {
	// Schema is SchemaName.
	Schema  string `json:"schema"`
	Session Header `json:"session"`
	State   State  `json:"state"`
	// Rulings holds one ruling per point, in the order of the points.
	Rulings  []state.Ruling `json:"rulings"`
	Baseline []view.Change  `json:"baseline"`
	// Outcome holds the results of the format besides its rulings; each format has its own type.
	Outcome any `json:"outcome"`
	// Document is the result in the words that text, Markdown and the screens show (SE3).
	Document Document `json:"document"`
	Metrics  Metrics  `json:"metrics"`
	Chain    Chain    `json:"chain"`
	// Events are the lines of the session file, verbatim and without their newlines.
	Events []string `json:"events,omitempty"`
}

// Document is the result of a session in words.
type Document struct {
	// Lead is the first line: what was decided, and why. It is "" in most formats.
	Lead string `json:"lead"`
	// Stopped says why a session paused or ended badly, Heading and Verdict that it has no result, and why.
	Stopped string `json:"stopped"`
	// Notices say what keeps facts of the user from holding.
	Notices []string `json:"notices"`
	Heading string   `json:"heading"`
	Verdict []string `json:"verdict"`
	// Warnings tell a reader what limits the rulings.
	Warnings []string `json:"warnings"`
	// Rows are a label and a text each. A row without a label continues the one before.
	Rows []Row `json:"rows"`
	// Sections begin with the answer, if there is one, and what is open for the user.
	Sections []Section `json:"sections"`
}

// Row is a label with its text.
type Row struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// Section is a heading with lines, items, or a table whose first row and column are headings.
type Section struct {
	Title string `json:"title"`
	// Count counts the things that the items cover; it is 0 if nothing is counted.
	Count int        `json:"count"`
	Lines []string   `json:"lines"`
	Items []Item     `json:"items"`
	Table [][]string `json:"table"`
	// After is a sentence below the items.
	After string `json:"after"`
}

// Item is one point, challenge, question or fact of a section, with its notes.
type Item struct {
	ID      string   `json:"id"`
	Aliases []string `json:"aliases"`
	Mark    string   `json:"mark"`
	Text    string   `json:"text"`
	Notes   []Note   `json:"notes"`
}

// Note is a remark about an item, with the verbatim lines that support it.
type Note struct {
	Label string `json:"label"`
	Text  string `json:"text"`
	Quote string `json:"quote"`
}

func exportDocument(s *state.State, rulings []state.Ruling) Document {
	d := view.Session(s, rulings)
	out := Document{
		Lead: d.Lead, Stopped: d.Stopped, Notices: view.Some(d.Notices), Heading: d.Heading, Verdict: view.Some(d.Verdict), Warnings: view.Some(d.Warnings),
		Rows: []Row{}, Sections: []Section{},
	}
	for _, r := range d.Rows {
		out.Rows = append(out.Rows, Row(r))
	}
	first := view.Document{}
	first.Add(d.Answer, d.Open)
	d.Sections = append(first.Sections, d.Sections...)
	for i := range d.Sections {
		sec := &d.Sections[i]
		section := Section{
			Title: sec.Title, Lines: view.Some(sec.Lines), Items: []Item{}, Table: view.Some(sec.Table), After: sec.After,
		}
		if !sec.Uncounted {
			section.Count = sec.Total()
		}
		for _, it := range sec.Items {
			item := Item{ID: it.ID, Aliases: view.Some(it.Aliases), Mark: it.Mark, Text: it.Text, Notes: []Note{}}
			for _, n := range it.Notes {
				item.Notes = append(item.Notes, Note(n))
			}
			section.Items = append(section.Items, item)
		}
		out.Sections = append(out.Sections, section)
	}
	return out
}

// Header describes how a session was opened and how it ended.
type Header struct {
	ID       string        `json:"id"`
	Question string        `json:"question"`
	Format   state.Format  `json:"format"`
	Framing  state.Framing `json:"framing"`
	Mode     state.Mode    `json:"mode"`
	// OpenedAt and ClosedAt are in UTC as RFC 3339; ClosedAt is "" until the session is closed.
	OpenedAt     string     `json:"opened_at"`
	ClosedAt     string     `json:"closed_at"`
	Exit         state.Exit `json:"exit"`
	Inconclusive bool       `json:"inconclusive"`
	// ExitCode is the exit code of a command that ends with this result; docs/exit-codes.md lists them.
	ExitCode protocol.ExitCode `json:"exit_code"`
	// Failure is why the session paused or ended badly; all of it is "" otherwise.
	Failure view.Failure `json:"failure"`
	// Withheld lists the files, and the lines, that seats did not see.
	Withheld []view.ExportedWithheld `json:"withheld"`
	Warnings []string                `json:"warnings"`
	Seats    []state.SeatAssignment  `json:"seats"`
	Usage    state.Usage             `json:"usage"`
	Fork     Fork                    `json:"fork"`
	// Follows is the ID of the session that the question follows up on, or "".
	Follows string `json:"follows"`
	// Playbook is the name of the playbook in the format dialectic, else "".
	Playbook string `json:"playbook"`
}

// NewFork returns the exported form of a fork.
func NewFork(f state.Fork) Fork {
	return Fork{From: f.From, Seq: f.Seq, Head: f.Head, At: view.Moment(f.At)}
}

// Fork says that the first events of a session were copied from another one.
type Fork struct {
	// From is the id of the other session. If it is "", the other fields are "" and 0.
	From string `json:"from"`
	// Seq is the last event that was copied, from 1.
	Seq int `json:"seq"`
	// Head is the SHA-256 of that event's line in the other session, in hex.
	Head string `json:"head"`
	// At is when it was copied, in UTC as RFC 3339.
	At string `json:"at"`
}

// State is the state after all events.
type State struct {
	Round      int                `json:"round"`
	Phase      state.Phase        `json:"phase"`
	Map        view.Space         `json:"map"`
	Ledger     []Fact             `json:"ledger"`
	Points     []Point            `json:"points"`
	Challenges []Challenge        `json:"challenges"`
	Evidence   []Evidence         `json:"evidence"`
	Confidence []state.Confidence `json:"confidence"`
	Drifts     []state.Drift      `json:"drifts"`
	Questions  []state.Question   `json:"questions"`
	Requests   []Request          `json:"requests"`
	Flags      []state.Flag       `json:"flags"`
	// NotTaken are the moves that were not admitted because of a limit.
	NotTaken []state.Untaken `json:"not_taken"`
	// Workspace is the map in the first prompts. Lookups holds the lookups of all seats.
	Workspace *state.WorkspaceMap    `json:"workspace,omitempty"`
	Lookups   []state.LookupAnswered `json:"lookups"`
}

// Request asks for evidence: in words, or in a form that code checks: one of Command, Query, Lookup, URL and Reference.
type Request struct {
	// ID is the one that gates and their reasons use. Objection is the challenge that it is about, or "".
	ID        string `json:"id"`
	Objection string `json:"objection"`
	Command   string `json:"command"`
	Query     string `json:"query"`
	Lookup    string `json:"lookup"`
	URL       string `json:"url"`
	Reference string `json:"reference"`
	Text      string `json:"text"`
	// Expect is the expected result of the check. Clears says which result clears the objection: met or unmet.
	Expect string            `json:"expect"`
	Clears state.CheckResult `json:"clears"`
	// Result is the outcome: the result with its item, why it did not run, or "" while it is open.
	Result string `json:"result"`
}

// Evidence is an item with the seats that say whether it bears on its point (RV).
type Evidence struct {
	ledger.Evidence
	// Counts says that rulings read it.
	Counts     bool     `json:"counts"`
	AcceptedBy []string `json:"accepted_by"`
	// Contested are the contests that have not ended.
	Contested []Contest `json:"contested"`
}

// Contest is the objection of a seat that an item does not bear on its point.
type Contest struct {
	Seat   string `json:"seat"`
	Reason string `json:"reason"`
}

func exportEvidence(s *state.State, e *ledger.Evidence) Evidence {
	out := Evidence{Evidence: *e, AcceptedBy: []string{}, Contested: []Contest{}}
	if p := s.Live(e.Point); p != nil {
		out.Counts = resolver.Counts(s, p, e)
	}
	for _, a := range e.Accepted {
		out.AcceptedBy = append(out.AcceptedBy, a.Seat)
	}
	for _, c := range e.Contests {
		if !c.Ended {
			out.Contested = append(out.Contested, Contest{c.Seat, c.Reason})
		}
	}
	return out
}

// Fact is a ledger entry.
type Fact struct {
	ID string `json:"id"`
	// Tag is user, verified, revision, earlier, or a seat's name and "-unverified".
	Tag        string `json:"tag"`
	Text       string `json:"text"`
	Reference  string `json:"reference"`
	Supersedes string `json:"supersedes"`
	Round      int    `json:"round"`
	// Predicate is the form of a text such as "retries <= 2" that code checks claims against.
	Predicate *ledger.Predicate `json:"predicate,omitempty"`
	// Live is false once another fact supersedes this one.
	Live bool `json:"live"`
	// Evaluated is false for unverified facts that nobody verified or dismissed.
	Evaluated bool `json:"evaluated"`
}

// Point is a claim under deliberation, with its ruling.
type Point struct {
	ID   string     `json:"id"`
	Text string     `json:"text"`
	Kind state.Kind `json:"kind"`
	// Needs are the points that it rests on, as a seat named them.
	Needs   []string     `json:"needs"`
	Authors []state.Seat `json:"authors"`
	Round   int          `json:"round"`
	Phase   state.Phase  `json:"phase"`
	// Classifications are the last of each seat.
	Classifications map[state.Seat]state.Class `json:"classifications"`
	// Aliases are the ids of points that were merged into this one, MergedInto the point
	// that this one was merged into.
	Aliases    []string `json:"aliases"`
	MergedInto string   `json:"merged_into"`
	// Revises is the point that this one replaces.
	Revises   string            `json:"revises"`
	Predicate *ledger.Predicate `json:"predicate"`
	// Words are the judgments of the seats, with their reasons, and UserRulings the rulings of the user, in order.
	Words       []Word       `json:"words"`
	UserRulings []UserRuling `json:"user_rulings"`
	// Facts are the facts of the packet that it cites, in a hearing.
	Facts []string `json:"facts"`
	// Field holds what the format adds: a field of the proposal in a dialectic, else nil.
	Field any `json:"field"`
	// Bucket, Tag and Status repeat the ruling.
	Bucket state.Bucket `json:"bucket"`
	Tag    state.Tag    `json:"tag"`
	Status state.Status `json:"status"`
}

// Word is a seat's judgment of a point.
type Word struct {
	Seat  state.Seat `json:"seat"`
	Round int        `json:"round"`
	// Word is a class, CONCEDE, or accepted or rejected for the answer to Challenge, which is else "".
	Word      string `json:"word"`
	Reason    string `json:"reason"`
	Challenge string `json:"challenge"`
	// Void says that it is no longer in force: it was taken back, or the user reopened the point.
	Void bool `json:"void"`
}

// UserRuling is a ruling of the user on a point.
type UserRuling struct {
	Bucket state.Bucket `json:"bucket"`
	Reason string       `json:"reason"`
	Round  int          `json:"round"`
	// Channel is the way the ruling came, "" through a terminal.
	Channel state.Channel `json:"channel"`
	// Void says that a later ruling or a reopening took its place.
	Void bool `json:"void"`
}

// Defense is an answer to a challenge.
type Defense struct {
	state.Defense
	// Void says that the user reopened the point after it.
	Void bool `json:"void"`
}

// Challenge is an attack on a point, with its defenses.
type Challenge struct {
	ID        string      `json:"id"`
	Point     string      `json:"point"`
	By        state.Seat  `json:"by"`
	Kind      state.Class `json:"kind"`
	Objection string      `json:"objection"`
	UpgradeIf string      `json:"upgrade_if"`
	// FlawKind, Grounds and WhyNotSkeptical belong to a REJECT: the kind of its flaw, its evidence or reasoning, and
	// why SKEPTICAL is not enough.
	FlawKind        string                `json:"flaw_kind"`
	Grounds         string                `json:"grounds"`
	WhyNotSkeptical string                `json:"why_not_skeptical"`
	Status          state.ChallengeStatus `json:"status"`
	Round           int                   `json:"round"`
	ReminderSent    bool                  `json:"reminder_sent"`
	// Facts are the facts of the packet that it cites against the point, in a hearing.
	Facts    []string  `json:"facts"`
	Defenses []Defense `json:"defenses"`
	// Typed holds what the format adds: the typed objection in a dialectic, else nil.
	Typed any `json:"typed"`
}

// Chain is the end of the session file's chain.
type Chain struct {
	// Head is the SHA-256 of the last line without its newline, in hex; "" without a file.
	Head string `json:"head"`
	// Events counts the lines.
	Events int `json:"events"`
}

// Metrics are figures that are computed from a session's events.
type Metrics struct {
	// Seats holds one entry for each filled seat.
	Seats []SeatMetrics `json:"seats"`
	// Panel is about the answers of a panel; nil in other formats.
	Panel any `json:"panel"`
	// Debate says how good the debate was, in all formats.
	Debate state.Metrics `json:"debate"`
}

// SeatMetrics says how a seat changed its positions (ST3).
type SeatMetrics struct {
	Seat state.Seat `json:"seat"`
	// Retreat is the retreat index, 0 to 1: the mean drop of the seat's stated confidence
	// without a cause, over its Reports that followed an earlier one on the same point.
	Retreat float64 `json:"retreat"`
	Reports int     `json:"reports"`
	// Rigidity is the rigidity index, 0 to 1: the share of Counter that changed nothing. Counter
	// counts verified items of others against the seat's position at the time.
	Rigidity float64 `json:"rigidity"`
	Counter  int     `json:"counter"`
}

// Export returns the JSON form of a session. The head belongs to its chain, lines the text
// of its events, or nil to omit them.
func Export(s *state.State, rulings []state.Ruling, head string, lines []string) Session {
	warnings := view.Warnings(s, rulings)
	failure, _ := view.StopOf(s)
	if blind := view.Stated("blind", view.Record{State: s, Rulings: rulings}); blind != "" {
		warnings = append(warnings, blind)
	}
	out := Session{
		Schema: SchemaName,
		Session: Header{
			ID: s.ID, Question: s.Question, Format: s.Settings.Format, Framing: s.Settings.Framing,
			Mode: s.Settings.Mode, OpenedAt: view.Moment(s.OpenedAt), ClosedAt: view.Moment(s.ClosedAt),
			Exit: exitOf(s), ExitCode: protocol.SessionExitCode(s, false),
			Inconclusive: s.Inconclusive, Failure: failure, Withheld: view.Withheld(s), Warnings: view.Some(warnings), Seats: view.Some(s.Seats), Usage: s.Usage,
			Fork: NewFork(s.Fork), Playbook: view.Variant(&s.Settings),
		},
		State: exportState(s, rulings), Rulings: view.Some(rulings), Baseline: view.Some(view.Baseline(s, rulings)),
		Outcome: view.FormatOf(s).
			Outcome(s),
		Document: exportDocument(s, rulings), Metrics: Measure(s, rulings), Chain: Chain{Head: head, Events: s.Seq},
		Events: lines,
	}
	if e := s.Settings.Follows; e != nil {
		out.Session.Follows = e.ID
	}
	return out
}

// exitOf returns the exit as exports name it: a pause counts as one while it lasts.
func exitOf(s *state.State) state.Exit {
	if s.Over() {
		return s.Ended()
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

func exportState(s *state.State, rulings []state.Ruling) State {
	out := State{
		Round: s.Round, Phase: s.Phase, Map: view.SpaceOf(s),
		Ledger: []Fact{}, Points: []Point{}, Challenges: []Challenge{}, Evidence: []Evidence{},
		Confidence: []state.Confidence{}, Drifts: []state.Drift{}, Questions: []state.Question{},
		Flags: view.Some(s.Flags), NotTaken: view.Some(s.Untaken), Lookups: []state.LookupAnswered{},
		Requests: []Request{},
	}
	for _, f := range s.Facts.All() {
		tag := f.Label()
		if f.Tag == ledger.TagVerified || f.Tag == ledger.TagEarlier {
			// The label would repeat the reference.
			tag = string(f.Tag)
		}
		out.Ledger = append(out.Ledger, Fact{
			ID: f.ID, Tag: tag, Text: f.Text, Reference: f.Reference, Supersedes: f.Supersedes, Round: f.Round,
			Live: f.Live, Evaluated: f.Evaluated, Predicate: first(f.Predicates),
		})
	}
	byPoint := map[string]*state.Ruling{}
	for i := range rulings {
		byPoint[rulings[i].Point] = &rulings[i]
	}
	for _, p := range s.Points.All() {
		point := exportPoint(s, p)
		if r := byPoint[p.ID]; r != nil {
			point.Bucket, point.Tag, point.Status = r.Bucket, r.Tag, r.Status
		}
		out.Points = append(out.Points, point)
	}
	argument := view.NewArgument(s, rulings)
	for _, c := range s.Challenges.All() {
		out.Challenges = append(out.Challenges, exportChallenge(s, c, argument.Status(c).Status))
	}
	for _, e := range s.Evidence.All() {
		out.Evidence = append(out.Evidence, exportEvidence(s, e))
	}
	for _, c := range s.Confidence.All() {
		out.Confidence = append(out.Confidence, *c)
	}
	for _, d := range s.Drifts.All() {
		out.Drifts = append(out.Drifts, *d)
	}
	for _, q := range s.Questions.All() {
		question := *q
		question.Options = view.Some(question.Options)
		out.Questions = append(out.Questions, question)
	}
	for i, r := range s.Requests.All() {
		if r.Kind != state.RequestEvidence {
			continue
		}
		out.Requests = append(out.Requests, Request{
			ID: fmt.Sprintf(
				"request %d",
				i+1,
			), Objection: r.About, Command: r.Command, Query: r.Query, Lookup: r.Lookup,
			URL: r.URL, Reference: r.Reference, Text: r.Text, Expect: r.Expect, Clears: r.Clears, Result: view.FormatOf(s).RequestResult(s, r),
		})
	}
	out.Workspace = s.Settings.Map
	for _, l := range s.Lookups.All() {
		out.Lookups = append(out.Lookups, *l)
	}
	return out
}

func exportPoint(s *state.State, p *state.Point) Point {
	out := Point{
		ID: p.ID, Text: p.Text, Kind: resolver.KindOf(s, p), Needs: view.Some(p.Needs), Authors: view.Some(p.Authors), Round: p.Round, Phase: p.Phase,
		Classifications: map[state.Seat]state.Class{}, Aliases: view.Some(p.Aliases), MergedInto: p.MergedInto,
		Revises: p.Revises, Predicate: first(p.Predicates()), Facts: view.Some(p.Facts), Field: view.FormatOf(s).Point(p),
		Bucket: state.BucketOpen, Words: []Word{}, UserRulings: []UserRuling{},
	}
	for i := range p.Words {
		w := &p.Words[i]
		out.Words = append(out.Words, Word{w.Seat, w.Round, w.Word, w.Reason, w.Challenge, !p.InForce(w)})
	}
	for _, u := range p.UserRulings {
		void := p.UserRuling == nil || p.UserRuling.Seq != u.Seq
		out.UserRulings = append(out.UserRulings, UserRuling{u.Bucket, u.Reason, u.Round, u.Channel, void})
	}
	for _, c := range p.Classes {
		out.Classifications[c.Seat] = c.Class
	}
	return out
}

func exportChallenge(s *state.State, c *state.Challenge, status state.ChallengeStatus) Challenge {
	out := Challenge{
		ID: c.ID, Point: c.Point, By: c.By, Kind: c.Kind, Objection: c.Objection, UpgradeIf: c.UpgradeIf,
		FlawKind: string(c.FlawKind), Grounds: c.Grounds, WhyNotSkeptical: c.WhyNotSkeptical,
		Status: status, Round: c.Round, ReminderSent: c.ReminderSent, Facts: view.Some(c.Facts),
		Typed:    view.FormatOf(s).Challenge(s, c),
		Defenses: []Defense{},
	}
	for _, d := range c.Defenses {
		d.Facts = view.Some(d.Facts)
		out.Defenses = append(out.Defenses, Defense{d, d.Seq <= c.Since})
	}
	return out
}

// Measure computes the metrics of a session.
func Measure(s *state.State, rulings []state.Ruling) Metrics {
	m := Metrics{
		Seats: []SeatMetrics{}, Panel: view.FormatOf(s).Counts(s), Debate: resolver.Measure(s, rulings),
	}
	for _, a := range s.Seats {
		seat := SeatMetrics{Seat: a.Seat}
		calibration := resolver.Calibrate(s, a.Seat)
		dropped, unmoved := 0.0, 0
		for _, shift := range calibration.Shifts {
			seat.Reports++
			dropped += shift.Uncaused()
		}
		for _, counter := range calibration.Counter {
			seat.Counter++
			if !counter.Moved {
				unmoved++
			}
		}
		if seat.Reports > 0 {
			seat.Retreat = dropped / float64(seat.Reports)
		}
		if seat.Counter > 0 {
			seat.Rigidity = float64(unmoved) / float64(seat.Counter)
		}
		m.Seats = append(m.Seats, seat)
	}
	return m
}

// first returns the first predicate, or nil.
func first(predicates []ledger.Predicate) *ledger.Predicate {
	if len(predicates) == 0 {
		return nil
	}
	return &predicates[0]
}
