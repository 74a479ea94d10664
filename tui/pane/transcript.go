package pane

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"moot/state"
	"moot/view"
)

// Transcript turns the lines of a session into entries. A line with the key of an earlier
// one replaces it in place.
type Transcript struct {
	Entries []*entry
	lines   *view.Transcript
	byKey   map[string]*entry
	// call holds the cost and the notes of a call until its reply comes.
	call []view.Line
}

// NewTranscript returns an empty transcript.
func NewTranscript() *Transcript {
	return &Transcript{lines: view.NewTranscript(state.State{}), byKey: map[string]*entry{}}
}

// Add appends what the events say.
func (t *Transcript) Add(events []state.Event) {
	lines, err := t.lines.Add(events)
	for i := range lines {
		t.add(&lines[i])
	}
	if err != nil {
		t.put(&view.Line{Label: "warning", Text: err.Error(), Role: view.RoleWarn})
	}
}

func (t *Transcript) add(l *view.Line) {
	if l.Routine || l.Label == "ruled" {
		// The rulings follow one by one.
		return
	}
	switch l.Label {
	case "used", "note":
		t.call = append(t.call, *l)
		return
	case "reply":
		head := t.put(l)
		head.seat = l.Seat
		for i := range t.call {
			if call := &t.call[i]; call.Label == "used" {
				head.Right = call.Text
			} else {
				t.put(call)
			}
		}
		t.call = nil
		return
	}
	for i := range t.call {
		t.put(&t.call[i])
	}
	t.call = nil
	t.put(l)
}

// put shows a line, in place of an earlier one with its key.
func (t *Transcript) put(l *view.Line) *entry {
	w := wordsOf(l)
	if e := t.byKey[l.Key]; e != nil && l.Key != "" {
		e.Lead, e.Right = w.lead, l.Detail
		e.set(w.tone, w.text, l.Detail)
		return e
	}
	e := &entry{seq: l.Seq, tone: w.tone, Lead: w.lead, Text: w.text, Right: l.Detail}
	if w.tone == toneUser && e.Right == "" {
		e.Right = "user"
	}
	if l.Key != "" {
		t.byKey[l.Key] = e
	}
	t.Entries = append(t.Entries, e)
	return e
}

// upTo counts the entries of the events up to one.
func (t *Transcript) upTo(seq int) int {
	return sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].seq > seq })
}

// Words are an event in one line.
type Words struct {
	tone       tone
	lead, text string
}

func wordsOf(l *view.Line) Words { return Words{tone(l.Role), l.Lead, l.Action()} }

// Plain returns the words without signs and colors.
func (w *Words) Plain() string { return strings.TrimSpace(w.lead + "  " + w.text) }

// mostLines is how many lines of an event are shown as one.
const mostLines = 12

// EventWords puts an event of a session into words, on one line.
func EventWords(s *state.State, e *state.Event) Words {
	lines := view.Event(s, s, e)
	w := wordsOf(&lines[0])
	for i := 1; i < min(len(lines), mostLines); i++ {
		w.text += "; " + lines[i].String()
	}
	if w.tone == toneRound || w.tone == toneHead {
		w.tone = tonePlain
	}
	return w
}

// FormatCount writes tokens shortly: 340, 1.2k, 3.4M.
func FormatCount(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return strconv.Itoa(n)
}

// FormatMoney writes US dollars with as many digits as say something.
func FormatMoney(dollars float64) string {
	if dollars > 0 && dollars < 0.01 {
		return fmt.Sprintf("$%.4f", dollars)
	}
	return fmt.Sprintf("$%.2f", dollars)
}

// about marks a figure that is an estimate.
func about(estimated bool) string {
	if estimated {
		return "~"
	}
	return ""
}

// Citing is a text with the facts that it rests on, as moves are written.
func Citing(text string, facts []string) string {
	if len(facts) == 0 {
		return text
	}
	return text + " [" + strings.Join(facts, ", ") + "]"
}
