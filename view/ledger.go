package view

import (
	"moot/ledger"
	"moot/state"
)

// Ledger lists the facts that hold, and the evidence on the points.
func Ledger(s *state.State) Document {
	facts, evidence := Section{Title: "FACTS"}, Section{Title: "EVIDENCE"}
	for _, f := range s.Facts.All() {
		if f.Live {
			facts.Items = append(facts.Items, Item{ID: f.ID, Mark: string(f.Tag), Text: f.Text})
		}
	}
	for _, e := range s.Evidence.All() {
		mark := "not checked"
		switch {
		case e.Verified:
			mark = "verified"
		case e.Checked:
			mark = "not verified"
		}
		note := EvidenceNote(e)
		it := Item{ID: e.ID, Mark: mark, Text: string(e.Relation) + " " + e.Point + ": " + note.Text}
		if e.Relation == ledger.Neutral {
			it.Text = "on " + e.Point + ": " + note.Text
		}
		if note.Quote != "" {
			it.Notes = []Note{{Label: "quote", Quote: note.Quote}}
		}
		evidence.Items = append(evidence.Items, it)
	}
	return Document{Title: "The ledger", Sections: []Section{facts, evidence}}
}

// Points lists the points with their rulings, and Receipts why each ruling was made.
func Points(s *state.State, rulings []state.Ruling) Document {
	points := Section{Title: "POINTS"}
	for _, p := range s.Points.All() {
		it := Item{ID: p.ID, Text: p.Text}
		if r := RulingOn(rulings, p.ID); r != nil {
			it.Mark = Join(", ", BucketName(r.Bucket), string(r.Tag))
		}
		if p.MergedInto != "" {
			it.Mark = "part of " + p.MergedInto
		}
		points.Items = append(points.Items, it)
	}
	return Document{Title: s.Question, Sections: []Section{points}}
}

// Receipts lists the rulings with their reasons, their rules, and what the rules read.
func Receipts(rulings []state.Ruling) Document {
	receipts := Section{Title: "RECEIPTS"}
	for i := range rulings {
		r := &rulings[i]
		receipts.Items = append(receipts.Items, Item{
			ID: r.Point, Mark: Join(", ", BucketName(r.Bucket), string(r.Tag)), Text: r.Reason + " " + Receipt(r),
		})
	}
	return Document{Title: "Why each ruling was made", Sections: []Section{receipts}}
}
