package written

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

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
	quoted, own bool  // in a block quote; in an item of a list
	fold        *fold // whose summary this heading is
	hidden      bool  // in a fold that is no finding
	titles      bool  // a heading without a place whose section names one, or a severity
}

// blocks cuts a Markdown text into its blocks.
type blocks struct {
	source string
	bytes  []byte
	folds  []*fold
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
			at, found := slices.BinarySearchFunc(b.folds, one.from, func(f *fold, from int) int { return f.title - from })
			if !found {
				at--
			}
			if at >= 0 && one.from < b.folds[at].titleEnd {
				one.fold = b.folds[at]
			}
		case *ast.Paragraph, *ast.TextBlock:
			if boldLine.MatchString(strings.TrimSpace(b.source[one.from:one.to])) && depth == 0 {
				one.kind, one.level = heading, 7
			}
		case *ast.FencedCodeBlock:
			one.kind, one.language = code, string(n.Language(b.bytes))
		case *ast.CodeBlock:
			one.kind = code
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
	severeWords = `critical|blocking|blockers?|severe|high|medium|moderate|low|major|minor|nit(?:pick)?s?|trivial|p[0-4]|important|errors?|warnings?|` +
		`kritisch|schwerwiegend|hoch|mittel|niedrig|gering|crític[oa]s?|graves?|alt[oa]s?|medi[oa]s?|baj[oa]s?|critique|élevée?|moyenne?|faible|` +
		`致命|严重|高|中|低|轻微`
	severeLabel = `severity|priority|level|schweregrad|priorität|gravedad|severidad|prioridad|gravité|严重程度|严重性|优先级`
	placeLabel  = `location|locations|file|files|path|where|place|lines?|code|datei|zeilen?|stelle|fichier|lignes?|archivo|` +
		`l[ií]neas?|ubicación|位置|文件|行号?|代码`
	fixLabel = `(?:suggested |proposed |recommended )?(?:fix|change|solution|remedy)(?: suggestion)?|suggestions?|recommendations?|` +
		`vorschlag|behebung|lösung|empfehlung|sugerencia|corrección|solución|arreglo|recomendación|correctif|修复(?:建议|方案)?|建议|解决方案`
	lineWords = `lines?|zeilen?|l[ií]neas?|lignes?`
)

var (
	boldLine = regexp.MustCompile(`^(?:\*\*[^*\n]+\*\*|__[^_\n]+__):?$`)
	// severityAlone is a heading or item that is the word for a severity, as in "High (2)" or "Critical issues".
	severityAlone = regexp.MustCompile(`(?i)^[^\p{L}\d]*(` + severeWords + `)(?:[ -](?:severity|priority|risk))?` +
		`(?: (?:issues?|findings?|problems?|bugs?|comments?|fehler|befunde?|probleme|problema(?:s)?|问题))?(?:问题)?(?: \((?:must|should|nice)[^)]*\))?[^\p{L}]*$`)
	// severityLead is a severity before a title: "[P1] …", "High: …", "**Critical** — …".
	severityLead = regexp.MustCompile(`(?i)^[^\p{L}\d\[(]*(?:[\[(](` + severeWords + `)(?:[ -](?:severity|priority))?[\])]|` +
		`(` + severeWords + `)(?:[ -](?:severity|priority))?[*_\s]*[:：–—|·-])[*_:：–—\s|·-]*`)
	// numberLead is the number of a finding before its title.
	numberLead = regexp.MustCompile(`(?i)^[^\p{L}\d\[(]*(?:#?\d{1,3}[.):][ \t]+|(?:finding|issue|bug|problem|concern|defect|comment|vuln(?:erability)?|befund|fehler|hallazgo|problema|问题)` +
		`(?:[ #-]*\d{1,3})?[ \t]*[:.)–—-]+[ \t]*)`)
	// idLead is the name of a finding before its title, as in "F1 · ".
	idLead = regexp.MustCompile(`^[*_\s]*[A-Z]{1,3}-?\d{1,3}\s*[·:–—-]+\s*`)
	// conventional is how the convention for comments labels one.
	conventional = regexp.MustCompile(`(?i)^[*_\s]*(issue|suggestion|nitpick|nit|question|todo|thought|chore|praise|note)(?: \(([\p{L}, -]+)\))?:[*_]*\s+`)
	// approval begins a line that says that something is good.
	approval = regexp.MustCompile(`^[*_\s]*[✅✔👍🎉☑]`)
	// aside is the heading of what is no finding.
	aside = regexp.MustCompile(`(?i)^(?:[^\p{L}]|ℹ)*(?:(?:(?:[a-z]+ )?(?:summary|overview)(?: by [\w ]+| of changes)?|introduction|strengths?|positives?|` +
		`(?:positive|good) (?:notes?|points|aspects|observations)|praise|` +
		`what(?:'s| is| works| went| looks)? ?(?:good|well|right|done well)?|good|verdict|conclusions?|references|appendix|method(?:ology)?|` +
		`out of scope|scope|tests? (?:to add|plan)|next steps|recommendations?|changes|checks?|checked|assessment|tools?|` +
		`what (?:i|we) (?:checked|reviewed|looked at|verified)|things (?:i|we) checked|(?:verified|checked)(?: and found (?:fine|correct|ok))?|no issues? found|` +
		`zusammenfassung|überblick|fazit|stärken|positives|was (?:gut ist|ich geprüft habe)|geprüft|` +
		`resumen|conclusión|puntos (?:fuertes|positivos)|fortalezas|lo (?:bueno|que (?:revisé|está bien))|résumé|points forts|` +
		`总结|结论|概述|优点|亮点|总体评价|做得好的地方|检查(?:内容|范围))[^\p{L}]*$|` +
		`(?:walkthrough|sequence diagrams?|estimated (?:code review )?effort|(?:possibly )?related (?:prs?|issues)|` +
		`(?:suggested|recommended) (?:labels|reviewers)|poem|pre-merge checks|finishing touches|tips\b|thanks? |review (?:details|profile|info)|` +
		`commits?\b|files? (?:reviewed|changed|selected|ignored|skipped|not reviewed|processed|with no)|additional context|about\b|` +
		`prompt(?: for|s)?\b|learnings?\b|verification|analysis chain|script executed|reviewed changes|show a summary|configuration|` +
		`confidence score|important files|file (?:analysis|walkthrough)|context used|coverage|repository|autofix|` +
		`(?:open|review) in|share\b|chat\b|actionlint|ast-grep|golangci|last reviewed))`)
	// section is a heading above comments that are findings.
	section = regexp.MustCompile(`(?i)\bcomments? (?:\(\d+\)|failed|suppressed|outside)|outside (?:of )?(?:the )?diff`)
	// fixFold is the summary of what a finding proposes.
	fixFold = regexp.MustCompile(`(?i)(?:suggested|proposed|committable|possible|recommended|💡)[\p{L} ]*(?:fix|change|suggestion|patch|refactor|diff|solution)|^[^\p{L}]*(?:fix|suggestion|diff)[^\p{L}]*$`)
	// general is a heading above findings, not one of them.
	general = regexp.MustCompile(`(?i)^[^\p{L}]*(?:(?:[\p{L}]+ ){0,2}review(?: by \p{L}+)?|recommended focus areas.*|(?:key )?(?:review )?(?:findings?|issues?|comments?|bugs?|problems?|details|results?|report|` +
		`befunde|probleme|fehler|problema(?:s)?|hallazgos|问题|发现的问题|审查结果)(?: found| list| comments)?)[^\p{L}]*$`)
	// footer is a line that products write below a review.
	footer = regexp.MustCompile(`(?i)^[^\p{L}]*(?:(?:written|reviewed|generated|posted) (?:by|with)\b|was this (?:helpful|useful)|useful\? react|react with|` +
		`if this (?:code )?review was|fix (?:this )?(?:in|with) (?:cursor|claude|codex|web)\b|prompt to fix with ai|copilot uses ai|you can also share|` +
		`positive feedback|consider using \[?copilot|tip: |spotted by|is this helpful|this is a comment left during|how can i resolve this)`)
	// outro is a paragraph below the findings.
	outro = regexp.MustCompile(`(?i)^[*_]*(?:overall|in summary|in conclusion|everything else|otherwise|the rest|let me know|no other|insgesamt|ansonsten|` +
		`en general|por lo demás|总体|总的来说|其他)`)
	// severityBold is a severity in bold before a title; severityBehind one in brackets behind it.
	severityBold   = regexp.MustCompile(`(?i)^[^\p{L}\d*\[(]*\*\*[^\p{L}\d*]*(` + severeWords + `)(?: severity| priority)?[^\p{L}\d*]*\*\*[:：–—\s-]*`)
	severityBehind = regexp.MustCompile(`(?i)\s*[\[(](?:severity:? |priority:? )?(` + severeWords + `)(?: severity| priority)?[\])]$`)
	// predicate continues a sentence that begins with a place.
	predicate = regexp.MustCompile(`^(?:[a-z]+s|can|may|must|should|will|could|never|doesn't|isn't|does|and|or|wird|ist|hat|muss|kann)\b`)
	// proposal is a word that presents a proposed change.
	proposal = regexp.MustCompile(`(?i)fix|suggest|instead|appl|consider|change|propos|vorschlag|建议|修复|suger`)
	// importance is how Qodo ends a suggestion.
	importance = regexp.MustCompile(`\s*\[([\p{L} ]{3,40}), importance: \d+\]$`)
	// sign is a colored circle, which products use for severities.
	sign = regexp.MustCompile(`^[\s*_]*([🔴🟠🟡🟢🔵⚪])\x{fe0f}?[\s*_]*`)
	// tagged is a line of words in italics with bars between them, as in "_Potential issue_ | _Major_".
	tagged = regexp.MustCompile(`^_[^_\n]+_(?: *\| *_[^_\n]+_)*$`)
	// badge is a picture that names a severity.
	badge = regexp.MustCompile(`(?i)!\[[^\]\n]*?\b(` + severeWords + `)\b[^\]\n]*\]\([^)\n]*\)`)
	// also names further lines of the same file.
	also     = regexp.MustCompile(`(?i)^[\s>*_]*also applies to:?[*_]*:?\s*(.+)$`)
	numbers  = regexp.MustCompile(`(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?`)
	checkbox = regexp.MustCompile(`^\[([ xX])\]\s+`)
	kindLead = regexp.MustCompile(`(?i)^[*_\s]*(logic|style|syntax|security|performance|correctness|concurrency)[*_]*:[*_]*\s+`)
	// diffLine is the end of a link to lines in the changes of a pull request.
	diffLine = regexp.MustCompile(`#diff-[0-9a-zA-Z]+[LR](\d{1,9})(?:-[LR](\d{1,9}))?`)
	// label is a line "Label: text" of a finding.
	label = regexp.MustCompile(`(?i)^[\s>]*(?:[-*•+][ \t]+|\d+[.)][ \t]+)?[*_]{0,2}[^\p{L}*_]*(` + severeLabel + `|` + placeLabel + `|` + fixLabel +
		`|category|kind|type|kategorie|categoría|类别|why|impact|rationale|reason|consequence|problem|issue|comments?|description|details|explanation|what|` +
		`auswirkung|begründung|beschreibung|ursache|problema|impacto|motivo|descripción|问题|原因|影响|描述|说明)(?:\(s\))?[*_]{0,2}[ \t]*[:：][*_]{0,2}[ \t]*(.*)$`)
	// linesLabel is a line that names the lines of the file named before it.
	linesLabel = regexp.MustCompile("(?i)^[\\s>*_]*(?:comment on |around |in |第 ?)?(?:(?:" + lineWords + ") )?`?[LR+]?(\\d{1,9})" +
		"(?:[ ]?(?:-|–|to|bis|a|至|到)[ ]?[LR+]?(\\d{1,9}))?`?(?: ?行)?[*_]*(?:[:：]|[*_]* [–—-] |$)")
	linesWord = regexp.MustCompile("(?i)(?:" + lineWords + ") [LR+]?\\d|\\d ?行|^[\\s>*_]*(?:`|L\\d)")
	// pathAlone is a heading that is a file, perhaps with a count behind it.
	pathAlone = regexp.MustCompile("(?i)^[^\\p{L}\\d`@./_]*(?:(?:in|file|datei|archivo|fichier|文件)[:：]? )?[`@*]{0,3}([^\\s`*]+?)[`*]{0,3}(?: \\(\\d+\\))?[:：]?$")
)

// parts collects findings while blocks go by.
type parts struct {
	source   string // without HTML
	original string
	found    []Finding
	more     int
	whole    bool // the text is one finding
	folds    []fold
	skipTo   int // end of the fold that is no finding
	open     *Finding
	level    int    // of the block that opened the finding; items are 10 and more
	severity string // of the section
	path     string // of the section
	skip     int    // level of the heading that is no finding, or 0
	columns  []string
	findings bool     // the table names problems, not only files
	body     []string // of the open finding
	field    string
}

func readMarkdown(source string) Review {
	if foreign.MatchString(source) {
		return Review{Layout: Markdown, blocks: &blocks{}}
	}
	b := blocksOf(source)
	p := &parts{source: b.source, original: source}
	for i := range b.list {
		p.block(&b.list[i])
	}
	p.close()
	r := Review{Layout: Markdown, Findings: p.found, More: p.more, blocks: b}
	if len(r.Findings) == 0 {
		for i := range b.list {
			if one := &b.list[i]; one.kind != code && !one.quoted && !one.hidden && r.NothingText == "" && !linesLabel.MatchString(b.source[one.from:one.to]) {
				r.NothingText = nothingIn(b.source[one.from:one.to])
			}
		}
		r.Nothing = r.NothingText != ""
	}
	return r
}

// foreign is a document in XML or HTML, such as the results of tests, which is no review.
var foreign = regexp.MustCompile(`(?i)^\s*<(?:\?xml|!doctype|html|testsuites?|checkstyle)\b`)

// blocksOf cuts a text into its blocks.
func blocksOf(source string) *blocks {
	b := &blocks{}
	b.source, b.folds = mask(source)
	b.bytes = []byte(b.source)
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table))
	if document := markdown.Parser().Parse(text.NewReader(b.bytes)); document != nil {
		b.add(document.FirstChild(), 0, false)
	}
	for i := range b.list {
		if one := &b.list[i]; one.kind == heading && !general.MatchString(b.source[one.from:one.to]) {
			one.titles = b.titles(i)
		}
	}
	return b
}

// titles reports whether what follows a heading is one finding: it names a severity, or one place alone.
func (b *blocks) titles(at int) bool {
	alone, severe := 0, 0
	for i := at + 1; i < len(b.list) && i < at+12; i++ {
		one := &b.list[i]
		words := strings.TrimSpace(b.source[one.from:one.to])
		if one.kind == heading {
			if one.level == 7 && severityAlone.MatchString(strings.Trim(words, "*_ ")) && i == at+1 {
				severe++
				continue
			}
			if one.level == 7 && b.list[at].fold != nil && i == at+1 {
				continue
			}
			break
		}
		if one.kind == code || one.kind == row {
			continue
		}
		for line := range strings.Lines(words) {
			line = strings.TrimSpace(line)
			m := label.FindStringSubmatch(line)
			switch {
			case m != nil && severeName.MatchString(m[1]):
				severe++
			case m != nil && placeName.MatchString(m[1]), m == nil && len(line) < 300 && placeOnly.MatchString(withoutPlaceAhead(line)) && len(places(line)) == 1:
				alone++
			}
		}
	}
	return severe == 1 || alone == 1 && severe == 0
}

// readBody reads a text that is one finding, as the body of a comment is, into f. at maps its offsets to the source.
func (f *Finding) readBody(body string, at func(int) int) {
	b := blocksOf(body)
	p := &parts{source: b.source, original: body, whole: true, open: &Finding{Path: f.Path, Line: f.Line, End: f.End}}
	for i := range b.list {
		p.block(&b.list[i])
	}
	p.close()
	if len(p.found) == 0 {
		return
	}
	read := &p.found[0]
	f.What, f.Why = read.What, read.Why
	f.Severity, f.Category, f.Fix = cmp.Or(f.Severity, read.Severity), cmp.Or(f.Category, read.Category), cmp.Or(f.Fix, read.Fix)
	for _, block := range read.Blocks {
		block.From, block.To = at(block.From), at(block.To)
		f.Blocks = append(f.Blocks, block)
	}
}

// block reads one block.
func (p *parts) block(b *block) {
	for n := len(p.folds); n > 0 && b.from >= p.folds[n-1].to; n-- {
		outer := p.folds[n-1]
		if p.open != nil && p.open.From > outer.from {
			p.close()
		}
		p.severity, p.path, p.field, p.folds = outer.severity, outer.path, "", p.folds[:n-1]
	}
	if b.from < p.skipTo {
		b.hidden = true
		return
	}
	words := p.source[b.from:b.to]
	switch b.kind {
	case heading:
		if title := strings.Trim(strings.TrimSpace(words), "#*_ \t"); b.fold != nil {
			p.summary(b, title)
		} else {
			p.heading(b, title)
		}
	case row:
		p.row(b)
	case code:
		if p.skip == 0 && p.open != nil {
			proposes := p.field == "fix" || strings.EqualFold(b.language, "suggestion") || strings.EqualFold(b.language, "diff")
			last := strings.TrimSpace(strings.Join(p.body[max(0, len(p.body)-3):], "\n"))
			shows := p.field == "" && strings.EqualFold(b.language, "diff") && strings.HasSuffix(last, ":") && !proposal.MatchString(last)
			p.open.Blocks = append(p.open.Blocks, Block{Language: b.language, Text: words, Fix: proposes, From: b.from, To: b.to})
			p.open.To = b.to
			if proposes && !shows && strings.TrimSpace(p.open.Fix) == "" {
				p.open.Fix = words
			}
		}
	case item, paragraph:
		if p.skip == 0 {
			p.passage(b, words)
		}
	}
}

// summary reads the line that stays when a part of the text is folded.
func (p *parts) summary(b *block, title string) {
	opens := func() {
		outer := *b.fold
		outer.severity, outer.path = p.severity, p.path
		p.folds = append(p.folds, outer)
	}
	file := pathAlone.FindStringSubmatch(title)
	severity := severityAlone.FindStringSubmatch(title)
	switch {
	case strings.HasPrefix(title, "🔇"): // CodeRabbit marks comments that ask for nothing
		p.skipTo = b.fold.to
	case severity != nil || section.MatchString(title) && !aside.MatchString(title):
		p.close()
		opens()
		p.skip, p.path, p.severity = 0, "", ""
		if severity != nil {
			p.severity = severity[1]
		}
	case aside.MatchString(title):
		p.skipTo = b.fold.to
	case p.skip > 0:
	case p.open != nil && fixFold.MatchString(title):
		opens()
		p.field = "fix"
	case file != nil && ledger.IsFile(cleanPath(file[1])) && !p.whole:
		p.close()
		opens()
		p.path = cleanPath(file[1])
	case p.whole || p.open != nil && len(places(title)) == 0 && p.open.From > 0 && p.inside(b):
	case b.titles || len(places(title)) > 0 || severityLead.MatchString(title) || numberLead.MatchString(title) || diffLine.MatchString(p.original[b.fold.from:b.to]):
		opens()
		p.begin(b, 5)
		p.line(b.from, b.to)
		if m := diffLine.FindStringSubmatch(p.original[b.fold.from:b.to]); m != nil && p.open.Line == 0 {
			p.open.Line, _ = strconv.Atoi(m[1])
			p.open.End, _ = strconv.Atoi(m[2])
		}
	}
}

// inside reports whether the open finding began in the innermost fold that a block is in.
func (p *parts) inside(b *block) bool {
	n := len(p.folds)
	return n == 0 || p.open.From >= p.folds[n-1].from && b.fold.to <= p.folds[n-1].to
}

func (p *parts) heading(b *block, title string) {
	if p.skip > 0 && b.level > p.skip {
		return
	}
	if p.whole {
		if p.skip = 0; aside.MatchString(title) {
			p.skip = b.level
		} else if m := severityAlone.FindStringSubmatch(title); m != nil && p.open.Severity == "" {
			p.open.Severity = m[1]
		} else {
			p.line(b.from, b.to)
		}
		return
	}
	p.skip = 0
	places := places(title)
	lead := severityLead.MatchString(title) || numberLead.MatchString(title) || badge.MatchString(title) || p.linesOnly(title)
	file := pathAlone.FindStringSubmatch(title)
	untitled := strings.TrimSpace(strings.Join(p.body, "")) == ""
	bare := p.open != nil && b.level == 7 && len(places) == 0 && (!lead || untitled && badge.MatchString(title))
	switch m := severityAlone.FindStringSubmatch(title); {
	case m != nil && bare && p.level < 7 && p.open.Severity == "":
		p.open.Severity = m[1]
	case bare && m == nil && !aside.MatchString(title) && untitled:
		p.line(b.from, b.to) // the title below the place
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
	case lead || len(places) > 0 || b.titles:
		p.begin(b, b.level)
		p.line(b.from, b.to)
	default:
		p.close()
		p.severity = ""
	}
}

// places returns the places of a text that are more than a number behind a word.
func places(text string) []ledger.Place {
	return slices.DeleteFunc(findPlaces(text), func(p ledger.Place) bool { return p.Weak || p.Path == "" })
}

// labelsPlace reports whether a line of a paragraph says "File: a.go".
func labelsPlace(words string) bool {
	for line := range strings.Lines(words) {
		if !strings.ContainsAny(line, ":：") {
			continue
		}
		if m := label.FindStringSubmatch(strings.TrimSpace(line)); m != nil && placeName.MatchString(m[1]) && (ledger.IsFile(cleanPath(m[2])) || len(places(m[2])) > 0) {
			return true
		}
	}
	return false
}

// eachPlaced reports whether a paragraph is a list without marks: every line begins with a place.
func eachPlaced(words string) bool {
	count := 0
	for line := range strings.Lines(words) {
		found := places(line)
		if len(found) == 0 || strings.Trim(line[:found[0].From], " \t`*") != "" {
			return false
		}
		count++
	}
	return count > 1
}

// unchecked takes the box off an item of a checklist, and says whether it is checked.
func (p *parts) unchecked(b *block, words string) (rest string, done bool) {
	m := checkbox.FindStringSubmatch(strings.TrimSpace(words))
	if m == nil || b.kind != item {
		return words, false
	}
	b.from += strings.Index(words, "]") + 1
	return p.source[b.from:b.to], m[1] != " "
}

// eachLine reads a finding from each line of a paragraph.
func (p *parts) eachLine(b *block, words string) {
	at := b.from
	for line := range strings.Lines(words) {
		one := *b
		one.from, one.to = at, at+len(line)
		p.begin(&one, 9)
		p.line(one.from, one.to)
		at = one.to
	}
}

// passage reads a paragraph or an item of a list.
func (p *parts) passage(b *block, words string) {
	words, done := p.unchecked(b, words)
	trimmed := strings.TrimSpace(words)
	if done {
		if p.open != nil && 9+b.level <= p.level {
			p.close()
		}
		return
	}
	if footer.MatchString(trimmed) && !strings.Contains(trimmed, "\n") {
		return
	}
	if outro.MatchString(trimmed) && p.open != nil && p.level > 9 && !b.own && len(places(words)) == 0 {
		p.close()
		return
	}
	level := 9
	if b.kind == item {
		level = 9 + b.level
	}
	if approval.MatchString(trimmed) && !p.whole {
		if p.open != nil && level <= p.level {
			p.close()
		}
		return
	}
	if m := severityAlone.FindStringSubmatch(trimmed); m != nil && b.kind == item && (p.open == nil || p.level > 9 && level < p.level) {
		p.close()
		p.severity = m[1]
		return
	}
	file := pathAlone.FindStringSubmatch(trimmed)
	found := places(words)
	placed := len(found) > 0
	if file != nil && ledger.IsFile(cleanPath(file[1])) && !placed {
		switch {
		case p.whole:
		case p.open != nil && p.open.Path == "" && !(b.kind == item && level <= p.level):
			p.open.Path, p.open.To = cleanPath(file[1]), b.to
			return
		case p.open == nil || b.kind == item && level <= p.level || b.kind == paragraph && !b.own && p.level > 8:
			p.close()
			p.path = cleanPath(file[1])
			return
		}
	}
	first := firstLine(trimmed)
	lines := p.linesOnly(first)
	led := severityLead.MatchString(first) || severityBold.MatchString(first) || badge.MatchString(first)
	if p.open != nil && strings.TrimSpace(strings.Join(p.body, "")) == "" {
		led = false // A severity below a place has its title behind it.
	}
	labeled := label.MatchString(first)
	starts := false
	if b.kind == paragraph && placed && !p.whole && (p.open == nil || p.level > 8) && eachPlaced(words) {
		p.eachLine(b, words)
		return
	}
	switch {
	case p.whole:
	case p.open != nil && p.level < 9:
		// Everything below a heading belongs to it, unless it begins another comment on the file.
		starts = (lines || labeled && labelsPlace(words)) && p.open.Line > 0
	case b.kind == item && p.open != nil && p.level > 9:
		m := label.FindStringSubmatch(first)
		starts = level <= p.level && (m == nil || p.open.Path != "" && labelsPlace(words) || p.open.Severity != "" && severeName.MatchString(m[1]))
	case b.kind == item && labeled:
		starts = labelsPlace(words)
	case b.kind == item:
		starts = (placed || led || lines || p.severity != "" || p.path != "" || numbered(p.source, b.from))
	case p.open != nil && b.own:
	case p.open != nil:
		only := placed && len(strings.Fields(trimmed)) <= 2
		starts = led || lines || !only && !labeled && placed && len(p.open.Citations) > 0 || p.open.Path != "" && labelsPlace(words)
	default:
		starts = led || placed || lines || labelsPlace(words)
	}
	if starts && !led {
		if said := nothingIn(trimmed); said != "" && (!placed || strings.Contains(said, strings.Trim(words[found[0].From:found[0].To], "`*"))) {
			if b.kind == item || p.level > 8 {
				p.close()
			}
			return
		}
	}
	if starts {
		p.begin(b, level)
	}
	if p.open != nil {
		p.line(b.from, b.to)
	}
}

// linesOnly reports whether a line begins with the lines of the file named above it.
func (p *parts) linesOnly(line string) bool {
	return p.path != "" && linesLabel.MatchString(line) && (len(p.folds) > 0 || linesWord.MatchString(line))
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
	if len(p.found) >= MaxFindings {
		return // It is only counted.
	}
	at := from
	for line := range strings.Lines(p.source[from:to]) {
		begins := at
		at += len(line)
		words := strings.TrimSpace(line)
		if f.Path != "" && f.Line == 0 && linesLabel.MatchString(words) && (len(p.folds) > 0 || linesWord.MatchString(words)) {
			m := linesLabel.FindStringSubmatch(words)
			f.Line, _ = strconv.Atoi(m[1])
			f.End, _ = strconv.Atoi(m[2])
			words = strings.TrimLeft(words[len(m[0]):], " *")
		}
		f.addCitations(p.original[begins:at], begins, nil)
		if m := badge.FindStringSubmatch(words); m != nil && f.Severity == "" {
			f.Severity = m[1]
		}
		if footer.MatchString(words) || words != "" && strings.Trim(words, "-_=* ") == "" {
			continue
		}
		if bare, severity := leadSeverity(words, ""); severity != "" && len(f.Citations) > 0 && placeOnly.MatchString(withoutPlaceAhead(bare)) {
			f.Severity = severity
			continue // a severity and a place
		}
		if len(f.Citations) > 0 && placeOnly.MatchString(withoutPlaceAhead(words)) && words != "" {
			if strings.ContainsFunc(words, unicode.IsLetter) {
				p.field = ""
				continue // a place alone
			}
		}
		if tagged.MatchString(words) {
			f.tag(words)
			continue
		}
		if m := also.FindStringSubmatchIndex(line); m != nil && f.Path != "" {
			f.alsoAt(line[m[2]:m[3]], begins+m[2])
			continue
		}
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

// tag reads a line such as "_Potential issue_ | _Major_".
func (f *Finding) tag(line string) {
	for part := range strings.SplitSeq(line, "|") {
		word := strings.TrimFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch {
		case severityAlone.MatchString(word):
			f.Severity = word
		case f.Category == "":
			f.Category = word
		}
	}
}

// alsoAt adds further lines of the finding's file, as in "30-31, 40".
func (f *Finding) alsoAt(words string, at int) {
	if len(places(words)) > 0 {
		return // They have been read.
	}
	for _, m := range numbers.FindAllStringSubmatchIndex(words, maxCitations) {
		first, _ := strconv.Atoi(words[m[2]:m[3]])
		last := first
		if m[4] >= 0 {
			last, _ = strconv.Atoi(words[m[4]:m[5]])
		}
		if first > 0 && last >= first && len(f.Citations) < maxCitations {
			f.Citations = append(f.Citations, Citation{
				Reference: ledger.Reference{Path: f.Path, Spans: []ledger.Span{{First: first, Last: last}}}, From: at + m[0], To: at + m[1],
			})
		}
	}
}

// labeled takes a line "Label: text" into the field that it names.
func (p *parts) labeled(name, words string) {
	f := p.open
	p.field = ""
	switch {
	case severeName.MatchString(name):
		f.Severity = strings.Trim(words, "*_`. \t🔴🟠🟡🟢")
		if severity, _, more := strings.Cut(f.Severity, " "); more {
			f.Severity = strings.Trim(severity, "*_`.,;|")
		}
	case placeName.MatchString(name):
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
	case slices.Contains(strings.Fields("category kind type kategorie categoría 类别"), name):
		f.Category = strings.Trim(words, "*_`. ")
	case fixName.MatchString(name):
		if words != "" && strings.TrimSpace(strings.Join(p.body, "")) == "" {
			p.body = append(p.body, words) // There is nothing else to read yet.
			break
		}
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
		p.findings = false
		for _, cell := range b.cells {
			name := fieldName(strings.Trim(cell, "*_` "))
			p.columns = append(p.columns, name)
			p.findings = p.findings || findingColumn.MatchString(name)
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
		case column(name, severe+" sev schweregrad gravedad severidad 严重程度 严重性"):
			f.Severity = strings.TrimFunc(bare, func(r rune) bool { return r > 0x2000 && r < 0x3000 || r > 0x1f000 || r == ' ' || r == '*' })
		case column(name, kinds):
			f.Category = bare
		case column(name, "line lines linenumber zeile zeilen línea líneas linea 行 行号"):
			if m := lineRange.FindStringSubmatch(bare); m != nil {
				f.Line, _ = strconv.Atoi(m[1])
				f.End, _ = strconv.Atoi(m[2])
			}
		case column(name, pathNames+" location place where datei archivo 文件 位置"):
			if len(places(cell)) == 0 && ledger.IsFile(cleanPath(bare)) {
				f.Path = cleanPath(bare)
			}
		case column(name, fixNames+" vorschlag sugerencia solución 建议 修复"):
			f.Fix = cell
		case column(name, whatNames+" "+whyNames+" bug risk concern befund beschreibung problema descripción 问题 描述"):
			said = append(said, cell)
		}
	}
	if len(said) == 0 {
		return
	}
	f.addCitations(p.original[b.from:b.to], b.from, nil)
	if f.What, f.Why = split(said[0]); f.What == "" {
		// It is no more than a place.
		f.What, f.Why = said[0], ""
	}
	f.Why = strings.TrimSpace(f.Why + "\n" + strings.Join(said[1:], "\n"))
	if f.settle(); p.findings && (f.Path != "" || f.Severity != "") || f.Line > 0 {
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
	if len(p.found) >= MaxFindings {
		p.more++
		return
	}
	if body = strings.TrimSpace(body); f.Severity == "" || severityBold.MatchString(body) {
		if m := severityBold.FindStringSubmatch(body); m != nil {
			f.Severity, body = m[1], body[len(m[0]):]
		}
	}
	if m := conventional.FindStringSubmatch(body); m != nil {
		kind := strings.ToLower(m[1])
		if kind == "praise" {
			return
		}
		if severityAlone.MatchString(kind) {
			f.Severity = cmp.Or(f.Severity, kind)
		}
		if severityAlone.MatchString(m[2]) {
			f.Severity = cmp.Or(f.Severity, m[2])
		}
		body = body[len(m[0]):]
	}
	f.What, f.Why = split(body)
	for before := ""; before != f.What; {
		before = f.What
		if m := sign.FindStringSubmatch(f.What); m != nil {
			f.Severity, f.What = cmp.Or(f.Severity, m[1]), f.What[len(m[0]):]
		}
		if m := importance.FindStringSubmatchIndex(f.What); m != nil && m[0] > 0 {
			f.Category, f.What = cmp.Or(f.Category, f.What[m[2]:m[3]]), f.What[:m[0]]
		}
		if m := severityBehind.FindStringSubmatchIndex(f.What); m != nil && m[0] > 0 {
			f.Severity, f.What = cmp.Or(f.Severity, f.What[m[2]:m[3]]), f.What[:m[0]]
		}
		f.What = strings.TrimLeft(f.What[len(idLead.FindString(f.What)):], "❌⚠🚨🐛💡\ufe0f ")
		f.What, f.Severity = leadSeverity(f.What, f.Severity)
		if bare := withoutPlaceAhead(f.What); bare != "" {
			f.What = bare
		}
		if m := kindLead.FindStringSubmatch(f.What); m != nil {
			f.Category, f.What = cmp.Or(f.Category, m[1]), f.What[len(m[0]):]
		}
	}
	if praise.MatchString(f.What) && f.Why == "" && f.Severity == "" {
		return
	}
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
	severeName    = regexp.MustCompile(`(?i)^(?:` + severeLabel + `)$`)
	placeName     = regexp.MustCompile(`(?i)^(?:` + placeLabel + `)$`)
	fixName       = regexp.MustCompile(`(?i)^(?:` + fixLabel + `)$`)
	findingColumn = regexp.MustCompile(`^(?:severity|sev|priority|level|schweregrad|gravedad|severidad|严重程度|严重性|lines?|linenumber|zeilen?|` +
		`l[ií]neas?|行号?|issues?|problems?|findings?|bugs?|what|title|concerns?|risk|comments?|befund|problema|hallazgo|问题)$`)
	// praise is a comment that says that something is good.
	praise = regexp.MustCompile(`(?i)^[^\p{L}]*(?:lgtm\b|(?:very |really )?(?:nice|great|good|love|excellent|clean|well done|neat|perfect|👍)[^.;]{0,60}[.!]*$|looks good|` +
		`thanks?\b[^.;]{0,40}$)`)
	boldLead  = regexp.MustCompile(`^\*\*([^*\n]+)\*\*(.*)$`)
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
		// A title may continue in the next line, up to its place.
		if second, more, _ := strings.Cut(rest, "\n"); strings.ContainsAny(second, "—–") && placeLast(second) && !placeLast(first) &&
			!strings.HasSuffix(first, ".") && !placeOnly.MatchString(first) {
			body = strings.TrimSpace(first) + " " + second + "\n" + more
			continue
		}
		line := strings.TrimLeft(withoutPlaceAhead(first), "#*_:：–—->| \t")
		line = strings.TrimRight(strings.ReplaceAll(line, "**", ""), " *_")
		if bare := severityAlone.FindString(line); placeOnly.MatchString(line) || bare != "" && rest != "" {
			body = strings.TrimSpace(rest)
			continue
		}
		paragraph, more, _ := strings.Cut(body[len(first):], "\n\n")
		if m := boldLead.FindStringSubmatch(strings.TrimSpace(first)); m != nil && strings.TrimSpace(m[2]) != "" {
			title := strings.TrimSpace(withoutPlaceAhead(strings.TrimRight(m[1], ":： ")))
			after := strings.TrimLeft(withoutPlaceAhead(strings.TrimLeft(m[2], " :：–—-")), " :：–—-,.")
			if bare, _ := leadSeverity(title+": ", ""); len(strings.Fields(title)) > 1 && !placeOnly.MatchString(title) && bare != "" && !placeOnly.MatchString(withoutPlaceAhead(bare)) && after != "" {
				return title, strings.TrimSpace(strings.ReplaceAll(after+"\n"+rest, "**", ""))
			}
		}
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
		if alone, after, _ := strings.Cut(more, "\n"); len(findPlaces(alone)) == 1 && placeOnly.MatchString(withoutPlaceAhead(alone)) {
			more = strings.TrimSpace(after)
		}
		why = strings.TrimSpace(strings.ReplaceAll(strings.TrimSpace(all[len(what):])+"\n"+strings.TrimSpace(more), "**", ""))
		return what, why
	}
	return "", ""
}

// placeLast reports whether a line is a title with its place behind it, as in "Keep the file — lock.go:5".
func placeLast(line string) bool {
	rest := withoutPlaceAhead(line)
	return len(rest) < len(line) && strings.HasPrefix(line, rest) && !placeOnly.MatchString(rest)
}

// withoutPlaceAhead drops a place that a line begins or ends with.
func withoutPlaceAhead(line string) string {
	if len(line) > longLine {
		return line // no title
	}
	found := findPlaces(line)
	if len(found) == 0 {
		return line
	}
	if last := found[len(found)-1]; placeOnly.MatchString(line[last.To:]) && !placeOnly.MatchString(line[:last.From]) {
		before := strings.TrimRight(line[:last.From], " \t*_([–—-:|@")
		if strings.Count(before, "`")%2 > 0 {
			before = strings.TrimRight(before, "` \t*_([–—-:|@")
		}
		if len(before) < last.From && (!strings.HasSuffix(line[:last.From], " ") || len(before) < last.From-1 || strings.HasPrefix(line[last.From:], "(")) && !plain.Abbreviation(before) && !prepositionEnd.MatchString(before) {
			line = before
		}
	}
	if first := found[0]; placeOnly.MatchString(line[:min(first.From, len(line))]) && first.To <= len(line) {
		rest := line[first.To:]
		if words := strings.TrimLeft(rest, " `*"); len(words) < len(rest) && predicate.MatchString(words) && !strings.HasPrefix(words, "this ") {
			return line
		}
		for {
			rest = strings.TrimLeft(rest, " \t*_)]:：–—-|,.·")
			if !strings.HasPrefix(rest, "`") || strings.Count(rest, "`")%2 == 0 {
				return rest
			}
			rest = rest[1:]
		}
	}
	return line
}

var prepositionEnd = regexp.MustCompile(`(?i)\b(?:in|at|of|from|on|see|to|and|by|with|after|before)$`)
