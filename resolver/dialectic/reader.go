package dialectic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
)

// The sizes that a Reader takes, in bytes.
const (
	// LargestInput is that of one object: a million items of evidence fit.
	LargestInput = 512 << 20
	// LargestProposal is that of one proposal.
	LargestProposal = 1 << 20
)

// InputError says what is wrong with an object, and where.
type InputError struct {
	// Line counts from 1 in the whole of what is read.
	Line int
	// Path is the place within the object, "artifact.objections[2].severity", or
	// "" for the object itself.
	Path string
	// What is wrong, in a clause.
	What string
}

// Error names line and path. What is long in them is shown by its ends.
func (e *InputError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("line %d: %s", e.Line, bothEnds(e.What))
	}
	return fmt.Sprintf("line %d: %s: %s", e.Line, bothEnds(e.Path), bothEnds(e.What))
}

// longestShown is how much of each end of a long text an error shows, in bytes.
const longestShown = 300

// bothEnds is a text without what is between its ends, where it is long.
func bothEnds(text string) string {
	if len(text) <= 2*longestShown {
		return text
	}
	return strings.ToValidUTF8(text[:longestShown], "") + " … " + strings.ToValidUTF8(text[len(text)-longestShown:], "")
}

// Reader reads inputs, one JSON object after the other, and refuses whatever is
// not as the contract has it: unknown and repeated fields, words outside their
// lists, numbers out of range, ids that are there twice or not at all. It holds
// one object at a time.
type Reader struct {
	lines   *lineCounter
	decoder *jsontext.Decoder
	// limit is that of one object.
	limit int64
	// failed says that the bytes of an object could not be taken apart: the next
	// one must be looked for.
	failed bool
	read   int
}

// NewReader returns a Reader of JSON Lines, or of one object.
func NewReader(from io.Reader) *Reader {
	r := &Reader{limit: LargestInput}
	r.start(from, 1)
	return r
}

// start begins to decode what comes, at a line.
func (r *Reader) start(from io.Reader, line int) {
	r.lines = &lineCounter{from: from, line: line}
	r.decoder = jsontext.NewDecoder(r.lines)
}

// Next returns the next input, or io.EOF behind the last. An *InputError is
// about one object, and Next goes on behind it: with the next line that begins
// with a brace, where the bytes of the object could not be taken apart. Any other
// error is that of reading.
func (r *Reader) Next() (*Input, error) {
	if r.failed {
		if err := r.resume(); err != nil {
			return nil, err
		}
	}
	r.lines.left = r.limit
	text, err := r.decoder.ReadValue()
	switch {
	case err == nil:
	case errors.Is(err, io.EOF) && r.read > 0:
		return nil, io.EOF
	default:
		return nil, r.broken(err)
	}
	r.read++
	begins := r.decoder.InputOffset() - int64(len(text))
	in, at, what := parse(text)
	if what != "" {
		err = &InputError{Line: r.lines.at(begins + locate(text, at)), Path: dotted(at), What: what}
		in = nil
	}
	r.lines.forget(r.decoder.InputOffset())
	return in, err
}

// broken says where bytes are no JSON.
func (r *Reader) broken(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(r.lines.failed, errLarge):
		r.failed, r.read = true, r.read+1
		blanks := len(r.decoder.UnreadBuffer()) - len(bytes.TrimLeft(r.decoder.UnreadBuffer(), " \t\r\n"))
		return &InputError{Line: r.lines.at(r.decoder.InputOffset() + int64(blanks)), What: fmt.Sprintf("the object has more than %d bytes", r.limit)}
	case r.lines.failed != nil:
		return fmt.Errorf("read the input: %w", r.lines.failed)
	case errors.As(err, &syntactic):
		r.failed, r.read = true, r.read+1
		what := syntactic.Err.Error()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			what = "the JSON ends before the object does"
		}
		return &InputError{Line: r.lines.at(syntactic.ByteOffset), Path: dotted(brokenAt(r.decoder.UnreadBuffer())), What: what}
	case errors.Is(err, io.EOF):
		r.read++
		return &InputError{Line: 1, What: "there is no JSON object"}
	}
	return fmt.Errorf("read the input: %w", err)
}

// resume looks for the next object behind one that is broken, which begins
// behind the blanks that were not read yet.
func (r *Reader) resume() error {
	line := r.lines.at(r.decoder.InputOffset())
	rest := bufio.NewReader(io.MultiReader(bytes.NewReader(r.decoder.UnreadBuffer()), r.lines.from))
	begun, fresh := false, false
	for {
		b, err := rest.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			r.failed = false
			r.start(rest, line)
			return nil
		case err != nil:
			return fmt.Errorf("read the input: %w", err)
		case b == '\n':
			line++
			fresh = begun
			continue
		case b == '{' && fresh:
			r.failed = false
			r.start(io.MultiReader(strings.NewReader("{"), rest), line)
			return nil
		}
		begun = begun || b != ' ' && b != '\t' && b != '\r'
		fresh = false
	}
}

// notNull refuses null where a number is asked for: it would be read as 0.
func notNull[T float64 | int](from *jsontext.Decoder, _ *T) error {
	if from.PeekKind() == 'n' {
		return errNull
	}
	return errors.ErrUnsupported
}

// errNull says that null stands where a number should.
var errNull = errors.New("null is no number; leave it out for what it is by default")

// parse reads one object, and says what is wrong with it and where; what is ""
// if nothing is.
func parse(text []byte) (in *Input, at jsontext.Pointer, what string) {
	in = &Input{Round: 1}
	in.Config.MaxRounds = DefaultConfig().MaxRounds
	if jsontext.Value(text).Kind() != '{' {
		return nil, "", "it takes an object, not " + kindNamed(jsontext.Value(text).Kind())
	}
	err := json.Unmarshal(text, in, json.RejectUnknownMembers(true), json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFunc(func(text []byte, into *ledger.Relation) error {
			var word string
			if err := json.Unmarshal(text, &word); err != nil {
				return fmt.Errorf("read a stance: %w", err)
			}
			relation, err := stanceOf(word)
			*into = relation
			return err
		}),
		json.UnmarshalFromFunc(notNull[float64]),
		json.UnmarshalFromFunc(notNull[int]),
		json.UnmarshalFromFunc(func(from *jsontext.Decoder, _ *Config) error {
			if from.PeekKind() != 'n' {
				return errors.ErrUnsupported
			}
			// What is not there is the default.
			return from.SkipValue()
		}),
	)))
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &semantic):
		return in, semantic.JSONPointer, explain(semantic)
	case err != nil:
		return in, "", err.Error()
	case in.Round == 0:
		return in, "/round", "0 is not 1 or more"
	case in.Config.MaxRounds == 0:
		return in, "/config/maxRounds", "0 is not 1 or more"
	}
	if found := newBench(in).problems(); len(found) > 0 {
		return in, found[0].at, found[0].what
	}
	return in, "", ""
}
