package council

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol/council/constitution"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
)

// View implements protocol.Format.
func (Format) View() view.Format { return document{} }

// document describes the sessions of a council.
type document struct{ view.Claims }

// Outcome is the outcome of a council: whether there is consensus, and the result of CV1 to CV4 for
// each claim.
type Outcome struct {
	view.Concluded
	// Consensus is true if there is consensus now, ConsensusRound is the round that
	// reached it or 0. Unsettled are the live claims that prevent it.
	Consensus      bool     `json:"consensus"`
	ConsensusRound int      `json:"consensus_round"`
	Unsettled      []string `json:"unsettled"`
	// Claims are those that were neither merged nor revised, in order.
	Claims []ExportedClaim `json:"claims"`
	// Modifications say what must change for the claims that are open or unresolved, in
	// the order of the claims and of the rules.
	Modifications []Modification `json:"modifications"`
}

// ExportedClaim is the result of CV1 to CV4 for a claim. Bucket can differ: an earlier rule, such
// as a ruling of the user, may have decided.
type ExportedClaim struct {
	Validation
	Bucket state.Bucket `json:"bucket"`
	Valid  bool         `json:"valid"`
}

// Modification says what must change for a rule to hold for a claim.
type Modification struct {
	Point    string `json:"point"`
	Rule     string `json:"rule"`
	Requires string `json:"requires"`
}

func (document) Opposed(*state.State) (seats []state.Seat, withRules bool) {
	// The built-in rules hold claims and test them, so they can agree with themselves.
	return []state.Seat{constitution.Strategist, constitution.Critic}, true
}

func (document) Outcome(s *state.State) any {
	round := consensusRound(s)
	out := Outcome{
		Concluded: view.Conclude(s), Consensus: round > 0, ConsensusRound: round, Unsettled: Unsettled(s),
		Claims: []ExportedClaim{}, Modifications: []Modification{},
	}
	for _, p := range current(s) {
		ruling, _ := resolver.RuleOne(s, p.ID)
		v := Validate(s, p)
		out.Claims = append(out.Claims, ExportedClaim{Validation: v, Bucket: ruling.Bucket, Valid: v.Valid()})
		if ruling.Bucket != state.BucketOpen && ruling.Bucket != state.BucketUnresolved {
			continue
		}
		for _, rule := range v.Rules {
			for _, requires := range rule.Requires {
				out.Modifications = append(out.Modifications,
					Modification{Point: p.ID, Rule: rule.Rule, Requires: requires})
			}
		}
	}
	return out
}

// violationStatus says whether a violation blocks its claim, was fixed, was removed with its claim or
// wording, or is only flagged. Another wording with the same violation has its own entry.
func violationStatus(s *state.State, breach *Breach) string {
	p := s.Point(breach.Point)
	if breach.Challenge == "" {
		p = s.Current(breach.Point)
	}
	switch {
	case p == nil || !resolver.Held(p) && (p.UserRuling == nil || p.UserRuling.Bucket == state.BucketDismissed):
		return "ended"
	case p.ID != breach.Point && Of(s).Breached(breach.Constraint, p.ID, ""):
		return "ended"
	case !Breaks(s, p, breach):
		return "fixed"
	case onlyFlags(s, breach.Constraint):
		return "flagged"
	}
	return "open"
}

// FirstAnswers counts what the strategist presented as agreed if every other seat that reported a
// confidence in round 1 put it at 0.5 or more, and none objected to it.
func (document) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		switch {
		case p.Round > 1:
			return state.BucketNotEvaluated
		case p.Revises != "" || p.WordedBy != "" || !p.IsAuthor(constitution.Strategist):
			return state.BucketUnresolved // raised in round 1, but not in the first answer
		}
		if slices.ContainsFunc(p.Classes, func(c state.Classification) bool {
			return c.Round == 1 && c.Class != state.Agree && !p.IsAuthor(c.Seat)
		}) {
			return state.BucketUnresolved
		}
		bucket := state.BucketUnresolved
		for _, c := range s.Confidence.All() {
			switch {
			case c.Point != p.ID || c.Round != 1 || p.IsAuthor(c.Seat):
			case c.Stated < leastScore:
				return state.BucketUnresolved
			default:
				bucket = state.BucketAgreed
			}
		}
		return bucket
	}
}

// Warnings returns warnings about reports of the moderator that the rules contradict, key claims
// that were not agreed, and a constitution that code cannot check.
func (document) Warnings(s *state.State) []string {
	var warnings []string
	for i := range Of(s).Tested {
		if test := &Of(s).Tested[i]; test.Contradicted() {
			warnings = append(warnings, fmt.Sprintf("moderator: in round %d it %s; the rules decide", test.Round,
				contradiction(test)))
		}
	}
	for _, p := range current(s) {
		if !s.Over() || !ClaimOf(s, p).Key {
			continue
		}
		if ruling, _ := resolver.RuleOne(s, p.ID); ruling.Bucket != state.BucketAgreed {
			warnings = append(warnings, fmt.Sprintf("key claim: much depends on %s, and it ended %s", p.ID,
				view.BucketName(ruling.Bucket)))
		}
	}
	if unchecked := view.Stated("constitution", view.Record{State: s}); unchecked != "" {
		warnings = append(warnings, unchecked)
	}
	return append(warnings, view.DriftWarnings(s)...)
}

// contradiction describes how the moderator's report and the rules differ. Its subject is "it" or
// "the moderator".
func contradiction(test *Consensus) string {
	if test.Reached {
		return "reported that there is no agreement, but no live claim was unsettled"
	}
	if len(test.Unsettled) == 0 {
		return "reported agreement, but the rules find none: no claim is agreed"
	}
	return fmt.Sprintf("reported agreement, but the rules find none: %s not settled", view.AreOrIs(test.Unsettled))
}

// checkedByCode counts the constraints that code enforces.
func checkedByCode(c *constitution.Constitution) int {
	return len(lists.Filter(c.Constraints, func(one constitution.Constraint) bool {
		return one.Check != constitution.CheckNone
	}))
}

// Status names the phase of the round, and whether there is consensus.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	tested := Of(s).Consensus(s.Round)
	switch {
	case consensusRound(s) > 0:
		return "no claim is unsettled", view.RoleGood
	case tested == nil && s.Over():
		return "no consensus", view.RoleDoubt
	case tested == nil:
		return phase(s), view.RolePlain
	case tested.Reached:
		return "no longer agreed", view.RoleDoubt
	}
	words := fmt.Sprintf("not agreed, %d unsettled", len(tested.Unsettled))
	if len(tested.Unsettled) == 0 {
		words = "no claim agreed"
	}
	if tested.Contradicted() {
		words += ", moderator contradicted"
	}
	return words, view.RoleDoubt
}

// Map adds the aggregate confidence of claims, and which are key.
func (document) Map(s *state.State) view.Map {
	m := view.OpposedPairs(s)
	m.Points = map[string]view.PointWords{}
	for _, p := range s.Points.All() {
		if limit := ClaimOf(s, p).Limit; limit != "" {
			m.Points[p.ID] = view.PointWords{About: []string{"limit: " + limit}}
		}
	}
	for _, p := range current(s) {
		if ClaimOf(s, p).Key {
			m.Notes[p.ID] = append(m.Notes[p.ID], "key")
		}
		if v := Validate(s, p); v.Aggregate != nil {
			m.Notes[p.ID] = append(m.Notes[p.ID], fmt.Sprintf("aggregate %.2f", *v.Aggregate))
		}
	}
	return m
}

// Fill shows whether there is consensus, the claims by bucket, violations of the
// constitution, and the moderator's syntheses.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	d.Header(s)
	rows(d, s)
	d.AddVerdict(s, rulings)
	consensus := view.Stated("consensus", view.Record{State: s, Rulings: rulings})
	switch {
	case consensusRound(s) > 0:
		d.Add(view.Section{Title: "CONSENSUS", Lines: []string{consensus}})
	case s.Over():
		d.Heading, d.Role = "NO CONSENSUS", view.RoleDoubt
		d.Verdict = append([]string{consensus}, d.Verdict...)
	default:
		d.Add(view.Section{Title: "AGREEMENT", Lines: []string{consensus}})
	}
	d.AddPoints(s, rulings, func(it *view.Item, p *state.Point, r *state.Ruling) { describe(it, s, p, r) })
	d.Add(violationsSection(s), syntheses(s))
}

// rows are the rows that only a council has.
func rows(d *view.Document, s *state.State) {
	settings := SettingsOf(s)
	book := &settings.Constitution
	d.Row("bound by", fmt.Sprintf("constitution %q: %s, %d of them checked by code", book.Name,
		view.Counted(len(book.Constraints), "constraint"), checkedByCode(book)))
	d.Row("weights", cmp.Or(strings.ReplaceAll(WeightWords(settings.Weights), ",", ", "), "none")+
		"; decision threshold "+view.Figure(settings.Decision))
	for _, row := range []string{"parallel", "silent"} {
		if text := view.Stated(row, view.Record{State: s}); text != "" {
			d.Row(row, text)
		}
	}
}

// statements never changes.
var statements = view.Statements{ //nolint:gochecknoglobals // a table
	{
		ID: "consensus/ended", Words: "none: the session ended before it was tested",
		When: func(r view.Record) ([]any, bool) { return nil, len(Of(r.State).Tested) == 0 && r.State.Over() },
	},
	{
		ID: "consensus/untested", Words: "not tested yet",
		When: func(r view.Record) ([]any, bool) { return nil, len(Of(r.State).Tested) == 0 },
	},
	{
		ID: "consensus/unsettled", Words: "none: %s not settled",
		When: func(r view.Record) ([]any, bool) {
			left := Unsettled(r.State)
			return []any{view.AreOrIs(left)}, len(left) > 0 && !Of(r.State).lastTest().Reached
		},
	},
	{
		ID: "consensus/lost", Words: "in round %d, but no longer: %s not settled",
		When: func(r view.Record) ([]any, bool) {
			left := Unsettled(r.State)
			return []any{Of(r.State).lastTest().Round, view.AreOrIs(left)}, len(left) > 0
		},
	},
	{
		ID: "consensus/gone", Words: "in round %d, but no longer: %s",
		When: func(r view.Record) ([]any, bool) {
			last := Of(r.State).lastTest()
			return []any{last.Round, noneAgreed(r.State)}, last.Reached && len(agreedClaims(r.State)) == 0
		},
	},
	{
		// Claims that were all given up are settled, too, but nobody agrees on anything then.
		ID: "consensus/nothing", Words: "none: %s",
		When: func(r view.Record) ([]any, bool) {
			return []any{noneAgreed(r.State)}, len(agreedClaims(r.State)) == 0
		},
	},
	{
		ID: "consensus/reached", Words: "in round %d: %s",
		When: func(r view.Record) ([]any, bool) {
			return []any{Of(r.State).lastTest().Round, agreement(r.State)}, Of(r.State).lastTest().Reached
		},
	},
	{
		ID: "consensus/later", Words: "none was found in round %d; now %s",
		When: func(r view.Record) ([]any, bool) {
			return []any{Of(r.State).lastTest().Round, agreement(r.State)}, true
		},
	},
	{
		ID: "tested/not", Words: "the round was not tested for consensus",
		When: func(r view.Record) ([]any, bool) {
			return nil, !slices.ContainsFunc(
				Of(r.State).Tested,
				func(c Consensus) bool { return strconv.Itoa(c.Round) == r.ID },
			)
		},
	},
	{
		ID: "constitution/unchecked", Words: "constitution: code checks nothing in %s; that no claim violates it means nothing",
		When: func(r view.Record) ([]any, bool) {
			book := &SettingsOf(r.State).Constitution
			return []any{plain.Line(cmp.Or(book.Name, "the constitution"))}, checkedByCode(book) == 0
		},
	},
	{
		ID: "parallel/asked", Words: "critic and adversary were asked at once, without seeing each other's reply",
		When: func(r view.Record) ([]any, bool) { return nil, SettingsOf(r.State).Parallel },
	},
	{
		ID: "silent/seats", Words: "%s reported no confidence in any claim",
		When: func(r view.Record) ([]any, bool) {
			silent := slices.DeleteFunc(seated(r.State), func(seat state.Seat) bool {
				// A seat that was not heard yet, as in a paused session, was not silent.
				return r.State.LastTurn(seat) == 0 ||
					r.State.Points.Any(func(p *state.Point) bool { return p.Score(seat) != nil })
			})
			return []any{view.Seats(silent)}, len(silent) > 0 && r.State.Points.Len() > 0
		},
	},
	{
		ID: "confidence/none", Words: "nobody reported one",
		When: func(r view.Record) ([]any, bool) { return nil, len(Validate(r.State, r.State.Point(r.ID)).Scores) == 0 },
	},
	{
		ID: "confidence/missing", Words: "nothing from %s",
		When: func(r view.Record) ([]any, bool) {
			missing := Validate(r.State, r.State.Point(r.ID)).Missing
			return []any{view.Seats(missing)}, len(missing) > 0
		},
	},
	{
		ID: "key/needs", Words: "much depends on it: it needs verified evidence from two sources",
		When: func(r view.Record) ([]any, bool) { return nil, ClaimOf(r.State, r.State.Point(r.ID)).Key },
	},
}

// Statements implements view.Format.
func (document) Statements() view.Statements { return statements }

// lastTest returns the last test for consensus; there has to be one.
func (c *Council) lastTest() *Consensus { return &c.Tested[len(c.Tested)-1] }

// describe adds to a claim the reports of the seats and the results of the rules.
func describe(it *view.Item, s *state.State, p *state.Point, r *state.Ruling) {
	if p.RevisedBy != "" {
		// A later wording replaced it and carries the details.
		return
	}
	v := Validate(s, p)
	var notes []view.Note
	add := func(label, text string) { notes = append(notes, view.Note{Label: label, Text: text}) }
	claim := ClaimOf(s, p)
	record := view.Record{State: s, ID: p.ID}
	if needs := view.Stated("key", record); needs != "" {
		add("key", needs)
	}
	if p.WordedBy != "" {
		add("worded by", fmt.Sprintf("%s, and held by %s", p.WordedBy, p.Authors[0]))
	}
	if claim.Limit != "" {
		add("limit", claim.Limit)
	}
	if view.OfDocument(claim.Limit) && !view.OfDocument(p.Text) {
		add(view.AboutDocument, view.AsWritten)
	}
	if r.Bucket == state.BucketAgreed && (view.OfDocument(claim.Limit) || view.OfDocument(p.Text)) {
		it.Mark, it.Role = view.AboutDocument, view.RoleDoubt
	}
	add("confidence", confidences(&v, record))
	if strings.HasPrefix(r.Rule, "CV") {
		it.Notes = slices.DeleteFunc(it.Notes, func(n view.Note) bool {
			return n.Label == "why" || n.Label == view.ResolvedBy
		})
		for i := range v.Rules {
			check := &v.Rules[i]
			text := "does not hold: " + check.Says
			switch {
			case check.Passed && check.Rule == "CV2":
				// The confidences that it reads are listed above.
				text = "holds"
			case check.Passed:
				text = "holds: " + check.Says
			}
			add(validationRules()[i].topic, text)
		}
		if r.Bucket != state.BucketAgreed {
			for _, required := range v.Required() {
				add("requires", required)
			}
		}
	}
	it.Notes = append(notes, it.Notes...)
	for before := s.Point(p.Revises); before != nil; before = s.Point(before.Revises) {
		it.Note("was "+before.ID, before.Text)
	}
}

// confidences lists the confidences of the seats, and their aggregate.
func confidences(v *Validation, record view.Record) string {
	if len(v.Scores) == 0 {
		return view.Stated("confidence", record)
	}
	var parts []string
	for _, score := range v.Scores {
		part := string(score.Seat) + " " + view.Figure(score.Admitted)
		if view.Figure(score.Admitted) != view.Figure(score.Stated) {
			part += " (stated " + view.Figure(score.Stated) + ")"
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, ", ")
	if v.Aggregate != nil {
		text += "; aggregate " + view.Figure(*v.Aggregate)
	}
	text += "; apart " + view.Figure(v.Spread) + "; validation confidence " + view.Figure(v.Confidence)
	if len(v.Missing) > 0 {
		text += "; " + view.Stated("confidence", record)
	}
	return text
}

// violations lists the violations of the constitution.
func violationsSection(s *state.State) view.Section {
	sec := view.Section{Title: "VIOLATIONS"}
	for i := range Of(s).Breaches {
		b := &Of(s).Breaches[i]
		it := view.Item{
			ID: b.Constraint, Mark: view.Tag(violationStatus(s, b)),
			Text: fmt.Sprintf("%s of the %s, round %d: %s", b.About(), b.Seat, b.Round, b.Text),
		}
		if constraint := SettingsOf(s).Constitution.Constraint(b.Constraint); constraint != nil {
			it.Note("demands", constraint.Text)
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// syntheses lists the syntheses of the moderator, each with the result of the rules.
func syntheses(s *state.State) view.Section {
	sec := view.Section{Title: "SYNTHESES"}
	for i := range Of(s).Syntheses {
		synthesis := &Of(s).Syntheses[i]
		it := view.Item{ID: "round " + strconv.Itoa(synthesis.Round), Mark: "No agreement", Text: synthesis.Text}
		if synthesis.Agreement {
			it.Mark = "Agreement"
		}
		if len(synthesis.Open) > 0 {
			it.Note("open", strings.Join(synthesis.Open, ", "))
		}
		named, restated := unfounded(s, synthesis)
		if len(named) > 0 {
			it.Note("CONTRADICTED", "it names "+strings.Join(named, ", ")+", not agreed by the rules")
		}
		if len(restated) > 0 {
			it.Note("CONTRADICTED", "its words restate "+strings.Join(restated, ", ")+", not agreed by the rules")
		}
		switch test := Of(s).Consensus(synthesis.Round); {
		case test == nil:
			it.Note("rules", view.Stated("tested", view.Record{State: s, ID: strconv.Itoa(synthesis.Round)}))
		case test.Contradicted():
			it.Note("CONTRADICTED", "it "+contradiction(test)+"; the rules decide")
		case len(named)+len(restated) > 0:
		case test.Reported == AgreementYes:
			it.Note("rules", "confirm the agreement")
		default:
			it.Note("rules", "find no agreement either")
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// unfounded returns the claims that a synthesis treats as settled although the rules do not find them Agreed: those
// that it names by their ids, and those that it restates in its own words. What a sentence says to be open or
// disputed it does not treat as settled.
func unfounded(s *state.State, synthesis *Synthesis) (named, restated []string) {
	isOpen := func(p *state.Point) bool {
		return slices.ContainsFunc(synthesis.Open, func(id string) bool { return s.Current(id) == p })
	}
	agreed := func(p *state.Point) bool {
		ruling, _ := resolver.RuleOne(s, p.ID)
		return ruling.Bucket == state.BucketAgreed
	}
	for _, sentence := range sentences(synthesis.Text) {
		parts := asserted(sentence)
		for _, id := range pointIDs.FindAllString(strings.Join(parts, " "), -1) {
			if p := s.Current(id); p != nil && !slices.Contains(named, id) && !isOpen(p) && !agreed(p) {
				named = append(named, id)
			}
		}
		// One sentence may restate several claims, one in each of its clauses.
		for _, part := range slices.Clone(parts) {
			if split := clauses.Split(part, -1); len(split) > 1 {
				parts = append(parts, split...)
			}
		}
		for _, clause := range parts {
			var best *state.Point
			most := 0.0
			for _, p := range s.Points.All() {
				if share := restates(clause, p.Text); p.MergedInto == "" && share > most {
					best, most = p, share
				}
			}
			if best == nil {
				continue
			}
			if p := s.Current(best.ID); p != nil && !isOpen(p) && !agreed(p) && !slices.Contains(named, p.ID) &&
				!slices.Contains(restated, p.ID) {
				restated = append(restated, p.ID)
			}
		}
	}
	return named, restated
}

// restates returns the share of the telling words of a claim that a sentence repeats, or 0 if they are too few to be
// the same statement. Negations and numbers tell; articles and the like don't.
func restates(sentence, claim string) float64 {
	const least, fewest = 0.5, 4
	words := func(text string) map[string]bool {
		telling := map[string]bool{}
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			word = strings.Trim(word, ".,;:!?()[]\"'“”‘’`")
			if utf8.RuneCountInString(word) > 3 || strings.ContainsAny(word, "0123456789") || conflict.Negates(word) {
				telling[word] = true
			}
		}
		return telling
	}
	said, claimed := words(sentence), words(claim)
	shared := 0
	for word := range claimed {
		if said[word] {
			shared++
		}
	}
	share := float64(shared) / float64(max(len(claimed), 1))
	if share < least || shared < min(fewest, len(claimed)) || resolver.Opposed(sentence, claim) {
		return 0
	}
	return share
}

// asserted returns the parts of a sentence that it does not say to be open or disputed: the whole sentence, or its
// clauses without those about what is open.
func asserted(sentence string) []string {
	if !aboutOpen.MatchString(sentence) {
		return []string{sentence}
	}
	if strings.HasSuffix(sentence, "?") {
		return nil
	}
	var parts []string
	for _, part := range turns.Split(sentence, -1) {
		head, list, isList := strings.Cut(part, ":")
		if isList && saysOpen(head) {
			continue // "Disputed: P1, P2"
		}
		if isList {
			parts = append(parts, head)
			part = list
		}
		said := clauses.Split(part, -1)
		for i := len(said) - 1; i >= 0; i-- {
			if !saysOpen(said[i]) {
				continue
			}
			// "P1, P2 and P3 are open", "That it never stops, as P1 says, is disputed", "Open are P1, P2 and P3".
			from, to := i, i+1
			for from > 0 && (bare(said[from-1]) || from == i && noSubject.MatchString(said[i])) {
				from--
			}
			for to < len(said) && bare(said[to]) && !slices.ContainsFunc(said[to:], func(c string) bool { return !bare(c) }) {
				to++
			}
			said = slices.Delete(said, from, to)
			i = from
		}
		parts = append(parts, said...)
	}
	return parts
}

// bare reports whether a clause only lists claims by their ids.
func bare(clause string) bool {
	left := strings.Fields(pointIDs.ReplaceAllString(clause, ""))
	return pointIDs.MatchString(clause) && !slices.ContainsFunc(left, func(word string) bool {
		return !slices.Contains([]string{"and", "or", "both", "also"}, strings.ToLower(strings.Trim(word, ".()[]")))
	})
}

// saysOpen reports whether a clause says that something is open or disputed. "No claim is disputed" does not, nor do
// words about an objection, or about another thing than a claim, as in "the disputed sample".
func saysOpen(clause string) bool {
	for _, at := range aboutOpen.FindAllStringIndex(clause, -1) {
		before, word, after := clause[:at[0]], strings.ToLower(clause[at[0]:at[1]]), clause[at[1]:]
		state := stateWords.MatchString(word)
		switch {
		case state && (negated.MatchString(before) || ofObjection.MatchString(before)):
		case state && article.MatchString(before) && !ofClaims.MatchString(after):
		case word == "no evidence" && against.MatchString(after):
		default:
			return true
		}
	}
	return false
}

// sentences splits a synthesis at full stops, semicolons and line ends.
func sentences(text string) []string { return sentenceEnd.Split(text, -1) }

var (
	clauses    = regexp.MustCompile(`[,，、:]\s*|\s(?:and|but|while)\s`)
	turns      = regexp.MustCompile(`[;—–]|(?i)(?:^|\s)(?:but|while|whereas|although|though|however|yet|despite)\s`)
	noSubject  = regexp.MustCompile(`(?i)^\s*(?:is|are|was|were|remains?|stays?|has|have|cannot|can)\b`)
	stateWords = regexp.MustCompile(
		`^(?:open|disputed|unsettled|unresolved|unverified|undecided|contested|conflicting|` +
			`dismissed|rejected|withdrawn|conceded|disagree\w*)$`,
	)
	negated     = regexp.MustCompile(`(?i)\b(?:no|not|never|nothing|none|nobody|neither|hardly|without)\b|n't\b`)
	ofObjection = regexp.MustCompile(`(?i)\b(?:objections?|challenges?|doubts?|attacks?|criticisms?|C\d+)\b`)
	article     = regexp.MustCompile(`(?i)\b(?:the|a|an|this|that|these|those|its|their|some|any|all)\s+$`)
	ofClaims    = regexp.MustCompile(
		`(?i)^\s*(?:points?|claims?|questions?|issues?|matters?|ones?|items?|parts?|is|are|P\d+)\b`,
	)
	against     = regexp.MustCompile(`(?i)^\s+(?:against|contradict|to the contrary)`)
	sentenceEnd = regexp.MustCompile(`[.!?;][\s)]+|\n+|[。！？；]`)
	// aboutOpen matches what says that something is not settled.
	aboutOpen = regexp.MustCompile(
		`(?i)\b(?:open|disputed|unsettled|unresolved|unverified|undecided|unclear|contested|` +
			`conflicting|tested again|not (?:yet )?(?:agreed|settled|resolved|accepted|supported|established|proven|verified)|` +
			`no (?:agreement|evidence)|dismissed|rejected|withdrawn|conceded|remains to|whether|disagree\w*)\b|\?$`,
	)
)

var pointIDs = regexp.MustCompile(`\bP\d{1,6}\b`)

// Event describes phases, confidences, the constitution and consensus.
func (document) Event(before, after *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *state.PhaseChanged:
		// The phases of a council follow from who is asked.
		return view.One(view.Say("phase", "", string(e.Phase), view.RoleQuiet).AsMinor()), true
	case *state.PromptSent:
		return append(phaseLine(before, e.Stage), view.CallLines(after, e)...), true
	case *state.ConfidenceReported:
		return view.One(scoresLine(after, e)), true
	case *ConstitutionViolated:
		return view.One(violationLine(after, e)), true
	case *ClaimMarkedKey:
		return view.One(view.Say("key", e.Point, "is a key claim", view.RoleQuiet).By(e.By)), true
	case *ClaimLimited:
		return view.One(view.Say("limit", e.Point, e.Limit, view.RoleQuiet).By(e.By)), true
	case *ChallengeReworded:
		return view.One(view.Say("reworded", e.Challenge, e.Objection, view.RoleDoubt).By(e.By)), true
	case *Synthesized:
		text := "agreement"
		if !e.Agreement {
			text = "no agreement"
		}
		if len(e.Open) > 0 {
			text += ", open: " + strings.Join(e.Open, ", ")
		}
		return []view.Line{
			{Label: "synthesis", Text: e.Text},
			{Label: "reported", Text: "by the " + string(e.By) + ": " + text, Role: view.RoleQuiet},
		}, true
	case *ConsensusTested:
		l := view.Say("consensus", "", fmt.Sprintf("in round %d: no live claim is unsettled", e.Round), view.RoleGood)
		switch {
		case e.Reached:
		case len(e.Unsettled) == 0:
			l.Label, l.Text, l.Role = "agreement", fmt.Sprintf("none in round %d: no claim is agreed", e.Round), view.RoleOpen
		default:
			l.Label, l.Role = "agreement", view.RoleOpen
			l.Text = fmt.Sprintf("none in round %d; not settled: %s", e.Round, strings.Join(e.Unsettled, ", "))
		}
		lines = view.One(l)
		if e.Contradicted() {
			lines = append(lines, view.Line{
				Label: "warning", Text: "the moderator " + contradiction(&e.Consensus), Role: view.RoleWarn,
			})
		}
		return lines, true
	}
	return nil, false
}

// phaseLine says that a phase of the round begins, if the stage is the first of its phase.
func phaseLine(before *state.State, stage state.Stage) []view.Line {
	phase := phaseOf(stage)
	if phase == 0 {
		return nil
	}
	for i := range before.Asked {
		if phaseOf(before.Asked[i].Stage) >= phase {
			return nil
		}
	}
	return view.One(view.Line{
		Label: "phase", Text: fmt.Sprintf("%d of %d, %s", phase, len(phases()), phases()[phase-1]),
		Role: view.RoleQuiet,
	})
}

// scoresLine lists all confidences that a seat reported in this round.
func scoresLine(s *state.State, e *state.ConfidenceReported) view.Line {
	var parts []string
	for _, p := range s.Points.All() {
		score := p.Score(e.Seat)
		if score == nil || score.Round != s.Round {
			continue
		}
		part := fmt.Sprintf("%s %.2f", p.ID, score.Admitted)
		if score.Stated != score.Admitted {
			part += fmt.Sprintf(" (%.2f stated without a cause)", score.Stated)
		}
		parts = append(parts, part)
	}
	return view.Line{
		Key: fmt.Sprintf("scores %s %d", e.Seat, s.Round), Label: "scores", Lead: string(e.Seat),
		Text: strings.Join(parts, ", "), Role: view.RoleQuiet,
	}
}

// violationLine is a violation of the constitution.
func violationLine(s *state.State, e *ConstitutionViolated) view.Line {
	l := view.Say("violation", e.About()+" by the "+string(e.Seat), e.Constraint+": "+e.Text, view.RoleWarn)
	if onlyFlags(s, e.Constraint) {
		l.Label, l.Text = "flagged", l.Text+"; it blocks nothing"
	}
	return l
}

// Places implements the view of a session's places: the syntheses of the moderator.
func (document) Places(s *state.State) []view.Place {
	var places []view.Place
	for i := range Of(s).Syntheses {
		places = append(places, view.Place{Kind: "synthesis", Rank: view.RankArgument, Text: Of(s).Syntheses[i].Text})
	}
	return places
}
