package run

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws the random sessions with a fixed seed, so that a failure belongs to the change under test. To look
// for more, give another one: -rapid.seed=2, or with 0 a random one.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.seed" })
	if !given {
		_ = flag.Set("rapid.seed", "1")
	}
	os.Exit(m.Run())
}
