package resolver_test

import (
	"testing"

	"moot/resolver"
)

// The word measure of CH4, JU6 and RD1b.
func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"The API is secure", "The API is vulnerable", 0.6},
		{"one two three", "three two one", 1},
		{"One TWO", "one two two", 1},
		{"", "", 0},
		{"word", "", 0},
		{"a b", "c d", 0},
		{"a\tb\nc", "a b c", 1},
	} {
		if got := resolver.Similarity(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
		if got := resolver.Similarity(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %v, want %v: it is not symmetric", c.b, c.a, got, c.want)
		}
	}
}

// ST2, RD1b: opposite polarity on the same words; it only asks a question.
func TestOpposed(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"The cache is safe under load", "The cache is not safe under load", true},
		{"The cache is safe under load.", "The cache is unsafe under load", true},
		{"The lock does not hold", "The lock holds", true},
		{"The cache isn't safe under load", "The cache is safe under load", true},
		{"The cache is not unsafe under load", "The cache is safe under load", false},
		{"The cache is safe under load", "The cache is safe under load", false},
		{"The cache is safe under load", "The queue is not durable", false},
		{"Retries are bounded", "Retries are unbounded", true},
		{"No", "Yes", false},
		{"", "not", false},
	} {
		if got := resolver.Opposed(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
		if got := resolver.Opposed(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %v, want %v: it is not symmetric", c.b, c.a, got, c.want)
		}
	}
}

// RD2: identical normalised text.
func TestNormalised(t *testing.T) {
	if a, b := resolver.Normalized("Use  EIGHT workers."), resolver.Normalized("use eight (workers)"); a != b {
		t.Errorf("%q is not %q", a, b)
	}
	if a, b := resolver.Normalized("use 8 workers"), resolver.Normalized("use 18 workers"); a == b {
		t.Error("different numbers are the same")
	}
}

// A point whose text holds a number with unit, a path or an identifier is
// empirical, whatever the seats call it.
func TestMeasurable(t *testing.T) {
	for text, want := range map[string]bool{
		"Readable code matters more than short code": false,
		"It takes 20 ms":                    true,
		"It takes 20ms":                     true,
		"The number is 20":                  false,
		"The file store/wal.go is ugly":     true,
		"main.go is ugly":                   true,
		"maxRetries is ugly":                true,
		"max_retries is ugly":               true,
		"`x` is ugly":                       true,
		"Close() is ugly":                   true,
		"There are two schools of thought":  false,
		"Chapter 3 is dull":                 false,
		"Tabs and/or spaces are a taste":    false,
		"I prefer this, e.g. for its taste": false,
	} {
		if got := resolver.Measurable(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
