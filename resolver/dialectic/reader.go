package dialectic

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
	"moot/resolver/jsonlines"
)

// LargestProposal is the size of a proposal that a Reader takes, in bytes.
const LargestProposal = 1 << 20

// Reader reads inputs, one JSON object after the other, and refuses whatever is
// not as the contract has it: unknown and repeated fields, words outside their
// lists, numbers out of range, ids that are there twice or not at all. It holds
// one object at a time.
type Reader struct{ objects *jsonlines.Reader }

// NewReader returns a Reader of JSON Lines, or of one object.
func NewReader(from io.Reader) *Reader { return &Reader{jsonlines.NewReader(from)} }

// Next returns the next input, or io.EOF behind the last. A *jsonlines.Error is
// about one object, and Next goes on behind it. Any other error is that of reading.
func (r *Reader) Next() (*Input, error) {
	text, err := r.objects.Next()
	if err != nil {
		//nolint:wrapcheck // it says what is wrong, and where
		return nil, err
	}
	in, at, what := parse(text)
	if what != "" {
		return nil, r.objects.Wrong(at, what)
	}
	return in, nil
}

// parse reads one object, and says what is wrong with it and where; what is ""
// if nothing is.
func parse(text []byte) (in *Input, at jsontext.Pointer, what string) {
	in = &Input{Round: 1}
	in.Config.MaxRounds = DefaultConfig().MaxRounds
	at, what = jsonlines.Decode(text, in,
		json.UnmarshalFunc(func(text []byte, into *ledger.Relation) error {
			var word string
			if err := json.Unmarshal(text, &word); err != nil {
				return fmt.Errorf("read a stance: %w", err)
			}
			relation, err := stanceOf(word)
			*into = relation
			return err
		}),
		json.UnmarshalFromFunc(func(from *jsontext.Decoder, _ *Config) error {
			if from.PeekKind() != jsontext.KindNull {
				return errors.ErrUnsupported
			}
			// What is not there is the default.
			return from.SkipValue()
		}))
	switch {
	case what != "":
		return in, at, what
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

// UnmarshalJSONFrom refuses a proposal that is too large before it is looked at.
func (p *Proposal) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	type plain Proposal
	begins := from.InputOffset()
	if err := json.UnmarshalDecode(from, (*plain)(p)); err != nil {
		//nolint:wrapcheck // the decoder knows the place
		return err
	}
	if n := from.InputOffset() - begins; n > LargestProposal {
		return jsonlines.Fault(fmt.Sprintf("the proposal has %d bytes, more than %d MiB", n, LargestProposal>>20))
	}
	return nil
}
