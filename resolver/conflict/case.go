// Package conflict finds contradictions and disagreements between the outputs of several agents, and settles
// them by a named strategy. It is pure: the same outputs give the same conflicts, in the same order. Parse
// reads a case of moot conflicts and Case.Write writes its result; similarity.go compares outputs, strategy.go
// settles their conflicts. The package knows nothing of sessions: package resolver applies the strategies to a
// panel.
package conflict

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
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
	// DefaultRows is how many conflicts are listed unless the caller says otherwise.
	DefaultRows = 10_000
)

// Case is one input object of moot conflicts.
type Case struct {
	Outputs    []Output
	Thresholds Thresholds
	// Strategies has the strategy for each type of conflict.
	Strategies map[Type]Strategy
	// Given is the only conflict that is resolved. If it is nil, all outputs are compared.
	Given  *Given
	nodes  []node
	groups []*group
}

// Given is a conflict that the input names. It has the fields of a row of the output, so that a row can be resolved
// again.
type Given struct {
	ID       string   `json:"id"`
	Type     Type     `json:"type"`
	AgentIDs []string `json:"agentIds"`
	// Outputs are the two sides. They default to the outputs of the two agents.
	Outputs     []jsontext.Value `json:"outputs"`
	Description string           `json:"description"`
	// Similarity, Negation and Resolution are computed again.
	Similarity float64        `json:"similarity"`
	Negation   bool           `json:"negation"`
	Resolution jsontext.Value `json:"resolution"`
	// sides are the positions of the two sides among the nodes and groups of the case.
	sides [2]int
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
		Conflict *Given         `json:"conflict"`
		Strategy jsontext.Value `json:"strategy"`
	}
	if err := jsonlines.Decode(text, &d); err != nil {
		return nil, err
	}
	if d.Outputs == nil {
		return nil, jsonlines.Faultf("/outputs", "there are none; if no agent answered, write an empty list")
	}
	c := &Case{Outputs: d.Outputs, Given: d.Conflict}
	var err error
	if c.Strategies, err = parseStrategy(d.Strategy); err != nil {
		return nil, err
	}
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
	if err := c.compile(); err != nil {
		return nil, err
	}
	return c, nil
}

// parseStrategy reads a strategy, or an object with a strategy for each type of conflict.
func parseStrategy(text jsontext.Value) (map[Type]Strategy, error) {
	var each struct {
		Contradiction Strategy `json:"contradiction"`
		Disagreement  Strategy `json:"disagreement"`
	}
	switch kind := text.Kind(); kind { //nolint:exhaustive // the others are wrong
	case jsontext.KindInvalid, jsontext.KindNull:
	case jsontext.KindString:
		var one struct {
			Strategy Strategy `json:"strategy"`
		}
		if err := jsonlines.Decode(slices.Concat(jsontext.Value(`{"strategy":`), text, jsontext.Value("}")),
			&one); err != nil {
			return nil, err
		}
		each.Contradiction, each.Disagreement = one.Strategy, one.Strategy
	case jsontext.KindBeginObject:
		if err := jsonlines.Decode(text, &each); err != nil {
			if fault, ok := errors.AsType[*jsonlines.Fault](err); ok {
				fault.At = "/strategy" + fault.At
			}
			return nil, err
		}
	default:
		return nil, jsonlines.Faultf("/strategy", "it takes a text, or an object with a strategy for each type of "+
			"conflict, not %s", jsonlines.KindName(kind))
	}
	return map[Type]Strategy{
		Contradiction: cmp.Or(each.Contradiction, Vote), Disagreement: cmp.Or(each.Disagreement, Vote),
	}, nil
}

// compile checks the outputs and prepares their comparison.
func (c *Case) compile() error {
	groups, agents := map[string]*group{}, map[string]int{}
	compiler, top := compiler{words: map[string]int32{}}, &place{}
	add := func(value jsontext.Value, field jsontext.Pointer) error {
		node, at, what := compiler.output(value, top)
		if what != "" {
			return jsonlines.Faultf(field+at, "%s", what)
		}
		// Canonical JSON is the same for the same value.
		canonical := value.Clone()
		if err := canonical.Canonicalize(); err != nil {
			return jsonlines.Faultf(field, "%v", err)
		}
		if groups[string(canonical)] == nil {
			groups[string(canonical)] = &group{first: len(c.nodes)}
		}
		c.nodes, c.groups = append(c.nodes, node), append(c.groups, groups[string(canonical)])
		return nil
	}
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
		if err := add(o.Value, field+"/output"); err != nil {
			return err
		}
		c.groups[i].size++
	}
	if c.Given != nil {
		if err := c.compileGiven(agents, add); err != nil {
			return err
		}
	}
	top.index()
	return nil
}

// compileGiven checks the conflict that the input names and finds its two sides. Sides with outputs of their own
// are added after the outputs of the agents; they count in no vote.
func (c *Case) compileGiven(agents map[string]int, add func(jsontext.Value, jsontext.Pointer) error) error {
	g := c.Given
	switch {
	case len(g.AgentIDs) != len(g.sides):
		return jsonlines.Faultf("/conflict/agentIds", "a conflict has two agents, not %d", len(g.AgentIDs))
	case g.AgentIDs[0] == g.AgentIDs[1]:
		return jsonlines.Faultf("/conflict/agentIds", "both are %q: no agent is in conflict with itself", g.AgentIDs[0])
	case g.Outputs != nil && len(g.Outputs) != len(g.sides):
		return jsonlines.Faultf("/conflict/outputs", "a conflict has two outputs, not %d", len(g.Outputs))
	}
	g.ID = cmp.Or(g.ID, "conflict_1")
	for i, agent := range g.AgentIDs {
		at, known := agents[agent]
		if g.Outputs == nil {
			if !known {
				return jsonlines.Faultf(jsontext.Pointer("/conflict/agentIds/"+strconv.Itoa(i)),
					"the agent %q has no output", agent)
			}
			g.sides[i] = at
			continue
		}
		g.sides[i] = len(c.nodes)
		if err := add(g.Outputs[i], jsontext.Pointer("/conflict/outputs/"+strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

// Pair is a conflict between two outputs.
type Pair struct {
	// First and Second are the positions of the outputs; First < Second unless the input names the conflict.
	First, Second int
	Type          Type
	// Similarity is the exact similarity of the two values, 0 to 1.
	Similarity float64
}

// Conflicts iterates over the conflicts in the order (0,1), (0,2), …, (1,2), …, or yields the one that the input
// names.
func (c *Case) Conflicts() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		if c.Given != nil {
			yield(c.given())
			return
		}
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

// given returns the conflict that the input names. If the input gives no type, the thresholds decide; outputs above
// both are a disagreement, because the input calls them a conflict.
func (c *Case) given() Pair {
	p := Pair{First: c.Given.sides[0], Second: c.Given.sides[1], Type: c.Given.Type}
	first, second := &c.nodes[min(p.First, p.Second)], &c.nodes[max(p.First, p.Second)]
	first.count()
	p.Similarity = first.similarity(second)
	if kind, found := c.Thresholds.Classify(p.Similarity); p.Type == "" && found {
		p.Type = kind
	}
	p.Type = cmp.Or(p.Type, Disagreement)
	return p
}

// side returns the agent of a side of a conflict, the value, and the position of the agent among the outputs, or -1 if
// it has none.
func (c *Case) side(at int) (id string, value jsontext.Value, agent int) {
	if c.Given == nil {
		return c.Outputs[at].AgentID, c.Outputs[at].Value, at
	}
	i := slices.Index(c.Given.sides[:], at)
	id = c.Given.AgentIDs[i]
	agent = slices.IndexFunc(c.Outputs, func(o Output) bool { return o.AgentID == id })
	if c.Given.Outputs != nil {
		return id, c.Given.Outputs[i], agent
	}
	return id, c.Outputs[agent].Value, agent
}

// settle applies the strategy for its type to a pair. In a vote, every output that equals one of the two counts.
func (c *Case) settle(p Pair, description string) Resolution {
	var agents []Ballot
	for _, at := range [2]int{p.First, p.Second} {
		if _, _, i := c.side(at); i >= 0 {
			agents = append(agents, Ballot{Agent: c.Outputs[i].AgentID, Weight: c.Outputs[i].Tokens})
		}
	}
	winner, other := c.groups[p.First], c.groups[p.Second]
	count := winner.size
	if other != winner {
		count += other.size
	}
	if other.size > winner.size || other.size == winner.size && other.first < winner.first {
		winner = other
	}
	votes := vote(nil)
	if count > 0 {
		votes = voted(c.Outputs[winner.first].AgentID, winner.size, count)
	}
	return choose(c.Strategies[p.Type], votes, weigh(agents), description)
}

// describe names the agents of the conflict and how similar their outputs are.
func (c *Case) describe(p Pair) string {
	if c.Given != nil && c.Given.Description != "" {
		return c.Given.Description
	}
	verb := "disagree"
	if p.Type == Contradiction {
		verb = "contradict each other"
	}
	name := func(at int) string {
		id, _, agent := c.side(at)
		if agent >= 0 {
			return cmp.Or(c.Outputs[agent].AgentName, id)
		}
		return id
	}
	return fmt.Sprintf("%s and %s %s: their outputs are %d %% alike", name(p.First), name(p.Second), verb,
		Percent(p.Similarity))
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
	ID         string            `json:"id"`
	Type       Type              `json:"type"`
	AgentIDs   [2]string         `json:"agentIds"`
	Outputs    [2]jsontext.Value `json:"outputs"`
	Similarity float64           `json:"similarity"`
	// Negation is set if a negation is the only difference between the outputs.
	Negation    bool       `json:"negation,omitzero"`
	Description string     `json:"description"`
	Resolution  Resolution `json:"resolution"`
}

// Write writes the first conflicts, how many more there are, and the review of all as one line of JSON, row by row.
// Outputs are written as given, without white space between tokens.
func (c *Case) Write(to io.Writer, rows int) error {
	out := bufio.NewWriter(to)
	var reviewer Reviewer
	number, separator := 0, `{"conflicts":[`
	for p := range c.Conflicts() {
		if number++; number > rows {
			c.review(&reviewer, p)
			continue
		}
		first, one, _ := c.side(p.First)
		second, other, _ := c.side(p.Second)
		r := row{
			ID: "conflict_" + strconv.Itoa(number), Type: p.Type, AgentIDs: [2]string{first, second},
			Outputs: [2]jsontext.Value{one, other}, Similarity: p.Similarity, Negation: negated(one, other),
			Description: c.describe(p),
		}
		if c.Given != nil {
			r.ID = c.Given.ID
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
	if number == 0 || rows == 0 {
		_, _ = out.WriteString(separator)
	}
	review, err := json.Marshal(reviewer.Review())
	if err != nil {
		return fmt.Errorf("encode the review: %w", err)
	}
	_, _ = out.WriteString("],")
	if number > rows {
		_, _ = fmt.Fprintf(out, `"more":%d,`, number-rows)
	}
	_, _ = fmt.Fprintf(out, "\"review\":%s}\n", review)
	return out.Flush() //nolint:wrapcheck // the caller names the output
}

// review adds the resolution of a conflict that is not listed, if it can change the review. A vote or a weight
// escalates nothing: the larger of two sides has at least a half.
func (c *Case) review(reviewer *Reviewer, p Pair) {
	strategy := c.Strategies[p.Type]
	if reviewer.seen == 0 || !reviewer.escalated && (strategy == Tiered || strategy == Escalate) || c.Given != nil {
		resolution := c.settle(p, "")
		reviewer.Add(&resolution)
	}
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
	if c.Given != nil {
		s.Pairs = 1
	}
	for i := range c.Outputs {
		s.Agents[i].AgentID = c.Outputs[i].AgentID
	}
	var reviewer Reviewer
	for p := range c.Conflicts() {
		contradiction, disagreement := 0, 1
		if p.Type == Contradiction {
			contradiction, disagreement = 1, 0
		}
		s.Contradictions += contradiction
		s.Disagreements += disagreement
		for _, at := range [2]int{p.First, p.Second} {
			if _, _, agent := c.side(at); agent >= 0 {
				s.Agents[agent].Contradictions += contradiction
				s.Agents[agent].Disagreements += disagreement
			}
		}
		c.review(&reviewer, p)
	}
	s.Review = reviewer.Review()
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode the summary: %w", err)
	}
	_, err = to.Write(append(line, '\n'))
	return err //nolint:wrapcheck // the caller names the output
}
