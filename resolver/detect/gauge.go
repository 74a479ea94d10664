package detect

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sample is a number of something at a time.
type sample struct {
	at    time.Time
	n     float64
	place int32
}

// gauges are the numbers of a packet: for a thing and what is measured of it those that
// facts give, in the order of time.
type gauges struct {
	series map[string][]sample
	// of are the series that a fact has a part in; groups are for a fact the numbers of
	// things beside each other.
	of     map[int32][]string
	groups map[int32][]point
}

// How far a number is from what it was to be out of its course.
const (
	outOf      = 1.5
	mostGauged = 64
)

var (
	// timeThenNumber finds "20:47: 418" in a sentence, numberThenTime "98 % at 05:30".
	timeThenNumber = regexp.MustCompile(`\b(\d{1,2}:\d{2})(?::\d{2})?[^0-9:;,.-]{1,16}(\d+(?:\.\d+)?)(?:[^0-9:.]|$)`)
	numberThenTime = regexp.MustCompile(`(\d+(?:\.\d+)?) ?(?:%|[a-z]{1,12})? (?:at|by|until|from|since|after) (\d{1,2}:\d{2})`)
	// fromTo finds "from 240 ms to 1900 ms" and "240 ms -> 1900 ms".
	fromTo = regexp.MustCompile(`(\d+(?:\.\d+)?) ?(?:%|[a-z/]{1,6})? ?(?:->|→|=>|to) ?(\d+(?:\.\d+)?)(?:[^0-9:.-]|$)`)
)

func newGauges(t *tracer, most int) *gauges {
	g := &gauges{series: map[string][]sample{}, of: map[int32][]string{}, groups: map[int32][]point{}}
	for i := range most {
		g.read(t, int32(i))
	}
	for _, all := range g.series {
		slices.SortStableFunc(all, func(a, b sample) int { return a.at.Compare(b.at) })
	}
	return g
}

// read takes the numbers of a fact.
func (g *gauges) read(t *tracer, place int32) {
	f := t.packet.At(int(place))
	name := f.Entity + "|" + measureOf(f.Field)
	value := string(f.Value)
	if n, is := single(place, t); is {
		g.add(name, sample{f.At, n, place})
		return
	}
	var decoded any
	if json.Unmarshal([]byte(value), &decoded) != nil {
		return
	}
	switch v := decoded.(type) {
	case string:
		g.text(name, v, f.At, place)
	case []any:
		for _, one := range v {
			pair, is := one.([]any)
			if !is || len(pair) != 2 {
				continue
			}
			at, named := timeIn(textOf(pair[0]), f.At)
			if n, is := numeric(pair[1]); is && named {
				g.add(name, sample{at, n, place})
			}
		}
	case map[string]any:
		g.object(name, v, f.At, place)
	}
}

// object takes the numbers of an object: by times, or by things, or both.
func (g *gauges) object(name string, v map[string]any, at time.Time, place int32) {
	for _, key := range slices.Sorted(maps.Keys(v)) {
		when, timed := timeIn(key, at)
		lower := strings.ToLower(key)
		switch {
		case lower == "before" || lower == "baseline" || strings.HasPrefix(lower, "before "):
			when, timed = at.Add(-12*time.Hour), true
		case lower == "after" || lower == "now":
			when, timed = at, true
		}
		if n, is := numeric(v[key]); is {
			if timed {
				g.add(name, sample{when, n, place})
			} else {
				g.groups[place] = append(g.groups[place], point{key: lower, at: at, n: n})
				g.add(name+"|"+lower, sample{at, n, place})
			}
			continue
		}
		inner, is := v[key].(map[string]any)
		if !is {
			continue
		}
		for _, below := range slices.Sorted(maps.Keys(inner)) {
			n, is := numeric(inner[below])
			if !is {
				continue
			}
			if timed {
				g.groups[place] = append(g.groups[place], point{key: strings.ToLower(below), at: when, n: n})
				g.add(name+"|"+strings.ToLower(below), sample{when, n, place})
				continue
			}
			if then, named := timeIn(below, at); named {
				g.add(name+"|"+lower, sample{then, n, place})
			}
		}
	}
}

// text takes the numbers of a sentence.
func (g *gauges) text(name, s string, at time.Time, place int32) {
	found := false
	for _, m := range timeThenNumber.FindAllStringSubmatch(s, mostGauged) {
		found = g.clocked(name, m[1], m[2], at, place) || found
	}
	for _, m := range numberThenTime.FindAllStringSubmatch(s, mostGauged) {
		found = g.clocked(name, m[2], m[1], at, place) || found
	}
	if found {
		return
	}
	if m := fromTo.FindStringSubmatch(strings.ToLower(s)); m != nil {
		from, _ := strconv.ParseFloat(m[1], 64)
		to, _ := strconv.ParseFloat(m[2], 64)
		g.add(name+"|pair", sample{at.Add(-12 * time.Hour), from, place})
		g.add(name+"|pair", sample{at, to, place})
		return
	}
	const short = 24
	if n, _, is := numberIn(s); is && len(s) <= short && strings.IndexAny(s, "0123456789-") == 0 && !strings.ContainsAny(s, ":.") {
		g.add(name, sample{at, n, place})
	} else if is && len(s) <= short && strings.IndexAny(s, "0123456789") == 0 && strings.Count(s, ".") == 1 && !strings.Contains(s, ":") {
		g.add(name, sample{at, n, place})
	}
}

func (g *gauges) clocked(name, clock, number string, at time.Time, place int32) bool {
	when, is := timeIn(clock, at)
	n, err := strconv.ParseFloat(number, 64)
	if !is || err != nil {
		return false
	}
	g.add(name, sample{when, n, place})
	return true
}

func (g *gauges) add(name string, s sample) {
	if len(g.series[name]) == mostGauged {
		return
	}
	g.series[name] = append(g.series[name], s)
	if !slices.Contains(g.of[s.place], name) {
		g.of[s.place] = append(g.of[s.place], name)
	}
}

// numeric reads a number, or a text that begins with one: "2190 of 4820", "40 %".
func numeric(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		n, _, is := numberIn(v)
		if !is || strings.IndexAny(v, "0123456789") != 0 || strings.ContainsAny(v, ":") || strings.Count(v, ".") > 1 || strings.Count(v, "-") > 1 {
			return 0, false
		}
		return n, true
	}
	return 0, false
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}

// measureOf is what a field measures: its words without numbers, times and what it is by.
func measureOf(field string) string {
	var kept []string
	for _, w := range nameWords(field) {
		word := string(w.text)
		if hasDigit(word) && len(kept) > 0 || slices.Contains([]string{"now", "still", "again", "today", "after", "before", "later", "current"}, word) {
			continue
		}
		if word == "by" || word == "since" || word == "between" {
			break
		}
		kept = append(kept, word)
	}
	const most = 3
	return strings.Join(kept[:min(len(kept), most)], " ")
}
