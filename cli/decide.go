package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/run"
	"moot/state"
	"moot/view"
)

func newAnswer(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:               "answer",
		Args:              cobra.RangeArgs(2, 3),
		ValidArgsFunction: c.completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 3 {
				return answerQuestion(c, args[0], strings.ToUpper(args[1]), args[2])
			}
			answer := value{text: args[1], from: fromArgument}
			example := `moot answer ` + args[0] + ` "It is safe with one worker. [P1]"`
			if err := answer.read(c, "the answer", example); err != nil {
				return err
			}
			if err := decide(c, args[0], claims.RewriteAnswer{Text: answer.text}); err != nil {
				return err
			}
			c.Say("the answer is yours now; the earlier one is kept")
			return nil
		},
	}
}

// answerQuestion records the user's answer to a question that a session put, and prints what follows from it.
func answerQuestion(c *Console, id, question, answer string) error {
	before, err := read(c, id)
	if err != nil {
		return err
	}
	if err := decide(c, id, protocol.AnswerQuestion{Question: question, Answer: answer}); err != nil {
		return err
	}
	after, err := read(c, id)
	if err != nil {
		return err
	}
	c.Say("%s of %s is answered", question, after.state.ID)
	lines, err := view.NewTranscript(before.state).Add(after.events[before.state.Seq:])
	for i := range lines {
		if !lines[i].Minor {
			c.Say("%-10s %s", lines[i].Label, lines[i].String())
		}
	}
	return err
}

// decide records decisions of the user in a session that nothing runs.
func decide(c *Console, id string, moves ...protocol.UserMove) error {
	path, err := find(c, id)
	if err != nil {
		return err
	}
	s := &session{console: c}
	defer s.close()
	if _, err := s.reopen(path); err != nil {
		return err
	}
	for _, move := range moves {
		events, next, err := run.Decide(s.state, move, c.Now())
		if err != nil {
			return err
		}
		if err := s.log.Append(events); err != nil {
			return err
		}
		s.state, s.events = next, append(s.events, events...)
	}
	return nil
}

// decider lets the user make any decision by lines: as one command, such as "agree P1 REASON", or field by field.
type decider struct {
	say   func(format string, args ...any)
	state *state.State
	// send hands moves to the session.
	send func(protocol.UserMove)

	// list are the decisions that were listed last.
	list []protocol.Override
	// open is the decision that is being filled in, or nil. The fields before next have their values.
	open   *protocol.Override
	values view.Values
	next   int
	// named says that a command named the decision, which confirms it. rest is the rest of its line; inline says
	// that there was something, so that the defaults of other fields are not asked for.
	named, inline, asked bool
	rest                 string
}

// maxDecisions is the maximum number of decisions that are listed.
const maxDecisions = 60

// line handles a line: part of the open decision, or a command. It reports whether it was one of these.
func (d *decider) line(text string) bool {
	if d.open != nil {
		d.answer(text)
		return true
	}
	word, rest, _ := strings.Cut(text, " ")
	word, rest = strings.ToLower(word), strings.TrimSpace(rest)
	if word == "do" {
		d.choose(rest)
		return true
	}
	about, _, _ := strings.Cut(rest, " ")
	found, known := d.find(word, rest, d.decisions(strings.ToUpper(about)))
	if found == nil {
		if known {
			d.say("note       %s", "name an item that exists, as in: "+word+" P1; points and do list what there is")
		}
		return known
	}
	d.start(found, strings.TrimSpace(rest[len(found.About):]), true)
	return true
}

// decisions returns the decisions that are possible, those about an item first.
func (d *decider) decisions(id string) []protocol.Override {
	at := protocol.Selection{ID: id}
	if d.state.Point(id) != nil {
		at.Point = id
	}
	if c := d.state.Challenge(id); c != nil {
		at.Point = c.Point
	}
	return protocol.Overrides(d.state, at)
}

// find returns the decision with an ID about the beginning of a text. Known reports whether there is any with the ID.
func (d *decider) find(id, text string, list []protocol.Override) (found *protocol.Override, known bool) {
	for i := range list {
		one := &list[i]
		if one.ID != id {
			continue
		}
		known = true
		if one.Choose != nil && one.Why == "" {
			if below, ok := d.find(id, text, one.Choose()); ok && below != nil {
				one = below
			}
		}
		about := strings.ToUpper(text + " ")
		if strings.HasPrefix(about, strings.ToUpper(one.About+" ")) || one.About == "" && one.Choose == nil {
			if found == nil || len(one.About) > len(found.About) {
				found = one
			}
		}
	}
	return found, known
}

// choose lists the decisions, those about an item first, or starts one by its number in the last list.
func (d *decider) choose(text string) {
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 || n > len(d.list) {
			d.say("note       there is no decision %d; do lists them", n)
			return
		}
		d.start(&d.list[n-1], "", false)
		return
	}
	d.show("the decisions that you can make; type do and a number", d.decisions(strings.ToUpper(text)))
}

func (d *decider) show(title string, list []protocol.Override) {
	d.list = list[:min(len(list), maxDecisions)]
	d.say("decide     %s", title)
	for i := range d.list {
		one := &d.list[i]
		text := fmt.Sprintf("%d) %s: %s", i+1, one.Title, clip(one.Detail))
		if one.Why != "" {
			text += " (not now: " + one.Why + ")"
		}
		d.say("           %s", plain.Line(text))
	}
	if more := len(list) - len(d.list); more > 0 {
		d.say("           and %d more; do P1 lists those about a point", more)
	}
}

// start begins a decision with values from the same line. A command that names the decision confirms it too.
func (d *decider) start(one *protocol.Override, text string, named bool) {
	switch {
	case one.Why != "":
		d.say("note       not now: %s", plain.Line(one.Why))
		return
	case one.Choose != nil:
		d.show(one.Heading, one.Choose())
		return
	}
	d.open, d.values, d.next = one, view.Values{}, 0
	d.named, d.inline, d.rest, d.asked = named, text != "", text, false
	for i := range one.Fields {
		f := &one.Fields[i]
		d.values[f.Key] = f.Default
		if f.Kind == view.FieldSelect && f.Default == "" && !f.NoDefault && len(f.Choices) > 0 {
			d.values[f.Key] = f.Choices[0].Value
		}
	}
	d.ask()
}

// take takes the value of a field from the rest of the line. It reports whether the field needs no question.
func (d *decider) take(f *view.Field) bool {
	switch f.Kind {
	case view.FieldConfirm:
		d.values[f.Key] = view.Yes
		return true
	case view.FieldSelect:
		if choice, rest, ok := takeChoice(f, d.rest); ok {
			d.values[f.Key], d.rest = choice, rest
			return true
		}
		return d.inline && d.values[f.Key] != ""
	case view.FieldLine, view.FieldText, view.FieldMultiSelect, view.FieldParticipant:
		if d.rest != "" {
			d.values[f.Key], d.rest = d.rest, ""
			return true
		}
	}
	return f.Key == "reason" || d.inline && (d.values[f.Key] != "" || !f.Required)
}

// takeChoice takes a choice of a field from the beginning of a text, by its value or by its label.
func takeChoice(f *view.Field, text string) (value, rest string, ok bool) {
	for _, c := range f.Choices {
		for _, name := range []string{c.Value, c.Shown()} {
			if name != "" && strings.HasPrefix(strings.ToLower(text)+" ", strings.ToLower(name)+" ") {
				return c.Value, strings.TrimSpace(text[len(name):]), true
			}
		}
	}
	return "", text, false
}

// ask asks for the next field that has a meaning, or finishes the decision.
func (d *decider) ask() {
	for ; d.next < len(d.open.Fields); d.next++ {
		f := &d.open.Fields[d.next]
		if f.Hidden != nil && f.Hidden(d.values) {
			d.values[f.Key] = ""
			continue
		}
		if d.named && d.take(f) {
			continue
		}
		if !d.asked {
			d.say(
				"decide     %s; an empty line keeps what is in brackets, cancel leaves it",
				plain.Line(d.open.Heading),
			)
			for _, a := range d.open.Info.About {
				for _, line := range a.Printed() {
					d.say("             %s", plain.Line(line))
				}
			}
			d.asked = true
		}
		kept := d.values[f.Key]
		kept = cmp.Or(kept, f.Placeholder)
		d.say("decide     %s", plain.Line(fmt.Sprintf("%s [%s] %s", f.Label, strings.ReplaceAll(kept, "\n", " "),
			f.Help)))
		for i, c := range f.Choices {
			d.say("           %s", plain.Line(fmt.Sprintf("%d) %s: %s", i+1, c.Shown(), clip(c.Help))))
		}
		return
	}
	d.finish()
}

// answer takes a line as the value of the field that was asked for.
func (d *decider) answer(text string) {
	f := &d.open.Fields[d.next]
	if strings.EqualFold(text, "cancel") {
		d.open = nil
		d.say("decide     canceled")
		return
	}
	switch f.Kind {
	case view.FieldSelect, view.FieldConfirm:
		choices := f.Choices
		if f.Kind == view.FieldConfirm {
			choices = []view.Choice{{Value: view.Yes}, {Value: view.No}}
		}
		n, err := strconv.Atoi(text)
		chosen, _, ok := takeChoice(&view.Field{Choices: choices}, text)
		switch {
		case text == "":
		case err == nil && n >= 1 && n <= len(choices):
			d.values[f.Key] = choices[n-1].Value
		case ok:
			d.values[f.Key] = chosen
		case f.Other != "":
			d.values[f.Key] = text
		default:
			d.say("note       %q is not one of the choices", clip(text))
			return
		}
	case view.FieldMultiSelect:
		var chosen []string
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;", r) }) {
			if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(f.Choices) {
				word = f.Choices[n-1].Value
			}
			chosen = append(chosen, word)
		}
		if len(chosen) > 0 {
			d.values[f.Key] = strings.Join(chosen, "\n")
		}
	case view.FieldLine, view.FieldText, view.FieldParticipant:
		if text != "" {
			d.values[f.Key] = text
		}
	}
	if f.Required && d.values[f.Key] == "" {
		d.say("note       %s is needed; type it, or cancel", f.Label)
		return
	}
	d.next++
	d.ask()
}

// finish makes the moves of the open decision, or asks again for the value that is wrong.
func (d *decider) finish() {
	moves, done, err := d.open.Build(d.values)
	if wrong, ok := errors.AsType[*view.FieldError](err); ok {
		i := slices.IndexFunc(d.open.Fields, func(f view.Field) bool { return f.Key == wrong.Key })
		if d.say("note       %s", err); i >= 0 {
			d.next, d.named = i, false
			d.ask()
			return
		}
	} else if err != nil {
		d.say("note       %s", err)
	}
	d.open = nil
	if err == nil && len(moves) == 0 {
		d.say("decide     %s", plain.Line(done))
	}
	for _, move := range moves {
		d.send(move)
	}
}
