package formats_test

import (
	"testing"

	"moot/resolver"
)

// ST2, RD1b: opposites are found in whatever person the verb stands.
func TestOppositesInAnyPerson(t *testing.T) {
	for _, pair := range [][2]string{
		{"The cache increases latency", "The cache decreases latency"},
		{"The locks increase latency", "The locks decrease latency"},
		{"It keeps the lock", "It removes the lock"},
		{"The check succeeds", "The check does not succeed"},
	} {
		if !resolver.Opposed(pair[0], pair[1]) || !resolver.Opposed(pair[1], pair[0]) {
			t.Errorf("%q and %q", pair[0], pair[1])
		}
	}
	if resolver.Opposed("The cache increases latency", "The cache increases cost") {
		t.Error("two that differ are no opposites")
	}
}
