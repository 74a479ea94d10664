package research

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/internal/lists"
)

// Bounds of a reference: its length in bytes, the spans of a list, and the
// digits of a line number (a file of MaxFile bytes has at most 16,777,216 lines).
const (
	MaxReference = 4096
	MaxSpans     = 16
	maxDigits    = 9
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

// Reference is the place of a quote.
type Reference struct {
	// Path has slashes as separators, no "." and no empty elements. It is as
	// the citation gave it: it may still be absolute or hold "..", which the
	// check refuses. In a permalink it counts from the repository's top.
	Path string
	// Spans has 1 to MaxSpans entries, ascending, none touching another.
	Spans []Span
	// Commit is the full commit of a permalink in lower-case hex, or "".
	Commit string
}

// String is the normal form, "path:12", "path:12-18" or "path:12,18-20";
// ParseReference reads it back. A permalink's commit is not part of it.
func (r Reference) String() string { return r.Path + ":" + spanList(r.Spans) }

// spanList is "12-18,20".
func spanList(spans []Span) string {
	words := lists.Map(spans, func(s Span) string { return s.String() })
	return strings.Join(words, ",")
}

// ParseReference reads a reference in one of the forms of the evidence rules:
// path:12, path:12-18, path:12,18, path#L12, path#L12-L18, path (line 12),
// path (lines 12-18), [text](path:12), and a permalink to a commit as GitHub and GitLab write
// it. Paths may hold spaces, colons and any Unicode; backslashes become
// slashes. Everything else is an error: no line, line 0, a range that
// runs backwards, control characters, text that is not UTF-8, over MaxReference
// bytes, over MaxSpans spans. It does not look at the file system.
func ParseReference(text string) (Reference, error) {
	reference, why := parseReference(text)
	if why != "" {
		return Reference{}, fmt.Errorf("the reference %q cannot be read: %s; write path:12, path:12-18 or path:12,18",
			cut(text, 200), why)
	}
	return reference, nil
}

func parseReference(text string) (reference Reference, why string) {
	switch {
	case len(text) > MaxReference:
		return reference, fmt.Sprintf("it is over %d bytes long", MaxReference)
	case !utf8.ValidString(text):
		return reference, "it is not UTF-8"
	case strings.ContainsFunc(text, unicode.IsControl):
		return reference, "it holds a control character"
	}
	text = strings.TrimSpace(text)
	if scheme, _, found := strings.Cut(text, "://"); found && isScheme(scheme) {
		return parsePermalink(text)
	}
	if inner, link := strings.CutSuffix(text, ")"); link && strings.HasPrefix(text, "[") {
		// [text](path:12)
		if _, target, ok := strings.Cut(inner, "]("); ok {
			text = target
		}
	}
	path, lines, marked := cutLines(text)
	if path == "" && lines == "" {
		return reference, "it names no line"
	}
	if reference.Spans, why = parseSpans(lines, marked); why == "" {
		reference.Path, why = parsePath(path)
	}
	return reference, why
}

// cutLines parts a reference into its path and its lines. Marked says that the
// numbers bear an L, as after "#". Both parts are "" when there are no lines.
func cutLines(text string) (path, lines string, marked bool) {
	if inner, found := strings.CutSuffix(text, ")"); found {
		for _, open := range []string{"(line ", "(lines "} {
			if i := strings.LastIndex(inner, open); i >= 0 {
				return inner[:i], inner[i+len(open):], false
			}
		}
	}
	hash, colon := strings.LastIndex(text, "#L"), strings.LastIndexByte(text, ':')
	switch {
	case hash > colon:
		return text[:hash], text[hash+1:], true
	case colon >= 0:
		return text[:colon], text[colon+1:], false
	}
	return "", "", false
}

// parseSpans reads "12", "12-18" and lists of them; marked, it reads "L12",
// "L12-L18" and "L12-18", and no list.
func parseSpans(text string, marked bool) (spans []Span, why string) {
	items := strings.Split(text, ",")
	if marked {
		items = []string{text}
	}
	if len(items) > MaxSpans {
		return nil, fmt.Sprintf("it lists over %d places", MaxSpans)
	}
	for _, item := range items {
		first, last, ranged := strings.Cut(item, "-")
		if !ranged {
			last = first
		}
		if marked {
			first, last = strings.TrimPrefix(first, "L"), strings.TrimPrefix(last, "L")
		}
		var span Span
		var ok bool
		if span.First, ok = parseLine(first); ok {
			span.Last, ok = parseLine(last)
		}
		switch {
		case !ok:
			return nil, fmt.Sprintf("%q is no line and no range of lines", cut(item, 40))
		case span.First == 0 || span.Last == 0:
			return nil, "lines count from 1"
		case span.Last < span.First:
			return nil, fmt.Sprintf("the range %d-%d runs backwards", span.First, span.Last)
		}
		spans = append(spans, span)
	}
	return mergeSpans(spans), ""
}

// parseLine reads decimal digits with blanks around them.
func parseLine(text string) (int, bool) {
	text = strings.Trim(text, " ")
	if text == "" || len(text) > maxDigits || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
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

// parsePath gives a path slashes and takes "." and empty elements out of it. A
// leading slash stays, so that an absolute path is still known as one.
func parsePath(text string) (path, why string) {
	text = strings.ReplaceAll(strings.TrimSpace(text), `\`, "/")
	elements := strings.Split(text, "/")
	kept := slices.DeleteFunc(elements, func(e string) bool { return e == "" || e == "." })
	path = strings.Join(kept, "/")
	if strings.HasPrefix(text, "/") {
		path = "/" + path
	}
	switch {
	case path == "" || path == "/":
		return "", "it names no file"
	case path != strings.TrimSpace(path):
		return "", "its path begins or ends with a blank"
	}
	return path, ""
}

// cut returns at most limit bytes of a text, whole characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:whole(text, limit)]
}

// isScheme reports whether what stands before "://" is a URL's scheme
// (RFC 3986, 3.1).
func isScheme(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return text != "" && strings.ContainsRune(letters, rune(text[0])) &&
		strings.Trim(text, letters+"0123456789+-.") == ""
}

// parsePermalink reads https://HOST/OWNER/REPOSITORY/blob/COMMIT/PATH#L1-L2 and
// GitLab's https://HOST/GROUP/…/-/blob/COMMIT/PATH#L1-2, on any host. Only a
// full commit (40 or 64 hex digits) makes a link permanent: a branch, a tag or
// a shortened commit is refused. A query ("?plain=1") does not count.
func parsePermalink(text string) (reference Reference, why string) {
	link, err := url.Parse(text)
	if err != nil || (link.Scheme != "https" && link.Scheme != "http") {
		return reference, "it is a link, and no permalink to a commit"
	}
	commit, path, found := cutBlob(link.Path)
	switch {
	case !found:
		return reference, "it is a link, and no permalink to a file at a commit"
	case !isCommit(commit):
		return reference, "the link names a branch, a tag or a shortened commit, which can change; use the full commit"
	case !strings.HasPrefix(link.Fragment, "L"):
		return reference, "the link names no line"
	}
	reference.Commit = commit
	if reference.Spans, why = parseSpans(link.Fragment, true); why != "" {
		return Reference{}, why
	}
	reference.Path, why = parsePath(path)
	if why == "" {
		// Escapes of the link may decode to what the text itself may not hold.
		_, why = parseReference(reference.String())
	}
	if why != "" {
		return Reference{}, why
	}
	return reference, ""
}

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

// isCommit reports whether a text is a full git object name in lower-case hex:
// 40 digits for SHA-1, 64 for SHA-256.
func isCommit(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
