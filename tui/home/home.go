// Package home is the first screen: the list of sessions with its filter, help for the first start, and the form for a
// new question. It uses neither network nor disk: package tui reads the sessions and opens them.
package home

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
	"moot/tui/form"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Pane is the list of sessions.
type Pane struct {
	pane.List
	// Candidates are nil until they are known.
	Candidates *Candidates

	// busy says what the user waits for, or "".
	busy string

	sessions []store.Summary
	// words are the texts that the filter searches; matching are the indexes of the sessions that match.
	words    []string
	matching []int
	// repositories says that the sessions are about different repositories.
	repositories bool
	// read says that the sessions were read, err why they could not be.
	read bool
	err  error
	now  time.Time
	// last was selected last. It is selected again once it matches the filter. wanted is selected when the
	// sessions are read next.
	last, wanted string

	filter form.Filter
}

// New returns a list that was not read yet.
func New(l *theme.Look) *Pane {
	p := &Pane{List: pane.List{Look: l, At: -1}}
	p.Draw = func(i, width int, mark theme.Span) []string {
		return p.row(&p.sessions[p.matching[i]], width, mark)
	}
	p.Key = func(i int) string { return p.sessions[p.matching[i]].ID }
	p.Text = func(i int) string { return p.sessions[p.matching[i]].Question }
	return p
}

// Title implements pane.Pane.
func (p *Pane) Title() string { return pane.HomeID.String() }

// SetSessions shows sessions, or why they could not be read.
func (p *Pane) SetSessions(sessions []store.Summary, now time.Time, err error) {
	p.read, p.err = true, err
	if err != nil {
		p.wanted = ""
		return
	}
	p.sessions, p.now, p.repositories = sessions, now, false
	p.words = make([]string, len(sessions))
	for i := range sessions {
		s := &sessions[i]
		status, _, _ := p.status(s)
		parts := []string{s.Question, s.ID, string(s.Exit), string(s.Format), s.Workspace, string(status)}
		for _, a := range s.Seats {
			parts = append(parts, a.Participant)
		}
		p.words[i] = strings.ToLower(strings.Join(parts, "\n"))
		p.repositories = p.repositories || s.Workspace != sessions[0].Workspace
	}
	if p.wanted != "" {
		p.Chosen, p.last, p.wanted = "", p.wanted, ""
	}
	p.applyFilter()
}

// applyFilter lists the sessions that contain all words of the filter.
func (p *Pane) applyFilter() {
	p.last = cmp.Or(p.Chosen, p.last)
	p.matching = p.filter.Matching(p.words, p.matching)
	p.SetCount(len(p.matching))
	p.Moved = true
	p.Choose(p.last)
}

// Select selects a session when the list is read next.
func (p *Pane) Select(id string) { p.wanted = id }

// Selecting reports whether a session will be selected when the list is read next.
func (p *Pane) Selecting() bool { return p.wanted != "" }

// Len returns the number of sessions, whether they match the filter or not.
func (p *Pane) Len() int { return len(p.sessions) }

// Summary returns the selected session, or nil.
func (p *Pane) Summary() *store.Summary {
	if p.At < 0 || p.At >= len(p.matching) {
		return nil
	}
	return &p.sessions[p.matching[p.At]]
}

// Neighbor returns the ID of the session to select if the selected one is deleted, or "".
func (p *Pane) Neighbor() string {
	for _, i := range []int{p.At + 1, p.At - 1} {
		if i >= 0 && i < len(p.matching) {
			return p.Key(i)
		}
	}
	return ""
}

// StartFilter lets the user type a filter.
func (p *Pane) StartFilter() {
	p.filter.Start()
	p.applyFilter()
}

// EndFilter shows all sessions again.
func (p *Pane) EndFilter() {
	p.filter.End()
	p.applyFilter()
}

// Typing reports whether keys edit the filter.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// StopTyping keeps the filter as it is.
func (p *Pane) StopTyping() { p.filter.StopTyping() }

// Type passes a key or a paste to the filter.
func (p *Pane) Type(msg tea.Msg) {
	if p.filter.Type(msg) {
		p.applyFilter()
	}
}

// SetBusy says what the user waits for; "" is nothing.
func (p *Pane) SetBusy(what string) { p.busy = what }

// IsBusy reports whether the user waits for something.
func (p *Pane) IsBusy() bool { return p.busy != "" }

// status returns a session's status with its sign and style.
func (p *Pane) status(s *store.Summary) (word store.Status, sign string, style theme.Style) {
	l, word := p.Look, s.Status()
	switch word {
	case store.StatusBroken:
		return word, l.Glyphs.Warn, l.Warn
	case store.StatusInconclusive, store.StatusEndedEarly:
		return word, l.Glyphs.Unresolved, l.Unresolved
	case store.StatusFinished:
		return word, l.Glyphs.Agreed, l.Agreed
	case store.StatusNeedsYou:
		return word, l.Glyphs.Warn, l.Warn
	case store.StatusPaused, store.StatusCutOff, store.StatusWaiting:
		return word, l.Glyphs.NotEvaluated, l.User
	case store.StatusRunning:
	}
	return word, l.Glyphs.Open, l.Open
}

// Status says what the user waits for, what the filter finds, or how many sessions there are.
func (p *Pane) Status() (theme.Style, string) {
	l := p.Look
	switch {
	case p.busy != "":
		return l.Faint, p.busy
	case p.filter.On():
		style := l.Text
		if len(p.matching) == 0 {
			style = l.Warn
		}
		return style, fmt.Sprintf("%s  %d of %d", p.filter.Shown(), len(p.matching), len(p.sessions))
	case p.err != nil:
		return l.Warn, p.err.Error()
	case !p.read:
		return l.Faint, "reading your sessions"
	case len(p.sessions) == 0:
		return l.Faint, "no sessions yet"
	}
	counts := map[store.Status]int{}
	for i := range p.sessions {
		counts[p.sessions[i].Status()]++
	}
	var parts []string
	for _, word := range store.Statuses() {
		if counts[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[word], word))
		}
	}
	return l.Faint, plain.Counted(len(p.sessions), "session") + ": " + strings.Join(parts, ", ")
}

// repositoryWidth is the width from which the column for the repository is shown.
const repositoryWidth = 120

// The widths of the columns.
const (
	statusColumn     = 14
	repositoryColumn = 14
	formatColumn     = 9
	progressColumn   = 20
	bucketsColumn    = 14
	ageColumn        = 9
)

// View implements pane.Pane.
func (p *Pane) View(width, height int) []string {
	switch {
	case !p.read:
		return pane.Fit(nil, width, height)
	case len(p.sessions) == 0 && p.err == nil:
		return p.firstStart(width, height)
	}
	empty := ""
	if p.filter.On() {
		empty = "no session matches"
	}
	return p.RowsOrEmpty(width, height, empty)
}

// row draws a session in columns, or in two lines on a narrow screen. Another line says why it paused
// or ended badly.
func (p *Pane) row(s *store.Summary, width int, mark theme.Span) []string {
	l := p.Look
	status, sign, style := p.status(s)
	question := l.Text.Span(view.Title(s.Question))
	if mark.Text != " " {
		question.Style = l.Bold
	}
	if s.Question == "" {
		question = l.Faint.Span(s.ID)
	}
	var why []string
	if s.Needs != "" {
		why = []string{l.Row(width, []theme.Span{{Text: "    "}, l.Warn.Span(s.Needs)}, nil)}
	} else if _, stopped := view.Stop(s.Paused, s.Exit, s.Reason, s.Failure); stopped != "" && s.Broken == "" {
		why = []string{l.Row(width, []theme.Span{{Text: "    "}, l.Warn.Span(stopped)}, nil)}
	}
	age := Age(p.now.Sub(s.UpdatedAt))
	left := []theme.Span{mark, style.Span(" " + sign + " ")}
	if width < pane.WideWidth {
		first := l.Row(width, append(left, question), []theme.Span{l.Faint.Span(age + " ")})
		second := []theme.Span{{Text: "   "}, style.Span(" " + string(status))}
		if s.Broken != "" {
			return []string{first, l.Row(width, append(second, l.Faint.Span(": "+s.Broken)), nil)}
		}
		second = append(second, l.Faint.Span("  "+Progress(s)))
		return append([]string{first, l.Row(width, second, append(p.buckets(s), theme.Span{Text: " "}))}, why...)
	}
	column := func(text string, width int) string { return l.Padded(text, width-1) + " " }
	left = append(left, style.Span(column(string(status), statusColumn)))
	if s.Broken != "" {
		left = append(left, question, l.Faint.Span("  "+s.Broken))
		return []string{l.Row(width, left, []theme.Span{l.Faint.Span(age + " ")})}
	}
	var right []theme.Span
	used := 4 + statusColumn + 2 + progressColumn + ageColumn
	if p.repositories && width >= repositoryWidth {
		repository := ""
		if s.Workspace != "" {
			repository = filepath.Base(s.Workspace)
		}
		right = append(right, l.Faint.Span(column(repository, repositoryColumn)))
		used += repositoryColumn
	}
	counts, taken := p.buckets(s), 0
	for _, c := range counts {
		taken += l.Width(c.Text)
	}
	right = append(
		right,
		l.Faint.Span(column(string(s.Format), formatColumn)),
		l.Text.Span(column(Progress(s), progressColumn)),
	)
	right = append(append(right, counts...), theme.Span{Text: theme.Blank(bucketsColumn - taken)})
	used += formatColumn + max(bucketsColumn, taken)
	right = append(right, l.Faint.Span(fmt.Sprintf("%*s ", ageColumn-1, age)))
	question.Text = column(question.Text, max(width-used, 2))
	return append([]string{l.Row(width, append(append(left, question, theme.Span{Text: "  "}), right...), nil)}, why...)
}

// buckets returns the counts of the buckets that are not empty, each with its sign.
func (p *Pane) buckets(s *store.Summary) []theme.Span {
	var spans []theme.Span
	for _, b := range state.Buckets() {
		if n := s.Buckets[b]; n > 0 {
			glyph, style, _ := p.Look.Bucket(b)
			spans = append(spans, style.Span(fmt.Sprintf(" %s%d", glyph, n)))
		}
	}
	return spans
}

// Progress says how a session ended, or its phase and round.
func Progress(s *store.Summary) string {
	switch {
	case s.Exit != state.ExitNone:
		return string(s.Exit)
	case s.Round == 0:
		return "not started"
	case s.Phase != "":
		return fmt.Sprintf("%s %d/%d", strings.ToLower(string(s.Phase)), s.Round, state.MaxRounds)
	}
	return fmt.Sprintf("round %d", s.Round)
}

// Age is a duration in one unit.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return plain.Counted(int(d.Hours()), "hour")
	}
	return plain.Counted(int(d.Hours()/24), "day")
}

// maxFound is the most lines that say what was found on this machine.
const maxFound = 3

// firstStart says what to do and what was found on this machine. It is shown if there are no sessions.
func (p *Pane) firstStart(width, height int) []string {
	l := p.Look
	var rows []string
	maxRows := 2
	if height < 10 {
		maxRows = 1
	}
	line := func(lead theme.Span, text theme.Span) {
		rows = append(rows, l.Paragraph(width, []theme.Span{{Text: "  "}, lead}, text, nil, maxRows)...)
	}
	title := func(text string) {
		if height >= 5 {
			rows = append(rows, theme.Blank(width), l.Row(width, []theme.Span{l.Bold.Span("  " + text)}, nil))
		}
	}
	title("What to do")
	line(l.Accent.Span("n  "), l.Text.Span("ask a question, or have a proposal reviewed"))
	line(l.Accent.Span("$  "), l.Text.Span("moot demo  plays a recorded session, no key needed"))
	// Don't suggest a key before the environment was checked.
	if p.Candidates != nil && !slices.ContainsFunc(p.Candidates.Found, func(c Candidate) bool { return c.Usable }) {
		line(l.Accent.Span("$  "),
			l.Text.Span("export OPENAI_API_KEY=…  lets a model take a seat, and so does a running Ollama"))
	}
	line(l.Faint.Span(l.Glyphs.Bullet+"  "), l.Faint.Span("rules need no model: they search, check, and quote"))
	title("What was found")
	if p.Candidates == nil {
		line(l.Faint.Span(l.Glyphs.Pending+"  "), l.Faint.Span("looking for keys, local servers and agent programs"))
		return pane.Fit(rows, width, height)
	}
	shown := map[string]bool{}
	for _, c := range p.Candidates.Found {
		if shown[c.Title] || len(shown) == maxFound {
			continue
		}
		shown[c.Title] = true
		if c.Usable {
			line(l.Agreed.Span(l.Glyphs.Agreed+"  "), l.Text.Span(c.Title+": "+c.Why))
		} else {
			line(l.Faint.Span(l.Glyphs.Pending+"  "), l.Faint.Span(c.Title+": "+c.Why+"; it can't take a seat yet"))
		}
	}
	if len(shown) == 0 {
		line(l.Faint.Span(l.Glyphs.NotEvaluated+"  "),
			l.Faint.Span("no key in the environment, no local server, no agent program"))
	}
	return pane.Fit(rows, width, height)
}
