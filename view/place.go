package view

import (
	"cmp"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// MaxPlace is the most bytes of the text of a Place; a longer one is cut at a character.
const MaxPlace = 64 << 10

// PlaceRank says how much a place says about the session: a search lists the lower ranks first.
type PlaceRank int

// The ranks.
const (
	// RankQuestion is the question itself.
	RankQuestion PlaceRank = iota
	// RankClaim is for claims and conclusions: claims, findings, sentences of the answer, decisions of the user.
	RankClaim
	// RankArgument is for arguments about them: objections, answers to them, reasons, questions, facts.
	RankArgument
	// RankMaterial is for quotes and the names of files.
	RankMaterial
)

// Place is a place in a session that can be found by its words.
type Place struct {
	// ID names a claim, challenge, evidence, fact, question or sentence, such as P3, or "" for the session as a
	// whole. Several places have the same ID: the claim P3 and the reason of a ruling on it.
	ID string
	// Kind says what the text is, in a word or a few: "claim", "objection", "quote".
	Kind string
	Rank PlaceRank
	// Point is the claim that it belongs to, and Bucket the bucket of that; both are "" if it belongs to none.
	Point  string
	Bucket state.Bucket
	// Text is verbatim, foreign and unescaped, at most MaxPlace bytes.
	Text string
}

// Places returns the places of a session that have words of people, participants or files, each once, in the order of
// the record within a kind. Of the words that moot computes from the record, only decisions are among them, and what a
// format explains by a name.
func Places(s *state.State, rulings []state.Ruling) []Place {
	c := placeCollector{state: s, rulings: rulings, known: map[Place]bool{}, ids: map[string]bool{}}
	c.session()
	c.answers()
	c.points()
	c.challenges()
	c.evidence()
	for _, f := range s.Facts.All() {
		c.add(f.ID, "fact", RankArgument, "", f.Text, f.Reference)
	}
	c.cited()
	for _, q := range s.Questions.All() {
		c.add(q.ID, "question to you", RankArgument, q.Point, append([]string{q.Text}, q.Options...)...)
		c.add(q.ID, "your answer", RankClaim, q.Point, q.Answer)
	}
	c.own()
	return c.places
}

// placeCollector collects the places of a session.
type placeCollector struct {
	state   *state.State
	rulings []state.Ruling
	places  []Place
	known   map[Place]bool
	// ids has the IDs of the places so far.
	ids map[string]bool
}

// add adds a place with the texts that are not empty, a line each.
func (c *placeCollector) add(id, kind string, rank PlaceRank, point string, texts ...string) {
	texts = lists.Distinct(lists.Map(texts, strings.TrimSpace))
	place := Place{ID: id, Kind: kind, Rank: rank, Point: point, Text: cutPlace(Join("\n", texts...))}
	if r := resolver.RulingOn(c.rulings, point); r != nil {
		place.Bucket = r.Bucket
	}
	if place.Text == "" || c.known[place] {
		return
	}
	c.known[place], c.ids[id] = true, true
	c.places = append(c.places, place)
}

// cutPlace cuts a text after a whole character.
func cutPlace(text string) string {
	if len(text) <= MaxPlace {
		return text
	}
	return strings.ToValidUTF8(text[:MaxPlace], "")
}

// session adds the question and what the user gave with it.
func (c *placeCollector) session() {
	s := c.state
	c.add("", "question", RankQuestion, "", s.Question)
	c.add("", "reading of the question", RankClaim, "", s.Reading)
	input := &s.Settings.Input
	c.add("", "position", RankArgument, "", input.Position)
	c.add("", "options", RankArgument, "", input.Options...)
	for _, v := range input.Views {
		c.add("", "view of "+plain.Clip(v.Name, 60), RankArgument, "", v.Text)
	}
	names := []string{s.Settings.QuestionPath, input.DesignPath}
	for i := range s.Settings.Context {
		names = append(names, s.Settings.Context[i].Path)
		for _, f := range s.Settings.Context[i].Files {
			names = append(names, f.Path)
		}
	}
	if m := s.Settings.Map; m != nil {
		for _, p := range m.Passages {
			names = append(names, p.Path)
		}
	}
	for _, l := range s.Lookups.All() {
		for _, p := range l.Shown {
			names = append(names, p.Path)
		}
	}
	c.add("", "files", RankMaterial, "", names...)
}

// answers adds the answer, objections to it, and what earlier answers said that it no longer says.
func (c *placeCollector) answers() {
	s := c.state
	c.add("", "answer", RankClaim, "", FormatOf(s).Decision(s))
	latest := s.Answer()
	if latest == nil {
		return
	}
	said := map[string]bool{}
	for _, one := range latest.Sentences {
		c.add(one.ID, "answer", RankClaim, firstOf(one.Points, one.Denies), one.Text)
		said[one.Text] = true
	}
	for _, contest := range latest.Contests {
		c.add(contest.Sentence, "objection to the answer", RankArgument, "", contest.Reason)
	}
	for i := range s.Answers {
		a := &s.Answers[i]
		for _, one := range a.Sentences {
			if !said[one.Text] {
				c.add("", "earlier answer", RankArgument, firstOf(one.Points, one.Denies), one.Text)
			}
		}
		for _, left := range a.LeftOut {
			c.add("", "left out of the answer", RankArgument, "", left.Text)
		}
	}
}

// firstOf returns the first string of several lists, or "".
func firstOf(ids ...[]string) string {
	all := slices.Concat(ids...)
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// points adds the claims with what seats and the user said about them. A format that lists findings says more of them.
func (c *placeCollector) points() {
	s := c.state
	kind := "claim"
	findings := map[string]*Finding{}
	if ListsFindings(s) {
		kind = "finding"
		list := FindingsOf(s, c.rulings).List
		for i := range list {
			findings[list[i].ID] = &list[i]
		}
	}
	for _, p := range s.Points.All() {
		texts := []string{p.Text, p.Option, p.Criterion, p.Holder}
		if f := findings[p.ID]; f != nil {
			texts = []string{f.Text, f.Path, f.Place, f.Why, f.Fix}
		}
		c.add(p.ID, kind, RankClaim, p.ID, texts...)
		for i := range p.UserRulings {
			c.add(p.ID, "your reason", RankClaim, p.ID, p.UserRulings[i].Reason)
		}
		for i := range p.Words {
			reason := "reason"
			if p.Words[i].Seat == state.User {
				reason = "your reason"
			}
			if !repeated(s, p, &p.Words[i]) {
				c.add(p.ID, reason, RankArgument, p.ID, p.Words[i].Reason)
			}
		}
		for _, t := range p.Terms {
			c.add(p.ID, "definition", RankArgument, p.ID, t.Term, t.Means)
		}
		if b := p.Blocked; b != nil {
			c.add(p.ID, "missing measurement", RankArgument, p.ID, b.Measurement, b.Threshold, b.Below, b.Above)
		}
		c.add(p.ID, "would be resolved by", RankArgument, p.ID, p.DeadlockCrux)
	}
	for _, n := range s.Notes.All() {
		if n.Means == "" {
			c.add(n.Point, "note", RankArgument, n.Point, n.Text)
		}
	}
	for _, f := range s.Flags {
		c.add(f.Point, "doubt of the arbiter", RankArgument, f.Point, f.Text)
	}
	for _, r := range s.Requests.All() {
		c.add(r.Point, "request", RankArgument, r.Point, r.Text)
	}
}

// challenges adds the objections, the answers to them, and what the seats said about those.
func (c *placeCollector) challenges() {
	for _, ch := range c.state.Challenges.All() {
		c.add(ch.ID, "objection", RankArgument, ch.Point, ch.Objection, ch.UpgradeIf, ch.Grounds, ch.WhyNotSkeptical,
			ch.Narrower)
		for i := range ch.Defenses {
			c.add(ch.ID, "answer to an objection", RankArgument, ch.Point, ch.Defenses[i].Text)
			c.add(ch.ID, "reason", RankArgument, ch.Point, ch.Defenses[i].Reason)
		}
		c.add(ch.ID, "reason", RankArgument, ch.Point, ch.GrantReason)
	}
}

// evidence adds the references with what was quoted, found or printed there.
func (c *placeCollector) evidence() {
	for _, e := range c.state.Evidence.All() {
		kind := "quote"
		switch {
		case e.Run != nil || e.Type == ledger.Execution:
			kind = "command"
		case e.Checked && !e.Verified:
			kind = "refused citation"
		}
		c.add(e.ID, kind, RankMaterial, e.Point, e.Reference, e.Excerpt, e.Expect, e.Patch, e.Nearest)
		for _, contest := range e.Contests {
			c.add(e.ID, "objection to evidence", RankArgument, e.Point, contest.Reason, contest.Answer)
		}
	}
}

// cited adds the facts of a packet that claims, objections and answers cite. The others may be many thousands.
func (c *placeCollector) cited() {
	s := c.state
	add := func(ids []string, point string) {
		for _, id := range ids {
			if f, ok := s.Packet.Fact(id); ok && !c.ids[id] {
				c.add(id, "fact", RankMaterial, point, PacketFact(&f))
			}
		}
	}
	for _, p := range s.Points.All() {
		add(p.Facts, p.ID)
	}
	for _, ch := range s.Challenges.All() {
		add(ch.Facts, ch.Point)
		for i := range ch.Defenses {
			add(ch.Defenses[i].Facts, ch.Point)
		}
	}
}

// placer is a Format whose sessions have words of participants besides those that all formats have.
type placer interface {
	// Places returns them. The ID of such a place is one that Format.Explain knows, that of the claim that it belongs to,
	// or "".
	Places(s *state.State) []Place
}

// own adds what only the format has: its own places, the items of the result that it explains by a name, and if it
// debates no claims, all of them.
func (c *placeCollector) own() {
	s := c.state
	format := FormatOf(s)
	if f, ok := format.(placer); ok {
		for _, p := range f.Places(s) {
			c.add(p.ID, p.Kind, p.Rank, p.Point, p.Text)
		}
	}
	var d Document
	format.Fill(&d, s, c.rulings)
	for i := range d.Sections {
		section := &d.Sections[i]
		for j := range section.Items {
			it := &section.Items[j]
			if c.ids[it.ID] && it.ID != "" || s.Fact(it.ID) != nil {
				continue
			}
			id := it.ID
			if _, explained := format.Explain(s, id); !explained {
				if s.Rules == nil || s.Rules.Own().Claims {
					continue
				}
				id = ""
			}
			c.add(id, strings.TrimSuffix(strings.ToLower(section.Title), "s"), RankArgument, "", it.Text)
		}
	}
}

// PlaceIDs returns the IDs that Argument.Document describes, in their order: claims, challenges, evidence, facts,
// questions, sentences of the answer, and what the format explains and a place has.
func PlaceIDs(s *state.State, places []Place) []string {
	var ids []string
	for _, p := range s.Points.All() {
		ids = append(ids, p.ID)
	}
	for _, c := range s.Challenges.All() {
		ids = append(ids, c.ID)
	}
	for _, e := range s.Evidence.All() {
		ids = append(ids, e.ID)
	}
	for _, f := range s.Facts.All() {
		ids = append(ids, f.ID)
	}
	for _, q := range s.Questions.All() {
		ids = append(ids, q.ID)
	}
	if a := s.Answer(); a != nil {
		for _, one := range a.Sentences {
			ids = append(ids, one.ID)
		}
	}
	for i := range places {
		ids = append(ids, places[i].ID)
	}
	return lists.Distinct(slices.DeleteFunc(ids, func(id string) bool { return id == "" }))
}

// questionItem describes a question to the user with its answer.
func questionItem(q *state.Question) Item {
	it := Item{ID: q.ID, Text: q.Text, Mark: string(q.Kind)}
	if len(q.Options) > 0 {
		it.Note("choices", strings.Join(q.Options, " | "))
	}
	switch {
	case q.Withdrawn:
		it.Note("answered", "withdrawn: it needs no answer anymore")
	case q.Answered:
		it.Note("answered", throughChannel(cmp.Or(q.Answer, "none"), q.Channel))
	default:
		it.Note("answered", "not yet")
	}
	return it
}

// sentence describes a sentence of the answer, with the points that it is about.
func (a *Argument) sentence(one *state.Sentence) []Section {
	sections := []Section{{Title: "SENTENCE OF THE ANSWER", Uncounted: true}}
	answer := AnswerOf(a.state, a.rulings)
	for i := range answer.Sentences {
		if s := &answer.Sentences[i]; s.ID == one.ID {
			sections[0].Items = append(sections[0].Items, s.item(Record{State: a.state, Rulings: a.rulings}))
		}
	}
	points := Section{Title: "ITS POINTS", Uncounted: true}
	for _, id := range lists.Distinct(slices.Concat(one.Points, one.Denies)) {
		points.Items = append(points.Items, a.itsPoint(id).Items...)
	}
	return append(sections, points)
}
