package view

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/state"
)

// withheldPlace names what was withheld: a file, or lines of it.
func withheldPlace(w *state.Withheld) string {
	if w.Lines == "" {
		return w.Path
	}
	return w.Path + ":" + w.Lines
}

// withheldFrom names the seats that did not see it.
func withheldFrom(seats []state.Seat) string {
	if len(seats) == 0 {
		return "any seat"
	}
	return "the " + strings.Join(lists.Map(seats, func(s state.Seat) string { return string(s) }), ", the ")
}

// withheldText says who was not shown it, and why; and that a later prompt showed it.
func withheldText(s *state.State, w *state.Withheld) string {
	text := "not shown to " + withheldFrom(w.Seats) + ": " + w.Reason
	if len(w.Seats) == 1 && s.WasShown(w.Seats[0], w.Path) {
		text += "; shown later"
	}
	return text
}

// mostWithheld is how many places a warning names. The exported JSON has all.
const mostWithheld = 20

// withheld says what was not shown, one warning for each reason and the seats that it holds for.
func withheld(s *state.State) []string {
	type group struct {
		seats, reason string
		places        []string
	}
	var groups []*group
	for i := range s.Withheld {
		w := &s.Withheld[i]
		if len(w.Seats) == 1 && s.WasShown(w.Seats[0], w.Path) {
			continue
		}
		from := withheldFrom(w.Seats)
		at := slices.IndexFunc(groups, func(g *group) bool { return g.seats == from && g.reason == w.Reason })
		if at < 0 {
			at, groups = len(groups), append(groups, &group{seats: from, reason: w.Reason})
		}
		groups[at].places = append(groups[at].places, withheldPlace(w))
	}
	return lists.Map(groups, func(g *group) string {
		named := strings.Join(g.places[:min(mostWithheld, len(g.places))], ", ")
		if more := len(g.places) - mostWithheld; more > 0 {
			named += fmt.Sprintf(" and %d more, which the exported JSON names", more)
		}
		return fmt.Sprintf("not shown to %s (%s): %s", g.seats, g.reason, named)
	})
}

// unshown returns the seats that answered and were shown none of the given material.
func unshown(s *state.State) []state.Seat {
	var paths []string
	if in := &s.Settings.Input; in.Design != "" || in.Position != "" || len(in.Options)+len(in.Views) > 0 {
		return nil // What it is about is more than files.
	}
	for i := range s.Settings.Context {
		d := &s.Settings.Context[i]
		paths = append(paths, d.Path)
		for _, file := range d.Files {
			paths = append(paths, file.Path)
		}
	}
	if len(paths) == 0 || s.Exit == state.ExitNone && s.Paused == state.PauseNone {
		return nil
	}
	var seats []state.Seat
	for _, a := range s.Seats {
		shown := slices.ContainsFunc(paths, func(path string) bool { return s.WasShown(a.Seat, path) }) ||
			slices.ContainsFunc(
				s.WithheldFrom(a.Seat),
				func(w state.Withheld) bool { return w.Reason == state.OnlyBeginning },
			)
		for _, l := range s.Lookups.All() {
			shown = shown || l.Seat == a.Seat && len(l.Shown) > 0
		}
		if !shown && !a.NoModel && s.SpentBy(a.Seat) != nil && s.LastTurn(a.Seat) > 0 {
			seats = append(seats, a.Seat)
		}
	}
	return seats
}

// ExportedWithheld is an entry of what was withheld in the exported JSON.
type ExportedWithheld struct {
	// Path is the file or the document, Lines the lines of it as 12, 12-40 or 12- to its end, or "" for all of it.
	Path   string `json:"path"`
	Lines  string `json:"lines"`
	Reason string `json:"reason"`
	// Seats did not see it; none means that it reached nobody.
	Seats []state.Seat `json:"seats"`
}

// Withheld lists the files, and the lines, that seats did not see, for the exported JSON.
func Withheld(s *state.State) []ExportedWithheld {
	out := []ExportedWithheld{}
	for _, w := range s.Withheld {
		if len(w.Seats) == 1 && s.WasShown(w.Seats[0], w.Path) {
			continue
		}
		out = append(out, ExportedWithheld{Path: w.Path, Lines: w.Lines, Reason: w.Reason, Seats: Some(w.Seats)})
	}
	return out
}
