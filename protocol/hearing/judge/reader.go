package judge

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
)

// Input is one input object of moot judge.
type Input struct {
	Version            Version
	Architect, Skeptic Side
}

// Parse reads an input, or returns a *jsonlines.Fault. It rejects unknown and repeated fields, and missing or
// invalid confidences.
func Parse(text jsontext.Value) (*Input, error) {
	type side struct {
		Confidence *float64 `json:"confidence"`
		Facts      []string `json:"facts"`
	}
	var d struct {
		Version   Version `json:"version"`
		Architect *side   `json:"architect"`
		Skeptic   *side   `json:"skeptic"`
	}
	if err := jsonlines.Decode(text, &d, jsonlines.Closed("version of the judge", Versions()...).Read); err != nil {
		return nil, err
	}
	in := &Input{Version: cmp.Or(d.Version, V1)}
	for _, side := range []struct {
		at   jsontext.Pointer
		from *side
		into *Side
	}{{"/architect", d.Architect, &in.Architect}, {"/skeptic", d.Skeptic, &in.Skeptic}} {
		switch {
		case side.from == nil:
			return nil, jsonlines.Faultf(side.at, "it is missing: a side has a confidence and facts")
		case side.from.Confidence == nil:
			return nil, jsonlines.Faultf(side.at+"/confidence", "the confidence is missing: it is a number from 0 to 1")
		}
		side.into.Confidence, side.into.Facts = *side.from.Confidence, side.from.Facts
		if err := CheckConfidence(side.into.Confidence); err != nil {
			return nil, jsonlines.Faultf(side.at+"/confidence", "%v", err)
		}
		for i, id := range side.into.Facts {
			if id == "" {
				return nil, jsonlines.Faultf(side.at+"/facts/"+jsontext.Pointer(strconv.Itoa(i)),
					"the id of the fact is empty")
			}
		}
	}
	return in, nil
}

// Answer judges the input and writes the verdict as one line of JSON.
func (in *Input) Answer(to io.Writer) error {
	verdict, err := Judge(in.Version, in.Architect, in.Skeptic)
	if err != nil {
		return err
	}
	text, err := json.Marshal(verdict, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode the verdict: %w", err)
	}
	_, err = to.Write(append(text, '\n'))
	return err //nolint:wrapcheck // the caller names the output
}
