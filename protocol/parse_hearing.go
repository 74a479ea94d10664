package protocol

import (
	"fmt"
	"regexp"
	"strings"

	"moot/enum"
)

// hearingForm is what the telegraphic form has for the seats of a hearing, who make
// other moves than all others:
//
//	CLAIM [f1, f2] 0.8: what they show
//	CONTRADICT P3 [f7]: how
//	ANSWER C1 [f2]: why it stands
//	SCORE P2 0.6 because f7
//	CONCEDE P2: why
//	CONCLUDE 0.7 | would change: a fact such as …
//
// Ids of facts stand in brackets; they have no commas, brackets and blanks in them.
type hearingForm struct {
	// parts name the parts of a move, by its kind.
	parts map[MoveKind]*regexp.Regexp
	// sure leads to a confidence, concluding is what may follow a closing word,
	// nothing is a line that says no more than that.
	sure, concluding, nothing *regexp.Regexp
}

func newHearingForm() hearingForm {
	named := func(names string) *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[|;\n(]|[.!?]\s)[ \t]*(?:[-*•][ \t]+)?[*_]{0,2}(` + names + `)[*_]{0,2}[ \t]*[:=][*_ \t]*`)
	}
	return hearingForm{
		parts: map[MoveKind]*regexp.Regexp{
			MoveClaim:      named(`facts?|confidence|reading`),
			MoveContradict: named(`facts?|reading|how`),
			MoveAnswer:     named(`facts?|text`),
			MoveScore:      named(`confidence|cause|because|fact`),
			MoveConcede:    named(`reason|because|why`),
			MoveConclude:   named(`(?:overall )?confidence|would[ _-]change(?:[ _-]my[ _-]mind)?(?:[ _-]if)?`),
		},
		sure:       regexp.MustCompile(`(?i)^(?:(?:with|at|an|my|overall)\s+){0,3}confidence\s*(?:is|of|at|[:=])?[\s*_]*`),
		concluding: regexp.MustCompile(`(?i)^(?:$|[:|\d.(+-]|(?:with|at|my|overall|confidence)\b)`),
		nothing:    regexp.MustCompile(`(?i)^[^\pL\pN_]*(?:none|nothing|n/a|(?:I |we )?(?:found|find|see) nothing|(?:there is )?nothing (?:found|to (?:add|say|claim|contradict|report))|no (?:claims?|findings?|contradictions?))[^\pL\pN_]*$`),
	}
}

// hearingWord is the kind of move that a word begins for a seat of a hearing.
func hearingWord(word string) (MoveKind, bool) {
	switch strings.ToUpper(word) {
	case "CLAIM":
		return MoveClaim, true
	case "CONTRADICT", "CONTRADICTION":
		return MoveContradict, true
	case "ANSWER", "RE", "REGARDING", "DEFEND", "DEFENSE", "DEFENCE":
		return MoveAnswer, true
	case "SCORE":
		return MoveScore, true
	case "CONCEDE", "CONCEDED":
		return MoveConcede, true
	case "CONCLUDE", "CONCLUSION", "OVERALL":
		return MoveConclude, true
	case "NOTHING":
		return MoveFlag, true
	}
	return "", false
}

// pleaded is a passage of a seat of a hearing: a move, the ids that it names, and where
// its body stands.
type pleaded struct {
	kind     MoveKind
	ids      []string
	from, to int
}

// hear splits the text of a seat of a hearing into passages, and makes moves of them.
// What belongs to none is left out.
func (t *textForm) hear(text string, c *collector) {
	r := &reader{textForm: t, collector: c, text: text, mask: mask(text)}
	var now *pleaded
	gap := false
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		switch h := r.heardHead(start, end); {
		case strings.TrimSpace(text[start:end]) == "":
			gap = true
		case h != nil:
			r.closeHeard(now)
			now, gap = h, false
		case now != nil && (!gap || r.goesOnHeard(now, start, end)):
			now.to, gap = end, false
		default:
			r.closeHeard(now)
			now = nil
			r.saysNothing(r.mask[start:end])
		}
		start = end + 1
	}
	r.closeHeard(now)
}

// goesOnHeard reports whether a passage goes on behind a blank line: an answer does,
// and others where a part of theirs follows.
func (r *reader) goesOnHeard(h *pleaded, start, end int) bool {
	parts := r.hearing.parts[h.kind]
	if parts == nil {
		return false
	}
	at := parts.FindStringIndex(r.mask[start:end])
	return h.kind == MoveAnswer || at != nil && at[0] == 0
}

// saysNothing takes a line that says that there is nothing to say.
func (r *reader) saysNothing(line string) {
	if !r.hearing.nothing.MatchString(line) {
		return
	}
	if r.allows(MoveFlag) {
		r.move(&FlagMove{Flag: FlagNothing})
	}
	r.silent = true
}

// heardHead reads the beginning of a line, or nil where it begins no move.
func (r *reader) heardHead(start, end int) *pleaded {
	c := &cursor{line: r.mask[start:end]}
	c.decoration()
	ids := heardIDs(c)
	if len(ids) > 0 {
		c.separator()
	}
	at := c.at
	word := c.word()
	if word == "I" || word == "We" || word == "we" {
		c.at = at
		if h := r.iConcede(c); h != nil && len(h.ids) > 0 && len(ids) == 0 {
			return &pleaded{kind: MoveConcede, ids: h.ids, from: start + c.at, to: end}
		}
		return nil
	}
	kind, known := hearingWord(word)
	if !known {
		return r.idHeard(start+at, end, ids)
	}
	colon := c.separator()
	if len(ids) == 0 && kind != MoveClaim && kind != MoveConclude {
		ids = heardIDs(c)
	}
	h := &pleaded{kind: kind, ids: ids, from: start + c.at, to: end}
	if !r.begins(h, word, c.rest(), colon) {
		return nil
	}
	return h
}

// begins reports whether a word that may begin a move does, by what follows it: words
// in capitals need little, others a bracket, a colon or a number.
func (r *reader) begins(h *pleaded, word, rest string, colon bool) bool {
	rest = strings.TrimLeft(rest, " \t*_")
	capitals := word == strings.ToUpper(word)
	next := rest != "" && strings.IndexByte("[:|(.0123456789", rest[0]) >= 0
	letters := map[MoveKind]string{MoveContradict: "P", MoveAnswer: "C", MoveScore: "P", MoveConcede: "PC"}[h.kind]
	switch {
	case h.kind == MoveFlag:
		return capitals && r.nothing.MatchString(strings.TrimPrefix(rest, "found"))
	case len(h.ids) == 0 && capitals && (next || colon) && word == string(h.kind):
		// It is a move; where it should name an id it is refused by name.
		return true
	case (letters == "") != (len(h.ids) == 0), !fits(h.ids, letters):
		return false
	case h.kind == MoveClaim:
		return next
	case h.kind == MoveConclude:
		return next || word == string(MoveConclude) || r.concludes(word, rest, colon)
	case h.kind == MoveConcede && r.unsure(rest):
		return false
	}
	return next || rest == "" || capitals && word != "RE"
}

// concludes reports whether a word that may be the closing one is, by what follows it.
func (r *reader) concludes(word, rest string, colon bool) bool {
	if strings.EqualFold(word, "overall") {
		return r.hearing.sure.MatchString(rest)
	}
	return word == strings.ToUpper(word) && r.hearing.concluding.MatchString(rest) || colon && r.hearing.sure.MatchString(rest)
}

// heardIDs reads a list of ids of claims or of challenges. What stands in brackets
// behind it is left: a fact may be called f2.
func heardIDs(c *cursor) []string {
	var ids []string
	for len(ids) < maxItems {
		after := *c
		after.skip(" \t*_#")
		if len(ids) > 0 {
			after.skip(" \t,/&+")
			if strings.HasPrefix(after.rest(), "and ") {
				after.at += len("and ")
			}
		} else {
			named := after
			switch strings.ToLower(named.word()) {
			case "point", "claim", "challenge", "points", "claims", "challenges":
				named.skip(" \t")
				after = named
			}
		}
		bracket := len(ids) == 0 && strings.HasPrefix(after.rest(), "[")
		if bracket {
			after.at++
		}
		id := strings.ToUpper(idAt(after.rest()))
		if id == "" || !fits([]string{id}, "PC") || bracket && !strings.HasPrefix(after.rest()[len(id):], "]") {
			return ids
		}
		after.at += len(id)
		if bracket {
			after.at++
		}
		ids = append(ids, id)
		*c = after
	}
	return ids
}

// idHeard reads a line that begins with ids and no word of a move: "C1: text" answers,
// and where nothing else may be said of a claim "P3 [f7]: how" contradicts it.
func (r *reader) idHeard(from, end int, ids []string) *pleaded {
	if len(ids) == 0 {
		return nil
	}
	before := strings.TrimRight(r.mask[:from], " \t*_")
	rest := strings.TrimLeft(r.mask[from:end], " \t*_")
	told := strings.HasSuffix(before, ":") || strings.HasPrefix(rest, "[")
	switch {
	case fits(ids, "C") && r.allows(MoveAnswer) && told:
		return &pleaded{kind: MoveAnswer, ids: ids, from: from, to: end}
	case fits(ids, "P") && r.allows(MoveContradict) && !r.allows(MoveClaim) && strings.HasPrefix(rest, "["):
		return &pleaded{kind: MoveContradict, ids: ids, from: from, to: end}
	}
	return nil
}

// closeHeard makes moves of a passage.
func (r *reader) closeHeard(h *pleaded) {
	if h == nil {
		return
	}
	if h.kind == MoveFlag {
		r.move(&FlagMove{Flag: FlagNothing})
		return
	}
	if len(h.ids) == 0 && h.kind != MoveClaim && h.kind != MoveConclude {
		if id := map[MoveKind]string{MoveContradict: "P3 [f7]: how", MoveAnswer: "C1: why it stands", MoveScore: "P2 0.6", MoveConcede: "P2: why"}[h.kind]; !r.none.MatchString(r.mask[h.from:h.to]) {
			r.reject("missing-field", fmt.Sprintf("%s names no id, as in %s %s", h.kind, h.kind, id))
		}
		r.silent = true
		return
	}
	// What leads from the word to the body may be the sign of a number.
	from := h.from
	for from > 0 && strings.IndexByte("-.", r.mask[from-1]) >= 0 {
		from--
	}
	told := strings.HasSuffix(strings.TrimRight(r.mask[:from], " \t*_"), ":")
	said := r.readLead(h.kind, newBody(r, from, h.to), told)
	switch h.kind { //nolint:exhaustive // a hearing has no others
	case MoveClaim:
		r.heardClaim(&said)
	case MoveContradict:
		for _, id := range h.ids {
			r.move(&Contradict{Point: id, Facts: said.facts, Reading: firstText(flat(said.rest), flat(said.part("reading")), flat(said.part("how")))})
		}
	case MoveAnswer:
		r.heardAnswer(h, &said)
	case MoveScore:
		r.heardScore(h, &said)
	case MoveConcede:
		for _, id := range h.ids {
			r.move(newConcede(id, firstText(plainReason(said.rest.text), said.part("reason").text, said.part("because").text, said.part("why").text)))
		}
	case MoveConclude:
		if confidence, ok := r.sureOf(&said, "CONCLUDE", "CONCLUDE 0.7"); ok {
			r.move(&Conclude{Confidence: confidence, WouldChange: plainReason(said.would())})
		}
	}
}

// heardClaim makes a CLAIM; "CLAIM: none" says nothing.
func (r *reader) heardClaim(said *lead) {
	said.rest, _ = r.labelled(said.rest)
	text := firstText(flat(said.rest), flat(said.part("reading")))
	if len(said.facts) == 0 && !said.number.given && r.hearing.nothing.MatchString(text) {
		r.saysNothing(text)
		return
	}
	if confidence, ok := r.sureOf(said, "CLAIM", "CLAIM [f1, f2] 0.8: what they show"); ok {
		r.move(&Claim{Reading: text, Facts: said.facts, Confidence: confidence})
	}
}

// heardAnswer makes an ANSWER of each challenge; one that concedes is none.
func (r *reader) heardAnswer(h *pleaded, said *lead) {
	text := firstText(said.rest.text, said.part("text").text)
	at := r.conceded.FindStringIndex(said.rest.mask)
	for _, id := range h.ids {
		if at != nil && !r.unsure(said.rest.mask[at[1]:]) {
			r.move(newConcede(id, text))
			continue
		}
		r.move(&Answer{Challenge: id, Text: text, Facts: said.facts})
	}
}

// heardScore makes a SCORE of each claim.
func (r *reader) heardScore(h *pleaded, said *lead) {
	cause := firstText(said.part("cause").text, said.part("because").text, said.part("fact").text, plainReason(said.rest.text))
	if len(said.facts) > 0 {
		cause = said.facts[0]
	}
	for _, id := range h.ids {
		if confidence, ok := r.sureOf(said, "SCORE "+id, "SCORE "+id+" 0.6 because f7"); ok {
			r.move(&Score{Point: id, Confidence: *confidence, Cause: strings.Trim(cause, " ().")})
		}
	}
}

// sureOf is the confidence that a move states; one that is missing, or no number, is
// refused by name.
func (r *reader) sureOf(said *lead, name, example string) (confidence *float64, ok bool) {
	number := said.number
	for _, part := range []string{"confidence", "overall confidence"} {
		if b := said.part(part); !number.given && b.text != "" {
			number = r.shareAt(strings.TrimLeft(b.mask, " \t(*_"))
			if !number.given {
				r.reject("out-of-range", name+": confidence is a number from 0 to 1, as in "+example)
				return nil, false
			}
		}
	}
	switch {
	case !number.given:
		r.reject("missing-field", name+": confidence is missing, as in "+example)
	case number.value == nil:
		r.reject("out-of-range", name+": confidence is a number from 0 to 1, as in "+example)
	}
	return number.value, number.value != nil
}

// flat is a text on one line, without emphasis.
func flat(b body) string { return oneLine(strings.ReplaceAll(b.text, "**", "")) }

// isLabel reports whether a bracket holds how a seat says that it knows.
func isLabel(text string) bool {
	for _, word := range enum.Words(Labels()) {
		if word != "" && strings.EqualFold(word, strings.TrimSpace(text)) {
			return true
		}
	}
	return false
}
