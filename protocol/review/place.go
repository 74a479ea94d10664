package review

import (
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/move"
	"moot/state"
)

// Where is how a finding's place relates to the change (RW3).
type Where string

// The places.
const (
	// InChange is a changed line, or a changed file as a whole. NearChange is in the same hunk as one.
	InChange   Where = "changed"
	NearChange Where = "near"
	// Elsewhere is in the tree, but in no hunk. Nowhere is not in the tree, or no place at all.
	Elsewhere Where = "elsewhere"
	Nowhere   Where = "nowhere"
	// Unchecked is not known yet.
	Unchecked Where = "unchecked"
)

// Spot is a resolved place.
type Spot struct {
	Where Where
	Path  string
	// Line and End are the lines after the change, or before it if Before is set. Line is 0 for the whole file.
	Line, End int
	Before    bool
	// Hunk is the number of the hunk, from 1, or 0. Symbol is the function or type that git names for the hunk, or "".
	Hunk   int
	Symbol string
}

// InHunk reports whether the place is in the change or near it.
func (p *Spot) InHunk() bool { return p.Where == InChange || p.Where == NearChange }

// file returns the changed file that a path names, or nil: exactly, with the prefix of a diff, before it was renamed, or
// by the end of its path if only one file fits.
func (c *Change) file(path string) *File {
	path = strings.TrimPrefix(strings.ReplaceAll(path, "\\", "/"), "./")
	for _, name := range []string{path, strings.TrimPrefix(path, "b/"), strings.TrimPrefix(path, "a/")} {
		for i := range c.Files {
			if f := &c.Files[i]; f.Path == name || f.From != "" && f.From == name {
				return f
			}
		}
	}
	// An absolute path ends with the path of a file: the longest one is meant.
	var found *File
	for i := range c.Files {
		if f := &c.Files[i]; strings.HasSuffix(path, "/"+f.Path) && (found == nil || len(f.Path) > len(found.Path)) {
			found = f
		}
	}
	if found != nil || path == "" {
		return found
	}
	for i := range c.Files {
		if f := &c.Files[i]; strings.HasSuffix(f.Path, "/"+path) {
			if found != nil {
				return nil
			}
			found = f
		}
	}
	return found
}

// SpotOf resolves the place of a finding: on both sides of the diff, then in the tree.
func SpotOf(s *state.State, f *Finding) Spot {
	spot := Spot{Where: Nowhere, Path: f.Path, Line: f.Line, End: f.End}
	if k := changedKnown(s, f); k != nil {
		// Its lines are counted as they were in the earlier review, so the diff says nothing about them.
		spot.Where, spot.Before = Unchecked, k.Before
		return spot
	}
	item := placeItem(s, f)
	if item != nil && item.Checked && item.Verified {
		// The check may have found the file by the end of its path, or cut a range at the end of the file.
		if r, err := ledger.ParseReference(item.Reference); err == nil && len(r.Spans) > 0 {
			spot.Path, spot.Line, spot.End = r.Path, r.Spans[0].First, r.Spans[0].Last
		}
	}
	if file := SettingsOf(s).Change.file(spot.Path); file != nil {
		spot.Path = file.Path
		if spot.inFile(file) {
			return spot
		}
		if spot.Line <= max(file.Lines, file.Was) || s.Settings.Workspace == "" {
			spot.Where = Elsewhere
		}
		return spot
	}
	switch {
	case spot.Path != "" && s.Settings.Workspace == "":
		spot.Where = Elsewhere // There is only the diff, so nobody knows whether the place exists.
	case isUnchanged(s, f):
		spot.Where = Elsewhere // Code found its lines in the tree.
	case spot.Path == "" || spot.Line == 0:
	case item == nil || !item.Checked:
		spot.Where = Unchecked
	case item.Verified:
		spot.Where = Elsewhere
	}
	return spot
}

// placed returns the finding whose place stands for those that mean the same: the first one in the change, else the first
// one in the tree, else the first one.
func placed(s *state.State, p *state.Point) *Finding {
	members := Members(s, p)
	for _, wanted := range [][]Where{{InChange, NearChange}, {Elsewhere}} {
		for _, f := range members {
			if slices.Contains(wanted, SpotOf(s, f).Where) {
				return f
			}
		}
	}
	return members[0]
}

// inFile finds the place in the hunks of a changed file: a changed line first, then a line near one.
func (p *Spot) inFile(file *File) bool {
	if p.Line == 0 {
		p.Where = InChange
		return true
	}
	hunks := file.Hunks()
	overlaps := func(first, last int) bool { return first <= last && p.Line <= last && first <= p.End }
	for _, sign := range []byte{'+', '-'} {
		for i, h := range hunks {
			for _, line := range h.Lines {
				if at := line.Now + line.Was; line.Sign == sign && overlaps(at, at) {
					p.Where, p.Hunk, p.Symbol, p.Before = InChange, i+1, h.Symbol, sign == '-'
					return true
				}
			}
		}
	}
	for i, h := range hunks {
		if overlaps(h.From, h.To) {
			p.Where, p.Hunk, p.Symbol = NearChange, i+1, h.Symbol
			return true
		}
	}
	for i, h := range hunks {
		if file.Status == Deleted && overlaps(h.WasFrom, h.WasTo) {
			p.Where, p.Hunk, p.Symbol, p.Before = NearChange, i+1, h.Symbol, true
			return true
		}
	}
	return false
}

// misplaced reports whether a finding has no place in the change or the tree (RW3).
func misplaced(s *state.State, f *Finding) bool {
	spot := SpotOf(s, f)
	return f.Known == "" && spot.Where == Nowhere
}

// toPlace returns the findings whose reviewers are asked for a better place: those that are nowhere, and those
// elsewhere in the tree.
func toPlace(s *state.State) []*Finding {
	return Of(s).Findings.Filter(func(f *Finding) bool {
		where := SpotOf(s, f).Where
		return !f.Asked && !f.Over && f.Known == "" && f.WithdrawnSeq == 0 && (where == Nowhere || where == Elsewhere)
	})
}

// misplacedOf returns the findings whose place a seat was asked for and has not corrected.
func misplacedOf(s *state.State, seat state.Seat) []*Finding {
	return Of(s).Findings.Filter(func(f *Finding) bool { return f.By == seat && f.Asked && !f.Corrected })
}

// changedKnown returns the remembered finding that code listed again although its lines changed, or nil.
func changedKnown(s *state.State, f *Finding) *Known {
	if k := Of(s).KnownBy(f.Known); k != nil && f.By == state.Protocol && !k.Unchanged {
		return k
	}
	return nil
}

// isUnchanged reports whether a finding is a remembered one whose lines stand in the tree as they were.
func isUnchanged(s *state.State, f *Finding) bool {
	k := Of(s).KnownBy(f.Known)
	return k != nil && k.Unchanged
}

// Outside reports whether a point is about lines that the change does not touch: it is listed apart and reaches no gate.
// Lines of a remembered finding that changed since are part of some change.
func Outside(s *state.State, p *state.Point) bool {
	members := Members(s, p)
	return !slices.ContainsFunc(members, func(f *Finding) bool {
		where := SpotOf(s, f).Where
		return where != Elsewhere || f.Known != "" && !isUnchanged(s, f)
	})
}

// nearest returns the changed line that is closest to a place, for the reviewer who is asked for a better one.
func nearest(s *state.State, f *Finding) string {
	change := &SettingsOf(s).Change
	file := change.file(f.Path)
	if file == nil {
		return ""
	}
	best, distance := 0, 0
	for _, h := range file.Hunks() {
		for _, line := range h.Lines {
			if line.Sign != '+' {
				continue
			}
			away := max(line.Now-f.Line, f.Line-line.Now)
			if best == 0 || away < distance {
				best, distance = line.Now, away
			}
		}
	}
	if best == 0 {
		return file.Path
	}
	return ledger.Reference{Path: file.Path, Spans: []ledger.Span{{First: best, Last: best}}}.String()
}

// Saw reports whether a seat saw a changed file: all of its hunks reached it, in a prompt that it answered or by READ.
// Lines that were redacted reached nobody.
func Saw(s *state.State, seat state.Seat, file *File) bool {
	if partWithheld(s, file) != "" {
		return false
	}
	if s.WasShown(seat, file.Path) {
		return true
	}
	hunks := file.Hunks()
	return len(hunks) > 0 && !slices.ContainsFunc(hunks, func(h Hunk) bool { return !wasRead(s, seat, file.Path, &h) })
}

// partWithheld says why a part of a changed file, or all of it, reached nobody; "" if nothing is withheld.
func partWithheld(s *state.State, file *File) string {
	for _, w := range s.Withheld {
		if len(w.Seats) == 0 && w.Path == file.Path {
			return w.Reason
		}
	}
	return ""
}

// wasRead reports whether a seat read the lines of a hunk in the tree under review.
func wasRead(s *state.State, seat state.Seat, path string, h *Hunk) bool {
	next := h.From
	if h.To < h.From {
		return false
	}
	var spans []ledger.Span
	for _, l := range s.Lookups.All() {
		if l.Seat != seat || l.What != string(move.KindRead) {
			continue
		}
		for _, p := range l.Shown {
			if p.Path == path {
				spans = append(spans, ledger.Span{First: p.From, Last: p.To})
			}
		}
	}
	slices.SortFunc(spans, func(a, b ledger.Span) int { return a.First - b.First })
	for _, span := range spans {
		if span.First <= next {
			next = max(next, span.Last+1)
		}
	}
	return next > h.To
}

// Answered returns the reviewers that gave a reply on the change, without built-in rules: these raise findings, and are
// no answer.
func Answered(s *state.State) []state.Seat {
	return lists.Filter(Reviewers(s), func(seat state.Seat) bool { return !s.ByRules(seat) && replied(s, seat) })
}

// replied reports whether a seat said what it found.
func replied(s *state.State, seat state.Seat) bool {
	return Found(s, seat) > 0 || slices.ContainsFunc(Of(s).Nothing, func(n NothingFound) bool { return n.By == seat })
}

// model identifies who answers for a seat: reviewers with the same model count as one, programs and scripts differ by
// their whole name. It is "" for built-in rules.
func model(s *state.State, seat state.Seat) string {
	if s.ByRules(seat) {
		return ""
	}
	a, _ := s.Assignment(seat)
	name, fallback := a.Answers()
	if a.Model != "" && !fallback {
		return a.Model
	}
	return name
}

// models returns the distinct models that answer for seats, without built-in rules.
func models(s *state.State, seats []state.Seat) []string {
	names := lists.Map(seats, func(seat state.Seat) string { return model(s, seat) })
	return lists.Distinct(slices.DeleteFunc(names, func(name string) bool { return name == "" }))
}
