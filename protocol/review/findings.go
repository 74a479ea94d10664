package review

import (
	"cmp"
	"fmt"
	"slices"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Findings lists the findings for the screens, and what each reviewer did so far.
func (document) Findings(s *state.State, rulings []state.Ruling) view.Findings {
	all := view.Findings{List: listed(s, rulings)}
	// The headings of the result, one after the other.
	order := []string{inFindings, inKnown, inOutside, inDismissed, inOver}
	slices.SortStableFunc(all.List, func(a, b view.Finding) int {
		return slices.Index(order, a.Section) - slices.Index(order, b.Section)
	})
	for _, seat := range Reviewers(s) {
		a, _ := s.Assignment(seat)
		one := view.Reviewer{Seat: seat, Participant: a.Participant, Said: "no answer yet", Role: view.RoleOpen}
		missing := slices.IndexFunc(s.Missing, func(m state.SeatMissed) bool { return m.Seat == seat })
		switch {
		case Found(s, seat) > 0:
			one.Said, one.Role = view.Counted(Found(s, seat), "finding"), view.RoleGood
		case replied(s, seat):
			one.Said, one.Role = view.Stated("nothing", view.Record{State: s, ID: string(seat)}), view.RoleGood
		case missing >= 0:
			one.Said, one.Role = "no answer: "+plain.OneLine(s.Missing[missing].Reason), view.RoleWarn
		case s.Over():
			one.Said, one.Role = "no answer", view.RoleWarn
		}
		all.Reviewers = append(all.Reviewers, one)
	}
	return all
}

// listed returns the findings that a ruling exists for, without merged ones: by severity, then in order.
func listed(s *state.State, rulings []state.Ruling) []view.Finding {
	var list []view.Finding
	quiet := notRaisedAgain(s)
	for _, p := range Sorted(s) {
		r := resolver.RulingOn(rulings, p.ID)
		if r == nil {
			continue
		}
		f := findingOf(s, p, r)
		switch {
		case r.Bucket == state.BucketNotEvaluated:
			f.Section = inOver
		case slices.Contains(quiet, p):
			f.Section = inKnown
		case r.Bucket == state.BucketDismissed:
			f.Section = inDismissed
		case Outside(s, p):
			f.Section = inOutside
		default:
			f.Section = inFindings
		}
		list = append(list, f)
	}
	return list
}

// findingOf is a finding with everything about it.
func findingOf(s *state.State, p *state.Point, r *state.Ruling) view.Finding {
	f := Of(s).Finding(p.ID)
	spot := SpotOf(s, placed(s, p))
	one := view.Finding{
		Severity: view.Tag(string(SeverityOf(s, p))), Status: view.Tag(cmp.Or(string(r.Tag), string(r.Status), string(r.Bucket))),
		Path: spot.Path, Place: spot.String(), Why: f.Why, Fix: f.Fix, RaisedBy: raisers(s, p), Caution: caution(s, &spot),
	}
	it := view.Item{
		ID: p.ID, Aliases: p.Aliases, Text: f.What, Role: view.BucketRole(r.Bucket),
		Mark: view.Tag(one.Severity, string(f.Category), one.Status),
	}
	if one.Place != "" {
		where := whereWords(spot.Where)
		if k := changedKnown(s, f); k != nil {
			where = " in " + k.Session + ", since when " + changed(k)
		}
		place := view.Note{Label: "place", Text: one.Place + where, Quote: view.Excerpt(Quoted(s, p))}
		it.Notes, it.Diff = append(it.Notes, place), diffAt(s, &spot)
	}
	if f.Assumed && len(p.Aliases) == 0 {
		it.Note("severity", "its reviewer named none")
	}
	if f.Why != "" {
		it.Note("why", f.Why)
	}
	if f.Fix != "" {
		it.Note("fix", f.Fix)
	}
	if len(one.RaisedBy) > 0 {
		it.Note("raised by", resolver.SeatNames(one.RaisedBy))
	}
	it.Note("ruled", r.Reason)
	if r.Crux != "" {
		it.Note("settled by", r.Crux)
	}
	for _, member := range Members(s, p) {
		if member.Point != p.ID {
			it.Note(member.Point, fmt.Sprintf("%s: %s (%s)", member.By, member.What, Place(member)))
		}
	}
	for _, w := range words(s, p) {
		it.Notes = append(it.Notes, wordNotes(s, w)...)
	}
	one.Item = it
	return one
}

// caution says why the lines of a place may differ in the user's folder, or returns "".
func caution(s *state.State, spot *Spot) string {
	head := SettingsOf(s).Change.Head
	switch {
	case spot.Before:
		return "the line is counted before the change"
	case head != "":
		return "the review read commit " + head[:min(len(head), 8)] + ", and your folder may differ"
	}
	return ""
}

// How many lines of a diff are shown with a place: at most, and around it.
const (
	mostDiffLines   = 14
	linesAroundSpot = 2
)

// diffAt returns the lines of a place in the diff of its file, with a few around them, or nil if no hunk has it.
func diffAt(s *state.State, spot *Spot) []view.DiffLine {
	file := SettingsOf(s).Change.file(spot.Path)
	if file == nil || spot.Line == 0 || !spot.InHunk() {
		return nil
	}
	hunks := file.Hunks()
	if spot.Hunk < 1 || spot.Hunk > len(hunks) {
		return nil
	}
	var list []view.DiffLine
	first, last := -1, -1
	for i, line := range hunks[spot.Hunk-1].Lines {
		one := view.DiffLine{Sign: line.Sign, Number: cmp.Or(line.Now, line.Was), Text: line.Text}
		at := line.Now
		if spot.Before {
			at = line.Was
		}
		one.Named = at >= spot.Line && at <= spot.End
		if one.Named {
			last = i
			if first < 0 {
				first = i
			}
		}
		list = append(list, one)
	}
	if first < 0 {
		return nil
	}
	first = max(first-linesAroundSpot, 0)
	last = min(last+linesAroundSpot, len(list)-1, first+mostDiffLines-1)
	return list[first : last+1]
}

// Places implements the view of a session's places: the words on findings, and those of findings that were merged.
func (document) Places(s *state.State) []view.Place {
	var places []view.Place
	add := func(f *Finding, kind string, rank view.PlaceRank, text string) {
		places = append(places, view.Place{ID: f.Point, Kind: kind, Rank: rank, Point: f.Point, Text: text})
	}
	for _, f := range Of(s).Findings.All() {
		if p := s.Point(f.Point); p != nil && p.MergedInto != "" {
			add(f, "finding", view.RankClaim, view.Join("\n", f.What, f.Path, f.Why, f.Fix))
		}
		add(f, "reason", view.RankArgument, f.Withdrawn)
		for i := range f.Words {
			add(f, "reason", view.RankArgument, f.Words[i].Reason)
		}
	}
	return places
}
