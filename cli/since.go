package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseSince reads the value of --since: a date such as 2026-11-21, which begins at midnight in the local time zone, or
// a time before now such as 12h, 7d or 2w.
func parseSince(text string, now time.Time) (time.Time, error) {
	text = strings.TrimSpace(text)
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return day, nil
	}
	if n := len(text); n > 1 {
		number, err := strconv.Atoi(text[:n-1])
		if days := map[byte]int{'d': 1, 'w': 7}[text[n-1]]; err == nil && number > 0 && number < 100_000 && days > 0 {
			return now.AddDate(0, 0, -number*days), nil
		}
		if before, err := time.ParseDuration(text); err == nil && before > 0 {
			return now.Add(-before), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither a date such as %s nor a time such as 12h, 7d or 2w", text,
		now.Format(time.DateOnly))
}
