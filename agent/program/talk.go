package program

import "encoding/json"

// talk is what a program that stays up is told in one turn: what opens the
// conversation, where the program was started for this turn, and the turn itself.
// Each message that has an id waits for its answer before the next one is said.
type talk struct {
	turn   *turn
	values *values
	answer *answer
	write  func(line []byte)

	// left are the messages that are still to be said, the last of them that of the
	// turn; awaited is the id whose answer is waited for, "" for none.
	left    []message
	awaited string
	// refused says that a message was answered with an error, or with what a rule says
	// is one.
	refused bool
	// model is what the program calls its model when the conversation is open.
	model string
}

// next is what is said now: all up to the message whose answer is waited for.
func (k *talk) next() []byte {
	var lines []byte
	for len(k.left) > 0 && k.awaited == "" {
		m := &k.left[0]
		if len(k.left) == 1 {
			k.model = k.answer.model
		}
		lines = append(lines, m.line(k.place)...)
		k.awaited, k.left = m.id, k.left[1:]
	}
	return lines
}

// messagePlaces are the places of the messages that open a conversation; that of a
// turn has those of turnPlaces as well.
func messagePlaces() []string { return []string{"conversation", "model", "effort", "folder"} }

// Places of a turn's message.
const (
	promptPlace = "prompt"
	schemaPlace = "schema"
)

// place is what stands for a place of a message.
func (k *talk) place(name string) any {
	switch name {
	case promptPlace:
		return string(k.turn.prompt(k.values))
	case schemaPlace:
		if k.values.schema != "" {
			return json.RawMessage(k.values.schema)
		}
	case "conversation":
		return orNothing(k.answer.conversation)
	case "model":
		return orNothing(k.values.model)
	case "effort":
		return orNothing(k.values.effort)
	case "folder":
		return orNothing(k.turn.folder)
	}
	return nil
}

// take reads a line, and says what is to be said after it.
func (k *talk) take(line []byte) (done bool, err error) {
	if err := k.answer.take(line); err != nil {
		return false, err
	}
	if k.awaited == "" {
		return k.answer.done, nil
	}
	why, is := answers(line, k.awaited)
	if !is {
		return k.answer.done, nil
	}
	k.awaited = ""
	if why != "" {
		k.answer.failed, k.answer.failure = true, why
	}
	if k.answer.failed {
		k.refused = true
		return true, nil
	}
	if more := k.next(); len(more) > 0 {
		k.write(more)
	}
	return k.answer.done, nil
}

// begun reports whether the program has taken the message of the turn, as far as it
// tells.
func (k *talk) begun() bool { return k.awaited == "" && len(k.left) == 0 }
