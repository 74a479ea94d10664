package state

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/ledger"
)

// Format names a set of rules for turns and moves.
type Format string

// UnmarshalText takes any word of lower-case letters, digits and hyphens, so that
// tests can add formats. A Decoder refuses the formats that it was not given.
func (f *Format) UnmarshalText(text []byte) error {
	if len(text) == 0 || len(text) > 40 || strings.Trim(string(text), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("a format is a word of lower-case letters, digits and hyphens, not %q", text)
	}
	*f = Format(text)
	return nil
}

// Mode is how much of the protocol runs. It is "" outside consult.
type Mode string

// The modes.
const (
	ModeStandard Mode = "standard"
	ModeMinimal  Mode = "minimal"
	ModeQuick    Mode = "quick"
)

// Modes returns every Mode.
func Modes() []Mode { return []Mode{ModeStandard, ModeMinimal, ModeQuick} }

// Framing decides who proposes first, and what. It is "" outside consult.
type Framing string

// The framings.
const (
	FramingPropose    Framing = "propose"
	FramingCritique   Framing = "critique"
	FramingSteelman   Framing = "steelman"
	FramingComplete   Framing = "complete"
	FramingCompare    Framing = "compare"
	FramingVerify     Framing = "verify"
	FramingPosition   Framing = "position"
	FramingSynthesize Framing = "synthesize"
	FramingRedteam    Framing = "redteam"
	FramingParallel   Framing = "parallel"
	FramingAudit      Framing = "audit"
)

// Framings returns every Framing.
func Framings() []Framing {
	return []Framing{
		FramingPropose, FramingCritique, FramingSteelman, FramingComplete, FramingCompare,
		FramingVerify, FramingPosition, FramingSynthesize, FramingRedteam, FramingParallel,
		FramingAudit,
	}
}

// SeatAssignment says which participant fills a seat.
type SeatAssignment struct {
	Seat Seat `json:"seat"`
	// Participant is the string that names it: "rules", "openai:gpt-5.2".
	Participant string `json:"participant"`
	// Model is the model that answers, as the endpoint names it, or "".
	Model string `json:"model"`
	// NoModel says that no language model fills the seat.
	NoModel bool `json:"no_model"`
	// Looks says that it is offered lookups, if the session has any.
	Looks bool `json:"looks,omitempty"`
	// Answering is the fallback that answered last in place of Participant, because the user named
	// it for that; "" if Participant answers.
	Answering string `json:"answering,omitempty"`
}

// Answers returns the participant that answers for the seat, and whether it is a fallback.
func (a *SeatAssignment) Answers() (name string, fallback bool) {
	if a.Answering != "" {
		return a.Answering, true
	}
	return a.Participant, false
}

// The participants without a model: the built-in rules, and the person at the keyboard.
const (
	BuiltInRules = "rules"
	Person       = "me"
)

// ByRules reports whether the built-in rules answer for a seat now. They search and
// check that citations exist; they judge nothing (RV2).
func (s *State) ByRules(seat Seat) bool {
	a, seated := s.Assignment(seat)
	if !seated {
		return false
	}
	name, _ := a.Answers()
	_, is := SplitName(name)
	return is == BuiltInRules
}

// ByPerson reports whether the person at the keyboard answers for a seat now.
func (s *State) ByPerson(seat Seat) bool {
	a, _ := s.Assignment(seat)
	name, _ := a.Answers()
	_, is := SplitName(name)
	return is == Person
}

// View is one stakeholder's view (framing synthesize).
type View struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Input is the material of a framing in addition to the question.
type Input struct {
	// Design is the text of the file, DesignPath its name. In the framing audit it is the written review.
	Design     string   `json:"design"`
	DesignPath string   `json:"design_path"`
	Position   string   `json:"position"`
	Options    []string `json:"options"`
	Views      []View   `json:"views"`
	// Audit holds the result of checking the review in Design, or is nil.
	Audit *Audit `json:"audit,omitempty"`
}

// Audit holds the statements of a written review, with what code found at the places that they name before a seat read
// it. Its nth statement is the nth point.
type Audit struct {
	// Commit is the one that was checked out, or "" without one. NoHistory says why the history could not be asked, or
	// is "".
	Commit     string             `json:"commit"`
	NoHistory  string             `json:"no_history"`
	Statements []AuditedStatement `json:"statements"`
}

// AuditedStatement is a statement of a review.
type AuditedStatement struct {
	Text string `json:"text"`
	// Line is the line of the review on which it begins, from 1.
	Line   int            `json:"line"`
	Places []AuditedPlace `json:"places"`
}

// AuditedPlace is a place that a statement names.
type AuditedPlace struct {
	// Cited is the place as the review names it, Path the file that is meant, or "" if that is not clear.
	Cited   string       `json:"cited"`
	Path    string       `json:"path"`
	Verdict PlaceVerdict `json:"verdict"`
	// Reason says why, in one clause. Found is the place of what it quotes, or "".
	Reason string `json:"reason"`
	Found  string `json:"found"`
	// Commit is the one whose version of the file fits, or "".
	Commit string `json:"commit"`
	// Text has the first lines there as they are now, or is "".
	Text string `json:"text"`
}

// PlaceVerdict says what became of a place that a written review names.
type PlaceVerdict string

// The verdicts, the accusations first.
const (
	PlaceAbsent    PlaceVerdict = "absent"
	PlaceMisplaced PlaceVerdict = "misplaced"
	PlaceUnchecked PlaceVerdict = "unchecked"
	PlaceSupported PlaceVerdict = "supported"
	PlaceVerified  PlaceVerdict = "verified"
)

// PlaceVerdicts returns the verdicts, the accusations first.
func PlaceVerdicts() []PlaceVerdict {
	return []PlaceVerdict{PlaceAbsent, PlaceMisplaced, PlaceUnchecked, PlaceSupported, PlaceVerified}
}

// Accuses reports whether a verdict says that the review is wrong.
func (v PlaceVerdict) Accuses() bool { return v == PlaceAbsent || v == PlaceMisplaced }

// Count counts the places by their verdict.
func (a *Audit) Count() map[PlaceVerdict]int {
	counts := map[PlaceVerdict]int{}
	for i := range a.Statements {
		for j := range a.Statements[i].Places {
			counts[a.Statements[i].Places[j].Verdict]++
		}
	}
	return counts
}

// Accused returns how many places are absent or misplaced.
func (a *Audit) Accused() int {
	counts := a.Count()
	return counts[PlaceAbsent] + counts[PlaceMisplaced]
}

// Document is a context file as it is shown to the participants.
type Document struct {
	// Path is relative to the workspace if the file is in it, so that it can be cited; otherwise it
	// is as the user gave it.
	Path string `json:"path"`
	Text string `json:"text"`
	// Files are the changed files if the document is a diff that moot made of them, in the order of the text. Those
	// that the user left out are not among them.
	Files []ChangedFile `json:"files,omitzero"`
}

// ChangedFile is a file of a change under review.
type ChangedFile struct {
	// Path is relative to the top of the repository, as in git.
	Path string `json:"path"`
	// Bytes is how much of the text of the document shows it, 0 if it is withheld.
	Bytes int `json:"bytes"`
}

// Earlier is the session that a follow-up question is about: its question and answer, the points
// that it left open, and the lines that were cited. None of it is evidence: the seats cite again.
type Earlier struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Answer   []string `json:"answer"`
	Open     []string `json:"open"`
	Cited    []string `json:"cited"`
}

// Settings are fixed when a session opens; later events may extend a budget or
// replace a participant.
type Settings struct {
	Format     Format  `json:"format"`
	Framing    Framing `json:"framing"`
	Mode       Mode    `json:"mode"`
	HighStakes bool    `json:"high_stakes"`
	// Arbitration asks the arbiter even if nothing triggers it.
	Arbitration bool `json:"arbitration"`
	// Attended says that a person can answer the session's questions.
	Attended bool `json:"attended"`
	// Agent says that a coding agent runs the session. A person may join and answer its questions, but nothing
	// waits for that.
	Agent bool  `json:"agent,omitempty"`
	Input Input `json:"input"`
	// Follows summarizes the earlier session that this one follows, or is nil.
	Follows *Earlier `json:"follows,omitempty"`
	// Context holds the documents that the user added.
	Context []Document `json:"context"`
	// QuestionPath is the file with the question, named like Document.Path, or "" for a question
	// that was typed.
	QuestionPath string `json:"question_path,omitempty"`
	// Workspace is the folder that citations refer to, "" for none.
	Workspace string `json:"workspace"`
	// Tree is the commit in which citations and lookups look instead of the folder, or "".
	Tree string `json:"tree,omitempty"`
	// Map describes the workspace in the first prompt of each seat (LU3), or is nil.
	Map *WorkspaceMap `json:"map,omitempty"`
	// Lookups is how often a seat may look at the workspace in a turn (LU1).
	Lookups int `json:"lookups,omitempty"`
	// Kinds are the kinds of evidence that the session takes beyond citations and commands.
	Kinds []ledger.Kind `json:"kinds,omitzero"`
	// Hosts are those whose pages may be cited.
	Hosts []ledger.Host `json:"hosts,omitzero"`
	// Official are the paths that the user marked as official sources.
	Official []string `json:"official"`
	// AllowPaths are globs of paths that may be cited although they may hold secrets.
	AllowPaths []string `json:"allow_paths"`
	// NoRedact leaves what looks like a secret in context and evidence.
	NoRedact bool `json:"no_redact"`
	// PromptBudget is in tokens, estimated as bytes/4; 0 means the default.
	PromptBudget int `json:"prompt_budget"`
	// MaxTokens caps prompt and completion tokens, MaxCost the cost in US
	// dollars, MaxSeconds the running time; 0 means no cap.
	MaxTokens  int     `json:"max_tokens"`
	MaxCost    float64 `json:"max_cost"`
	MaxSeconds int     `json:"max_seconds"`
	// Own holds the format's own settings, see Own, or nil.
	Own any `json:"own,omitempty"`
	// MetricWeights determine how much each summary counts in the overall figure; nil
	// weights them equally.
	MetricWeights *MetricWeights `json:"metric_weights,omitempty"`
	// Nonce marks the data fences of this session's prompts.
	Nonce string `json:"nonce"`
}

// Audited returns what code found of a written review, or nil in other framings.
func (s *Settings) Audited() *Audit {
	if s.Framing != FramingAudit {
		return nil
	}
	return s.Input.Audit
}

// Change returns the document that shows the change under review, or nil.
func (s *Settings) Change() *Document {
	for i := range s.Context {
		if len(s.Context[i].Files) > 0 {
			return &s.Context[i]
		}
	}
	return nil
}

// SplitName splits a recorded participant into the name that the user gave it and the participant
// itself: "fast=openai:gpt-5-mini (fallback rules)" is "fast" and "openai:gpt-5-mini". Without such
// a name, name is "".
func SplitName(participant string) (name, base string) {
	name, base, named := strings.Cut(participant, "=")
	if !named || base == "" || !validName.MatchString(name) {
		return "", participant
	}
	base, _, _ = strings.Cut(base, " (fallback ")
	return name, base
}

var validName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// SeatConversation is a conversation that the participant of a seat keeps across rounds.
type SeatConversation struct {
	Seat Seat
	// ID is chosen by the participant, so it is untrusted text.
	ID string
}

// Conversation returns the ID of the conversation that the participant of a seat keeps. It
// is "" if the participant keeps none, if another took the seat since, and in a fork: the
// conversation may contain what followed the fork in the original session.
func (s *State) Conversation(seat Seat) string {
	if c := first(s.Conversations, func(c *SeatConversation) bool { return c.Seat == seat }); c != nil {
		return c.ID
	}
	return ""
}

// setConversation records a seat's conversation; "" removes it.
func (s *State) setConversation(seat Seat, id string) {
	s.Conversations = slices.DeleteFunc(slices.Clone(s.Conversations),
		func(c SeatConversation) bool { return c.Seat == seat })
	forked := s.Fork.From != "" && s.Seq <= s.Fork.Seq
	if id != "" && !forked {
		s.Conversations = append(s.Conversations, SeatConversation{seat, id})
	}
}

// warn adds a warning once.
func (s *State) warn(text string) {
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(slices.Clip(s.Warnings), text)
	}
}

// PromptShrunk says that an endpoint refused a prompt for its length, or read only a
// part of it, and how large the prompts of the seat may be from here on (LE7). The seat
// is asked again in the same round (PH3). All sizes are in tokens, estimated as bytes/4.
type PromptShrunk struct {
	Seat  Seat  `json:"seat"`
	Stage Stage `json:"stage"`
	// Sent is the size of the refused prompt. Limit is the limit that the endpoint reported,
	// or 0. Budget is the size from now on.
	Sent   int `json:"sent"`
	Limit  int `json:"limit,omitempty"`
	Budget int `json:"budget"`
	// Cut says that the endpoint did not refuse the prompt: it dropped a part of it,
	// and replied to the rest. That reply is left out.
	Cut bool `json:"cut,omitempty"`
	// Reason is the endpoint's message, or how the cut was noticed.
	Reason string `json:"reason"`
}

func (e *PromptShrunk) Fold(s *State) error {
	s.askedOf(e.Seat, e.Stage, func(a *Asked) { a.Shrunk++ })
	s.shrink(e.Seat, e.Budget)
	if e.Limit == 0 || e.Limit >= e.Sent {
		return nil // The budget is a guess.
	}
	// The limit applies to every seat with the same participant and model.
	a, _ := s.Assignment(e.Seat)
	refused, _ := a.Answers()
	for i := range s.Seats {
		other := &s.Seats[i]
		if name, _ := other.Answers(); name == refused && other.Seat != e.Seat {
			s.shrink(other.Seat, min(e.Budget, s.PromptBudget(other.Seat, e.Budget)))
		}
	}
	return nil
}

// shrink sets the size of a seat's prompts, in tokens.
func (s *State) shrink(seat Seat, budget int) {
	s.Budgets = append(without(s.Budgets, seat), SeatCount{seat, budget})
}

// PromptBudget returns the limit for a prompt of the seat, in tokens: that of the session, or else
// byDefault, or a smaller one that the seat's endpoint forced.
func (s *State) PromptBudget(seat Seat, byDefault int) int {
	budget := cmp.Or(s.Settings.PromptBudget, byDefault)
	if c := countOf(s.Budgets, seat); c != nil {
		budget = min(budget, c.Count)
	}
	return budget
}

// Waits reports whether the session waits for the user's answers. It doesn't if nobody is there, or if a coding agent
// runs it: then what is open is named with the answer, and the user may still decide afterwards.
func (s *Settings) Waits() bool { return s.Attended && !s.Agent }
