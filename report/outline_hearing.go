package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// trial is a session of the format hearing on its way into an outline.
type trial struct {
	s       *state.State
	rulings []state.Ruling
	out     Heard
}

// arrangeHearing is a hearing: the verdict and why, then what both sides read in the
// facts, how sure they were in each round, and what code found on the way.
func arrangeHearing(o *outline, s *state.State, rulings []state.Ruling) {
	t := &trial{s: s, rulings: rulings, out: heard(s)}
	o.row("verdict", t.verdict())
	o.row("because", t.because())
	if ruled := t.overruled(); ruled != "" {
		o.row("you", ruled)
	}
	o.row("changed", t.changed())
	o.header(s)
	if s.Facts.Len() == 0 {
		// The packet is all there is to know; only the user adds facts of another kind.
		o.rows = slices.DeleteFunc(o.rows, func(r row) bool { return r.label == "ledger" })
	}
	o.row("packet", t.packet())
	o.row("judge", t.judge())
	if t.out.Gate.Gate != "" {
		o.row("gate", t.gate())
	}
	o.row("usage", usageLine(s.Usage))
	o.add(questions(s, "WAITING FOR YOU", func(q *state.Question) bool { return !q.Answered && !s.Over() }))
	o.sections = append(o.sections, t.claims("ARCHITECT", state.Architect), t.claims("SKEPTIC", state.Skeptic))
	o.add(t.rounds())
	for _, sec := range []section{t.oracle(), t.violations(), t.drifts(), t.ignored()} {
		if len(sec.items) > 0 {
			o.sections = append(o.sections, sec)
		}
	}
	o.add(questions(s, "SURFACED QUESTIONS", func(q *state.Question) bool { return q.Answered || s.Over() }))
}

// verdict is the outcome with its confidence.
func (t *trial) verdict() string {
	switch {
	case t.out.Verdict == "" && t.s.Over():
		return "none: " + cmp.Or(strings.TrimPrefix(reasonOf(t.rulings), "there is no verdict: "),
			"both sides did not argue")
	case t.out.Verdict == "":
		return "none yet: not both sides have argued"
	case !t.s.Over():
		return fmt.Sprintf("so far %s, confidence %s", t.out.Verdict, hearing.Figure(t.out.Confidence))
	}
	return fmt.Sprintf("%s, confidence %s", t.out.Verdict, hearing.Figure(t.out.Confidence))
}

// reasonOf is why the question was ruled on as it was.
func reasonOf(rulings []state.Ruling) string {
	if r := rulingOn(rulings, resolver.QuestionPoint); r != nil {
		return r.Reason
	}
	return ""
}

// because is the sentence behind the verdict, with the facts that it read.
func (t *trial) because() string {
	if t.out.Reason == "" {
		return "nothing was judged"
	}
	text := strings.TrimPrefix(strings.TrimPrefix(t.out.Reason, t.out.Verdict+" by "), t.out.Verdict+": ")
	if len(t.out.Supporting) > 0 {
		text += " [" + strings.Join(t.out.Supporting, " ") + "]"
	}
	return text
}

// overruled says what the user ruled on the question, or is "".
func (t *trial) overruled() string {
	p := t.s.Point(resolver.QuestionPoint)
	if p == nil || p.UserRuling == nil {
		return ""
	}
	text := "ruled " + bucketName(p.UserRuling.Bucket) + ", and that stands above the judge"
	if p.UserRuling.Reason != "" {
		text += ": " + p.UserRuling.Reason
	}
	return text
}

// changed compares the verdict with the one after round 1.
func (t *trial) changed() string {
	switch n := len(t.out.Trace); {
	case n == 0:
		return "nothing yet"
	case n == 1:
		return "nothing: there was one round"
	}
	first, last := t.out.Trace[0], t.out.Trace[len(t.out.Trace)-1]
	if first.Verdict == last.Verdict {
		return fmt.Sprintf("nothing: round 1 said %s too, by %s", first.Verdict, first.Rule)
	}
	return fmt.Sprintf("round 1 said %s, by %s", first.Verdict, first.Rule)
}

func (t *trial) packet() string {
	p := &t.out.Packet
	if p.ID == "" {
		return "none was frozen"
	}
	return fmt.Sprintf("%s: %s, %s to %s, digest %.12s…", p.ID, plain.Counted(p.Facts, "fact"), p.From, p.To,
		strings.TrimPrefix(p.Digest, "sha256:"))
}

func (t *trial) judge() string {
	text := fmt.Sprintf("%s, form %s", t.out.Judge, t.out.Form)
	if t.out.Course != t.out.Form {
		text += ", went on as " + string(t.out.Course)
	}
	if t.out.Domain != "" {
		text += ", domain " + t.out.Domain
	}
	return text
}

// gate says what the gate found, and what followed.
func (t *trial) gate() string {
	g := &t.out.Gate
	switch {
	case !g.Spoken:
		return string(g.Gate) + ": it has not spoken yet"
	case g.Opens:
		return fmt.Sprintf("%s opened, and the hearing went on as %s: %s", g.Gate, g.Then, gateFound(g))
	}
	return fmt.Sprintf("%s stayed shut: %s", g.Gate, gateFound(g))
}

// gateFound is what the gate read.
func gateFound(g *Gate) string {
	text := "confidence " + hearing.Figure(g.Confidence)
	if hearing.Escalates(g.Confidence) {
		text += ", in the band that escalates"
	}
	if len(g.Flags) == 0 {
		return text + "; no flag"
	}
	return text + fmt.Sprintf("; %s, risk %s", strings.Join(g.Flags, ", "), hearing.Figure(g.Risk))
}

// claims are those of a side, with their facts and how they stand.
func (t *trial) claims(title string, seat state.Seat) section {
	sec := section{title: title}
	for i := range t.out.Claims {
		c := &t.out.Claims[i]
		p := t.s.Point(c.Point)
		if c.By == seat && p != nil {
			sec.items = append(sec.items, t.claim(p, c))
		}
	}
	for i := range t.out.Sides {
		side := &t.out.Sides[i]
		if side.Seat == seat && side.WouldChange != "" {
			sec.after = "its mind would change by: " + side.WouldChange
		}
	}
	return sec
}

func (t *trial) claim(p *state.Point, c *HeardClaim) item {
	it := item{id: p.ID, text: p.Text, mark: string(c.Support)}
	if r := rulingOn(t.rulings, p.ID); r != nil {
		if c.Support == "" || r.Tag == state.TagUser {
			it.mark = cmp.Or(string(r.Tag), bucketName(r.Bucket))
		}
		it.note("why", r.Reason+" ["+r.Rule+"]")
	}
	it.note("confidence", t.confidence(p, c))
	for _, id := range c.Facts {
		it.notes = append(it.notes, t.fact(id))
	}
	for _, id := range p.Challenges {
		if one := t.s.Challenge(id); one != nil {
			it.note("against", contradictionWords(one))
		}
	}
	return it
}

// confidence is the side's in a claim, with each change and the fact that caused it.
func (t *trial) confidence(p *state.Point, c *HeardClaim) string {
	text := hearing.Figure(c.Confidence)
	for i := range t.out.Changes {
		change := &t.out.Changes[i]
		if change.Point != p.ID {
			continue
		}
		text += fmt.Sprintf("; in round %d from %s to %s (%+g)", change.Round, hearing.Figure(change.From),
			hearing.Figure(change.To), roundedTo(change.Delta))
		if change.Fact != "" {
			text += " by " + change.Fact
		}
	}
	return text
}

// fact is a fact of the packet verbatim.
func (t *trial) fact(id string) note {
	if t.s.Hearing.Packet != nil {
		if f, there := t.s.Hearing.Packet.Fact(id); there {
			return note{label: id, text: resolver.FactWords(&f)}
		}
	}
	return note{label: id, text: "is not in the packet"}
}

// contradictionWords is what was cited against a claim, and what came of it.
func contradictionWords(c *state.Challenge) string {
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

// rounds is how sure both sides were in each round, and what the judge said then.
func (t *trial) rounds() section {
	if len(t.out.Trace) == 0 {
		return section{}
	}
	sec := section{title: "CONFIDENCE", table: [][]string{{"#", "architect", "skeptic", "judge", "by", "new facts"}}}
	for i := range t.out.Trace {
		r := &t.out.Trace[i]
		sec.table = append(sec.table, []string{
			strconv.Itoa(r.Round), number(r.Architect), number(r.Skeptic), string(r.Result), r.Rule,
			strconv.Itoa(len(r.New)),
		})
	}
	if why := t.s.ExitReason; why != "" {
		sec.after = "It ended there: " + why + "."
	}
	return sec
}

// oracle is what the oracle cited, with the answers of both sides.
func (t *trial) oracle() section {
	sec := section{title: "ORACLE"}
	for _, c := range t.s.Challenges.All() {
		if c.By != state.Oracle {
			continue
		}
		it := item{id: c.ID, text: fmt.Sprintf("against %s: %s", c.Point, c.Objection)}
		for _, id := range c.Facts {
			it.notes = append(it.notes, t.fact(id))
		}
		for i := range c.Defenses {
			it.note(string(c.Defenses[i].By)+" answered", c.Defenses[i].Text)
		}
		for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
			if !slices.ContainsFunc(c.Defenses, func(d state.Defense) bool { return d.By == seat }) {
				it.note(string(seat), "has not answered")
			}
		}
		sec.items = append(sec.items, it)
	}
	return sec
}

// violations are the moves that cited what is not in the packet.
func (t *trial) violations() section {
	sec := section{title: "OUTSIDE OF THE PACKET"}
	for i := range t.out.Violations {
		v := &t.out.Violations[i]
		it := item{id: v.Move, mark: "dropped", text: fmt.Sprintf("%s, round %d: %s", v.Seat, v.Round, v.Text)}
		it.note("cites", strings.Join(v.Facts, ", "))
		sec.items = append(sec.items, it)
	}
	return sec
}

// drifts are the numbers that fell without a fact, and were kept.
func (t *trial) drifts() section {
	sec := section{title: "DRIFTS"}
	for _, d := range t.s.Drifts.All() {
		sec.items = append(sec.items, item{id: d.Point, text: driftWords(d)})
	}
	return sec
}

// driftWords is a number that fell without a fact.
func driftWords(d *state.Drift) string {
	of := "its side of the question"
	if d.Point != resolver.QuestionPoint {
		of = d.Point
	}
	return fmt.Sprintf("the %s went from %s to %s on %s in round %d without an unanswered fact that contradicts it: "+
		"beyond what facts allow, the fall does not count", d.Seat, d.From, d.To, of, d.Round)
}

// ignored are the contradicting facts that a side left unanswered.
func (t *trial) ignored() section {
	sec := section{title: "IGNORED REBUTTALS"}
	for i := range t.out.Ignored {
		r := &t.out.Ignored[i]
		it := item{id: r.Challenge, text: fmt.Sprintf(
			"the %s left %s against %s unanswered in round %d, and neither lowered its confidence nor named what "+
				"would change its mind", r.Seat, r.Fact, r.Point, r.Round)}
		it.notes = append(it.notes, t.fact(r.Fact))
		sec.items = append(sec.items, it)
	}
	return sec
}
