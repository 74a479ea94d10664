package protocol

// newMove returns an empty move of the kind.
func newMove(kind MoveKind) Move {
	switch kind { //nolint:exhaustive // the others are those of a hearing and of a dialectic
	case MoveRaise:
		return new(Raise)
	case MoveTriage:
		return new(Triage)
	case MoveMerge:
		return new(Merge)
	case MoveClassify:
		return new(Classify)
	case MoveChallenge:
		return new(Challenge)
	case MoveDefend:
		return new(Defend)
	case MoveConcede:
		return new(Concede)
	case MoveJudge:
		return new(Judge)
	case MoveRevise:
		return new(Revise)
	case MoveCite:
		return new(Cite)
	case MoveContest:
		return new(Contest)
	case MoveBlocked:
		return new(Blocked)
	case MoveClarify:
		return new(Clarify)
	case MoveScore:
		return new(Score)
	case MoveSteelman:
		return new(Steelman)
	case MoveFlag:
		return new(FlagMove)
	case MoveSynthesize:
		return new(Synthesize)
	}
	if m := newHearingMove(kind); m != nil {
		return m
	}
	return newDialecticMove(kind)
}
