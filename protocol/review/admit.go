package review

import (
	"cmp"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/state"
)

// The limits of a reviewer: findings that are compared and ruled on, and findings that are kept.
const (
	MostFindings = 30
	mostKept     = 300
)

// Admit implements Format.
func (Format) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	a := claims.NewAdmitter(s, ask)
	nothing := false
	a.Each(moves, func(m move.Move) error {
		_, is := m.(*NoFindings)
		nothing = nothing || is
		return admit(a, m)
	})
	switch {
	case ask.Stage == StageFind && nothing && Found(a.State, ask.Seat) > Found(s, ask.Seat):
		a.Notify("contradiction", "NO_FINDINGS beside findings: the findings were taken")
	case ask.Stage == state.StageAnswer:
		a.Record(&ItemsHeard{
			By: ask.Seat, Items: lists.Map(against(s, ask.Seat), func(e *ledger.Evidence) string { return e.ID }),
		})
	case ask.Stage == StageExamine:
		a.Record(&FindingsExamined{By: ask.Seat, Points: pointsOf(ToExamine(s, ask.Seat)), Round: s.Round})
	}
	return a.Admission()
}

// Found is the number of findings that a seat raised.
func Found(s *state.State, seat state.Seat) int {
	n := 0
	for _, f := range Of(s).Findings.All() {
		if f.By == seat {
			n++
		}
	}
	return n
}

// admit admits one move.
func admit(a *claims.Admitter, m move.Move) error {
	switch m := m.(type) {
	case *finding:
		if a.Ask.Stage == StagePlace {
			return place(a, m)
		}
		return raise(a, m)
	case *NoFindings:
		if text := strings.TrimSpace(m.Text); text != "" && Found(a.State, a.Seat) == 0 {
			return a.Add(&NothingFound{By: a.Seat, Text: text})
		}
		return nil
	case *Confirm:
		return confirm(a, m)
	case *Refute:
		return judge(a, m.Point, WordRefute, "", m.Reason, m.Citations)
	case *Unsure:
		return judge(a, m.Point, WordUnsure, "", m.Reason, nil)
	case *Split:
		return split(a, m)
	case *Fixed:
		return judge(a, m.Point, WordFixed, "", m.Reason, m.Citations)
	case *Intended:
		if strings.TrimSpace(m.Reason) == "" {
			return protocol.Refuse("no-reason", "INTENDED %s needs the reason", m.Point)
		}
		return judge(a, m.Point, WordIntended, "", m.Reason, nil)
	case *Wrong:
		return judge(a, m.Point, WordWrong, "", m.Reason, m.Citations)
	case *move.Withdraw:
		return withdraw(a, m)
	case *move.Contest:
		return a.Move(m)
	}
	return protocol.Refuse("unknown-move", "%s is not allowed in this turn", move.KindOf(m))
}

// raise admits a finding.
func raise(a *claims.Admitter, m *finding) error {
	what := plain.OneLine(strings.TrimSpace(m.What))
	found := Found(a.State, a.Seat)
	switch {
	case what == "":
		return protocol.Refuse("missing-field", "FINDING says in what what is wrong")
	case found >= mostKept:
		return protocol.OverLimit(what, "a reviewer's first %d findings are kept", mostKept)
	case repeats(a.State, a.Seat, m, what):
		return protocol.Refuse("repeated", "you raised that finding already")
	}
	severity, err := ReadSeverity(m.Severity)
	if err != nil {
		if severity = Medium; strings.TrimSpace(m.Severity) != "" {
			a.Notify("severity", "%q is no severity (BLOCKING, HIGH, MEDIUM or LOW): taken as MEDIUM", plain.Clip(m.Severity, 40))
		}
	}
	made := &FindingMade{
		Point: a.State.NextPoint(), By: a.Seat, What: what, Why: strings.TrimSpace(m.Why), Fix: strings.TrimSpace(m.Fix),
		Severity: severity, Assumed: err != nil, Category: ReadCategory(m.Category), Over: found >= MostFindings,
	}
	made.Path, made.Line, made.End = placeOf(&SettingsOf(a.State).Change, m)
	if made.Over {
		a.Notify(state.NotTaken, "a reviewer's first %d findings are compared; the others are kept and listed", MostFindings)
	}
	if err := a.Add(made); err != nil || made.Over {
		return err
	}
	offerPlace(a, made.Point)
	a.OfferAll(made.Point, m.Citations, move.LabelNone, ledger.Supports, "")
	return nil
}

// repeats reports whether a seat raised a finding with these words at this place before.
func repeats(s *state.State, seat state.Seat, m *finding, what string) bool {
	path, line, _ := placeOf(&SettingsOf(s).Change, m)
	return Of(s).Findings.Any(func(f *Finding) bool {
		return f.By == seat && f.What == what && f.Path == path && f.Line == line
	})
}

// placeOf reads the place of a finding: the file may have the prefix of a diff, and its line may be part of it.
func placeOf(c *Change, m *finding) (path string, line, end int) {
	path, line, end = strings.TrimSpace(m.Path), max(0, m.Line), max(0, m.End)
	if r, err := ledger.ParseReference(path); err == nil && len(r.Spans) > 0 && c.file(path) == nil {
		if path = r.Path; line == 0 {
			line, end = r.Spans[0].First, max(end, r.Spans[0].Last)
		}
	}
	if f := c.file(path); f != nil {
		path = f.Path
	}
	if line == 0 {
		return path, 0, 0
	}
	return path, line, max(line, end)
}

// offerPlace offers the place of a finding as evidence, if the tree under review has it: code then quotes its lines.
func offerPlace(a *claims.Admitter, point string) {
	f := Of(a.State).Finding(point)
	change := &SettingsOf(a.State).Change
	file := change.file(f.Path)
	if f.Path == "" || f.Line == 0 || file != nil && f.Line > file.Lines {
		return
	}
	if spot := SpotOf(a.State, f); spot.Before {
		return // The tree has another line there.
	}
	reference := ledger.Reference{Path: f.Path, Spans: []ledger.Span{{First: f.Line, Last: f.End}}}.String()
	a.Try(0, func() error {
		return a.Add(&state.EvidenceOffered{
			ID: a.State.NextEvidence(), Point: point, Relation: ledger.Supports, Reference: reference, For: ForPlace, By: f.By,
		})
	})
}

// place admits a better place for a finding of the seat.
func place(a *claims.Admitter, m *finding) error {
	f := Of(a.State).Finding(m.Point)
	if m.Point == "" {
		if asked := misplacedOf(a.State, a.Seat); len(asked) == 1 {
			f = asked[0]
		}
	}
	switch {
	case f == nil:
		return protocol.Refuse("unknown-point", "there is no finding %q: name yours in point, as in P3", m.Point)
	case f.By != a.Seat || !f.Asked || f.Corrected:
		return protocol.Refuse("not-asked", "you were not asked for the place of %s", f.Point)
	}
	path, line, end := placeOf(&SettingsOf(a.State).Change, m)
	if path == "" {
		return protocol.Refuse("no-place", "FINDING %s names no path", f.Point)
	}
	if err := a.Add(&FindingPlaced{Point: f.Point, By: a.Seat, Path: path, Line: line, End: end}); err != nil {
		return err
	}
	offerPlace(a, f.Point)
	return nil
}

// confirm admits a confirmation. It counts only with a place or a command of its own.
func confirm(a *claims.Admitter, m *Confirm) error {
	severity, err := ReadSeverity(m.Severity)
	if err != nil {
		severity = ""
	}
	if len(m.Citations) == 0 {
		a.Notify("no-reference", "CONFIRM %s brings no place or command of your own, so it counts for nothing", m.Point)
	}
	return judge(a, m.Point, WordConfirm, severity, m.Reason, m.Citations)
}

// judge admits a word on a finding that the seat was asked about.
func judge(
	a *claims.Admitter, point string, kind WordKind, severity Severity, reason string, citations []move.Citation,
) error {
	p, err := a.Point(point)
	if err != nil {
		return err
	}
	reason = strings.TrimSpace(reason)
	author := a.Ask.Stage == StageAuthor
	asked := ToExamine(a.State, a.Seat)
	if author {
		asked = ToAnswer(a.State)
	}
	at := slices.IndexFunc(asked, func(q *state.Point) bool { return q.ID == p.ID })
	switch {
	case at < 0:
		return protocol.Refuse("not-asked", "you were not asked about %s", p.ID)
	case kind == WordFixed && !author && !remembered(a.State, p):
		return protocol.Refuse("not-known", "%s is new: FIXED is for findings of earlier reviews", p.ID)
	case kind == WordRefute && reason == "":
		return protocol.Refuse("no-reason", "REFUTE %s needs the reason in one sentence", p.ID)
	case kind == WordFixed && !author && len(citations) == 0:
		return protocol.Refuse("no-reference", "FIXED %s needs the place that fixes it", p.ID)
	}
	relation := ledger.Refutes
	if kind == WordConfirm {
		relation = ledger.Supports
	}
	items := []string{}
	if author {
		relation = ledger.Neutral
	}
	for _, c := range citations {
		c.Relation = relation
		a.Try(0, func() error {
			id, err := a.Offer(p, c, move.LabelNone, "")
			if err == nil {
				items = append(items, id)
			}
			return err
		})
	}
	return a.Add(&FindingJudged{
		Point: p.ID, By: a.Seat, Word: kind, Severity: severity, Reason: reason, Items: items,
	})
}

// split admits a SPLIT: the seat's own finding leaves its group.
func split(a *claims.Admitter, m *Split) error {
	f := Of(a.State).Finding(m.Point)
	switch {
	case f == nil:
		return protocol.Refuse("unknown-point", "there is no finding %q", m.Point)
	case f.By != a.Seat:
		return protocol.Refuse("not-author", "%s is not yours: you can split out your own findings", f.Point)
	}
	others := groupOf(a.State, f.Point)
	if len(others) == 0 {
		return protocol.Refuse("not-merged", "%s is not merged with another finding", f.Point)
	}
	parted := &FindingsParted{Point: f.Point, From: others, By: a.Seat, Reason: strings.TrimSpace(m.Reason)}
	if err := a.Add(parted); err != nil {
		return err
	}
	return a.Add(grouped(a.State))
}

// groupOf returns the other findings of a finding's group.
func groupOf(s *state.State, point string) []string {
	for _, group := range Of(s).Groups {
		if slices.Contains(group, point) {
			return slices.DeleteFunc(slices.Clone(group), func(id string) bool { return id == point })
		}
	}
	return nil
}

// withdraw admits a WITHDRAW: the seat takes its finding back, with those of its own that were merged with it, or its
// word on another's, or its contest of an item.
func withdraw(a *claims.Admitter, m *move.Withdraw) error {
	if m.Evidence != "" || m.Point == "" {
		return a.Move(m)
	}
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	reason := cmp.Or(strings.TrimSpace(m.Reason), "no reason given")
	mine := 0
	for _, f := range Members(a.State, p) {
		if f.By == a.Seat && f.WithdrawnSeq == 0 {
			mine++
			if err := a.Add(&FindingWithdrawn{Point: f.Point, By: a.Seat, Reason: reason}); err != nil {
				return err
			}
		}
	}
	if mine == 0 {
		return protocol.Refuse("not-author", "%s is not yours", p.ID)
	}
	return nil
}
