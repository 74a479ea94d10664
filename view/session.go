package view

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/internal/lists"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Session returns the result of a session as a document.
func Session(s *state.State, rulings []state.Ruling) Document {
	d := Document{Title: s.Question, Answer: answer(s, rulings), Notices: FactNotices(s)}
	d.Warnings = Warnings(s, rulings)[len(d.Notices):]
	_, d.Stopped = StopOf(s)
	d.RowsLast = true
	FormatOf(s).Fill(&d, s, rulings)
	if d.Open.Title == "" {
		d.Open = openForYou(&d, s, rulings)
	}
	d.Heading = Join(", ", d.Heading, Stated("blind", Record{State: s, Rulings: rulings}))
	return d
}

// Title returns the title of a session: the first sentence of its question, on one line. A line that begins with a
// lower-case letter continues the one before.
func Title(question string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(question), "\n")
	for {
		next, more, _ := strings.Cut(rest, "\n")
		if first, _ := utf8.DecodeRuneInString(next); !unicode.IsLower(first) {
			break
		}
		line, rest = strings.TrimSpace(line)+" "+next, more
	}
	for _, end := range []string{"? ", ". ", "! "} {
		if at := strings.Index(line, end); at >= 0 {
			line = line[:at+1]
		}
	}
	return strings.TrimSpace(line)
}

// Header adds the participants and the duration.
func (d *Document) Header(s *state.State) {
	kind := Join(", ", string(s.Settings.Format), string(s.Settings.Framing), string(s.Settings.Mode))
	d.Row("session", s.ID+" ("+kind+")")
	if s.Fork.From != "" {
		d.Row("forked", fmt.Sprintf("from %s at event %d", s.Fork.From, s.Fork.Seq))
	}
	if e := s.Settings.Follows; e != nil {
		d.Row("follows", e.ID+", "+Title(e.Question))
	}
	if s.Reading != "" {
		d.Row("reading", s.Reading+" (you consented to it)")
	}
	if d.Lead != "" && s.Exit == state.ExitDecided {
		// The lead says what was decided.
		d.Row("rounds", fmt.Sprintf("%d of %d", s.Round, resolver.LastRound(s)))
	} else {
		d.Row("rounds", rounds(s))
	}
	label := "seats"
	for _, a := range s.Seats {
		d.Row(label, string(a.Seat)+": "+participant(a))
		label = ""
	}
	d.saw(s)
}

// saw adds what the seats saw of the workspace (LU5).
func (d *Document) saw(s *state.State) {
	label := "saw"
	add := func(who, what string) {
		d.Row(label, who+": "+what)
		label = ""
	}
	if m := s.Settings.Map; m != nil {
		places := lists.Map(m.Passages, func(p state.Passage) string {
			return fmt.Sprintf("%s:%d-%d", p.Path, p.From, p.To)
		})
		tree := strings.TrimSpace("the tree of " + m.Name + " " + m.Commit)
		if m.Bound != "" {
			tree += " (only " + m.Bound + ")"
		}
		if who := Stated("saw", Record{State: s}); who != "" {
			add(who, Join(", ", tree, resolver.Listed(places)))
		}
	}
	for _, a := range s.Seats {
		var looked []string
		for _, l := range s.Lookups.All() {
			if l.Seat == a.Seat {
				looked = append(looked, LookupText(l))
			}
		}
		if len(looked) > 0 {
			add(string(a.Seat), resolver.Listed(looked))
		}
	}
}

// Blind returns the seats of an ended session that could look at the workspace, were shown none of its files, and
// opened none (LU5).
func Blind(s *state.State) []state.Seat {
	m := s.Settings.Map
	if s.Settings.Lookups == 0 || len(s.Settings.Context) > 0 || m != nil && len(m.Passages) > 0 ||
		s.Exit == state.ExitNone && s.Paused == state.PauseNone {
		return nil
	}
	var seats []state.Seat
	for _, a := range s.Seats {
		shown := false
		for _, l := range s.Lookups.All() {
			shown = shown || l.Seat == a.Seat && len(l.Shown) > 0
		}
		if a.Looks && !a.NoModel && !shown && !s.WasShownAny(a.Seat) && s.SpentBy(a.Seat) != nil {
			seats = append(seats, a.Seat)
		}
	}
	return seats
}

func rounds(s *state.State) string {
	text := fmt.Sprintf("%d of %d", s.Round, resolver.LastRound(s))
	switch {
	case s.Exit == state.ExitQuality:
		return text + ", " + string(s.Exit) // Document.Stopped says why.
	case s.Exit != state.ExitNone:
		return text + ", " + Sentence(string(s.Ended()), s.ExitReason)
	case s.Paused != state.PauseNone:
		return text + ", paused"
	}
	return text + ", not finished"
}

// participant describes who fills a seat, and which model answered.
func participant(a state.SeatAssignment) string {
	text := a.Participant
	switch {
	case a.NoModel:
		text += " (no language model)"
	case a.Model != "" && !strings.HasSuffix(a.Participant, a.Model):
		text += " (" + a.Model + " answered)"
	}
	if a.Answering != "" {
		text += ", answered by its fallback " + a.Answering
	}
	return text
}

// Price formats a cost in US dollars, with the number of calls of unknown price.
func Price(dollars float64, unpriced int) string {
	text := fmt.Sprintf("$%.2f", dollars)
	switch {
	case dollars == 0 && unpriced > 0:
		return "price unknown"
	case dollars == 0:
		return "free"
	case dollars < 0.01:
		text = fmt.Sprintf("$%.4f", dollars)
	}
	if unpriced > 0 {
		text += " and " + Counted(unpriced, "call") + " of unknown price"
	}
	return text
}

// UsageRow formats calls, tokens and cost.
func UsageRow(u state.Usage) string {
	text := fmt.Sprintf("%s, %d tokens in, %d out", Counted(u.Calls, "call"), u.PromptTokens, u.CompletionTokens)
	if u.Cost > 0 || u.Unpriced > 0 {
		text += ", " + Price(u.Cost, u.Unpriced)
	}
	if u.Estimated > 0 {
		text += fmt.Sprintf("; the tokens of %s are estimated, because no plausible counts were reported",
			Counted(u.Estimated, "call"))
	}
	return text
}

// ResolvedBy is the label of the crux.
const ResolvedBy = "would be resolved by"

// pointItem returns a point with its ruling, its evidence and the challenges, what explains the ruling first.
func (a *Argument) pointItem(p *state.Point, r *state.Ruling, challenges []*state.Challenge) Item {
	s := a.state
	it := Item{
		ID: p.ID, Aliases: p.Aliases, Text: p.Text,
		Mark: a.mark(p, r), Role: BucketRole(r.Bucket),
	}
	it.Note("why", r.Reason)
	if r.Crux != "" {
		it.Note(ResolvedBy, r.Crux)
	}
	if caution := Stated("caution", Record{s, []state.Ruling{*r}, p.ID}); caution != "" {
		it.Note("caution", caution)
	}
	it.Notes = append(it.Notes, a.itsEvidence(p, r)...)
	for _, c := range challenges {
		it.Notes = append(it.Notes, a.challengeNotes(c)...)
	}
	for _, id := range p.Aliases {
		if same := s.Point(id); same != nil && same.Text != p.Text {
			it.Note("also "+id, same.Text)
		}
	}
	if p.Holder != "" {
		it.Note("view of", p.Holder)
	}
	if p.Option != "" {
		it.Note("option", Join(" · ", p.Option, p.Criterion))
	}
	for _, id := range append([]string{p.ID}, p.Aliases...) {
		for _, place := range audited(s, id) {
			it.Note("names "+place.Cited, fmt.Sprintf("%s (%s)", place.Reason, place.Verdict))
		}
	}
	it.Note("raised", fmt.Sprintf("by %s, round %d", Seats(p.Authors), p.Round))
	for i := range p.Words {
		if w := &p.Words[i]; !repeated(s, p, w) {
			it.Note(wordLabel(p, w), cmp.Or(w.Reason, "no reason given"))
		}
	}
	for i := range p.UserRulings {
		if u := &p.UserRulings[i]; p.UserRuling == nil || p.UserRuling.Seq != u.Seq {
			it.Note(fmt.Sprintf("you, round %d, no longer in force", u.Round),
				throughChannel(Sentence(BucketName(u.Bucket), u.Reason), u.Channel))
		}
	}
	if OfDocument(p.Text) {
		it.Note(AboutDocument, AsWritten)
	}
	for _, id := range p.Needs {
		if q := s.Current(id); q != nil {
			it.Note("needs", premise(s, q))
		}
	}
	for _, f := range s.Flags {
		if f.Point == p.ID {
			it.Note("flagged by the arbiter", f.Text)
		}
	}
	return it
}

// itsEvidence returns the evidence on a point: first what its ruling read, with the lines, then the rest in a line each.
func (a *Argument) itsEvidence(p *state.Point, r *state.Ruling) (notes []Note) {
	for _, id := range r.Reads {
		if e := a.state.Item(id); e != nil {
			notes = append(notes, EvidenceNote(e))
		}
	}
	for _, id := range p.Evidence {
		e := a.state.Item(id)
		if e == nil || slices.Contains(r.Reads, id) {
			continue
		}
		it := EvidenceItem(e)
		text := e.Reference
		if e.Relation == ledger.Refutes {
			text += ", refutes"
		}
		text += " (" + Word(it.Mark) + "; the ruling did not read it)"
		note := Note{Label: id, Text: text}
		if e.Proven() {
			note.Quote = Excerpt(e.Excerpt)
		}
		notes = append(notes, note)
	}
	return notes
}

// challengeNotes returns a challenge and the answers to it as notes of its point. Each label begins with the id.
func (a *Argument) challengeNotes(c *state.Challenge) []Note {
	status, it := a.Status(c), a.thread(c)
	said := Join(", ", Tag(status.Kind), fmt.Sprintf("by %s, round %d", c.By, c.Round), status.Outcome)
	notes := []Note{{Label: c.ID, Text: Sentence(said, Citing(c.Objection, c.Facts))}}
	for _, n := range it.Notes[1:] { // The first one says who raised it.
		n.Label = Join(" ", c.ID, n.Label)
		notes = append(notes, n)
	}
	return notes
}

// audited returns the places that a point of a written review names (framing audit).
func audited(s *state.State, point string) []state.AuditedPlace {
	audit, at := s.Settings.Audited(), state.Index(point, 'P')
	if audit == nil || at < 0 || at >= len(audit.Statements) {
		return nil
	}
	return audit.Statements[at].Places
}

// addAudit heads the result of an audit and lists the places that are wrong (EX9).
func (d *Document) addAudit(audit *state.Audit, verdict string) {
	d.Heading, d.Verdict = "AUDIT", []string{verdict}
	for i := range audit.Statements {
		for _, place := range audit.Statements[i].Places {
			if place.Verdict.Accuses() {
				d.Verdict = append(d.Verdict, fmt.Sprintf("%s names %s, which is %s: %s", state.NextID('P', i), place.Cited,
					place.Verdict, place.Reason))
			}
		}
	}
	if audit.NoHistory != "" {
		d.Verdict = append(d.Verdict, audit.NoHistory+": what is not in the files is unchecked, not absent")
	}
}

// wordLabel says whose word on a point it is: "orchestrator, round 1, AGREE".
func wordLabel(p *state.Point, w *state.Word) string {
	label := fmt.Sprintf("%s, round %d, %s", w.Seat, w.Round, Join(" ", w.Word, w.Challenge))
	if !p.InForce(w) {
		label += ", no longer in force"
	}
	return label
}

// repeated reports whether a word is shown with a challenge on the point: its flaw is the objection, or it is the
// judgment of an answer. The AGREE that follows from an accepted answer repeats its reason.
func repeated(s *state.State, p *state.Point, w *state.Word) bool {
	if w.Challenge != "" {
		return true
	}
	for _, id := range p.Challenges {
		c := s.Challenge(id)
		if c != nil && c.By == w.Seat && c.Objection == w.Reason {
			return true
		}
	}
	return slices.ContainsFunc(p.Words, func(other state.Word) bool {
		return other.Challenge != "" && other.Seat == w.Seat && other.Round == w.Round && other.Reason == w.Reason
	})
}

// premise says how a point that another one needs was ruled.
func premise(s *state.State, p *state.Point) string {
	r, _ := resolver.RuleOne(s, p.ID)
	if r.Bucket == state.BucketAgreed {
		return p.ID + ", which is agreed: " + p.Text
	}
	ruled := Join(", ", BucketName(r.Bucket), Word(cmp.Or(string(r.Status), string(r.Tag))))
	return p.ID + ", which is not agreed (" + ruled + "): " + p.Text
}

// The label and the text of the note on a claim that OfDocument finds.
const (
	AboutDocument = "about a document"
	AsWritten     = "it says what the document states, not that it is true"
)

// OfDocument reports whether a claim is only about what a document says.
func OfDocument(words string) bool { return ofDocument.MatchString(words) }

var ofDocument = regexp.MustCompile(`(?i)\b(?:(?:in)?so far as|as far as|according to|` +
	`(?:based|going|judging) (?:only )?(?:on|by)|as (?:stated|written|described) (?:in|by))` +
	` (?:(?:the|this|its|that) (?:[\pL-]+ )?` +
	`(?:plan|design|document|proposal|text|spec(?:ification)?|draft|readme|docs|documentation)\b` +
	"|[\"'`]?[\\pL\\pN_./-]+\\.(?:md|markdown|txt|rst|adoc|org|tex|pdf|docx|html)\\b)")

// challenges lists the challenges that no point of the result shows, with their authors, answers and endings.
func (a *Argument) challenges(shown map[string]bool) Section {
	sec := Section{Title: "CHALLENGES"}
	for _, c := range a.state.Challenges.All() {
		if !a.Map.Hidden[c.ID] && !shown[c.ID] {
			sec.Items = append(sec.Items, a.thread(c))
		}
	}
	return sec
}

// refused lists the citations that a check refused: what was claimed, and what is really there.
func refused(s *state.State) Section {
	sec := Section{Title: "REFUSED CITATIONS"}
	for _, e := range s.Evidence.All() {
		if !e.Checked || e.Verified {
			continue
		}
		it := EvidenceItem(e)
		it.Mark = "By " + e.OfferedBy
		if claimed := cmp.Or(e.Expect, e.Excerpt); claimed != "" && e.Run == nil {
			it.Notes = append(it.Notes, Note{Label: "claimed", Quote: Excerpt(claimed)})
		}
		label := "really"
		if e.Unclear {
			label = "not checked"
		}
		it.Notes = append(it.Notes, Note{Label: label, Text: e.Reason, Quote: Excerpt(e.Nearest)})
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// questions lists the questions to the user that are unanswered, and the others. Of unanswered ones of one kind on one
// point it lists only the last.
func questions(s *state.State) (unanswered, others []Item) {
	type listed struct {
		item Item
		open bool
	}
	var list []listed
	place := map[string]int{}
	for _, q := range s.Questions.All() {
		if q.About == state.AboutStop && s.Over() {
			continue
		}
		it := Item{ID: q.ID, Text: q.Text, Mark: Tag(string(q.Kind))}
		if p := s.Point(q.Point); p != nil && !strings.Contains(q.Text, p.Text) {
			it.Note("about", Sentence(p.ID, p.Text))
		} else if q.Point != "" {
			it.Note("about", q.Point)
		}
		if len(q.Options) > 0 {
			it.Note("choices", strings.Join(q.Options, " | "))
		}
		if q.Answered && q.Answer != "" {
			it.Note("answered", throughChannel(q.Answer, q.Channel))
		}
		if !q.Answered {
			it.Role = RoleWarn
		}
		key := string(q.Kind) + " " + cmp.Or(Join(" ", q.Point, q.About), q.Text)
		if at, ok := place[key]; ok {
			list[at] = listed{it, !q.Answered}
		} else {
			place[key] = len(list)
			list = append(list, listed{it, !q.Answered})
		}
		if q.Answered && q.Answer != "" {
			delete(place, key) // A later one is another question.
		}
	}
	for i := range list {
		if list[i].open {
			unanswered = append(unanswered, list[i].item)
		} else {
			others = append(others, list[i].item)
		}
	}
	return unanswered, others
}

// EarlierQuestions lists the questions to the user that no longer wait for an answer.
func EarlierQuestions(s *state.State) Section {
	_, others := questions(s)
	return Section{Title: "EARLIER QUESTIONS", Items: others}
}

// forYou is the title of the section with what waits for the reader.
const forYou = "OPEN FOR YOU"

// OpenQuestions lists the unanswered questions to the user. If a session that is over has no such question, it says so.
// It is Document.Open of a format that does not leave its unresolved claims to the user.
func OpenQuestions(s *state.State) Section {
	sec := Section{Title: forYou}
	if sec.Items, _ = questions(s); len(sec.Items) == 0 {
		sec.state("no question", Record{State: s})
	}
	return sec
}

// state adds a sentence of a place that is true of the record, if there is one.
func (s *Section) state(place string, r Record) {
	if text := Stated(place, r); text != "" {
		s.Lines = append(s.Lines, text)
	}
}

// openForYou lists the unanswered questions and, in a session that is over, the claims that stayed unresolved, with what
// would resolve them. A claim that a question is about, or that the verdict names, is not listed again.
func openForYou(d *Document, s *state.State, rulings []state.Ruling) Section {
	sec := Section{Title: forYou}
	sec.Items, _ = questions(s)
	argument := NewArgument(s, rulings)
	for i := range rulings {
		r := &rulings[i]
		p := s.Point(r.Point)
		if p == nil || p.MergedInto != "" || r.Bucket != state.BucketUnresolved || !s.Over() {
			continue
		}
		asked := s.Questions.Any(func(q *state.Question) bool { return !q.Answered && q.Point == p.ID })
		said := slices.ContainsFunc(d.Verdict, func(line string) bool {
			first, _, _ := strings.Cut(line, " ")
			return strings.TrimRight(first, ":") == p.ID
		})
		if asked || said {
			continue
		}
		it := Item{ID: p.ID, Aliases: p.Aliases, Text: p.Text, Mark: argument.mark(p, r), Role: BucketRole(r.Bucket)}
		if r.Crux != "" {
			it.Note(ResolvedBy, r.Crux)
		} else {
			it.Note("why", r.Reason)
		}
		sec.Items = append(sec.Items, it)
	}
	place := "open for you"
	if s.Points.Len() == 0 {
		place = "no question" // A format without claims has none that could be open.
	}
	if len(sec.Items) == 0 {
		sec.state(place, Record{State: s, Rulings: rulings})
	}
	return sec
}

// Facts lists the live facts.
func Facts(s *state.State) Section {
	sec := Section{Title: "FACTS"}
	for _, f := range s.Facts.All() {
		if f.Live {
			sec.Items = append(sec.Items, FactItem(f))
		}
	}
	return sec
}

// AddFacts adds the live facts of the user, and of the others those that the document does not show yet.
func (d *Document) AddFacts(s *state.State) {
	facts := Section{Title: "FACTS"}
	for _, f := range s.Facts.All() {
		if f.Live && (f.Tag == ledger.TagUser || !d.shows(f)) {
			facts.Items = append(facts.Items, FactItem(f))
		}
	}
	d.Add(facts)
}

// shows reports whether an item of the document is the fact, or quotes it.
func (d *Document) shows(f *ledger.Fact) bool {
	quote := Excerpt(strings.TrimSpace(f.Text))
	for i := range d.Sections {
		for _, it := range d.Sections[i].Items {
			quotes := func(n Note) bool { return strings.Contains(n.Quote, quote) }
			if it.ID == f.ID || slices.ContainsFunc(it.Notes, quotes) {
				return true
			}
		}
	}
	return false
}

// AddPoints adds the points by bucket, each with its evidence and its challenges, then refused citations, earlier
// questions and facts. describe, if set, adds to an item what the format says about its point. Merged points are left
// out: their ids are listed with the point they were merged into. A session that attacks a design begins with the
// attacks, in a section of their own.
func (d *Document) AddPoints(
	s *state.State, rulings []state.Ruling, describe func(*Item, *state.Point, *state.Ruling),
) {
	argument, shown := NewArgument(s, rulings), map[string]bool{}
	attack := s.Settings.Framing == state.FramingCritique || s.Settings.Framing == state.FramingRedteam
	points := func(title string, bucket state.Bucket) Section {
		sec := Section{Title: title}
		for i := range rulings {
			r := &rulings[i]
			p := s.Point(r.Point)
			if p == nil || p.MergedInto != "" || r.Bucket != bucket {
				continue
			}
			var challenges []*state.Challenge
			for _, c := range s.Challenges.All() {
				if !attack && !argument.Map.Hidden[c.ID] && (c.Point == p.ID || slices.Contains(p.Aliases, c.Point)) {
					challenges, shown[c.ID] = append(challenges, c), true
				}
			}
			it := argument.pointItem(p, r, challenges)
			if describe != nil {
				describe(&it, p, r)
			}
			sec.Items = append(sec.Items, it)
		}
		return sec
	}
	if attack {
		d.Add(argument.challenges(nil))
	}
	d.Add(points("AGREED", state.BucketAgreed), points("DISMISSED", state.BucketDismissed),
		points("UNRESOLVED", state.BucketUnresolved), points("STILL OPEN", state.BucketOpen))
	rest := NotEvaluated(s, points("NOT EVALUATED", state.BucketNotEvaluated))
	if !attack {
		d.Add(argument.challenges(shown))
	}
	d.Add(rest, refused(s), EarlierQuestions(s))
	d.AddFacts(s)
}

// NotEvaluated returns the points that were not evaluated, what was over a limit, and the facts that were
// never verified or dismissed (LE5).
func NotEvaluated(s *state.State, points Section) Section {
	points.Items = append(points.Items, untaken(s)...)
	if !s.Over() {
		return points
	}
	for _, f := range s.Facts.All() {
		if f.Tag == ledger.TagUnverified && f.Live && !f.Evaluated {
			it := Item{ID: f.ID, Text: f.Text, Mark: factMark(f)}
			it.Note("why", Stated("fact", Record{State: s, ID: f.ID}))
			points.Items = append(points.Items, it)
		}
	}
	return points
}

// NotTaken lists the moves that were over a limit, for a format without NotEvaluated.
func NotTaken(s *state.State) Section { return Section{Title: "NOT TAKEN", Items: untaken(s)} }

func untaken(s *state.State) (items []Item) {
	for _, u := range s.Untaken {
		it := Item{Mark: fmt.Sprintf("%s, round %d", u.Seat, u.Round), Text: u.Text}
		it.Note("why", u.Reason)
		items = append(items, it)
	}
	return items
}

const (
	// Inconclusive is the heading of a session without a result.
	Inconclusive = "INCONCLUSIVE"
	// toAddModel tells the user how to get passages judged.
	toAddModel = "To have a model answer and judge, name one: moot ask --consultee ollama:MODEL --orchestrator codex " +
		"\"…\" (moot doctor lists what this machine has)."
)

// NoPoint says why a session has no point. It reports "nothing found" only if everything was searched (LU5).
func NoPoint(s *state.State) string {
	switch {
	case !s.ByRules(state.Consultee):
		return "no point was raised"
	case s.Settings.Workspace == "" && len(s.Settings.Context) == 0:
		return "nothing was searched: there is no workspace and no context file"
	case len(s.Searched) > 0:
		return "no passage was found, and not all was searched: " + strings.Join(s.Searched, "; ")
	}
	return "nothing found that answers this"
}

// AddVerdict adds what the debate changed and used. For an inconclusive session it adds what blocks each point and
// what would resolve it; for one that only found passages, it says so (EX9).
func (d *Document) AddVerdict(s *state.State, rulings []state.Ruling) {
	record := Record{State: s, Rulings: rulings}
	d.Row("debate", Stated("debate", record))
	d.Row("usage", UsageRow(s.Usage))
	verdict := Stated("verdict", record)
	attacks := resolver.AttacksOn(s, rulings)
	switch {
	case s.Over() && !s.Inconclusive && attacks != nil && attacks.Raised > 0:
		d.Heading = attacks.String()
		return
	case verdict == "":
		return
	case record.audited():
		d.addAudit(s.Settings.Audited(), verdict)
		return
	case record.found():
		d.Heading, d.Verdict = "FOUND", []string{verdict, toAddModel}
		return
	case s.Points.Len() == 0 && s.ByRules(state.Consultee):
		d.Heading, d.Verdict = Inconclusive, []string{verdict, toAddModel}
		return
	}
	lines := []string{verdict}
	for i := range rulings {
		r := &rulings[i]
		p := s.Point(r.Point)
		how, _ := resolver.Ended(s, r)
		blocker := cmp.Or(how, string(r.Status))
		switch {
		case p == nil || r.Tag == state.TagSuperseded || resolver.Shows(r):
			continue
		case r.Bucket == state.BucketDismissed && r.Tag != state.TagOutOfScope:
			lines = append(
				lines,
				fmt.Sprintf("%s (%s, which shows nothing): %s. It would be resolved by evidence for or "+
					"against it", p.ID, blocker, r.Reason),
			)
			continue
		case blocker != "":
			blocker = " (" + blocker + ")"
		}
		lines = append(lines, fmt.Sprintf("%s%s: %s. It would be resolved by %s", p.ID, blocker, r.Reason,
			cmp.Or(r.Crux, "a session that evaluates it")))
	}
	if s.Points.Len() == 0 && s.Exit != state.ExitQuality {
		lines = append(lines, "It ended because: "+s.ExitReason)
	}
	d.Heading, d.Verdict = Inconclusive, lines
}
