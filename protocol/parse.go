package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"moot/enum"
	"moot/state"
)

// Bounds of a reply.
const (
	// MaxReply is the length of a reply in bytes; a longer one is refused whole.
	MaxReply = 256 << 10
	// MaxMoves is the number of moves that are read of one reply.
	MaxMoves = 200
)

// Form is how a reply was written.
type Form string

// The forms.
const (
	// FormNone is that of a reply that could not be read.
	FormNone Form = ""
	// FormJSON is an object with a list of moves.
	FormJSON Form = "json"
	// FormText is the telegraphic form: "Re C1: …".
	FormText Form = "text"
)

// Forms returns every Form.
func Forms() []Form { return []Form{FormNone, FormJSON, FormText} }

// String returns the word itself.
func (f Form) String() string { return string(f) }

// UnmarshalText refuses a word that is no Form.
func (f *Form) UnmarshalText(text []byte) error { return enum.Unmarshal("form", text, Forms(), f) }

// FormatError says that a reply holds no moves that can be read: a format
// failure, which costs no round (PH3).
type FormatError struct {
	// Code is "oversized", "too-deep", "broken-json", "broke-off" or "no-moves".
	Code string
	// Reason is a sentence for the seat that is asked again.
	Reason string
}

// Error implements error.
func (e *FormatError) Error() string { return e.Reason }

// Unreadable reports whether a code says that the text of a reply is at fault, so
// that it is refused again whenever it is read; what else a reply is refused for
// happened on its way (Broken).
func Unreadable(code string) bool {
	switch code {
	case "too-deep", "broken-json", "broke-off", "no-moves":
		return true
	}
	return false
}

// Parsed is what a reply says.
type Parsed struct {
	// Moves are in the order of the reply, each of a kind that was allowed.
	Moves []Move
	// Numbers are the places of the moves in the reply, from 1: those that
	// could not be read count.
	Numbers []int
	Form    Form
	// Refused are the moves that could not be read, one entry each.
	Refused []state.Refusal
	// Repaired says what of damaged JSON was mended to read it, a sentence for each
	// kind; nil where nothing was.
	Repaired []string
}

// Parser reads replies: foreign text in, typed moves out. It never reads a
// verdict, only moves. It may be used from several goroutines.
type Parser struct {
	schemas *Schemas
	text    *textForm
	json    *jsonForm
}

// NewParser prepares a parser.
func NewParser() (*Parser, error) {
	schemas, err := NewSchemas()
	if err != nil {
		return nil, err
	}
	return &Parser{schemas: schemas, text: newTextForm(), json: newJSONForm()}, nil
}

// Schema is the JSON Schema of a reply that makes only the allowed moves.
func (p *Parser) Schema(allowed []MoveKind) json.RawMessage { return p.schemas.Reply(allowed) }

// Parse reads a reply to ask: JSON if it holds any (the whole text, a fenced
// block, or objects in prose), else the telegraphic form. One bad move never
// spoils the others. A reply of which every move was refused is no error, and
// neither is {"moves":[]}, by which a seat says that it has nothing to say.
func (p *Parser) Parse(text string, ask Ask) (Parsed, *FormatError) {
	if len(text) > MaxReply {
		return Parsed{}, &FormatError{
			Code:   "oversized",
			Reason: fmt.Sprintf("the reply has %d bytes; %d are the most", len(text), MaxReply),
		}
	}
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	collected := collector{parser: p, ask: ask}
	finder := finder{form: p.json}
	values, found, err := finder.locate(text)
	switch {
	case err != nil:
		return Parsed{}, err
	case found:
		for _, value := range values {
			collected.value(value)
		}
		parsed := collected.parsed(FormJSON)
		parsed.Repaired = finder.told()
		return parsed, nil
	}
	p.text.read(thinkless(text), &collected)
	if collected.number == 0 && !collected.silent {
		return Parsed{}, &FormatError{
			Code:   "no-moves",
			Reason: "the reply holds no move: answer with an object {\"moves\":[…]}; moves allowed here: " + strings.Join(enum.Words(ask.Moves), ", "),
		}
	}
	return collected.parsed(FormText), nil
}

// collector gathers the moves of one reply.
type collector struct {
	parser  *Parser
	ask     Ask
	number  int
	moves   []Move
	numbers []int
	refused []state.Refusal
	// silent says that the seat said in words that it has nothing: "none".
	silent bool
}

func (c *collector) parsed(form Form) Parsed {
	return Parsed{Moves: c.moves, Numbers: c.numbers, Form: form, Refused: c.refused}
}

// next counts a move, and reports whether it is to be read.
func (c *collector) next() bool {
	c.number++
	if c.number == MaxMoves+1 {
		c.refuse("too-many", fmt.Sprintf("only the first %d moves of a reply are read", MaxMoves))
	}
	return c.number <= MaxMoves
}

func (c *collector) refuse(code, text string) {
	c.refused = append(c.refused, state.Refusal{Move: c.number, Code: code, Text: text})
}

// allows reports whether the seat may make the move.
func (c *collector) allows(kind MoveKind) bool { return slices.Contains(c.ask.Moves, kind) }

// allowed refuses a move that the seat may not make here.
func (c *collector) allowed(kind MoveKind) bool {
	if c.allows(kind) {
		return true
	}
	c.refuse("not-allowed", fmt.Sprintf("%s is not asked for here; allowed: %s", kind, strings.Join(enum.Words(c.ask.Moves), ", ")))
	return false
}

// value reads one decoded JSON value as a move.
func (c *collector) value(value any) {
	if !c.next() {
		return
	}
	object, ok := value.(map[string]any)
	if !ok {
		c.refuse("wrong-type", "a move must be an object, not "+jsonType(value))
		return
	}
	word, ok := object[moveKey].(string)
	if !ok {
		c.refuse("missing-field", "the object has no \"move\", which names the move")
		return
	}
	word = closedWord(word, enum.Words(MoveKinds()))
	kind, err := enum.Parse("move", strings.ToUpper(word), MoveKinds())
	if err != nil {
		// Of the words that are known, those that may be said here are told.
		_, err = enum.Parse("move", strings.ToUpper(word), c.ask.Moves)
		c.refuse("unknown-move", err.Error())
		return
	}
	if !c.allowed(kind) {
		return
	}
	move, shape := newMove(kind), c.parser.schemas.shapes[kind]
	into := reflect.ValueOf(move).Elem()
	if r := shape.bind(into, value); r != nil {
		c.refuse(r.code, fmt.Sprintf("%s: %s", kind, r.text))
		return
	}
	c.keep(move, shape, into)
}

// move takes a move that the telegraphic form made.
func (c *collector) move(move Move) {
	if !c.next() || !c.allowed(move.Kind()) {
		return
	}
	shape, v := c.parser.schemas.shapes[move.Kind()], reflect.ValueOf(move).Elem()
	if r := shape.normalise(v); r != nil {
		c.refuse(r.code, fmt.Sprintf("%s: %s", move.Kind(), r.text))
		return
	}
	c.keep(move, shape, v)
}

// reject takes a passage that begins as a move and is none.
func (c *collector) reject(code, text string) {
	if c.next() {
		c.refuse(code, text)
	}
}

func (c *collector) keep(move Move, shape *shape, v reflect.Value) {
	if m, ok := move.(*Concede); ok && m.Challenge == "" && m.Point == "" {
		c.refuse("missing-field", "CONCEDE: challenge or point is missing")
		return
	}
	if r := shape.check(v); r != nil {
		c.refuse(r.code, fmt.Sprintf("%s: %s", move.Kind(), r.text))
		return
	}
	c.moves, c.numbers = append(c.moves, move), append(c.numbers, c.number)
}
