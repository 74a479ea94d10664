package view

import (
	"strings"

	"moot/state"
)

// Ledger lists the live facts and the evidence.
func Ledger(s *state.State) Document {
	evidence := Section{Title: "EVIDENCE"}
	for _, e := range s.Evidence.All() {
		evidence.Items = append(evidence.Items, quoted(e))
	}
	return Document{Title: "The ledger", Sections: []Section{Facts(s), evidence}}
}

// Points lists the points with their rulings, and Receipts why each ruling was made.
func Points(s *state.State, rulings []state.Ruling) Document {
	points := Section{Title: "POINTS"}
	a := NewArgument(s, rulings)
	for i := range rulings {
		it := a.Point(&rulings[i])
		it.Mark = Join(", ", Tag(string(rulings[i].Bucket)), strings.ToLower(it.Mark))
		points.Items = append(points.Items, it)
	}
	return Document{Title: s.Question, Sections: []Section{points}}
}

// Receipts lists the rulings with their reasons, rules, and the ids that the rules read.
func Receipts(rulings []state.Ruling) Document {
	receipts := Section{Title: "RECEIPTS"}
	for i := range rulings {
		r := &rulings[i]
		receipts.Items = append(receipts.Items, Item{
			ID: r.Point, Mark: Ruling(r), Text: r.Reason + " " + Receipt(r),
		})
	}
	return Document{Title: "Why each ruling was made", Sections: []Section{receipts}}
}
