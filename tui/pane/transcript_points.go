package pane

import (
	"fmt"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
)

func (t *transcript) point(p state.Payload) bool {
	switch p := p.(type) {
	case *state.PointRaised:
		t.raised(p)
	case *state.PointTriaged:
		if p.Scope != state.InScope {
			t.by(p.By, toneQuiet, p.Point, sentence(string(p.Scope), p.Reason))
		}
	case *state.PointsMerged:
		t.by(p.By, toneQuiet, p.Into, "takes in "+strings.Join(p.From, " "))
	case *state.PointsPaired:
		if p.Same {
			t.put(toneQuiet, p.A+" "+p.B, "same subject"+when(p.Opposed, ", opposed", when(p.Alike, ", alike", "")), "")
		}
	case *state.PointClassified:
		t.classified(p)
	case *state.PointRevised:
		t.by(p.By, toneQuiet, p.Point, "revised as "+p.New)
	case *state.PointConceded:
		t.by(p.By, toneBad, p.Point, sentence("conceded", p.Reason))
	case *state.PointBlocked:
		t.by(p.By, toneDoubt, p.Point, sentence("blocked", blockedWords(&p.Blocked)))
	case *state.PointDeadlocked:
		t.put(toneDoubt, p.Point, sentence("deadlock, "+string(p.Class), p.Crux), "")
	case *state.PointNoted:
		t.put(toneQuiet, p.Point, p.Text, "")
	default:
		return false
	}
	return true
}

func (t *transcript) raised(p *state.PointRaised) {
	text := p.Text
	if p.Holder != "" {
		text = p.Holder + ": " + text
	}
	e := t.by(p.By, tonePoint, p.ID, Citing(text, p.Facts))
	t.told[p.ID] = e
	if p.Label != "" {
		e.Right = strings.TrimSpace(e.Right + " " + p.Label)
	}
	if p.For != "" {
		e.Right = strings.TrimSpace(e.Right + " worded for the " + string(p.For))
	}
	if p.Late != state.TagNone {
		t.put(toneQuiet, p.ID, "late: "+string(p.Late), "")
	}
	if p.Key {
		t.put(toneQuiet, p.ID, keyWords(true), "")
	}
	if p.Limit != "" {
		t.put(toneQuiet, p.ID, sentence("limit", p.Limit), "")
	}
}

func (t *transcript) classified(p *state.PointClassified) {
	t.by(p.By, classTone(p.Class), p.Point+" "+string(p.Class), p.Reason)
}

// classTone is what a classification means for its point.
func classTone(c state.Class) tone {
	switch c {
	case state.Agree:
		return toneGood
	case state.Skeptical:
		return toneDoubt
	case state.Reject:
		return toneBad
	case state.IllFormed:
	}
	return toneWarn
}

func (t *transcript) request(p state.Payload) bool {
	switch p := p.(type) {
	case *state.ViolationNamed:
		t.by(p.By, toneWarn, p.Point, "contradicts "+p.Fact+when(p.Confirmed, "", ", if you confirm it"))
	case *state.Requested:
		t.put(toneQuiet, p.Point, sentence(string(p.What)+" asked of "+seats(p.Of), p.Text), "")
	case *state.RequestSettled:
		if !p.Answered {
			t.put(toneQuiet, p.Point, string(p.What)+" asked for and not given", "")
		}
	case *state.ConfidenceReported:
		switch {
		case t.format == state.FormatHearing:
			t.sure(p)
		case p.Stated == p.Admitted && t.format == state.FormatCouncil:
			t.scored(p)
		case p.Stated != p.Admitted:
			t.put(toneWarn, p.Point, fmt.Sprintf("confidence %.2f stated without a cause, %.2f counts", p.Stated, p.Admitted), string(p.Seat))
		}
	case *state.DriftDetected:
		if t.format == state.FormatHearing {
			t.kept(p)
			break
		}
		t.put(toneWarn, p.Point, "drift of "+string(p.Seat)+": from "+p.From+" to "+p.To+when(p.Kept, "; the earlier position stands", ""), "")
	default:
		return false
	}
	return true
}

func (t *transcript) challenge(p state.Payload) bool {
	switch p := p.(type) {
	case *state.ChallengeRaised:
		if len(p.Facts) > 0 {
			t.told[p.ID] = t.by(p.By, toneDoubt, p.ID+" against "+p.Point, Citing(p.Objection, p.Facts))
			break
		}
		t.told[p.ID] = t.by(p.By, when(p.What == state.Reject, toneBad, toneDoubt), p.ID+" "+string(p.What)+" on "+p.Point, p.Objection)
		t.would(p.ID, p.UpgradeIf)
		if p.Narrower != "" {
			t.put(toneQuiet, "", "narrower, it would stand: "+p.Narrower, "")
		}
	case *state.ChallengeAnswered:
		t.by(p.By, tonePlain, "Re "+p.Challenge, Citing(p.Text, p.Facts))
	case *state.ChallengeJudged:
		t.by(p.By, when(p.Judgment == state.Accepted, toneGood, toneBad), p.Challenge+" defense "+string(p.Judgment),
			p.Reason+when(p.Reopens, " (one more answer is due)", ""))
	case *state.ChallengeDropped:
		t.put(toneWarn, p.Challenge, "dropped: the reply did not answer it", "")
	case *state.ChallengeReminded:
		t.put(toneQuiet, p.Challenge, "reminder sent", "")
	case *state.ChallengeUnconfirmed:
		t.put(toneQuiet, p.Challenge, "seems answered without its id; the author is asked", "")
	case *state.ChallengeUndefended:
		t.put(toneBad, p.Challenge, sentence("undefended", p.Reason), "")
	case *state.ChallengeConceded:
		t.by(p.By, toneBad, p.Challenge, sentence("conceded", p.Reason))
	default:
		return false
	}
	return true
}

// would tells what would answer a challenge, where its seat says so.
func (t *transcript) would(challenge, what string) {
	if what != "" {
		t.wanted[challenge] = t.put(toneQuiet, "", "would do: "+what, "")
	}
}

func (t *transcript) evidence(p state.Payload) bool {
	switch p := p.(type) {
	case *state.EvidenceOffered:
		e := t.put(tonePending, p.ID, cited(p.Relation, p.Point, p.Reference), "not checked yet")
		t.cites[p.ID] = e
		if p.By == state.User {
			e.set(toneUser, e.Text, "user")
		}
	case *state.CommandApproved:
		t.by(p.By, tonePending, p.Evidence, sentence(p.Words(), p.Command))
	case *state.CommandsAllowed:
		t.by(p.By, toneQuiet, "commands", p.Words())
	case *state.EvidenceVerified:
		t.verified(p)
	case *state.EvidenceRefused:
		t.refused(p)
	case *state.EvidenceContested:
		t.by(p.By, toneDoubt, p.ID, sentence("contested as not direct", p.Reason))
	case *state.FactRecorded:
		f := ledger.Fact{Tag: p.Tag, Seat: string(p.Seat), Reference: p.Reference}
		e := t.by(p.Seat, toneQuiet, p.ID, p.Text)
		e.Right = f.Label()
		if p.Supersedes == "" && strings.HasSuffix(e.Right, p.Reference) {
			e.Right, e.reference = strings.TrimSuffix(e.Right, p.Reference), p.Reference
		}
		if p.Supersedes != "" {
			e.Right += ", supersedes " + p.Supersedes
		}
	case *state.FactSuperseded:
		t.put(toneQuiet, p.Fact, "superseded by "+p.By, "")
	case *state.FactEvaluated:
		t.put(toneQuiet, p.Fact, p.Outcome, "")
	default:
		return false
	}
	return true
}

func cited(relation ledger.Relation, point, reference string) string {
	return string(relation) + " " + point + "  " + reference
}

func (t *transcript) verified(p *state.EvidenceVerified) {
	e := t.cites[p.ID]
	if e == nil {
		e = t.put(toneGood, p.ID, p.Reference, "")
	}
	relation, _, _ := strings.Cut(e.Text, "  ")
	mark := when(e.tone == toneUser, toneUser, toneGood)
	right := t.source(p) + "verified" + when(p.Admitted, "", ", not admitted") + when(mark == toneUser, ", user", "")
	e.set(mark, relation+"  "+p.Reference+when(p.Reason == "", "", " ("+p.Reason+")"), right)
}

func (t *transcript) refused(p *state.EvidenceRefused) {
	e := t.cites[p.ID]
	if e == nil {
		e = t.put(toneBad, p.ID, "", "")
	}
	text := strings.TrimSpace(e.Text + ": " + p.Reason)
	if p.NearestReference != "" && !strings.Contains(p.Reason, p.NearestReference) {
		text += "; nearest at " + p.NearestReference
	}
	e.set(toneBad, text, "refused")
}

func (t *transcript) person(p state.Payload) bool {
	switch p := p.(type) {
	case *state.QuestionSurfaced:
		t.put(toneWarn, p.ID+" asks you", p.Text, p.Point)
	case *state.QuestionAnswered:
		t.by(p.By, toneQuiet, p.ID, when(p.Answer == "", "no answer", p.Answer))
	case *state.OverrideMade:
		t.put(toneUser, p.Point, override(p), "user")
	case *state.AnchorShiftConsented:
		t.put(toneUser, p.Point, when(p.Consented, "another reading of the question: "+p.Reading, "the question stays as it is"), "user")
	default:
		return false
	}
	return true
}

func override(p *state.OverrideMade) string {
	switch p.What {
	case state.OverrideAgree:
		return sentence("ruled Agreed", p.Reason)
	case state.OverrideDismiss:
		return sentence("ruled Dismissed", p.Reason)
	case state.OverrideUnresolved:
		return sentence("left Unresolved", p.Reason)
	case state.OverrideReopen:
		return sentence("reopened", p.Reason)
	case state.OverrideKindSet:
		return sentence("is "+string(p.Set), p.Reason)
	case state.OverridePriority:
		return "keeps " + strings.Join(p.Points, " ")
	case state.OverrideBudget:
		return fmt.Sprintf("budget: tokens %s, cost %s, seconds %s",
			when(p.MaxTokens == 0, "any", strconv.Itoa(p.MaxTokens)), when(p.MaxCost == 0, "any", FormatMoney(p.MaxCost)),
			when(p.MaxSeconds == 0, "any", strconv.Itoa(p.MaxSeconds)))
	}
	return string(p.What)
}

func seats(list []state.Seat) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}
