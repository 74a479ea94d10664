package random

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/review"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// universal finds the words of SE1: with one of them, a sentence says something about all of a record, or counts.
// A text of a random session has none of them, so each was written by moot.
var universal = regexp.MustCompile(`(?i)\b(?:nothing|none|nobody|neither|all|every|everyone|everything|each|no finding|` +
	`consensus|verified|the seats agree|without reading|opened no file|no claim|only|not yet|at once|` +
	`refuted by|still open|also (?:agreed|found|dismissed)|\d+ of \d+:|\d+ of \d+ answered|` +
	`\d+ (?:of \d+ )?(?:points?|claims?|conflicts?|fields?|objections?|moves?|places?|constraints?|facts?|flags?|` +
	`confidences?|contradicting|sources|attacks?))\b`)

// said is a text of a document with its place: the section or row, and the item.
type said struct {
	s       *state.State
	rulings []state.Ruling
	// place is the label of a row or of a note, or else the title of the section. The id is the item's.
	place, id, text string
}

// about returns the point of a text, or those of a conflict.
func (t *said) about() []*state.Point {
	if p := t.s.Point(t.id); p != nil {
		return []*state.Point{p}
	}
	if t.s.Settings.Format == panel.Name {
		if c := panel.Of(t.s).Conflict(t.id); c != nil {
			return []*state.Point{t.s.Current(c.A), t.s.Current(c.B)}
		}
	}
	return nil
}

// check is the condition of a sentence, independent of the one that prints it. It gets the parts of the match.
type check struct {
	// row is the sentence of a table of view. Words find a sentence of another table: of the rulings, of the
	// gates, or of an event.
	row, words string
	// at limits a sentence of few words to its places.
	at    string
	holds func(t *said, m []string) bool
}

// truthful checks each text of the result and each ruling of a session: what a sentence says is so, and one with a
// word of SE1 that no check knows is an error. Add a row to conditions() for a new sentence.
func (r *Session) truthful() {
	rulings := resolver.Rule(r.State)
	rows := view.StatementsOf(view.FormatOf(r.State))
	for i := range rulings {
		for _, text := range []string{rulings[i].Reason, rulings[i].Crux} {
			r.explains(rows, &said{s: r.State, rulings: rulings, place: "ruling", id: rulings[i].Point, text: text})
		}
	}
	d := view.Session(r.State, rulings)
	say := func(place, id, text string) {
		r.explains(rows, &said{s: r.State, rulings: rulings, place: place, id: id, text: text})
	}
	say("stopped", "", d.Stopped)
	say("heading", "", d.Heading)
	for _, row := range d.Rows {
		if row.Label == "rounds" && r.State.Decided > 0 {
			continue // The exit is corrected when the session closes again, right after the decision.
		}
		say(row.Label, "", row.Text)
	}
	for _, line := range d.Verdict {
		say("verdict", pointOf(line), line)
	}
	for _, warning := range d.Warnings {
		say("warning", "", warning)
	}
	if about, is := view.FormatOf(r.State).(view.Reviews); is {
		say("comment", "", about.Review(r.State, rulings).Silent)
	}
	r.counted(&d.Open)
	for i := range d.Sections {
		r.counted(&d.Sections[i])
	}
	for _, section := range append([]view.Section{d.Answer, d.Open}, d.Sections...) {
		for _, line := range append([]string{section.After}, section.Lines...) {
			say(section.Title, "", line)
		}
		for _, item := range section.Items {
			if section.Title == "ANSWER" && (item.Mark == "Before" || item.Mark == "Left out") {
				continue // true of an earlier record, if at all
			}
			id := item.ID
			if section.Title == "REVIEWERS" {
				id = item.Text // It begins with the seat.
			}
			say(section.Title, item.ID, item.Mark)
			if r.State.QuestionByID(item.ID) == nil { // said when it was asked, see asking
				say(section.Title, item.ID, item.Text)
			}
			for _, note := range item.Notes {
				say(note.Label, id, note.Text)
			}
		}
		for _, row := range section.Table {
			for _, cell := range row {
				say(section.Title, "", cell)
			}
		}
	}
}

// asking checks the text of a question that was just put to the user.
func (r *Session) asking(q *state.QuestionSurfaced) {
	rows := view.StatementsOf(view.FormatOf(r.State))
	r.explains(rows, &said{s: r.State, rulings: resolver.Rule(r.State), place: "question", id: q.Point, text: q.Text})
}

// counted checks the number in a heading.
func (r *Session) counted(section *view.Section) {
	if section.Count == 0 && section.Total() != len(section.Items) {
		r.Fatalf("%s counts %d, and lists %d", section.Title, section.Total(), len(section.Items))
	}
}

// explains checks a text against the rows that it matches, and that no word of SE1 is left.
func (r *Session) explains(rows view.Statements, t *said) {
	if !universal.MatchString(t.text) {
		return
	}
	rest := t.text
	for _, c := range conditions() {
		pattern := c.words
		if c.row != "" {
			at := slices.IndexFunc(rows, func(row view.Statement) bool { return row.ID == c.row })
			if at < 0 {
				continue // of another format
			}
			if pattern == "" {
				pattern = patternOf(rows[at].Words)
			}
		}
		if c.at != "" {
			if !slices.Contains(strings.Split(c.at, "|"), t.place) {
				continue
			}
			pattern = `^` + pattern + `$`
		}
		find := compiled(pattern)
		found := find.FindAllStringSubmatch(rest, -1)
		for _, m := range found {
			if !c.holds(t, m) {
				r.Fatalf("SE1: %q (%s) is not so, in %q of %s %s:\n%s", m[0], c.row, t.text, t.place, t.id, listed(r.State, t.rulings))
			}
		}
		if len(found) > 0 {
			rest = find.ReplaceAllString(rest, "…")
		}
	}
	if universal.MatchString(rest) {
		r.Fatalf("SE1: no row of a table explains %q in %q of %s %s", universal.FindString(rest), t.text, t.place, t.id)
	}
}

var (
	patterns, rowPatterns sync.Map
	conditions            = sync.OnceValue(allConditions)
)

// compiled compiles a pattern once.
func compiled(pattern string) *regexp.Regexp {
	if known, ok := patterns.Load(pattern); ok {
		return known.(*regexp.Regexp)
	}
	find := regexp.MustCompile(pattern)
	patterns.Store(pattern, find)
	return find
}

// patternOf finds the words of a row, whatever its values.
func patternOf(words string) string {
	if known, ok := rowPatterns.Load(words); ok {
		return known.(string)
	}
	pattern := strings.NewReplacer("%s", "(.+?)", "%d", `(\d+)`).Replace(regexp.QuoteMeta(words))
	rowPatterns.Store(words, pattern)
	return pattern
}

// listed prints the points and their evidence for a failure.
func listed(s *state.State, rulings []state.Ruling) string {
	var b strings.Builder
	for i := range rulings {
		p := s.Point(rulings[i].Point)
		fmt.Fprintf(&b, "%s by %v, %s %s: %s\n", p.ID, p.Authors, rulings[i].Bucket, rulings[i].Rule, rulings[i].Reason)
		for _, c := range p.Classes {
			fmt.Fprintf(&b, "  %s %s in round %d\n", c.Seat, c.Class, c.Round)
		}
		for _, id := range p.Challenges {
			fmt.Fprintf(&b, "  %s %s, upgrade %q\n", id, s.Challenge(id).Status, s.Challenge(id).UpgradeIf)
		}
		for _, id := range p.Evidence {
			e := s.Item(id)
			fmt.Fprintf(&b, "  %s %s by %s, verified %v, counts %v\n", id, e.Relation, e.OfferedBy, e.Proven(), resolver.Counts(s, p, e))
		}
	}
	return b.String()
}

var firstPoint = regexp.MustCompile(`^P\d+\b`)

// pointOf returns the point that a line of the verdict begins with.
func pointOf(line string) string { return firstPoint.FindString(line) }

// number reads a count.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

func anyPoint(s *state.State, holds func(p *state.Point) bool) bool { return s.Points.Any(holds) }

// bucketed counts the points in a bucket, without merged and revised ones.
func bucketed(t *said, bucket state.Bucket) int {
	n := 0
	for i := range t.rulings {
		p := t.s.Point(t.rulings[i].Point)
		if t.rulings[i].Bucket == bucket && p.MergedInto == "" && t.rulings[i].Tag != state.TagSuperseded {
			n++
		}
	}
	return n
}

// proven reports whether a verified item of a relation is on the point.
func proven(t *said, relation ledger.Relation) bool {
	p := t.s.Point(t.id)
	return p != nil && slices.ContainsFunc(p.Evidence, func(id string) bool {
		return t.s.Item(id).Proven() && t.s.Item(id).Relation == relation
	})
}

// judges reports whether a class is a word of another seat than the authors that is able to judge.
func judges(p *state.Point, c *state.Classification) bool { return !c.ByRules && !p.IsAuthor(c.Seat) }

// all reports whether the rulings on the points that a text names hold.
func all(t *said, text string, holds func(*state.Ruling) bool) bool {
	for _, id := range compiled(`\bP\d+`).FindAllString(text, -1) {
		if !holds(resolver.RulingOn(t.rulings, id)) {
			return false
		}
	}
	return true
}

// objecting reports whether the latest word of a seat on the point objects to it.
func objecting(p *state.Point) bool {
	return slices.ContainsFunc(p.Classes, func(c state.Classification) bool {
		latest := p.Latest(c.Seat)
		return latest != nil && !latest.ByRules && latest.Class != state.Agree
	})
}

// allConditions are the conditions of the sentences with a word of SE1, those with a longer form of the same words
// first.
func allConditions() []check {
	found := func(t *said, _ []string) bool {
		return slices.ContainsFunc(t.rulings, func(r state.Ruling) bool { return r.Status == state.StatusFound }) &&
			!slices.ContainsFunc(t.rulings, func(r state.Ruling) bool {
				p := t.s.Point(r.Point)
				return r.Status == state.StatusFound &&
					slices.ContainsFunc(p.Classes, func(c state.Classification) bool { return judges(p, &c) })
			})
	}
	files := func(t *said) bool { return t.s.Settings.Workspace != "" || len(t.s.Settings.Context) > 0 }
	unraised := func(t *said, _ []string) bool { return t.s.Points.Len() == 0 }
	// What a rule or a gate demands is true of all sessions.
	demand := func(*said, []string) bool { return true }
	// places is true of the counts of an audit: those of each verdict, and their sum.
	places := func(t *said, m []string) bool {
		counts, total := map[string]int{}, 0
		for _, statement := range t.s.Settings.Input.Audit.Statements {
			for _, place := range statement.Places {
				counts[string(place.Verdict)]++
				total++
			}
		}
		for _, part := range compiled(`(\d+) ([a-z]+)`).FindAllStringSubmatch(m[2], -1) {
			if strconv.Itoa(counts[part[2]]) != part[1] {
				return false
			}
			delete(counts, part[2])
		}
		return strconv.Itoa(total) == m[1] && len(counts) == 0
	}
	wrong := compiled(`absent|misplaced`)
	return slices.Concat([]check{
		{words: `its quote is there \((\w+)\)`, holds: func(t *said, m []string) bool {
			return slices.ContainsFunc(append([]string{t.id}, t.s.Point(t.id).Aliases...), func(id string) bool {
				statement := t.s.Settings.Input.Audit.Statements[state.Index(id, 'P')]
				return slices.ContainsFunc(statement.Places, func(p state.AuditedPlace) bool { return string(p.Verdict) == m[1] })
			})
		}},
		{row: "verdict/audit-none", holds: func(t *said, _ []string) bool {
			return !slices.ContainsFunc(t.s.Settings.Input.Audit.Statements, func(s state.AuditedStatement) bool { return len(s.Places) > 0 })
		}},
		{row: "verdict/audit-wrong", words: `The statements name (\d+) places?: (.*)\.`, holds: func(t *said, m []string) bool {
			return places(t, m) && wrong.MatchString(m[2])
		}},
		{row: "verdict/audit", words: `The statements name (\d+) places?, and none is known to be wrong: (.*)\.`, holds: func(t *said, m []string) bool {
			return places(t, m) && !wrong.MatchString(m[2])
		}},
		{row: "verdict/found-words", holds: found},
		{row: "verdict/found-cited", holds: found},
		{row: "verdict/nothing-found", holds: func(t *said, m []string) bool { return unraised(t, m) && files(t) }},
		{row: "verdict/not-all-searched", holds: func(t *said, m []string) bool {
			return unraised(t, m) && files(t) && len(t.s.Searched) > 0
		}},
		{row: "verdict/nothing-searched", holds: func(t *said, m []string) bool { return unraised(t, m) && !files(t) }},
		{row: "verdict/unraised", holds: unraised},
		{row: "verdict/unsettled", holds: func(t *said, _ []string) bool {
			return bucketed(t, state.BucketAgreed) == 0 && !slices.ContainsFunc(t.rulings, func(r state.Ruling) bool {
				return r.Bucket == state.BucketDismissed && slices.Contains([]string{"AC1", "AC5", "AC8"}, r.Rule) ||
					r.Status == state.StatusFound
			})
		}},
		{row: "debate/none", holds: unraised},
		{row: "debate/unmoved", holds: func(t *said, _ []string) bool {
			return !slices.ContainsFunc(view.Baseline(t.s, t.rulings), func(c view.Change) bool {
				return c.Before != c.After && c.After != state.BucketOpen && c.After != state.BucketNotEvaluated
			})
		}},
		{row: "debate/moved", words: `changed (\d+) of (\d+) points? since what was said in round 1: (.*)`, holds: func(t *said, m []string) bool {
			points := 0
			for _, move := range compiled(`(P\d+) ([a-zP\d ]+) → ([a-zP\d -]+)`).FindAllStringSubmatch(m[3], -1) {
				p, after := t.s.Point(move[1]), view.BucketName(resolver.RulingOn(t.rulings, move[1]).Bucket)
				if p.RevisedBy != "" && after == "dismissed" {
					after = "revised as " + p.RevisedBy
				}
				// Only the words of a revision are new; what it says may have been raised before.
				old := t.s.Point(p.Revises)
				for old != nil && old.Round > 1 {
					old = t.s.Point(old.Revises)
				}
				if after != move[3] || old != nil && move[2] != "worded as "+old.ID ||
					move[2] == "not raised yet" && (p.Round <= 1 || old != nil) {
					return false
				}
			}
			for _, p := range t.s.Points.All() {
				if p.MergedInto == "" {
					points++
				}
			}
			return number(m[1]) == strings.Count(m[3], "→") && number(m[2]) == points
		}},
		{row: "caution/agreement", at: "caution", holds: func(t *said, _ []string) bool { return !proven(t, ledger.Supports) }},
		{row: "sentence/unseen", at: "objections", holds: func(t *said, _ []string) bool { return len(t.s.Answer().Seen) == 0 }},
		{row: "fact/unevaluated", holds: func(t *said, _ []string) bool {
			f := t.s.Fact(t.id)
			return f.Live && f.Tag == ledger.TagUnverified && !f.Evaluated
		}},
		{row: "no question/unanswered", holds: func(t *said, _ []string) bool { return t.s.Exit != state.ExitNone && !waiting(t) }},
		{row: "open for you/nothing", holds: func(t *said, _ []string) bool {
			return t.s.Exit != state.ExitNone && !waiting(t) && !anyPoint(t.s, func(p *state.Point) bool {
				r := resolver.RulingOn(t.rulings, p.ID)
				return p.MergedInto == "" && r != nil && r.Bucket == state.BucketUnresolved
			})
		}},
		{row: "blind/material", holds: func(t *said, m []string) bool {
			for _, l := range t.s.Lookups.All() {
				if len(l.Shown) > 0 && strings.Contains(m[1], string(l.Seat)) {
					return false
				}
			}
			for _, d := range t.s.Settings.Context {
				for _, a := range t.s.Seats {
					if strings.Contains(m[1], string(a.Seat)) && t.s.WasShown(a.Seat, d.Path) {
						return false
					}
				}
			}
			return len(t.s.Settings.Context) > 0
		}},
		{row: "blind/heading", holds: func(t *said, m []string) bool {
			for _, l := range t.s.Lookups.All() {
				if len(l.Shown) > 0 && strings.Contains(m[1], string(l.Seat)) {
					return false
				}
			}
			return true
		}},
		{row: "flags/half", words: `arbiter: (\d+) points? (?:is|are) flagged, at least half`, holds: func(t *said, m []string) bool {
			flagged := map[string]bool{}
			for _, f := range t.s.Flags {
				flagged[f.Point] = true
			}
			return number(m[1]) <= len(flagged) && number(m[1]) > 0
		}},
		{words: `but nothing empirical falls by that alone`, holds: demand},
		{row: "redacted/places", holds: func(_ *said, m []string) bool { return number(m[1][:1]) > 0 }},
		// The words of an item's check.
		{words: `[Vv]erified, not admitted|, verified`, holds: func(t *said, _ []string) bool {
			return cmp.Or(t.s.Item(t.id), t.s.Item(t.place)).Verified // A note of a claim has the item as its label.
		}},
		{words: `^[Vv]erified: .*`, holds: func(t *said, _ []string) bool { return t.s.Fact(t.id).Tag == ledger.TagVerified }},
		{row: "saw/map", words: `^(all|[a-z0-9, -]+): the tree of `, holds: func(t *said, m []string) bool {
			spent := map[state.Seat]bool{}
			for _, u := range t.s.Spent {
				spent[u.Seat] = true
			}
			named := strings.Split(m[1], ", ")
			for _, a := range t.s.Seats {
				asked := a.NoModel || spent[a.Seat]
				if asked != (m[1] == "all" || slices.Contains(named, string(a.Seat))) {
					return false
				}
			}
			return t.s.Settings.Map != nil
		}},
		{row: "same/participant", holds: func(t *said, m []string) bool {
			named := strings.Split(strings.TrimPrefix(m[1], "seats: "), ", ")
			return len(named) > 1 && (m[2] == "both") == (len(named) == 2) && !slices.ContainsFunc(t.s.Seats, func(a state.SeatAssignment) bool {
				first, _ := t.s.Assignment(state.Seat(named[0]))
				return slices.Contains(named, string(a.Seat)) && a.Participant != first.Participant
			})
		}},
		{words: `Agreement only, [a-z]+`, at: "AGREED", holds: func(t *said, _ []string) bool {
			p := t.s.Point(t.id)
			answered := t.s.Challenges.Any(func(c *state.Challenge) bool {
				return c.Point == t.id && c.Status == state.StandsDefended
			})
			if kind := resolver.KindOf(t.s, p); kind == state.Position || kind == state.Decision && answered {
				return false
			}
			return !slices.ContainsFunc(p.Evidence, func(id string) bool {
				e := t.s.Item(id)
				return resolver.KindOf(t.s, p) == state.Empirical && e.Relation == ledger.Supports && resolver.Counts(t.s, p, e)
			})
		}},
		{words: `NO CONSENSUS`, at: "heading", holds: func(t *said, _ []string) bool {
			in := func(buckets ...state.Bucket) bool {
				return slices.ContainsFunc(t.rulings, func(r state.Ruling) bool { return slices.Contains(buckets, r.Bucket) })
			}
			tested := council.Of(t.s).Tested
			return t.s.Over() && (len(tested) == 0 || !tested[len(tested)-1].Reached ||
				in(state.BucketUnresolved, state.BucketOpen) || !in(state.BucketAgreed))
		}},
		// The words below an answer are the same for every answer.
		{words: `; a mark says how code ruled on that claim, not whether the sentence is true\.`, holds: demand},
		{words: `(\d+) moves? of the reply in round (\d+) (?:was|were) not taken: (?:up to \d+ [a-z ]+)?`, holds: func(t *said, m []string) bool {
			n := 0
			for _, one := range t.s.Untaken {
				if one.Round == number(m[2]) && strings.HasPrefix(t.text, string(one.Seat)+": ") {
					n++
				}
			}
			return 0 < number(m[1]) && number(m[1]) <= n
		}},
		{words: `[Yy]our facts (F\d+) \(".*?"\) and (F\d+) \(".*?"\) exclude each other(?:, so|:) neither binds`, holds: func(t *said, m []string) bool {
			one, other := t.s.Fact(m[1]), t.s.Fact(m[2])
			return one.Live && other.Live && one.Seat == string(state.User) && other.Seat == string(state.User) &&
				slices.Contains(one.Conflicts, other.ID) && slices.Contains(other.Conflicts, one.ID)
		}},
		{words: `An answer in other words replaces both\.`, holds: demand},
		{words: `binds nobody: excluded by ([F\d, ]+)`, holds: func(t *said, m []string) bool {
			f := t.s.Fact(t.id)
			return f.Live && !slices.ContainsFunc(strings.Split(m[1], ", "), func(id string) bool {
				return !t.s.Fact(id).Live || !slices.Contains(f.Conflicts, id)
			})
		}},
	}, ruled(), answered(), councils(demand), panels(demand), hearings(), reviews(), dialectics(demand))
}

// ruled are the sentences of the shared table of rules, and of the events of a consultation.
func ruled() []check {
	return []check{
		{words: `more than 7 points were in scope, and this was not among those kept`, holds: func(t *said, _ []string) bool {
			return slices.ContainsFunc(t.about(), func(p *state.Point) bool { return p.Scope == state.OverLimit })
		}},
		{words: `conceded by all its authors in round \d+`, holds: func(t *said, _ []string) bool {
			return slices.ContainsFunc(t.about(), func(p *state.Point) bool {
				return len(p.Concessions) > 0 && !slices.ContainsFunc(p.Authors, func(a state.Seat) bool {
					return !slices.ContainsFunc(p.Concessions, func(c state.Concession) bool { return c.Seat == a })
				})
			})
		}},
		{words: `, which shows nothing\)`, holds: func(t *said, _ []string) bool {
			r := resolver.RulingOn(t.rulings, t.id)
			return r.Bucket == state.BucketDismissed && t.s.Point(t.id).UserRuling == nil && r.Tag != state.TagViolates &&
				!(r.Tag == state.TagExecution || r.Tag == state.TagTextual)
		}},
		{words: `evidence was asked for, and none came`, holds: func(t *said, _ []string) bool {
			for _, r := range t.s.Requests.All() {
				if r.Kind == state.RequestEvidence && r.Point == t.id && !r.Answered {
					return true
				}
			}
			return false
		}},
		{words: `no claim was agreed, and none was dismissed by argument, by evidence, by the user or by a fact of the user`, holds: func(t *said, _ []string) bool {
			return bucketed(t, state.BucketAgreed) == 0 && !slices.ContainsFunc(t.rulings, func(r state.Ruling) bool {
				return r.Bucket == state.BucketDismissed && slices.Contains([]string{"AC1", "AC5", "AC8", "AC10"}, r.Rule)
			})
		}},
		{words: `(\d+) attacks?: (.+?)\.?`, at: "heading|ANSWER", holds: func(t *said, m []string) bool {
			counted := 0
			for _, part := range strings.Split(m[2], ", ") {
				n, what, _ := strings.Cut(part, " ")
				counted += number(n)
				status := map[string]state.ChallengeStatus{
					"answered": state.StandsDefended, "upheld": state.StandsUpheld, "granted": state.StandsGranted,
					"conceded": state.StandsConceded, "undefended": state.StandsUndefended, "blocked": state.StandsBlocked,
				}[what]
				recorded := 0
				for _, c := range t.s.Challenges.All() {
					if c.Status == status {
						recorded++
					}
				}
				// Those on a point that ended count as ended.
				if status != "" && number(n) > recorded || number(n) < 1 {
					return false
				}
			}
			raised := 0
			for _, c := range t.s.Challenges.All() {
				if c.By != state.Protocol {
					raised++
				}
			}
			return counted == number(m[1]) && counted == raised
		}},
		{words: `(\d+) of (\d+) objections? answered`, holds: func(t *said, m []string) bool {
			raised, answered := 0, 0
			for _, c := range t.s.Challenges.All() {
				if t.s.Live(c.Point).ID == t.id {
					raised++
					if last := c.Last(); last != nil && last.Judgment == state.Accepted && !last.Blocked {
						answered++
					}
				}
			}
			return number(m[1]) == answered && answered > 0 && number(m[2]) == raised
		}},
		{words: `[Rr]efuted by (E\d+)`, holds: func(t *said, m []string) bool {
			e := t.s.Item(m[1])
			// In a panel, the other side of a conflict refutes.
			return e.Proven() && (e.Relation == ledger.Refutes || t.s.Settings.Format == panel.Name && e.Relation == ledger.Supports)
		}},
		{words: `nothing checked it`, holds: func(t *said, _ []string) bool {
			return !proven(t, ledger.Supports) && !proven(t, ledger.Refutes) && !proven(t, ledger.Neutral)
		}},
		{words: `only the ([a-z-]+(?:-\d+)?) judged it, and the stress test was not (?:done|answered)`, holds: func(t *said, m []string) bool {
			return !slices.ContainsFunc(t.s.Point(t.id).Classes, func(c state.Classification) bool {
				return string(c.Seat) != m[1] && !t.s.Point(t.id).IsAuthor(c.Seat) && !c.ByRules && !c.Withdrawn
			})
		}},
		{words: `the seats agree`, holds: func(t *said, _ []string) bool { return !slices.ContainsFunc(t.about(), objecting) }},
		{words: `Neither seat named any`, holds: func(t *said, _ []string) bool {
			p := t.s.Point(t.id)
			return p.Blocked == nil && !slices.ContainsFunc(p.Challenges, func(id string) bool {
				c := t.s.Challenge(id)
				return c.By != state.Protocol && c.By != state.User && c.UpgradeIf != ""
			})
		}},
		{words: `hangs on data that nobody brought`, holds: func(t *said, _ []string) bool {
			return !proven(t, ledger.Supports) && !proven(t, ledger.Refutes)
		}},
		{words: `is a tradeoff that only you can decide`, holds: func(t *said, _ []string) bool { return t.place == "question" }},
		{words: `all was agreed at once, without evidence`, holds: func(t *said, _ []string) bool {
			return anyPoint(t.s, func(p *state.Point) bool {
				return slices.ContainsFunc(p.Classes, func(c state.Classification) bool { return c.Class == state.Agree && c.Round == 1 })
			})
		}},
		{words: `Round \d+ brought neither evidence nor a changed ruling`, holds: func(t *said, _ []string) bool {
			return t.s.Idle > 0
		}},
		{words: `(\d+) points are in scope, (\d+) can be evaluated`, holds: func(t *said, m []string) bool { return number(m[1]) > number(m[2]) }},
		{words: `(\d+) points are unresolved, and no arbiter`, holds: func(t *said, m []string) bool { return number(m[1]) > 1 }},
		{words: `nothing more can be settled; ([P\d, ]+) stays? unresolved`, holds: func(t *said, m []string) bool {
			return !slices.ContainsFunc(strings.Split(m[1], ", "), func(id string) bool {
				return resolver.RulingOn(t.rulings, id).Bucket != state.BucketUnresolved
			})
		}},
		{words: `nothing found that answers this`, holds: func(t *said, _ []string) bool { return t.s.Points.Len() == 0 }},
		{words: `no verified evidence supports it`, holds: func(t *said, _ []string) bool { return !proven(t, ledger.Supports) }},
		{words: `commands run in the workspace, and the session has none`, holds: func(t *said, _ []string) bool {
			return t.s.Settings.Workspace == ""
		}},
		{words: `nobody was there to approve the command`, holds: func(t *said, _ []string) bool {
			e := cmp.Or(t.s.Item(t.id), t.s.Item(t.place)) // A note of a review has the item as its label.
			return e.Run == nil && !e.Verified
		}},
	}
}

// waiting reports whether a question to the user waits in a session that is over: any but the one about stopping it.
func waiting(t *said) bool {
	for _, q := range t.s.Questions.All() {
		if !q.Answered && q.About != state.AboutStop {
			return true
		}
	}
	return false
}

// answered are the sentences of a composed answer.
func answered() []check {
	return []check{
		{words: `No claim was established: (.+)\.`, at: "ANSWER", holds: func(t *said, m []string) bool {
			return !slices.ContainsFunc(t.rulings, func(r state.Ruling) bool {
				return r.Bucket == state.BucketAgreed || r.Status == state.StatusFound || r.Rule == "AC8" ||
					t.s.Current(r.Point).ID == r.Point && !strings.Contains(m[1], r.Point)
			})
		}},
		{words: `Also agreed(?: since)?: ([P\d, ]+)\.`, holds: func(t *said, m []string) bool {
			return all(t, m[1], func(r *state.Ruling) bool { return r.Bucket == state.BucketAgreed })
		}},
		{words: `Also found: ([P\d, ]+)\.`, holds: func(t *said, m []string) bool {
			return all(t, m[1], func(r *state.Ruling) bool { return r.Status == state.StatusFound })
		}},
		{words: `Also dismissed: (.+)\.`, holds: func(t *said, m []string) bool {
			return all(t, m[1], func(r *state.Ruling) bool { return r.Bucket == state.BucketDismissed })
		}},
		{words: `Still open: (.+)\.`, holds: func(t *said, m []string) bool {
			return all(t, m[1], func(r *state.Ruling) bool {
				return r.Bucket == state.BucketOpen || r.Bucket == state.BucketUnresolved
			})
		}},
		// The sentences of seats are theirs; the mark is of the points that they rest on.
		{words: `verified`, at: "ANSWER", holds: func(t *said, _ []string) bool {
			for _, one := range t.s.Answer().Sentences {
				if one.ID != t.id {
					continue
				}
				for _, id := range one.Points {
					if r := resolver.RulingOn(t.rulings, t.s.Current(id).ID); r.Bucket != state.BucketAgreed {
						return false
					}
				}
			}
			return true
		}},
	}
}

// councils are the sentences of a council.
func councils(demand func(*said, []string) bool) []check {
	// A claim is settled once it is Agreed or a rule before CV1 decided it.
	settled := func(t *said, _ []string) bool {
		return !slices.ContainsFunc(t.rulings, func(r state.Ruling) bool {
			p := t.s.Point(r.Point)
			return p.MergedInto == "" && p.RevisedBy == "" && p.UserRuling == nil &&
				(r.Bucket == state.BucketUnresolved || r.Bucket != state.BucketAgreed && strings.HasPrefix(r.Rule, "CV"))
		})
	}
	untested := func(t *said, _ []string) bool { return len(council.Of(t.s).Tested) == 0 }
	agreed := func(t *said, _ []string) bool { return bucketed(t, state.BucketAgreed) > 0 }
	reached := func(t *said, round string) bool {
		return slices.ContainsFunc(council.Of(t.s).Tested, func(c council.Consensus) bool {
			return c.Round == number(round) && c.Reached
		})
	}
	sources := func(t *said) int {
		var found []string
		p := t.s.Point(t.id)
		for _, id := range p.Evidence {
			e := t.s.Item(id)
			if e.Relation == ledger.Supports && e.Type != ledger.Claim && resolver.Counts(t.s, p, e) &&
				!slices.Contains(found, resolver.SourceOf(e)) {
				found = append(found, resolver.SourceOf(e))
			}
		}
		return len(found)
	}
	return []check{
		{row: "consensus/ended", holds: untested},
		{row: "consensus/untested", at: "CONSENSUS|AGREEMENT|verdict", holds: untested},
		{row: "consensus/unsettled", at: "CONSENSUS|AGREEMENT|verdict", holds: func(t *said, m []string) bool { return !settled(t, m) }},
		{row: "consensus/lost", at: "CONSENSUS|AGREEMENT|verdict", holds: func(t *said, m []string) bool { return !settled(t, m) }},
		{row: "consensus/later", at: "CONSENSUS|AGREEMENT|verdict", holds: func(t *said, m []string) bool { return settled(t, m) && agreed(t, m) }},
		{row: "consensus/nothing", at: "CONSENSUS|AGREEMENT|verdict", holds: func(t *said, m []string) bool { return settled(t, m) && !agreed(t, m) }},
		{row: "consensus/reached", at: "CONSENSUS|AGREEMENT|verdict", holds: func(t *said, m []string) bool { return settled(t, m) && agreed(t, m) }},
		{row: "tested/not", holds: func(t *said, _ []string) bool {
			return !slices.ContainsFunc(council.Of(t.s).Tested, func(c council.Consensus) bool { return "round "+strconv.Itoa(c.Round) == t.id })
		}},
		{words: `no consensus was found in round (\d+); now `, holds: func(t *said, m []string) bool { return !reached(t, m[1]) }},
		{words: `consensus in round (\d+): `, holds: func(t *said, m []string) bool { return reached(t, m[1]) }},
		{words: `([P\d, ]+) (?:is|are) agreed, and (?:no live claim is unsettled|the user left ([P\d, ]+) unresolved)`, holds: func(t *said, m []string) bool {
			left := 0
			for _, r := range t.rulings {
				if p := t.s.Point(r.Point); r.Bucket == state.BucketUnresolved && p.MergedInto == "" {
					left++
				}
			}
			return settled(t, m) && all(t, m[1], func(r *state.Ruling) bool { return r.Bucket == state.BucketAgreed }) &&
				left == strings.Count(m[2], "P") &&
				all(t, m[2], func(r *state.Ruling) bool { return t.s.Point(r.Point).UserRuling != nil })
		}},
		{words: `no claim is agreed: (.+)`, holds: func(t *said, m []string) bool { return !agreed(t, m) }},
		{words: `(?:the question was found factual or trivial, and )?the strategist gave no claim`, holds: func(t *said, _ []string) bool {
			return t.s.Points.Len() == 0 && (t.s.Exit == state.ExitTrivial) == t.s.Trivial
		}},
		{words: `Propose only what can be carried out, and say how`, holds: demand},
		{words: `reported agreement, but the rules find none: no claim is agreed`, holds: func(t *said, _ []string) bool {
			return slices.ContainsFunc(council.Of(t.s).Tested, func(c council.Consensus) bool { return !c.Reached && len(c.Unsettled) == 0 })
		}},
		{words: `reported agreement, but the rules find none`, holds: func(t *said, _ []string) bool {
			return slices.ContainsFunc(council.Of(t.s).Tested, func(c council.Consensus) bool { return len(c.Unsettled) > 0 })
		}},
		{row: "constitution/unchecked", words: `code checks nothing in .+; that no claim violates it means nothing`, holds: demand},
		{row: "parallel/asked", holds: func(t *said, _ []string) bool { return council.SettingsOf(t.s).Parallel }},
		{row: "confidence/none", at: "confidence", holds: func(t *said, _ []string) bool { return len(t.s.Point(t.id).Scores) == 0 }},
		{row: "confidence/missing", words: `nothing (?:from|of) ([a-z, ]+)`, holds: func(t *said, m []string) bool {
			return !slices.ContainsFunc(t.s.Point(t.id).Scores, func(c state.Score) bool { return strings.Contains(m[1], string(c.Seat)) })
		}},
		{row: "key/needs", holds: func(t *said, _ []string) bool { return council.ClaimOf(t.s, t.s.Point(t.id)).Key }},
		{words: `all the evidence that counts for it is of one source`, holds: func(t *said, _ []string) bool { return sources(t) == 1 }},
		{words: `with verified evidence of (\d+) sources`, holds: func(t *said, m []string) bool { return sources(t) == number(m[1]) }},
		{words: `verified evidence (?:of a second source, since much rests on this claim|that ranks above E\d+)`, holds: demand},
		{words: `([a-z-]+) holds it at ([\d.]+) only`, holds: func(t *said, m []string) bool {
			return slices.ContainsFunc(t.s.Point(t.id).Scores, func(c state.Score) bool { return string(c.Seat) == m[1] && c.Admitted < 0.5 })
		}},
		{words: `what brings the seats within [\d.]+ of each other`, holds: demand},
		{words: `nobody whose confidence has a weight reported one|none of this council has one`, holds: demand},
		{words: `Cite evidence for each fact that you claim: a file and its line, or a command and what it gives\.`, holds: demand},
		{words: `constitution "[a-z]+": (\d+) constraints?, (\d+) of them checked by code`, holds: func(t *said, m []string) bool {
			return number(m[1]) == len(council.SettingsOf(t.s).Constitution.Constraints) && number(m[2]) <= number(m[1])
		}},
	}
}

// reviews are the sentences of a review.
func reviews() []check {
	firstWord := func(text string) string { return strings.Fields(text)[0] }
	// spoke reports whether a seat, the first word of a text, raised a finding or said that it found nothing.
	spoke := func(t *said, text string) bool {
		seat := strings.TrimSuffix(firstWord(text), ":")
		raised := anyPoint(t.s, func(p *state.Point) bool {
			return review.Of(t.s).Finding(p.ID) != nil && string(review.Of(t.s).Finding(p.ID).By) == seat
		})
		return raised || slices.ContainsFunc(review.Of(t.s).Nothing, func(e review.NothingFound) bool { return string(e.By) == seat })
	}
	// answers counts the reviewers without built-in rules that spoke.
	answers := func(t *said) int {
		n := 0
		for _, a := range t.s.Seats {
			if strings.HasPrefix(string(a.Seat), "reviewer") && a.Participant != state.BuiltInRules && spoke(t, string(a.Seat)) {
				n++
			}
		}
		return n
	}
	confirmedBy := func(t *said, seat string) (n int) {
		for _, f := range review.Of(t.s).Findings.All() {
			for _, w := range f.Words {
				if string(w.By) == seat && w.Kind == review.WordConfirm {
					n++
				}
			}
		}
		return n
	}
	// gating reports whether an agreed or unresolved finding in the change reaches the gate.
	gating := func(t *said) bool {
		gate := slices.Index(review.Severities(), review.SettingsOf(t.s).Gate)
		return anyPoint(t.s, func(p *state.Point) bool {
			r := resolver.RulingOn(t.rulings, p.ID)
			stands := r != nil && (r.Bucket == state.BucketAgreed || r.Bucket == state.BucketUnresolved)
			return stands && p.MergedInto == "" && !review.Outside(t.s, p) &&
				slices.Index(review.Severities(), review.SeverityOf(t.s, p)) <= gate
		})
	}
	// seen reports whether two reviewers saw each file that the user did not leave out.
	seen := func(t *said) bool {
		for _, f := range review.SettingsOf(t.s).Change.Files {
			if n := len(review.SawFile(t.s, &f)); f.Ignored == "" && n < 2 {
				return false
			}
		}
		return true
	}
	return []check{
		{words: "none", at: "answer", holds: func(t *said, _ []string) bool { return !spoke(t, t.id) }},
		{
			words: `(reviewer(?:-\d+)?)(?: \([^)]*\))?: named no finding, and did not say that there is none, also after a critique`,
			holds: func(t *said, m []string) bool { return !spoke(t, m[1]) },
		},
		{words: `(?:the )?(reviewer(?:-\d+)?) confirms everything, which says nothing`, holds: func(t *said, m []string) bool {
			return confirmedBy(t, m[1]) >= 4
		}},
		{
			words: `(?:the )?(reviewer(?:-\d+)?) confirms it without a verified place of its own`,
			holds: func(t *said, m []string) bool {
				p := t.s.Point(t.id) // Nil where a text is about several.
				for _, f := range review.Of(t.s).Findings.All() {
					if p != nil && t.s.Live(f.Point) != p {
						continue
					}
					for _, w := range f.Words {
						ran := slices.ContainsFunc(w.Items, func(id string) bool {
							item := t.s.Item(id)
							return item.Proven() && item.Type == ledger.Execution && item.Contested() == nil
						})
						if string(w.By) == m[1] && w.Kind == review.WordConfirm && !ran {
							return true
						}
					}
				}
				return false
			},
		},
		{words: `; ([^;]+) was not verified`, holds: func(t *said, m []string) bool {
			return t.s.Evidence.Any(func(e *ledger.Evidence) bool { return e.Reference == m[1] && !e.Proven() })
		}},
		{words: "its reviewer named none", at: "severity", holds: func(t *said, _ []string) bool {
			f := review.Of(t.s).Finding(t.id)
			return f != nil && f.Assumed && f.Severity == review.Medium
		}},
		{row: "answers/none", holds: func(t *said, _ []string) bool { return answers(t) == 0 }},
		{row: "answers/one", words: `only .+ answered, and a decision needs two reviewers`, holds: func(t *said, _ []string) bool {
			return answers(t) == 1
		}},
		{
			row: "merge/nothing", words: `(\d+) reviewers? found nothing; at least two saw each changed file.*`,
			holds: func(t *said, m []string) bool {
				live := anyPoint(t.s, func(p *state.Point) bool { return p.MergedInto == "" && p.LateTag == "" })
				return number(m[1]) == answers(t) && !live && seen(t)
			},
		},
		{
			row: "merge/below", words: `no finding on the change at or above \w+ is left; at least two reviewers saw each changed file.*`,
			holds: func(t *said, _ []string) bool { return !gating(t) && seen(t) },
		},
		{
			row: "open/nothing", words: `Nothing open(?:; (\d+) findings? dismissed)?\.`,
			holds: func(t *said, m []string) bool {
				dismissed := 0
				open := anyPoint(t.s, func(p *state.Point) bool {
					r := resolver.RulingOn(t.rulings, p.ID)
					isDismissed := r != nil && r.Bucket == state.BucketDismissed && p.LateTag == ""
					if p.MergedInto == "" && isDismissed {
						dismissed++
					}
					return p.MergedInto == "" && !isDismissed
				})
				return t.s.Over() && answers(t) >= 2 && seen(t) && !open && (m[1] == "" && dismissed == 0 || m[1] != "" && number(m[1]) == dismissed)
			},
		},
		{row: "nothing/seat", at: "answer", holds: func(t *said, _ []string) bool {
			return spoke(t, t.id) && !anyPoint(t.s, func(p *state.Point) bool {
				return string(review.Of(t.s).Finding(p.ID).By)+":" == firstWord(t.id)
			})
		}},
		{
			row: "confirms/all", words: `(.+) confirms everything that it was asked about, so its word counts for none of them`,
			holds: func(t *said, m []string) bool {
				return confirmedBy(t, strings.TrimPrefix(m[1], "the ")) >= 4
			},
		},
	}
}

// panels are the sentences of a panel.
func panels(demand func(*said, []string) bool) []check {
	table := func(t *said) *panel.Table { return panel.NewTable(t.s) }
	// answers counts the panelists whose first answer is on the record.
	answers := func(t *said) int {
		n := 0
		for _, a := range t.s.Seats {
			if panel.IsPanelist(a.Seat) && anyPoint(t.s, func(p *state.Point) bool {
				return p.Round == 1 && p.Revises == "" && len(p.Authors) > 0 && p.Authors[0] == a.Seat
			}) {
				n++
			}
		}
		return n
	}
	// shared reports whether a claim that belongs to the question has so many holders.
	shared := func(t *said, fits func(holders int) bool) bool {
		return slices.ContainsFunc(table(t).Claims, func(c *panel.Claim) bool {
			return len(c.Holders) > 0 && fits(len(c.Holders)) && slices.ContainsFunc(c.Points, func(id string) bool {
				scope := t.s.Point(id).Scope
				return scope == state.InScope
			})
		})
	}
	return []check{
		{row: "result/none", at: "RESULT", holds: func(t *said, _ []string) bool { return len(table(t).Conflicts) == 0 }},
		{row: "result/conflicts", words: `(\d+) conflicts?: (.+)`, holds: func(t *said, m []string) bool {
			parts := 0
			for _, n := range compiled(`(?:^|, )(\d+) `).FindAllStringSubmatch(m[2], -1) {
				parts += number(n[1])
			}
			return number(m[1]) == len(table(t).Conflicts) && parts == number(m[1])
		}},
		{row: "answered/seats", words: `(\d+) of (\d+): (panelist.*)`, at: "answered", holds: func(t *said, m []string) bool {
			return number(m[1]) == answers(t) && number(m[1]) == len(strings.Split(m[3], ", "))
		}},
		{row: "answered/nobody", at: "answered", holds: func(t *said, _ []string) bool { return answers(t) == 0 }},
		{row: "all say/nothing", at: "all say", holds: func(t *said, _ []string) bool {
			return !shared(t, func(n int) bool { return n > 1 && n == answers(t) })
		}},
		{row: "some say/nothing", at: "some say", holds: func(t *said, _ []string) bool {
			return !shared(t, func(n int) bool { return n > 1 && n != answers(t) })
		}},
		{row: "one says/nothing", at: "one says", holds: func(t *said, _ []string) bool {
			return !shared(t, func(n int) bool { return n == 1 }) && !slices.ContainsFunc(table(t).Claims, func(c *panel.Claim) bool {
				var authors []state.Seat
				for _, id := range c.Points {
					if scope := t.s.Point(id).Scope; scope == state.InScope || scope == state.Untriaged {
						authors = append(authors, t.s.Point(id).Authors...)
					}
				}
				authors = slices.DeleteFunc(authors, func(seat state.Seat) bool { return !panel.IsPanelist(seat) })
				return len(c.Holders) == 0 && len(authors) == 1
			})
		}},
		{row: "everyone/says", holds: func(t *said, _ []string) bool {
			c := table(t).Claim(t.id)
			return answers(t) > 1 && len(c.Holders) == answers(t)
		}},
		{row: "said by/nobody", at: "said by", holds: func(t *said, _ []string) bool { return t.id != "" }},
		{row: "held/nobody", at: "said by", holds: func(t *said, _ []string) bool { return len(t.s.Point(t.id).Authors) == 0 }},
		{words: `only (panelist(?:-\d+)?) says it: `, holds: func(t *said, m []string) bool {
			c := table(t).Claim(t.id)
			return len(c.Holders) == 1 && string(c.Holders[0]) == m[1]
		}},
		{words: `no other answer was marked as the same or as a contradiction`, holds: func(t *said, _ []string) bool {
			return !slices.ContainsFunc(table(t).Conflicts, func(c *panel.Conflict) bool {
				a, b := table(t).Sides(c)
				return slices.Contains(a.Points, t.id) || slices.Contains(b.Points, t.id)
			})
		}},
		{words: `nothing is left of the other side of [K\d, and]+|nobody else holds (?:it|this one)`, holds: func(t *said, _ []string) bool {
			return len(table(t).Claim(t.id).Holders) == 1
		}},
		{words: `only panelist(?:-\d+)? answered: there is nothing to compare`, holds: func(t *said, _ []string) bool { return answers(t) == 1 }},
		{words: `verified evidence weighs \d+ \(([E\d, ]+|none)\) to \d+ \(([E\d, ]+|none)\)`, holds: func(t *said, m []string) bool {
			for _, id := range strings.Split(strings.ReplaceAll(m[1]+", "+m[2], "none, ", ""), ", ") {
				if id != "none" && !t.s.Item(id).Verified {
					return false
				}
			}
			return true
		}},
		{words: `contradict each other`, holds: func(t *said, _ []string) bool { return t.s.Challenges.Len() > 0 }},
		{words: `neither`, at: "answered", holds: func(t *said, _ []string) bool { return t.s.QuestionByID(t.id).Answer == "neither" }},
		{words: `(\d+) of (\d+): .*? \((P\d+)[^()]*\)(?:; (\d+): .* \((P\d+)[^()]*\))?`, at: "verdict", holds: func(t *said, m []string) bool {
			holders := func(id string) int {
				authors := map[state.Seat]bool{}
				for _, p := range table(t).Claim(id).Points {
					for _, a := range t.s.Point(p).Authors {
						authors[a] = true
					}
				}
				return len(authors)
			}
			return number(m[2]) == answers(t) && number(m[1]) == holders(m[3]) && number(m[1]) <= number(m[2]) &&
				(m[5] == "" || number(m[4]) == holders(m[5]))
		}},
		{words: `(\d+) of \d+ answered, and no claim of two answers was marked as the same or as a conflict`, holds: func(t *said, m []string) bool {
			return number(m[1]) == answers(t) && len(table(t).Conflicts) == 0 && !shared(t, func(n int) bool { return n > 1 })
		}},
		{words: `That is no evidence: each point keeps its status\.`, holds: demand},
		{words: `nobody answered: `, holds: func(t *said, _ []string) bool { return answers(t) == 0 }},
		{words: `no clear vote, and no evidence on either side was verified`, holds: func(t *said, _ []string) bool { return t.id != "" }},
		{words: `\| neither\b`, holds: func(t *said, _ []string) bool { return t.place == "choices" }},
		{words: `(?:decided|argued out) for neither`, holds: func(t *said, _ []string) bool {
			c := panel.Of(t.s).Conflict(t.id)
			for _, id := range []string{c.A, c.B} {
				if resolver.RulingOn(t.rulings, t.s.Current(id).ID).Bucket == state.BucketAgreed {
					return false
				}
			}
			return true
		}},
		{words: `nobody decided it`, holds: func(t *said, _ []string) bool {
			return !slices.ContainsFunc(table(t).Conflicts, func(c *panel.Conflict) bool {
				a, b := table(t).Sides(c)
				return panel.Settled(c) && (slices.Contains(a.Points, t.id) || slices.Contains(b.Points, t.id)) && len(table(t).Conflicts) == 1
			})
		}},
	}
}

// hearings are the sentences of a hearing.
func hearings() []check {
	unargued := func(t *said, _ []string) bool {
		for _, seat := range []state.Seat{judge.Architect, judge.Skeptic} {
			if hearing.Of(t.s).Argument(seat, t.s.Round) == nil {
				return true
			}
		}
		return false
	}
	claims := func(t *said, seat state.Seat) (n, facts int) {
		for _, p := range t.s.Points.All() {
			if p.ID != hearing.QuestionPoint && p.Authors[0] == seat {
				n, facts = n+1, facts+len(p.Facts)
			}
		}
		return n, facts
	}
	return []check{
		{row: "unclaimed/left", words: `the (architect|skeptic) has no claim left`, holds: func(t *said, m []string) bool {
			n, _ := claims(t, state.Seat(m[1]))
			return n > 0 && !anyPoint(t.s, func(p *state.Point) bool {
				dismissed := p.UserRuling != nil && p.UserRuling.Bucket == state.BucketDismissed
				return p.ID != hearing.QuestionPoint && p.IsAuthor(state.Seat(m[1])) && len(p.Concessions) == 0 && !dismissed
			})
		}},
		{row: "unclaimed/side", words: `the (architect|skeptic) has no claim`, holds: func(t *said, m []string) bool {
			n, _ := claims(t, state.Seat(m[1]))
			return n == 0
		}},
		{row: "decided/over", at: "VERDICT", holds: unargued},
		{row: "decided/early", at: "VERDICT", holds: unargued},
		{row: "why/unjudged", at: "why", holds: unargued},
		{row: "unargued/loser", holds: func(t *said, _ []string) bool {
			// One of the sides cites no fact and, unless it is filled by rules, claimed nothing.
			for _, seat := range []state.Seat{judge.Architect, judge.Skeptic} {
				if n, facts := claims(t, seat); facts == 0 && (n == 0 || hearing.ByRules(t.s, seat)) {
					return true
				}
			}
			return false
		}},
		{row: "unargued/left", holds: func(t *said, _ []string) bool {
			return anyPoint(t.s, func(p *state.Point) bool {
				return len(p.Challenges) > 0 || len(p.Concessions) > 0 || p.UserRuling != nil
			})
		}},
		{row: "unnamed/rules", holds: func(t *said, _ []string) bool {
			return anyPoint(t.s, func(p *state.Point) bool {
				return p.ID != hearing.QuestionPoint && len(p.Facts) == 0 && hearing.ByRules(t.s, p.Authors[0])
			})
		}},
		{
			row: "moved/argument", words: `moved by argument alone: the verdict turned to \w+ in round (\d+), and no new fact was cited`,
			holds: func(t *said, m []string) bool {
				rounds := hearing.Rounds(t.s)
				at := slices.IndexFunc(rounds, func(r hearing.Round) bool { return r.Round == number(m[1]) })
				return at > 0 && len(rounds[at].New) == 0 && rounds[at].Result != rounds[at-1].Result && !rounds[at].BySilence
			},
		},
		{
			row: "moved/silence", words: `moved by silence: the verdict turned to \w+ in round (\d+), and neither side said anything`,
			holds: func(t *said, m []string) bool {
				n := number(m[1])
				rounds := hearing.Rounds(t.s)
				at := slices.IndexFunc(rounds, func(r hearing.Round) bool { return r.Round == n })
				return at > 0 && len(rounds[at].New) == 0 && rounds[at].Result != rounds[at-1].Result &&
					!anyPoint(t.s, func(p *state.Point) bool {
						return p.ID != hearing.QuestionPoint && p.Round == n ||
							slices.ContainsFunc(p.Words, func(w state.Word) bool { return w.Round == n })
					}) && !t.s.Challenges.Any(func(c *state.Challenge) bool { return c.Round == n || len(c.Defenses) > 0 && c.Last().Round == n })
			},
		},
		{
			row: "violations/count", words: `schema: (\d+) moves? dropped for citing facts that are not in the packet`,
			holds: func(t *said, m []string) bool { return number(m[1]) == len(hearing.Of(t.s).Violations) },
		},
		{
			row: "kept/count", words: `drift: (\d+) confidences? kept, since no fact contradicts; only facts can lower a confidence`,
			holds: func(t *said, m []string) bool { return number(m[1]) > 0 && number(m[1]) <= t.s.Drifts.Len() },
		},
		{
			row: "ignored/count", words: `rebuttal: (\d+) contradicting facts? left unanswered`,
			holds: func(t *said, m []string) bool { return number(m[1]) == len(hearing.Of(t.s).Ignored) },
		},
		{words: `[A-Z]+ contradicts it by [f\d, ]+, and nobody answered|C\d+ contradicts it by [f\d, ]+, and nobody answered`, holds: func(t *said, _ []string) bool {
			return slices.ContainsFunc(t.s.Point(t.id).Challenges, func(id string) bool { return t.s.Challenge(id).Last() == nil })
		}},
		{words: `the (architect|skeptic) said nothing about it, also when asked again`, holds: func(t *said, m []string) bool {
			p := t.s.Point(t.id)
			return !slices.ContainsFunc(p.Classes, func(c state.Classification) bool { return string(c.Seat) == m[1] }) &&
				!slices.ContainsFunc(p.Challenges, func(id string) bool { return string(t.s.Challenge(id).By) == m[1] })
		}},
		{words: `the (architect|skeptic)'s (\d+) facts?`, holds: func(t *said, m []string) bool {
			return len(hearing.FactsOf(t.s, state.Seat(m[1]), t.s.Round)) == number(m[2])
		}},
		{words: `an argument of each side, with a confidence|the form audit, which rules on each claim`, holds: func(t *said, _ []string) bool {
			return t.place == "ruling" || t.place == "verdict"
		}},
		{words: `round (\d+) cited no fact that was not cited before`, holds: func(t *said, m []string) bool { return number(m[1]) <= t.s.Round }},
		{words: `each (?:claim was argued and ruled alone|side argued once)`, holds: func(t *said, _ []string) bool { return t.s.Round > 0 }},
		{words: `night: (\d+) facts`, holds: func(t *said, m []string) bool { return number(m[1]) == t.s.Packet.Seal().Facts }},
		{words: `no more than \d+ facts`, holds: func(*said, []string) bool { return true }},
	}
}

// dialectics are the sentences of a dialectic.
func dialectics(demand func(*said, []string) bool) []check {
	none := func(t *said, _ []string) bool { return dialectic.Of(t.s).Last() == nil }
	passes := func(t *said, _ []string) bool {
		last := dialectic.Of(t.s).Last()
		return last != nil && !slices.ContainsFunc(last.Artifact.Validation.Gates, func(g gates.GateResult) bool { return !g.Pass })
	}
	// fields counts those that are proposed, and those that no longer are.
	fields := func(t *said) (proposed, removed int) {
		for _, p := range t.s.Points.All() {
			switch {
			case dialectic.FieldOf(p) == nil:
			case dialectic.Proposed(p):
				proposed++
			default:
				removed++
			}
		}
		return proposed, removed
	}
	objections := func(t *said) int {
		n := 0
		for _, c := range t.s.Challenges.All() {
			if dialectic.ObjectionOf(c) != nil {
				n++
			}
		}
		return n
	}
	return []check{
		{row: "decision/over", holds: none},
		{row: "decision/early", holds: none},
		{row: "gates/unresolved", holds: none},
		{row: "proposer/word", at: "caution", holds: func(t *said, _ []string) bool { return !proven(t, ledger.Supports) }},
		{row: "based/nothing", holds: func(t *said, _ []string) bool {
			return !slices.ContainsFunc(dialectic.FieldOf(t.s.Point(t.id)).Cites, func(id string) bool { return t.s.Item(id) != nil })
		}},
		{row: "receipts/last", holds: func(t *said, m []string) bool { return !none(t, m) }},
		{words: `no objection holds it, and every gate passes for it`, holds: func(t *said, m []string) bool { return !none(t, m) }},
		{row: "advance/changed", holds: func(t *said, m []string) bool { return passes(t, m) }},
		{row: "advance/unobjected", holds: func(t *said, m []string) bool { return passes(t, m) && objections(t) == 0 }},
		{row: "advance/unheld", holds: passes},
		{words: `every gate passes, and no objection holds it`, holds: passes},
		{words: `nothing is proposed any more`, holds: func(t *said, _ []string) bool {
			last := dialectic.Of(t.s).Last()
			return last != nil && len(last.Artifact.Proposal.Fields) == 0
		}},
		{words: `(E\d+) was not accepted by the pressure-tester, and silence clears nothing that is (?:BLOCKING|HIGH)`, holds: func(t *said, m []string) bool {
			return !t.s.Item(m[1]).AcceptedBy(string(dialectic.PressureTester))
		}},
		{words: `every gate passes for it`, holds: func(t *said, m []string) bool { return !none(t, m) }},
		{words: `the round brought neither new evidence nor a changed field`, holds: func(t *said, m []string) bool { return !none(t, m) }},
		{words: `nothing eligible (?:is against|supports) it`, holds: func(t *said, m []string) bool { return !none(t, m) }},
		{words: `ADVANCE: nothing holds the proposal`, holds: func(t *said, m []string) bool { return !none(t, m) }},
		{words: `no field of the proposal is left: nothing advances`, holds: func(t *said, _ []string) bool { return !dialectic.AnyProposed(t.s) }},
		{words: `evidence owed \(nothing was requested\)`, holds: demand},
		{words: `All evidence that was requested about BLOCKING and HIGH objections was supplied\.`, holds: demand},
		{words: `Every word is from its list, and every number is in its range\.|Everything that is cited exists\.`, holds: demand},
		{words: `(?:upheld|unresolved), holds nothing|only warns|brought nothing new that only warns|the last round that only warns`, holds: demand},
		{words: `nobody was heard on the proposal`, holds: demand},
		{words: `^(\d+) fields?(?:, (\d+) changed)?(?:, (\d+) no longer proposed)?; (\d+) objections?`, holds: func(t *said, m []string) bool {
			proposed, removed := fields(t)
			return number(m[1]) == proposed && (m[3] == "" && removed == 0 || number(m[3]) == removed) && number(m[4]) == objections(t)
		}},
		{words: `not verified, so that it counts as`, holds: demand},
	}
}
