package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Argument describes the points, challenges, facts and evidence of one state.
type Argument struct {
	state   *state.State
	rulings []state.Ruling
	// Map holds the additions of the format.
	Map Map
}

// NewArgument returns the Argument of a state.
func NewArgument(s *state.State, rulings []state.Ruling) *Argument {
	return &Argument{s, rulings, FormatOf(s).Map(s)}
}

// Point returns a point for a list: its text, and the reason for its bucket in a word or two.
func (a *Argument) Point(r *state.Ruling) Item {
	it := Item{ID: r.Point, Role: BucketRole(r.Bucket)}
	p := a.state.Point(r.Point)
	if p == nil {
		return it
	}
	it.Mark = a.mark(p, r)
	it.Text = PointText(p)
	if it.Mark == "" && r.Bucket == state.BucketOpen {
		it.Mark = strings.Join(a.OpenChallenges(p), " ")
	}
	if r.Crux != "" {
		it.Note("crux", r.Crux)
	}
	return it
}

// PointText returns the text of a point. For a merged one it also names the other point.
func PointText(p *state.Point) string {
	if p.MergedInto != "" {
		return "same as " + p.MergedInto + ": " + p.Text
	}
	return p.Text
}

// mark returns the tag of a point with its kind, unless it is an empirical claim, as most are.
func (a *Argument) mark(p *state.Point, r *state.Ruling) string {
	mark := a.Tag(r)
	if kind := resolver.KindOf(a.state, p); kind != state.Empirical && mark != "" {
		mark += ", " + Word(kind)
	}
	return mark
}

// Tag returns the reason for the bucket of a point in a word or two, or "": "Cited", "Out of scope".
func (a *Argument) Tag(r *state.Ruling) string { return TagOf(a.state, r) }

// TagOf returns the reason for the bucket of a point in a word or two, or "": "Cited", "Out of scope".
func TagOf(s *state.State, r *state.Ruling) string {
	p := s.Point(r.Point)
	switch {
	case AgreementOnly(s, r):
		return OnlyAgreement
	case r.Tag == state.TagUser || p != nil && p.UserRuling != nil && !p.UserRuling.Intended:
		return Tag(string(state.TagUser))
	case r.Tag != state.TagNone && r.Tag != state.TagNotApplicable:
		return Tag(string(r.Tag))
	case r.Bucket == state.BucketUnresolved:
		return Tag(string(r.Status))
	}
	return ""
}

// Status returns the status of a challenge.
func (a *Argument) Status(c *state.Challenge) ChallengeStatus {
	return a.Map.Challenge(a.state, a.rulings, c)
}

// Settled reports whether no seat has to respond to the challenge anymore.
func (a *Argument) Settled(c *state.Challenge) bool { return a.Map.Hidden[c.ID] || a.Status(c).Settled }

// OpenChallenges returns the challenges of a point that are not settled.
func (a *Argument) OpenChallenges(p *state.Point) []string {
	return slices.DeleteFunc(slices.Clone(p.Challenges), func(id string) bool {
		c := a.state.Challenge(id)
		return c == nil || a.Settled(c)
	})
}

// Challenge returns a challenge for a list.
func (a *Argument) Challenge(c *state.Challenge) Item {
	status := a.Status(c)
	text := Tag(status.Kind) + " on " + c.Point + ": " + Citing(c.Objection, c.Facts)
	return Item{ID: c.ID, Role: status.Role, Mark: resolver.Capital(status.Outcome), Text: text}
}

// Citing appends the cited facts to a text, in the notation of moves.
func Citing(text string, facts []string) string {
	if len(facts) == 0 {
		return text
	}
	return text + " [" + strings.Join(facts, ", ") + "]"
}

// FactItem returns a fact for a list, with its provenance.
func FactItem(f *ledger.Fact) Item {
	it := Item{ID: f.ID, Mark: factMark(f), Text: f.Text, Role: RolePlain}
	if len(f.Predicates) > 0 {
		it.Mark += ", limit"
	}
	if f.Live && len(f.Conflicts) > 0 {
		it.Mark += ", binds nobody: excluded by " + strings.Join(f.Conflicts, ", ")
	}
	switch {
	case !f.Live:
		it.Mark, it.Role = "Superseded", RoleQuiet
	case f.Tag == ledger.TagUser:
		it.Role = RoleUser
	case f.Tag == ledger.TagVerified:
		it.Role = RoleGood
	case f.Tag == ledger.TagUnverified:
		it.Role = RoleDoubt
	}
	return it
}

// factMark says where a fact comes from: "Verified: path:3", "Unverified, by consultee", "User".
func factMark(f *ledger.Fact) string {
	if f.Tag == ledger.TagUnverified {
		return "Unverified, by " + f.Seat
	}
	return resolver.Capital(f.Label())
}

// EvidenceItem returns an item of evidence for a list, with the result of its check.
func EvidenceItem(e *ledger.Evidence) Item {
	it := Item{ID: e.ID, Text: string(e.Relation) + " " + e.Point + ": " + e.Reference}
	if e.Relation == ledger.Neutral {
		it.Text = "on " + e.Point + ": " + e.Reference
	}
	switch {
	case !e.Checked && !e.Verified:
		it.Mark, it.Role = "Not checked", RolePending
	case e.SourceKind == ledger.UserOverride:
		it.Mark, it.Role = "User", RoleUser
	case e.Unclear:
		it.Mark, it.Role = "Unclear", RoleDoubt
	case !e.Verified:
		it.Mark, it.Role = "Refused", RoleBad
	case !e.Admitted:
		it.Mark, it.Role = Tag(string(e.Type), "not admitted"), RoleQuiet
	case e.Shown:
		it.Mark, it.Role = Tag(string(e.Type), "shown"), RoleGood
	default:
		it.Mark, it.Role = Tag(string(e.Type), "verified"), RoleGood
	}
	if e.Run != nil && e.Run.Confinement != "" {
		it.Note("ran", e.Run.Confinement)
	}
	if e.Patch != "" {
		it.Notes = append(it.Notes, Note{Label: "patch", Text: e.Tried(), Quote: Excerpt(e.Patch)})
	}
	return it
}

// PacketItem returns a fact of a packet for a list, or the whole record of a log that it is a field of. A long value is
// cut.
func PacketItem(p *ledger.Packet, id string) Item {
	const longest = 300
	if e, record := p.Event(id); record {
		return Item{ID: id, Text: EventText(&e)}
	}
	f, _ := p.Fact(id)
	return Item{ID: id, Text: plain.Clip(PacketFact(&f), longest)}
}

// PacketFact returns a fact of a packet verbatim: its subject, its value, and when and by what it
// was observed. It is untrusted text.
func PacketFact(f *ledger.PacketFact) string {
	return fmt.Sprintf("%s: %s = %s, %s, %s %s", f.Entity, f.Field, f.Value, f.At.UTC().Format(time.RFC3339Nano),
		f.SourceType, f.SourceID)
}

// PacketNotes returns facts of a packet for those who read what cites them. Facts of one record of a log are one note
// with the time, the host, the account and the record in its own words, and the fields that are cited.
func PacketNotes(p *ledger.Packet, ids []string) (notes []Note) {
	const mostEvents = 8
	events := 0
	for len(ids) > 0 {
		f, known := p.Fact(ids[0])
		e, record := p.Event(ids[0])
		n := 1
		switch {
		case !known:
			notes = append(notes, Note{Label: ids[0], Text: "not in the packet"})
		case !record:
			notes = append(notes, Note{Label: f.ID, Text: PacketFact(&f)})
		default:
			if events++; events > mostEvents {
				more := 0
				for n = 0; n < len(ids); n++ {
					if _, of := p.Event(ids[n]); !of {
						break
					}
					more++
				}
				notes = append(notes, Note{Label: "more", Text: Counted(more, "field") + " of other records"})
				break
			}
			var cited []string
			for n = 0; n < len(ids); n++ {
				field, of := p.Fact(ids[n])
				if !of || field.Entity != e.Entity || !field.At.Equal(e.At) {
					break
				}
				cited = append(cited, field.Field)
			}
			notes = append(notes, Note{Label: e.Entity, Text: EventText(&e) + " (cited: " + strings.Join(cited, ", ") + ")"})
		}
		ids = ids[n:]
	}
	return notes
}

// EventText says when and where a record of a log happened, who did it, and what it says, in a line.
func EventText(e *ledger.Event) string {
	const longest = 400
	words := plain.OneLine(e.Words)
	var who []string
	for _, name := range []string{e.Host, e.Account} {
		if name != "" && !strings.Contains(words, name) {
			who = append(who, name)
		}
	}
	return strings.TrimSpace(e.At.UTC().Format("2006-01-02 15:04:05Z")+" "+strings.Join(who, ", ")) + ": " +
		plain.Clip(words, longest)
}

// Text returns the text of a point, challenge, evidence item, fact, question, or of what the format explains, or "".
func (a *Argument) Text(id string) string {
	s := a.state
	if p := s.Point(id); p != nil {
		return p.Text
	}
	if c := s.Challenge(id); c != nil {
		return a.Challenge(c).Text
	}
	if e := s.Item(id); e != nil {
		return strings.TrimSpace(EvidenceItem(e).Text + " " + e.Excerpt)
	}
	if f := s.Fact(id); f != nil {
		return f.Text
	}
	if q := s.QuestionByID(id); q != nil {
		return q.Text
	}
	d, _ := FormatOf(s).Explain(s, id)
	return d.Question
}

// Document describes a point, a challenge, a fact, an evidence item, a question to the user, a sentence of the answer,
// or something that the format explains.
func (a *Argument) Document(id string) (Document, bool) {
	if d, ok := FormatOf(a.state).Explain(a.state, id); ok {
		return d, true
	}
	var d Document
	if p := a.state.Point(id); p != nil {
		return a.point(p), true
	}
	if c := a.state.Challenge(id); c != nil {
		d.Add(Section{Title: "CHALLENGE", Items: []Item{a.thread(c)}, Uncounted: true}, a.itsPoint(c.Point))
		return d, true
	}
	if e := a.state.Item(id); e != nil {
		d.Add(Section{Title: "EVIDENCE", Items: []Item{quoted(e)}, Uncounted: true}, a.itsPoint(e.Point))
		return d, true
	}
	if f := a.state.Fact(id); f != nil {
		it := FactItem(f)
		it.Note("recorded", fmt.Sprintf("round %d", f.Round))
		if f.Supersedes != "" {
			it.Note("supersedes", f.Supersedes)
		}
		d.Add(Section{Title: "FACT", Items: []Item{it}, Uncounted: true}, a.contradicting(id))
		return d, true
	}
	if q := a.state.QuestionByID(id); q != nil {
		d.Add(Section{Title: "QUESTION FOR YOU", Items: []Item{questionItem(q)}, Uncounted: true}, a.itsPoint(q.Point))
		return d, true
	}
	if one := a.state.Sentence(id); one != nil {
		d.Add(a.sentence(one)...)
		return d, true
	}
	if f, ok := a.state.Packet.Fact(id); ok {
		it := PacketItem(&a.state.Packet, f.ID)
		if e, record := a.state.Packet.Event(f.ID); record {
			for _, field := range e.Facts {
				it.Note(field.ID, field.Field+" = "+plain.Clip(field.Value.String(), mostOfField))
			}
		}
		d.Add(Section{Title: "FACT", Items: []Item{it}, Uncounted: true})
		return d, true
	}
	return d, false
}

// mostOfField is how much of a field of a record is shown, in characters.
const mostOfField = 300

// itsPoint returns the point of a challenge or an evidence item, with its ruling.
func (a *Argument) itsPoint(id string) Section {
	sec := Section{Title: "ITS POINT", Uncounted: true}
	if r := resolver.RulingOn(a.rulings, id); r != nil {
		it := a.Point(r)
		it.Mark = Ruling(r)
		sec.Items = []Item{it}
	} else if p := a.state.Point(id); p != nil {
		sec.Items = []Item{{ID: id, Text: p.Text}}
	}
	return sec
}

// contradicting lists the points that contradict a fact, according to a seat.
func (a *Argument) contradicting(fact string) Section {
	sec := Section{Title: "SAID TO CONTRADICT IT"}
	for _, p := range a.state.Points.All() {
		for _, v := range p.Violates {
			if v.Fact != fact {
				continue
			}
			by := strings.TrimPrefix(resolver.SeatName(v.By), "the ")
			mark := "By " + by + ", not confirmed"
			switch {
			case v.Confirmed:
				mark = "By " + by + ", confirmed by you"
			case v.Denied:
				mark = "By " + by + ", denied by you"
			}
			sec.Items = append(sec.Items, Item{ID: p.ID, Text: p.Text, Mark: mark})
		}
	}
	return sec
}

// thread returns a challenge with its terms, the answers to it, and the judgments of the answers.
func (a *Argument) thread(c *state.Challenge) Item {
	it := a.Challenge(c)
	it.Note("raised", fmt.Sprintf("by %s, round %d", c.By, c.Round))
	status := a.Status(c)
	terms := append([]Row{
		{ResolvedBy, c.UpgradeIf},
		{"grounds", c.Grounds},
		{"why not SKEPTICAL", c.WhyNotSkeptical},
		{"seems answered", c.Unconfirmed},
		{"narrower", c.Narrower},
	}, status.Terms...)
	for _, r := range terms {
		if r.Text != "" {
			it.Note(r.Label, r.Text)
		}
	}
	for _, note := range status.Notes {
		it.Note("", note)
	}
	it.Notes = append(it.Notes, Answers(c)...)
	return it
}

// Answers returns the answers to a challenge, each with its judgment.
func Answers(c *state.Challenge) (notes []Note) {
	for i := range c.Defenses {
		d := &c.Defenses[i]
		label := fmt.Sprintf("%s answers, round %d", d.By, d.Round)
		if d.Seq <= c.Since {
			label += ", void since it was reopened"
		}
		notes = append(notes, Note{Label: label, Text: Citing(d.Text, d.Facts)})
		if d.Judgment != state.Unjudged {
			notes = append(notes, Note{Label: string(d.Judgment), Text: d.Reason})
		}
	}
	return notes
}

// quoted returns an evidence item with the seat that offered it and the lines that it quotes.
func quoted(e *ledger.Evidence) Item {
	it := EvidenceItem(e)
	about := Join(", ", Word(e.SourceKind), fmt.Sprintf("by %s, round %d", e.OfferedBy, e.Round))
	about = Join(", ", about, resolver.RelevanceWords(e))
	it.Notes = append([]Note{{
		Label: "offered", Text: Join("; ", about, e.Reason),
		Quote: strings.TrimRight(e.Excerpt, "\r\n"),
	}}, it.Notes...)
	return it
}

// point describes a point: its text and author, its ruling, its challenges and evidence.
func (a *Argument) point(p *state.Point) Document {
	d := Document{Title: p.ID, Question: p.Text}
	d.Row("", strings.Join(a.about(p), ", "))
	if r := resolver.RulingOn(a.rulings, p.ID); r != nil {
		e := resolver.Because(a.state, *r)
		d.because(a.state, r, &e)
		d.Add(Readings("IT READ", e.Reads))
	}
	challenges, evidence := Section{Title: "CHALLENGES"}, Section{Title: "EVIDENCE"}
	for _, id := range p.Challenges {
		if c := a.state.Challenge(id); c != nil && !a.Map.Hidden[id] {
			challenges.Items = append(challenges.Items, a.thread(c))
		}
	}
	for _, id := range p.Evidence {
		if e := a.state.Item(id); e != nil {
			evidence.Items = append(evidence.Items, quoted(e))
		}
	}
	d.Add(challenges, evidence, words(p), a.confidence(p), a.remarks(p.ID))
	return d
}

// words lists the seats' judgments of a point and the user's rulings.
func words(p *state.Point) Section {
	sec := Section{Title: "WORDS"}
	for i := range p.Words {
		w := &p.Words[i]
		sec.Items = append(sec.Items, Item{Text: Sentence(wordLabel(p, w), w.Reason)})
	}
	for _, u := range p.UserRulings {
		text := fmt.Sprintf("you, round %d, %s", u.Round, BucketName(u.Bucket))
		if p.UserRuling == nil || p.UserRuling.Seq != u.Seq {
			text += ", no longer in force"
		}
		sec.Items = append(sec.Items, Item{Role: RoleUser, Text: throughChannel(Sentence(text, u.Reason), u.Channel)})
	}
	return sec
}

// about lists the authors of a point, its round, and its relations to other points.
func (a *Argument) about(p *state.Point) []string {
	kind := resolver.KindOf(a.state, p)
	parts := []string{
		"by " + Seats(p.Authors), fmt.Sprintf("round %d", p.Round), string(p.Phase), p.Label, string(kind), p.Theme,
	}
	parts = append(parts, a.Map.Points[p.ID].About...)
	for _, r := range []Row{
		{"worded by", string(p.WordedBy)},
		{"held by", p.Holder},
		{"option", p.Option},
		{"criterion", p.Criterion},
		{"revises", p.Revises},
		{"revised by", p.RevisedBy},
		{"same as", p.MergedInto},
		{"includes", strings.Join(p.Aliases, " ")},
		{"proposed as", proposedAs(kind, p)},
		{"needs", strings.Join(p.Needs, " ")},
	} {
		if r.Text != "" {
			parts = append(parts, r.Label+" "+r.Text)
		}
	}
	for _, c := range p.Calls {
		parts = append(parts, Sentence("called "+string(c.Kind)+" by "+string(c.Seat), c.Check))
	}
	parts = append(parts, CitedFacts("rests on", p.Facts)...)
	parts = append(parts, a.Map.Notes[p.ID]...)
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// proposedAs returns the kind that the authors of a point propose, if it is ruled as another kind, or "".
func proposedAs(kind state.Kind, p *state.Point) string {
	if proposed := resolver.ProposedKind(p); proposed != kind && p.UserKind == "" {
		return string(proposed)
	}
	return ""
}

// remarks lists the drifts, the arbiter's flags, the notes, and the questions about a point.
func (a *Argument) remarks(id string) Section {
	sec := Section{Title: "REMARKS"}
	put := func(role Role, text string) { sec.Items = append(sec.Items, Item{Role: role, Text: text}) }
	for _, n := range a.state.Drifts.All() {
		if n.Point == id {
			text := fmt.Sprintf("drift: %s in round %d: from %s to %s", n.Seat, n.Round, n.From, n.To)
			if n.Kept {
				text += "; the earlier position holds"
			}
			put(RoleWarn, text)
		}
	}
	for _, f := range a.state.Flags {
		if f.Point == id {
			put(RoleDoubt, "arbiter: "+f.Text)
		}
	}
	for _, n := range a.state.Notes.All() {
		if n.Point == id {
			put(RoleQuiet, "note: "+n.Text)
		}
	}
	for _, q := range a.state.Questions.All() {
		switch {
		case q.Point != id:
		case q.Answered:
			put(RoleQuiet, q.ID+" asked you: "+q.Text+" Answer: "+
				throughChannel(cmp.Or(q.Answer, "none"), q.Channel))
		default:
			put(RoleWarn, q.ID+" asks you: "+q.Text)
		}
	}
	return sec
}
