package review

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Review implements view.Reviews: what a comment in a pull request and other programs show of a review.
func (document) Review(s *state.State, rulings []state.Ruling) view.Review {
	decision, record := DecisionOf(s), view.Record{State: s, Rulings: rulings}
	r := view.Review{
		Lead: decision.String(), Decided: decision.Verdict != NoDecision, Head: SettingsOf(s).Change.Head,
		Silent: view.Stated("open", record), Annotations: annotations(s, rulings),
	}
	sections := sectionsOf(s, rulings)
	you, found := &sections[0], &sections[1]
	// What decides is shown whole and first, instead of among the findings.
	agreed := view.Section{Title: fmt.Sprintf("AGREED, %s OR WORSE", SettingsOf(s).Gate)}
	if SettingsOf(s).Gate == Blocking {
		agreed.Title = fmt.Sprintf("AGREED, %s", Blocking)
	}
	copies := map[string]view.Note{}
	for _, it := range you.Items {
		copies[it.ID] = it.Copy
	}
	gating := []string{}
	if r.Decided {
		gating = pointsOf(Gating(s, state.BucketAgreed))
	}
	open, others := []view.Item{}, []view.Item{}
	for _, it := range found.Items {
		switch {
		case slices.Contains(gating, it.ID):
			agreed.Items = append(agreed.Items, it)
		case copies[it.ID].Text != "":
			it.Copy = copies[it.ID]
			open = append(open, it)
		default:
			others = append(others, it)
		}
	}
	you.Items, found.Items = open, others
	if r.Silent != "" {
		return r
	}
	if len(agreed.Items)+len(open) > 0 {
		found.Title = "OTHER FINDINGS"
	}
	var urgent, rest view.Document
	urgent.Add(agreed, *you)
	rest.Add(append(sections[1:], notReviewed(s), tookPart(s))...)
	r.Urgent, r.Rest = urgent.Sections, rest.Sections
	return r
}

// annotations are the findings that stand or are unresolved, with a place that exists. What earlier rulings dismissed is not
// raised again, and what is over the limit was not ruled.
func annotations(s *state.State, rulings []state.Ruling) []view.Annotation {
	list := []view.Annotation{}
	for _, p := range Sorted(s) {
		r, spot := resolver.RulingOn(rulings, p.ID), SpotOf(s, placed(s, p))
		switch {
		case r == nil, r.Bucket != state.BucketAgreed && r.Bucket != state.BucketUnresolved:
			continue
		case spot.Path == "", spot.Where == Nowhere, spot.Where == Unchecked:
			continue // Programs that show findings beside lines would follow any path.
		}
		f := Of(s).Finding(p.ID)
		one := view.Annotation{
			ID: p.ID, Level: levelOf(SeverityOf(s, p)), Kind: string(f.Category), Path: spot.Path, Line: spot.Line,
			End: max(spot.Line, spot.End), Fingerprint: FingerprintOf(s, p), Text: []string{f.What},
		}
		if f.Why != "" {
			one.Text = append(one.Text, f.Why)
		}
		if f.Fix != "" {
			one.Text = append(one.Text, "Fix: "+f.Fix)
		}
		if spot.Before {
			one.Line, one.End = 0, 0
			one.Text = append(one.Text, "Place: "+spot.String())
		}
		how := view.Tag(string(SeverityOf(s, p)), string(r.Bucket), string(r.Tag))
		one.Text = append(one.Text, view.Sentence(how, r.Reason))
		list = append(list, one)
	}
	return list
}

func levelOf(v Severity) view.Level {
	switch v {
	case Blocking, High:
		return view.LevelError
	case Low:
		return view.LevelNote
	case Medium:
	}
	return view.LevelWarning
}
