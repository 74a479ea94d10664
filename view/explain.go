package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Explain explains a point, a challenge, an item of evidence, a fact, a question or a sentence of the answer: what became
// of it, and why. It returns false for an id that the session does not have.
func Explain(s *state.State, rulings []state.Ruling, id string) (Document, bool) {
	a := NewArgument(s, rulings)
	if r := resolver.RulingOn(rulings, id); r != nil {
		return Why(s, r), true
	}
	if c := s.Challenge(id); c != nil {
		return a.explainChallenge(c), true
	}
	if e := s.Item(id); e != nil {
		return a.explainEvidence(e), true
	}
	if f := s.Fact(id); f != nil {
		return a.explainFact(f), true
	}
	if q := s.QuestionByID(id); q != nil {
		return a.explainQuestion(q), true
	}
	if answer := AnswerOf(s, rulings); answer != nil {
		for i := range answer.Sentences {
			if one := &answer.Sentences[i]; one.ID == id {
				return a.explainSentence(answer, one), true
			}
		}
	}
	return a.Document(id)
}

// Explains reports whether Explain has words for an id. It is cheap enough to ask for each frame of a screen.
func Explains(s *state.State, rulings []state.Ruling, id string) bool {
	if resolver.RulingOn(rulings, id) != nil || s.Challenge(id) != nil || s.Item(id) != nil || s.Fact(id) != nil ||
		s.QuestionByID(id) != nil || s.Sentence(id) != nil {
		return true
	}
	if s.Answer() == nil && id == "S1" {
		return FormatOf(s).Decision(s) != ""
	}
	if _, ok := s.Packet.Fact(id); ok {
		return true
	}
	_, ok := FormatOf(s).Explain(s, id)
	return ok
}

// explainChallenge says what became of a challenge, and how its point is ruled.
func (a *Argument) explainChallenge(c *state.Challenge) Document {
	status, it := a.Status(c), a.thread(c)
	d := Document{Title: c.ID, Question: it.Text, Heading: resolver.Capital(status.Outcome), Role: status.Role}
	if status.Judged { // A format that describes it says so in its notes.
		d.Verdict = []string{challengeMeans(status.Status, c.Point)}
	}
	it.ID, it.Mark, it.Text = "", "", "What was said"
	d.Add(Section{Title: "THREAD", Items: []Item{it}, Uncounted: true}, a.ruled(c.Point))
	return d
}

// challengeMeans says what the status of a challenge means for its point.
func challengeMeans(status state.ChallengeStatus, point string) string {
	switch status {
	case state.StandsOpen, state.StandsAnswered:
		return "It is not settled yet."
	case state.StandsDropped, state.StandsReminded:
		return "A reply passed it over. Without an answer to the reminder, " + point + " counts as not defended."
	case state.StandsDefended:
		return "An answer to it was accepted, so it no longer holds against " + point + "."
	case state.StandsUpheld:
		return "The last answer to it was rejected, so it holds against " + point + "."
	case state.StandsUndefended:
		return "It was not answered after a reminder, so it holds against " + point + "."
	case state.StandsConceded:
		return "The authors of " + point + " gave way to it."
	case state.StandsGranted:
		return "A seat gave way to it. You decide what that means for " + point + "."
	case state.StandsBlocked:
		return "It hangs on data that is missing."
	case state.StandsEnded:
		return "It was taken back, or " + point + " ended for another reason."
	}
	return string(status)
}

// ruled is the point that something is about, with its ruling and the reason.
func (a *Argument) ruled(point string) Section {
	sec := a.itsPoint(point)
	if r := resolver.RulingOn(a.rulings, point); r != nil {
		sec.Items[0].Notes = nil
		sec.Items[0].Note("why", r.Reason)
		if r.Crux != "" {
			sec.Items[0].Note(ResolvedBy, r.Crux)
		}
	}
	return sec
}

// explainEvidence says whether the rulings read an item, and why.
func (a *Argument) explainEvidence(e *ledger.Evidence) Document {
	it := EvidenceItem(e)
	d := Document{Title: e.ID, Question: it.Text, Heading: it.Mark, Role: it.Role}
	p := a.state.Live(e.Point)
	verb := "for"
	if e.Relation == ledger.Refutes {
		verb = "against"
	}
	switch {
	case p != nil && resolver.Counts(a.state, p, e):
		d.Verdict = []string{fmt.Sprintf("It counts %s %s.", verb, p.ID)}
	case p != nil:
		d.Verdict = []string{fmt.Sprintf("It does not count %s %s.", verb, p.ID)}
	}
	if words := resolver.RelevanceWords(e); words != "" {
		d.Verdict = append(d.Verdict, resolver.Capital(words)+".")
	}
	if !e.Proven() && e.Reason != "" {
		d.Verdict = append(d.Verdict, "The check: "+e.Reason)
	}
	item := quoted(e)
	item.ID, item.Mark = "", ""
	d.Add(Section{Title: "EVIDENCE", Items: []Item{item}, Uncounted: true}, a.ruled(e.Point))
	return d
}

// explainFact says whom a fact binds, and which points it touches.
func (a *Argument) explainFact(f *ledger.Fact) Document {
	it := FactItem(f)
	d := Document{Title: f.ID, Question: f.Text, Heading: it.Mark, Role: it.Role}
	switch {
	case !f.Live:
		d.Verdict = []string{"It no longer holds: a later fact supersedes it."}
	case len(f.Conflicts) > 0:
		d.Verdict = []string{"It does not bind as long as it and " + strings.Join(f.Conflicts, ", ") + " exclude each other."}
	case f.Tag == ledger.TagUser:
		d.Verdict = []string{"It is a fact of the user: a claim that is found to contradict it is dismissed."}
	case f.Tag == ledger.TagVerified:
		d.Verdict = []string{Join(" at ", "Code found it", f.Reference) + "."}
	case f.Tag == ledger.TagUnverified:
		d.Verdict = []string{"It is the word of " + resolver.SeatName(state.Seat(f.Seat)) + ", and not verified."}
	}
	cited := Section{Title: "CITED BY"}
	for _, p := range a.state.Points.All() {
		if slices.Contains(p.Facts, f.ID) {
			cited.Items = append(cited.Items, Item{ID: p.ID, Text: p.Text})
		}
	}
	d.Add(cited, a.contradicting(f.ID))
	return d
}

// explainQuestion says whether a question waits, and what it is about.
func (a *Argument) explainQuestion(q *state.Question) Document {
	d := Document{Title: q.ID, Question: q.Text, Heading: "Waits for you", Role: RoleWarn}
	if q.Answered {
		d.Heading, d.Role = "Answered", RoleGood
		d.Verdict = []string{Sentence("The answer", throughChannel(cmp.Or(q.Answer, "none"), q.Channel))}
	}
	choices := Section{Title: "CHOICES", Uncounted: true}
	for _, option := range q.Options {
		choices.Items = append(choices.Items, Item{Text: option})
	}
	d.Add(choices)
	if a.state.Point(q.Point) != nil {
		d.Add(a.ruled(q.Point))
	}
	return d
}

// explainSentence says what a sentence of the answer rests on, how each of its points was ruled, and who objected.
func (a *Argument) explainSentence(answer *Answer, one *AnswerSentence) Document {
	d := Document{Title: one.ID, Question: one.Text}
	points := Section{Title: "IT RESTS ON", Uncounted: true}
	for i := range one.Marks {
		m := &one.Marks[i]
		it := Item{ID: m.Point, Mark: resolver.Capital(m.Word()), Role: RoleDoubt}
		switch {
		case m.Firm():
			it.Role = RoleGood
		case m.Basis == resolver.BasisDisputed, m.Ended != "":
			it.Role = RoleBad
		}
		if p := a.state.Point(m.Point); p != nil {
			it.Text = p.Text
		}
		if m.Denied {
			it.Text = "It says the opposite of: " + it.Text
		}
		if r := resolver.RulingOn(a.rulings, m.Point); r != nil {
			it.Note("why", r.Reason)
		}
		points.Items = append(points.Items, it)
	}
	switch one.Basis { //nolint:exhaustive // the others are words for points
	case resolver.BasisDecided:
		d.Verdict = []string{"Code decided this from the record; no seat wrote it."}
		points = Points(a.state, a.rulings).Sections[0]
	case resolver.BasisUser:
		d.Verdict = []string{"You wrote it."}
		if len(one.Marks) > 0 {
			d.Verdict = []string{"You ruled on what it rests on."}
		}
	default:
		d.Verdict = []string{"The weakest of what it rests on is " + string(one.Basis) + ". That is said of the points, not of the sentence."}
	}
	d.Heading = resolver.Capital(string(one.Basis))
	d.Role = RoleDoubt
	if one.Basis.Firm() || one.Basis == resolver.BasisDecided {
		d.Role = RoleGood
	}
	if answer.By != state.User && answer.By != state.Protocol {
		d.Verdict = append(d.Verdict, "Written by "+resolver.SeatName(answer.By)+".")
	}
	objections := Section{Title: "OBJECTIONS", Uncounted: true}
	for _, n := range one.objections(Record{State: a.state, Rulings: a.rulings}) {
		objections.Items = append(objections.Items, Item{Text: Sentence(strings.TrimPrefix(n.Label, "objections"), n.Text)})
	}
	d.Add(points, objections)
	return d
}
