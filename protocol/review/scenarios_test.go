package review_test

import (
	"testing"

	"moot/protocol/protocoltest"
	"moot/protocol/review"
)

// TestScenarios plays the files of testdata/scenarios; see protocoltest.Scenarios for their commands. The stored events
// must replay to the same state, and the session resumes with the same turn after any of them.
func TestScenarios(t *testing.T) {
	protocoltest.Scenarios(t, review.Name, "testdata/scenarios", protocoltest.CheckRecord)
}
