package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxPassage   = 6 // lines of a passage
	maxPerFile   = 4 // passages of one file, however many are asked for
	repeatFactor = 0.8
)

// A candidate is a passage that the second pass found in one file.
type candidate struct {
	passage Passage
	mask    uint32  // the terms in its lines
	covered float64 // how much of what was asked for is here, from 0 to 1
	pointed bool    // the question names its file or its very line
}

// candidates returns the best passages of one file, best first. Each further
// one is worth less, so that one file does not fill the result.
func (v *fileView) candidates(hit *fileHit, data []byte) []candidate {
	v.load(hit, data)
	scores := make([]float64, len(v.lines))
	order := make([]int, 0, len(v.matches))
	for i := range v.lines {
		if v.match[i] >= 0 {
			scores[i] = v.score(i)
			order = append(order, i)
		}
	}
	if hit.named {
		order = v.pointOut(scores, order)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	var found []candidate
	var taken []span
	for _, i := range order {
		if len(found) == maxPerFile {
			break
		}
		lines := v.extend(i, scores)
		if slices.ContainsFunc(taken, func(s span) bool { return lines.start <= s.end+1 && lines.end >= s.start-1 }) {
			continue
		}
		taken = append(taken, lines)
		c := v.quote(lines, i)
		c.pointed = hit.named
		c.passage.Score = scores[i] * math.Pow(repeatFactor, float64(len(found)))
		found = append(found, c)
	}
	return found
}

// pointOut gives lines of a file that the question names a score even if they
// hold none of its words: the very line that it names, or the first comments
// and definitions, which say what the file is for.
func (v *fileView) pointOut(scores []float64, order []int) []int {
	base := v.wanted + 1
	give := func(i int, score float64) {
		text := v.data[v.lines[i].start:v.lines[i].end]
		if len(text) > maxQuoted || !utf8.Valid(text) || v.notes[i].kind == kindBlank {
			return
		}
		if v.match[i] < 0 {
			order = append(order, i)
		}
		scores[i] += score
	}
	for _, m := range v.query.mentions {
		if m.line > 0 && m.line <= len(v.lines) && m.names(v.path) {
			give(m.line-1, 4*base)
		}
	}
	left := 3
	for i, note := range v.notes {
		if left == 0 {
			break
		}
		if note.kind == kindComment || note.kind == kindDefinition || note.kind == kindHeading || note.kind == kindProse {
			give(i, base*float64(left)*0.1)
			left--
		}
	}
	return order
}

// extend grows a passage from its best line over neighbours that have
// something to do with the question, within one block of lines.
func (v *fileView) extend(center int, scores []float64) span {
	lines := span{center, center}
	for {
		size := lines.end - lines.start + 1
		above, below := v.neighbour(lines.start, -1, center, maxPassage-size), v.neighbour(lines.end, 1, center, maxPassage-size)
		switch {
		case above < 0 && below < 0:
			return lines
		case above < 0, below >= 0 && scores[below] >= scores[above]:
			lines.end = below
		default:
			lines.start = above
		}
	}
}

// neighbour returns the next line in one direction that is worth quoting along
// with center, at most room lines away; or -1.
func (v *fileView) neighbour(from, step, center, room int) int {
	for distance := 1; distance <= min(room, 2); distance++ {
		j := from + step*distance
		if !v.sameBlock(from, j) || v.notes[j].kind == kindHeading && step > 0 {
			return -1
		}
		text := v.data[v.lines[j].start:v.lines[j].end]
		if len(text) > maxQuoted || !utf8.Valid(text) {
			return -1
		}
		tied := v.doc[center] == j || v.continues(j, step)
		if v.match[j] >= 0 || distance == 1 && tied {
			return j
		}
	}
	return -1
}

// continues says whether the line at j and the one before it, in reading
// order, belong to one sentence of a comment or of prose.
func (v *fileView) continues(j, step int) bool {
	first := j - max(step, 0)
	if kind := v.notes[first].kind; kind != v.notes[first+1].kind || kind != kindComment && kind != kindProse {
		return false
	}
	text := strings.TrimSpace(string(v.data[v.lines[first].start:v.lines[first].end]))
	return text != "" && !strings.ContainsAny(text[len(text)-1:], ".:!?|")
}

// quote makes a candidate of some lines. center is the line it grew from,
// whose surroundings count for what it covers.
func (v *fileView) quote(lines span, center int) candidate {
	c := candidate{passage: Passage{Path: v.path, Line: lines.start + 1, EndLine: lines.end + 1}}
	context := v.context(center)
	best := [maxTerms]float32{}
	texts := make([]string, 0, maxPassage)
	for i := lines.start; i <= lines.end; i++ {
		texts = append(texts, string(v.data[v.lines[i].start:v.lines[i].end]))
		v.raise(&best, i, 1)
		if v.match[i] >= 0 {
			c.mask |= v.matches[v.match[i]].mask
		}
	}
	c.passage.Text = strings.Join(texts, "\n")
	for t, term := range v.query.terms {
		if c.mask>>t&1 != 0 && term.cue == nil {
			c.passage.Terms = append(c.passage.Terms, term.spelled)
		}
		if v.required>>t&1 != 0 && v.wanted > 0 {
			c.covered += v.weights[t] / v.wanted * float64(max(best[t], min(1, context[t])*0.8))
		}
	}
	return c
}

// Below these shares of what was asked for, a passage is taken not to bear on
// the question at all. More is asked of it if the workspace does not even know
// much of what the question is about.
const (
	minCovered      = 0.28
	minCoveredAlien = 0.36 // if less than knownShare of the question occurs anywhere
	minCoveredLone  = 0.5  // in that case, for a passage with a single word of the question
	knownShare      = 0.5
	nearlyBest      = 0.25 // of the best score; what is further behind is noise
)

// best returns the passages to show, best first.
func (r *ranker) best(all []candidate, limit int) []Passage {
	all = slices.DeleteFunc(all, func(c candidate) bool { return !r.bears(c) })
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(b.passage.Score, a.passage.Score),
			cmp.Compare(a.passage.Path, b.passage.Path),
			cmp.Compare(a.passage.Line, b.passage.Line),
		)
	})
	var passages []Passage
	for _, c := range all[:min(len(all), limit)] {
		if c.passage.Score < nearlyBest*all[0].passage.Score {
			break
		}
		passages = append(passages, c.passage)
	}
	return passages
}

// bears says whether a passage has enough of the question to be an answer.
func (r *ranker) bears(c candidate) bool {
	if c.pointed {
		return c.passage.Score > 0
	}
	found := c.mask & r.required
	if found == 0 && r.required != 0 {
		return false
	}
	if r.required == 0 {
		return c.mask != 0
	}
	if r.known < knownShare*r.wanted {
		if found&(found-1) == 0 {
			return c.covered >= minCoveredLone
		}
		return c.covered >= minCoveredAlien
	}
	return c.covered >= minCovered
}
