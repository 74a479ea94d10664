package config

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
)

// Participant is a table [participants.NAME]: a name of the person's own for a
// participant, and how it is asked. What is not given is zero.
type Participant struct {
	Name string
	// Line is where its first entry or its heading stands, from 1.
	Line int
	// Is is the participant itself, as it is named on the command line; it may be
	// another name of the person's own.
	Is string
	// Temperature is from 0 to 2.
	Temperature *float64
	// ReasoningEffort is one of Efforts.
	ReasoningEffort string
	// MaxTokens caps a reply.
	MaxTokens int
	// Base is another address for an endpoint that moot knows by name.
	Base string
	// Key is the name of the variable or keyring entry that holds the key, never
	// the key itself.
	Key string
	// Headers are sent with each request.
	Headers []Header
	// Fallback is who is asked where this one cannot be reached.
	Fallback string
	// PerMinute and Parallel are how many requests go out in a minute, and how
	// many at once.
	PerMinute, Parallel int
	// Lines are those of the entries, by their names.
	Lines map[string]int
}

// Header is one that goes out with each request. $NAME in its value stands for a
// variable.
type Header struct {
	Name, Value string
	Line        int
}

// Price is what a model costs, in US dollars per million tokens.
type Price struct {
	Model   string
	In, Out float64
	Line    int
}

// Setting is an entry whose name is that of a flag, and its value as the flag
// takes it.
type Setting struct {
	Name, Value string
	// Quoted says that it stands in quotes: a number does not.
	Quoted bool
	Line   int
}

const (
	// bothPrices shows how a price is written.
	bothPrices = "{ in = 0.25, out = 2.00 }"
	// dearest is more than any model costs; it catches prices per token or in cents.
	dearest = 100_000
	// hottest is the highest temperature that an endpoint takes.
	hottest = 2
	// most bounds a count: what is larger is a mistake.
	most = 1 << 30
)

// Options are the entries that [participants.NAME] may have.
func Options() []string {
	return []string{
		"is", "temperature", "reasoning-effort", "max-tokens", "base", "key", "headers", "fallback",
		"requests-per-minute", "parallel",
	}
}

// Efforts are how hard a reasoning model may be told to think.
func Efforts() []string { return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"} }

// seat takes an entry of [seats]. Which seats there are the formats know.
func (r *reader) seat(l leaf) {
	name := l.path[1]
	wrong := l.kind != kindText && l.kind != kindList || len(l.path) > 2 || len(l.values) == 0
	if wrong || slices.ContainsFunc(l.values, func(v string) bool { return strings.TrimSpace(v) == "" }) {
		r.tell(l.line, `%s in [seats] is a participant, or a list of them where there are seats for more, such as "openai:gpt-5-mini" or ["codex", "rules"]`, dotted(l.path[1:]))
		return
	}
	if !r.again(l.path, l.line, Named(name)+" in [seats]") {
		r.file.Seats = append(r.file.Seats, Entry{Name: name, Values: l.values, Line: l.line})
	}
}

// setting takes an entry of [limits] or [budget]. Which there are the flags know.
func (r *reader) setting(l leaf) {
	name, top := l.path[1], l.path[0]
	number := l.kind == kindNumber || l.kind == kindFloat
	if len(l.path) > 2 || !number && l.kind != kindText {
		r.tell(l.line, `%s in [%s] is a number, or a time in quotes such as "90s"`, dotted(l.path[1:]), top)
		return
	}
	if r.again(l.path, l.line, Named(name)+" in ["+top+"]") {
		return
	}
	s := Setting{Name: name, Value: l.values[0], Quoted: !number, Line: l.line}
	if number {
		value, ok := r.number(l, 0, most)
		if !ok {
			return
		}
		s.Value = strconv.FormatFloat(value, 'f', -1, 64)
	}
	if top == "limits" {
		r.file.Limits = append(r.file.Limits, s)
	} else {
		r.file.Budget = append(r.file.Budget, s)
	}
}

// number reads a number from least to largest, or tells that it is none.
func (r *reader) number(l leaf, least, largest float64) (float64, bool) {
	value := math.NaN()
	if l.kind == kindNumber || l.kind == kindFloat {
		text := strings.ReplaceAll(l.values[0], "_", "")
		if n, err := strconv.ParseInt(text, 0, 64); err == nil {
			value = float64(n)
		} else if f, err := strconv.ParseFloat(text, 64); err == nil {
			value = f
		}
	}
	// No number is NaN, and NaN is in no range.
	if value >= least && value <= largest {
		return value, true
	}
	r.tell(l.line, "%s is a number from %s to %s, without quotes", entryOf(l.path),
		strconv.FormatFloat(least, 'f', -1, 64), strconv.FormatFloat(largest, 'f', -1, 64))
	return 0, false
}

// entryOf is an entry and its table in a sentence. The key in has quotes, lest it be
// read as the word.
func entryOf(path []string) string {
	last := len(path) - 1
	name := Named(path[last])
	if name == "in" {
		name = `"in"`
	}
	return name + " in [" + dotted(path[:last]) + "]"
}

// price finds the price of a model, or adds it. What it does not say is NaN.
func (r *reader) price(model string, line int) *Price {
	for i := range r.file.Prices {
		if p := &r.file.Prices[i]; p.Model == model {
			return p
		}
	}
	r.file.Prices = append(r.file.Prices, Price{Model: model, In: math.NaN(), Out: math.NaN(), Line: line})
	return &r.file.Prices[len(r.file.Prices)-1]
}

// priced takes an entry of [prices.MODEL].
func (r *reader) priced(l leaf) {
	name, table := l.path[2], dotted(l.path[:2])
	into := r.price(l.path[1], l.line)
	known := []string{"in", "out"}
	if len(l.path) > 3 || !slices.Contains(known, name) {
		r.tell(l.line, "unknown key %s in [%s]%s%s", dotted(l.path[2:]), table, Meant(enum.Nearest(name, known)),
			dots(l.path))
		return
	}
	value, ok := r.number(l, 0, dearest)
	if !ok {
		r.mispriced[l.path[1]] = true
		return
	}
	if r.again(l.path, l.line, entryOf(l.path)) {
		return
	}
	if name == "in" {
		into.In = value
	} else {
		into.Out = value
	}
}

// whole tells what is missing where a table needs it, and leaves that table out.
func (r *reader) whole() {
	r.deciding = true
	r.file.Prices = slices.DeleteFunc(r.file.Prices, func(p Price) bool {
		half := math.IsNaN(p.In) || math.IsNaN(p.Out)
		if half && !r.mispriced[p.Model] {
			r.tell(p.Line, "the price of %s is half said: it is %s, in US dollars per million tokens", Named(p.Model),
				bothPrices)
		}
		return half || r.mispriced[p.Model]
	})
	r.file.Participants = slices.DeleteFunc(r.file.Participants, func(p Participant) bool {
		// Where it was given and wrong, that was told.
		if p.Is == "" && p.Lines["is"] == 0 {
			r.tell(p.Line, `[%s] does not say who it is: write is = "openai:gpt-5-mini", or another participant`, dotted([]string{"participants", p.Name}))
		}
		return p.Is == ""
	})
}
