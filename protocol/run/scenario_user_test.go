package run

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/datadriven"

	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// user does what the command says in the user's name. The input is the text.
func (d *desk) user(args []datadriven.CmdArg, input string) {
	d.t.Helper()
	word := func(i int) string {
		if i < len(args) {
			return args[i].Key
		}
		return ""
	}
	text := strings.TrimSpace(input)
	var move protocol.UserMove
	switch word(0) {
	case "agree", "dismiss", "unresolved", "reopen":
		move = protocol.RuleOn{Point: word(1), What: state.OverrideKind(word(0)), Reason: text}
	case "fact":
		move = protocol.RecordFact{Text: text, Supersedes: word(1)}
	case "forbid":
		move = protocol.RecordFact{Text: text, Predicate: &state.Predicate{
			Path: word(1), Op: word(2),
			Value: []byte(word(3)),
		}}
	case "challenge":
		move = protocol.ChallengePoint{Point: word(1), Class: state.Class(word(2)), Objection: text}
	case "defend":
		move = protocol.AnswerChallenge{Challenge: word(1), Text: text}
	case "evidence":
		move = protocol.SupplyEvidence{Point: word(1), Text: text, Challenge: word(2)}
	case "object":
		move = protocol.RaiseObjection{Point: word(1), Text: text, Severity: gates.Severity(word(2)), Flag: word(3)}
	case "rule":
		move = protocol.RuleObjection{Challenge: word(1), Verdict: gates.Ruling(word(2)), Reason: text}
	case "withdraw":
		move = protocol.WithdrawField{Point: word(1), Reason: text}
	case "answer":
		move = protocol.AnswerQuestion{Question: word(1), Answer: text}
	case "mark":
		how := word(3)
		move = protocol.MarkPair{
			A: word(1), B: word(2), Same: how == "same", Opposed: how == "opposed",
			Alike: how == "alike",
		}
	case "key", "unkey":
		move = protocol.MarkKey{Point: word(1), Key: word(0) == "key"}
	case "argue":
		move = protocol.ArgueConflict{Conflict: word(1)}
	case "kind":
		move = protocol.SetKind{Point: word(1), Kind: state.Kind(word(2))}
	case "concede":
		move = protocol.ConcedePoint{Point: word(1), Reason: text}
	case "keep":
		move = protocol.SetPriority{Points: strings.Fields(text)}
	case "end":
		move = protocol.EndSession{}
	default:
		d.t.Fatalf("the user cannot %q", word(0))
	}
	events, err := protocol.AdmitUser(d.s, move)
	if err != nil {
		d.say("refused: %v", err)
		return
	}
	d.append(events...)
}

// silence lets every seat reply with nothing from now on, to the end.
func (d *desk) silence() string {
	d.quiet = true
	for range 200 {
		if d.s.Closed || len(d.asks) == 0 {
			break
		}
		for _, a := range d.asks {
			d.append(&state.ReplyReceived{Seat: a.Seat, Stage: a.Stage, Text: "{}", Valid: true})
			d.append(d.format.Admit(d.s, a, nil).Events...)
		}
		d.run()
	}
	d.quiet = false
	return fmt.Sprintf("round %d, exit %s\n", d.s.Round, d.s.Exit) + d.rulings()
}

func (d *desk) prompt(seat state.Seat) string {
	for _, a := range d.asks {
		if a.Seat == seat {
			return d.format.Prompt(d.s, a).Text
		}
	}
	return "not asked\n"
}

func (d *desk) show(what string) string {
	out := ""
	switch what {
	case "facts":
		for _, f := range d.s.Facts.All() {
			out += fmt.Sprintf("%s [%s] live=%v evaluated=%v %s\n", f.ID, f.Label(), f.Live, f.Evaluated, f.Text)
		}
	case "challenges":
		for _, c := range d.s.Challenges.All() {
			out += fmt.Sprintf("%s %s on %s by %s, round %d: %s", c.ID, c.Kind, c.Point, c.By, c.Round, c.Status)
			for _, e := range c.Defenses {
				out += fmt.Sprintf("; %s in round %d %s", e.By, e.Round, e.Judgment)
			}
			out += "\n"
		}
	case "questions":
		for _, q := range d.s.Questions.All() {
			out += fmt.Sprintf("%s %s %s %v answered=%v %q\n", q.ID, q.Kind, q.Text, q.Options, q.Answered, q.Answer)
		}
	case "asked":
		for _, q := range d.s.Questions.All() {
			if q.Answered {
				continue
			}
			asking := protocol.AskingOf(d.s, q)
			out += q.ID + "\n"
			for _, about := range asking.About {
				out += fmt.Sprintf("  %s: %s\n", about.Label, about.Text)
			}
			for i, does := range asking.Does {
				out += fmt.Sprintf("  %d) %s: %s\n", i+1, q.Options[i], does)
			}
		}
	case "conflicts":
		out = d.conflicts()
	case "commands":
		for _, id := range d.s.Commands {
			e := d.s.Item(id)
			out += fmt.Sprintf("%s on %s, %s, expected %s: approval %s checked=%v verified=%v %s\n",
				e.ID, e.Point, e.Reference, e.Expect, e.Approval, e.Checked, e.Verified, e.Reason)
		}
	case "confidence":
		for _, c := range d.s.Confidence.All() {
			out += fmt.Sprintf("%s %s round %d stated %.2f admitted %.2f\n", c.Seat, c.Point, c.Round, c.Stated,
				c.Admitted)
		}
	default:
		d.t.Fatalf("nothing to show of %q", what)
	}
	return out
}
