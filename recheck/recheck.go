// Package recheck checks the evidence of finished sessions again, against the workspace as it is now. It changes no
// session. Session in this file is the order of a recheck, history.go finds the commits that changed what was cited, and
// document.go has the words.
package recheck

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"moot/adr"
	"moot/internal/git"
	"moot/internal/redact"
	"moot/ledger"
	"moot/protocol"
	"moot/research"
	"moot/resolver"
	"moot/state"
)

// Word says how evidence holds today.
type Word string

// The words, the worst first.
const (
	Gone         Word = "gone"
	Changed      Word = "changed"
	Unverifiable Word = "unverifiable"
	NotRun       Word = "not run"
	Moved        Word = "moved"
	Holds        Word = "holds"
	// NoEvidence is the word for a point that rests on none.
	NoEvidence Word = "no evidence"
)

// Words returns the words, the worst first.
func Words() []Word { return []Word{Gone, Changed, Unverifiable, NotRun, Moved, Holds, NoEvidence} }

// Result says how the evidence of a session holds today.
type Result struct {
	ID        string       `json:"id"`
	Question  string       `json:"question"`
	Format    state.Format `json:"format"`
	Workspace string       `json:"workspace"`
	// Record is the file of the decision record that was checked instead of a session, or "".
	Record string `json:"record"`
	// RecordedIn are the files of the decision records of the session that were found.
	RecordedIn []string `json:"recorded_in"`
	// Commit is the commit that the workspace is at, or "".
	Commit string  `json:"commit"`
	Points []Point `json:"points"`
}

// Point is an agreed or dismissed point.
type Point struct {
	ID     string       `json:"id"`
	Text   string       `json:"text"`
	Bucket state.Bucket `json:"bucket"`
	// Word is the worst of its evidence. Broken says that its ruling rests on evidence that changed or is gone.
	Word     Word   `json:"word"`
	Broken   bool   `json:"broken"`
	Evidence []Item `json:"evidence"`
}

// Item is one item of evidence.
type Item struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Relation ledger.Relation `json:"relation"`
	// Rests says that the ruling read it, or read no evidence and it speaks for the ruling.
	Rests bool `json:"rests"`
	Word  Word `json:"word"`
	// Reason is the result of the check in one clause.
	Reason string `json:"reason"`
	// Cited is the reference in the session, and Now the place of the passage today, or of what stands in its place; "" if
	// there is none.
	Cited string `json:"cited"`
	Now   string `json:"now"`
	// Was is the passage in the session, and Is what stands in its place today.
	Was string `json:"was"`
	Is  string `json:"is"`
	// Commit changed, removed or renamed what was cited; nil if it is unknown or nothing was committed.
	Commit *Commit `json:"commit"`
	// Uncommitted says that the last commit still has what was cited.
	Uncommitted bool `json:"uncommitted"`

	item  *ledger.Evidence
	place ledger.Reference
	// quote is what the seat quoted, or "". quotes are the cited lines, or nil if the record lacks some.
	quote  string
	quotes []string
}

// Commit is a commit that changed what was cited.
type Commit struct {
	ID      string    `json:"id"`
	Author  string    `json:"author"`
	Date    time.Time `json:"date"`
	Subject string    `json:"subject"`
}

// Workspace is the folder of a session as it is now.
type Workspace struct {
	// Missing says why nothing can be checked, or is "".
	Missing    string
	Researcher protocol.Researcher
	// Repository is nil without one. Head is its checked-out commit, and Prefix the place of the workspace in it.
	Repository   *git.Repository
	Head, Prefix string
	// Exists reports whether there is a file, and Allowed whether a command may run.
	Exists  func(path string) bool
	Allowed func(command ledger.Command) bool
	// Elsewhere reports whether evidence of a kind is not in the workspace, such as a page, and why it is not looked at,
	// or "". It is nil if all evidence is in the workspace.
	Elsewhere func(kind ledger.Kind, reference string) (is bool, refused string)
	// NoTrials is why no patch is tried, or "".
	NoTrials string
	// Redactor removes secrets from what the history says, or is nil.
	Redactor *redact.Redactor
	// CommandTime is the time limit for a command.
	CommandTime time.Duration
}

// checkTime is the time limit for a citation.
const checkTime = 10 * time.Second

// Session checks the evidence of all agreed and dismissed points of a session.
func Session(ctx context.Context, s *state.State, events []state.Event, w *Workspace) Result {
	result := Result{
		ID: s.ID, Question: s.Question, Format: s.Settings.Format, Workspace: s.Settings.Workspace, Commit: w.Head,
		RecordedIn: []string{}, Points: pointsOf(s, events),
	}
	result.check(ctx, w)
	return result
}

// Record checks the places that a decision record of moot cites. Its session need not be on this machine.
func Record(ctx context.Context, path, workspace string, origin *adr.Origin, w *Workspace) Result {
	result := Result{
		ID: origin.Session, Question: origin.Question, Workspace: workspace, Record: path, RecordedIn: []string{}, Commit: w.Head,
		Points: []Point{},
	}
	for _, p := range origin.Points {
		point := Point{ID: p.ID, Text: p.Text, Bucket: p.Bucket, Evidence: []Item{}}
		for _, e := range p.Evidence {
			point.Evidence = append(point.Evidence, Item{
				ID: e.ID, Kind: ledger.PlaceKind().Name, Relation: e.Relation, Cited: e.Reference, Was: e.Excerpt,
				Rests: e.Rests, quote: e.Quote,
				item: &ledger.Evidence{
					ID: e.ID, Point: p.ID, Relation: e.Relation, Kind: ledger.PlaceKind(), Reference: e.Reference,
					Excerpt: e.Excerpt, Shown: e.Quote == "",
				},
			})
		}
		result.Points = append(result.Points, point)
	}
	result.check(ctx, w)
	return result
}

// check checks the evidence of all points.
func (r *Result) check(ctx context.Context, w *Workspace) {
	var places, others []*Item
	for i := range r.Points {
		for j := range r.Points[i].Evidence {
			item := &r.Points[i].Evidence[j]
			elsewhere, refused := false, ""
			if w.Elsewhere != nil {
				elsewhere, refused = w.Elsewhere(item.item.Kind, item.Cited)
			}
			switch {
			case refused != "":
				item.Word, item.Reason = NotRun, refused
			case elsewhere:
				others = append(others, item)
			case w.Missing != "":
				item.Word, item.Reason = Unverifiable, w.Missing
			case item.item.Asked && item.item.Kind.IsPlace():
				item.Word, item.Reason = NotRun, "a lookup that a seat asked for is not repeated"
			case item.item.Kind.IsPlace():
				places = append(places, item)
			default:
				others = append(others, item)
			}
		}
	}
	var workers sync.WaitGroup
	next := make(chan *Item)
	for range min(len(places), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for item := range next {
				w.checkPlace(ctx, item)
			}
		})
	}
	for _, item := range places {
		next <- item
	}
	close(next)
	workers.Wait()
	w.explain(ctx, places)
	for _, item := range others {
		w.checkOther(ctx, item)
	}
	for i := range r.Points {
		p := &r.Points[i]
		p.Word = NoEvidence
		for j := range p.Evidence {
			item := &p.Evidence[j]
			if slices.Index(Words(), item.Word) < slices.Index(Words(), p.Word) {
				p.Word = item.Word
			}
			p.Broken = p.Broken || item.Rests && (item.Word == Changed || item.Word == Gone)
		}
	}
}

// pointsOf returns the agreed and dismissed points with the evidence that exists as cited. What was refused then is not
// checked again, and neither is what the user said.
func pointsOf(s *state.State, events []state.Event) []Point {
	quotes := map[string]string{}
	for _, e := range events {
		if offered, is := e.Data.(*state.EvidenceOffered); is {
			quotes[offered.ID] = offered.Quote
		}
	}
	points := []Point{}
	for _, ruling := range resolver.Rule(s) {
		p := s.Point(ruling.Point)
		if p == nil || p.MergedInto != "" || ruling.Bucket != state.BucketAgreed && ruling.Bucket != state.BucketDismissed {
			continue
		}
		point := Point{ID: p.ID, Text: p.Text, Bucket: ruling.Bucket, Evidence: []Item{}}
		// A ruling on the word of seats, as in a review, rests on what they cited.
		read := slices.ContainsFunc(p.Evidence, func(id string) bool { return slices.Contains(ruling.Reads, id) })
		speaksFor := ledger.Supports
		if ruling.Bucket == state.BucketDismissed {
			speaksFor = ledger.Refutes
		}
		for _, id := range p.Evidence {
			e := s.Item(id)
			if e == nil || !e.Proven() || e.SourceKind == ledger.UserOverride {
				continue
			}
			item := Item{
				ID: e.ID, Kind: e.Kind.Name, Relation: e.Relation, Cited: e.Reference, Was: e.Excerpt, item: e,
				Rests: slices.Contains(ruling.Reads, e.ID) || !read && e.Relation == speaksFor,
			}
			if !e.Shown {
				item.quote = quotes[e.ID]
			}
			point.Evidence = append(point.Evidence, item)
		}
		points = append(points, point)
	}
	return points
}

// checkPlace checks a citation. A passage that is not found stays for explain.
func (w *Workspace) checkPlace(ctx context.Context, item *Item) {
	place, err := ledger.ParseReference(item.Cited)
	if err != nil || place.Path == "" {
		item.Word, item.Reason = Unverifiable, "its reference cannot be read"
		return
	}
	if !filepath.IsLocal(filepath.FromSlash(place.Path)) {
		item.Word, item.Reason = Unverifiable, "its path leads out of the workspace"
		return
	}
	item.place = place
	given := strings.HasSuffix(item.item.Reason, ledger.GivenByUser) || strings.HasSuffix(item.item.Reason, ledger.GivenByAgent)
	exists := w.Exists(place.Path)
	item.quotes = citedLines(item)
	switch {
	case given && !exists:
		item.Word, item.Reason = Unverifiable, "the text was handed over, and the workspace has no file of its name"
	case !exists && w.Repository != nil:
		item.Word = Gone // Unless explain finds where the file is now.
	default:
		w.look(ctx, item, item.place)
	}
}

// citedLines are the lines of a citation in the record: one text for each of its ranges if it has no quote, else those
// around the quote. It is nil if the record does not have them whole.
func citedLines(item *Item) []string {
	was := strings.TrimRight(item.Was, "\r\n") + "\n"
	around := len(item.Was) - len(item.quote)
	switch {
	case len(redact.Marked(item.Was)) > 0 || len(item.Was) > research.MaxExcerpt-utf8.UTFMax:
		return nil
	case item.item.Shown:
	case around >= research.MaxRest/2:
		return nil
	default:
		return []string{was}
	}
	lines := strings.SplitAfter(was, "\n")
	var texts []string
	for _, span := range item.place.Spans {
		n := span.Last - span.First + 1
		if n > len(lines) {
			return nil
		}
		texts = append(texts, strings.Join(lines[:n], ""))
		lines = lines[n:]
	}
	return texts
}

// alike is how similar a passage must be to be what became of another.
const alike = 0.5

// look checks a citation at a place. The quote alone is not enough: "limit = 8" is in "limit = 80", too. The lines that
// were cited must be the same but for their indentation.
func (w *Workspace) look(ctx context.Context, item *Item, place ledger.Reference) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	cited := place.String()
	lines := w.Researcher.Check(ctx, cited, "")
	finding := lines
	if !item.item.Shown || !lines.Verified || !sameLines(lines.Excerpt, item.Was) {
		if item.item.Shown && lines.Digest != "" && len(item.quotes) == 0 {
			item.Word, item.Reason = Unverifiable, "other lines stand there, and the record has the cited ones redacted or cut, "+
				"so they cannot be sought"
			return
		}
		finding = w.seek(ctx, item, cited)
	}
	item.Reason, item.Now, item.Is = finding.Reason, finding.Reference, finding.Excerpt
	switch {
	case finding.Verified && len(item.quotes) < 2 && !sameLines(finding.Excerpt, item.Was):
		item.Word, item.Reason = Changed, "the lines are others than those that were cited"
	case finding.Verified && finding.Reference == item.place.String() && item.place.Path == place.Path:
		item.Word = Holds
	case finding.Verified:
		item.Word = Moved
	case finding.Digest == "" && !w.Exists(place.Path):
		item.Word, item.Now, item.Is = Gone, "", ""
	case finding.Digest == "":
		item.Word, item.Now, item.Is = Unverifiable, "", ""
	case finding.Similarity >= alike:
		item.Word, item.Now, item.Is = Changed, finding.NearestReference, finding.Nearest
	case finding.Nearest == "" && lines.Verified:
		// The quote is too short to be sought.
		item.Word, item.Now, item.Is = Changed, lines.Reference, lines.Excerpt
	default:
		item.Word, item.Now, item.Is = Gone, "", ""
	}
}

// seek looks for the cited lines, and then for the quote alone. Ranges that stand apart hold together or not at all.
func (w *Workspace) seek(ctx context.Context, item *Item, cited string) ledger.Finding {
	var finding ledger.Finding
	for i, quote := range item.quotes {
		other := w.Researcher.Check(ctx, cited, quote)
		if i == 0 || finding.Verified && (!other.Verified || other.Moved) {
			finding = other
		}
	}
	if item.quote == "" || finding.Verified && sameLines(finding.Excerpt, item.Was) {
		return finding
	}
	if alone := w.Researcher.Check(ctx, cited, item.quote); alone.Verified || len(item.quotes) == 0 {
		return alone
	}
	return finding
}

// sameLines reports whether two passages differ in the white space around their lines at most.
func sameLines(a, b string) bool {
	one, two := strings.Split(strings.TrimSpace(a), "\n"), strings.Split(strings.TrimSpace(b), "\n")
	return slices.EqualFunc(one, two, func(x, y string) bool { return strings.TrimSpace(x) == strings.TrimSpace(y) })
}

// checkOther checks a command, or evidence of another kind.
func (w *Workspace) checkOther(ctx context.Context, item *Item) {
	limit := checkTime
	expected := item.quote
	if item.item.Kind.Runs {
		limit, expected = w.CommandTime, item.item.Expect
		_, text, _ := strings.Cut(strings.TrimSpace(item.Cited), " ")
		if item.item.Kind.Marks != ledger.CommandKind().Marks {
			text = item.Cited
		}
		command, err := ledger.ParseCommand(text)
		switch {
		case item.item.Kind.Patch && w.NoTrials != "":
			item.Word, item.Reason = NotRun, w.NoTrials
			return
		case item.item.Kind.Patch:
		case err != nil || !w.Allowed(command):
			item.Word, item.Reason = NotRun, "--allow-command permits it"
			return
		}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var finding ledger.Finding
	if item.item.Patch != "" {
		finding = protocol.TryPatch(ctx, w.Researcher, item.Cited, expected, item.item.Patch)
	} else {
		finding = w.Researcher.Check(ctx, item.Cited, expected)
	}
	item.Reason, item.Now, item.Is = finding.Reason, finding.Reference, finding.Excerpt
	switch {
	case finding.Verified:
		item.Word = Holds
	case finding.Unmet:
		item.Word = Changed
		if item.Is == "" {
			item.Is = finding.Nearest
		}
	default:
		item.Word = Unverifiable
	}
}
