package council

import (
	"slices"
	"strings"
	"testing"
)

// A sentence of a synthesis treats as settled what it does not itself call open or disputed, whatever else it calls so.
func TestSentenceAsserts(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		"P1 holds":       "P1",
		"P1 and P2 hold": "P1 P2",

		// All of it is about what is open.
		"P1 is disputed":                               "",
		"P1, P2 and P3 are still open":                 "",
		"Disputed: P1, P2 and P3":                      "",
		"Open are P1, P2 and P3":                       "",
		"That it never stops, as P1 says, is disputed": "",
		"Whether P1 holds is unclear":                  "",
		"We do not know whether P1 holds":              "",
		"There is no evidence for P1":                  "",
		"P1 is not agreed":                             "",
		"The open points are P1 and P2":                "",
		"The disputed P1 was left for later":           "",
		"Does P1 hold, and was it disputed?":           "",

		// Only a part of it is.
		"P1 is disputed, but P2 holds":         "P2",
		"P2 holds, while P1 is disputed":       "P2",
		"P1 is disputed, P2 and P3 hold":       "P2 P3",
		"P2 holds and P1 is open":              "P2",
		"Although P1 was disputed, P2 holds":   "P2",
		"Disputed: P1, P3; P2 holds":           "P2",
		"Agreed: P2 and P3, but P1 is open":    "P2 P3",
		"P2 holds: whether P1 does is unclear": "P2",

		// The word is of something else.
		"P1 holds despite the disputed sample":     "P1",
		"The objection was dismissed and P1 holds": "P1",
		"As C2 was rejected P1 holds":              "P1",
		"P1 is not disputed":                       "P1",
		"P1 is no longer contested":                "P1",
		"Nothing about P1 is open":                 "P1",
		"There is no evidence against P1":          "P1",
		"P1 holds on an open network":              "P1",
	} {
		got := pointIDs.FindAllString(strings.Join(asserted(sentence), " "), -1)
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q asserts %q, not %q", sentence, got, want)
		}
	}
}
