package protocol

import (
	"fmt"
	"math"
	"strconv"

	"moot/ledger"
	"moot/state"
	"moot/view"
)

// Override is one decision that the user can make now, as data. A front end lists the
// overrides, shows the fields of the one that is chosen, and passes the moves that Build
// returns to the session.
type Override struct {
	// ID names the decision, About its subject: "agree" and "P1". About may be "". Together they
	// are unique in a list.
	ID, About string
	// Title and Detail describe it in a list, Why says why it is not possible now, or "".
	Title, Detail, Why string
	// Heading is the title of its form, or of the list that Choose returns.
	Heading string
	// Question is the question that it answers, Info what the user should know about it.
	Question *state.Question
	Info     QuestionInfo
	Fields   []view.Field
	// Build converts the values to moves, and describes their effect. No moves means that the user
	// decided against it. An error of type *view.FieldError says which value is wrong.
	Build func(v view.Values) (moves []UserMove, done string, err error)
	// Undo is the id of the override that undoes it, or "".
	Undo string
	// Choose, if set, lists the same decision for each possible subject. Fields and Build are then
	// empty.
	Choose func() []Override
}

// The ids of the overrides that have a key of their own.
const (
	OverrideAgree    = "agree"
	OverrideDismiss  = "dismiss"
	OverrideReopen   = "reopen"
	OverrideFact     = "fact"
	OverrideIntended = "intended"
	OverrideMerge    = "merge"
	OverrideSplit    = "split"
)

// answersQuestion is the id of the overrides that answer questions.
const answersQuestion = "question"

// Selection identifies the selected point, or "", and the id of the selected item, which may
// be a challenge, a fact, a question or a conflict.
type Selection struct{ Point, ID string }

// Decisions lists the overrides that are possible in a session.
type Decisions struct {
	*state.State
	At Selection
}

// SingleMove is the result of Build for a single move and its effect.
func SingleMove(move UserMove, done string) ([]UserMove, string, error) {
	return []UserMove{move}, done, nil
}

// WrongField is the result of Build for an invalid value.
func WrongField(key, format string, args ...any) ([]UserMove, string, error) {
	return nil, "", &view.FieldError{Key: key, Err: fmt.Errorf(format, args...)}
}

// ReasonField asks for a reason on one line.
func ReasonField(help string) view.Field {
	return view.Field{Key: "reason", Label: "Reason", Placeholder: "none", Help: help}
}

// SelectedFact replaces the selected fact.
func (o Decisions) SelectedFact() []Override {
	if f := o.Fact(o.At.ID); f != nil && f.Live {
		override := o.recordFact(f)
		override.Title, override.Detail = "replace "+f.ID, f.Text
		return []Override{override}
	}
	return nil
}

// OnFacts returns the overrides that record facts.
func (o Decisions) OnFacts() []Override {
	fact := o.recordFact(nil)
	fact.Title, fact.Detail = "record a fact or constraint", "it outranks everyone, and every prompt includes it"
	term := Override{
		ID: "term", Title: "define a term", Detail: "what a word means, recorded as your fact",
		Heading: "Define a term",
		Fields: []view.Field{
			{Key: "term", Label: "Term", Required: true, Help: "The word or phrase."},
			{
				Key: "meaning", Label: "Means", Required: true,
				Help: "What it means in this session. Recorded as your fact.",
			},
		},
		Build: func(v view.Values) ([]UserMove, string, error) {
			return SingleMove(RecordFact{Text: v["term"] + " means " + v["meaning"]},
				"the definition is recorded as a fact of the user")
		},
	}
	replace := Override{
		ID: "replace", Title: "replace a fact", Detail: "the older one stays on the record",
		Heading: "Which fact?",
	}
	replace.Choose = func() []Override {
		var list []Override
		for _, f := range o.Facts.All() {
			if f.Live {
				override := o.recordFact(f)
				override.Title, override.Detail = f.ID, f.Text
				list = append(list, override)
			}
		}
		return list
	}
	if len(replace.Choose()) == 0 {
		replace.Why = "there is no fact yet"
	}
	return []Override{fact, term, replace}
}

// recordFact records a fact, or replaces an older one.
func (o Decisions) recordFact(old *ledger.Fact) Override {
	override := Override{ID: OverrideFact, Heading: "Record a fact, as the user"}
	field := view.Field{
		Key: "fact", Label: "Fact", Required: true,
		Help: "Outranks everyone and is in every prompt. Code checks limits like retries <= 2.",
	}
	move, done := RecordFact{}, "recorded as a fact of the user"
	if old != nil {
		override.ID, override.About, override.Heading = "replace", old.ID, "Replace "+old.ID
		field.Default, move.Supersedes, done = old.Text, old.ID, old.ID+" is replaced and stays on the record"
	}
	override.Fields = []view.Field{field}
	override.Build = func(v view.Values) ([]UserMove, string, error) {
		move.Text = v["fact"]
		return SingleMove(move, done)
	}
	return override
}

// SessionOverrides decides how the session continues.
func (o Decisions) SessionOverrides() []Override {
	end := Override{
		ID: "end", Title: "close the session", Detail: "now; open points become Unresolved",
		Heading: "Close the session",
		Fields: []view.Field{
			{
				Key: "sure", Label: "Close it?", Kind: view.FieldConfirm, Default: view.No,
				Help: "No seat is asked after that. You can still rule, and a fork continues from an earlier event.",
			},
			ReasonField("It goes on the record and may be empty."),
		},
		Build: func(v view.Values) ([]UserMove, string, error) {
			if v["sure"] != view.Yes {
				return nil, "the session stays open", nil
			}
			return SingleMove(EndSession{Reason: v["reason"]}, "the session is closing, by you")
		},
	}
	if o.Over() {
		end.Why = "it is closing already"
	}
	return []Override{o.budget(), end}
}

// budget sets the caps. The form shows the current ones.
func (o Decisions) budget() Override {
	field := func(key, label, help, value string, capped bool) view.Field {
		if !capped {
			value = ""
		}
		return view.Field{Key: key, Label: label, Default: value, Placeholder: "no cap", Help: help}
	}
	used := "Used so far: " + view.UsageRow(o.Usage)
	return Override{
		ID: "budget", Title: "set the budget", Heading: "Budget: an empty cap means no cap",
		Detail: used,
		Fields: []view.Field{
			field("tokens", "Tokens", "Prompt and completion. "+used, strconv.Itoa(o.MaxTokens), o.MaxTokens > 0),
			field("cost", "Cost in $", "US dollars. "+used,
				strconv.FormatFloat(o.MaxCost, 'f', -1, 64), o.MaxCost > 0),
			field("seconds", "Seconds", "Running time.", strconv.Itoa(o.MaxSeconds), o.MaxSeconds > 0),
		},
		Build: func(v view.Values) ([]UserMove, string, error) {
			var caps [3]float64
			for i, key := range []string{"tokens", "cost", "seconds"} {
				if v[key] == "" {
					continue
				}
				var err error
				caps[i], err = strconv.ParseFloat(v[key], 64)
				whole := key == "cost" || caps[i] == math.Trunc(caps[i])
				if err != nil || !whole || math.IsNaN(caps[i]) || math.Abs(caps[i]) > math.MaxInt32 {
					return WrongField(key, "not a number: enter a cap, or leave it empty for none")
				}
			}
			move := SetBudget{MaxTokens: int(caps[0]), MaxCost: caps[1], MaxSeconds: int(caps[2])}
			return SingleMove(move, "the budget is set")
		},
	}
}

// OnQuestions returns the overrides that answer the session's questions: first the questions
// about the selection, or all if no point is selected, then the rest.
func (o Decisions) OnQuestions() (first, rest []Override) {
	for _, q := range o.Questions.All() {
		switch {
		case q.Answered:
		case q.ID == o.At.ID || o.At.Point == "" || q.Point == o.At.Point:
			first = append(first, o.answer(q))
		default:
			rest = append(rest, o.answer(q))
		}
	}
	return first, rest
}

// Answered returns the overrides that answer a question again. The later answer replaces the
// earlier one.
func (o Decisions) Answered() []Override {
	var list []Override
	for _, q := range o.Questions.All() {
		if !q.Answered {
			continue
		}
		override := o.answer(q)
		override.Title += " again"
		override.Detail = "so far: " + q.Answer
		if q.Answer == "" {
			override.Detail = "it was left without an answer"
		}
		list = append(list, override)
	}
	return list
}

func (o Decisions) answer(q *state.Question) Override {
	subject, action := QuestionSubject(o.State, q)
	override := Override{
		ID: answersQuestion, About: q.ID, Title: q.ID + ": " + action, Detail: q.Text,
		Heading:  q.ID + " asks you: " + subject,
		Question: q, Info: QuestionInfoOf(o.State, q),
	}
	field := view.Field{Key: "answer", Label: "Answer", Required: true, Placeholder: "your answer"}
	if len(q.Options) > 0 {
		field.Kind, field.Other, field.OtherPlaceholder = view.FieldSelect, "another answer", "your answer"
		// Enter alone must never approve a command or let a proposal advance.
		field.NoDefault = q.Kind == state.QuestionApproval || q.Kind == state.QuestionEscalation ||
			q.Kind == state.QuestionConstraint
		for i, option := range q.Options {
			choice := view.Choice{Value: option}
			if i < len(override.Info.Does) {
				choice.Help = override.Info.Does[i]
			}
			field.Choices = append(field.Choices, choice)
		}
	}
	override.Fields = []view.Field{field}
	override.Build = func(v view.Values) ([]UserMove, string, error) {
		return SingleMove(AnswerQuestion{Question: q.ID, Answer: v["answer"]}, q.ID+" is answered")
	}
	return override
}

// UserMove is a decision of the user that overrules everyone, between any two events: one of the types below, or of
// those that a format adds.
type UserMove any

// RecordFact adds a user fact; Supersedes is an older one or "".
type RecordFact struct {
	Text       string
	Supersedes string
}

// AnswerQuestion answers a question that the session surfaced: missing data, a
// side of a tradeoff, a definition, consent to an anchor shift, priorities.
type AnswerQuestion struct{ Question, Answer string }

// Through is a decision of the user with the channel that it came through. Others came through a terminal.
type Through struct {
	Channel state.Channel
	Move    UserMove
}

// SetBudget sets new caps; 0 removes one.
type SetBudget struct {
	MaxTokens  int
	MaxCost    float64
	MaxSeconds int
}

// EndSession closes the session now (EX5); open points become Unresolved.
type EndSession struct{ Reason string }
