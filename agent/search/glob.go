package search

import "strings"

// A glob is one path pattern of a .gitignore file, cut at its slashes. The
// segment "**" stands for any number of folders; every other segment is
// matched against exactly one name of the path by matchSegment.
type glob []string

// match reports whether the names of a path (its slash-separated parts) match
// the whole pattern. It takes O(len(g) × len(names)) segment comparisons, so
// that no pattern in a foreign file can make the walk hang.
func (g glob) match(names []string) bool {
	// reach[i] says whether the segments read so far match the first i names.
	reach := make([]bool, len(names)+1)
	reach[0] = true
	for s, segment := range g {
		if segment == "**" {
			spread(reach, s == len(g)-1)
			continue
		}
		for i := len(names); i > 0; i-- {
			reach[i] = reach[i-1] && matchSegment(segment, names[i-1])
		}
		reach[0] = false
	}
	return reach[len(names)]
}

// spread applies a "**" segment. At the end of a pattern it needs at least one
// more name ("a/**" is what lies in a, not a itself); elsewhere it may be empty.
func spread(reach []bool, last bool) {
	seen := false
	for i := range reach {
		before := seen
		seen = seen || reach[i]
		if last {
			reach[i] = before
		} else {
			reach[i] = seen
		}
	}
}

// matchSegment matches one name against one segment as git does: "*" is any
// run of characters, "?" any one, "[…]" a class, and a backslash takes the next
// character literally. Only the last star is ever tried again, which is enough
// within a segment and keeps the cost at O(len(segment) × len(name)).
func matchSegment(segment, name string) bool {
	p, n := 0, 0
	star, resume := -1, 0
	for n < len(name) {
		if p < len(segment) && segment[p] == '*' {
			star, resume = p, n
			p++
			continue
		}
		if width, ok := matchOne(segment[p:], name[n]); ok {
			p += width
			n++
			continue
		}
		if star < 0 {
			return false
		}
		resume++
		p, n = star+1, resume
	}
	return strings.Trim(segment[p:], "*") == ""
}

// matchOne matches the byte c against the first element of a segment and
// returns how many bytes of the segment that element takes.
func matchOne(segment string, c byte) (int, bool) {
	if segment == "" {
		return 0, false
	}
	switch segment[0] {
	case '?':
		return 1, true
	case '[':
		return matchClass(segment, c)
	case '\\':
		if len(segment) < 2 {
			return 0, false
		}
		return 2, segment[1] == c
	default:
		return 1, segment[0] == c
	}
}

// matchClass matches c against the class that a segment begins with. A class
// that is not closed matches nothing, as in git.
func matchClass(segment string, c byte) (int, bool) {
	i, negated, found := 1, false, false
	if i < len(segment) && (segment[i] == '!' || segment[i] == '^') {
		negated = true
		i++
	}
	for first := true; i < len(segment); first = false {
		if segment[i] == ']' && !first {
			return i + 1, found != negated
		}
		if name, width := posixClass(segment[i:]); width > 0 {
			found = found || inPosixClass(name, c)
			i += width
			continue
		}
		low, width := classByte(segment[i:])
		i += width
		high := low
		if i+1 < len(segment) && segment[i] == '-' && segment[i+1] != ']' {
			high, width = classByte(segment[i+1:])
			i += 1 + width
		}
		found = found || low <= c && c <= high
	}
	return 0, false
}

// classByte reads one possibly escaped byte of a class and its width.
func classByte(s string) (byte, int) {
	if s[0] == '\\' && len(s) > 1 {
		return s[1], 2
	}
	return s[0], 1
}

// posixClass reads "[:name:]" at the start of s; the width is 0 if there is none.
func posixClass(s string) (name string, width int) {
	if !strings.HasPrefix(s, "[:") {
		return "", 0
	}
	end := strings.Index(s, ":]")
	if end < 2 {
		return "", 0
	}
	return s[2:end], end + 2
}

// inPosixClass says whether c is in a named class of the C locale, as pairs of
// the first and last byte of each of its ranges. An unknown name holds nothing.
func inPosixClass(name string, c byte) bool {
	var ranges string
	switch name {
	case "alpha":
		ranges = "azAZ"
	case "alnum":
		ranges = "azAZ09"
	case "digit":
		ranges = "09"
	case "lower":
		ranges = "az"
	case "upper":
		ranges = "AZ"
	case "space":
		ranges = "\t\r  "
	case "blank":
		ranges = "\t\t  "
	case "xdigit":
		ranges = "09afAF"
	case "punct":
		ranges = "!/:@[`{~"
	case "cntrl":
		ranges = "\x00\x1f\x7f\x7f"
	case "print":
		ranges = " ~"
	case "graph":
		ranges = "!~"
	}
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] <= c && c <= ranges[i+1] {
			return true
		}
	}
	return false
}
