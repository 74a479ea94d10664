package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
	"moot/tui/form"
	"moot/tui/pane"
	"moot/tui/theme"
)

// homePane is the list of sessions.
type homePane struct {
	pane.List
	sessions []store.Summary
	// words are what the filter looks in, of each session; seen are the places of
	// those that the filter lets through.
	words []string
	seen  []int
	// read says that the sessions were read once, failed why they cannot be.
	read   bool
	failed error
	now    time.Time
	// last was selected last; it is again once it is seen. wanted is selected when
	// the sessions are read the next time; then is what waits for that.
	last, wanted string
	then         Action

	filter textinput.Model
	// filtering says that there is a filter, typing that keys go into its line.
	filtering, typing bool

	// busy says what is waited for, or "". found is who could take a seat, nil
	// while nobody knows.
	busy  string
	found *Candidates
	// draft is the form of a new question with what was typed into it.
	draft *formDialog
}

func newHomePane(l *theme.Look) *homePane {
	p := &homePane{List: pane.List{Look: l, At: -1}}
	p.Draw = func(i, width int, mark theme.Span) []string {
		return p.sessionRows(&p.sessions[p.seen[i]], width, mark)
	}
	p.Key = func(i int) string { return p.sessions[p.seen[i]].ID }
	p.Text = func(i int) string { return p.sessions[p.seen[i]].Question }
	return p
}

func (p *homePane) Title() string { return pane.HomeID.String() }

// setSessions takes over what was read.
func (p *homePane) setSessions(sessions []store.Summary, now time.Time) {
	p.sessions, p.read, p.failed, p.now = sessions, true, nil, now
	p.words = make([]string, len(sessions))
	for i := range sessions {
		s := &sessions[i]
		parts := []string{s.Question, s.ID, string(s.Exit), string(s.Format), standingOf(s).String()}
		for _, a := range s.Seats {
			parts = append(parts, a.Participant)
		}
		p.words[i] = strings.ToLower(strings.Join(parts, "\n"))
	}
	if p.wanted != "" {
		p.Chosen, p.last, p.wanted = "", p.wanted, ""
	}
	p.sift()
}

// sift finds the sessions that the filter lets through: those that hold all of
// its words.
func (p *homePane) sift() {
	if p.Chosen != "" {
		p.last = p.Chosen
	}
	wanted := strings.Fields(strings.ToLower(p.query()))
	p.seen = p.seen[:0]
	for i, words := range p.words {
		if !slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(words, w) }) {
			p.seen = append(p.seen, i)
		}
	}
	p.SetCount(len(p.seen))
	p.Moved = true
	p.Choose(p.last)
}

func (p *homePane) query() string { return when(p.filtering, p.filter.Value(), "") }

// summary is the selected session, or nil.
func (p *homePane) summary() *store.Summary {
	if p.At < 0 || p.At >= len(p.seen) {
		return nil
	}
	return &p.sessions[p.seen[p.At]]
}

// beside is the session that takes the place of the selected one once that is
// gone, or "".
func (p *homePane) beside() string {
	for _, i := range []int{p.At + 1, p.At - 1} {
		if i >= 0 && i < len(p.seen) {
			return p.Key(i)
		}
	}
	return ""
}

// beginFilter opens the line of the filter, endFilter lets all sessions through.
func (p *homePane) beginFilter() {
	if !p.filtering {
		p.filter = form.NewInput("")
	}
	p.filtering, p.typing = true, true
	p.sift()
}

func (p *homePane) endFilter() {
	p.filtering, p.typing = false, false
	p.sift()
}

// typeInFilter gives a key or a paste to the filter.
func (p *homePane) typeInFilter(msg tea.Msg) {
	before := p.filter.Value()
	p.filter, _ = p.filter.Update(msg)
	if p.filter.Value() != before {
		p.sift()
	}
}

// standing is the status of a session in the list.
type standing int

const (
	standsRunning standing = iota
	standsCutOff
	standsPaused
	standsFinished
	standsInconclusive
	standsBroken
)

// String is the standing in a word.
func (s standing) String() string {
	return [...]string{"running", "cut off", "paused", "finished", "inconclusive", "broken"}[s]
}

func standingOf(s *store.Summary) standing {
	switch {
	case s.Broken != "":
		return standsBroken
	case s.Closed && s.Inconclusive:
		return standsInconclusive
	case s.Closed:
		return standsFinished
	case s.Paused != state.PauseNone:
		return standsPaused
	case s.CutOff:
		return standsCutOff
	}
	return standsRunning
}

// sign returns the symbol of a status and its style.
func (s standing) sign(l *theme.Look) (string, theme.Style) {
	switch s {
	case standsRunning:
		return l.Glyphs.Open, l.Open
	case standsCutOff, standsPaused:
		return l.Glyphs.NotEvaluated, l.User
	case standsFinished:
		return l.Glyphs.Agreed, l.Agreed
	case standsInconclusive:
		return l.Glyphs.Unresolved, l.Unresolved
	case standsBroken:
	}
	return l.Glyphs.Warn, l.Warn
}

// age is how long ago something was, in one unit.
func age(d time.Duration) string {
	several := func(n int, unit string) string { return fmt.Sprintf("%d %s%s", n, unit, when(n == 1, "", "s")) }
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return several(int(d.Hours()), "hour")
	}
	return several(int(d.Hours()/24), "day")
}

// counted says how many sessions there are, and how they stand.
func (p *homePane) counted() string {
	if len(p.sessions) == 0 {
		return "no sessions yet"
	}
	counts := map[standing]int{}
	for i := range p.sessions {
		counts[standingOf(&p.sessions[i])]++
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d session%s", len(p.sessions), when(len(p.sessions) == 1, "", "s"))
	lead := ": "
	for s := standsRunning; s <= standsBroken; s++ {
		if counts[s] > 0 {
			fmt.Fprintf(&text, "%s%d %s", lead, counts[s], s)
			lead = ", "
		}
	}
	return text.String()
}

// filterStatus says what is let through.
func (p *homePane) filterStatus() string {
	cursor := when(p.typing, "_", "")
	return fmt.Sprintf("filter: %s%s  %d of %d", plain.Line(p.filter.Value()), cursor, len(p.seen), len(p.sessions))
}
