package doctor

import (
	"context"
	"strings"

	"moot/agent/program"
)

// Tool finds a program by its name and asks it for its version.
func (w *Where) Tool(ctx context.Context, name string, version []string) Check {
	c := Check{Part: PartTools, Name: name}
	path := ""
	if w.LookPath != nil {
		path, _ = w.LookPath(name)
	}
	if path == "" {
		c.Word, c.Found = Missing, name+" is not on the PATH"
		return c
	}
	told, took, err := w.output(ctx, path, version)
	c.Millis = millis(took)
	if err == nil {
		c.Version = program.VersionIn(told)
		c.Word, c.Found = OK, strings.TrimSpace(c.Version+" at "+quoted(path))
		return c
	}
	c.Word, c.Found = Broken, quoted(path)+" "+err.Error()
	return c
}
