package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/protocol"
	"moot/report"
	"moot/search"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// foundPlace is one place in the JSON of moot search.
type foundPlace struct {
	Session  string `json:"session"`
	Question string `json:"question"`
	// Workspace is the folder that citations refer to, or "".
	Workspace string       `json:"workspace"`
	Format    state.Format `json:"format"`
	Status    store.Status `json:"status"`
	Updated   string       `json:"updated_at"`
	// Place is an ID such as P3, as moot show --at takes it, or "" for the session as a whole.
	Place string `json:"place"`
	Kind  string `json:"kind"`
	// Point is the claim that the place belongs to, Bucket the bucket of that; or both are "".
	Point   string       `json:"point"`
	Bucket  state.Bucket `json:"bucket"`
	Snippet string       `json:"snippet"`
	// Marks are the words in the snippet, as ranges of bytes.
	Marks [][2]int `json:"marks"`
	// Partial says that other places of the session have the rest of the words.
	Partial bool `json:"partial"`
}

// foundPlaces is the JSON of moot search.
type foundPlaces struct {
	Words string `json:"words"`
	// Searched is the number of sessions that were searched, Missing that of those that were not read yet.
	Searched int          `json:"searched"`
	Missing  int          `json:"missing"`
	Unread   []string     `json:"unread"`
	More     bool         `json:"more"`
	Hits     []foundPlace `json:"hits"`
}

// searchOptions are the flags of moot search.
type searchOptions struct {
	console                           *Console
	form                              report.Form
	repository, state, format, bucket string
	since                             time.Time
	limit                             int
}

func newSearch(c *Console) *cobra.Command {
	o := &searchOptions{console: c}
	cmd := &cobra.Command{
		Use:  "search",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), strings.Join(args, " ")) },
	}
	group(cmd, "Sessions", func(f *pflag.FlagSet) {
		f.StringVar(&o.repository, "repo", "", "only sessions on this `folder`, by its path or name")
		f.Func("since", "only sessions that changed since a `date` (2026-11-21) or a time before now (12h, 7d, 2w)",
			func(text string) (err error) {
				o.since, err = parseSince(text, c.Now())
				return err
			})
		f.StringVar(&o.state, "state", "", "only sessions in this state: "+strings.Join(enum.Words(store.Statuses()), ", "))
		f.StringVar(&o.format, "format", "", "only sessions of this format: "+strings.Join(c.formatNames(), ", "))
		f.StringVar(&o.bucket, "bucket", "", "only what belongs to claims in this bucket: "+
			strings.Join(bucketWords(), ", "))
		f.IntVar(&o.limit, "limit", 50, "show at most `n` places")
	})
	complete(cmd, "repo", func(context.Context, string) []string { return nil }, cobra.ShellCompDirectiveFilterDirs)
	completeWords(cmd, "state", enum.Words(store.Statuses())...)
	completeWords(cmd, "format", c.formatNames()...)
	completeWords(cmd, "bucket", bucketWords()...)
	outputFlag(cmd, &o.form, report.FormText, report.FormJSON)
	return cmd
}

// bucketWords are the buckets as people write them: "still open" is open.
func bucketWords() []string { return enum.Words(state.Buckets()) }

// query checks the flags.
func (o *searchOptions) query(ctx context.Context, words string) (search.Query, error) {
	q := search.Query{Words: words, Repository: o.repository, Since: o.since, Limit: o.limit}
	if o.limit < 1 {
		return q, usage("--limit %d: at least 1 place is shown", o.limit)
	}
	if strings.ContainsAny(o.repository, `/\`) || strings.Trim(o.repository, ".") == "" && o.repository != "" {
		q.Repository = o.console.path(o.repository)
	}
	var err error
	if o.state != "" {
		if q.Status, err = oneOf("state", o.state, store.Statuses()); err != nil {
			return q, err
		}
	}
	if o.bucket != "" {
		if q.Bucket, err = oneOf("bucket", o.bucket, state.Buckets()); err != nil {
			return q, err
		}
	}
	if o.format != "" {
		f, err := o.console.format(o.format)
		if err != nil {
			return q, err
		}
		q.Format = f.Name()
	}
	if q.Status == store.StatusNeedsYou {
		// Only the processes of running sessions know.
		q.Status, q.Sessions = "", []string{}
		for id := range o.console.needing(ctx) {
			q.Sessions = append(q.Sessions, id)
		}
	}
	return q, nil
}

// needing returns the IDs of running sessions that wait for the user. A process that does not answer soon is left out.
func (c *Console) needing(ctx context.Context) map[string]bool {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	waiting := map[string]bool{}
	running, err := c.running(ctx)
	if err != nil {
		return waiting
	}
	for _, r := range running {
		if r.Needs != "" {
			waiting[r.ID] = true
		}
	}
	return waiting
}

// search finds words in the sessions. Running sessions that wait for the user are marked so.
func (c *Console) search(ctx context.Context, q search.Query) (search.Result, error) {
	dir, err := c.sessions()
	if err != nil {
		return search.Result{}, err
	}
	result, err := search.Open(dir, c.rules()...).Find(ctx, q)
	isRunning := func(h search.Hit) bool { return h.Status == store.StatusRunning }
	if err == nil && slices.ContainsFunc(result.Hits, isRunning) {
		waiting := c.needing(ctx)
		for i := range result.Hits {
			if h := &result.Hits[i]; waiting[h.Session] {
				h.Status = store.StatusNeedsYou
			}
		}
	}
	return result, err
}

// manySessions is how many sessions take so long to read that moot says so.
const manySessions = 300

func (o *searchOptions) run(ctx context.Context, words string) error {
	c := o.console
	q, err := o.query(ctx, words)
	if err != nil {
		return err
	}
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	said := false
	q.Progress = func(done, total int) {
		if !said && total >= manySessions && done < total {
			said = true
			c.Say("search     reading %d sessions that are new or changed; the next search is faster", total)
		}
	}
	result, err := c.search(ctx, q)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	if result.NoWords {
		return usage("there is no letter and no digit in %q to search for", plain.Clip(words, 40))
	}
	if o.form == report.FormJSON {
		err = o.printJSON(words, &result)
	} else {
		err = o.print(&result)
	}
	o.remark(&result)
	if err != nil || len(result.Hits) > 0 {
		return err
	}
	return leaveWith(protocol.ExitInconclusive)
}

func (o *searchOptions) printJSON(words string, r *search.Result) error {
	out := foundPlaces{
		Words: words, Searched: r.Searched, Missing: r.Missing, Unread: view.Some(r.Unread), More: r.More,
		Hits: []foundPlace{},
	}
	for i := range r.Hits {
		h := &r.Hits[i]
		out.Hits = append(out.Hits, foundPlace{
			Session: h.Session, Question: h.Question, Workspace: h.Workspace, Format: h.Format, Status: h.Status,
			Updated: h.UpdatedAt.UTC().Format(time.RFC3339), Place: h.Place, Kind: h.Kind, Point: h.Point, Bucket: h.Bucket,
			Snippet: h.Snippet, Marks: view.Some(h.Marks), Partial: h.Partial,
		})
	}
	text, err := report.JSON(out)
	if err != nil {
		return err
	}
	return o.console.Print(text)
}

// print writes a line for each hit: the session, its date and repository, the place, and the words with those around
// them. On a terminal it fits the width, and the words are bold.
func (o *searchOptions) print(r *search.Result) error {
	c := o.console
	var rows [][]string
	for i := range r.Hits {
		h := &r.Hits[i]
		repository := "-"
		if h.Workspace != "" {
			repository = plain.Line(plain.Clip(filepath.Base(h.Workspace), 20))
		}
		rows = append(rows, []string{
			h.Session, h.UpdatedAt.In(c.Now().Location()).Format("2006-01-02"), repository,
			plain.Line(view.Join(" ", plain.Clip(h.Place, 20), h.Kind)),
		})
	}
	heads := columns(rows)
	width := func(lines []string) (widest int) {
		for _, line := range lines {
			widest = max(widest, ansi.StringWidth(line))
		}
		return widest
	}
	// On a narrow terminal, the words matter more than the date and the folder.
	const leastSnippet = 30
	for _, left := range []int{2, 1} {
		if c.Width > 0 && c.Width-width(heads)-2 < leastSnippet {
			for j := range rows {
				rows[j] = slices.Delete(rows[j], left, left+1)
			}
			heads = columns(rows)
		}
	}
	indent := width(heads) + 2
	bold := c.OutTerminal && c.Getenv("TERM") != "dumb" && c.Getenv("NO_COLOR") == ""
	var out strings.Builder
	for i := range r.Hits {
		line, marks := r.Hits[i].Snippet, r.Hits[i].Marks
		if c.Width > 0 {
			line, marks = search.Fit(line, marks, max(leastSnippet, c.Width-indent))
		}
		if bold {
			line = embolden(line, marks)
		}
		out.WriteString(heads[i] + strings.Repeat(" ", indent-ansi.StringWidth(heads[i])) + line + "\n")
	}
	return c.Print(out.String())
}

// embolden makes the marked parts of a line bold.
func embolden(line string, marks [][2]int) string {
	var out strings.Builder
	at := 0
	for _, m := range marks {
		out.WriteString(line[at:m[0]] + "\x1b[1m" + line[m[0]:m[1]] + "\x1b[22m")
		at = m[1]
	}
	out.WriteString(line[at:])
	return out.String()
}

// remark says what the result does not hold, and what to do with a hit.
func (o *searchOptions) remark(r *search.Result) {
	say := func(format string, args ...any) { o.console.Say("search     "+format, args...) }
	partial, linked := 0, ""
	for i := range r.Hits {
		if h := &r.Hits[i]; h.Partial {
			partial++
		}
		if h := &r.Hits[i]; linked == "" && h.Place != "" {
			linked = h.Session + " --at " + h.Place
		}
	}
	if r.Rebuilt {
		say("the cache of the search was damaged and was made again; no session was changed")
	}
	if len(r.Hits) == 0 {
		where := plain.Counted(r.Searched, "session")
		if o.repository+o.state+o.format+o.bucket != "" || !o.since.IsZero() {
			where += " with these filters"
		}
		say("nothing found in %s", where)
	}
	switch {
	case r.Missing > 0 && r.Problem != "":
		say("new or changed, and not read yet: %s, because of this: %s", plain.Counted(r.Missing, "session"), r.Problem)
	case r.Problem != "":
		say("%s", r.Problem)
	case r.Missing > 0:
		say("new or changed, and not read yet: %s; another process is reading them, so search again soon",
			plain.Counted(r.Missing, "session"))
	}
	if n := len(r.Unread); n > 0 {
		named := strings.Join(r.Unread[:min(n, 5)], ", ")
		if n > 5 {
			named += fmt.Sprintf(" and %d more", n-5)
		}
		say("%s cannot be read to the end, and only what comes before that was searched: %s; moot verify ID says why",
			plain.Counted(n, "session"), named)
	}
	if partial > 0 {
		say("the last %s: the session has all words, but in different places", plain.Counted(partial, "hit"))
	}
	if r.More {
		say("there are more places; add words, or raise --limit")
	}
	if o.console.OutTerminal && o.form == report.FormText && linked != "" {
		say("to show a place: moot show %s", linked)
	}
}

// at writes a place of a session: a claim, a challenge, evidence, a fact, a question, a sentence of the answer, or what
// the format explains.
func at(s *stored, place string, width int) (string, error) {
	place = strings.TrimSpace(place)
	argument := view.NewArgument(s.state, s.rulings)
	for _, id := range []string{place, strings.ToUpper(place)} {
		if d, ok := argument.Document(id); ok {
			if d.Title == "" {
				d.Title = s.id() + ", " + view.Title(s.state.Question)
			}
			return report.Text(&d, width), nil
		}
	}
	var has []string
	ids := view.PlaceIDs(s.state, view.Places(s.state, s.rulings))
	for from := 0; from < len(ids) && len(has) < 12; {
		to := from
		for to+1 < len(ids) && follows(ids[to], ids[to+1]) {
			to++
		}
		if to > from {
			has = append(has, plain.Line(ids[from]+" to "+ids[to]))
		} else {
			has = append(has, plain.Line(plain.Clip(ids[from], 40)))
		}
		from = to + 1
	}
	if len(has) == 0 {
		return "", usage("session %s has no %q, and nothing else with an ID yet", s.id(), plain.Clip(place, 40))
	}
	return "", usage("session %s has no %q; it has %s", s.id(), plain.Clip(place, 40), strings.Join(has, ", "))
}

// placesOf returns the places of a session for completion, with the beginning of their texts. Without an ID it is the
// newest session.
func (c *Console) placesOf(args []string) []string {
	s, err := read(c, firstOf(args))
	if err != nil {
		return nil
	}
	argument := view.NewArgument(s.state, s.rulings)
	var list []string
	for _, id := range view.PlaceIDs(s.state, nil) {
		list = append(list, cobra.CompletionWithDesc(id, clip(plain.Line(argument.Text(id)))))
	}
	return list
}

// follows reports whether an ID is the next one in its list: P3 after P2.
func follows(before, id string) bool {
	i := state.Index(before, before[0])
	return i >= 0 && id[0] == before[0] && state.Index(id, id[0]) == i+1
}

// forget takes a session that was removed out of the search cache, if there is one.
func (c *Console) forget(dir, id string) error {
	if err := search.Open(dir, c.rules()...).Forget(id); err != nil {
		return fmt.Errorf("session %s is removed, but its text may still be in the search cache: %w", id, err)
	}
	return nil
}
