package detect

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// moment finds dates, times, and both; dates with the name of a month as well.
var moment = regexp.MustCompile(`(?i)(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2})?)?|\b(\d{1,2}:\d{2})(?::\d{2})?\b|` +
	`\b(\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*`)

// dayRange finds two days of one month, of which the second alone names it.
var dayRange = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?\.? ?(?:to|and|until|till|through|-|–) ?(\d{1,2})(?:st|nd|rd|th)?\.? ((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)`)

// slack is by how much an act may miss a window that is told to the minute.
const slack = 20 * time.Minute

// dayOf is the day that a text names where it names just one, else that of the moment.
func dayOf(s string, at time.Time) time.Time {
	day := at.UTC().Truncate(24 * time.Hour)
	named := map[string]bool{}
	for _, m := range moment.FindAllStringSubmatch(s, -1) {
		if m[1] != "" {
			named[m[1]] = true
		}
	}
	if len(named) != 1 {
		return day
	}
	for one := range named {
		if d, err := time.Parse(time.DateOnly, one); err == nil {
			return d
		}
	}
	return day
}

// spanIn reads the times that a text names as a window: from the first to the last.
// A single day is that day, a single time a window without length. Times without
// a date are of the date before them, or of the day given.
func spanIn(s string, day time.Time) (span, bool) {
	const most = 8
	var from, to time.Time
	s = dayRange.ReplaceAllString(s, "$1 $3 to $2 $3")
	points, days := 0, 0
	for _, m := range moment.FindAllStringSubmatch(s, most) {
		first, last := day, day
		date := m[1]
		if m[4] != "" {
			date = monthDay(m[4], m[5], day)
		}
		if date != "" {
			d, err := time.Parse(time.DateOnly, date)
			if err != nil {
				continue
			}
			day, first, last = d, d, d
		}
		clock := m[2] + m[3]
		if clock == "" {
			last = last.Add(24*time.Hour - time.Second)
			days++
		} else {
			c, err := time.Parse("15:04", clock)
			if err != nil {
				continue
			}
			first = first.Add(time.Duration(c.Hour())*time.Hour + time.Duration(c.Minute())*time.Minute)
			last = first
		}
		if points > 0 && date == "" && last.Before(from) {
			last = last.Add(24 * time.Hour)
		}
		if points == 0 || first.Before(from) {
			from = first
		}
		if points == 0 || last.After(to) {
			to = last
		}
		points++
	}
	if points == 0 {
		return span{}, false
	}
	words := " " + strings.ToLower(s) + " "
	if points == 1 {
		switch {
		case hasAny(words, " until ", " till ", " expires ", " due ", " through ", " by "):
			from = time.Time{}
		case hasAny(words, " since ", " from ", " after ", " starting "):
			to = time.Time{}
		case days == 0 && !strings.Contains(s, "-"):
			// A time in a sentence is no window.
			return span{}, false
		}
	}
	return span{from, to}, true
}

// monthDay is a day of a month in the year of another day, as 2006-01-02.
func monthDay(number, month string, near time.Time) string {
	names := "janfebmaraprmayjunjulaugsepoctnovdec"
	n, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	const letters = 3
	return fmt.Sprintf("%04d-%02d-%02d", near.Year(), strings.Index(names, strings.ToLower(month))/letters+1, n)
}

func hasAny(s string, texts ...string) bool {
	for _, one := range texts {
		if strings.Contains(s, one) {
			return true
		}
	}
	return false
}

// includes reports whether a moment lies in the window, or just beside it.
func (s span) includes(t time.Time) bool {
	return (s.from.IsZero() || !t.Before(s.from.Add(-slack))) && (s.to.IsZero() || !t.After(s.to.Add(slack)))
}

// timeIn is the first time that a text names to the minute, of the day given where it
// has no date.
func timeIn(s string, near time.Time) (time.Time, bool) {
	day := near.UTC().Truncate(24 * time.Hour)
	m := moment.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, false
	}
	if m[1] != "" {
		d, err := time.Parse(time.DateOnly, m[1])
		if err != nil {
			return time.Time{}, false
		}
		day = d
	}
	clock := m[2] + m[3]
	if clock == "" {
		return day, m[1] != ""
	}
	c, err := time.Parse("15:04", clock)
	if err != nil {
		return time.Time{}, false
	}
	return day.Add(time.Duration(c.Hour())*time.Hour + time.Duration(c.Minute())*time.Minute), true
}
