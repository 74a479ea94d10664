package program

import (
	"encoding/json"
	"slices"
	"strings"
)

// stay checks how the program is kept up between turns, where it is.
func (r *reader) stay() {
	a := &r.adapter
	s := &a.Stay
	if len(s.Begin)+len(s.GoOn) == 0 && s.Message == "" {
		return
	}
	if len(s.Begin) == 0 || len(s.GoOn) == 0 {
		r.tell("stay", "stay needs begin and go_on: what the program is started with to stay up")
	}
	if !a.Keeps() || !holdsConversation(s.GoOn) || a.Arguments.Conversation == Chosen && !holdsConversation(s.Begin) {
		r.tell("stay", "stay needs {conversation} where [arguments] does: a program that stays up goes on with a conversation")
	}
	for path, list := range map[string][]string{"stay.begin": s.Begin, "stay.go_on": s.GoOn} {
		if slices.Contains(list, "{schema...}") {
			r.tell(path, "{schema...} is no part of stay: each turn has a schema of its own, which goes into its prompt")
		}
		r.places(path, list, "conversation", "workspace")
	}
	if slices.Contains(s.Begin, "{system...}") != slices.Contains(s.GoOn, "{system...}") {
		r.tell("stay", "{system...} stands in both begin and go_on of stay, or in neither")
	}
	if !fillable(s.Message) {
		r.tell("stay.message", `message is a line of JSON with "{prompt}" in it, in quotes: where the prompt stands`)
	}
	if a.Output.Form != Lines || !a.ends() {
		r.tell("stay", `stay needs form = "lines" and a [[read]] with done = true: when is a turn over?`)
	}
}

// fillable reports whether a message is one line of JSON in which a prompt can
// stand. Braces around a bare word are no JSON, so that it stands in a text.
func fillable(message string) bool {
	return strings.Contains(message, promptPlace) && !strings.ContainsAny(message, "\r\n") && json.Valid([]byte(message))
}
