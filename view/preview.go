package view

import (
	"moot/resolver"
	"moot/state"
)

// Preview returns what matters most of a session as a document: the answer with what each sentence rests on, and what is
// open. Without an answer, it lists the claims.
func Preview(s *state.State, rulings []state.Ruling) Document {
	d := Document{Title: s.Question, Notices: FactNotices(s)}
	_, d.Stopped = StopOf(s)
	points := Section{Title: "CLAIMS"}
	unresolved := Section{Title: "UNRESOLVED"}
	for i := range rulings {
		r := &rulings[i]
		p := s.Live(r.Point)
		if p == nil || p.ID != r.Point {
			continue
		}
		it := Item{ID: p.ID, Text: p.Text, Role: BucketRole(r.Bucket), Mark: BucketName(r.Bucket)}
		points.Items = append(points.Items, it)
		if r.Bucket == state.BucketUnresolved || r.Bucket == state.BucketOpen {
			if r.Bucket == state.BucketUnresolved {
				it.Mark = "" // The title of the section says it.
			}
			if r.Crux != "" {
				it.Note(ResolvedBy, r.Crux)
			}
			unresolved.Items = append(unresolved.Items, it)
		}
	}
	questions := Section{Title: "OPEN FOR YOU"}
	for _, q := range s.Questions.All() {
		if !q.Answered {
			questions.Items = append(questions.Items, Item{ID: q.ID, Text: q.Text, Role: RoleDoubt})
		}
	}
	a := AnswerOf(s, rulings)
	if a == nil {
		d.Heading = "no answer yet"
		if s.Closed {
			d.Heading = "no answer was given"
		}
		d.Role = RoleQuiet
		d.Add(questions, points)
		return d
	}
	answer := Section{Title: "ANSWER", Uncounted: true}
	for i := range a.Sentences {
		one := &a.Sentences[i]
		it := Item{Text: one.Text}
		if rests := one.Rests(); rests != "" {
			it.Note("rests on", rests)
		}
		if denied := one.Denied(); denied != "" {
			it.Note("denies", denied)
		}
		if one.Basis == resolver.BasisUser && len(one.Marks) == 0 {
			it.Note("rests on", "your word")
		}
		for _, c := range one.Contested {
			it.Note("contested by "+string(c.Seat), c.Reason)
		}
		answer.Items = append(answer.Items, it)
	}
	d.Add(answer, questions, unresolved)
	return d
}
