// Package audit checks the places that a written review names, with no model: whether they exist, and whether what the
// review quotes is there. It accuses only on grounds that the spec of evidence lists; in doubt a place is unchecked.
//
// Review in this file is the order of an audit: claims.go takes places and quotations out of the review, files.go finds
// their files and reads their versions, match.go compares, document.go has the words.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
	"moot/protocol/review/written"
	"moot/state"
	"moot/view"
	"moot/workspace"
)

// Verdict says what became of a citation.
type Verdict = state.PlaceVerdict

// The verdicts, the accusations first.
const (
	Absent    = state.PlaceAbsent
	Misplaced = state.PlaceMisplaced
	Unchecked = state.PlaceUnchecked
	Supported = state.PlaceSupported
	Verified  = state.PlaceVerified
)

// Citation is a place that a review names, with its verdict.
type Citation struct {
	// Line is the line of the review that names it.
	Line int `json:"line"`
	// Cited is the place as the review names it, and Inherited says that the file was named before it.
	Cited     string `json:"cited"`
	Inherited bool   `json:"inherited"`
	// Path is the file that is meant, or "" if that is not clear.
	Path      string  `json:"path"`
	First     int     `json:"first_line"`
	Last      int     `json:"last_line"`
	Statement string  `json:"statement"`
	Verdict   Verdict `json:"verdict"`
	// Reason says why, in one clause.
	Reason string `json:"reason"`
	// Found is the place of the quote, or "".
	Found string `json:"found"`
	// Commit is the one whose version of the file fits, or nil.
	Commit *Commit `json:"commit"`
	// Shift is by how many lines the quote is below the place, if others of the file are shifted as far; else 0.
	Shift int `json:"shift"`

	span  ledger.Span
	moved int
	// dropped says that it is no place.
	dropped bool
	// former says that the tree does not have the file, but its history.
	former bool
	// because is the reason of what is unchecked, without what differs between citations.
	because string
}

// leave notes why a citation is unchecked.
func (r *Citation) leave(because, detail string) {
	r.because, r.Reason = because, because+detail
}

// Commit is the commit of a version of a file.
type Commit struct {
	ID      string    `json:"id"`
	Author  string    `json:"author"`
	Date    time.Time `json:"date"`
	Subject string    `json:"subject"`
}

// Shift is a steady difference between the lines that a review names and those of its quotes.
type Shift struct {
	Path  string `json:"path"`
	Lines int    `json:"lines"`
	// Places is how many citations it explains.
	Places int `json:"places"`
	// Commit is the one whose version of the file fits, or nil if none is known.
	Commit *Commit `json:"commit"`
}

// Review is an audited review.
type Review struct {
	Path      string         `json:"path"`
	Layout    written.Layout `json:"layout"`
	Citations []Citation     `json:"citations"`
	Shifts    []Shift        `json:"shifts"`
	// Statements are the first ones of a review in which no place could be read.
	Statements []string `json:"statements"`
	// Nothing is the sentence with which a review says that it found nothing, or "".
	Nothing string `json:"nothing"`
	// Cut says that only the start was read.
	Cut bool `json:"cut"`

	// points are the statements as those who did not read the review can judge them.
	points []point
	check  *check
}

// point is a statement of a review with the indexes of the citations that it names.
type point struct {
	text      string
	line      int
	citations []int
}

// check is one audit.
type check struct {
	*files
	text     string
	redactor *redact.Redactor
	claims   []*claim
	results  []Citation
	// byPath are the indexes of the claims whose file is clear.
	byPath map[string][]int
}

// Read audits a text. The redactor removes secrets from the result; it may be nil.
func Read(ctx context.Context, name, text string, tree *Tree, redactor *redact.Redactor) (Review, error) {
	text = colors.ReplaceAllString(text, "")
	read, passages := written.ReadPassages(text)
	r := Review{
		Path: name, Layout: read.Layout, Citations: []Citation{}, Shifts: []Shift{}, Statements: []string{}, Cut: read.Cut,
		Nothing: read.NothingText,
	}
	c := &check{files: filesOf(tree), text: text, redactor: redactor, byPath: map[string][]int{}}
	c.claims = claimsOf(text, passages)
	if len(c.claims) == 0 {
		r.Statements = c.firstStatements(passages)
		return r, ctx.Err()
	}
	line, at := 1, 0
	for _, cl := range c.claims {
		if cl.From < at {
			line, at = 1, 0
		}
		line, at = line+strings.Count(text[at:cl.From], "\n"), cl.From
		cited := cl.Spans[0]
		c.results = append(c.results, Citation{
			Line: line, Cited: cl.String(), Inherited: cl.Inherited, First: cited.First, Last: cl.Spans[len(cl.Spans)-1].Last,
			Statement: cl.statement, Verdict: Unchecked, span: ledger.Span{First: cited.First, Last: cl.Spans[len(cl.Spans)-1].Last},
		})
	}
	c.locate(ctx)
	for i := range c.claims {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		if c.results[i].Reason == "" {
			c.judge(ctx, i)
		}
	}
	r.Shifts = c.shifts()
	for i := range c.results {
		result := &c.results[i]
		if result.Reason == "" {
			result.leave("there is nothing to compare", "")
		}
		result.Statement = c.clean(plain.Clip(plain.OneLine(result.Statement), maxSaid))
		result.Cited, result.Reason = c.clean(result.Cited), c.clean(result.Reason)
		result.Path, result.Found = c.clean(result.Path), c.clean(result.Found)
	}
	r.points, r.check = c.points(&read, passages), c
	kept := make([]int, len(c.results)) // the index of each citation among those that are places, or -1
	for i := range c.results {
		kept[i] = -1
		if !c.results[i].dropped {
			kept[i] = len(r.Citations)
			r.Citations = append(r.Citations, c.results[i])
		}
	}
	for i := range r.points {
		cited := lists.Map(r.points[i].citations, func(at int) int { return kept[at] })
		r.points[i].citations = slices.DeleteFunc(cited, func(at int) bool { return at < 0 })
	}
	return r, nil
}

// points returns the statements of a review in their order: its findings, and outside of them the sentences that name a
// place.
func (c *check) points(read *written.Review, passages []written.Passage) []point {
	var points []point
	byText, byFinding := map[string]int{}, map[int]int{}
	add := func(text string, from int) int {
		text = c.clean(strings.TrimSpace(text))
		at, known := byText[text]
		if !known && text != "" {
			at = len(points)
			byText[text] = at
			points = append(points, point{text: text, line: 1 + strings.Count(c.text[:min(from, len(c.text))], "\n")})
		}
		return at
	}
	next := 0
	for i := range passages {
		p := &passages[i]
		at, known := byFinding[p.Finding]
		if p.Finding >= 0 && !known {
			f := &read.Findings[p.Finding]
			at = add(view.Join("\n", f.What, f.Why), f.From)
			byFinding[p.Finding] = at
		}
		for ; next < len(c.claims) && c.claims[next].passage == i; next++ {
			if p.Finding < 0 {
				at = add(c.claims[next].statement, c.claims[next].From)
			}
			if at < len(points) {
				points[at].citations = append(points[at].citations, next)
			}
		}
	}
	return points
}

const (
	// maxLines is how many lines of a place are kept, and maxPlaceText and maxTexts how many bytes of one place and of
	// all.
	maxLines               = 12
	maxPlaceText, maxTexts = 2 << 10, 24 << 10
)

// Session returns the statements with their places for a session about them. The texts come from the files as they are now.
func (r *Review) Session(ctx context.Context) *state.Audit {
	a := &state.Audit{Statements: []state.AuditedStatement{}}
	if r.check == nil {
		return a
	}
	a.Commit, a.NoHistory = r.check.Commit, r.check.NoHistory
	left := maxTexts
	for _, p := range r.points {
		statement := state.AuditedStatement{Text: p.text, Line: p.line, Places: []state.AuditedPlace{}}
		for _, at := range p.citations {
			cited := &r.Citations[at]
			place := state.AuditedPlace{
				Cited: cited.Cited, Path: cited.Path, Verdict: cited.Verdict, Reason: cited.Reason, Found: cited.Found,
			}
			if cited.Commit != nil {
				place.Commit = cited.Commit.ID
			}
			if text := r.check.textAt(ctx, cited.Path, cited.span); len(text) <= left {
				place.Text = text
				left -= len(text)
			}
			statement.Places = append(statement.Places, place)
		}
		a.Statements = append(a.Statements, statement)
	}
	return a
}

// textAt returns the first lines of a place with their numbers, or "" if the file does not have them.
func (c *check) textAt(ctx context.Context, name string, at ledger.Span) string {
	o := c.sources[name]
	if o == nil && name != "" {
		o = c.open(ctx, name)
	}
	if o == nil || o.source == nil || at.First < 1 {
		return ""
	}
	last := min(at.Last, at.First+maxLines-1, len(o.raw))
	if last < at.First {
		return ""
	}
	lines := o.raw[at.First-1 : last]
	if c.redactor != nil {
		// What is secret shows in the whole file, such as the line above the body of a key.
		before := strings.Join(o.raw[:at.First-1], "\n")
		if at.First > 1 {
			before += "\n"
		}
		whole := strings.Join(o.raw, "\n")
		part := strings.Split(c.redactor.Part(name, whole, len(before), len(before)+len(strings.Join(lines, "\n"))), "\n")
		if len(part) != len(lines) {
			return "" // A secret of several lines is in it.
		}
		lines = part
	}
	var text strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&text, "%d: %s\n", at.First+i, line)
	}
	return strings.ToValidUTF8(text.String()[:min(text.Len(), maxPlaceText)], "")
}

// colors are sequences for a terminal, which programs leave in what they print.
var colors = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// maxSaid is how much of a statement is shown, in characters.
const maxSaid = 200

func (c *check) clean(text string) string {
	if c.redactor != nil && text != "" {
		text, _ = c.redactor.Text(text)
	}
	return text
}

// firstStatements are the first three statements of a review.
func (c *check) firstStatements(passages []written.Passage) []string {
	first := []string{}
	for i := range passages {
		if words := plain.OneLine(passages[i].Text); passages[i].Part != written.PartCode && words != "" && len(first) < 3 {
			first = append(first, c.clean(plain.Clip(words, maxSaid)))
		}
	}
	return first
}

// locate finds the files of all claims. What cannot be compared gets its reason.
func (c *check) locate(ctx context.Context) {
	var unknown []string
	found := make([]finding, len(c.claims))
	for i, cl := range c.claims {
		result := &c.results[i]
		switch {
		case cl.Commit != "" && !c.knows(ctx, cl.Commit):
			result.leave("the link is to a commit that this repository does not have", "")
			continue
		case workspace.SecretName(cl.Path) != "":
			result.leave("the file may hold secrets and is not read", "")
			continue
		}
		if len(c.found) >= maxPaths && c.found[cl.Path].files == nil {
			result.leave(fmt.Sprintf("the review names more than %d paths", maxPaths), "")
			continue
		}
		found[i] = c.find(ctx, cl.Reference)
		if (len(found[i].files) == 0 || !found[i].sure) && !cl.Weak {
			unknown = append(unknown, cl.Path)
		}
	}
	c.remember(ctx, unknown)
	c.dropWeak(found)
	before := map[string]string{} // the file that was meant last, by its name
	for i, cl := range c.claims {
		result := &c.results[i]
		if result.Reason != "" {
			continue
		}
		f := found[i]
		base := cl.Path[strings.LastIndexByte(cl.Path, '/')+1:]
		switch {
		case f.sure:
			result.Path = f.files[0]
		case len(f.files) > 0:
			c.choose(ctx, i, f.files, before[base])
		default:
			c.missing(i)
		}
		if result.Path != "" {
			before[base] = result.Path
			c.byPath[result.Path] = append(c.byPath[result.Path], i)
		}
	}
}

// dropWeak marks what only looks like a place and names no file of the tree.
func (c *check) dropWeak(found []finding) {
	for i, cl := range c.claims {
		c.results[i].dropped = cl.Weak && (!found[i].sure || found[i].files[0] != cl.Path || !strings.Contains(cl.Path, "/"))
		if c.results[i].dropped {
			c.results[i].Reason = "it is no place"
		}
	}
}

// knows reports whether the repository has the commit of a permalink.
func (c *check) knows(ctx context.Context, commit string) bool {
	if c.Repository == nil {
		return false
	}
	found, err := c.Repository.Commit(ctx, commit)
	return err == nil && found == commit
}

// maxChoices is how many files are compared to find the one that is meant.
const maxChoices = 20

// choose finds the file that is meant among several, or among those that have only the name: the one that has the quote
// at the lines, then the one that was meant last, then the only one that has an identifier there.
func (c *check) choose(ctx context.Context, i int, candidates []string, last string) {
	cl, result := c.claims[i], &c.results[i]
	candidates = candidates[:min(len(candidates), maxChoices)]
	fitting := map[string]bool{}
	for _, by := range []func(s *source) bool{
		func(s *source) bool {
			return slices.ContainsFunc(cl.quotes, func(q *quote) bool { _, ok := s.stands(q, result.span); return ok })
		},
		func(s *source) bool { return s.named(cl.names, result.span) != "" },
	} {
		clear(fitting)
		only := ""
		for _, name := range candidates {
			if o := c.open(ctx, name); o.source != nil && by(o.source) {
				fitting[name], only = true, name
			}
		}
		switch {
		case len(fitting) == 1:
			result.Path = only
			return
		case last != "" && slices.Contains(candidates, last) && endsWith(last, cl.Path):
			result.Path = last
			return
		}
	}
	switch {
	case !slices.ContainsFunc(candidates, func(name string) bool { return endsWith(name, cl.Path) }):
		c.missing(i)
		if result.Verdict == Absent {
			result.Reason += "; is " + strings.Join(candidates[:min(len(candidates), 3)], " or ") + " meant?"
		}
	default:
		shown := candidates[:min(len(candidates), 3)]
		result.leave("several files fit", ": "+strings.Join(shown, ", "))
		if len(shown) < len(candidates) {
			result.Reason += ", …"
		}
	}
}

// endsWith reports whether a path ends with another one, in any case.
func endsWith(path, end string) bool {
	return strings.HasSuffix("/"+strings.ToLower(path), "/"+strings.ToLower(strings.TrimPrefix(end, "/")))
}

// missing judges a citation whose file the tree does not have.
func (c *check) missing(i int) {
	cl, result := c.claims[i], &c.results[i]
	absolute := strings.HasPrefix(cl.Path, "/") || len(cl.Path) > 1 && cl.Path[1] == ':'
	paths, whole := c.former(cl.Path)
	switch {
	case cl.excused+cl.outside != "":
		result.leave("there is no such file; "+cmp.Or(cl.outside, cl.excused), "")
	case absolute && !whole:
		result.leave("the path is absolute and of no file here", "")
	case cl.Inherited:
		result.leave("there is no file of the name that the review gives before the place", "")
	case c.InFolder != nil && c.InFolder(cl.Path):
		result.leave("the file is in the folder, but not in the commit", "")
	case whole && len(paths) == 1:
		result.Path, result.former = paths[0], true
	case len(paths) > 0 && whole:
		result.leave("the history has several files of that name", "")
	case c.namedWhy != "":
		result.leave("there is no such file; "+c.namedWhy, "")
	case c.unlike(cl.Path):
		result.leave("there is no such file, and nothing of its path is known here", "")
	default:
		result.Verdict, result.Reason = Absent, "there is no such file, and the history has none"
		if c.Commit == "" {
			result.Reason = "there is no such file"
		}
	}
}

// judge decides about a citation whose file is known.
func (c *check) judge(ctx context.Context, i int) {
	cl, result := c.claims[i], &c.results[i]
	o, exists := &opened{}, !result.former
	if exists {
		o = c.open(ctx, result.Path)
	}
	if o.refused != "" {
		result.leave("the file is not read", ": "+o.refused)
		return
	}
	current := o.source
	if current == nil {
		current = &source{}
	}
	for _, q := range cl.quotes {
		if _, ok := c.standsIn(current, cl, q); ok {
			result.Verdict, result.Reason = Verified, q.words()+" is there"
			return
		}
	}
	behind := cl.Spans[0].First > len(current.full)
	searched := slices.ContainsFunc(cl.quotes, func(q *quote) bool { return q.block || q.direct })
	if (behind || searched) && c.older(ctx, i) {
		return
	}
	if name := c.namedAt(current, cl); name != "" {
		if slices.ContainsFunc(cl.quotes, func(q *quote) bool { return q.block && q.sole }) {
			if !c.misplaced(current, i) || result.Verdict == Misplaced && !slices.ContainsFunc(cl.quotes, func(q *quote) bool { return q.adjacent }) {
				result.Verdict = Unchecked
				result.leave("an identifier is there, but not the block below", ": `"+name+"`")
			}
			return
		}
		result.Verdict, result.Reason = Supported, "`"+name+"` is there"
		return
	}
	if c.misplaced(current, i) || c.invented(ctx, current, i) {
		return
	}
	if behind {
		c.behind(ctx, current, i, exists)
		return
	}
	if block := slices.IndexFunc(cl.quotes, func(q *quote) bool { return q.block }); block >= 0 && result.Reason == "" {
		if places, sure := current.places(cl.quotes[block]); sure && len(places) == 1 {
			result.Found = ledger.Reference{Path: result.Path, Spans: places}.String()
			result.leave("a block below it is elsewhere, but the review does not say that it quotes the place", ", at "+result.Found)
		}
	}
	if result.Reason == "" && len(cl.quotes) > 0 {
		result.leave("code beside the place is not there, and the review does not say that it should be", "")
	}
}

// standsIn looks for a quote at the lines of a claim.
func (c *check) standsIn(s *source, cl *claim, q *quote) (found ledger.Span, ok bool) {
	for _, at := range cl.Spans {
		if found, ok = s.stands(q, at); ok {
			return found, true
		}
	}
	return found, false
}

// words names a quote.
func (q *quote) words() string {
	if q.block {
		return "its block"
	}
	return "its quote"
}

// named returns the first of some names that is at lines, or "".
func (s *source) named(names []string, at ledger.Span) string {
	for n := at.First; n <= min(at.Last, len(s.raw)); n++ {
		for _, name := range names {
			if containsName(s.raw[n-1], name) {
				return name
			}
		}
	}
	return ""
}

func (c *check) namedAt(s *source, cl *claim) string {
	for _, at := range cl.Spans {
		if name := s.named(cl.names, at); name != "" {
			return name
		}
	}
	return ""
}

// containsName reports whether a line has a name that is not a part of a longer one.
func containsName(line, name string) bool {
	for from := 0; ; {
		i := strings.Index(line[from:], name)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(line[:from+i])
		after, _ := utf8.DecodeRuneInString(line[from+i+len(name):])
		if !isWordRune(before) && !isWordRune(after) {
			return true
		}
		from += i + 1
	}
}

// older looks for a version of the file that fits a citation, and the other citations of the file as well.
func (c *check) older(ctx context.Context, i int) bool {
	cl, result := c.claims[i], &c.results[i]
	h := c.history(ctx, result.Path)
	for v := range h.versions {
		one := &h.versions[v]
		if one.source == nil {
			continue
		}
		for _, q := range cl.quotes {
			if !q.block && !q.direct {
				continue
			}
			found, ok := c.standsIn(one.source, cl, q)
			if !ok || !fits(found, cl.Spans) || !c.agrees(one.source, i) {
				continue
			}
			result.Verdict, result.Commit = Verified, c.commit(one)
			result.Reason = fmt.Sprintf("%s is there in commit %.12s", q.words(), one.Commit)
			if places, sure := c.open(ctx, result.Path).placesOf(q); sure && len(places) == 1 {
				result.Found = ledger.Reference{Path: result.Path, Spans: places[:1]}.String()
				result.moved = places[0].First - found.First
			}
			return true
		}
	}
	return false
}

func (o *opened) placesOf(q *quote) ([]ledger.Span, bool) {
	if o.source == nil {
		return nil, false
	}
	return o.places(q)
}

// fits reports whether lines begin or end where cited ones do, or are most of them. Over many versions it would be chance
// otherwise.
func fits(found ledger.Span, cited []ledger.Span) bool {
	return slices.ContainsFunc(cited, func(at ledger.Span) bool {
		both := min(found.Last, at.Last) - max(found.First, at.First) + 1
		either := max(found.Last, at.Last) - min(found.First, at.First) + 1
		return found.First == at.First || found.Last == at.Last || float64(both) >= enough*float64(either)
	})
}

// agrees reports whether a version also fits what the review quotes of the file elsewhere and is in the tree: a review
// has seen one version of a file.
func (c *check) agrees(v *source, i int) bool {
	current := c.sources[c.results[i].Path]
	if current == nil || current.source == nil {
		return true
	}
	for _, j := range c.byPath[c.results[i].Path] {
		if j == i {
			continue
		}
		for _, q := range c.claims[j].quotes {
			if _, now := c.standsIn(current.source, c.claims[j], q); !now {
				continue
			}
			if _, then := c.standsIn(v, c.claims[j], q); !then {
				return false
			}
		}
	}
	return true
}

func (c *check) commit(v *version) *Commit {
	return &Commit{ID: v.Commit, Author: c.clean(v.Author), Date: v.At, Subject: c.clean(v.Subject)}
}

// near is how many lines may be between a place and its quote without an accusation.
const near = 3

// misplaced looks for a quote elsewhere: at one other place of the file, or of another file that the review names.
func (c *check) misplaced(current *source, i int) bool {
	cl, result := c.claims[i], &c.results[i]
	for _, q := range cl.quotes {
		if !q.direct || q.size() < minAccusing || cl.excused != "" || len(cl.quotes) > 1 && !q.block {
			continue
		}
		places, sure := current.places(q)
		if len(places) == 0 || !sure {
			continue
		}
		result.Found = ledger.Reference{Path: result.Path, Spans: places[:1]}.String()
		if len(places) > 1 {
			result.Found = ""
			result.leave("a quote is at several other places of the file", "")
			return true
		}
		if slices.ContainsFunc(cl.Spans, func(at ledger.Span) bool {
			return overlap(ledger.Span{First: at.First - near, Last: at.Last + near}, places[0])
		}) {
			result.leave("a quote is next to it", ", at "+result.Found)
			return true
		}
		result.Verdict, result.moved = Misplaced, places[0].First-cl.Spans[0].First
		result.Reason = q.words() + " is at " + result.Found
		return true
	}
	return false
}

// minInvented is how many characters a block needs so that it accuses because no version has any line of it.
const minInvented = 24

// invented judges a block of which no version of the file has a line.
func (c *check) invented(ctx context.Context, current *source, i int) bool {
	cl, result := c.claims[i], &c.results[i]
	for _, q := range cl.quotes {
		if !q.direct || !q.block || q.size() < minInvented || cl.excused != "" || current.has(q) {
			continue
		}
		h := c.history(ctx, result.Path)
		if h.gap != "" {
			result.leave("no line of its block is in the file; "+h.gap, "")
			return true
		}
		if h.has(q) || c.elsewhere(ctx, result.Path).gap != "" || c.elsewhere(ctx, result.Path).has(q) {
			result.leave("its block is in another version of the file, at other lines", "")
			return true
		}
		for _, name := range slices.Sorted(maps.Keys(c.sources)) {
			o := c.sources[name]
			if name == result.Path || o.source == nil {
				continue
			}
			if places, _ := o.places(q); len(places) > 0 {
				result.leave("no line of its block is in the file; it is in another one", ", "+name)
				return true
			}
		}
		result.Verdict, result.Reason = Absent, "no line of its block is in any version of the file"
		return true
	}
	return false
}

// behind judges a place behind the end of the file.
func (c *check) behind(ctx context.Context, current *source, i int, exists bool) {
	cl, result := c.claims[i], &c.results[i]
	first := cl.Spans[0].First
	size := "; the file has " + plain.Counted(len(current.full), "line")
	h := c.history(ctx, result.Path)
	switch {
	case !exists && c.supportedThen(h, i):
	case !exists && h.longest() >= first:
		result.leave("the tree does not have the file, but an older commit does", "")
	case !exists:
		result.leave("the tree does not have the file, and the versions that were read do not have the line", "")
	case h.longest() >= first:
		result.leave("only an older version has the line", size)
	case cl.Inherited:
		result.leave("the line is behind the end of a file that was named before the place", size)
	case cl.excused != "":
		result.leave("the line is behind the end of the file; "+cl.excused, size)
	case h.gap != "":
		result.leave("the line is behind the end of the file; "+h.gap, size)
	case !c.namesFile(cl, result.Path):
		result.leave("the line is behind the end of the file, but another file may be meant", size)
	default:
		others := c.elsewhere(ctx, result.Path)
		switch {
		case others.gap != "":
			result.leave("the line is behind the end of the file; "+others.gap, size)
		case others.longest() >= first:
			result.leave("only another branch has the line", size)
		default:
			result.Verdict, result.Reason = Absent, "the file has "+plain.Counted(len(current.full), "line")
			if n := len(h.versions); n > 1 {
				result.Reason += fmt.Sprintf(", and none of its %d versions has that one", n)
			}
		}
	}
}

// supportedThen looks for an identifier of a statement in the last version of a file that is not in the tree.
func (c *check) supportedThen(h *history, i int) bool {
	cl, result := c.claims[i], &c.results[i]
	for v := range h.versions {
		one := &h.versions[v]
		if one.source == nil {
			continue
		}
		name := c.namedAt(one.source, cl)
		if name == "" || slices.ContainsFunc(cl.quotes, func(q *quote) bool { return q.block }) {
			return false
		}
		result.Verdict, result.Commit = Supported, c.commit(one)
		result.Reason = fmt.Sprintf("`%s` is there in commit %.12s; the tree does not have the file", name, one.Commit)
		return true
	}
	return false
}

// namesFile reports whether a citation names a file without doubt: by its path, or by an end of it that no other file of
// the tree has.
func (c *check) namesFile(cl *claim, name string) bool {
	return endsWith(name, cl.Path) || endsWith(cl.Path, name)
}

// leastShifted is how many places make a steady shift.
const leastShifted = 2

// shifts finds the files in which places are off by the same number of lines.
func (c *check) shifts() []Shift {
	shifts := []Shift{}
	seen := map[string]bool{}
	for i := range c.results {
		name := c.results[i].Path
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		counts := map[int]int{}
		for _, j := range c.byPath[name] {
			if moved := c.results[j].moved; moved != 0 {
				counts[moved]++
			}
		}
		best := 0
		for moved, n := range counts {
			if n > counts[best] || n == counts[best] && moved < best {
				best = moved
			}
		}
		if counts[best] < leastShifted {
			continue
		}
		shift := Shift{Path: c.clean(name), Lines: best, Places: counts[best]}
		for _, j := range c.byPath[name] {
			if result := &c.results[j]; result.moved == best {
				result.Shift = best
				if shift.Commit == nil {
					shift.Commit = result.Commit
				}
			}
		}
		shifts = append(shifts, shift)
	}
	return shifts
}
