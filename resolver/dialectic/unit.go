package dialectic

import "strings"

// percent is the unit of hundredths.
const percent = "%"

// canonicalUnit is the one way to write a unit, or "" for a word that is none.
// It tells the same unit from another; it converts none.
func canonicalUnit(word string) string {
	switch word {
	case "%", "percent", "pct":
		return percent
	case "usd", "$", "dollar", "dollars":
		return "usd"
	case "eur", "€", "euro", "euros":
		return "eur"
	case "gbp", "£", "pound", "pounds":
		return "gbp"
	case "jpy", "¥", "yen":
		return "jpy"
	case "permille":
		return word
	case "x", "time", "times", "fold":
		return "x"
	case "°", "degree", "degrees":
		return "°"
	case "°c", "celsius":
		return "°c"
	case "°f", "fahrenheit":
		return "°f"
	}
	for _, unit := range [...]string{timeUnit(word), sizeUnit(word)} {
		if unit != "" {
			return unit
		}
	}
	return countedUnit(word)
}

// timeUnit is that of time.
func timeUnit(word string) string {
	switch word {
	case "ns", "nanosecond", "nanoseconds":
		return "ns"
	case "us", "µs", "microsecond", "microseconds":
		return "µs"
	case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds":
		return "ms"
	case "s", "sec", "secs", "second", "seconds":
		return "s"
	case "m", "min", "mins", "minute", "minutes":
		return "min"
	case "h", "hr", "hrs", "hour", "hours":
		return "h"
	case "d", "day", "days":
		return "d"
	case "w", "wk", "wks", "week", "weeks":
		return "w"
	case "mo", "month", "months":
		return "month"
	case "y", "yr", "yrs", "year", "years":
		return "y"
	}
	return ""
}

// sizeUnit is that of data, lengths and the like.
func sizeUnit(word string) string {
	switch word {
	case "b", "byte", "bytes":
		return "b"
	case "bit", "bits":
		return "bit"
	case "kb", "kilobyte", "kilobytes":
		return "kb"
	case "mb", "megabyte", "megabytes":
		return "mb"
	case "gb", "gigabyte", "gigabytes":
		return "gb"
	case "tb", "terabyte", "terabytes":
		return "tb"
	case "pb", "petabyte", "petabytes":
		return "pb"
	case "kib", "mib", "gib", "tib", "pib", "kbps", "mbps", "gbps", "kbit", "mbit", "gbit", "qps", "rps", "tps", "iops",
		"hz", "khz", "mhz", "ghz", "mm", "cm", "km", "mg", "g", "kg", "kw", "kwh", "mw", "mwh", "dpi", "px", "pp", "bps":
		return word
	case "meter", "meters", "metre", "metres":
		return "metre"
	}
	return ""
}

// countedUnit is what is counted, in the singular.
func countedUnit(word string) string {
	if word == "people" {
		return "person"
	}
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		word = stem + "y"
	} else if stem, ok := strings.CutSuffix(word, "es"); ok && len(stem) > 2 && strings.ContainsAny(stem[len(stem)-1:], "sxh") {
		word = stem
	}
	singular := word
	if n := len(word); n > 1 && word[n-1] == 's' && word[n-2] != 's' {
		singular = word[:n-1]
	}
	switch singular {
	case "req":
		return "request"
	case "request", "user", "row", "line", "file", "call", "query", "retry", "connection", "node", "server",
		"engineer", "person", "core", "cpu", "replica", "pod", "instance", "host", "shard", "partition", "message",
		"event", "item", "test", "error", "failure", "customer", "token", "point", "commit", "dependency", "region",
		"zone", "cluster", "worker", "thread", "process", "job", "task", "attempt", "round", "client", "record",
		"table", "column", "key", "page", "ticket", "incident", "alert", "service", "machine", "vm", "container",
		"byte", "packet", "session", "transaction", "deploy", "deployment", "release", "version", "change", "account",
		"device", "order", "article", "seat", "member", "vulnerability", "reply", "entry", "copy", "proxy",
		"patch", "batch", "crash", "class", "address", "case", "step", "stage":
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
