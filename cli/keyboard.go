package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"moot/agent/person"
	"moot/ledger"
	"moot/protocol"
	"moot/resolver/dialectic"
	"moot/state"
)

// keyboard is the person in front of a run without a screen: it reads lines
// from standard input, and asks for the replies of a seat that the person
// fills.
type keyboard struct {
	console *Console

	mutex sync.Mutex
	ended bool
	// asking are the seats that wait for a reply, open the questions that wait
	// for an answer, oldest first.
	asking []*asked
	open   []state.QuestionSurfaced
}

// asked is one seat's turn, and what was typed for it so far.
type asked struct {
	seat   state.Seat
	text   strings.Builder
	answer chan string
}

// typedLine is a line, or the end of standard input.
type typedLine struct {
	text  string
	ended bool
}

// person returns the one keyboard of the sitting.
func (s *sitting) person() *keyboard {
	if s.asker == nil {
		s.asker = &keyboard{console: s.console}
	}
	return s.asker
}

// start reads lines until standard input or ctx ends. Reading a terminal cannot
// be called off: the goroutine ends with the process at the latest.
func (k *keyboard) start(ctx context.Context) <-chan typedLine {
	lines := make(chan typedLine)
	go func() {
		scanner := bufio.NewScanner(k.console.In)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			select {
			case lines <- typedLine{text: scanner.Text()}:
			case <-ctx.Done():
				return
			}
		}
		select {
		case lines <- typedLine{ended: true}:
		case <-ctx.Done():
		}
	}()
	return lines
}

func (k *keyboard) over() bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.ended
}

// noKeyboard says that nobody can answer any more: the session pauses.
func noKeyboard() error {
	return &protocol.Unreachable{
		Participant: person.Name, What: "standard input ended before you answered", Fix: "resume the session, and type your reply",
	}
}

// Ask implements person.Asker.
func (k *keyboard) Ask(ctx context.Context, call protocol.Call) (string, error) {
	turn := &asked{seat: call.Ask.Seat, answer: make(chan string, 1)}
	k.mutex.Lock()
	if k.ended {
		k.mutex.Unlock()
		return "", noKeyboard()
	}
	k.asking = append(k.asking, turn)
	k.mutex.Unlock()
	k.console.Say("your turn  as %s, to %s (%s). What you are asked:\n%s", call.Ask.Seat, toDo(call.Ask.Stage), movesOf(call.Ask.Moves), call.Prompt.Text)
	for _, hint := range person.Hints(&call.Ask) {
		k.console.Say("           %s", hint)
	}
	k.console.Say("your turn  as %s: type your reply and end it with a line that is a single dot", call.Ask.Seat)
	select {
	case text, ok := <-turn.answer:
		if !ok {
			return "", noKeyboard()
		}
		return text, nil
	case <-ctx.Done():
		k.mutex.Lock()
		defer k.mutex.Unlock()
		k.drop(turn)
		return "", ctx.Err()
	}
}

func movesOf(moves []protocol.MoveKind) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = string(m)
	}
	return strings.Join(words, " ")
}

func (k *keyboard) drop(turn *asked) {
	for i, t := range k.asking {
		if t == turn {
			k.asking = append(k.asking[:i:i], k.asking[i+1:]...)
			return
		}
	}
}

// reply takes a line for the seat that waits, and reports whether one does.
func (k *keyboard) reply(line string) bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if len(k.asking) == 0 {
		return false
	}
	turn := k.asking[0]
	if strings.TrimSpace(line) == "." {
		k.asking = k.asking[1:]
		turn.answer <- turn.text.String()
		return true
	}
	turn.text.WriteString(line + "\n")
	return true
}

// end says that no line comes any more.
func (k *keyboard) end() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.ended = true
	for _, turn := range k.asking {
		close(turn.answer)
	}
	k.asking = nil
}

// standing takes up the questions that were asked before this run, and returns
// those that wait for an answer.
func (k *keyboard) standing(s *state.State) []state.QuestionSurfaced {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, q := range s.Questions.All() {
		if !q.Answered {
			k.open = append(k.open, state.QuestionSurfaced{
				ID: q.ID, Point: q.Point, What: q.Kind, Text: q.Text, Options: q.Options, About: q.About,
			})
		}
	}
	return slices.Clone(k.open)
}

// questions keeps track of what waits for an answer.
func (k *keyboard) questions(n *protocol.Advanced) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, e := range n.Events {
		if q, ok := e.Data.(*state.QuestionSurfaced); ok {
			k.open = append(k.open, *q)
		}
	}
	kept := k.open[:0:0]
	for _, q := range k.open {
		if now := n.State.QuestionByID(q.ID); now == nil || !now.Answered {
			kept = append(kept, q)
		}
	}
	k.open = kept
}

// answer reads a line as an answer: a number for the oldest question with
// choices, or an id and a number or text.
func (k *keyboard) answer(line string) (protocol.AnswerQuestion, bool) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	id, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	for _, q := range k.open {
		switch {
		case strings.EqualFold(q.ID, id) && rest != "":
			return protocol.AnswerQuestion{Question: q.ID, Answer: choice(q.Options, rest)}, true
		case rest == "" && len(q.Options) > 0 && isChoice(q.Options, id):
			return protocol.AnswerQuestion{Question: q.ID, Answer: choice(q.Options, id)}, true
		}
	}
	return protocol.AnswerQuestion{}, false
}

// waiting are the ids of the questions that wait, the first one first.
func (k *keyboard) waiting() []string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	var ids []string
	for i := range k.open {
		ids = append(ids, k.open[i].ID)
	}
	return ids
}

func isChoice(options []string, text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= len(options)
}

func choice(options []string, text string) string {
	if !isChoice(options, text) {
		return text
	}
	n, _ := strconv.Atoi(text)
	return options[n-1]
}

// keyboardHelp lists what can be typed.
func keyboardHelp() string {
	return strings.Join([]string{
		"enter                 run the next turn, or go on after a pause",
		"auto, step            go on by itself, or wait before each turn",
		"Q1 ANSWER, or 2       answer a question, or choose by number",
		"agree P1 [REASON]     rule on a point; also dismiss, unresolved, reopen",
		"clear C1 [REASON]     of a proposal: rule on an objection; also uphold, unrule",
		"withdraw P1 [REASON]  of a proposal: take a field out",
		"object P1 HIGH TEXT   of a proposal: object to a field; BLOCKING, HIGH, MEDIUM, LOW",
		"answer C1 TEXT        answer an objection or challenge in a seat's place",
		"evidence P1 TEXT      give evidence for a point; against P1 TEXT gives it against",
		"fact TEXT             record a fact that binds all",
		"cancel                end the call under way and ask again later",
		"end [REASON]          close the session now",
		"quit                  leave; the session is saved",
	}, "\n")
}

// typed obeys one line.
func (f *lineFront) typed(line typedLine) {
	if line.ended {
		f.keyboard.end()
		f.wake()
		return
	}
	if f.keyboard.reply(line.text) {
		return
	}
	text := strings.TrimSpace(line.text)
	if answer, ok := f.keyboard.answer(text); ok {
		f.override(answer)
		return
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if rest != "" && isQuestion(word) {
		f.held = append(f.held, text)
		return
	}
	switch strings.ToLower(word) {
	case "", "next":
		f.ahead++
		f.stepAhead()
	case "auto":
		f.auto, f.waits = true, false
		f.orders.add(func(ctx context.Context) { f.runner.Auto(ctx, true) })
	case "step":
		f.auto = false
		f.orders.add(func(ctx context.Context) { f.runner.Auto(ctx, false) })
	case "cancel":
		// The session waits before it asks again.
		f.auto = false
		f.orders.add(f.runner.CancelCall)
	case "quit", "q":
		f.orders.add(f.runner.Leave)
	case "help", "?":
		f.console.Say("%s", keyboardHelp())
	default:
		f.overrule(strings.ToLower(word), rest)
	}
}

// overrule obeys a line that decides something.
func (f *lineFront) overrule(word, rest string) {
	point, reason, _ := strings.Cut(rest, " ")
	switch word {
	case "agree", "dismiss", "unresolved", "reopen":
		f.override(protocol.RuleOn{Point: strings.ToUpper(point), What: state.OverrideKind(word), Reason: strings.TrimSpace(reason)})
	case "fact":
		f.override(protocol.RecordFact{Text: rest})
	case "clear", "uphold", "unrule":
		verdict := map[string]dialectic.Ruling{"clear": dialectic.RulingCleared, "uphold": dialectic.RulingUpheld}[word]
		f.override(protocol.RuleObjection{Challenge: strings.ToUpper(point), Verdict: verdict, Reason: strings.TrimSpace(reason)})
	case "withdraw":
		f.override(protocol.WithdrawField{Point: strings.ToUpper(point), Reason: strings.TrimSpace(reason)})
	case "object":
		severity, text, _ := strings.Cut(strings.TrimSpace(reason), " ")
		f.override(protocol.RaiseObjection{Point: strings.ToUpper(point), Severity: dialectic.Severity(strings.ToUpper(severity)), Text: text})
	case "answer":
		f.override(protocol.AnswerChallenge{Challenge: strings.ToUpper(point), Text: strings.TrimSpace(reason)})
	case "evidence", "against":
		relation := map[string]ledger.Relation{"evidence": ledger.Supports, "against": ledger.Refutes}[word]
		f.override(protocol.SupplyEvidence{Point: strings.ToUpper(point), Text: strings.TrimSpace(reason), Relation: relation})
	case "end":
		f.override(protocol.EndSession{Reason: rest})
	default:
		f.console.Say("note       %s", fmt.Sprintf("%q is nothing that can be done here; help lists what is", clip(word)))
	}
}

func (f *lineFront) override(move protocol.UserMove) {
	f.deciding.Add(1)
	f.orders.add(func(ctx context.Context) {
		if err := f.runner.Override(ctx, move); err != nil {
			f.console.Say("note       %s", err)
		}
		f.deciding.Add(-1)
		f.wake()
	})
}

// isQuestion reports whether a word is the id of a question: "Q3".
func isQuestion(word string) bool {
	if len(word) < 2 || word[0] != 'Q' && word[0] != 'q' {
		return false
	}
	return strings.Trim(word[1:], "0123456789") == ""
}
