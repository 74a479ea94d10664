package simulate

import (
	"moot/lab/measure"
	"moot/state"
)

// published sets beside the hearings what was published of hearings between language
// models, judged by v2. What was not heard is left out.
func published(summaries []measure.Summary) []measure.Published {
	var found []measure.Published
	for i := range summaries {
		s := &summaries[i]
		if s.Mode.Judge != state.JudgeV2 {
			continue
		}
		add := func(what, said string, here measure.Proportion) {
			found = append(found, measure.Published{What: what, Said: said, Here: here})
		}
		switch {
		case s.Mode.Form == state.FormSingle:
			add("single is right", "83-92 %", s.Accuracy)
		case s.Mode.Form == state.FormMulti:
			add("multi is right", "61-67 %", s.Accuracy)
			if s.Flips != nil {
				add("going on turns a right verdict wrong (of all)", "25 %", s.Flips.Pairs.BadFlips())
				add("going on turns a wrong verdict right (of all)", "0 %", s.Flips.Pairs.GoodFlips())
			}
		case s.Mode.Form == state.FormAnchored && s.Mode.Seats == ToldToHold:
			add("anchored by a prompt is right", "66.7 %", s.Accuracy)
		}
	}
	return found
}
