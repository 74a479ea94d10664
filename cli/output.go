package cli

import (
	"context"
	"fmt"
	"os"
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
	"moot/resolver"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// outputs returns the forms of a session's result.
func outputs() []report.Form {
	return []report.Form{report.FormText, report.FormMarkdown, report.FormJSON}
}

// metricsFlag adds --metrics.
func metricsFlag(f *pflag.FlagSet, into *bool) {
	f.BoolVar(into, "metrics", false, "end the result with the metrics of the debate; JSON always has them")
}

// outputFlag adds --output with the forms that the command knows. The first is the default.
func outputFlag(cmd *cobra.Command, into *report.Form, forms ...report.Form) {
	*into = forms[0]
	help := fmt.Sprintf("the `form` of the result: %s (default %s)", strings.Join(enum.Words(forms), ", "), forms[0])
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.FuncP("output", "o", help, func(text string) (err error) {
			*into, err = enum.Parse("form of output", text, forms)
			return err
		})
	})
	completeWords(cmd, "output", enum.Words(forms)...)
}

// columns aligns the cells of rows.
func columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			lines[i] += cell + strings.Repeat(" ", widths[j]-ansi.StringWidth(cell)+2)
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// progress prints one labeled line per event of note. Text from participants is escaped.
type progress struct {
	line       func(format string, args ...any)
	transcript *view.Transcript
}

func (c *Console) progress(s *state.State) *progress {
	return &progress{line: c.Say, transcript: view.NewTranscript(s)}
}

func (p *progress) say(label, format string, args ...any) {
	p.line("%-10s %s", label, plain.Line(fmt.Sprintf(format, args...)))
}

func (p *progress) advanced(n protocol.Advanced) {
	lines, err := p.transcript.Add(n.Events)
	for i := range lines {
		if !lines[i].Minor {
			p.show(&lines[i])
		}
		if q := n.State.QuestionByID(lines[i].Key); q != nil && lines[i].Label == "question" {
			p.choices(q, n.State)
		}
	}
	if err != nil {
		p.say("warning", "%s", err)
	}
}

func (p *progress) show(l *view.Line) {
	short := *l
	if l.Label != "question" && l.Label != "pause" && l.Label != "exit" {
		short.Text = clip(l.Text)
	}
	p.say(l.Label, "%s", short.String())
}

// question shows a question that a session was waiting for.
func (p *progress) question(q *state.Question, s *state.State) {
	p.say("question", "%s (%s): %s", q.ID, q.Kind, q.Text)
	p.choices(q, s)
}

// choices shows what a question is about, and its choices numbered, with their effects.
func (p *progress) choices(q *state.Question, s *state.State) {
	var asking protocol.QuestionInfo
	if !q.Answered {
		asking = protocol.QuestionInfoOf(s, q)
	}
	for _, a := range asking.About {
		for _, line := range a.Printed() {
			p.say("", "  %s", line)
		}
	}
	for i, option := range q.Options {
		if i < len(asking.Does) {
			option += ": " + asking.Does[i]
		}
		p.say("", "  %d) %s", i+1, option)
	}
}

// transcript writes the events of a record, each line with the number of its event.
func transcript(events []state.Event) (string, error) {
	lines, err := view.NewTranscript(&state.State{}).Add(events)
	if err != nil {
		return "", fmt.Errorf("replay: %w; the file is unchanged", err)
	}
	var out strings.Builder
	p := &progress{}
	for i := range lines {
		l := &lines[i]
		p.line = func(format string, args ...any) {
			fmt.Fprintf(&out, "%5d  %s\n", l.Seq, plain.Text(fmt.Sprintf(format, args...)))
		}
		switch l.Label {
		case "session", "question", "forked", "seat", "prompt", "resumed", "closed":
			p.show(l)
		default:
			if !l.Minor {
				p.show(l)
			}
		}
	}
	return out.String(), nil
}

// maxShown is how much of a text one line shows, in characters.
const maxShown = 160

// clip returns a text on one line, cut if it is long.
func clip(text string) string { return plain.Clip(text, maxShown) }

// stored is a session on disk, read without its lock.
type stored struct {
	path    string
	head    string
	state   *state.State
	rulings []state.Ruling
	events  []state.Event
}

// id is the name of the file, without its extension.
func (s *stored) id() string { return sessionID(s.path) }

func sessionID(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// find returns the path of a session by its ID or the start of it, or by its file, such as one in the folder of a batch.
// An empty ID is the newest session.
func find(c *Console, id string) (string, error) {
	if strings.HasSuffix(id, ".jsonl") {
		path := c.path(id)
		if _, err := os.Stat(path); err != nil {
			return "", usage("there is no file %s", id)
		}
		return path, nil
	}
	dir, err := c.sessions()
	if err != nil {
		return "", err
	}
	if id != "" {
		return store.Find(dir, id)
	}
	sessions, err := store.NewLister(dir, c.rules()...).List(context.Background(), nil)
	if err != nil {
		return "", err
	}
	if len(sessions) == 0 {
		return "", usage("there are no sessions yet; type: moot ask \"Is the cache safe under load?\"")
	}
	return sessions[0].Path, nil
}

// read reads a session by its ID.
func read(c *Console, id string) (*stored, error) {
	path, err := find(c, id)
	if err != nil {
		return nil, err
	}
	opened, err := store.Read(path, c.rules()...)
	if err != nil {
		return nil, err
	}
	return fold(path, opened)
}

func fold(path string, opened store.Opened) (*stored, error) {
	s, err := state.Replay(opened.Events)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; the file was left unchanged", path, err)
	}
	return &stored{path: path, head: opened.Head, state: s, rulings: resolver.Rule(s), events: opened.Events}, nil
}

// listSessions returns all sessions, the newest first. It keeps what makes the next listing faster.
func listSessions(c *Console) ([]store.Summary, error) {
	dir, err := c.sessions()
	if err != nil {
		return nil, err
	}
	lister := store.NewLister(dir, c.rules()...)
	summaries, err := lister.List(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	if err := lister.Save(); err != nil {
		c.Say("note       %s", err)
	}
	return summaries, nil
}

// liveSessions is listSessions with what running sessions wait for.
func liveSessions(c *Console) ([]store.Summary, error) {
	summaries, err := listSessions(c)
	c.askRunning(context.Background(), summaries)
	return summaries, err
}

// askRunning asks the processes of running sessions what they wait for: only they know. One that does not answer soon is
// left out.
func (c *Console) askRunning(ctx context.Context, summaries []store.Summary) {
	if !slices.ContainsFunc(summaries, func(s store.Summary) bool { return s.Status() == store.StatusRunning }) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	running, err := c.running(ctx)
	if err != nil {
		return // they are listed without it
	}
	for _, r := range running {
		if i := slices.IndexFunc(summaries, func(s store.Summary) bool { return s.ID == r.ID }); i >= 0 {
			summaries[i].Needs = r.Needs
		}
	}
}

// answerTime is how long the processes of running sessions may take to say what they wait for.
const answerTime = time.Second
