package redflag

import "regexp"

// forms are what settings, versions and statements look like, compiled once: the
// checks hold every changed line against some of them.
type forms struct {
	// setting is a line that gives a name a value, number a number with its unit.
	setting, number *regexp.Regexp
	// version is the numbers of a version and what follows them, early what follows
	// where it is one before the release of that name.
	version, early *regexp.Regexp
	// undo is the name of a file that takes a migration back; down begins what does
	// so in a file, up what does not.
	undo, down, up *regexp.Regexp
	statements     []statement
}

func newForms() *forms {
	return &forms{
		setting: regexp.MustCompile(`^\s*(?:-\s+|export\s+|set\s+|ENV\s+|ARG\s+)?["']?([A-Za-z_][\w.\-/]*)["']?\s*(?::=|=>|[:=])\s*(\S.*?)\s*,?\s*$`),
		number:  regexp.MustCompile(`^(-?\d[\d_]*(?:\.\d+)?)\s*([A-Za-z%]*)$`),
		version: regexp.MustCompile(`(\d+(?:\.\d+)*)(.*)`),
		early:   regexp.MustCompile(`(?i)^[.\-]?(?:alpha|beta|rc|dev|pre|snapshot|m\d|a\d|b\d|0\.\d{14})`),
		undo:    regexp.MustCompile(`^U\d+`),
		down: regexp.MustCompile(`(?i)^\s*--\s*\+?\s*(?:\w+[: ])?\s*down\b|` +
			`^\s*(?:async\s+)?(?:def|public|protected|function|exports\.|export\s+\w+(?:\s+function)?)\s*(?:function\s+|void\s+)?(?:down|downgrade)\b|` +
			`^\s*def\s+down`),
		up: regexp.MustCompile(`(?i)^\s*--\s*\+?\s*(?:\w+[: ])?\s*up\b|` +
			`^\s*(?:async\s+)?(?:def|public|protected|function|exports\.|export\s+\w+(?:\s+function)?)\s*(?:function\s+|void\s+)?(?:up|upgrade|change)\b`),
		statements: newStatements(),
	}
}
