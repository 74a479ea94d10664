package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
)

// sessionEvent describes events of the session: rounds, calls, rulings, pauses, questions and what
// the user does. It returns nil for other events.
func sessionEvent(after *state.State, data state.Payload) []Line {
	switch e := data.(type) {
	case *state.SessionOpened:
		lines := []Line{
			Say("session", "", e.ID, RoleQuiet).AsMinor(), Say("question", "", e.Question, RoleQuiet).AsMinor(),
		}
		if e.Fork != nil {
			from := fmt.Sprintf("from %s at event %d", e.Fork.From, e.Fork.Seq)
			lines = append(lines, Say("forked", "", from, RoleQuiet).AsMinor())
		}
		for _, a := range e.Seats {
			lines = append(lines, seatLine(a).AsMinor())
		}
		return lines
	case *state.SeatTaken:
		return One(seatLine(e.SeatAssignment).AsMinor())
	case *state.SessionPaused:
		return One(Say("pause", "", cmp.Or(e.Reason, string(e.Why)), RoleWarn))
	case *state.SessionResumed:
		return One(Say("resumed", "", "the session continues", RoleQuiet).AsMinor())
	case *state.ExitReached:
		return One(Say("exit", "", Sentence(string(after.Ended()), e.Reason), RoleRound))
	case *state.SessionClosed:
		text := string(after.Ended())
		if e.Inconclusive {
			text += ", inconclusive"
		}
		return One(Say("closed", "", text, RoleQuiet).AsMinor())
	case *state.RoundStarted:
		return One(Say("round", "", strconv.Itoa(e.Round), RoleRound))
	case *state.PhaseChanged:
		phase := string(e.Phase)
		if e.Extended {
			phase += ", extended"
		}
		return One(Say("phase", "", Sentence(phase, e.Reason), RoleQuiet))
	case *state.Ruled:
		lines := []Line{{Label: "ruled", Text: RuledCounts(after), Role: RoleQuiet}}
		for i := range e.Rulings {
			lines = append(lines, RulingLine(&e.Rulings[i]).AsMinor())
		}
		return lines
	case *state.StressTested:
		return One(Line{
			Label: "stress", Lead: "stress test of " + e.Point, Seat: e.By, Text: e.Objection,
			Detail: string(e.Grade), Role: RoleDoubt,
		}.AsMinor())
	case *state.Arbitrated:
		if e.Missing != "" {
			return One(Say("arbiter", "", e.NotSeated(), RoleWarn))
		}
		lines := []Line{{Label: "arbiter", Text: Counted(len(e.Flags), "flag"), Role: RoleQuiet}}
		for _, f := range e.Flags {
			lines = append(lines, Line{
				Label: "flag", Lead: f.Point, Text: f.Text, Detail: "flag", Role: RoleDoubt,
			}.AsMinor())
		}
		return lines
	case *state.Withheld:
		return One(Say("withheld", withheldPlace(e), withheldText(after, e), RoleWarn).AsMinor())
	case *state.QualityFailed:
		return One(Say("quality", string(e.Seat), e.Reason, RoleWarn).AsMinor())
	case *state.FoundTrivial:
		return One(Say("trivial", "the question is trivial", e.Reason, RoleQuiet).By(e.By).AsMinor())
	case *state.PromptSent, *state.PromptEdited, *state.PromptShrunk, *state.ReplyReceived, *state.ReplyRefused,
		*state.LookupAnswered, *state.AnswerGiven, *state.AnswerContested, *state.UsageCounted, *state.WorkspaceChanged,
		*state.ParticipantLearned:
		return CallLines(after, data)
	}
	return userEvent(data)
}

// userEvent describes questions to the user and what the user does.
func userEvent(data state.Payload) []Line {
	switch e := data.(type) {
	case *state.QuestionSurfaced:
		return One(Line{
			Label: "question", Key: e.ID, Lead: e.ID + " (" + string(e.What) + ")", Text: e.Text, Detail: e.Point,
			Role: RoleWarn,
		})
	case *state.QuestionAnswered:
		return One(Say("answered", e.ID, cmp.Or(e.Answer, "no answer"), RoleQuiet).By(e.By).AsMinor())
	case *state.OverrideMade:
		return One(Say("user", e.Point, override(e), RoleUser))
	case *state.AnchorShiftConsented:
		text := "the question stays as it is"
		if e.Consented {
			text = "another reading of the question: " + e.Reading
		}
		return One(Say("user", e.Point, text, RoleUser))
	case *state.CommandApproved:
		return One(Say("command", e.Evidence, Sentence(e.Words(), e.Command), RolePending))
	case *state.CommandsAllowed:
		return One(Say("commands", "", e.Words(), RoleQuiet))
	case *state.HostsAllowed:
		return One(Say("hosts", "", e.Words(), RoleQuiet))
	}
	return nil
}

// Say returns a line: a label, the subject, the rest, and what it means.
func Say(label, lead, text string, role Role) Line {
	return Line{Label: label, Lead: lead, Text: text, Role: role}
}

// One returns a single line.
func One(l Line) []Line { return []Line{l} }

func seatLine(a state.SeatAssignment) Line {
	return Say("seat", string(a.Seat), participant(a), RoleQuiet)
}

// StageName describes what a seat is asked to do.
func StageName(stage state.Stage) string {
	names := map[state.Stage]string{
		state.StageRemind:   "answer what it skipped",
		state.StageCoverage: "check coverage",
		state.StageStress:   "stress-test the result",
	}
	return cmp.Or(names[stage], string(stage))
}

// CallLines describes a call: the prompt, its cost, the reply.
func CallLines(after *state.State, data state.Payload) []Line {
	switch e := data.(type) {
	case *state.PromptSent:
		tokens := (len(e.System) + len(e.Text)) / 4
		lines := []Line{Line{
			Label: "prompt", Lead: "to " + string(e.Seat),
			Text:    fmt.Sprintf("%s, about %d tokens", StageName(e.Stage), tokens),
			Role:    RoleQuiet,
			Routine: true,
		}.AsMinor()}
		if e.Warning != "" {
			lines = append(lines, Say("warning", "", e.Warning, RoleWarn))
		}
		if len(e.Omitted) > 0 {
			omitted := "left out of the prompt: " + strings.Join(e.Omitted, " ")
			lines = append(lines, Say("omitted", string(e.Seat), omitted, RoleQuiet).AsMinor())
		}
		return lines
	case *state.PromptEdited:
		return One(Say("edited", "", "edited the prompt to "+string(e.Seat), RoleUser).AsMinor())
	case *state.PromptShrunk:
		text := fmt.Sprintf("the prompt of about %d tokens was too long", e.Sent)
		if e.Limit > 0 {
			text += fmt.Sprintf(", the limit is %d", e.Limit)
		}
		if e.Cut {
			text += "; a part was dropped silently, and the reply to the rest does not count"
		}
		text += fmt.Sprintf("; asked again with at most %d", e.Budget)
		return One(Say("shrunk", string(e.Seat), text, RoleWarn))
	case *state.ReplyReceived:
		return replyLines(after, e)
	case *state.ReplyRefused:
		return One(Say("refused", fmt.Sprintf("%s's reply (%s)", e.Seat, e.Code), e.Reason, RoleBad))
	case *state.AnswerGiven:
		return answerLines(e)
	case *state.AnswerContested:
		return One(Say("contested", e.Sentence, e.Reason, RoleDoubt).By(e.By))
	case *state.LookupAnswered:
		role := RoleQuiet
		if e.Refused != "" {
			role = RoleDoubt
		}
		return One(Say("lookup", "", LookupText(e), role).By(e.Seat).AsMinor())
	case *state.UsageCounted:
		lines := []Line{usageLine(after, e)}
		for _, note := range e.Notes {
			l := Say("note", string(e.Seat), note, RoleQuiet)
			a, ok := after.Assignment(e.Seat)
			l.Minor = !ok || !a.NoModel
			lines = append(lines, l)
		}
		return lines
	case *state.WorkspaceChanged:
		return One(Say("changed", string(e.Seat), e.Text+", in the call that was canceled", RoleWarn))
	case *state.ParticipantLearned:
		var lines []Line
		for _, lesson := range e.Lessons {
			l := Say("learned", string(e.Seat), lesson.Text, RoleQuiet)
			l.Minor = true // The participant reported it at once, and the warnings have what is lost.
			lines = append(lines, l)
		}
		if lines == nil {
			return One(Say("learned", string(e.Seat), "nothing new about its server", RoleQuiet))
		}
		return lines
	}
	return nil
}

// answerLines returns the sentences of an answer, and those that were left out.
func answerLines(e *state.AnswerGiven) []Line {
	role := RoleGood
	if e.By == state.User {
		role = RoleUser
	}
	lines := One(Say("answer", "", "composed by code from the rulings", RoleQuiet).AsMinor())
	switch {
	case e.Corrects != "":
		lines[0] = Say("answer", "", "that of the "+string(e.Corrects)+", corrected by code", RoleQuiet).AsMinor()
	case e.By != state.Protocol:
		lines[0] = Say("answer", "", "given", RoleQuiet).By(e.By).AsMinor()
	}
	for _, one := range e.Sentences {
		lines = append(lines, Line{
			Label: "answer", Lead: one.ID, Text: one.Text, Role: role,
			Detail: strings.Join(slices.Concat(one.Points, one.Denies), " "),
		})
	}
	for _, out := range e.LeftOut {
		lines = append(lines, Say("left out", "", out.Text+" ("+out.Why+")", RoleDoubt))
	}
	return lines
}

// replyLines say who replied, and what is unusual about the reply: a fallback, a new
// conversation (JU8), repaired JSON, moves that were not admitted.
func replyLines(after *state.State, e *state.ReplyReceived) []Line {
	name := cmp.Or(e.Model, string(e.Seat))
	if a, ok := after.Assignment(e.Seat); ok && e.Model == "" {
		name = a.Participant
	}
	lines := []Line{
		Line{Label: "reply", Lead: string(e.Seat), Text: name + ": " + StageName(e.Stage), Role: RoleReply}.AsMinor(),
	}
	if e.By != "" {
		lines = append(lines, Say("fallback", "", string(e.Seat)+" is answered by its fallback "+e.By, RoleWarn))
	}
	if e.Recovered != "" {
		lines = append(lines, Say("recovered", string(e.Seat), e.Recovered, RoleWarn))
	}
	if len(e.Repaired) > 0 {
		lines = append(lines, Say("repaired", string(e.Seat)+"'s reply", strings.Join(e.Repaired, "; "), RoleQuiet))
	}
	if e.ReadAs != "" {
		lines = append(lines, Say("read", string(e.Seat)+"'s reply", e.ReadAs, RoleQuiet))
	}
	for _, r := range e.Refused {
		if r.Code == state.Unread {
			lines = append(lines, Say("not read", string(e.Seat)+"'s reply", r.Text, RoleQuiet))
		}
		// A problem with the whole reply is shown with its refusal.
		if r.Move == 0 || FormatOf(after).HasEvent(r.Code) {
			continue
		}
		l := Say("ignored", fmt.Sprintf("%s's move %d (%s)", e.Seat, r.Move, r.Code), r.Text, RoleBad)
		if r.Code == state.DroppedField {
			l.Label, l.Role = "notice", RoleQuiet
		}
		lines = append(lines, l)
	}
	return lines
}

// usageLine says what a call cost, and the session so far.
func usageLine(after *state.State, e *state.UsageCounted) Line {
	var parts []string
	if tokens := fmt.Sprintf("%d tokens in, %d out", e.PromptTokens, e.CompletionTokens); e.Estimated {
		parts = append(parts, "about "+tokens)
	} else {
		parts = append(parts, tokens)
	}
	switch {
	case e.Cost > 0:
		parts = append(parts, fmt.Sprintf("$%.4f of $%.4f so far", e.Cost, after.Usage.Cost))
	case e.Unpriced:
		parts = append(parts, Price(0, 1))
	}
	parts = append(parts, fmt.Sprintf("%.1f s", float64(e.TookMillis)/1000))
	if e.Attempts > 1 {
		parts = append(parts, fmt.Sprintf("%d attempts, %.1f s waited", e.Attempts, float64(e.WaitedMillis)/1000))
	}
	a, ok := after.Assignment(e.Seat)
	return Line{
		Label: "used", Lead: string(e.Seat), Text: strings.Join(parts, ", "), Role: RoleQuiet,
		Minor: ok && a.NoModel || e.PromptTokens+e.CompletionTokens == 0 && e.Attempts < 2,
	}
}

// RuledCounts says how many points are in each bucket after a ruling.
func RuledCounts(s *state.State) string {
	in := map[state.Bucket]int{}
	for _, r := range s.Rulings.All() {
		if p := s.Point(r.Point); p != nil && p.MergedInto == "" {
			in[r.Bucket]++
		}
	}
	return BucketCounts(in)
}

// BucketCounts says how many points are in each bucket: "2 agreed, 1 open".
// It is "no points" without any.
func BucketCounts(in map[state.Bucket]int) string {
	var parts []string
	for _, b := range state.Buckets() {
		if in[b] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", in[b], BucketName(b)))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "no points")
}

// RulingLine describes a ruling on a point.
func RulingLine(r *state.Ruling) Line {
	return Say("ruling", r.Point, Sentence(Ruling(r), r.Reason), BucketRole(r.Bucket))
}

// BucketRole returns the role of a bucket.
func BucketRole(b state.Bucket) Role {
	switch b {
	case state.BucketAgreed:
		return RoleGood
	case state.BucketDismissed:
		return RoleBad
	case state.BucketUnresolved:
		return RoleDoubt
	case state.BucketOpen:
		return RoleOpen
	case state.BucketNotEvaluated:
	}
	return RoleQuiet
}

func override(e *state.OverrideMade) string {
	switch e.What {
	case state.OverrideAgree:
		return Sentence("ruled Agreed", e.Reason)
	case state.OverrideDismiss:
		return Sentence("ruled Dismissed", e.Reason)
	case state.OverrideUnresolved:
		return Sentence("left Unresolved", e.Reason)
	case state.OverrideIntended:
		return Sentence("said that it is intended", e.Reason)
	case state.OverrideReopen:
		return Sentence("reopened", e.Reason)
	case state.OverrideKindSet:
		if e.Set == "" {
			return Sentence("is of the kind that the seats say", e.Reason)
		}
		return Sentence("is "+string(e.Set), e.Reason)
	case state.OverrideArbitrate:
		return "asks the arbiter"
	case state.OverridePriority:
		return "keeps " + strings.Join(e.Points, " ")
	case state.OverrideBudget:
		limit := func(limited bool, text string) string {
			if !limited {
				return "any"
			}
			return text
		}
		return fmt.Sprintf("budget: tokens %s, cost %s, seconds %s", limit(e.MaxTokens > 0, strconv.Itoa(e.MaxTokens)),
			limit(e.MaxCost > 0, fmt.Sprintf("$%.2f", e.MaxCost)), limit(e.MaxSeconds > 0, strconv.Itoa(e.MaxSeconds)))
	}
	return Sentence(string(e.What), e.Reason)
}

// argumentEvent describes events of points, challenges, evidence and facts. It returns nil for
// other events.
func argumentEvent(after *state.State, data state.Payload) []Line {
	switch e := data.(type) {
	case *state.PointRaised:
		return pointLines(e)
	case *state.PointTriaged:
		l := Say("scope", e.Point, Sentence(string(e.Scope), e.Reason), RoleQuiet).By(e.By).AsMinor()
		l.Routine = e.Scope == state.InScope
		return One(l)
	case *state.PointsMerged:
		return One(Say("merged", "", strings.Join(e.From, " ")+" into "+e.Into, RoleQuiet).By(e.By))
	case *state.PointsPaired:
		text := "not the same subject"
		switch {
		case e.Same && e.Opposed:
			text = "same subject, opposed"
		case e.Same && e.Alike:
			text = "say the same"
		case e.Same:
			text = "same subject"
		}
		return One(Line{
			Label: "alike", Lead: e.A + " and " + e.B, Text: text,
			Role: RoleQuiet, Minor: !e.Same || !e.Alike, Routine: !e.Same,
		}.By(e.By))
	case *state.PointClassified:
		text := e.Reason
		if len(e.Rests) > 0 {
			text += " (a reversal that rests on " + strings.Join(e.Rests, ", ") + ")"
		}
		return One(Say("judgment", e.Point+" "+string(e.Class), text, ClassRole(e.Class)).By(e.By).AsMinor())
	case *state.KindCalled:
		text := "is " + string(e.Kind)
		if e.Check != "" {
			text += "; " + e.Check + " would check it"
		}
		return One(Say("kind", e.Point, text, RolePlain).By(e.By))
	case *state.PremiseNamed:
		return One(Say("premise", e.Point, "needs "+e.Needs, RolePlain).By(e.By).AsMinor())
	case *state.PointRevised:
		return One(Say("revised", e.Point, "revised as "+e.New, RolePlain).By(e.By).AsMinor())
	case *state.PointConceded:
		return One(Say("conceded", e.Point, e.Reason, RoleBad).By(e.By))
	case *state.PointBlocked:
		return One(Say("blocked", e.Point, blocked(&e.Blocked), RoleDoubt).By(e.By).AsMinor())
	case *state.PointDeadlocked:
		return One(Say("deadlock", e.Point, Sentence("deadlock, "+string(e.Class), e.Crux), RoleDoubt).AsMinor())
	case *state.PointNoted:
		return One(Say("noted", e.Point, e.Text, RoleQuiet).AsMinor())
	}
	for _, words := range []func(state.Payload) []Line{stanceEvent, challengeEvent} {
		if lines := words(data); lines != nil {
			return lines
		}
	}
	return EvidenceEvent(after, data)
}

// stanceEvent describes events of requests, confidences and facts.
func stanceEvent(data state.Payload) []Line {
	switch e := data.(type) {
	case *state.ViolationNamed:
		text := "contradicts " + e.Fact
		if !e.Confirmed {
			text += ", if you confirm it"
		}
		return One(Say("contradicts", e.Point, text, RoleWarn).By(e.By).AsMinor())
	case *state.Requested:
		return One(Line{
			Label: "asked for", Lead: cmp.Or(e.About, e.Point), Seat: e.By, Text: cmp.Or(e.Text, string(e.Kind)),
			Detail: "asked of " + Seats(e.Of), Role: RoleQuiet, Minor: e.About == "",
		})
	case *state.RequestSettled:
		l := Say("request", e.Point, string(e.What)+" requested and not given", RoleQuiet)
		if e.Answered {
			l.Text = Sentence(string(e.What)+" given", e.Text)
			l = l.By(e.By)
		}
		return One(l.AsMinor())
	case *state.ConfidenceReported:
		l := Say("confidence", string(e.Seat)+" on "+e.Point, fmt.Sprintf("confidence %.2f", e.Admitted), RoleQuiet)
		if e.Stated != e.Admitted {
			l.Text = fmt.Sprintf("confidence %.2f stated without a cause, %.2f counts", e.Stated, e.Admitted)
			l.Role = RoleWarn
		}
		l.Routine = e.Stated == e.Admitted
		return One(l.AsMinor())
	case *state.DriftDetected:
		text := fmt.Sprintf("from %s to %s", e.From, e.To)
		if e.Kept {
			text += "; the earlier position counts"
		}
		return One(Say("drift", string(e.Seat)+" on "+e.Point, text, RoleWarn))
	case *state.FactRecorded:
		f := ledger.Fact{Tag: e.Tag, Seat: string(e.Seat), Reference: e.Reference}
		detail := factMark(&f)
		if e.Tag == ledger.TagUser && (e.Predicate != nil || len(ledger.ParsePredicates(e.Text)) > 0) {
			detail += ", limit"
		}
		if e.Supersedes != "" {
			detail += ", supersedes " + e.Supersedes
		}
		l := Line{Label: "fact", Lead: e.ID, Text: e.Text, Detail: detail, Minor: e.Seat != state.User}
		if e.Seat == state.User {
			l.Role = RoleUser
		}
		return One(l)
	case *state.FactSuperseded:
		return One(Say("superseded", e.Fact, "superseded by "+e.By, RoleQuiet).AsMinor())
	case *state.FactEvaluated:
		return One(Say("evaluated", e.Fact, e.Outcome, RoleQuiet).AsMinor())
	}
	return nil
}

func pointLines(e *state.PointRaised) []Line {
	l := Line{
		Key: e.ID, Label: "point", Lead: e.ID, Seat: e.By, Text: Sentence(e.Holder, e.Text),
		Detail: e.Label, Role: RolePoint,
	}
	l = l.By(e.By)
	if e.For != "" {
		l.Lead, l.Seat = fmt.Sprintf("%s by %s for the %s", e.ID, e.By, e.For), ""
	}
	lines := []Line{l}
	if e.Late != state.TagNone {
		lines = append(lines, Say("late", e.ID, "late: "+string(e.Late), RoleQuiet).AsMinor())
	}
	return lines
}

func blocked(b *state.Blocked) string {
	text := "needs a measurement: " + b.Measurement
	if b.Threshold != "" {
		text += ", threshold " + b.Threshold
	}
	if b.Below != "" {
		text += "; below it: " + b.Below
	}
	if b.Above != "" {
		text += "; above it: " + b.Above
	}
	return text
}

// ClassRole returns the role of a classification.
func ClassRole(c state.Class) Role {
	switch c {
	case state.Agree:
		return RoleGood
	case state.Skeptical:
		return RoleDoubt
	case state.Reject:
		return RoleBad
	case state.IllFormed:
	}
	return RoleWarn
}

func challengeEvent(data state.Payload) []Line {
	switch e := data.(type) {
	case *state.ChallengeRaised:
		l := Line{
			Key: e.ID, Label: "challenge", Lead: fmt.Sprintf("%s %s on %s", e.ID, e.Kind, e.Point), Text: e.Objection,
			Role: ClassRole(e.Kind),
		}
		lines := []Line{l.By(e.By)}
		if e.UpgradeIf != "" {
			lines = append(lines, Line{
				Key: e.ID + " upgrade", Label: "upgrade", Lead: e.ID, Text: "would be resolved by: " + e.UpgradeIf,
				Role: RoleQuiet,
			}.AsMinor())
		}
		if e.Narrower != "" {
			lines = append(lines, Say("narrower", e.ID, "would accept: "+e.Narrower, RoleQuiet))
		}
		return lines
	case *state.ChallengeAnswered:
		return One(Say("answer", e.Challenge, Citing(e.Text, e.Facts), RolePlain).By(e.By))
	case *state.ChallengeJudged:
		l := Say("judged", e.Challenge+" "+string(e.Judgment), e.Reason, RoleBad)
		if e.Judgment == state.Accepted {
			l.Role = RoleGood
		}
		if e.Reopens {
			l.Detail = "one more answer is due"
		}
		return One(l.By(e.By))
	case *state.ChallengeDropped:
		return One(Say("dropped", e.Challenge, "the reply did not answer it", RoleWarn))
	case *state.ChallengeReminded:
		return One(Say("reminded", e.Challenge, "reminder sent", RoleQuiet).AsMinor())
	case *state.ChallengeUnconfirmed:
		const text = "seems answered without its id; the author is asked"
		return One(Say("unconfirmed", e.Challenge, text, RoleQuiet).AsMinor())
	case *state.ChallengeUndefended:
		return One(Say("undefended", e.Challenge, e.Reason, RoleBad))
	case *state.ChallengeGranted:
		return One(Say("granted", e.Challenge, e.Reason, RoleDoubt).By(e.By))
	case *state.ChallengeReopened:
		return One(Say("held", e.Challenge, "has to be answered", RoleUser).By(e.By))
	case *state.ChallengeConceded:
		return One(Say("conceded", e.Challenge, e.Reason, RoleBad).By(e.By))
	}
	return nil
}

// EvidenceEvent describes the events of evidence items.
func EvidenceEvent(after *state.State, data state.Payload) []Line {
	switch e := data.(type) {
	case *state.EvidenceOffered:
		l := Line{
			Key: e.ID, Label: "offered", Lead: fmt.Sprintf("%s %s %s", e.ID, e.Relation, e.Point), Text: e.Reference,
			Detail: "not checked yet", Role: RolePending,
		}
		if item := after.Item(e.ID); item != nil && item.Patch != "" {
			l.Text += " (the patch " + item.Tried() + ")"
		}
		return One(l.By(e.By).AsMinor())
	case *state.EvidenceVerified:
		l := Line{Key: e.ID, Label: "verified", Lead: e.ID, Text: e.Reference, Detail: "verified", Role: RoleGood}
		if item := after.Item(e.ID); item != nil {
			l.Lead += " " + string(item.Relation) + " " + item.Point
			if state.Seat(item.OfferedBy) == state.User {
				l.Role = RoleUser
			}
		}
		if !e.Admitted {
			l.Detail += ", not admitted"
		}
		if e.Reason != "" {
			l.Text += " (" + e.Reason + ")"
		}
		return One(l)
	case *state.EvidenceRefused:
		l := Line{Key: e.ID, Label: "unverified", Lead: e.ID, Text: e.Reason, Detail: "refused", Role: RoleBad}
		place := true
		if item := after.Item(e.ID); item != nil {
			l.Lead, l.Text = e.ID+" "+item.Point+" "+item.Reference, e.Reason
			place = item.Kind.IsPlace()
		}
		if len(e.Candidates) > 0 {
			l.Detail, l.Role = "unclear", RoleDoubt
		}
		if e.NearestReference != "" && place && !strings.Contains(e.Reason, e.NearestReference) {
			l.Text += "; nearest at " + e.NearestReference
		}
		return One(l)
	case *state.EvidenceContested:
		return One(Say("contested", e.ID, Sentence("does not bear on the point", e.Reason), RoleDoubt).By(e.By))
	case *state.EvidenceAccepted:
		return One(Say("accepted", e.ID, Sentence("bears on the point", e.Reason), RoleGood).By(e.By).AsMinor())
	case *state.ContestAnswered:
		return One(Say("contest", e.ID, Sentence("answers the contest", e.Text), RolePlain).By(e.By))
	case *state.ContestEnded:
		text := "the contest is withdrawn"
		if e.Of != e.By {
			text = "the contest by " + string(e.Of) + " is overruled"
		}
		return One(Say("contest", e.ID, Sentence(text, e.Reason), RolePlain).By(e.By))
	case *state.Withdrawn:
		return One(Say("withdrawn", Join(" ", e.ID, e.Point), Sentence("taken back", e.Reason), RolePlain).By(e.By))
	}
	return nil
}

// LookupText describes a lookup: "reads store.go:1-60".
func LookupText(e *state.LookupAnswered) string {
	var words string
	switch e.What {
	case "LIST":
		words = "lists " + cmp.Or(e.Glob, "all files")
	case "SEARCH":
		words = "searches " + cmp.Or(e.Query, "without a query")
		if e.Glob != "" {
			words += " in " + e.Glob
		}
	case "READ":
		words = "reads " + e.Path
		if len(e.Shown) > 0 {
			words += fmt.Sprintf(":%d-%d", e.Shown[0].From, e.Shown[0].To)
		}
	default:
		words = "calls " + e.What
	}
	if e.Bound != "" {
		words += " (only " + e.Bound + ")"
	}
	if e.Refused != "" {
		words += ": refused, " + e.Refused
	}
	return strings.Join(strings.Fields(words), " ")
}
