package hearing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// document puts a hearing into words.
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
	// Rule is the row of the judge that decided, as in v2.3, or else. Reason says what it
	// compared, Supporting the facts that it read.
	Rule       string   `json:"rule"`
	Reason     string   `json:"reason"`
	Supporting []string `json:"supporting"`
	// Trace is the verdict after each round in which both sides had argued.
	Trace []Round `json:"trace"`
	// Flags are reasons to doubt the confidence of the verdict, Risk is their share of all
	// possible flags, 0 to 1. They are computed with and without a gate.
	Flags []judge.MiscalibrationFlag `json:"flags"`
	Risk  float64                    `json:"risk"`
}

func (document) Opposed() (seats []state.Seat, withRules bool) { return sides(), false }

func (document) Outcome(s *state.State) any {
	out := Outcome{
		Concluded: view.Conclude(s), Supporting: []string{}, Trace: view.Some(Rounds(s)),
		Flags: []judge.MiscalibrationFlag{},
	}
	if v, ok := VerdictOf(s); ok {
		out.Verdict, out.Result = SettingsOf(s).Domain.Shown(v.Outcome), v.Outcome
		out.Confidence, out.Rule, out.Reason = v.Confidence, v.Rule, v.Sentence
		out.Supporting, out.Flags = view.Some(v.Supporting), view.Some(FlagsOf(s, &v))
		out.Risk = judge.Risk(out.Flags)
	}
	return out
}

// FirstAnswers is the verdict after round 1; no claim was ruled on by then.
func (document) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.ID != QuestionPoint {
			return state.BucketNotEvaluated
		}
		v, ok := VerdictBy(s, SettingsOf(s).Judge, 1)
		switch {
		case !ok:
			return state.BucketNotEvaluated
		case v.Outcome == judge.Confirmed:
			return state.BucketAgreed
		case v.Outcome == judge.Dismissed:
			return state.BucketDismissed
		}
		return state.BucketUnresolved
	}
}

// Warnings are why the verdict may be less certain than it looks, moves that were
// dropped for citing facts outside the packet, and confidences that code kept.
func (document) Warnings(s *state.State) []string {
	var warnings []string
	say := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	if v, ok := VerdictOf(s); ok {
		flags := FlagsOf(s, &v)
		for _, flag := range flags {
			say("%s: %s (risk %s)", flag, FlagSays(flag), judge.Figure(judge.Risk(flags)))
		}
	}
	if n := len(Of(s).Violations); n > 0 {
		say("schema: %s dropped for citing facts that are not in the packet", view.Counted(n, "move"))
	}
	kept := 0
	for _, d := range s.Drifts.All() {
		if d.Kept {
			kept++
		}
	}
	if kept > 0 {
		say("drift: %s fell without a fact that contradicts; only facts can lower them (see DRIFTS)",
			view.Counted(kept, "confidence"))
	}
	if n := len(Of(s).Ignored); n > 0 {
		say("rebuttal: %s left unanswered (see IGNORED REBUTTALS)", view.Counted(n, "contradicting fact"))
	}
	return warnings
}

// Status gives the confidence of both sides and the verdict as it is now.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	var parts []string
	for _, seat := range sides() {
		if a := Of(s).Argument(seat, s.Round); a != nil {
			parts = append(parts, string(seat)+" "+judge.Figure(a.Confidence))
		}
	}
	v, ok := VerdictOf(s)
	if !ok {
		return strings.Join(parts, ", "), view.RolePlain
	}
	role := view.RoleOpen
	if s.Over() {
		role = map[judge.Outcome]view.Role{judge.Confirmed: view.RoleBad, judge.Dismissed: view.RoleGood}[v.Outcome]
	}
	return strings.Join(append(parts, SettingsOf(s).Domain.Shown(v.Outcome)), ", "), role
}

// Map shows how each contradiction by facts was answered.
func (document) Map(s *state.State) view.Map {
	m := view.OpposedPairs(s)
	m.Challenges = map[string]view.ChallengeStatus{}
	for _, c := range s.Challenges.All() {
		status := view.ChallengeStatus{
			Kind: "contradiction", Verb: "contradicts", Settled: true,
			Notes: view.CitedFacts("cites", c.Facts),
		}
		status.Outcome, status.Role = contradictionOutcome(s, c)
		status.Settled = status.Role != view.RoleOpen
		status.Status = map[view.Role]state.ChallengeStatus{
			view.RoleOpen: state.StandsOpen, view.RoleGood: state.StandsDefended, view.RoleWarn: state.StandsUndefended,
			view.RoleQuiet: state.StandsEnded,
		}[status.Role]
		m.Challenges[c.ID] = status
	}
	return m
}

func contradictionOutcome(s *state.State, c *state.Challenge) (string, view.Role) {
	p := s.Point(c.Point)
	if p == nil || p.UserRuling != nil {
		return "ended, ruled by you", view.RoleQuiet
	}
	// The side whose claim it is answers, and both sides if the oracle raised it.
	owing := p.Authors
	if c.By == Oracle {
		owing = sides()
	}
	waiting := slices.DeleteFunc(slices.Clone(owing), func(seat state.Seat) bool { return answeredBy(c, seat) })
	if len(waiting) == 0 {
		return "answered", view.RoleGood
	}
	for _, change := range Of(s).Changes {
		if change.Point == c.Point && change.To < change.From && slices.Contains(c.Facts, change.Fact) {
			return "accepted, confidence now " + judge.Figure(change.To), view.RoleGood
		}
	}
	_, conceded := p.Conceded()
	switch {
	case conceded:
		return p.ID + " was given up", view.RoleQuiet
	case slices.ContainsFunc(Of(s).Ignored, func(i IgnoredRebuttal) bool { return i.Challenge == c.ID }):
		return "ignored by the " + view.Seats(waiting), view.RoleWarn
	case s.Over():
		return "not answered", view.RoleQuiet
	}
	return "waits for " + view.Seats(waiting), view.RoleOpen
}

// verdictWords are the judge's verdict so far, and why.
func verdictWords(s *state.State) (verdict, because string) {
	settings := SettingsOf(s)
	v, judged := VerdictOf(s)
	verdict, because = "none yet: not both sides have argued", "nothing was judged"
	switch {
	case judged:
		shown := settings.Domain.Shown(v.Outcome)
		verdict = fmt.Sprintf("%s, confidence %s", shown, judge.Figure(v.Confidence))
		if !s.Over() {
			verdict = "so far " + verdict
		}
		because = strings.TrimPrefix(strings.TrimPrefix(v.Sentence, shown+" by "), shown+": ")
		if len(v.Supporting) > 0 {
			because += " [" + strings.Join(v.Supporting, " ") + "]"
		}
	case s.Over():
		verdict = "none: not both sides argued"
	}
	return verdict, because
}

// Decision implements view.Format.
func (document) Decision(s *state.State) string {
	if !s.Over() {
		return ""
	}
	verdict, because := verdictWords(s)
	if p := s.Point(QuestionPoint); p != nil && p.UserRuling != nil {
		verdict = "You ruled " + view.BucketName(p.UserRuling.Bucket) + ", which outranks the judge; " + verdict
	}
	return verdict + ": " + because
}

// Fill shows the verdict and why, the claims of both sides, their confidence in each
// round, and what code found on the way.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	h := &hearingView{s: s, rulings: rulings, rounds: Rounds(s)}
	settings := SettingsOf(s)
	if verdict, because := verdictWords(s); len(d.Answer.Items) == 0 {
		d.Row("verdict", verdict)
		d.Row("because", because)
	}
	if p := s.Point(QuestionPoint); p != nil && p.UserRuling != nil {
		d.Row("you", view.Sentence("ruled "+view.BucketName(p.UserRuling.Bucket)+", which outranks the judge",
			p.UserRuling.Reason))
	}
	if n := len(h.rounds); n > 1 {
		changed := "round 1 came to " + settings.Domain.Shown(h.rounds[0].Result)
		if h.rounds[0].Result == h.rounds[n-1].Result {
			changed = "nothing: " + changed + " too"
		}
		d.Row("changed", changed)
	}
	d.Header(s)
	if s.Packet.Frozen() {
		seal := s.Packet.Seal()
		d.Row("packet", fmt.Sprintf("%s: %s, %s to %s, digest %.12s…", seal.ID, view.Counted(seal.Facts, "fact"),
			view.Moment(seal.From), view.Moment(seal.To), strings.TrimPrefix(seal.Digest, "sha256:")))
	}
	how := fmt.Sprintf("%s, form %s", settings.Judge, settings.Form)
	if Course(s) != settings.Form {
		how += ", continued as " + string(Course(s))
	}
	if settings.Domain.Name != "" {
		how += ", domain " + settings.Domain.Name
	}
	d.Row("judge", how)
	if g := Of(s).Gated; g != nil {
		d.Row("gate", gateWords(s, g))
	}
	d.Row("usage", view.UsageRow(s.Usage))
	d.Add(view.Questions(s), h.claims("ARCHITECT", judge.Architect), h.claims("SKEPTIC", judge.Skeptic), h.confidence(),
		h.oracle(), h.violations(), h.drifts(), h.ignored(), view.Facts(s))
}

type hearingView struct {
	s       *state.State
	rulings []state.Ruling
	rounds  []Round
}

// gateWords says what the gate found, and what followed.
func gateWords(s *state.State, g *Gating) string {
	words := fmt.Sprintf("%s stayed shut", g.Gate)
	if g.Opens {
		words = fmt.Sprintf("%s opened, and the hearing continued as %s", g.Gate, SettingsOf(s).Then)
	}
	words += ": confidence " + judge.Figure(g.Confidence)
	if judge.Escalates(g.Confidence) {
		words += ", in the range that escalates"
	}
	if len(g.Flags) == 0 {
		return words + "; no flag"
	}
	return fmt.Sprintf("%s; %s, risk %s", words, strings.Join(g.Flags, ", "), judge.Figure(g.Risk))
}

// claims lists the claims of a side, with their facts.
func (h *hearingView) claims(title string, seat state.Seat) view.Section {
	sec := view.Section{Title: title}
	for _, p := range h.s.Points.All() {
		if p.ID != QuestionPoint && p.MergedInto == "" && p.Authors[0] == seat {
			sec.Items = append(sec.Items, h.claim(p, seat))
		}
	}
	if last := Of(h.s).Argument(seat, h.s.Round); last != nil && last.WouldChange != "" {
		sec.After = "What would change its mind: " + last.WouldChange
	}
	return sec
}

func (h *hearingView) claim(p *state.Point, seat state.Seat) view.Item {
	audited, _ := auditOf(h.s, p)
	it := view.Item{ID: p.ID, Text: p.Text, Mark: audited.support}
	if r := resolver.RulingOn(h.rulings, p.ID); r != nil {
		if audited.support == "" || r.Tag == state.TagUser {
			it.Mark = cmp.Or(string(r.Tag), view.BucketName(r.Bucket))
		}
		it.Note("why", r.Reason)
	}
	confidence := judge.Figure(confidenceIn(h.s, p, seat, h.s.Round))
	for i := range Of(h.s).Changes {
		change := &Of(h.s).Changes[i]
		if change.Point != p.ID {
			continue
		}
		confidence += fmt.Sprintf("; in round %d from %s to %s (%+g)", change.Round, judge.Figure(change.From),
			judge.Figure(change.To), view.Rounded(change.To-change.From))
		if change.Fact != "" {
			confidence += " by " + change.Fact
		}
	}
	it.Note("confidence", confidence)
	for _, id := range p.Facts {
		it.Notes = append(it.Notes, packetFact(h.s, id))
	}
	for _, id := range p.Challenges {
		if challenge := h.s.Challenge(id); challenge != nil {
			it.Note("against", id+", "+contradictionText(challenge))
		}
	}
	return it
}

// packetFact is a fact of the packet, verbatim.
func packetFact(s *state.State, id string) view.Note {
	if f, ok := s.Packet.Fact(id); ok {
		return view.Note{Label: id, Text: FactWords(&f)}
	}
	return view.Note{Label: id, Text: "is not in the packet"}
}

// contradictionText says what was cited against a claim, and how it was answered.
func contradictionText(c *state.Challenge) string {
	text := fmt.Sprintf("%s in round %d", c.By, c.Round)
	if len(c.Facts) > 0 {
		text += ", by " + strings.Join(c.Facts, ", ")
	}
	text += ": " + c.Objection
	if len(c.Defenses) == 0 {
		return text + " (not answered)"
	}
	for i := range c.Defenses {
		d := &c.Defenses[i]
		text += fmt.Sprintf("; the %s answered in round %d: %s", d.By, d.Round, d.Text)
		if len(d.Facts) > 0 {
			text += " [" + strings.Join(d.Facts, " ") + "]"
		}
	}
	return text
}

// confidence lists the confidences of both sides in each round, with the verdict.
func (h *hearingView) confidence() view.Section {
	if len(h.rounds) == 0 {
		return view.Section{}
	}
	sec := view.Section{
		Title: "CONFIDENCE", Uncounted: true,
		Table: [][]string{{"#", "architect", "skeptic", "judge", "by", "new facts"}},
	}
	for i := range h.rounds {
		r := &h.rounds[i]
		sec.Table = append(sec.Table, []string{
			strconv.Itoa(r.Round), view.Figure(r.Architect), view.Figure(r.Skeptic), string(r.Result), r.Rule,
			strconv.Itoa(len(r.New)),
		})
	}
	if why := h.s.ExitReason; why != "" {
		sec.After = "It ended because: " + why + "."
	}
	return sec
}

// oracle lists what the oracle cited, with the answers of both sides.
func (h *hearingView) oracle() view.Section {
	sec := view.Section{Title: "ORACLE"}
	for _, c := range h.s.Challenges.All() {
		if c.By != Oracle {
			continue
		}
		it := view.Item{ID: c.ID, Text: fmt.Sprintf("against %s: %s", c.Point, c.Objection)}
		for _, id := range c.Facts {
			it.Notes = append(it.Notes, packetFact(h.s, id))
		}
		for i := range c.Defenses {
			it.Note(string(c.Defenses[i].By)+" answered", c.Defenses[i].Text)
		}
		for _, seat := range sides() {
			if !slices.ContainsFunc(c.Defenses, func(d state.Defense) bool { return d.By == seat }) {
				it.Note(string(seat), "has not answered")
			}
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// violations lists the moves that cited facts outside the packet.
func (h *hearingView) violations() view.Section {
	sec := view.Section{Title: "OUTSIDE OF THE PACKET"}
	for i := range Of(h.s).Violations {
		v := &Of(h.s).Violations[i]
		it := view.Item{ID: v.Move, Mark: "dropped", Text: fmt.Sprintf("%s, round %d: %s", v.Seat, v.Round, v.Text)}
		it.Note("cites", strings.Join(v.Facts, ", "))
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// drifts lists the confidences that fell without a fact, and were kept.
func (h *hearingView) drifts() view.Section {
	sec := view.Section{Title: "DRIFTS"}
	for _, d := range h.s.Drifts.All() {
		about := "its side of the question"
		if d.Point != QuestionPoint {
			about = d.Point
		}
		sec.Items = append(sec.Items, view.Item{ID: d.Point, Text: fmt.Sprintf(
			"the %s went from %s to %s on %s in round %d without an unanswered fact that contradicts it; the part "+
				"of the "+
				"drop that facts do not justify does not count", d.Seat, d.From, d.To, about, d.Round)})
	}
	return sec
}

// ignored lists the contradicting facts that a side left unanswered.
func (h *hearingView) ignored() view.Section {
	sec := view.Section{Title: "IGNORED REBUTTALS"}
	for i := range Of(h.s).Ignored {
		r := &Of(h.s).Ignored[i]
		it := view.Item{
			ID: r.Challenge,
			Text: fmt.Sprintf("the %s left %s against %s unanswered in round %d, and neither "+
				"lowered its confidence nor named what would change its mind", r.Seat, r.Fact, r.Point, r.Round),
		}
		it.Notes = append(it.Notes, packetFact(h.s, r.Fact))
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// Event are the words for claims with their facts, confidences, dropped moves and the
// verdict.
func (document) Event(_, after *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *state.PacketFacts:
		return view.One(view.Line{
			Label: "packet", Lead: "packet", Text: view.Counted(len(e.Facts), "byte") + " of facts",
			Role: view.RoleQuiet,
		}.AsMinor()), true
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
		if p == nil || e.Point == QuestionPoint || p.Round != after.Round {
			return nil, false
		}
		return view.One(claimLine(p)), true
	case *SchemaViolated:
		return view.One(view.Line{
			Label: "dropped", Lead: e.Move + " of the " + string(e.Seat), Role: view.RoleWarn,
			Text: view.Sentence("cites "+strings.Join(e.Facts, ", ")+", which is not in the packet", e.Text),
		}), true
	case *state.ChallengeRaised:
		return view.One(view.Line{
			Label: "challenge", Lead: e.ID + " against " + e.Point, Text: cited(e.Objection, e.Facts),
			Role: view.RoleDoubt,
		}.By(e.By)), true
	case *state.ChallengeAnswered:
		return view.One(view.Say("answer", e.Challenge, cited(e.Text, e.Facts), view.RolePlain).By(e.By)), true
	case *ConfidenceChanged:
		text := "from " + judge.Figure(e.From) + " to " + judge.Figure(e.To)
		if e.Fact != "" {
			text += ", because of " + e.Fact
		}
		return view.One(view.Say("confidence", e.Point+" of the "+string(e.Seat), text, view.RoleOpen)), true
	case *state.DriftDetected:
		l := view.Line{
			Label: "kept", Lead: e.Point + " of the " + string(e.Seat),
			Text: fmt.Sprintf("at %s: no fact was cited (it said %s)", e.From, e.To), Role: view.RoleWarn,
		}
		if e.Point == QuestionPoint {
			l.Lead = "overall confidence of the " + string(e.Seat)
			l.Text = fmt.Sprintf("it said %s, and may fall by no more than its claims did", e.To)
		}
		return view.One(l), true
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
		return view.One(view.Line{
			Label: "ignored", Lead: e.Challenge + " by the " + string(e.Seat),
			Text: e.Fact + " was not answered, and no confidence was lowered for it", Role: view.RoleWarn,
		}), true
	case *Gated:
		return view.One(view.Say("gate", "", gateWords(after, &e.Gating), view.RoleOpen)), true
	case *state.Ruled:
		return verdictLines(after, e), true
	}
	return nil, false
}

// HasEvent is true for moves that were dropped, and for confidences that were kept.
func (document) HasEvent(code string) bool { return code == "outside-packet" || code == "no-cause" }

func claimLine(p *state.Point) view.Line {
	l := view.Line{Key: p.ID, Label: "claim", Lead: p.ID, Text: cited(p.Text, p.Facts), Role: view.RolePoint}
	if len(p.Authors) > 0 {
		if score := p.Score(p.Authors[0]); score != nil {
			l.Text += ", confidence " + judge.Figure(score.Admitted)
		}
		l = l.By(p.Authors[0])
	}
	return l
}

// cited is a text with the facts that it cites.
func cited(text string, facts []string) string {
	if len(facts) == 0 {
		return text
	}
	return text + " [" + strings.Join(facts, ", ") + "]"
}

// verdictLines are the verdict after a round, and rulings on claims once they ended.
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
