package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"moot/plain"
)

// Event is what one rule read out of one line. What it did not read is zero.
type Event struct {
	Conversation, Model string
	Text, Thought       string
	// Message and Final are nil where the rule reads none: an empty one is
	// something else.
	Message, Final *string
	Note           string
	Wait           time.Duration
	// Tokens and Cost are nil where none is told.
	Tokens *Tokens
	Cost   *float64
	// Failure is what went wrong, Status the HTTP status of it or 0.
	Failure string
	Status  int
	Anew    bool
	Done    bool
	// Answer is the line that the program is answered, nil for none.
	Answer []byte
	// Rule is the rule that read it, from 0.
	Rule int
}

// Tokens are those of a prompt and of a reply.
type Tokens struct{ Prompt, Completion int }

// condition is a path of When and the texts that may stand there. A text that
// ends in a star is the beginning of one, and "*" any but the empty one.
type condition struct {
	path  string
	texts []string
}

// maxNote is the longest note that is told, in characters.
const maxNote = 160

// maxRead is how much is read of a note, in characters.
const maxRead = 8 * maxNote

// Events reads one line of output. Known is false where no rule knows it: it is
// no JSON, or of a kind that the file does not tell of. Nothing in a line is an
// error.
func (a *Adapter) Events(line []byte) (events []Event, known bool) {
	line = trim(line)
	if len(line) == 0 || !gjson.ValidBytes(line) {
		return nil, false
	}
	value := gjson.ParseBytes(line)
	if !value.IsObject() {
		return nil, false
	}
	for i := range a.Rules {
		rule := &a.Rules[i]
		if !holds(value, rule.when) {
			continue
		}
		known = true
		if rule.Each == "" {
			events = append(events, rule.event(value, i))
			continue
		}
		for _, item := range value.Get(rule.Each).Array() {
			if holds(item, rule.where) {
				events = append(events, rule.event(item, i))
			}
		}
	}
	return events, known
}

// trim takes off what stands around a line of JSON: white space, and the mark
// with which some programs on Windows begin.
func trim(line []byte) []byte {
	return []byte(strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff")))
}

// holds reports whether all conditions do.
func holds(value gjson.Result, conditions []condition) bool {
	for _, c := range conditions {
		found := value.Get(c.path).String()
		if !slices.ContainsFunc(c.texts, func(wanted string) bool { return fits(found, wanted) }) {
			return false
		}
	}
	return true
}

func fits(found, wanted string) bool {
	if head, open := strings.CutSuffix(wanted, "*"); open {
		return found != "" && strings.HasPrefix(found, head)
	}
	return found == wanted
}

// event reads what the rule reads.
func (r *Rule) event(value gjson.Result, index int) Event {
	e := Event{
		Conversation: text(value, r.Conversation), Model: text(value, r.Model),
		Text: text(value, r.Text), Thought: text(value, r.Thought),
		Message: whole(value, r.Message), Final: whole(value, r.Final),
		Note: fill(value, r.Note), Anew: r.Anew, Done: r.Done, Rule: index,
		Failure: text(value, r.Failure), Status: int(number(value, r.Status)),
	}
	if r.Failure != "" && e.Failure == "" {
		e.Failure = unsaid
	}
	e.Wait = time.Duration(number(value, r.WaitSeconds)*float64(time.Second)) + time.Duration(number(value, r.WaitMilliseconds)*float64(time.Millisecond))
	e.Wait = min(max(e.Wait, 0), time.Hour)
	if len(r.PromptTokens)+len(r.CompletionTokens) > 0 {
		e.Tokens = &Tokens{sum(value, r.PromptTokens), sum(value, r.CompletionTokens)}
	}
	if r.answer != nil {
		e.Answer = r.answer.line(func(path string) any { return repeated(value.Get(path)) })
	}
	if r.Cost != "" {
		if found := value.Get(r.Cost); found.Type == gjson.Number && found.Num >= 0 {
			e.Cost = &found.Num
		}
	}
	return e
}

// repeated is what a program told, as it is told back to it; nil where that is
// nothing, or more than an answer needs.
func repeated(found gjson.Result) any {
	switch {
	case !found.Exists() || len(found.Raw) > maxRead:
		return nil
	case found.Type == gjson.String:
		return found.String()
	}
	return json.RawMessage(found.Raw)
}

// unsaid stands for a failure that the program gives no word for.
const unsaid = "it does not say why"

// text is the text at a path, "" for no path.
func text(value gjson.Result, path string) string {
	if path == "" {
		return ""
	}
	return strings.ToValidUTF8(value.Get(path).String(), "\uFFFD")
}

// whole is the text at a path, or nil where nothing stands there.
func whole(value gjson.Result, path string) *string {
	if path == "" {
		return nil
	}
	found := value.Get(path)
	if !found.Exists() || found.Type == gjson.Null {
		return nil
	}
	said := text(value, path)
	return &said
}

// number is the number at a path, 0 where there is none.
func number(value gjson.Result, path string) float64 {
	if path == "" {
		return 0
	}
	return min(max(value.Get(path).Float(), -1e9), 1e9)
}

// mostTokens is more than any program counts.
const mostTokens = 1e12

func sum(value gjson.Result, paths []string) int {
	total := 0.0
	for _, path := range paths {
		total += min(max(value.Get(path).Float(), 0), mostTokens)
	}
	return int(total)
}

// fill puts what stands at the paths in braces into a note, on one line. It is
// cut to maxNote where it is told, once no secret can be cut in two.
func fill(value gjson.Result, note string) string {
	var out strings.Builder
	for {
		before, rest, open := strings.Cut(note, "{")
		out.WriteString(before)
		if !open {
			break
		}
		path, after, _ := strings.Cut(rest, "}")
		out.WriteString(short(text(value, path)))
		note = after
	}
	// What the program left out leaves no brackets.
	return plain.Clip(plain.Line(strings.ReplaceAll(strings.TrimSpace(out.String()), " ()", "")), maxRead)
}

// short joins the lines of a text and bounds it before anything reads it.
func short(s string) string {
	if len(s) > maxRead {
		s = strings.ToValidUTF8(s[:maxRead], "")
	}
	return strings.Join(strings.Fields(s), " ")
}

// conditions turns a table of conditions into a list, in the order of paths.
func conditions(table map[string]any) ([]condition, error) {
	var list []condition
	for _, path := range slices.Sorted(maps.Keys(table)) {
		c := condition{path: path}
		values, several := table[path].([]any)
		if !several {
			values = []any{table[path]}
		}
		for _, v := range values {
			switch v.(type) {
			case string, bool, int64:
				c.texts = append(c.texts, fmt.Sprint(v))
			default:
				return nil, fmt.Errorf("%s is to be a text, true, false or a whole number, or a list of those", path)
			}
		}
		list = append(list, c)
	}
	return list, nil
}
