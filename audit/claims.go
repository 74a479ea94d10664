package audit

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/ledger"
	"moot/protocol/review/written"
)

// claim is a place that a review names, with what it says about it.
type claim struct {
	written.Citation
	// statement is the sentence, or what it belongs to if it is nothing but the place.
	statement string
	// names are the identifiers of the statement.
	names  []string
	quotes []*quote
	// excused says why the place accuses nobody, and outside why its path does not, if no file has it; or they are "".
	excused, outside string
	// passage is the index of its passage.
	passage int
}

// maxStatement is how much of a statement is kept, and maxNames how many of its identifiers.
const (
	maxStatement = 2000
	maxNames     = 40
)

// claimsOf returns the places of a review in their order.
func claimsOf(text string, passages []written.Passage) []*claim {
	var claims []*claim
	at := make([][]*claim, len(passages))
	for i := range passages {
		p := &passages[i]
		for _, citation := range p.Citations {
			c := &claim{Citation: citation, passage: i}
			sentence := cut(sentenceOf(p, citation))
			c.statement = sentence
			if !says(sentence, citation) {
				c.statement = surrounding(passages, i)
			}
			c.statement = cut(c.statement)
			if c.names = namesIn(sentence); len(c.names) == 0 {
				c.names = namesIn(c.statement)
			}
			c.quotes = inlineQuotes(p, citation, sentence)
			c.excused, c.outside = excuse(text, p, citation, sentence), outsideOf(citation.Path, sentence)
			claims, at[i] = append(claims, c), append(at[i], c)
		}
	}
	for i := range passages {
		if passages[i].Part == written.PartCode {
			assign(passages, at, i)
		}
	}
	return claims
}

func cut(text string) string {
	if len(text) > maxStatement {
		text = strings.ToValidUTF8(text[:maxStatement], "")
	}
	return text
}

// sentenceEnd ends a sentence.
var sentenceEnd = regexp.MustCompile(`[.!?][)"'”*_]*(?:\s+|$)|[。！？]\s*|\n\s*\n`)

// sentenceOf returns the sentence that names a place; a row, a heading and a finding of JSON are one.
func sentenceOf(p *written.Passage, c written.Citation) string {
	if !p.Aligned || p.Part == written.PartRow || p.Part == written.PartHeading {
		return p.Text
	}
	first, last := c.From-p.From, c.To-p.From
	if first < 0 || last > len(p.Text) || first > last {
		return p.Text
	}
	from, to := 0, len(p.Text)
	// A long paragraph has its sentences nearby.
	far := 600
	if len(p.Citations) > 50 {
		far = 80 // a list of places
	}
	low, high := max(0, first-far), min(len(p.Text), last+far)
	for _, end := range sentenceEnd.FindAllStringIndex(p.Text[low:high], -1) {
		if e := low + end[1]; e <= first {
			from = e
		} else if low+end[0] >= last {
			to = e
			break
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(p.Text[max(from, low):min(to, high)], ""))
}

// labels are the words before a place that say nothing.
var labels = regexp.MustCompile(`(?i)^(?:location|file|path|where|place|lines?|code|see|ref(?:erence)?s?|at|in|and|datei|zeilen?|stelle|archivo|fichier|ligne|línea|位置|文件|also|source|evidence|affected|anchor|link|position|function|method|permalink|details?|on|near|of)$`)

// says reports whether a sentence says more than its place.
func says(sentence string, c written.Citation) bool {
	rest := strings.ReplaceAll(sentence, c.Path, " ")
	rest = strings.ReplaceAll(rest, path.Base(c.Path), " ")
	words := 0
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }) {
		if len(word) > 1 && !labels.MatchString(word) {
			words++
		}
	}
	return words > 2
}

// surrounding returns what belongs to a place that stands alone: the passages of its finding around it, or the heading
// above it and what follows up to the next place.
func surrounding(passages []written.Passage, at int) string {
	p := &passages[at]
	from, to := at, at+1
	if p.Finding >= 0 {
		for from > 0 && passages[from-1].Finding == p.Finding && at-from < 6 {
			from--
		}
		for to < len(passages) && passages[to].Finding == p.Finding && to-at < 8 {
			to++
		}
	} else {
		if from > 0 && passages[from-1].Part == written.PartHeading {
			from--
		}
		for to < len(passages) && to-at < 4 && len(passages[to].Citations) == 0 && passages[to].Part != written.PartHeading {
			to++
		}
	}
	var words []string
	for i := from; i < to; i++ {
		if passages[i].Part != written.PartCode {
			words = append(words, strings.TrimSpace(passages[i].Text))
		}
	}
	return strings.Join(words, "\n")
}

var (
	codeSpan = regexp.MustCompile("(?s)`` ?(.+?) ?``|`([^`]+)`")
	// identifier finds names, with what qualifies them.
	identifier = regexp.MustCompile(`[\pL_$@][\pL\d_$]*(?:(?:\.|::|->|#)[\pL_$][\pL\d_$]*)*\(?`)
)

// namesIn returns the identifiers of a sentence: all in back-quotes, and outside of them names with an underscore, with a
// capital inside, with a dot, and calls. Words of plain English are none, nor are the names of files.
func namesIn(sentence string) (names []string) {
	if len(sentence) > maxStatement {
		sentence = cut(sentence)
	}
	add := func(name string) {
		name = strings.Trim(name, "@$(")
		if len(names) < maxNames && !slices.Contains(names, name) && len(name) > 2 && !plainWord(name) {
			names = append(names, name)
		}
	}
	take := func(text string, quoted bool) {
		for _, m := range identifier.FindAllStringIndex(text, -1) {
			name := text[m[0]:m[1]]
			call := strings.HasSuffix(name, "(")
			if name = strings.TrimSuffix(name, "("); ledger.IsFile(name) || m[1] < len(text) && text[m[1]] == '/' ||
				m[0] > 0 && text[m[0]-1] == '/' {
				continue // a file or its folder
			}
			parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == ':' || r == '>' || r == '#' })
			last := strings.Trim(parts[len(parts)-1], "-")
			coded := call || len(parts) > 1 && isCode(last) || isCode(name)
			if quoted || coded || len(parts) > 1 && len(parts[0]) > 1 && len(last) > 2 && unicode.IsUpper(firstRune(last)) {
				add(last)
				for _, part := range parts[:len(parts)-1] {
					if quoted && len(part) > 3 {
						add(strings.Trim(part, "-"))
					}
				}
			}
		}
	}
	outside := 0
	for _, m := range codeSpan.FindAllStringSubmatchIndex(sentence, -1) {
		take(sentence[outside:m[0]], false)
		outside = m[1]
		for group := 1; group < 3; group++ {
			if m[2*group] >= 0 {
				take(sentence[m[2*group]:m[2*group+1]], true)
			}
		}
	}
	take(sentence[outside:], false)
	return names
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// isCode reports whether a name has an underscore or a capital inside, as names in code do.
func isCode(name string) bool {
	if strings.Contains(strings.Trim(name, "_"), "_") {
		return true
	}
	lower, inside := false, false
	for i, r := range name {
		lower = lower || unicode.IsLower(r)
		inside = inside || i > 0 && unicode.IsUpper(r)
	}
	return lower && inside
}

// plainWord reports whether a name says nothing about a line: it is a word of the languages, or of reviews.
func plainWord(name string) bool { return strings.Contains(plainWords, " "+strings.ToLower(name)+" ") }

const plainWords = ` nil null none true false err error errors return func function def self this int string bool byte rune
 float var let const type struct class interface import package public private static void for while if else switch case
 break continue new the and not http https json yaml toml xml html api url cli github gitlab javascript typescript macos ios
 todo fixme ok yes file line lines path e.g i.e async await try catch except finally with from export default any map list
 len make append range defer go select chan in of is to on at by do no id key value `

// inlineQuotes returns the code and quotations beside a place.
func inlineQuotes(p *written.Passage, c written.Citation, sentence string) (quotes []*quote) {
	if p.Part == written.PartCode || len(sentence) > maxStatement {
		return nil
	}
	doubtful := denied.MatchString(sentence)
	cited := ""
	if p.Aligned && c.From >= p.From && c.To <= p.To {
		cited = p.Text[c.From-p.From : c.To-p.From]
	}
	for _, m := range codeSpan.FindAllStringSubmatchIndex(sentence, -1) {
		text := sentence[m[0]:m[1]]
		text = strings.TrimSpace(strings.Trim(text, "`"))
		if text == "" || strings.Contains(cited, text) || !isExpression(text) || strings.Contains(text, redacted) {
			continue
		}
		before := strings.TrimRight(sentence[:m[0]], " `*")
		quotes = append(quotes, newInline(text, !doubtful && introduced.MatchString(before)))
	}
	for _, m := range quotation.FindAllStringSubmatchIndex(sentence, -1) {
		text := strings.TrimSpace(sentence[m[0]:m[1]])
		text = strings.Trim(text, `"“”„«»`)
		if !isExpression(text) && visible(squeeze(text)) < minAccusing || strings.Contains(text, redacted) {
			continue
		}
		quotes = append(quotes, newInline(text, !doubtful && introduced.MatchString(strings.TrimRight(sentence[:m[0]], " *"))))
	}
	return quotes
}

func newInline(text string, direct bool) *quote {
	q := newQuote(text)
	q.direct = direct
	for i := range q.lines {
		q.lines[i].least = 6
	}
	return q
}

var (
	// introduced ends what stands before a quotation of the place: "queue/lock.go:12 says".
	introduced = regexp.MustCompile(`(?i)(?::L?\d+(?:[-–]L?\d+)?[)\]` + "`" + `*]*,? (?:which )?(?:says|reads|contains|states):?|\blines? \d+(?:[-–]\d+)? (?:says|reads|contains|states):?)$`)
	// denied are words of sentences that say what is not there, or what should be.
	denied    = regexp.MustCompile(`(?i)\b(?:not|never|no|missing|lacks?|without|instead|should|would|could|replace|was|were|used to|previously|before|after|old|new|e\.g\.|example|like|such as)\b|n't\b`)
	quotation = regexp.MustCompile(`"[^"\n]{4,400}"|“[^”\n]{4,400}”|„[^“\n]{4,400}“|«[^»\n]{4,400}»`)
)

// isExpression reports whether a text is more than a name, so that it may quote a line.
func isExpression(text string) bool {
	bare := strings.TrimSuffix(text, "()")
	return visible(squeeze(text)) >= 6 && strings.ContainsFunc(bare, func(r rune) bool {
		return strings.ContainsRune(" =<>(){}[]+*&|!?;,\"'", r)
	}) && strings.ContainsFunc(text, isWordRune)
}

// excuse says why a place accuses nobody: a link, or something that is proposed.
func excuse(text string, p *written.Passage, c written.Citation, sentence string) string {
	switch {
	case p.Aligned && strings.Contains(text[c.From:max(c.From, c.To)], "://") && c.Commit == "" &&
		!strings.HasPrefix(text[c.From:c.To], "["):
		return "it is a link"
	case creates.MatchString(sentence):
		return "the sentence proposes a file or gives an example"
	}
	return ""
}

// outsideOf says why a path of no file may still be right: a placeholder, a glob, another repository.
func outsideOf(name, sentence string) string {
	lower := strings.ToLower(name)
	switch {
	case !ledger.IsFile(name):
		return "the path may be no file"
	case strings.ContainsAny(name, "*?<>{}$") || strings.Contains(name, "...") || strings.Contains(name, "…"):
		return "the path is a pattern"
	case placeholder.MatchString(lower):
		return "the path looks like a placeholder"
	case slices.Contains(strings.Split(name, "/"), "..") || strings.HasPrefix(name, "~"):
		return "the path leads out of the repository"
	case foreignFolder.MatchString(name):
		return "the path looks like one of a dependency"
	case goLibrary.MatchString(name) || strings.HasPrefix(name, "@"):
		return "the path looks like one of the standard library or of a package"
	case foreignWords.MatchString(sentence):
		return "the sentence may name another repository"
	}
	return ""
}

var (
	// foreignWords are words of sentences about other repositories: an import path, "as in git's", "upstream".
	foreignWords  = regexp.MustCompile(`(?i)\b[a-z0-9-]+\.(?:com|org|io|dev|net|in)/|\b(?:upstream|standard library|stdlib|third[- ]party|other (?:repos\w*|projects?)|same (?:approach|pattern|idea) as|similar to|vergleichsweise)\b|` + "`[a-z0-9-]+/[a-z0-9-]+`" + `|\b(?:git|linux|kubernetes|go|node|react|python|rust|django|rails|etcd)'s\b`)
	placeholder   = regexp.MustCompile(`(?:^|/)(?:path/to|path|your|some|my|foo|bar|baz|qux|example|file|filename|dir|folder|x|y|z|abc)(?:/|[._-]?\d*\.[a-z]+$)|path/to/|(?:^|/)(?:foo|bar|baz|example)(?:_test)?\.[a-z]+$`)
	foreignFolder = regexp.MustCompile(`(?:^|/)(?:node_modules|site-packages|dist-packages|vendor|pkg/mod|\.cargo|third_party|dist|build|target|out|coverage|\.next|__pycache__)/|@v\d`)
	// goLibrary are the folders of the standard library of Go.
	goLibrary = regexp.MustCompile(`^(?:src/)?(?:archive|bufio|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|fmt|go|hash|html|image|io|iter|log|maps|math|mime|net|os|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|sync|syscall|testing|text|time|unicode|unique|unsafe)(?:/[a-z0-9]+)*/[a-z0-9_]+\.go$`)
	creates   = regexp.MustCompile(`(?i)\b(?:add|create|introduce|write|put|place|move|extract|split|rename)\b[^.]{0,40}\b(?:file|test|module|package|helper|into|to|in|under)\b|\b(?:new|missing|proposed|hypothetical|nonexistent|non-existent) (?:file|test|module)|\b(?:for example|e\.g\.|for instance|such as|say,|something like|does not exist|doesn't exist|no such file|there is no)\b`)
)

var (
	// proposes are words before a block that is no quotation: a fix, an example, an output.
	proposes = regexp.MustCompile(`(?i)\b(?:fix(?:es|ed)?|suggest\w*|instead|should|replace\w*|change (?:it |this )?to|consider|recommend\w*|propos\w*|better|prefer\w*|rewrit\w*|refactor\w*|correct(?:ed|ion)?|patch|solution|remed\w*|mitigat\w*|after|improv\w*|alternative\w*|updated?|rather|apply|could be|simplif\w*|vorschlag|behebung|lösung|sugerencia|corrección|correctif)\b|修复|建议|应该|改为`)
	// unquoted are words before a block that shows something else: an example, a run, an output, a scenario.
	unquoted = regexp.MustCompile(`(?i)\b(?:example|e\.g\.|for instance|would|test|tests|repro\w*|run\w*|outputs?|prints?|result\w*|usage|call(?:er|ers|s|ing)?|use|uses|using|try|could|such as|like|scenario|trace|stack|logs?|input|payload|request|response|verify|verified|command|sequence|steps?|imagine|suppose|pattern|equivalent|pseudo\w*|sketch|add|adding|compare|contrast|elsewhere|while|whereas|versus|vs|other|before this|previous(?:ly)?|used to|was|were|old|tree|layout|structure|diff|patch)\b`)
	// quotes are words before a block that is a quotation.
	introduces = regexp.MustCompile(`(?i)\b(?:current(?:ly)?|existing|code|snippet|excerpt|source|as written|reads|says|contains|here|lines?|original|problematic|buggy|affected|relevant|vulnerable|offending|faulty|evidence|quoted?|today|implementation|at|aktueller|código|actual)\b[^.]{0,60}[:：]?[*_` + "`" + `)\]\s]*$|代码`)
)

// assign gives a block to the place that it belongs to: the one named last before it, in the same section.
func assign(passages []written.Passage, at [][]*claim, block int) {
	p := &passages[block]
	if p.Fix {
		return
	}
	owner, intro := -1, ""
	for i := block - 1; i >= 0 && block-i < 12; i-- {
		before := &passages[i]
		if before.Part == written.PartCode {
			if i == block-1 && len(at[i]) == 0 && before.Finding == p.Finding && before.Finding < 0 {
				return // a second block, below the one that may be the quotation
			}
			continue
		}
		if intro == "" {
			intro = before.Text
		}
		if len(at[i]) > 0 {
			owner = i
			break
		}
		if before.Part == written.PartHeading && before.Level < 7 {
			return
		}
	}
	if owner < 0 || passages[owner].Finding != p.Finding && p.Finding >= 0 && passages[owner].Finding >= 0 {
		return
	}
	lead := lastWords(intro)
	if isNoQuotation(p, at[owner][len(at[owner])-1].Path) || proposes.MatchString(lead) || labelsFix(passages, owner, block) {
		return
	}
	owners := at[owner]
	second := false
	for i := owner + 1; i < block; i++ {
		second = second || passages[i].Part == written.PartCode
	}
	q := newQuote(p.Text)
	q.block, q.from, q.to = true, p.From, p.To
	if strings.EqualFold(p.Language, "diff") || strings.EqualFold(p.Language, "patch") || isDiff(p.Text) {
		q = newQuote(beforeOf(p.Text))
		q.block, q.from, q.to = true, p.From, p.To
	}
	if len(q.lines) == 0 {
		return
	}
	last := owners[len(owners)-1]
	// The place is directly before the block, or a word says that the block is its code.
	adjacent := owner == block-1 && (endsWithPlace(&passages[owner], last.Citation) || len(owners) == 1 && introduces.MatchString(lead))
	labeled := owner < block-1 && len(owners) == 1 && introduces.MatchString(lead) && strings.HasSuffix(strings.TrimRight(lead, "*_ "), ":")
	q.direct = p.Quoted || !second && (adjacent || labeled) && !unquoted.MatchString(lead) && fitsLanguage(p.Language, last.Path)
	q.sole, q.adjacent = len(owners) == 1, owner == block-1 && endsWithPlace(&passages[owner], last.Citation)
	if len(owners) > 1 && q.direct && q.adjacent {
		last.quotes = append(last.quotes, q)
		return
	}
	q.direct = q.direct && len(owners) == 1
	for _, c := range owners {
		c.quotes = append(c.quotes, q)
	}
}

// lastWords returns the last sentence before a block, at most some words of it.
func lastWords(text string) string {
	text = strings.TrimSpace(text)
	if ends := sentenceEnd.FindAllStringIndex(text, -1); len(ends) > 0 {
		last := ends[len(ends)-1]
		if last[1] >= len(text) && len(ends) > 1 {
			last = ends[len(ends)-2]
		}
		if last[1] < len(text) {
			text = text[last[1]:]
		}
	}
	return text
}

// labelsFix reports whether a heading or label between a place and a block says that a fix follows.
func labelsFix(passages []written.Passage, owner, block int) bool {
	for i := owner + 1; i < block; i++ {
		p := &passages[i]
		if p.Part != written.PartCode && len(p.Text) < 80 && proposes.MatchString(p.Text) {
			return true
		}
	}
	return false
}

// endsWithPlace reports whether nothing but marks follows a place in its passage.
func endsWithPlace(p *written.Passage, c written.Citation) bool {
	if !p.Aligned || c.To < p.From || c.To > p.To {
		return false
	}
	rest := p.Text[c.To-p.From:]
	return !strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// languages are those of fenced blocks by the extensions of their files.
//
//nolint:gochecknoglobals // a table
var languages = map[string]string{
	"go": "go golang", "py": "py python python3", "js": "js javascript jsx node", "jsx": "jsx js javascript",
	"ts": "ts typescript tsx js javascript", "tsx": "tsx ts typescript jsx", "rs": "rs rust", "rb": "rb ruby", "java": "java",
	"kt": "kt kotlin", "c": "c cpp c++", "h": "c cpp c++ h objc", "cc": "cc cpp c++", "cpp": "cpp c++", "cs": "cs csharp c#",
	"php": "php", "sh": "sh bash shell zsh", "bash": "bash sh shell", "yml": "yml yaml", "yaml": "yaml yml", "json": "json jsonc json5",
	"toml": "toml ini", "md": "md markdown", "sql": "sql", "html": "html xml", "css": "css scss", "tf": "tf hcl terraform",
	"swift": "swift", "proto": "proto protobuf", "lua": "lua", "xml": "xml html",
}

// fitsLanguage reports whether a block may be of a file.
func fitsLanguage(language, name string) bool {
	language = strings.ToLower(language)
	known, ok := languages[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
	switch {
	case language == "" || language == "diff" || language == "text" || language == "txt":
		return true
	case !ok:
		return path.Ext(name) == "" || strings.EqualFold(strings.TrimPrefix(path.Ext(name), "."), language)
	}
	return slices.Contains(strings.Fields(known), language)
}

var (
	shellLanguages = regexp.MustCompile(`(?i)^(?:bash|sh|shell|zsh|console|terminal|shell-session|powershell|ps1|output|log|logs|http|mermaid|suggestion|plaintext|stdout|curl|tree)$`)
	shellLine      = regexp.MustCompile(`^(?:[$%❯]\s|(?:go|npm|npx|yarn|pnpm|git|curl|make|cargo|pip3?|python3?|docker|kubectl|grep|rg|sed|cat|cd|export|sudo|pytest)\s+[-\w./])`)
	outputLine     = regexp.MustCompile(`^(?:--- (?:FAIL|PASS)|FAIL\b|PASS$|ok\s+\S+\s|panic:|goroutine \d|Traceback |Error:|error:|fatal:|=== RUN|\s+at \S+ \(|thread '|exit status \d|WARNING: DATA RACE)`)
	routeLine      = regexp.MustCompile(`^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/|^HTTP/\d`)
	treeLine       = regexp.MustCompile(`[├└│]──|^\s*[|` + "`" + `]-- `)
)

// isNoQuotation reports whether a block below a place in a file is a command, an output, a tree or a route.
func isNoQuotation(p *written.Passage, name string) bool {
	if shellLanguages.MatchString(p.Language) {
		known := languages[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
		return !slices.Contains(strings.Fields(known), strings.ToLower(p.Language))
	}
	lines := strings.Split(strings.TrimSpace(p.Text), "\n")
	for i, line := range lines[:min(len(lines), 40)] {
		if treeLine.MatchString(line) || i == 0 && p.Language == "" && shellLine.MatchString(line) || outputLine.MatchString(line) ||
			routeLine.MatchString(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

var diffHead = regexp.MustCompile(`(?m)^(?:@@ .* @@|diff --git |--- a/|\+{3} b/)`)

// isDiff reports whether a block is a diff, whatever its language.
func isDiff(text string) bool { return diffHead.MatchString(text) }

// beforeOf returns the lines of a diff as they are before it. Added lines are proposed, and no quotation.
func beforeOf(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "@@"):
			lines = append(lines, "...\n")
		case strings.HasPrefix(line, "diff ") || strings.HasPrefix(line, "index ") || strings.HasPrefix(line, "--- ") ||
			strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "+"):
		case strings.HasPrefix(line, "-"):
			lines = append(lines, line[1:])
		default:
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
