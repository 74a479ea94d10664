package protocol

import (
	"reflect"
	"strings"
)

// moveRow describes one move. The JSON Schema of replies, the reader of JSON, the line
// grammar, prompts/moves.md and docs/replies.md are generated from these rows.
// The Go type gives the types, words and descriptions of the fields.
type moveRow struct {
	// move is a nil pointer of the Go type.
	move  Move
	doc   string
	lines []lineForm
	// lax are required fields whose absence the rules answer rather than the parser:
	// a defense without its id is confirmed with its author (CH4), an incomplete
	// BLOCKED is a rejected defense (CH7).
	lax string
	// either are two fields of which one is required.
	either string
}

// lineForm is a way to write a move on a line:
//
//	WORD IDS LEAD: TEXT | field: value | field: value
//
// The fields follow on the same line after a bar, or on lines of their own.
type lineForm struct {
	// words begin the line; the first one is documented. Without a word the line
	// begins with the ids.
	words string
	// ids are the fields that take the ids. "point" makes a move of each id, "a|b" puts
	// the id into the field of its letter, "a,b" puts two ids into one move, "from"
	// takes them all; "-" reads an id and drops it.
	ids string
	// lead are fields before the colon; "[a]" is in brackets, and "a?" may be missing.
	lead string
	// text is the field that takes the rest.
	text string
	// set is a field with the value that the word stands for, as in class=AGREE.
	set string
	// long says that the text continues after a blank line.
	long bool
	// claim says that the text is a claim, from which citations at the end are cut.
	claim bool
	// free says that the ids may be missing.
	free bool
}

// The words for how two points relate, on a line.
const (
	pairOpposed = "opposed"
	pairSubject = "same-subject"
	pairAlike   = "alike"
)

// moveTable returns a row for each of MoveKinds, in that order.
func moveTable() []moveRow { //nolint:funlen // a table
	flag := func(words, kind string) lineForm { return lineForm{words: words, text: "text", set: "flag=" + kind} }
	tangents := flag("TANGENTS|TANGENT", "tangents")
	tangents.long = true
	return []moveRow{
		{
			move: (*Raise)(nil), doc: "brings a new point: one claim that can be argued on its own",
			lines: []lineForm{
				{words: "RAISE|POINT|CLAIM|P", text: "text", claim: true},
				{words: "VALUE|VALUE JUDGMENT", text: "text", set: "value_judgment=true", claim: true},
				{ids: "-", text: "text", claim: true},
			},
		},
		{
			move: (*Triage)(nil), doc: "places a point in or out of scope, or says how two points relate",
			either: "scope|other",
			lines: []lineForm{
				{words: "TRIAGE", ids: "point,other", lead: "pair"},
				{words: "TRIAGE", ids: "point", lead: "scope", text: "reason"},
				{ids: "point,other", lead: "pair"},
			},
		},
		{
			move: (*Merge)(nil), doc: "joins points that assert the same",
			lines: []lineForm{{words: "MERGE", ids: "from", lead: "into"}},
		},
		{
			move: (*Classify)(nil), doc: "judges a point of another seat",
			lines: []lineForm{
				{words: "SKEPTICAL|SCEPTICAL", ids: "point", text: "flaw", set: "class=SKEPTICAL"},
				{words: "AGREE|AGREED", ids: "point", text: "reason", set: "class=AGREE"},
				{words: "REJECT|REJECTED", ids: "point", text: "flaw", set: "class=REJECT"},
				{words: "ILL-FORMED|ILLFORMED", ids: "point", text: "reason", set: "class=ILL-FORMED"},
				{words: "CLASSIFY", ids: "point", lead: "class", text: "reason"},
			},
		},
		{
			move: (*Challenge)(nil), doc: "attacks a point",
			lines: []lineForm{
				{words: "CHALLENGE", ids: "point", lead: "class?", text: "flaw", set: "class=SKEPTICAL"},
				{words: "SKEPTICAL|SCEPTICAL", ids: "point", text: "flaw", set: "class=SKEPTICAL"},
				{words: "REJECT|REJECTED", ids: "point", text: "flaw", set: "class=REJECT"},
			},
		},
		{
			move: (*Defend)(nil), doc: "answers a challenge", lax: "challenge",
			lines: []lineForm{
				{words: "Re|REGARDING|DEFEND|DEFENSE|DEFENCE", ids: "challenge", text: "text", long: true},
				{words: "Re|REGARDING|DEFEND|DEFENSE|DEFENCE", ids: "item", text: "text", long: true},
				{ids: "challenge", text: "text", long: true},
			},
		},
		{
			move: (*Concede)(nil), doc: "gives up a point, by its id or by that of a challenge on it",
			either: "challenge|point",
			lines: []lineForm{{
				words: "I concede|WE CONCEDE|CONCEDE|CONCEDED", ids: "challenge|point",
				text: "reason",
			}},
		},
		{
			move: (*Judge)(nil), doc: "says whether the defense against a challenge holds",
			lines: []lineForm{
				{words: "ACCEPT|ACCEPTED", ids: "challenge", text: "reason", set: "judgment=accepted"},
				{words: "REJECT|REJECTED", ids: "challenge", text: "reason", set: "judgment=rejected"},
				{words: "JUDGE", ids: "challenge", lead: "judgment", text: "reason"},
			},
		},
		{
			move: (*Revise)(nil), doc: "replaces a point of your own by a better one",
			lines: []lineForm{
				{words: "REVISE", ids: "point", lead: "value"},
				{words: "REVISE", ids: "point", text: "text", long: true, claim: true},
			},
		},
		{
			move: (*Cite)(nil), doc: "offers evidence for or against a point",
			lines: []lineForm{{words: "CITE", ids: "point", lead: "relation?"}},
		},
		{
			move: (*Accept)(nil), doc: "says that an item of evidence bears on its point",
			lines: []lineForm{{words: "ACCEPT|ACCEPTED", ids: "evidence", text: "reason"}},
		},
		{
			move: (*Contest)(nil), doc: "says that an item of evidence does not bear on its point, or objects to a sentence of the answer",
			either: "evidence|sentence",
			lines: []lineForm{
				{words: "CONTEST", ids: "evidence", text: "reason"},
				{words: "CONTEST", lead: "sentence", text: "reason"},
			},
		},
		{
			move: (*Withdraw)(nil), doc: "takes back your contest, acceptance, challenge or word; a field of a proposal",
			lines: []lineForm{{words: "WITHDRAW", ids: "evidence|challenge|point|fact", text: "reason"}},
		},
		{
			move: (*Violates)(nil), doc: "says that a point contradicts a fact of the user, and with which words",
			lines: []lineForm{{words: "VIOLATES", ids: "point,fact", text: "words"}},
		},
		{
			move: (*Blocked)(nil), doc: "says that a measurement is missing and how the verdict depends on it",
			lax:   "measurement threshold below above",
			lines: []lineForm{{words: "BLOCKED", ids: "challenge|point", text: "measurement", long: true, free: true}},
		},
		{
			move: (*Clarify)(nil), doc: "says what an ill-formed point means, or defines a term",
			lines: []lineForm{
				{words: "DEFINE", ids: "point", lead: "term", text: "text"},
				{words: "CLARIFY", ids: "point", text: "text"},
				{words: "LIMIT", ids: "point", text: "text", set: "term=" + LimitTerm},
			},
		},
		{
			move: (*Score)(nil), doc: "reports your confidence in a point, and what changed it",
			lines: []lineForm{{words: "SCORE", ids: "point", lead: "confidence", text: "cause"}},
		},
		{
			move: (*Steelman)(nil), doc: "states the strongest objection to what all agree on",
			lines: []lineForm{{words: "STEELMAN", ids: "point", lead: "grade", text: "objection"}},
		},
		{
			move: (*FlagMove)(nil), doc: "says something about the session or a point that is no claim",
			lines: []lineForm{
				{words: "FLAG", lead: "flag point?", text: "text"},
				flag("SHAPE", "shape"), tangents, flag("DRIFT|DRIFT SIGNALS", "drift-signals"),
				flag("AMBIGUITY", "ambiguity"),
				flag("TRIVIAL", "trivial"), flag("OFF-TOPIC|OFFTOPIC", "off-topic"), flag("FACT", "fact"),
				{words: "DOUBT", ids: "point", text: "text", set: "flag=doubt"},
				{words: "KEY", ids: "point", set: "flag=key"},
				{words: "NOTHING", set: "flag=nothing"},
			},
		},
		{
			move: (*Answer)(nil), doc: "is a sentence of the answer to the question",
			either: "points|denies",
			lines:  []lineForm{{words: "ANSWER", lead: "[points]?", text: "text"}},
		},
		{
			move: (*Synthesize)(nil), doc: "sums up a round of a council",
			lines: []lineForm{{words: "SYNTHESIZE|SYNTHESIS", text: "text", long: true}},
		},
		{
			move: (*Claim)(nil), doc: "says what facts of the packet show",
			lines: []lineForm{{words: "CLAIM", lead: "[facts] confidence", text: "reading"}},
		},
		{
			move: (*Contradict)(nil), doc: "cites facts against a claim of the other side",
			lines: []lineForm{
				{words: "CONTRADICT|CONTRADICTION", ids: "point", lead: "[facts]", text: "reading"},
				{ids: "point", lead: "[facts]", text: "reading"},
			},
		},
		{
			move: (*Rebut)(nil), doc: "answers facts that were cited against your claim",
			lines: []lineForm{
				{
					words: "REBUT|ANSWER|Re|REGARDING|DEFEND|DEFENSE|DEFENCE", ids: "challenge", lead: "[facts]?",
					text: "text", long: true,
				},
				{ids: "challenge", lead: "[facts]?", text: "text", long: true},
			},
		},
		{
			move: (*Conclude)(nil), doc: "ends your argument with how sure you are of your side",
			lines: []lineForm{{words: "CONCLUDE|CONCLUSION|OVERALL", lead: "confidence"}},
		},
		{
			move: (*Propose)(nil), doc: "sets a field of the proposal",
			lines: []lineForm{{words: "PROPOSE", lead: "path value"}},
		},
		{
			move: (*Object)(nil), doc: "attacks a field of the proposal",
			lines: []lineForm{{words: "OBJECT", ids: "point", lead: "[flag]?", text: "text", claim: true}},
		},
		{
			move: (*RequestMove)(nil), doc: "asks for evidence",
			lines: []lineForm{{words: "REQUEST|REQUEST EVIDENCE", ids: "challenge", text: "text"}},
		},
		{
			move: (*Supply)(nil), doc: "brings evidence to an objection or a field", either: "reference|cites",
			lines: []lineForm{{words: "SUPPLY|SUPPLY EVIDENCE", ids: "challenge|point", lead: "relation?"}},
		},
		{
			move: (*NoObjection)(nil), doc: "says that you have nothing more to object to",
			lines: []lineForm{{words: "NO OBJECTION", text: "reason"}},
		},
		{move: (*List)(nil), doc: "lists files of the workspace", lines: []lineForm{{words: "LIST", text: "glob"}}},
		{
			move: (*Search)(nil), doc: "searches files of the workspace for words, or for a regular expression in slashes",
			lines: []lineForm{{words: "SEARCH", text: "query"}},
		},
		{move: (*Read)(nil), doc: "reads lines of a file", lines: []lineForm{{words: "READ", text: "path"}}},
	}
}

// LimitTerm is the term of a CLARIFY that says what a claim does not cover.
const LimitTerm = "limit"

// template is a form with samples in place of its fields.
func (row *moveRow) template(form *lineForm) string {
	line, _, _ := strings.Cut(form.words, "|")
	samples := map[string]string{
		"": "", "-": "P1", "point": "P1", "point,other": "P1 P5", "point,fact": "P2 F3", "from": "P5 P6",
		"challenge":       "C1",
		"challenge|point": "C1", "evidence": "E1", "item": "E1", "evidence|challenge|point|fact": "E1",
		"[facts]": "[f1, f2]", "confidence": "0.8", "relation": "supports",
		"scope": "in-scope", "class": "REJECT", "judgment": "accepted", "grade": "fatal", "flag": "doubt",
		"[flag]": "[red-flag]",
		"into":   "INTO P1", "pair": "opposed", "path": "path", "value": "= 10", "term": "TERM",
	}
	line = strings.TrimSpace(line + " " + samples[form.ids])
	for _, field := range strings.Fields(form.lead) {
		if field == "pair" {
			line += ":"
		}
		line += " " + samples[strings.TrimSuffix(field, "?")]
	}
	if form.text != "" {
		line += ": " + strings.ReplaceAll(form.text, "_", " ")
	}
	if _, isCitation := reflect.TypeOf(row.move).Elem().FieldByName("Reference"); isCitation {
		line += ` path:12 "quote"`
	}
	return line
}
