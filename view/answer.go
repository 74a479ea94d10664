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
	ID     string               `json:"id"`
	Text   string               `json:"text"`
	Points []string             `json:"points"`
	Denies []string             `json:"denies,omitempty"`
	Basis  resolver.AnswerBasis `json:"basis"`
	// Part is its place in a synthesis of views, or "".
	Part state.Part `json:"part,omitempty"`
	// Contested are objections of other seats. Unseen is true if no other seat saw the
	// sentence.
	Contested []Objection `json:"contested,omitempty"`
	Unseen    bool        `json:"unseen,omitempty"`
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
			ID: "S1", Text: text, Points: []string{}, Basis: resolver.BasisVerified,
		}}}
	}
	out := &Answer{By: cmp.Or(given.Corrects, given.By), Corrected: given.Corrects != "", LeftOut: given.LeftOut}
	bySeat := func(text string) bool {
		a := s.AnswerBy(out.By)
		return a != nil && slices.ContainsFunc(a.Sentences, func(one state.Sentence) bool { return one.Text == text })
	}
	for i := range given.Sentences {
		one := &given.Sentences[i]
		sentence := AnswerSentence{
			ID: one.ID, Text: one.Text, Points: Some(one.Points), Denies: one.Denies, Part: one.Part,
			Basis:  resolver.BasisOf(s, rulings, one),
			Unseen: len(given.Seen) == 0 && out.By != state.User && out.By != state.Protocol && bySeat(one.Text),
		}
		for _, c := range given.Contests {
			if c.Sentence == one.ID {
				sentence.Contested = append(sentence.Contested, Objection{c.By, c.Reason})
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
				it := one.item()
				if part != "" {
					it.Notes = append([]Note{{Label: "part", Text: partName(part)}}, it.Notes...)
				}
				sec.Items = append(sec.Items, it)
			}
		}
	}
	if s.Answer() == nil { // a decision
		sec.Items = []Item{{Text: a.Sentences[0].Text}}
		return sec
	}
	for _, out := range a.LeftOut {
		it := Item{Mark: "left out", Text: out.Text, Role: RoleDoubt}
		it.Note("why", out.Why)
		sec.Items = append(sec.Items, it)
	}
	for _, text := range a.Earlier {
		sec.Items = append(sec.Items, Item{Mark: "before", Text: text, Role: RoleQuiet})
	}
	switch by := "By the " + string(a.By); {
	case a.Corrected:
		sec.After = by + ", corrected by code after your decisions; what each sentence rests on is computed from the rulings."
	case a.By == state.Protocol:
		sec.After = "Composed by code from the rulings."
	case a.By == state.User:
		sec.After = "In your words."
	default:
		sec.After = by + "; what each sentence rests on is computed from the rulings."
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

func (one *AnswerSentence) item() Item {
	mark := string(one.Basis)
	if one.Basis == resolver.BasisRefuted {
		mark = "opposite dismissed"
	}
	it := Item{ID: one.ID, Mark: mark, Text: one.Text, Role: basisRole(one.Basis)}
	switch {
	case len(one.Points) > 0:
		it.Note("rests on", strings.Join(one.Points, ", "))
	case len(one.Denies) == 0:
		it.Note("rests on", "your word")
	}
	if len(one.Denies) > 0 {
		it.Note("denies", strings.Join(one.Denies, ", "))
	}
	for _, c := range one.Contested {
		it.Note("contested by "+string(c.Seat), c.Reason)
	}
	if one.Unseen {
		it.Note("caution", "no other seat saw this sentence")
	}
	return it
}

func basisRole(b resolver.AnswerBasis) Role {
	switch {
	case b == resolver.BasisUser:
		return RoleUser
	case slices.Index(resolver.Bases(), b) <= slices.Index(resolver.Bases(), resolver.BasisAgreed):
		return RoleGood
	}
	return RoleDoubt
}
