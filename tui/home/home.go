// Package home is the first screen: the list of sessions with its filter, what a search found in them, a preview, help
// for the first start, and the form for a new question. It uses neither network nor disk: package tui reads the sessions
// and opens them.
//
// Start at Pane. Prepare makes what it shows, outside of the goroutine that draws. rows.go draws the rows.
package home

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/search"
	"moot/state/store"
	"moot/tui/form"
	"moot/tui/pane"
	"moot/tui/theme"
)

// Data are sessions in the order of the list. It does not change once it is made.
type Data struct {
	sessions []store.Summary
	// words are the texts that the filter searches, in lower case.
	words  []string
	groups []group
	counts map[store.Status]int
	now    time.Time
	// total is the number of sessions in the folder if not all are read yet, else 0.
	total int
}

// group is a part of the list under a headline.
type group struct {
	// title names it; path is the folder of its repository, or "".
	title, path string
	// named says that the title names the folder of the sessions.
	named    bool
	from, to int
}

// Source are the sessions to list.
type Source struct {
	Sessions []store.Summary
	// Here is the folder whose repository comes first, or "".
	Here string
	// Repository returns the repository of a folder; nil takes each folder for one.
	Repository func(folder string) string
	// Home is the user's home folder, which is shown as ~, or "".
	Home string
	Now  time.Time
	// Total is the number of sessions in the folder if not all are read yet, else 0.
	Total int
}

// Prepare orders sessions: first those that run, with those that wait for the user on top, then those of this folder,
// then by repository. The last changes come first. It takes 20 ms for 10,000 sessions.
func Prepare(src *Source) *Data {
	here := src.Here
	if here != "" && src.Repository != nil {
		here = src.Repository(here)
	}
	d := &Data{counts: map[store.Status]int{}, now: src.Now, total: src.Total}
	type keyed struct {
		rank int
		repo string
		s    *store.Summary
	}
	list := make([]keyed, len(src.Sessions))
	repositories, newest := map[string]string{}, map[string]time.Time{}
	for i := range src.Sessions {
		s := &src.Sessions[i]
		repo, known := repositories[s.Workspace]
		if !known {
			if repo = s.Workspace; repo != "" && src.Repository != nil {
				repo = src.Repository(repo)
			}
			repositories[s.Workspace] = repo
		}
		status := s.Status()
		d.counts[status]++
		k := keyed{rank: 3, repo: repo, s: s}
		switch {
		case status == store.StatusNeedsYou:
			k.rank, k.repo = 0, ""
		case status == store.StatusRunning:
			k.rank, k.repo = 1, ""
		case repo != "" && repo == here:
			k.rank = 2
		}
		list[i] = k
		if k.rank == 3 && s.UpdatedAt.After(newest[repo]) {
			newest[repo] = s.UpdatedAt
		}
	}
	slices.SortStableFunc(list, func(a, b keyed) int {
		if c := cmp.Or(cmp.Compare(a.rank, b.rank), newest[b.repo].Compare(newest[a.repo]), strings.Compare(a.repo, b.repo)); c != 0 {
			return c
		}
		return b.s.UpdatedAt.Compare(a.s.UpdatedAt)
	})
	d.sessions, d.words = make([]store.Summary, len(list)), make([]string, len(list))
	for i, k := range list {
		d.sessions[i], d.words[i] = *k.s, words(k.s)
		g := group{title: "Running", from: i, to: i + 1}
		switch {
		case k.rank >= 2 && k.repo == "":
			g.title, g.named = "No folder", true
		case k.rank >= 2:
			g.title, g.path, g.named = filepath.Base(k.repo), k.repo, true
			if below, err := filepath.Rel(src.Home, k.repo); src.Home != "" && err == nil && filepath.IsLocal(below) {
				g.path = filepath.Join("~", below)
			}
		}
		if n := len(d.groups); n > 0 && d.groups[n-1].title == g.title && d.groups[n-1].path == g.path {
			d.groups[n-1].to++
		} else {
			d.groups = append(d.groups, g)
		}
	}
	if len(d.groups) == 1 && d.groups[0].path == "" {
		d.groups[0].title = "" // There is nothing to tell apart.
	}
	return d
}

// words are the texts of a session that the filter searches, in lower case.
func words(s *store.Summary) string {
	parts := []string{s.Name, s.Question, s.ID, string(s.Exit), string(s.Format), s.Workspace, string(s.Status())}
	for _, tag := range s.Tags {
		parts = append(parts, "#"+tag)
	}
	for _, a := range s.Seats {
		parts = append(parts, a.Participant)
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}

// Found holds the result of a search for the words of the filter.
type Found struct {
	// Words are those that were searched for.
	Words  string
	Result search.Result
	Err    error
}

// item is a row of the list: a session or a hit, or a headline.
type item struct {
	kind itemKind
	// i is the index of the group, of the session, or of the hit.
	i int
	// named says that a headline names the folder of the session.
	named bool
}

type itemKind int

const (
	groupItem itemKind = iota
	sessionItem
	// foundItem is the headline of what a search found, askedItem the question of a session with hits.
	foundItem
	askedItem
	hitItem
)

// Pane is the list of sessions.
type Pane struct {
	pane.List
	// Candidates are nil until they are known.
	Candidates *Candidates
	// NoSearch says why only names are searched, not what was argued, or is "".
	NoSearch string

	// busy says what the user waits for, or "".
	busy string

	data *Data
	// items are the rows; matching are the indexes of the sessions that match the filter.
	items    []item
	matching []int
	// read says that the sessions were read, err why they could not be.
	read bool
	err  error
	// last was selected last. It is selected again once it matches the filter. wanted is selected when the
	// sessions are read next.
	last, wanted string
	// marked are the IDs of the sessions that the next command is about, if there are any.
	marked map[string]bool

	filter form.Filter
	// found is nil before a search ended; searching says that one is under way.
	found     *Found
	searching bool
	// hitKeys identify the hits also if the next search for the same words finds more.
	hitKeys []string
}

// New returns a list that was not read yet.
func New(l *theme.Look) *Pane {
	p := &Pane{
		List: pane.List{Look: l, At: -1, Whole: true},
		data: &Data{}, marked: map[string]bool{}, filter: form.Filter{Label: "find"},
	}
	p.Draw = p.draw
	p.Key = p.key
	p.Text = func(i int) string {
		if s := p.summary(i); s != nil {
			return s.Question
		}
		return ""
	}
	return p
}

// key identifies a row; it is "" for a headline, which cannot be selected.
func (p *Pane) key(i int) string {
	switch it := p.items[i]; it.kind {
	case sessionItem:
		return p.data.sessions[it.i].ID
	case hitItem:
		return p.hitKeys[it.i]
	case groupItem, foundItem, askedItem:
	}
	return ""
}

// Title implements pane.Pane.
func (p *Pane) Title() string { return pane.HomeID.String() }

// SetData shows sessions, or why they could not be read.
func (p *Pane) SetData(data *Data, err error) {
	p.read, p.err = true, err
	if err != nil {
		p.wanted = ""
		return
	}
	here := map[string]bool{}
	for i := range data.sessions {
		if id := data.sessions[i].ID; p.marked[id] {
			here[id] = true
		}
	}
	p.marked = here
	if p.wanted != "" {
		p.data = data
		p.Chosen, p.last = "", p.wanted
		if data.total == 0 {
			p.wanted = ""
		}
		p.arrange()
		return
	}
	// What was visible stays where it was, also if the user scrolled away from the selected session.
	visible, top := p.Visible() || p.Chosen == "", p.rowID(p.Win.Top)
	p.data = data
	p.arrange()
	for i := range p.items {
		if p.rowID(i) == top {
			p.Win.Top = i
		}
	}
	p.Moved = visible
}

// rowID identifies a row, also a headline.
func (p *Pane) rowID(i int) string {
	if i < 0 || i >= len(p.items) {
		return ""
	}
	if it := p.items[i]; it.kind == groupItem {
		return p.data.groups[it.i].title + "\n" + p.data.groups[it.i].path
	}
	return p.key(i)
}

// arrange lists the sessions that match the filter, and what a search found.
func (p *Pane) arrange() {
	p.last = cmp.Or(p.Chosen, p.last)
	p.matching = p.filter.Matching(p.data.words, p.matching)
	p.items = p.items[:0]
	next := 0
	for g := range p.data.groups {
		group := &p.data.groups[g]
		first := true
		for ; next < len(p.matching) && p.matching[next] < group.to; next++ {
			if first && group.title != "" {
				p.items = append(p.items, item{groupItem, g, false})
			}
			first = false
			p.items = append(p.items, item{sessionItem, p.matching[next], group.named && group.title != ""})
		}
	}
	if p.filter.On() && (p.found != nil || p.searching) && p.Words() != "" {
		p.items = append(p.items, item{kind: foundItem})
		session := ""
		for i := 0; p.found != nil && i < len(p.found.Result.Hits); i++ {
			if hit := &p.found.Result.Hits[i]; hit.Session != session {
				session = hit.Session
				p.items = append(p.items, item{kind: askedItem, i: i})
			}
			p.items = append(p.items, item{kind: hitItem, i: i})
		}
	}
	p.SetCount(len(p.items))
	p.Moved = true
	p.Choose(p.last)
}

// Words are the words to search for.
func (p *Pane) Words() string { return p.filter.Value() }

// SetFound shows what a search found; nil shows nothing, and searching says that one is under way.
func (p *Pane) SetFound(found *Found, searching bool) {
	p.searching = searching
	if !searching || found != nil {
		p.found = found
	}
	p.hitKeys = nil
	if p.found != nil {
		groupHits(p.found.Result.Hits)
		times := map[string]int{}
		for i := range p.found.Result.Hits {
			// A session ID has no space.
			hit := &p.found.Result.Hits[i]
			key := fmt.Sprintf("%s %s %s", hit.Session, hit.Place, hit.Kind)
			times[key]++
			p.hitKeys = append(p.hitKeys, fmt.Sprintf("%s %d", key, times[key]))
		}
	}
	p.arrange()
}

// groupHits puts the hits of a session next to each other, in the order in which the sessions come first.
func groupHits(hits []search.Hit) {
	place := map[string]int{}
	for i := range hits {
		if _, known := place[hits[i].Session]; !known {
			place[hits[i].Session] = len(place)
		}
	}
	slices.SortStableFunc(hits, func(a, b search.Hit) int { return place[a.Session] - place[b.Session] })
}

// JumpGroup selects the first row of the other part of what was found: a session by its name, or a place in what was
// argued. It reports whether there is one.
func (p *Pane) JumpGroup() bool {
	at := slices.IndexFunc(p.items, func(it item) bool { return it.kind == hitItem })
	if p.hitAt(p.At) != nil {
		at = slices.IndexFunc(p.items, func(it item) bool { return it.kind == sessionItem })
	}
	if at < 0 {
		return false
	}
	p.Choose(p.key(at))
	return true
}

// Select selects a session when the list is read next.
func (p *Pane) Select(id string) { p.wanted = id }

// Selecting reports whether a session will be selected when the list is read next.
func (p *Pane) Selecting() bool { return p.wanted != "" }

// Len returns the number of sessions, whether they match the filter or not.
func (p *Pane) Len() int { return len(p.data.sessions) }

// Runs reports whether a session runs, so that the list changes by itself.
func (p *Pane) Runs() bool {
	return p.data.counts[store.StatusRunning]+p.data.counts[store.StatusNeedsYou] > 0
}

// summary returns the session of a row, or nil.
func (p *Pane) summary(i int) *store.Summary {
	if i < 0 || i >= len(p.items) {
		return nil
	}
	switch it := p.items[i]; it.kind {
	case sessionItem:
		return &p.data.sessions[it.i]
	case hitItem:
		return p.byID(p.found.Result.Hits[it.i].Session)
	case groupItem, foundItem, askedItem:
	}
	return nil
}

func (p *Pane) byID(id string) *store.Summary {
	i := slices.IndexFunc(p.data.sessions, func(s store.Summary) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &p.data.sessions[i]
}

// Summary returns the selected session, or nil.
func (p *Pane) Summary() *store.Summary { return p.summary(p.At) }

// Selected returns the ID of the selected session, also if a place in it is selected.
func (p *Pane) Selected() string {
	if hit := p.hitAt(p.At); hit != nil {
		return hit.Session
	}
	if s := p.Summary(); s != nil {
		return s.ID
	}
	return ""
}

// hitAt returns the hit of a row, or nil.
func (p *Pane) hitAt(i int) *search.Hit {
	if i < 0 || i >= len(p.items) || p.items[i].kind != hitItem {
		return nil
	}
	return &p.found.Result.Hits[p.items[i].i]
}

// Place returns the selected place in a session, such as P3, or "".
func (p *Pane) Place() string {
	if hit := p.hitAt(p.At); hit != nil {
		return hit.Place
	}
	return ""
}

// Mark marks the selected session for the next command, or takes the mark away, and selects the next one.
func (p *Pane) Mark() {
	s := p.Summary()
	if s == nil {
		return
	}
	if p.marked[s.ID] {
		delete(p.marked, s.ID)
	} else {
		p.marked[s.ID] = true
	}
	p.Changed()
}

// Unmark takes away all marks.
func (p *Pane) Unmark() {
	clear(p.marked)
	p.Changed()
}

// Marked returns the marked sessions in the order of the list.
func (p *Pane) Marked() []*store.Summary {
	var list []*store.Summary
	for i := range p.data.sessions {
		if s := &p.data.sessions[i]; p.marked[s.ID] {
			list = append(list, s)
		}
	}
	return list
}

// Targets returns the sessions that a command is about: the marked ones, or else the selected one.
func (p *Pane) Targets() []*store.Summary {
	if len(p.marked) > 0 {
		return p.Marked()
	}
	if s := p.Summary(); s != nil {
		return []*store.Summary{s}
	}
	return nil
}

// Neighbor returns the ID of the session to select if the given ones are deleted, or "".
func (p *Pane) Neighbor(gone []string) string {
	for _, step := range []int{1, -1} {
		for i := p.At + step; i >= 0 && i < len(p.items); i += step {
			if it := p.items[i]; it.kind == sessionItem && !slices.Contains(gone, p.data.sessions[it.i].ID) {
				return p.data.sessions[it.i].ID
			}
		}
	}
	return ""
}

// StartFilter lets the user type words to find.
func (p *Pane) StartFilter() {
	p.filter.Start()
	p.arrange()
}

// EndFilter shows all sessions again. Without a filter, it takes away the marks.
func (p *Pane) EndFilter() {
	if !p.filter.On() {
		p.Unmark()
	}
	p.filter.End()
	p.found, p.searching = nil, false
	p.arrange()
}

// Filtered reports whether words are searched for, Typing whether keys edit them.
func (p *Pane) Filtered() bool { return p.filter.On() }

// Typing reports whether keys edit the words to find.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// StopTyping keeps the filter as it is.
func (p *Pane) StopTyping() { p.filter.StopTyping() }

// Type passes a key or a paste to the filter.
func (p *Pane) Type(msg tea.Msg) {
	if p.filter.Type(msg) {
		p.arrange()
	}
}

// SetBusy says what the user waits for; "" is nothing.
func (p *Pane) SetBusy(what string) { p.busy = what }

// IsBusy reports whether the user waits for something.
func (p *Pane) IsBusy() bool { return p.busy != "" }

// Status says what the user waits for, what was found, or how many sessions there are.
func (p *Pane) Status() (theme.Style, string) {
	l := p.Look
	switch {
	case p.busy != "":
		return l.Faint, p.busy
	case p.filter.On():
		return p.findStatus()
	case p.err != nil:
		return l.Warn, p.err.Error()
	case p.data.total > 0:
		return l.Faint, fmt.Sprintf("reading %s of %s sessions", thousands(len(p.data.sessions)), thousands(p.data.total))
	case !p.read:
		return l.Faint, "reading your sessions"
	case len(p.marked) > 0:
		return l.User, plain.Counted(len(p.marked), "session") + " marked"
	case len(p.data.sessions) == 0:
		return l.Faint, "no sessions yet"
	}
	var parts []string
	for _, word := range store.Statuses() {
		if n := p.data.counts[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return l.Faint, plain.Counted(len(p.data.sessions), "session") + ": " + strings.Join(parts, ", ")
}

// findStatus says what is looked for and what was found.
func (p *Pane) findStatus() (theme.Style, string) {
	l := p.Look
	text := fmt.Sprintf("%s  %d of %s", p.filter.Shown(), len(p.matching), plain.Counted(len(p.data.sessions), "session"))
	switch {
	case p.Words() == "":
	case p.NoSearch != "":
		text += "; names only: " + p.NoSearch
	case p.found != nil && len(p.found.Result.Hits) > 0 && !p.searching:
		return l.Text, text + ", " + p.hitCount()
	}
	if len(p.matching) == 0 && !p.searching {
		return l.Warn, text
	}
	return l.Text, text
}

// hitCount counts the places that a search found.
func (p *Pane) hitCount() string {
	hits, sessions := p.found.Result.Hits, 0
	for i := range hits {
		if i == 0 || hits[i].Session != hits[i-1].Session {
			sessions++
		}
	}
	text := fmt.Sprintf("%s in %s", plain.Counted(len(hits), "place"), plain.Counted(sessions, "session"))
	if p.found.Result.More {
		text = "the best " + text
	}
	return text
}

// searchNotes says what a search did not see.
func (p *Pane) searchNotes() string {
	if p.found == nil || p.searching {
		return ""
	}
	r := &p.found.Result
	var notes []string
	switch {
	case r.Missing > 0 && r.Problem != "":
		notes = append(notes, plain.Counted(r.Missing, "session")+" not read: "+r.Problem)
	case r.Missing > 0:
		notes = append(notes, plain.Counted(r.Missing, "session")+" not read yet")
	}
	if len(r.Unread) > 0 {
		notes = append(notes, plain.Counted(len(r.Unread), "damaged session")+" searched up to the damage")
	}
	if r.Rebuilt {
		notes = append(notes, "the search cache was damaged and is made again")
	}
	return strings.Join(notes, ", ")
}

// thousands is a number with commas.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// View implements pane.Pane.
func (p *Pane) View(width, height int) []string {
	switch {
	case !p.read && p.data.total == 0:
		return pane.Fit(nil, width, height)
	case len(p.data.sessions) == 0 && p.err == nil && p.data.total == 0:
		return p.firstStart(width, height)
	}
	empty := ""
	if p.filter.On() {
		empty = "no session matches"
	}
	return p.RowsOrEmpty(width, height, empty)
}
