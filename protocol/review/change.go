package review

import (
	"regexp"
	"strconv"
	"strings"

	"moot/internal/enum"
)

// Change is the change under review, as the session stores it. It is read once, when the session is opened.
type Change struct {
	// Title names the change, as in "Review of 3 commits on branch work (5 files)".
	Title string `json:"title"`
	// Base and Head are the commits that are compared. Base is "" if there is no commit before, Head is "" for the
	// working tree, the index and a patch.
	Base string `json:"base"`
	Head string `json:"head"`
	// Branch is the branch or the pull request that the change is on, or "". Repository identifies the repository, so
	// that its earlier reviews are found: the commit without a parent that its history begins with, or its folder.
	Branch     string `json:"branch"`
	Repository string `json:"repository"`
	// Files are the changed files, in the order of the diff, also those that nobody is shown.
	Files []File `json:"files"`
}

// Status says whether a file was added, modified, deleted or renamed.
type Status string

// The statuses.
const (
	Added    Status = "added"
	Modified Status = "modified"
	Deleted  Status = "deleted"
	Renamed  Status = "renamed"
)

// Statuses returns every Status.
func Statuses() []Status { return []Status{Added, Modified, Deleted, Renamed} }

// UnmarshalText takes the known words only.
func (s *Status) UnmarshalText(text []byte) error {
	return enum.Unmarshal("status of a file", text, Statuses(), s)
}

// File is a changed file.
type File struct {
	// Path is the path after the change, or before it if the file was deleted. From is the path before it if the file
	// was renamed, or "".
	Path   string `json:"path"`
	From   string `json:"from"`
	Status Status `json:"status"`
	// Lines and Was are the numbers of lines after the change and before it, 0 if there is no such file.
	Lines int `json:"lines"`
	Was   int `json:"was"`
	// Diff is the unified diff of the file with the functions around its hunks, without secrets. It is "" if nobody is
	// shown it.
	Diff string `json:"diff"`
	// Around names what lies beside the file in its folder, after the change.
	Around []string `json:"around"`
	// Ignored says why the user left the file out of the review, or is "".
	Ignored string `json:"ignored"`
	// Generated says that the file is a lock file or generated code, by its name. Such files are cut first.
	Generated bool `json:"generated"`
}

// Hunk is a part of a diff: the lines [From, To] after the change and [WasFrom, WasTo] before it. A side without lines
// has To < From.
type Hunk struct {
	From, To, WasFrom, WasTo int
	// Symbol is the function or type that git names for it, or "".
	Symbol string
	Lines  []Line
}

// Line is a line of a hunk. Its number on a side that does not have it is 0.
type Line struct {
	// Sign is '+' for an added line, '-' for a removed one, ' ' for one on both sides.
	Sign     byte
	Now, Was int
	Text     string
}

// Hunks reads the hunks of the diff. It skips other lines.
func (f *File) Hunks() []Hunk {
	var hunks []Hunk
	now, was := 0, 0
	for text := range strings.Lines(f.Diff) {
		text = strings.TrimSuffix(text, "\n")
		if h, ok := hunkOf(text); ok {
			hunks = append(hunks, h)
			now, was = h.From, h.WasFrom
			continue
		}
		if len(hunks) == 0 || text == "" {
			continue
		}
		h := &hunks[len(hunks)-1]
		line := Line{Sign: text[0], Text: text[1:]}
		switch line.Sign {
		case '+':
			line.Now = now
			now++
		case '-':
			line.Was = was
			was++
		case ' ':
			line.Now, line.Was = now, was
			now++
			was++
		default:
			continue
		}
		h.Lines = append(h.Lines, line)
		h.To, h.WasTo = now-1, was-1
	}
	return hunks
}

// hunkLine is the first line of a hunk: "@@ -4,2 +5 @@ func main() {".
var hunkLine = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$`)

// hunkOf reads the first line of a hunk.
func hunkOf(line string) (Hunk, bool) {
	found := hunkLine.FindStringSubmatch(line)
	if found == nil {
		return Hunk{}, false
	}
	side := func(from, count string) (first, last int) {
		first, _ = strconv.Atoi(from)
		n := 1
		if count != "" {
			n, _ = strconv.Atoi(count)
		}
		if n == 0 {
			// git names the line before a side that has none.
			first++
		}
		return first, first - 1
	}
	h := Hunk{Symbol: strings.TrimSpace(found[5])}
	h.WasFrom, h.WasTo = side(found[1], found[2])
	h.From, h.To = side(found[3], found[4])
	return h, true
}
