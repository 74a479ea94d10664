package adr

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"moot/internal/forge"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Session is the session that a record is written of.
type Session struct {
	State   *state.State
	Rulings []state.Ruling
	// Head is the head of its chain.
	Head string
	// Shown is the path of the folder from the top of its repository, in slash form, or "".
	Shown string
	// Quotes holds the quotes of seats, by the ID of the evidence.
	Quotes map[string]string
	// File is the name that the file will have, or "" for its number and title.
	File string
}

// RelationKind says how a new record relates to an existing one.
type RelationKind string

// The kinds of relations.
const (
	// Supersedes: the same question was decided before, or the session continues the one of the record.
	Supersedes RelationKind = "supersedes"
	// Conflicts: the record chose another of the same options, or its text was cited against what is agreed now.
	Conflicts RelationKind = "conflicts with"
	// Cites: the record was cited for a ruling.
	Cites RelationKind = "cites"
	// Resembles: the titles share most of their words, and nothing stronger was found.
	Resembles RelationKind = "resembles"
)

// Relation is a relation to an existing record.
type Relation struct {
	Kind   RelationKind
	Record *Record
	// Name is how people call the record: its number, or its file if another one has that number.
	Name string
	// Reason says why, in one clause.
	Reason string
}

// Written is a new record.
type Written struct {
	// Name is the name of its file in the folder.
	Name string
	Text string
	// Relations are those to the existing records. Notes say what could not be compared.
	Relations []Relation
	Notes     []string
}

// Write writes the record of a session for a folder of records. prefix is the path of the folder in the workspace of the
// session, in slash form, or "" if it is not in it.
func Write(in Session, folder *Folder, prefix string) Written {
	w := &writer{Session: in, folder: folder, document: view.Session(in.State, in.Rulings)}
	if prefix != "" {
		w.workspace = strings.TrimSuffix(strings.Repeat("../", strings.Count(path.Clean(prefix), "/")+1), "/")
	}
	title := view.Title(in.State.Question)
	out := Written{
		Name:      cmp.Or(in.File, fmt.Sprintf("%0*d-%s.md", folder.Width, folder.Next(), slug(title))),
		Relations: w.relations(prefix),
	}
	for _, n := range folder.Twice {
		out.Notes = append(out.Notes, fmt.Sprintf("several records have the number %d: %s; they are named by their files", n,
			strings.Join(w.filesOf(n), ", ")))
	}
	for i := range folder.Records {
		if r := &folder.Records[i]; r.Title == "" && r.Origin == nil && r.Damage == "" {
			out.Notes = append(out.Notes, "not compared by title, because it has none: "+plain.Line(r.File))
		}
	}
	for _, unread := range folder.Unread {
		out.Notes = append(out.Notes, "not compared, because it cannot be read: "+unread)
	}
	w.record(title, &out)
	if w.Len() > maxRecord {
		w.Reset()
		w.large = true
		w.record(title, &out)
		out.Notes = append(out.Notes, fmt.Sprintf("the record has %d KiB, and records are read up to %d KiB: it is neither "+
			"rechecked nor compared with later ones", w.Len()>>10, maxRecord>>10))
	}
	out.Text = w.String()
	return out
}

// writer builds the text of a record.
type writer struct {
	Session
	bytes.Buffer
	folder   *Folder
	document view.Document
	// large says that the record is larger than what is read of one.
	large bool
	// workspace is the path from the folder to the workspace, or "".
	workspace string
}

// record writes the whole text.
func (w *writer) record(title string, out *Written) {
	w.front()
	w.heading("# " + plain.Markdown(title))
	w.context(out.Relations)
	w.drivers()
	w.options()
	w.outcome(out.Name)
	w.lost()
	w.evidence()
	w.more()
}

// slug is a title as a part of the name of a file.
func slug(title string) string {
	fields := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	text := ""
	for _, word := range fields {
		if len(text)+len(word) > 60 {
			break
		}
		text = strings.TrimPrefix(text+"-"+word, "-")
	}
	return cmp.Or(text, "decision")
}

func (w *writer) filesOf(n int) []string {
	same := lists.Filter(w.folder.Records, func(r Record) bool { return r.Number == n })
	return lists.Map(same, func(r Record) string { return plain.Line(r.File) })
}

// called names a record: by its number, or by its file if another one has that number.
func (w *writer) called(r *Record) string {
	if slices.Contains(w.folder.Twice, r.Number) {
		return plain.Line(r.File)
	}
	return r.Name()
}

// relations compares the session with the existing records. Each record has one relation, the strongest.
func (w *writer) relations(prefix string) []Relation {
	var list []Relation
	for i := range w.folder.Records {
		r := &w.folder.Records[i]
		kind, reason := w.relation(r, prefix)
		if kind != "" {
			list = append(list, Relation{kind, r, w.called(r), reason})
		}
	}
	return list
}

func (w *writer) relation(r *Record, prefix string) (RelationKind, string) {
	s := w.State
	title := view.Title(s.Question)
	if r.Live() {
		switch o := r.Origin; {
		case o != nil && o.Session == s.ID:
			return Supersedes, "it is of the same session"
		case o != nil && s.Settings.Follows != nil && o.Session == s.Settings.Follows.ID:
			return Supersedes, "the session continues the one of that record"
		case o != nil && o.Session == s.Fork.From:
			return Supersedes, "the session is a fork of the one of that record"
		case r.Title != "" && ledger.Normalized(r.Title) == ledger.Normalized(title):
			return Supersedes, "it has the same title"
		}
		if shared, other := w.otherChoice(r); other != "" {
			return Conflicts, fmt.Sprintf("of the options %s it chose %q", shared, other)
		}
	}
	var against, cited []string
	for _, e := range s.Evidence.All() {
		place, err := ledger.ParseReference(e.Reference)
		if err != nil || !e.Kind.IsPlace() || !e.Proven() || place.Path != path.Join(prefix, r.File) {
			continue
		}
		ruling := w.ruling(e.Point)
		isRead := ruling != nil && slices.Contains(ruling.Reads, e.ID)
		switch {
		case ruling != nil && (ruling.Bucket == state.BucketAgreed && e.Relation == ledger.Refutes ||
			ruling.Bucket == state.BucketDismissed && e.Relation == ledger.Supports):
			against = append(against, fmt.Sprintf("%s cites it against the ruling on %s", e.ID, e.Point))
		case isRead:
			cited = append(cited, fmt.Sprintf("%s cites it for the ruling on %s", e.ID, e.Point))
		}
	}
	switch {
	case len(against) > 0 && r.Live():
		return Conflicts, strings.Join(against, "; ")
	case len(against)+len(cited) > 0:
		return Cites, strings.Join(append(against, cited...), "; ")
	case alike(r.Title, title):
		return Resembles, "the titles share most of their words"
	}
	return "", ""
}

// otherChoice returns the options that a record and the session share, and the one that the record chose if the session
// chose another. Two of the options must be the same.
func (w *writer) otherChoice(r *Record) (shared, other string) {
	chosen, _, options := w.chosen()
	same := func(a string) func(string) bool {
		return func(b string) bool { return ledger.Normalized(a) == ledger.Normalized(b) }
	}
	var both []string
	for _, option := range r.Options {
		if slices.ContainsFunc(options, same(option)) {
			both = append(both, strconv.Quote(plain.Line(option)))
		}
	}
	if len(both) < 2 || chosen == "" || r.Chosen == "" || same(chosen)(r.Chosen) ||
		!slices.ContainsFunc(options, same(r.Chosen)) {
		return "", ""
	}
	return strings.Join(both, ", "), r.Chosen
}

// alike reports whether two titles share most of their words.
func alike(a, b string) bool {
	one, two := strings.Fields(ledger.Normalized(a)), strings.Fields(ledger.Normalized(b))
	long := func(words []string) []string {
		words = lists.Filter(words, func(word string) bool { return len(word) > 3 })
		slices.Sort(words)
		return slices.Compact(words)
	}
	one, two = long(one), long(two)
	shared := len(lists.Filter(one, func(word string) bool { return slices.Contains(two, word) }))
	return shared >= 2 && 10*shared >= 6*(len(one)+len(two)-shared)
}

func (w *writer) line(format string, args ...any) { w.WriteString(fmt.Sprintf(format, args...) + "\n") }

// heading begins a section after one blank line.
func (w *writer) heading(text string) {
	w.Truncate(len(bytes.TrimRight(w.Bytes(), "\n")))
	w.line("\n\n%s\n", text)
}

func (w *writer) ruling(point string) *state.Ruling {
	if at := slices.IndexFunc(w.Rulings, func(r state.Ruling) bool { return r.Point == point }); at >= 0 {
		return &w.Rulings[at]
	}
	return nil
}

// front is the front matter. A record is proposed: that people accepted it, a session does not know.
func (w *writer) front() {
	s := w.State
	seats := lists.Map(s.Seats, func(a state.SeatAssignment) string {
		name, _ := a.Answers()
		return strconv.QuoteToGraphic(plain.Line(name) + " (" + string(a.Seat) + ")")
	})
	date := s.ClosedAt
	if date.IsZero() {
		date = s.OpenedAt
	}
	w.line("---\nstatus: proposed\ndate: %s\nconsulted: [%s]\n---\n", date.Format(time.DateOnly),
		strings.Join(seats, ", "))
}

// context writes the question, and how the record relates to others.
func (w *writer) context(relations []Relation) {
	w.heading("## Context and Problem Statement")
	w.line("%s\n", paragraphs(w.State.Question))
	if design := w.State.Settings.Input.DesignPath; design != "" {
		w.line("It is about the document %s.\n", plain.Markdown(design))
	}
	if len(relations) == 0 {
		return
	}
	w.line("Earlier records:\n")
	for _, r := range relations {
		w.line("- %s [%s](%s), %s: %s", string(r.Kind), plain.Markdown(r.Name), url.PathEscape(r.Record.File),
			plain.Markdown(r.Record.Title), plain.Markdown(r.Reason))
	}
	w.line("")
}

// paragraphs is foreign text with its lines, each of which does nothing in Markdown.
func paragraphs(text string) string {
	const most = 40
	lines := strings.Split(strings.TrimSpace(plain.Text(text)), "\n")
	more := ""
	if left := len(lines) - most; left > 0 {
		lines, more = lines[:most], fmt.Sprintf("\n\n\\[%d more lines\\]", left)
	}
	for i := range lines {
		lines[i] = plain.Markdown(strings.TrimSpace(lines[i]))
	}
	return strings.Join(lines, "\n") + more
}

// drivers are the facts that the user gave.
func (w *writer) drivers() {
	first := true
	for _, f := range w.State.Facts.All() {
		if !f.Live || f.Tag != ledger.TagUser {
			continue
		}
		if first {
			w.heading("## Decision Drivers")
			first = false
		}
		w.line("- %s (%s, given by a person)", plain.Markdown(f.Text), f.ID)
	}
}

// chosen returns the option that alone is agreed as the choice, with its claim, or "", and all options.
func (w *writer) chosen() (chosen, point string, options []string) {
	table := view.Compare(w.State, w.Rulings)
	if table == nil {
		return "", "", nil
	}
	n := 0
	for _, o := range table.Options {
		options = append(options, o.Option)
		agreed := func(p view.ComparedPoint) bool { return p.Bucket == state.BucketAgreed }
		if at := slices.IndexFunc(o.Choice, agreed); at >= 0 {
			chosen, point = o.Option, o.Choice[at].Point
			n++
		}
	}
	if n != 1 {
		return "", "", options
	}
	return chosen, point, options
}

// alternatives are the claims that say what to do, unless the session compared options.
func (w *writer) alternatives() []*state.Point {
	var points []*state.Point
	for _, p := range w.State.Points.All() {
		kind := resolver.KindOf(w.State, p)
		if p.MergedInto == "" && p.Option == "" && (kind == state.Decision || kind == state.Position) && w.ruling(p.ID) != nil {
			points = append(points, p)
		}
	}
	return points
}

func (w *writer) options() {
	w.heading("## Considered Options")
	_, _, options := w.chosen()
	for _, option := range options {
		w.line("- %s", plain.Markdown(option))
	}
	alternatives := w.alternatives()
	if len(options) == 0 {
		for _, p := range alternatives {
			w.line("- %s (%s)", plain.Markdown(p.Text), p.ID)
		}
	}
	if len(options)+len(alternatives) == 0 {
		w.line("The session compared no options.")
	}
	w.line("")
}

// outcome is the decision with what it rests on, what follows, and how to confirm it.
func (w *writer) outcome(name string) {
	d := &w.document
	w.heading("## Decision Outcome")
	if chosen, point, options := w.chosen(); chosen != "" {
		w.line("Chosen option: \"%s\", because %s is agreed: %s.\n", plain.Markdown(chosen), point,
			plain.Markdown(w.ruling(point).Reason))
	} else if len(options) > 0 {
		w.line("No option was chosen: not exactly one of them is agreed as the choice.\n")
	}
	if d.Stopped != "" {
		w.line("%s\n", plain.Markdown(d.Stopped))
	}
	if d.Lead != "" {
		w.line("%s\n", plain.Markdown(d.Lead))
	}
	for _, it := range d.Answer.Items {
		w.line("- %s", plain.Markdown(view.Join(" ", it.Mark, it.Text)))
		for _, n := range it.Notes {
			w.line("  - *%s:* %s", plain.Markdown(n.Label), plain.Markdown(n.Text))
		}
	}
	if len(d.Answer.Items) == 0 && d.Lead == "" {
		w.line("The session has no answer.")
	}
	w.line("")
	for _, text := range slices.Concat(d.Notices, d.Warnings) {
		w.line("- Caution: %s", plain.Markdown(text))
	}
	if len(d.Notices)+len(d.Warnings) > 0 {
		w.line("")
	}
	w.heading("### Consequences")
	some := false
	for _, group := range []struct {
		bucket state.Bucket
		lead   string
	}{{state.BucketAgreed, "Agreed"}, {state.BucketUnresolved, "Unresolved"}, {state.BucketOpen, "Open"}, {state.BucketNotEvaluated, "Not evaluated"}} {
		for i := range w.Rulings {
			r := &w.Rulings[i]
			p := w.State.Point(r.Point)
			if r.Bucket != group.bucket || p == nil || p.MergedInto != "" {
				continue
			}
			some = true
			text := r.Reason
			if r.Crux != "" {
				text = view.Join("; ", text, view.ResolvedBy+": "+r.Crux)
			}
			w.line("- %s: %s (%s). *%s*", group.lead, plain.Markdown(p.Text), p.ID, plain.Markdown(text))
		}
	}
	if !some {
		w.line("No claim is agreed, unresolved, open or left without a ruling.")
	}
	for _, it := range d.Open.Items {
		if q := w.State.QuestionByID(it.ID); q != nil && !q.Answered {
			w.line("- Waits for a person: %s (%s)", plain.Markdown(it.Text), q.ID)
		}
	}
	w.heading("### Confirmation")
	cites := slices.ContainsFunc(w.points(), func(p Point) bool { return len(p.Evidence) > 0 })
	switch {
	case !cites:
		w.line("No agreed or dismissed claim has a place in a file as its evidence, so `moot recheck` has nothing to check here.\n")
	case w.large:
		w.line("This record is too large for `moot recheck`; where the session is, `moot recheck %s` checks its evidence.\n",
			plain.ShellWord(w.State.ID))
	default:
		w.line("`moot recheck %s` checks the evidence below against the files as they are now.\n",
			plain.ShellWord(path.Join(w.Shown, name)))
	}
	for _, e := range w.State.Evidence.All() {
		if r := w.ruling(e.Point); e.Kind.Runs && e.Proven() && r != nil && slices.Contains(r.Reads, e.ID) {
			w.line("- %s: %s, expected: %s", e.ID, plain.Markdown(e.Reference), plain.Markdown(cmp.Or(e.Expect, "as recorded")))
		}
	}
}

// lost writes the rulings on each option, and the dismissed claims with the reasons.
func (w *writer) lost() {
	table := view.Compare(w.State, w.Rulings)
	if table != nil {
		chosen, _, _ := w.chosen()
		w.heading("## Pros and Cons of the Options")
		for _, o := range table.Options {
			head := plain.Markdown(o.Option)
			if o.Option == chosen {
				head += " (chosen)"
			}
			w.heading("### " + head)
			points := slices.Concat(append([][]view.ComparedPoint{o.Choice}, o.By...)...)
			for _, one := range points {
				w.ruled(one.Point)
			}
			if len(points) == 0 {
				w.line("No claim names this option.")
			}
			w.line("")
		}
	}
	first := true
	for i := range w.Rulings {
		r := &w.Rulings[i]
		p := w.State.Point(r.Point)
		if p == nil || r.Bucket != state.BucketDismissed || p.MergedInto != "" || table != nil && p.Option != "" {
			continue
		}
		if first {
			w.heading("## Dismissed Claims")
			first = false
		}
		w.ruled(p.ID)
	}
}

// ruled is a claim with its ruling.
func (w *writer) ruled(id string) {
	p, r := w.State.Point(id), w.ruling(id)
	if p == nil || r == nil {
		return
	}
	w.line("- %s (%s). *%s: %s*", plain.Markdown(p.Text), p.ID, plain.Markdown(view.BucketName(r.Bucket)),
		plain.Markdown(r.Reason))
}

// evidence lists what the rulings read, with the quoted lines.
func (w *writer) evidence() {
	first := true
	for i := range w.Rulings {
		r := &w.Rulings[i]
		for _, id := range r.Reads {
			e := w.State.Item(id)
			if e == nil {
				continue
			}
			if first {
				w.heading("## Evidence")
				first = false
			}
			n := view.EvidenceNote(e)
			w.line("**%s** for the ruling on %s: %s", e.ID, r.Point, plain.Markdown(n.Text))
			if n.Quote != "" {
				w.Truncate(w.Len() - 1) // CodeBlock begins with a blank line.
				w.WriteString(forge.CodeBlock("", n.Quote))
			}
			w.line("")
		}
	}
}

// more says where the record comes from, also for programs.
func (w *writer) more() {
	s := w.State
	w.heading("## More Information")
	models := "without a language model"
	if slices.ContainsFunc(s.Seats, func(a state.SeatAssignment) bool { return !a.NoModel }) {
		models = "by models"
	}
	w.line("Argued %s, decided by code: moot session `%s` (%s), round %d. People decide whether the record is accepted.", models,
		plain.Line(s.ID), s.Settings.Format, s.Round)
	o := Origin{
		Schema: SchemaName, Session: s.ID, Head: w.Head, Question: view.Title(s.Question), Workspace: w.workspace,
		Points: w.points(),
	}
	// JSON escapes < and >, so that no text ends the comment.
	text, err := json.Marshal(&o)
	if err == nil {
		w.line("\n<!-- %s -->", printable(text))
	}
}

// printable escapes the characters in JSON that an editor would not show, or that would turn the direction of its text.
func printable(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case r < 0x7f || unicode.IsPrint(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// points are the agreed and dismissed claims with the places that they rest on.
func (w *writer) points() []Point {
	points := []Point{}
	for i := range w.Rulings {
		r := &w.Rulings[i]
		p := w.State.Point(r.Point)
		if p == nil || p.MergedInto != "" || r.Bucket != state.BucketAgreed && r.Bucket != state.BucketDismissed {
			continue
		}
		one := Point{ID: p.ID, Text: p.Text, Bucket: r.Bucket, Evidence: []Evidence{}}
		for _, id := range p.Evidence {
			e := w.State.Item(id)
			if e == nil || !e.Proven() || !e.Kind.IsPlace() || e.SourceKind == ledger.UserOverride {
				continue
			}
			item := Evidence{
				ID: e.ID, Relation: e.Relation, Reference: e.Reference, Excerpt: e.Excerpt,
				Rests: slices.Contains(r.Reads, e.ID),
			}
			if !e.Shown {
				item.Quote = w.Quotes[e.ID]
			}
			one.Evidence = append(one.Evidence, item)
		}
		points = append(points, one)
	}
	return points
}

// Prefix returns the path of a folder of records in a workspace, in slash form, or "" if it is not below it.
func Prefix(workspace, dir string) string {
	below, err := filepath.Rel(workspace, dir)
	if workspace == "" || err != nil || !filepath.IsLocal(below) || below == "." {
		return ""
	}
	return filepath.ToSlash(below)
}
