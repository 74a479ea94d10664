package recheck

import (
	"cmp"
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/view"
)

// SchemaName is the value of "schema" in the JSON of a recheck.
const SchemaName = ledger.Marker + "recheck/1"

// Report is a recheck of sessions.
type Report struct {
	// Schema is SchemaName.
	Schema string `json:"schema"`
	// ExitCode is the exit code of the command.
	ExitCode int `json:"exit_code"`
	// Counts counts the points by their word.
	Counts   map[Word]int `json:"counts"`
	Sessions []Result     `json:"sessions"`
	// Unread are the files that could not be read, and Unfinished the sessions that are not finished: they are not checked.
	Unread     []Unread `json:"unread"`
	Unfinished []string `json:"unfinished"`
}

// Unread is a file that could not be read.
type Unread struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Add adds the result of a session.
func (r *Report) Add(s Result) {
	if r.Counts == nil {
		r.Counts = map[Word]int{}
	}
	for i := range s.Points {
		r.Counts[s.Points[i].Word]++
	}
	r.Sessions = append(r.Sessions, s)
}

// Broken returns the number of rulings that rest on evidence that changed or is gone.
func (r *Report) Broken() int {
	broken := 0
	for i := range r.Sessions {
		for j := range r.Sessions[i].Points {
			if r.Sessions[i].Points[j].Broken {
				broken++
			}
		}
	}
	return broken
}

// Document shows all points whose evidence does not hold as cited, and counts the others.
func (r *Report) Document() *view.Document {
	records := 0
	for i := range r.Sessions {
		if r.Sessions[i].Record != "" {
			records++
		}
	}
	var counted []string
	if n := len(r.Sessions) - records; n > 0 || records == 0 {
		counted = append(counted, plain.Counted(n, "session"))
	}
	if records > 0 {
		counted = append(counted, plain.Counted(records, "decision record"))
	}
	d := &view.Document{Title: "Recheck of " + strings.Join(counted, " and ")}
	if len(r.Sessions) == 1 {
		d.Title = "Recheck of " + cmp.Or(r.Sessions[0].Record, r.Sessions[0].ID)
	}
	broken := r.Broken()
	d.Lead = fmt.Sprintf("%s on evidence that changed or is gone", plain.Counted(broken, "ruling")+" rest")
	if broken == 1 {
		d.Lead = "1 ruling rests on evidence that changed or is gone"
	}
	if broken == 0 {
		d.Lead = "no ruling rests on evidence that is known to have changed or gone"
	}
	d.Row("points", countsOf(r.Counts))
	for _, file := range r.Unread {
		d.Warnings = append(d.Warnings, fmt.Sprintf("not checked: %s: %s", file.Path, file.Reason))
	}
	for _, id := range r.Unfinished {
		d.Warnings = append(d.Warnings, fmt.Sprintf("not checked: %s is not finished", id))
	}
	for i := range r.Sessions {
		d.Add(r.Sessions[i].section())
	}
	return d
}

// countsOf says how many points there are of each word.
func countsOf(counts map[Word]int) string {
	var parts []string
	for _, word := range Words() {
		if counts[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[word], word))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none is agreed or dismissed")
}

func (s *Result) section() view.Section {
	section := view.Section{Title: "SESSION", Uncounted: true}
	section.Lines = []string{s.ID + ": " + view.Title(s.Question), "workspace: " + cmp.Or(s.Workspace, "none")}
	if s.Record != "" {
		section.Title = "DECISION RECORD"
		section.Lines = append([]string{s.Record}, section.Lines...)
	}
	for _, file := range s.RecordedIn {
		section.Lines = append(section.Lines, "recorded in: "+file)
	}
	counts := map[Word]int{}
	for i := range s.Points {
		p := &s.Points[i]
		counts[p.Word]++
		if p.Word != Holds && p.Word != NoEvidence {
			section.Items = append(section.Items, p.item())
		}
	}
	section.After = "points: " + countsOf(counts)
	return section
}

func (p *Point) item() view.Item {
	item := view.Item{ID: p.ID, Mark: string(p.Bucket) + ": " + string(p.Word), Text: p.Text, Role: view.RoleDoubt}
	if p.Broken {
		item.Role = view.RoleBad
	}
	for i := range p.Evidence {
		e := &p.Evidence[i]
		if e.Word == Holds {
			item.Note(e.ID, e.Cited+" holds")
			continue
		}
		item.Note(e.ID, e.sentence())
		if e.Word != Changed && e.Word != Gone {
			continue
		}
		if e.Was != "" {
			item.Notes = append(item.Notes, view.Note{Label: "was", Text: e.Cited, Quote: view.Excerpt(e.Was)})
		}
		if e.Is != "" {
			item.Notes = append(item.Notes, view.Note{Label: "is", Text: e.Now, Quote: view.Excerpt(e.Is)})
		}
	}
	return item
}

// sentence says what became of the evidence.
func (e *Item) sentence() string {
	text := fmt.Sprintf("%s %s", e.Cited, e.Word)
	if e.Word == Unverifiable || e.Word == Gone || e.Word == Changed {
		text = fmt.Sprintf("%s is %s", e.Cited, e.Word)
	}
	if e.Word == Changed {
		text = e.Cited + " changed"
	}
	if e.Word == Moved && e.Now != "" {
		text += " to " + e.Now
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	switch {
	case e.Commit != nil:
		text += fmt.Sprintf("; by commit %.12s of %s, %s: %s", e.Commit.ID, e.Commit.Date.Format("2006-01-02"), e.Commit.Author,
			e.Commit.Subject)
	case e.Uncommitted:
		text += "; the last commit still has it"
	case (e.Word == Changed || e.Word == Gone) && e.Kind == ledger.PlaceKind().Name:
		text += "; no commit is known that did it"
	}
	if e.Relation == ledger.Refutes {
		text += " (it refutes the point)"
	}
	if !e.Rests {
		text += " (the ruling does not rest on it)"
	}
	return text
}
