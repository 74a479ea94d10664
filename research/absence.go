package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"moot/internal/git"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
	"moot/workspace"
)

// Bounds of a count.
const (
	// maxCounted is the largest number that a reference may expect, and maxFound how many places a finding shows.
	maxCounted = 1_000_000
	maxFound   = 20
	// maxQuery is the longest regular expression or name, and maxFoundLine what is shown of a line, in bytes.
	maxQuery     = 1000
	maxFoundLine = 160
	// maxSkipped is how many of the files that were not read a reason names.
	maxSkipped = 3
)

// Absence counts what is in the workspace and compares it with the number that a seat expects, so that "nobody calls it"
// can be checked: lines that match (SEARCH), calls (CALLERS) and declarations (SYMBOL). It says "not answered" rather
// than a number if something could not be read that may change it.
type Absence struct {
	folder   string
	allow    []string
	tree     *git.Tree
	redactor *redact.Redactor
	environ  []string
	// goCode has the references in Go code, and syntax only its declarations. They are made until owner ends.
	goCode, syntax goIndex
	owner          context.Context //nolint:containedctx // of what a check leaves being made for later ones
	end            context.CancelFunc
	// copied is the folder with the files of the reviewed commit, or "".
	copying sync.Mutex
	copied  string
}

// OpenAbsence returns the checker for a workspace, or for the files of a commit. A nil redactor keeps secrets. environ is
// the environment of this program. main of this program must call package gocode if it is its helper.
func OpenAbsence(folder string, allow []string, tree *git.Tree, redactor *redact.Redactor, environ []string) *Absence {
	a := &Absence{folder: folder, allow: allow, tree: tree, redactor: redactor, environ: environ}
	a.owner, a.end = context.WithCancel(context.Background())
	return a
}

// Close ends what a check left being made, and waits for that.
func (a *Absence) Close() {
	a.end()
	for _, index := range []*goIndex{&a.goCode, &a.syntax} {
		index.mutex.Lock()
		made := index.made
		index.mutex.Unlock()
		if made != nil {
			<-made
		}
	}
}

// Kind describes counts.
func (a *Absence) Kind() ledger.Kind {
	return ledger.Kind{
		Name: "absence", Marks: "SEARCH CALLERS SYMBOL",
		Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
		Says: `To show that something is not in the workspace, or how often it is, cite a count that code repeats. ` +
			`SEARCH /regexp/ in GLOB = 0 counts the lines that match: reference "SEARCH /sync\.Mutex/ in queue/*.go = 0". ` +
			`CALLERS queue.Retry = 0, or CALLERS (*Queue).Close = 2, counts the calls of a function or method. SYMBOL retry = 0 ` +
			`counts its declarations. No quote is needed.`,
	}
}

// counted is the answer to a question that has a number.
type counted struct {
	// found says what was counted and how: "3 lines match in 12 files".
	found string
	// n were found. more may be there besides, which the search could not decide.
	n, more int
	// places are the first of them, "path:12: text".
	places []string
	// notes say what was not looked at, and open why the number is not known, or is "".
	notes []string
	open  []string
	// digest covers the names and contents of the files, and files is how many were searched for words.
	digest string
	files  int
}

// Check counts again. A count that could not be completed is neither verified nor unmet, except where what was found is
// already more than expected.
func (a *Absence) Check(ctx context.Context, reference, quote string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference)}
	q, err := parseCount(reference, quote)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	finding.Reference = q.String()
	w, err := workspace.New(a.folder, a.redactor, a.allow)
	if err != nil {
		finding.Reason = "not answered: " + err.Error()
		return finding
	}
	defer w.Close() //nolint:errcheck // it was only read
	if a.tree != nil {
		w.In(a.tree)
		finding.Commit = a.tree.Commit
	} else if at := findWorkTree(a.folder); at != nil {
		finding.Commit = at.commit()
	}
	var c counted
	switch q.mark {
	case "SEARCH":
		c, err = a.search(ctx, w, q)
	case "CALLERS":
		c, err = a.callers(ctx, w, q)
	default:
		c, err = a.symbols(ctx, w, q)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		finding.Reason = "not answered: " + err.Error()
		return finding
	}
	c.judge(q, &finding)
	return finding
}

// judge compares what was counted with what was expected.
func (c *counted) judge(q countQuery, finding *ledger.Finding) {
	defer func() {
		finding.Excerpt, finding.Nearest = cut(finding.Excerpt, MaxExcerpt), cut(finding.Nearest, MaxExcerpt)
	}()
	text := c.found
	if len(c.places) > 0 {
		text += "\n" + strings.Join(c.places, "\n")
		if more := c.n + c.more - len(c.places); more > 0 {
			text += fmt.Sprintf("\nand %d more", more)
		}
	}
	finding.Digest = c.digest
	said := fmt.Sprintf("%s, expected %d", c.found, q.number)
	switch isWhole := len(c.open) == 0; {
	case c.n > q.number, isWhole && c.n+c.more < q.number:
		finding.Unmet = true
	case isWhole && c.more == 0:
		finding.Verified = true
	default:
		said = "not answered: " + said
	}
	finding.Reason = strings.Join(slices.Concat([]string{said}, c.open, c.notes), "; ")
	if finding.Verified {
		finding.Excerpt = text
		return
	}
	finding.Nearest = text
}

// countQuery is a reference in its parts.
type countQuery struct {
	mark string
	// what is a regular expression without its slashes, or the name of a symbol. glob says in which files, "" for all.
	what, glob string
	number     int
}

// String is the normal form, which says everything.
func (q countQuery) String() string {
	what := q.what
	if q.mark == "SEARCH" {
		what = "/" + q.what + "/"
		if q.glob != "" {
			what += " in " + q.glob
		}
	}
	return fmt.Sprintf("%s %s = %d", q.mark, what, q.number)
}

var expectedCount = regexp.MustCompile(`^(.*?)\s*=\s*(\d+)$`)

// parseCount reads a reference. The number is in it or is its quote.
func parseCount(reference, quote string) (q countQuery, err error) {
	reference, quote = strings.TrimSpace(reference), strings.Trim(strings.TrimSpace(quote), "\"'`")
	if strings.ContainsFunc(reference, unicode.IsControl) || !utf8.ValidString(reference) || len(reference) > ledger.MaxReference {
		return q, errors.New("a count is one line")
	}
	mark, rest, _ := strings.Cut(reference, " ")
	q.mark, rest = mark, strings.TrimSpace(rest)
	number := ""
	if m := expectedCount.FindStringSubmatch(rest); m != nil {
		rest, number = strings.TrimSpace(m[1]), m[2]
	}
	quote = strings.TrimSpace(strings.TrimPrefix(quote, "="))
	example := map[string]string{
		"SEARCH": "SEARCH /regexp/ in GLOB = 0", "CALLERS": "CALLERS package.Function = 0", "SYMBOL": "SYMBOL name = 0",
	}[mark]
	switch {
	case number == "" && quote == "":
		return q, fmt.Errorf("the expected count is missing: write %s", example)
	case number == "":
		number = quote
	case quote != "" && quote != number && strings.TrimLeft(quote, "0") != strings.TrimLeft(number, "0"):
		return q, fmt.Errorf("the reference expects %s, and its quote is %q: the quote of a count is its number, or missing",
			number, plain.Clip(quote, 40))
	}
	q.number, err = strconv.Atoi(number)
	if err != nil || q.number < 0 || q.number > maxCounted {
		return q, fmt.Errorf("%q is no count: write a number from 0 to %d, as in %s", plain.Clip(number, 40), maxCounted,
			example)
	}
	if mark != "SEARCH" {
		q.what = rest
	} else if q.what, q.glob, err = parseSearch(rest); err != nil {
		return q, err
	}
	if q.what == "" || len(q.what) > maxQuery {
		return q, fmt.Errorf("what to count is missing or longer than %d bytes: write %s", maxQuery, example)
	}
	return q, nil
}

// parseSearch splits "/regexp/ in GLOB".
func parseSearch(text string) (pattern, glob string, err error) {
	wrong := errors.New("a search that counts is a regular expression between slashes and a glob: SEARCH /regexp/ in *.go = 0")
	if len(text) < 3 || text[0] != '/' {
		return "", "", wrong
	}
	if at := strings.LastIndex(text, "/ in "); at > 0 {
		pattern, glob = text[1:at], strings.Trim(strings.TrimSpace(text[at+len("/ in "):]), "\"'`")
	} else if pattern = text[1:]; strings.HasSuffix(pattern, "/") {
		pattern = strings.TrimSuffix(pattern, "/")
	} else {
		return "", "", wrong
	}
	if _, err := regexp.Compile("(?m)" + pattern); err != nil {
		return "", "", fmt.Errorf("the regular expression is not valid: %w", err)
	}
	return pattern, glob, nil
}

// search counts the lines that match a regular expression. Secrets are redacted before, as in everything that a seat
// sees: otherwise it could guess them letter by letter.
func (a *Absence) search(ctx context.Context, w *workspace.Workspace, q countQuery) (counted, error) {
	matcher, err := regexp.Compile("(?m)" + q.what)
	if err != nil {
		return counted{}, fmt.Errorf("the regular expression is not valid: %w", err)
	}
	listing, err := w.Listing(ctx, q.glob)
	if err != nil {
		return counted{}, err
	}
	var c counted
	files, binary, across := 0, 0, ""
	seen := &bytes.Buffer{}
	own, err := a.each(ctx, w, &listing, func(name string, data []byte) error {
		files++
		fmt.Fprintf(seen, "%s %s\n", name, ledger.Digest(data))
		text := decodeText(data)
		isBinary := bytes.IndexByte(text, 0) >= 0
		if isBinary {
			binary++
		}
		if !matcher.Match(normalLines(text)) {
			return nil
		}
		lines := strings.Split(string(normalLines([]byte(w.Redact(name, string(text))))), "\n")
		before := c.n
		for i, line := range lines {
			if !matcher.MatchString(line) {
				continue
			}
			if c.n++; len(c.places) < maxFound {
				c.places = append(c.places, placeLine(name, i+1, line))
			}
		}
		switch {
		case isBinary && c.n > before:
			c.n = before
			c.places = slices.DeleteFunc(c.places, func(p string) bool { return strings.HasPrefix(p, name+":") })
			c.open = append(c.open, plain.Line(name)+" is not text and has a match")
		case c.n == before && matcher.MatchString(strings.Join(lines, "\n")):
			across = name
		}
		return nil
	})
	if err != nil {
		return counted{}, err
	}
	if files == 0 {
		c.open = append(c.open, "no file was read, so the glob may be wrong")
	}
	if across != "" {
		c.open = append(c.open, "the expression matches across lines in "+plain.Line(across)+", and only lines are counted")
	}
	if binary > 0 {
		c.notes = append(c.notes, plain.Counted(binary, "file")+" of them not text")
	}
	match := "match"
	if c.n == 1 {
		match = "matches"
	}
	c.found = fmt.Sprintf("%s %s in %s", plain.Counted(c.n, "line"), match, plain.Counted(files, "file"))
	if q.glob == "" {
		c.found += ", the whole workspace"
	}
	c.left(&listing, own)
	c.digest = ledger.Digest(seen.Bytes())
	return c, nil
}

// left notes what a listing left out. What could not be read leaves the number open.
func (c *counted) left(l *workspace.Listing, own int) {
	if l.Cut != "" {
		c.open = append(c.open, l.Cut)
	}
	if n := len(l.Unread); n > 0 {
		named := strings.Join(l.Unread[:min(n, maxSkipped)], ", ")
		if n > maxSkipped {
			named += fmt.Sprintf(" and %d more", n-maxSkipped)
		}
		c.open = append(c.open, "not read: "+plain.Line(named))
	}
	var groups []string
	for _, group := range []struct {
		n    int
		what string
	}{{len(l.Secret), "may hold secrets"}, {len(l.Links), "links"}, {len(l.Others), "not regular"}, {own, "written by moot"}} {
		if group.n > 0 {
			groups = append(groups, fmt.Sprintf("%d %s", group.n, group.what))
		}
	}
	if len(groups) > 0 {
		c.notes = append(c.notes, "files not searched: "+strings.Join(groups, ", "))
	}
	c.notes = append(c.notes, "what git ignores is never searched")
}

// each reads the files of a listing that moot did not write, and returns how many it did write. A file that cannot be read
// moves to Unread.
func (a *Absence) each(ctx context.Context, w *workspace.Workspace, l *workspace.Listing,
	use func(name string, data []byte) error,
) (own int, err error) {
	for _, name := range l.Files {
		if err := ctx.Err(); err != nil {
			return own, fmt.Errorf("the time for the check is over: %w", err)
		}
		data, err := w.Content(name, MaxFile)
		if err != nil {
			l.Unread = append(l.Unread, name+": "+plain.Clip(err.Error(), 80))
			continue
		}
		if ledger.WrittenByMoot(name, data) {
			own++
			continue
		}
		if err := use(name, data); err != nil {
			return own, err
		}
	}
	return own, nil
}

// normalLines writes each end of a line as one LF, without the last one.
func normalLines(text []byte) []byte {
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}

// placeLine shows a line with its place.
func placeLine(name string, line int, text string) string {
	return fmt.Sprintf("%s:%d: %s", plain.Line(name), line, strings.TrimSpace(cut(strings.TrimSpace(text), maxFoundLine)))
}
