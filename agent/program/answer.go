package program

import (
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"moot/plain"
	"moot/protocol"
)

// Errors that end a run before its program does.
var (
	errOversized = errors.New("the reply is longer than its limit")
	errGivenUp   = errors.New("the program waits for what does not come")
)

// answer is what a run has told so far. It is fed one line at a time.
type answer struct {
	adapter *Adapter
	// watch is told what arrives; clean takes secrets out of what is not the reply;
	// most is the longest reply in bytes.
	watch func(protocol.Delta)
	clean func(string) string
	most  int
	// write answers a program that stays up; nil where nothing can be answered.
	write func(line []byte)
	// again reports whether a note was told before; nil where none ever was.
	again func(note string) bool

	// streamed is the text that came piece by piece, message the last whole
	// one, final what the program calls the reply.
	streamed       strings.Builder
	message, final *string
	// shown says that text was shown which a new beginning makes void.
	shown bool
	done  bool

	conversation, model string
	tokens              Tokens
	cost                float64
	// hasTokens and hasCost say that some were told.
	hasTokens, hasCost bool
	// failed says that a failure was told; failure and status are the last.
	failed  bool
	failure string
	status  int
	notes   []string
	// lines counts those that were not empty, known those that a rule knows.
	lines, known int
	// unknown is the first line that no rule knows.
	unknown string
	// given counts the lines of rules that give up.
	given map[int]int
	// head is the beginning of the output, for an output of text and for the
	// message about one that nothing knows.
	head strings.Builder
}

// mostHead is how much of an output that nothing knows is kept.
const mostHead = 4 << 20

// mostNotes is how many notes of one run are kept; more are shown and not kept.
const mostNotes = 20

// take reads one line. Its errors end the run.
func (n *answer) take(line []byte) error {
	if len(trim(line)) == 0 {
		return nil
	}
	n.lines++
	events, known := n.adapter.Events(line)
	if !known {
		if n.unknown == "" {
			n.unknown = short(string(line))
		}
		if n.known > 0 {
			return nil
		}
		if n.head.Len()+len(line) >= mostHead {
			// Nobody reads what comes after that.
			return errOversized
		}
		n.head.Write(line)
		n.head.WriteByte('\n')
		return nil
	}
	n.known++
	other := n.ofAnother(line)
	for i := range events {
		if events[i].Answer != nil && n.write != nil {
			n.write(events[i].Answer)
		}
		if other {
			continue
		}
		if err := n.event(&events[i]); err != nil {
			return err
		}
	}
	return nil
}

// ofAnother reports whether a line tells of another conversation than this one, as
// those do that the program has with itself.
func (n *answer) ofAnother(line []byte) bool {
	path := n.adapter.Stay.Conversation
	if path == "" || n.conversation == "" {
		return false
	}
	found := gjson.GetBytes(line, path).String()
	return found != "" && found != n.conversation
}

// event adds what one rule read.
func (n *answer) event(e *Event) error {
	n.named(e)
	if e.Anew {
		n.anew()
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
		n.note(e)
	}
	n.count(e)
	if n.size() > n.most {
		return errOversized
	}
	return n.fail(e)
}

// named keeps the names of conversation and model.
func (n *answer) named(e *Event) {
	if e.Conversation != "" {
		n.conversation = e.Conversation
	}
	if e.Model != "" {
		n.model = e.Model
	}
	n.done = n.done || e.Done
}

// fail keeps a failure, and ends the run where it was told once too often.
func (n *answer) fail(e *Event) error {
	if e.Failure == "" {
		return nil
	}
	if most := n.adapter.Rules[e.Rule].GivesUpAfter; most > 0 {
		if n.given == nil {
			n.given = map[int]int{}
		}
		n.given[e.Rule]++
		if n.given[e.Rule] < most {
			return nil
		}
		n.failed, n.failure, n.status = true, e.Failure, e.Status
		return errGivenUp
	}
	n.failed, n.failure, n.status = true, e.Failure, e.Status
	return nil
}

// anew drops what was said until here.
func (n *answer) anew() {
	if n.shown {
		n.watch(protocol.Delta{Restart: true})
	}
	n.shown, n.message = false, nil
	n.streamed.Reset()
}

// say keeps a whole message, and shows it where it did not come piece by piece.
func (n *answer) say(message string) {
	n.message = &message
	if message == "" || n.streamed.String() == message {
		return
	}
	if n.shown {
		n.watch(protocol.Delta{Restart: true})
	}
	n.shown = true
	n.watch(protocol.Delta{Text: message})
}

// note shows a note and keeps it once, unless it is of the whole session and was told
// before. It goes on the record, and what a program tells of a failure may hold the
// key that was refused.
func (n *answer) note(e *Event) {
	note := plain.Clip(n.clean(e.Note), maxNote)
	if n.adapter.Rules[e.Rule].Once && n.again != nil && n.again(note) {
		return
	}
	n.watch(protocol.Delta{Note: note, Wait: e.Wait})
	if len(n.notes) < mostNotes && (len(n.notes) == 0 || n.notes[len(n.notes)-1] != note) {
		n.notes = append(n.notes, note)
	}
}

// count adds tokens and cost as the file says that they are told.
func (n *answer) count(e *Event) {
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
}

// size is the longest of what may become the reply, in bytes.
func (n *answer) size() int {
	most := n.streamed.Len()
	for _, whole := range []*string{n.message, n.final} {
		if whole != nil {
			most = max(most, len(*whole))
		}
	}
	return most
}

// text is the reply: what the program calls so, else its last message, else what
// came piece by piece.
func (n *answer) text() string {
	switch {
	case n.final != nil && *n.final != "":
		return *n.final
	case n.message != nil && *n.message != "":
		return *n.message
	}
	return n.streamed.String()
}

// ends reports whether the file says what ends a turn.
func (a *Adapter) ends() bool {
	for i := range a.Rules {
		if a.Rules[i].Done {
			return true
		}
	}
	return false
}

// plain reads an output in which no line is known as text, where the file says
// how: the reply, and the conversation's name. Both streams are searched, since
// versions differ in where they write what.
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
			switch {
			case p.Conversation != "" && !inside && strings.HasPrefix(line, p.Conversation):
				n.conversation = strings.TrimSpace(strings.TrimPrefix(line, p.Conversation))
			case strings.TrimSpace(line) == p.From:
				inside, found, reply = true, true, nil
			case p.Until != "" && strings.HasPrefix(strings.TrimSpace(line), p.Until):
				inside = false
			case inside:
				reply = append(reply, line)
			}
		}
		if found {
			said := strings.TrimSpace(strings.Join(reply, "\n"))
			n.say(said)
			n.done, n.known = true, n.lines
			return
		}
	}
}
