// Package conflict finds contradictions and disagreements between the outputs of several agents, and settles
// them by a named strategy. It is pure: the same outputs give the same conflicts, in the same order. Parse
// reads a case of moot conflicts and Case.Write writes its result; similarity.go compares outputs, strategy.go
// settles their conflicts. The package knows nothing of sessions: package resolver applies the strategies to a
// panel.
package conflict

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
)

const (
	// LargestCase is how many values the outputs of one object may hold, including lists, objects and their
	// elements.
	LargestCase = 1_000_000
	// MostTokens is the largest number of tokens of an agent. Doubles cannot tell larger whole numbers apart.
	MostTokens = 1 << 53
)

// Case is one input object of moot conflicts.
type Case struct {
	Outputs    []Output
	Thresholds Thresholds
	Strategy   Strategy
	nodes      []node
	groups     []*group
}

// Output is the answer of an agent.
type Output struct {
	AgentID string `json:"agentId"`
	// AgentName is used in descriptions. It defaults to AgentID.
	AgentName string `json:"agentName"`
	// Value is any JSON value. Its numbers are compared as doubles.
	Value jsontext.Value `json:"output"`
	// Tokens is how many tokens the agent processed.
	Tokens float64 `json:"tokens"`
}

// group is a set of outputs with the same JSON value.
type group struct{ first, size int }

// Parse reads one input object, or returns a *jsonlines.Fault. It rejects unknown and repeated fields, unknown
// words, numbers out of range, and missing or repeated agent ids.
func Parse(text jsontext.Value) (*Case, error) {
	var d struct {
		Outputs []Output `json:"outputs"`
		Options struct {
			Contradiction *float64 `json:"contradictionThreshold"`
			Agreement     *float64 `json:"agreementThreshold"`
			Preset        Preset   `json:"preset"`
		} `json:"options"`
		Strategy Strategy `json:"strategy"`
	}
	if err := jsonlines.Decode(text, &d); err != nil {
		return nil, err
	}
	if d.Outputs == nil {
		return nil, jsonlines.Faultf("/outputs", "there are none; if no agent answered, write an empty list")
	}
	c := &Case{Outputs: d.Outputs, Strategy: cmp.Or(d.Strategy, Vote)}
	c.Thresholds = cmp.Or(d.Options.Preset, Default).Thresholds()
	if d.Options.Contradiction != nil {
		c.Thresholds.Contradiction = *d.Options.Contradiction
	}
	if d.Options.Agreement != nil {
		c.Thresholds.Agreement = *d.Options.Agreement
	}
	if err := c.Thresholds.Check(); err != nil {
		return nil, jsonlines.Faultf("/options", "%v", err)
	}
	err := c.compile()
	return c, err
}

// compile checks the outputs and prepares their comparison.
func (c *Case) compile() error {
	c.nodes, c.groups = make([]node, len(c.Outputs)), make([]*group, len(c.Outputs))
	groups, agents := map[string]*group{}, map[string]int{}
	compiler, top := compiler{words: map[string]int32{}}, &place{}
	for i := range c.Outputs {
		o := &c.Outputs[i]
		field := jsontext.Pointer("/outputs/" + strconv.Itoa(i))
		first, twice := agents[o.AgentID]
		switch {
		case o.AgentID == "":
			return jsonlines.Faultf(field+"/agentId", "the id of the agent is missing")
		case twice:
			return jsonlines.Faultf(field+"/agentId",
				"the agent %q already has an output, outputs[%d]", o.AgentID, first)
		case o.Value == nil:
			return jsonlines.Faultf(field+"/output", "the output is missing; if the agent answered nothing, write null")
		case o.Tokens < 0:
			return jsonlines.Faultf(field+"/tokens", "%v is not 0 or more", o.Tokens)
		case o.Tokens != math.Trunc(o.Tokens):
			return jsonlines.Faultf(field+"/tokens", "%v is not a whole number", o.Tokens)
		case o.Tokens > MostTokens:
			return jsonlines.Faultf(field+"/tokens", "%v is more than %d", o.Tokens, MostTokens)
		}
		agents[o.AgentID] = i
		node, at, what := compiler.output(o.Value, top)
		if what != "" {
			return jsonlines.Faultf(field+"/output"+at, "%s", what)
		}
		c.nodes[i] = node
		// Canonical JSON is the same for the same value.
		canonical := o.Value.Clone()
		if err := canonical.Canonicalize(); err != nil {
			return jsonlines.Faultf(field+"/output", "%v", err)
		}
		if groups[string(canonical)] == nil {
			groups[string(canonical)] = &group{first: i}
		}
		c.groups[i] = groups[string(canonical)]
		c.groups[i].size++
	}
	top.index()
	return nil
}

// Pair is a conflict between two outputs.
type Pair struct {
	// First and Second are the positions of the outputs; First < Second.
	First, Second int
	Type          Type
	// Similarity is the exact similarity of the two values, 0 to 1.
	Similarity float64
}

// Conflicts iterates over the conflicts in the order (0,1), (0,2), …, (1,2), ….
func (c *Case) Conflicts() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		for i := range c.nodes {
			c.nodes[i].count()
			for j := i + 1; j < len(c.nodes); j++ {
				similarity := c.nodes[i].similarity(&c.nodes[j])
				kind, found := c.Thresholds.Classify(similarity)
				if found && !yield(Pair{First: i, Second: j, Type: kind, Similarity: similarity}) {
					return
				}
			}
		}
	}
}

// settle applies the strategy to a pair. In a vote, every output that equals one of the two counts.
func (c *Case) settle(p Pair, description string) Resolution {
	a, b := &c.Outputs[p.First], &c.Outputs[p.Second]
	weight := weigh([]Ballot{{Agent: a.AgentID, Weight: a.Tokens}, {Agent: b.AgentID, Weight: b.Tokens}})
	winner, other := c.groups[p.First], c.groups[p.Second]
	count := winner.size
	if other != winner {
		count += other.size
	}
	if other.size > winner.size || other.size == winner.size && other.first < winner.first {
		winner = other
	}
	return choose(c.Strategy, voted(c.Outputs[winner.first].AgentID, winner.size, count), weight, description)
}

// describe names the agents of the conflict and how similar their outputs are.
func (c *Case) describe(p Pair) string {
	verb := "disagree"
	if p.Type == Contradiction {
		verb = "contradict each other"
	}
	a, b := &c.Outputs[p.First], &c.Outputs[p.Second]
	return fmt.Sprintf("%s and %s %s: their outputs are %d %% alike",
		cmp.Or(a.AgentName, a.AgentID), cmp.Or(b.AgentName, b.AgentID), verb, Percent(p.Similarity))
}

// Percent rounds a share of 0 to 1 to a whole percent, halves up. 29/200 is 15, although the nearest double is
// below 14.5 %.
func Percent(share float64) int {
	halves := math.Round(share * 200)
	if halves/200 == share {
		return int(math.Ceil(halves / 2))
	}
	return int(math.Floor(share*100 + 0.5))
}

// row is the JSON of a conflict.
type row struct {
	ID          string            `json:"id"`
	Type        Type              `json:"type"`
	AgentIDs    [2]string         `json:"agentIds"`
	Outputs     [2]jsontext.Value `json:"outputs"`
	Similarity  float64           `json:"similarity"`
	Description string            `json:"description"`
	Resolution  Resolution        `json:"resolution"`
}

// Write writes the conflicts and their review as one line of JSON, row by row, since there may be millions.
// Outputs are written as given, without white space between tokens.
func (c *Case) Write(to io.Writer) error {
	out := bufio.NewWriter(to)
	var reviewer Reviewer
	number, separator := 0, `{"conflicts":[`
	for p := range c.Conflicts() {
		number++
		a, b := &c.Outputs[p.First], &c.Outputs[p.Second]
		r := row{
			ID: "conflict_" + strconv.Itoa(number), Type: p.Type, AgentIDs: [2]string{a.AgentID, b.AgentID},
			Outputs: [2]jsontext.Value{a.Value, b.Value}, Similarity: p.Similarity, Description: c.describe(p),
		}
		r.Resolution = c.settle(p, r.Description)
		reviewer.Add(&r.Resolution)
		line, err := json.Marshal(r, jsontext.PreserveRawStrings(true))
		if err != nil {
			return fmt.Errorf("encode %s: %w", r.ID, err)
		}
		if _, err := out.Write(append([]byte(separator), line...)); err != nil {
			return err //nolint:wrapcheck // the caller names the output
		}
		separator = ","
	}
	if number == 0 {
		_, _ = out.WriteString(separator)
	}
	review, err := json.Marshal(reviewer.Review())
	if err != nil {
		return fmt.Errorf("encode the review: %w", err)
	}
	_, _ = fmt.Fprintf(out, "],\"review\":%s}\n", review)
	return out.Flush() //nolint:wrapcheck // the caller names the output
}

// summary is the JSON of WriteSummary. Pairs counts all that were compared.
type summary struct {
	Outputs        int            `json:"outputs"`
	Pairs          int            `json:"pairs"`
	Contradictions int            `json:"contradictions"`
	Disagreements  int            `json:"disagreements"`
	Agents         []agentSummary `json:"agents"`
	Review         Review         `json:"review"`
}

type agentSummary struct {
	AgentID        string `json:"agentId"`
	Contradictions int    `json:"contradictions"`
	Disagreements  int    `json:"disagreements"`
}

// WriteSummary writes the numbers of conflicts by type and agent, and their review, as one line of JSON.
func (c *Case) WriteSummary(to io.Writer) error {
	n := len(c.Outputs)
	s := summary{Outputs: n, Pairs: n * (n - 1) / 2, Agents: make([]agentSummary, n)}
	for i := range c.Outputs {
		s.Agents[i].AgentID = c.Outputs[i].AgentID
	}
	var reviewer Reviewer
	for p := range c.Conflicts() {
		a, b := &s.Agents[p.First], &s.Agents[p.Second]
		switch p.Type {
		case Contradiction:
			s.Contradictions++
			a.Contradictions++
			b.Contradictions++
		case Disagreement:
			s.Disagreements++
			a.Disagreements++
			b.Disagreements++
		}
		// Only tiered can escalate after the first conflict: the larger of two sides has at least a half.
		if reviewer.seen == 0 || c.Strategy == Tiered && !reviewer.escalated {
			resolution := c.settle(p, "")
			reviewer.Add(&resolution)
		}
	}
	s.Review = reviewer.Review()
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode the summary: %w", err)
	}
	_, err = to.Write(append(line, '\n'))
	return err //nolint:wrapcheck // the caller names the output
}
