package dialectic

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
	"moot/resolver/jsonlines"
)

// LargestProposal is how many bytes of JSON a proposal may have.
const LargestProposal = 1 << 20

// Parse reads an input of moot resolve, or returns a *jsonlines.Fault. It refuses unknown and repeated fields,
// unknown words, numbers out of range, and ids that are repeated or missing.
func Parse(text jsontext.Value) (*Input, error) {
	in := &Input{Round: 1}
	in.Config.MaxRounds = DefaultConfig().MaxRounds
	err := jsonlines.Decode(text, in,
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
			return from.SkipValue() //nolint:wrapcheck // the decoder knows the place
		}))
	switch {
	case err != nil:
		return nil, err
	case in.Round == 0:
		return nil, jsonlines.Faultf("/round", "0 is not 1 or more")
	case in.Config.MaxRounds == 0:
		return nil, jsonlines.Faultf("/config/maxRounds", "0 is not 1 or more")
	}
	if found := newBench(in).problems(); len(found) > 0 {
		return nil, jsonlines.Faultf(found[0].at, "%s", found[0].what)
	}
	return in, nil
}

// UnmarshalJSONFrom refuses a proposal that is too large before its values are looked at.
func (p *Proposal) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	type plain Proposal
	begins := from.InputOffset()
	if err := json.UnmarshalDecode(from, (*plain)(p)); err != nil {
		return err //nolint:wrapcheck // the decoder knows the place
	}
	if n := from.InputOffset() - begins; n > LargestProposal {
		return jsonlines.Faultf("", "the proposal has %d bytes, more than %d MiB", n, LargestProposal>>20)
	}
	return nil
}
