package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// The numbers of points that a proposal brings: in all, and of one search.
const (
	mostPoints = 7
	usual      = 5
)

// plan is one search of a proposal.
type plan struct {
	sought string
	// about is the sentence that ties a passage to subject, "" for none.
	about           phrase
	subject, option string
	limit           int
	// contrary puts passages first that hold a word of contrary.txt.
	contrary bool
}

func itoa(n int) string { return strconv.Itoa(n) }

// question is the anchor with the reading that the user consented to.
func (t *turn) question() string { return strings.TrimSpace(t.s.Question + " " + t.s.Reading) }

// plans says what the framing has the participant look for.
func (t *turn) plans() []plan {
	in := &t.s.Settings.Input
	whole := plan{sought: t.question(), limit: usual}
	switch t.s.Settings.Framing {
	case state.FramingCompare:
		var plans []plan
		for _, o := range in.Options {
			plans = append(plans, plan{sought: o, about: sayAboutOption, subject: o, option: o, limit: share(len(in.Options))})
		}
		return plans
	case state.FramingSynthesize:
		var plans []plan
		for _, v := range in.Views {
			plans = append(plans, plan{sought: v.Text, about: sayAboutView, subject: v.Name, limit: share(len(in.Views))})
		}
		return plans
	case state.FramingComplete:
		if plans := t.gapsOf(in.Design); len(plans) > 0 {
			return plans
		}
		plans := []plan{whole}
		for _, piece := range t.pieces(in.Design, mostPoints-usual) {
			plans = append(plans, plan{sought: piece, limit: 1})
		}
		return plans
	case state.FramingSteelman:
		// It can only quote: what speaks of limits and failures comes first.
		return []plan{{sought: in.Position, limit: usual, contrary: true}, {sought: whole.sought, limit: 2, contrary: true}}
	case state.FramingPosition:
		return []plan{whole, {sought: in.Position, limit: 2}}
	case state.FramingPropose, state.FramingParallel, state.FramingCritique, state.FramingRedteam, state.FramingVerify:
	}
	return []plan{whole}
}

// share is how many passages each of n subjects gets.
func share(n int) int { return max(1, min(2, mostPoints/max(n, 1))) }

// gapsOf makes a plan of each line of a design that says that something is
// open.
func (t *turn) gapsOf(design string) []plan {
	var plans []plan
	for line := range strings.Lines(design) {
		lower := strings.ToLower(line)
		if !slices.ContainsFunc(t.gaps, func(mark string) bool { return strings.Contains(lower, mark) }) {
			continue
		}
		plans = append(plans, plan{sought: line, about: sayAboutGap, subject: strings.Trim(line, " \t\r\n#*-"), limit: 2})
		if len(plans) == mostPoints/2 {
			break
		}
	}
	return plans
}

// propose raises what bears on the question. Asked again it goes on with
// passages that no point holds yet.
func (t *turn) propose() error {
	plans, raised := t.plans(), 0
	if t.s.Settings.Format == state.FormatPanel {
		parts, err := t.inParts(plans)
		if err != nil {
			return err
		}
		plans = parts
	}
	for i := range plans {
		p := &plans[i]
		found, err := t.find(p.sought, 3*p.limit)
		if err != nil {
			return err
		}
		fresh := t.fresh(found.passages, p)
		taken := 0
		for i := range fresh {
			if taken < p.limit && raised < mostPoints && t.raise(&fresh[i], p) {
				taken++
				raised++
			}
		}
		// What was found of none of several subjects is said of each; where the
		// searches are for one question, once.
		last := p.about == "" && i == len(plans)-1 && raised == 0
		if len(found.passages) == 0 && t.ask.Retry == "" && raised < mostPoints && (p.about != "" || last) {
			t.nothing(p, &found)
			raised++
		}
	}
	raised += t.offerRuns(mostPoints - raised)
	if raised == 0 {
		t.flag(protocol.FlagNothing, "", t.say(sayNoMore))
	}
	return nil
}

// nearBest is the share of the best passage's score that others need: more of
// it where each stands for a subject of its own.
const (
	nearBest        = 0.4
	nearBestSubject = 0.65
)

// fresh returns the passages that no point quotes yet, that differ from each
// other and are not far behind the best, in the plan's order.
func (t *turn) fresh(passages []passage, p *plan) []passage {
	floor, best := nearBest, 0.0
	if p.about != "" {
		floor = nearBestSubject
	}
	passages = slices.DeleteFunc(slices.Clone(passages), func(one passage) bool { return echoes(p.sought, one.text) })
	for i := range passages {
		best = max(best, passages[i].score)
	}
	var kept []passage
	for _, one := range passages {
		same := slices.ContainsFunc(kept, func(k passage) bool { return plain.Clip(k.text, quoted) == plain.Clip(one.text, quoted) })
		far := one.score > 0 && one.score < floor*best
		if !same && !far && (p.about != "" || !t.quotedAlready(&one)) {
			kept = append(kept, one)
		}
	}
	if p.contrary {
		slices.SortStableFunc(kept, func(a, b passage) int {
			return cmp.Compare(t.contraryRank(b.text), t.contraryRank(a.text))
		})
	}
	return kept
}

// echoes reports whether a text only asks the same question: a list of
// questions or an example of a command answers none.
func echoes(question, text string) bool {
	asked := resolver.Normalised(question)
	return strings.HasSuffix(strings.TrimSpace(question), "?") && strings.Contains(asked, " ") &&
		strings.Contains(resolver.Normalised(text), asked)
}

// contraryRank is 1 for a passage that holds a word of contrary.txt, else 0.
func (t *turn) contraryRank(text string) int {
	for _, word := range split(strings.ToLower(text)) {
		if t.contrary[word] {
			return 1
		}
	}
	return 0
}

// quotedAlready reports whether evidence on some point, or a point of this
// reply, stands at the passage.
func (t *turn) quotedAlready(p *passage) bool {
	for _, item := range t.s.Evidence.All() {
		if item.Reference == p.reference() || strings.TrimSpace(item.Excerpt) == strings.TrimSpace(p.text) && strings.HasPrefix(item.Reference, p.path+":") {
			return true
		}
	}
	return slices.ContainsFunc(t.moves, func(m protocol.Move) bool {
		r, ok := m.(*protocol.Raise)
		return ok && len(r.Citations) > 0 && r.Citations[0].Reference == p.reference()
	})
}

// cover raises passages that hold words of the question which no point holds
// yet (RD8): those could change the answer; more of the same could not.
func (t *turn) cover() error {
	const most = 2
	p := plan{sought: t.question(), limit: most}
	found, err := t.find(p.sought, 4*usual)
	if err != nil {
		return err
	}
	held := words{}
	for _, point := range t.s.Points.All() {
		if t.foundNothing(point) {
			continue
		}
		for word := range t.wordsOf(point.Text) {
			held[word] = true
		}
	}
	asked, raised := t.wordsOf(p.sought), 0
	for _, one := range t.fresh(found.passages, &p) {
		brings := false
		for word := range t.wordsOf(one.text) {
			if asked[word] && !held[word] {
				brings, held[word] = true, true
			}
		}
		if brings && raised < most && t.raise(&one, &p) {
			raised++
		}
	}
	if raised == 0 {
		t.flag(protocol.FlagNothing, "", t.say(sayNoMore))
	}
	return nil
}
