package domain

import (
	"encoding/json"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"moot/ledger"
)

// Limits for one value, and for a gap in a phrase.
const (
	maxLeaves = 200
	maxGap    = 12
	maxWords  = 2000
)

// leaf is one scalar of a fact's value.
type leaf struct {
	// path holds the words of the field and of the keys that lead to it.
	path []string
	// text is the value as text. number is set if it begins with a number.
	text   string
	number *float64
	// words holds the words of the path and the text. It is empty for a negative value: false, null, 0, "none".
	words []string
}

// fact is a parsed fact of a packet.
type fact struct {
	*ledger.PacketFact
	leaves []leaf
	// words holds the words of all leaves.
	words []string
	// ends holds the two ends of an edge or the entity, accounts the acting accounts, names all identifiers in
	// the fact.
	ends, accounts []string
	names          map[string]bool
	// from and to are the stated time window, or zero.
	from, to time.Time
	// isField says that the value is no object or list. parts are the facts of an event; only events have them. flows
	// is the flow that an event states, also for its parts.
	isField bool
	parts   []*fact
	flows   *flow
	// record is the record of a log whose fields the parts are, or nil.
	record *ledger.Event
}

// readFact parses a fact.
func readFact(f *ledger.PacketFact, t *times) *fact {
	r := &fact{PacketFact: f, names: map[string]bool{}}
	for end := range strings.SplitSeq(f.Entity, "->") {
		if end = name(end); end != "" {
			r.ends = append(r.ends, end)
		}
	}
	var value any
	if json.Unmarshal([]byte(f.Value), &value) == nil {
		switch value.(type) {
		case map[string]any, []any:
		default:
			r.isField = true
		}
		r.take(splitWords(f.Field, true), value)
	}
	for i := range r.leaves {
		l := &r.leaves[i]
		r.words = append(r.words, l.words...)
		separates := func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`,;:()[]"'=|`, c) }
		for one := range strings.FieldsFuncSeq(l.text, separates) {
			r.names[name(one)] = true
		}
		if isAccount(l.path) {
			r.accounts = append(r.accounts, name(l.text))
		}
	}
	for _, end := range r.ends {
		r.names[end] = true
	}
	delete(r.names, "")
	r.window(t)
	return r
}

// take collects the scalars of a value.
func (r *fact) take(path []string, value any) {
	if len(r.leaves) >= maxLeaves || len(r.words) > maxWords {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			r.take(slices.Concat(path, splitWords(key, true)), v[key])
		}
	case []any:
		for _, one := range v {
			r.take(path, one)
		}
		if len(v) == 0 {
			r.take(path, nil)
		}
	case string:
		r.leaf(path, v)
	case float64:
		r.leaf(path, strconv.FormatFloat(v, 'f', -1, 64))
	case bool:
		r.leaf(path, strconv.FormatBool(v))
	case nil:
		r.leaf(path, "null")
	}
}

func (r *fact) leaf(path []string, text string) {
	l := leaf{path: path, text: text}
	digits := strings.TrimLeft(text, "-0123456789.,")
	if n, err := strconv.ParseFloat(strings.ReplaceAll(text[:len(text)-len(digits)], ",", ""), 64); err == nil {
		l.number = &n
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "false", "null", "0", "", "none", "no", "n/a", "never", "nobody", "nothing", "-":
	default:
		l.words = slices.Concat(path, splitWords(text, false))
		if strings.HasSuffix(text, "$") {
			l.words = append(l.words, "machine", "account")
		}
	}
	r.leaves = append(r.leaves, l)
}

// splitWords returns the words of a text in lower case: runs of letters and digits. In field names, a capital
// after a small letter also begins a word.
func splitWords(text string, isName bool) []string {
	var words []string
	start, last := -1, ' '
	for i, c := range text {
		part := unicode.IsLetter(c) || unicode.IsDigit(c)
		if start >= 0 && (!part || isName && unicode.IsUpper(c) && unicode.IsLower(last)) {
			words = append(words, strings.ToLower(text[start:i]))
			start = -1
		}
		if part && start < 0 {
			start = i
		}
		last = c
	}
	if start >= 0 {
		words = append(words, strings.ToLower(text[start:]))
	}
	return words
}

// name normalizes an identifier, so that facts from several sources can be compared: lower case, without the
// domain of an account, a type before a slash, and punctuation around it.
func name(text string) string {
	text = strings.ToLower(strings.Trim(strings.TrimSpace(text), ".$\"'`<>{}"))
	if at := strings.LastIndexAny(text, `\/`); at >= 0 && !strings.Contains(text[:at], " ") {
		text = text[at+1:]
	}
	text, _, _ = strings.Cut(text, "@")
	text, _, _ = strings.Cut(text, " ")
	return text
}

// isAccount reports whether a path names the acting account.
func isAccount(path []string) bool {
	switch path[len(path)-1] {
	case "user", "username", "account", "login", "principal", "subject", "actor", "operator", "by", "uid":
		return true
	case "name":
		return len(path) > 1 && slices.Contains([]string{"user", "account"}, path[len(path)-2])
	}
	return false
}

// phrase is a sequence of words; gap matches any words in between.
type phrase []string

type phrases []phrase

const gap = "..."

// compile parses a phrase. It returns nil for an invalid one.
func compile(text string) phrase {
	var p phrase
	for i, word := range strings.Fields(text) {
		if word == gap && i > 0 {
			p = append(p, gap)
			continue
		}
		if words := splitWords(word, false); len(words) == 1 && words[0] == word {
			p = append(p, word)
			continue
		}
		return nil
	}
	if len(p) > 0 && p[len(p)-1] == gap {
		return nil
	}
	return p
}

// in reports whether one of the phrases occurs in the words and is not negated.
func (all phrases) in(words []string) bool {
	for _, p := range all {
		for at, word := range words {
			if word == p[0] && p.matches(words[at:]) && !negated(words[max(0, at-3):at]) {
				return true
			}
		}
	}
	return false
}

// matches reports whether the words begin with the phrase.
func (p phrase) matches(words []string) bool {
	at := 0
	for i := 0; i < len(p); i++ {
		if p[i] == gap {
			next := slices.Index(words[at:min(len(words), at+maxGap+1)], p[i+1])
			if next < 0 {
				return false
			}
			at, i = at+next+1, i+1
			continue
		}
		if at >= len(words) || words[at] != p[i] {
			return false
		}
		at++
	}
	return true
}

// negated reports whether the words before a phrase negate it.
func negated(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "no", "not", "never", "without", "nobody", "neither", "nor", "cannot":
			return true
		}
		return false
	})
}

// holds reports whether the condition holds for a fact.
func (c *condition) holds(f *fact) bool {
	switch {
	case len(c.Sources) == 0 && f.SourceType == ledger.SourceManual:
		return false
	case len(c.Sources) > 0 && !slices.Contains(c.Sources, f.SourceType):
		return false
	case c.Public && !isPublic(f.target()):
		return false
	}
	words, bounded := f.words, c.AtLeast == nil
	if len(c.fields) > 0 {
		words = nil
		for i := range f.leaves {
			l := &f.leaves[i]
			// What comes in on the way back does not go to the public address.
			if !c.fields.in(l.path) || c.Public && slices.Contains(l.path, "in") {
				continue
			}
			words = append(words, l.words...)
			bounded = bounded || l.number != nil && *l.number >= *c.AtLeast
		}
	}
	if len(c.fields) > 0 && len(words) == 0 {
		return false
	}
	switch {
	case !bounded, c.without.in(f.words),
		len(c.words) > 0 && !c.words.in(words), len(c.and) > 0 && !c.and.in(words):
		return false
	}
	for _, m := range c.bits {
		if !slices.ContainsFunc(f.leaves, func(l leaf) bool {
			has, err := strconv.ParseUint(strings.TrimSpace(l.text), 0, 64)
			return err == nil && m.fields.in(l.path) && has&m.bits != 0
		}) {
			return false
		}
	}
	for key, allowed := range c.Is {
		if !slices.ContainsFunc(f.leaves, func(l leaf) bool {
			return c.is[key].in(l.path) && slices.Contains(allowed, strings.ToLower(l.text))
		}) {
			return false
		}
	}
	return true
}

// reads reports whether a condition that holds for a record reads one of its fields.
func (c *condition) reads(part *fact) bool {
	below := func(names phrases) bool {
		return slices.ContainsFunc(part.leaves, func(l leaf) bool { return names.in(l.path) })
	}
	if below(c.fields) || c.words.in(part.words) && len(c.fields) == 0 || c.and.in(part.words) && len(c.fields) == 0 {
		return true
	}
	for _, m := range c.bits {
		if below(m.fields) {
			return true
		}
	}
	for _, names := range c.is {
		if below(names) {
			return true
		}
	}
	return false
}

// target is where the flow of an event goes, else the second end of an edge or the entity.
func (r *fact) target() string {
	if r.flows != nil {
		return r.flows.to
	}
	return r.ends[len(r.ends)-1]
}

func anyHolds(when []condition, f *fact) bool {
	return slices.ContainsFunc(when, func(c condition) bool { return c.holds(f) })
}

// isPublic reports whether a name is a public address.
func isPublic(name string) bool {
	a, err := netip.ParseAddr(name)
	return err == nil && a.IsGlobalUnicast() && !a.IsPrivate()
}

// window reads the time window that a fact states: times or dates under keys such as from and to, two times in
// one text, or hours such as 22:00-23:30 on its own day.
func (r *fact) window(t *times) {
	var found []time.Time
	for i := range r.leaves {
		l := &r.leaves[i]
		for _, m := range t.moment.FindAllStringSubmatch(l.text, -1) {
			layout := "2006-01-02T15:04"
			if m[2] == "" {
				layout = "2006-01-02"
			}
			at, err := time.Parse(layout, m[1]+strings.Replace(m[2], " ", "T", 1))
			if err != nil {
				continue
			}
			switch l.path[len(l.path)-1] {
			case "until", "to", "end", "ends", "due", "expires":
				if m[2] == "" {
					at = at.Add(24*time.Hour - time.Second)
				}
				r.to = at
			case "from", "start", "begin", "begins":
				r.from = at
			default:
				found = append(found, at)
			}
		}
		if m := t.hours.FindStringSubmatch(l.text); m != nil {
			r.from, r.to = onDay(r.At, m[1]), onDay(r.At, m[2])
			if r.to.Before(r.from) {
				r.to = r.to.Add(24 * time.Hour)
			}
		}
	}
	if len(found) == 2 && r.from.IsZero() && r.to.IsZero() && found[1].After(found[0]) {
		r.from, r.to = found[0], found[1]
	}
}

// times finds moments and hours in texts.
type times struct{ moment, hours *regexp.Regexp }

func newTimes() times {
	return times{
		moment: regexp.MustCompile(`(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2})?`),
		hours:  regexp.MustCompile(`\b(\d{2}:\d{2})Z? ?(?:-|to|until) ?(\d{2}:\d{2})\b`),
	}
}

func onDay(day time.Time, clock string) time.Time {
	at, err := time.Parse("15:04", clock)
	if err != nil {
		return day
	}
	return time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
}
