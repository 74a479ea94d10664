package redact

import (
	"regexp"
	"strings"
)

// indent returns the indentation of a line after the sign of a diff, and where its text begins.
func (f *finder) indent(start int) (depth, body int) {
	at := start
	if f.diffLine(start) {
		at++
	}
	body = at
	for body < len(f.text) && (f.text[body] == ' ' || f.text[body] == '\t') {
		body++
	}
	return body - at, body
}

// diffLine reports whether a line starts with the sign of a diff: + or -, but not the dash of a list.
func (f *finder) diffLine(start int) bool {
	if start >= len(f.text) {
		return false
	}
	c := f.text[start]
	return c == '+' || c == '-' && (start+1 >= len(f.text) || f.text[start+1] != ' ' ||
		strings.HasPrefix(f.text[start+1:], "  ")) ||
		c == ' ' && len(f.sections) > 1
}

// block redacts a value that starts on the line below its name: a YAML block, a list, or a literal. at is the end of
// the name's line.
func (f *finder) block(p *place, at int) {
	text := f.text
	lineStart := f.lineStart(p.start)
	depth, body := f.indent(lineStart)
	for body < p.start && (text[body] == '-' || text[body] == ' ') {
		depth, body = depth+1, body+1 // the name is a list item
	}
	scalar := strings.ContainsAny(text[p.end:at], "|>")
	next := f.lineEnd(at) + 1
	if next >= len(text) {
		return
	}
	if _, first := f.indent(next); first < len(text) &&
		(text[first] == '"' || text[first] == '\'' || text[first] == '`') && !f.follows(first) {
		f.literal(p, first, false)
		return
	}
	if p.kind == source && !scalar || p.level < medium {
		return
	}
	for start := next; start < len(text) && start-next < 64*maxIdent; {
		end := f.lineEnd(start)
		inner, first := f.indent(start)
		value := strings.TrimRight(text[min(first, end):end], " \t\r")
		item := strings.HasPrefix(value, "- ")
		switch {
		case value == "":
		case strings.HasPrefix(value, "@@ "), strings.HasPrefix(value, "diff --git"), inner < depth,
			inner == depth && !item && inner <= depth:
			return
		case scalar:
			if inner <= depth || p.kind == source {
				return
			}
			if !f.r.words.isPlaceholder(value) && !strings.HasPrefix(value, "-----") && first >= f.masked {
				f.add(first, end, byName, 1)
			}
		case item:
			element := strings.Trim(value[2:], " \"'")
			if _, digits, signs := counts(element); !strings.Contains(element, ":") &&
				!f.r.words.isPlaceholder(element) && digits+signs > 0 && len(element) >= 5 &&
				!strings.ContainsAny(element, " /<>{}()$") {
				i := strings.Index(text[first:end], element)
				f.add(first+i, first+i+len(element), byName, 1)
			}
		default:
			if inner > depth && !strings.ContainsAny(value, ":={}()[];,") && !f.r.words.isPlaceholder(value) &&
				!f.r.words.isSentence(value) && p.level == strong {
				f.add(first, end, byName, 1)
			} else if inner > depth && hasFold(value, "value:") {
				given := *p
				given.first = true
				if given.kind == unsaid {
					given.kind = settings
				}
				if at := f.blanks(first + len("value:")); !f.literal(&given, at, false) {
					f.bare(&given, at, ':')
				}
			}
			return
		}
		start = end + 1
	}
}

// nextLine redacts the value on the line below a name: "- name: DB_PASSWORD", then "value: x".
func (f *finder) nextLine(p *place, at int) {
	f.look(p)
	f.valued(p, at)
}

// manifestLines is the maximum distance between the kind and the data of a Kubernetes secret, in lines.
const manifestLines = 80

var manifestKey = regexp.MustCompile(`^["']?[\w.-]+["']?:[ \t]+["']?([^\s"'|>{\[#&*][^\s"']*)["']?[ \t]*$`)

// manifest redacts the data of a Kubernetes secret under any name: the values of data and stringData in the document
// with the kind at a position.
func (f *finder) manifest(at int) {
	text := f.text
	start := f.lineStart(at)
	depth, body := f.indent(start)
	if !strings.HasPrefix(text[body:], "kind:") || at < f.listed {
		return
	}
	inData := false
	line := func(from, to int) bool {
		inner, first := f.indent(from)
		value := strings.TrimRight(text[min(first, to):to], " \t\r")
		switch {
		case strings.HasPrefix(value, "---"), strings.HasPrefix(text[from:], "diff --git"),
			strings.HasPrefix(text[from:], "@@"):
			return false
		case value == "" || value[0] == '#':
		case inner <= depth:
			inData = inner == depth && (value == "data:" || value == "stringData:")
		case inData:
			if m := manifestKey.FindStringSubmatchIndex(value); m != nil && !f.r.words.isPlaceholder(value[m[2]:m[3]]) {
				f.add(first+m[2], first+m[3], byName, 1)
			}
		}
		return true
	}
	// The data may come before the kind.
	from := start
	for n := 0; from > 0 && n < manifestLines; n++ {
		before := f.lineStart(from - 1)
		if strings.HasPrefix(text[f.body(before):], "---") || strings.HasPrefix(text[before:], "@@") {
			break
		}
		from = before
	}
	for n := 0; from < len(text) && n < 2*manifestLines; n++ {
		end := f.lineEnd(from)
		if !line(from, end) {
			break
		}
		from = end + 1
	}
	f.listed = from
}

var (
	keyBegin   = regexp.MustCompile(`\A-----?-? ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-----?-?`)
	keyEnd     = regexp.MustCompile(`-----?-? ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-----?-?`)
	publicMark = regexp.MustCompile(`\A-----BEGIN (?:[A-Z0-9 ]*CERTIFICATE[A-Z0-9 ]*|[A-Z0-9 ]*PUBLIC KEY|` +
		`PGP [A-Z ]+|[A-Z0-9 ]*PARAMETERS|X509 CRL|CMS|PKCS7)-----`)
	// blockBreak matches the end of the text that may contain a key block: another block, a hunk, a file.
	blockBreak = regexp.MustCompile(`-{5}BEGIN |\n@@ |\ndiff --git `)
	// oneLine matches a key with escaped line endings, after its first line.
	oneLine = regexp.MustCompile(`\A(?:[A-Za-z0-9+/=]|\\+[nr/]|[ \t]|(?:Proc-Type|DEK-Info|Version|` +
		`Comment): ?[\w,. -]+\\+n)*(?:\\+[nr])?`)
	// keyHeader matches a header of a key block.
	keyHeader = regexp.MustCompile(`^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Subject|Key-Attributes|` +
		`Bag Attributes|localKeyID|friendlyName|x-[a-z-]+):`)
	// keyBody matches a line of a key block.
	keyBody = regexp.MustCompile(`^=?[A-Za-z0-9+/]+={0,2}$`)
)

// armor redacts a block between BEGIN PRIVATE KEY and END. Without END, it only redacts lines that look like part of
// a key, because a file may just mention the first line.
func (f *finder) armor(at int) {
	text := f.text
	if at < f.masked {
		return
	}
	window := text[at:min(len(text), at+80)]
	if m := publicMark.FindStringIndex(window); m != nil {
		const longest = 16 << 10
		if i := strings.Index(text[at+m[1]:min(len(text), at+longest)], "-----END "); i >= 0 {
			f.cut = at + m[1] + i
		}
		return
	}
	if m := keyEnd.FindStringIndex(window); m != nil && m[0] == 0 {
		f.bodyBefore(at, at+m[1])
		return
	}
	m := keyBegin.FindStringIndex(window)
	if m == nil {
		return
	}
	from := at + m[1]
	lineEnd := f.lineEnd(from)
	rest := text[from:min(lineEnd, from+maxBody*8)]
	if body := oneLine.FindString(rest); len(strings.Trim(body, " \t\\nr")) > 0 ||
		strings.HasPrefix(body, `\n`) && len(body) > 4 {
		end := from + len(body)
		if last := keyEnd.FindStringIndex(text[end:min(len(text), end+80)]); last != nil && last[0] == 0 {
			end += last[1]
		}
		if _, digits, _ := counts(body); digits > 0 || len(body) > 40 {
			f.taken(at, end)
		}
		return
	}
	const longest, most = 12 << 10, 400
	if window := text[lineEnd:min(len(text), lineEnd+longest)]; at >= f.noEnd {
		m := keyEnd.FindStringIndex(window)
		if m != nil && !blockBreak.MatchString(window[:m[0]]) {
			f.taken(at, lineEnd+m[1])
			return
		}
		f.noEnd = at + len(window)/2
		if m != nil {
			f.noEnd = min(f.noEnd, lineEnd+m[0]-longest/2)
		}
	}
	end, lines, headers, last := -1, 0, true, 0
	for start := lineEnd + 1; start < len(text) && lines < most; lines++ {
		stop := f.lineEnd(start)
		line := keyLine(text[start:stop])
		switch {
		case headers && (keyHeader.MatchString(line) || line == "" && lines < 6):
		case isKeyBody(line, last, f.ends(stop)):
			headers, last, end = false, len(line), start+strings.Index(text[start:stop], line)+len(line)
		case line == "" && end >= 0 && last == 0:
		default:
			lines = most
		}
		start = stop + 1
	}
	if end >= 0 {
		f.taken(at, end)
	}
}

// ends reports whether the END of a key follows a position.
func (f *finder) ends(at int) bool {
	const near = 300
	return keyEnd.MatchString(f.text[at:min(len(f.text), at+near)])
}

// isKeyBody reports whether a line looks like part of a key: long, or the short last line.
func isKeyBody(line string, before int, ends bool) bool {
	const short, long = 16, 100
	if !keyBody.MatchString(line) || len(line) > long {
		return false
	}
	letters, digits, _ := counts(line)
	switch {
	case ends:
		return true
	case len(line) >= short:
		return digits > 0 || letters > 0 && strings.ToLower(line) != line && strings.ToUpper(line) != line &&
			len(line) >= 40
	case before == 0:
		return strings.HasPrefix(line, "MII") || strings.HasPrefix(line, "MC4C") || strings.HasPrefix(line, "b3Bl")
	}
	return before >= 40 && (digits > 0 || strings.HasSuffix(line, "="))
}

// keyLine returns a line of a key without the marks of a diff, a quotation or a literal.
func keyLine(line string) string {
	line = strings.TrimRight(line, " \t\r;,)")
	line = strings.TrimSuffix(strings.TrimRight(line, "+.&\\"), " ")
	line = strings.TrimRight(line, "\"'`")
	for strings.HasSuffix(line, `\n`) || strings.HasSuffix(line, `\r`) {
		line = strings.TrimRight(line[:len(line)-2], `\`)
	}
	if line != "" && (line[0] == '+' && (len(line)-1)%4 == 0 || line[0] == '-' && !strings.HasPrefix(line, "-----")) {
		line = line[1:]
	}
	if strings.HasPrefix(line, "------") {
		line = line[1:]
	}
	line = strings.TrimLeft(line, " \t>#*|\"'`")
	if strings.HasPrefix(line, "//") && strings.HasPrefix(line, "// ") {
		line = line[3:]
	}
	return line
}

// bodyBefore redacts the lines of a key before its END if BEGIN is not in the text, as in a hunk of a diff.
func (f *finder) bodyBefore(at, end int) {
	const most = 200
	start := f.lineStart(at)
	from, last := -1, 0
	for n := 0; start > f.masked && n < most; n++ {
		before := f.lineStart(start - 1)
		line := keyLine(f.text[before : start-1])
		if !keyBody.MatchString(line) || len(line) > 100 || n > 0 && len(line) < 40 ||
			n > 0 && last > 0 && !mixed(line) {
			break
		}
		if n > 0 || mixed(line) {
			from = before + strings.Index(f.text[before:start], line)
		}
		last, start = len(line), before
	}
	if from >= f.masked && from >= 0 {
		f.taken(from, end)
	}
}

// taken redacts a key block.
func (f *finder) taken(start, end int) {
	f.add(start, end, "private key", 0)
	f.masked, f.done = max(f.masked, end), max(f.done, end)
}

var puttyLines = regexp.MustCompile(`\A(?i:private-lines):[ \t]*\d{1,3}[ \t]*\r?\n`)

// putty redacts the private lines of a PuTTY key, as far as they look like part of a key.
func (f *finder) putty(at int) {
	m := puttyLines.FindStringIndex(f.text[at:min(len(f.text), at+40)])
	if m == nil || !strings.Contains(f.text[max(0, at-maxBody*4):at], "PuTTY-User-Key-File") {
		return
	}
	from := at + m[1]
	end := -1
	for start := from; start < len(f.text); {
		stop := f.lineEnd(start)
		line := keyLine(f.text[start:stop])
		if !keyBody.MatchString(line) || len(line) > 64 {
			break
		}
		end, start = stop, stop+1
	}
	if end >= 0 {
		f.taken(f.body(from), end)
	}
}
