package redact

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// words is names.toml, which explains the fields.
type words struct {
	secret, token, pass, key, plain, beside, variable, placeholder, sentence map[string]bool
	// ends are the words in secret that may also end a longer word.
	ends  []string
	files map[string]kind
}

// kind says how values are written in a text.
type kind uint8

const (
	// unsaid means unknown: each line decides.
	unsaid kind = iota
	// settings are files that assign values to names.
	settings
	// source is code, where a bare value may be a variable.
	source
	// declarations are settings where values are quoted and bare ones are expressions.
	declarations
)

func readWords() (*words, error) {
	var file struct {
		Secret      []string `toml:"secret"`
		Token       []string `toml:"token"`
		Pass        []string `toml:"pass"`
		Key         []string `toml:"key"`
		Plain       []string `toml:"plain"`
		Beside      []string `toml:"beside"`
		Variable    []string `toml:"variable"`
		Placeholder []string `toml:"placeholder"`
		Sentence    []string `toml:"sentence"`
		Settings    []string `toml:"settings"`
		Source      []string `toml:"source"`
		Declared    []string `toml:"declarations"`
	}
	if err := toml.NewDecoder(bytes.NewReader(nameFile)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, fmt.Errorf("read the names of secrets that moot is built with: %w", err)
	}
	set := func(list []string) map[string]bool {
		words := make(map[string]bool, len(list))
		for _, word := range list {
			words[word] = true
		}
		return words
	}
	w := &words{
		secret: set(file.Secret), token: set(file.Token), pass: set(file.Pass), key: set(file.Key),
		plain:  set(file.Plain),
		beside: set(file.Beside), variable: set(file.Variable), placeholder: set(file.Placeholder),
		sentence: set(file.Sentence),
		ends:     file.Secret, files: map[string]kind{},
	}
	for _, end := range file.Settings {
		w.files[end] = settings
	}
	for _, end := range file.Source {
		w.files[end] = source
	}
	for _, end := range file.Declared {
		w.files[end] = declarations
	}
	return w, nil
}

// parts returns a set of words, at least one of which is in every known name.
func (w *words) parts() []string {
	parts := []string{
		"pass", "pwd", "secret", "token", "key", "cred", "auth", "bearer", "webhook", "connectionstring",
		"connstr",
	}
	for _, list := range []map[string]bool{w.secret, w.token, w.pass} {
		for word := range list {
			if !strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
				has := false
				for _, part := range parts {
					has = has || strings.Contains(word, part)
				}
				if has {
					continue
				}
			}
			parts = append(parts, word)
		}
	}
	return parts
}

// kindOf returns the kind of a file with this name.
func (w *words) kindOf(name string) kind {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch {
	case strings.HasPrefix(base, ".env"), strings.HasPrefix(base, "dockerfile"),
		strings.HasPrefix(base, "containerfile"),
		base == "makefile", base == "procfile", base == "credentials", base == "config":
		return settings
	}
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".orig"), ".bak")
	return w.files[path.Ext(base)]
}

// level is the certainty that a name belongs to a secret.
type level uint8

const (
	harmless level = iota
	// weak names, such as key, need a value that looks random.
	weak
	// medium names need one in source code.
	medium
	strong
)

// maxName is how much of a name's end is examined.
const maxName = 96

// level returns the certainty that an identifier names a secret. The last words decide.
func (w *words) level(name string) level {
	if len(name) > maxName {
		name = name[len(name)-maxName:]
	}
	var scratch [maxName]byte
	var starts, ends [maxName]int
	n, in := 0, false
	for i := range len(name) {
		c := name[i]
		scratch[i] = lower[c]
		switch {
		case !isAlnum(c) && c < utf8.RuneSelf:
			in = false
			continue
		case !in:
			starts[n], n = i, n+1
		case isUpper(c) && (!isUpper(name[i-1]) && !isDigit(name[i-1]) ||
			i+1 < len(name) && isUpper(name[i-1]) && isLower(name[i+1])):
			// The s in APIKEYs and JWTs does not start a word.
			starts[n], n = i, n+1
		}
		in, ends[n-1] = true, i+1
	}
	word := func(i int) []byte {
		if i < 0 {
			return nil
		}
		whole := scratch[starts[i]:ends[i]]
		if trimmed := bytes.TrimRight(whole, "0123456789"); len(trimmed) > 0 {
			return trimmed
		}
		return whole
	}
	if n > 1 && w.secret[string(word(n-2))+string(word(n-1))] {
		return strong
	}
	last := n - 1
	for last > 0 && (w.beside[string(word(last))] || isDigit(scratch[starts[last]])) {
		last--
	}
	end, before := word(last), word(last-1)
	switch {
	case len(end) == 0:
		return harmless
	case w.secret[string(end)]:
		if w.plain[string(before)] && string(before) != "site" {
			return medium
		}
		return strong
	case string(end) == "key" || string(end) == "phrase" && string(before) == "pass":
		switch {
		case w.key[string(before)]:
			return strong
		case before == nil:
			return weak
		case w.plain[string(before)]:
			return harmless
		}
		return medium
	case w.token[string(end)] || bytes.HasSuffix(end, []byte("token")):
		switch {
		case w.key[string(before)] || len(end) > len("token") || string(before) == "access" ||
			string(before) == "refresh" ||
			string(before) == "bearer" || string(before) == "bot" || string(before) == "personal":
			return strong
		case w.plain[string(before)] || string(before) == "page" || string(before) == "continuation" ||
			string(before) == "cancellation" ||
			string(before) == "cancel":
			return harmless
		}
		return medium
	case w.pass[string(end)]:
		switch {
		case string(end) == "cookie":
			return weak
		case before == nil && strings.ToUpper(name) == name && len(end) > 2:
			return medium
		case before == nil:
			return weak
		case bytes.HasPrefix(end, []byte("pass")) || string(end) == "pw":
			return strong
		}
		return medium
	}
	for _, secret := range w.ends {
		if len(end) > len(secret) && bytes.HasSuffix(end, []byte(secret)) {
			return strong
		}
	}
	return harmless
}

// isPlaceholder reports whether a value is a placeholder or a reference: xxx, <token>, ${TOKEN}.
func (w *words) isPlaceholder(value string) bool {
	value = strings.TrimSpace(value)
	if value == "" || sameByte(value) {
		return true
	}
	first, last := value[0], value[len(value)-1]
	switch {
	case strings.Contains(value, marked),
		first == '<' && last == '>', first == '[' && last == ']', first == '{' && last == '}',
		first == '(' && last == ')',
		first == '%' && last == '%' && len(value) > 2, first == '@' && last == '@' && len(value) > 2,
		strings.HasPrefix(value, "__") && strings.HasSuffix(value, "__"),
		strings.Contains(value, "{{"), strings.Contains(value, "${"), strings.Contains(value, "#{"),
		strings.HasPrefix(value, "$("),
		strings.Contains(value, "%s"), strings.Contains(value, "%v"), strings.HasPrefix(value, "<%"),
		strings.HasPrefix(value, "%{"),
		strings.Contains(value, "..."), strings.Contains(value, "…"), strings.HasPrefix(strings.ToLower(value), "xxx"),
		strings.HasPrefix(value, "***"):
		return true
	case first == '$':
		return isName(value[1:])
	case first == '%' && len(value) == 2:
		return true
	}
	for _, scheme := range []string{
		"os.environ", "os.getenv", "process.env", "env(", "env[", "env.", "getenv", "vault:", "vault.",
		"secretsmanager:", "ssm:", "arn:", "op://", "ref+", "keyring:", "env:", "var.", "local.", "data.", "module.",
		"each.", "secrets.", "config.", "self.", "this.", "import.meta", "sops:", "azurekeyvault", "awssecrets",
		"system.getenv", "enc[aes",
	} {
		if hasFold(value, scheme) {
			return true
		}
	}
	rest := value
	n := 0
	for rest != "" {
		i := 0
		for i < len(rest) && !isAlnum(rest[i]) && rest[i] < utf8.RuneSelf {
			i++
		}
		if rest = rest[i:]; rest == "" {
			break
		}
		i = 1
		for i < len(rest) && (isAlnum(rest[i]) || rest[i] >= utf8.RuneSelf) &&
			(!isUpper(rest[i]) || isUpper(rest[i-1])) {
			i++
		}
		if i > maxName || !w.placeholder[strings.ToLower(rest[:i])] {
			return false
		}
		n, rest = n+1, rest[i:]
	}
	return n > 0
}

// sameByte reports whether a value repeats one character: xxxx, ****.
func sameByte(value string) bool {
	return value != "" && strings.Count(value, value[:1]) == len(value)
}

// isName reports whether a text is an identifier.
func isName(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isAlnum(c) && c != '_' && c != ':' || i == 0 && isDigit(c) {
			return false
		}
	}
	return text != ""
}

// isSentence reports whether words are about a secret rather than being one.
func (w *words) isSentence(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if w.sentence[strings.ToLower(strings.Trim(word, ".,;:!?'\"()"))] {
			return true
		}
	}
	return false
}

// looksRandom reports whether a word is a key rather than a name: a UUID, long hex, or letters and digits that are
// not just words and numbers with separators.
func looksRandom(word string) bool {
	const shortest, hexLength, numberLength = 8, 16, 4
	if len(word) < shortest || strings.ContainsAny(word, " \t()<>{}[]\"'`,;\\") {
		return false
	}
	letters, digits, hex := 0, 0, 0
	for i := range len(word) {
		switch {
		case isDigit(word[i]):
			digits++
			hex++
		case isHex(word[i]):
			letters++
			hex++
		case isAlnum(word[i]):
			letters++
		}
	}
	switch {
	case letters > 0 && tangled(word):
		return true
	case digits == 0 || letters == 0:
		return false
	case hex == len(word) && len(word) >= hexLength, isUUID(word):
		return true
	}
	wordy := true
	for part := range strings.FieldsFuncSeq(word, isJoiner) {
		bare := strings.TrimRight(part, "0123456789")
		number := len(part) - len(bare)
		wordy = wordy && (strings.Trim(bare, "0123456789") == bare && !strings.ContainsAny(bare, "0123456789")) &&
			(number <= numberLength || bare == "")
	}
	const enough = 2.75
	return !wordy && entropy(word) >= enough
}

// tangled reports whether upper-case letters, lower-case letters and digits alternate as in random base64.
func tangled(word string) bool {
	const shortest, least = 16, 3.25
	return len(word) >= shortest && strings.Trim(word, alphabet) == "" && strings.ToLower(word) != word &&
		strings.ToUpper(word) != word &&
		!humps(word) && entropy(word) >= least
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"

func isUUID(word string) bool {
	if len(word) != 36 {
		return false
	}
	for i := range len(word) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (word[i] == '-') || !dash && !isHex(word[i]) {
			return false
		}
	}
	return true
}

// isJoiner reports whether a character separates the words of a name.
func isJoiner(r rune) bool { return r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// section is a part of a text with one kind.
type section struct {
	end  int
	kind kind
}

// sections returns the kinds in a text: the kind of its name or, in a diff, those of its files.
func sections(w *words, name, text string) []section {
	whole := w.kindOf(name)
	if ext := path.Ext(name); whole != unsaid && ext != ".diff" && ext != ".patch" {
		return []section{{len(text), whole}}
	}
	var found []section
	const sign = "\n+++ "
	for at := 0; ; {
		i := strings.Index(text[at:], sign)
		if i < 0 {
			if strings.HasPrefix(text, sign[1:]) && found == nil {
				found = append(found, section{kind: headerKind(w, text)})
			}
			break
		}
		at += i + len(sign)
		if n := len(found); n > 0 {
			found[n-1].end = at - len(sign)
		} else {
			found = append(found, section{end: at - len(sign), kind: whole})
		}
		start := strings.LastIndexByte(text[:at-len(sign)], '\n') + 1
		kind := headerKind(w, text[at-len(sign)+1:])
		if strings.HasPrefix(text[at:], "/dev/null") && strings.HasPrefix(text[start:], "--- ") {
			kind = headerKind(w, text[start:])
		}
		found = append(found, section{kind: kind})
	}
	if found == nil {
		return []section{{len(text), whole}}
	}
	found[len(found)-1].end = len(text)
	return found
}

// headerKind returns the kind of the file named in a diff line that starts with --- or +++.
func headerKind(w *words, text string) kind {
	line, _, _ := strings.Cut(text, "\n")
	line, _, _ = strings.Cut(line, "\t")
	return w.kindOf(strings.Trim(line[min(4, len(line)):], " \"\r"))
}

// kindAt returns the kind of the text at a position.
func (f *finder) kindAt(at int) kind {
	for len(f.sections) > 1 && f.sections[0].end < at {
		f.sections = f.sections[1:]
	}
	if k := f.sections[0].kind; k != unsaid {
		return k
	}
	// The kind is unknown: guess it from the lines around.
	const around, size, longest = 400, 256, 400
	if f.chunk == at/size {
		return f.chunkKind
	}
	f.chunk, f.chunkKind = at/size, unsaid
	from, to := f.lineStart(max(0, at-around)), f.lineEnd(min(len(f.text), at+around))
	code, other := 0, 0
	for from < to {
		end := min(to, f.lineEnd(from))
		switch lineKind(f.text[min(end, f.body(from)):min(end, from+longest)]) {
		case source:
			code++
		case settings:
			other++
		case unsaid, declarations:
		}
		from = end + 1
	}
	if code > other && code > 1 {
		f.chunkKind = source
	}
	return f.chunkKind
}

// lineKind guesses the kind of a line, given without its indentation.
func lineKind(line string) kind {
	line = strings.TrimRight(line, " \t\r")
	if line == "" {
		return unsaid
	}
	for _, start := range []string{
		"func ", "def ", "class ", "import ", "from ", "return", "if ", "for ", "while ", "else", "try", "elif ",
		"public ", "private ", "protected ", "static ", "const ", "let ", "var ", "#include", "#define", "#if",
		"#endif", "//", "/*", "* ", "*/", "@", "package ", "type ", "switch", "case ", "throw", "raise ", "struct ",
		"typedef ", "extern ", "final ", "use ", "fn ", "function ", "assert", "} ", "async ", "await ",
		"export function", "export const", "export default", "unsigned ", "int ", "char ", "void ",
	} {
		if strings.HasPrefix(line, start) {
			return source
		}
	}
	switch last := line[len(line)-1]; {
	case last == ';' && strings.ContainsAny(line, "()=") || last == '(' || strings.HasSuffix(line, ") {"),
		strings.HasSuffix(line, "):"),
		strings.HasSuffix(line, ");"), strings.HasSuffix(line, "),"), strings.Contains(line, " := "),
		strings.Contains(line, "->"),
		strings.Contains(line, "=> {"), strings.Contains(line, " == "), strings.Contains(line, "()"),
		strings.Contains(line, " != "),
		last == ')' && strings.Contains(line, "(") && !strings.Contains(line, "$("):
		return source
	case last == '{' || last == '}' || last == ',' || last == ')' || last == ']':
		return unsaid
	}
	return settings
}

// SecretName reports whether a variable with this name holds a secret. A word anywhere in the name is enough:
// GOOGLE_APPLICATION_CREDENTIALS_FILE names the file with the credentials.
func (r *Redactor) SecretName(name string) bool {
	words := strings.FieldsFunc(name, isJoiner)
	for i, word := range words {
		upTo := strings.Join(words[:i+1], "_")
		if r.words.level(upTo) != harmless || r.words.level(strings.TrimRight(upTo, "sS")) != harmless {
			return true
		}
		if r.words.variable[strings.ToLower(word)] {
			return true
		}
	}
	return false
}
