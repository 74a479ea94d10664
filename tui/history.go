package tui

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"moot/state"
)

// rounds finds the round of an event. It reads each event once.
type rounds struct {
	seen int
	// begun are the events with which the rounds began, in their order.
	begun []int
}

// add takes over the events that came since.
func (r *rounds) add(events []state.Event) {
	for ; r.seen < len(events); r.seen++ {
		if _, ok := events[r.seen].Data.(*state.RoundStarted); ok {
			r.begun = append(r.begun, events[r.seen].Seq)
		}
	}
}

// of is the round of an event, 0 before the first.
func (r *rounds) of(seq int) int { return sort.SearchInts(r.begun, seq+1) }

// history finds the events that bear on each point. It reads each event once;
// what was not shown yet is left out by who asks.
type history struct {
	events []state.Event
	seen   int
	places map[string][]int
	rounds rounds
}

// add takes over the events that came since.
func (h *history) add(events []state.Event) {
	if len(events) < h.seen {
		// An earlier moment is shown: it is the beginning of what is known.
		return
	}
	if h.places == nil {
		h.places = map[string][]int{}
	}
	h.events = events
	h.rounds.add(events)
	for ; h.seen < len(events); h.seen++ {
		for _, id := range bearsOnPoints(events[h.seen].Data) {
			h.places[id] = append(h.places[id], h.seen)
		}
	}
}

// of are the events up to one that bear on a point.
func (h *history) of(id string, upTo int) []state.Event {
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
func (d details) historyBlocks(l *look, id string, events []state.Event, rounds *rounds) []block {
	var list []block
	shown, where := -1, ""
	for i := range events {
		tone, lead, text := happened(&events[i], id)
		if tone == toneRound {
			continue
		}
		if _, raised := events[i].Data.(*state.PointRaised); raised && len(events) > i+1 {
			if proposed, ok := events[i+1].Data.(*state.FieldProposed); ok {
				// Who proposes a field raises it.
				text = string(proposed.Value)
			}
		}
		if p, ok := events[i].Data.(*state.Ruled); ok {
			at := slices.IndexFunc(p.Rulings, func(r state.Ruling) bool { return r.Point == id })
			now := ruled(&p.Rulings[at])
			if now == where {
				continue
			}
			where = now
		}
		round, label := rounds.of(events[i].Seq), ""
		if round != shown {
			shown, label = round, fmt.Sprintf("round %d", round)
		}
		glyph, mark, _ := tone.signs(l)
		list = append(list, block{
			indent: 2, lead: span{l.faint, fmt.Sprintf("%-8s", label)}, sign: span{mark, glyph + " "},
			body: span{l.text, sentence(lead, text)}, hang: 12, right: span{l.user, when(tone == toneUser, "user", "")},
		})
	}
	if list == nil {
		return nil
	}
	return append([]block{{section: "History"}}, list...)
}

// happened says what an event did to a point; toneRound where nothing that the
// history tells.
func happened(e *state.Event, id string) (t tone, lead, text string) {
	byUser := func(seat state.Seat, other tone) tone { return when(seat == state.User, toneUser, other) }
	switch p := e.Data.(type) {
	case *state.PointRaised:
		return byUser(p.By, tonePoint), "raised by " + string(p.By) + when(p.For == "", "", " for the "+string(p.For)), when(p.Late == state.TagNone, "", "late, "+string(p.Late))
	case *state.PointTriaged:
		if p.Scope != state.InScope {
			return byUser(p.By, toneQuiet), string(p.Scope), p.Reason
		}
	case *state.PointsMerged:
		if p.Into == id {
			return byUser(p.By, toneQuiet), "takes in " + strings.Join(p.From, " "), ""
		}
		return byUser(p.By, toneQuiet), "merged into " + p.Into, ""
	case *state.PointClassified:
		return byUser(p.By, classTone(p.Class)), string(p.By) + " " + string(p.Class), p.Reason
	case *state.PointRevised:
		return byUser(p.By, toneQuiet), "revised as " + p.New, ""
	case *state.PointConceded:
		return byUser(p.By, toneBad), "conceded by " + string(p.By), p.Reason
	case *state.PointBlocked:
		return byUser(p.By, toneDoubt), "blocked", blockedWords(&p.Blocked)
	case *state.PointDeadlocked:
		return toneDoubt, "deadlock, " + string(p.Class), p.Crux
	case *state.ViolationNamed:
		return byUser(p.By, toneWarn), "contradicts " + p.Fact, when(p.Confirmed, "", "if you confirm it")
	case *state.ConstitutionViolated:
		about := when(p.Challenge == "", "", " by "+p.Challenge)
		return toneWarn, p.Constraint + " violated" + about, p.Text
	case *state.ClaimMarkedKey:
		return byUser(p.By, toneQuiet), "by " + string(p.By), keyWords(p.Key)
	case *state.ClaimLimited:
		return byUser(p.By, toneQuiet), "limit by " + string(p.By), p.Limit
	case *state.OverrideMade:
		return toneUser, override(p), ""
	case *state.AnchorShiftConsented:
		return toneUser, when(p.Consented, "another reading of the question: "+p.Reading, "the question stays as it is"), ""
	case *state.Ruled:
		return ruledAs(p, id)
	}
	return changed(e.Data)
}

// changed says what an event made of a value or a confidence; toneRound where nothing.
func changed(p state.Payload) (t tone, lead, text string) {
	byUser := func(seat state.Seat, other tone) tone { return when(seat == state.User, toneUser, other) }
	switch p := p.(type) {
	case *state.ConfidenceChanged:
		return toneOpen, string(p.Seat), changeWords(p)
	case *state.FieldRevised:
		return byUser(p.By, tonePoint), "revised by " + string(p.By), sentence(string(p.Value), p.Reason)
	case *state.FieldWithdrawn:
		return byUser(p.By, toneBad), "withdrawn by " + string(p.By), p.Reason
	}
	return toneRound, "", ""
}

func ruledAs(p *state.Ruled, id string) (t tone, lead, text string) {
	i := slices.IndexFunc(p.Rulings, func(r state.Ruling) bool { return r.Point == id })
	if i < 0 {
		return toneRound, "", ""
	}
	r := &p.Rulings[i]
	return bucketTone(r.Bucket), "ruled " + ruled(r) + " by " + r.Rule, ""
}

// blockedWords say what measurement is missing, and what it would decide.
func blockedWords(b *state.Blocked) string {
	return fmt.Sprintf("%s; at %s: below %s, above %s", b.Measurement, b.Threshold, b.Below, b.Above)
}
