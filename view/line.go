package view

import (
	"slices"
	"strings"

	"moot/state"
)

// Line describes an event in one line of progress.
type Line struct {
	// Key names the subject of the line: C1, E2, scores consultee. A later line with the same key
	// says more, and replaces the earlier one if the renderer can rewrite lines. Replaces are
	// further keys whose lines it replaces.
	Key      string
	Replaces []string
	// Seq is the event.
	Seq int
	// Label is one word for what happened: point, challenge, ruled. Lead is the subject, Seat who
	// did it ("" for code), Text the rest.
	Label string
	Lead  string
	Seat  state.Seat
	Text  string
	// Detail is secondary: a rule, a source, the cost of a call.
	Detail string
	Role   Role
	// Minor lines are left out of short progress output, Routine ones also of transcripts.
	Minor, Routine bool
}

// Role says what a line means for the reader; renderers choose a color or a sign for it.
type Role int

// The roles.
const (
	RolePlain Role = iota
	// RoleQuiet is for routine steps of the protocol.
	RoleQuiet
	// RoleRound and RoleReply begin a round and a reply.
	RoleRound
	RoleReply
	RolePoint
	RoleGood
	RoleBad
	RoleDoubt
	RoleOpen
	RoleWarn
	// RolePending is for evidence that is not checked yet.
	RolePending
	RoleUser
)

// String returns the line without its label and detail: "C1 REJECT on P1 by consultee: too slow".
func (l *Line) String() string {
	lead := l.Lead
	switch {
	case l.Seat == "" || lead == string(l.Seat):
	case lead == "":
		lead = string(l.Seat)
	default:
		lead += " by " + string(l.Seat)
	}
	return Sentence(lead, l.Text)
}

// By sets who did it. Actions of the user have their own role.
func (l Line) By(seat state.Seat) Line {
	l.Seat = seat
	if seat == state.User {
		l.Role = RoleUser
	}
	return l
}

// AsMinor marks the line as one that short progress output leaves out.
func (l Line) AsMinor() Line {
	l.Minor = true
	return l
}

// Transcript describes the events of a session. It folds them, since the description of one can
// depend on the session before and after it.
type Transcript struct{ before, after *state.State }

// NewTranscript returns a transcript that continues a session. For a new session, pass the zero
// State.
func NewTranscript(s *state.State) *Transcript { return &Transcript{after: s} }

// Add returns the lines of the next events. If the events of one turn have several lines with the
// same key, only the last is returned, in the position of the first.
func (t *Transcript) Add(events []state.Event) ([]Line, error) {
	var lines []Line
	place := map[string]int{}
	for i := range events {
		t.before = t.after
		var err error
		if t.after, err = state.Apply(t.after, events[i]); err != nil {
			return lines, err
		}
		switch events[i].Data.(type) {
		case *state.PromptSent, *state.ReplyReceived, *state.Ruled:
			clear(place)
		}
		for _, l := range Event(t.before, t.after, &events[i]) {
			for _, key := range l.Replaces {
				if at, ok := place[key]; ok {
					lines[at].Label = ""
					delete(place, key)
				}
			}
			if at, ok := place[l.Key]; ok && l.Key != "" {
				l.Seq = lines[at].Seq
				lines[at] = l
				continue
			}
			if l.Key != "" {
				place[l.Key] = len(lines)
			}
			lines = append(lines, l)
		}
	}
	return slices.DeleteFunc(lines, func(l Line) bool { return l.Label == "" }), nil
}

// Event returns the lines of one event, given the session before and after it. Every
// kind of event has at least one.
func Event(before, after *state.State, e *state.Event) []Line {
	lines, ok := FormatOf(after).Event(before, after, e.Data)
	if !ok {
		lines = sessionEvent(after, e.Data)
	}
	if lines == nil {
		lines = argumentEvent(after, e.Data)
	}
	if old, ok := e.Data.(*state.EarlierEvent); ok {
		lines = []Line{{
			Label: "earlier", Text: "an event that only earlier versions recorded: " + old.Kind, Role: RoleQuiet,
			Minor: true,
		}}
	}
	if lines == nil {
		lines = []Line{{Label: state.KindOf(e.Data), Role: RoleQuiet, Minor: true}}
	}
	for i := range lines {
		lines[i].Seq = e.Seq
	}
	// The reason of a pause says how it came.
	if _, pause := e.Data.(*state.SessionPaused); len(lines) > 0 && !pause {
		lines[0].Text = throughChannel(lines[0].Text, e.Channel)
	}
	return lines
}

// throughChannel adds to a decision the way it came. That of a terminal is not written.
func throughChannel(text string, c state.Channel) string {
	if words := c.Words(); words != "" {
		return strings.TrimSpace(text + " (" + words + ")")
	}
	return text
}

// Action returns the text for renderers that do not show the label: "conceded: too slow".
func (l *Line) Action() string {
	switch l.Label {
	case "round":
		return "round " + l.Text
	case "pause":
		return Sentence("paused", l.Text)
	case "conceded", "undefended", "withdrawn", "revised", "reworded", "limit", "synthesis", "verdict", "consensus",
		"concludes", "kept", "ignored", "vote", "argued", "unsettled", "settled", "exit", "recovered", "repaired",
		"merged", "dropped", "fallback", "blocked", "answer", "phase", "refused", "closed", "seat", "asked for",
		"resolved", "reported", "drift":
		return Sentence(l.Label, l.Text)
	case "gate":
		// The lead names the gate of a proposal.
		if l.Lead == "" {
			return Sentence(l.Label, l.Text)
		}
	}
	return l.Text
}
