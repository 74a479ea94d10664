package rules

import (
	"cmp"
	"slices"
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

const (
	// referring is how many other statements of a document share words with one
	// that much refers to, and sharedWords how many words that takes.
	referring   = 3
	sharedWords = 3
	// mostClaims is how many claims are taken from the documents.
	mostClaims = 8
	// perKey is how many claims there are at least for each that is key.
	perKey = 3
	// mostWeighed is how many statements are held against others, and mostCompared
	// against how many: a long document is not read for minutes.
	mostWeighed  = 60
	mostCompared = 2000
)

// candidate is a statement of a document that may be a claim.
type candidate struct {
	from *material
	statement
	// score is how much it says on what is asked, refers how many others share
	// words with it.
	score, asked, refers int
	words                words
}

// present gives the claims of the documents that the session is about: of the
// given ones, of those that the question names, else what a search finds. The
// sentences are the documents' own.
func (t *turn) present() error {
	if len(protocol.Deliberated(t.s)) > 0 {
		t.rescore()
		return nil
	}
	candidates := t.candidates()
	if len(candidates) == 0 {
		found, err := t.searched()
		if err != nil {
			return err
		}
		candidates = found
	}
	if len(candidates) == 0 {
		found, err := t.find(t.question(), 1)
		if err != nil {
			return err
		}
		t.flag(protocol.FlagNothing, "", t.say(sayCouncilNone, "where", t.where(found.files), "subject", t.sought(&plan{}, found.terms)))
		return nil
	}
	keys := t.keys(candidates)
	for i := range candidates {
		t.claimOf(&candidates[i], slices.Contains(keys, i))
	}
	return nil
}

// rescore reports the confidences that are owed: of a claim that somebody else
// worded for the seat.
func (t *turn) rescore() {
	for _, p := range protocol.Deliberated(t.s) {
		if p.Score(t.ask.Seat) == nil {
			confidence, because := t.hopeOf(p.Text)
			t.add(&protocol.Score{Point: p.ID, Confidence: confidence, Cause: because})
		}
	}
}

// candidates are the statements of the given documents that say most on what is
// asked, in the order in which they stand.
func (t *turn) candidates() []candidate {
	var all []candidate
	asked := t.wordsOf(t.question())
	for _, m := range t.about() {
		if m.diff || isStructured(m.path) {
			continue
		}
		for _, s := range t.statementsOf(&passage{path: m.path, line: 1, text: unfenced(string(m.text))}) {
			c := candidate{from: m, statement: s, words: t.wordsOf(s.text)}
			c.asked = asked.shared(c.words)
			c.score = 2*c.asked + t.weightOf(s.text)
			if t.isClaim(s.text) {
				all = append(all, c)
			}
		}
	}
	best := slices.Clone(all)
	byScore := func(a, b candidate) int { return cmp.Compare(b.score, a.score) }
	slices.SortStableFunc(best, byScore)
	best = best[:min(len(best), mostWeighed)]
	for i := range best {
		best[i].refers = t.referring(&best[i], all)
		best[i].score += min(best[i].refers, 1)
	}
	slices.SortStableFunc(best, byScore)
	best = slices.DeleteFunc(best, func(c candidate) bool { return t.hides(c.from, c.first, c.last) || t.source.secret(c.text) })
	best = best[:min(len(best), mostClaims)]
	slices.SortStableFunc(best, func(a, b candidate) int {
		if a.from != b.from {
			return cmp.Compare(slices.Index(t.read, a.from), slices.Index(t.read, b.from))
		}
		return cmp.Compare(a.first, b.first)
	})
	return best
}

// weightOf is how much a statement looks like one that can be wrong: it has a
// number, proposes or decides something, or speaks of all cases.
func (t *turn) weightOf(text string) int {
	weight := 0
	for _, grave := range []bool{len(t.figures(text)) > 0, resolver.Proposes(text)} {
		if grave {
			weight += 2
		}
	}
	for _, set := range []map[string]bool{t.decisions, t.absolutes, t.measures} {
		if t.holds(text, set) != "" {
			weight++
		}
	}
	return weight
}

// isClaim reports whether a statement claims something that can be quoted by
// itself: no question, no lead of a list, nothing that begins in the sentence
// before, and not as long as a page.
func (t *turn) isClaim(text string) bool {
	first, _ := leadingWord(text)
	return len([]rune(text)) <= quoted && !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ":") && !t.leaning[strings.ToLower(first)]
}

// referring counts the other statements that share words with a candidate.
func (t *turn) referring(c *candidate, all []candidate) int {
	n := 0
	for i := range all[:min(len(all), mostCompared)] {
		other := &all[i]
		if (other.from != c.from || other.first != c.first || other.text != c.text) && c.words.shared(other.words) >= sharedWords {
			n++
		}
	}
	return n
}

// unfenced is a text without what stands between fences; its lines stay counted.
func unfenced(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	lines, open := strings.Split(text, "\n"), ""
	for i, line := range lines {
		switch mark := fence(strings.TrimSpace(line)); {
		case open != "" && mark == open:
			lines[i], open = "", ""
		case open != "":
			lines[i] = ""
		case mark != "":
			lines[i], open = "", mark
		}
	}
	return strings.Join(lines, "\n")
}

// searched are the statements of the workspace that say most on what is asked.
func (t *turn) searched() ([]candidate, error) {
	found, err := t.find(t.question(), 3*usual)
	if err != nil {
		return nil, err
	}
	asked := t.wordsOf(t.question())
	var all []candidate
	for i := range found.passages {
		one := &found.passages[i]
		for _, s := range t.statementsOf(one) {
			shared := asked.shared(t.wordsOf(s.text))
			if shared < 2 || !t.isClaim(s.text) || echoes(t.question(), s.text) || len(all) == usual {
				continue
			}
			part := one.narrowed(&s)
			text := strings.Repeat("\n", s.first-1) + part.text
			all = append(all, candidate{from: &material{path: one.path, text: []byte(text), citable: true}, statement: s, words: t.wordsOf(s.text), asked: shared, score: shared})
		}
	}
	return all, nil
}

// keys are the places of those that much rests on: what the question names, and
// what much else in the document refers to. They are few.
func (t *turn) keys(candidates []candidate) []int {
	asked := len(t.wordsOf(t.question()))
	var keys []int
	for i := range candidates {
		c := &candidates[i]
		named := c.asked >= sharedWords && (2*c.asked >= asked || float64(c.asked) >= nearlyAll*float64(len(c.words)))
		if named || c.refers >= referring && c.asked > 0 {
			keys = append(keys, i)
		}
	}
	slices.SortStableFunc(keys, func(a, b int) int {
		return cmp.Compare(candidates[b].asked+candidates[b].refers, candidates[a].asked+candidates[a].refers)
	})
	return keys[:min(len(keys), len(candidates)/perKey)]
}

// claimOf raises a statement as a claim, with the place where it stands.
func (t *turn) claimOf(c *candidate, key bool) {
	place := passage{path: c.from.path, line: c.first, last: c.last}
	text := t.say(sayClaims, "place", place.reference(), "quote", c.text)
	if t.saidAlready(text) {
		return
	}
	confidence, because := t.hopeOf(c.text)
	m := &protocol.Raise{
		Text: text, Label: protocol.LabelEvidence, Confidence: &confidence, Because: because, Key: key,
		Limit: t.say(sayCouncilLimit, "place", place.reference()),
	}
	if c.from.citable {
		m.Citations = []protocol.Citation{{
			Reference: place.reference(), Quote: verbatim(c.from.span(c.first, c.last), c.text), Relation: ledger.Supports, Direct: true,
		}}
	} else {
		t.note(sayNoteNotCited, "file", shown(c.from.path))
	}
	t.add(m)
}

// hopeOf is the confidence that a document has in what it says, and its reason.
func (t *turn) hopeOf(text string) (confidence float64, because string) {
	if t.holds(text, t.hedges) != "" {
		return confidenceHoped, t.say(sayCouncilBecauseHedged)
	}
	return confidenceClaimed, t.say(sayCouncilBecause)
}

// verbatim is the part of some lines that holds a statement, as it stands there;
// all of them where that cannot be told.
func verbatim(lines, statement string) string {
	words := strings.Fields(statement)
	if len(words) == 0 {
		return lines
	}
	for from := 0; from < len(lines); from++ {
		if end, ok := follows(lines[from:], words); ok {
			return lines[from : from+end]
		}
	}
	return lines
}

// follows reports whether a text begins with words, white space between them, and
// where they end.
func follows(text string, words []string) (end int, ok bool) {
	for i, word := range words {
		rest := text[end:]
		if i > 0 {
			bare := strings.TrimLeft(rest, " \t\r\n")
			if bare == rest {
				return 0, false
			}
			end += len(rest) - len(bare)
		}
		if !strings.HasPrefix(text[end:], word) {
			return 0, false
		}
		end += len(word)
	}
	return end, true
}

// holds returns the first word of a set that a text holds, or "".
func (t *turn) holds(text string, set map[string]bool) string {
	for _, word := range split(text) {
		if lower := strings.ToLower(word); set[lower] {
			return lower
		}
	}
	return ""
}

// bareClaim is what a claim says without where it stands, in one clause.
func (t *turn) bareClaim(p *state.Point) string {
	return strings.TrimRight(t.claimed(plain.Line(p.Text)), ". ")
}
