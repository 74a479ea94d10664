package protocol

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/resolver"
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
	OverrideAgree   = "agree"
	OverrideDismiss = "dismiss"
	OverrideReopen  = "reopen"
	OverrideFact    = "fact"
)

// Selection identifies the selected point, or "", and the id of the selected item, which may
// be a challenge, a fact, a question or a conflict.
type Selection struct{ Point, ID string }

// Overrides returns every decision that the user can make now: first those about what is
// selected, then the rest.
func Overrides(s *state.State, at Selection) []Override {
	o := Decisions{State: s, At: at}
	var list []Override
	if s.Closed {
		list = o.afterEnd()
	} else {
		list = Of(s).Overrides(o)
	}
	if s.ByEarlierRules() {
		for i := range list {
			list[i].Why = fmt.Sprintf("the session is read-only: version %d of the session file recorded it", s.Version)
		}
	}
	return list
}

// Decisions lists the overrides that are possible in a session.
type Decisions struct {
	*state.State
	At Selection
}

// afterEnd returns the overrides of a closed session (AN3).
func (o Decisions) afterEnd() []Override {
	if !DecidableAfterEnd(o.State) {
		return []Override{o.rewrite()}
	}
	var list []Override
	for _, q := range OpenToUser(o.State) {
		list = append(list, o.answer(q))
	}
	for _, build := range rulingsOnPoints() {
		list = append(list, o.OnPoint("point", func(point string) Override {
			rule := build(point)
			rule.Undo = ""
			rule.Fields = []view.Field{ReasonField("It goes on the record and may be empty. A later ruling replaces it.")}
			return rule
		}))
	}
	return slices.Concat(list, o.SelectedFact(), o.OnFacts(), []Override{o.rewrite()})
}

// Claims returns the overrides of a debate over claims.
func (o Decisions) Claims() []Override {
	first, rest := o.OnQuestions()
	return slices.Concat(o.SelectedFact(), first, o.OnPoints(), o.OnChallenges(), o.OnEvidence(), o.OnFacts(), rest,
		o.SessionOverrides(), o.Answered())
}

// SingleMove is the result of Build for a single move and its effect.
func SingleMove(move UserMove, done string) ([]UserMove, string, error) {
	return []UserMove{move}, done, nil
}

// WrongField is the result of Build for an invalid value.
func WrongField(key, format string, args ...any) ([]UserMove, string, error) {
	return nil, "", &view.FieldError{Key: key, Err: fmt.Errorf(format, args...)}
}

// Refusal says why the session would refuse a move now, or "".
func (o Decisions) Refusal(move UserMove) string {
	if _, err := AdmitUser(o.State, move); err != nil {
		return err.Error()
	}
	return ""
}

// ReasonField asks for a reason on one line.
func ReasonField(help string) view.Field {
	return view.Field{Key: "reason", Label: "Reason", Placeholder: "none", Help: help}
}

// OnPoint returns an override of the selected point. If none is selected, it lists the points. A
// "%" in the title and the heading is replaced by the point.
func (o Decisions) OnPoint(noun string, build func(point string) Override) Override {
	on := func(point string) Override {
		override := build(point)
		override.About = point
		override.Title = strings.ReplaceAll(override.Title, "%", point)
		override.Heading = strings.ReplaceAll(override.Heading, "%", point)
		return override
	}
	if o.At.Point != "" {
		return on(o.At.Point)
	}
	override := build("")
	override.Title = strings.ReplaceAll(override.Title, "%", "a "+noun)
	if o.Points.Len() == 0 {
		override.Why = "there is no " + noun + " yet"
	}
	override.Heading, override.Fields, override.Build = "Which "+noun+"?", nil, nil
	override.Choose = func() []Override {
		var list []Override
		for _, p := range o.Points.All() {
			if p.MergedInto == "" {
				one := on(p.ID)
				one.Title, one.Detail = p.ID, p.Text
				list = append(list, one)
			}
		}
		return list
	}
	return override
}

// OnPoints returns the overrides of points.
func (o Decisions) OnPoints() []Override {
	var list []Override
	for _, build := range append(rulingsOnPoints(),
		RulePoint(state.OverrideReopen, "reopen %", "your ruling is withdrawn and the seats argue it again"),
		challengePoint, EvidenceOn, o.kind,
	) {
		list = append(list, o.OnPoint("point", build))
	}
	return append(list, o.concede())
}

// rulingsOnPoints are the overrides that rule on a point.
func rulingsOnPoints() []func(point string) Override {
	return []func(point string) Override{
		RulePoint(state.OverrideAgree, "agree with %", "it is Agreed, whatever the seats say"),
		RulePoint(state.OverrideDismiss, "dismiss %", "it is Dismissed, whatever the seats say"),
		RulePoint(state.OverrideUnresolved, "leave % unresolved", "it is not argued any further"),
	}
}

// RulePoint builds the override that rules on a point.
func RulePoint(what state.OverrideKind, title, detail string) func(point string) Override {
	done := map[state.OverrideKind]string{
		state.OverrideAgree: "Agreed", state.OverrideDismiss: "Dismissed", state.OverrideUnresolved: "Unresolved",
		state.OverrideReopen: "open again",
	}[what]
	help, undo := "It goes on the record and may be empty. Reopening the point withdraws this ruling.", OverrideReopen
	if what == state.OverrideReopen {
		help, undo = "It goes on the record and may be empty.", ""
	}
	return func(point string) Override {
		return Override{
			ID: string(what), Title: title, Detail: detail, Heading: strings.ToUpper(title[:1]) + title[1:], Undo: undo,
			Fields: []view.Field{ReasonField(help)},
			Build: func(v view.Values) ([]UserMove, string, error) {
				return SingleMove(RuleOn{Point: point, What: what, Reason: v["reason"]}, point+" is "+done+", by you")
			},
		}
	}
}

// Among returns the overrides of the selection. Without any, it lets the user choose from all, or says
// why the list is empty.
func Among(selected, all []Override, choose Override, none string) []Override {
	if len(selected) > 0 {
		return selected
	}
	choose.Choose = func() []Override { return all }
	if len(all) == 0 {
		choose.Why = none
	}
	return []Override{choose}
}

// challengePoint attacks a point on behalf of the user.
func challengePoint(point string) Override {
	return Override{
		ID: "challenge", Title: "challenge %", Detail: "your objection, which must be answered",
		Heading: "Challenge " + point,
		Fields: []view.Field{
			{
				Key: "class", Label: "Challenge", Kind: view.FieldSelect, Help: "What you say about " + point + ".",
				Choices: []view.Choice{
					{Value: string(state.Skeptical), Help: "something is missing that would settle it"},
					{Value: string(state.Reject), Help: "it is wrong, and an answer must show otherwise"},
				},
			},
			{
				Key: "objection", Label: "Objection", Kind: view.FieldText, Required: true,
				Help: "The flaw, in one sentence.",
			},
		},
		Build: func(v view.Values) ([]UserMove, string, error) {
			move := ChallengePoint{Point: point, Class: state.Class(v["class"]), Objection: v["objection"]}
			return SingleMove(move, point+" is challenged, by you")
		},
	}
}

func relationField() view.Field {
	f := view.Field{Key: "relation", Label: "It", Kind: view.FieldSelect, Help: "Which way your evidence points."}
	for _, r := range ledger.Relations() {
		label := string(r) + " it"
		if r == ledger.Neutral {
			label = "is neutral"
		}
		f.Choices = append(f.Choices, view.Choice{Value: string(r), Label: label})
	}
	return f
}

// EvidenceOn adds evidence on a point.
func EvidenceOn(point string) Override {
	return Override{
		ID: "evidence", Title: "give evidence on %", Detail: "yours counts as verified",
		Heading: "Evidence on " + point,
		Fields: []view.Field{
			relationField(),
			{
				Key: "text", Label: "Evidence", Kind: view.FieldText, Required: true,
				Help: "What you know. It counts as verified.",
			},
			{
				Key: "reference", Label: "Reference", Placeholder: "none",
				Help: "Where you found it, such as queue/consumer.go:88. It may be empty.",
			},
		},
		Build: func(v view.Values) ([]UserMove, string, error) {
			return SingleMove(SupplyEvidence{
				Point: point, Text: v["text"], Reference: v["reference"], Relation: ledger.Relation(v["relation"]),
			}, "your evidence on "+point+" is recorded")
		},
	}
}

// kind sets the kind of a point.
func (o Decisions) kind(point string) Override {
	set := ""
	if p := o.Point(point); p != nil {
		set = string(p.UserKind)
	}
	return Override{
		ID: "kind", Title: "set the kind of %", Detail: "empirical, value, decision or position", Heading: "Kind of " + point,
		Fields: []view.Field{{
			Key: "kind", Label: "Kind", Kind: view.FieldSelect, Default: set,
			Help: "The last choice leaves it to the seats.",
			Choices: []view.Choice{
				{Value: string(state.Empirical), Help: "evidence can settle it"},
				{Value: string(state.Value), Help: "a judgment that is yours to make"},
				{Value: string(state.Decision), Help: "what shall be done; its challenges test it"},
				{Value: string(state.Position), Help: "what somebody holds; its challenges test it"},
				{Label: "as the seats say", Help: "nothing set by you"},
			},
		}},
		Build: func(v view.Values) ([]UserMove, string, error) {
			done := point + " is " + v["kind"] + ", by you"
			switch v["kind"] {
			case string(state.Value), string(state.Decision), string(state.Position):
				done = point + " is a " + resolver.KindName(state.Kind(v["kind"])) + ", by you"
			case "":
				done = "the seats decide the kind of " + point
			}
			return SingleMove(SetKind{Point: point, Kind: state.Kind(v["kind"])}, done)
		},
	}
}

// concede gives up a point that the user raised.
func (o Decisions) concede() Override {
	point := o.At.Point
	override := Override{
		ID: "concede", About: point, Title: "concede a point", Detail: "you give up a point that you raised",
		Heading: "Concede " + point,
		Fields:  []view.Field{ReasonField("What changed your mind. It may be empty.")},
		Build: func(v view.Values) ([]UserMove, string, error) {
			return SingleMove(ConcedePoint{Point: point, Reason: v["reason"]}, point+" is conceded, by you")
		},
	}
	if point != "" {
		override.Title = "concede " + point
	}
	switch p := o.Point(point); {
	case p == nil:
		override.Why = "select a point that you raised"
	case !p.IsAuthor(state.User):
		override.Why = p.ID + " is not yours; dismiss it instead"
	}
	return override
}

// OnEvidence returns the overrides that say whether an item bears on its point: the selected
// one, or those on the point.
func (o Decisions) OnEvidence() []Override {
	var list []Override
	for _, e := range o.Evidence.All() {
		if e.ID != o.At.ID && (e.Point != o.At.Point || o.Item(o.At.ID) != nil) || !e.Proven() {
			continue
		}
		for _, w := range []struct {
			id, heading, done, means, help string
		}{
			{"accept", "Accept ", " is accepted, by you", "it bears on ", "Contests of it end."},
			{"refuse", "Refuse ", " is refused, by you", "it does not bear on ", "Why it does not bear on the point."},
		} {
			list = append(list, Override{
				ID: w.id, About: e.ID, Title: w.id + " " + e.ID, Detail: w.means + e.Point + ": " + e.Reference,
				Heading: w.heading + e.ID, Fields: []view.Field{ReasonField(w.help)},
				Build: func(v view.Values) ([]UserMove, string, error) {
					move := WeighEvidence{Evidence: e.ID, Accept: w.id == "accept", Reason: v["reason"]}
					return SingleMove(move, e.ID+w.done)
				},
			})
		}
	}
	return list
}

// OnChallenges returns the overrides that answer a challenge in place of a seat: the
// selected one, those on the point, or any.
func (o Decisions) OnChallenges() []Override {
	var list, all []Override
	for _, c := range o.Challenges.All() {
		override := o.AnswerChallenge(c, "in place of the seat: "+c.Objection)
		if c.ID == o.At.ID || c.Point == o.At.Point && !c.Settled() && !resolver.Idle(o.State, c) {
			list = append(list, override)
		}
		override.Title, override.Detail = c.ID+" on "+c.Point, c.Objection
		all = append(all, override)
	}
	return Among(list, all, Override{
		ID: "answer", Title: "answer a challenge", Detail: "in place of a seat", Heading: "Which challenge?",
	}, "there is no challenge yet")
}

// AnswerChallenge answers a challenge in the place of its author.
func (o Decisions) AnswerChallenge(c *state.Challenge, detail string) Override {
	return Override{
		ID: "answer", About: c.ID, Title: "answer " + c.ID, Detail: detail,
		Heading: "Answer " + c.ID + " on " + c.Point,
		Fields: []view.Field{{
			Key: "text", Label: "Answer", Kind: view.FieldText, Required: true,
			Help: "To: " + c.Objection,
		}},
		Build: func(v view.Values) ([]UserMove, string, error) {
			return SingleMove(AnswerChallenge{Challenge: c.ID, Text: v["text"]}, c.ID+" is answered, by you")
		},
	}
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
	priorities := o.priorities(nil)
	if o.Points.Len() == 0 {
		priorities.Why = "there is no point yet"
	}
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
	return []Override{priorities, o.budget(), o.rewrite(), end}
}

// rewrite replaces the answer with the user's own words.
func (o Decisions) rewrite() Override {
	override := Override{
		ID: "rewrite", Title: "rewrite the answer", Detail: "in your words, marked as yours",
		Heading: "The answer, in your words",
		Fields: []view.Field{{
			Key: "text", Label: "Answer", Kind: view.FieldText, Default: AnswerText(o.State), Required: true,
			Help: "A sentence on each line, at most six, with the points that it rests on: It is safe. [P1 P3]",
		}},
		Build: func(v view.Values) ([]UserMove, string, error) {
			move := RewriteAnswer{Text: v["text"]}
			if why := o.Refusal(move); why != "" {
				return WrongField("text", "%s", why)
			}
			return SingleMove(move, "the answer is yours now")
		},
	}
	if o.Answer() == nil {
		override.Title = "write the answer"
	}
	if Of(o.State).AnswerSeat(o.State) == "" {
		override.Why = "the answer of this format is its decision"
	}
	return override
}

// priorities keeps points in scope, as the answer to a question if there is one.
func (o Decisions) priorities(q *state.Question) Override {
	points := view.Field{
		Key: "points", Label: "Keep", Required: true, Kind: view.FieldMultiSelect,
		Help: fmt.Sprintf("At most %d. The others are set aside, and a later choice brings them back.", MaxInScope),
	}
	for _, p := range o.Points.All() {
		if p.MergedInto == "" {
			points.Choices = append(points.Choices, view.Choice{Value: p.ID, Help: p.Text})
		}
	}
	override := Override{
		ID: "priorities", Title: "set priorities", Detail: fmt.Sprintf("at most %d points stay in scope", MaxInScope),
		Heading: "Which points matter most?", Fields: []view.Field{points},
	}
	override.Build = func(v view.Values) ([]UserMove, string, error) {
		ids := namedPoints(v["points"])
		if len(ids) > MaxInScope {
			return WrongField("points", "%d are selected, and at most %d can be evaluated", len(ids), MaxInScope)
		}
		done := "kept in scope: " + strings.Join(ids, " ")
		if q != nil {
			return SingleMove(AnswerQuestion{Question: q.ID, Answer: strings.Join(ids, " ")}, done)
		}
		return SingleMove(SetPriority{Points: ids}, done)
	}
	return override
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

// AnswerOverride answers a question of the session.
func AnswerOverride(s *state.State, q *state.Question) Override { return Decisions{State: s}.answer(q) }

// QuestionSubject describes in a few words what a question asks for, and what answering it does.
func QuestionSubject(s *state.State, q *state.Question) (subject, action string) {
	if a, own := Of(s).QuestionInfo(s, q); own && a.Subject != "" {
		return a.Subject, a.Action
	}
	switch q.Kind {
	case state.QuestionBlocked:
		return "missing data", "answer"
	case state.QuestionTradeoff:
		return "a side to choose", "choose a side"
	case state.QuestionDefinition:
		return "a term to define", "define the term"
	case state.QuestionAnchorShift:
		return "another reading", "accept another reading, or refuse it"
	case state.QuestionPriority:
		return "priorities to set", "set priorities"
	case state.QuestionApproval:
		return "your approval", "approve or refuse"
	case state.QuestionEscalation:
		return "blocked proposal", "decide what blocks the proposal"
	case state.QuestionConstraint:
		return "a fact of yours", "say what holds"
	}
	return string(q.Kind), "answer"
}

func (o Decisions) answer(q *state.Question) Override {
	subject, action := QuestionSubject(o.State, q)
	if q.Kind == state.QuestionPriority {
		override := o.priorities(q)
		override.ID, override.About, override.Title, override.Detail = "question", q.ID, q.ID+": "+action, q.Text
		override.Heading = q.ID + " asks you: which points matter most?"
		return override
	}
	override := Override{
		ID: "question", About: q.ID, Title: q.ID + ": " + action, Detail: q.Text,
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
