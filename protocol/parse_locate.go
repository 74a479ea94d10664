package protocol

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// finder looks for the JSON of one reply, and notes what it took to read it.
type finder struct {
	form *jsonForm
	repairs
	// why says what is wrong with JSON that is well formed and is not read all the
	// same, "" where nothing is.
	why string
}

// Why JSON is not read that is well formed.
const (
	saidTwice  = "an object of the reply has a field twice, with different values: write each field once"
	twoReplies = `the reply holds more than one list of moves, with text between them: answer with one {"moves":[…]} that holds them all`
)

// jsonForm is what the search for JSON needs, prepared once.
type jsonForm struct {
	// reply is where a reply seems to begin: a bracket and the word "move" or
	// "moves" as a key, in whatever quotation marks.
	reply *regexp.Regexp
}

func newJSONForm() *jsonForm {
	return &jsonForm{reply: regexp.MustCompile(`[\[{]\s*(?:\{\s*)?["'“”‘’` + "`" + `]?moves?["'“”‘’` + "`" + `]?\s*:`)}
}

// locate finds the moves of a reply that is JSON or holds some, and reports whether
// it did. A text that is plainly meant as JSON and cannot be read is an error, so
// that its lines are not taken for speech.
func (f *finder) locate(text string) (values []any, found bool, err *FormatError) {
	text = f.unpack(text)
	if value, e := decodeJSON(strings.TrimSpace(text), &f.repairs); e == nil {
		if values, found = f.movesOf(value, true); found {
			return values, true, nil
		}
		if list, isList := value.([]any); isList && len(list) == 0 {
			return nil, true, nil
		}
		if _, isObject := value.(map[string]any); isObject {
			return nil, false, &FormatError{Code: "no-moves", Reason: `the object has neither "moves" nor "move": answer {"moves":[…]}`}
		}
	} else if failed := refusedWhole(e); failed != nil {
		return nil, false, failed
	}
	said := strings.TrimSpace(speech(text))
	// What was mended on a way that led nowhere is no part of the reading.
	fenced, objects, damaged := finder{form: f.form}, finder{form: f.form}, finder{form: f.form}
	if values, found = fenced.fenced(said); found {
		f.join(fenced.repairs)
		return values, true, nil
	}
	values, found, broken := objects.objects(said)
	if found && !broken {
		f.join(objects.repairs)
		return values, true, nil
	}
	if why := cmp.Or(fenced.why, objects.why); why != "" {
		return nil, false, &FormatError{Code: "broken-json", Reason: why}
	}
	values, found, broke := damaged.damaged(said)
	switch {
	case found:
		f.join(damaged.repairs)
		return values, true, nil
	case broke || broken && cutOff(said):
		return nil, false, &FormatError{Code: brokeOff, Reason: "the JSON of the reply broke off before its end"}
	case broken || meantAsJSON(said):
		return nil, false, &FormatError{Code: "broken-json", Reason: "the JSON of the reply cannot be read: it broke off or is malformed"}
	}
	return nil, false, nil
}

// refusedWhole is why JSON that can be decoded is not read, nil for another error.
func refusedWhole(err error) *FormatError {
	switch {
	case errors.Is(err, errDepth):
		return &FormatError{Code: "too-deep", Reason: fmt.Sprintf("the JSON nests deeper than %d levels", maxDepth)}
	case errors.Is(err, errTwice):
		return &FormatError{Code: "broken-json", Reason: saidTwice}
	}
	return nil
}

// unpack takes JSON out of a text that holds it: "{\"moves\":…}", with or without
// the quotation marks around it.
func (f *finder) unpack(text string) string {
	inner := strings.TrimSpace(text)
	for _, escaped := range []string{`{\"`, `[{\"`} {
		if strings.HasPrefix(inner, escaped) {
			inner = `"` + inner + `"`
		}
	}
	if !strings.HasPrefix(inner, `"`) {
		return text
	}
	var held string
	if err := json.Unmarshal([]byte(inner), &held); err != nil {
		return text
	}
	if held = strings.TrimSpace(held); held == "" || held[0] != '{' && held[0] != '[' {
		return text
	}
	f.note(mendedEscaped)
	return held
}

// movesOf reads the shapes that a reply may have, and a list of moves that is
// written into a text.
func (f *finder) movesOf(value any, lists bool) ([]any, bool) {
	if object, ok := value.(map[string]any); ok {
		if text, ok := object[movesKey].(string); ok {
			if inner, err := decodeJSON(strings.TrimSpace(text), &f.repairs); err == nil {
				f.note(mendedEscaped)
				return movesOf(map[string]any{movesKey: inner}, lists)
			}
		}
	}
	return movesOf(value, lists)
}

// read decodes a text that may hold moves, and keeps what was mended for it where it
// does.
func (f *finder) read(text string, lists bool) (value any, moves []any, ok bool) {
	try := finder{form: f.form}
	value, err := decodeJSON(text, &try.repairs)
	if errors.Is(err, errTwice) {
		f.why = saidTwice
	}
	if err != nil {
		return nil, nil, false
	}
	if moves, ok = try.movesOf(value, lists); ok {
		f.join(try.repairs)
	}
	return value, moves, ok
}

// fenced reads the fenced blocks: the first that is a reply, or else all that are
// moves.
func (f *finder) fenced(text string) (values []any, found bool) {
	prose, blocks := false, 0
	for rest := text; ; {
		before, after, ok := strings.Cut(rest, "```")
		prose = prose || hasWords(before)
		if !ok {
			break
		}
		block, after, closed := strings.Cut(after, "```")
		rest = after
		// The word after the fence names the language.
		block = strings.TrimSpace(strings.TrimLeft(block, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
		if block == "" || block[0] != '{' && block[0] != '[' {
			continue
		}
		value, moves, ok := f.read(block, true)
		if !ok && f.form.reply.MatchString(block) {
			return nil, false
		}
		if !ok {
			continue
		}
		if !closed {
			f.note(mendedFence)
		}
		if blocks++; whole(value) && blocks == 1 {
			if f.another(moves, rest) {
				return nil, false
			}
			f.around(prose || hasWords(rest))
			return moves, true
		}
		values, found = append(values, moves...), true
	}
	f.around(found && prose)
	return values, found
}

// around notes that there was text beside the JSON.
func (f *finder) around(prose bool) {
	if prose {
		f.note(mendedProse)
	}
}

func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 127 })
}

// objects reads the objects in prose: the first with "moves" and what follows it at
// once, or else all that are moves themselves, one after the other. A reply of which
// an object cannot be read or broke off is not read in part: what is missing would
// count as silence (CH6).
func (f *finder) objects(text string) (values []any, found, broken bool) {
	unclosed, prose, last, list := 0, false, 0, false
	for at := strings.IndexByte(text, '{'); at >= 0 && unclosed < maxUnclosed; {
		length := balanced(text[at:])
		object, isMove := text[at:at+length], namesMove(text[at:])
		moves, full, ok := f.movesIn(object)
		switch {
		case isMove && !ok:
			return nil, false, true
		case length == 0:
			unclosed++
			length = 1
		case full:
			moves, rest := f.following(moves, text[at+length:])
			if f.another(moves, rest) {
				return nil, false, true
			}
			f.behind(rest)
			f.around(hasWords(text[:at]) || hasWords(rest))
			return moves, true, false
		case ok:
			list = list || !found && strings.HasSuffix(strings.TrimRight(text[:at], " \t\r\n"), "[")
			prose = prose || hasWords(text[last:at])
			values, found, last = append(values, moves...), true, at+length
		}
		next := strings.IndexByte(text[at+length:], '{')
		if next < 0 {
			break
		}
		at += length + next
	}
	if list && !strings.HasPrefix(strings.TrimLeft(text[last:], " \t\r\n,"), "]") {
		// The list broke off: who knows how many moves it was to have.
		return nil, false, true
	}
	f.around(found && (prose || hasWords(text[last:])))
	return values, found, false
}

// behind notes a bracket too many behind a reply.
func (f *finder) behind(rest string) {
	if rest = strings.TrimSpace(rest); rest != "" && (rest[0] == '}' || rest[0] == ']') {
		f.note(mendedTooMany)
	}
}

// another reports whether other moves are listed further on, with text between. Which
// of the two lists is meant, an example or the answer, nobody can say.
func (f *finder) another(values []any, text string) bool {
	for at := strings.IndexByte(text, '{'); at >= 0; {
		length := balanced(text[at:])
		try := finder{form: f.form}
		moves, full, _ := try.movesIn(text[at : at+length])
		if full && len(moves) > 0 && !reflect.DeepEqual(moves, values) {
			f.why = twoReplies
			return true
		}
		next := strings.IndexByte(text[at+max(1, length):], '{')
		if length == 0 || next < 0 {
			return false
		}
		at += length + next
	}
	return false
}

// following reads the replies that stand behind a first one with nothing but
// blanks between: one answer, in pieces. It returns what is left.
func (f *finder) following(values []any, text string) (all []any, rest string) {
	for {
		next := strings.TrimLeft(text, " \t\r\n,")
		if !strings.HasPrefix(next, "{") {
			return values, text
		}
		length := balanced(next)
		moves, full, _ := f.movesIn(next[:length])
		if !full {
			return values, text
		}
		f.note(mendedSeveral)
		values, text = append(values, moves...), next[length:]
	}
}

// namesMove reports whether an object begins with a move.
func namesMove(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text[1:min(len(text), 64)]), `"`+moveKey)
}

// movesIn reads an object that may hold moves. It is the whole reply where it
// has the list "moves".
func (f *finder) movesIn(object string) (moves []any, full, ok bool) {
	if !strings.Contains(object, `"`+moveKey) {
		return nil, false, false
	}
	value, moves, ok := f.read(object, false)
	fields, isObject := value.(map[string]any)
	return moves, ok && isObject && fields[movesKey] != nil, ok
}

// damaged reads a reply whose JSON takes more to be read. Text that only looks like
// it, as a pattern in braces may, has no known move and is left as speech.
func (f *finder) damaged(text string) (values []any, found, broke bool) {
	at := f.form.reply.FindStringIndex(text)
	if at == nil {
		return nil, false, false
	}
	part := text[at[0]:]
	if block, _, fenced := strings.Cut(part, "```"); fenced {
		part = block
	}
	length := len(part)
	if end := valueEnd(part); end > 0 {
		length = end
	}
	if f.form.reply.MatchString(text[at[0]+length:]) {
		// What stands further on would be lost.
		return nil, false, false
	}
	got, ok := repairJSON(part[:length])
	if !ok {
		return nil, false, false
	}
	moves, ok := movesOf(got.value, true)
	if !ok || !knownMoves(moves) {
		return nil, false, false
	}
	if got.broke {
		return nil, false, true
	}
	f.join(got.repairs)
	f.around(hasWords(strings.TrimPrefix(strings.TrimSpace(text[:at[0]]), "```json")) || hasWords(text[at[0]+length:]))
	return moves, true, false
}

// valueEnd is the length of the value that a damaged text begins with, by its
// brackets outside of quotation marks of any kind; 0 where they do not match.
func valueEnd(text string) int {
	depth, mark, escaped, last := 0, rune(0), false, ' '
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case mark != 0:
			if closesQuote(mark, c) {
				mark = 0
			}
		case quoteKind(c) != 0 && !isWordRune(last):
			mark = c
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		last = c
	}
	return 0
}

// cutOff reports whether the first reply in a text has no end.
func cutOff(text string) bool {
	at := strings.IndexByte(text, '{')
	return at >= 0 && balanced(text[at:]) == 0
}

// meantAsJSON reports whether a text that holds no readable JSON was to be
// some.
func meantAsJSON(text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "```json"), "```"))
	if strings.HasPrefix(text, "{") {
		return true
	}
	if list, ok := strings.CutPrefix(text, "["); ok && strings.HasPrefix(strings.TrimSpace(list), "{") {
		return true
	}
	_, after, ok := strings.Cut(text, `"`+movesKey+`"`)
	return ok && strings.HasPrefix(strings.TrimSpace(after), ":")
}
