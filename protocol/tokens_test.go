package protocol_test

import (
	"fmt"
	"testing"

	"moot/protocol"
)

// Counts that a server reports are claims: those that no tokenizer could come to are estimated, so that caps hold.
func TestImplausibleTokensAreEstimated(t *testing.T) {
	t.Parallel()
	const sent, received = 8000, 4000
	for _, test := range []struct {
		prompt, completion         int
		wantPrompt, wantCompletion int
		estimated                  bool
	}{
		{2000, 1000, 2000, 1000, false},
		{1000, 500, 1000, 500, false},
		{9000, 7000, 9000, 7000, false},
		{0, 1000, 2000, 1000, true},
		{1, 1000, 2000, 1000, true},
		{999, 1000, 2000, 1000, true},
		{-5, 1000, 2000, 1000, true},
		{2000, 0, 2000, 1000, true},
		{2000, 1, 2000, 1000, true},
		{2000, -1 << 40, 2000, 1000, true},
		{0, 0, 2000, 1000, true},
	} {
		t.Run(fmt.Sprint(test.prompt, test.completion), func(t *testing.T) {
			t.Parallel()
			prompt, completion, estimated := protocol.CheckTokens(test.prompt, test.completion, sent, received)
			if prompt != test.wantPrompt || completion != test.wantCompletion || estimated != test.estimated {
				t.Errorf("%d %d %v", prompt, completion, estimated)
			}
		})
	}
	if prompt, completion, estimated := protocol.CheckTokens(3, 1, 12, 20); prompt != 3 || completion != 1 || estimated {
		t.Errorf("one long word: %d %d %v", prompt, completion, estimated)
	}
}
