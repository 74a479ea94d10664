package learn

import (
	"fmt"
	"slices"
	"strings"

	"moot/lab/corpora"
)

// fewestParts is as ErrTooFew says; mostShares is into how many a folder is dealt at most.
const fewestParts, mostShares = 2, 10

// take tells the parts apart that scenarios with roles belong to: a file of lines is one,
// and a folder of files with one scenario each. Where such a folder is all there is, its
// files are dealt into several in turn.
func (l *learner) take(scenarios []corpora.Scenario) {
	known := map[string]bool{}
	for i := range scenarios {
		s := &scenarios[i]
		name := s.ID + " " + s.Packet.Digest()
		if s.Roles == nil || known[name] {
			continue
		}
		known[name] = true
		l.all = append(l.all, one{Scenario: s, part: l.part(partOf(s.Place))})
	}
	if len(l.parts) != 1 || strings.Contains(l.all[0].Place, lines) {
		return
	}
	folder, shares := l.parts[0], min(len(l.all), mostShares)
	l.parts = nil
	for i := range l.all {
		l.all[i].part = l.part(fmt.Sprintf("%s (%d of %d)", folder, i%shares+1, shares))
	}
}

// part is the place of a part, which is new where it was not met before.
func (l *learner) part(name string) int {
	at := slices.Index(l.parts, name)
	if at < 0 {
		at = len(l.parts)
		l.parts = append(l.parts, name)
	}
	return at
}

// lines is behind the name of a file with a scenario a line.
const lines = ".jsonl:"

// partOf is the file of a place, without the line, or its folder.
func partOf(place string) string {
	if file, _, is := strings.Cut(place, lines); is {
		return file
	}
	if at := strings.LastIndexByte(place, '/'); at >= 0 {
		return place[:at]
	}
	return "."
}
