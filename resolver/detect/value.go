package detect

import (
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
)

// Bounds of what is read of one value.
const (
	maxLeaves = 200
	maxDepth  = 16
)

// leaf is one scalar of a value, with the keys that lead to it.
type leaf struct {
	// path is the field and the keys, words those of it: as they stand, and taken
	// apart, once they are asked for.
	path  string
	words []word
	// value is a string, a float64, a bool or nil.
	value any
}

// name are the words of the field and the keys.
func (l *leaf) name() []word {
	if l.words == nil {
		l.words = nameWords(l.path)
	}
	return l.words
}

// leavesOf takes a value apart. Elements of a list have the name of the list.
func leavesOf(field string, value ledger.Value) []leaf {
	if plainText, is := scalar(value); is {
		return []leaf{{path: field, value: plainText}}
	}
	var decoded any
	if json.Unmarshal([]byte(value), &decoded) != nil {
		return nil
	}
	var leaves []leaf
	var walk func(name string, value any, depth int)
	walk = func(name string, value any, depth int) {
		if len(leaves) >= maxLeaves || depth > maxDepth {
			return
		}
		switch v := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(name+" "+key, v[key], depth+1)
			}
		case []any:
			for _, one := range v {
				walk(name, one, depth+1)
			}
		default:
			leaves = append(leaves, leaf{path: name, value: v})
		}
	}
	walk(field, decoded, 0)
	return leaves
}

// scalar reads a value that is a number or a text without escapes.
func scalar(value ledger.Value) (any, bool) {
	s := string(value)
	switch {
	case s == "":
		return nil, false
	case s[0] == '"' && strings.IndexByte(s, '\\') < 0:
		return s[1 : len(s)-1], true
	case s[0] >= '0' && s[0] <= '9' || s[0] == '-':
		n, err := strconv.ParseFloat(s, 64)
		return n, err == nil
	}
	return nil, false
}

// nameWords are the words of a name, as text.name reads them, to keep.
func nameWords(name string) []word {
	const few = 8
	t := text{words: make([]word, 0, few), buffer: make([]byte, 0, len(name)*2)} //nolint:mnd // the name may be read twice
	return t.name(name)
}

// number reads a leaf as a number: itself, or the first number of a text. Units make
// it bytes or seconds; they stand behind the number, or in the name.
func (l *leaf) number() (float64, bool) {
	switch v := l.value.(type) {
	case float64:
		return v * unitOfName(l.name()), true
	case string:
		n, unit, found := numberIn(v)
		if factor := unitFactor(unit); factor > 0 {
			return n * factor, found
		}
		return n * unitOfName(l.name()), found
	}
	return 0, false
}

// numberIn returns the first number of a text, and the word behind it.
func numberIn(s string) (n float64, unit string, found bool) {
	at := strings.IndexAny(s, "0123456789")
	if at < 0 {
		return 0, "", false
	}
	end := at
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || (s[end] == '.' || s[end] == ',') && end+1 < len(s) && s[end+1] >= '0' && s[end+1] <= '9') {
		end++
	}
	digits := s[at:end]
	if strings.Count(digits, ".") > 1 {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	if at > 0 && s[at-1] == '-' {
		n = -n
	}
	unit, _, _ = strings.Cut(strings.TrimLeft(s[end:], " "), " ")
	return n, strings.ToLower(strings.TrimRight(unit, ".,;/")), err == nil
}

func unitOfName(name []word) float64 {
	for _, w := range slices.Backward(name) {
		if factor := unitFactor(string(w.text)); factor > 0 {
			return factor
		}
	}
	return 1
}

// unitFactor is what a unit has of bytes or seconds; 0 for what is none.
func unitFactor(unit string) float64 {
	switch unit {
	case "kb", "kib", "kilobytes":
		return 1 << 10
	case "mb", "mib", "megabytes":
		return 1 << 20
	case "gb", "gib", "gigabytes":
		return 1 << 30
	case "tb", "tib", "terabytes":
		return 1 << 40
	case "ms", "msec", "millis", "milliseconds":
		return 1e-3
	case "min", "mins", "minute", "minutes":
		return 60
	case "h", "hr", "hrs", "hour", "hours":
		return 3600
	case "d", "day", "days":
		return 86400
	case "b", "byte", "bytes", "s", "sec", "secs", "second", "seconds":
		return 1
	}
	return 0
}

// addressIn is the address that a text begins with, a port taken off.
func addressIn(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if a, err := netip.ParseAddr(s); err == nil {
		return a, true
	}
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr(), true
	}
	if p, err := netip.ParsePrefix(s); err == nil {
		return p.Addr(), true
	}
	head, _, _ := strings.Cut(s, " ")
	if head == s {
		return netip.Addr{}, false
	}
	return addressIn(head)
}

// isPublic reports whether an address is none of networks of one's own.
func isPublic(a netip.Addr) bool {
	shared := netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64, 0, 0}), 10)
	return a.IsGlobalUnicast() && !a.IsPrivate() && !shared.Contains(a.Unmap())
}

// ends returns the two ends of an edge; of a node itself and "".
func ends(entity string) (from, to string) {
	for _, arrow := range []string{"->", "→", "=>"} {
		if a, b, found := strings.Cut(entity, arrow); found {
			return strings.TrimSpace(a), strings.TrimSpace(b)
		}
	}
	return strings.TrimSpace(entity), ""
}

// outside reports whether one end of an edge lies outside: a public address, or a name
// of several parts that ends in letters where the other end is no such name.
func outside(end, other string) bool {
	if a, is := addressIn(end); is {
		return isPublic(a)
	}
	return strings.Contains(end, "://") || isDomain(end) && !isDomain(other)
}

// isDomain reports whether a text looks as a name of the DNS.
func isDomain(s string) bool {
	s, _, _ = strings.Cut(s, ":")
	dot := strings.LastIndexByte(s, '.')
	if dot <= 0 || dot+2 >= len(s) || strings.ContainsAny(s, ` \/@`) {
		return false
	}
	return strings.IndexFunc(s[dot+1:], func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// isWritable reports whether a text has a path in it where anybody may put a program.
func isWritable(s string) bool {
	s = strings.ToLower(strings.ReplaceAll(s, `\`, "/"))
	for _, folder := range []string{
		"/tmp/", "/var/tmp/", "/dev/shm/", "/appdata/", "/temp/", "/programdata/", "/users/public/", "/downloads/",
		"/perflogs/", "/$recycle.bin/", "/run/user/", "/windows/tasks/", "/music/", "%temp%", "%appdata%",
	} {
		if strings.Contains(s, folder) {
			return true
		}
	}
	return false
}

// member is a number of an object, with its key.
type member struct {
	key string
	n   float64
}

// members are the numbers of an object, or of the objects in it, by their keys.
func members(value ledger.Value) []member {
	if !strings.HasPrefix(string(value), "{") {
		return nil
	}
	var decoded map[string]any
	if json.Unmarshal([]byte(value), &decoded) != nil {
		return nil
	}
	var all []member
	for _, key := range slices.Sorted(maps.Keys(decoded)) {
		switch v := decoded[key].(type) {
		case float64:
			all = append(all, member{key, v})
		case string:
			if n, _, is := numberIn(v); is && strings.IndexAny(v, "0123456789") == 0 && len(v) < len("100.000 %%") && !strings.Contains(v, ":") {
				all = append(all, member{key, n})
			}
		}
	}
	return all
}
