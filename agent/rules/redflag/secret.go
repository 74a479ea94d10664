package redflag

import (
	"fmt"
	"strings"

	"moot/playbook"
)

// secret finds added lines that hold what looks like a secret. The lines of a
// file are looked at together: a private key runs over several.
func secret(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.foreign {
			continue
		}
		var text strings.Builder
		var lines []*line
		for _, l := range s.all(Gained) {
			text.WriteString(l.Text)
			text.WriteByte('\n')
			lines = append(lines, l)
		}
		_, findings := e.redactor.Text(text.String())
		for _, found := range findings {
			if at := found.Line - 1; at < len(lines) && !e.moved(lines[at]) {
				report(hit{file: s, line: lines[at], about: found.Reason, what: fmt.Sprintf("the line holds what looks like a secret: %s", found.Reason)})
			}
		}
	}
}
