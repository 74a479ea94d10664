package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Type is the kind of artifact behind an evidence item.
type Type string

// The types, strongest first.
const (
	Execution Type = "execution"
	Textual   Type = "textual"
	Claim     Type = "claim"
)

// Types returns every Type, strongest first.
func Types() []Type { return []Type{Execution, Textual, Claim} }

// SourceKind is how an evidence item was obtained. The adapter sets it; a model never chooses its own.
type SourceKind string

// The source kinds, strongest first.
const (
	UserOverride    SourceKind = "user-override"
	LiveAPI         SourceKind = "live-api"
	OfficialSource  SourceKind = "official-source"
	DomainEvidence  SourceKind = "domain-evidence"
	FreshResearch   SourceKind = "fresh-research"
	ModeledFallback SourceKind = "modeled-fallback"
	LLMInference    SourceKind = "llm-inference"
)

// SourceKinds returns every SourceKind, strongest first.
func SourceKinds() []SourceKind {
	return []SourceKind{
		UserOverride, LiveAPI, OfficialSource, DomainEvidence, FreshResearch, ModeledFallback,
		LLMInference,
	}
}

// Relation is how an evidence item bears on its point.
type Relation string

// The relations.
const (
	Supports Relation = "supports"
	Refutes  Relation = "refutes"
	Neutral  Relation = "neutral"
)

// Relations returns every Relation.
func Relations() []Relation { return []Relation{Supports, Refutes, Neutral} }

// Confidence by adapter and outcome of the check, 0 to 1: a constant of code,
// never a model's number (spec of evidence: confidence).
const (
	ConfidenceUser      = 1.0
	ConfidenceExecution = 0.95
	ConfidenceInPlace   = 0.95
	ConfidenceMoved     = 0.90
	ConfidenceOfficial  = 0.95
	ConfidenceFindings  = 0.90
	ConfidenceFetched   = 0.75
	ConfidenceModeled   = 0.65
	ConfidenceWord      = 0.30
)

// The ends of the reason of a citation of a text outside of the workspace.
const (
	GivenByUser  = "; the user gave the file"
	GivenByAgent = "; the agent passed the file"
)

// Marker is in the first 4 KiB of every file that moot writes, so that none is taken as
// evidence (RV4). A version follows.
const Marker = "moot.session/"

// Evidence is one typed item that supports or refutes a point. Type, source
// kind and confidence are three scales that never substitute for each other.
type Evidence struct {
	// ID is E1, E2, … and Point the point that the item bears on.
	ID    string `json:"id"`
	Point string `json:"point"`
	// Relation is how it bears on the point.
	Relation Relation `json:"relation"`
	// Type and SourceKind are stamped by the adapter that checked the item.
	Type       Type       `json:"type"`
	SourceKind SourceKind `json:"source_kind"`
	// Confidence is 0 to 1, by adapter and outcome of the check.
	Confidence float64 `json:"confidence"`
	// Reference is path:line[-line], "$ " and a command, or what another kind of evidence reads. Kind is the one that
	// owned it when it was offered.
	Reference string `json:"reference"`
	Kind      Kind   `json:"-"`
	// Expect is the output that a command must show, "" for other items.
	Expect string `json:"expect"`
	// Patch is what a trial applies, in the normal form of ParsePatch, or "".
	Patch string `json:"patch,omitempty"`
	// Approval is the permission of the user, "" if none is needed.
	Approval Approval `json:"approval"`
	// Excerpt is the passage, verbatim, or the output of a command.
	Excerpt string `json:"excerpt"`
	// Nearest is the passage that a refused citation comes closest to, or "".
	Nearest string `json:"-"`
	// Digest is "sha256:" and the hex digest of the source's bytes.
	Digest string `json:"digest"`
	// Commit is the commit of the work tree at the check, or "".
	Commit string `json:"commit"`
	// Run is the run of a command, or nil.
	Run *Run `json:"run"`
	// Checked means that a researcher has answered, Verified that it confirmed the item.
	Checked  bool `json:"checked"`
	Verified bool `json:"verified"`
	// Shown means that no quote was compared: the excerpt shows the cited lines. Unclear means that the
	// reference fits several files.
	Shown   bool `json:"-"`
	Unclear bool `json:"-"`
	// Admitted means that rulings may read the item (PH5).
	Admitted bool `json:"admitted"`
	// For is the challenge that the item answers, or that rests on it, or "".
	For string `json:"for"`
	// Accepted are the seats that said that it bears on the point, Contests what speaks
	// against that (RV2, RV3).
	Accepted []Acceptance `json:"-"`
	Contests []Contest    `json:"-"`
	// Asked means that a seat asked for it and said what its result means. It is Neutral until it is checked.
	Asked bool `json:"-"`
	// Heard is set for a refutation once the authors of its point had a turn to contest it.
	Heard bool `json:"-"`
	// Label is how sure the citing seat claims to be: EVIDENCE, INFERENCE, GUESS or "". Rulings ignore it.
	Label string `json:"label"`
	// OfferedBy is the seat, Round the round in which it was offered.
	OfferedBy string `json:"offered_by"`
	Round     int    `json:"round"`
	// Reason is the result of the check, or why the item is not admitted.
	Reason string `json:"reason"`
	// Seq is the sequence number of the event that offered the item, or of the
	// check that decided on it.
	Seq int `json:"-"`
	// ObservedAt is when the check was recorded, zero before.
	ObservedAt time.Time `json:"-"`
}

// Acceptance is the word of a seat that an item bears on its point (RV2).
type Acceptance struct {
	Seat string `json:"seat"`
	// ByRules says that the built-in rules filled the seat: then it counts for nothing.
	ByRules bool `json:"-"`
	Seq     int  `json:"-"`
}

// Contest is the word of a seat that an item does not bear on its point (RV3).
type Contest struct {
	Seat   string `json:"seat"`
	Reason string `json:"reason"`
	// Answer is the offerer's reply, given once, or "".
	Answer string `json:"answer"`
	// Ended is set once the seat took it back, or another seat or the user decided.
	Ended bool `json:"ended"`
	Round int  `json:"-"`
	Seq   int  `json:"-"`
}

// Proven reports whether the item exists as cited and may be read (RV1, PH5). Whether it bears
// on its point is another question.
func (e *Evidence) Proven() bool { return e.Admitted && e.Verified }

// Contested returns the first contest that has not ended, or nil.
func (e *Evidence) Contested() *Contest {
	for i := range e.Contests {
		if !e.Contests[i].Ended {
			return &e.Contests[i]
		}
	}
	return nil
}

// AcceptedBy reports whether the seat said that the item bears on its point.
func (e *Evidence) AcceptedBy(seat string) bool {
	return slices.ContainsFunc(e.Accepted, func(a Acceptance) bool { return a.Seat == seat })
}

// Command is what the user decides on: a command in its normal form without "$ ", of other kinds with its mark, so that a
// decision or pattern covers no other kind, and of a trial with the digest of its patch.
func (e *Evidence) Command() string {
	command := strings.TrimPrefix(e.Reference, commandMark+" ")
	if e.Patch != "" {
		command += " with the patch " + Digest([]byte(e.Patch))
	}
	return command
}

// Tried says what the patch of a trial does, as in "adds a_test.go (+12)", or "" for other items.
func (e *Evidence) Tried() string {
	if e.Patch == "" {
		return ""
	}
	patch, err := ParsePatch(e.Patch)
	if err != nil {
		return "cannot be read" // Not reached: it was read when it was offered.
	}
	return patch.Words()
}

// NeedsApproval reports whether the item is a command that may not run yet.
func (e *Evidence) NeedsApproval() bool {
	return e.Approval == ApprovalWaiting || e.Approval == ApprovalNever
}

// CompareRank orders two items by rank: negative when a is stronger, positive
// when b is, 0 at equal rank. User-override comes first, then type, then
// source kind; confidence never counts.
func CompareRank(a, b *Evidence) int {
	return cmp.Or(
		cmp.Compare(userFirst(a), userFirst(b)),
		cmp.Compare(slices.Index(Types(), a.Type), slices.Index(Types(), b.Type)),
		cmp.Compare(slices.Index(SourceKinds(), a.SourceKind), slices.Index(SourceKinds(), b.SourceKind)),
	)
}

func userFirst(e *Evidence) int {
	if e.SourceKind == UserOverride {
		return 0
	}
	return 1
}

// Approval is the permission of the user to run a command that is cited as evidence.
type Approval string

// The approvals. Items other than commands have ApprovalNone.
const (
	ApprovalNone Approval = ""
	// ApprovalWaiting: nobody has decided.
	ApprovalWaiting Approval = "waiting"
	// ApprovalOnce: the user allowed this one item.
	ApprovalOnce Approval = "once"
	// ApprovalAlways: the user allowed this exact command in this session.
	ApprovalAlways Approval = "always"
	// ApprovalPattern: a pattern that the run was started with allows it.
	ApprovalPattern Approval = "pattern"
	// ApprovalNever: the user refused this exact command in this session.
	ApprovalNever Approval = "never"
)

// Approvals returns every Approval.
func Approvals() []Approval {
	return []Approval{ApprovalNone, ApprovalWaiting, ApprovalOnce, ApprovalAlways, ApprovalPattern, ApprovalNever}
}

// Allows reports whether a command with this approval may run.
func (a Approval) Allows() bool {
	return a == ApprovalOnce || a == ApprovalAlways || a == ApprovalPattern
}

// Run describes the run of a command.
type Run struct {
	// ExitCode is 0 to 255, or -1 if the command was killed.
	ExitCode     int `json:"exit_code"`
	Milliseconds int `json:"milliseconds"`
	// OutputBytes is the size of its output; the excerpt may hold only a part.
	OutputBytes int `json:"output_bytes"`
	// Confinement says how the command was kept from the rest of the machine, or why it was not. It is "" if the
	// command was not run by this version.
	Confinement string `json:"confinement,omitempty"`
}

// Finding is the answer of a researcher to one reference: verified, or refused with a reason. A refusal never ends a
// session.
type Finding struct {
	// Verified means that the source contains the quote.
	Verified bool `json:"verified"`
	// Unmet means that the check ran to its end and did not show what was expected.
	Unmet bool `json:"unmet,omitempty"`
	// Reason is the result of the check in one clause.
	Reason string `json:"reason"`
	// Type, SourceKind and Confidence are stamped by the researcher.
	Type       Type       `json:"type"`
	SourceKind SourceKind `json:"source_kind"`
	Confidence float64    `json:"confidence"`
	// Reference is normalized, with corrected lines if the passage was found elsewhere (Moved).
	Reference string `json:"reference"`
	Moved     bool   `json:"moved"`
	// Shown means that there was no quote: the excerpt shows the cited lines.
	Shown bool `json:"shown"`
	// Excerpt is the passage verbatim, or the output of a command.
	Excerpt string `json:"excerpt"`
	// Digest covers the whole source. Commit is the commit of the work tree, or "".
	Digest string `json:"digest"`
	Commit string `json:"commit"`
	// Run is the run of a command, or nil.
	Run *Run `json:"run"`
	// Nearest is the passage most similar to a quote that was not found, or the unexpected output of a command.
	// Similarity is from 0 to 1.
	Nearest          string  `json:"nearest"`
	NearestReference string  `json:"nearest_reference"`
	Similarity       float64 `json:"similarity"`
	// Candidates are the files that a refused reference may mean. It is unclear which.
	Candidates []string `json:"candidates,omitzero"`
}
