package view

import (
	"cmp"
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// Answer is the answer to the question of a session, with what each sentence rests on (AN).
type Answer struct {
	// By is a seat, "user", or "protocol" if code composed it or decided.
	By        state.Seat       `json:"by"`
	Sentences []AnswerSentence `json:"sentences"`
	// LeftOut are sentences that the rulings did not allow.
	LeftOut []state.LeftOut `json:"left_out,omitempty"`
	// Corrected says that code corrected the answer of a seat, which By names, after a decision of the user.
	Corrected bool `json:"corrected,omitempty"`
	// Earlier are the sentences of earlier answers that the answer has no longer.
	Earlier []string `json:"earlier,omitempty"`
}

// AnswerSentence is one sentence of an answer.
type AnswerSentence struct {
	ID     string   `json:"id"`
	Text   string   `json:"text"`
	Points []string `json:"points"`
	Denies []string `json:"denies,omitempty"`
	// Basis is the weakest of the points, and Marks says what is true of each. Neither says that the sentence is true.
	Basis resolver.AnswerBasis `json:"basis"`
	Marks []resolver.Mark      `json:"marks"`
	// Contested are objections of other seats. Unopposed are the seats that saw the sentence of a seat and did not
	// object, Unread those that saw it and wrote something that could not be used. Unseen is true if no other seat saw
	// it.
	Contested []Objection  `json:"contested,omitempty"`
	Unopposed []state.Seat `json:"unopposed,omitempty"`
	Unread    []state.Seat `json:"unread,omitempty"`
	Unseen    bool         `json:"unseen,omitempty"`
	// NotShown says that the sentence is not one of a seat, so that it was shown to none: code or the user wrote it.
	NotShown bool `json:"not_shown,omitempty"`
	// Part is its place in a synthesis of views, or "".
	Part state.Part `json:"part,omitempty"`
}

// Objection is a seat's reason against a sentence.
type Objection struct {
	Seat   state.Seat `json:"seat"`
	Reason string     `json:"reason"`
}

// Concluded is the part that all outcomes have in the exported JSON.
type Concluded struct {
	Kind   state.Format `json:"kind"`
	Answer *Answer      `json:"answer,omitempty"`
}

// Conclude returns the part that all outcomes have.
func Conclude(s *state.State) Concluded {
	return Concluded{Kind: s.Settings.Format, Answer: AnswerOf(s, resolver.Rule(s))}
}

// AnswerOf returns the answer to the question, or nil. In a format that ends with a decision, that
// is the answer.
func AnswerOf(s *state.State, rulings []state.Ruling) *Answer {
	given := s.Answer()
	if given == nil {
		text := FormatOf(s).Decision(s)
		if text == "" {
			return nil
		}
		return &Answer{By: state.Protocol, Sentences: []AnswerSentence{{
			ID: "S1", Text: text, Points: []string{}, Basis: resolver.BasisDecided, Marks: []resolver.Mark{},
		}}}
	}
	out := &Answer{By: cmp.Or(given.Corrects, given.By), Corrected: given.Corrects != "", LeftOut: given.LeftOut}
	// Only the sentences of a seat are put to the other seats, not those that code or the user adds.
	bySeat := func(text string) bool {
		a := s.AnswerBy(out.By)
		return a != nil && out.By != state.User && out.By != state.Protocol &&
			slices.ContainsFunc(a.Sentences, func(one state.Sentence) bool { return one.Text == text })
	}
	for i := range given.Sentences {
		one := &given.Sentences[i]
		sentence := AnswerSentence{
			ID: one.ID, Text: one.Text, Points: Some(one.Points), Denies: one.Denies, Part: one.Part,
			Basis: resolver.BasisOf(s, rulings, one), Marks: resolver.Marks(s, rulings, one),
		}
		for _, c := range given.Contests {
			if c.Sentence == one.ID {
				sentence.Contested = append(sentence.Contested, Objection{c.By, c.Reason})
			}
		}
		if sentence.NotShown = !bySeat(one.Text); !sentence.NotShown {
			sentence.Unseen = len(given.Seen) == 0
			for _, seat := range given.Seen {
				lost := func(r state.Refusal) bool { return r.Code != state.DroppedField }
				switch {
				case slices.ContainsFunc(sentence.Contested, func(o Objection) bool { return o.Seat == seat }):
				case slices.ContainsFunc(s.AskedOf(seat, state.StageConclude).Refusals, lost):
					sentence.Unread = append(sentence.Unread, seat)
				default:
					sentence.Unopposed = append(sentence.Unopposed, seat)
				}
			}
		}
		out.Sentences = append(out.Sentences, sentence)
	}
	for i := range len(s.Answers) - 1 {
		for _, one := range s.Answers[i].Sentences {
			still := func(now state.Sentence) bool { return now.Text == one.Text }
			left := func(now state.LeftOut) bool { return now.Text == one.Text }
			if !slices.Contains(out.Earlier, one.Text) && !slices.ContainsFunc(given.Sentences, still) &&
				!slices.ContainsFunc(given.LeftOut, left) {
				out.Earlier = append(out.Earlier, one.Text)
			}
		}
	}
	return out
}

// answer returns the answer as a section of the result.
func answer(s *state.State, rulings []state.Ruling) Section {
	sec := Section{Title: "ANSWER", Uncounted: true}
	a := AnswerOf(s, rulings)
	if a == nil {
		return sec
	}
	// The parts of a synthesis are groups, in this order; sentences without a part come last.
	for _, part := range append(state.Parts(), "") {
		for i := range a.Sentences {
			if one := &a.Sentences[i]; one.Part == part {
				it := one.item(Record{State: s, Rulings: rulings})
				if part != "" {
					it.Notes = append([]Note{{Label: "part", Text: partName(part)}}, it.Notes...)
				}
				sec.Items = append(sec.Items, it)
			}
		}
	}
	if s.Answer() == nil { // a decision
		it := Item{ID: a.Sentences[0].ID, Text: a.Sentences[0].Text}
		it.Note("objections", Stated("sentence", Record{State: s}))
		sec.Items = []Item{it}
		return sec
	}
	for _, out := range a.LeftOut {
		it := Item{Mark: "Left out", Text: out.Text, Role: RoleDoubt}
		it.Note("why", out.Why)
		sec.Items = append(sec.Items, it)
	}
	for _, text := range a.Earlier {
		sec.Items = append(sec.Items, Item{Mark: "Before", Text: text, Role: RoleQuiet})
	}
	const computed = "a mark says how code ruled on that claim, not whether the sentence is true."
	switch by := "By the " + string(a.By); {
	case a.Corrected:
		sec.After = by + ", corrected by code after your decisions; " + computed
	case a.By == state.Protocol:
		sec.After = "Composed by code from the rulings."
	case a.By == state.User:
		sec.After = "In your words."
	default:
		sec.After = by + "; " + computed
	}
	return sec
}

// partName describes a part of a synthesis.
func partName(part state.Part) string {
	switch part {
	case state.PartShared:
		return "what the views share"
	case state.PartDiffers:
		return "where they part"
	case state.PartGivesUp:
		return "what a view gives up"
	}
	return string(part)
}

// Rests returns the points that the sentence asserts, each with its mark: "✓ P1 cited, ✗ P4 disputed".
func (one *AnswerSentence) Rests() string { return one.marks(false) }

// Denied is Rests for the points of which the sentence says the opposite.
func (one *AnswerSentence) Denied() string { return one.marks(true) }

func (one *AnswerSentence) marks(denied bool) string {
	var words []string
	for i := range one.Marks {
		m := &one.Marks[i]
		if m.Denied != denied {
			continue
		}
		glyph := "? "
		switch {
		case m.Firm():
			glyph = "✓ "
		case m.Basis == resolver.BasisDisputed, m.Ended != "":
			glyph = "✗ "
		}
		words = append(words, glyph+m.Point+" "+m.Word())
	}
	return strings.Join(words, ", ")
}

func (one *AnswerSentence) item(r Record) Item {
	it := Item{ID: one.ID, Text: one.Text}
	if rests := one.Rests(); rests != "" {
		it.Note("rests on", rests)
	}
	if denied := one.Denied(); denied != "" {
		it.Note("denies", denied)
	}
	if one.Basis == resolver.BasisUser && len(one.Marks) == 0 {
		it.Note("rests on", "your word")
	}
	it.Notes = append(it.Notes, one.objections(r)...)
	return it
}

// objections says which seats objected to the sentence, which did not, and if none could.
func (one *AnswerSentence) objections(r Record) (notes []Note) {
	for _, c := range one.Contested {
		notes = append(notes, Note{Label: "contested by " + string(c.Seat), Text: c.Reason})
	}
	if len(one.Unopposed) > 0 {
		notes = append(notes, Note{Label: "objections", Text: resolver.SeatNames(one.Unopposed) + " did not object"})
	}
	if len(one.Unread) > 0 {
		text := "a part of the reply of " + resolver.SeatNames(one.Unread) + " could not be used"
		notes = append(notes, Note{Label: "objections", Text: text})
	}
	if text := Stated("sentence", r.On(one.ID)); text != "" && len(notes) == 0 {
		notes = append(notes, Note{Label: "objections", Text: text})
	}
	return notes
}
