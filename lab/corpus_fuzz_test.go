package lab

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever lies in a file, it is read to its end: each scenario is whole, and what is
// not says where it lies and what is wrong with it.
func FuzzRead(f *testing.F) {
	f.Add(scenario("a"))
	f.Add(scenario("a") + "\n" + scenario("b", "CLEAR_THREAT", "HARD") + "\n" + scenario("a"))
	f.Add(`{"id":"a","packet":{"facts":[{}]}}`)
	f.Add("{\n{}\n[]\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"development/x.json", "x.jsonl"} {
			c, err := ReadCorpus(folder(map[string]string{name: text}), "own")
			if err != nil {
				// A file of blank lines holds nothing at all.
				if strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) != "" {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			known := map[string]bool{}
			for i := range c.Scenarios {
				s := &c.Scenarios[i]
				if s.ID == "" || known[s.ID] || s.Tier == "" || s.Expected == "" || s.Packet == nil || s.Packet.Digest() == "" || !utf8.ValidString(s.Name) {
					t.Errorf("%s: a scenario is not whole: %+v", name, s)
				}
				known[s.ID] = true
			}
			for _, b := range c.Broken {
				if !strings.HasPrefix(b.Place, name) || len(b.What) == 0 || b.What[0] == "" {
					t.Errorf("%s: what is broken does not say so: %+v", name, b)
				}
			}
		}
	})
}
