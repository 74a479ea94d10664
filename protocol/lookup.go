package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol/move"
	"moot/state"
	"moot/view"
)

// DefaultLookups is the default number of lookups that a seat has in one turn. MaxLookup is the
// limit on the bytes of all answers of a turn (LU1).
const (
	DefaultLookups = 8
	MaxLookup      = 64 << 10
)

// Looker answers lookups with numbered lines and the passages that they come from. The error tells
// the seat why it is shown nothing. It may be used from several goroutines. One that looks at a part of a large folder
// has a method Bound, which says at what.
type Looker interface {
	Look(ctx context.Context, lookup move.Move, limit int) (text string, shown []state.Passage, err error)
}

// NothingFound is the error of a lookup that looked everywhere it may and found nothing.
type NothingFound string

// Error implements error.
func (e NothingFound) Error() string { return string(e) }

// TurnLookups answers the lookups of one turn, within their limits. It is not safe for concurrent
// use.
type TurnLookups struct {
	// Left is the number of lookups left, Bytes the limit on the size of their answers.
	Left, Bytes int
	// Done are the events of the lookups so far.
	Done []state.Payload
	// answers are the answers so far, with what was asked.
	answers []lookupAnswer

	ask    Ask
	specs  map[move.Kind]*move.Spec
	looker Looker
	watch  func(text string)
}

type lookupAnswer struct{ asked, text string }

// NewTurnLookups begins a turn. The specs describe the moves that look something up. Watch gets a line for each
// lookup as it happens.
func NewTurnLookups(
	specs map[move.Kind]*move.Spec,
	looker Looker,
	ask Ask,
	most int,
	watch func(text string),
) *TurnLookups {
	return &TurnLookups{Left: most, Bytes: MaxLookup, ask: ask, specs: specs, looker: looker, watch: watch}
}

// Tool describes a lookup to an endpoint that takes tools.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Tools are the lookups as tools.
func (l *TurnLookups) Tools() []Tool {
	var tools []Tool
	for _, kind := range move.Lookups() {
		m := l.specs[kind]
		tools = append(tools, Tool{Name: strings.ToLower(string(kind)), Description: m.Row.Doc, Schema: m.Tool})
	}
	return tools
}

// Call answers the call of a tool.
func (l *TurnLookups) Call(ctx context.Context, name string, arguments []byte) string {
	kind := move.Kind(strings.ToUpper(name))
	if !slices.Contains(move.Lookups(), kind) {
		return l.refuse(
			plain.Short(name),
			fmt.Sprintf("there is no tool %q; the tools are list, search and read", plain.Short(name)),
		)
	}
	object := map[string]any{}
	if text := bytes.TrimSpace(arguments); len(text) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			return l.refuse(string(kind), "the arguments are not a JSON object")
		}
	}
	move, _, bad := l.specs[kind].Read(object)
	if bad != nil {
		return l.refuse(string(kind), bad.Text)
	}
	return l.Answer(ctx, move)
}

func (l *TurnLookups) refuse(what, why string) string {
	if l.Spent() {
		return l.tooLate(what, "refused: no lookups are left in this turn; give your reply now")
	}
	l.Left--
	l.Bytes -= len(why)
	l.note(&state.LookupAnswered{What: what, Refused: why})
	return l.answered(what, "refused: "+why)
}

// lastLookup ends the answer of the last lookup of a turn.
const lastLookup = "\n\nThat was the last lookup of this turn: give your reply now."

// answered keeps an answer for later prompts of the turn, and says so if it is the last.
func (l *TurnLookups) answered(asked, text string) string {
	l.answers = append(l.answers, lookupAnswer{asked, text})
	if l.Spent() {
		text += lastLookup
	}
	return text
}

// tooLate refuses a lookup after the last one. Later prompts show one such refusal.
func (l *TurnLookups) tooLate(asked, text string) string {
	if n := len(l.answers); n == 0 || l.answers[n-1].text != text {
		l.answers = append(l.answers, lookupAnswer{asked, text})
	}
	return text
}

// Spent reports that no lookups are left.
func (l *TurnLookups) Spent() bool { return l.Left <= 0 || l.Bytes <= 0 }

// Count returns the number of lookups that were answered in this turn, with those of earlier tries of it.
func (l *TurnLookups) Count() int { return len(l.answers) }

// Continue takes over what an earlier try of the same turn looked up, and its budget.
func (l *TurnLookups) Continue(earlier *TurnLookups) {
	l.Left, l.Bytes, l.answers = earlier.Left, earlier.Bytes, slices.Clone(earlier.answers)
}

// Answer answers one lookup.
func (l *TurnLookups) Answer(ctx context.Context, lookup move.Move) string {
	e := move.LookedUp(lookup)
	switch {
	case l.Left <= 0:
		return l.tooLate(view.LookupText(e), "refused: no lookups are left in this turn; give your reply now")
	case l.Bytes <= 0:
		return l.tooLate(view.LookupText(e), "refused: this turn has shown all that it may; give your reply now")
	}
	l.Left--
	if m, ok := lookup.(*move.Read); ok {
		m.Path, m.From, m.To = e.Path, e.From, e.To
	}
	text, shown, err := l.looker.Look(ctx, lookup, l.Bytes)
	if large, ok := l.looker.(interface{ Bound() string }); ok && e.Path == "" {
		e.Bound = large.Bound()
	}
	if err != nil {
		e.Refused = err.Error()
		l.note(e)
		return l.answered(view.LookupText(move.LookedUp(lookup)), "refused: "+e.Refused)
	}
	l.Bytes -= len(text)
	e.Shown, e.Bytes = shown, len(text)
	l.note(e)
	return l.answered(view.LookupText(move.LookedUp(lookup)), text)
}

// TurnRecord follows the lookups of one turn on the record.
type TurnRecord struct {
	// Left and Bytes are the same as in TurnLookups.
	Left, Bytes int
	// Answered are the lookups so far, with those of earlier tries of the turn.
	Answered []*state.LookupAnswered
}

// Answer takes one more lookup, or says why it could not be answered so.
func (r *TurnRecord) Answer(e *state.LookupAnswered, stage state.Stage) string {
	kind := move.Kind(e.What)
	var want state.LookupAnswered
	switch e.What {
	case string(move.KindList):
		want.Glob = e.Glob
	case string(move.KindSearch):
		want.Query, want.Glob = e.Query, e.Glob
	case string(move.KindRead):
		want.Path, want.From, want.To = e.Path, e.From, e.To
	default:
		if e.Refused == "" {
			return "there is no such lookup"
		}
	}
	switch {
	case e.Stage != stage:
		return "the seat was asked for something else"
	case r.Left <= 0 || r.Bytes <= 0:
		return "no lookups are left in this turn"
	case e.Query != want.Query || e.Glob != want.Glob || e.Path != want.Path || e.From != want.From || e.To != want.To:
		return "the lookup does not take these arguments"
	case e.Refused != "" && (e.Bytes != 0 || len(e.Shown) > 0):
		return "a lookup that is refused shows nothing"
	case e.Bytes < 0 || e.Bytes > MaxLookup+mostNotes:
		return "it shows more than a turn may"
	case kind == move.KindList && len(e.Shown) > 0 || kind == move.KindRead && e.Refused == "" && len(e.Shown) != 1:
		return "it shows something else than it was asked for"
	}
	for _, p := range e.Shown {
		switch {
		case p.Text != "" || p.Digest == "":
			return "a passage is recorded by its digest alone"
		case p.From < 1 || p.To < p.From:
			return "a passage has lines from 1"
		case kind == move.KindRead && (p.From < e.From || e.To > 0 && p.To > e.To):
			return "it shows other lines than it was asked for"
		case path.Clean("/"+p.Path) != "/"+p.Path || p.Path == ".git" || strings.HasPrefix(p.Path, ".git/"):
			return "a passage is in a file of the workspace"
		}
	}
	r.Left--
	r.Bytes -= e.Bytes
	r.Answered = append(slices.Clip(r.Answered), e)
	return ""
}

// mostNotes is the size of what code may add to an answer, in bytes: that there is more.
const mostNotes = 1 << 10

// Continues reports whether a recorded prompt is the one that a turn begins with, followed by what an earlier try
// looked up. The record has the answers by their size alone.
func (r *TurnRecord) Continues(s *state.State, begins, recorded string) bool {
	rest, begun := strings.CutPrefix(recorded, begins+"\n")
	if !begun {
		return false
	}
	refusals := 0
	for _, e := range r.Answered {
		asked := view.LookupText(&state.LookupAnswered{What: e.What, Query: e.Query, Glob: e.Glob, Path: e.Path})
		if e.Refused != "" && e.Query+e.Glob+e.Path == "" && strings.HasPrefix(rest, fenced(s, e.What)) {
			asked = e.What // Its arguments could not be read.
		}
		var text string
		if rest, begun = strings.CutPrefix(rest, fenced(s, asked)); !begun {
			return false
		}
		if text, rest, begun = strings.Cut(rest, "\nDATA "+s.Settings.Nonce+">>\n"); !begun {
			return false
		}
		// The end of the last line is cut off, and the nonce may have been replaced.
		lost := e.Bytes - len(text)
		if e.Refused != "" && text != "refused: "+strings.TrimRight(e.Refused, "\n") ||
			e.Refused == "" && (lost < 0 || lost > 2) && !strings.Contains(text, "[nonce]") {
			return false
		}
		refusals += len(e.Refused)
	}
	spent := (&TurnLookups{}).Answered(s, Prompt{}, 0).Text
	if r.Left <= 0 || r.Bytes <= refusals {
		// Lookups after the last one are refused, and are not on the record; refusals may use up the last bytes.
		return strings.HasSuffix("\n"+rest, spent) || "\n"+rest == r.left(s)
	}
	return "\n"+rest == r.left(s)
}

// fenced is how a section of a prompt begins.
func fenced(s *state.State, label string) string {
	b := &PromptBuilder{State: s}
	b.Fence(label, "")
	opening, _, _ := strings.Cut(b.String(), "\n")
	return opening + "\n"
}

// left says how many lookups are left.
func (r *TurnRecord) left(s *state.State) string {
	return (&TurnLookups{Left: r.Left, Bytes: r.Bytes}).Answered(s, Prompt{}, 0).Text
}

func (l *TurnLookups) note(e *state.LookupAnswered) {
	e.Seat, e.Stage = l.ask.Seat, l.ask.Stage
	e.Shown = append([]state.Passage{}, e.Shown...)
	l.Done = append(l.Done, e)
	l.watch(view.LookupText(e))
}

// Answered adds the answers of the lookups to the prompt that the turn began with, from the given one on.
func (l *TurnLookups) Answered(s *state.State, prompt Prompt, from int) Prompt {
	b := &PromptBuilder{State: s}
	Write(&b.Builder, prompt.Text, "\n")
	for _, a := range l.answers[from:] {
		b.Fence(a.asked, a.text)
	}
	if l.Spent() {
		b.Line("No lookups are left in this turn: give your reply.")
	} else {
		b.Line("Lookups left in this turn: %d. Look again, or give your reply.", l.Left)
	}
	prompt.Text = b.Take()
	return prompt
}
