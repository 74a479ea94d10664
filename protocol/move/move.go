package move

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Classify is the seat's verdict on another's point.
type Classify struct {
	Point           string      `json:"point"`
	Class           state.Class `json:"class"`
	Reason          string      `json:"reason,omitempty" jsonschema:"for AGREE: the positive ground for it"`
	Flaw            string      `json:"flaw,omitempty" jsonschema:"for SKEPTICAL and REJECT: the flaw in one sentence"`
	UpgradeIf       string      `json:"upgrade_if,omitempty" jsonschema:"for SKEPTICAL: what would remove the flaw"`
	FlawKind        state.Kind  `json:"flaw_kind,omitempty" jsonschema:"for REJECT: empirical or value"`
	Grounds         string      `json:"grounds,omitempty" jsonschema:"for REJECT: its evidence or reasoning"`
	WhyNotSkeptical string      `json:"why_not_skeptical,omitempty" jsonschema:"for REJECT"`
	Kind            state.Kind  `json:"kind,omitempty" jsonschema:"what the point is, if its kind is wrong or must be confirmed"`
	Needs           []string    `json:"needs,omitempty" jsonschema:"what must be true for a decision: claims, or ids of points"`
	Confidence      *float64    `json:"confidence,omitempty" jsonschema:"0 to 1"`
	Because         string      `json:"because,omitempty" jsonschema:"Revising from X to Y because E1"`
	Narrower        string      `json:"narrower,omitempty" jsonschema:"a narrower claim that would hold"`
	// Term, Reading and OtherReading complete an ILL-FORMED (AC12).
	Term         string     `json:"term,omitempty" jsonschema:"for ILL-FORMED: the term that can be read in two ways"`
	Reading      string     `json:"reading,omitempty" jsonschema:"for ILL-FORMED: one reading of the term"`
	OtherReading string     `json:"other_reading,omitempty" jsonschema:"for ILL-FORMED: the other reading"`
	Citations    []Citation `json:"citations,omitempty"`
}

// Readings reports whether an ILL-FORMED names a term and two readings of it, and takes them from its reason if it
// names them there: "durable: on one disk, or on two nodes".
func (m *Classify) Readings() bool {
	if term, either, named := strings.Cut(m.Reason, ":"); m.Term == "" && m.Reading == "" && named {
		if one, other, two := strings.Cut(either, " or "); two {
			m.Term, m.Reading, m.OtherReading = strings.Trim(
				term,
				"\"'` ",
			), strings.Trim(
				one,
				" ,",
			), strings.Trim(
				other,
				" ?.",
			)
		}
	}
	one, other := resolver.Normalized(m.Reading), resolver.Normalized(m.OtherReading)
	return strings.TrimSpace(m.Term) != "" && one != "" && other != "" && one != other
}

// Kind is a word of the closed list of moves.
type Kind string

// The moves of a seat that all formats share.
const (
	KindRaise     Kind = "RAISE"
	KindTriage    Kind = "TRIAGE"
	KindMerge     Kind = "MERGE"
	KindClassify  Kind = "CLASSIFY"
	KindChallenge Kind = "CHALLENGE"
	KindDefend    Kind = "DEFEND"
	KindConcede   Kind = "CONCEDE"
	KindJudge     Kind = "JUDGE"
	KindRevise    Kind = "REVISE"
	KindCite      Kind = "CITE"
	KindAccept    Kind = "ACCEPT"
	KindContest   Kind = "CONTEST"
	KindWithdraw  Kind = "WITHDRAW"
	KindViolates  Kind = "VIOLATES"
	KindBlocked   Kind = "BLOCKED"
	KindClarify   Kind = "CLARIFY"
	KindScore     Kind = "SCORE"
	KindFlag      Kind = "FLAG"

	// KindAnswer answers the question, at the end.
	KindAnswer Kind = "ANSWER"

	// The moves that look at the workspace, see Lookups.
	KindList   Kind = "LIST"
	KindSearch Kind = "SEARCH"
	KindRead   Kind = "READ"
)

// Label is how a seat knows what it claims, by its own account. It has no effect on rulings.
type Label string

// The labels.
const (
	LabelNone      Label = ""
	LabelEvidence  Label = "EVIDENCE"
	LabelInference Label = "INFERENCE"
	LabelGuess     Label = "GUESS"
)

// FlagKind is the subject of a FLAG.
type FlagKind string

// The kinds of flags.
const (
	// FlagShape, FlagTangents and FlagDriftSignals draw the map (RD1).
	FlagShape        FlagKind = "shape"
	FlagTangents     FlagKind = "tangents"
	FlagDriftSignals FlagKind = "drift-signals"
	// FlagAmbiguity names an ambiguity of the question, at most two.
	FlagAmbiguity FlagKind = "ambiguity"
	// FlagTrivial says that the question is factual or trivial (EX3).
	FlagTrivial FlagKind = "trivial"
	// FlagOffTopic says that a reply missed the question (EX4).
	FlagOffTopic FlagKind = "off-topic"
	// FlagDoubt is the arbiter's doubt about a point (AR).
	FlagDoubt FlagKind = "doubt"
	// FlagFact offers an unverified fact for the ledger (LE2).
	FlagFact FlagKind = "fact"
	// FlagNothing says that there is nothing to add (RD8).
	FlagNothing FlagKind = "nothing"
	// FlagKey says that much depends on a claim of a council (CV1).
	FlagKey FlagKind = "key"
)

// FlagKinds returns every FlagKind.
func FlagKinds() []FlagKind {
	return []FlagKind{
		FlagShape, FlagTangents, FlagDriftSignals, FlagAmbiguity, FlagTrivial, FlagOffTopic,
		FlagDoubt, FlagFact, FlagNothing, FlagKey,
	}
}

// Move is one typed thing that a seat says: a pointer to one of the types below, or to one of those
// that a format adds.
type Move any

// KindOf returns the word that names a move in a reply, which is the name of its type: NO_OBJECTION
// for a *NoObjection.
func KindOf(m Move) Kind {
	return Kind(strings.ToUpper(strings.ReplaceAll(state.KindOf(m), "-", "_")))
}

// Citation is a reference with its verbatim quote, or a command with its expected result, inside
// another move.
type Citation struct {
	Reference string          `json:"reference" jsonschema:"path:line or path:line-line, or $ and a command"`
	Quote     string          `json:"quote,omitempty" jsonschema:"its verbatim text, or what a command must do, as exit 0"`
	Relation  ledger.Relation `json:"relation,omitempty" jsonschema:"supports unless it says otherwise"`
	Patch     string          `json:"patch,omitempty" jsonschema:"behind TRY and a command: the unified diff to try"`
}

// Raise brings a new point.
type Raise struct {
	Text       string     `json:"text" jsonschema:"one claim in one or two terse sentences"`
	Kind       state.Kind `json:"kind,omitempty" jsonschema:"empirical (how something is), decision (what shall be done), value (what is better)"`
	Needs      []string   `json:"needs,omitempty" jsonschema:"what must be true for a decision: claims, or ids of points"`
	Label      Label      `json:"label,omitempty"`
	Confidence *float64   `json:"confidence,omitempty" jsonschema:"0 to 1"`
	Citations  []Citation `json:"citations,omitempty"`
	Holder     string     `json:"holder,omitempty" jsonschema:"whose view it is, if views are synthesized"`
	Option     string     `json:"option,omitempty" jsonschema:"the option, if options are compared"`
	Criterion  string     `json:"criterion,omitempty" jsonschema:"the criterion, if options are compared"`
	// Predicate is the claim in a form that can be compared with a user fact (AC5).
	Predicate *Predicate `json:"predicate,omitempty"`
}

func (r *Raise) raise() *Raise { return r }

// RaiseIn returns the RAISE that a move is, or that the RAISE of a format embeds, or nil.
func RaiseIn(m Move) *Raise {
	if r, ok := m.(interface{ raise() *Raise }); ok {
		return r.raise()
	}
	return nil
}

// Predicate is a comparison of a named value.
type Predicate struct {
	Path  string          `json:"path"`
	Op    Operator        `json:"op" jsonschema:"one of = ≠ < ≤ > ≥ in"`
	Value json.RawMessage `json:"value"`
}

// Operator is a comparison, as in ledger.Operators.
type Operator string

// Triage says where a point belongs, or how two points relate.
type Triage struct {
	Point  string      `json:"point"`
	Scope  state.Scope `json:"scope,omitempty" jsonschema:"in-scope, out-of-scope or anchor-shift"`
	Reason string      `json:"reason,omitempty"`
	Theme  string      `json:"theme,omitempty"`
	// Other is the second point of a pair of different seats (RD1b).
	Other       string `json:"other,omitempty" jsonschema:"another seat's point to compare with"`
	SameSubject bool   `json:"same_subject,omitempty"`
	Opposed     bool   `json:"opposed,omitempty" jsonschema:"the two contradict each other"`
	Alike       bool   `json:"alike,omitempty" jsonschema:"the two say the same"`
}

// Merge joins points that assert the same.
type Merge struct {
	Into string   `json:"into"`
	From []string `json:"from"`
}

// Challenge attacks a point outside of a classification.
type Challenge struct {
	Point           string      `json:"point"`
	Class           state.Class `json:"class" jsonschema:"SKEPTICAL or REJECT"`
	Flaw            string      `json:"flaw" jsonschema:"the flaw in one sentence"`
	UpgradeIf       string      `json:"upgrade_if,omitempty"`
	FlawKind        state.Kind  `json:"flaw_kind,omitempty"`
	Grounds         string      `json:"grounds,omitempty"`
	WhyNotSkeptical string      `json:"why_not_skeptical,omitempty"`
	Narrower        string      `json:"narrower,omitempty" jsonschema:"a narrower claim that would hold"`
	Needs           []string    `json:"needs,omitempty" jsonschema:"what must be true for a decision: claims, or ids of points"`
	Citations       []Citation  `json:"citations,omitempty"`
}

// Defend answers a challenge.
type Defend struct {
	// Challenge may be "" if the author forgot the id (CH4). The id of an item (E2) means the
	// contest of that item.
	Challenge string     `json:"challenge" jsonschema:"the id, as in C1; E2 if somebody contests your item E2"`
	Text      string     `json:"text"`
	Needs     []string   `json:"needs,omitempty" jsonschema:"what must be true for a decision: claims, or ids of points"`
	Citations []Citation `json:"citations,omitempty"`
}

// Concede gives up a point, through the challenge on it or by its own id.
type Concede struct {
	Challenge string `json:"challenge,omitempty"`
	Point     string `json:"point,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// Judge says whether a defense holds.
type Judge struct {
	Challenge string         `json:"challenge"`
	Judgment  state.Judgment `json:"judgment" jsonschema:"accepted or rejected"`
	Reason    string         `json:"reason" jsonschema:"what the defense establishes, or the flaw that remains"`
	// Lift is the class of the point after an accepted defense against a REJECT (CH5).
	Lift      state.Class `json:"lift,omitempty" jsonschema:"for REJECT accepted: AGREE or SKEPTICAL"`
	UpgradeIf string      `json:"upgrade_if,omitempty"`
}

// Revise replaces a point of the seat with a new form of it.
type Revise struct {
	Point      string     `json:"point"`
	Text       string     `json:"text,omitempty" jsonschema:"the new claim, or why a field has a new value"`
	Challenge  string     `json:"challenge,omitempty" jsonschema:"the open challenge that it answers"`
	Because    string     `json:"because,omitempty"`
	Kind       state.Kind `json:"kind,omitempty" jsonschema:"if it changes, the new form is another point"`
	Label      Label      `json:"label,omitempty"`
	Confidence *float64   `json:"confidence,omitempty"`
	Limit      string     `json:"limit,omitempty" jsonschema:"what the claim does not cover"`
	Citations  []Citation `json:"citations,omitempty"`
	// Value, Derived and Cites are used by fields of a proposal only.
	Value   json.RawMessage `json:"value,omitempty" jsonschema:"of a field of a proposal: its new value"`
	Derived *Derivation     `json:"derived,omitempty" jsonschema:"of a field: where the value is computed from others"`
	Cites   []string        `json:"cites,omitempty" jsonschema:"of a field: ids of evidence for the value"`
	// Severity replaces a missing or unknown severity; it changes no other.
	Severity string `json:"severity,omitempty" jsonschema:"of a field: BLOCKING, HIGH, MEDIUM or LOW"`
}

// Cite offers evidence for or against a point.
type Cite struct {
	Point string `json:"point"`
	Citation
	Label Label `json:"label,omitempty"`
}

// Accept says that an item of evidence bears on its point (RV2).
type Accept struct {
	Evidence string `json:"evidence"`
	Reason   string `json:"reason,omitempty"`
}

// Contest denies that an item of evidence bears on its point (RV3).
type Contest struct {
	Evidence string `json:"evidence,omitempty" jsonschema:"the item, as in E2"`
	Sentence string `json:"sentence,omitempty" jsonschema:"a sentence of the answer instead, as in S2"`
	Reason   string `json:"reason" jsonschema:"in one sentence"`
}

// Withdraw takes back what the seat said: a contest or acceptance, a challenge, its verdict on a
// point, or with Point and Fact a VIOLATES. In a proposal it removes a field.
type Withdraw struct {
	Evidence  string `json:"evidence,omitempty"`
	Challenge string `json:"challenge,omitempty"`
	Point     string `json:"point,omitempty" jsonschema:"the point; of a proposal the field, by its id or path"`
	Fact      string `json:"fact,omitempty" jsonschema:"with a point: the user fact that it does not contradict after all"`
	Reason    string `json:"reason,omitempty" jsonschema:"with the id of what changed your mind"`
}

// Violates says that a point contradicts a user fact (AC5b).
type Violates struct {
	Point string `json:"point"`
	Fact  string `json:"fact" jsonschema:"the user fact, as in F2"`
	Words string `json:"words,omitempty" jsonschema:"the words of the point that conflict"`
}

// Blocked claims that a measurement is missing (CH7).
type Blocked struct {
	Challenge   string `json:"challenge,omitempty"`
	Point       string `json:"point,omitempty"`
	Measurement string `json:"measurement" jsonschema:"what must be measured"`
	Threshold   string `json:"threshold" jsonschema:"the value that matters"`
	Below       string `json:"below" jsonschema:"the verdict on the low side"`
	Above       string `json:"above" jsonschema:"the verdict on the high side"`
}

// Clarify says what an ill-formed point means, or defines a term.
type Clarify struct {
	Point string `json:"point"`
	Term  string `json:"term,omitempty"`
	Text  string `json:"text"`
}

// Score reports the seat's confidence in a point.
type Score struct {
	Point      string  `json:"point"`
	Confidence float64 `json:"confidence" jsonschema:"0 to 1"`
	Cause      string  `json:"cause,omitempty" jsonschema:"the id of what changed it: E3, F2, C1"`
}

// Flag says something of the session or a point that is no claim.
type Flag struct {
	Flag  FlagKind `json:"flag"`
	Text  string   `json:"text,omitempty"`
	Point string   `json:"point,omitempty"`
}

// Derivation says how a value is computed.
type Derivation struct {
	Op string   `json:"op" jsonschema:"sum, diff, ratio, min, max or count"`
	Of []string `json:"of" jsonschema:"ids of evidence, or paths of fields"`
}

// Answer is one sentence of the answer to the question (AN1).
type Answer struct {
	Text   string   `json:"text" jsonschema:"one sentence"`
	Points []string `json:"points,omitempty" jsonschema:"the points that it rests on"`
	Denies []string `json:"denies,omitempty" jsonschema:"dismissed points whose opposite it says"`
	// Part is the place of the sentence in a synthesis of views.
	Part state.Part `json:"part,omitempty" jsonschema:"of a synthesis of views: shared, differs or gives-up"`
}

// Lookups returns the moves by which a seat looks at the workspace. They are answered within
// its turn, before its reply.
func Lookups() []Kind { return []Kind{KindList, KindSearch, KindRead} }

// List asks for the files that a glob matches, all if it is "".
type List struct {
	Glob string `json:"glob,omitempty" jsonschema:"as in queue/**/*.go; none for all"`
}

// Search asks for the passages that fit a query.
type Search struct {
	Query string `json:"query" jsonschema:"words or an exact text, or a regular expression between slashes"`
	Glob  string `json:"glob,omitempty" jsonschema:"the files to search"`
}

// Read asks for the lines From to To of a file, counted from 1. Without To it asks for as many as
// fit.
type Read struct {
	Path string `json:"path" jsonschema:"the file, below the workspace"`
	From int    `json:"from,omitempty" jsonschema:"the first line, from 1"`
	To   int    `json:"to,omitempty" jsonschema:"the last line"`
}

var linesOfPath = regexp.MustCompile(`^(.+?)(?::|#L)(\d{1,9})(?:-L?(\d{1,9}))?$`)

// LookedUp is the event of a lookup. A path may end with line numbers, as in citations.
func LookedUp(lookup Move) *state.LookupAnswered {
	e := &state.LookupAnswered{What: string(KindOf(lookup))}
	switch m := lookup.(type) {
	case *List:
		e.Glob = m.Glob
	case *Search:
		e.Query, e.Glob = m.Query, m.Glob
	case *Read:
		e.Path, e.From, e.To = m.Path, m.From, m.To
		if parts := linesOfPath.FindStringSubmatch(m.Path); parts != nil && m.From == 0 {
			e.Path = parts[1]
			e.From, _ = strconv.Atoi(parts[2])
			e.To, _ = strconv.Atoi(parts[3])
		}
	}
	return e
}
