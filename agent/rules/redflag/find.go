package redflag

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/lists"
	"moot/internal/redact"
	"moot/protocol/dialectic/playbook"
)

const (
	// mostFindings is the maximum number of findings per flag.
	mostFindings = 20
	// longestQuote is the maximum length of a quote, and longestLine of a line that is examined, in bytes.
	longestQuote, longestLine = 400, 16 << 10
	// maxSource is the maximum size of a file that is read from the workspace, in bytes.
	maxSource = 1 << 20
)

// Finding is a red flag at a place of a change.
type Finding struct {
	// Flag is the id of the flag.
	Flag string
	// Path and Line are the place in the file after the change, or before it if Removed is set. Line is 0 for the
	// whole file.
	Path    string
	Line    int
	Removed bool
	// What describes the finding in a sentence.
	What string
	// Reference and Quote cite the line: in the workspace if the file matches the change, or else in the diff. Quote
	// is "" if the line cannot be quoted, for example because of a secret.
	Reference, Quote string
	// More is how many more places of the flag were omitted. It is set on the last finding of a flag.
	More int
}

// search is the examination of a change.
type search struct {
	redactor *redact.Redactor
	change   *Change
	files    []*subject
	// texts holds the lines on each side, to recognize moved lines: both removed and added.
	texts map[Side]map[string]bool
}

// subject is a file of the examined change.
type subject struct {
	*File
	// lines are the lines in the diff.
	lines []*line
	// whole has all lines of the file after the change, if known. inPlace says that they are the ones in the
	// workspace.
	whole   []string
	inPlace bool
	// patterns are the patterns of check for this file.
	check    *playbook.Check
	patterns []playbook.Pattern
}

// line is a line of a hunk, prepared for searching.
type line struct {
	Line
	hunk *Hunk
	// secret says that the line is part of a multi-line secret.
	secret bool
}

func (l *line) bare() string { return strings.TrimSpace(l.Text) }

// hit is a match of a check: a line, or a whole file.
type hit struct {
	file *subject
	line *line
	what string
}

// Find applies the checks of a playbook to a change. Findings are in the order of the flags, and for each flag in the
// order of the change, at most 20 per flag. workspace is the folder of the change. If it is nil or differs from the
// change, only the diff is examined and cited. The only error is the context's.
func Find(
	ctx context.Context, redactor *redact.Redactor, book *playbook.Playbook, change *Change, workspace fs.FS,
) ([]Finding, error) {
	s := open(redactor, change, workspace)
	var found []Finding
	for i := range book.Flags {
		flag := &book.Flags[i]
		type spot struct {
			file *subject
			line *line
		}
		seen, first := map[spot]bool{}, len(found)
		for j := range flag.Checks {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			check := &flag.Checks[j]
			for _, h := range s.apply(check) {
				at := spot{h.file, h.line}
				switch {
				case seen[at]:
				case len(found)-first >= mostFindings:
					found[len(found)-1].More++
				default:
					found = append(found, s.finding(flag, &h))
				}
				seen[at] = true
			}
		}
	}
	return found, nil
}

func open(redactor *redact.Redactor, change *Change, workspace fs.FS) *search {
	s := &search{
		redactor: redactor, change: change,
		texts: map[Side]map[string]bool{Removed: {}, Added: {}, Context: {}},
	}
	for i := range change.Files {
		f := &subject{File: &change.Files[i]}
		for j := range f.Hunks {
			hunk := &f.Hunks[j]
			for k := range hunk.Lines {
				l := &line{Line: hunk.Lines[k], hunk: hunk}
				l.Text = l.Text[:min(len(l.Text), longestLine)]
				f.lines = append(f.lines, l)
				s.texts[l.Side][l.bare()] = true
			}
		}
		f.look(workspace)
		// A single line of a multi-line secret, such as a private key, does not look like a secret.
		for _, side := range [2]Side{Removed, Added} {
			text, lines := f.text(side, Context)
			_, findings := s.redactor.Named(f.Name(), text)
			for _, found := range findings {
				for n := found.Line; found.Last > found.Line && n <= min(found.Last, len(lines)); n++ {
					lines[n-1].secret = true
				}
			}
		}
		s.files = append(s.files, f)
	}
	return s
}

// look reads the file as the change leaves it: the workspace's, if it agrees with the
// diff, else that of a diff that adds the whole file.
func (f *subject) look(workspace fs.FS) {
	shown := map[int]string{}
	for _, l := range f.lines {
		if l.New > 0 {
			shown[l.New] = l.Text
		}
	}
	if text, ok := readFile(workspace, f.Path); ok {
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		agrees := true
		for n := range lines {
			lines[n] = strings.TrimRight(lines[n], "\r")
			lines[n] = lines[n][:min(len(lines[n]), longestLine)]
		}
		for n, text := range shown {
			agrees = agrees && n <= len(lines) && lines[n-1] == text
		}
		if agrees {
			f.whole, f.inPlace = lines, true
			return
		}
	}
	if f.Alteration == playbook.Added && len(f.Hunks) == 1 {
		for n := 1; n <= len(shown); n++ {
			f.whole = append(f.whole, shown[n])
		}
	}
}

// readFile reads a regular file of limited size from a workspace, which may be nil.
func readFile(workspace fs.FS, name string) ([]byte, bool) {
	if workspace == nil || !fs.ValidPath(name) || name == "." {
		return nil, false
	}
	info, err := fs.Stat(workspace, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil, false
	}
	data, err := fs.ReadFile(workspace, name)
	return data, err == nil && len(data) <= maxSource
}

// text joins the lines on the given sides.
func (f *subject) text(sides ...Side) (string, []*line) {
	lines := lists.Filter(f.lines, func(l *line) bool { return slices.Contains(sides, l.Side) })
	return strings.Join(lists.Map(lines, func(l *line) string { return l.Text + "\n" }), ""), lines
}

// moved reports whether a line was only moved or indented.
func (s *search) moved(l *line) bool {
	if l.Side == Added {
		return s.texts[Removed][l.bare()]
	}
	return l.Side == Context || s.texts[Added][l.bare()]
}

// pick returns the files to which a check applies.
func (s *search) pick(check *playbook.Check) []*subject {
	foreignFiles := []string{
		"**/vendor/**", "**/node_modules/**", "**/third_party/**", "**/bower_components/**",
		"*.min.js", "*.min.css", "*.map", "*.lock",
		"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "*.snap", "*.svg",
	}
	testFiles := []string{
		"*_test.*", "test_*.py", "conftest.py", "*.{test,spec}.*",
		"*Test.{java,kt,scala,cs}", "*Tests.{java,kt,cs}", "*_spec.rb",
		"**/{test,tests,__tests__,spec,e2e}/**",
	}
	proseFiles := []string{"*.{md,markdown,rst,adoc,txt}", "**/{docs,doc}/**", "CHANGELOG*", "LICENSE*", "NOTICE*"}
	var picked []*subject
	for _, f := range s.files {
		name := f.Name()
		tests, prose := matchesAny(testFiles, name), matchesAny(proseFiles, name)
		switch {
		case len(check.Files) == 0 && matchesAny(foreignFiles, name):
		case check.Scope == playbook.Product && (tests || prose), check.Scope == playbook.Tests && !tests,
			check.Scope == playbook.Prose && !prose:
		case len(check.Files) > 0 && !matchesAny(check.Files, name), matchesAny(check.Except, name):
		case !check.Alters(f.Alteration):
		default:
			picked = append(picked, f)
		}
	}
	return picked
}

// reporter records a match of a check.
type reporter func(f *subject, l *line, what string)

// apply returns the matches of a check.
func (s *search) apply(check *playbook.Check) []hit {
	var hits []hit
	report := func(f *subject, l *line, what string) { hits = append(hits, hit{f, l, what}) }
	files := s.pick(check)
	switch check.Kind {
	case playbook.AddedLine:
		s.addedLine(check, files, report)
	case playbook.RemovedLine:
		s.removedLine(check, files, report)
	case playbook.MissingLine:
		missingLine(check, files, report)
	case playbook.TouchedFile:
		touchedFile(check, files, report)
	case playbook.MissingCompanion:
		s.missingCompanion(check, files, report)
	case playbook.LargeChange:
		s.largeChange(check, files, report)
	case playbook.BinaryFile:
		for _, f := range files {
			if f.Binary && f.Alteration != playbook.Deleted {
				report(f, nil, "the file is binary: its content cannot be read here")
			}
		}
	case playbook.Secret:
		s.secret(files, report)
	}
	return hits
}

// missingLine finds files that lack a line.
func missingLine(check *playbook.Check, files []*subject, report reporter) {
	for _, f := range files {
		if f.Binary || f.Alteration == playbook.Deleted || f.whole == nil || f.first() == nil {
			continue
		}
		asked, said := check.When == nil, false
		for _, text := range f.whole {
			asked = asked || check.When.MatchString(text)
			said = said || matching(check, f, text)
		}
		if asked && !said {
			report(f, f.first(), "the file has no such line")
		}
	}
}

// touchedFile finds files that the change touches.
func touchedFile(check *playbook.Check, files []*subject, report reporter) {
	for _, f := range files {
		excused := check.Unless != nil && f.first() != nil
		for _, l := range f.lines {
			excused = excused && (l.Side == Context || check.Unless.MatchString(l.Text))
		}
		if !excused {
			report(f, f.first(), "the file is "+string(f.Alteration))
		}
	}
}

// missingCompanion finds files that changed without their companion file.
func (s *search) missingCompanion(check *playbook.Check, files []*subject, report reporter) {
	for _, f := range files {
		at := f.first()
		if len(check.Patterns) > 0 {
			at = nil
			for _, side := range [2]Side{Removed, Added} {
				for _, l := range slices.Backward(f.lines) {
					if l.Side == side && matching(check, f, l.Text) && !s.moved(l) {
						at = l
					}
				}
			}
			if at == nil {
				continue
			}
		}
		if !s.touches(check.Needs, f) {
			report(f, at, "the change touches this file but none of its companion files")
		}
	}
}

// largeChange finds a change that is too large to be read with care.
func (s *search) largeChange(check *playbook.Check, files []*subject, report reporter) {
	lines, most := 0, 0
	var largest *subject
	for _, f := range files {
		here := 0
		for _, l := range f.lines {
			if l.Side != Context && l.bare() != "" && !s.moved(l) {
				here++
			}
		}
		if lines += here; here > most {
			largest, most = f, here
		}
	}
	if lines > check.Limit {
		what := fmt.Sprintf("%d lines changed, more than the %d that can be reviewed carefully", lines, check.Limit)
		report(largest, largest.first(), what)
	}
}

// addedLine finds patterns in added lines. It skips a line similar to a removed line that also matched.
func (s *search) addedLine(check *playbook.Check, files []*subject, report reporter) {
	before := s.matches(check, files, Removed)
	what := "the change adds this line"
	if s.change.document {
		what = "the file contains this line"
	}
	for _, f := range files {
		for _, l := range f.lines {
			near := func(other Line) bool { return other.Side != Removed && check.Near.MatchString(other.Text) }
			switch {
			case l.Side != Added || !matching(check, f, l.Text) || s.moved(l):
			case check.Near != nil && slices.ContainsFunc(l.hunk.Lines, near):
			case !likeAny(l, before):
				report(f, l, what)
			}
		}
	}
}

// removedLine finds patterns in removed lines. It skips a line that was replaced: by a matching line added to the
// file, or by a similar line in another file. It ignores deleted files.
func (s *search) removedLine(check *playbook.Check, files []*subject, report reporter) {
	if len(s.matches(check, files, Removed)) == 0 {
		return
	}
	after := s.matches(check, files, Added)
	for _, f := range files {
		if f.Alteration == playbook.Deleted || len(check.Needs) > 0 && s.touches(check.Needs, f) {
			continue
		}
		instead := 0
		for _, l := range f.lines {
			if l.Side == Added && matching(check, f, l.Text) && !s.moved(l) {
				instead++
			}
		}
		for _, l := range f.lines {
			if l.Side != Removed || s.moved(l) || !matching(check, f, l.Text) {
				continue
			}
			if instead--; instead < 0 && !likeAny(l, after) && !s.inRemovedFunction(f, l) {
				report(f, l, "the change removes this line without a similar replacement")
			}
		}
	}
}

var declaration = regexp.MustCompile(`^\s*(?:export\s+|pub\s+|public\s+|private\s+|async\s+|static\s+)*` +
	`(?:func|def|class|function|fn|type|interface)\b`)

// inRemovedFunction reports whether a removed line belongs to a function that was removed as a whole: its declaration
// was also removed, and nothing like it was added.
func (s *search) inRemovedFunction(f *subject, at *line) bool {
	indent := func(l *line) int { return len(l.Text) - len(strings.TrimLeft(l.Text, " \t")) }
	for i := slices.Index(f.lines, at) - 1; i >= 0 && f.lines[i].Side == Removed && f.lines[i].hunk == at.hunk; i-- {
		if l := f.lines[i]; indent(l) < indent(at) && declaration.MatchString(l.Text) {
			return !likeAny(l, lists.Filter(f.lines, func(other *line) bool { return other.Side == Added }))
		}
	}
	return false
}

// matches returns the lines on one side that match a check, up to a few hundred.
func (s *search) matches(check *playbook.Check, files []*subject, side Side) []*line {
	const most = 300
	var found []*line
	for _, f := range files {
		for _, l := range f.lines {
			if l.Side == side && len(found) < most && matching(check, f, l.Text) {
				found = append(found, l)
			}
		}
	}
	return found
}

// secret finds secrets in added lines. It examines all lines of a file together, because a private key spans several.
// In a redacted text, the marks count as secrets.
func (s *search) secret(files []*subject, report reporter) {
	for _, f := range files {
		text, lines := f.text(Added)
		_, findings := s.redactor.Named(f.Name(), text)
		if s.change.Redacted {
			findings = append(findings, redact.Marked(text)...)
		}
		for _, found := range findings {
			if at := found.Line - 1; at < len(lines) && !s.moved(lines[at]) {
				report(f, lines[at], "the line contains what looks like a secret: "+found.Reason)
			}
		}
	}
}

// touches reports whether the change includes another file, not deleted, that matches a glob. {dir}, {name} and
// {stem} stand for parts of the file's path.
func (s *search) touches(globs []string, f *subject) bool {
	literally := strings.NewReplacer(
		`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`,
	).Replace
	base := path.Base(f.Name())
	fill := strings.NewReplacer("{dir}", literally(path.Dir(f.Name())), "{name}", literally(base),
		"{stem}", literally(strings.TrimSuffix(base, path.Ext(base))))
	for _, glob := range globs {
		filled := strings.TrimPrefix(fill.Replace(glob), "./")
		if slices.ContainsFunc(s.files, func(other *subject) bool {
			return other != f && other.Path != "" && matchesAny([]string{filled}, other.Path)
		}) {
			return true
		}
	}
	return false
}

// first returns the first changed line, preferably an added one, or nil.
func (f *subject) first() *line {
	for _, side := range [2]Side{Added, Removed} {
		for _, l := range f.lines {
			if l.Side == side && l.bare() != "" {
				return l
			}
		}
	}
	return nil
}

// matching reports whether a pattern of a check matches a line.
func matching(check *playbook.Check, f *subject, text string) bool {
	if f.check != check {
		f.check, f.patterns = check, lists.Filter(check.Patterns, func(p playbook.Pattern) bool {
			return p.Match != nil && (len(p.Files) == 0 || matchesAny(p.Files, f.Name()))
		})
	}
	for i := range f.patterns {
		p := &f.patterns[i]
		if p.Match.MatchString(part(text, f.Name(), p.Where)) && (p.Unless == nil || !p.Unless.MatchString(text)) &&
			(check.Unless == nil || !check.Unless.MatchString(text)) {
			return true
		}
	}
	return false
}

var (
	slashComment = regexp.MustCompile(`(?:^|[\s;{})])//|/\*|^\s*\*\s`)
	hashComment  = regexp.MustCompile(`(?:^|\s)#`)
	dashComment  = regexp.MustCompile(`(?:^|\s)--(?:\s|$)`)
)

// part returns the part of a line that a pattern is matched against.
func part(text, name string, where playbook.Part) string {
	begins := slashComment
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".rb", ".sh", ".bash", ".zsh", ".yml", ".yaml", ".toml", ".tf", ".tfvars", ".hcl",
		".ini", ".cfg", ".conf", ".mk", ".pl", "":
		begins = hashComment
	case ".sql", ".lua", ".hs":
		begins = dashComment
	case ".md", ".markdown", ".txt", ".rst", ".adoc", ".json":
		// The file has no comments, or is all prose.
		begins = nil
	}
	at := len(text)
	// Most lines have no comment sign, and this test is faster than searching.
	if begins != nil && strings.ContainsAny(text, "/*#-") {
		if found := begins.FindStringIndex(text); found != nil {
			at = found[0]
		}
	}
	switch where {
	case playbook.Code:
		return text[:at]
	case playbook.Comment:
		return text[at:]
	case playbook.Whole:
	}
	return text
}

// likeAny reports whether a line shares most of its words with one of the other lines.
func likeAny(l *line, others []*line) bool {
	const most = 0.7
	notWord := func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_')
	}
	words := strings.FieldsFunc(l.Text, notWord)
	return slices.ContainsFunc(others, func(other *line) bool {
		left := strings.FieldsFunc(other.Text, notWord)
		total, same := len(words)+len(left), 0
		for _, word := range words {
			if at := slices.Index(left, word); at >= 0 {
				left = slices.Delete(left, at, at+1)
				same++
			}
		}
		return float64(2*same) >= most*float64(total)
	})
}

// matchesAny reports whether a glob matches a path. A glob without a slash matches the base name.
func matchesAny(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		if !strings.Contains(glob, "/") {
			return doublestar.MatchUnvalidated(glob, path.Base(name))
		}
		return doublestar.MatchUnvalidated(glob, name)
	})
}

// finding converts a hit to a Finding.
func (s *search) finding(flag *playbook.Flag, h *hit) Finding {
	f := Finding{Flag: flag.ID, Path: h.file.Name(), What: h.what}
	if h.line == nil {
		f.Reference, f.Quote = place(s.change.Name, h.file.Line), s.quotable(h.file.Head)
		return f
	}
	f.Line, f.Removed = h.line.New, h.line.Side == Removed
	if f.Removed {
		f.Line = h.line.Old
	}
	f.Reference = place(s.change.Name, h.line.Diff)
	switch {
	case h.line.secret:
	case !f.Removed && h.file.inPlace:
		f.Reference, f.Quote = place(h.file.Path, h.line.New), s.quotable(h.line.Text)
	case s.change.document:
		f.Quote = s.quotable(h.line.Text)
	default:
		f.Quote = s.quotable(string(h.line.Side) + h.line.Text)
	}
	return f
}

// quotable returns the beginning of a line up to a secret, invalid text, or the maximum length. It searches for
// secrets before cutting, since part of a secret may not look like one.
func (s *search) quotable(text string) string {
	const shortest = 3
	cleaned, _ := s.redactor.Text(text)
	text, _, _ = strings.Cut(cleaned, "[REDACTED:")
	if len(strings.TrimSpace(text)) < shortest && cleaned != text {
		return ""
	}
	text = text[:min(len(text), longestQuote)]
	for i, c := range text {
		if c == utf8.RuneError {
			return text[:i]
		}
	}
	return text
}
