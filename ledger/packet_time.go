package ledger

import (
	"errors"
	"fmt"
	"time"
)

// errMoment says how a time is to be written.
var errMoment = errors.New("is no time of RFC 3339, as in 2026-11-21T10:00:00Z")

// longestMoment is more than a time of RFC 3339 to the nanosecond takes, in bytes.
const longestMoment = 64

// ParseMoment reads a time of RFC 3339, to the nanosecond; without a zone it is UTC.
// A blank may stand in the place of the T. It returns the time in UTC.
func ParseMoment(text []byte) (time.Time, error) {
	const date = len("2006-01-02")
	if len(text) <= date || len(text) > longestMoment {
		return time.Time{}, fmt.Errorf("%s %w", quoted(string(text)), errMoment)
	}
	var room [longestMoment + 1]byte
	written := append(room[:0], text...)
	if c := written[date]; c == ' ' || c == 't' {
		written[date] = 'T'
	}
	switch last := written[len(written)-1]; {
	case last == 'z':
		written[len(written)-1] = 'Z'
	case last != 'Z' && !zoned(written[date:]):
		written = append(written, 'Z')
	}
	var at time.Time
	if err := at.UnmarshalText(written); err != nil {
		return time.Time{}, fmt.Errorf("%s %w", quoted(string(text)), errMoment)
	}
	if tooFine(written[date:]) {
		return time.Time{}, fmt.Errorf("%s is finer than a nanosecond", quoted(string(text)))
	}
	at = at.UTC()
	if !writable(at) {
		return time.Time{}, fmt.Errorf("%s %w", quoted(string(text)), errYear)
	}
	return at, nil
}

// errYear says that RFC 3339 has no way to write a time.
var errYear = errors.New("lies outside of the years 0 to 9999 in UTC")

// writable reports whether RFC 3339 can write a time in UTC.
func writable(at time.Time) bool {
	const last = 9999
	year := at.UTC().Year()
	return year >= 0 && year <= last
}

// zoned reports whether a time of day has an offset at its end.
func zoned(text []byte) bool {
	for _, c := range text {
		if c == '+' || c == '-' {
			return true
		}
	}
	return false
}

// tooFine reports whether a time of day has a digit behind its ninth of a second.
func tooFine(text []byte) bool {
	const finest = len("T10:00:00.123456789")
	if len(text) <= finest {
		return false
	}
	for _, c := range text[finest:] {
		switch {
		case c >= '1' && c <= '9':
			return true
		case c != '0':
			return false
		}
	}
	return false
}
