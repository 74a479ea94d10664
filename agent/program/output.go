package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
)

const (
	// maxNote is the maximum length of a note in characters. maxRead is the maximum length of foreign text that is
	// processed.
	maxNote = 160
	maxRead = 8 * maxNote
	// mostNotes is the maximum number of notes kept per run; further ones are only shown.
	mostNotes = 20
	// mostHead is how much output without known lines is kept.
	mostHead = 4 << 20
)

// unsaid is the message of a failure without one.
const unsaid = "no reason given"

// Event holds the values that a rule read from a line.
type Event struct {
	Conversation, Model string
	Text, Thought       string
	// Message and Final are nil if the rule does not read them.
	Message, Final *string
	Note           string
	Wait           time.Duration
	Tokens         *Tokens
	Cost           *float64
	// Failure is the error message, and Status its HTTP status or 0.
	Failure string
	Status  int
	// Resets is when a limit ends, or zero.
	Resets time.Time
	// Answer is a line to send to the program, or nil.
	Answer []byte
	// Rule is the rule that matched.
	Rule *Rule
}

// Tokens counts the tokens of a prompt and of a reply.
type Tokens struct{ Prompt, Completion int }

// condition is a path in When and its allowed values.
type condition struct {
	path  string
	texts []string
}

// Events parses an output line. known is false if no rule matches.
func (a *Adapter) Events(line []byte) (events []Event, known bool) {
	line = trim(line)
	// json.Valid also rejects JSON nested too deep for gjson.
	if len(line) == 0 || line[0] != '{' || !json.Valid(line) {
		return nil, false
	}
	value := gjson.ParseBytes(line)
	for i := range a.Rules {
		rule := &a.Rules[i]
		holds := !slices.ContainsFunc(rule.when, func(c condition) bool {
			found := value.Get(c.path).String()
			return !slices.ContainsFunc(c.texts, func(wanted string) bool {
				head, open := strings.CutSuffix(wanted, "*")
				return found == wanted || open && found != "" && strings.HasPrefix(found, head)
			})
		})
		if holds {
			known = true
			events = append(events, rule.event(value))
		}
	}
	return events, known
}

// trim removes white space, and the byte order mark that some programs on Windows write.
func trim(line []byte) []byte {
	return []byte(strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff")))
}

// event reads the fields of a line.
func (r *Rule) event(value gjson.Result) Event {
	text := func(path string) string {
		if path == "" {
			return ""
		}
		return strings.ToValidUTF8(value.Get(path).String(), "\uFFFD")
	}
	whole := func(path string) *string {
		if found := value.Get(path); path == "" || !found.Exists() || found.Type == gjson.Null {
			return nil
		}
		said := text(path)
		return &said
	}
	number := func(path string, most float64) float64 {
		if path == "" {
			return 0
		}
		return min(max(value.Get(path).Float(), 0), most)
	}
	sum := func(paths []string) int {
		total := 0.0
		for _, path := range paths {
			total += number(path, 1e12)
		}
		return int(total)
	}
	note := inBraces.ReplaceAllStringFunc(r.Note, func(place string) string {
		return short(text(strings.Trim(place, "{}")))
	})
	// Remove the brackets around a missing value.
	note = plain.Clip(plain.Line(strings.ReplaceAll(strings.TrimSpace(note), " ()", "")), maxRead)
	e := Event{
		Conversation: text(r.Conversation), Model: text(r.Model), Text: text(r.Text), Thought: text(r.Thought),
		Message: whole(r.Message), Final: whole(r.Final), Note: note, Rule: r,
		Failure: text(r.Failure), Status: int(number(r.Status, 1e6)),
		Wait: time.Duration(number(r.WaitMilliseconds, 3.6e6) * float64(time.Millisecond)),
	}
	if r.Failure != "" && e.Failure == "" {
		e.Failure = unsaid
	}
	if len(r.PromptTokens)+len(r.CompletionTokens) > 0 {
		e.Tokens = &Tokens{sum(r.PromptTokens), sum(r.CompletionTokens)}
	}
	if r.answer != nil {
		e.Answer = r.answer.line(func(path string) any {
			found := value.Get(path)
			switch {
			case !found.Exists() || len(found.Raw) > maxRead:
				return nil
			case found.Type == gjson.String:
				return found.String()
			}
			return json.RawMessage(found.Raw)
		})
	}
	if seconds := int64(number(r.Resets, 1e11)); seconds > 0 {
		e.Resets = time.Unix(seconds, 0)
	}
	if r.Cost != "" {
		if found := value.Get(r.Cost); found.Type == gjson.Number && found.Num >= 0 && found.Num <= 1e6 {
			e.Cost = &found.Num
		}
	}
	return e
}

// short joins lines and limits the length.
func short(s string) string {
	if len(s) > maxRead {
		s = strings.ToValidUTF8(s[:maxRead], "")
	}
	return strings.Join(strings.Fields(s), " ")
}

// Errors that end a run before the program exits.
var (
	errOversized = errors.New("the reply is longer than its limit")
	errGivenUp   = errors.New("the program waits for something that does not come")
)

// answer collects the output of a run line by line.
type answer struct {
	adapter *Adapter
	watch   func(protocol.Delta)
	// clean removes secrets. most is the maximum reply size in bytes. write sends a line to a program that stays up,
	// or is nil. again reports whether a note was already shown.
	clean func(string) string
	most  int
	write func(line []byte)
	again func(note string) bool

	// streamed is the text that arrived in pieces, message the last whole message, and final the reply itself. shown
	// says that some of it was shown.
	streamed       strings.Builder
	message, final *string
	shown          bool
	done           bool

	conversation, model string
	tokens              Tokens
	cost                float64
	hasTokens, hasCost  bool
	// failure and status describe the last failure.
	failed  bool
	failure string
	status  int
	resets  time.Time
	notes   []string
	// lines counts nonempty lines, and known those that match a rule. unknown has the names of the first unmatched
	// lines. unread says that the last line was unmatched. printed is the last line that is not JSON.
	lines, known int
	unknown      []string
	unread       bool
	printed      string
	// given counts the lines that matched rules with GivesUpAfter.
	given map[*Rule]int
	// head is the beginning of output without known lines.
	head strings.Builder
	// partial is an incomplete character at the end of a raw reply.
	partial []byte
}

// take processes a line. An error ends the run.
func (n *answer) take(line []byte) error {
	if len(trim(line)) == 0 {
		return nil
	}
	n.lines++
	events, known := n.adapter.Events(line)
	if n.unread = !known; !known {
		n.skip(line)
		if n.known > 0 {
			return nil
		}
		if n.head.Len()+len(line) >= mostHead {
			return errOversized
		}
		n.head.Write(append(line, '\n'))
		return nil
	}
	n.known++
	// A program that stays up may have other conversations.
	other := false
	if path := n.adapter.Stay.Conversation; path != "" && n.conversation != "" {
		found := gjson.GetBytes(line, path).String()
		other = found != "" && found != n.conversation
	}
	for i := range events {
		if events[i].Answer != nil && n.write != nil {
			n.write(events[i].Answer)
		}
		if !other {
			if err := n.event(&events[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostUnknown is the maximum number of unknown lines in a message.
const mostUnknown = 3

// skip records the type of an unknown line, in case there is no reply.
func (n *answer) skip(line []byte) {
	name := short(string(line))
	if value := gjson.ParseBytes(trim(line)); json.Valid(trim(line)) && value.IsObject() {
		for _, path := range []string{"method", "type"} {
			kind := value.Get(path)
			if kind.Type != gjson.String || kind.Str == "" {
				continue
			}
			name = kind.Str
			for _, inner := range []string{"subtype", "item.type", "params.item.type"} {
				if of := value.Get(inner); of.Type == gjson.String && of.Str != "" {
					name += " " + of.Str
				}
			}
			break
		}
	} else {
		n.printed = name
	}
	name = plain.Clip(name, maxNote/2)
	if len(n.unknown) < mostUnknown && !slices.Contains(n.unknown, name) {
		n.unknown = append(n.unknown, name)
	}
}

// unknownLines describes the unmatched lines, or returns "".
func (n *answer) unknownLines(quote func(string) string) string {
	if n.lines == n.known || len(n.unknown) == 0 {
		return ""
	}
	names := lists.Map(n.unknown, func(name string) string { return strconv.Quote(quote(name)) })
	are := "are"
	if n.lines-n.known == 1 {
		are = "is"
	}
	return fmt.Sprintf("%d of its %s %s unknown to moot: %s", n.lines-n.known, plain.Counted(n.lines, "line"), are,
		strings.Join(names, ", "))
}

// event applies an event.
func (n *answer) event(e *Event) error {
	if e.Conversation != "" {
		n.conversation = e.Conversation
	}
	if e.Model != "" {
		n.model = e.Model
	}
	if !e.Resets.IsZero() {
		n.resets = e.Resets
	}
	n.done = n.done || e.Rule.Done
	if e.Rule.Anew {
		n.restart()
		n.message = nil
		n.streamed.Reset()
	}
	if e.Thought != "" {
		n.watch(protocol.Delta{Thought: e.Thought})
	}
	if e.Text != "" {
		n.streamed.WriteString(e.Text)
		n.shown = true
		n.watch(protocol.Delta{Text: e.Text})
	}
	if e.Message != nil {
		n.say(*e.Message)
	}
	if e.Final != nil {
		n.final = e.Final
	}
	if e.Note != "" {
		// Notes are stored, and an error message may quote the rejected key.
		note := plain.Clip(n.clean(e.Note), maxNote)
		if !e.Rule.Once || n.again == nil || !n.again(note) {
			n.watch(protocol.Delta{Note: note, Wait: e.Wait})
			if len(n.notes) < mostNotes && (len(n.notes) == 0 || n.notes[len(n.notes)-1] != note) {
				n.notes = append(n.notes, note)
			}
		}
	}
	if e.Tokens != nil {
		if n.adapter.Output.Tokens != PerStep {
			n.tokens = Tokens{}
		}
		n.tokens.Prompt += e.Tokens.Prompt
		n.tokens.Completion += e.Tokens.Completion
		n.hasTokens = true
	}
	if e.Cost != nil {
		if n.adapter.Output.Cost != PerStep {
			n.cost = 0
		}
		n.cost += *e.Cost
		n.hasCost = true
	}
	size := n.streamed.Len()
	for _, whole := range []*string{n.message, n.final} {
		if whole != nil {
			size = max(size, len(*whole))
		}
	}
	if size > n.most {
		return errOversized
	}
	if e.Failure == "" {
		return nil
	}
	if most := e.Rule.GivesUpAfter; most > 0 {
		if n.given == nil {
			n.given = map[*Rule]int{}
		}
		if n.given[e.Rule]++; n.given[e.Rule] < most {
			return nil
		}
	}
	n.failed, n.failure, n.status = true, e.Failure, e.Status
	if e.Rule.GivesUpAfter > 0 {
		return errGivenUp
	}
	return nil
}

// restart discards the reply so far.
func (n *answer) restart() {
	if n.shown {
		n.watch(protocol.Delta{Restart: true})
	}
	n.shown = false
}

// say stores a whole message, and shows it unless it arrived in pieces.
func (n *answer) say(message string) {
	if streamed := n.streamed.String(); message != "" && strings.HasSuffix(streamed, message) {
		n.message = &streamed
		return
	}
	n.message = &message
	if message == "" {
		return
	}
	n.restart()
	n.shown = true
	n.watch(protocol.Delta{Text: message})
}

// text returns the reply: the final one, else the last message, else the pieces.
func (n *answer) text() string {
	switch {
	case n.final != nil && *n.final != "":
		return *n.final
	case n.message != nil && *n.message != "":
		return *n.message
	}
	return n.streamed.String()
}

// plain parses output without known lines. It searches both streams, since versions differ in what they write where.
func (n *answer) plain(streams ...string) {
	p := n.adapter.Plain
	if p == nil || n.known > 0 {
		return
	}
	for _, stream := range streams {
		var reply []string
		inside, found := false, false
		for line := range strings.Lines(strings.ToValidUTF8(stream, "\uFFFD")) {
			line = strings.TrimRight(line, "\r\n")
			name, named := strings.CutPrefix(line, p.Conversation)
			switch {
			case p.Conversation != "" && !inside && named:
				n.conversation = strings.TrimSpace(name)
			case strings.TrimSpace(line) == p.From:
				inside, found, reply = true, true, nil
			case p.Until != "" && strings.HasPrefix(strings.TrimSpace(line), p.Until):
				inside = false
			case inside:
				reply = append(reply, line)
			}
		}
		if found {
			n.say(strings.TrimSpace(strings.Join(reply, "\n")))
			n.done, n.known = true, n.lines
			return
		}
	}
}

// message is a JSON line for a program, with placeholders in braces in its strings. A string that is only a
// placeholder is replaced by a value of any type; without a value, it is removed with its key.
type message struct {
	value map[string]any
	// id is the request id as JSON, or "" if no answer is expected.
	id string
}

var (
	errNoLine = errors.New("is not a JSON object on one line; a place is part of a text, in quotes")
	errNoID   = errors.New("needs an id that is a number or a text without places, to recognize its answer")
)

// inBraces matches placeholders.
var inBraces = regexp.MustCompile(`\{([^{}]+)\}`)

func readMessage(line string) (message, error) {
	var m message
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	oneLine := !strings.ContainsAny(line, "\r\n") && json.Valid([]byte(line))
	if !oneLine || decoder.Decode(&m.value) != nil || m.value == nil {
		return message{}, errNoLine
	}
	return m, nil
}

// readID reads the id of a message that expects an answer.
func (m *message) readID(line string) error {
	id, there := m.value["id"]
	if !there {
		return nil
	}
	text, isText := id.(string)
	if _, isNumber := id.(json.Number); !isNumber && !isText || inBraces.MatchString(text) {
		return errNoID
	}
	m.id = gjson.Get(line, "id").Raw
	return nil
}

// places returns the names of the placeholders.
func (m *message) places() []string {
	var all []string
	m.line(func(place string) any {
		all = append(all, place)
		return nil
	})
	return all
}

// line returns the message to send. of returns the value of a placeholder: a string, JSON, or nil.
func (m *message) line(of func(place string) any) []byte {
	filled, _ := fill(m.value, of)
	line, err := json.Marshal(filled)
	if err != nil {
		return nil // a value is invalid JSON
	}
	return append(line, '\n')
}

// fill replaces the placeholders in a value. left is false if the value is to be removed.
func fill(value any, of func(string) any) (filled any, left bool) {
	switch v := value.(type) {
	case map[string]any:
		all := make(map[string]any, len(v))
		for key, inner := range v {
			if filled, left := fill(inner, of); left {
				all[key] = filled
			}
		}
		return all, true
	case []any:
		all := make([]any, 0, len(v))
		for _, inner := range v {
			if filled, left := fill(inner, of); left {
				all = append(all, filled)
			}
		}
		return all, true
	case string:
		if found := inBraces.FindStringSubmatch(v); found != nil && found[0] == v {
			filled := of(found[1])
			return filled, filled != nil
		}
		return inBraces.ReplaceAllStringFunc(v, func(place string) string {
			switch inner := of(strings.Trim(place, "{}")).(type) {
			case string:
				return inner
			case json.RawMessage:
				return string(inner)
			}
			return ""
		}), true
	}
	return value, true
}

// answers reports whether a line answers the request with this id; why is the error in the answer, or "".
func answers(line []byte, id string) (why string, is bool) {
	value := gjson.ParseBytes(trim(line))
	if value.Get("id").Raw != id || value.Get("method").Exists() {
		return "", false
	}
	if wrong := value.Get("error"); wrong.Exists() && wrong.Type != gjson.Null {
		if why = wrong.Get("message").String(); why == "" {
			why = unsaid
		}
	}
	return strings.ToValidUTF8(why, "\uFFFD"), true
}
