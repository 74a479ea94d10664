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
	// maxNote is the longest note, in characters; maxRead bounds foreign text before
	// anything reads it.
	maxNote = 160
	maxRead = 8 * maxNote
	// mostNotes is how many notes of one run are kept; more are only shown.
	mostNotes = 20
	// mostHead is how much of an output without known lines is kept.
	mostHead = 4 << 20
)

// unsaid replaces the message of a failure that has none.
const unsaid = "no reason given"

// Event holds the values that one rule read in one line.
type Event struct {
	Conversation, Model string
	Text, Thought       string
	// Message and Final are nil if the rule reads none.
	Message, Final *string
	Note           string
	Wait           time.Duration
	Tokens         *Tokens
	Cost           *float64
	// Failure is the message of a failure, Status its HTTP status or 0.
	Failure string
	Status  int
	// Resets is when a limit ends, or zero.
	Resets time.Time
	// Answer is the line for the program, or nil.
	Answer []byte
	// Rule is the rule that read it.
	Rule *Rule
}

// Tokens counts the tokens of a prompt and of a reply.
type Tokens struct{ Prompt, Completion int }

// condition is a path of When and the texts that it may have.
type condition struct {
	path  string
	texts []string
}

// Events reads one line of output. known is false if no rule knows it. No line is
// an error.
func (a *Adapter) Events(line []byte) (events []Event, known bool) {
	line = trim(line)
	// json.Valid also refuses JSON that is nested too deep for gjson.
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

// trim removes white space, and the mark with which some programs on Windows begin.
func trim(line []byte) []byte {
	return []byte(strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff")))
}

// event reads the fields of the rule.
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
	// A missing value leaves no brackets.
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

// short joins the lines of a text and bounds it.
func short(s string) string {
	if len(s) > maxRead {
		s = strings.ToValidUTF8(s[:maxRead], "")
	}
	return strings.Join(strings.Fields(s), " ")
}

// Errors that end a run before its program does.
var (
	errOversized = errors.New("the reply is longer than its limit")
	errGivenUp   = errors.New("the program waits for something that does not come")
)

// answer collects the output of a run, line by line.
type answer struct {
	adapter *Adapter
	watch   func(protocol.Delta)
	// clean removes secrets; most is the longest reply in bytes; write answers a
	// program that stays up, or is nil; again reports that a note was shown before.
	clean func(string) string
	most  int
	write func(line []byte)
	again func(note string) bool

	// streamed is the text that arrived in pieces, message the last whole one, final
	// the reply itself; shown says that some of it was shown.
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
	// lines counts those that are not empty, known those that a rule knows; unknown holds the
	// names of the first that none does, unread says that the last line is one of them, and
	// printed is the last that is no JSON.
	lines, known int
	unknown      []string
	unread       bool
	printed      string
	// given counts the lines of rules with GivesUpAfter.
	given map[*Rule]int
	// head is the beginning of an output without known lines.
	head strings.Builder
	// partial is the beginning of a character of a reply without lines.
	partial []byte
}

// take reads one line. Its errors end the run.
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
	// A program that stays up may talk to itself in other conversations.
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

// mostUnknown is how many unknown lines a message names.
const mostUnknown = 3

// skip keeps what an unknown line is called, for the case that no reply comes.
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

// unknownLines describes the lines that no rule knows, or is "".
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

// event adds what one rule read.
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
		// A note is stored, and a failure may quote the refused key.
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

// restart takes back what was shown.
func (n *answer) restart() {
	if n.shown {
		n.watch(protocol.Delta{Restart: true})
	}
	n.shown = false
}

// say keeps a whole message, and shows it unless it arrived in pieces, perhaps as the last of several.
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

// text is the reply: the final one, else the last message, else the pieces.
func (n *answer) text() string {
	switch {
	case n.final != nil && *n.final != "":
		return *n.final
	case n.message != nil && *n.message != "":
		return *n.message
	}
	return n.streamed.String()
}

// plain reads an output without known lines as the file says. Both streams are
// searched, since versions differ in where they write what.
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

// message is a JSON line for a program, with places in its texts: names in braces.
// A text that is only a place becomes the value of any kind; without a value it
// is left out with its key.
type message struct {
	value map[string]any
	// id is the id that the answer will have, as JSON; "" if no answer comes.
	id string
}

var (
	errNoLine = errors.New("is not a JSON object on one line; a place is part of a text, in quotes")
	errNoID   = errors.New("needs an id that is a number or a text without places, to recognize its answer")
)

// inBraces matches places.
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

// readID takes the id of a message that has an answer.
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

// places returns the names in braces.
func (m *message) places() []string {
	var all []string
	m.line(func(place string) any {
		all = append(all, place)
		return nil
	})
	return all
}

// line returns the message as it is written. of returns the value of a place: a
// string, JSON, or nil.
func (m *message) line(of func(place string) any) []byte {
	filled, _ := fill(m.value, of)
	line, err := json.Marshal(filled)
	if err != nil {
		return nil // A value was not JSON after all.
	}
	return append(line, '\n')
}

// fill replaces the places of a value; left is false if nothing is left of it.
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

// answers reports whether a line answers the message of an id; why is its error, or
// "".
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
