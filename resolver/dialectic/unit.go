package dialectic

import "strings"

// percent is the unit of hundredths.
const percent = "%"

// units are groups of words for one unit, of which the first is canonical. They tell one unit from another; none is
// converted.
const units = "| % percent pct | usd $ dollar dollars | eur € euro euros | gbp £ pound pounds | jpy ¥ yen | permille " +
	"| x time times fold | ° degree degrees | °c celsius | °f fahrenheit " +
	"| ns nanosecond nanoseconds | µs us microsecond microseconds | ms msec msecs millis millisecond milliseconds " +
	"| s sec secs second seconds | min m mins minute minutes | h hr hrs hour hours | d day days " +
	"| w wk wks week weeks | month mo months | y yr yrs year years " +
	"| b byte bytes | bit bits | kb kilobyte kilobytes | mb megabyte megabytes | gb gigabyte gigabytes " +
	"| tb terabyte terabytes | pb petabyte petabytes | kib | mib | gib | tib | pib | kbps | mbps | gbps | bps " +
	"| kbit | mbit | gbit | qps | rps | tps | iops | hz | khz | mhz | ghz | mm | cm | km | mg | g | kg | kw | kwh " +
	"| mw | mwh | dpi | px | pp | metre meter meters metres | request req | person people "

// things are countable nouns, in the singular.
const things = " request user row line file call query retry connection node server engineer person core cpu replica " +
	"pod instance host shard partition message event item test error failure customer token point commit dependency " +
	"region zone cluster worker thread process job task attempt round client record table column key page ticket " +
	"incident alert service machine vm container byte packet session transaction deploy deployment release version " +
	"change account device order article seat member vulnerability reply entry copy proxy patch batch crash class " +
	"address case step stage "

// canonicalUnit returns the canonical word for a unit, or "".
func canonicalUnit(word string) string {
	if word == "" || strings.ContainsAny(word, " |") {
		return ""
	}
	if at := strings.Index(units, " "+word+" "); at >= 0 {
		group := units[strings.LastIndexByte(units[:at+1], '|')+1:]
		return strings.Fields(group)[0]
	}
	singular := word
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		singular = stem + "y"
	} else if stem, ok := strings.CutSuffix(word, "es"); ok && len(stem) > 2 &&
		strings.ContainsAny(stem[len(stem)-1:], "sxh") {
		singular = stem
	} else if len(word) > 1 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		singular = word[:len(word)-1]
	}
	if strings.Contains(things, " "+singular+" ") {
		return singular
	}
	return ""
}

// isTime reports whether a canonical unit is one of time, of which there are
// rates.
func isTime(unit string) bool {
	switch unit {
	case "ns", "µs", "ms", "s", "min", "h", "d", "w", "month", "y":
		return true
	}
	return false
}

// isShortUnit reports whether a single letter after a blank is a unit. Others
// are names: plan 3 b.
func isShortUnit(word string) bool {
	switch word {
	case "s", "m", "h", "d", "g", "x", "%":
		return true
	}
	return false
}

// isOrdinal reports whether letters after a number say which one: 3rd.
func isOrdinal(word string) bool {
	return word == "st" || word == "nd" || word == "rd" || word == "th"
}

// scale is the power of ten that a word multiplies a number by, or 0.
func scale(word string) int {
	switch word {
	case "k", "thousand", "thousands":
		return 3
	case "mn", "mio", "million", "millions":
		return 6
	case "bn", "mrd", "billion", "billions":
		return 9
	case "tn", "trillion", "trillions":
		return 12
	}
	return 0
}
