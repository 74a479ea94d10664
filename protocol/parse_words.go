package protocol

import "moot/state"

// keyword is a word that begins a move in the telegraphic form.
type keyword struct {
	kind MoveKind
	// word is the class, judgment or flag that the keyword stands for.
	word string
	// ids are the letters of the ids that may follow, "" for none; needs says
	// that the keyword is none without one.
	ids   string
	needs bool
	// colon says that even in capitals the word needs a colon.
	colon bool
	// long says that the passage goes on over blank lines.
	long bool
}

// textWords returns the words that begin a move, in capitals.
func textWords() map[string]keyword {
	raise := keyword{kind: MoveRaise, ids: "P", colon: true}
	value := keyword{kind: MoveRaise, word: string(state.Value), colon: true}
	defend := keyword{kind: MoveDefend, ids: "C", needs: true, long: true}
	agree := keyword{kind: MoveClassify, word: string(state.Agree), ids: "P"}
	skeptical := keyword{kind: MoveClassify, word: string(state.Skeptical), ids: "P"}
	reject := keyword{kind: MoveClassify, word: string(state.Reject), ids: "PC"}
	illFormed := keyword{kind: MoveClassify, word: string(state.IllFormed), ids: "P"}
	accept := keyword{kind: MoveJudge, word: string(state.Accepted), ids: "C", needs: true}
	concede := keyword{kind: MoveConcede, ids: "CP"}
	request := keyword{kind: MoveRequest, ids: "C", needs: true}
	supply := keyword{kind: MoveSupply, ids: "CP", needs: true}
	synthesize := keyword{kind: MoveSynthesize, long: true}
	flag := func(kind FlagKind) keyword {
		return keyword{kind: MoveFlag, word: string(kind), colon: true, long: kind == FlagTangents}
	}
	drift := flag(FlagDriftSignals)
	offTopic := flag(FlagOffTopic)
	return map[string]keyword{
		"RAISE": raise, "POINT": raise, "CLAIM": raise, "P": raise, "VALUE": value, "VALUE-JUDGMENT": value,
		"RE": defend, "REGARDING": defend, "DEFEND": defend, "DEFENSE": defend, "DEFENCE": defend,
		"AGREE": agree, "AGREED": agree, "SKEPTICAL": skeptical, "SCEPTICAL": skeptical,
		"REJECT": reject, "REJECTED": reject, "ILL-FORMED": illFormed, "ILLFORMED": illFormed,
		"ACCEPT": accept, "ACCEPTED": accept, "CONCEDE": concede, "CONCEDED": concede,
		"JUDGE":     {kind: MoveJudge, ids: "C", needs: true},
		"CLASSIFY":  {kind: MoveClassify, ids: "P", needs: true},
		"CHALLENGE": {kind: MoveChallenge, ids: "P", needs: true},
		"TRIAGE":    {kind: MoveTriage, ids: "P", needs: true},
		"MERGE":     {kind: MoveMerge, ids: "P", needs: true},
		"REVISE":    {kind: MoveRevise, ids: "P", needs: true, long: true},
		"CITE":      {kind: MoveCite, ids: "P", needs: true},
		"CONTEST":   {kind: MoveContest, ids: "E", needs: true},
		"BLOCKED":   {kind: MoveBlocked, ids: "CP", long: true},
		"CLARIFY":   {kind: MoveClarify, ids: "P", needs: true},
		"DEFINE":    {kind: MoveClarify, word: "term", ids: "P", needs: true},
		"LIMIT":     {kind: MoveClarify, word: limitTerm, ids: "P", needs: true},
		"KEY":       {kind: MoveFlag, word: string(FlagKey), ids: "P", needs: true},
		"SCORE":     {kind: MoveScore, ids: "P", needs: true},
		"STEELMAN":  {kind: MoveSteelman, ids: "P", needs: true},
		"FLAG":      {kind: MoveFlag},
		"SHAPE":     flag(FlagShape), "TANGENTS": flag(FlagTangents), "TANGENT": flag(FlagTangents),
		"DRIFT": drift, "DRIFT-SIGNALS": drift, "AMBIGUITY": flag(FlagAmbiguity),
		"TRIVIAL": flag(FlagTrivial), "OFF-TOPIC": offTopic, "OFFTOPIC": offTopic, "FACT": flag(FlagFact),
		"DOUBT":    {kind: MoveFlag, word: string(FlagDoubt), ids: "P", needs: true},
		"VIOLATES": {kind: MoveFlag, word: string(FlagViolates), ids: "PF", needs: true},
		"NOTHING":  {kind: MoveFlag, word: string(FlagNothing)},

		"SYNTHESIZE": synthesize, "SYNTHESIS": synthesize,

		"WITHDRAW":     {kind: MoveWithdraw, ids: "P", needs: true},
		"NO-OBJECTION": {kind: MoveNoObjection},
		"PROPOSE":      {kind: MovePropose},
		"OBJECT":       {kind: MoveObject, ids: "P", needs: true},
		"REQUEST":      request, "REQUEST-EVIDENCE": request,
		"SUPPLY": supply, "SUPPLY-EVIDENCE": supply,
	}
}

// labelWords are the names of the parts of a move, as "flaw: …". A move takes
// those that it has.
func labelWords() []string {
	return []string{
		"flaw kind", "kind", "flaw", "grounds", "evidence", "reasoning", "why not skeptical", "reason", "lift",
		"measurement", "threshold", "below", "above", "because", "theme", "grade", "objection", "confidence",
	}
}
