package research

import (
	"testing"
)

// Where nothing is alike at all, no passage is made up.
func TestNearestMayBeNothing(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source, "blank.txt": "\n\n\n", "empty.txt": ""})
	for _, test := range []struct {
		reference string
		want      string
	}{{"a.go:3", "absent"}, {"blank.txt:2", "absent"}, {"empty.txt:1", "out-of-bounds"}} {
		finding := examine(t, c, test.reference, "价格 §§ 価格", test.want)
		if finding.Nearest != "" || finding.NearestReference != "" || finding.Similarity != 0 {
			t.Errorf("%s: nearest %q at %s, similarity %v", test.reference, finding.Nearest, finding.NearestReference,
				finding.Similarity)
		}
	}
}
