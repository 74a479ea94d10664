package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/review/written"
	"moot/state"
	"moot/view"
)

// SchemaName is the value of "schema" in the JSON of an audit.
const SchemaName = ledger.Marker + "audit/1"

// Report is an audit of reviews.
type Report struct {
	// Schema is SchemaName.
	Schema string `json:"schema"`
	// ExitCode is the exit code of the command.
	ExitCode int `json:"exit_code"`
	// Commit is the one whose files were compared, or that is checked out, and "" without one. Folder says that the files of
	// the folder were compared.
	Commit string `json:"commit"`
	Folder bool   `json:"folder"`
	// Counts counts the citations by their verdict.
	Counts  map[Verdict]int `json:"counts"`
	Reviews []Review        `json:"reviews"`
	// NoHistory says why the history could not be asked, or is "".
	NoHistory string `json:"no_history"`
}

// Add adds a review.
func (r *Report) Add(review Review) {
	if r.Counts == nil {
		r.Counts = map[Verdict]int{}
	}
	for i := range review.Citations {
		r.Counts[review.Citations[i].Verdict]++
	}
	r.Reviews = append(r.Reviews, review)
}

// Accused returns how many citations are absent or misplaced.
func (r *Report) Accused() int { return r.Counts[Absent] + r.Counts[Misplaced] }

// countsOf says how many citations there are of each verdict.
func countsOf(counts map[Verdict]int) string {
	total := 0
	var parts []string
	for _, verdict := range slices.Backward(state.PlaceVerdicts()) {
		if n := counts[verdict]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	if total == 0 {
		return "none"
	}
	return fmt.Sprintf("%d: %s", total, strings.Join(parts, ", "))
}

// Document has a row for each citation, the accused first.
func (r *Report) Document() *view.Document {
	d := &view.Document{Title: "Audit of " + plain.Counted(len(r.Reviews), "written review")}
	if len(r.Reviews) == 1 {
		d.Title = "Audit of " + r.Reviews[0].Path
	}
	switch accused := r.Accused(); accused {
	case 0:
		d.Lead = "no place is known to be wrong"
	case 1:
		d.Lead = "1 place is absent or misplaced"
	default:
		d.Lead = fmt.Sprintf("%d places are absent or misplaced", accused)
	}
	d.Row("places", countsOf(r.Counts))
	files := "the folder as it is now"
	if !r.Folder {
		files = fmt.Sprintf("commit %.12s", r.Commit)
	} else if r.Commit != "" {
		files += fmt.Sprintf(", at commit %.12s", r.Commit)
	}
	d.Row("files", files)
	if r.NoHistory != "" {
		d.Warnings = append(d.Warnings, r.NoHistory+": what is not in the files is unchecked, not absent")
	}
	for i := range r.Reviews {
		r.Reviews[i].add(d, len(r.Reviews) > 1)
	}
	return d
}

// add adds the sections of a review.
func (r *Review) add(d *view.Document, several bool) {
	title := "PLACES"
	if several {
		title = "PLACES IN " + r.Path
	}
	if r.Cut {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s: only the first %d KiB were read", r.Path, written.MaxText>>10))
	}
	if len(r.Citations) == 0 {
		lines := []string{"no place in it could be read"}
		if r.Nothing != "" {
			lines = append(lines, "it says: "+r.Nothing)
		} else if n := len(r.Statements); n > 0 {
			lines[0] += ", such as queue/lock.go:12; its first statements are:"
			lines = append(lines, r.Statements...)
		}
		d.Add(view.Section{Title: title, Lines: lines, Uncounted: true})
		return
	}
	table := [][]string{{"line", "cited", "verdict", "why"}}
	var order []int
	for i := range r.Citations {
		order = append(order, i)
	}
	rank := func(v Verdict) int {
		if v.Accuses() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(r.Citations[a].Verdict), rank(r.Citations[b].Verdict)) })
	shown := map[string]bool{}
	because := map[string]int{}
	var reasons []string
	for _, i := range order {
		c := &r.Citations[i]
		why := c.Reason
		if c.Verdict == Unchecked {
			if because[c.because]++; because[c.because] == 1 {
				reasons = append(reasons, c.because)
			}
		}
		if c.Verdict == Misplaced && c.Shift != 0 {
			if shown[c.Path] {
				continue
			}
			shown[c.Path] = true
			if n := r.shifted(c) - 1; n > 0 {
				why += fmt.Sprintf("; %s more of the file %s as far off, by %+d lines", plain.Counted(n, "place"), isAre(n), c.Shift)
			}
		}
		if c.Commit != nil {
			why += fmt.Sprintf(" (%s, %s: %s)", c.Commit.Date.Format("2006-01-02"), c.Commit.Author, c.Commit.Subject)
		}
		table = append(table, []string{strconv.Itoa(c.Line), c.Cited, string(c.Verdict), why})
	}
	section := view.Section{Title: title, Table: table, Words: true, Uncounted: true}
	d.Add(section)
	r.addShifts(d)
	if len(reasons) > 0 {
		slices.SortStableFunc(reasons, func(a, b string) int { return because[b] - because[a] })
		unchecked := view.Section{Title: "NOT CHECKED", Uncounted: true}
		for _, reason := range reasons {
			unchecked.Lines = append(unchecked.Lines, fmt.Sprintf("%d: %s", because[reason], reason))
		}
		d.Add(unchecked)
	}
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// shifted counts the misplaced citations with the shift of one.
func (r *Review) shifted(c *Citation) (n int) {
	for i := range r.Citations {
		if other := &r.Citations[i]; other.Path == c.Path && other.Verdict == Misplaced && other.Shift == c.Shift {
			n++
		}
	}
	return n
}

func (r *Review) addShifts(d *view.Document) {
	section := view.Section{Title: "SHIFTED", Uncounted: true}
	for i := range r.Shifts {
		s := &r.Shifts[i]
		line := fmt.Sprintf("%s: %d places are %d lines above their quotes", s.Path, s.Places, s.Lines)
		if s.Lines < 0 {
			line = fmt.Sprintf("%s: %d places are %d lines below their quotes", s.Path, s.Places, -s.Lines)
		}
		if s.Commit != nil {
			line += fmt.Sprintf("; they fit commit %.12s of %s, %s: %s", s.Commit.ID, s.Commit.Date.Format("2006-01-02"),
				s.Commit.Author, s.Commit.Subject)
		} else {
			line += "; no commit is known whose lines fit"
		}
		section.Lines = append(section.Lines, line)
	}
	d.Add(section)
}

// Annotations are the accused citations, at their lines of the review.
func (r *Report) Annotations() []view.Annotation {
	var list []view.Annotation
	for i := range r.Reviews {
		review := &r.Reviews[i]
		shown := map[string]bool{}
		for j := range review.Citations {
			c := &review.Citations[j]
			if !c.Verdict.Accuses() || c.Shift != 0 && shown[c.Path] {
				continue
			}
			text := []string{fmt.Sprintf("%s is %s: %s.", c.Cited, c.Verdict, c.Reason)}
			if c.Shift != 0 && c.Verdict == Misplaced {
				shown[c.Path] = true
				if n := review.shifted(c) - 1; n > 0 {
					text = append(text, fmt.Sprintf("%s more of the file %s as far off.", plain.Counted(n, "place"), isAre(n)))
				}
			}
			list = append(list, view.Annotation{
				ID: fmt.Sprintf("%s:%d", review.Path, c.Line), Level: view.LevelError, Kind: string(c.Verdict), Path: review.Path,
				Line: c.Line, End: c.Line, Text: append(text, c.Statement), Fingerprint: ledger.Digest([]byte(review.Path + "\x00" + c.Cited + "\x00" + c.Statement)),
			})
		}
	}
	return list
}
