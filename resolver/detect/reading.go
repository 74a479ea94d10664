package detect

import (
	"encoding/json"
	"fmt"
	"strings"

	"moot/plain"
)

// Bounds of a reading.
const (
	maxReading = 300
	// maxQuoted is how much of a fact is quoted among others, maxQuotedAlone of one
	// that has the room.
	maxQuoted, maxQuotedAlone = 70, 110
	quotedOf                  = 3
	// alsoOf is how many more names of a claim are told.
	alsoOf = 2
)

// reading says in a sentence what a finding reads.
func (c *Case) reading(f *raised) string {
	shown := f.Facts[:min(len(f.Facts), quotedOf)]
	what := f.Rule.Name
	if len(f.also) > 0 {
		what += " (also " + strings.Join(f.also[:min(len(f.also), alsoOf)], ", ") + ")"
	}
	if f.isSkeptics() && f.Strength < f.Rule.Weight/2 {
		what += ", in part"
	}
	room := min(maxQuotedAlone, max(maxQuoted, (maxReading-len(what))/len(shown)-maxQuoted/2))
	quotes := []string{}
	for _, id := range shown {
		quotes = append(quotes, c.quoteIn(id, room))
	}
	more := ""
	if f.Count > quotedOf {
		more = fmt.Sprintf(" and %d more", f.Count-quotedOf)
	}
	return plain.Clip(plain.Line(strings.ToUpper(what[:1])+what[1:]+": "+strings.Join(quotes, "; ")+more+"."), maxReading)
}

// quote is a fact in a few words.
func (c *Case) quote(id string) string { return c.quoteIn(id, maxQuoted) }

// quoteIn is a fact in so many characters, and its id.
func (c *Case) quoteIn(id string, room int) string {
	f, known := c.packet.Fact(id)
	if !known {
		return id
	}
	value := string(f.Value)
	var text string
	if json.Unmarshal([]byte(f.Value), &text) == nil {
		value = text
	}
	return plain.Clip(plain.Line(f.Entity+" "+f.Field+" "+value), room) + " (" + plain.Clip(plain.Line(id), maxQuoted) + ")"
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
