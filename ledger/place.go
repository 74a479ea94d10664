package ledger

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cited is the text of the reference: a permalink as it is, or the normal form.
func (p *Place) Cited() string {
	if p.Commit != "" {
		return p.link
	}
	return p.String()
}

// IsFile reports whether a name in a text looks like a file name: it ends as text files usually do.
func IsFile(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	base := path.Base(name)
	return (knownExtension(base) || base != name && bareNames[strings.ToLower(base)]) &&
		(!isHost(first) || first == name)
}

// maxPath bounds a path in a text, in bytes.
const maxPath = 512

// FindPlaces finds the references in a text of people or models, in the order of the text, at
// most limit. A place has a file with an extension, a name such as Makefile, or folders, and
// lines; a time, a host with a port, a version or a call is
// skipped. "line 5" alone is a place without a path: it belongs to the file that was named before.
func FindPlaces(text string, limit int) []Place {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	var found []Place
	add := func(p Place) {
		// The text of a link belongs to its target.
		found = slices.DeleteFunc(found, func(q Place) bool { return q.From >= p.From && q.From < p.To })
		if len(found) == 0 || found[len(found)-1].To <= p.From {
			found = append(found, p)
		}
	}
	ahead := linesOf.FindAllStringSubmatchIndex(text, limit)
	for _, m := range linesAfter.FindAllStringSubmatchIndex(text, maxMarks) {
		if len(found) == limit {
			break
		}
		for len(ahead) > 0 && ahead[0][0] < m[0] {
			if p, ok := placeAhead(text, ahead[0]); ok {
				add(p)
			}
			ahead = ahead[1:]
		}
		if p, ok := placeBefore(text, m); ok {
			add(p)
		}
	}
	for _, m := range ahead {
		if p, ok := placeAhead(text, m); ok && len(found) < limit {
			add(p)
		}
	}
	for _, m := range linesAlone.FindAllStringSubmatchIndex(text, limit) {
		at, taken := slices.BinarySearchFunc(found, m[0], func(p Place, from int) int {
			switch {
			case p.To <= from:
				return -1
			case p.From > from:
				return 1
			}
			return 0
		})
		spans, why := readSpans(text[m[2]:m[3]])
		if !taken && why == "" && boundary(text, m[1]) && (at == len(found) || m[1] <= found[at].From) {
			found = slices.Insert(found, at, Place{Reference: Reference{Spans: spans}, From: m[0], To: m[1]})
		}
	}
	return found[:min(len(found), limit)]
}

// placeBefore reads the place whose lines match, with its path before them.
func placeBefore(text string, match []int) (p Place, ok bool) {
	from, to := match[0], match[1]
	if !boundary(text, to) {
		return p, false
	}
	if start := linkBefore(text, from); start >= 0 {
		// A link ends with its fragment.
		end := to + len(text[to:]) - len(strings.TrimLeftFunc(text[to:], inLink))
		link := strings.TrimRight(text[start:end], ".,;")
		reference, why := readReference(link)
		return Place{Reference: reference, From: linkText(text, start), To: end, link: link}, why == "" &&
			reference.Path != ""
	}
	mark := markOf(match)
	name, start := nameBefore(text, from)
	if start < 0 || len(name) > maxPath {
		return p, false
	}
	var why string
	if p.Spans, why = readSpans(linesOfMark(text, match)); why != "" {
		return p, false
	}
	if p.Reference, why = withPath(p.Reference, name); why != "" || !p.fits(mark, text[to:]) {
		return p, false
	}
	p.From, p.To = linkText(text, start), to
	closers := 0
	for closers < len(text[to:]) {
		c, size := utf8.DecodeRuneInString(text[to+closers:])
		if !strings.ContainsRune("`\"”’'*_)）]】>」』》", c) {
			break
		}
		closers += size
	}
	opened := 0
	for opened < start {
		c, size := utf8.DecodeLastRuneInString(text[:start-opened])
		if !strings.ContainsRune("`\"“‘'*_(（[【<「『《", c) {
			break
		}
		opened += size
	}
	// As many marks behind it as before it belong to the place.
	for n := utf8.RuneCountInString(text[start-opened : start]); n > 0 && closers > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[p.To:])
		_, before := utf8.DecodeLastRuneInString(text[:p.From])
		if p.From < start {
			before = 0
		}
		p.To, p.From, closers = p.To+size, p.From-before, closers-size
	}
	if strings.HasPrefix(text[p.To:], "](") {
		// A link with a place as its text: what it leads to decides.
		target, _, _ := strings.Cut(text[p.To+2:], ")")
		return p, !strings.Contains(target, "://") || strings.HasPrefix(target, "file://")
	}
	if strings.HasPrefix(text[to:], "](") && strings.Contains(text[to:min(len(text), to+12)], "://") {
		return p, false
	}
	return p, true
}

// placeAhead reads the place of a match of linesOf, with its path behind it.
func placeAhead(text string, match []int) (p Place, ok bool) {
	rest := text[match[1]:]
	name := rest
	if end := strings.IndexFunc(rest, func(c rune) bool { return !inName(c) }); end >= 0 {
		name = rest[:end]
	}
	for _, pair := range [][2]string{
		{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"「", "」"}, {"《", "》"}, {"<", ">"}, {"[", "]"},
	} {
		if inner, opened := strings.CutPrefix(rest, pair[0]); opened {
			if inner, _, closed := strings.Cut(inner, pair[1]); closed && !strings.Contains(inner, "\n") {
				name = pair[0] + inner + pair[1]
			}
		}
	}
	// A name may have blanks, if what follows it ends as a file does.
	if segment := rest[:len(rest)-len(strings.TrimLeftFunc(rest,
		func(c rune) bool { return c == ' ' || inName(c) }))]; !IsFile(strings.TrimRight(name, ".")) {
		if whole := strings.TrimRight(segment, " ."); len(strings.Fields(whole)) < 7 && knownExtension(whole) {
			name = whole
		}
	}
	if target, link := strings.CutPrefix(rest[len(name):], "("); link && strings.HasPrefix(name, "[") {
		if inner, _, closed := strings.Cut(target, ")"); closed {
			name = rest[:len(name)+len(inner)+2]
		}
	}
	name = strings.TrimRight(name, ".:!?…")
	var why string
	if p.Spans, why = readSpans(text[match[2]:match[3]]); why != "" || name == "" || len(name) > maxPath {
		return p, false
	}
	if p.Reference, why = withPath(p.Reference, name); why != "" || !p.fits(afterWord, "") {
		return p, false
	}
	p.From, p.To = match[0], match[1]+len(name)
	return p, true
}

// fits reports whether a path with a mark of lines is a place, and notes if it is a weak one. Rest
// follows the lines.
func (p *Place) fits(mark int, rest string) bool {
	first, _, folders := strings.Cut(strings.TrimPrefix(p.Path, "/"), "/")
	if !strings.ContainsFunc(p.Path, unicode.IsLetter) || isHost(first) && !strings.HasPrefix(p.Path, "/") {
		return false
	}
	base := path.Base(p.Path)
	named := hasExtension(base) || bareNames[strings.ToLower(base)] || hiddenName(base)
	known := bareNames[strings.ToLower(base)] || knownExtension(base)
	switch mark {
	case afterColon:
		p.Weak = !named && strings.Count(p.Path, "/") < 2
	case inBracketsWithWord, afterWord, afterL, inChinese:
		// "is read once, in line 40" names no file.
		return named || strings.Count(p.Path, "/") > 1
	case beforeBlank, behindBlank:
		// "retries.max: 5" is a setting, and so is "retries": 5.
		if !named {
			return false
		}
		rest = strings.TrimLeft(rest, " \t`*_")
		ends := rest == "" || strings.ContainsRune(".,;)]|\n。，；）", firstRune(rest)) && !strings.HasPrefix(rest, ", ")
		p.Weak = !ends || !known || !folders && mark == beforeBlank
	case afterHash, inBrackets, afterAt:
		// "queue.retry(5)" is a call, "owner/name#5" an issue.
		p.Weak = !known
		return named
	}
	return true
}

func firstRune(text string) rune {
	c, _ := utf8.DecodeRuneInString(text)
	return c
}

// nameBefore returns the name that ends at an offset, with marks around it, and where it begins, or -1.
func nameBefore(text string, end int) (name string, start int) {
	line := max(strings.LastIndexByte(text[:end], '\n')+1, end-2*maxPath)
	for !utf8.RuneStart(text[line]) {
		line++
	}
	before := strings.TrimRight(text[line:end], " *_")
	if before == "" {
		return "", -1
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	for _, pair := range [][2]string{
		{"`", "`"},
		{`"`, `"`},
		{"“", "”"},
		{"‘", "’"},
		{"「", "」"},
		{"『", "』"},
		{"《", "》"},
		{"<", ">"},
		{"[", "]"},
		{"(", ")"},
	} {
		if !strings.HasSuffix(before, pair[1]) {
			continue
		}
		inner := strings.TrimSuffix(before, pair[1])
		at := strings.LastIndex(inner, pair[0])
		for at > 0 && pair[0] == `"` && inner[at-1] == '\\' {
			at = strings.LastIndex(inner[:at], pair[0])
		}
		switch {
		case at < 0:
			return "", -1
		case pair[0] == "(" && !strings.HasSuffix(inner[:at], "]"),
			pair[0] == "[" && strings.HasPrefix(text[end:], "("):
			// "(see a.go):5", or a folder in brackets.
			if at == 0 || inner[at-1] != '/' {
				return "", -1
			}
			continue
		case pair[0] == "(":
			return inner[at+1:], line + at + 1
		}
		return before[at:], line + at
	}
	if !inName(last) {
		return "", -1
	}
	start = nameStart(before)
	// A name in marks that hold the lines, too, may have blanks: `my notes.md:5`, [text](my notes.md:5).
	for _, pair := range [][2]string{
		{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"「", "」"}, {"《", "》"}, {"<", ">"}, {"](", ")"},
	} {
		at := strings.LastIndex(before[:start], pair[0])
		if at < 0 || start == 0 || before[start-1] != ' ' || strings.Contains(before[at+len(pair[0]):], pair[1]) {
			continue
		}
		if pair[0] == pair[1] && strings.Count(before[:start], pair[0])%2 == 0 {
			continue
		}
		lead, _, _ := strings.Cut(strings.ToLower(before[at+len(pair[0]):]), " ")
		if pair[0] != "`" && slices.Contains([]string{
			"see", "at", "in", "as", "the", "of", "on", "file", "cf.", "from",
			"and", "siehe", "in:",
		}, lead) {
			continue
		}
		if after := strings.IndexAny(text[end:], "\n"+pair[1]); after >= 0 && text[end+after] != '\n' && after < 60 {
			start = at + len(pair[0])
			break
		}
	}
	return before[start:], line + start
}

// nameStart returns where the name at the end of a line begins: behind a blank or a mark. Brackets around a folder,
// as in app/[id]/page.tsx, belong to it, and so does the drive of C:\a.go.
func nameStart(before string) int {
	start := len(before)
	for start > 0 {
		c, size := utf8.DecodeLastRuneInString(before[:start])
		if inName(c) {
			start -= size
			continue
		}
		if i := strings.IndexRune(")]}", c); i >= 0 && start < len(before) && before[start] == '/' {
			open := strings.LastIndexByte(before[:start], "([{"[i])
			if open > 0 && before[open-1] == '/' && !strings.ContainsAny(before[open:start], " \t") {
				start = open
				continue
			}
		}
		drive := c == ':' && start < len(before) && (before[start] == '\\' || before[start] == '/') && start > 1
		if drive && unicode.IsLetter(rune(before[start-2])) && (start == 2 || !inName(rune(before[start-3]))) {
			return start - 2
		}
		break
	}
	return start
}

// inName reports whether a character may be part of a name that nothing encloses.
func inName(c rune) bool {
	return c > ' ' && c != utf8.RuneError && !unicode.IsSpace(c) &&
		!strings.ContainsRune("\"“”„‘’'`()[]{}<>|,;:*=?!…，；：。（）【】「」『』《》、！？", c)
}

func inLink(c rune) bool {
	return c > ' ' && !strings.ContainsRune("\"“”'`()[]<>|，；。（）【】「」", c)
}

// linkBefore returns where the link begins that an offset lies in, or -1.
func linkBefore(text string, at int) int {
	start := at
	for start > 0 && at-start < MaxReference {
		c, size := utf8.DecodeLastRuneInString(text[:start])
		if !inLink(c) {
			break
		}
		start -= size
	}
	if scheme, _, found := strings.Cut(text[start:at], "://"); found {
		if i := strings.LastIndexFunc(scheme, func(c rune) bool { return !isScheme("a" + string(c)) }); i >= 0 {
			_, size := utf8.DecodeRuneInString(scheme[i:])
			start += i + size
		}
		return start
	}
	return -1
}

// linkText returns where the link with this target begins, or the target itself.
func linkText(text string, target int) int {
	if target < 2 || text[target-2:target] != "](" {
		return target
	}
	if at := strings.LastIndexByte(text[:target-2], '['); at >= 0 && !strings.Contains(text[at:target], "\n") {
		return at
	}
	return target
}

// hasExtension reports whether a name ends with what may be the extension of a file.
func hasExtension(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	extension := name[dot+1:]
	if dot <= 0 || extension == "" || len(extension) > 12 {
		return false
	}
	upper, lower := strings.ToUpper(extension) == extension, strings.ToLower(extension) == extension
	// "queue.Retry" is a name in code.
	if !upper && !lower || !unicode.IsLetter(rune(extension[0])) {
		return false
	}
	return !strings.ContainsFunc(extension, func(c rune) bool {
		return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-'
	})
}

// hiddenName reports whether a name begins with a dot, as .gitignore.
func hiddenName(name string) bool {
	return len(name) > 2 && name[0] == '.' && unicode.IsLetter(rune(name[1]))
}

// knownExtension reports whether a name ends as a file of text usually does.
func knownExtension(name string) bool {
	return hasExtension(name) && slices.Contains(extensions, strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")))
}

// isHost reports whether a name names a host, as in example.com:443.
func isHost(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && slices.Contains(hostEndings, strings.ToLower(name[dot+1:])) ||
		strings.EqualFold(name, "localhost")
}

// hostEndings are the last parts of the names of hosts.
//
//nolint:gochecknoglobals // a table
var hostEndings = []string{
	"com", "org", "net", "io", "dev", "local", "internal", "test", "example", "app", "cloud", "ai", "edu", "gov",
	"localhost", "lan", "de", "uk", "eu", "cn", "jp", "fr",
}

// bareNames are files without an extension, in lower case.
//
//nolint:gochecknoglobals // a table
var bareNames = map[string]bool{
	"makefile": true, "gnumakefile": true, "dockerfile": true, "containerfile": true, "license": true, "licence": true,
	"copying": true, "notice": true, "authors": true, "contributors": true, "maintainers": true, "owners": true,
	"codeowners": true, "readme": true, "changelog": true, "changes": true, "contributing": true, "install": true,
	"gemfile": true, "rakefile": true, "podfile": true, "fastfile": true, "brewfile": true, "procfile": true,
	"vagrantfile": true, "jenkinsfile": true, "justfile": true, "earthfile": true, "tiltfile": true, "caddyfile": true,
	"pipfile": true, "snakefile": true, "build": true, "workspace": true, "kconfig": true, "configure": true,
	"gradlew": true, "mvnw": true,
}

// extensions of text files.
//
//nolint:gochecknoglobals // a table
var extensions = strings.Fields(`
	go mod sum work c h cc cpp cxx hh hpp hxx m mm s asm rs zig nim d v vhdl sv java kt kts scala groovy clj
	cljs cs fs vb fsx swift dart py pyi pyx ipynb rb erb rake php phtml pl pm t r jl lua tcl ex exs erl hrl hs
	lhs ml mli elm purs sh bash zsh fish ps1 psm1 bat cmd awk sed js jsx mjs cjs ts tsx mts cts vue svelte astro
	html htm xhtml css scss sass less styl md mdx markdown rst adoc org tex txt text log csv tsv json json5
	jsonc jsonl ndjson yaml yml toml ini cfg conf config properties env xml xsd xsl svg sql graphql gql proto
	thrift avsc tf tfvars hcl nix bzl bazel cmake gradle mk make dockerfile lock patch diff po tmpl tpl j2
	template service timer rego cue jsonnet libsonnet feature http rest prisma sol move cairo wat f f90 f95 for
	pas ada adb ads lisp el scm rkt vim nu kdl typ`)
