package state

import (
	"fmt"
	"strings"

	"moot/internal/enum"
)

// Format names a set of rules for turns and moves.
type Format string

// The formats.
const (
	// FormatConsult is the argumentation protocol.
	FormatConsult Format = "consult"
	// FormatDialectic puts a typed proposal under pressure until code lets it
	// advance, holds it, or asks the user.
	FormatDialectic Format = "dialectic"
	// FormatPanel asks several participants at once, each without the others'
	// answers, and settles what they contradict each other in.
	FormatPanel Format = "panel"
	// FormatCouncil has four seats test claims in four phases, bound by a
	// constitution.
	FormatCouncil Format = "council"
	// FormatHearing has two sides argue from a frozen packet of facts, and arithmetic
	// decide.
	FormatHearing Format = "hearing"
)

// Formats returns every Format.
func Formats() []Format {
	return []Format{FormatConsult, FormatDialectic, FormatPanel, FormatCouncil, FormatHearing}
}

// String returns the word itself.
func (f Format) String() string { return string(f) }

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

// String returns the word itself.
func (m Mode) String() string { return string(m) }

// UnmarshalText refuses a word that is neither a Mode nor "".
func (m *Mode) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*m = ""
		return nil
	}
	return enum.Unmarshal("mode", text, Modes(), m)
}

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
)

// Framings returns every Framing.
func Framings() []Framing {
	return []Framing{
		FramingPropose, FramingCritique, FramingSteelman, FramingComplete, FramingCompare,
		FramingVerify, FramingPosition, FramingSynthesize, FramingRedteam, FramingParallel,
	}
}

// String returns the word itself.
func (f Framing) String() string { return string(f) }

// UnmarshalText refuses a word that is neither a Framing nor "".
func (f *Framing) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*f = ""
		return nil
	}
	return enum.Unmarshal("framing", text, Framings(), f)
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
	// Answering is the fallback that answered last in place of Participant, because
	// the user named it for that; "" where Participant answers.
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
	_, is := OwnName(name)
	return is == BuiltInRules
}

// View is one stakeholder's view (framing synthesize).
type View struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Input is the material of a framing in addition to the question.
type Input struct {
	// Design is the text of the file, DesignPath its name.
	Design     string   `json:"design"`
	DesignPath string   `json:"design_path"`
	Position   string   `json:"position"`
	Options    []string `json:"options"`
	Views      []View   `json:"views"`
}

// Document is a context file as the participants are shown it.
type Document struct {
	// Path is below the workspace where the file lies there, so that it can be
	// cited; else it is as the user named it.
	Path string `json:"path"`
	Text string `json:"text"`
}

// Settings are fixed when a session opens; later events may extend a budget or
// replace a participant.
type Settings struct {
	Format     Format  `json:"format"`
	Framing    Framing `json:"framing"`
	Mode       Mode    `json:"mode"`
	HighStakes bool    `json:"high_stakes"`
	// Arbitration asks the arbiter whatever the triggers say.
	Arbitration bool `json:"arbitration"`
	// Attended says that a person can answer the session's questions.
	Attended bool  `json:"attended"`
	Input    Input `json:"input"`
	// Context holds the documents that the user added.
	Context []Document `json:"context"`
	// QuestionPath is the file that holds the question, below the workspace where
	// it lies there, else as it was named; "" for a question that was typed.
	QuestionPath string `json:"question_path,omitempty"`
	// Workspace is the folder that citations refer to, "" for none.
	Workspace string `json:"workspace"`
	// Official are the paths that the user marked as official sources.
	Official []string `json:"official"`
	// NoRedact leaves what looks like a secret in context and evidence.
	NoRedact bool `json:"no_redact"`
	// PromptBudget is in tokens, estimated as bytes/4; 0 means the default.
	PromptBudget int `json:"prompt_budget"`
	// MaxTokens caps prompt and completion tokens, MaxCost the cost in US
	// dollars, MaxSeconds the running time; 0 means no cap.
	MaxTokens  int     `json:"max_tokens"`
	MaxCost    float64 `json:"max_cost"`
	MaxSeconds int     `json:"max_seconds"`
	// Playbook leads the format dialectic; nil in others.
	Playbook *Playbook `json:"playbook,omitempty"`
	// Panel is how the format panel settles conflicts; nil in others.
	Panel *PanelSettings `json:"panel,omitempty"`
	// Council is how the format council decides; nil in others.
	Council *CouncilSettings `json:"council,omitempty"`
	// Hearing is how the format hearing goes; nil in others.
	Hearing *HearingSettings `json:"hearing,omitempty"`
	// MetricWeights determine how much each summary counts in the overall figure; nil
	// weights them equally.
	MetricWeights *MetricWeights `json:"metric_weights,omitempty"`
	// Nonce marks the data fences of this session's prompts.
	Nonce string `json:"nonce"`
}
