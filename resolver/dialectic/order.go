package dialectic

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// compared orders two values that G6 can tell the order of: numbers of one unit,
// where a bare one is of any; moments and days; versions.
func compared(value, limit json.RawMessage) (order int, ok bool) {
	a, okA := quantityOf(value)
	b, okB := quantityOf(limit)
	if okA && okB {
		return a.number.Cmp(b.number), a.unit == b.unit || a.unit == "" || b.unit == ""
	}
	if a, b := momentOf(value), momentOf(limit); a != "" && b != "" {
		// A moment is before a day if its own day is.
		least := min(len(a), len(b))
		return strings.Compare(a[:least], b[:least]), true
	}
	if a, b := versionOf(value), versionOf(limit); a != nil && b != nil {
		return slices.CompareFunc(a, b, cmp.Compare[int]), true
	}
	return 0, false
}

// momentOf is a text that is a date or a time stamp, in the form of ISO 8601 and
// in UTC, or "".
func momentOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	if moment, err := time.Parse(time.RFC3339, strings.TrimSpace(text)); err == nil {
		return moment.UTC().Format("2006-01-02T15:04:05.000000000")
	}
	if a, ok := wholeAtom(raw); ok && a.kind == atomDate && len(a.text) == len(time.DateOnly) && a.text[4] == '-' {
		return a.text
	}
	return ""
}

// versionOf is the figures of a text that is a version without a stage, such as
// v1.26.0, or of a number beside one; nil for anything else.
func versionOf(raw json.RawMessage) []int {
	a, ok := wholeAtom(raw)
	if !ok || a.with != "" {
		return nil
	}
	var version []int
	for part := range strings.SplitSeq(strings.TrimPrefix(a.shown, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil
		}
		version = append(version, n)
	}
	return version
}
