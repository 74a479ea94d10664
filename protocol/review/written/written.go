// Package written reads reviews that somebody wrote in any layout, not in moves: Markdown with headings, lists, tables
// or prose, the comments of review products, SARIF, rdjson, and JSON with fields of many names. It reads a text and
// knows no files: whether a place exists is for others to check. What a text does not say stays empty.
//
// Start at Read. In markdown.go, a text becomes blocks, and blocks become findings; data.go reads JSON.
package written

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
)

// Bounds of a review: its length in bytes, its findings, and the citations of one finding.
const (
	MaxText      = 1 << 20
	MaxFindings  = 1000
	maxCitations = 40
)

// Layout is how a review is written.
type Layout string

// The layouts.
const (
	Markdown       Layout = "Markdown"
	SARIF          Layout = "SARIF"
	RDJSON         Layout = "rdjson"
	GitHubComments Layout = "review comments of GitHub"
	JSON           Layout = "JSON"
)

// Review holds the findings of a text.
type Review struct {
	Layout   Layout
	Findings []Finding
	// More counts the findings behind MaxFindings.
	More int
	// Nothing says that the text has no findings and says so; NothingText is its sentence, or "" for an empty list.
	Nothing     bool
	NothingText string
	// Cut says that only the first MaxText bytes were read.
	Cut bool

	// blocks are those of Markdown, and read how many bytes were read.
	blocks *blocks
	read   int
}

// Finding is one finding. Each field is "" or 0 if the text does not say it.
type Finding struct {
	Path      string
	Line, End int
	// Severity and Category are the words of the text.
	Severity, Category string
	// Tool and Rule are those of SARIF, which say who found it by which rule.
	Tool, Rule string
	// What is the title or first sentence, Why the rest.
	What, Why, Fix string
	Blocks         []Block
	Citations      []Citation
	// From and To bound the finding in the text that was read.
	From, To int
}

// Block is code that a finding shows.
type Block struct {
	Language, Text string
	// Fix says that the block proposes code, so that it quotes nothing.
	Fix bool
	// Quoted says that it is the value of a field for the code of the place.
	Quoted bool
	// From and To bound its lines in the text, without its fence.
	From, To int
}

// Citation is a place that a finding names. A place without a path ("line 5") belongs to the file named before it.
type Citation struct {
	ledger.Reference
	// Inherited says that its file was named before it.
	Inherited bool
	// Weak says that it may be anything else, such as "handler:12", unless there is such a file. Findings have no such ones.
	Weak bool
	// From and To bound it in the text.
	From, To int
}

// Source is the text that a finding was read from.
func (f *Finding) Source(text string) string { return text[f.From:f.To] }

// Read reads a review. Offsets count the bytes of text.
func Read(text string) Review {
	whole := text
	text = text[:cutText(text)]
	r, ok := readData(text)
	if !ok {
		r = readMarkdown(text)
	}
	r.Cut, r.read = len(text) < len(whole), len(text)
	if more := len(r.Findings) - MaxFindings; more > 0 {
		r.Findings, r.More = r.Findings[:MaxFindings], more
	}
	return r
}

// ReadData reads a text that is JSON or JSON Lines, such as the report of a tool, of any length. ok is false if it has no
// findings in that form, or more than can be read. More than MaxFindings are returned.
func ReadData(text string) (r Review, ok bool) { return reviewOf(valuesIn(text, 0)) }

// addCitations adds the places in a text, which begins at offset at of the source. moved maps offsets in the text if
// they are not those of the source.
func (f *Finding) addCitations(text string, at int, moved func(int) int) {
	file := f.Path
	if n := len(f.Citations); n > 0 {
		file = f.Citations[n-1].Path
	}
	for _, p := range findPlaces(text) {
		if len(f.Citations) == maxCitations {
			return
		}
		if p.Weak {
			continue
		}
		c := Citation{Reference: p.Reference, From: at + p.From, To: at + p.To}
		if moved != nil {
			c.From, c.To = moved(p.From), moved(p.To)
		}
		if c.Path = cleanPath(c.Path); c.Path == "" {
			c.Path = file
		}
		if c.Path != "" {
			file = c.Path
			f.Citations = append(f.Citations, c)
		}
	}
}

// productPlaces are places that only products write: "queue/lock.go [12-20]", perhaps as the text of a link, "`queue/lock.go`
// (L12)", and a link to a branch with the place as its text.
var productPlaces = []*regexp.Regexp{ //nolint:gochecknoglobals // a table
	regexp.MustCompile("\\[?([^\\s\\[\\]()<>*`|,;:]+\\.[A-Za-z0-9]+) ?\\[(\\d{1,9})(?:-(\\d{1,9}))?\\](?:\\]\\([^)\\s]*\\))?"),
	regexp.MustCompile("`?([^\\s\\[\\]()<>*`|,;:]+\\.[A-Za-z0-9]+)[`*]* \\(L(\\d{1,9})(?:[-–]L?(\\d{1,9}))?\\)"),
	regexp.MustCompile("\\[`?([^\\s\\[\\]()<>*`|,;:#]+\\.[A-Za-z0-9]+)(?:#L|:L?)(\\d{1,9})(?:-L?(\\d{1,9}))?`?\\]\\(https?://[^)\\s]*\\)"),
}

// findPlaces returns the places in a text, also those that only products write.
func findPlaces(text string) []ledger.Place {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	found := ledger.FindPlaces(text, maxCitations)
	if !strings.ContainsAny(text, "[(") {
		return found
	}
	for _, pattern := range productPlaces {
		for _, m := range pattern.FindAllStringSubmatchIndex(text, maxCitations) {
			path := text[m[2]:m[3]]
			first, _ := strconv.Atoi(text[m[4]:m[5]])
			last := first
			if m[6] >= 0 {
				last, _ = strconv.Atoi(text[m[6]:m[7]])
			}
			taken := slices.ContainsFunc(found, func(p ledger.Place) bool { return p.From < m[1] && m[0] < p.To })
			if !taken && first > 0 && last >= first && ledger.IsFile(path) {
				place := ledger.Place{From: m[0], To: m[1]}
				place.Path, place.Spans = path, []ledger.Span{{First: first, Last: last}}
				at, _ := slices.BinarySearchFunc(found, m[0], func(p ledger.Place, from int) int { return p.From - from })
				found = slices.Insert(found, at, place)
			}
		}
	}
	return found
}

// settle takes the first place of a finding as its own if it has none.
func (f *Finding) settle() {
	for i := range f.Citations {
		c := &f.Citations[i]
		if len(c.Spans) > 0 && f.Line == 0 && (f.Path == "" || f.Path == c.Path) {
			f.Path, f.Line, f.End = c.Path, c.Spans[0].First, c.Spans[0].Last
		}
	}
	f.End = max(f.Line, f.End)
	f.What, f.Why, f.Fix = strings.TrimSpace(f.What), strings.TrimSpace(f.Why), strings.TrimSpace(f.Fix)
}

// cleanPath drops what products write around a path.
func cleanPath(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.Trim(path, " \t`*\"'"), "@"), "./")
}

var (
	// nothing finds the words of a review that found nothing, unless says that it did find something.
	nothing = regexp.MustCompile(`(?i)\b(?:no (?:(?:new|actionable|obvious|apparent|real|major|significant|correctness|potential|code|review|such|and|or|issues?|bugs?|problems?) ){0,3}(?:issues?|problems?|findings?|bugs?|concerns?|defects?|comments?)\b|` +
		`lgtm\b|looks good\b|nothing (?:was )?(?:found|to report|wrong)|(?:found|see|have) nothing\b|` +
		`(?:did not|didn't|could not|couldn't) find any|no changes (?:requested|needed)|ship it\b|` +
		`keine (?:weiteren |offensichtlichen |neuen )?(?:fehler|befunde|probleme|mängel)|nichts (?:gefunden|zu beanstanden)|` +
		`aucun (?:problème|défaut)|sin problema|ningún problema|no (?:se encontraron|encontré|hay) (?:problema|errore)s)|` +
		`(?:没有|未)(?:发现|發現)?(?:任何)?(?:明显)?(?:问题|問題|缺陷)|問題(?:は)?(?:ありません|なし)`)
	unless = regexp.MustCompile(`(?i)\b(?:except|but|however|apart from|other than|although|besides|though|aber|jedoch|außer|pero|excepto)\b|但|不过`)
	// sentenceEnd ends a sentence.
	sentenceEnd = regexp.MustCompile(`[.!?](?:["'”)*_]*)(?:\s+|$)|[。！？]\s*|\n`)
)

// nothingIn returns the sentence of a text that says that nothing was found, or "".
func nothingIn(text string) string {
	for _, m := range nothing.FindAllStringIndex(text, maxCitations) {
		from, to := 0, len(text)
		for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
			if end[1] <= m[0] {
				from = end[1]
			} else if end[0] >= m[1] {
				to = end[1]
				break
			}
		}
		// The next sentence may take it back.
		next := to
		if end := sentenceEnd.FindStringIndex(text[to:]); end != nil {
			next += end[1]
		} else {
			next = len(text)
		}
		if !unless.MatchString(text[from:next]) {
			return strings.Trim(strings.ReplaceAll(strings.Join(strings.Fields(text[from:to]), " "), "**", ""), "#*_`> \t")
		}
	}
	return ""
}
