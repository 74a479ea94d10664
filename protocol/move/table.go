package move

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/internal/enum"
	"moot/state"
)

// IsIDField reports whether a field holds an id such as P1, or a list of them.
func IsIDField(name string) bool {
	switch name {
	case "point", "other", "into", "from", "challenge", "evidence", "fact", "cites", "of", "open",
		"points", "denies", "sentence":
		return true
	}
	return false
}

// Row describes one move. The JSON Schema of replies, the reader of JSON, the line
// grammar, the moves in prompts.md and docs/replies.md are generated from these rows.
// The Go type gives the types and descriptions of the fields.
type Row struct {
	// Move is a nil pointer of the Go type.
	Move  Move
	Doc   string
	Lines []LineForm
	// Lax are required fields whose absence the rules handle rather than the parser: the author of
	// a defense without an id is asked to confirm (CH4), an incomplete BLOCKED is a rejected
	// defense (CH7).
	Lax string
	// Either names two fields of which one is required.
	Either string
	// Words are the words that a field may have, if not all of its type.
	Words map[string][]string
	// Plain says that the words of the move are plain text if the move is not allowed. That holds
	// for all moves that belong to one format.
	Plain bool
}

// LineForm is a way to write a move on a line:
//
//	WORD IDS LEAD: TEXT | field: value | field: value
//
// The fields follow on the same line after a bar, or on lines of their own.
type LineForm struct {
	// Words begin the line; the first one is documented. Without a word the line
	// begins with the ids.
	Words string
	// IDs are the fields for the ids. "point" makes one move per id, "a|b" puts the id into the
	// field of its letter, "a,b" puts two ids into one move, "from" takes all of them, and "-"
	// ignores an id.
	IDs string
	// Lead are fields before the colon; "[a]" is in brackets, and "a?" may be missing.
	Lead string
	// Text is the field for the rest of the line.
	Text string
	// Set is a field and the value that the word gives it, as in class=AGREE.
	Set string
	// Long says that the text continues after a blank line.
	Long bool
	// Claim says that the text is a claim, from which citations at the end are cut.
	Claim bool
	// Free says that the ids may be missing.
	Free bool
}

// The words for how two points relate, on a line.
const (
	PairOpposed = "opposed"
	PairSubject = "same-subject"
	PairAlike   = "alike"
)

// Shared returns the moves that all formats share.
func Shared() []Row { //nolint:funlen // a table
	flag := func(words, kind string) LineForm { return LineForm{Words: words, Text: "text", Set: "flag=" + kind} }
	tangents := flag("TANGENTS|TANGENT", "tangents")
	tangents.Long = true
	return append([]Row{
		{
			Move: (*Raise)(nil), Doc: "brings a new point: one claim that can be argued on its own",
			Lines: []LineForm{
				{Words: "RAISE|POINT|CLAIM|P", Text: "text", Claim: true},
				{Words: "VALUE|VALUE JUDGMENT", Text: "text", Set: "kind=value", Claim: true},
				{IDs: "-", Text: "text", Claim: true},
			},
		},
		{
			Move: (*Triage)(nil), Doc: "places a point in or out of scope, or says how two points relate",
			Either: "scope|other",
			Lines: []LineForm{
				{Words: "TRIAGE", IDs: "point,other", Lead: "pair"},
				{Words: "TRIAGE", IDs: "point", Lead: "scope", Text: "reason"},
				{IDs: "point,other", Lead: "pair"},
			},
		},
		{
			Move: (*Merge)(nil), Doc: "joins points that assert the same",
			Lines: []LineForm{{Words: "MERGE", IDs: "from", Lead: "into"}},
		},
		{
			Move: (*Classify)(nil), Doc: "judges a point of another seat",
			Words: map[string][]string{"flaw_kind": enum.Words(flawKinds())},
			Lines: []LineForm{
				{Words: "SKEPTICAL|SCEPTICAL", IDs: "point", Text: "flaw", Set: "class=SKEPTICAL"},
				{Words: "AGREE|AGREED", IDs: "point", Text: "reason", Set: "class=AGREE"},
				{Words: "REJECT|REJECTED", IDs: "point", Text: "flaw", Set: "class=REJECT"},
				{Words: "ILL-FORMED|ILLFORMED", IDs: "point", Text: "reason", Set: "class=ILL-FORMED"},
				{Words: "CLASSIFY", IDs: "point", Lead: "class", Text: "reason"},
			},
		},
		{
			Move: (*Challenge)(nil), Doc: "attacks a point",
			Words: map[string][]string{
				"class": {string(state.Skeptical), string(state.Reject)}, "flaw_kind": enum.Words(flawKinds()),
			},
			Lines: []LineForm{
				{Words: "CHALLENGE", IDs: "point", Lead: "class?", Text: "flaw", Set: "class=SKEPTICAL"},
				{Words: "SKEPTICAL|SCEPTICAL", IDs: "point", Text: "flaw", Set: "class=SKEPTICAL"},
				{Words: "REJECT|REJECTED", IDs: "point", Text: "flaw", Set: "class=REJECT"},
			},
		},
		{
			Move: (*Defend)(nil), Doc: "answers a challenge", Lax: "challenge",
			Lines: []LineForm{
				{Words: "Re|REGARDING|DEFEND|DEFENSE|DEFENCE", IDs: "challenge", Text: "text", Long: true},
				{Words: "Re|REGARDING|DEFEND|DEFENSE|DEFENCE", IDs: "item", Text: "text", Long: true},
				{IDs: "challenge", Text: "text", Long: true},
			},
		},
		{
			Move: (*Concede)(nil), Doc: "gives up a point, by its id or by that of a challenge on it",
			Either: "challenge|point",
			Lines: []LineForm{{
				Words: "I concede|WE CONCEDE|CONCEDE|CONCEDED", IDs: "challenge|point",
				Text: "reason",
			}},
		},
		{
			Move: (*Judge)(nil), Doc: "says whether the defense against a challenge holds",
			Words: map[string][]string{"lift": {string(state.Agree), string(state.Skeptical)}},
			Lines: []LineForm{
				{Words: "ACCEPT|ACCEPTED", IDs: "challenge", Text: "reason", Set: "judgment=accepted"},
				{Words: "REJECT|REJECTED", IDs: "challenge", Text: "reason", Set: "judgment=rejected"},
				{Words: "JUDGE", IDs: "challenge", Lead: "judgment", Text: "reason"},
			},
		},
		{
			Move: (*Revise)(nil), Doc: "replaces a point of your own by a better one", Either: "text|value",
			Lines: []LineForm{
				{Words: "REVISE", IDs: "point", Lead: "value"},
				{Words: "REVISE", IDs: "point", Text: "text", Long: true, Claim: true},
			},
		},
		{
			Move: (*Cite)(nil), Doc: "offers evidence for or against a point",
			Lines: []LineForm{{Words: "CITE", IDs: "point", Lead: "relation?"}},
		},
		{
			Move: (*Accept)(nil), Doc: "says that an item of evidence bears on its point",
			Lines: []LineForm{{Words: "ACCEPT|ACCEPTED", IDs: "evidence", Text: "reason"}},
		},
		{
			Move: (*Contest)(
				nil,
			), Doc: "says that an item of evidence does not bear on its point, or objects to a sentence of the answer",
			Either: "evidence|sentence",
			Lines: []LineForm{
				{Words: "CONTEST", IDs: "evidence", Text: "reason"},
				{Words: "CONTEST", Lead: "sentence", Text: "reason"},
			},
		},
		{
			Move: (*Withdraw)(
				nil,
			), Doc: "takes back your contest, acceptance, challenge or word; a field of a proposal",
			Lines: []LineForm{{Words: "WITHDRAW", IDs: "evidence|challenge|point|fact", Text: "reason"}},
		},
		{
			Move: (*Violates)(nil), Doc: "says that a point contradicts a fact of the user, and with which words",
			Lines: []LineForm{{Words: "VIOLATES", IDs: "point,fact", Text: "words"}},
		},
		{
			Move: (*Blocked)(nil), Doc: "says that a measurement is missing and how the verdict depends on it",
			Lax:   "measurement threshold below above",
			Lines: []LineForm{{Words: "BLOCKED", IDs: "challenge|point", Text: "measurement", Long: true, Free: true}},
		},
		{
			Move: (*Clarify)(nil), Doc: "says what an ill-formed point means, or defines a term",
			Lines: []LineForm{
				{Words: "DEFINE", IDs: "point", Lead: "term", Text: "text"},
				{Words: "CLARIFY", IDs: "point", Text: "text"},
				{Words: "LIMIT", IDs: "point", Text: "text", Set: "term=" + LimitTerm},
			},
		},
		{
			Move: (*Score)(nil), Doc: "reports your confidence in a point, and what changed it",
			Lines: []LineForm{{Words: "SCORE", IDs: "point", Lead: "confidence", Text: "cause"}},
		},
		{
			Move: (*Flag)(nil), Doc: "says something about the session or a point that is no claim",
			Lines: []LineForm{
				{Words: "FLAG", Lead: "flag point?", Text: "text"},
				flag("SHAPE", "shape"), tangents, flag("DRIFT|DRIFT SIGNALS", "drift-signals"),
				flag("AMBIGUITY", "ambiguity"),
				flag("TRIVIAL", "trivial"), flag("OFF-TOPIC|OFFTOPIC", "off-topic"), flag("FACT", "fact"),
				{Words: "DOUBT", IDs: "point", Text: "text", Set: "flag=doubt"},
				{Words: "KEY", IDs: "point", Set: "flag=key"},
				{Words: "NOTHING", Set: "flag=nothing"},
			},
		},
		{
			Move: (*Answer)(nil), Doc: "is a sentence of the answer to the question", Plain: true,
			Lines: []LineForm{{Words: "ANSWER", Lead: "[points]?", Text: "text"}},
		},
	}, LookupRows()...)
}

// RowOf returns the row of a shared move.
func RowOf(kind Kind) Row {
	rows := Shared()
	return rows[slices.IndexFunc(rows, func(r Row) bool { return KindOf(r.Move) == kind })]
}

// LookupRows are the moves that look at the workspace.
func LookupRows() []Row {
	return []Row{
		{
			Move: (*List)(nil), Doc: "lists files of the workspace", Plain: true,
			Lines: []LineForm{{Words: "LIST", Text: "glob"}},
		},
		{
			Move: (*Search)(
				nil,
			), Doc: "searches files of the workspace for words, or for a regular expression in slashes",
			Plain: true,
			Lines: []LineForm{{Words: "SEARCH", Text: "query"}},
		},
		{
			Move: (*Read)(nil), Doc: "reads lines of a file", Plain: true,
			Lines: []LineForm{{Words: "READ", Text: "path"}},
		},
	}
}

// flawKinds are the kinds of the flaw that a REJECT names (RD3).
func flawKinds() []state.Kind { return []state.Kind{state.Empirical, state.Value} }

// LimitTerm is the term of a CLARIFY that says what a claim does not cover.
const LimitTerm = "limit"

// Template shows a form with the names of its fields.
func (row *Row) Template(form *LineForm) string {
	line, _, _ := strings.Cut(form.Words, "|")
	if ids := Letters(form.IDs); form.IDs == "-" {
		line += "P1"
	} else if ids != "" {
		line += " " + ids[:1] + "1"
		if form.IDs == "from" || strings.Contains(form.IDs, ",") {
			line += " " + ids[len(ids)-1:] + "2"
		}
	}
	for field := range strings.FieldsSeq(form.Lead) {
		switch field = strings.TrimSuffix(field, "?"); field {
		case "pair":
			line += ": " + PairOpposed
		case "into":
			line += " INTO P3"
		case "value":
			line += " = value"
		default:
			line += " " + field
		}
	}
	if form.Text != "" {
		line += ": " + strings.ReplaceAll(form.Text, "_", " ")
	}
	if _, isCitation := reflect.TypeOf(row.Move).Elem().FieldByName("Reference"); isCitation {
		line += ` path:12 "quote"`
	}
	return strings.TrimSpace(line)
}

// Spaced returns a word in capitals with blanks between its parts.
func Spaced(word string) string {
	return strings.ToUpper(strings.NewReplacer("-", " ", "_", " ").Replace(word))
}

// partPattern finds "name: value" for the fields of a move, behind a bar, a full stop or at
// the beginning of a line. The ids with which a line of the move begins are no such fields.
func partPattern(row *Row, s *jsonschema.Schema) *regexp.Regexp {
	first := ""
	for i := range row.Lines {
		first += "|" + strings.NewReplacer(",", "|", " ", "|", "?", "").Replace(row.Lines[i].IDs+"|"+row.Lines[i].Lead)
	}
	first += "|"
	var names []string
	for _, name := range s.PropertyOrder {
		inner := s.Properties[name]
		if !IsIDField(name) || inner.Type == "array" || inner.Type == "integer" ||
			len(row.Lines) > 0 && !strings.Contains(first, "|"+name+"|") {
			names = append(names, strings.ReplaceAll(name, "_", "[ _-]"))
		}
	}
	if s.Properties["kind"] != nil {
		names = append(names, "value[ _-]judgment")
	}
	for alias, fields := range PartAliases() {
		if slices.ContainsFunc(fields, func(name string) bool { return s.Properties[name] != nil }) {
			names = append(names, alias)
		}
	}
	// The longest name first: "why not skeptical" is not "why".
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	return regexp.MustCompile(`(?i)(?:^|[|;\n(]|[.!?][ \t])[ \t]*(?:[-*•][ \t]+)?[*_]{0,2}(` +
		strings.Join(names, "|") +
		`)[*_]{0,2}[ \t]*:[*_ \t]*`)
}

// PartAliases returns other names of fields. An alias means the first of its fields that the move
// has.
func PartAliases() map[string][]string {
	return map[string][]string{
		"kind": {"flaw_kind"}, "upgrade": {"upgrade_if"}, "evidence": {"grounds"}, "reasoning": {"grounds"},
		"why": {"text", "reason"}, "how": {"reading"}, "because": {"because", "cause", "reason"},
		"narrower claim": {"narrower"}, "limits": {"limit"}, "would change my mind": {"would_change"},
		"overall confidence": {"confidence"},
	}
}

// Letters returns the prefixes of the ids that a form accepts.
func Letters(form string) string {
	out := ""
	for _, field := range strings.FieldsFunc(form, func(c rune) bool { return c == '|' || c == ',' }) {
		out += IDLetter(field)
	}
	return out
}

// IDLetter returns the letter of the ids in a field.
func IDLetter(field string) string {
	switch field {
	case "challenge":
		return "C"
	case "evidence", "item":
		return "E"
	case "fact":
		return "F"
	}
	return "P"
}
