package claims

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Decisions lists the overrides that are possible in a debate over claims.
type Decisions struct{ protocol.Decisions }

// Claims returns the overrides of a debate over claims.
func (o Decisions) Claims() []protocol.Override {
	first, rest := o.OnQuestions()
	return slices.Concat(o.SelectedFact(), first, o.OnPoints(), o.OnChallenges(), o.OnEvidence(), o.OnFacts(), rest,
		o.SessionOverrides(), o.Answered())
}

// OnPoint returns an override of the selected point. If none is selected, it lists the points. A
// "%" in the title and the heading is replaced by the point.
func (o Decisions) OnPoint(noun string, build func(point string) protocol.Override) protocol.Override {
	on := func(point string) protocol.Override {
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
	override.Choose = func() []protocol.Override {
		var list []protocol.Override
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
func (o Decisions) OnPoints() []protocol.Override {
	var list []protocol.Override
	for _, build := range append(rulingsOnPoints(),
		RulePoint(state.OverrideReopen, "reopen %", "your ruling is withdrawn and the seats argue it again"),
		challengePoint, EvidenceOn, o.kind,
	) {
		list = append(list, o.OnPoint("point", build))
	}
	return append(list, o.concede())
}

// rulingsOnPoints are the overrides that rule on a point.
func rulingsOnPoints() []func(point string) protocol.Override {
	return []func(point string) protocol.Override{
		RulePoint(state.OverrideAgree, "agree with %", "it is Agreed, whatever the seats say"),
		RulePoint(state.OverrideDismiss, "dismiss %", "it is Dismissed, whatever the seats say"),
		RulePoint(state.OverrideUnresolved, "leave % unresolved", "it is not argued any further"),
	}
}

// RulePoint builds the override that rules on a point.
func RulePoint(what state.OverrideKind, title, detail string) func(point string) protocol.Override {
	done := map[state.OverrideKind]string{
		state.OverrideAgree: "Agreed", state.OverrideDismiss: "Dismissed", state.OverrideUnresolved: "Unresolved",
		state.OverrideIntended: "intended", state.OverrideReopen: "open again",
	}[what]
	help, undo := "It goes on the record and may be empty. Reopening the point withdraws this ruling.", protocol.OverrideReopen
	if what == state.OverrideReopen {
		help, undo = "It goes on the record and may be empty.", ""
	}
	return func(point string) protocol.Override {
		return protocol.Override{
			ID: string(what), Title: title, Detail: detail, Heading: strings.ToUpper(title[:1]) + title[1:], Undo: undo,
			Fields: []view.Field{protocol.ReasonField(help)},
			Build: func(v view.Values) ([]protocol.UserMove, string, error) {
				return protocol.SingleMove(
					RuleOn{Point: point, What: what, Reason: v["reason"]},
					point+" is "+done+", by you",
				)
			},
		}
	}
}

// Among returns the overrides of the selection. Without any, it lets the user choose from all, or says
// why the list is empty.
func Among(selected, all []protocol.Override, choose protocol.Override, none string) []protocol.Override {
	if len(selected) > 0 {
		return selected
	}
	choose.Choose = func() []protocol.Override { return all }
	if len(all) == 0 {
		choose.Why = none
	}
	return []protocol.Override{choose}
}

// challengePoint attacks a point on behalf of the user.
func challengePoint(point string) protocol.Override {
	return protocol.Override{
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
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			move := ChallengePoint{Point: point, Class: state.Class(v["class"]), Objection: v["objection"]}
			return protocol.SingleMove(move, point+" is challenged, by you")
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
func EvidenceOn(point string) protocol.Override {
	return protocol.Override{
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
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			return protocol.SingleMove(SupplyEvidence{
				Point: point, Text: v["text"], Reference: v["reference"], Relation: ledger.Relation(v["relation"]),
			}, "your evidence on "+point+" is recorded")
		},
	}
}

// kind sets the kind of a point.
func (o Decisions) kind(point string) protocol.Override {
	set := ""
	if p := o.Point(point); p != nil {
		set = string(p.UserKind)
	}
	return protocol.Override{
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
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			done := point + " is " + v["kind"] + ", by you"
			switch v["kind"] {
			case string(state.Value), string(state.Decision), string(state.Position):
				done = point + " is a " + resolver.KindName(state.Kind(v["kind"])) + ", by you"
			case "":
				done = "the seats decide the kind of " + point
			}
			return protocol.SingleMove(SetKind{Point: point, Kind: state.Kind(v["kind"])}, done)
		},
	}
}

// concede gives up a point that the user raised.
func (o Decisions) concede() protocol.Override {
	point := o.At.Point
	override := protocol.Override{
		ID: "concede", About: point, Title: "concede a point", Detail: "you give up a point that you raised",
		Heading: "Concede " + point,
		Fields:  []view.Field{protocol.ReasonField("What changed your mind. It may be empty.")},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			return protocol.SingleMove(ConcedePoint{Point: point, Reason: v["reason"]}, point+" is conceded, by you")
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
func (o Decisions) OnEvidence() []protocol.Override {
	var list []protocol.Override
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
			list = append(list, protocol.Override{
				ID: w.id, About: e.ID, Title: w.id + " " + e.ID, Detail: w.means + e.Point + ": " + e.Reference,
				Heading: w.heading + e.ID, Fields: []view.Field{protocol.ReasonField(w.help)},
				Build: func(v view.Values) ([]protocol.UserMove, string, error) {
					move := WeighEvidence{Evidence: e.ID, Accept: w.id == "accept", Reason: v["reason"]}
					return protocol.SingleMove(move, e.ID+w.done)
				},
			})
		}
	}
	return list
}

// OnChallenges returns the overrides that answer a challenge in place of a seat: the
// selected one, those on the point, or any.
func (o Decisions) OnChallenges() []protocol.Override {
	var list, all []protocol.Override
	for _, c := range o.Challenges.All() {
		override := o.AnswerChallenge(c, "in place of the seat: "+c.Objection)
		if c.ID == o.At.ID || c.Point == o.At.Point && !c.Settled() && !resolver.Idle(o.State, c) {
			list = append(list, override)
		}
		override.Title, override.Detail = c.ID+" on "+c.Point, c.Objection
		all = append(all, override)
	}
	return Among(list, all, protocol.Override{
		ID: "answer", Title: "answer a challenge", Detail: "in place of a seat", Heading: "Which challenge?",
	}, "there is no challenge yet")
}

// AnswerChallenge answers a challenge in the place of its author.
func (o Decisions) AnswerChallenge(c *state.Challenge, detail string) protocol.Override {
	return protocol.Override{
		ID: "answer", About: c.ID, Title: "answer " + c.ID, Detail: detail,
		Heading: "Answer " + c.ID + " on " + c.Point,
		Fields: []view.Field{{
			Key: "text", Label: "Answer", Kind: view.FieldText, Required: true,
			Help: "To: " + c.Objection,
		}},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			return protocol.SingleMove(AnswerChallenge{Challenge: c.ID, Text: v["text"]}, c.ID+" is answered, by you")
		},
	}
}

// SessionOverrides decides how the debate continues.
func (o Decisions) SessionOverrides() []protocol.Override {
	priorities := o.priorities(nil)
	if o.Points.Len() == 0 {
		priorities.Why = "there is no point yet"
	}
	session := o.Decisions.SessionOverrides()
	return []protocol.Override{priorities, session[0], o.rewrite(), session[1]}
}

// rewrite replaces the answer with the user's own words.
func (o Decisions) rewrite() protocol.Override {
	override := protocol.Override{
		ID: "rewrite", Title: "rewrite the answer", Detail: "in your words, marked as yours",
		Heading: "The answer, in your words",
		Fields: []view.Field{{
			Key: "text", Label: "Answer", Kind: view.FieldText, Default: AnswerText(o.State), Required: true,
			Help: "A sentence on each line, at most six, with the points that it rests on: It is safe. [P1 P3]",
		}},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			move := RewriteAnswer{Text: v["text"]}
			if why := o.Refusal(move); why != "" {
				return protocol.WrongField("text", "%s", why)
			}
			return protocol.SingleMove(move, "the answer is yours now")
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

// OnQuestions implements Decisions: the priorities are chosen from a list.
func (o Decisions) OnQuestions() (first, rest []protocol.Override) {
	first, rest = o.Decisions.OnQuestions()
	return o.fromList(first), o.fromList(rest)
}

// Answered implements Decisions.
func (o Decisions) Answered() []protocol.Override { return o.fromList(o.Decisions.Answered()) }

// fromList replaces the text field of the questions for priorities.
func (o Decisions) fromList(list []protocol.Override) []protocol.Override {
	for i := range list {
		if q := list[i].Question; q != nil && q.Kind == state.QuestionPriority {
			choose := o.priorities(q)
			list[i].Heading = q.ID + " asks you: which points matter most?"
			list[i].Question, list[i].Info, list[i].Fields, list[i].Build = nil, protocol.QuestionInfo{}, choose.Fields, choose.Build
		}
	}
	return list
}

// priorities keeps points in scope, as the answer to a question if there is one.
func (o Decisions) priorities(q *state.Question) protocol.Override {
	points := view.Field{
		Key: "points", Label: "Keep", Required: true, Kind: view.FieldMultiSelect,
		Help: fmt.Sprintf("At most %d. The others are set aside, and a later choice brings them back.", MaxInScope),
	}
	for _, p := range o.Points.All() {
		if p.MergedInto == "" {
			points.Choices = append(points.Choices, view.Choice{Value: p.ID, Help: p.Text})
		}
	}
	override := protocol.Override{
		ID: "priorities", Title: "set priorities", Detail: fmt.Sprintf("at most %d points stay in scope", MaxInScope),
		Heading: "Which points matter most?", Fields: []view.Field{points},
	}
	override.Build = func(v view.Values) ([]protocol.UserMove, string, error) {
		ids := namedPoints(v["points"])
		if len(ids) > MaxInScope {
			return protocol.WrongField(
				"points",
				"%d are selected, and at most %d can be evaluated",
				len(ids),
				MaxInScope,
			)
		}
		done := "kept in scope: " + strings.Join(ids, " ")
		if q != nil {
			return protocol.SingleMove(protocol.AnswerQuestion{Question: q.ID, Answer: strings.Join(ids, " ")}, done)
		}
		return protocol.SingleMove(SetPriority{Points: ids}, done)
	}
	return override
}
