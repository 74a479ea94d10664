package hearing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// hearingFormat is the format hearing: two sides argue from a frozen packet of facts,
// and a judge made of arithmetic decides.
type document struct{}

// Outcome is the outcome of the format hearing: the verdict, the claims with
// their facts, and the verdict after each round. The facts themselves are in the
// events; state.points, challenges and defenses cite them by id.
type Outcome struct {
	Kind state.Format `json:"kind"`
	// Verdict is the judge's for the last round with the domain's prefix, as in
	// THREAT_CONFIRMED; "" until both sides have argued. Result is the same without the
	// prefix. A ruling of the user instead is in the rulings.
	Verdict string        `json:"verdict"`
	Result  state.Outcome `json:"result"`
	// Confidence is the verdict's, 0 to 1; 0 without a verdict.
	Confidence float64 `json:"confidence"`
	// Rule is the row of the judge that decided, as in v2.3, or else. Reason says what it
	// compared, Supporting the facts that it read.
	Rule       string   `json:"rule"`
	Reason     string   `json:"reason"`
	Supporting []string `json:"supporting"`
	// Judge is the version that decides, Form how the turns go, Course the form that was
	// followed in the end: in a selective hearing the one that the gate led to.
	Judge  state.JudgeVersion `json:"judge"`
	Form   state.Form         `json:"form"`
	Course state.Form         `json:"course"`
	Round  int                `json:"round"`
	// Domain is the name of the domain.
	Domain string          `json:"domain"`
	Packet PacketSummary   `json:"packet"`
	Sides  []SideSummary   `json:"sides"`
	Claims []ExportedClaim `json:"claims"`
	// Trace is the verdict after each round in which both sides had argued.
	Trace []ExportedRound `json:"trace"`
	// Changes are the admitted changes of confidence in claims.
	Changes    []ConfidenceChange      `json:"changes"`
	Violations []state.SchemaViolation `json:"violations"`
	Ignored    []state.IgnoredRebuttal `json:"ignored"`
	// Gate is the decision of a selective hearing to continue or not.
	Gate GateSummary `json:"gate"`
	// Flags are reasons to doubt the confidence of the verdict, Risk is their share of all
	// possible flags, 0 to 1. They are computed with and without a gate.
	Flags []judge.MiscalibrationFlag `json:"flags"`
	Risk  float64                    `json:"risk"`
	// Versions say what each version of the judge would decide for the last round.
	Versions []VersionVerdict `json:"versions"`
}

// PacketSummary names the packet that was argued from.
type PacketSummary struct {
	ID string `json:"packet_id"`
	// From and To are its window, both included, in UTC as RFC 3339.
	From  string `json:"from"`
	To    string `json:"to"`
	Facts int    `json:"facts"`
	// Digest is the digest of its whole content, as in sha256:0f….
	Digest string `json:"digest"`
}

// SideSummary is the last argument of a side.
type SideSummary struct {
	Seat state.Seat `json:"seat"`
	// Argued is true if it argued; otherwise Confidence is 0.
	Argued     bool    `json:"argued"`
	Confidence float64 `json:"confidence"`
	// WouldChange names what would change its mind, or "".
	WouldChange string   `json:"would_change"`
	Facts       []string `json:"facts"`
	// Violations counts its moves that were dropped because they cited facts outside the
	// packet. Drifts counts its confidences that fell without a fact and were kept.
	Violations int `json:"violations"`
	Drifts     int `json:"drifts"`
}

// ExportedClaim is a claim of a side, with its result in an audit.
type ExportedClaim struct {
	Point string     `json:"point"`
	By    state.Seat `json:"by"`
	Facts []string   `json:"facts"`
	// Confidence is the side's last admitted one, 0 to 1.
	Confidence float64 `json:"confidence"`
	// Support is the result in an audit, and Why explains it; both are "" in other forms.
	Support state.Support `json:"support"`
	Why     string        `json:"why"`
	Bucket  state.Bucket  `json:"bucket"`
}

// ExportedRound is the verdict after a round.
type ExportedRound struct {
	Round      int           `json:"round"`
	Verdict    string        `json:"verdict"`
	Result     state.Outcome `json:"result"`
	Rule       string        `json:"rule"`
	Confidence float64       `json:"confidence"`
	// Architect and Skeptic are the confidences of both sides at that time.
	Architect float64 `json:"architect"`
	Skeptic   float64 `json:"skeptic"`
	// Cited counts the distinct facts of both sides, New are those cited for the first time.
	Cited int      `json:"cited"`
	New   []string `json:"new"`
	// Claims, Challenges, Answers and Conceded count the moves of the round.
	Claims     int `json:"claims"`
	Challenges int `json:"challenges"`
	Answers    int `json:"answers"`
	Conceded   int `json:"conceded"`
}

// ConfidenceChange is a change of a confidence with its size.
type ConfidenceChange struct {
	state.ConfidenceChange
	Delta float64 `json:"delta"`
}

// GateSummary is the gate of a selective hearing after round 1. Without a gate all
// fields are "", 0 and [].
type GateSummary struct {
	Gate state.Gate `json:"gate"`
	Then state.Form `json:"then"`
	// Spoken is true once the gate decided; before that, the rest is 0.
	Spoken     bool     `json:"spoken"`
	Opens      bool     `json:"opens"`
	Confidence float64  `json:"confidence"`
	Flags      []string `json:"flags"`
	Risk       float64  `json:"risk"`
}

// VersionVerdict is the verdict of one version of the judge.
type VersionVerdict struct {
	Judge      state.JudgeVersion `json:"judge"`
	Result     state.Outcome      `json:"result"`
	Rule       string             `json:"rule"`
	Confidence float64            `json:"confidence"`
}

// hearingSides are the seats that argue for one side.
func hearingSides() []state.Seat { return []state.Seat{state.Architect, state.Skeptic} }

func (document) Opposed() (seats []state.Seat, withRules bool) { return hearingSides(), false }

func (document) Outcome(s *state.State) any { return hearingOutcome(s) }

func hearingOutcome(s *state.State) Outcome {
	settings := s.HearingSettings()
	out := Outcome{
		Kind: state.FormatHearing, Supporting: []string{}, Judge: settings.Judge, Form: settings.Form,
		Course: s.Course(), Round: s.Round, Domain: settings.Domain.Name, Claims: []ExportedClaim{},
		Trace: []ExportedRound{}, Changes: []ConfidenceChange{}, Violations: []state.SchemaViolation{},
		Ignored: view.Some(s.Hearing.Ignored), Flags: []judge.MiscalibrationFlag{}, Versions: []VersionVerdict{},
		Gate: GateSummary{Gate: settings.Gate, Then: settings.Then, Flags: []string{}},
	}
	if g := s.Hearing.Gated; g != nil {
		out.Gate.Spoken, out.Gate.Opens, out.Gate.Confidence = true, g.Opens, g.Confidence
		out.Gate.Flags, out.Gate.Risk = view.Some(g.Flags), g.Risk
	}
	if s.Hearing.Packet != nil {
		seal := s.Hearing.Packet.Seal()
		out.Packet = PacketSummary{
			ID: seal.ID, Facts: seal.Facts, Digest: seal.Digest,
			From: seal.From.UTC().Format(time.RFC3339Nano), To: seal.To.UTC().Format(time.RFC3339Nano),
		}
	}
	if v, ok := VerdictOf(s); ok {
		out.Verdict, out.Result, out.Confidence = settings.Domain.Shown(v.Outcome), v.Outcome, v.Confidence
		out.Rule, out.Reason, out.Supporting = v.Rule, v.Sentence, view.Some(v.Supporting)
		out.Flags = view.Some(FlagsOf(s, &v))
		out.Risk = judge.Risk(out.Flags)
	}
	for _, seat := range hearingSides() {
		side := SideSummary{Seat: seat, Facts: view.Some(FactsOf(s, seat, s.Round))}
		if last := s.Hearing.Argument(seat, s.Round); last != nil {
			side.Argued, side.Confidence, side.WouldChange = true, last.Confidence, last.WouldChange
		}
		side.Violations, side.Drifts, _ = lapses(s, seat, false)
		out.Sides = append(out.Sides, side)
	}
	buckets := map[string]state.Bucket{}
	for _, r := range resolver.Rule(*s) {
		buckets[r.Point] = r.Bucket
	}
	for _, p := range s.Points.All() {
		if p.ID == QuestionPoint || p.MergedInto != "" {
			continue
		}
		audited, _ := auditOf(s, p)
		claim := ExportedClaim{
			Point: p.ID, By: p.Authors[0], Facts: view.Some(p.Facts), Support: audited.support, Why: audited.why,
			Bucket: buckets[p.ID],
		}
		if score := p.Score(p.Authors[0]); score != nil {
			claim.Confidence = score.Admitted
		}
		out.Claims = append(out.Claims, claim)
	}
	for _, r := range Rounds(s) {
		if v := r.Verdict; v != nil {
			out.Trace = append(out.Trace, ExportedRound{
				Round: r.Round, Verdict: settings.Domain.Shown(v.Outcome), Result: v.Outcome, Rule: v.Rule,
				Confidence: v.Confidence, Architect: v.Architect.Confidence, Skeptic: v.Skeptic.Confidence,
				Cited: r.Cited, New: view.Some(r.New),
				Claims: r.Claims, Challenges: r.Challenges, Answers: r.Answers, Conceded: r.Conceded,
			})
		}
	}
	for i := range s.Hearing.Changes {
		c := &s.Hearing.Changes[i]
		out.Changes = append(out.Changes, ConfidenceChange{*c, c.Delta()})
	}
	for _, v := range s.Hearing.Violations {
		v.Facts = view.Some(v.Facts)
		out.Violations = append(out.Violations, v)
	}
	for _, version := range state.JudgeVersions() {
		if v, ok := VerdictBy(s, version, s.Round); ok {
			out.Versions = append(out.Versions,
				VersionVerdict{Judge: version, Result: v.Outcome, Rule: v.Rule, Confidence: v.Confidence})
		}
	}
	return out
}

// lapses counts the moves of a seat that were dropped, its confidences that fell
// without a fact, and the contradicting facts that it left unanswered.
func lapses(s *state.State, seat state.Seat, onlyKept bool) (dropped, drifts, ignored int) {
	for _, v := range s.Hearing.Violations {
		if v.Seat == seat {
			dropped++
		}
	}
	for _, d := range s.Drifts.All() {
		if d.Seat == seat && (d.Kept || !onlyKept) {
			drifts++
		}
	}
	for _, i := range s.Hearing.Ignored {
		if i.Seat == seat {
			ignored++
		}
	}
	return dropped, drifts, ignored
}

// FirstAnswers is the verdict after round 1; no claim was ruled on by then.
func (document) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.ID != QuestionPoint {
			return state.BucketNotEvaluated
		}
		v, ok := verdictAfter(s, 1)
		switch {
		case !ok:
			return state.BucketNotEvaluated
		case v.Outcome == state.Confirmed:
			return state.BucketAgreed
		case v.Outcome == state.Dismissed:
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
	for _, seat := range append(hearingSides(), state.Oracle) {
		dropped, kept, ignored := lapses(s, seat, true)
		if dropped > 0 {
			were := "were"
			if dropped == 1 {
				were = "was"
			}
			say("schema: %s of the %s cited facts that are not in the packet, and %s dropped as a whole",
				view.Counted(dropped, "move"), seat, were)
		}
		if kept > 0 {
			say("drift: %s of the %s fell without a fact that contradicts; only facts can lower them (see DRIFTS)",
				view.Counted(kept, "confidence"), seat)
		}
		if ignored > 0 {
			say("rebuttal: the %s left %s unanswered, and neither lowered its confidence nor named what would "+
				"change its "+
				"mind", seat, view.Counted(ignored, "contradicting fact"))
		}
	}
	return warnings
}

// Remarks are about claims on facts.
func (document) Remarks(m *state.Metrics) []string {
	remarks := view.Unchallenged(m, "no fact was cited against a claim", "no fact was cited against: ")
	switch {
	case m.Verified != nil && *m.Verified == 0:
		remarks = append(remarks, "no claim is supported by its facts")
	case m.Verified != nil && *m.Verified < 1:
		remarks = append(remarks, view.Percent(*m.Verified)+" of the claims are supported by their facts")
	}
	if m.Compliance != nil && *m.Compliance < 1 {
		remarks = append(remarks, view.Percent(*m.Compliance)+" of the moves cite only facts in the packet")
	}
	return remarks
}

// Status gives the confidence of both sides and the verdict as it is now.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	var parts []string
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		if a := s.Hearing.Argument(seat, s.Round); a != nil {
			parts = append(parts, string(seat)+" "+judge.Figure(a.Confidence))
		}
	}
	v, ok := VerdictOf(s)
	if !ok {
		return strings.Join(parts, ", "), view.RolePlain
	}
	role := view.RoleOpen
	if s.Over() {
		role = map[state.Outcome]view.Role{state.Confirmed: view.RoleBad, state.Dismissed: view.RoleGood}[v.Outcome]
	}
	return strings.Join(append(parts, s.HearingSettings().Domain.Shown(v.Outcome)), ", "), role
}

// Map says of each challenge, which contradicts a claim by facts, how it was answered.
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
		m.Challenges[c.ID] = status
	}
	return m
}

func contradictionOutcome(s *state.State, c *state.Challenge) (string, view.Role) {
	p := s.Point(c.Point)
	if p == nil {
		return "ended", view.RoleQuiet
	}
	if p.UserRuling != nil {
		return "ended, ruled by you", view.RoleQuiet
	}
	// The side whose claim it is answers, and both sides if the oracle raised it.
	sides := p.Authors
	if c.By == state.Oracle {
		sides = []state.Seat{state.Architect, state.Skeptic}
	}
	waiting := slices.DeleteFunc(slices.Clone(sides), func(seat state.Seat) bool {
		return slices.ContainsFunc(c.Defenses, func(d state.Defense) bool {
			return (d.By == seat ||
				d.By == state.User) && d.Seq > c.Since
		})
	})
	if len(waiting) == 0 {
		return "answered", view.RoleGood
	}
	for _, change := range s.Hearing.Changes {
		if change.Point == c.Point && change.To < change.From && slices.Contains(c.Facts, change.Fact) {
			return "accepted, confidence now " + judge.Figure(change.To), view.RoleGood
		}
	}
	for _, ignored := range s.Hearing.Ignored {
		if ignored.Challenge == c.ID {
			return "ignored by the " + string(ignored.Seat), view.RoleWarn
		}
	}
	if _, conceded := p.Conceded(); conceded {
		return p.ID + " was given up", view.RoleQuiet
	}
	if s.Over() {
		return "not answered", view.RoleQuiet
	}
	return "waits for " + view.Seats(waiting), view.RoleOpen
}

// Fill shows the verdict and why, the claims of both sides, their confidence in each
// round, and what code found on the way.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	h := &hearingView{s: s, rulings: rulings, out: hearingOutcome(s)}
	d.Row("verdict", h.verdict())
	d.Row("because", h.because())
	if p := s.Point(QuestionPoint); p != nil && p.UserRuling != nil {
		d.Row("you", view.Sentence("ruled "+view.BucketName(p.UserRuling.Bucket)+", which outranks the judge",
			p.UserRuling.Reason))
	}
	d.Row("changed", h.changes())
	d.Header(s)
	if s.Facts.Len() == 0 {
		// The ledger has only what the user adds to the packet.
		d.DropRow("ledger")
	}
	d.Row("packet", h.packet())
	d.Row("judge", h.judge())
	if h.out.Gate.Gate != "" {
		d.Row("gate", h.gate())
	}
	d.Row("usage", view.UsageRow(s.Usage))
	d.Add(view.WaitingQuestions(s))
	d.Sections = append(d.Sections, h.claims("ARCHITECT", state.Architect), h.claims("SKEPTIC", state.Skeptic))
	d.Add(h.rounds(), h.oracle(), h.violations(), h.drifts(), h.ignored(), view.SurfacedQuestions(s))
}

type hearingView struct {
	s       *state.State
	rulings []state.Ruling
	out     Outcome
}

func (h *hearingView) verdict() string {
	switch {
	case h.out.Verdict == "" && h.s.Over():
		reason := ""
		if r := view.RulingOn(h.rulings, QuestionPoint); r != nil {
			reason = strings.TrimPrefix(r.Reason, "there is no verdict: ")
		}
		return "none: " + cmp.Or(reason, "not both sides argued")
	case h.out.Verdict == "":
		return "none yet: not both sides have argued"
	}
	text := fmt.Sprintf("%s, confidence %s", h.out.Verdict, judge.Figure(h.out.Confidence))
	if !h.s.Over() {
		text = "so far " + text
	}
	return text
}

// because is the sentence behind the verdict, with the facts that it read.
func (h *hearingView) because() string {
	if h.out.Reason == "" {
		return "nothing was judged"
	}
	text := strings.TrimPrefix(strings.TrimPrefix(h.out.Reason, h.out.Verdict+" by "), h.out.Verdict+": ")
	if len(h.out.Supporting) > 0 {
		text += " [" + strings.Join(h.out.Supporting, " ") + "]"
	}
	return text
}

// changes compares the verdict with the one after round 1.
func (h *hearingView) changes() string {
	switch n := len(h.out.Trace); {
	case n == 0:
		return "nothing yet"
	case n == 1:
		return "nothing: there was one round"
	}
	first, last := h.out.Trace[0], h.out.Trace[len(h.out.Trace)-1]
	if first.Verdict == last.Verdict {
		return fmt.Sprintf("nothing: round 1 said %s too, by %s", first.Verdict, first.Rule)
	}
	return fmt.Sprintf("round 1 said %s, by %s", first.Verdict, first.Rule)
}

func (h *hearingView) packet() string {
	p := &h.out.Packet
	if p.ID == "" {
		return "no packet was frozen"
	}
	return fmt.Sprintf("%s: %s, %s to %s, digest %.12s…", p.ID, view.Counted(p.Facts, "fact"), p.From, p.To,
		strings.TrimPrefix(p.Digest, "sha256:"))
}

func (h *hearingView) judge() string {
	text := fmt.Sprintf("%s, form %s", h.out.Judge, h.out.Form)
	if h.out.Course != h.out.Form {
		text += ", continued as " + string(h.out.Course)
	}
	if h.out.Domain != "" {
		text += ", domain " + h.out.Domain
	}
	return text
}

// gate says what the gate found, and what followed.
func (h *hearingView) gate() string {
	g := &h.out.Gate
	if !g.Spoken {
		return string(g.Gate) + ": not decided yet"
	}
	found := "confidence " + judge.Figure(g.Confidence)
	if judge.Escalates(g.Confidence) {
		found += ", in the range that escalates"
	}
	if len(g.Flags) == 0 {
		found += "; no flag"
	} else {
		found += fmt.Sprintf("; %s, risk %s", strings.Join(g.Flags, ", "), judge.Figure(g.Risk))
	}
	if g.Opens {
		return fmt.Sprintf("%s opened, and the hearing continued as %s: %s", g.Gate, g.Then, found)
	}
	return fmt.Sprintf("%s stayed shut: %s", g.Gate, found)
}

// claims lists the claims of a side, with their facts.
func (h *hearingView) claims(title string, seat state.Seat) view.Section {
	sec := view.Section{Title: title}
	for i := range h.out.Claims {
		c := &h.out.Claims[i]
		if p := h.s.Point(c.Point); c.By == seat && p != nil {
			sec.Items = append(sec.Items, h.claim(p, c))
		}
	}
	for i := range h.out.Sides {
		if side := &h.out.Sides[i]; side.Seat == seat && side.WouldChange != "" {
			sec.After = "What would change its mind: " + side.WouldChange
		}
	}
	return sec
}

func (h *hearingView) claim(p *state.Point, c *ExportedClaim) view.Item {
	it := view.Item{ID: p.ID, Text: p.Text, Mark: string(c.Support)}
	if r := view.RulingOn(h.rulings, p.ID); r != nil {
		if c.Support == "" || r.Tag == state.TagUser {
			it.Mark = cmp.Or(string(r.Tag), view.BucketName(r.Bucket))
		}
		it.Note("why", r.Reason+" ["+r.Rule+"]")
	}
	confidence := judge.Figure(c.Confidence)
	for i := range h.out.Changes {
		change := &h.out.Changes[i]
		if change.Point != p.ID {
			continue
		}
		confidence += fmt.Sprintf("; in round %d from %s to %s (%+g)", change.Round, judge.Figure(change.From),
			judge.Figure(change.To), view.Rounded(change.Delta))
		if change.Fact != "" {
			confidence += " by " + change.Fact
		}
	}
	it.Note("confidence", confidence)
	for _, id := range c.Facts {
		it.Notes = append(it.Notes, packetFact(h.s, id))
	}
	for _, id := range p.Challenges {
		if challenge := h.s.Challenge(id); challenge != nil {
			it.Note("against", contradictionText(challenge))
		}
	}
	return it
}

// packetFact is a fact of the packet, verbatim.
func packetFact(s *state.State, id string) view.Note {
	if s.Hearing.Packet != nil {
		if f, ok := s.Hearing.Packet.Fact(id); ok {
			return view.Note{Label: id, Text: FactWords(&f)}
		}
	}
	return view.Note{Label: id, Text: "is not in the packet"}
}

// contradictionText says what was cited against a claim, and how it was answered.
func contradictionText(c *state.Challenge) string {
	text := fmt.Sprintf("%s, %s in round %d", c.ID, c.By, c.Round)
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

// rounds is the confidence of both sides in each round, and the verdict then.
func (h *hearingView) rounds() view.Section {
	if len(h.out.Trace) == 0 {
		return view.Section{}
	}
	sec := view.Section{
		Title: "CONFIDENCE", Uncounted: true,
		Table: [][]string{{"#", "architect", "skeptic", "judge", "by", "new facts"}},
	}
	for i := range h.out.Trace {
		r := &h.out.Trace[i]
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
		if c.By != state.Oracle {
			continue
		}
		it := view.Item{ID: c.ID, Text: fmt.Sprintf("against %s: %s", c.Point, c.Objection)}
		for _, id := range c.Facts {
			it.Notes = append(it.Notes, packetFact(h.s, id))
		}
		for i := range c.Defenses {
			it.Note(string(c.Defenses[i].By)+" answered", c.Defenses[i].Text)
		}
		for _, seat := range hearingSides() {
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
	for i := range h.out.Violations {
		v := &h.out.Violations[i]
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
	for i := range h.out.Ignored {
		r := &h.out.Ignored[i]
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
		return view.One(view.Line{Label: "packet", Lead: e.ID, Text: text, Role: view.RoleQuiet}), true
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
	case *state.SchemaViolated:
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
		return view.One(view.Line{Label: "answer", Lead: e.Challenge, Text: cited(e.Text, e.Facts)}.By(e.By)), true
	case *state.ConfidenceChanged:
		text := "from " + judge.Figure(e.From) + " to " + judge.Figure(e.To)
		if e.Fact != "" {
			text += ", because of " + e.Fact
		}
		return view.One(view.Line{
			Label: "confidence", Lead: e.Point + " of the " + string(e.Seat), Text: text, Role: view.RoleOpen,
		}), true
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
	case *state.Argued:
		text := judge.Figure(e.Confidence) + " that it holds"
		if e.Seat == state.Skeptic {
			text = judge.Figure(e.Confidence) + " that it does not hold"
		}
		if e.WouldChange != "" {
			text += "; would change its mind: " + e.WouldChange
		}
		return view.One(view.Line{Label: "concludes", Lead: string(e.Seat), Text: text}), true
	case *state.RebuttalIgnored:
		return view.One(view.Line{
			Label: "ignored", Lead: e.Challenge + " by the " + string(e.Seat),
			Text: e.Fact + " was not answered, and no confidence was lowered for it", Role: view.RoleWarn,
		}), true
	case *state.Gated:
		text := "stays shut"
		if e.Opens {
			text = fmt.Sprintf("opens, and %s follows", after.HearingSettings().Then)
		}
		text = fmt.Sprintf("%s: verdict at %s, risk %s", text, judge.Figure(e.Confidence), judge.Figure(e.Risk))
		if len(e.Flags) > 0 {
			text += " [" + strings.Join(e.Flags, ", ") + "]"
		}
		return view.One(view.Line{Label: "gate", Text: string(e.Gate) + " " + text, Role: view.RoleOpen}), true
	case *state.Ruled:
		return verdictLines(after, e), true
	}
	return nil, false
}

// HasEvent is true for moves that were dropped, and for confidences that were kept.
func (document) HasEvent(code string) bool {
	return code == "outside-packet" || code == "no-cause"
}

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
			Detail: r.Rule, Role: view.BucketRole(r.Bucket),
		})
		if r.Bucket != state.BucketOpen {
			lines = append(lines, view.Line{Label: "ruled", Text: view.RuledCounts(s), Role: view.RoleQuiet})
		}
	}
	for i := range e.Rulings {
		if r := &e.Rulings[i]; r.Point != QuestionPoint && r.Bucket != state.BucketOpen {
			lines = append(lines, view.RulingLine(r).AsMinor())
		}
	}
	return lines
}
