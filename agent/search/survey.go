package search

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"moot/enum"
)

// A Reason says why a file or folder was not searched.
type Reason string

// The reasons, in the order in which they are told.
const (
	ReasonIgnored    Reason = "ignored"    // a .gitignore rule; a folder counts once
	ReasonTooling    Reason = "tooling"    // a dependency lock file or another tool's folder, see vocabulary/skip.txt
	ReasonSymlink    Reason = "symlink"    // symbolic links are never followed by the walk
	ReasonSpecial    Reason = "special"    // a device, socket or pipe
	ReasonTooLarge   Reason = "too-large"  // more bytes than WithMaxFileSize allows
	ReasonBinary     Reason = "binary"     // holds a NUL byte
	ReasonLongLines  Reason = "long-lines" // minified or generated: nobody reads these lines
	ReasonTooDeep    Reason = "too-deep"   // more than 128 folders below the root
	ReasonUnreadable Reason = "unreadable" // could not be opened or read, or vanished meanwhile
)

// Reasons returns the closed list of reasons.
func Reasons() []Reason {
	return []Reason{
		ReasonIgnored, ReasonTooling, ReasonSymlink, ReasonSpecial, ReasonTooLarge,
		ReasonBinary, ReasonLongLines, ReasonTooDeep, ReasonUnreadable,
	}
}

// String returns the reason's word.
func (r Reason) String() string { return string(r) }

// UnmarshalText reads a reason's word; an unknown one is an *enum.UnknownError.
func (r *Reason) UnmarshalText(text []byte) error {
	return enum.Unmarshal("reason", text, Reasons(), r)
}

// A Survey says what a search has and has not looked at.
type Survey struct {
	Files   int            `json:"files"`   // read and searched
	Folders int            `json:"folders"` // listed
	Lines   int            `json:"lines"`   // in the files read
	Bytes   int64          `json:"bytes"`   // in the files read
	Skipped map[Reason]int `json:"skipped"` // entries left out, by reason; never nil
	Took    time.Duration  `json:"took"`    // from the start of the search to its result
}

// SkippedTotal returns how many entries were left out, for whatever reason.
func (s Survey) SkippedTotal() int {
	total := 0
	for _, n := range s.Skipped {
		total += n
	}
	return total
}

// String tells the counts in one line, such as
// "412 files, 36 folders read; skipped 3 ignored, 1 binary".
func (s Survey) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d files, %d folders read", s.Files, s.Folders)
	separator := "; skipped "
	for _, reason := range Reasons() {
		if n := s.Skipped[reason]; n > 0 {
			fmt.Fprintf(&text, "%s%d %s", separator, n, reason)
			separator = ", "
		}
	}
	return text.String()
}

// add adds the counts of another survey; it leaves Took alone.
func (s *Survey) add(other Survey) {
	s.Files += other.Files
	s.Folders += other.Folders
	s.Lines += other.Lines
	s.Bytes += other.Bytes
	for _, reason := range slices.Collect(maps.Keys(other.Skipped)) {
		s.skip(reason, other.Skipped[reason])
	}
}

func (s *Survey) skip(reason Reason, n int) {
	if s.Skipped == nil {
		s.Skipped = map[Reason]int{}
	}
	s.Skipped[reason] += n
}
