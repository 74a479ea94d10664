package conflict

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/resolver/jsonlines"
)

const (
	// LargestCase is how many values the outputs of one object may hold, each list,
	// object and what is in them counted: all are held in memory at once.
	LargestCase = 1_000_000
	// MostTokens is the largest number of tokens that an agent may have processed.
	// From there on doubles do not tell one number from the next.
	MostTokens = 1 << 53
)

// Case is what one object of moot conflicts asks.
type Case struct {
	Outputs    []Output
	Thresholds Thresholds
	Strategy   Strategy
	// texts are the outputs as they were written.
	texts []jsontext.Value
}

// Reader reads cases, one JSON object after the other, and refuses whatever is not
// as the contract has it: unknown and repeated fields, words outside their lists,
// numbers out of range, agents that are there twice or have no id. It holds one
// object at a time.
type Reader struct{ objects *jsonlines.Reader }

// NewReader returns a Reader of JSON Lines, or of one object.
func NewReader(from io.Reader) *Reader { return &Reader{jsonlines.NewReader(from)} }

// Next returns the next case, which stands until Next is called again, or io.EOF
// behind the last. A *jsonlines.Error is about one object, and Next goes on behind
// it. Any other error is that of reading.
func (r *Reader) Next() (*Case, error) {
	text, err := r.objects.Next()
	if err != nil {
		//nolint:wrapcheck // it says what is wrong, and where
		return nil, err
	}
	c, at, what := parse(text)
	if what != "" {
		return nil, r.objects.Wrong(at, what)
	}
	return c, nil
}

// document is an object as it is written.
type document struct {
	Outputs  []written `json:"outputs"`
	Options  options   `json:"options"`
	Strategy Strategy  `json:"strategy"`
}

// options are the thresholds, NaN where they are left out, and what they are then.
type options struct {
	Contradiction float64 `json:"contradictionThreshold"`
	Agreement     float64 `json:"agreementThreshold"`
	Preset        Preset  `json:"preset"`
}

// written is an output.
type written struct {
	AgentID   string  `json:"agentId"`
	AgentName string  `json:"agentName"`
	Output    answer  `json:"output"`
	Tokens    float64 `json:"tokens"`
}

// answer is the value of an output, and its text, nil where there is none.
type answer struct {
	value Value
	text  jsontext.Value
}

// parse reads one object, and says what is wrong with it and where; what is ""
// if nothing is.
func parse(text jsontext.Value) (c *Case, at jsontext.Pointer, what string) {
	d := document{Options: options{Contradiction: math.NaN(), Agreement: math.NaN()}}
	values := &valueReader{text: text, left: LargestCase}
	at, what = jsonlines.Decode(text, &d, json.UnmarshalFromFunc(values.answer), json.UnmarshalFromFunc(optionsLeftOut))
	switch {
	case what != "":
		return nil, at, what
	case d.Outputs == nil:
		return nil, "/outputs", "there are none; where nobody answered, write an empty list"
	}
	c = &Case{Strategy: d.Strategy, Thresholds: d.Options.thresholds()}
	if c.Strategy == "" {
		c.Strategy = Vote
	}
	if err := c.Thresholds.Check(); err != nil {
		return nil, "/options", err.Error()
	}
	at, what = c.take(d.Outputs)
	return c, at, what
}

// optionsLeftOut takes null for options that are left out.
func optionsLeftOut(from *jsontext.Decoder, _ *options) error {
	if from.PeekKind() != jsontext.KindNull {
		return errors.ErrUnsupported
	}
	//nolint:wrapcheck // the decoder knows the place
	return from.SkipValue()
}

// thresholds are those of the preset, save those that are given.
func (o *options) thresholds() Thresholds {
	t := Default.Thresholds()
	if o.Preset != "" {
		t = o.Preset.Thresholds()
	}
	if !math.IsNaN(o.Contradiction) {
		t.Contradiction = o.Contradiction
	}
	if !math.IsNaN(o.Agreement) {
		t.Agreement = o.Agreement
	}
	return t
}

// take takes the outputs in, and says what is wrong with the first that cannot be
// told apart or weighed.
func (c *Case) take(outputs []written) (at jsontext.Pointer, what string) {
	c.Outputs, c.texts = make([]Output, len(outputs)), make([]jsontext.Value, len(outputs))
	first := make(map[string]int, len(outputs))
	for i := range outputs {
		o := &outputs[i]
		field := jsontext.Pointer("/outputs/" + strconv.Itoa(i))
		known, twice := first[o.AgentID]
		switch {
		case o.AgentID == "":
			return field + "/agentId", "the id of the agent is missing"
		case twice:
			return field + "/agentId", fmt.Sprintf("the agent %q is there twice, first as outputs[%d]: each agent has one output", o.AgentID, known)
		case o.Output.text == nil:
			return field + "/output", "the output is missing; where the agent answered nothing, write null"
		case o.Tokens < 0:
			return field + "/tokens", number(o.Tokens) + " is not 0 or more"
		case o.Tokens != math.Trunc(o.Tokens):
			return field + "/tokens", number(o.Tokens) + " is not a whole number"
		case o.Tokens > MostTokens:
			return field + "/tokens", fmt.Sprintf("%s is more than %d", number(o.Tokens), MostTokens)
		}
		first[o.AgentID] = i
		c.Outputs[i] = Output{AgentID: o.AgentID, AgentName: o.AgentName, Value: o.Output.value, Tokens: o.Tokens}
		c.texts[i] = o.Output.text
	}
	return "", ""
}

// number is a number as it may have been written.
func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
