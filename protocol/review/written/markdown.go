package written

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"moot/internal/plain"
	"moot/ledger"
)

// blockKind is the kind of a block of Markdown.
type blockKind int

const (
	paragraph blockKind = iota
	heading
	item // the first line of an item of a list
	code
	row
)

// block is a part of a Markdown text. level is that of a heading, 7 for a line in bold, or how deep an item is nested.
type block struct {
	kind        blockKind
	level       int
	from, to    int
	language    string
	cells       []string
	header      bool
	quoted, own bool // in a block quote; in an item of a list
}

// blocks cuts a Markdown text into its blocks.
type blocks struct {
	source string
	list   []block
}

func (b *blocks) add(n ast.Node, depth int, quoted bool) {
	for ; n != nil; n = n.NextSibling() {
		one := block{level: depth, quoted: quoted, own: depth > 0}
		if lines := n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0; lines {
			one.from, one.to = n.Lines().At(0).Start, n.Lines().At(n.Lines().Len()-1).Stop
		}
		switch n := n.(type) {
		case *ast.Heading:
			one.kind, one.level = heading, n.Level
		case *ast.Paragraph, *ast.TextBlock:
			if boldLine.MatchString(strings.TrimSpace(b.source[one.from:one.to])) && depth == 0 {
				one.kind, one.level = heading, 7
			}
		case *ast.FencedCodeBlock:
			one.kind, one.language = code, string(n.Language([]byte(b.source)))
		case *ast.CodeBlock:
			one.kind = code
		case *ast.HTMLBlock:
			m := summaryTag.FindStringSubmatchIndex(b.source[one.from:one.to])
			if m == nil {
				continue
			}
			one.kind, one.level, one.to, one.from = heading, 6, one.from+m[3], one.from+m[2]
		case *ast.List:
			for li := n.FirstChild(); li != nil; li = li.NextSibling() {
				at := len(b.list)
				b.add(li.FirstChild(), depth+1, quoted)
				if at < len(b.list) && b.list[at].kind == paragraph {
					b.list[at].kind = item
				}
			}
			continue
		case *ast.Blockquote:
			b.add(n.FirstChild(), depth, true)
			continue
		case *extast.Table:
			b.table(n)
			continue
		default:
			continue
		}
		if one.to > one.from {
			b.list = append(b.list, one)
		}
	}
}

// table adds the rows of a table, the header first.
func (b *blocks) table(n *extast.Table) {
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		_, header := r.(*extast.TableHeader)
		one := block{kind: row, header: header, from: -1}
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			words := ""
			if c.Lines() != nil && c.Lines().Len() > 0 {
				segment := c.Lines().At(0)
				words = strings.TrimSpace(b.source[segment.Start:segment.Stop])
				if one.from < 0 {
					one.from = segment.Start
				}
				one.to = segment.Stop
			}
			one.cells = append(one.cells, strings.ReplaceAll(words, `\|`, "|"))
		}
		if one.from >= 0 {
			b.list = append(b.list, one)
		}
	}
}

const (
	severeWords = `critical|blocking|blockers?|severe|high|medium|moderate|low|major|minor|nit(?:pick)?s?|trivial|p[0-4]|important|` +
		`kritisch|hoch|mittel|niedrig|严重|高|中|低`
	placeLabel = `location|locations|file|files|path|where|place|lines?|code|datei|stelle|fichier|位置|文件`
)

var (
	boldLine   = regexp.MustCompile(`^(?:\*\*[^*\n]+\*\*|__[^_\n]+__):?$`)
	summaryTag = regexp.MustCompile(`(?is)<summary>(?:\s|<[^>]*>)*([^<]+)`)
	// severityAlone is a heading or item that is the word for a severity, as in "High (2)" or "Critical issues".
	severityAlone = regexp.MustCompile(`(?i)^[^\p{L}\d]*(` + severeWords + `)(?:[ -](?:severity|priority|risk))?` +
		`(?: (?:issues?|findings?|problems?|bugs?|comments?))?(?: \((?:must|should|nice)[^)]*\))?[^\p{L}]*$`)
	// severityLead is a severity before a title: "[P1] …", "High: …", "**Critical** — …".
	severityLead = regexp.MustCompile(`(?i)^[^\p{L}\d\[(]*(?:[\[(](` + severeWords + `)(?:[ -](?:severity|priority))?[\])]|` +
		`(` + severeWords + `)(?:[ -](?:severity|priority))?[*_\s]*[:：–—|-])[*_:：–—\s|-]*`)
	// numberLead is the number of a finding before its title.
	numberLead = regexp.MustCompile(`(?i)^[^\p{L}\d\[(]*(?:#?\d{1,3}[.):][ \t]+|(?:finding|issue|bug|problem|concern|defect|comment)` +
		`(?:[ #-]*\d{1,3})?[ \t]*[:.)–—-]+[ \t]*)`)
	// aside is the heading of what is no finding.
	aside = regexp.MustCompile(`(?i)^[^\p{L}]*(?:summary|overview|walkthrough|introduction|strengths?|positives?|praise|` +
		`what(?:'s| is| works| went| looks)? ?(?:good|well|right|done well)?|good|verdict|conclusions?|references|appendix|method(?:ology)?|` +
		`files? (?:reviewed|changed)|out of scope|tests? (?:to add|plan)|next steps|recommendations?|changes|sequence diagrams?|` +
		`assessment|zusammenfassung|总结|结论)[^\p{L}]*$`)
	// label is a line "Label: text" of a finding.
	label = regexp.MustCompile(`(?i)^[\s>]*(?:[-*•+][ \t]+|\d+[.)][ \t]+)?[*_]{0,2}[^\p{L}*_]*(severity|priority|level|schweregrad|严重程度|` + placeLabel +
		`|category|kind|type|why|impact|rationale|reason|consequence|problem|issue|description|details|explanation|what|` +
		`(?:suggested |proposed |recommended )?(?:fix|change|solution|remedy)|suggestions?|recommendations?|修复|建议|问题)[*_]{0,2}[ \t]*[:：][*_]{0,2}[ \t]*(.*)$`)
	// linesLabel is a line that names the lines of the file named before it.
	linesLabel = regexp.MustCompile("(?i)^[\\s>*_]*(?:comment on |around )?(?:lines? )?`?[LR+]?(\\d{1,9})(?:[ ]?(?:-|–|to)[ ]?[LR+]?(\\d{1,9}))?`?[*_]*(?:[:：]|$)")
	linesWord  = regexp.MustCompile(`(?i)lines? [LR+]?\d|^[\s>*_]*` + "`")
	// pathAlone is a heading that is a file, perhaps with a count behind it.
	pathAlone = regexp.MustCompile("^[^\\p{L}\\d`@./_]*[`@*]{0,3}([^\\s`*]+)[`*]{0,3}(?: \\(\\d+\\))?:?$")
)

// parts collects findings while blocks go by.
type parts struct {
	source   string
	found    []Finding
	open     *Finding
	level    int    // of the block that opened the finding; items are 10 and more
	severity string // of the section
	path     string // of the section
	skip     int    // level of the heading that is no finding, or 0
	columns  []string
	body     []string // of the open finding
	field    string
}

func readMarkdown(source string) Review {
	b := &blocks{source: source}
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table))
	if document := markdown.Parser().Parse(text.NewReader([]byte(source))); document != nil {
		b.add(document.FirstChild(), 0, false)
	}
	p := &parts{source: source}
	for i := range b.list {
		p.block(&b.list[i])
	}
	p.close()
	r := Review{Layout: Markdown, Findings: p.found}
	if len(r.Findings) == 0 {
		for i := range b.list {
			if one := &b.list[i]; one.kind != code && !one.quoted && r.NothingText == "" {
				r.NothingText = nothingIn(source[one.from:one.to])
			}
		}
		r.Nothing = r.NothingText != ""
	}
	return r
}

// block reads one block.
func (p *parts) block(b *block) {
	words := p.source[b.from:b.to]
	switch b.kind {
	case heading:
		p.heading(b, strings.Trim(strings.TrimSpace(words), "#*_ \t"))
	case row:
		p.row(b)
	case code:
		if p.skip == 0 && p.open != nil {
			proposes := p.field == "fix" || strings.EqualFold(b.language, "suggestion") || strings.EqualFold(b.language, "diff")
			p.open.Blocks = append(p.open.Blocks, Block{Language: b.language, Text: words, Fix: proposes, From: b.from, To: b.to})
			p.open.To = b.to
			if proposes && p.open.Fix == "" {
				p.open.Fix = words
			}
		}
	case item, paragraph:
		if p.skip == 0 {
			p.passage(b, words)
		}
	}
}

func (p *parts) heading(b *block, title string) {
	if p.skip > 0 && b.level > p.skip {
		return
	}
	p.skip = 0
	places := places(title)
	lead := severityLead.MatchString(title) || numberLead.MatchString(title)
	file := pathAlone.FindStringSubmatch(title)
	switch m := severityAlone.FindStringSubmatch(title); {
	case m != nil:
		p.close()
		p.severity = m[1]
	case p.open != nil && p.level < 10 && b.level > p.level && !lead && len(places) == 0:
		p.line(b.from, b.to) // a heading inside of the finding
	case aside.MatchString(title):
		p.close()
		p.skip = b.level
	case file != nil && len(places) == 0 && ledger.IsFile(cleanPath(file[1])):
		p.close()
		p.path = cleanPath(file[1])
	case lead || len(places) > 0:
		p.begin(b, b.level)
		p.line(b.from, b.to)
	default:
		p.close()
		p.severity = ""
	}
}

// places returns the places of a text that are more than a number behind a word.
func places(text string) (found []ledger.Place) {
	for _, one := range ledger.FindPlaces(text, maxCitations) {
		if !one.Weak && one.Path != "" {
			found = append(found, one)
		}
	}
	return found
}

// passage reads a paragraph or an item of a list.
func (p *parts) passage(b *block, words string) {
	trimmed := strings.TrimSpace(words)
	level := 9
	if b.kind == item {
		level = 9 + b.level
	}
	if m := severityAlone.FindStringSubmatch(trimmed); m != nil && b.kind == item && p.open == nil {
		p.severity = m[1]
		return
	}
	file := pathAlone.FindStringSubmatch(trimmed)
	if file != nil && ledger.IsFile(cleanPath(file[1])) && (p.open == nil || b.kind == item && level <= p.level) && len(places(trimmed)) == 0 {
		p.close()
		p.path = cleanPath(file[1])
		return
	}
	placed := len(places(words)) > 0
	lines := p.path != "" && linesLabel.MatchString(trimmed) && linesWord.MatchString(trimmed)
	led := severityLead.MatchString(trimmed)
	labeled := label.MatchString(firstLine(trimmed))
	starts := false
	switch {
	case p.open != nil && p.level < 9:
		// Everything below a heading belongs to it, unless it begins another comment on the file.
		starts = lines && p.open.Line > 0
	case b.kind == item && p.open != nil && p.level > 9:
		starts = level <= p.level
	case b.kind == item:
		starts = !labeled && (placed || led || lines || p.severity != "" || p.path != "" || numbered(p.source, b.from))
	case p.open != nil && b.own:
	case p.open != nil:
		only := placed && len(strings.Fields(trimmed)) <= 2
		starts = led || lines || !only && !labeled && placed && p.open.placed(p.source)
	default:
		starts = led || placed || lines
	}
	if starts && p.open == nil && b.kind == paragraph && nothingIn(trimmed) != "" && !placed {
		starts = false
	}
	if starts {
		if b.kind == item && !placed && !led && nothingIn(trimmed) != "" {
			p.close()
			return
		}
		p.begin(b, level)
	}
	if p.open != nil {
		p.line(b.from, b.to)
	}
}

func firstLine(words string) string {
	line, _, _ := strings.Cut(words, "\n")
	return line
}

// numbered reports whether the item that begins at an offset has a number.
func numbered(source string, at int) bool {
	before := strings.TrimSpace(source[strings.LastIndexByte(source[:at], '\n')+1 : at])
	return before != "" && strings.Trim(before, "0123456789.)") == "" && before[0] >= '0' && before[0] <= '9'
}

// placed reports whether a finding that is still read names a place.
func (f *Finding) placed(source string) bool {
	return f.Line > 0 || len(places(source[f.From:f.To])) > 0
}

// begin opens a finding.
func (p *parts) begin(b *block, level int) {
	p.close()
	p.open = &Finding{From: b.from, To: b.to, Severity: p.severity, Path: p.path}
	p.level = level
}

// line adds lines of the source to the open finding.
func (p *parts) line(from, to int) {
	f := p.open
	f.To = max(f.To, to)
	at := from
	for line := range strings.Lines(p.source[from:to]) {
		begins := at
		at += len(line)
		words := strings.TrimSpace(line)
		if f.Path != "" && f.Line == 0 && linesLabel.MatchString(words) && linesWord.MatchString(words) {
			m := linesLabel.FindStringSubmatch(words)
			f.Line, _ = strconv.Atoi(m[1])
			f.End, _ = strconv.Atoi(m[2])
			words = strings.TrimLeft(words[len(m[0]):], " *_")
		}
		f.addCitations(line, begins, nil)
		m := label.FindStringSubmatch(words)
		if m == nil {
			if p.field == "fix" {
				f.Fix += words + "\n"
			} else {
				p.body = append(p.body, words)
			}
			continue
		}
		p.labeled(strings.ToLower(m[1]), strings.TrimSpace(m[2]))
	}
	p.body = append(p.body, "")
}

// labeled takes a line "Label: text" into the field that it names.
func (p *parts) labeled(name, words string) {
	f := p.open
	p.field = ""
	switch {
	case slices.Contains(strings.Fields("severity priority level schweregrad 严重程度"), name):
		f.Severity = strings.Trim(words, "*_`. \t🔴🟠🟡🟢")
		if severity, _, more := strings.Cut(f.Severity, " "); more {
			f.Severity = strings.Trim(severity, "*_`.,;|")
		}
	case regexp.MustCompile(`^(?:` + placeLabel + `)$`).MatchString(name):
		bare := strings.Trim(words, "`*_ ")
		if m := lineRange.FindStringSubmatch(bare); m != nil {
			if f.Line == 0 {
				f.Line, _ = strconv.Atoi(m[1])
				f.End, _ = strconv.Atoi(m[2])
			}
		} else if ledger.IsFile(cleanPath(bare)) && (f.Path == "" || f.Line == 0) && len(places(words)) == 0 {
			f.Path = cleanPath(bare)
		} else if len(places(words)) == 0 {
			p.body = append(p.body, words)
		}
	case slices.Contains([]string{"category", "kind", "type"}, name):
		f.Category = strings.Trim(words, "*_`. ")
	case regexp.MustCompile(`fix|change|solution|remedy|suggestion|recommendation|修复|建议`).MatchString(name):
		f.Fix, p.field = words+"\n", "fix"
	default:
		p.body = append(p.body, words)
	}
}

// row reads a row of a table: the header names the fields.
func (p *parts) row(b *block) {
	if b.header {
		p.close()
		p.columns = nil
		for _, cell := range b.cells {
			p.columns = append(p.columns, fieldName(strings.Trim(cell, "*_` ")))
		}
		return
	}
	if p.skip > 0 {
		return
	}
	p.close()
	f := Finding{From: b.from, To: b.to, Severity: p.severity}
	said := []string{}
	column := func(name, names string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }
	for i, cell := range b.cells {
		if i >= len(p.columns) || cell == "" {
			continue
		}
		bare := strings.Trim(cell, "*_` ")
		switch name := p.columns[i]; {
		case column(name, severe+" sev schweregrad 严重程度"):
			f.Severity = strings.TrimFunc(bare, func(r rune) bool { return r > 0x2000 && r < 0x3000 || r > 0x1f000 || r == ' ' || r == '*' })
		case column(name, kinds):
			f.Category = bare
		case column(name, "line lines linenumber zeile"):
			if m := lineRange.FindStringSubmatch(bare); m != nil {
				f.Line, _ = strconv.Atoi(m[1])
				f.End, _ = strconv.Atoi(m[2])
			}
		case column(name, pathNames+" location place where datei 文件 位置"):
			if len(places(cell)) == 0 && ledger.IsFile(cleanPath(bare)) {
				f.Path = cleanPath(bare)
			}
		case column(name, fixNames):
			f.Fix = cell
		case column(name, whatNames+" "+whyNames+" 问题 描述"):
			said = append(said, cell)
		}
	}
	if len(said) == 0 {
		return
	}
	f.addCitations(p.source[b.from:b.to], b.from, nil)
	f.What, f.Why = split(said[0])
	f.Why = strings.TrimSpace(f.Why + "\n" + strings.Join(said[1:], "\n"))
	if f.settle(); f.Path != "" || f.Severity != "" {
		p.found = append(p.found, f)
	}
}

// close ends the open finding.
func (p *parts) close() {
	f := p.open
	body := strings.Join(p.body, "\n")
	p.open, p.body, p.field = nil, nil, ""
	if f == nil {
		return
	}
	f.What, f.Why = split(body)
	f.What, f.Severity = leadSeverity(f.What, f.Severity)
	if f.settle(); f.What != "" {
		p.found = append(p.found, *f)
	}
}

// leadSeverity takes the severity before a title out of it.
func leadSeverity(title, severity string) (rest, word string) {
	title = numberLead.ReplaceAllString(title, "")
	if m := severityLead.FindStringSubmatch(title); m != nil {
		if own := m[1] + m[2]; own != "" {
			severity = own
		}
		title = title[len(m[0]):]
	}
	return strings.TrimSpace(numberLead.ReplaceAllString(title, "")), severity
}

var (
	fence     = regexp.MustCompile("(?ms)^[ \t]*(```|~~~)([a-zA-Z]*)[^\n]*\n(.*?)(?:[ \t]*(?:```|~~~)[ \t]*$|\\z)")
	placeOnly = regexp.MustCompile(`^[\s\p{P}\p{S}]*$`)
	tags      = regexp.MustCompile(`<!--[^>]*-->|</?[a-zA-Z][^>\n]*>|!\[[^\]]*\]\([^)]*\)`)
)

// proseOf returns a text without its code: a suggestion becomes the fix.
func proseOf(words string, f *Finding) string {
	for _, m := range fence.FindAllStringSubmatch(words, maxCitations) {
		if strings.EqualFold(m[2], "suggestion") && f.Fix == "" {
			f.Fix = m[3]
		}
	}
	return strings.TrimSpace(fence.ReplaceAllString(words, ""))
}

// split parts a text into what is wrong, its first sentence or its title, and the rest. Places that stand alone in
// front are left out.
func split(body string) (what, why string) {
	body = strings.TrimSpace(tags.ReplaceAllString(body, ""))
	for body != "" {
		first, rest, _ := strings.Cut(body, "\n")
		line := strings.TrimLeft(withoutPlaceAhead(first), "#*_:：–—->| \t")
		line = strings.TrimRight(strings.ReplaceAll(line, "**", ""), " *_")
		if bare := severityAlone.FindString(line); placeOnly.MatchString(line) || bare != "" && rest != "" {
			body = strings.TrimSpace(rest)
			continue
		}
		paragraph, more, _ := strings.Cut(body[len(first):], "\n\n")
		titled := boldLine.MatchString(strings.TrimSpace(first)) || placeLast(first)
		if titled {
			paragraph, more = "", rest
		}
		all := plain.OneLine(line + " " + paragraph)
		what = plain.FirstSentence(all)
		if at := strings.IndexAny(what, "。！？"); at >= 0 {
			what = what[:at+len("。")]
		}
		more = strings.TrimSpace(more)
		if alone, after, _ := strings.Cut(more, "\n"); len(ledger.FindPlaces(alone, 2)) == 1 && placeOnly.MatchString(withoutPlaceAhead(alone)) {
			more = strings.TrimSpace(after)
		}
		why = strings.TrimSpace(strings.ReplaceAll(strings.TrimSpace(all[len(what):])+"\n"+strings.TrimSpace(more), "**", ""))
		return what, why
	}
	return "", ""
}

// placeLast reports whether a line is a title with its place behind it, as in "Keep the file — lock.go:5".
func placeLast(line string) bool {
	return !placeOnly.MatchString(withoutPlaceAhead(line)) && strings.HasPrefix(line, withoutPlaceAhead(line)) && withoutPlaceAhead(line) != line
}

// withoutPlaceAhead drops a place that a line begins or ends with.
func withoutPlaceAhead(line string) string {
	found := ledger.FindPlaces(line, maxCitations)
	if len(found) == 0 {
		return line
	}
	if last := found[len(found)-1]; placeOnly.MatchString(line[last.To:]) && !placeOnly.MatchString(line[:last.From]) {
		before := strings.TrimRight(line[:last.From], " \t`*_([–—-:|@")
		if len(before) < last.From-1 && !plain.Abbreviation(before) && !prepositionEnd.MatchString(before) {
			line = before
		}
	}
	if first := found[0]; placeOnly.MatchString(line[:min(first.From, len(line))]) && first.To <= len(line) {
		return strings.TrimLeft(line[first.To:], " \t`*_)]:：–—-|,.")
	}
	return line
}

var prepositionEnd = regexp.MustCompile(`(?i)\b(?:in|at|of|from|on|see|to|and|by|with|after|before)$`)
