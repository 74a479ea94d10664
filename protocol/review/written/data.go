package written

import (
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"moot/ledger"
)

// maxDepth is how deep objects and lists of a review may nest, maxValues how many values are read.
const (
	maxDepth  = 64
	maxValues = 200_000
)

// value is a value of JSON with its offsets in the text.
type value struct {
	from, to int
	text     string // a string, or a number as it is written
	isText   bool
	raw      string // a string with its escapes, without its quotation marks
	list     []*value
	fields   map[string]*value
	names    []string // the fields in their order
}

// reader reads values with their offsets.
type reader struct {
	decoder *json.Decoder
	text    string
	at      int // where text begins in the source
	count   int
}

// readData reads a text that is JSON, JSON Lines, or has JSON in a fenced block. ok is false if it holds no findings
// in that form.
func readData(text string) (r Review, ok bool) {
	if values := valuesIn(text, 0); len(values) > 0 {
		return reviewOf(values)
	}
	for _, m := range fencedJSON.FindAllStringSubmatchIndex(text, maxCitations) {
		if r, ok := reviewOf(valuesIn(text[m[2]:m[3]], m[2])); ok {
			return r, true
		}
	}
	return Review{}, false
}

var fencedJSON = regexp.MustCompile("(?s)(?:^|\n)[ \t]*(?:```|~~~)(?i:json[c5l]?|sarif|jsonl)?[ \t]*\r?\n([ \t\r\n]*[\\[{].*?)\n[ \t]*(?:```|~~~)[ \t\r]*(?:\n|$)")

// valuesIn returns the values of a text that is nothing but JSON, or nil.
func valuesIn(text string, at int) (values []*value) {
	trimmed := strings.TrimLeft(strings.TrimPrefix(text, "\uFEFF"), " \t\r\n")
	if trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' {
		return nil
	}
	skipped := len(text) - len(trimmed)
	decoder := json.NewDecoder(strings.NewReader(trimmed))
	decoder.UseNumber()
	d := &reader{decoder: decoder, text: trimmed, at: at + skipped}
	for {
		v := d.value(0)
		if v == nil {
			break
		}
		values = append(values, v)
	}
	if _, err := decoder.Token(); err != io.EOF || strings.TrimSpace(trimmed[decoder.InputOffset():]) != "" {
		return nil
	}
	return values
}

// value reads the next value, or returns nil.
func (d *reader) value(depth int) *value {
	from := int(d.decoder.InputOffset())
	from += len(d.text[from:]) - len(strings.TrimLeft(d.text[from:], " \t\r\n,:"))
	if d.count++; depth > maxDepth || d.count > maxValues {
		return nil
	}
	token, err := d.decoder.Token()
	if err != nil {
		return nil
	}
	v := &value{from: d.at + from}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			v.fields = map[string]*value{}
		} else if t != '[' {
			return nil
		}
		for d.decoder.More() {
			name := ""
			if v.fields != nil {
				key, err := d.decoder.Token()
				if err != nil {
					return nil
				}
				name, _ = key.(string)
			}
			inner := d.value(depth + 1)
			if inner == nil {
				return nil
			}
			if v.fields == nil {
				v.list = append(v.list, inner)
			} else if name = fieldName(name); v.fields[name] == nil {
				v.fields[name], v.names = inner, append(v.names, name)
			}
		}
		if _, err := d.decoder.Token(); err != nil {
			return nil
		}
	case string:
		v.text, v.isText = t, true
		v.raw = d.text[from+1 : int(d.decoder.InputOffset())-1]
	case json.Number:
		v.text = t.String()
	}
	v.to = d.at + int(d.decoder.InputOffset())
	return v
}

// fieldName writes a name of a field without its joiners: startLine and start_line are startline.
func fieldName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// first returns the first of the named fields that has a value.
func (v *value) first(names string) *value {
	if v == nil {
		return nil
	}
	for name := range strings.FieldsSeq(names) {
		if f := v.fields[name]; f != nil && (f.text != "" || f.list != nil || len(f.fields) > 0) {
			return f
		}
	}
	return nil
}

// leaf returns the text in a value; an object or a list may hold it.
func (v *value) leaf() *value {
	for range 4 {
		switch {
		case v == nil:
			return nil
		case v.fields != nil:
			v = v.first("text markdown message description title value content suggestion insertedcontent code name id")
		case len(v.list) > 0:
			v = v.list[0]
		case v.isText:
			return v
		default:
			return nil
		}
	}
	return nil
}

// words returns the text in a value, or "".
func (v *value) words() string {
	if text := v.leaf(); text != nil {
		return text.text
	}
	return ""
}

// number returns a positive whole number, or 0.
func (v *value) number() int {
	if v == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimLeft(v.text, "L"))
	if err != nil || n < 0 || n > 999_999_999 {
		return 0
	}
	return n
}

// The names of fields, the likelier first.
const (
	pathNames = "path file filename filepath relativepath absolutefilepath filelocation uri"
	lineNames = "startline linestart line linenumber fromline firstline beginline originalstartline originalline"
	endNames  = "endline lineend endlinenumber toline lastline"
	placeKeys = "location codelocation locations place physicallocation position pos reference"
	rangeKeys = "range linerange region lines span"
	whatNames = "title summary what headline issue problem finding name message description body comment content text note details"
	whyNames  = "why description details explanation rationale reason reasoning body message impact comment consequence failurescenario content text"
	fixNames  = "fix suggestedfix suggestion suggestions recommendation remediation proposedfix suggestedcode suggestedchange solution fixes"
	severe    = "severity priority level importance criticality"
	kinds     = "category kind type class"
	codeNames = "code snippet codesnippet existingcode quote excerpt"
)

// reviewOf reads the findings of values.
func reviewOf(values []*value) (r Review, ok bool) {
	r.Layout = JSON
	empty := false
	for _, v := range values {
		switch {
		case v.fields["runs"] != nil && v.fields["runs"].list != nil:
			r.Layout = SARIF
		case v.fields["diagnostics"] != nil, v.fields["message"] != nil && v.fields["location"].deep("path") != nil:
			r.Layout = RDJSON
		}
		r.gather(v, &empty, 0)
		if runs := v.fields["runs"]; runs != nil {
			for _, run := range runs.list {
				r.defaultLevels(run)
				r.nameTool(run)
			}
		}
	}
	if len(r.Findings) > 0 {
		return r, true
	}
	for _, v := range values {
		if said := v.first("summary overallexplanation message result text conclusion verdict comment explanation"); said != nil && r.NothingText == "" {
			if r.NothingText = strings.TrimSpace(said.words()); nothingIn(r.NothingText) != "" {
				empty = true
			}
		}
	}
	r.Nothing = empty
	return r, empty
}

// nameTool names the tool of a run of SARIF in its findings.
func (r *Review) nameTool(run *value) {
	driver := run.fields["tool"].deep("driver")
	if driver == nil || driver.fields["name"] == nil {
		return
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.From >= run.from && f.To <= run.to {
			f.Tool = driver.fields["name"].text
		}
	}
}

// defaultLevels takes the levels of the findings of a run of SARIF that name none from its rules.
func (r *Review) defaultLevels(run *value) {
	levels := map[string]string{}
	if rules := run.fields["tool"].deep("rules"); rules != nil {
		for _, rule := range rules.list {
			if level := rule.fields["defaultconfiguration"].deep("level"); level != nil && rule.fields["id"] != nil {
				levels[rule.fields["id"].text] = level.text
			}
		}
	}
	results := run.fields["results"]
	if results == nil {
		return
	}
	byStart := map[int]*value{}
	for _, result := range results.list {
		byStart[result.from] = result
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if result := byStart[f.From]; result != nil && f.Severity == "" {
			f.Severity = levels[cmp.Or(result.first("ruleid").words(), result.fields["rule"].deep("id").words())]
		}
	}
}

// listNames are the names of lists of findings: an empty one says that nothing was found.
const listNames = "findings issues comments results diagnostics problems bugs reviews annotations violations runs messages"

// gather reads the findings in a value and those below it.
func (r *Review) gather(v *value, empty *bool, depth int) {
	if v.fields == nil {
		if v.list != nil || strings.TrimSpace(v.text) == "" && !v.isText && depth == 0 && v.to-v.from < 64 {
			*empty = *empty || len(v.list) == 0 && depth == 0
		}
		for _, inner := range v.list {
			r.gather(inner, empty, depth+1)
		}
		return
	}
	if f, ok := findingOf(v); ok {
		if v.fields["diffhunk"] != nil || v.fields["pullrequestreviewid"] != nil {
			r.Layout = GitHubComments
			if v.fields["inreplytoid"].number() > 0 {
				return
			}
		}
		r.Findings = append(r.Findings, f)
		return
	}
	for _, name := range v.names {
		inner := v.fields[name]
		if slices.Contains(strings.Fields(listNames), name) && inner.fields == nil && !inner.isText && inner.text == "" && len(inner.list) == 0 {
			*empty = true
		}
		if name == "tool" || name == "rules" || name == "artifacts" || name == "suppressedmessages" ||
			slices.Contains(strings.Fields("positives strengths praise goodpractices highlights checked"), name) {
			continue // of SARIF
		}
		if inner.fields != nil || len(inner.list) > 0 {
			r.gather(inner, empty, depth+1)
		}
	}
	// A file with a list of findings names the path for all of them.
	if path := v.first(pathNames); path != nil && path.isText {
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Path == "" && f.From >= v.from && f.To <= v.to {
				f.Path = cleanPath(path.text)
			}
		}
	}
}

// findingOf reads an object that is a finding: it says something, and has a place, a line or a severity of its own.
func findingOf(v *value) (f Finding, ok bool) {
	for _, name := range strings.Fields(listNames) {
		if inner := v.fields[name]; inner != nil && len(inner.list) > 0 && inner.list[0].fields != nil {
			return f, false
		}
	}
	if kind := v.fields["kind"]; kind != nil && slices.Contains(strings.Fields("pass notapplicable informational open review"), strings.ToLower(kind.text)) && v.fields["ruleid"] != nil {
		return f, false
	}
	if hidden := v.fields["suppressions"]; hidden != nil && len(hidden.list) > 0 && v.fields["ruleid"] != nil {
		return f, false
	}
	f.From, f.To = v.from, v.to
	f.placeFrom(v, 0)
	what := v.first(whatNames)
	said := v
	if extra := v.fields["extra"]; what == nil && extra.first(whatNames) != nil { // of Semgrep
		said, what = extra, extra.first(whatNames)
	}
	if what == nil || strings.TrimSpace(what.words()) == "" {
		return f, false
	}
	f.Severity = severityOf(said)
	f.Rule = cmp.Or(v.first("ruleid").words(), v.fields["rule"].deep("id").words())
	if c := said.first(kinds); c != nil && c.isText && len(c.text) <= 40 {
		f.Category = c.text
	}
	if f.Path == "" && f.Line == 0 && f.Severity == "" {
		return f, false
	}
	title, rest := v.first("title summary what headline issue problem finding name"), what
	if title != nil && title.words() != "" {
		f.What = title.words()
		if rest = v.first(whyNames); rest != nil && rest.words() != f.What {
			f.Why = proseOf(rest.words(), &f)
		}
	} else if body := rest.leaf(); body != nil {
		f.readBody(body.text, func(at int) int { return body.from + 1 + rawOffset(body.raw, at) })
	}
	f.What, f.Severity = leadSeverity(f.What, f.Severity)
	if fix := v.first(fixNames); fix != nil {
		f.Fix = fix.words()
		if changes := fix.deep("insertedcontent"); f.Fix == "" && changes != nil {
			f.Fix = changes.words()
		}
	}
	if code := v.first(codeNames); code != nil && code.isText {
		f.Blocks = append(f.Blocks, Block{Text: code.text, Quoted: true, From: code.from + 1, To: code.to - 1})
	} else if snippet := v.deep("snippet").leaf(); snippet != nil {
		f.Blocks = append(f.Blocks, Block{Text: snippet.text, Quoted: true, From: snippet.from + 1, To: snippet.to - 1})
	}
	f.cite(v)
	f.settle()
	return f, f.What != ""
}

// severityOf returns the word for how bad a finding is. A number of a priority is P0 to P4.
func severityOf(v *value) string {
	for name := range strings.FieldsSeq(severe) {
		s := v.fields[name]
		switch {
		case s == nil:
		case s.isText:
			if s.text != "" {
				return s.text
			}
		case name == "severity" && v.fields["ruleid"] != nil && (s.text == "1" || s.text == "2"):
			return map[string]string{"1": "warning", "2": "error"}[s.text] // of ESLint
		case name == "priority" && len(s.text) == 1 && s.text <= "4" && s.text >= "0":
			return "P" + s.text
		}
	}
	return ""
}

// deep returns the first field with a name in a value or below it.
func (v *value) deep(name string) *value {
	if v == nil {
		return nil
	}
	if f := v.fields[name]; f != nil {
		return f
	}
	for _, key := range v.names {
		if f := v.fields[key].deep(name); f != nil {
			return f
		}
	}
	for _, inner := range v.list {
		if f := inner.deep(name); f != nil {
			return f
		}
	}
	return nil
}

// placeFrom reads the place of a finding from its fields and from those of its location.
func (f *Finding) placeFrom(v *value, depth int) {
	if v == nil || depth > 6 {
		return
	}
	if v.isText {
		if p, err := ledger.ParseReference(v.text); err == nil {
			f.takePath(p.Path)
			if len(p.Spans) > 0 && f.Line == 0 {
				f.Line, f.End = p.Spans[0].First, p.Spans[0].Last
			}
		}
		return
	}
	if len(v.list) > 0 {
		f.placeFrom(v.list[0], depth+1)
		return
	}
	if v.fields == nil {
		return
	}
	switch path := v.first(pathNames); {
	case path != nil && path.isText:
		f.placeFrom(path, depth+1)
		if f.Path == "" {
			f.takePath(path.text)
		}
	case path != nil:
		f.placeFrom(path, depth+1)
	}
	f.placeFrom(v.fields["artifactlocation"], depth+1)
	if f.Line == 0 {
		f.Line = v.first(lineNames + " start begin startposition from").line()
		f.End = v.first(endNames + " end finish endposition to").line()
		for _, name := range []string{"line", "originalline"} {
			if last := v.fields[name].line(); f.End == 0 && last > f.Line {
				f.End = last // GitHub names the last line "line", or "original_line" if the lines have changed since
			}
		}
	}
	if f.Line == 0 {
		f.lines(v.first(rangeKeys), depth)
	}
	for name := range strings.FieldsSeq(placeKeys) {
		if f.Path == "" || f.Line == 0 {
			f.placeFrom(v.fields[name], depth+1)
		}
	}
}

// takePath sets the path of a finding that has none.
func (f *Finding) takePath(path string) {
	if f.Path != "" {
		return
	}
	path = strings.TrimPrefix(path, "file://")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	f.Path = cleanPath(path)
}

// lines reads a range: an object, a list of two numbers, or "12-20".
func (f *Finding) lines(v *value, depth int) {
	switch {
	case v == nil:
	case v.fields != nil:
		f.placeFrom(v, depth+1)
	case len(v.list) > 0:
		f.Line, f.End = v.list[0].number(), v.list[len(v.list)-1].number()
	default:
		if m := lineRange.FindStringSubmatch(v.text); m != nil {
			f.Line, _ = strconv.Atoi(m[1])
			f.End, _ = strconv.Atoi(m[2])
		}
	}
}

// lineRange is "12", "L12-L20" or "+12 to +20".
var lineRange = regexp.MustCompile(`^[LR+]{0,2}(\d{1,9})(?:\s*(?:-|–|—|to|\.\.|:)\s*[LR+]{0,2}(\d{1,9}))?$`)

// line returns a line number, also of a position that has one.
func (v *value) line() int {
	if v != nil && v.fields != nil {
		return v.first("line row linenumber").number()
	}
	return v.number()
}

// cite adds the places that the texts of a value name.
func (f *Finding) cite(v *value) {
	if v.isText {
		f.addCitations(v.text, 0, func(at int) int { return v.from + 1 + rawOffset(v.raw, at) })
		return
	}
	for _, inner := range v.list {
		f.cite(inner)
	}
	for _, name := range v.names {
		if name != "diffhunk" && name != "url" && name != "htmlurl" {
			f.cite(v.fields[name])
		}
	}
}

// rawOffset returns where the byte at an offset of a decoded string is in the string with its escapes.
func rawOffset(raw string, at int) int {
	i := 0
	for decoded := 0; decoded < at && i < len(raw); {
		switch {
		case raw[i] == '\\' && i+5 < len(raw) && raw[i+1] == 'u':
			code, _ := strconv.ParseUint(raw[i+2:i+6], 16, 16)
			r := rune(code)
			i += 6
			if utf16.IsSurrogate(r) {
				low := uint64(0)
				if strings.HasPrefix(raw[i:], `\u`) && i+5 < len(raw) {
					low, _ = strconv.ParseUint(raw[i+2:i+6], 16, 16)
				}
				if r = utf16.DecodeRune(r, rune(low)); r != utf8.RuneError {
					i += 6
				}
			}
			decoded += utf8.RuneLen(r)
		case raw[i] == '\\':
			i += 2
			decoded++
		default:
			r, size := utf8.DecodeRuneInString(raw[i:])
			i += size
			decoded += utf8.RuneLen(r)
		}
	}
	return min(i, len(raw))
}
