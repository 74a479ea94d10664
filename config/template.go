package config

import (
	_ "embed" // The template is a file of its own.
	"strings"
)

//go:embed template.toml
var template string

// Template is a file to begin with: all that a configuration can say, each line a
// comment.
func Template() string { return template }

// Uncommented is the template with its settings in force: a line that begins with
// # and no blank is one.
func Uncommented() string {
	var out strings.Builder
	for line := range strings.Lines(template) {
		if setting, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(setting, " ") {
			line = setting
		}
		out.WriteString(line)
	}
	return out.String()
}
