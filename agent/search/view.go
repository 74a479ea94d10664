package search

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// maxQuoted is the length in bytes above which a line is not quoted.
const maxQuoted = 1000

// A span is a line's place in its file, without its end.
type span struct{ start, end int }

// A fileView is a file in the second pass: its lines, what they are, and what
// they have of the query. It is used again for file after file.
type fileView struct {
	*ranker
	reader  lineReader
	path    string
	data    []byte
	prior   float64
	common  [maxTerms]float32 // what the path and the whole file add to each line
	lines   []span
	notes   []lineNote
	match   []int // by line: its place in matches, or -1
	matches []lineMatch
	parent  []int // by line: the definition or heading that it is in, or -1
	doc     []int // by line of a comment: the definition below it; by definition: the comment's first line; or -1
}

// load takes the file apart.
func (v *fileView) load(hit *fileHit, data []byte) {
	v.path, v.data = hit.path, data
	v.prior = filePrior(hit.path, v.query.intent)
	if isGenerated(data) {
		v.prior *= 0.6
	}
	if hit.named {
		v.prior *= 1.6
	}
	v.common = [maxTerms]float32{}
	for t := range v.query.terms {
		if hit.inPath>>t&1 != 0 {
			v.common[t] = pathWeight
		}
		if hit.all>>t&1 != 0 {
			v.common[t] += fileWeight
		}
	}
	v.splitLines()
	v.matchLines()
	v.linkLines()
}

func (v *fileView) splitLines() {
	v.lines, v.notes = v.lines[:0], v.notes[:0]
	language := languageOf(v.path)
	for at := 0; at < len(v.data); {
		end := lineEnd(v.data, at)
		line := bytes.TrimSuffix(v.data[at:end], []byte("\r"))
		v.lines = append(v.lines, span{at, at + len(line)})
		v.notes = append(v.notes, language.note(line[:min(len(line), maxQuoted)]))
		at = end + 1
	}
}

func (v *fileView) matchLines() {
	v.match, v.matches = v.match[:0], v.matches[:0]
	var match lineMatch
	for i, line := range v.lines {
		v.match = append(v.match, -1)
		text := v.data[line.start:line.end]
		if len(text) > maxQuoted || v.next(text, 0) < 0 || !utf8.Valid(text) {
			continue
		}
		if v.reader.weigh(text, v.notes[i].from, v.notes[i].to, &match); match.mask != 0 {
			v.match[i] = len(v.matches)
			v.matches = append(v.matches, match)
		}
	}
}

// linkLines finds for each line the definition that it is in, by indentation,
// and ties comments to the definitions below them.
func (v *fileView) linkLines() {
	n := len(v.lines)
	v.parent = slices.Grow(v.parent[:0], n)[:n]
	v.doc = slices.Grow(v.doc[:0], n)[:n]
	var open []int // the definitions around the current line, by growing indent
	comment := -1  // the first line of the comment that ends right above
	for i, note := range v.notes {
		v.parent[i], v.doc[i] = -1, -1
		if note.kind == kindBlank {
			comment = -1
			continue
		}
		inProse := note.kind == kindProse
		for !inProse && len(open) > 0 && v.notes[open[len(open)-1]].indent >= note.indent {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			v.parent[i] = open[len(open)-1]
		}
		if note.kind == kindComment {
			if comment < 0 {
				comment = i
			}
			continue
		}
		if comment >= 0 && (note.kind == kindDefinition || note.kind == kindMember) {
			v.doc[i] = comment
			for j := comment; j < i; j++ {
				v.doc[j] = i
			}
		}
		comment = -1
		if note.kind == kindDefinition || note.kind == kindHeading || note.kind == kindMember {
			open = append(open, i)
		}
	}
}

// context returns what the surroundings of a line add to each term: the lines
// next to it, the definition that it is in, its comment, the path.
func (v *fileView) context(i int) [maxTerms]float32 {
	context := v.common
	var beside [maxTerms]float32
	for distance := 1; distance <= 3; distance++ {
		for _, j := range [2]int{i - distance, i + distance} {
			if v.sameBlock(i, j) {
				v.raise(&beside, j, besideWeight/float32(distance))
			}
		}
	}
	if p := v.parent[i]; p >= 0 {
		v.raise(&beside, p, enclosingWeight)
		if d := v.doc[p]; d >= 0 && v.notes[p].kind == kindDefinition {
			v.raiseRange(&beside, d, p, docWeight/2)
		}
		if p = v.parent[p]; p >= 0 {
			v.raise(&beside, p, enclosingWeight/2)
		}
	}
	if d := v.doc[i]; d > i {
		v.raise(&beside, d, docWeight)
	} else if d >= 0 {
		v.raiseRange(&beside, d, i, docWeight)
	}
	for t := range v.query.terms {
		context[t] += beside[t]
	}
	return context
}

// raise lifts the weights to those of the line at j, times factor.
func (v *fileView) raise(weights *[maxTerms]float32, j int, factor float32) {
	if v.match[j] < 0 {
		return
	}
	match := &v.matches[v.match[j]]
	for t := range v.query.terms {
		weights[t] = max(weights[t], match.weights[t]*factor)
	}
}

func (v *fileView) raiseRange(weights *[maxTerms]float32, from, to int, factor float32) {
	for j := max(from, to-20); j < to; j++ {
		v.raise(weights, j, factor)
	}
}

// sameBlock says whether j is a line with no blank line between it and i.
func (v *fileView) sameBlock(i, j int) bool {
	if j < 0 || j >= len(v.lines) {
		return false
	}
	for k := min(i, j); k <= max(i, j); k++ {
		if v.notes[k].kind == kindBlank {
			return false
		}
	}
	return true
}
