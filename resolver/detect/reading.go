package detect

import (
	"encoding/json"
	"fmt"
	"strings"

	"moot/plain"
	"moot/state"
)

// Bounds of a reading.
const (
	maxReading = 300
	maxQuoted  = 70
	quotedOf   = 3
)

// reading says in a sentence what a finding reads.
func (c *Case) reading(f *Finding) string {
	quotes := []string{}
	for _, id := range f.Facts[:min(len(f.Facts), quotedOf)] {
		quotes = append(quotes, c.quote(id))
	}
	more := ""
	if f.Count > quotedOf {
		more = fmt.Sprintf(" and %d more", f.Count-quotedOf)
	}
	what := f.Rule.Name
	if f.Rule.Role.Seat() == state.Skeptic && f.Strength < f.Rule.Weight/2 {
		what += ", in part"
	}
	return plain.Clip(plain.Line(strings.ToUpper(what[:1])+what[1:]+": "+strings.Join(quotes, "; ")+more+"."), maxReading)
}

// quote is a fact in a few words.
func (c *Case) quote(id string) string {
	f, known := c.packet.Fact(id)
	if !known {
		return id
	}
	value := string(f.Value)
	var text string
	if json.Unmarshal([]byte(f.Value), &text) == nil {
		value = text
	}
	return plain.Clip(plain.Line(f.Entity+" "+f.Field+" "+value), maxQuoted) + " (" + plain.Clip(plain.Line(id), maxQuoted) + ")"
}

// stands says that a fact does not account for what a claim cites.
func (c *Case) stands(against string, rest []string) string {
	said := c.quote(against) + " does not account for this claim's facts."
	if len(rest) > 0 {
		said = c.quote(against) + " does not account for " + c.quote(rest[0]) + "."
	}
	return plain.Clip(said, maxReading)
}

// yields says that a fact takes something from a claim.
func (c *Case) yields(against string) string {
	return plain.Clip(c.quote(against)+" accounts for a part of it, so that less is left.", maxReading)
}
