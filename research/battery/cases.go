package battery

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"moot/research"
)

// data holds the cases, the list of made files, and the ordinary ones.
//
//go:embed testdata/citations
var data embed.FS

const dataFolder = "testdata/citations/"

// Case is a citation with its known answer, one line of cases.jsonl.
type Case struct {
	// Group and Name together are unique.
	Group string `json:"group"`
	Name  string `json:"name"`
	// Reference and Quote are what is checked. The quote is repeated Times
	// times; 0 counts as 1.
	Reference string `json:"reference"`
	Quote     string `json:"quote"`
	Times     int    `json:"times,omitempty"`
	// Expect is how the check must come out.
	Expect research.Outcome `json:"expect"`
	// At are the lines of the finding's reference, as in "12-18". It is
	// demanded where Expect is moved.
	At string `json:"at,omitempty"`
	// Near are the lines of the nearest passage of a refusal, or "" for any.
	Near string `json:"near,omitempty"`
	// Reason is what the reason must contain.
	Reason string `json:"reason,omitempty"`
}

func (c Case) quote() string { return strings.Repeat(c.Quote, max(1, c.Times)) }

// Cases returns the embedded cases. The error is one of the data: an unknown
// field or outcome, a name that is used twice, a correction without its lines.
func Cases() ([]Case, error) {
	cases, err := readLines[Case]("cases.jsonl")
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for i, c := range cases {
		name := c.Group + ": " + c.Name
		switch {
		case c.Group == "" || c.Name == "" || c.Expect == "":
			return nil, fmt.Errorf("cases.jsonl:%d: a case needs group, name and expect", i+1)
		case seen[name]:
			return nil, fmt.Errorf("cases.jsonl:%d: the name %q is used twice", i+1, name)
		case (c.Expect == research.Moved) != (c.At != ""):
			return nil, fmt.Errorf("cases.jsonl:%d: moved cases, and no others, say at which lines", i+1)
		}
		seen[name] = true
	}
	return cases, nil
}

// readLines reads an embedded file of JSON lines, strictly.
func readLines[T any](name string) ([]T, error) {
	content, err := data.ReadFile(dataFolder + name)
	if err != nil {
		return nil, fmt.Errorf("reading the battery: %w", err)
	}
	var items []T
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	for {
		var item T
		err := decoder.Decode(&item)
		if errors.Is(err, io.EOF) {
			return items, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, len(items)+1, err)
		}
		items = append(items, item)
	}
}
