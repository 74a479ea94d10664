package program

import (
	"slices"

	"moot/config"
	"moot/enum"
)

// stay checks how the program is kept up between turns, where it is.
func (r *reader) stay() {
	a := &r.adapter
	s := &a.Stay
	if len(s.Begin)+len(s.GoOn)+len(s.Hello) == 0 && s.Open+s.Reopen+s.Message+s.Conversation == "" {
		return
	}
	if len(s.Begin) == 0 || len(s.GoOn) == 0 {
		r.Tell("stay", "stay needs begin and go_on: what the program is started with to stay up")
	}
	for path, list := range map[string][]string{"stay.begin": s.Begin, "stay.go_on": s.GoOn} {
		if slices.Contains(list, "{schema...}") {
			r.Tell(path, "{schema...} is no part of stay: each turn has a schema of its own, which goes into its message or its prompt")
		}
		r.places(path, list, "conversation", "workspace")
	}
	if slices.Contains(s.Begin, "{system...}") != slices.Contains(s.GoOn, "{system...}") {
		r.Tell("stay", "{system...} stands in both begin and go_on of stay, or in neither")
	}
	r.messages()
	if !a.Keeps() || !holdsConversation(append([]string{s.Reopen}, s.GoOn...)) ||
		a.Arguments.Conversation == Chosen && !holdsConversation(append([]string{s.Open}, s.Begin...)) {
		r.Tell("stay", "stay needs {conversation} where [arguments] does: a program that stays up goes on with a conversation")
	}
	if a.Output.Form != Lines || !a.ends() {
		r.Tell("stay", `stay needs form = "lines" and a [[read]] with done = true: when is a turn over?`)
	}
}

// messages reads what the program is told while it stays up.
func (r *reader) messages() {
	s := &r.adapter.Stay
	if (s.Open == "") != (s.Reopen == "") {
		r.Tell("stay", "stay has open and reopen, for a new conversation and for an old one, or neither")
	}
	for _, line := range s.Hello {
		s.hello = append(s.hello, r.message("stay.hello", line, messagePlaces()))
	}
	if s.Open != "" {
		s.open = r.message("stay.open", s.Open, messagePlaces())
	}
	if s.Reopen != "" {
		s.reopen = r.message("stay.reopen", s.Reopen, messagePlaces())
	}
	if s.Message == "" {
		r.Tell("stay", "stay needs message: the line that the program is told for a turn")
		return
	}
	s.message = r.message("stay.message", s.Message, append(messagePlaces(), promptPlace, schemaPlace))
	if s.message.value != nil && !slices.Contains(s.message.places(), promptPlace) {
		r.Tell("stay.message", "message does not say {prompt}: where does the prompt stand?")
	}
}

// message reads one line that the program is told.
func (r *reader) message(path, line string, known []string) message {
	m, err := readSaid(line)
	if err != nil {
		r.Tell(path, "%s %v", config.Named(path[len("stay."):]), err)
		return message{}
	}
	for _, place := range m.places() {
		if !slices.Contains(known, place) {
			r.Tell(path, "unknown placeholder {%s}%s", place, config.Meant(enum.Nearest(place, known)))
		}
	}
	return m
}
