// Package memory brings the rulings of earlier reviews to a new one (RW7): those of the session files, through an index
// that can be rebuilt at any time, and those of a memory file.
//
// Index reads the sessions, Parse and Complete a file. Take chooses what a review takes in, and compares it with the
// tree under review.
package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/review"
	"moot/state"
)

// Most is the maximum number of rulings that a review takes in.
const Most = 500

// Reader reads files of the tree under review by their paths. Those that are not there are left out.
type Reader func(paths []string) (map[string]string, error)

// Take returns the rulings that matter for a change: those on files that it touches, and those that were open on its
// branch. Of each finding it takes one ruling: the newest, or the user's if that is newer or if its lines are unchanged.
// left is how many it leaves out, the oldest, because there are more than Most.
func Take(all []review.Remembered, change *review.Change, read Reader) (taken []review.Known, left int, err error) {
	known := lists.Map(newest(all, change), func(r review.Remembered) review.Known {
		return review.Known{Remembered: r}
	})
	var paths []string
	for i := range known {
		k := &known[i]
		for _, f := range change.Files {
			if f.From != "" && f.From == k.Path {
				k.Path = f.Path // It was renamed.
			}
		}
		paths = append(paths, k.Path)
		if r, ok := refuterOf(k); ok {
			paths = append(paths, r.Path)
		}
	}
	slices.Sort(paths)
	texts, err := read(slices.Compact(paths))
	if err != nil {
		return nil, 0, err
	}
	tree := tree{texts: texts, stripped: map[string]*stripped{}}
	chosen := map[string]int{}
	for _, k := range known {
		tree.compare(&k, change)
		at, twice := chosen[k.Fingerprint]
		if !twice {
			chosen[k.Fingerprint] = len(taken)
			taken = append(taken, k)
			continue
		}
		user, seat := &taken[at], &k
		if k.ByUser {
			user, seat = &k, &taken[at]
		}
		if user.At >= seat.At || user.Unchanged {
			taken[at] = *user
		} else {
			taken[at] = *seat
		}
	}
	slices.SortStableFunc(taken, func(a, b review.Known) int { return strings.Compare(b.At, a.At) })
	if left = len(taken) - Most; left > 0 {
		taken = taken[:Most]
	}
	for i := range taken {
		taken[i].ID = state.NextID('M', i)
	}
	return taken, max(0, left), nil
}

// newest returns of each finding that matters for a change the newest ruling of the user and the newest of the reviewers,
// which is the newest on the branch of the change if there is one. A later one in the list wins over one of the same
// time.
func newest(all []review.Remembered, change *review.Change) []review.Remembered {
	type key struct {
		fingerprint string
		byUser      bool
	}
	best := map[key]review.Remembered{}
	for i := range all {
		r := &all[i]
		isHere := r.Branch == change.Branch
		isOpen := r.Bucket == state.BucketAgreed || r.Bucket == state.BucketUnresolved
		if r.OtherRepository(change.Repository) || !change.Touches(r.Path) && (!isHere || !isOpen) || leftOut(change, r.Path) {
			continue
		}
		k := key{r.Fingerprint, r.ByUser}
		other, found := best[k]
		otherHere := other.Branch == change.Branch
		wins := !found || r.At >= other.At
		if found && !r.ByUser && isHere != otherHere {
			wins = isHere
		}
		if wins {
			best[k] = *r
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b review.Remembered) int {
		return cmp.Or(strings.Compare(b.At, a.At), strings.Compare(a.Fingerprint, b.Fingerprint), compareBool(b.ByUser, a.ByUser))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// leftOut reports whether the user left the file of a path out of the review.
func leftOut(change *review.Change, path string) bool {
	return slices.ContainsFunc(change.Files, func(f review.File) bool { return f.Ignored != "" && f.Path == path })
}

// refuterOf returns the place of the item that refuted a remembered finding, if it is one in a file.
func refuterOf(k *review.Known) (ledger.Reference, bool) {
	r, err := ledger.ParseReference(k.RefutedAt)
	return r, err == nil && k.RefutedAt != "" && len(r.Spans) > 0
}

// tree holds the files under review, and their texts without white space once they are compared.
type tree struct {
	texts    map[string]string
	stripped map[string]*stripped
}

// compare sets whether the lines of a remembered finding, and those that refuted it, stand in the tree, and where.
func (t *tree) compare(k *review.Known, change *review.Change) {
	_, isThere := t.texts[k.Path]
	k.Gone = !isThere
	file := fileOf(change, k.Path)
	switch {
	case k.Line == 0:
		k.Unchanged = file != nil && k.Digest != "" && file.Digest() == k.Digest
	case k.Before:
		// The change removed the lines: they must still be missing because of it.
		if first := removed(file, k.Lines); first > 0 {
			k.Unchanged, k.Line, k.End = true, first, first+k.End-k.Line
		}
	case isThere:
		if first, last := t.find(k.Path, k.Lines, k.Line); first > 0 {
			k.Unchanged, k.Line, k.End = true, first, last
		}
	}
	if k.RefutedAt == "" || !k.Unchanged {
		return
	}
	r, ok := refuterOf(k)
	if !ok {
		k.Unchanged = false // It was a command, whose outcome nobody knows for this tree.
		return
	}
	first, _ := t.find(r.Path, k.RefutedLines, r.Spans[0].First)
	k.Unchanged = first > 0
}

func fileOf(change *review.Change, path string) *review.File {
	for i := range change.Files {
		if change.Files[i].Path == path {
			return &change.Files[i]
		}
	}
	return nil
}

// removed returns the number of the first of some lines that the change removes from a file, or 0 if it does not.
func removed(file *review.File, lines string) int {
	if file == nil || file.Diff == "" {
		return 0
	}
	var text strings.Builder
	var numbers []int
	for _, h := range file.Hunks() {
		for _, line := range h.Lines {
			if line.Sign != '-' {
				continue
			}
			text.WriteString(line.Text + "\n")
			numbers = append(numbers, line.Was)
		}
	}
	first, _ := strip(text.String()).find(lines, 0)
	if first == 0 {
		return 0
	}
	return numbers[first-1]
}

// find returns the lines of a file that say the same as some text, but for white space, or 0.
func (t *tree) find(path, lines string, near int) (first, last int) {
	text, isThere := t.texts[path]
	if !isThere {
		return 0, 0
	}
	if t.stripped[path] == nil {
		t.stripped[path] = strip(text)
	}
	return t.stripped[path].find(lines, near)
}

// stripped is a text without white space. Begins and ends have the offsets at which its lines begin and end, with their
// numbers.
type stripped struct {
	text         string
	begins, ends map[int]int
}

func strip(text string) *stripped {
	s := &stripped{begins: map[int]int{}, ends: map[int]int{}}
	var out strings.Builder
	number := 0
	for line := range strings.Lines(text) {
		number++
		if kept := withoutSpace(line); kept != "" {
			s.begins[out.Len()] = number
			out.WriteString(kept)
			s.ends[out.Len()] = number
		}
	}
	s.text = out.String()
	return s
}

func withoutSpace(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// closeLines is how far lines that stand in a file several times may have moved.
const closeLines = 5

// find returns whole lines that say the same as a text, the nearest to a line, or 0. If there are several and none is
// close, nobody knows which are meant.
func (s *stripped) find(lines string, near int) (first, last int) {
	wanted := withoutSpace(lines)
	if wanted == "" {
		return 0, 0
	}
	found, best := 0, 0
	for from := 0; ; {
		at := strings.Index(s.text[from:], wanted)
		if at < 0 {
			break
		}
		at += from
		from = at + 1
		begin, begins := s.begins[at]
		end, ends := s.ends[at+len(wanted)]
		if !begins || !ends {
			continue
		}
		away := max(begin-near, near-begin)
		if found++; found == 1 || away < best {
			first, last, best = begin, end, away
		}
	}
	if found > 1 && near > 0 && best > closeLines {
		return 0, 0
	}
	return first, last
}

// Source says where rulings come from, for the record.
func Source(sessions int, file string) string {
	var parts []string
	if sessions > 0 {
		parts = append(parts, fmt.Sprintf("%d earlier reviews of this repository", sessions))
		if sessions == 1 {
			parts[0] = "an earlier review of this repository"
		}
	}
	if file != "" {
		parts = append(parts, file)
	}
	return strings.Join(parts, " and ")
}
