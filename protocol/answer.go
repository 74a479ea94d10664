package protocol

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// The bounds of an answer (AN1): how many sentences it has, and how long one may be in bytes.
const (
	maxSentences = 6
	maxSentence  = 1000
)

// Admit turns a parsed reply into events: by the rules of the format or, at the end of a session,
// as an answer to the question.
func Admit(s *state.State, ask Ask, moves []Move) Admission {
	if ask.Stage == state.StageConclude {
		return admitAnswer(s, ask, moves)
	}
	return Of(s).Admit(s, ask, moves)
}

// PromptFor returns the prompt for the asked seat.
func PromptFor(s *state.State, ask Ask) Prompt {
	if ask.Stage == state.StageConclude {
		return promptAnswer(s, ask)
	}
	return Of(s).Prompt(s, ask)
}

// conclude asks for the answer to the question, then for the objections of others (AN1, AN2). Code
// composes the answer if the reply is empty or invalid, or if the user ends the session.
func conclude(s *state.State) (Turn, bool) {
	seat := Of(s).AnswerSeat(s)
	if seat == "" || s.Points.Len() == 0 {
		return NotDue()
	}
	answer := s.Answer()
	if answer == nil {
		if answers(s, seat) && s.Exit != state.ExitQuality && s.Exit != state.ExitUser {
			return Turn{Asks: []Ask{{Seat: seat, Stage: state.StageConclude, Moves: []MoveKind{MoveAnswer}}}}, true
		}
		return Emit(compose(s))
	}
	if answer.By != seat {
		return NotDue()
	}
	var asks []Ask
	for _, other := range Of(s).Seated(s) {
		if other != seat && answers(s, other) {
			asks = append(asks, Ask{Seat: other, Stage: state.StageConclude, Moves: []MoveKind{MoveContest}})
		}
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// answers reports whether a seat is filled, can judge, and was not asked yet.
func answers(s *state.State, seat state.Seat) bool {
	asked := s.AskedOf(seat, state.StageConclude)
	return !s.ByRules(seat) && !s.Misses(seat) && asked.Replies+asked.Failed == 0
}

// compose makes an answer from the points that were agreed or found, and names the open ones.
func compose(s *state.State) *state.AnswerGiven {
	answer := &state.AnswerGiven{By: state.Protocol, LeftOut: []state.LeftOut{}}
	add := func(text string, points ...string) {
		answer.Sentences = append(answer.Sentences, state.Sentence{
			ID: state.NextID('S', len(answer.Sentences)), Text: text, Points: points, Denies: []string{},
		})
	}
	var agreed, found, open []string
	for _, r := range resolver.Rule(s) {
		p := s.Point(r.Point)
		switch {
		case p.MergedInto != "" || p.RevisedBy != "" || r.Bucket == state.BucketDismissed:
		case r.Bucket == state.BucketAgreed || r.Status == state.StatusFound:
			switch {
			case len(answer.Sentences) < maxSentences-2:
				add(p.Text, p.ID)
			case r.Bucket == state.BucketAgreed:
				agreed = append(agreed, p.ID)
			default:
				found = append(found, p.ID)
			}
		default:
			open = append(open, p.ID)
		}
	}
	if more := slices.Concat(agreed, found); len(more) > 0 {
		var also []string
		if len(agreed) > 0 {
			also = append(also, "Also agreed: "+strings.Join(agreed, ", ")+".")
		}
		if len(found) > 0 {
			also = append(also, "Also found: "+strings.Join(found, ", ")+".")
		}
		add(strings.Join(also, " "), more...)
	}
	switch {
	case len(open) > 0 && len(answer.Sentences) == 0:
		add("Nothing was settled; open: "+strings.Join(open, ", ")+".", open...)
	case len(open) > 0:
		add("Still open: "+strings.Join(open, ", ")+".", open...)
	case len(answer.Sentences) == 0:
		var dismissed []string
		for _, p := range s.Points.All() {
			dismissed = append(dismissed, p.ID)
		}
		answer.Sentences = []state.Sentence{{
			ID: "S1", Text: "Every point that was raised was dismissed.", Points: []string{}, Denies: dismissed,
		}}
	}
	return answer
}

// correctAnswer corrects the answer if the rulings have changed since it was given: by a decision of the user, since no
// question holds the answer back (AN2, AN3). An answer of code is composed again. The answer of a seat loses the
// sentences about points that are decided otherwise now, and code says how. The user's own answer stays.
func correctAnswer(s *state.State) (Turn, bool) {
	last := s.Answer()
	if last == nil || last.By == state.User || s.RuledSeq < last.Seq {
		return NotDue()
	}
	answer := compose(s)
	if seat := cmp.Or(last.Corrects, last.By); seat != state.Protocol {
		if given := correct(s, s.AnswerBy(seat)); len(given.Sentences) > 0 {
			answer = given
		}
	}
	same := slices.EqualFunc(answer.Sentences, last.Sentences, func(a, b state.Sentence) bool {
		return a.Text == b.Text && slices.Equal(a.Points, b.Points) && slices.Equal(a.Denies, b.Denies)
	})
	return Turn{Events: []state.Payload{answer}}, !same
}

// correct returns the answer of a seat as the rulings allow it now.
func correct(s *state.State, given *state.Answer) *state.AnswerGiven {
	answer := &state.AnswerGiven{By: state.Protocol, Corrects: given.By, LeftOut: slices.Clone(given.LeftOut)}
	add := func(one state.Sentence) {
		one.ID = state.NextID('S', len(answer.Sentences))
		answer.Sentences = append(answer.Sentences, one)
	}
	rulings := resolver.Rule(s)
	moved := map[string]*state.Ruling{}
	for i := range rulings {
		r := &rulings[i]
		if before := given.Rulings.At(state.Index(r.Point, 'P')); before == nil || before.Bucket != r.Bucket {
			moved[r.Point] = r
		}
	}
	for _, one := range given.Sentences {
		at := slices.IndexFunc(slices.Concat(one.Points, one.Denies), func(id string) bool {
			return moved[s.Current(id).ID] != nil
		})
		if at < 0 {
			add(one)
			continue
		}
		id := slices.Concat(one.Points, one.Denies)[at]
		why := fmt.Sprintf("%s is %s now", id, moved[s.Current(id).ID].Bucket)
		answer.LeftOut = append(answer.LeftOut, state.LeftOut{Text: one.Text, Why: why})
	}
	var also, dismissed []string
	for _, p := range s.Points.All() {
		r := moved[p.ID]
		switch {
		case r == nil || p.MergedInto != "" || p.RevisedBy != "":
		case r.Bucket == state.BucketDismissed:
			dismissed = append(dismissed, p.ID)
		case r.Bucket == state.BucketAgreed && len(answer.Sentences) < maxSentences-2:
			add(state.Sentence{Text: p.Text, Points: []string{p.ID}, Denies: []string{}})
		case r.Bucket == state.BucketAgreed:
			also = append(also, p.ID)
		}
	}
	if len(also) > 0 {
		add(state.Sentence{Text: "Also agreed since: " + strings.Join(also, ", ") + ".", Points: also, Denies: []string{}})
	}
	if len(dismissed) > 0 {
		text := "Dismissed since: " + strings.Join(dismissed, ", ") + "."
		add(state.Sentence{Text: text, Points: []string{}, Denies: dismissed})
	}
	return answer
}

// admitAnswer admits the sentences of an answer that the rulings allow, or a seat's objections to
// them.
func admitAnswer(s *state.State, ask Ask, moves []Move) Admission {
	d := &Draft{State: s}
	rulings := resolver.Rule(s)
	given := &state.AnswerGiven{By: ask.Seat, LeftOut: []state.LeftOut{}}
	for i, move := range moves {
		switch m := move.(type) {
		case *Answer:
			d.Try(i+1, func() error {
				one := state.Sentence{ID: state.NextID('S', len(given.Sentences)), Text: strings.TrimSpace(m.Text)}
				if s.Settings.Framing == state.FramingSynthesize {
					one.Part = m.Part
				}
				one.Points, one.Denies = pointIDs(m.Points), pointIDs(m.Denies)
				if why := unanswerable(s, rulings, &one); why != "" {
					given.LeftOut = append(given.LeftOut, state.LeftOut{Text: one.Text, Why: why})
					return Refuse("left-out", "%s", why)
				}
				if len(given.Sentences) == maxSentences {
					return Refuse("too-many", "an answer has at most %d sentences", maxSentences)
				}
				given.Sentences = append(given.Sentences, one)
				return nil
			})
		case *Contest:
			d.Try(i+1, func() error {
				id := FirstNonBlank(m.Sentence, m.Evidence)
				if s.Sentence(id) == nil {
					return Refuse("unknown-sentence", "the answer has no sentence %q", id)
				}
				return d.Add(&state.AnswerContested{Sentence: id, By: ask.Seat, Reason: strings.TrimSpace(m.Reason)})
			})
		}
	}
	if len(given.Sentences) > 0 {
		d.Attempt(given)
	}
	return Admission{Events: d.Events, Refused: d.Refused}
}

// RewriteAnswer answers the question in the user's own words, a sentence on each line (AN3). It is
// possible at any time, also after the session is closed.
type RewriteAnswer struct{ Text string }

// restsOn matches the points at the end of a sentence, as in "It is safe. [P1 P3]".
var restsOn = regexp.MustCompile(`\s*\[((?:P\d+[ ,]*)+)\]$`)

// rewriteAnswer admits the user's own answer.
func (u *UserAdmitter) rewriteAnswer(m RewriteAnswer) error {
	if Of(u.State).AnswerSeat(u.State) == "" {
		return Refuse("decision", "the answer of this format is its decision; rule on what it rests on instead")
	}
	given := &state.AnswerGiven{By: state.User, LeftOut: []state.LeftOut{}}
	for line := range strings.Lines(m.Text) {
		one := state.Sentence{
			ID: state.NextID('S', len(given.Sentences)), Text: strings.TrimSpace(line),
			Points: []string{}, Denies: []string{},
		}
		if at := restsOn.FindStringSubmatchIndex(one.Text); at != nil {
			one.Points = pointIDs(strings.FieldsFunc(one.Text[at[2]:at[3]],
				func(r rune) bool { return r == ' ' || r == ',' }))
			one.Text = one.Text[:at[0]]
		}
		for _, id := range one.Points {
			if u.State.Point(id) == nil {
				return Refuse("unknown-point", "there is no point %q", id)
			}
		}
		switch {
		case one.Text == "":
			continue
		case len(one.Text) > maxSentence:
			return Refuse("too-long", "a sentence has at most %d bytes", maxSentence)
		case len(given.Sentences) == maxSentences:
			return Refuse("too-many", "an answer has at most %d sentences", maxSentences)
		}
		given.Sentences = append(given.Sentences, one)
	}
	if len(given.Sentences) == 0 {
		return Refuse("empty", "an answer needs a sentence")
	}
	return u.Add(given)
}

// AnswerText is the answer as RewriteAnswer takes it, or "".
func AnswerText(s *state.State) string {
	var text strings.Builder
	if a := s.Answer(); a != nil {
		for i := range a.Sentences {
			one := &a.Sentences[i]
			text.WriteString(one.Text)
			if len(one.Points) > 0 {
				text.WriteString(" [" + strings.Join(one.Points, " ") + "]")
			}
			text.WriteByte('\n')
		}
	}
	return text.String()
}

// pointIDs drops repeated ids.
func pointIDs(ids []string) []string {
	out := []string{}
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// unanswerable says why a sentence cannot be part of the answer, or "" (AN2).
func unanswerable(s *state.State, rulings []state.Ruling, one *state.Sentence) string {
	switch {
	case one.Text == "":
		return "a sentence needs a text"
	case len(one.Text) > maxSentence:
		return fmt.Sprintf("a sentence has at most %d bytes", maxSentence)
	case len(one.Points)+len(one.Denies) == 0:
		return "it names no point that it rests on"
	}
	for _, id := range slices.Concat(one.Points, one.Denies) {
		denies := slices.Contains(one.Denies, id)
		if s.Point(id) == nil {
			return "there is no point " + id
		}
		if b := resolver.PointBasis(s, rulings, id); resolver.Contradicts(b, denies) {
			if denies {
				return id + " is agreed, and the sentence denies it"
			}
			return id + " was dismissed; name it in denies if the sentence says the opposite"
		}
	}
	return ""
}

// promptAnswer asks for the answer, or for objections to it.
func promptAnswer(s *state.State, ask Ask) Prompt {
	b := &PromptBuilder{State: s, Ask: ask}
	b.Begin(PromptText(prompts, "preamble"), "")
	b.Anchor()
	b.Facts()
	rulings, points := resolver.Rule(s), &strings.Builder{}
	for i := range rulings {
		r := &rulings[i]
		if p := s.Point(r.Point); p.MergedInto == "" && r.Tag != state.TagSuperseded {
			fmt.Fprintf(points, "%s [%s; %s]: %s\n", p.ID, r.Bucket, resolver.PointBasis(s, rulings, p.ID),
				Indent(p.Text))
		}
	}
	b.List("The points and how they were ruled:", "points", points)
	answer := s.Answer()
	if answer == nil {
		b.Line("%s", PromptText(prompts, "stage-conclude"))
		if s.Settings.Framing == state.FramingSynthesize {
			b.Line("%s", PromptText(prompts, "conclude-synthesize"))
		}
		return b.Within()
	}
	sentences := &strings.Builder{}
	for i := range answer.Sentences {
		one := &answer.Sentences[i]
		fmt.Fprintf(sentences, "%s [%s]: %s\n", one.ID, strings.Join(slices.Concat(one.Points, one.Denies), " "),
			Indent(one.Text))
	}
	b.List("The answer that was given:", "answer", sentences)
	b.Line("%s", PromptText(prompts, "stage-contest-answer"))
	return b.Within()
}
