package cli

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
)

// progress tells of a session, one labeled line per event of note. Text in a
// line is as participants wrote it: line escapes it.
type progress struct {
	line func(format string, args ...any)
	// told is how each objection came out when it was told last.
	told map[string]string
	// voting is whose reply came last, where it was asked to take a side; else "".
	voting state.Seat
	// begun is the phase that the round of a council is in, 1 to 4; 0 before.
	begun int
	// scoring is whose confidences are to be told, sure what they are.
	scoring state.Seat
	sure    []string
	// flags are violations to be told that hold nothing up.
	flags []state.ConstitutionViolated
	// judged is what the judge of a hearing said last.
	judged string
}

func (p *progress) say(label, format string, args ...any) {
	p.line("%-10s %s", label, plain.Line(fmt.Sprintf(format, args...)))
}

func (p *progress) called(n protocol.CallStarted) {
	again := ""
	if n.Ask.Retry != "" {
		again = " (again)"
	}
	p.say("ask", "%s (%s) to %s%s", n.Ask.Seat, n.Participant, toDo(n.Ask.Stage), again)
}

func (p *progress) forecast(n protocol.Forecast) {
	cost := ""
	if n.Priced {
		cost = fmt.Sprintf(", $%.4f", n.Cost)
	}
	p.say("forecast", "round %d takes at least %s, about %d tokens%s", n.Round, plain.Counted(n.Calls, "call"), n.Tokens, cost)
}

func (p *progress) advanced(n protocol.Advanced) {
	for _, e := range n.Events {
		switch e.Data.(type) {
		case *state.PromptSent, *state.ReplyReceived, *state.Ruled:
			p.gathered()
		}
		p.event(e.Data, &n)
	}
	p.gathered()
}

// event tells of one event, where it is of note.
func (p *progress) event(data state.Payload, n *protocol.Advanced) {
	p.council(data, n)
	if p.hearing(data, n) {
		return
	}
	switch e := data.(type) {
	case *state.RoundStarted:
		p.say("round", "%d", e.Round)
	case *state.PhaseChanged:
		p.phase(e, &n.State)
	case *state.ReplyReceived:
		p.voting = ""
		if e.Stage == state.StageVote {
			p.voting = e.Seat
		}
		p.replied(e)
		p.untaken(e, &n.State)
	case *state.ReplyRefused:
		p.say("refused", "%s's reply (%s): %s", e.Seat, e.Code, clip(e.Reason))
	case *state.Ruled:
		p.say("ruled", "%s", counts(&n.State, n.Rulings))
	case *state.ExitReached:
		p.say("exit", "%s: %s", e.Exit, e.Reason)
	case *state.SessionPaused:
		p.say("pause", "%s", e.Reason)
	case *state.QuestionSurfaced:
		p.question(e, &n.State)
	case *state.OverrideMade:
		p.say("user", "%s %s", e.What, strings.TrimSpace(e.Point+" "+e.Reason))
	case *state.DriftDetected:
		p.say("drift", "%s on %s, from %s to %s", e.Seat, e.Point, clip(e.From), clip(e.To))
	case *state.PromptSent:
		if e.Warning != "" {
			p.say("warning", "%s", e.Warning)
		}
	case *state.PromptShrunk:
		p.shrunk(e)
	case *state.UsageCounted:
		p.notes(e, &n.State)
	case *state.WorkspaceChanged:
		p.say("changed", "%s: %s, in the call that was cancelled", e.Seat, e.Text)
	case *state.Arbitrated:
		p.say("arbiter", "%d flags", len(e.Flags))
	default:
		p.argument(data, n)
	}
}

// shrunk tells of a prompt that did not fit (LE7).
func (p *progress) shrunk(e *state.PromptShrunk) {
	cut := ""
	if e.Cut {
		cut = "; a part of it was dropped silently, and the reply to the rest does not count"
	}
	p.say("shrunk", "%s's prompt of about %d tokens was too long%s; asked again with at most %d", e.Seat, e.Sent, cut, e.Budget)
}

// replied tells what is not usual about a reply: that another gave it, that a
// conversation was begun anew for it (JU8), that its JSON was mended.
func (p *progress) replied(e *state.ReplyReceived) {
	if e.By != "" {
		p.say("fallback", "%s is answered by its fallback %s", e.Seat, e.By)
	}
	if e.Recovered != "" {
		p.say("recovered", "%s: %s", e.Seat, clip(e.Recovered))
	}
	if len(e.Repaired) > 0 {
		p.say("repaired", "%s's reply: %s", e.Seat, strings.Join(e.Repaired, "; "))
	}
}

// untaken tells of the moves of a reply that were not admitted. What is wrong
// with a reply as a whole comes with its refusal.
func (p *progress) untaken(e *state.ReplyReceived, s *state.State) {
	for _, r := range e.Refused {
		if r.Move > 0 && !toldElsewhere(s, r.Code) {
			what := "not taken"
			if r.Code == state.DroppedField {
				what = "notice"
			}
			p.say(what, "%s's move %d (%s): %s", e.Seat, r.Move, r.Code, clip(r.Text))
		}
	}
}

// notes tells what a participant that is no model says beside its reply.
func (p *progress) notes(e *state.UsageCounted, s *state.State) {
	if seat, ok := s.Assignment(e.Seat); !ok || !seat.NoModel {
		p.spent(e, s)
		return
	}
	for _, note := range e.Notes {
		p.say("note", "%s: %s", e.Seat, note)
	}
}

// spent tells what a call to a model took, and what the session has cost so far.
func (p *progress) spent(e *state.UsageCounted, s *state.State) {
	if e.PromptTokens+e.CompletionTokens == 0 && e.Attempts < 2 {
		return
	}
	parts := []string{fmt.Sprintf("%d tokens in, %d out", e.PromptTokens, e.CompletionTokens)}
	if e.Estimated {
		parts[0] = "about " + parts[0]
	}
	if e.Cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f of $%.4f so far", e.Cost, s.Usage.Cost))
	}
	parts = append(parts, fmt.Sprintf("%.1f s", float64(e.TookMillis)/1000))
	if e.Attempts > 1 {
		parts = append(parts, fmt.Sprintf("%d attempts, %.1f s waited", e.Attempts, float64(e.WaitedMillis)/1000))
	}
	p.say("used", "%s: %s", e.Seat, strings.Join(parts, ", "))
}

// argument tells of points, challenges and evidence.
func (p *progress) argument(data state.Payload, n *protocol.Advanced) {
	switch e := data.(type) {
	case *state.PointRaised:
		p.say("point", "%s %s: %s", e.ID, whose(e), clip(e.Text))
	case *state.PointsMerged:
		p.say("merged", "%s into %s", strings.Join(e.From, " "), e.Into)
	case *state.PointConceded:
		p.say("conceded", "%s by %s", e.Point, e.By)
	case *state.ChallengeRaised:
		if toldOtherwise(n.Events, e.ID) {
			return
		}
		p.say("challenge", "%s %s on %s by %s: %s", e.ID, e.What, e.Point, e.By, clip(e.Objection))
		if e.Narrower != "" {
			p.say("narrower", "%s would let this stand: %s", e.ID, clip(e.Narrower))
		}
	case *state.ChallengeAnswered:
		p.say("answer", "%s by %s: %s", e.Challenge, e.By, clip(e.Text))
	case *state.ChallengeJudged:
		p.say("judged", "%s %s by %s: %s", e.Challenge, e.Judgment, e.By, clip(e.Reason))
	case *state.ChallengeDropped:
		p.say("dropped", "%s was not answered", e.Challenge)
	case *state.ChallengeUndefended:
		p.say("undefended", "%s: %s", e.Challenge, e.Reason)
	case *state.ChallengeConceded:
		p.say("conceded", "%s by %s: %s", e.Challenge, e.By, clip(e.Reason))
	case *state.CommandApproved:
		p.say("command", "%s %s: %s", e.Evidence, e.Words(), e.Command)
	case *state.CommandsAllowed:
		p.say("commands", "%s", e.Words())
	case *state.EvidenceVerified:
		p.say("verified", "%s %s %s", e.ID, pointOf(&n.State, e.ID), e.Reference)
	case *state.EvidenceRefused:
		item := n.State.Item(e.ID)
		p.say("unverified", "%s %s %s: %s", e.ID, item.Point, clip(item.Reference), e.Reason)
	case *state.FactRecorded:
		if e.Seat == state.User {
			p.say("fact", "%s: %s", e.ID, clip(e.Text))
		}
	default:
		p.proposal(data, n)
		p.panel(data, n)
	}
}

func pointOf(s *state.State, item string) string {
	if e := s.Item(item); e != nil {
		return e.Point
	}
	return ""
}

// question shows a question: what it is about, and its choices numbered, with what
// each would do.
func (p *progress) question(q *state.QuestionSurfaced, s *state.State) {
	p.say("question", "%s (%s) %s", q.ID, q.What, q.Text)
	var asking protocol.Asking
	if known := s.QuestionByID(q.ID); known != nil && !known.Answered {
		asking = protocol.AskingOf(*s, known)
	}
	for _, a := range asking.About {
		p.say("", "  %s: %s", a.Label, a.Text)
	}
	for i, option := range q.Options {
		if i < len(asking.Does) {
			option += ": " + asking.Does[i]
		}
		p.say("", "  %d) %s", i+1, option)
	}
}

// counts is how many points are in each bucket.
func counts(s *state.State, rulings []state.Ruling) string {
	in := map[state.Bucket]int{}
	for i := range rulings {
		if p := s.Point(rulings[i].Point); p != nil && p.MergedInto == "" {
			in[rulings[i].Bucket]++
		}
	}
	return bucketCounts(in)
}

func bucketCounts(in map[state.Bucket]int) string {
	var parts []string
	for _, b := range state.Buckets() {
		if in[b] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", in[b], strings.ReplaceAll(string(b), "_", " ")))
		}
	}
	if len(parts) == 0 {
		return "nothing is proposed yet"
	}
	return strings.Join(parts, ", ")
}

// maxShown is how much of a text one line shows, in bytes.
const maxShown = 160

// clip is a text on one line, cut where it is long.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}
