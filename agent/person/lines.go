package person

import (
	"bufio"
	"context"
	_ "embed" // The hints are a file of their own.
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"moot/enum"
	"moot/plain"
	"moot/protocol"
	"moot/state"
)

//go:embed hints.txt
var hints string

// maxLine is the longest line, in bytes, that is read from the terminal.
const maxLine = 1 << 20

// lines asks on a terminal without screens.
type lines struct {
	in  io.Reader
	out io.Writer
	// turn lets one call ask at a time.
	turn chan struct{}

	start sync.Once
	// typed carries lines from the one goroutine that reads in; it is closed at
	// the end of the input, and failure says then why.
	typed   chan string
	failure error
}

// Lines returns an Asker for a terminal without screens, or for input that is
// piped: it writes what is asked to out, foreign text escaped, and reads lines
// from in until an empty line, a line with a single dot, or the end of the
// input. An empty line at once says that there is nothing to say.
//
// The first call starts a goroutine that reads in for as long as the program
// runs, since a read from a terminal cannot be called back. What is typed and
// not used stays for the next call.
func Lines(in io.Reader, out io.Writer) Asker {
	return &lines{in: in, out: out, turn: make(chan struct{}, 1), typed: make(chan string)}
}

// Ask implements Asker. Where the input has ended the error is a
// *protocol.Unreachable, so that the session pauses and nothing is lost.
func (l *lines) Ask(ctx context.Context, call protocol.Call) (string, error) {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	l.start.Do(func() { go l.read() })
	if _, err := io.WriteString(l.out, Asked(call)); err != nil {
		return "", fmt.Errorf("show what is asked: %w", err)
	}
	var reply []string
	for {
		select {
		case line, open := <-l.typed:
			if !open {
				return l.ended(reply)
			}
			if end := strings.TrimSpace(line); end == "" || end == "." {
				return strings.Join(reply, "\n"), nil
			}
			reply = append(reply, line)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// ended is the end of the input: the last reply, or nobody is there.
func (l *lines) ended(reply []string) (string, error) {
	if len(reply) > 0 {
		return strings.Join(reply, "\n"), nil
	}
	what := "the input ended"
	if l.failure != nil {
		what = "the input cannot be read: " + l.failure.Error()
	}
	return "", &protocol.Unreachable{Participant: Name, What: what, Fix: "resume the session at a terminal, or seat somebody else"}
}

func (l *lines) read() {
	defer close(l.typed)
	scanner := bufio.NewScanner(l.in)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		l.typed <- strings.TrimSuffix(scanner.Text(), "\r")
	}
	l.failure = scanner.Err()
}

// Asked says in lines what a call asks of the person: the question, the points
// and challenges that are due, and what can be typed. Foreign text is escaped.
func Asked(call protocol.Call) string {
	b := &strings.Builder{}
	s, due := &call.State, protocol.DueOf(&call.State, call.Ask)
	fmt.Fprintf(b, "\n── You are %s · round %d · %s ──\n", plain.Line(string(call.Ask.Seat)), s.Round, call.Ask.Stage)
	fmt.Fprintf(b, "%s\n", plain.Text(s.Question))
	if call.Ask.Retry != "" {
		fmt.Fprintf(b, "\nYour last reply was not enough:\n%s\n", indent(call.Ask.Retry))
	}
	points(b, s, &call.Ask, &due)
	challenges(b, s, "To answer", due.Answer)
	challenges(b, s, "To judge", due.Judge)
	for _, r := range due.Requests {
		fmt.Fprintf(b, "\nAsked of you, on %s: %s\n", r.Point, plain.Line(r.Text))
	}
	for i, flag := range Flags(&call) {
		if i == 0 {
			b.WriteString("\nRed flags:\n")
		}
		fmt.Fprintf(b, "  %s\n", plain.Line(flag))
	}
	b.WriteString("\nType, for example:\n")
	for _, hint := range Hints(&call) {
		fmt.Fprintf(b, "  %s\n", hint)
	}
	b.WriteString("An empty line or a single dot ends your reply; an empty line at once says nothing.\n")
	return b.String()
}

// Hints are lines that can be typed in answer to a call: by its stage, or for a
// proposal by the moves that are asked for.
func Hints(call *protocol.Call) []string {
	keys := []string{string(call.Ask.Stage)}
	if call.State.Settings.Format == state.FormatDialectic {
		keys = enum.Words(call.Ask.Moves)
	}
	var list []string
	for _, key := range keys {
		for line := range strings.Lines(hints) {
			if of, hint, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && of == key {
				list = append(list, hint)
			}
		}
	}
	return list
}

// Flags are the red flags of the session's playbook, a line each; none where no
// objection is asked for.
func Flags(call *protocol.Call) []string {
	book := call.State.Settings.Playbook
	if book == nil || !slices.Contains(call.Ask.Moves, protocol.MoveObject) {
		return nil
	}
	var list []string
	for i := range book.Flags {
		list = append(list, fmt.Sprintf("[%s] %s: %s", book.Flags[i].ID, book.Flags[i].Severity, book.Flags[i].Title))
	}
	return list
}

// points lists the points: those to judge by what is due, all that are settled
// for the arbiter, those under deliberation otherwise. Who said what the
// arbiter does not see (AR), and round 1 is blind (RD1b).
func points(b *strings.Builder, s *state.State, ask *protocol.Ask, due *protocol.Due) {
	shown := protocol.Deliberated(s)
	if ask.Stage == state.StageArbiter {
		shown = nil
		for _, p := range s.Points.All() {
			if p.MergedInto == "" {
				shown = append(shown, p)
			}
		}
	}
	judged := map[string]bool{}
	for _, id := range due.Classify {
		judged[id] = true
	}
	for i, p := range shown {
		if i == 0 {
			b.WriteString("\nPoints:\n")
		}
		if ask.Stage == state.StagePropose && ask.Retry == "" && !p.IsAuthor(state.User) && !p.IsAuthor(ask.Seat) {
			continue
		}
		mark := " "
		if judged[p.ID] {
			mark = "?"
		}
		fmt.Fprintf(b, "%s %s %s\n", mark, p.ID, strings.TrimLeft(indent(p.Text), " "))
		if r := s.Ruling(p.ID); r != nil && ask.Stage == state.StageArbiter {
			fmt.Fprintf(b, "     %s %s: %s\n", r.Bucket, r.Tag, plain.Line(r.Reason))
		}
		for _, id := range p.Evidence {
			evidence(b, s, id)
		}
	}
}

func evidence(b *strings.Builder, s *state.State, id string) {
	item := s.Item(id)
	if item == nil {
		return
	}
	verdict := "not checked yet"
	switch {
	case item.Counts():
		verdict = "verified"
	case item.Verified:
		verdict = "verified, not admitted"
	case item.Checked:
		verdict = "refused: " + item.Reason
	}
	fmt.Fprintf(b, "     %s %s %s, %s\n", id, item.Relation, plain.Line(item.Reference), plain.Line(verdict))
}

func challenges(b *strings.Builder, s *state.State, title string, ids []string) {
	for _, id := range ids {
		c := s.Challenge(id)
		if c == nil {
			continue
		}
		fmt.Fprintf(b, "\n%s: %s %s on %s: %s\n", title, id, c.Kind, c.Point, plain.Line(c.Objection))
		if c.UpgradeIf != "" {
			fmt.Fprintf(b, "     it falls if: %s\n", plain.Line(c.UpgradeIf))
		}
		if last := c.Last(); last != nil {
			fmt.Fprintf(b, "     the defense: %s\n", plain.Line(last.Text))
			if last.Judgment == state.Rejected {
				fmt.Fprintf(b, "     it was rejected: %s\n", plain.Line(last.Reason))
			}
		}
	}
}

// indent is a foreign text, escaped and set in.
func indent(text string) string {
	return "     " + strings.ReplaceAll(strings.TrimRight(plain.Text(text), "\n"), "\n", "\n     ")
}
