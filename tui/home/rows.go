package home

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/search"
	"moot/state"
	"moot/state/store"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// status returns a session's status with its sign and style.
func status(l *theme.Look, s *store.Summary) (word store.Status, sign string, style theme.Style) {
	word = s.Status()
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

// indent is the width before the second line of a session: the pointer, the mark, the sign and a space.
const indent = 4

// draw draws a row of the list.
func (p *Pane) draw(i, width int, mark theme.Span) []string {
	l := p.Look
	switch it := p.items[i]; it.kind {
	case groupItem:
		g := &p.data.groups[it.i]
		title := []theme.Span{{Text: " "}, l.Text.Span(g.title)}
		if g.path != "" {
			title = append(title, l.Faint.Span("  "+g.path))
		}
		return p.headline(i, width, title)
	case sessionItem:
		return p.session(&p.data.sessions[it.i], width, mark, it.named)
	case foundItem:
		rows := p.headline(i, width, p.foundTitle())
		if notes := p.searchNotes(); notes != "" {
			rows = append(rows, p.Look.Row(width, []theme.Span{{Text: "   "}, p.Look.Warn.Span(notes)}, nil))
		}
		return rows
	case askedItem:
		return []string{p.asked(&p.found.Result.Hits[it.i], width)}
	case hitItem:
		return []string{p.hit(&p.found.Result.Hits[it.i], width, mark)}
	}
	return nil
}

// headline draws a quiet line above a part of the list.
func (p *Pane) headline(i, width int, title []theme.Span) []string {
	used := 1
	for _, s := range title {
		used += p.Look.Width(p.Look.Line(s.Text))
	}
	line := p.Look.Border.Span(" " + strings.Repeat(p.Look.Glyphs.Horizontal, max(width-used-1, 0)))
	row := p.Look.Row(width, append(title, line), nil)
	if i == 0 {
		return []string{row}
	}
	return []string{theme.Blank(width), row}
}

// foundTitle says what a search in everything that was argued found.
func (p *Pane) foundTitle() []theme.Span {
	l := p.Look
	title := []theme.Span{{Text: " "}, l.Text.Span("In what was argued")}
	switch {
	case p.searching:
		return append(title, l.Faint.Span("  searching"))
	case p.found.Err != nil:
		return append(title, l.Warn.Span("  "+p.found.Err.Error()))
	case p.found.Result.NoWords:
		title = append(title, l.Text.Span("  type a letter or a digit"))
	case len(p.found.Result.Hits) == 0:
		title = append(title, l.Text.Span("  nothing found"))
	default:
		title = append(title, l.Text.Span("  "+p.hitCount()))
	}
	return title
}

// session draws a session in two lines: its name or question, and what became of it.
func (p *Pane) session(s *store.Summary, width int, mark theme.Span, named bool) []string {
	l := p.Look
	_, sign, style := status(l, s)
	marker := theme.Span{Text: " "}
	if p.marked[s.ID] {
		marker = l.User.Span(l.Glyphs.DotFull)
	}
	text := l.Text
	if mark.Text != " " {
		text = l.Bold
	}
	first := []theme.Span{mark, marker, style.Span(sign + " ")}
	question := oneLine(s.Question)
	switch {
	case s.Name != "" && question != "":
		first = append(first, l.Bold.Span(s.Name), l.Text.Span(": "+question))
	case s.Name+question != "":
		first = append(first, text.Span(s.Name+question))
	default:
		first = append(first, text.Span(s.ID))
	}
	var tags []theme.Span
	for _, tag := range s.Tags {
		tags = append(tags, l.Open.Span("#"+tag+" "))
	}
	if s.TagsUnread != "" {
		tags = append(tags, l.Warn.Span(l.Glyphs.Warn+" its tags cannot be read "))
	}
	return []string{l.Row(width, first, tags), p.outcome(s, width, named)}
}

// outcome draws the second line of a session: where, who, what was decided or what it waits for, the buckets, the age.
// The folder is left out if a headline names it.
func (p *Pane) outcome(s *store.Summary, width int, named bool) string {
	l := p.Look
	age := fmt.Sprintf(" %*s ", ageColumn, Age(p.data.now.Sub(s.UpdatedAt)))
	right := append(p.buckets(s), l.Faint.Span(age))
	used := indent + 1
	for _, span := range right {
		used += l.Width(span.Text)
	}
	room := width - used
	left := []theme.Span{{Text: theme.Blank(indent)}}
	// If there is little room, the decision gets all of it.
	const forFolder, forAll = 36, 50
	var about []string
	if !named && s.Workspace != "" && room >= forFolder {
		about = append(about, filepath.Base(s.Workspace))
	}
	if who := Participants(s.Seats); who != "" && room >= forAll {
		about = append(about, who)
	}
	if most := room / 4; len(about) > 0 {
		left = append(left, l.Faint.Span(l.Clip(l.Line(strings.Join(about, l.Glyphs.Separator)), most)+"  "))
	}
	return l.Row(width, append(left, p.what(s)...), right)
}

// what says what was decided, or else how the session is and what it waits for.
func (p *Pane) what(s *store.Summary) []theme.Span {
	l := p.Look
	word, _, style := status(l, s)
	_, stopped := view.Stop(s.Paused, s.Exit, s.Reason, s.Failure)
	if stopped != "" && word != store.StatusBroken && word != store.StatusNeedsYou {
		// It says how the session is, and why.
		return []theme.Span{style.Span(oneLine(stopped))}
	}
	because := func(why string) []theme.Span {
		if why == "" {
			return []theme.Span{style.Span(string(word))}
		}
		return []theme.Span{style.Span(string(word) + ": "), l.Text.Span(oneLine(why))}
	}
	answer := oneLine(s.Answer)
	if answer == "" {
		answer = oneLine(s.Decision)
	}
	switch word {
	case store.StatusBroken:
		return because(s.Broken)
	case store.StatusNeedsYou:
		return because(s.Needs)
	case store.StatusInconclusive, store.StatusEndedEarly:
		if answer != "" {
			return append(because(""), l.Text.Span("  "+answer))
		}
	case store.StatusRunning, store.StatusCutOff, store.StatusWaiting, store.StatusPaused:
	case store.StatusFinished:
		if answer != "" {
			return []theme.Span{l.Text.Span(answer)}
		}
	}
	if s.Closed && s.Reason != "" {
		return because(s.Reason)
	}
	return because(Progress(s))
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

// asked names the session of the hits below.
func (p *Pane) asked(hit *search.Hit, width int) string {
	l := p.Look
	where := ""
	if hit.Workspace != "" {
		where = filepath.Base(hit.Workspace) + l.Glyphs.Separator
	}
	right := l.Faint.Span(where + Age(p.data.now.Sub(hit.UpdatedAt)) + " ")
	question := oneLine(hit.Question)
	if question == "" {
		question = hit.Session
	}
	return l.Row(width, []theme.Span{{Text: "   "}, l.Bold.Span(question)}, []theme.Span{right})
}

// hit draws a place with the words in it.
func (p *Pane) hit(hit *search.Hit, width int, mark theme.Span) string {
	l := p.Look
	where, kind := hit.Place, hit.Kind
	if where != "" {
		where += " "
	}
	if hit.Partial {
		kind += ", in part"
	}
	const column = 16
	spans := []theme.Span{mark, {Text: "  "}, l.Accent.Span(where), l.Text.Span(l.Padded(kind, max(column-l.Width(l.Line(where)), l.Width(l.Line(kind))+2)))}
	used := 0
	for _, s := range spans {
		used += l.Width(l.Line(s.Text))
	}
	// The marks come from a cache.
	at := 0
	valid := slices.DeleteFunc(slices.Clone(hit.Marks), func(m [2]int) bool {
		wrong := m[0] < at || m[1] <= m[0] || m[1] > len(hit.Snippet)
		if !wrong {
			at = m[1]
		}
		return wrong
	})
	snippet, marks := search.Fit(hit.Snippet, valid, width-used)
	match := l.Role("match")
	at = 0
	for _, m := range marks {
		spans = append(spans, l.Text.Span(snippet[at:m[0]]), match.Span(snippet[m[0]:m[1]]))
		at = m[1]
	}
	return l.Row(width, append(spans, l.Text.Span(snippet[at:])), nil)
}

// oneLine joins the lines of a text.
func oneLine(text string) string {
	const longest = 1000 // No screen is wider.
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	return strings.Join(strings.Fields(text), " ")
}

// Participants names the participants of a session in short, each once: "gpt-5.2, qwen3".
func Participants(seats []state.SeatAssignment) string {
	const most = 3
	var names []string
	for _, a := range seats {
		name := a.Participant
		if _, model, found := strings.Cut(name, ":"); found && model != "" {
			name = filepath.Base(model)
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// ageColumn is the width of the age.
const ageColumn = 7

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
