package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// maxRepair is the length of a text that the library is given, in bytes. It copies
// what it wrote at every comma and quotation mark that it mends, so that hostile
// text costs it the square of the length: half a second here, where a reply
// of the greatest length would take half a minute.
const maxRepair = 24 << 10

// repairs are what was mended in a reply, in the order in which it was first met.
type repairs struct {
	kinds []string
	times map[string]int
}

// The kinds of repairs, as they are told.
const (
	mendedBreak     = "a line break or tab in a text was escaped"
	mendedBackslash = "a stray backslash was kept as one"
	mendedComma     = "a comma too many was dropped"
	mendedMissing   = "a missing comma was added"
	mendedBracket   = "a missing bracket was added"
	mendedTooMany   = "a bracket too many was dropped"
	mendedQuotes    = "quotation marks of another kind were read as such"
	mendedWord      = "a word without quotation marks was read as a text"
	mendedInner     = "a quotation mark inside a text was escaped"
	mendedComment   = "a comment was dropped"
	mendedPython    = "True, False or None was read as JSON has it"
	mendedNumber    = "a number without its last digits was read as it stands"
	mendedEscaped   = "JSON that stood inside a text was read"
	mendedProse     = "text around the JSON was not read"
	mendedSeveral   = "several objects were read as one reply"
	mendedFence     = "a fence of code without an end was read to the end"
)

func (r *repairs) note(kind string) {
	if r.times == nil {
		r.times = map[string]int{}
	}
	if r.times[kind]++; r.times[kind] == 1 {
		r.kinds = append(r.kinds, kind)
	}
}

// join takes over what another found.
func (r *repairs) join(other repairs) {
	for _, kind := range other.kinds {
		for range other.times[kind] {
			r.note(kind)
		}
	}
}

// told are the repairs, one sentence for each kind; nil where there are none.
func (r *repairs) told() []string {
	var told []string
	for _, kind := range r.kinds {
		if n := r.times[kind]; n > 1 {
			kind += fmt.Sprintf(" (%d times)", n)
		}
		told = append(told, kind)
	}
	return told
}

// sealed are private characters that stand for escapes while the library works,
// which would else drop a backslash that it does not know, and doubles those in
// what looks like a path to it: a quote would no longer be verbatim.
const (
	firstSeal = '\U000F0000'
	escapes   = `"\/bfnrt'u`
	lastSeal  = firstSeal + rune(len(escapes)) - 1
)

func isSeal(c rune) bool { return c >= firstSeal && c <= lastSeal }

// seal puts a character in the place of each escape. A backslash before anything
// else is one that was meant: \d in a pattern.
func seal(text string) (out []rune, stray int) {
	out = make([]rune, 0, len(text))
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		if runes[i] != '\\' {
			out = append(out, runes[i])
			continue
		}
		at := -1
		if i+1 < len(runes) {
			at = strings.IndexRune(escapes, runes[i+1])
		}
		if at == len(escapes)-1 && !startsHex(runes[i+2:]) {
			at = -1
		}
		if at < 0 {
			stray++
			out = append(out, firstSeal+1)
			continue
		}
		out = append(out, firstSeal+rune(at))
		i++
	}
	return out, stray
}

func startsHex(runes []rune) bool {
	return len(runes) >= 4 && strings.Trim(string(runes[:4]), "0123456789abcdefABCDEF") == ""
}

// unseal writes the escapes back.
func unseal(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for _, c := range text {
		switch {
		case !isSeal(c):
			out.WriteRune(c)
		case escapes[c-firstSeal] == '\'':
			out.WriteByte('\'')
		default:
			out.WriteByte('\\')
			out.WriteByte(escapes[c-firstSeal])
		}
	}
	return out.String()
}

// repaired is damaged JSON that was read all the same.
type repaired struct {
	value   any
	repairs repairs
	// broke says that the text ended before the value did.
	broke bool
}

// repairJSON has the library jsonrepair propose what a damaged text means, and
// believes it only where the proposal can be read back word for word against what
// was written (readBack). So a repair adds and drops marks, and never a word: what
// the library would guess (the end of a text, a value that is missing, what an
// ellipsis left out) is no reply.
//
// The library is github.com/kaptinlin/jsonrepair, a port of the one that most use.
// The other that is kept, RealAlexandreAI/json-repair, cuts a text at a brace or a
// curly quotation mark inside of it, and so loses the half of an argument.
func repairJSON(text string) (repaired, bool) {
	if len(text) > maxRepair || tooDeep(text) || strings.ContainsFunc(text, isSeal) || strings.ContainsRune(text, 0) {
		return repaired{}, false
	}
	source, stray := seal(text)
	proposal, err := jsonrepair.Repair(string(source))
	if err != nil || len(proposal) > 2*maxRepair {
		return repaired{}, false
	}
	back := &readBack{source: source, proposal: []rune(proposal)}
	if !back.run() {
		return repaired{}, false
	}
	exact := strings.TrimSpace(unseal(proposal))
	if tooDeep(exact) {
		return repaired{}, false
	}
	value, err := decodeExact(exact)
	if err != nil {
		return repaired{}, false
	}
	for range stray {
		back.repairs.note(mendedBackslash)
	}
	return repaired{value: value, repairs: back.repairs, broke: back.broke || !whole(value) && back.closed}, true
}

// whole reports whether a value is an object with the list of moves.
func whole(value any) bool {
	object, isObject := value.(map[string]any)
	_, has := object[movesKey].([]any)
	return isObject && has
}

// knownMoves reports whether each value is a move by its word. Words in braces are
// not enough to take speech for JSON.
func knownMoves(values []any) bool {
	for _, value := range values {
		object, _ := value.(map[string]any)
		word, _ := object[moveKey].(string)
		if !slices.Contains(MoveKinds(), MoveKind(strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(word), "_", "-")))) {
			return false
		}
	}
	return len(values) > 0
}
