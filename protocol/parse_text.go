package protocol

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"moot/state"
)

// textForm reads the telegraphic form of the protocol: lines that begin with a
// keyword or an id, lists of points, and plain paragraphs in answer to a
// challenge. Patterns run on a masked copy of the text, in which nothing is left
// that its writer only quotes (ST6); the texts are cut from the original.
type textForm struct {
	words   map[string]keyword
	council councilForm
	hearing hearingForm

	// In heads.
	soon, nothing, concede, reason, hedge, condition *regexp.Regexp
	// In bodies.
	inBody, conceded, whole, none, label, labels, share, value, citation, command, answersTo, direct *regexp.Regexp
	// First words of bodies.
	scope, paired, judged, relation, grade, flagged, amount *regexp.Regexp
}

func newTextForm() *textForm {
	const (
		reference = "[`(\\[]?([^\\s\"“”'`()\\[\\]<>|:]*[A-Za-z][^\\s\"“”'`()\\[\\]<>|:]*:\\d{1,9}(?:[-–]\\d{1,9})?(?:,\\d{1,9}(?:-\\d{1,9})?)*)[`)\\]]?"
		quote     = "(?:\"((?:[^\"\\\\]|\\\\.)+)\"|“([^”]+)”|`([^`]+)`)"
		ids       = `(?:(?:points?|challenges?)\s+)?[\[#]?[PCpc]\d{1,6}`
		// What \W would be, had letters of other scripts been words to it.
		noWord  = `[^\pL\pN_]`
		lead    = `(?:(?:yes|ok|okay|fair|right|so|thus|therefore|hence|then|and|granted|agreed|fair enough|fair point)[,:;.]?\s+)?`
		concede = `(?:I|We|we)\s+(?:(?:hereby|fully|therefore|also|now|must|do|thus)\s+)?concede\s+`
	)
	return &textForm{
		words:     textWords(),
		soon:      regexp.MustCompile(`^[^\n:]{0,40}:|^\s*[01]?\.?\d+\b`),
		nothing:   regexp.MustCompile(`(?i)^` + noWord + `*(?:(?:more|new|else|further)` + noWord + `*)?(?:to (?:add|say))?` + noWord + `*$`),
		concede:   regexp.MustCompile(`^` + concede + `(` + ids + `)\b`),
		inBody:    regexp.MustCompile(`(?:^|[.!]\s+|\n)\s*(?:[-*•]\s+)?(?i:` + lead + `)(` + concede + `)(` + ids + `)\b`),
		reason:    regexp.MustCompile(`(?i)[:;(–—|]|\bbecause\b|\bsince\b|\s-\s|[.!](?:\s|$)|\n`),
		hedge:     regexp.MustCompile(`(?i)\b(?:if|unless|provided|once|until|when|would|could|might|may|should|not|never|cannot|partly|partially|in part|mostly|largely|somewhat|reservations?|only|except|but|yet|although|though|however)\b|n['’]t\b|\?`),
		condition: regexp.MustCompile(`(?i)^(?:but\s+)?(?:(?:only\s+)?(?:if|unless|once|when|provided|until|assuming)\b|(?:only\s+)?in part\b|partly\b|partially\b)`),
		none:      regexp.MustCompile(`(?i)^` + noWord + `*(?:none|nothing|n/a|no|nil)?` + noWord + `*$`),
		labels:    labelPattern(labelWords()),
		council:   newCouncilForm(),
		hearing:   newHearingForm(),
		label:     regexp.MustCompile(`(?i)[\[(]\s*(EVIDENCE|INFERENCE|GUESS)\s*[\])]|\b(EVIDENCE|INFERENCE|GUESS):`),
		share:     regexp.MustCompile(`(?i)[(\[]\s*(?:confidence\s*[:=]?\s*([01](?:\.\d+)?|\.\d+|\d{1,3}\s?%)|([01]\.\d+|0?\.\d+))\s*[)\]]|\bconfidence\s*[:=]?\s*([01](?:\.\d+)?|\.\d+|\d{1,3}\s?%)`),
		value:     regexp.MustCompile(`(?i)[\[(]\s*value(?:[ -]judge?ment)?\s*[\])]`),
		citation:  regexp.MustCompile(`(?s)` + reference + `[ \t]*(?:[,:–—-]|says|reads|states)?\s*` + quote + `|` + quote + `\s*(?:in|at|from|[–—-])?\s*[(\[]?` + reference),
		command:   regexp.MustCompile("(?m)`\\$ ([^`\n]+)`|(?:^|[ \\t(\\[])\\$ ([^\n]+)$"),
		answersTo: regexp.MustCompile(`(?i)\(\s*(?:answers|answering|re|for|in answer to)[: ]\s*([Cc]\d{1,6})\s*\)`),
		direct:    regexp.MustCompile(`(?i)^` + noWord + `{0,3}[\[(]direct[\])]`),
		whole:     regexp.MustCompile(`(?i)^[\s*_\])]*(?:$|[.,;:!(|–—-]|(?:and|because|since|as|given|due|fully|entirely|completely|after)\b)`),
		conceded:  regexp.MustCompile(`(?i)^` + noWord + `*(?:conceded|(?:yes[,;]?\s+)?(?:I|we)\s+(?:(?:hereby|fully|therefore|must)\s+)?concede(?:\s+(?:it|this|this one|(?:this|the) (?:point|challenge)))?)(?:[ \t*_]*\n\s*(?-i:[A-Z])|\s*(?:$|[.,;:!–—-]|because\b|since\b))`),
		scope:     regexp.MustCompile(`(?i)^(?:in[- _]scope|out[- _]of[- _]scope|anchor[- _]shift)\b`),
		paired:    regexp.MustCompile(`(?i)^(?:opposed|same[- _]subject|alike)\b`),
		judged:    regexp.MustCompile(`(?i)^(?:accepted|rejected)\b`),
		relation:  regexp.MustCompile(`(?i)^(?:supports|refutes|neutral)\b`),
		grade:     regexp.MustCompile(`(?i)^(?:fatal|unresolved|mitigable)\b`),
		flagged:   regexp.MustCompile(`(?i)^(?:drift[- _]signals|off[- _]topic)\b`),
		amount:    regexp.MustCompile(`^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?:\s?%)?`),
	}
}

// passage is a run of lines that is one move, or a plain paragraph.
type passage struct {
	// head is nil for items and paragraphs.
	head *head
	// item says that it is an entry of a list of points.
	item bool
	// from and to bound the body in the text.
	from, to int
}

// reader is one reply on its way through the telegraphic form.
type reader struct {
	*textForm
	*collector
	text, mask string
	// points and answers say what plain items and paragraphs are here.
	points, answers bool
	now             *passage
	// group is a keyword on its own line, for the ids in the lines after it.
	group *keyword
	// list is the mark of the first item of a list of points, indent its place.
	list   byte
	indent int
}

// read splits the text into passages and makes moves of them.
func (t *textForm) read(text string, c *collector) {
	if slices.Contains(state.HearingSeats(), c.ask.Seat) {
		t.hear(text, c)
		return
	}
	stage := c.ask.Stage
	r := &reader{
		textForm: t, collector: c, text: text, mask: mask(text),
		points:  c.allows(MoveRaise) && (stage == state.StagePropose || stage == state.StageCoverage),
		answers: c.allows(MoveDefend) && (stage == state.StageAnswer || stage == state.StageRemind),
	}
	gap := true
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		if strings.TrimSpace(text[start:end]) == "" {
			gap = true
		} else {
			r.line(start, end, gap)
			gap = false
		}
		start = end + 1
	}
	r.close()
}

// line decides what a line that is not blank belongs to.
func (r *reader) line(start, end int, gap bool) {
	masked := r.mask[start:end]
	if h := r.head(masked); h != nil && r.takes(h) && (!h.spoken || gap || r.concedes(r.mask[:start], masked[h.clause:])) {
		r.close()
		if !h.targeted() && strings.Trim(masked[h.body:], " \t*_") == "" {
			r.group = &h.keyword
			return
		}
		r.now = &passage{head: h, from: start + h.body, to: end}
		return
	}
	c := &cursor{line: masked}
	list := c.decoration()
	indent := len(masked) - len(strings.TrimLeft(masked, " \t"))
	if list != 0 && r.startsPoint(list, indent, gap) {
		r.close()
		r.group = nil
		r.now = &passage{item: true, from: start + c.at, to: end}
		r.list, r.indent = list, indent
		return
	}
	// The items of a list without ids may answer different challenges (CH4).
	answer := list != 0 && indent == 0 && r.answers && r.now != nil && r.now.head == nil
	if r.now == nil || answer || gap && !r.goesOn(indent) {
		r.close()
		r.group = nil
		r.now = &passage{from: start, to: end}
		if list != 0 {
			r.now.from += c.at
		}
		return
	}
	r.now.to = end
}

// takes settles what an id without a keyword means here, and remembers a
// keyword that stands alone over the ids it is for.
func (r *reader) takes(h *head) bool {
	if (ofProposal(h.kind) || h.ofCouncil()) && !r.allows(h.kind) || h.ofCouncil() && !r.inCouncil() {
		// Where these are no moves they are plain words.
		return false
	}
	if !h.free {
		r.group = nil
		return true
	}
	switch letter := h.ids[0][0]; {
	case r.group != nil && fits(h.ids, r.group.ids):
		h.keyword = *r.group
		h.name = h.word
	case h.bare:
		return false
	case letter == 'P' && h.pairs && r.allows(MoveTriage):
		h.keyword = r.words["TRIAGE"]
		h.name = h.word
	case letter == 'C' && r.allows(MoveDefend):
		h.keyword = r.words["RE"]
	case letter == 'P' && r.points:
		h.keyword = r.words["RAISE"]
	default:
		return false
	}
	return fits(h.ids, h.keyword.ids)
}

// startsPoint reports whether an item of a list is a point of its own: not one
// below another point, and not part of a keyword's passage, unless it is
// numbered and the keyword takes one line.
func (r *reader) startsPoint(list byte, indent int, gap bool) bool {
	if !r.points {
		return false
	}
	if r.now != nil && r.now.head != nil && !gap && (r.now.head.long || list != '1' || indent > 0) {
		return false
	}
	inside := r.now != nil && r.now.item
	return !inside || indent <= r.indent && (list == r.list || list == '1')
}

// goesOn reports whether the passage goes on behind a blank line.
func (r *reader) goesOn(indent int) bool {
	if r.now.head != nil {
		return r.now.head.long
	}
	return r.now.item && indent > r.indent
}

// close makes moves of the passage at hand.
func (r *reader) close() {
	p := r.now
	r.now = nil
	switch {
	case p == nil:
	case p.head != nil && p.head.hedged:
		r.reject("conditional", p.head.name+" "+strings.Join(p.head.ids, ", ")+": a verdict that is denied, asked or under a condition is none; SKEPTICAL says what would upgrade a point")
	case p.head != nil:
		r.keyword(p)
	case p.item:
		r.raise(newBody(r, p.from, p.to), false)
	default:
		r.paragraph(p)
	}
}

// paragraph reads speech without a keyword. A concession in it counts anywhere;
// in answer to challenges the rest is a defense whose id is missing (CH4).
func (r *reader) paragraph(p *passage) {
	b := newBody(r, p.from, p.to)
	before := r.number
	if r.concessions(b, nil); r.number > before {
		return
	}
	if !r.answers || wordCount(b.mask) < 3 || strings.HasSuffix(b.text, ":") || strings.HasSuffix(b.text, "：") || strings.HasPrefix(b.text, "#") && !strings.Contains(b.text, "\n") {
		return
	}
	r.move(&Defend{Text: b.text, Citations: r.citations(b)})
}

// wordCount is about how many words a masked text has. Where a script puts no blanks
// between words, two letters are one.
func wordCount(mask string) int {
	words := strings.FieldsFunc(mask, func(c rune) bool { return c <= ' ' })
	letters := 0
	for _, c := range mask {
		if unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			letters++
		}
	}
	return len(words) + letters/2
}

// concessions makes a move of every sentence that concedes. Those of the ids
// in own are left to the caller, and returned.
func (r *reader) concessions(b body, own []string) (mine []string) {
	for _, found := range r.inBody.FindAllStringSubmatchIndex(b.mask, MaxMoves) {
		c := &cursor{line: b.mask, at: found[4]}
		r.noun(c)
		ids := c.ids()
		sentence := b.cut(c.at, len(b.text))
		if end := strings.IndexByte(sentence.mask, '\n'); end >= 0 {
			sentence = sentence.cut(0, end)
		}
		if !r.concedes(b.mask[:found[2]], sentence.mask) {
			continue
		}
		for _, id := range ids {
			if slices.Contains(own, id) {
				mine = append(mine, id)
				continue
			}
			r.move(newConcede(id, plainReason(sentence.text)))
		}
	}
	return mine
}

// concedes reports whether "I concede C1" between these two texts gives C1 up:
// it ends there or goes on with a reason, and neither it nor the beginning of a
// sentence that a line break cut takes it back.
func (t *textForm) concedes(before, after string) bool {
	before = before[max(0, len(before)-400):]
	before = before[strings.LastIndexAny(before, ".!?:")+1:]
	before = before[strings.LastIndex(before, "\n\n")+1:]
	return !t.hedge.MatchString(before) && t.whole.MatchString(after) && !t.unsure(after)
}

func newConcede(id, reason string) *Concede {
	if id[0] == 'C' {
		return &Concede{Challenge: id, Reason: reason}
	}
	return &Concede{Point: id, Reason: reason}
}
