package ledger

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a reference: its length in bytes, the spans of a list, and the
// digits of a line number (a file of 16 MiB has at most 16,777,216 lines).
const (
	MaxReference = 4096
	MaxSpans     = 16
)

// Span is a run of lines, counted from 1, both ends included. A Span of
// ParseReference has 1 ≤ First ≤ Last.
type Span struct{ First, Last int }

// String is "12" or "12-18".
func (s Span) String() string {
	if s.First == s.Last {
		return strconv.Itoa(s.First)
	}
	return strconv.Itoa(s.First) + "-" + strconv.Itoa(s.Last)
}

// Spans is a list of lines, as "12-18,20".
func Spans(spans []Span) string {
	words := make([]string, len(spans))
	for i, s := range spans {
		words[i] = s.String()
	}
	return strings.Join(words, ",")
}

// Reference is a place in a file, as it was cited.
type Reference struct {
	// Path has slashes as separators, no "." and no empty elements. It may
	// still be absolute, hold ".." or the prefix of a diff: the checker resolves it.
	// In a permalink it counts from the repository's top.
	Path string
	// Spans has at most MaxSpans entries, ascending, none touching another. It is
	// empty if the reference names a file alone.
	Spans []Span
	// Commit is the full commit of a permalink in lower-case hex, or "".
	Commit string
	// other is another way to read the path: with the escapes that git puts into
	// quoted names, or without them.
	other string
}

// Within reports whether all lines of a reference are lines that another one names.
func (r Reference) Within(other Reference) bool {
	return !slices.ContainsFunc(r.Spans, func(span Span) bool {
		return !slices.ContainsFunc(other.Spans, func(o Span) bool {
			return o.First <= span.First &&
				span.Last <= o.Last
		})
	})
}

// String is the normal form, "path:12", "path:12-18" or "path:12,18-20";
// ParseReference reads it back. A permalink's commit is not part of it.
func (r Reference) String() string {
	path := r.Path
	if strings.ContainsFunc(path, func(c rune) bool { return c == '"' || unicode.IsControl(c) }) || !plainPath(path) {
		path = gitQuote(path)
	}
	if len(r.Spans) == 0 {
		return path
	}
	return path + ":" + Spans(r.Spans)
}

// plainPath reports whether a path is read back as it is when lines follow it.
func plainPath(path string) bool {
	again, why := readReference(path + ":1")
	return why == "" && again.Path == path
}

// Paths are the ways to read the path, the likelier first.
func (r Reference) Paths() []string {
	if r.other == "" || r.other == r.Path {
		return []string{r.Path}
	}
	return []string{r.Path, r.other}
}

// Place is a reference in a text.
type Place struct {
	Reference
	// From and To bound it with the marks around it, such as back-quotes or the link that leads there.
	From, To int
	// Weak says that it names a place only next to a quote: "handler:12" may be anything else.
	Weak bool
	// link is a permalink as it is written.
	link string
}

// ParseReference reads a text that is one reference, in any form that names one
// place: path:12, path:12-18 (also with a dash, "to" or ".."), path:12:3 (a
// column is dropped), path:12,18, path#L12-L18, path:L12, path(12), path line 12,
// path (lines 12-18), line 12 of path, [text](path:12), a permalink to a
// commit, and a path alone. Back-quotes, brackets, emphasis and punctuation
// around it are dropped, and so is a note behind it, as in "path:12 (Retry)".
// Paths may hold spaces, colons and any Unicode; backslashes become slashes.
// Everything else is an error: line 0, a range that runs backwards,
// control characters, text that is not UTF-8, over MaxReference bytes, over
// MaxSpans spans. It does not look at the file system.
func ParseReference(text string) (Reference, error) {
	if reference, is := normalReference(text); is {
		return reference, nil
	}
	reference, why := readReference(text)
	if why == "" {
		// The normal form is read back as the same place, also where escapes of a link hide what a text may not hold.
		again, unlike := readReference(Reference{Path: reference.Path, Spans: reference.Spans}.String())
		if why = unlike; why == "" && (again.Path != reference.Path || !slices.Equal(again.Spans, reference.Spans)) {
			why = "its path looks like one with lines"
		}
	}
	if why != "" {
		return Reference{}, fmt.Errorf("the reference %q cannot be read: %s; write path:12, path:12-18 or path:12,18",
			shortened(text, 200), why)
	}
	return reference, nil
}

// normalReference reads path:12 and path:12-18 with a plain path: what checks write and most seats cite. It is readReference
// without its patterns, since rulings read the references of their evidence again and again.
func normalReference(text string) (reference Reference, is bool) {
	path, lines, _ := cutLast(text, ":")
	first, last, isRange := strings.Cut(lines, "-")
	if !isRange {
		last = first
	}
	span := Span{First: lineNumber(first), Last: lineNumber(last)}
	slash := strings.LastIndexByte(path, '/')
	dot := strings.LastIndexByte(path, '.')
	if span.First == 0 || span.Last < span.First || dot < slash+2 || len(text) > MaxReference {
		return Reference{}, false
	}
	for i := range len(path) {
		c := path[i]
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		isInside := '0' <= c && c <= '9' || c == '_' || c == '/' || c == '.'
		// Both ends are letters, and each slash and dot follows a letter, a digit or an underscore.
		if !isLetter && (!isInside || i == 0 || i == len(path)-1 || (c == '/' || c == '.') && !isWord(path[i-1])) {
			return Reference{}, false
		}
	}
	return Reference{Path: path, Spans: []Span{span}}, true
}

// isWord reports whether a byte is a letter, a digit or an underscore.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// lineNumber reads a number of at most 8 digits that does not begin with 0, or returns 0.
func lineNumber(digits string) int {
	if digits == "" || len(digits) > 8 || digits[0] == '0' {
		return 0
	}
	n := 0
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

func readReference(text string) (reference Reference, why string) {
	switch {
	case len(text) > MaxReference:
		return reference, fmt.Sprintf("it is over %d bytes long", MaxReference)
	case !utf8.ValidString(text):
		return reference, "it is not UTF-8"
	case strings.ContainsFunc(text, unicode.IsControl):
		return reference, "it holds a control character"
	}
	text = unwrap(text)
	if strings.Contains(text, "://") {
		if scheme, _, _ := strings.Cut(text, "://"); isScheme(scheme) {
			return readLink(text)
		}
	}
	if _, target, link := strings.Cut(text, "]("); link && strings.HasPrefix(text, "[") {
		if end := strings.LastIndexByte(target, ')'); end >= 0 {
			return readReference(target[:end] + target[end+1:])
		}
	}
	if m := linesOf.FindStringSubmatchIndex(text); m != nil && m[0] == 0 {
		if reference.Spans, why = readSpans(text[m[2]:m[3]]); why != "" {
			return Reference{}, why
		}
		return withPath(reference, text[m[1]:])
	}
	// The last mark of lines counts, unless a word follows it that belongs to a name.
	for _, m := range slices.Backward(linesAfter.FindAllStringSubmatchIndex(text, maxMarks)) {
		if !boundary(text, m[1]) || !isNote(text[m[1]:]) {
			continue
		}
		if strings.Trim(text[:m[0]], "`\"*_[(<") == "" {
			return reference, "it names no file"
		}
		if reference.Spans, why = readSpans(linesOfMark(text, m)); why != "" {
			return Reference{}, why
		}
		return withPath(reference, text[:m[0]])
	}
	if path, symbol, named := cutLast(text, ":"); named && hasExtension(path) {
		// "store.go:Retry" names the file. Digits that are no line are an error.
		if strings.Trim(symbol, "0123456789-– ") == "" || strings.ContainsAny(symbol, `/\`) {
			return reference, fmt.Sprintf("%q is no line and no range of lines", shortened(symbol, 40))
		}
		text = path
	}
	return withPath(reference, text)
}

// maxMarks bounds the marks of lines that are looked at in one text.
const maxMarks = 400

// The numbers of lines. tight forms hold no blanks, except around "to"; loose ones follow a word for lines.
const (
	aLine  = `[~≈]?L?\d{1,9}(?:[:C]\d{1,9})?\+?`
	tight  = aLine + `(?:(?:[-‐‑–—−~～至到]|\.{2,3}|…| to | through )` + aLine + `)?`
	listed = tight + `(?:[,、]` + tight + `)*`
	aLoose = aLine + `(?:[ ]?(?:[-‐‑–—−~～至到]|\.{2,3}|…|to|through|and|und|et)[ ]?` + aLine + `)?`
	loose  = aLoose + `(?:(?:[,、][ ]?|[ ]and[ ]|,[ ]and[ ])` + aLoose + `)*`
	// aWord is the word for lines in some languages.
	aWord = `(?:[Ll]ines?|[Ll]n\.?|Zeilen?|[Ll]ignes?|[Ll]íneas?|[Rr]igh?[ae]|[Ll]inhas?)`
)

var (
	// linesAfter finds the lines behind a path. Its groups, one of which matched, are: the lines behind a colon, with
	// a blank, behind #, in brackets with a word, in brackets alone, behind a word or L, behind @, in Chinese.
	linesAfter = regexp.MustCompile(`(?:::?|：)(` + listed + `)` +
		`|[ ]?(?::|：)[ ](` + listed + `)|[ ](?::|：)(` + listed + `)` +
		`|#(` + listed + `)` +
		`|[ ]?[(（](?:at |on )?` + aWord + `[ ]?(` + loose + `)[)）]` +
		`|\((\d{1,9}(?:,[ ]?\d{1,9})?)\)` +
		`|[,，]?[ ](?:at |on |near |around |in )?(?:the )?` + aWord + `[ ]?(` + loose + `)` +
		`|[,，]?[ ](L\d` + `[\dL,:–—-]*)` +
		`|[ ]@[ ]?(` + tight + `)` +
		`|[ ,，]*(?:的|在)?[ ]?[(（]?第[ ]?(` + loose + `)[ ]?[行至][)）]?`)
	// linesOf finds "line 5 of" in front of a path.
	linesOf = regexp.MustCompile(`(?:^|\b)` + aWord + `[ ](` + loose +
		`),?[ ](?:of|in|from|von|in der Datei|de|di|do)[ ](?:the )?(?:file )?`)
	// linesAlone finds "line 5" of a file that was named before.
	linesAlone = regexp.MustCompile(`\b` + aWord + `[ ](` + loose + `)`)
	// numbered finds a number of lines, with its column.
	numbered = regexp.MustCompile(`(\d{1,9})(?:[:C]\d{1,9})?`)
	// note finds what may follow a reference: nothing, or words apart from it.
	note = regexp.MustCompile(`^[\s"'` + "`" + `*_.,;:!?。，；：）」』》)>\]–—+-]*(?:$|[\s(（\[,;，])`)
)

// The groups of linesAfter.
const (
	afterColon = 1 + iota
	beforeBlank
	behindBlank
	afterHash
	inBracketsWithWord
	inBrackets
	afterWord
	afterL
	afterAt
	inChinese
)

// markOf returns the group of linesAfter that matched.
func markOf(match []int) int {
	for i := afterColon; i < inChinese; i++ {
		if match[2*i] >= 0 {
			return i
		}
	}
	return inChinese
}

// linesOfMark returns the lines of a match of linesAfter.
func linesOfMark(text string, match []int) string {
	mark := markOf(match)
	lines := text[match[2*mark]:match[2*mark+1]]
	if mark == inBrackets {
		// A line and its column.
		lines, _, _ = strings.Cut(lines, ",")
	}
	return lines
}

// boundary reports whether a number ends where a match does: "5ms" and "5.2" are no lines.
func boundary(text string, end int) bool {
	next := text[end:]
	if next == "" {
		return true
	}
	c := next[0]
	dotted := c == '.' && len(next) > 1 && '0' <= next[1] && next[1] <= '9'
	return !dotted && c != '/' && c != '_' && c != '%' &&
		!('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
}

// isNote reports whether a text may stand behind a reference without being a part of it.
func isNote(text string) bool { return note.MatchString(text) }

// unwrap drops what encloses a whole text, and punctuation at its end.
func unwrap(text string) string {
	for {
		before := text
		text = strings.TrimRight(strings.TrimSpace(text), ",;!。，；：、！")
		if len(text) > 1 && (text[len(text)-1] == '.' || text[len(text)-1] == ':') {
			text = text[:len(text)-1]
		}
		for _, pair := range [][2]string{
			{"**", "**"},
			{"`", "`"},
			{"(", ")"},
			{"[", "]"},
			{"<", ">"},
			{"“", "”"},
			{"（", "）"},
			{"「", "」"},
			{"『", "』"},
			{"《", "》"},
			{"【", "】"},
			{"‘", "’"},
			{"'", "'"},
			{"*", "*"},
		} {
			inner, opened := strings.CutPrefix(text, pair[0])
			inner, closed := strings.CutSuffix(inner, pair[1])
			// "(a)/b:1 (c)" is not enclosed.
			if opened && closed && inner != "" && !strings.Contains(inner, pair[1]) {
				text = inner
			}
		}
		if inner, quoted := gitUnquote(text); quoted && linesAfter.MatchString(inner) {
			text = inner
		}
		if text == before {
			return text
		}
	}
}

// cutLast cuts a text around the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}

// readSpans reads a list of lines and ranges. Columns are dropped.
func readSpans(text string) (spans []Span, why string) {
	// "(5,3)" is a line with its column only behind a bracket, where the caller cut it.
	items := strings.FieldsFunc(strings.NewReplacer(" and ", ",", "、", ",").Replace(text),
		func(c rune) bool { return c == ',' })
	if len(items) > MaxSpans {
		return nil, fmt.Sprintf("it lists over %d places", MaxSpans)
	}
	for _, item := range items {
		numbers := numbered.FindAllStringSubmatch(item, 3)
		if len(numbers) == 0 || len(numbers) > 2 {
			return nil, fmt.Sprintf("%q is no line and no range of lines", shortened(item, 40))
		}
		first, _ := strconv.Atoi(numbers[0][1])
		last, _ := strconv.Atoi(numbers[len(numbers)-1][1])
		switch {
		case first == 0 || last == 0:
			return nil, "lines count from 1"
		case last < first:
			return nil, fmt.Sprintf("the range %d-%d runs backwards", first, last)
		}
		spans = append(spans, Span{first, last})
	}
	return mergeSpans(spans), ""
}

// mergeSpans sorts spans and joins those that overlap or touch.
func mergeSpans(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last))
	})
	merged := spans[:1]
	for _, s := range spans[1:] {
		if end := &merged[len(merged)-1]; s.First <= end.Last+1 {
			end.Last = max(end.Last, s.Last)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// withPath adds the path that a text names to a reference.
func withPath(reference Reference, text string) (Reference, string) {
	text = strings.TrimSpace(text)
	if inner, quoted := gitUnquote(text); quoted {
		reference.Path, reference.other = inner, cleanPath(strings.Trim(text, `"`))
		if reference.Path != strings.TrimSpace(reference.Path) || reference.Path == "" {
			return Reference{}, "it names no file"
		}
		return reference, ""
	}
	for {
		before := text
		text = strings.TrimSpace(strings.Trim(text, "`\"*“”"))
		for _, pair := range [][2]string{{"[", "]"}, {"<", ">"}, {"「", "」"}, {"《", "》"}, {"(", ")"}} {
			inner, opened := strings.CutPrefix(text, pair[0])
			if inner, closed := strings.CutSuffix(inner, pair[1]); opened && closed &&
				!strings.Contains(inner, pair[0]) {
				text = inner
			}
		}
		if _, target, link := strings.Cut(text, "]("); link && strings.HasPrefix(text, "[") &&
			strings.HasSuffix(target, ")") {
			text = target[:len(target)-1]
		}
		if text == before {
			break
		}
	}
	if strings.Contains(text, "://") {
		return Reference{}, "it is a link, and no permalink to a file at a commit"
	}
	reference.Path = cleanPath(strings.TrimRight(text, ":：, "))
	switch path := reference.Path; {
	case path == "" || path == "/":
		return Reference{}, "it names no file"
	case path != strings.TrimSpace(path):
		return Reference{}, "its path begins or ends with a blank"
	case !strings.ContainsFunc(path, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsDigit(c) ||
			unicode.IsSymbol(c)
	}):
		return Reference{}, "it names no file"
	}
	return reference, ""
}

// cleanPath gives a path slashes and takes "." and empty elements out of it. A
// leading slash stays, so that an absolute path is still known as one.
func cleanPath(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), `\`, "/")
	elements := strings.Split(text, "/")
	kept := slices.DeleteFunc(elements, func(e string) bool { return e == "" || e == "." })
	path := strings.Join(kept, "/")
	if strings.HasPrefix(text, "/") {
		path = "/" + path
	}
	return path
}

// gitUnquote reads a name in double quotes as git writes those with special
// characters: "quo\"te.txt", "\303\234.txt". It reports false if the text is
// not such a name.
func gitUnquote(text string) (name string, quoted bool) {
	if len(text) < 3 || text[0] != '"' || text[len(text)-1] != '"' {
		return "", false
	}
	var out []byte
	for inner := text[1 : len(text)-1]; inner != ""; {
		if inner[0] == '"' {
			return "", false
		}
		if inner[0] != '\\' {
			out, inner = append(out, inner[0]), inner[1:]
			continue
		}
		if len(inner) < 2 {
			return "", false
		}
		if i := strings.IndexByte(`"\abfnrtv`, inner[1]); i >= 0 {
			out, inner = append(out, "\"\\\a\b\f\n\r\t\v"[i]), inner[2:]
			continue
		}
		if len(inner) < 4 {
			return "", false
		}
		octal, err := strconv.ParseUint(inner[1:4], 8, 8)
		if err != nil {
			return "", false
		}
		out, inner = append(out, byte(octal)), inner[4:]
	}
	return string(out), utf8.Valid(out) && !slices.Contains(out, 0)
}

// gitQuote is the opposite of gitUnquote.
func gitQuote(name string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range []byte(name) {
		i := strings.IndexByte("\"\\\a\b\f\n\r\t\v", c)
		switch {
		case i >= 0:
			out.WriteString(`\` + `"\abfnrtv`[i:i+1])
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// shortened returns at most limit bytes of a text, whole characters.
func shortened(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// isScheme reports whether what stands before "://" is a URL's scheme
// (RFC 3986, 3.1).
func isScheme(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return text != "" && strings.ContainsRune(letters, rune(text[0])) &&
		strings.Trim(text, letters+"0123456789+-.") == ""
}

// readLink reads a permalink, https://HOST/OWNER/REPOSITORY/blob/COMMIT/PATH#L1-L2 or
// GitLab's https://HOST/GROUP/…/-/blob/COMMIT/PATH#L1-2, on any host, and links of
// editors to local files (file:///PATH#L1, vscode://file/PATH:1). Only a full commit (40 or
// 64 hex digits) makes a link permanent: a branch, a tag or a shortened commit
// is refused. A query ("?plain=1") does not count.
func readLink(text string) (reference Reference, why string) {
	for _, scheme := range []string{
		"file://", "vscode://file", "vscode-insiders://file", "cursor://file",
		"idea://open?file=",
	} {
		if path, local := strings.CutPrefix(text, scheme); local {
			if strings.Contains(path, "://") {
				break
			}
			path = strings.TrimPrefix(path, "localhost")
			if decoded, err := url.PathUnescape(path); err == nil {
				path = decoded
			}
			return readReference(path)
		}
	}
	link, err := url.Parse(text)
	if err != nil || (link.Scheme != "https" && link.Scheme != "http") {
		return reference, "it is a link, and no permalink to a commit"
	}
	commit, path, found := cutBlob(link.Path)
	switch {
	case !found:
		return reference, "it is a link, and no permalink to a file at a commit"
	case !IsCommit(commit):
		return reference, "the link names a branch, a tag or a shortened commit, which can change; use the full commit"
	case !permalinkLines.MatchString(link.Fragment):
		return reference, "the link names no line"
	}
	if reference.Spans, why = readSpans(link.Fragment); why != "" {
		return Reference{}, why
	}
	reference.Commit, reference.Path = commit, cleanPath(path)
	switch {
	case reference.Path == "" || reference.Path == "/":
		return Reference{}, "it names no file"
	case !utf8.ValidString(path):
		return Reference{}, "it is not UTF-8"
	case strings.ContainsFunc(path, unicode.IsControl):
		return Reference{}, "it holds a control character"
	}
	return reference, ""
}

var permalinkLines = regexp.MustCompile(`^L\d{1,9}(?:C\d+)?(?:-L?\d{1,9}(?:C\d+)?)?$`)

// cutBlob takes the commit and the file's path out of a permalink's path.
func cutBlob(path string) (commit, file string, found bool) {
	_, rest, found := strings.Cut(path, "/-/blob/")
	if !found {
		// "", owner, repository, "blob", commit, path.
		parts := strings.SplitN(path, "/", 5)
		if len(parts) < 5 || parts[3] != "blob" {
			return "", "", false
		}
		rest = parts[4]
	}
	return strings.Cut(rest, "/")
}

// IsCommit reports whether a text is a full git object name in lower-case hex:
// 40 digits for SHA-1, 64 for SHA-256.
func IsCommit(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
