package battery

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"moot/state"
	"moot/state/store"
)

//go:embed cases.json sample.jsonl
var files embed.FS

// Case is the expected answer to one kind of change.
type Case struct {
	// Change is flip, drop, double, swap or cut; Place is where.
	Change string `json:"change"`
	Place  string `json:"place"`
	// FoundBy is how a reader finds it: "damage" refused with a line's number,
	// "torn" an unfinished last unit, "newline" a missing last newline,
	// "empty" no event at all, "head" not without the known head.
	FoundBy string `json:"found_by"`
	// Line is the line that is named, Kept the line up to which whole units are
	// recovered, both relative to the line that was changed.
	Line int `json:"line"`
	Kept int `json:"kept"`
}

// Count is how one kind of change came out.
type Count struct {
	Case
	// Total counts changes; Found those that were found as expected, Recovered
	// those whose events before the damage were recovered exactly.
	Total, Found, Recovered int
	// Misses describe the first ten changes that came out otherwise.
	Misses []string
}

// Score is the result of the battery.
type Score struct {
	// Bytes and Events are the size of the sample.
	Bytes, Events int
	// Total, Found and Recovered are the sums over Counts.
	Total, Found, Recovered int
	// Counts are in the order of cases.json.
	Counts []Count
}

// Perfect reports whether every change was found and every prefix recovered.
func (s *Score) Perfect() bool {
	return s.Total > 0 && s.Found == s.Total && s.Recovered == s.Total
}

// change is one tampered file.
type change struct {
	change, place, detail string
	text                  []byte
	// line is the line that was changed, from 1.
	line int
}

// original is the sample before any change.
type original struct {
	store.Opened
	// units are the last lines of its units, in order.
	units []int
}

// read reads a session in which nothing is wrong.
func read(text []byte) (original, error) {
	opened, err := store.Decode(bytes.NewReader(text), "")
	return original{Opened: opened, units: units(text)}, err
}

// whole returns how many of the first n lines are of units that end there.
func (o original) whole(n int) int {
	kept := 0
	for _, last := range o.units {
		if last <= n {
			kept = last
		}
	}
	return kept
}

// Run changes the sample in every way and scores what the store makes of it.
// It reads and writes nothing on disk. An error says that the battery itself
// is unsound.
func Run() (Score, error) {
	sample, err := files.ReadFile("sample.jsonl")
	if err != nil {
		return Score{}, fmt.Errorf("read the sample: %w", err)
	}
	cases, err := Cases()
	if err != nil {
		return Score{}, err
	}
	pristine, err := read(sample)
	if err != nil {
		return Score{}, fmt.Errorf("read the sample: %w", err)
	}
	score := Score{Bytes: len(sample), Events: len(pristine.Events)}
	for _, c := range cases {
		score.Counts = append(score.Counts, Count{Case: c})
	}
	for c := range changes(sample) {
		count := score.count(c)
		if count == nil {
			return score, fmt.Errorf("cases.json expects nothing of %s of %s", c.change, c.place)
		}
		count.try(c, pristine)
	}
	for i := range score.Counts {
		c := &score.Counts[i]
		if c.Total == 0 {
			return score, fmt.Errorf("no change is a %s of %s", c.Change, c.Place)
		}
		score.Total += c.Total
		score.Found += c.Found
		score.Recovered += c.Recovered
	}
	return score, nil
}

// Cases returns the expected answers.
func Cases() ([]Case, error) {
	text, err := files.ReadFile("cases.json")
	if err != nil {
		return nil, fmt.Errorf("read the expected answers: %w", err)
	}
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil {
		return nil, fmt.Errorf("read the expected answers: %w", err)
	}
	return cases, nil
}

func (s *Score) count(c change) *Count {
	for i := range s.Counts {
		if s.Counts[i].Change == c.change && s.Counts[i].Place == c.place {
			return &s.Counts[i]
		}
	}
	return nil
}

// try lets the store read one changed file.
func (c *Count) try(tampered change, pristine original) {
	c.Total++
	line, kept := tampered.line+c.Line, pristine.whole(tampered.line+c.Kept)
	opened, err := store.Decode(bytes.NewReader(tampered.text), "")
	head, events, verified := store.VerifyChain(bytes.NewReader(tampered.text), pristine.Head)
	_, _, blind := store.VerifyChain(bytes.NewReader(tampered.text), "")

	found := c.asExpected(opened, err, line, kept) && c.verified(verified, line) && (blind == nil) == (c.FoundBy == "head")
	recovered := events == kept && head == opened.Head && sameEvents(opened.Events, pristine.Events[:kept])
	if found {
		c.Found++
	}
	if recovered {
		c.Recovered++
	}
	if (!found || !recovered) && len(c.Misses) < 10 {
		c.Misses = append(c.Misses, fmt.Sprintf("%s in line %d: %d of %d events, read: %v, verify: %v",
			tampered.detail, tampered.line, len(opened.Events), kept, err, verified))
	}
}

// asExpected reports whether a reader found the change in the expected way.
func (c *Count) asExpected(opened store.Opened, err error, line, kept int) bool {
	damage, damaged := errors.AsType[*store.DamageError](err)
	switch c.FoundBy {
	case "damage":
		return damaged && damage.Line == line && damage.Seq == kept
	case "torn":
		return err == nil && opened.Repaired.Cut > 0
	case "newline":
		return err == nil && opened.Repaired == store.Repair{Newline: true}
	case "empty":
		return errors.Is(err, store.ErrEmpty)
	case "head":
		return err == nil && opened.Repaired == store.Repair{}
	}
	return false
}

// verified reports whether a verification with the known head names the line.
func (c *Count) verified(err error, line int) bool {
	damage, damaged := errors.AsType[*store.DamageError](err)
	return damaged && damage.Line == line || c.FoundBy == "empty" && errors.Is(err, store.ErrEmpty)
}

func sameEvents(got, want []state.Event) bool {
	return len(got) == len(want) && (len(want) == 0 || reflect.DeepEqual(got, want))
}
