package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// byName is the reason for values that are secret because of their name.
const byName = "secret by its name"

// The limits of the grammar: the bytes of a value, the lines of a multi-line value, the blanks and types between a
// name and its value, and the length of an identifier.
const (
	maxValue  = 8 << 10
	maxBody   = 2000
	maxBlanks = 60
	maxTyped  = 60
	maxIdent  = 120
)

// place is a name with the context on its line.
type place struct {
	start, end int
	level      level
	kind       kind
	// quote is the quotation mark right before the name, or 0.
	quote byte
	// first says that only signs precede the name on its line: a list, a quotation, a diff, export, set.
	first bool
	// command is the shell command before the name: env, set, export.
	command string
	// inside says that the name is in a quoted text or a comment of source code.
	inside bool
}

// isIdent reports whether a byte can be part of a name. Full-width punctuation in Chinese and Japanese texts starts
// with 0xEF.
func isIdent(c byte) bool {
	return isAlnum(c) || c == '_' || c == '-' || c == '.' || c >= utf8.RuneSelf && c != 0xEF
}

// named examines the identifier around a part of a name, and redacts its value.
func (f *finder) named(at, size int) {
	text := f.text
	if at < f.done {
		return
	}
	start, end := at, at+size
	for start > f.done && at-start < maxIdent && isIdent(text[start-1]) {
		start--
	}
	for end < len(text) && end-at < maxIdent && isIdent(text[end]) {
		end++
	}
	f.done = end
	for start < at && !isAlnum(text[start]) && text[start] < utf8.RuneSelf {
		start++
	}
	for end > at+size && (text[end-1] == '.' || text[end-1] == '-') {
		end--
	}
	if end < len(text) && end-at >= maxIdent {
		return // longer than any name
	}
	p := place{start: start, end: end, level: f.r.words.level(text[start:end])}
	before := start
	for before > 0 && start-before < 2 && text[before-1] == '-' {
		before--
	}
	if before > 0 && strings.IndexByte("\"'`", text[before-1]) >= 0 {
		p.quote = text[before-1]
	}
	if p.level == weak && start > 1 && text[start-1] == ' ' {
		// The name may have spaces: "API key:".
		from := start - 1
		for from > f.lineStart(start) && isAlnum(text[from-1]) {
			from--
		}
		if word := strings.ToLower(text[from : start-1]); f.r.words.key[word] {
			p.level, p.start = strong, from
		}
	}
	if text[start:end] == "Secret" {
		f.manifest(start)
	}
	if p.level == harmless {
		return
	}
	f.given(&p)
}

// given finds the separator after a name, and redacts the value.
func (f *finder) given(p *place) {
	text := f.text
	at := p.end
	// The name may be in quotes, in an index, in bold, or in nested quotations.
	for n := 0; at < len(text) && n < 8 && strings.IndexByte("\"'`\\*]”", text[at]) >= 0; n++ {
		at++
	}
	if strings.HasPrefix(text[at:], "&quot;") {
		at += len("&quot;")
	}
	closed := at
	at = f.blanks(at)
	if at >= len(text) {
		return
	}
	rest := text[at:]
	switch c := rest[0]; {
	case c == '\n' || c == '\r':
		f.nextLine(p, at)
	case c == '=', c == ':' && !strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, "::="),
		strings.HasPrefix(rest, "?="), strings.HasPrefix(rest, "+="), strings.HasPrefix(rest, "!="),
		strings.HasPrefix(rest, "?:"):
		sep := 1
		for sep < len(rest) && sep < 3 && strings.IndexByte("=:>~", rest[sep]) >= 0 {
			sep++
		}
		if strings.HasPrefix(rest, "=:") {
			sep = 1
		}
		f.assigned(p, at, at+sep, at > closed)
	case hasFold(rest, "%3d"), hasFold(rest, "%3a"):
		f.assigned(p, at, at+3, false)
	case strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, "<-"), strings.HasPrefix(rest, "→"):
		if f.look(p); p.kind != source {
			f.bare(p, f.blanks(at+2), ':')
		}
	case c == '|', c == '\t' || at > closed && text[at-1] == '\t':
		if f.look(p); p.kind != source && (p.level == strong || p.level == medium) {
			at = f.blanks(at + 1)
			f.cell(p, at)
		}
	case strings.HasPrefix(rest, "：") || strings.HasPrefix(rest, "＝"):
		if f.look(p); p.kind != source {
			f.bare(p, f.blanks(at+len("：")), ':')
		}
	case c == '>' || strings.HasPrefix(rest, "</key>") || p.quote != 0 && at > closed && f.inTag(p.start) ||
		p.start > 0 && text[p.start-1] == '<' || p.quote != 0 && f.tagged(at):
		f.tag(p, closed)
	case c == ',' && p.quote != 0:
		f.paired(p, at+1)
	case c == '{' && at+1 < len(text) && (text[at+1] == '"' || text[at+1] == '\''):
		f.look(p)
		f.literal(p, at+1, true)
	case c == '{':
		f.look(p)
		f.valued(p, at+1)
	case c == '(' && closed == p.end:
		f.called(p, at+1)
	case c == '[' && closed == p.end:
		if i := strings.IndexByte(text[at:min(len(text), at+maxTyped)], ']'); i > 0 {
			if next := f.blanks(at + i + 1); next < len(text) && text[next] == '=' &&
				!strings.HasPrefix(text[next:], "==") {
				f.assigned(p, next, next+1, true)
			}
		}
	case at > closed:
		f.spaced(p, closed, at)
	}
}

// blanks returns the position after spaces and tabs.
func (f *finder) blanks(at int) int {
	for n := 0; at < len(f.text) && n < maxBlanks && (f.text[at] == ' ' || f.text[at] == '\t'); n++ {
		at++
	}
	return at
}

var (
	// lineHead matches the text before the name in a line of settings.
	lineHead = regexp.MustCompile(`(?i)^[ \t+\->|*#;/!"'` + "`" +
		`$@&<({\[.·•]*(?:\d+[.)][ \t]+)?(?:\[[ x]\][ \t]+)?(?:(export|env|arg|set|setx|setenv|declare|typeset|local|` +
		`readonly|global|config set|-e|--env|--build-arg|--set|-D|\$env:)(?:[ \t]+-[a-z]+)*[ \t]*)?[ \t"'` + "`" +
		`*\\]*$`)
	// wrapper matches the calls and prefixes around a literal: []byte(, b, new String(.
	wrapper = regexp.MustCompile(`(?i)^(?:new )?(?:[&*]|\[\]byte\(|\(?ConvertTo-SecureString (?:-String )?|` +
		`(?:[a-z_][\w:.]*[.:])?(?:bytes?|str|string|from|some|ok|secret|secretstr|secretstring|` +
		`securestring|sensitive|password|buffer|b64decode|decode|decodestring|atob|ptr|stringptr|toptr|of|value|` +
		`redacted|token|apikey|key)\(|u8|br|rb|[bfrunl@$])+$`)
	// typed matches a type between a name and its "=".
	typed = regexp.MustCompile(`^[ \t]*[&*\w.<>\[\]?|', ]{1,48}$`)
	// expression matches a bare value that is code.
	expression = regexp.MustCompile(`^[&*!(]*[A-Za-z_$@][\w$]*(?:(?:\.|->|::|\?\.|!\.)[A-Za-z_]\w*|` +
		`\[[^\]]*\])*(?:[(\[{]|<[A-Z])`)
	// member matches a bare value that may be a struct member.
	member = regexp.MustCompile(`^[&*]?[A-Za-z_$@][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)+[,;)]*$`)
	// loginHead matches the user before the password on one line.
	loginHead = regexp.MustCompile(`(?:login|user|username|account)[ \t]+(\S+)[ \t]+$`)
	// nextParameter matches the next parameter of a connection string.
	nextParameter = regexp.MustCompile(`^[;&][A-Za-z][\w .-]*=`)
	// number matches a short number, or a number literal.
	number = regexp.MustCompile(`^[-+]?(?:0[xX][0-9A-Fa-f_]+|\d[\d_]*(?:\.\d+)?)(?:[uUlLnf]*|[kKmMgGsh]|ms)$`)
	// pathLike matches a file path, which is not the content of the file.
	pathLike = regexp.MustCompile(`^(?:(?:~|\.{1,2})?/[\w.@~-]+(?:/[\w.@~-]+)*/?|[A-Za-z]:\\[^\s]+|` +
		`[\w.-]+(?:/[\w.-]+)*\.(?:pem|key|crt|cer|pub|json|ya?ml|txt|env|jks|p12|toml|gpg))$`)
)

// isPath reports whether a value is a file path. Base64 may look like one.
func isPath(value string) bool { return pathLike.MatchString(value) && !tangled(value) }

// look fills in the context of a name on its line.
func (f *finder) look(p *place) {
	p.kind = f.kindAt(p.start)
	start := f.lineStart(p.start)
	head := f.text[start:p.start]
	if len(head) > maxIdent {
		p.first = false
	} else if m := lineHead.FindStringSubmatch(head); m != nil {
		p.first, p.command = true, strings.ToLower(m[1])
	}
	if p.kind != settings && p.quote == 0 {
		quotes := strings.Count(head, `"`) - strings.Count(head, `\"`)
		p.inside = quotes%2 == 1 || strings.Count(head, "'")%2 == 1 || strings.Count(head, "`")%2 == 1
	}
	if p.kind == source || p.kind == declarations {
		body := strings.TrimLeft(head, "+- \t")
		for _, sign := range []string{"//", "#", "*", "/*", "--", "%", ";"} {
			p.inside = p.inside || strings.HasPrefix(body, sign)
		}
		p.inside = p.inside || strings.Contains(head, " // ") || strings.Contains(head, " # ")
	}
}

// assigned redacts the value after a separator such as = or :.
func (f *finder) assigned(p *place, from, at int, spaced bool) {
	f.look(p)
	text := f.text
	sep := text[from]
	value := f.blanks(at)
	if value >= len(text) {
		return
	}
	if text[value] == '\n' || text[value] == '\r' {
		if sep == ':' || sep == '=' {
			f.block(p, value)
		}
		return
	}
	if c := text[value]; (c == '"' || c == '\'') && text[p.end] != c && f.opened(p, c) {
		return // It ends the text that the name is in: prompt("Password: ").
	}
	if sep == ':' || sep == '?' {
		// A type may stand between a name and its value.
		if i := strings.IndexByte(text[value:min(len(text), value+maxTyped)], '='); i > 0 &&
			typed.MatchString(text[value:value+i]) {
			if next := f.blanks(value + i + 1); f.literal(p, next, false) {
				return
			}
		}
		if value == at && sep == ':' && strings.HasPrefix(text[value:], "//") {
			return // a URL
		}
	}
	if p.kind != source {
		value = f.anchored(value)
		if strings.HasPrefix(text[value:], "** ") {
			value = f.blanks(value + len("**"))
		}
		if value >= len(text) {
			return
		}
	}
	switch c := text[value]; {
	case (c == '|' || c == '>') && sep == ':' && p.kind != source &&
		blockStart.MatchString(text[value:f.lineEnd(value)]):
		f.block(p, f.lineEnd(value))
	case strings.HasPrefix(text[at:], "(") && sep == '=' && spaced:
	case f.literal(p, value, false):
	case (c == '[' || c == '(') && p.level >= medium:
		f.list(p, value+1)
	case (c == '[' || c == '(') && strings.HasSuffix(strings.ToLower(text[p.start:p.end]), "auth"):
		// A user name comes first, then the password.
		if i := strings.IndexByte(text[value:f.lineEnd(value)], ','); i > 0 {
			given := *p
			given.level = strong
			f.literal(&given, f.blanks(value+i+1), true)
		}
	case strings.HasPrefix(text[from:], "==") || sep == '!' || strings.HasPrefix(text[from:], "=>") && p.kind == source:
	default:
		f.bare(p, value, sep)
	}
}

var blockStart = regexp.MustCompile(`^[|>][-+0-9]*[ \t]*(?:#.*)?\r?$`)

// opened reports whether a name is inside a text that starts with a quotation mark.
func (f *finder) opened(p *place, mark byte) bool {
	if p.quote == mark {
		return true
	}
	head := f.text[f.lineStart(p.start):p.start]
	return (strings.Count(head, string(mark))-strings.Count(head, `\`+string(mark)))%2 == 1 &&
		!strings.Contains(head, "'s ")
}

// anchored returns the position after the anchor and tag of a YAML value.
func (f *finder) anchored(at int) int {
	for at < len(f.text) && (f.text[at] == '&' || strings.HasPrefix(f.text[at:], "!!")) {
		i := strings.IndexAny(f.text[at:min(len(f.text), at+maxTyped)], " \n")
		if i < 0 || f.text[at+i] == '\n' {
			return at
		}
		at = f.blanks(at + i)
	}
	return at
}

// literal redacts a quoted value and its continuations. It reports whether there is a quoted value, redacted or not.
func (f *finder) literal(p *place, at int, argument bool) bool {
	text := f.text
	if at >= len(text) {
		return false
	}
	open := at
	if strings.IndexByte("\"'`\\&“«", text[at]) < 0 || text[at] == '&' && !strings.HasPrefix(text[at:], "&quot;") {
		const farthest = 64
		i := strings.IndexAny(text[at:min(len(text), at+farthest)], "\"'`\n")
		if i <= 0 || text[at+i] == '\n' || !wrapper.MatchString(text[at:at+i]) {
			return false
		}
		open = at + i
	}
	start, end, next := f.quoted(p, open)
	if start < 0 {
		return false
	}
	if !f.secretLiteral(p, text[start:end], argument) {
		return true
	}
	f.add(start, end, byName, 1)
	// A long literal may continue in the next one.
	for n := 0; n < 40; n++ {
		more := f.blanks(next)
		if more < len(text) && strings.IndexByte("+.\\&", text[more]) >= 0 {
			more = f.blanks(more + 1)
		}
		if more < len(text) && (text[more] == '\n' || text[more] == '\r') {
			more = f.body(f.lineEnd(more) + 1)
			if more < len(text) && strings.IndexByte("+.&", text[more]) >= 0 {
				more = f.blanks(more + 1)
			}
		}
		if more >= len(text) || more == next || text[more] != '"' && text[more] != '\'' || f.follows(more) {
			break
		}
		if start, end, next = f.quoted(p, more); start < 0 || f.r.words.isPlaceholder(text[start:end]) {
			break
		}
		f.add(start, end, byName, 1)
	}
	f.done = max(f.done, end)
	return true
}

// follows reports whether a literal is the next name rather than a continuation of the value.
func (f *finder) follows(at int) bool {
	end := f.lineEnd(at)
	i := strings.IndexByte(f.text[at+1:end], f.text[at])
	if i < 0 {
		return true
	}
	next := f.blanks(at + i + 2)
	return next < end && (f.text[next] == ':' || f.text[next] == '=')
}

// quoted returns the range of quoted content, and the position after it. start is -1 if the quotation does not end.
func (f *finder) quoted(p *place, at int) (start, end, next int) {
	text := f.text
	for _, pair := range [][2]string{{`"""`, `"""`}, {`'''`, `'''`}, {"&quot;", "&quot;"}, {"“", "”"}, {"«", "»"}} {
		if strings.HasPrefix(text[at:], pair[0]) {
			start = at + len(pair[0])
			if i := strings.Index(text[start:min(len(text), start+maxValue)], pair[1]); i > 0 {
				return start, start + i, start + i + len(pair[1])
			}
			return -1, -1, -1
		}
	}
	// In nested quotations, quotation marks have backslashes.
	slashes := 0
	for at+slashes < len(text) && text[at+slashes] == '\\' && slashes < 8 {
		slashes++
	}
	if at+slashes >= len(text) || strings.IndexByte("\"'`", text[at+slashes]) < 0 {
		return -1, -1, -1
	}
	closing := text[at : at+slashes+1]
	mark := text[at+slashes]
	start = at + len(closing)
	limit := min(len(text), start+maxValue)
	line := min(limit, f.lineEnd(start))
	if mark != '`' {
		limit = line
	}
	if slashes > 0 {
		if i := strings.Index(text[start:limit], closing); i >= 0 {
			return start, start + i, start + i + len(closing)
		}
		return -1, -1, -1
	}
	for end = start; end < limit; end++ {
		switch {
		case text[end] == '\\' && mark != '`':
			end++
		case text[end] == mark && mark == '\'' && end > start && end+1 < limit && text[end+1] == mark:
			end++ // SQL doubles the mark
		case text[end] == mark:
			return start, end, end + 1
		}
	}
	// The text ends on another line, as in a .env file, or was cut off.
	if p.kind != source && p.level == strong && line < len(text) {
		const farthest = 4 << 10
		if i := strings.IndexByte(text[line:min(len(text), line+farthest)], mark); i >= 0 &&
			!strings.Contains(text[line:line+i], "\n\n") &&
			!strings.ContainsAny(text[line:line+i], "=:") {
			return start, line + i, line + i + 1
		}
	}
	if p.kind != source && line-start >= 3 {
		return start, line, line
	}
	return -1, -1, -1
}

// secretLiteral reports whether a quoted value is a secret.
func (f *finder) secretLiteral(p *place, value string, argument bool) bool {
	w := f.r.words
	trimmed := strings.TrimSpace(strings.Trim(value, `\"'`))
	if scheme, rest, found := strings.Cut(trimmed, " "); found && isScheme(scheme) {
		return !w.isPlaceholder(rest) && !strings.ContainsAny(rest, " {$%<") && len(rest) >= 8
	}
	if w.isPlaceholder(trimmed) {
		return false
	}
	letters, digits, signs := counts(trimmed)
	blank := strings.ContainsAny(trimmed, " \t\n")
	name := f.text[p.start:p.end]
	if p.kind != source && !(argument && p.kind == unsaid) {
		switch {
		case p.level == weak:
			return looksRandom(trimmed) || strings.ToUpper(name) == name && digits > 0 && letters > 0 &&
				len(trimmed) >= 6
		case letters == 0 && signs == 0 && len(trimmed) < 4:
			return false
		case p.level == medium && (isPath(trimmed) || strings.Contains(trimmed, "://")):
			return false
		case !f.hasWord(name, "pass", "pwd") && (isPath(trimmed) ||
			strings.Contains(trimmed, "://") && !strings.Contains(trimmed, "@")):
			return false
		case blank && strings.ContainsAny(trimmed, ".?!:,") && w.isSentence(trimmed):
			return false
		}
		// If it may not be code, a word is a secret.
		return p.kind != unsaid || len(trimmed) > 2 &&
			(p.level == strong && !f.label(name, trimmed) || digits+signs > 0 && !f.label(name, trimmed))
	}
	if len(trimmed) < 5 || f.label(name, trimmed) || strings.Contains(trimmed, "://") || isPath(trimmed) {
		return false
	}
	if p.level != strong {
		return looksRandom(trimmed) && len(trimmed) >= 12
	}
	if blank {
		// A passphrase has only words; a text with punctuation is a message.
		if argument && (strings.ToLower(trimmed) != trimmed || letters < len(trimmed)-strings.Count(trimmed, " ")) {
			return false
		}
		return !w.isSentence(trimmed) && !strings.ContainsAny(trimmed, ":;.,?!%{}()=<>/\\") &&
			strings.Count(trimmed, " ") >= 2
	}
	if f.hasWord(name, "key", "token", "auth", "webhook", "connstr") && !f.hasWord(name, "pass", "pwd", "secret") {
		// It looks generated.
		return looksRandom(trimmed) || digits > 0 && letters > 0 && len(trimmed) >= 8 && signs == 0 && mixed(trimmed)
	}
	const wordLength = 8
	if argument {
		return (digits > 0 && letters > 0 || len(trimmed) >= wordLength && letters == len(trimmed) &&
			strings.ToLower(trimmed) == trimmed) &&
			!strings.ContainsAny(trimmed, "[]{}()<>=,;:|/") || looksRandom(trimmed)
	}
	if strings.ContainsAny(trimmed, "[](){}<>=|;,") && !looksRandom(trimmed) && (digits == 0 || letters == 0) {
		return false
	}
	return looksRandom(trimmed) || digits > 0 && letters > 0 && len(trimmed) >= 6 ||
		signs > 0 && letters > 0 && digits > 0 ||
		len(trimmed) >= wordLength && signs == 0 && digits == 0 && strings.ToLower(trimmed) == trimmed ||
		len(trimmed) >= wordLength && strings.ContainsAny(trimmed, "!@#$%^&*~") && !strings.HasPrefix(trimmed, "#") ||
		strings.Count(trimmed, "-") >= 2 && len(trimmed) >= 12 &&
			strings.Trim(trimmed, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// isScheme reports whether a word introduces the credentials in a header.
func isScheme(word string) bool {
	switch strings.ToLower(strings.TrimRight(word, ":")) {
	case "bearer", "basic", "token", "apikey", "digest", "negotiate", "aws", "key":
		return true
	}
	return false
}

// hasWord reports whether a name contains one of some words.
func (f *finder) hasWord(name string, parts ...string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// label reports whether a value is the name of a secret rather than the secret itself: it has only letters and
// separators, and shares a word with the name.
func (f *finder) label(name, value string) bool {
	letters, digits, _ := counts(value)
	if letters == 0 || digits > 2 {
		return false
	}
	folded := strings.ToLower(value)
	for at := 0; at < len(value); at++ {
		if !isAlnum(value[at]) || at > 0 && isAlnum(value[at-1]) && (!isUpper(value[at]) || isUpper(value[at-1])) {
			continue
		}
		if slices.ContainsFunc([]string{
			"pass", "secret", "token", "key", "cred", "auth", "pwd", "login", "user",
			"account", "session",
		}, func(word string) bool { return strings.HasPrefix(folded[at:], word) }) {
			return digits == 0 || strings.Trim(folded, "abcdefghijklmnopqrstuvwxyz-_.: 0123456789") == "" &&
				!mixed(value)
		}
	}
	return strings.EqualFold(name, value)
}

// counts returns the number of letters, digits and other non-blank characters.
func counts(text string) (letters, digits, signs int) {
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c):
			digits++
		case isAlnum(c) || c >= utf8.RuneSelf:
			letters++
		case c != ' ' && c != '\t':
			signs++
		}
	}
	return letters, digits, signs
}

// bare redacts a value without quotation marks.
func (f *finder) bare(p *place, at int, sep byte) {
	text, w := f.text, f.r.words
	line := f.lineEnd(at)
	if at >= line {
		return
	}
	rest := strings.TrimRight(text[at:min(line, at+maxValue)], " \t\r")
	if scheme, after, found := strings.Cut(rest, " "); found && isScheme(scheme) {
		at += len(scheme) + 1
		rest = strings.TrimLeft(after, " ")
		at = f.blanks(at)
		if end := strings.IndexAny(rest, " \t\"'`<>,;"); end >= 0 {
			rest = rest[:end]
		}
		if _, digits, _ := counts(rest); len(rest) >= 8 && !w.isPlaceholder(rest) && (digits > 0 || len(rest) >= 16) &&
			!expression.MatchString(rest) {
			f.add(at, at+len(rest), byName, 1)
			f.done = max(f.done, at+len(rest))
		}
		return
	}
	first := rest
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		first = rest[:i]
	}
	code := p.kind == source || p.kind == declarations
	whole := p.first && !code && !p.inside && p.quote == 0 && !strings.HasPrefix(p.command, "-")
	if !whole || p.kind == unsaid && strings.HasSuffix(first, ",") {
		// Within a line, a value ends where an argument would end.
		if i := strings.IndexAny(first, "\"'`<>|;,)}]&"); i >= 0 && !(i == 0) {
			first = first[:i]
		}
		first = strings.TrimRight(first, ".:!?\\")
	} else if first = strings.TrimRight(first, ",;"); first == "" {
		return
	}
	name := text[p.start:p.end]
	end := at + len(first)
	others := strings.TrimLeft(rest[len(first):], " \t")
	if whole && strings.HasPrefix(others, "#") || strings.HasPrefix(others, "//") {
		others = ""
	}
	if whole && others != "" && p.level >= medium && sep != ' ' && isPhrase(first+" "+others) &&
		!w.isSentence(first+" "+others) &&
		!w.isPlaceholder(first+" "+others) {
		f.add(at, at+len(rest), byName, 1)
		f.done = max(f.done, at+len(rest))
		return
	}
	if first == "" || strings.IndexByte("\"'`<({[|>,;)]}#", first[0]) >= 0 && (first[0] != '#' || len(first) < 6) ||
		w.isPlaceholder(first) {
		return
	}
	letters, digits, signs := counts(first)
	sentence := w.sentence[strings.ToLower(strings.Trim(first, ".,:;!?"))] ||
		digits == 0 && signs == 0 && w.isSentence(firstWord(others)) && !whole && (sep != '=' || text[at-1] == ' ')
	// Connection strings and URL queries have no variables.
	parameter := sep == '=' && (p.start > 0 && strings.IndexByte(";&?", text[p.start-1]) >= 0 ||
		nextParameter.MatchString(rest[len(first):]))
	secret := false
	upper := strings.ToUpper(name) == name
	switch {
	case expression.MatchString(first) && (p.kind != settings || strings.Contains(first, "(")) && !looksRandom(first),
		number.MatchString(first) && (p.kind != settings && digits < 4 || digits < 4 ||
			!f.hasWord(name, "pass", "pwd", "pin", "secret") && digits < 8):
	case code && !p.inside && (!upper || sep != '=' || isName(first)):
		secret = !isName(strings.TrimRight(first, ",;)")) && looksRandom(first) && !number.MatchString(first) &&
			!member.MatchString(first) && len(first) >= 16
	case code:
		// This is a comment, a text in code, or a line of a script.
		secret = p.level >= medium && letters > 0 && (digits > 0 || strings.ContainsAny(first, "!@#$%^&*~")) &&
			len(first) >= 6 &&
			!member.MatchString(first) && !strings.ContainsAny(first, "(){}<>[]=|\\") &&
			(p.level == strong || looksRandom(first)) &&
			!f.label(name, first) && !sentence
	case p.level == weak:
		secret = looksRandom(first) && len(first) >= 10 ||
			f.hasWord(name, "pass", "pw", "auth") && digits > 0 && letters > 0 && len(first) >= 6 && !isVersion(first)
	case sentence && len(others) > 0, strings.HasSuffix(name, "PWD") && strings.HasPrefix(first, "/") && isPath(first),
		isPath(first) && !f.hasWord(name, "pass", "pwd"),
		strings.Contains(first, "://") && !f.hasWord(name, "pass", "pwd"):
	case p.kind == settings:
		secret = len(first) >= 3
	case member.MatchString(first) && digits == 0:
	default:
		// This may not be code: a word is a value unless it looks like a variable.
		variable := !parameter && p.command == "" && !tangled(first) && codeLike(rest, first)
		secret = len(first) >= 3 && !variable && (digits+signs > 0 ||
			letters >= 4 && !sentence && (p.level == strong || upper && sep == '='))
	}
	if !secret {
		return
	}
	f.add(at, end, byName, 1)
	f.done = max(f.done, end)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// isPhrase reports whether a text is a few plain words.
func isPhrase(text string) bool {
	const most = 12
	n := 0
	for word := range strings.FieldsSeq(text) {
		n++
		for i := range len(word) {
			if c := word[i]; !isAlnum(c) && c < utf8.RuneSelf && strings.IndexByte("-_.!'", c) < 0 ||
				i == 0 && c == '-' {
				return false
			}
		}
	}
	return n > 1 && n <= most
}

func isVersion(text string) bool {
	return strings.Trim(text, "v0123456789.") == ""
}

// codeLike reports whether a bare word and the rest of its line look like code.
func codeLike(rest, word string) bool {
	after := strings.TrimPrefix(rest, word)
	humped := false
	for i := 1; i < len(word); i++ {
		humped = humped || isUpper(word[i]) && isLower(word[i-1])
	}
	_, digits, _ := counts(word)
	switch {
	case !isName(word):
		return false
	case (humped || strings.Contains(word, "_")) && digits == 0:
		return true
	case digits >= 3 || after == "":
		return false
	case strings.IndexByte(",;){}(", after[0]) >= 0:
		return true
	case len(after) > 1 && after[0] == ' ' && isAlnum(after[1]):
		return false // a sentence follows
	}
	return strings.ContainsAny(after, "(){};")
}

// cell redacts the value in the next table cell.
func (f *finder) cell(p *place, at int) {
	line := f.lineEnd(at)
	end := at
	for end < line && f.text[end] != '|' && f.text[end] != '\t' {
		end++
	}
	value := strings.Trim(f.text[at:end], " \t\r`'\"*")
	letters, digits, signs := counts(value)
	if value == "" || f.r.words.isPlaceholder(value) || f.r.words.isSentence(value) || len(value) < 4 ||
		strings.Trim(value, "-:") == "" {
		return
	}
	blanks := strings.Count(value, " ")
	if blanks == 0 && (digits > 0 && letters > 0 || signs > 0 && letters > 0 && !isPath(value) ||
		p.level == strong && letters >= 6 && digits > 0) ||
		p.level == strong && (blanks == 0 && letters >= 6 && strings.Count(f.text[f.lineStart(at):line], "|") <= 4 ||
			blanks >= 2 && isPhrase(value)) {
		i := strings.Index(f.text[at:end], value)
		f.add(at+i, at+i+len(value), byName, 1)
	}
}

// inTag reports whether a position is inside a tag.
func (f *finder) inTag(at int) bool {
	const farthest = 200
	before := f.text[max(0, at-farthest):at]
	return strings.LastIndexByte(before, '<') > max(strings.LastIndexByte(before, '>'),
		strings.LastIndexByte(before, '\n'))
}

// tagged reports whether the tag ends after a name.
func (f *finder) tagged(at int) bool {
	rest := f.text[at:min(len(f.text), at+maxTyped)]
	return strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "/>")
}

var (
	attribute = regexp.MustCompile(`(?i)^(?:[ \t]+[\w:.-]+=(?:"[^"\n]*"|'[^'\n]*'))*?[ \t]+(?:value|default|content|` +
		`password|secret)=["']([^"'\n<>]*)["']`)
	tagText = regexp.MustCompile(`(?i)^(?:[ \t]+[\w:.-]+=(?:"[^"\n]*"|` +
		`'[^'\n]*'))*[ \t]*>\s*(?:<!\[CDATA\[)?(?:</key>\s*<string>|<value>)?([^<>\n]+)(?:\]\]>)?<`)
	nextValue = regexp.MustCompile(`(?i)^[,;]?[ \t]*(?:\r?\n[ \t+\-#|>]*){0,4}(?:[{,][ \t]*)?` +
		`(?:type[ \t]*=[ \t]*"?string"?[ \t]*\r?\n[ \t+\-]*)?(?:sensitive[ \t]*=[ \t]*true[ \t]*\r?\n[ \t+\-]*)?` +
		`\\?["']?(value|val|content|default|literal|password|secret)\\?["']?[ \t]*(?:[:=]|=>)[ \t]*`)
)

// tag redacts the text of an XML element or attribute, or else the value after a blank.
func (f *finder) tag(p *place, at int) {
	text := f.text
	const farthest = 600
	window := text[at:min(len(text), at+farthest)]
	element := p.start > 0 && (text[p.start-1] == '<' || text[p.start-1] == ':' || p.quote != 0 ||
		text[p.start-1] == '>')
	if element && strings.IndexByte(window, '>') >= 0 {
		m := attribute.FindStringSubmatchIndex(window)
		if m == nil {
			m = tagText.FindStringSubmatchIndex(window)
		}
		if m == nil && strings.HasPrefix(window, "</key>") {
			if m = tagText.FindStringSubmatchIndex(">" + window); m != nil {
				m[2], m[3] = m[2]-1, m[3]-1
			}
		}
		if m != nil {
			value := text[at+m[2] : at+m[3]]
			f.look(p)
			if trimmed := strings.TrimSpace(value); !f.r.words.isPlaceholder(trimmed) &&
				(p.level == strong && !f.label("", trimmed) && len(trimmed) > 3 || looksRandom(trimmed)) &&
				!f.r.words.isSentence(trimmed) {
				i := strings.Index(value, trimmed)
				f.add(at+m[2]+i, at+m[2]+i+len(trimmed), byName, 1)
			}
			return
		}
	}
	if next := f.blanks(at); next > at && next < len(text) {
		f.spaced(p, at, next)
	}
}

// paired redacts the argument after a quoted name: ("password", "x"), {"name": "password", "value": "x"}.
func (f *finder) paired(p *place, at int) {
	f.look(p)
	if f.valued(p, at) {
		return
	}
	next := f.blanks(at)
	if next < len(f.text) && (f.text[next] == '"' || f.text[next] == '\'' || f.text[next] == '\\') && !f.follows(next) {
		f.literal(p, next, true)
	}
}

// valued redacts the value in a pair of name and value: "name: DB_PASSWORD", then "value: x".
func (f *finder) valued(p *place, at int) bool {
	text := f.text
	if !strings.ContainsAny(text[f.lineStart(p.start):p.start], ":=\"") {
		return false
	}
	m := nextValue.FindStringIndex(text[at:min(len(text), at+maxTyped*4)])
	if m == nil {
		return false
	}
	given := *p
	if value := at + m[1]; value < len(text) && !f.literal(&given, value, false) {
		given.first, given.inside = true, false
		if given.kind != source {
			f.bare(&given, value, ':')
		}
	}
	return true
}

// called redacts the argument of a call: setPassword("x"), basicAuth("user", "x").
func (f *finder) called(p *place, at int) {
	name := f.text[p.start:p.end]
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	setter := false
	for _, verb := range []string{
		"set", "with", "add", "use", "put", "basic", "password", "passwd", "secret", "token",
		"apikey", "http", "bearer",
	} {
		setter = setter || hasFold(name, verb)
	}
	basic := hasFold(name, "setbasicauth") || hasFold(name, "basicauth") || hasFold(name, "httpbasicauth") ||
		hasFold(name, "withbasicauth")
	if !setter && !basic {
		return
	}
	at = f.blanks(at)
	if at >= len(f.text) || f.text[at] != '"' && f.text[at] != '\'' && f.text[at] != '`' {
		return
	}
	f.look(p)
	if basic {
		p.level = strong
		if i := strings.IndexByte(f.text[at:f.lineEnd(at)], ','); i > 0 {
			at = f.blanks(at + i + 1)
		}
	}
	// Parsers are called with short words.
	f.literal(p, at, true)
}

// list redacts the elements of a list.
func (f *finder) list(p *place, at int) {
	for n := 0; n < 50 && at < len(f.text); n++ {
		for at < len(f.text) && strings.IndexByte(" \t\r\n,+-", f.text[at]) >= 0 {
			at++
		}
		if at >= len(f.text) || f.text[at] != '"' && f.text[at] != '\'' {
			return
		}
		start, end, next := f.quoted(p, at)
		if start < 0 {
			return
		}
		if value := f.text[start:end]; f.secretLiteral(p, value, true) {
			f.add(start, end, byName, 1)
		}
		at = next
	}
}

// spaced redacts a value after only blanks: the argument of a flag, a line of .netrc, SQL.
func (f *finder) spaced(p *place, closed, at int) {
	text := f.text
	f.look(p)
	line := f.lineEnd(at)
	rest := text[at:line]
	if text[at] == '"' || text[at] == '\'' || text[at] == '`' {
		// SQL's PASSWORD 'x' and PowerShell's -Password "x".
		if p.level == strong && p.quote == 0 && closed == p.end &&
			(p.kind != source || strings.ToUpper(text[p.start:p.end]) == text[p.start:p.end] || p.inside) {
			given := *p
			if given.kind == unsaid && p.command == "" || given.inside {
				given.kind = source
			}
			if hasFold(text[p.start:], "password '") || text[p.start-min(1, p.start)] == '-' {
				given.kind = settings
			}
			f.literal(&given, at, false)
		}
		return
	}
	// A type may stand between a name and its value.
	if i := strings.IndexByte(rest[:min(len(rest), maxTyped)], '='); i > 0 && typed.MatchString(rest[:i]) &&
		!strings.HasPrefix(rest[i:], "==") {
		if f.literal(p, f.blanks(at+i+1), false) {
			return
		}
	}
	flag := p.start > 0 && text[p.start-1] == '-' && (p.start < 3 || text[p.start-2] == '-' || text[p.start-2] == ' ')
	word, _, _ := strings.Cut(rest, " ")
	word = strings.TrimRight(word, "\r")
	letters, digits, signs := counts(word)
	switch {
	case flag:
		if word = cutAt(word, "\"'`<>|;,)}]&"); strings.HasPrefix(word, "-") || len(word) < 3 ||
			f.r.words.isPlaceholder(word) || word == strings.ToUpper(word) && digits == 0 ||
			f.r.words.sentence[strings.ToLower(word)] || p.kind == source && (digits == 0 || letters == 0) ||
			p.level == weak && !looksRandom(word) ||
			expression.MatchString(word) || digits == 0 && signs == 0 && p.kind != settings && len(word) < 6 ||
			isPath(word) {
			return
		}
		f.add(at, at+len(word), byName, 1)
	case p.command == "env" || p.command == "arg" || p.command == "setenv" || p.command == "setx" ||
		p.command == "set" || p.command == "config set":
		if p.level >= medium && p.kind != source {
			f.bare(p, at, '=')
		}
	case hasFold(rest, "is ") || hasFold(rest, "was "):
		if at = f.blanks(at + strings.IndexByte(rest, ' ')); at >= line {
			return
		}
		word = strings.TrimRight(cutAt(text[at:line], " \t\r,;"), ".!?")
		start := at
		if trimmed := strings.Trim(word, "\"'`*"); trimmed != word {
			start, word = at+strings.Index(text[at:], trimmed), trimmed
		}
		letters, digits, signs = counts(word)
		if p.level == strong && !f.r.words.isPlaceholder(word) && len(word) >= 6 && letters > 0 && digits > 0 &&
			!expression.MatchString(word) && !isPath(word) &&
			(p.kind != source || signs > 0 && !isName(word)) && !member.MatchString(word) {
			f.add(start, start+len(word), byName, 1)
		}
	case p.level == strong && p.kind != source:
		// .netrc has the password after the login, and server settings have lines of two words.
		head := text[f.lineStart(p.start):p.start]
		login := false
		if m := loginHead.FindStringSubmatch(head); m != nil {
			login = !f.r.words.sentence[strings.ToLower(m[1])]
		}
		if login && len(word) == 1 && isDigit(word[0]) && len(rest) > 2 {
			// Router configurations state the encryption first.
			at, rest = at+2, rest[2:]
			word = cutAt(rest, " \t\r")
		}
		alone := strings.TrimSpace(rest) == word && p.first
		server := alone && (hasFold(text[p.start:], "requirepass") || hasFold(text[p.start:], "masterauth"))
		switch {
		case f.r.words.isPlaceholder(word) || f.r.words.sentence[strings.ToLower(strings.Trim(word, ".,"))]:
		case (login || server) && len(word) >= 3, alone && len(word) >= 5 && letters > 0 && digits > 0 &&
			!member.MatchString(word) && !expression.MatchString(word),
			alone && len(word) >= 6 && letters > 0 && signs > 0 && strings.ContainsAny(word, "!@#$%^&*") &&
				!member.MatchString(word) && !strings.ContainsAny(word, "()[]{}"):
			f.add(at, at+len(word), byName, 1)
		}
	}
}

func cutAt(text, chars string) string {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return text[:i]
	}
	return text
}

// scheme redacts the credentials after Bearer or Basic.
func (f *finder) scheme(at, size int) {
	text := f.text
	if at > 0 && isAlnum(text[at-1]) {
		return
	}
	start := f.blanks(at + size)
	end := start
	for end < len(text) && end-start < maxValue &&
		(inToken[lower[text[end]]] || text[end] == '.' || text[end] == '=' || text[end] == '~') {
		end++
	}
	for end > start && text[end-1] == '.' {
		end--
	}
	word := text[start:end]
	if f.r.words.isPlaceholder(word) {
		return
	}
	_, digits, _ := counts(word)
	if lower[text[at]] == 'b' && lower[text[at+1]] == 'a' {
		const shortest = 8
		if len(word) >= shortest && strings.ToLower(word) != word && strings.ToUpper(word) != word &&
			(digits > 0 || word[len(word)-1] == '=' || tangled(word)) && !strings.ContainsAny(word, "._-~") {
			f.add(start, end, "authorization header", 1)
		}
		return
	}
	const shortest = 16
	if digits > 1 && len(word) >= shortest && looksRandom(word) {
		f.add(start, end, "authorization header", 1)
	}
}

// url redacts the password in a URL, or a token in place of the user.
func (f *finder) url(at int) {
	const farthest = 300
	text := f.text
	start := at + 3
	if text[at] == '@' {
		// user:password@tcp(host) of Go's database drivers
		from := at
		for from > 0 && at-from < farthest && strings.IndexByte(" \t\n\r\"'`=", text[from-1]) < 0 {
			from--
		}
		if i := strings.IndexByte(text[from:at], ':'); i >= 0 && !f.r.words.isPlaceholder(text[from+i+1:at]) &&
			at-from-i > 3 {
			f.add(from+i+1, at, "password in a URL", 0)
		}
		return
	}
	end, last := start, -1
	for ; end < len(text) && end-start < farthest && strings.IndexByte(" \t\n\r\"'`<>/?#\\|", text[end]) < 0; end++ {
		if text[end] == '@' {
			last = end
		}
	}
	// A password may contain an unescaped slash.
	if last < 0 && end < len(text) && (text[end] == '/' || text[end] == '?' || text[end] == '#') &&
		strings.IndexByte(text[start:end], ':') > 0 {
		i := strings.IndexAny(text[end:min(len(text), end+60)], "@ \t\n\r\"'`<>")
		_, port, _ := strings.Cut(text[start:end], ":")
		if i > 0 && text[end+i] == '@' && strings.Trim(port, "0123456789") != "" && end+i+1 < len(text) &&
			isAlnum(text[end+i+1]) {
			last = end + i
		}
	}
	if last < 0 || last+1 < len(text) && !isAlnum(text[last+1]) && strings.IndexByte("[$<{_%", text[last+1]) < 0 {
		return
	}
	info := text[start:last]
	user, password, found := strings.Cut(info, ":")
	switch {
	case found:
		if len(password) >= 3 && !f.r.words.isPlaceholder(password) && !strings.ContainsAny(password, "{}()") &&
			!strings.HasPrefix(password, "$") {
			f.add(start+len(user)+1, last, "password in a URL", 0)
		}
	case looksRandom(user) && len(user) >= 16 && !strings.Contains(user, "."):
		f.add(start, last, "password in a URL", 0)
	}
}
