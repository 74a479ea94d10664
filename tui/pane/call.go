package pane

import (
	"fmt"
	"strings"
	"time"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Call is a call in progress: the seat, its stage, the start, and the text so far.
type Call struct {
	Seat        state.Seat
	Stage       state.Stage
	Participant string
	Since       time.Time
	// preview shows the reply so far, replyBytes is its length.
	preview    Preview
	replyBytes int
	// thought is the end of the model's reasoning so far, thoughtBytes its full length.
	thought      string
	thoughtBytes int
	// Note describes a retry: "429, again in 12 s (2/5)". Until is the end of its wait.
	Note  string
	Until time.Time
	// Done is set once the call has ended, failed if it ended without a reply. took is its
	// duration.
	Done, failed bool
	took         time.Duration
}

// End notes that the call has ended.
func (c *Call) End(at time.Time, err error) {
	c.Done, c.failed, c.took = true, err != nil, at.Sub(c.Since)
}

// Clock is the current time and the frame of the spinner.
type Clock struct {
	Now   time.Time
	Frame int
}

// Only the end of a streamed text is drawn. Several calls at once share the rows, but each
// gets at least fewestRows.
const (
	TailBytes   = 2048
	tailRows    = 10
	fewestRows  = 3
	ThoughtRows = 3
)

// Stream appends the next piece of the reply.
func (c *Call) Stream(text string, restart bool) {
	if restart {
		c.preview, c.replyBytes, c.thought, c.thoughtBytes = Preview{}, 0, "", 0
	}
	c.replyBytes += len(text)
	if text != "" {
		// The reply replaces the reasoning on the screen.
		c.Note, c.thought = "", ""
	}
	c.preview.Feed(text)
}

// Think appends the next piece of the reasoning.
func (c *Call) Think(text string) {
	c.Note = ""
	c.thoughtBytes += len(text)
	c.thought += text
	if len(c.thought) > 2*TailBytes {
		c.thought = strings.Clone(c.thought[len(c.thought)-TailBytes:])
	}
}

// Progress says how far the call is, in the words that all front ends use.
func (c *Call) Progress(at Clock) string {
	call := c.words()
	return call.Progress(at.Now)
}

// Line is the call with its progress, for a line about several: without the participant.
func (c *Call) Line(at Clock) string {
	call := c.words()
	call.Participant = ""
	return call.Line(at.Now)
}

func (c *Call) words() view.Call {
	return view.Call{
		Seat: c.Seat, Participant: c.Participant, Stage: c.Stage, Since: c.Since, Bytes: c.replyBytes + c.thoughtBytes,
		Note: c.Note, Until: c.Until,
	}
}

// Sign returns the spinner, or a bullet without animation.
func (c *Call) Sign(l *theme.Look, at Clock) string {
	if l.NoAnimation {
		return l.Glyphs.Bullet
	}
	return l.Glyphs.Spinner[at.Frame%len(l.Glyphs.Spinner)]
}

// Rows draws the call with at most tail rows of its text. If tail is 0, the text is hidden.
func (c *Call) Rows(l *theme.Look, width int, at Clock, tail int) []string {
	if c.Done && tail < tailRows {
		return []string{theme.Blank(width), c.endedRow(l, width)}
	}
	head := append(c.head(l), l.Accent.Span(c.Sign(l, at)))
	if c.Note != "" {
		// The reason for a wait gets separate rows so that it is not cut off.
		return append([]string{theme.Blank(width), l.Row(width, head, nil)},
			l.Paragraph(width, []theme.Span{{Text: "    "}}, l.Warn.Span(c.Progress(at)), nil, 0)...)
	}
	rows := []string{theme.Blank(width), l.Row(width, head, []theme.Span{l.Text.Span(c.Progress(at) + " ")})}
	text := strings.TrimSpace(c.preview.Text())
	switch {
	case text == "" && c.thought == "":
		return rows
	case tail == 0:
		return append(rows, l.Row(width, []theme.Span{l.Faint.Span("    hidden until you have answered")}, nil))
	case text == "":
		return append(rows, c.thinking(l, width, min(tail, ThoughtRows))...)
	}
	// The last column stays free, so that no text touches a border.
	wrapped := l.Wrap(text, max(width-5, 1))
	for _, line := range wrapped[max(0, len(wrapped)-tail):] {
		rows = append(rows, l.Row(width, []theme.Span{{Text: "    "}, l.Text.Span(line)}, nil))
	}
	return rows
}

// head names the seat, the participant, and the stage.
func (c *Call) head(l *theme.Look) []theme.Span {
	return []theme.Span{
		l.SeatStyle(c.Seat).Span(" " + string(c.Seat)),
		l.Text.Span("  " + view.Sentence(c.Participant, view.StageName(c.Stage)) + " "),
	}
}

// thinking draws the end of the model's reasoning, which is not part of its reply.
func (c *Call) thinking(l *theme.Look, width, most int) []string {
	lead := "    thinks  "
	wrapped := l.Wrap(strings.TrimSpace(c.thought), max(width-len(lead)-1, 1))
	var rows []string
	for _, line := range wrapped[max(0, len(wrapped)-most):] {
		rows = append(rows, l.Row(width, []theme.Span{l.Faint.Span(lead), l.Thought.Span(line)}, nil))
		lead = theme.Blank(len(lead))
	}
	return rows
}

// endedRow shows that the call has ended while others are still running.
func (c *Call) endedRow(l *theme.Look, width int) string {
	mark, word := l.Agreed.Span(l.Glyphs.Agreed+" "), "answered"
	if c.failed {
		mark, word = l.Warn.Span(l.Glyphs.Warn+" "), "no answer"
	}
	left := append(c.head(l), mark, mark.Style.Span(word))
	return l.Row(width, left, []theme.Span{l.Text.Span(fmt.Sprintf("%d s ", int(c.took.Seconds())))})
}
