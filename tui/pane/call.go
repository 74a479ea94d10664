package pane

import (
	"fmt"
	"math"
	"strings"
	"time"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Call is a reply under way: who was asked for what, since when, and what has
// arrived.
type Call struct {
	Seat        state.Seat
	Stage       state.Stage
	Participant string
	Since       time.Time
	// tail is the end of what arrived, arrived its whole length in bytes.
	tail    string
	arrived int
	// thought is the end of what the model thinks before it speaks, pondered the
	// whole length in bytes.
	thought  string
	pondered int
	// Note is what happens on the wire: "429, again in 12 s (2/5)"; until is when
	// the wait that it tells of is over.
	Note  string
	Until time.Time
	// Done says that the call has ended: the reply is there and is being read, or
	// none came, which failed says. took is how long it was under way.
	Done, failed bool
	took         time.Duration
}

// End notes that the call has ended.
func (c *Call) End(at time.Time, err error) {
	c.Done, c.failed, c.took = true, err != nil, at.Sub(c.Since)
}

// Clock is the time to draw at, and the frame of the spinner.
type Clock struct {
	Now   time.Time
	Frame int
}

// The streamed text is drawn from its end: more of it nobody reads. Where several
// seats speak at once each gets its share of the rows, but a few.
const (
	TailBytes   = 2048
	tailRows    = 10
	fewestRows  = 3
	ThoughtRows = 3
)

// Stream takes the next piece of the reply.
func (c *Call) Stream(text string, restart bool) {
	if restart {
		c.tail, c.arrived, c.thought, c.pondered = "", 0, "", 0
	}
	c.arrived += len(text)
	if text != "" {
		// What is said takes the place of what was thought.
		c.Note, c.thought = "", ""
	}
	c.tail += text
	if len(c.tail) > 2*TailBytes {
		c.tail = c.tail[len(c.tail)-TailBytes:]
		// A structured reply is cut between two moves, not inside a string.
		if i := strings.Index(c.tail, `{"`); i > 0 {
			c.tail = c.tail[i:]
		}
		c.tail = strings.Clone(c.tail)
	}
}

// Think takes the next piece of a thought.
func (c *Call) Think(text string) {
	c.Note = ""
	c.pondered += len(text)
	c.thought += text
	if len(c.thought) > 2*TailBytes {
		c.thought = strings.Clone(c.thought[len(c.thought)-TailBytes:])
	}
}

// Progress is what can be said of the call in a line: "12 s  45 tok/s".
func (c *Call) Progress(at Clock) string {
	var parts []string
	if c.Note != "" {
		parts = append(parts, c.Note)
		if left := c.Until.Sub(at.Now); left > 0 {
			return c.Note + fmt.Sprintf("  %.0f s left", math.Ceil(left.Seconds()))
		}
	}
	seconds := at.Now.Sub(c.Since).Seconds()
	if seconds >= 1 {
		parts = append(parts, fmt.Sprintf("%d s", int(seconds)))
		if came := c.arrived + c.pondered; came > 0 {
			parts = append(parts, fmt.Sprintf("%d tok/s", int(float64(came)/4/seconds)))
		}
	}
	return strings.Join(parts, "  ")
}

// Sign is the moving sign of work, or a still one.
func (c *Call) Sign(l *theme.Look, at Clock) string {
	if l.NoAnimation {
		return l.Glyphs.Bullet
	}
	return l.Glyphs.Spinner[at.Frame%len(l.Glyphs.Spinner)]
}

// Rows draw the call, with as many rows of its text as there may be; 0 hides it.
func (c *Call) Rows(l *theme.Look, width int, at Clock, tail int) []string {
	if c.Done && tail < tailRows {
		return []string{theme.Blank(width), c.endedRow(l, width)}
	}
	head := []theme.Span{l.SeatStyle(c.Seat).Span(" " + string(c.Seat)), l.Faint.Span("  " + view.Sentence(c.Participant, StageName(c.Stage)) + " "), l.Accent.Span(c.Sign(l, at))}
	if c.Note != "" {
		// What is waited for has lines of its own: it must not be cut.
		return append([]string{theme.Blank(width), l.Row(width, head, nil)},
			l.Paragraph(width, []theme.Span{{Text: "    "}}, l.Warn.Span(c.Progress(at)), nil, 0)...)
	}
	rows := []string{theme.Blank(width), l.Row(width, head, []theme.Span{l.Faint.Span(c.Progress(at) + " ")})}
	text := strings.TrimSpace(Readable(c.tail))
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

// thinking is the end of what the model thinks: no part of its reply, and drawn so.
func (c *Call) thinking(l *theme.Look, width, most int) []string {
	const lead = "    thinks  "
	wrapped := l.Wrap(strings.TrimSpace(c.thought), max(width-len(lead)-1, 1))
	var rows []string
	for i, line := range wrapped[max(0, len(wrapped)-most):] {
		rows = append(rows, l.Row(width, []theme.Span{l.Faint.Span(when(i == 0, lead, strings.Repeat(" ", len(lead)))), l.Thought.Span(line)}, nil))
	}
	return rows
}

// endedRow says that a call has ended while others go on.
func (c *Call) endedRow(l *theme.Look, width int) string {
	mark, word := l.Agreed.Span(l.Glyphs.Agreed+" "), "answered"
	if c.failed {
		mark, word = l.Warn.Span(l.Glyphs.Warn+" "), "no answer"
	}
	left := []theme.Span{l.SeatStyle(c.Seat).Span(" " + string(c.Seat)), l.Faint.Span("  " + view.Sentence(c.Participant, StageName(c.Stage)) + " "), mark, mark.Style.Span(word)}
	return l.Row(width, left, []theme.Span{l.Faint.Span(fmt.Sprintf("%d s ", int(c.took.Seconds())))})
}

// LastLine is the end of the streamed text in one line.
func (c *Call) LastLine() string {
	return strings.Join(strings.Fields(Readable(c.tail)), " ")
}

// Readable turns a structured reply, which may be cut at both ends, into the
// words in it: the values of its strings, one a line. Other text stays.
func Readable(text string) string {
	if !strings.Contains(text, `":`) && !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text
	}
	var b strings.Builder
	for rest := text; ; {
		_, after, found := strings.Cut(rest, `"`)
		if !found {
			break
		}
		value, next := jsonString(after)
		rest = next
		if strings.HasPrefix(strings.TrimLeft(next, " \t\r\n"), ":") {
			continue
		}
		b.WriteString(value)
		// Ids and words of closed lists stand on the line of what they lead.
		b.WriteByte(when[byte](strings.Contains(value, " "), '\n', ' '))
	}
	return b.String()
}

// jsonString reads the rest of a JSON string, as far as it has arrived.
func jsonString(s string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(unescaped(s[i]))
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), ""
}

// unescaped is what stands for an escaped byte; \u is left to the finished
// reply.
func unescaped(c byte) byte {
	if c == 'n' || c == 't' || c == 'r' {
		return ' '
	}
	return c
}

// StageName is what a seat does in a stage, in a word.
func StageName(stage state.Stage) string {
	if stage == state.StageTriage {
		return "compare"
	}
	return string(stage)
}
