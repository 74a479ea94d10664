package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Session returns the result of a session as a document.
func Session(s *state.State, rulings []state.Ruling) Document {
	d := Document{Title: s.Question, Warnings: Warnings(s, rulings)}
	f := FormatOf(s)
	f.Fill(&d, s, rulings)
	metrics := resolver.Measure(s, rulings)
	d.Add(metricsSection(&metrics, f.Remarks))
	return d
}

// Header adds who was asked, and how long it took.
func (d *Document) Header(s *state.State) {
	kind := []string{string(s.Settings.Format)}
	for _, word := range []string{string(s.Settings.Framing), string(s.Settings.Mode)} {
		if word != "" {
			kind = append(kind, word)
		}
	}
	d.Row("session", s.ID+" ("+strings.Join(kind, ", ")+")")
	if s.Fork.From != "" {
		d.Row("forked", fmt.Sprintf("from %s at event %d", s.Fork.From, s.Fork.Seq))
	}
	if s.Reading != "" {
		d.Row("reading", s.Reading+" (you consented to it)")
	}
	d.Row("rounds", rounds(s))
	label := "seats"
	for _, a := range s.Seats {
		d.Row(label, string(a.Seat)+": "+participant(a))
		label = ""
	}
	d.Row("ledger", ledgerRow(s))
}

func rounds(s *state.State) string {
	text := fmt.Sprintf("%d of %d", s.Round, resolver.LastRound(s))
	switch {
	case s.Exit != state.ExitNone:
		return text + ", " + Sentence(string(s.Exit), s.ExitReason)
	case s.Paused != state.PauseNone:
		return text + ", paused: " + cmp.Or(s.PauseReason, string(s.Paused))
	}
	return text + ", not finished"
}

// participant says who fills a seat, and which model answered.
func participant(a state.SeatAssignment) string {
	text := a.Participant
	switch {
	case a.NoModel:
		text += " (no language model)"
	case a.Model != "" && !strings.HasSuffix(a.Participant, a.Model):
		text += " (" + a.Model + " answered)"
	}
	if a.Answering != "" {
		text += ", answered by its fallback " + a.Answering
	}
	return text
}

// ledgerRow lists the live facts, the user's separately, and counts the superseded ones.
func ledgerRow(s *state.State) string {
	var own, other []string
	superseded := 0
	for _, f := range s.Facts.All() {
		switch {
		case !f.Live:
			superseded++
		case f.Tag == ledger.TagUser:
			own = append(own, f.ID)
		default:
			other = append(other, f.ID)
		}
	}
	var parts []string
	if len(own) > 0 {
		parts = append(parts, "yours "+strings.Join(own, " "))
	}
	if len(other) > 0 {
		parts = append(parts, "others "+strings.Join(other, " "))
	}
	if superseded > 0 {
		parts = append(parts, fmt.Sprintf("%d superseded", superseded))
	}
	return cmp.Or(strings.Join(parts, "; "), "empty")
}

// UsageRow words calls, tokens and cost.
func UsageRow(u state.Usage) string {
	text := fmt.Sprintf("%s, %d tokens in, %d out", Counted(u.Calls, "call"), u.PromptTokens, u.CompletionTokens)
	if u.Cost > 0 {
		text += fmt.Sprintf(", $%.4f", u.Cost)
	}
	if u.Estimated > 0 {
		text += fmt.Sprintf("; the tokens of %s are estimated, because they were not reported",
			Counted(u.Estimated, "call"))
	}
	return text
}

// PointsIn returns the points of a bucket. Merged points are left out: their ids are
// listed with the point they were merged into.
func PointsIn(s *state.State, rulings []state.Ruling, title string, bucket state.Bucket) Section {
	sec := Section{Title: title}
	for i := range rulings {
		p := s.Point(rulings[i].Point)
		if p != nil && p.MergedInto == "" && rulings[i].Bucket == bucket {
			sec.Items = append(sec.Items, PointItem(s, p, &rulings[i]))
		}
	}
	return sec
}

// ResolvedBy is the label of the crux: what would settle a point.
const ResolvedBy = "would be resolved by"

// PointItem returns a point with its ruling and what the ruling read.
func PointItem(s *state.State, p *state.Point, r *state.Ruling) Item {
	it := Item{ID: p.ID, Aliases: p.Aliases, Text: p.Text, Mark: string(r.Tag)}
	if r.Status != state.StatusNone {
		it.Mark = string(r.Status)
	}
	if p.Holder != "" {
		it.Note("view of", p.Holder)
	}
	if p.Option != "" {
		it.Note("option", Join(" · ", p.Option, p.Criterion))
	}
	it.Note("why", r.Reason+" "+Receipt(r))
	if r.Crux != "" {
		it.Note(ResolvedBy, r.Crux)
	}
	if r.Bucket == state.BucketAgreed && r.Tag == state.TagNotApplicable {
		it.Note("beware", "nothing but agreement supports this")
	}
	for _, id := range r.Reads {
		if e := s.Item(id); e != nil {
			it.Notes = append(it.Notes, EvidenceNote(e))
		}
	}
	for _, f := range s.Flags {
		if f.Point == p.ID {
			it.Note("flagged by the arbiter", f.Text)
		}
	}
	return it
}

// Questions returns the questions to the user that keep accepts.
func Questions(s *state.State, title string, keep func(*state.Question) bool) Section {
	sec := Section{Title: title}
	for _, q := range s.Questions.All() {
		if !keep(q) {
			continue
		}
		it := Item{ID: q.ID, Text: q.Text, Mark: string(q.Kind)}
		if q.Point != "" {
			it.Note("about", q.Point)
		}
		if len(q.Options) > 0 {
			it.Note("choices", strings.Join(q.Options, " | "))
		}
		switch {
		case q.Answered && q.Answer != "":
			it.Note("answered", q.Answer)
		case !q.Answered:
			it.Note("answered", "not yet")
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// WaitingQuestions are the questions that the user can still answer.
func WaitingQuestions(s *state.State) Section {
	return Questions(s, "WAITING FOR YOU", func(q *state.Question) bool { return !q.Answered && !s.Over() })
}

// SurfacedQuestions are all other questions.
func SurfacedQuestions(s *state.State) Section {
	return Questions(s, "SURFACED QUESTIONS", func(q *state.Question) bool { return q.Answered || s.Over() })
}

// NotEvaluated returns the points that were not evaluated, and the facts that were
// never verified or dismissed (LE5).
func NotEvaluated(s *state.State, points Section) Section {
	if !s.Over() {
		return points
	}
	for _, f := range s.Facts.All() {
		if f.Tag == ledger.TagUnverified && f.Live && !f.Evaluated {
			it := Item{ID: f.ID, Text: f.Text, Mark: f.Label()}
			it.Note("why", "a fact that nobody verified or dismissed (LE5)")
			points.Items = append(points.Items, it)
		}
	}
	return points
}

const (
	// Inconclusive is the heading of a session without a result.
	Inconclusive = "INCONCLUSIVE"
	// toAddModel says how to have passages judged.
	toAddModel = "To have a model answer and judge, name one: moot ask --consultee ollama:MODEL --orchestrator codex " +
		"\"…\" (moot doctor lists what this machine has)."
)

// AddVerdict says that a session came to nothing, with what blocks each point and what
// would resolve it, or that it only found passages (EX9).
func (d *Document) AddVerdict(s *state.State, rulings []state.Ruling) {
	switch {
	case s.Over() && resolver.Found(rulings):
		d.Heading, d.Verdict = "FOUND", []string{
			"These passages share words with the question. No model judged whether they answer it.", toAddModel,
		}
		return
	case !s.Inconclusive:
		return
	case s.Points.Len() == 0 && s.ByRules(state.Consultee):
		d.Heading, d.Verdict = Inconclusive, []string{
			"Nothing found that answers this. The built-in rules look for words; they understand nothing.", toAddModel,
		}
		return
	}
	lines := []string{"This session is inconclusive: no point was agreed and none was dismissed."}
	for i := range rulings {
		r := &rulings[i]
		p := s.Point(r.Point)
		if p == nil || p.MergedInto != "" {
			continue
		}
		blocker := p.ID
		if r.Status != state.StatusNone {
			blocker += " (" + string(r.Status) + ")"
		}
		lines = append(lines, fmt.Sprintf("%s: %s. It would be resolved by %s", blocker, r.Reason,
			cmp.Or(r.Crux, "a session that evaluates it")))
	}
	if len(lines) == 1 {
		lines = append(lines, "Nobody raised a point that could be judged: "+s.ExitReason)
	}
	d.Heading, d.Verdict = Inconclusive, lines
}

// RulingOn returns the ruling on a point, or nil.
func RulingOn(rulings []state.Ruling, point string) *state.Ruling {
	i := slices.IndexFunc(rulings, func(r state.Ruling) bool { return r.Point == point })
	if i < 0 {
		return nil
	}
	return &rulings[i]
}
