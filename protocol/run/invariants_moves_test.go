package run

import (
	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// move draws a move of the kind.
func (r *randomSession) move(kind protocol.MoveKind) protocol.Move {
	flag := func() bool { return rapid.Bool().Draw(r.t, "flag") }
	class := func() state.Class { return rapid.SampledFrom(state.Classes()).Draw(r.t, "class") }
	switch kind { //nolint:exhaustive // those of a consultation
	case protocol.MoveRaise:
		return &protocol.Raise{
			Text: r.text(), ValueJudgment: flag(), Citations: r.citations(),
			Confidence: r.confidence(),
		}
	case protocol.MoveTriage:
		return &protocol.Triage{
			Point: r.point(), Scope: rapid.SampledFrom(state.Scopes()).Draw(r.t, "scope"),
			Other:       rapid.SampledFrom([]string{"", r.point()}).Draw(r.t, "other"),
			SameSubject: flag(), Opposed: flag(), Alike: flag(), Reason: r.text(),
		}
	case protocol.MoveMerge:
		return &protocol.Merge{Into: r.point(), From: []string{r.point(), r.point()}}
	case protocol.MoveClassify:
		return &protocol.Classify{
			Point: r.point(), Class: class(), Reason: r.text(), Flaw: r.text(), UpgradeIf: r.text(),
			FlawKind: state.Empirical,
			Grounds:  r.text(), WhyNotSkeptical: r.text(), ValueJudgment: flag(), Because: r.text(),
			Citations: r.citations(), Confidence: r.confidence(),
		}
	case protocol.MoveChallenge:
		return &protocol.Challenge{
			Point: r.point(), Class: class(), Flaw: r.text(), UpgradeIf: r.text(),
			Citations: r.citations(),
		}
	case protocol.MoveDefend:
		return &protocol.Defend{
			Challenge: rapid.SampledFrom([]string{"", r.challenge()}).Draw(r.t, "defended"),
			Text:      r.text(), Citations: r.citations(),
		}
	case protocol.MoveConcede:
		return &protocol.Concede{Challenge: r.challenge(), Reason: r.text()}
	case protocol.MoveJudge:
		return &protocol.Judge{
			Challenge: r.challenge(), Judgment: rapid.SampledFrom(state.Judgments()).Draw(r.t, "judgment"),
			Reason: r.text(),
			Lift:   rapid.SampledFrom([]state.Class{"", state.Agree, state.Skeptical}).Draw(r.t, "lift"),
		}
	case protocol.MoveRevise:
		return &protocol.Revise{
			Point: r.point(), Text: r.text(), Challenge: r.challenge(), Because: r.text(),
			Citations: r.citations(),
		}
	case protocol.MoveCite:
		cited := append(r.citations(), protocol.Citation{Reference: "a/a.go:1", Quote: "alpha"})
		return &protocol.Cite{Point: r.point(), Citation: cited[0]}
	case protocol.MoveContest:
		return &protocol.Contest{Evidence: r.id("E", r.s.Evidence.Len()), Reason: r.text()}
	case protocol.MoveBlocked:
		return &protocol.Blocked{
			Challenge: r.challenge(), Point: r.point(), Measurement: r.text(),
			Threshold: r.text(), Below: r.text(), Above: r.text(),
		}
	case protocol.MoveClarify:
		return &protocol.Clarify{Point: r.point(), Text: r.text()}
	case protocol.MoveScore:
		return &protocol.Score{Point: r.point(), Confidence: *r.confidence(), Cause: r.text()}
	case protocol.MoveSteelman:
		return &protocol.Steelman{
			Point: r.point(), Objection: r.text(),
			Grade: rapid.SampledFrom(state.StressGrades()).Draw(r.t, "grade"),
		}
	case protocol.MoveFlag:
		return &protocol.FlagMove{
			Flag: rapid.SampledFrom(protocol.FlagKinds()).Draw(r.t, "flag kind"), Text: r.text(), Point: r.point(),
			Fact: r.id("F", r.s.Facts.Len()),
		}
	}
	r.t.Fatalf("no random %s", kind)
	return nil
}

// userMove draws what the user does.
func (r *randomSession) userMove() protocol.UserMove {
	switch rapid.IntRange(0, 9).Draw(r.t, "override") {
	case 0, 1:
		return protocol.RuleOn{
			Point: r.point(), What: rapid.SampledFrom(state.OverrideKinds()).Draw(r.t, "what"),
			Reason: r.text(),
		}
	case 2:
		return protocol.RecordFact{
			Text:       r.text(),
			Supersedes: rapid.SampledFrom([]string{"", r.id("F", r.s.Facts.Len())}).Draw(r.t, "supersedes"),
		}
	case 3:
		return protocol.ChallengePoint{Point: r.point(), Objection: r.text(), Class: state.Reject}
	case 4:
		return protocol.AnswerChallenge{Challenge: r.challenge(), Text: r.text()}
	case 5:
		return protocol.SupplyEvidence{
			Point: r.point(), Text: r.text(),
			Relation: rapid.SampledFrom(ledger.Relations()).Draw(r.t, "user relation"),
		}
	case 6:
		return protocol.AnswerQuestion{
			Question: r.id("Q", r.s.Questions.Len()),
			Answer:   r.userAnswer(),
		}
	case 7:
		return protocol.SetKind{Point: r.point(), Kind: rapid.SampledFrom(state.Kinds()).Draw(r.t, "point kind")}
	case 8:
		return protocol.ConcedePoint{Point: r.point()}
	}
	return protocol.SetPriority{Points: []string{r.point(), r.point()}}
}

func (r *randomSession) userAnswer() string {
	return rapid.SampledFrom([]string{
		"yes", "no", "1", "2", "3", "4", "5", "consent", "refuse", "P1 P2", "supports: seen", "stop", "once",
		"always", "never", "close",
	}).Draw(r.t, "answer")
}
