package search

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// The weights of the rank. Each says how much one place where a term may stand
// counts against the line itself, which counts 1.
const (
	besideWeight    = 0.45 // on the next line; less with distance
	enclosingWeight = 0.35 // in the definition or under the heading that the line is in
	docWeight       = 0.5  // in the comment on the definition, or in the definition under the comment
	pathWeight      = 0.5  // among the words of the path
	fileWeight      = 0.1  // anywhere in the file

	saturation = 0.9 // BM25's k: how soon a second occurrence stops to count
	lengthPart = 0.2 // BM25's b: how much a long line is held against it
)

// maxFiles is how many files the second pass reads at most. The first pass puts
// them in order well enough that half as many gave the same answers.
const maxFiles = 128

// A ranker knows what the terms of a query weigh in this workspace.
type ranker struct {
	*matcher
	hits      []fileHit
	weights   [maxTerms]float64 // importance × rarity
	wanted    float64           // the sum of the weights of all terms that have to be found
	known     float64           // the part of it that occurs in the workspace
	required  uint32            // those terms
	meanBytes float64           // of a line
}

func newRanker(m *matcher, c *census) *ranker {
	r := &ranker{matcher: m, hits: c.hits, meanBytes: float64(c.bytes) / float64(max(c.lines, 1))}
	for i, t := range m.query.terms {
		n, lines := float64(c.counts[i]), float64(c.lines)
		r.weights[i] = t.weight * math.Log(1+(lines-min(n, lines)+0.5)/(n+0.5))
		if !t.optional {
			r.required |= 1 << i
			r.wanted += r.weights[i]
			if n > 0 {
				r.known += r.weights[i]
			}
		}
	}
	return r
}

// sum returns the weight of a set of terms.
func (r *ranker) sum(mask uint32) float64 {
	total := 0.0
	for ; mask != 0; mask &= mask - 1 {
		total += r.weights[bits.TrailingZeros32(mask)]
	}
	return total
}

// promise estimates the score of a file's best place.
func (r *ranker) promise(hit *fileHit) float64 {
	best := 0.0
	for _, mask := range hit.masks {
		best = max(best, r.sum(mask)+0.4*r.sum(hit.inPath&^mask)+0.2*r.sum(hit.all&^mask))
	}
	if hit.named {
		best = 2*best + r.wanted + 1
	}
	return best * filePrior(hit.path, r.query.intent)
}

// choose returns the files that the second pass reads, by path.
func (r *ranker) choose() []fileHit {
	type ranked struct {
		promise float64
		hit     fileHit
	}
	all := make([]ranked, len(r.hits))
	for i, hit := range r.hits {
		all[i] = ranked{r.promise(&r.hits[i]), hit}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.promise, a.promise), cmp.Compare(a.hit.path, b.hit.path))
	})
	chosen := make([]fileHit, 0, maxFiles)
	for _, one := range all[:min(len(all), maxFiles)] {
		chosen = append(chosen, one.hit)
	}
	return chosen
}

// rank is the second pass. It reads the chosen files again, weighs each line
// with what is around it, and returns the best passages.
func (x *Index) rank(ctx context.Context, r *ranker, limit int) ([]Passage, error) {
	chosen := r.choose()
	found := make([][]candidate, len(chosen))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(x.options.workers, len(chosen)) {
		group.Go(func() {
			view := fileView{ranker: r, reader: lineReader{matcher: r.matcher}}
			file := reader{limit: x.options.maxFileSize}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(chosen) {
					return
				}
				// A file that has changed or vanished since the first pass is
				// taken as it is now, or not at all.
				if data, reason := file.read(x.root, chosen[i].path, true); reason == "" {
					found[i] = view.candidates(&chosen[i], data)
				}
			}
		})
	}
	group.Wait()
	return r.best(slices.Concat(found...), limit), ctx.Err()
}

// score weighs the line at i with what surrounds it.
func (v *fileView) score(i int) float64 {
	match := &v.matches[v.match[i]]
	context := v.context(i)
	length := float64(v.lines[i].end-v.lines[i].start) / max(v.meanBytes, 1)
	norm := 1 - lengthPart + lengthPart*min(max(length, 0.7), 4)
	total, covered := 0.0, 0.0
	for t := range v.query.terms {
		here := float64(match.weights[t])
		frequency := here + float64(context[t])
		if frequency == 0 {
			continue
		}
		weight := v.weights[t]
		total += weight * frequency * (saturation + 1) / (frequency + saturation*norm)
		if v.required>>t&1 != 0 {
			covered += weight * min(1, here+0.8*float64(context[t]))
		}
	}
	if v.wanted > 0 {
		total *= 0.4 + 0.6*math.Sqrt(covered/v.wanted)
	}
	return total * v.prior * v.kindFactor(i, match) * (1 + 0.04*min(float64(match.together), 4))
}

// kindFactor prefers lines that say what something is over those that use it.
func (v *fileView) kindFactor(i int, match *lineMatch) float64 {
	factor := 1.0
	intent := v.query.intent
	switch v.notes[i].kind {
	case kindDefinition:
		factor = 1.1
	case kindMember:
		factor = 1.06
	case kindComment:
		factor = 1.1
	case kindProse:
		factor = 1.05
	case kindHeading:
		factor = 0.9
	case kindImport:
		factor = 0.4
	case kindBlank, kindCode:
	}
	factor *= 1 + v.nameBonus(i, match)
	if intent.number && hasNumber(v.data[v.lines[i].start:v.lines[i].end]) {
		factor *= 1.2
	}
	return factor
}

// nameBonus prefers the line that defines what the question names, and the
// comment on it, the more of the defined name the question has.
func (v *fileView) nameBonus(i int, match *lineMatch) float64 {
	bonus := 0.4
	if v.query.intent.definition {
		bonus = 0.6
	}
	if d := v.doc[i]; d > i && v.match[d] >= 0 {
		match = &v.matches[v.match[d]]
		bonus *= 0.8
	}
	if match.name == 0 || v.wanted == 0 {
		return 0
	}
	return bonus * float64(match.whole) * min(1, v.sum(match.name)/v.wanted)
}

// hasNumber says whether a line gives a number that is no part of a word.
func hasNumber(line []byte) bool {
	for i, c := range line {
		if isDigit(c) && (i == 0 || !isLetter(line[i-1]) && !isDigit(line[i-1]) && line[i-1] != '_') {
			return true
		}
	}
	return false
}
