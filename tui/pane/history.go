package pane

import (
	"fmt"
	"slices"
	"sort"

	"moot/state"
	"moot/tui/theme"
)

// rounds finds the round of an event. It reads each event once.
type rounds struct {
	seen int
	// begun are the events with which the rounds began, in their order.
	begun []int
}

// Add takes over the events that came since.
func (r *rounds) Add(events []state.Event) {
	for ; r.seen < len(events); r.seen++ {
		if _, ok := events[r.seen].Data.(*state.RoundStarted); ok {
			r.begun = append(r.begun, events[r.seen].Seq)
		}
	}
}

// Of is the round of an event, 0 before the first.
func (r *rounds) Of(seq int) int { return sort.SearchInts(r.begun, seq+1) }

// history finds the events that bear on each point. It reads each event once;
// what was not shown yet is left out by who asks.
type history struct {
	events []state.Event
	seen   int
	places map[string][]int
	rounds rounds
}

// Add takes over the events that came since.
func (h *history) Add(events []state.Event) {
	if len(events) < h.seen {
		// An earlier moment is shown: it is the beginning of what is known.
		return
	}
	if h.places == nil {
		h.places = map[string][]int{}
	}
	h.events = events
	h.rounds.Add(events)
	for ; h.seen < len(events); h.seen++ {
		for _, id := range bearsOnPoints(events[h.seen].Data) {
			h.places[id] = append(h.places[id], h.seen)
		}
	}
}

// Of are the events up to one that bear on a point.
func (h *history) Of(id string, upTo int) []state.Event {
	var list []state.Event
	for _, at := range h.places[id] {
		if e := h.events[at]; e.Seq <= upTo {
			list = append(list, e)
		}
	}
	return list
}

// bearsOnPoints are the points whose history an event belongs to.
func bearsOnPoints(p state.Payload) []string {
	switch p := p.(type) {
	case *state.PointRaised:
		return []string{p.ID}
	case *state.PointTriaged:
		return []string{p.Point}
	case *state.PointsMerged:
		return append([]string{p.Into}, p.From...)
	case *state.PointClassified:
		return []string{p.Point}
	case *state.PointRevised:
		return []string{p.Point}
	case *state.PointConceded:
		return []string{p.Point}
	case *state.PointBlocked:
		return []string{p.Point}
	case *state.PointDeadlocked:
		return []string{p.Point}
	case *state.ViolationNamed:
		return []string{p.Point}
	case *state.ConstitutionViolated:
		return []string{p.Point}
	case *state.ClaimMarkedKey:
		return []string{p.Point}
	case *state.ClaimLimited:
		return []string{p.Point}
	case *state.OverrideMade:
		return append(slices.Clone(p.Points), p.Point)
	case *state.AnchorShiftConsented:
		return []string{p.Point}
	case *state.Ruled:
		ids := make([]string, len(p.Rulings))
		for i := range p.Rulings {
			ids[i] = p.Rulings[i].Point
		}
		return ids
	}
	if id := changes(p); id != "" {
		return []string{id}
	}
	return nil
}

// changes is the point of which an event changes the value or a confidence, "" for
// none.
func changes(p state.Payload) string {
	switch p := p.(type) {
	case *state.ConfidenceChanged:
		return p.Point
	case *state.FieldProposed:
		return p.Point
	case *state.FieldRevised:
		return p.Point
	case *state.FieldWithdrawn:
		return p.Point
	}
	return ""
}

// historyBlocks are what became of a point, a line for each event.
func (d Details) historyBlocks(l *theme.Look, id string, events []state.Event, rounds *rounds) []Block {
	var list []Block
	shown, where := -1, ""
	for i := range events {
		w := EventWords(&events[i])
		switch p := events[i].Data.(type) {
		case *state.PointTriaged:
			if p.Scope == state.InScope {
				continue
			}
		case *state.PointClassified:
			w.lead = string(p.By) + " " + string(p.Class)
		case *state.PointRaised:
			w.lead, w.text = "raised by "+string(p.By), ""
		case *state.Ruled:
			at := slices.IndexFunc(p.Rulings, func(r state.Ruling) bool { return r.Point == id })
			now := ruled(&p.Rulings[at])
			if now == where {
				continue
			}
			where = now
			w = words{bucketTone(p.Rulings[at].Bucket), "ruled " + now + " by " + p.Rulings[at].Rule, ""}
		}
		round, label := rounds.Of(events[i].Seq), ""
		if round != shown {
			shown, label = round, fmt.Sprintf("round %d", round)
		}
		var by theme.Span
		if w.tone == toneUser {
			by = l.User.Span("user")
		}
		glyph, mark, _ := w.tone.signs(l)
		list = append(list, Block{
			Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("%-8s", label)), sign: mark.Span(glyph + " "),
			Body: l.Text.Span(sentence(w.lead, w.text)), Hang: 12, Right: by,
		})
	}
	if list == nil {
		return nil
	}
	return append([]Block{{Section: "History"}}, list...)
}

// blockedWords say what measurement is missing, and what it would decide.
func blockedWords(b *state.Blocked) string {
	return fmt.Sprintf("%s; at %s: below %s, above %s", b.Measurement, b.Threshold, b.Below, b.Above)
}
