package claims

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// The bounds of an answer (AN1): how many sentences it has, and how long one may be in bytes.
const (
	maxSentences = 6
	maxSentence  = 1000
)

// conclude asks for the answer to the question, then for the objections of others (AN1, AN2). Code
// composes the answer if the reply is empty or invalid, or if the user ends the session.
func conclude(s *state.State) (protocol.Turn, bool) {
	seat := Of(s).AnswerSeat(s)
	if seat == "" || s.Points.Len() == 0 {
		return protocol.NotDue()
	}
	answer := s.Answer()
	if answer == nil {
		if answers(s, seat) && s.Exit != state.ExitQuality && s.Exit != state.ExitUser {
			return protocol.Turn{
				Asks: []protocol.Ask{{Seat: seat, Stage: state.StageConclude, Moves: []move.Kind{move.KindAnswer}}},
			}, true
		}
		return protocol.Emit(compose(s))
	}
	if answer.By != seat {
		return protocol.NotDue()
	}
	asks := lists.Map(lists.Filter(Of(s).Seated(s), func(other state.Seat) bool {
		return other != seat && answers(s, other)
	}), func(other state.Seat) protocol.Ask {
		return protocol.Ask{Seat: other, Stage: state.StageConclude, Moves: []move.Kind{move.KindContest}}
	})
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// answers reports whether a seat is filled, can judge, and was not asked yet.
func answers(s *state.State, seat state.Seat) bool {
	asked := s.AskedOf(seat, state.StageConclude)
	return !s.ByRules(seat) && !s.Misses(seat) && asked.Replies+asked.Failed == 0
}

// compose makes an answer of the rulings: what was agreed or found, what evidence refuted, what a fact of the user or
// the user dismissed, and what stayed open. If there are only dismissals without evidence, one sentence says that no
// claim was established and how each point ended. It denies only what was refuted (AN2).
func compose(s *state.State) *state.AnswerGiven {
	answer := &composed{AnswerGiven: state.AnswerGiven{By: state.Protocol, LeftOut: []state.LeftOut{}}}
	var contradicted, agreed, found, refuted, overruled, open, ended []*state.Ruling
	rulings := resolver.Rule(s)
	for i := range rulings {
		r := &rulings[i]
		switch p := s.Point(r.Point); {
		case p.MergedInto != "" || r.Tag == state.TagSuperseded:
		case deniesLine(s, p, r.Bucket) != "":
			contradicted = append(contradicted, r)
		case r.Bucket == state.BucketAgreed:
			agreed = append(agreed, r)
		case r.Status == state.StatusFound:
			found = append(found, r)
		case r.Rule == "AC8":
			refuted = append(refuted, r)
		case r.Bucket == state.BucketDismissed && (r.Rule == "AC1" || r.Rule == "AC5"):
			overruled, ended = append(overruled, r), append(ended, r)
		case r.Bucket == state.BucketUnresolved || r.Bucket == state.BucketOpen:
			open = append(open, r)
		default:
			ended = append(ended, r)
		}
	}
	if attacks := resolver.AttacksOn(s, rulings); attacks != nil && attacks.Raised > 0 {
		var attacked []string
		for _, c := range s.Challenges.All() {
			if p := s.Current(c.Point); c.By != state.Protocol && p != nil && !slices.Contains(attacked, p.ID) {
				attacked = append(attacked, p.ID)
			}
		}
		answer.add(attacks.String()+".", attacked, nil)
	}
	established := len(agreed)+len(found)+len(refuted)+len(open)+len(contradicted) > 0
	if !established {
		overruled = nil // The last sentence names them.
	}
	const most = maxSentences - 2 // the last two name the other points, and the open ones
	var alsoAgreed, alsoFound []string
	var alsoDismissed []*state.Ruling
	for _, r := range slices.Concat(contradicted, agreed, found, refuted, overruled) {
		p := s.Point(r.Point)
		switch {
		case deniesLine(s, p, r.Bucket) != "":
			if len(answer.Sentences) < most {
				answer.add(deniesLine(s, p, r.Bucket), []string{p.ID}, nil)
			}
		case len(answer.Sentences) < most && r.Rule == "AC8":
			item := s.Item(r.Reads[0])
			answer.add(
				fmt.Sprintf("Refuted by %s (%s): %s", item.ID, plain.Clip(item.Reference, maxReference), p.Text),
				nil,
				[]string{p.ID},
			)
		case len(answer.Sentences) < most && r.Bucket == state.BucketDismissed:
			how, _ := resolver.Ended(s, r)
			denies, points := deniable(s, []*state.Ruling{r})
			answer.add(resolver.Capital(how)+": "+p.Text, points, denies)
		case len(answer.Sentences) < most:
			answer.add(p.Text, []string{p.ID}, nil)
		case r.Bucket == state.BucketDismissed:
			alsoDismissed = append(alsoDismissed, r)
		case r.Bucket == state.BucketAgreed:
			alsoAgreed = append(alsoAgreed, p.ID)
		default:
			alsoFound = append(alsoFound, p.ID)
		}
	}
	if len(alsoAgreed)+len(alsoFound)+len(alsoDismissed) > 0 {
		var also []string
		if len(alsoAgreed) > 0 {
			also = append(also, "Also agreed: "+strings.Join(alsoAgreed, ", ")+".")
		}
		if len(alsoFound) > 0 {
			also = append(also, "Also found: "+strings.Join(alsoFound, ", ")+".")
		}
		if len(alsoDismissed) > 0 {
			also = append(also, "Also dismissed: "+endings(s, alsoDismissed)+".")
		}
		denies, points := deniable(s, alsoDismissed)
		answer.add(strings.Join(also, " "), slices.Concat(alsoAgreed, alsoFound, points), denies)
	}
	if len(open) > 0 {
		answer.add("Still open: "+endings(s, open)+".", idsOf(open), nil)
	}
	if !established {
		refuted, rest := deniable(s, ended)
		answer.add("No claim was established: "+endings(s, ended)+".", rest, refuted)
	}
	return &answer.AnswerGiven
}

// maxReference bounds the reference of an item in a sentence of code.
const maxReference = 100

// composed is an answer of code in the making.
type composed struct{ state.AnswerGiven }

func (c *composed) add(text string, points, denies []string) {
	c.Sentences = append(c.Sentences, state.Sentence{
		ID: state.NextID(
			'S',
			len(c.Sentences),
		), Text: text, Points: resolver.NoNil(points), Denies: resolver.NoNil(denies),
	})
}

// endings lists points with how each ended: "P1 (conceded), P2 (disputed)".
func endings(s *state.State, rulings []*state.Ruling) string {
	return strings.Join(lists.Map(rulings, func(r *state.Ruling) string {
		how, _ := resolver.Ended(s, r)
		if how = cmp.Or(how, string(r.Status)); how == "" || how == string(state.StatusOpen) {
			return r.Point
		}
		return r.Point + " (" + how + ")"
	}), ", ")
}

// deniable parts points into those that were refuted and the others.
func deniable(s *state.State, rulings []*state.Ruling) (refuted, rest []string) {
	for _, r := range rulings {
		if _, is := resolver.Ended(s, r); is {
			refuted = append(refuted, r.Point)
		} else {
			rest = append(rest, r.Point)
		}
	}
	return refuted, rest
}

func idsOf(rulings []*state.Ruling) []string {
	return lists.Map(rulings, func(r *state.Ruling) string { return r.Point })
}

// deniesLine returns the sentence of a composed answer on a point that was agreed or dismissed against what a
// verified line says, or "" (AN2).
func deniesLine(s *state.State, p *state.Point, bucket state.Bucket) string {
	switch bucket { //nolint:exhaustive // the answer neither asserts nor denies the others
	case state.BucketAgreed:
		if says := resolver.DeniesLine(s, &state.Sentence{Points: []string{p.ID}}); says != "" {
			return fmt.Sprintf("%s is agreed, but %s.", p.ID, says)
		}
	case state.BucketDismissed:
		if says := resolver.DeniesLine(s, &state.Sentence{Denies: []string{p.ID}}); says != "" {
			return fmt.Sprintf("%s contradicts a fact of yours, but %s.", p.ID, says)
		}
	}
	return ""
}

// correctAnswer corrects the answer if what the user did since then changed what it says: no question holds the answer
// back (AN2, AN3), and a late challenge counts as an attack even where no ruling changes. An answer of code is composed
// again. The answer of a seat loses the sentences about points that are decided otherwise now, and code says how. The
// user's own answer stays.
func correctAnswer(s *state.State) (protocol.Turn, bool) {
	last := s.Answer()
	if last == nil || last.By == state.User {
		return protocol.NotDue()
	}
	answer := compose(s)
	answer.LeftOut = last.LeftOut
	if seat := cmp.Or(last.Corrects, last.By); seat != state.Protocol {
		given := correct(s, s.AnswerBy(seat))
		answer.LeftOut = given.LeftOut
		if len(given.Sentences) > 0 {
			answer = given
		}
	}
	same := slices.EqualFunc(answer.Sentences, last.Sentences, func(a, b state.Sentence) bool {
		return a.Text == b.Text && slices.Equal(a.Points, b.Points) && slices.Equal(a.Denies, b.Denies)
	})
	return protocol.Turn{Events: []state.Payload{answer}}, !same
}

// correct returns the answer of a seat as the rulings allow it now: without the sentences about points that are decided
// otherwise, and with what became of those points. The other sentences keep their words.
func correct(s *state.State, given *state.Answer) *state.AnswerGiven {
	answer := &composed{AnswerGiven: state.AnswerGiven{
		By: state.Protocol, Corrects: given.By, LeftOut: slices.Clone(given.LeftOut),
	}}
	rulings := resolver.Rule(s)
	moved := map[string]*state.Ruling{}
	for i := range rulings {
		r := &rulings[i]
		if before := given.Rulings.At(state.Index(r.Point, 'P')); before == nil || before.Bucket != r.Bucket {
			moved[r.Point] = r
		}
	}
	for _, one := range given.Sentences {
		named := slices.Concat(one.Points, one.Denies)
		at := slices.IndexFunc(named, func(id string) bool { return moved[s.Current(id).ID] != nil })
		if at >= 0 {
			why := fmt.Sprintf("%s is %s now", named[at], view.BucketName(moved[s.Current(named[at]).ID].Bucket))
			answer.LeftOut = append(answer.LeftOut, state.LeftOut{Text: one.Text, Why: why})
			continue
		}
		checked := one
		if why := checkSentence(s, rulings, &checked); why != "" {
			answer.LeftOut = append(answer.LeftOut, state.LeftOut{Text: one.Text, Why: why})
			continue
		}
		answer.add(one.Text, checked.Points, checked.Denies)
	}
	var also, dismissed, open []*state.Ruling
	for _, p := range s.Points.All() {
		r := moved[p.ID]
		switch {
		case r == nil || p.MergedInto != "" || r.Tag == state.TagSuperseded:
		case deniesLine(s, p, r.Bucket) != "":
			answer.add(deniesLine(s, p, r.Bucket), []string{p.ID}, nil)
		case r.Bucket == state.BucketAgreed && len(answer.Sentences) < maxSentences-3:
			answer.add(p.Text, []string{p.ID}, nil)
		case r.Bucket == state.BucketAgreed:
			also = append(also, r)
		case r.Bucket == state.BucketDismissed:
			dismissed = append(dismissed, r)
		default:
			open = append(open, r)
		}
	}
	if len(also) > 0 {
		answer.add("Also agreed since: "+endings(s, also)+".", idsOf(also), nil)
	}
	if len(dismissed) > 0 {
		refuted, rest := deniable(s, dismissed)
		answer.add("Dismissed since: "+endings(s, dismissed)+".", rest, refuted)
	}
	if len(open) > 0 {
		answer.add("Open since: "+endings(s, open)+".", idsOf(open), nil)
	}
	return &answer.AnswerGiven
}

// AdmitAnswer admits the sentences of an answer that the rulings allow, or a seat's objections to them. If they allow
// none, code composes the answer, and the record keeps what was left out.
func AdmitAnswer(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	d := &protocol.Draft{State: s}
	rulings := resolver.Rule(s)
	given := &state.AnswerGiven{By: ask.Seat, LeftOut: []state.LeftOut{}}
	for i, mv := range moves {
		switch m := mv.(type) {
		case *move.Answer:
			d.Try(i+1, func() error {
				one := state.Sentence{ID: state.NextID('S', len(given.Sentences)), Text: strings.TrimSpace(m.Text)}
				if s.Settings.Framing == state.FramingSynthesize {
					one.Part = m.Part
				}
				one.Points, one.Denies = pointIDs(m.Points), pointIDs(m.Denies)
				if why := checkSentence(s, rulings, &one); why != "" {
					given.LeftOut = append(given.LeftOut, state.LeftOut{Text: one.Text, Why: why})
					return protocol.Refuse("left-out", "%s", why)
				}
				if len(given.Sentences) == maxSentences {
					why := fmt.Sprintf("an answer has at most %d sentences", maxSentences)
					given.LeftOut = append(given.LeftOut, state.LeftOut{Text: one.Text, Why: why})
					return protocol.Refuse("left-out", "%s", why)
				}
				given.Sentences = append(given.Sentences, one)
				return nil
			})
		case *move.Contest:
			d.Try(i+1, func() error {
				id := plain.FirstNonBlank(m.Sentence, m.Evidence)
				if s.Sentence(id) == nil {
					return protocol.Refuse("unknown-sentence", "the answer has no sentence %q", id)
				}
				return d.Add(&state.AnswerContested{Sentence: id, By: ask.Seat, Reason: strings.TrimSpace(m.Reason)})
			})
		}
	}
	if len(given.Sentences) == 0 && len(given.LeftOut) > 0 {
		leftOut := given.LeftOut
		given = compose(s)
		given.LeftOut = leftOut
	}
	if len(given.Sentences) > 0 {
		d.Attempt(given)
	}
	return protocol.Admission{Events: d.Events, Refused: d.Refused}
}

// restsOn matches the points at the end of a sentence, as in "It is safe. [P1 P3]".
var restsOn = regexp.MustCompile(`\s*\[((?:P\d+[ ,]*)+)\]$`)

// rewriteAnswer admits the user's own answer.
func (u *UserAdmitter) rewriteAnswer(m RewriteAnswer) error {
	if Of(u.State).AnswerSeat(u.State) == "" {
		return protocol.Refuse(
			"decision",
			"the answer of this format is its decision; rule on what it rests on instead",
		)
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
				return protocol.Refuse("unknown-point", "there is no point %q", id)
			}
		}
		switch {
		case one.Text == "":
			continue
		case len(one.Text) > maxSentence:
			return protocol.Refuse("too-long", "a sentence has at most %d bytes", maxSentence)
		case len(given.Sentences) == maxSentences:
			return protocol.Refuse("too-many", "an answer has at most %d sentences", maxSentences)
		}
		given.Sentences = append(given.Sentences, one)
	}
	if len(given.Sentences) == 0 {
		return protocol.Refuse("empty", "an answer needs a sentence")
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

// checkSentence says why a sentence cannot be part of the answer, or "" (AN2). It replaces revised points by their last
// successors, and drops those that the sentence denies: a revision refutes nothing.
func checkSentence(s *state.State, rulings []state.Ruling, one *state.Sentence) string {
	switch {
	case one.Text == "":
		return "a sentence needs a text"
	case len(one.Text) > maxSentence:
		return fmt.Sprintf("a sentence has at most %d bytes", maxSentence)
	case len(one.Points)+len(one.Denies) == 0:
		return "it names no point that it rests on"
	}
	for _, id := range slices.Concat(one.Points, one.Denies) {
		if s.Point(id) == nil {
			return "there is no point " + id
		}
	}
	denies, points, revised := []string{}, []string{}, ""
	for _, id := range one.Denies {
		p := s.Live(id)
		r := resolver.RulingOn(rulings, p.ID)
		switch how, refuted := resolver.Ended(s, r); {
		case p.RevisedBy != "":
			revised = fmt.Sprintf("%s was %s, which does not refute it", id, how)
			continue
		case r.Bucket == state.BucketNotEvaluated:
			return id + " was not evaluated, and the sentence denies it"
		case r.Bucket != state.BucketDismissed:
			return fmt.Sprintf("%s is %s, and the sentence denies it", id, cmp.Or(string(r.Status), string(r.Bucket)))
		case !refuted:
			return fmt.Sprintf("%s was dismissed but not refuted (%s), and the sentence denies it", id, how)
		}
		denies = append(denies, p.ID)
	}
	for _, id := range one.Points {
		p := s.Current(id)
		if slices.Contains(denies, p.ID) {
			continue
		}
		r := resolver.RulingOn(rulings, p.ID)
		if r.Bucket == state.BucketDismissed {
			how, refuted := resolver.Ended(s, r)
			if refuted {
				return fmt.Sprintf(
					"%s was dismissed (%s); name it in denies if the sentence says the opposite",
					id,
					how,
				)
			}
			return fmt.Sprintf("%s was dismissed (%s), and the sentence rests on it", id, how)
		}
		points = append(points, p.ID)
	}
	if one.Points, one.Denies = pointIDs(points), pointIDs(denies); len(points)+len(denies) == 0 {
		return revised + ", and it names no other point"
	}
	if says := resolver.DeniesLine(s, one); says != "" {
		return "it denies what a verified line says: " + says
	}
	return ""
}

// PromptAnswer asks for the answer, or for objections to it.
func PromptAnswer(s *state.State, ask protocol.Ask, texts string) protocol.Prompt {
	b := NewPrompt(s, ask, texts)
	b.Begin(protocol.PromptText(prompts, "preamble"), "")
	b.Anchor()
	b.Facts()
	rulings, points := resolver.Rule(s), &strings.Builder{}
	for i := range rulings {
		r := &rulings[i]
		p := s.Point(r.Point)
		if p.MergedInto != "" {
			continue
		}
		how, refuted := resolver.Ended(s, r)
		switch {
		case how == resolver.DismissedByUser:
			how = "dismissed by the user"
		case r.Bucket == state.BucketDismissed:
			how = "dismissed: " + how
		case how == "":
			mark := resolver.MarkOf(s, rulings, p, false)
			how = fmt.Sprintf("%s; %s", r.Bucket, mark.Word())
		}
		if refuted {
			how += "; may be denied"
		}
		fmt.Fprintf(points, "%s [%s]: %s\n", p.ID, plain.Indent(how), plain.Indent(p.Text))
	}
	b.List("The points and how they were ruled:", "points", points)
	answer := s.Answer()
	if answer == nil {
		b.Line("%s", protocol.PromptText(prompts, "stage-conclude"))
		if s.Settings.Framing == state.FramingSynthesize {
			b.Line("%s", protocol.PromptText(prompts, "conclude-synthesize"))
		}
		return b.Within()
	}
	sentences := &strings.Builder{}
	for i := range answer.Sentences {
		one := &answer.Sentences[i]
		rests := strings.Join(one.Points, " ")
		if len(one.Denies) > 0 {
			rests = view.Join("; ", rests, "denies "+strings.Join(one.Denies, " "))
		}
		fmt.Fprintf(sentences, "%s [%s]: %s\n", one.ID, rests, plain.Indent(one.Text))
	}
	b.List("The answer that was given:", "answer", sentences)
	b.Line("%s", protocol.PromptText(prompts, "stage-contest-answer"))
	return b.Within()
}
