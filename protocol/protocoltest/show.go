package protocoltest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/datadriven"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/hearing"
	"moot/protocol/panel"
	"moot/protocol/review"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// user does what the command says in the user's name. The input is the text.
func (d *Desk) user(args []datadriven.CmdArg, input string) {
	d.T.Helper()
	word := func(i int) string {
		if i < len(args) {
			return args[i].Key
		}
		return ""
	}
	text := strings.TrimSpace(input)
	var move protocol.UserMove
	switch word(0) {
	case "agree", "dismiss", "unresolved", "intended", "reopen":
		move = claims.RuleOn{Point: word(1), What: state.OverrideKind(word(0)), Reason: text}
	case "split":
		move = review.SplitFinding{Point: word(1), Reason: text}
	case "merge":
		move = review.MergeFindings{A: word(1), B: word(2)}
	case "fact":
		move = protocol.RecordFact{Text: text, Supersedes: word(1)}
	case "challenge":
		move = claims.ChallengePoint{Point: word(1), Class: state.Class(word(2)), Objection: text}
	case "defend":
		move = claims.AnswerChallenge{Challenge: word(1), Text: text}
	case "evidence":
		move = claims.SupplyEvidence{Point: word(1), Text: text, Challenge: word(2)}
	case "object":
		move = dialectic.RaiseObjection{Point: word(1), Text: text, Severity: gates.Severity(word(2)), Flag: word(3)}
	case "rule":
		move = dialectic.RuleObjection{Challenge: word(1), Verdict: gates.Ruling(word(2)), Reason: text}
	case "withdraw":
		move = dialectic.WithdrawField{Point: word(1), Reason: text}
	case "answer":
		move = protocol.AnswerQuestion{Question: word(1), Answer: text}
	case "kind":
		move = claims.SetKind{Point: word(1), Kind: state.Kind(word(2))}
	case "concede":
		move = claims.ConcedePoint{Point: word(1), Reason: text}
	case "keep":
		move = claims.SetPriority{Points: strings.Fields(text)}
	case "accept", "refuse":
		move = claims.WeighEvidence{Evidence: word(1), Accept: word(0) == "accept", Reason: text}
	case "arbitrate":
		move = claims.AskArbitration{}
	case "end":
		move = protocol.EndSession{}
	case "seat":
		d.Append(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: state.Seat(word(1)), Participant: word(2)}, By: state.User})
		return
	default:
		d.T.Fatalf("the user cannot %q", word(0))
	}
	events, err := protocol.AdmitUser(d.State, move)
	if err != nil {
		d.say("refused: %v", err)
		return
	}
	d.Append(events...)
}

// silence lets every seat reply with nothing from now on, to the end.
func (d *Desk) silence() string {
	d.Quiet = true
	for range 200 {
		if d.State.Closed || len(d.Asks) == 0 {
			break
		}
		for _, a := range d.Asks {
			d.Append(&state.ReplyReceived{Seat: a.Seat, Stage: a.Stage, Text: "{}", Valid: true})
			d.Append(protocol.Of(d.State).Admit(d.State, a, nil).Events...)
		}
		d.Run()
	}
	d.Quiet = false
	return fmt.Sprintf("round %d, exit %s\n", d.State.Round, d.State.Exit) + RulingLines(d.State)
}

func (d *Desk) show(what string) string {
	out := ""
	switch what {
	case "facts":
		for _, f := range d.State.Facts.All() {
			out += fmt.Sprintf("%s [%s] live=%v evaluated=%v %s\n", f.ID, f.Label(), f.Live, f.Evaluated, f.Text)
			for i := range f.Predicates {
				out += fmt.Sprintf("  %s\n", &f.Predicates[i])
			}
		}
	case "challenges":
		for _, c := range d.State.Challenges.All() {
			out += fmt.Sprintf("%s %s on %s by %s, round %d: %s", c.ID, c.Kind, c.Point, c.By, c.Round, c.Status)
			for _, e := range c.Defenses {
				out += fmt.Sprintf("; %s in round %d %s", e.By, e.Round, e.Judgment)
			}
			out += "\n"
		}
	case "questions":
		for _, q := range d.State.Questions.All() {
			out += fmt.Sprintf("%s %s %s %v answered=%v %q\n", q.ID, q.Kind, q.Text, q.Options, q.Answered, q.Answer)
		}
	case "asked":
		for _, q := range d.State.Questions.All() {
			if q.Answered {
				continue
			}
			asking := protocol.QuestionInfoOf(d.State, q)
			out += q.ID + "\n"
			for _, about := range asking.About {
				for _, line := range about.Printed() {
					out += "  " + line + "\n"
				}
			}
			for i, does := range asking.Does {
				out += fmt.Sprintf("  %d) %s: %s\n", i+1, q.Options[i], does)
			}
		}
	case "conflicts":
		out = d.conflicts()
	case "consensus":
		for _, c := range council.Of(d.State).Tested {
			out += fmt.Sprintf("round %d: reached=%v reported=%q unsettled %v contradicted=%v\n", c.Round, c.Reached,
				c.Reported, c.Unsettled, c.Contradicted())
		}
	case "breaches":
		out = breachesOf(d.State)
	case "recorded":
		out = recordedOf(d.State)
	case "commands":
		for _, id := range d.State.Commands {
			e := d.State.Item(id)
			out += fmt.Sprintf("%s on %s, %s, expected %s: approval %s checked=%v verified=%v %s\n",
				e.ID, e.Point, e.Reference, e.Expect, e.Approval, e.Checked, e.Verified, e.Reason)
		}
	case "confidence":
		for _, c := range d.State.Confidence.All() {
			out += fmt.Sprintf("%s %s round %d stated %.2f admitted %.2f\n", c.Seat, c.Point, c.Round, c.Stated,
				c.Admitted)
		}
	default: // a section of the result, one of its items, or a row, with dashes instead of blanks
		d.T.Helper()
		result := view.Session(d.State, resolver.Rule(d.State))
		for _, row := range result.Rows {
			if row.Label == strings.ReplaceAll(what, "-", " ") {
				out += row.Text + "\n"
			}
		}
		for _, section := range append(result.Sections, result.Answer, result.Open) {
			for _, it := range section.Items {
				if section.Title != what && it.ID != what {
					continue
				}
				out += fmt.Sprintf("%s: %s\n", strings.TrimSpace(it.ID+" "+it.Mark), it.Text)
				for _, n := range it.Notes {
					out += fmt.Sprintf("  %s: %s\n", n.Label, n.Text)
				}
			}
		}
		if out == "" {
			d.T.Fatalf("nothing to show of %q", what)
		}
	}
	return out
}

// due lists the ids that the asked seat must respond to.
func (d *Desk) due(seat state.Seat) string {
	owed := claims.DueOf(d.State, d.askOf(seat))
	if d.State.Settings.Format == hearing.Name {
		return fmt.Sprintf("answer %v look at %v\n", owed.Answer, owed.Classify)
	}
	out := fmt.Sprintf("answer %v judge %v score %v\n", owed.Answer, owed.Judge, owed.Score)
	for _, r := range owed.Requests {
		out += fmt.Sprintf("request %s on %s: %s\n", r.Kind, r.Point, r.Text)
	}
	if d.askOf(seat).Stage != council.StageFix {
		return out
	}
	for _, b := range council.Unfixed(d.State, seat) {
		out += fmt.Sprintf("fix %s on %s %s\n", b.Constraint, b.Point, b.Challenge)
	}
	return out
}

// conflicts tells each conflict and what the strategy made of it.
func (d *Desk) conflicts() string {
	out := ""
	t := panel.NewTable(d.State)
	for _, c := range panel.Of(d.State).Conflicts.All() {
		out += fmt.Sprintf("%s %s of %s and %s", c.ID, c.Kind, c.A, c.B)
		switch {
		case c.Dropped:
			out += ", dropped: " + c.DroppedReason
		case !slices.Contains(t.Conflicts, c):
			out += ", none any more"
		case t.Ended(c):
			out += ", ended"
		}
		if c.Argued {
			out += fmt.Sprintf(", argued (%s)", c.ArguedBy)
		}
		out += "\n"
		if s := c.Settlement; s != nil {
			out += fmt.Sprintf("  %s %s: winner %q, %.2f, settled=%v: %s\n", s.Method, s.Measure, s.Winner,
				s.Confidence, s.Settled, s.Reasoning)
			for _, p := range s.Positions {
				out += fmt.Sprintf("  %s holds %s, answered=%v\n", p.Seat, p.Point, p.Answered)
			}
		}
	}
	return out
}

// validations are the confidences in the named claims, or in all of them, and what
// the rules find of each.
func (d *Desk) validations(named string) string {
	out := ""
	for _, p := range d.State.Points.All() {
		if named != "" && named != p.ID {
			continue
		}
		v := council.Validate(d.State, p)
		out += p.ID + ":"
		for _, score := range v.Scores {
			out += fmt.Sprintf(" %s %.2f", score.Seat, score.Admitted)
		}
		if v.Aggregate != nil {
			out += fmt.Sprintf(" aggregate %.3f", *v.Aggregate)
		}
		out += fmt.Sprintf(" spread %.2f confidence %.3f missing %v\n", v.Spread, v.Confidence, v.Missing)
		for _, r := range v.Rules {
			held := "holds"
			if !r.Passed {
				held = "fails"
			}
			out += fmt.Sprintf("  %s %s: %s\n", r.Rule, held, r.Says)
			for _, required := range r.Requires {
				out += "    requires " + required + "\n"
			}
		}
	}
	return out
}

func breachesOf(s *state.State) string {
	out := ""
	for _, b := range council.Of(s).Breaches {
		about := b.Point
		if b.Challenge != "" {
			about = b.Challenge + " on " + b.Point
		}
		fixed := "not fixed"
		if !council.Breaks(s, s.Point(b.Point), &b) {
			fixed = "fixed"
		}
		out += fmt.Sprintf("%s of the %s, %s, round %d, %s: %s\n", b.Constraint, b.Seat, about, b.Round, fixed, b.Text)
	}
	return out
}

func recordedOf(s *state.State) string {
	out := ""
	for _, a := range hearing.Of(s).Arguments {
		out += fmt.Sprintf("round %d: %s stated %v, counts %v", a.Round, a.Seat, a.Stated, a.Confidence)
		if a.WouldChange != "" {
			out += ", would change by " + a.WouldChange
		}
		out += "\n"
	}
	for _, p := range s.Points.All() {
		for _, c := range hearing.ChangesOf(s, p) {
			out += fmt.Sprintf("round %d: %s %s moved by %+.2f from %v to %v by %q\n", c.Round, p.Authors[0], p.ID, c.To-c.From, c.From, c.To, c.Fact)
		}
	}
	for _, d := range s.Drifts.All() {
		out += fmt.Sprintf("round %d: %s %s drifted from %s to %s, kept %v\n", d.Round, d.Seat, d.Point, d.From, d.To, d.Kept)
	}
	for _, i := range hearing.Of(s).Ignored {
		out += fmt.Sprintf("round %d: %s let %s on %s pass, which cites %s\n", i.Round, i.Seat, i.Challenge, s.Challenge(i.Challenge).Point, i.Fact)
	}
	violations := map[state.Seat]int{}
	for _, v := range hearing.Of(s).Violations {
		violations[v.Seat]++
		out += fmt.Sprintf("round %d: %s of the %s dropped, which cites %s\n", v.Round, v.Move, v.Seat, strings.Join(v.Facts, ", "))
	}
	for _, seat := range hearing.Seats() {
		if violations[seat] > 0 {
			out += fmt.Sprintf("%s: %d in all\n", seat, violations[seat])
		}
	}
	return out
}
