package cli

import (
	"strings"

	"moot/state/store"
)

// newest is how many sessions the welcome shows.
const newest = 5

// welcome is what moot alone prints: your sessions, and what to type.
func welcome(c *Console) error {
	var out strings.Builder
	out.WriteString("moot puts a question to several models and lets them argue it claim by claim.\n\n")
	dir, err := store.Dir()
	if err != nil {
		return err
	}
	summaries, err := store.List(dir)
	if err != nil {
		return err
	}
	for i := range summaries[:min(len(summaries), newest)] {
		out.WriteString(listLine(&summaries[i], c.Now()))
	}
	if len(summaries) > newest {
		out.WriteString("moot list shows the others.\n")
	}
	if len(summaries) > 0 {
		out.WriteString("\n")
	}
	out.WriteString("  moot demo                                   watch a recorded session, no key needed\n" +
		"  moot ask \"Is the cache safe under load?\"    a new session\n" +
		"  moot resume                                 go on with the newest\n" +
		"  moot --help                                 all commands\n")
	return c.Print(out.String())
}
