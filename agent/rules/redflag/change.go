package redflag

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"moot/protocol/dialectic/playbook"
)

// MaxDiff is the maximum size of a diff in bytes.
const MaxDiff = 64 << 20

// ErrNoDiff reports that a text is not a unified diff.
var ErrNoDiff = errors.New("it contains no unified diff: create one with git diff or diff -u")

// Change is a parsed diff, or a document treated as a diff that adds every line.
type Change struct {
	// Name is the name of the diff or document in citations.
	Name  string
	Files []File
	// Redacted says that secrets in the text may have been replaced by marks.
	Redacted bool
	// document says that the lines come from the file Name, not from a diff.
	document bool
}

// File is one file of a change.
type File struct {
	// Path is the file's path after the change, and Old before it. Old is "" for an added file, Path for a deleted
	// one.
	Path, Old  string
	Alteration playbook.Alteration
	Binary     bool
	// Head is the heading of the file in the diff, and Line its line number.
	Head  string
	Line  int
	Hunks []Hunk
}

// Name returns the path after the change, or that of a deleted file.
func (f *File) Name() string {
	return cmp.Or(f.Path, f.Old)
}

// Hunk is a group of lines in a file.
type Hunk struct {
	Lines []Line
}

// Side says whether a change adds, removes or keeps a line.
type Side byte

// The sides, as in a diff.
const (
	Context Side = ' '
	Added   Side = '+'
	Removed Side = '-'
)

// Line is a line of a hunk.
type Line struct {
	Side Side
	// Text is the line without its line ending.
	Text string
	// Old and New are its line numbers before and after the change, and Diff the one in the diff, or 0.
	Old, New, Diff int
}

// ReadDiff parses a unified diff from git or diff -u. An error names the diff and the line. It never returns part of
// a change, which could be judged differently from the whole.
func ReadDiff(name string, data []byte) (*Change, error) {
	if len(data) > MaxDiff {
		return nil, fmt.Errorf("read the diff %s: larger than %d bytes; split it", name, MaxDiff)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = ownLineEnds(data)
	parsed, _, err := gitdiff.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the diff %s: %w", name, err)
	}
	if len(parsed) == 0 {
		return nil, fmt.Errorf("read the diff %s: %w", name, ErrNoDiff)
	}
	change := &Change{Name: name}
	source := &scroll{lines: strings.SplitAfter(string(data), "\n")}
	for _, from := range parsed {
		change.Files = append(change.Files, source.file(from))
	}
	return change, nil
}

// ReadDocument treats a text, such as a design under discussion, as a change that adds every line.
func ReadDocument(name string, data []byte) *Change {
	file := File{Path: clean(name), Alteration: playbook.Added, Binary: bytes.IndexByte(data, 0) >= 0}
	if !file.Binary {
		var hunk Hunk
		for text := range strings.Lines(string(data)) {
			n := len(hunk.Lines) + 1
			hunk.Lines = append(hunk.Lines, Line{Side: Added, Text: strings.TrimRight(text, "\r\n"), New: n, Diff: n})
		}
		file.Hunks = []Hunk{hunk}
	}
	if lines := file.Hunks; len(lines) > 0 && len(lines[0].Lines) > 0 {
		file.Head, file.Line = lines[0].Lines[0].Text, 1
	}
	return &Change{Name: name, Files: []File{file}, document: true}
}

// ownLineEnds converts a diff written on Windows to LF line endings. If the headings already end in LF, the carriage
// returns belong to the files and stay.
func ownLineEnds(data []byte) []byte {
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("@@ -")) || bytes.HasPrefix(line, []byte("diff --git ")) {
			if bytes.HasSuffix(line, []byte("\r\n")) {
				return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
			}
			return data
		}
	}
	return data
}

// scroll finds the line numbers of parsed lines in the text of the diff.
type scroll struct {
	lines []string
	at    int
}

// file converts a parsed file.
func (s *scroll) file(from *gitdiff.File) File {
	file := File{
		Path: clean(from.NewName), Old: clean(from.OldName), Binary: from.IsBinary, Alteration: playbook.Modified,
	}
	switch {
	case from.IsNew:
		file.Alteration, file.Old = playbook.Added, ""
	case from.IsDelete:
		file.Alteration, file.Path = playbook.Deleted, ""
	case from.IsRename:
		file.Alteration = playbook.Renamed
	case from.IsCopy:
		file.Alteration = playbook.Added
	}
	for ; s.at < len(s.lines); s.at++ {
		if s.heads() {
			file.Head, file.Line = strings.TrimRight(s.lines[s.at], "\r\n"), s.at+1
			break
		}
	}
	if strings.HasPrefix(file.Head, "--- ") {
		file.Path, file.Old = unprefixed(file.Path), unprefixed(file.Old)
	}
	s.at = min(s.at+1, len(s.lines))
	for _, fragment := range from.TextFragments {
		file.Hunks = append(file.Hunks, s.hunk(fragment))
	}
	return file
}

// unprefixed removes git's prefix a/ or b/ from a path. The parser does so only after a "diff --git" heading.
func unprefixed(name string) string {
	for _, prefix := range []string{"a/", "b/"} {
		if below, cut := strings.CutPrefix(name, prefix); cut {
			return below
		}
	}
	return name
}

// heads reports whether a file starts at the line, by the parser's rule.
func (s *scroll) heads() bool {
	if strings.HasPrefix(s.lines[s.at], "diff --git ") {
		return true
	}
	return s.at+2 < len(s.lines) && len(s.lines[s.at+2]) >= len("@@ -1 +1 @@\n") &&
		strings.HasPrefix(s.lines[s.at], "--- ") && strings.HasPrefix(s.lines[s.at+1], "+++ ") &&
		strings.HasPrefix(s.lines[s.at+2], "@@ -")
}

// hunk converts a fragment and numbers its lines.
func (s *scroll) hunk(fragment *gitdiff.TextFragment) Hunk {
	for s.at < len(s.lines) && !strings.HasPrefix(s.lines[s.at], "@@ -") {
		s.at++
	}
	s.at++
	var hunk Hunk
	before, after := int(fragment.OldPosition), int(fragment.NewPosition)
	for _, from := range fragment.Lines {
		for s.at < len(s.lines) && strings.HasPrefix(s.lines[s.at], `\`) {
			s.at++
		}
		s.at++
		line := Line{Text: strings.TrimRight(from.Line, "\r\n"), Diff: s.at}
		switch from.Op {
		case gitdiff.OpContext:
			line.Side, line.Old, line.New = Context, before, after
			before, after = before+1, after+1
		case gitdiff.OpDelete:
			line.Side, line.Old = Removed, before
			before++
		case gitdiff.OpAdd:
			line.Side, line.New = Added, after
			after++
		}
		hunk.Lines = append(hunk.Lines, line)
	}
	return hunk
}

// clean normalizes a path. A path outside of the workspace is returned unchanged, and is never opened.
func clean(name string) string {
	if name == "" {
		return ""
	}
	return path.Clean(strings.ReplaceAll(name, `\`, "/"))
}

// place returns the citation of a line.
func place(name string, line int) string { return name + ":" + strconv.Itoa(line) }
