package batch

import (
	"fmt"
	"image/color"
	"time"
	"unicode/utf8"

	bar "charm.land/bubbles/v2/progress"

	"moot/internal/plain"
	"moot/queue"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// The most rows of the head, in parts: the bar, the counts, how long it takes, and what it used.
const maxCounts, maxForecast, maxUsed = 3, 2, 2

// MaxHead is the most rows that a head needs.
const MaxHead = 1 + maxCounts + maxForecast + maxUsed

// Head draws what is known of the whole batch, in at most the given number of rows. What does not fit is left out from
// the end, but not the bar.
func (p *Pane) Head(width, most int) []string {
	if p.data == nil || width <= 0 {
		return nil
	}
	l := p.Look
	var rows []string
	if len(p.data.Rows) > 0 {
		rows = append(rows, p.bar(width))
	}
	rows = append(rows, p.counts(width, min(maxCounts, max(most-2, 1)))...)
	lead := []theme.Span{{Text: " "}}
	style, text, short := p.forecast()
	room := min(maxForecast, max(most-len(rows)-1, 1))
	if short != "" && len(l.Wrap(text, width-2)) > room {
		text = short
	}
	rows = append(rows, l.Paragraph(width, lead, style.Span(text), nil, room)...)
	rows = append(rows, l.Paragraph(width, lead, l.Text.Span(p.used()), nil, min(maxUsed, max(most-len(rows), 1)))...)
	return rows[:min(len(rows), max(most, 1))]
}

// bar draws how many items have ended, in the colors of their outcomes.
func (p *Pane) bar(width int) string {
	l, total := p.Look, len(p.data.Rows)
	ended := total - p.data.unended
	share := 0.0
	if total > 0 {
		share = float64(ended) / float64(total)
	}
	text := fmt.Sprintf("  %d of %d ended  %s ", ended, total, view.Percent(share))
	if ended < total && share > 0.995 {
		text = fmt.Sprintf("  %d of %d ended ", ended, total) // 100 % would not be true.
	}
	room := width - l.Width(text) - 1
	if room < 4 {
		return l.Row(width, []theme.Span{l.Text.Span(text)}, nil)
	}
	b := bar.New(bar.WithWidth(room), bar.WithoutPercentage(), bar.WithColorFunc(p.segments()))
	b.Full, _ = utf8.DecodeRuneInString(l.Glyphs.Heavy)
	b.Empty, _ = utf8.DecodeRuneInString(l.Glyphs.Light)
	b.EmptyColor = l.Ink("border")
	return " " + b.ViewAs(share) + l.Row(width-room-1, []theme.Span{l.Text.Span(text)}, nil)
}

// segments returns the colors of the bar: a part for each outcome, as long as its share.
func (p *Pane) segments() bar.ColorFunc {
	l := p.Look
	inks := map[queue.Outcome]color.Color{
		queue.Concluded: l.Ink("agreed"), queue.Inconclusive: l.Ink("unresolved"), queue.NeedsYou: l.Ink("user"),
		queue.Failure: l.Ink("dismissed"), queue.Stopped: l.Ink("not-evaluated"),
	}
	counts := map[queue.Outcome]int{}
	for i := range p.data.Rows {
		counts[p.data.Rows[i].Result.Outcome]++
	}
	return func(_, at float64) color.Color {
		before := 0
		for _, o := range queue.Outcomes() {
			if before += counts[o]; at*float64(len(p.data.Rows)) < float64(before) {
				return inks[o]
			}
		}
		return inks[queue.Stopped]
	}
}

// counts draws how many items are in each state, each with its sign, in at most most rows.
func (p *Pane) counts(width, most int) []string {
	l := p.Look
	var rows []string
	var spans []theme.Span
	used := 1
	flush := func() {
		rows = append(rows, l.Row(width, append([]theme.Span{{Text: " "}}, spans...), nil))
		spans, used = nil, 1
	}
	for _, s := range queue.States() {
		n := p.data.Counts[s]
		if n == 0 {
			continue
		}
		sign, style := Look(l, s)
		text := fmt.Sprintf("%s %d %s", sign, n, s)
		if len(spans) > 0 && used+3+l.Width(text) > width && len(rows) < most-1 {
			flush()
		}
		last := len(rows) == most-1
		if last && len(spans) > 0 && used+3+l.Width(text)+3 > width {
			// A number that is cut would be another number.
			spans = append(spans, l.Faint.Span("  "+l.Glyphs.Ellipsis))
			break
		}
		if len(spans) > 0 {
			spans, used = append(spans, theme.Span{Text: "   "}), used+3
		}
		spans, used = append(spans, style.Span(text)), used+l.Width(text)
	}
	if len(spans) > 0 {
		flush()
	}
	return rows
}

// forecast says how long the rest takes, if that can be told, and the same for a narrow screen, or "".
func (p *Pane) forecast() (style theme.Style, text, short string) {
	l, d := p.Look, p.data
	switch live := d.Live; {
	case !d.Held && len(d.Rows) == 0:
		return l.Faint, "there is nothing to run", ""
	case p.Ended():
		return l.Agreed, "everything is done: every item has ended", "everything is done"
	case !d.Held:
		if d.unended > 0 {
			text = plain.Counted(d.unended, "item") + " did not end yet"
		}
		if n := d.Counts[queue.State(queue.Stopped)]; n > 0 {
			text = view.Join(", ", text, fmt.Sprintf("%d stopped", n))
		}
		return l.Warn, "no process runs it: " + text, "no process runs it"
	case live == nil:
		return l.Faint, "a process has just begun to run it", ""
	case live.Stopping != "":
		text = "no session starts anymore: " + plain.Line(live.Stopping)
		if n := len(live.Sessions); n > 0 {
			text += "; " + plain.Counted(n, "session") + " not paused yet"
		}
		return l.Warn, text, "none starts anymore: a cap is reached"
	case live.Left == 0:
		return l.Text, "nothing is left to run", ""
	case live.Ended < queue.EnoughEnded || d.Rate <= 0:
		return l.Faint, fmt.Sprintf("too early to tell how long the %s take that are left", plain.Counted(live.Left, "item")),
			"too early to tell how long it takes"
	default:
		text = fmt.Sprintf("%s in this run so far, of %s; at that rate the %d that are left take %s",
			rate(d.Rate), Span(live.At.Sub(live.Began)), live.Left, roughly(d.Left))
		return l.Text, text, "at the rate so far, " + roughly(d.Left) + " left"
	}
}

// rate is a number of items in a minute, in the unit that fits.
func rate(perMinute float64) string {
	switch {
	case perMinute >= 120:
		return fmt.Sprintf("%.1f items a second", perMinute/60)
	case perMinute >= 1:
		return fmt.Sprintf("%.1f items a minute", perMinute)
	}
	return fmt.Sprintf("%.1f items an hour", perMinute*60)
}

// roughly is a rough time in one unit.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("about %d s", max(1, int(d.Seconds()+0.5)))
	case d < time.Hour:
		return fmt.Sprintf("about %d min", int(d.Minutes()+0.5))
	case d < 48*time.Hour:
		return fmt.Sprintf("about %.1f h", d.Hours())
	}
	return fmt.Sprintf("about %.0f days", d.Hours()/24)
}

// used says what all sessions used so far, and how much of the caps that is.
func (p *Pane) used() string {
	d := p.data
	text := fmt.Sprintf("%s, %s tokens, %s", plain.Counted(d.Usage.Calls, "call"), pane.FormatCount(d.Usage.Tokens()),
		view.Price(d.Usage.Cost, d.Usage.Unpriced))
	live := d.Live
	if live == nil || live.MaxTokens == 0 && live.MaxCost == 0 {
		return text
	}
	caps := ""
	if live.MaxTokens > 0 {
		used := live.Usage.Tokens()
		caps = fmt.Sprintf("%s of %s tokens", pane.FormatCount(used), pane.FormatCount(live.MaxTokens))
	}
	if live.MaxCost > 0 {
		caps = view.Join(" and ", caps, fmt.Sprintf("%s of %s", dollars(live.Usage.Cost), dollars(live.MaxCost)))
		if live.Usage.Unpriced > 0 {
			caps += ", without the calls of unknown price"
		}
	}
	return text + "; of the caps: " + caps
}

// dollars is an amount, with more digits if it is small.
func dollars(amount float64) string {
	if amount > 0 && amount < 0.01 {
		return fmt.Sprintf("$%.4f", amount)
	}
	return fmt.Sprintf("$%.2f", amount)
}

// Details are everything that is known of an item.
func Details(l *theme.Look, row *queue.Row) []pane.Block {
	sign, style := Look(l, row.State)
	var blocks []pane.Block
	add := func(label string, body theme.Span) {
		if body.Text != "" {
			blocks = append(blocks, pane.Block{Hang: labelColumn, Lead: l.Faint.Span(l.Padded(label, labelColumn)), Body: body})
		}
	}
	for i, id := range row.Item.IDs {
		label := ""
		if i == 0 {
			label = "id"
		}
		add(label, l.Bold.Span(plain.Line(id)))
	}
	if row.Item.Parts.Number > 1 {
		add("repeat", l.Text.Span(fmt.Sprintf("number %d", row.Item.Parts.Number)))
	}
	add("question", l.Text.Span(row.Item.Title))
	add("seats", l.Text.Span(row.Item.Parts.Seats))
	add("state", style.Span(sign+" "+string(row.State)))
	if row.Live != nil {
		add("now", l.Text.Span(progress(row.Live)))
		add("on", l.Text.Span(row.Live.Worker))
	}
	r := &row.Result
	add("decision", l.Text.Span(r.Decision))
	add("answer", l.Text.Span(r.Answer))
	add("reason", l.Text.Span(r.Reason))
	if r.Usage.Calls > 0 {
		add("used", l.Text.Span(view.UsageRow(r.Usage)))
	}
	if r.Outcome != "" && r.Seconds > 0 {
		add("ran for", l.Text.Span(Span(time.Duration(r.Seconds*float64(time.Second)))))
	}
	add("ended", l.Text.Span(view.Moment(r.Ended.Truncate(time.Second))))
	add("session", l.Text.Span(row.Session))
	for i, earlier := range row.Earlier {
		label := ""
		if i == 0 {
			label = "earlier"
		}
		add(label, l.Faint.Span(earlier))
	}
	if row.Session == "" && r.Outcome != "" {
		add("session", l.Faint.Span("none was opened"))
	}
	return blocks
}

// labelColumn is the width of the labels of details.
const labelColumn = 10
