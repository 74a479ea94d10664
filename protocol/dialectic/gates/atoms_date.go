package gates

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// date reads a date in digits or words. Its canonical form is ISO 8601: 2026-11-21, 2026-11 for a month,
// --11-21 without a year.
func (s *scanner) date() bool {
	end := s.at
	for end < len(s.text) && isLetter(s.text[end]) {
		end++
	}
	if !isDigit(s.text[s.at]) && (end-s.at > len("september") || !isMonth(s.text[s.at:end])) {
		return false
	}
	text, end := dateAt(s.text, s.at)
	if text == "" {
		return false
	}
	s.add(atomDate, text, "", end)
	// The letter in 2026-11-21t14:30 separates two atoms.
	if byteAt(s.text, end) == 't' && isDigit(byteAt(s.text, end+1)) {
		s.at++
		if !s.clock() {
			s.at--
		}
	}
	return true
}

// dateAt reads the longest date of up to four words.
func dateAt(text string, at int) (date string, end int) {
	words := make([]int, 0, 4)
	for next := at; len(words) < 4 && next < len(text) && next-at < 40; next++ {
		for next < len(text) && text[next] != ' ' && next-at < 40 {
			next++
		}
		words = append(words, next)
	}
	for i := len(words) - 1; i >= 0; i-- {
		end := at + len(trimRight(text[at:words[i]], ".,;:!?)]}'\"`"))
		if i == 0 {
			// 2026-11-21t14:30
			if t := strings.IndexByte(text[at:end], 't'); t > 0 && isDigit(byteAt(text, at+t+1)) &&
				isDigit(text[at+t-1]) {
				end = at + t
			}
		}
		if date := parsedDate(text[at:end], i+1); date != "" {
			// "may 10 ms pass" contains no date.
			if unit, _, _ := unitAt(text, end); unit != "" && strings.HasPrefix(date, "--") {
				return "", 0
			}
			return date, end
		}
	}
	return "", 0
}

// parsedDate returns the canonical form of a date of some words, or "".
func parsedDate(text string, words int) string {
	if words == 1 {
		layouts := [...]string{
			"2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "2-1-2006", "2-Jan-2006",
			"2-January-2006",
		}
		for _, layout := range layouts {
			if t, err := time.Parse(layout, text); err == nil {
				return t.Format(time.DateOnly)
			}
		}
		if t, err := time.Parse("2006-01", text); err == nil {
			return t.Format("2006-01")
		}
		day, errDay := time.Parse("2/1/2006", text)
		other, errMonth := time.Parse("1/2/2006", text)
		switch {
		case errDay == nil && errMonth == nil && !day.Equal(other):
			// Both orders are possible: only the same text matches.
			return text
		case errDay == nil:
			return day.Format(time.DateOnly)
		case errMonth == nil:
			return other.Format(time.DateOnly)
		}
		return ""
	}
	var parts []string
	for word := range strings.FieldsSeq(text) {
		word = trimRight(word, ",.")
		if n := len(word); n > 2 && isDigit(word[0]) && isOrdinal(word[n-2:]) {
			word = word[:n-2]
		}
		if word == "sept" {
			word = "sep"
		}
		if word != "of" && word != "the" {
			parts = append(parts, word)
		}
	}
	text = strings.Join(parts, " ")
	for _, l := range [...]struct{ layout, canonical string }{
		{"2 Jan 2006", time.DateOnly},
		{"2 January 2006", time.DateOnly},
		{"Jan 2 2006", time.DateOnly},
		{"January 2 2006", time.DateOnly},
		{"Jan 2006", "2006-01"},
		{"January 2006", "2006-01"},
		{"2 Jan", "--01-02"},
		{"2 January", "--01-02"},
		{"Jan 2", "--01-02"},
		{"January 2", "--01-02"},
	} {
		if t, err := time.Parse(l.layout, text); err == nil {
			return t.Format(l.canonical)
		}
	}
	return ""
}

// oneOrTwoDigits reads a number of at most two digits, and of at least least.
func oneOrTwoDigits(text string, at, least int) (value, end int, ok bool) {
	end = digitsAt(text, at)
	if n := end - at; n < least || n > 2 {
		return 0, at, false
	}
	value, err := strconv.Atoi(text[at:end])
	return value, end, err == nil
}

// isMonth reports whether a word is the name of a month.
func isMonth(word string) bool {
	_, short := time.Parse("Jan", word)
	_, long := time.Parse("January", word)
	return short == nil || long == nil || word == "sept"
}

// after skips the first of the words that the text has at an offset.
func after(text string, at int, words ...string) int {
	for _, w := range words {
		if strings.HasPrefix(text[at:], w) {
			return at + len(w)
		}
	}
	return at
}

// clock reads a time of day: 14:30, 14:30:00Z, 2:30 pm, 2pm. Its canonical form is 14:30:00, with the zone kept
// separately.
func (s *scanner) clock() bool {
	hour, end, ok := oneOrTwoDigits(s.text, s.at, 1)
	if !ok || hour > 24 {
		return false
	}
	minute, second, fraction, exact := 0, 0, "", false
	if m, to, ok := minuteAt(s.text, end); ok {
		minute, end, exact = m, to, true
		if sec, to, ok := minuteAt(s.text, end); ok {
			second, end = sec, to
			if to := digitsAt(s.text, end+1); byteAt(s.text, end) == '.' && to > end+1 {
				fraction, end = strings.TrimRight(s.text[end:to], "0."), to
			}
		}
	}
	if to := after(s.text, end, " am", "am", " a.m.", " pm", "pm", " p.m."); to > end && !isWord(byteAt(s.text, to)) &&
		hour >= 1 && hour <= 12 {
		hour %= 12
		if strings.Contains(s.text[end:to], "p") {
			hour += 12
		}
		end, exact = to, true
	}
	if !exact {
		return false
	}
	zone, end := zoneAt(s.text, end)
	if isWord(byteAt(s.text, end)) {
		return false
	}
	s.add(atomClock, fmt.Sprintf("%02d:%02d:%02d%s", hour, minute, second, fraction), zone, end)
	return true
}

// minuteAt reads :30.
func minuteAt(text string, at int) (value, end int, ok bool) {
	if byteAt(text, at) != ':' {
		return 0, at, false
	}
	value, end, ok = oneOrTwoDigits(text, at+1, 2)
	return value, end, ok && value < 60
}

// zoneAt reads a time zone: z, utc, +01:00, or "".
func zoneAt(text string, at int) (zone string, end int) {
	for _, name := range [...]string{
		"z", " z", " utc", "utc", " gmt", " cet", " cest", " est", " edt", " pst", " pdt",
		" bst", " ist",
	} {
		if to := at + len(name); strings.HasPrefix(text[at:], name) && !isWord(byteAt(text, to)) {
			zone = strings.TrimSpace(name)
			if zone == "z" || zone == "gmt" {
				zone = "utc"
			}
			return zone, to
		}
	}
	sign := byteAt(text, at)
	hours, end, ok := oneOrTwoDigits(text, at+1, 2)
	if sign != '+' && sign != '-' || !ok {
		return "", at
	}
	minutes, end, ok := oneOrTwoDigits(text, after(text, end, ":"), 2)
	if !ok {
		return "", at
	}
	if hours == 0 && minutes == 0 {
		return "utc", end
	}
	return fmt.Sprintf("%c%02d:%02d", sign, hours, minutes), end
}
