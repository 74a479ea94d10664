package workspace

import (
	"fmt"
	"strings"

	"moot/plain"
)

// Kind is what became of a file.
type Kind string

// The kinds.
const (
	Added   Kind = "new"
	Changed Kind = "changed"
	Removed Kind = "gone"
)

// Change is one file that is not as it was.
type Change struct {
	// Path is relative to the folder, with slashes.
	Path string
	Kind Kind
}

// Changes are what is not as it was, in order of the paths, git's own last.
type Changes struct {
	Files []Change
	// Cut says that the folder was too large to be compared whole, or took too long.
	Cut bool
}

// Since returns what has changed from an earlier Snapshot of the folder to this one.
func (s *Snapshot) Since(before *Snapshot) Changes {
	changes := Changes{Cut: s.cut || before.cut}
	old, now := before.files, s.files
	if changes.Cut {
		old, now = common(before, s)
	}
	for len(old) > 0 || len(now) > 0 {
		switch side := first(old, now); {
		case side < 0:
			changes.Files = append(changes.Files, Change{old[0].path, Removed})
			old = old[1:]
		case side > 0:
			changes.Files = append(changes.Files, Change{now[0].path, Added})
			now = now[1:]
		default:
			if !same(&old[0], &now[0]) {
				changes.Files = append(changes.Files, Change{now[0].path, Changed})
			}
			old, now = old[1:], now[1:]
		}
	}
	return changes
}

// first compares the beginnings of two lists, where git's own files come last; a
// list that is over comes after all.
func first(old, now []file) int {
	switch {
	case len(old) == 0:
		return 1
	case len(now) == 0:
		return -1
	case isGit(old[0].path) != isGit(now[0].path):
		if isGit(old[0].path) {
			return 1
		}
		return -1
	case isGit(old[0].path):
		return byRank(old[0].path, now[0].path)
	}
	return ordered(old[0].path, now[0].path)
}

// byRank compares two of git's own files in the order in which they are looked at.
func byRank(a, b string) int {
	if d := rank(a) - rank(b); d != 0 {
		return d
	}
	return ordered(a, b)
}

func rank(path string) int {
	name := strings.TrimPrefix(path, gitFolder+"/")
	for i, one := range gitFiles() {
		if name == one {
			return i
		}
	}
	for i, tree := range gitTrees() {
		if strings.HasPrefix(name, tree+"/") {
			return len(gitFiles()) + i
		}
	}
	return len(gitFiles()) + len(gitTrees())
}

// common returns the part of two Snapshots that both have looked at.
func common(a, b *Snapshot) (ofA, ofB []file) {
	last := ""
	for _, s := range []*Snapshot{a, b} {
		if s.cut {
			if end := s.last(); last == "" || ordered(end, last) < 0 {
				last = end
			}
		}
	}
	upTo := func(files []file) []file {
		var kept []file
		for _, f := range files {
			if isGit(f.path) || ordered(f.path, last) <= 0 {
				kept = append(kept, f)
			}
		}
		return kept
	}
	return upTo(a.files), upTo(b.files)
}

// last is the last file that was looked at, without git's own.
func (s *Snapshot) last() string {
	for i := len(s.files) - 1; i >= 0; i-- {
		if !isGit(s.files[i].path) {
			return s.files[i].path
		}
	}
	return ""
}

// same reports whether a file is as it was: by its contents where both are known.
func same(a, b *file) bool {
	if a.mark == b.mark && (!a.hashed || !b.hashed) {
		return true
	}
	return a.hashed && b.hashed && a.content == b.content && a.mark.mode == b.mark.mode
}

// mostTold is how many files a sentence names.
const mostTold = 5

// String says it in a sentence without a subject ("changed 2 files in the workspace:
// a.go, b.go (new)"), or is "" where nothing has changed. Paths are escaped: a
// program has chosen them.
func (c Changes) String() string {
	if len(c.Files) == 0 {
		return ""
	}
	var names []string
	for _, f := range c.Files[:min(mostTold, len(c.Files))] {
		name := plain.Line(plain.Clip(f.Path, 100))
		if f.Kind != Changed {
			name += " (" + string(f.Kind) + ")"
		}
		names = append(names, name)
	}
	text := fmt.Sprintf("changed %s in the workspace: %s", plain.Counted(len(c.Files), "file"), strings.Join(names, ", "))
	if more := len(c.Files) - mostTold; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if c.Cut {
		text += "; it is too large to be compared whole"
	}
	return text
}
