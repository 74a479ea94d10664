package research

import (
	_ "embed" // The names are a file of their own.
	"runtime"
	"strings"

	"moot/internal/redact"
)

//go:embed environment.txt
var environmentFile string

// cleanEnvironment returns the variables that a command may see, of entries NAME=value: those of environment.txt,
// except any that look like a secret.
func cleanEnvironment(all []string, directory string, redactor *redact.Redactor) []string {
	allowed := environmentNames()
	var kept []string
	for _, entry := range all {
		name, _, found := strings.Cut(entry, "=")
		if !found || !allowed(name) {
			continue
		}
		if _, secrets := redactor.Text(entry); len(secrets) > 0 && !strings.EqualFold(name, "PATH") {
			continue
		}
		kept = append(kept, entry)
	}
	return append(kept, "PWD="+directory, "TERM=dumb", "NO_COLOR=1", "GIT_TERMINAL_PROMPT=0")
}

// environmentNames reads environment.txt. Windows does not tell upper from lower
// case.
func environmentNames() func(name string) bool {
	exact, beginnings := map[string]bool{}, []string{}
	for line := range strings.Lines(environmentFile) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if beginning, open := strings.CutSuffix(line, "*"); open {
			beginnings = append(beginnings, beginning)
			continue
		}
		exact[line] = true
	}
	return func(name string) bool {
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		for _, beginning := range beginnings {
			if strings.HasPrefix(name, beginning) {
				return true
			}
		}
		return exact[name]
	}
}
