// Package adr writes the decision record of a session in the form of MADR, and reads the records of a folder: those that
// moot wrote, and others. Read is first: a new record says which of them it supersedes or conflicts with.
package adr

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/internal/regular"
	"moot/ledger"
	"moot/state"
)

const (
	// maxRecord is the maximum size of a record in bytes, and maxRecords the number of records that are read.
	maxRecord  = 1 << 20
	maxRecords = 10_000
)

// Record is a decision record in a folder.
type Record struct {
	// Number is the number at the beginning of the name of the file, or 0. File is the name.
	Number int
	File   string
	Title  string
	// Status is in lower case, or "".
	Status string
	// Options are the options that it considered, and Chosen is the one that it names as chosen, or "".
	Options []string
	Chosen  string
	// Origin holds the data that moot recorded in it, or nil. If something of moot is there that cannot be read, Damage says why.
	Origin *Origin
	Damage string
}

// Origin is the part of a record for programs.
type Origin struct {
	Schema string `json:"schema"`
	// Session is the ID of the session, Head the head of its chain when the record was written, and Question its title.
	Session  string `json:"session"`
	Head     string `json:"head"`
	Question string `json:"question"`
	// Workspace is the path from the folder of the record to the workspace of the session, in slash form, or "".
	Workspace string `json:"workspace"`
	// Points are the agreed and dismissed claims with the places that they rest on.
	Points []Point `json:"points"`
}

// Point is a claim with its evidence.
type Point struct {
	ID       string       `json:"id"`
	Text     string       `json:"text"`
	Bucket   state.Bucket `json:"bucket"`
	Evidence []Evidence   `json:"evidence"`
}

// Evidence is a place in a file, and the lines that were there.
type Evidence struct {
	ID        string          `json:"id"`
	Relation  ledger.Relation `json:"relation"`
	Reference string          `json:"reference"`
	Excerpt   string          `json:"excerpt"`
	// Quote holds the words of a seat, or "" if the lines alone were cited. Rests says that the ruling read it.
	Quote string `json:"quote"`
	Rests bool   `json:"rests"`
}

// SchemaName is the schema of Origin.
const SchemaName = ledger.Marker + "adr/1"

// Live reports whether a record still holds, as far as its status says.
func (r *Record) Live() bool {
	for _, over := range []string{"superseded", "deprecated", "rejected", "obsolete", "withdrawn"} {
		if strings.Contains(r.Status, over) {
			return false
		}
	}
	return true
}

// Name returns how people call a record: its number as it is written, or its file.
func (r *Record) Name() string {
	if match := named.FindStringSubmatch(r.File); match != nil && strings.HasPrefix(r.File, match[1]) {
		return match[1]
	}
	return plain.Line(r.File)
}

// Folder holds the records of a folder.
type Folder struct {
	Path string
	// Records are sorted by number, those without one last.
	Records []Record
	// Twice are the numbers that several records have.
	Twice []int
	// Unread are the files that could not be read.
	Unread []string
	// Width is the number of digits of a number.
	Width int
}

// Usual returns the folders that hold the decision records of a repository in common practice, in slash form.
func Usual() []string {
	return []string{
		"docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "docs/architecture/adr", "doc/adr",
		"doc/arch", "doc/architecture/decisions", "adr", "adrs", "decisions", "architecture/decisions",
	}
}

// Find returns the folder of the records below a folder: the one that .adr-dir names, or the first usual one, or "".
func Find(top string) string {
	if named, err := regular.Read(filepath.Join(top, ".adr-dir"), 4096); err == nil {
		dir := filepath.FromSlash(strings.TrimSpace(string(named)))
		if info, err := os.Stat(filepath.Join(top, dir)); filepath.IsLocal(dir) && err == nil && info.IsDir() {
			return filepath.Join(top, dir)
		}
	}
	for _, dir := range Usual() {
		path := filepath.Join(top, filepath.FromSlash(dir))
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path
		}
	}
	return ""
}

// named matches the names of records: 0007-use-x.md, ADR-7 use x.md, adr_007.md.
var named = regexp.MustCompile(`(?i)^(?:adr[-_ ]?)?(\d{1,6})(?:[-_. ].*)?\.(?:md|markdown)$`)

// Read reads the records of a folder. A Markdown file is a record if its name has a number, or if moot wrote it. The
// only error is a folder that cannot be read.
func Read(dir string) (Folder, error) {
	f := Folder{Path: dir, Width: 4}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("read the decision records: %w", err)
	}
	seen := map[int]int{}
	for _, entry := range entries {
		extension := strings.ToLower(filepath.Ext(entry.Name()))
		if entry.IsDir() || extension != ".md" && extension != ".markdown" {
			continue
		}
		if len(f.Records) == maxRecords {
			return f, fmt.Errorf("read the decision records: %s has more than %d; none of them was compared", dir, maxRecords)
		}
		match := named.FindStringSubmatch(entry.Name())
		r, err := ReadRecord(filepath.Join(dir, entry.Name()))
		switch {
		case err != nil && match != nil:
			f.Unread = append(f.Unread, plain.Line(entry.Name())+": "+err.Error())
		case err != nil || match == nil && r.Origin == nil && r.Damage == "":
			continue
		}
		if match != nil {
			if seen[r.Number]++; seen[r.Number] == 2 {
				f.Twice = append(f.Twice, r.Number)
			}
			f.Width = max(min(f.Width, len(match[1])), len(match[1]))
		}
		f.Records = append(f.Records, r)
	}
	f.Width = f.width()
	slices.SortStableFunc(f.Records, func(a, b Record) int {
		byNumber := cmp.Compare(a.Number, b.Number)
		if (a.Number == 0) != (b.Number == 0) {
			byNumber = -byNumber
		}
		return cmp.Or(byNumber, cmp.Compare(a.File, b.File))
	})
	slices.Sort(f.Twice)
	return f, nil
}

// width returns the digits of the last record, or 4.
func (f *Folder) width() int {
	width, last := 4, 0
	for i := range f.Records {
		if match := named.FindStringSubmatch(f.Records[i].File); match != nil && f.Records[i].Number >= last {
			width, last = len(match[1]), f.Records[i].Number
		}
	}
	return width
}

// Next returns the first number that is higher than all others.
func (f *Folder) Next() int {
	next := 1
	for i := range f.Records {
		next = max(next, f.Records[i].Number+1)
	}
	return next
}

// ReadRecord reads a record. One that cannot be read has its name and number only.
func ReadRecord(path string) (Record, error) {
	r := Record{File: filepath.Base(path)}
	if match := named.FindStringSubmatch(r.File); match != nil {
		r.Number, _ = strconv.Atoi(match[1])
	}
	text, err := regular.Read(path, maxRecord)
	if err != nil {
		return r, err
	}
	r.parse(strings.ToValidUTF8(string(text), "�"))
	return r, nil
}

var (
	statusLine = regexp.MustCompile(`(?i)^[-*]?\s*\**status\**\s*:\s*\**\s*(.+)$`)
	chosenLine = regexp.MustCompile(`(?i)^chosen option:?\**\s*:?\s*(?:"([^"]+)"|“([^”]+)”|\[([^\]]+)\]|'([^']+)'|([^,.]+))`)
	emphasis   = regexp.MustCompile("(^|[^\\\\])[*`]+")
	link       = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	escaped    = regexp.MustCompile(`\\([\\` + "`" + `*_{}\[\]()#+\-.!<>|~$&"'])`)
)

// originMark begins the comment with an Origin of any version.
const originMark = `<!-- {"schema":"` + ledger.Marker + `adr/`

// findOrigin reads what moot recorded. Its comment is the last one, and has no < in it: one before it is a quote.
func findOrigin(text string) (o *Origin, damage string) {
	at := strings.LastIndex(text, originMark)
	if at < 0 {
		return nil, ""
	}
	comment, _, whole := strings.Cut(text[at+len("<!-- "):], " -->")
	switch {
	case !whole:
		return nil, "the comment at its end, in which moot recorded the evidence, is cut off"
	case !strings.HasPrefix(comment, `{"schema":"`+SchemaName+`"`):
		return nil, "another version of moot recorded its evidence"
	}
	o = &Origin{}
	if err := json.Unmarshal([]byte(comment), o); err != nil {
		return nil, "the comment at its end, in which moot recorded the evidence, was changed: " + plain.Line(err.Error())
	}
	return o, ""
}

// parse reads the layouts in use: MADR with front matter, earlier MADR with a list on top, and Nygard's with sections.
func (r *Record) parse(text string) {
	r.Origin, r.Damage = findOrigin(text)
	section, fenced, front := "", false, false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "---" && (i == 0 || front):
			front = i == 0
			continue
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fenced = !fenced
			continue
		case fenced || line == "":
			continue
		}
		if hashes := len(line) - len(strings.TrimLeft(line, "#")); hashes > 0 && !front {
			heading := words(strings.Trim(line, "# "))
			if hashes == 1 && r.Title == "" {
				r.Title = heading
			} else {
				section = strings.ToLower(heading)
			}
			continue
		}
		if match := statusLine.FindStringSubmatch(line); match != nil && r.Status == "" && (front || section == "") {
			r.Status = strings.ToLower(strings.Trim(words(match[1]), `"' `))
		}
		if front {
			continue
		}
		switch {
		case section == "status" && r.Status == "":
			r.Status = strings.ToLower(words(line))
		case section == "considered options" && strings.IndexAny(line, "-*+") == 0:
			r.Options = append(r.Options, words(line[1:]))
		case r.Chosen == "":
			if match := chosenLine.FindStringSubmatch(strings.TrimLeft(line, "*_ ")); match != nil {
				r.Chosen = words(cmp.Or(match[1:]...))
			}
		}
	}
}

// words returns the text of a line of Markdown without links, emphasis and escapes, at most 300 characters.
func words(line string) string {
	line = link.ReplaceAllString(line, "$1")
	line = emphasis.ReplaceAllString(line, "$1")
	line = escaped.ReplaceAllString(line, "$1")
	return plain.Line(plain.Clip(line, 300))
}
