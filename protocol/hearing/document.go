package hearing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// document describes a hearing.
type document struct{ view.Claims }

// Outcome is the outcome of the format hearing: the verdict, and the verdict after each
// round. The facts themselves are in the events; state.points, challenges and defenses cite them
// by id, and the rulings say how the claims of an audit ended.
type Outcome struct {
	view.Concluded
	// Verdict is the judge's for the last round with the domain's prefix, as in
	// THREAT_CONFIRMED; "" until both sides have argued. Result is the same without the
	// prefix. A ruling of the user instead is in the rulings.
	Verdict string        `json:"verdict"`
	Result  judge.Outcome `json:"result"`
	// Confidence is the verdict's, 0 to 1; 0 without a verdict.
	Confidence float64 `json:"confidence"`
	// Rule is the row of the judge that decided, as in v2.3, or "else". Reason says what it
	// compared, Supporting lists the facts that it read.
	Rule       string   `json:"rule"`
	Reason     string   `json:"reason"`
	Supporting []string `json:"supporting"`
	// Trace is the verdict after each round in which both sides had argued.
	Trace []Round `json:"trace"`
	// Flags are reasons to doubt the confidence of the verdict, Risk is their share of all
	// possible flags, 0 to 1. They are computed with and without a gate.
	Flags []judge.Flag `json:"flags"`
	Risk  float64      `json:"risk"`
}

func (document) Opposed(*state.State) (seats []state.Seat, withRules bool) { return sides(), false }

func (document) Outcome(s *state.State) any {
	out := Outcome{
		Concluded: view.Conclude(s), Supporting: []string{}, Trace: view.Some(Rounds(s)), Flags: []judge.Flag{},
	}
	if v, err := VerdictOf(s); err == nil {
		out.Verdict, out.Result = v.Shown, v.Outcome
		out.Confidence, out.Rule, out.Reason = v.Confidence, v.Rule, v.Sentence()
		out.Supporting, out.Flags = view.Some(v.Supporting), view.Some(FlagsOf(s, &v))
		out.Risk = judge.Risk(out.Flags)
	}
	return out
}

// FirstAnswers is the verdict after round 1. No claim is ruled on by then.
func (document) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		v, err := VerdictBy(s, SettingsOf(s).Judge, 1)
		if p.ID != QuestionPoint || err != nil {
			return state.BucketNotEvaluated
		}
		return bucketOf(v.Outcome)
	}
}

// statements never changes.
var statements = view.Statements{ //nolint:gochecknoglobals // a table
	{
		ID: "decided/over", Words: "none: %s",
		When: func(r view.Record) ([]any, bool) {
			return []any{unheard(r.State, r.State.Round)}, unargued(r.State) && r.State.Over()
		},
	},
	{
		ID: "decided/early", Words: "none yet: a side has not argued",
		When: func(r view.Record) ([]any, bool) { return nil, unargued(r.State) },
	},
	{
		ID: "why/unjudged", Words: "nothing was judged",
		When: func(r view.Record) ([]any, bool) { return nil, unargued(r.State) },
	},
	{
		ID: "unnamed/rules", Words: "no rule of the domain names any of the facts",
		When: func(r view.Record) ([]any, bool) { return nil, unnamed(r.State) },
	},
	{
		ID: "unargued/loser", Words: nobodyArgued,
		When: func(r view.Record) ([]any, bool) {
			v, err := VerdictOf(r.State)
			loser := loserOf(v.Outcome)
			return nil, err == nil && loser != "" && silent(r.State, loser, v.Round) && !argued(r.State, loser)
		},
	},
	{
		ID: "unargued/left", Words: nothingLeft,
		When: func(r view.Record) ([]any, bool) {
			v, err := VerdictOf(r.State)
			loser := loserOf(v.Outcome)
			return nil, err == nil && loser != "" && silent(r.State, loser, v.Round)
		},
	},
	{
		ID: "unclaimed/left", Words: "the %s has no claim left",
		When: func(r view.Record) ([]any, bool) {
			seat := state.Seat(r.ID)
			raised := r.State.Points.Any(func(p *state.Point) bool { return p.ID != QuestionPoint && p.IsAuthor(seat) })
			return []any{r.ID}, raised && len(ClaimsOf(r.State, seat, r.State.Round)) == 0
		},
	},
	{
		ID: "unclaimed/side", Words: "the %s has no claim",
		When: func(r view.Record) ([]any, bool) {
			return []any{r.ID}, len(ClaimsOf(r.State, state.Seat(r.ID), r.State.Round)) == 0
		},
	},
	{
		ID:    "moved/argument",
		Words: "moved by argument alone: the verdict turned to %s in round %d, and no new fact was cited",
		When: func(r view.Record) ([]any, bool) {
			for _, round := range Rounds(r.State) {
				if strconv.Itoa(round.Round) == r.ID && round.ByArgument {
					return []any{round.Result, round.Round}, true
				}
			}
			return nil, false
		},
	},
	{
		ID:    "moved/silence",
		Words: "moved by silence: the verdict turned to %s in round %d, and neither side said anything",
		When: func(r view.Record) ([]any, bool) {
			for _, round := range Rounds(r.State) {
				if strconv.Itoa(round.Round) == r.ID && round.BySilence {
					return []any{round.Result, round.Round}, true
				}
			}
			return nil, false
		},
	},
	{
		ID: "violations/count", Words: "schema: %s dropped for citing facts that are not in the packet",
		When: func(r view.Record) ([]any, bool) {
			n := len(Of(r.State).Violations)
			return []any{view.Counted(n, "move")}, n > 0
		},
	},
	{
		ID:    "kept/count",
		Words: "drift: %s kept, since no fact contradicts; only facts can lower a confidence (see DRIFTS)",
		When: func(r view.Record) ([]any, bool) {
			kept := 0
			for _, d := range r.State.Drifts.All() {
				if d.Kept {
					kept++
				}
			}
			return []any{view.Counted(kept, "confidence")}, kept > 0
		},
	},
	{
		ID: "ignored/count", Words: "rebuttal: %s left unanswered (see IGNORED REBUTTALS)",
		When: func(r view.Record) ([]any, bool) {
			n := len(Of(r.State).Ignored)
			return []any{view.Counted(n, "contradicting fact")}, n > 0
		},
	},
}

// Statements implements view.Format.
func (document) Statements() view.Statements { return statements }

// unargued reports whether a side has not argued, so that there is no verdict.
func unargued(s *state.State) bool {
	_, err := VerdictOf(s)
	return err != nil
}

// Warnings returns reasons to doubt the verdict, moves that were dropped for citing facts outside
// the packet, and confidences that code kept.
func (document) Warnings(s *state.State) []string {
	var warnings []string
	say := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	if v, err := VerdictOf(s); err == nil {
		flags := FlagsOf(s, &v)
		for _, flag := range flags {
			say("%s: %s (risk %s)", flag, flag.Says(), judge.Figure(judge.Risk(flags)))
		}
	}
	record := view.Record{State: s}
	for _, r := range Rounds(s) {
		warnings = append(warnings, view.Stated("moved", record.On(strconv.Itoa(r.Round))))
	}
	for _, place := range []string{"violations", "kept", "ignored"} {
		warnings = append(warnings, view.Stated(place, record))
	}
	return slices.DeleteFunc(warnings, func(text string) bool { return text == "" })
}

// Status gives the confidence of both sides and the current verdict.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	var parts []string
	for _, seat := range sides() {
		if a := Of(s).Argument(seat, s.Round); a != nil {
			parts = append(parts, string(seat)+" "+judge.Figure(a.Confidence))
		}
	}
	v, err := VerdictOf(s)
	if err != nil {
		return strings.Join(parts, ", "), view.RolePlain
	}
	role := view.RoleOpen
	if s.Over() {
		role = map[judge.Outcome]view.Role{judge.Confirmed: view.RoleBad, judge.Dismissed: view.RoleGood}[v.Outcome]
	}
	return strings.Join(append(parts, v.Shown), ", "), role
}

// Map shows how each contradiction by facts was answered.
func (document) Map(s *state.State) view.Map {
	m := view.OpposedPairs(s)
	m.Challenges = map[string]view.ChallengeStatus{}
	for _, c := range s.Challenges.All() {
		m.Challenges[c.ID] = contradictionStatus(s, c)
	}
	return m
}

func contradictionStatus(s *state.State, c *state.Challenge) view.ChallengeStatus {
	status := view.ChallengeStatus{
		Kind: "contradiction", Verb: "contradicts", Notes: view.CitedFacts("cites", c.Facts), Settled: true,
		Status: state.StandsEnded, Role: view.RoleQuiet,
	}
	p := s.Point(c.Point)
	// The side whose claim it is answers, and both sides if the oracle raised it.
	owing := p.Authors
	if c.By == Oracle {
		owing = sides()
	}
	waiting := lists.Filter(owing, func(seat state.Seat) bool { return !answeredBy(c, seat) })
	accepted := lists.Filter(ChangesOf(s, p), func(change Change) bool {
		return change.To < change.From && slices.Contains(c.Facts, change.Fact)
	})
	_, conceded := p.Conceded()
	switch {
	case p.UserRuling != nil:
		status.Outcome = "ended, ruled by you"
	case len(waiting) == 0:
		status.Outcome, status.Status, status.Role = "answered", state.StandsDefended, view.RoleGood
	case len(accepted) > 0:
		status.Outcome = "accepted, confidence now " + judge.Figure(accepted[0].To)
		status.Status, status.Role = state.StandsDefended, view.RoleGood
	case conceded:
		status.Outcome = p.ID + " was given up"
	case slices.ContainsFunc(Of(s).Ignored, func(i RebuttalIgnored) bool { return i.Challenge == c.ID }):
		status.Outcome = "ignored by the " + view.Seats(waiting)
		status.Status, status.Role = state.StandsUndefended, view.RoleWarn
	case s.Over():
		status.Outcome = "not answered"
	default:
		status.Outcome = "waits for " + view.Seats(waiting)
		status.Status, status.Role, status.Settled = state.StandsOpen, view.RoleOpen, false
	}
	return status
}

// verdictWords describes the judge's verdict so far, and why.
func verdictWords(s *state.State) (verdict, because string) {
	v, err := VerdictOf(s)
	if err != nil {
		record := view.Record{State: s}
		return view.Stated("decided", record), view.Stated("why", record)
	}
	verdict = fmt.Sprintf("%s, confidence %s", v.Shown, judge.Figure(v.Confidence))
	if !s.Over() {
		verdict = "so far " + verdict
	}
	if because = v.Why; len(v.Supporting) > 0 {
		because += " [" + shortList(s, v.Supporting) + "]"
	}
	return verdict, because
}

// shortList lists facts, the records of logs by their places, and counts those behind the first ones.
func shortList(s *state.State, facts []string) string {
	const most = 20
	named := lists.Distinct(lists.Map(facts, func(id string) string {
		if e, record := s.Packet.Event(id); record {
			return e.Entity
		}
		return id
	}))
	if more := len(named) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(named[:most], " "), more)
	}
	return strings.Join(named, " ")
}

// Decision implements view.Format: the verdict as a sentence, with the claims that it rests on. The
// arithmetic is in the rows below it.
func (document) Decision(s *state.State) string {
	if !s.Over() {
		return ""
	}
	answer := answerSentence(s)
	if p := s.Point(QuestionPoint); p != nil && p.UserRuling != nil {
		ruled := "You ruled " + view.BucketName(p.UserRuling.Bucket) + ", which outranks the judge"
		answer = view.Sentence(ruled, p.UserRuling.Reason) + "; the judge says: " + answer
	}
	return answer
}

// answerSentence answers the question, as in "Yes, a threat: P2 and P3 stand, P4 is disputed".
func answerSentence(s *state.State) string {
	v, err := VerdictOf(s)
	if err != nil {
		return "No answer: " + err.Error()
	}
	subject := strings.ToLower(strings.ReplaceAll(SettingsOf(s).Domain.Prefix, "_", " "))
	if subject != "" {
		article := "a "
		if strings.ContainsRune("aeiou", rune(subject[0])) {
			article = "an "
		}
		subject = article + subject
	}
	var answer string
	seats := sides()
	switch v.Outcome {
	case judge.Confirmed:
		answer, seats = "Yes", seats[:1]
		if subject != "" {
			answer += ", " + subject
		}
	case judge.Dismissed:
		answer, seats = "No", seats[1:]
		if subject != "" {
			answer += ", not " + subject
		}
	case judge.Inconclusive:
		answer = "Undecided"
		if subject != "" {
			answer += " whether it is " + subject
		}
	}
	var parts []string
	if v.Outcome == judge.Inconclusive && unnamed(s) {
		seats = nil
		parts = append(parts, view.Stated("unnamed", view.Record{State: s}))
	}
	same := len(seats) > 1 && sameClaims(s)
	for _, seat := range seats {
		if same && seat == judge.Skeptic {
			parts = append(parts, "the skeptic says the same")
			continue
		}
		owner := ""
		if len(seats) > 1 {
			owner = "the " + string(seat) + "'s "
		}
		parts = append(parts, standing(s, seat, owner))
	}
	if unargued := view.Stated("unargued", view.Record{State: s}); unargued != "" {
		parts = append(parts, unargued)
	}
	return answer + ": " + strings.Join(parts, "; ")
}

// sameClaims reports whether both sides have claims on the same facts, as rules on both sides do.
func sameClaims(s *state.State) bool {
	facts := func(seat state.Seat) [][]string {
		return lists.Map(ClaimsOf(s, seat, s.Round), func(p *state.Point) []string { return p.Facts })
	}
	one, other := facts(judge.Architect), facts(judge.Skeptic)
	return len(one) > 0 && ByRules(s, judge.Architect) && ByRules(s, judge.Skeptic) && slices.EqualFunc(one, other, slices.Equal)
}

// shortClaim is the beginning of a claim: what a rule finds, or the first words of a seat.
func shortClaim(p *state.Point) string {
	const longest = 70
	text, _, _ := strings.Cut(plain.OneLine(p.Text), " (rule ")
	return plain.Clip(text, longest)
}

// standing says which claims of a side stand: nothing that was cited against them is left. The others
// are disputed or, in an audit, unsupported.
func standing(s *state.State, seat state.Seat, owner string) string {
	var stand, dispute, fall []string
	for _, p := range ClaimsOf(s, seat, s.Round) {
		support, _ := auditOf(s, p)
		against := slices.ContainsFunc(p.Challenges, func(id string) bool {
			last := s.Challenge(id).Last()
			return last == nil || last.Judgment != state.Accepted
		})
		u := p.UserRuling
		named := p.ID + " (" + shortClaim(p) + ")"
		switch {
		case support == unsupported:
			fall = append(fall, named)
		case support == supported, u != nil && u.Bucket == state.BucketAgreed:
			stand = append(stand, named)
		case support == disputed, against, u != nil:
			dispute = append(dispute, named)
		default:
			stand = append(stand, named)
		}
	}
	var parts []string
	add := func(ids []string, one, more string) {
		switch n := len(ids); n {
		case 0:
		case 1:
			parts = append(parts, ids[0]+" "+one)
		default:
			parts = append(parts, strings.Join(ids[:n-1], ", ")+" and "+ids[n-1]+" "+more)
		}
	}
	add(stand, "stands", "stand")
	add(dispute, "is disputed", "are disputed")
	add(fall, "is unsupported", "are unsupported")
	if len(parts) == 0 {
		return view.Stated("unclaimed", view.Record{State: s, ID: string(seat)})
	}
	text := owner + strings.Join(parts, ", ")
	if CurrentForm(s) == FormSingle && ByRules(s, judge.Architect) == ByRules(s, judge.Skeptic) && (owner == "" || !sameClaims(s)) {
		text += ", unseen by the other side"
	}
	return text
}

// Fill shows the verdict and why, the claims of both sides, their confidence in each round, and the
// violations, drifts and ignored facts.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	settings := SettingsOf(s)
	verdict, because := verdictWords(s)
	result := view.Item{Text: verdict}
	result.Note("why", because)
	if p := s.Point(QuestionPoint); p != nil {
		for _, id := range p.Challenges {
			result.Note("against", contradictionText(s, s.Challenge(id)))
		}
	}
	d.Add(view.Section{Title: "VERDICT", Uncounted: true, Items: []view.Item{result}})
	d.Open = view.OpenQuestions(s)
	d.Header(s)
	if s.Packet.Frozen() {
		seal := s.Packet.Seal()
		d.Row("packet", fmt.Sprintf("%s: %s, %s to %s, digest %.12s…", seal.ID, view.Counted(seal.Facts, "fact"),
			view.Moment(seal.From), view.Moment(seal.To), strings.TrimPrefix(seal.Digest, "sha256:")))
	}
	how := fmt.Sprintf("%s, form %s", settings.Judge, settings.Form)
	if CurrentForm(s) != settings.Form {
		how += ", continued as " + string(CurrentForm(s))
	}
	if settings.Domain.Name != "" {
		how += ", domain " + settings.Domain.Name
	}
	d.Row("judge", how)
	if g := Of(s).Gated; g != nil {
		d.Row("gate", gateWords(s, g))
	}
	d.Row("usage", view.UsageRow(s.Usage))
	d.Add(claimsOf(s, rulings, judge.Architect), claimsOf(s, rulings, judge.Skeptic),
		confidences(s), violations(s), drifts(s), ignored(s), view.NotTaken(s), view.EarlierQuestions(s))
	d.AddFacts(s)
}

// gateWords describes the result of the gate, and what followed.
func gateWords(s *state.State, g *Gated) string {
	settings := SettingsOf(s)
	words := fmt.Sprintf("%s stayed shut", settings.Gate)
	if g.Opens {
		words = fmt.Sprintf("%s opened, and the hearing continued as %s", settings.Gate, settings.Then)
	}
	words += ": confidence " + judge.Figure(g.Confidence)
	if judge.Escalates(g.Confidence) {
		words += ", in the range that escalates"
	}
	if len(g.Flags) == 0 {
		words += "; no flag"
	} else {
		words += fmt.Sprintf("; %s, risk %s", strings.Join(enum.Words(g.Flags), ", "), judge.Figure(judge.Risk(g.Flags)))
	}
	if s.Closed && firesUnseen(s) {
		words += "; it fires on the verdict too: a person should look at it"
	}
	return words
}

// claimsOf lists the claims of a side, with their facts.
func claimsOf(s *state.State, rulings []state.Ruling, seat state.Seat) view.Section {
	sec := view.Section{Title: strings.ToUpper(string(seat))}
	for _, p := range s.Points.All() {
		if p.ID != QuestionPoint && p.Authors[0] == seat {
			sec.Items = append(sec.Items, claimItem(s, p, resolver.RulingOn(rulings, p.ID)))
		}
	}
	if last := Of(s).Argument(seat, s.Round); last != nil && last.WouldChange != "" {
		sec.After = "What would change its mind: " + last.WouldChange
	}
	return sec
}

func claimItem(s *state.State, p *state.Point, r *state.Ruling) view.Item {
	support, _ := auditOf(s, p)
	it := view.Item{ID: p.ID, Text: p.Text, Mark: view.Tag(support)}
	if r != nil {
		it.Role = view.BucketRole(r.Bucket)
		if support == "" || r.Tag == state.TagUser {
			it.Mark = view.Tag(cmp.Or(string(r.Tag), string(r.Bucket)))
		}
		it.Note("why", r.Reason)
	}
	confidence := judge.Figure(confidenceIn(s, p, p.Authors[0], s.Round))
	for _, change := range ChangesOf(s, p) {
		confidence += fmt.Sprintf("; in round %d from %s to %s (%+g)", change.Round, judge.Figure(change.From),
			judge.Figure(change.To), view.Rounded(change.To-change.From))
		if change.Fact != "" {
			confidence += " by " + change.Fact
		}
	}
	it.Note("confidence", confidence)
	it.Notes = append(it.Notes, view.PacketNotes(&s.Packet, p.Facts)...)
	for _, id := range p.Challenges {
		it.Note("against", contradictionText(s, s.Challenge(id)))
	}
	return it
}

// contradictionText describes the facts cited against a claim, and how they were answered.
func contradictionText(s *state.State, c *state.Challenge) string {
	text := fmt.Sprintf("%s, %s in round %d", c.ID, c.By, c.Round)
	if len(c.Facts) > 0 {
		text += ", by " + strings.Join(c.Facts, ", ")
	}
	text += ": " + c.Objection
	for i := range c.Defenses {
		d := &c.Defenses[i]
		text += fmt.Sprintf("; the %s answered in round %d: %s", d.By, d.Round, view.Citing(d.Text, d.Facts))
	}
	return text + " (" + contradictionStatus(s, c).Outcome + ")"
}

// confidences lists the confidences of both sides in each round, with the verdict.
func confidences(s *state.State) view.Section {
	rounds := Rounds(s)
	if len(rounds) == 0 {
		return view.Section{}
	}
	sec := view.Section{
		Title: "CONFIDENCE", Uncounted: true,
		Table: [][]string{{"#", "architect", "skeptic", "judge", "by", "new facts"}},
	}
	for i := range rounds {
		r := &rounds[i]
		added := strconv.Itoa(len(r.New))
		switch {
		case r.ByArgument:
			added += " (moved by argument alone)"
		case r.BySilence:
			added += " (moved by silence)"
		}
		sec.Table = append(sec.Table, []string{
			strconv.Itoa(r.Round), view.Figure(r.Architect), view.Figure(r.Skeptic), string(r.Result), r.Rule, added,
		})
	}
	if s.ExitReason != "" {
		sec.After = "It ended because: " + s.ExitReason + "."
	}
	return sec
}

// violations lists the moves that cited facts outside the packet.
func violations(s *state.State) view.Section {
	sec := view.Section{Title: "OUTSIDE OF THE PACKET"}
	for _, v := range Of(s).Violations {
		it := view.Item{ID: v.Move, Mark: "dropped", Text: fmt.Sprintf("%s, round %d: %s", v.Seat, v.Round, v.Text)}
		it.Note("cites", strings.Join(v.Facts, ", "))
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// drifts lists the confidences that a seat wanted to lower without a fact, which kept their value.
func drifts(s *state.State) view.Section {
	sec := view.Section{Title: "DRIFTS"}
	for _, d := range s.Drifts.All() {
		text := fmt.Sprintf("%s, round %d: from %s to %s without an unanswered fact against it", d.Seat, d.Round,
			d.From, d.To)
		if d.Kept {
			text += "; kept"
		}
		sec.Items = append(sec.Items, view.Item{ID: d.Point, Text: text})
	}
	return sec
}

// ignored lists the contradicting facts that a side left unanswered.
func ignored(s *state.State) view.Section {
	sec := view.Section{Title: "IGNORED REBUTTALS"}
	for _, r := range Of(s).Ignored {
		text := fmt.Sprintf("%s, round %d: %s against %s was left unanswered, without a lower confidence or a fact "+
			"that would change its mind", r.Seat, r.Round, r.Fact, s.Challenge(r.Challenge).Point)
		it := view.Item{ID: r.Challenge, Text: text}
		it.Notes = append(it.Notes, view.PacketNotes(&s.Packet, []string{r.Fact})...)
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// Event describes claims with their facts, confidences, dropped moves and the verdict.
func (document) Event(before, after *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *state.PacketFacts:
		text := view.Counted(len(e.Facts), "byte") + " of facts"
		return view.One(view.Say("packet", "packet", text, view.RoleQuiet).AsMinor()), true
	case *state.PacketFrozen:
		text := fmt.Sprintf("%s, %s", view.Counted(e.Facts, "fact"), e.Digest)
		return view.One(view.Say("packet", e.ID, text, view.RoleQuiet)), true
	case *state.PointRaised:
		p := after.Point(e.ID)
		if p == nil {
			return nil, false
		}
		l := claimLine(p)
		// The question is in the heading.
		l.Minor = e.ID == QuestionPoint
		return view.One(l), true
	case *state.ConfidenceReported:
		p := after.Point(e.Point)
		switch {
		case p == nil:
			return nil, false
		case p.Round == after.Round:
			return view.One(claimLine(p)), true
		}
		changes := ChangesOf(after, p)
		if len(changes) == len(ChangesOf(before, p)) {
			return nil, true
		}
		change := changes[len(changes)-1]
		text := "from " + judge.Figure(change.From) + " to " + judge.Figure(change.To)
		if change.Fact != "" {
			text += ", because of " + change.Fact
		}
		return view.One(view.Say("confidence", e.Point+" of the "+string(e.Seat), text, view.RoleOpen)), true
	case *SchemaViolated:
		return view.One(view.Line{
			Label: "dropped", Lead: e.Move + " of the " + string(e.Seat), Role: view.RoleWarn,
			Text: view.Sentence("cites "+strings.Join(e.Facts, ", ")+", which is not in the packet", e.Text),
		}), true
	case *state.ChallengeRaised:
		text := view.Citing(e.Objection, e.Facts)
		return view.One(view.Say("challenge", e.ID+" against "+e.Point, text, view.RoleDoubt).By(e.By)), true
	case *state.DriftDetected:
		lead := e.Point + " of the " + string(e.Seat)
		text := fmt.Sprintf("at %s: no fact was cited (it said %s)", e.From, e.To)
		if e.Point == QuestionPoint {
			lead = "overall confidence of the " + string(e.Seat)
			text = fmt.Sprintf("it said %s, and may fall by no more than its claims did", e.To)
		}
		return view.One(view.Say("kept", lead, text, view.RoleWarn)), true
	case *Argued:
		text := judge.Figure(e.Confidence) + " that it holds"
		if e.Seat == judge.Skeptic {
			text = judge.Figure(e.Confidence) + " that it does not hold"
		}
		if e.WouldChange != "" {
			text += "; would change its mind: " + e.WouldChange
		}
		return view.One(view.Say("concludes", string(e.Seat), text, view.RolePlain)), true
	case *RebuttalIgnored:
		text := e.Fact + " was not answered, and no confidence was lowered for it"
		return view.One(view.Say("ignored", e.Challenge+" by the "+string(e.Seat), text, view.RoleWarn)), true
	case *Gated:
		return view.One(view.Say("gate", "", gateWords(after, e), view.RoleOpen)), true
	case *state.Ruled:
		return verdictLines(after, e), true
	}
	return nil, false
}

// HasEvent is true for moves that were dropped, and for confidences that were kept.
func (document) HasEvent(code string) bool { return code == "outside-packet" || code == "no-cause" }

func claimLine(p *state.Point) view.Line {
	l := view.Line{Key: p.ID, Label: "claim", Lead: p.ID, Text: view.Citing(p.Text, p.Facts), Role: view.RolePoint}
	if score := p.Score(p.Authors[0]); score != nil {
		l.Text += ", confidence " + judge.Figure(score.Admitted)
	}
	return l.By(p.Authors[0])
}

// verdictLines describes the verdict after a round, and rulings on claims that have ended.
func verdictLines(s *state.State, e *state.Ruled) []view.Line {
	lines := []view.Line{}
	if r := s.Ruling(QuestionPoint); r != nil && r.Reason != "" {
		reason := strings.TrimPrefix(r.Reason, "under deliberation; ")
		lines = append(lines, view.Line{
			Label: "verdict", Text: fmt.Sprintf("round %d: %s", e.Round, reason),
			Role: view.BucketRole(r.Bucket),
		})
		if r.Bucket != state.BucketOpen {
			lines = append(lines, view.Say("ruled", "", view.RuledCounts(s), view.RoleQuiet))
		}
	}
	for i := range e.Rulings {
		if r := &e.Rulings[i]; r.Point != QuestionPoint && r.Bucket != state.BucketOpen {
			lines = append(lines, view.RulingLine(r).AsMinor())
		}
	}
	return lines
}

// View implements protocol.Format.
func (Format) View() view.Format { return document{} }

// Places implements the view of a session's places: what would change the minds of the sides.
func (document) Places(s *state.State) []view.Place {
	var places []view.Place
	for i := range Of(s).Arguments {
		places = append(places, view.Place{
			Kind: "would change its mind", Rank: view.RankArgument, Text: Of(s).Arguments[i].WouldChange,
		})
	}
	return places
}
