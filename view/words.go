package view

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// BucketName returns the name of a bucket for people.
func BucketName(b state.Bucket) string { return Word(b) }

// Sentence joins two parts with a colon if both are there.
func Sentence(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

// Join joins the parts that are not empty.
func Join(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}

// Seats lists seats: "consultee, arbiter".
func Seats(seats []state.Seat) string {
	words := lists.Map(seats, func(seat state.Seat) string { return string(seat) })
	return strings.Join(words, ", ")
}

// AreOrIs lists ids with their verb: "P1 is", "P1, P2 are".
func AreOrIs(ids []string) string {
	if len(ids) == 1 {
		return ids[0] + " is"
	}
	return strings.Join(ids, ", ") + " are"
}

// Counted returns a number with its noun: "1 point", "2 points".
func Counted(n int, noun string) string { return plain.Counted(n, noun) }

// Figure formats a number with at most three decimals.
func Figure(f float64) string { return strconv.FormatFloat(Rounded(f), 'f', -1, 64) }

// Rounded rounds a number to three decimals.
func Rounded(f float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 3, 64), 64)
	return r
}

// Some returns the list, never nil: exports write [] for no entries.
func Some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Moment formats a time for exports; a zero time is "".
func Moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// Percent formats a share, 0 to 1, as a percentage.
func Percent(share float64) string { return strconv.Itoa(conflict.Percent(share)) + " %" }

// Ruling formats a ruling: "Agreed, cited", "Unresolved, blocked".
func Ruling(r *state.Ruling) string {
	name := resolver.Capital(BucketName(r.Bucket))
	switch {
	case r.Tag != state.TagNone && r.Tag != state.TagNotApplicable:
		return name + ", " + Word(r.Tag)
	case r.Status != state.StatusNone && r.Bucket != state.BucketOpen:
		return name + ", " + Word(r.Status)
	}
	return name
}

// OnlyAgreement marks a point that is Agreed without any evidence (ST4).
const OnlyAgreement = "Agreement only"

// AgreementOnly reports whether a ruling is supported by agreement alone (ST4). That is not so for a decision of which
// objections were answered, for a position, which somebody holds in any case, or for a proposal, where no seat has to
// agree.
func AgreementOnly(s *state.State, r *state.Ruling) bool {
	p := s.Point(r.Point)
	if p == nil || r.Bucket != state.BucketAgreed || r.Tag != state.TagNotApplicable ||
		strings.HasPrefix(r.Rule, "R") || strings.HasPrefix(r.Rule, "G") {
		return false
	}
	switch resolver.KindOf(s, p) {
	case state.Position:
		return false
	case state.Decision:
		return !slices.ContainsFunc(p.Challenges, func(id string) bool {
			c := s.Challenge(id)
			return c != nil && c.Status == state.StandsDefended
		})
	case state.Empirical, state.Value:
	}
	return true
}
