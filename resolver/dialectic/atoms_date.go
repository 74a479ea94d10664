package dialectic

import (
	"fmt"
	"strconv"
	"strings"
)

// date takes a date in figures or words. Its canonical form is ISO 8601:
// 2026-11-21, 2026-11 for a month, --11-21 where the year is not said.
func (s *scanner) date() bool {
	text, end := "", 0
	switch b := s.text[s.at]; {
	case isDigit(b):
		if text, end = isoDate(s.text, s.at); text == "" {
			text, end = figureDate(s.text, s.at)
		}
		if text == "" {
			text, end = dayFirst(s.text, s.at)
		}
	case isLetter(b):
		text, end = monthFirst(s.text, s.at)
	}
	if text == "" {
		return false
	}
	s.add(atomDate, text, "", end)
	// 2026-11-21t14:30: the letter stands between two atoms.
	if byteAt(s.text, end) == 't' && isDigit(byteAt(s.text, end+1)) {
		s.at++
		if !s.clock() {
			s.at--
		}
	}
	return true
}

// figures reads at most a number of digits.
func figures(text string, at, least, most int) (value, end int, ok bool) {
	end = digitsAt(text, at)
	if n := end - at; n < least || n > most {
		return 0, at, false
	}
	value, err := strconv.Atoi(text[at:end])
	return value, end, err == nil
}

// dateEnds reports whether no figure or word goes on at a place. A t begins a
// time.
func dateEnds(text string, at int) bool {
	b, next := byteAt(text, at), byteAt(text, at+1)
	if b == 't' && isDigit(next) {
		return true
	}
	return !isWord(b) && (strings.IndexByte("-/.", b) < 0 || !isDigit(next) && (b == '.' || !isWord(next)) || b == 0)
}

// isoDate reads 2026-11-21, 2026/11/21, 2026.11.21 and 2026-11.
func isoDate(text string, at int) (date string, end int) {
	year, end, ok := figures(text, at, 4, 4)
	separator := byteAt(text, end)
	if !ok || separator == 0 || strings.IndexByte("-/.", separator) < 0 {
		return "", 0
	}
	month, end, ok := figures(text, end+1, 1, 2)
	if !ok || month < 1 || month > 12 {
		return "", 0
	}
	if separator == '-' && dateEnds(text, end) {
		return fmt.Sprintf("%04d-%02d", year, month), end
	}
	if byteAt(text, end) != separator {
		return "", 0
	}
	day, end, ok := figures(text, end+1, 1, 2)
	if !ok || day < 1 || day > 31 || !dateEnds(text, end) {
		return "", 0
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day), end
}

// figureDate reads 21.11.2026 and, where only one order is possible, 21/11/2026
// and 11/21/2026. Where both are, the date is what it says and nothing else.
func figureDate(text string, at int) (date string, end int) {
	first, end, ok := figures(text, at, 1, 2)
	separator := byteAt(text, end)
	if !ok || separator == 0 || strings.IndexByte("-/.", separator) < 0 {
		return "", 0
	}
	second, end, ok := figures(text, end+1, 1, 2)
	if !ok || byteAt(text, end) != separator {
		return "", 0
	}
	year, end, ok := figures(text, end+1, 4, 4)
	if !ok || !dateEnds(text, end) || first < 1 || second < 1 {
		return "", 0
	}
	day, month := first, second
	switch {
	case separator == '.' || first > 12:
	case second > 12:
		day, month = second, first
	case first != second:
		return text[at:end], end
	}
	if month > 12 || day > 31 {
		return "", 0
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day), end
}

// month is the number of a month by its name, 0 for another word.
func month(name string) int {
	switch name {
	case "jan", "january":
		return 1
	case "feb", "february":
		return 2
	case "mar", "march":
		return 3
	case "apr", "april":
		return 4
	case "may":
		return 5
	case "jun", "june":
		return 6
	case "jul", "july":
		return 7
	case "aug", "august":
		return 8
	case "sep", "sept", "september":
		return 9
	case "oct", "october":
		return 10
	case "nov", "november":
		return 11
	case "dec", "december":
		return 12
	}
	return 0
}

// monthAt reads the name of a month, with the point of a short one.
func monthAt(text string, at int) (number, end int) {
	for end = at; end < len(text) && isLetter(text[end]); {
		end++
	}
	number = month(text[at:end])
	switch {
	case number == 0:
		return 0, at
	case byteAt(text, end) == '.' && end-at <= len("sept"):
		end++
	}
	return number, end
}

// after passes what may stand between the parts of a date.
func after(text string, at int, words ...string) int {
	for _, w := range words {
		if strings.HasPrefix(text[at:], w) {
			return at + len(w)
		}
	}
	return at
}

// dayAt reads 21 and 21st.
func dayAt(text string, at int) (day, end int, ok bool) {
	day, end, ok = figures(text, at, 1, 2)
	if !ok || day < 1 || day > 31 {
		return 0, at, false
	}
	if isOrdinal(text[end:min(end+2, len(text))]) {
		end += 2
	}
	return day, end, !isWord(byteAt(text, end))
}

// yearAt reads the year that may end a date, after a blank or a comma.
func yearAt(text string, at int) (year, end int, ok bool) {
	from := after(text, at, ", ", " ", "-")
	if from == at {
		return 0, at, false
	}
	year, end, ok = figures(text, from, 4, 4)
	return year, end, ok && !isWord(byteAt(text, end))
}

// dayFirst reads 21 November 2026, 21st of Nov, 21-nov-2026.
func dayFirst(text string, at int) (date string, end int) {
	day, end, ok := dayAt(text, at)
	if !ok {
		return "", 0
	}
	number, end := monthAt(text, after(text, end, " of ", ". ", " ", "-"))
	if number == 0 || isWord(byteAt(text, end)) {
		return "", 0
	}
	if year, stop, ok := yearAt(text, end); ok {
		return fmt.Sprintf("%04d-%02d-%02d", year, number, day), stop
	}
	return fmt.Sprintf("--%02d-%02d", number, day), end
}

// monthFirst reads November 21, 2026, Nov 21st and November 2026.
func monthFirst(text string, at int) (date string, end int) {
	number, end := monthAt(text, at)
	if number == 0 {
		return "", 0
	}
	next := after(text, end, " the ", " ")
	if day, stop, ok := dayAt(text, next); ok && next > end {
		if year, stop, ok := yearAt(text, stop); ok {
			return fmt.Sprintf("%04d-%02d-%02d", year, number, day), stop
		}
		// "may 10 ms pass" is no date.
		if unit, _, _ := unitAt(text, stop); unit != "" {
			return "", 0
		}
		return fmt.Sprintf("--%02d-%02d", number, day), stop
	}
	if year, stop, ok := yearAt(text, after(text, end, " of")); ok {
		return fmt.Sprintf("%04d-%02d", year, number), stop
	}
	return "", 0
}

// clock takes a time of day: 14:30, 14:30:00Z, 2:30 pm, 2pm. Its canonical form
// is 14:30:00 with the zone beside it.
func (s *scanner) clock() bool {
	hour, end, ok := figures(s.text, s.at, 1, 2)
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
	if to := after(s.text, end, " am", "am", " a.m.", " pm", "pm", " p.m."); to > end && !isWord(byteAt(s.text, to)) && hour >= 1 && hour <= 12 {
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
	value, end, ok = figures(text, at+1, 2, 2)
	return value, end, ok && value < 60
}

// zoneAt reads the zone of a time: z, utc, +01:00, "" where none is said.
func zoneAt(text string, at int) (zone string, end int) {
	for _, name := range [...]string{"z", " z", " utc", "utc", " gmt", " cet", " cest", " est", " edt", " pst", " pdt", " bst", " ist"} {
		if to := at + len(name); strings.HasPrefix(text[at:], name) && !isWord(byteAt(text, to)) {
			zone = strings.TrimSpace(name)
			if zone == "z" || zone == "gmt" {
				zone = "utc"
			}
			return zone, to
		}
	}
	sign := byteAt(text, at)
	hours, end, ok := figures(text, at+1, 2, 2)
	if sign != '+' && sign != '-' || !ok {
		return "", at
	}
	minutes, end, ok := figures(text, after(text, end, ":"), 2, 2)
	if !ok {
		return "", at
	}
	if hours == 0 && minutes == 0 {
		return "utc", end
	}
	return fmt.Sprintf("%c%02d:%02d", sign, hours, minutes), end
}
