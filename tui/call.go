package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"moot/state"
	"moot/tui/theme"
)

// call is a reply under way: who was asked for what, since when, and what has
// arrived.
type call struct {
	seat        state.Seat
	stage       state.Stage
	participant string
	since       time.Time
	// tail is the end of what arrived, arrived its whole length in bytes.
	tail    string
	arrived int
	// thought is the end of what the model thinks before it speaks, pondered the
	// whole length in bytes.
	thought  string
	pondered int
	// note is what happens on the wire: "429, again in 12 s (2/5)"; until is when
	// the wait that it tells of is over.
	note  string
	until time.Time
	// done says that the call has ended: the reply is there and is being read, or
	// none came, which failed says. took is how long it was under way.
	done, failed bool
	took         time.Duration
}

// end notes that the call has ended.
func (c *call) end(at time.Time, err error) {
	c.done, c.failed, c.took = true, err != nil, at.Sub(c.since)
}

// clockReading is the time to draw at, and the frame of the spinner.
type clockReading struct {
	now   time.Time
	frame int
}

// The streamed text is drawn from its end: more of it nobody reads. Where several
// seats speak at once each gets its share of the rows, but a few.
const (
	tailBytes   = 2048
	tailRows    = 10
	fewestRows  = 3
	thoughtRows = 3
)

// stream takes the next piece of the reply.
func (c *call) stream(text string, restart bool) {
	if restart {
		c.tail, c.arrived, c.thought, c.pondered = "", 0, "", 0
	}
	c.arrived += len(text)
	if text != "" {
		// What is said takes the place of what was thought.
		c.note, c.thought = "", ""
	}
	c.tail += text
	if len(c.tail) > 2*tailBytes {
		c.tail = c.tail[len(c.tail)-tailBytes:]
		// A structured reply is cut between two moves, not inside a string.
		if i := strings.Index(c.tail, `{"`); i > 0 {
			c.tail = c.tail[i:]
		}
		c.tail = strings.Clone(c.tail)
	}
}

// think takes the next piece of a thought.
func (c *call) think(text string) {
	c.note = ""
	c.pondered += len(text)
	c.thought += text
	if len(c.thought) > 2*tailBytes {
		c.thought = strings.Clone(c.thought[len(c.thought)-tailBytes:])
	}
}

// progress is what can be said of the call in a line: "12 s  45 tok/s".
func (c *call) progress(at clockReading) string {
	var parts []string
	if c.note != "" {
		parts = append(parts, c.note)
		if left := c.until.Sub(at.now); left > 0 {
			return c.note + fmt.Sprintf("  %.0f s left", math.Ceil(left.Seconds()))
		}
	}
	seconds := at.now.Sub(c.since).Seconds()
	if seconds >= 1 {
		parts = append(parts, fmt.Sprintf("%d s", int(seconds)))
		if came := c.arrived + c.pondered; came > 0 {
			parts = append(parts, fmt.Sprintf("%d tok/s", int(float64(came)/4/seconds)))
		}
	}
	return strings.Join(parts, "  ")
}

// sign is the moving sign of work, or a still one.
func (c *call) sign(l *theme.Look, at clockReading) string {
	if l.NoAnimation {
		return l.Glyphs.Bullet
	}
	return l.Glyphs.Spinner[at.frame%len(l.Glyphs.Spinner)]
}

// rows draw the call, with as many rows of its text as there may be; 0 hides it.
func (c *call) rows(l *theme.Look, width int, at clockReading, tail int) []string {
	if c.done && tail < tailRows {
		return []string{theme.Blank(width), c.endedRow(l, width)}
	}
	head := []theme.Span{l.SeatStyle(c.seat).Span(" " + string(c.seat)), l.Faint.Span("  " + sentence(c.participant, stageName(c.stage)) + " "), l.Accent.Span(c.sign(l, at))}
	if c.note != "" {
		// What is waited for has lines of its own: it must not be cut.
		return append([]string{theme.Blank(width), l.Row(width, head, nil)},
			l.Paragraph(width, []theme.Span{{Text: "    "}}, l.Warn.Span(c.progress(at)), nil, 0)...)
	}
	rows := []string{theme.Blank(width), l.Row(width, head, []theme.Span{l.Faint.Span(c.progress(at) + " ")})}
	text := strings.TrimSpace(readable(c.tail))
	switch {
	case text == "" && c.thought == "":
		return rows
	case tail == 0:
		return append(rows, l.Row(width, []theme.Span{l.Faint.Span("    hidden until you have answered")}, nil))
	case text == "":
		return append(rows, c.thinking(l, width, min(tail, thoughtRows))...)
	}
	// The last column stays free, so that no text touches a border.
	wrapped := l.Wrap(text, max(width-5, 1))
	for _, line := range wrapped[max(0, len(wrapped)-tail):] {
		rows = append(rows, l.Row(width, []theme.Span{{Text: "    "}, l.Text.Span(line)}, nil))
	}
	return rows
}

// thinking is the end of what the model thinks: no part of its reply, and drawn so.
func (c *call) thinking(l *theme.Look, width, most int) []string {
	const lead = "    thinks  "
	wrapped := l.Wrap(strings.TrimSpace(c.thought), max(width-len(lead)-1, 1))
	var rows []string
	for i, line := range wrapped[max(0, len(wrapped)-most):] {
		rows = append(rows, l.Row(width, []theme.Span{l.Faint.Span(when(i == 0, lead, strings.Repeat(" ", len(lead)))), l.Thought.Span(line)}, nil))
	}
	return rows
}

// endedRow says that a call has ended while others go on.
func (c *call) endedRow(l *theme.Look, width int) string {
	mark, word := l.Agreed.Span(l.Glyphs.Agreed+" "), "answered"
	if c.failed {
		mark, word = l.Warn.Span(l.Glyphs.Warn+" "), "no answer"
	}
	left := []theme.Span{l.SeatStyle(c.seat).Span(" " + string(c.seat)), l.Faint.Span("  " + sentence(c.participant, stageName(c.stage)) + " "), mark, mark.Style.Span(word)}
	return l.Row(width, left, []theme.Span{l.Faint.Span(fmt.Sprintf("%d s ", int(c.took.Seconds())))})
}

// lastLine is the end of the streamed text in one line.
func (c *call) lastLine() string {
	return strings.Join(strings.Fields(readable(c.tail)), " ")
}

// readable turns a structured reply, which may be cut at both ends, into the
// words in it: the values of its strings, one a line. Other text stays.
func readable(text string) string {
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

// stageName is what a seat does in a stage, in a word.
func stageName(stage state.Stage) string {
	if stage == state.StageTriage {
		return "compare"
	}
	return string(stage)
}
