package reply

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/kaptinlin/jsonrepair"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/move"
	"moot/state"
)

// Parsed is the result of parsing a reply.
type Parsed struct {
	// Moves are in the order of the reply, each of a kind that was allowed.
	Moves []move.Move
	// Numbers are the numbers of the moves in the reply, from 1, counting those that could not be
	// read.
	Numbers []int
	Form    Form
	// Refused are the moves that could not be read. An entry with the code "dropped-field"
	// is a notice: the move was kept without that field.
	Refused []state.Refusal
	// Repaired describes the repairs of damaged JSON.
	Repaired []string
	// ReadAs says how a reply without moves was read by its format. It is "" for the others.
	ReadAs string
}

// RefuseLookups refuses the lookups in a reply, when none are left. It reports whether the reply held
// nothing else.
func (p *Parsed) RefuseLookups() bool {
	moves, numbers := p.Moves, p.Numbers
	p.Moves, p.Numbers = nil, nil
	for i, m := range moves {
		if slices.Contains(move.Lookups(), move.KindOf(m)) {
			p.Refused = append(p.Refused, state.Refusal{
				Move: numbers[i], Code: "no-lookups", Text: string(move.KindOf(m)) + ": no lookups are left in this turn",
			})
			continue
		}
		p.Moves, p.Numbers = append(p.Moves, m), append(p.Numbers, numbers[i])
	}
	return len(moves) > 0 && len(p.Moves) == 0
}

// Parser parses replies: untrusted text in, typed moves out. It may be used from several
// goroutines.
type Parser struct {
	// Kinds are all moves, in the order of their rows.
	Kinds []move.Kind
	// Specs are their rows and schemas.
	Specs map[move.Kind]*move.Spec
	lines *grammar
	// formats are the parsers of the formats that write a shared move in their own way.
	formats map[state.Format]*Parser
	// prose reads replies that are not in the form of moves, or is nil.
	prose proseReader
}

// proseReader is a format that reads replies that are not in the form of moves. lines are the moves that were read line
// by line. how says in words how the text was read; it is "" if the lines stay.
type proseReader interface {
	ReadProse(text string, ask protocol.Ask, lines []move.Move) (moves []move.Move, how string)
}

// Schema returns the JSON Schema of a reply that makes only the allowed moves: an object with the
// list "moves", since endpoints require an object at the root.
func (p *Parser) Schema(allowed []move.Kind) json.RawMessage {
	before, after := `{"type":"object","properties":{"`+move.ListKey+`":{"type":"array","items":`,
		`}},"required":["`+move.ListKey+`"],"additionalProperties":false}`
	var parts [][]byte
	for _, kind := range p.Kinds {
		if slices.Contains(allowed, kind) {
			parts = append(parts, []byte(","), p.Specs[kind].Text)
		}
	}
	switch {
	case len(parts) == 0:
		return nil
	case len(parts) > 2:
		before, after = before+`{"anyOf":[`, `]}`+after
	}
	parts[0] = []byte(before)
	return slices.Concat(append(parts, []byte(after))...)
}

// SchemaInFence introduces the schema of a reply in a prompt, for participants that have no other
// way to receive it and may write text around their reply.
const SchemaInFence = "Answer with one JSON object in a block that begins with ```json and ends with ```. " +
	"It must fit this JSON Schema:\n"

// Bounds of a reply.
const (
	// MaxReply is the length of a reply in bytes; a longer one is refused whole.
	MaxReply = 256 << 10
	// MaxMoves is the number of moves that are read from one reply, maxNamed of those that are not.
	MaxMoves = 200
	maxNamed = 400
	// maxDepth is how deep objects and lists may nest.
	maxDepth = 32
	// maxUnclosed is how many brackets without an end are tried; it keeps the search linear.
	maxUnclosed = 8
	// maxNotices is how many notices of dropped fields one move has.
	maxNotices = 5
	// maxRepair is the length of damaged JSON that is repaired, in bytes.
	maxRepair = 64 << 10
)

// quoteMark is a class of the marks around a name in JSON, also of those that editors make of them.
const quoteMark = `["'“”‘’]`

var (
	// jsonBegins matches where the JSON of a reply begins in a text, listKey the name of its list or move.
	jsonBegins = regexp.MustCompile(`(?m)^[ \t]*[\[{]|[\[{]\s*(?:\{\s*)?` + quoteMark + `?moves?` + quoteMark + `?\s*:`)
	listKey    = regexp.MustCompile(quoteMark + `moves?` + quoteMark + `\s*:|^[\[{]\s*(?:\{\s*)?moves?\s*:`)
	// strayEscape matches a backslash with what follows it, in a string of JSON.
	strayEscape = regexp.MustCompile(`\\(?:["\\/bfnrtu]|[^"\\/bfnrtu])`)
)

// Form is how a reply was written.
type Form string

// The forms.
const (
	// FormNone is the form of an unreadable reply.
	FormNone Form = ""
	// FormJSON is an object with a list of moves.
	FormJSON Form = "json"
	// FormText is one move per line: "Re C1: …".
	FormText Form = "text"
)

// FormatError says that a reply contains no readable moves: a format failure, which costs no round
// (PH3).
type FormatError struct {
	// Code is "oversized", "too-deep", "broken-json", "broke-off" or "no-moves".
	Code string
	// Reason is a sentence for the seat that is asked again.
	Reason string
}

// Error implements error.
func (e *FormatError) Error() string { return e.Reason }

// Unreadable reports whether the code is about the text of a reply, which is refused again whenever
// it is parsed. Other codes report that the reply did not arrive whole (Broken).
func Unreadable(code string) bool {
	switch code {
	case "too-deep", "broken-json", "broke-off", "no-moves":
		return true
	}
	return false
}

// In returns the parser for the sessions of a format.
func (p *Parser) In(f protocol.Format) *Parser {
	if own := p.formats[f.Name()]; own != nil {
		return own
	}
	return p
}

// NewParser prepares a parser for sessions of the formats. Of a move that two of them write differently, the parser
// itself reads the first; see In.
func NewParser(formats []protocol.Format) (*Parser, error) {
	p, err := newParser(formats, &Parser{lines: newGrammar()})
	if err != nil {
		return nil, err
	}
	p.formats = map[state.Format]*Parser{}
	for _, f := range formats {
		prose, reads := f.(proseReader)
		if !reads && !slices.ContainsFunc(f.Moves().Seats, func(row move.Row) bool {
			return reflect.TypeOf(p.Specs[move.KindOf(row.Move)].Row.Move) != reflect.TypeOf(row.Move)
		}) {
			continue
		}
		if p.formats[f.Name()], err = newParser([]protocol.Format{f}, p); err != nil {
			return nil, err
		}
		p.formats[f.Name()].prose = prose
	}
	return p, nil
}

// newParser makes a parser for the moves of the formats. It takes patterns and schemas from another one, since they
// take milliseconds to make.
func newParser(formats []protocol.Format, from *Parser) (*Parser, error) {
	p := &Parser{Specs: map[move.Kind]*move.Spec{}}
	var rows []move.Row
	for _, f := range formats {
		rows = append(rows, f.Moves().Seats...)
	}
	closed := move.ClosedTypes()
	for _, row := range slices.Concat(rows, move.LookupRows()) {
		if p.Specs[move.KindOf(row.Move)] != nil {
			continue
		}
		m := from.Specs[move.KindOf(row.Move)]
		if m == nil || !reflect.DeepEqual(m.Row, row) {
			var err error
			if m, err = move.NewSpec(row, closed); err != nil {
				return nil, err
			}
		}
		p.Kinds, p.Specs[m.Kind] = append(p.Kinds, m.Kind), m
	}
	p.lines = from.lines.of(p.Kinds, p.Specs)
	return p, nil
}

// Parse parses a reply to ask: as JSON if it contains any (the whole text, a fenced block, or
// objects in prose), else as lines. One bad move never affects the others. A reply whose moves were
// all refused is not an error, and neither is {"moves":[]}, which means that the seat has nothing
// to say.
func (p *Parser) Parse(text string, ask protocol.Ask) (Parsed, *FormatError) {
	if len(text) > MaxReply {
		return Parsed{}, &FormatError{
			"oversized", fmt.Sprintf("the reply has %d bytes; %d are the most", len(text), MaxReply),
		}
	}
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	text = withoutThoughts(strings.ReplaceAll(text, "\r\n", "\n"))
	c := &collector{parser: p, ask: ask}
	found, err := p.json(text, c)
	switch {
	case err != nil:
		if err.Code == "no-moves" && p.readProse(text, c) {
			return c.parsed, nil
		}
		return Parsed{}, err
	case found:
		c.parsed.Form = FormJSON
		c.countUnread()
		for _, move := range c.parsed.Moves {
			p.lines.citeBare(move)
		}
		return c.parsed, nil
	}
	p.lines.read(text, c)
	if p.readProse(text, c) {
		return c.parsed, nil
	}
	if c.number == 0 && !c.silent {
		return Parsed{}, &FormatError{
			"no-moves", `the reply holds no move: answer with an object {"moves":[…]}; moves allowed here: ` +
				strings.Join(enum.Words(ask.Moves), ", "),
		}
	}
	c.countUnread()
	c.parsed.Form = FormText
	return c.parsed, nil
}

// readProse lets the format read a reply that is not in the form of moves, and reports whether it did.
func (p *Parser) readProse(text string, c *collector) bool {
	if p.prose == nil {
		return false
	}
	moves, how := p.prose.ReadProse(text, c.ask, c.parsed.Moves)
	if how == "" {
		return false
	}
	*c = collector{parser: p, ask: c.ask, parsed: Parsed{Form: FormText, ReadAs: how}}
	for _, m := range moves {
		if !c.next() {
			c.unread(how)
			continue
		}
		p.lines.citeBare(m)
		c.parsed.Moves, c.parsed.Numbers = append(c.parsed.Moves, m), append(c.parsed.Numbers, c.number)
	}
	c.countUnread()
	return true
}

// json reads the objects of a reply and reports whether there are any. JSON that clearly is a reply
// and cannot be read is an error, so that its lines are not parsed as text.
func (p *Parser) json(text string, c *collector) (found bool, _ *FormatError) {
	said := maskLines(text, false)
	unclosed := 0
	for at := 0; at < len(said) && unclosed < maxUnclosed; {
		begin := jsonBegins.FindStringIndex(said[at:])
		if begin == nil {
			break
		}
		from := at + begin[0] + strings.IndexAny(said[at+begin[0]:], "[{")
		end, deep := bracketed(said[from:])
		span := said[from:]
		if end > 0 {
			span = said[from : from+end]
		}
		if onlyQuoted(said[:from]) || !listKey.MatchString(span) {
			at = from + max(end, 1)
			if end == 0 {
				unclosed++
			}
			continue
		}
		if deep {
			return false, &FormatError{"too-deep", fmt.Sprintf("the JSON nests deeper than %d levels", maxDepth)}
		}
		if end == 0 {
			return false, &FormatError{
				"broke-off",
				"the JSON of the reply broke off before its end: send the whole reply again",
			}
		}
		value, repaired, err := p.decode(span)
		if err != nil {
			return false, &FormatError{"broken-json", "the JSON of the reply cannot be read: " + err.Error()}
		}
		if repaired && !slices.Contains(c.parsed.Repaired, jsonRepaired) {
			c.parsed.Repaired = append(c.parsed.Repaired, jsonRepaired)
		}
		moves, ok := movesOf(value)
		for _, move := range moves {
			c.value(move)
		}
		found, at = found || ok, from+end
	}
	if !found {
		if _, isObject := decoded(strings.TrimSpace(said)).(map[string]any); isObject {
			return false, &FormatError{"no-moves", `the object has neither "moves" nor "move": answer {"moves":[…]}`}
		}
	}
	return found, nil
}

const jsonRepaired = "the JSON was damaged and was repaired"

// onlyQuoted reports whether what follows is only quoted, as in prose that explains the form.
func onlyQuoted(before string) bool {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.HasSuffix(line, "`") && strings.Trim(line, " \t`") != "" ||
		strings.HasSuffix(line, `"`) || strings.HasSuffix(line, "“")
}

// decode reads one JSON value, repaired by a library if it is damaged. The library would drop the
// backslash of \d and so change a quotation, so backslashes are doubled first.
func (p *Parser) decode(text string) (value any, repaired bool, _ error) {
	if value := decoded(text); value != nil {
		return value, false, nil
	}
	if len(text) > maxRepair {
		return nil, false, fmt.Errorf("it is damaged, and at %d bytes too long to be repaired", len(text))
	}
	text = strayEscape.ReplaceAllStringFunc(text, func(escape string) string {
		if strings.IndexByte(`"\/bfnrtu`, escape[1]) < 0 {
			return `\` + escape
		}
		return escape
	})
	text, err := jsonrepair.Repair(text)
	if err != nil {
		return nil, false, err
	}
	if value = decoded(text); value == nil {
		return nil, false, errors.New("it is malformed")
	}
	return value, true, nil
}

// decoded returns the JSON value in a text, or nil. Numbers stay text: 1e400 must fail only its own
// move.
func decoded(text string) any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil || decoder.More() {
		return nil
	}
	return value
}

// bracketed returns the length of the object or list at the beginning of a text, or 0 if it has no
// end, and whether it nests too deep.
func bracketed(text string) (end int, deep bool) {
	depth, inText := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			deep = deep || depth > maxDepth
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1, deep
			}
		}
	}
	return 0, deep
}

// movesOf reads the shapes that a reply may have: an object with "moves", a move, or a list
// of moves.
func movesOf(value any) ([]any, bool) {
	switch v := value.(type) {
	case []any:
		return v, true
	case map[string]any:
		moves, ok := v[move.ListKey]
		if !ok {
			return []any{v}, v[move.Key] != nil
		}
		if text, isText := moves.(string); isText {
			moves = decoded(text)
		}
		switch m := moves.(type) {
		case nil:
			return nil, true
		case []any:
			return m, true
		}
		return []any{moves}, true
	}
	return nil, false
}

// EncodeMoves writes moves as a reply that Parse reads back: {"moves":[…]}.
func EncodeMoves(moves []move.Move) (string, error) {
	list := make([]json.RawMessage, len(moves))
	for i, m := range moves {
		fields, err := move.EncodeJSON(m)
		if err != nil {
			return "", fmt.Errorf("write move %d, %s: %w", i+1, move.KindOf(m), err)
		}
		separator := ","
		if string(fields) == "{}" {
			separator = ""
		}
		list[i] = json.RawMessage(fmt.Sprintf(`{"%s":"%s"%s%s`, move.Key, move.KindOf(m), separator, fields[1:]))
	}
	out, err := move.EncodeJSON(map[string]any{move.ListKey: list})
	return string(out), err
}

func (c *collector) refuse(code, text string) {
	c.parsed.Refused = append(c.parsed.Refused, state.Refusal{Move: c.number, Code: code, Text: text})
}

// allows reports whether the seat may make the move.
func (c *collector) allows(kind move.Kind) bool { return slices.Contains(c.ask.Moves, kind) }

// next counts a move and reports whether it is read.
func (c *collector) next() bool {
	c.number++
	return c.number <= MaxMoves
}

// unread refuses a move behind the last one that is read. Very many of them are only counted.
func (c *collector) unread(said string) {
	if c.number <= MaxMoves+maxNamed {
		c.over(fmt.Sprintf("only the first %d moves of a reply are read", MaxMoves), said)
	}
}

// over refuses a move because of a limit. The result lists what it says.
func (c *collector) over(text, said string) {
	c.refuse(state.NotTaken, text)
	c.parsed.Refused[len(c.parsed.Refused)-1].Said = plain.Clip(said, protocol.MaxUntaken)
}

// countUnread says how many moves were neither read nor named.
func (c *collector) countUnread() {
	if more := c.number - MaxMoves - maxNamed; more > 0 {
		c.over(fmt.Sprintf("only the first %d moves of a reply are read, and %d more are named", MaxMoves, maxNamed),
			plain.Counted(more, "further move")+", in the reply itself")
	}
}

// spoken returns the longest text of a move in JSON: what it says.
func spoken(value any) string {
	object, _ := value.(map[string]any)
	longest := ""
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if text, ok := object[name].(string); ok && len(text) > len(longest) {
			longest = text
		}
	}
	return cmp.Or(longest, move.Shown(value))
}

// value reads one decoded JSON value as a move.
func (c *collector) value(value any) {
	if !c.next() {
		c.unread(spoken(value))
		return
	}
	object, ok := value.(map[string]any)
	if !ok {
		c.refuse("wrong-type", "a move must be an object, not "+move.Shown(value))
		return
	}
	word, ok := object[move.Key].(string)
	if !ok {
		c.refuse("missing-field", `the object has no "move", which names the move`)
		return
	}
	kinds := c.parser.Kinds
	word = strings.TrimSpace(word[:min(len(word), maxWord)])
	kind, err := enum.Parse("move", move.ClosedWord(word, kinds), kinds)
	if err != nil {
		// The message lists the allowed moves.
		_, err = enum.Parse("move", strings.ToValidUTF8(word, ""), c.ask.Moves)
		c.refuse("unknown-move", err.Error())
		return
	}
	if !c.allows(kind) {
		c.refuse("not-allowed", fmt.Sprintf("%s is not asked for here; allowed: %s", kind,
			strings.Join(enum.Words(c.ask.Moves), ", ")))
		return
	}
	move, notices, bad := c.parser.Specs[kind].Read(object)
	if bad != nil {
		if bad.Code == state.NotTaken {
			c.over(bad.Text, spoken(value))
		} else {
			c.refuse(bad.Code, bad.Text)
		}
		return
	}
	for _, why := range notices[:min(len(notices), maxNotices)] {
		c.refuse(state.DroppedField, fmt.Sprintf("%s: %s; the field was dropped", kind, why))
	}
	if more := len(notices) - maxNotices; more > 0 {
		c.refuse(state.DroppedField, fmt.Sprintf("%s: %s dropped too", kind, plain.Counted(more, "more field")))
	}
	c.parsed.Moves = append(c.parsed.Moves, move)
	c.parsed.Numbers = append(c.parsed.Numbers, c.number)
}

// maxWord is the length to which an unknown word is shortened in a message, in bytes.
const maxWord = 40
